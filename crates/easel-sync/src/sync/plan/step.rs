//! A plan: its steps, the differences that stay, and the question to the person.
//!
//! Data only. Not here: how a plan is made (`plan`), and how a step is carried out (`engine`).

use easel_wire::FileId;
use easel_wire::FolderId;

use super::difference::{Guard, Note};
use crate::sync::tree::{Change, ContentHash, Place, Replacing, Stamp};

/// A plan holds about so many steps; the next plan has the rest.
pub(super) const MOST_STEPS: usize = 8_192;

/// One step. Each is safe by itself, and is checked against both sides once more before it is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Writes down what both sides already agree on. No item is touched.
    Record(Vec<Change>),
    /// Reads a local file to know its content.
    Hash {
        /// The file.
        path: String,
    },
    /// Makes the drive folder of a local one.
    MakeFolder {
        /// The local folder.
        path: String,
    },
    /// Makes the local folder of a drive folder.
    MakeLocalFolder {
        /// The path that the folder gets.
        path: String,
        /// The drive folder.
        folder: FolderId,
    },
    /// Moves or renames in the drive; never both in one.
    Place {
        /// The path whose record the item belongs to.
        path: String,
        /// The item's new place in the drive.
        to: Place,
    },
    /// Moves or renames here, never over anything.
    MoveLocal {
        /// The item's path.
        from: String,
        /// The item's new path.
        to: String,
        /// The item's agreed place in the drive afterwards; `None` leaves that as it is.
        place: Option<Place>,
        /// Whether the item makes room for another content of the same name.
        is_conflict: bool,
    },
    /// Sends a file's content. If the path has a drive file already, that one gets the content, or is replaced
    /// afterwards.
    Upload {
        /// The file.
        path: String,
        /// The file's content, where it was read.
        hash: Option<ContentHash>,
        /// The drive file that gets the content, where the service can do that and no other path needs the old content.
        replacing: Option<Replacing>,
    },
    /// Makes a pointer: the content is in the drive already, under another path.
    Point {
        /// The file.
        path: String,
        /// The file's content.
        hash: ContentHash,
        /// Whether the file's place in the drive is free.
        is_free: bool,
    },
    /// Lets a pointer say that it stands for nothing any more.
    Retire {
        /// The pointer's path.
        path: String,
        /// The pointer.
        pointer: FileId,
    },
    /// Deletes a pointer that has said for long enough that it stands for nothing.
    DiscardPointer {
        /// The pointer's path.
        path: String,
        /// The pointer.
        pointer: FileId,
    },
    /// Fetches a file.
    Download {
        /// The path that the file gets.
        path: String,
        /// The drive file.
        file: FileId,
        /// The local file that goes to the trash for it, if it still has this stamp.
        replacing: Option<Stamp>,
    },
    /// Deletes a drive file that was replaced.
    DeleteReplaced {
        /// The path that replaced it.
        path: String,
        /// The drive file.
        file: FileId,
    },
    /// Deletes the drive file of a path that was deleted here.
    DeleteFile {
        /// The path it had.
        path: String,
        /// The drive file.
        file: FileId,
    },
    /// Deletes an empty drive folder whose local one was deleted.
    DeleteFolder {
        /// The path it had.
        path: String,
        /// The drive folder.
        folder: FolderId,
    },
    /// Puts a file in the system's trash that was deleted in the drive.
    TrashLocal {
        /// The file.
        path: String,
    },
    /// Removes an empty folder that was deleted in the drive.
    RemoveLocalFolder {
        /// The folder.
        path: String,
    },
}

impl Op {
    /// The path that the step is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Record(changes) => match changes.first() {
                Some(Change::Put(path, _) | Change::Forget(path) | Change::Rename { to: path, .. }) => path,
                None => "",
            },
            Self::MoveLocal { from: path, .. }
            | Self::Hash { path }
            | Self::MakeFolder { path }
            | Self::MakeLocalFolder { path, .. }
            | Self::Place { path, .. }
            | Self::Upload { path, .. }
            | Self::Point { path, .. }
            | Self::Retire { path, .. }
            | Self::DiscardPointer { path, .. }
            | Self::Download { path, .. }
            | Self::DeleteReplaced { path, .. }
            | Self::DeleteFile { path, .. }
            | Self::DeleteFolder { path, .. }
            | Self::TrashLocal { path }
            | Self::RemoveLocalFolder { path } => path,
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps, in this order. Afterwards a new plan is made.
    pub ops: Vec<Op>,
    /// The differences that stay, as far as the stages got; complete when there is nothing to do.
    pub notes: Vec<Note>,
    /// The question to the person; then there are no steps.
    pub guard: Option<Guard>,
    /// What the next plans will have of the same kind, as far as is known.
    pub left: Left,
}

impl Plan {
    /// Adds a step about so many bytes, as long as there is room.
    pub(super) fn add(&mut self, op: Op, bytes: u64) {
        if self.ops.len() < MOST_STEPS {
            self.ops.push(op);
        } else {
            self.left.add(bytes);
        }
    }
}

/// Steps that a plan had no room for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    /// Their number.
    pub steps: u64,
    /// The bytes that they read, send or fetch.
    pub bytes: u64,
}

impl Left {
    pub(super) const fn add(&mut self, bytes: u64) {
        self.steps += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}
