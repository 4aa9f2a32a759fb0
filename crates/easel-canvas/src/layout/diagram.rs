//! Boxes and the arrows between them: in a row that wraps, as a ladder, or in layers.

use super::head::put_head;
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Arrow, Matter, Passage, Point};
use crate::document::Anchor;
use crate::geometry::Frame;
use crate::theme::Role;

fn flow_of(passage: &Passage) -> (&[Point], &[Arrow]) {
    match &passage.matter {
        Matter::Flow { boxes, arrows, .. } => (boxes, arrows),
        _ => (&[], &[]),
    }
}

fn put_box(sheet: &mut Sheet<'_>, point: &Point, frame: Frame, at: usize, is_loud: bool) {
    let radius = sheet.radius();
    let unit = sheet.unit;
    let (ground, head, body) =
        if is_loud { (Role::Accent, Role::OnAccent, Role::OnAccent) } else { (Role::Surface, Role::Ink, Role::Muted) };
    sheet.rectangle(frame, ground, radius);
    if !is_loud {
        sheet.outline(
            frame,
            if at.is_multiple_of(2) { Role::Accent } else { Role::Second },
            (unit * 0.22).max(1.0),
            radius,
        );
    }
    let inner = frame.inset(unit * 2.0);
    let head_words = Words::heading(&point.head).sized(0.92).paint(head).at_least(0.6);
    let body_words = Words::runs(&point.body).paint(body).small();
    if body_words.is_empty() {
        sheet.put(&head_words.centered().anchored(Anchor::Middle), inner);
        return;
    }
    let gap = unit * 0.9;
    let head_height = sheet.height_of(&head_words, inner.width);
    let body_height = sheet.height_of(&body_words, inner.width);
    let top = inner.y + (inner.height - head_height - gap - body_height).max(0.0) / 2.0;
    if head_height + gap + body_height > inner.height {
        sheet.failed = true;
    }
    sheet.put(&head_words, Frame::new(inner.x, top, inner.width, head_height + 1.0));
    sheet.put(&body_words, Frame::new(inner.x, top + head_height + gap, inner.width, body_height + 1.0));
}

/// Boxes in rows that run to and fro, with arrows from each to the next.
pub fn flow_rows(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (boxes, arrows) = flow_of(passage);
    let rest = put_head(sheet, passage);
    let unit = sheet.unit;
    let columns = match (sheet.shape(), boxes.len()) {
        (_, 0 | 1) => 1,
        (PageShape::Wide, count @ 2..=4) => count,
        (PageShape::Wide, 5 | 6 | 9) => 3,
        (PageShape::Wide, _) => 4,
        (PageShape::Square, _) => 2,
        (PageShape::Tall, count) => {
            if count <= 6 {
                1
            } else {
                2
            }
        }
    };
    let rows = boxes.len().div_ceil(columns).max(1);
    let (gap_x, gap_y) = (unit * 7.0, unit * 6.0);
    let height = ((rest.height - gap_y * (rows - 1) as f32) / rows as f32).min(unit * 32.0);
    let spare = (rest.height - height * rows as f32 - gap_y * (rows - 1) as f32).max(0.0);
    let cells = rest.columns(columns, gap_x);
    let frames: Vec<Frame> = (0..boxes.len())
        .map(|at| {
            let (row, place) = (at / columns, at % columns);
            // Every second row runs back, so that no arrow has to cross the page.
            let column = if row % 2 == 0 { place } else { columns - 1 - place };
            Frame::new(
                cells[column].x,
                rest.y + spare * 0.45 + row as f32 * (height + gap_y),
                cells[column].width,
                height,
            )
        })
        .collect();
    for (at, (point, frame)) in boxes.iter().zip(&frames).enumerate() {
        put_box(sheet, point, *frame, at, at == 0 || at + 1 == boxes.len());
    }
    for arrow in arrows {
        if let (Some(from), Some(to)) = (frames.get(arrow.from), frames.get(arrow.to)) {
            join(sheet, *from, *to);
        }
    }
}

/// An arrow between two boxes that are neighbours; boxes further apart are not joined by a line through others.
fn join(sheet: &mut Sheet<'_>, from: Frame, to: Frame) {
    let unit = sheet.unit;
    let (width, air) = ((unit * 0.32).max(1.5), unit * 0.8);
    let level = (from.y - to.y).abs() < 1.0;
    let upright = (from.x - to.x).abs() < 1.0;
    if level {
        let y = from.y + from.height / 2.0;
        if to.x > from.x && to.x - from.right() < unit * 12.0 {
            sheet.arrow((from.right() + air, y), (to.x - air, y), Role::Ink, width);
        } else if from.x > to.x && from.x - to.right() < unit * 12.0 {
            sheet.arrow((from.x - air, y), (to.right() + air, y), Role::Ink, width);
        }
    } else if upright {
        let x = from.x + from.width / 2.0;
        if to.y > from.y && to.y - from.bottom() < unit * 12.0 {
            sheet.arrow((x, from.bottom() + air), (x, to.y - air), Role::Ink, width);
        }
    }
}

/// Layers over one another, each a broad band: how a thing is built.
pub fn flow_layers(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (boxes, _) = flow_of(passage);
    let rest = put_head(sheet, passage);
    let unit = sheet.unit;
    let gap = unit * 1.6;
    let height =
        ((rest.height - gap * boxes.len().saturating_sub(1) as f32) / boxes.len().max(1) as f32).min(unit * 17.0);
    let radius = sheet.radius();
    for (at, point) in boxes.iter().enumerate() {
        // Each layer is a step narrower than the one that carries it.
        let inset = (boxes.len() - 1 - at) as f32 * unit * 2.2;
        let frame = Frame::new(rest.x + inset, rest.y + at as f32 * (height + gap), rest.width - inset * 2.0, height);
        let (ground, head, body) = match at % 3 {
            0 => (Role::Accent, Role::OnAccent, Role::OnAccent),
            1 => (Role::Second, Role::OnSecond, Role::OnSecond),
            _ => (Role::Surface, Role::Ink, Role::Ink),
        };
        sheet.rectangle(frame, ground, radius);
        let inner = frame.inset_by(unit * 3.4, unit * 1.6);
        let is_split = sheet.shape() != PageShape::Tall && !point.body.is_empty();
        let (left, right) = inner.split_left(if is_split { inner.width * 0.36 } else { inner.width });
        if is_split || point.body.is_empty() {
            sheet.put(&Words::heading(&point.head).paint(head).anchored(Anchor::Middle), left);
            let right = Frame::new(right.x + unit * 2.0, right.y, (right.width - unit * 2.0).max(1.0), right.height);
            if is_split {
                sheet.put(&Words::runs(&point.body).small().paint(body).anchored(Anchor::Middle), right);
            }
        } else {
            let below = sheet.put_top(&Words::heading(&point.head).paint(head), inner, unit * 0.6);
            sheet.put(&Words::runs(&point.body).small().paint(body), below);
        }
    }
}
