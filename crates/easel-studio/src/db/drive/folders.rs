//! Folders: one, a page of them, a new one; their paths and counts.
//!
//! Not here: what changes a folder that is there ([`super::items`]).

use std::collections::HashMap;

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::{FromRow, QueryBuilder, Row};
use uuid::Uuid;

use super::items::change_item;
use super::listing::{self, ListQuery, Listed, SortKey, SortValue};
use super::moments::{moment_of_change, touch_folder};
use super::naming::{refuse_taken_name, settle_name};
use super::nesting::{MAX_NESTING, chain_of, visibility_in};
use super::table::Table;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::db::columns::moment;
use crate::db::selected::columns;
use crate::db::viewer::sees;
use crate::db::{DbConnection, DbRow, Engine, Viewer};
use crate::wire::drive::Visibility;
use crate::wire::{FolderId, ItemRef, UserId};

/// A folder, as a viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderRow {
    /// Its id.
    pub id: FolderId,
    /// Its name.
    pub name: String,
    /// Its path from the top, such as `/Brand/Photos`, as far up as the viewer sees.
    pub path: String,
    /// The folder above; `None` at the top.
    pub parent_id: Option<FolderId>,
    /// Who sees it, by its own setting or by that of a folder above.
    pub visibility: Visibility,
    /// Canvases directly in it that the viewer sees.
    pub canvas_count: u64,
    /// Files directly in it that the viewer sees.
    pub file_count: u64,
    /// Folders directly in it that the viewer sees.
    pub subfolder_count: u64,
    /// Who made it.
    pub created_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it or a direct child last changed.
    pub updated_at: Timestamp,
    pub(super) private_to: Vec<u8>,
    pub(super) name_key: String,
}

impl FromRow<'_, DbRow> for FolderRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        let private_to: Vec<u8> = row.try_get("private_to")?;
        let count = |column: &str| row.try_get::<i64, _>(column).map(|count| u64::try_from(count).unwrap_or_default());
        Ok(Self {
            id: FolderId::from_uuid(row.try_get("id")?),
            name: row.try_get("name")?,
            path: String::new(),
            parent_id: row.try_get::<Option<Uuid>, _>("parent_id")?.map(FolderId::from_uuid),
            visibility: if private_to.is_empty() { Visibility::Team } else { Visibility::Private },
            canvas_count: count("canvas_count")?,
            file_count: count("file_count")?,
            subfolder_count: count("subfolder_count")?,
            created_by: UserId::from_uuid(row.try_get("created_by")?),
            created_at: moment(row.try_get("created_at")?),
            updated_at: moment(row.try_get("updated_at")?),
            private_to,
            name_key: row.try_get("name_key")?,
        })
    }
}

/// The folder, where it is there for this viewer.
///
/// # Errors
/// 404 `folder_not_found`, also for another member's private folder.
pub async fn get_visible_folder(conn: &mut DbConnection, viewer: Viewer, id: FolderId) -> Result<FolderRow, Error> {
    let mut sql = select(viewer);
    sql.push(" WHERE item.id = ").push_bind(id.uuid());
    sql.push(" AND item.team_id = ").push_bind(viewer.team.uuid());
    let folder: Option<FolderRow> = sql.build_query_as().fetch_optional(&mut *conn).await?;
    let folder = folder.filter(|folder| sees(&folder.private_to, viewer));
    let mut folders = vec![folder.ok_or_else(|| Error::not_found(code::FOLDER_NOT_FOUND))?];
    fill_paths(conn, viewer, &mut folders).await?;
    folders.pop().ok_or(Error::Corrupt("a folder without a path"))
}

/// A new folder below `parent`, or at the top. In a write transaction.
///
/// # Errors
/// 404 `folder_not_found` for the parent, 409 `folder_name_conflict`, 422 beyond [`MAX_NESTING`].
pub async fn insert_folder(
    conn: &mut DbConnection,
    viewer: Viewer,
    id: FolderId,
    name: &Name,
    parent: Option<FolderId>,
    now: Timestamp,
) -> Result<FolderRow, Error> {
    let now = moment_of_change(conn, viewer.team, now).await?;
    let private_to = visibility_in(conn, viewer, parent).await?;
    if let Some(parent) = parent
        && chain_of(conn, parent).await?.len() >= MAX_NESTING
    {
        return Err(Error::validation("parent_folder_id", "too_deep"));
    }
    refuse_taken_name(conn, viewer, Table::Folders, parent, name, None, now).await?;
    sqlx::query(
        "INSERT INTO folders
           (id, team_id, parent_id, name, name_key, visibility, private_to, created_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)",
    )
    .bind(id.uuid())
    .bind(viewer.team.uuid())
    .bind(parent.map(FolderId::uuid))
    .bind(name.as_str())
    .bind(name.key())
    .bind(Visibility::Team.as_str())
    .bind(private_to)
    .bind(viewer.user.uuid())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    touch_folder(conn, parent, now).await?;
    get_visible_folder(conn, viewer, id).await
}

/// A new private folder at the top, under `name` or the first free name after it. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn insert_private_folder(
    conn: &mut DbConnection,
    viewer: Viewer,
    id: FolderId,
    name: Name,
    now: Timestamp,
) -> Result<FolderId, Error> {
    let name = settle_name(conn, viewer, Table::Folders, None, name, None, now).await?;
    insert_folder(conn, viewer, id, &name, None, now).await?;
    change_item(conn, viewer, ItemRef::Folder(id), None, Some(Visibility::Private), now).await?;
    Ok(id)
}

/// A page of folders.
///
/// # Errors
/// 404 `folder_not_found` for the folder whose children are asked for.
pub async fn list_folders(
    conn: &mut DbConnection,
    viewer: Viewer,
    query: &ListQuery,
) -> Result<Listed<FolderRow>, Error> {
    if let listing::Place::In(folder) = query.place
        && !query.hidden
    {
        visibility_in(conn, viewer, Some(folder)).await?;
    }
    let total = listing::count(conn, viewer, Table::Folders, query.place, query.updated_since, query.hidden).await?;
    let mut sql = select(viewer);
    listing::push_page(&mut sql, viewer, Table::Folders, query, total);
    let folders: Vec<FolderRow> = sql.build_query_as().fetch_all(&mut *conn).await?;
    let mut listed = listing::into_listed(folders, query.limit, total, |folder| {
        let value = match query.sort.key {
            SortKey::CreatedAt | SortKey::Size => SortValue::Number(folder.created_at.as_micros()),
            SortKey::UpdatedAt => SortValue::Number(folder.updated_at.as_micros()),
            SortKey::Name => SortValue::Text(folder.name_key.clone()),
        };
        (value, folder.id.uuid())
    });
    fill_paths(conn, viewer, &mut listed.items).await?;
    Ok(listed)
}

/// The columns of a [`FolderRow`], from `folders AS item`.
pub(super) fn select(viewer: Viewer) -> QueryBuilder<Engine> {
    let mut sql = QueryBuilder::new(concat!("SELECT ", columns!("item", folders)));
    for (counted, column) in [("canvases", "canvas_count"), ("files", "file_count"), ("folders", "subfolder_count")] {
        sql.push(format_args!(", (SELECT CAST(COALESCE(SUM({counted}), 0) AS BIGINT) FROM drive_counts AS counted"));
        sql.push(" WHERE counted.team_id = item.team_id AND counted.place = item.id AND counted.private_to IN (x'', ");
        sql.push_bind(viewer.user.uuid()).push(format_args!(")) AS {column}"));
    }
    sql.push(" FROM folders AS item");
    sql
}

/// Writes the paths of these folders, which are in no particular order, with one query.
async fn fill_paths(conn: &mut DbConnection, viewer: Viewer, folders: &mut [FolderRow]) -> Result<(), Error> {
    let parents: Vec<Uuid> = folders.iter().filter_map(|folder| folder.parent_id.map(FolderId::uuid)).collect();
    let mut above: HashMap<Uuid, (Option<Uuid>, String, Vec<u8>)> = HashMap::new();
    if !parents.is_empty() {
        let mut sql = QueryBuilder::<Engine>::new(
            "WITH RECURSIVE above (id, parent_id, name, private_to) AS (
               SELECT id, parent_id, name, private_to FROM folders WHERE id IN (",
        );
        let mut ids = sql.separated(", ");
        for parent in parents {
            ids.push_bind(parent);
        }
        sql.push(
            ") UNION SELECT parent.id, parent.parent_id, parent.name, parent.private_to
               FROM folders AS parent JOIN above ON parent.id = above.parent_id
             ) SELECT id, parent_id, name, private_to FROM above",
        );
        let rows: Vec<(Uuid, Option<Uuid>, String, Vec<u8>)> = sql.build_query_as().fetch_all(conn).await?;
        above.extend(rows.into_iter().map(|(id, parent, name, private_to)| (id, (parent, name, private_to))));
    }
    for folder in folders {
        let mut names = vec![folder.name.as_str()];
        let mut next = folder.parent_id.map(FolderId::uuid);
        while let Some((parent, name, private_to)) = next.and_then(|id| above.get(&id)) {
            if !sees(private_to, viewer) {
                break;
            }
            names.push(name);
            next = *parent;
        }
        let mut path = String::new();
        for name in names.into_iter().rev() {
            path.push('/');
            path.push_str(name);
        }
        folder.path = path;
    }
    Ok(())
}
