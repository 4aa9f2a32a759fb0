//! Acts, in the order in which they are to be done, what they need, and their figures.
//!
//! Data, and what can be counted about it. Not here: which acts undo changes (`undoing`, `planning`), and the doing (`folders/revert`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use easel_wire::{FileId, FolderId, VersionId};
use serde::{Deserialize, Serialize};

use super::{Content, Left};
use crate::shared::names;
use crate::sync::tree::{self, ContentHash, Stamp};

/// A content that a file has to get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The path.
    pub path: String,
    /// The path at which it was last.
    pub was_at: String,
    /// What it has to hold.
    pub content: Content,
    /// The file that it takes the place of.
    pub replacing: Option<Stamp>,
    /// What it held when it was deleted, which is what the drive's trash has of it.
    pub deleted: Option<Content>,
}

/// Where a content is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// In a file of this computer, which is left as it is: in a trash, or elsewhere in the folder.
    Here(PathBuf),
    /// A version of a drive file.
    Version(FileId, VersionId),
    /// In the drive's trash.
    DriveTrash(FileId),
}

/// Where an item of the drive's trash lay, and goes back to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrashedPlace {
    /// Its name; empty where the service does not say.
    pub name: String,
    /// Its folder, `Some(None)` at the top of the drive; `None` where the service does not say.
    pub folder: Option<Option<FolderId>>,
}

/// What trash and versions hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Contents that can be had, the drive's trash aside.
    pub contents: BTreeMap<ContentHash, Source>,
    /// Files in the drive's trash.
    pub trashed_files: BTreeMap<FileId, TrashedPlace>,
    /// Folders in the drive's trash.
    pub trashed_folders: BTreeMap<FolderId, TrashedPlace>,
    /// The drive folder; `None` where that is not known.
    pub root: Option<FolderId>,
    /// What stands in the drive for folders that are here, by identity.
    pub drive_folders: BTreeMap<u64, FolderId>,
    /// Whether what comes back in the drive comes here by itself.
    pub is_both_ways: bool,
}

/// One act. The journal keeps it as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// A folder of the drive comes out of its trash.
    RestoreFolder {
        /// The path here.
        path: String,
        /// The folder.
        folder: FolderId,
    },
    /// A file of the drive comes out of its trash, and from there to its path here.
    RestoreFile {
        /// The path here.
        path: String,
        /// The file.
        file: FileId,
    },
    /// A file goes to the trash.
    Trash {
        /// The path.
        path: String,
        /// What it has to be still.
        stamp: Stamp,
    },
    /// An item gets another path.
    Move {
        /// The path that it has.
        from: String,
        /// The path that it gets.
        to: String,
        /// Which item it has to be still.
        identity: u64,
    },
    /// A folder is removed, if nothing is in it.
    RemoveFolder {
        /// The path.
        path: String,
    },
    /// A folder is made.
    MakeFolder {
        /// The path.
        path: String,
    },
    /// A file gets a content.
    Place {
        /// The path.
        path: String,
        /// What it has to hold.
        content: Content,
        /// Where that is.
        source: Source,
        /// The file that goes to the trash for it, and what it has to be still.
        replacing: Option<Stamp>,
    },
}

impl Act {
    /// The path that it is about; of a move the one that the item gets.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Move { to: path, .. }
            | Self::RestoreFolder { path, .. }
            | Self::RestoreFile { path, .. }
            | Self::Trash { path, .. }
            | Self::RemoveFolder { path }
            | Self::MakeFolder { path }
            | Self::Place { path, .. } => path,
        }
    }
}

/// What will be done, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Files that come back.
    pub back_files: u64,
    /// Files that get an earlier content.
    pub earlier_files: u64,
    /// Bytes of both.
    pub bytes: u64,
    /// Files among those that come back that come beside one that was changed since.
    pub beside_files: u64,
    /// Files among those that come back whose content is a later one, because nothing holds the earlier.
    pub later_files: u64,
    /// Files that go to the trash.
    pub trashed_files: u64,
    /// Items that get the path again that they had.
    pub moved_items: u64,
    /// Folders that come back.
    pub back_folders: u64,
    /// Folders that are removed.
    pub removed_folders: u64,
    /// Files whose content neither trash nor versions hold.
    pub lost_files: u64,
}

/// What undoing comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// What is to be done, in this order.
    pub acts: Vec<Act>,
    /// What cannot be undone, and why.
    pub left: Vec<Left>,
    /// Paths whose content nothing holds any more.
    pub lost: Vec<String>,
    /// All of it in numbers.
    pub figures: Figures,
}

impl Plan {
    /// Counts the acts.
    pub(super) fn count(&mut self) {
        let figures = &mut self.figures;
        for act in &self.acts {
            match act {
                Act::Trash { .. } => figures.trashed_files += 1,
                // Out of the way and to its place is one move of one item.
                Act::Move { to, .. } if names::is_aside(tree::name(to)) => {}
                Act::Move { .. } => figures.moved_items += 1,
                Act::RemoveFolder { .. } => figures.removed_folders += 1,
                Act::RestoreFolder { .. } | Act::MakeFolder { .. } | Act::RestoreFile { .. } | Act::Place { .. } => {}
            }
        }
        let coming = self.acts.iter().filter_map(|act| match act {
            Act::RestoreFolder { path, .. } | Act::MakeFolder { path } => Some(path),
            _ => None,
        });
        figures.back_folders = coming.collect::<BTreeSet<_>>().len() as u64;
        figures.lost_files = self.lost.len() as u64;
    }
}

/// Whether acts leave a folder at this path that they make.
pub(super) fn is_made(acts: &[Act], path: &str) -> bool {
    let last = acts.iter().rev().find_map(|act| match act {
        Act::MakeFolder { path: made } if made == path => Some(true),
        Act::RemoveFolder { path: removed } if removed == path => Some(false),
        _ => None,
    });
    last == Some(true)
}
