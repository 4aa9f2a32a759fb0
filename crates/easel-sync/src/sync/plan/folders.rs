//! Folders: made on the side that lacks them, agreed on where both have them, moved as a whole.

use std::collections::BTreeSet;

use easel_wire::FolderId;

use super::difference::{Difference, Note};
use super::input::DeletionRule;
use super::step::{Op, Plan};
use super::view::{Occupant, View};
use super::{moves, places};
use crate::shared::names;
use crate::sync::tree::{self, Agreement, Change, LocalItem, Place, Record, Role, Sides};

/// Plans the folders: makes missing ones, and agrees on those that both sides have.
pub fn arrange(view: &View<'_>, plan: &mut Plan) {
    review(view, plan);
    if plan.ops.is_empty() {
        places::arrange_kind(view, plan, true);
    }
    if plan.ops.is_empty() {
        make_in_drive(view, plan);
        make_here(view, plan);
    }
}

/// The result of reviewing the records of folders.
#[derive(Default)]
struct Reviewed {
    records: Vec<Change>,
    forgotten: Vec<Change>,
    removed: Vec<Op>,
    apart: Option<Change>,
    notes: Vec<Note>,
}

impl Reviewed {
    fn put(&mut self, path: &str, record: Record) {
        self.records.push(Change::Put(path.to_owned(), record));
    }

    fn forget(&mut self, path: &str) {
        self.forgotten.push(Change::Forget(path.to_owned()));
    }

    fn note(&mut self, path: impl Into<String>, difference: Difference) {
        self.notes.push(Note { path: path.into(), difference });
    }
}

/// Whether the folder that was agreed on at `path` may have gone to another path together with files that are missing here.
/// There only its identity tells of them, so it is not given up for that of the folder at `path`: not while it is seen
/// elsewhere, and not where no file here is as it was.
fn has_gone_with_files(view: &View<'_>, path: &str, record: &Record) -> bool {
    let Agreement::Folder { identity, .. } = record.agreement else { return false };
    let (mut is_any_missing, mut is_any_same) = (false, false);
    for (below, record) in view.input.agreed.below(path) {
        let Some(file) = record.as_file().filter(|_| record.sides == Sides::Both) else { continue };
        match view.local_file(below) {
            None => is_any_missing = true,
            Some(local) => is_any_same |= file.is_untouched(local),
        }
    }
    let is_elsewhere = || view.items().any(|(_, item)| *item == LocalItem::Folder(identity));
    is_any_missing && (!is_any_same || is_elsewhere())
}

/// Reviews the records of folders that are missing on one side, or are back.
fn review(view: &View<'_>, plan: &mut Plan) {
    let mut reviewed = Reviewed::default();
    for (path, record) in view.records() {
        let Some(folder) = record.as_folder() else { continue };
        if let Some(failure) = view.failure(path) {
            reviewed.note(names::shown(path), Difference::Unresolved(failure));
        } else if !view.is_hidden(path, true) {
            review_folder(view, path, record, folder, &mut reviewed);
        }
    }
    let Reviewed { records, forgotten, removed, apart, notes } = reviewed;
    plan.notes.extend(notes);
    // A folder that gets a path of its own changes the paths below it.
    if let Some(first) = apart {
        plan.ops.push(Op::Record(vec![first]));
        return;
    }
    plan.ops.extend(records.into_iter().chain(forgotten).map(|change| Op::Record(vec![change])));
    if plan.ops.is_empty() {
        plan.ops = removed;
    }
}

fn review_folder(view: &View<'_>, path: &str, record: &Record, folder: FolderId, reviewed: &mut Reviewed) {
    let is_in_drive = view.is_in_drive(record);
    match (view.input.local.items.get(path), record.sides) {
        (Some(LocalItem::Folder(identity)), Sides::OnlyInDrive | Sides::Both) if is_in_drive => {
            let agreement = Agreement::Folder { folder, identity: *identity };
            let is_another = record.agreement != agreement;
            if record.sides != Sides::Both || (is_another && !has_gone_with_files(view, path, record)) {
                reviewed.put(path, Record { agreement, sides: Sides::Both, ..record.clone() });
            }
        }
        (Some(LocalItem::Folder(_)), Sides::Both) if view.is_both_ways() => {
            review_deleted_there(view, path, record, reviewed);
        }
        (Some(LocalItem::Folder(_)), Sides::Both) => {
            reviewed.put(path, Record { sides: Sides::OnlyHere, ..record.clone() });
        }
        (Some(LocalItem::Folder(_)), Sides::OnlyInDrive) => reviewed.forget(path),
        (Some(LocalItem::Folder(_)), Sides::OnlyHere)
            if view.wanted(path).is_some_and(|place| view.folder_at(&place) != Occupant::Free) =>
        {
            // Another folder of its name is here again.
            reviewed.forget(path);
        }
        (Some(LocalItem::Folder(_)), Sides::OnlyHere) if has_news(view, path) => reviewed.forget(path),
        (Some(LocalItem::Folder(_)), Sides::OnlyHere) => reviewed.note(path, Difference::OnlyHere),
        (Some(LocalItem::File(_)), Sides::OnlyInDrive) if is_in_drive => {
            // A file has the folder's path now, so the folder that the drive keeps gets a path of its own.
            let to = names::drive_only_path(path, folder);
            reviewed.apart.get_or_insert_with(|| Change::Rename { from: path.to_owned(), to });
        }
        (Some(LocalItem::File(_)), Sides::OnlyInDrive) => reviewed.forget(path),
        (_, Sides::OnlyHere) => reviewed.forget(path),
        (_, Sides::Both | Sides::OnlyInDrive) if !is_in_drive => reviewed.forget(path),
        (_, Sides::Both) => {}
        // Moved in the drive and deleted here: the folder comes back at its new path.
        (None, Sides::OnlyInDrive) if view.is_both_ways() && view.is_moved_there(record) => reviewed.forget(path),
        (None, Sides::OnlyInDrive) => {
            let at = view.actual(record).filter(|_| names::is_kept(path));
            let at = at.and_then(|at| view.path_at(at.folder, &at.name));
            reviewed.note(at.unwrap_or_else(|| names::shown(path)), Difference::OnlyInDrive);
        }
    }
}

/// Reviews a local folder that was agreed on and then deleted in the drive.
fn review_deleted_there(view: &View<'_>, path: &str, record: &Record, reviewed: &mut Reviewed) {
    let is_waited_for = view.input.agreed.below(path).any(|(path, record)| {
        // An item that is still at its agreed place in the drive is not in the deleted folder. An item that seems to
        // lie in the deleted folder went with it, as a later look will show.
        let is_still_there = view.actual(record).as_ref() == Some(&record.place)
            && view.input.remote.folders.contains_key(&record.place.folder);
        let is_home = record.as_file().is_none_or(|file| file.role == Role::Home);
        is_home && view.is_here(path, record) && !is_still_there
    });
    if view.input.local.below(path).next().is_none() {
        reviewed.removed.push(Op::RemoveLocalFolder { path: path.to_owned() });
    } else if is_waited_for {
        // The folder is removed once it is empty.
        reviewed.note(path, Difference::OnlyHere);
    } else if has_links_only(view, path) {
        reviewed.put(path, Record { sides: Sides::OnlyHere, ..record.clone() });
    } else {
        reviewed.forget(path);
    }
}

/// Whether a new item in a folder needs a place in the drive.
fn has_news(view: &View<'_>, folder: &str) -> bool {
    view.input.local.below(folder).any(|(item, kind)| {
        tree::parent(item) == folder
            && view.record(item).is_none()
            && match kind {
                LocalItem::Folder(_) => true,
                LocalItem::File(file) => file.is_settled && file.stamp.size_bytes <= view.input.settings.max_file_bytes,
            }
    })
}

/// Whether all items of a folder have their content elsewhere in the drive, so that it needs no drive folder.
fn has_links_only(view: &View<'_>, folder: &str) -> bool {
    view.input.local.below(folder).all(|(path, item)| match (item, view.record(path)) {
        (LocalItem::File(_), Some(record)) => record.as_file().is_some_and(|file| file.role == Role::Link),
        (LocalItem::Folder(_), Some(record)) => record.as_folder().is_some() && !view.is_in_drive(record),
        (_, None) => false,
    })
}

fn make_in_drive(view: &View<'_>, plan: &mut Plan) {
    for (path, item) in view.items() {
        let LocalItem::Folder(identity) = item else { continue };
        if view.record(path).is_some() || view.is_unresolved(path) {
            continue;
        }
        let name = tree::name(path);
        let mut note = |difference| plan.notes.push(Note { path: path.clone(), difference });
        if !names::fits_the_drive(name) {
            note(Difference::NameNotAllowed);
            continue;
        }
        if let Some(with) = view.clash(path, true) {
            note(Difference::Clash { with: with.to_owned() });
            continue;
        }
        // The folder above comes first: this plan makes that one, and the next plan this one.
        let Some(folder) = view.folder_id(tree::parent(path)) else { continue };
        if view.input.unloaded.is_waiting(tree::parent(path)) {
            continue;
        }
        let place = Place { folder, name: name.to_owned() };
        match view.folder_at(&place) {
            Occupant::Free => plan.add(Op::MakeFolder { path: path.clone() }, 0),
            // Deleted here and made again, perhaps in another spelling: it counts as the same folder.
            Occupant::Leaving | Occupant::Ours(_) if view.missing_folder_at(&place).is_some() => {
                match view.missing_folder_at(&place) {
                    Some((from, folder)) => {
                        let agreement = Agreement::Folder { folder, identity: *identity };
                        let record = view.record(from).map(|record| Record { agreement, ..record.clone() });
                        let rename = Change::Rename { from: from.to_owned(), to: path.clone() };
                        let put = record.map(|record| Change::Put(path.clone(), record));
                        let room = moves::make_room(view, from, path);
                        let kept = keep_below(view, from, path, &room);
                        plan.ops.push(Op::Record(room.into_iter().chain([rename]).chain(put).chain(kept).collect()));
                        return;
                    }
                    None => note(Difference::NameTaken),
                }
            }
            Occupant::Leaving => note(Difference::NameTaken),
            Occupant::Foreign(folder) => {
                let seen = view.input.remote.folders.get(&folder);
                let record = Record {
                    agreement: Agreement::Folder { folder, identity: *identity },
                    // With changes both ways, the drive's spelling is followed here; else the local spelling is
                    // followed there.
                    place: match seen.filter(|_| !view.is_both_ways()) {
                        Some(seen) => Place { folder: place.folder, name: seen.name.clone() },
                        None => place,
                    },
                    sides: Sides::Both,
                };
                plan.ops.push(Op::Record(vec![Change::Put(path.clone(), record)]));
            }
            Occupant::Ours(folder) if view.is_both_ways() && was_moved_there(view, folder) => {
                let to = view.conflict_path(path, &BTreeSet::new());
                plan.ops.push(Op::MoveLocal { from: path.clone(), to, place: None, is_conflict: true });
                return;
            }
            Occupant::Ours(_) => note(Difference::NameTaken),
        }
    }
}

/// Keeps drive files that went with a moved folder and are kept in the drive alone from being replaced by files of the
/// folder at the new path.
fn keep_below(view: &View<'_>, from: &str, to: &str, room: &[Change]) -> Vec<Change> {
    if view.input.settings.deletions == DeletionRule::Delete {
        return Vec::new();
    }
    let below = view.input.agreed.below(from);
    let files = below.filter(|(path, record)| {
        let is_home = record.as_file().is_some_and(|file| file.role == Role::Home);
        is_home && record.sides == Sides::Both && !view.is_here(path, record)
    });
    files
        .map(|(path, record)| {
            let record = Record { sides: Sides::OnlyInDrive, ..record.clone() };
            // The item may have had to make room for another.
            let moved = room.iter().find_map(|change| match change {
                Change::Rename { from, to } if path == from || tree::is_below(path, from) => {
                    Some(tree::rebased(path, from, to))
                }
                _ => None,
            });
            let path = moved.as_ref().unwrap_or(path);
            Change::Put(tree::rebased(path, from, to), record)
        })
        .collect()
}

/// Whether someone moved an agreed drive folder, and the local one can follow: it cannot while it cannot be seen.
fn was_moved_there(view: &View<'_>, folder: FolderId) -> bool {
    let path = view.folders.get(&folder).filter(|path| !view.is_hidden(path, true));
    let record = path.and_then(|path| view.record(path));
    record.is_some_and(|record| view.actual(record).is_some_and(|actual| actual != record.place))
}

fn make_here(view: &View<'_>, plan: &mut Plan) {
    if !view.is_both_ways() {
        return;
    }
    for (id, folder) in &view.input.remote.folders {
        let (Some(parent), false) = (folder.parent, view.folders.contains_key(id)) else { continue };
        let above = view.folder_path(parent).filter(|above| !view.input.unloaded.is_waiting(above));
        let Some(above) = above else { continue };
        let path = tree::join(above, &folder.name);
        let mut note = |difference| plan.notes.push(Note { path: path.clone(), difference });
        if !names::fits_here(&folder.name) {
            note(Difference::NameNotAllowed);
        } else if let Some(twin) = view.local_by_key(&path, true) {
            // The drive folder becomes one with the local folder of that name, unless that has a record of another
            // drive folder that was moved and that it cannot follow.
            if view.record(twin).is_some() {
                note(Difference::Clash { with: twin.to_owned() });
            }
        } else if view.is_unresolved(&path) {
            // The next look tries again.
        } else if (view.input.ignores.0)(&path, true) {
            note(Difference::Ignored);
        } else if view.input.local.items.contains_key(&path) || view.input.local.skipped.contains_key(&path) {
            note(Difference::Clash { with: path.clone() });
        } else if view.input.local.is_hidden(&path) {
            // The folder above cannot be read; that is noted there.
        } else if view.record(&path).is_none() {
            plan.add(Op::MakeLocalFolder { path, folder: *id }, 0);
        }
    }
}
