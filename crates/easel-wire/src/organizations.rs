//! The organizations that a key can reach: `GET /v1/organizations` (contract, "Requests and responses").

use serde::{Deserialize, Serialize};

use crate::account::Plan;
use crate::{OrganizationId, TeamId};

/// An organization with its teams.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct OrganizationRecord {
    /// The organization's id.
    pub id: OrganizationId,
    /// What it is called.
    #[serde(default)]
    pub name: Option<String>,
    /// What it pays for.
    #[serde(default)]
    pub plan: Option<Plan>,
    /// Its teams.
    #[serde(default)]
    pub teams: Vec<TeamRecord>,
}

/// A team of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TeamRecord {
    /// The team's id.
    pub id: TeamId,
    /// What it is called.
    #[serde(default)]
    pub name: Option<String>,
}
