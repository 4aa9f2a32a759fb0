//! What a design and a remix have in common when they are started: the new row, its place in the queue, the answer.
//!
//! Always true: the cap on tasks is asked in the transaction that adds one. Not here: what either of the two asks for.

use std::time::Duration;

use axum::response::Response;
use easel_wire::Version;
use http::StatusCode;

use super::{ends, record};
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::limits::get_overrides;
use crate::db::tasks::{self as rows, ProgressRow, TaskRow};
use crate::db::{DbConnection, Viewer};
use crate::studio::SharedStudio;
use crate::wire::drive::Visibility;
use crate::wire::tasks::{TaskKind, TaskStatus};
use crate::wire::{BrandKitId, CanvasId, ConversationId, TaskId};

/// What a start settles about a task.
pub(super) struct NewTask {
    pub kind: TaskKind,
    /// The request as JSON.
    pub input: String,
    pub canvas_id: Option<CanvasId>,
    pub source_canvas_id: Option<CanvasId>,
    pub brand_kit_id: Option<BrandKitId>,
    pub conversation_id: Option<ConversationId>,
    pub callback_url: Option<String>,
    /// Whether it works from items that only the caller sees.
    pub private: bool,
}

impl NewTask {
    /// The row of the task, queued now.
    pub(super) fn into_row(self, studio: &SharedStudio, caller: &Caller) -> TaskRow {
        let now = studio.clock.now();
        TaskRow {
            id: studio.new_id(),
            organization_id: caller.organization_id,
            team_id: caller.team_id,
            api_key_id: caller.api_key_id,
            created_by: caller.user_id,
            private_to: self.private.then_some(caller.user_id),
            canvas_private_to: None,
            kind: self.kind,
            status: TaskStatus::Queued,
            input: self.input,
            canvas_id: self.canvas_id,
            source_canvas_id: self.source_canvas_id,
            brand_kit_id: self.brand_kit_id,
            conversation_id: self.conversation_id.unwrap_or_else(|| studio.new_id()),
            callback_url: self.callback_url,
            attempt: 0,
            claimed_by: None,
            cancel_requested: false,
            progress: ProgressRow::default(),
            result: None,
            error: None,
            created_at: now,
            queued_at: now,
            started_at: None,
            completed_at: None,
        }
    }
}

/// Queues a task where the organization may have one more. In a write transaction, so that the cap is exact.
///
/// # Errors
/// [`Error::ConcurrentTaskLimit`].
pub(super) async fn queue_task(studio: &SharedStudio, conn: &mut DbConnection, task: &TaskRow) -> Result<(), Error> {
    let overrides = get_overrides(conn, task.organization_id).await?;
    let plan = crate::db::accounts::get_plan_of(conn, task.organization_id).await?;
    let cap = studio.config.limits(plan, &overrides).concurrent_tasks;
    if cap > 0 && rows::count_active(conn, task.organization_id).await? >= u64::from(cap) {
        return Err(Error::ConcurrentTaskLimit { cap });
    }
    rows::insert_task(conn, task).await
}

/// The answer to a start: 202 with the task as it is, or as it will be within `wait`.
pub(super) async fn answer_start(
    studio: &SharedStudio,
    viewer: Viewer,
    id: TaskId,
    wait: Duration,
    version: Version,
) -> Result<Response, Error> {
    let ends = studio.active_tasks.ends();
    let task = ends::wait_for_end(studio, viewer, id, wait, ends).await?;
    let mut conn = studio.db.read().acquire().await?;
    Ok(record::describe(studio, &mut conn, task, version).await?.into_response(StatusCode::ACCEPTED))
}

/// Refuses a prompt that is too short or too long.
pub(super) fn check_prompt(prompt: &str) -> Result<(), Error> {
    match prompt.chars().count() {
        0 => Err(Error::validation("prompt", "required")),
        length if crate::wire::tasks::PROMPT_CHARS.contains(&length) => Ok(()),
        _ => Err(Error::validation("prompt", "too_long")),
    }
}

/// Whether an item of this visibility is seen by its maker alone.
pub(super) fn is_private(visibility: Visibility) -> bool {
    visibility == Visibility::Private
}
