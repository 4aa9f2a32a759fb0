//! Several things: side by side, one under another, or as a table of contents.

use super::art;
use super::head::{put_head, put_head_in, put_lead};
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Matter, Passage, Point};
use crate::document::{Anchor, FontRole};
use crate::geometry::Frame;
use crate::theme::Role;

/// Before the things, the things, and whether their order matters.
pub fn points_of(passage: &Passage) -> (&str, &[Point], bool) {
    match &passage.matter {
        Matter::Points { lead, points, ordered } => (lead, points, *ordered),
        Matter::Steps { lead, points } => (lead, points, true),
        _ => ("", &[], false),
    }
}

/// How many columns so many cards take on a page of this shape.
fn column_count(sheet: &Sheet<'_>, count: usize) -> usize {
    match (sheet.shape(), count) {
        (_, 0 | 1) => 1,
        (PageShape::Wide, 2 | 4) => 2,
        (PageShape::Wide, 3 | 5 | 6 | 9) => 3,
        (PageShape::Wide, 7 | 8) => 4,
        (PageShape::Wide, _) => 4,
        // Three in two columns would leave a hole beside the third.
        (PageShape::Square, 3) => 1,
        (PageShape::Square, 2..=8) => 2,
        (PageShape::Square, _) => 3,
        (PageShape::Tall, 2..=5) => 1,
        (PageShape::Tall, _) => 2,
    }
}

fn head_words(point: &Point) -> Words {
    Words::heading(&point.head)
}

fn body_words(point: &Point) -> Words {
    Words::runs(&point.body).paint(Role::Muted)
}

/// The height that the words of a thing take in a column.
pub fn height_of(sheet: &Sheet<'_>, point: &Point, width: f32, gap: f32) -> f32 {
    let (head, body) = words_of(point);
    let head_height = if head.is_empty() { 0.0 } else { sheet.height_of(&head, width) };
    let body_height = if body.is_empty() { 0.0 } else { sheet.height_of(&body, width) };
    head_height + body_height + if head_height > 0.0 && body_height > 0.0 { gap } else { 0.0 }
}

/// A thing that has only words about it, or only a name of many words, is set as reading text.
fn words_of(point: &Point) -> (Words, Words) {
    if point.body.is_empty() && point.head.chars().count() > 60 {
        (Words::heading(""), Words::body(&point.head))
    } else if point.head.is_empty() {
        (Words::heading(""), Words::runs(&point.body))
    } else {
        (head_words(point), body_words(point))
    }
}

/// Puts a thing's name and the words about it at the top of a frame.
pub fn put_point(sheet: &mut Sheet<'_>, point: &Point, frame: Frame, gap: f32) {
    let (head, body) = words_of(point);
    let rest = sheet.put_top(&head, frame, gap);
    sheet.put(&body, rest);
}

/// The same on a shape of the accent.
pub fn put_point_on_accent(sheet: &mut Sheet<'_>, point: &Point, frame: Frame, gap: f32) {
    let (head, body) = words_of(point);
    let rest = sheet.put_top(&head.paint(Role::OnAccent), frame, gap);
    sheet.put(&body.paint(Role::OnAccent), rest);
}

/// Cards in a grid that fills the page, the words at the foot of each, a number, a mark or the motif above them.
pub fn points_cards(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, ordered) = points_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let columns = column_count(sheet, points.len());
    let rows = points.len().div_ceil(columns).max(1);
    let gap = sheet.unit * 2.2;
    let cells = rest.rows(rows, gap);
    let padding = sheet.unit * 3.0;
    let inner_gap = sheet.unit * 1.2;
    let mark = sheet.unit * 4.4;
    let width = rest.columns(columns, gap)[0].width - padding * 2.0;
    let needed = points.iter().map(|point| height_of(sheet, point, width, inner_gap)).fold(0.0, f32::max);
    let high = needed + padding * 2.0 + mark;
    let available = cells[0].height;
    if needed + padding * 2.0 > available + 0.5 {
        sheet.failed = true;
        return;
    }
    let with_mark = high <= available;
    // High cards of few words carry the motif above them; on others the room stands between mark and words.
    let spare = available - needed - padding * 2.0;
    let with_art = !ordered && spare > sheet.unit * 21.0;
    let height =
        if spare > sheet.unit * 34.0 && !with_art { available - (spare - sheet.unit * 34.0) } else { available };
    let radius = sheet.radius();
    for (at, point) in points.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let in_row = if row + 1 == rows { points.len() - row * columns } else { columns };
        let places = rest.columns(if in_row < columns && rows > 1 { columns } else { in_row }, gap);
        let y = rest.y + row as f32 * (height + gap);
        let card = Frame::new(places[column].x, y, places[column].width, height);
        sheet.rectangle(card, Role::Surface, radius);
        let inner = card.inset(padding);
        if with_art {
            let side = (spare - sheet.unit * 4.0).min(sheet.unit * 36.0);
            let panel = Frame::new(card.x, card.y, card.width, side + padding);
            sheet.rectangle(panel, Role::Wash, radius);
            art::fill(sheet, panel.inset(sheet.unit * 2.6));
        } else if with_mark {
            if ordered {
                let number = Words::label(&(at + 1).to_string()).sized(1.3).font(FontRole::Heading);
                sheet.put(&number, Frame::new(inner.x, inner.y, inner.width, mark));
            } else {
                let paint = if at % 2 == 0 { Role::Accent } else { Role::Second };
                let side = sheet.unit * 2.0;
                let round = if sheet.radius() > 0.0 { side } else { 0.0 };
                sheet.rectangle(Frame::new(inner.x, inner.y, side, side), paint, round);
            }
        }
        let words = height_of(sheet, point, width, inner_gap);
        // Names stand on one line across a row, wherever their words end.
        let top = inner.bottom() - if in_row > 1 { needed } else { words };
        put_point(sheet, point, Frame::new(inner.x, top, inner.width, inner.bottom() - top + 1.0), inner_gap);
    }
}

/// Rows between hairlines: the name at one side, what is said of it at the other.
pub fn points_rows(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, ordered) = points_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let is_wide = sheet.shape() == PageShape::Wide;
    let unit = sheet.unit;
    let number_width = if ordered { unit * 7.0 } else { 0.0 };
    let inner = Frame::new(rest.x + number_width, rest.y, rest.width - number_width, rest.height);
    let name_width = if is_wide { inner.width * 0.34 } else { inner.width };
    let gap = unit * 0.8;
    let heights: Vec<f32> = points
        .iter()
        .map(|point| {
            let (head, body) = words_of(point);
            if !is_wide || head.is_empty() {
                height_of(sheet, point, inner.width, gap)
            } else {
                let beside = inner.width - name_width - unit * 3.0;
                let body_height = if body.is_empty() { 0.0 } else { sheet.height_of(&body, beside) };
                sheet.height_of(&head, if body.is_empty() { inner.width } else { name_width }).max(body_height)
            }
        })
        .collect();
    let total: f32 = heights.iter().sum();
    let least = unit * 1.5;
    // Few rows take more air, so that they do not leave the lower half of the page empty.
    let most = unit * if points.len() <= 3 { 12.0 } else { 6.5 };
    let padding = ((rest.height - total) / (points.len().max(1) * 2) as f32).min(most);
    if padding < least {
        sheet.failed = true;
        return;
    }
    let mut y = rest.y;
    for (at, (point, height)) in points.iter().zip(&heights).enumerate() {
        sheet.rule((rest.x, y), (rest.right(), y), Role::Line, (unit * 0.14).max(1.0));
        let row = Frame::new(inner.x, y + padding, inner.width, height + 1.0);
        if ordered {
            let number = Words::label(&format!("{:02}", at + 1));
            sheet.put(&number, Frame::new(rest.x, row.y + unit * 0.5, number_width, row.height.max(unit * 4.0)));
        }
        let (head, body) = words_of(point);
        if is_wide && !head.is_empty() && !body.is_empty() {
            let (name, beside) = row.split_left(name_width);
            sheet.put(&head, name);
            sheet.put(&body, Frame::new(beside.x + unit * 3.0, beside.y, beside.width - unit * 3.0, beside.height));
        } else {
            put_point(sheet, point, row, gap);
        }
        y += height + padding * 2.0;
    }
    sheet.rule((rest.x, y), (rest.right(), y), Role::Line, (unit * 0.14).max(1.0));
}

/// Columns under heavy rules, the words at the foot of the page.
pub fn points_columns(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, ordered) = points_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    let gap = unit * 3.4;
    let columns = rest.columns(points.len().max(1), gap);
    let inner_gap = unit * 1.4;
    let needed = points.iter().map(|point| height_of(sheet, point, columns[0].width, inner_gap)).fold(0.0, f32::max);
    let mark = unit * if ordered { 12.0 } else { 4.0 };
    if needed + mark > rest.height {
        sheet.failed = true;
        return;
    }
    let y = rest.y;
    let below = (y + mark).max(rest.bottom() - needed - unit * 2.0);
    for (at, (point, column)) in points.iter().zip(columns).enumerate() {
        if at > 0 && below - y > mark + unit * 8.0 {
            let x = column.x - gap / 2.0;
            sheet.rule((x, y), (x, rest.bottom()), Role::Line, (unit * 0.14).max(1.0));
        }
        sheet.rectangle(
            Frame::new(column.x, y, column.width, unit * 0.7),
            if at % 2 == 0 { Role::Accent } else { Role::Second },
            0.0,
        );
        if ordered {
            let number = Words::number(&(at + 1).to_string()).sized(0.6).paint(Role::AccentText);
            sheet.put(&number, Frame::new(column.x, y + unit * 3.0, column.width, unit * 8.0));
        } else if below - y > unit * 24.0 {
            let high = (below - y - unit * 8.0).min(unit * 26.0);
            art::fill(sheet, Frame::new(column.x, y + unit * 3.6, column.width.min(high * 1.5), high));
        }
        let place = Frame::new(column.x, below, column.width, rest.bottom() - below);
        put_point(sheet, point, place, inner_gap);
    }
}

/// The title at one side, the list at the other.
pub fn points_side(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, ordered) = points_of(passage);
    let content = sheet.content();
    let unit = sheet.unit;
    let (left, right) = content.split_left(content.width * 0.36);
    let left_rest = put_head_in(sheet, passage, left);
    let below = put_lead(sheet, lead, left_rest);
    art::fill_foot(sheet, below);
    let right = Frame::new(right.x + unit * 6.0, right.y, right.width - unit * 6.0, right.height);
    let mut words = Words::list(points, ordered, 1).paragraph_gap(0.8);
    let mut height = sheet.height_of(&words, right.width);
    if height > right.height {
        sheet.failed = true;
        return;
    }
    // A few lines are set larger: small ones beside an empty column read as an afterthought.
    for factor in [1.5, 1.34, 1.18] {
        let large = words.clone().sized(factor).paragraph_gap(1.0);
        let higher = sheet.height_of(&large, right.width);
        if higher < right.height * 0.72 {
            (words, height) = (large, higher);
            break;
        }
    }
    sheet.rule(
        (right.x - unit * 3.0, right.y),
        (right.x - unit * 3.0, right.bottom()),
        Role::Line,
        (unit * 0.14).max(1.0),
    );
    let top = right.y + (right.height - height) * 0.42;
    sheet.put(&words, Frame::new(right.x, top, right.width, height + 1.0));
}

/// A plain list below the title.
pub fn points_list(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, ordered) = points_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let (place, _) = rest.split_left(rest.width.min(sheet.unit * 130.0));
    let words = Words::list(points, ordered, 1).paragraph_gap(0.7);
    // A few lines are set larger and stand a little above the middle: at the head they leave an empty page below them.
    for factor in [1.6, 1.4, 1.2] {
        let large = words.clone().sized(factor).paragraph_gap(0.9);
        let height = sheet.height_of(&large, place.width);
        if height < place.height * 0.5 {
            let y = place.y + (place.height - height) * 0.3;
            sheet.put(&large, Frame::new(place.x, y, place.width, height + 1.0));
            return;
        }
    }
    sheet.put(&words, place);
}

/// What is to come, as numbered rows.
pub fn agenda_rows(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Agenda { items } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    let unit = sheet.unit;
    let columns = if sheet.shape() == PageShape::Wide && items.len() > 6 { 2 } else { 1 };
    let per_column = items.len().div_ceil(columns).max(1);
    let frames = rest.columns(columns, unit * 6.0);
    let height = (rest.height / per_column as f32).min(unit * 20.0);
    let factor = if columns == 1 && height > unit * 11.0 { 1.25 } else { 1.0 };
    for (at, item) in items.iter().enumerate() {
        let frame = frames[at / per_column];
        let row = Frame::new(frame.x, frame.y + (at % per_column) as f32 * height, frame.width, height);
        sheet.rule((row.x, row.y), (row.right(), row.y), Role::Line, (unit * 0.14).max(1.0));
        let (number, name) = row.split_left(unit * 8.0);
        sheet.put(&Words::label(&format!("{:02}", at + 1)).sized(factor).anchored(Anchor::Middle), number);
        let inner = name.inset_by(0.0, unit * 0.6);
        sheet.put(&Words::heading(item).sized(factor).at_least(0.58).anchored(Anchor::Middle), inner);
    }
}
