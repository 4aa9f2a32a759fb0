//! Invitations into a team.
//!
//! Always true: of one address at most one is open, and one that was redeemed or taken back never opens again. Not here: who
//! may invite, and what a redeemed one brings ([`crate::people::invitations`]).

use easel_wire::Timestamp;
use sqlx::{AssertSqlSafe, Row};
use uuid::Uuid;

use super::columns::read_value;
use crate::core::error::Error;
use crate::db::{Db, DbRow, Tx};
use crate::wire::account::Role;
use crate::wire::{InvitationId, OrganizationId, TeamId, UserId};

/// An invitation that nobody redeemed or took back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvitationRow {
    /// The invitation's id.
    pub id: InvitationId,
    /// The team that it leads into.
    pub team_id: TeamId,
    /// The organization of that team.
    pub organization_id: OrganizationId,
    /// Whom it is for; as addresses of users are stored.
    pub email: String,
    /// What the person will be in the team.
    pub role: Role,
    /// The address of the user who invited them; `None` for the operator.
    pub invited_by: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

/// A new invitation as it is stored.
pub struct NewInvitation<'a> {
    /// The invitation's id.
    pub id: InvitationId,
    /// The team that it leads into.
    pub team_id: TeamId,
    /// Whom it is for.
    pub email: &'a str,
    /// What the person will be in the team.
    pub role: Role,
    /// SHA-256 of the code's secret.
    pub code_hash: [u8; 32],
    /// Who invites; `None` for the operator.
    pub invited_by: Option<UserId>,
    /// Now.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

/// The columns of an [`InvitationRow`], of open invitations.
const OPEN: &str =
    "SELECT i.id, i.team_id, t.organization_id, i.email, i.role, u.email AS invited_by, i.created_at, i.expires_at
     FROM invitations i JOIN teams t ON t.id = i.team_id LEFT JOIN users u ON u.id = i.invited_by
     WHERE i.redeemed_at IS NULL AND i.taken_back_at IS NULL";

fn read(row: &DbRow) -> Result<InvitationRow, Error> {
    Ok(InvitationRow {
        id: InvitationId::from_uuid(row.try_get("id")?),
        team_id: TeamId::from_uuid(row.try_get("team_id")?),
        organization_id: OrganizationId::from_uuid(row.try_get("organization_id")?),
        email: row.try_get("email")?,
        role: read_value(row, "role")?,
        invited_by: row.try_get("invited_by")?,
        created_at: Timestamp::from_micros(row.try_get("created_at")?),
        expires_at: Timestamp::from_micros(row.try_get("expires_at")?),
    })
}

/// Stores a new invitation.
///
/// # Errors
/// [`Error::Database`], also where one for this address is open; [`Error::StorageFull`].
pub async fn insert(tx: &mut Tx, invitation: &NewInvitation<'_>) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO invitations (id, team_id, email, role, code_hash, invited_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(invitation.id.uuid())
    .bind(invitation.team_id.uuid())
    .bind(invitation.email)
    .bind(invitation.role.as_str())
    .bind(invitation.code_hash.as_slice())
    .bind(invitation.invited_by.map(UserId::uuid))
    .bind(invitation.created_at.as_micros())
    .bind(invitation.expires_at.as_micros())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The open invitations of one organization or all, the newest first; also those whose end has come.
///
/// # Errors
/// [`Error::Database`].
pub async fn list(db: &Db, organization: Option<OrganizationId>) -> Result<Vec<InvitationRow>, Error> {
    let sql = format!("{OPEN} AND ($1 IS NULL OR t.organization_id = $1) ORDER BY i.created_at DESC, i.id DESC");
    let rows =
        sqlx::query(AssertSqlSafe(sql)).bind(organization.map(OrganizationId::uuid)).fetch_all(db.read()).await?;
    rows.iter().map(read).collect()
}

/// An open invitation by its id.
///
/// # Errors
/// [`Error::Database`].
pub async fn find(tx: &mut Tx, id: InvitationId) -> Result<Option<InvitationRow>, Error> {
    let sql = format!("{OPEN} AND i.id = $1");
    let row = sqlx::query(AssertSqlSafe(sql)).bind(id.uuid()).fetch_optional(&mut **tx).await?;
    row.as_ref().map(read).transpose()
}

/// The open invitation whose code has this hash and whose end has not come at `now`.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_by_code(tx: &mut Tx, code_hash: &[u8; 32], now: Timestamp) -> Result<Option<InvitationRow>, Error> {
    let sql = format!("{OPEN} AND i.code_hash = $1 AND i.expires_at > $2");
    let query = sqlx::query(AssertSqlSafe(sql)).bind(code_hash.as_slice()).bind(now.as_micros());
    let row = query.fetch_optional(&mut **tx).await?;
    row.as_ref().map(read).transpose()
}

/// Notes that an invitation was redeemed.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn note_redeemed(tx: &mut Tx, id: InvitationId, now: Timestamp) -> Result<(), Error> {
    sqlx::query("UPDATE invitations SET redeemed_at = $1 WHERE id = $2")
        .bind(now.as_micros())
        .bind(id.uuid())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Revokes an open invitation; its code is refused from then on.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn revoke(tx: &mut Tx, id: InvitationId, now: Timestamp) -> Result<(), Error> {
    sqlx::query(
        "UPDATE invitations SET taken_back_at = $1 WHERE id = $2 AND redeemed_at IS NULL AND taken_back_at IS NULL",
    )
    .bind(now.as_micros())
    .bind(id.uuid())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Revokes the open invitation of an address, where there is one.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn revoke_of(tx: &mut Tx, email: &str, now: Timestamp) -> Result<(), Error> {
    sqlx::query(
        "UPDATE invitations SET taken_back_at = $1
         WHERE email = $2 AND redeemed_at IS NULL AND taken_back_at IS NULL",
    )
    .bind(now.as_micros())
    .bind(email)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Revokes the invitations of a user that nobody redeemed; says how many.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn revoke_by(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<u64, Error> {
    let taken = sqlx::query(
        "UPDATE invitations SET taken_back_at = $1
         WHERE invited_by = $2 AND redeemed_at IS NULL AND taken_back_at IS NULL",
    )
    .bind(now.as_micros())
    .bind::<Uuid>(user.uuid())
    .execute(&mut **tx)
    .await?;
    Ok(taken.rows_affected())
}

/// Removes the invitations that were redeemed or revoked before a moment, and says how many. What became of them stands
/// in the audit log.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn forget_closed(tx: &mut Tx, before: Timestamp) -> Result<u64, Error> {
    let gone = sqlx::query("DELETE FROM invitations WHERE redeemed_at < $1 OR taken_back_at < $1")
        .bind(before.as_micros())
        .execute(&mut **tx)
        .await?;
    Ok(gone.rows_affected())
}
