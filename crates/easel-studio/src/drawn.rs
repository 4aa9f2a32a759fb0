//! What was drawn becomes blobs that a canvas may refer to.
//!
//! Always true: they are on the disk before the write lock is taken, are kept under it, and leave nothing behind where no canvas
//! came of them. Not here: the drawing, and the row.

use sha2::{Digest, Sha256};

use crate::blobs::{ContentHash, Offered};
use crate::content::remove_unused;
use crate::db::canvases::Drawn;
use crate::drawing::Drawing;
use crate::error::Error;
use crate::studio::App;

/// The blobs of a drawing, on the disk; to be settled whatever becomes of it.
#[derive(Debug, Default)]
pub struct Written {
    hashes: Vec<ContentHash>,
    offered: Vec<Offered>,
}

impl Written {
    /// Writes a drawing's document and picture.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn write(&mut self, app: &App, drawing: Drawing) -> Result<Drawn, Error> {
        Ok(Drawn {
            document_hash: self.write_blob(app, &drawing.document).await?,
            thumbnail_hash: match &drawing.thumbnail {
                Some(picture) => Some(self.write_blob(app, picture).await?),
                None => None,
            },
            category: drawing.category,
            pages: drawing.pages,
        })
    }

    async fn write_blob(&mut self, app: &App, bytes: &[u8]) -> Result<ContentHash, Error> {
        let mut writing = app.blobs.begin(app.ids.next()).await?;
        writing.write(bytes).await?;
        let hash = ContentHash::from(Sha256::digest(bytes));
        self.hashes.push(hash);
        self.offered.push(writing.offer(hash).await?);
        Ok(hash)
    }

    /// Keeps them. Under the database's write lock, before the row that refers to them is committed.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn keep(&self, app: &App) -> Result<(), Error> {
        for offered in &self.offered {
            app.blobs.keep(offered).await?;
        }
        Ok(())
    }

    /// Clears up, once the write lock is free: `is_used` where the row was committed.
    pub async fn settle(self, app: &App, is_used: bool) {
        if !is_used {
            remove_unused(&app.db, &app.blobs, &self.hashes).await;
        }
        for offered in self.offered {
            app.blobs.discard(offered.location()).await;
        }
    }
}
