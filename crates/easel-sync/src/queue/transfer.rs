//! A transfer as the window sees it: its state, its failure, and the summary of the whole queue.
//!
//! Plain data only. Always true: a [`State`] that a person sees is either the one in the journal or, while a transfer
//! is at work, the live one put over it. Not here: how a state comes about (`upload_job.rs`, `dispatch.rs`), nor any
//! words for a person: causes are named (`shared/causes.rs`), and the app has the words.

use std::path::PathBuf;

use easel_wire::{FileId, FolderId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::shared::causes::{Failure, Waiting};
use crate::shared::estimate::LimitedBy;
use crate::shared::ids::TransferId;

/// The kind of item that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A file.
    File,
    /// A folder without any item that could be sent. Other folders are made for their files.
    Folder,
}

/// The state of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It waits for its turn.
    Queued,
    /// Somebody is still writing the file.
    Settling,
    /// Its bytes are on their way.
    Sending,
    /// Every byte has gone; the service has not answered yet.
    Registering,
    /// The file is in the drive.
    Sent,
    /// The drive had this content before; [`Transfer::result`] says where.
    AlreadyThere,
    /// A person paused it.
    Paused,
    /// It failed ([`Transfer::failure`] says why); it is tried again when a person asks.
    Failed,
    /// A person ended it; nothing of the file is in the drive.
    Canceled,
}

impl State {
    /// Whether the transfer needs nothing more: it is over, and nothing is wrong.
    #[must_use]
    pub const fn is_finished(self) -> bool {
        matches!(self, Self::Sent | Self::AlreadyThere | Self::Canceled)
    }

    /// Whether the transfer takes one of the slots.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Sending | Self::Registering)
    }

    /// The state as the journal writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Settling => "settling",
            Self::Sending => "sending",
            Self::Registering => "registering",
            Self::Sent => "sent",
            Self::AlreadyThere => "already_there",
            Self::Paused => "paused",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    /// Every state.
    pub const ALL: [Self; 9] = [
        Self::Queued,
        Self::Settling,
        Self::Sending,
        Self::Registering,
        Self::Sent,
        Self::AlreadyThere,
        Self::Paused,
        Self::Failed,
        Self::Canceled,
    ];

    pub(crate) fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// The drive file or folder of a transfer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The file; `None` for a folder.
    pub file_id: Option<FileId>,
    /// The folder of the file, or the folder itself; `None` for the top of the drive.
    pub folder_id: Option<FolderId>,
    /// The name in the drive, where the service told it.
    pub filename: Option<String>,
}

/// One file (or empty folder) on its way, or its history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transfer {
    /// The transfer's id in this journal.
    pub id: TransferId,
    /// A file, or an empty folder.
    pub kind: Kind,
    /// The item's path on this computer.
    pub path: PathBuf,
    /// The item's own name.
    pub name: String,
    /// The folders between the dropped item and the file, joined by `/`; empty for a file that was dropped by itself.
    pub relative_dir: String,
    /// The file's size in bytes, as last seen.
    pub size_bytes: u64,
    /// Bytes handed over in this attempt; all of them once the file is in the drive.
    pub sent_bytes: u64,
    /// The transfer's own speed, smoothed; zero unless it is at work.
    pub bytes_per_second: u64,
    /// Milliseconds until its bytes have gone, while they move.
    pub time_left_ms: Option<u64>,
    /// The transfer's state.
    pub state: State,
    /// Why it failed; only with [`State::Failed`].
    pub failure: Option<Failure>,
    /// Whether a pause now would lose the bytes sent so far, because they go in one request; so the button says so.
    pub restarts_on_pause: bool,
    /// The drive folder that the drop was for; `None` for the top.
    pub target_folder: Option<FolderId>,
    /// The drive file or folder, once there is one.
    pub result: Option<Stored>,
    /// When the item was dropped.
    pub created_at: Timestamp,
    /// When the transfer ended, however it did.
    pub finished_at: Option<Timestamp>,
}

/// Why a dropped item is skipped. The rest goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// The item is no longer there.
    Vanished,
    /// A symbolic link; links are not followed.
    SymbolicLink,
    /// A socket.
    Socket,
    /// A named pipe.
    Fifo,
    /// A device.
    Device,
    /// A folder that contains itself.
    FolderLoop,
    /// The item cannot be read.
    Unreadable {
        /// What the system said.
        detail: String,
    },
    /// The name is not Unicode, longer than 255 characters, or has control characters.
    NameNotPossible,
}

/// A dropped item that was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The item's path.
    pub path: PathBuf,
    /// The reason.
    pub reason: SkipReason,
}

/// The result of a drop. By the time this exists, everything accepted is durable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Enqueued {
    /// The transfers that were made.
    pub accepted: Vec<TransferId>,
    /// The items that were skipped, and why.
    pub skipped: Vec<Skipped>,
}

/// The whole queue's summary. Counts are files and empty folders: everything unfinished, and everything that finished
/// since the queue was last at rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// All that counts: unfinished, failed, paused, and finished in this round.
    pub total: u64,
    /// Sent or already there, in this round.
    pub finished: u64,
    /// At work now.
    pub active: u64,
    /// Failed, in this round or before.
    pub failed: u64,
    /// Paused by a person.
    pub paused: u64,
    /// Bytes of all that counts except failed transfers.
    pub bytes_total: u64,
    /// Bytes of finished transfers, and those on their way.
    pub bytes_sent: u64,
    /// The whole queue's speed, smoothed.
    pub bytes_per_second: u64,
    /// Milliseconds until the queue is done, where enough is known.
    pub time_left_ms: Option<u64>,
    /// What limits the speed.
    pub limited_by: LimitedBy,
    /// Why the whole queue waits; `None` while it does not.
    pub waiting: Option<Waiting>,
    /// Whether a drop is still being walked, so that the counts will grow.
    pub is_counting: bool,
}

/// The transfers of a list, and their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// All, the newest first.
    All,
    /// Neither finished nor failed, in the order of their turns.
    Unfinished,
    /// Failed, the newest first.
    Failed,
    /// Sent, already there or canceled; the last to finish first.
    Finished,
}

/// The changes since the last batch; at most ten batches a second, none while nothing changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Batch {
    /// The whole queue now.
    pub summary: Summary,
    /// The rows that changed, as they are now.
    pub changed: Vec<Transfer>,
    /// More rows changed than a batch carries, or rows are gone: list again.
    pub list_again: bool,
    /// Items that were skipped in a drop whose walk the last run did not finish, so that its caller was not told.
    pub skipped: Vec<Skipped>,
}
