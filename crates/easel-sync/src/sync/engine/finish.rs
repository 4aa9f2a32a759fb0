//! Finishes a step: records the new agreement and the history, and brings both pictures up to date.

use easel_wire::{FileId, ItemRef};

use super::removal::{Removal, Renaming};
use super::state::Engine;
use super::status::{AppliedChange, ChangeKind};
use super::step_error::StepError;
use super::task::Outcome;
use crate::shared::upload::Arrived;
use crate::sync::plan::agreeing::{self, FetchedFor};
use crate::sync::ports::{Clock, Disk, Drive, Settlement, Store};
use crate::sync::tree::{
    Agreement, Change, ChangedUs, ContentHash, LocalItem, Place, Record, RemoteFile, RemoteFolder, Sides, Stamp,
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
                agree_on(path, Agreement::Folder { folder, identity }, place, ChangeKind::FolderMade)
            }
            Outcome::LocalFolderMade { path, identity, folder, place } => {
                agree_on(path, Agreement::Folder { folder, identity }, place, ChangeKind::FolderMadeHere)
            }
            Outcome::Placed { path, item, from, to } => self.finish_place(path, item, from, to),
            Outcome::LocalMoved { from, to, is_conflict, changes } => {
                self.follow_move(&from, &to);
                let what = if is_conflict {
                    ChangeKind::ConflictKept { from: from.clone() }
                } else {
                    ChangeKind::MovedHere { from: from.clone() }
                };
                Settlement { changes, done: vec![from], applied: vec![AppliedChange { path: to, what }] }
            }
            Outcome::Sent { path, stamp, changed_us, hash, arrived, announced } => {
                let announced = self.note_renamed(announced);
                let mut settlement = self.finish_upload(path, (stamp, changed_us), hash, arrived);
                settlement.done.extend(announced);
                settlement
            }
            Outcome::Pointed { path, stamp, place, hash, pointer, announced } => {
                let announced = self.note_renamed(announced);
                let what = ChangeKind::Sent { bytes: stamp.size_bytes, was_edit: self.has_file(&path) };
                let changes = self.finish_pointing(&path, stamp, place, hash, pointer);
                let done = std::iter::once(path.clone()).chain(announced).collect();
                Settlement { changes, done, applied: vec![AppliedChange { path, what }] }
            }
            Outcome::NotPointed { path, announced } => {
                self.open.extend(announced.map(|renaming| renaming.intent(&path)));
                self.remote.pointers.refuse();
                Settlement { done: vec![path], ..Settlement::default() }
            }
            Outcome::Retired { renamed } => {
                self.note_renamed(Some(renamed));
                Settlement::default()
            }
            Outcome::PointerDiscarded { pointer } => {
                self.remote.remove_file(pointer);
                Settlement::default()
            }
            Outcome::Fetched { path, file, place, stamp, hash, replacing, is_pointer } => {
                let what = ChangeKind::Fetched { bytes: stamp.size_bytes, was_edit: replacing.is_some() };
                let applied = vec![AppliedChange { path: path.clone(), what }];
                let record = self.fetched(&path, FetchedFor { file, is_pointer }, place, stamp, hash);
                Settlement { changes: vec![Change::Put(path.clone(), record)], done: vec![path], applied }
            }
            Outcome::Deleted { path, file, was_replaced, removal } => {
                let what = if was_replaced { ChangeKind::ReplacedDeleted } else { ChangeKind::DeletedInDrive };
                self.finish_delete(path, file, removal, what)
            }
            Outcome::FolderDeleted { path, folder } => {
                self.remote.folders.remove(&folder);
                forget(path, ChangeKind::FolderDeletedInDrive)
            }
            Outcome::Trashed { path } => forget(path, ChangeKind::Trashed),
            Outcome::LocalFolderKept { path } => {
                let record = self.agreed.records.get(&path).cloned();
                let keep = record.map(|record| Record { sides: Sides::OnlyHere, ..record });
                let changes = keep.map(|record| Change::Put(path.clone(), record)).into_iter().collect();
                Settlement { changes, done: vec![path], ..Settlement::default() }
            }
            Outcome::LocalFolderRemoved { path } => forget(path, ChangeKind::FolderRemoved),
        }
    }

    /// Whether a path is agreed to have a drive file, so that sending it again is an edit.
    pub(super) fn has_file(&self, path: &str) -> bool {
        self.agreed.records.get(path).is_some_and(|record| record.as_file().is_some())
    }

    fn finish_place(&mut self, path: String, item: ItemRef, from: Place, to: Place) -> Settlement {
        match item {
            ItemRef::Folder(folder) => {
                if let Some(seen) = self.remote.folders.get_mut(&folder) {
                    (seen.parent, seen.name) = (Some(to.folder), to.name.clone());
                }
            }
            ItemRef::File(file) => {
                self.remote.place_file(file, &to);
            }
            ItemRef::Canvas(_) => {}
        }
        let changes = agreeing::placed(&self.agreed, &path, &to);
        let applied = moved_in_drive(&path, from, to);
        Settlement { changes, done: vec![path], applied }
    }

    /// Agrees on the drive file that an upload made or found. The file's times are those from before the upload, however often
    /// the file was looked at since: a change during the upload shows in a later one.
    pub(super) fn finish_upload(
        &mut self,
        path: String,
        (stamp, changed_us): (Stamp, ChangedUs),
        hash: ContentHash,
        mut arrived: Arrived,
    ) -> Settlement {
        // Some services do not say where a file lies that was there before.
        if let Some(known) = self.remote.files.get(&arrived.file)
            && arrived.was_duplicate
            && arrived.seen.folder.is_none()
        {
            arrived.seen = RemoteFile { folder: known.folder, name: known.name.clone(), ..arrived.seen };
        }
        let what = ChangeKind::Sent { bytes: stamp.size_bytes, was_edit: self.has_file(&path) };
        let root = self.remote.root;
        let mut changes = agreeing::sent(&self.agreed, root, &path, stamp, hash, &arrived);
        agreeing::note_changed(&mut changes, changed_us);
        if self.remote.files.get(&arrived.file).is_some_and(|known| known.folder != arrived.seen.folder) {
            // A list and the answer contradict each other about the folder: the next look begins the picture anew.
            self.remote_cursor = None;
        }
        self.remote.put_file(arrived.file, arrived.seen);
        let applied = vec![AppliedChange { path: path.clone(), what }];
        Settlement { changes, done: vec![path], applied }
    }

    /// Agrees on the rest of a path's record once one of its drive files is gone.
    pub(super) fn finish_delete(
        &mut self,
        path: String,
        file: FileId,
        removal: Removal,
        what: ChangeKind,
    ) -> Settlement {
        let mut changes = agreeing::deleted(&self.agreed, &path, file);
        changes.extend(self.finish_removal(file, removal));
        Settlement { changes, done: vec![path.clone()], applied: vec![AppliedChange { path, what }] }
    }

    /// Brings the picture up to date with a renamed pointer, and returns the pointer's new name.
    pub(super) fn note_renamed(&mut self, renamed: Option<Renaming>) -> Option<String> {
        let Renaming { pointer, file_name } = renamed?;
        self.remote.rename_pointer(pointer, &file_name);
        Some(file_name)
    }

    /// Writes down the result of one step at once.
    pub(super) async fn settle_with(&mut self, settlement: Settlement) -> Result<(), StepError> {
        Ok(self.write(settlement).await?)
    }
}

/// What is told of an item that moved in the drive: nothing where only a pointer got the name that its copy had already.
pub(super) fn moved_in_drive(path: &str, from: Place, to: Place) -> Vec<AppliedChange> {
    let is_elsewhere = from != to;
    let moved = || AppliedChange { path: path.to_owned(), what: ChangeKind::MovedInDrive { from, to } };
    is_elsewhere.then(moved).into_iter().collect()
}

fn agree_on(path: String, agreement: Agreement, place: Place, what: ChangeKind) -> Settlement {
    let record = Record { agreement, place, sides: Sides::Both };
    let applied = vec![AppliedChange { path: path.clone(), what }];
    Settlement { changes: vec![Change::Put(path.clone(), record)], done: vec![path], applied }
}

fn forget(path: String, what: ChangeKind) -> Settlement {
    let applied = vec![AppliedChange { path: path.clone(), what }];
    Settlement { changes: vec![Change::Forget(path.clone())], done: vec![path], applied }
}
