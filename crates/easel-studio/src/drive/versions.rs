//! Earlier contents of a file: listed, downloaded, and made its content again. An addition to the specification's
//! routes; a service without it answers 404 to them (contract, "Drive").
//!
//! Not here: giving a file new content, which is an upload ([`crate::uploads`]).

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use data_encoding::HEXLOWER;
use http::{HeaderMap, Method};
use serde_json::json;

use super::files::file_on_wire;
use crate::audit;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::drive::get_visible_file;
use crate::db::drive::retention::MOST_VERSIONS;
use crate::db::drive::versions::{self, VersionRow};
use crate::studio::SharedStudio;
use crate::studio::unused::remove_unused;
use crate::web::content::Content;
use crate::web::extract::{PathId, PathVersion};
use crate::web::origin::Origin;
use crate::wire::VersionId;
use crate::wire::drive::{FileAnswer, FileVersion, FileVersions};
use crate::wire::id::kind;

/// `GET /v1/drive/files/{file_id}/versions`: the newest first, whole.
pub async fn list_versions(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(file): PathId<kind::File>,
) -> Result<Json<FileVersions>, Error> {
    let mut conn = studio.db.reader().await?;
    let versions = versions::list_versions(&mut conn, Viewer::from(&caller), file).await?;
    Ok(Json(FileVersions { versions: versions.into_iter().map(on_wire).collect(), most_versions: MOST_VERSIONS }))
}

/// `GET /v1/drive/files/{file_id}/versions/{version_id}/content`: the bytes, with Range.
pub async fn get_version_content(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathVersion(file, version): PathVersion<kind::File>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let mut conn = studio.db.read().acquire().await?;
    let viewer = Viewer::from(&caller);
    let name = get_visible_file(&mut conn, viewer, file).await?.name;
    let version = versions::get_version(&mut conn, viewer, file, version).await?;
    let content = Content {
        hash: &version.content_hash,
        size_bytes: version.size_bytes,
        mime_type: &version.mime_type,
        filename: &name,
    };
    drop(conn);
    content.serve(&studio.blobs, &method, &headers).await
}

/// `POST /v1/drive/files/{file_id}/versions/{version_id}/restore`: what the file has becomes a version in its turn.
pub async fn restore_version(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathVersion(file, version): PathVersion<kind::File>,
) -> Result<Json<FileAnswer>, Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let now = studio.clock.now();
    let new_version = VersionId::from_uuid(studio.ids.next());
    let viewer = Viewer::from(&caller);
    let changed = versions::restore_version(&mut tx, viewer, file, version, new_version, now).await?;
    let details = json!({ "name": changed.file.name, "version": version });
    audit::note(&mut tx, &caller, origin, ("version_restored", file.to_string(), details), now).await?;
    tx.commit().await?;
    remove_unused(&studio.db, &studio.blobs, &changed.dropped).await;
    tracing::info!(user = %caller.user_id, key = %caller.api_key_id, %file, %version, "version restored");
    Ok(Json(FileAnswer { file: file_on_wire(&studio.config, changed.file) }))
}

fn on_wire(version: VersionRow) -> FileVersion {
    FileVersion {
        id: version.id,
        mime_type: version.mime_type,
        size_bytes: version.size_bytes,
        content_hash: format!("sha256:{}", HEXLOWER.encode(&version.content_hash)),
        created_at: version.created_at,
        created_by: version.created_by,
        replaced_at: version.replaced_at,
    }
}
