//! What every inner page has: a title at its head, in the same way on all pages of a document, and a line at its foot.

use super::art;
use super::setting::PageShape;
use super::sheet::{Sheet, move_down};
use super::words::Words;
use crate::content::Passage;
use crate::document::TextRole;
use crate::geometry::Frame;
use crate::origin::HeadPlace;
use crate::theme::Role;

/// Puts kicker and title at the head of the page; returns what is left for the rest.
pub fn put_head(sheet: &mut Sheet<'_>, passage: &Passage) -> Frame {
    let content = sheet.content();
    let is_wide = sheet.shape() == PageShape::Wide;
    match sheet.setting.arrangement.head {
        HeadPlace::Side if is_wide => put_head_beside(sheet, passage, content, false),
        HeadPlace::FarSide if is_wide => put_head_beside(sheet, passage, content, true),
        HeadPlace::Foot | HeadPlace::FarSide => put_head_below(sheet, passage, content),
        HeadPlace::Top | HeadPlace::Side => put_head_in(sheet, passage, content),
    }
}

/// Puts kicker and title into a column of their own, the motif at its foot.
fn put_head_beside(sheet: &mut Sheet<'_>, passage: &Passage, frame: Frame, is_far: bool) -> Frame {
    if passage.title.trim().is_empty() {
        return put_head_in(sheet, passage, frame);
    }
    let (width, gap) = (frame.width * 0.29, sheet.unit * 5.0);
    let (side, rest) = if is_far {
        let (rest, side) = frame.split_left(frame.width - width);
        (side, Frame::new(rest.x, rest.y, rest.width - gap, rest.height))
    } else {
        let (side, rest) = frame.split_left(width);
        (side, Frame::new(rest.x + gap, rest.y, rest.width - gap, rest.height))
    };
    let below = put_head_in(sheet, passage, side);
    art::fill_foot(sheet, below);
    rest
}

/// Puts kicker and title at the foot of a frame; returns what is left above them.
fn put_head_below(sheet: &mut Sheet<'_>, passage: &Passage, frame: Frame) -> Frame {
    let before = sheet.nodes.len();
    let left = put_head_in(sheet, passage, frame);
    let used = left.y - frame.y;
    let gap = if passage.title.trim().is_empty() { sheet.unit * 2.0 } else { sheet.unit * 3.6 };
    move_down(&mut sheet.nodes[before..], frame.height - used + gap.min(used));
    Frame::new(frame.x, frame.y, frame.width, (frame.height - used).max(1.0))
}

/// Puts kicker and title at the head of a frame; returns what is left of it.
pub fn put_head_in(sheet: &mut Sheet<'_>, passage: &Passage, frame: Frame) -> Frame {
    if passage.title.trim().is_empty() {
        return sheet.put_top(&Words::label(&passage.kicker), frame, sheet.unit * 2.0);
    }
    let unit = sheet.unit;
    let mut rest = frame;
    if sheet.setting.header_style == 1 {
        let bar = Frame::new(rest.x, rest.y, unit * 6.0, unit * 0.8);
        sheet.rectangle(bar, Role::Accent, 0.0);
        rest = rest.split_top(unit * 3.2).1;
    }
    rest = sheet.put_top(&Words::label(&passage.kicker), rest, unit * 1.2);
    let wide = sheet.shape() == PageShape::Wide && frame.width > sheet.page.width * 0.6;
    let (title_frame, _) = rest.split_left(if wide { rest.width * 0.82 } else { rest.width });
    let title_frame = Frame::new(title_frame.x, title_frame.y, title_frame.width, frame.height * 0.42);
    // A narrow column takes more lines rather than small letters.
    let is_column = sheet.shape() == PageShape::Wide && !wide;
    let lines = if wide {
        2
    } else if is_column {
        5
    } else {
        3
    };
    let used = sheet.put(&Words::title(&passage.title).most_lines(lines), title_frame);
    rest = rest.split_top(used).1;
    if sheet.setting.header_style == 2 {
        let y = rest.y + unit * 2.2;
        sheet.rule((frame.x, y), (frame.right(), y), Role::Line, (unit * 0.14).max(1.0));
        rest = rest.split_top(unit * 2.4).1;
    }
    rest.split_top(unit * 3.6).1
}

/// Puts the words before the rest of a page; returns what is left.
pub fn put_lead(sheet: &mut Sheet<'_>, lead: &str, frame: Frame) -> Frame {
    if lead.trim().is_empty() {
        return frame;
    }
    let words = Words::body(lead).paint(Role::Muted);
    let (place, _) = frame.split_left(frame.width.min(sheet.unit * 118.0));
    let used = sheet.put(&words, place);
    frame.split_top(used + sheet.unit * 3.0).1
}

/// The line at the foot of a page: the document's name and the page's number.
pub fn put_foot(sheet: &mut Sheet<'_>, number: usize) {
    if sheet.setting.foot.is_empty() {
        return;
    }
    let body = sheet.body();
    let height = sheet.scale.label * 1.3;
    let y = (sheet.page.bottom() - sheet.margin * 0.42 - height).max(body.bottom() - height);
    let style = |words: Words| words.paint(Role::Muted).role(TextRole::Footer).sized(0.86).most_lines(1).at_least(0.6);
    let number_width = sheet.scale.label * 4.0;
    let name: String = sheet.setting.foot.chars().take(60).collect();
    let (left, right) = (
        Frame::new(body.x, y, body.width - number_width - sheet.unit * 2.0, height),
        Frame::new(body.right() - number_width, y, number_width, height),
    );
    let was_failed = sheet.failed;
    let words = style(Words::label(&name));
    if sheet.height_within(&words, left) <= height {
        sheet.put(&words, left);
    }
    sheet.put(&style(Words::label(&number.to_string()).at_end()), right);
    sheet.failed = was_failed;
}

/// The logo at the end of the title's line, small.
pub fn put_small_logo(sheet: &mut Sheet<'_>) {
    let Some(asset) = sheet.setting.logo.and_then(|id| sheet.asset(id)) else { return };
    let height = sheet.unit * 3.4;
    let width = (height * asset.width as f32 / asset.height.max(1) as f32).min(sheet.unit * 16.0);
    let body = sheet.body();
    let place = Frame::new(body.right() - width, sheet.margin * 0.42, width, height.min(sheet.margin * 0.55));
    let id = asset.id.clone();
    sheet.image(&id, place, crate::document::Fit::Contain, 0.0);
}
