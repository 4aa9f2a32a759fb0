//! Continuations of lists that the page asks for part by part, whichever way the service counts.
//!
//! Always true: to the page, a continuation is an opaque text; a list ends, also if the service repeats a cursor or
//! answers every request with the same page. Not here: lists that are read whole in one go ([`easel_client::Walk`]).

use easel_client::PageRequest;
use easel_wire::list::Page;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Where a list goes on. The default is its beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Continuation {
    cursor: Option<String>,
    offset: Option<u64>,
    /// What the part before began with.
    first: Option<String>,
    /// Cursors that were followed already, as the first bytes of their hashes.
    seen: Vec<u32>,
}

impl Continuation {
    /// Reads what the page was given. What it was not given is a cursor that the service has to judge.
    pub(crate) fn read(text: Option<&str>) -> Self {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Self::default() };
        serde_json::from_str(text).unwrap_or_else(|_| Self { cursor: Some(text.to_owned()), ..Self::default() })
    }

    /// As text for the page.
    pub(crate) fn text(&self) -> String {
        // A record of texts and numbers can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The request for `limit` items from here on.
    pub(crate) fn request(&self, limit: usize) -> PageRequest {
        let limit = Some(u16::try_from(limit).unwrap_or(u16::MAX));
        PageRequest { limit, cursor: self.cursor.clone(), offset: self.offset, ..PageRequest::default() }
    }

    /// Where the list goes on after `page`, which answered [`Continuation::request`] and began with the id `first`;
    /// `None` after the last. A page that repeats the one before is emptied.
    pub(crate) fn after<T>(&self, request: &PageRequest, page: &mut Page<T>, first: Option<&str>) -> Option<Self> {
        if self.offset.is_some() && first.is_some() && self.first.as_deref() == first {
            page.items.clear();
            return None;
        }
        let next = request.after(page)?;
        let mut seen = self.seen.clone();
        if let Some(cursor) = &next.cursor {
            let mark = mark(cursor);
            if seen.contains(&mark) {
                return None;
            }
            seen.push(mark);
        }
        Some(Self { cursor: next.cursor, offset: next.offset, first: first.map(str::to_owned), seen })
    }
}

fn mark(cursor: &str) -> u32 {
    Sha256::digest(cursor.as_bytes()).iter().take(4).fold(0, |mark, byte| mark << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(items: &[&str], next_cursor: Option<&str>, has_more: Option<bool>) -> Page<String> {
        let items = items.iter().map(|item| (*item).to_owned()).collect();
        Page { items, unreadable: 0, next_cursor: next_cursor.map(str::to_owned), has_more, total: None }
    }

    /// Reads a list as the page does, with `answers` for one question after the other, and gives what it would show.
    fn read_all(answers: &[Page<String>]) -> Vec<String> {
        let mut shown = Vec::new();
        let mut text: Option<String> = None;
        for (asked, answer) in answers.iter().enumerate() {
            let here = Continuation::read(text.as_deref());
            let mut page = Page { items: answer.items.clone(), next_cursor: answer.next_cursor.clone(), ..*answer };
            let first = page.items.first().cloned();
            let next = here.after(&here.request(2), &mut page, first.as_deref());
            shown.extend(page.items);
            match next {
                Some(next) => text = Some(next.text()),
                None => {
                    assert_eq!(asked + 1, answers.len(), "it ended early");
                    return shown;
                }
            }
        }
        panic!("it does not end: {shown:?}");
    }

    #[test]
    fn a_list_is_read_whole_whichever_way_the_service_counts_and_ends() {
        let check = |answers: &[Page<String>], expected: &[&str]| assert_eq!(read_all(answers), expected);
        check(&[page(&["1", "2"], Some("x"), None), page(&["3"], None, None)], &["1", "2", "3"]);
        check(&[page(&["1", "2"], None, Some(true)), page(&["3"], None, Some(false))], &["1", "2", "3"]);
        // Nothing is said of what follows, and every question is answered alike.
        check(&[page(&["1", "2"], None, None), page(&["1", "2"], None, None)], &["1", "2"]);
        // Cursors that repeat.
        let round = [page(&["1"], Some("x"), None), page(&["2"], Some("y"), None), page(&["3"], Some("x"), None)];
        check(&round, &["1", "2", "3"]);
    }

    #[test]
    fn what_was_never_given_out_is_for_the_service_to_judge() {
        for text in [None, Some(""), Some("{}")] {
            assert_eq!(Continuation::read(text), Continuation::default());
        }
        assert_eq!(Continuation::read(Some("nonsense")).request(2).cursor.as_deref(), Some("nonsense"));
    }
}
