//! How far a design is, and what can be seen of it before it is done: which pages it will have, then each of them.
//!
//! Always true: the pages are told before the first is drawn, and told again where laying them out makes more or others of them.
//! Not here: who shows it.

use super::report;
use crate::content::Outline;
use crate::document::Document;
use crate::error::Error;
use crate::layout::name_of_page;

/// What is being done at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Prompt and attachments are read.
    Reading,
    /// Pages are planned.
    Planning,
    /// Pages are laid out.
    LayingOut,
    /// Pages are drawn.
    Drawing,
}

/// How far the work is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// 0 to 100, never less than before.
    pub percent: u8,
    /// What is being done.
    pub step: Step,
    /// The same for a person.
    pub message: String,
    /// What can be seen since the last step.
    pub seen: Option<Seen>,
}

/// What can be seen of a design before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// The pages that it will have, in place of those that were told before.
    Outline(Vec<PageAhead>),
    /// A page.
    Page {
        /// Its place, from 0.
        at: usize,
        /// A small PNG of it.
        png: Vec<u8>,
    },
}

/// A page before it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAhead {
    /// What it is called: its title, or its number where it has none.
    pub name: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

pub(super) fn tell(progress: &mut dyn FnMut(Progress), percent: u8, step: Step, message: String) {
    progress(Progress { percent, step, message, seen: None });
}

/// Says what was read, and which pages come of it as far as that is known before they are laid out.
pub(super) fn tell_outline(progress: &mut dyn FnMut(Progress), outline: &Outline, (width, height): (u32, u32)) {
    let found = report::found(outline);
    let message = if found.is_empty() { "Planning the pages".to_owned() } else { format!("Read {found}") };
    let pages = outline.passages.iter().enumerate();
    let pages = pages.map(|(at, passage)| PageAhead { name: name_of_page(&passage.title, at), width, height });
    progress(Progress { percent: 28, step: Step::Planning, message, seen: Some(Seen::Outline(pages.collect())) });
}

/// Draws every page once, small, so that what cannot be drawn is found before the document is kept, and tells of each. Returns the
/// first page as a PNG whose longer side has at most `max_side_px` pixels.
///
/// # Errors
/// [`Error::Drawing`] where a page cannot be drawn.
pub fn proof(document: &Document, max_side_px: u32, progress: &mut dyn FnMut(Progress)) -> Result<Vec<u8>, Error> {
    let count = document.page_count();
    let found = report::found(&document.origin.outline);
    let from = if found.is_empty() { String::new() } else { format!(", from {found}") };
    let ahead = document.pages.iter();
    let ahead = ahead.map(|page| PageAhead { name: page.name.clone(), width: page.width, height: page.height });
    let mut seen = Some(Seen::Outline(ahead.collect()));
    let mut first = None;
    for (at, page) in document.pages.iter().enumerate() {
        let percent = (60 + 40 * at / count.max(1)) as u8;
        let message = format!("Drawing page {} of {count}{from}", at + 1);
        progress(Progress { percent, step: Step::Drawing, message: message.clone(), seen: seen.take() });
        let png = crate::render::thumbnail_of(document, page, max_side_px)?;
        first.get_or_insert_with(|| png.clone());
        progress(Progress { percent, step: Step::Drawing, message, seen: Some(Seen::Page { at, png }) });
    }
    first.ok_or(Error::PageMissing { page: 1, page_count: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Brief, Category, Format, compose};

    #[test]
    fn the_pages_are_told_before_the_first_is_drawn_and_each_as_it_is() {
        let prompt = "Deck about bread. Sales: July 1.05M, August 1.1M, September 1.3M. Team: Ada, baker. Contact: rye@example.org";
        let brief = Brief::new(prompt, Format::of(Category::Slides), 1);
        let mut told: Vec<Progress> = Vec::new();
        let document = compose(&brief, &mut |progress| told.push(progress)).expect("a design").document;
        let planned = told.iter().find_map(|progress| match &progress.seen {
            Some(Seen::Outline(pages)) => Some((pages.len(), progress.message.clone())),
            _ => None,
        });
        let (count, message) = planned.expect("an outline");
        assert!(
            count == document.page_count() && message.starts_with("Read ") && message.contains("1 chart"),
            "{message}"
        );
        told.clear();
        let first = proof(&document, 64, &mut |progress| told.push(progress)).expect("pictures");
        let names: Vec<&str> = document.pages.iter().map(|page| page.name.as_str()).collect();
        let Some(Seen::Outline(pages)) = &told[0].seen else { panic!("{:?}", told[0]) };
        assert_eq!(pages.iter().map(|page| page.name.as_str()).collect::<Vec<_>>(), names);
        assert!(told[0].message.starts_with("Drawing page 1 of ") && told[0].message.contains("1 chart"), "{told:?}");
        let drawn: Vec<(usize, &[u8])> = told
            .iter()
            .filter_map(|progress| match &progress.seen {
                Some(Seen::Page { at, png }) => Some((*at, png.as_slice())),
                _ => None,
            })
            .collect();
        assert_eq!(drawn.iter().map(|(at, _)| *at).collect::<Vec<_>>(), (0..names.len()).collect::<Vec<_>>());
        assert_eq!(drawn[0].1, first);
        assert!(drawn.iter().all(|(_, png)| png.starts_with(b"\x89PNG")));
    }
}
