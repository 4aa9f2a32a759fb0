//! A canvas's row, and the drawing on it.

use easel_wire::Timestamp;
use easel_wire::error::code;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, Row};
use uuid::Uuid;

use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::db::columns::{moment, read_value};
use crate::db::selected::columns;
use crate::db::viewer::sees;
use crate::db::{DbConnection, DbRow, Viewer};
use crate::wire::drive::Visibility;
use crate::wire::tasks::Category;
use crate::wire::{CanvasId, ConversationId, FolderId, UserId};

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

/// A canvas's drawing: blobs, which are in the store already, and their properties, so that they need not be read.
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
    /// The people who see it, by its own setting or by that of a folder above.
    pub visibility: Visibility,
    /// Whether a folder above made it private.
    pub visibility_inherited: bool,
    /// The canvas that it was made from, which may be gone.
    pub source_canvas_id: Option<CanvasId>,
    /// The conversation that made it.
    pub conversation_id: ConversationId,
    /// The drawing on it.
    pub drawn: Drawn,
    /// Who made it.
    pub created_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it or its place last changed.
    pub updated_at: Timestamp,
    /// The only user who sees it, as its blob in the database; empty for the team.
    pub(in crate::db) private_to: Vec<u8>,
    /// The name in the form in which it is compared and sorted.
    pub(in crate::db) name_key: String,
}

impl FromRow<'_, DbRow> for CanvasRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
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

/// The drawing of a canvas or of a version of one.
pub(super) fn read_drawn(row: &DbRow) -> Result<Drawn, sqlx::Error> {
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

/// The canvas, where it is there for this viewer.
///
/// # Errors
/// 404 `canvas_not_found`, also for another member's private canvas.
pub async fn get_visible_canvas(conn: &mut DbConnection, viewer: Viewer, id: CanvasId) -> Result<CanvasRow, Error> {
    let canvas: Option<CanvasRow> = sqlx::query_as(concat!(
        "SELECT ",
        columns!("canvases", canvases),
        " FROM canvases WHERE id = $1 AND team_id = $2"
    ))
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
pub async fn find_canvas(conn: &mut DbConnection, id: CanvasId) -> Result<Option<CanvasRow>, Error> {
    Ok(sqlx::query_as(concat!("SELECT ", columns!("canvases", canvases), " FROM canvases WHERE id = $1"))
        .bind(id.uuid())
        .fetch_optional(conn)
        .await?)
}

/// The sizes that are kept beside the pages, so that a list need not read them.
pub(super) struct Size {
    pub pages: String,
    pub page_count: i64,
    pub width: u32,
    pub height: u32,
}

impl Size {
    pub(super) fn of(drawn: &Drawn) -> Result<Self, Error> {
        let first = drawn.pages.first().ok_or(Error::Corrupt("a canvas without pages"))?;
        Ok(Self {
            pages: serde_json::to_string(&drawn.pages).map_err(|_| Error::Corrupt("pages that cannot be written"))?,
            page_count: i64::try_from(drawn.pages.len()).unwrap_or(i64::MAX),
            width: first.width,
            height: first.height,
        })
    }
}
