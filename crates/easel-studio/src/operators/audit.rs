//! The audit log for the operator.
//!
//! Not here: which acts get an entry ([`crate::audit`]).

use std::path::Path;

use easel_wire::Timestamp;

use crate::core::error::Error;
use crate::data_folder::DataFolder;
use crate::db::audit::{self as rows, AuditRow, Wanted};

/// The newest `limit` entries since a moment, of one action or all, the oldest first.
///
/// # Errors
/// [`Error::Io`], [`Error::Database`].
pub async fn read(
    data: &Path,
    since: Option<Timestamp>,
    action: Option<&str>,
    limit: u32,
) -> Result<Vec<AuditRow>, Error> {
    let folder = DataFolder::open(data).await?;
    let mut conn = folder.db.read().acquire().await?;
    let entries = rows::list(&mut conn, Wanted { organization: None, since, action }, limit).await?;
    drop(conn);
    folder.db.close().await;
    Ok(entries)
}
