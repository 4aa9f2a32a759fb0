//! Uploads: files in, the queue as the page shows it, and what a person asks of it.
//!
//! Always true: paths come from the desktop and stay in Rust, the page sees names; whatever was taken is in the journal
//! before the answer. Not here: sending (easel-sync) and how changes reach the page (`changes`).

mod changes;
mod dropped;
mod intake;
mod places;
pub(crate) mod skipping;
pub(crate) mod views;

use std::sync::{Arc, Mutex};

use easel_sync as sync;
use easel_wire::ItemRef;

use self::places::Places;
pub use self::views::{
    DropArea, DropOver, DropTarget, FilesTaken, LimitedBy, SkippedFile, TransferFilter, TransferList, TransferResult,
    TransferState, TransferView, TransfersSummary,
};
use crate::brand_kits::BrandKits;
use crate::causes;
use crate::connections::Connections;
use crate::connections::active_connection::{ActiveConnection, Session};
use crate::core::Core;
use crate::designs::attachments::Attachments;
use crate::drive::news::tell_drive;
use crate::messages;
use crate::problem::Problem;
use crate::status_summary::StatusSummaries;
use crate::synced::SyncedFolders;

/// Files on their way into the drive. Clones are the same uploads.
#[derive(Clone)]
pub struct Uploads {
    core: Core,
    connections: Connections,
    status_summaries: StatusSummaries,
    attachments: Attachments,
    synced: SyncedFolders,
    brand_kits: BrandKits,
    /// Where dropped files land; nowhere unless a screen says so.
    places: Arc<Mutex<Places>>,
}

impl Uploads {
    pub(crate) fn new(
        core: Core,
        connections: Connections,
        status_summaries: StatusSummaries,
        attachments: Attachments,
        synced: SyncedFolders,
        brand_kits: BrandKits,
    ) -> Self {
        Self { core, connections, status_summaries, attachments, synced, brand_kits, places: Arc::default() }
    }
}

const fn state_of(state: sync::State) -> TransferState {
    match state {
        sync::State::Queued => TransferState::Queued,
        sync::State::Settling => TransferState::Settling,
        sync::State::Sending => TransferState::Sending,
        sync::State::Registering => TransferState::Registering,
        sync::State::Sent => TransferState::Sent,
        sync::State::AlreadyThere => TransferState::AlreadyThere,
        sync::State::Paused => TransferState::Paused,
        sync::State::Failed => TransferState::Failed,
        sync::State::Canceled => TransferState::Canceled,
    }
}

/// The queue's figures for the page.
fn view_summary(summary: &sync::Summary, host: &str) -> TransfersSummary {
    TransfersSummary {
        total: summary.total.into(),
        finished: summary.finished.into(),
        active: summary.active.into(),
        failed: summary.failed.into(),
        paused: summary.paused.into(),
        bytes_total: summary.bytes_total.into(),
        bytes_sent: summary.bytes_sent.into(),
        bytes_per_second: summary.bytes_per_second.into(),
        time_left_ms: summary.time_left_ms.map(Into::into),
        limited_by: summary.limited_by.into(),
        is_counting: summary.is_counting,
        waiting: summary.waiting.as_ref().map(|waiting| causes::of_waiting(waiting, host)),
    }
}

/// A transfer for the page.
fn view_transfer(connection: &ActiveConnection, transfer: &sync::Transfer) -> TransferView {
    let result = transfer.result.as_ref().and_then(|stored| {
        Some(TransferResult {
            file_id: stored.file_id?.to_string(),
            folder_id: stored.folder_id.map(|id| id.to_string()),
            place: connection.folders.place_of(stored.folder_id),
            filename: stored.filename.as_deref().map(|name| messages::in_order(name).into_owned()),
        })
    });
    TransferView {
        id: transfer.id.to_string(),
        name: messages::in_order(&transfer.name).into_owned(),
        relative_dir: messages::in_order(&transfer.relative_dir).into_owned(),
        size_bytes: transfer.size_bytes.into(),
        sent_bytes: transfer.sent_bytes.into(),
        bytes_per_second: transfer.bytes_per_second.into(),
        time_left_ms: transfer.time_left_ms.map(Into::into),
        state: state_of(transfer.state),
        pause_restarts: transfer.restarts_on_pause,
        problem: transfer.failure.as_ref().map(|failure| causes::of_failure(failure, &transfer.name)),
        folder_id: transfer.target_folder.map(|id| id.to_string()),
        result,
        created_at: transfer.created_at.to_string(),
        finished_at: transfer.finished_at.map(|moment| moment.to_string()),
    }
}

fn read_transfer(id: &str) -> Result<sync::TransferId, Problem> {
    id.parse().map(sync::TransferId).map_err(|_| messages::problem("transfer_unknown", &[]))
}

impl Uploads {
    async fn queue_in_view(&self) -> Result<Session, Problem> {
        self.connections.selected()?.ready().await
    }

    /// A part of the transfers of the connection in view.
    ///
    /// # Errors
    /// What the connection's state says, or what is the matter with the journal.
    pub async fn list_transfers(
        &self,
        filter: TransferFilter,
        offset: u32,
        limit: u32,
    ) -> Result<TransferList, Problem> {
        let connection = self.connections.selected()?;
        let session = connection.ready().await?;
        let filter = match filter {
            TransferFilter::All => sync::Filter::All,
            TransferFilter::Unfinished => sync::Filter::Unfinished,
            TransferFilter::Failed => sync::Filter::Failed,
            TransferFilter::Finished => sync::Filter::Finished,
        };
        let summary = session.queue.summary().await.map_err(|error| causes::of_sync(&error))?;
        let listed = session.queue.list(filter, offset.into(), limit.into()).await;
        let listed = listed.map_err(|error| causes::of_sync(&error))?;
        self.learn_places(&connection, &listed);
        Ok(TransferList {
            summary: view_summary(&summary, &connection.host()),
            transfers: listed.iter().map(|transfer| view_transfer(&connection, transfer)).collect(),
        })
    }

    /// The figures of the connection in view, as far as its queue is open.
    pub(crate) async fn transfers_in_view(&self) -> Option<TransfersSummary> {
        let connection = self.connections.selected().ok()?;
        let summary = connection.session()?.queue.summary().await.ok()?;
        Some(view_summary(&summary, &connection.host()))
    }

    /// How many transfers of all connections are on their way: what a person is asked about before closing.
    pub async fn count_unfinished(&self) -> u64 {
        let mut unfinished = 0;
        for connection in self.connections.all() {
            let Some(session) = connection.session() else { continue };
            if let Ok(summary) = session.queue.summary().await {
                let done = summary.finished + summary.failed + summary.paused;
                unfinished += summary.total.saturating_sub(done);
            }
        }
        unfinished
    }

    /// Shows the file of a transfer in its folder on this computer.
    ///
    /// # Errors
    /// `transfer_unknown`, or `place_not_shown` with what the system says.
    pub async fn reveal_transfer(&self, transfer_id: String) -> Result<(), Problem> {
        let id = read_transfer(&transfer_id)?;
        let session = self.queue_in_view().await?;
        let transfer = session.queue.get(id).await.map_err(|error| causes::of_sync(&error))?;
        self.core
            .ports()
            .desktop
            .reveal(&transfer.path)
            .map_err(|error| messages::problem("place_not_shown", &[("reason", causes::io_reason(&error).as_str())]))
    }

    /// Moves a file that was in the drive already to the folder that it was dropped on.
    ///
    /// # Errors
    /// `transfer_unknown`, or what the service answers.
    pub async fn move_duplicate_here(&self, transfer_id: String) -> Result<(), Problem> {
        let id = read_transfer(&transfer_id)?;
        let connection = self.connections.selected()?;
        let session = connection.ready().await?;
        let transfer = session.queue.get(id).await.map_err(|error| causes::of_sync(&error))?;
        let stored = transfer.result.as_ref().and_then(|stored| Some((stored.file_id?, stored.folder_id)));
        let (file, from) = stored.ok_or_else(|| messages::problem("transfer_unknown", &[]))?;
        let moved = session.client.move_item(ItemRef::File(file), transfer.target_folder).await;
        moved.map_err(|error| self.connections.note_error(&connection, &error, &transfer.name))?;
        tell_drive(&self.core, &connection, [from, transfer.target_folder]);
        // The list is told of it by the queue.
        session.queue.note_moved(id, transfer.target_folder).await.map_err(|error| causes::of_sync(&error))
    }
}

/// A command that asks one thing of one transfer.
macro_rules! commands_for_one {
    ($($(#[doc = $doc:literal])+ $command:ident => $method:ident;)+) => {
        impl Uploads {
            $(
                $(#[doc = $doc])+
                ///
                /// # Errors
                /// `transfer_unknown`, what the connection's state says, or what is the matter with the journal.
                pub async fn $command(&self, transfer_id: String) -> Result<(), Problem> {
                    let id = read_transfer(&transfer_id)?;
                    let session = self.queue_in_view().await?;
                    session.queue.$method(id).await.map_err(|error| causes::of_sync(&error))
                }
            )+
        }
    };
}

commands_for_one! {
    /// Pauses a transfer.
    pause_transfer => pause;
    /// Lets a transfer go on.
    resume_transfer => resume;
    /// Takes a transfer back, or a failed one off the list.
    cancel_transfer => cancel;
    /// Tries a failed transfer again.
    retry_transfer => retry;
    /// Lets a transfer go first.
    promote_transfer => promote;
}

/// A command that asks one thing of the whole queue.
macro_rules! commands_for_all {
    ($($(#[doc = $doc:literal])+ $command:ident => $method:ident;)+) => {
        impl Uploads {
            $(
                $(#[doc = $doc])+
                ///
                /// # Errors
                /// What the connection's state says, or what is the matter with the journal.
                pub async fn $command(&self) -> Result<(), Problem> {
                    let session = self.queue_in_view().await?;
                    session.queue.$method().await.map_err(|error| causes::of_sync(&error))
                }
            )+
        }
    };
}

commands_for_all! {
    /// Pauses everything.
    pause_all_transfers => pause_all;
    /// Lets everything go on.
    resume_all_transfers => resume_all;
    /// Tries all failed transfers again.
    retry_failed_transfers => retry_failed;
    /// Takes what is in the drive off the list.
    clear_finished_transfers => clear_finished;
}
