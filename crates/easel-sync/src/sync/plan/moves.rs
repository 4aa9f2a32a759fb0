//! Finds items that moved here, by identity and by content, and files that have to be read to find more.
//!
//! Following a move only changes records; the same move in the drive comes when places are compared, once for a folder
//! with everything in it.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::input::Input;
use super::step::{Op, Plan};
use super::view::View;
use crate::shared::names;
use crate::shared::planted::Mutant;
use crate::sync::tree::{self, Agreement, Change, ContentHash, FileRecord, LocalItem, Record, Role, Sides};

/// Changes the paths of records whose items moved here.
pub fn follow(view: &View<'_>, plan: &mut Plan) {
    if !follow_folder(view, plan) {
        follow_files(view, plan);
    }
}

/// Whether a record's item is not at its path any more.
fn is_missing(view: &View<'_>, path: &str, record: &Record) -> bool {
    record.sides != Sides::OnlyInDrive
        && !view.is_here(path, record)
        && !view.is_hidden(path, record.as_folder().is_some())
}

fn follow_folder(view: &View<'_>, plan: &mut Plan) -> bool {
    let new: HashMap<u64, &str> = view
        .items()
        .filter_map(|(path, item)| match item {
            LocalItem::Folder(identity) if view.record(path).is_none() => Some((*identity, path.as_str())),
            _ => None,
        })
        .collect();
    let mut moved: BTreeMap<&str, (&str, &Record)> = BTreeMap::new();
    for (path, record) in view.records() {
        let Agreement::Folder { identity, .. } = record.agreement else { continue };
        let to = new.get(&identity).filter(|_| is_missing(view, path, record));
        if let Some(to) = to {
            // A folder that came to a path while its old one could not be seen has a record at both.
            let is_better = |(other, _): &(&str, &Record)| count_same(view, path, to) > count_same(view, other, to);
            if moved.get(to).is_none_or(is_better) {
                moved.insert(to, (path, record));
            }
        }
    }
    let mut by_path: Vec<_> = moved.into_iter().map(|(to, (path, record))| (path, record, to)).collect();
    by_path.sort_unstable_by_key(|(path, ..)| *path);
    let mut followed: Vec<&str> = Vec::new();
    for (path, record, to) in by_path {
        // Moves into or out of a moved folder are followed by the next plan, which sees the new paths.
        let touches = |a: &str, b: &str| a == b || tree::is_below(a, b) || tree::is_below(b, a);
        if followed.iter().any(|other| touches(other, path) || touches(other, to)) {
            continue;
        }
        followed.extend([path, to]);
        let mut changes = make_room(view, path, to);
        changes.push(Change::Rename { from: path.to_owned(), to: to.to_owned() });
        // A file that was deleted in the drive and moved here is wanted here: it is sent as a new one.
        let below = view.input.agreed.below(path).map(|(below, record)| (below.as_str(), record));
        changes.extend(
            below
                .chain([(path, record)])
                .filter(|(_, record)| view.is_both_ways() && !view.is_in_drive(record))
                .map(|(below, _)| Change::Forget(tree::rebased(below, path, to))),
        );
        plan.ops.push(Op::Record(changes));
    }
    !followed.is_empty()
}

/// How many files below `to` are as they were agreed on below `from`.
fn count_same(view: &View<'_>, from: &str, to: &str) -> usize {
    let is_same = |(path, record): &(&String, &Record)| {
        let local = view.local_file(&tree::rebased(path, from, to));
        local.zip(record.as_file()).is_some_and(|(local, file)| file.is_untouched(local))
    };
    view.input.agreed.below(from).filter(is_same).count()
}

/// Gives records below `from` that are kept in the drive alone paths of their own, where the move would put others in
/// their place.
pub fn make_room(view: &View<'_>, from: &str, to: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut last: Option<&str> = None;
    for (path, record) in view.input.agreed.below(from) {
        let is_taken = view.record(&tree::rebased(path, from, to)).is_some();
        if !is_taken || last.is_some_and(|last| tree::is_below(path, last)) {
            continue;
        }
        last = Some(path);
        changes.push(match &record.agreement {
            Agreement::File(file) if file.role == Role::Link => Change::Forget(path.clone()),
            Agreement::File(file) => Change::Rename { from: path.clone(), to: names::drive_only_path(path, file.file) },
            Agreement::Folder { folder, .. } => {
                Change::Rename { from: path.clone(), to: names::drive_only_path(path, folder) }
            }
        });
    }
    changes
}

fn follow_files(view: &View<'_>, plan: &mut Plan) {
    let moves = find_moves(view);
    let records = moves.iter().filter_map(|(from, to)| Some((*from, *to, view.record(from)?)));
    let mut changes: Vec<Change> = moves.keys().map(|from| Change::Forget((*from).to_owned())).collect();
    // A file that was deleted in the drive and moved here is wanted here: it is sent as a new one.
    let kept = records.filter(|(_, _, record)| !view.is_both_ways() || view.is_in_drive(record));
    changes.extend(kept.map(|(_, to, record)| Change::Put(to.to_owned(), record.clone())));
    if !changes.is_empty() {
        plan.ops.push(Op::Record(changes));
        return;
    }
    follow_contents(view, plan);
}

/// By identity, where missing files are now: at new paths, and at the paths of others that left theirs too, so that
/// files which changed places are followed together.
fn find_moves<'a>(view: &View<'a>) -> BTreeMap<&'a str, &'a str> {
    let is_where_it_was =
        |path: &str, identity: u64| view.local_file(path).is_some_and(|local| local.stamp.identity == identity);
    let mut went: HashMap<u64, &str> = HashMap::new();
    for (path, record) in view.records() {
        let Some(file) = record.as_file() else { continue };
        let identity = file.stamp.identity;
        if record.sides != Sides::OnlyInDrive && !is_where_it_was(path, identity) && !view.is_hidden(path, false) {
            went.entry(identity).or_insert(path);
        }
    }
    let mut moves = BTreeMap::new();
    if went.is_empty() {
        return moves;
    }
    for (to, item) in view.items() {
        let LocalItem::File(local) = item else { continue };
        let identity = local.stamp.identity;
        let is_at_home = view.file_record(to).is_some_and(|(_, record)| record.stamp.identity == identity);
        if let Some(from) = went.get(&identity)
            && (!is_at_home || is_left_over(view, to, from))
        {
            moves.entry(*from).or_insert(to.as_str());
        }
    }
    // A path whose own file is nowhere was overwritten: the drive file that it replaces is found by content.
    loop {
        let is_free =
            |from: &str, to: &str| view.record(to).is_none() || moves.contains_key(to) || is_left_over(view, to, from);
        let blocked: Vec<&str> = moves.iter().filter(|(from, to)| !is_free(from, to)).map(|(from, _)| *from).collect();
        if blocked.is_empty() {
            return moves;
        }
        for from in blocked {
            moves.remove(from);
        }
    }
}

/// Whether the record at `path` is left over from an earlier stay of the file that is agreed on at `newer`: while
/// nothing could be said about `path`, the file went away and was sent anew, and now it is back. A pointer that is over
/// may wait for the next version of its path, and what a record is to replace is not forgotten.
fn is_left_over(view: &View<'_>, path: &str, newer: &str) -> bool {
    let both = view.file_record(path).zip(view.file_record(newer));
    both.is_some_and(|((old_record, old), (record, new))| {
        let is_same = old.stamp.identity == new.stamp.identity;
        let is_over = !old.is_pointer && old.replaces.is_empty() && !view.is_in_drive(old_record);
        is_same && is_over && view.is_in_drive(record)
    })
}

/// Follows files that are gone from one path and new at another with the same content.
fn follow_contents(view: &View<'_>, plan: &mut Plan) {
    let by_size = view.is_planted(Mutant::MovesBySize);
    let missing = view.records().filter_map(|(path, record)| {
        let file = record.as_file().filter(|file| file.role == Role::Home)?;
        (is_missing(view, path, record) && view.is_in_drive(record)).then_some((path, record, file))
    });
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return;
    }
    let mut new: HashMap<(u64, Option<ContentHash>), Vec<&str>> = HashMap::new();
    for (path, item) in view.items().rev() {
        let LocalItem::File(file) = item else { continue };
        if view.record(path).is_none() && file.is_settled && (file.hash.is_some() || by_size) {
            let hash = file.hash.filter(|_| !by_size);
            new.entry((file.stamp.size_bytes, hash)).or_default().push(path);
        }
    }
    for (path, record, file) in missing {
        let hash = (!by_size).then_some(file.hash);
        let Some(to) = new.get_mut(&(file.stamp.size_bytes, hash)).and_then(Vec::pop) else { continue };
        let Some(local) = view.local_file(to) else { continue };
        let mut record = record.clone();
        record.agreement =
            Agreement::File(FileRecord { stamp: local.stamp, changed_us: local.changed_us, ..file.clone() });
        plan.add(Op::Record(vec![Change::Forget(path.clone()), Change::Put(to.to_owned(), record)]), 0);
    }
}

/// Plans to read the files whose content has to be known before anything is sent or deleted: those that are new or look
/// changed. A file is not read where it is so large that reading it twice costs more than it saves, and no known file
/// has its size.
pub fn read(view: &View<'_>, plan: &mut Plan) {
    let settings = view.input.settings;
    let known_sizes = LazyCell::new(|| -> HashSet<u64> {
        let Input { agreed, remote, .. } = view.input;
        let recorded = agreed.records.values().filter_map(Record::as_file).map(|file| file.stamp.size_bytes);
        let all = recorded.chain(remote.files.values().map(|file| file.size_bytes));
        all.filter(|size| *size > settings.direct_max_bytes).collect()
    });
    for (path, item) in view.items() {
        let LocalItem::File(file) = item else { continue };
        let size = file.stamp.size_bytes;
        let is_known = view.file_record(path).is_some_and(|(_, record)| record.is_untouched(file));
        if is_known
            || file.hash.is_some()
            || !file.is_settled
            || view.is_unresolved(path)
            || size > settings.max_file_bytes
        {
            continue;
        }
        if size > settings.direct_max_bytes && !known_sizes.contains(&size) {
            continue;
        }
        plan.add(Op::Hash { path: path.clone() }, size);
    }
}
