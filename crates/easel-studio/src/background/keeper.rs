//! Looks at the database every second for this process: renews its leases, writes its progress down, and hears what
//! other processes have done.
//!
//! Always true: while nothing is held nothing is written, and while nothing in the database has changed no query is
//! made, however many wait. Not here: ending the leases of others ([`super::reaper`]).

use std::collections::HashSet;
use std::time::Duration;

use super::reaper::Reaper;
use crate::core::error::Error;
use crate::db::changes::DatabaseState;
use crate::db::leases::{self as rows, Claim};
use crate::db::tasks;
use crate::exports;
use crate::studio::SharedStudio;

/// Looks every second, until it is dropped: also while the studio stops, because work under way is held until it ends.
pub async fn keep(studio: SharedStudio) {
    let mut keeper = Keeper::new(&studio);
    loop {
        tokio::time::sleep(studio.leases.between_looks()).await;
        keeper.look().await;
    }
}

/// The state from one look to the next.
pub struct Keeper {
    studio: SharedStudio,
    /// The database at the last look.
    seen: Option<DatabaseState>,
    /// When every lease was last renewed or taken.
    renewed: Duration,
    reaper: Reaper,
}

impl Keeper {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(studio: &SharedStudio) -> Self {
        let renewed = studio.clock.elapsed();
        Self { studio: SharedStudio::clone(studio), seen: None, renewed, reaper: Reaper::new(studio) }
    }

    /// Looks once. What fails is tried again at the next look.
    pub async fn look(&mut self) {
        // This process's leases come first: after a long stop it must not take them for over.
        if let Err(error) = self.renew().await {
            tracing::error!(%error, "what this process works on cannot be held on to");
        }
        let seen = self.studio.db.look();
        if seen.is_none() || seen != self.seen {
            match self.apply_changes().await {
                Ok(()) => self.seen = seen,
                Err(error) => tracing::error!(%error, "what other processes do cannot be seen"),
            }
        }
        if let Err(error) = self.reaper.reap(&self.studio).await {
            tracing::error!(%error, "leases that are over cannot be ended");
        }
    }

    /// Writes down how far things are, and renews the leases where it is time; tells who works under one that was
    /// ended.
    async fn renew(&mut self) -> Result<(), Error> {
        let studio = &self.studio;
        // Asked before the transaction, so that a claim made during it is not missed.
        let held = studio.leases.claims();
        let elapsed = studio.clock.elapsed();
        if held.is_empty() {
            self.renewed = elapsed;
            return Ok(());
        }
        let progress = studio.active_tasks.take_unwritten();
        let is_due = elapsed.saturating_sub(self.renewed) >= studio.leases.between_renewals();
        if progress.is_empty() && !is_due {
            return Ok(());
        }
        let mut tx = studio.db.begin().await?;
        for (of, progress) in &progress {
            tasks::write_progress(&mut tx, *of, studio.leases.holder(), progress).await?;
        }
        if !is_due {
            return Ok(tx.commit().await?);
        }
        let still: HashSet<Claim> =
            rows::renew(&mut tx, studio.leases.lease_at(studio.clock.now())).await?.into_iter().collect();
        tx.commit().await?;
        self.renewed = elapsed;
        held.into_iter().filter(|claim| !still.contains(claim)).for_each(|claim| studio.leases.notify_lost(claim));
        Ok(())
    }

    /// Finds out what changed: work that has to stop, and work that is due.
    async fn apply_changes(&self) -> Result<(), Error> {
        let studio = &self.studio;
        let mut conn = studio.db.read().acquire().await?;
        for id in tasks::list_to_stop(&mut conn, studio.leases.holder()).await? {
            studio.active_tasks.cancel(id);
        }
        let is_work_there = tasks::find_oldest_queued(&mut conn).await?.is_some();
        drop(conn);
        if is_work_there {
            studio.active_tasks.work.notify_one();
        }
        studio.active_tasks.delivering.notify_one();
        studio.active_tasks.tell_news();
        exports::begin_waiting(studio).await
    }
}
