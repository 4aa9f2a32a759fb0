//! Numbers: large ones, tables, charts, and two things held against each other.

use super::head::{put_head, put_head_in, put_lead};
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::chart::{ChartKind, TableData};
use crate::chart_drawing::{CELL_PADDING, number_columns};
use crate::content::{Figure, Matter, Passage};
use crate::document::{Align, Anchor, Category, Chart, FontRole, Node, Paragraph, Table, TextBox, TextRole, TextStyle};
use crate::geometry::Frame;
use crate::text;
use crate::theme::Role;

/// Large numbers side by side, or one under another where the page is narrow.
pub fn figures_row(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Figures { lead, figures } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    let columns = match (sheet.shape(), figures.len()) {
        (PageShape::Wide, count) => {
            if count > 4 {
                count.div_ceil(2)
            } else {
                count
            }
        }
        (_, count) => {
            if count > 2 {
                2
            } else {
                1
            }
        }
    }
    .max(1);
    let rows = figures.len().div_ceil(columns).max(1);
    let gap = unit * 3.0;
    let height = (rest.height - gap * (rows - 1) as f32) / rows as f32;
    // High tiles have their number at the foot, on a ground of their own.
    let with_tiles = height > unit * 40.0;
    let height = if with_tiles { height } else { height.min(unit * 38.0) };
    let spare = (rest.height - height * rows as f32 - gap * (rows - 1) as f32).max(0.0);
    let inset = if with_tiles { unit * 3.0 } else { 0.0 };
    let width = rest.columns(columns, gap)[0].width - inset * 2.0;
    let numbers: Vec<(Words, Frame)> = figures
        .iter()
        .map(|figure| (Words::number(&figure.value).sized(2.0), Frame::new(0.0, 0.0, width * 0.92, height * 0.6)))
        .collect();
    let factor = 2.0 * sheet.common_factor(&numbers, 0.12);
    for (at, figure) in figures.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let cell = rest.columns(columns, gap)[column];
        let y = rest.y + spare * 0.4 + row as f32 * (height + gap);
        let frame = Frame::new(cell.x, y, cell.width, height);
        if with_tiles {
            put_figure_tile(sheet, figure, frame, at, factor);
        } else {
            put_figure(sheet, figure, frame, at, factor);
        }
    }
}

fn put_figure_tile(sheet: &mut Sheet<'_>, figure: &Figure, frame: Frame, at: usize, factor: f32) {
    let unit = sheet.unit;
    let radius = sheet.radius();
    let (ground, ink, quiet) =
        if at == 0 { (Role::Accent, Role::OnAccent, Role::OnAccent) } else { (Role::Surface, Role::Ink, Role::Muted) };
    sheet.rectangle(frame, ground, radius);
    let inner = frame.inset(unit * 3.0);
    let label = Words::body(&figure.label).paint(quiet);
    let label_height = sheet.height_of(&label, inner.width);
    let number = Words::number(&figure.value).sized(factor).paint(ink).anchored(Anchor::Bottom);
    // Labels begin on one line, so that the numbers above them do too.
    let label_room = (sheet.scale.body * sheet.zoom * 1.45 * 2.0).max(label_height);
    let room = (inner.height - label_room - unit * 1.2).max(1.0);
    sheet.put(&number, Frame::new(inner.x, inner.y, inner.width, room));
    sheet.put(&label, Frame::new(inner.x, inner.y + room + unit * 1.2, inner.width, label_height + 1.0));
}

fn put_figure(sheet: &mut Sheet<'_>, figure: &Figure, frame: Frame, at: usize, factor: f32) {
    let unit = sheet.unit;
    sheet.rectangle(
        Frame::new(frame.x, frame.y, frame.width, unit * 0.5),
        if at.is_multiple_of(2) { Role::Accent } else { Role::Second },
        0.0,
    );
    let inner = frame.split_top(unit * 3.0).1;
    let label = Words::body(&figure.label).paint(Role::Muted);
    let label_height = sheet.height_of(&label, inner.width);
    let number = Words::number(&figure.value).sized(factor);
    let room = Frame::new(inner.x, inner.y, inner.width, (inner.height - label_height - unit * 1.6).max(1.0));
    let used = sheet.put(&number, room);
    sheet.put(&label, Frame::new(inner.x, inner.y + used + unit * 1.6, inner.width, label_height + 1.0));
}

/// One number very large, the others beside it.
pub fn figures_hero(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Figures { lead, figures } = &passage.matter else { return };
    let Some((first, others)) = figures.split_first() else { return };
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    let (hero, side) = if others.is_empty() {
        (rest, Frame::new(rest.right(), rest.y, 0.0, rest.height))
    } else if sheet.shape() == PageShape::Wide {
        let (hero, side) = rest.split_left(rest.width * 0.56);
        (hero, Frame::new(side.x + unit * 5.0, side.y, side.width - unit * 5.0, side.height))
    } else {
        let (hero, side) = rest.split_top(rest.height * 0.48);
        (hero, Frame::new(side.x, side.y + unit * 3.0, side.width, side.height - unit * 3.0))
    };
    let radius = sheet.radius();
    sheet.rectangle(hero, Role::Accent, radius);
    let inner = hero.inset(unit * 5.0);
    let label = Words::body(&first.label).paint(Role::OnAccent).sized(1.2);
    let label_height = sheet.height_of(&label, inner.width);
    let number = Words::number(&first.value).sized(3.2).at_least(0.14).paint(Role::OnAccent).anchored(Anchor::Bottom);
    let room = (inner.height - label_height - unit * 2.0).max(1.0);
    sheet.put(&number, Frame::new(inner.x, inner.y, inner.width, room));
    sheet.put(&label, Frame::new(inner.x, inner.bottom() - label_height, inner.width, label_height + 1.0));
    if !others.is_empty() {
        for (row, figure) in side.rows(others.len(), unit * 2.0).into_iter().zip(others) {
            sheet.rule((row.x, row.y), (row.right(), row.y), Role::Line, (unit * 0.14).max(1.0));
            let label = Words::body(&figure.label).paint(Role::Muted);
            let label_height = sheet.height_of(&label, row.width);
            let inner = row.split_top(unit * 1.4).1;
            // One or two beside the large one are large themselves, and stand in the middle of their room.
            let factor = match others.len() {
                1 => 1.9,
                2 => 1.4,
                _ => 0.95,
            };
            let number = Words::number(&figure.value).sized(factor).at_least(0.5);
            let room = Frame::new(inner.x, inner.y, inner.width, (inner.height - label_height - unit * 0.6).max(1.0));
            let height = sheet.height_within(&number, room).min(room.height);
            let spare = if others.len() <= 2 { (room.height - height).max(0.0) / 2.0 } else { 0.0 };
            let used = spare + sheet.put(&number, Frame::new(room.x, room.y + spare, room.width, room.height - spare));
            sheet.put(&label, Frame::new(inner.x, inner.y + used + unit * 0.6, inner.width, label_height + 1.0));
        }
    }
}

/// A table as broad as its page, its columns as broad as their words ask.
pub fn table(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Table { lead, table } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    let rest = put_lead(sheet, lead, rest);
    let size = sheet.scale.body * 0.92 * sheet.zoom.min(1.36);
    if !put_table(sheet, table, rest, size) {
        sheet.failed = true;
    }
}

/// Puts a table into a frame; `false` where it does not fit.
pub fn put_table(sheet: &mut Sheet<'_>, table: &TableData, frame: Frame, size: f32) -> bool {
    let count = table.head.len();
    if count == 0 {
        return true;
    }
    let padding = size * CELL_PADDING;
    let natural: Vec<f32> = (0..count)
        .map(|column| {
            let sides = padding * if column == 0 || column + 1 == count { 1.0 } else { 2.0 };
            let cells = std::iter::once(&table.head).chain(&table.rows);
            let widest =
                cells.filter_map(|row| row.get(column)).map(|cell| cell_width(sheet, cell, size)).fold(0.0, f32::max);
            widest + sides + 2.0
        })
        .collect();
    let longest_words: Vec<f32> = (0..count)
        .map(|column| {
            let sides = padding * if column == 0 || column + 1 == count { 1.0 } else { 2.0 };
            let cells = std::iter::once(&table.head).chain(&table.rows);
            let words = cells.filter_map(|row| row.get(column)).flat_map(|cell| cell.split_whitespace());
            words.map(|word| cell_width(sheet, word, size)).fold(0.0, f32::max) + sides + 2.0
        })
        .collect();
    let Some(widths) = share_widths(&natural, &longest_words, &number_columns(table), frame.width) else {
        return false;
    };
    let mut heights = Vec::with_capacity(table.rows.len() + 1);
    for row in std::iter::once(&table.head).chain(&table.rows) {
        let mut most = 1.0_f32;
        for (column, cell) in row.iter().enumerate().take(count) {
            let sides = padding * if column == 0 || column + 1 == count { 1.0 } else { 2.0 };
            most = most.max(cell_height(sheet, cell, size, widths[column] - sides));
        }
        heights.push(most + size * 0.5);
    }
    let least: f32 = heights.iter().sum();
    if least > frame.height {
        return false;
    }
    let airy = ((frame.height - least) / heights.len() as f32).min(size * 1.5);
    for height in &mut heights {
        *height += airy;
    }
    let total: f32 = heights.iter().sum();
    let width: f32 = widths.iter().sum();
    sheet.nodes.push(Node::Table(Table {
        frame: Frame::new(frame.x, frame.y, width, total),
        data: table.clone(),
        text_size: size,
        column_widths: widths,
        row_heights: heights,
    }));
    true
}

/// Columns get what they ask for; where that is too much, the broad ones give way first; where it is little, all grow.
fn share_widths(natural: &[f32], least: &[f32], numeric: &[bool], room: f32) -> Option<Vec<f32>> {
    let total: f32 = natural.iter().sum();
    if total <= room {
        let spare = room - total;
        let weights: Vec<f32> =
            natural.iter().zip(numeric).map(|(width, numeric)| if *numeric { width * 0.6 } else { *width }).collect();
        let sum: f32 = weights.iter().sum();
        return Some(natural.iter().zip(&weights).map(|(width, weight)| width + spare * weight / sum).collect());
    }
    let needed: f32 = least.iter().sum();
    if needed > room {
        return None;
    }
    let flexible: f32 = natural.iter().zip(least).map(|(natural, least)| natural - least).sum();
    let part = (room - needed) / flexible.max(0.01);
    Some(natural.iter().zip(least).map(|(natural, least)| least + (natural - least) * part).collect())
}

fn cell_box(words: &str, width: f32, size: f32) -> TextBox {
    TextBox {
        frame: Frame::new(0.0, 0.0, width, 1e6),
        role: TextRole::Label,
        paragraphs: vec![Paragraph::plain(words)],
        style: TextStyle {
            font: FontRole::Body,
            // The heaviest that a cell is set in, so that every other is narrower.
            weight: Some(700),
            italic: false,
            size,
            line_height: 1.25,
            tracking: 0.0,
            capitals: false,
            paint: Role::Ink.into(),
            align: Align::Start,
            anchor: Anchor::Top,
            balanced: false,
            right_to_left: false,
            paragraph_gap: 0.0,
        },
        first_size: None,
    }
}

fn cell_width(sheet: &Sheet<'_>, words: &str, size: f32) -> f32 {
    text::measure(&cell_box(words, 1e6, size), sheet.setting.theme).width
}

fn cell_height(sheet: &Sheet<'_>, words: &str, size: f32, width: f32) -> f32 {
    text::measure(&cell_box(words, width.max(1.0), size), sheet.setting.theme).height
}

/// A chart as broad as its page.
pub fn chart_full(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Chart { lead, chart, insights } = &passage.matter else { return };
    let mut rest = put_head(sheet, passage);
    rest = put_lead(sheet, lead, rest);
    let unit = sheet.unit;
    if !insights.is_empty() && sheet.shape() != PageShape::Wide {
        let shown = insights.len().min(2);
        let (strip, below) = rest.split_top((rest.height * 0.24).min(unit * 26.0));
        for (frame, figure) in strip.columns(shown, unit * 3.0).into_iter().zip(insights) {
            put_small_figure(sheet, figure, frame);
        }
        rest = Frame::new(below.x, below.y + unit * 3.0, below.width, below.height - unit * 3.0);
    }
    put_chart(sheet, chart, rest);
}

/// A chart and beside it what is to be seen in it.
pub fn chart_side(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Chart { lead, chart, insights } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    let unit = sheet.unit;
    let (chart_frame, side) = rest.split_left(rest.width * 0.68);
    put_chart(
        sheet,
        chart,
        Frame::new(chart_frame.x, chart_frame.y, chart_frame.width - unit * 4.0, chart_frame.height),
    );
    let radius = sheet.radius();
    sheet.rectangle(side, Role::Surface, radius);
    let mut inner = side.inset(unit * 3.4);
    inner = put_lead(sheet, lead, inner);
    let shown = insights.len().clamp(1, 4);
    for (at, (row, figure)) in inner.rows(shown, unit * 2.0).into_iter().zip(insights).enumerate() {
        if at > 0 {
            let between = row.y - unit;
            sheet.rule((row.x, between), (row.x + row.width, between), Role::Line, (unit * 0.14).max(1.0));
        }
        let spare = (row.height - small_figure_height(sheet, figure, row)).max(0.0);
        put_small_figure(
            sheet,
            figure,
            Frame::new(row.x, row.y + spare / 2.0, row.width, row.height - spare / 2.0 + 1.0),
        );
    }
}

fn put_small_figure(sheet: &mut Sheet<'_>, figure: &Figure, frame: Frame) {
    let (number, label) = small_figure(figure);
    let gap = sheet.unit * 0.5;
    let label_height = sheet.height_of(&label, frame.width);
    let used = sheet.put(&number, number_room(frame, label_height, gap));
    sheet.put(&label, Frame::new(frame.x, frame.y + used + gap, frame.width, label_height + 1.0));
}

/// How high the figure is when it is put into this frame.
fn small_figure_height(sheet: &Sheet<'_>, figure: &Figure, frame: Frame) -> f32 {
    let (number, label) = small_figure(figure);
    let gap = sheet.unit * 0.5;
    let label_height = sheet.height_of(&label, frame.width);
    sheet.height_within(&number, number_room(frame, label_height, gap)) + gap + label_height
}

fn small_figure(figure: &Figure) -> (Words, Words) {
    let label = Words::body(&figure.label).paint(Role::Muted).small().fixed().at_least(0.7);
    (Words::number(&figure.value).sized(0.9), label)
}

fn number_room(frame: Frame, label_height: f32, gap: f32) -> Frame {
    Frame::new(frame.x, frame.y, frame.width, (frame.height - label_height - gap).max(1.0))
}

/// Puts a chart into a frame, no flatter and no higher than it can be read.
pub fn put_chart(sheet: &mut Sheet<'_>, chart: &crate::chart::ChartData, frame: Frame) {
    let phone = if sheet.setting.category == Category::Ui && sheet.shape() == PageShape::Tall { 1.9 } else { 1.0 };
    let label_size = sheet.scale.small * phone;
    let mut frame = frame;
    if frame.height < label_size * 9.0 || frame.width < label_size * 12.0 {
        sheet.failed = true;
    }
    match chart.kind {
        ChartKind::Bars => {
            let most = chart.labels.len() as f32 * label_size * 6.0;
            frame.height = frame.height.min(most.max(label_size * 9.0));
            if frame.height < chart.labels.len() as f32 * label_size * 1.5 {
                sheet.failed = true;
            }
        }
        _ => frame.height = frame.height.min(frame.width * 1.05),
    }
    sheet.nodes.push(Node::Chart(Chart { frame, data: chart.clone(), label_size }));
}

/// Two panels beside or above each other.
pub fn comparison_panels(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Comparison { left, right } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    let unit = sheet.unit;
    let gap = unit * 2.4;
    let frames = if sheet.shape() == PageShape::Tall { rest.rows(2, gap) } else { rest.columns(2, gap) };
    let radius = sheet.radius();
    for (at, (frame, side)) in frames.into_iter().zip([left, right]).enumerate() {
        let (ground, head_paint, body_paint) = if at == 0 {
            (Role::Surface, Role::AccentText, Role::Ink)
        } else {
            (Role::Accent, Role::OnAccent, Role::OnAccent)
        };
        sheet.rectangle(frame, ground, radius);
        let inner = frame.inset(unit * 4.0);
        let rest = sheet.put_top(&Words::heading(&side.head).sized(1.15).paint(head_paint), inner, unit * 2.4);
        sheet.put(&Words::body(&side.points.join("\n")).paint(body_paint).paragraph_gap(0.7), rest);
    }
}

/// Two columns under one head, with a line between them.
pub fn comparison_columns(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Comparison { left, right } = &passage.matter else { return };
    let content = sheet.content();
    let rest = put_head_in(sheet, passage, content);
    let unit = sheet.unit;
    let frames = rest.columns(2, unit * 8.0);
    let x = rest.x + rest.width / 2.0;
    sheet.rule((x, rest.y), (x, rest.bottom()), Role::Line, (unit * 0.2).max(1.0));
    for (frame, side) in frames.into_iter().zip([left, right]) {
        let below = sheet.put_top(&Words::heading(&side.head).sized(1.2).paint(Role::AccentText), frame, unit * 2.4);
        sheet.put(&Words::body(&side.points.join("\n")).paragraph_gap(0.8), below);
    }
}
