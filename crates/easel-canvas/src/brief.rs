//! What is asked for: a prompt, a format, a brand, files.

use crate::brand::Brand;
use crate::document::Category;
use crate::error::Error;

/// The smallest and the largest side of a page, in pixels.
pub const SIDE_PX: (u32, u32) = (64, 8192);

/// Everything that a design is made from. The same brief gives the same design, byte for byte.
#[derive(Debug, Clone)]
pub struct Brief {
    /// What was asked, in the person's words.
    pub prompt: String,
    /// What kind of thing, and its size.
    pub format: Format,
    /// How many pages; as many as the content takes where absent.
    pub page_count: Option<u32>,
    /// What it shall be called; found in the content where absent.
    pub name: Option<String>,
    /// Colours, fonts and logo to keep to.
    pub brand: Option<Brand>,
    /// Files, in the order in which they were given.
    pub attachments: Vec<Attachment>,
    /// Everything left to chance hangs on this.
    pub seed: u64,
}

/// The kind of thing and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Format {
    /// The kind.
    pub category: Category,
    /// In pixels; the category's own where absent.
    pub width: Option<u32>,
    /// In pixels; the category's own where absent.
    pub height: Option<u32>,
    /// What the person calls it, such as “Instagram story”.
    pub label: Option<String>,
}

impl Brief {
    /// What somebody asked in a format, and nothing else: no number of pages, name, brand or file.
    pub fn new(prompt: impl Into<String>, format: Format, seed: u64) -> Self {
        Self { prompt: prompt.into(), format, page_count: None, name: None, brand: None, attachments: Vec::new(), seed }
    }
}

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttachmentRole {
    /// Its words and numbers are the content.
    Source,
    /// Its colours are a model.
    Reference,
    /// It is a picture to be used as it is.
    Asset,
}

/// A file that came with the brief.
#[derive(Debug, Clone)]
pub struct Attachment {
    /// What it is for.
    pub role: AttachmentRole,
    /// Its file name.
    pub name: String,
    /// What it says it is; what it really is, is looked at.
    pub mime: String,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Format {
    /// A category at its own size.
    pub fn of(category: Category) -> Self {
        Self { category, width: None, height: None, label: None }
    }

    /// The size of a page in pixels: what was asked, or what the label names, or the category's own.
    ///
    /// # Errors
    /// [`Error::PageSize`] for a side that cannot be drawn.
    pub fn size(&self) -> Result<(u32, u32), Error> {
        let own = self.label.as_deref().and_then(size_of_label).unwrap_or(match self.category {
            Category::Slides => (1920, 1080),
            Category::Social => (1080, 1080),
            Category::Carousel => (1080, 1350),
            Category::Pdf => (794, 1123),
            Category::Diagram => (1600, 1000),
            Category::Ui => (1440, 1024),
            Category::Other => (1600, 1200),
        });
        let (width, height) = match (self.width, self.height) {
            (Some(width), Some(height)) => (width, height),
            (Some(width), None) => (width, scale(own.1, width, own.0)),
            (None, Some(height)) => (scale(own.0, height, own.1), height),
            (None, None) => own,
        };
        let (min, max) = SIDE_PX;
        if (min..=max).contains(&width) && (min..=max).contains(&height) {
            Ok((width, height))
        } else {
            Err(Error::PageSize { width, height, min, max })
        }
    }
}

fn scale(side: u32, to: u32, from: u32) -> u32 {
    u32::try_from(u64::from(side) * u64::from(to) / u64::from(from.max(1))).unwrap_or(u32::MAX)
}

/// Names that people use for sizes, longest first.
const NAMED_SIZES: &[(&str, (u32, u32))] = &[
    ("carré instagram", (1080, 1080)),
    ("instagram story", (1080, 1920)),
    ("instagram portrait", (1080, 1350)),
    ("instagram post", (1080, 1080)),
    ("youtube thumbnail", (1280, 720)),
    ("linkedin", (1200, 627)),
    ("pinterest", (1000, 1500)),
    ("instagram", (1080, 1350)),
    ("facebook", (1200, 630)),
    ("twitter", (1600, 900)),
    ("a4 landscape", (1123, 794)),
    ("a4 quer", (1123, 794)),
    ("a4 querformat", (1123, 794)),
    ("a4 paysage", (1123, 794)),
    ("a4 horizontal", (1123, 794)),
    ("a4 orizzontale", (1123, 794)),
    ("a5 landscape", (794, 559)),
    ("a5 quer", (794, 559)),
    ("a5 querformat", (794, 559)),
    ("business card", (1050, 600)),
    ("us letter", (816, 1056)),
    ("letter size", (816, 1056)),
    ("letter format", (816, 1056)),
    ("letter paper", (816, 1056)),
    ("poster", (1240, 1754)),
    ("banner", (1500, 500)),
    ("square", (1080, 1080)),
    ("story", (1080, 1920)),
    ("reel", (1080, 1920)),
    ("a4", (794, 1123)),
    ("a5", (559, 794)),
    ("16:9", (1920, 1080)),
    ("9:16", (1080, 1920)),
    ("4:3", (1600, 1200)),
    ("4:5", (1080, 1350)),
    ("1:1", (1080, 1080)),
    ("2:3", (1000, 1500)),
    ("3:2", (1620, 1080)),
];

/// The size that some words name, such as “for Instagram” or “4:5”.
pub fn size_of_label(words: &str) -> Option<(u32, u32)> {
    let words = words.to_lowercase();
    NAMED_SIZES.iter().find(|(name, _)| contains_word(&words, name)).map(|(_, size)| *size)
}

/// Whether `name` stands in `words` with no letter or digit directly before or behind it.
pub fn contains_word(words: &str, name: &str) -> bool {
    words.match_indices(name).any(|(at, _)| {
        let before = words[..at].chars().next_back();
        let behind = words[at + name.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !behind.is_some_and(char::is_alphanumeric)
    })
}
