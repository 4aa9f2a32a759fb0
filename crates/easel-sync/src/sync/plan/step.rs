//! What a plan is made of: the steps, the differences that stay, and the questions to the person.
//!
//! Data only. Not here: how a plan is made (`plan`), and how a step is carried out (`engine`).

use easel_wire::FileId;
use easel_wire::FolderId;

use super::difference::{Guard, Note};
use crate::sync::tree::{Change, ContentHash, Place, Replacing, Stamp};

/// A plan holds about so many steps. The next one has those that are left.
pub(super) const MOST_STEPS: usize = 8_192;

/// One step. Each is safe by itself, and is checked against both sides once more before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Writes down what both sides already agree on. Nothing is touched.
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
        /// Where.
        path: String,
        /// The drive folder.
        folder: FolderId,
    },
    /// Moves or renames in the drive; never both in one.
    Place {
        /// Whose record it is.
        path: String,
        /// The place in the drive that it gets.
        to: Place,
    },
    /// Moves or renames here, never over anything.
    MoveLocal {
        /// What.
        from: String,
        /// Where to.
        to: String,
        /// What is agreed about its place in the drive afterwards; `None` leaves that as it is.
        place: Option<Place>,
        /// Whether it makes room for another content of the same name.
        is_conflict: bool,
    },
    /// Sends a file's content. Where the path has a drive file already, that one gets it, or is replaced afterwards.
    Upload {
        /// The file.
        path: String,
        /// Its content, where it was read.
        hash: Option<ContentHash>,
        /// The drive file that gets it, where the service can do that and nothing else needs what that file has.
        replacing: Option<Replacing>,
    },
    /// Makes a pointer: the content is in the drive already, under another path.
    Point {
        /// The file.
        path: String,
        /// Its content.
        hash: ContentHash,
        /// Whether nothing is at its place in the drive.
        is_free: bool,
    },
    /// Lets a pointer say that it stands for nothing any more.
    Retire {
        /// Where it lies.
        path: String,
        /// The pointer.
        pointer: FileId,
    },
    /// Deletes a pointer that has said for long enough that it stands for nothing.
    DiscardPointer {
        /// Where it lies.
        path: String,
        /// The pointer.
        pointer: FileId,
    },
    /// Fetches a file.
    Download {
        /// Where to.
        path: String,
        /// The drive file.
        file: FileId,
        /// The local file that goes to the trash for it, if it is still this one.
        replacing: Option<Stamp>,
    },
    /// Deletes a drive file that was replaced.
    DeleteReplaced {
        /// By which path.
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
    /// The path that it is about.
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
    /// In this order. Afterwards it is planned again.
    pub ops: Vec<Op>,
    /// What stays different, as far as the stages got; whole when there is nothing to do.
    pub notes: Vec<Note>,
    /// Set when the person has to be asked first; then there are no operations.
    pub guard: Option<Guard>,
    /// What the next plans will have of the same kind, as far as that is known.
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
    /// How many.
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
