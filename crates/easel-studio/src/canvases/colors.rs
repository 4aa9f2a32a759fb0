//! `GET` and `POST /v1/canvases/{canvas_id}/colors`: the colours of a canvas, and choosing others. Additions to the
//! specification's routes; a service without them answers 404 (contract, "Canvases and export").
//!
//! Always true: what holds for every change in place (`in_place`). A document is read and drawn in a process of its own
//! ([`crate::drawers`]), few at a time and teams in turns. Not here: how colours are made readable (easel-canvas), and
//! changes by a prompt, which are tasks.

use axum::Json;
use axum::extract::State;
use easel_canvas::color::Rgb;
use easel_canvas::origin;
use easel_canvas::recolor::DesignColor;

use super::in_place::{InPlace, check_base, check_revision, revision_of};
use super::record::canvas_on_wire;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::{CanvasRow, get_visible_canvas};
use crate::drawers::{Recolored, Source};
use crate::drawing::colors::Recoloring;
use crate::drawn::Arriving;
use crate::studio::{SharedStudio, Studio};
use crate::web::extract::{Json as JsonBody, PathId};
use crate::web::origin::Origin;
use crate::wire::colors::{CanvasColor, CanvasColors, ChangeColors, ColorRole, MAX_CHANGES};
use crate::wire::id::kind;

/// The colours of a canvas.
pub async fn list_colors(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Canvas>,
) -> Result<Json<CanvasColors>, Error> {
    let canvas = get_visible_canvas(&mut *studio.db.reader().await?, Viewer::from(&caller), id).await?;
    let document = Source::of_content(&studio.blobs, canvas.drawn.document_hash).await?;
    let _turn = studio.in_place_turns.take(caller.team_id).await;
    let colors = studio.drawers.read_colors(&document).await?;
    Ok(Json(on_wire(&studio, canvas, &colors)))
}

/// Draws a canvas in other colours.
pub async fn change_colors(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::Canvas>,
    JsonBody(body): JsonBody<ChangeColors>,
) -> Result<Json<CanvasColors>, Error> {
    let changes = read_changes(&body)?;
    let base = get_visible_canvas(&mut *studio.db.reader().await?, Viewer::from(&caller), id).await?;
    check_base(&base, &body.revision)?;
    let document = Source::of_content(&studio.blobs, base.drawn.document_hash).await?;
    let turn = studio.in_place_turns.take(caller.team_id).await;
    let mut arrived = Arriving::new(&studio);
    let Recolored { drawing, colors } = studio.drawers.change_colors(&document, changes, &mut arrived).await?;
    drop(turn);
    let changed = ("colors", body.changes.len());
    let change = InPlace { canvas: id, revision: body.revision, event: "colors_changed", changed };
    let canvas = change.store(&studio, caller, origin, (drawing, arrived)).await?;
    Ok(Json(on_wire(&studio, canvas, &colors)))
}

fn read_changes(body: &ChangeColors) -> Result<Vec<Recoloring>, Error> {
    if body.changes.is_empty() || body.changes.len() > MAX_CHANGES {
        return Err(Error::validation("changes", "out_of_range"));
    }
    check_revision(&body.revision)?;
    let mut read = Vec::with_capacity(body.changes.len());
    for (at, change) in body.changes.iter().enumerate() {
        let color = change.color.as_deref().map(|color| {
            let is_hex = color.len() == 7 && color.starts_with('#');
            let parsed = Rgb::parse(color).filter(|_| is_hex);
            parsed.ok_or_else(|| Error::validation(format!("changes[{at}].color"), "invalid"))
        });
        let role = match change.role {
            ColorRole::Ground => origin::ColorRole::Ground,
            ColorRole::Accent => origin::ColorRole::Accent,
            ColorRole::Second => origin::ColorRole::Second,
        };
        read.push(Recoloring { role, color: color.transpose()? });
    }
    Ok(read)
}

fn on_wire(studio: &Studio, canvas: CanvasRow, colors: &[DesignColor]) -> CanvasColors {
    let color = |color: &DesignColor| CanvasColor {
        role: match color.role {
            origin::ColorRole::Ground => ColorRole::Ground,
            origin::ColorRole::Accent => ColorRole::Accent,
            origin::ColorRole::Second => ColorRole::Second,
        },
        color: color.color.hex(),
        chosen: color.chosen.map(Rgb::hex),
    };
    CanvasColors {
        revision: revision_of(&canvas),
        canvas: canvas_on_wire(studio, canvas, studio.clock.now()),
        colors: colors.iter().map(color).collect(),
    }
}
