//! The texts and pictures of a canvas, and changes of them (an addition to the specification's routes, which few services have).
//!
//! Frames and sizes are in pixels of the page. A text without a reference or a frame cannot be changed, and so is not
//! read.

use serde::{Deserialize, Serialize};

use crate::FileId;
use crate::canvases::Canvas;
use crate::lenient;
use crate::open_enum::open_enum;

open_enum! {
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

open_enum! {
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
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CanvasText {
    /// Identifies the text on its page, as long as the revision is the same.
    #[serde(rename = "ref", deserialize_with = "lenient::needed")]
    pub reference: String,
    /// Its words, a line for each paragraph.
    #[serde(deserialize_with = "lenient::needed")]
    pub text: String,
    /// The room for its words.
    pub frame: TextFrame,
    /// The part of that room that its words cover.
    #[serde(default)]
    pub ink: Option<TextFrame>,
    /// The size of its letters.
    #[serde(default, deserialize_with = "lenient::read")]
    pub size: Option<f64>,
    /// From baseline to baseline.
    #[serde(default, deserialize_with = "lenient::read")]
    pub line_height: Option<f64>,
    /// From side to side.
    #[serde(default, deserialize_with = "lenient::read")]
    pub align: Option<TextAlign>,
    /// From top to bottom.
    #[serde(default, deserialize_with = "lenient::read")]
    pub anchor: Option<TextAnchor>,
    /// `#rrggbb`.
    #[serde(default, deserialize_with = "lenient::read")]
    pub color: Option<String>,
    /// The one colour below the words, `#rrggbb`; `None` where there are several.
    #[serde(default, deserialize_with = "lenient::read")]
    pub ground: Option<String>,
    /// Whether its letters have serifs.
    #[serde(default, deserialize_with = "lenient::read")]
    pub is_serif: bool,
    /// 100 to 900.
    #[serde(default, deserialize_with = "lenient::read")]
    pub weight: Option<u16>,
    /// Whether slanted.
    #[serde(default, deserialize_with = "lenient::read")]
    pub italic: bool,
    /// Whether the words are shown in capitals, however they are written.
    #[serde(default, deserialize_with = "lenient::read")]
    pub capitals: bool,
    /// Whether it reads from right to left.
    #[serde(default, deserialize_with = "lenient::read")]
    pub right_to_left: bool,
}

/// A picture of a page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CanvasPicture {
    /// Identifies the picture in its canvas, as long as the revision is the same.
    #[serde(rename = "ref", deserialize_with = "lenient::needed")]
    pub reference: String,
    /// What it shows.
    #[serde(default, deserialize_with = "lenient::read")]
    pub description: String,
    /// Where it is.
    pub frame: TextFrame,
}

/// The texts and pictures of a page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TextPage {
    /// Its place, from 1.
    #[serde(deserialize_with = "lenient::needed")]
    pub page_number: u32,
    /// In pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub width: Option<u32>,
    /// In pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub height: Option<u32>,
    /// From the back to the front.
    pub texts: Vec<CanvasText>,
    /// From the back to the front; none where the service does not tell them, and then they cannot be changed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub pictures: Vec<CanvasPicture>,
}

/// The answer of `GET` and `POST /v1/canvases/{canvas_id}/texts`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CanvasTexts {
    /// The canvas.
    pub canvas: Canvas,
    /// Identifies the present drawing; a change has to name it.
    #[serde(deserialize_with = "lenient::needed")]
    pub revision: String,
    /// All pages, in order.
    pub pages: Vec<TextPage>,
}

impl CanvasTexts {
    /// The words of a text.
    #[must_use]
    pub fn words(&self, page_number: u32, reference: &str) -> Option<&str> {
        let page = self.pages.iter().find(|page| page.page_number == page_number)?;
        page.texts.iter().find(|text| text.reference == reference).map(|text| text.text.as_str())
    }

    /// Whether a picture stands on any page.
    #[must_use]
    pub fn has_picture(&self, reference: &str) -> bool {
        self.pages.iter().any(|page| page.pictures.iter().any(|picture| picture.reference == reference))
    }
}

/// A change of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeTexts {
    /// The revision that the changes are meant for.
    pub revision: String,
    /// All changes are made or none.
    pub changes: Vec<TextChange>,
    /// Whether the result is only computed, and nothing changes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub check_only: bool,
}

/// `POST /v1/canvases/{canvas_id}/pictures`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangePicture {
    /// The revision that the change is meant for.
    pub revision: String,
    /// Which picture; it is exchanged wherever it stands.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The file of the drive that takes its place.
    pub file_id: FileId,
}

lenient::records!(CanvasPicture);
