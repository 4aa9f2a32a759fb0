//! Notices when a watched folder may have changed, and tells its disk which folders in it.
//!
//! Always true: a folder is watched before it is read, so that no change falls between. Where the system cannot tell
//! what changed (its queue ran over, the computer slept, the folder was unmounted and is back, or now and then as a
//! precaution) everything is read again; where it cannot watch the whole folder, that is told and the folder is read
//! every so often. Changes of one moment are told together: an editor that writes a temporary file and renames it over
//! the old one causes one look, and ignored files cause none. The debouncer that goes with `notify` is not used: it
//! keeps every event and wakes up all the time, while only the folders are needed here, and a pause. Not here: looking
//! (`disk`).

#[cfg(all(test, target_os = "linux"))]
mod tests;

use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind, RenameMode};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::shared::planted::{Mutant, Planted};
use crate::sync::disk::{Dirty, LocalDisk, Observer, is_shared};
use crate::sync::ignored::FILE_NAME;
use crate::sync::ports::Disk as _;
use crate::sync::tree;

/// How a folder is watched. The defaults are meant for people's computers.
#[derive(Clone)]
pub struct WatchSettings {
    /// For so long no event may come before a change is told.
    pub pause: Duration,
    /// After so long a change is told although more events come.
    pub patience: Duration,
    /// How often it is checked whether the folder is there and whether the computer slept.
    pub check_every: Duration,
    /// How often everything is read although the system watches: it does not tell of writes through a memory mapping.
    pub whole_every: Duration,
    /// How long the computer has slept since it was started. If that jumps, events may be missing.
    pub slept: Arc<dyn Fn() -> Duration + Send + Sync>,
}

impl Default for WatchSettings {
    fn default() -> Self {
        Self {
            pause: Duration::from_millis(50),
            patience: Duration::from_millis(500),
            check_every: Duration::from_secs(5),
            whole_every: Duration::from_secs(3_600),
            slept: Arc::new(slept),
        }
    }
}

impl std::fmt::Debug for WatchSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WatchSettings").field("pause", &self.pause).finish_non_exhaustive()
    }
}

/// How changes are noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenBy {
    /// The system tells.
    Watching,
    /// Everything is read every so often.
    Polling(Reason),
}

/// Why the system does not tell of every change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The system watches no more folders for this user: on Linux `fs.inotify.max_user_watches`, or
    /// `max_user_instances`.
    #[error("the system watches no more folders")]
    LimitReached,
    /// Other computers, or other programs, change the file system without this system knowing.
    #[error("others change this file system unseen")]
    SharedDisk,
    /// The system cannot watch at all.
    #[error("the system cannot watch this folder")]
    NotPossible,
}

/// How often a folder with so many files is read where nobody tells what changed: every ten seconds, and for each
/// 100,000 files 20 seconds more, up to ten minutes.
#[must_use]
pub fn polling_interval(files: u64) -> Duration {
    Duration::from_millis(10_000_u64.saturating_add(files / 5).min(600_000))
}

/// See the module. When it is dropped, nothing is watched any more.
pub struct Watch {
    disk: LocalDisk,
    tap: Arc<Tap>,
    settings: WatchSettings,
    next_check: Instant,
    last_whole: Instant,
    slept: Duration,
    was_there: bool,
    /// Whether a change was heard of, and the pause is not over yet.
    is_told: bool,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("disk", &self.disk).finish_non_exhaustive()
    }
}

/// The receiver of the system's events.
struct Tap {
    root: PathBuf,
    /// `None` where the system cannot watch at all.
    watcher: Mutex<Option<RecommendedWatcher>>,
    told: Arc<Notify>,
    /// The code of a [`Reason`]; 0 for none.
    reason: Arc<AtomicU8>,
    /// The same before anything is watched.
    reason_at_first: u8,
    planted: Planted,
}

impl Watch {
    /// Begins to watch the folder of `disk`: each folder in it from the look that first reads it.
    #[must_use]
    pub fn start(disk: &LocalDisk, settings: WatchSettings) -> Self {
        let told = Arc::new(Notify::new());
        let reason = Arc::new(AtomicU8::new(0));
        let hear = {
            let (disk, told, reason) = (disk.clone(), Arc::clone(&told), Arc::clone(&reason));
            move |event| hear(&disk, &told, &reason, event)
        };
        let reason_at_first = if is_shared(disk.path()) { Reason::SharedDisk.code() } else { 0 };
        reason.store(reason_at_first, Ordering::Relaxed);
        let watcher = notify::recommended_watcher(hear);
        let watcher = Mutex::new(watcher.map_err(|error| note_reason(&reason, &error)).ok());
        let (root, planted) = (disk.path().to_owned(), disk.planted());
        let tap = Arc::new(Tap { root, watcher, told, reason, reason_at_first, planted });
        if !EACH_FOLDER {
            tap.watch(disk.path(), RecursiveMode::Recursive);
        }
        disk.set_observer(Some(Arc::clone(&tap) as Arc<dyn Observer>));
        let now = Instant::now();
        let (next_check, slept) = (now + settings.check_every, (settings.slept)());
        Self { disk: disk.clone(), tap, settings, next_check, last_whole: now, slept, was_there: true, is_told: false }
    }

    /// How changes are noticed, as of the last look.
    #[must_use]
    pub fn seen_by(&self) -> SeenBy {
        match Reason::of_code(self.tap.reason.load(Ordering::Relaxed)) {
            None => SeenBy::Watching,
            Some(reason) => SeenBy::Polling(reason),
        }
    }

    /// For how long a change can go unnoticed; where the system tells, only a change that it does not know of.
    #[must_use]
    pub fn looks_every(&self) -> Duration {
        match self.seen_by() {
            SeenBy::Watching => self.settings.whole_every,
            SeenBy::Polling(_) => polling_interval(self.disk.size().files).min(self.settings.whole_every),
        }
    }

    /// Waits until there is reason to look; by then the disk knows where. The call can be dropped at any time, and no
    /// change is lost.
    pub async fn next(&mut self) {
        while !self.is_told {
            tokio::select! {
                () = self.tap.told.notified() => self.is_told = true,
                () = tokio::time::sleep_until(self.next_check) => {
                    let is_there = self.disk.is_there().await;
                    self.next_check = Instant::now() + self.settings.check_every;
                    if self.is_all_dirty(is_there) {
                        self.disk.mark(Dirty::Everything);
                        return;
                    }
                }
            }
        }
        self.wait_for_pause().await;
        self.is_told = false;
    }

    async fn wait_for_pause(&self) {
        let told = Instant::now();
        while told.elapsed() < self.settings.patience {
            tokio::select! {
                () = self.tap.told.notified() => {}
                () = tokio::time::sleep(self.settings.pause) => return,
            }
        }
    }

    /// Whether everything has to be read again, after a check that found the folder there or not.
    fn is_all_dirty(&mut self, is_there: bool) -> bool {
        let slept = (self.settings.slept)();
        let has_slept = slept.saturating_sub(self.slept) > Duration::from_secs(1);
        let has_come_or_gone = is_there != self.was_there;
        (self.slept, self.was_there) = (slept, is_there);
        let since_whole = self.last_whole.elapsed();
        let is_due = is_there && since_whole >= self.looks_every();
        if since_whole >= self.settings.whole_every {
            // Other programs may have stopped watching: the coming look tries again.
            self.tap.reason.store(self.tap.reason_at_first, Ordering::Relaxed);
        }
        let is_all_dirty = has_slept || has_come_or_gone || is_due;
        if is_all_dirty {
            self.last_whole = Instant::now();
        }
        is_all_dirty
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.disk.set_observer(None);
        // The watcher's thread ends with it, and so does the last reference to the disk.
        drop(self.tap.watcher.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Whether folders are watched one by one, so that ignored ones are not. Elsewhere the system watches a whole tree at
/// once, and events of ignored folders are dropped.
const EACH_FOLDER: bool = cfg!(target_os = "linux");

impl Tap {
    fn watch(&self, folder: &Path, mode: RecursiveMode) {
        if self.reason.load(Ordering::Relaxed) == Reason::LimitReached.code() {
            return;
        }
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(watcher) = watcher.as_mut() else { return };
        if let Err(error) = watcher.watch(folder, mode) {
            match &error.kind {
                // The folder is gone again, or cannot be read: the present look finds that out.
                ErrorKind::PathNotFound => {}
                ErrorKind::Io(io)
                    if matches!(
                        io.kind(),
                        std::io::ErrorKind::PermissionDenied
                            | std::io::ErrorKind::NotFound
                            | std::io::ErrorKind::NotADirectory
                    ) => {}
                _ => note_reason(&self.reason, &error),
            }
        }
    }
}

impl Observer for Tap {
    fn enter(&self, folder: &str) {
        if EACH_FOLDER && (folder.is_empty() || !self.planted.is(Mutant::WatchesTheTop)) {
            self.watch(&self.root.join(folder), RecursiveMode::NonRecursive);
        }
    }
}

impl Reason {
    const fn code(self) -> u8 {
        match self {
            Self::LimitReached => 1,
            Self::SharedDisk => 2,
            Self::NotPossible => 3,
        }
    }

    const fn of_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::LimitReached),
            2 => Some(Self::SharedDisk),
            3 => Some(Self::NotPossible),
            _ => None,
        }
    }
}

fn note_reason(reason: &AtomicU8, error: &notify::Error) {
    tracing::warn!(%error, "not every change will be told");
    let is_limit = match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        // There are too many watchers, or too many open files.
        ErrorKind::Io(io) => is_limit(io),
        _ => false,
    };
    let code = if is_limit { Reason::LimitReached.code() } else { Reason::NotPossible.code() };
    reason.store(code, Ordering::Relaxed);
}

#[cfg(unix)]
fn is_limit(error: &std::io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE | Errno::NOSPC))
}

#[cfg(not(unix))]
fn is_limit(_error: &std::io::Error) -> bool {
    false
}

/// Marks the folders that an event is about.
fn hear(disk: &LocalDisk, told: &Notify, reason: &AtomicU8, event: notify::Result<Event>) {
    let dirty = match event {
        Ok(event) => dirty_by(disk, &event),
        Err(error) => {
            note_reason(reason, &error);
            Dirty::Everything
        }
    };
    if !dirty.is_nothing() {
        disk.mark(dirty);
        told.notify_one();
    }
}

/// The folders that may have changed by an event.
fn dirty_by(disk: &LocalDisk, event: &Event) -> Dirty {
    if event.need_rescan() {
        tracing::info!("events were lost: everything is looked through");
        return Dirty::Everything;
    }
    if matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write)) {
        return Dirty::nothing();
    }
    let is_deaf = match event.kind {
        EventKind::Modify(ModifyKind::Name(mode)) => {
            mode != RenameMode::From && disk.planted().is(Mutant::HearsHalfOfMoves)
        }
        EventKind::Modify(_) | EventKind::Access(_) => disk.planted().is(Mutant::HearsNoWriting),
        EventKind::Create(_) => disk.planted().is(Mutant::HearsNoMaking),
        EventKind::Remove(_) => disk.planted().is(Mutant::HearsNoRemoving),
        _ => false,
    };
    let mut dirty = Dirty::nothing();
    if is_deaf {
        return dirty;
    }
    for path in &event.paths {
        let Ok(below) = path.strip_prefix(disk.path()) else { continue };
        // An item without a Unicode name is never synced; a folder of such a name is not entered.
        let Some(path) = as_tree_path(below) else { continue };
        if path.is_empty() {
            dirty.add(Dirty::Folders([path].into()));
            continue;
        }
        // The file is hidden, but its patterns matter.
        let is_patterns = tree::name(&path) == FILE_NAME;
        if !is_patterns && disk.is_ignored(&path, false) {
            continue;
        }
        if is_patterns && tree::above(&path).any(|folder| !folder.is_empty() && disk.is_ignored(folder, true)) {
            continue;
        }
        let mut folders = std::collections::BTreeSet::from([tree::parent(&path).to_owned()]);
        if matches!(event.kind, EventKind::Modify(ModifyKind::Metadata(_) | ModifyKind::Any) | EventKind::Any) {
            // The path may be a folder that can be read by now, or no longer.
            folders.insert(path);
        }
        dirty.add(Dirty::Folders(folders));
    }
    dirty
}

fn as_tree_path(below: &Path) -> Option<String> {
    let names = below.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(names.collect::<Option<Vec<_>>>()?.join("/"))
}

/// How long the computer has slept since it was started: one clock goes on meanwhile, the other does not.
#[cfg(target_os = "linux")]
fn slept() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let read = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    let awake = read(ClockId::Monotonic);
    read(ClockId::Boottime).saturating_sub(awake)
}

/// By how much the wall clock has gone on more than the one that stands still while the computer sleeps. A clock that
/// is set looks like sleep, and costs a look.
#[cfg(not(target_os = "linux"))]
fn slept() -> Duration {
    use std::sync::LazyLock;
    use std::time::SystemTime;
    static START: LazyLock<(SystemTime, std::time::Instant)> =
        LazyLock::new(|| (SystemTime::now(), std::time::Instant::now()));
    let wall = START.0.elapsed().unwrap_or_default();
    wall.saturating_sub(START.1.elapsed())
}
