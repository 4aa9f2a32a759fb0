//! Who made changes that came from the drive, asked for behind the list.
//!
//! Always true: a line is asked about once in a run of the program; what is found is written down beside the line, and the page is
//! told. Few requests: one for what was deleted, and one a file that somebody put in the drive.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

use easel_client::{Client, Feature, Lane, PageRequest};
use easel_sync::Folders;
use easel_sync::folders::{Author, HistoryEntry, HistoryEvent, WatchId};
use easel_wire::drive::CreatedBy;
use easel_wire::{FileId, ItemRef};

use super::History;
use crate::connections::active_connection::ActiveConnection;
use crate::events::{Event, SyncedFoldersChanged};

/// Files that are asked for after one list at most.
const MOST_ASKED: usize = 40;
/// Pages of the trash that are looked through at most, the newest first.
const MOST_PAGES: usize = 3;
const PAGE: u16 = 200;

impl History {
    /// Asks who made the changes of these lines, as far as that is not known, and tells the page.
    pub(super) fn ask_for_authors(
        &self,
        connection: &Arc<ActiveConnection>,
        folders: &Folders,
        entries: Vec<HistoryEntry>,
    ) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_told = |entry: &HistoryEntry| {
            matches!(entry.what, HistoryEvent::Trashed) || (entry.what == HistoryEvent::Fetched && entry.is_new)
        };
        let unknown: Vec<HistoryEntry> = entries
            .into_iter()
            .filter(|entry| entry.author.is_none() && entry.file.is_some() && is_told(entry))
            .filter(|entry| asked.insert((connection.id.clone(), entry.id)))
            .take(MOST_ASKED)
            .collect();
        drop(asked);
        if unknown.is_empty() {
            return;
        }
        let (history, connection, folders) = (self.clone(), Arc::clone(connection), folders.clone());
        self.core.supervisor().spawn(async move { history.find_authors(&connection, &folders, &unknown).await });
    }

    async fn find_authors(&self, connection: &ActiveConnection, folders: &Folders, unknown: &[HistoryEntry]) {
        let Some(session) = connection.session() else { return };
        let client = session.client.in_lane(Lane::Poll);
        let has_deleted = unknown.iter().any(|entry| entry.what == HistoryEvent::Trashed);
        let deleted = if has_deleted { list_deleted(&client, unknown).await } else { BTreeMap::new() };
        let mut found: BTreeMap<WatchId, Vec<(i64, Author)>> = BTreeMap::new();
        for entry in unknown {
            let Some(file) = entry.file else { continue };
            let by = match entry.what {
                HistoryEvent::Trashed => deleted.get(&file).cloned(),
                _ => client.get_file(file).await.ok().and_then(|file| file.created_by),
            };
            let (Some(name), is_you) = connection.view_person(by.as_ref()) else { continue };
            found.entry(entry.folder).or_default().push((entry.id, Author { name, is_you }));
        }
        for (folder, authors) in &found {
            if let Err(error) = folders.note_authors(*folder, authors).await {
                tracing::debug!(%error, "who made changes could not be written down");
                return;
            }
        }
        if !found.is_empty() && self.connections.is_selected(connection) {
            self.core.emit(Event::SyncedFoldersChanged(SyncedFoldersChanged {
                connection_id: connection.id.clone(),
                changed: Vec::new(),
                removed: Vec::new(),
                has_history: true,
            }));
        }
    }
}

/// Who deleted files, as far as the top of the trash tells.
async fn list_deleted(client: &Client, wanted: &[HistoryEntry]) -> BTreeMap<FileId, CreatedBy> {
    let wanted: BTreeSet<FileId> = wanted.iter().filter_map(|entry| entry.file).collect();
    let mut found = BTreeMap::new();
    if client.offers(Feature::Trash) == Some(false) {
        return found;
    }
    let mut next = Some(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
    for _ in 0..MOST_PAGES {
        let Some(request) = next else { break };
        let Ok(page) = client.list_trash(&request).await else { break };
        for item in &page.items {
            if let (ItemRef::File(file), Some(by)) = (item.id, &item.deleted_by)
                && wanted.contains(&file)
            {
                found.insert(file, by.clone());
            }
        }
        next = request.after(&page).filter(|_| found.len() < wanted.len());
    }
    found
}
