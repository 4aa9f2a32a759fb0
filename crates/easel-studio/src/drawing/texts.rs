//! The texts and pictures of a document, page by page, and the same document with other words in some of them.
//!
//! Always true: all changes are made or none; the same document and changes give the same bytes. Not here: which
//! document, and what becomes of it.

use easel_canvas::Document;
use easel_canvas::pictures::PlacedPicture;
use easel_canvas::texts::{PlacedText, TextRef};
use serde::{Deserialize, Serialize};

use super::{Drawing, Unchanged, Undrawable, redraw};

/// A change of one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The page, from 0.
    pub page: usize,
    /// Which text on it.
    pub path: String,
    /// The words.
    pub text: String,
}

/// The texts and pictures of one page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageTexts {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// From the back to the front.
    pub texts: Vec<PlacedText>,
    /// From the back to the front.
    pub pictures: Vec<PlacedPicture>,
}

/// Why a text does not get other words: the change of this number, from 0, is at fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unfit {
    /// There is no such text.
    Nowhere { at: usize },
    /// The words are none.
    Empty { at: usize },
    /// So many letters do not fit; with the longest beginning of them that does.
    TooLong { at: usize, letters: usize, fitting: String },
}

/// Reads the texts of a document, as JSON, page by page.
///
/// # Errors
/// [`Undrawable`].
pub fn read(document: &[u8]) -> Result<Vec<PageTexts>, Undrawable> {
    Ok(texts_of(&Document::from_json(document)?))
}

/// Changes texts of a document, as JSON; says what it has then, and draws it where that is wanted.
///
/// # Errors
/// [`Unchanged`].
pub fn change(
    document: &[u8],
    changes: &[Change],
    draws: bool,
) -> Result<(Option<Drawing>, Vec<PageTexts>), Unchanged<Unfit>> {
    let mut document = Document::from_json(document)?;
    for (at, change) in changes.iter().enumerate() {
        let nowhere = Unchanged::Refused(Unfit::Nowhere { at });
        let text = TextRef::parse(change.page, &change.path).ok_or(nowhere)?;
        document.set_text(&text, &change.text).map_err(|error| match error {
            easel_canvas::Error::TextNotFound { .. } => Unchanged::Refused(Unfit::Nowhere { at }),
            easel_canvas::Error::TextEmpty => Unchanged::Refused(Unfit::Empty { at }),
            easel_canvas::Error::TextTooLong { letters, fitting } => {
                Unchanged::Refused(Unfit::TooLong { at, letters, fitting })
            }
            error => error.into(),
        })?;
    }
    let drawing = draws.then(|| redraw(&document)).transpose().map_err(Unchanged::Undrawable)?;
    Ok((drawing, texts_of(&document)))
}

pub(super) fn texts_of(document: &Document) -> Vec<PageTexts> {
    let page = |at: usize| PageTexts {
        width: document.pages[at].width,
        height: document.pages[at].height,
        texts: document.texts(at),
        pictures: document.pictures(at),
    };
    (0..document.page_count()).map(page).collect()
}
