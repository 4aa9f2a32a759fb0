//! `GET /v1/uploads/limits`, `POST /v1/uploads/url` and `POST /v1/uploads/register`: what is PUT to storage, and
//! becomes a file.
//!
//! Always true: a key is registered once; for a day the same answer comes again. Not here: the PUT
//! ([`crate::routes::storage`]).

use axum::Json as Answer;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use easel_wire::Timestamp;
use easel_wire::error::code;
use http::StatusCode;

use super::commit::{remembered, store};
use super::fields::{read_filename, read_mime_type};
use crate::blobs::Location;
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::db::quotas;
use crate::db::uploads::{self as rows, SignedUploadRow};
use crate::studio::commits::{Arrival, Received};
use crate::studio::unused::remove_unused;
use crate::studio::{SharedStudio, Studio};
use crate::web::extract::Json;
use crate::web::signed_urls::Grant;
use crate::wire::uploads::{
    DEFAULT_EXPIRES_IN_SECONDS, DIRECT_CEILING_BYTES, EXPIRES_IN_SECONDS, RegisterUpload, SignUpload, SignedUpload,
    UploadLimits, UploadResult,
};

/// The workspace's limits.
pub async fn get_limits(State(studio): State<SharedStudio>, caller: Caller) -> Answer<UploadLimits> {
    let (max_file_bytes, is_plan_limit) = studio.config.max_file_bytes(caller.plan);
    Answer(UploadLimits {
        max_direct_upload_bytes: DIRECT_CEILING_BYTES,
        max_file_bytes,
        max_file_bytes_is_plan_limit: is_plan_limit,
    })
}

/// A URL that takes one PUT.
pub async fn sign(
    State(studio): State<SharedStudio>,
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
        storage_key: format!("{}/{}", crate::blobs::PENDING, studio.ids.next().simple()),
        user_id: caller.user_id,
        api_key_id: Some(caller.api_key_id),
        key_holds: true,
        filename: name.as_str().to_owned(),
        mime_type,
        written: false,
        consumed: None,
    };
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    // Here a client learns in words that nothing fits any more; how much comes is known after the PUT.
    quotas::refuse_beyond(&mut tx, caller.organization_id, &caller.overrides, 1, 1).await?;
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
    State(studio): State<SharedStudio>,
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
        // Another request may have registered the upload while this one was looking.
        let upload = find_own(&studio, &caller, &request.storage_key).await?;
        let answer = remembered(&studio, &upload)?.ok_or_else(|| Error::not_found(code::UPLOAD_NOT_FOUND))?;
        return Ok(answered(&answer));
    };
    let (max_file_bytes, is_plan_limit) = studio.config.max_file_bytes(caller.plan);
    if size_bytes > max_file_bytes {
        return Err(Error::FileTooLarge { max_file_bytes, is_plan_limit });
    }
    let content = Received {
        arrival: Arrival::Put { storage_key: upload.storage_key, offered: None },
        hash,
        size_bytes,
        name: name.map_or_else(|| read_filename("filename", &upload.filename), Ok)?,
        mime_type: mime_type.unwrap_or(upload.mime_type),
        folder_id: request.folder_id,
    };
    to_the_end(async move { store_put(&studio, &caller, content).await }).await.map(|result| answered(&result))
}

/// Offers what was PUT, where that takes a while, and makes a file of it.
async fn store_put(studio: &SharedStudio, caller: &Caller, mut content: Received) -> Result<UploadResult, Error> {
    let hash = content.hash;
    if let Arrival::Put { storage_key, offered } = &mut content.arrival {
        match studio.blobs.offer_early(Location::staged(storage_key), hash).await {
            Ok(early) => *offered = early,
            Err(error) => {
                remove_unused(&studio.db, &studio.blobs, &[hash]).await;
                return Err(error);
            }
        }
    }
    store(studio, caller, content).await
}

/// The caller's own signed upload; another user's is as if it were not there.
pub(super) async fn find_own(studio: &Studio, caller: &Caller, storage_key: &str) -> Result<SignedUploadRow, Error> {
    let mut conn = studio.db.read().acquire().await?;
    rows::find_signed_upload(&mut conn, storage_key, studio.clock.now())
        .await?
        .filter(|upload| upload.user_id == caller.user_id)
        .ok_or_else(|| Error::not_found(code::UPLOAD_NOT_FOUND))
}

/// 201: also a duplicate is what was asked for, a file in the drive with this content.
pub(super) fn answered(result: &UploadResult) -> Response {
    (StatusCode::CREATED, Answer(result)).into_response()
}
