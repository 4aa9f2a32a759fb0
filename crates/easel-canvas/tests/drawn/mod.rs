//! A design drawn from words alone, and its pages by their names. Not here: what a test expects of them.

use easel_canvas::content::Passage;
use easel_canvas::{Brief, Category, Document, Format, compose};

/// Draws a brief, always the same from the same words.
pub fn draw(prompt: &str, category: Category) -> Document {
    compose(&Brief::new(prompt, Format::of(category), 7), &mut |_| {}).expect("a design").document
}

/// The titles of its pages.
pub fn titles(document: &Document) -> Vec<&str> {
    document.origin.outline.passages.iter().map(|passage| passage.title.as_str()).collect()
}

/// Its only page.
pub fn only(document: &Document) -> &Passage {
    let [passage] = document.origin.outline.passages.as_slice() else { panic!("{:?}", titles(document)) };
    passage
}
