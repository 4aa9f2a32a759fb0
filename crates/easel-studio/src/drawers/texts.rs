//! Texts of a document, read and changed by a process that draws.

use super::parcel::{NoFiles, Said, Sink, Told};
use super::{DRAWING_LIMIT, Deadly, Drawers, Source, Undone};
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
    /// [`Undone`].
    pub async fn read_texts(&self, document: &Source) -> Result<Vec<PageTexts>, Undone> {
        match self.have_texts(document, &Told::ReadTexts, &mut NoFiles).await? {
            (Said::Texts(pages), 0) => Ok(pages),
            _ => Err(Undone::Deadly(Deadly::Breakdown)),
        }
    }

    /// The texts that a document would have with these changes, or which of them cannot be.
    ///
    /// # Errors
    /// [`Undone`].
    pub async fn try_texts(
        &self,
        document: &Source,
        changes: Vec<Change>,
    ) -> Result<Result<Vec<PageTexts>, Unfit>, Undone> {
        match self.have_texts(document, &Told::ChangeTexts { changes, draws: false }, &mut NoFiles).await? {
            (Said::Texts(pages), 0) => Ok(Ok(pages)),
            (Said::Unfit(unfit), 0) => Ok(Err(unfit)),
            _ => Err(Undone::Deadly(Deadly::Breakdown)),
        }
    }

    /// Draws a document with these changes, all of them or none; `sink` takes the document and its picture, in this
    /// order.
    ///
    /// # Errors
    /// [`Undone`].
    pub async fn change_texts(
        &self,
        document: &Source,
        changes: Vec<Change>,
        sink: &mut impl Sink,
    ) -> Result<Result<Reworded, Unfit>, Undone> {
        match self.have_texts(document, &Told::ChangeTexts { changes, draws: true }, sink).await? {
            (Said::Reworded { drawing, pages }, 2) if !drawing.pages.is_empty() => {
                Ok(Ok(Reworded { drawing: *drawing, pages }))
            }
            (Said::Unfit(unfit), 0) => Ok(Err(unfit)),
            _ => Err(Undone::Deadly(Deadly::Breakdown)),
        }
    }

    async fn have_texts(
        &self,
        document: &Source,
        told: &Told<'_>,
        sink: &mut impl Sink,
    ) -> Result<(Said, usize), Undone> {
        let outgoing = vec![document.open(&self.blobs).map_err(Undone::Here)?];
        let drawer = self.take().await?;
        self.have_done(drawer, told, outgoing, DRAWING_LIMIT, sink, &mut |_| {}).await
    }
}
