//! Request bodies on their way in: bounded in time, drained when nobody reads them, and spooled if their length is not
//! announced.
//!
//! A body that comes slower than any line that is worth sending over is given up, so that a sender of a byte now and
//! then holds nobody up. A client that is still sending when its answer is ready must be able to read that answer;
//! closing the connection on unread bytes would tear it away. So a body that is dropped early is read to its end in the
//! background, up to a bound. A body without a length is first written to an unnamed file, so that the ceiling can be
//! checked before anything else happens. Only a piece of a body is in memory at a time, except for short ones.

use std::io::{self, Seek, SeekFrom, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, Sleep};
use tokio_util::io::ReaderStream;

use crate::core::error::Error;

/// A body from which nothing comes for so long is given up.
const IDLE_LIMIT: Duration = Duration::from_secs(60);
/// A body that comes slower than so many bytes a second, after [`IDLE_LIMIT`], is not read further.
const LEAST_BYTES_A_SECOND: u64 = 4 * 1024;
/// So much of an unwanted body is read before the connection is closed on it.
const DRAIN_BYTES: u64 = 320 * 1024 * 1024;
/// So long is an unwanted body read before the connection is closed on it.
const DRAIN_LIMIT: Duration = Duration::from_secs(60);
/// A body without a length is kept in memory up to here.
const IN_MEMORY_BYTES: usize = 256 * 1024;
/// Read from the spool at a time.
const PIECE_BYTES: usize = 256 * 1024;

/// A request body, piece by piece. Dropped before its end, it is drained.
pub struct Incoming {
    stream: Option<BodyDataStream>,
    idle: Pin<Box<Sleep>>,
    /// When the reading began, and how much came since.
    pace: Option<(Instant, u64)>,
    /// The client waits for leave before it sends (100-continue), and has not got it: then there is nothing to drain.
    withheld: bool,
}

impl Incoming {
    /// Wraps a body; `expects_continue` where the client asked for leave to send it.
    #[must_use]
    pub fn new(body: Body, expects_continue: bool) -> Self {
        Self {
            stream: Some(body.into_data_stream()),
            idle: Box::pin(tokio::time::sleep(IDLE_LIMIT)),
            pace: None,
            withheld: expects_continue,
        }
    }

    /// Whether more than `ceiling` bytes come, none of which is kept. What ends early is not longer.
    pub async fn exceeds(mut self, ceiling: u64) -> bool {
        let mut length: u64 = 0;
        while let Some(Ok(piece)) = self.next().await {
            length += piece.len() as u64;
            if length > ceiling {
                return true;
            }
        }
        false
    }

    /// Counts what came, and says whether it comes fast enough.
    fn keeps_pace(&mut self, bytes: usize) -> bool {
        let (began, read) = self.pace.get_or_insert_with(|| (Instant::now(), 0));
        *read += bytes as u64;
        let counted = began.elapsed().saturating_sub(IDLE_LIMIT);
        *read >= counted.as_secs().saturating_mul(LEAST_BYTES_A_SECOND)
    }
}

impl Stream for Incoming {
    type Item = Result<Bytes, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.withheld = false;
        let Some(stream) = self.stream.as_mut() else { return Poll::Ready(None) };
        match stream.poll_next_unpin(cx) {
            Poll::Ready(Some(Ok(piece))) if !self.keeps_pace(piece.len()) => {
                self.stream = None;
                Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())))
            }
            Poll::Ready(Some(Ok(piece))) => {
                self.idle.as_mut().reset(Instant::now() + IDLE_LIMIT);
                Poll::Ready(Some(Ok(piece)))
            }
            Poll::Ready(Some(Err(error))) => {
                self.stream = None;
                Poll::Ready(Some(Err(error.into())))
            }
            Poll::Ready(None) => {
                self.stream = None;
                Poll::Ready(None)
            }
            Poll::Pending => {
                ready!(self.idle.as_mut().poll(cx));
                self.stream = None;
                Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())))
            }
        }
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        let Some(mut stream) = self.stream.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if self.withheld {
            return;
        }
        runtime.spawn(async move {
            let drain = async {
                let mut drained: u64 = 0;
                while let Some(Ok(piece)) = stream.next().await {
                    drained += piece.len() as u64;
                    if drained > DRAIN_BYTES {
                        break;
                    }
                }
            };
            // Past the limit the connection is closed, which is all that is left to do.
            let _ = tokio::time::timeout(DRAIN_LIMIT, drain).await;
        });
    }
}

/// What became of a body without a length.
pub enum Spooled {
    /// The whole body.
    Whole(Body),
    /// The body is longer than the ceiling.
    TooLarge,
}

/// Reads a body to its end, at most `ceiling` bytes of it, into memory or an unnamed file.
///
/// # Errors
/// [`Error::InvalidRequest`] where it ends early, [`Error::StorageFull`], [`Error::Io`].
pub async fn spool(mut body: Incoming, ceiling: u64) -> Result<Spooled, Error> {
    let mut length: u64 = 0;
    let mut memory = Vec::new();
    let mut file: Option<std::fs::File> = None;
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|_| Error::invalid_request("the body ended early"))?;
        length += piece.len() as u64;
        if length > ceiling {
            return Ok(Spooled::TooLarge);
        }
        memory.extend_from_slice(&piece);
        if memory.len() > IN_MEMORY_BYTES {
            let bytes = std::mem::take(&mut memory);
            file = Some(in_background(move || append(file, &bytes)).await?);
        }
    }
    let Some(file) = file else { return Ok(Spooled::Whole(Body::from(memory))) };
    let file = in_background(move || {
        let mut file = append(Some(file), &memory)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    })
    .await?;
    let reader = ReaderStream::with_capacity(tokio::fs::File::from_std(file), PIECE_BYTES);
    Ok(Spooled::Whole(Body::from_stream(reader)))
}

fn append(file: Option<std::fs::File>, bytes: &[u8]) -> io::Result<std::fs::File> {
    let mut file = match file {
        Some(file) => file,
        None => tempfile::tempfile()?,
    };
    file.write_all(bytes)?;
    Ok(file)
}

async fn in_background<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => Ok(result?),
        Err(_) => Err(Error::Panicked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_comes_byte_by_byte_is_given_up_and_a_slow_one_is_read() {
        for (bytes, every_s, is_read) in [(1, 50, false), (1, 1, false), (2_000, 1, false), (8_192, 1, true)] {
            let pieces = futures_util::stream::unfold(0, move |sent| async move {
                tokio::time::sleep(Duration::from_secs(every_s)).await;
                (sent < 400).then(|| (Ok::<_, io::Error>(Bytes::from(vec![0; bytes])), sent + 1))
            });
            let mut body = Incoming::new(Body::from_stream(pieces), false);
            let mut whole = true;
            while let Some(piece) = body.next().await {
                whole &= piece.is_ok();
            }
            assert_eq!(whole, is_read, "{bytes} bytes every {every_s} s");
        }
    }
}
