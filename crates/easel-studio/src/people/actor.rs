//! Who changes something: the operator, or a person of the team.

use easel_wire::Timestamp;
use serde_json::Value;

use crate::audit;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::DbConnection;
use crate::web::origin::Origin;
use crate::wire::account::Role;
use crate::wire::{OrganizationId, UserId};

/// Who changes something.
#[derive(Debug, Clone, Copy)]
pub enum Actor<'a> {
    /// The operator, at the command line.
    Operator,
    /// A person, by a request.
    Person(&'a Caller, Origin),
}

impl Actor<'_> {
    /// Passes where users who are `role`, or shall be, may be changed by this actor.
    ///
    /// # Errors
    /// [`Error::NotPermitted`].
    pub fn check(&self, role: Role) -> Result<(), Error> {
        match (self, role) {
            (Self::Operator, _) => Ok(()),
            (Self::Person(caller, _), _) if !caller.oversees() => {
                Err(Error::NotPermitted("only an admin or an owner may do this"))
            }
            (Self::Person(caller, _), Role::Owner) if caller.role != Role::Owner => {
                Err(Error::NotPermitted("only an owner may make, change or remove an owner"))
            }
            (Self::Person(..), _) => Ok(()),
        }
    }

    /// The user; `None` for the operator.
    #[must_use]
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::Operator => None,
            Self::Person(caller, _) => Some(caller.user_id),
        }
    }

    /// Writes what was done into the audit log. In the transaction that does it.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`].
    pub async fn note(
        &self,
        conn: &mut DbConnection,
        organization: OrganizationId,
        what: (&str, String, Value),
        now: Timestamp,
    ) -> Result<(), Error> {
        match self {
            Self::Operator => audit::note_operator(conn, Some(organization), what, now).await,
            Self::Person(caller, origin) => audit::note(conn, caller, *origin, what, now).await,
        }
    }
}
