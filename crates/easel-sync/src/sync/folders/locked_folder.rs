//! A watched folder on this computer, in use: open, locked against other programs, and watched.

use std::path::Path;

use super::folder::{Choices, Need, SeenBy};
use super::state::FolderSettings;
use crate::sync::disk::{DiskSettings, LocalDisk};
use crate::sync::lock::{FolderLock, LockError};
use crate::sync::ports::DiskError;
use crate::sync::watch::{self, Watch};

/// See the module. When it is dropped, the folder is unlocked.
pub(super) struct LockedFolder {
    pub disk: LocalDisk,
    watch: Watch,
    _held: FolderLock,
}

impl LockedFolder {
    /// Opens the folder at `path` and locks it. `identity` is the folder's from when it was chosen, where that is
    /// known.
    pub(super) async fn take(
        path: &Path,
        choices: &Choices,
        identity: Option<u64>,
        settings: &FolderSettings,
    ) -> Result<Self, Need> {
        let watching = settings.watch.clone();
        let settings = DiskSettings {
            ignore: choices.ignore.clone(),
            identity,
            home_trash: settings.home_trash.clone(),
            planted: settings.planted,
        };
        let path = path.to_owned();
        let taken = tokio::task::spawn_blocking(move || {
            let disk = LocalDisk::open(&path, settings).map_err(need_of_disk)?;
            let held = FolderLock::take(disk.path(), disk.identity()).map_err(|error| match error {
                LockError::Held { holder } => Need::HeldElsewhere { holder },
                LockError::Unavailable(error) => {
                    tracing::warn!(%error, "the folder cannot be held");
                    Need::FolderMissing
                }
            })?;
            let watch = Watch::start(&disk, watching);
            Ok(Self { disk, watch, _held: held })
        });
        taken.await.unwrap_or(Err(Need::FolderUnreadable))
    }

    /// How changes here are noticed.
    pub(super) fn seen_by(&self) -> SeenBy {
        match self.watch.seen_by() {
            watch::SeenBy::Watching => SeenBy::Watching,
            watch::SeenBy::Polling(reason) => SeenBy::Polling { reason: reason.to_string() },
        }
    }

    /// Waits until something may have changed here. The disk knows which folders.
    pub(super) async fn changed(&mut self) {
        self.watch.next().await;
    }
}

/// What a person has to mend before the folder can be opened.
pub(super) const fn need_of_disk(error: DiskError) -> Need {
    match error {
        DiskError::Denied => Need::FolderUnreadable,
        _ => Need::FolderMissing,
    }
}
