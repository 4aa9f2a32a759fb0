//! Deletions, and the guards before them: last of all, only of what was deleted on the other side or replaced, and
//! never many without asking.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use easel_wire::{FileId, FolderId};

use super::copies;
use super::difference::{Difference, Guard, Note};
use super::input::DeletionRule;
use super::step::{MOST_STEPS, Op, Plan};
use super::view::{Edit, View};
use crate::shared::names;
use crate::shared::paths;
use crate::shared::planted::Mutant;
use crate::sync::tree::{self, Agreement, Change, ContentHash, FileRecord, LocalItem, Record, Replaced, Role, Sides};

/// More deletions than this need a person's consent.
const MANY: usize = 50;
/// From this many on, deletions of a quarter of the folder need consent too.
const SEVERAL: usize = 10;

/// The guard of a root that is suddenly empty, or whose drive folder is gone. Then nothing goes on beside the question,
/// not even new local files: the first one that is sent would fill the drive folder again, and so lift the guard
/// without an answer.
pub fn check_roots(view: &View<'_>) -> Option<Guard> {
    let held = || view.records().filter(|(_, record)| record.sides == Sides::Both);
    let consent = view.input.consent;
    if view.is_planted(Mutant::IgnoresGuard) || (held().next().is_none() && view.left_out() == 0) {
        return None;
    }
    if is_local_empty(view) && !consent.contains(&Guard::LocalEmpty) {
        return Some(Guard::LocalEmpty);
    }
    let is_left = view.left_out() > 0 || held().any(|(_, record)| view.is_in_drive(record));
    let is_there = view.input.remote.folders.contains_key(&view.input.remote.root);
    if !is_there {
        return Some(Guard::RemoteGone);
    }
    if !is_left && is_drive_empty(view) && !consent.contains(&Guard::RemoteEmpty) {
        return Some(Guard::RemoteEmpty);
    }
    None
}

/// Whether the drive went back in time, and the person has not answered yet.
pub fn has_unasked_return(view: &View<'_>) -> bool {
    let is_answered = view.input.consent.iter().any(|guard| matches!(guard, Guard::RemoteWentBack(_)));
    view.input.remote.has_gone_back && !is_answered
}

/// The guard of a drive that went back in time, with the number of local items that are newer than the drive's.
pub fn check_time(view: &View<'_>) -> Option<Guard> {
    if !has_unasked_return(view) || view.is_partial() {
        return None;
    }
    let is_newer = |record: &Record| {
        let Some(file) = record.as_file().filter(|file| file.role == Role::Home) else { return false };
        if view.is_in_drive(record) {
            return view.is_moved_there(record) || view.is_overtaken(file);
        }
        // Someone else may have sent the same content again by now.
        let there = view.file_id_at(record.place.folder, &record.place.name).and_then(|there| view.remote_file(there));
        there.is_none_or(|there| there.hash != Some(file.hash))
    };
    let newer = view
        .records()
        .filter(|(path, record)| record.sides == Sides::Both && view.local_file(path).is_some() && is_newer(record));
    Some(newer.count()).filter(|count| *count > 0).map(Guard::RemoteWentBack)
}

/// Whether nothing is here. Files that are left out are here.
fn is_local_empty(view: &View<'_>) -> bool {
    view.input.local.items.is_empty() && view.left_out() == 0
}

/// Whether the drive folder has no items at all. That it has none of the agreed items does not count: each edit makes a
/// new drive file, so the items there may be the next versions of everything.
fn is_drive_empty(view: &View<'_>) -> bool {
    !view.filled.contains(&view.input.remote.root) || view.is_planted(Mutant::CallsEditsEmpty)
}

/// The path, as the drive shows it, of a file that `path` replaced: its present place, where the drive tells it (a
/// pointer whose name another one has got is seen under a name of its own), else its last one.
fn path_of_replaced(view: &View<'_>, path: &str, old: &Replaced) -> String {
    let seen = view.remote_file(old.file).and_then(|seen| view.path_at(seen.folder?, &seen.name));
    let was = || view.path_at(old.place.folder, &old.place.name);
    seen.or_else(was).unwrap_or_else(|| names::shown(path))
}

/// Plans deletions for what was deleted on the other side; the guard stops them where there are many.
pub fn delete(view: &View<'_>, plan: &mut Plan) {
    let [mut remote, mut local, mut replaced] = [const { Listed::new() }; 3];
    let mut just_gone = 0;
    let needs = LazyCell::new(|| Needs::new(view));
    let moved = LazyCell::new(|| MovedFolders::new(view));
    for (path, record) in view.records() {
        let Some(file) = record.as_file() else { continue };
        // Deleted here before the replacement was done, with the rule to keep: all drive files of the path stay. The
        // same holds where the next version does not get to the drive.
        let is_kept = record.sides == Sides::OnlyInDrive && view.input.settings.deletions == DeletionRule::Keep;
        if is_kept || view.is_unresolved(path) {
            let note = |old| Note { path: path_of_replaced(view, path, old), difference: Difference::OnlyInDrive };
            plan.notes.extend(file.replaces.iter().map(note));
            continue;
        }
        // Not before the next version is in the drive.
        for old in file.replaces.iter().filter(|_| view.is_in_drive(record)) {
            let is_needed =
                !old.is_pointer && (view.count_holders(old.file) > 0 || needs.hold(view, old.file, old.hash, 0));
            if is_needed && !view.is_planted(Mutant::ForgetsLinks) {
                plan.notes.push(Note { path: path_of_replaced(view, path, old), difference: Difference::OnlyInDrive });
            } else {
                replaced.add(Op::DeleteReplaced { path: path.clone(), file: old.file });
            }
        }
        if file.role != Role::Home || record.sides != Sides::Both {
            continue;
        }
        match view.local_file(path) {
            Some(seen)
                if !view.is_in_drive(record)
                    && view.is_both_ways()
                    && view.is_told_gone(record, file)
                    && (view.edit(file, seen) == Edit::None || view.is_planted(Mutant::TrashesUnseen)) =>
            {
                local.add(Op::TrashLocal { path: path.clone() });
            }
            Some(_) => {}
            None if !view.is_in_drive(record) || view.is_overtaken(file) || view.is_hidden(path, false) => {}
            None if view.is_just_gone(path) => just_gone += 1,
            None if moved.may_have(view, path) => {
                plan.notes.push(Note { path: path.clone(), difference: Difference::OnlyInDrive });
            }
            // Deleting a pointer loses nothing, because the content has a file of its own.
            None if !file.is_pointer
                && !view.is_planted(Mutant::ForgetsLinks)
                && (view.count_holders(file.file) > 1
                    || needs.hold(view, file.file, file.hash, file.stamp.identity)) =>
            {
                plan.notes.push(Note { path: path.clone(), difference: Difference::OnlyInDrive });
            }
            None => remote.add(Op::DeleteFile { path: path.clone(), file: file.file }),
        }
    }
    if just_gone > 0 && guard_many(view, remote.count + just_gone, 0).is_some() {
        // Many items are gone, and some only just now: wait, so that one question covers them all.
        remote = Listed::new();
    }
    if let Some(guard) = guard_many(view, remote.count, local.count) {
        let notes = std::mem::take(&mut plan.notes);
        *plan = Plan { guard: Some(guard), notes, ..Plan::default() };
        return;
    }
    let mut later = Vec::new();
    for listed in [replaced, remote, local] {
        plan.left.steps += (listed.count - listed.ops.len()) as u64;
        for op in listed.ops {
            if hands_over_too_soon(view, &op) {
                later.push(op);
            } else {
                plan.add(op, 0);
            }
        }
    }
    if plan.ops.is_empty() {
        later.into_iter().for_each(|op| plan.add(op, 0));
    }
    copies::name_pushed_aside(view, plan);
    if plan.ops.is_empty() {
        delete_folders(view, plan);
    }
}

/// Whether the op hands a drive file over to a copy whose place another file has: the handed-over file would get
/// another name for good. Other deletions go first, as they may remove that file.
fn hands_over_too_soon(view: &View<'_>, op: &Op) -> bool {
    let (Op::DeleteReplaced { file, .. } | Op::DeleteFile { file, .. }) = op else { return false };
    let remote = view.input.remote;
    let hash = view.remote_file(*file).filter(|_| !view.is_pointer(*file)).and_then(|seen| seen.hash);
    hash.is_some_and(|hash| remote.pushed_aside().any(|(_, seen)| seen.pointer.hash == hash))
}

/// The deletions of one kind, as many as a plan has room for, and their whole number.
struct Listed {
    ops: Vec<Op>,
    count: usize,
}

impl Listed {
    const fn new() -> Self {
        Self { ops: Vec::new(), count: 0 }
    }

    fn add(&mut self, op: Op) {
        self.count += 1;
        if self.ops.len() < MOST_STEPS {
            self.ops.push(op);
        }
    }
}

/// The drive files that local files need where they are: because a file with that content cannot be in the drive under
/// its own name, or because a file may turn out to have that content once it stands still and is read.
pub struct Needs {
    contents: HashSet<ContentHash>,
    sizes: HashSet<u64>,
    identities: HashSet<u64>,
}

impl Needs {
    pub fn new(view: &View<'_>) -> Self {
        let mut needs = Self { contents: HashSet::new(), sizes: HashSet::new(), identities: HashSet::new() };
        for (path, record) in view.records() {
            // A copy whose pointer is over, or was thrown away, is sent again: now, or once it can be seen.
            let copy = record.as_file().filter(|file| file.is_pointer && !view.is_in_drive(record));
            let is_to_be_sent = |file: &&FileRecord| {
                let is_here = view.input.local.file(path).is_some_and(|local| file.is_untouched(local));
                view.is_hidden(path, false) || (is_here && !view.input.remote.pointers.is_gone(file.file))
            };
            needs.contents.extend(copy.filter(is_to_be_sent).map(|file| file.hash));
        }
        for (path, item) in view.items() {
            let LocalItem::File(file) = item else { continue };
            if view.file_record(path).is_some_and(|(_, record)| record.is_untouched(file)) {
                continue;
            }
            // Another file may have been moved here, even where the agreed one had another size.
            let is_open = file.hash.is_none() || !file.is_settled;
            needs.contents.extend(file.hash);
            if is_open {
                needs.sizes.insert(file.stamp.size_bytes);
                needs.identities.insert(file.stamp.identity);
            }
        }
        needs
    }

    pub fn hold(&self, view: &View<'_>, file: FileId, hash: ContentHash, identity: u64) -> bool {
        self.contents.contains(&hash)
            || view.remote_file(file).is_some_and(|seen| self.sizes.contains(&seen.size_bytes))
            || self.identities.contains(&identity)
    }
}

/// Where the local folders are by now, while some of them cannot be read. A folder that left a path while nothing was
/// known about that path has its old record beside its new one, so its files were not followed.
struct MovedFolders<'a> {
    paths: HashMap<u64, &'a str>,
}

impl<'a> MovedFolders<'a> {
    fn new(view: &View<'a>) -> Self {
        let mut paths = HashMap::new();
        if !view.input.local.unreadable.is_empty() {
            paths.extend(view.items().filter_map(|(path, item)| match item {
                LocalItem::Folder(identity) => Some((*identity, path.as_str())),
                LocalItem::File(_) => None,
            }));
        }
        Self { paths }
    }

    /// Whether a folder above `path` is at another path now, where the file of `path` could not be seen.
    fn may_have(&self, view: &View<'_>, path: &str) -> bool {
        !self.paths.is_empty()
            && paths::above(path).any(|above| {
                let Some(Agreement::Folder { identity, .. }) = view.record(above).map(|record| &record.agreement)
                else {
                    return false;
                };
                let now_at = self.paths.get(identity).filter(|now_at| **now_at != above);
                now_at.is_some_and(|now_at| view.input.local.is_hidden(&tree::rebased(path, above, now_at)))
            })
    }
}

fn guard_many(view: &View<'_>, remote: usize, local: usize) -> Option<Guard> {
    if view.is_planted(Mutant::IgnoresGuard) {
        return None;
    }
    let all = view.left_out() + view.records().filter(|(_, record)| record.as_file().is_some()).count();
    let is_much = |count: usize| count > MANY || (count >= SEVERAL && count * 4 >= all);
    let consent = view.input.consent;
    // A consent is to the question that was asked, and to no more.
    let may_remote = consent.iter().any(|guard| match guard {
        Guard::ManyRemoteDeletions(count) => *count >= remote,
        Guard::LocalEmpty => is_local_empty(view),
        _ => false,
    });
    let may_local = consent.iter().any(|guard| match guard {
        Guard::ManyLocalDeletions(count) => *count >= local,
        Guard::RemoteWentBack(_) => true,
        Guard::RemoteEmpty => is_drive_empty(view),
        _ => false,
    });
    if is_much(remote) && !may_remote {
        Some(Guard::ManyRemoteDeletions(remote))
    } else if is_much(local) && !may_local {
        Some(Guard::ManyLocalDeletions(local))
    } else {
        None
    }
}

/// The drive folders with items that are no local path's, or that someone else moved there.
fn find_foreign(view: &View<'_>) -> HashSet<FolderId> {
    let remote = view.input.remote;
    let is_agreed = |path: Option<&&str>, folder: FolderId| {
        path.and_then(|path| view.record(path)).is_some_and(|record| record.place.folder == folder)
    };
    let files = view.drive_files().filter_map(|(id, seen)| {
        seen.folder.filter(|folder| !view.doomed.contains(&id) && !is_agreed(view.homes.get(&id), *folder))
    });
    let folders = remote
        .folders
        .iter()
        .filter_map(|(id, seen)| seen.parent.filter(|parent| !is_agreed(view.folders.get(id), *parent)));
    files.chain(folders).collect()
}

/// Plans deletions of folders whose local one is gone. Only empty ones are deleted; items that someone else put into a
/// folder keep it, and it comes back here.
fn delete_folders(view: &View<'_>, plan: &mut Plan) {
    let foreign = LazyCell::new(|| find_foreign(view));
    // The deepest folders first.
    for (path, record) in view.records().rev() {
        let Agreement::Folder { folder, .. } = record.agreement else { continue };
        let is_missing = !matches!(view.input.local.items.get(path), Some(LocalItem::Folder(_)));
        if !is_missing
            || record.sides != Sides::Both
            || view.is_unresolved(path)
            || view.is_just_gone(path)
            || view.is_hidden(path, true)
            || !view.is_in_drive(record)
        {
            continue;
        }
        let keep = Change::Put(path.clone(), Record { sides: Sides::OnlyInDrive, ..record.clone() });
        let is_filled = view.filled.contains(&folder) && !view.is_planted(Mutant::DeletesWholeFolders);
        let is_foreign = is_filled && foreign.contains(&folder);
        let is_needed = view.input.agreed.below(path).any(|(below, record)| {
            tree::is_below(below, path) && record.as_file().is_none_or(|file| file.role == Role::Home)
        });
        if view.input.settings.deletions == DeletionRule::Keep {
            plan.ops.push(Op::Record(vec![keep]));
        } else if is_needed || (is_filled && !is_foreign) {
            plan.notes.push(Note { path: names::shown(path), difference: Difference::OnlyInDrive });
        } else if !is_filled {
            plan.ops.push(Op::DeleteFolder { path: path.clone(), folder });
        } else if view.is_both_ways() {
            plan.ops.push(Op::Record(vec![Change::Forget(path.clone())]));
        } else {
            plan.ops.push(Op::Record(vec![keep]));
        }
    }
}
