//! Copies whose pointers stand for nothing any more: they say so, and go when every computer has had time to hear of it.
//!
//! Always true: a pointer goes only after it has said for [`KEPT_DAYS`] that it stands for nothing. Not here: when one is made
//! (`contents`), and what one stands for (`pointers`).

use easel_wire::FileId;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::step::{Op, Plan};
use super::view::View;
use crate::sync::tree::{self, Agreement, FileRecord, Record, Replaced, Role};

/// So many days a pointer says that it stands for nothing before it goes.
const KEPT_DAYS: i32 = 30;

/// Lets the pointers say so that have got their next version. Before anything moves: the place would be theirs again.
pub fn retire_replaced(view: &View<'_>, plan: &mut Plan) {
    plan.ops.extend(retire(view, |pointer| view.input.remote.pointers.is_gone(pointer)));
}

/// Lets the pointers say so that stand for nothing any more, or for what another stands for, of those that `counts` lets pass.
pub fn retire(view: &View<'_>, counts: impl Fn(FileId) -> bool) -> Vec<Op> {
    let pointers = &view.input.remote.pointers;
    let over = pointers.spent().filter(|pointer| counts(*pointer)).filter_map(|pointer| {
        let seen = pointers.get(pointer)?;
        let path = tree::join(view.folder_path(seen.folder)?, &seen.pointer.file_name(pointer));
        (!view.is_unresolved(&path)).then_some(Op::Retire { path, pointer })
    });
    over.collect()
}

/// Lets the pointers go that have said for [`KEPT_DAYS`] that they stand for nothing: every computer has heard of it that was on
/// within that time, and one that was not sends its copy again.
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

/// The record of a path that goes back to its own pointer: it got another content meanwhile, and then this one again. A second
/// pointer would say the same as the first, and be of no use beside it.
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

/// Whether the drive file of a link was taken out of the watched part of the drive: the link is what is left of it here, and
/// no copy that a person made.
pub fn was_taken_out(view: &View<'_>, record: &Record) -> bool {
    let remote = view.input.remote;
    let is_outside = view.actual(record).is_none_or(|actual| remote.is_outside(actual.folder));
    is_outside && remote.is_within(record.place.folder, remote.root)
}
