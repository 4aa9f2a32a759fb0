//! From passages to pages: which layout draws what, at what size of type, and where a long passage goes on.
//!
//! For every passage the layouts that suit it are tried, the largest type first. What fits is taken; what fits nowhere is
//! divided and takes two pages. Which of several fitting layouts is taken hangs on the seed and on what the pages before
//! look like, so that neighbours differ. Deliberately not here: what the passages say (`compose`).

mod art;
mod board;
mod columns;
mod diagram;
mod gap;
mod graph;
mod head;
mod lists;
mod menu;
mod numbers;
mod opening;
mod paper;
mod prices;
mod reading;
mod screen;
mod sheet;
mod split;
mod steps;
mod words;

use crate::content::{Matter, Outline, Passage};
use crate::dice::Dice;
use crate::document::{Category, Node, Page};
use crate::theme::Ground;

use sheet::Sheet;
pub use sheet::{PageShape, Setting};
pub use split::words_of;

type Draw = fn(&mut Sheet<'_>, &Passage);

/// A way to draw a passage.
struct Layout {
    /// Its name, as the document keeps it.
    name: &'static str,
    draw: Draw,
    /// What it can stand on; which of these is taken hangs on the seed.
    grounds: &'static [Ground],
    /// Whether title, foot and logo of inner pages belong to it.
    is_inner: bool,
    /// Whether it is for openings on pages much broader than high, and for nothing else.
    is_strip: bool,
    suits: fn(&Passage, PageShape, Category) -> bool,
}

const QUIET: &[Ground] = &[Ground::Base];
const CALM: &[Ground] = &[Ground::Base, Ground::Base, Ground::Tint];
const LOUD: &[Ground] = &[Ground::Accent, Ground::Inverse];
const ANY: &[Ground] = &[Ground::Base, Ground::Tint, Ground::Inverse, Ground::Accent];
const SOFT: &[Ground] = &[Ground::Base, Ground::Tint, Ground::Inverse];

const fn inner(
    name: &'static str,
    draw: Draw,
    grounds: &'static [Ground],
    suits: fn(&Passage, PageShape, Category) -> bool,
) -> Layout {
    Layout { name, draw, grounds, is_inner: true, is_strip: false, suits }
}

const fn outer(
    name: &'static str,
    draw: Draw,
    grounds: &'static [Ground],
    suits: fn(&Passage, PageShape, Category) -> bool,
) -> Layout {
    Layout { name, draw, grounds, is_inner: false, is_strip: false, suits }
}

const fn strip(
    name: &'static str,
    draw: Draw,
    grounds: &'static [Ground],
    suits: fn(&Passage, PageShape, Category) -> bool,
) -> Layout {
    Layout { name, draw, grounds, is_inner: false, is_strip: true, suits }
}

/// Every layout. More than one suits most passages.
const LAYOUTS: &[Layout] = &[
    outer("cover_split", opening::cover_split, SOFT, |passage, _, _| is_cover(passage)),
    outer("cover_framed", opening::cover_framed, ANY, |passage, _, _| {
        is_cover(passage) && picture_of(passage).is_none()
    }),
    outer("cover_poster", opening::cover_poster, ANY, |passage, _, _| is_cover(passage)),
    outer("cover_type", opening::cover_type, ANY, |passage, _, _| is_cover(passage) && picture_of(passage).is_none()),
    outer("cover_band", opening::cover_band, SOFT, |passage, _, _| is_cover(passage) && picture_of(passage).is_none()),
    outer("cover_picture", opening::cover_picture, SOFT, |passage, _, _| {
        is_cover(passage) && picture_of(passage).is_some()
    }),
    strip("cover_strip", opening::cover_strip, ANY, |passage, _, _| is_cover(passage)),
    strip("closing_strip", opening::cover_strip, ANY, |passage, _, _| matches!(passage.matter, Matter::Closing { .. })),
    inner("section_number", opening::section_number, LOUD, |passage, _, _| {
        matches!(passage.matter, Matter::Section { .. })
    }),
    inner("section_art", opening::section_art, &[Ground::Tint, Ground::Inverse], |passage, _, _| {
        matches!(passage.matter, Matter::Section { .. })
    }),
    inner(
        "statement_large",
        reading::statement_large,
        &[Ground::Accent, Ground::Inverse, Ground::Tint],
        |passage, _, _| matches!(passage.matter, Matter::Statement { .. }),
    ),
    inner("statement_art", reading::statement_art, SOFT, |passage, _, _| {
        matches!(passage.matter, Matter::Statement { .. })
    }),
    inner("statement_bar", reading::statement_bar, SOFT, |passage, _, _| {
        matches!(passage.matter, Matter::Statement { .. })
    }),
    inner("agenda_rows", lists::agenda_rows, CALM, |passage, _, _| matches!(passage.matter, Matter::Agenda { .. })),
    inner("prose_plain", reading::prose_plain, QUIET, |passage, shape, _| {
        is_prose(passage, false)
            && (shape != PageShape::Wide || word_count(passage) > 120 || split::is_plainest(passage))
    }),
    inner("prose_side", reading::prose_side, CALM, |passage, shape, _| {
        is_prose(passage, false) && shape == PageShape::Wide
    }),
    inner("prose_art", reading::prose_card, CALM, |passage, _, category| {
        is_prose(passage, false) && word_count(passage) < 90 && category != Category::Pdf
    }),
    inner("prose_picture", reading::prose_picture, CALM, |passage, _, _| is_prose(passage, true)),
    inner("points_cards", lists::points_cards, CALM, |passage, _, _| is_points(passage, 2, 9)),
    inner("points_rows", lists::points_rows, CALM, |passage, _, _| is_points(passage, 2, 8)),
    inner("points_columns", lists::points_columns, CALM, |passage, shape, _| {
        is_points(passage, 2, 4) && shape == PageShape::Wide
    }),
    inner("points_side", lists::points_side, CALM, |passage, shape, _| {
        is_points(passage, 3, 12) && shape == PageShape::Wide
    }),
    inner("points_prices", prices::points_prices, CALM, |passage, _, _| prices::is_price_list(passage)),
    inner("points_list", lists::points_list, QUIET, |passage, shape, category| {
        is_points(passage, 1, 99)
            && (category == Category::Pdf
                || shape != PageShape::Wide
                || point_count(passage) > 8
                || point_count(passage) < 3)
    }),
    inner("steps_line", steps::steps_line, CALM, |passage, shape, _| is_steps(passage, 5) && shape == PageShape::Wide),
    inner("steps_stairs", steps::steps_stairs, QUIET, |passage, shape, category| {
        is_steps(passage, 5) && point_count(passage) >= 3 && shape == PageShape::Wide && category != Category::Pdf
    }),
    inner("steps_ladder", steps::steps_ladder, CALM, |passage, _, _| is_steps(passage, 8)),
    inner("figures_row", numbers::figures_row, CALM, |passage, _, _| matches!(passage.matter, Matter::Figures { .. })),
    inner("figures_hero", numbers::figures_hero, CALM, |passage, _, _| match &passage.matter {
        Matter::Figures { figures, .. } => figures.len() <= 4,
        _ => false,
    }),
    inner("quote_large", reading::quote_large, &[Ground::Inverse, Ground::Tint, Ground::Accent], |passage, _, _| {
        matches!(passage.matter, Matter::Quote { .. })
    }),
    inner("quote_card", reading::quote_card, CALM, |passage, _, _| matches!(passage.matter, Matter::Quote { .. })),
    inner("table", numbers::table, QUIET, |passage, _, _| matches!(passage.matter, Matter::Table { .. })),
    inner("chart_full", numbers::chart_full, QUIET, |passage, shape, _| is_chart(passage, shape, false)),
    inner("chart_side", numbers::chart_side, QUIET, |passage, shape, _| is_chart(passage, shape, true)),
    outer("picture_full", reading::picture_full, QUIET, |passage, _, _| {
        matches!(passage.matter, Matter::Picture { .. })
    }),
    inner(
        "picture_framed",
        reading::picture_framed,
        CALM,
        |passage, _, _| matches!(&passage.matter, Matter::Picture { caption, .. } if !caption.is_empty() || !passage.title.is_empty()),
    ),
    inner("comparison_panels", numbers::comparison_panels, QUIET, |passage, _, _| {
        matches!(passage.matter, Matter::Comparison { .. })
    }),
    inner("comparison_columns", numbers::comparison_columns, CALM, |passage, shape, _| {
        matches!(passage.matter, Matter::Comparison { .. }) && shape != PageShape::Tall
    }),
    inner("columns_cards", columns::columns_cards, CALM, |passage, _, _| {
        matches!(passage.matter, Matter::Columns { .. })
    }),
    inner("columns_rules", columns::columns_rules, CALM, |passage, shape, _| {
        matches!(passage.matter, Matter::Columns { .. }) && shape == PageShape::Wide
    }),
    outer("menu_centered", menu::menu_centered, SOFT, |passage, shape, category| {
        matches!(passage.matter, Matter::Menu { .. }) && shape != PageShape::Wide && category != Category::Slides
    }),
    outer("menu_band", menu::menu_band, CALM, |passage, _, category| {
        matches!(passage.matter, Matter::Menu { .. }) && category != Category::Slides
    }),
    outer("menu_plain", menu::menu_plain, CALM, |passage, shape, category| {
        matches!(passage.matter, Matter::Menu { .. }) && shape != PageShape::Wide && category != Category::Slides
    }),
    inner("menu_inner", menu::menu_inner, CALM, |passage, _, category| {
        matches!(passage.matter, Matter::Menu { .. }) && category == Category::Slides
    }),
    inner("gap", gap::gap, QUIET, |passage, _, _| matches!(passage.matter, Matter::Gap { .. })),
    inner("board_grid", board::board_grid, CALM, |passage, _, category| {
        is_board(passage) && !matches!(category, Category::Other | Category::Social)
    }),
    outer("board_poster", board::board_poster, CALM, |passage, _, category| {
        is_board(passage) && matches!(category, Category::Other | Category::Social)
    }),
    outer("board_type", board::board_type, SOFT, |passage, _, category| {
        is_board(passage) && matches!(category, Category::Other | Category::Social)
    }),
    inner("prose_large", reading::prose_large, CALM, |passage, _, category| {
        is_prose(passage, false) && word_count(passage) <= 60 && !passage.title.is_empty() && category != Category::Pdf
    }),
    inner("flow_graph", graph::flow_graph, QUIET, |passage, _, _| {
        matches!(&passage.matter, Matter::Flow { boxes, arrows } if graph::has_branches(boxes, arrows))
            && !is_tree(passage)
    }),
    inner("flow_rows", diagram::flow_rows, QUIET, |passage, _, _| is_flow(passage, 1)),
    inner("flow_layers", diagram::flow_layers, QUIET, |passage, _, _| is_flow(passage, 0) && point_count(passage) <= 6),
    inner("flow_tree", diagram::flow_tree, QUIET, |passage, _, _| is_tree(passage)),
    outer("screen_board", screen::board, QUIET, |passage, shape, _| {
        matches!(passage.matter, Matter::Screen { .. }) && shape != PageShape::Tall
    }),
    outer("screen_phone", screen::phone, QUIET, |passage, shape, _| {
        matches!(passage.matter, Matter::Screen { .. }) && shape == PageShape::Tall
    }),
    outer("closing_card", opening::closing_card, ANY, |passage, _, _| matches!(passage.matter, Matter::Closing { .. })),
    outer("closing_band", opening::cover_band, SOFT, |passage, _, _| matches!(passage.matter, Matter::Closing { .. })),
    outer("closing_framed", opening::cover_framed, ANY, |passage, _, _| {
        matches!(passage.matter, Matter::Closing { .. })
    }),
];

fn is_board(passage: &Passage) -> bool {
    matches!(passage.matter, Matter::Board { .. })
}

fn is_cover(passage: &Passage) -> bool {
    matches!(passage.matter, Matter::Cover { .. })
}

fn picture_of(passage: &Passage) -> Option<&str> {
    match &passage.matter {
        Matter::Cover { picture, .. } | Matter::Prose { picture, .. } => picture.as_deref(),
        _ => None,
    }
}

fn is_prose(passage: &Passage, with_picture: bool) -> bool {
    matches!(passage.matter, Matter::Prose { .. }) && picture_of(passage).is_some() == with_picture
}

fn word_count(passage: &Passage) -> usize {
    match &passage.matter {
        Matter::Prose { paragraphs, .. } => {
            paragraphs.iter().flatten().map(|run| run.text.split_whitespace().count()).sum()
        }
        _ => 0,
    }
}

fn point_count(passage: &Passage) -> usize {
    match &passage.matter {
        Matter::Points { points, .. } | Matter::Steps { points, .. } => points.len(),
        Matter::Flow { boxes, .. } => boxes.len(),
        _ => 0,
    }
}

fn is_points(passage: &Passage, least: usize, most: usize) -> bool {
    matches!(passage.matter, Matter::Points { .. })
        && (least..=most).contains(&point_count(passage))
        && !prices::is_price_list(passage)
}

fn is_steps(passage: &Passage, most: usize) -> bool {
    matches!(passage.matter, Matter::Steps { .. }) && point_count(passage) <= most
}

fn is_chart(passage: &Passage, shape: PageShape, beside: bool) -> bool {
    matches!(&passage.matter, Matter::Chart { insights, .. } if !beside || (!insights.is_empty() && shape == PageShape::Wide))
}

/// Whether it is a flow with arrows from box to box (1) or without any (0).
fn is_flow(passage: &Passage, arrows_wanted: usize) -> bool {
    matches!(&passage.matter, Matter::Flow { arrows, boxes } if arrows.is_empty() == (arrows_wanted == 0) && !graph::has_branches(boxes, arrows))
        && !is_tree(passage)
}

fn is_tree(passage: &Passage) -> bool {
    matches!(&passage.matter, Matter::Flow { arrows, boxes }
        if boxes.len() > 2 && arrows.len() + 1 == boxes.len() && arrows.iter().all(|arrow| arrow.from == 0 && arrow.label.is_empty()))
}

/// Sizes of type that are tried, of the scale's, the first that fits wins.
const ZOOMS: &[f32] = &[1.55, 1.42, 1.3, 1.2, 1.1, 1.0, 0.92, 0.85, 0.78, 0.72];

/// Sizes for what is as plain as it can be and still has to stand somewhere.
const LAST_ZOOMS: &[f32] = &[1.42, 1.2, 1.0, 0.85, 0.72, 0.62, 0.54, 0.46];

/// A passage of more letters is divided before a page is tried.
const MAX_LETTERS_TRIED: usize = 5000;

/// Below this size another layout is tried first.
const COMFORTABLE: f32 = 0.85;

/// No passage becomes more pages than this; what is beyond stands in the notes.
const MAX_PAGES_OF_PASSAGE: usize = 60;

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
    // Reading matter has a cover of its own unless it is one page.
    let has_cover = !is_paper || count == 1 || at_most > 1;
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
    let shape = setting.shape();
    let is_strip = setting.is_strip() && matches!(passage.matter, Matter::Cover { .. } | Matter::Closing { .. });
    let mut fitting: Vec<&Layout> = LAYOUTS
        .iter()
        .filter(|layout| layout.is_strip == is_strip && (layout.suits)(passage, shape, setting.category))
        .collect();
    // By chance, but what the last pages looked like comes last.
    let mut order: Vec<(usize, u64, &Layout)> = fitting
        .drain(..)
        .map(|layout| {
            let near = recent.iter().rev().take(3).position(|name| *name == layout.name);
            (near.map_or(0, |near| 3 - near), dice.roll(), layout)
        })
        .collect();
    order.sort_by_key(|(near, chance, _)| (*near, *chance));
    let ground_roll = dice.roll();
    let mut best: Option<(f32, Sheet<'_>, &Layout)> = None;
    for (_, _, layout) in order {
        let grounds = grounds_for(layout, setting.category);
        let ground = grounds[(ground_roll % grounds.len() as u64) as usize];
        let most = if matches!(setting.category, Category::Pdf | Category::Ui | Category::Diagram) { 1.1 } else { 2.0 };
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
    let (_, mut sheet, layout) = best?;
    if layout.is_inner {
        head::put_foot(&mut sheet, page_at + 1);
        if setting.category != Category::Ui && page_at > 0 && matches!(sheet.ground, Ground::Base | Ground::Tint) {
            head::put_small_logo(&mut sheet);
        }
    }
    let mut nodes: Vec<Node> = sheet.nodes;
    if setting.right_to_left {
        sheet::mirror(&mut nodes, setting.width);
    }
    let name =
        if passage.title.trim().is_empty() { format!("{}", page_at + 1) } else { passage.title.trim().to_owned() };
    let page = Page {
        name: name.chars().take(120).collect(),
        width: setting.width as u32,
        height: setting.height as u32,
        ground: sheet.ground,
        nodes,
        notes: passage.notes.clone(),
        layout: layout.name.to_owned(),
    };
    Some((page, layout.name))
}

/// Screens of an app and reading matter stand on paper, whatever a layout would allow.
fn grounds_for(layout: &Layout, category: Category) -> &'static [Ground] {
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
