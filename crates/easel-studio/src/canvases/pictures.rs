//! `POST /v1/canvases/{canvas_id}/pictures`: another picture in the place of one. An addition to the specification's routes; a
//! service without it answers 404 (contract, "Canvases and export").
//!
//! Always true: what holds for every change in place (`in_place`); what its maker alone sees does not come into sight of others.
//! The file is read in a process of its own ([`crate::drawers`]). Not here: which pictures there are, which is told with the texts
//! (`texts`).

use axum::Json;
use axum::extract::State;
use easel_canvas::pictures::MAX_FILE_BYTES;

use super::in_place::{InPlace, check_base, check_revision};
use super::texts::on_wire;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::get_visible_canvas;
use crate::db::drive::get_visible_file;
use crate::drawers::{Reworded, Source};
use crate::drawing::pictures::{Exchange, Unexchanged};
use crate::drawn::Arriving;
use crate::studio::SharedStudio;
use crate::web::extract::{Json as JsonBody, PathId};
use crate::web::origin::Origin;
use crate::wire::drive::Visibility;
use crate::wire::id::kind;
use crate::wire::texts::{CanvasTexts, ChangePicture};

/// Exchanges a picture of a canvas.
pub async fn change_picture(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::Canvas>,
    JsonBody(body): JsonBody<ChangePicture>,
) -> Result<Json<CanvasTexts>, Error> {
    check_revision(&body.revision)?;
    let (base, file) = {
        let mut reader = studio.db.reader().await?;
        let viewer = Viewer::from(&caller);
        (get_visible_canvas(&mut reader, viewer, id).await?, get_visible_file(&mut reader, viewer, body.file_id).await?)
    };
    check_base(&base, &body.revision)?;
    if file.visibility == Visibility::Private && base.visibility != Visibility::Private {
        return Err(Error::validation("file_id", "private"));
    }
    if file.size_bytes > MAX_FILE_BYTES as u64 {
        return Err(Error::validation("file_id", "too_large"));
    }
    let document = Source::of_content(&studio.blobs, base.drawn.document_hash).await?;
    let picture = Source::Content { hash: file.content_hash, size_bytes: file.size_bytes };
    let exchange = Exchange { reference: body.reference, name: file.name };
    let turn = studio.in_place_turns.take(caller.team_id).await;
    let mut arrived = Arriving::new(&studio);
    let changed = studio.drawers.change_picture(&document, (exchange, &picture), &mut arrived).await?;
    drop(turn);
    let Reworded { drawing, pages } = changed.map_err(|why| match why {
        Unexchanged::Nowhere => Error::validation("ref", "unknown_value"),
        Unexchanged::Unreadable(reason) => Error::PictureUnreadable(reason),
    })?;
    let change = InPlace { canvas: id, revision: body.revision, event: "picture_changed", changed: ("pictures", 1) };
    let canvas = change.store(&studio, caller, origin, (drawing, arrived)).await?;
    Ok(Json(on_wire(&studio, canvas, pages)))
}
