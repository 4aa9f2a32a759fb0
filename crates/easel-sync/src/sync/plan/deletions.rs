//! Deletions: last of all, only of what was deleted on the other side or replaced, and never many without asking.

use std::cell::LazyCell;
use std::collections::HashSet;

use easel_wire::{FileId, FolderId};

use super::difference::{Difference, Guard, Note};
use super::input::DeletionRule;
use super::step::{MOST_STEPS, Op, Plan};
use super::view::{Edit, View};
use crate::shared::names;
use crate::shared::planted::Mutant;
use crate::sync::tree::{
    self, Agreement, Change, ContentHash, FileRecord, LocalItem, Record, Replaced, Role, Standing,
};

/// More deletions than this are asked about.
const MANY: usize = 50;
/// From this many on, a quarter of the folder is asked about too.
const SEVERAL: usize = 10;

/// Whether a root is suddenly empty, or the drive's gone. Then nothing goes on beside the question, not even what is new
/// here: the first file that is sent fills the drive folder again, and what was asked about would be done without an answer.
pub fn check_roots(view: &View<'_>) -> Option<Guard> {
    let held = || view.records().filter(|(_, record)| record.standing == Standing::Both);
    let consent = view.input.consent;
    if view.is_planted(Mutant::IgnoresGuard) || (held().next().is_none() && view.left_out() == 0) {
        return None;
    }
    if view.input.local.items.is_empty() && !consent.contains(&Guard::LocalEmpty) {
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

/// Whether the drive went back in time, and how much of what is here is newer than what it has.
pub fn check_time(view: &View<'_>) -> Option<Guard> {
    let is_asked = view.input.consent.iter().any(|guard| matches!(guard, Guard::RemoteWentBack(_)));
    if !view.input.remote.has_gone_back || is_asked {
        return None;
    }
    let is_newer = |record: &Record| {
        let Some(file) = record.as_file().filter(|file| file.role == Role::Home) else { return false };
        if view.is_in_drive(record) {
            return view.is_moved_there(record) || view.is_overtaken(file);
        }
        // Someone else may have sent the same again by now.
        let there = view.file_id_at(record.place.folder, &record.place.name).and_then(|there| view.remote_file(there));
        there.is_none_or(|there| there.hash != Some(file.hash))
    };
    let newer = view.records().filter(|(path, record)| {
        record.standing == Standing::Both && view.local_file(path).is_some() && is_newer(record)
    });
    Some(newer.count()).filter(|count| *count > 0).map(Guard::RemoteWentBack)
}

/// Whether nothing at all lies in the drive folder. That none of what was agreed on does is another thing: each edit makes a
/// drive file of its own, so what is there may be the next version of everything.
fn is_drive_empty(view: &View<'_>) -> bool {
    !view.filled.contains(&view.input.remote.root) || view.is_planted(Mutant::CallsEditsEmpty)
}

/// Where the drive has what a path replaced: by now, as far as that is told, since a pointer whose name another one has got
/// is seen under a name of its own; else where it was.
fn path_of_replaced(view: &View<'_>, path: &str, old: &Replaced) -> String {
    let seen = view.remote_file(old.file).and_then(|seen| view.path_at(seen.folder?, &seen.name));
    let was = || view.path_at(old.place.folder, &old.place.name);
    seen.or_else(was).unwrap_or_else(|| names::shown(path))
}

/// Deletes what the other side deleted, if that is not much.
pub fn delete(view: &View<'_>, plan: &mut Plan) {
    let [mut remote, mut local, mut replaced] = [const { Listed::new() }; 3];
    let mut just_gone = 0;
    let needs = LazyCell::new(|| Needs::new(view));
    for (path, record) in view.records() {
        let Some(file) = record.as_file() else { continue };
        // Deleted here before the replacement was done, and to be kept: all that the drive has of it is kept. So it is where the
        // next version does not get there.
        let is_kept = record.standing == Standing::OnlyInDrive && view.input.settings.deletions == DeletionRule::Keep;
        if is_kept || view.is_unresolved(path) {
            let note = |old| Note { path: path_of_replaced(view, path, old), difference: Difference::OnlyInDrive };
            plan.notes.extend(file.replaces.iter().map(note));
            continue;
        }
        // Not before the next version is there.
        for old in file.replaces.iter().filter(|_| view.is_in_drive(record)) {
            let is_needed =
                !old.is_pointer && (view.count_holders(old.file) > 0 || needs.hold(view, old.file, old.hash, 0));
            if is_needed && !view.is_planted(Mutant::ForgetsLinks) {
                plan.notes.push(Note { path: path_of_replaced(view, path, old), difference: Difference::OnlyInDrive });
            } else {
                replaced.add(Op::DeleteReplaced { path: path.clone(), file: old.file });
            }
        }
        if file.role != Role::Home || record.standing != Standing::Both {
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
            // Of a pointer nothing is lost: the content is where it is.
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
    if just_gone > 0 && count(view, remote.count + just_gone, 0).is_some() {
        // Much is going, and not all of it has been gone for long: what is asked about is asked about once.
        remote = Listed::new();
    }
    if let Some(guard) = count(view, remote.count, local.count) {
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
    if plan.ops.is_empty() {
        delete_folders(view, plan);
    }
}

/// Whether a drive file would be given to a copy that another file keeps from its own place: it would get another name for good.
/// What else is deleted goes first, as that other file may be among it.
fn hands_over_too_soon(view: &View<'_>, op: &Op) -> bool {
    let (Op::DeleteReplaced { file, .. } | Op::DeleteFile { file, .. }) = op else { return false };
    let remote = view.input.remote;
    let hash = view.remote_file(*file).filter(|_| !view.is_pointer(*file)).and_then(|seen| seen.hash);
    hash.is_some_and(|hash| remote.pointers.has_pushed_aside(remote, hash))
}

/// As many deletions of a kind as a plan has room for, and how many there are.
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

/// Which drive files' content local files need where it is: files that have it and cannot be in the drive under their own
/// name, and files that may turn out to have it when they have stood still and been read.
pub struct Needs {
    contents: HashSet<ContentHash>,
    sizes: HashSet<u64>,
    identities: HashSet<u64>,
}

impl Needs {
    pub fn new(view: &View<'_>) -> Self {
        let mut needs = Self { contents: HashSet::new(), sizes: HashSet::new(), identities: HashSet::new() };
        for (path, record) in view.records() {
            // A copy whose pointer stands for it no more, or was thrown away, is sent again: now, or once it can be seen.
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
            // Another file may have been moved here, also where what is agreed was of another size.
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

fn count(view: &View<'_>, remote: usize, local: usize) -> Option<Guard> {
    if view.is_planted(Mutant::IgnoresGuard) {
        return None;
    }
    let all = view.left_out() + view.records().filter(|(_, record)| record.as_file().is_some()).count();
    let is_much = |count: usize| count > MANY || (count >= SEVERAL && count * 4 >= all);
    let consent = view.input.consent;
    // A yes is one to what was asked, and to no more than that.
    let may_remote = consent.iter().any(|guard| match guard {
        Guard::ManyRemoteDeletions(count) => *count >= remote,
        Guard::LocalEmpty => view.input.local.items.is_empty(),
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

/// The drive folders in which something lies that no local path is the home of, or that someone else moved there.
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

/// Folders whose local one is gone. Only the empty go; what someone else put in keeps the folder, and comes back here.
fn delete_folders(view: &View<'_>, plan: &mut Plan) {
    let foreign = LazyCell::new(|| find_foreign(view));
    // The deepest first.
    for (path, record) in view.records().rev() {
        let Agreement::Folder { folder, .. } = record.agreement else { continue };
        let is_missing = !matches!(view.input.local.items.get(path), Some(LocalItem::Folder(_)));
        if !is_missing
            || record.standing != Standing::Both
            || view.is_unresolved(path)
            || view.is_just_gone(path)
            || view.is_hidden(path, true)
            || !view.is_in_drive(record)
        {
            continue;
        }
        let keep = Change::Put(path.clone(), Record { standing: Standing::OnlyInDrive, ..record.clone() });
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
