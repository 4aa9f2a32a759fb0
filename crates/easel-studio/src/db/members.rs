//! Users and organizations as their operator sees and changes them.
//!
//! Not here: whether a change may be made ([`crate::operators::users`]), and who a key belongs to
//! ([`super::accounts`]).

use easel_wire::Timestamp;
use sqlx::Row;
use uuid::Uuid;

use super::columns::read_value;
use super::quotas::{self, Usage};
use super::{Db, Tx};
use crate::core::error::Error;
use crate::core::limits::Overrides;
use crate::db::DbConnection;
use crate::db::selected::columns;
use crate::wire::account::{Plan, Role};
use crate::wire::{OrganizationId, TeamId, UserId};

/// A user, as a list shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedUser {
    /// The user's id.
    pub id: UserId,
    /// The user's address.
    pub email: String,
    /// What the user is called.
    pub name: String,
    /// What the user is in the team.
    pub role: Role,
    /// The user's organization.
    pub organization_id: OrganizationId,
    /// When the user was added.
    pub created_at: Timestamp,
    /// Keys that are not deleted.
    pub keys: u64,
}

/// An organization, as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedOrganization {
    /// Its id.
    pub id: OrganizationId,
    /// Its name.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// When it was made.
    pub created_at: Timestamp,
    /// How many users it has.
    pub users: u64,
    /// Its own limits and quotas.
    pub overrides: Overrides,
    /// The figures of its files.
    pub usage: Usage,
}

/// The users who are there, of one organization or all, in the order in which they came.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_users(db: &Db, organization: Option<OrganizationId>) -> Result<Vec<ListedUser>, Error> {
    let rows = sqlx::query(
        "SELECT u.id, u.email, u.name, u.role, u.created_at, t.organization_id,
           (SELECT COUNT(*) FROM api_keys k WHERE k.user_id = u.id AND k.deleted_at IS NULL) AS keys
         FROM users u JOIN teams t ON t.id = u.team_id
         WHERE u.removed_at IS NULL AND ($1 IS NULL OR t.organization_id = $1) ORDER BY u.created_at, u.id",
    )
    .bind(organization.map(OrganizationId::uuid))
    .fetch_all(db.read())
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ListedUser {
                id: UserId::from_uuid(row.try_get("id")?),
                email: row.try_get("email")?,
                name: row.try_get("name")?,
                role: read_value(row, "role")?,
                organization_id: OrganizationId::from_uuid(row.try_get("organization_id")?),
                created_at: Timestamp::from_micros(row.try_get("created_at")?),
                keys: u64::try_from(row.try_get::<i64, _>("keys")?).unwrap_or_default(),
            })
        })
        .collect()
}

/// The organizations, in the order in which they came.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_organizations(db: &Db) -> Result<Vec<ListedOrganization>, Error> {
    let mut conn = db.read().acquire().await?;
    let rows = sqlx::query(concat!(
        "SELECT o.id, o.name, o.plan, o.created_at, ",
        columns!("l", organization_limits),
        ",
           (SELECT COUNT(*) FROM users u JOIN teams t ON t.id = u.team_id
            WHERE t.organization_id = o.id AND u.removed_at IS NULL) AS users
         FROM organizations o LEFT JOIN organization_limits l ON l.organization_id = o.id ORDER BY o.created_at, o.id"
    ))
    .fetch_all(&mut *conn)
    .await?;
    let mut listed = Vec::new();
    for row in rows {
        let id = OrganizationId::from_uuid(row.try_get("id")?);
        listed.push(ListedOrganization {
            id,
            name: row.try_get("name")?,
            plan: read_value(&row, "plan")?,
            created_at: Timestamp::from_micros(row.try_get("created_at")?),
            users: u64::try_from(row.try_get::<i64, _>("users")?).unwrap_or_default(),
            overrides: sqlx::FromRow::from_row(&row)?,
            usage: quotas::get_usage(&mut conn, id).await?,
        });
    }
    Ok(listed)
}

/// The organization that a user works in.
///
/// # Errors
/// [`Error::Database`].
pub async fn organization_of(conn: &mut DbConnection, user: UserId) -> Result<OrganizationId, Error> {
    let id: Uuid = sqlx::query_scalar(
        "SELECT teams.organization_id FROM users JOIN teams ON teams.id = users.team_id WHERE users.id = $1",
    )
    .bind(user.uuid())
    .fetch_one(conn)
    .await?;
    Ok(OrganizationId::from_uuid(id))
}

/// The organization that a user works in, and its name.
///
/// # Errors
/// [`Error::Database`].
pub async fn name_organization_of(conn: &mut DbConnection, user: UserId) -> Result<(OrganizationId, String), Error> {
    let row = sqlx::query(
        "SELECT o.id, o.name FROM users u JOIN teams t ON t.id = u.team_id
         JOIN organizations o ON o.id = t.organization_id WHERE u.id = $1",
    )
    .bind(user.uuid())
    .fetch_one(conn)
    .await?;
    Ok((OrganizationId::from_uuid(row.try_get("id")?), row.try_get("name")?))
}

/// How many owners the organization of a user has.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_owners(tx: &mut Tx, user: UserId) -> Result<i64, Error> {
    Ok(sqlx::query_scalar(
        "SELECT COUNT(*) FROM users u JOIN teams t ON t.id = u.team_id
         WHERE u.role = 'owner' AND u.removed_at IS NULL AND t.organization_id =
           (SELECT mine.organization_id FROM users me JOIN teams mine ON mine.id = me.team_id WHERE me.id = $1)",
    )
    .bind(user.uuid())
    .fetch_one(&mut **tx)
    .await?)
}

/// Sets what a user is in the team.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn set_role(tx: &mut Tx, user: UserId, role: Role) -> Result<(), Error> {
    sqlx::query("UPDATE users SET role = $1 WHERE id = $2")
        .bind(role.as_str())
        .bind(user.uuid())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Removes a user and deletes their keys; says how many those were.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn remove(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<u64, Error> {
    sqlx::query("UPDATE users SET removed_at = $1 WHERE id = $2")
        .bind(now.as_micros())
        .bind(user.uuid())
        .execute(&mut **tx)
        .await?;
    let keys = sqlx::query("UPDATE api_keys SET deleted_at = $1 WHERE user_id = $2 AND deleted_at IS NULL")
        .bind(now.as_micros())
        .bind(user.uuid())
        .execute(&mut **tx)
        .await?;
    Ok(keys.rows_affected())
}

/// Whether nobody with this address can become a user of this team: one is there already, here or in another team, or was
/// in another one.
///
/// # Errors
/// [`Error::Database`].
pub async fn is_taken(tx: &mut Tx, team: TeamId, email: &str) -> Result<bool, Error> {
    let found: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM users WHERE email = $1 AND (removed_at IS NULL OR team_id <> $2)")
            .bind(email)
            .bind(team.uuid())
            .fetch_one(&mut **tx)
            .await?;
    Ok(found > 0)
}

/// Brings back a user of this team who was removed; `None` where there is none with this address.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn bring_back(tx: &mut Tx, team: TeamId, email: &str, role: Role) -> Result<Option<UserId>, Error> {
    let id: Option<Uuid> = sqlx::query_scalar(
        "UPDATE users SET removed_at = NULL, role = $3
         WHERE email = $1 AND team_id = $2 AND removed_at IS NOT NULL RETURNING id",
    )
    .bind(email)
    .bind(team.uuid())
    .bind(role.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    Ok(id.map(UserId::from_uuid))
}
