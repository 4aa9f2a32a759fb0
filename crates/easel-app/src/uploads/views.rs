//! Uploads as the page shows them, and the places for dropped files that it tells.

use easel_sync as sync;
use serde::{Deserialize, Serialize};

use crate::number::WholeNumber;
use crate::problem::Problem;

/// Where dropped files land.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DropTarget {
    /// The folder; `null` for the top of the drive.
    pub folder_id: Option<String>,
    /// What the person calls it, such as `Brand / Photos`.
    pub label: String,
}

/// Files that a person gave, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FilesTaken {
    /// How many files are in the queue now because of it.
    pub accepted: WholeNumber,
    /// What was not taken, and why.
    pub skipped: Vec<SkippedFile>,
}

/// A file or folder that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SkippedFile {
    /// Its name.
    pub name: String,
    /// Why, in a person's words.
    pub reason: String,
}

/// Which transfers to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TransferFilter {
    /// All of them.
    All,
    /// Those that are not finished.
    Unfinished,
    /// Those that failed.
    Failed,
    /// Those that are in the drive.
    Finished,
}

/// How far a transfer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TransferState {
    /// Its turn has not come.
    Queued,
    /// The file is still being written by another program.
    Settling,
    /// Bytes are going.
    Sending,
    /// All bytes are there; the service is taking them into the drive.
    Registering,
    /// In the drive.
    Sent,
    /// The drive had the same content before.
    AlreadyThere,
    /// Waiting for the person.
    Paused,
    /// `problem` says why.
    Failed,
    /// The person took it back.
    Canceled,
}

/// A transfer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TransferView {
    /// Its id.
    pub id: String,
    /// The file's name on this computer.
    pub name: String,
    /// The folders that it came with, such as `Photos/Raw`; empty for a single file.
    pub relative_dir: String,
    /// The file's size.
    pub size_bytes: WholeNumber,
    /// How much of it is there.
    pub sent_bytes: WholeNumber,
    /// How fast it goes, while it is being sent.
    pub bytes_per_second: WholeNumber,
    /// How long it still takes, where that can be told.
    pub time_left_ms: Option<WholeNumber>,
    /// How far it is.
    pub state: TransferState,
    /// Pausing now would mean sending it again from the start.
    pub pause_restarts: bool,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// The folder that it was meant for; `null` for the top of the drive.
    pub folder_id: Option<String>,
    /// What is in the drive now.
    pub result: Option<TransferResult>,
    /// When it was taken, RFC 3339.
    pub created_at: String,
    /// When it ended, RFC 3339.
    pub finished_at: Option<String>,
}

/// What is in the drive after a transfer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TransferResult {
    /// The file.
    pub file_id: String,
    /// The folder that it lies in; `null` for the top of the drive.
    pub folder_id: Option<String>,
    /// The way to that folder, such as `Brand / Logos`; empty for the top, `null` where it is not known.
    pub place: Option<String>,
    /// The name that it has there.
    pub filename: Option<String>,
}

/// What holds the queue back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum LimitedBy {
    /// Nothing in particular.
    Nothing,
    /// The speed of the connection.
    Bytes,
    /// The number of requests that the service takes a minute.
    Requests,
    /// What every file costs by itself, whatever its size.
    Files,
}

impl From<sync::LimitedBy> for LimitedBy {
    fn from(limit: sync::LimitedBy) -> Self {
        match limit {
            sync::LimitedBy::Nothing => Self::Nothing,
            sync::LimitedBy::Bytes => Self::Bytes,
            sync::LimitedBy::Requests => Self::Requests,
            sync::LimitedBy::Files => Self::Files,
        }
    }
}

/// The queue in figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TransfersSummary {
    /// Transfers on the list.
    pub total: WholeNumber,
    /// Those in the drive.
    pub finished: WholeNumber,
    /// Those being sent.
    pub active: WholeNumber,
    /// Those that failed.
    pub failed: WholeNumber,
    /// Those that wait for the person.
    pub paused: WholeNumber,
    /// Bytes of all transfers.
    pub bytes_total: WholeNumber,
    /// Bytes that are there.
    pub bytes_sent: WholeNumber,
    /// How fast the queue goes.
    pub bytes_per_second: WholeNumber,
    /// How long it still takes, where that can be told.
    pub time_left_ms: Option<WholeNumber>,
    /// What holds it back.
    pub limited_by: LimitedBy,
    /// Something that was dropped is still being looked through, so that the counts will grow.
    pub is_counting: bool,
    /// What the whole queue waits for; it goes on by itself when the cause is gone.
    pub waiting: Option<Problem>,
}

/// A part of the list of transfers, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TransferList {
    /// The whole queue in figures.
    pub summary: TransfersSummary,
    /// The transfers that were asked for.
    pub transfers: Vec<TransferView>,
}

/// A part of the window, in the page's own pixels from its top left.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DropArea {
    /// Its left edge.
    pub left: f64,
    /// Its top edge.
    pub top: f64,
    /// Its right edge.
    pub right: f64,
    /// Its bottom edge.
    pub bottom: f64,
}

impl DropArea {
    pub(super) fn holds(&self, at: (f64, f64)) -> bool {
        (self.left..self.right).contains(&at.0) && (self.top..self.bottom).contains(&at.1)
    }
}

/// Which of a screen's places files are over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DropOver {
    /// The one that puts them in the drive.
    #[default]
    Drive,
    /// The one that uses them in the design that is being described.
    Design,
    /// The one that keeps a folder in step.
    Step,
    /// The one that begins a brand kit with a file.
    BrandKit,
}
