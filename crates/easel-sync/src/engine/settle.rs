//! Settling what a crash or a lost answer left open, by what both sides show now, before anything is planned.

use easel_wire::{FileId, FolderId, ItemRef};

use super::{Engine, Intent, Trouble};
use crate::plan::{agreeing, names};
use crate::ports::{Clock, Disk, Drive, DriveError, Settlement, Store, Uploaded};
use crate::tree::{
    self, Agreement, Change, ContentHash, LocalItem, Place, Record, Remote, RemoteFolder, Stamp, Standing,
};

/// The folder at a place, as the drive compares names.
pub(super) fn folder_at(remote: &Remote, place: &Place) -> Option<FolderId> {
    let is_at =
        |seen: &RemoteFolder| seen.parent == Some(place.folder) && names::key(&seen.name) == names::key(&place.name);
    remote.folders.iter().find(|(_, seen)| is_at(seen)).map(|(id, _)| *id)
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    pub(super) async fn settle(&mut self, intent: Intent) -> Result<(), Trouble> {
        let done = vec![intent.path().to_owned()];
        let settlement = match intent {
            Intent::MakeFolder { path, identity, place } => {
                let made = folder_at(&self.remote, &place);
                self.settle_folder(path, identity, made, place)
            }
            Intent::MakeLocalFolder { path, folder, place } => match self.ports.disk.look(&path).await? {
                Some(LocalItem::Folder(identity)) => {
                    let there = self.remote.folders.contains_key(&folder).then_some(folder);
                    self.settle_folder(path, identity, there, place)
                }
                _ => Vec::new(),
            },
            Intent::Place { path, to } => self.settle_place(path, &to),
            Intent::MoveLocal { to, identity, changes, .. } => {
                let is_there = match self.ports.disk.look(&to).await? {
                    Some(LocalItem::Folder(found)) => found == identity,
                    Some(LocalItem::File(file)) => file.stamp.identity == identity,
                    None => false,
                };
                if is_there { changes } else { Vec::new() }
            }
            Intent::Fetched { path, file, place, stamp, hash } => {
                return self.settle_fetched(path, file, place, stamp, hash).await;
            }
            Intent::DeleteFolder { path, folder } => {
                let is_gone = !self.remote.folders.contains_key(&folder);
                if is_gone { vec![Change::Forget(path)] } else { Vec::new() }
            }
            Intent::Delete { path, file } => return self.settle_delete(path, file).await,
            Intent::Upload { path, stamp, hash, key } => return self.settle_upload(path, stamp, hash, key).await,
        };
        self.settle_with(Settlement { changes: settlement, done, ..Settlement::default() }).await
    }

    /// It keeps its identity on the way to its place: if it no longer waits, it got there.
    async fn settle_fetched(
        &mut self,
        path: String,
        file: FileId,
        place: Place,
        stamp: Stamp,
        hash: ContentHash,
    ) -> Result<(), Trouble> {
        let waiting = self.ports.disk.fetched().await?;
        let is_waiting = waiting.iter().any(|(waiting, _)| *waiting == file);
        let changes = if is_waiting {
            Vec::new()
        } else {
            vec![Change::Put(path.clone(), agreeing::home(file, place, stamp, hash))]
        };
        self.settle_with(Settlement { changes, done: vec![path], ..Settlement::default() }).await?;
        if is_waiting {
            self.ports.disk.discard_fetched(&[file]).await?;
        }
        Ok(())
    }

    /// It was decided, and what was on its way has come: it is done now, unless something here needs the file by now.
    async fn settle_delete(&mut self, path: String, file: FileId) -> Result<(), Trouble> {
        let is_home = self.agreed.records.get(&path).and_then(|record| record.as_file()).map(|file| file.file);
        let may_delete =
            if is_home == Some(file) { self.may_delete(&path, file).await? } else { self.may_delete_replaced(file) };
        if !may_delete && self.ports.drive.get_file(file).await?.is_some() {
            return self.settle_with(Settlement { done: vec![path], ..Settlement::default() }).await;
        }
        match self.ports.drive.delete_item(ItemRef::File(file), false).await {
            Ok(()) | Err(DriveError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
        let settlement = self.finish_delete(path, file, None);
        self.settle_with(settlement).await
    }

    async fn settle_upload(
        &mut self,
        path: String,
        stamp: Stamp,
        hash: Option<ContentHash>,
        key: Option<String>,
    ) -> Result<(), Trouble> {
        let found = hash.and_then(|hash| {
            let mut files = self.remote.files.iter();
            files.find(|(_, seen)| seen.hash == Some(hash)).map(|(id, seen)| (*id, seen.clone()))
        });
        if let (Some(hash), Some((file, seen))) = (hash, found) {
            let uploaded = Uploaded { file, seen, was_duplicate: true };
            let settlement = self.finish_upload(path, stamp, hash, uploaded);
            return self.settle_with(settlement).await;
        }
        let is_same = self.local.file(&path).is_some_and(|local| local.stamp == stamp);
        // What is staged is used: no one else ever will (specification, "Two-step signed-URL flow", rule 5).
        if let (Some(key), Some(hash), true, Some(folder)) = (key, hash, is_same, self.folder_above(&path)) {
            let place = Place { folder, name: tree::name(&path).to_owned() };
            match self.ports.drive.register(&key, &place).await.map_err(Trouble::from) {
                Ok(uploaded) => {
                    let settlement = self.finish_upload(path, stamp, hash, uploaded);
                    return self.settle_with(settlement).await;
                }
                Err(trouble @ Trouble::Look { .. }) => return Err(trouble),
                Err(_) => {}
            }
        }
        self.settle_with(Settlement { done: vec![path], ..Settlement::default() }).await
    }

    /// Agrees on a folder that one side got from the other, unless something is agreed about either by now. What was
    /// moved or deleted since is then a move or a deletion, and not something new.
    fn settle_folder(&self, path: String, identity: u64, folder: Option<FolderId>, place: Place) -> Vec<Change> {
        let is_known = |folder| self.agreed.records.values().any(|record| record.as_folder() == Some(folder));
        match folder {
            Some(folder) if !self.agreed.records.contains_key(&path) && !is_known(folder) => {
                let agreement = Agreement::Folder { folder, identity };
                vec![Change::Put(path, Record { agreement, place, standing: Standing::Both })]
            }
            _ => Vec::new(),
        }
    }

    fn settle_place(&self, path: String, to: &Place) -> Vec<Change> {
        let Some(record) = self.agreed.records.get(&path) else { return Vec::new() };
        let actual = match &record.agreement {
            Agreement::Folder { folder, .. } => self.remote.folders.get(folder).map(|seen| (seen.parent, &seen.name)),
            Agreement::File(file) => self.remote.files.get(&file.file).map(|seen| (seen.folder, &seen.name)),
        };
        if actual == Some((Some(to.folder), &to.name)) {
            vec![Change::Put(path, Record { place: to.clone(), ..record.clone() })]
        } else {
            Vec::new()
        }
    }
}
