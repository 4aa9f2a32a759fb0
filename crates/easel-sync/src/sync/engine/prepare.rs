//! Prepares a step: checks it for the last time against both pictures and the disk, before anything is written down.

use std::collections::HashMap;
use std::sync::OnceLock;

use easel_wire::{FileId, ItemRef};

use super::intent::{Intent, OpenUpload};
use super::state::Engine;
use super::step_error::StepError;
use super::task::{Fetching, Task};
use crate::shared::causes::{Cause, Failure};
use crate::shared::planted::Mutant;
use crate::shared::upload::Checkpoint;
use crate::sync::plan::{Op, agreeing, names};
use crate::sync::ports::{Clock, Disk, Drive, Store};
use crate::sync::tree::{
    self, Agreement, ContentHash, FileRecord, LocalFile, LocalItem, Place, Record, RemoteFile, Replacing, Stamp,
};

/// By drive file, how many paths have its content.
pub(super) type Holders = HashMap<FileId, usize>;

/// The picture does not fit the plan any more.
pub(super) const CHANGED: StepError = StepError::Path(Failure { cause: Cause::Changed, request_id: None });

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Prepares one step. `holders` is filled when it is first needed, and stays true as long as nothing else is
    /// agreed.
    pub(super) async fn prepare(&self, op: Op, holders: &OnceLock<Holders>) -> Result<Task, StepError> {
        match op {
            Op::Hash { path } => {
                let stamp = self.local.file(&path).ok_or(CHANGED)?.stamp;
                Ok(Task::Hash { path, stamp })
            }
            Op::MakeFolder { path } => self.prepare_folder(path).await,
            Op::MakeLocalFolder { path, folder } => {
                let seen = self.remote.folders.get(&folder).ok_or(CHANGED)?;
                let place = Place { folder: seen.parent.ok_or(CHANGED)?, name: seen.name.clone() };
                Ok(Task::MakeLocalFolder { path, folder, place })
            }
            Op::Place { path, to } => self.prepare_place(path, to),
            Op::MoveLocal { from, to, place, is_conflict } => self.prepare_local_move(from, to, place, is_conflict),
            Op::Upload { path, hash, replacing } => self.prepare_upload(path, hash, replacing),
            Op::Point { path, hash, is_free } => self.prepare_pointer(path, hash, is_free).await,
            Op::Retire { path, pointer } => {
                let renaming = self.plan_retirement(pointer).ok_or(CHANGED)?;
                Ok(Task::Retire { path, renaming })
            }
            Op::DiscardPointer { path, pointer } => {
                self.remote.pointers.get(pointer).ok_or(CHANGED)?;
                Ok(Task::DiscardPointer { path, pointer })
            }
            Op::Download { path, file, replacing } => self.prepare_download(path, file, replacing),
            Op::DeleteReplaced { path, file } => {
                if self.is_other_by_now(&path, file)
                    || !self.may_delete_replaced(file, holders.get_or_init(|| self.count_holders()))
                {
                    return Err(CHANGED);
                }
                let removal = self.plan_removal(&path, file);
                Ok(Task::Delete { path, file, was_replaced: true, removal })
            }
            Op::DeleteFile { path, file } => {
                if !self.may_delete(&path, file, holders.get_or_init(|| self.count_holders())).await? {
                    return Err(CHANGED);
                }
                let removal = self.plan_removal(&path, file);
                Ok(Task::Delete { path, file, was_replaced: false, removal })
            }
            Op::DeleteFolder { path, folder } => {
                if let Some(LocalItem::Folder(_)) = self.ports.disk.look(&path).await? {
                    return Err(CHANGED);
                }
                let is_recursive = self.is_planted(Mutant::DeletesWholeFolders);
                let left = self.remote.pointers.left_in(folder).collect();
                Ok(Task::DeleteFolder { path, folder, is_recursive, left })
            }
            Op::TrashLocal { path } => {
                let record = self.agreed.records.get(&path).and_then(|record| record.as_file()).ok_or(CHANGED)?;
                let stamp = self.local.file(&path).ok_or(CHANGED)?.stamp;
                Ok(Task::Trash { path, file: record.file, stamp, hash: record.hash })
            }
            Op::RemoveLocalFolder { path } => match self.local.items.get(&path) {
                Some(LocalItem::Folder(identity)) => Ok(Task::RemoveLocalFolder { path, identity: *identity }),
                _ => Err(CHANGED),
            },
            Op::Record(_) => Err(CHANGED),
        }
    }

    async fn prepare_folder(&self, path: String) -> Result<Task, StepError> {
        let Some(LocalItem::Folder(identity)) = self.ports.disk.look(&path).await? else {
            return Err(CHANGED);
        };
        // A repeat would look for the folder by its name; but the local folder may have another name by then.
        let place = self.place_of(&path)?;
        Ok(Task::MakeFolder { path, identity, place })
    }

    /// A path's place in the drive under its own name.
    fn place_of(&self, path: &str) -> Result<Place, StepError> {
        let folder = self.folder_above(path).ok_or(CHANGED)?;
        Ok(Place { folder, name: tree::name(path).to_owned() })
    }

    fn prepare_place(&self, path: String, to: Place) -> Result<Task, StepError> {
        let record = self.agreed.records.get(&path).ok_or(CHANGED)?;
        let from = record.place.clone();
        let (item, file_name) = match &record.agreement {
            Agreement::Folder { folder, .. } => (ItemRef::Folder(*folder), None),
            Agreement::File(file) => (ItemRef::File(file.file), self.name_after_rename(file.file, &to.name)),
        };
        Ok(Task::Place { path, item, from, to, file_name })
    }

    fn prepare_upload(
        &self,
        path: String,
        hash: Option<ContentHash>,
        replacing: Option<Replacing>,
    ) -> Result<Task, StepError> {
        let LocalFile { stamp, changed_us, .. } = *self.local.file(&path).ok_or(CHANGED)?;
        let place = self.place_of(&path)?;
        // A file that probably goes in one request is written down together with others that do.
        let is_direct = hash.is_some() && stamp.size_bytes <= self.settings.direct_max_bytes && replacing.is_none();
        let since_us = self.ports.clock.wall_us();
        let at = if is_direct { Checkpoint::Sent { since_us, hash } } else { Checkpoint::NotBegun };
        let announcement = self.announcement(&path, &place);
        let place = self.destination(&path, place);
        Ok(Task::Send { path, stamp, changed_us, place, at, announcement, replacing })
    }

    async fn prepare_pointer(&self, path: String, hash: ContentHash, is_free: bool) -> Result<Task, StepError> {
        let stamp = self.local.file(&path).ok_or(CHANGED)?.stamp;
        match self.ports.disk.look(&path).await? {
            Some(LocalItem::File(found)) if found.stamp == stamp => {}
            _ => return Err(CHANGED),
        }
        let place = self.place_of(&path)?;
        let announcement = self.announcement(&path, &place);
        let place = if is_free { place } else { self.place_of_pointer(&path, &place) };
        Ok(Task::Point { path, stamp, place, hash, announcement })
    }

    fn prepare_download(&self, path: String, file: FileId, replacing: Option<Stamp>) -> Result<Task, StepError> {
        let seen = self.remote.files.get(&file).ok_or(CHANGED)?;
        let place = Place { folder: seen.folder.ok_or(CHANGED)?, name: seen.name.clone() };
        let (hash, bytes) = (seen.hash, seen.size_bytes);
        let is_pointer = self.remote.pointers.contains(file);
        if !is_pointer && self.may_be_sent_from_here(seen) {
            return Err(CHANGED);
        }
        let from = match is_pointer {
            true => self.remote.pointers.target(file).ok_or(CHANGED)?,
            false => file,
        };
        Ok(Task::Fetch(Fetching { path, file, from, place, hash, replacing, bytes, is_pointer }))
    }

    /// Whether a drive file may be what an upload made that could not be settled yet: it would come down beside the file
    /// that it was made of, under another name.
    fn may_be_sent_from_here(&self, seen: &RemoteFile) -> bool {
        self.open.iter().any(|intent| match intent {
            Intent::Upload(OpenUpload { path, at, .. }) => {
                at.hash().is_some_and(|hash| seen.hash == Some(hash))
                    && self.folder_above(path) == seen.folder
                    && names::is_numbered(&seen.name, tree::name(path))
            }
            _ => false,
        })
    }

    fn prepare_local_move(
        &self,
        from: String,
        to: String,
        place: Option<Place>,
        is_conflict: bool,
    ) -> Result<Task, StepError> {
        let identity = match self.local.items.get(&from) {
            Some(LocalItem::Folder(identity)) => *identity,
            Some(LocalItem::File(file)) => file.stamp.identity,
            None => return Err(CHANGED),
        };
        let changes = agreeing::moved(&self.agreed, &from, &to, place);
        Ok(Task::MoveLocal { from, to, identity, is_conflict, changes })
    }

    /// Counts for each drive file the paths that have its content. A path has not where someone gave the file another one
    /// since, as a plan sees it too.
    pub(super) fn count_holders(&self) -> Holders {
        let is_planted = self.is_planted(Mutant::IgnoresNewContent);
        let is_overtaken = |file: &FileRecord| !is_planted && self.remote.has_overtaken(file);
        let mut holders = Holders::new();
        for file in self.agreed.records.values().filter_map(Record::as_file).filter(|file| !is_overtaken(file)) {
            *holders.entry(file.file).or_default() += 1;
        }
        holders
    }

    /// Whether someone gave a drive file another content than the one agreed for the path that has, or had, it.
    pub(super) fn is_other_by_now(&self, path: &str, file: FileId) -> bool {
        let seen = self.remote.files.get(&file).and_then(|seen| seen.hash);
        let agreed = self.agreed_content(path, file);
        let is_other = seen.zip(agreed).is_some_and(|(seen, agreed)| seen != agreed);
        self.remote.keeps_versions == Some(true) && is_other && !self.is_planted(Mutant::IgnoresNewContent)
    }

    /// Whether no path needs the content of a drive file that was replaced.
    pub(super) fn may_delete_replaced(&self, file: FileId, holders: &Holders) -> bool {
        self.is_planted(Mutant::ForgetsLinks) || !holders.contains_key(&file)
    }

    /// Whether no local file needs the drive file of a deleted path.
    pub(super) async fn may_delete(&self, path: &str, file: FileId, holders: &Holders) -> Result<bool, StepError> {
        let planted = [Mutant::DeletesBeforeUpload, Mutant::ForgetsLinks, Mutant::IgnoresGuard];
        if planted.into_iter().any(|mutant| self.is_planted(mutant)) {
            return Ok(true);
        }
        if self.is_other_by_now(path, file) {
            return Ok(false);
        }
        let is_here = matches!(self.ports.disk.look(path).await?, Some(LocalItem::File(_)));
        let own = self.agreed.records.get(path).and_then(Record::as_file).filter(|record| record.file == file);
        let all = holders.get(&file).copied().unwrap_or_default();
        Ok(!is_here && all <= usize::from(own.is_some()))
    }
}
