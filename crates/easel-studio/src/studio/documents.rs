//! What the service says of itself: for programs, and for people.
//!
//! Always true: it is made once, when somebody first asks. Not here: what it says; whoever puts the studio together
//! gives the way to write it.

use std::sync::OnceLock;

use bytes::Bytes;

use super::config::Config;

/// The description of the service in both its forms.
#[derive(Debug, Clone)]
pub struct Document {
    /// For programs: JSON.
    pub json: Bytes,
    /// For people: a page of HTML.
    pub page: Bytes,
}

/// The description, once it was asked for.
#[derive(Debug)]
pub struct Documents {
    describe: fn(&Config) -> Document,
    made: OnceLock<Document>,
}

impl Documents {
    /// Made by `describe` when they are first asked for.
    #[must_use]
    pub fn made_by(describe: fn(&Config) -> Document) -> Self {
        Self { describe, made: OnceLock::new() }
    }

    /// The description of the service as it was set up.
    pub fn get(&self, config: &Config) -> Document {
        self.made.get_or_init(|| (self.describe)(config)).clone()
    }
}
