//! The history of synced folders, and the way back: one change, those of a run, or a folder as it was at a moment.
//!
//! Always true: what undoing will do is shown in numbers before it is done, and what was not shown is not done; who made a
//! change in the drive is asked for after the lines are there, so that nobody waits for it, and is written down once it is known.
//! A service tells who put a file there and who deleted it, and not who gave it other content. Not here: which acts undo a change,
//! and the doing (`easel-sync`); keeping folders in step ([`crate::synced`]).

mod authors;
pub(crate) mod views;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use easel_sync::Folders;
use easel_sync::folders::{Folder, HistoryEntry, Scope, WatchId};
use easel_sync::ports::DiskError;

pub use self::views::{
    HistoryAuthor, HistoryLeft, HistoryPreview, HistoryRefused, HistoryReverted, HistoryScope, SyncedChange,
    SyncedEvent,
};
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::messages;
use crate::problem::Problem;
use crate::synced::{SyncedFolders, name_of, read_id, shown};

/// Lines of one list at most.
const MOST_LISTED: u32 = 1_000;

/// The history of synced folders. Clones are the same history.
#[derive(Clone)]
pub struct History {
    core: Core,
    connections: Connections,
    /// Lines whose author was asked for in this run, by connection.
    asked: Arc<Mutex<BTreeSet<(String, i64)>>>,
}

impl History {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, asked: Arc::default() }
    }

    /// A part of what happened, the last first: in one folder or in all, where `search` is in the path.
    ///
    /// # Errors
    /// `synced_folder_unknown`, what the connection's state says, or what is the matter with the journal.
    pub async fn list_synced_history(
        &self,
        folder_id: Option<String>,
        search: String,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<SyncedEvent>, Problem> {
        let id = folder_id.as_deref().map(read_id).transpose()?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        let limit = limit.min(MOST_LISTED);
        let entries = folders.list_history(id, search.trim(), offset.into(), limit.into()).await;
        let entries = entries.map_err(|error| connection.problem_of_sync(&error))?;
        let names: HashMap<WatchId, String> =
            folders.list().into_iter().map(|folder| (folder.id, name_of(&folder.path))).collect();
        let view = |entry: &HistoryEntry| SyncedEvent::of(entry, names.get(&entry.folder).cloned().unwrap_or_default());
        let events = entries.iter().map(view).collect();
        self.ask_for_authors(&connection, &folders, entries);
        Ok(events)
    }

    /// The earliest moment that a folder can go back to, RFC 3339; nothing while it has no history.
    ///
    /// # Errors
    /// As [`Self::list_synced_history`].
    pub async fn get_history_reach(&self, folder_id: String) -> Result<Option<String>, Problem> {
        let id = read_id(&folder_id)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        let reach = folders.find_reach(id).await.map_err(|error| connection.problem_of_sync(&error))?;
        Ok(reach.map(|at| at.to_string()))
    }

    /// Says what undoing changes would do. Both sides are looked at, and neither is changed.
    ///
    /// # Errors
    /// As [`Self::list_synced_history`]; `history_folder` where the folder cannot be read, or what the service answers.
    pub async fn preview_history_revert(
        &self,
        folder_id: String,
        scope: HistoryScope,
    ) -> Result<HistoryPreview, Problem> {
        let (connection, folders, folder, scope) = self.read(&folder_id, &scope).await?;
        let preview = folders.preview_revert(folder.id, scope).await;
        Ok(HistoryPreview::of(&preview.map_err(|error| of_revert(&connection, &error, &folder))?))
    }

    /// Undoes changes, as long as that does what was shown: `seen` is from [`HistoryPreview`]. How far it has come is in the folder's
    /// view; what a restart cuts off is carried on.
    ///
    /// # Errors
    /// As [`Self::preview_history_revert`]; `history_changed` where it would do something else by now, and nothing was done.
    pub async fn revert_history(
        &self,
        folder_id: String,
        scope: HistoryScope,
        seen: String,
    ) -> Result<HistoryReverted, Problem> {
        let (connection, folders, folder, scope) = self.read(&folder_id, &scope).await?;
        let reverted = folders.revert(folder.id, scope, &seen).await;
        let reverted = reverted.map_err(|error| of_revert(&connection, &error, &folder))?;
        let refused = |refused: &easel_sync::folders::Refused| HistoryRefused {
            path: shown(&refused.path),
            problem: of_revert(&connection, &refused.error, &folder),
        };
        Ok(HistoryReverted::of(&reverted, refused))
    }

    /// Gives up what is being undone in a folder, or takes note of how it ended: what was done stays done.
    ///
    /// # Errors
    /// As [`Self::list_synced_history`].
    pub async fn give_up_undoing(&self, folder_id: String) -> Result<(), Problem> {
        let id = read_id(&folder_id)?;
        let (connection, folders) = self.connections.synced_in_view().await?;
        folders.give_up_undoing(id).await.map_err(|error| connection.problem_of_sync(&error))
    }

    async fn read(
        &self,
        folder_id: &str,
        scope: &HistoryScope,
    ) -> Result<(Arc<ActiveConnection>, Folders, Folder, Scope), Problem> {
        let (id, scope) = (read_id(folder_id)?, scope.read()?);
        let (connection, folders) = self.connections.synced_in_view().await?;
        let folder = SyncedFolders::find_synced(&folders, id)?;
        Ok((connection, folders, folder, scope))
    }
}

/// Why changes were not undone, in words.
fn of_revert(connection: &ActiveConnection, error: &easel_sync::Error, folder: &Folder) -> Problem {
    let name = name_of(&folder.path);
    let cause = match error {
        easel_sync::Error::ChangedSinceShown { path } if path.is_empty() => {
            return messages::problem("history_changed", &[("name", name.as_str())]);
        }
        easel_sync::Error::ChangedSinceShown { .. } => DiskError::Changed,
        easel_sync::Error::Disk { cause, .. } => *cause,
        error => return connection.problem_of_sync(error),
    };
    let reason = messages::disk_reason(cause);
    match cause {
        DiskError::RootMissing => messages::problem("history_folder", &[("name", name.as_str()), ("reason", reason)]),
        _ => messages::problem("history_refused", &[("reason", reason)]),
    }
}
