//! The colours of a canvas, and choosing others (an addition to the specification's routes, which few services have).
//!
//! Colours are written `#rrggbb`.

use serde::{Deserialize, Serialize};

use crate::canvases::Canvas;
use crate::lenient;
use crate::open_enum::open_enum;

open_enum! {
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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CanvasColor {
    /// What it is for.
    pub role: ColorRole,
    /// As it is drawn.
    #[serde(deserialize_with = "lenient::needed")]
    pub color: String,
    /// What somebody chose for it; `None` while it is the design's own.
    #[serde(default, deserialize_with = "lenient::read")]
    pub chosen: Option<String>,
}

/// The answer of `GET` and `POST /v1/canvases/{canvas_id}/colors`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CanvasColors {
    /// The canvas.
    pub canvas: Canvas,
    /// Identifies the present drawing; a change has to name it.
    #[serde(deserialize_with = "lenient::needed")]
    pub revision: String,
    /// Those that can be chosen.
    pub colors: Vec<CanvasColor>,
}

impl CanvasColors {
    /// What somebody chose for a role.
    #[must_use]
    pub fn chosen(&self, role: &ColorRole) -> Option<&str> {
        self.colors.iter().find(|color| color.role == *role)?.chosen.as_deref()
    }
}

/// Another colour in place of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColorChange {
    /// Which one.
    pub role: ColorRole,
    /// The colour; `None`: the design's own again.
    pub color: Option<String>,
}

/// `POST /v1/canvases/{canvas_id}/colors`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeColors {
    /// The revision that the changes are meant for.
    pub revision: String,
    /// All changes are made or none.
    pub changes: Vec<ColorChange>,
}
