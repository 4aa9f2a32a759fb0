//! A blob while it comes.
//!
//! Always true: a blob of up to [`WRITE_BYTES`] is held in memory until it is whole, and takes one turn at the disk then:
//! most files are small, and many of them come at once. A larger one goes to the disk as it comes. Not here: what becomes
//! of a written blob ([`super::store`]).

use std::fs::File;

use bytes::BytesMut;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt as _, PutPayload};
use uuid::Uuid;

use super::place::{ContentHash, INCOMING, Location, WRITE_BYTES, blocking, write_new};
use super::store::{Blobs, Offered};
use crate::core::error::Error;

/// A blob being written. Dropped before it is finished or offered, it leaves nothing.
pub struct Writing {
    blobs: Blobs,
    path: Path,
    /// The file, once more has come than is held in memory.
    upload: Option<Box<dyn MultipartUpload>>,
    buffer: BytesMut,
    size_bytes: u64,
}

impl Blobs {
    /// Begins to write a blob; `id` is any that was never used.
    #[must_use]
    pub fn begin(&self, id: Uuid) -> Writing {
        let path = Path::from(format!("{INCOMING}/{}", id.simple()));
        Writing { blobs: self.clone(), path, upload: None, buffer: BytesMut::new(), size_bytes: 0 }
    }
}

impl Writing {
    /// Bytes so far.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Writes on.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.size_bytes += bytes.len() as u64;
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= WRITE_BYTES {
            let upload = match &mut self.upload {
                Some(upload) => upload,
                none => none.insert(self.blobs.store.put_multipart(&self.path).await?),
            };
            upload.put_part(PutPayload::from(self.buffer.split().freeze())).await?;
        }
        Ok(())
    }

    /// Brings everything to the disk.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`], [`Error::Io`].
    pub async fn finish(mut self) -> Result<Location, Error> {
        // What goes to a bucket is on its way to where it lasts.
        let lasts_here = self.blobs.bucket.is_none();
        self.complete(lasts_here).await?;
        Ok(Location(self.path))
    }

    /// Brings everything to the disk at the place of the content `hash`, see [`Blobs::offer`]: also where it fails, the
    /// content may lie there and has to be removed.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`], [`Error::Io`], [`Error::ContentsUnavailable`].
    pub async fn offer(mut self, hash: ContentHash) -> Result<Offered, Error> {
        let location = Location(self.path.clone());
        let offered = if self.upload.is_none() && self.blobs.bucket.is_none() {
            self.blobs.offer_bytes(location.clone(), self.buffer.split().freeze(), hash).await
        } else {
            self.complete(false).await?;
            self.blobs.offer(location.clone(), hash).await
        };
        if offered.is_err() {
            self.blobs.discard(&location).await;
        }
        offered
    }

    /// Writes what is left, and brings the file to the disk where it `lasts_here`.
    async fn complete(&mut self, lasts_here: bool) -> Result<(), Error> {
        let (path, rest) = (self.blobs.path_of(&self.path), self.buffer.split().freeze());
        let sync = move |file: File| if lasts_here { file.sync_all() } else { Ok(()) };
        let Some(upload) = &mut self.upload else {
            return blocking(move || sync(write_new(&path, &rest)?)).await;
        };
        if !rest.is_empty() {
            upload.put_part(PutPayload::from(rest)).await?;
        }
        upload.complete().await?;
        if lasts_here { blocking(move || sync(File::open(path)?)).await } else { Ok(()) }
    }
}
