//! Tells listeners what changed: in batches, at most ten a second, none while nothing changes.
//!
//! Always true: there is no timer while every folder is at rest; while one is at work, a look every half second keeps
//! the speeds true when nothing moves.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::time::{Instant, sleep};

use super::folder::{Batch, Folder};
use super::state::Shared;
use crate::shared::ids::WatchId;

/// The least time between two batches.
const BETWEEN_BATCHES: Duration = Duration::from_millis(100);
/// How often speeds are brought up to date while a folder is at work and tells nothing.
const LOOK_WHILE_AT_WORK: Duration = Duration::from_millis(500);

/// Sends batches until the folders end.
pub(super) async fn publish(shared: Arc<Shared>, batches: broadcast::Sender<Arc<Batch>>) {
    let began = Instant::now();
    let mut last: BTreeMap<WatchId, Folder> = BTreeMap::new();
    loop {
        let is_working = shared.list_watched().iter().any(|watched| watched.is_working());
        let look = async { if is_working { sleep(LOOK_WHILE_AT_WORK).await } else { pending().await } };
        tokio::select! {
            biased;
            () = shared.cancel.cancelled() => return,
            () = shared.notifier.notified() => {}
            () = look => {}
        }
        let notified = shared.notifier.take();
        let now_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let rate = shared.requests_per_minute();
        let mut changed = Vec::new();
        for watched in shared.list_watched() {
            watched.observe(now_ms);
            if !(watched.is_working() || notified.changed.contains(&watched.id)) {
                continue;
            }
            let folder = watched.snapshot(rate);
            if last.get(&watched.id) != Some(&folder) {
                last.insert(watched.id, folder.clone());
                changed.push(folder);
            }
        }
        for id in &notified.removed {
            last.remove(id);
        }
        if !changed.is_empty() || !notified.removed.is_empty() || notified.has_history {
            // Nobody listening is no error.
            let _ =
                batches.send(Arc::new(Batch { changed, removed: notified.removed, has_history: notified.has_history }));
        }
        tokio::select! {
            biased;
            () = shared.cancel.cancelled() => return,
            () = sleep(BETWEEN_BATCHES) => {}
        }
    }
}
