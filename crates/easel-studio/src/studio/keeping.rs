//! What was offered is kept for the row that comes to refer to it.
//!
//! Always true: it is asked under the write lock, in the transaction of the row, whether the content is there and stays, in a folder of
//! the disk and, where other processes share a bucket, of what they have written down. Not here: bringing it.

use crate::blobs::{Blobs, Offered};
use crate::core::error::Error;
use crate::db::{DbConnection, removals};

/// Makes sure that what was offered is there and stays, once the transaction `conn` has committed its row.
///
/// # Errors
/// [`Error::StorageFull`], [`Error::Io`], [`Error::ContentsUnavailable`], [`Error::Database`].
pub async fn keep(conn: &mut DbConnection, blobs: &Blobs, offered: &Offered) -> Result<(), Error> {
    if let Some(noted) = offered.removals_before() {
        removals::refuse_removed(conn, offered.hash(), noted).await?;
    }
    blobs.keep(offered).await
}
