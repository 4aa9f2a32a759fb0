//! When something in the drive changed: moments that never go back, and those of the folders above.
//!
//! Always true: a change of a team's drive has a later moment than every change before it, or the same one. Not here:
//! the clock.

use easel_wire::Timestamp;

use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::columns::moment;
use crate::wire::{FolderId, TeamId};

/// Moments may be so far ahead of a clock that has not gone back, in microseconds: changes within one of them count on
/// by one.
const AHEAD_US: i64 = 1_000;

/// The moment of a change: `now`, or just after the team's newest change if the clock has gone back behind that, so
/// that a client that asks for changes since then misses none.
pub(in crate::db) async fn moment_of_change(
    conn: &mut DbConnection,
    team: TeamId,
    now: Timestamp,
) -> Result<Timestamp, Error> {
    Ok(after(find_latest_change(conn, team).await?, now))
}

/// The moment of a team's newest change. The item that changed last may be in the trash by now; it went there no
/// earlier. If it is gone from there too, its moment is kept (`latest_changes`).
pub(super) async fn find_latest_change(conn: &mut DbConnection, team: TeamId) -> Result<Option<Timestamp>, Error> {
    let latest: Option<i64> = sqlx::query_scalar(
        "SELECT MAX(latest) FROM (SELECT MAX(updated_at) AS latest FROM files WHERE team_id = $1
           UNION ALL SELECT MAX(updated_at) FROM folders WHERE team_id = $1
           UNION ALL SELECT MAX(updated_at) FROM canvases WHERE team_id = $1
           UNION ALL SELECT MAX(deleted_at) FROM trash WHERE team_id = $1
           UNION ALL SELECT at FROM latest_changes WHERE team_id = $1) AS changes",
    )
    .bind(team.uuid())
    .fetch_one(conn)
    .await?;
    Ok(latest.map(moment))
}

/// The moment of a change after the team's latest one.
pub(super) fn after(latest: Option<Timestamp>, now: Timestamp) -> Timestamp {
    match latest.map(Timestamp::as_micros) {
        Some(latest) if latest > now.as_micros().saturating_add(AHEAD_US) => moment(latest + 1),
        _ => now,
    }
}

/// Moves a folder's `updated_at`: to `now`, or a microsecond on where the clock has not moved.
pub(in crate::db) async fn touch_folder(
    conn: &mut DbConnection,
    folder: Option<FolderId>,
    now: Timestamp,
) -> Result<(), Error> {
    let Some(folder) = folder else { return Ok(()) };
    sqlx::query(
        "UPDATE folders SET updated_at = CASE WHEN updated_at < $1 THEN $1 ELSE updated_at + 1 END WHERE id = $2",
    )
    .bind(now.as_micros())
    .bind(folder.uuid())
    .execute(conn)
    .await?;
    Ok(())
}
