//! Tells the window what changed: in batches, at most ten a second, none while nothing changes.
//!
//! Always true: there is no timer while the queue is at rest; while a transfer is at work, a look every half second
//! keeps the speeds true when nothing moves. Not here: the listeners.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::time::sleep;

use crate::queue::journal::Total;
use crate::queue::state::Shared;
use crate::queue::transfer::{Batch, State, Summary, Transfer};
use crate::shared::error::Error;
use crate::shared::estimate::LimitedBy;
use crate::shared::estimate::{Rate, RemainingWork, Speeds, estimate};
use crate::shared::ids::TransferId;
use crate::shared::mutex::lock;

/// The least time between two batches.
const BETWEEN_BATCHES: Duration = Duration::from_millis(100);
/// How often speeds are brought up to date while a transfer is at work and nothing is heard of it.
const LOOK_WHILE_AT_WORK: Duration = Duration::from_millis(500);

/// The rates of a queue.
#[derive(Debug, Default)]
pub(crate) struct Pacing {
    /// The speed that is shown.
    shown: Rate,
    /// The connection's speed while a file is half over: small files say nothing about it.
    capacity: Rate,
    /// Small files that ended.
    small_files: Rate,
    was_moving: bool,
}

impl Pacing {
    fn observe(&mut self, shared: &Shared) {
        let board = &shared.board;
        let (now_ms, handed_bytes) = (board.now_ms(), board.handed_bytes());
        let is_moving = board.is_moving();
        self.shown.observe(now_ms, handed_bytes);
        if is_moving && self.was_moving {
            self.capacity.observe(now_ms, handed_bytes);
        } else {
            self.capacity.skip(now_ms, handed_bytes);
        }
        self.was_moving = is_moving;
        self.small_files.observe(now_ms, board.small_done());
    }

    /// With nothing at work there is no speed; the measured rates of the connection stay.
    fn rest(&mut self) {
        (self.shown, self.small_files, self.was_moving) = (Rate::default(), Rate::default(), false);
    }
}

/// Sends batches until the queue ends.
pub(crate) async fn publish(shared: Arc<Shared>, batches: broadcast::Sender<Arc<Batch>>) {
    let mut last_summary = None;
    let mut last_rows: HashMap<TransferId, Transfer> = HashMap::new();
    loop {
        let is_at_work = shared.board.is_at_work();
        let look = async { if is_at_work { sleep(LOOK_WHILE_AT_WORK).await } else { pending().await } };
        tokio::select! {
            biased;
            () = shared.cancel.cancelled() => return,
            () = shared.board.news() => {}
            () = look => {}
        }
        shared.board.observe_rates();
        {
            let mut pacing = lock(&shared.pacing);
            if shared.board.is_at_work() { pacing.observe(&shared) } else { pacing.rest() }
        }
        let changes = shared.board.take_changes();
        if batches.receiver_count() == 0 {
            last_summary = None;
            last_rows.clear();
        } else {
            let mut ids = shared.board.ids();
            ids.extend(changes.ids);
            ids.sort_unstable();
            ids.dedup();
            match build(&shared, &ids, changes.list_again).await {
                Ok(mut batch) => {
                    batch.changed.retain(|row| last_rows.get(&row.id) != Some(row));
                    batch.skipped = shared.board.take_skipped();
                    let is_news = batch.list_again
                        || !batch.changed.is_empty()
                        || !batch.skipped.is_empty()
                        || last_summary.as_ref() != Some(&batch.summary);
                    if is_news {
                        for row in &batch.changed {
                            last_rows.insert(row.id, row.clone());
                        }
                        let at_work = shared.board.ids();
                        last_rows.retain(|id, _| at_work.contains(id));
                        last_summary = Some(batch.summary.clone());
                        // Nobody listening any more is no error.
                        let _ = batches.send(Arc::new(batch));
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "changes could not be read from the journal");
                    shared.board.touch_all_later();
                }
            }
        }
        tokio::select! {
            biased;
            () = shared.cancel.cancelled() => return,
            () = sleep(BETWEEN_BATCHES) => {}
        }
    }
}

async fn build(shared: &Shared, ids: &[TransferId], list_again: bool) -> Result<Batch, Error> {
    let mut changed = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(row) = shared.journal.get_row(&shared.connection_id, *id).await? {
            let mut transfer = row.into_transfer();
            shared.board.lay_over(&mut transfer);
            changed.push(transfer);
        }
    }
    Ok(Batch { summary: summarize(shared).await?, changed, list_again, skipped: Vec::new() })
}

/// The whole queue's summary.
pub(crate) async fn summarize(shared: &Shared) -> Result<Summary, Error> {
    let (totals, walking) = shared.journal.get_totals(&shared.connection_id).await?;
    let active = shared.board.list().len() as u64;
    let in_flight = shared.board.sent_bytes();
    let waiting = lock(&shared.waiting).clone();
    let (shown, speeds) = {
        let pacing = lock(&shared.pacing);
        let speeds = Speeds {
            bytes_per_second: pacing.capacity.per_second(),
            small_files_per_second: pacing.small_files.per_second(),
            requests_per_minute: shared.requests_per_minute(),
        };
        (pacing.shown.whole(), speeds)
    };
    let mut summary = count(&totals, in_flight);
    summary.active = active;
    summary.is_counting = walking > 0;
    summary.bytes_per_second = shown;
    if waiting.is_none() {
        (summary.time_left_ms, summary.limited_by) = estimate(work_left(&totals, in_flight), speeds);
    }
    summary.waiting = waiting;
    Ok(summary)
}

/// Sums up the transfers that count: unfinished ones, failed ones, and those that finished in this round.
fn count(totals: &[Total], in_flight_bytes: u64) -> Summary {
    let mut summary = Summary {
        total: 0,
        finished: 0,
        active: 0,
        failed: 0,
        paused: 0,
        bytes_total: 0,
        bytes_sent: in_flight_bytes,
        bytes_per_second: 0,
        time_left_ms: None,
        limited_by: LimitedBy::Nothing,
        waiting: None,
        is_counting: false,
    };
    for total in totals {
        match total.state {
            State::Canceled => continue,
            State::Sent | State::AlreadyThere if !total.is_this_round => continue,
            State::Sent | State::AlreadyThere => {
                summary.finished += total.files;
                summary.bytes_sent += total.bytes;
            }
            State::Failed => {
                summary.failed += total.files;
                summary.total += total.files;
                continue;
            }
            State::Paused => summary.paused += total.files,
            _ => {}
        }
        summary.total += total.files;
        summary.bytes_total += total.bytes;
    }
    summary.bytes_sent = summary.bytes_sent.min(summary.bytes_total);
    summary
}

/// The queued work that is left.
fn work_left(totals: &[Total], in_flight_bytes: u64) -> RemainingWork {
    let mut work = RemainingWork::default();
    for total in totals.iter().filter(|total| matches!(total.state, State::Queued | State::Settling)) {
        work.bytes += total.bytes;
        if total.is_large {
            work.large_files += total.files;
        } else {
            work.small_files += total.files;
        }
    }
    work.bytes = work.bytes.saturating_sub(in_flight_bytes);
    work
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finished_in_an_earlier_round_no_longer_counts() {
        let total =
            |is_this_round, state, files| Total { is_this_round, state, is_large: false, files, bytes: files * 10 };
        let summary = count(
            &[
                total(false, State::Sent, 7),
                total(true, State::Sent, 2),
                total(true, State::AlreadyThere, 1),
                total(true, State::Queued, 4),
                total(false, State::Paused, 1),
                total(false, State::Failed, 1),
                total(true, State::Canceled, 5),
            ],
            15,
        );
        assert_eq!((summary.total, summary.finished, summary.failed, summary.paused), (9, 3, 1, 1));
        assert_eq!((summary.bytes_total, summary.bytes_sent), (80, 45));
    }
}
