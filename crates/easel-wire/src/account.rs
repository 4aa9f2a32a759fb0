//! The owner and the rights of a key: `GET /v1/whoami` (contract, "Requests and responses").

use serde::Deserialize;

use crate::lenient;
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

/// The answer of `GET /v1/whoami`. The specification does not name the route: any part of it may be missing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Whoami {
    /// The key's owner.
    #[serde(default, deserialize_with = "lenient::read")]
    pub user: Option<User>,
    /// The team that the key works in.
    #[serde(default, deserialize_with = "lenient::read")]
    pub team: Option<Team>,
    /// The organization that the team belongs to.
    #[serde(default, deserialize_with = "lenient::read")]
    pub organization: Option<Organization>,
    /// The user's role.
    #[serde(default, deserialize_with = "lenient::read")]
    pub role: Option<Role>,
    /// The organization's plan.
    #[serde(default, deserialize_with = "lenient::read")]
    pub plan: Option<Plan>,
    /// What the key may do; `None` where the service does not say.
    #[serde(default, deserialize_with = "lenient::read")]
    pub scopes: Option<Vec<Scope>>,
    /// The key itself.
    #[serde(default, deserialize_with = "lenient::read")]
    pub api_key_id: Option<ApiKeyId>,
    /// The caps in force.
    #[serde(default, deserialize_with = "lenient::read")]
    pub entitlements: Entitlements,
}

impl Whoami {
    /// Whether the answer has any field that only a design-generation service has, so that another JSON API is told
    /// apart.
    #[must_use]
    pub const fn says_anything(&self) -> bool {
        self.user.is_some()
            || self.team.is_some()
            || self.organization.is_some()
            || self.scopes.is_some()
            || self.role.is_some()
            || self.plan.is_some()
            || self.api_key_id.is_some()
    }
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct User {
    /// The user's id.
    #[serde(default, deserialize_with = "lenient::read")]
    pub id: Option<UserId>,
    /// The user's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
    /// The user's address.
    #[serde(default, deserialize_with = "lenient::read")]
    pub email: Option<String>,
}

/// A team.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Team {
    /// The team's id.
    #[serde(default, deserialize_with = "lenient::read")]
    pub id: Option<TeamId>,
    /// The team's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
}

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Organization {
    /// The organization's id.
    #[serde(default, deserialize_with = "lenient::read")]
    pub id: Option<OrganizationId>,
    /// The organization's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
}

/// The caps in force for a key (specification, "Limits"). Absent: the service does not say. Zero: no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct Entitlements {
    /// Design tasks queued or running at once, per organization.
    #[serde(default, deserialize_with = "lenient::read")]
    pub concurrency_cap: Option<u32>,
    /// Requests a minute, per key.
    #[serde(default, deserialize_with = "lenient::read")]
    pub requests_per_minute: Option<u32>,
    /// Exports a minute, per organization.
    #[serde(default, deserialize_with = "lenient::read")]
    pub exports_per_minute: Option<u32>,
}

lenient::records!(User, Team, Organization, Entitlements);
