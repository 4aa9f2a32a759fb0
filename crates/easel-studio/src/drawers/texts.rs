//! Texts of a document, read and changed by a process that draws.

use super::parcel::{NoFiles, RendererMessage, RendererRequest, Sink};
use super::{Deadly, Drawers, RenderError, Source};
use crate::drawing::Drawing;
use crate::drawing::texts::{Change, PageTexts, Unfit};

/// A document whose texts were changed; its files went to a [`Sink`].
pub struct Reworded {
    /// What was drawn.
    pub drawing: Drawing,
    /// Its texts as they are then.
    pub pages: Vec<PageTexts>,
}

impl Drawers {
    /// The texts of a document.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn read_texts(&self, document: &Source) -> Result<Vec<PageTexts>, RenderError> {
        match self.have_changed(&[document], &RendererRequest::ReadTexts, &mut NoFiles).await? {
            (RendererMessage::Texts(pages), 0) => Ok(pages),
            _ => Err(RenderError::Deadly(Deadly::Breakdown)),
        }
    }

    /// The texts that a document would have with these changes, or which of them cannot be.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn try_texts(
        &self,
        document: &Source,
        changes: Vec<Change>,
    ) -> Result<Result<Vec<PageTexts>, Unfit>, RenderError> {
        match self
            .have_changed(&[document], &RendererRequest::ChangeTexts { changes, draws: false }, &mut NoFiles)
            .await?
        {
            (RendererMessage::Texts(pages), 0) => Ok(Ok(pages)),
            (RendererMessage::Unfit(unfit), 0) => Ok(Err(unfit)),
            _ => Err(RenderError::Deadly(Deadly::Breakdown)),
        }
    }

    /// Draws a document with these changes, all of them or none; `sink` takes the document and its picture, in this
    /// order.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn change_texts(
        &self,
        document: &Source,
        changes: Vec<Change>,
        sink: &mut impl Sink,
    ) -> Result<Result<Reworded, Unfit>, RenderError> {
        match self.have_changed(&[document], &RendererRequest::ChangeTexts { changes, draws: true }, sink).await? {
            (RendererMessage::Reworded { drawing, pages }, 2) if !drawing.pages.is_empty() => {
                Ok(Ok(Reworded { drawing: *drawing, pages }))
            }
            (RendererMessage::Unfit(unfit), 0) => Ok(Err(unfit)),
            _ => Err(RenderError::Deadly(Deadly::Breakdown)),
        }
    }
}
