//! Counts what will happen before anything does: plans are made and carried out on copies of the three trees.
//!
//! Pure, and true by construction, because the planner is the same. An unread file is taken to have the content of the
//! drive's file at its place if that has the same size, and else a new one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use easel_wire::{FileId, FolderId};

use super::agreeing::{self, FetchedFor};
use super::difference::{Difference, Guard, Note};
use super::index::Index;
use super::input::{Ignores, Input, Settings};
use super::plan;
use super::step::Op;
use crate::shared::gathered::{self, Gathered};
use crate::shared::names;
use crate::shared::upload::Arrived;
use crate::sync::tree::{
    self, Agreed, Agreement, Change, ContentHash, Local, LocalFile, LocalItem, Place, Record, Remote, RemoteFile,
    RemoteFolder, Replacing, Role, Sides, Stamp,
};
use crate::sync::unloaded::Unloaded;

/// More plans in a row than any folder needs, so that a preview ends whatever is wrong.
const MOST_ROUNDS: u32 = 10_000;

/// The counts of a first run, or of the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// Files that are sent.
    pub up_files: u64,
    /// Their bytes.
    pub up_bytes: u64,
    /// Files that are fetched.
    pub down_files: u64,
    /// Their bytes.
    pub down_bytes: u64,
    /// Folders that are made in the drive.
    pub folders_there: u64,
    /// Folders that are made here.
    pub folders_here: u64,
    /// Items that are moved or renamed in the drive.
    pub moves_there: u64,
    /// Items that are moved or renamed here.
    pub moves_here: u64,
    /// Files and folders that are deleted in the drive; versions that an edit replaces do not count.
    pub deletions_there: u64,
    /// Files and folders that are deleted here, the files into the trash.
    pub deletions_here: u64,
    /// Files that both sides have under the same name, so that nothing is sent.
    pub already_same: u64,
    /// Files of which both sides have a version of their own: both are kept.
    pub conflicts: u64,
    /// Files whose content the drive has elsewhere.
    pub links: u64,
    /// Paths that will differ, and why; without links and without items that are on one side by choice.
    pub skipped: Vec<Note>,
    /// The question that the person would be asked before anything is done. The counts are then those with consent,
    /// except where a root is empty or gone: then they are nought.
    pub asks: Option<Guard>,
    /// How many plans it took: a measure of the planner's work.
    pub rounds: u32,
}

/// Carries out the plans on these trees, and counts.
#[must_use]
pub fn preview(local: Local, remote: Remote, agreed: Agreed, settings: &Settings, ignores: Ignores<'_>) -> Preview {
    let mut trees = Trees::new(local, remote, agreed);
    count(&mut trees, settings, ignores)
}

/// Counts a first run of more files than should be in memory at once: folder by folder, each with its files on both
/// sides. So it counts what follows from a folder's own files, as a first run does; only pointers refer to files
/// elsewhere, so there may be none.
#[derive(Debug)]
pub struct FolderByFolder {
    local: Local,
    remote: Remote,
    agreed: Agreed,
    last: u64,
    counts: Preview,
}

impl FolderByFolder {
    /// The folders of both sides, without files.
    #[must_use]
    pub fn new(local: Local, remote: Remote) -> Self {
        Self { local, remote, agreed: Agreed::default(), last: 0, counts: Preview::default() }
    }

    /// Counts what becomes of these files: all files, on both sides, of some folders, or those of one folder that have
    /// some names.
    pub fn count(
        &mut self,
        here: BTreeMap<String, LocalFile>,
        there: BTreeMap<FileId, RemoteFile>,
        settings: &Settings,
        ignores: Ignores<'_>,
    ) {
        let nothing_there = Remote::new(self.remote.root);
        let mut remote = std::mem::replace(&mut self.remote, nothing_there);
        let mut local = std::mem::take(&mut self.local);
        let mut items = Gathered::new();
        here.into_iter().for_each(|(path, file)| items.push(path, LocalItem::File(file)));
        gathered::add(&mut local.items, items.into_map());
        gathered::add(&mut remote.files, there);
        let mut trees = Trees::new(local, remote, std::mem::take(&mut self.agreed));
        trees.last = self.last;
        self.counts.add(count(&mut trees, settings, ignores));
        let Trees { mut local, mut remote, mut agreed, last, .. } = trees;
        local.keep_folders();
        agreed.records.retain(|_, record| record.as_folder().is_some());
        remote.files.clear();
        (self.local, self.remote, self.agreed, self.last) = (local, remote, agreed, last);
    }

    /// The counts of everything.
    #[must_use]
    pub fn finish(self) -> Preview {
        self.counts
    }
}

fn count(trees: &mut Trees, settings: &Settings, ignores: Ignores<'_>) -> Preview {
    let mut counts = Preview::default();
    let mut consent = Vec::new();
    let unresolved = BTreeMap::new();
    let unloaded = Unloaded::default();
    let mut tight = 0;
    while counts.rounds < MOST_ROUNDS {
        counts.rounds += 1;
        let plan = plan(&Input {
            local: &trees.local,
            remote: &trees.remote,
            agreed: &trees.agreed,
            unloaded: &unloaded,
            settings,
            unresolved: &unresolved,
            ignores,
            consent: &consent,
        });
        if let Some(guard) = plan.guard {
            counts.asks = counts.asks.or(Some(guard));
            match guard {
                Guard::ManyLocalDeletions(_) | Guard::ManyRemoteDeletions(_) => consent.push(guard),
                Guard::LocalEmpty | Guard::RemoteEmpty | Guard::RemoteGone | Guard::RemoteWentBack(_) => break,
            }
        }
        if plan.ops.is_empty() && plan.guard.is_none() {
            counts.take(plan.notes);
            break;
        }
        for op in plan.ops {
            trees.carry_out(op, &mut counts);
        }
        trees.agreed.tighten(&mut tight);
    }
    let same = trees.agreed.records.iter().filter(|(path, record)| {
        let is_home = record.as_file().is_some_and(|file| file.role == Role::Home);
        is_home && record.sides == Sides::Both && !trees.touched.contains(*path)
    });
    counts.already_same = same.count() as u64;
    counts
}

impl Preview {
    /// Adds the counts of other folders. A note about a folder comes with each of them.
    fn add(&mut self, other: Self) {
        self.up_files += other.up_files;
        self.up_bytes += other.up_bytes;
        self.down_files += other.down_files;
        self.down_bytes += other.down_bytes;
        self.folders_there += other.folders_there;
        self.folders_here += other.folders_here;
        self.moves_there += other.moves_there;
        self.moves_here += other.moves_here;
        self.deletions_there += other.deletions_there;
        self.deletions_here += other.deletions_here;
        self.already_same += other.already_same;
        self.conflicts += other.conflicts;
        self.links += other.links;
        self.rounds += other.rounds;
        self.asks = self.asks.or(other.asks);
        for note in other.skipped {
            if let Err(at) = self.skipped.binary_search_by(|known| known.path.cmp(&note.path)) {
                self.skipped.insert(at, note);
            }
        }
    }

    fn take(&mut self, notes: Vec<Note>) {
        for note in notes {
            match note.difference {
                Difference::Link => self.links += 1,
                Difference::OnlyInDrive | Difference::OnlyHere | Difference::Ignored => {}
                _ => self.skipped.push(note),
            }
        }
    }
}

/// The trees that plans are carried out on.
struct Trees {
    local: Local,
    remote: Remote,
    agreed: Agreed,
    /// The files of the drive by place, before the first plan.
    first: Index,
    first_folders: HashMap<(FolderId, String), FolderId>,
    /// The files that have come to a place since.
    later: HashMap<(FolderId, String), FileId>,
    /// Paths whose content is sent or fetched.
    touched: BTreeSet<String>,
    /// Items whose place was counted.
    placed: BTreeSet<String>,
    /// The last number that was given out for an id, an identity, or an unknown content.
    last: u64,
}

impl Trees {
    fn new(mut local: Local, remote: Remote, agreed: Agreed) -> Self {
        for item in local.items.values_mut() {
            if let LocalItem::File(file) = item {
                // The file will stand still by the time that its turn comes.
                file.is_settled = true;
            }
        }
        let files = remote.files.iter();
        let first = Index::new(files.filter_map(|(id, file)| Some(((file.folder?, names::key(&file.name)), *id))));
        let folders = remote.folders.iter();
        let first_folders = folders
            .filter_map(|(id, folder)| Some(((folder.parent?, names::key(&folder.name).into_owned()), *id)))
            .collect();
        let (touched, placed) = (BTreeSet::new(), BTreeSet::new());
        Self { local, remote, agreed, first, first_folders, later: HashMap::new(), touched, placed, last: 0 }
    }

    /// The drive folder of a local one, or the one that it will be matched with: files are read before their folders
    /// are agreed on.
    fn folder_there(&self, path: &str) -> Option<FolderId> {
        if path.is_empty() {
            return Some(self.remote.root);
        }
        if let Some(record) = self.agreed.records.get(path) {
            return record.as_folder();
        }
        let above = self.folder_there(tree::parent(path))?;
        self.first_folders.get(&(above, names::key(tree::name(path)).into_owned())).copied()
    }

    /// The file at a place in the drive.
    fn file_at(&self, folder: FolderId, name: &str) -> Option<FileId> {
        let key = names::key(name);
        let is_it = |file: FileId| {
            let seen = self.remote.files.get(&file);
            seen.is_some_and(|seen| seen.folder == Some(folder) && names::key(&seen.name) == key)
        };
        let later = || self.later.get(&(folder, key.clone().into_owned())).copied().filter(|file| is_it(*file));
        self.first.find(&(folder, &key), is_it).or_else(later)
    }

    fn put_at(&mut self, folder: FolderId, name: &str, file: FileId) {
        self.later.insert((folder, names::key(name).into_owned()), file);
    }

    const fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// A content that differs from every other.
    fn content(&mut self) -> ContentHash {
        let mut content = [0xff; 32];
        content[..8].copy_from_slice(&self.number().to_be_bytes());
        content
    }

    fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            self.agreed.take(change);
        }
    }

    fn carry_out(&mut self, op: Op, counts: &mut Preview) {
        match op {
            Op::Record(changes) => self.apply(changes),
            Op::Hash { path } => self.read(&path),
            Op::MakeFolder { path } => {
                counts.folders_there += 1;
                let Some(above) = self.agreed.folder_above(&path, self.remote.root) else { return };
                let Some(LocalItem::Folder(identity)) = self.local.items.get(&path).copied() else { return };
                let folder = FolderId::imagined(self.number().into());
                let place = Place { folder: above, name: tree::name(&path).to_owned() };
                let seen = RemoteFolder { parent: Some(above), name: place.name.clone() };
                self.remote.folders.insert(folder, seen);
                self.agree_on_folder(path, folder, identity, place);
            }
            Op::MakeLocalFolder { path, folder } => {
                counts.folders_here += 1;
                let Some(seen) = self.remote.folders.get(&folder) else { return };
                let Some(parent) = seen.parent else { return };
                let place = Place { folder: parent, name: seen.name.clone() };
                let identity = u64::MAX - self.number();
                self.local.items.insert(path.clone(), LocalItem::Folder(identity));
                self.agree_on_folder(path, folder, identity, place);
            }
            Op::Place { path, to } => {
                let is_elsewhere = self.agreed.records.get(&path).is_some_and(|record| record.place != to);
                counts.moves_there += u64::from(is_elsewhere && self.placed.insert(path.clone()));
                self.place(&path, &to);
            }
            Op::MoveLocal { from, to, place, is_conflict } => {
                if is_conflict {
                    counts.conflicts += 1;
                } else {
                    counts.moves_here += 1;
                }
                let changes = agreeing::moved(&self.agreed, &from, &to, place);
                self.local.rename(&from, &to);
                self.apply(changes);
            }
            Op::Upload { path, hash, replacing } => self.send(path, hash, replacing, counts),
            Op::Point { path, hash, .. } => self.point(path, hash, counts),
            Op::Retire { pointer, .. } | Op::DiscardPointer { pointer, .. } => self.remote.forget_pointer(pointer),
            Op::Download { path, file, .. } => self.fetch(path, file, counts),
            Op::DeleteReplaced { path, file } => self.delete(&path, file),
            Op::DeleteFile { path, file } => {
                counts.deletions_there += 1;
                self.delete(&path, file);
            }
            Op::DeleteFolder { path, folder } => {
                counts.deletions_there += 1;
                self.remote.folders.remove(&folder);
                self.agreed.records.remove(&path);
            }
            Op::TrashLocal { path } | Op::RemoveLocalFolder { path } => {
                counts.deletions_here += 1;
                self.local.items.remove(&path);
                self.agreed.records.remove(&path);
            }
        }
    }

    fn agree_on_folder(&mut self, path: String, folder: FolderId, identity: u64, place: Place) {
        let agreement = Agreement::Folder { folder, identity };
        let record = Record { agreement, place, sides: Sides::Both };
        self.agreed.records.insert(path, record);
    }

    /// Guesses the content of an unread file.
    fn read(&mut self, path: &str) {
        let Some(file) = self.local.file(path).copied() else { return };
        let there = match self.agreed.records.get(path).and_then(Record::as_file) {
            // The file was touched, and has the size of before.
            Some(record) => (record.stamp.size_bytes == file.stamp.size_bytes).then_some(record.hash),
            None => {
                let above = self.folder_there(tree::parent(path));
                let at = above.and_then(|above| self.file_at(above, tree::name(path)));
                let seen = at.and_then(|file| self.remote.files.get(&file));
                seen.filter(|seen| seen.size_bytes == file.stamp.size_bytes).and_then(|seen| seen.hash)
            }
        };
        let hash = there.unwrap_or_else(|| self.content());
        if let Some(item) = self.local.items.get_mut(path) {
            *item = LocalItem::File(LocalFile { hash: Some(hash), ..file });
        }
    }

    fn place(&mut self, path: &str, to: &Place) {
        match self.agreed.records.get(path).map(|record| record.agreement.clone()) {
            Some(Agreement::Folder { folder, .. }) => {
                if let Some(seen) = self.remote.folders.get_mut(&folder) {
                    (seen.parent, seen.name) = (Some(to.folder), to.name.clone());
                }
            }
            Some(Agreement::File(record)) if self.remote.files.contains_key(&record.file) => {
                self.remote.place_file(record.file, to);
                self.put_at(to.folder, &to.name, record.file);
            }
            Some(Agreement::File(_)) | None => {}
        }
        let changes = agreeing::placed(&self.agreed, path, to);
        self.apply(changes);
    }

    fn send(&mut self, path: String, hash: Option<ContentHash>, replacing: Option<Replacing>, counts: &mut Preview) {
        let Some(stamp) = self.local.file(&path).map(|file| file.stamp) else { return };
        let Some(folder) = self.agreed.folder_above(&path, self.remote.root) else { return };
        counts.up_files += 1;
        counts.up_bytes += stamp.size_bytes;
        let hash = hash.unwrap_or_else(|| self.content());
        if let Some(Replacing { file, .. }) = replacing
            && let Some(seen) = self.remote.files.get_mut(&file)
        {
            (seen.size_bytes, seen.hash) = (stamp.size_bytes, Some(hash));
            let arrived =
                Arrived { file, seen: seen.clone(), hash: Some(hash), was_duplicate: false, may_be_own: false };
            let changes = agreeing::sent(&self.agreed, self.remote.root, &path, stamp, hash, &arrived);
            self.apply(changes);
            self.touched.insert(path);
            return;
        }
        let name = names::numbered(tree::name(&path), |name| self.file_at(folder, name).is_some());
        let file = FileId::imagined(self.number().into());
        self.put_at(folder, &name, file);
        let seen = RemoteFile { folder: Some(folder), name, size_bytes: stamp.size_bytes, hash: Some(hash) };
        let arrived = Arrived { file, seen, hash: Some(hash), was_duplicate: false, may_be_own: false };
        let changes = agreeing::sent(&self.agreed, self.remote.root, &path, stamp, hash, &arrived);
        self.remote.files.insert(file, arrived.seen);
        self.apply(changes);
        self.touched.insert(path);
    }

    /// A copy goes up as a pointer, which is hardly a byte.
    fn point(&mut self, path: String, hash: ContentHash, counts: &mut Preview) {
        let Some(local) = self.local.file(&path).copied() else { return };
        let Some(folder) = self.agreed.folder_above(&path, self.remote.root) else { return };
        counts.up_files += 1;
        self.touched.insert(path.clone());
        let name = names::numbered(tree::name(&path), |name| self.file_at(folder, name).is_some());
        let pointer = FileId::imagined(self.number().into());
        self.put_at(folder, &name, pointer);
        self.remote.imagine_pointer(pointer, folder, &name, local.stamp.size_bytes, hash);
        let place = Place { folder, name };
        let old = self.agreed.records.get(&path);
        let record = agreeing::pointed(old, pointer, place, (local.stamp, local.changed_us), hash);
        self.agreed.records.insert(path, record);
    }

    fn fetch(&mut self, path: String, file: FileId, counts: &mut Preview) {
        let Some(seen) = self.remote.files.get(&file).cloned() else { return };
        let Some(folder) = seen.folder else { return };
        counts.down_files += 1;
        counts.down_bytes += seen.size_bytes;
        self.touched.insert(path.clone());
        let stamp = Stamp { size_bytes: seen.size_bytes, modified_us: 0, identity: u64::MAX - self.number() };
        let hash = seen.hash.unwrap_or_else(|| self.content());
        let local = LocalFile { stamp, changed_us: None, hash: Some(hash), is_settled: true, still_ms: 0 };
        self.local.items.insert(path.clone(), LocalItem::File(local));
        let place = Place { folder, name: seen.name };
        let old = self.agreed.records.get(&path);
        let is_pointer = self.remote.pointers.contains(file);
        let record = agreeing::fetched(old, FetchedFor { file, is_pointer }, place, stamp, hash);
        self.agreed.records.insert(path, record);
    }

    fn delete(&mut self, path: &str, file: FileId) {
        self.remote.files.remove(&file);
        let changes = agreeing::deleted(&self.agreed, path, file);
        self.apply(changes);
    }
}
