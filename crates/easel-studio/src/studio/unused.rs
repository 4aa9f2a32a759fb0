//! Contents that no row refers to any more are removed.
//!
//! Always true: whether a row refers to a content is asked under the write lock, which is held until the content is
//! gone, so that no upload counts on one meanwhile. Not here: which contents may have lost their last row; the callers
//! say.

use crate::blobs::{Blobs, ContentHash};
use crate::core::error::Error;
use crate::db::{Db, drive};

/// Contents decided while the write lock is held once; other writes get their turn in between.
const CONTENTS_A_TURN: usize = 64;

/// Removes those of these contents that no row refers to any more. What fails is set aside at the next start.
pub async fn remove_unused(db: &Db, blobs: &Blobs, hashes: &[ContentHash]) {
    for turn in hashes.chunks(CONTENTS_A_TURN) {
        if let Err(error) = remove_turn(db, blobs, turn).await {
            tracing::warn!(%error, "contents without files could not be removed");
        }
    }
}

async fn remove_turn(db: &Db, blobs: &Blobs, hashes: &[ContentHash]) -> Result<(), Error> {
    // The write lock is held until the blobs are gone, so that no upload counts on one meanwhile.
    let mut tx = db.begin().await?;
    for hash in hashes {
        if !drive::is_content_used(&mut tx, hash).await? {
            blobs.remove(hash).await;
        }
    }
    tx.rollback().await?;
    Ok(())
}
