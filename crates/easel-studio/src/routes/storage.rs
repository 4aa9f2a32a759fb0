//! The storage endpoint, on a listener of its own: takes the PUT of a signed upload and serves signed downloads,
//! thumbnails and exports (specification, "Endpoints", two-step flow; contract, "Uploads").
//!
//! The signed URL is the capability: no key is read here, and nothing is taken from any rate. Refusals are a small XML
//! error, as object stores answer. Expiry is judged when the request starts; a PUT cut off half-way stores nothing and
//! leaves the URL usable. Not here: registering.

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use data_encoding::HEXLOWER;
use futures_util::{FutureExt, StreamExt};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use super::gateway::Hosts;
use crate::blobs::{ContentHash, Location, PENDING};
use crate::core::error::Error;
use crate::db::{canvases, drive, exports, limits, members, quotas, uploads as rows};
use crate::studio::SharedStudio;
use crate::studio::puts::Put;
use crate::web::acceptor::{Entrance, has_long_head, hold, refuse_long_head};
use crate::web::content::Content;
use crate::web::extract::Query;
use crate::web::signed_urls::{Grant, Refusal};
use crate::web::spool::Incoming;
use crate::wire::uploads::STORAGE_CEILING_BYTES;
use crate::wire::{CanvasId, FileId, TaskId, UserId};

/// What storage refuses.
#[derive(Debug)]
enum Refused {
    ExpiredUrl,
    SignatureDoesNotMatch,
    ContentTypeMismatch,
    AlreadyWritten,
    BeingWritten,
    EntityTooLarge,
    QuotaExceeded,
    IncompleteBody,
    NoSuchKey,
    MethodNotAllowed,
    HostNotAllowed,
    Crowded,
    Failed(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Expired => Self::ExpiredUrl,
            Refusal::SignatureDoesNotMatch => Self::SignatureDoesNotMatch,
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, code, message) = match &self {
            Self::ExpiredUrl => (StatusCode::FORBIDDEN, "ExpiredUrl", "The signed URL has expired."),
            Self::SignatureDoesNotMatch => {
                (StatusCode::FORBIDDEN, "SignatureDoesNotMatch", "The signature does not belong to this request.")
            }
            Self::ContentTypeMismatch => {
                (StatusCode::FORBIDDEN, "ContentTypeMismatch", "The Content-Type is not the one that was signed.")
            }
            Self::AlreadyWritten => (StatusCode::FORBIDDEN, "AlreadyWritten", "The signed URL has been used."),
            Self::BeingWritten => {
                (StatusCode::SERVICE_UNAVAILABLE, "OperationAborted", "Another PUT to the signed URL is under way.")
            }
            Self::EntityTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "EntityTooLarge", "The body is too large."),
            Self::QuotaExceeded => (
                StatusCode::FORBIDDEN,
                "QuotaExceeded",
                "The organization may not keep so much; its operator can raise it.",
            ),
            Self::IncompleteBody => (StatusCode::BAD_REQUEST, "IncompleteBody", "The body ended early."),
            Self::NoSuchKey => (StatusCode::NOT_FOUND, "NoSuchKey", "There is nothing here."),
            Self::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", "The method is not allowed here.")
            }
            Self::HostNotAllowed => (StatusCode::FORBIDDEN, "AccessDenied", "The Host header is not this service's."),
            Self::Crowded => {
                (StatusCode::SERVICE_UNAVAILABLE, "SlowDown", "As many connections are served at once as can be.")
            }
            Self::Failed(Error::StorageFull) => {
                (StatusCode::SERVICE_UNAVAILABLE, "StorageFull", "The storage of this service is full.")
            }
            Self::Failed(error @ Error::ContentsUnavailable(_)) => {
                tracing::error!(%error, "storage failed");
                (
                    StatusCode::SERVICE_UNAVAILABLE,
                    "ServiceUnavailable",
                    "The storage of this service cannot be reached.",
                )
            }
            Self::Failed(error) => {
                tracing::error!(%error, "storage failed");
                (StatusCode::INTERNAL_SERVER_ERROR, "InternalError", "Something went wrong in the service.")
            }
        };
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>"
        );
        let mut response = (status, [(header::CONTENT_TYPE, "application/xml")], body).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
        }
        response
    }
}

/// The whole of storage for a listener that accepts these hosts.
pub fn router(studio: &SharedStudio, hosts: Hosts) -> Router {
    Router::new()
        .route(&format!("/{PENDING}/{{name}}"), put(put_staged))
        .route("/files/{file_id}", get(get_file))
        .route("/exports/{task_id}", get(get_export))
        .route("/thumbnails/{canvas_id}/{hash}", get(get_thumbnail))
        .fallback(async || Refused::NoSuchKey)
        .method_not_allowed_fallback(async || Refused::MethodNotAllowed)
        .layer(middleware::from_fn_with_state((SharedStudio::clone(studio), hosts), pass))
        .with_state(SharedStudio::clone(studio))
}

/// The rules for every request to storage.
async fn pass(State((studio, hosts)): State<(SharedStudio, Hosts)>, request: Request, next: Next) -> Response {
    let request_id = format!("req_{}", studio.ids.next().simple());
    let admitted = Entrance::admit(&request, false);
    let has_long_head = has_long_head(&request);
    let (parts, body) = request.into_parts();
    let method = parts.method.clone();
    let incoming = Incoming::new(body, parts.headers.contains_key(header::EXPECT));
    let mut response = if has_long_head {
        refuse_long_head()
    } else if admitted.is_err() {
        let mut response = Refused::Crowded.into_response();
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        response
    } else if hosts.check(&parts.headers, &parts.uri).is_err() {
        Refused::HostNotAllowed.into_response()
    } else {
        let request = Request::from_parts(parts, Body::from_stream(incoming));
        match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(response) => response,
            Err(_) => Refused::Failed(Error::Panicked).into_response(),
        }
    };
    studio.metrics.count_storage_request(&method, response.status());
    if let Ok(value) = HeaderValue::from_str(&request_id) {
        response.headers_mut().insert("x-request-id", value);
    }
    hold(admitted.unwrap_or_default(), response)
}

async fn put_staged(
    State(studio): State<SharedStudio>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Refused> {
    let storage_key = format!("{PENDING}/{name}");
    let (parts, body) = request.into_parts();
    let upload = {
        let mut conn = studio.db.read().acquire().await.map_err(Error::from)?;
        rows::find_signed_upload(&mut conn, &storage_key, studio.clock.now())
            .await?
            .ok_or(Refused::SignatureDoesNotMatch)?
    };
    let grant = Grant::Upload { storage_key: &storage_key, mime_type: &upload.mime_type };
    let query = Query::parse(parts.uri.query().unwrap_or_default());
    studio.signed_urls.check(grant, &query, studio.clock.now())?;
    if !upload.key_holds {
        // The client will sign again, and learn then what became of its key.
        return Err(Refused::ExpiredUrl);
    }
    if !is_same_type(&parts.headers, &upload.mime_type) {
        return Err(Refused::ContentTypeMismatch);
    }
    if upload.written {
        return Err(Refused::AlreadyWritten);
    }
    let announced =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > STORAGE_CEILING_BYTES) {
        return Err(Refused::EntityTooLarge);
    }
    let (put, room) = begin_put(&studio, &storage_key, upload.user_id, announced.unwrap_or_default()).await?;
    let mut writing = studio.blobs.begin(studio.ids.next());
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| Refused::IncompleteBody)?;
        let size_bytes = writing.size_bytes() + piece.len() as u64;
        if size_bytes > STORAGE_CEILING_BYTES {
            return Err(Refused::EntityTooLarge);
        }
        if !put.hold(size_bytes, announced.is_some(), room) {
            return Err(Refused::QuotaExceeded);
        }
        writing.write(&piece).await?;
    }
    if announced.is_some_and(|length| length != writing.size_bytes()) {
        return Err(Refused::IncompleteBody);
    }
    let finished = tokio::spawn(async move { finish(&studio, upload.user_id, writing, (&put, &storage_key)).await });
    finished.await.unwrap_or(Err(Refused::Failed(Error::Panicked)))
}

/// Begins the one PUT under its storage key, with so many bytes reserved from the quota of its organization. Returns
/// also, where there is a quota, how many bytes there is room for with all PUTs under way.
async fn begin_put(
    studio: &SharedStudio,
    storage_key: &str,
    user: UserId,
    announced: u64,
) -> Result<(Put, Option<u64>), Refused> {
    let organization = {
        let mut conn = studio.db.read().acquire().await.map_err(Error::from)?;
        members::organization_of(&mut conn, user).await?
    };
    let put = studio.puts.begin(storage_key, organization).await?.ok_or(Refused::BeingWritten)?;
    let mut conn = studio.db.read().acquire().await.map_err(Error::from)?;
    // The one before it may have come whole meanwhile.
    let upload = rows::find_signed_upload(&mut conn, storage_key, studio.clock.now()).await?;
    if upload.is_none_or(|upload| upload.written) {
        return Err(Refused::AlreadyWritten);
    }
    let own = limits::get_overrides(&mut conn, organization).await?;
    match quotas::refuse_beyond(&mut conn, organization, &own, announced, 1).await {
        Err(Error::QuotaExceeded { .. }) => return Err(Refused::QuotaExceeded),
        checked => checked?,
    }
    let room = match own.max_bytes {
        Some(most) => Some(most.saturating_sub(quotas::get_usage(&mut conn, organization).await?.bytes)),
        None => None,
    };
    if put.hold(announced, true, room) { Ok((put, room)) } else { Err(Refused::QuotaExceeded) }
}

/// Brings the bytes to the disk and then to their place, once: of two PUTs at the same time one wins.
async fn finish(
    studio: &SharedStudio,
    user: UserId,
    writing: crate::blobs::Writing,
    (put, storage_key): (&Put, &str),
) -> Result<Response, Refused> {
    let size_bytes = writing.size_bytes();
    let location = writing.finish().await?;
    if let Err(error) = studio.blobs.stage_early(&location, storage_key).await {
        studio.blobs.discard(&location).await;
        return Err(error.into());
    }
    let staged = async {
        let mut tx = studio.db.begin().await?;
        let organization = members::organization_of(&mut tx, user).await?;
        let own = limits::get_overrides(&mut tx, organization).await?;
        match quotas::refuse_beyond(&mut tx, organization, &own, size_bytes, 1).await {
            Err(Error::QuotaExceeded { .. }) => return Err(Refused::QuotaExceeded),
            checked => checked?,
        }
        // Where the database was away meanwhile, another process may be writing under this key.
        if !put.is_the_only_one().await {
            return Err(Refused::BeingWritten);
        }
        if !rows::mark_written(&mut tx, storage_key, size_bytes, studio.clock.now()).await? {
            return Err(Refused::AlreadyWritten);
        }
        studio.blobs.stage(&location, storage_key).await?;
        tx.commit().await.map_err(Error::from)?;
        Ok(StatusCode::OK.into_response())
    };
    let outcome = staged.await;
    if outcome.is_err() {
        studio.blobs.discard(&location).await;
    }
    // Whatever else went wrong, the key is this one's or another's, whose bytes are not to be touched.
    if matches!(outcome, Err(Refused::QuotaExceeded)) {
        studio.blobs.discard(&Location::staged(storage_key)).await;
    }
    outcome
}

fn is_same_type(headers: &HeaderMap, signed: &str) -> bool {
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let sent = values.next().and_then(|value| value.to_str().ok());
    sent.is_some_and(|sent| sent.trim().eq_ignore_ascii_case(signed.trim())) && values.next().is_none()
}

async fn get_file(
    State(studio): State<SharedStudio>,
    Path(name): Path<String>,
    method: Method,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let id: FileId = name.parse().map_err(|_| Refused::SignatureDoesNotMatch)?;
    studio.signed_urls.check(Grant::Download(id), &query, studio.clock.now())?;
    let mut conn = studio.db.read().acquire().await.map_err(Error::from)?;
    let file = drive::find_file(&mut conn, id).await?.ok_or(Refused::NoSuchKey)?;
    drop(conn);
    Ok(Content::of_file(&file).serve(&studio.blobs, &method, &headers).await?)
}

async fn get_thumbnail(
    State(studio): State<SharedStudio>,
    Path((name, hash)): Path<(String, String)>,
    method: Method,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let id: CanvasId = name.parse().map_err(|_| Refused::SignatureDoesNotMatch)?;
    let hash = HEXLOWER.decode(hash.as_bytes()).ok().and_then(|bytes| ContentHash::try_from(bytes).ok());
    let hash = hash.ok_or(Refused::SignatureDoesNotMatch)?;
    studio.signed_urls.check(Grant::Thumbnail(id, &hash), &query, studio.clock.now())?;
    let mut conn = studio.db.read().acquire().await.map_err(Error::from)?;
    if !canvases::versions::has_thumbnail(&mut conn, id, &hash).await? {
        return Err(Refused::NoSuchKey);
    }
    drop(conn);
    let size_bytes = studio.blobs.size_of(&hash).await?.ok_or(Refused::NoSuchKey)?;
    let content = Content { hash: &hash, size_bytes, mime_type: "image/png", filename: "thumbnail.png" };
    Ok(content.serve(&studio.blobs, &method, &headers).await?)
}

/// The result of an export. It is there for as long as its URL is good, also where the canvas is gone.
async fn get_export(
    State(studio): State<SharedStudio>,
    Path(name): Path<String>,
    method: Method,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let id: TaskId = name.parse().map_err(|_| Refused::SignatureDoesNotMatch)?;
    studio.signed_urls.check(Grant::Export(id), &query, studio.clock.now())?;
    let mut conn = studio.db.read().acquire().await.map_err(Error::from)?;
    let export = exports::find_export(&mut conn, id).await?;
    let result = export.and_then(|export| export.result).ok_or(Refused::NoSuchKey)?;
    drop(conn);
    Ok(Content::of_result(&result).serve(&studio.blobs, &method, &headers).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use easel_wire::Scope;
    use http_body_util::BodyExt;
    use serde_json::json;

    #[tokio::test]
    async fn a_refusal_is_a_small_xml_error_and_a_full_disk_says_when_to_come_back() {
        let check = async |refused: Refused, status: u16, code: &str, retry_after: Option<&str>| {
            let response = refused.into_response();
            let (parts, body) = response.into_parts();
            let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
            assert!(text.contains(&format!("<Error><Code>{code}</Code><Message>")), "{text}");
            assert_eq!(parts.status.as_u16(), status, "{code}");
            assert_eq!(parts.headers["content-type"], "application/xml", "{code}");
            let found = parts.headers.get("retry-after").and_then(|value| value.to_str().ok());
            assert_eq!(found, retry_after, "{code}");
        };
        check(Refusal::Expired.into(), 403, "ExpiredUrl", None).await;
        check(Refusal::SignatureDoesNotMatch.into(), 403, "SignatureDoesNotMatch", None).await;
        check(Refused::ContentTypeMismatch, 403, "ContentTypeMismatch", None).await;
        check(Refused::AlreadyWritten, 403, "AlreadyWritten", None).await;
        check(Refused::HostNotAllowed, 403, "AccessDenied", None).await;
        check(Refused::Crowded, 503, "SlowDown", Some("60")).await;
        check(Refused::BeingWritten, 503, "OperationAborted", Some("60")).await;
        check(Refused::EntityTooLarge, 413, "EntityTooLarge", None).await;
        check(Refused::IncompleteBody, 400, "IncompleteBody", None).await;
        check(Refused::NoSuchKey, 404, "NoSuchKey", None).await;
        check(Refused::MethodNotAllowed, 405, "MethodNotAllowed", None).await;
        check(Error::StorageFull.into(), 503, "StorageFull", Some("60")).await;
        check(Error::Panicked.into(), 500, "InternalError", None).await;
    }

    #[tokio::test]
    async fn what_is_announced_is_judged_by_the_ceiling_and_then_by_what_came() {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        fixture.add_key("good", &[Scope::UploadsWrite]).await;
        let check = async |announced: &str, status: u16, code: &str| {
            let body = json!({ "filename": "a.txt", "mime_type": "text/plain" }).to_string();
            let key = ("authorization", "Bearer good");
            let signed = fixture.ask(&Method::POST, "/v1/uploads/url", &[key], body).await.json();
            let headers = [("content-type", "text/plain"), ("content-length", announced)];
            let url = signed["upload_url"].as_str().unwrap();
            let answer = fixture.ask_storage(&Method::PUT, url, &headers, "x").await;
            assert_eq!(answer.status, status, "{announced}");
            assert!(answer.text().contains(code), "{announced}: {}", answer.text());
        };
        check("1", 200, "").await;
        check("2", 400, "<Code>IncompleteBody</Code>").await;
        check("250000000", 400, "<Code>IncompleteBody</Code>").await;
        check("250000001", 413, "<Code>EntityTooLarge</Code>").await;
    }
}
