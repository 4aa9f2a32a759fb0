//! Who a key belongs to and what it may do: `GET /v1/whoami` (contract, "Requests and responses").

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::open_enum::open_enum;
use crate::{ApiKeyId, OrganizationId, Scope, TeamId, UserId};

open_enum! {
    /// What a user is in the team.
    Role {
        /// The first user.
        Owner = "owner",
        /// Sees the whole team's deliveries.
        Admin = "admin",
        /// Everyone else.
        Member = "member",
    }
}

open_enum! {
    /// What the organization pays for.
    Plan {
        /// 50,000,000 bytes a file, 3 tasks at once.
        Free = "free",
        /// 250,000,000 bytes a file, 10 tasks at once.
        Paid = "paid",
        /// 250,000,000 bytes a file, 15 tasks at once.
        Ultra = "ultra",
    }
}

/// The answer of `GET /v1/whoami`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Whoami {
    /// The key's owner.
    pub user: User,
    /// The team that the key works in.
    pub team: Team,
    /// The organization that the team belongs to.
    pub organization: Organization,
    /// The user's role.
    pub role: Role,
    /// The organization's plan.
    pub plan: Plan,
    /// What the key may do.
    #[serde(default)]
    pub scopes: Vec<Scope>,
    /// The key itself.
    #[serde(default)]
    pub api_key_id: Option<ApiKeyId>,
    /// The caps in force.
    #[serde(default)]
    pub entitlements: Entitlements,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The user's name.
    #[serde(default)]
    pub name: Option<String>,
    /// The user's address.
    #[serde(default)]
    pub email: Option<String>,
}

/// A team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Team {
    /// The team's id.
    pub id: TeamId,
    /// The same id as a bare UUID.
    #[serde(default)]
    pub uuid: Option<Uuid>,
    /// The team's name.
    #[serde(default)]
    pub name: Option<String>,
}

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Organization {
    /// The organization's id.
    pub id: OrganizationId,
    /// The same id as a bare UUID.
    #[serde(default)]
    pub uuid: Option<Uuid>,
    /// The organization's name.
    #[serde(default)]
    pub name: Option<String>,
}

/// The caps in force for a key (specification, "Limits"). Absent: the service does not say. Zero: no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Entitlements {
    /// Design tasks queued or running at once, per organization.
    #[serde(default)]
    pub concurrency_cap: Option<u32>,
    /// Requests a minute, per key.
    #[serde(default)]
    pub requests_per_minute: Option<u32>,
    /// Exports a minute, per organization.
    #[serde(default)]
    pub exports_per_minute: Option<u32>,
}
