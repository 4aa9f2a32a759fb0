//! The organizations that a key can reach: `GET /v1/organizations` (contract, "Requests and responses").

use serde::Deserialize;

use crate::account::Plan;
use crate::lenient;
use crate::{OrganizationId, TeamId};

/// An organization with its teams.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OrganizationRecord {
    /// The organization's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: OrganizationId,
    /// What it is called.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
    /// What it pays for.
    #[serde(default, deserialize_with = "lenient::read")]
    pub plan: Option<Plan>,
    /// Its teams.
    #[serde(default, deserialize_with = "lenient::read")]
    pub teams: Vec<TeamRecord>,
}

/// A team of an organization.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TeamRecord {
    /// The team's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: TeamId,
    /// What it is called.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
}

lenient::records!(TeamRecord);
