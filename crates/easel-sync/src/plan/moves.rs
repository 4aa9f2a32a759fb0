//! What moved here, told by identity and by content, and what has to be read to tell more.
//!
//! Following a move only changes what is agreed; the drive is asked for the same move when places are compared, once for a
//! folder with all that is in it.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::view::View;
use super::{Mutant, Op, Plan};
use crate::tree::{Agreement, Change, LocalItem, Record, Role, Standing};

/// Lets the records of what moved here follow it.
pub fn follow(view: &View<'_>, plan: &mut Plan) {
    if !follow_folder(view, plan) {
        follow_files(view, plan);
    }
}

/// What was here when it was agreed on and is not any more.
fn is_missing(view: &View<'_>, path: &str, record: &Record) -> bool {
    record.standing != Standing::OnlyInDrive
        && !view.is_here(path, record)
        && !view.is_hidden(path, record.as_folder().is_some())
}

fn follow_folder(view: &View<'_>, plan: &mut Plan) -> bool {
    let new: HashMap<u64, &str> = view
        .input
        .local
        .items
        .iter()
        .filter_map(|(path, item)| match item {
            LocalItem::Folder(identity) if view.record(path).is_none() => Some((*identity, path.as_str())),
            _ => None,
        })
        .collect();
    for (path, record) in &view.input.agreed.records {
        let Agreement::Folder { identity, .. } = record.agreement else { continue };
        if !is_missing(view, path, record) {
            continue;
        }
        let Some(to) = new.get(&identity) else { continue };
        let mut changes = vec![Change::Rename { from: path.clone(), to: (*to).to_owned() }];
        // What was deleted in the drive and moved here is wanted here: it goes up again as something new.
        let moved = view.input.agreed.below(path).chain([(path, record)]);
        changes.extend(
            moved
                .filter(|(_, record)| view.is_both_ways() && !view.is_in_drive(record))
                .map(|(below, _)| Change::Forget(format!("{to}{}", &below[path.len()..]))),
        );
        plan.ops.push(Op::Record(changes));
        return true;
    }
    false
}

fn follow_files(view: &View<'_>, plan: &mut Plan) {
    let mut by_identity: HashMap<u64, &str> = HashMap::new();
    let mut by_content: Vec<(&str, u64, Option<[u8; 32]>)> = Vec::new();
    for (path, item) in &view.input.local.items {
        let LocalItem::File(file) = item else { continue };
        if view.record(path).is_some() {
            continue;
        }
        by_identity.insert(file.stamp.identity, path);
        if file.is_settled && (file.hash.is_some() || view.is_mutant(Mutant::MovesBySize)) {
            by_content.push((path, file.stamp.size_bytes, file.hash));
        }
    }
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let missing: Vec<_> = view
        .input
        .agreed
        .records
        .iter()
        .filter_map(|(path, record)| Some((path, record, record.as_file()?)))
        .filter(|(path, record, _)| is_missing(view, path, record))
        .collect();
    let mut still_missing = Vec::new();
    for (path, record, file) in missing {
        match by_identity.get(&file.stamp.identity) {
            Some(to) if used.insert(to) => {
                let is_gone = view.is_both_ways() && !view.is_in_drive(record);
                let change = if is_gone {
                    Change::Forget(path.clone())
                } else {
                    Change::Rename { from: path.clone(), to: (*to).to_owned() }
                };
                plan.ops.push(Op::Record(vec![change]));
            }
            _ => still_missing.push((path, record, file)),
        }
    }
    for (path, record, file) in still_missing {
        if file.role != Role::Home || !view.is_in_drive(record) {
            continue;
        }
        let by_size = view.is_mutant(Mutant::MovesBySize);
        let found = by_content.iter().find(|(to, size, hash)| {
            !used.contains(to) && if by_size { *size == file.stamp.size_bytes } else { *hash == Some(file.hash) }
        });
        let Some((to, _, _)) = found else { continue };
        let Some(local) = view.local_file(to) else { continue };
        used.insert(to);
        let mut record = record.clone();
        record.agreement = Agreement::File(crate::tree::FileRecord { stamp: local.stamp, ..file.clone() });
        plan.ops.push(Op::Record(vec![Change::Forget(path.clone()), Change::Put((*to).to_owned(), record)]));
    }
}

/// Reads what has to be known before anything is sent or deleted: files that are new or look changed, unless they are
/// so large that reading them twice costs more than it saves and nothing of their size is known.
pub fn read(view: &View<'_>, plan: &mut Plan) {
    let settings = view.input.settings;
    let recorded: HashSet<u64> = view
        .input
        .agreed
        .records
        .values()
        .filter_map(|record| record.as_file().map(|file| file.stamp.size_bytes))
        .collect();
    for (path, item) in &view.input.local.items {
        let LocalItem::File(file) = item else { continue };
        let size = file.stamp.size_bytes;
        let is_known = view.file_record(path).is_some_and(|(_, record)| record.stamp == file.stamp);
        if is_known
            || file.hash.is_some()
            || !file.is_settled
            || view.is_unresolved(path)
            || size > settings.max_file_bytes
        {
            continue;
        }
        if size <= settings.direct_max_bytes || view.sizes.contains(&size) || recorded.contains(&size) {
            plan.ops.push(Op::Hash { path: path.clone() });
        }
    }
}
