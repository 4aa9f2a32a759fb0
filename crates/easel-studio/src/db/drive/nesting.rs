//! How folders lie in each other: the folders above one, those below it, and the visibility that it gives them.
//!
//! Always true: at most [`MAX_NESTING`] folders lie in each other. Not here: moving a folder ([`super::items`]).

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::table::Table;
use crate::core::error::Error;
use crate::db::viewer::sees;
use crate::db::{DbConnection, Viewer};
use crate::wire::FolderId;

/// How many folders lie in each other at most, the innermost included. No path on a disk comes near it; without a
/// bound, a page of folders could be of any size by its paths.
pub const MAX_NESTING: usize = 128;

/// The folder `$1` and those below it that the user `$2` sees without passing one that they do not.
pub(super) const BELOW: &str = "WITH RECURSIVE below (id) AS (
    SELECT $1 UNION ALL
    SELECT folders.id FROM folders JOIN below ON folders.parent_id = below.id WHERE folders.private_to IN (x'', $2))";

/// The folder `$1` and those below it whose visibility follows from it.
pub(super) const FOLLOWING: &str = "WITH RECURSIVE following (id) AS (
    SELECT $1 UNION ALL
    SELECT folders.id FROM folders JOIN following ON folders.parent_id = following.id
    WHERE folders.visibility = 'team')";

/// The visibility that the folder gives its children; the top shows them to the team.
///
/// # Errors
/// 404 `folder_not_found`.
pub(in crate::db) async fn visibility_in(
    conn: &mut DbConnection,
    viewer: Viewer,
    folder: Option<FolderId>,
) -> Result<Vec<u8>, Error> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let found: Option<(Vec<u8>,)> = sqlx::query_as("SELECT private_to FROM folders WHERE id = $1 AND team_id = $2")
        .bind(folder.uuid())
        .bind(viewer.team.uuid())
        .fetch_optional(conn)
        .await?;
    found
        .map(|(private_to,)| private_to)
        .filter(|private_to| sees(private_to, viewer))
        .ok_or_else(|| Error::not_found(code::FOLDER_NOT_FOUND))
}

/// The folder and those above it, from the inside out.
pub(super) async fn chain_of(conn: &mut DbConnection, folder: FolderId) -> Result<Vec<Uuid>, Error> {
    let chain: Vec<(Uuid,)> = sqlx::query_as(
        "WITH RECURSIVE above (id, parent_id, level) AS (
           SELECT id, parent_id, 1 FROM folders WHERE id = $1
           UNION ALL SELECT parent.id, parent.parent_id, above.level + 1
           FROM folders AS parent JOIN above ON parent.id = above.parent_id
         ) SELECT id FROM above ORDER BY level",
    )
    .bind(folder.uuid())
    .fetch_all(conn)
    .await?;
    Ok(chain.into_iter().map(|(id,)| id).collect())
}

/// Carries what a folder makes of its children's visibility down to all that follows from it.
pub(super) async fn carry_down(
    conn: &mut DbConnection,
    folder: Uuid,
    private_to: &[u8],
    now: Timestamp,
) -> Result<(), Error> {
    for (table, id) in [(Table::Files, "folder_id"), (Table::Canvases, "folder_id"), (Table::Folders, "parent_id")] {
        let sql = format!(
            "{FOLLOWING} UPDATE {} SET private_to = $2,
               updated_at = CASE WHEN updated_at < $3 THEN $3 ELSE updated_at + 1 END
             WHERE {id} IN (SELECT id FROM following) AND visibility = 'team'",
            table.name(),
        );
        sqlx::query(AssertSqlSafe(sql)).bind(folder).bind(private_to).bind(now.as_micros()).execute(&mut *conn).await?;
    }
    Ok(())
}
