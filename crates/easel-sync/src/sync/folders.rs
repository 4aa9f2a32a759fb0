//! The watched folders of one connection: what a person can ask of them, and what they tell.
//!
//! Always true: what a person asks is durable when the call returns; each folder has one control task, which alone runs
//! its engine; dropping this stops nothing, its token does, and then everything ends within two seconds, to be taken up by
//! the next start. Nothing here ever touches a file except through a folder's engine. Not here: what is to be done
//! (`plan`), how (`engine`), and windows.

mod add;
mod clock;
mod conflicts;
mod control;
mod folder;
mod ground;
mod memory;
mod poll;
mod publish;
mod revert;
mod showing;
mod state;
mod telling;
mod wish;

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
pub use crate::sync::engine::Stage;
pub use crate::sync::journal::Scope;
pub use crate::sync::revert::{Figures, Left, Why as WhyLeft};
pub use conflicts::{Conflict, Keep, Seen, Side, Version};
pub use folder::{
    Author, Batch, Choices, DeletionRule, Draft, Folder, HistoryEntry, Mode, Need, Note, Preview, SeenBy, State,
    Target, What, Why,
};
pub use revert::{Refused, RevertPreview, Reverted};
pub use state::{FolderSettings, host_name};

pub use crate::sync::remote::search::{DriveMatch, DriveMatches};

use crate::shared::error::Error;
use crate::shared::journal::Journal;
use crate::shared::metered::{self, Metered};
use crate::shared::mutex::lock;
use crate::sync::remote::DriveIndex;
use showing::Watched;
use state::{FRAMING_BYTES, MOST_LISTED, Network, Shared, SizeLimits};
use wish::{Command, Wish};

/// Batches that a listener may be behind before it must list again.
const BATCHES_KEPT: usize = 64;
/// Whoever searches a drive that is not known yet waits so long before it is told what is known so far.
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
    /// Takes up every folder that is watched under this connection. The tasks are spawned on `tasks` and end within two
    /// seconds when `cancel` fires.
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
        memory::keep_little();
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
        Ok(Self { shared, batches })
    }

    /// Says what a first run would do. Looks at both sides, and changes neither.
    ///
    /// # Errors
    /// As [`Folders::add`].
    pub async fn preview(&self, draft: &Draft) -> Result<Preview, Error> {
        add::preview(&self.shared, draft).await
    }

    /// Begins to watch a folder; a new drive folder is made. The first look follows at once.
    ///
    /// # Errors
    /// [`Error::NotAFolder`], [`Error::InsideAnother`], [`Error::HeldElsewhere`], [`Error::DriveFolderTaken`],
    /// [`Error::DriveFolderGone`], [`Error::PatternRefused`]; [`Error::Service`] where the service answers otherwise or not
    /// at all; and what the journal fails with.
    pub async fn add(&self, draft: &Draft) -> Result<WatchId, Error> {
        add::add(&self.shared, draft).await
    }

    /// Every watched folder as it is now, the oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<Folder> {
        let rate = self.shared.requests_per_minute();
        self.shared.list_watched().iter().map(|watched| watched.snapshot(rate)).collect()
    }

    /// Stops a folder for now. What is on its way is dropped, and nothing of it is half there.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], [`Error::Stopped`], and what the journal fails with; so do all wishes below.
    pub async fn pause(&self, id: WatchId) -> Result<(), Error> {
        self.wish(id, Wish::Pause).await
    }

    /// Lets a paused folder go on.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn resume(&self, id: WatchId) -> Result<(), Error> {
        self.wish(id, Wish::Resume).await
    }

    /// Stops every folder for now.
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

    /// Looks at both sides now, the drive's whole lists included, and whether the cause of a wait is gone.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn look_again(&self, id: WatchId) -> Result<(), Error> {
        self.shared.hurry.notify_one();
        self.wish(id, Wish::LookAgain).await
    }

    /// Lets a folder go on with what it asks about ([`Need`]). The yes is good for what was asked and no more.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn consent(&self, id: WatchId) -> Result<(), Error> {
        self.wish(id, Wish::Consent).await
    }

    /// Says no to the deletions that a folder asks about: what was deleted here is kept in the drive; what was deleted in
    /// the drive is sent again.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn decline(&self, id: WatchId) -> Result<(), Error> {
        self.wish(id, Wish::Decline).await
    }

    /// Changes what was chosen for a folder. Nothing is deleted or sent by the change itself.
    ///
    /// # Errors
    /// As [`Folders::pause`], and [`Error::PatternRefused`].
    pub async fn change(&self, id: WatchId, choices: Choices) -> Result<(), Error> {
        add::check_patterns(&choices.ignore)?;
        self.wish(id, Wish::Change(choices)).await
    }

    /// Goes on with a folder where it is now. It has to be the same folder, or a copy that has nearly all of what both sides
    /// agreed on, at its place; of a copy nothing is agreed at first, so that what it lacks is deleted nowhere.
    ///
    /// # Errors
    /// As [`Folders::pause`]; [`Error::NotAFolder`], [`Error::FolderUnreadable`], [`Error::HeldElsewhere`],
    /// [`Error::InsideAnother`], [`Error::AnotherFolder`]. The folder is watched where it was then.
    pub async fn relocate(&self, id: WatchId, path: PathBuf) -> Result<(), Error> {
        let _one_at_a_time = self.shared.adding.lock().await;
        self.wish(id, Wish::Relocate(path)).await
    }

    /// Stops watching a folder, and forgets what was agreed about it and its history. No file is touched on either side.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn remove(&self, id: WatchId) -> Result<(), Error> {
        self.wish(id, Wish::Remove).await
    }

    /// Sends a file again that was deleted in the drive and is kept here ([`Why::OnlyHere`]); of a folder, all such files
    /// in it.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn send_again(&self, id: WatchId, path: &str) -> Result<(), Error> {
        self.wish(id, Wish::SendAgain(path.to_owned())).await
    }

    /// Lets the files be tried again that the service refused: the one at `path`, or those below it; all of the folder's
    /// where it is empty. A person asks so, or what was known of what the service takes is forgotten. Bytes that the
    /// service has by now are not sent again.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn try_refused_again(&self, id: WatchId, path: &str) -> Result<(), Error> {
        self.wish(id, Wish::TryRefused(path.to_owned())).await
    }

    /// The differences that stay, in the order of their paths; at most 1,000 at once.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], and what the journal fails with.
    pub async fn list_skipped(&self, id: WatchId, offset: u64, limit: u64) -> Result<Vec<Note>, Error> {
        self.find(id)?;
        self.shared.journal.list_notes(id, offset, limit.min(MOST_LISTED)).await
    }

    /// What happened, the last first, of one folder or of all; only what has `search` in its path, where that is not empty;
    /// at most 1,000 lines at once.
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

    /// The items of the whole drive whose names have every word of `text`, folders first; at most 1,000 of them. The service
    /// has no such question, so it is looked for in what was seen of the drive. The first time that has to be read, which
    /// takes a request for every 200 items: what is known after two seconds is told, and the reading goes on.
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

    /// Has the drive asked, by one task for all who wait, and waits for it a little.
    async fn learn_drive(&self) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        let Ok(turn) = Arc::clone(&shared.learning).try_lock_owned() else {
            // Whether it came to its end meanwhile shows in what is found.
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
            // It goes on, or the program ends.
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// Goes on with another client, above all with a new key for the same service.
    pub async fn set_client(&self, client: Client) {
        *lock(&self.shared.client) = client;
        self.shared.is_rate_known.store(false, Ordering::Relaxed);
        for watched in self.shared.list_watched() {
            // One that has ended has nothing to go on with.
            let _ = self.wish(watched.id, Wish::ClientChanged).await;
        }
        self.shared.hurry.notify_one();
    }

    /// Whether nothing is sent or fetched while the network is metered, from now on.
    pub fn set_pause_on_metered(&self, is_wanted: bool) {
        self.shared.set_network(|network| network.is_respected = is_wanted);
    }

    /// Listens to what changes. A listener that falls behind is told so by the channel, and lists again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Arc<Batch>> {
        self.batches.subscribe()
    }

    fn find(&self, id: WatchId) -> Result<Arc<Watched>, Error> {
        lock(&self.shared.watched).get(&id).cloned().ok_or(Error::UnknownFolder(id))
    }

    async fn wish(&self, id: WatchId, wish: Wish) -> Result<(), Error> {
        let watched = self.find(id)?;
        let (reply, answer) = oneshot::channel();
        watched.orders.send(Command { wish, reply }).await.map_err(|_| Error::Stopped)?;
        answer.await.map_err(|_| Error::Stopped)?
    }
}
