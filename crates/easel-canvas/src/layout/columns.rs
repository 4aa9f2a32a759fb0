//! Several things held beside each other: a name, a price or a number, and what is had for it.

use super::head::{put_head, put_lead};
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Column, Matter, Passage, Point};
use crate::document::Anchor;
use crate::geometry::Frame;
use crate::theme::Role;

fn columns_of(passage: &Passage) -> (&str, &[Column]) {
    match &passage.matter {
        Matter::Columns { lead, columns } => (lead, columns),
        _ => ("", &[]),
    }
}

/// Cards side by side, one in the accent: the one that is to stand out, else the last.
pub fn columns_cards(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, columns) = columns_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    put_columns(sheet, columns, rest, true);
}

/// Columns under heavy rules, without cards.
pub fn columns_rules(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, columns) = columns_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    put_columns(sheet, columns, rest, false);
}

fn head_words(column: &Column) -> Words {
    Words::heading(&column.head).sized(1.1).at_least(0.6)
}

fn point_words(column: &Column) -> Words {
    let points: Vec<Point> = column.points.iter().map(|point| Point::new(point, "")).collect();
    Words::list(&points, false, 1).paragraph_gap(0.5)
}

/// Puts columns into a frame: beside each other, on high pages one under another.
pub fn put_columns(sheet: &mut Sheet<'_>, columns: &[Column], frame: Frame, with_cards: bool) {
    let unit = sheet.unit;
    let gap = unit * 2.4;
    let is_stacked = sheet.shape() == PageShape::Tall && frame.width < unit * 110.0
        || sheet.shape() == PageShape::Square && columns.len() > 3;
    let frames =
        if is_stacked { frame.rows(columns.len().max(1), gap) } else { frame.columns(columns.len().max(1), gap) };
    let padding = if with_cards { unit * 3.0 } else { 0.0 };
    let inner_width = (frames[0].width - padding * 2.0).max(1.0);
    // Heads and numbers stand on one line across the columns.
    let numbers: Vec<(Words, Frame)> = columns
        .iter()
        .map(|column| (Words::number(&column.figure).sized(0.8), Frame::new(0.0, 0.0, inner_width, unit * 14.0)))
        .collect();
    let factor = 0.8 * sheet.common_factor(&numbers, 0.3);
    let head_height =
        columns.iter().map(|column| sheet.height_of(&head_words(column), inner_width)).fold(0.0, f32::max);
    let number = |column: &Column| Words::number(&column.figure).sized(factor);
    let has_figures = columns.iter().any(|column| !column.figure.is_empty());
    let number_height = if has_figures {
        columns.iter().map(|column| sheet.height_of(&number(column), inner_width)).fold(0.0, f32::max) + unit * 2.4
    } else {
        unit * 0.8
    };
    let highest = |sheet: &Sheet<'_>, factor: f32| {
        let told = columns.iter().filter(|column| !column.points.is_empty());
        told.map(|column| sheet.height_of(&point_words(column).sized(factor), inner_width)).fold(0.0, f32::max)
    };
    let above = head_height + unit * 1.2 + number_height + padding * 2.0;
    let needed = highest(sheet, 1.0);
    if above + needed > frames[0].height {
        sheet.failed = true;
        return;
    }
    // A few words are set larger: small ones would leave the lower half of each column empty.
    let larger = [1.7, 1.5, 1.32, 1.16]
        .into_iter()
        .map(|factor| (factor, highest(sheet, factor)))
        .find(|(_, height)| above + height <= frames[0].height * 0.78);
    let (factor_of_points, needed) = larger.unwrap_or((1.0, needed));
    let total = above + needed;
    let radius = sheet.radius();
    let loud = columns.iter().position(|column| column.is_highlighted).unwrap_or(columns.len().saturating_sub(1));
    for (at, (column, place)) in columns.iter().zip(&frames).enumerate() {
        let is_loud = with_cards && at == loud;
        let (head_paint, number_paint, body_paint) = if is_loud {
            (Role::OnAccent, Role::OnAccent, Role::OnAccent)
        } else {
            (Role::AccentText, Role::Ink, Role::Ink)
        };
        if with_cards {
            sheet.rectangle(*place, if is_loud { Role::Accent } else { Role::Surface }, radius);
        } else {
            sheet.rectangle(
                Frame::new(place.x, place.y, place.width, unit * 0.7),
                if at.is_multiple_of(2) { Role::Accent } else { Role::Second },
                0.0,
            );
        }
        let inner = if with_cards { place.inset(padding) } else { place.split_top(unit * 2.6).1 };
        let spare = (inner.height - (total - padding * 2.0)).max(0.0);
        let air = (spare * 0.3).min(unit * 8.0);
        sheet.put(&head_words(column).paint(head_paint), Frame::new(inner.x, inner.y, inner.width, head_height + 1.0));
        let mut y = inner.y + head_height + unit * 1.2;
        if has_figures {
            sheet.put(&number(column).paint(number_paint), Frame::new(inner.x, y, inner.width, number_height));
        }
        y += number_height + air;
        sheet.put(
            &point_words(column).sized(factor_of_points).paint(body_paint).anchored(Anchor::Top),
            Frame::new(inner.x, y, inner.width, (inner.bottom() - y).max(1.0) + 1.0),
        );
    }
}
