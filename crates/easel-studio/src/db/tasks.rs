//! Tasks: started, claimed by a worker, brought to their end (specification, "States and transitions"; contract, "Tasks
//! and remix").
//!
//! Always true:
//! - The transitions are queued → running, running → queued (a try that failed and may be repeated, or whose lease is
//!   over), and from either of the two to an end. An end never changes. Each is one write transaction that checks the
//!   state it starts from.
//! - A running task is held by one process for a time ([`super::leases`]), and by none otherwise. A transition names
//!   the try and the holder that it starts from, so that of two who take themselves for its holder one is refused.
//! - `attempt` counts the tries that were begun, whatever became of them.
//! - Of the tasks that change one canvas, one runs at a time, the oldest first. Organizations take turns: a long line
//!   of one holds up no other.
//!
//! Not here: what a task does, how often its progress is written down, and who is told of its end.

mod claims;

use std::collections::HashSet;

use easel_wire::Timestamp;
use easel_wire::error::code;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, QueryBuilder, Row};
use uuid::Uuid;

use super::Viewer;
use super::columns::{moment, read_value};
use super::leases::{Claim, Holder, Work};
use crate::core::error::Error;
use crate::core::page::Start;
use crate::db::selected::columns;
use crate::db::{DbConnection, DbRow, Engine};
use crate::wire::tasks::{TaskError, TaskKind, TaskStatus};
use crate::wire::{ApiKeyId, BrandKitId, CanvasId, ConversationId, OrganizationId, TaskId, TeamId, UserId};

pub use claims::{End, claim_task, end_task, list_over, list_to_stop, request_cancel, requeue_task, write_progress};

/// How far a task was when that was last written down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgressRow {
    /// 0 to 100.
    pub percent: u8,
    /// The step, such as `laying_out`.
    pub step: Option<String>,
    /// The step in words.
    pub message: Option<String>,
}

/// One try at a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Try {
    /// The task.
    pub id: TaskId,
    /// The number of the try, from 1.
    pub attempt: u32,
}

/// A task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRow {
    /// Its id.
    pub id: TaskId,
    /// Whose cap it counts toward.
    pub organization_id: OrganizationId,
    /// The team that it belongs to.
    pub team_id: TeamId,
    /// The key that started it.
    pub api_key_id: ApiKeyId,
    /// Who started it.
    pub created_by: UserId,
    /// Who alone sees it; `None` for the whole team.
    pub private_to: Option<UserId>,
    /// Whose eyes alone see the canvas that it changes or has made, where that is private now.
    pub canvas_private_to: Option<UserId>,
    /// What it does: a design or a remix.
    pub kind: TaskKind,
    /// Its state.
    pub status: TaskStatus,
    /// The request as JSON, without its idempotency key and callback address.
    pub input: String,
    /// The canvas that it changes in place, or has made.
    pub canvas_id: Option<CanvasId>,
    /// The canvas that it works on a copy of.
    pub source_canvas_id: Option<CanvasId>,
    /// The brand kit to follow, settled when it was started.
    pub brand_kit_id: Option<BrandKitId>,
    /// The conversation that it belongs to.
    pub conversation_id: ConversationId,
    /// Where its end is told.
    pub callback_url: Option<String>,
    /// Tries begun.
    pub attempt: u32,
    /// The process that works on it, where it runs.
    pub claimed_by: Option<Holder>,
    /// Whether someone wants it to stop.
    pub cancel_requested: bool,
    /// How far it was at its last transition; while it runs, about a second ago.
    pub progress: ProgressRow,
    /// What came of it, as JSON.
    pub result: Option<String>,
    /// Why it failed.
    pub error: Option<TaskError>,
    /// When a request started it.
    pub created_at: Timestamp,
    /// When it last began to wait.
    pub queued_at: Timestamp,
    /// When work on it first began.
    pub started_at: Option<Timestamp>,
    /// When it reached its end.
    pub completed_at: Option<Timestamp>,
}

impl TaskRow {
    /// With whose eyes the task works: its maker's.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        Viewer { team: self.team_id, user: self.created_by, oversees: false }
    }

    /// The last try.
    #[must_use]
    pub fn last_try(&self) -> Try {
        Try { id: self.id, attempt: self.attempt }
    }

    /// The claim of this try.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { work: Work::Task, id: self.id.uuid(), attempt: self.attempt }
    }

    /// Whether the task, as it is `now`, is still in this try and held by who made it.
    #[must_use]
    pub fn is_held(&self, now: &Self) -> bool {
        now.status == TaskStatus::Running && (now.attempt, now.claimed_by) == (self.attempt, self.claimed_by)
    }

    /// The task, where it is there for this viewer.
    ///
    /// # Errors
    /// 404 `task_not_found`, also for one that works from another member's private things.
    pub fn seen_by(self, viewer: Viewer) -> Result<Self, Error> {
        let is_seen = self.team_id == viewer.team && self.private_to.is_none_or(|user| user == viewer.user);
        let is_seen = is_seen && self.canvas_private_to.is_none_or(|user| user == viewer.user);
        if is_seen { Ok(self) } else { Err(Error::not_found(code::TASK_NOT_FOUND)) }
    }
}

impl FromRow<'_, DbRow> for TaskRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        let uuid = |column: &str| row.try_get::<Option<Uuid>, _>(column);
        let time = |column: &str| Ok::<_, sqlx::Error>(row.try_get::<Option<i64>, _>(column)?.map(moment));
        let private_to: Vec<u8> = row.try_get("private_to")?;
        let error_message: Option<String> = row.try_get("error_message")?;
        let retryable = row.try_get::<Option<bool>, _>("error_retryable")?.unwrap_or_default();
        Ok(Self {
            id: TaskId::from_uuid(row.try_get("id")?),
            organization_id: OrganizationId::from_uuid(row.try_get("organization_id")?),
            team_id: TeamId::from_uuid(row.try_get("team_id")?),
            api_key_id: ApiKeyId::from_uuid(row.try_get("api_key_id")?),
            created_by: UserId::from_uuid(row.try_get("created_by")?),
            private_to: Uuid::from_slice(&private_to).ok().map(UserId::from_uuid),
            canvas_private_to: None,
            kind: read_value(row, "kind")?,
            status: read_value(row, "status")?,
            input: row.try_get("input")?,
            canvas_id: uuid("canvas_id")?.map(CanvasId::from_uuid),
            source_canvas_id: uuid("source_canvas_id")?.map(CanvasId::from_uuid),
            brand_kit_id: uuid("brand_kit_id")?.map(BrandKitId::from_uuid),
            conversation_id: ConversationId::from_uuid(row.try_get("conversation_id")?),
            callback_url: row.try_get("callback_url")?,
            attempt: row.try_get("attempt")?,
            claimed_by: Holder::of_row(row)?,
            cancel_requested: row.try_get("cancel_requested")?,
            progress: ProgressRow {
                percent: u8::try_from(row.try_get::<i64, _>("progress_percent")?).unwrap_or(100),
                step: row.try_get("progress_step")?,
                message: row.try_get("progress_message")?,
            },
            result: row.try_get("result")?,
            error: error_message.map(|message| TaskError { message, retryable }),
            created_at: moment(row.try_get("created_at")?),
            queued_at: moment(row.try_get("queued_at")?),
            started_at: time("started_at")?,
            completed_at: time("completed_at")?,
        })
    }
}

/// A new task, queued; of the row only what a start settles counts. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn insert_task(conn: &mut DbConnection, task: &TaskRow) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO tasks
           (id, organization_id, team_id, api_key_id, created_by, private_to, kind, status, input, canvas_id,
            source_canvas_id, brand_kit_id, conversation_id, callback_url, created_at, queued_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $9, $10, $11, $12, $13, $14, $14)",
    )
    .bind(task.id.uuid())
    .bind(task.organization_id.uuid())
    .bind(task.team_id.uuid())
    .bind(task.api_key_id.uuid())
    .bind(task.created_by.uuid())
    .bind(task.private_to.map(|user| user.uuid().as_bytes().to_vec()).unwrap_or_default())
    .bind(task.kind.as_str())
    .bind(&task.input)
    .bind(task.canvas_id.map(CanvasId::uuid))
    .bind(task.source_canvas_id.map(CanvasId::uuid))
    .bind(task.brand_kit_id.map(BrandKitId::uuid))
    .bind(task.conversation_id.uuid())
    .bind(&task.callback_url)
    .bind(task.created_at.as_micros())
    .execute(conn)
    .await?;
    Ok(())
}

/// The task, where it is there for this viewer.
///
/// # Errors
/// 404 `task_not_found`, also for one that works from another member's private things.
pub async fn get_visible_task(conn: &mut DbConnection, viewer: Viewer, id: TaskId) -> Result<TaskRow, Error> {
    find_task(conn, id).await?.ok_or_else(|| Error::not_found(code::TASK_NOT_FOUND))?.seen_by(viewer)
}

/// The task, whoever may see it.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_task(conn: &mut DbConnection, id: TaskId) -> Result<Option<TaskRow>, Error> {
    let task: Option<TaskRow> =
        sqlx::query_as(concat!("SELECT ", columns!("tasks", tasks), " FROM tasks WHERE id = $1"))
            .bind(id.uuid())
            .fetch_optional(&mut *conn)
            .await?;
    let Some(mut task) = task else { return Ok(None) };
    if let Some(canvas) = task.canvas_id {
        let private_to: Option<Vec<u8>> = sqlx::query_scalar("SELECT private_to FROM canvases WHERE id = $1")
            .bind(canvas.uuid())
            .fetch_optional(conn)
            .await?;
        task.canvas_private_to = private_to.and_then(|user| Uuid::from_slice(&user).ok()).map(UserId::from_uuid);
    }
    Ok(Some(task))
}

/// Which of these tasks are not there for this viewer, by the rule of [`TaskRow::seen_by`].
///
/// # Errors
/// [`Error::Database`].
pub async fn list_unseen(
    conn: &mut DbConnection,
    viewer: Viewer,
    ids: impl Iterator<Item = TaskId>,
) -> Result<HashSet<TaskId>, Error> {
    let ids: Vec<TaskId> = ids.collect();
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let mut sql = QueryBuilder::<Engine>::new(
        "SELECT tasks.id FROM tasks LEFT JOIN canvases ON canvases.id = tasks.canvas_id WHERE tasks.id IN (",
    );
    let mut list = sql.separated(", ");
    for id in ids {
        list.push_bind(id.uuid());
    }
    sql.push(") AND (tasks.team_id <> ").push_bind(viewer.team.uuid());
    for private_to in ["tasks.private_to", "canvases.private_to"] {
        sql.push(format!(" OR {private_to} NOT IN (x'', ")).push_bind(viewer.user.uuid()).push(")");
    }
    sql.push(")");
    let unseen: Vec<Uuid> = sql.build_query_scalar().fetch_all(conn).await?;
    Ok(unseen.into_iter().map(TaskId::from_uuid).collect())
}

/// How many tasks of the organization are queued or running (specification, "Limits").
///
/// # Errors
/// [`Error::Database`].
pub async fn count_active(conn: &mut DbConnection, organization: OrganizationId) -> Result<u64, Error> {
    let count: i64 = sqlx::query_scalar(
        "SELECT (SELECT COUNT(*) FROM tasks WHERE status = 'queued' AND organization_id = $1)
              + (SELECT COUNT(*) FROM tasks WHERE status = 'running' AND organization_id = $1)",
    )
    .bind(organization.uuid())
    .fetch_one(conn)
    .await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// How many remixes of a canvas were asked for before a task: ids follow one another in time.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_remixes_before(conn: &mut DbConnection, source: CanvasId, task: TaskId) -> Result<u32, Error> {
    let count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM tasks WHERE source_canvas_id = $1 AND kind = $2 AND id < $3")
            .bind(source.uuid())
            .bind(TaskKind::Remix.as_str())
            .bind(task.uuid())
            .fetch_one(conn)
            .await?;
    Ok(u32::try_from(count).unwrap_or_default())
}

/// How many tasks are in this state, of all organizations.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_in_state(conn: &mut DbConnection, status: TaskStatus) -> Result<u64, Error> {
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM tasks WHERE status = $1")
        .bind(status.as_str())
        .fetch_one(conn)
        .await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Whether a task that changes this canvas is queued or running.
///
/// # Errors
/// [`Error::Database`].
pub async fn has_active_task(conn: &mut DbConnection, canvas: CanvasId) -> Result<bool, Error> {
    Ok(sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM tasks WHERE status IN ('queued', 'running') AND canvas_id = $1)",
    )
    .bind(canvas.uuid())
    .fetch_one(conn)
    .await?)
}

/// Which tasks a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Tasks in this state.
    pub status: Option<TaskStatus>,
    /// Tasks of this kind.
    pub kind: Option<TaskKind>,
    /// Tasks that change or have made this canvas.
    pub canvas_id: Option<CanvasId>,
}

/// A task's position in its list: when it was made, and its id.
pub type TaskPosition = (i64, Uuid);

/// A page of tasks, `created_at` descending, then id descending; and one more where more follow.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_tasks(
    conn: &mut DbConnection,
    viewer: Viewer,
    filter: &TaskFilter,
    start: &Start<TaskPosition>,
    limit: u64,
) -> Result<Vec<TaskRow>, Error> {
    let mut sql = QueryBuilder::<Engine>::new(concat!(
        "SELECT ",
        columns!("task", tasks),
        " FROM tasks AS task WHERE task.id IN (SELECT id FROM tasks"
    ));
    push_filter(&mut sql, viewer, filter);
    if let Start::After((created_at, id)) = start {
        sql.push(" AND (created_at, id) < (").push_bind(*created_at).push(", ").push_bind(*id).push(")");
    }
    sql.push(" ORDER BY created_at DESC, id DESC LIMIT ").push_bind(i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1);
    if let Start::Offset(offset) = start {
        sql.push(" OFFSET ").push_bind(i64::try_from(*offset).unwrap_or(i64::MAX));
    }
    sql.push(") ORDER BY task.created_at DESC, task.id DESC");
    Ok(sql.build_query_as().fetch_all(conn).await?)
}

/// How many tasks a list has in all.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_tasks(conn: &mut DbConnection, viewer: Viewer, filter: &TaskFilter) -> Result<u64, Error> {
    let mut sql = QueryBuilder::<Engine>::new("SELECT COUNT(*) FROM tasks");
    push_filter(&mut sql, viewer, filter);
    let count: i64 = sql.build_query_scalar().fetch_one(conn).await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

fn push_filter(sql: &mut QueryBuilder<Engine>, viewer: Viewer, filter: &TaskFilter) {
    sql.push(" WHERE team_id = ").push_bind(viewer.team.uuid());
    sql.push(" AND private_to IN (x'', ").push_bind(viewer.user.uuid()).push(")");
    sql.push(" AND (canvas_id IS NULL OR NOT EXISTS (SELECT 1 FROM canvases WHERE canvases.id = tasks.canvas_id");
    sql.push(" AND canvases.private_to NOT IN (x'', ").push_bind(viewer.user.uuid()).push(")))");
    if let Some(status) = &filter.status {
        sql.push(" AND status = ").push_bind(status.as_str());
    }
    if let Some(kind) = &filter.kind {
        sql.push(" AND kind = ").push_bind(kind.as_str());
    }
    if let Some(canvas) = filter.canvas_id {
        sql.push(" AND canvas_id = ").push_bind(canvas.uuid());
    }
}

/// The queued tasks that have waited since `moment` or longer.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_queued_since(conn: &mut DbConnection, moment: Timestamp) -> Result<Vec<TaskRow>, Error> {
    Ok(sqlx::query_as(concat!(
        "SELECT ",
        columns!("tasks", tasks),
        " FROM tasks WHERE status = 'queued' AND queued_at <= $1"
    ))
    .bind(moment.as_micros())
    .fetch_all(conn)
    .await?)
}

/// Since when the task has waited that has waited longest.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_oldest_queued(conn: &mut DbConnection) -> Result<Option<Timestamp>, Error> {
    let oldest: Option<i64> =
        sqlx::query_scalar("SELECT MIN(queued_at) FROM tasks WHERE status = 'queued'").fetch_one(conn).await?;
    Ok(oldest.map(moment))
}

/// Which of these canvases are there, whoever may see them: what a task's record may point at.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_existing_canvases(conn: &mut DbConnection, ids: &[CanvasId]) -> Result<HashSet<CanvasId>, Error> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let mut sql = QueryBuilder::<Engine>::new("SELECT id FROM canvases WHERE id IN (");
    let mut list = sql.separated(", ");
    for id in ids {
        list.push_bind(id.uuid());
    }
    sql.push(")");
    let found: Vec<Uuid> = sql.build_query_scalar().fetch_all(conn).await?;
    Ok(found.into_iter().map(CanvasId::from_uuid).collect())
}
