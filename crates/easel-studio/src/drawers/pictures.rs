//! A picture of a document, exchanged by a process that draws.

use super::parcel::{RendererMessage, RendererRequest, Sink};
use super::texts::Reworded;
use super::{Deadly, Drawers, RenderError, Source};
use crate::drawing::pictures::{Exchange, Unexchanged};

impl Drawers {
    /// Draws a document with the picture that `file` has; `sink` takes the document and its picture, in this order. A file that ends
    /// the process that reads it is one that cannot be read.
    ///
    /// # Errors
    /// [`RenderError`].
    pub async fn change_picture(
        &self,
        document: &Source,
        (exchange, file): (Exchange, &Source),
        sink: &mut impl Sink,
    ) -> Result<Result<Reworded, Unexchanged>, RenderError> {
        let told = RendererRequest::ChangePicture(exchange);
        match self.have_changed(&[document, file], &told, sink).await {
            Ok((RendererMessage::Reworded { drawing, pages }, 2)) if !drawing.pages.is_empty() => {
                Ok(Ok(Reworded { drawing: *drawing, pages }))
            }
            Ok((RendererMessage::Unexchanged(why), 0)) => Ok(Err(why)),
            Ok(_) => Err(RenderError::Deadly(Deadly::Breakdown)),
            // The document was drawn before; the file is what is new.
            Err(RenderError::Deadly(deadly)) => Ok(Err(Unexchanged::Unreadable(deadly.to_string()))),
            Err(error) => Err(error),
        }
    }
}
