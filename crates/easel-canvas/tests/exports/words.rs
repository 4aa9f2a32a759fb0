//! What a design says, as its document has it, to be looked for in files.

use easel_canvas::document::{Document, Node, Page};

/// Everything written on a page: a line for each paragraph, cell and label, as it is shown.
pub fn on_page(page: &Page) -> Vec<String> {
    fn walk(nodes: &[Node], words: &mut Vec<String>) {
        for node in nodes {
            match node {
                Node::Text(text) => words.extend(text.paragraphs.iter().map(|paragraph| {
                    let words = paragraph.text();
                    if text.style.capitals { words.to_uppercase() } else { words }
                })),
                Node::Group(group) => walk(&group.nodes, words),
                Node::Table(table) => {
                    words.extend(std::iter::once(&table.data.head).chain(&table.data.rows).flatten().cloned());
                }
                _ => {}
            }
        }
    }
    let mut words = Vec::new();
    walk(&page.nodes, &mut words);
    words.retain(|words| !words.trim().is_empty());
    words
}

/// The text with white space folded: one space between words and none around them.
pub fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The letters alone, without white space and the marks that only give a direction or a place to break.
pub fn letters(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{ad}' | '\u{feff}'))
        .collect()
}

/// The letters in an order of their own, for scripts that are written in another order than they are drawn in.
pub fn sorted_letters(text: &str) -> String {
    let mut letters: Vec<char> = letters(text).chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// Whether the design is written from right to left.
pub fn is_right_to_left(document: &Document) -> bool {
    matches!(document.language.as_str(), "he" | "ar")
}
