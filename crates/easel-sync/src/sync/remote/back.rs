//! Detects a drive that went back in time, because its service was restored from a backup.
//!
//! Always true: a folder's time only ever goes on. So a folder with an earlier time than before shows that the drive
//! went back, and so does a file that differs from what is known and is older than the last look, if the service's
//! clock was not set back meanwhile. This is written down before the picture takes anything over, and holds for each
//! watched folder until its person was asked. A service that looks alike, because it does not tell of its newest
//! folder, is told apart here too. Not here: what is asked (`plan::deletions`), and what follows
//! (`folders::control::back`).

use std::collections::BTreeMap;

use easel_client::{Client, Feature, Place as ListPlace};
use easel_wire::{FileId, FolderId, Timestamp};

use super::lists::Found;
use super::{DriveIndex, lists};
use crate::shared::error::Error;
use crate::shared::names;
use crate::shared::planted::Mutant;
use crate::sync::journal::FolderSeen;
use crate::sync::tree::{Place, RemoteFile};

/// Two writings of the same time may differ by so much.
const APART_US: i64 = 2_000_000;

impl DriveIndex {
    /// The folder that changed last, and when. Asked for changes since then, the service tells of this folder.
    pub(super) fn newest_folder(&self) -> Option<(FolderId, Timestamp)> {
        let picture = self.picture();
        let times = picture.folders.iter().filter_map(|(id, seen)| Some((*id, seen.updated_at?)));
        times.max_by_key(|(_, at)| *at)
    }

    /// Whether an answer about the changes since then lacks the newest folder, and has nothing as new: then either the
    /// folder was deleted at the top of the drive, or the drive went back in time.
    pub(super) fn may_have_gone_back(&self, found: &Found, newest: Option<(FolderId, Timestamp)>) -> bool {
        newest.is_some_and(|(_, at)| found.newest.is_none_or(|found| found.as_micros() < at.as_micros() - APART_US))
    }

    /// Whether an answer about the changes since the newest folder's told of that folder, or the folder is gone. A
    /// service that tells only of newly made items does not.
    pub(super) async fn is_newest_told(
        &self,
        client: &Client,
        found: &Found,
        newest: Option<(FolderId, Timestamp)>,
        asked: &mut u64,
    ) -> Result<bool, Error> {
        let Some((id, at)) = newest.filter(|(id, _)| !found.has_folder(id)) else { return Ok(true) };
        let parent = self.folder(id).and_then(|folder| folder.parent);
        let place = parent.map_or(ListPlace::Top, ListPlace::In);
        let Some((listed, _)) = lists::list_folders(client, place, asked).await? else { return Ok(true) };
        let Some(there) = listed.folders.get(&id) else { return Ok(true) };
        if there.updated_at.is_some_and(|still| still >= at) {
            client.learn(Feature::UpdatedSince, false);
        }
        Ok(false)
    }

    /// Compares all folders as they are now with the known ones, and writes down where the drive went back in time.
    pub(super) async fn note_going_back(&self, client: &Client, found: &Found) -> Result<(), Error> {
        // An item that changed after the clock was set back has an earlier time, though the drive did not go back.
        let earliest = self.earliest_heard(client);
        let has_gone_back = has_gone_back(&self.picture().folders, &found.folders, earliest);
        if has_gone_back && !self.is_clock_surely_set_back(client) {
            self.record_going_back().await?;
        }
        Ok(())
    }

    /// Whether a complete list shows a file that differs from what is known, with a time before the last complete
    /// reading: at that reading the file was another, so the drive went back. The folders' times do not show this where
    /// someone has written into the folders since.
    pub(super) fn shows_older(&self, found: &Found, known: &BTreeMap<FileId, RemoteFile>) -> bool {
        let Some(until) = found.known_until else { return false };
        let picture = self.picture();
        let is_other = |known: &RemoteFile, seen: &RemoteFile| {
            let is_content_other = known.hash.zip(seen.hash).is_some_and(|(known, seen)| known != seen);
            (found.are_contents_held && is_content_other) || (found.are_names_held && known.name != seen.name)
        };
        found.files.iter().any(|(id, seen)| {
            let is_old = found.times.get(id).is_some_and(|at| at.as_micros() < until.as_micros() - APART_US);
            is_old && !picture.is_own_file(*id) && known.get(id).is_some_and(|known| is_other(known, seen))
        })
    }

    pub(super) async fn record_going_back(&self) -> Result<(), Error> {
        if self.planted.is(Mutant::FollowsRestores) {
            return Ok(());
        }
        tracing::warn!("the drive went back in time");
        self.journal.record_went_back(&self.connection_id).await?;
        let went_back = self.journal.list_went_back(&self.connection_id).await?;
        self.picture().went_back = went_back;
        Ok(())
    }

    /// Whether the drive of a watched folder went back in time and its person was not asked yet.
    pub(crate) fn has_gone_back(&self, root: FolderId) -> bool {
        self.picture().went_back.contains(&root)
    }

    /// Notes that the person of a watched folder was asked.
    pub(crate) fn forget_going_back(&self, root: FolderId) {
        self.picture().went_back.remove(&root);
    }

    /// The file at a place, as far as is known.
    pub(crate) async fn find_file(&self, place: &Place) -> Result<Option<(FileId, RemoteFile)>, Error> {
        {
            let _one_at_a_time = self.writing.lock().await;
            self.flush(None).await?;
        }
        let ids = self.journal.list_drive_files_in(&self.connection_id, Some(place.folder)).await?;
        let known = self.journal.get_drive_files(&self.connection_id, &ids).await?;
        Ok(known.into_iter().find(|(_, seen)| names::key(&seen.name) == names::key(&place.name)))
    }
}

/// Whether a folder has an earlier time than before. A time that lies in the future of the service's clock, by its
/// present or last reading, was given before that clock was set back, and tells nothing.
fn has_gone_back(
    known: &BTreeMap<FolderId, FolderSeen>,
    found: &BTreeMap<FolderId, FolderSeen>,
    heard: Option<Timestamp>,
) -> bool {
    found.iter().any(|(id, seen)| {
        let known = known.get(id).and_then(|known| known.updated_at);
        let known = known.filter(|known| heard.is_none_or(|heard| known.as_micros() <= heard.as_micros() + APART_US));
        known.zip(seen.updated_at).is_some_and(|(known, seen)| seen.as_micros() < known.as_micros() - APART_US)
    })
}

#[cfg(test)]
mod tests {
    use easel_wire::Id;

    use super::*;
    use crate::sync::tree::RemoteFolder;

    #[test]
    fn an_earlier_time_tells_of_a_drive_that_went_back_and_not_of_a_clock_that_did() {
        let folder_at = |seconds: i64| {
            let folder = RemoteFolder { parent: None, name: String::new() };
            let updated_at = Some(Timestamp::from_micros(seconds * 1_000_000));
            BTreeMap::from([(Id::imagined(1), FolderSeen { folder, updated_at })])
        };
        let check = |known: i64, found: i64, now: Option<i64>, expected: bool| {
            let now = now.map(|now| Timestamp::from_micros(now * 1_000_000));
            assert_eq!(has_gone_back(&folder_at(known), &folder_at(found), now), expected, "{known} {found} {now:?}");
        };
        check(5_000, 4_000, Some(9_000), true);
        check(5_000, 4_000, None, true);
        check(5_000, 5_000, Some(9_000), false);
        check(5_000, 6_000, Some(9_000), false);
        check(5_000, 4_999, Some(9_000), false);
        // Changed after the clock was set back to 3,990.
        check(5_000, 4_000, Some(4_010), false);
        check(3_000, 2_000, Some(4_010), true);
    }
}
