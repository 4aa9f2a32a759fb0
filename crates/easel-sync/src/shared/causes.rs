//! Why something is not done: what everything waits for, and what one item fails of by itself.
//!
//! One vocabulary for dropped files and for folders kept in step: the app has the words. Always true: what would meet
//! every item is a [`Waiting`], what meets one alone is a [`Cause`]. Which of the two an error of the client is, is decided
//! in one place (`service.rs`), by its kind, its `type` and its `code`, never by a message. Not here: what is about folders
//! alone (`folders::folder`).

mod service;

use std::io;

use serde::{Deserialize, Serialize};

pub use service::wait_after;

/// Why one item failed, for its own reasons. What concerns everything is a [`Waiting`] instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The cause, with what its words need.
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
    /// Something that is no file or folder stands at the path now.
    NotAFile,
    /// The file cannot be read.
    Unreadable {
        /// What the system said; may be empty.
        detail: String,
    },
    /// Larger than the service takes; refused before a byte was sent.
    TooLarge {
        /// The file's size in bytes.
        size_bytes: u64,
        /// The largest file that the service takes, in bytes.
        max_file_bytes: u64,
        /// Whether a larger plan raises it.
        is_plan_limit: bool,
    },
    /// The service refuses a file of this size, and did not say beforehand which it takes.
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
    /// The side that it should go to cannot hold the name.
    NameNotAllowed {
        /// The service's message; empty where it is a disk that cannot.
        message: String,
    },
    /// Something else has the name.
    NameTaken,
    /// It was changed, moved or deleted in the meantime, on either side.
    Changed,
    /// It changed again and again while it was sent.
    KeepsChanging,
    /// The folder that it was to go to is gone.
    FolderGone,
    /// A folder on its way could not be made.
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
    /// The service wants the file sent to another machine without encryption, which nobody said yes to.
    NotEncrypted {
        /// The host that it names.
        host: String,
    },
    /// What came was not what the drive says the file holds.
    Corrupt,
    /// The disk refused, for a reason that stands in the log.
    DiskRefused,
    /// The service failed again and again on this file.
    ServiceFailed {
        /// The status of the last answer.
        status: u16,
    },
    /// The connection broke again and again on this file, though others get through.
    ConnectionBroken,
    /// Nothing of its kind can be done for now.
    Waits {
        /// What has to pass.
        waiting: Waiting,
    },
    /// A cause that an older or newer build wrote down.
    #[serde(other)]
    Unknown,
}

impl Cause {
    /// Whether the service would answer the same to the same file once more, so that only a person's asking is a reason to
    /// try it again.
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

/// Why everything waits, or everything of a kind. It is looked at again by itself, and goes on when the cause is gone.
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
    /// The service has no room left.
    StorageFull,
    /// This computer has no room left.
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
    /// The service takes no more requests for now, though the budget was kept.
    RateLimited,
    /// The service answers, but only with failures of its own.
    ServiceFailing {
        /// The status of the last answer.
        status: u16,
    },
    /// What answers there is not the service: HTML, nonsense, a route that is missing, a version it does not know.
    NotTheService,
    /// The service's answers contradict each other, so that nothing is to be concluded from them.
    AnswersContradict,
    /// The service sends elsewhere, and the key does not go there.
    RedirectRefused {
        /// The host that it names.
        to_host: String,
    },
    /// Something is being changed while it is looked at.
    Moving,
    /// Folders below the watched one cannot be read, so that nobody knows whether both sides are the same.
    PartUnreadable {
        /// The first of them, by path below the watched folder.
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
