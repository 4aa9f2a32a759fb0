//! The state of one folder's engine, and the few functions that all of its parts use.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use easel_wire::FolderId;

use super::intent::{Intent, OpenUpload};
use super::status::EngineStatus;
use crate::shared::causes::{Failure, Waiting};
use crate::shared::planted::Mutant;
use crate::sync::plan::{Guard, Left, Settings};
#[cfg(feature = "planted-bugs")]
use crate::sync::plan::{Input, Plan};
use crate::sync::ports::{Clock, Disk, Drive, Settlement, Store, StoreError};
use crate::sync::tree::{self, Agreed, Change, ChangedUs, Local, Remote, Stamp};
use crate::sync::unloaded::{Lookup, Unloaded};

/// A file stands still when it has not changed for this long, in milliseconds.
pub const SETTLE_MS: u64 = 2_000;
/// A request whose answer is no longer awaited may still be carried out for so long, in milliseconds: nobody looks for
/// its result before that.
pub(super) const LATE_MS: u64 = 2_000;
/// Intents and results are written to the store in groups of this many.
pub(super) const BATCH: usize = 128;

/// A file's state since it was first seen in it, and for how long it had stood still by then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steady {
    pub stamp: Stamp,
    pub changed_us: ChangedUs,
    pub seen_ms: u64,
    pub still_ms: u64,
    /// Whether the system says that a program has the file open for writing.
    pub is_open: bool,
}

impl Steady {
    /// How long the file has stood still at `now_ms`. The clock may have begun later than that, so there need not be a
    /// moment of the clock for it.
    pub(super) const fn stood_ms(&self, now_ms: u64) -> u64 {
        now_ms.saturating_sub(self.seen_ms).saturating_add(self.still_ms)
    }
}

/// The ports, shared by the steps under way.
pub(super) struct Ports<D, R, S, C> {
    pub disk: D,
    pub drive: R,
    pub store: S,
    pub clock: C,
}

/// See the module.
pub struct Engine<D, R, S, C> {
    pub(super) ports: Arc<Ports<D, R, S, C>>,
    pub(super) settings: Settings,
    pub(super) consent: Vec<Guard>,
    pub(super) listener: Option<Box<dyn Fn(EngineStatus) + Send + Sync>>,
    pub(super) agreed: Agreed,
    /// The folders whose files are in none of the three trees.
    pub(super) unloaded: Unloaded,
    /// What was looked up for the last plan: its answers are in the trees.
    pub(super) looked_up: Lookup,
    /// Whether anything was loaded since both sides were looked at: it may be newer than the rest of the pictures, or a
    /// list may have missed some of it.
    pub(super) has_loaded: bool,
    /// Folders are unloaded while more items than this are in memory.
    pub(super) kept_items: usize,
    /// Intents as of the last load that are still to be settled.
    pub(super) open: Vec<Intent>,
    /// Files that the service refuses as they are, by path.
    pub(super) refused: BTreeMap<String, OpenUpload>,
    /// Whether settling the open intents was tried. Those that could not be settled then do not need a fresher picture.
    pub(super) is_tried: bool,
    /// Whether `agreed` and `open` are what the store has. Not so while a step is under way.
    pub(super) is_loaded: bool,
    pub(super) local: Local,
    pub(super) local_cursor: Option<u64>,
    pub(super) remote: Remote,
    pub(super) remote_cursor: Option<u64>,
    /// Files whose present state is not agreed on, and since when they have been in it.
    pub(super) steady: HashMap<String, Steady>,
    /// Agreed items that are missing here, and since when.
    pub(super) missing: HashMap<String, u64>,
    /// The guard of the last question, once everything was read anew for it.
    pub(super) confirmed: Option<Guard>,
    pub(super) unresolved: BTreeMap<String, Failure>,
    /// Why some steps had to wait while the rest of the look went on.
    pub(super) held_up: Option<Waiting>,
    /// What the earlier plans of this look have had read: a plan is limited in steps, so reading may take several.
    pub(super) read_before: Left,
    /// The number of agreed records when their memory was last tightened.
    pub(super) tight: usize,
    #[cfg(feature = "planted-bugs")]
    pub(super) judge: Option<Judge>,
}

/// A function that sees each plan, and its input.
#[cfg(feature = "planted-bugs")]
pub(super) type Judge = Box<dyn Fn(&Input<'_>, &Plan) + Send + Sync>;

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Writes down the results of steps, and updates the agreed records.
    pub(super) async fn write(&mut self, settlement: Settlement) -> Result<(), StoreError> {
        self.ports.store.settle(&settlement).await?;
        for change in &settlement.changes {
            self.agree(change);
        }
        Ok(())
    }

    /// Applies a change of the records.
    pub(super) fn agree(&mut self, change: &Change) {
        self.agreed.apply(change);
        match change {
            Change::Rename { from, to } => self.unloaded.rename(from, to),
            Change::Put(path, record) => self.wait_for_matched(path, record.as_folder()),
            Change::Forget(_) => {}
        }
    }

    /// Has a folder wait for its turn that is matched with a drive folder whose files are not in memory. Where local
    /// files of it are there, the next lookup adds the drive's.
    fn wait_for_matched(&mut self, path: &str, folder: Option<FolderId>) {
        if folder.is_none_or(|folder| self.unloaded.is_loaded_there(folder)) {
            return;
        }
        let is_in = |item: &str| tree::parent(item) == path;
        let mut local = self.local.below(path).filter(|(_, item)| item.as_file().is_some()).map(|(item, _)| item);
        let mut agreed = self.agreed.below(path).filter(|(_, record)| record.as_file().is_some()).map(|(item, _)| item);
        if !self.unloaded.contains(path) && !local.any(|item| is_in(item)) && !agreed.any(|item| is_in(item)) {
            self.unloaded.wait_for(path);
        }
    }

    pub(super) fn is_planted(&self, mutant: Mutant) -> bool {
        self.settings.planted.is(mutant)
    }

    pub(super) fn tell(&self, status: EngineStatus) {
        if let Some(listener) = &self.listener {
            listener(status);
        }
    }

    /// The drive folder that the folder of a path is agreed to be.
    pub(super) fn folder_above(&self, path: &str) -> Option<FolderId> {
        self.agreed.folder_above(path, self.remote.root)
    }
}
