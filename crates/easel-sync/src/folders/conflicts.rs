//! What a person makes of two versions of one file that were both kept.
//!
//! Always true: nothing is overwritten and nothing deleted for good: the version that is not wanted goes to the trash first, by
//! the way of everything that the engine throws away, and only then does the other get its name; a file that is not what the
//! person was shown is left alone, and so is the other. Both are what a person could do by hand: the folder's engine sees it
//! afterwards, and sends it as anything that is done there, paused folders when they go on. Not here: when a conflict is over
//! by itself (`control/conflicts.rs`), and which version is the better one.

use std::fmt;
use std::num::NonZeroI64;
use std::str::FromStr;
use std::sync::Arc;

use easel_wire::{FileId, Timestamp};
use serde::{Deserialize, Serialize};

use super::folder::WatchId;
use super::showing::Watched;
use super::{Folders, MOST_LISTED};
use crate::disk::{DiskSettings, LocalDisk};
use crate::error::Error;
use crate::journal::Conflicting;
use crate::ports::{Disk as _, DiskError};
use crate::tree::{ChangedUs, LocalItem, Stamp};

/// Names a conflict within one journal. Never used again, and small enough for a JavaScript number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConflictId(pub i64);

impl fmt::Display for ConflictId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One of the two files of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one that has the name: it came from the drive.
    Original,
    /// The one that has another name beside it: it was on this computer.
    Copy,
}

/// What is to become of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// One of the two; it has the name afterwards, and the other is in the trash.
    One(Side),
    /// Both, under the names that they have.
    Both,
}

/// What tells whether a file is still the one that a person was shown. Written as a text of digits, signs and dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    stamp: Stamp,
    changed_us: ChangedUs,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stamp { size_bytes, modified_us, identity } = self.stamp;
        let changed_us = self.changed_us.map_or(0, NonZeroI64::get);
        write!(f, "{size_bytes}.{modified_us}.{identity}.{changed_us}")
    }
}

/// A text that is no [`Seen`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this tells of no file that was shown")]
pub struct NotSeen;

impl FromStr for Seen {
    type Err = NotSeen;

    fn from_str(text: &str) -> Result<Self, NotSeen> {
        let mut parts = text.split('.');
        let mut next = || parts.next().ok_or(NotSeen);
        let size_bytes = next()?.parse().map_err(|_| NotSeen)?;
        let modified_us = next()?.parse().map_err(|_| NotSeen)?;
        let identity = next()?.parse().map_err(|_| NotSeen)?;
        let changed_us = NonZeroI64::new(next()?.parse().map_err(|_| NotSeen)?);
        match parts.next() {
            None => Ok(Self { stamp: Stamp { size_bytes, modified_us, identity }, changed_us }),
            Some(_) => Err(NotSeen),
        }
    }
}

/// A file of a conflict, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its path below the watched folder.
    pub path: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// When it was last written to.
    pub modified_at: Timestamp,
    /// What it has to be still when something is done about it.
    pub seen: Seen,
    /// The drive file that it was the same as when both sides last agreed on it; `None` where it is not in the drive.
    pub file_id: Option<FileId>,
}

/// Two versions of one file, of which a person has yet to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Its name in this journal.
    pub id: ConflictId,
    /// The watched folder.
    pub folder: WatchId,
    /// When the two were found to differ.
    pub at: Timestamp,
    /// [`Side::Original`].
    pub original: Version,
    /// [`Side::Copy`].
    pub copy: Version,
}

impl Folders {
    /// The open conflicts of a folder of which both files are there, the newest first; at most 1,000. A paused folder has
    /// them too.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`]; [`Error::Disk`] where the folder is not there or cannot be read; and what the journal fails
    /// with.
    pub async fn list_conflicts(&self, id: WatchId) -> Result<Vec<Conflict>, Error> {
        let found = self.shared.journal.list_conflicts(id).await?;
        let open: Vec<Conflicting> = found.into_iter().filter(|conflict| !conflict.is_settled).collect();
        if open.is_empty() {
            self.find(id)?;
            return Ok(Vec::new());
        }
        let disk = self.open_disk(id).await?;
        let mut conflicts = Vec::new();
        for conflict in open {
            conflicts.extend(self.look_at(&disk, id, &conflict).await?);
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

    /// The beginning of one of the two files, `most_bytes` at most, as long as it is `seen`.
    ///
    /// # Errors
    /// As [`Folders::get_conflict`], and [`Error::ChangedSinceShown`].
    pub async fn read_conflict(
        &self,
        id: WatchId,
        conflict: ConflictId,
        side: Side,
        seen: Seen,
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
    /// As [`Folders::get_conflict`]; [`Error::ChangedSinceShown`], and nothing was done; [`Error::Disk`] where the disk does
    /// not take it: with its path that of the original, the version that was not wanted is in the trash already, and the other
    /// still has its own name.
    pub async fn settle_conflict(
        &self,
        id: WatchId,
        conflict: ConflictId,
        keep: Keep,
        (original, copy): (Seen, Seen),
    ) -> Result<(), Error> {
        let watched = self.find(id)?;
        let kept = match keep {
            Keep::Both => {
                self.find_conflict(id, conflict).await?;
                return self.record_settled(&watched, conflict, true).await;
            }
            Keep::One(side) => side,
        };
        let disk = self.open_disk(id).await?;
        let Conflicting { path, kept_as, .. } = self.find_conflict(id, conflict).await?;
        for (path, shown) in [(&path, original), (&kept_as, copy)] {
            let now = disk.look(path).await.map_err(|cause| of_disk(path, cause))?;
            if seen_of(now) != Some(shown) {
                return Err(Error::ChangedSinceShown { path: path.clone() });
            }
        }
        match kept {
            Side::Original => {
                disk.trash(&kept_as, &copy.stamp).await.map_err(|cause| of_disk(&kept_as, cause))?;
            }
            Side::Copy => {
                disk.trash(&path, &original.stamp).await.map_err(|cause| of_disk(&path, cause))?;
                let renamed = disk.rename(&kept_as, &path, copy.stamp.identity).await;
                renamed.map_err(|cause| of_disk(&path, cause))?;
            }
        }
        // Whatever becomes of this, the next look finds that one of the two is gone.
        self.shared.journal.record_conflicts(id, &[], &[conflict]).await?;
        watched.show_conflicts(&self.shared.journal).await
    }

    /// Takes back that a person wanted both.
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

    /// The folder on this computer, as any program may open it; whether its own engine runs does not matter.
    async fn open_disk(&self, id: WatchId) -> Result<LocalDisk, Error> {
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
        opened.unwrap_or(Err(DiskError::Refused)).map_err(|cause| of_disk("", cause))
    }

    /// A conflict as it is now; `None` where one of its files is none.
    async fn look_at(&self, disk: &LocalDisk, id: WatchId, found: &Conflicting) -> Result<Option<Conflict>, Error> {
        let mut versions = Vec::with_capacity(2);
        for path in [&found.path, &found.kept_as] {
            let now = disk.look(path).await.map_err(|cause| of_disk(path, cause))?;
            let Some(seen) = seen_of(now) else { return Ok(None) };
            versions.push(Version {
                path: path.clone(),
                size_bytes: seen.stamp.size_bytes,
                modified_at: Timestamp::from_micros(seen.stamp.modified_us),
                seen,
                file_id: self.shared.journal.find_agreed_file(id, path, seen.stamp).await?,
            });
        }
        let (Some(copy), Some(original)) = (versions.pop(), versions.pop()) else { return Ok(None) };
        Ok(Some(Conflict { id: found.id, folder: id, at: found.at, original, copy }))
    }
}

fn seen_of(item: Option<LocalItem>) -> Option<Seen> {
    match item {
        Some(LocalItem::File(file)) => Some(Seen { stamp: file.stamp, changed_us: file.changed_us }),
        _ => None,
    }
}

fn of_disk(path: &str, cause: DiskError) -> Error {
    match cause {
        DiskError::Changed => Error::ChangedSinceShown { path: path.to_owned() },
        cause => Error::Disk { path: path.to_owned(), cause },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_is_read_back_as_it_was_written() {
        for (identity, modified_us, changed_us) in [(0, 0, 0), (u64::MAX, -5, 7), (3, i64::MAX, i64::MIN)] {
            let stamp = Stamp { size_bytes: 12, modified_us, identity };
            let seen = Seen { stamp, changed_us: NonZeroI64::new(changed_us) };
            assert_eq!(seen.to_string().parse(), Ok(seen));
        }
        for text in ["", "1", "1.2.3", "1.2.3.4.5", "-1.2.3.4", "1.2.x.4", "1.2.3.4 "] {
            assert_eq!(text.parse::<Seen>(), Err(NotSeen), "{text}");
        }
    }
}
