//! Versions of canvases: their earlier drawings, kept when a task changed them in place (contract, "Canvases and
//! export": an addition).
//!
//! Always true:
//! - A new drawing on a canvas keeps the last one as a version, in the same transaction; an equal drawing changes
//!   nothing.
//! - The rules are those of files' versions ([`crate::db::drive::versions`]): [`MOST_VERSIONS`] are kept. Beyond them,
//!   versions go that were made by the user who changes the canvas now, or that are older than the trash keeps things.
//!   Unlike a file's, those go first that stood shortest, and the newest [`NEWEST_KEPT`] stay: a text is changed many
//!   times in a minute, and people come back for a drawing that stood for days.
//! - A version is seen by everybody who sees its canvas, and goes for good when the canvas does.
//!
//! Not here: the name of a canvas, which no version has, and the removal of contents; the caller gets their hashes.

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::{AssertSqlSafe, FromRow, Row};
use uuid::Uuid;

use super::rows::{CanvasRow, Drawn, Size, get_visible_canvas, read_drawn};
use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::db::columns::moment;
use crate::db::drive::moments::{moment_of_change, touch_folder};
use crate::db::drive::retention::{KEPT_DAYS, KEPT_US, MOST_VERSIONS};
use crate::db::selected::columns;
use crate::db::served_days::NEWEST;
use crate::db::{DbConnection, DbRow, Viewer};
use crate::wire::drive::CreatedBy;
use crate::wire::{CanvasId, UserId, VersionId};

/// So many of the newest versions of a canvas are kept, however short they were on it.
const NEWEST_KEPT: u32 = 5;

/// A version of a canvas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanvasVersionRow {
    /// Its id.
    pub id: VersionId,
    /// The drawing.
    pub drawn: Drawn,
    /// Who had it drawn.
    pub created_by: CreatedBy,
    /// When it came onto the canvas.
    pub created_at: Timestamp,
    /// When another drawing took its place.
    pub replaced_at: Timestamp,
}

impl FromRow<'_, DbRow> for CanvasVersionRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: VersionId::from_uuid(row.try_get("id")?),
            drawn: read_drawn(row)?,
            created_by: CreatedBy {
                id: UserId::from_uuid(row.try_get("created_by")?),
                name: Some(row.try_get("maker_name")?),
                email: Some(row.try_get("maker_email")?),
            },
            created_at: moment(row.try_get("created_at")?),
            replaced_at: moment(row.try_get("replaced_at")?),
        })
    }
}

/// Puts a drawing of `author` on a canvas; what was there becomes the version `id`. Says which contents went with
/// versions beyond the bound; others may have the same. In a write transaction, at a moment that is later than every
/// change before it.
///
/// # Errors
/// [`Error::Database`], [`Error::Corrupt`].
pub(super) async fn exchange(
    conn: &mut DbConnection,
    viewer: Viewer,
    canvas: &CanvasRow,
    id: VersionId,
    (drawn, author): (&Drawn, UserId),
    now: Timestamp,
) -> Result<Vec<ContentHash>, Error> {
    if canvas.drawn == *drawn {
        return Ok(Vec::new());
    }
    sqlx::query(AssertSqlSafe(format!(
        "INSERT INTO canvas_versions
           (id, canvas_id, team_id, category, document_hash, thumbnail_hash, pages, page_count, width, height, created_by,
            created_at, replaced_at, served_day)
         SELECT $2, id, team_id, category, document_hash, thumbnail_hash, pages, page_count, width, height,
           COALESCE(content_by, created_by), COALESCE(content_at, created_at), $3, {NEWEST} FROM canvases WHERE id = $1"
    )))
    .bind(canvas.id.uuid())
    .bind(id.uuid())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    let size = Size::of(drawn)?;
    sqlx::query(
        "UPDATE canvases SET category = $2, document_hash = $3, thumbnail_hash = $4, pages = $5, page_count = $6, width = $7,
           height = $8, content_by = $9, content_at = $10 WHERE id = $1",
    )
    .bind(canvas.id.uuid())
    .bind(drawn.category.as_str())
    .bind(drawn.document_hash.as_slice())
    .bind(drawn.thumbnail_hash.as_ref().map(<[u8; 32]>::as_slice))
    .bind(size.pages)
    .bind(size.page_count)
    .bind(size.width)
    .bind(size.height)
    .bind(author.uuid())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    drop_beyond_bound(conn, viewer, canvas.id, now).await
}

/// Puts a version on its canvas again, and makes the present drawing a version. Returns the contents that went with
/// versions beyond the bound. In a write transaction.
///
/// # Errors
/// 404 `canvas_not_found`, and `version_not_found` where the canvas has no such version.
pub async fn restore_version(
    conn: &mut DbConnection,
    viewer: Viewer,
    id: CanvasId,
    version: VersionId,
    new_version: VersionId,
    now: Timestamp,
) -> Result<(CanvasRow, Vec<ContentHash>), Error> {
    let canvas = get_visible_canvas(conn, viewer, id).await?;
    let versions = list_versions(conn, viewer, id).await?;
    let found = versions.into_iter().find(|row| row.id == version);
    let row = found.ok_or_else(|| Error::not_found(code::VERSION_NOT_FOUND))?;
    if row.drawn == canvas.drawn {
        return Ok((canvas, Vec::new()));
    }
    let now = moment_of_change(conn, viewer.team, now).await?;
    sqlx::query("DELETE FROM canvas_versions WHERE id = $1").bind(version.uuid()).execute(&mut *conn).await?;
    let drawing = (&row.drawn, row.created_by.id);
    let dropped = exchange(conn, viewer, &canvas, new_version, drawing, now).await?;
    sqlx::query(
        "UPDATE canvases SET updated_at = CASE WHEN updated_at < $2 THEN $2 ELSE updated_at + 1 END WHERE id = $1",
    )
    .bind(id.uuid())
    .bind(now.as_micros())
    .execute(&mut *conn)
    .await?;
    touch_folder(conn, canvas.folder_id, now).await?;
    Ok((get_visible_canvas(conn, viewer, id).await?, dropped))
}

/// The versions of a canvas, the newest first.
///
/// # Errors
/// 404 `canvas_not_found`.
pub async fn list_versions(
    conn: &mut DbConnection,
    viewer: Viewer,
    canvas: CanvasId,
) -> Result<Vec<CanvasVersionRow>, Error> {
    let canvas = get_visible_canvas(conn, viewer, canvas).await?;
    Ok(sqlx::query_as(concat!(
        "SELECT ",
        columns!("version", canvas_versions),
        ", maker.name AS maker_name, maker.email AS maker_email
         FROM canvas_versions AS version JOIN users AS maker ON maker.id = version.created_by
         WHERE version.canvas_id = $1 ORDER BY version.replaced_at DESC, version.id DESC"
    ))
    .bind(canvas.id.uuid())
    .fetch_all(conn)
    .await?)
}

/// Whether this picture belongs to the canvas or to a version of it, and the canvas is there, whoever may see it: for
/// the holder of a signed URL, which was made for someone who may.
///
/// # Errors
/// [`Error::Database`].
pub async fn has_thumbnail(conn: &mut DbConnection, canvas: CanvasId, thumbnail: &ContentHash) -> Result<bool, Error> {
    Ok(sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM canvases WHERE id = $1 AND (thumbnail_hash = $2
           OR EXISTS (SELECT 1 FROM canvas_versions WHERE canvas_id = $1 AND thumbnail_hash = $2)))",
    )
    .bind(canvas.uuid())
    .bind(thumbnail.as_slice())
    .fetch_one(conn)
    .await?)
}

/// Removes versions beyond the bound, as far as they may go: those that stood shortest first.
async fn drop_beyond_bound(
    conn: &mut DbConnection,
    viewer: Viewer,
    canvas: CanvasId,
    now: Timestamp,
) -> Result<Vec<ContentHash>, Error> {
    let rows = sqlx::query_as(AssertSqlSafe(format!(
        "DELETE FROM canvas_versions WHERE id IN (
           SELECT id FROM (
             SELECT id, created_by, replaced_at, served_day, replaced_at - created_at AS stood,
               ROW_NUMBER() OVER (ORDER BY replaced_at DESC, id DESC) AS place
             FROM canvas_versions WHERE canvas_id = $1
           ) AS numbered WHERE place > {NEWEST_KEPT} AND (created_by = $2 OR (replaced_at < $3 AND served_day + $5 <= {NEWEST}))
           ORDER BY stood, replaced_at, id
           LIMIT (SELECT CASE WHEN COUNT(*) > $4 THEN COUNT(*) - $4 ELSE 0 END FROM canvas_versions WHERE canvas_id = $1)
         ) RETURNING document_hash, thumbnail_hash"
    )))
    .bind(canvas.uuid())
    .bind(viewer.user.uuid())
    .bind(now.as_micros().saturating_sub(KEPT_US))
    .bind(i64::from(MOST_VERSIONS))
    .bind(KEPT_DAYS)
    .fetch_all(conn)
    .await?;
    as_hashes(rows)
}

/// Removes the versions of the canvases of a trash entry, whose time is over, and says what contents they had.
pub(in crate::db) async fn remove_of_entry(conn: &mut DbConnection, root: Uuid) -> Result<Vec<ContentHash>, Error> {
    let rows = sqlx::query_as(
        "DELETE FROM canvas_versions WHERE canvas_id IN (SELECT id FROM trashed_canvases WHERE trash_id = $1)
         RETURNING document_hash, thumbnail_hash",
    )
    .bind(root)
    .fetch_all(conn)
    .await?;
    as_hashes(rows)
}

fn as_hashes(rows: Vec<(Vec<u8>, Option<Vec<u8>>)>) -> Result<Vec<ContentHash>, Error> {
    let wrong = |_| Error::Corrupt("a content hash that is not 32 bytes long");
    let all = rows.into_iter().flat_map(|(document, thumbnail)| std::iter::once(document).chain(thumbnail));
    all.map(|hash| hash.try_into().map_err(wrong)).collect()
}
