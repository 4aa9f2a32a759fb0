//! A document with another picture in the place of one.
//!
//! Always true: the same document and file give the same bytes. Not here: which pictures a document has, which is told with its
//! texts (`texts`); which document, and what becomes of it.

use easel_canvas::Document;
use serde::{Deserialize, Serialize};

use super::texts::{PageTexts, texts_of};
use super::{Drawing, Unchanged, redraw};

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

/// Draws a document, as JSON, with another picture; says what stands on its pages then.
///
/// # Errors
/// [`Unchanged`].
pub fn change(
    document: &[u8],
    exchange: &Exchange,
    file: &[u8],
) -> Result<(Drawing, Vec<PageTexts>), Unchanged<Unexchanged>> {
    let mut document = Document::from_json(document)?;
    document.replace_picture(&exchange.reference, &exchange.name, file).map_err(|error| match error {
        easel_canvas::Error::PictureNotFound { .. } => Unchanged::Refused(Unexchanged::Nowhere),
        easel_canvas::Error::AttachmentUnreadable { .. } => {
            Unchanged::Refused(Unexchanged::Unreadable(error.to_string()))
        }
        error => error.into(),
    })?;
    let drawing = redraw(&document).map_err(Unchanged::Undrawable)?;
    Ok((drawing, texts_of(&document)))
}
