//! The changes to the agreed records once a step is done. Pure: the engine writes them down, a preview goes on from
//! them.

use easel_wire::{FileId, FolderId};

use crate::shared::names;
use crate::shared::upload::Arrived;
use crate::sync::tree::{
    self, Agreed, Agreement, Change, ChangedUs, ContentHash, FileRecord, Place, Record, Replaced, Role, Sides, Stamp,
};

/// The record of a file whose drive file lies at the place of its own path.
#[must_use]
pub fn home(file: FileId, place: Place, stamp: Stamp, hash: ContentHash) -> Record {
    let (role, changed_us, replaces) = (Role::Home, None, Vec::new());
    let record = FileRecord { file, role, stamp, changed_us, hash, replaces, is_pointer: false };
    let agreement = Agreement::File(record);
    Record { agreement, place, sides: Sides::Both }
}

/// The record of a file that a pointer stands for, with the drive files that it replaces, if there was a record before.
#[must_use]
pub fn pointed(
    old: Option<&Record>,
    pointer: FileId,
    place: Place,
    local: (Stamp, ChangedUs),
    hash: ContentHash,
) -> Record {
    let old = old.and_then(|record| Some((record, record.as_file()?)));
    let (stamp, changed_us) = local;
    let replaces = old.map(|(record, old)| replaced_by(record, old, pointer)).unwrap_or_default();
    let record = FileRecord { file: pointer, role: Role::Home, stamp, changed_us, hash, replaces, is_pointer: true };
    Record { agreement: Agreement::File(record), place, sides: Sides::Both }
}

/// The drive file of a fetched file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchedFor {
    /// The drive file.
    pub file: FileId,
    /// Whether the drive file is a pointer. Once it is gone, nobody else can tell.
    pub is_pointer: bool,
}

/// The record of a drive file that was fetched to its place here. If it was the path's own already, only the content
/// changes.
#[must_use]
pub fn fetched(
    old: Option<&Record>,
    FetchedFor { file, is_pointer }: FetchedFor,
    place: Place,
    stamp: Stamp,
    hash: ContentHash,
) -> Record {
    if let Some(record) = old
        && let Some(own) = record.as_file().filter(|own| own.file == file && own.role == Role::Home)
    {
        let agreement = FileRecord { stamp, hash, changed_us: None, ..own.clone() };
        return Record { agreement: Agreement::File(agreement), sides: Sides::Both, ..record.clone() };
    }
    match is_pointer {
        true => pointed(None, file, place, (stamp, None), hash),
        false => home(file, place, stamp, hash),
    }
}

/// Notes in the records of files when anything about the local file had last changed.
pub fn note_changed(changes: &mut [Change], changed_us: ChangedUs) {
    for change in changes {
        if let Change::Put(_, Record { agreement: Agreement::File(file), .. }) = change {
            file.changed_us = changed_us;
        }
    }
}

/// A path's file was sent.
#[must_use]
pub fn sent(
    agreed: &Agreed,
    root: FolderId,
    path: &str,
    stamp: Stamp,
    hash: ContentHash,
    arrived: &Arrived,
) -> Vec<Change> {
    let Arrived { file, seen, was_duplicate, may_be_own, .. } = arrived;
    if let Some(record) = agreed.records.get(path)
        && let Some(own) = record.as_file().filter(|own| own.file == *file && own.role == Role::Home)
    {
        // The path's own drive file got the content, wherever that file is by now.
        let agreement =
            FileRecord { stamp, hash, changed_us: None, replaces: replaced_by(record, own, *file), ..own.clone() };
        let record = Record { agreement: Agreement::File(agreement), sides: Sides::Both, ..record.clone() };
        return vec![Change::Put(path.to_owned(), record)];
    }
    let above = agreed.folder_above(path, root);
    // A new drive file may have a number in its name, where the path's name was taken. A file that was there before
    // under such a name is someone else's, and its computer's path is not known here yet.
    let name = tree::name(path);
    let is_named = !was_duplicate
        || names::key(&seen.name) == names::key(name)
        || (*may_be_own && names::is_numbered(&seen.name, name));
    let is_at_its_place = seen.folder.is_some() && seen.folder == above && is_named;
    let old = agreed.records.get(path).and_then(|record| Some((record, record.as_file()?)));
    // What the drive keeps of a file that was deleted here is no earlier version of the one that has its path now: an
    // upload that was open may have followed its file to it.
    let (kept, old) = match old {
        Some((Record { sides: Sides::OnlyInDrive, .. }, own))
            if own.role == Role::Home && own.stamp.identity != stamp.identity =>
        {
            (Some(own.file), None)
        }
        old => (None, old),
    };
    // A content that this path had before is back, and so is the drive file that was to be deleted for the one between.
    let is_own_again = old.is_some_and(|(_, old)| {
        let mut replaced = old.replaces.iter().filter(|old| old.file == *file && !old.is_pointer);
        replaced.any(|old| seen.folder == Some(old.place.folder) && seen.name == old.place.name)
    });
    // Only a file that the drive had before can be another path's.
    let is_home = (is_at_its_place || is_own_again) && !(*was_duplicate && agreed.is_home_of_another(path, *file));
    let record = Record {
        agreement: Agreement::File(FileRecord {
            file: *file,
            role: if is_home { Role::Home } else { Role::Link },
            stamp,
            changed_us: None,
            hash,
            replaces: old.map(|(record, old)| replaced_by(record, old, *file)).unwrap_or_default(),
            is_pointer: false,
        }),
        place: Place { folder: seen.folder.unwrap_or(root), name: seen.name.clone() },
        sides: Sides::Both,
    };
    let keep_apart = kept.map(|kept| Change::Rename { from: path.to_owned(), to: names::drive_only_path(path, kept) });
    keep_apart.into_iter().chain([Change::Put(path.to_owned(), record)]).collect()
}

/// The drive files that a path's next content replaces: the present one, if this path is its home, and those that the
/// present one has yet to replace.
#[must_use]
pub fn replaced_by(record: &Record, file: &FileRecord, next: FileId) -> Vec<Replaced> {
    let mut replaces = file.replaces.clone();
    if file.role == Role::Home {
        let (place, hash, is_pointer) = (record.place.clone(), file.hash, file.is_pointer);
        replaces.push(Replaced { file: file.file, place, hash, is_pointer });
    }
    replaces.retain(|old| old.file != next);
    replaces
}

/// The record of a path that goes back to a drive file which its content had replaced. No local file has that one's content;
/// `stamp` is that of the path's record so far.
#[must_use]
pub fn gone_back(stamp: Stamp, old: &Replaced, replaces: Vec<Replaced>) -> FileRecord {
    FileRecord {
        file: old.file,
        role: Role::Home,
        stamp: stamp.of_no_file(),
        changed_us: None,
        hash: old.hash,
        replaces,
        is_pointer: old.is_pointer,
    }
}

/// The changes to a path's record when one of its drive files is gone.
#[must_use]
pub fn deleted(agreed: &Agreed, path: &str, file: FileId) -> Vec<Change> {
    let Some(record) = agreed.records.get(path) else { return Vec::new() };
    match &record.agreement {
        Agreement::File(agreed) if agreed.file == file => {
            // A file that it had replaced and that is still there goes next.
            let mut replaces = agreed.replaces.clone();
            let Some(old) = replaces.pop() else { return vec![Change::Forget(path.to_owned())] };
            // A local file that comes back has the content that was deleted, and not the old one.
            let agreement = Agreement::File(gone_back(agreed.stamp, &old, replaces));
            vec![Change::Put(path.to_owned(), Record { agreement, place: old.place, ..record.clone() })]
        }
        Agreement::File(agreed) => {
            let mut agreed = agreed.clone();
            agreed.replaces.retain(|old| old.file != file);
            vec![Change::Put(path.to_owned(), Record { agreement: Agreement::File(agreed), ..record.clone() })]
        }
        Agreement::Folder { .. } => Vec::new(),
    }
}

/// The changes when a record's item has another place in the drive.
#[must_use]
pub fn placed(agreed: &Agreed, path: &str, to: &Place) -> Vec<Change> {
    let record = agreed.records.get(path);
    record
        .map(|record| Change::Put(path.to_owned(), Record { place: to.clone(), ..record.clone() }))
        .into_iter()
        .collect()
}

/// The changes when an item moved to another path here. `place` is its new place in the drive, if that changed.
#[must_use]
pub fn moved(agreed: &Agreed, from: &str, to: &str, place: Option<Place>) -> Vec<Change> {
    let Some(record) = agreed.records.get(from) else { return Vec::new() };
    let rename = Change::Rename { from: from.to_owned(), to: to.to_owned() };
    let put = place.map(|place| Change::Put(to.to_owned(), Record { place, ..record.clone() }));
    [Some(rename), put].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use easel_wire::Id;
    use easel_wire::id::kind;

    use super::*;
    use crate::sync::tree::RemoteFile;

    #[test]
    fn once_a_new_version_is_deleted_no_local_file_counts_as_the_old_one() {
        let root = FolderId::imagined(1);
        let (old, new) = (FileId::imagined(2), FileId::imagined(3));
        let stamp = Stamp { size_bytes: 1, modified_us: 1, identity: 1 };
        let place = Place { folder: root, name: "c".to_owned() };
        let mut record = home(new, place.clone(), stamp, [2; 32]);
        if let Agreement::File(file) = &mut record.agreement {
            file.replaces = vec![Replaced { file: old, place, hash: [1; 32], is_pointer: false }];
        }
        let mut agreed = Agreed::default();
        agreed.records.insert("c".to_owned(), record);
        let changes = deleted(&agreed, "c", new);
        let [Change::Put(_, record)] = changes.as_slice() else { panic!("{changes:?}") };
        let file = record.as_file().expect("a file");
        assert_eq!((file.file, file.hash), (old, [1; 32]));
        assert_ne!(file.stamp.identity, stamp.identity, "the file that comes back would not be read again");
    }

    #[test]
    fn what_the_drive_had_under_a_name_with_a_number_is_not_taken_for_this_paths_own() {
        let root = Id::imagined(1);
        let stamp = Stamp { size_bytes: 1, modified_us: 1, identity: 1 };
        let check = |name: &str, (was_duplicate, may_be_own): (bool, bool), expected: Role| {
            let seen = RemoteFile { folder: Some(root), name: name.to_owned(), size_bytes: 1, hash: Some([1; 32]) };
            let arrived = Arrived { file: Id::imagined(2), seen, hash: Some([1; 32]), was_duplicate, may_be_own };
            let changes = sent(&Agreed::default(), root, "report.txt", stamp, [1; 32], &arrived);
            let [Change::Put(_, record)] = changes.as_slice() else { panic!("{changes:?}") };
            assert_eq!(record.as_file().map(|file| file.role), Some(expected), "{name} {was_duplicate} {may_be_own}");
        };
        check("report (2).txt", (false, false), Role::Home);
        check("report.txt", (true, false), Role::Home);
        check("Report.txt", (true, false), Role::Home);
        check("report (2).txt", (true, false), Role::Link);
        check("report (2).txt", (true, true), Role::Home);
        check("other.txt", (true, true), Role::Link);
    }

    #[test]
    fn a_content_that_a_path_had_before_has_its_drive_file_back() {
        let root = Id::imagined(1);
        let stamp = Stamp { size_bytes: 1, modified_us: 1, identity: 1 };
        let (before, present) = (Id::imagined(2), Id::imagined(3));
        let place_of = |name: &str| Place { folder: root, name: name.to_owned() };
        let mut record = home(present, place_of("c"), stamp, [2; 32]);
        if let Agreement::File(file) = &mut record.agreement {
            file.replaces = vec![Replaced { file: before, place: place_of("c (2)"), hash: [1; 32], is_pointer: false }];
        }
        let mut agreed = Agreed::default();
        agreed.records.insert("c".to_owned(), record);
        let check = |name: &str, expected: Role| {
            let seen = RemoteFile { folder: Some(root), name: name.to_owned(), size_bytes: 1, hash: Some([1; 32]) };
            let arrived = Arrived { file: before, seen, hash: Some([1; 32]), was_duplicate: true, may_be_own: false };
            let changes = sent(&agreed, root, "c", stamp, [1; 32], &arrived);
            let [Change::Put(_, record)] = changes.as_slice() else { panic!("{changes:?}") };
            let own = record.as_file().expect("a file");
            let replaces: Vec<FileId> = own.replaces.iter().map(|old| old.file).collect();
            assert_eq!((own.role, replaces), (expected, vec![present]), "{name}");
        };
        check("c (2)", Role::Home);
        // Somebody has moved it since.
        check("d", Role::Link);
    }

    #[test]
    fn what_the_drive_keeps_of_a_deleted_file_is_not_replaced_by_the_next_one_at_its_path() {
        let root = Id::imagined(1);
        let stamp = Stamp { size_bytes: 1, modified_us: 1, identity: 1 };
        let place = Place { folder: root, name: "c".to_owned() };
        let deleted = Stamp { identity: 2, ..stamp };
        let kept = Record { sides: Sides::OnlyInDrive, ..home(Id::imagined(2), place, deleted, [2; 32]) };
        let mut agreed = Agreed::default();
        agreed.records.insert("c".to_owned(), kept.clone());
        let seen = RemoteFile { folder: Some(root), name: "c (2)".to_owned(), size_bytes: 1, hash: Some([3; 32]) };
        let (file, hash) = (Id::imagined(3), Some([3; 32]));
        let arrived = Arrived { file, seen, hash, was_duplicate: false, may_be_own: false };
        for change in sent(&agreed, root, "c", stamp, [3; 32], &arrived) {
            agreed.take(change);
        }
        assert_eq!(agreed.records.remove(&names::drive_only_path("c", Id::<kind::File>::imagined(2))), Some(kept));
        let own = agreed.records.remove("c").and_then(|record| record.as_file().cloned());
        assert_eq!(own.map(|own| (own.file, own.replaces)), Some((file, Vec::new())));
        assert!(agreed.records.is_empty(), "{agreed:?}");
    }
}
