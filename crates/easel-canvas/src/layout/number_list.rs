//! A list of names with a number each, such as prices that nobody called a menu. The number stands at the end of its name's line.

use super::head::{put_head, put_lead};
use super::sheet::Sheet;
use super::words::Words;
use crate::chart_drawing::is_number;
use crate::content::{Matter, Passage, Point};
use crate::document::Anchor;
use crate::geometry::Frame;
use crate::theme::Role;

/// Whether a passage is names with nothing but a number behind each.
pub fn is_number_list(passage: &Passage) -> bool {
    let Matter::Points { points, ordered: false, .. } = &passage.matter else { return false };
    points.len() >= 2
        && points.iter().all(|point| {
            let price = point.body_text();
            !point.head.is_empty() && price.chars().count() <= 12 && is_number(&price)
        })
}

/// Rows between hairlines that fill the page: the name at one end, the price at the other.
pub fn points_numbers(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Points { lead, points, .. } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    let price = |point: &Point| Words::heading(&point.body_text()).at_least(1.0).paint(Role::AccentText).at_end();
    let price_width = points.iter().map(|point| sheet.width_of(&price(point))).fold(0.0, f32::max) + unit;
    let name_width = rest.width - price_width - unit * 4.0;
    let needed = points
        .iter()
        .map(|point| sheet.height_of(&Words::heading(&point.head), name_width.max(1.0)))
        .fold(0.0, f32::max);
    let height = (rest.height / points.len() as f32).min(unit * 27.0);
    if name_width < unit * 16.0 || needed + unit * 1.6 > height {
        sheet.failed = true;
        return;
    }
    for (at, point) in points.iter().enumerate() {
        let row = Frame::new(rest.x, rest.y + at as f32 * height, rest.width, height);
        sheet.rule((row.x, row.y), (row.right(), row.y), Role::Line, (unit * 0.14).max(1.0));
        let (name, _) = row.split_left(name_width);
        sheet.put(&Words::heading(&point.head).anchored(Anchor::Middle), name);
        let place = Frame::new(row.right() - price_width, row.y, price_width, row.height);
        sheet.put(&price(point).anchored(Anchor::Middle), place);
    }
    let y = rest.y + height * points.len() as f32;
    sheet.rule((rest.x, y), (rest.right(), y), Role::Line, (unit * 0.14).max(1.0));
}
