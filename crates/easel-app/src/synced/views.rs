//! Synced folders as the page shows them: plain data, made from easel-sync's.
//!
//! Always true: a path of this computer is shown as people write it (`~/Pictures`), and never read back: the page names
//! a folder by its id, and one that is not watched yet by the id of a [`SyncedSource`].

use easel_sync::folders as sync;
use serde::{Deserialize, Serialize};

use super::left_out;
use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::uploads::views::LimitedBy;

/// Which way changes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SyncMode {
    /// From here to the drive; nothing here is ever touched.
    UploadOnly,
    /// Both ways.
    BothWays,
}

/// What a deletion on this computer does in the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SyncDeletions {
    /// Nothing: the drive keeps the file.
    Keep,
    /// It deletes there too.
    Delete,
}

/// What a person chooses for a folder, and may choose again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedChoices {
    /// Which way changes go.
    pub mode: SyncMode,
    /// What a deletion on this computer does in the drive.
    pub deletions: SyncDeletions,
    /// What is left out, a pattern a line, as in a `.gitignore`.
    pub ignore: String,
    /// Subfolders that are left out, by their paths below the folder.
    pub left_out: Vec<String>,
}

/// A folder that a person chose or dropped, and that is not watched yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedSource {
    /// Names it for `preview_synced_folder` and `add_synced_folder`, until Easel closes.
    pub source_id: String,
    /// Its own name.
    pub name: String,
    /// Where it lies, as people write it.
    pub path: String,
}

/// A folder that may be watched, as the page describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedDraft {
    /// From [`SyncedSource`].
    pub source_id: String,
    /// The drive folder that stands for it; `null` where one is made.
    pub drive_folder_id: Option<String>,
    /// Where it is made; `null` for the top of the drive.
    pub new_in: Option<String>,
    /// Its name, where it is made.
    pub new_name: String,
    /// What was chosen.
    pub choices: SyncedChoices,
}

/// What a first run would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedPreview {
    /// Files that go up.
    pub up_files: WholeNumber,
    /// Their size.
    pub up_bytes: WholeNumber,
    /// Files that come down.
    pub down_files: WholeNumber,
    /// Their size.
    pub down_bytes: WholeNumber,
    /// Folders that are made, there and here.
    pub folders: WholeNumber,
    /// Files that seem to be the same on both sides already.
    pub already_same: WholeNumber,
    /// Files of one name with different content: both are kept.
    pub conflicts: WholeNumber,
    /// What is deleted, on either side. A first run deletes nothing.
    pub deletions: WholeNumber,
    /// What is left out; the first of them.
    pub skipped: Vec<SyncedSkip>,
    /// How many those are in all.
    pub skipped_count: WholeNumber,
    /// How long it takes, where that can be told.
    pub time_ms: Option<WholeNumber>,
    /// What the time depends on.
    pub limited_by: LimitedBy,
}

/// A file that is not the same on both sides, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedSkip {
    /// Its path below the folder.
    pub path: String,
    /// Why, in a person's words.
    pub reason: String,
    /// It was deleted in the drive and can be sent again: `send_synced_file_again`.
    pub can_send_again: bool,
}

/// What a folder needs of the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedNeed {
    /// What is the matter, with the button that helps by itself.
    pub problem: Problem,
    /// It is a question with two answers; `null` where there is nothing to answer.
    pub question: Option<SyncedQuestion>,
}

/// A question that stands before many deletions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedQuestion {
    /// What stands on the button that goes on.
    pub go_on: String,
    /// What stands on the button that does not; `null` where a folder has no such answer.
    pub keep: Option<String>,
}

/// What a folder is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SyncedState {
    /// It is being taken up.
    Starting,
    /// Both sides are being looked at.
    Looking,
    /// Both sides are the same.
    UpToDate,
    /// Files are still being written.
    Settling,
    /// Something is being done.
    Working {
        /// What.
        stage: SyncedStage,
        /// Files, or steps of this stage, that are over.
        done: WholeNumber,
        /// How many there are in all: of the whole run, where files are sent and fetched.
        total: WholeNumber,
        /// Bytes that are over.
        bytes_done: WholeNumber,
        /// Bytes in all.
        bytes_total: WholeNumber,
        /// How fast.
        bytes_per_second: WholeNumber,
        /// How long it still takes, where that can be told.
        time_left_ms: Option<WholeNumber>,
        /// What that depends on.
        limited_by: LimitedBy,
    },
    /// Something has to pass; it goes on by itself.
    Waiting {
        /// What, in words.
        problem: Problem,
    },
    /// The person stopped it.
    Paused,
    /// Only a person can help.
    NeedsYou {
        /// With what.
        need: SyncedNeed,
    },
}

/// What is being done with a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SyncedStage {
    /// Files are read, to know what they hold.
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

/// How far undoing changes of a folder has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedUndoing {
    /// Steps that were done.
    pub done: WholeNumber,
    /// Steps that were refused.
    pub refused: WholeNumber,
    /// All of its steps. Where all are over, a restart carried it on, and `give_up_undoing` takes note of how it ended.
    pub total: WholeNumber,
}

/// A synced folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SyncedFolderView {
    /// Its id.
    pub id: String,
    /// Its own name.
    pub name: String,
    /// Where it lies, as people write it.
    pub path: String,
    /// The drive folder that stands for it.
    pub drive_folder_id: String,
    /// Where that lies, such as `Brand / Photos`.
    pub drive_place: String,
    /// What was chosen.
    pub choices: SyncedChoices,
    /// What it is doing.
    pub state: SyncedState,
    /// Files that both sides agree on.
    pub files: WholeNumber,
    /// Their size.
    pub bytes: WholeNumber,
    /// How many files are not the same on both sides: `list_synced_skips`.
    pub skipped_count: WholeNumber,
    /// How many of these are copies that the service has no place for, so that they are on this computer alone.
    pub copies_here_alone: WholeNumber,
    /// How many files have another version beside them that the person has yet to choose from: `list_synced_conflicts`.
    pub conflicts: WholeNumber,
    /// When both sides were last looked at, RFC 3339.
    pub last_looked_at: Option<String>,
    /// After how long at most a change in the drive is seen.
    pub looks_every_ms: Option<WholeNumber>,
    /// The system does not tell of changes here, so Easel looks every so often: why.
    pub polling_reason: Option<String>,
    /// Changes are being undone, or were.
    pub undoing: Option<SyncedUndoing>,
}

impl From<&SyncedChoices> for sync::Choices {
    fn from(choices: &SyncedChoices) -> Self {
        Self {
            mode: match choices.mode {
                SyncMode::UploadOnly => sync::Mode::UploadOnly,
                SyncMode::BothWays => sync::Mode::BothWays,
            },
            deletions: match choices.deletions {
                SyncDeletions::Keep => sync::DeletionRule::Keep,
                SyncDeletions::Delete => sync::DeletionRule::Delete,
            },
            ignore: left_out::join(&choices.ignore, &choices.left_out),
        }
    }
}

impl From<sync::Stage> for SyncedStage {
    fn from(stage: sync::Stage) -> Self {
        match stage {
            sync::Stage::Comparing | sync::Stage::Reading => Self::Reading,
            sync::Stage::MakingFolders => Self::MakingFolders,
            sync::Stage::Moving => Self::Moving,
            sync::Stage::Transferring => Self::Transferring,
            sync::Stage::Deleting => Self::Deleting,
        }
    }
}
