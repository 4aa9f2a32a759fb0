//! What is recorded of changes as they are settled, so that they can be undone. Pure.
//!
//! Always true: it follows from what both sides agreed on right before and right after a settlement. Of the first run of a
//! folder it is not recorded what a change found and left: what is sent and fetched then was there before. Not here: reading
//! what was agreed on, and where it is written (`journal/changes`).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use easel_wire::{FileId, FolderId};

use super::{Content, Held, Lay};
use crate::sync::engine::{AppliedChange, ChangeKind};
use crate::sync::ports::Settlement;
use crate::sync::tree::{self, Change, Role};

/// What is recorded of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedChange {
    /// Which run it came in; `None` where nobody wrote that down.
    pub run: Option<i64>,
    /// The path that the item had, where it moved.
    pub moved_from: Option<String>,
    /// Where both paths lay.
    pub lay: Lay,
    /// What the change found.
    pub before: Option<Held>,
    /// What it left.
    pub after: Option<Held>,
    /// What the path had held that the item moved to, and that went by it.
    pub over: Option<Content>,
}

/// A run of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Its number; later runs have larger ones.
    pub number: i64,
    /// Whether its changes record what they find and leave.
    pub is_recorded: bool,
}

/// Follows what a folder's engine settles.
#[derive(Debug)]
pub struct Recorder {
    /// The drive folder.
    root: FolderId,
    /// The run that is under way.
    run: Option<Run>,
    /// Where items were that have moved here and that the drive has not followed yet, by the paths that they have.
    came_from: ByPath<String>,
    /// What was agreed on at paths of this run that nothing is agreed on any more, although nobody deleted or moved anything there.
    forgotten: ByPath<Content>,
}

/// What a recorder knows that has to outlive the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Where items were that have moved here and that the drive has not followed yet, by the paths that they have.
    pub came_from: BTreeMap<String, String>,
    /// What paths held that nothing is agreed on for now, in a run that has not come to its end.
    pub forgotten: BTreeMap<String, Content>,
}

/// What has changed of [`Known`]: what is known of each path now, if anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unsaved {
    /// See [`Known::came_from`].
    pub came_from: Vec<(String, Option<String>)>,
    /// See [`Known::forgotten`].
    pub forgotten: Vec<(String, Option<Content>)>,
}

/// What is known of paths, and of which of them that has changed since it was last written down.
#[derive(Debug)]
struct ByPath<T> {
    known: BTreeMap<String, T>,
    unsaved: BTreeSet<String>,
}

impl<T: Clone> ByPath<T> {
    const fn new(known: BTreeMap<String, T>) -> Self {
        Self { known, unsaved: BTreeSet::new() }
    }

    fn insert(&mut self, path: String, value: T) {
        self.unsaved.insert(path.clone());
        self.known.insert(path, value);
    }

    fn remove(&mut self, path: &str) -> Option<T> {
        let value = self.known.remove(path);
        if value.is_some() {
            self.unsaved.insert(path.to_owned());
        }
        value
    }

    fn take_unsaved(&mut self) -> Vec<(String, Option<T>)> {
        let paths = std::mem::take(&mut self.unsaved).into_iter();
        paths.map(|path| (path.clone(), self.known.get(&path).cloned())).collect()
    }
}

impl Recorder {
    /// No run is under way in a folder that is in step with this drive folder. `known` is what an earlier recorder knew.
    #[must_use]
    pub fn new(root: FolderId, known: Known) -> Self {
        let Known { came_from, forgotten } = known;
        Self { root, run: None, came_from: ByPath::new(came_from), forgotten: ByPath::new(forgotten) }
    }

    /// What has changed since this was last asked for, of what has to outlive the program.
    pub fn take_unsaved(&mut self) -> Unsaved {
        Unsaved { came_from: self.came_from.take_unsaved(), forgotten: self.forgotten.take_unsaved() }
    }

    /// The run is over: the next change begins another. What moved here and was not followed in the drive is still known.
    pub fn end_run(&mut self) {
        self.run = None;
        self.forgotten = ByPath::new(BTreeMap::new());
    }

    /// The run that is under way; `None` before its first change.
    #[must_use]
    pub fn run(&self) -> Option<Run> {
        self.run
    }

    /// The first change of a run is about to be recorded.
    pub fn begin_run(&mut self, run: Run) {
        self.run = Some(run);
    }

    /// The paths of which [`Self::record`] asks what is agreed on.
    #[must_use]
    pub fn paths<'a>(&self, settlement: &'a Settlement) -> BTreeSet<&'a str> {
        let mut paths = BTreeSet::new();
        let mut left = settlement.changes.iter().filter_map(left_path);
        let may_move = left.next().is_some() || linked(&settlement.changes).nth(1).is_some();
        paths.extend(settlement.changes.iter().filter_map(|change| match change {
            Change::Put(path, _) if may_move => Some(path.as_str()),
            change => left_path(change),
        }));
        if self.run.is_some_and(|run| run.is_recorded) {
            paths.extend(settlement.applied.iter().map(path_before));
        }
        let followed = settlement.changes.iter().filter_map(|change| match change {
            Change::Put(path, _) if self.came_from.known.contains_key(path) => Some(tree::parent(path)),
            _ => None,
        });
        paths.extend(followed);
        paths
    }

    /// Records a settlement that is about to change what is agreed on: for each of its applied changes what it finds. `held` answers
    /// for the paths of [`Self::paths`].
    pub fn record(&mut self, settlement: &Settlement, held: impl Fn(&str) -> Held) -> Vec<RecordedChange> {
        let mut gone = self.follow_moves(settlement, &held);
        let mut recorded = Vec::with_capacity(settlement.applied.len());
        for applied in &settlement.applied {
            let mut change = RecordedChange { run: self.run.map(|run| run.number), ..RecordedChange::default() };
            if self.run.is_some_and(|run| run.is_recorded) {
                change.before = Some(match held(path_before(applied)) {
                    Held::Nothing => self.forgotten.remove(path_before(applied)).map_or(Held::Nothing, Held::File),
                    held => held,
                });
            }
            // A run that is not recorded moves items as well.
            let moved_from = match &applied.what {
                ChangeKind::MovedHere { from } | ChangeKind::ConflictKept { from } => {
                    self.came_from.remove(&applied.path).or_else(|| Some(from.clone()))
                }
                // Other content may come at once with the move of its file.
                ChangeKind::MovedInDrive { .. } | ChangeKind::Sent { .. } | ChangeKind::Fetched { .. } => {
                    self.came_from.remove(&applied.path)
                }
                // It was deleted before the drive had followed its move, and lay where it came from.
                what if is_deletion(what) => gone.remove(&applied.path),
                _ => None,
            };
            change.moved_from = moved_from.filter(|_| change.before.is_some());
            if change.before.is_some() {
                change.over = change.moved_from.as_ref().and_then(|_| self.forgotten.remove(&applied.path));
                let from = change.moved_from.as_deref().and_then(|from| self.find_origin(from));
                change.lay = Lay { path: self.find_origin(&applied.path), from };
            }
            recorded.push(change);
        }
        self.forget_followed(&settlement.changes, &held);
        recorded
    }

    /// Where a path lay before folders above it moved that the drive has not followed yet; `None` where none has.
    fn find_origin(&self, path: &str) -> Option<String> {
        let once = |path: &str| {
            tree::above(path).find_map(|above| Some(tree::rebased(path, above, self.came_from.known.get(above)?)))
        };
        // A folder may have moved within one that has.
        let depth = path.matches('/').count();
        std::iter::successors(once(path), |path| once(path)).take(depth).last()
    }

    /// Forgets where items came from whose places in the drive are by now what their paths say.
    fn forget_followed(&mut self, changes: &[Change], held: impl Fn(&str) -> Held) {
        for change in changes {
            let Change::Put(path, record) = change else { continue };
            if !self.came_from.known.contains_key(path) {
                continue;
            }
            let above = match tree::parent(path) {
                "" => Some(self.root),
                above => match held(above) {
                    Held::Folder { folder } => Some(folder),
                    Held::Nothing | Held::File(_) => None,
                },
            };
            if above == Some(record.place.folder) && record.place.name == tree::name(path) {
                self.came_from.remove(path);
            }
        }
    }

    /// Follows what moved here: as a folder with all in it, or file by file. Returns where those items came from that nothing is agreed on
    /// any more, by the paths that they had last.
    fn follow_moves(&mut self, settlement: &Settlement, held: impl Fn(&str) -> Held) -> BTreeMap<String, String> {
        let Settlement { changes, applied, .. } = settlement;
        // The drive file of what was deleted may go on as that of a path which shared its content; nothing moved there.
        let deleted = applied.iter().filter(|applied| is_deletion(&applied.what));
        let deleted: HashSet<&str> = deleted.map(|applied| applied.path.as_str()).collect();
        let mut left: HashMap<FileId, (&str, Content)> = HashMap::new();
        let mut moved: Vec<(&str, &str)> = Vec::new();
        let mut gone = BTreeMap::new();
        let has_puts = has_puts(changes);
        let leaving: HashSet<&str> = changes.iter().filter_map(left_path).collect();
        let mut exchanged = exchanged(changes, &held);
        for change in changes {
            match change {
                Change::Rename { from, to } => {
                    self.note_moved(&std::mem::take(&mut moved));
                    self.follow_folder(from, to);
                }
                Change::Forget(path) if has_puts && !deleted.contains(path.as_str()) => {
                    if let Held::File(content) = held(path) {
                        left.insert(content.file, (path, content));
                    }
                }
                Change::Put(to, record) if !(left.is_empty() && exchanged.is_empty()) => {
                    let Some(file) = record.as_file() else { continue };
                    if let Some((from, content)) = exchanged.remove(&file.file).filter(|(from, _)| from != to) {
                        if content.hash == file.hash {
                            moved.push((from, to.as_str()));
                        }
                        continue;
                    }
                    let Some((from, _)) = left.remove(&file.file).filter(|(from, _)| from != to) else { continue };
                    // The path held the same before, which went by the move.
                    if !leaving.contains(to.as_str())
                        && let Held::File(over) = held(to)
                        && over.hash == file.hash
                    {
                        self.forgotten.insert(to.clone(), over);
                    }
                    moved.push((from, to.as_str()));
                }
                Change::Forget(path) => {
                    gone.extend(self.came_from.remove(path).map(|from| (path.clone(), from)));
                    if !deleted.contains(path.as_str())
                        && let Held::File(content) = held(path)
                    {
                        self.forgotten.insert(path.clone(), content);
                    }
                }
                Change::Put(..) => {}
            }
        }
        // A path of which nothing was agreed on for a moment may be the one that another item moved to.
        for (path, content) in left.into_values() {
            gone.extend(self.came_from.remove(path).map(|from| (path.to_owned(), from)));
            self.forgotten.insert(path.to_owned(), content);
        }
        self.note_moved(&moved);
        gone
    }

    /// Notes moves that were made at once: a path that one item left may be the one that another came to.
    fn note_moved(&mut self, moved: &[(&str, &str)]) {
        let first = |&(from, to): &(&str, &str)| {
            (to.to_owned(), self.came_from.remove(from).unwrap_or_else(|| from.to_owned()))
        };
        let moved: Vec<(String, String)> = moved.iter().map(first).collect();
        self.set(moved);
    }

    /// What moved before lies elsewhere with the folder that it is in.
    fn follow_folder(&mut self, from: &str, to: &str) {
        let moved = |path: &str| match tree::is_below(path, from) {
            true => tree::rebased(path, from, to),
            false => path.to_owned(),
        };
        let has_part = |(path, came): &(&String, &String)| tree::is_below(path, from) || tree::is_below(came, from);
        let followed = self.came_from.known.iter().filter(has_part);
        let followed: Vec<(String, String)> = followed.map(|(path, came)| (path.clone(), came.clone())).collect();
        for (path, _) in &followed {
            self.came_from.remove(path);
        }
        self.set(followed.iter().map(|(path, came)| (moved(path), moved(came))).collect());
        self.note_moved(&[(from, to)]);
    }

    fn set(&mut self, moved: Vec<(String, String)>) {
        for (path, from) in moved {
            if path == from {
                self.came_from.remove(&path);
            } else {
                self.came_from.insert(path, from);
            }
        }
    }
}

/// The paths that get the drive file of another path.
fn linked(changes: &[Change]) -> impl Iterator<Item = &str> {
    changes.iter().filter_map(|change| match change {
        Change::Put(path, record) => record.as_file().filter(|file| file.role == Role::Link).map(|_| path.as_str()),
        Change::Forget(_) | Change::Rename { .. } => None,
    })
}

/// What paths held that get the files of others: where files have changed places, no path is left without one.
fn exchanged(changes: &[Change], held: impl Fn(&str) -> Held) -> HashMap<FileId, (&str, Content)> {
    if linked(changes).nth(1).is_none() {
        return HashMap::new();
    }
    let before = changes.iter().filter_map(|change| {
        let Change::Put(path, record) = change else { return None };
        let (file, Held::File(before)) = (record.as_file()?, held(path)) else { return None };
        (before.file != file.file && before.hash != file.hash).then_some((before.file, (path.as_str(), before)))
    });
    before.collect()
}

/// The path of which nothing is agreed on any more.
fn left_path(change: &Change) -> Option<&str> {
    match change {
        Change::Forget(path) => Some(path),
        Change::Put(..) | Change::Rename { .. } => None,
    }
}

fn is_deletion(what: &ChangeKind) -> bool {
    use ChangeKind::{DeletedInDrive, FolderDeletedInDrive, FolderRemoved, Trashed};
    matches!(what, DeletedInDrive | FolderDeletedInDrive | Trashed | FolderRemoved)
}

fn has_puts(changes: &[Change]) -> bool {
    changes.iter().any(|change| matches!(change, Change::Put(..)))
}

/// The path at which a change found what it changed.
fn path_before(applied: &AppliedChange) -> &str {
    match &applied.what {
        ChangeKind::MovedHere { from } | ChangeKind::ConflictKept { from } => from,
        _ => &applied.path,
    }
}
