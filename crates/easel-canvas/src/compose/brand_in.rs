//! The brand that a file shows: its colours, its typefaces and its logo, for someone who begins a brand kit.
//!
//! A picture is the logo itself. A presentation or a text document says in its theme what it is set in, and a PDF by what
//! it draws. Everything found is a proposal, so what a file does not show is left out and nothing is made up. Every
//! reader is bounded, as in `source`. Not here: which of it a person keeps.

mod package;
mod palette;
mod pdf;

use serde::{Deserialize, Serialize};

use crate::brand::BrandColor;
use crate::brief::Attachment;
use crate::document::base64_bytes;
use crate::error::Error;
use crate::fonts;
use crate::read::text::capitalize;

use super::{picture, source};

/// Colours that are proposed.
const MOST_COLORS: usize = 6;

/// The longer side of the small picture of a logo, in pixels.
const PREVIEW_SIDE: u32 = 256;

/// What the name of a file says beside whose it is.
const NO_NAMES: [&str; 20] = [
    "logo",
    "logos",
    "brand",
    "branding",
    "kit",
    "guide",
    "guidelines",
    "template",
    "vorlage",
    "master",
    "deck",
    "ci",
    "rgb",
    "cmyk",
    "final",
    "color",
    "colour",
    "farbe",
    "white",
    "black",
];

/// What a file shows of a brand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundBrand {
    /// Whose brand it is, as far as the file or its name says.
    pub name: String,
    /// Its colours, the most important first, with their roles; at most six.
    pub colors: Vec<BrandColor>,
    /// The family of headings.
    pub heading_font: Option<String>,
    /// The family of reading text.
    pub body_font: Option<String>,
    /// The logo.
    pub logo: Option<FoundLogo>,
}

/// A logo that a file is or has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundLogo {
    /// `png`, `jpg` or `svg`.
    pub extension: String,
    /// The file.
    #[serde(with = "base64_bytes")]
    pub bytes: Vec<u8>,
    /// A small picture of it, as PNG.
    #[serde(with = "base64_bytes")]
    pub preview: Vec<u8>,
}

/// Finds the brand of a picture, a presentation, a text document or a PDF.
///
/// # Errors
/// [`Error::AttachmentUnreadable`] where it is none of these, or broken.
pub fn find_brand(file: &Attachment) -> Result<FoundBrand, Error> {
    let unreadable = |reason: &str| Error::AttachmentUnreadable { name: file.name.clone(), reason: reason.to_owned() };
    let mut found = if picture::is_picture(file) {
        let logo = read_logo(&file.name, &file.bytes)?;
        let colors = palette::of_logo(&logo.preview);
        FoundBrand { name: String::new(), colors, heading_font: None, body_font: None, logo: Some(logo) }
    } else if file.bytes.starts_with(b"PK\x03\x04") {
        package::find(&file.bytes).map_err(unreadable)?
    } else if file.bytes.starts_with(b"%PDF-") {
        pdf::find(&file.bytes).map_err(unreadable)?
    } else {
        return Err(unreadable("it is no picture, presentation, document or PDF"));
    };
    found.colors.truncate(MOST_COLORS);
    if found.name.is_empty() {
        found.name = name_of_file(&file.name);
    }
    Ok(found)
}

/// A picture as a logo, made no larger than a page can use.
fn read_logo(name: &str, bytes: &[u8]) -> Result<FoundLogo, Error> {
    let asset = picture::read_bytes(name, bytes)?;
    let extension = match asset.mime.as_str() {
        "image/svg+xml" => "svg",
        "image/jpeg" => "jpg",
        _ => "png",
    };
    let preview = picture::preview(&asset, PREVIEW_SIDE)?;
    Ok(FoundLogo { extension: extension.to_owned(), bytes: asset.bytes, preview })
}

/// Whose brand a file's name says: `acme-logo_RGB.png` is “Acme”.
fn name_of_file(name: &str) -> String {
    let title = source::title_of_file(name);
    let is_name = |word: &&str| !NO_NAMES.contains(&word.to_lowercase().as_str()) && word.parse::<u32>().is_err();
    let words: Vec<&str> = title.split_whitespace().filter(is_name).collect();
    if words.is_empty() { title } else { capitalize(&words.join(" ")) }
}

/// The family under which a typeface is shipped, where its name says nothing else.
fn family_of(name: &str) -> Option<String> {
    let name = name.trim();
    let is_name = !name.is_empty() && !name.starts_with('+') && name.chars().count() <= 100;
    is_name.then(|| fonts::canonical_family(name).map_or_else(|| name.to_owned(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_s_name_says_whose_brand_it_is() {
        for (file, name) in [
            ("acme-logo_RGB.png", "Acme"),
            ("Harbor & Sons brand guidelines 2026.pdf", "Harbor & Sons"),
            ("logo.svg", "Logo"),
            ("Vorlage Müller.pptx", "Müller"),
        ] {
            assert_eq!(name_of_file(file), name, "{file}");
        }
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        let text = Attachment {
            role: crate::AttachmentRole::Source,
            name: "notes.txt".to_owned(),
            mime: String::new(),
            bytes: b"words".to_vec(),
        };
        assert!(matches!(find_brand(&text), Err(Error::AttachmentUnreadable { .. })));
    }
}
