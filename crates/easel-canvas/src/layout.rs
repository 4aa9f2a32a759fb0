//! From passages to pages: which layout draws what, at what size of type, and where a long passage goes on.
//!
//! For every passage the layouts that suit it are tried, the largest type first. What fits is taken; what fits nowhere is
//! divided and takes two pages. Which of several fitting layouts is taken hangs on the seed and on what the pages before
//! look like, so that neighbours differ. Deliberately not here: what the passages say (`compose`).

mod art;
mod board;
mod catalogue;
mod columns;
mod diagram;
mod gap;
mod graph;
mod head;
mod lanes;
mod lists;
mod menu;
mod number_list;
mod numbers;
mod opening;
mod paper;
mod reading;
mod screen;
mod setting;
mod sheet;
pub(crate) mod sizes;
mod split;
mod steps;
mod tree;
mod words;

pub use crate::content::words_of;
use crate::content::{Matter, Outline, Passage};
use crate::dice::Dice;
use crate::document::{Category, Node, Page};
use crate::theme::Background;

use catalogue::{LAYOUTS, Layout, QUIET};
pub use catalogue::{called, is_sided};
pub use graph::{depth_of, has_branches};
pub use lanes::length_in_lanes;
pub use setting::Setting;
use sheet::Sheet;

/// Sizes of type that are tried, of the scale's, the first that fits wins.
const ZOOMS: &[f32] = &[2.0, 1.85, 1.7, 1.55, 1.42, 1.3, 1.2, 1.1, 1.0, 0.92, 0.85, 0.78, 0.72];

/// Sizes for what is as plain as it can be and still has to stand somewhere.
const LAST_ZOOMS: &[f32] = &[1.42, 1.2, 1.0, 0.85, 0.72, 0.62, 0.54, 0.46];

/// A passage of more letters is divided before a page is tried.
const MAX_LETTERS_TRIED: usize = 5000;

/// Below this size another layout is tried first.
const COMFORTABLE: f32 = 0.85;

/// No passage becomes more pages than this; what is beyond stands in the notes.
const MAX_PAGES_OF_PASSAGE: usize = 60;

/// Nobody asked for a number of pages where so many may be made.
const UNBOUND_PAGES: usize = 100;

/// Reading matter of fewer letters has no cover of its own.
const BRIEF_PAPER_LETTERS: usize = 1900;

/// Whether reading matter is brief: its cover would stand before hardly more than a page.
fn is_brief_paper(passages: &[Passage]) -> bool {
    let has_plain_cover =
        matches!(passages.first().map(|first| &first.matter), Some(Matter::Cover { picture: None, .. }));
    let is_plain = passages.iter().skip(1).all(|passage| {
        !matches!(
            passage.matter,
            Matter::Gap { .. }
                | Matter::Section { .. }
                | Matter::Agenda { .. }
                | Matter::Picture { .. }
                | Matter::Board { .. }
                | Matter::Menu { .. }
        )
    });
    has_plain_cover
        && is_plain
        && passages.len() > 1
        && passages.iter().map(split::letters_of).sum::<usize>() <= BRIEF_PAPER_LETTERS
}

/// What laying out came to.
pub struct LaidOut {
    /// The pages.
    pub pages: Vec<Page>,
    /// How many words found no place on a page and stand in the notes.
    pub words_in_notes: usize,
}

/// Lays the whole outline out. `at_most` pages are made; what is beyond them stands in the notes of the last.
pub fn lay_out(
    setting: Setting<'_>,
    outline: &Outline,
    seed: u64,
    at_most: usize,
    mut started: impl FnMut(usize, usize),
) -> LaidOut {
    let mut pages: Vec<Page> = Vec::new();
    let mut words_in_notes = 0;
    let mut recent: Vec<&'static str> = Vec::new();
    let count = outline.passages.len();
    let is_paper = setting.category == Category::Pdf;
    // Reading matter has a cover of its own unless it is one page, or so brief that its head and its words stand together.
    let is_brief = at_most >= UNBOUND_PAGES && is_brief_paper(&outline.passages);
    let has_cover = !is_paper || count == 1 || at_most > 1 && !is_brief;
    let single = outline.passages.iter().take(if !has_cover {
        0
    } else if is_paper {
        1
    } else {
        count
    });
    for (at, passage) in single.enumerate() {
        started(at, count);
        let mut pending = vec![passage.clone()];
        let mut made = 0;
        while let Some(next) = pending.pop() {
            if pages.len() >= at_most || made >= MAX_PAGES_OF_PASSAGE {
                words_in_notes += split::move_to_notes(&next, pages.last_mut());
                continue;
            }
            // What no page can hold need not be tried on one.
            if split::letters_of(&next) > MAX_LETTERS_TRIED
                && let Some((first, second)) = split::halve(&next)
            {
                pending.push(second);
                pending.push(first);
                continue;
            }
            let dice = Dice::new(seed, &format!("page {} {}", pages.len(), made));
            let zooms = if split::is_plainest(&next) { LAST_ZOOMS } else { ZOOMS };
            match draw_passage(setting, &next, pages.len(), dice.clone(), &recent, zooms) {
                Some(drawn) => {
                    recent.push(drawn.1);
                    pages.push(drawn.0);
                    made += 1;
                }
                None => match split::halve(&next) {
                    Some((first, second)) => {
                        pending.push(second);
                        pending.push(first);
                    }
                    None if !split::is_plainest(&next) => pending.push(split::make_plainest(&next)),
                    None => words_in_notes += split::move_to_notes(&next, pages.last_mut()),
                },
            }
        }
    }
    if !has_cover {
        started(0, count);
        let (more, words) = paper::lay_out(setting, &outline.passages, seed, 1, at_most);
        pages.extend(more);
        words_in_notes += words;
    } else if is_paper && count > 1 {
        started(1, count);
        let left = at_most.saturating_sub(pages.len());
        let (more, words) = paper::lay_out(setting, &outline.passages[1..], seed, pages.len() + 1, left);
        pages.extend(more);
        words_in_notes += words;
    }
    LaidOut { pages, words_in_notes }
}

fn draw_passage(
    setting: Setting<'_>,
    passage: &Passage,
    page_at: usize,
    mut dice: Dice,
    recent: &[&'static str],
    zooms: &[f32],
) -> Option<(Page, &'static str)> {
    let setting = read_as(setting, passage);
    let order = order_layouts(setting, passage, &mut dice, recent);
    let ground_roll = dice.roll();
    let mut best: Option<(f32, Sheet<'_>, &Layout)> = None;
    for layout in order {
        let grounds = grounds_for(layout, setting.category);
        let ground = grounds[(ground_roll % grounds.len() as u64) as usize];
        let most = largest_zoom(passage, setting.category);
        for zoom in zooms.iter().filter(|zoom| **zoom <= most) {
            if best.as_ref().is_some_and(|(best, ..)| best >= zoom) {
                break;
            }
            let mut page_setting = setting;
            if !layout.is_inner {
                page_setting.foot = "";
            }
            let mut sheet = Sheet::new(page_setting, ground, *zoom, dice.clone());
            (layout.draw)(&mut sheet, passage);
            if !sheet.failed {
                best = Some((*zoom, sheet, layout));
                break;
            }
        }
        if best.as_ref().is_some_and(|(zoom, ..)| *zoom >= COMFORTABLE) {
            break;
        }
    }
    let (_, sheet, layout) = best?;
    Some((finish_page(setting, passage, page_at, sheet, layout), layout.name))
}

/// The setting of one passage: not all that a thing has is read as the thing itself.
fn read_as<'a>(mut setting: Setting<'a>, passage: &Passage) -> Setting<'a> {
    // A page of a web site that is no screen of a program is read as a poster is, not as a dense panel.
    let is_screen = matches!(passage.matter, Matter::Screen { .. });
    // So is the one page of a thing that is all on its cover, or on one sheet.
    let is_sheet = match &passage.matter {
        Matter::Cover { details, .. } => !details.is_empty(),
        Matter::Board { .. } => true,
        _ => false,
    };
    if setting.category == Category::Ui && !is_screen || setting.category == Category::Pdf && is_sheet {
        setting.category = Category::Other;
    }
    setting
}

/// The layouts that suit a passage, in the order in which they are tried: by chance, but what the last pages looked like last.
fn order_layouts(
    setting: Setting<'_>,
    passage: &Passage,
    dice: &mut Dice,
    recent: &[&'static str],
) -> impl Iterator<Item = &'static Layout> + use<> {
    let shape = setting.shape();
    let is_strip = setting.is_strip() && matches!(passage.matter, Matter::Cover { .. } | Matter::Closing { .. });
    let step = setting.arrangement.step as usize;
    let mut order: Vec<(usize, u64, &'static Layout)> = LAYOUTS
        .iter()
        .filter(|layout| layout.is_strip == is_strip && (step > 0 || !layout.is_for_variations))
        .filter(|layout| (layout.suits)(passage, shape, setting.category))
        .map(|layout| {
            let near = recent.iter().rev().take(3).position(|name| *name == layout.name);
            (near.map_or(0, |near| 3 - near), dice.roll(), layout)
        })
        .collect();
    if step == 0 {
        order.sort_by_key(|(near, chance, _)| (*near, *chance));
    } else {
        // A variation goes on from where the first design began, so that the next one is another still.
        order.sort_by_key(|(_, chance, _)| *chance);
        let count = order.len().max(1);
        order.rotate_left(step % count);
        (0..step).for_each(|_| {
            dice.roll();
        });
    }
    order.into_iter().map(|(_, _, layout)| layout)
}

/// What every page gets once it is drawn: its foot, the logo, the direction of its script.
fn finish_page(setting: Setting<'_>, passage: &Passage, page_at: usize, mut sheet: Sheet<'_>, layout: &Layout) -> Page {
    if setting.arrangement.is_mirrored && layout.is_sided {
        sheet::mirror(&mut sheet.nodes, setting.width);
    }
    if layout.is_inner {
        head::put_foot(&mut sheet, page_at + 1);
        if setting.category != Category::Ui
            && page_at > 0
            && matches!(sheet.ground, Background::Base | Background::Tint)
        {
            head::put_small_logo(&mut sheet);
        }
    }
    let mut nodes: Vec<Node> = sheet.nodes;
    if setting.right_to_left {
        sheet::mirror(&mut nodes, setting.width);
    }
    Page {
        name: name_of_page(&passage.title, page_at),
        width: setting.width as u32,
        height: setting.height as u32,
        ground: sheet.ground,
        nodes,
        notes: passage.notes.clone(),
        layout: layout.name.to_owned(),
    }
}

/// What a page is called on which this title stands.
pub fn name_of_page(title: &str, at: usize) -> String {
    match title.trim() {
        "" => format!("{}", at + 1),
        title => title.chars().take(120).collect(),
    }
}

/// The largest size of type that a passage is tried at.
fn largest_zoom(passage: &Passage, category: Category) -> f32 {
    if matches!(category, Category::Pdf | Category::Ui | Category::Diagram) {
        return 1.1;
    }
    if matches!(passage.matter, Matter::Board { .. } | Matter::Prose { .. }) { 2.0 } else { 1.55 }
}

/// Screens of an app and reading matter stand on paper, whatever a layout would allow.
fn grounds_for(layout: &Layout, category: Category) -> &'static [Background] {
    match category {
        Category::Ui => QUIET,
        Category::Pdf if layout.is_inner => QUIET,
        _ => layout.grounds,
    }
}

/// How many layouts there are.
#[cfg(test)]
fn layout_count() -> usize {
    LAYOUTS.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_layouts_with_names_of_their_own() {
        let names: std::collections::BTreeSet<&str> = LAYOUTS.iter().map(|layout| layout.name).collect();
        assert_eq!(names.len(), layout_count());
        assert!(names.len() >= 24);
    }
}
