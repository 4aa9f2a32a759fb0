//! The caller of a request: the owner of its API key, and the rights of the key (specification, "Authentication" and
//! "Scopes").
//!
//! Not here: how a key is found, and which scope an endpoint needs.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use easel_wire::{Scope, Timestamp};
use http::request::Parts;

use super::error::Error;
use super::limits::Overrides;
use crate::wire::account::{Plan, Role};
use crate::wire::{ApiKeyId, OrganizationId, TeamId, UserId};

/// The key's owner and what the key may do. As an extractor: the caller whom the router has let in.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The key's user.
    pub user_id: UserId,
    /// The team that the key works in.
    pub team_id: TeamId,
    /// The organization of that team.
    pub organization_id: OrganizationId,
    /// The user's role in the team.
    pub role: Role,
    /// The key.
    pub api_key_id: ApiKeyId,
    /// The key's scopes.
    pub scopes: Arc<[Scope]>,
    /// From when on the key is refused.
    pub expires_at: Option<Timestamp>,
    /// The organization's plan.
    pub plan: Plan,
    /// What holds for the organization in place of the usual limits.
    pub overrides: Overrides,
    /// What the user, the team and the organization are called.
    pub names: Arc<Names>,
}

impl Caller {
    /// Whether the user is an admin or an owner, and so may find and bring back what others have hidden.
    #[must_use]
    pub fn oversees(&self) -> bool {
        matches!(self.role, Role::Admin | Role::Owner)
    }

    /// Passes where the key holds `scope`.
    ///
    /// # Errors
    /// [`Error::MissingScope`].
    pub fn need(&self, scope: Scope) -> Result<(), Error> {
        if self.scopes.contains(&scope) { Ok(()) } else { Err(Error::MissingScope(scope)) }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        parts.extensions.get::<Self>().cloned().ok_or(Error::Unauthenticated)
    }
}

/// What the caller, the team and the organization are called.
#[derive(Debug, Clone)]
pub struct Names {
    /// The user's name.
    pub user: String,
    /// The user's address.
    pub email: String,
    /// The team's name.
    pub team: String,
    /// The organization's name.
    pub organization: String,
}
