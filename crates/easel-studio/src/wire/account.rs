//! Who a key belongs to and what it may do: `GET /v1/whoami` (contract, "Requests and responses").

use easel_wire::Scope;
use serde::Serialize;
use uuid::Uuid;

use crate::wire::closed_enum::closed_enum;
use crate::wire::{ApiKeyId, OrganizationId, TeamId, UserId};

closed_enum! {
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

closed_enum! {
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
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
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
    pub scopes: Vec<Scope>,
    /// The key itself.
    pub api_key_id: Option<ApiKeyId>,
    /// The caps in force.
    pub entitlements: Entitlements,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The user's name.
    pub name: Option<String>,
    /// The user's address.
    pub email: Option<String>,
}

/// A team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Team {
    /// The team's id.
    pub id: TeamId,
    /// The same id as a bare UUID.
    pub uuid: Option<Uuid>,
    /// The team's name.
    pub name: Option<String>,
}

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Organization {
    /// The organization's id.
    pub id: OrganizationId,
    /// The same id as a bare UUID.
    pub uuid: Option<Uuid>,
    /// The organization's name.
    pub name: Option<String>,
}

/// The caps in force for a key (specification, "Limits"). Absent: the service does not say. Zero: no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Entitlements {
    /// Design tasks queued or running at once, per organization.
    pub concurrency_cap: Option<u32>,
    /// Requests a minute, per key.
    pub requests_per_minute: Option<u32>,
    /// Exports a minute, per organization.
    pub exports_per_minute: Option<u32>,
}
