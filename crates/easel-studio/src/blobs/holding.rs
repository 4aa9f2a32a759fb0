//! Keeps contents from being removed while a backup copies them, whichever process would remove them.
//!
//! A backup copies the database first and then the contents that it names; one that is removed in between would be
//! missing. So the backup holds a lock on a file beside the contents, and removals meanwhile wait in memory. Always
//! true: while the lock is held no content and no staged upload is removed; if a process ends while a removal waits,
//! the next start sets aside the contents that no row names. Not here: when a removal is tried again
//! ([`crate::background::upkeep`]).

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path as FilePath;
use std::sync::{Mutex, PoisonError};

use super::place::{ContentHash, Location};

const LOCK: &str = "backup.lock";

/// What waits to be removed.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<(Vec<ContentHash>, Vec<Location>)>);

impl Waiting {
    pub(super) fn retry_later(&self, hash: ContentHash) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.push(hash);
    }

    pub(super) fn staged(&self, location: Location) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.push(location);
    }

    /// Takes all waiting removals.
    pub(super) fn take(&self) -> (Vec<ContentHash>, Vec<Location>) {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// While this lives, no process removes a content.
#[derive(Debug)]
pub struct Held(#[expect(dead_code, reason = "the lock is held by what is open")] File);

/// Holds every content where it is, once the removals under way have ended. Waits for another backup.
///
/// # Errors
/// Where the lock cannot be taken.
pub(super) fn hold(root: &FilePath) -> std::io::Result<Held> {
    let file = open(root)?;
    file.lock()?;
    Ok(Held(file))
}

/// Leave to remove something, until the answer is dropped; `None` while a backup holds everything.
///
/// # Errors
/// Where the lock cannot be looked at.
pub(super) fn leave_to_remove(root: &FilePath) -> std::io::Result<Option<File>> {
    let file = open(root)?;
    match file.try_lock_shared() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn open(root: &FilePath) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(root.join(LOCK))
}
