//! New folders, other names, other places.
//!
//! Always true: what changed is told by event, so that every view that shows it looks again. Lost answers are settled
//! by the client. Not here: deleting (`deletions`).

use easel_wire::ItemRef;
use easel_wire::drive::ChangedItem;

use super::news::tell_drive;
use super::reading::{read_folder, read_item, read_name};
use super::views::{DriveItem, DriveItemKind, ItemsMoved};
use super::{Drive, Fared};
use crate::connections::active_connection::ActiveConnection;
use crate::problem::Problem;

impl Drive {
    /// Makes a folder.
    ///
    /// # Errors
    /// `name_not_usable`, `folder_name_conflict` with the folder that has the name, or what the service answers.
    pub async fn create_folder(&self, parent_id: Option<String>, name: String) -> Result<DriveItem, Problem> {
        let parent = read_folder(parent_id.as_deref())?;
        let name = read_name(&name)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        // The client repeats with this key where an answer is lost; another click is another folder.
        let once = uuid::Uuid::new_v4().to_string();
        let made = client.create_folder(name, parent, &once).await;
        let folder = made.map_err(|error| self.connections.note_error(&connection, &error, name))?;
        connection.folders.note(&folder, parent);
        tell_drive(&self.core, &connection, [folder.parent_folder_id.unwrap_or(parent)]);
        Ok(DriveItem::of_folder(&folder, parent))
    }

    /// Gives an item another name.
    ///
    /// # Errors
    /// `name_not_usable`, `*_name_conflict` with the item that has the name, or what the service answers.
    pub async fn rename_item(&self, item_id: String, name: String) -> Result<DriveItem, Problem> {
        let item = read_item(&item_id)?;
        let name = read_name(&name)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let changed = connection.copies.rename(&client, item, name).await;
        let changed = changed.map_err(|error| self.connections.note_error(&connection, &error, name))?;
        note_folder(&connection, item, &changed);
        tell_drive(&self.core, &connection, [changed.folder_id.flatten()]);
        if let ItemRef::File(id) = item
            && let Ok(file) = client.get_file(id).await
        {
            return Ok(DriveItem::of_file(&connection, &file, changed.folder_id.flatten()));
        }
        Ok(describe(item, name, &changed))
    }

    /// Moves items into a folder, one after the other; one that cannot be moved does not keep the others.
    ///
    /// # Errors
    /// Only where nothing could be tried at all; else each item's own problem is in the answer.
    pub async fn move_items(&self, item_ids: Vec<String>, folder_id: Option<String>) -> Result<ItemsMoved, Problem> {
        let folder = read_folder(folder_id.as_deref())?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let mut fared = Fared::default();
        for id in item_ids {
            let moved = async {
                let item = read_item(&id)?;
                let changed = client.move_item(item, folder).await;
                let changed = changed.map_err(|error| {
                    self.connections.note_error(&connection, &error, &connection.names.name_of(item))
                })?;
                let changed = ChangedItem { folder_id: changed.folder_id.or(Some(folder)), ..changed };
                note_folder(&connection, item, &changed);
                Ok(())
            };
            let moved = moved.await;
            fared.note(id, moved);
        }
        if fared.done > 0 {
            tell_drive(&self.core, &connection, [folder]);
        }
        Ok(ItemsMoved { moved: fared.done.into(), failed: fared.failed })
    }
}

/// Remembers a folder's place and name after a change.
pub(super) fn note_folder(connection: &ActiveConnection, item: ItemRef, changed: &ChangedItem) {
    if let ItemRef::Folder(id) = item {
        connection.folders.note_change(id, changed.name.as_deref(), changed.folder_id);
    }
}

/// An item from what the service said about its change.
fn describe(item: ItemRef, name: &str, changed: &ChangedItem) -> DriveItem {
    DriveItem {
        kind: match item {
            ItemRef::Folder(_) => DriveItemKind::Folder,
            ItemRef::Canvas(_) => DriveItemKind::Design,
            ItemRef::File(_) => DriveItemKind::File,
        },
        id: item.to_string(),
        name: changed.name.clone().unwrap_or_else(|| name.to_owned()),
        folder_id: changed.folder_id.flatten().map(|id| id.to_string()),
        size_bytes: None,
        item_count: None,
        created_at: None,
        updated_at: changed.updated_at.map(|moment| moment.to_string()),
        created_by: None,
        created_by_you: false,
        mime_type: None,
        content_hash: None,
        page_count: None,
        thumbnail: None,
        visibility: changed.visibility.as_ref().map(ToString::to_string),
        is_copy: false,
    }
}
