//! The ports of an upload: the service that takes a file, and the wall clock; with the reasons for their failures.
//!
//! Always true: each call either does what it says or leaves everything as it was, except where it says that its effect
//! is unknown ([`DriveError::Unanswered`], [`DriveError::Stopped`]). Not here: any real service (`upload::service`), and what
//! only folders need (`sync::ports`).

use std::future::Future;

pub use easel_client::{Fingerprint, Route};
use easel_wire::error::code;
use easel_wire::{FileId, FolderId, ItemRef};

use super::causes::{Cause, Failure, Waiting};
use super::drive_file::{ContentHash, RemoteFile};

/// Why the disk failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    /// The watched folder itself is not there: unmounted, renamed, deleted.
    #[error("the watched folder is not there")]
    RootMissing,
    /// The item is not the one that was meant, or is gone.
    #[error("the file changed")]
    Changed,
    /// Another item is at the place already.
    #[error("something is there already")]
    Exists,
    /// The folder to be removed is not empty.
    #[error("the folder is not empty")]
    NotEmpty,
    /// The disk is full, or this user's share of it.
    #[error("the disk is full")]
    Full,
    /// The user has no right to do this, or the disk is mounted read-only.
    #[error("the disk does not permit it")]
    Denied,
    /// The file system takes no such name, or no path of this length.
    #[error("the disk cannot hold the name")]
    NameNotAllowed,
    /// The system refused for another reason, which the adapter has logged.
    #[error("the disk refused")]
    Refused,
}

/// A wait of everything, or of everything of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The cause that has to pass.
    pub waiting: Waiting,
    /// The time to wait before the next request, in milliseconds, where the service told it.
    pub after_ms: Option<u64>,
    /// The failure of an item that meets this again and again while others get through. `None`: no item can be the
    /// cause.
    pub failure_if_repeated: Option<Box<Failure>>,
}

impl From<Waiting> for Hold {
    fn from(waiting: Waiting) -> Self {
        Self { waiting, after_ms: None, failure_if_repeated: None }
    }
}

/// Why the drive failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// No answer came, or a failing service's: it is not known whether the request was carried out.
    #[error("no answer came: {0:?}")]
    Unanswered(Hold),
    /// The request was not carried out, and none like it will be until a cause has passed.
    #[error("it has to wait: {0:?}")]
    Deferred(Hold),
    /// The request is refused, and would be again.
    #[error("refused: {0:?}")]
    Refused(Failure),
    /// A person stopped it.
    #[error("stopped")]
    Stopped {
        /// Whether the request may have been carried out all the same.
        may_be_done: bool,
    },
    /// The item, or the folder it should go to, is not there.
    #[error("not in the drive")]
    NotFound,
    /// Nothing is stored under the key.
    #[error("nothing is stored under the key")]
    NotStaged,
    /// The name is taken.
    #[error("the name is taken")]
    NameTaken,
    /// The folder is not empty.
    #[error("the folder is not empty")]
    NotEmpty,
    /// The drive file has other content by now.
    #[error("the drive file has other content by now")]
    ContentChanged,
    /// A folder cannot go into itself.
    #[error("a folder cannot go into itself")]
    Circular,
    /// The local file changed while it was read; nothing was committed.
    #[error("the file changed while it was sent")]
    SourceChanged,
    /// The local disk failed: it has no room for a file that is fetched.
    #[error(transparent)]
    Disk(DiskError),
    /// The received bytes are not what the drive says the file holds; they were thrown away.
    #[error("what was fetched is not the file")]
    Corrupt,
    /// The signed address has expired: sign again.
    #[error("the signed address has expired")]
    Expired,
    /// The file cannot go this way: ask again which way to take.
    #[error("the way is closed to this file")]
    RouteAgain,
    /// The service does not have this route.
    #[error("the service does not have this function")]
    RouteMissing,
}

impl From<DiskError> for Failure {
    fn from(error: DiskError) -> Self {
        let cause = match error {
            DiskError::RootMissing | DiskError::Changed | DiskError::NotEmpty => Cause::Changed,
            DiskError::Exists => Cause::NameTaken,
            DiskError::Full => Cause::Waits { waiting: Waiting::DiskFull },
            DiskError::Denied => Cause::Unreadable { detail: String::new() },
            DiskError::NameNotAllowed => Cause::NameNotAllowed { message: String::new() },
            DiskError::Refused => Cause::DiskRefused,
        };
        cause.into()
    }
}

impl From<DriveError> for Failure {
    /// The failure of an item if `error` is its end.
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Refused(failure) => failure,
            DriveError::Unanswered(hold) | DriveError::Deferred(hold) => hold
                .failure_if_repeated
                .map_or_else(|| Cause::Waits { waiting: hold.waiting }.into(), |failure| *failure),
            DriveError::Disk(error) => error.into(),
            DriveError::NameTaken => Cause::NameTaken.into(),
            DriveError::Corrupt => Cause::Corrupt.into(),
            // Another way, or the same once more, might have got through, and did not.
            DriveError::Expired | DriveError::RouteAgain => Cause::ConnectionBroken.into(),
            DriveError::NotStaged => {
                let error_code = code::UPLOAD_NOT_FOUND.to_owned();
                Cause::Refused { status: 404, error_code, message: String::new() }.into()
            }
            DriveError::RouteMissing => Cause::ServiceFailed { status: 404 }.into(),
            DriveError::NotFound
            | DriveError::NotEmpty
            | DriveError::Circular
            | DriveError::ContentChanged
            | DriveError::SourceChanged
            | DriveError::Stopped { .. } => Cause::Changed.into(),
        }
    }
}

/// The wanted place of a file in the drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The folder; `None` for the top of the drive.
    pub folder: Option<FolderId>,
    /// The name; if it is taken, the service finds another.
    pub name: String,
}

/// The service's answer to an upload. It may tell little (specification, "Upload result record").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uploaded {
    /// The drive file: a new one, or the one that had the content already.
    pub file: FileId,
    /// The file's name.
    pub name: Option<String>,
    /// The file's folder, `Some(None)` being the top of the drive; `None` where that is not told.
    pub folder: Option<Option<FolderId>>,
    /// The file's size in bytes.
    pub size_bytes: Option<u64>,
    /// The file's content, where the sender knows it.
    pub hash: Option<ContentHash>,
    /// Whether the drive had the content before this was asked.
    pub was_duplicate: bool,
}

/// The service, as far as sending one file needs it (specification, "Two-step signed-URL flow"; contract, "Uploads").
pub trait Uploads: Send + Sync {
    /// A local file that is to be sent, in its state when that was decided.
    type Source: Send + Sync;

    /// Which way a file goes. Of a file that is too large, not a byte is sent.
    fn route(&self, source: &Self::Source, to: &Destination) -> impl Future<Output = Result<Route, DriveError>> + Send;
    /// Sends a file in one request.
    fn send_direct(
        &self,
        source: &Self::Source,
        to: &Destination,
    ) -> impl Future<Output = Result<Uploaded, DriveError>> + Send;
    /// Asks for a place in storage and returns its key. The signed address stays in the adapter.
    fn sign_upload(&self, to: &Destination) -> impl Future<Output = Result<String, DriveError>> + Send;
    /// Puts a file's bytes under the key and returns its content. `Expired` also when the adapter has lost the address,
    /// `Lost` only if the last byte has left.
    fn put_signed(
        &self,
        key: &str,
        source: &Self::Source,
    ) -> impl Future<Output = Result<ContentHash, DriveError>> + Send;
    /// Makes a drive file of the bytes under the key. A repeat is harmless; `NotStaged` when there are none.
    fn register(&self, key: &str, to: &Destination) -> impl Future<Output = Result<Uploaded, DriveError>> + Send;
    /// Gives a drive file the bytes under the key as its content, if it still has `expected`; the old content becomes a
    /// version. A repeat is harmless; `NotStaged` when there are no bytes, `NotFound` when there is no such file,
    /// `ContentChanged` when it has other content by now.
    fn replace(
        &self,
        key: &str,
        file: FileId,
        expected: Option<ContentHash>,
    ) -> impl Future<Output = Result<RemoteFile, DriveError>> + Send;
    /// The content of a local file, which is read for this alone.
    fn hash(&self, source: &Self::Source) -> impl Future<Output = Result<ContentHash, DriveError>> + Send;
    /// Looks in `folder` (`None`: at the top of the drive) for a file that is the one that was sent, and newer than
    /// `since`.
    fn find(
        &self,
        sent: &Fingerprint,
        folder: Option<FolderId>,
    ) -> impl Future<Output = Result<Option<(FileId, RemoteFile)>, DriveError>> + Send;
    /// One file; `None` when it is gone.
    fn get_file(&self, file: FileId) -> impl Future<Output = Result<Option<RemoteFile>, DriveError>> + Send;
    /// Takes a file that an upload has made to be as `seen`, because the service tells no more of it: where the adapter
    /// keeps a picture of the drive, the file is in it from now on, so that it can be missed there.
    fn assume(&self, _file: FileId, _seen: &RemoteFile) {}
    /// Moves an item, under its present name; `None` is the top of the drive.
    fn move_item(&self, item: ItemRef, folder: Option<FolderId>)
    -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Renames an item where it is.
    fn rename_item(&self, item: ItemRef, name: &str) -> impl Future<Output = Result<(), DriveError>> + Send;
}

/// The wall clock.
pub trait WallClock: Send + Sync {
    /// Microseconds since the Unix epoch. This clock can be set, and be wrong.
    fn wall_us(&self) -> i64;
}
