//! What a sentence that asks for a thing came to.
//!
//! Always true: what is obeyed stands apart from what is printed. Deliberately not here: how the sentence is read (`request`,
//! `wording`, `subject`).

use crate::read::kinds::Kind;

/// What the sentence came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The kind of thing.
    pub kind: Option<Kind>,
    /// The few words above the title: the occasion.
    pub kicker: String,
    /// What it is called or about.
    pub title: String,
    /// What the subject is, in apposition to its name.
    pub subtitle: String,
    /// Days, hours, places.
    pub details: Vec<String>,
    /// What stood behind its colon, and clauses that are neither subject nor instruction.
    pub content: Vec<String>,
    /// Plain statements that stood beside the sentence which asks.
    pub statements: Vec<String>,
    /// The name of the kind as it was written.
    pub kind_name: String,
    /// Its instructions, to be obeyed.
    pub instructions: String,
    /// Whether the title is only the occasion: “wedding” of a wedding invitation.
    pub is_occasion: bool,
    /// Whether the title says no more than whose it is or on which occasion: “our nursing home”, “the pub quiz”, “birthday”.
    pub is_bare: bool,
    /// Whether the title is a name of its own: in quotation marks, or with a large letter where it began.
    pub is_named: bool,
}

/// Adds words to those of a list, behind a comma.
pub(super) fn add(list: &mut String, text: &str) {
    if !list.is_empty() {
        list.push_str(", ");
    }
    list.push_str(text);
}

/// The same where there are any.
pub(super) fn add_some(list: &mut String, text: &str) {
    if !text.is_empty() {
        add(list, text);
    }
}
