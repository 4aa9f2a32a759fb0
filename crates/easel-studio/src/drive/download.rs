//! `GET /v1/drive/files/{file_id}/download` and `…/content`: a signed URL for a file's bytes, and the bytes themselves
//! for a key holder.
//!
//! Not here: what the signed URL opens, and how a part of a content is served.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, Method};

use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::{Viewer, drive};
use crate::studio::SharedStudio;
use crate::web::content::Content;
use crate::web::extract::PathId;
use crate::web::signed_urls::DOWNLOAD_VALIDITY;
use crate::wire::drive::Download;
use crate::wire::id::kind;

/// A URL that serves the file's bytes for an hour, with Range and without a key.
pub async fn sign_download(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::File>,
) -> Result<Json<Download>, Error> {
    let mut conn = studio.db.read().acquire().await?;
    let file = drive::get_visible_file(&mut conn, Viewer::from(&caller), id).await?;
    drop(conn);
    let direct = Content::of_file(&file).sign_direct(&studio.blobs, DOWNLOAD_VALIDITY).await?;
    Ok(Json(Download {
        download_url: direct.unwrap_or_else(|| studio.signed_urls.sign_download(id, studio.clock.now())),
        filename: Some(file.name),
        mime_type: Some(file.mime_type),
        size_bytes: Some(file.size_bytes),
    }))
}

/// The file's bytes, with Range: what a file's `url` opens.
pub async fn get_content(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::File>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let mut conn = studio.db.read().acquire().await?;
    let file = drive::get_visible_file(&mut conn, Viewer::from(&caller), id).await?;
    drop(conn);
    Content::of_file(&file).serve(&studio.blobs, &method, &headers).await
}
