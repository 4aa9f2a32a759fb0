//! A drive that went back in time: its service was restored from a backup.
//!
//! Always true: a folder's time only ever goes on, so one that is earlier than it was tells of it, where the service's clock
//! was not set back; that is written down before the picture takes anything over, and holds for each watched folder until
//! its person was asked. What looks like it, a service that does not tell of its newest folder, is told apart here too.
//! Not here: what is asked (`plan::deletions`), and what follows (`folders::control::back`).

use easel_client::{Client, Feature, Place as ListPlace};
use easel_wire::{FileId, FolderId, Timestamp};

use super::lists::Found;
use super::look::SET_BACK_US;
use super::{DriveIndex, lists};
use crate::error::Error;
use crate::plan::names;
use crate::tree::{Place, RemoteFile};

/// Two times that are the same may be written a little apart.
const APART_US: i64 = 2_000_000;

impl DriveIndex {
    /// The folder that changed last of all that are known, and when. Asked for what changed since, the service tells of it.
    pub(super) fn newest_folder(&self) -> Option<(FolderId, Timestamp)> {
        let picture = self.picture();
        let times = picture.folders.iter().filter_map(|(id, seen)| Some((*id, seen.updated_at?)));
        times.max_by_key(|(_, at)| *at)
    }

    /// Whether an answer to what changed since then lacks it, though nothing that it has is as new: then either it was deleted
    /// at the top of the drive, or the drive went back in time.
    pub(super) fn may_have_gone_back(&self, found: &Found, newest: Option<(FolderId, Timestamp)>) -> bool {
        newest.is_some_and(|(_, at)| found.newest.is_none_or(|found| found.as_micros() < at.as_micros() - APART_US))
    }

    /// Whether an answer to what changed since the newest folder did tells of that folder, or it is gone. A service that
    /// tells only of what was made since does not.
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

    /// Holds all folders, as they are now, against those that are known, and writes down where the drive went back in time.
    pub(super) async fn note_going_back(
        &self,
        client: &Client,
        since: Option<Timestamp>,
        found: &Found,
    ) -> Result<(), Error> {
        let is_clock_set_back = since
            .zip(lists::moment_of(client, None))
            .is_some_and(|(since, now)| now.as_micros() < since.as_micros() - SET_BACK_US);
        let has_gone_back = !is_clock_set_back && {
            let picture = self.picture();
            found.folders.iter().any(|(id, seen)| {
                let known = picture.folders.get(id).and_then(|known| known.updated_at);
                known.zip(seen.updated_at).is_some_and(|(known, seen)| seen.as_micros() < known.as_micros() - APART_US)
            })
        };
        if has_gone_back {
            tracing::warn!("the drive went back in time");
            self.journal.record_went_back(&self.connection_id).await?;
            let went_back = self.journal.list_went_back(&self.connection_id).await?;
            self.picture().went_back = went_back;
        }
        Ok(())
    }

    /// Whether the drive of a watched folder went back in time and its person was not asked yet.
    pub(crate) fn has_gone_back(&self, root: FolderId) -> bool {
        self.picture().went_back.contains(&root)
    }

    /// The person of a watched folder was asked.
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
