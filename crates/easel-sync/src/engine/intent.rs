//! What is about to be done and could be left half known by a crash or a lost answer. One a path at a time.

use easel_wire::{FileId, FolderId};
use serde::{Deserialize, Serialize};

use crate::tree::{Change, ContentHash, Place, Stamp};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Intent {
    /// A drive folder is made.
    MakeFolder {
        /// The local folder.
        path: String,
        /// Its identity.
        identity: u64,
        /// The place in the drive that it gets.
        place: Place,
    },
    /// A local folder is made.
    MakeLocalFolder {
        /// Where.
        path: String,
        /// The drive folder.
        folder: FolderId,
        /// Where the drive has it.
        place: Place,
    },
    /// A drive item is moved or renamed.
    Place {
        /// Whose record it is.
        path: String,
        /// Where it goes.
        to: Place,
    },
    /// A local item is moved or renamed.
    MoveLocal {
        /// Where it was.
        from: String,
        /// Where it goes.
        to: String,
        /// Its identity.
        identity: u64,
        /// What is to be agreed when it is there.
        changes: Vec<Change>,
    },
    /// A file is sent.
    Upload {
        /// The file.
        path: String,
        /// As it was.
        stamp: Stamp,
        /// Its content, once it is known.
        hash: Option<ContentHash>,
        /// The key in storage, once there is one.
        key: Option<String>,
    },
    /// A fetched file is put in its place.
    Fetched {
        /// Where.
        path: String,
        /// The drive file.
        file: FileId,
        /// Where the drive has it.
        place: Place,
        /// The fetched file.
        stamp: Stamp,
        /// Its content.
        hash: ContentHash,
    },
    /// A drive file is deleted.
    Delete {
        /// Whose record it is in.
        path: String,
        /// The drive file.
        file: FileId,
    },
    /// An empty drive folder is deleted.
    DeleteFolder {
        /// Whose record it is.
        path: String,
        /// The drive folder.
        folder: FolderId,
    },
}

impl Intent {
    /// The path that it is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::MakeFolder { path, .. }
            | Self::MakeLocalFolder { path, .. }
            | Self::Place { path, .. }
            | Self::MoveLocal { from: path, .. }
            | Self::Upload { path, .. }
            | Self::Fetched { path, .. }
            | Self::Delete { path, .. }
            | Self::DeleteFolder { path, .. } => path,
        }
    }

    /// The paths here whose state it leaves open.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let to = match self {
            Self::MoveLocal { to, .. } => Some(to.as_str()),
            _ => None,
        };
        std::iter::once(self.path()).chain(to)
    }
}
