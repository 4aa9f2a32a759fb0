//! Files: one, a page of them, a new one, and which one has a content.
//!
//! Not here: what changes a file that is there ([`super::items`], [`super::versions`]), and its bytes.

use std::collections::HashSet;

use easel_wire::Timestamp;
use easel_wire::error::code;
use futures_util::TryStreamExt as _;
use sqlx::{FromRow, QueryBuilder, Row};
use uuid::Uuid;

use super::additions::Additions;
use super::listing::{self, ListQuery, Listed, SortKey, SortValue};
use super::nesting::visibility_in;
use super::table::Table;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::db::columns::moment;
use crate::db::selected::columns;
use crate::db::viewer::sees;
use crate::db::{DbConnection, DbRow, Engine, Viewer};
use crate::wire::drive::{CreatedBy, Visibility};
use crate::wire::{FileId, FolderId, UserId};

/// A file, as a viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Its id.
    pub id: FileId,
    /// Its name.
    pub name: String,
    /// The folder that it lies in; `None` at the top.
    pub folder_id: Option<FolderId>,
    /// Who sees it, by its own setting or by that of a folder above.
    pub visibility: Visibility,
    /// Whether a folder above made it private.
    pub visibility_inherited: bool,
    /// Its type.
    pub mime_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes.
    pub content_hash: [u8; 32],
    /// Who put it there.
    pub created_by: CreatedBy,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it or its place last changed.
    pub updated_at: Timestamp,
    pub(super) private_to: Vec<u8>,
    pub(super) name_key: String,
}

impl FromRow<'_, DbRow> for FileRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        let private_to: Vec<u8> = row.try_get("private_to")?;
        let private = !private_to.is_empty();
        let own: String = row.try_get("visibility")?;
        let hash: Vec<u8> = row.try_get("content_hash")?;
        Ok(Self {
            id: FileId::from_uuid(row.try_get("id")?),
            name: row.try_get("name")?,
            folder_id: row.try_get::<Option<Uuid>, _>("folder_id")?.map(FolderId::from_uuid),
            visibility: if private { Visibility::Private } else { Visibility::Team },
            visibility_inherited: private && own == Visibility::Team.as_str(),
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
            updated_at: moment(row.try_get("updated_at")?),
            private_to,
            name_key: row.try_get("name_key")?,
        })
    }
}

/// A file to be made.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// Its id.
    pub id: FileId,
    /// The name that it gets if nobody has it there.
    pub name: Name,
    /// Where it goes; `None` for the top.
    pub folder_id: Option<FolderId>,
    /// Its type.
    pub mime_type: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, which are in the blob store already.
    pub content_hash: [u8; 32],
}

/// A new file, alone in its transaction or nearly so: [`Additions`] add many.
///
/// # Errors
/// As of [`Additions::add`] and [`Additions::finish`].
pub async fn insert_file(
    conn: &mut DbConnection,
    viewer: Viewer,
    file: NewFile,
    now: Timestamp,
) -> Result<FileRow, Error> {
    let id = file.id;
    let mut additions = Additions::default();
    additions.add(conn, viewer, file, now).await?;
    additions.finish(conn).await?;
    get_visible_file(conn, viewer, id).await
}

/// The file, where it is there for this viewer.
///
/// # Errors
/// 404 `file_not_found`, also for another member's private file.
pub async fn get_visible_file(conn: &mut DbConnection, viewer: Viewer, id: FileId) -> Result<FileRow, Error> {
    let mut sql = select();
    sql.push(" WHERE item.id = ").push_bind(id.uuid());
    sql.push(" AND item.team_id = ").push_bind(viewer.team.uuid());
    let file: Option<FileRow> = sql.build_query_as().fetch_optional(conn).await?;
    file.filter(|file| sees(&file.private_to, viewer)).ok_or_else(|| Error::not_found(code::FILE_NOT_FOUND))
}

/// The file, whoever may see it: for the holder of a signed URL, which was made for someone who may.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_file(conn: &mut DbConnection, id: FileId) -> Result<Option<FileRow>, Error> {
    let mut sql = select();
    sql.push(" WHERE item.id = ").push_bind(id.uuid());
    Ok(sql.build_query_as().fetch_optional(conn).await?)
}

/// The oldest file with this content that the viewer sees: what an upload of the same bytes is a duplicate of.
///
/// # Errors
/// [`Error::Database`].
pub(super) async fn find_visible_file_by_hash(
    conn: &mut DbConnection,
    viewer: Viewer,
    content_hash: &[u8; 32],
) -> Result<Option<FileRow>, Error> {
    let mut sql = select();
    sql.push(" WHERE item.content_hash = ").push_bind(content_hash.to_vec());
    sql.push(" AND item.team_id = ").push_bind(viewer.team.uuid());
    sql.push(" AND item.private_to IN (x'', ").push_bind(viewer.user.uuid());
    sql.push(") ORDER BY item.created_at, item.id LIMIT 1");
    Ok(sql.build_query_as().fetch_optional(conn).await?)
}

/// Notes that the viewer uploaded the bytes of a file that another made, and so counts as one of its makers: nobody
/// else hides the file from them or destroys it. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn share_in(conn: &mut DbConnection, viewer: Viewer, file: &FileRow) -> Result<(), Error> {
    if file.created_by.id == viewer.user {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO file_uploaders (file_id, user_id, content_hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    )
    .bind(file.id.uuid())
    .bind(viewer.user.uuid())
    .bind(file.content_hash.as_slice())
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether any row, of any team, needs the blob with this content.
///
/// # Errors
/// [`Error::Database`].
pub async fn is_content_used(conn: &mut DbConnection, content_hash: &[u8; 32]) -> Result<bool, Error> {
    let (used,): (bool,) = sqlx::query_as(
        "SELECT EXISTS (SELECT 1 FROM files WHERE content_hash = $1)
             OR EXISTS (SELECT 1 FROM file_versions WHERE content_hash = $1)
             OR EXISTS (SELECT 1 FROM canvases WHERE document_hash = $1)
             OR EXISTS (SELECT 1 FROM canvases WHERE thumbnail_hash = $1)
             OR EXISTS (SELECT 1 FROM canvas_versions WHERE document_hash = $1)
             OR EXISTS (SELECT 1 FROM canvas_versions WHERE thumbnail_hash = $1)
             OR EXISTS (SELECT 1 FROM trashed_files WHERE content_hash = $1)
             OR EXISTS (SELECT 1 FROM trashed_canvases WHERE document_hash = $1)
             OR EXISTS (SELECT 1 FROM trashed_canvases WHERE thumbnail_hash = $1)
             OR EXISTS (SELECT 1 FROM exports WHERE completed_at IS NULL AND document_hash = $1)
             OR EXISTS (SELECT 1 FROM exports WHERE result_hash = $1)",
    )
    .bind(content_hash.as_slice())
    .fetch_one(conn)
    .await?;
    Ok(used)
}

/// Every content that some row of some team needs: of files and of drawings, both also in the trash and with their
/// versions, and of exports.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_content_hashes(conn: &mut DbConnection) -> Result<HashSet<[u8; 32]>, Error> {
    let mut rows = sqlx::query_as::<_, (Vec<u8>,)>(
        "SELECT content_hash FROM files UNION SELECT document_hash FROM canvases
         UNION SELECT thumbnail_hash FROM canvases WHERE thumbnail_hash IS NOT NULL
         UNION SELECT content_hash FROM file_versions UNION SELECT document_hash FROM canvas_versions
         UNION SELECT thumbnail_hash FROM canvas_versions WHERE thumbnail_hash IS NOT NULL
         UNION SELECT content_hash FROM trashed_files UNION SELECT document_hash FROM trashed_canvases
         UNION SELECT thumbnail_hash FROM trashed_canvases WHERE thumbnail_hash IS NOT NULL
         UNION SELECT document_hash FROM exports WHERE completed_at IS NULL
         UNION SELECT result_hash FROM exports WHERE result_hash IS NOT NULL",
    )
    .fetch(conn);
    let mut hashes = HashSet::new();
    while let Some((hash,)) = rows.try_next().await? {
        hashes.insert(hash.try_into().map_err(|_| Error::Corrupt("a content hash that is not 32 bytes long"))?);
    }
    Ok(hashes)
}

/// A page of files.
///
/// # Errors
/// 404 `folder_not_found` for the folder whose files are asked for.
pub async fn list_files(conn: &mut DbConnection, viewer: Viewer, query: &ListQuery) -> Result<Listed<FileRow>, Error> {
    if let listing::Place::In(folder) = query.place
        && !query.hidden
    {
        visibility_in(conn, viewer, Some(folder)).await?;
    }
    let count = async |conn: &mut DbConnection| {
        listing::count(conn, viewer, Table::Files, query.place, query.updated_since, query.hidden).await
    };
    let (files, total): (Vec<FileRow>, u64) = if query.updated_since.is_some() {
        let total = count(&mut *conn).await?;
        let mut sql = select();
        listing::push_page(&mut sql, viewer, Table::Files, query, total);
        (sql.build_query_as().fetch_all(conn).await?, total)
    } else {
        let mut sql = listing::select_total(viewer, Table::Files, query);
        sql.push(COLUMNS);
        listing::push_page(&mut sql, viewer, Table::Files, query, u64::MAX);
        let rows = sql.build().fetch_all(&mut *conn).await?;
        let total = match rows.first() {
            Some(row) => u64::try_from(row.try_get::<i64, _>("total")?).unwrap_or_default(),
            None => count(conn).await?,
        };
        (rows.iter().map(FileRow::from_row).collect::<Result<_, _>>()?, total)
    };
    Ok(listing::into_listed(files, query.limit, total, |file| {
        let value = match query.sort.key {
            SortKey::CreatedAt => SortValue::Number(file.created_at.as_micros()),
            SortKey::UpdatedAt => SortValue::Number(file.updated_at.as_micros()),
            SortKey::Name => SortValue::Text(file.name_key.clone()),
            SortKey::Size => SortValue::Number(i64::try_from(file.size_bytes).unwrap_or(i64::MAX)),
        };
        (value, file.id.uuid())
    }))
}

/// The columns of a [`FileRow`], from `files AS item`.
const COLUMNS: &str = concat!(
    columns!("item", files),
    ", maker.name AS maker_name, maker.email AS maker_email
       FROM files AS item JOIN users AS maker ON maker.id = item.created_by"
);

fn select() -> QueryBuilder<Engine> {
    let mut sql = QueryBuilder::new("SELECT ");
    sql.push(COLUMNS);
    sql
}
