//! Chooses the name that an item gets in its folder.
//!
//! Always true: a name is taken by at most one item of a kind in a folder, whoever may see it; a hidden item gives way
//! to an item that the viewer puts there, so that no answer tells of the hidden one. Not here: which names are valid
//! ([`crate::core::names`]).

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::table::Table;
use crate::core::error::Error;
use crate::core::names::{Name, NumberSearch};
use crate::db::viewer::sees;
use crate::db::{DbConnection, Viewer};
use crate::wire::{CanvasId, FileId, FolderId, ItemRef, TeamId};

/// The item that has this name in this place, whoever may see it: its id and `private_to`.
async fn find_by_name(
    conn: &mut DbConnection,
    table: Table,
    team: TeamId,
    parent: Option<FolderId>,
    key: &str,
) -> Result<Option<(Uuid, Vec<u8>)>, Error> {
    let sql = match table {
        Table::Folders => {
            "SELECT id, private_to FROM folders WHERE team_id = $1 AND COALESCE(parent_id, x'') = $2 AND name_key = $3"
        }
        Table::Canvases => {
            "SELECT id, private_to FROM canvases WHERE team_id = $1 AND COALESCE(folder_id, x'') = $2 AND name_key = $3"
        }
        Table::Files => {
            "SELECT id, private_to FROM files WHERE team_id = $1 AND COALESCE(folder_id, x'') = $2 AND name_key = $3"
        }
    };
    Ok(sqlx::query_as(sql).bind(team.uuid()).bind(place_in_rows(parent)).bind(key).fetch_optional(conn).await?)
}

/// A folder as the indexes of names have it: the top of a drive is empty there.
pub(super) fn place_in_rows(folder: Option<FolderId>) -> Vec<u8> {
    folder.map(|folder| folder.uuid().as_bytes().to_vec()).unwrap_or_default()
}

/// Refuses a name that another item has in this place, as far as the viewer sees it; a hidden one gives way.
pub(super) async fn refuse_taken_name(
    conn: &mut DbConnection,
    viewer: Viewer,
    table: Table,
    parent: Option<FolderId>,
    name: &Name,
    except: Option<Uuid>,
    now: Timestamp,
) -> Result<(), Error> {
    make_way(conn, viewer, table, parent, name, now).await?;
    match find_by_name(conn, table, viewer.team, parent, name.key()).await? {
        Some((id, _)) if except != Some(id) => {
            let (code, existing) = match table {
                Table::Folders => (code::FOLDER_NAME_CONFLICT, ItemRef::Folder(FolderId::from_uuid(id))),
                Table::Canvases => (code::CANVAS_NAME_CONFLICT, ItemRef::Canvas(CanvasId::from_uuid(id))),
                Table::Files => (code::FILE_NAME_CONFLICT, ItemRef::File(FileId::from_uuid(id))),
            };
            Err(Error::conflict(code, existing.to_string()))
        }
        _ => Ok(()),
    }
}

/// Gives a hidden item that has this name in this place the next free number. In a write transaction.
async fn make_way(
    conn: &mut DbConnection,
    viewer: Viewer,
    table: Table,
    parent: Option<FolderId>,
    name: &Name,
    now: Timestamp,
) -> Result<(), Error> {
    let Some((id, private_to)) = find_by_name(conn, table, viewer.team, parent, name.key()).await? else {
        return Ok(());
    };
    if sees(&private_to, viewer) {
        return Ok(());
    }
    let own = format!("SELECT name FROM {} WHERE id = $1", table.name());
    let own: String = sqlx::query_scalar(AssertSqlSafe(own)).bind(id).fetch_one(&mut *conn).await?;
    let own = Name::parse(&own).map_err(|_| Error::Corrupt("a stored name that is none"))?;
    let free = free_name(conn, table, viewer.team, parent, own).await?;
    let sql = format!(
        "UPDATE {} SET name = $2, name_key = $3,
           updated_at = CASE WHEN updated_at < $4 THEN $4 ELSE updated_at + 1 END WHERE id = $1",
        table.name()
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(id)
        .bind(free.as_str())
        .bind(free.key())
        .bind(now.as_micros())
        .execute(conn)
        .await?;
    Ok(())
}

/// A name for what the viewer puts into this place: `name`, or the first one of `name (2)`, `name (3)` and so on
/// (contract, "Uploads") that no item has which they see. A hidden item that has it gives way, so that no number tells
/// of one. In a write transaction, so that nobody takes it before it is used. What the item `except` has is free to it.
pub(in crate::db) async fn settle_name(
    conn: &mut DbConnection,
    viewer: Viewer,
    table: Table,
    parent: Option<FolderId>,
    name: Name,
    except: Option<Uuid>,
    now: Timestamp,
) -> Result<Name, Error> {
    let own = find_by_name(conn, table, viewer.team, parent, name.key()).await?;
    if own.is_none() {
        return Ok(name);
    }
    let is_taken = |found: Option<(Uuid, Vec<u8>)>| {
        found.is_some_and(|(id, private_to)| Some(id) != except && sees(&private_to, viewer))
    };
    let settled = match is_taken(own) {
        true => first_free(conn, table, viewer.team, parent, &name, is_taken).await?,
        false => name,
    };
    make_way(conn, viewer, table, parent, &settled, now).await?;
    Ok(settled)
}

/// `name`, or the first one of `name (2)`, `name (3)` and so on that no item has, whoever sees it: for an item that
/// stays hidden. In a write transaction.
pub(in crate::db) async fn free_name(
    conn: &mut DbConnection,
    table: Table,
    team: TeamId,
    parent: Option<FolderId>,
    name: Name,
) -> Result<Name, Error> {
    match find_by_name(conn, table, team, parent, name.key()).await? {
        Some(_) => first_free(conn, table, team, parent, &name, |found| found.is_some()).await,
        None => Ok(name),
    }
}

/// The first one of `name (2)`, `name (3)` and so on that is not taken.
async fn first_free(
    conn: &mut DbConnection,
    table: Table,
    team: TeamId,
    parent: Option<FolderId>,
    name: &Name,
    is_taken: impl Fn(Option<(Uuid, Vec<u8>)>) -> bool,
) -> Result<Name, Error> {
    let mut search = NumberSearch::new();
    loop {
        let candidate = name.numbered(search.candidate());
        let taken = is_taken(find_by_name(conn, table, team, parent, candidate.key()).await?);
        if let Some(number) = search.learn(taken) {
            return Ok(name.numbered(number));
        }
    }
}
