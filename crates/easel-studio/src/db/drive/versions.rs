//! Versions of files: their earlier contents, kept when a file gets a new one (contract, "Drive": an addition).
//!
//! Always true:
//! - Giving a file new content keeps its last one as a version, in the same transaction; a file that already has the
//!   content does not change.
//! - A file keeps [`MOST_VERSIONS`]. Beyond them the oldest go, but only versions that were uploaded by nobody else than
//!   the user who changes the file now, or that are older than [`KEPT_US`]: so nobody pushes out another's new version.
//! - A version is seen by everybody who sees its file, and goes for good when the file does.
//!
//! Not here: where the new bytes come from, and the removal of contents; the caller gets their hashes.

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::{AssertSqlSafe, FromRow, Row};
use uuid::Uuid;

use super::moments::{moment_of_change, touch_folder};
use super::retention::{KEPT_DAYS, KEPT_US, MOST_VERSIONS};
use super::{FileRow, get_visible_file};
use crate::core::error::Error;
use crate::db::columns::moment;
use crate::db::selected::columns;
use crate::db::served_days::NEWEST;
use crate::db::{DbConnection, DbRow, Viewer};
use crate::wire::drive::CreatedBy;
use crate::wire::{FileId, UserId, VersionId};

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRow {
    /// Its id.
    pub id: VersionId,
    /// Its type.
    pub mime_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes.
    pub content_hash: [u8; 32],
    /// Who gave the file this content.
    pub created_by: CreatedBy,
    /// When it became the file's content.
    pub created_at: Timestamp,
    /// When other content took its place.
    pub replaced_at: Timestamp,
}

impl FromRow<'_, DbRow> for VersionRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        let hash: Vec<u8> = row.try_get("content_hash")?;
        Ok(Self {
            id: VersionId::from_uuid(row.try_get("id")?),
            mime_type: row.try_get("mime_type")?,
            size_bytes: u64::try_from(row.try_get::<i64, _>("size_bytes")?).unwrap_or_default(),
            content_hash: hash
                .try_into()
                .map_err(|_| sqlx::Error::Decode("a content hash that is not 32 bytes long".into()))?,
            created_by: CreatedBy {
                id: UserId::from_uuid(row.try_get("created_by")?),
                name: Some(row.try_get("maker_name")?),
                email: Some(row.try_get("maker_email")?),
            },
            created_at: moment(row.try_get("created_at")?),
            replaced_at: moment(row.try_get("replaced_at")?),
        })
    }
}

/// New content for a file, whose bytes are in the blob store already.
#[derive(Debug, Clone)]
pub struct NewContent {
    /// The id of the version that keeps the file's content of until now.
    pub version: VersionId,
    /// Its type.
    pub mime_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes.
    pub content_hash: [u8; 32],
}

/// What came of a change of a file's content.
#[derive(Debug, Clone)]
pub struct Changed {
    /// The file afterwards.
    pub file: FileRow,
    /// Contents of versions that went because there were too many. Others may have the same.
    pub dropped: Vec<[u8; 32]>,
}

/// Gives a file new content. In a write transaction.
///
/// # Errors
/// 404 `file_not_found`; 409 `content_changed` where the file has other content than `expected`.
pub async fn replace_content(
    conn: &mut DbConnection,
    viewer: Viewer,
    id: FileId,
    content: NewContent,
    expected: Option<[u8; 32]>,
    now: Timestamp,
) -> Result<Changed, Error> {
    let file = get_visible_file(conn, viewer, id).await?;
    if file.content_hash == content.content_hash {
        return Ok(Changed { file, dropped: Vec::new() });
    }
    if expected.is_some_and(|expected| expected != file.content_hash) {
        return Err(Error::conflict(code::CONTENT_CHANGED, None));
    }
    exchange(conn, viewer, file, content, viewer.user, now).await
}

/// Makes a version a file's content again, and what the file has a version. In a write transaction.
///
/// # Errors
/// 404 `file_not_found`, and `version_not_found` for what is no version of it.
pub async fn restore_version(
    conn: &mut DbConnection,
    viewer: Viewer,
    id: FileId,
    version: VersionId,
    new_version: VersionId,
    now: Timestamp,
) -> Result<Changed, Error> {
    let file = get_visible_file(conn, viewer, id).await?;
    let row = get_version(conn, viewer, id, version).await?;
    if row.content_hash == file.content_hash {
        return Ok(Changed { file, dropped: Vec::new() });
    }
    sqlx::query("DELETE FROM file_versions WHERE id = $1").bind(version.uuid()).execute(&mut *conn).await?;
    let content = NewContent {
        version: new_version,
        mime_type: row.mime_type,
        size_bytes: row.size_bytes,
        content_hash: row.content_hash,
    };
    exchange(conn, viewer, file, content, row.created_by.id, now).await
}

/// Puts `content`, which is by `author`, in the place of what the file has, which becomes a version.
async fn exchange(
    conn: &mut DbConnection,
    viewer: Viewer,
    file: FileRow,
    content: NewContent,
    author: UserId,
    now: Timestamp,
) -> Result<Changed, Error> {
    let now = moment_of_change(conn, viewer.team, now).await?;
    let size_bytes = i64::try_from(content.size_bytes).map_err(|_| Error::Corrupt("a file beyond all sizes"))?;
    sqlx::query(AssertSqlSafe(format!(
        "INSERT INTO file_versions
           (id, file_id, team_id, mime_type, size_bytes, content_hash, created_by, created_at, replaced_at, served_day)
         SELECT $2, id, team_id, mime_type, size_bytes, content_hash, COALESCE(content_by, created_by),
           COALESCE(content_at, created_at), $3, {NEWEST} FROM files WHERE id = $1"
    )))
    .bind(file.id.uuid())
    .bind(content.version.uuid())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "UPDATE files SET mime_type = $2, size_bytes = $3, content_hash = $4, content_by = $5, content_at = $6,
           updated_at = CASE WHEN updated_at < $6 THEN $6 ELSE updated_at + 1 END WHERE id = $1",
    )
    .bind(file.id.uuid())
    .bind(content.mime_type)
    .bind(size_bytes)
    .bind(content.content_hash.as_slice())
    .bind(author.uuid())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    let dropped = drop_beyond_bound(conn, viewer, file.id, now).await?;
    touch_folder(conn, file.folder_id, now).await?;
    let file = get_visible_file(conn, viewer, file.id).await?;
    Ok(Changed { file, dropped })
}

/// Removes the oldest versions beyond the bound, as far as they may go.
async fn drop_beyond_bound(
    conn: &mut DbConnection,
    viewer: Viewer,
    file: FileId,
    now: Timestamp,
) -> Result<Vec<[u8; 32]>, Error> {
    let hashes: Vec<Vec<u8>> = sqlx::query_scalar(AssertSqlSafe(format!(
        "DELETE FROM file_versions WHERE id IN (
           SELECT id FROM file_versions AS version WHERE file_id = $1 AND ((created_by = $2 AND NOT EXISTS (
               SELECT 1 FROM file_uploaders AS uploader WHERE uploader.file_id = version.file_id
                 AND uploader.content_hash = version.content_hash AND uploader.user_id <> $2)) OR (replaced_at < $3 AND served_day + $5 <= {NEWEST}))
           ORDER BY replaced_at, id
           LIMIT (SELECT CASE WHEN COUNT(*) > $4 THEN COUNT(*) - $4 ELSE 0 END FROM file_versions WHERE file_id = $1)
         ) RETURNING content_hash"
    )))
    .bind(file.uuid())
    .bind(viewer.user.uuid())
    .bind(now.as_micros().saturating_sub(KEPT_US))
    .bind(i64::from(MOST_VERSIONS))
    .bind(KEPT_DAYS)
    .fetch_all(conn)
    .await?;
    as_hashes(hashes)
}

/// The versions of a file, the newest first.
///
/// # Errors
/// 404 `file_not_found`.
pub async fn list_versions(conn: &mut DbConnection, viewer: Viewer, file: FileId) -> Result<Vec<VersionRow>, Error> {
    let file = get_visible_file(conn, viewer, file).await?;
    Ok(sqlx::query_as(concat!(
        "SELECT ",
        columns!("version", file_versions),
        ", maker.name AS maker_name, maker.email AS maker_email
         FROM file_versions AS version JOIN users AS maker ON maker.id = version.created_by
         WHERE version.file_id = $1 ORDER BY version.replaced_at DESC, version.id DESC"
    ))
    .bind(file.id.uuid())
    .fetch_all(conn)
    .await?)
}

/// One version of a file.
///
/// # Errors
/// 404 `file_not_found`, and `version_not_found` where the file has no such version.
pub async fn get_version(
    conn: &mut DbConnection,
    viewer: Viewer,
    file: FileId,
    version: VersionId,
) -> Result<VersionRow, Error> {
    let versions = list_versions(conn, viewer, file).await?;
    versions.into_iter().find(|row| row.id == version).ok_or_else(|| Error::not_found(code::VERSION_NOT_FOUND))
}

/// Removes the versions of the files of a trash entry, whose time is over, and says what contents they had.
pub(super) async fn remove_of_entry(conn: &mut DbConnection, root: Uuid) -> Result<Vec<[u8; 32]>, Error> {
    let hashes: Vec<Vec<u8>> = sqlx::query_scalar(
        "DELETE FROM file_versions WHERE file_id IN (SELECT id FROM trashed_files WHERE trash_id = $1)
         RETURNING content_hash",
    )
    .bind(root)
    .fetch_all(conn)
    .await?;
    as_hashes(hashes)
}

fn as_hashes(hashes: Vec<Vec<u8>>) -> Result<Vec<[u8; 32]>, Error> {
    let wrong = |_| Error::Corrupt("a content hash that is not 32 bytes long");
    hashes.into_iter().map(|hash| hash.try_into().map_err(wrong)).collect()
}
