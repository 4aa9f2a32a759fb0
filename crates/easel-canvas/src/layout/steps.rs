//! Things one after the other: along a line, down a ladder, up stairs.

use super::head::{put_head, put_lead};
use super::lists::{height_of, points_of, put_point, put_point_on_accent};
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Passage, Point};
use crate::document::Anchor;
use crate::geometry::Frame;
use crate::theme::Role;

/// Steps along a level line.
pub fn steps_line(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, _) = points_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    let columns = rest.columns(points.len().max(1), unit * 2.6);
    let inner_gap = unit * 1.2;
    let needed = points.iter().map(|point| height_of(sheet, point, columns[0].width, inner_gap)).fold(0.0, f32::max);
    let radius = unit * 3.0;
    let above = radius * 2.0 + unit * 3.0;
    if needed + above > rest.height {
        sheet.failed = true;
        return;
    }
    let y = rest.y + (rest.height - needed - above).max(0.0) * 0.42 + radius;
    let last_x = columns.last().map_or(rest.x, |column| column.x + radius);
    sheet.rule((columns[0].x + radius, y), (last_x, y), Role::Line, (unit * 0.4).max(1.5));
    for (at, (point, column)) in points.iter().zip(&columns).enumerate() {
        sheet.circle(column.x + radius, y, radius, Role::Accent);
        let number = Words::label(&(at + 1).to_string()).paint(Role::OnAccent).centered().anchored(Anchor::Middle);
        sheet.put(&number, Frame::new(column.x, y - radius, radius * 2.0, radius * 2.0));
        let place =
            Frame::new(column.x, y + radius + unit * 3.0, column.width, rest.bottom() - y - radius - unit * 3.0);
        put_point(sheet, point, place, inner_gap);
    }
}

/// Steps one under another along an upright line.
pub fn steps_ladder(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, _) = points_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    let radius = unit * 2.3;
    let inset = radius * 2.0 + unit * 2.6;
    // One column where it has room for all of them, two where it has not.
    let one_column: f32 =
        points.iter().map(|point| height_of(sheet, point, rest.width - inset, unit * 0.7).max(radius * 2.0)).sum();
    let is_long = one_column + unit * 3.0 * points.len() as f32 > rest.height;
    let columns = if sheet.shape() == PageShape::Wide && points.len() > 3 && is_long { 2 } else { 1 };
    let per_column = points.len().div_ceil(columns).max(1);
    let frames = rest.columns(columns, unit * 6.0);
    let gap = unit * 0.7;
    for (column, frame) in frames.iter().enumerate() {
        let mine: Vec<(usize, &Point)> = points.iter().enumerate().skip(column * per_column).take(per_column).collect();
        let width = frame.width - inset;
        let heights: Vec<f32> =
            mine.iter().map(|(_, point)| height_of(sheet, point, width, gap).max(radius * 2.0)).collect();
        let total: f32 = heights.iter().sum();
        let between = if mine.len() > 1 {
            ((frame.height - total) / (mine.len() - 1) as f32).min(unit * 11.0)
        } else {
            unit * 2.0
        };
        if total > frame.height || between < unit * 1.6 {
            sheet.failed = true;
            return;
        }
        let mut y = frame.y;
        let bottom =
            y + total + between * mine.len().saturating_sub(1) as f32 - heights.last().copied().unwrap_or(0.0) + radius;
        let x = frame.x + radius;
        sheet.rule((x, y + radius), (x, bottom), Role::Line, (unit * 0.4).max(1.5));
        for ((at, point), height) in mine.iter().zip(&heights) {
            sheet.circle(x, y + radius, radius, Role::Accent);
            let number = Words::label(&(at + 1).to_string()).paint(Role::OnAccent).centered().anchored(Anchor::Middle);
            sheet.put(&number, Frame::new(frame.x, y, radius * 2.0, radius * 2.0));
            put_point(sheet, point, Frame::new(frame.x + inset, y, width, height + 1.0), gap);
            y += height + between;
        }
    }
}

/// Blocks side by side that rise towards the end, the last in the accent; all stand on the foot of the page.
pub fn steps_stairs(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, points, _) = points_of(passage);
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    let columns = rest.columns(points.len().max(1), unit * 1.4);
    let (padding, gap, mark) = (unit * 2.6, unit * 1.2, unit * 6.4);
    let width = columns[0].width - padding * 2.0;
    let words = points.iter().map(|point| height_of(sheet, point, width, gap)).fold(0.0, f32::max);
    let spare = rest.height - words - mark - padding * 2.0;
    if spare < unit * 7.0 {
        sheet.failed = true;
        return;
    }
    let rise = spare.min(unit * 30.0) / points.len().saturating_sub(1).max(1) as f32;
    let radius = sheet.radius();
    for (at, (point, column)) in points.iter().zip(columns).enumerate() {
        let height = rest.height - rise * (points.len() - 1 - at) as f32;
        let is_last = at + 1 == points.len();
        let frame = Frame::new(column.x, rest.bottom() - height, column.width, height);
        sheet.rectangle(frame, if is_last { Role::Accent } else { Role::Surface }, radius);
        let inner = frame.inset(padding);
        let paint = if is_last { Role::OnAccent } else { Role::AccentText };
        let number = Words::heading(&format!("{:02}", at + 1)).fixed().sized(1.25).paint(paint);
        sheet.put(&number, Frame::new(inner.x, inner.y, inner.width, mark));
        let below = inner.split_top(mark).1;
        if is_last {
            put_point_on_accent(sheet, point, below, gap);
        } else {
            put_point(sheet, point, below, gap);
        }
    }
}
