//! Boxes in ranks with arrows between them: branches side by side, each with its condition, and arrows that lead back.

use super::head::put_head;
use super::lanes;
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Arrow, Matter, Passage, Point};
use crate::document::Anchor;
use crate::geometry::Frame;
use crate::theme::Role;

/// A flow under its title, from the left to the right or from the top down, whichever leaves its boxes more room.
pub fn flow_graph(sheet: &mut Sheet<'_>, passage: &Passage) {
    let rest = put_head(sheet, passage);
    put_graph(sheet, &passage.matter, rest);
}

/// The same the other way: from the top down where it would go to the right.
pub fn flow_graph_turned(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Flow { boxes, arrows, .. } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    let goes_right = goes_right(sheet.shape(), depth_of(boxes, arrows));
    put_graph_going(sheet, boxes, arrows, rest, !goes_right);
}

/// Whether a flow has branches, joins or arrows that lead back.
pub fn has_branches(boxes: &[Point], arrows: &[Arrow]) -> bool {
    boxes.len() > 1
        && !arrows.is_empty()
        && arrows.iter().any(|arrow| arrow.to != arrow.from + 1 || !arrow.label.is_empty())
}

/// The rank of each box: one more than the last that leads to it; arrows that lead back do not count.
fn ranks_of(count: usize, arrows: &[Arrow]) -> Vec<usize> {
    let mut ranks = vec![0_usize; count];
    for _ in 0..count {
        for arrow in arrows.iter().filter(|arrow| arrow.to > arrow.from) {
            if ranks[arrow.to] <= ranks[arrow.from] {
                ranks[arrow.to] = ranks[arrow.from] + 1;
            }
        }
    }
    ranks
}

/// How many ranks a flow has.
pub fn depth_of(boxes: &[Point], arrows: &[Arrow]) -> usize {
    let within: Vec<Arrow> =
        arrows.iter().filter(|arrow| arrow.from < boxes.len() && arrow.to < boxes.len()).cloned().collect();
    ranks_of(boxes.len(), &within).into_iter().max().map_or(0, |rank| rank + 1)
}

/// Whether a flow of so many ranks has more room from the left to the right than from the top down.
const fn goes_right(shape: PageShape, depth: usize) -> bool {
    match shape {
        PageShape::Wide => depth <= 6,
        PageShape::Square => depth <= 3,
        PageShape::Tall => false,
    }
}

/// Puts boxes and arrows into a frame.
pub fn put_graph(sheet: &mut Sheet<'_>, matter: &Matter, frame: Frame) {
    let Matter::Flow { boxes, arrows, lanes } = matter else { return };
    if !lanes.is_empty() {
        lanes::put_lanes(sheet, boxes, arrows, lanes, frame);
        return;
    }
    let goes_right = goes_right(sheet.shape(), depth_of(boxes, arrows));
    put_graph_going(sheet, boxes, arrows, frame, goes_right);
}

fn put_graph_going(sheet: &mut Sheet<'_>, boxes: &[Point], arrows: &[Arrow], frame: Frame, goes_right: bool) {
    let arrows: Vec<Arrow> =
        arrows.iter().filter(|arrow| arrow.from < boxes.len() && arrow.to < boxes.len()).cloned().collect();
    let ranks = ranks_of(boxes.len(), &arrows);
    let depth = ranks.iter().max().map_or(1, |rank| rank + 1);
    let breadth = (0..depth).map(|rank| ranks.iter().filter(|own| **own == rank).count()).max().unwrap_or(1);
    let unit = sheet.unit;
    let (gap_along, gap_across) = if goes_right { (unit * 5.5, unit * 5.0) } else { (unit * 4.4, unit * 4.0) };
    let has_back = arrows.iter().any(|arrow| arrow.to <= arrow.from);
    // Room for the line that leads back.
    let frame = if !has_back {
        frame
    } else if goes_right {
        Frame::new(frame.x, frame.y, frame.width, frame.height - unit * 5.0)
    } else {
        Frame::new(frame.x, frame.y, frame.width - unit * 6.0, frame.height)
    };
    let (along, across) = if goes_right { (frame.width, frame.height) } else { (frame.height, frame.width) };
    let size_along = (along - gap_along * (depth - 1) as f32) / depth as f32;
    let size_across = ((across - gap_across * (breadth - 1) as f32) / breadth as f32)
        .min(unit * if goes_right { 26.0 } else { 62.0 });
    let size_along = if goes_right { size_along.min(unit * 44.0) } else { size_along.min(unit * 20.0) };
    if size_along < unit * if goes_right { 13.0 } else { 6.0 }
        || size_across < unit * if goes_right { 7.0 } else { 14.0 }
    {
        sheet.failed = true;
        return;
    }
    let used_along = size_along * depth as f32 + gap_along * (depth - 1) as f32;
    let from_along = (along - used_along).max(0.0) / 2.0;
    let mut frames = vec![frame; boxes.len()];
    for rank in 0..depth {
        let own: Vec<usize> = (0..boxes.len()).filter(|at| ranks[*at] == rank).collect();
        let used = size_across * own.len() as f32 + gap_across * own.len().saturating_sub(1) as f32;
        for (place, at) in own.iter().enumerate() {
            let offset = (across - used) / 2.0 + place as f32 * (size_across + gap_across);
            let forward = from_along + rank as f32 * (size_along + gap_along);
            frames[*at] = if goes_right {
                Frame::new(frame.x + forward, frame.y + offset, size_along, size_across)
            } else {
                Frame::new(frame.x + offset, frame.y + forward, size_across, size_along)
            };
        }
    }
    for arrow in &arrows {
        join(sheet, frames[arrow.from], frames[arrow.to], arrow.to > arrow.from, goes_right);
    }
    for (at, (point, place)) in boxes.iter().zip(&frames).enumerate() {
        let mut conditions: Vec<&str> = arrows
            .iter()
            .filter(|arrow| arrow.to == at && !arrow.label.is_empty())
            .map(|arrow| arrow.label.as_str())
            .collect();
        let is_end = at == 0 || !arrows.iter().any(|arrow| arrow.from == at);
        // “Calls”, “calls”: what two arrows say alike stands once.
        conditions.dedup();
        put_node(sheet, point, &conditions.join(" / "), *place, is_end);
    }
}

/// A box: its condition, its name, what is said of it.
pub fn put_node(sheet: &mut Sheet<'_>, point: &Point, condition: &str, frame: Frame, is_loud: bool) {
    let (radius, unit) = (sheet.radius(), sheet.unit);
    let (ground, head, body) =
        if is_loud { (Role::Accent, Role::OnAccent, Role::OnAccent) } else { (Role::Surface, Role::Ink, Role::Muted) };
    sheet.rectangle(frame, ground, radius);
    if !is_loud {
        sheet.outline(frame, Role::Accent, (unit * 0.22).max(1.0), radius);
    }
    let inner = frame.inset_by(unit * 1.6, unit * 1.0);
    let label = Words::body(condition)
        .small()
        .fixed()
        .weight(700)
        .paint(if is_loud { Role::OnAccent } else { Role::AccentText })
        .at_least(0.6);
    let name = Words::heading(&point.head).sized(0.86).fixed().paint(head).at_least(0.5);
    let more = Words::runs(&point.body).small().fixed().paint(body).at_least(0.6);
    let gap = unit * 0.6;
    let mut heights = Vec::new();
    for words in [&label, &name, &more] {
        heights.push(if words.is_empty() { 0.0 } else { sheet.height_within(words, inner) });
    }
    let gaps = gap * heights.iter().filter(|height| **height > 0.0).count().saturating_sub(1) as f32;
    let total: f32 = heights.iter().sum::<f32>() + gaps;
    if total > inner.height + 0.5 {
        // Smaller letters until all of it fits.
        let mut factor = 0.92;
        while factor > 0.55 {
            let smaller: Vec<Words> =
                [&label, &name, &more].into_iter().map(|words| words.clone().sized(factor)).collect();
            let heights: Vec<f32> = smaller
                .iter()
                .map(|words| if words.is_empty() { 0.0 } else { sheet.height_of(words, inner.width) })
                .collect();
            if heights.iter().sum::<f32>() + gaps <= inner.height {
                put_stack(sheet, &smaller, &heights, inner, gap);
                return;
            }
            factor -= 0.06;
        }
        sheet.failed = true;
        return;
    }
    put_stack(sheet, &[label, name, more], &heights, inner, gap);
}

fn put_stack(sheet: &mut Sheet<'_>, words: &[Words], heights: &[f32], frame: Frame, gap: f32) {
    let shown = heights.iter().filter(|height| **height > 0.0).count();
    let total = heights.iter().sum::<f32>() + gap * shown.saturating_sub(1) as f32;
    let mut y = frame.y + (frame.height - total).max(0.0) / 2.0;
    for (words, height) in words.iter().zip(heights).filter(|(_, height)| **height > 0.0) {
        sheet.put(&words.clone().centered().anchored(Anchor::Top), Frame::new(frame.x, y, frame.width, height + 1.0));
        y += height + gap;
    }
}

/// An arrow from box to box: straight where they stand in line, with two bends where not, around the others where it leads back.
fn join(sheet: &mut Sheet<'_>, from: Frame, to: Frame, is_forward: bool, goes_right: bool) {
    let unit = sheet.unit;
    let (width, air) = ((unit * 0.3).max(1.5), unit * 0.7);
    let line = |sheet: &mut Sheet<'_>, one: (f32, f32), two: (f32, f32), is_last: bool| {
        if is_last {
            sheet.arrow(one, two, Role::Ink, width);
        } else {
            sheet.rule(one, two, Role::Ink, width);
        }
    };
    let mut path: Vec<(f32, f32)> = Vec::new();
    if is_forward && goes_right {
        let (start, end) = ((from.right(), from.y + from.height / 2.0), (to.x - air, to.y + to.height / 2.0));
        let middle = to.x - unit * 2.75;
        path.extend([start, (middle, start.1), (middle, end.1), end]);
    } else if is_forward {
        let (start, end) = ((from.x + from.width / 2.0, from.bottom()), (to.x + to.width / 2.0, to.y - air));
        let middle = to.y - unit * 2.2;
        path.extend([start, (start.0, middle), (end.0, middle), end]);
    } else if goes_right {
        let low = from.bottom().max(to.bottom()) + unit * 3.0;
        let (start, end) = ((from.x + from.width * 0.5, from.bottom()), (to.x + to.width * 0.5, to.bottom() + air));
        path.extend([start, (start.0, low), (end.0, low), end]);
    } else {
        let far = from.right().max(to.right()) + unit * 3.0;
        let (start, end) = ((from.right(), from.y + from.height / 2.0), (to.right() + air, to.y + to.height / 2.0));
        path.extend([start, (far, start.1), (far, end.1), end]);
    }
    path.dedup_by(|one, two| (one.0 - two.0).abs() < 0.5 && (one.1 - two.1).abs() < 0.5);
    let last = path.len().saturating_sub(2);
    for (at, pair) in path.windows(2).enumerate() {
        line(sheet, pair[0], pair[1], at == last);
    }
}
