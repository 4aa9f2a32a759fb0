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
mod showing;
mod telling;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use easel_client::{Client, Lane};
use easel_wire::uploads::{DIRECT_CEILING_BYTES, STORAGE_CEILING_BYTES};
use tokio::sync::{Mutex as AsyncMutex, Notify, broadcast, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use crate::causes::wait_after;
pub use crate::engine::Stage;
pub use conflicts::{Conflict, ConflictId, Keep, Seen, Side, Version};
pub use folder::{
    Batch, Choices, DeletionRule, Draft, Folder, HistoryEntry, Mode, Need, Note, Preview, SeenBy, State, Target,
    WatchId, What, Why,
};

pub use crate::remote::search::{DriveMatch, DriveMatches};

use crate::causes::Waiting;
use crate::error::Error;
use crate::journal::{Journal, Watch};
use crate::live::lock;
use crate::metered::{self, Metered};
use crate::places::Places;
use crate::planted::Planted;
use crate::remote::DriveIndex;
use crate::settings::Clock;
use crate::watch::WatchSettings;
use control::{Command, Control, Wish};
use ground::Ground;
use showing::{Bell, Watched};

/// Batches that a listener may be behind before it must list again.
const BATCHES_KEPT: usize = 64;
/// Rows of one list at most.
const MOST_LISTED: u64 = 1_000;
/// Wishes that may wait for one folder.
const WISHES_KEPT: usize = 16;
/// Steps that a folder carries out at the same time, where the places are fewer: most are one small request.
const LEAST_AT_ONCE: usize = 4;
/// Whoever searches a drive that is not known yet waits so long before it is told what is known so far.
const LEARNING_PATIENCE: Duration = Duration::from_secs(2);
/// Trees of so many items are kept while nothing happens.
const KEPT_ITEMS: usize = 50_000;
/// What frames a file in a multipart body at most: boundary, names, types.
const FRAMING_BYTES: u64 = 4_096;

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
    /// The trash that is used where the disk is the same, instead of the person's own.
    pub home_trash: Option<PathBuf>,
    /// How folders here are watched.
    pub watch: WatchSettings,
    /// Trees of more items than this are not kept in memory while nothing happens; they come back from the journal and the disk.
    #[doc(hidden)]
    pub kept_items: usize,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

impl Default for FolderSettings {
    fn default() -> Self {
        Self {
            places: Places::default(),
            host_name: host_name(),
            pause_on_metered: true,
            history_rows: 5_000,
            history_age: Duration::from_secs(90 * 24 * 3_600),
            clock: Clock::default(),
            home_trash: None,
            watch: WatchSettings::default(),
            kept_items: KEPT_ITEMS,
            planted: Planted::default(),
        }
    }
}

/// What this computer is called, for people.
#[must_use]
pub fn host_name() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let short = named.as_deref().unwrap_or_default().trim().split('.').next().unwrap_or_default();
    let readable: String =
        short.chars().filter(|sign| !sign.is_control() && !"/\\:".contains(*sign)).take(64).collect();
    if readable.is_empty() { "this computer".to_owned() } else { readable }
}

/// How large files may be, in bytes.
#[derive(Debug, Clone, Copy)]
struct SizeLimits {
    direct_max_bytes: u64,
    max_file_bytes: u64,
}

/// What is known of the network, and what a person wants of it.
#[derive(Debug, Clone, Copy)]
struct Network {
    is_metered: bool,
    is_respected: bool,
}

/// What the parts of a connection's folders share.
struct Shared {
    journal: Journal,
    connection_id: String,
    settings: FolderSettings,
    index: Arc<DriveIndex>,
    bell: Arc<Bell>,
    watched: Mutex<BTreeMap<WatchId, Arc<Watched>>>,
    /// One folder is added at a time, so that two never overlap.
    adding: AsyncMutex<()>,
    /// The files and bytes that a preview has promised for a folder that may be added, by its path.
    promised: Mutex<HashMap<PathBuf, (u64, u64)>>,
    /// Why the drive cannot be asked, where it cannot.
    service: watch::Sender<Option<Waiting>>,
    /// Whether nothing is to be moved because the network is metered.
    metered: watch::Sender<bool>,
    /// What makes it so: the network is, and a person wants it respected.
    network: Mutex<Network>,
    /// Held while the drive is asked for whoever searches it.
    learning: Arc<AsyncMutex<()>>,
    /// Has the drive asked at once.
    hurry: Notify,
    client: Mutex<Client>,
    limits: Mutex<SizeLimits>,
    is_rate_known: AtomicBool,
    cancel: CancellationToken,
    tasks: TaskTracker,
}

impl Shared {
    fn client(&self) -> Client {
        lock(&self.client).clone()
    }

    fn list_watched(&self) -> Vec<Arc<Watched>> {
        lock(&self.watched).values().cloned().collect()
    }

    /// The service's rate as it was last heard; `None` where it is not known or there is none.
    fn requests_per_minute(&self) -> Option<u32> {
        self.client().entitlements().requests_per_minute
    }

    /// How large files may be, as the service says, or as it last said.
    async fn upload_limits(&self) -> SizeLimits {
        match self.client().upload_limits().await {
            Ok(limits) => {
                let limits = SizeLimits {
                    direct_max_bytes: limits.max_direct_upload_bytes.saturating_sub(FRAMING_BYTES),
                    max_file_bytes: limits.max_file_bytes,
                };
                *lock(&self.limits) = limits;
                limits
            }
            Err(error) => {
                tracing::debug!(%error, "the limits of uploads are as they were");
                *lock(&self.limits)
            }
        }
    }

    fn set_network(&self, change: impl FnOnce(&mut Network)) {
        let mut network = lock(&self.network);
        change(&mut network);
        let is_paused = network.is_metered && network.is_respected;
        drop(network);
        self.metered.send_if_modified(|known| std::mem::replace(known, is_paused) != is_paused);
    }

    /// Asks the service for its rate, once: the budget is as large as it says.
    async fn learn_rate(&self) {
        if self.is_rate_known.load(Ordering::Relaxed) {
            return;
        }
        // In the lane of people: all else waits for it.
        match self.client().in_lane(Lane::Person).identify().await {
            Ok(_) => self.is_rate_known.store(true, Ordering::Relaxed),
            Err(error) => tracing::debug!(%error, "the rate is not known yet"),
        }
    }

    /// Ends all waits for something to pass.
    fn nudge_all(&self) {
        for watched in self.list_watched() {
            watched.clock.nudge();
        }
    }

    /// Begins the control task of a folder.
    fn take_up(self: &Arc<Self>, watch: Watch, ground: Option<Ground>, promised: Option<(u64, u64)>) {
        let (orders, inbox) = mpsc::channel(WISHES_KEPT);
        let watched = Arc::new(Watched::new(&watch, Arc::clone(&self.bell), orders, self.cancel.child_token()));
        if let Some((files, bytes)) = promised {
            watched.promise(files, bytes);
        }
        lock(&self.watched).insert(watch.id, Arc::clone(&watched));
        self.bell.note_changed(watch.id);
        let control = Control::new(Arc::clone(self), watched, watch, inbox, ground);
        self.tasks.spawn(control.run());
    }
}

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
            bell: Arc::default(),
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
            shared.take_up(watch, None, None);
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
