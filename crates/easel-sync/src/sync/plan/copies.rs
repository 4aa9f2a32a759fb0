//! Pointers that stand for nothing any more: they are renamed to say so, and deleted when every computer has had time
//! to see that.
//!
//! Always true: a pointer is deleted only after it has said for [`KEPT_DAYS`] that it stands for nothing. Not here:
//! when a pointer is made (`contents`), and what a pointer stands for (`pointers`).

use std::collections::HashSet;

use easel_wire::FileId;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::step::{Op, Plan};
use super::view::View;
use crate::sync::tree::{self, Agreement, FileRecord, Record, Replaced, Role, Sides};

/// For so many days a pointer says that it stands for nothing before it is deleted.
const KEPT_DAYS: i32 = 30;

/// Retires the pointers of paths that have got their next version. Before any item moves: else a pointer would have its
/// place again, and be live.
pub fn retire_replaced(view: &View<'_>, plan: &mut Plan) {
    plan.ops.extend(retire(view, |pointer| view.input.remote.pointers.is_gone(pointer)));
}

/// Before a plan takes files to other places: retires the pointers that no path has at the places that they leave. Else
/// such a pointer would show its copy there, as a new file of someone else.
pub fn retire_under_moved(view: &View<'_>, plan: &mut Plan) {
    let moved = plan.ops.iter().filter(|op| matches!(op, Op::Place { .. }));
    let moved: HashSet<&str> = moved.map(Op::path).collect();
    let is_under_one = |pointer| {
        let seen = view.input.remote.pointers.get(pointer)?;
        let home = view.homes.get(&view.file_id_at(seen.folder, &seen.pointer.name)?)?;
        Some(moved.contains(home))
    };
    let is_free = |pointer| !view.homes.contains_key(&pointer);
    let retired = retire(view, |pointer| is_free(pointer) && is_under_one(pointer).unwrap_or(false));
    if !retired.is_empty() {
        plan.ops = retired;
    }
}

/// Before a plan takes files from their places, because their paths were moved, deleted or edited here: names each copy
/// that such a file pushes aside as its path is here. Else its pointer would show the copy at the place that becomes free,
/// and what a person has just put away would seem to come back with another content. What others take away is left to
/// them: their file may have been there only until the copy took its place.
pub fn name_pushed_aside(view: &View<'_>, plan: &mut Plan) {
    let leaves = |op: &Op| match op {
        Op::Place { path, to } => {
            let record = view.record(path)?;
            // Another spelling of its name leaves the place to nobody.
            record.as_file().filter(|_| !record.place.is_same(to)).map(|file| file.file)
        }
        Op::DeleteFile { file, .. } | Op::DeleteReplaced { file, .. } => Some(*file),
        _ => None,
    };
    let leaving: HashSet<FileId> = plan.ops.iter().filter_map(leaves).collect();
    if leaving.is_empty() {
        return;
    }
    let named = view.input.remote.pushed_aside().filter_map(|(pointer, seen)| {
        let path = *view.homes.get(&pointer)?;
        let record = view.record(path)?;
        // A copy whose own place this is has not been there long: the file is what it takes the place of.
        let is_new = view.input.remote.pointers.is_at(pointer, &record.place);
        let is_agreed = !is_new && record.sides == Sides::Both && view.seen_at(record).as_ref() == Some(&record.place);
        let is_under_one = leaving.contains(&view.file_id_at(seen.folder, &seen.pointer.name)?);
        let op = || Op::Place { path: path.to_owned(), to: record.place.clone() };
        (is_agreed && is_under_one && !view.is_unresolved(path)).then(op)
    });
    let named: Vec<Op> = named.collect();
    if !named.is_empty() {
        plan.ops = named;
    }
}

/// Retires the pointers that stand for nothing any more, or for the same as another pointer, of those that `counts`
/// lets pass.
pub fn retire(view: &View<'_>, counts: impl Fn(FileId) -> bool) -> Vec<Op> {
    let pointers = &view.input.remote.pointers;
    let over = pointers.spent().filter(|pointer| counts(*pointer)).filter_map(|pointer| {
        let seen = pointers.get(pointer)?;
        let path = tree::join(view.folder_path(seen.folder)?, &seen.pointer.file_name(pointer));
        (!view.is_unresolved(&path)).then_some(Op::Retire { path, pointer })
    });
    over.collect()
}

/// Deletes the pointers that have said for [`KEPT_DAYS`] that they stand for nothing. Every computer that was on within
/// that time has seen it; one that was not sends its copy again.
pub fn discard(view: &View<'_>) -> Vec<Op> {
    let Ok(today) = view.input.settings.today.parse::<Date>() else { return Vec::new() };
    let pointers = &view.input.remote.pointers;
    let over = pointers.gone_since(|date| {
        date.parse::<Date>().is_ok_and(|date| date.checked_add(KEPT_DAYS.days()).is_ok_and(|end| end < today))
    });
    let ops = over.filter_map(|(pointer, seen)| {
        let path = tree::join(view.folder_path(seen.folder)?, &seen.pointer.file_name(pointer));
        (!view.is_unresolved(&path)).then_some(Op::DiscardPointer { path, pointer })
    });
    ops.collect()
}

/// The record of a path that goes back to its own pointer: it got another content meanwhile, and then the pointer's
/// again. A second pointer would say the same as the first.
pub fn take_back(view: &View<'_>, record: &Record, file: &FileRecord) -> Option<Record> {
    let says_so = |old: &Replaced| {
        let seen = view.input.remote.pointers.get(old.file).map(|seen| &seen.pointer);
        old.is_pointer && seen.is_some_and(|seen| seen.state.is_live() && seen.hash == file.hash)
    };
    let own = file.replaces.iter().find(|old| says_so(old))?;
    let replaces = file.replaces.iter().filter(|old| old.file != own.file).cloned().collect();
    let agreement = FileRecord { file: own.file, role: Role::Home, is_pointer: true, replaces, ..file.clone() };
    Some(Record { agreement: Agreement::File(agreement), place: own.place.clone(), ..record.clone() })
}

/// Whether the drive file of a link was moved out of the drive folder: then the link is the rest of that file here, and
/// no copy that a person made.
pub fn was_taken_out(view: &View<'_>, record: &Record) -> bool {
    let remote = view.input.remote;
    let is_outside = view.actual(record).is_none_or(|actual| remote.is_outside(actual.folder));
    // The folder that the file was in may be gone by now.
    is_outside && !remote.is_outside(record.place.folder)
}
