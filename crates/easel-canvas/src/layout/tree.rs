//! Who belongs to whom: each box below the one that it hangs from, or at its side, every parent in the middle of what it has.
//!
//! Boxes of one page are all of one size. Where what hangs from the lowest boxes would be too narrow beside each other, it
//! stands under them, one below the other. Deliberately not here: flows whose ways meet again (`graph`).

use super::graph::put_node;
use super::head::put_head;
use super::sheet::Sheet;
use crate::content::{Arrow, Matter, Passage, Point};
use crate::geometry::Frame;
use crate::theme::Role;

/// A tree of more boxes than this is drawn in ranks, where boxes may become smaller.
const MOST_BOXES: usize = 30;

/// Whether every box but one hangs from exactly one other, no arrow says anything, and some box has two below it.
pub fn is_tree(boxes: &[Point], arrows: &[Arrow]) -> bool {
    if !(3..=MOST_BOXES).contains(&boxes.len()) || arrows.len() + 1 != boxes.len() {
        return false;
    }
    let Some(tree) = Tree::of(boxes.len(), arrows) else { return false };
    let is_silent = arrows.iter().all(|arrow| arrow.label.is_empty());
    is_silent && tree.below.iter().any(|below| below.len() > 1)
}

/// Boxes by what hangs from each.
struct Tree {
    root: usize,
    below: Vec<Vec<usize>>,
    /// Each box with how many stand above it, every parent before what it has.
    order: Vec<(usize, usize)>,
}

impl Tree {
    fn of(count: usize, arrows: &[Arrow]) -> Option<Self> {
        let mut below = vec![Vec::new(); count];
        let mut hangs = vec![false; count];
        for arrow in arrows {
            if arrow.from >= count || arrow.to >= count || std::mem::replace(hangs.get_mut(arrow.to)?, true) {
                return None;
            }
            below[arrow.from].push(arrow.to);
        }
        let root = hangs.iter().position(|hangs| !hangs)?;
        let mut order = vec![(root, 0)];
        let mut at = 0;
        while let Some((own, depth)) = order.get(at).copied() {
            order.extend(below[own].iter().map(|child| (*child, depth + 1)));
            at += 1;
        }
        // What goes round hangs from nothing that was reached.
        (order.len() == count).then_some(Self { root, below, order })
    }

    /// Whether what hangs from a box has nothing below it.
    fn is_lowest(&self, at: usize) -> bool {
        at != self.root
            && !self.below[at].is_empty()
            && self.below[at].iter().all(|child| self.below[*child].is_empty())
    }

    /// Whether steps follow each other in it, as those of a course do: what is below one box alone goes on.
    fn is_course(&self) -> bool {
        self.below.iter().any(|below| matches!(below.as_slice(), [only] if !self.below[*only].is_empty()))
    }
}

/// What boxes are measured by along and across the way that the tree goes, in pixels.
struct Measures {
    along: f32,
    across: f32,
    gap_along: f32,
    gap_across: f32,
    /// Between boxes that stand under each other.
    gap_stacked: f32,
}

/// From the top down.
pub fn flow_tree(sheet: &mut Sheet<'_>, passage: &Passage) {
    draw(sheet, passage, false);
}

/// From the left to the right.
pub fn flow_tree_turned(sheet: &mut Sheet<'_>, passage: &Passage) {
    draw(sheet, passage, true);
}

fn draw(sheet: &mut Sheet<'_>, passage: &Passage, is_turned: bool) {
    let Matter::Flow { boxes, arrows, .. } = &passage.matter else { return };
    let Some(tree) = Tree::of(boxes.len(), arrows) else {
        sheet.failed = true;
        return;
    };
    let rest = put_head(sheet, passage);
    let found = if is_turned {
        placed(sheet, &tree, rest, true, false)
    } else {
        placed(sheet, &tree, rest, false, false)
            .or_else(|| placed(sheet, &tree, rest, false, true))
            .or_else(|| placed(sheet, &tree, rest, true, false))
    };
    let Some(Placed { frames, goes_right, is_stacked }) = found else {
        sheet.failed = true;
        return;
    };
    let has_heads = tree.is_course();
    for (at, below) in tree.below.iter().enumerate().filter(|(_, below)| !below.is_empty()) {
        let ends: Vec<Frame> = below.iter().map(|child| frames[*child]).collect();
        if is_stacked && tree.is_lowest(at) {
            join_stacked(sheet, frames[at], &ends);
        } else {
            join(sheet, frames[at], &ends, goes_right, has_heads);
        }
    }
    for (at, (point, frame)) in boxes.iter().zip(&frames).enumerate() {
        put_node(sheet, point, "", *frame, at == tree.root);
    }
}

/// Where each box stands, and how.
struct Placed {
    frames: Vec<Frame>,
    goes_right: bool,
    is_stacked: bool,
}

/// Where each box stands; `None` where boxes would be too small for words.
fn placed(sheet: &Sheet<'_>, tree: &Tree, room: Frame, goes_right: bool, is_stacked: bool) -> Option<Placed> {
    let unit = sheet.unit;
    let is_stacked_at = |at: usize| is_stacked && tree.is_lowest(at);
    // The columns: one for each box that has nothing beside it below.
    let mut span = vec![1_usize; tree.below.len()];
    for (at, _) in tree.order.iter().rev() {
        if !tree.below[*at].is_empty() && !is_stacked_at(*at) {
            span[*at] = tree.below[*at].iter().map(|child| span[*child]).sum();
        }
    }
    let measures = measure(tree, &span, (room.width, room.height), unit, goes_right, &is_stacked_at)?;
    let Measures { along, across, gap_along, gap_across, gap_stacked } = measures;
    let columns = span[tree.root] as f32;
    let used_across = columns * across + (columns - 1.0) * gap_across;
    let (length, breadth) = if goes_right { (room.width, room.height) } else { (room.height, room.width) };
    let mut first = vec![0.0_f32; tree.below.len()];
    first[tree.root] = (breadth - used_across) / 2.0;
    let mut frames = vec![Frame::new(0.0, 0.0, 0.0, 0.0); tree.below.len()];
    let mut used_along = 0.0_f32;
    let place = |from_along: f32, from_across: f32, across: f32| {
        if goes_right {
            Frame::new(from_along, from_across, along, across)
        } else {
            Frame::new(from_across, from_along, across, along)
        }
    };
    for (at, depth) in &tree.order {
        let wide = span[*at] as f32 * across + (span[*at] - 1) as f32 * gap_across;
        let from = *depth as f32 * (along + gap_along);
        used_along = used_along.max(from + along);
        if frames[*at].width == 0.0 {
            frames[*at] = place(from, first[*at] + (wide - across) / 2.0, across);
        }
        let mut next = first[*at];
        for (row, child) in tree.below[*at].iter().enumerate() {
            if is_stacked_at(*at) {
                let indent = unit * INDENT;
                let from = from + (row + 1) as f32 * (along + gap_stacked);
                frames[*child] = place(from, first[*at] + indent, across - indent);
                used_along = used_along.max(from + along);
            } else {
                first[*child] = next;
                next += span[*child] as f32 * (across + gap_across);
            }
        }
    }
    let lead = (length - used_along).max(0.0) * 0.4;
    let (x, y) = if goes_right { (room.x + lead, room.y) } else { (room.x, room.y + lead) };
    frames.iter_mut().for_each(|frame| (frame.x, frame.y) = (frame.x + x, frame.y + y));
    Some(Placed { frames, goes_right, is_stacked })
}

/// By how many units what stands under a box is set in.
const INDENT: f32 = 4.0;

fn measure(
    tree: &Tree,
    span: &[usize],
    (width, height): (f32, f32),
    unit: f32,
    goes_right: bool,
    is_stacked_at: &dyn Fn(usize) -> bool,
) -> Option<Measures> {
    let (length, breadth) = if goes_right { (width, height) } else { (height, width) };
    let (gap_along, gap_across) = (unit * 7.0, unit * if goes_right { 1.8 } else { 3.0 });
    let gap_stacked = unit * 1.8;
    let columns = span[tree.root] as f32;
    let (most_along, least_along) = if goes_right { (44.0, 18.0) } else { (19.0, 6.4) };
    let (most_across, least_across) = if goes_right { (17.0, 5.6) } else { (42.0, 17.0) };
    let across = ((breadth - gap_across * (columns - 1.0)) / columns).min(unit * most_across);
    let along = tree
        .order
        .iter()
        .map(|(at, depth)| {
            let stacked = if is_stacked_at(*at) { tree.below[*at].len() } else { 0 };
            let gaps = *depth as f32 * gap_along + stacked as f32 * gap_stacked;
            (length - gaps) / (depth + 1 + stacked) as f32
        })
        .fold(unit * most_along, f32::min);
    (along >= unit * least_along && across >= unit * least_across).then_some(Measures {
        along,
        across,
        gap_along,
        gap_across,
        gap_stacked,
    })
}

/// A line from a box, and from it one to each that hangs from the box.
fn join(sheet: &mut Sheet<'_>, from: Frame, ends: &[Frame], goes_right: bool, has_heads: bool) {
    let unit = sheet.unit;
    let width = (unit * 0.28).max(1.5);
    let air = if has_heads { unit * 0.7 } else { 0.0 };
    let centre = |frame: &Frame| {
        if goes_right { frame.y + frame.height / 2.0 } else { frame.x + frame.width / 2.0 }
    };
    let point = |along: f32, across: f32| if goes_right { (along, across) } else { (across, along) };
    let start = if goes_right { from.right() } else { from.bottom() };
    let end = |frame: &Frame| if goes_right { frame.x } else { frame.y };
    let Some(nearest) = ends.iter().map(end).reduce(f32::min) else { return };
    let middle = start + (nearest - start) * 0.45;
    let own = centre(&from);
    sheet.rule(point(start, own), point(middle, own), Role::Ink, width);
    let (mut low, mut high) = (own, own);
    for frame in ends {
        let across = centre(frame);
        (low, high) = (low.min(across), high.max(across));
        let (one, two) = (point(middle, across), point(end(frame) - air, across));
        if has_heads {
            sheet.arrow(one, two, Role::Ink, width);
        } else {
            sheet.rule(one, two, Role::Ink, width);
        }
    }
    if high - low > 0.5 {
        sheet.rule(point(middle, low), point(middle, high), Role::Ink, width);
    }
}

/// A line down at the side of what stands under a box, and a short one to each of it.
fn join_stacked(sheet: &mut Sheet<'_>, from: Frame, ends: &[Frame]) {
    let width = (sheet.unit * 0.28).max(1.5);
    let x = from.x + sheet.unit * INDENT * 0.4;
    let Some(last) = ends.last() else { return };
    sheet.rule((x, from.bottom()), (x, last.y + last.height / 2.0), Role::Ink, width);
    for frame in ends {
        let y = frame.y + frame.height / 2.0;
        sheet.rule((x, y), (frame.x, y), Role::Ink, width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(count: usize) -> Vec<Point> {
        (0..count).map(|at| Point::new(format!("Box {at}"), "")).collect()
    }

    fn arrows(pairs: &[(usize, usize)]) -> Vec<Arrow> {
        pairs.iter().map(|(from, to)| Arrow { from: *from, to: *to, label: String::new() }).collect()
    }

    #[test]
    fn knows_a_tree_from_other_flows() {
        for (count, pairs, expected) in [
            (4, vec![(0, 1), (0, 2), (0, 3)], true),
            (5, vec![(0, 1), (0, 2), (1, 3), (1, 4)], true),
            (5, vec![(4, 0), (4, 1), (1, 2), (1, 3)], true),
            (3, vec![(0, 1), (1, 2)], false),
            (4, vec![(0, 1), (0, 2), (1, 3), (2, 3)], false),
            (4, vec![(0, 1), (1, 2), (2, 0)], false),
            (4, vec![(0, 1), (2, 3), (3, 2)], false),
        ] {
            assert_eq!(is_tree(&boxes(count), &arrows(&pairs)), expected, "{pairs:?}");
        }
    }
}
