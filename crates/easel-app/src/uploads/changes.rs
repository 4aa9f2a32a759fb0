//! Passes the queue's changes on to the page.
//!
//! Always true: only the connection in view is told of, so that there are at most ten events a second in all; folders
//! that got files are told of at once when the queue rests and else every few seconds, because every such event may
//! cost the page two requests. Not here: what a batch has (easel-sync).

use std::sync::Arc;
use std::time::Duration;

use easel_sync::{Batch, Queue, State, Summary, Transfer, Waiting};
use easel_wire::FolderId;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

use super::skipping::name_skipped;
use super::views::FilesTaken;
use super::{Uploads, view_summary, view_transfer};
use crate::connections::active_connection::ActiveConnection;
use crate::drive::news::tell_drive;
use crate::events::{Event, FilesDropped, TransfersChanged};
use crate::kept_files::remove_kept;
use crate::messages;
use crate::notices::{Notice, NoticeKind};

/// The least time between two events of one drive while the queue is at work.
const BETWEEN_DRIVE_EVENTS: Duration = Duration::from_secs(3);

/// Folders that got something and have not been told of.
#[derive(Debug)]
struct Touched {
    folders: Vec<Option<FolderId>>,
    told_at: Instant,
}

impl Touched {
    fn add(&mut self, folder: Option<FolderId>) {
        if !self.folders.contains(&folder) {
            self.folders.push(folder);
        }
    }

    fn note(&mut self, transfer: &Transfer) {
        if transfer.state != State::Sent {
            return;
        }
        if let Some(stored) = &transfer.result {
            self.add(stored.folder_id);
        }
        // Folders that came with it may have been made where it was dropped.
        if !transfer.relative_dir.is_empty() {
            self.add(transfer.target_folder);
        }
    }
}

/// Whether nothing moves and nothing will without a person or a change of the weather.
const fn is_at_rest(summary: &Summary) -> bool {
    !summary.is_counting && summary.finished + summary.failed + summary.paused >= summary.total
}

impl Uploads {
    /// Follows a queue until its connection ends.
    pub(crate) fn follow_queue(&self, connection: &Arc<ActiveConnection>, queue: &Queue) {
        let mut changes = queue.changes();
        let (uploads, connection, queue) = (self.clone(), Arc::clone(connection), queue.clone());
        self.core.supervisor().spawn(async move {
            let mut touched = Touched { folders: Vec::new(), told_at: Instant::now() - BETWEEN_DRIVE_EVENTS };
            let mut was_at_rest = true;
            loop {
                let due = touched.told_at + BETWEEN_DRIVE_EVENTS;
                tokio::select! {
                    batch = changes.recv() => match batch {
                        Ok(batch) => {
                            uploads.pass_on(&connection, &queue, &batch, &mut touched).await;
                            uploads.status_summaries.note_queue(&connection.id, &batch.summary);
                            let at_rest = is_at_rest(&batch.summary);
                            if at_rest && !was_at_rest {
                                uploads.tell_drive_changes(&connection, &mut touched);
                                uploads.notify_finished(&connection, &batch.summary);
                            }
                            was_at_rest = at_rest;
                        }
                        Err(RecvError::Lagged(_)) => uploads.tell_transfers(&connection, &queue, &[], true).await,
                        Err(RecvError::Closed) => return,
                    },
                    () = tokio::time::sleep_until(due), if !touched.folders.is_empty() => {
                        uploads.tell_drive_changes(&connection, &mut touched);
                    }
                }
            }
        });
    }

    async fn pass_on(&self, connection: &Arc<ActiveConnection>, queue: &Queue, batch: &Batch, touched: &mut Touched) {
        for transfer in &batch.changed {
            touched.note(transfer);
            if matches!(transfer.state, State::Sent | State::AlreadyThere) {
                remove_kept(&self.core.data_dir().pasted(), &transfer.path);
            }
        }
        if matches!(
            batch.summary.waiting,
            Some(
                Waiting::Offline
                    | Waiting::KeyRefused
                    | Waiting::NotTrusted
                    | Waiting::NotTheService
                    | Waiting::RedirectRefused { .. }
            )
        ) {
            self.connections.note_waiting(connection);
        }
        if !batch.skipped.is_empty() {
            let taken = FilesTaken { accepted: 0_u64.into(), skipped: name_skipped(&batch.skipped) };
            self.core.emit(Event::FilesDropped(FilesDropped { taken: Some(taken), problem: None }));
        }
        self.tell_transfers(connection, queue, &batch.changed, batch.list_again).await;
        self.learn_places(connection, &batch.changed);
    }

    fn tell_drive_changes(&self, connection: &ActiveConnection, touched: &mut Touched) {
        if !touched.folders.is_empty() {
            touched.told_at = Instant::now();
            tell_drive(&self.core, connection, std::mem::take(&mut touched.folders));
        }
    }

    /// Tells the page of transfers, if it looks at this connection.
    pub(super) async fn tell_transfers(
        &self,
        connection: &ActiveConnection,
        queue: &Queue,
        changed: &[Transfer],
        list_again: bool,
    ) {
        if !self.connections.is_selected(connection) {
            return;
        }
        match queue.summary().await {
            Ok(summary) => self.core.emit(Event::TransfersChanged(TransfersChanged {
                connection_id: connection.id.clone(),
                summary: view_summary(&summary, &connection.host()),
                changed: changed.iter().map(|transfer| view_transfer(connection, transfer)).collect(),
                list_again,
            })),
            Err(error) => tracing::warn!(%error, "the queue's figures cannot be read"),
        }
    }

    /// Finds out where files lie that were in the drive already, and tells the page then.
    pub(super) fn learn_places(&self, connection: &Arc<ActiveConnection>, transfers: &[Transfer]) {
        let unknown: Vec<Transfer> = transfers
            .iter()
            .filter(|transfer| transfer.state == State::AlreadyThere)
            .filter(|transfer| {
                transfer.result.as_ref().is_some_and(|stored| connection.folders.place_of(stored.folder_id).is_none())
            })
            .cloned()
            .collect();
        if unknown.is_empty() || !connection.folders.begin_learning() {
            return;
        }
        let (uploads, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            let wanted: Vec<_> =
                unknown.iter().filter_map(|transfer| Some(transfer.result.as_ref()?.folder_id)).collect();
            let learnt = connection.learn_folders(&wanted).await;
            connection.folders.end_learning();
            if let (true, Some(session)) = (learnt, connection.session()) {
                uploads.tell_transfers(&connection, &session.queue, &unknown, false).await;
            }
        });
    }

    /// Says outside the window that a queue came to rest.
    fn notify_finished(&self, connection: &ActiveConnection, summary: &Summary) {
        if summary.finished + summary.failed == 0 {
            return;
        }
        let (title, body) = messages::came_to_rest(summary.finished, summary.failed);
        let kind = if summary.failed > 0 { NoticeKind::TransfersFailed } else { NoticeKind::TransfersFinished };
        self.core.tell_outside(&Notice { kind, title, body, connection_id: connection.id.clone() });
    }
}
