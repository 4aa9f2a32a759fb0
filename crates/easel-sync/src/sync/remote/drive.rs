//! The drive port of a watched folder's engine, over the client: each call mapped to requests.
//!
//! Always true: the effect of a call is in the index before the call returns; signed addresses are in memory and
//! nowhere else; a file is sent only while it is the one that was decided on, from its opening to its last byte; bytes
//! move only with a transfer slot, which the queue shares. Not here: which call is made when (`engine`).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use easel_client::{Client, Described, Feature, Fingerprint, Lane, Route, Source as LocalSource};
use easel_wire::uploads::SignedUpload;
use easel_wire::{FileId, FolderId, ItemRef};
use uuid::Uuid;

use super::DriveIndex;
use crate::shared::causes::Cause;
use crate::shared::drive_file::remote_file;
use crate::shared::error::Error;
use crate::shared::mutex::lock;
use crate::shared::names;
use crate::shared::transfer_slots::TransferSlots;
use crate::shared::upload::service;
use crate::sync::disk::{self, LocalDisk};
use crate::sync::ports::{
    Destination, Disk, DiskError, Drive, DriveError, DriveSeen, Freshness, Source, Uploaded, Uploads,
};
use crate::sync::tree::{ContentHash, LocalItem, Place, RemoteFile, RemoteFolder, Stamp};
use crate::sync::unloaded::Lookup;

/// Files of at least this size, in bytes, tell how fast the connection is.
const LARGE_ENOUGH_BYTES: u64 = 256 * 1024;

/// Figures beside the answers: bytes that move, for the estimate, and the cursor of the drive.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// The cursor of the last list, which stands for everything that the engine knows of the drive.
    pub cursor: AtomicU64,
    /// Bytes of files sent or received so far.
    pub bytes: AtomicU64,
    /// Large files whose bytes are on the way right now.
    pub large_moving: AtomicU64,
}

/// See the module.
#[derive(Clone)]
pub(crate) struct ServiceDrive {
    inner: Arc<Inner>,
}

struct Inner {
    client: Client,
    index: Arc<DriveIndex>,
    disk: LocalDisk,
    slots: TransferSlots,
    flow: Arc<Flow>,
    /// Signed addresses, by storage key.
    signed: Mutex<HashMap<String, SignedUpload>>,
}

/// Counts a transfer's bytes while they move; bytes that are sent again are not counted again.
struct Moving<'a> {
    flow: &'a Flow,
    is_large: bool,
    counted: AtomicU64,
}

impl<'a> Moving<'a> {
    fn begin(flow: &'a Flow, size_bytes: u64) -> Self {
        let is_large = size_bytes >= LARGE_ENOUGH_BYTES;
        flow.large_moving.fetch_add(u64::from(is_large), Ordering::Relaxed);
        Self { flow, is_large, counted: AtomicU64::new(0) }
    }

    fn note(&self, bytes: u64) {
        let counted = self.counted.fetch_max(bytes, Ordering::Relaxed);
        self.flow.bytes.fetch_add(bytes.saturating_sub(counted), Ordering::Relaxed);
    }
}

impl Drop for Moving<'_> {
    fn drop(&mut self) {
        self.flow.large_moving.fetch_sub(u64::from(self.is_large), Ordering::Relaxed);
    }
}

impl ServiceDrive {
    pub(crate) fn new(
        client: &Client,
        index: Arc<DriveIndex>,
        disk: LocalDisk,
        slots: TransferSlots,
        flow: Arc<Flow>,
    ) -> Self {
        let inner =
            Inner { client: client.in_lane(Lane::Transfer), index, disk, slots, flow, signed: Mutex::default() };
        Self { inner: Arc::new(inner) }
    }

    /// Opens a file, if it is still the one that was decided on.
    async fn open(&self, source: &Source) -> Result<LocalSource, DriveError> {
        let (opened, found) = self.inner.disk.open_to_send(&source.path).await.map_err(DriveError::Disk)?;
        let opened = opened?;
        match found {
            Some(LocalItem::File(found)) if found.stamp == source.stamp => Ok(opened),
            _ => Err(DriveError::SourceChanged),
        }
    }

    /// Puts an uploaded file into the index, where the service told enough of it.
    fn note_uploaded(&self, uploaded: Uploaded) -> Uploaded {
        if let Uploaded { file, name: Some(name), folder: Some(folder), size_bytes: Some(size_bytes), hash, .. } =
            uploaded.clone()
        {
            self.inner.index.note_file(file, RemoteFile { folder, name, size_bytes, hash });
        }
        uploaded
    }
}

impl Uploads for ServiceDrive {
    type Source = Source;

    async fn route(&self, source: &Source, to: &Destination) -> Result<Route, DriveError> {
        Ok(self.inner.client.route_upload(source.stamp.size_bytes, &service::target(to)).await?)
    }

    async fn send_direct(&self, source: &Source, to: &Destination) -> Result<Uploaded, DriveError> {
        // Only what is sent at once is opened.
        let _slot = self.inner.slots.take(source.stamp.size_bytes).await;
        let (opened, target) = (self.open(source).await?, service::target(to));
        let moving = Moving::begin(&self.inner.flow, opened.size_bytes());
        let sent = self.inner.client.send_direct(&opened, &target, &|bytes| moving.note(bytes)).await;
        let sent = sent.map_err(|error| service::refused(&error, &target))?;
        Ok(self.note_uploaded(service::sent(sent)))
    }

    async fn sign_upload(&self, to: &Destination) -> Result<String, DriveError> {
        let signed = service::sign(&self.inner.client, &service::target(to)).await?;
        let key = signed.storage_key.clone();
        lock(&self.inner.signed).insert(key.clone(), signed);
        Ok(key)
    }

    async fn put_signed(&self, key: &str, source: &Source) -> Result<ContentHash, DriveError> {
        // The address is good for one PUT: a second attempt signs anew.
        let signed = lock(&self.inner.signed).remove(key).ok_or(DriveError::Expired)?;
        let slot = self.inner.slots.take(source.stamp.size_bytes).await;
        let opened = self.open(source).await?;
        let put = {
            let _slot = slot;
            let moving = Moving::begin(&self.inner.flow, opened.size_bytes());
            self.inner.client.put_signed(&signed, &opened, &|bytes| moving.note(bytes)).await
        };
        service::content_of(put.map_err(|error| service::put_failed(&error))?, &opened).await
    }

    async fn register(&self, key: &str, to: &Destination) -> Result<Uploaded, DriveError> {
        let told = service::register(&self.inner.client, key, &service::target(to)).await?;
        // The sender knows the content; the index learns it from the service.
        let known = self.inner.index.file(told.file).await.ok().flatten();
        Ok(self.note_uploaded(Uploaded { hash: known.and_then(|known| known.hash), ..told }))
    }

    async fn replace(&self, key: &str, file: FileId, expected: Option<ContentHash>) -> Result<RemoteFile, DriveError> {
        let seen = service::replace(&self.inner.client, key, file, expected).await?;
        self.inner.index.note_file(file, seen.clone());
        Ok(seen)
    }

    async fn hash(&self, source: &Source) -> Result<ContentHash, DriveError> {
        self.inner.disk.hash(&source.path, &source.stamp).await.map_err(|error| match error {
            DiskError::Changed => DriveError::SourceChanged,
            error => DriveError::Disk(error),
        })
    }

    async fn find(
        &self,
        sent: &Fingerprint,
        folder: Option<FolderId>,
    ) -> Result<Option<(FileId, RemoteFile)>, DriveError> {
        let found = service::find(&self.inner.client, sent, folder).await?;
        if let Some((file, seen)) = &found {
            self.inner.index.note_file(*file, seen.clone());
        }
        Ok(found)
    }

    async fn get_file(&self, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
        let Inner { client, index, .. } = &*self.inner;
        let Some(told) = service::get_record(client, file).await? else {
            index.deny_file(client, file).await.map_err(not_kept)?;
            return Ok(None);
        };
        // An item that a list missed on its way is known now.
        let seen = index.show_file(told.clone()).await.map_err(not_kept)?;
        Ok(Some(seen.unwrap_or_else(|| remote_file(told))))
    }

    fn assume(&self, file: FileId, seen: &RemoteFile) {
        self.inner.index.note_file(file, seen.clone());
    }

    async fn move_item(&self, item: ItemRef, folder: Option<FolderId>) -> Result<(), DriveError> {
        service::move_item(&self.inner.client, item, folder).await?;
        self.note_change(item, |place| place.folder = folder).await;
        Ok(())
    }

    async fn rename_item(&self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        service::rename_item(&self.inner.client, item, name).await?;
        self.note_change(item, |place| place.name = name.to_owned()).await;
        Ok(())
    }
}

impl Drive for ServiceDrive {
    async fn list(&self, since: Option<u64>, freshness: Freshness, most: usize) -> Result<DriveSeen, DriveError> {
        let seen = self.inner.index.list(&self.inner.client, since, freshness, most).await.map_err(not_kept)?;
        if let Some(at) = self.inner.index.heard_at() {
            self.inner.disk.note_time_elsewhere(at.as_micros());
        }
        self.inner.flow.cursor.store(seen.cursor, Ordering::Relaxed);
        Ok(seen)
    }

    async fn find_files(&self, lookup: &Lookup) -> Result<BTreeMap<FileId, RemoteFile>, DriveError> {
        self.inner.index.find_files(lookup).await.map_err(not_kept)
    }

    fn keeps_versions(&self) -> Option<bool> {
        self.inner.client.offers(Feature::FileVersions)
    }

    async fn ask_for_versions(&self, file: FileId) -> Result<(), DriveError> {
        match self.inner.client.list_versions(file).await.map_err(DriveError::from) {
            // If the service has no such route, the client has learned that from the answer.
            Ok(_) | Err(DriveError::RouteMissing | DriveError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn create_folder(&self, at: &Place) -> Result<FolderId, DriveError> {
        let key = Uuid::new_v4().to_string();
        let made = self.inner.client.create_folder(&at.name, Some(at.folder), &key).await?;
        self.inner.index.note_folder(made.id, RemoteFolder { parent: Some(at.folder), name: made.name });
        Ok(made.id)
    }

    async fn delete_item(&self, item: ItemRef, is_recursive: bool) -> Result<(), DriveError> {
        self.inner.client.delete_item(item, is_recursive).await.map_err(|error| match DriveError::from(error) {
            // Only the folder's own items can stand in the way of its deletion.
            DriveError::NameTaken => DriveError::NotEmpty,
            error => error,
        })?;
        match item {
            ItemRef::File(file) => self.inner.index.note_file_gone(file),
            ItemRef::Folder(folder) => {
                if let Err(error) = self.inner.index.note_folder_gone(folder).await {
                    tracing::warn!(%error, "what was in a deleted folder is found out later");
                }
            }
            ItemRef::Canvas(_) => {}
        }
        Ok(())
    }

    async fn delete_file(&self, file: FileId, expected: Option<ContentHash>) -> Result<(), DriveError> {
        // Where the service tells no hashes, or never gives a file other content, no content is expected.
        let told = self.inner.index.file(file).await.ok().flatten().and_then(|known| known.hash);
        let may_change = told.is_some() && self.keeps_versions() != Some(false);
        let Some(expected) = expected.filter(|_| may_change) else {
            return self.delete_item(ItemRef::File(file), false).await;
        };
        self.inner.client.delete_file(file, &expected).await?;
        self.inner.index.note_file_gone(file);
        Ok(())
    }

    async fn write_text(&self, at: &Place, text: &str) -> Result<FileId, DriveError> {
        if !self.takes_pointers().await? {
            return Err(DriveError::Refused(Cause::NameNotAllowed { message: String::new() }.into()));
        }
        let waits_as = FileId::imagined(Uuid::new_v4().as_u128());
        let to = Destination { folder: Some(at.folder), name: at.name.clone() };
        let sent = self.send_text(&disk::partial(&self.inner.disk.slot(waits_as)), &to, text).await;
        self.inner.disk.discard_fetched(&[waits_as]).await.map_err(DriveError::Disk)?;
        if let Err(DriveError::Refused(failure)) = &sent
            && failure.cause.is_lasting()
        {
            self.inner.client.learn(Feature::Pointers, false);
        }
        let file = self.note_uploaded(sent?).file;
        if let Err(error) = self.bring(file, at).await {
            // A pointer that cannot be at its place is of no use; if it cannot be deleted either, nobody will find it.
            let _ = self.delete_item(ItemRef::File(file), false).await;
            return Err(error);
        }
        self.inner.client.learn(Feature::Pointers, true);
        Ok(file)
    }

    async fn fetch(&self, file: FileId, waits_as: FileId, slot: &Path) -> Result<(Stamp, ContentHash), DriveError> {
        let known = self.inner.index.file(file).await.ok().flatten();
        let known = match known {
            Some(known) => known,
            None => self.get_file(file).await?.ok_or(DriveError::NotFound)?,
        };
        // A size of nought may mean that it was not told; a hash, where there is one, is enough.
        let is_size_told = known.size_bytes > 0;
        let described = Described { size_bytes: is_size_told.then_some(known.size_bytes), sha256: known.hash };
        let partial = disk::partial(slot);
        let hash = {
            // A size that was not told may be any.
            let size_bytes = if is_size_told { known.size_bytes } else { u64::MAX };
            let _slot = self.inner.slots.take(size_bytes).await;
            let moving = Moving::begin(&self.inner.flow, known.size_bytes);
            let progress = |bytes| moving.note(bytes);
            self.inner.client.fetch_file(file, described, &partial, slot, &progress).await?
        };
        let stamp = self.inner.disk.stamp_fetched(waits_as).await.map_err(DriveError::Disk)?;
        Ok((stamp, hash))
    }
}

impl ServiceDrive {
    /// Whether pointers are of use: the service takes such files, as far as is known, and tells hashes. Without hashes
    /// nobody could tell which file a pointer stands for.
    async fn takes_pointers(&self) -> Result<bool, DriveError> {
        let Inner { client, index, .. } = &*self.inner;
        if client.offers(Feature::ContentHash).is_none() {
            index.list(client, None, Freshness::Recent, usize::MAX).await.map_err(not_kept)?;
        }
        Ok(client.offers(Feature::ContentHash) == Some(true) && client.offers(Feature::Pointers) != Some(false))
    }

    /// Sends a text from a file, because everything is sent from files.
    async fn send_text(&self, slot: &Path, to: &Destination, text: &str) -> Result<Uploaded, DriveError> {
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::StorageFull => DriveError::Disk(DiskError::Full),
            // The folder of slots is missing only where the watched folder is.
            std::io::ErrorKind::NotFound => DriveError::Disk(DiskError::RootMissing),
            _ => DriveError::Disk(DiskError::Refused),
        };
        tokio::fs::write(slot, text).await.map_err(failed)?;
        let (opened, target) = (LocalSource::open(slot).await?, service::target(to));
        let client = &self.inner.client;
        if client.route_upload(opened.size_bytes(), &target).await? == Route::Direct {
            let sent = client.send_direct(&opened, &target, &|_| ()).await;
            return Ok(service::sent(sent.map_err(|error| service::refused(&error, &target))?));
        }
        let signed = service::sign(client, &target).await?;
        client.put_signed(&signed, &opened, &|_| ()).await.map_err(|error| service::put_failed(&error))?;
        service::register(client, &signed.storage_key, &target).await
    }

    /// Moves a file that was just made to its wanted place: a service may put it elsewhere, or not say where.
    async fn bring(&self, file: FileId, to: &Place) -> Result<(), DriveError> {
        let known = self.inner.index.file(file).await.ok().flatten();
        let seen = match known {
            Some(known) => known,
            None => self.get_file(file).await?.ok_or(DriveError::NotFound)?,
        };
        let item = ItemRef::File(file);
        if seen.folder != Some(to.folder) {
            self.move_item(item, Some(to.folder)).await?;
        }
        if seen.name != to.name && !names::is_numbered(&seen.name, &to.name) {
            self.rename_item(item, &to.name).await?;
        }
        Ok(())
    }
}

/// An item's place in the drive, to be changed.
struct Seat {
    folder: Option<FolderId>,
    name: String,
}

impl ServiceDrive {
    /// Changes an item's place in the index.
    async fn note_change(&self, item: ItemRef, change: impl FnOnce(&mut Seat)) {
        let index = &self.inner.index;
        match item {
            ItemRef::Folder(id) => {
                let Some(folder) = index.folder(id) else { return };
                let mut seat = Seat { folder: folder.parent, name: folder.name };
                change(&mut seat);
                index.note_folder(id, RemoteFolder { parent: seat.folder, name: seat.name });
            }
            ItemRef::File(id) => {
                // A file that cannot be looked up is found by the next refresh.
                let Ok(Some(file)) = index.file(id).await else { return };
                let mut seat = Seat { folder: file.folder, name: file.name.clone() };
                change(&mut seat);
                index.note_file(id, RemoteFile { folder: seat.folder, name: seat.name, ..file });
            }
            ItemRef::Canvas(_) => {}
        }
    }
}

/// Why a change is not in the index.
fn not_kept(error: Error) -> DriveError {
    match error {
        Error::Service(error) => DriveError::from(&*error),
        Error::DiskFull => DriveError::Disk(DiskError::Full),
        error => {
            tracing::warn!(%error, "what was seen of the drive cannot be kept");
            DriveError::Disk(DiskError::Refused)
        }
    }
}
