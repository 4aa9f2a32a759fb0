//! `POST /v1/remix`: a copy at once, or a changed one as a task (specification, "Remix rules"; contract, "Tasks and
//! remix").
//!
//! A copy at once is exact, unless a brand kit is named: then it is the same words and pages in that kit's look. The
//! source never changes.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::response::Response;
use easel_wire::error::FieldError;
use http::{HeaderMap, StatusCode};

use super::brand::{load_brand, settle_brand};
use super::ends::read_wait;
use super::new_task::{NewTask, answer_start, check_prompt, is_private, queue_task};
use super::record;
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::core::turns::Turns;
use crate::db::Viewer;
use crate::db::canvases::{CanvasRow, NewCanvas, get_visible_canvas, insert_canvas};
use crate::db::tasks::{ProgressRow, TaskRow};
use crate::drawers::{Files, RenderError, Source};
use crate::drawing::{Drawing, Order};
use crate::drawn::{Arriving, Written};
use crate::studio::SharedStudio;
use crate::web::extract::{Json, Shape, read_name};
use crate::wire::drive::Visibility;
use crate::wire::tasks::{Format, Remix, TaskKind, TaskResult, TaskStatus};
use crate::wire::{OrganizationId, TaskId};

/// Copies redrawn at once, and of one organization: each takes a processor for as long as it lasts.
static REDRAWN: LazyLock<Arc<Turns<OrganizationId>>> = LazyLock::new(|| Turns::new(2, 1));

/// Remixes a canvas.
pub async fn remix(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    headers: HeaderMap,
    Json(body): Json<Remix>,
) -> Result<Response, Error> {
    let wait = read_wait(&headers)?;
    if let Some(prompt) = &body.prompt {
        check_prompt(prompt)?;
    }
    if let Some(name) = &body.new_name {
        read_name("new_name", name)?;
    }
    let viewer = Viewer::from(&caller);
    if body.prompt.is_some() {
        let started = {
            let studio = studio.clone();
            to_the_end(async move { start(&studio, &caller, body).await }).await?
        };
        return answer_start(&studio, viewer, started, wait, version).await;
    }
    // Drawn only for as long as the client waits for it: what arrived of a drawing goes with its request.
    let redrawn = match body.brand_kit_id {
        Some(_) => Some(rebrand(&studio, &caller, &body).await?),
        None => None,
    };
    let copied = {
        let studio = studio.clone();
        // To its end also where the client goes away, so that no blob is left without its canvas.
        to_the_end(async move { copy(&studio, &caller, body, redrawn).await }).await?
    };
    Ok(record::synthetic(&studio, copied, version)?.into_response(StatusCode::CREATED))
}

/// Queues a remix with a prompt.
async fn start(studio: &SharedStudio, caller: &Caller, body: Remix) -> Result<TaskId, Error> {
    let viewer = Viewer::from(caller);
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let source = get_visible_canvas(&mut tx, viewer, body.canvas_id).await?;
    let skip = body.skip_brand_kit.unwrap_or_default();
    let new = NewTask {
        kind: TaskKind::Remix,
        canvas_id: None,
        source_canvas_id: Some(source.id),
        brand_kit_id: settle_brand(&mut tx, viewer, body.brand_kit_id, skip).await?,
        conversation_id: Some(source.conversation_id),
        callback_url: None,
        private: is_private(source.visibility),
        input: write_input(&body)?,
    };
    let task = new.into_row(studio, caller);
    queue_task(studio, &mut tx, &task).await?;
    tx.commit().await?;
    studio.active_tasks.notify_queued();
    Ok(task.id)
}

/// Makes a copy, and the task that it would have been: one that is done and kept nowhere.
async fn copy(studio: &SharedStudio, caller: &Caller, body: Remix, redrawn: Option<Redrawn>) -> Result<TaskRow, Error> {
    let mut written = Written::default();
    let copied = insert_copy(studio, caller, body, redrawn, &mut written).await;
    written.settle(studio, copied.is_ok()).await;
    copied
}

async fn insert_copy(
    studio: &SharedStudio,
    caller: &Caller,
    body: Remix,
    redrawn: Option<Redrawn>,
    written: &mut Written,
) -> Result<TaskRow, Error> {
    let viewer = Viewer::from(caller);
    let redrawn = match redrawn {
        Some((drawing, arrived)) => Some(written.write(drawing, arrived).await?),
        None => None,
    };
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let source = get_visible_canvas(&mut tx, viewer, body.canvas_id).await?;
    let skip = body.skip_brand_kit.unwrap_or_default();
    let brand_kit_id = settle_brand(&mut tx, viewer, body.brand_kit_id, skip).await?;
    let name = match &body.new_name {
        Some(name) => read_name("new_name", name)?,
        None => Name::parse(&source.name).map_err(|_| Error::Corrupt("a stored name that is none"))?,
    };
    let now = studio.clock.now();
    let canvas = NewCanvas {
        id: studio.new_id(),
        name,
        folder_id: source.folder_id,
        visibility: visibility_of_copy(&source),
        source_canvas_id: Some(source.id),
        conversation_id: source.conversation_id,
        drawn: redrawn.unwrap_or_else(|| source.drawn.clone()),
    };
    written.keep(&mut tx, studio).await?;
    let canvas = insert_canvas(&mut tx, viewer, canvas, now).await?;
    tx.commit().await?;
    let result = TaskResult {
        canvas_id: Some(canvas.id),
        canvas_url: None,
        canvas_name: Some(canvas.name),
        conversation_id: Some(canvas.conversation_id),
        source_canvas_id: Some(source.id),
    };
    let new = NewTask {
        kind: TaskKind::Remix,
        canvas_id: Some(canvas.id),
        source_canvas_id: Some(source.id),
        brand_kit_id,
        conversation_id: Some(source.conversation_id),
        callback_url: None,
        private: is_private(source.visibility),
        input: write_input(&body)?,
    };
    Ok(TaskRow {
        status: TaskStatus::Succeeded,
        attempt: 1,
        progress: ProgressRow { percent: 100, step: Some("done".to_owned()), message: None },
        result: Some(serde_json::to_string(&result).map_err(|_| Error::Corrupt("a task's result"))?),
        created_at: now,
        started_at: Some(now),
        completed_at: Some(now),
        ..new.into_row(studio, caller)
    })
}

/// A drawing and its files, which no row refers to yet.
type Redrawn = (Drawing, Arriving);

/// Draws what is copied as the named kit has it.
async fn rebrand(studio: &SharedStudio, caller: &Caller, body: &Remix) -> Result<Redrawn, Error> {
    let viewer = Viewer::from(caller);
    let mut conn = studio.db.read().acquire().await?;
    let source = get_visible_canvas(&mut conn, viewer, body.canvas_id).await?;
    let skip = body.skip_brand_kit.unwrap_or_default();
    let kit = settle_brand(&mut conn, viewer, body.brand_kit_id, skip).await?;
    drop(conn);
    let (brand, logo) = load_brand(studio, viewer, kit, is_private(source.visibility)).await?;
    let order = Order {
        prompt: String::new(),
        format: Format::default(),
        page_count: None,
        name: None,
        brand,
        attachments: Vec::new(),
        // The kit decides, not luck: the same kit gives the same look again.
        seed: 0,
        turn: 0,
        base: None,
        outline: None,
    };
    let base = Source::of_content(&studio.blobs, source.drawn.document_hash).await?;
    let mut files = Files { attached: Vec::new(), base: Some(base), logo };
    let mut arriving = Arriving::new(studio);
    let turn = REDRAWN.take(caller.organization_id).await;
    let drawn = studio.drawers.draw(&order, &mut files, &mut arriving, &mut |_| {}).await;
    drop(turn);
    drawn.map(|drawing| (drawing, arriving)).map_err(|undone| match undone {
        RenderError::Interrupted => Error::Panicked,
        RenderError::Here(error) => error,
        undone => Error::Validation {
            fields: vec![FieldError { field: "brand_kit_id".to_owned(), code: "cannot_be_followed".to_owned() }],
            message: undone.to_string(),
        },
    })
}

/// The visibility of a copy: as private as its source. If a folder makes the source private, it does the same for the
/// copy beside it.
pub fn visibility_of_copy(source: &CanvasRow) -> Visibility {
    if source.visibility_inherited { Visibility::Team } else { source.visibility }
}

fn write_input(body: &Remix) -> Result<String, Error> {
    serde_json::to_string(body).map_err(|_| Error::Corrupt("a body that cannot be written"))
}
