//! Ends leases that are over, and takes back the work that was held under them.
//!
//! Always true: ending a lease and taking its work back is one transaction; for a whole lease after this process has
//! started, was away, or saw the calendar jump, it takes nothing from others, because by then every living process has
//! renewed its leases. Not here: what becomes of the work ([`crate::worker`], [`crate::exports`], [`crate::webhooks`]).

use std::fs::File;
use std::time::Duration;

use easel_wire::Timestamp;

use crate::core::error::Error;
use crate::db::leases::{self as rows, ExpiredLeases};
use crate::studio::SharedStudio;
use crate::studio::unused::remove_unused;
use crate::{exports, webhooks, worker};

/// Ends the leases of every other process: none is there, because this one has the lock of the data folder, which ends
/// with its process. Before anything is claimed.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn end_leases_of_earlier_processes(studio: &SharedStudio, _lock: &File) -> Result<(), Error> {
    end(studio, ExpiredLeases::of_all_others(studio.leases.holder())).await
}

/// Gives back whatever this process holds, so that others take it at once: it stops. A try that came to no end in this way is never
/// the last.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn give_back(studio: &SharedStudio) -> Result<(), Error> {
    let mut tx = studio.db.begin().await?;
    rows::give_back(&mut tx, studio.leases.holder()).await?;
    let over = ExpiredLeases::given_back();
    let (tasks, _) = worker::take_back(studio, &mut tx, over).await?;
    let (exports, _) = exports::take_back(studio, &mut tx, over).await?;
    let deliveries = webhooks::take_back(studio, &mut tx, over).await?;
    tx.commit().await?;
    if tasks + exports + deliveries > 0 {
        tracing::info!(tasks, exports, deliveries, "gave back what this process was working on");
    }
    Ok(())
}

/// Ends these leases.
async fn end(studio: &SharedStudio, over: ExpiredLeases) -> Result<(), Error> {
    let mut tx = studio.db.begin().await?;
    let (tasks, ended_tasks) = worker::take_back(studio, &mut tx, over).await?;
    let (exports, ended_exports) = exports::take_back(studio, &mut tx, over).await?;
    let deliveries = webhooks::take_back(studio, &mut tx, over).await?;
    tx.commit().await?;
    if tasks + exports + deliveries > 0 {
        tracing::info!(tasks, exports, deliveries, "took back what was being worked on by a process that is gone");
        studio.active_tasks.notify_queued();
        studio.active_tasks.delivering.notify_one();
    }
    ended_tasks.into_iter().for_each(|id| studio.active_tasks.finish(id));
    for export in ended_exports {
        studio.active_tasks.finish(export.id);
        remove_unused(&studio.db, &studio.blobs, &[export.document_hash]).await;
    }
    exports::begin_waiting(studio).await
}

/// The reaper, and from when on it may end leases.
#[derive(Debug)]
pub struct Reaper {
    /// The calendar and what had passed, at the last look.
    last: (Timestamp, Duration),
    /// When it last asked whether any lease is over.
    asked: Duration,
    /// Until then, nothing is taken from anybody.
    waits_until: Duration,
}

impl Reaper {
    /// A reaper that has just started, and waits for the length of a lease.
    #[must_use]
    pub fn new(studio: &SharedStudio) -> Self {
        let elapsed = studio.clock.elapsed();
        Self { last: (studio.clock.now(), elapsed), asked: elapsed, waits_until: elapsed + studio.leases.length }
    }

    /// Ends the leases of other processes that are over, where it is time to look for them.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`].
    pub async fn reap(&mut self, studio: &SharedStudio) -> Result<(), Error> {
        let now = (studio.clock.now(), studio.clock.elapsed());
        let a_third = studio.leases.between_renewals();
        if has_clock_jumped(self.last, now, a_third) {
            self.waits_until = now.1 + studio.leases.length;
        }
        self.last = now;
        if now.1 < self.waits_until || now.1.saturating_sub(self.asked) < a_third {
            return Ok(());
        }
        let over = ExpiredLeases::expired(studio.leases.holder(), now.0, studio.leases.length);
        let is_any = rows::is_any_over(&mut *studio.db.reader().await?, over).await?;
        self.asked = now.1;
        if is_any { end(studio, over).await } else { Ok(()) }
    }
}

/// Whether between two looks the calendar jumped, or more time passed than a process that is there lets pass.
fn has_clock_jumped(before: (Timestamp, Duration), now: (Timestamp, Duration), most: Duration) -> bool {
    let passed = now.1.saturating_sub(before.1);
    let shown = now.0.as_micros().saturating_sub(before.0.as_micros());
    let jumped = shown.saturating_sub(i64::try_from(passed.as_micros()).unwrap_or(i64::MAX)).unsigned_abs();
    passed > most || Duration::from_micros(jumped) > most
}
