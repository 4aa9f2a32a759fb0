//! Uploads: by one multipart request, or by signed URL, PUT and register (specification, "Upload limits record" to
//! "Upload result record", "Endpoints"; contract, "Uploads").
//!
//! Always true: a file's bytes are on the disk before its row, and its row before the answer; a content that the caller
//! may see already is not stored again; nothing is overwritten. What was begun is finished when the client goes away.
//! Not here: the PUT itself ([`crate::storage`]) and names ([`crate::names`]).

mod multipart;

use std::future::Future;
use std::str::FromStr;

use axum::Json as Answer;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use easel_wire::error::code;
use easel_wire::id::kind;
use easel_wire::uploads::{
    DEFAULT_EXPIRES_IN_SECONDS, DIRECT_CEILING_BYTES, EXPIRES_IN_SECONDS, RegisterUpload, SignUpload, SignedUpload,
    UploadLimits, UploadResult,
};
use easel_wire::{FolderId, Id, Timestamp};
use http::StatusCode;

use crate::auth::Caller;
use crate::blobs::{ContentHash, Location};
use crate::content::remove_unused;
use crate::db::Tx;
use crate::db::drive::{self, FileRow, NewFile, Viewer};
use crate::db::uploads::{self as rows, MEMORY_US, SignedUploadRow};
use crate::drive::file_url;
use crate::error::Error;
use crate::extract::Json;
use crate::names::Name;
use crate::signed_urls::Grant;
use crate::studio::{App, Studio};

pub use multipart::create;

/// Bounds of `filename` in characters, before it is shortened.
pub const FILENAME_CHARS: std::ops::RangeInclusive<usize> = 1..=512;
/// The longest `mime_type`, in bytes.
pub const MAX_MIME_BYTES: usize = 255;
/// What a file is when nothing says more.
const UNKNOWN_MIME: &str = "application/octet-stream";

/// The workspace's limits.
pub async fn get_limits(State(studio): State<App>) -> Answer<UploadLimits> {
    let (max_file_bytes, is_plan_limit) = studio.config.max_file_bytes();
    Answer(UploadLimits {
        max_direct_upload_bytes: DIRECT_CEILING_BYTES,
        max_file_bytes,
        max_file_bytes_is_plan_limit: is_plan_limit,
    })
}

/// A URL that takes one PUT.
pub async fn sign(
    State(studio): State<App>,
    caller: Caller,
    Json(request): Json<SignUpload>,
) -> Result<Answer<SignedUpload>, Error> {
    let name = read_filename("filename", &request.filename)?;
    let mime_type = read_mime_type("mime_type", &request.mime_type)?;
    let seconds = request.expires_in_seconds.unwrap_or(DEFAULT_EXPIRES_IN_SECONDS);
    if !EXPIRES_IN_SECONDS.contains(&seconds) {
        return Err(Error::validation("expires_in_seconds", "out_of_range"));
    }
    let now = studio.clock.now();
    // Signatures count whole seconds; the URL is never good for less than was asked.
    let expires_at = Timestamp::from_micros(
        now.as_micros().saturating_add(i64::try_from(seconds * 1_000_000).unwrap_or(i64::MAX)).saturating_add(999_999),
    );
    let row = SignedUploadRow {
        storage_key: format!("{}/{}", crate::storage::PENDING, studio.ids.next().simple()),
        user_id: caller.user_id,
        filename: name.as_str().to_owned(),
        mime_type,
        written: false,
        consumed: None,
    };
    let mut tx = studio.db.begin().await?;
    rows::insert_signed_upload(&mut tx, &row, now, expires_at).await?;
    tx.commit().await?;
    let grant = Grant::Upload { storage_key: &row.storage_key, mime_type: &row.mime_type };
    Ok(Answer(SignedUpload {
        upload_url: studio.signed_urls.sign(grant, expires_at),
        expires_in_seconds: seconds,
        instructions: Some(format!(
            "PUT the bytes to upload_url with the header Content-Type: {} and no Authorization header, then register \
             the storage_key.",
            row.mime_type
        )),
        mime_type: Some(row.mime_type),
        storage_key: row.storage_key,
    }))
}

/// Makes a file of what was PUT; again within a day, the same answer.
pub async fn register(
    State(studio): State<App>,
    caller: Caller,
    Json(request): Json<RegisterUpload>,
) -> Result<Response, Error> {
    let name = request.filename.as_deref().map(|name| read_filename("filename", name)).transpose()?;
    let mime_type = request.mime_type.as_deref().map(|mime| read_mime_type("mime_type", mime)).transpose()?;
    let upload = find_own(&studio, &caller, &request.storage_key).await?;
    if let Some(answer) = remembered(&studio, &upload)? {
        return Ok(answered(&answer));
    }
    let hashed = studio.blobs.hash_staged(&upload.storage_key).await?;
    let Some((hash, size_bytes)) = hashed.filter(|_| upload.written) else {
        // Another request may have registered it while this one was looking.
        let upload = find_own(&studio, &caller, &request.storage_key).await?;
        let answer = remembered(&studio, &upload)?.ok_or_else(|| Error::not_found(code::UPLOAD_NOT_FOUND))?;
        return Ok(answered(&answer));
    };
    let (max_file_bytes, is_plan_limit) = studio.config.max_file_bytes();
    if size_bytes > max_file_bytes {
        return Err(Error::FileTooLarge { max_file_bytes, is_plan_limit });
    }
    let content = Received {
        location: Location::staged(&upload.storage_key),
        hash,
        size_bytes,
        name: name.map_or_else(|| read_filename("filename", &upload.filename), Ok)?,
        mime_type: mime_type.unwrap_or(upload.mime_type),
        folder_id: request.folder_id,
        storage_key: Some(upload.storage_key),
    };
    to_the_end(async move { store(&studio, &caller, content).await }).await.map(|result| answered(&result))
}

/// The caller's own signed upload; another user's is as if it were not there.
async fn find_own(studio: &Studio, caller: &Caller, storage_key: &str) -> Result<SignedUploadRow, Error> {
    let mut conn = studio.db.read().acquire().await?;
    rows::find_signed_upload(&mut conn, storage_key)
        .await?
        .filter(|upload| upload.user_id == caller.user_id)
        .ok_or_else(|| Error::not_found(code::UPLOAD_NOT_FOUND))
}

/// What this key was registered as, for a day; then the key is unknown.
fn remembered(studio: &Studio, upload: &SignedUploadRow) -> Result<Option<UploadResult>, Error> {
    match &upload.consumed {
        None => Ok(None),
        Some((at, _)) if studio.clock.now().as_micros().saturating_sub(at.as_micros()) > MEMORY_US => {
            Err(Error::not_found(code::UPLOAD_NOT_FOUND))
        }
        Some((_, text)) => {
            serde_json::from_str(text).map(Some).map_err(|_| Error::Corrupt("the result of a registered upload"))
        }
    }
}

/// A content that is on the disk and may become a file.
struct Received {
    location: Location,
    hash: ContentHash,
    size_bytes: u64,
    name: Name,
    mime_type: String,
    folder_id: Option<FolderId>,
    /// The key that is consumed by it, where it came by signed URL.
    storage_key: Option<String>,
}

/// Makes a file of a content, or finds the one that has it. The content's first place is empty afterwards.
async fn store(studio: &App, caller: &Caller, content: Received) -> Result<UploadResult, Error> {
    let (hash, location, staged) = (content.hash, content.location.clone(), content.storage_key.is_some());
    let mut tx = studio.db.begin().await?;
    let stored = store_in(studio, caller, content, &mut tx).await;
    let outcome = match stored {
        Ok(stored) => tx.commit().await.map(|()| stored).map_err(Error::from),
        Err(error) => {
            // Gives the write connection back before it is asked for again.
            if let Err(error) = tx.rollback().await {
                tracing::warn!(%error, "a write could not be rolled back");
            }
            Err(error)
        }
    };
    if outcome.is_err() {
        remove_unused(&studio.db, &studio.blobs, &[hash]).await;
    }
    // What was PUT and could not be registered stays for another try.
    if outcome.is_ok() || !staged {
        studio.blobs.discard(&location).await;
    }
    outcome
}

async fn store_in(studio: &App, caller: &Caller, content: Received, tx: &mut Tx) -> Result<UploadResult, Error> {
    let viewer = Viewer::from(caller);
    let now = studio.clock.now();
    if let Some(key) = &content.storage_key {
        let upload =
            rows::find_signed_upload(tx, key).await?.ok_or_else(|| Error::not_found(code::UPLOAD_NOT_FOUND))?;
        if let Some(answer) = remembered(studio, &upload)? {
            return Ok(answer);
        }
    }
    if let Some(folder) = content.folder_id {
        drive::get_visible_folder(tx, viewer, folder).await?;
    }
    let (file, was_duplicate) = match drive::find_visible_file_by_hash(tx, viewer, &content.hash).await? {
        Some(file) => (file, true),
        None => {
            studio.blobs.keep(&content.location, &content.hash).await?;
            let file = NewFile {
                id: studio.new_id::<kind::File>(),
                name: content.name,
                folder_id: content.folder_id,
                mime_type: content.mime_type,
                size_bytes: content.size_bytes,
                content_hash: content.hash,
            };
            (drive::insert_file(tx, viewer, file, now).await?, false)
        }
    };
    let result = describe(studio, file, was_duplicate);
    if let Some(key) = &content.storage_key {
        let text = serde_json::to_string(&result).map_err(|_| Error::Corrupt("an upload result"))?;
        rows::mark_consumed(tx, key, &text, now).await?;
    }
    Ok(result)
}

/// The upload result record of a file.
fn describe(studio: &Studio, file: FileRow, was_duplicate: bool) -> UploadResult {
    UploadResult {
        file_id: file.id,
        id: file.id,
        was_duplicate,
        url: Some(file_url(&studio.config, file.id)),
        filename: Some(file.name),
        mime_type: Some(file.mime_type),
        size_bytes: Some(file.size_bytes),
        folder_id: file.folder_id,
    }
}

/// 201: also a duplicate is what was asked for, a file in the drive with this content.
fn answered(result: &UploadResult) -> Response {
    (StatusCode::CREATED, Answer(result)).into_response()
}

/// Runs `work` to its end even where the client goes away meanwhile, so that no bytes are left without their row.
pub async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(work).await.unwrap_or(Err(Error::Panicked))
}

/// The name of an upload: its base name, shortened with its extension kept.
fn read_filename(field: &str, filename: &str) -> Result<Name, Error> {
    match filename.chars().count() {
        0 => Err(Error::validation(field, "required")),
        length if !FILENAME_CHARS.contains(&length) => Err(Error::validation(field, "too_long")),
        _ => Name::of_upload(filename).map_err(|error| Error::validation(field, error.code())),
    }
}

fn read_mime_type(field: &str, text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::validation(field, "required"));
    }
    if text.len() > MAX_MIME_BYTES {
        return Err(Error::validation(field, "too_long"));
    }
    let parsed = mime_guess::Mime::from_str(text).is_ok_and(|mime| !mime.subtype().as_str().is_empty());
    // The parser takes `*/*`, which is a wish and no type.
    if parsed && http::HeaderValue::from_str(text).is_ok() && !text.contains('*') {
        Ok(text.to_owned())
    } else {
        Err(Error::validation(field, "invalid"))
    }
}

/// The id in a form field.
fn read_folder_id(text: &str) -> Result<Option<FolderId>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse::<Id<kind::Folder>>().map(Some).map_err(|error| Error::invalid_id("folder_id", &error))
}

#[cfg(test)]
mod tests;
