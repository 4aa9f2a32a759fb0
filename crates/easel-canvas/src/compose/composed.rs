//! What making a design comes to: the document, and what is said of it.
//!
//! Deliberately not here: how it is made (`compose`), and the words of its message (`report`).

use crate::document::Document;
use crate::render::Warning;

/// A document that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The document.
    pub document: Document,
    /// What it is called.
    pub name: String,
    /// What was done, in one sentence for a person.
    pub message: String,
    /// What came out otherwise than asked.
    pub warnings: Vec<Warning>,
    /// What is different about a variation, for its name; nothing for any other design.
    pub variation: Option<Variation>,
}

/// What a variation is called apart from the design that it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// What is different: “Large type, dark”.
    pub called: String,
    /// What was different about the design that it was made from; empty where that is none.
    pub was_called: String,
}
