//! The verbs on drive items: move, rename and visibility, delete (specification, "Endpoints"; contract, "Drive").

use axum::Json;
use axum::extract::State;
use easel_wire::error::code;
use serde_json::json;

use crate::audit;
use crate::blobs::ContentHash;
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::Viewer;
use crate::db::drive::{get_visible_file, items};
use crate::studio::SharedStudio;
use crate::web::content::read_expected;
use crate::web::extract::{Json as JsonBody, PathItem, Query, read_name};
use crate::web::origin::Origin;
use crate::wire::ItemRef;
use crate::wire::drive::{ChangeItem, ChangedItem, ItemChanged, MoveItem};

/// `POST /v1/drive/items/{ref}/move`.
pub async fn move_item(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathItem(item): PathItem,
    JsonBody(body): JsonBody<MoveItem>,
) -> Result<Json<ItemChanged>, Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let moved = items::move_item(&mut tx, Viewer::from(&caller), item, body.folder_id, studio.clock.now()).await?;
    tx.commit().await?;
    Ok(changed("move", moved))
}

/// `PATCH /v1/drive/items/{ref}`: its name, or who may see it, or both.
pub async fn change_item(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathItem(item): PathItem,
    JsonBody(body): JsonBody<ChangeItem>,
) -> Result<Json<ItemChanged>, Error> {
    let name = body.name.as_deref().map(|name| read_name("name", name)).transpose()?;
    let operation = match (&name, body.visibility) {
        (Some(_), _) => "rename",
        (None, Some(_)) => "visibility",
        (None, None) => return Err(Error::validation("name", "required")),
    };
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let (viewer, now) = (Viewer::from(&caller), studio.clock.now());
    let item = items::change_item(&mut tx, viewer, item, name.as_ref(), body.visibility, now).await?;
    tx.commit().await?;
    Ok(changed(operation, item))
}

/// `DELETE /v1/drive/items/{ref}?recursive=`: into the trash, in one transaction. With `expected_content_hash`, an
/// addition, a file stays that someone has given other content since the caller looked.
pub async fn delete_item(
    State(studio): State<SharedStudio>,
    caller: Caller,
    PathItem(item): PathItem,
    origin: Origin,
    query: Query,
) -> Result<Json<ItemChanged>, Error> {
    let recursive = query.boolean("recursive")?.unwrap_or(false);
    let expected = query.text("expected_content_hash")?.map(read_expected).transpose()?;
    // On a task of its own, so that a caller who hangs up does not stop it between the two steps.
    let deleting = tokio::spawn(async move {
        let deleted = studio.room.lend(|| delete(&studio, &caller, origin, item, (recursive, expected))).await?;
        let (user, key) = (caller.user_id, caller.api_key_id);
        tracing::info!(%user, %key, %item, recursive, "deleted");
        Ok(changed("delete", deleted))
    });
    deleting.await.unwrap_or(Err(Error::Panicked))
}

/// An item and all in it go into the trash, in one transaction.
async fn delete(
    studio: &SharedStudio,
    caller: &Caller,
    origin: Origin,
    item: ItemRef,
    (recursive, expected): (bool, Option<ContentHash>),
) -> Result<ChangedItem, Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let now = studio.clock.now();
    if let (ItemRef::File(file), Some(expected)) = (item, expected)
        && get_visible_file(&mut tx, Viewer::from(caller), file).await?.content_hash != expected
    {
        return Err(Error::conflict(code::CONTENT_CHANGED, None));
    }
    let deleted = items::delete_item(&mut tx, Viewer::from(caller), item, recursive, now).await?;
    let details = json!({ "name": deleted.name, "folder_id": deleted.folder_id, "recursive": recursive });
    audit::note(&mut tx, caller, origin, ("item_deleted", item.to_string(), details), now).await?;
    tx.commit().await?;
    Ok(deleted)
}

/// The answer to a change.
pub(super) fn changed(operation: &str, item: ChangedItem) -> Json<ItemChanged> {
    Json(ItemChanged { operation: Some(operation.to_owned()), committed: Some(true), item })
}
