//! What the engine of one folder knows and holds, and the few things that all of its parts do with it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use easel_wire::FolderId;

use super::intent::{Intent, UnderWay};
use super::news::News;
use crate::shared::causes::{Failure, Waiting};
use crate::shared::planted::Mutant;
use crate::sync::plan::{Guard, Left, Settings};
#[cfg(feature = "planted-bugs")]
use crate::sync::plan::{Input, Plan};
use crate::sync::ports::{Clock, Disk, Drive, Settlement, Store, StoreError};
use crate::sync::tree::{Agreed, ChangedUs, Local, Remote, Stamp};

/// A file stands still when it has not changed for this long, in milliseconds.
pub const SETTLE_MS: u64 = 2_000;
/// A request whose answer is not awaited any more may still be carried out for so long, in milliseconds: nobody looks
/// for what it did before that.
pub(super) const LATE_MS: u64 = 2_000;
/// Intents and results are written to the store in groups of this many.
pub(super) const BATCH: usize = 128;

/// What a file was when it was first seen so, and how long it had been so by then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steady {
    pub stamp: Stamp,
    pub changed_us: ChangedUs,
    pub seen_ms: u64,
    pub still_ms: u64,
    /// The system says that someone writes to it.
    pub is_open: bool,
}

impl Steady {
    /// How long it has stood still at `now_ms`. The clock may have begun after that did, so a moment for it need not exist.
    pub(super) const fn stood_ms(&self, now_ms: u64) -> u64 {
        now_ms.saturating_sub(self.seen_ms).saturating_add(self.still_ms)
    }
}

/// The world, shared by the steps that are on their way.
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
    pub(super) listener: Option<Box<dyn Fn(News) + Send + Sync>>,
    pub(super) agreed: Agreed,
    /// What was intended when it was last loaded, and is still to be settled.
    pub(super) open: Vec<Intent>,
    /// Files that the service does not take as they are, by path.
    pub(super) refused: BTreeMap<String, UnderWay>,
    /// Whether it was tried to settle what is open. What could not be settled then does not need a fresher picture.
    pub(super) is_tried: bool,
    /// Whether `agreed` and `open` are what the store has. Not so while anything is under way.
    pub(super) is_loaded: bool,
    pub(super) local: Local,
    pub(super) local_cursor: Option<u64>,
    pub(super) remote: Remote,
    pub(super) remote_cursor: Option<u64>,
    /// Files that nothing is agreed about as they are: since when they have been so.
    pub(super) steady: HashMap<String, Steady>,
    /// What is agreed to be on both sides and is missing here: since when.
    pub(super) missing: HashMap<String, u64>,
    /// What was last asked about, after everything was read anew for it.
    pub(super) confirmed: Option<Guard>,
    pub(super) unresolved: BTreeMap<String, Failure>,
    /// Why steps could not be done that the rest of a look went on without.
    pub(super) held_up: Option<Waiting>,
    /// What earlier plans of this look read, where the last one had no room for all that there is to read.
    pub(super) read_before: Left,
    /// So many records were agreed on when they were last tightened.
    pub(super) tight: usize,
    #[cfg(feature = "planted-bugs")]
    pub(super) judge: Option<Judge>,
}

/// Looks at each plan, and at what it was made from.
#[cfg(feature = "planted-bugs")]
pub(super) type Judge = Box<dyn Fn(&Input<'_>, &Plan) + Send + Sync>;

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Writes down what came of steps, and keeps the picture true to it.
    pub(super) async fn write(&mut self, settlement: Settlement) -> Result<(), StoreError> {
        self.ports.store.settle(&settlement).await?;
        for change in &settlement.changes {
            self.agreed.apply(change);
        }
        Ok(())
    }

    pub(super) fn is_planted(&self, mutant: Mutant) -> bool {
        self.settings.planted.is(mutant)
    }

    pub(super) fn tell(&self, news: News) {
        if let Some(listener) = &self.listener {
            listener(news);
        }
    }

    /// The drive folder that a path's folder is agreed to be.
    pub(super) fn folder_above(&self, path: &str) -> Option<FolderId> {
        self.agreed.folder_above(path, self.remote.root)
    }
}
