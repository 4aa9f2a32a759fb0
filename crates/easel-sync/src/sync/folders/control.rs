//! One watched folder's control task: opens the folder, looks when there is reason, runs the engine, and does what
//! people ask.
//!
//! Always true: the engine runs here and nowhere else, one run at a time; a command that changes what may be done drops
//! the run, which is as good as a crash and loses nothing; a command is durable before it is answered; whatever the folder
//! waits for, it goes on by itself when that is over. At rest only small trees stay in memory. Not here: what is shown
//! (`watched`), and when the drive is asked (`poll`).

mod back;
mod commands;
mod conflicts;
mod relocate;
mod run;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use easel_wire::Timestamp;
use tokio::sync::{mpsc, watch};

use super::clock::Nudged;
use super::command::Command;
use super::folder::{Need, Note, State, Why};
use super::from_engine::{line_of, need_of, note_of, waiting_for_store};
use super::locked_folder::LockedFolder;
use super::state::{LEAST_AT_ONCE, Shared, TRIMMED_ITEMS};
use super::watched::Watched;
use crate::shared::causes::Waiting;
use crate::shared::error::Error;
use crate::shared::memory;
use crate::shared::mutex::lock;
use crate::sync::disk::Ignored;
use crate::sync::disk::LocalDisk;
use crate::sync::engine::{Engine, FlatEngine, SETTLE_MS, StopReason};
use crate::sync::ignored::TRASH;
use crate::sync::journal::{Sums, SyncStateStore, Watch};
use crate::sync::plan::{self, DeletionRule, Guard};
use crate::sync::ports::Clock as _;
use crate::sync::remote::drive::ServiceDrive;

/// How many commands may wait for one folder.
const COMMANDS_QUEUED: usize = 16;
/// A folder that is not there, or held by another program, is tried again after so long.
const TRY_AGAIN: Duration = Duration::from_secs(5);
/// The first wait after the drive could not be asked; it doubles up to [`LAST_WAIT`].
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LAST_WAIT: Duration = Duration::from_secs(60);
/// How many notes of ignored items there are at most.
const MOST_IGNORED: usize = 10_000;

type FolderEngine = Engine<LocalDisk, ServiceDrive, SyncStateStore, Nudged>;
type FlatFolderEngine = FlatEngine<LocalDisk, ServiceDrive, SyncStateStore, Nudged>;

/// See the module.
pub(super) struct Control {
    shared: Arc<Shared>,
    watched: Arc<Watched>,
    watch: Watch,
    orders: mpsc::Receiver<Command>,
    state_store: SyncStateStore,
    ground: Option<LockedFolder>,
    engine: Option<FolderEngine>,
    /// The engine instead, while nothing happens and it has large trees.
    flat_engine: Option<FlatFolderEngine>,
    /// The engine's question when it last ran.
    asked: Option<Guard>,
    /// Whether a person declined: items that were deleted stay on the other side.
    is_declined: bool,
    is_due: bool,
    /// The index's cursor when the drive was last looked at.
    cursor: u64,
    wait: Duration,
    last_notes: Option<u64>,
    is_removed: bool,
    /// All senders of commands are gone.
    is_over: bool,
    metered: watch::Receiver<bool>,
    /// The folder as it was opened before this task began.
    began_with: Option<LockedFolder>,
}

/// Begins the control task of a folder.
pub(super) fn begin(shared: &Arc<Shared>, watch: Watch, ground: Option<LockedFolder>, promised: Option<(u64, u64)>) {
    let (orders, inbox) = mpsc::channel(COMMANDS_QUEUED);
    let watched = Arc::new(Watched::new(&watch, Arc::clone(&shared.notifier), orders, shared.cancel.child_token()));
    if let Some((files, bytes)) = promised {
        watched.promise(files, bytes);
    }
    lock(&shared.watched).insert(watch.id, Arc::clone(&watched));
    shared.notifier.note_changed(watch.id);
    let control = Control::new(Arc::clone(shared), watched, watch, inbox, ground);
    shared.tasks.spawn(control.run());
}

/// How a run ended.
enum Ended {
    Stopped(StopReason),
    /// A command interrupted it.
    Interrupted,
}

impl Control {
    pub(super) fn new(
        shared: Arc<Shared>,
        watched: Arc<Watched>,
        watch: Watch,
        orders: mpsc::Receiver<Command>,
        ground: Option<LockedFolder>,
    ) -> Self {
        let (index, notifier) = (Arc::clone(&shared.index), Arc::clone(&shared.notifier));
        let root = watch.drive_folder;
        let state_store = SyncStateStore::open(
            shared.journal.clone(),
            watch.id,
            shared.settings.clock.clone(),
            &shared.tasks,
            move |applied| {
                notifier.note_history();
                line_of(applied, |place| match index.path_of(place.folder) {
                    Some(path) if place.folder != root => format!("{path}/{}", place.name),
                    _ => place.name.clone(),
                })
            },
        );
        let metered = shared.metered.subscribe();
        Self {
            shared,
            watched,
            watch,
            orders,
            state_store,
            ground: None,
            engine: None,
            flat_engine: None,
            asked: None,
            is_declined: false,
            is_due: true,
            cursor: 0,
            wait: FIRST_WAIT,
            last_notes: None,
            is_removed: false,
            is_over: false,
            metered,
            began_with: ground,
        }
    }

    /// Runs until the folder is removed or the program ends.
    pub(super) async fn run(mut self) {
        let cancel = self.watched.cancel.clone();
        let end = cancel.clone();
        tokio::select! {
            biased;
            () = cancel.cancelled() => {}
            () = self.work() => {}
        }
        if self.is_removed {
            self.forget().await;
        }
        end.cancel();
    }

    async fn work(&mut self) {
        while !(self.is_removed || self.is_over) {
            if self.watch.is_paused {
                self.watched.show_state(State::Paused);
                self.let_go();
                self.handle_one().await;
                continue;
            }
            if *self.metered.borrow_and_update() {
                self.watched.show_state(State::Waiting { cause: Waiting::Metered });
                self.wait_for_metered().await;
                continue;
            }
            if self.ground.is_none() {
                match self.take_up().await {
                    Ok(()) => {}
                    Err(need) => {
                        self.watched.show_state(State::NeedsYou { need });
                        self.handle_within(TRY_AGAIN).await;
                    }
                }
                continue;
            }
            if std::mem::take(&mut self.is_due) {
                match self.run_engine().await {
                    Ended::Stopped(rest) => self.rest_with(rest).await,
                    Ended::Interrupted => self.is_due = true,
                }
            } else {
                self.wait_for_reason().await;
            }
        }
    }

    /// Opens the folder on this computer and locks it against other programs.
    async fn take_up(&mut self) -> Result<(), Need> {
        let ground = match self.began_with.take() {
            Some(ground) => ground,
            None => {
                let Watch { path, choices, root_identity, .. } = &self.watch;
                LockedFolder::take(path, choices, *root_identity, &self.shared.settings).await?
            }
        };
        if self.watch.root_identity.is_none() {
            let identity = ground.disk.identity();
            match self.shared.journal.record_root_identity(self.watch.id, identity).await {
                Ok(()) => self.watch.root_identity = Some(identity),
                Err(error) => tracing::warn!(%error, "which folder it is could not be written down yet"),
            }
        }
        self.ground = Some(ground);
        self.is_due = true;
        Ok(())
    }

    /// Closes and unlocks the folder, and frees its memory.
    fn let_go(&mut self) {
        self.forget_engine();
        self.ground = None;
        self.began_with = None;
    }

    async fn engine_settings(&self) -> plan::Settings {
        let choices = &self.watch.choices;
        let limits = self.shared.upload_limits().await;
        let is_kept = self.is_declined && matches!(self.asked, Some(Guard::ManyRemoteDeletions(_) | Guard::LocalEmpty));
        plan::Settings {
            mode: choices.mode,
            deletions: if is_kept { DeletionRule::Keep } else { choices.deletions },
            host_name: self.shared.settings.host_name.clone(),
            today: String::new(),
            direct_max_bytes: limits.direct_max_bytes,
            max_file_bytes: limits.max_file_bytes,
            at_once: self.shared.settings.slots.count().max(LEAST_AT_ONCE),
            planted: self.shared.settings.planted,
        }
    }

    /// Shows and writes down in which state the engine came to rest.
    async fn rest_with(&mut self, rest: StopReason) {
        match rest {
            StopReason::Done(notes) => {
                (self.asked, self.is_declined) = (None, false);
                if self.watched.is_one_run.load(Ordering::Relaxed) == 0 {
                    self.state_store.end_run();
                }
                if let Err(error) = self.forget_going_back().await {
                    tracing::warn!(%error, "that the person was asked could not be written down yet");
                }
                self.cursor = self.watched.flow.cursor.load(Ordering::Relaxed);
                let notes = self.notes_with_ignored(notes);
                if let Err(error) = self.record_look(&notes).await {
                    tracing::warn!(%error, "what a look came to could not be written down");
                }
                self.judge_conflicts().await;
                self.watched.show_state(self.resting_state());
                // Trimmed last: a person waits for what is shown, and nobody for this.
                if let Err(error) = self.trim_history().await {
                    tracing::warn!(%error, "the folder's history could not be cut to its length");
                }
                self.rest_in_memory().await;
            }
            StopReason::Asking(guard) => {
                self.asked = Some(guard);
                self.cursor = self.watched.flow.cursor.load(Ordering::Relaxed);
                self.watched.show_state(State::NeedsYou { need: need_of(guard) });
                self.rest_in_memory().await;
            }
            StopReason::RootMissing => {
                self.let_go();
                self.watched.show_state(State::NeedsYou { need: Need::FolderMissing });
                self.handle_within(TRY_AGAIN).await;
            }
            StopReason::StoreFailed(error) => {
                tracing::error!(%error, "the journal cannot be used");
                self.forget_engine();
                self.watched.show_state(State::Waiting { cause: waiting_for_store(error) });
                let wait = self.wait;
                self.wait = (wait * 2).min(LAST_WAIT);
                self.is_due = true;
                self.handle_within(wait).await;
            }
        }
    }

    fn notes_with_ignored(&self, notes: Vec<plan::Note>) -> Vec<Note> {
        let mut notes: Vec<Note> = notes.into_iter().map(note_of).collect();
        if let Some(ground) = &self.ground {
            let ignored = ground.disk.list_ignored(0, MOST_IGNORED);
            let (left_out, ignored): (Vec<_>, Vec<_>) =
                ignored.into_iter().partition(|(_, why)| *why == Ignored::ByDefault);
            notes.extend(ignored.into_iter().map(|(path, _)| Note { path, why: Why::Ignored }));
            let (_, unreadable) = ground.disk.skipped();
            notes.extend(unreadable.into_iter().map(|path| Note { path, why: Why::Unreadable }));
            let own_trash = ground.disk.has_own_trash().then(|| TRASH.to_owned());
            notes.extend(own_trash.map(|path| Note { path, why: Why::TrashHere }));
            notes.sort_by(|one, other| one.path.cmp(&other.path));
            notes.dedup_by(|one, other| one.path == other.path);
            let is_noted = |path: &String| notes.binary_search_by(|note| note.path.cmp(path)).is_ok();
            let others: Vec<String> =
                left_out.into_iter().map(|(path, _)| path).filter(|path| !is_noted(path)).collect();
            notes.extend(others.into_iter().map(|path| Note { path, why: Why::LeftOut }));
        }
        notes
    }

    /// The first folder below the watched one that could not be read.
    fn unread_part(&self) -> Option<String> {
        let (_, unreadable) = self.ground.as_ref()?.disk.skipped();
        unreadable.into_iter().next()
    }

    /// The state of a folder with nothing left to do.
    fn resting_state(&self) -> State {
        state_at_rest(self.shared.service.borrow().clone(), self.unread_part())
    }

    /// Whether files are still being written while a question is open: nobody else tells of these, because only the
    /// engine that has seen them knows.
    fn is_settling_beside_a_question(&self) -> bool {
        self.asked.is_some() && self.engine.as_ref().is_some_and(Engine::is_unfinished)
    }

    /// Writes down the result of a look, and shows it.
    async fn record_look(&mut self, notes: &[Note]) -> Result<(), Error> {
        let skipped = notes.iter().filter(|note| note.why != Why::LeftOut).count() as u64;
        let links = notes.iter().filter(|note| note.why == Why::Link).count() as u64;
        let mut sums = Sums { skipped, links, ..Sums::default() };
        if let Some(engine) = &self.engine {
            let agreed = engine.sum_agreed();
            (sums.files, sums.bytes) = (agreed.files, agreed.bytes);
        }
        // A look counts as complete where all of the folder could be read.
        sums.looked_at = match self.unread_part() {
            None => Some(Timestamp::from_micros(self.shared.settings.clock.now())),
            Some(_) => self.watched.snapshot(None).last_looked_at,
        };
        let mut hasher = DefaultHasher::new();
        for note in notes {
            (&note.path, std::mem::discriminant(&note.why)).hash(&mut hasher);
        }
        let digest = hasher.finish();
        let is_same = self.last_notes == Some(digest);
        let seen_by = self.ground.as_ref().map(LockedFolder::seen_by);
        self.watched.show(|folder| {
            folder.seen_by = seen_by.unwrap_or_else(|| folder.seen_by.clone());
            (folder.files, folder.bytes, folder.skipped_count) = (sums.files, sums.bytes, sums.skipped);
            folder.copies_here_alone = sums.links;
            folder.last_looked_at = sums.looked_at;
        });
        self.shared.journal.record_look(self.watch.id, sums, (!is_same).then_some(notes)).await?;
        self.last_notes = Some(digest);
        Ok(())
    }

    /// Keeps the history within its age and its rows.
    async fn trim_history(&self) -> Result<(), Error> {
        let settings = &self.shared.settings;
        let before = settings.clock.now().saturating_sub(crate::shared::clock::micros(settings.history_age));
        self.shared.journal.trim_conflicts(self.watch.id, before).await?;
        self.shared.journal.trim_folder_history(self.watch.id, settings.history_rows.max(1), before).await
    }

    /// Frees what large trees took.
    async fn rest_in_memory(&mut self) {
        let Some(engine) = &mut self.engine else { return };
        if engine.rest() <= TRIMMED_ITEMS {
            return;
        }
        // Beside an open question it is asked, again and again, whether files still change.
        let may_lie_flat = self.asked.is_none() || !engine.is_unfinished();
        self.shared.journal.shrink().await;
        let Some(ground) = &self.ground else { return };
        let Some(engine) = self.engine.take() else { return };
        let (disk, index) = (ground.disk.clone(), Arc::clone(&self.shared.index));
        let resting = tokio::task::spawn_blocking(move || {
            let is_scattered = disk.is_scattered();
            let resting = if may_lie_flat || is_scattered {
                let flat = engine.lay_flat();
                if is_scattered {
                    disk.while_flat(|| index.while_flat(memory::give_back));
                }
                if may_lie_flat { (None, Some(flat)) } else { (Some(flat.build()), None) }
            } else {
                (Some(engine), None)
            };
            // Building takes more than it leaves, and so does a look.
            memory::give_back();
            resting
        });
        // An engine that is lost is made anew, from what the journal has.
        (self.engine, self.flat_engine) = resting.await.unwrap_or_default();
    }

    /// Builds the engine that lies flat, if one does, before it is needed.
    async fn build_flat_engine(&mut self) {
        if let Some(flat) = self.flat_engine.take() {
            self.engine = tokio::task::spawn_blocking(move || flat.build()).await.ok();
        }
    }

    /// Has the next run begin with a new engine, from what the journal has.
    fn forget_engine(&mut self) {
        (self.engine, self.flat_engine) = (None, None);
    }

    /// Waits until something may have changed on either side, or a command comes.
    async fn wait_for_reason(&mut self) {
        let is_settling = self.is_settling_beside_a_question();
        let clock = self.watched.clock.clone();
        let is_resting = self.asked.is_none();
        // Subscribed first, so that no change is missed; the state so far is shown now.
        let mut service = self.shared.service.subscribe();
        if is_resting && self.ground.is_some() {
            self.watched.show_state(self.resting_state());
        }
        let unread = self.unread_part();
        let Some(ground) = &mut self.ground else { return };
        let index = &self.shared.index;
        let mut changes = index.changes();
        let (root, cursor) = (self.watch.drive_folder, self.cursor);
        loop {
            if index.is_changed_within(root, cursor) {
                self.is_due = true;
                return;
            }
            tokio::select! {
                biased;
                command = self.orders.recv() => {
                    match command {
                        Some(command) => self.handle(command).await,
                        None => self.is_over = true,
                    }
                    return;
                }
                _ = self.metered.changed() => return,
                () = ground.changed() => {
                    self.is_due = true;
                    return;
                }
                () = clock.wait_ms(SETTLE_MS), if is_settling => {
                    self.is_due = true;
                    return;
                }
                _ = changes.changed() => {}
                Ok(()) = service.changed() => {
                    let cause = service.borrow_and_update().clone();
                    if is_resting {
                        self.watched.show_state(state_at_rest(cause, unread.clone()));
                    }
                }
            }
        }
    }

    async fn wait_for_metered(&mut self) {
        tokio::select! {
            biased;
            command = self.orders.recv() => match command {
                Some(command) => self.handle(command).await,
                None => self.is_over = true,
            },
            _ = self.metered.changed() => {}
        }
    }

    async fn handle_one(&mut self) {
        match self.orders.recv().await {
            Some(command) => self.handle(command).await,
            None => self.is_over = true,
        }
    }

    /// Waits for `limit`, or less when the service is back. Returns whether a command came meanwhile.
    async fn handle_within(&mut self, limit: Duration) -> bool {
        let clock = self.watched.clock.clone();
        tokio::select! {
            biased;
            command = self.orders.recv() => {
                match command {
                    Some(command) => self.handle(command).await,
                    None => self.is_over = true,
                }
                true
            }
            () = clock.wait_ms(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)) => false,
        }
    }

    async fn handle(&mut self, command: Command) {
        let Command { command, reply } = command;
        let done = self.carry_out(command).await;
        // The asker may be gone; the command was carried out all the same.
        let _ = reply.send(done);
    }

    /// Forgets the folder once nothing of it is under way any more.
    async fn forget(&mut self) {
        self.let_go();
        // After this, what the last run handed in is written, and nothing follows.
        let _ = self.state_store.wait().await;
        match self.shared.journal.forget_watch(self.watch.id).await {
            Ok(()) => {
                lock(&self.shared.watched).remove(&self.watch.id);
                self.shared.notifier.note_removed(self.watch.id);
            }
            Err(error) => tracing::error!(%error, "a folder could not be forgotten; it will be there again"),
        }
    }
}

/// The state of a folder with nothing left to do. Up to date means that both sides were seen, and can be seen again.
fn state_at_rest(service: Option<Waiting>, unread_part: Option<String>) -> State {
    let cause = service.or_else(|| unread_part.map(|path| Waiting::PartUnreadable { path }));
    cause.map_or(State::UpToDate, |cause| State::Waiting { cause })
}
