//! Fetches a file that a task works from (contract, "Tasks and remix", attachments by `url`).
//!
//! Always true: never more bytes are kept than were allowed, whatever length the server announces, and they are kept in
//! a file without a name and not in memory; no content encoding is asked for, because its bytes would have to be
//! unpacked. Not here: what the file is used for.

use http::{StatusCode, header};
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::{Outbound, Unanswered, classify};

/// How long a file may take to come.
const FETCH_LIMIT: std::time::Duration = std::time::Duration::from_secs(30);

/// A fetched file.
#[derive(Debug)]
pub struct Fetched {
    /// Its type, as the server tells it.
    pub mime_type: String,
    /// Its bytes, in a file that is gone when this is dropped.
    pub file: std::fs::File,
    /// How many bytes that is.
    pub size_bytes: u64,
}

/// Why a file did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// No answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// The answer is no file; redirects are not followed.
    #[error("the server answered {0}")]
    Refused(StatusCode),
    /// More bytes than are allowed.
    #[error("the file is larger than {max_bytes} bytes")]
    TooLarge {
        /// The bound.
        max_bytes: u64,
    },
    /// There is no room for it.
    #[error("this service has no room for it now")]
    NotKept,
}

impl FetchError {
    /// Whether another try may come through.
    #[must_use]
    pub fn passes(&self) -> bool {
        match self {
            Self::Unanswered(unanswered) => *unanswered != Unanswered::NotAllowed,
            Self::Refused(status) => status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS,
            Self::TooLarge { .. } => false,
            Self::NotKept => true,
        }
    }
}

impl Outbound {
    /// Fetches what is at `url`, up to `max_bytes`.
    ///
    /// # Errors
    /// [`FetchError`].
    pub async fn fetch(&self, url: &str, max_bytes: u64) -> Result<Fetched, FetchError> {
        let url = Url::parse(url).map_err(|_| Unanswered::NotAllowed)?;
        self.guard.judge(&url)?;
        let deadline = Instant::now() + FETCH_LIMIT;
        let sending = self.client().await?.get(url).header(header::ACCEPT_ENCODING, "identity").send();
        let mut response = match timeout_at(deadline, sending).await {
            Err(_) => return Err(Unanswered::TimedOut.into()),
            Ok(Err(error)) => return Err(classify(&error).into()),
            Ok(Ok(response)) => response,
        };
        if response.status() != StatusCode::OK {
            return Err(FetchError::Refused(response.status()));
        }
        let mime_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let mime_type = mime_type.unwrap_or("application/octet-stream").to_owned();
        let not_kept = |error: std::io::Error| {
            tracing::error!(%error, "an attached file cannot be kept");
            FetchError::NotKept
        };
        let mut file = tokio::fs::File::from_std(tempfile::tempfile().map_err(not_kept)?);
        let mut size_bytes = 0;
        loop {
            let piece = match timeout_at(deadline, response.chunk()).await {
                Err(_) => return Err(Unanswered::TimedOut.into()),
                Ok(Err(error)) => return Err(classify(&error).into()),
                Ok(Ok(None)) => break,
                Ok(Ok(Some(piece))) => piece,
            };
            size_bytes += piece.len() as u64;
            if size_bytes > max_bytes {
                return Err(FetchError::TooLarge { max_bytes });
            }
            file.write_all(&piece).await.map_err(not_kept)?;
        }
        file.flush().await.map_err(not_kept)?;
        Ok(Fetched { mime_type, file: file.into_std().await, size_bytes })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, SeekFrom};

    use super::super::Names;
    use super::*;

    #[tokio::test]
    async fn a_file_of_what_is_allowed_comes_whole_and_one_byte_more_does_not() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/file", listener.local_addr().unwrap());
        let files = axum::Router::new().route("/file", axum::routing::get(async || "0123456789"));
        let serving = tokio::spawn(async { axum::serve(listener, files).await });
        let outbound = Outbound::new(true, Names::of_the_system());
        let fetched = outbound.fetch(&url, 10).await.unwrap();
        let (mut file, mut bytes) = (fetched.file, Vec::new());
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!((bytes.as_slice(), fetched.size_bytes), (b"0123456789".as_slice(), 10));
        assert_eq!(outbound.fetch(&url, 9).await.unwrap_err(), FetchError::TooLarge { max_bytes: 9 });
        serving.abort();
    }
}
