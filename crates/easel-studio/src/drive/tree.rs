//! `GET /v1/drive/tree`.

use axum::Json;
use axum::extract::State;

use super::folders::folder_on_wire;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::drive::tree::{self, Branch, MAX_FOLDERS};
use crate::studio::SharedStudio;
use crate::web::extract::Query;
use crate::wire::drive::{DEFAULT_DEPTH, MAX_DEPTH, Tree, TreeNode};

/// The folders from the top, `depth` levels of them.
pub async fn get_tree(State(studio): State<SharedStudio>, caller: Caller, query: Query) -> Result<Json<Tree>, Error> {
    let depth = query.number("depth", 1..=MAX_DEPTH)?.unwrap_or(DEFAULT_DEPTH);
    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
    let mut tx = studio.db.read().begin().await?;
    let (branches, truncated) = tree::get_tree(&mut tx, Viewer::from(&caller), depth, MAX_FOLDERS).await?;
    drop(tx);
    Ok(Json(Tree { tree: branches.into_iter().map(node_on_wire).collect(), depth, truncated }))
}

fn node_on_wire(branch: Branch) -> TreeNode {
    TreeNode {
        folder: folder_on_wire(branch.folder),
        children: branch.children.into_iter().map(node_on_wire).collect(),
        children_truncated: branch.children_truncated,
    }
}
