//! Users of a team: their addresses, roles, and their end.

use easel_wire::Timestamp;
use easel_wire::error::code;
use serde_json::json;

use super::Actor;
use crate::core::error::Error;
use crate::db::accounts::UserRow;
use crate::db::{Tx, invitations, members};
use crate::wire::account::Role;

/// The longest address of a user, in characters.
pub const MAX_EMAIL_CHARS: usize = 320;

/// How addresses are stored and compared.
#[must_use]
pub fn normalize_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// An address as it is stored, and the part before its @, which is the name of a user who gave none; `None` where it is no
/// address.
#[must_use]
pub fn read_email(email: &str) -> Option<(String, String)> {
    let email = normalize_email(email);
    let (local, domain) = email.split_once('@')?;
    let is_blank = |letter: char| letter.is_whitespace() || letter.is_control();
    if local.is_empty() || domain.is_empty() || email.chars().count() > MAX_EMAIL_CHARS || email.chars().any(is_blank) {
        return None;
    }
    let local = local.to_owned();
    Some((email, local))
}

/// Gives a user another role, or removes them with their keys and what they invited. In a write transaction.
///
/// # Errors
/// [`Error::NotPermitted`] where the actor may not; [`Error::Conflict`] with `only_owner` where no owner would be left;
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn change(
    tx: &mut Tx,
    actor: Actor<'_>,
    user: &UserRow,
    role: Option<Role>,
    now: Timestamp,
) -> Result<(), Error> {
    actor.check(user.role)?;
    actor.check(role.unwrap_or(user.role))?;
    if actor.user() == Some(user.id) {
        return Err(Error::NotPermitted("nobody changes their own role or removes themselves"));
    }
    let ends_as_owner = user.role == Role::Owner && role != Some(Role::Owner);
    if ends_as_owner && members::count_owners(tx, user.id).await? < 2 {
        return Err(Error::conflict(code::ONLY_OWNER, None));
    }
    let organization = members::organization_of(tx, user.id).await?;
    let email = user.email.clone();
    if let Some(role) = role {
        members::set_role(tx, user.id, role).await?;
        let details = json!({ "from": user.role, "to": role });
        actor.note(tx, organization, ("role_changed", email, details), now).await?;
    } else {
        let keys = members::remove(tx, user.id, now).await?;
        let invited = invitations::revoke_by(tx, user.id, now).await?;
        let details = json!({ "role": user.role, "keys_deleted": keys, "invitations_taken_back": invited });
        actor.note(tx, organization, ("user_removed", email, details), now).await?;
    }
    Ok(())
}

/// Writes one line of the log about a [`change`] that holds: after its transaction was committed.
pub fn log_change(user: &UserRow, role: Option<Role>) {
    let from = user.role.as_str();
    match role {
        Some(role) => tracing::info!(user = %user.id, from, to = role.as_str(), "role changed"),
        None => tracing::info!(user = %user.id, from, "user removed"),
    }
}
