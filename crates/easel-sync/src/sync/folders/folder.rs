//! What a watched folder is, as the window sees it: what was chosen, how it stands, what differs, what happened.
//!
//! Plain data only, in the manner of `transfer.rs`: causes are named, and the app has the words. Not here: how a state
//! comes about (`control.rs`).

use std::path::PathBuf;

use easel_wire::{FileId, FolderId, Timestamp};
use serde::{Deserialize, Serialize};

pub use crate::sync::plan::{DeletionRule, Mode};

use crate::shared::causes::{Cause, Waiting};
use crate::shared::estimate::LimitedBy;
use crate::shared::ids::WatchId;
use crate::sync::engine::Stage;

/// What a person can choose, and choose again later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// Which way changes go.
    pub mode: Mode,
    /// What a local deletion does in the drive.
    pub deletions: DeletionRule,
    /// Patterns of what is left out, one a line, in gitignore form; beside `.easelignore` and the defaults.
    pub ignore: String,
}

impl Default for Choices {
    /// Upload only, and nothing is ever deleted in the drive.
    fn default() -> Self {
        Self { mode: Mode::UploadOnly, deletions: DeletionRule::Keep, ignore: String::new() }
    }
}

/// The drive folder that is to stand for a watched one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One that is there.
    Existing(FolderId),
    /// One that is made, or found there under this name.
    New {
        /// The folder above; `None` for the top of the drive.
        parent: Option<FolderId>,
        /// Its name, 1 to 255 characters.
        name: String,
    },
}

/// A folder that may be watched: what [`super::Folders::preview`] looks through and [`super::Folders::add`] begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// On this computer; absolute.
    pub path: PathBuf,
    /// In the drive.
    pub drive: Target,
    /// What was chosen.
    pub choices: Choices,
}

/// What a first run would do, in numbers. Nothing of it is done yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// Files that go up.
    pub up_files: u64,
    /// Their size in bytes.
    pub up_bytes: u64,
    /// Folders that are made in the drive.
    pub folders_there: u64,
    /// Files that come down.
    pub down_files: u64,
    /// Their size in bytes.
    pub down_bytes: u64,
    /// Folders that are made here.
    pub folders_here: u64,
    /// Files that may be the same on both sides already: same place, name and size. They are read to be sure.
    pub already_same: u64,
    /// Files of one name and different content: both are kept, one under another name.
    pub conflicts: u64,
    /// Deletions in the drive; a first run has none.
    pub deletions_there: u64,
    /// Deletions here; a first run has none.
    pub deletions_here: u64,
    /// What will not be the same on both sides, and why; the first of them.
    pub skipped: Vec<Note>,
    /// How many that are in all.
    pub skipped_count: u64,
    /// Milliseconds that it will take, where enough is known.
    pub time_ms: Option<u64>,
    /// What the time depends on.
    pub limited_by: LimitedBy,
}

/// Why a path is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why {
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
    /// A symbolic link; links are not followed.
    SymbolicLink,
    /// A socket, a pipe or a device.
    NotAFile,
    /// It cannot be read.
    Unreadable,
    /// Its content is in the drive as another file, whose home is elsewhere.
    Link,
    /// A copy, whose content the drive does not hold any more.
    ContentMissing,
    /// Deleted here, kept in the drive.
    OnlyInDrive,
    /// Deleted in the drive, kept here; not sent again unless it changes or [`super::Folders::send_again`] asks.
    OnlyHere,
    /// Someone changed it in the drive, and only uploads are wanted; what is here stays as it is.
    NewerInDrive,
    /// Someone moved it in the drive.
    MovedInDrive,
    /// Its name is taken in the drive by another file.
    NameTaken,
    /// The folder that it lies in is not in the drive, which has its own note.
    FolderMissing,
    /// A pattern leaves it out that someone wrote.
    Ignored,
    /// It is hidden, temporary, or a download under way, and such are left out. It is no difference, and comes after all that is.
    LeftOut,
    /// What was edited or deleted elsewhere is kept in this hidden folder for thirty days, because no trash can be had. It is no
    /// difference.
    TrashHere,
    /// It was changed, moved or deleted while something was done with it; it is tried again at the next look.
    Unresolved,
    /// Something else was wrong with it. What the service refuses is not tried again before the file is another or
    /// [`super::Folders::try_refused_again`] asks; all else is, at the next look.
    Failed {
        /// What.
        cause: Cause,
    },
    /// A cause that an older or newer build wrote down.
    #[serde(other)]
    Unknown,
}

/// A difference that stays, and is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The path below the watched folder, or the path that a drive item would have.
    pub path: String,
    /// Why.
    pub why: Why,
}

/// How changes here are noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SeenBy {
    /// The system tells.
    Watching,
    /// By looking every so often.
    Polling {
        /// Why the system does not tell: its limit is reached, or the file system cannot.
        reason: String,
    },
}

/// What a folder waits for a person to decide or to mend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Need {
    /// The folder is not there: unmounted, renamed, deleted, another one in its place. It goes on by itself when it is back.
    FolderMissing,
    /// The folder is suddenly empty. [`super::Folders::consent`]: it is meant so.
    FolderEmpty,
    /// The drive folder is suddenly empty. [`super::Folders::consent`]: it is meant so.
    DriveFolderEmpty,
    /// The drive folder is gone. No consent helps: the watched folder is removed, and watched anew with another.
    DriveFolderGone,
    /// The drive is as it was at an earlier time: its service was restored from a backup. So many files here are newer, or
    /// elsewhere. [`super::Folders::consent`]: keep what is here and send it again. [`super::Folders::decline`]: take over
    /// what the drive has.
    DriveWentBack {
        /// How many.
        count: u64,
    },
    /// This many items would be deleted in the drive.
    ManyDeletionsThere {
        /// How many.
        count: u64,
    },
    /// This many items would be deleted here.
    ManyDeletionsHere {
        /// How many.
        count: u64,
    },
    /// Another program of Easel keeps this folder in step.
    HeldElsewhere {
        /// What it says of itself.
        holder: String,
    },
    /// The system does not let the folder be read.
    FolderUnreadable,
}

/// What a watched folder is doing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// It is being taken up.
    Starting,
    /// Both sides are being looked at.
    Looking,
    /// Both sides are the same, but for the notes.
    UpToDate,
    /// Files are still being written; it goes on when they stand still.
    Settling,
    /// Files are on their way.
    Working {
        /// What is being done. Where files are sent and fetched, the figures are of the whole run; else of this stage.
        stage: Stage,
        /// Steps or files that are over.
        done: u64,
        /// Steps or files in all.
        total: u64,
        /// Bytes that are over.
        bytes_done: u64,
        /// Bytes in all, this run.
        bytes_total: u64,
        /// Smoothed.
        bytes_per_second: u64,
        /// Milliseconds until it is done, where enough is known.
        time_left_ms: Option<u64>,
        /// What the time depends on.
        limited_by: LimitedBy,
    },
    /// Something has to pass; it goes on by itself.
    Waiting {
        /// What.
        cause: Waiting,
    },
    /// A person stopped it for now.
    Paused,
    /// Nothing happens until a person has decided or mended something.
    NeedsYou {
        /// What.
        need: Need,
    },
}

/// A watched folder at one glance.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// Its name in this journal.
    pub id: WatchId,
    /// On this computer.
    pub path: PathBuf,
    /// In the drive.
    pub drive_folder_id: FolderId,
    /// Its place from the top of the drive, such as `/Brand/Photos`, as last seen.
    pub drive_path: String,
    /// What was chosen.
    pub choices: Choices,
    /// What it is doing.
    pub state: State,
    /// Files that both sides agree on, as of the last look.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// How many differences stay; [`super::Folders::list_skipped`] has them.
    pub skipped_count: u64,
    /// How many of these are copies that the service has no place for ([`Why::Link`]): on this computer alone, and nowhere else.
    pub copies_here_alone: u64,
    /// How many files have another version beside them that a person has yet to choose from;
    /// [`super::Folders::list_conflicts`] has them.
    pub conflicts: u64,
    /// When both sides were last looked at to the end.
    pub last_looked_at: Option<Timestamp>,
    /// After how many milliseconds at most a change in the drive is seen, while nothing is sent; `None` where only the
    /// first look will tell.
    pub looks_every_ms: Option<u64>,
    /// Files that were still being written, or had just gone, when the state was last [`State::Settling`]; the first 100.
    pub settling: Vec<String>,
    /// How changes here are noticed.
    pub seen_by: SeenBy,
}

/// What happened to one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum What {
    /// A file went up.
    Sent,
    /// A file went up in the place of an older version.
    Replaced,
    /// A file came down.
    Fetched,
    /// A folder was made in the drive.
    FolderMadeThere,
    /// A folder was made here.
    FolderMadeHere,
    /// An item was moved or renamed in the drive, as it was here.
    MovedThere {
        /// Where it was.
        from: String,
    },
    /// An item was moved or renamed here, as it was in the drive.
    MovedHere {
        /// Where it was.
        from: String,
    },
    /// A file went to the system's trash, or an empty folder was removed, as the drive's was deleted.
    Trashed,
    /// An item was deleted in the drive, as it was here.
    DeletedThere,
    /// The version was deleted in the drive that an edit has replaced.
    OldVersionDeleted,
    /// Two contents wanted one name: this one keeps another beside it.
    Conflict {
        /// The path that it has now.
        kept_as: String,
    },
    /// Something that an older or newer build wrote down.
    #[serde(other)]
    Unknown,
}

/// A line of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Names the line within the journal; later lines have larger numbers.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Which watched folder.
    pub folder: WatchId,
    /// The path below it.
    pub path: String,
    /// What happened.
    pub what: What,
    /// The size of the file in bytes, where it is one that was sent or fetched.
    pub bytes: Option<u64>,
    /// The number of the run that it happened in; `None` for what an older build wrote down.
    pub run: Option<i64>,
    /// Whether it was written down what it found and left, so that it can be undone as far as that is kept anywhere. Of a
    /// folder's first run it is not.
    pub can_be_undone: bool,
    /// Whether nothing was at its path before, as far as that is known.
    pub is_new: bool,
    /// The drive file that it was about, where it was about a file and that is known.
    pub file: Option<FileId>,
    /// Who made the change in the drive, where somebody found out.
    pub author: Option<Author>,
}

/// Who made a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// What they are called.
    pub name: String,
    /// Whether it is the person whose key is used here.
    pub is_you: bool,
}

/// What changed since the last batch; at most ten batches a second, none while nothing changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The folders that changed, as they are now.
    pub changed: Vec<Folder>,
    /// Those that are no longer watched.
    pub removed: Vec<WatchId>,
    /// Whether the history has new lines.
    pub has_history: bool,
}
