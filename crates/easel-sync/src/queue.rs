//! The queue of one connection: what people can ask of it, and what it tells.
//!
//! Always true: a request is durable when its call returns, and takes effect at once; which transfer comes next is
//! decided in one place (`dispatch.rs`), so that a command and a start never cross. Dropping the queue stops nothing: its
//! token does, and then everything ends within two seconds, to be taken up by the next start. Not here: the steps of
//! one transfer (`upload_job.rs`, `sender.rs`), the walk through a drop (`intake.rs`).

mod active_transfer;
mod changes;
mod dispatch;
mod intake;
mod journal;
mod sender;
mod settings;
mod settle;
mod state;
#[cfg(test)]
mod stub;
mod transfer;
pub mod upload_job;

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use easel_client::Client;
use easel_wire::FolderId;
use tokio::sync::{Mutex as AsyncMutex, Notify, broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub use settings::Settings;
pub use transfer::{Batch, Enqueued, Filter, Kind, SkipReason, Skipped, State, Stored, Summary, Transfer};

use crate::shared::error::Error;
use crate::shared::ids::TransferId;
use crate::shared::journal::Journal;
use crate::shared::mutex::lock;
use crate::shared::transfer_slots::TransferSlots;
use active_transfer::Board;
use dispatch::{Command, Dispatcher, Order};
use journal::{Dropped, Selection};
use state::{RATE_UNKNOWN, Shared};

/// Batches that a listener may be behind before it must list again.
const BATCHES_KEPT: usize = 64;
/// Rows of one list at most.
const MOST_LISTED: u64 = 1_000;

/// The queue of one connection. Cheap to clone.
#[derive(Clone)]
pub struct Queue {
    shared: Arc<Shared>,
    commands: mpsc::Sender<Command>,
    batches: broadcast::Sender<Arc<Batch>>,
    tasks: TaskTracker,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("connection_id", &self.shared.connection_id).finish_non_exhaustive()
    }
}

impl Queue {
    /// Starts the queue of a connection, and goes on with the transfers of its last run. Its tasks are spawned on
    /// `tasks` and end within two seconds when `cancel` fires.
    ///
    /// # Errors
    /// What the journal fails with.
    pub async fn start(
        journal: Journal,
        client: Client,
        connection_id: &str,
        cancel: CancellationToken,
        tasks: &TaskTracker,
    ) -> Result<Self, Error> {
        Self::start_with(journal, client, connection_id, cancel, tasks, Settings::default()).await
    }

    /// As [`Queue::start`], with other settings than the defaults.
    ///
    /// # Errors
    /// What the journal fails with.
    pub async fn start_with(
        journal: Journal,
        client: Client,
        connection_id: &str,
        cancel: CancellationToken,
        tasks: &TaskTracker,
        settings: Settings,
    ) -> Result<Self, Error> {
        let unwalked = journal.list_unwalked_drops(connection_id).await?;
        let shared = Arc::new(Shared {
            journal,
            connection_id: connection_id.to_owned(),
            slots: TransferSlots::new(settings.at_once),
            settings,
            board: Board::new(),
            pacing: Mutex::default(),
            waiting: Mutex::default(),
            folder_gate: AsyncMutex::default(),
            entered: Notify::new(),
            cancel,
            client: Mutex::new(client),
            requests_per_minute: AtomicU64::new(RATE_UNKNOWN),
        });
        let (commands, orders) = mpsc::channel(16);
        let (batches, _) = broadcast::channel(BATCHES_KEPT);
        tasks.spawn(Dispatcher::new(Arc::clone(&shared), orders).run());
        tasks.spawn(changes::publish(Arc::clone(&shared), batches.clone()));
        let queue = Self { shared, commands, batches, tasks: tasks.clone() };
        for drop in unwalked {
            let queue = queue.clone();
            tasks.spawn(async move {
                match queue.take_in(&drop).await {
                    Ok(enqueued) => {
                        tracing::info!(files = enqueued.accepted.len(), "a drop was walked to its end");
                        queue.shared.board.note_skipped(enqueued.skipped);
                    }
                    Err(Error::Stopped) => {}
                    Err(error) => tracing::warn!(%error, "a drop could not be walked to its end"),
                }
            });
        }
        Ok(queue)
    }

    /// Takes files and folders into the queue, to go to `folder` (`None`: the top of the drive). Folders are taken
    /// whole, with their structure. Items that cannot be taken are named, and the rest goes on. Everything accepted is
    /// durable when this returns, and the first files may be on their way before. If the caller drops the call, the
    /// work goes on.
    ///
    /// # Errors
    /// What the journal fails with, above all [`Error::DiskFull`]; [`Error::Stopped`] where the queue ends meanwhile.
    pub async fn enqueue(&self, paths: Vec<PathBuf>, folder: Option<FolderId>) -> Result<Enqueued, Error> {
        let queue = self.clone();
        let intake = self.tasks.spawn(async move {
            let shared = &queue.shared;
            let drop =
                shared.journal.create_drop(&shared.connection_id, folder, paths, Uuid::new_v4(), shared.now()).await?;
            queue.take_in(&drop).await
        });
        intake.await.map_err(|_| Error::Stopped)?
    }

    async fn take_in(&self, drop: &Dropped) -> Result<Enqueued, Error> {
        let shared = &self.shared;
        let on_batch = || {
            shared.board.touch_all();
            shared.entered.notify_one();
        };
        let taken = intake::take_in(&shared.journal, drop, &shared.cancel, || shared.now(), on_batch).await;
        shared.board.touch_all();
        shared.entered.notify_one();
        taken
    }

    /// Pauses a transfer. A file that goes up in one request starts again later; a transfer that only waits for its
    /// answer is not interrupted.
    ///
    /// # Errors
    /// [`Error::UnknownTransfer`], [`Error::Stopped`], and what the journal fails with; so do all requests below.
    pub async fn pause(&self, id: TransferId) -> Result<(), Error> {
        self.command_one(Order::Pause, id).await
    }

    /// Resumes a paused transfer, before all others.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn resume(&self, id: TransferId) -> Result<(), Error> {
        self.command_one(Order::Resume, id).await
    }

    /// Cancels a transfer. Nothing of the file is in the drive then. If its answer is already waited for, that comes
    /// first, and the transfer's state tells the end: sent or canceled.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn cancel(&self, id: TransferId) -> Result<(), Error> {
        self.command_one(Order::Cancel, id).await
    }

    /// Tries a failed or canceled transfer again, before all others.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn retry(&self, id: TransferId) -> Result<(), Error> {
        self.command_one(Order::Retry, id).await
    }

    /// Puts a transfer before all others.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn promote(&self, id: TransferId) -> Result<(), Error> {
        self.command_one(Order::Promote, id).await
    }

    /// Pauses every unfinished transfer, and those of walks under way.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn pause_all(&self) -> Result<(), Error> {
        self.command(Order::Pause, Selection::All).await.map(drop)
    }

    /// Resumes every paused transfer.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn resume_all(&self) -> Result<(), Error> {
        self.command(Order::Resume, Selection::All).await.map(drop)
    }

    /// Cancels every unfinished transfer.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn cancel_all(&self) -> Result<(), Error> {
        self.command(Order::Cancel, Selection::All).await.map(drop)
    }

    /// Retries every failed transfer.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn retry_failed(&self) -> Result<(), Error> {
        self.command(Order::Retry, Selection::All).await.map(drop)
    }

    /// Forgets every transfer that is sent, already there or canceled.
    ///
    /// # Errors
    /// As [`Queue::pause`].
    pub async fn clear_finished(&self) -> Result<(), Error> {
        self.shared.journal.trim_history(&self.shared.connection_id, 0, 0).await?;
        self.shared.board.touch_all();
        Ok(())
    }

    /// Notes that a person moved the drive file of a finished transfer to another folder, so that lists show its new
    /// place.
    ///
    /// # Errors
    /// [`Error::UnknownTransfer`] where no finished transfer has this id, and what the journal fails with.
    pub async fn note_moved(&self, id: TransferId, folder: Option<FolderId>) -> Result<(), Error> {
        let shared = &self.shared;
        if !shared.journal.record_moved(&shared.connection_id, id, folder).await? {
            return Err(Error::UnknownTransfer(id));
        }
        shared.board.touch(id);
        Ok(())
    }

    /// Probes at once whether the cause of a wait has passed.
    pub async fn look_again(&self) {
        // A queue that has stopped has nothing to probe.
        let _ = self.command(Order::LookAgain, Selection::All).await;
    }

    /// Goes on with another client, for instance one with a new key for the same service.
    pub async fn set_client(&self, client: Client) {
        *lock(&self.shared.client) = client;
        let _ = self.command(Order::ClientChanged, Selection::All).await;
    }

    /// The slots of this queue, for synced folders that share them and come second.
    #[must_use]
    pub fn slots(&self) -> TransferSlots {
        self.shared.slots.clone()
    }

    /// Changes how many transfers are at work at once, at least one. Those at work go on.
    pub fn set_at_once(&self, at_once: usize) {
        self.shared.slots.resize(at_once);
        self.shared.entered.notify_one();
    }

    /// Stops or allows transfers because of a metered network. Transfers at work then start again later.
    pub async fn set_metered(&self, is_metered: bool) {
        // A queue that has stopped moves nothing.
        let _ = self.command(if is_metered { Order::Hold } else { Order::Release }, Selection::All).await;
    }

    /// The whole queue's summary.
    ///
    /// # Errors
    /// What the journal fails with.
    pub async fn summary(&self) -> Result<Summary, Error> {
        changes::summarize(&self.shared).await
    }

    /// Some transfers, in the order of the filter; at most 1,000 at once.
    ///
    /// # Errors
    /// What the journal fails with.
    pub async fn list(&self, filter: Filter, offset: u64, limit: u64) -> Result<Vec<Transfer>, Error> {
        let shared = &self.shared;
        let rows = shared.journal.list_rows(&shared.connection_id, filter, offset, limit.min(MOST_LISTED)).await?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let mut transfer = row.into_transfer();
                shared.board.lay_over(&mut transfer);
                transfer
            })
            .collect())
    }

    /// One transfer.
    ///
    /// # Errors
    /// [`Error::UnknownTransfer`], and what the journal fails with.
    pub async fn get(&self, id: TransferId) -> Result<Transfer, Error> {
        let row = self.shared.journal.get_row(&self.shared.connection_id, id).await?;
        let mut transfer = row.ok_or(Error::UnknownTransfer(id))?.into_transfer();
        self.shared.board.lay_over(&mut transfer);
        Ok(transfer)
    }

    /// Subscribes to changes. A listener that falls behind is told so by the channel, and lists again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Arc<Batch>> {
        let receiver = self.batches.subscribe();
        self.shared.board.touch_summary();
        receiver
    }

    async fn command_one(&self, order: Order, id: TransferId) -> Result<(), Error> {
        if self.command(order, Selection::One(id)).await? == 0 {
            // It is no error that nothing had to change, but it is one if there is no such transfer.
            self.get(id).await?;
        }
        Ok(())
    }

    async fn command(&self, order: Order, which: Selection) -> Result<u64, Error> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(Command { order, which, reply }).await.map_err(|_| Error::Stopped)?;
        answer.await.map_err(|_| Error::Stopped)?
    }
}

#[cfg(test)]
mod tests;
