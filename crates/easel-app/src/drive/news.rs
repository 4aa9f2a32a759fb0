//! Telling the page that folders hold something else than before.
//!
//! Not here: what changed them.

use easel_wire::FolderId;

use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::events::{DriveChanged, Event};

/// Tells the page that folders hold something else than before.
pub(crate) fn tell_drive(
    core: &Core,
    connection: &ActiveConnection,
    folders: impl IntoIterator<Item = Option<FolderId>>,
) {
    let folder_ids = folders.into_iter().map(|folder| folder.map(|id| id.to_string())).collect();
    connection.shelved.forget();
    core.emit(Event::DriveChanged(DriveChanged { connection_id: connection.id.clone(), folder_ids }));
}
