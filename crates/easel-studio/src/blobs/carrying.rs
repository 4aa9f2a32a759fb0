//! Contents and what is staged carried from one place to another: between folders and buckets, in each direction.
//!
//! Always true: what comes was read whole and has the right hash; where it comes from it stays. Not here: which contents, and what a store
//! does with its own ([`super::mending`]).

use std::path::{Path as FilePath, PathBuf};

use data_encoding::HEXLOWER;

use super::fault::Fault;
use super::place::{ContentHash, INCOMING, path_of_content};
use super::store::Blobs;
use crate::core::error::Error;
use crate::core::private_files::{create_private_folder, remove_if_there, sync_folder_of};

impl Blobs {
    /// Brings a content in from another place, verified; `None` where it was there already.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn bring_from(&self, from: &Self, hash: &ContentHash) -> Result<Result<Option<u64>, Fault>, Error> {
        if from.is_folder() {
            let mut first = None;
            for source in from.files_of(hash)? {
                match self.bring_in(&source, hash).await? {
                    Ok(brought) => return Ok(Ok(brought)),
                    Err(fault) => first = first.or(Some(fault)),
                }
            }
            return Ok(Err(first.unwrap_or(Fault::Missing)));
        }
        if !self.is_folder() {
            if self.look_at(hash).await?.is_ok() {
                return Ok(Ok(None));
            }
            let between = self.place_between(&HEXLOWER.encode(hash))?;
            let brought = match from.fetch(hash, &between).await? {
                Ok(_) => self.bring_in(&between, hash).await?,
                Err(fault) => Err(fault),
            };
            remove_if_there(&between)?;
            return Ok(brought);
        }
        let place = path_of_content(self.root(), hash);
        if place.exists() {
            return Ok(Ok(None));
        }
        fetch_to(&place, from.fetch(hash, &place)).await.map(|brought| brought.map(Some))
    }

    /// Brings in what is staged elsewhere, and says how many bytes it has.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn bring_staged_from(&self, from: &Self, storage_key: &str) -> Result<Result<u64, Fault>, Error> {
        if from.is_folder() {
            return self.bring_in_staged(&from.root().join(storage_key), storage_key).await;
        }
        if self.is_folder() {
            let place = self.root().join(storage_key);
            return fetch_to(&place, from.fetch_staged(storage_key, &place)).await;
        }
        let between = self.place_between("staged")?;
        let brought = match from.fetch_staged(storage_key, &between).await? {
            Ok(_) => self.bring_in_staged(&between, storage_key).await?,
            Err(fault) => Err(fault),
        };
        remove_if_there(&between)?;
        Ok(brought)
    }

    /// Where something lies on this disk between two buckets. What is left there, the next start removes.
    fn place_between(&self, name: &str) -> Result<PathBuf, Error> {
        let folder = self.root().join(INCOMING);
        create_private_folder(&folder)?;
        Ok(folder.join(name))
    }
}

/// Makes the folder of a place, has something fetched there, and brings its name to the disk.
async fn fetch_to<T>(place: &FilePath, fetch: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    place.parent().map_or(Ok(()), create_private_folder)?;
    let fetched = fetch.await?;
    sync_folder_of(place)?;
    Ok(fetched)
}
