//! Brands as the page sees them: colours, fonts, and what a file shows of one.

use serde::{Deserialize, Serialize};

/// A colour of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BrandColorView {
    /// `#rrggbb`, or what else the service says.
    pub color: String,
    /// What it is for.
    pub label: Option<String>,
}

/// A font of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BrandFontView {
    /// The family.
    pub family: String,
    /// What it is for.
    pub label: Option<String>,
    /// 1 to 1000, as in CSS.
    pub weight: Option<u32>,
}

/// What a file shows of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FoundBrandView {
    /// What the file is called.
    pub file_name: String,
    /// What the kit could be called.
    pub title: String,
    /// Its colours, the most important first.
    pub colors: Vec<BrandColorView>,
    /// Its fonts: of headings, of text.
    pub fonts: Vec<BrandFontView>,
    /// Its logo.
    pub logo: Option<FoundLogoView>,
}

/// A logo that was found and is not in the drive yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FoundLogoView {
    /// What it is asked for by ([`super::BrandKits::add_found_logo`]).
    pub id: String,
    /// A small picture of it, as an address with its data.
    pub preview: String,
}
