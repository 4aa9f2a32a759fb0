//! Deliveries are kept for 90 days, then hard-deleted (specification, "Delivery log and replay", rule 2).

use std::time::Duration;

use easel_wire::Timestamp;

use crate::core::error::Error;
use crate::db::webhooks as rows;
use crate::studio::{SharedStudio, Studio};

/// How long a delivery is kept.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How often the old ones are looked for.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Deletes what is too old, at once and then every hour, until the studio stops.
pub async fn forget_old(studio: SharedStudio) {
    while !studio.active_tasks.stopping.is_cancelled() {
        if let Err(error) = delete_old(&studio).await {
            tracing::error!(%error, "old webhook deliveries cannot be deleted");
        }
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = studio.active_tasks.stopping.cancelled() => {}
        }
    }
}

/// Deletes every delivery that is too old; other writes get their turn in between.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn delete_old(studio: &Studio) -> Result<(), Error> {
    let kept = i64::try_from(KEPT.as_micros()).unwrap_or(i64::MAX);
    let before = Timestamp::from_micros(studio.clock.now().as_micros().saturating_sub(kept));
    let mut deleted = 0;
    loop {
        let mut tx = studio.db.begin().await?;
        let turn = rows::delete_old(&mut tx, before).await?;
        tx.commit().await?;
        deleted += turn;
        if turn == 0 {
            break;
        }
    }
    if deleted > 0 {
        tracing::info!(deleted, "deleted old webhook deliveries");
    }
    Ok(())
}
