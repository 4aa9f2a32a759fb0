//! Who is at work on a content of a bucket: those who bring it, or the one who removes it, and never both.
//!
//! A bucket is asked for nothing while the database's write lock is held, because it may be slow or away. So what that lock does for a
//! folder is done here for each hash: in memory for the parts of this process, and where several processes share the bucket, by what they
//! agree on among each other ([`Others`]). Always true: nothing is brought to a place while a request that removes it may still
//! arrive there; a removal whose answer was lost is asked for again until it is known, and the content is refused so long. Not here: which
//! contents are removed, which is decided under the write lock, and by what means processes agree, which is their database's.

use std::any::Any;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::Notify;

use super::place::ContentHash;
use crate::core::error::Error;

/// So long a content that is just being removed is waited for.
const PATIENCE: Duration = Duration::from_secs(15);

/// The pause before other processes are asked again.
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// The other processes at the same bucket.
pub trait Others: Debug + Send + Sync {
    /// Takes the content for somebody who brings it; `None` while another process removes it, or may have.
    fn claim(&self, hash: ContentHash) -> BoxFuture<'_, Result<Option<SharedClaim>, Error>>;

    /// Takes the content for its removal; `None` while another process brings or removes it, and while a backup holds everything.
    fn begin_removal(&self, hash: ContentHash) -> BoxFuture<'_, Result<Option<Box<dyn SharedRemoval>>, Error>>;

    /// Leave to remove what is staged; `None` while a backup holds everything, whichever process takes it.
    fn leave_to_remove(&self) -> BoxFuture<'_, Result<Option<Leave>, Error>>;
}

/// Keeps a backup waiting as long as it lives.
pub type Leave = Box<dyn Any + Send + Sync>;

/// As long as it lives, no other process removes the content.
#[derive(Debug)]
pub struct SharedClaim {
    /// How often the content had been removed by then.
    pub removals: i64,
    /// What holds it.
    #[expect(dead_code, reason = "the content is held by what is there")]
    pub hold: Box<dyn Any + Send + Sync>,
}

/// The right to remove a content that other processes may want to bring.
pub trait SharedRemoval: Debug + Send + Sync {
    /// Whether no other process can have it meanwhile.
    fn is_held(&self) -> BoxFuture<'_, bool>;

    /// Tells the others that the content is known to be gone.
    fn end(self: Box<Self>) -> BoxFuture<'static, ()>;
}

/// What goes on with a content in this process.
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
    others: Option<Arc<dyn Others>>,
}

/// As long as it lives, the content is not removed.
#[derive(Debug)]
pub(super) struct Claim {
    gate: Arc<Gate>,
    hash: ContentHash,
    shared: Option<SharedClaim>,
}

/// The right to remove a content. Dropped after [`Self::send`] and without [`Self::done`], the removal is in doubt.
#[derive(Debug)]
pub(super) struct Removal {
    gate: Arc<Gate>,
    hash: ContentHash,
    shared: Option<Box<dyn SharedRemoval>>,
    is_in_doubt: bool,
}

impl Gate {
    /// A gate that other processes share.
    pub(super) fn shared_with(others: Arc<dyn Others>) -> Self {
        Self { others: Some(others), ..Self::default() }
    }

    fn states(&self) -> MutexGuard<'_, HashMap<ContentHash, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the content for somebody who brings it; `None` where it is being removed for too long.
    ///
    /// # Errors
    /// Where the others cannot be asked.
    pub(super) async fn claim(self: &Arc<Self>, hash: ContentHash) -> Result<Option<Claim>, Error> {
        let claimed = async {
            loop {
                let mut claim = self.claim_here(hash).await;
                let Some(others) = &self.others else { return Ok(claim) };
                claim.shared = others.claim(hash).await?;
                if claim.shared.is_some() {
                    return Ok(claim);
                }
                drop(claim);
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
        };
        tokio::time::timeout(PATIENCE, claimed).await.ok().transpose()
    }

    async fn claim_here(self: &Arc<Self>, hash: ContentHash) -> Claim {
        loop {
            let changed = self.changed.notified();
            if let Some(claim) = self.try_claim(hash) {
                return claim;
            }
            changed.await;
        }
    }

    fn try_claim(self: &Arc<Self>, hash: ContentHash) -> Option<Claim> {
        let mut states = self.states();
        match states.entry(hash).or_insert(State::Brought(0)) {
            State::Brought(count) => *count += 1,
            State::Going | State::InDoubt => return None,
        }
        Some(Claim { gate: Arc::clone(self), hash, shared: None })
    }

    /// Takes the content for its removal; `None` while somebody brings or removes it.
    ///
    /// # Errors
    /// Where the others cannot be asked.
    pub(super) async fn begin_removal(self: &Arc<Self>, hash: ContentHash) -> Result<Option<Removal>, Error> {
        let Some(mut removal) = self.begin_here(hash) else { return Ok(None) };
        let Some(others) = &self.others else { return Ok(Some(removal)) };
        removal.shared = others.begin_removal(hash).await?;
        Ok(removal.shared.is_some().then_some(removal))
    }

    /// Leave of the other processes to remove what is staged; `None` while a backup holds everything.
    ///
    /// # Errors
    /// Where the others cannot be asked.
    pub(super) async fn leave_to_remove(&self) -> Result<Option<Leave>, Error> {
        match &self.others {
            None => Ok(Some(Box::new(()))),
            Some(others) => others.leave_to_remove().await,
        }
    }

    fn begin_here(self: &Arc<Self>, hash: ContentHash) -> Option<Removal> {
        let mut states = self.states();
        if matches!(states.get(&hash), Some(State::Brought(_) | State::Going)) {
            return None;
        }
        let is_in_doubt = states.insert(hash, State::Going).is_some();
        Some(Removal { gate: Arc::clone(self), hash, shared: None, is_in_doubt })
    }
}

impl Claim {
    /// How often the content had been removed when it was claimed; `None` where this process is the only one.
    pub(super) fn removals(&self) -> Option<i64> {
        self.shared.as_ref().map(|shared| shared.removals)
    }
}

impl Removal {
    /// Whether others have to be told before it begins.
    pub(super) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Begins to send the request: from here on it may arrive. False where another process may have the content by now.
    pub(super) async fn send(&mut self) -> bool {
        let is_held = match &self.shared {
            Some(shared) => shared.is_held().await,
            None => true,
        };
        self.is_in_doubt |= is_held;
        is_held
    }

    /// The content is known to be gone.
    pub(super) async fn done(mut self) {
        if let Some(shared) = self.shared.take() {
            shared.end().await;
        }
        self.is_in_doubt = false;
    }
}

impl Drop for Removal {
    fn drop(&mut self) {
        let mut states = self.gate.states();
        if self.is_in_doubt {
            states.insert(self.hash, State::InDoubt);
        } else {
            states.remove(&self.hash);
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
        let (first, second) = (gate.claim(ONE).await.unwrap().unwrap(), gate.claim(ONE).await.unwrap().unwrap());
        assert!(gate.begin_removal([2; 32]).await.unwrap().is_some(), "another is nobody's");
        drop(first);
        assert!(gate.begin_removal(ONE).await.unwrap().is_none(), "the second still brings it");
        drop(second);
        let mut removal = gate.begin_removal(ONE).await.unwrap().unwrap();
        assert!(removal.send().await, "there is nobody else");
        assert!(gate.begin_removal(ONE).await.unwrap().is_none(), "one removes it");
        let waiting = tokio::spawn({
            let gate = Arc::clone(&gate);
            async move { gate.claim(ONE).await.unwrap().is_some() }
        });
        tokio::task::yield_now().await;
        removal.done().await;
        assert!(waiting.await.unwrap(), "whoever brings it waits until it is gone");
        assert!(gate.states().iter().all(|(hash, _)| *hash != ONE), "nothing is remembered of it");
    }

    #[tokio::test(start_paused = true)]
    async fn a_removal_in_doubt_refuses_the_content_until_it_is_known() {
        let gate = Arc::new(Gate::default());
        drop(gate.begin_removal(ONE).await.unwrap());
        assert!(gate.claim(ONE).await.unwrap().is_some(), "nothing was sent");
        let mut removal = gate.begin_removal(ONE).await.unwrap().unwrap();
        removal.send().await;
        drop(removal);
        assert!(gate.claim(ONE).await.unwrap().is_none(), "a request that removes it may be on its way");
        drop(gate.begin_removal(ONE).await.unwrap());
        assert!(gate.claim(ONE).await.unwrap().is_none(), "nothing more is known");
        gate.begin_removal(ONE).await.unwrap().unwrap().done().await;
        assert!(gate.claim(ONE).await.unwrap().is_some());
    }
}
