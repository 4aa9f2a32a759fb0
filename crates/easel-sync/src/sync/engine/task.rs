//! A step that has been checked, and its outcome.
//!
//! Data only. Not here: carrying it out (`act`).

use easel_wire::{FileId, FolderId, ItemRef};

use super::intent::{Intent, OpenUpload};
use super::removal::{Removal, Renaming};
use crate::shared::upload::{Arrived, Checkpoint};
use crate::sync::tree::{Change, ChangedUs, ContentHash, Place, Replacing, Stamp};

/// A step that has been checked.
#[derive(Debug)]
pub(super) enum Task {
    Hash {
        path: String,
        stamp: Stamp,
    },
    MakeFolder {
        path: String,
        identity: u64,
        place: Place,
    },
    MakeLocalFolder {
        path: String,
        folder: FolderId,
        place: Place,
    },
    /// `file_name` is the name that a pointer gets for it.
    Place {
        path: String,
        item: ItemRef,
        from: Place,
        to: Place,
        file_name: Option<String>,
    },
    MoveLocal {
        from: String,
        to: String,
        identity: u64,
        is_conflict: bool,
        changes: Vec<Change>,
    },
    Send {
        path: String,
        stamp: Stamp,
        changed_us: ChangedUs,
        place: Place,
        at: Checkpoint,
        announcement: Option<Renaming>,
        replacing: Option<Replacing>,
    },
    Point {
        path: String,
        stamp: Stamp,
        place: Place,
        hash: ContentHash,
        announcement: Option<Renaming>,
    },
    Retire {
        path: String,
        renaming: Renaming,
    },
    DiscardPointer {
        path: String,
        pointer: FileId,
    },
    Fetch(Fetching),
    Delete {
        path: String,
        file: FileId,
        was_replaced: bool,
        removal: Removal,
    },
    /// `left` are pointers in the folder that stand for nothing.
    DeleteFolder {
        path: String,
        folder: FolderId,
        is_recursive: bool,
        left: Vec<FileId>,
    },
    Trash {
        path: String,
        file: FileId,
        stamp: Stamp,
        hash: ContentHash,
    },
    RemoveLocalFolder {
        path: String,
        identity: u64,
    },
}

/// A file that is to be fetched.
#[derive(Debug)]
pub(super) struct Fetching {
    pub path: String,
    pub file: FileId,
    /// The drive file that has the content: another one where `file` is a pointer.
    pub from: FileId,
    pub place: Place,
    pub hash: Option<ContentHash>,
    pub replacing: Option<Stamp>,
    pub bytes: u64,
    pub is_pointer: bool,
}

impl Task {
    /// The pointer whose place the drive file takes that is removed.
    pub(super) fn heir(&self) -> Option<FileId> {
        match self {
            Self::Delete { removal, .. } => removal.heir().map(|heir| heir.pointer),
            _ => None,
        }
    }

    pub(super) fn path(&self) -> &str {
        match self {
            Self::Hash { path, .. }
            | Self::MakeFolder { path, .. }
            | Self::MakeLocalFolder { path, .. }
            | Self::Place { path, .. }
            | Self::MoveLocal { from: path, .. }
            | Self::Send { path, .. }
            | Self::Point { path, .. }
            | Self::Retire { path, .. }
            | Self::DiscardPointer { path, .. }
            | Self::Fetch(Fetching { path, .. })
            | Self::Delete { path, .. }
            | Self::DeleteFolder { path, .. }
            | Self::Trash { path, .. }
            | Self::RemoveLocalFolder { path, .. } => path,
        }
    }

    /// The size in bytes of the file that the step reads, sends or fetches.
    pub(super) const fn bytes(&self) -> u64 {
        match self {
            Self::Hash { stamp, .. } | Self::Send { stamp, .. } => stamp.size_bytes,
            Self::Fetch(fetching) => fetching.bytes,
            _ => 0,
        }
    }

    /// The intents that have to be written down before the step begins.
    pub(super) fn intents(&self) -> impl Iterator<Item = Intent> {
        self.intent().into_iter().chain(self.announced())
    }

    /// The pointer's announcement, made before it is known whether another content comes to its place.
    pub(super) fn announced(&self) -> Option<Intent> {
        let (Self::Send { path, announcement, .. } | Self::Point { path, announcement, .. }) = self else {
            return None;
        };
        announcement.as_ref().map(|renaming| renaming.intent(path))
    }

    /// The intent for the path itself, written down before the step begins.
    fn intent(&self) -> Option<Intent> {
        match self {
            Self::MakeFolder { path, identity, place } => {
                Some(Intent::MakeFolder { path: path.clone(), identity: *identity, place: place.clone() })
            }
            Self::MakeLocalFolder { path, folder, place } => {
                Some(Intent::MakeLocalFolder { path: path.clone(), folder: *folder, place: place.clone() })
            }
            Self::Place { path, to, .. } => Some(Intent::Place { path: path.clone(), to: to.clone() }),
            Self::MoveLocal { from, to, identity, is_conflict, changes } => Some(Intent::MoveLocal {
                from: from.clone(),
                to: to.clone(),
                identity: *identity,
                changes: changes.clone(),
                is_conflict: *is_conflict,
            }),
            Self::Send { path, stamp, changed_us, at, replacing, .. } if *at != Checkpoint::NotBegun => {
                let (path, stamp, changed_us, at) = (path.clone(), *stamp, *changed_us, at.clone());
                Some(Intent::Upload(OpenUpload { path, stamp, changed_us, at, replacing: *replacing, refused: None }))
            }
            Self::Point { path, stamp, place, hash, .. } => {
                Some(Intent::Point { path: path.clone(), stamp: *stamp, place: place.clone(), hash: *hash })
            }
            Self::Delete { path, file, removal, .. } => {
                let (path, heir) = (path.clone(), removal.heir().cloned());
                Some(Intent::Delete { path, file: *file, heir })
            }
            Self::DeleteFolder { path, folder, .. } => {
                Some(Intent::DeleteFolder { path: path.clone(), folder: *folder })
            }
            Self::Trash { path, file, stamp, .. } => {
                Some(Intent::Trash { path: path.clone(), file: *file, identity: stamp.identity })
            }
            Self::RemoveLocalFolder { path, identity } => {
                Some(Intent::RemoveLocalFolder { path: path.clone(), identity: *identity })
            }
            // Either the step leaves nothing open, or its intent is made on the way.
            Self::Send { .. }
            | Self::Hash { .. }
            | Self::Retire { .. }
            | Self::DiscardPointer { .. }
            | Self::Fetch(_) => None,
        }
    }
}

/// The outcome of a step.
#[derive(Debug)]
pub(super) enum Outcome {
    Hashed {
        path: String,
        stamp: Stamp,
        hash: ContentHash,
    },
    FolderMade {
        path: String,
        identity: u64,
        folder: FolderId,
        place: Place,
    },
    LocalFolderMade {
        path: String,
        identity: u64,
        folder: FolderId,
        place: Place,
    },
    Placed {
        path: String,
        item: ItemRef,
        from: Place,
        to: Place,
    },
    LocalMoved {
        from: String,
        to: String,
        is_conflict: bool,
        changes: Vec<Change>,
    },
    Sent {
        path: String,
        stamp: Stamp,
        changed_us: ChangedUs,
        hash: ContentHash,
        arrived: Arrived,
        announced: Option<Renaming>,
    },
    Pointed {
        path: String,
        stamp: Stamp,
        place: Place,
        hash: ContentHash,
        pointer: FileId,
        announced: Option<Renaming>,
    },
    /// The service refuses pointers.
    NotPointed {
        path: String,
        announced: Option<Renaming>,
    },
    Retired {
        renamed: Renaming,
    },
    PointerDiscarded {
        pointer: FileId,
    },
    Fetched {
        path: String,
        file: FileId,
        place: Place,
        stamp: Stamp,
        hash: ContentHash,
        replacing: Option<Stamp>,
        is_pointer: bool,
    },
    Deleted {
        path: String,
        file: FileId,
        was_replaced: bool,
        removal: Removal,
    },
    FolderDeleted {
        path: String,
        folder: FolderId,
    },
    Trashed {
        path: String,
    },
    LocalFolderRemoved {
        path: String,
    },
    /// Something in the folder is ignored, or new.
    LocalFolderKept {
        path: String,
    },
}

impl Outcome {
    /// The drive file that an upload came to.
    pub(super) const fn arrived(&self) -> Option<FileId> {
        match self {
            Self::Sent { arrived, .. } => Some(arrived.file),
            _ => None,
        }
    }

    /// The intent that has to be written down before a fetched file gets its place.
    pub(super) fn intent(&self) -> Option<Intent> {
        match self {
            Self::Fetched { path, file, place, stamp, hash, is_pointer, .. } => Some(Intent::Fetched {
                path: path.clone(),
                file: *file,
                place: place.clone(),
                stamp: *stamp,
                hash: *hash,
                is_pointer: *is_pointer,
            }),
            _ => None,
        }
    }
}
