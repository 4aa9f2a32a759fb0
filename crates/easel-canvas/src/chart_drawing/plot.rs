//! Charts with an axis: columns, lines and level bars.

use super::label::{draw_legend, label, shorten, width_of};
use crate::chart::{ChartData, ChartKind};
use crate::document::{Align, Chart, Fill, Line, Node, PathShape, Piece, Shape, Stroke};
use crate::geometry::Frame;
use crate::theme::{Role, Theme};

/// The range that an axis shows and the step of its grid: whole, round numbers around all values, with zero in it.
fn axis_of(data: &ChartData) -> (f64, f64, f64) {
    let values = data.series.iter().take(6).flat_map(|series| series.values.iter().flatten());
    let (low, high) = values.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(*value), high.max(*value)));
    let span = if high - low > 0.0 { high - low } else { 1.0 };
    let rough = span / 4.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].iter().map(|part| part * power).find(|step| *step >= rough).unwrap_or(rough);
    ((low / step).floor() * step, (high / step).ceil() * step, step)
}

/// Columns and lines stand upright over a level axis.
pub fn draw_upright(chart: &Chart, theme: &Theme) -> Vec<Node> {
    let data = &chart.data;
    let size = chart.label_size;
    let mut nodes = Vec::new();
    let mut area = if data.series.len() > 1 { draw_legend(chart, theme, &mut nodes) } else { chart.frame };
    let count = data.labels.len().max(1);
    let (low, high, step) = axis_of(data);

    let value_labels: Vec<String> = data
        .series
        .first()
        .map(|series| {
            series.values.iter().map(|value| value.map_or(String::new(), |value| write(data, value))).collect()
        })
        .unwrap_or_default();
    let widest = value_labels.iter().map(|text| width_of(text, size, theme)).fold(0.0, f32::max);
    let is_columns = data.kind == ChartKind::Columns;
    // With one series and room for it, every column carries its own number and the axis can go.
    let is_direct = is_columns && data.series.len() == 1 && widest * 1.1 < area.width / count as f32;

    if !is_direct {
        let mut marks = Vec::new();
        let mut value = low;
        while value <= high + step * 0.01 && marks.len() < 12 {
            marks.push(value);
            value += step;
        }
        let names: Vec<String> = marks.iter().map(|mark| write(data, *mark)).collect();
        let width = names.iter().map(|name| width_of(name, size, theme)).fold(0.0, f32::max) + 1.0;
        let gutter = width + size * 0.8;
        let plot = Frame::new(area.x + gutter, area.y + size * 0.8, area.width - gutter, area.height - size * 3.0);
        for (mark, name) in marks.iter().zip(&names) {
            let y = place(*mark, low, high, plot);
            let frame = Frame::new(area.x, y - size * 0.7, width, size * 1.4);
            nodes.push(Node::Text(label(name, frame, size, Align::End, Role::Muted)));
            nodes.push(hairline((plot.x, y), (plot.right(), y), size));
        }
        area = Frame::new(plot.x, plot.y, plot.width, plot.height + size * 2.2);
    }
    let top = if is_direct { size * 2.0 } else { 0.0 };
    let plot = Frame::new(area.x, area.y + top, area.width, area.height - top - size * 2.2);
    let slots = Frame::new(plot.x, plot.y, plot.width, plot.height).columns(count, 0.0);
    if is_columns {
        draw_columns(data, &slots, (low, high, size), is_direct.then_some(&value_labels), &mut nodes);
    } else {
        draw_lines(data, &slots, (low, high, size), &mut nodes);
    }
    nodes.push(hairline(
        (plot.x, place(0.0, low, high, plot)),
        (plot.right(), place(0.0, low, high, plot)),
        size * 1.6,
    ));
    draw_axis_names(data, &slots, plot, size, theme, &mut nodes);
    nodes
}

fn draw_axis_names(data: &ChartData, slots: &[Frame], plot: Frame, size: f32, theme: &Theme, nodes: &mut Vec<Node>) {
    let count = data.labels.len().max(1);
    let slot = plot.width / count as f32;
    let widest = data.labels.iter().map(|name| width_of(name, size, theme)).fold(0.0, f32::max);
    // Every second, third … name where all of them would meet; those that stand alone may reach over their neighbours.
    let every = ((widest.min(plot.width / 3.0) + size * 0.8) / slot).ceil().max(1.0) as usize;
    for (at, (name, slot_frame)) in data.labels.iter().zip(slots).enumerate() {
        if at % every != 0 {
            continue;
        }
        let room = slot * every as f32 - size * 0.4;
        let name = shorten(name, room, size, theme);
        let width = width_of(&name, size, theme) + 1.0;
        let middle = slot_frame.x + slot_frame.width / 2.0;
        let x = (middle - width / 2.0).clamp(plot.x, (plot.right() - width).max(plot.x));
        let frame = Frame::new(x, plot.bottom() + size * 0.5, width, size * 1.5);
        nodes.push(Node::Text(label(&name, frame, size, Align::Center, Role::Muted)));
    }
}

fn draw_columns(
    data: &ChartData,
    slots: &[Frame],
    (low, high, size): (f64, f64, f32),
    values: Option<&Vec<String>>,
    nodes: &mut Vec<Node>,
) {
    let series_count = data.series.len().clamp(1, 6);
    let best = data.series.first().and_then(|series| {
        let numbers = series.values.iter().enumerate().filter_map(|(at, value)| value.map(|value| (at, value)));
        numbers.max_by(|one, two| one.1.total_cmp(&two.1)).map(|(at, _)| at)
    });
    for (at, slot) in slots.iter().enumerate() {
        let group = slot.inset_by((slot.width * 0.16).min(size * 1.6), 0.0);
        let bars = group.columns(series_count, (group.width * 0.04).min(size * 0.4));
        for (which, bar) in bars.iter().enumerate() {
            let Some(value) = data.series.get(which).and_then(|series| series.values.get(at).copied().flatten()) else {
                continue;
            };
            let (zero, end) = (place(0.0, low, high, *slot), place(value, low, high, *slot));
            let frame = Frame::new(bar.x, zero.min(end), bar.width, (zero - end).abs().max(1.0));
            // One series: the largest is the one to see, the others stand back.
            let is_quiet = series_count == 1 && best != Some(at) && data.labels.len() <= 12;
            let fill = if is_quiet {
                Fill::Veil { paint: Role::Accent.into(), opacity: 0.42 }
            } else {
                Fill::Solid(Role::Series(which as u8).into())
            };
            let radius = (bar.width * 0.08).min(size * 0.3);
            nodes.push(Node::Rectangle(Shape { frame, fill: Some(fill), stroke: None, radius }));
            if let Some(words) = values.and_then(|values| values.get(at)) {
                let y = if value < 0.0 { frame.bottom() + size * 0.2 } else { frame.y - size * 1.7 };
                let place = Frame::new(slot.x, y, slot.width, size * 1.5);
                let mut words = label(words, place, size, Align::Center, Role::Ink);
                words.style.weight = Some(if best == Some(at) { 700 } else { 400 });
                nodes.push(Node::Text(words));
            }
        }
    }
}

fn draw_lines(data: &ChartData, slots: &[Frame], (low, high, size): (f64, f64, f32), nodes: &mut Vec<Node>) {
    for (which, series) in data.series.iter().take(6).enumerate().rev() {
        let points: Vec<Option<(f32, f32)>> = slots
            .iter()
            .enumerate()
            .map(|(at, slot)| {
                let value = series.values.get(at).copied().flatten()?;
                Some((slot.x + slot.width / 2.0, place(value, low, high, *slot)))
            })
            .collect();
        let mut pieces = Vec::new();
        let mut is_down = false;
        for point in &points {
            match point {
                Some((x, y)) if is_down => pieces.push(Piece::Line(*x, *y)),
                Some((x, y)) => pieces.push(Piece::Move(*x, *y)),
                None => {}
            }
            is_down = point.is_some();
        }
        let known: Vec<(f32, f32)> = points.into_iter().flatten().collect();
        let Some(frame) = slots
            .first()
            .zip(slots.last())
            .map(|(first, last)| Frame::new(first.x, first.y, last.right() - first.x, first.height))
        else {
            continue;
        };
        let paint = Role::Series(which as u8).into();
        if which == 0 && data.series.len() == 1 && low >= 0.0 && known.len() > 1 {
            let mut area = pieces.clone();
            if let (Some(first), Some(last)) = (known.first(), known.last()) {
                area.extend([Piece::Line(last.0, frame.bottom()), Piece::Line(first.0, frame.bottom()), Piece::Close]);
                let fill = Some(Fill::Veil { paint, opacity: 0.14 });
                nodes.push(Node::Path(PathShape { frame, pieces: area, fill, stroke: None }));
            }
        }
        let stroke = Some(Stroke { paint, width: size * 0.22 });
        nodes.push(Node::Path(PathShape { frame, pieces, fill: None, stroke }));
        let dots: &[(f32, f32)] = if known.len() <= 14 { &known } else { known.split_at(known.len() - 1).1 };
        for (x, y) in dots {
            let radius = size * 0.3;
            let dot = Frame::new(x - radius, y - radius, radius * 2.0, radius * 2.0);
            nodes.push(Node::Ellipse(Shape { frame: dot, fill: Some(Fill::Solid(paint)), stroke: None, radius: 0.0 }));
        }
    }
}

/// Level bars, each with its name before it and its number behind it.
pub fn draw_bars(chart: &Chart, theme: &Theme) -> Vec<Node> {
    let data = &chart.data;
    let size = chart.label_size;
    let mut nodes = Vec::new();
    let area = if data.series.len() > 1 { draw_legend(chart, theme, &mut nodes) } else { chart.frame };
    let names_widest = data.labels.iter().map(|name| width_of(name, size, theme)).fold(0.0, f32::max);
    let gutter = (names_widest + size).min(area.width * 0.36);
    let (low, high, _) = axis_of(data);
    let largest = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
    let written: Vec<String> = data
        .series
        .iter()
        .take(6)
        .flat_map(|series| series.values.iter().flatten().map(|value| write(data, *value)))
        .collect();
    let numbers = written.iter().map(|text| width_of(text, size, theme)).fold(0.0, f32::max) + size;
    let room = (area.width - gutter - numbers).max(1.0);
    let row_gap = (area.height / data.labels.len().max(1) as f32 * 0.28).min(size * 1.2);
    let series_count = data.series.len().clamp(1, 6);
    for (at, (name, row)) in data.labels.iter().zip(area.rows(data.labels.len(), row_gap)).enumerate() {
        let middle = row.y + row.height / 2.0;
        let words = shorten(name, gutter - size * 0.8, size, theme);
        let frame = Frame::new(area.x, middle - size * 0.75, gutter - size * 0.7, size * 1.5);
        nodes.push(Node::Text(label(&words, frame, size, Align::Start, Role::Ink)));
        let thick = row.height.min(size * 2.4 * series_count as f32);
        let band = Frame::new(area.x + gutter, middle - thick / 2.0, room, thick);
        for (which, bar) in band.rows(series_count, (thick * 0.06).min(3.0)).iter().enumerate() {
            let Some(value) = data.series.get(which).and_then(|series| series.values.get(at).copied().flatten()) else {
                continue;
            };
            let width = ((value.abs() / largest) as f32 * room).max(1.0);
            let frame = Frame::new(bar.x, bar.y, width, bar.height);
            let is_quiet = series_count == 1 && value.abs() < largest_of(data) && data.labels.len() <= 12;
            let fill = if is_quiet {
                Fill::Veil { paint: Role::Accent.into(), opacity: 0.42 }
            } else {
                Fill::Solid(Role::Series(which as u8).into())
            };
            nodes.push(Node::Rectangle(Shape {
                frame,
                fill: Some(fill),
                stroke: None,
                radius: (size * 0.25).min(bar.height / 3.0),
            }));
            if bar.height >= size * 1.1 {
                let words = write(data, value);
                let place = Frame::new(
                    frame.right() + size * 0.5,
                    bar.y + bar.height / 2.0 - size * 0.75,
                    numbers - size * 0.5,
                    size * 1.5,
                );
                nodes.push(Node::Text(label(&words, place, size, Align::Start, Role::Ink)));
            }
        }
    }
    nodes
}

fn largest_of(data: &ChartData) -> f64 {
    data.series
        .first()
        .map_or(0.0, |series| series.values.iter().flatten().fold(0.0, |most, value| most.max(value.abs())))
}

fn write(data: &ChartData, value: f64) -> String {
    data.write(value)
}

fn place(value: f64, low: f64, high: f64, plot: Frame) -> f32 {
    let part = if high > low { (value - low) / (high - low) } else { 0.0 };
    plot.bottom() - part as f32 * plot.height
}

fn hairline(from: (f32, f32), to: (f32, f32), size: f32) -> Node {
    Node::Line(Line {
        from,
        to,
        stroke: Stroke { paint: Role::Line.into(), width: (size * 0.06).max(1.0) },
        arrow: false,
    })
}
