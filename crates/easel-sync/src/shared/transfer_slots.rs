//! Transfer slots: how many transfers may move bytes at once, shared by the queue and the synced folders of a
//! connection.
//!
//! Always true: a person's own transfers never wait for a folder's; a folder's transfer begins only while all transfers
//! at work are fewer than the slots, except that small ones need no slot while no person's transfer is at work: they take
//! as long as any other request, and a folder bounds its requests itself. Not here: the request budget (`easel-client`),
//! which comes after a slot.

use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::shared::mutex::lock;

/// The size in bytes up to which a file is small: it is one request of hardly more bytes than another.
const SMALL_BYTES: u64 = 64 * 1024;

/// Slots for transfers. Cheap to clone; all clones share them.
#[derive(Debug, Clone)]
pub struct TransferSlots {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug, Clone, Copy)]
struct State {
    slots: usize,
    people: usize,
    folders: usize,
}

/// A slot that a folder's transfer has taken; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct TransferSlot {
    inner: Arc<Inner>,
}

impl Default for TransferSlots {
    fn default() -> Self {
        Self::new(3)
    }
}

impl TransferSlots {
    /// New slots: this many, at least one.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        let state = State { slots: slots.max(1), people: 0, folders: 0 };
        Self { inner: Arc::new(Inner { state: Mutex::new(state), freed: Notify::new() }) }
    }

    /// How many slots there are.
    #[must_use]
    pub fn count(&self) -> usize {
        lock(&self.inner.state).slots
    }

    /// Changes the number of slots, at least one. Transfers at work go on.
    pub fn resize(&self, slots: usize) {
        lock(&self.inner.state).slots = slots.max(1);
        self.inner.freed.notify_waiters();
    }

    /// Notes how many transfers of people are at work now.
    pub(crate) fn note_people(&self, people: usize) {
        let mut state = lock(&self.inner.state);
        let is_fewer = people < state.people;
        state.people = people;
        drop(state);
        if is_fewer {
            self.inner.freed.notify_waiters();
        }
    }

    /// Waits until a folder's transfer of so many bytes may begin; `None` where it needs no slot.
    pub(crate) async fn take(&self, size_bytes: u64) -> Option<TransferSlot> {
        loop {
            let mut freed = std::pin::pin!(self.inner.freed.notified());
            freed.as_mut().enable();
            {
                let mut state = lock(&self.inner.state);
                if state.people == 0 && size_bytes <= SMALL_BYTES {
                    return None;
                }
                if state.people + state.folders < state.slots {
                    state.folders += 1;
                    return Some(TransferSlot { inner: Arc::clone(&self.inner) });
                }
            }
            freed.await;
        }
    }
}

impl Drop for TransferSlot {
    fn drop(&mut self) {
        let mut state = lock(&self.inner.state);
        state.folders = state.folders.saturating_sub(1);
        drop(state);
        self.inner.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Duration, timeout};

    use super::*;

    async fn is_free(slots: &TransferSlots) -> bool {
        timeout(Duration::from_millis(1), slots.take(u64::MAX)).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn small_files_wait_for_people_alone() {
        let slots = TransferSlots::new(1);
        let large = slots.take(SMALL_BYTES + 1).await;
        assert!(large.is_some());
        assert!(slots.take(SMALL_BYTES).await.is_none());
        slots.note_people(1);
        assert!(timeout(Duration::from_millis(1), slots.take(1)).await.is_err());
        drop(large);
        assert!(timeout(Duration::from_millis(1), slots.take(1)).await.is_err());
        slots.note_people(0);
        assert!(slots.take(1).await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_folder_takes_what_people_leave() {
        let slots = TransferSlots::new(2);
        let first = slots.take(u64::MAX).await;
        let second = slots.take(u64::MAX).await;
        assert!(!is_free(&slots).await);
        drop(first);
        slots.note_people(1);
        assert!(!is_free(&slots).await);
        slots.note_people(0);
        assert!(is_free(&slots).await);
        drop(second);
        slots.note_people(2);
        let waiting = tokio::spawn({
            let slots = slots.clone();
            async move { drop(slots.take(u64::MAX).await) }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        slots.resize(3);
        waiting.await.unwrap();
    }
}
