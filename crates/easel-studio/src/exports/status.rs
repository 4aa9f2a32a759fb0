//! `GET /v1/canvases/{canvas_id}/export-status?task_id=`.

use axum::Json;
use axum::extract::State;

use super::record::describe;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::get_visible_canvas;
use crate::db::exports::get_export;
use crate::studio::SharedStudio;
use crate::web::extract::{PathId, Query};
use crate::wire::TaskId;
use crate::wire::canvases::Export;
use crate::wire::id::kind;

/// The progress of an export of this canvas. The request takes nothing from the export rate.
pub async fn get_export_status(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(canvas): PathId<kind::Canvas>,
    query: Query,
) -> Result<Json<Export>, Error> {
    let id = query.text("task_id")?.ok_or_else(|| Error::validation("task_id", "required"))?;
    let id: TaskId = id.parse().map_err(|error| Error::invalid_id("task_id", &error))?;
    let mut conn = studio.db.read().acquire().await?;
    let canvas = get_visible_canvas(&mut conn, Viewer::from(&caller), canvas).await?;
    let export = get_export(&mut conn, canvas.id, id).await?;
    Ok(Json(describe(&studio, export).await?))
}
