//! `GET` and `POST /v1/canvases/{canvas_id}/texts`: the texts of a canvas, and changing them. Additions to the
//! specification's routes; a service without them answers 404 (contract, "Canvases and export").
//!
//! Always true: what holds for every change in place (`in_place`). A document is read and drawn in a process of its own
//! ([`crate::drawers`]), few at a time and teams in turns. Not here: how the words are set (easel-canvas), and changes
//! by a prompt, which are tasks.

use axum::Json;
use axum::extract::State;
use easel_canvas::document::{Align, Anchor};
use easel_canvas::geometry::Frame;
use easel_canvas::pictures::PlacedPicture;
use easel_canvas::texts::{MAX_LETTERS, PlacedText};

use super::in_place::{InPlace, check_base, check_revision, revision_of};
use super::record::canvas_on_wire;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::{CanvasRow, get_visible_canvas};
use crate::drawers::{Reworded, Source};
use crate::drawing::texts::{Change, PageTexts, Unfit};
use crate::drawn::Arriving;
use crate::studio::{SharedStudio, Studio};
use crate::web::extract::{Json as JsonBody, PathId};
use crate::web::origin::Origin;
use crate::wire::id::kind;
use crate::wire::texts::{
    CanvasPicture, CanvasText, CanvasTexts, ChangeTexts, MAX_CHANGES, TextAlign, TextAnchor, TextFrame, TextPage,
};

/// The texts of a canvas, page by page.
pub async fn list_texts(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Canvas>,
) -> Result<Json<CanvasTexts>, Error> {
    let canvas = get_visible_canvas(&mut *studio.db.reader().await?, Viewer::from(&caller), id).await?;
    let document = Source::of_content(&studio.blobs, canvas.drawn.document_hash).await?;
    let _turn = studio.in_place_turns.take(caller.team_id).await;
    let pages = studio.drawers.read_texts(&document).await?;
    Ok(Json(on_wire(&studio, canvas, pages)))
}

/// Gives texts of a canvas other words, or says what would come of it.
pub async fn change_texts(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(id): PathId<kind::Canvas>,
    JsonBody(body): JsonBody<ChangeTexts>,
) -> Result<Json<CanvasTexts>, Error> {
    let changes = read_changes(&body)?;
    let base = get_visible_canvas(&mut *studio.db.reader().await?, Viewer::from(&caller), id).await?;
    check_base(&base, &body.revision)?;
    let document = Source::of_content(&studio.blobs, base.drawn.document_hash).await?;
    let turn = studio.in_place_turns.take(caller.team_id).await;
    if body.check_only == Some(true) {
        let tried = studio.drawers.try_texts(&document, changes).await?;
        let pages = tried.map_err(|unfit| refuse(&body, unfit))?;
        return Ok(Json(on_wire(&studio, base, pages)));
    }
    let mut arrived = Arriving::new(&studio);
    let changed = studio.drawers.change_texts(&document, changes, &mut arrived).await?;
    drop(turn);
    let Reworded { drawing, pages } = changed.map_err(|unfit| refuse(&body, unfit))?;
    let changed = ("texts", body.changes.len());
    let change = InPlace { canvas: id, revision: body.revision, event: "texts_changed", changed };
    let canvas = change.store(&studio, caller, origin, (drawing, arrived)).await?;
    Ok(Json(on_wire(&studio, canvas, pages)))
}

fn read_changes(body: &ChangeTexts) -> Result<Vec<Change>, Error> {
    if body.changes.is_empty() || body.changes.len() > MAX_CHANGES {
        return Err(Error::validation("changes", "out_of_range"));
    }
    check_revision(&body.revision)?;
    let read = |(at, change): (usize, &crate::wire::texts::TextChange)| {
        let page = usize::try_from(change.page_number).unwrap_or(usize::MAX);
        let page = page.checked_sub(1).ok_or_else(|| fault(at, "page_number", "out_of_range"))?;
        if change.text.chars().count() > MAX_LETTERS {
            return Err(fault(at, "text", "too_long"));
        }
        Ok(Change { page, path: change.reference.clone(), text: change.text.clone() })
    };
    body.changes.iter().enumerate().map(read).collect()
}

fn fault(at: usize, field: &str, code: &str) -> Error {
    Error::validation(format!("changes[{at}].{field}"), code)
}

fn refuse(body: &ChangeTexts, unfit: Unfit) -> Error {
    match unfit {
        Unfit::Nowhere { at } => fault(at, "ref", "unknown_value"),
        Unfit::Empty { at } => fault(at, "text", "required"),
        Unfit::TooLong { at, letters, fitting } => match body.changes.get(at) {
            None => Error::Corrupt("a change that nobody asked for"),
            Some(change) => Error::TextTooLong {
                page_number: change.page_number,
                reference: change.reference.clone(),
                letters,
                // The answer of a process that draws is bounded by what the process was asked.
                fitting: fitting.chars().take(MAX_LETTERS).collect(),
            },
        },
    }
}

pub(super) fn on_wire(studio: &Studio, canvas: CanvasRow, pages: Vec<PageTexts>) -> CanvasTexts {
    let page = |(page_number, page): (u32, PageTexts)| TextPage {
        page_number,
        width: page.width,
        height: page.height,
        texts: page.texts.into_iter().map(text_on_wire).collect(),
        pictures: page.pictures.into_iter().map(picture_on_wire).collect(),
    };
    CanvasTexts {
        revision: revision_of(&canvas),
        canvas: canvas_on_wire(studio, canvas, studio.clock.now()),
        pages: (1..).zip(pages).map(page).collect(),
    }
}

fn text_on_wire(text: PlacedText) -> CanvasText {
    CanvasText {
        reference: text.path,
        text: text.text,
        frame: frame_on_wire(text.frame),
        ink: frame_on_wire(text.ink),
        size: round(text.size),
        least_size: round(text.least_size),
        line_height: round(text.line_height),
        align: match text.align {
            Align::Start => TextAlign::Start,
            Align::Center => TextAlign::Center,
            Align::End => TextAlign::End,
        },
        anchor: match text.anchor {
            Anchor::Top => TextAnchor::Top,
            Anchor::Middle => TextAnchor::Middle,
            Anchor::Bottom => TextAnchor::Bottom,
        },
        color: text.color,
        ground: text.ground,
        font_family: text.font_family,
        is_serif: text.is_serif,
        weight: text.weight,
        italic: text.italic,
        capitals: text.capitals,
        right_to_left: text.right_to_left,
    }
}

fn picture_on_wire(picture: PlacedPicture) -> CanvasPicture {
    let PlacedPicture { reference, description, frame } = picture;
    CanvasPicture { reference, description, frame: frame_on_wire(frame) }
}

fn frame_on_wire(frame: Frame) -> TextFrame {
    TextFrame { x: round(frame.x), y: round(frame.y), width: round(frame.width), height: round(frame.height) }
}

/// To hundredths of a pixel.
fn round(pixels: f32) -> f64 {
    (f64::from(pixels) * 100.0).round() / 100.0
}
