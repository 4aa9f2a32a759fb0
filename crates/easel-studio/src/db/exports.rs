//! Exports: asked for, drawn, kept for a while (contract, "Canvases and export").
//!
//! Always true:
//! - The transitions are queued → running → completed or failed, and running → queued where the lease is over. An end
//!   never changes; it sets when the row goes.
//! - A running export is held by one process for a time ([`super::leases`]), and by none otherwise. A transition names
//!   the try and the holder that it starts from.
//! - Until its end an export needs the drawing that it was asked for, and from then on its result; both are blobs.
//!
//! Not here: rendering, signed URLs, and who is told of an end.

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::{FromRow, Row};
use uuid::Uuid;

use super::columns::{moment, read_value};
use super::leases::{Claim, ExpiredLeases, Holder, Lease, Work};
use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::db::selected::columns;
use crate::db::{DbConnection, DbRow};
use crate::wire::canvases::{ExportFormat, ExportStatus, ExportWarning};
use crate::wire::tasks::TaskError;
use crate::wire::{CanvasId, TaskId, TeamId, UserId};

/// An export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRow {
    /// Its id, one of a task.
    pub id: TaskId,
    /// The team that it belongs to.
    pub team_id: TeamId,
    /// The exported canvas, which may be gone.
    pub canvas_id: CanvasId,
    /// Who asked for it.
    pub created_by: UserId,
    /// The drawing as it was when the export was asked for.
    pub document_hash: ContentHash,
    /// The kind of file that was asked for; never a zip.
    pub format: ExportFormat,
    /// One page, from 1; all of them where absent.
    pub page_number: Option<u32>,
    /// Pixels of a picture for each pixel of the page.
    pub pixel_ratio: u32,
    /// PDF only: pages as shapes.
    pub flatten: bool,
    /// How many pages the canvas had.
    pub total_pages: u32,
    /// What the result is called, without its extension.
    pub basename: String,
    /// How far it is: queued, running, completed or failed.
    pub status: ExportStatus,
    /// Tries begun.
    pub attempt: u32,
    /// The process that works on it, where it runs.
    pub claimed_by: Option<Holder>,
    /// The file, where it is completed.
    pub result: Option<ResultRow>,
    /// What came out otherwise than asked.
    pub warnings: Vec<ExportWarning>,
    /// Why it failed.
    pub error: Option<TaskError>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When its result goes, once it is at its end.
    pub expires_at: Option<Timestamp>,
}

impl ExportRow {
    /// The claim of this try.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { work: Work::Export, id: self.id.uuid(), attempt: self.attempt }
    }
}

/// A file that was exported, in the blob store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    /// SHA-256 of it.
    pub hash: ContentHash,
    /// In bytes.
    pub size_bytes: u64,
    /// The file's media type.
    pub mime_type: String,
    /// The file's name.
    pub filename: String,
}

impl FromRow<'_, DbRow> for ExportRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        let hash = |bytes: Vec<u8>| {
            ContentHash::try_from(bytes)
                .map_err(|_| sqlx::Error::Decode("a content hash that is not 32 bytes long".into()))
        };
        let result = match row.try_get::<Option<Vec<u8>>, _>("result_hash")? {
            Some(bytes) => Some(ResultRow {
                hash: hash(bytes)?,
                size_bytes: u64::try_from(row.try_get::<i64, _>("size_bytes")?).unwrap_or_default(),
                mime_type: row.try_get("mime_type")?,
                filename: row.try_get("filename")?,
            }),
            None => None,
        };
        let warnings: String = row.try_get("warnings")?;
        let message: Option<String> = row.try_get("error_message")?;
        let retryable = row.try_get::<Option<bool>, _>("error_retryable")?.unwrap_or_default();
        Ok(Self {
            id: TaskId::from_uuid(row.try_get("id")?),
            team_id: TeamId::from_uuid(row.try_get("team_id")?),
            canvas_id: CanvasId::from_uuid(row.try_get("canvas_id")?),
            created_by: UserId::from_uuid(row.try_get("created_by")?),
            document_hash: hash(row.try_get("document_hash")?)?,
            format: read_value(row, "format")?,
            page_number: row.try_get("page_number")?,
            pixel_ratio: row.try_get("pixel_ratio")?,
            flatten: row.try_get("flatten")?,
            total_pages: row.try_get("total_pages")?,
            basename: row.try_get("basename")?,
            status: read_value(row, "status")?,
            attempt: row.try_get("attempt")?,
            claimed_by: Holder::of_row(row)?,
            result,
            warnings: serde_json::from_str(&warnings).map_err(|error| sqlx::Error::Decode(error.into()))?,
            error: message.map(|message| TaskError { message, retryable }),
            created_at: moment(row.try_get("created_at")?),
            expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(moment),
        })
    }
}

/// A new export, queued; of the row only what a start settles counts. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn insert_export(conn: &mut DbConnection, export: &ExportRow) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO exports
           (id, team_id, canvas_id, created_by, document_hash, format, page_number, pixel_ratio, flatten, total_pages,
            basename, status, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'queued', $12)",
    )
    .bind(export.id.uuid())
    .bind(export.team_id.uuid())
    .bind(export.canvas_id.uuid())
    .bind(export.created_by.uuid())
    .bind(export.document_hash.as_slice())
    .bind(export.format.as_str())
    .bind(export.page_number)
    .bind(export.pixel_ratio)
    .bind(export.flatten)
    .bind(export.total_pages)
    .bind(&export.basename)
    .bind(export.created_at.as_micros())
    .execute(conn)
    .await?;
    Ok(())
}

/// The export `id`, whoever may see it.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_export(conn: &mut DbConnection, id: TaskId) -> Result<Option<ExportRow>, Error> {
    Ok(sqlx::query_as(concat!("SELECT ", columns!("exports", exports), " FROM exports WHERE id = $1"))
        .bind(id.uuid())
        .fetch_optional(conn)
        .await?)
}

/// The export `id` of this canvas, which the caller may see.
///
/// # Errors
/// 404 `task_not_found`, also for an export of another canvas.
pub async fn get_export(conn: &mut DbConnection, canvas: CanvasId, id: TaskId) -> Result<ExportRow, Error> {
    let export = find_export(conn, id).await?.filter(|export| export.canvas_id == canvas);
    export.ok_or_else(|| Error::not_found(code::TASK_NOT_FOUND))
}

/// Begins a try at a queued export, for as long as `lease` says; `None` where it is not queued. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn claim_export(conn: &mut DbConnection, id: TaskId, lease: Lease) -> Result<Option<ExportRow>, Error> {
    Ok(sqlx::query_as(concat!(
        "UPDATE exports SET status = 'running', attempt = attempt + 1, claimed_by = $2, lease_until = $3
         WHERE id = $1 AND status = 'queued' RETURNING ",
        columns!("exports", exports)
    ))
    .bind(id.uuid())
    .bind(lease.holder.uuid())
    .bind(lease.until.as_micros())
    .fetch_optional(conn)
    .await?)
}

/// Puts a running export back, to be tried again; false where `export` is held by its holder no longer. In a write
/// transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn requeue_export(conn: &mut DbConnection, export: &ExportRow) -> Result<bool, Error> {
    let changed = sqlx::query(
        "UPDATE exports SET status = 'queued', claimed_by = NULL, lease_until = NULL
         WHERE id = $1 AND attempt = $2 AND claimed_by = $3",
    )
    .bind(export.id.uuid())
    .bind(export.attempt)
    .bind(export.claimed_by.map(Holder::uuid))
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// How an export ends, and when it did and goes.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// When it ended.
    pub at: Timestamp,
    /// When its row and its result go.
    pub expires_at: Timestamp,
}

/// Ends a running export with its result. Returns false if it is no longer as `export` has it: it has ended, is in
/// another try, or held by another process. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn complete_export(
    conn: &mut DbConnection,
    export: &ExportRow,
    result: &ResultRow,
    warnings: &[ExportWarning],
    ended: Ended,
) -> Result<bool, Error> {
    let warnings = serde_json::to_string(warnings).map_err(|_| Error::Corrupt("warnings that cannot be written"))?;
    let changed = sqlx::query(
        "UPDATE exports SET status = 'completed', result_hash = $2, size_bytes = $3, mime_type = $4, filename = $5,
           warnings = $6, completed_at = $7, expires_at = $8, claimed_by = NULL, lease_until = NULL
         WHERE id = $1 AND attempt = $9 AND claimed_by = $10",
    )
    .bind(export.id.uuid())
    .bind(result.hash.as_slice())
    .bind(i64::try_from(result.size_bytes).unwrap_or(i64::MAX))
    .bind(&result.mime_type)
    .bind(&result.filename)
    .bind(warnings)
    .bind(ended.at.as_micros())
    .bind(ended.expires_at.as_micros())
    .bind(export.attempt)
    .bind(export.claimed_by.map(Holder::uuid))
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Ends a running export without a result. Returns false if it is no longer as `export` has it. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn fail_export(
    conn: &mut DbConnection,
    export: &ExportRow,
    error: &TaskError,
    ended: Ended,
) -> Result<bool, Error> {
    let changed = sqlx::query(
        "UPDATE exports SET status = 'failed', error_message = $2, error_retryable = $3, completed_at = $4,
           expires_at = $5, claimed_by = NULL, lease_until = NULL
         WHERE id = $1 AND attempt = $6 AND claimed_by = $7",
    )
    .bind(export.id.uuid())
    .bind(&error.message)
    .bind(error.retryable)
    .bind(ended.at.as_micros())
    .bind(ended.expires_at.as_micros())
    .bind(export.attempt)
    .bind(export.claimed_by.map(Holder::uuid))
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// The queued exports, each with its team, the oldest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_waiting(conn: &mut DbConnection) -> Result<Vec<(TeamId, TaskId)>, Error> {
    let waiting: Vec<(Uuid, Uuid)> =
        sqlx::query_as("SELECT team_id, id FROM exports WHERE status = 'queued' ORDER BY created_at, id")
            .fetch_all(conn)
            .await?;
    Ok(waiting.into_iter().map(|(team, id)| (TeamId::from_uuid(team), TaskId::from_uuid(id))).collect())
}

/// The running exports whose lease is over, the oldest first.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_over(conn: &mut DbConnection, over: ExpiredLeases) -> Result<Vec<ExportRow>, Error> {
    Ok(sqlx::query_as(concat!(
        "SELECT ",
        columns!("exports", exports),
        " FROM exports WHERE claimed_by <> $1 AND (lease_until <= $2 OR lease_until > $3) ORDER BY created_at, id"
    ))
    .bind(over.asking.uuid())
    .bind(over.ended_by)
    .bind(over.too_far_ahead)
    .fetch_all(conn)
    .await?)
}

/// Deletes the exports whose time is over, and says which results they had. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn delete_expired(conn: &mut DbConnection, now: Timestamp) -> Result<Vec<ContentHash>, Error> {
    let hashes: Vec<(Option<Vec<u8>>,)> =
        sqlx::query_as("DELETE FROM exports WHERE expires_at <= $1 RETURNING result_hash")
            .bind(now.as_micros())
            .fetch_all(conn)
            .await?;
    let hashes = hashes.into_iter().filter_map(|(hash,)| hash);
    hashes.map(|hash| hash.try_into().map_err(|_| Error::Corrupt("a content hash that is not 32 bytes long"))).collect()
}

/// When the next export goes.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_next_expiry(conn: &mut DbConnection) -> Result<Option<Timestamp>, Error> {
    let next: Option<i64> =
        sqlx::query_scalar("SELECT MIN(expires_at) FROM exports WHERE expires_at IS NOT NULL").fetch_one(conn).await?;
    Ok(next.map(moment))
}
