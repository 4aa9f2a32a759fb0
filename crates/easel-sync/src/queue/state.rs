//! The state that the parts of one queue share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use easel_client::Client;
use tokio::sync::{Mutex as AsyncMutex, Notify};
use tokio_util::sync::CancellationToken;

use super::active_transfer::Board;
use super::changes::Pacing;
use super::settings::Settings;
use crate::shared::causes::Waiting;
use crate::shared::journal::Journal;
use crate::shared::mutex::lock;
use crate::shared::transfer_slots::TransferSlots;

/// Stands for a rate that the service did not tell.
pub(super) const RATE_UNKNOWN: u64 = u64::MAX;

/// The state that the parts of one queue share.
pub(crate) struct Shared {
    pub journal: Journal,
    pub connection_id: String,
    pub settings: Settings,
    pub slots: TransferSlots,
    pub board: Board,
    pub pacing: Mutex<Pacing>,
    pub waiting: Mutex<Option<Waiting>>,
    /// Folders are made one after another, so that each is made once.
    pub folder_gate: AsyncMutex<()>,
    /// Fires when rows entered the journal.
    pub entered: Notify,
    pub cancel: CancellationToken,
    pub client: Mutex<Client>,
    pub requests_per_minute: AtomicU64,
}

impl Shared {
    pub(crate) fn client(&self) -> Client {
        lock(&self.client).clone()
    }

    pub(crate) fn now(&self) -> i64 {
        self.settings.clock.now()
    }

    /// The service's rate, where it is known and there is one.
    pub(crate) fn requests_per_minute(&self) -> Option<u32> {
        u32::try_from(self.requests_per_minute.load(Ordering::Relaxed)).ok()
    }

    pub(crate) fn set_requests_per_minute(&self, rate: Option<u32>) {
        self.requests_per_minute.store(rate.map_or(RATE_UNKNOWN, u64::from), Ordering::Relaxed);
    }
}
