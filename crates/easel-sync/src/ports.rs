//! What the sync engine needs of the world: a disk, a drive, a store that survives a crash, a clock.
//!
//! Always true: each call either does what it says or leaves everything as it was, except where it says that its effect
//! is unknown ([`DriveError::Lost`], [`DriveError::Stopped`]); dropping a call's future at any point is a crash, which the engine must survive.
//! Calls about different items are made at the same time, as many as the settings say. Not here: any real disk or
//! service; the simulation has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::{Path, PathBuf};

pub use easel_client::{Fingerprint, Route};
use easel_wire::{FileId, FolderId, ItemRef};

use crate::causes::{Failure, Waiting};
use crate::engine::{Deed, Intent};
use crate::tree::{Agreed, Change, ContentHash, Local, LocalItem, Place, RemoteFile, RemoteFolder, Skipped, Stamp};

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

/// What a look at the watched folder shows. A later look is told `cursor`, and may then answer with changes only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskSeen {
    /// Stands for all that has been answered so far.
    pub cursor: u64,
    /// What is there.
    pub local: LocalSeen,
}

/// All that is there, or what is other than it was at the cursor that the look was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalSeen {
    /// Everything.
    Whole(Local),
    /// Some of it.
    Changes {
        /// `None`: nothing is there any more, nor below it. Those are applied first.
        items: Vec<(String, Option<LocalItem>)>,
        /// As in [`Local`]: all of them.
        unreadable: BTreeSet<String>,
        /// As in [`Local`]: all of them.
        skipped: BTreeMap<String, Skipped>,
    },
}

/// The watched folder.
pub trait Disk: Send + Sync {
    /// What is in it but for what is ignored; with the cursor of an earlier answer, what changed since. Until a cursor
    /// comes back, what was answered with it may be asked for again. `hash` is left to the engine, and so is
    /// `is_settled`, but for a file that the system says is open for writing. What the calls below did is seen.
    fn look_around(&self, since: Option<u64>) -> impl Future<Output = Result<DiskSeen, DiskError>> + Send;
    /// What was seen is not believed: the next look reads everything anew, whatever is known of it.
    fn doubt(&self);
    /// Whether `path`, or a folder above it, matches what the person or the defaults leave out. Asked about items of
    /// both sides, whether they exist or not.
    fn is_ignored(&self, path: &str, is_folder: bool) -> bool;
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
    /// Where a drive file is fetched to before it gets its place: on the same file system, and never seen by a look. One
    /// place a drive file, so that several can be on their way.
    fn slot(&self, file: FileId) -> PathBuf;
    /// The fetched files that wait whole in their slots.
    fn fetched(&self) -> impl Future<Output = Result<Vec<(FileId, Stamp)>, DiskError>> + Send;
    /// Throws away what waits in these slots, whole or not.
    fn discard_fetched(&self, files: &[FileId]) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Puts a fetched file at `path`: where nothing is, or in the place of the file that is still `replacing`, which
    /// goes to the trash. The file keeps its identity, size and time, and is on the disk for good when this returns.
    fn place_fetched(
        &self,
        file: FileId,
        path: &str,
        replacing: Option<Stamp>,
    ) -> impl Future<Output = Result<(), DiskError>> + Send;
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

/// A file of a watched folder that is to be sent, as it was when that was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Below the watched folder.
    pub path: String,
    /// Checked before the first byte and before the last.
    pub stamp: Stamp,
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

/// How true a list of the drive has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freshness {
    /// As old as the adapter says that its picture may be.
    Known,
    /// What was new or changed in the service when this was asked is in it; what is gone may still be.
    Recent,
    /// Read anew from end to end: what is missing in it was on none of its pages.
    Whole,
}

/// What a list of the drive shows. A later list is told `cursor`, and may then answer with changes only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriveSeen {
    /// Stands for all that has been answered so far.
    pub cursor: u64,
    /// What is there.
    pub remote: RemoteSeen,
    /// The drive folders that stand for watched ones whose person has yet to be asked about a drive that went back in time.
    pub went_back: BTreeSet<FolderId>,
}

/// All that is there, or what is other than it was at the cursor that the list was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteSeen {
    /// Everything.
    Whole {
        /// By id.
        folders: BTreeMap<FolderId, RemoteFolder>,
        /// By id.
        files: BTreeMap<FileId, RemoteFile>,
    },
    /// Some of it; `None` for what is gone.
    Changes {
        /// By id.
        folders: Vec<(FolderId, Option<RemoteFolder>)>,
        /// By id.
        files: Vec<(FileId, Option<RemoteFile>)>,
    },
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

/// The service, as far as syncing needs it (contract, "Drive").
pub trait Drive: Uploads<Source = Source> {
    /// Every folder and every file; with the cursor of an earlier answer, what changed since. Until a cursor comes back,
    /// what was answered with it may be asked for again. What the calls did, and what they showed, is a change.
    fn list(
        &self,
        since: Option<u64>,
        freshness: Freshness,
    ) -> impl Future<Output = Result<DriveSeen, DriveError>> + Send;
    /// Whether the service gives a file new content under its id and keeps what it had; `None` where that is not known.
    fn keeps_versions(&self) -> Option<bool>;
    /// Finds that out, by a question about a file that changes nothing. Afterwards [`Drive::keeps_versions`] knows it, but where
    /// the file is not there.
    fn ask_for_versions(&self, file: FileId) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Makes a folder.
    fn create_folder(&self, at: &Place) -> impl Future<Output = Result<FolderId, DriveError>> + Send;
    /// Deletes an item; a folder with something in it only when `is_recursive`.
    fn delete_item(&self, item: ItemRef, is_recursive: bool) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Deletes a file; on a service that keeps versions, only while it has the content that is expected, or `ContentChanged`.
    fn delete_file(
        &self,
        file: FileId,
        expected: Option<ContentHash>,
    ) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Makes a small text file. It is as it was wanted, or nothing of it is left.
    fn write_text(&self, at: &Place, text: &str) -> impl Future<Output = Result<FileId, DriveError>> + Send;
    /// Fetches a file to `slot`, where it waits as `waits_as`, checked against the drive's size and hash. What is at `slot`
    /// before is the beginning of the same file, or replaced.
    fn fetch(
        &self,
        file: FileId,
        waits_as: FileId,
        slot: &Path,
    ) -> impl Future<Output = Result<(Stamp, ContentHash), DriveError>> + Send;
}

/// Why the store did not do it. The folder stops: nothing may be done that is not written down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// No room is left on its disk.
    #[error("no room left for the journal")]
    DiskFull,
    /// It is damaged.
    #[error("the journal is damaged: {detail}")]
    Damaged {
        /// What is known about it.
        detail: String,
    },
    /// It cannot be read or written.
    #[error("the journal cannot be used: {detail}")]
    Unavailable {
        /// What the system said.
        detail: String,
    },
}

/// What steps came to: written down in one, or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settlement {
    /// To what is agreed, in this order.
    pub changes: Vec<Change>,
    /// The intents of these paths are forgotten.
    pub done: Vec<String>,
    /// For the history.
    pub deeds: Vec<Deed>,
}

/// What survives a crash: what is agreed, and what was about to be done.
pub trait Store: Send + Sync {
    /// Both. No two intents are about one path.
    fn load(&self) -> impl Future<Output = Result<(Agreed, Vec<Intent>), StoreError>> + Send;
    /// Remembers what is about to be done, durably, before it is done. Each replaces the intent of its path.
    fn intend(&self, intents: &[Intent]) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Applies a settlement, durably.
    fn settle(&self, settlement: &Settlement) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// The moment, as far as this computer knows it.
pub trait WallClock: Send + Sync {
    /// Microseconds since the Unix epoch. It can be set, and be wrong.
    fn wall_us(&self) -> i64;
}

/// Time.
pub trait Clock: WallClock {
    /// Milliseconds since some moment. Never goes back, whatever becomes of the wall clock.
    fn now_ms(&self) -> u64;
    /// The person's date, such as `2026-11-20`.
    fn today(&self) -> String;
    /// Waits; less long when there is reason to look at once, such as a network that is back.
    fn wait_ms(&self, milliseconds: u64) -> impl Future<Output = ()> + Send;
}
