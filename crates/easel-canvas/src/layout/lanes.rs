//! A flow by who does what: a lane for each, its name at its head, and in it the steps that are theirs, one after the other.
//!
//! Lanes lie over one another and are read from the left to the right; where boxes would be too narrow for words they stand beside
//! one another and are read from the top down. All boxes are of one size and their words of one size. Deliberately not here: which
//! field a box has (`grid`) and the ways of arrows (`ways`).

mod grid;
mod ways;

use super::head::put_head;
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Arrow, Lane, Matter, Passage, Point};
use crate::document::Anchor;
use crate::geometry::Frame;
use crate::theme::Role;
use grid::{Field, Grid};
use ways::{Lines, Rails, way_of};

/// Lanes under the title, the way that leaves their boxes more room.
pub fn flow_lanes(sheet: &mut Sheet<'_>, passage: &Passage) {
    draw(sheet, passage, false);
}

/// The same the other way.
pub fn flow_lanes_turned(sheet: &mut Sheet<'_>, passage: &Passage) {
    draw(sheet, passage, true);
}

fn draw(sheet: &mut Sheet<'_>, passage: &Passage, is_turned: bool) {
    let Matter::Flow { boxes, arrows, lanes } = &passage.matter else { return };
    let rest = put_head(sheet, passage);
    put(sheet, (boxes, arrows, lanes), rest, (sheet.shape() == PageShape::Wide) != is_turned);
}

/// Puts lanes into a frame.
pub fn put_lanes(sheet: &mut Sheet<'_>, boxes: &[Point], arrows: &[Arrow], lanes: &[Lane], frame: Frame) {
    put(sheet, (boxes, arrows, lanes), frame, frame.width > frame.height);
}

/// How many boxes the longest way through lanes has beside each other.
pub fn length_in_lanes(boxes: &[Point], arrows: &[Arrow], lanes: &[Lane]) -> usize {
    Grid::of(boxes.len(), arrows, lanes).length
}

type Flow<'f> = (&'f [Point], &'f [Arrow], &'f [Lane]);

fn put(sheet: &mut Sheet<'_>, flow: Flow<'_>, frame: Frame, goes_right: bool) {
    let (boxes, arrows, lanes) = flow;
    let arrows: Vec<Arrow> =
        arrows.iter().filter(|arrow| arrow.from < boxes.len() && arrow.to < boxes.len()).cloned().collect();
    let grid = Grid::of(boxes.len(), &arrows, lanes);
    let unit = sheet.unit;
    // Comfortable boxes one way or the other, else any that can be read.
    let ways = [1.0, 0.72, 0.5].iter().flat_map(|least| [(goes_right, *least), (!goes_right, *least)]);
    let (before, had_failed) = (sheet.nodes.len(), sheet.failed);
    for plan in ways.filter_map(|(goes_right, least)| Plan::of(&grid, frame, unit, goes_right, least)) {
        put_bands(sheet, &plan, lanes);
        put_arrows(sheet, &plan, &grid, &arrows);
        put_boxes(sheet, &plan, &grid, boxes, &arrows);
        if sheet.failed == had_failed {
            return;
        }
        sheet.nodes.truncate(before);
        sheet.failed = had_failed;
    }
    sheet.failed = true;
}

/// Where everything stands.
struct Plan {
    goes_right: bool,
    /// Where the lanes are, with their heads.
    frame: Frame,
    /// How much of a lane its head takes.
    head: f32,
    /// Where each lane begins across the way, and how broad it is.
    bands: Vec<(f32, f32)>,
    rails: Rails,
}

impl Plan {
    /// `None` where boxes would be too small for words: `least` is how small they may be, of what is comfortable.
    fn of(grid: &Grid, frame: Frame, unit: f32, goes_right: bool, least: f32) -> Option<Self> {
        let (length, breadth) = if goes_right { (frame.width, frame.height) } else { (frame.height, frame.width) };
        let head = if goes_right { (frame.width * 0.13).clamp(unit * 13.0, unit * 22.0) } else { unit * 7.0 };
        let (least_along, least_across) = if goes_right { (15.0, 7.5) } else { (7.0, 16.0) };
        let (most_along, most_across) = if goes_right { (34.0, 16.0) } else { (13.0, 44.0) };
        // Small boxes stand closer to each other, too.
        let tight = least.max(0.7);
        let (gap, edge) = (unit * 5.0 * tight, unit * 3.0);
        let count = grid.length as f32;
        let free = length - head - edge * 2.0;
        let along = ((free - gap * (count - 1.0)) / count).min(unit * most_along);
        // What is left lies between the boxes, up to a point.
        let gap = if grid.length > 1 { ((free - along * count) / (count - 1.0)).min(unit * 15.0) } else { gap };
        let used = along * count + gap * (count - 1.0);
        let (bands, narrowest) = bands_of(grid, breadth, unit * if goes_right { 11.0 } else { 20.0 });
        let across = (narrowest - unit * 4.4 * tight).min(unit * most_across);
        if along < unit * least_along * least || across < unit * least_across * least {
            return None;
        }
        let middles = bands.iter().zip(&grid.rows).map(|((from, broad), rows)| {
            let row = broad / *rows as f32;
            (0..*rows).map(|at| from + row * (at as f32 + 0.5)).collect()
        });
        // A way down a page ends where its last box does; one to the right fills the page.
        let (taken, lead) =
            if goes_right { (length, (free - used) / 2.0) } else { ((head + edge * 2.0 + used).min(length), 0.0) };
        let starts = (0..grid.length).map(|at| head + edge + lead + at as f32 * (along + gap)).collect();
        let beside = (narrowest / 2.0 - unit * 0.9).max(across / 2.0 + unit * 0.8);
        let rails = Rails { starts, along, gap, middles: middles.collect(), across, beside, air: unit * 0.7 };
        let frame = if goes_right { frame } else { Frame::new(frame.x, frame.y, frame.width, taken) };
        Some(Self { goes_right, frame, head, bands, rails })
    }

    /// A frame by where it begins and how large it is along the way and across it.
    fn frame_of(&self, (along, long): (f32, f32), (across, broad): (f32, f32)) -> Frame {
        if self.goes_right {
            Frame::new(self.frame.x + along, self.frame.y + across, long, broad)
        } else {
            Frame::new(self.frame.x + across, self.frame.y + along, broad, long)
        }
    }

    fn point(&self, (along, across): (f32, f32)) -> (f32, f32) {
        let frame = self.frame_of((along, 0.0), (across, 0.0));
        (frame.x, frame.y)
    }

    fn box_frame(&self, field: Field) -> Frame {
        let rails = &self.rails;
        let middle = rails.middles[field.lane][field.row];
        self.frame_of((rails.starts[field.along], rails.along), (middle - rails.across / 2.0, rails.across))
    }
}

/// Where each lane begins and how broad it is, and how broad the narrowest row is: all alike where rows are not too narrow then,
/// else by their rows.
fn bands_of(grid: &Grid, breadth: f32, least_row: f32) -> (Vec<(f32, f32)>, f32) {
    let most = grid.rows.iter().copied().max().unwrap_or(1);
    let count = grid.rows.len().max(1) as f32;
    let is_even = breadth / count / most as f32 >= least_row;
    let all: usize = grid.rows.iter().sum();
    let mut from = 0.0;
    let bands: Vec<(f32, f32)> = grid
        .rows
        .iter()
        .map(|rows| {
            let broad = if is_even { breadth / count } else { breadth * *rows as f32 / all.max(1) as f32 };
            let band = (from, broad);
            from += broad;
            band
        })
        .collect();
    let narrowest = bands.iter().zip(&grid.rows).map(|((_, broad), rows)| broad / *rows as f32).fold(breadth, f32::min);
    (bands, narrowest)
}

/// The lanes with the names at their heads.
fn put_bands(sheet: &mut Sheet<'_>, plan: &Plan, lanes: &[Lane]) {
    let unit = sheet.unit;
    let length = if plan.goes_right { plan.frame.width } else { plan.frame.height };
    let names: Vec<(Words, Frame)> = lanes
        .iter()
        .zip(&plan.bands)
        .map(|(lane, band)| {
            let head = plan.frame_of((0.0, plan.head), *band);
            (Words::heading(&lane.name).sized(0.92).fixed(), head.inset_by(unit * 1.4, unit * 0.8))
        })
        .collect();
    let factor = sheet.common_factor(&names, 0.5);
    for (at, (words, inner)) in names.into_iter().enumerate() {
        let band = plan.bands[at];
        if at % 2 == 0 {
            sheet.rectangle(plan.frame_of((plan.head, length - plan.head), band), Role::Wash, 0.0);
        }
        sheet.rectangle(plan.frame_of((0.0, plan.head), band), Role::Surface, 0.0);
        sheet.put(&words.sized(factor).at_least(0.7).paint(Role::Ink).centered().anchored(Anchor::Middle), inner);
    }
    // Lines between lanes, and around all of them.
    let line = (unit * 0.16).max(1.0);
    for (from, _) in plan.bands.iter().skip(1) {
        sheet.rule(plan.point((0.0, *from)), plan.point((length, *from)), Role::Line, line);
    }
    let breadth = if plan.goes_right { plan.frame.height } else { plan.frame.width };
    sheet.rule(plan.point((plan.head, 0.0)), plan.point((plan.head, breadth)), Role::Accent, unit * 0.4);
    sheet.outline(plan.frame, Role::Line, line, 0.0);
}

fn put_arrows(sheet: &mut Sheet<'_>, plan: &Plan, grid: &Grid, arrows: &[Arrow]) {
    let width = (sheet.unit * 0.3).max(1.5);
    let mut lines = Lines::default();
    for arrow in arrows.iter().filter(|arrow| arrow.from != arrow.to) {
        let mut way = way_of(arrow, grid, &plan.rails, &mut lines);
        way.dedup_by(|one, two| (one.0 - two.0).abs() < 0.5 && (one.1 - two.1).abs() < 0.5);
        let last = way.len().saturating_sub(2);
        for (at, pair) in way.windows(2).enumerate() {
            let (from, to) = (plan.point(pair[0]), plan.point(pair[1]));
            if at == last {
                sheet.arrow(from, to, Role::Ink, width);
            } else {
                sheet.rule(from, to, Role::Ink, width);
            }
        }
    }
}

/// The boxes, each with the condition that leads to it, its name, and what is said of it.
fn put_boxes(sheet: &mut Sheet<'_>, plan: &Plan, grid: &Grid, boxes: &[Point], arrows: &[Arrow]) {
    let (unit, radius) = (sheet.unit, sheet.radius().min(sheet.unit * 1.6));
    let gap = unit * 0.5;
    let mut names: Vec<(Words, Frame)> = Vec::with_capacity(boxes.len());
    let mut others = Vec::with_capacity(boxes.len());
    for (at, point) in boxes.iter().enumerate() {
        let inner = plan.box_frame(grid.fields[at]).inset_by(unit * 1.1, unit * 0.8);
        let mut conditions: Vec<&str> = arrows
            .iter()
            .filter(|arrow| arrow.to == at && !arrow.label.is_empty())
            .map(|arrow| arrow.label.as_str())
            .collect();
        conditions.dedup();
        let label =
            Words::body(&conditions.join(" / ")).small().sized(0.88).fixed().weight(700).paint(Role::AccentText);
        let more = Words::runs(&point.body).small().fixed().paint(Role::Muted);
        let (label, more) = (label.centered().at_least(0.6), more.centered().at_least(0.6));
        // A long condition becomes smaller before it takes the room of what is done.
        let half = Frame::new(inner.x, inner.y, inner.width, inner.height * 0.45);
        let heights =
            [&label, &more].map(|words| if words.is_empty() { 0.0 } else { sheet.height_within(words, half) });
        let gaps = heights.iter().filter(|height| **height > 0.0).count() as f32 * gap;
        let left = (inner.height - heights[0] - heights[1] - gaps).max(1.0);
        names.push((Words::heading(&point.head).sized(0.84).fixed(), Frame::new(inner.x, inner.y, inner.width, left)));
        others.push((label, more, heights, inner));
    }
    let factor = sheet.common_factor(&names, 0.5);
    for (at, ((name, room), (label, more, mut heights, inner))) in names.into_iter().zip(others).enumerate() {
        let frame = plan.box_frame(grid.fields[at]);
        sheet.rectangle(frame, Role::Ground, radius);
        sheet.outline(frame, Role::Accent, (unit * 0.24).max(1.0), radius);
        // What leads to a step is never larger than what is done.
        let label = label.sized(factor.clamp(0.7, 1.0));
        if !label.is_empty() {
            heights[0] = sheet.height_within(&label, Frame::new(inner.x, inner.y, inner.width, heights[0] + 1.0));
        }
        let name = name.sized(factor).at_least(0.8).paint(Role::Ink).centered();
        let high = sheet.height_within(&name, room);
        let stack = [(label, heights[0]), (name, high), (more, heights[1])];
        let shown = stack.iter().filter(|(_, height)| *height > 0.0).count();
        let total = stack.iter().map(|(_, height)| height).sum::<f32>() + gap * shown.saturating_sub(1) as f32;
        if total > inner.height + 1.0 {
            sheet.failed = true;
        }
        let mut y = inner.y + (inner.height - total).max(0.0) / 2.0;
        for (words, height) in stack.iter().filter(|(_, height)| *height > 0.0) {
            sheet.put(&words.clone().anchored(Anchor::Top), Frame::new(inner.x, y, inner.width, height + 1.0));
            y += height + gap;
        }
    }
}
