//! The files of an order, each left at its place until it is sent: none of them is ever whole in the service's memory.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::sync::Arc;

use futures_util::StreamExt;
use tokio_util::io::ReaderStream;

use super::parcel::Outgoing;
use crate::blobs::{Blobs, ContentHash};
use crate::core::error::Error;

/// Read of an unnamed file at a time.
const PIECE_BYTES: usize = 256 * 1024;

/// Where a file lies.
#[derive(Debug, Clone)]
pub enum Source {
    /// Among the contents; what is damaged is not sent to its end.
    Content {
        /// The content.
        hash: ContentHash,
        /// How many bytes it has.
        size_bytes: u64,
    },
    /// In a file without a name, as it was fetched.
    Unnamed(Arc<File>),
}

/// The files of one order.
#[derive(Debug, Default)]
pub struct Files {
    /// What the order's attachments hold, in their order.
    pub attached: Vec<Source>,
    /// The document to change.
    pub base: Option<Source>,
    /// The logo of the order's brand.
    pub logo: Option<(ContentHash, u64)>,
}

impl Source {
    /// The content `hash`.
    ///
    /// # Errors
    /// [`Error::Blobs`], [`Error::Corrupt`] where it is not there.
    pub async fn of_content(blobs: &Blobs, hash: ContentHash) -> Result<Self, Error> {
        let size_bytes = blobs.size_of(&hash).await?.ok_or(Error::Corrupt("a row without its content"))?;
        Ok(Self::Content { hash, size_bytes })
    }

    /// The file from its beginning.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn open(&self, blobs: &Blobs) -> Result<Outgoing, Error> {
        match self {
            Self::Content { hash, size_bytes } => Ok(Outgoing {
                length: *size_bytes,
                pieces: blobs.read_verified(hash, *size_bytes).map(|piece| Ok(piece?)).boxed(),
            }),
            Self::Unnamed(file) => {
                // The handle shares its place in the file with others, and only one order reads the file, one try after
                // the other.
                let mut file = file.try_clone()?;
                let length = file.metadata()?.len();
                file.seek(SeekFrom::Start(0))?;
                let pieces = ReaderStream::with_capacity(tokio::fs::File::from_std(file), PIECE_BYTES);
                Ok(Outgoing { length, pieces: pieces.map(|piece| Ok(piece?)).boxed() })
            }
        }
    }
}

impl Files {
    /// All files, in the order in which [`super::parcel::RendererRequest::Draw`] carries them.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn open(&self, blobs: &Blobs) -> Result<Vec<Outgoing>, Error> {
        let logo = self.logo.map(|(hash, size_bytes)| Source::Content { hash, size_bytes });
        self.attached.iter().chain(&self.base).chain(&logo).map(|source| source.open(blobs)).collect()
    }
}
