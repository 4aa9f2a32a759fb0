//! What synced folders tell, on its way to the page, to the tray and, where the person is elsewhere, to the desktop.
//!
//! Always true: the page is told of the connection in view, at most ten times a second; a folder that begins to need
//! the person is told of once. Not here: what a batch is (easel-sync).

use std::collections::HashSet;
use std::sync::Arc;

use easel_sync::Folders;
use easel_sync::folders::{Batch, Folder, State, WatchId};
use tokio::sync::broadcast::error::RecvError;

use super::SyncedFolders;
use super::to_views::{name_of, view_folder};
use crate::connections::active_connection::ActiveConnection;
use crate::events::{Event, SyncedFoldersChanged};
use crate::notices::{Notice, NoticeKind};
use crate::{causes, messages};

impl SyncedFolders {
    /// Follows the folders of a connection until it ends.
    pub(crate) fn follow_synced(&self, connection: &Arc<ActiveConnection>, folders: &Folders) {
        let mut changes = folders.changes();
        let (synced, connection, folders) = (self.clone(), Arc::clone(connection), folders.clone());
        self.core.supervisor().spawn(async move {
            let mut needing = HashSet::new();
            synced.status_summaries.note_folders(&connection.id, &folders.list());
            loop {
                let batch = tokio::select! {
                    () = connection.cancel.cancelled() => return,
                    batch = changes.recv() => batch,
                };
                match batch {
                    Ok(batch) => synced.pass_on_synced(&connection, &batch),
                    Err(RecvError::Lagged(_)) => {
                        let changed = folders.list();
                        synced.pass_on_synced(&connection, &Batch { changed, removed: Vec::new(), has_history: true });
                    }
                    Err(RecvError::Closed) => return,
                }
                let all = folders.list();
                synced.notify_of_needs(&connection, &all, &mut needing);
                synced.status_summaries.note_folders(&connection.id, &all);
            }
        });
    }

    fn pass_on_synced(&self, connection: &ActiveConnection, batch: &Batch) {
        if !self.connections.is_selected(connection) {
            return;
        }
        self.core.emit(Event::SyncedFoldersChanged(SyncedFoldersChanged {
            connection_id: connection.id.clone(),
            changed: batch.changed.iter().map(|folder| view_folder(folder, &connection.host())).collect(),
            removed: batch.removed.iter().map(ToString::to_string).collect(),
            has_history: batch.has_history,
        }));
    }

    /// Says outside the window that folders have begun to need the person, all of them in one message.
    fn notify_of_needs(&self, connection: &ActiveConnection, folders: &[Folder], needing: &mut HashSet<WatchId>) {
        let before = std::mem::take(needing);
        let mut news = Vec::new();
        for folder in folders {
            if let State::NeedsYou { need } = &folder.state {
                needing.insert(folder.id);
                if !before.contains(&folder.id) {
                    news.push((name_of(&folder.path), need));
                }
            }
        }
        let [(name, need), more @ ..] = news.as_slice() else { return };
        let (title, body) = messages::folders_need_you(&causes::of_need(need, name).problem, more.len());
        self.core.tell_outside(&Notice {
            kind: NoticeKind::FolderNeedsYou,
            title,
            body,
            connection_id: connection.id.clone(),
        });
    }
}
