//! What is read from the open briefs: every figure is held where it stands, so that no change makes it worse unseen.
//!
//! The aim is every fact in its place, no instruction and no word of nobody's; the numbers below are how far that is
//! reached. A change that makes one better writes the new number here.

#[expect(dead_code, reason = "families and verdicts are for the program that prints them")]
mod measure;

use easel_canvas::document::{Document, Node, TextRole};
use easel_canvas::{Brief, Category, Format, compose};

/// Facts that stand on no page, of all that must.
const MISSING: usize = 23;

/// Facts that stand elsewhere, or as something else, than they should.
const MISPLACED: usize = 195;

/// Instructions that are printed.
const PRINTED: usize = 25;

/// Words on pages that are nobody's: of scripts whose letters poppler reads back otherwise than they were written.
const FOREIGN: usize = 13;

/// Briefs of another kind, number of pages or language than they should be, or without a gap that they should have.
const FAULTS: usize = 25;

#[test]
fn the_open_briefs_are_read_no_worse_than_before() {
    let outcomes: Vec<(String, measure::Outcome)> =
        measure::load("open").iter().map(|written| (written.name.clone(), measure::measure(written))).collect();
    assert!(outcomes.len() >= 80);
    let sum = |count: fn(&measure::Outcome) -> usize| outcomes.iter().map(|(_, outcome)| count(outcome)).sum::<usize>();
    let reached = [
        ("missing", sum(|outcome| outcome.missing.len()), MISSING),
        ("misplaced", sum(|outcome| outcome.misplaced.len()), MISPLACED),
        ("printed", sum(|outcome| outcome.printed.len()), PRINTED),
        ("foreign", sum(|outcome| outcome.foreign.len()), FOREIGN),
        ("faults", sum(|outcome| outcome.faults.len()), FAULTS),
    ];
    let is_held = reached.iter().all(|(_, count, held)| count <= held);
    assert!(is_held, "what is counted, how often, and how often it may be: {reached:?}");
    for (name, outcome) in &outcomes {
        assert!(outcome.facts > 0 && outcome.words > 0, "{name} says nothing");
    }
}

/// Whether a page has a place that asks for content.
fn has_placeholder(document: &Document) -> bool {
    let mut nodes = document.pages.iter().flat_map(|page| &page.nodes);
    nodes.any(|node| matches!(node, Node::Text(text) if text.role == TextRole::Placeholder))
}

fn wish(prompt: &str, page_count: Option<u32>) -> Brief {
    let format = Format::of(Category::Slides);
    Brief { prompt: prompt.to_owned(), format, page_count, name: None, brand: None, attachments: Vec::new(), seed: 4 }
}

#[test]
fn a_number_of_pages_is_kept_and_what_is_missing_is_left_open() {
    for count in [1, 2, 3, 6, 12] {
        let design = compose(&wish("Deck for Northside Rowing: boats, training, money", Some(count)), &mut |_| {})
            .expect("a design");
        assert_eq!(design.document.page_count(), count as usize);
        assert!(has_placeholder(&design.document) || count == 1, "{count}");
    }
    let design =
        compose(&wish("Deck for Northside Rowing: boats, training (every Tuesday at 18:00), money", None), &mut |_| {})
            .expect("a design");
    assert!(design.message.contains("“Boats”") && design.message.contains("“Money”"), "{}", design.message);
    assert!(!design.message.contains("“Training”"), "{}", design.message);
}

#[test]
fn says_nothing_of_its_own_where_a_brief_says_nothing() {
    let design = compose(&wish("Deck for Northside Rowing", None), &mut |_| {}).expect("a design");
    assert_eq!(design.document.page_count(), 1);
    let words = measure::tokens(&format!("{:?}", design.document.origin.outline));
    for word in ["thank", "focus", "agenda", "next"] {
        assert!(!words.iter().any(|said| said == word), "{word}");
    }
}

#[test]
fn a_heading_over_other_headings_in_a_written_document_asks_for_nothing() {
    let pasted = "Handbook for guests\n\n# Arrival\n\nThe key hangs behind the door.\n\n# Rubbish\n\n## Monday\n\n\
        General waste, in the black bin.\n\n## Thursday\n\nPaper and glass, in the blue bin.\n\n# Internet\n\n\
        The password is on the back of the clock.";
    let format = Format::of(Category::Pdf);
    let design = compose(&Brief { format, ..wish(pasted, None) }, &mut |_| {}).expect("a design");
    assert!(!has_placeholder(&design.document));
    let outline = format!("{:?}", design.document.origin.outline);
    assert!(outline.contains("Rubbish") && outline.contains("Monday"), "{outline}");
}
