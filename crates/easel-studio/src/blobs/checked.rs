//! Parts of contents, each served once the whole content was read and found right.
//!
//! A part cannot be verified by itself, so the whole content is read beside the first one that is asked for, whose last piece waits for
//! that; what was found right is remembered for an hour, as long as its file does not change. Always true: the memory is bounded, and
//! at most two contents are read for it at the same time, also where those who asked are gone. Not here: contents that are served
//! whole ([`Blobs::read_verified`]), and the look at all of them.

use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio_util::task::AbortOnDropHandle;

use super::{Blobs, CONTENTS, ContentHash, WRITE_BYTES, blocking, check, path_of_content};
use crate::error::Error;

/// How long a content that was found right is taken for right.
const GOOD_FOR: Duration = Duration::from_secs(60 * 60);
/// So many contents are remembered; then it begins anew.
const MOST_REMEMBERED: usize = 10_000;
/// So many contents are read at the same time.
const AT_ONCE: usize = 2;

/// What was found right, and when.
#[derive(Debug)]
pub(super) struct Checked {
    found: Mutex<HashMap<ContentHash, (Stamp, Instant)>>,
    turns: Arc<Semaphore>,
}

impl Default for Checked {
    fn default() -> Self {
        Self { found: Mutex::default(), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

/// What tells a file from the one that lies in its place later.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    size_bytes: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    inode: u64,
}

impl Stamp {
    fn of(place: &FilePath) -> std::io::Result<Self> {
        let found = std::fs::metadata(place)?;
        Ok(Self {
            size_bytes: found.len(),
            modified: found.modified().ok(),
            #[cfg(unix)]
            inode: std::os::unix::fs::MetadataExt::ino(&found),
        })
    }
}

impl Checked {
    fn knows(&self, hash: &ContentHash, stamp: &Stamp) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get(hash).is_some_and(|(known, at)| known == stamp && at.elapsed() < GOOD_FOR)
    }

    fn note(&self, hash: ContentHash, stamp: Stamp) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() >= MOST_REMEMBERED {
            found.clear();
        }
        found.insert(hash, (stamp, Instant::now()));
    }
}

impl Blobs {
    /// The bytes `range` of the content `hash` of `size_bytes` bytes, piece by piece; the last one only where the whole content is what
    /// it was when it came. Of a damaged content a part ends with an error, so that nobody takes it for what was asked for.
    pub fn read_part(
        &self,
        hash: &ContentHash,
        size_bytes: u64,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<Bytes, object_store::Error>> + Send + 'static {
        if range == (0..size_bytes) {
            return self.read_verified(hash, size_bytes).boxed();
        }
        let (blobs, hash, left) = (self.clone(), *hash, range.end.saturating_sub(range.start));
        let pieces = Box::pin(self.read(&hash, range));
        let checking = async move { blobs.check_whole(&hash).await };
        // Nothing is read before the answer is.
        stream::once(async move { (pieces, AbortOnDropHandle::new(tokio::spawn(checking)), left) })
            .flat_map(|begun| {
                stream::try_unfold(begun, |(mut pieces, mut checking, left)| async move {
                    let Some(piece) = pieces.next().await.transpose()? else { return Ok(None) };
                    let left = left.saturating_sub(piece.len() as u64);
                    if left == 0 {
                        (&mut checking).await.map_err(|_| unreadable(Error::Panicked))??;
                    }
                    Ok(Some((piece, (pieces, checking, left))))
                })
            })
            .boxed()
    }

    /// Reads the whole content, unless that was done within the hour.
    async fn check_whole(&self, hash: &ContentHash) -> Result<(), object_store::Error> {
        let place = path_of_content(self.root(), hash);
        let stamp = async || {
            let place = place.clone();
            blocking(move || Stamp::of(&place)).await.map_err(unreadable)
        };
        if self.checked.knows(hash, &stamp().await?) {
            return Ok(());
        }
        let turn = Arc::clone(&self.checked.turns).acquire_owned().await;
        // Another may have read it while this one waited.
        let stamp = stamp().await?;
        if self.checked.knows(hash, &stamp) {
            return Ok(());
        }
        // Whoever asked may go away; the reading goes on then, and keeps its turn for as long.
        let reading = move || {
            let found = hash_file(&place);
            drop(turn);
            found
        };
        let (found, _) = blocking(reading).await.map_err(unreadable)?;
        check(hash, found)?;
        self.checked.note(*hash, stamp);
        Ok(())
    }
}

fn unreadable(error: Error) -> object_store::Error {
    object_store::Error::Generic { store: CONTENTS, source: error.into() }
}

/// The SHA-256 of a file, and its size in bytes.
///
/// # Errors
/// Where it cannot be read.
pub fn hash_file(path: &FilePath) -> std::io::Result<(ContentHash, u64)> {
    let mut file = std::fs::File::open(path)?;
    let (mut hasher, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; WRITE_BYTES]);
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok((hasher.finalize().into(), bytes)),
            Ok(read) => {
                hasher.update(&piece[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
