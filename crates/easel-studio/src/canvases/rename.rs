//! `PATCH /v1/canvases/{canvas_id}`.

use axum::Json;
use axum::extract::State;

use super::record::canvas_on_wire;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::get_visible_canvas;
use crate::db::drive::items;
use crate::studio::SharedStudio;
use crate::web::extract::{Json as JsonBody, PathId, read_name};
use crate::wire::ItemRef;
use crate::wire::canvases::{Canvas, RenameCanvas};
use crate::wire::id::kind;

/// Renames a canvas: the same change as the drive's, with the canvas's own record for an answer.
pub async fn rename_canvas(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Canvas>,
    JsonBody(body): JsonBody<RenameCanvas>,
) -> Result<Json<Canvas>, Error> {
    let name = read_name("name", &body.name)?;
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    // Taken once it is this request's turn to write, because clients ask for changes by their moment.
    let (viewer, now) = (Viewer::from(&caller), studio.clock.now());
    items::change_item(&mut tx, viewer, ItemRef::Canvas(id), Some(&name), None, now).await?;
    let canvas = get_visible_canvas(&mut tx, viewer, id).await?;
    tx.commit().await?;
    Ok(Json(canvas_on_wire(&studio, canvas, now)))
}
