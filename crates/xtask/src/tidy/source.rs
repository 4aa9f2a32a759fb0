//! What a rule reads and what it says.

use std::fmt;

use super::parts::{Parts, divide};

/// A rule that something breaks.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Relative to the top of the repository.
    pub path: String,
    /// From 1; 0 when it is about the whole file.
    pub line: usize,
    pub words: String,
}

impl Violation {
    pub fn new(path: &str, line: usize, words: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, words: words.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(formatter, "{}: {}", self.path, self.words)
        } else {
            write!(formatter, "{}:{}: {}", self.path, self.line, self.words)
        }
    }
}

/// A text file of the repository.
pub struct Source {
    /// Relative to the top, with forward slashes.
    pub path: String,
    pub text: String,
    /// The text of a Rust file, divided into code, literals and comments.
    pub parts: Option<Parts>,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let parts = path.ends_with(".rs").then(|| divide(text));
        Self { path: path.to_owned(), text: text.to_owned(), parts }
    }

    /// Whether a program wrote it; a test compares it with what that program would write today.
    pub fn is_generated(&self) -> bool {
        ["ui/src/backend/bindings.ts", "openapi.json"].iter().any(|end| self.path.ends_with(end))
            || self.path.contains("/gen/schemas/")
            || self.path.ends_with(".snap")
    }
}
