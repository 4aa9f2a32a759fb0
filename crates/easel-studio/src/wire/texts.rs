//! The texts and pictures of a canvas, and others for them (an addition to the specification's routes).
//!
//! Places and sizes are in pixels of the page. Not here: words in charts and tables, which are not among the texts.

use serde::{Deserialize, Serialize};

use crate::wire::FileId;
use crate::wire::canvases::Canvas;
use crate::wire::closed_enum::closed_enum;

/// The most changes of one request.
pub const MAX_CHANGES: usize = 100;

closed_enum! {
    /// Where lines stand in their box, in reading direction.
    TextAlign {
        /// At the side where reading begins.
        Start = "start",
        /// In the middle.
        Center = "center",
        /// At the side where reading ends.
        End = "end",
    }
}

closed_enum! {
    /// Where a text stands in its box from top to bottom.
    TextAnchor {
        /// At the top.
        Top = "top",
        /// In the middle.
        Middle = "middle",
        /// At the bottom.
        Bottom = "bottom",
    }
}

/// A rectangle on a page, in its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, utoipa::ToSchema)]
pub struct TextFrame {
    /// From the page's left edge.
    pub x: f64,
    /// From the page's upper edge.
    pub y: f64,
    /// From side to side.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// A text of a page.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct CanvasText {
    /// Which it is, on its page and as long as the revision is the same.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Its words, a line for each paragraph.
    pub text: String,
    /// The room that it has.
    pub frame: TextFrame,
    /// What its words cover of that.
    pub ink: TextFrame,
    /// Of its letters.
    pub size: f64,
    /// The smallest that other words may be set.
    pub least_size: f64,
    /// From baseline to baseline.
    pub line_height: f64,
    /// From side to side.
    pub align: TextAlign,
    /// From top to bottom.
    pub anchor: TextAnchor,
    /// `#rrggbb`.
    pub color: String,
    /// The one colour below the words, `#rrggbb`; `None` where there are several, or a picture.
    pub ground: Option<String>,
    /// The typeface's family.
    pub font_family: String,
    /// Whether its letters have serifs.
    pub is_serif: bool,
    /// 100 to 900.
    pub weight: u16,
    /// Whether slanted.
    pub italic: bool,
    /// Whether the words are shown in capitals, however they are written.
    pub capitals: bool,
    /// Whether it reads from right to left.
    pub right_to_left: bool,
}

/// A picture of a page.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct CanvasPicture {
    /// Which it is, in this canvas; the same picture may stand in several places.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// Where it is.
    pub frame: TextFrame,
}

/// The texts and pictures of a page.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct TextPage {
    /// Its place, from 1.
    pub page_number: u32,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// From the back to the front.
    pub texts: Vec<CanvasText>,
    /// From the back to the front.
    pub pictures: Vec<CanvasPicture>,
}

/// The answer of `GET` and `POST /v1/canvases/{canvas_id}/texts`.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct CanvasTexts {
    /// The canvas.
    pub canvas: Canvas,
    /// What is drawn on it now, to be named by whoever changes it.
    pub revision: String,
    /// All pages, in order.
    pub pages: Vec<TextPage>,
}

/// Other words for a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TextChange {
    /// The page, from 1.
    pub page_number: u32,
    /// Which text on it.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The words, a line for each paragraph.
    pub text: String,
}

/// `POST /v1/canvases/{canvas_id}/texts`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeTexts {
    /// What the changes are meant for: 409 `canvas_changed` where something else is drawn there by now.
    pub revision: String,
    /// All are made, one after the other, or none.
    pub changes: Vec<TextChange>,
    /// Whether it is only asked what would come of it: nothing is changed then. False where absent.
    pub check_only: Option<bool>,
}

/// `POST /v1/canvases/{canvas_id}/pictures`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePicture {
    /// What the change is meant for: 409 `canvas_changed` where something else is drawn there by now.
    pub revision: String,
    /// Which picture; it is exchanged wherever it stands.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The file of the drive that takes its place: PNG, JPEG, GIF, WebP or SVG.
    pub file_id: FileId,
}
