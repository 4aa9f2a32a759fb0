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
    let button_width = put_button(sheet, action, bar);
    let title = Words::title(&passage.title).most_lines(1).anchored(Anchor::Middle);
    sheet.put(&title, Frame::new(bar.x, bar.y, bar.width - button_width - unit * 2.0, bar.height));
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
    let mark = unit * 2.6;
    let round = (sheet.radius() * 0.6).min(mark / 2.0);
    sheet.rectangle(Frame::new(brand.x, brand.y + (brand.height - mark) / 2.0, mark, mark), Role::Accent, round);
    let name = Words::heading(&passage.kicker).fixed().most_lines(1).at_least(0.5).anchored(Anchor::Middle);
    sheet.put(&name, Frame::new(brand.x + mark + unit * 1.2, brand.y, brand.width - mark - unit * 1.2, brand.height));
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
    let unit = sheet.unit;
    let page = sheet.page;
    let bar_height = unit * 13.0;
    let body = page.inset(sheet.margin * 1.6);
    let mut rest = Frame::new(body.x, body.y, body.width, page.height - bar_height - body.y - unit * 2.0);
    rest = sheet.put_top(&Words::label(&passage.kicker).sized(1.6), rest, unit * 1.0);
    rest = sheet.put_top(&Words::title(&passage.title).sized(1.9).role(TextRole::Title), rest, unit * 3.0);
    let gap = unit * 2.4;
    if !figures.is_empty() {
        let shown = &figures[..figures.len().min(4)];
        let columns = if shown.len() > 1 { 2 } else { 1 };
        let rows = shown.len().div_ceil(columns);
        let (tiles, below) = rest.split_top(unit * 22.0 * rows as f32);
        put_phone_tiles(sheet, shown, tiles, columns, rows);
        rest = below.split_top(gap).1;
    }
    if let Some(chart) = chart {
        let (upper, below) = rest.split_top(rest.height * 0.42);
        put_panel_chart(sheet, chart, upper);
        rest = below.split_top(gap).1;
    }
    let button = unit * 11.0;
    let (list, foot) = rest.split_top(rest.height - if action.is_empty() { 0.0 } else { button + gap });
    put_phone_rows(sheet, table, list);
    if !action.is_empty() {
        let frame = Frame::new(foot.x, foot.bottom() - button, foot.width, button);
        let radius = sheet.radius().max(unit * 1.5);
        sheet.rectangle(frame, Role::Accent, radius);
        let words = Words::body(action)
            .sized(2.0)
            .fixed()
            .paint(Role::OnAccent)
            .weight(600)
            .centered()
            .most_lines(1)
            .at_least(0.5)
            .anchored(Anchor::Middle);
        sheet.put(&words, frame.inset_by(unit * 2.0, 0.0));
    }
    let bar = Frame::new(0.0, page.height - bar_height, page.width, bar_height);
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
        let value = row.last().filter(|_| row.len() > 1).map(String::as_str).unwrap_or_default();
        let (left, right) = inner.split_left(inner.width * 0.62);
        sheet.put(
            &Words::body(name).sized(1.9).fixed().weight(600).most_lines(1).at_least(0.6).anchored(Anchor::Middle),
            left,
        );
        sheet.put(
            &Words::body(value)
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
