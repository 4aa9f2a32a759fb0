//! What the upload of a file needs of the world: a service that takes it, and the moment; and why the world did not do it.
//!
//! Always true: each call either does what it says or leaves everything as it was, except where it says that its effect
//! is unknown ([`DriveError::Lost`], [`DriveError::Stopped`]). Not here: any real service (`upload::service`), and what only folders
//! need (`sync::ports`).

use std::future::Future;

pub use easel_client::{Fingerprint, Route};
use easel_wire::error::code;
use easel_wire::{FileId, FolderId, ItemRef};

use super::causes::{Cause, Failure, Waiting};
use super::drive_file::{ContentHash, RemoteFile};

/// Why the disk did not do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    /// The watched folder itself is not there: unmounted, renamed, deleted.
    #[error("the watched folder is not there")]
    RootMissing,
    /// The item is not the one that was meant, or gone.
    #[error("the file changed")]
    Changed,
    /// Something is at the place already.
    #[error("something is there already")]
    Exists,
    /// A folder that is to be removed has something in it.
    #[error("the folder is not empty")]
    NotEmpty,
    /// No room is left, or none that this person may use.
    #[error("the disk is full")]
    Full,
    /// The person who runs this may not do that there, or the disk is mounted to be read only.
    #[error("the disk does not permit it")]
    Denied,
    /// The file system takes no such name, or no path as long.
    #[error("the disk cannot hold the name")]
    NameNotAllowed,
    /// The system refused for another reason; the adapter has logged which.
    #[error("the disk refused")]
    Refused,
}

/// What everything waits for, or everything of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// What has to pass.
    pub waiting: Waiting,
    /// To wait before the next request, in milliseconds, where the service named it.
    pub after_ms: Option<u64>,
    /// What an item fails of that meets this again and again while others get through. `None`: no item of its own can be
    /// the cause.
    pub blame: Option<Box<Failure>>,
}

impl From<Waiting> for Hold {
    fn from(waiting: Waiting) -> Self {
        Self { waiting, after_ms: None, blame: None }
    }
}

/// Why the drive did not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// No answer came, or one of a failing service: whether it was done is not known.
    #[error("no answer came: {0:?}")]
    Lost(Hold),
    /// Nothing was done, and nothing like it can be until something has passed.
    #[error("it has to wait: {0:?}")]
    Held(Hold),
    /// It is refused, and would be again.
    #[error("refused: {0:?}")]
    Refused(Failure),
    /// A person stopped it.
    #[error("stopped")]
    Stopped {
        /// Whether it may have been done in spite of that.
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
    /// The folder has something in it.
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
    /// The local disk did not do its part: no room for a file that is fetched.
    #[error(transparent)]
    Disk(DiskError),
    /// What was fetched is not what the drive says the file holds; it was thrown away.
    #[error("what was fetched is not the file")]
    Corrupt,
    /// The signed address has expired: sign anew.
    #[error("the signed address has expired")]
    Expired,
    /// This way is closed to the file: ask again which way it goes.
    #[error("the way is closed to this file")]
    RouteAgain,
    /// The service does not have this function.
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
    /// What an item fails of where `error` is the end of it.
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Refused(failure) => failure,
            DriveError::Lost(hold) | DriveError::Held(hold) => {
                hold.blame.map_or_else(|| Cause::Waits { waiting: hold.waiting }.into(), |blame| *blame)
            }
            DriveError::Disk(error) => error.into(),
            DriveError::NameTaken => Cause::NameTaken.into(),
            DriveError::Corrupt => Cause::Corrupt.into(),
            // Another way, or the same anew, may get through, and did not.
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

/// Where a person wants a file to be in the drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The folder; `None` for the top of the drive.
    pub folder: Option<FolderId>,
    /// The name; where it is taken, the service finds another.
    pub name: String,
}

/// What the service says of an upload. It may say little (specification, "Upload result record").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uploaded {
    /// The drive file: a new one, or the one that had the content already.
    pub file: FileId,
    /// The name that it has.
    pub name: Option<String>,
    /// The folder that it lies in, `Some(None)` being the top of the drive; `None` where that is not said.
    pub folder: Option<Option<FolderId>>,
    /// Its size in bytes.
    pub size_bytes: Option<u64>,
    /// Its content, where the one who asked knows it.
    pub hash: Option<ContentHash>,
    /// Whether the drive had the content before this was asked.
    pub was_duplicate: bool,
}

/// The service, as far as sending one file needs it (specification, "Two-step signed-URL flow"; contract, "Uploads").
pub trait Uploads: Send + Sync {
    /// A local file that is to be sent, as it was when that was decided.
    type Source: Send + Sync;

    /// Which way a file goes. Not a byte is sent of one that is too large.
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
    /// `Lost` only where the last byte has left.
    fn put_signed(
        &self,
        key: &str,
        source: &Self::Source,
    ) -> impl Future<Output = Result<ContentHash, DriveError>> + Send;
    /// Makes what is stored under the key a drive file. A repeat is harmless; `NotStaged` when nothing is there.
    fn register(&self, key: &str, to: &Destination) -> impl Future<Output = Result<Uploaded, DriveError>> + Send;
    /// Makes what is stored under the key the content of a drive file that is there, while that has `expected`; what it had
    /// becomes a version of it. A repeat is harmless; `NotStaged` when nothing is there, `NotFound` when the drive file is not,
    /// `ContentChanged` where it has something else by now.
    fn replace(
        &self,
        key: &str,
        file: FileId,
        expected: Option<ContentHash>,
    ) -> impl Future<Output = Result<RemoteFile, DriveError>> + Send;
    /// The content of a file, read for this alone.
    fn hash(&self, source: &Self::Source) -> impl Future<Output = Result<ContentHash, DriveError>> + Send;
    /// Looks in `folder` (`None`: at the top of the drive) for a file that is what was sent, and new since then.
    fn find(
        &self,
        sent: &Fingerprint,
        folder: Option<FolderId>,
    ) -> impl Future<Output = Result<Option<(FileId, RemoteFile)>, DriveError>> + Send;
    /// One file; `None` when it is gone.
    fn get_file(&self, file: FileId) -> impl Future<Output = Result<Option<RemoteFile>, DriveError>> + Send;
    /// Moves an item, under the name it has; `None` is the top of the drive.
    fn move_item(&self, item: ItemRef, folder: Option<FolderId>)
    -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Renames an item where it is.
    fn rename_item(&self, item: ItemRef, name: &str) -> impl Future<Output = Result<(), DriveError>> + Send;
}

/// The moment, as far as this computer knows it.
pub trait WallClock: Send + Sync {
    /// Microseconds since the Unix epoch. It can be set, and be wrong.
    fn wall_us(&self) -> i64;
}
