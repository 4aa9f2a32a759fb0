//! The colours of a document, and the same document in other ones.
//!
//! Always true: the same document and changes give the same bytes. Not here: which document, and what becomes of it.

use easel_canvas::Document;
use easel_canvas::color::Rgb;
use easel_canvas::origin::ColorRole;
use easel_canvas::recolor::DesignColor;
use serde::{Deserialize, Serialize};

use super::{Drawing, Undrawable, redraw};

/// Another colour in place of one; the design's own where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recoloring {
    /// Which one.
    pub role: ColorRole,
    /// The colour.
    pub color: Option<Rgb>,
}

/// Reads the colours of a document, as JSON.
///
/// # Errors
/// [`Undrawable`].
pub fn read(document: &[u8]) -> Result<Vec<DesignColor>, Undrawable> {
    Ok(Document::from_json(document)?.colors())
}

/// Draws a document, as JSON, in other colours; says which it has then.
///
/// # Errors
/// [`Undrawable`].
pub fn change(document: &[u8], changes: &[Recoloring]) -> Result<(Drawing, Vec<DesignColor>), Undrawable> {
    let mut document = Document::from_json(document)?;
    let changes: Vec<(ColorRole, Option<Rgb>)> = changes.iter().map(|change| (change.role, change.color)).collect();
    document.choose_colors(&changes);
    let colors = document.colors();
    Ok((redraw(&document)?, colors))
}
