//! A watched folder on a real disk: the items in it, their changes since the last look, and the few calls that change
//! it.
//!
//! Always true: links are never followed and other file systems never entered, not even where someone puts a link in
//! the way; a folder that is not the one that was chosen (an empty mount point, another disk) is missing and not empty;
//! nothing is held open between two calls. Calls block on threads of their own; a call that is dropped comes to its end
//! there, and the next look waits for it. An observer says which folders changed ([`LocalDisk::mark`],
//! [`LocalDisk::set_observer`]), and then only those are read again. Not here: watching (`watch`), patterns
//! (`ignored`), deciding what to do (`plan`).

mod attributes;
mod content;
mod dirty;
mod effects;
mod failure;
#[cfg(unix)]
mod folder;
#[cfg(not(unix))]
#[path = "disk/folder_by_path.rs"]
mod folder;
mod item;
mod kept;
mod mount;
mod packed;
mod seen;
mod slot;
#[cfg(all(test, unix))]
mod tests;
mod trash;
mod trashed;
mod walk;
mod writers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use easel_client::Source;
use easel_wire::FileId;

pub use dirty::{Dirty, Observer};
pub use effects::partial;
pub(crate) use failure::cause;
pub(crate) use mount::is_shared;
pub use seen::{Ignored, Size};
pub(crate) use trashed::Trashed;

use crate::shared::clock::to_micros;
use crate::shared::planted::{Mutant, Planted};
use crate::sync::ignored::Rules;
use crate::sync::ports::{Disk, DiskError, DiskSeen, LocalSeen};
use crate::sync::tree::{ChangedUs, ContentHash, Local, LocalFile, LocalItem, Skipped, Stamp};
use effects::Opened;
use folder::Folder;
use seen::Snapshot;
use walk::{Walk, WalkError};

/// A file that is open for writing, but has not changed for this long, counts as written: office programs keep a
/// document open for as long as a person looks at it, and a saved document is to be sent.
const FRESH: Duration = Duration::from_secs(60);
/// Without an observer everything is read again, at most this share of the time.
const SHARE_OF_TIME: u32 = 10;
/// When the two clocks differ by more than this from one look to the next, the wall clock was set.
const CLOCKS_APART: Duration = Duration::from_millis(200);

/// Cursors are never the same in two disks of one process.
static NEXT_CURSOR: AtomicU64 = AtomicU64::new(1);
const CURSORS_EACH: u64 = 1 << 40;

/// Settings for looking at a watched folder.
#[derive(Debug, Clone, Default)]
pub struct DiskSettings {
    /// The person's own patterns, in the form of gitignore, one a line.
    pub ignore: String,
    /// The answer of [`LocalDisk::identity`] when the folder was chosen. A folder of another identity at the same path
    /// is refused.
    pub identity: Option<u64>,
    /// A trash to use in place of the person's own, where it is on the same file system.
    pub home_trash: Option<PathBuf>,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

/// See the module. Cheap to clone.
#[derive(Clone)]
pub struct LocalDisk {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    identity: u64,
    /// Whether other computers write to its file system without this system noticing.
    is_shared: bool,
    home_trash: Option<PathBuf>,
    state: Mutex<State>,
    dirty: Mutex<Dirty>,
    /// The rules as of the last look, for callers who ask while a look is under way.
    rules: RwLock<Rules>,
    observer: RwLock<Option<Arc<dyn Observer>>>,
    /// Whether the folder's own trash holds files, as of the last look at everything or the last file that was put
    /// there.
    has_trash: AtomicBool,
    /// The last time that the service's clock told, in microseconds since the epoch; nought where it told none.
    elsewhere_us: AtomicI64,
    /// The rights of new files, found out for the first fetched file.
    usual_rights: OnceLock<u32>,
    planted: Planted,
    /// See [`Turn`].
    calls: Arc<tokio::sync::RwLock<()>>,
}

struct State {
    seen: Snapshot,
    /// Files that were open for writing at the last look.
    writing: BTreeSet<String>,
    /// When everything was last read, and how long it took.
    last_whole: Option<(Instant, Duration)>,
    /// The last look, by both clocks; before the first, when the folder was opened.
    last_look: (Instant, SystemTime),
}

impl std::fmt::Debug for LocalDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalDisk").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

/// Which other calls a call has to wait for.
#[derive(Debug, Clone, Copy)]
enum Turn {
    /// For all that change the folder, also for one that was dropped.
    Alone,
    /// For those that have to be alone.
    Shared,
    /// For none: the call only looks at one item.
    Any,
}

/// When dropped, tells a thread that nobody waits for its result any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl LocalDisk {
    /// The folder at `path`, which is there. Blocking, for a moment.
    ///
    /// # Errors
    /// [`DiskError::RootMissing`] when there is no such folder, or another one than the settings say;
    /// [`DiskError::Denied`] when it cannot be listed.
    pub fn open(path: &Path, settings: DiskSettings) -> Result<Self, DiskError> {
        let path = path.canonicalize().map_err(|error| failure::cause_at_root(&error))?;
        let root = Folder::open(&path).map_err(|error| failure::cause_at_root(&error))?;
        let identity = root.look_at_self().map_err(|error| failure::cause_at_root(&error))?.stamp.identity;
        let is_any_taken = settings.planted.is(Mutant::TakesAnyFolder);
        if settings.identity.is_some_and(|expected| expected != identity) && !is_any_taken {
            return Err(DiskError::RootMissing);
        }
        let rules = Rules::new(&settings.ignore);
        let seen = Snapshot::new(rules.clone(), NEXT_CURSOR.fetch_add(CURSORS_EACH, Ordering::Relaxed));
        let inner = Inner {
            is_shared: is_shared(&path),
            path,
            identity,
            home_trash: settings.home_trash.or_else(trash::home),
            state: Mutex::new(State {
                seen,
                writing: BTreeSet::new(),
                last_whole: None,
                last_look: (Instant::now(), SystemTime::now()),
            }),
            dirty: Mutex::new(Dirty::Everything),
            rules: RwLock::new(rules),
            observer: RwLock::new(None),
            has_trash: AtomicBool::new(false),
            elsewhere_us: AtomicI64::new(0),
            usual_rights: OnceLock::new(),
            planted: settings.planted,
            calls: Arc::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The folder's path, without links in it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// The folder's identity, which stays through renames and remounts, and tells it from the empty folder that it is
    /// mounted on.
    #[must_use]
    pub fn identity(&self) -> u64 {
        self.inner.identity
    }

    /// The stamp of the whole file in a drive file's slot.
    ///
    /// # Errors
    /// [`DiskError::Changed`] when the slot has none.
    pub async fn stamp_fetched(&self, file: FileId) -> Result<Stamp, DiskError> {
        self.call(Turn::Any, move |inner, _| inner.opened()?.stamp_fetched(file)).await
    }

    /// The first `most_bytes` of the file at `path`, if its stamp is `stamp` before and after.
    ///
    /// # Errors
    /// [`DiskError::Changed`] where another file is there, or none; else what the system refuses.
    pub(crate) async fn read_beginning(
        &self,
        path: &str,
        stamp: Stamp,
        most_bytes: usize,
    ) -> Result<Vec<u8>, DiskError> {
        let path = path.to_owned();
        self.call(Turn::Any, move |inner, stop| content::beginning(&inner.root()?.0, &path, stamp, most_bytes, stop))
            .await
    }

    /// Puts at `path` what was written to [`partial`] of a slot: where nothing is, or in the place of the file that is still
    /// `replacing`, which goes to the trash. It is on the disk for good when this returns.
    ///
    /// # Errors
    /// As [`Disk::place_fetched`].
    pub(crate) async fn place_partial(
        &self,
        file: FileId,
        path: &str,
        replacing: Option<Stamp>,
    ) -> Result<(), DiskError> {
        let path = path.to_owned();
        self.touch(vec![path.clone()], move |opened| opened.place_partial(file, &path, replacing)).await
    }

    /// What the trashes of this computer hold that was in this folder, as far as that can be told.
    pub(crate) async fn list_trashed(&self) -> Result<Trashed, DiskError> {
        self.call(Turn::Any, move |inner, _| {
            Ok(trashed::list(&inner.path, &inner.root()?.0, inner.home_trash.as_deref()))
        })
        .await
    }

    /// See [`Planted`].
    pub(crate) fn planted(&self) -> Planted {
        self.inner.planted
    }

    /// Notes the time that the service's clock tells, in microseconds since the epoch. Files leave the folder's own
    /// trash only when both clocks say that their days are over.
    pub(crate) fn note_time_elsewhere(&self, at_us: i64) {
        self.inner.elsewhere_us.store(at_us, Ordering::Relaxed);
    }

    /// Whether the folder that was chosen is there.
    pub async fn is_there(&self) -> bool {
        self.call(Turn::Any, |inner, _| inner.root().map(drop)).await.is_ok()
    }

    /// Notes folders that may have changed: the next look reads them again.
    pub fn mark(&self, dirty: Dirty) {
        lock(&self.inner.dirty).add(dirty);
    }

    /// Keeps others from marking folders as long as the answer is held.
    #[cfg(test)]
    pub(crate) fn hold_marks(&self) -> impl Drop + use<'_> {
        lock(&self.inner.dirty)
    }

    /// Has `observer` told of each folder that is read, and relies from now on on its marks. With `None`, looks read
    /// everything again, though not all the time.
    pub fn set_observer(&self, observer: Option<Arc<dyn Observer>>) {
        *self.inner.observer.write().unwrap_or_else(PoisonError::into_inner) = observer;
        self.mark(Dirty::Everything);
    }

    /// Whether what the looks found is scattered in memory.
    pub(crate) fn is_scattered(&self) -> bool {
        lock(&self.inner.state).seen.is_scattered()
    }

    /// Runs `then` while what the looks found lies flat in memory (`flat`). Blocking, for some milliseconds.
    pub(crate) fn while_flat(&self, then: impl FnOnce()) {
        let mut state = lock(&self.inner.state);
        let flat = state.seen.lay_flat();
        then();
        state.seen.build(flat);
    }

    /// How much the last look found in the folder.
    #[must_use]
    pub fn size(&self) -> Size {
        lock(&self.inner.state).seen.size
    }

    /// The items of the last look that are never synced, by path, with the reason; and the folders that cannot be read.
    #[must_use]
    pub fn skipped(&self) -> (Vec<(String, Skipped)>, Vec<String>) {
        let state = lock(&self.inner.state);
        let skipped = state.seen.skipped.iter().map(|(path, why)| (path.clone(), *why)).collect();
        (skipped, state.seen.unreadable.iter().cloned().collect())
    }

    /// Whether the folder's own trash ([`crate::sync::ignored::TRASH`]) holds files, because the system's trash could
    /// not be had.
    #[must_use]
    pub fn has_own_trash(&self) -> bool {
        self.inner.has_trash.load(Ordering::Relaxed)
    }

    /// The ignored items of the last look, by path; at most 10,000 are named, all are counted
    /// ([`Size::ignored_by_default`], [`Size::ignored_by_pattern`]).
    #[must_use]
    pub fn list_ignored(&self, offset: usize, limit: usize) -> Vec<(String, Ignored)> {
        let state = lock(&self.inner.state);
        state.seen.ignored.iter().skip(offset).take(limit).map(|(path, why)| (path.clone(), why.clone())).collect()
    }

    /// Takes up a file that is sent at once, and then looks at it: a change before the look shows in the look. One
    /// afterwards shows while the file is sent, unless it is so small that it was read before the look.
    pub(crate) async fn open_to_send(
        &self,
        path: &str,
    ) -> Result<(Result<Source, easel_client::Error>, Option<LocalItem>), DiskError> {
        let (path, at) = (path.to_owned(), self.inner.path.join(path));
        self.call(Turn::Any, move |inner, _| {
            let opened = Source::open_and_read_blocking(at);
            Ok((opened, inner.look(&path)?))
        })
        .await
    }

    /// Runs `work` on a thread that may block, when its turn has come.
    async fn call<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce(&Inner, &AtomicBool) -> Result<T, DiskError> + Send + 'static,
    ) -> Result<T, DiskError> {
        let calls = Arc::clone(&self.inner.calls);
        let (alone, shared) = match turn {
            Turn::Alone => (Some(calls.write_owned().await), None),
            Turn::Shared => (None, Some(calls.read_owned().await)),
            Turn::Any => (None, None),
        };
        let inner = Arc::clone(&self.inner);
        let stop = StopOnDrop(Arc::default());
        let stopped = Arc::clone(&stop.0);
        let work = tokio::task::spawn_blocking(move || {
            let done = work(&inner, &stopped);
            drop((alone, shared));
            done
        });
        let done = work.await;
        drop(stop);
        done.unwrap_or(Err(DiskError::Refused))
    }

    /// Changes the folder, and marks the folders of `paths`.
    async fn touch<T: Send + 'static>(
        &self,
        paths: Vec<String>,
        work: impl FnOnce(&Opened<'_>) -> Result<T, DiskError> + Send + 'static,
    ) -> Result<T, DiskError> {
        self.call(Turn::Shared, move |inner, _| {
            let done = work(&inner.opened()?);
            // Marked also where the change failed: then there is reason to look.
            let folders = paths.iter().map(|path| crate::sync::tree::parent(path).to_owned());
            lock(&inner.dirty).add(Dirty::Folders(folders.collect()));
            done
        })
        .await
    }
}

impl Inner {
    /// The watched folder, if it is still the one that was chosen, and the file system that it is on.
    fn root(&self) -> Result<(Folder, u64), DiskError> {
        let root = Folder::open(&self.path).map_err(|error| failure::cause_at_root(&error))?;
        let seen = root.look_at_self().map_err(|error| failure::cause_at_root(&error))?;
        let is_it = seen.stamp.identity == self.identity || self.planted.is(Mutant::TakesAnyFolder);
        if is_it { Ok((root, seen.device)) } else { Err(DiskError::RootMissing) }
    }

    fn look(&self, path: &str) -> Result<Option<LocalItem>, DiskError> {
        let (root, _) = self.root()?;
        let found = folder::split(&root, path).and_then(|(folder, name)| folder.find(name));
        match found {
            Ok(item) => Ok(item.and_then(|item| item.as_local())),
            Err(error) if failure::is_gone(&error) => Ok(None),
            Err(error) => Err(cause(&error)),
        }
    }

    fn opened(&self) -> Result<Opened<'_>, DiskError> {
        let (root, _) = self.root()?;
        let (home_trash, has_trash) = (self.home_trash.as_deref(), &self.has_trash);
        let (elsewhere_us, usual_rights) = (self.elsewhere(), &self.usual_rights);
        Ok(Opened { path: &self.path, root, home_trash, has_trash, elsewhere_us, usual_rights })
    }

    /// The last time that the service's clock told.
    fn elsewhere(&self) -> Option<i64> {
        Some(self.elsewhere_us.load(Ordering::Relaxed)).filter(|at| *at != 0)
    }

    fn look_around(&self, since: Option<u64>, most: usize, stop: &AtomicBool) -> Result<DiskSeen, DiskError> {
        let (root, device) = self.root()?;
        let mut state = lock(&self.state);
        let state = &mut *state;
        let observer = self.observer.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut dirty = std::mem::replace(&mut *lock(&self.dirty), Dirty::nothing());
        if observer.is_none() && state.last_whole.is_none_or(|(at, took)| at.elapsed() >= took * SHARE_OF_TIME) {
            dirty = Dirty::Everything;
        }
        if !dirty.is_nothing() {
            let began = Instant::now();
            let now_us = self.trusted_time(&mut state.last_look);
            let walk = Walk::new(&root, device, &mut state.seen, observer.as_deref(), stop);
            let walked = walk.judge_stillness_at(now_us).plant(self.planted).run(&dirty);
            if self.planted.is(Mutant::DropsMarks) {
                *lock(&self.dirty) = Dirty::nothing();
            }
            if let Err(error) = walked {
                // Folders that were read before stay known, and those that were not read yet stay marked.
                lock(&self.dirty).add(Dirty::Everything);
                return Err(match error {
                    WalkError::Stopped => DiskError::Refused,
                    WalkError::Root(error) => failure::cause_at_root(&error),
                });
            }
            if dirty == Dirty::Everything {
                self.has_trash.store(kept::tidy(&root, self.elsewhere()), Ordering::Relaxed);
                state.last_whole = Some((Instant::now(), began.elapsed()));
            }
            *self.rules.write().unwrap_or_else(PoisonError::into_inner) = state.seen.rules.clone();
        }
        // If the folder was unmounted meanwhile, the walk read the mount point instead.
        self.root()?;
        self.look_for_writers(state);
        Ok(answer(state, since, most))
    }

    /// The files directly in a folder, by path, as the last look saw them.
    fn list_files(&self, folder: &str) -> BTreeMap<String, LocalFile> {
        let state = lock(&self.state);
        let mut files = state.seen.list_files(folder);
        for (path, file) in &mut files {
            file.is_settled = !state.writing.contains(path);
        }
        files
    }

    /// The time against which a file system's own times tell how long a file has stood still, in microseconds since the
    /// epoch. `None` where other computers write to the disk by clocks of their own, and where the clock was set since
    /// the last look, or the computer slept: then a file that is new to this look may be older or newer than its times
    /// say.
    fn trusted_time(&self, last_look: &mut (Instant, SystemTime)) -> Option<i64> {
        let now = (Instant::now(), SystemTime::now());
        let (before, wall_before) = std::mem::replace(last_look, now);
        let passed = now.0.saturating_duration_since(before);
        let wall_passed = now.1.duration_since(wall_before).ok()?;
        let is_steady = passed.abs_diff(wall_passed) <= CLOCKS_APART;
        (is_steady && !self.is_shared).then(|| to_micros(now.1))
    }

    /// Notes which files that just changed are still open for writing, and which no longer are.
    fn look_for_writers(&self, state: &mut State) {
        let now = SystemTime::now();
        let fresh = to_micros(now - FRESH)..to_micros(now + FRESH);
        if state.writing.is_empty() && !state.seen.has_fresh(fresh.start) {
            return;
        }
        let mut writing = writers::open_for_writing(&self.path);
        writing.retain(|path| match state.seen.find(path) {
            Some(LocalItem::File(file)) => fresh.contains(&file.stamp.modified_us),
            _ => false,
        });
        for path in writing.symmetric_difference(&state.writing) {
            state.seen.note(path);
        }
        state.writing = writing;
    }
}

fn answer(state: &mut State, since: Option<u64>, most: usize) -> DiskSeen {
    let writing = &state.writing;
    let mark = |path: &str, item: &mut LocalItem| {
        if let LocalItem::File(file) = item {
            file.is_settled = !writing.contains(path);
        }
    };
    if let Some((cursor, mut items)) = since.and_then(|since| state.seen.since(since)) {
        for (path, item) in &mut items {
            if let Some(item) = item {
                mark(path, item);
            }
        }
        let (unreadable, skipped) = (state.seen.unreadable.clone(), state.seen.skipped.clone());
        return DiskSeen { cursor, local: LocalSeen::Changes { items, unreadable, skipped } };
    }
    if state.seen.size.files + state.seen.size.folders > most as u64 {
        let (cursor, local) = state.seen.folders();
        return DiskSeen { cursor, local: LocalSeen::Folders(local) };
    }
    let (cursor, mut local): (u64, Local) = state.seen.whole();
    for path in writing {
        if let Some(item) = local.items.get_mut(path) {
            mark(path, item);
        }
    }
    DiskSeen { cursor, local: LocalSeen::Whole(local) }
}

/// Locks, also after a thread panicked: its state is still whole, and the next look reads what is missing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Disk for LocalDisk {
    async fn look_around(&self, since: Option<u64>, most: usize) -> Result<DiskSeen, DiskError> {
        self.call(Turn::Alone, move |inner, stop| inner.look_around(since, most, stop)).await
    }

    async fn list_files(&self, folder: &str) -> Result<BTreeMap<String, LocalFile>, DiskError> {
        let folder = folder.to_owned();
        self.call(Turn::Alone, move |inner, _| Ok(inner.list_files(&folder))).await
    }

    fn doubt(&self) {
        if !self.inner.planted.is(Mutant::ForgetsTheTop) {
            self.mark(Dirty::Everything);
        }
    }

    fn is_ignored(&self, path: &str, is_folder: bool) -> bool {
        self.inner.rules.read().unwrap_or_else(PoisonError::into_inner).is_ignored(path, is_folder)
    }

    async fn look(&self, path: &str) -> Result<Option<LocalItem>, DiskError> {
        let path = path.to_owned();
        self.call(Turn::Any, move |inner, _| inner.look(&path)).await
    }

    async fn hash(&self, path: &str, stamp: &Stamp) -> Result<ContentHash, DiskError> {
        let (path, stamp) = (path.to_owned(), *stamp);
        self.call(Turn::Any, move |inner, stop| content::hash(&inner.root()?.0, &path, stamp, stop)).await
    }

    async fn make_folder(&self, path: &str) -> Result<u64, DiskError> {
        let path = path.to_owned();
        self.touch(vec![path.clone()], move |opened| opened.make_folder(&path)).await
    }

    async fn rename(&self, from: &str, to: &str, identity: u64) -> Result<(), DiskError> {
        let paths = vec![from.to_owned(), to.to_owned()];
        let moved = (from.to_owned(), to.to_owned());
        self.touch(paths, move |opened| opened.rename(&moved.0, &moved.1, identity)).await?;
        lock(&self.inner.state).seen.note_moved(from, to);
        Ok(())
    }

    async fn trash(&self, path: &str, stamp: &Stamp) -> Result<(), DiskError> {
        let (path, stamp) = (path.to_owned(), *stamp);
        self.touch(vec![path.clone()], move |opened| opened.trash(&path, stamp)).await
    }

    async fn remove_folder(&self, path: &str) -> Result<(), DiskError> {
        let path = path.to_owned();
        self.touch(vec![path.clone()], move |opened| opened.remove_folder(&path)).await
    }

    fn slot(&self, file: FileId) -> PathBuf {
        // Where the watched folder is away, or another stands in its place, no folder of slots is made.
        let root = self.inner.root().ok().map(|(root, _)| root);
        effects::slot(&self.inner.path, root.as_ref(), file)
    }

    async fn fetched(&self) -> Result<Vec<(FileId, Stamp)>, DiskError> {
        self.call(Turn::Alone, |inner, _| inner.opened()?.fetched()).await
    }

    async fn discard_fetched(&self, files: &[FileId]) -> Result<(), DiskError> {
        let files = files.to_vec();
        self.call(Turn::Alone, move |inner, _| inner.opened()?.discard(&files)).await
    }

    async fn place_fetched(&self, file: FileId, path: &str, replacing: Option<Stamp>) -> Result<ChangedUs, DiskError> {
        let path = path.to_owned();
        self.touch(vec![path.clone()], move |opened| opened.place(file, &path, replacing)).await
    }
}
