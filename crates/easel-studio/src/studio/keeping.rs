//! What was offered is kept for the row that comes to refer to it.
//!
//! Always true: it is asked under the write lock, in the transaction of the row, whether the content is there and stays, in a folder of
//! the disk and, where other processes share a bucket, of what they have written down. Not here: bringing it.

use crate::blobs::{Blobs, ContentHash, Offered};
use crate::core::error::Error;
use crate::db::{DbConnection, removals};

/// Makes sure that what was offered is there and stays, once the transaction `conn` has committed its row.
///
/// # Errors
/// [`Error::StorageFull`], [`Error::Io`], [`Error::ContentsUnavailable`], [`Error::Database`].
pub async fn keep(conn: &mut DbConnection, blobs: &Blobs, offered: &Offered) -> Result<(), Error> {
    removals::refuse_removed(conn, &noted([offered])).await?;
    blobs.keep(offered).await
}

/// What [`keep`] asks the database of many at once ([`removals::refuse_removed`]): contents that other processes may have removed since, each
/// with how often they had been removed when they were offered. What is left of it is [`Blobs::keep`], for each.
pub fn noted<'a>(offered: impl IntoIterator<Item = &'a Offered>) -> Vec<(ContentHash, i64)> {
    offered.into_iter().filter_map(|offered| Some((*offered.hash(), offered.removals_before()?))).collect()
}
