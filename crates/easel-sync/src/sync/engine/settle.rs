//! Settles the intents that a crash or a lost answer left open, by what both sides show now, before anything is
//! planned.

use easel_wire::{FileId, FolderId, ItemRef};

use super::finish::moved_in_drive;
use super::intent::Intent;
use super::pointing::{self, unless_gone};
use super::removal::{Removal, Renaming};
use super::state::Engine;
use super::status::{AppliedChange, ChangeKind};
use super::step_error::StepError;
use crate::shared::causes::Cause;
use crate::sync::plan::agreeing::{self, FetchedFor};
use crate::sync::plan::{Guard, names};
use crate::sync::pointers::{Heir, State};
use crate::sync::ports::{Clock, Disk, Drive, Settlement, Store};
use crate::sync::tree::{
    self, Agreement, Change, ContentHash, LocalItem, Place, Record, Remote, RemoteFile, RemoteFolder, Sides, Stamp,
};

/// How far a drive file is on its way to its heir.
enum Handover {
    /// The file is on its way, or at the heir's place.
    Open,
    /// The heir was deleted meanwhile.
    HeirGone,
    /// The file had arrived at the heir's place, and someone has moved it on since.
    PassedOn,
}

/// The folder at a place, by the drive's rules for comparing names.
pub(super) fn folder_at(remote: &Remote, place: &Place) -> Option<FolderId> {
    let is_at =
        |seen: &RemoteFolder| seen.parent == Some(place.folder) && names::key(&seen.name) == names::key(&place.name);
    remote.folders.iter().find(|(_, seen)| is_at(seen)).map(|(id, _)| *id)
}

/// What is agreed of a drive file that stays after it was half handed over.
#[derive(Default)]
struct HalfWay {
    changes: Vec<Change>,
    /// Whether the file belongs to the heir by now.
    is_with_the_heir: bool,
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Settles all open intents. An intent that cannot be settled for now stays open, and nothing is concluded about
    /// its path; the rest goes on.
    pub(super) async fn settle_all(&mut self) -> Result<(), StepError> {
        // Announcements come last: what a pointer says depends on what became of the announced file.
        self.open.sort_by_key(|intent| matches!(intent, Intent::Announce { .. }));
        // An intent stays among the open ones until it is settled, because settling others asks for those.
        let mut at = 0;
        while let Some(mut intent) = self.open.get(at).cloned() {
            let failure = match self.settle(&mut intent).await {
                // Of the refused, the file is now among those that are left alone.
                Ok(()) | Err(StepError::Refused) => {
                    self.open.remove(at);
                    continue;
                }
                Err(StepError::Path(failure)) => failure,
                Err(StepError::Kind(waiting)) => {
                    self.held_up = Some(waiting.clone());
                    Cause::Waits { waiting }.into()
                }
                Err(error) => return Err(error),
            };
            if let Intent::Delete { heir: Some(heir), .. } = &intent {
                // The heir may say already that it is gone: nothing follows from that yet. Nor is its pointer, which says
                // that the file is on its way, spent before the file has arrived.
                let pointer = self.path_of_pointer(heir.pointer);
                let heirs: Vec<String> = self.paths_of(heir.pointer).chain(pointer).collect();
                self.unresolved.extend(heirs.into_iter().map(|path| (path, failure.clone())));
            }
            if let Intent::MoveLocal { to, .. } = &intent {
                // What the drive has at the new path waits for it too.
                self.unresolved.insert(to.clone(), failure.clone());
            }
            self.unresolved.insert(intent.path().to_owned(), failure);
            self.open[at] = intent;
            at += 1;
        }
        self.is_tried = true;
        Ok(())
    }

    /// Settles one intent. An upload's intent that stays open says afterwards how far the upload has come.
    async fn settle(&mut self, intent: &mut Intent) -> Result<(), StepError> {
        let done = vec![intent.path().to_owned()];
        let is_concluded_from_what_is_gone = match &intent {
            Intent::Delete { .. } | Intent::DeleteFolder { .. } | Intent::Trash { .. } => true,
            // The bytes would be sent again when the file is back.
            Intent::Upload(under_way) => under_way.at.may_have_all_bytes(),
            _ => false,
        };
        if is_concluded_from_what_is_gone && self.is_suddenly_empty() {
            // The person is asked about the suddenly empty folder first.
            return Err(StepError::Path(Cause::Changed.into()));
        }
        let settlement = match intent.clone() {
            Intent::Upload(mut under_way) => {
                let settled = self.settle_upload(&mut under_way).await;
                *intent = Intent::Upload(under_way);
                return settled;
            }
            Intent::MakeFolder { path, identity, place } => {
                let made = folder_at(&self.remote, &place);
                let changes = self.settle_folder(&path, identity, made, place);
                settled(path, changes, ChangeKind::FolderMade)
            }
            Intent::MakeLocalFolder { path, folder, place } => {
                let changes = match self.ports.disk.look(&path).await? {
                    // Whether the drive still has the folder is seen afterwards.
                    Some(LocalItem::Folder(identity)) => self.settle_folder(&path, identity, Some(folder), place),
                    _ => Vec::new(),
                };
                settled(path, changes, ChangeKind::FolderMadeHere)
            }
            Intent::Place { path, to } => self.settle_place(path, to).await?,
            Intent::MoveLocal { from, to, identity, changes, is_conflict } => {
                // An item that is still at `from` was not moved. Then `to` is not looked at, because that may fail by
                // now.
                let has_left = !self.is_at(&from, identity).await?;
                let is_done = has_left && self.is_at(&to, identity).await?;
                let what = match is_conflict {
                    true => ChangeKind::ConflictKept { from },
                    false => ChangeKind::MovedHere { from },
                };
                match is_done {
                    true => Settlement { changes, done, applied: vec![AppliedChange { path: to, what }] },
                    false => Settlement { done, ..Settlement::default() },
                }
            }
            Intent::Fetched { path, file, place, stamp, hash, is_pointer } => {
                return self.settle_fetched(path, FetchedFor { file, is_pointer }, place, stamp, hash).await;
            }
            Intent::Point { path, stamp, place, hash } => return self.settle_point(path, stamp, place, hash).await,
            Intent::DeleteFolder { path, folder } => self.settle_folder_deletion(path, folder).await?,
            Intent::Announce { pointer, of, .. } => match self.settle_announcement(pointer, &of).await? {
                true => Settlement { done, ..Settlement::default() },
                false => return Err(StepError::Path(Cause::Changed.into())),
            },
            Intent::Delete { path, file, heir } => return self.settle_delete(path, file, heir).await,
            Intent::Trash { path, file, identity } => {
                let is_done = !self.is_at(&path, identity).await? && !pointing::is_there(&self.ports, file).await?;
                // An item at the path by now is one that a person made since.
                settled_gone(path, is_done, ChangeKind::Trashed)
            }
            Intent::RemoveLocalFolder { path, identity } => {
                // Left as agreed, a folder that was removed here would be taken for one that a person deleted: the drive may
                // have it after all, because a list may have missed it. Where the whole watched folder seems empty, this needs no
                // consent: it takes nothing away on either side, and at worst the folder comes back.
                let is_done = !self.is_at(&path, identity).await?;
                settled_gone(path, is_done, ChangeKind::FolderRemoved)
            }
        };
        self.settle_with(settlement).await
    }

    /// Whether nothing of the agreed items is here any more, and no person has consented to that.
    fn is_suddenly_empty(&self) -> bool {
        let is_empty = self.local.items.is_empty() && self.unloaded.sum().files == 0 && !self.unloaded.is_waiting("");
        let is_agreed = self.agreed.records.values().any(|record| record.sides == Sides::Both);
        is_empty && is_agreed && !self.consent.contains(&Guard::LocalEmpty)
    }

    /// Whether the item of this identity is at a path.
    async fn is_at(&self, path: &str, identity: u64) -> Result<bool, StepError> {
        Ok(match self.ports.disk.look(path).await? {
            Some(LocalItem::Folder(found)) => found == identity,
            Some(LocalItem::File(file)) => file.stamp.identity == identity,
            None => false,
        })
    }

    /// Settles a fetched file. It keeps its identity on its way out of the slot, so a file that is not in the slot got
    /// to its place.
    async fn settle_fetched(
        &mut self,
        path: String,
        from: FetchedFor,
        place: Place,
        stamp: Stamp,
        hash: ContentHash,
    ) -> Result<(), StepError> {
        let waiting = self.ports.disk.fetched().await?;
        let is_waiting = waiting.iter().any(|(waiting, _)| *waiting == from.file);
        let what = ChangeKind::Fetched { bytes: stamp.size_bytes, was_edit: self.has_file(&path) };
        let changes = if is_waiting {
            Vec::new()
        } else {
            vec![Change::Put(path.clone(), self.fetched(&path, from, place, stamp, hash))]
        };
        self.settle_with(settled(path, changes, what)).await?;
        if is_waiting {
            self.ports.disk.discard_fetched(&[from.file]).await?;
        }
        Ok(())
    }

    /// Settles the deletion of a drive folder. Only a second request tells whether the folder is gone, because a list
    /// may have missed it. A folder that is wanted again by now is made again.
    async fn settle_folder_deletion(&mut self, path: String, folder: FolderId) -> Result<Settlement, StepError> {
        let deleted = unless_gone(self.ports.drive.delete_item(ItemRef::Folder(folder), false).await);
        let changes = match deleted.map_err(StepError::from) {
            Ok(()) => {
                self.remote.folders.remove(&folder);
                vec![Change::Forget(path.clone())]
            }
            Err(error @ StepError::Look { .. }) => return Err(error),
            Err(_) => Vec::new(),
        };
        Ok(settled(path, changes, ChangeKind::FolderDeletedInDrive))
    }

    /// Settles the deletion of a drive file. The deletion was decided before, so it is carried out now, unless a local
    /// file needs the drive file by now.
    async fn settle_delete(&mut self, path: String, file: FileId, heir: Option<Heir>) -> Result<(), StepError> {
        if let Some(heir) = heir.as_ref().filter(|heir| heir.has_arrived)
            && let Some(seen) = self.ports.drive.get_file(file).await?
        {
            return self.settle_arrival(path, file, heir.clone(), seen).await;
        }
        let is_home = self.agreed.records.get(&path).and_then(|record| record.as_file()).map(|file| file.file);
        if self.is_other_by_now(&path, file) {
            // Nobody has decided that this file goes.
            return self.settle_with(Settlement { done: vec![path], ..Settlement::default() }).await;
        }
        let may_delete = if is_home == Some(file) {
            self.may_delete(&path, file, &self.count_holders()).await?
        } else {
            self.may_delete_replaced(file, &self.count_holders())
        };
        if !may_delete && pointing::is_there(&self.ports, file).await? {
            return self.settle_half_way(path, file, heir).await;
        }
        let has_folder = |heir: &Heir| self.remote.folders.contains_key(&heir.place.folder);
        let removal = match heir.filter(has_folder) {
            Some(heir) => match self.look_at_heir(&path, file, &heir).await? {
                Handover::Open => self.plan_handover(file, heir),
                Handover::HeirGone => self.plan_removal(&path, file),
                // Somebody moved the file, so they want it: it belongs to the heir, which follows it to the new place.
                Handover::PassedOn => {
                    let mut changes = self.inherit(file, heir.pointer, &heir.place);
                    changes.push(Change::Forget(path.clone()));
                    return self.settle_with(settled(path, changes, ChangeKind::DeletedInDrive)).await;
                }
            },
            None => self.plan_removal(&path, file),
        };
        let removal = pointing::remove(&self.ports, &path, file, removal).await?;
        let what = if is_home == Some(file) { ChangeKind::DeletedInDrive } else { ChangeKind::ReplacedDeleted };
        let settlement = self.finish_delete(path, file, removal, what);
        self.settle_with(settlement).await
    }

    /// Settles the deletion of a drive file that stays after all. Where it was half handed over and belongs to the heir by now, the
    /// heir's pointer stands for nothing any more: left as it is, it would count as a copy to which the file is handed once more.
    async fn settle_half_way(&mut self, path: String, file: FileId, heir: Option<Heir>) -> Result<(), StepError> {
        let mut changes = Vec::new();
        if let Some(heir) = heir {
            let half_way = self.agree_half_way(&path, file, &heir);
            if half_way.is_with_the_heir {
                let renamed = self.retire_pointer(heir.pointer).await?;
                self.note_renamed(renamed);
            }
            changes = half_way.changes;
        }
        let is_gone = changes.iter().any(|change| matches!(change, Change::Forget(gone) if *gone == path));
        let what = ChangeKind::DeletedInDrive;
        let applied = is_gone.then(|| AppliedChange { path: path.clone(), what }).into_iter().collect();
        self.settle_with(Settlement { changes, done: vec![path], applied }).await
    }

    /// Has a pointer's own name say that it stands for nothing any more, unless it says so already. Returns what was renamed.
    async fn retire_pointer(&self, pointer: FileId) -> Result<Option<Renaming>, StepError> {
        let renamed = self.plan_retirement(pointer).filter(|_| !self.is_retired(pointer));
        if let Some(renaming) = &renamed {
            pointing::rename(&self.ports, renaming).await?;
        }
        Ok(renamed)
    }

    /// Settles the handing-over of a drive file that had arrived at its heir's place. The file is the heir's by now, also
    /// where someone has moved it on, or given it other content: both are then seen as done to the heir.
    async fn settle_arrival(
        &mut self,
        path: String,
        file: FileId,
        heir: Heir,
        seen: RemoteFile,
    ) -> Result<(), StepError> {
        let renamed = self.retire_pointer(heir.pointer).await?;
        let removal = Removal::HandOver { announcement: None, steps: Vec::new(), heir, renamed };
        let settlement = self.finish_delete(path, file, removal, ChangeKind::DeletedInDrive);
        self.remote.put_file(file, seen);
        self.settle_with(settlement).await
    }

    /// The agreement on a drive file that stays after all, and was half handed over. At the place of a heir that is
    /// still here, it belongs to the heir; else to its own path, at its present place, because nobody else moved it
    /// there.
    fn agree_half_way(&self, path: &str, file: FileId, heir: &Heir) -> HalfWay {
        let seen = self.remote.files.get(&file);
        let Some(at) = seen.and_then(|seen| Some(Place { folder: seen.folder?, name: seen.name.clone() })) else {
            return HalfWay::default();
        };
        let is_home = self.agreed.records.get(path).and_then(Record::as_file).is_some_and(|own| own.file == file);
        let has_come = at.folder == heir.place.folder && names::is_numbered(&at.name, &heir.place.name);
        let is_here = |copy: &String| self.local.file(copy).is_some() || self.local.is_hidden(copy);
        if has_come && self.paths_of(heir.pointer).any(|copy| is_here(&copy)) {
            let mut changes = self.inherit(file, heir.pointer, &at);
            changes.extend(is_home.then(|| Change::Forget(path.to_owned())));
            return HalfWay { changes, is_with_the_heir: true };
        }
        // On its way the file may have a temporary name, in either folder.
        let is_under_way = at.folder == heir.place.folder
            || names::is_aside(&at.name)
            || names::is_numbered(&at.name, &heir.place.name);
        let changes = if is_home && is_under_way { agreeing::placed(&self.agreed, path, &at) } else { Vec::new() };
        HalfWay { changes, is_with_the_heir: false }
    }

    /// The paths that are agreed to have a drive file, or the content that it stands for.
    pub(super) fn paths_of(&self, file: FileId) -> impl Iterator<Item = String> {
        let has_it = move |record: &Record| record.as_file().is_some_and(|own| own.file == file);
        self.agreed.records.iter().filter(move |(_, record)| has_it(record)).map(|(path, _)| path.clone())
    }

    /// The local path that a pointer's own file would have.
    pub(super) fn path_of_pointer(&self, pointer: FileId) -> Option<String> {
        let seen = self.remote.pointers.get(pointer)?;
        let folder = self.paths_by_folder().get(&seen.folder).copied()?;
        Some(tree::join(folder, &seen.pointer.file_name(pointer)))
    }

    /// Whether a pointer's own name says that it stands for nothing any more.
    fn is_retired(&self, pointer: FileId) -> bool {
        let said = self.remote.pointers.get(pointer).map(|seen| &seen.pointer.state);
        matches!(said, Some(State::Gone(_)))
    }

    /// How far the drive file of a path is on its way to its heir. A pointer that says that it stands for nothing any
    /// more is one whose copy was deleted, or one whose file has arrived: the file's place tells which.
    async fn look_at_heir(&self, path: &str, file: FileId, heir: &Heir) -> Result<Handover, StepError> {
        if !self.is_retired(heir.pointer) {
            return Ok(Handover::Open);
        }
        let seen = self.ports.drive.get_file(file).await?;
        let Some(at) = seen.and_then(|seen| Some(Place { folder: seen.folder?, name: seen.name })) else {
            return Ok(Handover::HeirGone);
        };
        let is_beside = |place: &Place| at.folder == place.folder && names::is_numbered(&at.name, &heir.place.name);
        if is_beside(&heir.place) {
            return Ok(Handover::Open);
        }
        let own = self.agreed.records.get(path).filter(|record| record.as_file().is_some_and(|own| own.file == file));
        let is_moved_on = own.is_some_and(|record| {
            let has_its_name = at.folder == heir.place.folder && at.name == record.place.name;
            at != record.place && !has_its_name && !is_beside(&record.place) && !names::is_aside(&at.name)
        });
        Ok(if is_moved_on { Handover::PassedOn } else { Handover::HeirGone })
    }

    /// Agrees on a folder that one side got from the other, unless something is agreed about either by now. If the
    /// folder was moved or deleted since, that is then seen as a move or a deletion, and not as a new folder.
    fn settle_folder(&self, path: &str, identity: u64, folder: Option<FolderId>, place: Place) -> Vec<Change> {
        let is_known = |folder| self.agreed.records.values().any(|record| record.as_folder() == Some(folder));
        match folder {
            Some(folder) if !self.agreed.records.contains_key(path) && !is_known(folder) => {
                let agreement = Agreement::Folder { folder, identity };
                vec![Change::Put(path.to_owned(), Record { agreement, place, sides: Sides::Both })]
            }
            _ => Vec::new(),
        }
    }

    async fn settle_place(&mut self, path: String, to: Place) -> Result<Settlement, StepError> {
        let Some(record) = self.agreed.records.get(&path) else {
            return Ok(Settlement { done: vec![path], ..Settlement::default() });
        };
        let from = record.place.clone();
        let actual = match &record.agreement {
            Agreement::Folder { folder, .. } => {
                let seen = self.remote.folders.get(folder);
                seen.and_then(|seen| Some(Place { folder: seen.parent?, name: seen.name.clone() }))
            }
            // A list may have missed the file while it moved.
            Agreement::File(file) => {
                let id = file.file;
                match self.ports.drive.get_file(id).await? {
                    Some(seen) => self.remote.put_file(id, seen),
                    None => self.remote.remove_file(id),
                }
                self.remote.expand_pointers();
                // A copy whose name is another file's is seen under a numbered one, which its pointer does not have.
                let pointer = self.remote.pointers.get(id);
                let pointer = pointer.map(|seen| Place { folder: seen.folder, name: seen.pointer.name.clone() });
                let seen = self.remote.files.get(&id);
                pointer.or_else(|| seen.and_then(|seen| Some(Place { folder: seen.folder?, name: seen.name.clone() })))
            }
        };
        let is_there = actual.as_ref() == Some(&to);
        let changes = if is_there { agreeing::placed(&self.agreed, &path, &to) } else { Vec::new() };
        let applied = if changes.is_empty() { Vec::new() } else { moved_in_drive(&path, from, to) };
        Ok(Settlement { changes, done: vec![path], applied })
    }
}

/// The settlement of an intent: where something follows from it, its change was made, and the history tells of it.
pub(super) fn settled(path: String, changes: Vec<Change>, what: ChangeKind) -> Settlement {
    let applied = if changes.is_empty() { Vec::new() } else { vec![AppliedChange { path: path.clone(), what }] };
    Settlement { changes, done: vec![path], applied }
}

/// The settlement of an intent to take an item away from its path: it is forgotten there where that was done.
fn settled_gone(path: String, is_done: bool, what: ChangeKind) -> Settlement {
    let changes = is_done.then(|| Change::Forget(path.clone())).into_iter().collect();
    settled(path, changes, what)
}
