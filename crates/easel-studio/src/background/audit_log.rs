//! Refused keys go into the audit log, and old entries out of it.
//!
//! Always true: refused keys are written at most once a minute, all that came together. Not here: entries about what
//! was done, which are written with it ([`crate::audit`]).

use std::time::Duration;

use serde_json::json;

use crate::core::error::Error;
use crate::db::audit::{self as rows, AuditRow};
use crate::studio::{SharedStudio, Studio};

/// The least time between two writes of refused keys.
const BETWEEN_WRITES: Duration = Duration::from_secs(60);

/// How many days entries are kept.
const KEPT_DAYS: u32 = 400;

/// The entry of a refused key.
const KEY_REFUSED: &str = "key_refused";

/// The most entries of refused keys that are kept: strangers cause them, from as many addresses as they have.
const KEPT_REFUSALS: u32 = 100_000;

/// Writes refused keys, the first at once and those that follow at most once a minute, until the studio stops.
pub async fn keep_refusals(studio: SharedStudio) {
    loop {
        tokio::select! {
            () = studio.refusals.any.notified() => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
        if let Err(error) = write_refusals(&studio).await {
            tracing::error!(%error, "refused keys cannot be written to the audit log");
        }
        tokio::select! {
            () = tokio::time::sleep(BETWEEN_WRITES) => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
    }
}

/// Writes what is noted, one entry an address.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`]; then they are forgotten: the log of the service has them too.
pub async fn write_refusals(studio: &Studio) -> Result<(), Error> {
    let noted = studio.refusals.take();
    if noted.is_empty() {
        return Ok(());
    }
    let mut tx = studio.db.begin().await?;
    for (address, refused) in noted {
        let row = AuditRow {
            at: refused.last,
            actor: String::new(),
            api_key_id: None,
            organization_id: None,
            address,
            action: KEY_REFUSED.to_owned(),
            subject: refused.path,
            details: json!({ "times": refused.count }),
        };
        rows::insert(&mut tx, &row).await?;
    }
    Ok(tx.commit().await?)
}

/// Removes entries past their time and refused keys beyond their number, and says how many.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn forget_old(studio: &Studio) -> Result<u64, Error> {
    let mut tx = studio.db.begin().await?;
    let gone = rows::forget(&mut tx, studio.clock.now(), KEPT_DAYS, (KEY_REFUSED, KEPT_REFUSALS)).await?;
    tx.commit().await?;
    Ok(gone)
}
