//! Bytes: content-addressed blobs, staged uploads and half-written files, below `blobs` in the data folder.
//!
//! `sha256/ab/<hex>` is a kept content, shared by every file that has it; `pending/…` a PUT that waits to be registered;
//! `incoming/…` what is being written. A write is on the disk, with its folder, before it returns. Nothing is ever held
//! whole in memory. Keeping and removing a content happen under the database's write lock, so that no content goes while
//! a row comes. Not here: rows, and who may read what.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use data_encoding::HEXLOWER;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::Error;

/// The SHA-256 of a content.
pub type ContentHash = [u8; 32];

/// Bytes written to the disk at a time.
const WRITE_BYTES: usize = 1024 * 1024;
/// Bytes read from the disk at a time.
const READ_BYTES: u64 = 256 * 1024;

const INCOMING: &str = "incoming";
const KEPT: &str = "sha256";

/// The blob store; a cheap clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
}

impl Blobs {
    /// Opens the store below `root`, and removes what the last run was still writing.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Blobs`].
    pub fn open(root: &FilePath) -> Result<Self, Error> {
        std::fs::create_dir_all(root)?;
        let incoming = root.join(INCOMING);
        if incoming.exists() {
            std::fs::remove_dir_all(&incoming)?;
        }
        std::fs::create_dir_all(&incoming)?;
        Ok(Self { store: Arc::new(LocalFileSystem::new_with_prefix(root)?.with_fsync(true)) })
    }

    /// Begins to write a blob; `id` is any that was never used.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn begin(&self, id: Uuid) -> Result<Writing, Error> {
        let path = Path::from(format!("{INCOMING}/{}", id.simple()));
        let upload = self.store.put_multipart(&path).await?;
        Ok(Writing { path, upload, buffer: BytesMut::new(), size_bytes: 0 })
    }

    /// Makes a written or staged blob the content `hash`; its old place stays until [`Self::discard`]. True where the
    /// content was not there before. Under the database's write lock.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn keep(&self, from: &Location, hash: &ContentHash) -> Result<bool, Error> {
        match self.store.copy_if_not_exists(&from.0, &place_of(hash)).await {
            Ok(()) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Puts a written blob at `storage_key`, in the place of whatever is there. Under the database's write lock.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn stage(&self, from: &Location, storage_key: &str) -> Result<(), Error> {
        Ok(self.store.rename(&from.0, &Path::from(storage_key)).await?)
    }

    /// Removes a blob that was written or staged; one that is gone already is no error.
    pub async fn discard(&self, location: &Location) {
        self.delete(&location.0).await;
    }

    /// Removes the content `hash`. Under the database's write lock, after the last row that refers to it.
    pub async fn remove(&self, hash: &ContentHash) {
        self.delete(&place_of(hash)).await;
    }

    /// What cannot be removed now is removed at the next start.
    async fn delete(&self, path: &Path) {
        match self.store.delete(path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => tracing::warn!(%error, "a blob could not be removed"),
        }
    }

    /// The SHA-256 and the size of the blob staged at `storage_key`; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Blobs`].
    pub async fn hash_staged(&self, storage_key: &str) -> Result<Option<(ContentHash, u64)>, Error> {
        let path = Path::from(storage_key);
        let size = match self.store.head(&path).await {
            Ok(meta) => meta.size,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut hasher = Sha256::new();
        let mut pieces = std::pin::pin!(self.pieces(path, 0..size, WRITE_BYTES as u64));
        while let Some(piece) = pieces.next().await {
            match piece {
                Ok(piece) => hasher.update(&piece),
                Err(object_store::Error::NotFound { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Some((hasher.finalize().into(), size)))
    }

    /// How many bytes the content `hash` has; `None` where it is not there.
    ///
    /// # Errors
    /// [`Error::Blobs`].
    pub async fn size_of(&self, hash: &ContentHash) -> Result<Option<u64>, Error> {
        match self.store.head(&place_of(hash)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The bytes `range` of the content `hash`, piece by piece.
    pub fn read(
        &self,
        hash: &ContentHash,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<Bytes, object_store::Error>> + Send + 'static {
        self.pieces(place_of(hash), range, READ_BYTES)
    }

    /// The whole of the content `hash`, for what is known to be small enough to hold.
    ///
    /// # Errors
    /// [`Error::Blobs`].
    pub async fn read_whole(&self, hash: &ContentHash) -> Result<Vec<u8>, Error> {
        Ok(self.store.get(&place_of(hash)).await?.bytes().await?.to_vec())
    }

    fn pieces(
        &self,
        path: Path,
        range: Range<u64>,
        piece_bytes: u64,
    ) -> impl Stream<Item = Result<Bytes, object_store::Error>> + Send + 'static {
        let store = Arc::clone(&self.store);
        stream::try_unfold(range, move |rest| {
            let (store, path) = (Arc::clone(&store), path.clone());
            async move {
                if rest.is_empty() {
                    return Ok(None);
                }
                let end = rest.end.min(rest.start + piece_bytes);
                let piece = store.get_range(&path, rest.start..end).await?;
                Ok(Some((piece, end..rest.end)))
            }
        })
    }

    /// Removes every content that no row refers to: what a crash left between blob and row. At the start only.
    ///
    /// # Errors
    /// [`Error::Blobs`].
    pub async fn sweep(&self, referred: &HashSet<ContentHash>) -> Result<usize, Error> {
        let kept: Vec<Path> =
            self.store.list(Some(&Path::from(KEPT))).map_ok(|meta| meta.location).try_collect().await?;
        let mut removed = 0;
        for path in kept {
            let hash = path.filename().and_then(|name| HEXLOWER.decode(name.as_bytes()).ok());
            let hash = hash.and_then(|bytes| ContentHash::try_from(bytes).ok());
            if hash.is_none_or(|hash| !referred.contains(&hash)) {
                self.delete(&path).await;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

fn place_of(hash: &ContentHash) -> Path {
    let hex = HEXLOWER.encode(hash);
    Path::from(format!("{KEPT}/{}/{hex}", &hex[..2]))
}

/// Where a blob lies that is no content yet.
#[derive(Debug, Clone)]
pub struct Location(Path);

impl Location {
    /// The place of what was PUT for `storage_key`.
    #[must_use]
    pub fn staged(storage_key: &str) -> Self {
        Self(Path::from(storage_key))
    }
}

/// A blob being written. Dropped before [`Self::finish`], it leaves nothing.
pub struct Writing {
    path: Path,
    upload: Box<dyn MultipartUpload>,
    buffer: BytesMut,
    size_bytes: u64,
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
            self.upload.put_part(PutPayload::from(self.buffer.split().freeze())).await?;
        }
        Ok(())
    }

    /// Brings everything to the disk.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`].
    pub async fn finish(mut self) -> Result<Location, Error> {
        if !self.buffer.is_empty() {
            self.upload.put_part(PutPayload::from(self.buffer.split().freeze())).await?;
        }
        self.upload.complete().await?;
        Ok(Location(self.path))
    }
}
