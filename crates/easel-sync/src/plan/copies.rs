//! Copies: paths whose content the drive holds at another place, told of in the list of copies (`crate::copies`).
//!
//! A copy is compared as a file is: what the list says of its place, what is here, and what was last agreed. A drive file
//! at the place goes before what the list says. Always true: what the list does not say deletes nothing; a copy whose word
//! and whose content here have both changed gives way, so that both are kept. Where there is no list, nothing is said and
//! a link stays on this computer alone.

use std::collections::HashSet;

use easel_wire::FileId;

use super::contents::Exchange;
use super::view::{Edit, View};
use super::{DeletionRule, Difference, Mutant, Op, Said, names};
use crate::copies::{Copies, Held, Says, Word};
use crate::tree::{
    Agreement, Change, ContentHash, FileRecord, LocalFile, LocalItem, Place, Record, Role, Shared, Standing,
};

/// How a copy that is as it was agreed stands to its word.
enum Told {
    /// It is what is agreed.
    Same,
    /// It says what is here.
    Agree(Shared),
    /// It is to say what is here.
    Say(Said),
    /// Another content came there.
    Edited(Shared),
    /// Another content came there, and here too.
    Conflict,
    /// It went there.
    Gone,
    /// A file of its own is about to come there.
    Replaced,
    /// No word can be said of it, or a drive file stands there.
    Nowhere,
}

fn is_same(a: &Place, b: &Place) -> bool {
    a.folder == b.folder && names::key(&a.name) == names::key(&b.name)
}

/// Whether a drive file is at a place that goes before what the list says of it. One that was replaced here and is to go
/// does not.
fn has_file(view: &View<'_>, place: &Place) -> bool {
    let file = view.files_at.get(&(place.folder, names::key(&place.name)));
    file.is_some_and(|file| view.homes.contains_key(file) || !view.doomed.contains(file))
}

fn copies<'a>(view: &View<'a>) -> Option<&'a Copies> {
    view.input.remote.copies.as_ref()
}

/// What the list says of a place where it holds what can be fetched.
fn held_at(view: &View<'_>, place: &Place) -> Option<(Held, FileId)> {
    let held = copies(view)?.word(place)?.says.held()?;
    let source = view.by_hash.get(&held.hash).copied().filter(|file| view.remote_file(*file).is_some())?;
    (!has_file(view, place)).then_some((held, source))
}

/// Whether what is agreed about a path is the last word on it, as far as the list still says anything.
fn is_last(word: Option<&Word>, shared: &Shared) -> bool {
    word.is_none_or(|word| {
        word.at < shared.at || (word.at == shared.at && word.says.held().is_some_and(|held| held.hash == shared.hash))
    })
}

/// Whether this computer said last that a file of its own comes to a place.
fn is_announced(word: Option<&Word>, shared: &Shared) -> bool {
    word.is_some_and(|word| word.says == Says::Replaced && word.at == shared.at)
}

/// What the list is agreed to say of a place, or said before its path moved away, with the path.
fn said_of<'v, 'a>(view: &'v View<'a>, place: &Place) -> &'v [(&'a str, &'a Shared)] {
    view.sharers.get(&(place.folder, names::key(&place.name))).map(Vec::as_slice).unwrap_or_default()
}

/// Whether another path of this computer than `path` is told of at a place, where its name is the same to the drive.
fn is_shared(view: &View<'_>, path: &str, place: &Place) -> bool {
    let is_told = |other: &str| {
        let shared = view.file_record(other).and_then(|(_, file)| file.shared.as_deref());
        shared.is_some_and(|shared| is_same(&shared.place, place))
    };
    said_of(view, place).iter().any(|(other, _)| *other != path && is_told(other))
}

/// Whether the last word on a place was said of a path of this computer that is not `path`.
fn is_own(view: &View<'_>, path: Option<&str>, place: &Place) -> bool {
    let word = copies(view).and_then(|copies| copies.word(place));
    said_of(view, place).iter().any(|(other, shared)| Some(*other) != path && is_last(word, shared))
}

/// The number of the next word on a place.
fn next_at(word: Option<&Word>, shared: Option<&Shared>) -> u64 {
    word.map_or(0, |word| word.at).max(shared.map_or(0, |shared| shared.at)) + 1
}

fn tell(view: &View<'_>, path: &str, file: &FileRecord) -> Told {
    let Some((copies, wanted)) = copies(view).zip(view.wanted(path)) else { return Told::Nowhere };
    if !names::fits_the_drive(&wanted.name) || view.clash(path, false).is_some() || has_file(view, &wanted) {
        return Told::Nowhere;
    }
    let word = copies.word(&wanted);
    let shared = file.shared.as_deref().filter(|shared| is_same(&shared.place, &wanted));
    let says = Says::Holds(Held { hash: file.hash, size_bytes: file.stamp.size_bytes });
    let say = |at| Told::Say(Said { place: wanted.clone(), at, says });
    let Some(word) = word else {
        if shared.is_some() && view.is_planted(Mutant::BelievesMissingWords) {
            return Told::Gone;
        }
        let as_known = shared.filter(|shared| shared.hash == file.hash).map(|shared| shared.at);
        return say(as_known.unwrap_or_else(|| next_at(None, shared)));
    };
    let is_known = |shared: &Shared| word.at == shared.at && word.says.held().is_some_and(|held| held.hash == shared.hash);
    let agreed = |hash| Shared { place: wanted.clone(), at: word.at, hash, left: None };
    let was_file = file.replaces.iter().any(|old| is_same(&old.place, &wanted));
    let next = || say(next_at(Some(word), shared));
    match (word.says, shared) {
        (Says::Holds(held), Some(shared)) if held.hash == file.hash && is_known(shared) => Told::Same,
        (Says::Holds(held), _) if held.hash == file.hash => Told::Agree(agreed(held.hash)),
        (_, Some(shared)) if word.at < shared.at && shared.hash == file.hash => say(shared.at),
        (_, Some(shared)) if word.at < shared.at || is_known(shared) => next(),
        (Says::Gone, Some(shared)) if word.at > shared.at && shared.hash == file.hash => Told::Gone,
        (Says::Replaced, Some(shared)) if word.at > shared.at && shared.hash == file.hash => Told::Replaced,
        (Says::Gone | Says::Replaced, _) => next(),
        (Says::Holds(held), Some(shared)) if word.at > shared.at && shared.hash == file.hash => {
            Told::Edited(agreed(held.hash))
        }
        // A file was there, or another path, and this is what came of it here.
        (Says::Holds(_), _) if was_file || is_own(view, Some(path), &wanted) => next(),
        (Says::Holds(_), _) => Told::Conflict,
    }
}

/// Whether the list says that a copy, which is here as it was, is gone.
pub fn is_gone(view: &View<'_>, path: &str, file: &FileRecord) -> bool {
    file.role == Role::Link && matches!(tell(view, path, file), Told::Gone)
}

fn with_shared(record: &Record, file: &FileRecord, shared: Option<Shared>) -> Record {
    let agreement = Agreement::File(FileRecord { shared: shared.map(Box::new), ..file.clone() });
    Record { agreement, ..record.clone() }
}

/// The word that a place which a path left is empty, where the list still says what the path said.
fn gone(view: &View<'_>, path: &str, left: &Shared) -> Option<Said> {
    let word = copies(view)?.word(&left.place);
    let is_said = word.is_some_and(|word| word.says.held().is_some()) && is_last(word, left);
    let gone = Said { place: left.place.clone(), at: next_at(word, Some(left)), says: Says::Gone };
    (is_said && !is_shared(view, path, &left.place)).then_some(gone)
}

/// The word that a place which has a drive file holds no copy.
fn clear(view: &View<'_>, path: &str, place: &Place) -> Option<Said> {
    let word = copies(view)?.word(place).filter(|word| word.says.held().is_some())?;
    let said = Said { place: place.clone(), at: word.at + 1, says: Says::Gone };
    // The path beside it is told of there.
    (!is_shared(view, path, place)).then_some(said)
}

/// What the list no longer has to say of a place that the path has left, or that a drive file of its own has taken.
fn leave(view: &View<'_>, path: &str, record: &Record, file: &FileRecord) -> Option<Vec<Said>> {
    let shared = file.shared.as_deref()?;
    let wanted = view.wanted(path)?;
    let has_moved = !is_same(&shared.place, &wanted);
    let is_settled = match file.role {
        Role::Link => has_moved,
        Role::Home => view.actual(record).is_some_and(|actual| is_same(&actual, &wanted)),
    };
    if !is_settled {
        return None;
    }
    let gone = if has_moved { gone(view, path, shared) } else { clear(view, path, &shared.place) };
    Some(gone.into_iter().collect())
}

/// What has to be said of the place that a path has left. Whether that was all there is to say for now.
fn follow_move(
    view: &View<'_>,
    exchange: &mut Exchange,
    path: &str,
    (record, file): (&Record, &FileRecord),
    local: &LocalFile,
) -> bool {
    let is_unedited_link = file.role == Role::Link && view.edit(file, local) == Edit::None;
    if let Some((shared, left)) = file.shared.as_deref().and_then(|shared| Some((shared, shared.left.as_deref()?))) {
        let mut words: Vec<Said> = gone(view, path, left).into_iter().collect();
        // One list says both.
        if let Told::Say(said) = tell(view, path, file)
            && is_unedited_link
            && said.at == shared.at
        {
            words.push(said);
        }
        let shared = Shared { left: None, ..shared.clone() };
        exchange.share(path, words, vec![Change::Put(path.to_owned(), with_shared(record, file, Some(shared)))]);
        return true;
    }
    if let Some(words) = leave(view, path, record, file) {
        let Agreement::File(alone) = with_shared(record, file, None).agreement else { return false };
        match tell(view, path, &alone) {
            // Agreed on before it is said: where the answer is lost, what was said is known to be this computer's.
            Told::Say(Said { place, at, .. }) if is_unedited_link => {
                let left = Some(file.shared.clone()).filter(|_| !words.is_empty()).flatten();
                let shared = Shared { place, at, hash: file.hash, left };
                exchange.put(path, with_shared(record, file, Some(shared)));
            }
            _ => exchange.share(path, words, vec![Change::Put(path.to_owned(), with_shared(record, file, None))]),
        }
        return true;
    }
    false
}

/// A link that is agreed on and is here. Whether that was all there is to say of it.
pub fn compare(
    view: &View<'_>,
    exchange: &mut Exchange,
    path: &str,
    record: &Record,
    file: &FileRecord,
    local: &LocalFile,
) -> bool {
    if copies(view).is_none() || !local.is_settled {
        return false;
    }
    if follow_move(view, exchange, path, (record, file), local) {
        return true;
    }
    if file.role == Role::Home || record.standing == Standing::OnlyInDrive {
        return false;
    }
    if view.edit(file, local) == Edit::Edited {
        return edited(view, exchange, path, record, file);
    }
    if !view.is_in_drive(record) {
        return false;
    }
    match tell(view, path, file) {
        Told::Same if record.standing != Standing::Both => {
            exchange.put(path, Record { standing: Standing::Both, ..record.clone() });
        }
        Told::Same => exchange.note(path, Difference::Copy),
        Told::Agree(shared) => exchange.put(path, with_shared(record, file, Some(shared))),
        Told::Say(said) => {
            let shared = Shared { place: said.place.clone(), at: said.at, hash: file.hash, left: None };
            exchange.share(
                path,
                vec![said],
                vec![Change::Put(path.to_owned(), with_shared(record, file, Some(shared)))],
            );
        }
        Told::Edited(shared) if view.is_both_ways() => match view.by_hash.get(&shared.hash) {
            Some(source) if view.remote_file(*source).is_some() => exchange.ops.push(Op::Download {
                path: path.to_owned(),
                file: *source,
                replacing: Some(local.stamp),
                copy: Some(Box::new(shared)),
            }),
            _ => exchange.note(path, Difference::Link),
        },
        Told::Conflict if view.is_both_ways() => exchange.make_way(view, path),
        Told::Gone if view.is_both_ways() => {}
        Told::Gone if record.standing == Standing::Both => {
            exchange.put(path, Record { standing: Standing::OnlyHere, ..record.clone() });
        }
        Told::Gone => exchange.note(path, Difference::OnlyHere),
        Told::Edited(_) | Told::Conflict | Told::Replaced => exchange.note(path, Difference::Link),
        Told::Nowhere => return false,
    }
    true
}

/// A copy that was edited here. It goes up as the next version of its path, which the others are told of before.
fn edited(view: &View<'_>, exchange: &mut Exchange, path: &str, record: &Record, file: &FileRecord) -> bool {
    let Some((shared, copies)) = file.shared.as_deref().zip(copies(view)) else { return false };
    let word = copies.word(&shared.place);
    if has_file(view, &shared.place) || is_announced(word, shared) {
        // Sent by whoever compares it, as what it is.
        return false;
    }
    if is_last(word, shared) {
        let says = Said { place: shared.place.clone(), at: next_at(word, Some(shared)), says: Says::Replaced };
        let announced = Shared { at: says.at, ..shared.clone() };
        let change = Change::Put(path.to_owned(), with_shared(record, file, Some(announced)));
        exchange.share(path, vec![says], vec![change]);
        return true;
    }
    let is_other = word.is_some_and(|word| word.says.held().is_some()) && view.is_both_ways();
    if is_other {
        exchange.make_way(view, path);
    }
    is_other
}

/// Whether an edited copy is the next version of its path, and nothing new.
pub fn is_next_version(view: &View<'_>, file: &FileRecord) -> bool {
    let Some((shared, copies)) = file.shared.as_deref().zip(copies(view)) else { return false };
    !has_file(view, &shared.place) && is_announced(copies.word(&shared.place), shared)
}

/// Whether a drive file at the place of a copy is its next version, as the list says.
pub fn is_replaced(view: &View<'_>, file: &FileRecord) -> bool {
    let Some((shared, copies)) = file.shared.as_deref().zip(copies(view)) else { return false };
    copies.word(&shared.place).is_some_and(|word| word.says.held().is_none() && word.at > shared.at)
}

/// Whether the list says that something else than a new local file is at its path.
pub fn is_other(view: &View<'_>, path: &str, local: &LocalFile) -> bool {
    let Some(wanted) = view.wanted(path) else { return false };
    let is_other = held_at(view, &wanted).is_some_and(|(held, _)| local.hash != Some(held.hash));
    // What moved away from there, or is deleted here, is still to be told.
    is_other && view.is_both_ways() && !is_own(view, None, &wanted)
}

/// Copies that the list tells of and that are not here, or are other.
pub fn fetch(view: &View<'_>, exchange: &mut Exchange) {
    let Some(copies) = copies(view).filter(|_| !view.is_planted(Mutant::IgnoresCopies)) else { return };
    for (place, word) in copies.iter() {
        let is_own = is_own(view, None, &place);
        let Some(path) = view.path_at(place.folder, &place.name) else { continue };
        let Some((held, source)) = held_at(view, &place) else { continue };
        let is_out = view.failure(&path).is_some()
            || (view.input.ignores.0)(&path, false)
            || view.input.local.is_hidden(&path)
            || exchange.changed.contains(&path);
        if is_out {
            continue;
        }
        let twin = view.local_by_key(&path, false).is_some_and(|twin| twin != path);
        let shared = Shared { place, at: word.at, hash: held.hash, left: None };
        let download =
            |replacing| Op::Download { path: path.clone(), file: source, replacing, copy: Some(Box::new(shared)) };
        match (view.input.local.items.get(&path), view.record(&path)) {
            (Some(LocalItem::Folder(_)), _) => exchange.note(&path, Difference::Clash { with: path.clone() }),
            (None, None) if !twin && !is_own && exchange.reserved.insert(path.clone()) => {
                exchange.ops.push(download(None))
            }
            (Some(LocalItem::File(local)), Some(record)) => {
                let Some(file) = record.as_file() else { continue };
                let is_old = file.role == Role::Home && !view.is_in_drive(record);
                if is_old && view.edit(file, local) == Edit::None && local.is_settled {
                    exchange.ops.push(download(Some(local.stamp)));
                }
            }
            _ => {}
        }
    }
}

/// A copy that is agreed on and is not here any more. Whether that was all there is to say of it for now.
pub fn miss(view: &View<'_>, exchange: &mut Exchange, path: &str, record: &Record, file: &FileRecord) -> bool {
    let Some((shared, copies)) = file.shared.as_deref().zip(copies(view)) else { return false };
    if file.role != Role::Link || record.standing == Standing::OnlyHere {
        return false;
    }
    let word = copies.word(&shared.place);
    let is_ours = is_last(word, shared) || is_announced(word, shared);
    if !is_ours || is_shared(view, path, &shared.place) || has_file(view, &shared.place) {
        return false;
    }
    match (record.standing, view.input.settings.deletions) {
        (Standing::OnlyInDrive, _) => exchange.note(path, Difference::OnlyInDrive),
        (_, DeletionRule::Keep) => exchange.put(path, Record { standing: Standing::OnlyInDrive, ..record.clone() }),
        // It is told of last, with all other deletions.
        (_, DeletionRule::Delete) => {}
    }
    true
}

/// The word that a path is gone, of a copy that is deleted here.
pub fn tell_gone(view: &View<'_>, path: &str, file: &FileRecord) -> Option<Op> {
    let (shared, copies) = file.shared.as_deref().zip(copies(view))?;
    let word = copies.word(&shared.place);
    let is_ours = is_last(word, shared) || is_announced(word, shared);
    let is_told = file.role == Role::Link && is_ours && !has_file(view, &shared.place);
    let said = Said { place: shared.place.clone(), at: next_at(word, Some(shared)), says: Says::Gone };
    let left = shared.left.as_deref().and_then(|left| gone(view, path, left));
    (is_told && file.replaces.is_empty()).then(|| Op::Share {
        path: path.to_owned(),
        words: std::iter::once(said).chain(left).collect(),
        changes: vec![Change::Forget(path.to_owned())],
        is_deletion: true,
    })
}

/// Lets a copy that is left be the home of a drive file whose own path was deleted here, and tells the others that that
/// path is gone before the drive file moves.
pub fn hand_over(view: &View<'_>, path: &str, record: &Record, file: &FileRecord) -> Option<Op> {
    let copies = copies(view)?;
    let links = view.links.get(&file.file)?;
    let heir = links.iter().find_map(|link| {
        let (record, file) = view.file_record(link)?;
        let is_free = record.standing == Standing::Both && !view.is_unresolved(link);
        (is_free && view.edit(file, view.local_file(link)?) == Edit::None).then_some((*link, record, file))
    });
    let (heir, theirs, link) = heir.filter(|_| file.replaces.is_empty())?;
    let promoted = Agreement::File(FileRecord { role: Role::Home, ..link.clone() });
    let promoted = Record { agreement: promoted, place: record.place.clone(), ..theirs.clone() };
    let said = Said { place: record.place.clone(), at: next_at(copies.word(&record.place), None), says: Says::Gone };
    let is_shared = is_shared(view, path, &record.place);
    Some(Op::Share {
        path: path.to_owned(),
        words: Some(said).filter(|_| !is_shared).into_iter().collect(),
        changes: vec![Change::Forget(path.to_owned()), Change::Put(heir.to_owned(), promoted)],
        is_deletion: true,
    })
}

/// The word that the place of a drive file is empty, where an older one would bring a copy back once it is deleted.
pub fn clear_place(view: &View<'_>, path: &str, record: &Record) -> Option<Op> {
    let said = clear(view, path, &record.place)?;
    Some(Op::Share { path: path.to_owned(), words: vec![said], changes: Vec::new(), is_deletion: true })
}

/// The contents that the list says are at places where no path of this computer stands for them.
pub fn list_needed(view: &View<'_>) -> HashSet<ContentHash> {
    let Some(copies) = copies(view) else { return HashSet::new() };
    let is_needed = |place: &Place| {
        view.input.remote.folders.contains_key(&place.folder) && !has_file(view, place) && {
            let path = view.path_at(place.folder, &place.name);
            let record = path.as_deref().and_then(|path| view.file_record(path));
            // What is agreed of the path counts by itself.
            record.is_none()
        }
    };
    copies.iter().filter(|(place, _)| is_needed(place)).filter_map(|(_, word)| Some(word.says.held()?.hash)).collect()
}

/// What the list is to say of a path whose drive file was moved to another path that had its content.
pub fn shared_before(view: &View<'_>, record: &Record, hash: ContentHash) -> Option<Box<Shared>> {
    copies(view)?;
    Some(Box::new(Shared { place: record.place.clone(), at: 0, hash, left: None }))
}

/// Whether folders of copies go by the list.
pub fn is_used(view: &View<'_>) -> bool {
    copies(view).is_some()
}
