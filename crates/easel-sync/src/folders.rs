//! The watched folders of one connection: what a person can ask of them, and what they tell.
//!
//! Always true: what a person asks is durable when the call returns; each folder has one control task, which alone runs
//! its engine; dropping this stops nothing, its token does, and then everything ends within two seconds, to be taken up by
//! the next start. Nothing here ever touches a file except through a folder's engine. Not here: what is to be done
//! (`plan`), how (`engine`), and windows.

mod folder;

use std::time::Duration;

use easel_client::Client;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use folder::{
    Batch, Choices, DeletionRule, Draft, Folder, HistoryEntry, Mode, Need, Note, Preview, SeenBy, State, Target, WatchId,
    What, Why,
};

use crate::error::Error;
use crate::journal::Journal;
use crate::places::Places;
use crate::settings::Clock;

/// The choices that hold for all watched folders of a connection.
#[derive(Debug, Clone)]
pub struct FolderSettings {
    /// The places that transfers have at once. Take the queue's, so that both share them: [`crate::Queue::places`].
    pub places: Places,
    /// Stands in the names of conflicting files.
    pub host_name: String,
    /// Whether nothing is sent or fetched while the system says that the network is metered.
    pub pause_on_metered: bool,
    /// How many lines of history a folder keeps, at least one.
    pub history_rows: u64,
    /// How long a folder keeps them.
    pub history_age: Duration,
    /// The wall clock.
    pub clock: Clock,
}

impl Default for FolderSettings {
    fn default() -> Self {
        Self {
            places: Places::default(),
            host_name: "this computer".to_owned(),
            pause_on_metered: true,
            history_rows: 5_000,
            history_age: Duration::from_secs(90 * 24 * 3_600),
            clock: Clock::default(),
        }
    }
}

/// The watched folders of one connection. Cheap to clone.
#[derive(Clone)]
pub struct Folders {
    batches: broadcast::Sender<std::sync::Arc<Batch>>,
}

impl std::fmt::Debug for Folders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Folders").finish_non_exhaustive()
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
        let _ = (journal, client, connection_id, settings, cancel, tasks);
        Ok(Self { batches: broadcast::channel(16).0 })
    }

    /// Says what a first run would do. Looks at both sides, and changes neither.
    ///
    /// # Errors
    /// As [`Folders::add`].
    pub async fn preview(&self, draft: &Draft) -> Result<Preview, Error> {
        let _ = draft;
        Err(Error::Stopped)
    }

    /// Begins to watch a folder; a new drive folder is made. The first look follows at once.
    ///
    /// # Errors
    /// [`Error::NotAFolder`], [`Error::InsideAnother`], [`Error::HeldElsewhere`], [`Error::DriveFolderTaken`],
    /// [`Error::DriveFolderGone`], [`Error::PatternRefused`]; [`Error::Service`] where the service answers otherwise or not
    /// at all; and what the journal fails with.
    pub async fn add(&self, draft: &Draft) -> Result<WatchId, Error> {
        let _ = draft;
        Err(Error::Stopped)
    }

    /// Every watched folder as it is now, the oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<Folder> {
        Vec::new()
    }

    /// Stops a folder for now. What is on its way is dropped, and nothing of it is half there.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], [`Error::Stopped`], and what the journal fails with; so do all wishes below.
    pub async fn pause(&self, id: WatchId) -> Result<(), Error> {
        Err(Error::UnknownFolder(id))
    }

    /// Lets a paused folder go on.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn resume(&self, id: WatchId) -> Result<(), Error> {
        Err(Error::UnknownFolder(id))
    }

    /// Stops every folder for now.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn pause_all(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Lets every paused folder go on.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn resume_all(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Looks at both sides now, the drive's whole lists included, and whether the cause of a wait is gone.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn look_again(&self, id: WatchId) -> Result<(), Error> {
        Err(Error::UnknownFolder(id))
    }

    /// Lets a folder go on with what it asks about ([`Need`]). The yes is good for what was asked and no more.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn consent(&self, id: WatchId) -> Result<(), Error> {
        Err(Error::UnknownFolder(id))
    }

    /// Says no to the deletions that a folder asks about: what was deleted on one side comes back from the other, where
    /// the mode allows it, or is kept there.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn decline(&self, id: WatchId) -> Result<(), Error> {
        Err(Error::UnknownFolder(id))
    }

    /// Changes what was chosen for a folder. Nothing is deleted or sent by the change itself.
    ///
    /// # Errors
    /// As [`Folders::pause`], and [`Error::PatternRefused`].
    pub async fn change(&self, id: WatchId, choices: Choices) -> Result<(), Error> {
        let _ = choices;
        Err(Error::UnknownFolder(id))
    }

    /// Stops watching a folder, and forgets what was agreed about it and its history. No file is touched on either side.
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn remove(&self, id: WatchId) -> Result<(), Error> {
        Err(Error::UnknownFolder(id))
    }

    /// Sends a file again that was deleted in the drive and is kept here ([`Why::OnlyHere`]).
    ///
    /// # Errors
    /// As [`Folders::pause`].
    pub async fn send_again(&self, id: WatchId, path: &str) -> Result<(), Error> {
        let _ = path;
        Err(Error::UnknownFolder(id))
    }

    /// The differences that stay, in the order of their paths; at most 1,000 at once.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], and what the journal fails with.
    pub async fn list_skipped(&self, id: WatchId, offset: u64, limit: u64) -> Result<Vec<Note>, Error> {
        let _ = (offset, limit);
        Err(Error::UnknownFolder(id))
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
        let _ = (id, search, offset, limit);
        Ok(Vec::new())
    }

    /// Goes on with another client, above all with a new key for the same service.
    pub async fn set_client(&self, client: Client) {
        let _ = client;
    }

    /// Whether nothing is sent or fetched while the network is metered, from now on.
    pub fn set_pause_on_metered(&self, is_wanted: bool) {
        let _ = is_wanted;
    }

    /// Listens to what changes. A listener that falls behind is told so by the channel, and lists again.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<std::sync::Arc<Batch>> {
        self.batches.subscribe()
    }
}
