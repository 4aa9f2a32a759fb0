//! Compares the places of items: an item that moved here is moved in the drive, and the other way round.
//!
//! Three places are compared for each record: the agreed one, the one that its local path asks for, and the one in the
//! drive. If an item was moved on one side, the other follows; if on both, the local place wins, and no byte is sent
//! either way. Folders and files are treated alike.

use std::collections::BTreeSet;

use easel_wire::FolderId;

use super::copies;
use super::difference::{Difference, Note};
use super::step::{Op, Plan};
use super::view::{Occupant, View};
use crate::shared::names;
use crate::sync::tree::{self, Agreement, Change, Place, Record, Role, Sides};

/// What has to be done about an item's place.
enum Step {
    Nothing,
    Op(Op),
    /// Another item has to leave first; if nothing else happens, this op makes it.
    After(Op),
    Note(Difference),
}

/// What the steps of one plan take, so that no two of them take the same.
#[derive(Default)]
struct Reserved {
    /// Local paths.
    paths: BTreeSet<String>,
    /// Places in the drive at which an item is on its way, by names as the drive compares them.
    stops: BTreeSet<(FolderId, String)>,
}

impl Reserved {
    fn key(place: &Place) -> (FolderId, String) {
        (place.folder, names::key(&place.name).into_owned())
    }

    fn has_stop(&self, place: &Place) -> bool {
        self.stops.contains(&Self::key(place))
    }

    fn stop_at(&mut self, place: &Place) {
        self.stops.insert(Self::key(place));
    }
}

/// Plans to bring files to their places; folders have come before.
pub fn arrange(view: &View<'_>, plan: &mut Plan) {
    arrange_kind(view, plan, false);
    copies::retire_under_moved(view, plan);
    copies::name_pushed_aside(view, plan);
}

/// Plans the places of all folders, or of all files.
pub fn arrange_kind(view: &View<'_>, plan: &mut Plan, is_folder: bool) {
    let mut reserved = Reserved::default();
    let mut waiting = Vec::new();
    for (path, record) in view.records() {
        let is_arranged = match &record.agreement {
            Agreement::Folder { .. } => is_folder,
            Agreement::File(file) => !is_folder && file.role == Role::Home,
        };
        let is_here = view.is_here(path, record) && record.sides == Sides::Both;
        if !is_arranged || view.is_unresolved(path) {
            continue;
        }
        if !is_here {
            // A local item that cannot be seen cannot follow.
            if view.is_hidden(path, is_folder) && view.is_elsewhere(path, record) {
                plan.notes.push(Note { path: path.clone(), difference: Difference::MovedInDrive });
            }
            continue;
        }
        match compare(view, path, record, &mut reserved) {
            Step::Nothing => {}
            Step::Op(op) => {
                // Moving a folder here changes the paths of all steps after it, so it is the last of its plan.
                let is_last = is_folder && matches!(op, Op::MoveLocal { .. });
                plan.add(op, 0);
                if is_last {
                    return;
                }
            }
            Step::After(op) => waiting.push(op),
            Step::Note(difference) => plan.notes.push(Note { path: path.clone(), difference }),
        }
    }
    if plan.ops.is_empty() {
        plan.ops.extend(waiting.into_iter().next());
    }
}

fn compare(view: &View<'_>, path: &str, record: &Record, reserved: &mut Reserved) -> Step {
    let Some(actual) = view.actual(record) else {
        // The item is at the top of the drive, or gone.
        return if view.is_in_drive(record) { leave(view, path, record) } else { Step::Nothing };
    };
    let Some(wanted) = view.wanted(path) else {
        let is_moved_there = actual != record.place && view.is_both_ways();
        return match is_moved_there {
            true => move_here(view, path, record, &actual, reserved),
            false => Step::Note(Difference::FolderMissing),
        };
    };
    if actual == record.place {
        return if wanted == actual { Step::Nothing } else { move_there(view, path, record, &wanted, reserved) };
    }
    if actual == wanted || wanted != record.place {
        return Step::Op(accept(path, record, actual));
    }
    if !view.is_both_ways() {
        return Step::Note(Difference::MovedInDrive);
    }
    move_here(view, path, record, &actual, reserved)
}

/// Agrees on the place in the drive, so that the next comparison sees the local move alone.
fn accept(path: &str, record: &Record, actual: Place) -> Op {
    Op::Record(vec![Change::Put(path.to_owned(), Record { place: actual, ..record.clone() })])
}

/// The next request on the way to the wanted place.
fn move_there(view: &View<'_>, path: &str, record: &Record, wanted: &Place, reserved: &mut Reserved) -> Step {
    let is_folder = record.as_folder().is_some();
    if !names::fits_the_drive(&wanted.name) {
        return Step::Note(Difference::NameNotAllowed);
    }
    if let Some(with) = view.clash(path, is_folder) {
        return Step::Note(Difference::Clash { with: with.to_owned() });
    }
    let at = &record.place;
    let occupant = |place: &Place| match is_folder {
        _ if place.is_same(at) => Occupant::Free,
        true => without_id(&view.folder_at(place)),
        false => without_id(&view.file_at(place)),
    };
    let step = |to: Place| Op::Place { path: path.to_owned(), to };
    // Moves the item out of the way, under a name that is free in both folders.
    let aside = || {
        let is_taken = |name: &str| {
            let mut places = [at.folder, wanted.folder].into_iter();
            places.any(|folder| {
                view.is_taken(folder, name) || reserved.has_stop(&Place { folder, name: name.to_owned() })
            })
        };
        Place { folder: at.folder, name: names::find_free(&wanted.name, names::ASIDE, is_taken) }
    };
    // Turned inside out: the folder that this one goes into still lies in it, and may be waiting for its name.
    if record.as_folder().is_some_and(|folder| view.input.remote.is_within(wanted.folder, folder)) {
        // Of no use where that folder cannot get its own name.
        let is_stuck = tree::above(path).any(|above| view.clash(above, true).is_some());
        let is_aside = names::is_aside(&at.name);
        return if is_aside || is_stuck { Step::Note(Difference::NameTaken) } else { Step::After(step(aside())) };
    }
    match occupant(wanted) {
        Occupant::Free => {}
        Occupant::Leaving => {
            return if is_circle(path, |path| wants_place_of(view, path, is_folder)) {
                Step::After(step(aside()))
            } else {
                Step::Note(Difference::NameTaken)
            };
        }
        Occupant::Foreign(()) if view.is_both_ways() => {
            return rename_to_conflict_copy(view, path.to_owned(), reserved);
        }
        Occupant::Foreign(()) | Occupant::Ours(()) => return Step::Note(Difference::NameTaken),
    }
    if at.folder == wanted.folder || at.name == wanted.name {
        return Step::Op(step(wanted.clone()));
    }
    let moved = Place { folder: wanted.folder, name: at.name.clone() };
    let renamed = Place { folder: at.folder, name: wanted.name.clone() };
    // A pointer that a file pushes aside is seen under a number and has that file's name all the same. So it gets its
    // own name before it goes to a folder where another pointer may have that one.
    let pointers = &view.input.remote.pointers;
    let is_pushed_aside = record.as_file().is_some_and(|file| file.is_pointer && !pointers.is_at(file.file, at));
    // On the way the item takes no place that another one goes to, or stops at, in the same plan.
    let is_wanted = |path_there: Option<String>| {
        let other = path_there.as_deref().and_then(|there| view.local_by_key(there, is_folder));
        other.is_some_and(|other| other != path)
    };
    let is_free = |place: &Place, path_there| {
        occupant(place) == Occupant::Free && !reserved.has_stop(place) && !is_wanted(path_there)
    };
    let stop = if !is_pushed_aside && is_free(&moved, Some(tree::join(tree::parent(path), &moved.name))) {
        moved
    } else if is_free(&renamed, view.path_at(renamed.folder, &renamed.name)) {
        renamed
    } else {
        aside()
    };
    reserved.stop_at(&stop);
    Step::Op(step(stop))
}

/// Whether each path waits for the next, and the last for the first.
fn is_circle<'a>(path: &'a str, next: impl Fn(&'a str) -> Option<&'a str>) -> bool {
    let mut seen = BTreeSet::new();
    let mut at = path;
    while let Some(other) = next(at).filter(|other| seen.insert(*other)) {
        if other == path {
            return true;
        }
        at = other;
    }
    false
}

/// The local path whose drive item has the place that this one's wants.
fn wants_place_of<'a>(view: &View<'a>, path: &str, is_folder: bool) -> Option<&'a str> {
    let wanted = view.wanted(path)?;
    let other = if is_folder {
        let place = (wanted.folder, names::key(&wanted.name));
        view.folders_at.get(&place).and_then(|id| view.folders.get(id)).copied()
    } else {
        view.file_id_at(wanted.folder, &wanted.name).and_then(|id| view.homes.get(&id)).copied()
    };
    other.filter(|other| view.record(other).is_some_and(|record| view.is_here(other, record)))
}

/// The local path at which this path's item lies in the drive.
fn wants_path_of<'a>(view: &View<'a>, path: &str) -> Option<&'a str> {
    let actual = view.actual(view.record(path)?)?;
    let to = view.path_at(actual.folder, &actual.name)?;
    view.input.agreed.records.get_key_value(&to).map(|(path, _)| path.as_str())
}

fn without_id<T>(occupant: &Occupant<T>) -> Occupant<()> {
    match occupant {
        Occupant::Free => Occupant::Free,
        Occupant::Leaving => Occupant::Leaving,
        Occupant::Ours(_) => Occupant::Ours(()),
        Occupant::Foreign(_) => Occupant::Foreign(()),
    }
}

/// The item was moved out of the drive folder: a file's content still is in the drive, and the local one may stay.
fn leave(view: &View<'_>, path: &str, record: &Record) -> Step {
    match &record.agreement {
        Agreement::File(file) if view.is_both_ways() => {
            let file = tree::FileRecord { role: Role::Link, ..file.clone() };
            let record = Record { agreement: Agreement::File(file), ..record.clone() };
            Step::Op(Op::Record(vec![Change::Put(path.to_owned(), record)]))
        }
        _ => Step::Note(Difference::MovedInDrive),
    }
}

/// Gives an item that was moved out of the way a lasting name, when it does not get to its place: because the way is
/// blocked, or because the local file is gone and the drive keeps it. One at a time.
pub fn name_left_aside(view: &View<'_>, plan: &mut Plan) {
    for (path, record) in view.records() {
        let is_link = record.as_file().is_some_and(|file| file.role == Role::Link);
        let place = &record.place;
        let shown = names::shown(path);
        let name = tree::name(&shown);
        let is_left = names::is_aside(&place.name) && !names::is_aside(name);
        if !is_left || is_link || view.is_unresolved(path) || view.actual(record).as_ref() != Some(place) {
            continue;
        }
        let goes_into = view.wanted(path).map(|wanted| wanted.folder).zip(record.as_folder());
        if goes_into.is_some_and(|(to, folder)| view.input.remote.is_within(to, folder)) {
            // The item was moved aside for the folder that it goes into, which may still take its name.
            continue;
        }
        let is_taken = |name: &str| {
            let beside = view.folder_path(place.folder).map(|folder| tree::join(folder, name));
            let is_wanted = |beside: &String| {
                let others = [false, true].map(|is_folder| view.local_by_key(beside, is_folder));
                others.into_iter().flatten().any(|other| other != path)
            };
            view.is_taken(place.folder, name) || beside.as_ref().is_some_and(is_wanted)
        };
        let to = Place { folder: place.folder, name: names::numbered(name, is_taken) };
        plan.ops.push(Op::Place { path: path.clone(), to });
        return;
    }
}

/// The record at whose place a drive file of another record lies now: that of a pointer to the file's content, which is
/// no longer seen as a file.
fn overtaken<'a>(view: &View<'_>, other: &'a Record, file: &tree::FileRecord) -> Option<&'a tree::FileRecord> {
    let other = other.as_file()?;
    let is_copy = other.is_pointer && other.hash == file.hash && !file.is_pointer;
    let is_over = view.is_pointer(other.file) && view.remote_file(other.file).is_none();
    (is_copy && is_over).then_some(other)
}

/// Whether the record at a local path belongs to an item that was moved here to a place that the drive has given to
/// another.
fn wants_this_place(view: &View<'_>, path: &str, record: &Record, place: &Place) -> bool {
    let is_moved_here =
        || view.wanted(path).is_some_and(|wanted| wanted.is_same(place)) && !record.place.is_same(place);
    record.sides == Sides::Both && view.is_in_drive(record) && !view.is_unresolved(path) && is_moved_here()
}

/// Renames a path's local item to say that two items wanted its name.
fn rename_to_conflict_copy(view: &View<'_>, path: String, reserved: &mut Reserved) -> Step {
    let to = view.conflict_path(&path, &reserved.paths);
    reserved.paths.insert(to.clone());
    Step::Op(Op::MoveLocal { from: path, to, place: None, is_conflict: true })
}

/// The local move that follows one in the drive.
fn move_here(view: &View<'_>, path: &str, record: &Record, actual: &Place, reserved: &mut Reserved) -> Step {
    let put = |path: &str, record: Record| Change::Put(path.to_owned(), record);
    let Some(to) = view.path_at(actual.folder, &actual.name) else {
        return match view.input.remote.is_outside(actual.folder) {
            true => leave(view, path, record),
            // The folder it goes into is not here yet, or cannot be.
            false => Step::Note(Difference::MovedInDrive),
        };
    };
    if tree::is_below(&to, path) {
        // Turned inside out in the drive: the folder that it goes into leaves it first, if it can.
        let is_on_the_way = |above: &str| tree::is_below(above, path) && view.is_unresolved(above);
        return match tree::above(&to).any(is_on_the_way) {
            // That folder's own move is to be tried again.
            true => Step::Note(Difference::MovedInDrive),
            false => Step::After(accept(path, record, actual.clone())),
        };
    }
    if view.input.local.is_hidden(&to) {
        // The folder it goes into cannot be read, or a link stands in its place.
        return Step::Note(Difference::MovedInDrive);
    }
    if (view.input.ignores.0)(&to, record.as_folder().is_some()) {
        return Step::Note(Difference::Ignored);
    }
    let is_settled = |path: &str| view.local_file(path).is_none_or(|file| file.is_settled);
    if !is_settled(path) {
        return Step::Note(Difference::Settling);
    }
    let go = |to: String, place: Place, is_conflict| Op::MoveLocal {
        from: path.to_owned(),
        to,
        place: Some(place),
        is_conflict,
    };
    let Some(_) = view.input.local.items.get(&to) else {
        // What was deleted there goes first, and may have to stay in the drive for now.
        if view.record(&to).is_some_and(|record| record.sides != Sides::OnlyInDrive) {
            return Step::Note(Difference::NameTaken);
        }
        if !reserved.paths.insert(to.clone()) {
            return Step::Nothing;
        }
        return Step::Op(go(to, actual.clone(), false));
    };
    match (view.record(&to), record.as_file()) {
        (Some(other), Some(file)) if let Some(copy) = overtaken(view, other, file) => {
            let there = tree::FileRecord { file: file.file, is_pointer: false, ..copy.clone() };
            let there = Record { agreement: Agreement::File(there), place: actual.clone(), ..other.clone() };
            let left = match view.input.remote.pointers.is_gone(copy.file) {
                // Deleted on another computer while the copy at `to` was to stay: the drive file took the place of its
                // pointer, and the pointer says that this path is gone.
                true => {
                    let here = tree::FileRecord { file: copy.file, is_pointer: true, ..file.clone() };
                    put(path, Record { agreement: Agreement::File(here), ..record.clone() })
                }
                // Someone moved the file to the place of its copy: that path is its home now, and this one the copy.
                false => Change::Forget(path.to_owned()),
            };
            Step::Op(Op::Record(vec![put(&to, there), left]))
        }
        (Some(other), Some(file)) if other.as_file().is_some_and(|other| other.file == file.file) => {
            // The same content is there already: that path is the home now, and this one the link.
            let Some(there) = other.as_file() else { return Step::Nothing };
            let home = tree::FileRecord { role: Role::Home, ..there.clone() };
            let link = tree::FileRecord { role: Role::Link, ..file.clone() };
            let home = Record { agreement: Agreement::File(home), place: actual.clone(), ..other.clone() };
            let link = Record { agreement: Agreement::File(link), ..record.clone() };
            Step::Op(Op::Record(vec![put(&to, home), put(path, link)]))
        }
        (Some(other), _) if other.as_file().is_none_or(|file| file.role == Role::Home) => {
            // The item there will leave, or change places with this one.
            let aside = view.free_path(path, names::ASIDE, &reserved.paths);
            let place = Place { folder: record.place.folder, name: tree::name(&aside).to_owned() };
            let is_moving = view.is_in_drive(other) && view.actual(other).is_some_and(|actual| actual != other.place);
            match is_moving {
                true if is_circle(path, |path| wants_path_of(view, path)) => Step::After(go(aside, place, false)),
                // Each side gave the name to another item. The drive's keeps it, as where a stranger's item has it.
                false if wants_this_place(view, &to, other, actual) => rename_to_conflict_copy(view, to, reserved),
                _ => Step::Note(Difference::NameTaken),
            }
        }
        _ if is_settled(&to) && !view.is_unresolved(&to) => rename_to_conflict_copy(view, to, reserved),
        // The item at the new place could not be sent or moved, and stays there.
        _ if view.is_unresolved(&to) => Step::Note(Difference::Clash { with: to }),
        _ => Step::Note(Difference::Settling),
    }
}
