//! Every layout: what it draws, what it suits, on what it can stand, and what it is called where a person chooses among several.
//!
//! More than one suits most passages. Deliberately not here: which of them is taken (`layout`).

use super::setting::PageShape;
use super::sheet::Sheet;
use super::{
    board, columns, diagram, gap, graph, lanes, lists, menu, number_list, numbers, opening, reading, screen, split,
    steps, tree,
};
use crate::content::{Matter, Passage};
use crate::document::Category;
use crate::theme::Background;

pub type Draw = fn(&mut Sheet<'_>, &Passage);

/// A way to draw a passage.
pub struct Layout {
    /// Its name, as the document keeps it.
    pub name: &'static str,
    pub draw: Draw,
    /// What it can stand on; which of these is taken hangs on the seed.
    pub grounds: &'static [Background],
    /// Whether title, foot and logo of inner pages belong to it.
    pub is_inner: bool,
    /// Whether it is for openings on pages much broader than high, and for nothing else.
    pub is_strip: bool,
    /// Whether its two sides can be exchanged.
    pub is_sided: bool,
    /// Whether it is for variations alone: a first design is arranged as is usual.
    pub is_for_variations: bool,
    /// How a design is called apart from others of the same words that is arranged so.
    pub called: &'static str,
    pub suits: fn(&Passage, PageShape, Category) -> bool,
}

pub const QUIET: &[Background] = &[Background::Base];
const CALM: &[Background] = &[Background::Base, Background::Base, Background::Tint];
const LOUD: &[Background] = &[Background::Accent, Background::Inverse];
const ANY: &[Background] = &[Background::Base, Background::Tint, Background::Inverse, Background::Accent];
const SOFT: &[Background] = &[Background::Base, Background::Tint, Background::Inverse];

const fn inner(
    name: &'static str,
    draw: Draw,
    grounds: &'static [Background],
    suits: fn(&Passage, PageShape, Category) -> bool,
) -> Layout {
    Layout {
        name,
        draw,
        grounds,
        is_inner: true,
        is_strip: false,
        is_sided: false,
        is_for_variations: false,
        called: "",
        suits,
    }
}

const fn outer(
    name: &'static str,
    draw: Draw,
    grounds: &'static [Background],
    suits: fn(&Passage, PageShape, Category) -> bool,
) -> Layout {
    Layout {
        name,
        draw,
        grounds,
        is_inner: false,
        is_strip: false,
        is_sided: false,
        is_for_variations: false,
        called: "",
        suits,
    }
}

const fn strip(
    name: &'static str,
    draw: Draw,
    grounds: &'static [Background],
    suits: fn(&Passage, PageShape, Category) -> bool,
) -> Layout {
    Layout {
        name,
        draw,
        grounds,
        is_inner: false,
        is_strip: true,
        is_sided: false,
        is_for_variations: false,
        called: "",
        suits,
    }
}

impl Layout {
    /// Of two sides that can be exchanged.
    const fn sided(self) -> Self {
        Self { is_sided: true, ..self }
    }

    const fn for_variations(self) -> Self {
        Self { is_for_variations: true, ..self }
    }

    const fn called(self, called: &'static str) -> Self {
        Self { called, ..self }
    }
}

/// Every layout. More than one suits most passages.
pub const LAYOUTS: &[Layout] = &[
    outer("cover_split", opening::cover_split, SOFT, |passage, _, _| is_cover(passage)).sided().called("Split"),
    outer("cover_framed", opening::cover_framed, ANY, |passage, _, _| {
        is_cover(passage) && picture_of(passage).is_none()
    }).called("In a frame"),
    outer("cover_poster", opening::cover_poster, ANY, |passage, _, _| is_cover(passage)).sided().called("Motif above"),
    outer("cover_type", opening::cover_type, ANY, |passage, _, _| is_cover(passage) && picture_of(passage).is_none()).called("Large type"),
    outer("cover_band", opening::cover_band, SOFT, |passage, _, _| is_cover(passage) && picture_of(passage).is_none()).called("Band below"),
    outer("cover_picture", opening::cover_picture, SOFT, |passage, _, _| {
        is_cover(passage) && picture_of(passage).is_some()
    }).sided().called("Words on a card"),
    outer("cover_top", opening::cover_top, SOFT, |passage, _, _| is_cover(passage)).sided().called("Title above"),
    strip("cover_strip", opening::cover_strip, ANY, |passage, _, _| is_cover(passage)).sided().called("Motif at the side"),
    strip("cover_strip_centered", opening::cover_strip_centered, ANY, |passage, _, _| is_cover(passage))
        .called("In the middle"),
    strip("closing_strip", opening::cover_strip, ANY, |passage, _, _| matches!(passage.matter, Matter::Closing { .. })),
    inner("section_number", opening::section_number, LOUD, |passage, _, _| {
        matches!(passage.matter, Matter::Section { .. })
    }).sided(),
    inner("section_art", opening::section_art, &[Background::Tint, Background::Inverse], |passage, _, _| {
        matches!(passage.matter, Matter::Section { .. })
    }).sided(),
    inner(
        "statement_large",
        reading::statement_large,
        &[Background::Accent, Background::Inverse, Background::Tint],
        |passage, _, _| matches!(passage.matter, Matter::Statement { .. }),
    ).called("Large type"),
    inner("statement_art", reading::statement_art, SOFT, |passage, _, _| {
        matches!(passage.matter, Matter::Statement { .. })
    }).called("Motif at the side").sided(),
    inner("statement_bar", reading::statement_bar, SOFT, |passage, _, _| {
        matches!(passage.matter, Matter::Statement { .. })
    }).called("Beside a bar").sided(),
    inner("agenda_rows", lists::agenda_rows, CALM, |passage, _, _| matches!(passage.matter, Matter::Agenda { .. })),
    inner("prose_plain", reading::prose_plain, QUIET, |passage, shape, _| {
        is_prose(passage, false)
            && (shape != PageShape::Wide || word_count(passage) > 120 || split::is_plainest(passage))
    }),
    inner("prose_side", reading::prose_side, CALM, |passage, shape, _| {
        is_prose(passage, false) && shape == PageShape::Wide
    }).sided(),
    inner("prose_art", reading::prose_card, CALM, |passage, _, category| {
        is_prose(passage, false) && word_count(passage) < 90 && category != Category::Pdf
    }).sided(),
    inner("prose_picture", reading::prose_picture, CALM, |passage, _, _| is_prose(passage, true)).sided(),
    inner("points_cards", lists::points_cards, CALM, |passage, _, _| is_points(passage, 2, 9)),
    inner("points_rows", lists::points_rows, CALM, |passage, _, _| is_points(passage, 2, 8)),
    inner("points_columns", lists::points_columns, CALM, |passage, shape, _| {
        is_points(passage, 2, 4) && shape == PageShape::Wide
    }),
    inner("points_side", lists::points_side, CALM, |passage, shape, _| {
        is_points(passage, 3, 12) && shape == PageShape::Wide
    }).sided(),
    inner("points_prices", number_list::points_numbers, CALM, |passage, _, _| number_list::is_number_list(passage)),
    inner("points_list", lists::points_list, QUIET, |passage, shape, category| {
        is_points(passage, 1, 99)
            && (category == Category::Pdf
                || shape != PageShape::Wide
                || point_count(passage) > 8
                || point_count(passage) < 2)
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
    inner("quote_large", reading::quote_large, &[Background::Inverse, Background::Tint, Background::Accent], |passage, _, _| {
        matches!(passage.matter, Matter::Quote { .. })
    }).called("Large type"),
    inner("quote_card", reading::quote_card, CALM, |passage, _, _| matches!(passage.matter, Matter::Quote { .. })).called("On a card").sided(),
    inner("table", numbers::table, QUIET, |passage, _, _| matches!(passage.matter, Matter::Table { .. })),
    inner("chart_full", numbers::chart_full, QUIET, |passage, shape, _| is_chart(passage, shape, false)),
    inner("chart_side", numbers::chart_side, QUIET, |passage, shape, _| is_chart(passage, shape, true)).sided(),
    outer("picture_full", reading::picture_full, QUIET, |passage, _, _| {
        matches!(passage.matter, Matter::Picture { .. })
    }),
    inner(
        "picture_framed",
        reading::picture_framed,
        CALM,
        |passage, _, _| matches!(&passage.matter, Matter::Picture { caption, .. } if !caption.is_empty() || !passage.title.is_empty()),
    ).sided(),
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
    }).called("In a frame"),
    outer("menu_band", menu::menu_band, CALM, |passage, _, category| {
        matches!(passage.matter, Matter::Menu { .. }) && category != Category::Slides
    }).sided().called("Title on a band"),
    outer("menu_plain", menu::menu_plain, CALM, |passage, shape, category| {
        matches!(passage.matter, Matter::Menu { .. }) && shape != PageShape::Wide && category != Category::Slides
    }).called("Title beside the motif"),
    inner("menu_inner", menu::menu_inner, CALM, |passage, _, category| {
        matches!(passage.matter, Matter::Menu { .. }) && category == Category::Slides
    }),
    inner("gap", gap::gap, QUIET, |passage, _, _| matches!(passage.matter, Matter::Gap { .. })),
    inner("board_grid", board::board_grid, CALM, |passage, _, category| {
        is_board(passage) && !matches!(category, Category::Other | Category::Social)
    }).called("In a grid"),
    outer("board_poster", board::board_poster, CALM, |passage, _, category| {
        is_board(passage) && matches!(category, Category::Other | Category::Social)
    }).called("Title on a band"),
    outer("board_type", board::board_type, SOFT, |passage, _, category| {
        is_board(passage) && matches!(category, Category::Other | Category::Social)
    }).called("Large title"),
    outer("board_side", board::board_side, CALM, |passage, shape, category| {
        is_board(passage) && shape != PageShape::Tall && matches!(category, Category::Other | Category::Social)
    })
    .sided()
    .called("Title at the side"),
    outer("board_foot", board::board_foot, CALM, |passage, _, category| {
        is_board(passage) && matches!(category, Category::Other | Category::Social)
    })
    .called("Title below"),
    outer("board_indent", board::board_indent, SOFT, |passage, _, category| {
        is_board(passage) && matches!(category, Category::Other | Category::Social)
    })
    .sided()
    .called("Broad and narrow column"),
    outer("menu_foot", menu::menu_foot, CALM, |passage, _, category| {
        matches!(passage.matter, Matter::Menu { .. }) && category != Category::Slides
    })
    .called("Title below"),
    outer("menu_side", menu::menu_side, SOFT, |passage, _, category| {
        matches!(passage.matter, Matter::Menu { .. }) && category != Category::Slides
    })
    .sided()
    .called("Title at the side"),
    inner("quote_centered", reading::quote_centered, SOFT, |passage, _, _| {
        matches!(passage.matter, Matter::Quote { .. })
    })
    .called("In the middle"),
    inner("prose_large", reading::prose_large, CALM, |passage, _, category| {
        is_prose(passage, false) && word_count(passage) <= 60 && !passage.title.is_empty() && category != Category::Pdf
    }),
    inner("flow_graph", graph::flow_graph, QUIET, |passage, _, _| {
        is_graph(passage)
    }),
    inner("flow_graph_turned", graph::flow_graph_turned, QUIET, |passage, _, _| {
        is_graph(passage)
    })
    .called("Turned")
    .for_variations(),
    inner("flow_lanes", lanes::flow_lanes, QUIET, |passage, _, _| has_lanes(passage)),
    inner("flow_lanes_turned", lanes::flow_lanes_turned, QUIET, |passage, _, _| has_lanes(passage))
        .called("Turned")
        .for_variations(),
    inner("flow_rows", diagram::flow_rows, QUIET, |passage, _, _| {
        is_flow(passage, true) || is_flow(passage, false) && point_count(passage) > 6
    }),
    inner("flow_layers", diagram::flow_layers, QUIET, |passage, _, _| is_flow(passage, false) && point_count(passage) <= 6),
    inner("flow_tree", tree::flow_tree, QUIET, |passage, _, _| is_tree(passage)),
    inner("flow_tree_turned", tree::flow_tree_turned, QUIET, |passage, _, _| is_tree(passage))
        .called("Turned")
        .for_variations(),
    outer("screen_board", screen::board, QUIET, |passage, shape, _| {
        matches!(passage.matter, Matter::Screen { .. }) && shape != PageShape::Tall
    })
    .sided()
    .called("Navigation at the side"),
    outer("screen_bar", screen::bar, QUIET, |passage, shape, _| {
        matches!(passage.matter, Matter::Screen { .. }) && shape != PageShape::Tall
    })
    .called("Navigation above")
    .for_variations(),
    outer("screen_phone", screen::phone, QUIET, |passage, shape, _| {
        matches!(passage.matter, Matter::Screen { .. }) && shape == PageShape::Tall
    }),
    outer("screen_phone_list", screen::phone_list, QUIET, |passage, shape, _| {
        matches!(&passage.matter, Matter::Screen { figures, .. } if !figures.is_empty()) && shape == PageShape::Tall
    })
    .called("List first")
    .for_variations(),
    outer("closing_card", opening::closing_card, ANY, |passage, _, _| matches!(passage.matter, Matter::Closing { .. })).sided(),
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
        && !number_list::is_number_list(passage)
}

fn is_steps(passage: &Passage, most: usize) -> bool {
    matches!(passage.matter, Matter::Steps { .. }) && point_count(passage) <= most
}

fn is_chart(passage: &Passage, shape: PageShape, beside: bool) -> bool {
    matches!(&passage.matter, Matter::Chart { insights, .. } if !beside || (!insights.is_empty() && shape == PageShape::Wide))
}

/// Whether it is a flow with arrows from box to box, or without any.
fn is_flow(passage: &Passage, has_arrows: bool) -> bool {
    matches!(&passage.matter, Matter::Flow { arrows, boxes, lanes } if lanes.is_empty() && arrows.is_empty() != has_arrows && !graph::has_branches(boxes, arrows))
        && !is_tree(passage)
}

/// Whether it is a flow with branches that is no tree.
fn is_graph(passage: &Passage) -> bool {
    matches!(&passage.matter, Matter::Flow { boxes, arrows, lanes } if lanes.is_empty() && graph::has_branches(boxes, arrows))
        && !is_tree(passage)
}

/// Whether it is a flow that is told by who does what.
fn has_lanes(passage: &Passage) -> bool {
    matches!(&passage.matter, Matter::Flow { lanes, .. } if !lanes.is_empty())
}

fn is_tree(passage: &Passage) -> bool {
    matches!(&passage.matter, Matter::Flow { arrows, boxes, lanes } if lanes.is_empty() && tree::is_tree(boxes, arrows))
}

/// How designs are called that are arranged as the layout of this name does.
pub fn called(name: &str) -> &'static str {
    LAYOUTS.iter().find(|layout| layout.name == name).map_or("", |layout| layout.called)
}

/// Whether the layout of this name has two sides that can be exchanged.
pub fn is_sided(name: &str) -> bool {
    LAYOUTS.iter().any(|layout| layout.name == name && layout.is_sided)
}
