//! The organizations that a key can reach: `GET /v1/organizations` (contract, "Requests and responses").

use serde::Serialize;

use crate::wire::account::Plan;
use crate::wire::{OrganizationId, TeamId};

/// An organization with its teams.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct OrganizationRecord {
    /// The organization's id.
    pub id: OrganizationId,
    /// What it is called.
    pub name: Option<String>,
    /// What it pays for.
    pub plan: Option<Plan>,
    /// Its teams.
    pub teams: Vec<TeamRecord>,
}

/// A team of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TeamRecord {
    /// The team's id.
    pub id: TeamId,
    /// What it is called.
    pub name: Option<String>,
}
