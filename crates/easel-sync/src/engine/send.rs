//! Sending one file: directly, or signed, put and registered, written down before each step that counts.

use super::{Engine, Intent, Trouble};
use crate::plan::{self, Mutant, names};
use crate::ports::{Clock, Disk, Drive, DriveError, Source, Store, Uploaded};
use crate::tree::{self, Agreement, Change, ContentHash, FileRecord, LocalItem, Place, Record, Role, Stamp, Standing};

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    pub(super) async fn upload(&mut self, path: String, hash: Option<ContentHash>) -> Result<(), Trouble> {
        let stamp = self.local.file(&path).ok_or(Trouble::Path)?.stamp;
        let folder = self.folder_above(&path).ok_or(Trouble::Path)?;
        let place = Place { folder, name: tree::name(&path).to_owned() };
        let source = Source { path: path.clone(), stamp };
        if let Some(hash) = hash.filter(|_| stamp.size_bytes <= self.settings.direct_max_bytes) {
            self.intend(Intent::Upload { path: path.clone(), stamp, hash: Some(hash), key: None }).await;
            let uploaded = self.drive.send_direct(&source, &place).await?;
            return self.finish_upload(path, stamp, hash, uploaded).await;
        }
        // An address that expired on the way is asked for once more; after that it waits for the next look.
        for _ in 0..2 {
            let key = self.drive.sign_upload(&place.name).await?;
            let intent = |hash| Intent::Upload { path: path.clone(), stamp, hash, key: Some(key.clone()) };
            self.intend(intent(None)).await;
            let hash = match self.drive.put_signed(&key, &source).await {
                Ok(hash) => hash,
                Err(DriveError::Expired) => continue,
                Err(error) => return Err(error.into()),
            };
            self.intend(intent(Some(hash))).await;
            let uploaded = self.drive.register(&key, &place).await?;
            return self.finish_upload(path, stamp, hash, uploaded).await;
        }
        Err(Trouble::Path)
    }

    /// Agrees on what an upload came to.
    pub(super) async fn finish_upload(
        &mut self,
        path: String,
        stamp: Stamp,
        hash: ContentHash,
        uploaded: Uploaded,
    ) -> Result<(), Trouble> {
        let stamp = match self.settings.mutant {
            Some(Mutant::StampsAfterwards) => match self.disk.look(&path).await? {
                Some(LocalItem::File(file)) => file.stamp,
                _ => stamp,
            },
            _ => stamp,
        };
        let Uploaded { file, seen, .. } = uploaded;
        let above = self.folder_above(&path);
        let is_taken = self.agreed.records.iter().any(|(other, record)| {
            *other != path && record.as_file().is_some_and(|other| other.file == file && other.role == Role::Home)
        });
        let is_home = seen.folder.is_some()
            && seen.folder == above
            && !is_taken
            && names::is_numbered(&seen.name, tree::name(&path));
        let old = self.agreed.records.get(&path).and_then(|record| Some((record, record.as_file()?)));
        let record = Record {
            agreement: Agreement::File(FileRecord {
                file,
                role: if is_home { Role::Home } else { Role::Link },
                stamp,
                hash,
                replaces: old.map(|(record, old)| plan::replaced_by(record, old, file)).unwrap_or_default(),
            }),
            place: Place { folder: seen.folder.unwrap_or(self.root), name: seen.name.clone() },
            standing: Standing::Both,
        };
        self.remote.files.insert(file, seen);
        self.agree(vec![Change::Put(path, record)]).await;
        Ok(())
    }
}
