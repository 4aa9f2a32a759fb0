//! The causes of failures and waits: why one item failed, and why everything waits.
//!
//! One vocabulary for dropped files and for synced folders; the app has the words. Always true: a cause that every item
//! would meet is a [`Waiting`], one that a single item meets is a [`Cause`]. Which of the two an error of the client
//! becomes is decided in one place (`service.rs`), by its kind, its `type` and its `code`, never by a message. Not
//! here: causes of folders alone (`folders::folder`).

mod service;

use std::io;

use serde::{Deserialize, Serialize};

pub use service::wait_after;

/// Why one item failed, for reasons of its own. Causes that concern all items are a [`Waiting`] instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The cause, with the values that its words need.
    pub cause: Cause,
    /// The service's request id, where the service answered.
    #[serde(default)]
    pub request_id: Option<String>,
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self { cause, request_id: None }
    }
}

/// The causes of a [`Failure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// The file is no longer where it was.
    Vanished,
    /// An item that is no file or folder is at the path now.
    NotAFile,
    /// The file cannot be read.
    Unreadable {
        /// What the system said; may be empty.
        detail: String,
    },
    /// The file is larger than the service takes; refused before a byte was sent.
    TooLarge {
        /// The file's size in bytes.
        size_bytes: u64,
        /// The largest file that the service takes, in bytes.
        max_file_bytes: u64,
        /// Whether a larger plan raises the limit.
        is_plan_limit: bool,
    },
    /// The service refuses a file of this size, and did not tell its limit beforehand.
    SizeNotTaken {
        /// The service's message; may be empty.
        message: String,
    },
    /// The service takes no files of this type.
    MediaTypeNotTaken {
        /// The type, such as `image/tiff`.
        mime_type: String,
        /// The service's message; may be empty.
        message: String,
    },
    /// The other side cannot hold the name.
    NameNotAllowed {
        /// The service's message; empty where a disk cannot hold the name.
        message: String,
    },
    /// Another item has the name.
    NameTaken,
    /// The item was changed, moved or deleted in the meantime, on either side.
    Changed,
    /// The file changed again and again while it was sent.
    KeepsChanging,
    /// The folder that the item was to go to is gone.
    FolderGone,
    /// A folder above the item could not be made.
    FolderRefused {
        /// The folder's name.
        name: String,
        /// The service's code.
        error_code: String,
    },
    /// The service refuses this item.
    Refused {
        /// The status of the answer.
        status: u16,
        /// The service's code; empty where it gave none.
        error_code: String,
        /// The service's message, for the details.
        message: String,
    },
    /// The service wants the file sent to another host without encryption, which no person has allowed.
    NotEncrypted {
        /// The host.
        host: String,
    },
    /// The received bytes are not what the drive says the file holds.
    Corrupt,
    /// The disk refused, for a reason that is in the log.
    DiskRefused,
    /// The service failed again and again on this file.
    ServiceFailed {
        /// The status of the last answer.
        status: u16,
    },
    /// The connection broke again and again on this file, though others get through.
    ConnectionBroken,
    /// Nothing of the item's kind can be done for now.
    Waits {
        /// The cause that has to pass.
        waiting: Waiting,
    },
    /// A cause that an older or newer build wrote down.
    #[serde(other)]
    Unknown,
}

impl Cause {
    /// Whether the service would refuse the same file again, so that only a person's request is a reason to try it
    /// again.
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        matches!(
            self,
            Self::TooLarge { .. }
                | Self::SizeNotTaken { .. }
                | Self::MediaTypeNotTaken { .. }
                | Self::NameNotAllowed { .. }
                | Self::Refused { .. }
        )
    }
}

/// Why everything waits, or everything of a kind. The cause is probed again by itself, and the work goes on when it has
/// passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Waiting {
    /// The service cannot be reached.
    Offline,
    /// The service did not prove who it is (TLS).
    NotTrusted,
    /// The key is refused (401): wrong or deleted.
    KeyRefused,
    /// The key may not do what is needed (403).
    NotPermitted,
    /// The service's storage is full.
    StorageFull,
    /// This computer's disk is full.
    DiskFull,
    /// The journal cannot be read or written, for another reason than a full disk.
    JournalUnusable {
        /// What the system said.
        detail: String,
    },
    /// This computer cannot make a connection at all.
    SetupFailed {
        /// What the system said.
        reason: String,
    },
    /// The network is metered, and a person wants nothing moved then.
    Metered,
    /// The service takes no more requests for now, though the budget was kept (429).
    RateLimited,
    /// The service answers, but only with failures of its own (5xx).
    ServiceFailing {
        /// The status of the last answer.
        status: u16,
    },
    /// The answers are not the service's: HTML, an unexpected body, a missing route, an unknown version.
    NotTheService,
    /// The service's answers contradict each other, so that nothing can be concluded from them.
    AnswersContradict,
    /// The service redirects to another host, and the key does not go there.
    RedirectRefused {
        /// The host that it names.
        to_host: String,
    },
    /// An item is being changed while it is looked at.
    Moving,
    /// Folders below the watched one cannot be read, so that nobody knows whether both sides are the same.
    PartUnreadable {
        /// The first of these folders, by path below the watched folder.
        path: String,
    },
}

/// Why a file cannot be read.
pub(crate) fn of_io(error: &io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Cause::Vanished,
        _ => Cause::Unreadable { detail: error.to_string() },
    }
}
