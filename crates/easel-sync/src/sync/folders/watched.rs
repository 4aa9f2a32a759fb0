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
use super::revert::previewed::Previewed;
use crate::shared::causes::Waiting;
use crate::shared::error::Error;
use crate::shared::estimate::LimitedBy;
use crate::shared::estimate::{Rate, RemainingWork, Speeds, estimate};
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, LARGE_BYTES};
use crate::shared::mutex::lock;
use crate::sync::engine::{EngineStatus, Progress, Stage};
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
    work: Option<RunningPlan>,
    /// Files sent and fetched since both sides last rested.
    run: Run,
    /// The last complete look that listeners were told of.
    told_look: Option<Timestamp>,
}

/// The files of one run, which may take several plans: some folders have to be made first, a limit has to pass, a copy
/// waits for its original. People count files, not plans.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    /// The progress that the last plan told, if it sends or fetches.
    last: Option<Progress>,
    /// Files of earlier plans that have ended.
    files: u64,
    bytes: u64,
    /// Files and bytes that a preview announced; any above that are counted as well.
    promised: (u64, u64),
}

impl Run {
    fn follow(&mut self, progress: &Progress) {
        let is_next = self.last.is_some_and(|last| !is_same_plan(&last, progress));
        if let Some(last) = self.last.filter(|_| is_next) {
            self.files += last.done;
            self.bytes += last.bytes_done;
        }
        if progress.stage == Stage::Transferring {
            self.last = Some(*progress);
        } else if is_next {
            self.last = None;
        }
    }
}

/// A plan that is being carried out.
struct RunningPlan {
    progress: Progress,
    /// The bytes that had moved when the plan began.
    moved_before: u64,
    rates: Rates,
}

#[derive(Debug, Clone, Copy)]
struct Rates {
    /// The speed that is shown.
    bytes: Rate,
    /// The connection's speed while a large file is half over: small files say nothing about it.
    capacity: Rate,
    /// Thousandths of the plan's steps: those of another stage say nothing about it.
    steps: Rate,
    was_moving: bool,
}

impl Default for Rates {
    fn default() -> Self {
        Self { bytes: Rate::default(), capacity: Rate::steady(), steps: Rate::steady(), was_moving: false }
    }
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
            shown: Mutex::new(Shown { folder, work: None, run: Run::default(), told_look: None }),
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
        let mut shown = lock(&self.shown);
        shown.work = None;
        if !matches!(state, State::Looking | State::Settling | State::Waiting { .. }) {
            shown.run = Run::default();
        }
        drop(shown);
        self.show(|folder| folder.state = state);
    }

    /// Takes over the files and bytes that a preview announced for the coming run.
    pub(super) fn promise(&self, files: u64, bytes: u64) {
        lock(&self.shown).run.promised = (files, bytes);
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
                let is_shown = shown.work.is_none() && !matches!(shown.folder.state, State::NeedsYou { .. });
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
                let mut shown = lock(&self.shown);
                shown.run.follow(progress);
                match &mut shown.work {
                    Some(work) if is_same_plan(&work.progress, progress) => work.progress = *progress,
                    Some(work) => {
                        (work.progress, work.moved_before) = (*progress, moved);
                        work.rates.steps = Rate::steady();
                    }
                    None => {
                        let rates = Rates::default();
                        shown.work = Some(RunningPlan { progress: *progress, moved_before: moved, rates });
                    }
                }
                drop(shown);
                self.notifier.note_changed(self.id);
            }
        }
    }

    /// Whether a plan is being carried out, so that the figures move.
    pub(super) fn is_working(&self) -> bool {
        lock(&self.shown).work.is_some()
    }

    /// Takes in the progress at a moment in milliseconds.
    pub(super) fn observe(&self, now_ms: u64) {
        let moved = self.flow.bytes.load(Ordering::Relaxed);
        let is_moving = self.flow.large_moving.load(Ordering::Relaxed) > 0;
        let mut shown = lock(&self.shown);
        let Some(work) = &mut shown.work else { return };
        let steps = work.thousandths_done(moved);
        let rates = &mut work.rates;
        rates.bytes.observe(now_ms, moved);
        if is_moving && rates.was_moving {
            rates.capacity.observe(now_ms, moved);
        } else {
            rates.capacity.skip(now_ms, moved);
        }
        rates.was_moving = is_moving;
        rates.steps.observe(now_ms, steps);
    }

    /// The folder as it is now.
    pub(super) fn snapshot(&self, requests_per_minute: Option<u32>) -> Folder {
        let moved = self.flow.bytes.load(Ordering::Relaxed);
        let shown = lock(&self.shown);
        let mut folder = shown.folder.clone();
        if let Some(work) = &shown.work {
            folder.state = work.state(moved, requests_per_minute, &shown.run);
        }
        folder
    }
}

impl RunningPlan {
    /// Bytes of the plan's files that have moved, those of unfinished files included.
    fn bytes_done(&self, moved: u64) -> u64 {
        let Progress { bytes_done, bytes_total, .. } = self.progress;
        bytes_done.max(moved.saturating_sub(self.moved_before)).min(bytes_total)
    }

    /// Steps that are done, in thousandths. A file that is half over counts half: else several files that are sent side
    /// by side and end at one moment would look like no progress, and then like much.
    fn thousandths_done(&self, moved: u64) -> u64 {
        let Progress { done, total, bytes_done, bytes_total, .. } = self.progress;
        let under_way = self.bytes_done(moved).saturating_sub(bytes_done);
        let each = bytes_total.checked_div(total).unwrap_or_default().max(1);
        let left = total.saturating_sub(done).saturating_mul(1_000);
        done.saturating_mul(1_000).saturating_add((under_way.saturating_mul(1_000) / each).min(left))
    }

    fn state(&self, moved: u64, requests_per_minute: Option<u32>, run: &Run) -> State {
        let Progress { stage, mut done, mut total, mut bytes_total, .. } = self.progress;
        let mut bytes_done = self.bytes_done(moved);
        let steps_left = total.saturating_mul(1_000).saturating_sub(self.thousandths_done(moved)).div_ceil(1_000);
        let bytes_left = bytes_total - bytes_done;
        let is_large = bytes_left.checked_div(steps_left).is_some_and(|each| each > LARGE_BYTES);
        let (small_files, large_files) = if is_large { (0, steps_left) } else { (steps_left, 0) };
        let speeds = Speeds {
            bytes_per_second: self.rates.capacity.per_second(),
            small_files_per_second: self.rates.steps.per_second().map(|rate| rate / 1_000.0).filter(|rate| *rate > 0.0),
            requests_per_minute,
        };
        let (time_left_ms, limited_by) = match stage {
            // The stages after this one are not known yet.
            stage if stage != Stage::Transferring => (None, LimitedBy::Nothing),
            _ => estimate(RemainingWork { bytes: bytes_left, small_files, large_files }, speeds),
        };
        let bytes_per_second = self.rates.bytes.whole();
        if stage == Stage::Transferring {
            (done, total) = (done + run.files, (total + run.files).max(run.promised.0));
            (bytes_done, bytes_total) = (bytes_done + run.bytes, (bytes_total + run.bytes).max(run.promised.1));
        }
        State::Working { stage, done, total, bytes_done, bytes_total, bytes_per_second, time_left_ms, limited_by }
    }
}

/// Whether the second report is a later one of the same plan.
fn is_same_plan(before: &Progress, now: &Progress) -> bool {
    before.stage == now.stage
        && before.total == now.total
        && before.bytes_total == now.bytes_total
        && before.done <= now.done
}
