//! The colours of a canvas, and other ones in their place (an addition to the specification's routes).
//!
//! Colours are written `#rrggbb`. Not here: colours of single shapes and of pictures, which cannot be chosen.

use serde::{Deserialize, Serialize};

use crate::wire::canvases::Canvas;
use crate::wire::closed_enum::closed_enum;

/// The most changes of one request.
pub const MAX_CHANGES: usize = 3;

closed_enum! {
    /// What a colour of a canvas is for.
    ColorRole {
        /// What pages stand on.
        Ground = "ground",
        /// Shapes that draw the eye.
        Accent = "accent",
        /// A second colour for shapes.
        Second = "second",
    }
}

/// A colour of a canvas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct CanvasColor {
    /// What it is for.
    pub role: ColorRole,
    /// As it is drawn.
    pub color: String,
    /// What somebody chose for it, of which `color` is the nearest that words can be read on and shapes be seen by;
    /// `None` while it is the design's own.
    pub chosen: Option<String>,
}

/// The answer of `GET` and `POST /v1/canvases/{canvas_id}/colors`.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct CanvasColors {
    /// The canvas.
    pub canvas: Canvas,
    /// What is drawn on it now, to be named by whoever changes it.
    pub revision: String,
    /// Each once.
    pub colors: Vec<CanvasColor>,
}

/// Another colour in place of one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ColorChange {
    /// Which one.
    pub role: ColorRole,
    /// The colour; where absent, the design's own again.
    pub color: Option<String>,
}

/// `POST /v1/canvases/{canvas_id}/colors`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeColors {
    /// What the changes are meant for: 409 `canvas_changed` where something else is drawn there by now.
    pub revision: String,
    /// All are made.
    pub changes: Vec<ColorChange>,
}
