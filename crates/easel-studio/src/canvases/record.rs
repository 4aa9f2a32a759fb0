//! The record of a canvas on the wire.
//!
//! Not here: who sees it; the row was read for its viewer.

use easel_wire::Timestamp;

use crate::db::canvases::CanvasRow;
use crate::studio::Studio;
use crate::studio::config::Config;
use crate::wire::CanvasId;
use crate::wire::canvases::Canvas;

/// Where a canvas is opened in a browser: a small page that shows no content without a key.
#[must_use]
pub fn canvas_url(config: &Config, id: CanvasId) -> String {
    format!("{}/open/{id}", config.base_url)
}

/// A canvas as it is written at the moment `now`.
pub(super) fn canvas_on_wire(studio: &Studio, canvas: CanvasRow, now: Timestamp) -> Canvas {
    let first = canvas.drawn.pages.first();
    Canvas {
        id: canvas.id,
        url: Some(canvas_url(&studio.config, canvas.id)),
        category: Some(canvas.drawn.category),
        visibility: Some(canvas.visibility),
        folder_id: canvas.folder_id,
        source_canvas_id: canvas.source_canvas_id,
        page_count: u32::try_from(canvas.drawn.pages.len()).ok(),
        width: first.map(|page| page.width),
        height: first.map(|page| page.height),
        thumbnail_url: canvas.drawn.thumbnail_hash.map(|hash| studio.signed_urls.sign_thumbnail(canvas.id, &hash, now)),
        created_at: Some(canvas.created_at),
        updated_at: Some(canvas.updated_at),
        name: canvas.name,
    }
}
