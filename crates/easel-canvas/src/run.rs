//! Words that are set alike: what a paragraph is made of, in an outline and on a page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Words that are set alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The words.
    pub text: String,
    /// Whether they stand out.
    pub strong: bool,
    /// Whether they are slanted.
    pub emphasis: bool,
    /// Where they lead.
    pub link: Option<String>,
}

impl Run {
    /// Words set like the box around them.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), strong: false, emphasis: false, link: None }
    }
}
