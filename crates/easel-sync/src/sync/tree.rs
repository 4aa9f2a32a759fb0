//! The three trees that a plan compares: the local folder as seen, the drive as seen, and the records that both last
//! agreed on.
//!
//! Data only. Always true: a path is relative to the watched folder, with `/` between names and never at either end;
//! the root is the empty path and stands in no map. Not here: how the trees are read (`ports`), what follows from them
//! (`plan`).

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroI64;
use std::ops::Bound;

use easel_wire::{FileId, FolderId};
use serde::{Deserialize, Serialize};

pub use crate::shared::drive_file::{ContentHash, RemoteFile, Replacing};
use crate::shared::names;
pub use crate::shared::paths::{above, is_below, join, name, parent, rebased};
use crate::sync::pointers::Pointers;

/// Tells whether a local file is still the same, without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Size in bytes.
    pub size_bytes: u64,
    /// Modification time, microseconds since the epoch.
    pub modified_us: i64,
    /// The item's identity, which stays through renames and edits and is never used twice: made of inode and birth
    /// time.
    pub identity: u64,
}

impl Stamp {
    /// The stamp of a content that no local file has: whatever lies at its path counts as an edit, and is read.
    #[must_use]
    pub const fn of_no_file(self) -> Self {
        Self { identity: 0, ..self }
    }
}

/// When anything about a file last changed, its name and its rights included, in microseconds since the epoch; `None`
/// where the system does not tell. Programs cannot set this time, so an edit shows in it even if the modification time
/// was set back.
pub type ChangedUs = Option<NonZeroI64>;

/// A file of the watched folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalFile {
    /// The file's stamp when it was seen.
    pub stamp: Stamp,
    /// The file's change time when it was seen.
    pub changed_us: ChangedUs,
    /// The file's content, where it was read since its last change.
    pub hash: Option<ContentHash>,
    /// Whether the file has stood still for long enough; a file that is still being written is left alone. False where
    /// the system says that a program has the file open for writing.
    pub is_settled: bool,
    /// For how many milliseconds the file had not changed when it was seen, as far as its disk can be sure; at most a
    /// minute, and 0 where it cannot.
    pub still_ms: u16,
}

/// An item of the watched folder. Ignored items, and those that are neither file nor folder, are not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalItem {
    /// A folder, with its identity.
    Folder(u64),
    /// A file.
    File(LocalFile),
}

impl LocalItem {
    /// The file; `None` for a folder.
    #[must_use]
    pub const fn as_file(&self) -> Option<&LocalFile> {
        match self {
            Self::File(file) => Some(file),
            Self::Folder(_) => None,
        }
    }

    /// Whether this is a file that has not stood still for long enough.
    #[must_use]
    pub const fn is_being_written(&self) -> bool {
        matches!(self, Self::File(LocalFile { is_settled: false, .. }))
    }
}

/// Why an item of the watched folder is never synced, whatever the person chose.
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
    /// Folders that could not be read: nothing may be concluded from items that are missing below them.
    pub unreadable: BTreeSet<String>,
    /// Items that are neither file nor folder: nothing may be concluded about these paths, nor below them.
    pub skipped: BTreeMap<String, Skipped>,
    /// Paths of open intents of which it is not known yet whether they were carried out: treated as skipped ones.
    pub doubtful: BTreeSet<String>,
    /// Agreed items that have only just gone: they may be on their way to another path, or be written anew, so that
    /// their deletion is not believed yet.
    pub just_gone: BTreeSet<String>,
}

impl Local {
    /// The file at `path`.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&LocalFile> {
        self.items.get(path)?.as_file()
    }

    /// Forgets all files.
    pub fn keep_folders(&mut self) {
        self.items.retain(|_, item| item.as_file().is_none());
    }

    /// Whether a folder is at `path`; the root always is.
    #[must_use]
    pub fn is_folder(&self, path: &str) -> bool {
        path.is_empty() || matches!(self.items.get(path), Some(LocalItem::Folder(_)))
    }

    /// Whether nothing is known about `path`: a folder above it could not be read, or it is skipped or doubtful.
    #[must_use]
    pub fn is_hidden(&self, path: &str) -> bool {
        if self.unreadable.is_empty() && self.skipped.is_empty() && self.doubtful.is_empty() {
            return false;
        }
        self.is_unknown(path) || above(path).any(|folder| self.unreadable.contains(folder) || self.is_unknown(folder))
    }

    /// Whether `path` itself is skipped or doubtful.
    #[must_use]
    pub fn is_unknown(&self, path: &str) -> bool {
        self.skipped.contains_key(path) || self.doubtful.contains(path)
    }

    /// The paths and items below `folder`, at any depth.
    pub fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a String, &'a LocalItem)> {
        range_below(&self.items, folder)
    }

    /// Moves an item, with all items below it.
    pub fn rename(&mut self, from: &str, to: &str) {
        rename_keys(&mut self.items, from, to);
    }
}

/// A folder of the drive, as seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFolder {
    /// The folder above; `None` at the top of the drive.
    pub parent: Option<FolderId>,
    /// The folder's name, unique among the folders beside it without regard to case and composition.
    pub name: String,
}

/// The whole drive, as seen: a content may be found outside the drive folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// The drive folder that is kept in step with the watched folder.
    pub root: FolderId,
    /// By id.
    pub folders: BTreeMap<FolderId, RemoteFolder>,
    /// By id; with the copies that pointers stand for.
    pub files: BTreeMap<FileId, RemoteFile>,
    /// The pointers: files that stand for others whose content the drive has under another path.
    pub pointers: Pointers,
    /// Whether the drive is in the state of an earlier time, as after a restore from a backup, and nobody was asked
    /// about that yet.
    pub has_gone_back: bool,
    /// Drive files of uploads that are not settled yet: they are not new.
    pub claimed: BTreeSet<FileId>,
    /// Whether the service gives a file new content under its id, and keeps the old one as a version; `None` where
    /// nobody has found out yet. On other services a hash that differs from the agreed one only shows that the service
    /// hashes in its own way.
    pub keeps_versions: Option<bool>,
}

impl Remote {
    /// Whether someone gave a record's drive file other content than the agreed one.
    #[must_use]
    pub fn has_overtaken(&self, file: &FileRecord) -> bool {
        let is_overtaken = || self.files.get(&file.file).is_some_and(|seen| file.is_overtaken_by(seen));
        self.keeps_versions == Some(true) && is_overtaken()
    }

    /// A drive of which nothing was seen yet.
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

    /// Whether `folder` is known to be neither the root nor below it. A list may lack a folder: if some folder above is
    /// not seen, nothing is known.
    #[must_use]
    pub fn is_outside(&self, folder: FolderId) -> bool {
        let above: Vec<FolderId> = self.upwards(folder).collect();
        let top = above.last().and_then(|id| self.folders.get(id));
        !above.contains(&self.root) && top.is_some_and(|top| top.parent.is_none())
    }

    /// A folder's path below the root; `None` where it is not below the root.
    #[must_use]
    pub fn path_below_root(&self, folder: FolderId) -> Option<String> {
        let mut names = Vec::new();
        for id in self.upwards(folder) {
            if id == self.root {
                names.reverse();
                return Some(names.join("/"));
            }
            names.push(self.folders.get(&id)?.name.as_str());
        }
        None
    }

    /// Whether `folder` is `above` or below it.
    #[must_use]
    pub fn is_within(&self, folder: FolderId, above: FolderId) -> bool {
        self.upwards(folder).any(|id| id == above)
    }

    /// A folder and those above it, as far as they are seen. At most as many steps as there are folders: there should
    /// be no circle, but answers of a service are not trusted.
    fn upwards(&self, folder: FolderId) -> impl Iterator<Item = FolderId> {
        let above = |id: &FolderId| self.folders.get(id).and_then(|seen| seen.parent);
        std::iter::successors(Some(folder), above).take(self.folders.len() + 1)
    }
}

/// Whether a local file's content is in the drive at the path's own place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// The path is the drive file's own: its home.
    Home,
    /// The drive file lies at another path's place: the drive keeps one file for a content.
    Link,
}

/// Which sides have an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sides {
    /// Both.
    Both,
    /// The item was deleted here and is kept in the drive, as the settings say; it is not fetched again.
    OnlyInDrive,
    /// The item was deleted in the drive while only uploads are wanted; it is not sent again unless it changes.
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

impl Place {
    /// Whether it is the same place by the drive's rules for comparing names.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.folder == other.folder && names::key(&self.name) == names::key(&other.name)
    }
}

/// A drive file that was replaced by an edit, and is deleted once no path needs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The file's id.
    pub file: FileId,
    /// The file's place when it was replaced. If it is elsewhere by now, someone wanted it, and it stays.
    pub place: Place,
    /// The file's content.
    pub hash: ContentHash,
    /// Whether the file is a pointer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_pointer: bool,
}

/// The agreed state of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The drive file.
    pub file: FileId,
    /// Whether this path is the drive file's home.
    pub role: Role,
    /// The local file's stamp.
    pub stamp: Stamp,
    /// The local file's change time, from a moment before its content was read; `None` where that is not known yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_us: ChangedUs,
    /// The file's content.
    pub hash: ContentHash,
    /// The drive files that this content replaced.
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
    /// Whether a drive file has other content by now than the agreed one. A pointer's own content does not count: its
    /// name tells the copy's.
    #[must_use]
    pub fn is_overtaken_by(&self, seen: &RemoteFile) -> bool {
        !self.is_pointer && seen.hash.is_some_and(|hash| hash != self.hash)
    }

    /// Whether a local file is as agreed, as far as can be told without reading it: nothing about it has changed since.
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
        /// The folder's id in the drive.
        folder: FolderId,
        /// The folder's identity here.
        identity: u64,
    },
    /// A file.
    File(FileRecord),
}

/// The state that both sides agreed on for one local path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The file or folder.
    pub agreement: Agreement,
    /// The item's place in the drive. Its name may differ from the local one while a replacement is under way.
    pub place: Place,
    /// Which sides have the item.
    #[serde(rename = "standing")]
    pub sides: Sides,
}

impl Record {
    /// The agreed file; `None` for a folder.
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

/// The sync base: the records that both sides last agreed on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreed {
    /// By relative path.
    pub records: BTreeMap<String, Record>,
}

/// A change of the agreed records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// The path gets this record.
    Put(String, Record),
    /// The path has no record any more.
    Forget(String),
    /// The records of the path, and of all paths below it, get another path.
    Rename {
        /// The path before.
        from: String,
        /// The path afterwards.
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

    /// Applies a change and consumes it.
    pub fn take(&mut self, change: Change) {
        match change {
            Change::Put(path, record) => drop(self.records.insert(path, record)),
            change => self.apply(&change),
        }
    }

    /// Frees spare memory of the records where they are a third more than `tight`, their number when this was last
    /// done: records that came one after the other in the order of their paths have nearly as much spare memory around
    /// them again.
    pub fn tighten(&mut self, tight: &mut usize) {
        if self.records.len() <= *tight / 3 * 4 {
            return;
        }
        // Joining two maps builds a new one without gaps.
        if let Some(last) = self.records.pop_last() {
            self.records.append(&mut BTreeMap::from([last]));
        }
        *tight = self.records.len();
    }

    /// Forgets the records of files, but of those whose folder has none: nobody would ask for them by that folder.
    pub fn keep_folders(&mut self) {
        let folders = self.records.iter().filter(|(_, record)| record.as_folder().is_some());
        let folders: BTreeSet<String> = folders.map(|(path, _)| path.clone()).collect();
        let is_kept = |path: &str| !parent(path).is_empty() && !folders.contains(parent(path));
        self.records.retain(|path, record| record.as_folder().is_some() || is_kept(path));
    }

    /// Whether a drive file is the own one of another path than this.
    #[must_use]
    pub fn is_home_of_another(&self, path: &str, file: FileId) -> bool {
        let mut others = self.records.iter().filter(|(other, _)| *other != path);
        others.any(|(_, other)| other.as_file().is_some_and(|other| other.file == file && other.role == Role::Home))
    }

    /// The drive folder that is agreed for the folder of a path; `root` for the watched folder itself.
    #[must_use]
    pub fn folder_above(&self, path: &str, root: FolderId) -> Option<FolderId> {
        self.folder_at(parent(path), root)
    }

    /// The drive folder that is agreed for a local one; `root` for the watched folder itself.
    #[must_use]
    pub fn folder_at(&self, path: &str, root: FolderId) -> Option<FolderId> {
        if path.is_empty() { Some(root) } else { self.records.get(path)?.as_folder() }
    }

    /// The paths and records below `folder`, at any depth.
    pub fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a String, &'a Record)> {
        range_below(&self.records, folder)
    }
}

/// The paths below a folder stand together: between `folder/` and the first key that cannot begin so. `None` for the
/// watched folder itself, which has all others below it.
pub(crate) fn bounds_below(folder: &str) -> Option<(String, String)> {
    // '0' comes right after '/'.
    (!folder.is_empty()).then(|| (format!("{folder}/"), format!("{folder}0")))
}

/// The items below a folder.
pub(crate) fn range_below<'a, T>(
    map: &'a BTreeMap<String, T>,
    folder: &str,
) -> impl Iterator<Item = (&'a String, &'a T)> {
    let range: (Bound<String>, Bound<String>) = match bounds_below(folder) {
        Some((first, end)) => (Bound::Included(first), Bound::Excluded(end)),
        None => (Bound::Unbounded, Bound::Unbounded),
    };
    map.range(range)
}

pub(crate) fn rename_keys<T>(map: &mut BTreeMap<String, T>, from: &str, to: &str) {
    let below: Vec<String> = range_below(map, from).map(|(path, _)| path.clone()).collect();
    let moved = below.into_iter().chain([from.to_owned()]);
    let taken: Vec<(String, T)> = moved.filter_map(|path| map.remove_entry(&path)).collect();
    for (path, value) in taken {
        map.insert(rebased(&path, from, to), value);
    }
}
