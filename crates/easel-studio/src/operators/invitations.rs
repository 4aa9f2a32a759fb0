//! `easel-studio invite` and `invitations`: who may come into a team by a code, also beside a running service.
//!
//! Not here: what an invitation is and brings ([`crate::people::invitations`]).

use std::path::Path;

use easel_wire::error::code;

use super::find_team;
use super::users::read_email;
use crate::core::error::Error;
use crate::core::room::Room;
use crate::data_folder::DataFolder;
use crate::db::invitations::{self as rows, InvitationRow};
use crate::people::{Actor, invitations};
use crate::wire::account::Role;
use crate::wire::{InvitationId, OrganizationId};

/// Invites whoever has the address `email` into the team of an organization, the first one's where none is named, in place
/// of an earlier invitation that is still open. `studio` is where clients reach the service; the code, which is returned
/// with the invitation and cannot be had again, carries it.
///
/// # Errors
/// [`Error::Usage`] where the address is none or is a user's, `studio` is no http or https address, or there is no such
/// organization; [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn invite(
    data_dir: &Path,
    (email, role): (&str, Role),
    studio: &str,
    organization: Option<OrganizationId>,
) -> Result<(InvitationRow, String), Error> {
    let (email, _) = read_email(email)?;
    let address = url::Url::parse(studio).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let address = address.ok_or_else(|| Error::Usage(format!("{studio} is not an http or https address")))?;
    let folder = DataFolder::open(data_dir).await?;
    let now = folder.clock.now();
    let mut tx = folder.db.begin().await?;
    let (_, team) = find_team(&mut tx, organization).await?;
    let made =
        invitations::invite(&mut tx, &*folder.ids, Actor::Operator, (team, &email, role), address.as_str(), now).await;
    let made = made.map_err(|error| match error {
        Error::Conflict { code: code::USER_EXISTS, .. } => Error::Usage(format!("there is a user {email} already")),
        Error::Validation { message, .. } => Error::Usage(message),
        error => error,
    })?;
    tx.commit().await?;
    folder.db.close().await;
    tracing::info!(invitation = %made.0.id, role = role.as_str(), "user invited");
    Ok(made)
}

/// The open invitations, the newest first; also those whose end has come.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn list(data_dir: &Path) -> Result<Vec<InvitationRow>, Error> {
    let folder = DataFolder::open(data_dir).await?;
    let listed = rows::list(&folder.db, None).await?;
    folder.db.close().await;
    Ok(listed)
}

/// Revokes an open invitation: its code is refused from then on.
///
/// # Errors
/// [`Error::Usage`] where there is none; [`Error::Io`], [`Error::Database`], [`Error::StorageFull`].
pub async fn revoke(data_dir: &Path, id: InvitationId) -> Result<(), Error> {
    // On a full disk too: a code that got about has to be refused.
    Room::of(data_dir).lend(|| revoke_once(data_dir, id)).await
}

async fn revoke_once(data_dir: &Path, id: InvitationId) -> Result<(), Error> {
    let folder = DataFolder::open(data_dir).await?;
    let now = folder.clock.now();
    let mut tx = folder.db.begin().await?;
    let open = rows::find(&mut tx, id).await?;
    let open = open.ok_or_else(|| Error::Usage(format!("there is no open invitation {id}")))?;
    invitations::revoke(&mut tx, Actor::Operator, &open, now).await?;
    tx.commit().await?;
    folder.db.close().await;
    Ok(())
}
