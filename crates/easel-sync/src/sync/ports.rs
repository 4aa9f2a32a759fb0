//! What the sync engine needs of the world: a disk, a drive, a store that survives a crash, a clock.
//!
//! Always true: each call either does what it says or leaves everything as it was, except where it says that its effect
//! is unknown ([`DriveError::Lost`], [`DriveError::Stopped`]); dropping a call's future at any point is a crash, which the engine must survive.
//! Calls about different items are made at the same time, as many as the settings say. Not here: any real disk or
//! service; the simulation has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::{Path, PathBuf};

pub use crate::shared::ports::{
    Destination, DiskError, DriveError, Fingerprint, Hold, Route, Uploaded, Uploads, WallClock,
};
use easel_wire::{FileId, FolderId, ItemRef};

use crate::sync::engine::{Deed, Intent};
use crate::sync::tree::{
    Agreed, Change, ContentHash, Local, LocalItem, Place, RemoteFile, RemoteFolder, Skipped, Stamp,
};

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

/// A file of a watched folder that is to be sent, as it was when that was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Below the watched folder.
    pub path: String,
    /// Checked before the first byte and before the last.
    pub stamp: Stamp,
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

/// Time.
pub trait Clock: WallClock {
    /// Milliseconds since some moment. Never goes back, whatever becomes of the wall clock.
    fn now_ms(&self) -> u64;
    /// The person's date, such as `2026-11-20`.
    fn today(&self) -> String;
    /// Waits; less long when there is reason to look at once, such as a network that is back.
    fn wait_ms(&self, milliseconds: u64) -> impl Future<Output = ()> + Send;
}
