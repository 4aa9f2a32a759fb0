//! Who writes to a PostgreSQL database, and when: advisory locks, which end with their transaction.
//!
//! Caps, idempotency keys, free names, nesting and contents without owners are decided on what is there, and written
//! afterwards. With one writer that needs nothing more. With many, a transaction takes its turn first: that of its team,
//! beside those of other teams, or that of the whole database, alone. Always true: the turn is the first statement of
//! its transaction, and each one after it sees every commit of whoever had the turn before; turns are taken in one
//! order, the database's before the team's, so that no two wait for each other. Not here: SQLite, which has one writer.

use super::{DbConnection, Engine};
use crate::core::error::Error;
use crate::wire::TeamId;

/// The class of the studio's locks among the advisory locks of a database: `easl`.
const STUDIO: i64 = 0x6561_736C << 32;

/// The class of the lock that says who serves a database: `easm`.
pub(super) const SERVED: i64 = 0x6561_736D << 32;

/// The turn of the whole database: nobody else writes.
pub(super) async fn take_all(conn: &mut DbConnection) -> Result<(), Error> {
    sqlx::query::<Engine>("SELECT pg_advisory_xact_lock($1)").bind(STUDIO).execute(conn).await?;
    Ok(())
}

/// The turn of one team. Two teams whose ids end alike share theirs.
pub(super) async fn take_of_team(conn: &mut DbConnection, team: TeamId) -> Result<(), Error> {
    let [.., a, b, c, d] = *team.uuid().as_bytes();
    // Never that of the whole database, whose last half is nothing.
    let of_team = STUDIO | i64::from(u32::from_be_bytes([a, b, c, d]).max(1));
    sqlx::query::<Engine>("SELECT pg_advisory_xact_lock_shared($1)").bind(STUDIO).execute(&mut *conn).await?;
    sqlx::query::<Engine>("SELECT pg_advisory_xact_lock($1)").bind(of_team).execute(conn).await?;
    Ok(())
}
