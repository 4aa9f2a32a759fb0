//! Folders whose files are not in memory, because they are the same on both sides and as agreed, or because their turn
//! has yet to come; and what has to be looked up of them before a plan can be made without them.
//!
//! Always true: a folder's path stands here or its files are in all three trees, never both; every folder itself is in
//! the trees. The files of a drive folder that no local one is matched with are in memory only where something refers
//! to them. While a folder waits for its turn, nothing is concluded from what is missing elsewhere. So memory follows
//! from what differs, and not from how much is watched. Not here: which folders may be unloaded (`plan`), and loading
//! them (`engine`).

mod folder_sums;

use std::collections::{BTreeMap, BTreeSet};

use easel_wire::{FileId, FolderId};

use super::tree::{ContentHash, is_below, rebased};
use folder_sums::FolderSums;

/// Files of one folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// See the module. The watched folder itself has the empty path.
#[derive(Debug, Clone, Default)]
pub struct Unloaded {
    /// Folders that were the same on both sides when their files left memory.
    folders: FolderSums,
    /// Folders that were not compared yet.
    waiting: BTreeSet<String>,
    /// Whether anything left memory since everything was there.
    is_partial: bool,
    /// If anything left memory: the drive folders whose files are still in it.
    loaded_there: BTreeSet<FolderId>,
}

impl Unloaded {
    /// Whether everything is in memory, also the rest of the drive.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        !self.is_partial
    }

    /// Whether a folder's files are not in memory.
    #[must_use]
    pub fn contains(&self, folder: &str) -> bool {
        self.folders.contains(folder) || self.waiting.contains(folder)
    }

    /// Whether a folder was not compared yet.
    #[must_use]
    pub fn is_waiting(&self, folder: &str) -> bool {
        self.waiting.contains(folder)
    }

    /// Whether some folders were not compared yet, so that nothing follows from what is missing.
    #[must_use]
    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The first folders, at most so many, that were not compared yet. A folder comes before those in it.
    #[must_use]
    pub fn list_waiting(&self, most: usize) -> BTreeSet<String> {
        self.waiting.iter().take(most).cloned().collect()
    }

    /// Has these folders compared anew: no file is in memory on either side.
    pub fn wait_for_all(&mut self, folders: impl Iterator<Item = String>) {
        *self = Self { is_partial: true, waiting: folders.collect(), ..Self::default() };
    }

    /// Has a folder compared whose drive files are not in memory, and that has no other files.
    pub fn wait_for(&mut self, folder: &str) {
        self.waiting.insert(folder.to_owned());
    }

    /// Whether all files of a drive folder are in memory.
    #[must_use]
    pub fn is_loaded_there(&self, folder: FolderId) -> bool {
        !self.is_partial || self.loaded_there.contains(&folder)
    }

    /// Notes that all files of these drive folders are in memory.
    pub fn add_loaded_there(&mut self, folders: impl IntoIterator<Item = FolderId>) {
        self.loaded_there.extend(folders);
    }

    /// All files that are not in memory.
    #[must_use]
    pub fn sum(&self) -> Sum {
        let all = self.folders.iter().map(|(_, sum)| sum);
        all.fold(Sum::default(), |all, one| Sum { files: all.files + one.files, bytes: all.bytes + one.bytes })
    }

    /// Adds folders whose files leave memory. `loaded_there` are the drive folders whose files all stay.
    pub fn extend(&mut self, folders: &BTreeMap<String, Sum>, loaded_there: BTreeSet<FolderId>) {
        self.is_partial = true;
        self.folders.extend(folders);
        self.loaded_there = loaded_there;
    }

    /// Notes that the files of these folders are in memory again.
    pub fn remove(&mut self, folders: &BTreeSet<String>) {
        self.folders.remove(folders);
        for folder in folders {
            self.waiting.remove(folder);
        }
    }

    /// Those of `folder` and of the folders below it.
    #[must_use]
    pub fn within(&self, folder: &str) -> Vec<String> {
        let below = self.folders.below(folder).map(str::to_owned);
        let waiting = self.waiting.iter().filter(|path| is_below(path, folder)).cloned();
        below.chain(waiting).chain(self.contains(folder).then(|| folder.to_owned())).collect()
    }

    /// Follows a folder to another path.
    pub fn rename(&mut self, from: &str, to: &str) {
        self.folders.rename(from, to);
        let is_moved = |path: &String| path == from || is_below(path, from);
        let moved: Vec<String> = self.waiting.extract_if(.., |path| is_moved(path)).collect();
        self.waiting.extend(moved.into_iter().map(|path| rebased(&path, from, to)));
    }
}

/// What has to be looked up, because something that differs refers to it and it may not be in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lookup {
    /// Local folders whose files are needed.
    pub folders: BTreeSet<String>,
    /// Drive folders whose files are needed.
    pub drive_folders: BTreeSet<FolderId>,
    /// Drive files, wherever they are.
    pub files: BTreeSet<FileId>,
    /// Contents that drive files or agreed ones may have.
    pub contents: BTreeSet<ContentHash>,
    /// Sizes in bytes that drive files or agreed ones may have.
    pub sizes: BTreeSet<u64>,
    /// Identities that the local files of agreed ones may have.
    pub identities: BTreeSet<u64>,
}

impl Lookup {
    /// Whether nothing has to be looked up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Leaves out what was looked up before. Folders stay: those that were loaded are not asked for again.
    pub fn subtract(&mut self, known: &Self) {
        self.files.retain(|it| !known.files.contains(it));
        self.contents.retain(|it| !known.contents.contains(it));
        self.sizes.retain(|it| !known.sizes.contains(it));
        self.identities.retain(|it| !known.identities.contains(it));
    }
}
