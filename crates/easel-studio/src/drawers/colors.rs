//! Colours of a document, read and changed by a process that draws.

use easel_canvas::recolor::DesignColor;

use super::parcel::{NoFiles, RendererMessage, RendererRequest, Sink};
use super::{Deadly, Drawers, RenderError, Source};
use crate::drawing::Drawing;
use crate::drawing::colors::Recoloring;

/// A document in other colours; its files went to a [`Sink`].
pub struct Recolored {
    /// What was drawn.
    pub drawing: Drawing,
    /// Its colours as they are then.
    pub colors: Vec<DesignColor>,
}

impl Drawers {
    /// The colours of a document.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn read_colors(&self, document: &Source) -> Result<Vec<DesignColor>, RenderError> {
        match self.have_changed(&[document], &RendererRequest::ReadColors, &mut NoFiles).await? {
            (RendererMessage::Colors(colors), 0) => Ok(colors),
            _ => Err(RenderError::Deadly(Deadly::Breakdown)),
        }
    }

    /// Draws a document in other colours; `sink` takes the document and its picture, in this order.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn change_colors(
        &self,
        document: &Source,
        changes: Vec<Recoloring>,
        sink: &mut impl Sink,
    ) -> Result<Recolored, RenderError> {
        match self.have_changed(&[document], &RendererRequest::ChangeColors(changes), sink).await? {
            (RendererMessage::Recolored { drawing, colors }, 2) if !drawing.pages.is_empty() => {
                Ok(Recolored { drawing: *drawing, colors })
            }
            _ => Err(RenderError::Deadly(Deadly::Breakdown)),
        }
    }
}
