//! `GET /v1/drive/folders` and `POST /v1/drive/folders`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use sha2::{Digest, Sha256};

use super::listing::{ListRequest, ReadPage, read_hidden};
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::drive::{self, FolderRow, ListQuery, Listed};
use crate::db::idempotency::{self, Use};
use crate::db::{DbConnection, Viewer};
use crate::studio::SharedStudio;
use crate::studio::callers::AsOf;
use crate::web::extract::{Json as JsonBody, Query, Shape, read_name};
use crate::wire::drive::{CreateFolder, Folder, FolderAnswer};

const RESOURCE: &str = "folders";
/// What idempotency keys of [`create_folder`] are kept under.
const ENDPOINT: &str = "POST /v1/drive/folders";

/// A page of folders.
pub async fn list_folders(
    State(studio): State<SharedStudio>,
    caller: Caller,
    as_of: AsOf,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let asked = ListRequest::read(&query, (RESOURCE, "parent_id"), read_hidden(&query, &caller)?, &studio.cursors)?;
    asked.answer(&studio, Viewer::from(&caller), as_of, version, Folders, folder_on_wire).await
}

/// The list of folders.
struct Folders;

impl ReadPage<FolderRow> for Folders {
    /// Paths are looked up by themselves.
    fn is_one_statement(&self, _: &ListQuery) -> bool {
        false
    }

    async fn read(
        &self,
        conn: &mut DbConnection,
        viewer: Viewer,
        query: &ListQuery,
    ) -> Result<Listed<FolderRow>, Error> {
        drive::folders::list_folders(conn, viewer, query).await
    }
}

/// Makes a folder. With an `idempotency_key` that was used within a day with the same body, answers what it answered
/// then; with another body, 409 `idempotency_conflict`.
pub async fn create_folder(
    State(studio): State<SharedStudio>,
    caller: Caller,
    JsonBody(body): JsonBody<CreateFolder>,
) -> Result<Response, Error> {
    let name = read_name("name", &body.name)?;
    let used = match &body.idempotency_key {
        Some(key) => {
            idempotency::check_key("idempotency_key", key)?;
            // Of what was meant, so that an id in its other form or a blank more is the same body.
            let meant = (&body.name, body.parent_folder_id);
            let meant = serde_json::to_vec(&meant).map_err(|_| Error::Corrupt("a body that cannot be written"))?;
            Some(Use { endpoint: ENDPOINT, key, body_hash: Sha256::digest(meant).into() })
        }
        None => None,
    };

    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let now = studio.clock.now();
    if let Some(used) = &used
        && let Some(answer) = idempotency::recall(&mut tx, caller.api_key_id, used, now).await?
    {
        let answer: FolderAnswer = serde_json::from_str(&answer).map_err(|_| Error::Corrupt("a kept answer"))?;
        return Ok((StatusCode::CREATED, Json(answer)).into_response());
    }
    let viewer = Viewer::from(&caller);
    let folder = drive::insert_folder(&mut tx, viewer, studio.new_id(), &name, body.parent_folder_id, now).await?;
    let answer = FolderAnswer { folder: folder_on_wire(folder) };
    if let Some(used) = &used {
        let kept = serde_json::to_string(&answer).map_err(|_| Error::Corrupt("an answer that cannot be written"))?;
        idempotency::remember(&mut tx, caller.api_key_id, used, &kept, now).await?;
    }
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// The record of a folder.
pub(super) fn folder_on_wire(folder: FolderRow) -> Folder {
    Folder {
        id: folder.id,
        name: folder.name,
        path: Some(folder.path),
        parent_folder_id: folder.parent_id,
        canvas_count: folder.canvas_count,
        file_count: folder.file_count,
        subfolder_count: folder.subfolder_count,
        visibility: Some(folder.visibility),
        created_at: Some(folder.created_at),
        updated_at: Some(folder.updated_at),
    }
}
