//! `POST /v1/tasks/{task_id}/cancel`.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::ends::{end_task, read_wait, wait_for_end};
use super::record::describe;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::tasks::{self, End};
use crate::studio::SharedStudio;
use crate::web::extract::{PathId, Shape};
use crate::wire::account::Role;
use crate::wire::id::kind;
use crate::wire::tasks::TaskStatus;

/// How long a running task is given to stop before the answer is that it is still stopping.
const STOPPING: Duration = Duration::from_secs(1);
/// The code of the 409 for a task that has ended in another way.
const ALREADY_ENDED: &str = "task_already_ended";

/// Cancels a task: 200 with the task once it is canceled, also again, or 202 while it is still stopping. One that has
/// ended otherwise is 409.
pub async fn cancel_task(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    headers: HeaderMap,
    PathId(id): PathId<kind::Task>,
) -> Result<Response, Error> {
    let wait = read_wait(&headers)?.max(STOPPING);
    let viewer = Viewer::from(&caller);
    // Before the task can end, so that the end is not missed.
    let ends = studio.active_tasks.ends();
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let task = tasks::get_visible_task(&mut tx, viewer, id).await?;
    if task.created_by != caller.user_id && caller.role == Role::Member {
        return Err(Error::NotPermitted("only its maker, an admin or an owner cancels a task"));
    }
    match task.status {
        TaskStatus::Queued => {
            let end = End::without_result(TaskStatus::Canceled, task.progress.clone(), None);
            end_task(&studio, &mut tx, &task, &end).await?;
            tx.commit().await?;
            studio.active_tasks.finish(id);
        }
        TaskStatus::Running => {
            tasks::request_cancel(&mut tx, id).await?;
            tx.commit().await?;
            // At once if the task runs here; another process looks for it every second.
            studio.active_tasks.cancel(id);
        }
        _ => drop(tx),
    }
    let task = wait_for_end(&studio, viewer, id, wait, ends).await?;
    let status = match task.status {
        TaskStatus::Canceled => StatusCode::OK,
        TaskStatus::Queued | TaskStatus::Running => StatusCode::ACCEPTED,
        _ => return Err(Error::conflict(ALREADY_ENDED, None)),
    };
    let mut conn = studio.db.read().acquire().await?;
    Ok(describe(&studio, &mut conn, task, version).await?.into_response(status))
}
