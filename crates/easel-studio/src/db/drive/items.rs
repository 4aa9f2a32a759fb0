//! Changes of existing items: move, rename, visibility, delete (contract, "Drive").
//!
//! Always true: each function runs in a write transaction and does the whole change or, with an error, nothing that may
//! be committed; an item that the viewer may not see counts as missing, and is never destroyed; nobody but an item's
//! maker, an admin or an owner takes it out of another's sight, nor destroys an item that was taken out of its maker's.
//! Whoever uploaded the same bytes is a maker of the file too. Not here: deleted items ([`super::trash`]).

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::listing::{self, Place};
use super::moments::{moment_of_change, touch_folder};
use super::naming::{free_name, refuse_taken_name};
use super::nesting::{BELOW, FOLLOWING, MAX_NESTING, carry_down, chain_of, visibility_in};
use super::table::{Table, table_of};
use super::trash;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::db::columns::moment;
use crate::db::viewer::{private_to, sees};
use crate::db::{DbConnection, Viewer};
use crate::wire::drive::{ChangedItem, Visibility};
use crate::wire::{FolderId, ItemRef, UserId};

/// What items of every kind have.
#[derive(Debug, Clone)]
struct Item {
    item: ItemRef,
    table: Table,
    id: Uuid,
    name: String,
    parent: Option<FolderId>,
    own_visibility: Visibility,
    private_to: Vec<u8>,
    created_by: UserId,
    updated_at: Timestamp,
}

impl Item {
    fn into_changed(self) -> ChangedItem {
        let visibility = if self.private_to.is_empty() { Visibility::Team } else { Visibility::Private };
        ChangedItem {
            id: self.item,
            kind: Some(self.item.kind_name().to_owned()),
            name: Some(self.name),
            folder_id: self.parent,
            visibility: Some(visibility),
            updated_at: Some(self.updated_at),
        }
    }
}

/// The item, where it is there for this viewer; with `hidden` also where others have hidden it and the viewer oversees.
async fn get_item(conn: &mut DbConnection, viewer: Viewer, item: ItemRef, hidden: bool) -> Result<Item, Error> {
    #[derive(FromRow)]
    struct Found {
        name: String,
        parent_id: Option<Uuid>,
        visibility: String,
        private_to: Vec<u8>,
        created_by: Uuid,
        updated_at: i64,
    }
    let (table, id, missing) = table_of(item);
    let sql = format!(
        "SELECT name, {} AS parent_id, visibility, private_to, created_by, updated_at FROM {}
         WHERE id = $1 AND team_id = $2",
        table.parent_column(),
        table.name(),
    );
    let found: Option<Found> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(id).bind(viewer.team.uuid()).fetch_optional(conn).await?;
    let found = found
        .filter(|found| sees(&found.private_to, viewer) || (hidden && viewer.oversees))
        .ok_or_else(|| Error::not_found(missing))?;
    Ok(Item {
        item,
        table,
        id,
        name: found.name,
        parent: found.parent_id.map(FolderId::from_uuid),
        own_visibility: found.visibility.parse().map_err(|_| Error::Corrupt("the visibility of an item"))?,
        private_to: found.private_to,
        created_by: UserId::from_uuid(found.created_by),
        updated_at: moment(found.updated_at),
    })
}

/// Moves an item into a folder, or to the top. Where it lies there already, nothing changes. Who oversees also moves
/// what others have hidden.
///
/// # Errors
/// 404 for the item or the folder, 403 `visibility_change_denied`, 409 `folder_circular_reference`, 409
/// `folder_name_conflict` and the like, 422 beyond [`MAX_NESTING`].
pub async fn move_item(
    conn: &mut DbConnection,
    viewer: Viewer,
    item: ItemRef,
    to: Option<FolderId>,
    now: Timestamp,
) -> Result<ChangedItem, Error> {
    let now = moment_of_change(conn, viewer.team, now).await?;
    let mut item = get_item(conn, viewer, item, true).await?;
    let above = visibility_in(conn, viewer, to).await?;
    if to == item.parent {
        return Ok(item.into_changed());
    }
    if item.table == Table::Folders
        && let Some(to) = to
    {
        let chain = chain_of(conn, to).await?;
        if chain.contains(&item.id) {
            return Err(Error::conflict(code::FOLDER_CIRCULAR_REFERENCE, None));
        }
        if chain.len() + nesting_below(conn, item.id).await? > MAX_NESTING {
            return Err(Error::validation("folder_id", "too_deep"));
        }
    }
    let name = Name::parse(&item.name).map_err(|_| Error::Corrupt("a stored name that is none"))?;
    refuse_taken_name(conn, viewer, item.table, to, &name, None, now).await?;

    let from = std::mem::replace(&mut item.parent, to);
    let private_to = private_to(item.own_visibility, item.created_by, &above);
    refuse_narrowing(conn, viewer, &item, &private_to).await?;
    write_item(conn, &mut item, &name, private_to, now).await?;
    touch_folder(conn, from, now).await?;
    touch_folder(conn, to, now).await?;
    Ok(item.into_changed())
}

/// Renames an item, or sets who may see it, or both. What is so already does not change.
///
/// # Errors
/// 404 for the item, 409 `folder_name_conflict` and the like, 403 `visibility_change_denied`. Of what others have
/// hidden, who oversees changes the visibility alone.
pub async fn change_item(
    conn: &mut DbConnection,
    viewer: Viewer,
    item: ItemRef,
    name: Option<&Name>,
    visibility: Option<Visibility>,
    now: Timestamp,
) -> Result<ChangedItem, Error> {
    let now = moment_of_change(conn, viewer.team, now).await?;
    let mut item = get_item(conn, viewer, item, name.is_none()).await?;
    let name = name.filter(|name| name.as_str() != item.name);
    let visibility = visibility.filter(|visibility| *visibility != item.own_visibility);
    if name.is_none() && visibility.is_none() {
        return Ok(item.into_changed());
    }
    let stored = Name::parse(&item.name).map_err(|_| Error::Corrupt("a stored name that is none"))?;
    if let Some(name) = name {
        refuse_taken_name(conn, viewer, item.table, item.parent, name, Some(item.id), now).await?;
    }
    let mut sees_it_alone = item.private_to.clone();
    if let Some(visibility) = visibility {
        let above = match item.parent {
            Some(folder) => folder_private_to(conn, folder).await?,
            None => Vec::new(),
        };
        sees_it_alone = private_to(visibility, item.created_by, &above);
        refuse_narrowing(conn, viewer, &item, &sees_it_alone).await?;
        item.own_visibility = visibility;
    }
    write_item(conn, &mut item, name.unwrap_or(&stored), sees_it_alone, now).await?;
    touch_folder(conn, item.parent, now).await?;
    Ok(item.into_changed())
}

/// Deletes an item into the trash; a folder with all that the viewer sees in it. Another member's private things in
/// there move to the top of the drive, where their owner finds them, and so does what another made and cannot see where
/// it lies.
///
/// # Errors
/// 404 for the item, 403 `visibility_change_denied` for one that its maker cannot see, 409 `folder_not_empty` for a
/// folder with something in it unless `recursive`.
pub async fn delete_item(
    conn: &mut DbConnection,
    viewer: Viewer,
    item: ItemRef,
    recursive: bool,
    now: Timestamp,
) -> Result<ChangedItem, Error> {
    let now = moment_of_change(conn, viewer.team, now).await?;
    let item = get_item(conn, viewer, item, false).await?;
    if !viewer.oversees && !item.private_to.is_empty() && item.created_by != viewer.user {
        return Err(Error::VisibilityChangeDenied);
    }
    if item.table == Table::Folders {
        if !recursive {
            refuse_content(conn, viewer, FolderId::from_uuid(item.id)).await?;
        }
        if !viewer.oversees {
            return_to_makers(conn, viewer, item.id, now).await?;
        }
        rescue_hidden(conn, viewer, item.id, now).await?;
    }
    trash::throw_away(conn, viewer, item.item, now).await?;
    touch_folder(conn, item.parent, now).await?;
    Ok(item.into_changed())
}

/// Writes an item's name, parent, visibility and `updated_at`, and carries a folder's visibility down.
async fn write_item(
    conn: &mut DbConnection,
    item: &mut Item,
    name: &Name,
    private_to: Vec<u8>,
    now: Timestamp,
) -> Result<(), Error> {
    let sql = format!(
        "UPDATE {} SET name = $2, name_key = $3, {} = $4, visibility = $5, private_to = $6,
           updated_at = CASE WHEN updated_at < $7 THEN $7 ELSE updated_at + 1 END
         WHERE id = $1 RETURNING updated_at",
        item.table.name(),
        item.table.parent_column(),
    );
    let (updated_at,): (i64,) = sqlx::query_as(AssertSqlSafe(sql))
        .bind(item.id)
        .bind(name.as_str())
        .bind(name.key())
        .bind(item.parent.map(FolderId::uuid))
        .bind(item.own_visibility.as_str())
        .bind(&private_to)
        .bind(now.as_micros())
        .fetch_one(&mut *conn)
        .await?;
    if item.table == Table::Folders && item.private_to != private_to {
        carry_down(conn, item.id, &private_to, now).await?;
    }
    item.name = name.as_str().to_owned();
    item.private_to = private_to;
    item.updated_at = moment(updated_at);
    Ok(())
}

/// How many folders lie in each other from this one downwards, itself included.
async fn nesting_below(conn: &mut DbConnection, folder: Uuid) -> Result<usize, Error> {
    let (levels,): (i64,) = sqlx::query_as(
        "WITH RECURSIVE down (id, level) AS (
           SELECT $1, 1 UNION ALL
           SELECT folders.id, down.level + 1 FROM folders JOIN down ON folders.parent_id = down.id
         ) SELECT MAX(level) FROM down",
    )
    .bind(folder)
    .fetch_one(conn)
    .await?;
    Ok(usize::try_from(levels).unwrap_or(usize::MAX))
}

/// The visibility that a folder gives its children, whether or not the viewer sees the folder itself.
async fn folder_private_to(conn: &mut DbConnection, folder: FolderId) -> Result<Vec<u8>, Error> {
    let (private_to,): (Vec<u8>,) =
        sqlx::query_as("SELECT private_to FROM folders WHERE id = $1").bind(folder.uuid()).fetch_one(conn).await?;
    Ok(private_to)
}

async fn refuse_content(conn: &mut DbConnection, viewer: Viewer, folder: FolderId) -> Result<(), Error> {
    for table in [Table::Folders, Table::Canvases, Table::Files] {
        if listing::count(conn, viewer, table, Place::In(folder), None, false).await? > 0 {
            return Err(Error::conflict(code::FOLDER_NOT_EMPTY, None));
        }
    }
    Ok(())
}

/// Refuses what would take an item, or one below it that follows it, out of the sight of someone, unless the viewer
/// made each of them or oversees.
async fn refuse_narrowing(
    conn: &mut DbConnection,
    viewer: Viewer,
    item: &Item,
    private_to: &[u8],
) -> Result<(), Error> {
    if viewer.oversees || private_to.is_empty() || private_to == item.private_to {
        return Ok(());
    }
    let mut made_by_others = item.created_by != viewer.user;
    if item.table == Table::Files && !made_by_others {
        (made_by_others,) =
            sqlx::query_as("SELECT EXISTS (SELECT 1 FROM file_uploaders WHERE file_id = $1 AND user_id <> $2)")
                .bind(item.id)
                .bind(viewer.user.uuid())
                .fetch_one(&mut *conn)
                .await?;
    }
    if item.table == Table::Folders && !made_by_others {
        let sql = format!(
            "{FOLLOWING} SELECT EXISTS (SELECT 1 FROM folders WHERE id IN (SELECT id FROM following) AND created_by <> $2)
             OR EXISTS (SELECT 1 FROM files
               WHERE folder_id IN (SELECT id FROM following) AND visibility = 'team' AND (created_by <> $2
                 OR EXISTS (SELECT 1 FROM file_uploaders WHERE file_id = files.id AND user_id <> $2)))
             OR EXISTS (SELECT 1 FROM canvases
               WHERE folder_id IN (SELECT id FROM following) AND visibility = 'team' AND created_by <> $2)"
        );
        (made_by_others,) =
            sqlx::query_as(AssertSqlSafe(sql)).bind(item.id).bind(viewer.user.uuid()).fetch_one(conn).await?;
    }
    if made_by_others { Err(Error::VisibilityChangeDenied) } else { Ok(()) }
}

/// What lies below `folder`, was made by others and is seen by the viewer alone becomes private to its makers, so that
/// it is theirs again before the folder goes.
async fn return_to_makers(conn: &mut DbConnection, viewer: Viewer, folder: Uuid, now: Timestamp) -> Result<(), Error> {
    for table in [Table::Files, Table::Canvases] {
        let sql = format!(
            "{BELOW} UPDATE {} SET visibility = 'private', private_to = created_by,
               updated_at = CASE WHEN updated_at < $3 THEN $3 ELSE updated_at + 1 END
             WHERE {} IN (SELECT id FROM below) AND private_to = $2 AND created_by <> $2",
            table.name(),
            table.parent_column(),
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(folder)
            .bind(viewer.user.uuid())
            .bind(now.as_micros())
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}

/// Moves to the top what lies below `folder` and the viewer may not see.
async fn rescue_hidden(conn: &mut DbConnection, viewer: Viewer, folder: Uuid, now: Timestamp) -> Result<(), Error> {
    for table in [Table::Folders, Table::Canvases, Table::Files] {
        let (name, parent) = (table.name(), table.parent_column());
        let sql = format!(
            "{BELOW} SELECT id, name FROM {name}
             WHERE {parent} IN (SELECT id FROM below) AND private_to NOT IN (x'', $2)"
        );
        let hidden: Vec<(Uuid, String)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(folder).bind(viewer.user.uuid()).fetch_all(&mut *conn).await?;
        for (id, stored) in hidden {
            let stored = Name::parse(&stored).map_err(|_| Error::Corrupt("a stored name that is none"))?;
            let free = free_name(conn, table, viewer.team, None, stored).await?;
            // `private_to` stays: the item is hidden by its own setting, because its folder is not hidden.
            let sql = format!(
                "UPDATE {name} SET name = $2, name_key = $3, {parent} = NULL,
                   updated_at = CASE WHEN updated_at < $4 THEN $4 ELSE updated_at + 1 END WHERE id = $1"
            );
            sqlx::query(AssertSqlSafe(sql))
                .bind(id)
                .bind(free.as_str())
                .bind(free.key())
                .bind(now.as_micros())
                .execute(&mut *conn)
                .await?;
        }
    }
    Ok(())
}
