//! Decoration: what a theme draws where there is no picture, each motif in its own way, always inside its frame.

use super::sheet::Sheet;
use crate::dice::Dice;
use crate::document::{Fill, Node, PathShape, Piece, Shape, Stroke};
use crate::geometry::Frame;
use crate::theme::{Motif, Paint, Role};

/// Half of a circle's handle: how far a curve's handles reach for a quarter of a circle.
const QUARTER: f32 = 0.552_285;

/// Fills a frame with the theme's motif.
pub fn fill(sheet: &mut Sheet<'_>, frame: Frame) {
    let motif = sheet.setting.theme.motif;
    // A long strip of single figures is a row of them.
    if matches!(motif, Motif::Circles | Motif::Blobs) && frame.width > frame.height * 2.2 {
        let count = (frame.width / (frame.height * 1.35)).round().max(2.0) as usize;
        for cell in frame.columns(count, frame.height * 0.12) {
            fill(sheet, cell);
        }
        return;
    }
    let mut dice = sheet.dice.clone();
    let mut nodes = match motif {
        Motif::Circles => circles(frame, &mut dice),
        Motif::Bars => bars(frame, &mut dice),
        Motif::Rules => rules(frame, &mut dice, sheet.unit, fine_line(sheet)),
        Motif::Blobs => blobs(frame, &mut dice),
        Motif::Dots => dots(frame, &mut dice),
        Motif::Tiles => tiles(frame, &mut dice),
    };
    if dice.below(2) == 1 {
        exchange(&mut nodes);
    }
    sheet.dice.roll();
    sheet.nodes.extend(nodes);
}

/// The accent and the second colour in each other's place, so that two designs of one theme do not look alike.
fn exchange(nodes: &mut [Node]) {
    let other = |paint: Paint| match paint {
        Paint::Role(Role::Accent) => Role::Second.into(),
        Paint::Role(Role::Second) => Role::Accent.into(),
        paint => paint,
    };
    let change = |fill: &mut Option<Fill>, stroke: &mut Option<Stroke>| {
        match fill {
            Some(Fill::Solid(paint) | Fill::Veil { paint, .. }) => *paint = other(*paint),
            None => {}
        }
        if let Some(stroke) = stroke {
            stroke.paint = other(stroke.paint);
        }
    };
    for node in nodes {
        match node {
            Node::Rectangle(shape) | Node::Ellipse(shape) => change(&mut shape.fill, &mut shape.stroke),
            Node::Path(path) => change(&mut path.fill, &mut path.stroke),
            _ => {}
        }
    }
}

/// One large figure of the motif in a square whose upper right corner is the page's: it reaches to both edges and never
/// over them.
pub fn fill_corner(sheet: &mut Sheet<'_>, side: f32) {
    let page = sheet.page;
    let square = Frame::new(page.right() - side, page.y, side, side);
    let around = |part: f32| Frame::new(square.right() - side * part, square.y, side * part, side * part);
    let nodes = match sheet.setting.theme.motif {
        Motif::Circles => [(1.0, Role::Accent), (0.74, Role::Ground), (0.62, Role::Second), (0.3, Role::Ground)]
            .map(|(part, paint)| quarter(around(part), 1, paint))
            .to_vec(),
        Motif::Bars => [(0.34, 0.0, Role::Accent), (0.52, 0.42, Role::Second), (0.96, 0.62, Role::Accent)]
            .map(|(far, near, paint)| {
                let (far, near) = (side * far, side * near);
                let (right, top) = (square.right(), square.y);
                polygon(
                    &[(right - far, top), (right - near, top), (right, top + near), (right, top + far)],
                    solid(paint),
                )
            })
            .to_vec(),
        Motif::Rules => {
            let fine = fine_line(sheet);
            (1..=11)
                .map(|at| {
                    let (paint, width) =
                        if at == 7 { (Role::Accent, sheet.unit * 0.8) } else { (fine, sheet.unit * 0.2) };
                    arc(square, at as f32 / 11.0, paint, width)
                })
                .collect()
        }
        Motif::Blobs => vec![
            quarter(around(0.94), 1, Role::Accent),
            disc(square.right() - side * 0.66, square.y + side * 0.62, side * 0.24, solid(Role::Second)),
            quarter(around(0.4), 1, Role::Wash),
        ],
        Motif::Dots => swell(square, (0.97, 0.03)),
        Motif::Tiles => {
            let cell = side / 2.0;
            let at = |column: f32, row: f32| Frame::new(square.x + column * cell, square.y + row * cell, cell, cell);
            vec![
                quarter(at(0.0, 0.0), 1, Role::Accent),
                block(at(1.0, 0.0), solid(Role::Second)),
                disc(square.x + cell * 1.5, square.y + cell * 0.5, cell * 0.32, solid(Role::Ground)),
                quarter(at(1.0, 1.0), 1, Role::Accent),
            ]
        }
    };
    sheet.dice.roll();
    sheet.nodes.extend(nodes);
}

/// The motif at the foot of a column that words left empty; nothing where it would be small.
pub fn fill_foot(sheet: &mut Sheet<'_>, column: Frame) {
    let height = (column.height - sheet.unit * 6.0).min(column.width * 0.82);
    if height >= sheet.unit * 18.0 {
        fill(sheet, Frame::new(column.x, column.bottom() - height, column.width, height));
    }
}

/// A quarter of a ring around the upper right corner of a square, at a part of its side.
fn arc(square: Frame, part: f32, paint: Role, width: f32) -> Node {
    let (cx, cy, radius) = (square.right(), square.y, square.width * part - width / 2.0);
    let pieces = vec![
        Piece::Move(cx - radius, cy),
        Piece::Curve(cx - radius, cy + radius * QUARTER, cx - radius * QUARTER, cy + radius, cx, cy + radius),
    ];
    let frame = Frame::new(cx - radius, cy, radius, radius);
    Node::Path(PathShape { frame, pieces, fill: None, stroke: Some(Stroke { paint: paint.into(), width }) })
}

/// The colour of a fine line: the second one where it is seen on this ground, else that of quiet words.
fn fine_line(sheet: &Sheet<'_>) -> Role {
    let color = |role: Role| sheet.setting.theme.color(sheet.ground, role.into());
    if color(Role::Second).contrast(color(Role::Ground)) >= 2.6 { Role::Second } else { Role::Muted }
}

fn solid(paint: Role) -> Option<Fill> {
    Some(Fill::Solid(paint.into()))
}

fn disc(x: f32, y: f32, radius: f32, fill: Option<Fill>) -> Node {
    Node::Ellipse(Shape {
        frame: Frame::new(x - radius, y - radius, radius * 2.0, radius * 2.0),
        fill,
        stroke: None,
        radius: 0.0,
    })
}

fn ring(x: f32, y: f32, radius: f32, paint: Role, width: f32) -> Node {
    let frame = Frame::new(x - radius, y - radius, radius * 2.0, radius * 2.0);
    Node::Ellipse(Shape { frame, fill: None, stroke: Some(Stroke { paint: paint.into(), width }), radius: 0.0 })
}

fn block(frame: Frame, fill: Option<Fill>) -> Node {
    Node::Rectangle(Shape { frame, fill, stroke: None, radius: 0.0 })
}

/// One large disc, one small one before it, rings around a third place.
fn circles(frame: Frame, dice: &mut Dice) -> Vec<Node> {
    let side = frame.width.min(frame.height);
    let large = side * dice.between(0.36, 0.42);
    let left = dice.below(2) == 0;
    let x = if left { frame.x + large + side * 0.06 } else { frame.right() - large - side * 0.06 };
    let y = frame.y + frame.height * dice.between(0.45, 0.55);
    let mut nodes = vec![disc(x, y, large, solid(Role::Accent))];
    for step in 1..=3 {
        let radius = large * (1.0 - step as f32 * 0.2);
        nodes.push(ring(x, y, radius, Role::Ground, side * 0.012));
    }
    let small = large * dice.between(0.42, 0.5);
    let sx = (if left { x + large * 0.78 } else { x - large * 0.78 }).clamp(frame.x + small, frame.right() - small);
    let sy = (y + large * if dice.below(2) == 0 { 0.62 } else { -0.62 }).clamp(frame.y + small, frame.bottom() - small);
    nodes.push(disc(sx, sy, small, solid(Role::Second)));
    nodes.push(disc(sx, sy, small * 0.42, solid(Role::Ground)));
    nodes
}

/// Slanting bars of changing width, like a rhythm. They slant so that nobody reads them as a chart.
fn bars(frame: Frame, dice: &mut Dice) -> Vec<Node> {
    let slant = (frame.height * 0.5).min(frame.width * 0.42);
    let widths: Vec<f32> = (0..6).map(|at| dice.between(0.5, 1.0) * if at % 2 == 0 { 1.0 } else { 0.45 }).collect();
    let gap = 0.32;
    let total: f32 = widths.iter().sum::<f32>() + gap * (widths.len() - 1) as f32;
    let unit = (frame.width - slant) / total;
    let paints = [
        solid(Role::Accent),
        solid(Role::Second),
        Some(Fill::Veil { paint: Role::Accent.into(), opacity: 0.35 }),
        solid(Role::Second),
        solid(Role::Accent),
        Some(Fill::Veil { paint: Role::Second.into(), opacity: 0.45 }),
    ];
    let mut nodes = Vec::new();
    let mut x = frame.x;
    for (width, fill) in widths.iter().zip(paints) {
        let width = width * unit;
        let corners =
            [(x + slant, frame.y), (x + slant + width, frame.y), (x + width, frame.bottom()), (x, frame.bottom())];
        nodes.push(polygon(&corners, fill));
        x += width + gap * unit;
    }
    nodes
}

/// A closed form of straight sides.
fn polygon(corners: &[(f32, f32)], fill: Option<Fill>) -> Node {
    let (mut left, mut top, mut right, mut bottom) = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
    let mut pieces = Vec::with_capacity(corners.len() + 1);
    for (at, (x, y)) in corners.iter().copied().enumerate() {
        (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
        pieces.push(if at == 0 { Piece::Move(x, y) } else { Piece::Line(x, y) });
    }
    pieces.push(Piece::Close);
    Node::Path(PathShape { frame: Frame::new(left, top, right - left, bottom - top), pieces, fill, stroke: None })
}

/// Fine lines that swing, one above the other.
fn rules(frame: Frame, dice: &mut Dice, unit: f32, fine: Role) -> Vec<Node> {
    let mut nodes = Vec::new();
    let count = 17;
    let swing = frame.height * 0.16;
    let phase = dice.between(0.2, 0.8);
    for at in 0..count {
        let part = at as f32 / (count - 1) as f32;
        let y = frame.y + swing + (frame.height - 2.0 * swing) * part;
        let lift = swing * (1.0 - part * 0.75);
        let middle = frame.x + frame.width * phase;
        let pieces = vec![
            Piece::Move(frame.x, y),
            Piece::Curve(
                frame.x + (middle - frame.x) * 0.5,
                y - lift,
                frame.x + (middle - frame.x) * 0.6,
                y + lift,
                middle,
                y,
            ),
            Piece::Curve(
                middle + (frame.right() - middle) * 0.4,
                y - lift,
                middle + (frame.right() - middle) * 0.5,
                y + lift * 0.8,
                frame.right(),
                y,
            ),
        ];
        let (paint, width) = if at == count / 3 { (Role::Accent, unit * 0.75) } else { (fine, unit * 0.18) };
        nodes.push(Node::Path(PathShape {
            frame,
            pieces,
            fill: None,
            stroke: Some(Stroke { paint: paint.into(), width }),
        }));
    }
    let radius = frame.width.min(frame.height) * 0.13;
    nodes.push(disc(frame.x + frame.width * (1.0 - phase), frame.y + radius * 1.6, radius, solid(Role::Accent)));
    nodes
}

/// A smooth closed form through points around a middle.
fn blob(cx: f32, cy: f32, rx: f32, ry: f32, dice: &mut Dice, paint: impl Into<Paint>) -> Node {
    let count = 7;
    let points: Vec<(f32, f32)> = (0..count)
        .map(|at| {
            let angle = at as f32 / count as f32 * std::f32::consts::TAU;
            let reach = dice.between(0.78, 1.0);
            (cx + angle.cos() * rx * reach, cy + angle.sin() * ry * reach)
        })
        .collect();
    let at = |index: usize| points[index % count];
    let mut pieces = vec![Piece::Move(points[0].0, points[0].1)];
    for index in 0..count {
        let (before, from, to, behind) = (at(index + count - 1), at(index), at(index + 1), at(index + 2));
        let tension = 0.175;
        pieces.push(Piece::Curve(
            from.0 + (to.0 - before.0) * tension,
            from.1 + (to.1 - before.1) * tension,
            to.0 - (behind.0 - from.0) * tension,
            to.1 - (behind.1 - from.1) * tension,
            to.0,
            to.1,
        ));
    }
    pieces.push(Piece::Close);
    let frame = Frame::new(cx - rx, cy - ry, rx * 2.0, ry * 2.0);
    Node::Path(PathShape { frame, pieces, fill: Some(Fill::Solid(paint.into())), stroke: None })
}

/// Soft forms over one another, like leaves or stones.
fn blobs(frame: Frame, dice: &mut Dice) -> Vec<Node> {
    let (w, h) = (frame.width, frame.height);
    let flip = if dice.below(2) == 0 { 1.0 } else { -1.0 };
    let (cx, cy) = (frame.x + w * 0.5, frame.y + h * 0.5);
    let mut nodes = vec![
        blob(cx - w * 0.06 * flip, cy + h * 0.04, w * 0.42, h * 0.42, dice, Role::Accent),
        blob(cx + w * 0.20 * flip, cy - h * 0.20, w * 0.26, h * 0.26, dice, Role::Second),
        blob(cx - w * 0.22 * flip, cy + h * 0.24, w * 0.17, h * 0.17, dice, Role::Wash),
    ];
    let radius = w.min(h) * 0.045;
    nodes.push(disc(cx + w * 0.30 * flip, cy + h * 0.30, radius, solid(Role::Second)));
    nodes.push(disc(cx - w * 0.34 * flip, cy - h * 0.33, radius * 0.7, solid(Role::Accent)));
    nodes
}

/// A field of dots that swells from one corner.
fn dots(frame: Frame, dice: &mut Dice) -> Vec<Node> {
    swell(frame, (dice.between(0.55, 0.85), dice.between(0.3, 0.7)))
}

/// Dots that are the larger the nearer they are to a point, given in parts of the frame.
fn swell(frame: Frame, (focus_x, focus_y): (f32, f32)) -> Vec<Node> {
    let step = frame.width.min(frame.height) / 11.0;
    let columns = (frame.width / step).floor().max(1.0) as usize;
    let rows = (frame.height / step).floor().max(1.0) as usize;
    let mut nodes = Vec::new();
    let (left, top) = ((frame.width - columns as f32 * step) / 2.0, (frame.height - rows as f32 * step) / 2.0);
    for row in 0..rows {
        for column in 0..columns {
            let (px, py) = ((column as f32 + 0.5) / columns as f32, (row as f32 + 0.5) / rows as f32);
            let aspect = frame.width / frame.height;
            let far = ((px - focus_x) * aspect.min(1.6)).hypot((py - focus_y) / aspect.max(0.7));
            let size = (1.0 - far * 1.35).clamp(0.10, 1.0);
            let x = frame.x + left + (column as f32 + 0.5) * step;
            let y = frame.y + top + (row as f32 + 0.5) * step;
            let paint = if (row * 7 + column * 3) % 11 == 0 && size > 0.3 { Role::Second } else { Role::Accent };
            nodes.push(disc(x, y, step * 0.42 * size, solid(paint)));
        }
    }
    nodes
}

/// A mosaic of squares, quarter circles and discs.
fn tiles(frame: Frame, dice: &mut Dice) -> Vec<Node> {
    let rough = (frame.width * frame.height / 14.0).sqrt();
    let columns = (frame.width / rough).round().max(1.0);
    let rows = (frame.height / rough).round().max(1.0);
    // Whole pixels, so that no seam shows between tiles.
    let side = (frame.width / columns).min(frame.height / rows).floor().max(1.0);
    let left = (frame.x + (frame.width - side * columns) / 2.0).round();
    let top = (frame.y + (frame.height - side * rows) / 2.0).round();
    let paints = [Role::Accent, Role::Second, Role::Wash, Role::Accent];
    let mut nodes = Vec::new();
    for row in 0..rows as usize {
        for column in 0..columns as usize {
            let tile = Frame::new(left + column as f32 * side, top + row as f32 * side, side, side);
            let ground = paints[(row * 2 + column + dice.below(2)) % 4];
            let figure = paints[(row + column * 3 + 1 + dice.below(2)) % 4];
            nodes.push(block(tile, solid(ground)));
            if figure == ground {
                continue;
            }
            match dice.below(4) {
                0 => nodes.push(quarter(tile, dice.below(4), figure)),
                1 => nodes.push(disc(tile.x + side / 2.0, tile.y + side / 2.0, side * 0.32, solid(figure))),
                2 => nodes.push(block(Frame::new(tile.x, tile.y, side / 2.0, side), solid(figure))),
                _ => nodes.push(quarter(tile, dice.below(4), figure)),
            }
        }
    }
    nodes
}

/// A quarter of a disc that fills a tile, with its point in one of the corners.
fn quarter(tile: Frame, corner: usize, paint: Role) -> Node {
    let (cx, cy, dx, dy) = match corner {
        0 => (tile.x, tile.y, 1.0, 1.0),
        1 => (tile.right(), tile.y, -1.0, 1.0),
        2 => (tile.right(), tile.bottom(), -1.0, -1.0),
        _ => (tile.x, tile.bottom(), 1.0, -1.0),
    };
    let side = tile.width;
    let pieces = vec![
        Piece::Move(cx, cy),
        Piece::Line(cx + dx * side, cy),
        Piece::Curve(
            cx + dx * side,
            cy + dy * side * QUARTER,
            cx + dx * side * QUARTER,
            cy + dy * side,
            cx,
            cy + dy * side,
        ),
        Piece::Close,
    ];
    Node::Path(PathShape { frame: tile, pieces, fill: solid(paint), stroke: None })
}
