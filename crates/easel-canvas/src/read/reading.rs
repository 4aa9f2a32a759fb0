//! What a brief says, as it was read.
//!
//! Plain data. Deliberately not here: how it is read.

use super::instructions::Instructions;
use super::kinds::Kind;
use super::parts::Part;

/// What a brief says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The kind that it names.
    pub named_kind: Option<Kind>,
    /// Its instructions.
    pub wishes: Instructions,
    /// The words of its instructions and of its occasion, by which a theme is chosen.
    pub mood: String,
    /// The few words above the title.
    pub kicker: String,
    /// What it is called; may be empty.
    pub title: String,
    /// Under the title.
    pub subtitle: String,
    /// Days, hours, places, prices, contacts, calls to do something: each short.
    pub details: Vec<String>,
    /// Its parts in their order.
    pub parts: Vec<Part>,
    /// Two letters.
    pub language: String,
}

impl Reading {
    /// Whether nothing of it would stand on a page.
    pub(super) fn is_empty(&self) -> bool {
        self.title.is_empty() && self.subtitle.is_empty() && self.details.is_empty() && self.parts.is_empty()
    }
}
