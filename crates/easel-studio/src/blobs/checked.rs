//! Remembers the contents that were lately read whole and found right.
//!
//! Always true: a content that was found right is taken for right for an hour, as long as its file does not change; the
//! memory is bounded. Not here: the bytes that are served meanwhile ([`super::parts`]).

use std::collections::HashMap;
use std::io::Read;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use object_store::ObjectMeta;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::place::{ContentHash, WRITE_BYTES};

/// How long a content that was found right is taken for right.
const GOOD_FOR: Duration = Duration::from_secs(60 * 60);
/// The most contents that are remembered; then all are forgotten.
const MOST_REMEMBERED: usize = 10_000;
/// The most contents that are read at the same time.
const AT_ONCE: usize = 2;

/// The contents that were found right, and when.
#[derive(Debug)]
pub(super) struct Checked {
    found: Mutex<HashMap<ContentHash, (Stamp, Instant)>>,
    pub(super) turns: Arc<Semaphore>,
}

impl Default for Checked {
    fn default() -> Self {
        Self { found: Mutex::default(), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

/// What tells a file from the one that lies in its place later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    size_bytes: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    inode: u64,
    /// What a bucket calls this version of it.
    tag: Option<String>,
}

impl Stamp {
    pub(super) fn of(place: &FilePath) -> std::io::Result<Self> {
        let found = std::fs::metadata(place)?;
        Ok(Self {
            size_bytes: found.len(),
            modified: found.modified().ok(),
            #[cfg(unix)]
            inode: std::os::unix::fs::MetadataExt::ino(&found),
            tag: None,
        })
    }

    pub(super) fn of_object(found: &ObjectMeta) -> Self {
        Self {
            size_bytes: found.size,
            modified: Some(found.last_modified.into()),
            #[cfg(unix)]
            inode: 0,
            tag: found.e_tag.clone(),
        }
    }
}

impl Checked {
    pub(super) fn knows(&self, hash: &ContentHash, stamp: &Stamp) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get(hash).is_some_and(|(known, at)| known == stamp && at.elapsed() < GOOD_FOR)
    }

    pub(super) fn note(&self, hash: ContentHash, stamp: Stamp) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() >= MOST_REMEMBERED {
            found.clear();
        }
        found.insert(hash, (stamp, Instant::now()));
    }
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
