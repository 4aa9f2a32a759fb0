//! What is shown of a watched folder: its engine tells it several times a step, and people look at it ten times a
//! second at most.
//!
//! Always true: telling takes one short lock and never waits. There is no timer here. Not here: the listeners
//! (`publish.rs`).

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use easel_wire::Timestamp;
use tokio::sync::{Mutex as AsyncMutex, Notify, mpsc};
use tokio_util::sync::CancellationToken;

use super::clock::Nudged;
use super::command::Command;
use super::folder::{Folder, SeenBy, State};
use super::progress::RunProgress;
use super::revert::previewed::Previewed;
use crate::shared::causes::Waiting;
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::Journal;
use crate::shared::mutex::lock;
use crate::sync::engine::{EngineStatus, Stage};
use crate::sync::journal::Watch;
use crate::sync::remote::drive::Flow;

/// So many files that are still being written are listed by name.
const MOST_SETTLING: usize = 100;

/// A look at both sides that found nothing is shown at most so often, in microseconds, so that the time of the last
/// look is always known.
const LOOKS_TOLD_EVERY_US: i64 = 60_000_000;

/// Notes what changed, and wakes the publisher.
#[derive(Debug, Default)]
pub(super) struct ChangeNotifier {
    changed: Mutex<BTreeSet<WatchId>>,
    removed: Mutex<Vec<WatchId>>,
    has_history: AtomicBool,
    ring: Notify,
}

/// What changed since the publisher last looked.
#[derive(Debug, Default)]
pub(super) struct Notified {
    pub changed: BTreeSet<WatchId>,
    pub removed: Vec<WatchId>,
    pub has_history: bool,
}

impl ChangeNotifier {
    pub(super) fn note_changed(&self, id: WatchId) {
        lock(&self.changed).insert(id);
        self.ring.notify_one();
    }

    pub(super) fn note_removed(&self, id: WatchId) {
        lock(&self.removed).push(id);
        self.ring.notify_one();
    }

    pub(super) fn note_history(&self) {
        self.has_history.store(true, Ordering::Relaxed);
        self.ring.notify_one();
    }

    pub(super) async fn notified(&self) {
        self.ring.notified().await;
    }

    pub(super) fn take(&self) -> Notified {
        Notified {
            changed: std::mem::take(&mut *lock(&self.changed)),
            removed: std::mem::take(&mut *lock(&self.removed)),
            has_history: self.has_history.swap(false, Ordering::Relaxed),
        }
    }
}

/// A watched folder, as its control task and those who ask about it share it.
pub(super) struct Watched {
    pub id: WatchId,
    pub orders: mpsc::Sender<Command>,
    /// Ends its control task.
    pub cancel: CancellationToken,
    pub clock: Nudged,
    pub flow: Arc<Flow>,
    notifier: Arc<ChangeNotifier>,
    shown: Mutex<Shown>,
    /// Held while conflicts are counted, so that an older count is never shown after a newer one.
    counting: AsyncMutex<()>,
    /// How many undoings are under way. Until all have ended, every change is recorded under one run.
    pub is_one_run: Arc<AtomicUsize>,
    /// What the last preview of undoing found out.
    pub previewed: Mutex<Option<Previewed>>,
    /// The person gives up what is being undone.
    pub is_undoing_given_up: AtomicBool,
    pub undoing_given_up: Notify,
}

struct Shown {
    folder: Folder,
    run: RunProgress,
    /// The last complete look that listeners were told of.
    told_look: Option<Timestamp>,
}

impl Watched {
    pub(super) fn new(
        watch: &Watch,
        notifier: Arc<ChangeNotifier>,
        orders: mpsc::Sender<Command>,
        cancel: CancellationToken,
    ) -> Self {
        let folder = Folder {
            id: watch.id,
            path: watch.path.clone(),
            drive_folder_id: watch.drive_folder,
            drive_path: watch.drive_path.clone(),
            choices: watch.choices.clone(),
            state: if watch.is_paused { State::Paused } else { State::Starting },
            files: watch.sums.files,
            bytes: watch.sums.bytes,
            skipped_count: watch.sums.skipped,
            copies_here_alone: watch.sums.links,
            conflicts: watch.conflicts,
            last_looked_at: watch.sums.looked_at,
            looks_every_ms: None,
            settling: Vec::new(),
            seen_by: SeenBy::Watching,
            undoing: None,
        };
        Self {
            id: watch.id,
            orders,
            cancel,
            clock: Nudged::new(),
            flow: Arc::default(),
            notifier,
            shown: Mutex::new(Shown { folder, run: RunProgress::default(), told_look: None }),
            counting: AsyncMutex::default(),
            is_one_run: Arc::default(),
            previewed: Mutex::default(),
            is_undoing_given_up: AtomicBool::new(false),
            undoing_given_up: Notify::new(),
        }
    }

    /// Changes what is shown, and tells listeners where that made a difference.
    pub(super) fn show(&self, change: impl FnOnce(&mut Folder)) {
        let mut shown = lock(&self.shown);
        let before = shown.folder.clone();
        change(&mut shown.folder);
        let is_news = shown.folder != before;
        drop(shown);
        if is_news {
            self.notifier.note_changed(self.id);
        }
    }

    /// Shows how many conflicts the journal has now.
    pub(super) async fn show_conflicts(&self, journal: &Journal) -> Result<(), Error> {
        let _one_at_a_time = self.counting.lock().await;
        let count = journal.count_conflicts(self.id).await?;
        self.show(|folder| folder.conflicts = count);
        Ok(())
    }

    /// Shows a state that does not come from the engine.
    pub(super) fn show_state(&self, state: State) {
        if matches!(state, State::Looking | State::Settling | State::Waiting { .. }) {
            lock(&self.shown).run.interrupt();
        } else {
            lock(&self.shown).run = RunProgress::default();
        }
        self.show(|folder| folder.state = state);
    }

    /// Takes over the files and bytes that a preview announced for the coming run.
    pub(super) fn promise(&self, files: u64, bytes: u64) {
        lock(&self.shown).run.promise(files, bytes);
    }

    /// Notes that the drive was asked and has nothing new, while the system tells of local changes: so both sides were
    /// looked at, where they are the same.
    pub(super) fn note_look(&self, at: Timestamp) {
        let mut shown = lock(&self.shown);
        if shown.folder.state != State::UpToDate || shown.folder.last_looked_at >= Some(at) {
            return;
        }
        shown.folder.last_looked_at = Some(at);
        let is_old = |told: Timestamp| at.as_micros().saturating_sub(told.as_micros()) >= LOOKS_TOLD_EVERY_US;
        if shown.told_look.is_none_or(is_old) {
            shown.told_look = Some(at);
            drop(shown);
            self.notifier.note_changed(self.id);
        }
    }

    /// Takes in what the engine tells.
    pub(super) fn hear(&self, status: &EngineStatus) {
        match status {
            EngineStatus::Looking => {
                let shown = lock(&self.shown);
                // Between two plans of one run no state is shown, and a question stays shown while other files are
                // sent.
                let is_shown = !shown.run.is_working() && !matches!(shown.folder.state, State::NeedsYou { .. });
                drop(shown);
                if is_shown {
                    self.show(|folder| folder.state = State::Looking);
                }
            }
            EngineStatus::Settling(paths) => {
                let settling = paths.iter().take(MOST_SETTLING).cloned().collect();
                self.show(|folder| folder.settling = settling);
                self.show_state(State::Settling);
            }
            EngineStatus::Waiting { cause: Waiting::Moving, .. } => self.show_state(State::Looking),
            EngineStatus::Waiting { cause, .. } => self.show_state(State::Waiting { cause: cause.clone() }),
            EngineStatus::Working(progress) if progress.stage == Stage::Comparing => {}
            EngineStatus::Working(progress) => {
                let moved = self.flow.bytes.load(Ordering::Relaxed);
                lock(&self.shown).run.follow(progress, moved);
                self.notifier.note_changed(self.id);
            }
        }
    }

    /// Whether a plan is being carried out, so that the figures move.
    pub(super) fn is_working(&self) -> bool {
        lock(&self.shown).run.is_working()
    }

    /// Takes in the progress at a moment in milliseconds.
    pub(super) fn observe(&self, now_ms: u64) {
        let moved = self.flow.bytes.load(Ordering::Relaxed);
        let is_moving = self.flow.large_moving.load(Ordering::Relaxed) > 0;
        lock(&self.shown).run.observe(now_ms, moved, is_moving);
    }

    /// The folder as it is now.
    pub(super) fn snapshot(&self, requests_per_minute: Option<u32>) -> Folder {
        let moved = self.flow.bytes.load(Ordering::Relaxed);
        let shown = lock(&self.shown);
        let mut folder = shown.folder.clone();
        if let Some(state) = shown.run.state(moved, requests_per_minute) {
            folder.state = state;
        }
        folder
    }
}
