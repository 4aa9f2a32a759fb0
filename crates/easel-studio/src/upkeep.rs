//! What is put in order when the studio starts.
//!
//! Contents without a row, which a crash between blob and commit leaves, are removed. Always true: it runs before the first
//! request, by the one process that holds the data folder. Deliberately not here: anything on a schedule, and staged
//! uploads, which are never removed (specification, "Endpoints", behaviour rule 5).

use std::collections::HashSet;

use crate::blobs::Blobs;
use crate::db::{Db, drive};
use crate::error::Error;

/// Removes every content that no row has.
///
/// # Errors
/// [`Error::Database`], [`Error::Blobs`].
pub async fn remove_leftovers(db: &Db, blobs: &Blobs) -> Result<(), Error> {
    let mut conn = db.read().acquire().await?;
    let used: HashSet<[u8; 32]> = drive::files::list_content_hashes(&mut conn).await?;
    let removed = blobs.sweep(&used).await?;
    if removed > 0 {
        tracing::info!(removed, "removed contents that no file has");
    }
    Ok(())
}
