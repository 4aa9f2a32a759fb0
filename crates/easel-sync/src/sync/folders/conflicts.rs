//! Shows the conflicts of a watched folder, and carries out what a person chooses.
//!
//! Always true: what holds for settling (`sync/conflicts`); settling and judging exclude each other ([`take_turn`]).
//! What is done are changes such as a person could make by hand: the folder's engine sees them afterwards and sends
//! them, a paused folder's when it goes on. Not here: when a conflict is over by itself (`control/conflicts.rs`), and
//! which version is the better one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use easel_wire::{FileId, Timestamp};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::Folders;
use super::state::MOST_LISTED;
use super::watched::Watched;
use crate::shared::error::Error;
use crate::shared::ids::ConflictId;
use crate::shared::ids::WatchId;
use crate::shared::journal::Journal;
use crate::shared::mutex::lock;
use crate::sync::conflicts::{self, ConflictDisk, ConflictStore, Conflicting, ShownVersion, Side, of_disk};
use crate::sync::disk::{DiskSettings, LocalDisk};
use crate::sync::ports::{Disk, DiskError};
use crate::sync::tree::{ContentHash, LocalItem, Stamp};

/// After these waits the disk is asked once more to rename the copy: a program that scans or indexes new files soon
/// closes them again.
const RENAME_AGAIN: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

/// One lock for each folder of this process ([`take_turn`]).
static TURNS: Mutex<BTreeMap<WatchId, Arc<AsyncMutex<()>>>> = Mutex::new(BTreeMap::new());

/// A person's choice about a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Keep one of the two: it has the name afterwards, and the other is in the trash.
    One(Side),
    /// Keep both, under the names that they have.
    Both,
}

/// A file of a conflict, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The file's path below the watched folder.
    pub path: String,
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// When the file was last written to.
    pub modified_at: Timestamp,
    /// What the file must still be when the choice is carried out.
    pub seen: ShownVersion,
    /// The drive file of this version when both sides last agreed; `None` where the version is not in the drive.
    pub file_id: Option<FileId>,
    /// The SHA-256 of the content that both sides agreed on, where the version is in the drive.
    pub agreed_hash: Option<ContentHash>,
}

/// Two versions of one file, of which a person has yet to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The conflict's id in this journal.
    pub id: ConflictId,
    /// The watched folder.
    pub folder: WatchId,
    /// When the two files were found to differ.
    pub at: Timestamp,
    /// The version with the name ([`Side::Original`]).
    pub original: Version,
    /// The version beside it ([`Side::Copy`]).
    pub copy: Version,
}

impl Folders {
    /// The open conflicts of a folder, also of a paused one, whose two files are there and can be looked at, the newest
    /// first; at most 1,000. A choice that was half carried out when the program ended is finished first.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`]; [`Error::Disk`] where the folder is not there or cannot be read; and what the journal
    /// fails with.
    pub async fn list_conflicts(&self, id: WatchId) -> Result<Vec<Conflict>, Error> {
        let (watched, journal) = (self.find(id)?, &self.shared.journal);
        let mut found = journal.list_conflicts(id).await?;
        if found.iter().all(|conflict| conflict.is_settled) {
            return Ok(Vec::new());
        }
        let disk = self.open_disk(id).await?;
        if found.iter().any(|conflict| conflict.copy_identity.is_some()) {
            let _turn = take_turn(id).await;
            finish_begun(journal, &watched, &disk).await?;
            found = journal.list_conflicts(id).await?;
        }
        let mut conflicts = Vec::new();
        for conflict in found.into_iter().filter(|conflict| !conflict.is_settled) {
            match self.look_at(&disk, id, &conflict).await {
                Ok(seen) => conflicts.extend(seen),
                // The other conflicts can be settled.
                Err(Error::Disk { path, cause }) if !path.is_empty() => {
                    tracing::debug!(conflict = %conflict.id, %cause, "a file of a conflict cannot be looked at");
                }
                Err(error) => return Err(error),
            }
            if conflicts.len() as u64 >= MOST_LISTED {
                break;
            }
        }
        Ok(conflicts)
    }

    /// A conflict as it is now.
    ///
    /// # Errors
    /// As [`Folders::list_conflicts`], and [`Error::NoConflict`].
    pub async fn get_conflict(&self, id: WatchId, conflict: ConflictId) -> Result<Conflict, Error> {
        let disk = self.open_disk(id).await?;
        let conflict = self.find_conflict(id, conflict).await?;
        self.look_at(&disk, id, &conflict).await?.ok_or(Error::NoConflict)
    }

    /// The first `most_bytes` of one of the two files, as long as the file is `seen`.
    ///
    /// # Errors
    /// As [`Folders::get_conflict`], and [`Error::ChangedSinceShown`].
    pub async fn read_conflict(
        &self,
        id: WatchId,
        conflict: ConflictId,
        side: Side,
        seen: ShownVersion,
        most_bytes: usize,
    ) -> Result<Vec<u8>, Error> {
        let disk = self.open_disk(id).await?;
        let Conflicting { path, kept_as, .. } = self.find_conflict(id, conflict).await?;
        let path = if side == Side::Original { path } else { kept_as };
        disk.read_beginning(&path, seen.stamp, most_bytes).await.map_err(|cause| of_disk(&path, cause))
    }

    /// Settles a conflict, as long as both files are what the person was shown: `original` and `copy`.
    ///
    /// # Errors
    /// As [`Folders::get_conflict`]; [`Error::ChangedSinceShown`], and nothing was done; [`Error::Disk`] where the disk
    /// refuses. If that names the path of the original, the unwanted version may be in the trash already, while the
    /// other still has its own name; it gets the original's name later, as long as that is free.
    pub async fn settle_conflict(
        &self,
        id: WatchId,
        conflict: ConflictId,
        keep: Keep,
        (original, copy): (ShownVersion, ShownVersion),
    ) -> Result<(), Error> {
        let watched = self.find(id)?;
        let _turn = take_turn(id).await;
        let kept = match keep {
            Keep::Both => {
                self.find_conflict(id, conflict).await?;
                return self.record_settled(&watched, conflict, true).await;
            }
            Keep::One(side) => side,
        };
        let disk = self.open_disk(id).await?;
        let found = self.find_conflict(id, conflict).await?;
        let journal = &self.shared.journal;
        let (disk, store) = (PatientDisk(&disk), FolderConflicts { journal, watch: id });
        conflicts::settle(&disk, &store, &found, kept, (original, copy), self.shared.settings.planted).await?;
        watched.show_conflicts(journal).await
    }

    /// Takes back that a person wanted to keep both.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], [`Error::NoConflict`], and what the journal fails with.
    pub async fn reopen_conflict(&self, id: WatchId, conflict: ConflictId) -> Result<(), Error> {
        let watched = self.find(id)?;
        self.record_settled(&watched, conflict, false).await
    }

    async fn record_settled(&self, watched: &Arc<Watched>, conflict: ConflictId, is_so: bool) -> Result<(), Error> {
        let journal = &self.shared.journal;
        if !journal.record_conflict_settled(watched.id, conflict, is_so).await? {
            return Err(Error::NoConflict);
        }
        watched.show_conflicts(journal).await
    }

    async fn find_conflict(&self, id: WatchId, conflict: ConflictId) -> Result<Conflicting, Error> {
        let found = self.shared.journal.find_conflict(id, conflict).await?;
        found.filter(|conflict| !conflict.is_settled).ok_or(Error::NoConflict)
    }

    /// The folder on this computer, opened as any program may open it; it does not matter whether its own engine runs.
    pub(super) async fn open_disk(&self, id: WatchId) -> Result<LocalDisk, Error> {
        self.find(id)?;
        let shared = &self.shared;
        let watches = shared.journal.list_watches(&shared.connection_id).await?;
        let watch = watches.into_iter().find(|watch| watch.id == id).ok_or(Error::UnknownFolder(id))?;
        let settings = DiskSettings {
            ignore: watch.choices.ignore,
            identity: watch.root_identity,
            home_trash: shared.settings.home_trash.clone(),
            planted: shared.settings.planted,
        };
        let opened = tokio::task::spawn_blocking(move || LocalDisk::open(&watch.path, settings)).await;
        let disk = opened.unwrap_or(Err(DiskError::Refused)).map_err(|cause| of_disk("", cause))?;
        // Both clocks decide for how long the folder's own trash keeps a file.
        if let Some(at) = shared.index.heard_at() {
            disk.note_time_elsewhere(at.as_micros());
        }
        Ok(disk)
    }

    /// A conflict as it is now; `None` where one of its paths has no file any more.
    async fn look_at(&self, disk: &LocalDisk, id: WatchId, found: &Conflicting) -> Result<Option<Conflict>, Error> {
        let (mut versions, journal) = (Vec::with_capacity(2), &self.shared.journal);
        for path in [&found.path, &found.kept_as] {
            let now = Disk::look(disk, path).await.map_err(|cause| of_disk(path, cause))?;
            let Some(seen) = ShownVersion::of(now) else { return Ok(None) };
            let file_id = journal.find_agreed_file(id, path, seen.stamp).await?;
            let agreed_hash = match file_id {
                Some(_) => journal.find_agreed_hash(id, path, seen.stamp).await?,
                None => None,
            };
            versions.push(Version {
                path: path.clone(),
                size_bytes: seen.stamp.size_bytes,
                modified_at: Timestamp::from_micros(seen.stamp.modified_us),
                seen,
                file_id,
                agreed_hash,
            });
        }
        let (Some(copy), Some(original)) = (versions.pop(), versions.pop()) else { return Ok(None) };
        Ok(Some(Conflict { id: found.id, folder: id, at: found.at, original, copy }))
    }
}

/// Locks the conflicts of a folder: settling and judging exclude each other, so that a conflict that is half settled is
/// neither judged nor finished by somebody else.
pub(super) async fn take_turn(id: WatchId) -> OwnedMutexGuard<()> {
    let turn = Arc::clone(lock(&TURNS).entry(id).or_default());
    turn.lock_owned().await
}

/// Finishes choices in favour of a copy that were half carried out when the program ended, or that the disk refused.
/// The caller holds the folder's lock ([`take_turn`]).
pub(super) async fn finish_begun(journal: &Journal, watched: &Watched, disk: &LocalDisk) -> Result<(), Error> {
    let store = FolderConflicts { journal, watch: watched.id };
    let mut is_news = false;
    for conflict in journal.list_conflicts(watched.id).await? {
        let Some(identity) = conflict.copy_identity else { continue };
        match conflicts::finish(disk, &store, &conflict, identity).await {
            Ok(_) => is_news = true,
            Err(Error::Disk { path, cause }) if !path.is_empty() => {
                tracing::debug!(conflict = %conflict.id, %cause, "a copy cannot be given its name yet");
            }
            Err(error) => return Err(error),
        }
    }
    if is_news { watched.show_conflicts(journal).await } else { Ok(()) }
}

/// The conflicts of one folder in the journal.
struct FolderConflicts<'a> {
    journal: &'a Journal,
    watch: WatchId,
}

impl ConflictStore for FolderConflicts<'_> {
    async fn record_copy(&self, id: ConflictId, identity: Option<u64>) -> Result<bool, Error> {
        self.journal.record_conflict_copy(self.watch, id, identity).await
    }

    async fn record_over(&self, id: ConflictId) -> Result<(), Error> {
        self.journal.record_conflicts(self.watch, &[], &[id]).await
    }
}

/// A disk that is asked again to rename what it refuses to for a moment.
struct PatientDisk<'a>(&'a LocalDisk);

impl ConflictDisk for PatientDisk<'_> {
    async fn look(&self, path: &str) -> Result<Option<LocalItem>, DiskError> {
        Disk::look(self.0, path).await
    }

    async fn trash(&self, path: &str, stamp: &Stamp) -> Result<(), DiskError> {
        Disk::trash(self.0, path, stamp).await
    }

    async fn rename(&self, from: &str, to: &str, identity: u64) -> Result<(), DiskError> {
        let mut waits = RENAME_AGAIN.into_iter();
        loop {
            let renamed = Disk::rename(self.0, from, to, identity).await;
            let is_for_good = matches!(renamed, Ok(()) | Err(DiskError::Exists | DiskError::Changed));
            match waits.next().filter(|_| !is_for_good) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return renamed,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::conflicts::{Finished, finish};

    async fn begun(folder: &std::path::Path) -> (Journal, LocalDisk, WatchId, Conflicting) {
        let journal = Journal::open(&folder.join("journal.db")).await.unwrap();
        let root = folder.join("watched");
        std::fs::create_dir(&root).unwrap();
        let drive = easel_wire::Id::imagined(1);
        let choices = crate::sync::folders::Choices::default();
        let watch = journal.create_watch("here", &root, drive, "/Brand", &choices, 1).await.unwrap();
        journal.create_conflict(watch, "a.txt", "a (conflict).txt").await.unwrap();
        let found = journal.list_conflicts(watch).await.unwrap().remove(0);
        let home_trash = Some(folder.join("Trash"));
        let disk = LocalDisk::open(&root, DiskSettings { home_trash, ..DiskSettings::default() }).unwrap();
        std::fs::write(root.join("a (conflict).txt"), "mine").unwrap();
        (journal, disk, watch, found)
    }

    #[tokio::test]
    async fn what_was_begun_is_finished_where_the_name_is_free_and_given_up_where_it_is_not() {
        type Between = fn(&std::path::Path);
        let nothing: Between = |_| {};
        let renamed: Between = |root| std::fs::rename(root.join("a (conflict).txt"), root.join("a.txt")).unwrap();
        let taken: Between = |root| std::fs::write(root.join("a.txt"), "another").unwrap();
        let replaced: Between = |root| {
            std::fs::write(root.join("new"), "newer").unwrap();
            std::fs::rename(root.join("new"), root.join("a (conflict).txt")).unwrap();
        };
        for (between, expected, named, copy) in [
            (nothing, Finished::Over, Some("mine"), None),
            (renamed, Finished::Over, Some("mine"), None),
            (taken, Finished::GivenUp(DiskError::Exists), Some("another"), Some("mine")),
            (replaced, Finished::GivenUp(DiskError::Changed), None, Some("newer")),
        ] {
            let folder = tempfile::TempDir::new().unwrap();
            let (journal, disk, watch, found) = begun(folder.path()).await;
            let seen = ShownVersion::of(Disk::look(&disk, "a (conflict).txt").await.unwrap()).unwrap();
            let identity = seen.stamp.identity;
            assert!(journal.record_conflict_copy(watch, found.id, Some(identity)).await.unwrap());
            between(disk.path());
            assert_eq!(
                finish(&disk, &FolderConflicts { journal: &journal, watch }, &found, identity).await.unwrap(),
                expected
            );
            let read = |name: &str| std::fs::read_to_string(disk.path().join(name)).ok();
            assert_eq!((read("a.txt").as_deref(), read("a (conflict).txt").as_deref()), (named, copy));
            let left = journal.find_conflict(watch, found.id).await.unwrap();
            assert_eq!(left, (expected != Finished::Over).then_some(found), "over, or no longer being settled");
        }
    }
}
