//! Why the two sides stay different at a path, and what a person is asked first.
//!
//! Data only. Not here: words for people (`easel-app`).

use crate::shared::causes::Failure;
use crate::sync::tree::Skipped;

/// Why a path is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// It is still being written.
    Settling,
    /// It is larger than the workspace takes.
    TooLarge,
    /// The other side cannot hold the name.
    NameNotAllowed,
    /// The other path has a name that is the same to the drive, or to the disk.
    Clash {
        /// The path.
        with: String,
    },
    /// Its content is in the drive as another file, whose home is elsewhere.
    Link,
    /// A copy, whose content the drive does not hold any more.
    ContentMissing,
    /// Deleted here, kept in the drive.
    OnlyInDrive,
    /// Deleted in the drive, kept here.
    OnlyHere,
    /// Changed in the drive by someone else, and only uploads are wanted.
    NewerInDrive,
    /// Someone moved it in the drive.
    MovedInDrive,
    /// Its name is taken in the drive by another file.
    NameTaken,
    /// The folder that it lies in is not in the drive, which has its own note.
    FolderMissing,
    /// An operation failed with it.
    Unresolved(Failure),
    /// It is in the drive, or was agreed on, and matches what the person leaves out by now.
    Ignored,
    /// It is neither file nor folder, or cannot be named: it is not synced.
    Skipped(Skipped),
}

/// A difference that stays, and is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The path, or the path that a drive item would have.
    pub path: String,
    /// Why.
    pub difference: Difference,
}

/// Why nothing more is done until the person has been asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The watched folder is suddenly empty.
    LocalEmpty,
    /// The drive folder is suddenly empty.
    RemoteEmpty,
    /// The drive folder that stands for the watched one is gone. No consent helps: there is nothing to sync with.
    RemoteGone,
    /// The drive is as it was at an earlier time, and this many files here are newer, or elsewhere. Consent lets the drive's
    /// state be taken over.
    RemoteWentBack(usize),
    /// This many items would be deleted in the drive.
    ManyRemoteDeletions(usize),
    /// This many items would be deleted here.
    ManyLocalDeletions(usize),
}

impl Guard {
    /// Whether it comes of what is missing here, and not in the drive.
    #[must_use]
    pub const fn is_of_disk(self) -> bool {
        matches!(self, Self::LocalEmpty | Self::ManyRemoteDeletions(_))
    }
}
