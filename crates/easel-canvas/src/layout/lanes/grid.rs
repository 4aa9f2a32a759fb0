//! In which field each box of a flow in lanes stands: how far along the way, in which lane, and in which row of it.
//!
//! Who goes on with the work of another stands across from it, so that the arrow between them is straight and the way is short;
//! what one lane does itself goes on along it, and a branch stands in a row of its own. Always true: no two boxes share a field,
//! and no arrow straight across leads over a box. Deliberately not here: pixels, and the ways of other arrows (`ways`).

use std::collections::HashSet;

use crate::content::{Arrow, Lane};

/// Branches of one lane stand in so many rows at most.
const MOST_ROWS: usize = 3;

/// The field of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field {
    /// How many fields along the way lie before it.
    pub along: usize,
    /// Its lane.
    pub lane: usize,
    /// Which row of the lane it is in.
    pub row: usize,
}

impl Field {
    /// Lane and row: what lies across the way.
    const fn across(self) -> (usize, usize) {
        (self.lane, self.row)
    }
}

/// A straight arrow across the way: where along it, and between which rows.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    along: usize,
    low: (usize, usize),
    high: (usize, usize),
}

/// The fields of all boxes.
#[derive(Debug, Clone)]
pub struct Grid {
    /// By the place of the box.
    pub fields: Vec<Field>,
    /// How many fields the way is long.
    pub length: usize,
    /// How many rows each lane has.
    pub rows: Vec<usize>,
    taken: HashSet<Field>,
    crossings: Vec<Crossing>,
}

impl Grid {
    /// Finds the field of every box.
    pub fn of(count: usize, arrows: &[Arrow], lanes: &[Lane]) -> Self {
        let mut grid = Self {
            fields: Vec::with_capacity(count),
            length: 1,
            rows: vec![1; lanes.len()],
            taken: HashSet::with_capacity(count),
            crossings: Vec::new(),
        };
        let mut lane_of = vec![0; count];
        for (at, lane) in lanes.iter().enumerate() {
            lane.boxes.iter().filter(|own| **own < count).for_each(|own| lane_of[*own] = at);
        }
        for (at, lane) in lane_of.into_iter().enumerate() {
            let field = grid.find_field(at, lane, arrows);
            grid.taken.insert(field);
            grid.length = grid.length.max(field.along + 1);
            if let Some(rows) = grid.rows.get_mut(lane) {
                *rows = (*rows).max(field.row + 1);
            }
            grid.fields.push(field);
        }
        grid
    }

    /// Whether nothing stands between two fields that lie across from each other.
    pub fn is_open_across(&self, one: Field, other: Field) -> bool {
        let (low, high) = (one.across().min(other.across()), one.across().max(other.across()));
        self.taken.iter().all(|field| field.along != one.along || field.across() <= low || field.across() >= high)
    }

    /// Whether nothing stands in a row between two places along it.
    pub fn is_open_along(&self, row: Field, from: usize, to: usize) -> bool {
        self.taken.iter().all(|field| field.across() != row.across() || field.along <= from || field.along >= to)
    }

    /// Whether a straight arrow leads through the gap below or above a row, between two places along it.
    pub fn is_crossed_beside(&self, row: Field, is_below: bool, from: usize, to: usize) -> bool {
        self.crossings.iter().any(|crossing| {
            let is_through = if is_below {
                crossing.low <= row.across() && row.across() < crossing.high
            } else {
                crossing.low < row.across() && row.across() <= crossing.high
            };
            (from + 1..to).contains(&crossing.along) && is_through
        })
    }

    /// The field of the next box.
    fn find_field(&mut self, at: usize, lane: usize, arrows: &[Arrow]) -> Field {
        let before = arrows.iter().filter(|arrow| arrow.to == at && arrow.from < at).map(|arrow| arrow.from);
        let Some(from) = before.max_by_key(|from| (self.fields[*from].along, std::cmp::Reverse(*from))) else {
            let along = self.fields.iter().filter(|field| field.lane == lane).map(|field| field.along + 1).max();
            return self.find_free(along.unwrap_or(0), lane, 0);
        };
        let before = self.fields[from];
        if before.lane != lane {
            let across = Field { along: before.along, lane, row: 0 };
            if self.is_free(across) && self.is_open_across(before, across) {
                let (low, high) = (before.across().min(across.across()), before.across().max(across.across()));
                self.crossings.push(Crossing { along: before.along, low, high });
                return across;
            }
        }
        self.find_free(before.along + 1, lane, if before.lane == lane { before.row } else { 0 })
    }

    /// The first free field of a lane from a place on: in this row, else in another.
    fn find_free(&self, from: usize, lane: usize, row: usize) -> Field {
        let rows = std::iter::once(row).chain((0..MOST_ROWS).filter(|other| *other != row));
        let mut free = (from..).flat_map(|along| rows.clone().map(move |row| Field { along, lane, row }));
        free.find(|field| self.is_free(*field)).unwrap_or(Field { along: from, lane, row })
    }

    /// Whether no box stands in a field and no straight arrow crosses it.
    fn is_free(&self, field: Field) -> bool {
        let is_crossed = |crossing: &Crossing| {
            crossing.along == field.along && crossing.low < field.across() && field.across() < crossing.high
        };
        !self.taken.contains(&field) && !self.crossings.iter().any(is_crossed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(from: usize, to: usize) -> Arrow {
        Arrow { from, to, label: String::new() }
    }

    fn lane(boxes: &[usize]) -> Lane {
        Lane { name: String::new(), boxes: boxes.to_vec() }
    }

    fn fields(grid: &Grid) -> Vec<(usize, usize, usize)> {
        grid.fields.iter().map(|field| (field.along, field.lane, field.row)).collect()
    }

    #[test]
    fn who_goes_on_stands_across_from_who_hands_over() {
        let arrows: Vec<Arrow> = (1..5).map(|to| arrow(to - 1, to)).collect();
        let grid = Grid::of(5, &arrows, &[lane(&[0, 3]), lane(&[1, 2]), lane(&[4])]);
        assert_eq!(fields(&grid), [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0), (2, 2, 0)]);
    }

    #[test]
    fn a_branch_stands_in_a_row_of_its_own_and_nothing_under_an_arrow() {
        let arrows = [arrow(0, 1), arrow(1, 2), arrow(1, 3), arrow(3, 4)];
        let grid = Grid::of(5, &arrows, &[lane(&[0, 1, 2, 3]), lane(&[4])]);
        assert_eq!(fields(&grid), [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 0, 1), (2, 1, 0)]);
        let arrows = [arrow(0, 1), arrow(0, 2), arrow(0, 3)];
        let grid = Grid::of(4, &arrows, &[lane(&[0]), lane(&[2]), lane(&[1, 3])]);
        assert_eq!(fields(&grid), [(0, 0, 0), (0, 2, 0), (1, 1, 0), (1, 2, 0)]);
    }

    #[test]
    fn no_two_boxes_share_a_field() {
        let mut dice = crate::dice::Dice::new(7, "lanes");
        for _ in 0..200 {
            let count = 2 + (dice.roll() % 24) as usize;
            let mut lanes = vec![lane(&[]); 1 + (dice.roll() % 6) as usize];
            for at in 0..count {
                let own = (dice.roll() % lanes.len() as u64) as usize;
                lanes[own].boxes.push(at);
            }
            let mut any = |most: usize| (dice.roll() % most as u64) as usize;
            let arrows: Vec<Arrow> = (0..count + 4).map(|_| arrow(any(count), any(count))).collect();
            let grid = Grid::of(count, &arrows, &lanes);
            let apart: HashSet<Field> = grid.fields.iter().copied().collect();
            assert_eq!(apart.len(), count, "{grid:?}");
        }
    }
}
