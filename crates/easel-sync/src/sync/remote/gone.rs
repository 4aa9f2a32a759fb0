//! Finds out which items of the drive are gone: lists of changes do not tell of them.
//!
//! Always true: an item counts as gone only where a list without it did not change while it was read, or another answer
//! agrees. Not here: reading the lists (`look`).

use std::collections::{BTreeMap, BTreeSet};

use easel_client::{Client, Place};
use easel_wire::{FileId, FolderId, Timestamp};

use super::index::DriveIndex;
use super::lists::{self, Found, Since, Trust};
use super::look::{Files, Folders};
use crate::shared::error::Error;

/// Up to so many missing items are asked about one by one; if there are more, the list is read once more.
const ASKED_ONE_BY_ONE: usize = 32;

impl DriveIndex {
    /// Known items in folders that have fewer children than the picture, and that are not in those folders' own lists.
    pub(super) async fn list_suspects(
        &self,
        client: &Client,
        counts: BTreeMap<FolderId, (u64, u64)>,
        asked: &mut u64,
    ) -> Result<(BTreeSet<FileId>, BTreeSet<FolderId>), Error> {
        let mut suspects = BTreeSet::new();
        let mut suspected_folders = BTreeSet::new();
        for (folder, (files, folders)) in self.keep_those_that_lack(counts).await? {
            let known = self.journal.list_drive_files_in(&self.connection_id, Some(folder)).await?;
            if (known.len() as u64) > files
                && let Some((mut listed, trust)) = lists::list_files(client, Place::In(folder), asked).await?
            {
                self.hold_against_known(client, &mut listed);
                let missing: Vec<_> = known.into_iter().filter(|id| !listed.has_file(id)).collect();
                self.merge(listed, BTreeSet::new(), BTreeSet::new()).await?;
                match trust {
                    Trust::Certain => suspects.extend(missing),
                    _ => suspects.extend(self.list_denied_files(client, &missing, asked).await?),
                }
            }
            let known = self.picture().folders_in(Some(folder));
            if (known.len() as u64) > folders
                && let Some((listed, trust)) = lists::list_folders(client, Place::In(folder), asked).await?
            {
                let missing: Vec<_> = known.into_iter().filter(|id| !listed.has_folder(id)).collect();
                self.merge(listed, BTreeSet::new(), BTreeSet::new()).await?;
                match trust {
                    Trust::Certain => suspected_folders.extend(missing),
                    _ => suspected_folders.extend(self.list_denied_folders(client, &missing, asked).await?),
                }
            }
        }
        Ok((suspects, suspected_folders))
    }

    /// Those of these folders that have fewer files, or fewer folders, than the picture: a service may tell of all
    /// folders of a large drive, of which hardly any has lost an item.
    async fn keep_those_that_lack(
        &self,
        mut counts: BTreeMap<FolderId, (u64, u64)>,
    ) -> Result<BTreeMap<FolderId, (u64, u64)>, Error> {
        if counts.is_empty() {
            return Ok(counts);
        }
        let known_files = self.journal.count_drive_files_in(&self.connection_id, counts.keys().copied()).await?;
        let known_folders = self.picture().count_folders_in();
        let known = |of: &BTreeMap<FolderId, u64>, folder: &FolderId| of.get(folder).copied().unwrap_or_default();
        counts.retain(|folder, (files, folders)| {
            known(&known_files, folder) > *files || known(&known_folders, folder) > *folders
        });
        Ok(counts)
    }

    /// Counts suspects as gone, with the items in them, except those that changed since: these are somewhere else.
    /// Returns whether the service could tell which changed.
    pub(super) async fn confirm_gone(
        &self,
        client: &Client,
        since: Timestamp,
        mut suspects: BTreeSet<FileId>,
        mut suspected_folders: BTreeSet<FolderId>,
        asked: &mut u64,
    ) -> Result<bool, Error> {
        let Since::Changes(again) = lists::read_since(client, (since, since), asked).await? else {
            return Ok(false);
        };
        suspects.retain(|id| !again.has_file(id));
        suspected_folders.retain(|id| !again.has_folder(id));
        let mut inside = BTreeSet::new();
        for folder in &suspected_folders {
            inside.extend(self.picture().below(*folder));
        }
        inside.retain(|id| !again.has_folder(id));
        for folder in &inside {
            let files = self.journal.list_drive_files_in(&self.connection_id, Some(*folder)).await?;
            suspects.extend(files.into_iter().filter(|id| !again.has_file(id)));
        }
        self.merge(*again, suspects, inside).await?;
        Ok(true)
    }

    /// The folders that are gone, of those that a walk did not find.
    pub(super) async fn list_gone_folders(
        &self,
        client: &Client,
        pass: &Folders,
        asked: &mut u64,
    ) -> Result<BTreeSet<FolderId>, Error> {
        let mut missing: Vec<FolderId> = self.picture().folders.keys().filter(|id| pass.lacks(id)).copied().collect();
        if pass.trust == Trust::Certain || missing.is_empty() {
            return Ok(missing.into_iter().collect());
        }
        let mut gone = self.list_denied_folders(client, &missing, asked).await?;
        missing.retain(|id| !gone.contains(id));
        if pass.trust == Trust::Doubtful && !missing.is_empty() {
            let again = self.walk_folders(client, asked).await?;
            if again.trust != Trust::InPart {
                gone.extend(missing.into_iter().filter(|id| again.lacks(id)));
            }
        }
        Ok(gone)
    }

    /// The files that are gone, of those that a walk did not find.
    pub(super) async fn list_gone_files(
        &self,
        client: &Client,
        pass: &Files,
        asked: &mut u64,
    ) -> Result<BTreeSet<FileId>, Error> {
        let missing = {
            let _one_at_a_time = self.writing.lock().await;
            self.flush(None).await?;
            self.journal.list_drive_files_but(&self.connection_id, &pass.ids).await?
        };
        if pass.trust == Trust::Certain || missing.is_empty() {
            return Ok(missing.into_iter().collect());
        }
        if pass.trust == Trust::InPart || missing.len() <= ASKED_ONE_BY_ONE {
            return self.list_denied_files(client, &missing, asked).await;
        }
        let again = self.walk_files(client, None, asked).await?;
        if again.trust == Trust::InPart {
            return self.list_denied_files(client, &missing, asked).await;
        }
        Ok(missing.into_iter().filter(|id| again.lacks(id)).collect())
    }

    /// The items whose turn it is to be asked about at this look.
    fn turn_of<'a, K>(&self, items: &'a [K]) -> impl Iterator<Item = &'a K> {
        let looks = usize::try_from(self.picture().begun).unwrap_or_default();
        let first = looks.wrapping_mul(ASKED_ONE_BY_ONE).checked_rem(items.len()).unwrap_or_default();
        items.iter().cycle().skip(first).take(ASKED_ONE_BY_ONE.min(items.len()))
    }

    /// Some of these files that are not there, asked about by their ids. The others are asked about at later looks.
    async fn list_denied_files(
        &self,
        client: &Client,
        files: &[FileId],
        asked: &mut u64,
    ) -> Result<BTreeSet<FileId>, Error> {
        let mut denied = BTreeSet::new();
        let mut found = Found::default();
        self.hold_against_known(client, &mut found);
        for id in self.turn_of(files) {
            match lists::get_file(client, *id, asked).await {
                Ok(None) => drop(denied.insert(*id)),
                Ok(Some(file)) => found.add_file(file, &Place::Everywhere),
                // A service without this route tells nothing about the file.
                Err(easel_client::Error::RouteMissing) => break,
                Err(error) => return Err(error.into()),
            }
        }
        self.merge(found, BTreeSet::new(), BTreeSet::new()).await?;
        Ok(denied)
    }

    /// Some of these folders that are not there: asked for their items, the service says so.
    async fn list_denied_folders(
        &self,
        client: &Client,
        folders: &[FolderId],
        asked: &mut u64,
    ) -> Result<BTreeSet<FolderId>, Error> {
        let mut denied = BTreeSet::new();
        for id in self.turn_of(folders) {
            if lists::is_folder_denied(client, *id, asked).await? {
                denied.insert(*id);
            }
        }
        Ok(denied)
    }
}
