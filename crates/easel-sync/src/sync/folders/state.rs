//! The state that the parts of a connection's folders share, and the settings that hold for all of them.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use easel_client::{Client, Lane};
use tokio::sync::{Mutex as AsyncMutex, Notify, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::watched::{ChangeNotifier, Watched};
use crate::shared::causes::Waiting;
use crate::shared::clock::Clock;
use crate::shared::ids::WatchId;
use crate::shared::journal::Journal;
use crate::shared::mutex::lock;
use crate::shared::planted::Planted;
use crate::shared::transfer_slots::TransferSlots;
use crate::sync::remote::DriveIndex;
use crate::sync::watch::WatchSettings;

/// Rows of one list at most.
pub(super) const MOST_LISTED: u64 = 1_000;

/// Steps that a folder carries out at the same time, even where there are fewer transfer slots: most steps are one
/// small request.
pub(super) const LEAST_AT_ONCE: usize = 32;

/// Trees of up to so many items are kept in memory while nothing happens.
pub(super) const KEPT_ITEMS: usize = 50_000;

/// After a look at more items than this, free memory is given back to the system.
pub(super) const TRIMMED_ITEMS: usize = 5_000;

/// The most bytes that frame a file in a multipart body: boundary, names, types.
pub(super) const FRAMING_BYTES: u64 = 4_096;

/// The settings that hold for all watched folders of a connection.
#[derive(Debug, Clone)]
pub struct FolderSettings {
    /// The transfer slots. Take the queue's, so that both share them: [`crate::Queue::slots`].
    pub slots: TransferSlots,
    /// This computer's name, for the names of conflicting files.
    pub host_name: String,
    /// Whether nothing is sent or fetched while the system says that the network is metered.
    pub pause_on_metered: bool,
    /// How many lines of history a folder keeps, at least one.
    pub history_rows: u64,
    /// How long a folder keeps lines of history.
    pub history_age: Duration,
    /// The wall clock.
    pub clock: Clock,
    /// A trash to use in place of the person's own, where it is on the same file system.
    pub home_trash: Option<PathBuf>,
    /// How folders here are watched.
    pub watch: WatchSettings,
    /// Trees of more items than this are not kept in memory while nothing happens; they are loaded again from the
    /// journal and the disk.
    #[doc(hidden)]
    pub kept_items: usize,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

impl Default for FolderSettings {
    fn default() -> Self {
        Self {
            slots: TransferSlots::default(),
            host_name: host_name(),
            pause_on_metered: true,
            history_rows: 50_000,
            history_age: Duration::from_secs(90 * 24 * 3_600),
            clock: Clock::default(),
            home_trash: None,
            watch: WatchSettings::default(),
            kept_items: KEPT_ITEMS,
            planted: Planted::default(),
        }
    }
}

/// This computer's name, for people.
#[must_use]
pub fn host_name() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let short = named.as_deref().unwrap_or_default().trim().split('.').next().unwrap_or_default();
    let readable: String =
        short.chars().filter(|sign| !sign.is_control() && !"/\\:".contains(*sign)).take(64).collect();
    if readable.is_empty() { "this computer".to_owned() } else { readable }
}

/// The largest sizes of files that the service takes, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct SizeLimits {
    pub direct_max_bytes: u64,
    pub max_file_bytes: u64,
}

/// Whether the network is metered, and whether a person wants that respected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Network {
    pub is_metered: bool,
    pub is_respected: bool,
}

/// The state that the parts of a connection's folders share.
pub(super) struct Shared {
    pub journal: Journal,
    pub connection_id: String,
    pub settings: FolderSettings,
    pub index: Arc<DriveIndex>,
    pub notifier: Arc<ChangeNotifier>,
    pub watched: Mutex<BTreeMap<WatchId, Arc<Watched>>>,
    /// Held while a folder is added, so that two never overlap.
    pub adding: AsyncMutex<()>,
    /// The files and bytes that a preview announced, by the path of the folder that may be added.
    pub promised: Mutex<HashMap<PathBuf, (u64, u64)>>,
    /// Why the drive cannot be asked; `None` while it can.
    pub service: watch::Sender<Option<Waiting>>,
    /// Whether nothing is to be moved because the network is metered.
    pub metered: watch::Sender<bool>,
    /// The two facts that `metered` follows from.
    pub network: Mutex<Network>,
    /// Held while the drive is read for a search.
    pub learning: Arc<AsyncMutex<()>>,
    /// Has the drive asked at once.
    pub hurry: Notify,
    pub client: Mutex<Client>,
    pub limits: Mutex<SizeLimits>,
    pub is_rate_known: AtomicBool,
    pub cancel: CancellationToken,
    pub tasks: TaskTracker,
}

impl Shared {
    pub(super) fn client(&self) -> Client {
        lock(&self.client).clone()
    }

    pub(super) fn list_watched(&self) -> Vec<Arc<Watched>> {
        lock(&self.watched).values().cloned().collect()
    }

    /// The service's rate as it last told, in requests a minute; `None` where it is not known or there is none.
    pub(super) fn requests_per_minute(&self) -> Option<u32> {
        self.client().entitlements().requests_per_minute
    }

    /// The largest sizes of files that the service takes, as it tells now, or last told.
    pub(super) async fn upload_limits(&self) -> SizeLimits {
        match self.client().upload_limits().await {
            Ok(limits) => {
                let limits = SizeLimits {
                    direct_max_bytes: limits.max_direct_upload_bytes.saturating_sub(FRAMING_BYTES),
                    max_file_bytes: limits.max_file_bytes,
                };
                *lock(&self.limits) = limits;
                limits
            }
            Err(error) => {
                tracing::debug!(%error, "the limits of uploads are as they were");
                *lock(&self.limits)
            }
        }
    }

    pub(super) fn set_network(&self, change: impl FnOnce(&mut Network)) {
        let mut network = lock(&self.network);
        change(&mut network);
        let is_paused = network.is_metered && network.is_respected;
        drop(network);
        self.metered.send_if_modified(|known| std::mem::replace(known, is_paused) != is_paused);
    }

    /// Asks the service for its rate, once, so that the budget has the right size.
    pub(super) async fn learn_rate(&self) {
        if self.is_rate_known.load(Ordering::Relaxed) {
            return;
        }
        // In the lane of people, because everything else waits for it.
        match self.client().in_lane(Lane::Person).identify().await {
            Ok(_) => self.is_rate_known.store(true, Ordering::Relaxed),
            Err(error) => tracing::debug!(%error, "the rate is not known yet"),
        }
    }

    /// Ends all waits for a cause to pass.
    pub(super) fn nudge_all(&self) {
        for watched in self.list_watched() {
            watched.clock.nudge();
        }
    }
}
