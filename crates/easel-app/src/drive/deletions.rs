//! Deletes items, after ten seconds in which that can be undone.
//!
//! Always true: no request is sent before the time is over; an item that waits is gone from the listings; a deletion
//! that waits when the program closes is dropped, so that the items are there again (the careful way round). Not here:
//! the trash, where some services keep deleted items (`trash`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use easel_wire::ItemRef;
use tokio_util::sync::CancellationToken;

use super::news::tell_drive;
use super::reading::read_item;
use super::views::PendingDeletion;
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::events::{DeletionSettled, Event};
use crate::messages;
use crate::problem::Problem;

/// How long a deletion can be undone.
pub const UNDO_TIME: Duration = Duration::from_secs(10);

/// What a service says of an item that is not there.
const NOT_FOUND: [&str; 3] = ["file_not_found", "folder_not_found", "canvas_not_found"];

/// A deletion that has not ended.
#[derive(Debug)]
struct Waiting {
    item_ids: Vec<String>,
    undo: CancellationToken,
    is_being_sent: bool,
}

/// Deletions of items. Clones are the same deletions.
#[derive(Clone)]
pub struct Deletions {
    core: Core,
    connections: Connections,
    /// The deletions that have not ended.
    waiting: Arc<Mutex<HashMap<String, Waiting>>>,
}

impl Deletions {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, waiting: Arc::default() }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<String, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an item waits to be deleted.
    pub(crate) fn is_hidden(&self, item_id: &str) -> bool {
        self.waiting().values().any(|waiting| waiting.item_ids.iter().any(|id| id == item_id))
    }

    /// Marks a deletion as being sent, unless it was undone.
    fn begin_sending(&self, deletion_id: &str) -> bool {
        self.waiting().get_mut(deletion_id).map(|waiting| waiting.is_being_sent = true).is_some()
    }
}

impl Deletions {
    /// Deletes items ten seconds from now, folders with everything in them.
    ///
    /// # Errors
    /// What the connection's state says; what the service answers comes by `deletion_settled`.
    pub async fn delete_items(&self, item_ids: Vec<String>) -> Result<PendingDeletion, Problem> {
        let items = item_ids.iter().map(|id| read_item(id)).collect::<Result<Vec<_>, _>>()?;
        let connection = self.connections.selected()?;
        connection.ready().await?;
        let deletion_id = uuid::Uuid::new_v4().to_string();
        let undo = CancellationToken::new();
        let waiting = Waiting { item_ids, undo: undo.clone(), is_being_sent: false };
        self.waiting().insert(deletion_id.clone(), waiting);
        let (deletions, id) = (self.clone(), deletion_id.clone());
        self.core.supervisor().spawn(async move {
            let undone = undo.run_until_cancelled(tokio::time::sleep(UNDO_TIME)).await.is_none();
            if !undone && deletions.begin_sending(&id) {
                deletions.send_deletion(&connection, &id, items).await;
            }
        });
        let until = easel_wire::Timestamp::from(jiff::Timestamp::now() + UNDO_TIME);
        let undo_for_ms = u64::try_from(UNDO_TIME.as_millis()).unwrap_or_default();
        Ok(PendingDeletion { deletion_id, undo_until: until.to_string(), undo_for_ms: undo_for_ms.into() })
    }

    /// Takes a deletion back that has not been sent.
    ///
    /// # Errors
    /// `undo_too_late` where it has been.
    pub async fn undo_deletion(&self, deletion_id: String) -> Result<(), Problem> {
        let mut all = self.waiting();
        match all.get(&deletion_id) {
            Some(waiting) if !waiting.is_being_sent => {
                waiting.undo.cancel();
                all.remove(&deletion_id);
                Ok(())
            }
            _ => Err(messages::problem("undo_too_late", &[])),
        }
    }

    async fn send_deletion(&self, connection: &Arc<ActiveConnection>, deletion_id: &str, items: Vec<ItemRef>) {
        let mut deleted = 0_u64;
        let mut problem = None;
        let mut folders = Vec::new();
        for item in items {
            let outcome = match connection.ready().await {
                Ok(session) => {
                    let sent = connection.copies.delete(&session.client, item).await;
                    sent.map_err(|error| {
                        self.connections.note_error(connection, &error, &connection.names.name_of(item))
                    })
                }
                Err(problem) => Err(problem),
            };
            match outcome {
                Ok(changed) => {
                    deleted += 1;
                    if !folders.contains(&changed.folder_id.flatten()) {
                        folders.push(changed.folder_id.flatten());
                    }
                    if let ItemRef::Folder(id) = item {
                        connection.folders.forget(id);
                    }
                }
                // Someone else was quicker: it is gone, as asked.
                Err(gone) if NOT_FOUND.contains(&gone.code.as_str()) => deleted += 1,
                Err(other) => problem = Some(other),
            }
        }
        self.waiting().remove(deletion_id);
        tell_drive(&self.core, connection, folders);
        let settled = DeletionSettled { deletion_id: deletion_id.to_owned(), deleted: deleted.into(), problem };
        self.core.emit(Event::DeletionSettled(settled));
    }
}
