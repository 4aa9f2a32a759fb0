//! The part of the three trees that a plan has to go through: the folders in which some item differs from its record,
//! or is only half agreed on, and the folders that those items refer to.
//!
//! Always true: the plan of a part is the plan of the whole. Only files are left out, in whole folders: each of them is
//! the same on both sides and as agreed, and no item that differs refers to it, so a stage would pass it over, and need
//! not find it. So these files need not be in the trees at all. Every part has all folders. Not here: what follows from a
//! difference (the stages).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use easel_wire::id::kind;
use easel_wire::{FileId, FolderId};

use super::id_map::{IdMap, IdSet};
use super::input::Input;
use crate::shared::planted::Mutant;
use crate::sync::tree::{
    self, Agreement, ContentHash, FileRecord, LocalFile, LocalItem, Record, RemoteFile, Role, Sides,
};
use crate::sync::unloaded::{Lookup, Sum};

/// Rows of a tree, in its order.
pub enum Rows<'a, K, V> {
    /// All rows.
    All(&'a BTreeMap<K, V>),
    /// Some rows.
    Some(Vec<(&'a K, &'a V)>),
}

impl<'a, K, V> Rows<'a, K, V> {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&'a K, &'a V)> {
        let (all, some) = match self {
            Self::All(map) => (Some(map.iter()), None),
            Self::Some(rows) => (None, Some(rows.iter().copied())),
        };
        all.into_iter().flatten().chain(some.into_iter().flatten())
    }

    pub fn len(&self) -> usize {
        match self {
            Self::All(map) => map.len(),
            Self::Some(rows) => rows.len(),
        }
    }
}

/// See the module.
pub struct Part<'a> {
    /// The records of all folders, and of the files that are not left out.
    pub records: Rows<'a, String, Record>,
    /// All folders, and the files that are not left out.
    pub items: Rows<'a, String, LocalItem>,
    /// The drive files that are not left out.
    pub files: Rows<'a, FileId, RemoteFile>,
    /// So many files are left out.
    pub left_out: usize,
}

/// A folder that is here, or has a record.
#[derive(Default)]
struct Folder {
    /// Its drive folder, where it and all folders above it are on both sides.
    drive: Option<FolderId>,
    /// Whether the folder is in the part.
    is_open: bool,
    /// Whether nothing may be concluded about items in it.
    is_veiled: bool,
    /// Whether its files are not in memory.
    is_unloaded: bool,
    /// Whether everything in it has to be gone through: it is missing on one side, or was.
    is_torn: bool,
    /// The files in it that are in memory and the same on both sides.
    same: Sum,
}

/// The items that differing ones refer to.
#[derive(Default)]
struct References {
    folders: IdSet<kind::Folder>,
    files: IdSet<kind::File>,
    contents: Contents,
    /// Sizes of files that are read only where a known file has the same.
    sizes: HashSet<u64>,
}

/// Contents by the first eight bytes of their hash. Where two begin alike, one folder too many is gone through; in
/// return a hundred thousand files take a fifth of the memory.
#[derive(Default)]
struct Contents {
    beginnings: Vec<u64>,
    /// The contents themselves, where they may have to be looked up.
    whole: BTreeSet<ContentHash>,
}

impl References {
    /// Whether a drive file may have a content, or has a size, that was asked about.
    fn may_ask(&self, file: &RemoteFile) -> bool {
        let has_content = || file.hash.is_some_and(|hash| self.contents.may_contain(&hash));
        (!self.contents.beginnings.is_empty() && has_content())
            || (!self.sizes.is_empty() && self.sizes.contains(&file.size_bytes))
    }
}

impl Contents {
    fn beginning(hash: &ContentHash) -> u64 {
        hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }

    fn insert(&mut self, hash: &ContentHash) {
        self.beginnings.push(Self::beginning(hash));
    }

    /// Sorts, after the last content is added, and before the first lookup.
    fn sort(&mut self) {
        self.beginnings.sort_unstable();
        self.beginnings.dedup();
    }

    fn may_contain(&self, hash: &ContentHash) -> bool {
        self.beginnings.binary_search(&Self::beginning(hash)).is_ok()
    }
}

struct Choice<'a> {
    input: Input<'a>,
    folders: Vec<Folder>,
    paths: HashMap<&'a str, usize>,
    by_drive: IdMap<kind::Folder, usize>,
    asked: References,
    /// Whether any item is skipped, unreadable or in doubt.
    has_veils: bool,
}

impl<'a> Part<'a> {
    /// The whole trees, to check the plan of a part against.
    #[cfg(any(test, feature = "planted-bugs"))]
    pub fn whole(input: &Input<'a>) -> Self {
        Self {
            records: Rows::All(&input.agreed.records),
            items: Rows::All(&input.local.items),
            files: Rows::All(&input.remote.files),
            left_out: usize::try_from(input.unloaded.sum().files).unwrap_or(usize::MAX),
        }
    }

    /// Chooses the part.
    pub fn choose(input: &Input<'a>) -> Self {
        Choice::make(input).into_part()
    }
}

/// What has to be looked up before a plan can be made, because some folders' files are not in memory.
#[must_use]
pub fn find_lookup(input: &Input<'_>) -> Lookup {
    Choice::make(input).into_lookup()
}

/// What need not be in memory.
pub struct Unneeded {
    /// The folders whose files may leave memory.
    pub folders: BTreeMap<String, Sum>,
    /// The drive files that leave memory with them.
    pub files: Vec<FileId>,
    /// The drive folders whose files are all in memory, and stay there.
    pub loaded_there: BTreeSet<FolderId>,
}

/// Finds what need not be in memory.
#[must_use]
pub fn find_unneeded(input: &Input<'_>) -> Unneeded {
    Choice::make(input).into_unneeded()
}

impl<'a> Choice<'a> {
    fn make(input: &Input<'a>) -> Self {
        let mut choice = Self {
            input: *input,
            folders: Vec::new(),
            paths: HashMap::new(),
            by_drive: IdMap::default(),
            asked: References::default(),
            has_veils: !(input.local.unreadable.is_empty()
                && input.local.skipped.is_empty()
                && input.local.doubtful.is_empty()),
        };
        choice.compare();
        // A pointer stands for another file's content, and gives way to the files beside it.
        for (folder, hash) in input.remote.pointers.list() {
            choice.asked.folders.insert(folder);
            choice.ask_about_content(&hash);
        }
        choice.look_through_drive();
        choice
    }

    /// Walks the local items and the records side by side: a folder comes before its items.
    fn compare(&mut self) {
        let root = self.input.remote.root;
        let is_veiled = self.is_veil("");
        let is_there = self.input.remote.folders.contains_key(&root) && !is_veiled;
        // Whether a side is empty shows in its top.
        let is_open = self.input.unloaded.is_waiting("");
        self.put("", Folder { drive: is_there.then_some(root), is_veiled, is_open, ..Folder::default() });
        let mut items = self.input.local.items.iter().peekable();
        let mut records = self.input.agreed.records.iter().peekable();
        let mut above = ("", 0);
        loop {
            let path = match (items.peek(), records.peek()) {
                (None, None) => return,
                (Some((path, _)), None) | (None, Some((path, _))) => *path,
                (Some((here, _)), Some((agreed, _))) => (*here).min(*agreed),
            };
            let item = items.next_if(|(here, _)| *here == path).map(|(_, item)| item);
            let record = records.next_if(|(agreed, _)| *agreed == path).map(|(_, record)| record);
            let parent = tree::parent(path);
            if above.0 != parent {
                above = (parent, self.find(parent));
            }
            self.compare_one(path, above.1, item, record);
        }
    }

    fn compare_one(&mut self, path: &'a str, above: usize, item: Option<&LocalItem>, record: Option<&'a Record>) {
        let is_folder =
            matches!(item, Some(LocalItem::Folder(_))) || record.is_some_and(|record| record.as_folder().is_some());
        let is_same = match (item, record.map(|record| (record, &record.agreement))) {
            (Some(LocalItem::File(local)), Some((record, Agreement::File(file)))) => {
                self.is_same_file(path, &self.folders[above], local, record, file)
            }
            (Some(LocalItem::Folder(here)), Some((record, Agreement::Folder { folder, identity }))) => {
                here == identity && self.is_same_folder(path, &self.folders[above], record, *folder)
            }
            _ => false,
        };
        if is_folder {
            self.put_folder(path, above, item, record);
        }
        if is_same {
            if let Some(file) = record.and_then(Record::as_file) {
                let same = &mut self.folders[above].same;
                same.files += 1;
                same.bytes = same.bytes.saturating_add(file.stamp.size_bytes);
            }
            return;
        }
        self.folders[above].is_open = true;
        self.ask_about(item, record);
    }

    /// Whether a file is the same on both sides, at its agreed place, and has no note.
    fn is_same_file(&self, path: &str, above: &Folder, local: &LocalFile, record: &Record, file: &FileRecord) -> bool {
        let Some(folder) = above.drive else { return false };
        let is_plain =
            file.role == Role::Home && !file.is_pointer && file.replaces.is_empty() && record.sides == Sides::Both;
        let is_as_agreed =
            local.stamp == file.stamp && (local.changed_us.is_none() || local.changed_us == file.changed_us);
        let is_at_its_place = record.place.folder == folder && record.place.name == tree::name(path);
        let is_there = || {
            let seen = self.input.remote.files.get(&file.file);
            seen.is_some_and(|seen| {
                let is_at = seen.folder == Some(folder) && seen.name == record.place.name;
                // Someone may have given the drive file other content.
                is_at && (self.input.remote.keeps_versions == Some(false) || !file.is_overtaken_by(seen))
            })
        };
        is_plain
            && is_as_agreed
            && is_at_its_place
            && is_there()
            && !self.input.remote.pointers.contains(file.file)
            && !self.is_spoken_of(path)
    }

    fn is_same_folder(&self, path: &str, above: &Folder, record: &Record, folder: FolderId) -> bool {
        let seen = self.input.remote.folders.get(&folder);
        above.drive.is_some_and(|above| {
            record.sides == Sides::Both
                && record.place.folder == above
                && record.place.name == tree::name(path)
                && seen.is_some_and(|seen| seen.parent == Some(above) && seen.name == record.place.name)
        }) && !self.is_spoken_of(path)
    }

    /// Whether a path waits for the next look, or nothing is known about it.
    fn is_spoken_of(&self, path: &str) -> bool {
        self.input.unresolved.contains_key(path) || (self.has_veils && self.input.local.is_unknown(path))
    }

    fn is_veil(&self, folder: &str) -> bool {
        let local = self.input.local;
        self.has_veils && (local.unreadable.contains(folder) || local.is_unknown(folder))
    }

    /// Adds a folder, or a path that is a folder on one side.
    fn put_folder(&mut self, path: &'a str, above: usize, item: Option<&LocalItem>, record: Option<&Record>) {
        let is_veiled = self.folders[above].is_veiled || self.is_veil(path);
        let agreed = record.filter(|record| record.sides == Sides::Both).and_then(Record::as_folder);
        let is_sound = matches!(item, Some(LocalItem::Folder(_))) && !is_veiled && self.folders[above].drive.is_some();
        let drive = agreed.filter(|folder| is_sound && self.input.remote.folders.contains_key(folder));
        let is_kept = record.is_none_or(|record| match (&record.agreement, item) {
            (Agreement::Folder { identity, folder }, Some(LocalItem::Folder(here))) => {
                identity == here && record.sides == Sides::Both && self.input.remote.folders.contains_key(folder)
            }
            _ => false,
        });
        let is_torn = self.folders[above].is_torn || !is_kept;
        let is_open = is_torn || (drive.is_none() && !self.input.unloaded.is_waiting(path));
        self.put(path, Folder { drive, is_open, is_veiled, is_torn, ..Folder::default() });
        if drive.is_none() {
            // The items in its drive folder are needed before it can be deleted.
            self.asked.folders.extend(record.and_then(Record::as_folder));
        }
    }

    fn put(&mut self, path: &'a str, mut folder: Folder) -> usize {
        folder.is_unloaded = self.input.unloaded.contains(path);
        if let Some(drive) = folder.drive {
            self.by_drive.insert(drive, self.folders.len());
        }
        self.folders.push(folder);
        self.paths.insert(path, self.folders.len() - 1);
        self.folders.len() - 1
    }

    /// The folder at a path. A folder that is on no side is in the part.
    fn find(&mut self, path: &'a str) -> usize {
        match self.paths.get(path) {
            Some(at) => *at,
            None => self.put(path, Folder { is_open: true, ..Folder::default() }),
        }
    }

    fn ask_about_content(&mut self, hash: &ContentHash) {
        self.asked.contents.insert(hash);
        if !self.input.unloaded.is_nothing() {
            self.asked.contents.whole.insert(*hash);
        }
    }

    /// Notes what a differing item refers to: its place in the drive, the files that it replaced, and those with its
    /// content.
    fn ask_about(&mut self, item: Option<&LocalItem>, record: Option<&Record>) {
        if let Some(LocalItem::File(LocalFile { hash: Some(hash), .. })) = item
            && !self.input.settings.planted.is(Mutant::LeavesOutContents)
        {
            self.ask_about_content(hash);
        }
        if let Some(LocalItem::File(LocalFile { hash: None, stamp, .. })) = item
            && stamp.size_bytes > self.input.settings.direct_max_bytes
        {
            self.asked.sizes.insert(stamp.size_bytes);
        }
        let Some(record) = record else { return };
        self.asked.folders.insert(record.place.folder);
        let file_at = |file: &FileId| self.input.remote.files.get(file).and_then(|seen| seen.folder);
        match &record.agreement {
            Agreement::File(file) => {
                let replaced = file.replaces.iter().flat_map(|old| [Some(old.place.folder), file_at(&old.file)]);
                self.asked.folders.extend(replaced.chain([file_at(&file.file)]).flatten());
                self.asked.files.extend(file.replaces.iter().map(|old| old.file).chain([file.file]));
            }
            Agreement::Folder { folder, .. } => {
                let parent = self.input.remote.folders.get(folder).and_then(|seen| seen.parent);
                self.asked.folders.extend(parent);
            }
        }
    }

    /// Goes through the drive's files: those that are no path's home, and those that were asked about.
    fn look_through_drive(&mut self) {
        self.asked.contents.sort();
        let remote = self.input.remote;
        let mut counts: Vec<u64> = vec![0; self.folders.len()];
        let mut is_untold = false;
        for (id, file) in &remote.files {
            let Some(folder) = file.folder else { continue };
            if let Some(at) = self.by_drive.get(&folder) {
                counts[*at] += 1;
            }
            is_untold |= file.hash.is_none();
            if self.asked.may_ask(file) && !remote.pointers.contains(*id) {
                self.asked.folders.insert(folder);
            }
        }
        for (folder, count) in self.folders.iter_mut().zip(counts) {
            folder.is_open |= folder.drive.is_some() && !folder.is_unloaded && folder.same.files != count;
        }
        for (id, folder) in &remote.folders {
            let above = folder.parent.and_then(|parent| self.by_drive.get(&parent));
            if let Some(above) = above.filter(|_| !self.by_drive.contains_key(id)) {
                self.folders[*above].is_open = true;
            }
        }
        if (is_untold && !self.asked.contents.beginnings.is_empty()) || !self.asked.sizes.is_empty() {
            self.look_through_records();
        }
        for folder in &self.asked.folders {
            if let Some(at) = self.by_drive.get(folder) {
                self.folders[*at].is_open = true;
            }
        }
    }

    /// Goes through the agreed files: a content that the service does not tell is known from the record of the file
    /// that was sent, and so is the size of a file that is here alone.
    fn look_through_records(&mut self) {
        let mut above = ("", 0);
        for (path, record) in &self.input.agreed.records {
            let Some(file) = record.as_file() else { continue };
            let is_told = || self.input.remote.files.get(&file.file).is_some_and(|seen| seen.hash.is_some());
            let is_asked = self.asked.sizes.contains(&file.stamp.size_bytes)
                || (self.asked.contents.may_contain(&file.hash) && !is_told());
            if is_asked {
                let parent = tree::parent(path);
                if above.0 != parent {
                    above = (parent, self.find(parent));
                }
                self.folders[above.1].is_open = true;
            }
        }
    }

    fn into_part(self) -> Part<'a> {
        let Input { local, agreed, remote, .. } = self.input;
        let in_memory: u64 = self.folders.iter().filter(|folder| !folder.is_open).map(|folder| folder.same.files).sum();
        let left_out = usize::try_from(in_memory + self.input.unloaded.sum().files).unwrap_or(usize::MAX);
        if in_memory == 0 {
            return Part {
                records: Rows::All(&agreed.records),
                items: Rows::All(&local.items),
                files: Rows::All(&remote.files),
                left_out,
            };
        }
        let is_open = |path: &str| self.paths.get(tree::parent(path)).is_none_or(|at| self.folders[*at].is_open);
        let records = agreed.records.iter();
        let records = records.filter(|(path, record)| record.as_folder().is_some() || is_open(path)).collect();
        let items = local.items.iter();
        let items = items.filter(|(path, item)| matches!(item, LocalItem::Folder(_)) || is_open(path)).collect();
        let files = remote.files.iter().filter(|(id, file)| self.is_open_there(**id, file)).collect();
        Part { records: Rows::Some(records), items: Rows::Some(items), files: Rows::Some(files), left_out }
    }

    /// Whether a drive file is in the part.
    fn is_open_there(&self, id: FileId, file: &RemoteFile) -> bool {
        match file.folder.map(|folder| (folder, self.by_drive.get(&folder))) {
            Some((_, Some(at))) => self.folders[*at].is_open,
            Some((folder, None)) => self.asked.folders.contains(&folder),
            // The file lies at the top of the drive.
            None => self.asked.files.contains(&id) || self.asked.may_ask(file),
        }
    }

    /// The drive files in agreed folders that are no path's own, as far as records are in memory. The record of a path
    /// that only shares the file does not tell whose it is. A folder counts although one above it is not on both sides:
    /// what is in it is fetched all the same.
    fn list_unrecorded(&self) -> impl Iterator<Item = FileId> {
        let remote = self.input.remote;
        let mut recorded: IdSet<kind::File> = IdSet::default();
        let mut folders: IdSet<kind::Folder> = IdSet::from_iter([remote.root]);
        for record in self.input.agreed.records.values() {
            match &record.agreement {
                Agreement::Folder { folder, .. } => drop(folders.insert(*folder)),
                Agreement::File(file) if file.role == Role::Home => drop(recorded.insert(file.file)),
                Agreement::File(_) => {}
            }
        }
        let is_here = move |file: &RemoteFile| file.folder.is_some_and(|folder| folders.contains(&folder));
        let files = remote.files.iter().filter(move |(_, file)| is_here(file)).map(|(id, _)| *id);
        files.filter(move |id| !recorded.contains(id))
    }

    /// The identities of local files without a record.
    fn list_new_here(&self) -> impl Iterator<Item = u64> {
        let Input { local, agreed, .. } = self.input;
        let new = local.items.iter().filter(|(path, _)| !agreed.records.contains_key(*path));
        new.filter_map(|(_, item)| Some(item.as_file()?.stamp.identity))
    }

    fn into_lookup(self) -> Lookup {
        let is_needed = |folder: &Folder| folder.is_open && folder.is_unloaded;
        let folders = self.paths.iter().filter(|(_, at)| is_needed(&self.folders[**at]));
        let unloaded = self.input.unloaded;
        // A folder whose files are not in memory is loaded with its drive folder.
        let is_apart = |folder: &&FolderId| self.by_drive.get(folder).is_none_or(|at| !self.folders[*at].is_unloaded);
        let referred = self.asked.folders.iter().chain(self.by_drive.keys()).filter(is_apart);
        let there = referred.filter(|folder| !unloaded.is_loaded_there(**folder)).copied();
        let is_unknown = |file: &&FileId| !self.input.remote.knows_file(**file);
        let files = self.asked.files.iter().filter(is_unknown).copied();
        let mut lookup = Lookup {
            folders: folders.map(|(path, _)| (*path).to_owned()).collect(),
            drive_folders: there.collect(),
            files: files.collect(),
            ..Lookup::default()
        };
        if unloaded.has_waiting() {
            lookup.files.extend(self.list_unrecorded());
            lookup.identities.extend(self.list_new_here());
        }
        let References { contents, sizes, .. } = self.asked;
        Lookup { contents: contents.whole, sizes: sizes.into_iter().collect(), ..lookup }
    }

    fn into_unneeded(self) -> Unneeded {
        let is_unneeded = |folder: &Folder| !folder.is_open && !folder.is_unloaded && folder.same.files > 0;
        let folders = self.paths.iter().map(|(path, at)| (*path, &self.folders[*at]));
        let folders = folders.filter(|(_, folder)| is_unneeded(folder));
        let folders = folders.map(|(path, folder)| (path.to_owned(), folder.same)).collect();
        let files = self.input.remote.files.iter().filter(|(id, file)| !self.is_open_there(**id, file));
        let stays = |folder: &FolderId| match self.by_drive.get(folder).map(|at| &self.folders[*at]) {
            Some(folder) => !folder.is_unloaded && !is_unneeded(folder),
            None => self.asked.folders.contains(folder),
        };
        let loaded = self.input.remote.folders.keys().filter(|folder| self.input.unloaded.is_loaded_there(**folder));
        Unneeded {
            folders,
            files: files.map(|(id, _)| *id).collect(),
            loaded_there: loaded.filter(|folder| stays(folder)).copied().collect(),
        }
    }
}
