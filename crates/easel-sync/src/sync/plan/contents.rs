//! Compares the contents of files: which are sent, fetched, replaced, found to be the same, or kept beside each other.
//!
//! Contents that are already the same on both sides are agreed on first, in a plan of its own, so that no file is sent
//! or fetched that is where it should be.

use easel_wire::FileId;

use super::agreeing::{gone_back, replaced_by};
use super::copies;
use super::deletions::Needs;
use super::difference::Difference;
use super::exchange::Exchange;
use super::input::DeletionRule;
use super::step::{Op, Plan};
use super::view::{Edit, Occupant, View};
use crate::shared::names;
use crate::shared::planted::Mutant;
use crate::sync::tree::{
    self, Agreement, Change, FileRecord, LocalFile, LocalItem, Place, Record, RemoteFile, Replaced, Role, Sides,
};

/// Plans to send and fetch files whose content differs.
pub fn exchange(view: &View<'_>, plan: &mut Plan) {
    let mut exchange = Exchange::default();
    for (path, record) in view.records() {
        let Some(file) = record.as_file() else { continue };
        if exchange.is_full() {
            break;
        }
        if exchange.changed.contains(path) {
            continue;
        }
        if let Some(failure) = view.failure(path) {
            exchange.note(path, Difference::Unresolved(failure));
            continue;
        }
        if recognize_pointer(view, &mut exchange, path, record, file)
            || review_replaced(view, &mut exchange, path, record, file)
            || adopt_duplicate_pointer(view, &mut exchange, path, record, file)
        {
            continue;
        }
        match view.local_file(path) {
            Some(local) => compare(view, &mut exchange, path, record, file, local),
            None if (view.input.ignores.0)(path, false) => exchange.note(path, Difference::Ignored),
            None if view.input.local.is_hidden(path) => {}
            None if view.is_just_gone(path) => exchange.note(path, Difference::Settling),
            None => plan_missing_file(view, &mut exchange, path, record, file),
        }
    }
    for (path, item) in view.items() {
        let LocalItem::File(local) = item else { continue };
        if exchange.is_full() {
            break;
        }
        if view.record(path).is_none() {
            match view.failure(path) {
                Some(failure) => exchange.note(path, Difference::Unresolved(failure)),
                None => send_new(view, &mut exchange, path, local),
            }
        }
    }
    for op in
        copies::retire(view, |pointer| !view.homes.contains_key(&pointer)).into_iter().chain(copies::discard(view))
    {
        exchange.add(op, 0);
    }
    if view.is_both_ways() && exchange.changes.is_empty() {
        for (id, _) in view.drive_files() {
            fetch_new(view, &mut exchange, id);
        }
    }
    plan.notes.extend(exchange.notes);
    if exchange.changes.is_empty() {
        (plan.ops, plan.left) = (exchange.ops, exchange.left);
    } else {
        plan.ops = exchange.changes.into_iter().map(Op::Record).collect();
    }
}

/// A pointer's file was fetched and, after a crash, agreed on from a list that lacked the pointer; so its record took
/// it for a file of its own.
fn recognize_pointer(view: &View<'_>, exchange: &mut Exchange, path: &str, record: &Record, file: &FileRecord) -> bool {
    let pointer = view.input.remote.pointers.get(file.file).map(|seen| &seen.pointer);
    let is_taken_for_a_file = !file.is_pointer && pointer.is_some_and(|pointer| pointer.hash == file.hash);
    if is_taken_for_a_file {
        let agreement = Agreement::File(FileRecord { is_pointer: true, ..file.clone() });
        exchange.put(path, Record { agreement, ..record.clone() });
    }
    is_taken_for_a_file
}

/// Reviews the drive files that a path's file has replaced: they may be gone by now, or another path may need them.
/// Returns whether a record changed.
fn review_replaced(view: &View<'_>, exchange: &mut Exchange, path: &str, record: &Record, file: &FileRecord) -> bool {
    let mut kept = file.replaces.clone();
    kept.retain(|old| {
        let is_at = |seen: &RemoteFile| seen.folder == Some(old.place.folder) && seen.name == old.place.name;
        // A pointer stands for nothing while another file has its place. If that file went, the pointer would be live
        // again, unless the pointer's own name says that it is over.
        let is_pointed = || old.is_pointer && view.input.remote.pointers.claims(old.file, &old.place);
        let is_there = is_pointed() || view.remote_file(old.file).is_some_and(is_at);
        // A content that someone gave the file since is theirs.
        let is_as_replaced = old.is_pointer || !view.has_other_content(old.file, old.hash);
        is_there && is_as_replaced && !view.homes.contains_key(&old.file)
    });
    let before = exchange.changes.len();
    for old in &kept {
        promote_link(view, exchange, old.file, &old.place);
    }
    if kept.len() < file.replaces.len() {
        let agreement = Agreement::File(FileRecord { replaces: kept, ..file.clone() });
        exchange.put(path, Record { agreement, ..record.clone() });
    } else if !view.is_in_drive(record)
        && let Some(old) = kept.pop()
    {
        // The next version was deleted before the old one: the path goes back to the old one.
        go_back(exchange, path, record, file, old, kept);
    }
    exchange.changes.len() > before
}

/// Two computers may make a pointer for one path at the same time. Where one of the two is spent, the other becomes
/// this path's.
fn adopt_duplicate_pointer(
    view: &View<'_>,
    exchange: &mut Exchange,
    path: &str,
    record: &Record,
    file: &FileRecord,
) -> bool {
    if !file.is_pointer || view.is_in_drive(record) {
        return false;
    }
    let Occupant::Foreign(twin) = view.file_at(&record.place) else { return false };
    let Some(seen) = view.remote_file(twin).filter(|seen| seen.hash == Some(file.hash)) else { return false };
    if !exchange.homes.insert(twin) {
        return false;
    }
    let place = Place { folder: record.place.folder, name: seen.name.clone() };
    let agreement = FileRecord { file: twin, is_pointer: view.is_pointer(twin), ..file.clone() };
    exchange.put(path, Record { agreement: Agreement::File(agreement), place, ..record.clone() });
    true
}

/// Gives a path's record a drive file back that its content had replaced, so that the file is not taken for a new one.
fn go_back(
    exchange: &mut Exchange,
    path: &str,
    record: &Record,
    file: &FileRecord,
    old: Replaced,
    replaces: Vec<Replaced>,
) {
    if !exchange.homes.insert(old.file) {
        // Another path has just become the file's home.
        exchange.changed.insert(path.to_owned());
        return exchange.changes.push(vec![Change::Forget(path.to_owned())]);
    }
    let agreement = Agreement::File(gone_back(file.stamp, &old, replaces));
    exchange.put(path, Record { agreement, place: old.place, ..record.clone() });
}

/// Drops a path's record, or reduces it to the replaced drive files that are still there.
fn forget(exchange: &mut Exchange, path: &str, record: &Record, file: &FileRecord) {
    let mut replaces = file.replaces.clone();
    match replaces.pop() {
        Some(old) => go_back(exchange, path, record, file, old, replaces),
        None => {
            exchange.changed.insert(path.to_owned());
            exchange.changes.push(vec![Change::Forget(path.to_owned())]);
        }
    }
}

/// Makes a path with the same content the home of a drive file that its own path no longer needs. The file's place is
/// changed by a later plan.
fn promote_link(view: &View<'_>, exchange: &mut Exchange, file: FileId, place: &Place) -> bool {
    if view.is_planted(Mutant::ForgetsLinks) || exchange.homes.contains(&file) {
        return false;
    }
    let Some(links) = view.links.get(&file) else { return false };
    for path in links {
        let Some((record, link)) = view.file_record(path) else { continue };
        let Some(local) = view.local_file(path) else { continue };
        let is_changed = exchange.changed.contains(*path);
        // A file that is still being written may turn out to have another content.
        if is_changed || view.edit(link, local) != Edit::None || record.sides != Sides::Both {
            continue;
        }
        let agreement = Agreement::File(FileRecord { role: Role::Home, ..link.clone() });
        exchange.put(path, Record { agreement, place: place.clone(), ..record.clone() });
        exchange.homes.insert(file);
        return true;
    }
    false
}

/// Compares an agreed path whose local file is there.
fn compare(
    view: &View<'_>,
    exchange: &mut Exchange,
    path: &str,
    record: &Record,
    file: &FileRecord,
    local: &LocalFile,
) {
    let edit = view.edit(file, local);
    let is_home = file.role == Role::Home;
    match edit {
        Edit::Unknown => return exchange.note(path, Difference::Settling),
        // Agreed on also where only the change time differs, or was not known, so that a later change of it is noticed.
        Edit::None
            if local.stamp != file.stamp
                || (local.changed_us.is_some() && local.changed_us != file.changed_us)
                || record.sides == Sides::OnlyInDrive =>
        {
            if !local.is_settled {
                return exchange.note(path, Difference::Settling);
            }
            let sides = match record.sides {
                Sides::OnlyInDrive => Sides::Both,
                sides => sides,
            };
            let LocalFile { stamp, changed_us, .. } = *local;
            let agreement = Agreement::File(FileRecord { stamp, changed_us, ..file.clone() });
            return exchange.put(path, Record { agreement, sides, ..record.clone() });
        }
        _ => {}
    }
    let is_edited = edit == Edit::Edited;
    if view.is_overtaken(file) {
        return follow_content(view, exchange, path, (record, file), local, is_edited);
    }
    if is_edited && record.sides == Sides::OnlyInDrive && view.is_in_drive(record) {
        if local.stamp.identity == file.stamp.identity {
            // The same drive file is back, or was never gone: its deletion was a mistake of the picture.
            return exchange.put(path, Record { sides: Sides::Both, ..record.clone() });
        }
        // Another file is here now; it does not replace the one that the drive keeps.
        return exchange.keep_apart(path, file.file);
    }
    if is_edited && !is_home {
        // The path has no drive file of its own: the local file is a new one.
        return forget(exchange, path, record, file);
    }
    if view.is_pointer_lost(record, file) {
        return forget(exchange, path, record, file);
    }
    if !is_edited && !view.is_in_drive(record) && !view.is_told_gone(record, file) {
        // The same content is at its place, as another path's file.
        return exchange.note(path, Difference::NameTaken);
    }
    if !view.is_in_drive(record) {
        return match (record.sides, is_edited) {
            // Someone deleted the home of this content; this path still has the content.
            _ if is_edited && view.is_planted(Mutant::TrashesUnseen) => {}
            _ if !is_home || is_edited => forget(exchange, path, record, file),
            (Sides::OnlyHere, _) if !view.is_both_ways() => exchange.note(path, Difference::OnlyHere),
            (Sides::OnlyHere, _) => forget(exchange, path, record, file),
            _ if view.is_both_ways() => {}
            _ => exchange.put(path, Record { sides: Sides::OnlyHere, ..record.clone() }),
        };
    }
    if !is_edited {
        return compare_untouched(view, exchange, path, (record, file), local);
    }
    if let Some(there) = find_content(view, path, local) {
        return adopt(view, exchange, path, Some((record, file)), local, there);
    }
    if view.is_planted(Mutant::DeletesBeforeUpload) && is_home {
        return exchange.add(Op::DeleteFile { path: path.to_owned(), file: file.file }, 0);
    }
    if view.wanted(path).is_some() {
        let replacing = view.replaced_in_place(record, file);
        if replacing.is_some() && view.is_partial() {
            // A folder that was not compared yet may hold a copy of the content that would be replaced.
            return exchange.note(path, Difference::Settling);
        }
        // A drive file stays if some local file may have its content.
        let is_needed = || exchange.needs.get_or_init(|| Needs::new(view)).hold(view, file.file, file.hash, 0);
        let replacing = replacing.filter(|_| !is_needed());
        exchange.send_to(view, path, local, replacing);
    }
}

/// Compares an agreed path that has not changed here, and whose drive file is there.
fn compare_untouched(
    view: &View<'_>,
    exchange: &mut Exchange,
    path: &str,
    (record, file): (&Record, &FileRecord),
    local: &LocalFile,
) {
    let is_home = file.role == Role::Home;
    if record.sides == Sides::OnlyHere {
        return exchange.put(path, Record { sides: Sides::Both, ..record.clone() });
    }
    if let Some(to) = view.pushed_aside(record, file) {
        // Someone else's file came to the place at which the pointer was made: the pointer takes the name that it is
        // seen under.
        let may_leave = matches!(view.file_at(&record.place), Occupant::Leaving);
        return match view.is_both_ways() && !may_leave {
            true => exchange.add(Op::Place { path: path.to_owned(), to }, 0),
            false => exchange.note(path, Difference::NameTaken),
        };
    }
    if view.input.remote.pointers.is_dangling(file.file) && is_home && view.wanted(path).is_some() {
        // Nobody has this path's content but this computer, and those that have fetched it.
        let local = LocalFile { hash: Some(file.hash), ..*local };
        return exchange.send(view, path, &local);
    }
    if is_home {
        return;
    }
    if view.can_point(path, file.file) && !copies::was_taken_out(view, record) {
        return match copies::take_back(view, record, file) {
            Some(record) => exchange.put(path, record),
            None => exchange.point(view, path, file.hash),
        };
    }
    exchange.note(path, Difference::Link);
    let actual = view.actual(record);
    if actual.is_some() && actual == view.wanted(path) && !view.homes.contains_key(&file.file) {
        promote_link(view, exchange, file.file, &actual.unwrap_or_else(|| record.place.clone()));
    }
}

/// Someone gave a path's drive file other content: that is fetched, and an edit that was made here meanwhile is kept
/// beside it.
fn follow_content(
    view: &View<'_>,
    exchange: &mut Exchange,
    path: &str,
    (record, file): (&Record, &FileRecord),
    local: &LocalFile,
    is_edited: bool,
) {
    let there = if is_edited { find_content(view, path, local) } else { None };
    match there {
        Some(there) => adopt(view, exchange, path, Some((record, file)), local, there),
        None if is_edited => forget(exchange, path, record, file),
        // A file that was taken out of the drive folder is not wanted in it any more, whatever became of it since.
        None if file.role == Role::Link
            && copies::was_taken_out(view, record)
            && view.wanted(path).as_ref() == Some(&record.place) =>
        {
            exchange.note(path, Difference::MovedInDrive);
        }
        // The path has no drive file of its own: the local file is a new one.
        None if file.role == Role::Link => forget(exchange, path, record, file),
        None if !view.is_both_ways() => exchange.note(path, Difference::NewerInDrive),
        None => {
            let bytes = view.remote_file(file.file).map_or(0, |seen| seen.size_bytes);
            let (path, replacing) = (path.to_owned(), Some(local.stamp));
            exchange.add(Op::Download { path, file: file.file, replacing }, bytes);
        }
    }
}

/// A drive file with the content of a local one. The path's own is preferred, and then one without a home that lies at
/// the path's very place.
fn find_content(view: &View<'_>, path: &str, local: &LocalFile) -> Option<FileId> {
    if view.is_planted(Mutant::SendsKnownContent) {
        return None;
    }
    let hash = local.hash?;
    let has_it = |file: &FileId| view.remote_file(*file).and_then(|seen| seen.hash) == Some(hash);
    let own = view.file_record(path).filter(|(_, file)| file.role == Role::Home).map(|(_, file)| file.file);
    let at_its_place = || match view.file_at(&view.wanted(path)?) {
        Occupant::Foreign(file) => Some(file),
        _ => None,
    };
    own.filter(has_it).or_else(|| at_its_place().filter(has_it)).or_else(|| view.file_with(&hash))
}

/// Agrees that a drive file has the content of a local path: as the path's home where it lies at the path's own place,
/// elsewhere as a link.
fn adopt(
    view: &View<'_>,
    exchange: &mut Exchange,
    path: &str,
    old: Option<(&Record, &FileRecord)>,
    local: &LocalFile,
    there: FileId,
) {
    let (Some(seen), Some(hash), Some(wanted)) = (view.remote_file(there), local.hash, view.wanted(path)) else {
        return;
    };
    let is_at_its_place = seen.folder == Some(wanted.folder) && names::key(&seen.name) == names::key(&wanted.name);
    // A file that was kept in the drive alone and is here again belongs to its own path, as before.
    let kept = view.homes.get(&there).copied().filter(|home| is_at_its_place && names::is_kept(home));
    let is_free = kept.is_some() || view.homes.get(&there).is_none_or(|home| *home == path);
    // Both sides gave the path's own file the same content; its name in the drive may differ where someone else's file
    // has the path's name.
    let is_own = old.is_some_and(|(_, file)| file.file == there && file.role == Role::Home);
    // A replaced file that is wanted again belongs to this path alone: it is no new file of the drive.
    let is_its = is_at_its_place || is_own || view.is_replaced_alone(there);
    let is_home = is_free && is_its && exchange.homes.insert(there);
    if !is_home && view.can_point(path, there) {
        return exchange.point(view, path, hash);
    }
    let place = Place { folder: seen.folder.unwrap_or(wanted.folder), name: seen.name.clone() };
    let record = Record {
        agreement: Agreement::File(FileRecord {
            file: there,
            role: if is_home { Role::Home } else { Role::Link },
            stamp: local.stamp,
            changed_us: local.changed_us,
            hash,
            replaces: old.map(|(record, file)| replaced_by(record, file, there)).unwrap_or_default(),
            is_pointer: view.is_pointer(there),
        }),
        place,
        sides: Sides::Both,
    };
    match kept.filter(|_| is_home) {
        Some(kept) => {
            exchange.changed.extend([kept.to_owned(), path.to_owned()]);
            let put = Change::Put(path.to_owned(), record);
            exchange.changes.push(vec![Change::Forget(kept.to_owned()), put]);
        }
        None => exchange.put(path, record),
    }
}

/// Deals with an agreed path that is not here any more, and was not moved.
fn plan_missing_file(view: &View<'_>, exchange: &mut Exchange, path: &str, record: &Record, file: &FileRecord) {
    let actual = view.actual(record);
    let is_moved = view.is_moved_there(record);
    let keeps = view.input.settings.deletions == DeletionRule::Keep;
    let is_over = file.role == Role::Link || record.sides == Sides::OnlyHere || !view.is_in_drive(record);
    // A file that someone changed in the drive after it was deleted here is wanted.
    if is_over || view.is_overtaken(file) {
        forget(exchange, path, record, file);
    } else if is_moved && view.is_both_ways() {
        // Moved in the drive and deleted here: the file comes back at its new path.
        forget(exchange, path, record, file);
    } else if promote_link(view, exchange, file.file, actual.as_ref().unwrap_or(&record.place)) {
        // Both changes or neither: a drive file has one home.
        let promoted = exchange.changes.pop().unwrap_or_default();
        forget(exchange, path, record, file);
        if let Some(forgotten) = exchange.changes.last_mut() {
            forgotten.extend(promoted);
        }
    } else if record.sides == Sides::OnlyInDrive {
        if matches!(view.input.local.items.get(path), Some(LocalItem::Folder(_))) {
            exchange.keep_apart(path, file.file);
        } else if names::is_kept(path) {
            let at = view.seen_at(record).and_then(|place| view.path_at(place.folder, &place.name));
            exchange.note(at.as_deref().unwrap_or(path), Difference::OnlyInDrive);
        } else {
            exchange.note(path, Difference::OnlyInDrive);
        }
    } else if keeps && !view.is_planted(Mutant::PullsBack) {
        exchange.put(path, Record { sides: Sides::OnlyInDrive, ..record.clone() });
    } else if keeps {
        forget(exchange, path, record, file);
    }
}

/// Plans for a local file without a record.
fn send_new(view: &View<'_>, exchange: &mut Exchange, path: &str, local: &LocalFile) {
    if !local.is_settled {
        return exchange.note(path, Difference::Settling);
    }
    if !names::fits_the_drive(tree::name(path)) {
        return exchange.note(path, Difference::NameNotAllowed);
    }
    if let Some(with) = view.clash(path, false) {
        // A replaced drive file with this content, whose new local name the drive cannot hold, was moved, not removed.
        let moved = find_content(view, path, local).filter(|file| view.is_replaced_alone(*file));
        return match moved {
            Some(file) if view.wanted(path).is_some() => adopt(view, exchange, path, None, local, file),
            _ => exchange.note(path, Difference::Clash { with: with.to_owned() }),
        };
    }
    let Some(wanted) = view.wanted(path) else {
        // The folder above cannot be in the drive, which is noted there.
        return exchange.note(path, Difference::FolderMissing);
    };
    let occupant = view.file_at(&wanted);
    let there = find_content(view, path, local);
    match occupant {
        Occupant::Foreign(file) if there == Some(file) => {
            return adopt(view, exchange, path, None, local, file);
        }
        // The name belongs to another path's file, which is kept in the drive or cannot leave: so this one gets a
        // number.
        Occupant::Ours(file) if !view.was_moved_there(file) => {}
        Occupant::Foreign(file) | Occupant::Ours(file) if view.is_both_ways() => {
            let is_same_name = view.remote_file(file).is_some_and(|seen| seen.name == wanted.name);
            if !is_same_name && matches!(occupant, Occupant::Foreign(_)) {
                let seen = view.remote_file(file).map(|seen| seen.name.clone()).unwrap_or_default();
                return exchange.note(path, Difference::Clash { with: tree::join(tree::parent(path), &seen) });
            }
            return match there {
                Some(there) if matches!(occupant, Occupant::Ours(_)) => adopt(view, exchange, path, None, local, there),
                _ if view.is_planted(Mutant::Overwrites) => {}
                _ => exchange.rename_to_conflict_copy(view, path),
            };
        }
        Occupant::Leaving if there.is_none() => return,
        _ => {}
    }
    match there {
        Some(there) => adopt(view, exchange, path, None, local, there),
        None => exchange.send(view, path, local),
    }
}

/// Sends files that waited for their name although nothing is left that would free it: the drive gives them a number.
pub fn send_waiting(view: &View<'_>, plan: &mut Plan) {
    let mut exchange = Exchange::default();
    for (path, item) in view.items() {
        let LocalItem::File(local) = item else { continue };
        let is_new = view.record(path).is_none() && local.is_settled && !view.is_unresolved(path);
        if !is_new || !names::fits_the_drive(tree::name(path)) || view.clash(path, false).is_some() {
            continue;
        }
        let Some(wanted) = view.wanted(path) else { continue };
        if view.file_at(&wanted) == Occupant::Leaving && find_content(view, path, local).is_none() {
            exchange.send(view, path, local);
        }
    }
    plan.notes.extend(exchange.notes);
    (plan.ops, plan.left) = (exchange.ops, exchange.left);
}

/// Plans for a drive file that is no path's home.
fn fetch_new(view: &View<'_>, exchange: &mut Exchange, id: FileId) {
    if view.homes.contains_key(&id) || view.doomed.contains(&id) || view.input.remote.claimed.contains(&id) {
        return;
    }
    let Some(seen) = view.remote_file(id) else { return };
    let Some(above) = seen.folder.and_then(|folder| view.folder_path(folder)) else { return };
    let path = tree::join(above, &seen.name);
    if view.input.remote.pointers.is_dangling(id) {
        return exchange.note(&path, Difference::ContentMissing);
    }
    if !names::fits_here(&seen.name) {
        return exchange.note(&path, Difference::NameNotAllowed);
    }
    if let Some(failure) = view.failure(&path) {
        return exchange.note(&path, Difference::Unresolved(failure));
    }
    if (view.input.ignores.0)(&path, false) {
        return exchange.note(&path, Difference::Ignored);
    }
    if view.input.local.skipped.contains_key(&path) {
        return exchange.note(&path, Difference::Clash { with: path.clone() });
    }
    if view.input.local.is_hidden(&path) {
        // The folder above cannot be read; that is noted there.
        return;
    }
    let download = |replacing| Op::Download { path: path.clone(), file: id, replacing };
    match (view.input.local.items.get(&path), view.record(&path)) {
        (Some(LocalItem::Folder(_)), _) => exchange.note(&path, Difference::Clash { with: path.clone() }),
        (None, Some(record)) if record.as_folder().is_some() => exchange.note(&path, Difference::OnlyInDrive),
        (None, Some(_)) => {}
        (None, None) if exchange.reserved.insert(path.clone()) => exchange.add(download(None), seen.size_bytes),
        (None, None) => {}
        // A new local file makes way by itself, or is found to be the same.
        (Some(LocalItem::File(local)), None) => {
            if view.is_planted(Mutant::Overwrites) {
                exchange.add(download(Some(local.stamp)), seen.size_bytes);
            }
        }
        (Some(LocalItem::File(local)), Some(record)) => {
            let Some(file) = record.as_file() else { return };
            let edit = view.edit(file, local);
            let is_gone = !view.is_in_drive(record);
            match (edit, file.role) {
                (Edit::Unknown, _) => {}
                _ if file.file == id => {}
                (Edit::None, Role::Home) if is_gone => exchange.add(download(Some(file.stamp)), seen.size_bytes),
                (_, Role::Link) => exchange.rename_to_conflict_copy(view, &path),
                // Edited here and replaced in the drive: `compare` drops the record, and then the file is a new one.
                _ => {}
            }
        }
    }
}
