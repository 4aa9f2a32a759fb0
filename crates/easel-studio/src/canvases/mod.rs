//! Canvases over HTTP (specification, "Endpoints"; contract, "Canvases and export").

use easel_wire::CanvasId;

use crate::studio::Config;

/// Where a canvas is opened in a browser: a small page that shows no content without a key.
#[must_use]
pub fn canvas_url(config: &Config, id: CanvasId) -> String {
    format!("{}/open/{id}", config.base_url)
}
