//! What a design that was made from another has to keep: every word; and the briefs that it is tried with.
//!
//! Not here: the places of the words, which are what changes.

use std::collections::BTreeSet;

use easel_canvas::document::{Document, Node};
use easel_canvas::{Brief, label_words};

use crate::{briefs, measure};

/// Every written brief, by its name.
pub fn all_briefs() -> Vec<(String, Brief)> {
    let named = briefs::all().into_iter().map(|named| (named.name.to_owned(), named.brief));
    named.chain(measure::load("open").into_iter().map(|written| (written.name, written.brief))).collect()
}

/// Every word that stands on the pages.
fn words_of(document: &Document) -> BTreeSet<String> {
    fn walk(nodes: &[Node], words: &mut String) {
        for node in nodes {
            match node {
                Node::Text(text) => *words += &text.text(),
                Node::Group(group) => walk(&group.nodes, words),
                Node::Table(table) => {
                    let cells = std::iter::once(&table.data.head).chain(&table.data.rows).flatten();
                    cells.for_each(|cell| *words += &format!("{cell} "));
                }
                Node::Chart(chart) => *words += &chart.data.labels.join(" "),
                _ => {}
            }
            words.push(' ');
        }
    }
    let mut words = String::new();
    document.pages.iter().for_each(|page| walk(&page.nodes, &mut words));
    let words = words.to_lowercase();
    words.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words of a design that another made from it has not. Numbers of pages, places in a list and labels of the design's own come
/// and go with the arrangement.
pub fn find_lost_words(first: &Document, made: &Document) -> Vec<String> {
    let labels: Vec<String> = label_words(&first.language).into_iter().map(|label| label.to_lowercase()).collect();
    let is_said = |word: &&String| word.chars().any(char::is_alphabetic) && !labels.contains(*word);
    words_of(first).difference(&words_of(made)).filter(is_said).cloned().collect()
}
