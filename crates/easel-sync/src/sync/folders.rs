//! The watched folders of one connection: what people can ask of them, and what they tell.
//!
//! Always true: a request is durable when its call returns; each folder has one control task, which alone runs its
//! engine; dropping `Folders` stops nothing: its token does, and then everything ends within two seconds, to be taken
//! up by the next start. No code here touches a file except through a folder's engine. Not here: what has to be done
//! (`plan`), how (`engine`), and windows.

mod add;
mod clock;
mod command;
mod conflicts;
mod control;
mod folder;
mod from_engine;
mod locked_folder;
mod poll;
mod preview;
mod progress;
mod publish;
mod revert;
mod state;
mod watched;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use easel_client::Client;
use easel_wire::uploads::{DIRECT_CEILING_BYTES, STORAGE_CEILING_BYTES};
use tokio::sync::{Mutex as AsyncMutex, Notify, broadcast, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use crate::shared::causes::wait_after;
pub use crate::shared::ids::{ConflictId, WatchId};
pub use crate::sync::conflicts::{ShownVersion, Side};
pub use crate::sync::engine::Stage;
pub use crate::sync::journal::Scope;
pub use crate::sync::revert::{Figures, Left, Why as WhyLeft};
pub use conflicts::{Conflict, Keep, Version};
pub use folder::{
    Author, Batch, Choices, DeletionRule, Draft, Folder, HistoryEntry, HistoryEvent, Mode, Need, Note, Preview, SeenBy,
    State, Target, UndoingProgress, Why,
};
#[doc(hidden)]
pub use from_engine::past_changes;
pub use revert::{Refused, RevertPreview, Reverted};
pub use state::{FolderSettings, host_name};

pub use crate::sync::remote::search::{DriveMatch, DriveMatches};

use crate::shared::error::Error;
use crate::shared::journal::Journal;
use crate::shared::metered::{self, Metered};
use crate::shared::mutex::lock;
use crate::sync::remote::DriveIndex;
use command::{Command, FolderCommand};
use state::{FRAMING_BYTES, MOST_LISTED, Network, Shared, SizeLimits};
use watched::Watched;

/// Batches that a listener may be behind before it must list again.
const BATCHES_KEPT: usize = 64;
/// A search of a drive that was not read yet waits so long; then it answers with what is known so far.
const LEARNING_PATIENCE: Duration = Duration::from_secs(2);

/// The watched folders of one connection. Cheap to clone.
#[derive(Clone)]
pub struct Folders {
    shared: Arc<Shared>,
    batches: broadcast::Sender<Arc<Batch>>,
}

impl std::fmt::Debug for Folders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Folders").field("connection_id", &self.shared.connection_id).finish_non_exhaustive()
    }
}

impl Folders {
    /// Starts the control task of every folder that is watched under this connection. The tasks are spawned on `tasks`
    /// and end within two seconds when `cancel` fires.
    ///
    /// # Errors
    /// What the journal fails with.
    pub async fn start(
        journal: Journal,
        client: Client,
        connection_id: &str,
        settings: FolderSettings,
        cancel: CancellationToken,
        tasks: &TaskTracker,
    ) -> Result<Self, Error> {
        let watches = journal.list_watches(connection_id).await?;
        let index = DriveIndex::new(journal.clone(), connection_id, settings.clock.clone()).plant(settings.planted);
        let limits = SizeLimits {
            direct_max_bytes: DIRECT_CEILING_BYTES.saturating_sub(FRAMING_BYTES),
            max_file_bytes: STORAGE_CEILING_BYTES,
        };
        let network = Network { is_metered: false, is_respected: settings.pause_on_metered };
        let shared = Arc::new(Shared {
            journal,
            connection_id: connection_id.to_owned(),
            settings,
            index: Arc::new(index),
            learning: Arc::default(),
            notifier: Arc::default(),
            watched: Mutex::default(),
            adding: AsyncMutex::default(),
            promised: Mutex::default(),
            service: watch::Sender::new(None),
            metered: watch::Sender::new(false),
            network: Mutex::new(network),
            hurry: Notify::new(),
            client: Mutex::new(client),
            limits: Mutex::new(limits),
            is_rate_known: AtomicBool::new(false),
            cancel,
            tasks: tasks.clone(),
        });
        let (batches, _) = broadcast::channel(BATCHES_KEPT);
        for watch in watches {
            control::begin(&shared, watch, None, None);
        }
        tasks.spawn(publish::publish(Arc::clone(&shared), batches.clone()));
        tasks.spawn(poll::poll(Arc::clone(&shared)));
        tasks.spawn({
            let shared = Arc::clone(&shared);
            async move {
                let hear = |now| shared.set_network(|network| network.is_metered = now == Metered::Yes);
                tokio::select! {
                    () = shared.cancel.cancelled() => {}
                    () = metered::follow(hear) => {}
                }
            }
        });
        let folders = Self { shared, batches };
        folders.carry_on_undoing().await?;
        Ok(folders)
    }

    /// Says what a first run would do. Looks at both sides, and changes neither.
    ///
    /// # Errors
    /// As [`Folders::add`].
    pub async fn preview(&self, draft: &Draft) -> Result<Preview, Error> {
        preview::preview(&self.shared, draft).await
    }

    /// Begins to watch a folder, and makes its drive folder where the draft names a new one. The first look follows at
    /// once.
    ///
    /// # Errors
    /// [`Error::NotAFolder`], [`Error::InsideAnother`], [`Error::HeldElsewhere`], [`Error::DriveFolderTaken`],
    /// [`Error::DriveFolderGone`], [`Error::PatternRefused`]; [`Error::Service`] where the service answers otherwise or
    /// not at all; and what the journal fails with.
    pub async fn add(&self, draft: &Draft) -> Result<WatchId, Error> {
        add::add(&self.shared, draft).await
    }

    /// Every watched folder as it is now, the oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<Folder> {
        let rate = self.shared.requests_per_minute();
        self.shared.list_watched().iter().map(|watched| watched.snapshot(rate)).collect()
    }

    /// Pauses a folder. Transfers under way are dropped, and leave no file half there.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], [`Error::Stopped`], and what the journal fails with; so do all requests below.
    pub async fn pause(&self, id: WatchId) -> Result<(), Error> {
        self.command(id, FolderCommand::Pause).await
    }

    /// Lets a paused folder go on.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn resume(&self, id: WatchId) -> Result<(), Error> {
        self.command(id, FolderCommand::Resume).await
    }

    /// Pauses every folder.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn pause_all(&self) -> Result<(), Error> {
        for watched in self.shared.list_watched() {
            self.pause(watched.id).await?;
        }
        Ok(())
    }

    /// Lets every paused folder go on.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn resume_all(&self) -> Result<(), Error> {
        for watched in self.shared.list_watched() {
            self.resume(watched.id).await?;
        }
        Ok(())
    }

    /// Looks at both sides now, at the drive's whole lists too, and asks whether the cause of a wait is gone.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn look_again(&self, id: WatchId) -> Result<(), Error> {
        self.shared.hurry.notify_one();
        self.command(id, FolderCommand::LookAgain).await
    }

    /// Consents to what a folder asks about ([`Need`]). The consent is good for that question and no more.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn consent(&self, id: WatchId) -> Result<(), Error> {
        self.command(id, FolderCommand::Consent).await
    }

    /// Declines the deletions that a folder asks about: files that were deleted here stay in the drive; files that were
    /// deleted in the drive are sent again.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn decline(&self, id: WatchId) -> Result<(), Error> {
        self.command(id, FolderCommand::Decline).await
    }

    /// Changes a folder's settings. Nothing is deleted or sent by the change itself.
    ///
    /// # Errors
    /// As [`Folders::pause`], and [`Error::PatternRefused`].
    pub async fn change(&self, id: WatchId, choices: Choices) -> Result<(), Error> {
        add::check_patterns(&choices.ignore)?;
        self.command(id, FolderCommand::Change(choices)).await
    }

    /// Goes on with a folder at another path. It has to be the same folder, or a copy that has nearly all agreed files
    /// at their paths; for a copy the records are dropped, so that a file which it lacks is deleted nowhere.
    ///
    /// # Errors
    /// As [`Folders::pause`]; [`Error::NotAFolder`], [`Error::FolderUnreadable`], [`Error::HeldElsewhere`],
    /// [`Error::InsideAnother`], [`Error::AnotherFolder`]. After an error the folder is watched at its path of before.
    pub async fn relocate(&self, id: WatchId, path: PathBuf) -> Result<(), Error> {
        let _one_at_a_time = self.shared.adding.lock().await;
        self.command(id, FolderCommand::Relocate(path)).await
    }

    /// Stops watching a folder, and forgets its records and its history. No file is touched on either side.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn remove(&self, id: WatchId) -> Result<(), Error> {
        self.command(id, FolderCommand::Remove).await
    }

    /// Sends a file again that was deleted in the drive and is kept here ([`Why::OnlyHere`]); of a folder, all such
    /// files in it.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn send_again(&self, id: WatchId, path: &str) -> Result<(), Error> {
        self.command(id, FolderCommand::SendAgain(path.to_owned())).await
    }

    /// Lets refused files be tried again: the one at `path`, or those below it; all of the folder's where `path` is
    /// empty. Called when a person asks, or when what was known of the service's limits is forgotten. Bytes that the
    /// service has by now are not sent again.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn try_refused_again(&self, id: WatchId, path: &str) -> Result<(), Error> {
        self.command(id, FolderCommand::TryRefused(path.to_owned())).await
    }

    /// The differences that stay, in the order of their paths; at most 1,000 at once.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], and what the journal fails with.
    pub async fn list_skipped(&self, id: WatchId, offset: u64, limit: u64) -> Result<Vec<Note>, Error> {
        self.find(id)?;
        self.shared.journal.list_notes(id, offset, limit.min(MOST_LISTED)).await
    }

    /// The history of one folder or of all, the last line first; only lines with `search` in their path, where that is
    /// not empty; at most 1,000 lines at once.
    ///
    /// # Errors
    /// What the journal fails with.
    pub async fn list_history(
        &self,
        id: Option<WatchId>,
        search: &str,
        offset: u64,
        limit: u64,
    ) -> Result<Vec<HistoryEntry>, Error> {
        let shared = &self.shared;
        shared.journal.list_folder_history(&shared.connection_id, id, search, offset, limit.min(MOST_LISTED)).await
    }

    /// The items of the whole drive whose names have every word of `text`, folders first; at most 1,000 of them. The
    /// service cannot search by name, so the index of the drive is searched. The first search has to read the drive,
    /// which takes a request for every 200 items: after two seconds it answers with the items known by then, and the
    /// reading goes on.
    ///
    /// # Errors
    /// [`Error::Service`] where the drive has to be asked and does not answer, and what the journal fails with.
    pub async fn search_drive(&self, text: &str, limit: usize) -> Result<DriveMatches, Error> {
        let shared = &self.shared;
        if !shared.index.is_fresh().await? {
            self.learn_drive().await?;
        }
        shared.index.search(text, limit.min(usize::try_from(MOST_LISTED).unwrap_or(usize::MAX))).await
    }

    /// Has the drive read, by one task for all searches, and waits a little for it.
    async fn learn_drive(&self) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        let Ok(turn) = Arc::clone(&shared.learning).try_lock_owned() else {
            // The search's answer shows whether the reading came to its end.
            let _ = tokio::time::timeout(LEARNING_PATIENCE, shared.learning.lock()).await;
            return Ok(());
        };
        let client = lock(&shared.client).clone();
        let (index, cancel) = (Arc::clone(&shared.index), shared.cancel.clone());
        let learning = shared.tasks.spawn(async move {
            let learned = cancel.run_until_cancelled(index.refresh(&client, false)).await;
            drop(turn);
            learned.unwrap_or(Ok(()))
        });
        match tokio::time::timeout(LEARNING_PATIENCE, learning).await {
            Ok(Ok(learned)) => learned,
            // The reading goes on, or the program ends.
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// Goes on with another client, for instance one with a new key for the same service.
    pub async fn set_client(&self, client: Client) {
        *lock(&self.shared.client) = client;
        self.shared.is_rate_known.store(false, Ordering::Relaxed);
        for watched in self.shared.list_watched() {
            // A folder whose task has ended has nothing to go on with.
            let _ = self.command(watched.id, FolderCommand::ClientChanged).await;
        }
        self.shared.hurry.notify_one();
    }

    /// Whether nothing is sent or fetched while the network is metered, from now on.
    pub fn set_pause_on_metered(&self, is_wanted: bool) {
        self.shared.set_network(|network| network.is_respected = is_wanted);
    }

    /// Subscribes to changes. A listener that falls behind is told so by the channel, and lists again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Arc<Batch>> {
        self.batches.subscribe()
    }

    fn find(&self, id: WatchId) -> Result<Arc<Watched>, Error> {
        lock(&self.shared.watched).get(&id).cloned().ok_or(Error::UnknownFolder(id))
    }

    async fn command(&self, id: WatchId, command: FolderCommand) -> Result<(), Error> {
        let watched = self.find(id)?;
        let (reply, answer) = oneshot::channel();
        watched.orders.send(Command { command, reply }).await.map_err(|_| Error::Stopped)?;
        answer.await.map_err(|_| Error::Stopped)?
    }
}
