//! Differences that stay, and the guards: why the two sides differ at a path, and what a person is asked before
//! anything is done.
//!
//! Data only. Not here: words for people (`easel-app`).

use crate::shared::causes::Failure;
use crate::sync::tree::Skipped;

/// Why a path differs between the two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The file is still being written.
    Settling,
    /// The file is larger than the service takes.
    TooLarge,
    /// The other side cannot hold the name.
    NameNotAllowed,
    /// The other path has a name that is the same to the drive, or to the disk.
    Clash {
        /// The path.
        with: String,
    },
    /// The content is in the drive as another path's file.
    Link,
    /// The file is a copy, and the drive does not have its content any more.
    ContentMissing,
    /// Deleted here, kept in the drive.
    OnlyInDrive,
    /// Deleted in the drive, kept here.
    OnlyHere,
    /// Someone else changed the file in the drive, and only uploads are wanted.
    NewerInDrive,
    /// Someone moved the item in the drive.
    MovedInDrive,
    /// Another file in the drive has the name.
    NameTaken,
    /// The folder above is not in the drive; that folder has a note of its own.
    FolderMissing,
    /// A step with the item failed.
    Unresolved(Failure),
    /// The item is in the drive, or was agreed on, and is ignored by now.
    Ignored,
    /// The item is neither file nor folder, or has a name that cannot be told: it is not synced.
    Skipped(Skipped),
}

/// A difference that stays, and is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The path, or the path that a drive item would have.
    pub path: String,
    /// The reason.
    pub difference: Difference,
}

/// A question to the person before which nothing more is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The watched folder is suddenly empty.
    LocalEmpty,
    /// The drive folder is suddenly empty.
    RemoteEmpty,
    /// The drive folder is gone. Consent does not help: there is nothing to sync with.
    RemoteGone,
    /// The drive is in the state of an earlier time, and this many local files are newer, or elsewhere. With consent
    /// the drive's state is taken over.
    RemoteWentBack(usize),
    /// This many items would be deleted in the drive.
    ManyRemoteDeletions(usize),
    /// This many items would be deleted here.
    ManyLocalDeletions(usize),
}

impl Guard {
    /// Whether the guard comes from items that are missing here, and not in the drive.
    #[must_use]
    pub const fn is_of_disk(self) -> bool {
        matches!(self, Self::LocalEmpty | Self::ManyRemoteDeletions(_))
    }
}
