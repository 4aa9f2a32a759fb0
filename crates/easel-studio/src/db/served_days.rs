//! Days on which the studio served, counted one by one.
//!
//! What is kept for a number of days is kept until the clock says that they are over and as many days were counted: so
//! a clock that stands in 1970 until somebody sets it, or one that is ahead for an hour, removes nothing early. Always
//! true: a day is counted once, however often the service starts on it. Not here: how often it is counted
//! ([`crate::background::upkeep`]).

use easel_wire::Timestamp;

use crate::core::clock::DAY_US;
use crate::core::error::Error;
use crate::db::DbConnection;

/// The number of the newest day, to be noted where something is put away.
pub const NEWEST: &str = "(SELECT COALESCE(MAX(number), 0) FROM served_days)";

/// Counts today by the clock, unless it was the last day that was counted; returns whether it was counted. In a write
/// transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn count(conn: &mut DbConnection, now: Timestamp) -> Result<bool, Error> {
    let counted = sqlx::query(
        "INSERT INTO served_days (day, newest_entry)
         SELECT $1, (SELECT COALESCE(MAX(id), 0) FROM audit_log)
         WHERE $1 IS DISTINCT FROM (SELECT day FROM served_days ORDER BY number DESC LIMIT 1)",
    )
    .bind(now.as_micros().div_euclid(DAY_US))
    .execute(conn)
    .await?;
    Ok(counted.rows_affected() > 0)
}
