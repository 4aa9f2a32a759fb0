//! Contents that go: removed, or set aside, from a folder at once and from a bucket after the write lock is free.
//!
//! Always true: whether a content goes is decided under the database's write lock; a bucket is asked afterwards, while
//! [`super::gate`] keeps the content, and where other processes share it, only after the removal is marked for them. What cannot go
//! now, because a backup holds everything or somebody brings it, is remembered and asked after once more. Not here: whether a row
//! refers to it.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use easel_wire::Timestamp;

use super::bucket_aside::place_aside;
use super::gate::{Gate, Others, Removal};
use super::place::{ContentHash, place_of};
use super::store::Blobs;
use crate::core::error::Error;

/// What becomes of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is removed.
    Removed,
    /// It is set aside, under this moment.
    SetAside(Timestamp),
}

/// A content of a bucket that is about to go. Dropped before [`Blobs::carry_out`], it stays.
#[derive(Debug)]
pub struct PendingRemoval {
    hash: ContentHash,
    fate: Fate,
    removal: Removal,
    /// Keeps a backup waiting.
    backup_lock: File,
}

impl PendingRemoval {
    /// The content.
    #[must_use]
    pub fn hash(&self) -> &ContentHash {
        &self.hash
    }

    /// Whether other processes have to be told in the database before it goes.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.removal.is_shared()
    }
}

impl Blobs {
    /// The same store in a bucket that other processes share.
    #[must_use]
    pub fn shared_with(mut self, others: Arc<dyn Others>) -> Self {
        if let Some(bucket) = &mut self.bucket {
            bucket.gate = Arc::new(Gate::shared_with(others));
        }
        self
    }

    /// Removes the content `hash`. Under the database's write lock, after the last row that refers to it. It waits for a
    /// backup, and is asked after once more then. From a bucket it goes by [`Self::carry_out`], after that lock is free; nobody
    /// brings it until the bucket has answered.
    pub async fn remove(&self, hash: &ContentHash) -> Option<PendingRemoval> {
        if self.bucket.is_some() {
            return self.begin_to_go(hash, Fate::Removed).await;
        }
        let Some(_leave) = self.may_remove() else {
            self.waiting.retry_later(*hash);
            return None;
        };
        self.removals.fetch_add(1, Ordering::SeqCst);
        self.delete(&place_of(hash)).await;
        None
    }

    /// Begins with what goes from a bucket; `None` where it has to wait. Under the database's write lock.
    pub async fn begin_to_go(&self, hash: &ContentHash, fate: Fate) -> Option<PendingRemoval> {
        let begun = match (&self.bucket, self.may_remove()) {
            (Some(bucket), Some(backup_lock)) => match bucket.gate.begin_removal(*hash).await {
                Ok(removal) => removal.map(|removal| PendingRemoval { hash: *hash, fate, removal, backup_lock }),
                Err(error) => {
                    tracing::warn!(%error, "a content cannot be removed now; it is tried again");
                    None
                }
            },
            _ => None,
        };
        // What is only set aside is looked for again by itself.
        if begun.is_none() && fate == Fate::Removed {
            self.waiting.retry_later(*hash);
        }
        begun
    }

    /// Lets a content go from its bucket, while nobody waits for it. The write lock is free, and the mark of the removal
    /// committed, where others have to see it.
    pub fn carry_out(&self, going: PendingRemoval) {
        let Some(bucket) = self.bucket.clone() else { return };
        let waiting = Arc::clone(&self.waiting);
        self.removing.spawn(async move {
            let PendingRemoval { hash, fate, mut removal, backup_lock } = going;
            let outcome = if removal.send().await {
                match fate {
                    Fate::Removed => bucket.delete(&place_of(&hash)).await,
                    Fate::SetAside(now) => match bucket.move_to(&place_of(&hash), &place_aside(&hash, now)).await {
                        // It was moved, and nobody heard of it.
                        Err(Error::Blobs(object_store::Error::NotFound { .. })) => Ok(()),
                        moved => moved,
                    },
                }
            } else {
                Err(Error::contents_unavailable("what was held against other processes is lost"))
            };
            match outcome {
                Ok(()) => removal.done().await,
                Err(error) => {
                    tracing::warn!(%error, "a content could not be removed from the bucket; it is tried again");
                    drop(removal);
                    // What is set aside is found again by its mark, or because no row names it.
                    if fate == Fate::Removed {
                        waiting.retry_later(hash);
                    }
                }
            }
            drop(backup_lock);
        });
    }
}
