//! Uploads whose bytes are on the disk, and that wait for their rows.
//!
//! Always true: whoever waits is told what became of the upload, or that the writer broke down. Not here: the rows
//! ([`crate::uploads`]).

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::blobs::{ContentHash, Offered};
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::wire::FolderId;
use crate::wire::uploads::UploadResult;

/// A content that is on the disk and may become a file.
pub struct Received {
    /// How the upload came.
    pub arrival: Arrival,
    /// The SHA-256 of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// The name that the file gets if nobody has it there.
    pub name: Name,
    /// The type of the file.
    pub mime_type: String,
    /// Where the file goes; `None` for the top.
    pub folder_id: Option<FolderId>,
}

/// How a content came.
pub enum Arrival {
    /// In the request itself.
    Sent(Offered),
    /// By signed URL. Another request may have registered it meanwhile, so it is offered only under the write lock, unless that would
    /// take a while.
    Put { storage_key: String, offered: Option<Offered> },
}

impl Arrival {
    /// Where it was PUT.
    pub fn storage_key(&self) -> Option<&str> {
        match self {
            Self::Sent(_) => None,
            Self::Put { storage_key, .. } => Some(storage_key),
        }
    }

    /// What was offered of it so far.
    pub fn offered(&self) -> Option<&Offered> {
        match self {
            Self::Sent(offered) => Some(offered),
            Self::Put { offered, .. } => offered.as_ref(),
        }
    }
}

/// What became of a content.
pub struct Stored {
    /// What the request is answered.
    pub result: UploadResult,
    /// Whether a row refers to the content. Of what was registered before, the file may have gone since.
    pub is_referred_to: bool,
}

/// An upload whose bytes are on the disk, and that waits for its rows.
pub struct Waiting {
    /// The caller who uploaded it.
    pub caller: Caller,
    /// What came.
    pub content: Received,
    /// Gets the result.
    pub answer: oneshot::Sender<Result<Stored, Error>>,
}

/// The uploads that wait, and whose turn it is to write.
#[derive(Default)]
pub struct Commits {
    waiting: Mutex<VecDeque<Waiting>>,
    /// Held by whoever writes.
    pub turn: tokio::sync::Mutex<()>,
}

impl Commits {
    /// How many wait for a turn that nobody has taken them into yet.
    #[cfg(test)]
    pub fn count_waiting(&self) -> usize {
        self.waiting().len()
    }

    /// The uploads that wait, the first one first.
    pub fn waiting(&self) -> MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
