//! What a document was made from: its content, the choices of its look, and the prompts that led to it.
//!
//! With it a remix lays the same content out anew, and the same origin always gives the same document.

use serde::{Deserialize, Serialize};

use crate::brand::Brand;
use crate::color::Rgb;
use crate::content::Outline;

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// What was asked, from the first to the last time.
    pub prompts: Vec<String>,
    /// What it says.
    pub outline: Outline,
    /// How it looks.
    pub look: Look,
}

/// The choices that make a look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Everything left to chance hangs on this.
    pub seed: u64,
    /// The theme's name.
    pub recipe: String,
    /// The pairing's name.
    pub pairing: String,
    /// Whether the theme's dark side is its paper.
    pub inverted: bool,
    /// Colours that the prompt named, or a reference lent: the first draws the eye.
    pub colors: Vec<Rgb>,
    /// A brand's colours, fonts and logo.
    pub brand: Option<Brand>,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}
