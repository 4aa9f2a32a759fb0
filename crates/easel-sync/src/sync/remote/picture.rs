//! The part of the drive's index that is in memory: its folders, changes that are not yet in the journal, and which
//! items changed last, in their order.
//!
//! Pure: moments are handed in. Files are many and stay in the journal. Always true: each change has a number of its
//! own, and whoever knows the number of the last change that they heard of is told all later ones, or that there were
//! too many.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use easel_wire::{FileId, FolderId, Timestamp};
use tokio::time::Instant;

use super::lists::Found;
use super::proof::{Judged, Untold};
use crate::sync::journal::{DriveRows, FolderSeen, SeenUntil};
use crate::sync::tree::{RemoteFile, RemoteFolder};

/// So many of the last changes are kept.
const CHANGES_KEPT: usize = 20_000;

/// An item of the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Folder(FolderId),
    File(FileId),
}

/// A changed item, and the folders that the change touches. What the item is by now stands in the picture or in the
/// journal: lines are many, and stay for long.
#[derive(Debug)]
struct Line {
    item: Item,
    was_in: Option<FolderId>,
    is_in: Option<FolderId>,
}

/// The items that have changed, each once, in the order of their ids.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Changed {
    /// The number of the last change.
    pub cursor: u64,
    /// The folders as they are by now; `None` for those that are gone.
    pub folders: Vec<(FolderId, Option<RemoteFolder>)>,
    pub files: Vec<FileId>,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Picture {
    pub is_loaded: bool,
    pub until: SeenUntil,
    pub folders: BTreeMap<FolderId, FolderSeen>,
    /// Changes that are not yet in the journal.
    pub pending: DriveRows,
    lines: VecDeque<Line>,
    /// The number of the change before the first one that is kept.
    before: u64,
    /// How many refreshes have begun.
    pub begun: u64,
    /// The number of the last refresh that ended, and whether it was thorough.
    pub last_done: (u64, bool),
    /// When the last refresh ended.
    pub refreshed_at: Option<Instant>,
    /// The time that the service's clock told then.
    pub heard_at: Option<Timestamp>,
    /// How many requests a refresh takes.
    pub requests: u64,
    /// Whether someone wants the lists read from end to end.
    pub is_whole_wanted: bool,
    /// The drive folders of those watched folders whose person has yet to be asked about a drive that went back in
    /// time.
    pub went_back: BTreeSet<FolderId>,
    /// Items that this program changed since the present refresh began.
    own_folders: BTreeSet<FolderId>,
    own_files: BTreeSet<FileId>,
    /// Changes of this program that the service has yet to tell of.
    pub untold: Untold,
}

impl Picture {
    pub(super) fn new() -> Self {
        Self {
            is_loaded: false,
            until: SeenUntil::default(),
            folders: BTreeMap::new(),
            pending: DriveRows::default(),
            lines: VecDeque::new(),
            // Nobody has heard of any change yet, so nobody's number may be valid.
            before: 1,
            begun: 0,
            last_done: (0, false),
            refreshed_at: None,
            heard_at: None,
            requests: 3,
            is_whole_wanted: false,
            went_back: BTreeSet::new(),
            own_folders: BTreeSet::new(),
            own_files: BTreeSet::new(),
            untold: Untold::default(),
        }
    }

    pub(super) fn load(&mut self, until: SeenUntil, folders: BTreeMap<FolderId, FolderSeen>) {
        self.until = until;
        // Items that this program changed meanwhile are newer.
        for (id, seen) in folders {
            if !self.pending.folders.contains_key(&id) {
                self.folders.insert(id, seen);
            }
        }
        self.is_loaded = true;
    }

    /// Begins a refresh: changes that this program makes from now on are newer than its findings.
    pub(super) fn begin(&mut self) {
        self.begun += 1;
        self.own_folders.clear();
        self.own_files.clear();
    }

    /// The number of the last change.
    pub(super) fn last(&self) -> u64 {
        self.before + self.lines.len() as u64
    }

    /// What has changed since a number; `None` where that is no longer known.
    pub(super) fn since(&self, since: u64) -> Option<Changed> {
        if since < self.before || since > self.last() {
            return None;
        }
        let mut folders = BTreeSet::new();
        let mut files = BTreeSet::new();
        let skipped = usize::try_from(since - self.before).unwrap_or(usize::MAX);
        for line in self.lines.iter().skip(skipped) {
            match line.item {
                Item::Folder(id) => folders.insert(id),
                Item::File(id) => files.insert(id),
            };
        }
        let now = |id: FolderId| (id, self.folders.get(&id).map(|seen| seen.folder.clone()));
        Some(Changed {
            cursor: self.last(),
            folders: folders.into_iter().map(now).collect(),
            files: files.into_iter().collect(),
        })
    }

    pub(super) fn is_changed_within(&self, root: FolderId, since: u64) -> bool {
        if since < self.before || since > self.last() {
            return true;
        }
        let skipped = usize::try_from(since - self.before).unwrap_or(usize::MAX);
        self.lines.iter().skip(skipped).any(|line| {
            let is_root = line.item == Item::Folder(root);
            is_root || [line.was_in, line.is_in].into_iter().flatten().any(|folder| self.is_within(folder, root))
        })
    }

    /// Whether `folder` is `above` or lies in it.
    pub(super) fn is_within(&self, folder: FolderId, above: FolderId) -> bool {
        let mut at = Some(folder);
        // At most as many steps as there are folders: the folders come from a service, and may form a circle.
        for _ in 0..=self.folders.len() {
            match at {
                Some(id) if id == above => return true,
                Some(id) => at = self.folders.get(&id).and_then(|seen| seen.folder.parent),
                None => return false,
            }
        }
        false
    }

    pub(super) fn path_of(&self, folder: FolderId) -> Option<String> {
        let mut names = Vec::new();
        let mut at = Some(folder);
        while let Some(id) = at {
            let seen = self.folders.get(&id)?;
            names.push(seen.folder.name.as_str());
            at = seen.folder.parent;
            if names.len() > self.folders.len() {
                return None;
            }
        }
        Some(names.iter().rev().map(|name| format!("/{name}")).collect())
    }

    pub(super) fn folders_in(&self, parent: Option<FolderId>) -> Vec<FolderId> {
        self.folders.iter().filter(|(_, seen)| seen.folder.parent == parent).map(|(id, _)| *id).collect()
    }

    /// How many folders lie directly in each folder; folders without any are left out.
    pub(super) fn count_folders_in(&self) -> BTreeMap<FolderId, u64> {
        let mut counts = BTreeMap::new();
        for parent in self.folders.values().filter_map(|seen| seen.folder.parent) {
            *counts.entry(parent).or_default() += 1;
        }
        counts
    }

    /// A folder and all folders in it, at any depth.
    pub(super) fn below(&self, folder: FolderId) -> Vec<FolderId> {
        self.folders
            .keys()
            .copied()
            .filter(|id| self.is_within(*id, folder))
            .chain([folder])
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    /// Compares the changes that the service told with those that this program made itself.
    pub(super) fn judge(&mut self, found: &Found) -> Judged {
        self.untold.judge(found, self.begun, &self.folders)
    }

    pub(super) fn note_own_folder(&mut self, id: FolderId, folder: Option<RemoteFolder>) {
        self.own_folders.insert(id);
        match &folder {
            Some(folder) if self.folders.get(&id).is_some_and(|known| known.folder == *folder) => {}
            Some(folder) => self.untold.note_folder(id, folder, self.begun),
            None => self.untold.forget_folder(id),
        }
        let updated_at = self.folders.get(&id).and_then(|seen| seen.updated_at);
        self.set_folder(id, folder.map(|folder| FolderSeen { folder, updated_at }));
    }

    pub(super) fn note_own_file(&mut self, id: FileId, was_in: Option<FolderId>, file: Option<RemoteFile>) {
        match &file {
            Some(file) => self.untold.note_file(id, file, self.begun),
            None => self.untold.forget_file(id),
        }
        self.show_file(id, was_in, file);
    }

    /// Takes over an answer about one file, or that it is gone: the findings of the present refresh are older.
    pub(super) fn show_file(&mut self, id: FileId, was_in: Option<FolderId>, file: Option<RemoteFile>) {
        self.own_files.insert(id);
        self.set_file(id, was_in, file);
    }

    /// Whether this program changed a file since the present refresh began.
    pub(super) fn is_own_file(&self, id: FileId) -> bool {
        self.own_files.contains(&id)
    }

    /// The changes to write into the journal now.
    pub(super) fn take_pending(&mut self) -> DriveRows {
        std::mem::take(&mut self.pending)
    }

    /// Takes back rows that could not be written, except those that have changed again.
    pub(super) fn put_back(&mut self, rows: DriveRows) {
        for (id, row) in rows.folders {
            self.pending.folders.entry(id).or_insert(row);
        }
        for (id, row) in rows.files {
            self.pending.files.entry(id).or_insert(row);
        }
    }

    /// Takes in the items that lists showed, and those that are gone. `known` are the journal's rows of those files.
    /// Returns whether there is news.
    pub(super) fn merge(
        &mut self,
        found: Found,
        gone_files: &BTreeSet<FileId>,
        gone_folders: &BTreeSet<FolderId>,
        known: &BTreeMap<FileId, RemoteFile>,
    ) -> bool {
        let before = self.last();
        for (id, seen) in found.folders {
            if self.own_folders.contains(&id) {
                continue;
            }
            match self.folders.get_mut(&id) {
                Some(now) if now.folder == seen.folder => {
                    if now.updated_at != seen.updated_at {
                        now.updated_at = seen.updated_at;
                        self.pending.folders.insert(id, Some(seen));
                    }
                }
                _ => self.set_folder(id, Some(seen)),
            }
        }
        for (id, file) in found.files {
            if !self.own_files.contains(&id) && known.get(&id) != Some(&file) {
                self.set_file(id, known.get(&id).and_then(|known| known.folder), Some(file));
            }
        }
        for id in gone_files {
            if !self.own_files.contains(id)
                && let Some(file) = known.get(id)
            {
                self.set_file(*id, file.folder, None);
            }
        }
        for id in gone_folders {
            if !self.own_folders.contains(id) && self.folders.contains_key(id) {
                self.set_folder(*id, None);
            }
        }
        self.last() != before
    }

    fn set_folder(&mut self, id: FolderId, seen: Option<FolderSeen>) {
        let was_in = self.folders.get(&id).and_then(|seen| seen.folder.parent);
        let is_in = seen.as_ref().and_then(|seen| seen.folder.parent);
        match &seen {
            Some(seen) => drop(self.folders.insert(id, seen.clone())),
            None => drop(self.folders.remove(&id)),
        }
        self.pending.folders.insert(id, seen);
        self.push(Line { item: Item::Folder(id), was_in, is_in });
    }

    fn set_file(&mut self, id: FileId, was_in: Option<FolderId>, file: Option<RemoteFile>) {
        let is_in = file.as_ref().and_then(|file| file.folder);
        self.pending.files.insert(id, file);
        self.push(Line { item: Item::File(id), was_in, is_in });
    }

    fn push(&mut self, line: Line) {
        if self.until.whole_at.is_none() {
            // Before the first complete reading nobody was given an answer, so no change has to be told.
            self.before += 1;
            return;
        }
        if self.lines.len() >= CHANGES_KEPT {
            self.lines.pop_front();
            self.before += 1;
        }
        self.lines.push_back(line);
    }
}

#[cfg(test)]
mod tests {
    use easel_wire::Id;

    use super::*;

    /// A drive that was read, and is empty.
    fn read() -> Picture {
        let mut picture = Picture::new();
        picture.until.whole_at = Some(Timestamp::from_micros(1));
        picture
    }

    fn folder(number: u128) -> FolderId {
        Id::imagined(number)
    }

    fn file(number: u128) -> FileId {
        Id::imagined(number)
    }

    fn at(parent: Option<FolderId>, name: &str) -> RemoteFolder {
        RemoteFolder { parent, name: name.to_owned() }
    }

    fn named(name: &str, folder: Option<FolderId>) -> RemoteFile {
        RemoteFile { folder, name: name.to_owned(), size_bytes: 1, hash: None }
    }

    #[test]
    fn who_knows_the_last_change_is_told_the_later_ones_and_who_is_too_far_behind_that_it_is() {
        let mut picture = read();
        let first = picture.last();
        assert_eq!(picture.since(0), None);
        picture.note_own_folder(folder(1), Some(at(None, "a")));
        picture.note_own_file(file(1), None, Some(named("x", Some(folder(1)))));
        let second = picture.last();
        picture.note_own_file(file(1), None, None);
        let changed = picture.since(first).unwrap();
        assert_eq!(changed.cursor, picture.last());
        assert_eq!(changed.folders, [(folder(1), Some(at(None, "a")))]);
        assert_eq!(changed.files, [file(1)]);
        assert_eq!(picture.since(second).unwrap().files, [file(1)]);
        let nothing = Changed { cursor: picture.last(), folders: Vec::new(), files: Vec::new() };
        assert_eq!(picture.since(picture.last()), Some(nothing));
        for number in 0..CHANGES_KEPT as u128 {
            picture.note_own_file(file(number), None, None);
        }
        assert_eq!(picture.since(second), None);
        assert!(picture.since(second + 1).is_some());
    }

    #[test]
    fn an_answer_that_was_on_its_way_does_not_undo_what_was_done_here() {
        let mut picture = read();
        picture.begin();
        picture.note_own_folder(folder(1), Some(at(None, "new")));
        let seen = |name| FolderSeen { folder: at(None, name), updated_at: None };
        let found = Found { folders: BTreeMap::from([(folder(1), seen("old"))]), ..Found::default() };
        assert!(!picture.merge(found.clone(), &BTreeSet::new(), &BTreeSet::from([folder(1)]), &BTreeMap::new()));
        assert_eq!(picture.path_of(folder(1)).as_deref(), Some("/new"));
        picture.begin();
        assert!(picture.merge(found, &BTreeSet::new(), &BTreeSet::new(), &BTreeMap::new()));
        assert_eq!(picture.path_of(folder(1)).as_deref(), Some("/old"));
    }

    #[test]
    fn a_change_wakes_those_folders_that_it_leaves_or_enters() {
        let mut picture = read();
        picture.note_own_folder(folder(1), Some(at(None, "one")));
        picture.note_own_folder(folder(2), Some(at(Some(folder(1)), "two")));
        picture.note_own_folder(folder(3), Some(at(None, "three")));
        let check = |picture: &Picture, since: u64, expected: [bool; 3]| {
            let found = [1, 2, 3].map(|number| picture.is_changed_within(folder(number), since));
            assert_eq!(found, expected);
        };
        let since = picture.last();
        check(&picture, since, [false; 3]);
        let known = BTreeMap::from([(file(1), named("x", Some(folder(2))))]);
        let found = Found { files: BTreeMap::from([(file(1), named("x", Some(folder(3))))]), ..Found::default() };
        assert!(picture.merge(found, &BTreeSet::new(), &BTreeSet::new(), &known));
        check(&picture, since, [true, true, true]);
        let since = picture.last();
        picture.begin();
        picture.merge(Found::default(), &BTreeSet::new(), &BTreeSet::from([folder(2)]), &BTreeMap::new());
        check(&picture, since, [true, true, false]);
    }
}
