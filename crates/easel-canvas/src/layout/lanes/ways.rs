//! The ways of arrows between boxes in lanes: straight where nothing stands between, else through the gaps around boxes.
//!
//! Always true: no way leads over a box, and ways of different boxes through one gap lie apart. Deliberately not here: pixels of
//! fields (`lanes`).

use super::grid::{Field, Grid};
use crate::content::Arrow;

/// Where fields and the gaps between them lie, in pixels along the way and across it.
pub struct Rails {
    /// Where the box of each place along the way begins.
    pub starts: Vec<f32>,
    /// How long a box is along the way.
    pub along: f32,
    /// Between two boxes along the way.
    pub gap: f32,
    /// The middle of each row, by lane.
    pub middles: Vec<Vec<f32>>,
    /// How broad a box is across the way.
    pub across: f32,
    /// From the middle of a row to the gap beside it.
    pub beside: f32,
    /// What stays free before the head of an arrow.
    pub air: f32,
}

impl Rails {
    /// The middle of the gap before a place along the way.
    fn gap_before(&self, along: usize) -> f32 {
        match self.starts.get(along) {
            // Nearer to where ways come from: the head of an arrow needs room.
            Some(start) => start - self.gap * 0.58,
            None => self.starts.last().map_or(0.0, |last| last + self.along + self.gap / 2.0),
        }
    }

    fn middle(&self, field: Field) -> f32 {
        self.middles[field.lane][field.row]
    }

    fn start(&self, field: Field) -> f32 {
        self.starts[field.along]
    }

    fn end(&self, field: Field) -> f32 {
        self.starts[field.along] + self.along
    }
}

/// A gap that ways lead through: before a place along the way, or beside a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    Before(usize),
    Beside(usize, usize, bool),
}

/// The way that several arrows share: all from one box, or all to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shared {
    From(usize),
    To(usize),
}

/// Who leads through which gap, so that each keeps to its own line.
#[derive(Default)]
pub struct Lines(Vec<(Gap, Shared)>);

impl Lines {
    /// How far from the middle of a gap a way lies, in lines: 0, 1, -1, 2 …
    fn line(&mut self, gap: Gap, shared: Shared) -> f32 {
        if !self.0.contains(&(gap, shared)) {
            self.0.push((gap, shared));
        }
        let place = self.0.iter().filter(|(of, _)| *of == gap).position(|(_, own)| *own == shared).unwrap_or(0);
        let distance = place.div_ceil(2) as f32;
        if place % 2 == 1 { distance } else { -distance }
    }
}

/// The points of the way of an arrow, each along the way and across it.
pub fn way_of(arrow: &Arrow, grid: &Grid, rails: &Rails, lines: &mut Lines) -> Vec<(f32, f32)> {
    let (from, to) = (grid.fields[arrow.from], grid.fields[arrow.to]);
    let (level, target) = (rails.middle(from), rails.middle(to));
    let is_level = (from.lane, from.row) == (to.lane, to.row);
    let is_forward = to.along > from.along;
    let enter = (rails.start(to) - rails.air, target);
    if is_level && is_forward && grid.is_open_along(from, from.along, to.along) {
        return vec![(rails.end(from), level), enter];
    }
    if to.along == from.along && grid.is_open_across(from, to) {
        let (x, down) = (rails.start(from) + rails.along / 2.0, if target > level { 1.0 } else { -1.0 });
        let half = rails.across / 2.0;
        return vec![(x, level + down * half), (x, target - down * (half + rails.air))];
    }
    let apart = rails.gap / 5.0;
    let mut through = |along: usize, shared: Shared| {
        rails.gap_before(along) + (lines.line(Gap::Before(along), shared) * apart).clamp(-2.0 * apart, 2.0 * apart)
    };
    if !is_level && is_forward {
        if grid.is_open_along(to, from.along, to.along) {
            let x = through(from.along + 1, Shared::From(arrow.from));
            return vec![(rails.end(from), level), (x, level), (x, target), enter];
        }
        if grid.is_open_along(from, from.along, to.along) {
            let x = through(to.along, Shared::To(arrow.to));
            return vec![(rails.end(from), level), (x, level), (x, target), enter];
        }
    }
    // Around: out of the one gap, beside the row of the box that it leads to, into the other.
    let out = through(from.along + 1, Shared::From(arrow.from));
    let into = through(to.along, Shared::To(arrow.to));
    let (first, last) = (from.along.min(to.along), from.along.max(to.along));
    let is_clear_above =
        grid.is_crossed_beside(to, true, first, last) && !grid.is_crossed_beside(to, false, first, last);
    let is_below = if is_level { !is_clear_above } else { level > target };
    let line = lines.line(Gap::Beside(to.lane, to.row, is_below), Shared::To(arrow.to)).abs();
    let away = rails.beside - (line * apart * 0.6).min(rails.beside * 0.3);
    let beside = target + if is_below { away } else { -away };
    vec![(rails.end(from), level), (out, level), (out, beside), (into, beside), (into, target), enter]
}
