//! The three trees, with indexes for what the stages look up in them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasherDefault;

use easel_wire::id::kind;
use easel_wire::{FileId, FolderId};

use super::id_map::{IdMap, IdSet};
use super::index::Index;
use super::input::{Input, Mode};
use super::part::Part;
use crate::shared::causes::Failure;
use crate::shared::names;
use crate::shared::planted::Mutant;
use crate::sync::pointers::Pointer;
use crate::sync::tree::{
    self, ContentHash, FileRecord, LocalFile, LocalItem, Place, Record, RemoteFile, Replacing, Role, Sides,
};

/// Whether a local file is as agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// It is.
    None,
    /// It has another content.
    Edited,
    /// Nobody knows: it is still being written, or has to be read first.
    Unknown,
}

/// The item at a place in the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupant<T> {
    /// Nothing.
    Free,
    /// An item that will leave by itself: wait.
    Leaving,
    /// An item of an agreed path that stays.
    Ours(T),
    /// An item without a record.
    Foreign(T),
}

/// Paths by their name as the drive compares names: of files or of folders, in one folder.
type SameNames<'a> = HashMap<(&'a str, bool, Cow<'a, str>), Vec<&'a str>>;

/// See the module.
pub struct View<'a> {
    pub input: Input<'a>,
    part: Part<'a>,
    /// By drive file, the path that is its home.
    pub homes: IdMap<kind::File, &'a str>,
    /// By drive file, the other paths with its content, while their local files are there.
    pub links: IdMap<kind::File, Vec<&'a str>>,
    /// One drive file for each agreed path: the one that holds the path's content. Sorted, so that those of one file can
    /// be counted.
    holders: Vec<FileId>,
    /// Drive files that were replaced.
    pub doomed: IdSet<kind::File>,
    /// The path of each drive folder that any record knows; the root's is empty.
    pub folders: IdMap<kind::Folder, &'a str>,
    /// The drive folder of each local one, while both have it; the root's path is empty.
    folder_ids: HashMap<&'a str, FolderId>,
    /// Drive files by place.
    files_at: Index,
    pub folders_at: HashMap<(FolderId, Cow<'a, str>), FolderId>,
    /// Drive files by content, as the service tells it.
    by_hash: Index,
    /// Contents that the service does not tell, known from the records of files that were sent.
    untold: HashMap<ContentHash, FileId>,
    /// Drive folders that have items.
    pub filled: IdSet<kind::Folder>,
    /// The local paths whose name the drive compares as another one.
    folded: SameNames<'a>,
}

impl<'a> View<'a> {
    pub fn new(input: Input<'a>, part: Part<'a>) -> Self {
        // Given their final size at once: growing costs as much as filling.
        let records = part.records.len();
        let mut view = Self {
            input,
            part,
            homes: IdMap::with_capacity_and_hasher(records, BuildHasherDefault::default()),
            links: IdMap::default(),
            holders: Vec::new(),
            doomed: IdSet::default(),
            folders: IdMap::from_iter([(input.remote.root, "")]),
            folder_ids: HashMap::from([("", input.remote.root)]),
            files_at: Index::default(),
            folders_at: HashMap::new(),
            by_hash: Index::default(),
            untold: HashMap::new(),
            filled: IdSet::default(),
            folded: HashMap::new(),
        };
        view.take_records();
        view.take_drive();
        for (path, item) in view.part.items.iter() {
            let name = tree::name(path);
            let key = names::key(name);
            if key != name {
                let is_folder = matches!(item, LocalItem::Folder(_));
                view.folded.entry((tree::parent(path), is_folder, key)).or_default().push(path);
            }
        }
        view
    }

    fn take_records(&mut self) {
        let input = self.input;
        for (path, record) in self.part.records.iter() {
            if let Some(folder) = record.as_folder() {
                self.folders.insert(folder, path);
                let is_there = record.sides == Sides::Both && input.remote.folders.contains_key(&folder);
                if is_there && input.local.is_folder(path) {
                    self.folder_ids.insert(path, folder);
                }
            }
            let Some(file) = record.as_file() else { continue };
            for old in &file.replaces {
                if old.is_pointer || !self.has_other_content(old.file, old.hash) {
                    self.doomed.insert(old.file);
                }
            }
            if self.is_overtaken(file) {
                // The place still belongs to the path, and no local file has the content.
                if file.role == Role::Home {
                    self.homes.insert(file.file, path);
                }
                continue;
            }
            self.holders.push(file.file);
            match file.role {
                Role::Home => {
                    self.homes.insert(file.file, path);
                }
                Role::Link if input.local.file(path).is_some() => self.links.entry(file.file).or_default().push(path),
                Role::Link => {}
            }
            if self.remote_file(file.file).is_some_and(|seen| seen.hash.is_none()) {
                self.untold.insert(file.hash, file.file);
            }
        }
        self.holders.sort_unstable();
    }

    fn take_drive(&mut self) {
        let files = || self.part.files.iter();
        self.filled.extend(files().filter_map(|(_, file)| file.folder));
        let placed = files().filter_map(|(id, file)| Some(((file.folder?, names::key(&file.name)), *id)));
        self.files_at = Index::new(placed);
        let pointers = &self.input.remote.pointers;
        let told = files().filter(|(id, _)| !pointers.contains(**id));
        self.by_hash = Index::new(told.filter_map(|(id, file)| Some((file.hash?, *id))));
        for (id, folder) in &self.input.remote.folders {
            if let Some(parent) = folder.parent {
                self.folders_at.insert((parent, names::key(&folder.name)), *id);
                self.filled.insert(parent);
            }
        }
    }

    /// The records in the order of their paths: of all folders, and of the files that have to be gone through.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = (&'a String, &'a Record)> {
        self.part.records.iter()
    }

    /// The local items in the order of their paths: all folders, and the files that have to be gone through.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = (&'a String, &'a LocalItem)> {
        self.part.items.iter()
    }

    /// The drive files that have to be gone through, in the order of their ids.
    pub fn drive_files(&self) -> impl Iterator<Item = (FileId, &'a RemoteFile)> {
        self.part.files.iter().map(|(id, file)| (*id, file))
    }

    /// How many agreed files were left out, because they are the same on both sides.
    pub const fn left_out(&self) -> usize {
        self.part.left_out
    }

    pub fn is_planted(&self, mutant: Mutant) -> bool {
        self.input.settings.planted.is(mutant)
    }

    pub fn is_both_ways(&self) -> bool {
        self.input.settings.mode == Mode::BothWays
    }

    pub fn record(&self, path: &str) -> Option<&'a Record> {
        self.input.agreed.records.get(path)
    }

    pub fn file_record(&self, path: &str) -> Option<(&'a Record, &'a FileRecord)> {
        let record = self.record(path)?;
        Some((record, record.as_file()?))
    }

    pub fn local_file(&self, path: &str) -> Option<&'a LocalFile> {
        self.input.local.file(path)
    }

    pub fn remote_file(&self, file: FileId) -> Option<&'a RemoteFile> {
        self.input.remote.files.get(&file)
    }

    /// Whether someone gave a record's drive file other content than the agreed one.
    pub fn is_overtaken(&self, file: &FileRecord) -> bool {
        self.input.remote.has_overtaken(file) && !self.is_planted(Mutant::IgnoresNewContent)
    }

    /// Whether a drive file has other content than `hash` by now.
    pub fn has_other_content(&self, file: FileId, hash: ContentHash) -> bool {
        let seen = self.remote_file(file).and_then(|seen| seen.hash);
        self.input.remote.keeps_versions == Some(true) && seen.is_some_and(|seen| seen != hash)
    }

    /// The drive file that gets the next content of a path: the path's own, where the service can do that and no other
    /// path or pointer stands for its content.
    pub fn replaced_in_place(&self, record: &Record, file: &FileRecord) -> Option<Replacing> {
        let remote = self.input.remote;
        let has_agreed = self.remote_file(file.file).is_some_and(|seen| seen.hash == Some(file.hash));
        let is_own = file.role == Role::Home && record.sides == Sides::Both && !file.is_pointer;
        let is_alone = self.count_holders(file.file) == 1
            && !self.doomed.contains(&file.file)
            && !remote.pointers.are_to(file.file, file.hash);
        let may_be = remote.keeps_versions != Some(false) && has_agreed && is_own && is_alone;
        may_be.then_some(Replacing { file: file.file, expected: file.hash })
    }

    /// How many paths have a drive file's content.
    pub fn count_holders(&self, file: FileId) -> usize {
        let first = self.holders.partition_point(|other| *other < file);
        self.holders[first..].iter().take_while(|other| **other == file).count()
    }

    /// Whether a drive file was replaced and no path has its content.
    pub fn is_replaced_alone(&self, file: FileId) -> bool {
        self.doomed.contains(&file) && !self.homes.contains_key(&file) && !self.links.contains_key(&file)
    }

    /// Whether someone moved an agreed drive file to its present place. While it is not known what became of a request of
    /// this computer's about the file, it may have been this computer.
    pub fn was_moved_there(&self, file: FileId) -> bool {
        let home = self.homes.get(&file).filter(|path| !self.is_unresolved(path)).and_then(|path| self.record(path));
        home.is_some_and(|record| self.actual(record).is_some_and(|actual| actual != record.place))
    }

    /// Whether the path waits for the next look.
    pub fn is_unresolved(&self, path: &str) -> bool {
        self.input.unresolved.contains_key(path)
    }

    /// What failed at the path since the last look.
    pub fn failure(&self, path: &str) -> Option<Failure> {
        self.input.unresolved.get(path).cloned()
    }

    /// Whether nothing may be concluded from a missing item at a path here.
    pub fn is_hidden(&self, path: &str, is_folder: bool) -> bool {
        self.input.local.is_hidden(path) || (self.input.ignores.0)(path, is_folder)
    }

    /// Whether an agreed item went so short a time ago that nothing follows from it yet.
    pub fn is_just_gone(&self, path: &str) -> bool {
        (self.input.local.just_gone.contains(path) && !self.is_planted(Mutant::BelievesLooks)) || self.is_partial()
    }

    /// Whether some folders were not compared yet: what is missing may be in one of them.
    pub fn is_partial(&self) -> bool {
        self.input.unloaded.has_waiting() && !self.is_planted(Mutant::ConcludesEarly)
    }

    /// Whether a record's local item is at the record's path.
    pub fn is_here(&self, path: &str, record: &Record) -> bool {
        match record.as_folder() {
            Some(_) => self.input.local.is_folder(path),
            None => self.input.local.file(path).is_some(),
        }
    }

    /// The drive folder of a local one, while both have it.
    pub fn folder_id(&self, path: &str) -> Option<FolderId> {
        self.folder_ids.get(path).copied()
    }

    /// The local folder of a drive folder, while both have it.
    pub fn folder_path(&self, folder: FolderId) -> Option<&'a str> {
        self.folders.get(&folder).copied().filter(|path| self.folder_id(path) == Some(folder))
    }

    /// The place in the drive that a local path asks for.
    pub fn wanted(&self, path: &str) -> Option<Place> {
        let folder = self.folder_id(tree::parent(path))?;
        Some(Place { folder, name: tree::name(path).to_owned() })
    }

    /// The local path that a place in the drive asks for.
    pub fn path_at(&self, folder: FolderId, name: &str) -> Option<String> {
        names::fits_here(name).then(|| self.folder_path(folder).map(|path| tree::join(path, name)))?
    }

    /// The present place of a record's item in the drive; `None` when it is gone or lies at the top.
    pub fn actual(&self, record: &Record) -> Option<Place> {
        match &record.agreement {
            tree::Agreement::File(file) => {
                // Where another file pushes a pointer aside, the pointer's place is still the one that its name says.
                if self.input.remote.pointers.is_at(file.file, &record.place) && self.is_in_drive(record) {
                    return Some(record.place.clone());
                }
                let seen = self.remote_file(file.file)?;
                Some(Place { folder: seen.folder?, name: seen.name.clone() })
            }
            tree::Agreement::Folder { folder, .. } => {
                let seen = self.input.remote.folders.get(folder)?;
                Some(Place { folder: seen.parent?, name: seen.name.clone() })
            }
        }
    }

    /// The place at which a record's item is seen in the drive; a pointer may be pushed aside there.
    pub fn seen_at(&self, record: &Record) -> Option<Place> {
        let seen = record.as_file().and_then(|file| self.remote_file(file.file));
        match seen {
            Some(seen) => Some(Place { folder: seen.folder?, name: seen.name.clone() }),
            None => self.actual(record),
        }
    }

    /// Whether someone moved or renamed a record's item in the drive, also to its top.
    pub fn is_moved_there(&self, record: &Record) -> bool {
        self.is_in_drive(record) && self.actual(record).as_ref() != Some(&record.place)
    }

    /// Whether a record's item lies elsewhere in the drive than its local path tells, by the last agreement about the
    /// folders above.
    pub fn is_elsewhere(&self, path: &str, record: &Record) -> bool {
        let actual = self.actual(record);
        let there = actual.and_then(|at| Some(tree::join(self.folders.get(&at.folder)?, &at.name)));
        self.is_in_drive(record) && there.as_deref() != Some(path)
    }

    /// Whether the drive still has a record's item, wherever.
    pub fn is_in_drive(&self, record: &Record) -> bool {
        match &record.agreement {
            // A pointer that a person has renamed is a file of its own, without a record.
            tree::Agreement::File(file) => {
                self.input.remote.files.contains_key(&file.file) && self.is_pointer(file.file) == file.is_pointer
            }
            tree::Agreement::Folder { folder, .. } => self.input.remote.folders.contains_key(folder),
        }
    }

    pub fn is_pointer(&self, file: FileId) -> bool {
        self.input.remote.pointers.contains(file)
    }

    /// Whether a path's pointer is gone while nothing says that the copy was deleted: then someone threw the pointer
    /// away who did not know what it was.
    pub fn is_pointer_lost(&self, record: &Record, file: &FileRecord) -> bool {
        file.is_pointer
            && !self.is_in_drive(record)
            && !self.is_planted(Mutant::BelievesLostPointers)
            && !self.is_pointer(file.file)
            && self.input.remote.folders.contains_key(&record.place.folder)
    }

    /// The place at which a pointer is seen where another file has its own.
    pub fn pushed_aside(&self, record: &Record, file: &FileRecord) -> Option<Place> {
        if !self.input.remote.pointers.is_at(file.file, &record.place) {
            return None;
        }
        let seen = self.remote_file(file.file)?;
        let place = Place { folder: seen.folder?, name: seen.name.clone() };
        (place != record.place).then_some(place)
    }

    /// Whether a file that is not in the drive any more was deleted there. For a copy, its pointer has to say so, or to
    /// be gone with its folder.
    pub fn is_told_gone(&self, record: &Record, file: &FileRecord) -> bool {
        let remote = self.input.remote;
        let there = self.file_id_at(record.place.folder, &record.place.name).and_then(|there| self.remote_file(there));
        // A file of the same content has come to its place: it is being handed over, which is not at its end yet.
        let is_there = there.is_some_and(|there| there.hash == Some(file.hash));
        !file.is_pointer
            || self.is_planted(Mutant::BelievesLostPointers)
            || (remote.pointers.is_gone(file.file) && !is_there)
            || !remote.folders.contains_key(&record.place.folder)
    }

    /// Whether a pointer can be made for a path that has the content of this drive file.
    pub fn can_point(&self, path: &str, there: FileId) -> bool {
        let Some((seen, wanted)) = self.remote_file(there).zip(self.wanted(path)) else { return false };
        // A file at the path's very place is not the original of a copy: it is the path's own, or about to leave.
        let is_there = seen.folder == Some(wanted.folder) && names::key(&seen.name) == names::key(&wanted.name);
        let has_told = seen.hash.is_some() && !is_there;
        let fits = || Pointer::new(tree::name(path), ContentHash::default()).is_some();
        has_told && self.input.remote.pointers.are_taken() && fits()
    }

    pub fn edit(&self, record: &FileRecord, local: &LocalFile) -> Edit {
        if self.is_planted(Mutant::TrustsModifiedTime) && local.stamp.modified_us == record.stamp.modified_us {
            return Edit::None;
        }
        if record.is_untouched(local) {
            return Edit::None;
        }
        match local.hash {
            _ if !local.is_settled => Edit::Unknown,
            Some(hash) if hash == record.hash => Edit::None,
            None if local.stamp.size_bytes == record.stamp.size_bytes => Edit::Unknown,
            _ => Edit::Edited,
        }
    }

    /// Another local path of the same kind whose name is the same to the drive, and that goes before this one.
    pub fn clash(&self, path: &str, is_folder: bool) -> Option<&'a str> {
        if self.is_planted(Mutant::IgnoresCase) {
            return None;
        }
        let name = tree::name(path);
        let key = names::key(name);
        // No other path has the name, and no name in the folder is compared as another one.
        if key == name && !self.folded.contains_key(&(tree::parent(path), is_folder, key)) {
            return None;
        }
        self.local_by_key(path, is_folder).filter(|first| *first != path)
    }

    /// The local path that has the name, as the drive compares names: the one with a record, else the first.
    pub fn local_by_key(&self, path: &str, is_folder: bool) -> Option<&'a str> {
        let parent = tree::parent(path);
        let key = names::key(tree::name(path));
        let exactly = self.input.local.items.get_key_value(&tree::join(parent, &key));
        let is_kind = |item: &LocalItem| matches!(item, LocalItem::Folder(_)) == is_folder;
        let exactly = exactly.filter(|(_, item)| is_kind(item)).map(|(path, _)| path.as_str());
        let others = self.folded.get(&(parent, is_folder, key)).map(Vec::as_slice).unwrap_or_default();
        let all = others.iter().copied().chain(exactly);
        let is_recorded =
            |path: &str| self.record(path).is_some_and(|record| record.as_folder().is_some() == is_folder);
        all.min_by_key(|path| (!is_recorded(path), *path))
    }

    /// Whether a record's item will leave its place in the drive by itself. An item that clashes here, has a name that
    /// the drive cannot hold, or cannot be seen here, stays.
    fn is_leaving(&self, path: &str) -> bool {
        let Some(record) = self.record(path) else { return false };
        if !self.is_here(path, record) {
            return record.sides == Sides::Both && !self.is_hidden(path, record.as_folder().is_some());
        }
        let actual = self.actual(record);
        let may_leave = |wanted: &Place| {
            names::fits_the_drive(&wanted.name) && self.clash(path, record.as_folder().is_some()).is_none()
        };
        self.wanted(path).filter(may_leave).is_some_and(|wanted| {
            actual.is_some_and(|actual| {
                record.place == actual
                    && (wanted.folder, names::key(&wanted.name)) != (actual.folder, names::key(&actual.name))
            })
        })
    }

    /// The drive file with a name, as the drive compares names.
    pub fn file_id_at(&self, folder: FolderId, name: &str) -> Option<FileId> {
        let key = names::key(name);
        let is_it = |file: FileId| {
            let seen = self.remote_file(file);
            seen.is_some_and(|seen| seen.folder == Some(folder) && names::key(&seen.name) == key)
        };
        self.files_at.find(&(folder, &key), is_it)
    }

    /// Whether a file or a folder of the drive has a name.
    pub fn is_taken(&self, folder: FolderId, name: &str) -> bool {
        self.file_id_at(folder, name).is_some() || self.folders_at.contains_key(&(folder, names::key(name)))
    }

    /// A drive file with a content.
    pub fn file_with(&self, hash: &ContentHash) -> Option<FileId> {
        let is_it = |file: FileId| self.remote_file(file).is_some_and(|seen| seen.hash.as_ref() == Some(hash));
        self.by_hash.find(hash, is_it).or_else(|| self.untold.get(hash).copied())
    }

    /// The file at a place in the drive.
    pub fn file_at(&self, place: &Place) -> Occupant<FileId> {
        let Some(file) = self.file_id_at(place.folder, &place.name) else { return Occupant::Free };
        if self.doomed.contains(&file) && !self.homes.contains_key(&file) {
            return Occupant::Leaving;
        }
        match self.homes.get(&file) {
            None => Occupant::Foreign(file),
            Some(path) if self.is_leaving(path) => Occupant::Leaving,
            Some(_) => Occupant::Ours(file),
        }
    }

    /// The folder at a place in the drive.
    pub fn folder_at(&self, place: &Place) -> Occupant<FolderId> {
        let Some(folder) = self.folders_at.get(&(place.folder, names::key(&place.name))).copied() else {
            return Occupant::Free;
        };
        match self.folders.get(&folder) {
            None => Occupant::Foreign(folder),
            Some(path) if self.is_leaving(path) => Occupant::Leaving,
            Some(_) => Occupant::Ours(folder),
        }
    }

    /// The path and id of the drive folder at a place whose local folder is gone. A local folder that cannot be seen is
    /// not gone.
    pub fn missing_folder_at(&self, place: &Place) -> Option<(&'a str, FolderId)> {
        let folder = *self.folders_at.get(&(place.folder, names::key(&place.name)))?;
        let path = self.folders.get(&folder).copied()?;
        (!self.input.local.is_folder(path) && !self.is_hidden(path, true)).then_some((path, folder))
    }

    /// The path that a local item gets when another content claims its own.
    pub fn conflict_path(&self, path: &str, reserved: &BTreeSet<String>) -> String {
        let settings = self.input.settings;
        let words = format!("conflict, {}, {}", settings.host_name, settings.today);
        self.free_path(path, &words, reserved)
    }

    /// A path beside `path` that neither side has and no step of this plan makes.
    pub fn free_path(&self, path: &str, words: &str, reserved: &BTreeSet<String>) -> String {
        let folder = self.folder_id(tree::parent(path));
        names::find_free(path, words, |candidate| {
            let name = tree::name(candidate);
            let is_there = |folder: FolderId| self.is_taken(folder, name);
            self.input.local.items.contains_key(candidate)
                || self.input.local.is_unknown(candidate)
                || self.record(candidate).is_some()
                || reserved.contains(candidate)
                || self.local_by_key(candidate, false).is_some()
                || self.local_by_key(candidate, true).is_some()
                || folder.is_some_and(is_there)
        })
    }
}
