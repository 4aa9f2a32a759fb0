//! What the engine tells while it works, and what it leaves for the history.
//!
//! Facts only: no words for a person, no clock. Told synchronously, so a listener must be quick.

use serde::Serialize;

use crate::shared::causes::Waiting;
use crate::sync::tree::Place;

/// What the steps of a plan are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Nothing leaves the machine: what is agreed is written down.
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

/// How far a plan is carried out. What it leads to is planned afterwards: the next plan may have more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Steps that came to their end, well or not.
    pub done: u64,
    /// All steps.
    pub total: u64,
    /// Bytes of the files among those steps that were read, sent or fetched whole.
    pub bytes_done: u64,
    /// Bytes of all files that are read, sent or fetched.
    pub bytes_total: u64,
}

/// What the engine is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Both sides are looked at.
    Looking,
    /// These files are still being written, or have just gone; they are looked at again in a moment, and nothing else is
    /// left to do.
    Settling(Vec<String>),
    /// Steps are carried out.
    Working(Progress),
    /// Nothing can be done for so many milliseconds.
    Waiting {
        /// Why.
        cause: Waiting,
        /// At most so long.
        for_ms: u64,
    },
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A file's content is in the drive.
    Sent {
        /// Its size.
        bytes: u64,
        /// Whether an older version of it was there.
        was_edit: bool,
    },
    /// A drive file is here.
    Fetched {
        /// Its size.
        bytes: u64,
        /// Whether it took the place of an older version, which is in the trash.
        was_edit: bool,
    },
    /// The drive folder was made.
    FolderMade,
    /// The local folder was made.
    FolderMadeHere,
    /// The drive item was moved or renamed, as it was here.
    MovedInDrive {
        /// Where it was.
        from: Place,
        /// Where it is.
        to: Place,
    },
    /// The local item was moved or renamed, as it was in the drive.
    MovedHere {
        /// The path it had.
        from: String,
    },
    /// The local file had to make way for another content of the same name: both are kept.
    ConflictKept {
        /// The path it had.
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

/// What was done to which path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The path that it has now, or had.
    pub path: String,
    /// What was done.
    pub what: What,
}
