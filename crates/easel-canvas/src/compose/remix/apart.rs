//! How alike two arrangements are, and which of several is the least like those that are there already.
//!
//! Always true: alike is what covers the same places with words, whatever its colours; the same designs are judged the same each
//! time. Deliberately not here: which arrangements there are (`vary`, `layout`).

use super::vary::{GROUP, Turned, name_for, turned};
use crate::compose::composed::Composed;
use crate::document::{Document, Node, Page};
use crate::error::Error;
use crate::geometry::Frame;
use crate::text::lay_out;

/// Designs that are less alike than this are arranged otherwise.
const APART: f32 = 0.45;

/// A page is looked at through a grid of so many cells a side.
const CELLS: usize = 60;

/// Which part of the area that words cover in either of two designs is covered in both, from 0 to 1.
fn likeness(one: &Document, two: &Document) -> f32 {
    let (mut both, mut either) = (0_u32, 0_u32);
    for (first, second) in one.pages.iter().zip(&two.pages) {
        for (one, two) in covered(one, first).into_iter().zip(covered(two, second)) {
            both += u32::from(one && two);
            either += u32::from(one || two);
        }
    }
    both as f32 / either.max(1) as f32
}

/// A variation that is there already.
struct Known {
    /// What is different about it.
    called: String,
    /// Without its pictures, which may be large and are not looked at.
    design: Document,
}

/// Of the ways to arrange the one page of a design, the one that is least like the variations before it in its group, and is called
/// otherwise. What those were is worked out again, so that a turn gives the same whoever asks.
///
/// # Errors
/// What `make` fails with.
pub fn set_apart(
    source: &Document,
    turn: u32,
    make: &dyn Fn(u32, Turned) -> Result<Composed, Error>,
) -> Result<Composed, Error> {
    let mut known: Vec<Known> = Vec::new();
    for before in turn / GROUP * GROUP..turn {
        let (called, made) = find_farthest(source, before, &known, make)?;
        known.push(Known { called, design: Document { assets: Vec::new(), ..made.document } });
    }
    Ok(find_farthest(source, turn, &known, make)?.1)
}

/// The first that is apart from all that is known, else the one that is least like the most alike; with what it is called.
fn find_farthest(
    source: &Document,
    turn: u32,
    known: &[Known],
    make: &dyn Fn(u32, Turned) -> Result<Composed, Error>,
) -> Result<(String, Composed), Error> {
    let mut farthest: Option<((bool, f32), String, Composed)> = None;
    for turned in turned() {
        let made = make(turn, turned)?;
        let called = name_for(&made.document, source);
        let is_called_alike = known.iter().any(|known| known.called == called);
        let nearest = known.iter().map(|known| likeness(&made.document, &known.design)).fold(0.0, f32::max);
        let nearness = (is_called_alike, nearest.max(APART));
        if farthest.as_ref().is_none_or(|(least, ..)| nearness < *least) {
            farthest = Some((nearness, called, made));
        }
        if !is_called_alike && nearest <= APART {
            break;
        }
    }
    let farthest = farthest.map(|(_, called, made)| (called, made));
    farthest.ok_or_else(|| Error::drawing("there is no way to arrange it"))
}

/// Which cells of a page have words, by the boxes around these as they are set.
fn covered(document: &Document, page: &Page) -> Vec<bool> {
    let mut cells = vec![false; CELLS * CELLS];
    let mut cover = |frame: Frame| {
        let place = |at: f32, side: u32| ((at / side as f32).clamp(0.0, 1.0) * CELLS as f32).round() as usize;
        let (left, right) = (place(frame.x, page.width), place(frame.right(), page.width));
        for y in place(frame.y, page.height)..place(frame.bottom(), page.height) {
            let row = y * CELLS;
            cells[row + left..row + right.max(left)].fill(true);
        }
    };
    walk(document, &page.nodes, &mut cover);
    cells
}

fn walk(document: &Document, nodes: &[Node], cover: &mut impl FnMut(Frame)) {
    for node in nodes {
        match node {
            Node::Text(text) => cover(lay_out(text, &document.theme).ink),
            Node::Table(table) => cover(table.frame),
            Node::Group(group) => walk(document, &group.nodes, cover),
            _ => {}
        }
    }
}
