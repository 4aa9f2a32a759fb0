//! One design in other sizes: laid out anew for each, every word kept, on pages of exactly that size.

use std::collections::BTreeSet;

use easel_canvas::audit::audit;
use easel_canvas::document::{Document, Node};
use easel_canvas::{Brief, compose, edit, label_words};

mod briefs;
#[expect(dead_code, reason = "only the briefs are wanted here, not what they come to")]
mod measure;

/// What the app asks with for each size that it offers, and the size in pixels.
const SIZES: [(&str, (u32, u32)); 5] = [
    ("The same content, laid out anew as a square Instagram post", (1080, 1080)),
    ("The same content, laid out anew as an upright Instagram story", (1080, 1920)),
    ("The same content, laid out anew in A4 format, upright", (794, 1123)),
    ("The same content, laid out anew in 16:9", (1920, 1080)),
    ("The same content, laid out anew in banner format", (1500, 500)),
];

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

fn all_briefs() -> Vec<(String, Brief)> {
    let named = briefs::all().into_iter().map(|named| (named.name.to_owned(), named.brief));
    named.chain(measure::load("open").into_iter().map(|written| (written.name, written.brief))).collect()
}

#[test]
fn a_design_in_another_size_keeps_every_word_and_has_no_fault() {
    let mut faults: Vec<String> = Vec::new();
    for (name, brief) in all_briefs() {
        let first = compose(&brief, &mut |_| {}).unwrap_or_else(|error| panic!("{name}: {error}")).document;
        let said = words_of(&first);
        let labels: Vec<String> = label_words(&first.language).into_iter().map(|label| label.to_lowercase()).collect();
        // Numbers of pages, places in a list and labels of the design's own come and go with the arrangement.
        let is_said = |word: &&String| word.chars().any(char::is_alphabetic) && !labels.contains(*word);
        for (prompt, size) in SIZES {
            let made = match edit(&first, prompt, None, 0, &mut |_| {}) {
                Ok(made) => made.document,
                Err(error) => {
                    faults.push(format!("{name} {size:?}: {error}"));
                    continue;
                }
            };
            let sizes: BTreeSet<(u32, u32)> = made.pages.iter().map(|page| (page.width, page.height)).collect();
            if sizes != BTreeSet::from([size]) {
                faults.push(format!("{name} {size:?}: pages of {sizes:?}"));
            }
            if made.origin.outline != first.origin.outline {
                faults.push(format!("{name} {size:?}: the outline changed"));
            }
            let words = words_of(&made);
            let lost: Vec<&String> = said.difference(&words).filter(is_said).collect();
            if !lost.is_empty() {
                faults.push(format!("{name} {size:?}: lost {lost:?}"));
            }
            let findings = audit(&made);
            if !findings.is_empty() {
                faults.push(format!(
                    "{name} {size:?}: {} of {}: {:?}",
                    findings.len(),
                    made.pages[0].layout,
                    &findings[..findings.len().min(2)]
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}: {faults:#?}", faults.len());
}
