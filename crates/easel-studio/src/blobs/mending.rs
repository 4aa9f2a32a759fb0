//! What an operator's command does to contents, wherever they lie: looks at them, lists them, sets them aside, mends, copies out and in.
//!
//! Always true: nothing is deleted, and what is replaced is kept elsewhere first; what a bucket does not answer ends the command and is
//! never told as missing. Not here: which rows name what, and how a backup is laid out ([`crate::operators`]).

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;
use easel_wire::Timestamp;
use object_store::path::Path;

use super::aside::list_contents;
use super::bucket_aside::place_aside;
use super::checked::hash_file;
use super::copying::{copy_file, save};
use super::fault::{Fault, look_at};
use super::place::{ContentHash, PENDING, blocking, path_of_content, place_of, sync_up_to};
use super::store::Blobs;
use crate::core::error::Error;
use crate::core::private_files::{create_private_folder, sync_folder_of};

/// Where damaged contents go.
const DAMAGED: &str = "damaged";

impl Blobs {
    /// Whether everything lies in a folder of this disk.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.bucket.is_none()
    }

    /// How many bytes the content has where it is whole, else what is wrong with it.
    ///
    /// # Errors
    /// [`Error::ContentsUnavailable`] where that cannot be told.
    pub async fn look_at(&self, hash: &ContentHash) -> Result<Result<u64, Fault>, Error> {
        let Some(bucket) = &self.bucket else {
            let (place, hash) = (path_of_content(&self.root, hash), *hash);
            return blocking(move || Ok(look_at(&place, &hash))).await;
        };
        Ok(match bucket.hash(&place_of(hash)).await? {
            None => Err(Fault::Missing),
            Some((found, size_bytes)) if found == *hash => Ok(size_bytes),
            Some(_) => Err(Fault::Damaged),
        })
    }

    /// Every content that is there.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::ContentsUnavailable`].
    pub async fn list_contents(&self) -> Result<Vec<ContentHash>, Error> {
        match &self.bucket {
            Some(bucket) => bucket.list_contents().await,
            None => Ok(list_contents(&self.root)?),
        }
    }

    /// Every staged upload by its storage key, with its size in bytes.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::ContentsUnavailable`].
    pub async fn list_staged(&self) -> Result<BTreeMap<String, u64>, Error> {
        if let Some(bucket) = &self.bucket {
            return Ok(bucket.list_staged().await?.into_iter().collect());
        }
        let folder = self.root.join(PENDING);
        let mut staged = BTreeMap::new();
        for entry in folder.is_dir().then(|| std::fs::read_dir(&folder)).transpose()?.into_iter().flatten() {
            let entry = entry?;
            // One that goes meanwhile was registered.
            if let Ok(found) = entry.metadata() {
                staged.insert(format!("{PENDING}/{}", entry.file_name().to_string_lossy()), found.len());
            }
        }
        Ok(staged)
    }

    /// For how long the content lies where it does; `None` where it is not there.
    ///
    /// # Errors
    /// [`Error::ContentsUnavailable`].
    pub async fn age_of(&self, hash: &ContentHash) -> Result<Option<Duration>, Error> {
        let since = match &self.bucket {
            Some(bucket) => bucket.look_up(&place_of(hash)).await?.map(|found| SystemTime::from(found.last_modified)),
            None => {
                let found = std::fs::metadata(path_of_content(&self.root, hash));
                found.ok().map(|found| found.modified().unwrap_or(SystemTime::UNIX_EPOCH))
            }
        };
        Ok(since.map(|since| SystemTime::now().duration_since(since).unwrap_or_default()))
    }

    /// Sets one content aside.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn set_one_aside(&self, hash: &ContentHash, now: Timestamp) -> Result<(), Error> {
        match &self.bucket {
            Some(bucket) => bucket.move_to(&place_of(hash), &place_aside(hash, now)).await,
            None => self.rename_aside(&path_of_content(&self.root, hash), hash, now),
        }
    }

    /// Sets aside what is staged under this key, as the content that it is.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn set_staged_aside(&self, storage_key: &str, now: Timestamp) -> Result<(), Error> {
        let Some(bucket) = &self.bucket else {
            let place = self.root.join(storage_key);
            let hash = hash_file(&place)?.0;
            return self.rename_aside(&place, &hash, now);
        };
        let key = Path::from(storage_key);
        match bucket.hash(&key).await? {
            Some((hash, _)) => bucket.move_to(&key, &place_aside(&hash, now)).await,
            None => Ok(()),
        }
    }

    fn rename_aside(&self, place: &FilePath, hash: &ContentHash, now: Timestamp) -> Result<(), Error> {
        let aside = self.place_aside(hash, now)?;
        std::fs::rename(place, &aside)?;
        sync_up_to(&self.root, &aside)?;
        Ok(sync_folder_of(place)?)
    }

    /// Puts the right bytes where a content should be, from what was set aside or from the contents below `backup`; whether there were any.
    /// What is damaged is kept elsewhere.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn mend(
        &self,
        hash: &ContentHash,
        fault: Fault,
        backup: Option<&FilePath>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let of_the_backup = backup.map(|backup| path_of_content(backup, hash));
        let Some(bucket) = &self.bucket else { return self.mend_file(hash, fault, of_the_backup, now) };
        let place = place_of(hash);
        if fault == Fault::Damaged {
            let kept = Path::from_iter([DAMAGED, &now.as_micros().to_string(), &HEXLOWER.encode(hash)]);
            bucket.move_to(&place, &kept).await?;
        }
        for copy in bucket.copies_aside(hash).await? {
            if bucket.hash(&copy).await?.is_some_and(|(found, _)| found == *hash) {
                bucket.copy(&copy, &place).await?;
                return Ok(true);
            }
        }
        match of_the_backup {
            Some(source) => Ok(self.upload_whole(&source, hash).await?.is_ok()),
            None => Ok(false),
        }
    }

    fn mend_file(
        &self,
        hash: &ContentHash,
        fault: Fault,
        of_the_backup: Option<PathBuf>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let place = path_of_content(&self.root, hash);
        if fault == Fault::Damaged {
            let folder = self.root.join(DAMAGED).join(now.as_micros().to_string());
            create_private_folder(&folder)?;
            let kept = folder.join(HEXLOWER.encode(hash));
            std::fs::rename(&place, &kept)?;
            sync_up_to(&self.root, &kept)?;
            sync_folder_of(&place)?;
        }
        place.parent().map_or(Ok(()), create_private_folder)?;
        for source in self.copies_aside(hash)?.into_iter().chain(of_the_backup) {
            if copy_file(&source, &place, Some(hash))?.is_ok() {
                sync_folder_of(&place)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where a content and its copies lie in the folder, the first to be tried first; nothing with a bucket.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn files_of(&self, hash: &ContentHash) -> Result<Vec<PathBuf>, Error> {
        if self.bucket.is_some() {
            return Ok(Vec::new());
        }
        let mut files = vec![path_of_content(&self.root, hash)];
        files.extend(self.copies_aside(hash)?);
        Ok(files)
    }

    /// Brings a content out of the bucket to a file, from its place or from where it was set aside.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`]; [`Error::Corrupt`] where there is no bucket.
    pub async fn fetch(&self, hash: &ContentHash, place: &FilePath) -> Result<Result<u64, Fault>, Error> {
        let bucket = self.bucket.as_ref().ok_or(Error::Corrupt("a bucket where there is a folder"))?;
        let found = self.fetch_key(place_of(hash), place, Some(hash)).await?;
        let Err(mut fault) = found else { return Ok(found) };
        // A start of the service in the meantime sets aside what its database has ceased to name.
        for copy in bucket.copies_aside(hash).await? {
            match self.fetch_key(copy, place, Some(hash)).await? {
                Ok(bytes) => return Ok(Ok(bytes)),
                Err(found) => fault = found,
            }
        }
        Ok(Err(fault))
    }

    /// Brings what is staged in the bucket to a file.
    ///
    /// # Errors
    /// As for [`Self::fetch`].
    pub async fn fetch_staged(&self, storage_key: &str, place: &FilePath) -> Result<Result<u64, Fault>, Error> {
        self.fetch_key(Path::from(storage_key), place, None).await
    }

    async fn fetch_key(
        &self,
        key: Path,
        place: &FilePath,
        hash: Option<&ContentHash>,
    ) -> Result<Result<u64, Fault>, Error> {
        let bucket = self.bucket.as_ref().ok_or(Error::Corrupt("a bucket where there is a folder"))?;
        let Some(found) = bucket.look_up(&key).await? else { return Ok(Err(Fault::Missing)) };
        save(bucket.pieces(key, 0..found.size), place, hash).await
    }

    /// Brings a content in from a file of a backup, verified; `None` where it was there already.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn bring_in(&self, source: &FilePath, hash: &ContentHash) -> Result<Result<Option<u64>, Fault>, Error> {
        if self.bucket.is_some() {
            return match self.look_at(hash).await? {
                Ok(_) => Ok(Ok(None)),
                Err(_) => Ok(self.upload_whole(source, hash).await?.map(Some)),
            };
        }
        let place = path_of_content(&self.root, hash);
        if place.exists() {
            return Ok(Ok(None));
        }
        place.parent().map_or(Ok(()), create_private_folder)?;
        let copied = copy_file(source, &place, Some(hash))?;
        sync_folder_of(&place)?;
        Ok(copied.map(Some))
    }

    /// Brings in what was staged from a file of a backup.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn bring_in_staged(&self, source: &FilePath, storage_key: &str) -> Result<Result<u64, Fault>, Error> {
        if let Some(bucket) = &self.bucket {
            let Ok(found) = std::fs::metadata(source) else { return Ok(Err(Fault::Missing)) };
            bucket.upload(source, &Path::from(storage_key)).await?;
            return Ok(Ok(found.len()));
        }
        let place = self.root.join(storage_key);
        place.parent().map_or(Ok(()), create_private_folder)?;
        let copied = copy_file(source, &place, None)?;
        sync_folder_of(&place)?;
        Ok(copied)
    }

    /// Brings a file to the place of a content in the bucket, where it is that content.
    async fn upload_whole(&self, source: &FilePath, hash: &ContentHash) -> Result<Result<u64, Fault>, Error> {
        let bucket = self.bucket.as_ref().ok_or(Error::Corrupt("a bucket where there is a folder"))?;
        match look_at(source, hash) {
            Err(fault) => Ok(Err(fault)),
            Ok(bytes) => {
                bucket.upload(source, &place_of(hash)).await?;
                Ok(Ok(bytes))
            }
        }
    }
}
