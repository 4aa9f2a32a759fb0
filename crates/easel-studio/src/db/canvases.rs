//! Canvases: one, a page of them, a new one, and what is drawn on it (contract, "Canvases and export" and "Drive").
//!
//! Always true: a canvas lies in the drive like a file, under the same rules for names and visibility; what is drawn is in
//! the blob store before its row names it. Not here: what changes a canvas as a drive item ([`super::drive::items`]), and
//! the drawing itself.

mod list;
pub mod versions;

pub use list::{CanvasPosition, CanvasQuery, Order, count_canvases, list_canvases};

use easel_wire::Timestamp;
use easel_wire::error::code;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row, SqliteConnection};
use uuid::Uuid;

use crate::blobs::ContentHash;
use crate::db::drive::folders::visibility_in;
use crate::db::drive::listing::Table;
use crate::db::drive::{Viewer, moment, moment_of_change, private_to, sees, settle_name, touch_folder};
use crate::db::read_value;
use crate::error::Error;
use crate::names::Name;
use crate::wire::drive::Visibility;
use crate::wire::tasks::Category;
use crate::wire::{CanvasId, ConversationId, FolderId, UserId, VersionId};

/// What a page is called and how large it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRow {
    /// The page's name.
    pub name: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Nodes on it, those in groups included.
    pub node_count: u32,
}

/// What is drawn on a canvas: blobs, which are in the store already, and what is known of them without reading them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// What kind of design it is.
    pub category: Category,
    /// The document as JSON.
    pub document_hash: ContentHash,
    /// A small PNG of the first page.
    pub thumbnail_hash: Option<ContentHash>,
    /// The pages, in order; at least one.
    pub pages: Vec<PageRow>,
}

/// A canvas, as a viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanvasRow {
    /// Its id.
    pub id: CanvasId,
    /// Its name.
    pub name: String,
    /// The folder that it lies in; `None` at the top.
    pub folder_id: Option<FolderId>,
    /// Who sees it, whether by its own setting or by a folder's above.
    pub visibility: Visibility,
    /// Whether a folder above made it private.
    pub visibility_inherited: bool,
    /// The canvas that it was made from, which may be gone.
    pub source_canvas_id: Option<CanvasId>,
    /// The conversation that made it.
    pub conversation_id: ConversationId,
    /// What is drawn on it.
    pub drawn: Drawn,
    /// Who made it.
    pub created_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it or its place last changed.
    pub updated_at: Timestamp,
    /// Who alone sees it, as its blob in the database; empty for the team.
    pub(super) private_to: Vec<u8>,
    /// What it is compared and sorted by.
    pub(super) name_key: String,
}

impl FromRow<'_, SqliteRow> for CanvasRow {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let private_to: Vec<u8> = row.try_get("private_to")?;
        let private = !private_to.is_empty();
        let own: String = row.try_get("visibility")?;
        Ok(Self {
            id: CanvasId::from_uuid(row.try_get("id")?),
            name: row.try_get("name")?,
            folder_id: row.try_get::<Option<Uuid>, _>("folder_id")?.map(FolderId::from_uuid),
            visibility: if private { Visibility::Private } else { Visibility::Team },
            visibility_inherited: private && own == Visibility::Team.as_str(),
            source_canvas_id: row.try_get::<Option<Uuid>, _>("source_canvas_id")?.map(CanvasId::from_uuid),
            conversation_id: ConversationId::from_uuid(row.try_get("conversation_id")?),
            drawn: read_drawn(row)?,
            created_by: UserId::from_uuid(row.try_get("created_by")?),
            created_at: moment(row.try_get("created_at")?),
            updated_at: moment(row.try_get("updated_at")?),
            private_to,
            name_key: row.try_get("name_key")?,
        })
    }
}

/// What is drawn, of a canvas or of a version of one.
fn read_drawn(row: &SqliteRow) -> Result<Drawn, sqlx::Error> {
    let hash = |bytes: Vec<u8>| {
        ContentHash::try_from(bytes).map_err(|_| sqlx::Error::Decode("a content hash that is not 32 bytes long".into()))
    };
    let pages: String = row.try_get("pages")?;
    Ok(Drawn {
        category: read_value(row, "category")?,
        document_hash: hash(row.try_get("document_hash")?)?,
        thumbnail_hash: row.try_get::<Option<Vec<u8>>, _>("thumbnail_hash")?.map(hash).transpose()?,
        pages: serde_json::from_str(&pages).map_err(|error| sqlx::Error::Decode(error.into()))?,
    })
}

/// A canvas that is about to be.
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
    /// What is drawn on it.
    pub drawn: Drawn,
}

/// A new canvas, under its own name or, where that is taken, as `name (2)`, then 3, … (contract, "Tasks and remix"). In a
/// write transaction.
///
/// # Errors
/// 404 `folder_not_found`.
pub async fn insert_canvas(
    conn: &mut SqliteConnection,
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

/// Puts another drawing on a canvas and, where a name is given, renames it: to `name (2)` and so on where another canvas has
/// that name. What was drawn before becomes the version `version`. Says also which contents went with versions beyond the bound;
/// others may have the same. In a write transaction.
///
/// # Errors
/// 404 `canvas_not_found`.
pub async fn update_canvas(
    conn: &mut SqliteConnection,
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

/// The canvas, where it is there for this viewer.
///
/// # Errors
/// 404 `canvas_not_found`, also for another member's private canvas.
pub async fn get_visible_canvas(conn: &mut SqliteConnection, viewer: Viewer, id: CanvasId) -> Result<CanvasRow, Error> {
    let canvas: Option<CanvasRow> = sqlx::query_as("SELECT * FROM canvases WHERE id = $1 AND team_id = $2")
        .bind(id.uuid())
        .bind(viewer.team.uuid())
        .fetch_optional(conn)
        .await?;
    canvas.filter(|canvas| sees(&canvas.private_to, viewer)).ok_or_else(|| Error::not_found(code::CANVAS_NOT_FOUND))
}

/// The canvas, whoever may see it: for the holder of a signed URL, which was made for someone who may.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_canvas(conn: &mut SqliteConnection, id: CanvasId) -> Result<Option<CanvasRow>, Error> {
    Ok(sqlx::query_as("SELECT * FROM canvases WHERE id = $1").bind(id.uuid()).fetch_optional(conn).await?)
}

/// What is kept beside the pages, so that a list need not read them.
struct Size {
    pages: String,
    page_count: i64,
    width: u32,
    height: u32,
}

impl Size {
    fn of(drawn: &Drawn) -> Result<Self, Error> {
        let first = drawn.pages.first().ok_or(Error::Corrupt("a canvas without pages"))?;
        Ok(Self {
            pages: serde_json::to_string(&drawn.pages).map_err(|_| Error::Corrupt("pages that cannot be written"))?,
            page_count: i64::try_from(drawn.pages.len()).unwrap_or(i64::MAX),
            width: first.width,
            height: first.height,
        })
    }
}

#[cfg(test)]
mod tests;
