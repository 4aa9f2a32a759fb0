//! Who is at work on a content of a bucket: those who bring it, or the one who removes it, and never both.
//!
//! A bucket is asked for nothing while the database's write lock is held, because it may be slow or away. So what that lock does for a
//! folder is done here for each hash. Always true: nothing is brought to a place while a request that removes it may still
//! arrive there; a removal whose answer was lost is asked for again until it is known, and the content is refused so long. Held in
//! memory: it speaks for one process. Not here: which contents are removed, which is decided under the write lock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::place::ContentHash;

/// So long a content that is just being removed is waited for.
const PATIENCE: Duration = Duration::from_secs(15);

/// What goes on with a content.
#[derive(Debug, PartialEq, Eq)]
enum State {
    /// So many bring it, or have brought it and wait for their row.
    Brought(usize),
    /// It is being removed now.
    Going,
    /// Whether it was removed is not known.
    InDoubt,
}

/// The contents that somebody is at work on.
#[derive(Debug, Default)]
pub(super) struct Gate {
    states: Mutex<HashMap<ContentHash, State>>,
    changed: Notify,
}

/// As long as it lives, the content is not removed.
#[derive(Debug)]
pub(super) struct Claim {
    gate: Arc<Gate>,
    hash: ContentHash,
}

/// The right to remove a content. Dropped without [`Self::done`], the removal is in doubt.
#[derive(Debug)]
pub(super) struct Removal {
    gate: Arc<Gate>,
    hash: ContentHash,
    is_done: bool,
}

impl Gate {
    fn states(&self) -> MutexGuard<'_, HashMap<ContentHash, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the content for somebody who brings it; `None` where it is being removed for too long.
    pub(super) async fn claim(self: &Arc<Self>, hash: ContentHash) -> Option<Claim> {
        let claimed = async {
            loop {
                let changed = self.changed.notified();
                if let Some(claim) = self.try_claim(hash) {
                    return claim;
                }
                changed.await;
            }
        };
        tokio::time::timeout(PATIENCE, claimed).await.ok()
    }

    fn try_claim(self: &Arc<Self>, hash: ContentHash) -> Option<Claim> {
        let mut states = self.states();
        match states.entry(hash).or_insert(State::Brought(0)) {
            State::Brought(count) => *count += 1,
            State::Going | State::InDoubt => return None,
        }
        Some(Claim { gate: Arc::clone(self), hash })
    }

    /// Takes the content for its removal; `None` while somebody brings or removes it.
    pub(super) fn begin_removal(self: &Arc<Self>, hash: ContentHash) -> Option<Removal> {
        let mut states = self.states();
        if matches!(states.get(&hash), Some(State::Brought(_) | State::Going)) {
            return None;
        }
        states.insert(hash, State::Going);
        Some(Removal { gate: Arc::clone(self), hash, is_done: false })
    }
}

impl Removal {
    /// The content is known to be gone.
    pub(super) fn done(mut self) {
        self.is_done = true;
    }
}

impl Drop for Removal {
    fn drop(&mut self) {
        let mut states = self.gate.states();
        if self.is_done {
            states.remove(&self.hash);
        } else {
            states.insert(self.hash, State::InDoubt);
        }
        drop(states);
        self.gate.changed.notify_waiters();
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut states = self.gate.states();
        if let Some(State::Brought(count)) = states.get_mut(&self.hash) {
            *count -= 1;
            if *count == 0 {
                states.remove(&self.hash);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: ContentHash = [1; 32];

    #[tokio::test(start_paused = true)]
    async fn a_content_is_brought_or_removed_and_never_both() {
        let gate = Arc::new(Gate::default());
        let (first, second) = (gate.claim(ONE).await.unwrap(), gate.claim(ONE).await.unwrap());
        assert!(gate.begin_removal([2; 32]).is_some(), "another is nobody's");
        drop(first);
        assert!(gate.begin_removal(ONE).is_none(), "the second still brings it");
        drop(second);
        let removal = gate.begin_removal(ONE).unwrap();
        assert!(gate.begin_removal(ONE).is_none(), "one removes it");
        let waiting = tokio::spawn({
            let gate = Arc::clone(&gate);
            async move { gate.claim(ONE).await.is_some() }
        });
        tokio::task::yield_now().await;
        removal.done();
        assert!(waiting.await.unwrap(), "whoever brings it waits until it is gone");
        assert!(gate.states().iter().all(|(hash, _)| *hash != ONE), "nothing is remembered of it");
    }

    #[tokio::test(start_paused = true)]
    async fn a_removal_in_doubt_refuses_the_content_until_it_is_known() {
        let gate = Arc::new(Gate::default());
        drop(gate.begin_removal(ONE));
        assert!(gate.claim(ONE).await.is_none(), "a request that removes it may be on its way");
        gate.begin_removal(ONE).unwrap().done();
        assert!(gate.claim(ONE).await.is_some());
    }
}
