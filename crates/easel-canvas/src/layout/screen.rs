//! Screens of an app: a board with a side bar on broad pages, a phone's screen on high ones.

use super::numbers::{put_chart, put_table};
use super::sheet::Sheet;
use super::words::Words;
use crate::chart::{ChartData, TableData};
use crate::content::{Figure, Matter, Passage};
use crate::document::{Anchor, TextRole};
use crate::geometry::Frame;
use crate::theme::Role;

/// Navigation at the side, numbers above, a chart and a list below.
pub fn board(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Screen { navigation, figures, table, chart, action } = &passage.matter else { return };
    let unit = sheet.unit;
    let page = sheet.page;
    let (side, main) = page.split_left((page.width * 0.18).max(unit * 22.0));
    sheet.rectangle(side, Role::Surface, 0.0);
    put_navigation(sheet, passage, navigation, side.inset(sheet.margin));
    let inner = main.inset(sheet.margin * 1.2);
    let (bar, mut rest) = inner.split_top(unit * 6.0);
    put_title_bar(sheet, passage, action, bar);
    rest = rest.split_top(unit * 3.0).1;
    let gap = unit * 2.0;
    if !figures.is_empty() {
        let (row, below) = rest.split_top(unit * 14.0);
        put_tiles(sheet, figures, row, figures.len().min(4));
        rest = below.split_top(gap).1;
    }
    let (upper, lower) = match chart {
        Some(_) => rest.split_top(rest.height * 0.48),
        None => rest.split_top(0.0),
    };
    if let Some(chart) = chart {
        put_panel_chart(sheet, chart, Frame::new(upper.x, upper.y, upper.width, upper.height - gap));
    }
    put_panel_table(sheet, table, lower);
}

/// Navigation above, numbers in a column at the side, the list before the chart.
pub fn bar(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Screen { navigation, figures, table, chart, action } = &passage.matter else { return };
    let unit = sheet.unit;
    let page = sheet.page;
    let (top, main) = page.split_top(unit * 8.0);
    sheet.rectangle(top, Role::Surface, 0.0);
    put_navigation_bar(sheet, passage, navigation, top.inset_by(sheet.margin * 1.2, unit * 1.6));
    let mut rest = main.inset(sheet.margin * 1.2);
    let (head, below) = rest.split_top(unit * 7.0);
    put_title_bar(sheet, passage, action, head);
    rest = below.split_top(unit * 2.0).1;
    let gap = unit * 2.0;
    if !figures.is_empty() {
        let (side, main) = rest.split_left(rest.width * 0.26);
        let height = (unit * 14.0 + gap) * figures.len() as f32 - gap;
        let side = Frame::new(side.x, side.y, side.width - gap, side.height.min(height));
        put_tiles(sheet, figures, side, 1);
        rest = main;
    }
    let table_height = if chart.is_some() { rest.height * 0.5 } else { rest.height };
    let (upper, lower) = rest.split_top(if table.head.is_empty() { 0.0 } else { table_height });
    put_panel_table(sheet, table, upper);
    if let Some(chart) = chart {
        let gap = if table.head.is_empty() { 0.0 } else { gap };
        put_panel_chart(sheet, chart, lower.split_top(gap).1);
    }
}

/// The items in a row, behind the mark and the name of the app.
fn put_navigation_bar(sheet: &mut Sheet<'_>, passage: &Passage, items: &[String], frame: Frame) {
    let unit = sheet.unit;
    let (brand, rest) = frame.split_left(frame.width * 0.26);
    put_brand(sheet, passage, brand);
    // What has few items does not spread them over the whole bar.
    let width = (rest.width / items.len().max(1) as f32).min(unit * 22.0);
    for (at, item) in items.iter().enumerate() {
        let cell = Frame::new(rest.x + at as f32 * width, rest.y, width - unit, rest.height);
        let paint = if at == 0 { Role::OnAccent } else { Role::Ink };
        if at == 0 {
            let radius = (sheet.radius() * 0.7).min(cell.height / 2.0);
            sheet.rectangle(cell, Role::Accent, radius);
        }
        let words = Words::body(item).paint(paint).fixed().most_lines(1).at_least(0.7).centered();
        sheet.put(&words.anchored(Anchor::Middle), cell.inset_by(unit * 0.8, 0.0));
    }
}

/// The mark of an app and its name in one line.
fn put_brand(sheet: &mut Sheet<'_>, passage: &Passage, frame: Frame) {
    let mark = sheet.unit * 2.6;
    let round = (sheet.radius() * 0.6).min(mark / 2.0);
    let place = Frame::new(frame.x, frame.y + (frame.height - mark) / 2.0, mark, mark);
    sheet.rectangle(place, Role::Accent, round);
    let name = Words::heading(&passage.kicker).fixed().most_lines(1).at_least(0.5).anchored(Anchor::Middle);
    sheet.put(&name, frame.split_left(mark + sheet.unit * 1.2).1);
}

fn put_panel_chart(sheet: &mut Sheet<'_>, chart: &ChartData, frame: Frame) {
    let radius = sheet.radius();
    sheet.rectangle(frame, Role::Surface, radius);
    let inner = frame.inset(sheet.unit * 2.4);
    put_chart(sheet, chart, inner);
}

fn put_panel_table(sheet: &mut Sheet<'_>, table: &TableData, frame: Frame) {
    if table.head.is_empty() {
        return;
    }
    let radius = sheet.radius();
    sheet.rectangle(frame, Role::Surface, radius);
    let inner = frame.inset(sheet.unit * 2.2);
    let size = sheet.scale.small * sheet.zoom.min(1.0);
    if !put_table(sheet, table, inner, size) {
        sheet.failed = true;
    }
}

fn put_navigation(sheet: &mut Sheet<'_>, passage: &Passage, items: &[String], frame: Frame) {
    let unit = sheet.unit;
    let (brand, rest) = frame.split_top(unit * 4.4);
    put_brand(sheet, passage, brand);
    let rest = rest.split_top(unit * 3.0).1;
    let height = (rest.height / items.len().max(1) as f32).min(unit * 4.6);
    for (at, item) in items.iter().enumerate() {
        let row = Frame::new(rest.x, rest.y + at as f32 * height, rest.width, height * 0.86);
        let (ground, paint) = if at == 0 { (Some(Role::Accent), Role::OnAccent) } else { (None, Role::Ink) };
        if let Some(ground) = ground {
            let radius = (sheet.radius() * 0.7).min(row.height / 2.0);
            sheet.rectangle(row, ground, radius);
        }
        let dot = unit * 0.55;
        sheet.circle(row.x + unit * 1.6, row.y + row.height / 2.0, dot, paint);
        let words = Words::body(item).paint(paint).fixed().most_lines(1).at_least(0.7).anchored(Anchor::Middle);
        sheet.put(&words, Frame::new(row.x + unit * 3.2, row.y, row.width - unit * 4.0, row.height));
    }
}

/// The title of a screen, and its button at the end of the same bar.
fn put_title_bar(sheet: &mut Sheet<'_>, passage: &Passage, action: &str, bar: Frame) {
    let button_width = put_button(sheet, action, bar);
    let title = Words::title(&passage.title).most_lines(1).anchored(Anchor::Middle);
    sheet.put(&title, Frame::new(bar.x, bar.y, bar.width - button_width - sheet.unit * 2.0, bar.height));
}

/// A button at the end of a bar; returns its width.
fn put_button(sheet: &mut Sheet<'_>, action: &str, bar: Frame) -> f32 {
    if action.trim().is_empty() {
        return 0.0;
    }
    let unit = sheet.unit;
    let words = Words::body(action)
        .paint(Role::OnAccent)
        .fixed()
        .weight(600)
        .most_lines(1)
        .at_least(0.7)
        .centered()
        .anchored(Anchor::Middle);
    let width = (sheet.width_of(&words) + unit * 5.0).min(bar.width * 0.4);
    let height = unit * 4.4;
    let frame = Frame::new(bar.right() - width, bar.y + (bar.height - height) / 2.0, width, height);
    let radius = sheet.radius().min(height / 2.0);
    sheet.rectangle(frame, Role::Accent, radius);
    sheet.put(&words, frame.inset_by(unit * 1.5, 0.0));
    width
}

fn put_tiles(sheet: &mut Sheet<'_>, figures: &[Figure], frame: Frame, columns: usize) {
    let unit = sheet.unit;
    let rows = figures.len().div_ceil(columns.max(1)).max(1);
    let radius = sheet.radius();
    let rows = frame.rows(rows, unit * 2.0);
    for (at, figure) in figures.iter().enumerate() {
        let row = rows[(at / columns).min(rows.len() - 1)];
        let tile = row.columns(columns, unit * 2.0)[at % columns];
        let is_loud = at == 0;
        sheet.rectangle(tile, if is_loud { Role::Accent } else { Role::Surface }, radius);
        let inner = tile.inset(unit * 2.0);
        let (label_paint, number_paint) =
            if is_loud { (Role::OnAccent, Role::OnAccent) } else { (Role::Muted, Role::Ink) };
        let label = Words::body(&figure.label).small().fixed().at_least(0.7).most_lines(1).paint(label_paint);
        let below = sheet.put_top(&label, inner, unit * 0.6);
        let number = Words::number(&figure.value).sized(0.95).paint(number_paint).anchored(Anchor::Bottom);
        sheet.put(&number, below);
    }
}

/// A phone's screen: head, tiles, rows, a bar at the foot.
pub fn phone(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Screen { navigation, figures, table, chart, action } = &passage.matter else { return };
    let rest = put_phone_head(sheet, passage);
    let rest = put_phone_figures(sheet, figures, rest);
    let rest = put_phone_chart(sheet, chart.as_ref(), rest);
    let list = put_phone_button(sheet, action, rest);
    put_phone_rows(sheet, table, list);
    put_phone_bar(sheet, navigation);
}

/// The same with the list first, and the numbers below it.
pub fn phone_list(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Screen { navigation, figures, table, chart, action } = &passage.matter else { return };
    let rest = put_phone_head(sheet, passage);
    let mut rest = put_phone_button(sheet, action, rest);
    let gap = sheet.unit * 2.4;
    let tiles = phone_tile_rows(figures) as f32 * sheet.unit * 22.0;
    if tiles > 0.0 {
        let (above, below) = rest.split_top(rest.height - tiles);
        put_phone_figures(sheet, figures, below);
        rest = Frame::new(above.x, above.y, above.width, above.height - gap);
    }
    if let Some(chart) = chart {
        let (above, below) = rest.split_top(rest.height * 0.58);
        put_panel_chart(sheet, chart, below);
        rest = Frame::new(above.x, above.y, above.width, above.height - gap);
    }
    put_phone_rows(sheet, table, rest);
    put_phone_bar(sheet, navigation);
}

/// The height of the bar at the foot of a phone's screen, in units.
const PHONE_BAR: f32 = 13.0;

/// Kicker and title; returns what is left between them and the bar at the foot.
fn put_phone_head(sheet: &mut Sheet<'_>, passage: &Passage) -> Frame {
    let unit = sheet.unit;
    let body = sheet.page.inset(sheet.margin * 1.6);
    let height = sheet.page.height - unit * PHONE_BAR - body.y - unit * 2.0;
    let rest = Frame::new(body.x, body.y, body.width, height);
    let rest = sheet.put_top(&Words::label(&passage.kicker).sized(1.6), rest, unit * 1.0);
    sheet.put_top(&Words::title(&passage.title).sized(1.9).role(TextRole::Title), rest, unit * 3.0)
}

/// The bar of items at the foot.
fn put_phone_bar(sheet: &mut Sheet<'_>, navigation: &[String]) {
    let unit = sheet.unit;
    let page = sheet.page;
    let bar = Frame::new(0.0, page.height - unit * PHONE_BAR, page.width, unit * PHONE_BAR);
    sheet.rectangle(bar, Role::Surface, 0.0);
    let shown = &navigation[..navigation.len().min(4)];
    for (at, (cell, name)) in
        bar.inset_by(sheet.margin, unit * 1.2).columns(shown.len().max(1), unit).into_iter().zip(shown).enumerate()
    {
        let paint = if at == 0 { Role::Accent } else { Role::Muted };
        let centre = cell.x + cell.width / 2.0;
        sheet.circle(centre, cell.y + unit * 3.0, unit * 1.5, paint);
        let words = Words::body(name)
            .sized(1.35)
            .fixed()
            .paint(if at == 0 { Role::Ink } else { Role::Muted })
            .centered()
            .most_lines(1)
            .at_least(0.6);
        sheet.put(&words, Frame::new(cell.x, cell.y + unit * 5.6, cell.width, unit * 4.6));
    }
}

/// How many rows the tiles of a phone's screen take.
fn phone_tile_rows(figures: &[Figure]) -> usize {
    figures.len().min(4).div_ceil(2)
}

/// Up to four tiles at the head of a frame; returns what is left of it.
fn put_phone_figures(sheet: &mut Sheet<'_>, figures: &[Figure], frame: Frame) -> Frame {
    if figures.is_empty() {
        return frame;
    }
    let shown = &figures[..figures.len().min(4)];
    let columns = if shown.len() > 1 { 2 } else { 1 };
    let rows = phone_tile_rows(figures);
    let (tiles, below) = frame.split_top(sheet.unit * 22.0 * rows as f32);
    put_phone_tiles(sheet, shown, tiles, columns, rows);
    below.split_top(sheet.unit * 2.4).1
}

/// A chart at the head of a frame; returns what is left below it.
fn put_phone_chart(sheet: &mut Sheet<'_>, chart: Option<&ChartData>, frame: Frame) -> Frame {
    let Some(chart) = chart else { return frame };
    let (upper, below) = frame.split_top(frame.height * 0.42);
    put_panel_chart(sheet, chart, upper);
    below.split_top(sheet.unit * 2.4).1
}

/// A button over the whole breadth at the foot of a frame; returns what is left above it.
fn put_phone_button(sheet: &mut Sheet<'_>, action: &str, frame: Frame) -> Frame {
    if action.is_empty() {
        return frame;
    }
    let unit = sheet.unit;
    let (gap, height) = (unit * 2.4, unit * 11.0);
    let (rest, foot) = frame.split_top(frame.height - height - gap);
    let place = Frame::new(foot.x, foot.bottom() - height, foot.width, height);
    let radius = sheet.radius().max(unit * 1.5);
    sheet.rectangle(place, Role::Accent, radius);
    let words = Words::body(action)
        .sized(2.0)
        .fixed()
        .paint(Role::OnAccent)
        .weight(600)
        .centered()
        .most_lines(1)
        .at_least(0.5)
        .anchored(Anchor::Middle);
    sheet.put(&words, place.inset_by(unit * 2.0, 0.0));
    rest
}

fn put_phone_tiles(sheet: &mut Sheet<'_>, figures: &[Figure], frame: Frame, columns: usize, rows: usize) {
    let unit = sheet.unit;
    let radius = sheet.radius();
    let rows = frame.rows(rows, unit * 2.4);
    for (at, figure) in figures.iter().enumerate() {
        let tile = rows[at / columns].columns(columns, unit * 2.4)[at % columns];
        let is_loud = at == 0;
        sheet.rectangle(tile, if is_loud { Role::Accent } else { Role::Surface }, radius);
        let inner = tile.inset(unit * 3.0);
        let (label_paint, number_paint) =
            if is_loud { (Role::OnAccent, Role::OnAccent) } else { (Role::Muted, Role::Ink) };
        let label = Words::body(&figure.label).sized(1.7).fixed().at_least(0.6).most_lines(1).paint(label_paint);
        let below = sheet.put_top(&label, inner, unit * 0.6);
        sheet.put(&Words::number(&figure.value).sized(1.8).paint(number_paint).anchored(Anchor::Bottom), below);
    }
}

fn put_phone_rows(sheet: &mut Sheet<'_>, table: &TableData, frame: Frame) {
    let unit = sheet.unit;
    // Few rows are higher, so that they fill the screen.
    let height = (frame.height / table.rows.len().max(1) as f32).clamp(unit * 13.0, unit * 36.0);
    let shown = ((frame.height / height + 0.01).floor() as usize).min(table.rows.len());
    if shown == 0 && !table.rows.is_empty() {
        sheet.failed = true;
    }
    for (at, row) in table.rows.iter().take(shown).enumerate() {
        let place = Frame::new(frame.x, frame.y + at as f32 * height, frame.width, height);
        sheet.rule((place.x, place.y), (place.right(), place.y), Role::Line, (unit * 0.2).max(1.0));
        let inner = place.inset_by(0.0, unit * 1.4);
        let name = row.first().map(String::as_str).unwrap_or_default();
        let value = if row.len() > 1 { told(table, row, row.len() - 1) } else { String::new() };
        let (left, right) = inner.split_left(inner.width * 0.62);
        let between = between(table, row);
        let (upper, lower) = if between.is_empty() {
            (left, None)
        } else {
            let (upper, lower) = left.split_top(left.height * 0.56);
            (upper, Some(lower))
        };
        let anchor = if lower.is_some() { Anchor::Bottom } else { Anchor::Middle };
        let name = Words::body(name).sized(1.9).fixed().weight(600).most_lines(1).at_least(0.6).anchored(anchor);
        sheet.put(&name, upper);
        if let Some(lower) = lower {
            let words = Words::body(&between).sized(1.3).fixed().paint(Role::Muted).most_lines(1).at_least(0.6);
            sheet.put(&words, lower);
        }
        sheet.put(
            &Words::body(&value)
                .sized(1.7)
                .fixed()
                .paint(Role::Muted)
                .at_end()
                .most_lines(1)
                .at_least(0.6)
                .anchored(Anchor::Middle),
            right,
        );
    }
}

/// What stands in a row between its name and its value, with what it is: “Owner Ana · Due 12 May”.
fn between(table: &TableData, row: &[String]) -> String {
    let places = 1..row.len().saturating_sub(1);
    places.map(|at| told(table, row, at)).filter(|told| !told.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// A cell with what its column is called, which has no place of its own on a phone.
fn told(table: &TableData, row: &[String], at: usize) -> String {
    match (table.head.get(at).map_or("", String::as_str), row[at].as_str()) {
        (_, "") => String::new(),
        ("", cell) => cell.to_owned(),
        (head, cell) => format!("{head} {cell}"),
    }
}
