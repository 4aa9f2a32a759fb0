//! `GET /v1/tasks/{task_id}` and `GET /v1/tasks`.

use axum::extract::State;
use axum::response::Response;
use easel_wire::Version;
use easel_wire::error::code;
use http::StatusCode;

use super::record::{describe_all, describe_alone};
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::changes::DatabaseState;
use crate::db::tasks::{self, TaskFilter, TaskPosition, TaskRow};
use crate::studio::SharedStudio;
use crate::studio::callers::AsOf;
use crate::web::extract::{PathId, Query, Shape};
use crate::web::list::{DEFAULT_LIMIT, ListPage, MAX_LIMIT, PageQuery};
use crate::wire::TaskId;
use crate::wire::id::kind;

const RESOURCE: &str = "tasks";

/// One task. It is not limited by the cap on tasks (specification, "Endpoints", behaviour rule 7).
pub async fn get_task(
    State(studio): State<SharedStudio>,
    caller: Caller,
    as_of: AsOf,
    Shape(version): Shape,
    PathId(id): PathId<kind::Task>,
) -> Result<Response, Error> {
    let task = find_task(&studio, &caller, as_of.database.as_ref(), id).await?;
    Ok(describe_alone(&studio, task, version).await?.into_response(StatusCode::OK))
}

/// A task that the caller may see, in the database as it was `seen`, or its present state where it was not seen.
///
/// # Errors
/// 404 `task_not_found`, [`Error::Database`].
pub async fn find_task(
    studio: &SharedStudio,
    caller: &Caller,
    seen: Option<&DatabaseState>,
    id: TaskId,
) -> Result<TaskRow, Error> {
    // Clients that wait for a task read it again and again, mostly while nothing has changed.
    let find = async || {
        let found = tasks::find_task(&mut *studio.db.reader().await?, id).await?;
        found.ok_or_else(|| Error::not_found(code::TASK_NOT_FOUND))
    };
    studio.tasks_asked_for.get(seen, id, find).await?.seen_by(Viewer::from(caller))
}

/// A page of tasks, the newest first.
pub async fn list_tasks(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let filter = read_filter(&query)?;
    let binding = format!("{RESOURCE} {filter:?}");
    let page =
        PageQuery::<TaskPosition>::of_list(&query, &studio.cursors, &binding, version, (DEFAULT_LIMIT, MAX_LIMIT))?;
    let viewer = Viewer::from(&caller);
    // One transaction, so that the page and the total are of the same moment.
    let mut tx = studio.db.read().begin().await?;
    let mut rows = tasks::list_tasks(&mut tx, viewer, &filter, &page.start, page.limit).await?;
    let total = match version {
        Version::Legacy => tasks::count_tasks(&mut tx, viewer, &filter).await?,
        // This version does not tell the total, which would cost a look at every task.
        Version::Canonical => 0,
    };
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|last| (last.created_at.as_micros(), last.id.uuid()));
    let next_cursor = next.map(|position| studio.cursors.seal(&binding, &position)).transpose()?;
    let items = describe_all(&studio, &mut tx, rows, version).await?;
    drop(tx);
    let offset = page.offset();
    Ok(ListPage { resource: RESOURCE, items, total, limit: page.limit, offset, next_cursor }
        .into_list_response(version))
}

fn read_filter(query: &Query) -> Result<TaskFilter, Error> {
    let canvas_id = query.text("canvas_id")?.map(str::parse).transpose();
    Ok(TaskFilter {
        status: query.choice("status")?,
        kind: query.choice("kind")?,
        canvas_id: canvas_id.map_err(|error| Error::invalid_id("canvas_id", &error))?,
    })
}
