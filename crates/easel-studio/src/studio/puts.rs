//! The PUTs under way: one for each storage key, and their sum for each organization.
//!
//! Always true: the holder of a [`Put`] is the only one that writes under its storage key, until it is dropped; a
//! further PUT waits a while, because the one before may be a broken connection whose end is just being noticed. The
//! bytes that a PUT announces, and those that come unannounced, are reserved from the quota of its organization before
//! they are written, together with all other PUTs under way, so that no number of them fills the disk beyond the quota. Where several
//! processes serve, each reserves for itself on its own disk; the one under a storage key is the only one in all of them.
//! Not here: the final check of the quota, which is made under the write lock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::core::error::Error;
use crate::db::presence::{Hold, Presence, Way};
use crate::wire::OrganizationId;

/// How long a PUT waits for the one before it under the same storage key.
const PATIENCE: Duration = Duration::from_secs(10);
/// Unannounced bytes are reserved in steps of this size.
const STEP_BYTES: u64 = 8 * 1024 * 1024;

/// All PUTs of this process that are under way, and its place among others.
#[derive(Debug)]
pub struct Puts {
    presence: Presence,
    under_way: Mutex<HashMap<String, Held>>,
    ended: Notify,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    organization: OrganizationId,
    bytes: u64,
}

/// A PUT under way, until it is dropped.
#[derive(Debug)]
pub struct Put {
    puts: Arc<Puts>,
    storage_key: String,
    /// Keeps other processes from a PUT under the same storage key.
    hold: Option<Hold>,
}

impl Puts {
    /// Nothing is under way in this process.
    #[must_use]
    pub fn new(presence: Presence) -> Arc<Self> {
        Arc::new(Self { presence, under_way: Mutex::default(), ended: Notify::new() })
    }

    /// Begins a PUT under this storage key; `None` where another is under way for longer than this one may wait.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn begin(
        self: &Arc<Self>,
        storage_key: &str,
        organization: OrganizationId,
    ) -> Result<Option<Put>, Error> {
        let began = async {
            loop {
                let mut ended = std::pin::pin!(self.ended.notified());
                // Before looking, so that nothing between is missed.
                ended.as_mut().enable();
                if self.try_begin(storage_key, organization) {
                    return;
                }
                ended.await;
            }
        };
        if tokio::time::timeout(PATIENCE, began).await.is_err() {
            return Ok(None);
        }
        let mut put = Put { puts: Arc::clone(self), storage_key: storage_key.to_owned(), hold: None };
        put.hold = self.presence.hold_within("put", storage_key.as_bytes(), Way::Alone, PATIENCE).await?;
        Ok(put.hold.is_some().then_some(put))
    }

    fn try_begin(&self, storage_key: &str, organization: OrganizationId) -> bool {
        let mut under_way = self.lock();
        if under_way.contains_key(storage_key) {
            return false;
        }
        under_way.insert(storage_key.to_owned(), Held { organization, bytes: 0 });
        true
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Put {
    /// Whether it is the only one still, in all processes.
    pub async fn is_the_only_one(&self) -> bool {
        match &self.hold {
            Some(hold) => hold.is_there().await,
            None => false,
        }
    }

    /// Reserves so many bytes for this PUT in all, and a step more if they were not `announced`; false if that, with
    /// the other PUTs of its organization, is more than `room`.
    #[must_use]
    pub fn hold(&self, bytes: u64, announced: bool, room: Option<u64>) -> bool {
        let mut under_way = self.puts.lock();
        let Some(held) = under_way.get(&self.storage_key).copied() else { return false };
        if bytes <= held.bytes {
            return true;
        }
        let others: u64 = under_way
            .iter()
            .filter(|(key, other)| **key != self.storage_key && other.organization == held.organization)
            .map(|(_, other)| other.bytes)
            .sum();
        let left = room.map_or(u64::MAX, |room| room.saturating_sub(others));
        if bytes > left {
            return false;
        }
        let wanted = if announced { bytes } else { bytes.saturating_add(STEP_BYTES) };
        if let Some(held) = under_way.get_mut(&self.storage_key) {
            held.bytes = wanted.min(left);
        }
        true
    }
}

impl Drop for Put {
    fn drop(&mut self) {
        self.puts.lock().remove(&self.storage_key);
        self.puts.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn organization(number: u128) -> OrganizationId {
        OrganizationId::from_uuid(Uuid::from_u128(number))
    }

    #[tokio::test(start_paused = true)]
    async fn a_second_put_waits_for_the_end_of_the_first_but_not_for_ever() {
        let puts = Puts::new(Presence::of_one());
        let first = puts.begin("a", organization(1)).await.unwrap().unwrap();
        assert!(puts.begin("b", organization(1)).await.unwrap().is_some(), "another key");
        assert!(puts.begin("a", organization(1)).await.unwrap().is_none());
        let second = tokio::spawn({
            let puts = Arc::clone(&puts);
            async move { puts.begin("a", organization(1)).await.unwrap().is_some() }
        });
        tokio::time::sleep(Duration::from_secs(5)).await;
        drop(first);
        assert!(second.await.unwrap());
        assert!(puts.lock().is_empty());
    }

    #[tokio::test]
    async fn puts_under_way_share_the_room_of_their_organization() {
        let puts = Puts::new(Presence::of_one());
        let begin = async |key: &str, of: u128| puts.begin(key, organization(of)).await.unwrap().unwrap();
        let (first, second) = (begin("a", 1).await, begin("b", 1).await);
        let other = begin("c", 2).await;
        let room = Some(3 * STEP_BYTES);
        assert!(first.hold(2 * STEP_BYTES, true, room));
        assert!(!second.hold(2 * STEP_BYTES, true, room) && second.hold(STEP_BYTES, true, room));
        assert!(other.hold(3 * STEP_BYTES, true, room) && !other.hold(3 * STEP_BYTES + 1, true, room));
        assert!(other.hold(u64::MAX, true, None), "without a quota");
        drop((first, second));
        // Bytes that were not announced are held as they come.
        let chunked = begin("a", 1).await;
        assert!(chunked.hold(1, false, room));
        let beside = begin("b", 1).await;
        assert!(!beside.hold(2 * STEP_BYTES, true, room) && beside.hold(STEP_BYTES, true, room));
        assert!(chunked.hold(2 * STEP_BYTES, false, room) && !chunked.hold(2 * STEP_BYTES + 1, false, room));
    }
}
