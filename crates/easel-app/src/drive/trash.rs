//! The trash of the drive: deleted items that can come back, on services that keep them.
//!
//! Always true: whether a service has a trash is known from its answers; restored items are told by event, so that
//! every view of their folder is read again; an item that cannot be restored or removed does not stop the others. Not
//! here: deleting (`deletions`), and versions of files.

use easel_client::{Error as ClientError, Feature, PageRequest};
use easel_sync::pointers::Pointer;
use easel_wire::ItemRef;
use easel_wire::drive::TrashedItem;
use serde::{Deserialize, Serialize};

use super::changes::note_folder;
use super::news::tell_drive;
use super::reading::read_item;
use super::views::{DriveItemKind, ItemProblem};
use super::{Drive, Fared};
use crate::connections::active_connection::ActiveConnection;
use crate::messages::{self, Nameless};
use crate::number::WholeNumber;
use crate::problem::Problem;

/// Items a page.
const PAGE: u16 = 100;

/// A part of the trash, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrashListing {
    /// The connection that was asked.
    pub connection_id: String,
    /// What is in it.
    pub items: Vec<TrashedView>,
    /// For the part that follows; `null` where this is the last one.
    pub next: Option<String>,
}

/// Something in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TrashedView {
    /// What it is.
    pub kind: DriveItemKind,
    /// Its id, prefixed.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it lay, such as `Brand / Logos`; empty at the top, `null` where that folder is gone and was never seen here.
    pub place: Option<String>,
    /// When it was deleted, RFC 3339.
    pub deleted_at: Option<String>,
    /// Who deleted it, by name.
    pub deleted_by: Option<String>,
    /// Whether that is the person at this computer.
    pub deleted_by_you: bool,
    /// When it goes for good, RFC 3339.
    pub expires_at: Option<String>,
    /// Bytes of all files that come back with it, where the service says.
    pub size_bytes: Option<WholeNumber>,
    /// How many folders, designs and files come back with a folder, itself not counted.
    pub item_count: Option<WholeNumber>,
}

/// What came of bringing items back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ItemsRestored {
    /// How many are back.
    pub restored: WholeNumber,
    /// Where the last of them is; nothing at the top of the drive, or where none came back.
    pub folder_id: Option<String>,
    /// The ones that are not back, and why.
    pub failed: Vec<ItemProblem>,
}

/// What came of removing items for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ItemsRemoved {
    /// How many are gone.
    pub removed: WholeNumber,
    /// The ones that are not, and why.
    pub failed: Vec<ItemProblem>,
}

impl Drive {
    /// Whether what is deleted can come back. A service that has not shown it yet is asked what is in its trash.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn has_trash(&self) -> Result<bool, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        if let Some(is_offered) = client.offers(Feature::Trash) {
            return Ok(is_offered);
        }
        match client.list_trash(&PageRequest { limit: Some(1), ..PageRequest::default() }).await {
            Ok(_) => Ok(true),
            Err(ClientError::RouteMissing) => Ok(false),
            Err(error) => Err(self.connections.note_error(&connection, &error, "")),
        }
    }

    /// A part of what was deleted; the first one, or the one that `next` of the part before it is for.
    ///
    /// # Errors
    /// `not_offered` where the service has no trash, what the connection's state says, or what the service answers.
    pub async fn list_trash(&self, next: Option<String>) -> Result<TrashListing, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let request = PageRequest { limit: Some(PAGE), cursor: next, ..PageRequest::default() };
        let page = client.list_trash(&request).await;
        let page = page.map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::Trash)))?;
        let mut places = page.items.iter().filter_map(|item| item.folder_id.flatten());
        if places.any(|folder| connection.folders.way_to(folder).is_none()) {
            // Without it the trash is told all the same, only not where something lay.
            let _ = connection.folders.load(&client).await;
        }
        self.connections.note_answer(&connection);
        let items = page.items.iter().filter_map(|item| TrashedView::of(&connection, item)).collect();
        Ok(TrashListing { connection_id: connection.id.clone(), items, next: page.next_cursor })
    }

    /// Brings items back to where they lay, or to the top of the drive where that is gone; one after the other.
    ///
    /// # Errors
    /// Only where nothing could be tried at all; else each item's own problem is in the answer.
    pub async fn restore_items(&self, item_ids: Vec<String>) -> Result<ItemsRestored, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let mut folders = Vec::new();
        let mut fared = Fared::default();
        for id in item_ids {
            let restored = async {
                let item = read_item(&id)?;
                let back = client.restore_item(item).await;
                let back =
                    back.map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::Trash)))?;
                note_folder(&connection, item, &back);
                folders.push(back.folder_id.flatten());
                Ok(())
            };
            let restored = restored.await;
            fared.note(id, restored);
        }
        let folder_id = folders.last().copied().flatten().map(|folder| folder.to_string());
        if !folders.is_empty() {
            tell_drive(&self.core, &connection, folders);
        }
        Ok(ItemsRestored { restored: fared.done.into(), folder_id, failed: fared.failed })
    }

    /// Removes items of the trash for good, one after the other.
    ///
    /// # Errors
    /// As [`Self::restore_items`].
    pub async fn remove_for_good(&self, item_ids: Vec<String>) -> Result<ItemsRemoved, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let mut fared = Fared::default();
        for id in item_ids {
            let removed = async {
                let removed = client.remove_for_good(read_item(&id)?).await;
                removed.map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::Trash)))
            };
            let removed = removed.await;
            fared.note(id, removed);
        }
        Ok(ItemsRemoved { removed: fared.done.into(), failed: fared.failed })
    }

    /// Removes for good all of the trash that this person may remove, and says how many items that were.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn empty_trash(&self) -> Result<WholeNumber, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let removed = client.empty_trash().await;
        let removed =
            removed.map_err(|error| self.connections.note_error_of(&connection, &error, Some(Feature::Trash)))?;
        Ok(removed.into())
    }
}

impl TrashedView {
    /// The item for the page; `None` for a pointer of a deleted copy, which a person need not see.
    fn of(connection: &ActiveConnection, item: &TrashedItem) -> Option<Self> {
        let (kind, nameless) = match item.id {
            ItemRef::Folder(_) => (DriveItemKind::Folder, Nameless::Folder),
            ItemRef::Canvas(_) => (DriveItemKind::Design, Nameless::Design),
            ItemRef::File(_) => (DriveItemKind::File, Nameless::File),
        };
        let pointer = Pointer::read(&item.name).filter(|_| kind == DriveItemKind::File);
        if pointer.as_ref().is_some_and(|pointer| !pointer.state.is_live()) {
            return None;
        }
        let (deleted_by, deleted_by_you) = connection.view_person(item.deleted_by.as_ref());
        let within = (item.folder_count + item.canvas_count + item.file_count).saturating_sub(1);
        let size_bytes = item.size_bytes.filter(|_| pointer.is_none() && kind != DriveItemKind::Design);
        let name = pointer.map_or_else(|| item.name.clone(), |pointer| pointer.name);
        Some(Self {
            kind,
            id: item.id.to_string(),
            name: messages::named(&name, nameless),
            place: item.folder_id.and_then(|folder| connection.folders.place_of(folder)),
            deleted_at: item.deleted_at.map(|moment| moment.to_string()),
            deleted_by,
            deleted_by_you,
            expires_at: item.expires_at.map(|moment| moment.to_string()),
            size_bytes: size_bytes.map(Into::into),
            item_count: (kind == DriveItemKind::Folder).then(|| within.into()),
        })
    }
}
