//! A conflict, and what settles it: two versions of one file that were both kept, and a person's choice between them.
//!
//! Always true: nothing is overwritten and nothing deleted for good. The version that is not wanted goes to the trash
//! first, and only then does the other get its name. When one of the two files is not what the person was shown, both
//! are left alone. That the copy gets the name is written down before the original goes to the trash; so whatever ends
//! the program in between, the copy gets the name later ([`finish`]). A conflict is over by itself when both files were
//! seen since it began and one of them is no longer a file at its path, or when both have the same content; never
//! because a file was not seen ([`judge`]). Not here: who asks for it, and the real disk and journal (`folders`).

use std::fmt;
use std::num::NonZeroI64;
use std::str::FromStr;

use easel_wire::Timestamp;

use crate::shared::error::Error;
use crate::shared::ids::ConflictId;
use crate::shared::planted::{Mutant, Planted};
use crate::sync::ports::{Disk, DiskError};
use crate::sync::tree::{Agreed, ChangedUs, ContentHash, Local, LocalItem, Stamp};

/// One of the two files of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The file that has the name: it came from the drive.
    Original,
    /// The file that has another name beside it: it was on this computer.
    Copy,
}

/// A conflict, as it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflicting {
    /// The conflict's id in its journal.
    pub id: ConflictId,
    /// When the copy got its name.
    pub at: Timestamp,
    /// The path that both files wanted, and that the drive's has.
    pub path: String,
    /// The path that this computer's file got.
    pub kept_as: String,
    /// Whether both files were seen since.
    pub is_whole: bool,
    /// Whether the person wants to keep both.
    pub is_settled: bool,
    /// While the conflict is being settled in favour of its copy: the identity of the copy. The original may be in the
    /// trash already, and the copy may still have its own name.
    pub copy_identity: Option<u64>,
}

/// Tells whether a file is still the one that a person was shown. Written as a text of digits, signs and dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownVersion {
    pub(super) stamp: Stamp,
    changed_us: ChangedUs,
}

impl ShownVersion {
    /// What is told of an item; `None` where it is no file.
    #[must_use]
    pub fn of(item: Option<LocalItem>) -> Option<Self> {
        match item {
            Some(LocalItem::File(file)) => Some(Self { stamp: file.stamp, changed_us: file.changed_us }),
            _ => None,
        }
    }
}

impl fmt::Display for ShownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stamp { size_bytes, modified_us, identity } = self.stamp;
        let changed_us = self.changed_us.map_or(0, NonZeroI64::get);
        write!(f, "{size_bytes}.{modified_us}.{identity}.{changed_us}")
    }
}

/// A text that is no [`ShownVersion`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this tells of no file that was shown")]
pub struct NotSeen;

impl FromStr for ShownVersion {
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

/// What settling asks of a disk: what every [`Disk`] can do.
pub trait ConflictDisk: Sync {
    /// As [`Disk::look`].
    fn look(&self, path: &str) -> impl Future<Output = Result<Option<LocalItem>, DiskError>> + Send;
    /// As [`Disk::trash`].
    fn trash(&self, path: &str, stamp: &Stamp) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// As [`Disk::rename`].
    fn rename(&self, from: &str, to: &str, identity: u64) -> impl Future<Output = Result<(), DiskError>> + Send;
}

impl<D: Disk> ConflictDisk for D {
    fn look(&self, path: &str) -> impl Future<Output = Result<Option<LocalItem>, DiskError>> + Send {
        Disk::look(self, path)
    }

    fn trash(&self, path: &str, stamp: &Stamp) -> impl Future<Output = Result<(), DiskError>> + Send {
        Disk::trash(self, path, stamp)
    }

    fn rename(&self, from: &str, to: &str, identity: u64) -> impl Future<Output = Result<(), DiskError>> + Send {
        Disk::rename(self, from, to, identity)
    }
}

/// Where the conflicts of a folder are written down.
pub trait ConflictStore: Sync {
    /// Writes that a conflict is being settled in favour of its copy, which has this identity; `None`: no longer.
    /// Returns whether there is such a conflict.
    fn record_copy(&self, id: ConflictId, identity: Option<u64>) -> impl Future<Output = Result<bool, Error>> + Send;
    /// Removes a conflict that is over.
    fn record_over(&self, id: ConflictId) -> impl Future<Output = Result<(), Error>> + Send;
}

/// Keeps one of the two versions, as long as both files are what the person was shown: the original and the copy.
///
/// # Errors
/// [`Error::ChangedSinceShown`] and [`Error::NoConflict`], and nothing was done; [`Error::Disk`] where the disk
/// refuses. If that names the path of the original, the unwanted version may be in the trash already, while the other
/// still has its own name; it gets the original's name by [`finish`], as long as that is free.
pub async fn settle<D: ConflictDisk, S: ConflictStore>(
    disk: &D,
    store: &S,
    conflict: &Conflicting,
    kept: Side,
    (mut original, mut copy): (ShownVersion, ShownVersion),
    planted: Planted,
) -> Result<(), Error> {
    let (path, kept_as) = (&conflict.path, &conflict.kept_as);
    for (path, shown) in [(path, &mut original), (kept_as, &mut copy)] {
        let now = ShownVersion::of(disk.look(path).await.map_err(|cause| of_disk(path, cause))?);
        match now {
            Some(now) if planted.is(Mutant::SettlesUnseen) => *shown = now,
            now if now == Some(*shown) => {}
            _ => return Err(Error::ChangedSinceShown { path: path.clone() }),
        }
    }
    match kept {
        Side::Original => {
            disk.trash(kept_as, &copy.stamp).await.map_err(|cause| of_disk(kept_as, cause))?;
            // Whether this succeeds or not, the next look finds that one of the two files is gone.
            store.record_over(conflict.id).await
        }
        Side::Copy => {
            let identity = copy.stamp.identity;
            let remembered = Some(identity).filter(|_| !planted.is(Mutant::ForgetsTheCopy));
            if !store.record_copy(conflict.id, remembered).await? {
                return Err(Error::NoConflict);
            }
            let trashed = disk.trash(path, &original.stamp).await;
            match (trashed, finish(disk, store, conflict, identity).await) {
                (_, Ok(Finished::Over)) => Ok(()),
                (Err(cause), _) => Err(of_disk(path, cause)),
                (Ok(()), Ok(Finished::GivenUp(cause))) => Err(Error::Disk { path: path.clone(), cause }),
                (Ok(()), Err(error)) => Err(error),
            }
        }
    }
}

/// How a settling in favour of a copy ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finished {
    /// The copy has the name, and the conflict is over.
    Over,
    /// The copy cannot get the name, for this reason; the choice is given up.
    GivenUp(DiskError),
}

/// Gives the copy of this identity the original's name, where that is free by now.
///
/// # Errors
/// [`Error::Disk`] where the disk refuses for now, and what the store fails with.
pub async fn finish<D: ConflictDisk, S: ConflictStore>(
    disk: &D,
    store: &S,
    conflict: &Conflicting,
    identity: u64,
) -> Result<Finished, Error> {
    let Conflicting { id, path, kept_as, .. } = conflict;
    let named = disk.look(path).await.map_err(|cause| of_disk(path, cause))?;
    let copy = disk.look(kept_as).await.map_err(|cause| of_disk(kept_as, cause))?;
    let is_copy =
        |item: &Option<LocalItem>| ShownVersion::of(*item).is_some_and(|seen| seen.stamp.identity == identity);
    let finished = if named.is_none() && is_copy(&copy) {
        match disk.rename(kept_as, path, identity).await {
            Ok(()) => Finished::Over,
            Err(cause @ (DiskError::Exists | DiskError::Changed)) => Finished::GivenUp(cause),
            Err(cause) => return Err(of_disk(path, cause)),
        }
    } else if copy.is_none() && is_copy(&named) {
        // The copy was renamed, and the program ended before that was written down.
        Finished::Over
    } else {
        Finished::GivenUp(if named.is_some() { DiskError::Exists } else { DiskError::Changed })
    };
    match finished {
        Finished::Over => store.record_over(*id).await?,
        Finished::GivenUp(_) => {
            store.record_copy(*id, None).await?;
        }
    }
    Ok(finished)
}

/// A refusal of the disk, as a person is told of it.
#[must_use]
pub fn of_disk(path: &str, cause: DiskError) -> Error {
    match cause {
        DiskError::Changed => Error::ChangedSinceShown { path: path.to_owned() },
        DiskError::RootMissing => Error::Disk { path: String::new(), cause },
        cause => Error::Disk { path: path.to_owned(), cause },
    }
}

/// How the two files of a conflict stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConflictState {
    /// Both files are there.
    Both,
    /// Both files are there and have the same content.
    Same,
    /// One of the files is gone.
    Gone,
    /// Nobody can tell whether the files are there.
    Unseen,
}

/// What a look finds out of conflicts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// Those of which both files are there for the first time.
    pub whole: Vec<ConflictId>,
    /// Those that are over.
    pub over: Vec<ConflictId>,
}

/// Finds out which conflicts are over, by what was seen. One that is half settled needs its entry until the copy has
/// the name, and is not judged.
#[must_use]
pub fn judge(
    conflicts: &[Conflicting],
    local: &Local,
    agreed: &Agreed,
    is_ignored: impl Fn(&str) -> bool + Copy,
) -> Judged {
    let mut judged = Judged::default();
    for conflict in conflicts.iter().filter(|conflict| conflict.copy_identity.is_none()) {
        match find_state(conflict, local, agreed, is_ignored) {
            ConflictState::Both if !conflict.is_whole => judged.whole.push(conflict.id),
            ConflictState::Same => judged.over.push(conflict.id),
            ConflictState::Gone if conflict.is_whole => judged.over.push(conflict.id),
            ConflictState::Both | ConflictState::Gone | ConflictState::Unseen => {}
        }
    }
    judged
}

/// How the two files of a conflict stand, by what was seen: an item that is ignored, cannot be read, has only just gone
/// or is still to be fetched says nothing.
fn find_state(
    conflict: &Conflicting,
    local: &Local,
    agreed: &Agreed,
    is_ignored: impl Fn(&str) -> bool,
) -> ConflictState {
    let paths = [conflict.path.as_str(), conflict.kept_as.as_str()];
    let is_gone = |path: &str| {
        let is_unseen = local.is_hidden(path) || local.just_gone.contains(path) || is_ignored(path);
        local.file(path).is_none() && !is_unseen
    };
    if paths.into_iter().any(is_gone) {
        return ConflictState::Gone;
    }
    let [Some(one), Some(other)] = paths.map(|path| local.file(path)) else { return ConflictState::Unseen };
    let hashes = paths.map(|path| hash_of(path, local, agreed));
    let is_same = one.stamp.size_bytes == other.stamp.size_bytes && hashes[0].is_some() && hashes[0] == hashes[1];
    if is_same { ConflictState::Same } else { ConflictState::Both }
}

/// The content of the file at a path, where it is known without reading the file.
fn hash_of(path: &str, local: &Local, agreed: &Agreed) -> Option<ContentHash> {
    let file = local.file(path)?;
    let record = || agreed.records.get(path)?.as_file().filter(|record| record.is_untouched(file));
    file.hash.or_else(|| record().map(|record| record.hash))
}

#[cfg(test)]
mod tests;
