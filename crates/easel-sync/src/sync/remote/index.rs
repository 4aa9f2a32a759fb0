//! The index of the drive that all watched folders of a connection share: when it is refreshed, and what it answers.
//!
//! Always true: see `remote`. Not here: one look at the service (`look`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Feature, Place};
use easel_wire::drive::File;
use easel_wire::{FileId, FolderId, Timestamp};
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio::time::Instant;

use super::lists::{self, Found};
use super::look::DeltaAnswer;
use super::picture::{Changed, Picture};
use crate::shared::clock::Clock;
use crate::shared::error::Error;
use crate::shared::flat::Flat;
use crate::shared::journal::Journal;
use crate::shared::mutex::lock;
use crate::shared::planted::{Mutant, Planted};
use crate::sync::journal::{DriveRows, SeenUntil};
use crate::sync::ports::{DriveSeen, Freshness, RemoteSeen};
use crate::sync::tree::{RemoteFile, RemoteFolder};
use crate::sync::unloaded::Lookup;

/// The lists are read from end to end at least this often, whatever the service tells.
const WHOLE_EVERY: Duration = Duration::from_secs(24 * 3_600);
/// The same until the service has shown, by a change that this program made itself, that it tells of changes.
const UNPROVEN_EVERY: Duration = Duration::from_secs(3_600);
/// A clock that is set by up to this, in microseconds, was not wrong.
const CLOCK_SET_US: i64 = 60_000_000;
/// The files at the top of the drive are counted at every tenth refresh.
pub(super) const COUNT_FILES_EVERY: u64 = 10;
/// How many requests it takes to find out whether the service tells what changed.
const PROOF_REQUESTS: u64 = 2;
/// Looking may take this part of the request budget: one request of ten.
const SHARE_OF_BUDGET: u64 = 10;
/// The rate of a service that does not tell its own, in requests a minute (specification, "Limits").
const USUAL_RATE: u64 = 120;
/// So many requests of the first look go in the lane of people: someone waits for it, and a small drive has no more
/// lists.
pub(super) const FIRST_HURRIED: u32 = 24;
/// The least time between two looks, however large the budget.
const SOONEST: Duration = Duration::from_secs(5);

/// See the module.
pub(crate) struct DriveIndex {
    pub(super) journal: Journal,
    pub(super) connection_id: String,
    pub(super) clock: Clock,
    /// Held by a refresh, so that there is one at a time.
    pub(super) turn: AsyncMutex<()>,
    /// Held while rows are moved between the picture and the journal.
    pub(super) writing: AsyncMutex<()>,
    pub(super) picture: Mutex<Picture>,
    /// Counts up with every change that others made.
    pub(super) changed: watch::Sender<u64>,
    pub(super) planted: Planted,
}

/// Rows on their way into the journal. If they do not get there, because of an error or because their task was dropped,
/// they go back to the picture.
struct UnsavedRows<'a> {
    index: &'a DriveIndex,
    rows: Option<DriveRows>,
}

impl Drop for UnsavedRows<'_> {
    fn drop(&mut self) {
        if let Some(rows) = self.rows.take() {
            self.index.picture().put_back(rows);
        }
    }
}

impl DriveIndex {
    pub(crate) fn new(journal: Journal, connection_id: &str, clock: Clock) -> Self {
        Self {
            journal,
            connection_id: connection_id.to_owned(),
            clock,
            turn: AsyncMutex::default(),
            writing: AsyncMutex::default(),
            picture: Mutex::new(Picture::new()),
            changed: watch::Sender::new(0),
            planted: Planted::default(),
        }
    }

    /// See [`Planted`].
    pub(crate) const fn plant(mut self, planted: Planted) -> Self {
        self.planted = planted;
        self
    }

    /// Counts up whenever someone else changed an item.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// After how many milliseconds at most a change by someone else is seen.
    pub(crate) fn looks_every_ms(&self, requests_per_minute: Option<u32>) -> u64 {
        self.every_ms(0, requests_per_minute)
    }

    /// The same while files are on their way, which need the requests. Where it is not known yet whether the service
    /// tells what changed, the next look takes a few more requests to find that out.
    pub(crate) fn looks_every_ms_at_work(&self, client: &Client, requests_per_minute: Option<u32>) -> u64 {
        let more = if client.offers(Feature::UpdatedSince).is_none() { PROOF_REQUESTS } else { 0 };
        self.every_ms(more, requests_per_minute)
    }

    pub(super) fn every_ms(&self, more: u64, requests_per_minute: Option<u32>) -> u64 {
        let requests = self.picture().requests.max(1) + more;
        let rate = requests_per_minute.map_or(USUAL_RATE, u64::from);
        let soonest = u64::try_from(SOONEST.as_millis()).unwrap_or(u64::MAX);
        // A service without a rate has no limit.
        (requests * SHARE_OF_BUDGET * 60_000).checked_div(rate).unwrap_or_default().max(soonest)
    }

    /// The items of the whole drive, as fresh as is asked (see [`Freshness`]); an answer of everything that would have
    /// more than `most` files has none.
    pub(crate) async fn list(
        &self,
        client: &Client,
        since: Option<u64>,
        freshness: Freshness,
        most: usize,
    ) -> Result<DriveSeen, Error> {
        self.load().await?;
        let is_known = self.picture().until.whole_at.is_some();
        match freshness {
            Freshness::Known if is_known => {}
            Freshness::Known | Freshness::Recent => self.refresh(client, false).await?,
            Freshness::Whole => self.refresh(client, true).await?,
        }
        let _one_at_a_time = self.writing.lock().await;
        let changed = since.and_then(|since| self.picture().since(since));
        if let Some(Changed { cursor, folders, files }) = changed {
            let files = self.look_at_files(files).await?;
            let went_back = self.picture().went_back.clone();
            return Ok(DriveSeen { cursor, remote: RemoteSeen::Changes { folders, files }, went_back });
        }
        self.flush(None).await?;
        let cursor = self.picture().last();
        let folders = self.picture().folders.iter().map(|(id, seen)| (*id, seen.folder.clone())).collect();
        let remote = if self.journal.count_drive_files(&self.connection_id).await? > most as u64 {
            RemoteSeen::Folders { folders, pointers: self.journal.find_pointer_files(&self.connection_id).await? }
        } else {
            RemoteSeen::Whole { folders, files: self.journal.load_drive_files(&self.connection_id).await? }
        };
        // A change that was made while the rows were read comes again with the next cursor.
        let went_back = self.picture().went_back.clone();
        Ok(DriveSeen { cursor, remote, went_back })
    }

    /// These files as they are by now; `None` for those that are gone. A row on its way into the journal is seen only
    /// where the caller holds `writing`.
    async fn look_at_files(&self, ids: Vec<FileId>) -> Result<Vec<(FileId, Option<RemoteFile>)>, Error> {
        let mut files: BTreeMap<_, _> = {
            let picture = self.picture();
            let pending = |id: &FileId| Some((*id, picture.pending.files.get(id)?.clone()));
            ids.iter().filter_map(pending).collect()
        };
        let written: Vec<_> = ids.into_iter().filter(|id| !files.contains_key(id)).collect();
        let mut rows = self.journal.get_drive_files(&self.connection_id, &written).await?;
        files.extend(written.into_iter().map(|id| (id, rows.remove(&id))));
        Ok(files.into_iter().collect())
    }

    /// The files that a lookup asks for, as far as they are known.
    pub(crate) async fn find_files(&self, lookup: &Lookup) -> Result<BTreeMap<FileId, RemoteFile>, Error> {
        let _one_at_a_time = self.writing.lock().await;
        self.flush(None).await?;
        self.journal.find_drive_files(&self.connection_id, lookup).await
    }

    /// Asks the service for changes; `is_thorough` also compares counts, so that no deletion stays unseen. A caller
    /// that comes during another's refresh waits for one that began after it came.
    pub(crate) async fn refresh(&self, client: &Client, is_thorough: bool) -> Result<(), Error> {
        self.load().await?;
        let came = self.picture().begun;
        let _turn = self.turn.lock().await;
        {
            let picture = self.picture();
            let (begun, was_thorough) = picture.last_done;
            if begun > came && (was_thorough || !is_thorough) {
                return Ok(());
            }
        }
        let now = Timestamp::from_micros(self.clock.now());
        let (until, begun, is_wanted) = {
            let mut picture = self.picture();
            picture.begin();
            (picture.until, picture.begun, picture.is_whole_wanted)
        };
        let every = if Self::is_proven(client) { WHOLE_EVERY } else { UNPROVEN_EVERY };
        let age_us = until.whole_at.map_or(i64::MAX, |at| now.as_micros().saturating_sub(at.as_micros()));
        // If the last reading lies in the future, this computer's clock was set back since: nobody knows how long ago
        // the reading was.
        let is_due = age_us < -CLOCK_SET_US || u128::try_from(age_us).is_ok_and(|age| age > every.as_micros());
        let is_telling = self.is_telling(client);
        let mut asked = 0;
        let told = match until.moment {
            Some(since) if is_telling && !is_due && !is_wanted => {
                self.read_changes(client, since, is_thorough, &mut asked).await?
            }
            _ => DeltaAnswer::Nothing,
        };
        let is_whole = matches!(told, DeltaAnswer::Nothing);
        if is_whole {
            self.read_whole(client, until.moment, now, &mut asked).await?;
        }
        let is_telling = self.is_telling(client);
        self.hear(client);
        let mut picture = self.picture();
        picture.refreshed_at = Some(Instant::now());
        picture.is_whole_wanted &= !is_whole;
        picture.last_done = (begun, is_thorough || is_whole);
        // The next look costs as much as this one, except that a complete reading need not be repeated.
        picture.requests = if is_whole && is_telling { 3 } else { asked };
        Ok(())
    }

    /// Whether the service has shown, by a change that this program made itself, that it tells of changes.
    pub(super) fn is_proven(client: &Client) -> bool {
        [Feature::UpdatedSince, Feature::FolderTimes].into_iter().all(|it| client.offers(it) == Some(true))
    }

    /// Whether the index is older than so many milliseconds, or someone asked to be sure.
    pub(crate) fn is_older_than(&self, age_ms: u64) -> bool {
        let picture = self.picture();
        let age = Duration::from_millis(age_ms);
        picture.is_whole_wanted || picture.refreshed_at.is_none_or(|at| at.elapsed() > age)
    }

    /// Whether the lists were ever read completely, and changes were asked for within the last few seconds.
    pub(crate) async fn is_fresh(&self) -> Result<bool, Error> {
        self.load().await?;
        let is_known = self.picture().until.whole_at.is_some();
        Ok(is_known && !self.is_older_than(u64::try_from(SOONEST.as_millis()).unwrap_or(u64::MAX)))
    }

    /// The time that the service's clock told at the last refresh.
    pub(crate) fn heard_at(&self) -> Option<Timestamp> {
        self.picture().heard_at
    }

    /// Has the next refresh read the lists from end to end, though the service tells of changes: someone wants to be
    /// sure.
    pub(crate) fn want_whole(&self) {
        self.picture().is_whole_wanted = true;
    }

    /// Whether an item within `root` changed since the cursor, as far as is known.
    pub(crate) fn is_changed_within(&self, root: FolderId, since: u64) -> bool {
        self.picture().is_changed_within(root, since) && !self.planted.is(Mutant::WakesNobody)
    }

    /// The cursor that stands for everything that is known now.
    pub(crate) fn cursor(&self) -> u64 {
        self.picture().last()
    }

    /// A folder's path from the top of the drive, such as `/Brand/Photos`; `None` where it is not known.
    pub(crate) fn path_of(&self, folder: FolderId) -> Option<String> {
        self.picture().path_of(folder)
    }

    /// Whether one of two folders is the other or lies in it.
    pub(crate) fn do_overlap(&self, one: FolderId, other: FolderId) -> bool {
        let picture = self.picture();
        picture.is_within(one, other) || picture.is_within(other, one)
    }

    /// Whether `folder` is `above` or lies in it.
    pub(crate) fn is_within(&self, folder: FolderId, above: FolderId) -> bool {
        self.picture().is_within(folder, above)
    }

    /// The folder in `parent` whose name `is_it` accepts; `None` is the top of the drive.
    pub(crate) fn find_folder(&self, parent: Option<FolderId>, is_it: impl Fn(&str) -> bool) -> Option<FolderId> {
        let picture = self.picture();
        let mut folders = picture.folders.iter();
        folders.find(|(_, seen)| seen.folder.parent == parent && is_it(&seen.folder.name)).map(|(id, _)| *id)
    }

    /// How many folders the drive has, as far as it is known.
    pub(crate) fn count_folders(&self) -> usize {
        self.picture().folders.len()
    }

    /// A folder, as far as it is known.
    pub(crate) fn folder(&self, folder: FolderId) -> Option<RemoteFolder> {
        self.picture().folders.get(&folder).map(|seen| seen.folder.clone())
    }

    /// A file, as far as it is known.
    pub(crate) async fn file(&self, file: FileId) -> Result<Option<RemoteFile>, Error> {
        Ok(self.look_at_files(vec![file]).await?.pop().and_then(|(_, file)| file))
    }

    /// Takes over the service's answer about one file: fields that were not told keep their known values. Returns the
    /// file; `None` where too little is known to say what and where it is.
    pub(crate) async fn show_file(&self, told: File) -> Result<Option<RemoteFile>, Error> {
        let id = told.id;
        let known = self.file(id).await?;
        let seen = lists::told_of(told).filled_in(known.as_ref());
        if seen.is_some() && seen != known {
            self.picture().show_file(id, known.and_then(|known| known.folder), seen.clone());
        }
        Ok(seen)
    }

    /// Takes over the service's answer that there is no file with this id. If its list still has the file, nothing is
    /// concluded.
    ///
    /// # Errors
    /// [`ClientError::Contradiction`] where the file is listed all the same; else what the service or the journal fails
    /// with.
    pub(crate) async fn deny_file(&self, client: &Client, id: FileId) -> Result<(), Error> {
        let Some(known) = self.file(id).await? else { return Ok(()) };
        let place = known.folder.map_or(Place::Top, Place::In);
        if let Some((listed, _)) = lists::list_files(client, place, &mut 0).await?
            && listed.has_file(&id)
        {
            return Err(ClientError::Contradiction { what: "a file is listed and is not there" }.into());
        }
        self.picture().show_file(id, known.folder, None);
        Ok(())
    }

    /// Notes a folder that this program made or changed.
    pub(crate) fn note_folder(&self, id: FolderId, folder: RemoteFolder) {
        self.picture().note_own_folder(id, Some(folder));
    }

    /// Notes a file that this program made or changed.
    pub(crate) fn note_file(&self, id: FileId, file: RemoteFile) {
        self.picture().note_own_file(id, None, Some(file));
    }

    /// Notes a file that this program deleted.
    pub(crate) fn note_file_gone(&self, id: FileId) {
        self.picture().note_own_file(id, None, None);
    }

    /// Notes a folder that this program deleted, with everything in it.
    pub(crate) async fn note_folder_gone(&self, id: FolderId) -> Result<(), Error> {
        let inside = self.picture().below(id);
        for folder in inside {
            for file in self.journal.list_drive_files_in(&self.connection_id, Some(folder)).await? {
                self.picture().note_own_file(file, Some(folder), None);
            }
            self.picture().note_own_folder(folder, None);
        }
        Ok(())
    }

    pub(super) fn picture(&self) -> MutexGuard<'_, Picture> {
        lock(&self.picture)
    }

    /// Runs `then` while the drive's folders lie flat in memory (`flat`). Blocking, for some milliseconds.
    pub(crate) fn while_flat(&self, then: impl FnOnce()) {
        let mut picture = self.picture();
        let flat = Flat::take(&mut picture.folders, |(_, seen), show| show(&mut seen.folder.name));
        then();
        picture.folders = flat.into_map();
    }

    pub(super) async fn load(&self) -> Result<(), Error> {
        if self.picture().is_loaded {
            return Ok(());
        }
        let _one_at_a_time = self.writing.lock().await;
        if self.picture().is_loaded {
            return Ok(());
        }
        let until = self.journal.get_drive_seen(&self.connection_id).await?;
        let folders = self.journal.load_drive_folders(&self.connection_id).await?;
        let went_back = self.journal.list_went_back(&self.connection_id).await?;
        let mut picture = self.picture();
        picture.went_back = went_back;
        picture.load(until, folders);
        Ok(())
    }

    /// Writes the changes that are not yet in the journal. The caller holds `writing`.
    pub(super) async fn flush(&self, until: Option<SeenUntil>) -> Result<(), Error> {
        let own = self.picture().untold.list_unsorted();
        if !own.is_empty() {
            let known = self.journal.get_drive_files(&self.connection_id, &own).await?;
            self.picture().untold.sort(&own, &known);
        }
        let rows = self.picture().take_pending();
        if rows.is_empty() && until.is_none() {
            return Ok(());
        }
        let mut unwritten = UnsavedRows { index: self, rows: Some(rows) };
        if let Some(rows) = &unwritten.rows {
            self.journal.record_drive(&self.connection_id, rows, until).await?;
        }
        unwritten.rows = None;
        Ok(())
    }

    pub(super) async fn count_files(&self) -> Result<u64, Error> {
        let _one_at_a_time = self.writing.lock().await;
        self.flush(None).await?;
        self.journal.count_drive_files(&self.connection_id).await
    }

    /// Takes found items into the picture, and notifies listeners of news.
    pub(super) async fn merge(
        &self,
        found: Found,
        gone_files: BTreeSet<FileId>,
        gone_folders: BTreeSet<FolderId>,
    ) -> Result<(), Error> {
        let is_news = self.take_in(found, gone_files, gone_folders).await?;
        self.tell(is_news);
        Ok(())
    }

    pub(super) fn tell(&self, is_news: bool) {
        if is_news {
            self.changed.send_modify(|version| *version += 1);
        }
    }

    /// Takes found items into the picture, except those that this program changed since the refresh began. Returns
    /// whether there is news.
    pub(super) async fn take_in(
        &self,
        mut found: Found,
        gone_files: BTreeSet<FileId>,
        gone_folders: BTreeSet<FolderId>,
    ) -> Result<bool, Error> {
        let _one_at_a_time = self.writing.lock().await;
        self.flush(None).await?;
        let ids: Vec<FileId> = found.files.keys().chain(found.vague_files.keys()).chain(&gone_files).copied().collect();
        let known = self.journal.get_drive_files(&self.connection_id, &ids).await?;
        if self.shows_older(&found, &known) {
            self.record_going_back().await?;
        }
        let is_news = {
            let mut picture = self.picture();
            found.fill_in(&known, &picture.folders);
            if self.planted.is(Mutant::KeepsOldNames) {
                found.files.retain(|id, file| known.get(id).is_none_or(|known| known.folder != file.folder));
            }
            picture.merge(found, &gone_files, &gone_folders, &known)
        };
        self.flush(None).await?;
        Ok(is_news)
    }
}
