//! `GET /v1/drive/files` and `GET /v1/drive/files/{file_id}`.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use data_encoding::HEXLOWER;

use super::listing::{ListRequest, ReadPage, read_hidden};
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::drive::{self, FileRow, ListQuery, Listed};
use crate::db::{DbConnection, Viewer};
use crate::studio::SharedStudio;
use crate::studio::callers::AsOf;
use crate::studio::config::Config;
use crate::web::extract::{PathId, Query, Shape};
use crate::wire::FileId;
use crate::wire::drive::{File, FileAnswer};
use crate::wire::id::kind;

const RESOURCE: &str = "files";

/// The address of a file's bytes, for key holders (contract, "Canvases and export").
#[must_use]
pub fn file_url(config: &Config, id: FileId) -> String {
    format!("{}/v1/drive/files/{id}/content", config.base_url)
}

/// A page of files.
pub async fn list_files(
    State(studio): State<SharedStudio>,
    caller: Caller,
    as_of: AsOf,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let asked = ListRequest::read(&query, (RESOURCE, "folder_id"), read_hidden(&query, &caller)?, &studio.cursors)?;
    asked.answer(&studio, Viewer::from(&caller), as_of, version, Files, |file| file_on_wire(&studio.config, file)).await
}

/// The list of files.
struct Files;

impl ReadPage<FileRow> for Files {
    fn is_one_statement(&self, query: &ListQuery) -> bool {
        query.is_one_statement()
    }

    async fn read(&self, conn: &mut DbConnection, viewer: Viewer, query: &ListQuery) -> Result<Listed<FileRow>, Error> {
        drive::files::list_files(conn, viewer, query).await
    }
}

/// One file.
pub async fn get_file(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(id): PathId<kind::File>,
) -> Result<Json<FileAnswer>, Error> {
    let mut conn = studio.db.reader().await?;
    let file = drive::get_visible_file(&mut conn, Viewer::from(&caller), id).await?;
    Ok(Json(FileAnswer { file: file_on_wire(&studio.config, file) }))
}

/// The record of a file.
pub fn file_on_wire(config: &Config, file: FileRow) -> File {
    File {
        url: Some(file_url(config, file.id)),
        id: file.id,
        name: file.name,
        folder_id: file.folder_id,
        visibility: Some(file.visibility),
        visibility_inherited: Some(file.visibility_inherited),
        mime_type: Some(file.mime_type),
        size_bytes: Some(file.size_bytes),
        content_hash: Some(format!("sha256:{}", HEXLOWER.encode(&file.content_hash))),
        created_at: Some(file.created_at),
        updated_at: Some(file.updated_at),
        created_by: Some(file.created_by),
    }
}
