//! The trash: what was deleted, whole, for 30 days, and its way back (contract, "Drive": an addition).
//!
//! Always true:
//! - An entry is seen by everybody who saw its item when it was deleted; admins and owners see the others' entries too.
//!   Each is told the entry's figures as far as they saw the item.
//! - A restored item keeps its ids and the names below it. It goes where it lay, as long as that folder is there, the
//!   viewer sees it, and nobody would see less of the item than before; otherwise to the top. If its name is taken by
//!   now, it gets a number.
//! - A private item stays private, wherever it comes back to.
//! - An entry is removed for good after its time, or by the only maker of all its items, an admin or an owner.
//!
//! Versions go and come with their file or canvas (`versions`, `canvases::versions`). Not here: the contents of an entry
//! that is removed for good; the caller gets their hashes.

use easel_wire::Timestamp;
use sqlx::{AssertSqlSafe, FromRow, QueryBuilder};
use uuid::Uuid;

use super::listing::push_sight;
use super::moments::{moment_of_change, touch_folder};
use super::naming::settle_name;
use super::nesting::{BELOW, MAX_NESTING, carry_down, chain_of, visibility_in};
use super::retention::{KEPT_DAYS, KEPT_US};
use super::table::{Table, table_of};
use super::versions;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::core::page::Start;
use crate::db::columns::moment;
use crate::db::selected::columns;
use crate::db::served_days::NEWEST;
use crate::db::viewer::{private_to, sees};
use crate::db::{DbConnection, Engine, Viewer, brand_kits, canvases};
use crate::wire::drive::{ChangedItem, CreatedBy, TrashedItem, Visibility};
use crate::wire::{CanvasId, FileId, FolderId, ItemRef, UserId};

/// Entries that are removed in one write transaction, so that others get their turn in between.
const ENTRIES_A_TURN: i64 = 16;

/// Where an entry stands in the list: when it was deleted, and its id.
pub type Position = (i64, Uuid);

const FOLDER: &str =
    "id, team_id, parent_id, name, name_key, visibility, private_to, created_by, created_at, updated_at";
const FILE: &str =
    "id, team_id, folder_id, name, name_key, visibility, private_to, mime_type, size_bytes, content_hash,
    content_by, content_at, created_by, created_at, updated_at";
const CANVAS: &str = "id, team_id, folder_id, name, name_key, visibility, private_to, category, source_canvas_id,
    conversation_id, document_hash, thumbnail_hash, pages, page_count, width, height, content_by, content_at, created_by,
    created_at, updated_at";

/// The makers of an entry's files and canvases, of their present contents and their versions, and those who uploaded
/// the same bytes; the id of the entry follows.
const CONTENTS_BY: &str = "SELECT 1 FROM (
      SELECT trash_id, COALESCE(content_by, created_by) AS author FROM trashed_files
      UNION ALL SELECT held.trash_id, version.created_by FROM file_versions AS version
        JOIN trashed_files AS held ON held.id = version.file_id
      UNION ALL SELECT held.trash_id, uploader.user_id FROM file_uploaders AS uploader
        JOIN trashed_files AS held ON held.id = uploader.file_id
      UNION ALL SELECT trash_id, COALESCE(content_by, created_by) FROM trashed_canvases
      UNION ALL SELECT held.trash_id, version.created_by FROM canvas_versions AS version
        JOIN trashed_canvases AS held ON held.id = version.canvas_id
    ) AS contents WHERE trash_id =";

/// The tables, the parent column of each, and its columns.
const TABLES: [(Table, &str); 3] = [(Table::Folders, FOLDER), (Table::Canvases, CANVAS), (Table::Files, FILE)];

/// An entry.
#[derive(Debug, Clone, FromRow)]
struct Entry {
    root_id: Uuid,
    kind: String,
    parent_id: Option<Uuid>,
    name: String,
    visibility: String,
    private_to: Vec<u8>,
    created_by: Uuid,
    deleted_by: Uuid,
    deleted_at: i64,
}

impl Entry {
    fn item(&self) -> ItemRef {
        match self.kind.as_str() {
            "folder" => ItemRef::Folder(FolderId::from_uuid(self.root_id)),
            "canvas" => ItemRef::Canvas(CanvasId::from_uuid(self.root_id)),
            _ => ItemRef::File(FileId::from_uuid(self.root_id)),
        }
    }
}

/// Moves an item out of the drive into the trash, with all below it that the viewer sees. In a write transaction.
pub(super) async fn throw_away(
    conn: &mut DbConnection,
    viewer: Viewer,
    item: ItemRef,
    now: Timestamp,
) -> Result<(), Error> {
    let (table, id, _) = table_of(item);
    let user = viewer.user.uuid();
    let sql = format!(
        "INSERT INTO trash (root_id, kind, team_id, parent_id, name, visibility, private_to, created_by, deleted_by, deleted_at,
           served_day)
         SELECT id, $3, team_id, {}, name, visibility, private_to, created_by, $2, $4, {NEWEST} FROM {} WHERE id = $1",
        table.parent_column(),
        table.name(),
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .bind(user)
        .bind(item.kind_name())
        .bind(now.as_micros())
        .execute(&mut *conn)
        .await?;
    let chosen = |inner: Table| match (table, inner) {
        (Table::Folders, Table::Folders) => Some("id IN (SELECT id FROM below)".to_owned()),
        (Table::Folders, _) => Some(format!("{} IN (SELECT id FROM below)", inner.parent_column())),
        _ => (table == inner).then(|| "id = $1".to_owned()),
    };
    let below = if table == Table::Folders { BELOW } else { "WITH nobody (id) AS (SELECT $2)" };
    for (inner, columns) in TABLES {
        if let Some(condition) = chosen(inner) {
            let name = inner.name();
            let sql = format!(
                "{below} INSERT INTO trashed_{name} (trash_id, {columns}) SELECT $1, {columns} FROM {name} WHERE {condition}"
            );
            sqlx::query(AssertSqlSafe(sql)).bind(id).bind(user).execute(&mut *conn).await?;
        }
    }
    brand_kits::set_images_aside(conn, id).await?;
    // Folders last: what lies in them refers to them.
    for (inner, _) in TABLES.into_iter().rev() {
        let name = inner.name();
        let sql = format!("DELETE FROM {name} WHERE id IN (SELECT id FROM trashed_{name} WHERE trash_id = $1)");
        sqlx::query(AssertSqlSafe(sql)).bind(id).execute(&mut *conn).await?;
    }
    sqlx::query(
        "INSERT INTO trash_counts (trash_id, private_to, folders, canvases, files, bytes)
         SELECT $1, private_to, SUM(folders), SUM(canvases), SUM(files), SUM(bytes) FROM (
           SELECT private_to, 1 AS folders, 0 AS canvases, 0 AS files, 0 AS bytes FROM trashed_folders WHERE trash_id = $1
           UNION ALL SELECT private_to, 0, 1, 0, 0 FROM trashed_canvases WHERE trash_id = $1
           UNION ALL SELECT private_to, 0, 0, 1, size_bytes FROM trashed_files WHERE trash_id = $1
         ) AS items GROUP BY private_to",
    )
    .bind(id)
    .execute(conn)
    .await?;
    Ok(())
}

/// A page of the trash, the newest entry first, and where the next one begins.
///
/// # Errors
/// [`Error::Database`].
pub async fn list(
    conn: &mut DbConnection,
    viewer: Viewer,
    hidden: bool,
    start: &Start<Position>,
    limit: u32,
) -> Result<(Vec<TrashedItem>, Option<Position>, u64), Error> {
    let mut sql = QueryBuilder::<Engine>::new("SELECT COUNT(*) FROM trash WHERE team_id = ");
    sql.push_bind(viewer.team.uuid());
    push_sight(&mut sql, viewer, "private_to", hidden);
    let total: i64 = sql.build_query_scalar().fetch_one(&mut *conn).await?;

    let mut sql =
        QueryBuilder::<Engine>::new(concat!("SELECT ", columns!("trash", trash), " FROM trash WHERE team_id = "));
    sql.push_bind(viewer.team.uuid());
    push_sight(&mut sql, viewer, "private_to", hidden);
    if let Start::After((at, id)) = start {
        sql.push(" AND (deleted_at, root_id) < (").push_bind(*at).push(", ").push_bind(*id).push(")");
    }
    sql.push(" ORDER BY deleted_at DESC, root_id DESC LIMIT ").push_bind(i64::from(limit) + 1);
    if let Start::Offset(offset) = start {
        sql.push(" OFFSET ").push_bind(i64::try_from(*offset).unwrap_or(i64::MAX));
    }
    let mut entries: Vec<Entry> = sql.build_query_as().fetch_all(&mut *conn).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = entries.len() > limit;
    entries.truncate(limit);
    let next = entries.last().filter(|_| more).map(|entry| (entry.deleted_at, entry.root_id));
    let mut items = Vec::with_capacity(entries.len());
    for entry in entries {
        items.push(on_wire(conn, viewer, &entry).await?);
    }
    Ok((items, next, u64::try_from(total).unwrap_or_default()))
}

async fn on_wire(conn: &mut DbConnection, viewer: Viewer, entry: &Entry) -> Result<TrashedItem, Error> {
    let (name, email): (String, String) = sqlx::query_as("SELECT name, email FROM users WHERE id = $1")
        .bind(entry.deleted_by)
        .fetch_one(&mut *conn)
        .await?;
    // Of an entry that others hid, an admin or owner is told everything: it has only what its one user saw.
    let viewers = viewer.user.uuid();
    let whose =
        if sees(&entry.private_to, viewer) { viewers.as_bytes().as_slice() } else { entry.private_to.as_slice() };
    let (folders, canvases, files, bytes): (i64, i64, i64, i64) = sqlx::query_as(
        "SELECT CAST(COALESCE(SUM(folders), 0) AS BIGINT), CAST(COALESCE(SUM(canvases), 0) AS BIGINT),
           CAST(COALESCE(SUM(files), 0) AS BIGINT), CAST(COALESCE(SUM(bytes), 0) AS BIGINT)
         FROM trash_counts WHERE trash_id = $1 AND private_to IN (x'', $2)",
    )
    .bind(entry.root_id)
    .bind(whose)
    .fetch_one(conn)
    .await?;
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    let item = entry.item();
    Ok(TrashedItem {
        id: item,
        kind: item.kind_name().to_owned(),
        name: entry.name.clone(),
        folder_id: entry.parent_id.map(FolderId::from_uuid),
        visibility: if entry.private_to.is_empty() { Visibility::Team } else { Visibility::Private },
        deleted_at: moment(entry.deleted_at),
        deleted_by: CreatedBy { id: UserId::from_uuid(entry.deleted_by), name: Some(name), email: Some(email) },
        expires_at: moment(entry.deleted_at.saturating_add(KEPT_US)),
        folder_count: count(folders),
        canvas_count: count(canvases),
        file_count: count(files),
        size_bytes: count(bytes),
    })
}

/// The entry of an item, where it is there for this viewer.
async fn get_entry(conn: &mut DbConnection, viewer: Viewer, item: ItemRef) -> Result<Entry, Error> {
    let (_, id, missing) = table_of(item);
    let found: Option<Entry> = sqlx::query_as(concat!(
        "SELECT ",
        columns!("trash", trash),
        " FROM trash WHERE root_id = $1 AND team_id = $2 AND kind = $3"
    ))
    .bind(id)
    .bind(viewer.team.uuid())
    .bind(item.kind_name())
    .fetch_optional(conn)
    .await?;
    found.filter(|entry| sees(&entry.private_to, viewer) || viewer.oversees).ok_or_else(|| Error::not_found(missing))
}

/// Brings an item back into the drive, with all that went with it. In a write transaction.
///
/// # Errors
/// 404 for what is not in the trash, or not for this viewer.
pub async fn restore(
    conn: &mut DbConnection,
    viewer: Viewer,
    item: ItemRef,
    now: Timestamp,
) -> Result<ChangedItem, Error> {
    let entry = get_entry(conn, viewer, item).await?;
    let now = moment_of_change(conn, viewer.team, now).await?;
    let (table, id, _) = table_of(item);
    let maker = UserId::from_uuid(entry.created_by);
    let mut own: Visibility = entry.visibility.parse().map_err(|_| Error::Corrupt("the visibility of an item"))?;
    let (mut parent, mut above) = find_place(conn, viewer, &entry).await?;
    let mut sees_it_alone = private_to(own, maker, &above);
    if sees_it_alone != entry.private_to {
        if entry.private_to.is_empty() {
            // In its old place fewer would see it than before.
            (parent, above) = (None, Vec::new());
            sees_it_alone = private_to(own, maker, &above);
        } else {
            own = Visibility::Private;
            sees_it_alone = private_to(own, maker, &above);
        }
    }
    let stored = Name::parse(&entry.name).map_err(|_| Error::Corrupt("a stored name that is none"))?;
    let name = settle_name(conn, viewer, table, parent, stored, None, now).await?;

    let (root, rest) = ("trash_id = $1 AND id = $1", "trash_id = $1 AND id <> $1");
    for (inner, columns) in TABLES {
        let inner_name = inner.name();
        let fresh = columns.replace("updated_at", "$2");
        if inner == table {
            // Put in with the place and the name that it gets, because both may be taken where it lay.
            let changed = fresh.replacen(inner.parent_column(), "$3", 1).replacen(
                "name, name_key, visibility, private_to",
                "$4, $5, $6, $7",
                1,
            );
            let sql =
                format!("INSERT INTO {inner_name} ({columns}) SELECT {changed} FROM trashed_{inner_name} WHERE {root}");
            sqlx::query(AssertSqlSafe(sql))
                .bind(id)
                .bind(now.as_micros())
                .bind(parent.map(FolderId::uuid))
                .bind(name.as_str())
                .bind(name.key())
                .bind(own.as_str())
                .bind(&sees_it_alone)
                .execute(&mut *conn)
                .await?;
        }
        let sql = format!("INSERT INTO {inner_name} ({columns}) SELECT {fresh} FROM trashed_{inner_name} WHERE {rest}");
        sqlx::query(AssertSqlSafe(sql)).bind(id).bind(now.as_micros()).execute(&mut *conn).await?;
    }
    if table == Table::Folders && sees_it_alone != entry.private_to {
        carry_down(conn, id, &sees_it_alone, now).await?;
    }
    brand_kits::put_images_back(conn, id).await?;
    forget(conn, id).await?;
    touch_folder(conn, parent, now).await?;
    let visibility = if sees_it_alone.is_empty() { Visibility::Team } else { Visibility::Private };
    Ok(ChangedItem {
        id: item,
        kind: Some(item.kind_name().to_owned()),
        name: Some(name.as_str().to_owned()),
        folder_id: parent,
        visibility: Some(visibility),
        updated_at: Some(now),
    })
}

/// The folder that an entry lay in, with the visibility that it gives its children; the top if the folder is gone, out
/// of sight, or so deep by now that the entry would not fit below it.
async fn find_place(
    conn: &mut DbConnection,
    viewer: Viewer,
    entry: &Entry,
) -> Result<(Option<FolderId>, Vec<u8>), Error> {
    let Some(parent) = entry.parent_id.map(FolderId::from_uuid) else { return Ok((None, Vec::new())) };
    let above = match visibility_in(conn, viewer, Some(parent)).await {
        Ok(above) => above,
        Err(Error::NotFound { .. }) => return Ok((None, Vec::new())),
        Err(error) => return Err(error),
    };
    let levels: Option<i64> = sqlx::query_scalar(
        "WITH RECURSIVE down (id, level) AS (
           SELECT id, 1 FROM trashed_folders WHERE id = $1 UNION ALL
           SELECT inner_one.id, down.level + 1 FROM trashed_folders AS inner_one
           JOIN down ON inner_one.trash_id = $1 AND inner_one.parent_id = down.id
         ) SELECT MAX(level) FROM down",
    )
    .bind(entry.root_id)
    .fetch_one(&mut *conn)
    .await?;
    let levels = usize::try_from(levels.unwrap_or_default()).unwrap_or(usize::MAX);
    if chain_of(conn, parent).await?.len() + levels > MAX_NESTING {
        return Ok((None, Vec::new()));
    }
    Ok((Some(parent), above))
}

/// Removes an entry for good, and says what contents it had. Others may have the same. In a write transaction.
///
/// # Errors
/// 404 for what is not in the trash, or not for this viewer; 403 for who neither made all of it nor oversees.
pub async fn purge(conn: &mut DbConnection, viewer: Viewer, item: ItemRef) -> Result<Vec<[u8; 32]>, Error> {
    let entry = get_entry(conn, viewer, item).await?;
    if !may_purge(conn, viewer, entry.root_id).await? {
        return Err(Error::NotPermitted("only who made all of it, an admin or an owner removes it for good"));
    }
    remove(conn, entry.root_id).await
}

/// The entries that the viewer sees and may remove for good, the oldest first, a turn of them.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_purgeable(conn: &mut DbConnection, viewer: Viewer) -> Result<Vec<ItemRef>, Error> {
    let mut sql =
        QueryBuilder::<Engine>::new(concat!("SELECT ", columns!("trash", trash), " FROM trash WHERE team_id = "));
    sql.push_bind(viewer.team.uuid());
    push_sight(&mut sql, viewer, "private_to", false);
    if !viewer.oversees {
        for name in ["folders", "canvases", "files"] {
            sql.push(format_args!(" AND NOT EXISTS (SELECT 1 FROM trashed_{name} AS inner_one"));
            sql.push(" WHERE inner_one.trash_id = root_id AND inner_one.created_by <> ");
            sql.push_bind(viewer.user.uuid()).push(")");
        }
        sql.push(format_args!(" AND NOT EXISTS ({CONTENTS_BY} root_id AND author <> ")).push_bind(viewer.user.uuid());
        sql.push(")");
    }
    sql.push(" ORDER BY deleted_at, root_id LIMIT ").push_bind(ENTRIES_A_TURN);
    let entries: Vec<Entry> = sql.build_query_as().fetch_all(conn).await?;
    Ok(entries.iter().map(Entry::item).collect())
}

async fn may_purge(conn: &mut DbConnection, viewer: Viewer, root: Uuid) -> Result<bool, Error> {
    if viewer.oversees {
        return Ok(true);
    }
    let others: bool = sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT EXISTS (SELECT 1 FROM trashed_folders WHERE trash_id = $1 AND created_by <> $2)
             OR EXISTS (SELECT 1 FROM trashed_canvases WHERE trash_id = $1 AND created_by <> $2)
             OR EXISTS (SELECT 1 FROM trashed_files WHERE trash_id = $1 AND created_by <> $2)
             OR EXISTS ({CONTENTS_BY} $1 AND author <> $2)"
    )))
    .bind(root)
    .bind(viewer.user.uuid())
    .fetch_one(conn)
    .await?;
    Ok(!others)
}

/// Removes a turn of entries whose time is over, whoever's; returns their contents, or nothing where no entry is left.
/// The time is over when the clock says so, or when an entry was deleted at a moment that is yet to come, and the
/// studio served for as many days since.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn expire(conn: &mut DbConnection, now: Timestamp) -> Result<Option<Vec<[u8; 32]>>, Error> {
    let roots: Vec<Uuid> = sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT root_id FROM trash WHERE (deleted_at < $1 OR deleted_at > $2) AND served_day + $3 <= {NEWEST}
         ORDER BY deleted_at LIMIT $4"
    )))
    .bind(now.as_micros().saturating_sub(KEPT_US))
    .bind(now.as_micros())
    .bind(KEPT_DAYS)
    .bind(ENTRIES_A_TURN)
    .fetch_all(&mut *conn)
    .await?;
    if roots.is_empty() {
        return Ok(None);
    }
    let mut hashes = Vec::new();
    for root in roots {
        hashes.extend(remove(conn, root).await?);
    }
    Ok(Some(hashes))
}

async fn remove(conn: &mut DbConnection, root: Uuid) -> Result<Vec<[u8; 32]>, Error> {
    let hashes: Vec<Vec<u8>> = sqlx::query_scalar(
        "SELECT content_hash FROM trashed_files WHERE trash_id = $1
         UNION SELECT document_hash FROM trashed_canvases WHERE trash_id = $1
         UNION SELECT thumbnail_hash FROM trashed_canvases WHERE trash_id = $1 AND thumbnail_hash IS NOT NULL",
    )
    .bind(root)
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query("DELETE FROM file_uploaders WHERE file_id IN (SELECT id FROM trashed_files WHERE trash_id = $1)")
        .bind(root)
        .execute(&mut *conn)
        .await?;
    let of_versions = versions::remove_of_entry(conn, root).await?;
    let of_drawings = canvases::versions::remove_of_entry(conn, root).await?;
    forget(conn, root).await?;
    let wrong = |_| Error::Corrupt("a content hash that is not 32 bytes long");
    let own = hashes.into_iter().map(|hash| hash.try_into().map_err(wrong)).collect::<Result<Vec<_>, _>>()?;
    Ok(own.into_iter().chain(of_versions).chain(of_drawings).collect())
}

/// Removes the rows of an entry.
async fn forget(conn: &mut DbConnection, root: Uuid) -> Result<(), Error> {
    for place in [
        "trashed_files WHERE trash_id",
        "trashed_canvases WHERE trash_id",
        "trashed_folders WHERE trash_id",
        "trash WHERE root_id",
    ] {
        let sql = format!("DELETE FROM {place} = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(root).execute(&mut *conn).await?;
    }
    Ok(())
}
