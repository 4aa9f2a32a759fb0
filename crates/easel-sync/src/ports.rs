//! What the sync engine needs of the world: a disk, a drive, a store that survives a crash, a clock.
//!
//! Always true: each call either does what it says or leaves everything as it was, except where it says that its effect
//! is unknown ([`DriveError::Lost`]); dropping a call's future at any point is a crash, which the engine must survive.
//! Not here: any real disk or service; the simulation has its own, and so will the app.

use std::future::Future;

use easel_wire::{FileId, FolderId, ItemRef};

use crate::engine::Intent;
use crate::tree::{Agreed, Change, ContentHash, Local, LocalItem, Place, RemoteFile, RemoteFolder, Stamp};

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
    /// The system refused.
    #[error("the disk refused")]
    Refused,
}

/// The watched folder.
pub trait Disk: Send + Sync {
    /// Everything in it but what is ignored. `is_settled` and `hash` are left to the engine.
    fn scan(&self) -> impl Future<Output = Result<Local, DiskError>> + Send;
    /// What is at `path` now; `None` when nothing is.
    fn look(&self, path: &str) -> impl Future<Output = Result<Option<LocalItem>, DiskError>> + Send;
    /// The content of the file at `path`, if it is `stamp` before and after.
    fn hash(&self, path: &str, stamp: &Stamp) -> impl Future<Output = Result<ContentHash, DiskError>> + Send;
    /// Makes a folder and returns its identity.
    fn make_folder(&self, path: &str) -> impl Future<Output = Result<u64, DiskError>> + Send;
    /// Moves or renames the item of this identity, never over anything.
    fn rename(&self, from: &str, to: &str, identity: u64) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Puts a file in the system's trash, if it is still `stamp`.
    fn trash(&self, path: &str, stamp: &Stamp) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &str) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Whether a fetched file waits, and which.
    fn fetched(&self) -> impl Future<Output = Result<Option<Stamp>, DiskError>> + Send;
    /// Throws away the fetched file, if one waits.
    fn discard_fetched(&self) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Puts the fetched file at `path`: where nothing is, or in the place of the file that is still `replacing`, which
    /// goes to the trash. The file keeps its identity, size and time.
    fn place_fetched(&self, path: &str, replacing: Option<Stamp>)
    -> impl Future<Output = Result<(), DiskError>> + Send;
}

/// Why the drive did not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// No answer came, or one of a failing service: whether it was done is not known.
    #[error("no answer came")]
    Lost,
    /// Asked too often: nothing was done.
    #[error("asked too often")]
    RateLimited {
        /// To wait before the next request, in milliseconds.
        retry_after_ms: u64,
    },
    /// The item, or the folder it should go to, is not there.
    #[error("not in the drive")]
    NotFound,
    /// The name is taken.
    #[error("the name is taken")]
    NameTaken,
    /// The folder has something in it.
    #[error("the folder is not empty")]
    NotEmpty,
    /// A folder cannot go into itself.
    #[error("a folder cannot go into itself")]
    Circular,
    /// The local file changed while it was read; nothing was committed.
    #[error("the file changed while it was sent")]
    SourceChanged,
    /// The signed address has expired: sign anew.
    #[error("the signed address has expired")]
    Expired,
    /// The service refused, for good.
    #[error("the service refused")]
    Refused,
}

/// A local file that is to be sent, as it was when that was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Below the watched folder.
    pub path: String,
    /// Checked before the first byte and before the last.
    pub stamp: Stamp,
}

/// What an upload came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uploaded {
    /// The drive file: a new one, or the one that had the content already.
    pub file: FileId,
    /// What the drive says about it.
    pub seen: RemoteFile,
    /// Whether the drive had the content already.
    pub was_duplicate: bool,
}

/// The service, as far as syncing needs it (contract, "Drive" and "Uploads").
pub trait Drive: Send + Sync {
    /// Every folder.
    fn list_folders(&self) -> impl Future<Output = Result<Vec<(FolderId, RemoteFolder)>, DriveError>> + Send;
    /// Every file.
    fn list_files(&self) -> impl Future<Output = Result<Vec<(FileId, RemoteFile)>, DriveError>> + Send;
    /// One file; `None` when it is gone.
    fn get_file(&self, file: FileId) -> impl Future<Output = Result<Option<RemoteFile>, DriveError>> + Send;
    /// Makes a folder.
    fn create_folder(&self, at: &Place) -> impl Future<Output = Result<FolderId, DriveError>> + Send;
    /// Moves an item, under the name it has.
    fn move_item(&self, item: ItemRef, folder: FolderId) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Renames an item where it is.
    fn rename_item(&self, item: ItemRef, name: &str) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Deletes an item; a folder with something in it only when `is_recursive`.
    fn delete_item(&self, item: ItemRef, is_recursive: bool) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Sends a file in one request.
    fn send_direct(&self, source: &Source, to: &Place) -> impl Future<Output = Result<Uploaded, DriveError>> + Send;
    /// Asks for a place in storage and returns its key. The signed address stays in the adapter.
    fn sign_upload(&self, name: &str) -> impl Future<Output = Result<String, DriveError>> + Send;
    /// Puts a file's bytes under the key and returns its content. `Expired` also when the adapter has lost the address.
    fn put_signed(&self, key: &str, source: &Source) -> impl Future<Output = Result<ContentHash, DriveError>> + Send;
    /// Makes what is stored under the key a drive file. A repeat is harmless; `NotFound` when nothing is there.
    fn register(&self, key: &str, to: &Place) -> impl Future<Output = Result<Uploaded, DriveError>> + Send;
    /// Fetches a file beside the watched folder, checked against the drive's size and hash.
    fn fetch(&self, file: FileId) -> impl Future<Output = Result<(Stamp, ContentHash), DriveError>> + Send;
}

/// What survives a crash: what is agreed, and what was about to be done.
pub trait Store: Send + Sync {
    /// Both.
    fn load(&self) -> impl Future<Output = (Agreed, Option<Intent>)> + Send;
    /// Remembers what is about to be done, durably, before it is done; replaces the intent there was.
    fn intend(&self, intent: &Intent) -> impl Future<Output = ()> + Send;
    /// Applies changes and forgets the intent, in one.
    fn settle(&self, changes: &[Change]) -> impl Future<Output = ()> + Send;
}

/// Time. It only ever goes forward.
pub trait Clock: Send + Sync {
    /// Milliseconds since some moment.
    fn now_ms(&self) -> u64;
    /// Waits.
    fn wait_ms(&self, milliseconds: u64) -> impl Future<Output = ()> + Send;
}
