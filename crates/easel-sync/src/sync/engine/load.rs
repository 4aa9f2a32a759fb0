//! Which folders' files are in memory: those in which something differs, and those that it refers to.
//!
//! Always true: a folder whose files are not in memory was the same on both sides when they left, and is loaded before
//! anything that changed in it is applied. What is loaded may be newer than the rest of the pictures, so both sides are
//! looked at once more before anything is planned. Where there is too much for memory, every folder waits at first and
//! is loaded in its turn. Not here: what may leave and what has to be looked up (`plan`).

use std::collections::{BTreeSet, HashMap};

use easel_wire::{FileId, FolderId};

use super::state::Engine;
use super::step_error::StepError;
use crate::shared::gathered::{self, Gathered};
use crate::shared::planted::Mutant;
use crate::sync::plan::{self, Unneeded};
use crate::sync::ports::{Clock, Disk, Drive, Freshness, Store, StoreError};
use crate::sync::tree::{self, Agreement, LocalItem, Record, RemoteFile};
use crate::sync::unloaded::{Lookup, Sum};

/// So many folders are loaded in one go.
const FOLDERS_AT_ONCE: usize = 64;

/// Of the items that may be in memory, one of so many is loaded at a time while folders wait for their turn, and what
/// is the same leaves memory before more is loaded. Nothing is sent while a plan is made, which takes as long as there
/// are items in memory: short pauses cost less, and let people judge how long the rest takes.
const LOADED_PART: usize = 8;

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Has folders that are the same on both sides leave memory while it holds more items than this.
    pub fn keep(&mut self, items: usize) {
        self.kept_items = items;
    }

    /// How many items the largest of the three trees has in memory.
    pub(super) fn count_in_memory(&self) -> usize {
        self.local.items.len().max(self.agreed.records.len()).max(self.remote.files.len())
    }

    /// The files that both sides have by agreement, with those that are not in memory.
    #[must_use]
    pub fn sum_agreed(&self) -> Sum {
        let records = self.agreed.records.values().filter(|record| record.sides == tree::Sides::Both);
        records.filter_map(Record::as_file).fold(self.unloaded.sum(), |sum, file| Sum {
            files: sum.files + 1,
            bytes: sum.bytes.saturating_add(file.stamp.size_bytes),
        })
    }

    /// Loads the folders of these paths.
    ///
    /// # Errors
    /// When a side or the store cannot be read. Then nothing is loaded.
    pub async fn load_around(&mut self, paths: impl Iterator<Item = &str>) -> Result<(), StoreError> {
        let folders: BTreeSet<String> = paths.map(|path| tree::parent(path).to_owned()).collect();
        self.load_folders(folders).await.map_err(|error| match error {
            StepError::Store(error) => error,
            _ => StoreError::Unavailable { detail: "a folder could not be read".to_owned() },
        })
    }

    /// Has every folder compared anew, some at a time: no file is in memory then.
    pub(super) fn wait_for_all(&mut self) {
        self.local.keep_folders();
        self.agreed.keep_folders();
        self.remote.forget_files();
        self.looked_up = Lookup::default();
        let folders = self.local.items.keys().chain(self.agreed.records.keys()).cloned();
        self.unloaded.wait_for_all(folders.chain([String::new()]));
    }

    /// Whether a folder waits for its turn, and there is room for its files. While steps cannot be carried out, what
    /// they are about stays in memory.
    pub(super) fn may_load_more(&self) -> bool {
        self.unloaded.has_waiting()
            && (self.held_up.is_none() || self.count_in_memory() <= self.kept_items.saturating_mul(2))
    }

    /// Loads the next folders that wait for their turn.
    pub(super) async fn load_more(&mut self) -> Result<(), StepError> {
        let most = self.count_in_memory().saturating_add((self.kept_items / LOADED_PART).max(1));
        while self.unloaded.has_waiting() && self.count_in_memory() < most {
            let next = self.unloaded.list_waiting(FOLDERS_AT_ONCE.min(self.kept_items.max(1)));
            self.load_folders(next).await?;
        }
        Ok(())
    }

    /// Loads what open intents are about.
    pub(super) async fn load_for_intents(&mut self) -> Result<(), StepError> {
        if self.unloaded.is_nothing() || self.open.is_empty() {
            return Ok(());
        }
        // Whether the watched folder is empty shows in its top.
        let mut lookup = Lookup { folders: BTreeSet::from([String::new()]), ..Lookup::default() };
        for intent in &self.open {
            lookup.folders.extend(intent.paths().map(|path| tree::parent(path).to_owned()));
            lookup.folders.extend(intent.paths().filter_map(|path| self.find_moved_folder(tree::parent(path))));
            for path in intent.paths() {
                lookup.folders.extend(self.unloaded.within(path));
            }
            intent.note_references(&mut lookup);
        }
        let paths = self.paths_by_folder();
        let places = lookup.drive_folders.iter().filter_map(|folder| Some((*paths.get(folder)?).to_owned()));
        lookup.folders.extend(places);
        self.look_up(lookup).await
    }

    /// Where a folder is by now that moved here and is not agreed on at its new path yet: its files went with it.
    fn find_moved_folder(&self, path: &str) -> Option<String> {
        let Agreement::Folder { identity, .. } = &self.agreed.records.get(path)?.agreement else { return None };
        let is_it = |item: &LocalItem| matches!(item, LocalItem::Folder(here) if here == identity);
        if self.local.items.get(path).is_some_and(is_it) {
            return None;
        }
        self.local.items.iter().find(|(_, item)| is_it(item)).map(|(path, _)| path.clone())
    }

    /// How many items stay in memory while the engine works.
    pub(super) fn kept_at_work(&self) -> usize {
        if self.unloaded.has_waiting() { self.kept_items / LOADED_PART } else { self.kept_items }
    }

    /// Frees the memory of what is the same on both sides, where there are more than `kept` items.
    pub(super) fn unload(&mut self, kept: usize) {
        if self.count_in_memory() <= kept {
            return;
        }
        let Unneeded { folders, files, loaded_there } = self.ask_planner(plan::find_unneeded);
        if folders.is_empty() && (files.is_empty() || self.unloaded.is_nothing()) {
            return;
        }
        let is_unneeded = |path: &str| folders.contains_key(tree::parent(path));
        self.local.items.retain(|path, item| item.as_file().is_none() || !is_unneeded(path));
        self.agreed.records.retain(|path, record| record.as_file().is_none() || !is_unneeded(path));
        for file in files {
            self.remote.files.remove(&file);
        }
        self.unloaded.extend(&folders, loaded_there);
    }

    /// Looks at both sides once more, after something was loaded.
    pub(super) async fn look_at_both(&mut self, freshness: Freshness) -> Result<(), StepError> {
        self.look_at_drive(freshness).await?;
        self.look_at_disk().await?;
        self.review_refusals().await
    }

    /// Looks up what has to be known for the next plan.
    pub(super) async fn look_up_differences(&mut self) -> Result<(), StepError> {
        if self.unloaded.is_nothing() {
            return Ok(());
        }
        let asked = self.ask_planner(plan::find_lookup);
        // What was asked for the last plan too is in the trees: nothing that is asked for leaves them.
        let mut new = asked.clone();
        new.subtract(&self.looked_up);
        self.looked_up = asked;
        self.look_up(new).await
    }

    /// Loads what drive files have to do with that are in no tree: a file that an upload came to may be another path's.
    pub(super) async fn look_up_files(&mut self, mut files: BTreeSet<FileId>) -> Result<(), StepError> {
        files.retain(|file| !self.remote.knows_file(*file));
        if self.unloaded.is_nothing() || files.is_empty() {
            return Ok(());
        }
        self.look_up(Lookup { files, ..Lookup::default() }).await
    }

    /// Loads the folders that drive files left or came to.
    pub(super) async fn load_changed_there(&mut self, files: &[(FileId, Option<RemoteFile>)]) -> Result<(), StepError> {
        if self.unloaded.is_nothing() || files.is_empty() || self.is_planted(Mutant::LeavesUnloaded) {
            return Ok(());
        }
        let paths = self.paths_by_folder();
        let entered = files.iter().filter_map(|(_, seen)| seen.as_ref()?.folder);
        let folders = entered.filter_map(|folder| paths.get(&folder).map(|path| (*path).to_owned())).collect();
        // The record of a file that is in no tree says which folder it left.
        let unknown = files.iter().map(|(id, _)| *id).filter(|id| !self.remote.knows_file(*id)).collect();
        self.look_up(Lookup { folders, files: unknown, ..Lookup::default() }).await
    }

    /// Loads the folders in which items changed here.
    pub(super) async fn load_changed_here(&mut self, items: &[(String, Option<LocalItem>)]) -> Result<(), StepError> {
        if self.unloaded.is_nothing() || items.is_empty() || self.is_planted(Mutant::LeavesUnloaded) {
            return Ok(());
        }
        let mut folders: BTreeSet<String> = items.iter().map(|(path, _)| tree::parent(path).to_owned()).collect();
        for (path, item) in items {
            if !matches!(item, Some(LocalItem::Folder(_))) {
                folders.extend(self.unloaded.within(path));
            }
        }
        self.load_folders(folders).await
    }

    /// Loads the folders that a lookup is about, and the drive files that lie in none of them.
    pub(super) async fn look_up(&mut self, mut lookup: Lookup) -> Result<(), StepError> {
        let mut folders = std::mem::take(&mut lookup.folders);
        if !lookup.is_empty() {
            let records = self.ports.store.find_records(&lookup).await?;
            folders.extend(records.keys().map(|path| tree::parent(path).to_owned()));
            let files = self.ports.drive.find_files(&lookup).await?;
            if files.is_empty() && lookup.drive_folders.is_empty() {
                // Folders need not be told apart for nothing: there may be many.
                return self.load_folders(folders).await;
            }
            let paths = self.paths_by_folder();
            let (ours, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, file)| {
                let path = file.folder.and_then(|folder| paths.get(&folder));
                path.is_some_and(|path| self.unloaded.contains(path))
            });
            folders.extend(ours.iter().filter_map(|(_, file)| Some((*paths.get(&file.folder?)?).to_owned())));
            let is_ours = |folder: &FolderId| paths.get(folder).is_some_and(|path| self.unloaded.contains(path));
            let others_there: Vec<_> = lookup.drive_folders.into_iter().filter(|folder| !is_ours(folder)).collect();
            self.unloaded.add_loaded_there(others_there);
            for (id, file) in others {
                if !self.remote.knows_file(id) {
                    self.has_loaded = true;
                    self.remote.put_file(id, file);
                }
            }
        }
        self.load_folders(folders).await
    }

    /// Loads those of these folders that are not in memory.
    async fn load_folders(&mut self, mut folders: BTreeSet<String>) -> Result<(), StepError> {
        folders.retain(|folder| self.unloaded.contains(folder));
        if folders.is_empty() {
            return Ok(());
        }
        self.has_loaded = true;
        let drive_folders = folders.iter().filter_map(|path| self.agreed.folder_at(path, self.remote.root)).collect();
        let lookup = Lookup { drive_folders, ..Lookup::default() };
        let there = self.ports.drive.find_files(&lookup).await?;
        let mut here = Vec::with_capacity(folders.len());
        for folder in &folders {
            here.push(self.ports.disk.list_files(folder).await?);
        }
        let records = self.ports.store.find_records(&Lookup { folders: folders.clone(), ..Lookup::default() }).await?;
        self.unloaded.remove(&folders);
        self.unloaded.add_loaded_there(lookup.drive_folders);
        gathered::add(&mut self.agreed.records, records);
        self.remote.put_files(there);
        let now = self.ports.clock.now_ms();
        let mut items = Gathered::new();
        for (path, mut file) in here.into_iter().flatten() {
            self.recognise(&path, &mut file, now);
            items.push(path, LocalItem::File(file));
        }
        gathered::add(&mut self.local.items, items.into_map());
        Ok(())
    }

    /// The local folders by the drive folders that are agreed for them.
    pub(super) fn paths_by_folder(&self) -> HashMap<FolderId, &str> {
        let folders =
            self.agreed.records.iter().filter_map(|(path, record)| Some((record.as_folder()?, path.as_str())));
        folders.chain([(self.remote.root, "")]).collect()
    }
}
