//! Carrying out one step: checked once more, written down, done, its result written down, and both sides' picture kept true.

use easel_wire::{FileId, FolderId, ItemRef};

use super::{Engine, Intent, Trouble};
use crate::plan::{Mutant, Op};
use crate::ports::{Clock, Disk, Drive, DriveError, Store};
use crate::tree::{self, Agreement, Change, FileRecord, LocalItem, Place, Record, RemoteFolder, Role, Stamp, Standing};

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    pub(super) async fn carry_out(&mut self, op: Op) -> Result<(), Trouble> {
        match op {
            Op::Record(changes) => {
                self.agree(changes).await;
                Ok(())
            }
            Op::Hash { path } => self.read_file(&path).await,
            Op::MakeFolder { path } => self.make_folder(path).await,
            Op::MakeLocalFolder { path, folder } => self.make_local_folder(path, folder).await,
            Op::Place { path, to } => self.place(path, to).await,
            Op::MoveLocal { from, to, place, .. } => self.move_local(from, to, place).await,
            Op::Upload { path, hash } => self.upload(path, hash).await,
            Op::Download { path, file, replacing } => self.download(path, file, replacing).await,
            Op::DeleteReplaced { path, file } => self.delete_replaced(path, file).await,
            Op::DeleteFile { path, file } => self.delete_file(path, file).await,
            Op::DeleteFolder { path, folder } => self.delete_folder(path, folder).await,
            Op::TrashLocal { path } => self.trash(path).await,
            Op::RemoveLocalFolder { path } => {
                self.disk.remove_folder(&path).await?;
                self.agree(vec![Change::Forget(path)]).await;
                Ok(())
            }
        }
    }

    async fn read_file(&mut self, path: &str) -> Result<(), Trouble> {
        let stamp = self.local.file(path).ok_or(Trouble::Path)?.stamp;
        let hash = self.disk.hash(path, &stamp).await?;
        self.read.insert(path.to_owned(), (stamp, hash));
        Ok(())
    }

    /// The drive folder that a path's folder is agreed to be.
    pub(super) fn folder_above(&self, path: &str) -> Option<FolderId> {
        match tree::parent(path) {
            "" => Some(self.root),
            above => self.agreed.records.get(above)?.as_folder(),
        }
    }

    async fn make_folder(&mut self, path: String) -> Result<(), Trouble> {
        let Some(LocalItem::Folder(identity)) = self.disk.look(&path).await? else { return Err(Trouble::Path) };
        let above = self.folder_above(&path).ok_or(Trouble::Path)?;
        let place = Place { folder: above, name: tree::name(&path).to_owned() };
        // A repeat would find the folder by its name; but the local one may have another name by then.
        self.intend(Intent::MakeFolder { path: path.clone(), identity, place: place.clone() }).await;
        let folder = self.drive.create_folder(&place).await?;
        self.remote.folders.insert(folder, RemoteFolder { parent: Some(above), name: place.name.clone() });
        let agreement = Agreement::Folder { folder, identity };
        self.agree(vec![Change::Put(path, Record { agreement, place, standing: Standing::Both })]).await;
        Ok(())
    }

    async fn make_local_folder(&mut self, path: String, folder: FolderId) -> Result<(), Trouble> {
        let seen = self.remote.folders.get(&folder).ok_or(Trouble::Path)?;
        let place = Place { folder: seen.parent.ok_or(Trouble::Path)?, name: seen.name.clone() };
        self.intend(Intent::MakeLocalFolder { path: path.clone(), folder, place: place.clone() }).await;
        let identity = self.disk.make_folder(&path).await?;
        let agreement = Agreement::Folder { folder, identity };
        self.agree(vec![Change::Put(path, Record { agreement, place, standing: Standing::Both })]).await;
        Ok(())
    }

    async fn place(&mut self, path: String, to: Place) -> Result<(), Trouble> {
        let record = self.agreed.records.get(&path).ok_or(Trouble::Path)?.clone();
        let item = match &record.agreement {
            Agreement::Folder { folder, .. } => ItemRef::Folder(*folder),
            Agreement::File(file) => ItemRef::File(file.file),
        };
        self.intend(Intent::Place { path: path.clone(), to: to.clone() }).await;
        let done = if record.place.folder == to.folder {
            self.drive.rename_item(item, &to.name).await
        } else {
            self.drive.move_item(item, to.folder).await
        };
        match done {
            Ok(()) => {}
            // The picture is old: the next look shows the place that the item has now.
            Err(DriveError::NotFound | DriveError::NameTaken | DriveError::Circular) => return Err(Trouble::Path),
            Err(error) => return Err(error.into()),
        }
        match item {
            ItemRef::Folder(folder) => {
                if let Some(seen) = self.remote.folders.get_mut(&folder) {
                    (seen.parent, seen.name) = (Some(to.folder), to.name.clone());
                }
            }
            ItemRef::File(file) => {
                if let Some(seen) = self.remote.files.get_mut(&file) {
                    (seen.folder, seen.name) = (Some(to.folder), to.name.clone());
                }
            }
            ItemRef::Canvas(_) => {}
        }
        self.agree(vec![Change::Put(path, Record { place: to, ..record })]).await;
        Ok(())
    }

    async fn move_local(&mut self, from: String, to: String, place: Option<Place>) -> Result<(), Trouble> {
        let identity = match self.local.items.get(&from) {
            Some(LocalItem::Folder(identity)) => *identity,
            Some(LocalItem::File(file)) => file.stamp.identity,
            None => return Err(Trouble::Path),
        };
        let mut changes = Vec::new();
        if let Some(record) = self.agreed.records.get(&from) {
            changes.push(Change::Rename { from: from.clone(), to: to.clone() });
            if let Some(place) = place {
                changes.push(Change::Put(to.clone(), Record { place, ..record.clone() }));
            }
        }
        let intent = Intent::MoveLocal { from: from.clone(), to: to.clone(), identity, changes: changes.clone() };
        self.intend(intent).await;
        self.disk.rename(&from, &to, identity).await?;
        self.agree(changes).await;
        self.keep_settled(&from, &to);
        Ok(())
    }

    /// A move is no change of what a file holds: what was known about it stays known.
    fn keep_settled(&mut self, from: &str, to: &str) {
        let moved = |path: &String| {
            (path == from || tree::is_below(path, from)).then(|| format!("{to}{}", &path[from.len()..]))
        };
        let steady: Vec<_> = self.steady.iter().filter_map(|(path, seen)| Some((moved(path)?, *seen))).collect();
        let read: Vec<_> = self.read.iter().filter_map(|(path, seen)| Some((moved(path)?, *seen))).collect();
        self.steady.extend(steady);
        self.read.extend(read);
    }

    async fn download(&mut self, path: String, file: FileId, replacing: Option<Stamp>) -> Result<(), Trouble> {
        let seen = self.remote.files.get(&file).ok_or(Trouble::Path)?.clone();
        let place = Place { folder: seen.folder.ok_or(Trouble::Path)?, name: seen.name };
        let (stamp, hash) = self.drive.fetch(file).await?;
        if seen.hash.is_some_and(|expected| expected != hash) {
            self.disk.discard_fetched().await?;
            return Err(Trouble::Path);
        }
        let intent = Intent::Fetched { path: path.clone(), file, place: place.clone(), stamp, hash };
        self.intend(intent).await;
        if let Err(error) = self.disk.place_fetched(&path, replacing).await {
            // The intent goes first: without it, a file that waits no longer would be taken for one that got there.
            self.store.settle(&[]).await;
            self.disk.discard_fetched().await?;
            return Err(error.into());
        }
        self.agree(vec![Change::Put(path, home(file, place, stamp, hash))]).await;
        Ok(())
    }

    async fn delete_replaced(&mut self, path: String, file: FileId) -> Result<(), Trouble> {
        let is_needed = |record: &Record| record.as_file().is_some_and(|other| other.file == file);
        if self.agreed.records.values().any(is_needed) && self.settings.mutant != Some(Mutant::ForgetsLinks) {
            return Err(Trouble::Path);
        }
        self.delete(path, file).await
    }

    async fn delete_file(&mut self, path: String, file: FileId) -> Result<(), Trouble> {
        let is_planted = matches!(
            self.settings.mutant,
            Some(Mutant::DeletesBeforeUpload | Mutant::ForgetsLinks | Mutant::IgnoresGuard)
        );
        let is_needed = |(other, record): (&String, &Record)| {
            *other != path && record.as_file().is_some_and(|record| record.file == file)
        };
        if !is_planted
            && (self.disk.look(&path).await?.is_some_and(is_file) || self.agreed.records.iter().any(is_needed))
        {
            return Err(Trouble::Path);
        }
        self.delete(path, file).await
    }

    async fn delete(&mut self, path: String, file: FileId) -> Result<(), Trouble> {
        self.intend(Intent::Delete { path: path.clone(), file }).await;
        match self.drive.delete_item(ItemRef::File(file), false).await {
            Ok(()) | Err(DriveError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
        self.remote.files.remove(&file);
        self.agree(self.without(&path, file)).await;
        Ok(())
    }

    /// What is agreed about a path once a drive file of its record is gone.
    pub(super) fn without(&self, path: &str, file: FileId) -> Vec<Change> {
        let Some(record) = self.agreed.records.get(path) else { return Vec::new() };
        match &record.agreement {
            Agreement::File(agreed) if agreed.file == file => {
                // What it had replaced and is still there goes next.
                let mut replaces = agreed.replaces.clone();
                let Some(old) = replaces.pop() else { return vec![Change::Forget(path.to_owned())] };
                let agreement = Agreement::File(FileRecord {
                    file: old.file,
                    role: Role::Home,
                    hash: old.hash,
                    replaces,
                    ..agreed.clone()
                });
                vec![Change::Put(path.to_owned(), Record { agreement, place: old.place, ..record.clone() })]
            }
            Agreement::File(agreed) => {
                let mut agreed = agreed.clone();
                agreed.replaces.retain(|old| old.file != file);
                vec![Change::Put(path.to_owned(), Record { agreement: Agreement::File(agreed), ..record.clone() })]
            }
            Agreement::Folder { .. } => Vec::new(),
        }
    }

    async fn delete_folder(&mut self, path: String, folder: FolderId) -> Result<(), Trouble> {
        if let Some(LocalItem::Folder(_)) = self.disk.look(&path).await? {
            return Err(Trouble::Path);
        }
        let is_recursive = self.settings.mutant == Some(Mutant::DeletesWholeFolders);
        match self.drive.delete_item(ItemRef::Folder(folder), is_recursive).await {
            Ok(()) | Err(DriveError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
        self.remote.folders.remove(&folder);
        self.agree(vec![Change::Forget(path)]).await;
        Ok(())
    }

    /// To the trash goes only what is byte for byte what was agreed on, and only when the drive itself says that the file
    /// is gone: a list is read in pages, and what moves between two of them is in none.
    async fn trash(&mut self, path: String) -> Result<(), Trouble> {
        let record = self.agreed.records.get(&path).and_then(|record| record.as_file()).ok_or(Trouble::Path)?;
        let (file, agreed) = (record.file, record.hash);
        let is_list_enough = self.settings.mutant == Some(Mutant::BelievesLists);
        if !is_list_enough && self.drive.get_file(file).await?.is_some() {
            return Err(Trouble::Look { wait_ms: None });
        }
        if self.settings.mutant == Some(Mutant::TrashesUnseen) {
            if let Some(LocalItem::File(found)) = self.disk.look(&path).await? {
                self.disk.trash(&path, &found.stamp).await?;
            }
        } else {
            let stamp = self.local.file(&path).ok_or(Trouble::Path)?.stamp;
            if self.disk.hash(&path, &stamp).await? != agreed {
                return Err(Trouble::Path);
            }
            self.disk.trash(&path, &stamp).await?;
        }
        self.agree(vec![Change::Forget(path)]).await;
        Ok(())
    }
}

/// The record of a file whose place in the drive is its local path's own.
pub(super) fn home(file: FileId, place: Place, stamp: Stamp, hash: tree::ContentHash) -> Record {
    let agreement = Agreement::File(FileRecord { file, role: Role::Home, stamp, hash, replaces: Vec::new() });
    Record { agreement, place, standing: Standing::Both }
}

const fn is_file(item: LocalItem) -> bool {
    matches!(item, LocalItem::File(_))
}
