//! Contents that no row refers to any more are removed, and those that never had one are set aside.
//!
//! Always true: whether a row refers to a content is asked under the write lock, which is held until the content is
//! gone, or until its removal is marked for every other process, so that no upload counts on one meanwhile. Not here: which
//! contents may have lost their last row; the callers say.

use easel_wire::Timestamp;

use crate::blobs::{Blobs, ContentHash, Fate, PendingRemoval};
use crate::core::clock::{Clock as _, SystemClock};
use crate::core::error::Error;
use crate::db::{Db, drive, removals};

/// Contents decided while the write lock is held once; other writes get their turn in between.
const CONTENTS_A_TURN: usize = 64;

/// Removes those of these contents that no row refers to any more. What fails is set aside at the next start.
pub async fn remove_unused(db: &Db, blobs: &Blobs, hashes: &[ContentHash]) {
    for turn in hashes.chunks(CONTENTS_A_TURN) {
        if let Err(error) = decide(db, blobs, turn, Fate::Removed).await {
            tracing::warn!(%error, "contents without files could not be removed");
        }
    }
}

/// Sets aside those of these contents of a bucket that no row refers to, also while other processes bring some; says how many.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn set_aside_unused(db: &Db, blobs: &Blobs, hashes: &[ContentHash], now: Timestamp) -> Result<usize, Error> {
    let mut aside = 0;
    for turn in hashes.chunks(CONTENTS_A_TURN) {
        aside += decide(db, blobs, turn, Fate::SetAside(now)).await?;
    }
    Ok(aside)
}

async fn decide(db: &Db, blobs: &Blobs, hashes: &[ContentHash], fate: Fate) -> Result<usize, Error> {
    // The write lock is held until the blobs are gone, so that no upload counts on one meanwhile.
    let mut tx = db.begin().await?;
    let mut going = Vec::new();
    for hash in hashes {
        if !drive::is_content_used(&mut tx, hash).await? {
            going.extend(match fate {
                Fate::Removed => blobs.remove(hash).await,
                Fate::SetAside(_) => blobs.begin_to_go(hash, fate).await,
            });
        }
    }
    let now = SystemClock::new().now();
    let mut marked = Vec::with_capacity(going.len());
    for one in going {
        if !one.is_shared() || removals::mark(&mut tx, one.hash(), fate, now).await? {
            marked.push(one);
        }
    }
    if marked.iter().any(PendingRemoval::is_shared) {
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    let count = marked.len();
    marked.into_iter().for_each(|one| blobs.carry_out(one));
    Ok(count)
}
