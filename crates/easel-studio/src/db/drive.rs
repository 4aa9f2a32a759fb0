//! The drive in the database: folders, files and what changes them (contract, "Drive").
//!
//! Always true:
//! - Every item's `private_to` follows from its own visibility and that of the folders above it: the nearest private one
//!   decides, and its maker alone sees what is below. So every item has a viewer, and nobody sees another's private item.
//! - Who sees an item is narrowed only by its maker or by an overseer, whichever way it goes ([`items`]).
//! - A name is taken by at most one item of a kind in a folder, whoever may see it.
//! - What nobody else sees gives way: a name that the viewer may take as far as they see is theirs, and the hidden item gets a
//!   number, so that no answer tells of it.
//! - A folder's `updated_at` moves with every change to a direct child.
//! - Whatever decides and then writes does both in one write transaction, which the caller began.
//!
//! Not here: the wire, blobs, ids and the clock; the callers bring them.

pub mod files;
pub mod folders;
pub mod items;
pub mod listing;
pub mod trash;
pub mod tree;
pub mod versions;

use crate::wire::drive::Visibility;
use crate::wire::{CanvasId, FileId, FolderId, ItemRef, TeamId, UserId};
use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::{AssertSqlSafe, SqliteConnection};
use uuid::Uuid;

pub use files::{
    FileRow, NewFile, find_file, find_visible_file_by_hash, get_visible_file, insert_file, is_content_used,
};
pub use folders::{FolderRow, get_visible_folder, insert_folder};
pub use listing::{ListQuery, Listed, Place, Position, Sort, SortKey};

use crate::auth::Caller;
use crate::error::Error;
use crate::names::{Name, NumberSearch};
use listing::Table;

/// How many folders lie in each other at most, the innermost included. No path on a disk comes near it; without a bound, a page
/// of folders could be of any size by its paths.
pub const MAX_NESTING: usize = 128;

/// So far may moments be ahead of the clock that has not gone back, in microseconds: changes within one of them count on by one.
const AHEAD_US: i64 = 1_000;

/// With whose eyes the drive is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Viewer {
    /// The team whose drive it is.
    pub team: TeamId,
    /// The member who looks.
    pub user: UserId,
    /// Whether that is an admin or an owner: they may list what others have hidden, and bring it back.
    pub oversees: bool,
}

impl From<&Caller> for Viewer {
    fn from(caller: &Caller) -> Self {
        Self { team: caller.team_id, user: caller.user_id, oversees: caller.oversees() }
    }
}

/// Who sees an item besides the whole team: nobody else, or one user alone. Written as a blob, empty for the team.
pub(super) fn sees(private_to: &[u8], viewer: Viewer) -> bool {
    private_to.is_empty() || private_to == viewer.user.uuid().as_bytes()
}

/// What an item's own visibility and its folder's `private_to` come to.
pub(super) fn private_to(own: Visibility, maker: UserId, above: &[u8]) -> Vec<u8> {
    if own == Visibility::Private { maker.uuid().as_bytes().to_vec() } else { above.to_vec() }
}

pub(super) fn moment(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

/// The item that has this name in this place, whoever may see it: its id and `private_to`.
async fn find_by_name(
    conn: &mut SqliteConnection,
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
    let parent = parent.map(|folder| folder.uuid().as_bytes().to_vec()).unwrap_or_default();
    Ok(sqlx::query_as(sql).bind(team.uuid()).bind(parent).bind(key).fetch_optional(conn).await?)
}

/// Refuses a name that another item has in this place, as far as the viewer sees it; a hidden one gives way.
async fn refuse_taken_name(
    conn: &mut SqliteConnection,
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
    conn: &mut SqliteConnection,
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

/// A name for what the viewer puts into this place: `name`, or the first one of `name (2)`, `name (3)` and so on (contract,
/// "Uploads") that no item has which they see. A hidden item that has it gives way, so that no number tells of one. In a write
/// transaction, so that nobody takes it before it is used. What the item `except` has is free to it.
pub(super) async fn settle_name(
    conn: &mut SqliteConnection,
    viewer: Viewer,
    table: Table,
    parent: Option<FolderId>,
    name: Name,
    except: Option<Uuid>,
    now: Timestamp,
) -> Result<Name, Error> {
    let is_taken = |found: Option<(Uuid, Vec<u8>)>| {
        found.is_some_and(|(id, private_to)| Some(id) != except && sees(&private_to, viewer))
    };
    let settled = first_free(conn, table, viewer.team, parent, name, is_taken).await?;
    make_way(conn, viewer, table, parent, &settled, now).await?;
    Ok(settled)
}

/// `name`, or the first one of `name (2)`, `name (3)` and so on that no item has, whoever sees it: for an item that stays hidden.
/// In a write transaction.
pub(super) async fn free_name(
    conn: &mut SqliteConnection,
    table: Table,
    team: TeamId,
    parent: Option<FolderId>,
    name: Name,
) -> Result<Name, Error> {
    first_free(conn, table, team, parent, name, |found| found.is_some()).await
}

async fn first_free(
    conn: &mut SqliteConnection,
    table: Table,
    team: TeamId,
    parent: Option<FolderId>,
    name: Name,
    is_taken: impl Fn(Option<(Uuid, Vec<u8>)>) -> bool,
) -> Result<Name, Error> {
    if !is_taken(find_by_name(conn, table, team, parent, name.key()).await?) {
        return Ok(name);
    }
    let mut search = NumberSearch::new();
    loop {
        let candidate = name.numbered(search.candidate());
        let taken = is_taken(find_by_name(conn, table, team, parent, candidate.key()).await?);
        if let Some(number) = search.learn(taken) {
            return Ok(name.numbered(number));
        }
    }
}

/// The moment of a change: `now`, or just after the team's newest change where the clock has gone back behind it, so that who
/// asks for what changed since then misses nothing. What changed last may be in the trash by now; it went there no earlier. Where it is
/// gone from there too, its moment is kept (`latest_changes`).
pub(super) async fn moment_of_change(
    conn: &mut SqliteConnection,
    team: TeamId,
    now: Timestamp,
) -> Result<Timestamp, Error> {
    let latest: Option<i64> = sqlx::query_scalar(
        "SELECT MAX(latest) FROM (SELECT MAX(updated_at) AS latest FROM files WHERE team_id = $1
           UNION ALL SELECT MAX(updated_at) FROM folders WHERE team_id = $1
           UNION ALL SELECT MAX(updated_at) FROM canvases WHERE team_id = $1
           UNION ALL SELECT MAX(deleted_at) FROM trash WHERE team_id = $1
           UNION ALL SELECT at FROM latest_changes WHERE team_id = $1)",
    )
    .bind(team.uuid())
    .fetch_one(conn)
    .await?;
    Ok(match latest {
        Some(latest) if latest > now.as_micros().saturating_add(AHEAD_US) => moment(latest + 1),
        _ => now,
    })
}

/// Moves a folder's `updated_at`: to `now`, or a microsecond on where the clock has not moved.
pub(super) async fn touch_folder(
    conn: &mut SqliteConnection,
    folder: Option<FolderId>,
    now: Timestamp,
) -> Result<(), Error> {
    let Some(folder) = folder else { return Ok(()) };
    sqlx::query(
        "UPDATE folders SET updated_at = CASE WHEN updated_at < $1 THEN $1 ELSE updated_at + 1 END WHERE id = $2",
    )
    .bind(now.as_micros())
    .bind(folder.uuid())
    .execute(conn)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
