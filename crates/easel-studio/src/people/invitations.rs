//! Invitations: a code for one use that brings its person into the team with a key of their own.
//!
//! Always true: of a code its hash alone is kept; a code that is wrong, used, taken back or past its end gets one and the same
//! refusal; the user and the key are made in the transaction that uses the code up, so that of two who redeem it at once one
//! gets a key. Not here: what a code looks like ([`easel_wire::invitation`]), and how often one may be tried
//! ([`crate::studio::redemptions`]).

use std::time::Duration;

use easel_wire::error::code;
use easel_wire::invitation::Invitation;
use easel_wire::{Scope, Timestamp};
use serde_json::json;

use super::Actor;
use super::keys::{CreatedKey, KeyMaker, after};
use super::members::read_email;
use crate::audit;
use crate::core::clock::IdSource;
use crate::core::error::Error;
use crate::core::secrets::random;
use crate::db::accounts::{self, UserRow};
use crate::db::invitations::{self, InvitationRow, NewInvitation};
use crate::db::{Tx, members};
use crate::web::origin::Origin;
use crate::wire::account::Role;
use crate::wire::{InvitationId, TeamId, UserId};

/// How long an invitation is good.
pub const GOOD_FOR: Duration = Duration::from_secs(72 * 60 * 60);

/// Invites whoever has the address `email` into a team, in place of an earlier invitation that is still open; `studio` is
/// where clients reach this service. Returns the invitation and its code, which cannot be had again. In a write transaction.
///
/// # Errors
/// [`Error::Validation`] where `email` is no address or `studio` too long; [`Error::Conflict`] with `user_exists` where
/// there is such a user, or was one in another team; [`Error::NotPermitted`] where the actor may not; [`Error::Database`], [`Error::StorageFull`],
/// [`Error::Io`] where the system has no randomness.
pub async fn invite(
    tx: &mut Tx,
    ids: &dyn IdSource,
    actor: Actor<'_>,
    (team_id, email, role): (TeamId, &str, Role),
    studio: &str,
    now: Timestamp,
) -> Result<(InvitationRow, String), Error> {
    let (email, _) = read_email(email).ok_or_else(|| Error::validation("email", "invalid"))?;
    actor.check(role)?;
    if members::is_taken(tx, team_id, &email).await? {
        return Err(Error::conflict(code::USER_EXISTS, None));
    }
    let made = Invitation::new(studio, random()?).map_err(|_| Error::validation("address", "too_long"))?;
    let id = InvitationId::from_uuid(ids.next());
    let new = NewInvitation {
        id,
        team_id,
        email: &email,
        role,
        code_hash: made.hash(),
        invited_by: actor.user(),
        created_at: now,
        expires_at: after(now, GOOD_FOR),
    };
    invitations::revoke_of(tx, &email, now).await?;
    invitations::insert(tx, &new).await?;
    let row = invitations::find(tx, id).await?.ok_or(Error::Corrupt("an invitation that was just made"))?;
    let details = json!({ "role": role, "expires_at": row.expires_at });
    actor.note(tx, row.organization_id, ("user_invited", email, details), now).await?;
    Ok((row, made.code()))
}

/// Revokes an open invitation. In a write transaction.
///
/// # Errors
/// [`Error::NotPermitted`] where the actor may not; [`Error::Database`], [`Error::StorageFull`].
pub async fn revoke(tx: &mut Tx, actor: Actor<'_>, invitation: &InvitationRow, now: Timestamp) -> Result<(), Error> {
    actor.check(invitation.role)?;
    invitations::revoke(tx, invitation.id, now).await?;
    let what = ("invitation_taken_back", invitation.email.clone(), json!({ "role": invitation.role }));
    actor.note(tx, invitation.organization_id, what, now).await
}

/// Uses a code up: makes its person a user of the team and gives them a key with every scope but `admin`. In a write
/// transaction that keeps every other writer out.
///
/// # Errors
/// [`Error::InvitationRefused`] for every code that is not good, whatever the reason; [`Error::Database`],
/// [`Error::StorageFull`], [`Error::Io`] where the system has no randomness.
pub async fn redeem(
    tx: &mut Tx,
    maker: KeyMaker<'_>,
    (code, key_name): (&str, &str),
    origin: Origin,
    now: Timestamp,
) -> Result<(UserRow, CreatedKey), Error> {
    let code_hash = Invitation::find(code).map_err(|_| Error::InvitationRefused)?.hash();
    let open = invitations::find_by_code(tx, &code_hash, now).await?.ok_or(Error::InvitationRefused)?;
    let user = admit(tx, maker.ids, &open, now).await?;
    let scopes: Vec<Scope> = Scope::of_new_key().collect();
    let made = maker.make(tx, (user.id, key_name), &scopes, (now, None)).await?;
    invitations::note_redeemed(tx, open.id, now).await?;
    let details = json!({ "role": user.role, "key": made.id });
    let what = ("invitation_redeemed", user.email.clone(), details);
    audit::note_as(tx, (open.organization_id, &user.email, made.id), origin, what, now).await?;
    Ok((user, made))
}

/// The invited person as a user of the team: a new one, or one who was removed and comes back.
async fn admit(tx: &mut Tx, ids: &dyn IdSource, open: &InvitationRow, now: Timestamp) -> Result<UserRow, Error> {
    let (email, name) = read_email(&open.email).ok_or(Error::Corrupt("an invitation without an address"))?;
    let new = UserRow { id: UserId::from_uuid(ids.next()), email, name, role: open.role };
    let back = members::bring_back(tx, open.team_id, &open.email, open.role).await?;
    // Whoever was added meanwhile, here or elsewhere, has come by another way: this code brings them nothing.
    if back.is_none() && !accounts::insert_user(tx, open.team_id, &new, now).await? {
        return Err(Error::InvitationRefused);
    }
    accounts::find_user(tx, Some(&open.email)).await?.ok_or(Error::Corrupt("a user who was just added"))
}
