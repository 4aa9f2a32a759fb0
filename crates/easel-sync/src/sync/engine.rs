//! The engine of one watched folder: looks at both sides, plans, and carries out step by step, until there is nothing
//! to do.
//!
//! Steps of one kind about different items are carried out at the same time, a few at once; everything else one after
//! the other, on one task, so that the answers of the ports alone determine what happens. Always true: an intent is in
//! the store before its effect, and its result after it; what a crash or a lost answer leaves open is settled by asking
//! the drive and the disk before anything else; each step is checked against the disk once more before it is carried
//! out. Dropping [`Engine::run`] at any point is as good as a crash, and the engine may run again afterwards: this is
//! how a folder is paused. Not here: deciding what to do (`plan`), and any real disk, service or store (`ports`).

mod act;
mod finish;
mod intent;
mod load;
mod look;
mod pointing;
mod prepare;
mod removal;
mod rest;
mod sending;
mod settle;
mod state;
mod status;
mod step_error;
mod task;
mod together;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use easel_wire::FolderId;

pub use intent::{Intent, OpenUpload};
pub use rest::FlatEngine;
pub use state::{Engine, SETTLE_MS};
pub use status::{AppliedChange, ChangeKind, EngineStatus, Progress, Stage};

use crate::shared::causes::Waiting;
use crate::shared::planted::Mutant;
use crate::sync::plan::{self, Difference, Guard, Ignores, Input, Left, Note, Op, Plan, Settings};
use crate::sync::ports::{Clock, Disk, Drive, Freshness, Loaded, Settlement, Store, StoreError};
use crate::sync::tree::{self, Agreed, Change, Local, Remote, Sides};
use crate::sync::unloaded::{Lookup, Unloaded};
use state::{BATCH, LATE_MS, Ports};
use step_error::StepError;

/// The first wait after an answer was lost, in milliseconds; it doubles up to [`LONGEST_WAIT_MS`].
const FIRST_WAIT_MS: u64 = LATE_MS;
const LONGEST_WAIT_MS: u64 = 60_000;
/// After this many looks in a row that only repeat what fails for good, the engine rests with notes.
const FRUITLESS_LOOKS: u32 = 3;

/// Why the engine rests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// Both sides agree, but for these differences.
    Done(Vec<Note>),
    /// The person has to be asked. Nothing is done until [`Engine::consent`].
    Asking(Guard),
    /// The watched folder is not there.
    RootMissing,
    /// Nothing can be written down, so no step may be carried out.
    StoreFailed(StoreError),
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// An engine for one watched folder, whose drive folder is `root`.
    pub fn new(disk: D, drive: R, store: S, clock: C, root: FolderId, settings: Settings) -> Self {
        Self {
            ports: Arc::new(Ports { disk, drive, store, clock }),
            settings,
            consent: Vec::new(),
            listener: None,
            agreed: Agreed::default(),
            open: Vec::new(),
            refused: BTreeMap::new(),
            unloaded: Unloaded::default(),
            looked_up: Lookup::default(),
            has_loaded: false,
            kept_items: usize::MAX,
            is_tried: false,
            is_loaded: false,
            local: Local::default(),
            local_cursor: None,
            remote: Remote::new(root),
            remote_cursor: None,
            steady: HashMap::new(),
            missing: HashMap::new(),
            confirmed: None,
            unresolved: BTreeMap::new(),
            held_up: None,
            read_before: Left::default(),
            tight: 0,
            #[cfg(feature = "planted-bugs")]
            judge: None,
        }
    }

    /// Has `judge` see each plan before it is carried out.
    #[cfg(feature = "planted-bugs")]
    pub fn judge(&mut self, judge: impl Fn(&Input<'_>, &Plan) + Send + Sync + 'static) {
        self.judge = Some(Box::new(judge));
    }

    /// Has `listener` told what the engine is doing, several times a step. The engine waits for it, so it must be
    /// quick.
    pub fn listen(&mut self, listener: impl Fn(EngineStatus) + Send + Sync + 'static) {
        self.listener = Some(Box::new(listener));
    }

    /// Notes that the person allows what `guard` asks about. Good until the engine rests with nothing left to do.
    pub fn consent(&mut self, guard: Guard) {
        self.consent.push(guard);
    }

    /// Takes over other settings, from the next look on.
    pub fn change(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Whether some item will be in another state in a moment although nothing happens: a file that has yet to stand
    /// still, or one with which a step failed. If so, the engine is worth another look while it rests with a question.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.held_up.is_some() || !self.unresolved.is_empty() || self.is_settling()
    }

    fn is_settling(&self) -> bool {
        !self.local.just_gone.is_empty() || self.local.items.values().any(tree::LocalItem::is_being_written)
    }

    /// The local folder as it was last seen, without the files of folders that are not in memory.
    #[must_use]
    pub const fn local(&self) -> &Local {
        &self.local
    }

    /// The records that both sides last agreed on, without those of files in folders that are not in memory.
    #[must_use]
    pub const fn agreed(&self) -> &Agreed {
        &self.agreed
    }

    /// Lets files that were deleted in the drive be sent again: `path`, and the paths below it. The next run sends
    /// them.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub async fn send_again(&mut self, path: &str) -> Result<(), StoreError> {
        let was_loaded = self.load_for_order().await?;
        let records = self.agreed.below(path).chain(self.agreed.records.get_key_value(path));
        let changes: Vec<Change> = records
            .filter(|(_, record)| record.sides == Sides::OnlyHere)
            .map(|(path, _)| Change::Forget(path.clone()))
            .collect();
        self.write(Settlement { changes, ..Settlement::default() }).await?;
        self.is_loaded = was_loaded;
        Ok(())
    }

    /// Loads what a person's order between two looks is about. Returns what `is_loaded` has to be after it: where the
    /// order was what loaded, the next look loads again, because what goes before a first look is still to come.
    async fn load_for_order(&mut self) -> Result<bool, StoreError> {
        let was_loaded = !self.load().await?;
        self.is_loaded = false;
        Ok(was_loaded)
    }

    /// Loads records and intents from the store, where the engine does not know them. Returns whether it did.
    async fn load(&mut self) -> Result<bool, StoreError> {
        if self.is_loaded {
            return Ok(false);
        }
        let Loaded { agreed, intents, has_files } = self.ports.store.load(self.kept_items).await?;
        self.agreed = agreed;
        if !has_files || !self.unloaded.is_nothing() {
            self.wait_for_all();
        }
        (self.open, self.refused) = (Vec::new(), BTreeMap::new());
        for intent in intents {
            match intent {
                Intent::Upload(under_way) => self.take_up(under_way),
                other => self.open.push(other),
            }
        }
        Ok(true)
    }

    /// Works until there is nothing left to do, or the person has to be asked.
    pub async fn run(&mut self) -> StopReason {
        let mut wait = FIRST_WAIT_MS;
        let mut fruitless = 0;
        loop {
            self.tell(EngineStatus::Looking);
            let (cause, for_ms) = match self.look_and_act().await {
                Ok(LookOutcome::Stopped(rest)) => {
                    if matches!(rest, StopReason::Done(_)) {
                        self.consent.clear();
                        self.confirmed = None;
                    }
                    return rest;
                }
                Ok(LookOutcome::Again { was_fruitful, notes }) => {
                    wait = FIRST_WAIT_MS;
                    fruitless = if was_fruitful { 0 } else { fruitless + 1 };
                    if fruitless >= FRUITLESS_LOOKS {
                        return StopReason::Done(notes);
                    }
                    continue;
                }
                Ok(LookOutcome::HeldUp { cause, was_fruitful }) => {
                    if was_fruitful {
                        wait = FIRST_WAIT_MS;
                    }
                    (cause, None)
                }
                Ok(LookOutcome::Settling(notes)) => {
                    self.tell(EngineStatus::Settling(list_settling(notes)));
                    self.ports.clock.wait_ms(SETTLE_MS).await;
                    continue;
                }
                Err(StepError::Look { cause, wait_ms, is_open }) => {
                    (cause, wait_ms.map(|exactly| if is_open { exactly.max(LATE_MS) } else { exactly }))
                }
                Err(StepError::Root) => return StopReason::RootMissing,
                Err(StepError::Store(error)) => return StopReason::StoreFailed(error),
                // A whole look never ends with these errors: they belong to one step.
                Err(StepError::Path(_) | StepError::Refused) => (Waiting::Moving, None),
                Err(StepError::Kind(cause)) => (cause, None),
            };
            let is_hasty = self.is_planted(Mutant::Impatient);
            let for_ms = match for_ms {
                Some(exactly) if is_hasty => exactly / 2,
                Some(exactly) => exactly,
                None => {
                    let longer = (wait * 2).min(LONGEST_WAIT_MS);
                    std::mem::replace(&mut wait, longer)
                }
            };
            self.tell(EngineStatus::Waiting { cause, for_ms });
            self.ports.clock.wait_ms(for_ms).await;
        }
    }

    /// Looks at both sides once, and carries out the plan that follows.
    async fn look_and_act(&mut self) -> Result<LookOutcome, StepError> {
        self.unresolved.clear();
        self.held_up = None;
        // Intents that were open at the last look are settled before anything is doubted because of them.
        self.local.doubtful.clear();
        self.settings.today = self.ports.clock.today();
        // `is_loaded` is set again where nothing is under way; until then, the store knows better.
        let was_asked = self.load().await?;
        self.is_loaded = false;
        if was_asked {
            self.is_tried = false;
            self.discard_leftovers().await?;
            if !self.open.is_empty() {
                self.ports.clock.wait_ms(LATE_MS).await;
            }
        }
        let is_settled = self.open.is_empty() || self.is_tried;
        let freshness = if is_settled { Freshness::Known } else { Freshness::Recent };
        if !self.consent.is_empty() {
            // A consent is to the folder as the person saw it, which may differ from what was asked about.
            self.doubt_disk();
        }
        self.look_at_drive(freshness).await?;
        self.look_at_disk().await?;
        self.review_refusals().await?;
        self.load_for_intents().await?;
        while std::mem::take(&mut self.has_loaded) {
            self.look_at_both(freshness).await?;
            // A picture that was begun anew has nothing loaded.
            self.load_for_intents().await?;
        }
        self.settle_all().await?;
        let mut was_fruitful = false;
        let mut doubted = BTreeSet::new();
        for round in 0_u32.. {
            if round > 0 {
                self.look_at_disk().await?;
                self.review_refusals().await?;
            }
            self.note_open();
            self.unload(self.kept_at_work());
            self.look_up_differences().await?;
            while std::mem::take(&mut self.has_loaded) {
                self.look_at_both(Freshness::Known).await?;
                self.note_open();
                self.look_up_differences().await?;
            }
            let mut plan = self.plan();
            self.is_loaded = true;
            if let Some(guard) = plan.guard {
                if guard.is_of_disk() && !self.local.just_gone.is_empty() {
                    return Ok(LookOutcome::Settling(plan.notes));
                }
                // Nobody is asked because of what only one look saw.
                if guard.is_of_disk() && self.confirmed.replace(guard) != Some(guard) {
                    self.is_loaded = false;
                    self.doubt_disk();
                    continue;
                }
                return Ok(LookOutcome::Stopped(StopReason::Asking(guard)));
            }
            if plan.ops.is_empty() && self.may_load_more() {
                self.is_loaded = false;
                self.load_more().await?;
                continue;
            }
            if plan.ops.is_empty() {
                let is_settling = self.is_settling();
                return Ok(match (self.held_up.take(), round, is_settling, self.unresolved.is_empty()) {
                    (Some(cause), ..) => LookOutcome::HeldUp { cause, was_fruitful },
                    (_, _, true, _) => LookOutcome::Settling(plan.notes),
                    (_, 0, false, true) => LookOutcome::Stopped(StopReason::Done(plan.notes)),
                    _ => LookOutcome::Again { was_fruitful, notes: plan.notes },
                });
            }
            self.is_loaded = false;
            if self.doubt(&mut plan.ops, &mut doubted).await? {
                continue;
            }
            was_fruitful |= self.carry_out(plan.ops, plan.left).await?;
            self.agreed.tighten(&mut self.tight);
        }
        Ok(LookOutcome::Again { was_fruitful, notes: Vec::new() })
    }

    /// Takes deletions in the drive out of the plan while they are in doubt: the missing local item may have moved
    /// during the look. Both sides are looked at once more, and only what is missing again is deleted. Returns whether
    /// to plan anew.
    async fn doubt(&mut self, ops: &mut Vec<Op>, doubted: &mut BTreeSet<String>) -> Result<bool, StepError> {
        let local = &self.local;
        let is_deletion = |op: &Op| match op {
            Op::DeleteFile { .. } | Op::DeleteFolder { .. } => true,
            // A record of something that is gone from both sides.
            Op::Record(changes) => {
                matches!(changes.as_slice(), [Change::Forget(path)] if !local.items.contains_key(path))
            }
            _ => false,
        };
        let deletions: BTreeSet<String> =
            ops.iter().filter(|op| is_deletion(op)).map(|op| op.path().to_owned()).collect();
        if deletions.is_empty() || self.is_planted(Mutant::BelievesLooks) {
            return Ok(false);
        }
        let before = std::mem::take(doubted);
        ops.retain(|op| !is_deletion(op) || before.contains(op.path()));
        if !ops.is_empty() {
            return Ok(false);
        }
        *doubted = deletions;
        self.doubt_disk();
        self.look_at_drive(Freshness::Recent).await?;
        Ok(true)
    }

    /// Has the next look at the disk read everything, because the question may come from a fault of the picture.
    fn doubt_disk(&mut self) {
        self.ports.disk.doubt();
        if self.unloaded.is_nothing() {
            self.local_cursor = None;
        }
    }

    /// Tells both pictures which intents are open.
    fn note_open(&mut self) {
        self.local.doubtful = self.open.iter().flat_map(Intent::paths).map(str::to_owned).collect();
        self.remote.claimed = self.open.iter().filter_map(Intent::landed).collect();
        self.remote.expand_pointers();
    }

    fn plan(&self) -> Plan {
        self.ask_planner(|input| {
            let plan = plan::plan(input);
            #[cfg(feature = "planted-bugs")]
            if let Some(judge) = &self.judge {
                judge(input, &plan);
            }
            plan
        })
    }

    /// Asks the planner something about the three trees.
    fn ask_planner<T>(&self, ask: impl FnOnce(&Input<'_>) -> T) -> T {
        let mut unresolved = self.unresolved.clone();
        unresolved.extend(self.list_refused());
        unresolved.extend(self.list_announcing());
        let is_ignored = |path: &str, is_folder| self.ports.disk.is_ignored(path, is_folder);
        ask(&Input {
            local: &self.local,
            remote: &self.remote,
            agreed: &self.agreed,
            unloaded: &self.unloaded,
            settings: &self.settings,
            unresolved: &unresolved,
            ignores: Ignores(&is_ignored),
            consent: &self.consent,
        })
    }

    /// Carries out a plan. Returns whether anything changed that one of the sides can see.
    async fn carry_out(&mut self, ops: Vec<Op>, left: Left) -> Result<bool, StepError> {
        let mut progress = self.measure(&ops, left);
        let mut was_fruitful = false;
        let mut ops = ops.into_iter().peekable();
        while let Some(op) = ops.next() {
            if let Op::Record(changes) = op {
                let mut settlement = Settlement { changes, ..Settlement::default() };
                while settlement.changes.len() < BATCH
                    && let Some(Op::Record(more)) = ops.next_if(|op| matches!(op, Op::Record(_)))
                {
                    settlement.changes.extend(more);
                }
                self.write(settlement).await?;
                continue;
            }
            let mut group = vec![op];
            while let Some(op) = ops.next_if(|op| together::fits(&group, op)) {
                group.push(op);
            }
            was_fruitful |= self.carry_out_together(group, &mut progress).await?;
        }
        Ok(was_fruitful)
    }

    /// Throws away fetched files without an intent: the run that fetched them ended before they could be put in place.
    async fn discard_leftovers(&self) -> Result<(), StepError> {
        let is_open =
            |file| self.open.iter().any(|intent| matches!(intent, Intent::Fetched { file: open, .. } if *open == file));
        let waiting = self.ports.disk.fetched().await?;
        let left: Vec<_> = waiting.into_iter().map(|(file, _)| file).filter(|file| !is_open(*file)).collect();
        if !left.is_empty() {
            self.ports.disk.discard_fetched(&left).await?;
        }
        Ok(())
    }

    /// Counts the steps of a plan, together with those of the same kind that will follow. Reading is told as one,
    /// however many plans it takes; for files that are sent and fetched, the listener adds up the plans.
    fn measure(&mut self, ops: &[Op], left: Left) -> Progress {
        let stage = ops.first().map_or(Stage::Comparing, together::stage);
        let steps = ops.len() as u64;
        let bytes: u64 = ops.iter().map(|op| self.bytes_of(op)).sum();
        let before = if stage == Stage::Reading { self.read_before } else { Left::default() };
        let is_read_on = stage == Stage::Reading && left.steps > 0;
        let read = Left { steps: before.steps + steps, bytes: before.bytes + bytes };
        self.read_before = if is_read_on { read } else { Left::default() };
        Progress {
            stage,
            done: before.steps,
            total: before.steps + steps + left.steps,
            bytes_done: before.bytes,
            bytes_total: before.bytes + bytes + left.bytes,
        }
    }

    /// The size of the file that a step reads, sends or fetches.
    fn bytes_of(&self, op: &Op) -> u64 {
        match op {
            Op::Hash { path } | Op::Upload { path, .. } => {
                self.local.file(path).map_or(0, |file| file.stamp.size_bytes)
            }
            Op::Download { file, .. } => self.remote.files.get(file).map_or(0, |file| file.size_bytes),
            _ => 0,
        }
    }
}

/// The result of a look.
enum LookOutcome {
    Stopped(StopReason),
    /// A step was carried out, or failed: look once more.
    Again {
        was_fruitful: bool,
        notes: Vec<Note>,
    },
    /// The steps that are left cannot be carried out for now.
    HeldUp {
        cause: Waiting,
        was_fruitful: bool,
    },
    /// A file is still being written, or has just gone.
    Settling(Vec<Note>),
}

/// The paths of files that are still being written, or have just gone.
fn list_settling(notes: Vec<Note>) -> Vec<String> {
    let is_settling = |note: &Note| note.difference == Difference::Settling;
    notes.into_iter().filter(is_settling).map(|note| note.path).collect()
}
