//! Carries out steps of one kind, a few at the same time.
//!
//! Each step is prepared (checked, its intent made), carried out (the only part that overlaps with other steps), and
//! finished. Intents and results are written in groups, while the steps under way go on. When one step finds that no
//! other can be done, the steps that have begun come to their end, and the others are as if they had never been
//! planned.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use easel_wire::FileId;
use futures_util::StreamExt as _;
use futures_util::future::{self, Either};
use futures_util::stream::FuturesUnordered;

use super::act;
use super::intent::Intent;
use super::prepare::CHANGED;
use super::state::{BATCH, Engine, Ports};
use super::status::{EngineStatus, Progress, Stage};
use super::step_error::Broken;
use super::step_error::StepError;
use super::task::{Outcome, Task};
use crate::shared::causes::{Cause, Failure, Waiting};
use crate::shared::planted::{Mutant, Planted};
use crate::sync::plan::{Op, agreeing};
use crate::sync::ports::{Clock, Disk, Drive, Settlement, Store};

/// Further steps are prepared once fewer than this are ready to begin.
const STOCK: usize = BATCH / 2;

/// The kind of a step.
pub(super) const fn stage(op: &Op) -> Stage {
    match op {
        Op::Record(_) => Stage::Comparing,
        Op::Hash { .. } => Stage::Reading,
        Op::MakeFolder { .. } | Op::MakeLocalFolder { .. } => Stage::MakingFolders,
        Op::Place { .. } | Op::MoveLocal { .. } => Stage::Moving,
        Op::Upload { .. } | Op::Point { .. } | Op::Download { .. } => Stage::Transferring,
        Op::Retire { .. }
        | Op::DiscardPointer { .. }
        | Op::DeleteReplaced { .. }
        | Op::DeleteFile { .. }
        | Op::DeleteFolder { .. }
        | Op::TrashLocal { .. }
        | Op::RemoveLocalFolder { .. } => Stage::Deleting,
    }
}

/// Whether a step can be carried out together with those of `group`. A local move changes the paths of others, and two
/// steps about one path wait for each other.
pub(super) fn fits(group: &[Op], op: &Op) -> bool {
    let Some(first) = group.first() else { return true };
    let is_same_kind = std::mem::discriminant(first) == std::mem::discriminant(op);
    // A plan is made path by path: steps about one path stand together.
    let is_other_path = group.last().is_none_or(|last| last.path() != op.path());
    is_same_kind && is_other_path && !matches!(op, Op::MoveLocal { .. })
}

/// Results of steps that are not written down yet.
#[derive(Default)]
struct Results {
    settlement: Settlement,
    was_fruitful: bool,
    /// The pointers whose places drive files are about to take.
    heirs: BTreeSet<FileId>,
    /// The error that ends this run of steps.
    end: Option<StepError>,
}

impl Results {
    /// Keeps the gravest error; of two that make the engine wait, both count.
    fn end_with(&mut self, error: StepError) {
        let gravity = |error: &StepError| match error {
            StepError::Path(_) | StepError::Refused => 0,
            StepError::Kind(_) => 1,
            StepError::Look { .. } => 2,
            StepError::Root => 3,
            StepError::Store(_) => 4,
        };
        self.end = Some(match (self.end.take(), error) {
            (
                Some(StepError::Look { cause, wait_ms, is_open }),
                StepError::Look { wait_ms: other_ms, is_open: is_other_open, .. },
            ) => StepError::Look { cause, wait_ms: wait_ms.max(other_ms), is_open: is_open || is_other_open },
            (Some(end), error) if gravity(&end) >= gravity(&error) => end,
            (_, error) => error,
        });
    }
}

impl<D: Disk, R: Drive, S: Store, C: Clock> Engine<D, R, S, C> {
    /// Carries out steps of one kind. Returns whether anything changed that one of the sides can see.
    pub(super) async fn carry_out_together(
        &mut self,
        group: Vec<Op>,
        progress: &mut Progress,
    ) -> Result<bool, StepError> {
        progress.stage = group.first().map_or(progress.stage, stage);
        let ports = Arc::clone(&self.ports);
        let at_once = self.settings.at_once.max(1);
        let mut ops = group.into_iter();
        let mut ready: VecDeque<Task> = VecDeque::new();
        let mut fetched: Vec<Outcome> = Vec::new();
        let is_over = Arc::new(AtomicBool::new(false));
        let (planted, over) = (self.settings.planted, Arc::clone(&is_over));
        let mut flights =
            Flights::new(at_once, move |task| begin(Arc::clone(&ports), task, planted, Arc::clone(&over)));
        let mut results = Results::default();
        self.tell(EngineStatus::Working(*progress));
        loop {
            if ready.len() < STOCK && ops.len() > 0 && results.end.is_none() {
                let preparing = self.prepare_some(&mut ops, &mut results, progress);
                let prepared = flights.go_on_while(&mut ready, preparing).await?;
                ready.extend(prepared);
            }
            if let Some(end) = &results.end {
                is_over.store(true, Ordering::Relaxed);
                // None of these steps has begun.
                let written = ready.iter().flat_map(Task::intents).map(|intent| intent.path().to_owned());
                results.settlement.done.extend(written);
                let left = ready.drain(..).map(|task| task.path().to_owned());
                let left: Vec<String> = left.chain(ops.by_ref().map(|op| op.path().to_owned())).collect();
                if let StepError::Kind(waiting) = end {
                    self.unresolved.extend(left.into_iter().map(|path| (path, held_up(waiting))));
                }
            }
            match flights.next(&mut ready).await {
                Some(Step::NotBegun(path, written)) => {
                    if let Some(StepError::Kind(waiting)) = &results.end {
                        self.unresolved.insert(path, held_up(waiting));
                    }
                    results.settlement.done.extend(written);
                }
                Some(Step::Done(bytes, outcome @ Outcome::Fetched { .. })) => {
                    progress.bytes_done += bytes;
                    fetched.push(outcome);
                    if fetched.len() >= BATCH {
                        self.put_in_place(std::mem::take(&mut fetched), &mut results, progress).await?;
                    }
                }
                Some(Step::Done(bytes, outcome)) => {
                    progress.bytes_done += bytes;
                    results.was_fruitful |= !matches!(outcome, Outcome::Hashed { .. });
                    if let Some(files) = flights.arrived_with(&outcome) {
                        flights.go_on_while(&mut ready, self.look_up_files(files)).await?;
                    }
                    let came = self.finish(outcome);
                    flights.go_on_while(&mut ready, self.add(came, &mut results)).await?;
                    self.step(progress);
                }
                Some(Step::Failed(path, broken)) => {
                    self.fail(path, broken, &mut results);
                    self.step(progress);
                }
                None if !fetched.is_empty() => {
                    self.put_in_place(std::mem::take(&mut fetched), &mut results, progress).await?;
                }
                None if ready.is_empty() && ops.len() == 0 => break,
                None => {}
            }
        }
        self.write_results(&mut results).await?;
        match results.end {
            None => Ok(results.was_fruitful),
            Some(StepError::Kind(waiting)) => {
                self.held_up = Some(waiting);
                Ok(results.was_fruitful)
            }
            Some(error) => Err(error),
        }
    }

    /// Checks the next steps, and writes down their intents.
    async fn prepare_some(
        &mut self,
        ops: &mut std::vec::IntoIter<Op>,
        results: &mut Results,
        progress: &mut Progress,
    ) -> Result<Vec<Task>, StepError> {
        let mut intents: Vec<Intent> = Vec::new();
        let mut prepared = Vec::new();
        let holders = OnceLock::new();
        while intents.len() < BATCH && prepared.len() < BATCH && results.end.is_none() {
            let Some(op) = ops.next() else { break };
            let path = op.path().to_owned();
            match self.prepare(op, &holders).await {
                // Of two files with one content, only one can take the copy's place. The other is looked at again.
                Ok(task) if task.heir().is_some_and(|heir| !results.heirs.insert(heir)) => {
                    self.fail(path, CHANGED.into(), results);
                    self.step(progress);
                }
                Ok(task) => {
                    intents.extend(task.intents());
                    prepared.push(task);
                }
                Err(error) => {
                    self.fail(path, error.into(), results);
                    self.step(progress);
                }
            }
        }
        self.intend(&intents).await?;
        Ok(prepared)
    }

    /// Writes down intents.
    async fn intend(&self, intents: &[Intent]) -> Result<(), StepError> {
        if intents.is_empty() || self.is_planted(Mutant::ForgetsIntents) {
            return Ok(());
        }
        Ok(self.ports.store.intend(intents).await?)
    }

    /// Puts fetched files at their places.
    async fn put_in_place(
        &mut self,
        fetched: Vec<Outcome>,
        results: &mut Results,
        progress: &mut Progress,
    ) -> Result<(), StepError> {
        let intents: Vec<Intent> = fetched.iter().filter_map(Outcome::intent).collect();
        self.intend(&intents).await?;
        let mut left = Vec::new();
        for outcome in fetched {
            let Outcome::Fetched { ref path, file, replacing, .. } = outcome else { continue };
            match self.ports.disk.place_fetched(file, path, replacing).await {
                Ok(changed_us) => {
                    results.was_fruitful = true;
                    let mut came = self.finish(outcome);
                    agreeing::note_changed(&mut came.changes, changed_us);
                    self.add(came, results).await?;
                }
                Err(error) => {
                    left.push(file);
                    self.fail(path.clone(), error.into(), results);
                    // The file's intent is over all the same, because its result is known.
                    if let Outcome::Fetched { path, .. } = outcome {
                        results.settlement.done.push(path);
                    }
                }
            }
            self.step(progress);
        }
        if !left.is_empty() {
            // The intents go first: without them, a file that left its slot would be taken for one that got to its
            // place.
            self.write_results(results).await?;
            self.ports.disk.discard_fetched(&left).await?;
        }
        Ok(())
    }

    /// Notes why a step was not carried out. Where it is known that nothing changed, nothing is left to settle.
    fn fail(&mut self, path: String, broken: Broken, results: &mut Results) {
        let Broken { error, kept, announced } = broken;
        self.open.extend(announced.map(|intent| *intent));
        let is_over = kept.is_none() && !matches!(error, StepError::Look { is_open: true, .. });
        if let Some(kept) = kept {
            let is_left_alone = kept.refused.is_some();
            self.take_up(kept);
            if is_left_alone {
                return;
            }
        }
        if is_over && !matches!(error, StepError::Root | StepError::Store(_)) {
            results.settlement.done.push(path.clone());
        }
        match error {
            StepError::Path(failure) => {
                self.unresolved.insert(path, failure);
            }
            StepError::Kind(waiting) => {
                self.unresolved.insert(path, held_up(&waiting));
                results.end_with(StepError::Kind(waiting));
            }
            error => results.end_with(error),
        }
    }

    async fn add(&mut self, came: Settlement, results: &mut Results) -> Result<(), StepError> {
        // The agreed records are updated at once, because the next steps are checked against them.
        for change in &came.changes {
            self.agree(change);
        }
        results.settlement.changes.extend(came.changes);
        results.settlement.done.extend(came.done);
        results.settlement.applied.extend(came.applied);
        if results.settlement.done.len() + results.settlement.changes.len() >= 2 * BATCH {
            self.write_results(results).await?;
        }
        Ok(())
    }

    async fn write_results(&self, results: &mut Results) -> Result<(), StepError> {
        let settlement = std::mem::take(&mut results.settlement);
        if settlement != Settlement::default() {
            self.ports.store.settle(&settlement).await?;
        }
        Ok(())
    }

    fn step(&self, progress: &mut Progress) {
        progress.done += 1;
        self.tell(EngineStatus::Working(*progress));
    }
}

/// The steps under way, and those that have ended since the engine last looked.
struct Flights<B, F> {
    at_once: usize,
    begin: B,
    flying: FuturesUnordered<F>,
    landed: VecDeque<Step>,
    /// The drive files of uploads that have landed and were told with one before.
    told: BTreeSet<FileId>,
}

impl<B: Fn(Task) -> F, F: Future<Output = Step>> Flights<B, F> {
    fn new(at_once: usize, begin: B) -> Self {
        Self { at_once, begin, flying: FuturesUnordered::new(), landed: VecDeque::new(), told: BTreeSet::new() }
    }

    /// Begins as many steps as there is room for.
    fn fill(&mut self, ready: &mut VecDeque<Task>) {
        while self.flying.len() < self.at_once
            && let Some(task) = ready.pop_front()
        {
            self.flying.push((self.begin)(task));
        }
    }

    /// The next step that ends; `None` where none is under way.
    async fn next(&mut self, ready: &mut VecDeque<Task>) -> Option<Step> {
        self.fill(ready);
        match self.landed.pop_front() {
            Some(step) => Some(step),
            None => self.flying.next().await,
        }
    }

    /// The drive file that an upload came to and those of all uploads that have landed, to be looked up together; `None`
    /// where it was among those of an upload before.
    fn arrived_with(&mut self, outcome: &Outcome) -> Option<BTreeSet<FileId>> {
        let file = outcome.arrived()?;
        if self.told.remove(&file) {
            return None;
        }
        let landed = self.landed.iter().filter_map(|step| match step {
            Step::Done(_, outcome) => outcome.arrived(),
            _ => None,
        });
        self.told = landed.collect();
        Some(self.told.iter().copied().chain([file]).collect())
    }

    /// Does `work` while steps end and others begin: nobody waits for the disk of this computer to use the network.
    async fn go_on_while<T>(&mut self, ready: &mut VecDeque<Task>, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            self.fill(ready);
            match future::select(work.as_mut(), self.flying.next()).await {
                Either::Left((done, _)) => return done,
                Either::Right((Some(step), _)) => self.landed.push_back(step),
                Either::Right((None, _)) => return work.await,
            }
        }
    }
}

/// The failure that is noted for a path while nothing of its kind can be done.
fn held_up(waiting: &Waiting) -> Failure {
    Cause::Waits { waiting: waiting.clone() }.into()
}

/// How a step ended.
enum Step {
    /// Carried out, with the bytes of its file.
    Done(u64, Outcome),
    Failed(String, Broken),
    /// Not begun, because another step had found that none can be done. With the paths under which intents were written
    /// down for it.
    NotBegun(String, Vec<String>),
}

async fn begin<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: Arc<Ports<D, R, S, C>>,
    task: Task,
    planted: Planted,
    is_over: Arc<AtomicBool>,
) -> Step {
    let (path, bytes) = (task.path().to_owned(), task.bytes());
    if is_over.load(Ordering::Relaxed) {
        let written = task.intents().map(|intent| intent.path().to_owned()).collect();
        return Step::NotBegun(path, written);
    }
    match act::act(&ports, task, planted).await {
        Ok(outcome) => Step::Done(bytes, outcome),
        Err(broken) => {
            // Steps that have yet to begin learn it now: by the time that the engine comes to this one, they would have
            // asked again a service that named a time.
            let is_of_this_alone = matches!(broken.error, StepError::Path(_) | StepError::Refused);
            is_over.fetch_or(!is_of_this_alone, Ordering::Relaxed);
            Step::Failed(path, broken)
        }
    }
}
