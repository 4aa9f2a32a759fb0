//! What is bounded by the minute and counted for all processes together: requests of a key, exports of an organization, tries at codes.
//!
//! Always true: each taking is one statement, which waits for its turn among those of its subject and asks the server's clock, so that
//! no two processes take the same place; what a transaction takes that is rolled back is not taken. Kept in a table that a crash of the
//! server empties. PostgreSQL alone: with one process, memory does it ([`crate::core::rate`]). Not here: how much is allowed.

use std::time::Duration;

use sqlx::Row as _;

use super::DbConnection;
use super::presence::lock_of;
use crate::core::error::Error;

/// What is counted, for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    kind: &'static str,
    whose: Vec<u8>,
}

impl Subject {
    /// Countings of this kind, for whoever this names.
    #[must_use]
    pub fn new(kind: &'static str, whose: &[u8]) -> Self {
        Self { kind, whose: whose.to_vec() }
    }

    fn key(&self) -> Vec<u8> {
        [self.kind.as_bytes(), &[0], &self.whose].concat()
    }
}

/// Takes one of `most` in any sixty seconds, at least one; says at which moment, to give it back by.
///
/// # Errors
/// [`Error::RateLimited`] with whole seconds, at least one, until the next would pass; [`Error::Database`].
pub async fn take(conn: &mut DbConnection, of: &Subject, most: u32) -> Result<i64, Error> {
    let taken = sqlx::query("SELECT moment, wait_us FROM take_rate($1, $2, $3)")
        .bind(lock_of("rate", &of.key()))
        .bind(of.key())
        .bind(i64::from(most))
        .fetch_one(conn)
        .await?;
    if let Some(moment) = taken.try_get::<Option<i64>, _>("moment")? {
        return Ok(moment);
    }
    let wait_us: Option<i64> = taken.try_get("wait_us")?;
    let wait = Duration::from_micros(wait_us.unwrap_or_default().max(0).unsigned_abs());
    let whole = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Err(Error::RateLimited { retry_after: Duration::from_secs(whole.max(1)) })
}

/// Gives back what was taken at this moment.
///
/// # Errors
/// [`Error::Database`].
pub async fn give_back(conn: &mut DbConnection, of: &Subject, moment: i64) -> Result<(), Error> {
    sqlx::query("UPDATE rates SET taken = taken - 1 WHERE subject = $1 AND at = $2 AND taken > 0")
        .bind(of.key())
        .bind(moment)
        .execute(conn)
        .await?;
    Ok(())
}

/// Forgets what nobody has asked about for an hour, of subjects that do not come again.
///
/// # Errors
/// [`Error::Database`].
pub async fn forget_old(conn: &mut DbConnection) -> Result<u64, Error> {
    let before = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) - 3600000000";
    let gone = sqlx::query(sqlx::AssertSqlSafe(format!("DELETE FROM rates WHERE at < {before}"))).execute(conn).await?;
    Ok(gone.rows_affected())
}
