//! A brand as a person keeps it: colours, fonts, a logo.
//!
//! A brand's colours take the roles of a theme; where one of them cannot carry words, its shade gives way and its hue
//! stays. Deliberately not here: how brand kits are stored and asked for.

use serde::{Deserialize, Serialize};

use crate::color::Rgb;

/// A brand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Brand {
    /// The company's name.
    pub name: String,
    /// Its colours with what they are for, if that was said: `primary`, `secondary`, `accent`, `background`, `text`.
    pub colors: Vec<BrandColor>,
    /// The family of headings; one that is not shipped gives way to one that is like it, with a warning.
    pub heading_font: Option<String>,
    /// The family of reading text.
    pub body_font: Option<String>,
    /// The logo's file: PNG, JPEG, WebP or SVG.
    #[serde(skip)]
    pub logo: Option<Vec<u8>>,
    /// The logo among the document's assets; set by this crate.
    pub logo_asset: Option<String>,
}

/// A colour of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrandColor {
    /// What it is for; may be empty.
    pub role: String,
    /// The colour.
    pub color: Rgb,
}
