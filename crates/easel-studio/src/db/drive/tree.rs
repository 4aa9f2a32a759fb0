//! The tree of folders, some levels deep (contract, "Drive").
//!
//! Always true: the levels are filled from the top, so that the deepest folders are left out; a folder that is left out
//! shows in `children_truncated` of the folder above it and in `truncated`. Not here: files.

use std::collections::HashMap;

use super::folders::{FolderRow, select};
use super::listing::{self, Place};
use super::table::Table;
use crate::core::error::Error;
use crate::db::{DbConnection, Viewer};
use crate::wire::FolderId;

/// The most folders that one answer holds.
pub const MAX_FOLDERS: u32 = 10_000;

/// A folder with those below it.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The folder itself.
    pub folder: FolderRow,
    /// The folders directly below, by name, as far as they were asked for.
    pub children: Vec<Branch>,
    /// Whether some directly below were left out.
    pub children_truncated: bool,
}

/// The folders that the viewer sees from the top, `depth` levels of them, by name; and whether some were left out.
///
/// # Errors
/// [`Error::Database`].
pub async fn get_tree(
    conn: &mut DbConnection,
    viewer: Viewer,
    depth: u32,
    max_folders: u32,
) -> Result<(Vec<Branch>, bool), Error> {
    let mut sql = select(viewer);
    sql.push(
        " JOIN (WITH RECURSIVE down (id, level) AS (
             SELECT id, 1 FROM folders WHERE parent_id IS NULL AND team_id = ",
    );
    sql.push_bind(viewer.team.uuid()).push(" AND private_to IN (x'', ").push_bind(viewer.user.uuid());
    sql.push(
        ") UNION ALL SELECT folders.id, down.level + 1 FROM folders JOIN down ON folders.parent_id = down.id
             WHERE folders.private_to IN (x'', ",
    );
    sql.push_bind(viewer.user.uuid()).push(") AND down.level < ").push_bind(i64::from(depth));
    sql.push(") SELECT id, level FROM down) AS reached ON reached.id = item.id");
    sql.push(" ORDER BY reached.level, item.name_key, item.id LIMIT ").push_bind(i64::from(max_folders));
    let folders: Vec<FolderRow> = sql.build_query_as().fetch_all(&mut *conn).await?;

    let mut by_parent: HashMap<Option<FolderId>, Vec<FolderRow>> = HashMap::new();
    for folder in folders {
        by_parent.entry(folder.parent_id).or_default().push(folder);
    }
    let mut truncated = false;
    let branches = branches_of(None, "", &mut by_parent, &mut truncated);
    let at_top = listing::count(conn, viewer, Table::Folders, Place::Top, None, false).await?;
    truncated |= at_top > branches.len() as u64;
    Ok((branches, truncated))
}

/// Takes the folders below `parent` out of the map. It goes as deep as the depth that was asked for, which is bounded.
fn branches_of(
    parent: Option<FolderId>,
    path: &str,
    by_parent: &mut HashMap<Option<FolderId>, Vec<FolderRow>>,
    truncated: &mut bool,
) -> Vec<Branch> {
    let mut branches = Vec::new();
    for mut folder in by_parent.remove(&parent).unwrap_or_default() {
        folder.path = format!("{path}/{}", folder.name);
        let children = branches_of(Some(folder.id), &folder.path, by_parent, truncated);
        let children_truncated = folder.subfolder_count > children.len() as u64;
        *truncated |= children_truncated;
        branches.push(Branch { folder, children, children_truncated });
    }
    branches
}
