//! The drive as the engine of a watched folder needs it, over the client: each call mapped, each error by its cause.
//!
//! Always true: what a call did is in the index before it returns; signed addresses are in memory and nowhere else; a file
//! is sent only while it is the one that was decided on, from its opening to its last byte; bytes move in one of the places
//! that are shared with the queue. Not here: what is called when (`engine`).

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use easel_client::{Client, Described, Error as ClientError, Lane, Route, Source as LocalSource, Target};
use easel_wire::error::code;
use easel_wire::uploads::{SignedUpload, UploadResult};
use easel_wire::{ErrorType, FileId, FolderId, ItemRef};
use uuid::Uuid;

use super::DriveIndex;
use super::lists::remote_file;
use crate::causes::{self, Remedy};
use crate::disk::{self, LocalDisk};
use crate::error::Error;
use crate::live::lock;
use crate::places::Places;
use crate::ports::{Disk, DiskError, Drive, DriveError, DriveSeen, Freshness, Source, Uploaded};
use crate::transfer::Waiting;
use crate::tree::{ContentHash, LocalItem, Place, RemoteFile, RemoteFolder, Stamp};

/// Files from this size on, in bytes, tell how fast the connection is.
const LARGE_ENOUGH_BYTES: u64 = 256 * 1024;

/// What the adapter tells beside its answers: what moves, for the estimate, and what was heard of the drive.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// The cursor of the last list, which stands for all that the engine knows of the drive.
    pub cursor: AtomicU64,
    /// Bytes of files handed over or received so far.
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
    places: Places,
    flow: Arc<Flow>,
    /// Signed addresses, by their key in storage.
    signed: Mutex<HashMap<String, SignedUpload>>,
    /// What the last failure that concerns everything was, in the words of the queue.
    waiting: Arc<Mutex<Option<Waiting>>>,
}

/// Counts a transfer's bytes while they move; what is sent again is not counted again.
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
        places: Places,
        flow: Arc<Flow>,
        waiting: Arc<Mutex<Option<Waiting>>>,
    ) -> Self {
        let inner = Inner {
            client: client.in_lane(Lane::Transfer),
            index,
            disk,
            places,
            flow,
            signed: Mutex::default(),
            waiting,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Names the cause, and remembers it where it concerns everything.
    fn cause(&self, error: &ClientError) -> DriveError {
        if let Remedy::Wait { waiting, .. } = causes::judge(error) {
            *lock(&self.inner.waiting) = Some(waiting);
        }
        cause_of(error)
    }

    /// Opens a file that is still the one that was decided on.
    async fn open(&self, source: &Source) -> Result<LocalSource, DriveError> {
        let disk = &self.inner.disk;
        // Opened first: what changes after that, the opened one sees; what changed before, the look.
        let opened = LocalSource::open(disk.path().join(&source.path)).await.map_err(|error| self.cause(&error))?;
        match disk.look(&source.path).await.map_err(DriveError::Disk)? {
            Some(LocalItem::File(found)) if found.stamp == source.stamp => Ok(opened),
            _ => Err(DriveError::SourceChanged),
        }
    }

    /// What an upload came to. A service that says little about it is asked for more.
    async fn uploaded(
        &self,
        result: UploadResult,
        was_duplicate: bool,
        hash: Option<ContentHash>,
    ) -> Result<Uploaded, DriveError> {
        let file = result.file_id;
        let seen = match (result.filename, result.size_bytes) {
            (Some(name), Some(size_bytes)) => RemoteFile { folder: result.folder_id, name, size_bytes, hash },
            _ => {
                let told = self.inner.client.get_file(file).await.map_err(|error| self.cause(&error))?;
                RemoteFile { hash, ..remote_file(told) }
            }
        };
        self.inner.index.note_file(file, seen.clone());
        Ok(Uploaded { file, seen, was_duplicate })
    }

    async fn put(&self, signed: &SignedUpload, opened: &LocalSource) -> Result<ContentHash, DriveError> {
        let _place = self.inner.places.take().await;
        let moving = Moving::begin(&self.inner.flow, opened.size_bytes());
        let put = self.inner.client.put_signed(signed, opened, &|bytes| moving.note(bytes)).await;
        match put.map_err(|error| self.cause(&error))?.sha256 {
            Some(hash) => Ok(hash),
            // Storage had it already; what it had is what was read then.
            None => opened.hash().await.map_err(|error| self.cause(&error)),
        }
    }
}

impl Drive for ServiceDrive {
    async fn list(&self, since: Option<u64>, freshness: Freshness) -> Result<DriveSeen, DriveError> {
        let seen = self.inner.index.list(&self.inner.client, since, freshness).await.map_err(|error| match error {
            Error::Service(error) => self.cause(&error),
            Error::DiskFull => DriveError::Disk(DiskError::Full),
            error => {
                tracing::warn!(%error, "what was seen of the drive cannot be kept");
                DriveError::Disk(DiskError::Refused)
            }
        })?;
        self.inner.flow.cursor.store(seen.cursor, Ordering::Relaxed);
        Ok(seen)
    }

    async fn get_file(&self, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
        match self.inner.client.get_file(file).await {
            Ok(told) => {
                let seen = remote_file(told);
                // What a list missed on its way is known now.
                self.inner.index.note_file(file, seen.clone());
                Ok(Some(seen))
            }
            Err(error) if error.error_type() == Some(&ErrorType::NotFound) => {
                self.inner.index.note_file_gone(file);
                Ok(None)
            }
            Err(error) => Err(self.cause(&error)),
        }
    }

    async fn create_folder(&self, at: &Place) -> Result<FolderId, DriveError> {
        let key = Uuid::new_v4().to_string();
        let made = self.inner.client.create_folder(&at.name, Some(at.folder), &key).await;
        let made = made.map_err(|error| self.cause(&error))?;
        self.inner.index.note_folder(made.id, RemoteFolder { parent: Some(at.folder), name: made.name });
        Ok(made.id)
    }

    async fn move_item(&self, item: ItemRef, folder: FolderId) -> Result<(), DriveError> {
        let moved = self.inner.client.move_item(item, Some(folder)).await;
        moved.map_err(|error| self.cause(&error))?;
        self.note_change(item, |place| place.folder = Some(folder)).await;
        Ok(())
    }

    async fn rename_item(&self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        let renamed = self.inner.client.rename_item(item, name).await;
        renamed.map_err(|error| self.cause(&error))?;
        self.note_change(item, |place| place.name = name.to_owned()).await;
        Ok(())
    }

    async fn delete_item(&self, item: ItemRef, is_recursive: bool) -> Result<(), DriveError> {
        let deleted = self.inner.client.delete_item(item, is_recursive).await;
        deleted.map_err(|error| self.cause(&error))?;
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

    async fn send_direct(&self, source: &Source, to: &Place) -> Result<Uploaded, DriveError> {
        let client = &self.inner.client;
        let opened = self.open(source).await?;
        let target = Target::new(&to.name, Some(to.folder));
        let route = client.route_upload(opened.size_bytes(), &target).await.map_err(|error| self.cause(&error))?;
        if route == Route::Direct {
            let _place = self.inner.places.take().await;
            let moving = Moving::begin(&self.inner.flow, opened.size_bytes());
            match client.send_direct(&opened, &target, &|bytes| moving.note(bytes)).await {
                Ok(sent) => {
                    let was_duplicate = sent.was_already_there();
                    return self.uploaded(sent.result, was_duplicate, Some(sent.sha256)).await;
                }
                // It goes the other way then, and so will all of its size.
                Err(ClientError::TooLargeForGateway) => {}
                Err(error) => return Err(self.cause(&error)),
            }
        }
        // A name that no multipart body can carry as it is.
        let signed = client.sign_upload(&target).await.map_err(|error| self.cause(&error))?;
        let hash = self.put(&signed, &opened).await?;
        let result = client.register_upload(&signed.storage_key, &target).await.map_err(|error| self.cause(&error))?;
        let was_duplicate = result.was_duplicate;
        self.uploaded(result, was_duplicate, Some(hash)).await
    }

    async fn sign_upload(&self, name: &str) -> Result<String, DriveError> {
        let target = Target::new(name, None);
        let signed = self.inner.client.sign_upload(&target).await.map_err(|error| self.cause(&error))?;
        let key = signed.storage_key.clone();
        lock(&self.inner.signed).insert(key.clone(), signed);
        Ok(key)
    }

    async fn put_signed(&self, key: &str, source: &Source) -> Result<ContentHash, DriveError> {
        // Good for one PUT: whoever comes again signs anew.
        let signed = lock(&self.inner.signed).remove(key).ok_or(DriveError::Expired)?;
        let opened = self.open(source).await?;
        self.put(&signed, &opened).await
    }

    async fn register(&self, key: &str, to: &Place) -> Result<Uploaded, DriveError> {
        let target = Target::new(&to.name, Some(to.folder));
        let result = self.inner.client.register_upload(key, &target).await.map_err(|error| self.cause(&error))?;
        let was_duplicate = result.was_duplicate;
        // The content is known to whoever put it; the index learns it from the service.
        let known = self.inner.index.file(result.file_id).await.ok().flatten();
        let hash = known.and_then(|known| known.hash);
        self.uploaded(result, was_duplicate, hash).await
    }

    async fn fetch(&self, file: FileId, slot: &Path) -> Result<(Stamp, ContentHash), DriveError> {
        let known = self.inner.index.file(file).await.ok().flatten();
        let known = match known {
            Some(known) => known,
            None => self.get_file(file).await?.ok_or(DriveError::NotFound)?,
        };
        let described = Described { size_bytes: known.size_bytes, sha256: known.hash };
        let partial = disk::partial(slot);
        let hash = {
            let _place = self.inner.places.take().await;
            let moving = Moving::begin(&self.inner.flow, known.size_bytes);
            let progress = |bytes| moving.note(bytes);
            let fetched = self.inner.client.fetch_file(file, described, &partial, slot, &progress).await;
            fetched.map_err(|error| self.cause(&error))?
        };
        let stamp = self.inner.disk.stamp_fetched(file).await.map_err(DriveError::Disk)?;
        Ok((stamp, hash))
    }
}

/// Where an item is in the drive, to be changed.
struct Seat {
    folder: Option<FolderId>,
    name: String,
}

impl ServiceDrive {
    /// Puts a change of place into the index.
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
                // What cannot be looked up is found out by the next refresh.
                let Ok(Some(file)) = index.file(id).await else { return };
                let mut seat = Seat { folder: file.folder, name: file.name.clone() };
                change(&mut seat);
                index.note_file(id, RemoteFile { folder: seat.folder, name: seat.name, ..file });
            }
            ItemRef::Canvas(_) => {}
        }
    }
}

/// What the engine is told of a failure (contract, "Errors").
fn cause_of(error: &ClientError) -> DriveError {
    match error {
        ClientError::Unreachable { .. }
        | ClientError::Tls { .. }
        | ClientError::Setup { .. }
        | ClientError::RedirectRefused { .. }
        | ClientError::InvalidAddress { .. }
        | ClientError::InvalidVersionHeader { .. }
        | ClientError::PlainHttpRefused { .. } => DriveError::Offline,
        ClientError::InvalidKey => DriveError::KeyRefused,
        ClientError::FileTooLarge { .. } | ClientError::TooLargeForGateway => DriveError::TooLarge,
        ClientError::SourceChanged | ClientError::SourceNotAFile => DriveError::SourceChanged,
        ClientError::SourceUnreadable { io } if io.kind() == std::io::ErrorKind::NotFound => DriveError::SourceChanged,
        ClientError::SourceUnreadable { io } | ClientError::DestinationUnwritable { io } => DriveError::Disk(of_io(io)),
        ClientError::ContentMismatch => DriveError::Corrupt,
        ClientError::UrlExpired => DriveError::Expired,
        _ if error.is_storage_full() => DriveError::StorageFull,
        ClientError::Storage { status: 413, .. } => DriveError::TooLarge,
        ClientError::Storage { status: 403, .. } => DriveError::Expired,
        ClientError::Storage { status, .. } if *status < 500 => DriveError::Refused,
        ClientError::RouteMissing => DriveError::Refused,
        ClientError::Api { status, error: body, retry_after } => match (&body.error_type, body.code.as_str()) {
            (ErrorType::Authentication, _) => DriveError::KeyRefused,
            (ErrorType::Permission, _) => DriveError::Forbidden,
            (ErrorType::RateLimited, _) => {
                let wait = retry_after.map_or(1_000, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                DriveError::RateLimited { retry_after_ms: wait }
            }
            (_, code::FOLDER_NAME_CONFLICT | code::FILE_NAME_CONFLICT | code::CANVAS_NAME_CONFLICT) => {
                DriveError::NameTaken
            }
            (_, code::FOLDER_CIRCULAR_REFERENCE) => DriveError::Circular,
            (_, code::FOLDER_NOT_EMPTY) => DriveError::NotEmpty,
            (_, code::FILE_TOO_LARGE) => DriveError::TooLarge,
            (ErrorType::NotFound, _) => DriveError::NotFound,
            (ErrorType::Unprocessable, code::VALIDATION_FAILED) if is_about_a_name(body.details.as_ref()) => {
                DriveError::NameNotAllowed
            }
            _ if *status >= 500 => DriveError::Lost,
            _ => DriveError::Refused,
        },
        ClientError::ConnectionBroken { .. }
        | ClientError::TimedOut
        | ClientError::NotTheService { .. }
        | ClientError::Storage { .. }
        | ClientError::AnswerLost { .. } => DriveError::Lost,
    }
}

/// Whether a refusal names the item's name as what is wrong.
fn is_about_a_name(details: Option<&serde_json::Value>) -> bool {
    let fields = details.and_then(|details| details.get("fields")).and_then(serde_json::Value::as_array);
    fields.is_some_and(|fields| {
        fields.iter().any(|field| {
            matches!(field.get("field").and_then(|name| name.as_str()), Some("name" | "filename" | "file"))
        })
    })
}

fn of_io(error: &std::io::Error) -> DiskError {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => DiskError::Full,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => DiskError::Denied,
        ErrorKind::InvalidFilename => DiskError::NameNotAllowed,
        _ => DiskError::Refused,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(status: u16, error_type: &str, code: &str, details: &serde_json::Value) -> ClientError {
        let body = json!({"type": error_type, "code": code, "message": "", "details": details});
        let error = Box::new(serde_json::from_value(body).unwrap());
        ClientError::Api { status, error, retry_after: None }
    }

    #[test]
    fn each_failure_of_the_service_has_its_cause() {
        let check = |error: ClientError, expected: DriveError| assert_eq!(cause_of(&error), expected, "{error}");
        let none = || json!(null);
        check(refused(401, "authentication", "", &none()), DriveError::KeyRefused);
        check(refused(403, "permission", "missing_scope", &none()), DriveError::Forbidden);
        check(refused(404, "not_found", "file_not_found", &none()), DriveError::NotFound);
        check(refused(404, "not_found", "folder_not_found", &none()), DriveError::NotFound);
        check(refused(409, "conflict", "folder_name_conflict", &none()), DriveError::NameTaken);
        check(refused(409, "conflict", "folder_not_empty", &none()), DriveError::NotEmpty);
        check(refused(409, "conflict", "folder_circular_reference", &none()), DriveError::Circular);
        check(refused(422, "unprocessable", "file_too_large", &none()), DriveError::TooLarge);
        let named = json!({"fields": [{"field": "name", "code": "invalid"}]});
        check(refused(422, "unprocessable", "validation_failed", &named), DriveError::NameNotAllowed);
        check(refused(422, "unprocessable", "validation_failed", &none()), DriveError::Refused);
        check(refused(429, "rate_limited", "rate_limited", &none()), DriveError::RateLimited { retry_after_ms: 1_000 });
        check(refused(503, "upstream_error", "storage_full", &none()), DriveError::StorageFull);
        check(refused(502, "upstream_error", "", &none()), DriveError::Lost);
        check(refused(500, "internal_error", "", &none()), DriveError::Lost);
        check(ClientError::Unreachable { reason: String::new() }, DriveError::Offline);
        check(ClientError::TimedOut, DriveError::Lost);
        check(ClientError::UrlExpired, DriveError::Expired);
        check(ClientError::Storage { status: 507, code: None }, DriveError::StorageFull);
        check(ClientError::SourceChanged, DriveError::SourceChanged);
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        check(ClientError::DestinationUnwritable { io: full }, DriveError::Disk(DiskError::Full));
    }
}
