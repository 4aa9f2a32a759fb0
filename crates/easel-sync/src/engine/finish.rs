//! Finishing a step: what is agreed once it is done, what the history keeps, and both pictures kept true.

use easel_wire::{FileId, ItemRef};

use super::act::Outcome;
use super::news::{Deed, What};
use super::{Engine, Trouble};
use crate::plan::{self, names};
use crate::ports::{Clock, Disk, Drive, Settlement, Store, Uploaded};
use crate::tree::{
    self, Agreement, Change, ContentHash, FileRecord, LocalItem, Place, Record, RemoteFolder, Role, Stamp, Standing,
};

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    pub(super) fn finish(&mut self, outcome: Outcome) -> Settlement {
        match outcome {
            Outcome::Hashed { path, stamp, hash } => {
                if let Some(LocalItem::File(file)) = self.local.items.get_mut(&path)
                    && file.stamp == stamp
                {
                    file.hash = Some(hash);
                }
                Settlement::default()
            }
            Outcome::FolderMade { path, identity, folder, place } => {
                let seen = RemoteFolder { parent: Some(place.folder), name: place.name.clone() };
                self.remote.folders.insert(folder, seen);
                agree_on(path, Agreement::Folder { folder, identity }, place, What::FolderMade)
            }
            Outcome::LocalFolderMade { path, identity, folder, place } => {
                agree_on(path, Agreement::Folder { folder, identity }, place, What::FolderMadeHere)
            }
            Outcome::Placed { path, item, from, to } => self.finish_place(path, item, from, to),
            Outcome::LocalMoved { from, to, is_conflict, changes } => {
                self.follow_move(&from, &to);
                let what = if is_conflict {
                    What::ConflictKept { from: from.clone() }
                } else {
                    What::MovedHere { from: from.clone() }
                };
                Settlement { changes, done: vec![from], deeds: vec![Deed { path: to, what }] }
            }
            Outcome::Sent { path, stamp, hash, uploaded } => self.finish_upload(path, stamp, hash, uploaded),
            Outcome::Fetched { path, file, place, stamp, hash, replacing } => {
                let what = What::Fetched { bytes: stamp.size_bytes, was_edit: replacing.is_some() };
                let deeds = vec![Deed { path: path.clone(), what }];
                Settlement {
                    changes: vec![Change::Put(path.clone(), home(file, place, stamp, hash))],
                    done: vec![path],
                    deeds,
                }
            }
            Outcome::Deleted { path, file, was_replaced } => {
                let what = if was_replaced { What::ReplacedDeleted } else { What::DeletedInDrive };
                self.finish_delete(path, file, Some(what))
            }
            Outcome::FolderDeleted { path, folder } => {
                self.remote.folders.remove(&folder);
                forget(path, What::FolderDeletedInDrive)
            }
            Outcome::Trashed { path } => forget(path, What::Trashed),
            Outcome::LocalFolderRemoved { path } => forget(path, What::FolderRemoved),
        }
    }

    fn finish_place(&mut self, path: String, item: ItemRef, from: Place, to: Place) -> Settlement {
        match item {
            ItemRef::Folder(folder) => {
                if let Some(seen) = self.remote.folders.get_mut(&folder) {
                    (seen.parent, seen.name) = (Some(to.folder), to.name.clone());
                }
            }
            ItemRef::File(file) => {
                if let Some(seen) = self.remote.files.get_mut(&file) {
                    (seen.folder, seen.name) = (Some(to.folder), to.name.clone());
                }
            }
            ItemRef::Canvas(_) => {}
        }
        let record = self.agreed.records.get(&path);
        let changes = record.map(|record| Change::Put(path.clone(), Record { place: to.clone(), ..record.clone() }));
        let deed = Deed { path: path.clone(), what: What::MovedInDrive { from, to } };
        Settlement { changes: changes.into_iter().collect(), done: vec![path], deeds: vec![deed] }
    }

    /// Agrees on what an upload came to.
    pub(super) fn finish_upload(
        &mut self,
        path: String,
        stamp: Stamp,
        hash: ContentHash,
        uploaded: Uploaded,
    ) -> Settlement {
        let Uploaded { file, seen, .. } = uploaded;
        let above = self.folder_above(&path);
        let is_at_its_place =
            seen.folder.is_some() && seen.folder == above && names::is_numbered(&seen.name, tree::name(&path));
        let is_taken = || {
            self.agreed.records.iter().any(|(other, record)| {
                *other != path && record.as_file().is_some_and(|other| other.file == file && other.role == Role::Home)
            })
        };
        // Only what the drive had already can be another path's.
        let is_home = is_at_its_place && !(uploaded.was_duplicate && is_taken());
        let old = self.agreed.records.get(&path).and_then(|record| Some((record, record.as_file()?)));
        let what = What::Sent { bytes: stamp.size_bytes, was_edit: old.is_some() };
        let record = Record {
            agreement: Agreement::File(FileRecord {
                file,
                role: if is_home { Role::Home } else { Role::Link },
                stamp,
                hash,
                replaces: old.map(|(record, old)| plan::replaced_by(record, old, file)).unwrap_or_default(),
            }),
            place: Place { folder: seen.folder.unwrap_or(self.remote.root), name: seen.name.clone() },
            standing: Standing::Both,
        };
        self.remote.files.insert(file, seen);
        let deeds = vec![Deed { path: path.clone(), what }];
        Settlement { changes: vec![Change::Put(path.clone(), record)], done: vec![path], deeds }
    }

    /// Agrees on what is left of a path's record once a drive file of it is gone.
    pub(super) fn finish_delete(&mut self, path: String, file: FileId, what: Option<What>) -> Settlement {
        self.remote.files.remove(&file);
        let changes = self.without(&path, file);
        let deeds = what.map(|what| Deed { path: path.clone(), what }).into_iter().collect();
        Settlement { changes, done: vec![path], deeds }
    }

    fn without(&self, path: &str, file: FileId) -> Vec<Change> {
        let Some(record) = self.agreed.records.get(path) else { return Vec::new() };
        match &record.agreement {
            Agreement::File(agreed) if agreed.file == file => {
                // What it had replaced and is still there goes next.
                let mut replaces = agreed.replaces.clone();
                let Some(old) = replaces.pop() else { return vec![Change::Forget(path.to_owned())] };
                let agreement = Agreement::File(FileRecord {
                    file: old.file,
                    role: Role::Home,
                    hash: old.hash,
                    replaces,
                    ..agreed.clone()
                });
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

    /// Writes down at once what one step came to.
    pub(super) async fn settle_with(&mut self, settlement: Settlement) -> Result<(), Trouble> {
        Ok(self.write(settlement).await?)
    }
}

fn agree_on(path: String, agreement: Agreement, place: Place, what: What) -> Settlement {
    let record = Record { agreement, place, standing: Standing::Both };
    let deeds = vec![Deed { path: path.clone(), what }];
    Settlement { changes: vec![Change::Put(path.clone(), record)], done: vec![path], deeds }
}

fn forget(path: String, what: What) -> Settlement {
    let deeds = vec![Deed { path: path.clone(), what }];
    Settlement { changes: vec![Change::Forget(path.clone())], done: vec![path], deeds }
}

/// The record of a file whose place in the drive is its local path's own.
pub(super) fn home(file: FileId, place: Place, stamp: Stamp, hash: ContentHash) -> Record {
    let agreement = Agreement::File(FileRecord { file, role: Role::Home, stamp, hash, replaces: Vec::new() });
    Record { agreement, place, standing: Standing::Both }
}
