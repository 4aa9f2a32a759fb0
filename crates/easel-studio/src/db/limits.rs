//! Overrides of an organization's limits (specification, "Limits"), and its quotas.
//!
//! Asked for on every request, so that a change by another process holds at once. Not here: what holds without one.

use sqlx::{FromRow, Row};

use crate::core::error::Error;
use crate::core::limits::Overrides;
use crate::db::selected::columns;
use crate::db::{DbConnection, DbRow};
use crate::wire::OrganizationId;

impl FromRow<'_, DbRow> for Overrides {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            requests_per_minute: row.try_get("requests_per_minute")?,
            exports_per_minute: row.try_get("exports_per_minute")?,
            concurrent_tasks: row.try_get("concurrent_tasks")?,
            max_bytes: row.try_get::<Option<i64>, _>("max_bytes")?.and_then(|most| u64::try_from(most).ok()),
            max_files: row.try_get::<Option<i64>, _>("max_files")?.and_then(|most| u64::try_from(most).ok()),
        })
    }
}

/// The overrides of an organization.
///
/// # Errors
/// [`Error::Database`].
pub async fn get_overrides(conn: &mut DbConnection, organization: OrganizationId) -> Result<Overrides, Error> {
    let found: Option<Overrides> = sqlx::query_as(concat!(
        "SELECT ",
        columns!("organization_limits", organization_limits),
        " FROM organization_limits WHERE organization_id = $1"
    ))
    .bind(organization.uuid())
    .fetch_optional(conn)
    .await?;
    Ok(found.unwrap_or_default())
}

/// Puts these overrides in the place of those before. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn put_overrides(
    conn: &mut DbConnection,
    organization: OrganizationId,
    overrides: &Overrides,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO organization_limits
           (organization_id, requests_per_minute, exports_per_minute, concurrent_tasks, max_bytes, max_files)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (organization_id) DO UPDATE
           SET requests_per_minute = $2, exports_per_minute = $3, concurrent_tasks = $4, max_bytes = $5, max_files = $6",
    )
    .bind(organization.uuid())
    .bind(overrides.requests_per_minute)
    .bind(overrides.exports_per_minute)
    .bind(overrides.concurrent_tasks)
    .bind(overrides.max_bytes.map(|most| i64::try_from(most).unwrap_or(i64::MAX)))
    .bind(overrides.max_files.map(|most| i64::try_from(most).unwrap_or(i64::MAX)))
    .execute(conn)
    .await?;
    Ok(())
}
