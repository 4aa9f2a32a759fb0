//! The texts and pictures of a design at their places, and changing the texts.
//!
//! Always true: whether a service has texts is known from its answers; a change is meant for the drawing that the
//! person saw, which becomes a version. Not here: changes by a prompt (`describe`), and setting the words, which the
//! service does.

use easel_client::{Error as ClientError, Feature};
use easel_wire::CanvasId;
use easel_wire::texts::{
    CanvasPicture, CanvasText, CanvasTexts, ChangeTexts, TextAlign, TextAnchor, TextChange, TextFrame,
};
use serde::{Deserialize, Serialize};

use super::colors::is_color;
use super::views::DesignView;
use super::{Designs, read_design};
use crate::connections::active_connection::ActiveConnection;
use crate::drive::news::tell_drive;
use crate::media::addresses;
use crate::problem::Problem;

/// The texts of a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DesignTexts {
    /// The connection that was asked.
    pub connection_id: String,
    /// The design.
    pub design: DesignView,
    /// Which drawing they are of; a change names it.
    pub revision: String,
    /// All pages, in order.
    pub pages: Vec<DesignTextPage>,
}

/// The texts and pictures of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DesignTextPage {
    /// Its place, from 1.
    pub number: u32,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// The picture of this drawing of the page: an address of the app's own protocol.
    pub picture: String,
    /// From the back to the front.
    pub texts: Vec<DesignText>,
    /// From the back to the front; none where the service cannot exchange them.
    pub pictures: Vec<DesignPicture>,
}

/// A picture where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignPicture {
    /// Which it is, in this drawing; the same picture may stand in several places.
    pub reference: String,
    /// What it shows; empty where the service does not say.
    pub description: String,
    /// Where it is.
    pub frame: DesignTextFrame,
}

/// A text where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DesignText {
    /// Which it is, on its page and in this drawing.
    pub reference: String,
    /// Its words, a line for each paragraph.
    pub text: String,
    /// The room that it has.
    pub frame: DesignTextFrame,
    /// What its words cover of that; all of it where the service does not say.
    pub ink: DesignTextFrame,
    /// Of its letters, in hundredths of a pixel of the page; `null` where the service does not say.
    pub size_hundredths: Option<u32>,
    /// From baseline to baseline, in hundredths of a pixel of the page; `null` where the service does not say.
    pub line_height_hundredths: Option<u32>,
    /// From side to side.
    pub align: DesignTextAlign,
    /// From top to bottom.
    pub anchor: DesignTextAnchor,
    /// `#rrggbb`; `null` where the service does not say so.
    pub color: Option<String>,
    /// The one colour below the words, `#rrggbb`; `null` where there are several, or the service does not say.
    pub ground: Option<String>,
    /// Whether its letters have serifs.
    pub is_serif: bool,
    /// 100 to 900.
    pub weight: Option<u16>,
    /// Whether slanted.
    pub italic: bool,
    /// Whether the words are shown in capitals, however they are written.
    pub capitals: bool,
    /// Whether it reads from right to left.
    pub right_to_left: bool,
}

/// A rectangle on a page, in hundredths of its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignTextFrame {
    /// From the page's left edge.
    pub x: i32,
    /// From the page's upper edge.
    pub y: i32,
    /// From side to side.
    pub width: i32,
    /// From top to bottom.
    pub height: i32,
}

/// Where lines stand in their box, in reading direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DesignTextAlign {
    /// At the side where reading begins.
    Start,
    /// In the middle.
    Center,
    /// At the side where reading ends.
    End,
}

/// Where a text stands in its box from top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DesignTextAnchor {
    /// At the top.
    Top,
    /// In the middle.
    Middle,
    /// At the bottom.
    Bottom,
}

/// Other words for a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignTextChange {
    /// The page, from 1.
    pub page: u32,
    /// Which text on it.
    pub reference: String,
    /// The words, a line for each paragraph.
    pub text: String,
}

impl Designs {
    /// The texts of a design, page by page.
    ///
    /// # Errors
    /// `not_offered` where the service does not tell them, `canvas_not_found`, what the connection's state says, or what the service
    /// answers.
    pub async fn list_design_texts(&self, design_id: String) -> Result<DesignTexts, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let texts = client.list_texts(id).await.map_err(|error| self.note_texts_error(&connection, &error))?;
        self.connections.note_answer(&connection);
        Ok(self.view_texts(&connection, texts))
    }

    /// Gives texts of a design other words, all or none. The design has a new version then.
    ///
    /// # Errors
    /// As [`Self::list_design_texts`]; `canvas_changed` where the design is another than `revision` by now, `canvas_active_job`,
    /// `text_too_long`, `typeface_missing`.
    pub async fn change_design_texts(
        &self,
        design_id: String,
        revision: String,
        changes: Vec<DesignTextChange>,
    ) -> Result<DesignTexts, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let texts = client.change_texts(id, &write_change(revision, changes, false)).await;
        self.take_changed(&connection, id, texts)
    }

    /// Asks what would come of [`Self::change_design_texts`], and changes nothing.
    ///
    /// # Errors
    /// As [`Self::change_design_texts`].
    pub async fn check_design_texts(
        &self,
        design_id: String,
        revision: String,
        changes: Vec<DesignTextChange>,
    ) -> Result<DesignTexts, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let texts = client.change_texts(id, &write_change(revision, changes, true)).await;
        Ok(self.view_texts(&connection, texts.map_err(|error| self.note_texts_error(&connection, &error))?))
    }

    /// Takes over the answer to a change of what stands on a design's pages, and tells of it.
    pub(super) fn take_changed(
        &self,
        connection: &ActiveConnection,
        id: CanvasId,
        answer: Result<CanvasTexts, ClientError>,
    ) -> Result<DesignTexts, Problem> {
        let texts = answer.map_err(|error| self.note_texts_error(connection, &error))?;
        self.connections.note_answer(connection);
        tell_drive(&self.core, connection, [texts.canvas.folder_id]);
        self.tell_designs(connection, [id]);
        Ok(self.view_texts(connection, texts))
    }

    fn note_texts_error(&self, connection: &ActiveConnection, error: &ClientError) -> Problem {
        self.connections.note_error_of(connection, error, Some(Feature::CanvasTexts))
    }

    fn view_texts(&self, connection: &ActiveConnection, texts: CanvasTexts) -> DesignTexts {
        let (canvas, changed) = (texts.canvas.id, texts.canvas.updated_at);
        let page = |page: easel_wire::texts::TextPage| DesignTextPage {
            picture: addresses::of_page(&connection.id, canvas, changed, page.page_number),
            number: page.page_number,
            width: page.width,
            height: page.height,
            texts: page.texts.into_iter().map(view_text).collect(),
            pictures: page.pictures.into_iter().map(view_picture).collect(),
        };
        DesignTexts {
            connection_id: connection.id.clone(),
            design: self.view_design(connection, texts.canvas),
            revision: texts.revision,
            pages: texts.pages.into_iter().map(page).collect(),
        }
    }
}

fn write_change(revision: String, changes: Vec<DesignTextChange>, check_only: bool) -> ChangeTexts {
    let change = |change: DesignTextChange| TextChange {
        page_number: change.page,
        reference: change.reference,
        text: change.text,
    };
    ChangeTexts { revision, changes: changes.into_iter().map(change).collect(), check_only }
}

fn view_text(text: CanvasText) -> DesignText {
    let frame = view_frame(text.frame);
    DesignText {
        reference: text.reference,
        text: text.text,
        frame,
        ink: text.ink.map_or(frame, view_frame),
        size_hundredths: text.size.and_then(|size| u32::try_from(hundredths(size)).ok()),
        line_height_hundredths: text.line_height.and_then(|height| u32::try_from(hundredths(height)).ok()),
        align: match text.align {
            Some(TextAlign::Center) => DesignTextAlign::Center,
            Some(TextAlign::End) => DesignTextAlign::End,
            _ => DesignTextAlign::Start,
        },
        anchor: match text.anchor {
            Some(TextAnchor::Middle) => DesignTextAnchor::Middle,
            Some(TextAnchor::Bottom) => DesignTextAnchor::Bottom,
            _ => DesignTextAnchor::Top,
        },
        color: text.color.filter(|color| is_color(color)),
        ground: text.ground.filter(|color| is_color(color)),
        is_serif: text.is_serif,
        weight: text.weight.filter(|weight| (1..=1000).contains(weight)),
        italic: text.italic,
        capitals: text.capitals,
        right_to_left: text.right_to_left,
    }
}

fn view_picture(picture: CanvasPicture) -> DesignPicture {
    let CanvasPicture { reference, description, frame } = picture;
    DesignPicture { reference, description, frame: view_frame(frame) }
}

fn view_frame(frame: TextFrame) -> DesignTextFrame {
    DesignTextFrame {
        x: hundredths(frame.x),
        y: hundredths(frame.y),
        width: hundredths(frame.width),
        height: hundredths(frame.height),
    }
}

/// Whole numbers, because a page's numbers go through JSON, which has none that is no number.
fn hundredths(pixels: f64) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest, one that is none zero"
    )]
    let whole = (pixels * 100.0).round() as i32;
    whole
}
