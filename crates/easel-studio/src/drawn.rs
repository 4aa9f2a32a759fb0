//! Stores drawings as blobs that a canvas or an export may refer to.
//!
//! Always true: arriving bytes go to the disk piece by piece, and nothing of them is left if the drawing is dropped
//! half-way; blobs are on the disk before the write lock is taken, are kept under it, and are removed if no row came to
//! refer to them. Not here: the drawing, and the row.

use sha2::{Digest, Sha256};

use crate::blobs::{ContentHash, Offered, Writing};
use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::canvases::Drawn;
use crate::drawers::Sink;
use crate::drawing::Drawing;
use crate::studio::SharedStudio;
use crate::studio::keeping::keep;
use crate::studio::unused::remove_unused;

/// Files on their way from who draws them to the disk.
pub struct Arriving {
    studio: SharedStudio,
    files: Vec<(Writing, Sha256)>,
}

impl Arriving {
    /// Nothing has come yet.
    #[must_use]
    pub fn new(studio: &SharedStudio) -> Self {
        Self { studio: SharedStudio::clone(studio), files: Vec::new() }
    }
}

impl Sink for Arriving {
    async fn begin(&mut self, number: usize) -> Result<(), Error> {
        self.files.truncate(number);
        self.files.push((self.studio.blobs.begin(self.studio.ids.next()), Sha256::new()));
        Ok(())
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (writing, hasher) = self.files.last_mut().ok_or(Error::Corrupt("bytes of no file"))?;
        hasher.update(bytes);
        writing.write(bytes).await
    }
}

/// The blobs of a drawing, on the disk; to be settled whatever becomes of it.
#[derive(Debug, Default)]
pub struct Written {
    hashes: Vec<ContentHash>,
    offered: Vec<Offered>,
}

impl Written {
    /// Brings a drawing's document and picture to the disk.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn write(&mut self, drawing: Drawing, arrived: Arriving) -> Result<Drawn, Error> {
        let mut files = arrived.files.into_iter();
        let document = files.next().ok_or(Error::Corrupt("a drawing without its document"))?;
        let document_hash = self.offer(document).await?;
        let thumbnail_hash = match files.next() {
            Some(picture) => Some(self.offer(picture).await?),
            None => None,
        };
        Ok(Drawn { document_hash, thumbnail_hash, category: drawing.category, pages: drawing.pages })
    }

    /// Brings the one file that arrived to the disk; says which content it is, and its size in bytes.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn write_one(&mut self, arrived: Arriving) -> Result<(ContentHash, u64), Error> {
        let file = arrived.files.into_iter().next().ok_or(Error::Corrupt("an export without its file"))?;
        let size_bytes = file.0.size_bytes();
        Ok((self.offer(file).await?, size_bytes))
    }

    async fn offer(&mut self, (writing, hasher): (Writing, Sha256)) -> Result<ContentHash, Error> {
        let hash = ContentHash::from(hasher.finalize());
        self.hashes.push(hash);
        self.offered.push(writing.offer(hash).await?);
        Ok(hash)
    }

    /// Keeps the blobs. In the write transaction of the row that refers to them.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn keep(&self, conn: &mut DbConnection, studio: &SharedStudio) -> Result<(), Error> {
        for offered in &self.offered {
            keep(conn, &studio.blobs, offered).await?;
        }
        Ok(())
    }

    /// Clears up, once the write lock is free: `is_used` where the row was committed.
    pub async fn settle(self, studio: &SharedStudio, is_used: bool) {
        if !is_used {
            remove_unused(&studio.db, &studio.blobs, &self.hashes).await;
        }
        for offered in self.offered {
            studio.blobs.discard(offered.location()).await;
        }
    }
}
