//! What is said of a file or a design that came out otherwise than asked.
//!
//! Always true: programs tell warnings apart by their codes, and people read their messages. Not here: what is refused instead
//! (`crate::error`).

/// Something that came out otherwise than asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// For programs; lower case with underscores.
    pub code: &'static str,
    /// For people.
    pub message: String,
}
