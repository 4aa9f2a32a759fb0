//! Leases: a process holds the work that it has claimed for a time, so that several processes can share one database.
//!
//! Always true:
//! - Claimed work is held by its process until the work ends, is put back, or the lease is ended. The lease is renewed
//!   every third of its time, so that one renewal may fail. While nothing is held, nothing is written.
//! - A lease that is over is ended by whoever finds it, and what was held is claimed anew, with the try counted. A late
//!   write of the old holder is refused by its try ([`crate::db::leases`]); here it is told beforehand, so that it
//!   stops.
//! - Whoever has the lock of the data folder is the only process there, so it ends the leases of earlier processes at
//!   once: after a crash nobody waits.
//! - Moments are of the calendar, which processes share; that it jumps ends no lease that is renewed.
//!
//! Not here: what is claimed and in whose turn, and what becomes of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use easel_wire::Timestamp;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::db::leases::{Claim, Holder, Lease};

/// How long a lease holds that is not renewed: several times what a write waits for another process at most.
pub const LEASE: Duration = Duration::from_secs(30);

/// How long it takes at most until a process hears of what another has written.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The claims of this process.
#[derive(Debug)]
pub struct Leases {
    holder: Holder,
    /// How long a lease holds that is not renewed.
    pub length: Duration,
    held: Mutex<HashMap<Claim, CancellationToken>>,
}

/// Work that this process holds until this is dropped.
#[derive(Debug)]
pub struct Held {
    leases: Arc<Leases>,
    claim: Claim,
    lost: CancellationToken,
}

impl Leases {
    /// Nothing claimed yet; `process` was never used before.
    #[must_use]
    pub fn new(process: Uuid, length: Duration) -> Arc<Self> {
        Arc::new(Self { holder: Holder::new(process), length, held: Mutex::default() })
    }

    /// This process as a holder.
    #[must_use]
    pub fn holder(&self) -> Holder {
        self.holder
    }

    /// The lease for a claim at `now`.
    #[must_use]
    pub fn lease_at(&self, now: Timestamp) -> Lease {
        let length = i64::try_from(self.length.as_micros()).unwrap_or(i64::MAX);
        Lease { holder: self.holder, until: Timestamp::from_micros(now.as_micros().saturating_add(length)) }
    }

    /// Notes a claim of this process, once it is committed.
    #[must_use]
    pub fn hold(self: &Arc<Self>, claim: Claim) -> Held {
        let lost = CancellationToken::new();
        self.lock().insert(claim, lost.clone());
        Held { leases: Arc::clone(self), claim, lost }
    }

    /// How long it takes from one look at the database to the next.
    #[must_use]
    pub fn between_looks(&self) -> Duration {
        (self.length / 10).min(LOOK_INTERVAL)
    }

    /// How long it takes from one renewal to the next.
    #[must_use]
    pub fn between_renewals(&self) -> Duration {
        self.length / 3
    }

    /// The claims that this process holds.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        self.lock().keys().copied().collect()
    }

    /// Tells who works on it that the lease was ended.
    pub fn notify_lost(&self, claim: Claim) {
        if let Some(lost) = self.lock().get(&claim) {
            lost.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Claim, CancellationToken>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Resolves once it is known that another process has ended the lease: nothing that is done from then on comes to
    /// anything.
    pub async fn lost(&self) {
        self.lost.cancelled().await;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.leases.lock().remove(&self.claim);
    }
}
