//! Measures what is read from a brief: the facts that must stand on the pages, with role, page and company; instructions that
//! must not; words of nobody; kind and number of pages.
//!
//! Words are read back from the exported PDF by poppler, roles from the outline, titles from the presentation.

mod exported;
mod facts;
mod form;
mod pieces;
mod words;
mod written;

use std::collections::BTreeSet;

use easel_canvas::compose;
use exported::{pages_of_pdf, titles_of_pptx};
use facts::{Drawn, judge_fact};
use form::{foreign_words, judge_form};
use pieces::Pieces;
use toml::Value;
use words::contains;
pub use words::tokens;
use written::list;
pub use written::{Written, load};

/// What came of a brief.
#[derive(Debug, Default, Clone)]
pub struct Outcome {
    /// Facts that must stand on pages.
    pub facts: usize,
    /// Those that do not, with what is missing.
    pub missing: Vec<String>,
    /// Those that do, elsewhere or as something else than they should.
    pub misplaced: Vec<String>,
    /// Instructions that are printed.
    pub printed: Vec<String>,
    /// Words that are nobody's.
    pub foreign: BTreeSet<String>,
    /// What is wrong with kind, pages, gaps.
    pub faults: Vec<String>,
    /// How many words stand on the pages.
    pub words: usize,
}

impl Outcome {
    /// Whether all is as it should be.
    pub fn is_right(&self) -> bool {
        self.missing.is_empty()
            && self.misplaced.is_empty()
            && self.printed.is_empty()
            && self.foreign.is_empty()
            && self.faults.is_empty()
    }
}

/// Measures one brief.
pub fn measure(written: &Written) -> Outcome {
    let mut outcome = Outcome { facts: written.facts.len(), ..Outcome::default() };
    let composed = match compose(&written.brief, &mut |_| {}) {
        Ok(composed) => composed,
        Err(error) => {
            outcome.faults.push(format!("not drawn: {error}"));
            outcome.missing = written.facts.iter().map(|fact| fact.text.clone()).collect();
            return outcome;
        }
    };
    let document = &composed.document;
    let compounds = words::compounds(&written.brief.prompt);
    let pages: Vec<Vec<String>> =
        pages_of_pdf(document).iter().map(|page| words::part_compounds(tokens(page), &compounds)).collect();
    outcome.words = pages.iter().map(Vec::len).sum();
    let titles = titles_of_pptx(document);
    let mut pieces = Pieces::default();
    document.origin.outline.passages.iter().for_each(|passage| pieces.add_passage(passage));
    let drawn = Drawn { document, pages: &pages, titles: &titles, pieces: &pieces.all };
    written.facts.iter().for_each(|fact| judge_fact(fact, &drawn, &mut outcome));
    let facts: Vec<Vec<String>> = written.facts.iter().map(|fact| tokens(&fact.text)).collect();
    for instruction in list(&written.expect, "instructions").into_iter().filter_map(Value::as_str) {
        let wanted = tokens(instruction);
        let is_fact = facts.iter().any(|fact| contains(fact, &wanted));
        if !is_fact && pages.iter().any(|page| contains(page, &wanted)) {
            outcome.printed.push(instruction.to_owned());
        }
    }
    outcome.foreign = foreign_words(written, document, &pages);
    judge_form(written, &composed, &mut outcome);
    outcome
}
