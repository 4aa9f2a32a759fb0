//! Settling what a crash or a lost answer left open, by what both sides show now, before anything is planned.

use easel_wire::{FolderId, ItemRef};

use super::{Engine, Intent, Trouble, carry};
use crate::plan::names;
use crate::ports::{Clock, Disk, Drive, DriveError, Store, Uploaded};
use crate::tree::{self, Agreement, Change, LocalItem, Place, Record, Remote, RemoteFolder, Standing};

/// The folder at a place, as the drive compares names.
pub(super) fn folder_at(remote: &Remote, place: &Place) -> Option<FolderId> {
    let is_at =
        |seen: &RemoteFolder| seen.parent == Some(place.folder) && names::key(&seen.name) == names::key(&place.name);
    remote.folders.iter().find(|(_, seen)| is_at(seen)).map(|(id, _)| *id)
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    pub(super) async fn settle(&mut self, intent: Intent) -> Result<(), Trouble> {
        match intent {
            Intent::MakeFolder { path, identity, place } => {
                let made = folder_at(&self.remote, &place);
                self.settle_folder(path, identity, made, place).await;
            }
            Intent::MakeLocalFolder { path, folder, place } => {
                if let Some(LocalItem::Folder(identity)) = self.local.items.get(&path) {
                    let there = self.remote.folders.contains_key(&folder).then_some(folder);
                    self.settle_folder(path, *identity, there, place).await;
                } else {
                    self.agree(Vec::new()).await;
                }
            }
            Intent::Place { path, to } => self.settle_place(path, &to).await,
            Intent::MoveLocal { to, identity, changes, .. } => {
                let is_there = match self.local.items.get(&to) {
                    Some(LocalItem::Folder(found)) => *found == identity,
                    Some(LocalItem::File(file)) => file.stamp.identity == identity,
                    None => false,
                };
                self.agree(if is_there { changes } else { Vec::new() }).await;
            }
            Intent::Fetched { path, file, place, stamp, hash } => {
                // It keeps its identity on the way to its place: if it no longer waits, it got there.
                let is_waiting = self.disk.fetched().await?.is_some();
                let there = || vec![Change::Put(path, carry::home(file, place, stamp, hash))];
                self.agree(if is_waiting { Vec::new() } else { there() }).await;
                if is_waiting {
                    self.disk.discard_fetched().await?;
                }
            }
            Intent::Delete { path, file } => {
                // It was decided, and may be on its way: only a second request makes sure that it is done.
                match self.drive.delete_item(ItemRef::File(file), false).await {
                    Ok(()) | Err(DriveError::NotFound) => {}
                    Err(error) => return Err(error.into()),
                }
                self.remote.files.remove(&file);
                self.agree(self.without(&path, file)).await;
            }
            Intent::Upload { path, stamp, hash, key } => {
                let found = hash.and_then(|hash| {
                    let files = self.remote.files.iter();
                    files.filter(|(_, seen)| seen.hash == Some(hash)).map(|(id, seen)| (*id, seen.clone())).next()
                });
                if let (Some(hash), Some((file, seen))) = (hash, found) {
                    return self.finish_upload(path, stamp, hash, Uploaded { file, seen, was_duplicate: true }).await;
                }
                let is_same = self.local.file(&path).is_some_and(|local| local.stamp == stamp);
                // What is staged is used: no one else ever will (specification, "Two-step signed-URL flow", rule 5).
                if let (Some(key), Some(hash), true, Some(folder)) = (key, hash, is_same, self.folder_above(&path)) {
                    let place = Place { folder, name: tree::name(&path).to_owned() };
                    match self.drive.register(&key, &place).await {
                        Ok(uploaded) => return self.finish_upload(path, stamp, hash, uploaded).await,
                        Err(error @ (DriveError::Lost | DriveError::RateLimited { .. })) => return Err(error.into()),
                        Err(_) => {}
                    }
                }
                self.agree(Vec::new()).await;
            }
        }
        Ok(())
    }

    /// Agrees on a folder that one side got from the other, unless something is agreed about either by now. What was
    /// moved or deleted since is then a move or a deletion, and not something new.
    async fn settle_folder(&mut self, path: String, identity: u64, folder: Option<FolderId>, place: Place) {
        let is_known = |folder| self.agreed.records.values().any(|record| record.as_folder() == Some(folder));
        let changes = match folder {
            Some(folder) if !self.agreed.records.contains_key(&path) && !is_known(folder) => {
                let agreement = Agreement::Folder { folder, identity };
                vec![Change::Put(path, Record { agreement, place, standing: Standing::Both })]
            }
            _ => Vec::new(),
        };
        self.agree(changes).await;
    }

    async fn settle_place(&mut self, path: String, to: &Place) {
        let record = self.agreed.records.get(&path).cloned();
        let is_there = record.as_ref().is_some_and(|record| {
            let actual = match &record.agreement {
                Agreement::Folder { folder, .. } => {
                    self.remote.folders.get(folder).map(|seen| (seen.parent, &seen.name))
                }
                Agreement::File(file) => self.remote.files.get(&file.file).map(|seen| (seen.folder, &seen.name)),
            };
            actual == Some((Some(to.folder), &to.name))
        });
        let changes = match record {
            Some(record) if is_there => vec![Change::Put(path, Record { place: to.clone(), ..record })],
            _ => Vec::new(),
        };
        self.agree(changes).await;
    }
}
