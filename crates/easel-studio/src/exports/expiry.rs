//! Results that have been kept for their seven days go (contract, "Canvases and export").

use std::time::Duration;

use crate::core::error::Error;
use crate::db::exports as rows;
use crate::studio::SharedStudio;
use crate::studio::unused::remove_unused;

/// Results are looked at this often at least, because the calendar may jump.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);
/// The pause after the database has failed.
const AFTER_AN_ERROR: Duration = Duration::from_secs(60);

/// Removes exports whose time is over, until the studio is stopping.
pub async fn expire(studio: SharedStudio) {
    while !studio.active_tasks.stopping.is_cancelled() {
        let pause = expire_overdue(&studio).await.unwrap_or_else(|error| {
            tracing::error!(%error, "old exports cannot be removed");
            AFTER_AN_ERROR
        });
        tokio::select! {
            () = tokio::time::sleep(pause.min(LONGEST_PAUSE)) => {}
            () = studio.active_tasks.stopping.cancelled() => {}
        }
    }
}

/// Removes what is overdue, rows first, and says after how long the next may be.
pub(super) async fn expire_overdue(studio: &SharedStudio) -> Result<Duration, Error> {
    let now = studio.clock.now();
    let next = {
        let mut conn = studio.db.read().acquire().await?;
        rows::find_next_expiry(&mut conn).await?
    };
    let left = next.map(|next| next.as_micros().saturating_sub(now.as_micros()));
    match left {
        None => return Ok(LONGEST_PAUSE),
        Some(left) if left > 0 => return Ok(Duration::from_micros(left.unsigned_abs())),
        Some(_) => {}
    }
    let delete = async || {
        let mut tx = studio.db.begin().await?;
        let hashes = rows::delete_expired(&mut tx, now).await?;
        tx.commit().await?;
        Ok(hashes)
    };
    let hashes = studio.room.lend(delete).await?;
    tracing::info!(results = hashes.len(), "removed exports whose time is over");
    remove_unused(&studio.db, &studio.blobs, &hashes).await;
    Ok(Duration::ZERO)
}
