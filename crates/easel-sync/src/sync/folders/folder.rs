//! A watched folder as the window sees it: its settings, state, differences and history.
//!
//! Plain data only, in the manner of `queue/transfer.rs`: causes are named, and the app has the words. Not here: how a
//! state comes about (`control.rs`).

use std::path::PathBuf;

use easel_wire::{FileId, FolderId, Timestamp};
use serde::{Deserialize, Serialize};

pub use crate::sync::plan::{DeletionRule, Mode};

use crate::shared::causes::{Cause, Waiting};
use crate::shared::estimate::LimitedBy;
use crate::shared::ids::WatchId;
use crate::sync::engine::Stage;

/// The settings of a watched folder, which a person can change later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// In which direction changes go.
    pub mode: Mode,
    /// What a local deletion does in the drive.
    pub deletions: DeletionRule,
    /// Patterns of ignored items, one a line, in gitignore form; besides `.easelignore` and the defaults.
    pub ignore: String,
}

impl Default for Choices {
    /// Upload only, and nothing is ever deleted in the drive.
    fn default() -> Self {
        Self { mode: Mode::UploadOnly, deletions: DeletionRule::Keep, ignore: String::new() }
    }
}

/// The drive folder that is kept in step with a watched one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A folder that is there.
    Existing(FolderId),
    /// A folder that is made, or found there under this name.
    New {
        /// The folder above; `None` for the top of the drive.
        parent: Option<FolderId>,
        /// The folder's name, 1 to 255 characters.
        name: String,
    },
}

/// A folder that may be watched: what [`super::Folders::preview`] looks through and [`super::Folders::add`] begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The folder on this computer; absolute.
    pub path: PathBuf,
    /// The folder in the drive.
    pub drive: Target,
    /// The settings.
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
    /// Files that may be the same on both sides already: same path and size. They are read to be sure.
    pub already_same: u64,
    /// Files of one name and different content: both are kept, one under another name.
    pub conflicts: u64,
    /// Deletions in the drive; a first run has none.
    pub deletions_there: u64,
    /// Deletions here; a first run has none.
    pub deletions_here: u64,
    /// The first paths that will differ between the two sides, and why.
    pub skipped: Vec<Note>,
    /// How many paths will differ.
    pub skipped_count: u64,
    /// How long the first run will take, in milliseconds, where enough is known.
    pub time_ms: Option<u64>,
    /// What limits the speed.
    pub limited_by: LimitedBy,
}

/// Why a path differs between the two sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why {
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
    /// A symbolic link; links are not followed.
    SymbolicLink,
    /// A socket, a pipe or a device.
    NotAFile,
    /// The item cannot be read.
    Unreadable,
    /// The content is in the drive as another path's file.
    Link,
    /// The file is a copy, and the drive does not have its content any more.
    ContentMissing,
    /// Deleted here, kept in the drive.
    OnlyInDrive,
    /// Deleted in the drive, kept here; not sent again unless the file changes or [`super::Folders::send_again`] asks.
    OnlyHere,
    /// Someone changed the file in the drive, and only uploads are wanted; the local file stays as it is.
    NewerInDrive,
    /// Someone moved the item in the drive.
    MovedInDrive,
    /// Another file in the drive has the name.
    NameTaken,
    /// The folder above is not in the drive; that folder has a note of its own.
    FolderMissing,
    /// A person's pattern ignores the item.
    Ignored,
    /// The item is hidden, temporary, or a download under way, and ignored by default. This is no difference, and is
    /// listed after all differences.
    LeftOut,
    /// Files that were edited or deleted elsewhere stay in this hidden folder for thirty days, because no trash can be
    /// had. This is no difference.
    TrashHere,
    /// The item was changed, moved or deleted during a step; the next look tries again.
    Unresolved,
    /// Something else was wrong. A file that the service refuses is not tried again before it changes or
    /// [`super::Folders::try_refused_again`] asks; everything else is, at the next look.
    Failed {
        /// The cause.
        cause: Cause,
    },
    /// A cause that an older or newer build wrote down.
    #[serde(other)]
    Unknown,
}

/// A difference that stays, and is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The path below the watched folder; of a drive item, the path that it would have here.
    pub path: String,
    /// The reason.
    pub why: Why,
}

/// How local changes are noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SeenBy {
    /// The system tells.
    Watching,
    /// By looking every so often.
    Polling {
        /// Why the system does not tell: its limit is reached, or the file system cannot tell.
        reason: String,
    },
}

/// What a person has to decide or to mend before the folder goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Need {
    /// The folder is not there: unmounted, renamed, deleted, or another folder is in its place. It goes on by itself
    /// when the folder is back.
    FolderMissing,
    /// The folder is suddenly empty. [`super::Folders::consent`]: that is intended.
    FolderEmpty,
    /// The drive folder is suddenly empty. [`super::Folders::consent`]: that is intended.
    DriveFolderEmpty,
    /// The drive folder is gone. Consent does not help: the watched folder has to be removed, and added again with
    /// another drive folder.
    DriveFolderGone,
    /// The drive is in the state of an earlier time: its service was restored from a backup. So many local files are
    /// newer than the drive's, or elsewhere. [`super::Folders::consent`]: keep the local files and send them again.
    /// [`super::Folders::decline`]: take over what the drive has.
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
    /// Another program of Easel has this folder locked.
    HeldElsewhere {
        /// How that program describes itself.
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
    /// The folder is being opened.
    Starting,
    /// Both sides are being looked at.
    Looking,
    /// Both sides are the same, but for the notes.
    UpToDate,
    /// Files are still being written; the folder goes on when they stand still.
    Settling,
    /// Files are on their way.
    Working {
        /// The kind of the steps at work. Where files are sent and fetched, the figures are of the whole run; else of
        /// this stage.
        stage: Stage,
        /// Steps or files that have ended.
        done: u64,
        /// Steps or files in all.
        total: u64,
        /// Bytes that were moved.
        bytes_done: u64,
        /// Bytes of the whole run.
        bytes_total: u64,
        /// Bytes a second, smoothed.
        bytes_per_second: u64,
        /// Milliseconds until the end, where enough is known.
        time_left_ms: Option<u64>,
        /// What limits the speed.
        limited_by: LimitedBy,
    },
    /// Something has to be over first; then the folder goes on by itself.
    Waiting {
        /// The cause of waiting.
        cause: Waiting,
    },
    /// A person paused the folder.
    Paused,
    /// Nothing happens until a person has decided or mended something.
    NeedsYou {
        /// The decision or repair that is needed.
        need: Need,
    },
}

/// How far undoing changes has come, in acts. Where all are over, it was carried on after the program that began it had ended, and
/// some were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndoingProgress {
    /// Those that were done.
    pub done: u64,
    /// Those that were refused.
    pub refused: u64,
    /// All of them; at least one.
    pub total: u64,
}

/// A watched folder's summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// The folder's id in this journal.
    pub id: WatchId,
    /// The folder on this computer.
    pub path: PathBuf,
    /// The folder in the drive.
    pub drive_folder_id: FolderId,
    /// The drive folder's path from the top of the drive, such as `/Brand/Photos`, as last seen.
    pub drive_path: String,
    /// The settings.
    pub choices: Choices,
    /// The folder's state.
    pub state: State,
    /// Files that both sides agree on, as of the last look.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// How many paths differ; [`super::Folders::list_skipped`] has them.
    pub skipped_count: u64,
    /// How many of these are copies that the service cannot hold ([`Why::Link`]), so that they are on this computer
    /// alone.
    pub copies_here_alone: u64,
    /// How many files have another version beside them between which a person has yet to choose;
    /// [`super::Folders::list_conflicts`] has them.
    pub conflicts: u64,
    /// When both sides were last looked at completely.
    pub last_looked_at: Option<Timestamp>,
    /// After how many milliseconds at most a change in the drive is seen, while nothing is sent; `None` before the
    /// first look.
    pub looks_every_ms: Option<u64>,
    /// Files that were still being written, or had just gone, when the state was last [`State::Settling`]; the first
    /// 100.
    pub settling: Vec<String>,
    /// How changes here are noticed.
    pub seen_by: SeenBy,
    /// Changes are being undone ([`super::Folders::revert`]), or were, and a person has yet to learn how that ended
    /// ([`super::Folders::give_up_undoing`]).
    pub undoing: Option<UndoingProgress>,
}

/// What happened to an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum HistoryEvent {
    /// A file went up.
    Sent,
    /// A file went up and replaced an older version.
    Replaced,
    /// A file came down.
    Fetched,
    /// A folder was made in the drive.
    FolderMadeThere,
    /// A folder was made here.
    FolderMadeHere,
    /// An item was moved or renamed in the drive, as it was here.
    MovedThere {
        /// The item's place before.
        from: String,
    },
    /// An item was moved or renamed here, as it was in the drive.
    MovedHere {
        /// The item's path before.
        from: String,
    },
    /// A file went to the system's trash, or an empty folder was removed, as the drive's was deleted.
    Trashed,
    /// An item was deleted in the drive, as it was here.
    DeletedThere,
    /// The drive's version that an edit had replaced was deleted.
    OldVersionDeleted,
    /// Two contents wanted one name: this file was kept under another name.
    Conflict {
        /// The file's path now.
        kept_as: String,
    },
    /// An entry that an older or newer build wrote down.
    #[serde(other)]
    Unknown,
}

/// A line of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The line's id within the journal; later lines have larger ids.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// Which watched folder.
    pub folder: WatchId,
    /// The path below it.
    pub path: String,
    /// What happened.
    pub what: HistoryEvent,
    /// The file's size in bytes, where a file was sent or fetched.
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

/// All changes since the last batch; at most ten batches a second, none while nothing changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The folders that changed, as they are now.
    pub changed: Vec<Folder>,
    /// The folders that are no longer watched.
    pub removed: Vec<WatchId>,
    /// Whether the history has new lines.
    pub has_history: bool,
}
