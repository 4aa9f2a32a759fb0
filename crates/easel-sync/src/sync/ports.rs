//! The ports of the sync engine: a disk, a drive, a store that survives a crash, a clock.
//!
//! Always true: each call either does what it says or leaves everything as it was, except where it says that its effect
//! is unknown ([`DriveError::Unanswered`], [`DriveError::Stopped`]); dropping a call's future at any point is a crash, which
//! the engine must survive. Calls about different items are made at the same time, as many as the settings say. Not
//! here: any real disk or service; the simulation has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::{Path, PathBuf};

pub use crate::shared::ports::{
    Destination, DiskError, DriveError, Fingerprint, Hold, Route, Uploaded, Uploads, WallClock,
};
use easel_wire::{FileId, FolderId, ItemRef};

use crate::sync::engine::{AppliedChange, Intent};
use crate::sync::tree::{
    Agreed, Change, ChangedUs, ContentHash, Local, LocalFile, LocalItem, Place, Record, RemoteFile, RemoteFolder,
    Skipped, Stamp,
};
use crate::sync::unloaded::Lookup;

/// The answer of a look at the watched folder. A later look is given `cursor`, and may then answer with changes only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskSeen {
    /// Stands for this answer and all before it.
    pub cursor: u64,
    /// The items.
    pub local: LocalSeen,
}

/// All items, or those that changed since the cursor that the look was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalSeen {
    /// All items.
    Whole(Local),
    /// All folders, because there are too many items: everything may have changed, and the files are to be listed
    /// ([`Disk::list_files`]).
    Folders(Local),
    /// Those that changed.
    Changes {
        /// By path; `None`: no item is there any more, nor below it. Those are applied first.
        items: Vec<(String, Option<LocalItem>)>,
        /// As in [`Local`]: complete.
        unreadable: BTreeSet<String>,
        /// As in [`Local`]: complete.
        skipped: BTreeMap<String, Skipped>,
    },
}

/// The watched folder.
pub trait Disk: Send + Sync {
    /// The items of the watched folder without the ignored ones; with the cursor of an earlier answer, the changes
    /// since. Until a cursor comes back, its answer may be asked for again. The engine fills in `hash` and
    /// `is_settled`, except that the disk sets the latter to false for a file that the system says is open for writing.
    /// Changes made by the calls below are seen by the next look.
    ///
    /// An answer of all items that would have more than `most` tells the folders alone.
    fn look_around(&self, since: Option<u64>, most: usize) -> impl Future<Output = Result<DiskSeen, DiskError>> + Send;
    /// The files directly in a folder, by path, as the last look saw them.
    fn list_files(&self, folder: &str) -> impl Future<Output = Result<BTreeMap<String, LocalFile>, DiskError>> + Send;
    /// Has the next look read everything anew, because its last answer is in doubt.
    fn doubt(&self);
    /// Whether `path`, or a folder above it, is ignored by the person's patterns or the defaults. Asked about items of
    /// both sides, whether they exist or not.
    fn is_ignored(&self, path: &str, is_folder: bool) -> bool;
    /// The item at `path` now; `None` when nothing is there.
    fn look(&self, path: &str) -> impl Future<Output = Result<Option<LocalItem>, DiskError>> + Send;
    /// The hash of the file at `path`, if its stamp is `stamp` before and after.
    fn hash(&self, path: &str, stamp: &Stamp) -> impl Future<Output = Result<ContentHash, DiskError>> + Send;
    /// Makes a folder and returns its identity.
    fn make_folder(&self, path: &str) -> impl Future<Output = Result<u64, DiskError>> + Send;
    /// Moves or renames the item of this identity, never over anything.
    fn rename(&self, from: &str, to: &str, identity: u64) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Puts a file in the system's trash, if its stamp is still `stamp`.
    fn trash(&self, path: &str, stamp: &Stamp) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &str) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// The path that a drive file is fetched to before it gets its place: on the same file system, and never seen by a
    /// look. Each drive file has its own, so that several can be on their way.
    fn slot(&self, file: FileId) -> PathBuf;
    /// The files that wait whole in their slots.
    fn fetched(&self) -> impl Future<Output = Result<Vec<(FileId, Stamp)>, DiskError>> + Send;
    /// Removes the files in these slots, whole or not.
    fn discard_fetched(&self, files: &[FileId]) -> impl Future<Output = Result<(), DiskError>> + Send;
    /// Puts a fetched file at `path`: where no item is, or in place of the file that still has the stamp `replacing`,
    /// which goes to the trash. The fetched file keeps its identity, size and time, and is durable when this returns. Returns
    /// the change time that the file has once it is at its path; `None` where the file system tells none.
    fn place_fetched(
        &self,
        file: FileId,
        path: &str,
        replacing: Option<Stamp>,
    ) -> impl Future<Output = Result<ChangedUs, DiskError>> + Send;
}

/// A file of a watched folder that is to be sent, with its stamp when that was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file's path below the watched folder.
    pub path: String,
    /// Compared before the first byte is sent and before the last.
    pub stamp: Stamp,
}

/// How fresh a list of the drive has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freshness {
    /// As old as the adapter lets its picture be.
    Known,
    /// Every change up to this request is in it, except that items which are gone may still be listed.
    Recent,
    /// Read anew from end to end: an item that is not listed was on none of its pages.
    Whole,
}

/// The answer of a list of the drive. A later list is given `cursor`, and may then answer with changes only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriveSeen {
    /// Stands for this answer and all before it.
    pub cursor: u64,
    /// The items.
    pub remote: RemoteSeen,
    /// The drive folders of those watched folders whose person has yet to be asked about a drive that went back in
    /// time.
    pub went_back: BTreeSet<FolderId>,
}

/// All items, or those that changed since the cursor that the list was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoteSeen {
    /// All items.
    Whole {
        /// By id.
        folders: BTreeMap<FolderId, RemoteFolder>,
        /// By id.
        files: BTreeMap<FileId, RemoteFile>,
    },
    /// All folders and pointers, because there are too many items: everything may have changed, and the files are to be
    /// looked up ([`Drive::find_files`]).
    Folders {
        /// By id.
        folders: BTreeMap<FolderId, RemoteFolder>,
        /// The files that are pointers, by their names.
        pointers: Vec<(FileId, RemoteFile)>,
    },
    /// Those that changed; `None` for an item that is gone.
    Changes {
        /// By id.
        folders: Vec<(FolderId, Option<RemoteFolder>)>,
        /// By id.
        files: Vec<(FileId, Option<RemoteFile>)>,
    },
}

/// The service, as far as syncing needs it (contract, "Drive").
pub trait Drive: Uploads<Source = Source> {
    /// Every folder and every file of the drive; with the cursor of an earlier answer, the changes since. Until a
    /// cursor comes back, its answer may be asked for again. The effects and the findings of the calls below count as
    /// changes. An answer of all items that would have more than `most` files tells folders and pointers alone.
    fn list(
        &self,
        since: Option<u64>,
        freshness: Freshness,
        most: usize,
    ) -> impl Future<Output = Result<DriveSeen, DriveError>> + Send;
    /// The files that a lookup asks for, at least as new as the last list: all files of its drive folders, and those with
    /// one of its ids, contents or sizes, wherever they are. Asks no service.
    fn find_files(
        &self,
        lookup: &Lookup,
    ) -> impl Future<Output = Result<BTreeMap<FileId, RemoteFile>, DriveError>> + Send;
    /// Whether the service gives a file new content under its id and keeps the old one as a version; `None` where that
    /// is not known.
    fn keeps_versions(&self) -> Option<bool>;
    /// Finds that out, by a request about a file that changes nothing. Afterwards [`Drive::keeps_versions`] knows it,
    /// unless the file is not there.
    fn ask_for_versions(&self, file: FileId) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Makes a folder.
    fn create_folder(&self, at: &Place) -> impl Future<Output = Result<FolderId, DriveError>> + Send;
    /// Deletes an item; a folder that is not empty only when `is_recursive`.
    fn delete_item(&self, item: ItemRef, is_recursive: bool) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Deletes a file. A service that keeps versions deletes it only while it has the expected content, and answers
    /// `ContentChanged` else.
    fn delete_file(
        &self,
        file: FileId,
        expected: Option<ContentHash>,
    ) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Makes a small text file at `at`. Where it cannot be made there, nothing of it is left.
    fn write_text(&self, at: &Place, text: &str) -> impl Future<Output = Result<FileId, DriveError>> + Send;
    /// Fetches a file to `slot`, where it waits as `waits_as`, checked against the drive's size and hash. A part that
    /// is at `slot` before is resumed if it is of the same content, else replaced.
    fn fetch(
        &self,
        file: FileId,
        waits_as: FileId,
        slot: &Path,
    ) -> impl Future<Output = Result<(Stamp, ContentHash), DriveError>> + Send;
}

/// Why the store failed. The folder stops then: nothing may be done that is not written down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store's disk is full.
    #[error("no room left for the journal")]
    DiskFull,
    /// The store is damaged.
    #[error("the journal is damaged: {detail}")]
    Damaged {
        /// What is known about the damage.
        detail: String,
    },
    /// The store cannot be read or written.
    #[error("the journal cannot be used: {detail}")]
    Unavailable {
        /// What the system said.
        detail: String,
    },
}

/// The results of steps, written down in one transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settlement {
    /// Changes of records, in this order.
    pub changes: Vec<Change>,
    /// The paths whose intents are over.
    pub done: Vec<String>,
    /// Entries of the history.
    pub applied: Vec<AppliedChange>,
}

/// What a store has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The records.
    pub agreed: Agreed,
    /// The intents.
    pub intents: Vec<Intent>,
    /// Whether the records of all files are among them.
    pub has_files: bool,
}

/// What survives a crash: records and intents.
pub trait Store: Send + Sync {
    /// All records and intents; with more than `most` records, those of folders alone, and of files whose folder has
    /// none. No two intents are about one path.
    fn load(&self, most: usize) -> impl Future<Output = Result<Loaded, StoreError>> + Send;
    /// The records of files that a lookup asks for: all files directly in its local folders, those with one of its
    /// ids, contents or sizes, and those that have replaced one of its files.
    fn find_records(
        &self,
        lookup: &Lookup,
    ) -> impl Future<Output = Result<BTreeMap<String, Record>, StoreError>> + Send;
    /// Writes down what is about to be done, durably, before it is done. Each intent replaces the one of its path.
    fn intend(&self, intents: &[Intent]) -> impl Future<Output = Result<(), StoreError>> + Send;
    /// Applies a settlement, durably.
    fn settle(&self, settlement: &Settlement) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// The clock.
pub trait Clock: WallClock {
    /// Milliseconds since some moment. Never goes back, even if the wall clock does.
    fn now_ms(&self) -> u64;
    /// The person's date, such as `2026-11-20`.
    fn today(&self) -> String;
    /// Waits for this time, or less when there is reason to look at once, such as a network that is back.
    fn wait_ms(&self, milliseconds: u64) -> impl Future<Output = ()> + Send;
}
