//! Tasks and remixes over HTTP (specification, "Task", "Remix rules", "Endpoints"; contract, "Tasks and remix").
//!
//! Always true: a task that was acknowledged is in the database and will be worked on, also after a crash; the cap on tasks
//! queued or running is exact; a task that works from private things is seen by its maker alone. Not here: SQL, and the
//! work itself ([`crate::worker`]).

mod brand;
mod cancel;
mod ends;
mod live;
mod preview;
mod read;
mod record;
mod remix;
mod start;

pub use brand::load_brand;
pub use cancel::cancel_task;
pub use ends::end_task;
pub use live::Live;
pub use preview::get_preview;
pub use read::{TasksAskedFor, get_task, list_tasks, new_tasks_asked_for};
pub use remix::{remix, visibility_of_copy};
pub use start::{MAX_ATTACHED_BYTES, MAX_ATTACHMENTS, MAX_LABEL_CHARS, MAX_REFERENCES, start_task};

use std::time::Duration;

use axum::response::Response;
use easel_wire::Version;
use easel_wire::error::FieldError;
use http::StatusCode;
use sqlx::SqliteConnection;

use crate::auth::Caller;
use crate::db::drive::Viewer;
use crate::db::limits::get_overrides;
use crate::db::tasks::{self as rows, ProgressRow, TaskRow};
use crate::error::Error;
use crate::names::Name;
use crate::studio::App;
use crate::wire::drive::Visibility;
use crate::wire::tasks::{TaskKind, TaskStatus};
use crate::wire::{BrandKitId, CanvasId, ConversationId, TaskId};

/// What a start settles about a task.
struct NewTask {
    kind: TaskKind,
    /// The request as JSON.
    input: String,
    canvas_id: Option<CanvasId>,
    source_canvas_id: Option<CanvasId>,
    brand_kit_id: Option<BrandKitId>,
    conversation_id: Option<ConversationId>,
    callback_url: Option<String>,
    /// Whether it works from something that only the caller sees.
    private: bool,
}

impl NewTask {
    /// The row of the task, queued now.
    fn into_row(self, app: &App, caller: &Caller) -> TaskRow {
        let now = app.clock.now();
        TaskRow {
            id: app.new_id(),
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
            conversation_id: self.conversation_id.unwrap_or_else(|| app.new_id()),
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
async fn queue_task(app: &App, conn: &mut SqliteConnection, task: &TaskRow) -> Result<(), Error> {
    let overrides = get_overrides(conn, task.organization_id).await?;
    let plan = crate::db::accounts::get_plan_of(conn, task.organization_id).await?;
    let cap = app.config.limits(plan, &overrides).concurrent_tasks;
    if cap > 0 && rows::count_active(conn, task.organization_id).await? >= u64::from(cap) {
        return Err(Error::ConcurrentTaskLimit { cap });
    }
    rows::insert_task(conn, task).await
}

/// The answer to a start: 202 with the task as it is, or as it will be within `wait`.
async fn answer_start(
    app: &App,
    viewer: Viewer,
    id: TaskId,
    wait: Duration,
    version: Version,
) -> Result<Response, Error> {
    let ends = app.live.ends();
    let task = ends::wait_for_end(app, viewer, id, wait, ends).await?;
    let mut conn = app.db.read().acquire().await?;
    Ok(record::describe(app, &mut conn, task, version).await?.into_response(StatusCode::ACCEPTED))
}

/// The name in a body.
fn read_name(field: &str, text: &str) -> Result<Name, Error> {
    Name::parse(text).map_err(|error| Error::Validation {
        fields: vec![FieldError { field: field.to_owned(), code: error.code().to_owned() }],
        message: format!("{field}: {error}"),
    })
}

/// Refuses a prompt out of its bounds.
fn check_prompt(prompt: &str) -> Result<(), Error> {
    match prompt.chars().count() {
        0 => Err(Error::validation("prompt", "required")),
        length if crate::wire::tasks::PROMPT_CHARS.contains(&length) => Ok(()),
        _ => Err(Error::validation("prompt", "too_long")),
    }
}

fn is_private(visibility: Visibility) -> bool {
    visibility == Visibility::Private
}

#[cfg(test)]
mod tests;
