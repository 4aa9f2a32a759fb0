//! A watched folder on this computer, taken: open, held against other programs, and watched.

use std::path::Path;
use std::time::Duration;

use super::folder::{Choices, Need, SeenBy};
use crate::disk::{DiskSettings, LocalDisk};
use crate::lock::{FolderLock, LockError};
use crate::ports::DiskError;

/// How often a folder is looked at whose changes the system does not tell.
const POLL_EVERY: Duration = Duration::from_secs(10);

/// See the module. Dropped, the folder is free again.
pub(super) struct Ground {
    pub disk: LocalDisk,
    pub seen_by: SeenBy,
    _held: FolderLock,
}

impl Ground {
    /// Takes the folder at `path`. `identity` is what it was when it was chosen, where that is known.
    pub(super) async fn take(path: &Path, choices: &Choices, identity: Option<u64>) -> Result<Self, Need> {
        let settings = DiskSettings { ignore: choices.ignore.clone(), identity, ..DiskSettings::default() };
        let path = path.to_owned();
        let taken = tokio::task::spawn_blocking(move || {
            let disk = LocalDisk::open(&path, settings).map_err(need_of)?;
            let held = FolderLock::take(disk.path(), disk.identity()).map_err(|error| match error {
                LockError::Held { holder } => Need::HeldElsewhere { holder },
                LockError::Unavailable(error) => {
                    tracing::warn!(%error, "the folder cannot be held");
                    Need::FolderMissing
                }
            })?;
            let seen_by = SeenBy::Polling { reason: "not watched yet".to_owned() };
            Ok(Self { disk, seen_by, _held: held })
        });
        taken.await.unwrap_or(Err(Need::FolderUnreadable))
    }

    /// Waits until something may have changed here.
    pub(super) async fn changed(&mut self) {
        tokio::time::sleep(POLL_EVERY).await;
        self.disk.mark(crate::disk::Dirty::Everything);
    }
}

/// What a person has to mend before the folder can be opened.
pub(super) const fn need_of(error: DiskError) -> Need {
    match error {
        DiskError::Denied => Need::FolderUnreadable,
        _ => Need::FolderMissing,
    }
}
