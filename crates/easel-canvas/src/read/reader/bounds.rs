//! How long what stands at the head of a thing may be; what is beyond is text.
//!
//! What holds: no word is lost.

use super::state::Reader;
use crate::content::Matter;
use crate::read::parts::Part;
use crate::run::Run;

/// No title has more letters than this; what is beyond is text.
const MAX_TITLE_LETTERS: usize = 140;

/// No detail has more letters than this.
const MAX_DETAIL_LETTERS: usize = 160;

/// A cover has no more details than this.
const MAX_DETAILS: usize = 14;

impl Reader {
    /// Brings what stands at a head to lengths that can stand there; nothing of it is lost.
    pub(super) fn bound(&mut self) {
        let mut beyond = Vec::new();
        if self.title.chars().count() > MAX_TITLE_LETTERS {
            let cut = self.title.char_indices().map(|(at, _)| at).nth(MAX_TITLE_LETTERS).unwrap_or(self.title.len());
            let cut = self.title[..cut].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(cut);
            beyond.push(self.title.split_off(cut).trim().to_owned());
        }
        if self.subtitle.chars().count() > MAX_DETAIL_LETTERS * 2 {
            beyond.push(std::mem::take(&mut self.subtitle));
        }
        if self.request.kicker.chars().count() > 60 {
            beyond.push(std::mem::take(&mut self.request.kicker));
        }
        let (short, long): (Vec<String>, Vec<String>) = std::mem::take(&mut self.details)
            .into_iter()
            .partition(|detail| detail.chars().count() <= MAX_DETAIL_LETTERS);
        self.details = short;
        beyond.extend(long);
        // More details than can stand on a cover are a text of their own.
        if self.details.len() > MAX_DETAILS {
            beyond.extend(self.details.split_off(MAX_DETAILS));
        }
        for part in &mut self.parts {
            if part.title.chars().count() > MAX_TITLE_LETTERS {
                beyond.push(std::mem::take(&mut part.title));
            }
        }
        if !beyond.is_empty() {
            let paragraphs = beyond.into_iter().map(|words| vec![Run::plain(words)]).collect();
            self.parts.push(Part {
                title: String::new(),
                matters: vec![Matter::Prose { paragraphs, picture: None }],
                is_named: false,
            });
        }
    }
}
