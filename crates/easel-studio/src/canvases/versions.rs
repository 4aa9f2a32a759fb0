//! `GET /v1/canvases/{canvas_id}/versions` and `POST …/{version_id}/restore`: what was drawn on a canvas before it was
//! changed in place. Additions to the specification's routes; a service without them answers 404 (contract, "Canvases
//! and export").
//!
//! Not here: changing a canvas, which is a task ([`crate::worker`]).

use axum::Json;
use axum::extract::State;
use easel_wire::Timestamp;
use serde_json::json;

use super::record::canvas_on_wire;
use crate::audit;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::canvases::versions::{self, CanvasVersionRow};
use crate::db::drive::retention::MOST_VERSIONS;
use crate::studio::unused::remove_unused;
use crate::studio::{SharedStudio, Studio};
use crate::web::extract::{PathId, PathVersion};
use crate::web::origin::Origin;
use crate::wire::CanvasId;
use crate::wire::canvases::{Canvas, CanvasVersion, CanvasVersions};
use crate::wire::id::kind;

/// The earlier drawings of a canvas, the newest first, whole.
pub async fn list_versions(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathId(canvas): PathId<kind::Canvas>,
) -> Result<Json<CanvasVersions>, Error> {
    let mut conn = studio.db.reader().await?;
    let rows = versions::list_versions(&mut conn, Viewer::from(&caller), canvas).await?;
    let now = studio.clock.now();
    let versions = rows.into_iter().map(|row| on_wire(&studio, canvas, row, now)).collect();
    Ok(Json(CanvasVersions { versions, most_versions: MOST_VERSIONS }))
}

/// Puts an earlier drawing on its canvas again; the present one becomes a version in its turn.
pub async fn restore_version(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathVersion(canvas, version): PathVersion<kind::Canvas>,
) -> Result<Json<Canvas>, Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let (viewer, now) = (Viewer::from(&caller), studio.clock.now());
    let (row, dropped) = versions::restore_version(&mut tx, viewer, canvas, version, studio.new_id(), now).await?;
    let details = json!({ "name": row.name, "version": version });
    audit::note(&mut tx, &caller, origin, ("version_restored", canvas.to_string(), details), now).await?;
    tx.commit().await?;
    remove_unused(&studio.db, &studio.blobs, &dropped).await;
    tracing::info!(user = %caller.user_id, key = %caller.api_key_id, %canvas, %version, "version restored");
    Ok(Json(canvas_on_wire(&studio, row, now)))
}

fn on_wire(studio: &Studio, canvas: CanvasId, row: CanvasVersionRow, now: Timestamp) -> CanvasVersion {
    let first = row.drawn.pages.first();
    CanvasVersion {
        id: row.id,
        category: row.drawn.category,
        page_count: u32::try_from(row.drawn.pages.len()).unwrap_or(u32::MAX),
        width: first.map_or(0, |page| page.width),
        height: first.map_or(0, |page| page.height),
        thumbnail_url: row.drawn.thumbnail_hash.map(|hash| studio.signed_urls.sign_thumbnail(canvas, &hash, now)),
        created_at: row.created_at,
        created_by: row.created_by,
        replaced_at: row.replaced_at,
    }
}
