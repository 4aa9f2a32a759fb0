//! A document with another picture in the place of one.
//!
//! Always true: the same document and file give the same bytes. Not here: which pictures a document has, which is told with its
//! texts (`texts`); which document, and what becomes of it.

use easel_canvas::Document;
use serde::{Deserialize, Serialize};

use super::texts::{PageTexts, texts_of};
use super::{Drawing, Undrawable, redraw};

/// Another picture in the place of one; its file goes beside the words between processes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Which picture of the document.
    pub reference: String,
    /// The file's name.
    pub name: String,
}

/// Why the picture stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unexchanged {
    /// There is no such picture.
    Nowhere,
    /// The file cannot be read as one, in words for the person who chose it.
    Unreadable(String),
}

/// Why there is no other document.
#[derive(Debug)]
pub enum Unchanged {
    /// The exchange is at fault.
    Unexchanged(Unexchanged),
    /// The document is, or the typefaces that there are.
    Undrawable(Undrawable),
}

/// Draws a document, as JSON, with another picture; says what stands on its pages then.
///
/// # Errors
/// [`Unchanged`].
pub fn change(document: &[u8], exchange: &Exchange, file: &[u8]) -> Result<(Drawing, Vec<PageTexts>), Unchanged> {
    let of_document = |error: easel_canvas::Error| Unchanged::Undrawable(error.into());
    let mut document = Document::from_json(document).map_err(of_document)?;
    document.replace_picture(&exchange.reference, &exchange.name, file).map_err(|error| match error {
        easel_canvas::Error::PictureNotFound { .. } => Unchanged::Unexchanged(Unexchanged::Nowhere),
        easel_canvas::Error::AttachmentUnreadable { .. } => {
            Unchanged::Unexchanged(Unexchanged::Unreadable(error.to_string()))
        }
        error => of_document(error),
    })?;
    let drawing = redraw(&document).map_err(Unchanged::Undrawable)?;
    Ok((drawing, texts_of(&document)))
}
