//! The three trees that a plan compares: the folder as it was seen, the drive as it was seen, and what both last agreed on.
//!
//! Data only. Always true: a path is relative to the watched folder, with `/` between names and never at either end; the
//! root is the empty path and stands in no map. Not here: how they are read (`ports`), what follows from them (`plan`).

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroI64;
use std::ops::Bound;

use easel_wire::{FileId, FolderId};
use serde::{Deserialize, Serialize};

pub use crate::shared::drive_file::{ContentHash, RemoteFile, Replacing};
pub use crate::shared::paths::{above, is_below, join, name, parent};
use crate::sync::pointers::Pointers;

/// What tells whether a local file is still the one that was seen, without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Size in bytes.
    pub size_bytes: u64,
    /// Modification time, microseconds since the epoch.
    pub modified_us: i64,
    /// Stays with an item through renames and edits and is never used twice: made of inode and birth time.
    pub identity: u64,
}

/// When anything about a file last changed, its name and its rights included, in microseconds since the epoch; `None` where
/// the system does not tell. No program sets it, so it moves with an edit whose other time was set back.
pub type ChangedUs = Option<NonZeroI64>;

/// A file of the watched folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalFile {
    /// As it was when it was seen.
    pub stamp: Stamp,
    /// When it was seen.
    pub changed_us: ChangedUs,
    /// Where it has been read since it last changed.
    pub hash: Option<ContentHash>,
    /// Whether it has stood still long enough; what is still being written is left alone. The disk says no where the
    /// system tells that someone has it open for writing.
    pub is_settled: bool,
    /// When it was seen, so many milliseconds had passed since anything about it last changed, as far as its disk can be
    /// sure; at most a minute, and 0 where it cannot.
    pub still_ms: u16,
}

/// An item of the watched folder. What is ignored, and what is neither file nor folder, is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalItem {
    /// A folder, with its identity.
    Folder(u64),
    /// A file.
    File(LocalFile),
}

impl LocalItem {
    /// Whether it is a file that has not stood still long enough.
    #[must_use]
    pub const fn is_being_written(&self) -> bool {
        matches!(self, Self::File(LocalFile { is_settled: false, .. }))
    }
}

/// What is in the watched folder and is never synced, whatever the person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// A symbolic link; links are not followed.
    SymbolicLink,
    /// A pipe, a socket, a device, another file system's root.
    Special,
    /// A name that is no Unicode text; the path has stand-ins for what cannot be shown.
    NameNotText,
}

/// The watched folder, as seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Local {
    /// By relative path.
    pub items: BTreeMap<String, LocalItem>,
    /// Folders whose inside could not be read: nothing may be concluded from what is missing below them.
    pub unreadable: BTreeSet<String>,
    /// What is there and is neither file nor folder: nothing may be concluded about these paths, nor below them.
    pub skipped: BTreeMap<String, Skipped>,
    /// What something was about to be done with, of which it cannot be told for now if it was: as with what is skipped.
    pub doubtful: BTreeSet<String>,
    /// What was agreed on and has not been missing for long: it may be on its way to another path, or be written anew, so
    /// that its deletion is not believed yet.
    pub just_gone: BTreeSet<String>,
}

impl Local {
    /// The file at `path`.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&LocalFile> {
        match self.items.get(path) {
            Some(LocalItem::File(file)) => Some(file),
            _ => None,
        }
    }

    /// Whether a folder is at `path`; the root always is.
    #[must_use]
    pub fn is_folder(&self, path: &str) -> bool {
        path.is_empty() || matches!(self.items.get(path), Some(LocalItem::Folder(_)))
    }

    /// Whether nothing is known about `path`: a folder above it could not be read, or it is something that is skipped or
    /// doubtful.
    #[must_use]
    pub fn is_hidden(&self, path: &str) -> bool {
        if self.unreadable.is_empty() && self.skipped.is_empty() && self.doubtful.is_empty() {
            return false;
        }
        self.is_unknown(path) || above(path).any(|folder| self.unreadable.contains(folder) || self.is_unknown(folder))
    }

    /// Whether `path` itself is something that is skipped or doubtful.
    #[must_use]
    pub fn is_unknown(&self, path: &str) -> bool {
        self.skipped.contains_key(path) || self.doubtful.contains(path)
    }

    /// The paths and items below `folder`, at any depth.
    pub fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a String, &'a LocalItem)> {
        range_below(&self.items, folder)
    }

    /// Moves an item, and all that is below it.
    pub fn rename(&mut self, from: &str, to: &str) {
        rename_keys(&mut self.items, from, to);
    }
}

/// A folder of the drive, as seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFolder {
    /// The folder above; `None` at the top of the drive.
    pub parent: Option<FolderId>,
    /// Unique among the folders beside it, without regard to case and composition.
    pub name: String,
}

/// The whole drive, as seen: content may be found outside the watched part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// The drive folder that stands for the watched folder.
    pub root: FolderId,
    /// By id.
    pub folders: BTreeMap<FolderId, RemoteFolder>,
    /// By id; among them what pointers stand for.
    pub files: BTreeMap<FileId, RemoteFile>,
    /// What stands for files whose content the drive holds under another path.
    pub pointers: Pointers,
    /// Whether it is as it was at an earlier time, as a service is that was restored from a backup, and nobody was asked yet.
    pub has_gone_back: bool,
    /// What uploads made that are not settled yet: nothing new.
    pub claimed: BTreeSet<FileId>,
    /// Whether the service gives a file new content under its id, and keeps what it had as a version; `None` where nobody has
    /// found out yet. Elsewhere a hash that is not the agreed one is the service's own way of counting.
    pub keeps_versions: Option<bool>,
}

impl Remote {
    /// A drive in which nothing has been seen yet.
    #[must_use]
    pub fn new(root: FolderId) -> Self {
        Self {
            root,
            folders: BTreeMap::new(),
            files: BTreeMap::new(),
            pointers: Pointers::default(),
            has_gone_back: false,
            claimed: BTreeSet::new(),
            keeps_versions: None,
        }
    }

    /// Whether `folder` is seen to be neither the root nor below it. A list may lack a folder: where one above `folder`
    /// is not seen, nothing is known.
    #[must_use]
    pub fn is_outside(&self, folder: FolderId) -> bool {
        let above: Vec<FolderId> = self.upwards(folder).collect();
        let top = above.last().and_then(|id| self.folders.get(id));
        !above.contains(&self.root) && top.is_some_and(|top| top.parent.is_none())
    }

    /// Whether `folder` is `above` or below it.
    #[must_use]
    pub fn is_within(&self, folder: FolderId, above: FolderId) -> bool {
        self.upwards(folder).any(|id| id == above)
    }

    /// A folder and those above it, as far as they are seen. As many steps as there are folders: a circle cannot be, but
    /// what is read from outside is not trusted.
    fn upwards(&self, folder: FolderId) -> impl Iterator<Item = FolderId> {
        let above = |id: &FolderId| self.folders.get(id).and_then(|seen| seen.parent);
        std::iter::successors(Some(folder), above).take(self.folders.len() + 1)
    }
}

/// Whether a local file is where the drive has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The drive file's own place.
    Home,
    /// The same content at another place: the drive keeps one file of a content.
    Link,
}

/// Which sides have the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// Both.
    Both,
    /// Deleted here and kept in the drive, as the settings say; it is not pulled back.
    OnlyInDrive,
    /// Deleted in the drive while only uploads are wanted; it is not sent again unless it changes.
    OnlyHere,
}

/// A place in the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The folder.
    pub folder: FolderId,
    /// The name in it.
    pub name: String,
}

/// A drive file that was replaced by an edit and is to be deleted once nothing needs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// Its id.
    pub file: FileId,
    /// Where it was. Found elsewhere, someone wanted it, and it stays.
    pub place: Place,
    /// Its content.
    pub hash: ContentHash,
    /// Whether it is a pointer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_pointer: bool,
}

/// What was agreed on about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The drive file.
    pub file: FileId,
    /// Whether this path is its place.
    pub role: Role,
    /// The local file as it was.
    pub stamp: Stamp,
    /// When it last changed, as of a moment before its content was read; `None` where that is not known yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_us: ChangedUs,
    /// Its content.
    pub hash: ContentHash,
    /// What this content replaced.
    pub replaces: Vec<Replaced>,
    /// Whether the drive file is a pointer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_pointer: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_false(it: &bool) -> bool {
    !*it
}

impl FileRecord {
    /// Whether a drive file has other content by now than was agreed on. Of a pointer its name says what it stands for.
    #[must_use]
    pub fn is_overtaken_by(&self, seen: &RemoteFile) -> bool {
        !self.is_pointer && seen.hash.is_some_and(|hash| hash != self.hash)
    }

    /// Whether a local file is the one that was agreed on, as far as can be told without reading it: nothing about it has
    /// changed since.
    #[must_use]
    pub fn is_untouched(&self, local: &LocalFile) -> bool {
        let has_changed = self.changed_us.zip(local.changed_us).is_some_and(|(agreed, seen)| agreed != seen);
        self.stamp == local.stamp && !has_changed
    }
}

/// A file or a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Agreement {
    /// A folder: its id in the drive and its identity here.
    Folder {
        /// In the drive.
        folder: FolderId,
        /// Here.
        identity: u64,
    },
    /// A file.
    File(FileRecord),
}

/// What both sides agreed on, for one local path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What it is.
    pub agreement: Agreement,
    /// Where the drive has it. Its name may differ from the local one while a replacement is under way.
    pub place: Place,
    /// Which sides have it.
    pub standing: Standing,
}

impl Record {
    /// What is agreed about a file; `None` for a folder.
    #[must_use]
    pub const fn as_file(&self) -> Option<&FileRecord> {
        match &self.agreement {
            Agreement::File(file) => Some(file),
            Agreement::Folder { .. } => None,
        }
    }

    /// The drive folder; `None` for a file.
    #[must_use]
    pub const fn as_folder(&self) -> Option<FolderId> {
        match &self.agreement {
            Agreement::Folder { folder, .. } => Some(*folder),
            Agreement::File(_) => None,
        }
    }
}

/// What both sides last agreed on, by local path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreed {
    /// By relative path.
    pub records: BTreeMap<String, Record>,
}

/// A change to what is agreed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// This is agreed about the path.
    Put(String, Record),
    /// Nothing is agreed about the path any more.
    Forget(String),
    /// The item is at another path now, and all that is below it.
    Rename {
        /// The path it had.
        from: String,
        /// The path it has.
        to: String,
    },
}

impl Agreed {
    /// Applies a change.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Put(path, record) => {
                self.records.insert(path.clone(), record.clone());
            }
            Change::Forget(path) => {
                self.records.remove(path);
            }
            Change::Rename { from, to } => rename_keys(&mut self.records, from, to),
        }
    }

    /// Applies a change that nobody else needs.
    pub fn take(&mut self, change: Change) {
        match change {
            Change::Put(path, record) => drop(self.records.insert(path, record)),
            change => self.apply(&change),
        }
    }

    /// Gives back the room around the records where they are a third more than `tight`, which is what they were when this was
    /// last done: those that came one after the other in the order of their paths have nearly as much around them again.
    pub fn tighten(&mut self, tight: &mut usize) {
        if self.records.len() <= *tight / 3 * 4 {
            return;
        }
        // Two maps that are put together are built anew, without gaps.
        if let Some(last) = self.records.pop_last() {
            self.records.append(&mut BTreeMap::from([last]));
        }
        *tight = self.records.len();
    }

    /// The drive folder that a path's folder is agreed to be, the watched one being `root`.
    #[must_use]
    pub fn folder_above(&self, path: &str, root: FolderId) -> Option<FolderId> {
        match parent(path) {
            "" => Some(root),
            above => self.records.get(above)?.as_folder(),
        }
    }

    /// The paths and records below `folder`, at any depth.
    pub fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a String, &'a Record)> {
        range_below(&self.records, folder)
    }
}

/// What lies below a folder stands together: between `folder/` and the first key that cannot begin so.
fn range_below<'a, T>(map: &'a BTreeMap<String, T>, folder: &str) -> impl Iterator<Item = (&'a String, &'a T)> {
    // '0' comes right after '/'.
    let ends = (!folder.is_empty()).then(|| (format!("{folder}/"), format!("{folder}0")));
    let range: (Bound<String>, Bound<String>) = match ends {
        Some((first, end)) => (Bound::Included(first), Bound::Excluded(end)),
        None => (Bound::Unbounded, Bound::Unbounded),
    };
    map.range(range)
}

fn rename_keys<T>(map: &mut BTreeMap<String, T>, from: &str, to: &str) {
    let below: Vec<String> = range_below(map, from).map(|(path, _)| path.clone()).collect();
    let moved = below.into_iter().chain([from.to_owned()]);
    let taken: Vec<(String, T)> = moved.filter_map(|path| map.remove_entry(&path)).collect();
    for (path, value) in taken {
        map.insert(format!("{to}{}", &path[from.len()..]), value);
    }
}
