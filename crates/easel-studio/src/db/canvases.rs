//! Canvases: one, a page of them, a new one, and what is drawn on it (contract, "Canvases and export" and "Drive").
//!
//! Always true: a canvas lies in the drive like a file, under the same rules for names and visibility; what is drawn is
//! in the blob store before its row names it. Not here: what changes a canvas as a drive item
//! ([`super::drive::items`]), and the drawing itself.

mod list;
mod rows;
pub mod versions;

pub use list::{CanvasPosition, CanvasQuery, Order, count_canvases, list_canvases};
pub use rows::{CanvasRow, Drawn, PageRow, find_canvas, get_visible_canvas};

use easel_wire::Timestamp;

use super::Viewer;
use super::drive::moments::{moment_of_change, touch_folder};
use super::drive::naming::settle_name;
use super::drive::nesting::visibility_in;
use super::drive::table::Table;
use super::viewer::private_to;
use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::db::DbConnection;
use crate::wire::drive::Visibility;
use crate::wire::{CanvasId, ConversationId, FolderId, VersionId};
use rows::Size;

/// A canvas to be made.
#[derive(Debug, Clone)]
pub struct NewCanvas {
    /// Its id.
    pub id: CanvasId,
    /// The name that it gets if nobody has it there.
    pub name: Name,
    /// Where it goes; `None` for the top.
    pub folder_id: Option<FolderId>,
    /// Who may see it.
    pub visibility: Visibility,
    /// The canvas that it was made from.
    pub source_canvas_id: Option<CanvasId>,
    /// The conversation that made it.
    pub conversation_id: ConversationId,
    /// The drawing on it.
    pub drawn: Drawn,
}

/// A new canvas, under its own name or, where that is taken, as `name (2)`, then 3, … (contract, "Tasks and remix"). In
/// a write transaction.
///
/// # Errors
/// 404 `folder_not_found`.
pub async fn insert_canvas(
    conn: &mut DbConnection,
    viewer: Viewer,
    canvas: NewCanvas,
    now: Timestamp,
) -> Result<CanvasRow, Error> {
    let now = moment_of_change(conn, viewer.team, now).await?;
    let above = visibility_in(conn, viewer, canvas.folder_id).await?;
    let name = settle_name(conn, viewer, Table::Canvases, canvas.folder_id, canvas.name, None, now).await?;
    let size = Size::of(&canvas.drawn)?;
    sqlx::query(
        "INSERT INTO canvases
           (id, team_id, folder_id, name, name_key, visibility, private_to, category, source_canvas_id, conversation_id,
            document_hash, thumbnail_hash, pages, page_count, width, height, created_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)",
    )
    .bind(canvas.id.uuid())
    .bind(viewer.team.uuid())
    .bind(canvas.folder_id.map(FolderId::uuid))
    .bind(name.as_str())
    .bind(name.key())
    .bind(canvas.visibility.as_str())
    .bind(private_to(canvas.visibility, viewer.user, &above))
    .bind(canvas.drawn.category.as_str())
    .bind(canvas.source_canvas_id.map(CanvasId::uuid))
    .bind(canvas.conversation_id.uuid())
    .bind(canvas.drawn.document_hash.as_slice())
    .bind(canvas.drawn.thumbnail_hash.as_ref().map(<[u8; 32]>::as_slice))
    .bind(size.pages)
    .bind(size.page_count)
    .bind(size.width)
    .bind(size.height)
    .bind(viewer.user.uuid())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    touch_folder(conn, canvas.folder_id, now).await?;
    get_visible_canvas(conn, viewer, canvas.id).await
}

/// Puts another drawing on a canvas and, where a name is given, renames it: to `name (2)` and so on where another
/// canvas has that name. What was drawn before becomes the version `version`. Says also which contents went with
/// versions beyond the bound; others may have the same. In a write transaction.
///
/// # Errors
/// 404 `canvas_not_found`.
pub async fn update_canvas(
    conn: &mut DbConnection,
    viewer: Viewer,
    id: CanvasId,
    (drawn, version): (&Drawn, VersionId),
    name: Option<Name>,
    now: Timestamp,
) -> Result<(CanvasRow, Vec<ContentHash>), Error> {
    let now = moment_of_change(conn, viewer.team, now).await?;
    let before = get_visible_canvas(conn, viewer, id).await?;
    let name = match name {
        Some(name) => settle_name(conn, viewer, Table::Canvases, before.folder_id, name, Some(id.uuid()), now).await?,
        None => Name::parse(&before.name).map_err(|_| Error::Corrupt("a stored name that is none"))?,
    };
    let dropped = versions::exchange(conn, viewer, &before, version, (drawn, viewer.user), now).await?;
    sqlx::query(
        "UPDATE canvases SET name = $2, name_key = $3,
           updated_at = CASE WHEN updated_at < $4 THEN $4 ELSE updated_at + 1 END
         WHERE id = $1",
    )
    .bind(id.uuid())
    .bind(name.as_str())
    .bind(name.key())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    touch_folder(conn, before.folder_id, now).await?;
    Ok((get_visible_canvas(conn, viewer, id).await?, dropped))
}

#[cfg(test)]
mod tests;
