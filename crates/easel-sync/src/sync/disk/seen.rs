//! The watched folder as it was last read, packed in memory, and the log of changes since earlier answers.
//!
//! Its items are packed (`packed`): some fifteen bytes a file and the end of its name. Always true: every path that changed after
//! [`Log::floor`] stands in the log, one by one, also the paths that went with a folder. Not here: reading (`walk`).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::item::{Item, Kind, Node};
use super::packed::Packed;
use crate::shared::flat::Flat;
use crate::shared::gathered::Gathered;
use crate::sync::ignored::Rules;
use crate::sync::tree::{self, ChangedUs, Local, LocalFile, LocalItem, Skipped, Stamp};

/// So many ignored items are listed by name; further ones are only counted.
const IGNORED_NAMED: usize = 10_000;
/// A log that is longer than this, and than half of all items, is given up: the next answer has everything.
const LOG_MAX: usize = 4_096;

/// After so many folders were read, their items are scattered in memory.
const SCATTERED: usize = 500;

/// An item in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub still_ms: u16,
    pub is_folder: bool,
    pub stamp: Stamp,
    pub node: Node,
    pub changed_us: ChangedUs,
}

impl Entry {
    pub fn of(item: &Item, still_ms: u16) -> Self {
        let is_folder = item.kind == Kind::Folder;
        Self { still_ms, is_folder, stamp: item.stamp, node: item.node, changed_us: item.changed() }
    }
}

/// A folder as it was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub items: Packed,
    /// How many items the default patterns ignore.
    pub ignored_by_default: u64,
    /// How many items a person's patterns ignore.
    pub ignored_by_pattern: u64,
}

impl Read {
    fn size(&self) -> Size {
        let mut size = Size { ignored_by_default: self.ignored_by_default, ..Size::default() };
        size.ignored_by_pattern = self.ignored_by_pattern;
        for entry in self.items.entries() {
            if entry.is_folder {
                size.folders += 1;
            } else {
                size.files += 1;
                size.bytes = size.bytes.saturating_add(entry.stamp.size_bytes);
            }
        }
        size
    }
}

/// How much the watched folder holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Files that are synced.
    pub files: u64,
    /// Folders that are synced, without the watched folder itself.
    pub folders: u64,
    /// Bytes of the files that are synced.
    pub bytes: u64,
    /// Items that the defaults ignore: temporary, hidden, partial and lock files. What lies in an ignored folder is not
    /// counted.
    pub ignored_by_default: u64,
    /// Items that a person's patterns ignore. What lies in an ignored folder is not counted.
    pub ignored_by_pattern: u64,
}

impl Size {
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.folders += other.folders;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.ignored_by_default += other.ignored_by_default;
        self.ignored_by_pattern += other.ignored_by_pattern;
    }

    const fn subtract(&mut self, other: Self) {
        self.files = self.files.saturating_sub(other.files);
        self.folders = self.folders.saturating_sub(other.folders);
        self.bytes = self.bytes.saturating_sub(other.bytes);
        self.ignored_by_default = self.ignored_by_default.saturating_sub(other.ignored_by_default);
        self.ignored_by_pattern = self.ignored_by_pattern.saturating_sub(other.ignored_by_pattern);
    }
}

/// Why an item is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ignored {
    /// The item is hidden, temporary, or a download under way.
    ByDefault,
    /// A person's pattern says so.
    ByPattern {
        /// The pattern's line.
        pattern: String,
        /// The folder whose `.easelignore` has the pattern; `None` for the person's own patterns.
        folder: Option<String>,
    },
}

/// The paths that changed after a floor.
#[derive(Debug)]
struct Log {
    /// Everything that changed after this cursor is in the log.
    floor: u64,
    /// By path, the cursor of the first answer that has the change.
    changed: BTreeMap<String, u64>,
}

/// Changed paths with the item that is there now; `None` when nothing is.
pub(super) type Changes = Vec<(String, Option<LocalItem>)>;

/// See the module.
#[derive(Debug)]
pub(super) struct Snapshot {
    folders: BTreeMap<String, Read>,
    pub unreadable: BTreeSet<String>,
    pub skipped: BTreeMap<String, Skipped>,
    pub ignored: BTreeMap<String, Ignored>,
    pub rules: Rules,
    pub size: Size,
    /// The cursor of the next answer.
    next: u64,
    log: Option<Log>,
    /// How many folders were read since [`Snapshot::lay_flat`].
    read: usize,
    /// See [`crate::shared::planted::Mutant::KeepsTheInside`].
    pub keeps_inside: bool,
}

/// What is to be done with the subfolders of a folder that was just read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Below {
    /// Folders whose whole inside is to be read.
    pub read: Vec<String>,
}

impl Snapshot {
    /// Nothing read yet. `first` is the cursor of the first answer; no other instance may ever give the same.
    pub fn new(rules: Rules, first: u64) -> Self {
        Self {
            folders: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            skipped: BTreeMap::new(),
            ignored: BTreeMap::new(),
            rules,
            size: Size::default(),
            next: first,
            log: None,
            read: 0,
            keeps_inside: false,
        }
    }

    /// Whether the inside of `folder` was read.
    pub fn knows(&self, folder: &str) -> bool {
        self.folders.contains_key(folder)
    }

    /// Notes that the item at a path changed.
    pub fn note(&mut self, path: &str) {
        let next = self.next;
        let items = usize::try_from(self.size.files + self.size.folders).unwrap_or(usize::MAX);
        if let Some(log) = &mut self.log {
            log.changed.insert(path.to_owned(), next);
            if log.changed.len() > LOG_MAX && log.changed.len() > items / 2 {
                self.log = None;
            }
        }
    }

    /// Notes everything that was moved, at its old path and at its new one, so that the next answer tells what is there by
    /// then. Items that went, or came back, before their folder was read again look as they did before the move, and
    /// would not be told of.
    pub fn note_moved(&mut self, from: &str, to: &str) {
        let mut moved = vec![from.to_owned()];
        for folder in Self::inside(&self.folders, from).into_iter().chain([from.to_owned()]) {
            let items = self.folders.get(&folder).into_iter().flat_map(|read| read.items.iter());
            moved.extend(items.map(|(name, _)| tree::join(&folder, &name)));
        }
        for path in moved {
            self.note(&tree::rebased(&path, from, to));
            self.note(&path);
        }
    }

    /// Takes over a folder that was just read. With `is_deep`, all subfolders are read anew.
    pub fn take(&mut self, path: &str, read: Read, is_deep: bool) -> Below {
        let old = self.folders.remove(path).unwrap_or_default();
        self.size.subtract(old.size());
        self.size.add(read.size());
        let mut below = Below::default();
        let (mut gone, mut changed) = (Vec::new(), Vec::new());
        let mut before = old.items.iter().peekable();
        for (name, entry) in read.items.iter() {
            while let Some((lost, _)) = before.next_if(|(lost, _)| *lost < name) {
                gone.push(tree::join(path, &lost));
            }
            let was = before.next_if(|(same, _)| *same == name).map(|(_, entry)| entry);
            let at = tree::join(path, &name);
            let is_same =
                was.is_some_and(|was| was.is_folder == entry.is_folder && was.stamp.identity == entry.stamp.identity);
            if entry.is_folder && (is_deep || !is_same || !self.knows(&at)) {
                below.read.push(at.clone());
            }
            if was.is_some_and(|was| was.is_folder && !entry.is_folder) {
                gone.push(at.clone());
            }
            let has_changed = |was: &Entry| was.stamp != entry.stamp || was.changed_us != entry.changed_us;
            // A folder's own size and times tell nothing about what is in it.
            if !is_same || (!entry.is_folder && was.as_ref().is_some_and(has_changed)) {
                changed.push(at);
            }
        }
        gone.extend(before.map(|(lost, _)| tree::join(path, &lost)));
        self.folders.insert(path.to_owned(), read);
        self.read += 1;
        for path in gone {
            self.note(&path);
            if (self.knows(&path) && !self.keeps_inside) || self.unreadable.contains(&path) {
                self.forget(&path);
            }
        }
        for path in changed {
            self.note(&path);
        }
        below
    }

    /// Forgets the inside of `folder`, at any depth.
    pub fn forget(&mut self, folder: &str) {
        let below = Self::inside(&self.folders, folder);
        for path in below.into_iter().chain(self.knows(folder).then(|| folder.to_owned())) {
            let Some(read) = self.folders.remove(&path) else { continue };
            self.size.subtract(read.size());
            for (name, _) in read.items.iter() {
                self.note(&tree::join(&path, &name));
            }
        }
        self.unreadable.remove(folder);
        self.unreadable.retain(|path| !tree::is_below(path, folder));
        for path in Self::inside(&self.skipped, folder) {
            self.skipped.remove(&path);
        }
        for path in Self::inside(&self.ignored, folder) {
            self.ignored.remove(&path);
        }
        self.rules.forget_below(folder);
    }

    /// Forgets the ignored items directly in `folder`, before it is read anew.
    pub fn forget_left_out(&mut self, folder: &str) {
        let is_here = |path: &String| tree::parent(path) == folder;
        for path in Self::inside(&self.skipped, folder).into_iter().filter(is_here) {
            self.skipped.remove(&path);
        }
        for path in Self::inside(&self.ignored, folder).into_iter().filter(is_here) {
            self.ignored.remove(&path);
        }
        self.unreadable.remove(folder);
    }

    /// Lists an ignored item by name, while there is room for names.
    pub fn ignore(&mut self, path: &str, why: Ignored) {
        if self.ignored.len() < IGNORED_NAMED {
            self.ignored.insert(path.to_owned(), why);
        }
    }

    /// Whether so many folders were read since they were laid flat that it is worth doing so again.
    pub const fn is_scattered(&self) -> bool {
        self.read >= SCATTERED
    }

    /// Lays the folders flat (`flat`), with all their items in one block. Nothing is known until they are built anew.
    pub fn lay_flat(&mut self) -> Flat<String, Read> {
        self.read = 0;
        Packed::gather(&mut self.folders.values_mut().map(|read| &mut read.items).collect::<Vec<_>>());
        Flat::take(&mut self.folders, |(path, _), show| show(path))
    }

    /// Builds the folders anew.
    pub fn build(&mut self, flat: Flat<String, Read>) {
        self.folders = flat.into_map();
    }

    fn inside<T>(map: &BTreeMap<String, T>, folder: &str) -> Vec<String> {
        if folder.is_empty() {
            return map.keys().filter(|path| !path.is_empty()).cloned().collect();
        }
        // '0' comes right after '/'.
        let range = (Bound::Included(format!("{folder}/")), Bound::Excluded(format!("{folder}0")));
        map.range::<String, _>(range).map(|(path, _)| path.clone()).collect()
    }

    /// The item that was last read at `path`.
    pub fn find(&self, path: &str) -> Option<LocalItem> {
        let entry = self.folders.get(tree::parent(path))?.items.find(tree::name(path))?;
        Some(to_local(&entry))
    }

    /// The files directly in a folder, by path.
    pub fn list_files(&self, folder: &str) -> BTreeMap<String, LocalFile> {
        let items = self.folders.get(folder).into_iter().flat_map(|read| read.items.iter());
        let mut files = Gathered::new();
        for (name, entry) in items {
            if let LocalItem::File(file) = to_local(&entry) {
                files.push(tree::join(folder, &name), file);
            }
        }
        files.into_map()
    }

    /// Whether a file that changed since the last answer was written after `after_us`, in microseconds since the epoch.
    pub fn has_fresh(&self, after_us: i64) -> bool {
        let is_fresh = |stamp: &Stamp| stamp.modified_us > after_us;
        let Some(log) = &self.log else {
            let mut all = self.folders.values().flat_map(|read| read.items.entries());
            return all.any(|entry| !entry.is_folder && is_fresh(&entry.stamp));
        };
        log.changed.iter().filter(|(_, at)| **at == self.next).any(|(path, _)| match self.find(path) {
            Some(LocalItem::File(file)) => is_fresh(&file.stamp),
            _ => false,
        })
    }

    /// All items, and the cursor of this answer.
    pub fn whole(&mut self) -> (u64, Local) {
        self.tell(|_| true)
    }

    /// All folders, and the cursor of this answer.
    pub fn folders(&mut self) -> (u64, Local) {
        self.tell(|entry| entry.is_folder)
    }

    fn tell(&mut self, is_told: impl Fn(&Entry) -> bool) -> (u64, Local) {
        let cursor = self.advance();
        if self.log.is_none() {
            self.log = Some(Log { floor: cursor, changed: BTreeMap::new() });
        }
        let mut items = Gathered::new();
        for (folder, read) in &self.folders {
            let told = read.items.iter().filter(|(_, entry)| is_told(entry));
            told.for_each(|(name, entry)| items.push(tree::join(folder, &name), to_local(&entry)));
        }
        let (unreadable, skipped) = (self.unreadable.clone(), self.skipped.clone());
        (cursor, Local { items: items.into_map(), unreadable, skipped, ..Local::default() })
    }

    /// The changes after `since`, and the cursor of this answer; `None` where the log does not reach back so far.
    pub fn since(&mut self, since: u64) -> Option<(u64, Changes)> {
        if !self.log.as_ref().is_some_and(|log| (log.floor..self.next).contains(&since)) {
            self.log = None;
            return None;
        }
        let cursor = self.advance();
        let log = self.log.as_mut()?;
        log.changed.retain(|_, at| *at > since);
        log.floor = since;
        let paths: Vec<String> = log.changed.keys().cloned().collect();
        let items = paths.into_iter().map(|path| {
            let item = self.find(&path);
            (path, item)
        });
        Some((cursor, items.collect()))
    }

    const fn advance(&mut self) -> u64 {
        let cursor = self.next;
        self.next += 1;
        cursor
    }
}

const fn to_local(entry: &Entry) -> LocalItem {
    if entry.is_folder {
        LocalItem::Folder(entry.stamp.identity)
    } else {
        let Entry { stamp, changed_us, still_ms, .. } = *entry;
        LocalItem::File(LocalFile { stamp, changed_us, hash: None, is_settled: true, still_ms })
    }
}
