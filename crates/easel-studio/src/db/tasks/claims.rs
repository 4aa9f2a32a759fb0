//! The writes from the claim of a task to its end: a worker's, and those for a task whose worker is gone.
//!
//! Always true: each statement names the try and the holder that it is for, and says so where the task is no longer
//! held in that way. Not here: who claims, and for how long ([`crate::worker`], [`crate::studio::leases`]).

use easel_wire::Timestamp;
use uuid::Uuid;

use super::{ProgressRow, TaskRow, Try};
use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::leases::{ExpiredLeases, Holder, Lease};
use crate::db::selected::columns;
use crate::wire::tasks::{TaskError, TaskStatus};
use crate::wire::{CanvasId, TaskId};

/// Begins the next try of a task whose canvas no other task works on, for as long as `lease` says; `None` where none
/// waits. Chosen is the organization with the fewest running tasks, and among equals the one whose last turn is longest
/// ago; of its tasks, the one that has waited longest. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn claim_task(conn: &mut DbConnection, lease: Lease, now: Timestamp) -> Result<Option<TaskRow>, Error> {
    let claimed: Option<TaskRow> = sqlx::query_as(concat!(
        "UPDATE tasks SET status = 'running', attempt = attempt + 1, started_at = COALESCE(started_at, $1),
           claimed_by = $2, lease_until = $3
         WHERE id = (
           SELECT waiting.id FROM organizations AS asking JOIN tasks AS waiting ON waiting.id = (
             SELECT first.id FROM tasks AS first
             WHERE first.status = 'queued' AND first.organization_id = asking.id AND NOT EXISTS (
               SELECT 1 FROM tasks AS busy WHERE busy.status = 'running' AND busy.canvas_id = first.canvas_id)
             ORDER BY first.queued_at, first.id LIMIT 1)
           ORDER BY
             (SELECT COUNT(*) FROM tasks AS running
              WHERE running.status = 'running' AND running.organization_id = asking.id),
             asking.last_turn, waiting.queued_at, waiting.id
           LIMIT 1)
         RETURNING ",
        columns!("tasks", tasks)
    ))
    .bind(now.as_micros())
    .bind(lease.holder.uuid())
    .bind(lease.until.as_micros())
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(task) = &claimed {
        sqlx::query(
            "UPDATE organizations SET last_turn = 1 + (SELECT MAX(last_turn) FROM organizations) WHERE id = $1",
        )
        .bind(task.organization_id.uuid())
        .execute(conn)
        .await?;
    }
    Ok(claimed)
}

/// Puts a running task back, to be tried again; false where `task` is held by its holder no longer. In a write
/// transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn requeue_task(conn: &mut DbConnection, task: &TaskRow, now: Timestamp) -> Result<bool, Error> {
    let changed = sqlx::query(
        "UPDATE tasks SET status = 'queued', queued_at = $4, claimed_by = NULL, lease_until = NULL,
           progress_percent = 0, progress_step = NULL, progress_message = NULL
         WHERE id = $1 AND attempt = $2 AND claimed_by = $3",
    )
    .bind(task.id.uuid())
    .bind(task.attempt)
    .bind(task.claimed_by.map(Holder::uuid))
    .bind(now.as_micros())
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Writes down the progress of this holder's try; false where it no longer holds the task. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn write_progress(
    conn: &mut DbConnection,
    of: Try,
    holder: Holder,
    progress: &ProgressRow,
) -> Result<bool, Error> {
    let changed = sqlx::query(
        "UPDATE tasks SET progress_percent = $4, progress_step = $5, progress_message = $6
         WHERE id = $1 AND attempt = $2 AND claimed_by = $3",
    )
    .bind(of.id.uuid())
    .bind(of.attempt)
    .bind(holder.uuid())
    .bind(i64::from(progress.percent))
    .bind(&progress.step)
    .bind(&progress.message)
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// How a task ends.
#[derive(Debug, Clone, PartialEq)]
pub struct End<'a> {
    /// The state: one that is terminal.
    pub status: TaskStatus,
    /// How far it came.
    pub progress: ProgressRow,
    /// The canvas that it changed or made.
    pub canvas_id: Option<CanvasId>,
    /// What came of it, as JSON.
    pub result: Option<&'a str>,
    /// Why it failed.
    pub error: Option<TaskError>,
}

impl End<'_> {
    /// An end without a result.
    #[must_use]
    pub fn without_result(status: TaskStatus, progress: ProgressRow, error: Option<TaskError>) -> Self {
        Self { status, progress, canvas_id: None, result: None, error }
    }
}

/// Brings a queued or running task to its end. `None` if it is no longer as `task` has it: it has ended, is in another
/// try, or held by another process. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn end_task(
    conn: &mut DbConnection,
    task: &TaskRow,
    end: &End<'_>,
    now: Timestamp,
) -> Result<Option<TaskRow>, Error> {
    Ok(sqlx::query_as(concat!(
        "UPDATE tasks SET status = $2, progress_percent = $3, progress_step = $4, progress_message = $5,
           canvas_id = COALESCE($6, canvas_id), result = $7, error_message = $8, error_retryable = $9, completed_at = $10,
           claimed_by = NULL, lease_until = NULL
         WHERE id = $1 AND status IN ('queued', 'running') AND attempt = $11 AND claimed_by IS NOT DISTINCT FROM $12
         RETURNING ",
        columns!("tasks", tasks)
    ))
    .bind(task.id.uuid())
    .bind(end.status.as_str())
    .bind(i64::from(end.progress.percent))
    .bind(&end.progress.step)
    .bind(&end.progress.message)
    .bind(end.canvas_id.map(CanvasId::uuid))
    .bind(end.result)
    .bind(end.error.as_ref().map(|error| error.message.as_str()))
    .bind(end.error.as_ref().map(|error| error.retryable))
    .bind(now.as_micros())
    .bind(task.attempt)
    .bind(task.claimed_by.map(Holder::uuid))
    .fetch_optional(conn)
    .await?)
}

/// Notes that a running task has to stop: its holder looks at this, and so does the process that ends its lease. In a
/// write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn request_cancel(conn: &mut DbConnection, id: TaskId) -> Result<(), Error> {
    sqlx::query("UPDATE tasks SET cancel_requested = 1 WHERE id = $1 AND status = 'running'")
        .bind(id.uuid())
        .execute(conn)
        .await?;
    Ok(())
}

/// The tasks of this holder that have to stop.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_to_stop(conn: &mut DbConnection, holder: Holder) -> Result<Vec<TaskId>, Error> {
    let ids: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM tasks WHERE claimed_by = $1 AND cancel_requested = 1")
        .bind(holder.uuid())
        .fetch_all(conn)
        .await?;
    Ok(ids.into_iter().map(TaskId::from_uuid).collect())
}

/// The running tasks whose lease is over, the longest queued first.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_over(conn: &mut DbConnection, over: ExpiredLeases) -> Result<Vec<TaskRow>, Error> {
    Ok(sqlx::query_as(concat!(
        "SELECT ",
        columns!("tasks", tasks),
        " FROM tasks WHERE claimed_by <> $1 AND (lease_until <= $2 OR lease_until > $3) ORDER BY queued_at, id"
    ))
    .bind(over.asking.uuid())
    .bind(over.ended_by)
    .bind(over.too_far_ahead)
    .fetch_all(conn)
    .await?)
}
