//! Decides which transfer comes next, and when the whole queue waits.
//!
//! One task, so that a command and a start never cross. Always true: a transfer that a person touched goes first, the last
//! touched before others, then older drops before newer ones; large files never take the last of several slots; while
//! the cause of a wait lasts, only a probe or one trial transfer goes out, ever more seldom; there is no timer while
//! nothing is due. Not here: files and requests (`upload_job.rs`, `sender.rs`); this task touches only the journal, so
//! that no slow disk or service holds up a command.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use easel_client::{Error as ClientError, Lane};
use easel_wire::Scope;
use easel_wire::account::Whoami;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{Id as TaskId, JoinSet};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::queue::journal::{Row, Selection};
use crate::queue::sender::QueuedUpload;
use crate::queue::settle::{self, Identity, Readiness};
use crate::queue::state::Shared;
use crate::queue::transfer::State;
use crate::queue::upload_job::{End, Outcome, TransferCommand};
use crate::shared::clock::micros;
use crate::shared::ids::TransferId;

use crate::shared::causes::{self, Cause, Failure, Waiting};
use crate::shared::error::Error;
use crate::shared::mutex::lock;

/// How many settling files are looked at in one go.
const LOOKED_AT_ONCE: u64 = 64;
/// After so many finished transfers the history is trimmed.
const TRIM_EVERY: u32 = 1_000;

/// What a person asks of transfers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Pause,
    Resume,
    Cancel,
    Retry,
    Promote,
    LookAgain,
    ClientChanged,
    /// Nothing moves while the network is metered.
    Hold,
    /// Transfers may move again.
    Release,
}

/// An order, with the transfers that it is for and the sender of the answer: how many it changed.
pub(crate) struct Command {
    pub order: Order,
    pub which: Selection,
    pub reply: oneshot::Sender<Result<u64, Error>>,
}

/// A transfer at work.
struct Active {
    task: TaskId,
    is_large: bool,
    stop: CancellationToken,
}

/// Background work beside the transfers.
enum BackgroundTask {
    /// The result of a probe, how long the service asked to wait, and the number of the client that asked.
    Probed(Result<(), Waiting>, Option<Duration>, u64),
    LookedAtSettling(Result<(), Error>),
    /// The service's requests a minute, where it could be asked at all.
    LearntRate(Option<Option<u32>>),
}

/// Why and until when the whole queue waits.
struct Wait {
    look_at: Instant,
    /// Whether a probe, or a trial transfer, is out.
    is_probing: bool,
}

pub(crate) struct Dispatcher {
    shared: Arc<Shared>,
    commands: mpsc::Receiver<Command>,
    jobs: JoinSet<(TransferId, Result<Outcome, Error>)>,
    active: HashMap<TransferId, Active>,
    background_tasks: JoinSet<BackgroundTask>,
    wait: Option<Wait>,
    /// How often the queue began to wait since the last success: each time, the pause doubles.
    backoff_step: u32,
    /// Counts the clients that were set, so that the answer to an old client's probe is told apart.
    client_number: u64,
    settling_due: Option<Instant>,
    is_looking: bool,
    is_rate_known: bool,
    is_held: bool,
    ended: u32,
}

impl Dispatcher {
    pub(crate) fn new(shared: Arc<Shared>, commands: mpsc::Receiver<Command>) -> Self {
        Self {
            shared,
            commands,
            jobs: JoinSet::new(),
            active: HashMap::new(),
            background_tasks: JoinSet::new(),
            wait: None,
            backoff_step: 0,
            client_number: 0,
            settling_due: None,
            is_looking: false,
            is_rate_known: false,
            is_held: false,
            ended: 0,
        }
    }

    /// Runs until the queue's token fires. Transfers at work are then dropped where they are; the journal knows their
    /// state.
    pub(crate) async fn run(mut self) {
        self.prepare().await;
        loop {
            self.fill().await;
            self.shared.slots.note_people(self.active.len());
            let cancel = self.shared.cancel.clone();
            let shared = Arc::clone(&self.shared);
            let look = at(self.wait.as_ref().filter(|wait| !wait.is_probing).map(|wait| wait.look_at));
            let settle = at(self.settling_due.filter(|_| !self.is_looking));
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                Some(command) = self.commands.recv() => self.handle(command).await,
                Some(done) = self.jobs.join_next_with_id(), if !self.jobs.is_empty() => match done {
                    Ok((_, (id, outcome))) => self.take_outcome(id, outcome).await,
                    Err(error) => self.take_panic(error.id()).await,
                },
                Some(ended) = self.background_tasks.join_next(), if !self.background_tasks.is_empty() => match ended {
                    Ok(result) => self.handle_background_result(result).await,
                    Err(error) => tracing::error!(%error, "a task beside the transfers ended badly"),
                },
                () = shared.entered.notified() => {}
                () = look => self.probe().await,
                () = settle => self.look_at_settling(),
            }
        }
        self.commands.close();
        self.jobs.shutdown().await;
        self.background_tasks.shutdown().await;
    }

    async fn prepare(&mut self) {
        self.trim().await;
        self.plan_settling().await;
    }

    async fn trim(&mut self) {
        let settings = &self.shared.settings;
        let before = self.shared.now().saturating_sub(micros(settings.history_age));
        let keep = settings.history_rows.max(1);
        match self.shared.journal.trim_history(&self.shared.connection_id, keep, before).await {
            Ok(0) => {}
            Ok(_) => self.shared.board.touch_all(),
            Err(error) => tracing::warn!(%error, "the history could not be trimmed"),
        }
    }

    /// Starts the transfers that may start.
    async fn fill(&mut self) {
        if self.is_held {
            return;
        }
        let at_once = match &self.wait {
            None => self.shared.slots.count(),
            // One trial transfer at a time.
            Some(wait) if wait.is_probing && self.is_tried_by_transfer() => 1,
            Some(_) => return,
        };
        while self.active.len() < at_once {
            match self.pick().await {
                Ok(Some(row)) => self.start(row),
                Ok(None) => {
                    if self.active.is_empty() && self.wait.is_some() && self.is_tried_by_transfer() {
                        // No transfer is left that could try, so the wait holds nobody up.
                        self.end_wait();
                    }
                    return;
                }
                Err(error) => return self.take_journal_error(&error),
            }
        }
    }

    /// The next transfer that is not at work.
    async fn pick(&self) -> Result<Option<Row>, Error> {
        let at_once = self.shared.slots.count();
        let large = self.active.values().filter(|active| active.is_large).count();
        let mut best: Option<(i64, Row)> = None;
        for is_large in [false, true] {
            if is_large && large >= at_once.saturating_sub(1).max(1) {
                continue;
            }
            let limit = self.active.len() as u64 + 1;
            let ready = self.shared.journal.list_ready(&self.shared.connection_id, is_large, limit).await?;
            let next = ready.into_iter().find(|(_, row)| !self.active.contains_key(&row.id));
            let is_better = match (&best, &next) {
                (Some((best_priority, best)), Some((priority, row))) => {
                    (*priority, std::cmp::Reverse(row.id)) > (*best_priority, std::cmp::Reverse(best.id))
                }
                (None, Some(_)) => true,
                (_, None) => false,
            };
            if is_better {
                best = next;
            }
        }
        Ok(best.map(|(_, row)| row))
    }

    fn start(&mut self, row: Row) {
        if !self.is_rate_known {
            self.is_rate_known = true;
            let client = self.shared.client().in_lane(Lane::Poll);
            self.background_tasks.spawn(async move {
                let whoami = client.whoami().await;
                BackgroundTask::LearntRate(whoami.ok().map(|whoami| whoami.entitlements.requests_per_minute))
            });
        }
        let (id, is_large) = (row.id, row.is_large);
        let active = self.shared.board.begin(id, row.size_bytes, &row.path);
        let stop = CancellationToken::new();
        let job = QueuedUpload { shared: Arc::clone(&self.shared), row, active, stop: stop.clone() };
        let handle = self.jobs.spawn(async move { (id, Box::pin(job.run()).await) });
        self.active.insert(id, Active { task: handle.id(), is_large, stop });
    }

    async fn take_outcome(&mut self, id: TransferId, outcome: Result<Outcome, Error>) {
        self.active.remove(&id);
        self.shared.board.end(id);
        match outcome {
            Ok(Outcome::Ended(end)) => {
                if matches!(end, End::Sent(_) | End::AlreadyThere(_)) {
                    self.backoff_step = 0;
                    self.end_wait();
                } else {
                    // A failure of one file says nothing about the rest.
                    self.let_another_try();
                }
                self.ended += 1;
                if self.ended >= TRIM_EVERY {
                    self.ended = 0;
                    self.trim().await;
                }
            }
            Ok(Outcome::Settling) => {
                self.plan_settling().await;
                self.let_another_try();
            }
            Ok(Outcome::Stopped) => self.let_another_try(),
            Ok(Outcome::Blocked { waiting, after_ms }) => self.wait_for(waiting, after_ms.map(Duration::from_millis)),
            Err(error) => self.take_journal_error(&error),
        }
    }

    /// Fails the transfer whose task panicked, so that it does not panic for ever.
    async fn take_panic(&mut self, task: TaskId) {
        let Some(id) = self.active.iter().find(|(_, active)| active.task == task).map(|(id, _)| *id) else { return };
        tracing::error!(transfer = %id, "a transfer ended badly");
        self.active.remove(&id);
        self.shared.board.end(id);
        let end = End::Failed(Failure { cause: Cause::Unknown, request_id: None });
        if let Err(error) = self.shared.journal.record_end(id, &end, self.shared.now()).await {
            self.take_journal_error(&error);
        }
    }

    fn take_journal_error(&mut self, error: &Error) {
        tracing::error!(%error, "the journal cannot be used");
        self.wait_for(error.waiting(), None);
    }

    /// Lets the whole queue wait until `waiting` has passed.
    fn wait_for(&mut self, waiting: Waiting, after: Option<Duration>) {
        let was_probing = self.wait.as_ref().is_some_and(|wait| wait.is_probing);
        if self.wait.is_some() && !was_probing {
            // Other transfers at work meet the same cause; the first of them set the time.
            return;
        }
        let settings = &self.shared.settings;
        let doubled = settings.first_probe.saturating_mul(1_u32.checked_shl(self.backoff_step).unwrap_or(u32::MAX));
        let pause = doubled.max(after.unwrap_or_default()).min(settings.last_probe);
        // A few per cent more or less, so that many programs do not come back at the same moment.
        let spread = pause / 20 * u32::try_from(self.shared.now().unsigned_abs() % 5).unwrap_or_default();
        self.backoff_step = self.backoff_step.saturating_add(1);
        self.wait = Some(Wait { look_at: Instant::now() + pause + spread, is_probing: false });
        let mut shown = lock(&self.shared.waiting);
        if shown.as_ref() != Some(&waiting) {
            tracing::info!(?waiting, "the queue waits");
            *shown = Some(waiting);
        }
        drop(shown);
        self.shared.board.touch_summary();
    }

    /// Ends the wait.
    fn end_wait(&mut self) {
        if self.wait.take().is_some() {
            tracing::info!("the queue goes on");
        }
        *lock(&self.shared.waiting) = self.is_held.then_some(Waiting::Metered);
        self.shared.board.touch_summary();
    }

    /// Whether only a transfer can find out that the cause has passed.
    fn is_tried_by_transfer(&self) -> bool {
        matches!(*lock(&self.shared.waiting), Some(Waiting::StorageFull | Waiting::RateLimited))
    }

    /// The trial transfer showed nothing about the wait; the next transfer tries.
    fn let_another_try(&mut self) {
        let is_tried = self.active.is_empty() && self.is_tried_by_transfer();
        if let Some(wait) = &mut self.wait
            && wait.is_probing
            && is_tried
        {
            wait.is_probing = false;
            wait.look_at = Instant::now();
        }
    }

    async fn has_work(&self) -> Result<bool, Error> {
        let (totals, _) = self.shared.journal.get_totals(&self.shared.connection_id).await?;
        Ok(totals.iter().any(|total| matches!(total.state, State::Queued | State::Settling)))
    }

    /// Probes whether the cause of the wait has passed.
    async fn probe(&mut self) {
        if self.wait.is_some() && self.active.is_empty() && matches!(self.has_work().await, Ok(false)) {
            // No transfer waits any more.
            self.end_wait();
        }
        let Some(wait) = &mut self.wait else { return };
        wait.is_probing = true;
        let client_number = self.client_number;
        let waiting = lock(&self.shared.waiting).clone();
        match waiting {
            // `fill` starts a trial transfer.
            Some(Waiting::StorageFull | Waiting::RateLimited) => {}
            Some(Waiting::DiskFull | Waiting::JournalUnusable { .. }) => {
                let shared = Arc::clone(&self.shared);
                self.background_tasks.spawn(async move {
                    let outcome = shared.journal.check(&shared.connection_id).await;
                    BackgroundTask::Probed(outcome.map_err(|error| error.waiting()), None, client_number)
                });
            }
            _ => {
                let client = self.shared.client().in_lane(Lane::Poll);
                let shared = Arc::clone(&self.shared);
                self.background_tasks.spawn(async move {
                    match client.whoami().await {
                        Ok(whoami) => {
                            shared.set_requests_per_minute(whoami.entitlements.requests_per_minute);
                            BackgroundTask::Probed(check_scopes(&whoami), None, client_number)
                        }
                        Err(error) => {
                            BackgroundTask::Probed(Err(waiting_for(&error)), error.retry_after(), client_number)
                        }
                    }
                });
            }
        }
    }

    async fn handle_background_result(&mut self, result: BackgroundTask) {
        match result {
            // The probe's client has been replaced, with its key.
            BackgroundTask::Probed(.., client_number) if client_number != self.client_number => {}
            BackgroundTask::Probed(Ok(()), ..) => self.end_wait(),
            BackgroundTask::Probed(Err(waiting), after, _) => {
                if self.wait.as_ref().is_some_and(|wait| wait.is_probing) {
                    self.wait_for(waiting, after);
                }
            }
            BackgroundTask::LookedAtSettling(looked) => {
                self.is_looking = false;
                match looked {
                    Ok(()) => self.plan_settling().await,
                    Err(error) => {
                        self.settling_due = Some(Instant::now() + self.shared.settings.settle);
                        self.take_journal_error(&error);
                    }
                }
            }
            BackgroundTask::LearntRate(Some(rate)) => {
                self.shared.set_requests_per_minute(rate);
                self.shared.board.touch_summary();
            }
            // The rate is asked for again when the next transfer starts.
            BackgroundTask::LearntRate(None) => self.is_rate_known = false,
        }
    }

    /// Finds out when the next settling file is due.
    async fn plan_settling(&mut self) {
        self.settling_due = match self.shared.journal.get_next_due(&self.shared.connection_id).await {
            Ok(due) => due.map(|due_at| {
                let wait = u64::try_from(due_at.saturating_sub(self.shared.now())).unwrap_or_default();
                // No longer than the settle time, whatever the clock did.
                Instant::now() + Duration::from_micros(wait).min(self.shared.settings.settle)
            }),
            Err(error) => {
                self.take_journal_error(&error);
                Some(Instant::now() + self.shared.settings.settle)
            }
        };
    }

    fn look_at_settling(&mut self) {
        self.is_looking = true;
        self.settling_due = None;
        let shared = Arc::clone(&self.shared);
        self.background_tasks.spawn(async move { BackgroundTask::LookedAtSettling(look_at_settling(&shared).await) });
    }

    /// Carries out an order: in the journal first, then with the transfers at work.
    async fn handle(&mut self, command: Command) {
        let Command { order, which, reply } = command;
        let (journal, connection) = (&self.shared.journal, &self.shared.connection_id);
        let done = match order {
            Order::Pause => journal.pause(connection, which).await,
            Order::Resume => journal.resume(connection, which).await,
            Order::Cancel => journal.cancel(connection, which, self.shared.now()).await,
            Order::Retry => journal.retry(connection, which).await,
            Order::Promote => match which {
                Selection::One(id) => journal.promote(connection, id).await,
                Selection::All => Ok(0),
            },
            Order::LookAgain => Ok(0),
            Order::Hold | Order::Release => {
                self.is_held = order == Order::Hold;
                Ok(0)
            }
            Order::ClientChanged => {
                self.is_rate_known = false;
                Ok(0)
            }
        };
        if done.is_ok() {
            match order {
                Order::Pause => self.stop(which, TransferCommand::Pause),
                // A file that goes up in one request starts again later; the journal has it queued.
                Order::Hold => {
                    self.stop(which, TransferCommand::Pause);
                    self.end_wait();
                }
                Order::Release => self.end_wait(),
                Order::Cancel => self.stop(which, TransferCommand::Cancel),
                // Whoever asks a transfer to go on wants it tried now.
                _ => self.look_now(order == Order::ClientChanged),
            }
        }
        match which {
            Selection::One(id) => self.shared.board.touch(id),
            Selection::All => self.shared.board.touch_all(),
        }
        // The asker may be gone; the order was carried out all the same.
        let _ = reply.send(done);
    }

    fn stop(&mut self, which: Selection, command: TransferCommand) {
        for (id, active) in &self.active {
            if which == Selection::All || which == Selection::One(*id) {
                if let Some(active) = self.shared.board.get(*id) {
                    active.set_command(command);
                }
                active.stop.cancel();
            }
        }
    }

    fn look_now(&mut self, is_new_client: bool) {
        if let Some(wait) = &mut self.wait {
            if is_new_client {
                wait.is_probing = false;
                self.backoff_step = 0;
                self.client_number += 1;
            }
            wait.look_at = Instant::now();
        }
    }
}

/// Waits until a moment; for ever where there is none.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => pending().await,
    }
}

fn check_scopes(whoami: &Whoami) -> Result<(), Waiting> {
    // Where the service does not tell a key's scopes, its refusals will.
    let may_upload =
        whoami.scopes.as_ref().is_none_or(|scopes| scopes.is_empty() || scopes.contains(&Scope::UploadsWrite));
    if may_upload { Ok(()) } else { Err(Waiting::NotPermitted) }
}

/// The cause that the whole queue waits for after a failed probe.
fn waiting_for(error: &ClientError) -> Waiting {
    causes::wait_after(error).unwrap_or(Waiting::NotTheService)
}

/// Looks at settling files that are due.
async fn look_at_settling(shared: &Shared) -> Result<(), Error> {
    let now = shared.now();
    let horizon = now.saturating_add(micros(shared.settings.settle));
    let due = shared.journal.list_due(&shared.connection_id, now, horizon, LOOKED_AT_ONCE).await?;
    let mut settled = Vec::new();
    for row in due {
        let before = Identity { size_bytes: row.size_bytes, modified_at: row.modified_at };
        let readiness = match tokio::fs::symlink_metadata(&row.path).await {
            Ok(metadata) => {
                let seen = Identity::of(&metadata);
                (settle::judge_again(seen, before, shared.settings.settle, shared.now()), seen)
            }
            // The file's upload job finds out what became of it.
            Err(_) => (Readiness::Settled, before),
        };
        match readiness {
            (Readiness::Settled, _) => settled.push(row.id),
            (Readiness::LookAgainAt(due_at), seen) => {
                shared.journal.record_settling(row.id, seen.size_bytes, seen.modified_at, due_at).await?;
            }
        }
        shared.board.touch(row.id);
    }
    if settled.is_empty() {
        return Ok(());
    }
    shared.journal.record_settled(&settled).await
}
