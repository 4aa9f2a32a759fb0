//! What a transfer is, as the window sees it: its state, why it failed, how far the whole queue is.
//!
//! Plain data only. Always true: a [`State`] that a person sees is either the one in the journal or, while a transfer is
//! at work, the live one laid over it. Not here: how a state comes about (`queue.rs`, `sender.rs`), nor any words for a
//! person: causes are named (`causes.rs`), and the app has the words.

use std::path::PathBuf;

use easel_wire::{FileId, FolderId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::shared::causes::{Failure, Waiting};
use crate::shared::estimate::LimitedBy;
use crate::shared::ids::TransferId;

/// What is being sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A file.
    File,
    /// A folder without anything in it that could be sent. Other folders are made on the way of their files.
    Folder,
}

/// Where a transfer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for its turn.
    Queued,
    /// Somebody is still writing the file.
    Settling,
    /// Its bytes are on the way.
    Sending,
    /// Every byte is over; the service has not answered yet.
    Registering,
    /// In the drive.
    Sent,
    /// The drive had this content before; [`Transfer::result`] says where.
    AlreadyThere,
    /// A person stopped it for now.
    Paused,
    /// [`Transfer::failure`] says why; it is tried again when a person asks.
    Failed,
    /// A person stopped it for good; nothing of it is in the drive.
    Canceled,
}

impl State {
    /// Whether nothing more happens unless a person asks for it, and nothing is wrong.
    #[must_use]
    pub const fn is_finished(self) -> bool {
        matches!(self, Self::Sent | Self::AlreadyThere | Self::Canceled)
    }

    /// Whether it occupies one of the places at once.
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

/// What the service made of a transfer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The file; `None` for a folder.
    pub file_id: Option<FileId>,
    /// The folder that the file lies in, or the folder itself; `None` for the top of the drive.
    pub folder_id: Option<FolderId>,
    /// The name in the drive, where the service said it.
    pub filename: Option<String>,
}

/// One file (or empty folder) on its way, or its history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transfer {
    /// Its name in this journal.
    pub id: TransferId,
    /// A file, or an empty folder.
    pub kind: Kind,
    /// Where it lies on this computer.
    pub path: PathBuf,
    /// Its own name.
    pub name: String,
    /// The folders between what was dropped and the file, joined by `/`; empty for a file dropped by itself.
    pub relative_dir: String,
    /// Its size in bytes, as last seen.
    pub size_bytes: u64,
    /// Bytes handed over in this attempt; all of them once it is in the drive.
    pub sent_bytes: u64,
    /// Its own speed, smoothed; zero unless it is at work.
    pub bytes_per_second: u64,
    /// Milliseconds until its bytes are over, where they move.
    pub time_left_ms: Option<u64>,
    /// Where it stands.
    pub state: State,
    /// Why it failed; only with [`State::Failed`].
    pub failure: Option<Failure>,
    /// Whether a pause now would throw away what was sent: it goes up in one piece, so the button says so.
    pub restarts_on_pause: bool,
    /// The drive folder that it was dropped on; `None` for the top.
    pub target_folder: Option<FolderId>,
    /// What the service made of it.
    pub result: Option<Stored>,
    /// When it was dropped.
    pub created_at: Timestamp,
    /// When it reached its end, whichever.
    pub finished_at: Option<Timestamp>,
}

/// Why something that was dropped is not taken. The rest goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// It is no longer there.
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
    /// It cannot be read.
    Unreadable {
        /// What the system said.
        detail: String,
    },
    /// Its name is not Unicode, longer than 255 characters, or holds control characters.
    NameNotPossible,
}

/// Something that was dropped and not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Where it lies.
    pub path: PathBuf,
    /// Why it is not taken.
    pub reason: SkipReason,
}

/// What became of a drop. Everything accepted is durable by the time this exists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Enqueued {
    /// What will be sent.
    pub accepted: Vec<TransferId>,
    /// What will not, and why.
    pub skipped: Vec<Skipped>,
}

/// The whole queue at one glance. Counts are files and empty folders: everything unfinished, and what finished since
/// the queue was last at rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Everything that counts: unfinished, failed, paused, and finished in this round.
    pub total: u64,
    /// Sent or already there in this round.
    pub finished: u64,
    /// Being sent right now.
    pub active: u64,
    /// Failed, in this round or before.
    pub failed: u64,
    /// Paused by a person.
    pub paused: u64,
    /// Bytes of everything that counts except what failed.
    pub bytes_total: u64,
    /// Bytes of what finished, and of what is on its way.
    pub bytes_sent: u64,
    /// The whole queue's speed, smoothed.
    pub bytes_per_second: u64,
    /// Milliseconds until all that is queued is over, where enough is known.
    pub time_left_ms: Option<u64>,
    /// What the time left depends on.
    pub limited_by: LimitedBy,
    /// Why nothing moves, where the whole queue waits.
    pub waiting: Option<Waiting>,
    /// Whether a drop is still being walked, so that the counts will grow.
    pub is_counting: bool,
}

/// Which transfers a list holds, and in which order.
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

/// What changed since the last batch; at most ten batches a second, none while nothing changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Batch {
    /// The whole queue now.
    pub summary: Summary,
    /// The rows that changed, as they are now.
    pub changed: Vec<Transfer>,
    /// More changed than a batch carries, or rows are gone: list again.
    pub list_again: bool,
    /// What was left out of a drop whose walk the last run did not finish: whoever dropped it was not told.
    pub skipped: Vec<Skipped>,
}
