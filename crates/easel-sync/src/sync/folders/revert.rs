//! Undoing changes of a folder: one, those of a run, or all since a moment. Looked through first, in numbers, and then done.
//!
//! Always true: nothing is done but what was shown: where it would be something else by now, nothing is done at all; nothing is
//! overwritten and nothing deleted for good: what a file held goes to the trash, and a file that was changed since it was shown
//! keeps its place, the earlier content coming beside it. All of it is what a person could do by hand, in the folder and with
//! the drive's trash: the folder's engine sees it afterwards, sends and fetches it as any other change, and writes it down, so
//! that it can be undone as well. All of it is written down before anything is done, so that what is cut off is carried on. Not here:
//! which acts undo a change (`sync/revert`), where contents are (`revert/sources`), and the doing (`revert/running`).

mod doing;
pub(super) mod previewed;
mod running;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use easel_wire::Timestamp;
use sha2::{Digest as _, Sha256};

use self::previewed::Previewed;
use super::conflicts::take_turn;
use super::folder::{Author, Mode};
use super::{Folders, WatchId};
use crate::shared::error::Error;
use crate::shared::mutex::lock;
use crate::sync::conflicts::of_disk;
use crate::sync::disk::LocalDisk;
use crate::sync::journal::Scope;
use crate::sync::ports::{Disk as _, LocalSeen};
use crate::sync::revert::{Figures, Item, Items, Kind, Left, Plan, Sources, Undoing};
use crate::sync::tree::{LocalItem, Record};

/// So many paths of what is left or lost are named; all are counted.
const MOST_NAMED: usize = 200;

/// What comes of undoing is noticed by the engine within this time, and is of one run of the history: so it can be undone at once.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(30);

/// Changes are being undone, or just were.
struct OneRun(Arc<AtomicUsize>);

impl OneRun {
    fn begin(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for OneRun {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What undoing would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevertPreview {
    /// Changes that it is about.
    pub changes: u64,
    /// What will be done, and what nothing holds any more.
    pub figures: Figures,
    /// What cannot be undone and stays as it is; the first 200.
    pub left: Vec<Left>,
    /// How many that are in all.
    pub left_count: u64,
    /// Paths whose content neither trash nor versions hold; the first 200.
    pub lost: Vec<String>,
    /// Names all of this for [`Folders::revert`].
    pub seen: String,
}

/// An act that was not done.
#[derive(Debug)]
pub struct Refused {
    /// The path.
    pub path: String,
    /// Why.
    pub error: Error,
}

/// What became of undoing.
#[derive(Debug)]
pub struct Reverted {
    /// Acts that were done.
    pub done: u64,
    /// Those that were not.
    pub refused: Vec<Refused>,
}

/// What is to be done.
struct WorkedOut {
    plan: Plan,
    changes: u64,
    sources: Sources,
}

impl WorkedOut {
    fn seen(&self) -> String {
        let digest = Sha256::digest(format!("{:?}{:?}", self.plan.acts, self.plan.lost).as_bytes());
        data_encoding::HEXLOWER.encode(&digest[..16])
    }
}

impl Folders {
    /// The earliest moment that a folder can go back to; `None` while nothing is known of it.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], and what the journal fails with.
    pub async fn find_reach(&self, id: WatchId) -> Result<Option<Timestamp>, Error> {
        self.find(id)?;
        self.shared.journal.find_reach(id).await
    }

    /// Says what undoing changes would do. Both sides are looked at, and neither is changed. The folder is read anew, and so are
    /// files of the trash that may hold what has to come back.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`]; [`Error::Disk`] where the folder is not there or cannot be read; [`Error::Service`] where the
    /// drive has to be asked what it holds and does not answer; and what the journal fails with.
    pub async fn preview_revert(&self, id: WatchId, scope: Scope) -> Result<RevertPreview, Error> {
        let worked_out = self.work_out(id, scope, None).await?;
        let seen = worked_out.seen();
        let previewed = Previewed { scope, seen: seen.clone(), sources: worked_out.sources };
        *lock(&self.find(id)?.previewed) = Some(previewed);
        let Plan { mut left, mut lost, figures, .. } = worked_out.plan;
        let left_count = left.len() as u64;
        left.truncate(MOST_NAMED);
        lost.truncate(MOST_NAMED);
        Ok(RevertPreview { changes: worked_out.changes, figures, left, left_count, lost, seen })
    }

    /// Undoes changes, as long as that is what was shown: `seen` is of the preview. What comes back in the drive comes here with
    /// the next look, and what comes back here goes to the drive. It is written down before anything is done: where the program
    /// ends midway, the next start carries it on; while the service or the folder is away, it waits.
    ///
    /// # Errors
    /// As [`Folders::preview_revert`], and [`Error::ChangedSinceShown`], without a path: nothing was done. [`Error::Stopped`] where
    /// the program ends meanwhile.
    pub async fn revert(&self, id: WatchId, scope: Scope, seen: &str) -> Result<Reverted, Error> {
        let watched = self.find(id)?;
        let turn = take_turn(id).await;
        let previewed = lock(&watched.previewed).take().filter(|known| known.scope == scope && known.seen == seen);
        let worked_out = self.work_out(id, scope, previewed.map(|known| known.sources)).await?;
        if worked_out.seen() != seen {
            return Err(Error::ChangedSinceShown { path: String::new() });
        }
        let one_run = OneRun::begin(&watched.is_one_run);
        self.shared.journal.intend_revert(id, &worked_out.plan.acts).await?;
        let folders = self.clone();
        let undoing = self.shared.tasks.spawn(async move { folders.undo(&watched, Some(turn), one_run, false).await });
        undoing.await.unwrap_or(Err(Error::Stopped))
    }

    /// Writes down who made the changes of these lines of a folder's history.
    ///
    /// # Errors
    /// [`Error::UnknownFolder`], and what the journal fails with.
    pub async fn note_authors(&self, id: WatchId, authors: &[(i64, Author)]) -> Result<(), Error> {
        self.find(id)?;
        self.shared.journal.record_authors(id, authors).await
    }

    /// `known` is where contents are, where that was looked up already.
    async fn work_out(&self, id: WatchId, scope: Scope, known: Option<Sources>) -> Result<WorkedOut, Error> {
        let disk = self.open_disk(id).await?;
        let journal = &self.shared.journal;
        let changes = journal.list_changes(id, scope).await?;
        let records = journal.load_agreed(id, true).await?;
        let (items, unreadable) = look(&disk, &records).await?;
        let label = self.label(id, scope).await?;
        let undoing = Undoing::of(&items, &label).leaving(&unreadable).undo(&changes);
        let folder = self.find(id)?.snapshot(None);
        let (is_both_ways, root) = (folder.choices.mode == Mode::BothWays, folder.drive_folder_id);
        let client = self.shared.client();
        let search = sources::Search { disk: &disk, client: &client, items: &items, changes: &changes, root };
        let mut sources = match known {
            Some(known) => known,
            None => search.find(&undoing, &records).await?,
        };
        sources.is_both_ways = is_both_ways;
        let count = changes.iter().filter(|change| change.kind != Kind::Nothing).count() as u64;
        Ok(WorkedOut { plan: undoing.plan(&sources), changes: count, sources })
    }

    /// What tells in the name of a file of when its content is.
    async fn label(&self, id: WatchId, scope: Scope) -> Result<String, Error> {
        let at = match scope {
            Scope::Since(moment) => Some(moment),
            scope => self.shared.journal.find_beginning(id, scope).await?,
        };
        let at = at.unwrap_or_else(|| Timestamp::from_micros(self.shared.settings.clock.now()));
        let local = jiff::Timestamp::from(at).to_zoned(jiff::tz::TimeZone::system());
        // The letters that every disk takes.
        Ok(local.strftime("%Y-%m-%d %H.%M").to_string())
    }
}

/// The folder as it is, with what is known of what files hold, and the folders in it that could not be read.
async fn look(disk: &LocalDisk, records: &BTreeMap<String, Record>) -> Result<(Items, BTreeSet<String>), Error> {
    let seen = disk.look_around(None, usize::MAX).await.map_err(|cause| of_disk("", cause))?;
    let LocalSeen::Whole(local) = seen.local else { return Ok(Default::default()) };
    let known = |path: &str, item: LocalItem| match item {
        LocalItem::Folder(identity) => Item::Folder { identity },
        LocalItem::File(file) => {
            let record = records.get(path).and_then(Record::as_file).filter(|record| record.is_untouched(&file));
            Item::File { stamp: file.stamp, hash: record.map(|record| record.hash) }
        }
    };
    let items = local.items.into_iter().map(|(path, item)| {
        let item = known(&path, item);
        (path, item)
    });
    Ok((items.collect(), local.unreadable))
}
