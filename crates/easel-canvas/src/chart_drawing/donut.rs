//! Parts of a whole: a ring, and beside it what its parts are.

use std::f32::consts::TAU;

use super::label::{label, shorten, width_of};
use crate::document::{Align, Chart, Fill, Node, PathShape, Piece, Shape};
use crate::geometry::Frame;
use crate::theme::{Role, Theme};

/// How many parts are told apart.
const MAX_PARTS: usize = 6;

/// The ring and its legend.
pub fn draw(chart: &Chart, theme: &Theme) -> Vec<Node> {
    let data = &chart.data;
    let size = chart.label_size;
    let parts: Vec<(&str, f64)> = data
        .labels
        .iter()
        .zip(data.series.first().map(|series| series.values.as_slice()).unwrap_or_default())
        .filter_map(|(name, value)| value.filter(|value| *value > 0.0).map(|value| (name.as_str(), value)))
        .take(MAX_PARTS)
        .collect();
    let total: f64 = parts.iter().map(|(_, value)| value).sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let frame = chart.frame;
    let is_wide = frame.width > frame.height * 1.3;
    let rows_height = parts.len() as f32 * size * 2.3;
    let side = if is_wide {
        frame.height.min(frame.width * 0.52)
    } else {
        frame.width.min((frame.height - rows_height - size * 1.5).max(frame.height * 0.3))
    };
    let (ring, legend) = if is_wide {
        let ring = Frame::new(frame.x, frame.y + (frame.height - side) / 2.0, side, side);
        let left = frame.x + side + size * 3.0;
        (
            ring,
            Frame::new(left, frame.y + (frame.height - rows_height).max(0.0) / 2.0, frame.right() - left, rows_height),
        )
    } else {
        let ring = Frame::new(frame.x + (frame.width - side) / 2.0, frame.y, side, side);
        (ring, Frame::new(frame.x, ring.bottom() + size * 1.5, frame.width, rows_height))
    };
    let mut nodes = Vec::new();
    let mut from = 0.0_f32;
    for (at, (_, value)) in parts.iter().enumerate() {
        let share = (value / total) as f32;
        let gap = if parts.len() > 1 { 0.004 } else { 0.0 };
        nodes.push(slice(ring, from + gap, (from + share - gap).max(from + gap + 0.001), at));
        from += share;
    }
    for (at, ((name, value), row)) in parts.iter().zip(legend.rows(parts.len(), size * 0.5)).enumerate() {
        let dot = Frame::new(row.x, row.y + (row.height - size * 0.8) / 2.0, size * 0.8, size * 0.8);
        let fill = Some(Fill::Solid(Role::Series(at as u8).into()));
        nodes.push(Node::Ellipse(Shape { frame: dot, fill, stroke: None, radius: 0.0 }));
        let written = data.write(*value);
        // Bold letters are a little wider than those that were measured.
        let number_width = width_of(&written, size, theme) * 1.15 + 2.0;
        let name_room = row.width - size * 2.4 - number_width;
        let words = shorten(name, name_room, size, theme);
        nodes.push(Node::Text(label(
            &words,
            Frame::new(row.x + size * 1.3, row.y, name_room.max(1.0), row.height),
            size,
            Align::Start,
            Role::Ink,
        )));
        let mut number = label(
            &written,
            Frame::new(row.right() - number_width, row.y, number_width, row.height),
            size,
            Align::End,
            Role::Ink,
        );
        number.style.weight = Some(700);
        nodes.push(Node::Text(number));
    }
    nodes
}

/// A piece of the ring from one part of the full turn to another, 0 at the top, clockwise.
fn slice(ring: Frame, from: f32, to: f32, at: usize) -> Node {
    let (cx, cy) = (ring.x + ring.width / 2.0, ring.y + ring.height / 2.0);
    let outer = ring.width / 2.0;
    let inner = outer * 0.6;
    let point = |turn: f32, radius: f32| {
        let (sin, cos) = (turn * TAU).sin_cos();
        (cx + sin * radius, cy - cos * radius)
    };
    // Curves of at most an eighth of the turn follow the circle to a thousandth of its radius.
    let steps = ((to - from) / 0.125).ceil().max(1.0) as usize;
    let step = (to - from) / steps as f32;
    let handle = 4.0 / 3.0 * (step * TAU / 4.0).tan();
    let start = point(from, outer);
    let mut pieces = vec![Piece::Move(start.0, start.1)];
    let arc = |begin: f32, step: f32, radius: f32, handle: f32, pieces: &mut Vec<Piece>| {
        let (a, b) = (point(begin, radius), point(begin + step, radius));
        let tangent = |turn: f32| {
            let (sin, cos) = (turn * TAU).sin_cos();
            (cos * radius * handle, sin * radius * handle)
        };
        let (ta, tb) = (tangent(begin), tangent(begin + step));
        pieces.push(Piece::Curve(a.0 + ta.0, a.1 + ta.1, b.0 - tb.0, b.1 - tb.1, b.0, b.1));
    };
    for at in 0..steps {
        arc(from + step * at as f32, step, outer, handle, &mut pieces);
    }
    let turn = point(to, inner);
    pieces.push(Piece::Line(turn.0, turn.1));
    for at in 0..steps {
        arc(to - step * at as f32, -step, inner, -handle, &mut pieces);
    }
    pieces.push(Piece::Close);
    let fill = Some(Fill::Solid(Role::Series(at as u8).into()));
    Node::Path(PathShape { frame: ring, pieces, fill, stroke: None })
}
