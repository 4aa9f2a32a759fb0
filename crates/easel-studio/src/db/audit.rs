//! The audit log: who did what, from where and when.
//!
//! Always true: an entry is written in the transaction of what it tells, so that neither is there without the other. Not here:
//! what is worth an entry ([`crate::audit`]).

use easel_wire::Timestamp;
use serde_json::Value;
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection};
use uuid::Uuid;

use crate::error::Error;
use crate::wire::{ApiKeyId, OrganizationId};

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// When.
    pub at: Timestamp,
    /// The address of a user, `operator`, or nothing for who is not known.
    pub actor: String,
    /// The key that a request came with.
    pub api_key_id: Option<ApiKeyId>,
    /// Whose it is.
    pub organization_id: Option<OrganizationId>,
    /// Where it came from.
    pub address: String,
    /// What was done.
    pub action: String,
    /// What it was done to.
    pub subject: String,
    /// A JSON object.
    pub details: Value,
}

/// Writes an entry.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn insert(conn: &mut SqliteConnection, row: &AuditRow) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO audit_log (at, actor, api_key_id, organization_id, address, action, subject, details)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(row.at.as_micros())
    .bind(&row.actor)
    .bind(row.api_key_id.map(ApiKeyId::uuid))
    .bind(row.organization_id.map(OrganizationId::uuid))
    .bind(&row.address)
    .bind(&row.action)
    .bind(&row.subject)
    .bind(row.details.to_string())
    .execute(conn)
    .await?;
    Ok(())
}

/// The newest `limit` entries since a moment, of one action or all, the oldest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn list(
    conn: &mut SqliteConnection,
    since: Option<Timestamp>,
    action: Option<&str>,
    limit: u32,
) -> Result<Vec<AuditRow>, Error> {
    let mut sql = QueryBuilder::<Sqlite>::new(
        "SELECT at, actor, api_key_id, organization_id, address, action, subject, details FROM audit_log WHERE at >= ",
    );
    sql.push_bind(since.map_or(i64::MIN, Timestamp::as_micros));
    if let Some(action) = action {
        sql.push(" AND action = ").push_bind(action.to_owned());
    }
    sql.push(" ORDER BY id DESC LIMIT ").push_bind(limit);
    let mut rows = sql.build().fetch_all(conn).await?;
    rows.reverse();
    rows.iter()
        .map(|row| {
            Ok(AuditRow {
                at: Timestamp::from_micros(row.try_get("at")?),
                actor: row.try_get("actor")?,
                api_key_id: row.try_get::<Option<Uuid>, _>("api_key_id")?.map(ApiKeyId::from_uuid),
                organization_id: row.try_get::<Option<Uuid>, _>("organization_id")?.map(OrganizationId::from_uuid),
                address: row.try_get("address")?,
                action: row.try_get("action")?,
                subject: row.try_get("subject")?,
                details: serde_json::from_str(row.try_get("details")?)
                    .map_err(|_| Error::Corrupt("details of an entry that are no JSON"))?,
            })
        })
        .collect()
}

/// Removes entries from before a moment, and says how many.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn forget(conn: &mut SqliteConnection, before: Timestamp) -> Result<u64, Error> {
    let gone = sqlx::query("DELETE FROM audit_log WHERE at < $1").bind(before.as_micros()).execute(conn).await?;
    Ok(gone.rows_affected())
}
