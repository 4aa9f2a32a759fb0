//! The trash over HTTP: what was deleted, its way back, and its end. An addition to the specification's routes; a
//! service without it answers 404 to them (contract, "Drive").

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;
use serde_json::json;

use super::items::changed;
use super::listing::read_hidden;
use crate::audit;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::drive::trash;
use crate::studio::SharedStudio;
use crate::studio::unused::remove_unused;
use crate::web::extract::{PathItem, Query, Shape};
use crate::web::list::{ListPage, PageQuery};
use crate::web::origin::Origin;
use crate::wire::ItemRef;
use crate::wire::drive::{ItemChanged, TrashEmptied};

const RESOURCE: &str = "trash";

/// `GET /v1/drive/trash`: a page, the newest first.
pub async fn list_trash(
    State(studio): State<SharedStudio>,
    caller: Caller,
    Shape(version): Shape,
    query: Query,
) -> Result<Response, Error> {
    let hidden = read_hidden(&query, &caller)?;
    let binding = || format!("{RESOURCE} {hidden}");
    let page = PageQuery::<trash::Position>::of_drive(&query, &studio.cursors, binding)?;
    let limit = u32::try_from(page.limit).unwrap_or(u32::MAX);
    let mut tx = studio.db.read().begin().await?;
    let (items, next, total) = trash::list(&mut tx, Viewer::from(&caller), hidden, &page.start, limit).await?;
    drop(tx);
    let next_cursor = next.map(|position| studio.cursors.seal(&binding(), &position)).transpose()?;
    let offset = page.offset();
    let page = ListPage { resource: RESOURCE, items, total, limit: page.limit, offset, next_cursor };
    Ok(([(header::CONTENT_TYPE, "application/json")], page.write(version)?).into_response())
}

/// `POST /v1/drive/trash/{ref}/restore`.
pub async fn restore_item(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathItem(item): PathItem,
) -> Result<Json<ItemChanged>, Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let now = studio.clock.now();
    let restored = trash::restore(&mut tx, Viewer::from(&caller), item, now).await?;
    let details = json!({ "name": restored.name, "folder_id": restored.folder_id });
    audit::note(&mut tx, &caller, origin, ("item_restored", item.to_string(), details), now).await?;
    tx.commit().await?;
    tracing::info!(user = %caller.user_id, key = %caller.api_key_id, %item, "restored");
    Ok(changed("restore", restored))
}

/// `DELETE /v1/drive/trash/{ref}`: for good.
pub async fn purge_item(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathItem(item): PathItem,
) -> Result<Json<TrashEmptied>, Error> {
    // To its end also where the caller hangs up.
    let purging = tokio::spawn(async move {
        studio.room.lend(|| purge(&studio, &caller, origin, Some(item))).await?;
        // The disk may have as much room again by now.
        studio.room.keep().await;
        tracing::info!(user = %caller.user_id, key = %caller.api_key_id, %item, "removed from the trash for good");
        Ok(Json(TrashEmptied { operation: "purge".to_owned(), committed: true, removed: 1 }))
    });
    purging.await.unwrap_or(Err(Error::Panicked))
}

/// `DELETE /v1/drive/trash`: everything in it that the caller sees and may remove, for good.
pub async fn empty_trash(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
) -> Result<Json<TrashEmptied>, Error> {
    let emptying = tokio::spawn(async move {
        let mut removed = 0;
        loop {
            match studio.room.lend(|| purge(&studio, &caller, origin, None)).await? {
                0 => break,
                more => removed += more,
            }
        }
        studio.room.keep().await;
        tracing::info!(user = %caller.user_id, key = %caller.api_key_id, removed, "trash emptied");
        Ok(Json(TrashEmptied { operation: "empty".to_owned(), committed: true, removed }))
    });
    emptying.await.unwrap_or(Err(Error::Panicked))
}

/// Removes an item from the trash, or some of all that the caller may remove, in one transaction, and then the contents
/// that nothing needs any more. How many items went.
async fn purge(studio: &SharedStudio, caller: &Caller, origin: Origin, item: Option<ItemRef>) -> Result<u64, Error> {
    let viewer = Viewer::from(caller);
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let items = match item {
        Some(item) => vec![item],
        None => trash::list_purgeable(&mut tx, viewer).await?,
    };
    let removed = items.len() as u64;
    let mut hashes = Vec::new();
    for item in items {
        let contents = trash::purge(&mut tx, viewer, item).await?;
        let what = ("item_purged", item.to_string(), json!({ "contents": contents.len() }));
        audit::note(&mut tx, caller, origin, what, studio.clock.now()).await?;
        hashes.extend(contents);
    }
    tx.commit().await?;
    remove_unused(&studio.db, &studio.blobs, &hashes).await;
    Ok(removed)
}

#[cfg(test)]
mod tests;
