//! The transfers at work: states, bytes and speeds that the journal need not remember.
//!
//! Always true: progress touches only atomics and one short lock, never the journal; whoever waits for news is woken
//! once, however much there is. There is no timer here.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::queue::transfer::{Skipped, State, Transfer};
use crate::queue::upload_job::TransferCommand;
use crate::shared::estimate::Rate;
use crate::shared::ids::TransferId;
use crate::shared::mutex::lock;

/// If more rows changed than this, they are not told one by one.
const MOST_CHANGED: usize = 500;
/// So many bytes may the connection have taken beyond those that were noted: many times as many as between two looks.
const UNNOTED_BYTES: u64 = 8 * 1024 * 1024;

/// One transfer at work.
#[derive(Debug)]
pub(crate) struct ActiveTransfer {
    id: TransferId,
    /// Counts the transfers that were ever at work here.
    number: u64,
    path: PathBuf,
    size_bytes: AtomicU64,
    sent_bytes: AtomicU64,
    is_registering: AtomicBool,
    /// Whether the last byte was ever handed over, in this attempt or an earlier one.
    was_all_handed: AtomicBool,
    rate: Mutex<Rate>,
    /// A person's command meanwhile: 0 none, 1 pause, 2 cancel.
    command: AtomicU8,
}

impl ActiveTransfer {
    /// The transfer's id.
    pub(crate) const fn id(&self) -> TransferId {
        self.id
    }

    /// The path of the transfer's file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn set_size(&self, size_bytes: u64) {
        self.size_bytes.store(size_bytes, Ordering::Relaxed);
    }

    pub(crate) fn command(&self) -> Option<TransferCommand> {
        match self.command.load(Ordering::Acquire) {
            0 => None,
            1 => Some(TransferCommand::Pause),
            _ => Some(TransferCommand::Cancel),
        }
    }

    /// Notes a command; a pause does not take back a cancel.
    pub(crate) fn set_command(&self, command: TransferCommand) {
        self.command.fetch_max(if command == TransferCommand::Pause { 1 } else { 2 }, Ordering::AcqRel);
    }

    /// Whether the last byte of the file was handed over in this attempt, so that the service may be acting.
    pub(crate) fn is_all_handed(&self) -> bool {
        self.sent_bytes.load(Ordering::Acquire) >= self.size_bytes.load(Ordering::Relaxed)
    }

    /// Whether the last byte was handed over in any attempt, so that the service may have acted.
    pub(crate) fn was_all_handed(&self) -> bool {
        self.was_all_handed.load(Ordering::Acquire)
    }

    /// Whether the last byte may have been handed over by now. The connection takes bytes on a task of its own, so the
    /// noted number is from a moment ago.
    pub(crate) fn may_have_handed_all(&self) -> bool {
        let noted = self.sent_bytes.load(Ordering::Acquire);
        self.was_all_handed() || noted.saturating_add(UNNOTED_BYTES) >= self.size_bytes.load(Ordering::Relaxed)
    }

    fn state(&self) -> State {
        if self.is_registering.load(Ordering::Relaxed) { State::Registering } else { State::Sending }
    }
}

#[derive(Debug, Default)]
struct Dirty {
    ids: HashSet<TransferId>,
    list_again: bool,
}

/// Changes since the last call.
#[derive(Debug, Default)]
pub(crate) struct QueueChanges {
    pub ids: Vec<TransferId>,
    pub list_again: bool,
}

/// The transfers at work in one queue, and what changed in it.
#[derive(Debug)]
pub(crate) struct Board {
    active: Mutex<HashMap<TransferId, Arc<ActiveTransfer>>>,
    dirty: Mutex<Dirty>,
    /// Items of drops that were skipped after their caller had gone; kept until somebody listens.
    skipped: Mutex<Vec<Skipped>>,
    /// Bytes handed over since the queue began.
    handed_bytes: AtomicU64,
    /// Small files that ended since the queue began.
    small_done: AtomicU64,
    begun: AtomicU64,
    wake: Notify,
    ended: Notify,
    began: Instant,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self {
            active: Mutex::default(),
            dirty: Mutex::default(),
            skipped: Mutex::default(),
            handed_bytes: AtomicU64::new(0),
            small_done: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            wake: Notify::new(),
            ended: Notify::new(),
            began: Instant::now(),
        }
    }

    pub(crate) fn begin(&self, id: TransferId, size_bytes: u64, path: &Path) -> Arc<ActiveTransfer> {
        let active = Arc::new(ActiveTransfer {
            id,
            number: self.begun.fetch_add(1, Ordering::Relaxed),
            path: path.to_owned(),
            size_bytes: AtomicU64::new(size_bytes),
            sent_bytes: AtomicU64::new(0),
            is_registering: AtomicBool::new(false),
            was_all_handed: AtomicBool::new(false),
            rate: Mutex::default(),
            command: AtomicU8::new(0),
        });
        lock(&self.active).insert(id, Arc::clone(&active));
        self.touch(id);
        active
    }

    pub(crate) fn end(&self, id: TransferId) {
        lock(&self.active).remove(&id);
        self.ended.notify_waiters();
        self.touch(id);
    }

    /// A transfer that began before this one and has a file of the same size, except those in `different`.
    pub(crate) fn find_earlier_of_its_size(
        &self,
        active: &ActiveTransfer,
        different: &[TransferId],
    ) -> Option<Arc<ActiveTransfer>> {
        let size_bytes = active.size_bytes.load(Ordering::Relaxed);
        let is_one = |other: &&Arc<ActiveTransfer>| {
            other.number < active.number
                && other.size_bytes.load(Ordering::Relaxed) == size_bytes
                && !different.contains(&other.id)
        };
        lock(&self.active).values().find(is_one).cloned()
    }

    /// Waits until a transfer is no longer at work.
    pub(crate) async fn until_ended(&self, id: TransferId) {
        loop {
            let ended = self.ended.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            if self.get(id).is_none() {
                return;
            }
            ended.await;
        }
    }

    pub(crate) fn get(&self, id: TransferId) -> Option<Arc<ActiveTransfer>> {
        lock(&self.active).get(&id).cloned()
    }

    pub(crate) fn list(&self) -> Vec<Arc<ActiveTransfer>> {
        lock(&self.active).values().cloned().collect()
    }

    pub(crate) fn is_at_work(&self) -> bool {
        !lock(&self.active).is_empty()
    }

    pub(crate) fn ids(&self) -> Vec<TransferId> {
        lock(&self.active).keys().copied().collect()
    }

    /// Bytes that the transfers at work have handed over.
    pub(crate) fn sent_bytes(&self) -> u64 {
        lock(&self.active).values().map(|active| active.sent_bytes.load(Ordering::Relaxed)).sum()
    }

    /// Whether some file is half over, so that passing time says something about the connection.
    pub(crate) fn is_moving(&self) -> bool {
        lock(&self.active)
            .values()
            .any(|active| active.sent_bytes.load(Ordering::Relaxed) > 0 && !active.is_all_handed())
    }

    /// Notes how many bytes of the file were handed over in this attempt.
    pub(crate) fn note_sent(&self, active: &ActiveTransfer, sent_bytes: u64) {
        let before = active.sent_bytes.swap(sent_bytes, Ordering::AcqRel);
        self.handed_bytes.fetch_add(sent_bytes.saturating_sub(before), Ordering::Relaxed);
        let is_all_handed = active.is_all_handed();
        active.was_all_handed.fetch_or(is_all_handed, Ordering::AcqRel);
        active.is_registering.store(is_all_handed, Ordering::Relaxed);
        self.touch(active.id);
    }

    /// Notes that only the answer is still to come.
    pub(crate) fn note_registering(&self, active: &ActiveTransfer) {
        active.sent_bytes.store(active.size_bytes.load(Ordering::Relaxed), Ordering::Release);
        active.is_registering.store(true, Ordering::Relaxed);
        self.touch(active.id);
    }

    /// Notes that a new attempt begins.
    pub(crate) fn note_restart(&self, active: &ActiveTransfer) {
        active.sent_bytes.store(0, Ordering::Release);
        active.was_all_handed.store(false, Ordering::Release);
        active.is_registering.store(false, Ordering::Relaxed);
        self.touch(active.id);
    }

    pub(crate) fn note_small_done(&self) {
        self.small_done.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn handed_bytes(&self) -> u64 {
        self.handed_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn small_done(&self) -> u64 {
        self.small_done.load(Ordering::Relaxed)
    }

    /// Milliseconds since the queue began.
    pub(crate) fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Notes that one row changed.
    pub(crate) fn touch(&self, id: TransferId) {
        let mut dirty = lock(&self.dirty);
        if dirty.ids.len() < MOST_CHANGED {
            dirty.ids.insert(id);
        } else if !dirty.ids.contains(&id) {
            dirty.list_again = true;
        }
        drop(dirty);
        self.wake.notify_one();
    }

    /// Notes that many rows changed, or some are gone.
    pub(crate) fn touch_all(&self) {
        lock(&self.dirty).list_again = true;
        self.wake.notify_one();
    }

    /// Notes that only the summary changed.
    pub(crate) fn touch_summary(&self) {
        self.wake.notify_one();
    }

    /// Notes that changes could not be told; the next batch says to list again.
    pub(crate) fn touch_all_later(&self) {
        lock(&self.dirty).list_again = true;
    }

    /// Keeps items of a drop that were skipped after their caller had gone.
    pub(crate) fn note_skipped(&self, skipped: Vec<Skipped>) {
        if !skipped.is_empty() {
            lock(&self.skipped).extend(skipped);
            self.wake.notify_one();
        }
    }

    /// Takes the items that were skipped since the last call.
    pub(crate) fn take_skipped(&self) -> Vec<Skipped> {
        std::mem::take(&mut *lock(&self.skipped))
    }

    /// Waits until something changes.
    pub(crate) async fn news(&self) {
        self.wake.notified().await;
    }

    /// Takes the changes since the last call.
    pub(crate) fn take_changes(&self) -> QueueChanges {
        let dirty = std::mem::take(&mut *lock(&self.dirty));
        QueueChanges { ids: dirty.ids.into_iter().collect(), list_again: dirty.list_again }
    }

    /// Brings the speed of every transfer at work up to date.
    pub(crate) fn observe_rates(&self) {
        let now_ms = self.now_ms();
        for active in self.list() {
            lock(&active.rate).observe(now_ms, active.sent_bytes.load(Ordering::Relaxed));
        }
    }

    /// Puts the live state over the journal's, unless the journal has the end: it is written down a moment before the
    /// transfer leaves the board.
    pub(crate) fn lay_over(&self, transfer: &mut Transfer) {
        let Some(active) = self.get(transfer.id) else { return };
        match transfer.state {
            State::Sent | State::AlreadyThere | State::Failed => return,
            // A cancel whose last byte may have gone is settled first.
            State::Canceled if !active.may_have_handed_all() => return,
            _ => {}
        }
        transfer.state = active.state();
        transfer.failure = None;
        transfer.finished_at = None;
        transfer.size_bytes = active.size_bytes.load(Ordering::Relaxed);
        transfer.sent_bytes = active.sent_bytes.load(Ordering::Relaxed).min(transfer.size_bytes);
        transfer.restarts_on_pause = transfer.state == State::Sending;
        if transfer.state == State::Sending {
            transfer.bytes_per_second = lock(&active.rate).whole();
            let left = transfer.size_bytes - transfer.sent_bytes;
            transfer.time_left_ms =
                left.saturating_mul(1_000).checked_div(transfer.bytes_per_second).filter(|_| left > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use easel_wire::Timestamp;

    use super::*;
    use crate::queue::transfer::Kind;

    fn transfer(id: TransferId, state: State) -> Transfer {
        Transfer {
            id,
            kind: Kind::File,
            path: PathBuf::from("/a"),
            name: "a".to_owned(),
            relative_dir: String::new(),
            size_bytes: 3,
            sent_bytes: 0,
            bytes_per_second: 0,
            time_left_ms: None,
            state,
            failure: None,
            restarts_on_pause: false,
            target_folder: None,
            result: None,
            created_at: Timestamp::from_micros(0),
            finished_at: None,
        }
    }

    #[test]
    fn an_end_that_is_written_down_is_shown_though_its_work_has_not_left_yet() {
        let board = Board::new();
        let id = TransferId(7);
        let active = board.begin(id, UNNOTED_BYTES * 2, Path::new("/a"));
        let check = |written: State, shown: State| {
            let mut transfer = transfer(id, written);
            board.lay_over(&mut transfer);
            assert_eq!(transfer.state, shown, "written: {written:?}");
        };
        for over in [State::Sent, State::AlreadyThere, State::Failed, State::Canceled] {
            check(over, over);
        }
        check(State::Queued, State::Sending);
        active.is_registering.store(true, Ordering::Relaxed);
        check(State::Queued, State::Registering);
        check(State::Sent, State::Sent);
        // The last byte may have gone, so it is not known whether the file is in the drive.
        active.set_size(UNNOTED_BYTES);
        check(State::Canceled, State::Registering);
    }
}
