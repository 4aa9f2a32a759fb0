//! `GET` and `POST /v1/canvases/{canvas_id}/texts`: the texts of a canvas, and changing them. Additions to the
//! specification's routes; a service without them answers 404 (contract, "Canvases and export").
//!
//! Always true: a change is meant for the drawing that its caller saw, and refused if there is another by now or a task
//! is about to make one; the drawing of before becomes a version. A document is read and drawn in a process of its own
//! ([`crate::drawers`]), few at a time and teams in turns. Not here: how the words are set (easel-canvas), and changes
//! by a prompt, which are tasks.

use axum::Json;
use axum::extract::State;
use data_encoding::HEXLOWER;
use easel_canvas::document::{Align, Anchor};
use easel_canvas::geometry::Frame;
use easel_canvas::texts::{MAX_LETTERS, PlacedText};
use easel_wire::error::code;
use serde_json::json;

use super::record::canvas_on_wire;
use crate::audit;
use crate::blobs::ContentHash;
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::{CanvasRow, get_visible_canvas, update_canvas};
use crate::db::tasks::has_active_task;
use crate::drawers::{RenderError, Reworded, Source};
use crate::drawing::Drawing;
use crate::drawing::texts::{Change, PageTexts, Unfit};
use crate::drawn::{Arriving, Written};
use crate::studio::unused::remove_unused;
use crate::studio::{SharedStudio, Studio};
use crate::web::extract::{Json as JsonBody, PathId};
use crate::web::origin::Origin;
use crate::wire::CanvasId;
use crate::wire::id::kind;
use crate::wire::texts::{
    CanvasText, CanvasTexts, ChangeTexts, MAX_CHANGES, TextAlign, TextAnchor, TextFrame, TextPage,
};

/// Documents whose texts are read or changed at once.
pub const AT_ONCE: usize = 2;

/// The texts of a canvas, page by page.
pub async fn list_texts(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::Canvas>,
) -> Result<Json<CanvasTexts>, Error> {
    let canvas = get_visible_canvas(&mut *studio.db.reader().await?, Viewer::from(&caller), id).await?;
    let document = Source::of_content(&studio.blobs, canvas.drawn.document_hash).await?;
    let _turn = studio.text_turns.take(caller.team_id).await;
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
    let turn = studio.text_turns.take(caller.team_id).await;
    if body.check_only == Some(true) {
        let tried = studio.drawers.try_texts(&document, changes).await?;
        let pages = tried.map_err(|unfit| refuse(&body, unfit))?;
        return Ok(Json(on_wire(&studio, base, pages)));
    }
    let mut arrived = Arriving::new(&studio);
    let changed = studio.drawers.change_texts(&document, changes, &mut arrived).await?;
    drop(turn);
    let Reworded { drawing, pages } = changed.map_err(|unfit| refuse(&body, unfit))?;
    let canvas = {
        let studio = studio.clone();
        // To its end also where the client goes away, so that no blob is left without its canvas.
        to_the_end(async move { store(&studio, &caller, origin, (id, &body), (drawing, arrived)).await }).await?
    };
    Ok(Json(on_wire(&studio, canvas, pages)))
}

/// Puts the new drawing on the canvas, and removes contents that are no longer used.
async fn store(
    studio: &SharedStudio,
    caller: &Caller,
    origin: Origin,
    change: (CanvasId, &ChangeTexts),
    drawn: (Drawing, Arriving),
) -> Result<CanvasRow, Error> {
    let mut written = Written::default();
    let stored = place(studio, caller, origin, change, drawn, &mut written).await;
    written.settle(studio, stored.is_ok()).await;
    let (canvas, dropped) = stored?;
    remove_unused(&studio.db, &studio.blobs, &dropped).await;
    tracing::info!(user = %caller.user_id, key = %caller.api_key_id, canvas = %change.0, "texts changed");
    Ok(canvas)
}

/// Puts the new drawing on the canvas, if that still has the drawing that was seen. Returns the contents that went with
/// earlier versions.
async fn place(
    studio: &SharedStudio,
    caller: &Caller,
    origin: Origin,
    (id, body): (CanvasId, &ChangeTexts),
    (drawing, arrived): (Drawing, Arriving),
    written: &mut Written,
) -> Result<(CanvasRow, Vec<ContentHash>), Error> {
    let drawn = written.write(drawing, arrived).await?;
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let (viewer, now) = (Viewer::from(caller), studio.clock.now());
    let canvas = get_visible_canvas(&mut tx, viewer, id).await?;
    check_base(&canvas, &body.revision)?;
    if has_active_task(&mut tx, id).await? {
        return Err(Error::CanvasActiveJob);
    }
    if canvas.drawn.document_hash == drawn.document_hash {
        // The words are the present ones already.
        return Ok((canvas, Vec::new()));
    }
    written.keep(&mut tx, studio).await?;
    let (canvas, dropped) = update_canvas(&mut tx, viewer, id, (&drawn, studio.new_id()), None, now).await?;
    let details = json!({ "name": canvas.name, "texts": body.changes.len() });
    audit::note(&mut tx, caller, origin, ("texts_changed", id.to_string(), details), now).await?;
    tx.commit().await?;
    Ok((canvas, dropped))
}

/// The revision of a canvas, by which a change names the drawing it is meant for.
fn revision_of(canvas: &CanvasRow) -> String {
    format!("sha256:{}", HEXLOWER.encode(&canvas.drawn.document_hash))
}

fn check_base(canvas: &CanvasRow, revision: &str) -> Result<(), Error> {
    if revision_of(canvas) == revision { Ok(()) } else { Err(Error::conflict(code::CANVAS_CHANGED, None)) }
}

fn read_changes(body: &ChangeTexts) -> Result<Vec<Change>, Error> {
    if body.changes.is_empty() || body.changes.len() > MAX_CHANGES {
        return Err(Error::validation("changes", "out_of_range"));
    }
    let is_revision = body.revision.strip_prefix("sha256:").is_some_and(|digits| {
        digits.len() == 64 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    });
    if !is_revision {
        return Err(Error::validation("revision", "invalid"));
    }
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

impl From<RenderError> for Error {
    fn from(undone: RenderError) -> Self {
        match undone {
            RenderError::Here(error) => error,
            RenderError::TypefaceMissing(words) => Self::TypefaceMissing(words),
            RenderError::Interrupted => Self::Crowded,
            undone @ (RenderError::Undrawable(_) | RenderError::Deadly(_)) => {
                tracing::error!(error = %undone, "the texts of a canvas cannot be read or changed");
                Self::Corrupt("a document that cannot be read")
            }
        }
    }
}

fn on_wire(studio: &Studio, canvas: CanvasRow, pages: Vec<PageTexts>) -> CanvasTexts {
    let page = |(page_number, page): (u32, PageTexts)| TextPage {
        page_number,
        width: page.width,
        height: page.height,
        texts: page.texts.into_iter().map(text_on_wire).collect(),
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

fn frame_on_wire(frame: Frame) -> TextFrame {
    TextFrame { x: round(frame.x), y: round(frame.y), width: round(frame.width), height: round(frame.height) }
}

/// To hundredths of a pixel.
fn round(pixels: f32) -> f64 {
    (f64::from(pixels) * 100.0).round() / 100.0
}
