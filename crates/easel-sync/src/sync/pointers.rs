//! Pointers: small files in the drive, each of which stands for a file whose content the drive has under another path.
//!
//! A service stores one file for one content (contract, "Uploads"), so the second of two equal files has no drive file
//! of its own, but a pointer: it lies in the folder of the file's path, and its name has the file's name and the
//! SHA-256 of the content, so that a list of the drive tells of every copy. Always true: the copy is seen as a drive
//! file with the pointer's id; only the pointer's name says that the copy was deleted, so that whoever deletes a
//! pointer by hand deletes no file on any computer. Not here: when a pointer is made (`plan`), the requests for it
//! (`engine`).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use easel_wire::{FileId, FolderId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::shared::{gathered, names};
use crate::sync::tree::{ContentHash, Place, Remote, RemoteFile};

/// Every pointer is a text file, because services take those most readily.
const EXTENSION: &str = ".txt";
/// In the name of a live pointer.
const LIVE: &str = "copy";
/// Before the mark in the name of a pointer whose path is about to get another content.
const REPLACED: &str = "replaced-copy-";
/// Before the mark in the name of a pointer whose place its original is about to take.
const HANDED_OVER: &str = "handed-copy-";
/// Before date and mark in the name of a pointer whose copy was deleted.
const GONE: &str = "deleted-copy-";
/// Digits of the mark that keeps apart the names of pointers that stood for the same file.
const MARK: usize = 8;

/// What became of a pointer's copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The copy is there.
    Live,
    /// The copy is there until another file, its next version, comes to its place.
    Replaced,
    /// The copy is there until the drive file of its original, whose own path was deleted, comes to its place.
    HandedOver,
    /// The copy was deleted, or got its next version, on this day, such as `2026-11-20`.
    Gone(String),
}

impl State {
    /// Whether the copy is there, and nothing but the original itself is about to come to its place.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self, Self::Live | Self::HandedOver)
    }
}

/// A pointer, as its name tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// The name of the copy.
    pub name: String,
    /// The copy's content.
    pub hash: ContentHash,
    /// The copy's state.
    pub state: State,
}

impl Pointer {
    /// A pointer for a copy of this name; `None` where the pointer's own name would be too long for the drive.
    #[must_use]
    pub fn new(name: &str, hash: ContentHash) -> Option<Self> {
        let of = |state| Self { name: name.to_owned(), hash, state };
        let longest = of(State::Gone("2026-11-20".to_owned())).file_name(FileId::imagined(0));
        (names::fits_the_drive(name) && names::fits_the_drive(&longest)).then(|| of(State::Live))
    }

    /// Reads the name of a drive file; `None` where it is no pointer's. A service may have put a number to it.
    #[must_use]
    pub fn read(file_name: &str) -> Option<Self> {
        let stem = file_name.strip_prefix('.')?.strip_suffix(EXTENSION)?;
        let stem = match stem.strip_suffix(')').and_then(|numbered| numbered.rsplit_once(" (")) {
            Some((stem, number)) if number.bytes().all(|digit| digit.is_ascii_digit()) => stem,
            _ => stem,
        };
        let (stem, word) = stem.rsplit_once('.')?;
        let (name, digits) = stem.rsplit_once('.')?;
        let state = if word == LIVE {
            State::Live
        } else if word.starts_with(REPLACED) {
            State::Replaced
        } else if word.starts_with(HANDED_OVER) {
            State::HandedOver
        } else {
            let (date, _) = word.strip_prefix(GONE)?.rsplit_once('-')?;
            State::Gone(date.to_owned())
        };
        (!name.is_empty()).then_some(Self { name: name.to_owned(), hash: read_hash(digits)?, state })
    }

    /// The file name of the pointer with this id.
    #[must_use]
    pub fn file_name(&self, id: FileId) -> String {
        let digits = HEXLOWER.encode(&self.hash);
        let word = match &self.state {
            State::Live => LIVE.to_owned(),
            State::Replaced => format!("{REPLACED}{}", mark(id)),
            State::HandedOver => format!("{HANDED_OVER}{}", mark(id)),
            State::Gone(date) => format!("{GONE}{date}-{}", mark(id)),
        };
        format!(".{}.{digits}.{word}{EXTENSION}", self.name)
    }

    /// The text of a new pointer. The service stores one file for one content, so no two pointers have the same text.
    #[must_use]
    pub fn text(&self, nonce: &str) -> String {
        format!(
            "This file stands for a copy of a file, whose content the drive has under another name.\n\
             Easel made it, and puts the copy in its place on every computer. Deleting this file deletes no other.\n\n\
             name: {}\nsha256: {}\npointer: {nonce}\n",
            self.name,
            HEXLOWER.encode(&self.hash)
        )
    }
}

fn read_hash(digits: &str) -> Option<ContentHash> {
    HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()?.try_into().ok()
}

fn mark(id: FileId) -> String {
    HEXLOWER.encode(&Sha256::digest(id.text().as_bytes())[..MARK / 2])
}

/// A pointer at its place in the drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedPointer {
    /// The pointer's folder.
    pub folder: FolderId,
    /// The pointer, as its name tells it.
    pub pointer: Pointer,
}

impl PlacedPointer {
    fn key(&self) -> (FolderId, String) {
        (self.folder, names::key(&self.pointer.name).into_owned())
    }
}

/// The copy that gets the drive file of its original, whose own path is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heir {
    /// The copy's pointer.
    pub pointer: FileId,
    /// The copy's place.
    pub place: Place,
    /// Whether the drive file has arrived there: from then on it is the copy's, wherever someone moves it. Older builds
    /// did not say.
    #[serde(default)]
    pub has_arrived: bool,
}

/// The pointers of a drive, and the files that they stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pointers {
    all: BTreeMap<FileId, PlacedPointer>,
    /// Pointers that are seen as files, with the drive file that has the content; `None` where no file has it.
    files: BTreeMap<FileId, Option<FileId>>,
    /// Pointers whose copy was deleted, or got its next version.
    gone: BTreeSet<FileId>,
    /// Pointers that say what is no longer true, or the same as another.
    spent: BTreeSet<FileId>,
    /// Whether the service refuses pointers.
    is_refused: bool,
    /// Whether anything changed since it was last worked out which files the pointers stand for.
    is_stale: bool,
}

impl Pointers {
    /// Whether a drive file is a pointer, in whatever state.
    #[must_use]
    pub fn contains(&self, file: FileId) -> bool {
        self.all.contains_key(&file)
    }

    /// A pointer and its folder.
    #[must_use]
    pub fn get(&self, file: FileId) -> Option<&PlacedPointer> {
        self.all.get(&file)
    }

    /// Whether a pointer's name gives its copy this place.
    #[must_use]
    pub fn is_at(&self, pointer: FileId, place: &Place) -> bool {
        let seen = self.all.get(&pointer);
        seen.is_some_and(|seen| seen.folder == place.folder && seen.pointer.name == place.name)
    }

    /// Whether a pointer's name gives its copy this place, and does not say that the copy is over.
    #[must_use]
    pub fn claims(&self, pointer: FileId, place: &Place) -> bool {
        let is_over = |seen: &PlacedPointer| matches!(seen.pointer.state, State::Gone(_));
        self.is_at(pointer, place) && !self.all.get(&pointer).is_some_and(is_over)
    }

    /// The drive file that has the content of a pointer.
    #[must_use]
    pub fn target(&self, pointer: FileId) -> Option<FileId> {
        self.files.get(&pointer).copied().flatten()
    }

    /// Whether any pointer stands for the content of this drive file.
    #[must_use]
    pub fn are_to(&self, file: FileId, hash: ContentHash) -> bool {
        let is_to = |(id, target): (&FileId, &Option<FileId>)| {
            *target == Some(file) || self.all.get(id).is_some_and(|seen| seen.pointer.hash == hash)
        };
        self.files.iter().any(is_to)
    }

    /// Whether no drive file has the content of a pointer that is seen as a file.
    #[must_use]
    pub fn is_dangling(&self, pointer: FileId) -> bool {
        self.files.get(&pointer).is_some_and(Option::is_none)
    }

    /// Whether a pointer says that its copy was deleted or got its next version.
    #[must_use]
    pub fn is_gone(&self, pointer: FileId) -> bool {
        self.gone.contains(&pointer)
    }

    /// The pointers that have said that they stand for nothing since a day for which `is_over` holds.
    pub fn gone_since(&self, is_over: impl Fn(&str) -> bool) -> impl Iterator<Item = (FileId, &PlacedPointer)> {
        let is_meant = move |seen: &PlacedPointer| matches!(&seen.pointer.state, State::Gone(date) if is_over(date));
        self.all.iter().filter(move |(_, seen)| is_meant(seen)).map(|(id, seen)| (*id, seen))
    }

    /// Whether any pointer in a folder is seen as a file.
    #[must_use]
    pub fn has_files_in(&self, folder: FolderId) -> bool {
        let mut files = self.files.keys().filter_map(|id| self.all.get(id));
        files.any(|seen| seen.folder == folder)
    }

    /// Each pointer's folder, and the content that it stands for.
    pub fn list(&self) -> impl Iterator<Item = (FolderId, ContentHash)> {
        self.all.values().map(|seen| (seen.folder, seen.pointer.hash))
    }

    /// The pointers that are not needed any more and do not say so themselves.
    pub fn spent(&self) -> impl Iterator<Item = FileId> {
        self.spent.iter().copied()
    }

    /// The pointers in a folder that stand for no file.
    pub fn left_in(&self, folder: FolderId) -> impl Iterator<Item = FileId> {
        let all = self.all.iter().filter(move |(id, seen)| seen.folder == folder && !self.files.contains_key(id));
        all.map(|(id, _)| *id)
    }

    /// The heir of a drive file with this content, whose own path is deleted: the pointer whose place the file has
    /// already, else the oldest one that `is_wanted`.
    #[must_use]
    pub fn heir(
        &self,
        remote: &Remote,
        file: FileId,
        hash: ContentHash,
        is_wanted: impl Fn(FileId) -> bool,
    ) -> Option<Heir> {
        if self.contains(file) {
            return None;
        }
        let at = remote.files.get(&file).and_then(|seen| Some((seen.folder?, names::key(&seen.name).into_owned())));
        let is_there = |seen: &&PlacedPointer| seen.pointer.hash == hash && Some(seen.key()) == at;
        if let Some((pointer, seen)) =
            self.spent.iter().filter_map(|id| Some((*id, self.all.get(id)?))).find(|(_, seen)| is_there(seen))
        {
            let place = Place { folder: seen.folder, name: seen.pointer.name.clone() };
            return Some(Heir { pointer, place, has_arrived: false });
        }
        let mut copies = self.files.keys().filter_map(|id| Some((*id, self.all.get(id)?, remote.files.get(id)?)));
        let is_heir = |id: FileId, seen: &PlacedPointer| {
            seen.pointer.hash == hash && remote.folders.contains_key(&seen.folder) && is_wanted(id)
        };
        let (pointer, _, seen) = copies.find(|(id, seen, _)| is_heir(*id, seen))?;
        let place = Place { folder: seen.folder?, name: seen.name.clone() };
        Some(Heir { pointer, place, has_arrived: false })
    }

    /// Whether the service takes pointers, as far as is known.
    #[must_use]
    pub const fn are_taken(&self) -> bool {
        !self.is_refused
    }

    /// Notes that the service refuses pointers.
    pub const fn refuse(&mut self) {
        self.is_refused = true;
    }
}

impl Remote {
    /// The pointers that are seen under another name than their own, because another file is at their place.
    pub fn pushed_aside(&self) -> impl Iterator<Item = (FileId, &PlacedPointer)> {
        let pointers = &self.pointers;
        let shown = pointers.files.keys().filter_map(|id| Some((*id, pointers.all.get(id)?, self.files.get(id)?)));
        shown
            .filter(|(_, seen, file)| names::key(&file.name) != names::key(&seen.pointer.name))
            .map(|(id, seen, _)| (id, seen))
    }

    /// Takes over a drive file that was seen. [`Remote::expand_pointers`] follows once all files are taken over.
    pub fn put_file(&mut self, id: FileId, file: RemoteFile) {
        self.pointers.is_stale = true;
        match Pointer::read(&file.name) {
            Some(pointer) => {
                self.files.remove(&id);
                // A pointer at the top of the drive stands for nothing.
                match file.folder {
                    Some(folder) => drop(self.pointers.all.insert(id, PlacedPointer { folder, pointer })),
                    None => drop(self.pointers.all.remove(&id)),
                }
            }
            None => {
                self.pointers.all.remove(&id);
                self.pointers.files.remove(&id);
                self.files.insert(id, file);
            }
        }
    }

    /// Adds many drive files, or replaces them. [`Remote::expand_pointers`] follows.
    pub fn put_files(&mut self, mut files: BTreeMap<FileId, RemoteFile>) {
        let pointers: Vec<_> = files.extract_if(.., |_, file| Pointer::read(&file.name).is_some()).collect();
        for (id, file) in pointers {
            self.put_file(id, file);
        }
        self.pointers.is_stale = true;
        for id in files.keys() {
            self.pointers.all.remove(id);
            self.pointers.files.remove(id);
        }
        gathered::add(&mut self.files, files);
    }

    /// Removes a drive file that is gone. [`Remote::expand_pointers`] follows.
    pub fn remove_file(&mut self, id: FileId) {
        self.pointers.is_stale = true;
        self.files.remove(&id);
        self.pointers.all.remove(&id);
    }

    /// Replaces all files by those that were seen now.
    pub fn replace_files(&mut self, files: BTreeMap<FileId, RemoteFile>) {
        let is_refused = self.pointers.is_refused;
        self.pointers = Pointers { is_refused, is_stale: true, ..Pointers::default() };
        self.files = files;
        let pointers = self.files.extract_if(.., |_, file| Pointer::read(&file.name).is_some());
        for (id, file) in pointers.collect::<Vec<_>>() {
            self.put_file(id, file);
        }
    }

    /// Forgets all files but the pointers.
    pub fn forget_files(&mut self) {
        self.files.clear();
        self.pointers.files.clear();
        self.pointers.is_stale = true;
    }

    /// Adds a live pointer that was made, and shows its copy at once. Where no file is at its place, no other pointer
    /// has to be looked at, so that a folder with thousands of copies takes as many steps.
    pub fn put_pointer(&mut self, id: FileId, seen: PlacedPointer) {
        let (key, hash) = (seen.key(), seen.pointer.hash);
        let is_there = |file: &RemoteFile| file.folder == Some(key.0) && names::key(&file.name) == key.1;
        let is_simple = !self.pointers.is_stale && !self.files.values().any(is_there) && !self.pointers.contains(id);
        let has_content =
            |(id, file): &(&FileId, &RemoteFile)| file.hash == Some(hash) && !self.pointers.contains(**id);
        if let Some((target, size_bytes)) =
            self.files.iter().find(has_content).map(|(id, file)| (*id, file.size_bytes)).filter(|_| is_simple)
        {
            let file =
                RemoteFile { folder: Some(seen.folder), name: seen.pointer.name.clone(), size_bytes, hash: Some(hash) };
            self.files.insert(id, file);
            self.pointers.files.insert(id, Some(target));
            self.pointers.all.insert(id, seen);
        } else {
            self.pointers.all.insert(id, seen);
            self.pointers.is_stale = true;
            self.expand_pointers();
        }
    }

    /// For a preview: adds a pointer as if it were made, and shows its copy at once.
    pub(crate) fn imagine_pointer(
        &mut self,
        id: FileId,
        folder: FolderId,
        name: &str,
        size_bytes: u64,
        hash: ContentHash,
    ) {
        let pointer = Pointer { name: name.to_owned(), hash, state: State::Live };
        self.pointers.all.insert(id, PlacedPointer { folder, pointer });
        self.pointers.files.insert(id, Some(id));
        self.files.insert(id, RemoteFile { folder: Some(folder), name: name.to_owned(), size_bytes, hash: Some(hash) });
    }

    /// For a preview: removes a pointer that stands for nothing.
    pub(crate) fn forget_pointer(&mut self, id: FileId) {
        self.pointers.spent.remove(&id);
        self.pointers.all.remove(&id);
    }

    /// Renames a pointer.
    pub fn rename_pointer(&mut self, id: FileId, file_name: &str) {
        let Some(folder) = self.pointers.all.get(&id).map(|seen| seen.folder) else { return };
        let file = RemoteFile { folder: Some(folder), name: file_name.to_owned(), size_bytes: 0, hash: None };
        self.put_file(id, file);
    }

    /// Gives a drive file another place. For a pointer, it is the place of its copy.
    pub fn place_file(&mut self, id: FileId, to: &Place) {
        self.pointers.is_stale = true;
        if let Some(seen) = self.files.get_mut(&id) {
            (seen.folder, seen.name) = (Some(to.folder), to.name.clone());
        }
        if let Some(seen) = self.pointers.all.get_mut(&id) {
            (seen.folder, seen.pointer.name) = (to.folder, to.name.clone());
        }
    }

    /// Whether a drive file was seen, be it a pointer that stands for nothing any more.
    #[must_use]
    pub fn knows_file(&self, id: FileId) -> bool {
        self.files.contains_key(&id) || self.pointers.contains(id)
    }

    /// The other pointers with the same copy at the same place.
    pub fn twins(&self, pointer: FileId) -> impl Iterator<Item = FileId> {
        let own = self.pointers.all.get(&pointer);
        let others = self.pointers.all.iter().filter(move |(id, _)| **id != pointer);
        let is_twin = move |seen: &&PlacedPointer| {
            own.is_some_and(|own| own.key() == seen.key() && own.pointer.hash == seen.pointer.hash)
                && seen.pointer.state == State::Live
        };
        others.filter(move |(_, seen)| is_twin(seen)).map(|(id, _)| *id)
    }

    /// A pointer at a place, to this content.
    #[must_use]
    pub fn find_pointer(&self, place: &Place, hash: ContentHash) -> Option<FileId> {
        let key = (place.folder, names::key(&place.name).into_owned());
        let is_it =
            |seen: &PlacedPointer| seen.pointer.state.is_live() && seen.pointer.hash == hash && seen.key() == key;
        self.pointers.all.iter().find(|(_, seen)| is_it(seen)).map(|(id, _)| *id)
    }

    /// Adds items that an earlier picture has and this one lacks. Returns whether there were any.
    pub fn add_missed(&mut self, earlier: Self) -> bool {
        // Told one by one: an item that comes back can push a copy aside, so the number of items may stay the same.
        let mut has_added = false;
        for (id, folder) in earlier.folders {
            if let Entry::Vacant(missing) = self.folders.entry(id) {
                missing.insert(folder);
                has_added = true;
            }
        }
        for (id, file) in earlier.files {
            if earlier.pointers.contains(id) || self.pointers.contains(id) {
                continue;
            }
            if let Entry::Vacant(missing) = self.files.entry(id) {
                missing.insert(file);
                has_added = true;
            }
        }
        for (id, seen) in earlier.pointers.all {
            if self.files.contains_key(&id) {
                continue;
            }
            if let Entry::Vacant(missing) = self.pointers.all.entry(id) {
                missing.insert(seen);
                has_added = true;
            }
        }
        self.pointers.is_stale = true;
        self.expand_pointers();
        has_added
    }

    /// Shows each pointer as its copy.
    ///
    /// A file has its place before any pointer, and a pointer before one whose next version was announced. A copy that
    /// finds another content at its place gets a number, as the service would give it; a copy that finds its own
    /// content there is spent.
    pub fn expand_pointers(&mut self) {
        if !std::mem::take(&mut self.pointers.is_stale) {
            return;
        }
        for id in std::mem::take(&mut self.pointers.files).into_keys() {
            self.files.remove(&id);
        }
        self.pointers.gone.clear();
        self.pointers.spent.clear();
        if self.pointers.all.is_empty() {
            return;
        }
        let all = std::mem::take(&mut self.pointers.all);
        let (contents, mut taken) = self.look_up(&all);
        let (live, others): (Vec<_>, Vec<_>) = all.iter().partition(|(_, seen)| seen.pointer.state.is_live());
        // A copy that has to make way gets a name that no other item has, not even one that comes later.
        let mut pushed_aside = Vec::new();
        for (id, seen) in live.into_iter().chain(others) {
            let Pointer { name, hash, state } = &seen.pointer;
            if matches!(state, State::Gone(_)) {
                self.pointers.gone.insert(*id);
                continue;
            }
            let name = match taken.get(&seen.key()) {
                None => name.clone(),
                Some(there) if *state == State::Replaced || (*state == State::HandedOver && *there == Some(*hash)) => {
                    self.pointers.spent.insert(*id);
                    self.pointers.gone.insert(*id);
                    continue;
                }
                Some(Some(there)) if there == hash => {
                    self.pointers.spent.insert(*id);
                    continue;
                }
                Some(_) => {
                    pushed_aside.push((id, seen));
                    continue;
                }
            };
            taken.insert((seen.folder, names::key(&name).into_owned()), Some(*hash));
            self.stand_in_as(*id, seen, name, &contents);
        }
        for (id, seen) in pushed_aside {
            let is_taken = |name: &str| taken.contains_key(&(seen.folder, names::key(name).into_owned()));
            let name = names::numbered(&seen.pointer.name, is_taken);
            taken.insert((seen.folder, names::key(&name).into_owned()), Some(seen.pointer.hash));
            self.stand_in_as(*id, seen, name, &contents);
        }
        self.pointers.all = all;
    }

    /// Shows a pointer as a file of this name.
    fn stand_in_as(
        &mut self,
        id: FileId,
        seen: &PlacedPointer,
        name: String,
        contents: &HashMap<ContentHash, (FileId, u64)>,
    ) {
        let target = contents.get(&seen.pointer.hash);
        let size_bytes = target.map_or(0, |(_, size_bytes)| *size_bytes);
        self.pointers.files.insert(id, target.map(|(file, _)| *file));
        let hash = Some(seen.pointer.hash);
        self.files.insert(id, RemoteFile { folder: Some(seen.folder), name, size_bytes, hash });
    }

    /// The files with the contents of these pointers, with their sizes in bytes, and the items in the pointers'
    /// folders.
    #[expect(clippy::type_complexity, reason = "two tables that nobody else needs")]
    fn look_up(
        &self,
        all: &BTreeMap<FileId, PlacedPointer>,
    ) -> (HashMap<ContentHash, (FileId, u64)>, HashMap<(FolderId, String), Option<ContentHash>>) {
        let wanted: HashSet<ContentHash> = all.values().map(|seen| seen.pointer.hash).collect();
        let folders: HashSet<FolderId> = all.values().map(|seen| seen.folder).collect();
        let (mut contents, mut taken) = (HashMap::new(), HashMap::new());
        for (id, file) in &self.files {
            if let Some(hash) = file.hash.filter(|hash| wanted.contains(hash)) {
                contents.entry(hash).or_insert((*id, file.size_bytes));
            }
            if let Some(folder) = file.folder.filter(|folder| folders.contains(folder)) {
                taken.insert((folder, names::key(&file.name).into_owned()), file.hash);
            }
        }
        (contents, taken)
    }
}

#[cfg(test)]
mod tests;
