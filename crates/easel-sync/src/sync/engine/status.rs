//! What the engine tells while it works, and what goes into the history.
//!
//! Facts only: no words for a person, no clock. Told synchronously, so a listener must be quick.

use serde::Serialize;

use crate::shared::causes::Waiting;
use crate::sync::tree::Place;

/// The kind of a plan's steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Agreements are written down; no bytes leave the machine.
    Comparing,
    /// Files are read to know their content.
    Reading,
    /// Folders are made.
    MakingFolders,
    /// Items are moved and renamed.
    Moving,
    /// Files are sent and fetched.
    Transferring,
    /// Items are deleted.
    Deleting,
}

/// How far a plan is carried out. The next plan may have more steps, which follow from these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The kind of the steps at work.
    pub stage: Stage,
    /// Steps that have ended, well or not.
    pub done: u64,
    /// All steps.
    pub total: u64,
    /// Bytes of the files that ended steps have read, sent or fetched whole.
    pub bytes_done: u64,
    /// Bytes of all files of the plan.
    pub bytes_total: u64,
}

/// What the engine is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineStatus {
    /// Both sides are being looked at.
    Looking,
    /// These files are still being written, or have just gone; they are looked at again in a moment. Nothing else is
    /// left to do.
    Settling(Vec<String>),
    /// Steps are being carried out.
    Working(Progress),
    /// Nothing can be done for so many milliseconds.
    Waiting {
        /// The cause.
        cause: Waiting,
        /// The longest wait, in milliseconds.
        for_ms: u64,
    },
}

/// A kind of change to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeKind {
    /// A file's content is in the drive.
    Sent {
        /// The file's size in bytes.
        bytes: u64,
        /// Whether an older version of the file was in the drive.
        was_edit: bool,
    },
    /// A drive file is here.
    Fetched {
        /// The file's size in bytes.
        bytes: u64,
        /// Whether the file replaced an older version, which is in the trash.
        was_edit: bool,
    },
    /// The drive folder was made.
    FolderMade,
    /// The local folder was made.
    FolderMadeHere,
    /// The drive item was moved or renamed, as the local one had been.
    MovedInDrive {
        /// The item's place before.
        from: Place,
        /// The item's place now.
        to: Place,
    },
    /// The local item was moved or renamed, as the drive's had been.
    MovedHere {
        /// The item's path before.
        from: String,
    },
    /// The local file had to make way for another content of the same name: both are kept.
    ConflictKept {
        /// The file's path before.
        from: String,
    },
    /// The local file is in the system's trash, because it was deleted in the drive.
    Trashed,
    /// The local folder was removed, because it was deleted in the drive.
    FolderRemoved,
    /// The drive file was deleted, because the local one was.
    DeletedInDrive,
    /// The version that an edit replaced was deleted in the drive.
    ReplacedDeleted,
    /// The drive folder was deleted, because the local one was.
    FolderDeletedInDrive,
}

/// A change to one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedChange {
    /// The path after the change; of a deleted item, its last one.
    pub path: String,
    /// The kind of change.
    pub what: ChangeKind,
}
