//! Looks at both sides: their pictures are kept between looks, and updated by what changed.

use std::collections::{BTreeMap, BTreeSet};

use easel_wire::FileId;

use super::intent::{Intent, OpenUpload};
use super::state::{Engine, SETTLE_MS, Steady};
use super::step_error::StepError;
use crate::shared::planted::Mutant;
use crate::shared::upload::Checkpoint;
use crate::sync::ports::{Clock, Disk, Drive, DriveSeen, Freshness, LocalSeen, RemoteSeen, Store};
use crate::sync::tree::{self, Agreement, LocalFile, LocalItem, Record, Replaced, Sides, Skipped};
use crate::sync::unloaded::Lookup;

/// What the picture of the drive lacks, and should have.
#[derive(Default)]
struct Missed {
    /// The paths that it concerns.
    paths: BTreeSet<String>,
    /// What has to be looked up, to tell what is missing from what is only not in memory.
    lookup: Lookup,
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Looks at the drive. A list is read in pages, and an item that moves between two of them can stand in neither: a
    /// missing item is looked for in a second list before it counts as gone.
    pub(super) async fn look_at_drive(&mut self, freshness: Freshness) -> Result<(), StepError> {
        self.list(freshness).await?;
        let mut missed_before = BTreeSet::new();
        loop {
            let missed = self.find_missed().await?;
            // The second list may lack another item, which was not in memory while the first one had it.
            if missed.is_subset(&missed_before) || self.is_planted(Mutant::BelievesLists) {
                return Ok(());
            }
            let before = self.remote.clone();
            self.list(Freshness::Whole).await?;
            if self.remote.add_missed(before) {
                // The picture mixes two moments now, so the next look begins it anew.
                self.remote_cursor = None;
            }
            missed_before.extend(missed);
        }
    }

    async fn list(&mut self, freshness: Freshness) -> Result<(), StepError> {
        let DriveSeen { cursor, remote, went_back } =
            self.ports.drive.list(self.remote_cursor, freshness, self.kept_items).await?;
        self.remote.has_gone_back = went_back.contains(&self.remote.root);
        match remote {
            RemoteSeen::Whole { folders, files } => {
                self.remote.folders = folders;
                self.remote.replace_files(files);
                if !self.unloaded.is_nothing() {
                    self.wait_for_all();
                }
            }
            RemoteSeen::Folders { folders, pointers } => {
                self.remote.folders = folders;
                self.remote.replace_files(pointers.into_iter().collect());
                self.wait_for_all();
            }
            RemoteSeen::Changes { folders, files } => {
                for (id, seen) in folders {
                    match seen {
                        Some(folder) => self.remote.folders.insert(id, folder),
                        None => self.remote.folders.remove(&id),
                    };
                }
                self.load_changed_there(&files).await?;
                for (id, seen) in files {
                    match seen {
                        Some(file) => self.remote.put_file(id, file),
                        None => self.remote.remove_file(id),
                    }
                }
            }
        }
        self.remote.expand_pointers();
        self.remote_cursor = Some(cursor);
        self.learn_of_versions().await
    }

    /// Finds out why a drive file has another hash than the agreed one: on a service that keeps versions, someone gave
    /// it new content.
    async fn learn_of_versions(&mut self) -> Result<(), StepError> {
        self.remote.keeps_versions = self.ports.drive.keeps_versions();
        if self.remote.keeps_versions.is_some() {
            return Ok(());
        }
        if let Some(file) = self.find_other_content() {
            self.ports.drive.ask_for_versions(file).await?;
            self.remote.keeps_versions = self.ports.drive.keeps_versions();
        }
        Ok(())
    }

    /// A drive file that has another hash than the agreed one, as a path's own file or as one that the path has
    /// replaced.
    fn find_other_content(&self) -> Option<FileId> {
        let seen = |file: FileId| self.remote.files.get(&file);
        let mut files = self.agreed.records.values().filter_map(Record::as_file);
        files.find_map(|file| {
            let own = seen(file.file).filter(|seen| file.is_overtaken_by(seen)).map(|_| file.file);
            let is_other = |old: &&Replaced| {
                !old.is_pointer && seen(old.file).and_then(|seen| seen.hash).is_some_and(|hash| hash != old.hash)
            };
            own.or_else(|| file.replaces.iter().find(is_other).map(|old| old.file))
        })
    }

    /// The paths whose drive items are missing in the picture of the drive, and should be there. What is only not in
    /// memory is loaded.
    async fn find_missed(&mut self) -> Result<BTreeSet<String>, StepError> {
        let Missed { paths, lookup } = self.list_missed();
        if self.unloaded.is_nothing() || lookup.is_empty() {
            return Ok(paths);
        }
        self.look_up(lookup).await?;
        Ok(self.list_missed().paths)
    }

    fn list_missed(&self) -> Missed {
        let mut missed = Missed::default();
        let is_open_missed = |intent: &Intent| match intent {
            // A file with a storage key is asked for by that key.
            Intent::Upload(OpenUpload { at: Checkpoint::Sent { hash: Some(hash), .. }, .. }) => {
                !self.remote.files.values().any(|file| file.hash.as_ref() == Some(hash))
            }
            // A fetched file is agreed on once its intent is settled.
            Intent::Fetched { file, .. } => !self.remote.knows_file(*file),
            Intent::Point { place, hash, .. } => self.remote.find_pointer(place, *hash).is_none(),
            Intent::MakeFolder { place, .. } => super::settle::folder_at(&self.remote, place).is_none(),
            // The service cannot be asked for a single folder.
            Intent::Place { path, .. } => {
                self.agreed.records.get(path).is_some_and(|record| record.as_folder().is_some())
            }
            _ => false,
        };
        for intent in self.open.iter().filter(|intent| is_open_missed(intent)) {
            missed.paths.insert(intent.path().to_owned());
            intent.note_references(&mut missed.lookup);
        }
        for (path, record) in self.agreed.records.iter().filter(|(_, record)| record.sides != Sides::OnlyHere) {
            let is_missed = match &record.agreement {
                Agreement::Folder { folder, .. } => !self.remote.folders.contains_key(folder),
                Agreement::File(file) => {
                    let files = file.replaces.iter().map(|old| old.file).chain([file.file]);
                    let unknown: Vec<_> = files.filter(|file| !self.remote.knows_file(*file)).collect();
                    let is_missed = !unknown.is_empty();
                    missed.lookup.files.extend(unknown);
                    is_missed
                }
            };
            if is_missed {
                missed.paths.insert(path.clone());
            }
        }
        missed
    }

    pub(super) async fn look_at_disk(&mut self) -> Result<(), StepError> {
        let seen = self.ports.disk.look_around(self.local_cursor, self.kept_items).await?;
        let now = self.ports.clock.now_ms();
        match seen.local {
            LocalSeen::Whole(mut local) => {
                self.steady.retain(|path, _| local.items.contains_key(path));
                for (path, item) in &mut local.items {
                    if let LocalItem::File(file) = item {
                        self.recognise(path, file, now);
                    }
                }
                self.local = local;
                if !self.unloaded.is_nothing() {
                    self.wait_for_all();
                }
            }
            LocalSeen::Folders(local) => {
                self.local = local;
                self.wait_for_all();
            }
            LocalSeen::Changes { items, unreadable, skipped } => {
                self.load_changed_here(&items).await?;
                self.apply(items, unreadable, skipped, now);
            }
        }
        self.local_cursor = Some(seen.cursor);
        let (items, records) = (&mut self.local.items, &self.agreed.records);
        self.steady.retain(|path, steady| {
            let Some(LocalItem::File(file)) = items.get_mut(path) else { return false };
            let record = records.get(path).and_then(|record| record.as_file());
            let is_agreed = record.is_some_and(|record| record.is_untouched(file));
            file.is_settled = is_agreed || (!steady.is_open && steady.stood_ms(now) >= SETTLE_MS);
            !is_agreed
        });
        self.note_missing(now);
        Ok(())
    }

    /// Notes since when an agreed local item is missing. A slow save, or a move between two disks, looks like a
    /// deletion at first.
    fn note_missing(&mut self, now: u64) {
        let before = std::mem::take(&mut self.missing);
        let local = &self.local;
        let is_missing = |path: &String, record: &Record, item: Option<&LocalItem>| {
            let is_here = match item {
                Some(LocalItem::Folder(_)) => record.as_folder().is_some(),
                Some(LocalItem::File(_)) => record.as_file().is_some(),
                None => false,
            };
            record.sides == Sides::Both && !is_here && !local.is_hidden(path)
        };
        // Both lists are walked side by side, so that no record needs a search of its own.
        let mut items = local.items.iter().peekable();
        let missing = self.agreed.records.iter().filter(|(path, record)| {
            while items.next_if(|(here, _)| here < path).is_some() {}
            let item = items.peek().filter(|(here, _)| here == path).map(|(_, item)| *item);
            is_missing(path, record, item)
        });
        self.missing = missing.map(|(path, _)| (path.clone(), before.get(path).copied().unwrap_or(now))).collect();
        let just_gone = self.missing.iter().filter(|(_, since)| now.saturating_sub(**since) < SETTLE_MS);
        self.local.just_gone = just_gone.map(|(path, _)| path.clone()).collect();
    }

    fn apply(
        &mut self,
        items: Vec<(String, Option<LocalItem>)>,
        unreadable: BTreeSet<String>,
        skipped: BTreeMap<String, Skipped>,
        now: u64,
    ) {
        let (there, gone): (Vec<_>, Vec<_>) = items.into_iter().partition(|(_, item)| item.is_some());
        for (path, _) in gone {
            let below: Vec<String> = self.local.below(&path).map(|(path, _)| path.clone()).collect();
            for path in below.into_iter().chain([path]) {
                self.local.items.remove(&path);
                self.steady.remove(&path);
            }
        }
        for (path, item) in there {
            let Some(mut item) = item else { continue };
            if let LocalItem::File(file) = &mut item {
                self.recognise(&path, file, now);
            }
            self.local.items.insert(path, item);
        }
        (self.local.unreadable, self.local.skipped) = (unreadable, skipped);
    }

    /// Fills in what is already known about a file that the look found.
    pub(super) fn recognise(&mut self, path: &str, file: &mut LocalFile, now: u64) {
        let is_same = |known: &&LocalFile| known.stamp == file.stamp && known.changed_us == file.changed_us;
        file.hash = self.local.file(path).filter(is_same).and_then(|known| known.hash);
        let record = self.agreed.records.get(path).and_then(|record| record.as_file());
        if record.is_some_and(|record| record.is_untouched(file)) {
            file.is_settled = true;
            self.steady.remove(path);
            return;
        }
        let still_ms = file.still_ms.into();
        if file.is_settled && still_ms >= SETTLE_MS {
            // The file has stood still for long enough, so its time need not be remembered.
            self.steady.remove(path);
            return;
        }
        let LocalFile { stamp, changed_us, .. } = *file;
        let fresh = Steady { stamp, changed_us, seen_ms: now, still_ms, is_open: !file.is_settled };
        let steady = self.steady.entry(path.to_owned()).or_insert(fresh);
        if (steady.stamp, steady.changed_us) != (stamp, changed_us) || (steady.is_open && file.is_settled) {
            *steady = fresh;
        }
        steady.is_open = fresh.is_open;
    }

    /// A move does not change a file's content: its hash stays known under the new path.
    pub(super) fn follow_move(&mut self, from: &str, to: &str) {
        let moved = |path: &str| tree::rebased(path, from, to);
        let below: Vec<String> =
            self.local.below(from).map(|(path, _)| path.clone()).chain([from.to_owned()]).collect();
        for path in below {
            if let Some(steady) = self.steady.remove(&path) {
                self.steady.insert(moved(&path), steady);
            }
        }
        self.local.rename(from, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::tree::Stamp;

    #[test]
    fn a_file_that_stood_still_before_the_clock_began_has_stood_still_so_long() {
        let stamp = Stamp { size_bytes: 1, modified_us: 1, identity: 1 };
        let check = |seen_ms: u64, still_ms: u64, now_ms: u64, expected: u64| {
            let steady = Steady { stamp, changed_us: None, seen_ms, still_ms, is_open: false };
            assert_eq!(steady.stood_ms(now_ms), expected);
        };
        check(50, 7_000, 50, 7_000);
        check(50, 0, 2_050, 2_000);
        check(50, 500, 1_050, 1_500);
        check(50, 500, 0, 500);
    }
}
