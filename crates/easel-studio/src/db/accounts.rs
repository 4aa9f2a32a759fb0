//! Organizations, teams, users and their API keys (contract, "Keys").

use std::sync::Arc;

use easel_wire::{Scope, Timestamp};
use sqlx::{AssertSqlSafe, FromRow, Row};
use uuid::Uuid;

use super::columns::read_value;
use crate::core::caller::{Caller, Names};
use crate::core::error::Error;
use crate::core::limits::Overrides;
use crate::db::{Db, DbConnection, DbRow, Tx};
use crate::wire::account::{Plan, Role};
use crate::wire::organizations::{OrganizationRecord, TeamRecord};
use crate::wire::{ApiKeyId, OrganizationId, TeamId, UserId};

/// A user of the team.
#[derive(Debug, Clone)]
pub struct UserRow {
    /// The user's id.
    pub id: UserId,
    /// Unique, compared as written in lower case.
    pub email: String,
    /// What the user is called.
    pub name: String,
    /// What the user is in the team.
    pub role: Role,
}

/// A key as a list shows it; never the key itself.
#[derive(Debug, Clone)]
pub struct KeyRow {
    /// The key's id.
    pub id: ApiKeyId,
    /// The name given at creation.
    pub name: String,
    /// The address of the key's user.
    pub user_email: String,
    /// What the key's user is in the team.
    pub user_role: Role,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a request last came with it, as far as that is written.
    pub last_used_at: Option<Timestamp>,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    /// The key's scopes.
    pub scopes: Vec<Scope>,
    /// The organization that the key reaches.
    pub organization_id: OrganizationId,
}

/// A new key as it is stored.
pub struct NewKey<'a> {
    /// The key's id.
    pub id: ApiKeyId,
    /// The key's user.
    pub user_id: UserId,
    /// The key's name.
    pub name: &'a str,
    /// SHA-256 of the key.
    pub key_hash: [u8; 32],
    /// The signing secret, sealed.
    pub sealed_secret: &'a [u8],
    /// The key's scopes.
    pub scopes: &'a [Scope],
    /// Now.
    pub created_at: Timestamp,
    /// From when on it is refused; `None` for never.
    pub expires_at: Option<Timestamp>,
}

/// The first team of the data folder, where there is one.
pub async fn find_team(conn: &mut DbConnection) -> Result<Option<TeamId>, Error> {
    let row = sqlx::query("SELECT id FROM teams ORDER BY created_at, id LIMIT 1").fetch_optional(conn).await?;
    row.map(|row| Ok(TeamId::from_uuid(row.try_get("id")?))).transpose()
}

/// The organization with this id, or the first one where none is named.
pub async fn find_organization(tx: &mut Tx, id: Option<OrganizationId>) -> Result<Option<OrganizationId>, Error> {
    let found: Option<Uuid> =
        sqlx::query_scalar("SELECT id FROM organizations WHERE $1 IS NULL OR id = $1 ORDER BY created_at, id LIMIT 1")
            .bind(id.map(OrganizationId::uuid))
            .fetch_optional(&mut **tx)
            .await?;
    Ok(found.map(OrganizationId::from_uuid))
}

/// Makes the organization and its team.
pub async fn insert_team(
    tx: &mut Tx,
    organization: (OrganizationId, &str, Plan),
    team: (TeamId, &str),
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)")
        .bind(organization.0.uuid())
        .bind(organization.1)
        .bind(organization.2.as_str())
        .bind(now.as_micros())
        .execute(&mut **tx)
        .await?;
    sqlx::query("INSERT INTO teams (id, organization_id, name, created_at) VALUES ($1, $2, $3, $4)")
        .bind(team.0.uuid())
        .bind(organization.0.uuid())
        .bind(team.1)
        .bind(now.as_micros())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Sets the plan of every organization of the data folder.
pub async fn update_plan(tx: &mut Tx, plan: Plan) -> Result<(), Error> {
    sqlx::query("UPDATE organizations SET plan = $1").bind(plan.as_str()).execute(&mut **tx).await?;
    Ok(())
}

/// The plan of an organization.
pub async fn get_plan_of(conn: &mut DbConnection, organization: OrganizationId) -> Result<Plan, Error> {
    let row =
        sqlx::query("SELECT plan FROM organizations WHERE id = $1").bind(organization.uuid()).fetch_one(conn).await?;
    Ok(read_value(&row, "plan")?)
}

/// Checks that the database answers.
pub async fn check_answers(db: &Db) -> Result<(), Error> {
    sqlx::query("SELECT id FROM organizations LIMIT 1").fetch_one(db.read()).await?;
    Ok(())
}

/// The first team of an organization.
pub async fn find_team_of(tx: &mut Tx, organization: OrganizationId) -> Result<Option<TeamId>, Error> {
    let found: Option<Uuid> =
        sqlx::query_scalar("SELECT id FROM teams WHERE organization_id = $1 ORDER BY created_at, id LIMIT 1")
            .bind(organization.uuid())
            .fetch_optional(&mut **tx)
            .await?;
    Ok(found.map(TeamId::from_uuid))
}

/// Adds a user to the team; false where the address is taken.
pub async fn insert_user(tx: &mut Tx, team: TeamId, user: &UserRow, now: Timestamp) -> Result<bool, Error> {
    let inserted = sqlx::query(
        "INSERT INTO users (id, team_id, email, name, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (email) DO NOTHING",
    )
    .bind(user.id.uuid())
    .bind(team.uuid())
    .bind(&user.email)
    .bind(&user.name)
    .bind(user.role.as_str())
    .bind(now.as_micros())
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The user with this address, or the first owner where none is named.
pub async fn find_user(tx: &mut Tx, email: Option<&str>) -> Result<Option<UserRow>, Error> {
    let row = sqlx::query(
        "SELECT id, email, name, role FROM users
         WHERE removed_at IS NULL AND CASE WHEN $1 IS NULL THEN role = 'owner' ELSE email = $1 END
         ORDER BY created_at, id LIMIT 1",
    )
    .bind(email)
    .fetch_optional(&mut **tx)
    .await?;
    row.as_ref().map(read_user).transpose()
}

/// A user of an organization who is there, by the user's id.
pub async fn find_user_of(tx: &mut Tx, organization: OrganizationId, id: UserId) -> Result<Option<UserRow>, Error> {
    let row = sqlx::query(
        "SELECT u.id, u.email, u.name, u.role FROM users u JOIN teams t ON t.id = u.team_id
         WHERE u.id = $1 AND t.organization_id = $2 AND u.removed_at IS NULL",
    )
    .bind(id.uuid())
    .bind(organization.uuid())
    .fetch_optional(&mut **tx)
    .await?;
    row.as_ref().map(read_user).transpose()
}

fn read_user(row: &DbRow) -> Result<UserRow, Error> {
    Ok(UserRow {
        id: UserId::from_uuid(row.try_get("id")?),
        email: row.try_get("email")?,
        name: row.try_get("name")?,
        role: read_value(row, "role")?,
    })
}

/// Stores a new key.
pub async fn insert_key(tx: &mut Tx, key: &NewKey<'_>) -> Result<(), Error> {
    let scopes: Vec<&str> = key.scopes.iter().map(Scope::as_str).collect();
    sqlx::query(
        "INSERT INTO api_keys (id, user_id, name, key_hash, sealed_secret, scopes, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(key.id.uuid())
    .bind(key.user_id.uuid())
    .bind(key.name)
    .bind(key.key_hash.as_slice())
    .bind(key.sealed_secret)
    .bind(scopes.join(" "))
    .bind(key.created_at.as_micros())
    .bind(key.expires_at.map(Timestamp::as_micros))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The keys of one organization or all that are not deleted, newest first; also those whose end has come.
pub async fn list_keys(db: &Db, organization: Option<OrganizationId>) -> Result<Vec<KeyRow>, Error> {
    let sql = format!("{KEYS} AND ($1 IS NULL OR t.organization_id = $1) ORDER BY k.created_at DESC, k.id DESC");
    let query = sqlx::query(AssertSqlSafe(sql)).bind(organization.map(OrganizationId::uuid));
    query.fetch_all(db.read()).await?.iter().map(read_key).collect()
}

/// A key that is not deleted.
pub async fn find_key(tx: &mut Tx, id: ApiKeyId) -> Result<Option<KeyRow>, Error> {
    let sql = format!("{KEYS} AND k.id = $1");
    let row = sqlx::query(AssertSqlSafe(sql)).bind(id.uuid()).fetch_optional(&mut **tx).await?;
    row.as_ref().map(read_key).transpose()
}

/// The columns of a [`KeyRow`], of keys that are not deleted.
const KEYS: &str =
    "SELECT k.id, k.name, k.created_at, k.last_used_at, k.expires_at, k.scopes, u.email, u.role, t.organization_id
    FROM api_keys k JOIN users u ON u.id = k.user_id JOIN teams t ON t.id = u.team_id WHERE k.deleted_at IS NULL";

fn read_key(row: &DbRow) -> Result<KeyRow, Error> {
    Ok(KeyRow {
        id: ApiKeyId::from_uuid(row.try_get("id")?),
        name: row.try_get("name")?,
        user_email: row.try_get("email")?,
        user_role: read_value(row, "role")?,
        created_at: Timestamp::from_micros(row.try_get("created_at")?),
        last_used_at: row.try_get::<Option<i64>, _>("last_used_at")?.map(Timestamp::from_micros),
        expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(Timestamp::from_micros),
        scopes: row.try_get::<String, _>("scopes")?.split_ascii_whitespace().map(Scope::from).collect(),
        organization_id: OrganizationId::from_uuid(row.try_get("organization_id")?),
    })
}

/// Sets when a key ends.
pub async fn set_key_end(tx: &mut Tx, id: ApiKeyId, end: Timestamp) -> Result<(), Error> {
    sqlx::query("UPDATE api_keys SET expires_at = $1 WHERE id = $2")
        .bind(end.as_micros())
        .bind(id.uuid())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Writes down that a key was used at `moment`, unless a later use is written already.
pub async fn note_use(tx: &mut Tx, id: ApiKeyId, moment: Timestamp) -> Result<(), Error> {
    sqlx::query("UPDATE api_keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)")
        .bind(moment.as_micros())
        .bind(id.uuid())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Deletes a key; false where there is none, or none any more.
pub async fn delete_key(tx: &mut Tx, id: ApiKeyId, now: Timestamp) -> Result<bool, Error> {
    let deleted = sqlx::query("UPDATE api_keys SET deleted_at = $1 WHERE id = $2 AND deleted_at IS NULL")
        .bind(now.as_micros())
        .bind(id.uuid())
        .execute(&mut **tx)
        .await?;
    Ok(deleted.rows_affected() == 1)
}

/// A caller as the database has them.
#[derive(Debug, Clone)]
pub struct FoundCaller {
    /// The key's owner and what the key may do.
    pub caller: Caller,
    /// SHA-256 of the key.
    pub key_hash: Vec<u8>,
    /// The number of the last change of what the lists of the team's drive show; `None` where it is not counted, as with SQLite.
    pub drive_change: Option<i64>,
}

/// The caller whose key has this hash, with the hash as stored.
pub async fn find_caller(db: &Db, key_hash: &[u8; 32]) -> Result<Option<FoundCaller>, Error> {
    let row = sqlx::query(
        "SELECT k.id, k.user_id, k.scopes, k.key_hash, k.expires_at, u.team_id, u.role, u.name AS user_name, u.email,
           t.name AS team_name, t.organization_id, o.name AS organization_name, o.plan,
           l.requests_per_minute, l.exports_per_minute, l.concurrent_tasks, l.max_bytes, l.max_files, c.number AS drive_changes
         FROM api_keys k
         JOIN users u ON u.id = k.user_id JOIN teams t ON t.id = u.team_id
         JOIN organizations o ON o.id = t.organization_id
         LEFT JOIN organization_limits l ON l.organization_id = t.organization_id
         LEFT JOIN drive_changes c ON c.team_id = u.team_id
         WHERE k.key_hash = $1 AND k.deleted_at IS NULL AND u.removed_at IS NULL",
    )
    .bind(key_hash.as_slice())
    .fetch_optional(&mut *db.reader().await?)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let scopes = row.try_get::<String, _>("scopes")?.split_ascii_whitespace().map(Scope::from).collect();
    let caller = Caller {
        user_id: UserId::from_uuid(row.try_get("user_id")?),
        team_id: TeamId::from_uuid(row.try_get("team_id")?),
        organization_id: OrganizationId::from_uuid(row.try_get("organization_id")?),
        role: read_value(&row, "role")?,
        api_key_id: ApiKeyId::from_uuid(row.try_get("id")?),
        scopes,
        expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(Timestamp::from_micros),
        plan: read_value(&row, "plan")?,
        overrides: Overrides::from_row(&row)?,
        names: Arc::new(Names {
            user: row.try_get("user_name")?,
            email: row.try_get("email")?,
            team: row.try_get("team_name")?,
            organization: row.try_get("organization_name")?,
        }),
    };
    let counted = row.try_get::<Option<i64>, _>("drive_changes")?.unwrap_or_default();
    let drive_change = db.is_on_a_server().then_some(counted);
    Ok(Some(FoundCaller { caller, key_hash: row.try_get("key_hash")?, drive_change }))
}

/// An organization as a list shows it.
#[derive(Debug, Clone)]
pub struct OrganizationRow {
    /// What the wire says of it.
    pub record: OrganizationRecord,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The organizations of the user's teams with all their teams, in no order.
pub async fn list_organizations(db: &Db, user: UserId) -> Result<Vec<OrganizationRow>, Error> {
    let rows = sqlx::query(
        "SELECT o.id, o.name, o.plan, o.created_at, t.id AS team_id, t.name AS team_name FROM organizations o
         JOIN teams t ON t.organization_id = o.id
         WHERE o.id IN (SELECT mine.organization_id FROM users u JOIN teams mine ON mine.id = u.team_id WHERE u.id = $1)
         ORDER BY o.id, t.created_at, t.id",
    )
    .bind::<Uuid>(user.uuid())
    .fetch_all(db.read())
    .await?;
    let mut found: Vec<OrganizationRow> = Vec::new();
    for row in rows {
        let id = OrganizationId::from_uuid(row.try_get("id")?);
        let team = TeamRecord { id: TeamId::from_uuid(row.try_get("team_id")?), name: row.try_get("team_name")? };
        match found.last_mut().filter(|last| last.record.id == id) {
            Some(last) => last.record.teams.push(team),
            None => found.push(OrganizationRow {
                record: OrganizationRecord {
                    id,
                    name: row.try_get("name")?,
                    plan: Some(read_value(&row, "plan")?),
                    teams: vec![team],
                },
                created_at: Timestamp::from_micros(row.try_get("created_at")?),
            }),
        }
    }
    Ok(found)
}
