//! Why a step broke off, and what that means for the steps after it.

use super::intent::{Intent, OpenUpload};
use crate::shared::causes::{Failure, Waiting};
use crate::sync::ports::{DiskError, DriveError, Hold, StoreError};

/// Why a step broke off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StepError {
    /// Something is wrong with this path alone, until the next look.
    Path(Failure),
    /// All steps of the kind have to wait; others can be done.
    Kind(Waiting),
    /// The service refuses this file as it is; the refusal is remembered.
    Refused,
    /// Everything waits, and then looks again. `is_open`: the result is unknown, or a step is half done.
    Look { cause: Waiting, wait_ms: Option<u64>, is_open: bool },
    /// The watched folder is not there any more.
    Root,
    /// Nothing can be written down.
    Store(StoreError),
}

impl From<DriveError> for StepError {
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Unanswered(Hold { waiting, .. }) => Self::Look { cause: waiting, wait_ms: None, is_open: true },
            DriveError::Deferred(Hold {
                waiting: waiting @ (Waiting::NotPermitted | Waiting::StorageFull), ..
            }) => Self::Kind(waiting),
            DriveError::Deferred(Hold { waiting, after_ms, .. }) => {
                Self::Look { cause: waiting, wait_ms: after_ms, is_open: false }
            }
            DriveError::Disk(error) => error.into(),
            error => Self::Path(error.into()),
        }
    }
}

impl From<DiskError> for StepError {
    fn from(error: DiskError) -> Self {
        match error {
            DiskError::RootMissing => Self::Root,
            DiskError::Full => Self::Kind(Waiting::DiskFull),
            error => Self::Path(error.into()),
        }
    }
}

impl From<StoreError> for StepError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Why a step broke off, and what has to be kept of it.
pub(super) struct Broken {
    pub error: StepError,
    pub kept: Option<OpenUpload>,
    /// The announcement that a pointer may carry by now although nothing has come to its place.
    pub announced: Option<Box<Intent>>,
}

impl<T: Into<StepError>> From<T> for Broken {
    fn from(error: T) -> Self {
        Self { error: error.into(), kept: None, announced: None }
    }
}
