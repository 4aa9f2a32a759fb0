//! Several passages on one page: on a slide in a grid under its head, on a poster or a flyer under a large title with
//! the details at the foot.

use super::head::put_head;
use super::opening::put_logo;
use super::paper::place_matter;
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use super::{art, columns, gap, menu};
use crate::content::{Matter, Passage};
use crate::document::TextRole;
use crate::geometry::Frame;
use crate::theme::Role;

struct Board<'p> {
    subtitle: &'p str,
    parts: &'p [Passage],
    details: &'p [String],
}

fn board_of(passage: &Passage) -> Board<'_> {
    match &passage.matter {
        Matter::Board { subtitle, parts, details } => Board { subtitle, parts, details },
        _ => Board { subtitle: "", parts: &[], details: &[] },
    }
}

/// Under the head of a slide: what is said first, a grid, the details in a line at the foot.
pub fn board_grid(sheet: &mut Sheet<'_>, passage: &Passage) {
    let board = board_of(passage);
    let mut rest = put_head(sheet, passage);
    rest = sheet.put_top(&Words::subtitle(board.subtitle), rest, sheet.unit * 2.6);
    if !board.details.is_empty() {
        let words = Words::body(&board.details.join("  ·  ")).weight(600).fixed().at_least(0.7);
        let height = sheet.height_of(&words, rest.width);
        let (above, foot) = rest.split_top((rest.height - height).max(1.0));
        sheet.put(&words, foot);
        rest = above.split_top((above.height - sheet.unit * 2.6).max(1.0)).0;
    }
    let with_cards = board.parts.len() > 1;
    put_parts(sheet, board.parts, rest, with_cards);
}

/// A large title on a band of the accent, the parts below it, the details at the foot.
pub fn board_poster(sheet: &mut Sheet<'_>, passage: &Passage) {
    let board = board_of(passage);
    let page = sheet.page;
    let part = if sheet.shape() == PageShape::Wide { 0.36 } else { 0.3 };
    let inner = Frame::new(
        sheet.margin,
        sheet.margin * 0.8,
        page.width - sheet.margin * 2.0,
        page.height * part - sheet.margin * 1.4,
    );
    // As high as its words need, no higher.
    let title = Words::display(&passage.title).sized(0.95).most_lines(3).paint(Role::OnAccent);
    let subtitle = Words::subtitle(board.subtitle).paint(Role::OnAccent);
    let kicker = Words::label(&passage.kicker).paint(Role::OnAccent);
    let gap = sheet.unit * 1.8;
    let heights: Vec<f32> = [&kicker, &title, &subtitle]
        .iter()
        .map(|words| if words.is_empty() { 0.0 } else { sheet.height_within(words, inner) + gap })
        .collect();
    let band =
        Frame::new(0.0, 0.0, page.width, (heights.iter().sum::<f32>() + sheet.margin * 1.6).min(page.height * 0.5));
    if heights.iter().sum::<f32>() > 0.0 {
        sheet.rectangle(band, Role::Accent, 0.0);
    }
    let mut rest = Frame::new(inner.x, sheet.margin * 0.9, inner.width, band.height - sheet.margin * 0.9);
    for words in [&kicker, &title, &subtitle] {
        rest = sheet.put_top(words, rest, gap);
    }
    let top = if heights.iter().sum::<f32>() > 0.0 { band.height + sheet.margin * 0.7 } else { sheet.margin };
    let body = Frame::new(sheet.margin, top, page.width - sheet.margin * 2.0, page.height - top - sheet.margin);
    put_body(sheet, &board, body);
}

/// The title on the ground itself, larger, with a bar above it.
pub fn board_type(sheet: &mut Sheet<'_>, passage: &Passage) {
    let board = board_of(passage);
    let body = sheet.body();
    let used = put_logo(sheet, body, true);
    sheet.rectangle(Frame::new(body.x, body.y, sheet.unit * 12.0, sheet.unit * 1.4), Role::Accent, 0.0);
    let mut rest = body.split_top((sheet.unit * 3.6).max(used)).1;
    let room = Frame::new(rest.x, rest.y, rest.width, rest.height * 0.42);
    rest = sheet.put_top(&Words::label(&passage.kicker).sized(1.1), rest, sheet.unit * 1.2);
    let title = Words::display(&passage.title).sized(1.05).most_lines(3);
    if !title.is_empty() {
        let height = sheet.put(&title, room.split_top(rest.y - room.y).1);
        rest = rest.split_top(height + sheet.unit * 2.0).1;
    }
    rest = sheet.put_top(&Words::subtitle(board.subtitle), rest, sheet.unit * 1.6);
    rest = rest.split_top(sheet.unit * 2.0).1;
    put_body(sheet, &board, rest);
}

/// The title and the details on a panel of the accent at the side, the parts beside it.
pub fn board_side(sheet: &mut Sheet<'_>, passage: &Passage) {
    let board = board_of(passage);
    let page = sheet.page;
    let (panel, beside) = page.split_left(page.width * if sheet.shape() == PageShape::Wide { 0.36 } else { 0.4 });
    sheet.rectangle(panel, Role::Accent, 0.0);
    let inner = Frame::new(
        sheet.margin * 0.8,
        sheet.margin,
        panel.width - sheet.margin * 1.5,
        panel.height - sheet.margin * 2.0,
    );
    let inner = put_details_at_foot(sheet, board.details, inner, Role::OnAccent);
    put_words(sheet, passage, board.subtitle, inner, Role::OnAccent, 0.84);
    let body = beside.inset_by(sheet.margin * 0.8, sheet.margin);
    put_parts(sheet, board.parts, body, false);
}

/// The parts above, the title and the details on a band of the accent at the foot.
pub fn board_foot(sheet: &mut Sheet<'_>, passage: &Passage) {
    let board = board_of(passage);
    let page = sheet.page;
    let width = page.width - sheet.margin * 2.0;
    let trial = Frame::new(sheet.margin, 0.0, width, page.height * 0.46);
    let before = sheet.nodes.len();
    let above = put_details_at_foot(sheet, board.details, trial, Role::OnAccent);
    let left = put_words(sheet, passage, board.subtitle, above, Role::OnAccent, 1.0);
    sheet.nodes.truncate(before);
    let needed = trial.height - left.height;
    let high = needed + sheet.margin * 1.9;
    let band = Frame::new(0.0, page.height - high, page.width, high);
    sheet.rectangle(band, Role::Accent, 0.0);
    let inner = Frame::new(sheet.margin, band.y + sheet.margin * 0.9, width, needed + 1.0);
    let inner = put_details_at_foot(sheet, board.details, inner, Role::OnAccent);
    put_words(sheet, passage, board.subtitle, inner, Role::OnAccent, 1.0);
    let body = Frame::new(sheet.margin, sheet.margin, width, band.y - sheet.margin * 1.8);
    put_parts(sheet, board.parts, body, false);
}

/// The details in a narrow column at the side, title and parts in a broad one.
pub fn board_indent(sheet: &mut Sheet<'_>, passage: &Passage) {
    let board = board_of(passage);
    let body = sheet.body();
    let unit = sheet.unit;
    let (side, broad) = body.split_left(body.width * 0.3);
    let side = Frame::new(side.x, side.y, side.width - unit * 4.0, side.height);
    // On a story, a third of the width has room for a word or two in a line.
    sheet.failed |= side.width < body.height * 0.15;
    sheet.rectangle(Frame::new(side.x, side.y, side.width, unit * 1.4), Role::Accent, 0.0);
    let below = put_details_at_foot(sheet, board.details, side, Role::Ink);
    let mark = below.width.min(below.height - unit * 8.0);
    if mark > unit * 10.0 {
        art::fill(sheet, Frame::new(below.x, below.y + unit * 5.0, mark, mark));
    }
    let rest = put_words(sheet, passage, board.subtitle, broad, Role::Ink, 0.9);
    let y = rest.y + unit;
    sheet.rule((broad.x, y), (broad.right(), y), Role::Ink, (unit * 0.2).max(1.0));
    put_parts(sheet, board.parts, rest.split_top(unit * 4.0).1, false);
}

/// Kicker, title and subtitle from the top of a frame; returns what is left below them.
fn put_words(
    sheet: &mut Sheet<'_>,
    passage: &Passage,
    subtitle: &str,
    frame: Frame,
    paint: Role,
    factor: f32,
) -> Frame {
    let gap = sheet.unit * 1.8;
    let quiet = if paint == Role::Ink { Role::AccentText } else { paint };
    let rest = sheet.put_top(&Words::label(&passage.kicker).paint(quiet).sized(1.1), frame, gap);
    let title = Words::display(&passage.title).sized(factor).most_lines(5).paint(paint);
    let room = Frame::new(rest.x, rest.y, rest.width, rest.height * 0.7);
    let rest = if title.is_empty() {
        rest
    } else {
        let used = sheet.put(&title, room);
        rest.split_top(used + gap).1
    };
    sheet.put_top(&Words::subtitle(subtitle).paint(paint), rest, gap)
}

/// The details one under another at the foot of a frame; returns what is left above them.
fn put_details_at_foot(sheet: &mut Sheet<'_>, details: &[String], frame: Frame, paint: Role) -> Frame {
    if details.is_empty() {
        return frame;
    }
    let words = Words::body(&details.join("\n")).fixed().weight(600).at_least(0.7).paragraph_gap(0.4).paint(paint);
    let height = sheet.height_of(&words, frame.width);
    sheet.failed |= height > frame.height * 0.6;
    let (above, foot) = frame.split_top((frame.height - height).max(1.0));
    sheet.put(&words, foot);
    above.split_top((above.height - sheet.unit * 3.0).max(1.0)).0
}

fn put_body(sheet: &mut Sheet<'_>, board: &Board<'_>, frame: Frame) {
    let mut rest = frame;
    if !board.details.is_empty() {
        let count = if board.details.len() > 3 && frame.width > sheet.unit * 60.0 { 2 } else { 1 };
        let columns = frame.columns(count, sheet.unit * 4.0);
        let per_column = board.details.len().div_ceil(count);
        let words: Vec<Words> = board
            .details
            .chunks(per_column)
            .map(|details| Words::body(&details.join("\n")).fixed().weight(600).at_least(0.6).paragraph_gap(0.35))
            .collect();
        let height = words.iter().map(|words| sheet.height_of(words, columns[0].width)).fold(0.0, f32::max);
        if height > rest.height * 0.6 {
            sheet.failed = true;
        }
        let (above, foot) = rest.split_top((rest.height - height).max(1.0));
        let line = foot.y - sheet.unit * 1.8;
        sheet.rule((foot.x, line), (foot.right(), line), Role::Ink, (sheet.unit * 0.2).max(1.0));
        for (words, column) in words.iter().zip(&columns) {
            sheet.put(words, Frame::new(column.x, foot.y, column.width, foot.height + 1.0));
        }
        rest = above.split_top((above.height - sheet.unit * 4.4).max(1.0)).0;
    }
    put_parts(sheet, board.parts, rest, false);
}

/// How many columns so many parts take in a frame.
fn column_count(sheet: &Sheet<'_>, parts: &[Passage], frame: Frame) -> usize {
    let is_broad = |part: &Passage| {
        matches!(
            part.matter,
            Matter::Chart { .. } | Matter::Table { .. } | Matter::Columns { .. } | Matter::Flow { .. }
        )
    };
    let ratio = frame.width / frame.height.max(1.0);
    match parts.len() {
        0 | 1 => 1,
        count @ (2 | 3) if ratio > 1.35 => count,
        4 if ratio > 1.0 => 2,
        5 | 6 if ratio > 1.1 => 3,
        7..=9 if ratio > 1.1 => 3,
        _ if ratio > 1.4 => 4,
        count if count > 3 && ratio > 0.6 && !parts.iter().any(is_broad) && frame.width > sheet.unit * 70.0 => 2,
        _ => 1,
    }
}

/// Parts in a grid whose rows are as high as they need; the rest of the height is shared.
fn put_parts(sheet: &mut Sheet<'_>, parts: &[Passage], frame: Frame, with_cards: bool) {
    if parts.is_empty() {
        return;
    }
    let unit = sheet.unit;
    let columns = column_count(sheet, parts, frame);
    let gap = unit * if with_cards { 2.2 } else { 4.0 };
    let padding = if with_cards { unit * 2.6 } else { 0.0 };
    let cells = frame.columns(columns, gap);
    let inner_width = cells[0].width - padding * 2.0;
    let rows: Vec<&[Passage]> = parts.chunks(columns).collect();
    let mut heights: Vec<f32> = Vec::new();
    for row in &rows {
        let mut most = 0.0_f32;
        for part in *row {
            most = most.max(measure(sheet, part, inner_width, frame.height) + padding * 2.0);
        }
        heights.push(most);
    }
    let total: f32 = heights.iter().sum::<f32>() + gap * (rows.len() - 1) as f32;
    if total > frame.height + 0.5 {
        sheet.failed = true;
        return;
    }
    let mut spare = frame.height - total;
    let mut y = frame.y;
    // What a few words leave open belongs to the motif, above them.
    if !with_cards && spare > frame.height * 0.34 && spare > unit * 22.0 {
        let high = spare - unit * 6.0;
        let wide = frame.width.min(high * 1.7);
        art::fill(sheet, Frame::new(frame.right() - wide, y, wide, high));
        y += spare - unit * 2.0;
        spare = unit * 2.0;
    }
    let share = spare / rows.len() as f32;
    let radius = sheet.radius();
    for (row, height) in rows.iter().zip(&heights) {
        let height = height + if with_cards { share } else { share.min(unit * 10.0) };
        let places = if row.len() < columns && rows.len() == 1 { frame.columns(row.len(), gap) } else { cells.clone() };
        for (part, cell) in row.iter().zip(&places) {
            let place = Frame::new(cell.x, y, cell.width, height);
            if with_cards {
                sheet.rectangle(place, Role::Surface, radius);
                sheet.rectangle(Frame::new(place.x, place.y, place.width, unit * 0.6), Role::Accent, 0.0);
            }
            put_part(sheet, part, place.inset(padding));
        }
        y += height + gap;
    }
}

fn measure(sheet: &mut Sheet<'_>, part: &Passage, width: f32, most: f32) -> f32 {
    let (before, dice) = (sheet.nodes.len(), sheet.dice.clone());
    let was_failed = sheet.failed;
    sheet.failed = false;
    let frame = Frame::new(0.0, 0.0, width, most * 3.0);
    let rest = put_part_top(sheet, part, frame);
    let used = if sheet.failed { f32::MAX / 4.0 } else { rest.y - frame.y };
    sheet.nodes.truncate(before);
    sheet.dice = dice;
    sheet.failed = was_failed;
    used
}

fn put_part(sheet: &mut Sheet<'_>, part: &Passage, frame: Frame) {
    let rest = put_part_top(sheet, part, frame);
    if rest.y > frame.bottom() + 1.0 {
        sheet.failed = true;
    }
}

/// A part from the top of a frame; returns what is left.
fn put_part_top(sheet: &mut Sheet<'_>, part: &Passage, frame: Frame) -> Frame {
    let unit = sheet.unit;
    let mut rest = sheet.put_top(&Words::label(&part.kicker), frame, unit * 0.7);
    rest =
        sheet.put_top(&Words::heading(&part.title).role(TextRole::Heading).paint(Role::AccentText), rest, unit * 1.4);
    match &part.matter {
        Matter::Menu { groups, lead, .. } => {
            rest = sheet.put_top(&Words::body(lead).paint(Role::Muted), rest, unit);
            let height = menu::height_of_groups(sheet, groups, rest.width);
            menu::put_groups(sheet, groups, Frame::new(rest.x, rest.y, rest.width, height + 1.0));
            rest.split_top(height).1
        }
        Matter::Columns { lead, columns } => {
            rest = sheet.put_top(&Words::body(lead).paint(Role::Muted), rest, unit);
            let height = (unit * 46.0).min(rest.height);
            columns::put_columns(sheet, columns, Frame::new(rest.x, rest.y, rest.width, height), true);
            rest.split_top(height).1
        }
        Matter::Flow { .. } => {
            let height = (rest.width * 0.5).min(rest.height);
            super::graph::put_graph(sheet, &part.matter, Frame::new(rest.x, rest.y, rest.width, height));
            rest.split_top(height).1
        }
        Matter::Gap { ask } => {
            let height = unit * 14.0;
            gap::put_gap(sheet, ask, Frame::new(rest.x, rest.y, rest.width, height));
            rest.split_top(height).1
        }
        matter => place_matter(sheet, matter, rest),
    }
}
