//! The small words in charts and tables: names beside what is drawn, cut where there is no room, and the row of names above.

use crate::document::{Align, Anchor, Chart, Fill, FontRole, Node, Paragraph, Shape, TextBox, TextRole, TextStyle};
use crate::geometry::Frame;
use crate::text;
use crate::theme::{Paint, Role, Theme};

/// A line of small words in a chart or a table.
pub fn label(words: &str, frame: Frame, size: f32, align: Align, paint: impl Into<Paint>) -> TextBox {
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
pub fn width_of(words: &str, size: f32, theme: &Theme) -> f32 {
    let trial = label(words, Frame::new(0.0, 0.0, 1e6, 1e6), size, Align::Start, Role::Ink);
    text::measure(&trial, theme).width
}

/// The label, cut to the words that fit with an ellipsis; only charts do that, and only with names that stand elsewhere too.
pub fn shorten(words: &str, room: f32, size: f32, theme: &Theme) -> String {
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
pub fn draw_legend(chart: &Chart, theme: &Theme, nodes: &mut Vec<Node>) -> Frame {
    let size = chart.label_size;
    let (row, rest) = chart.frame.split_top(size * 2.2);
    let mut x = row.x;
    for (at, series) in chart.data.series.iter().take(6).enumerate() {
        let left = (row.right() - x) / (chart.data.series.len().min(6) - at) as f32;
        let name = shorten(&series.name, (left - size * 2.2).max(size), size, theme);
        let width = width_of(&name, size, theme);
        nodes.push(Node::Ellipse(Shape {
            frame: Frame::new(x, row.y + size * 0.4, size * 0.8, size * 0.8),
            fill: Some(Fill::Solid(Role::Series(at as u8).into())),
            stroke: None,
            radius: 0.0,
        }));
        let frame = Frame::new(x + size * 1.15, row.y, width + 1.0, size * 1.6);
        nodes.push(Node::Text(label(&name, frame, size, Align::Start, Role::Muted)));
        x += width + size * 2.6;
    }
    rest
}
