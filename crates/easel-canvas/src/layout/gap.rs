//! A page that was asked for and that nothing was given for: an open place that says what belongs there.

use super::head::put_head;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Matter, Passage};
use crate::document::{Anchor, TextRole};
use crate::geometry::Frame;
use crate::theme::Role;

/// The title that the person named, and an open frame that asks for the rest.
pub fn gap(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Gap { ask } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    put_gap(sheet, ask, rest);
}

/// Puts the open frame into a frame.
pub fn put_gap(sheet: &mut Sheet<'_>, ask: &str, frame: Frame) {
    let unit = sheet.unit;
    if frame.height < unit * 8.0 {
        sheet.failed = true;
        return;
    }
    let radius = sheet.radius();
    sheet.outline(frame, Role::Line, (unit * 0.3).max(1.5), radius);
    let side = unit * 6.0;
    let words = Words::heading(ask).fixed().paint(Role::Muted).centered().at_least(0.5).role(TextRole::Placeholder);
    let height = sheet.height_of(&words, frame.width - unit * 4.0);
    let with_mark = frame.height > height + side + unit * 8.0;
    let total = height + if with_mark { side + unit * 2.0 } else { 0.0 };
    let mut y = frame.y + (frame.height - total).max(0.0) / 2.0;
    if with_mark {
        // A plus in a circle: here something can be added.
        let x = frame.x + frame.width / 2.0;
        let middle = y + side / 2.0;
        sheet.circle(x, middle, side / 2.0, Role::Wash);
        let (arm, line) = (side * 0.22, (unit * 0.4).max(1.5));
        sheet.rule((x - arm, middle), (x + arm, middle), Role::AccentText, line);
        sheet.rule((x, middle - arm), (x, middle + arm), Role::AccentText, line);
        y += side + unit * 2.0;
    }
    sheet
        .put(&words.anchored(Anchor::Top), Frame::new(frame.x + unit * 2.0, y, frame.width - unit * 4.0, height + 1.0));
}
