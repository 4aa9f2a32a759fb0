//! Charts and tables as the shapes and words that they are drawn with.
//!
//! A document keeps the numbers; what is drawn from them is found here each time, the same for every format. Labels that
//! would meet are left out, evenly; a value is written where there is room for it.

mod donut;
mod plot;
mod table;

use crate::chart::ChartKind;
use crate::document::{Align, Anchor, Chart, FontRole, Node, Paragraph, TextBox, TextRole, TextStyle};
use crate::geometry::Frame;
use crate::text;
use crate::theme::{Paint, Role, Theme};

pub use table::{CELL_PADDING, draw_table, is_number, number_columns};

/// The shapes and words of a chart, inside its frame.
pub fn draw_chart(chart: &Chart, theme: &Theme) -> Vec<Node> {
    match chart.data.kind {
        ChartKind::Donut => donut::draw(chart, theme),
        ChartKind::Bars => plot::draw_bars(chart, theme),
        ChartKind::Columns | ChartKind::Lines => plot::draw_upright(chart, theme),
    }
}

/// A number as a chart writes it: grouped by thousands, shortened from a million unless it has a unit of its own; with a
/// comma before decimals where its text has it so.
pub fn write_number(value: f64, prefix: &str, suffix: &str, comma: bool) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    let size = value.abs();
    let (shown, unit) = if size >= 1e12 {
        (size / 1e12, " T")
    } else if size >= 1e9 {
        (size / 1e9, " B")
    } else if size >= 1e6 {
        (size / 1e6, " M")
    } else {
        (size, "")
    };
    // As many decimals as were given, no more than two, and none where the number is large.
    let is_at = |digits: i32| (shown * 10_f64.powi(digits) - (shown * 10_f64.powi(digits)).round()).abs() < 1e-6;
    let digits = if is_at(0) || shown >= 10_000.0 {
        0
    } else if is_at(1) || !unit.is_empty() || shown >= 1000.0 {
        1
    } else {
        2
    };
    let text = format!("{shown:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text.as_str() };
    let (point, separator) = if comma { (",", ".") } else { (".", ",") };
    let (whole, rest) =
        text.split_once('.').map_or((text, String::new()), |(whole, rest)| (whole, format!("{point}{rest}")));
    let grouped = whole
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect::<Vec<_>>()
        .join(separator);
    format!("{sign}{prefix}{grouped}{rest}{unit}{suffix}")
}

/// A line of small words in a chart or a table.
fn label(words: &str, frame: Frame, size: f32, align: Align, paint: impl Into<Paint>) -> TextBox {
    TextBox {
        frame,
        role: TextRole::Label,
        paragraphs: vec![Paragraph::plain(words)],
        style: TextStyle {
            font: FontRole::Body,
            weight: None,
            italic: false,
            size,
            line_height: 1.25,
            tracking: 0.0,
            capitals: false,
            paint: paint.into(),
            align,
            anchor: Anchor::Middle,
            balanced: false,
            right_to_left: words.chars().any(is_right_to_left),
            paragraph_gap: 0.0,
        },
        first_size: None,
    }
}

fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}')
}

/// How wide a label is, in pixels.
fn width_of(words: &str, size: f32, theme: &Theme) -> f32 {
    let trial = label(words, Frame::new(0.0, 0.0, 1e6, 1e6), size, Align::Start, Role::Ink);
    text::measure(&trial, theme).width
}

/// The label, cut to the words that fit with an ellipsis; only charts do that, and only with names that stand elsewhere too.
fn shorten(words: &str, room: f32, size: f32, theme: &Theme) -> String {
    if width_of(words, size, theme) <= room {
        return words.to_owned();
    }
    let letters: Vec<char> = words.chars().take(200).collect();
    let (mut low, mut high) = (0, letters.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        let trial: String = letters[..middle].iter().collect::<String>().trim_end().to_owned() + "…";
        if width_of(&trial, size, theme) <= room { low = middle } else { high = middle - 1 }
    }
    letters[..low].iter().collect::<String>().trim_end().to_owned() + "…"
}

/// The row of names with their colours above a chart of several series, and what is left of the frame.
fn draw_legend(chart: &Chart, theme: &Theme, nodes: &mut Vec<Node>) -> Frame {
    let size = chart.label_size;
    let (row, rest) = chart.frame.split_top(size * 2.2);
    let mut x = row.x;
    for (at, series) in chart.data.series.iter().take(6).enumerate() {
        let left = (row.right() - x) / (chart.data.series.len().min(6) - at) as f32;
        let name = shorten(&series.name, (left - size * 2.2).max(size), size, theme);
        let width = width_of(&name, size, theme);
        nodes.push(Node::Ellipse(crate::document::Shape {
            frame: Frame::new(x, row.y + size * 0.4, size * 0.8, size * 0.8),
            fill: Some(crate::document::Fill::Solid(Role::Series(at as u8).into())),
            stroke: None,
            radius: 0.0,
        }));
        let frame = Frame::new(x + size * 1.15, row.y, width + 1.0, size * 1.6);
        nodes.push(Node::Text(label(&name, frame, size, Align::Start, Role::Muted)));
        x += width + size * 2.6;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_for_people() {
        for (value, written) in [
            (0.0, "0"),
            (7.0, "7"),
            (3.25, "3.25"),
            (12.5, "12.5"),
            (1234.0, "1,234"),
            (98_765.0, "98,765"),
            (1_500_000.0, "1.5 M"),
            (-42.0, "−42"),
        ] {
            assert_eq!(write_number(value, "", "", false), written);
        }
        assert_eq!(write_number(1200.0, "€", "", false), "€1,200");
        assert_eq!(write_number(1.05, "", " Mio.", true), "1,05 Mio.");
        assert_eq!(write_number(184.5, "", "", false), "184.5");
        assert_eq!(write_number(12.0, "", "%", false), "12%");
    }
}
