//! Fetches pictures, to a bound: from signed addresses, such as a canvas's thumbnail, and from files of the drive.
//!
//! Always true: neither the key nor any of the service's headers go to a signed address, and its host is no nearer than
//! the service ([`crate::reach`]); no redirect is followed; bytes are handed on as a picture only if their type is one.
//! Not here: keeping pictures.

use std::time::Duration;

use bytes::Bytes;
use easel_wire::FileId;
use http::header;
use tokio::time::timeout;

use crate::client::{BytesAt, Client, redirect_refused};
use crate::download::read_url;
use crate::error::{Error, UnexpectedBody};
use crate::reach::of_transport;
use crate::storage::storage_error;

/// The time limit for a whole picture.
const PATIENCE: Duration = Duration::from_secs(30);
/// A refusal of storage is read to this bound.
const MOST_REFUSAL_BYTES: usize = 64 * 1024;

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The picture's type, `image/…`.
    pub mime_type: String,
    /// The picture's content.
    pub bytes: Bytes,
}

impl Client {
    /// Fetches the picture at a signed address, `most_bytes` of it at most.
    ///
    /// # Errors
    /// [`Error::UrlExpired`], [`Error::Storage`]; [`Error::NotTheService`] if it is no picture or too large, or if its
    /// address is on this computer or its network while the service is elsewhere; else why it could not be fetched.
    pub async fn fetch_picture(&self, signed_url: &str, most_bytes: usize) -> Result<Picture, Error> {
        let picture = self.fetch_small(signed_url, most_bytes).await?;
        if !picture.mime_type.starts_with("image/") {
            return Err(Error::NotTheService { status: 200, found: UnexpectedBody::OtherShape });
        }
        Ok(picture)
    }

    /// Fetches a drive file that is a picture, `most_bytes` of it at most; `None` where the service says that it is no
    /// picture, or a larger one.
    ///
    /// # Errors
    /// As [`Client::fetch_picture`], and what the service answers.
    pub async fn fetch_picture_of(&self, file: FileId, most_bytes: usize) -> Result<Option<Picture>, Error> {
        let (bytes_at, told) = self.locate_bytes(file).await?;
        let (mime_type, size_bytes) = told.map(|told| (told.mime_type, told.size_bytes)).unwrap_or_default();
        let is_picture = mime_type.as_deref().is_none_or(|mime_type| mime_type.starts_with("image/"));
        let is_small = size_bytes.is_none_or(|size| size <= most_bytes as u64);
        if !(is_picture && is_small) {
            return Ok(None);
        }
        let fetched = self.fetch_bytes(&bytes_at, most_bytes).await?;
        Ok(fetched.mime_type.starts_with("image/").then_some(fetched))
    }

    /// Fetches the first `most_bytes` of a drive file. Returns whether that is all of it.
    ///
    /// # Errors
    /// `file_not_found`; else as [`Client::fetch_picture`], and what the service answers.
    pub async fn fetch_beginning_of(&self, file: FileId, most_bytes: usize) -> Result<(Bytes, bool), Error> {
        let (bytes_at, _) = self.locate_bytes(file).await?;
        let (fetched, is_whole) = self.fetch_beginning(&bytes_at, most_bytes).await?;
        Ok((fetched.bytes, is_whole))
    }

    /// Fetches several pictures that were packed into one zip at a signed address, `most_bytes` of it at most.
    ///
    /// # Errors
    /// As [`Client::fetch_picture`].
    pub async fn fetch_archive(&self, signed_url: &str, most_bytes: usize) -> Result<Bytes, Error> {
        Ok(self.fetch_small(signed_url, most_bytes).await?.bytes)
    }

    async fn fetch_small(&self, signed_url: &str, most_bytes: usize) -> Result<Picture, Error> {
        self.fetch_bytes(&BytesAt::Signed(read_url(signed_url)?), most_bytes).await
    }

    /// All bytes of a source, `most_bytes` at most.
    pub(crate) async fn fetch_bytes(&self, bytes_at: &BytesAt, most_bytes: usize) -> Result<Picture, Error> {
        let (fetched, is_whole) = self.fetch_beginning(bytes_at, most_bytes).await?;
        if !is_whole {
            return Err(Error::NotTheService { status: 200, found: UnexpectedBody::Endless });
        }
        Ok(fetched)
    }

    /// The first `most_bytes` of a source, and whether that is all of it.
    pub(crate) async fn fetch_beginning(
        &self,
        bytes_at: &BytesAt,
        most_bytes: usize,
    ) -> Result<(Picture, bool), Error> {
        // Bytes that the service itself serves count as its other requests do.
        let _permit = match bytes_at {
            BytesAt::Service(_) => Some(self.take_permit().await),
            BytesAt::Signed(_) => None,
        };
        let fetching = async {
            let request = match bytes_at {
                BytesAt::Signed(url) => self.ask_for_picture(url).await?,
                BytesAt::Service(_) => self.ask_for_bytes(bytes_at)?,
            };
            let mut response = request.send().await.map_err(of_transport)?;
            let status = response.status();
            if status.is_redirection() {
                return Err(redirect_refused(&response));
            }
            let bound = if status.is_success() { most_bytes } else { MOST_REFUSAL_BYTES };
            let said = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
            let mime_type =
                said.and_then(|said| said.split(';').next()).unwrap_or_default().trim().to_ascii_lowercase();
            let mut bytes = Vec::new();
            let mut is_whole = true;
            while let Some(chunk) = response.chunk().await.map_err(Error::of_transport)? {
                let room = bound - bytes.len();
                bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    is_whole = false;
                    break;
                }
            }
            match bytes_at {
                _ if status.is_success() => Ok((Picture { mime_type, bytes: bytes.into() }, is_whole)),
                BytesAt::Service(_) => Err(Error::of_answer(status.as_u16(), &bytes, None, None)),
                BytesAt::Signed(_) => Err(storage_error(status.as_u16(), &String::from_utf8_lossy(&bytes))),
            }
        };
        timeout(PATIENCE, fetching).await.unwrap_or(Err(Error::TimedOut))
    }
}
