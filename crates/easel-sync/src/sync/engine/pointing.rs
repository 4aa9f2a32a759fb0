//! Pointers on their way: makes them, renames them to say what became of their copy, and hands a drive file over to a
//! copy that stays when the file's own path is deleted.
//!
//! Always true: no content is deleted while a pointer stands for it; before another content comes to the place of a
//! pointer, the pointer's name says so. Not here: when a pointer is made (`plan`), and the meaning of its name
//! (`pointers`).

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use easel_wire::{FileId, FolderId, ItemRef};

use super::intent::Intent;
use super::removal::{Removal, Renaming, Stop};
use super::settle::settled;
use super::state::{Engine, Ports};
use super::status::ChangeKind;
use super::step_error::StepError;
use super::task::Outcome;
use crate::shared::causes::{Cause, Failure};
use crate::shared::planted::Mutant;
use crate::shared::upload::MOST_NAMES;
use crate::sync::plan::agreeing::{self, FetchedFor};
use crate::sync::plan::{DeletionRule, names};
use crate::sync::pointers::{Heir, PlacedPointer, Pointer, State};
use crate::sync::ports::{Clock, Disk, Drive, DriveError, Store};
use crate::sync::tree::{Agreement, Change, ContentHash, FileRecord, Place, Record, Role, Sides, Stamp};

/// Whether the drive has the file, and does not say that it was deleted.
pub(super) async fn is_there<D, R: Drive, S, C>(ports: &Ports<D, R, S, C>, file: FileId) -> Result<bool, DriveError> {
    let seen = ports.drive.get_file(file).await?;
    Ok(seen.is_some_and(|seen| Pointer::read(&seen.name).is_none_or(|pointer| pointer.state.is_live())))
}

/// Renames a pointer. A pointer that is gone needs no name.
pub(super) async fn rename<D, R: Drive, S, C>(ports: &Ports<D, R, S, C>, to: &Renaming) -> Result<(), DriveError> {
    unless_gone(ports.drive.rename_item(ItemRef::File(to.pointer), &to.file_name).await)
}

/// Counts a renaming or deletion as done where its item is not there any more.
pub(super) fn unless_gone(done: Result<(), DriveError>) -> Result<(), DriveError> {
    match done {
        Err(DriveError::NotFound) => Ok(()),
        done => done,
    }
}

/// Makes a pointer for a file.
pub(super) async fn point<D, R: Drive, S, C>(
    ports: &Ports<D, R, S, C>,
    path: String,
    stamp: Stamp,
    place: Place,
    hash: ContentHash,
    announced: Option<Renaming>,
) -> Result<Outcome, StepError> {
    let Some(pointer) = Pointer::new(&place.name, hash) else {
        return Ok(Outcome::NotPointed { path, announced });
    };
    if let Some(renaming) = &announced {
        rename(ports, renaming).await?;
    }
    let nonce = uuid::Uuid::new_v4().to_string();
    // The name of a live pointer does not contain its id, so any id will do.
    let at = Place { folder: place.folder, name: pointer.file_name(FileId::imagined(0)) };
    match ports.drive.write_text(&at, &pointer.text(&nonce)).await {
        Ok(pointer) => Ok(Outcome::Pointed { path, stamp, place, hash, pointer, announced }),
        Err(DriveError::Refused(failure)) if failure.cause.is_lasting() => Ok(Outcome::NotPointed { path, announced }),
        Err(error) => Err(error.into()),
    }
}

/// Removes a drive file that a path's record names, and returns in which way.
pub(super) async fn remove<D, R: Drive, S: Store, C>(
    ports: &Ports<D, R, S, C>,
    path: &str,
    file: FileId,
    removal: Removal,
) -> Result<Removal, StepError> {
    match removal {
        Removal::Delete(expected) => {
            unless_gone(ports.drive.delete_file(file, expected).await)?;
            Ok(removal)
        }
        Removal::Retire(renamings) => {
            for renaming in &renamings {
                rename(ports, renaming).await?;
            }
            Ok(Removal::Retire(renamings))
        }
        Removal::HandOver { announcement, steps, mut heir, renamed } => {
            let mut has_begun = false;
            let stops = (announcement.as_ref(), steps.as_slice());
            let way = (path, file, renamed.as_ref());
            match hand_over(ports, way, stops, &mut heir, &mut has_begun).await {
                Ok(true) => Ok(Removal::HandOver { announcement, steps, heir, renamed }),
                // Someone else has deleted the file.
                Ok(false) => Ok(Removal::Delete(None)),
                // Half-way, the file stands for nothing that anyone wanted: the handing-over goes on from there.
                Err(StepError::Look { cause, wait_ms, .. }) if has_begun => {
                    Err(StepError::Look { cause, wait_ms, is_open: true })
                }
                Err(StepError::Kind(cause)) if has_begun => {
                    Err(StepError::Look { cause, wait_ms: None, is_open: true })
                }
                Err(error) => Err(error),
            }
        }
    }
}

/// Gives a path's drive file to a copy, and then lets the copy's pointer say that it is gone. Returns whether the file
/// was in the drive.
///
/// That the file has arrived is written down in between: once the pointer says that it is gone, the drive does not tell
/// any more whether the copy got the file or was deleted.
async fn hand_over<D, R: Drive, S: Store, C>(
    ports: &Ports<D, R, S, C>,
    (path, file, renamed): (&str, FileId, Option<&Renaming>),
    (announcement, steps): (Option<&Renaming>, &[Stop]),
    heir: &mut Heir,
    has_begun: &mut bool,
) -> Result<bool, StepError> {
    let Some(name) = move_in_steps(ports, file, announcement, steps, has_begun).await? else { return Ok(false) };
    heir.place.name = name;
    heir.has_arrived = true;
    if let Some(renaming) = renamed {
        ports.store.intend(&[Intent::Delete { path: path.to_owned(), file, heir: Some(heir.clone()) }]).await?;
        rename(ports, renaming).await?;
    }
    Ok(true)
}

/// Moves a drive file to the last of some stops, after its coming is announced there. Returns the file's name there,
/// which differs from the wanted one where another file has taken that meanwhile; `None` where the file was not in the
/// drive.
async fn move_in_steps<D, R: Drive, S, C>(
    ports: &Ports<D, R, S, C>,
    file: FileId,
    announcement: Option<&Renaming>,
    steps: &[Stop],
    has_begun: &mut bool,
) -> Result<Option<String>, DriveError> {
    let item = ItemRef::File(file);
    let Some(seen) = ports.drive.get_file(file).await? else { return Ok(None) };
    if let Some(renaming) = announcement {
        rename(ports, renaming).await?;
        *has_begun = true;
    }
    let mut at = Stop { folder: seen.folder, name: seen.name };
    let mut steps: VecDeque<Stop> = steps.iter().cloned().collect();
    let last = steps.back().cloned().unwrap_or_else(|| at.clone());
    let mut taken = HashSet::new();
    while let Some(to) = steps.pop_front() {
        let (next, gone) = if at.folder != to.folder {
            let next = Stop { folder: to.folder, name: at.name.clone() };
            (next, ports.drive.move_item(item, to.folder).await)
        } else if at.name != to.name {
            (to.clone(), ports.drive.rename_item(item, &to.name).await)
        } else {
            continue;
        };
        match gone {
            Ok(()) => {
                *has_begun = true;
                at = next;
                if at != to {
                    steps.push_front(to);
                }
            }
            // When two files are handed over to each other's copies, each wants the name that the other still has.
            Err(DriveError::NameTaken) if taken.len() < MOST_NAMES => {
                taken.insert(next.name);
                let free = names::numbered(&last.name, |name| taken.contains(name));
                let renamed = Stop { folder: at.folder, name: free.clone() };
                steps = VecDeque::from([renamed, Stop { folder: last.folder, name: free }]);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Some(at.name))
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// The live pointer of a path, if it lies at `at`.
    fn own_pointer(&self, path: &str, at: &Place) -> Option<(&FileRecord, &PlacedPointer)> {
        let file = self.agreed.records.get(path).and_then(Record::as_file).filter(|file| file.is_pointer)?;
        let seen = self.remote.pointers.get(file.file)?;
        let is_there = seen.folder == at.folder && names::key(&seen.pointer.name) == names::key(&at.name);
        (is_there && seen.pointer.state.is_live()).then_some((file, seen))
    }

    /// What the pointer at a path's place has to announce before another content comes there. Nothing where the path's
    /// own content comes, which nobody else has any more: who sees both knows that the pointer is over, and if the
    /// content does not arrive, the pointer still stands for the copy.
    pub(super) fn announcement(&self, path: &str, to: &Place) -> Option<Renaming> {
        let (file, seen) = self.own_pointer(path, to)?;
        let is_its_own = self.local.file(path).is_some_and(|local| file.is_untouched(local));
        (!is_its_own).then(|| Renaming::new(file.file, seen, State::Replaced))
    }

    /// The place that a file is sent to. The service keeps names from being used twice, but does not know which names
    /// pointers stand for; so in a folder with pointers the free name is found here.
    pub(super) fn destination(&self, path: &str, to: Place) -> Place {
        let pointers = &self.remote.pointers;
        if !pointers.has_files_in(to.folder) {
            return to;
        }
        let own = self.own_pointer(path, &to).map(|(file, _)| file.file);
        self.free_place(&to, |file| Some(file) != own)
    }

    /// The place of a new pointer: its path's own, unless a file lies there that this path does not replace.
    pub(super) fn place_of_pointer(&self, path: &str, to: &Place) -> Place {
        let record = self.agreed.records.get(path).and_then(Record::as_file);
        let replaced = record.iter().flat_map(|record| record.replaces.iter().map(|old| old.file));
        let home = record.filter(|record| record.role == Role::Home).map(|record| record.file);
        let own: HashSet<FileId> = replaced.chain(home).collect();
        self.free_place(to, |file| !own.contains(&file))
    }

    /// A place with this name, or this name and a number, that no file that `counts` has.
    fn free_place(&self, to: &Place, counts: impl Fn(FileId) -> bool) -> Place {
        let others = self.remote.files.iter().filter(|(id, seen)| seen.folder == Some(to.folder) && counts(**id));
        let taken: HashSet<Cow<'_, str>> = others.map(|(_, seen)| names::key(&seen.name)).collect();
        let name = names::numbered(&to.name, |name| taken.contains(&names::key(name)));
        Place { folder: to.folder, name }
    }

    /// The new name of a pointer that stands for nothing any more.
    pub(super) fn plan_retirement(&self, pointer: FileId) -> Option<Renaming> {
        let seen = self.remote.pointers.get(pointer)?;
        Some(Renaming::new(pointer, seen, State::Gone(self.settings.today.clone())))
    }

    /// A pointer's name after the file that it stands for was renamed to `name`.
    pub(super) fn name_after_rename(&self, pointer: FileId, name: &str) -> Option<String> {
        let seen = self.remote.pointers.get(pointer)?;
        Some(Pointer { name: name.to_owned(), ..seen.pointer.clone() }.file_name(pointer))
    }

    /// In which way a drive file that a path's record names is removed.
    pub(super) fn plan_removal(&self, path: &str, file: FileId) -> Removal {
        if let Some(own) = self.plan_retirement(file) {
            let twins = self.remote.twins(file).filter(|twin| !self.agreed.is_home_of_another(path, *twin));
            let twins = twins.filter_map(|twin| self.plan_retirement(twin));
            return Removal::Retire(std::iter::once(own).chain(twins).collect());
        }
        let hash = self.remote.files.get(&file).and_then(|seen| seen.hash).or_else(|| self.agreed_content(path, file));
        let heir =
            hash.and_then(|hash| self.remote.pointers.heir(&self.remote, file, hash, |copy| !self.is_over_here(copy)));
        let heir = heir.filter(|_| !self.is_planted(Mutant::IgnoresPointers));
        heir.map_or(Removal::Delete(self.agreed_content(path, file)), |heir| self.plan_handover(file, heir))
    }

    /// How a drive file gets to a copy that stays, from the file's present place.
    pub(super) fn plan_handover(&self, file: FileId, mut heir: Heir) -> Removal {
        heir.place = self.free_place(&heir.place, |other| other != file && !self.remote.pointers.contains(other));
        let (steps, renamed) = (self.way_to(file, &heir.place), self.plan_retirement(heir.pointer));
        let seen = self.remote.pointers.get(heir.pointer).filter(|seen| seen.pointer.state == State::Live);
        let announcement = seen.map(|seen| Renaming::new(heir.pointer, seen, State::HandedOver));
        Removal::HandOver { announcement, steps, heir, renamed }
    }

    /// Whether a pointer's copy was deleted here or has got another content, so that the pointer goes as well.
    fn is_over_here(&self, pointer: FileId) -> bool {
        let is_its = |record: &Record| record.as_file().is_some_and(|file| file.file == pointer);
        let is_replaced = |file: &FileRecord| file.replaces.iter().any(|old| old.file == pointer);
        let is_announced =
            |intent: &Intent| matches!(intent, Intent::Announce { pointer: said, .. } if *said == pointer);
        // That its copy's file is gone was seen before the deletion was begun. After a start it may count as just gone, and
        // a new file of another content may be there.
        let is_being_deleted = |intent: &Intent| {
            matches!(intent, Intent::Delete { path, file, .. } if *file == pointer
                && !self.local.is_hidden(path) && !self.may_be_back(path))
        };
        if self.open.iter().any(|intent| is_announced(intent) || is_being_deleted(intent)) {
            return true;
        }
        if self.agreed.records.values().filter_map(Record::as_file).any(is_replaced) {
            return true;
        }
        let record = self.agreed.records.iter().find(|(_, record)| is_its(record));
        self.settings.deletions == DeletionRule::Delete
            && record.is_some_and(|(path, record)| {
                let is_hidden = self.local.is_hidden(path) || self.ports.disk.is_ignored(path, false);
                // A file that went a moment ago may only have moved, so nothing follows from that yet.
                let is_undecided = is_hidden || self.local.just_gone.contains(path);
                let is_gone = self.local.file(path).is_none() && !is_undecided;
                record.sides == Sides::Both && is_gone
            })
    }

    /// Whether a path has a file that may have the agreed content: where its content is not known, the size tells.
    fn may_be_back(&self, path: &str) -> bool {
        let agreed = self.agreed.records.get(path).and_then(Record::as_file);
        self.local.file(path).is_some_and(|seen| {
            agreed.is_none_or(|agreed| match seen.hash {
                Some(hash) => hash == agreed.hash,
                None => seen.stamp.size_bytes == agreed.stamp.size_bytes,
            })
        })
    }

    /// The agreed content of a drive file.
    pub(super) fn agreed_content(&self, path: &str, file: FileId) -> Option<ContentHash> {
        let record = self.agreed.records.get(path)?.as_file()?;
        let mut replaced = record.replaces.iter().filter(|old| old.file == file).map(|old| old.hash);
        if record.file == file { Some(record.hash) } else { replaced.next() }
    }

    /// Whether a drive file other than this one, and no pointer, has the name in the folder.
    fn is_taken(&self, file: FileId, folder: Option<FolderId>, name: &str) -> bool {
        let key = names::key(name);
        let pointers = &self.remote.pointers;
        let mut others = self.remote.files.iter().filter(|(id, _)| **id != file && !pointers.contains(**id));
        others.any(|(_, other)| other.folder == folder && names::key(&other.name) == key)
    }

    /// The stops of a drive file on its way to a place: each differs in folder or name from the one before.
    fn way_to(&self, file: FileId, to: &Place) -> Vec<Stop> {
        let last = Stop { folder: Some(to.folder), name: to.name.clone() };
        let Some(seen) = self.remote.files.get(&file) else { return vec![last] };
        let is_taken = |folder, name: &str| self.is_taken(file, folder, name);
        if seen.folder == last.folder || seen.name == last.name {
            return vec![last];
        }
        let moved = Stop { folder: last.folder, name: seen.name.clone() };
        if !is_taken(last.folder, &seen.name) {
            return vec![moved, last];
        }
        let name = match is_taken(seen.folder, &to.name) {
            false => to.name.clone(),
            true => names::find_free(&to.name, names::ASIDE, |name| {
                is_taken(seen.folder, name) || is_taken(last.folder, name)
            }),
        };
        let renamed = Stop { folder: seen.folder, name: name.clone() };
        let moved = Stop { folder: last.folder, name };
        vec![renamed, moved, last]
    }

    /// The record of a fetched file.
    pub(super) fn fetched(
        &self,
        path: &str,
        from: FetchedFor,
        place: Place,
        stamp: Stamp,
        hash: ContentHash,
    ) -> Record {
        agreeing::fetched(self.agreed.records.get(path), from, place, stamp, hash)
    }

    /// Agrees on a pointer that was just made.
    pub(super) fn finish_pointing(
        &mut self,
        path: &str,
        stamp: Stamp,
        place: Place,
        hash: ContentHash,
        pointer: FileId,
    ) -> Vec<Change> {
        if let Some(said) = Pointer::new(&place.name, hash) {
            self.remote.put_pointer(pointer, PlacedPointer { folder: place.folder, pointer: said });
        }
        // Where someone else made a pointer at the same time, the next plan finds that one.
        if !self.remote.files.contains_key(&pointer) {
            return Vec::new();
        }
        let local = self.local.file(path).filter(|file| file.stamp == stamp);
        let local = (stamp, local.and_then(|file| file.changed_us));
        let record = agreeing::pointed(self.agreed.records.get(path), pointer, place, local, hash);
        vec![Change::Put(path.to_owned(), record)]
    }

    /// Brings the picture up to date with a removed drive file, and returns what changes in the agreement of other
    /// paths.
    pub(super) fn finish_removal(&mut self, file: FileId, removal: Removal) -> Vec<Change> {
        match removal {
            Removal::Delete(_) => {
                self.remote.remove_file(file);
                Vec::new()
            }
            Removal::Retire(renamings) => {
                for renaming in renamings {
                    self.remote.rename_pointer(renaming.pointer, &renaming.file_name);
                }
                Vec::new()
            }
            Removal::HandOver { heir, renamed, .. } => {
                self.remote.place_file(file, &heir.place);
                if let Some(Renaming { pointer, file_name }) = renamed {
                    self.remote.rename_pointer(pointer, &file_name);
                }
                self.inherit(file, heir.pointer, &heir.place)
            }
        }
    }

    /// Agrees that a drive file at a place has what a pointer's copies stood for so far.
    pub(super) fn inherit(&self, file: FileId, pointer: FileId, at: &Place) -> Vec<Change> {
        let put = |(path, record): (&String, &Record)| {
            let own = record.as_file().filter(|own| own.file == pointer)?;
            let agreement = Agreement::File(FileRecord { file, is_pointer: false, ..own.clone() });
            let record = Record { agreement, place: at.clone(), ..record.clone() };
            Some(Change::Put(path.clone(), record))
        };
        self.agreed.records.iter().filter_map(put).collect()
    }

    /// The paths of the pointers that announce another content. Their copies may be wanted again: only when the
    /// announcement is settled, it is known that they are not.
    pub(super) fn list_announcing(&self) -> impl Iterator<Item = (String, Failure)> {
        let pointers = self.open.iter().filter_map(|intent| match intent {
            Intent::Announce { pointer, .. } => Some(*pointer),
            _ => None,
        });
        pointers.filter_map(|pointer| Some((self.path_of_pointer(pointer)?, Cause::Changed.into())))
    }

    /// Settles a pointer's announcement of another content: where nothing has come and nothing will, the pointer is
    /// live again. Returns whether it is settled, which it is not while the file is still on its way.
    pub(super) async fn settle_announcement(&mut self, pointer: FileId, of: &str) -> Result<bool, StepError> {
        if self.open.iter().any(|intent| intent.path() == of) {
            return Ok(false);
        }
        // Else the announced content is at the place, or nobody wants either any more.
        if self.paths_of(pointer).next().is_some()
            && let Some(seen) = self.ports.drive.get_file(pointer).await?
            && let Some(said) = Pointer::read(&seen.name).filter(|said| said.state == State::Replaced)
            && let Some(folder) = seen.folder
        {
            let live = Renaming::new(pointer, &PlacedPointer { folder, pointer: said }, State::Live);
            rename(&self.ports, &live).await?;
            self.note_renamed(Some(live));
            self.remote.expand_pointers();
        }
        Ok(true)
    }

    /// Settles a pointer that may have been made.
    pub(super) async fn settle_point(
        &mut self,
        path: String,
        stamp: Stamp,
        place: Place,
        hash: ContentHash,
    ) -> Result<(), StepError> {
        let is_others = |pointer| {
            let mut records = self.agreed.records.values().filter_map(Record::as_file);
            records.any(|file| file.file == pointer)
        };
        let made = self.remote.find_pointer(&place, hash).filter(|pointer| !is_others(*pointer));
        let what = ChangeKind::Sent { bytes: stamp.size_bytes, was_edit: self.has_file(&path) };
        let changes = match made {
            Some(pointer) => self.finish_pointing(&path, stamp, place, hash, pointer),
            None => Vec::new(),
        };
        self.settle_with(settled(path, changes, what)).await
    }
}
