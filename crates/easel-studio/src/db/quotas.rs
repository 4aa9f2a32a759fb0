//! What an organization's files come to, for its quotas.
//!
//! Always true: files, and what was PUT and waits to be registered, count; designs, exports and folders do not. Not
//! here: the quotas themselves ([`super::limits`]).

use easel_wire::Timestamp;
use sqlx::Row;

use crate::core::error::Error;
use crate::core::limits::Overrides;
use crate::db::DbConnection;
use crate::wire::OrganizationId;

/// An organization's figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Bytes of files and staged uploads.
    pub bytes: u64,
    /// Files and staged uploads.
    pub files: u64,
    /// Of these, bytes of staged uploads.
    pub staged_bytes: u64,
    /// Of these, staged uploads.
    pub staged_files: u64,
}

/// What an organization uses.
///
/// # Errors
/// [`Error::Database`].
pub async fn get_usage(conn: &mut DbConnection, organization: OrganizationId) -> Result<Usage, Error> {
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    let (bytes, files): (i64, i64) = sqlx::query_as(
        "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT), CAST(COALESCE(SUM(files), 0) AS BIGINT) FROM team_usage
         WHERE team_id IN (SELECT id FROM teams WHERE organization_id = $1)",
    )
    .bind(organization.uuid())
    .fetch_one(&mut *conn)
    .await?;
    let (staged_bytes, staged_files): (i64, i64) = sqlx::query_as(
        "SELECT CAST(COALESCE(SUM(staged.size_bytes), 0) AS BIGINT), COUNT(*) FROM signed_uploads AS staged
         JOIN users ON users.id = staged.user_id JOIN teams ON teams.id = users.team_id
         WHERE staged.written_at IS NOT NULL AND staged.consumed_at IS NULL AND teams.organization_id = $1",
    )
    .bind(organization.uuid())
    .fetch_one(conn)
    .await?;
    Ok(Usage {
        bytes: count(bytes) + count(staged_bytes),
        files: count(files) + count(staged_files),
        staged_bytes: count(staged_bytes),
        staged_files: count(staged_files),
    })
}

/// Refuses what does not fit: `bytes` more, in `files` files more. Where there is no quota, nothing is asked. In a
/// write transaction.
///
/// # Errors
/// 422 `quota_exceeded`.
pub async fn refuse_beyond(
    conn: &mut DbConnection,
    organization: OrganizationId,
    quotas: &Overrides,
    bytes: u64,
    files: u64,
) -> Result<(), Error> {
    if !quotas.have_quota() {
        return Ok(());
    }
    let used = get_usage(conn, organization).await?;
    let beyond =
        |used: u64, more: u64, most: Option<u64>| more > 0 && most.is_some_and(|most| used.saturating_add(more) > most);
    if beyond(used.bytes, bytes, quotas.max_bytes) || beyond(used.files, files, quotas.max_files) {
        return Err(Error::QuotaExceeded {
            max_bytes: quotas.max_bytes,
            used_bytes: used.bytes,
            max_files: quotas.max_files,
            used_files: used.files,
        });
    }
    Ok(())
}

/// A staged upload as its operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedUpload {
    /// The place of its bytes.
    pub storage_key: String,
    /// The address of the user who asked for it.
    pub user_email: String,
    /// The name given when it was signed.
    pub filename: String,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// Since when it waits to be registered.
    pub staged_at: Timestamp,
}

/// Uploads that were PUT and wait to be registered, the oldest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_staged_uploads(conn: &mut DbConnection) -> Result<Vec<StagedUpload>, Error> {
    let rows = sqlx::query(
        "SELECT staged.storage_key, users.email, staged.filename, staged.size_bytes, staged.written_at
         FROM signed_uploads AS staged JOIN users ON users.id = staged.user_id
         WHERE staged.written_at IS NOT NULL AND staged.consumed_at IS NULL ORDER BY staged.written_at, staged.storage_key",
    )
    .fetch_all(conn)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(StagedUpload {
                storage_key: row.try_get("storage_key")?,
                user_email: row.try_get("email")?,
                filename: row.try_get("filename")?,
                size_bytes: u64::try_from(row.try_get::<Option<i64>, _>("size_bytes")?.unwrap_or_default())
                    .unwrap_or_default(),
                staged_at: Timestamp::from_micros(row.try_get("written_at")?),
            })
        })
        .collect()
}

/// Forgets a staged upload; false where it was registered or forgotten meanwhile.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn delete_staged_upload(conn: &mut DbConnection, storage_key: &str) -> Result<bool, Error> {
    let gone = sqlx::query(
        "DELETE FROM signed_uploads WHERE storage_key = $1 AND written_at IS NOT NULL AND consumed_at IS NULL",
    )
    .bind(storage_key)
    .execute(conn)
    .await?;
    Ok(gone.rows_affected() == 1)
}
