//! One look at the drive: by its changes, or by the lists from end to end.
//!
//! Always true: an item that a list lacks counts as gone only where the list did not change while it was read, or
//! another answer agrees; an item of which too little is told keeps its known values, or is left out, and never counts
//! as gone. A service's times are relied on for as long as it tells of this program's own changes, and of the newest
//! items of its lists. Not here: when to look (`remote`).

use std::collections::{BTreeMap, BTreeSet};

use easel_client::{Client, Feature, Lane, Place};
use easel_wire::drive::{File, Folder};
use easel_wire::{FileId, FolderId, Timestamp};

use super::index::{COUNT_FILES_EVERY, DriveIndex, FIRST_HURRIED};
use super::lists::{self, FileTold, FolderTold, Found, Reader, Since, Trust};
use super::proof::Newest;
use crate::shared::error::Error;
use crate::shared::planted::Mutant;
use crate::sync::journal::SeenUntil;

/// So many pages of the list of all files are taken in together, so that a large drive is never whole in memory.
const PAGES_AT_ONCE: usize = 10;
/// So many own changes that a service did not tell of are asked about.
const LOOKED_INTO: usize = 3;
/// A folder's time may be so much earlier than that of a file in it, because the two may be written one after the
/// other.
const APART_US: i64 = 2_000_000;
/// What the service has to keep so that deletions show when only changes are asked for.
const NEEDED: [Feature; 3] = [Feature::UpdatedSince, Feature::FolderTimes, Feature::Totals];

/// Whether the service could tell what changed.
pub(super) enum DeltaAnswer {
    Changes,
    /// It could not, or its counts do not fit: the lists have to be read from end to end.
    Nothing,
}

/// What one walk through a list of the whole drive found.
pub(super) struct Pass<K, V> {
    pub(super) ids: Vec<K>,
    newest: Newest<K>,
    /// Items of which the list told too little.
    vague: BTreeMap<K, V>,
    pub(super) trust: Trust,
    has_true_total: Option<bool>,
    is_news: bool,
    /// From when on changes may be missing, by the service's clock, where that is known.
    moment: Option<Timestamp>,
}

impl<K: Copy + Ord, V> Pass<K, V> {
    const fn new() -> Self {
        Self {
            ids: Vec::new(),
            newest: Newest::new(),
            vague: BTreeMap::new(),
            trust: Trust::InPart,
            has_true_total: None,
            is_news: false,
            moment: None,
        }
    }

    pub(super) fn lacks(&self, id: &K) -> bool {
        self.ids.binary_search(id).is_err()
    }

    fn sort(&mut self) {
        self.ids.sort_unstable();
        self.ids.dedup();
    }
}

pub(super) type Folders = Pass<FolderId, FolderTold>;
pub(super) type Files = Pass<FileId, FileTold>;

/// The items in the lists of several places; `None` for one that was in two.
struct Shown<K, V>(BTreeMap<K, Option<V>>);

impl<K: Copy + Ord, V> Shown<K, V> {
    const fn new() -> Self {
        Self(BTreeMap::new())
    }

    fn see(&mut self, items: BTreeMap<K, V>) {
        for (id, item) in items {
            self.0.entry(id).and_modify(|seen| *seen = None).or_insert(Some(item));
        }
    }

    /// The items that stand in one list alone: one that stands in two is in neither for sure, because some services
    /// give all items for every place.
    fn into_unique(self, is_wanted: impl Fn(&K) -> bool) -> BTreeMap<K, V> {
        self.0.into_iter().filter(|(id, _)| is_wanted(id)).filter_map(|(id, item)| Some((id, item?))).collect()
    }
}

impl DriveIndex {
    /// Whether the service can be asked for changes, by everything that it has shown so far.
    pub(super) fn is_telling(&self, client: &Client) -> bool {
        let is_lacking = |feature: Feature| client.offers(feature) == Some(false);
        self.picture().until.is_telling && !NEEDED.into_iter().any(is_lacking)
    }

    /// Asks for the changes since `since`, and finds out which items are gone.
    pub(super) async fn read_changes(
        &self,
        client: &Client,
        since: Timestamp,
        is_thorough: bool,
        asked: &mut u64,
    ) -> Result<DeltaAnswer, Error> {
        let client = &client.in_lane(Lane::Poll);
        let ahead_before = self.ahead_ms(client);
        // From the last known change on, so that its item has to be in the answer.
        let newest = self.newest_folder();
        let from = newest.map_or(since, |(_, at)| at.min(since));
        let mut found = match lists::read_since(client, (from, since), asked).await? {
            Since::Changes(found) => *found,
            Since::InPart => return Ok(DeltaAnswer::Nothing),
            Since::NotKept => {
                client.learn(Feature::UpdatedSince, false);
                return Ok(DeltaAnswer::Nothing);
            }
        };
        // The service's clock at the first answer counts: changes during the rest of the reading are asked for again.
        let first = found.moment.filter(|_| !self.planted.is(Mutant::AsksFromTheEnd));
        let until = first.or_else(|| lists::moment_of(client, found.newest)).unwrap_or(since);
        let ahead_ms = ahead_before.max(self.ahead_ms(client));
        if self.was_clock_set(ahead_ms) {
            return Ok(DeltaAnswer::Nothing);
        }
        let Some(until) = self.allow_for_clock_set_back(since, until) else { return Ok(DeltaAnswer::Nothing) };
        let may_have_gone_back =
            self.may_have_gone_back(&found, newest) || !self.is_newest_told(client, &found, newest, asked).await?;
        // An item that is in the answer for that reason alone did not change.
        found.forget_folders_before(since);
        if !self.is_own_told(client, &found, since, asked).await? || may_have_gone_back {
            return Ok(DeltaAnswer::Nothing);
        }
        let counts = found.counts.clone();
        self.merge(found, BTreeSet::new(), BTreeSet::new()).await?;
        self.hear(client);
        let (mut suspects, mut suspected_folders) = self.list_suspects(client, counts, asked).await?;
        // An item at the top of the drive has no folder whose time would show its deletion.
        let total = lists::count_folders(client, asked).await?;
        let known = (self.picture().folders.len() as u64).saturating_sub(suspected_folders.len() as u64);
        if total.is_some_and(|total| total < known) {
            let Some((whole, Trust::Certain)) = lists::list_folders(client, Place::Everywhere, asked).await? else {
                return Ok(DeltaAnswer::Nothing);
            };
            let known: Vec<_> = self.picture().folders.keys().copied().collect();
            suspected_folders.extend(known.into_iter().filter(|id| !whole.has_folder(id)));
            self.merge(whole, BTreeSet::new(), BTreeSet::new()).await?;
        }
        let begun = self.picture().begun;
        let mut is_short = false;
        if is_thorough || begun.is_multiple_of(COUNT_FILES_EVERY) {
            let total = lists::count_files(client, asked).await?;
            let known = self.count_files().await?.saturating_sub(suspects.len() as u64);
            is_short = total.is_some_and(|total| total < known);
            if is_short {
                let top = lists::list_files(client, Place::Top, asked).await?;
                let Some((mut top, Trust::Certain)) = top else { return Ok(DeltaAnswer::Nothing) };
                self.hold_against_known(client, &mut top);
                let known = self.journal.list_drive_files_in(&self.connection_id, None).await?;
                suspects.extend(known.into_iter().filter(|id| !top.has_file(id)));
                self.merge(top, BTreeSet::new(), BTreeSet::new()).await?;
            }
        }
        if (!suspects.is_empty() || !suspected_folders.is_empty())
            && !self.confirm_gone(client, since, suspects, suspected_folders, asked).await?
        {
            return Ok(DeltaAnswer::Nothing);
        }
        // A count still does not fit, so some deletion was not found.
        if (is_thorough || is_short)
            && let Some(total) = lists::count_files(client, asked).await?
            && total < self.count_files().await?
        {
            return Ok(DeltaAnswer::Nothing);
        }
        let _one_at_a_time = self.writing.lock().await;
        let until = {
            let mut picture = self.picture();
            (picture.until.moment, picture.until.ahead_ms) = (Some(until), ahead_ms);
            picture.until
        };
        self.flush(Some(until)).await?;
        Ok(DeltaAnswer::Changes)
    }

    /// Compares the changes since a moment with those that this program made itself. Returns whether the service told
    /// of these.
    async fn is_own_told(
        &self,
        client: &Client,
        found: &Found,
        since: Timestamp,
        asked: &mut u64,
    ) -> Result<bool, Error> {
        {
            let _one_at_a_time = self.writing.lock().await;
            self.flush(None).await?;
        }
        let judged = self.picture().judge(found);
        if let Some(do_they) = judged.do_folders_follow {
            client.learn(Feature::FolderTimes, do_they);
        }
        let mut is_told = true;
        for (id, own) in judged.files.into_iter().take(LOOKED_INTO) {
            // Someone else may have deleted the file since.
            let Some(file) = lists::get_file(client, id, asked).await? else { continue };
            let is_late = file.updated_at.is_some_and(|at| at < since);
            let is_there = file.folder_id.is_none_or(|folder| folder == own.now.folder) && file.name == own.now.name;
            // A file with an earlier time may have been there before, without a change then.
            is_told &= is_late && !(is_there && own.was_known == Some(true));
            let mut told = Found::default();
            told.add_file(file, &Place::Everywhere);
            self.merge(told, BTreeSet::new(), BTreeSet::new()).await?;
        }
        for (id, folder) in judged.folders.into_iter().take(LOOKED_INTO) {
            let place = folder.parent.map_or(Place::Top, Place::In);
            let Some((listed, _)) = lists::list_folders(client, place, asked).await? else { continue };
            is_told &= listed.folders.get(&id).is_none_or(|seen| seen.folder.name != folder.name);
        }
        if !is_told {
            client.learn(Feature::UpdatedSince, false);
        } else if judged.is_any_told {
            client.learn(Feature::UpdatedSince, true);
        }
        Ok(is_told && judged.do_folders_follow != Some(false))
    }

    /// Reads both lists from end to end.
    pub(super) async fn read_whole(
        &self,
        client: &Client,
        since: Option<Timestamp>,
        now: Timestamp,
        asked: &mut u64,
    ) -> Result<(), Error> {
        // Someone waits for the first look; later ones may take their time.
        let client = &match since {
            None => client.in_lane(Lane::Transfer).hurrying(FIRST_HURRIED),
            Some(_) => client.in_lane(Lane::Poll),
        };
        let mut folders = self.walk_folders(client, asked).await?;
        let mut files = self.walk_files(client, folders.moment, asked).await?;
        let mut is_news = folders.is_news | files.is_news;
        for has_true_total in [folders.has_true_total, files.has_true_total] {
            match has_true_total {
                Some(false) => client.learn(Feature::Totals, false),
                Some(true) if client.offers(Feature::Totals).is_none() => client.learn(Feature::Totals, true),
                _ => {}
            }
        }
        // Without a clock, everything is known until the newest item's time; without any time, until no moment.
        let newest = folders.newest.at().max(files.newest.at());
        let moment = folders.moment.or_else(|| lists::moment_of(client, newest));
        let is_telling = match moment {
            Some(moment) => {
                self.prove_changes_are_told(client, moment, &mut folders, &mut files, &mut is_news, asked).await?
            }
            None => false,
        };
        if !folders.vague.is_empty() || !files.vague.is_empty() {
            is_news |= self.place_vague(client, &folders.vague, &files.vague, asked).await?;
        }
        let gone_folders = self.list_gone_folders(client, &folders, asked).await?;
        let gone_files = self.list_gone_files(client, &files, asked).await?;
        is_news |= self.take_in(Found::default(), gone_files, gone_folders).await?;
        self.tell(is_news);
        let _one_at_a_time = self.writing.lock().await;
        let until = {
            let mut picture = self.picture();
            let begun = picture.begun;
            picture.untold.drop_before(begun);
            let (moment, ahead_ms) = (moment.or(since), self.ahead_ms(client));
            picture.until = SeenUntil { moment, is_telling, whole_at: Some(now), ahead_ms };
            picture.until
        };
        self.flush(Some(until)).await
    }

    /// One walk through the list of all folders.
    pub(super) async fn walk_folders(&self, client: &Client, asked: &mut u64) -> Result<Folders, Error> {
        let mut pass = Pass::new();
        let mut found = Found::default();
        let before = client.service_time();
        let mut reader = Reader::<Folder>::new(client, Place::Everywhere);
        while let Some(page) = reader.next(asked).await? {
            pass.moment = pass.moment.or_else(|| lists::moment_before(client, before));
            for folder in page {
                pass.ids.push(folder.id);
                pass.newest.see(folder.id, folder.updated_at);
                found.add_folder(folder, &Place::Everywhere);
            }
        }
        pass.sort();
        pass.trust = reader.walked.trust(pass.ids.len() as u64);
        pass.has_true_total = reader.walked.has_true_total(pass.ids.len() as u64);
        pass.vague = found.vague_folders.clone();
        self.note_going_back(client, &found).await?;
        pass.is_news = self.take_in(found, BTreeSet::new(), BTreeSet::new()).await?;
        self.hear(client);
        Ok(pass)
    }

    /// One walk through the list of all files. A change before `moment` has to show in the folders' times.
    pub(super) async fn walk_files(
        &self,
        client: &Client,
        moment: Option<Timestamp>,
        asked: &mut u64,
    ) -> Result<Files, Error> {
        let mut pass = Pass::new();
        let mut latest: BTreeMap<FolderId, Timestamp> = BTreeMap::new();
        let mut has_hashes = false;
        let mut reader = Reader::<File>::new(client, Place::Everywhere);
        let mut is_over = false;
        while !is_over {
            let mut found = Found::default();
            self.hold_against_known(client, &mut found);
            for _ in 0..PAGES_AT_ONCE {
                let Some(page) = reader.next(asked).await? else {
                    is_over = true;
                    break;
                };
                for file in page {
                    pass.ids.push(file.id);
                    pass.newest.see(file.id, file.updated_at);
                    has_hashes |= file.content_hash.is_some();
                    if let (Some(folder), Some(at)) = (file.folder_id.flatten(), file.updated_at)
                        && moment.is_some_and(|moment| at < moment)
                    {
                        latest.entry(folder).and_modify(|latest| *latest = at.max(*latest)).or_insert(at);
                    }
                    found.add_file(file, &Place::Everywhere);
                }
            }
            pass.vague.append(&mut found.vague_files.clone());
            pass.is_news |= self.take_in(found, BTreeSet::new(), BTreeSet::new()).await?;
        }
        pass.sort();
        pass.trust = reader.walked.trust(pass.ids.len() as u64);
        pass.has_true_total = reader.walked.has_true_total(pass.ids.len() as u64);
        if !pass.ids.is_empty() {
            client.learn(Feature::ContentHash, has_hashes);
        }
        let is_earlier = |(folder, at): (FolderId, Timestamp)| {
            let picture = self.picture();
            let seen = picture.folders.get(&folder).map(|seen| seen.updated_at);
            seen.is_some_and(|seen| seen.is_none_or(|seen| seen.as_micros() < at.as_micros() - APART_US))
        };
        if latest.into_iter().any(is_earlier) {
            client.learn(Feature::FolderTimes, false);
        }
        Ok(pass)
    }

    /// Finds out whether the service tells what changed since a moment: asked about a moment just before the newest
    /// items of its lists, it has to tell of these, and of nothing older. Items that came while the lists were read come
    /// with the answer.
    async fn prove_changes_are_told(
        &self,
        client: &Client,
        moment: Timestamp,
        folders: &mut Folders,
        files: &mut Files,
        is_news: &mut bool,
        asked: &mut u64,
    ) -> Result<bool, Error> {
        let is_in_part = folders.trust.min(files.trust) == Trust::InPart;
        let is_vague = !folders.vague.is_empty() || !files.vague.is_empty();
        let is_lacking = NEEDED.into_iter().any(|feature| client.offers(feature) == Some(false));
        let before = |newest: Option<Timestamp>| newest.map_or(moment, |newest| newest.min(moment));
        let since = (before(folders.newest.just_before()), before(files.newest.just_before()));
        // If nothing is older, every answer would pass.
        let has_older = folders.newest.has_older(since.0) || files.newest.has_older(since.1);
        if !has_older || is_in_part || is_vague || is_lacking {
            return Ok(false);
        }
        let newer = match lists::read_since(client, since, asked).await? {
            Since::Changes(newer) => *newer,
            Since::InPart => return Ok(false),
            Since::NotKept => {
                client.learn(Feature::UpdatedSince, false);
                return Ok(false);
            }
        };
        let told = [folders.newest.is_told(|id| newer.has_folder(id)), files.newest.is_told(|id| newer.has_file(id))];
        if told.contains(&Some(false)) {
            client.learn(Feature::UpdatedSince, false);
        }
        let is_older_left_out = newer.folders.len() < folders.ids.len() || newer.files.len() < files.ids.len();
        // An item that changed while the lists were read may have moved from one page to another.
        folders.ids.extend(newer.folders.keys());
        folders.sort();
        files.ids.extend(newer.files.keys());
        files.sort();
        *is_news |= self.take_in(newer, BTreeSet::new(), BTreeSet::new()).await?;
        Ok(is_older_left_out && told == [Some(true); 2])
    }

    /// Finds the places of items for which the complete list tells none, by the own lists of the synced folders.
    /// Returns whether there is news.
    async fn place_vague(
        &self,
        client: &Client,
        folders: &BTreeMap<FolderId, FolderTold>,
        files: &BTreeMap<FileId, FileTold>,
        asked: &mut u64,
    ) -> Result<bool, Error> {
        let mut places = vec![Place::Top];
        for watch in self.journal.list_watches(&self.connection_id).await? {
            places.extend(self.picture().below(watch.drive_folder).into_iter().map(Place::In));
        }
        let (mut shown_folders, mut shown_files) = (Shown::new(), Shown::new());
        let mut next = 0;
        while let Some(place) = places.get(next).copied().filter(|_| places.len() > 1) {
            next += 1;
            if folders.values().any(|told| told.parent.is_none())
                && let Some((found, _)) = lists::list_folders(client, place, asked).await?
            {
                let inner: Vec<Place> = found.folders.keys().copied().map(Place::In).collect();
                if place != Place::Top {
                    places.extend(inner.into_iter().filter(|inner| !places.contains(inner)).collect::<Vec<_>>());
                }
                shown_folders.see(found.folders);
            }
            if files.values().any(|told| told.folder.is_none())
                && let Some((found, _)) = lists::list_files(client, place, asked).await?
            {
                shown_files.see(found.files);
            }
        }
        let placed = Found {
            folders: shown_folders.into_unique(|id| folders.get(id).is_some_and(|told| told.parent.is_none())),
            files: shown_files.into_unique(|id| files.get(id).is_some_and(|told| told.folder.is_none())),
            ..Found::default()
        };
        self.take_in(placed, BTreeSet::new(), BTreeSet::new()).await
    }
}
