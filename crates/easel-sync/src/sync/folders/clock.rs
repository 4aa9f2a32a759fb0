//! A clock for an engine whose waits can be ended early.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::shared::clock::to_micros;
use crate::sync::ports::{Clock, WallClock};

/// See the module. Cheap to clone; a nudge reaches every clone.
#[derive(Debug, Clone)]
pub(super) struct Nudged {
    began: Instant,
    nudge: Arc<Notify>,
}

impl Nudged {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), nudge: Arc::default() }
    }

    /// Ends all waits now.
    pub(super) fn nudge(&self) {
        self.nudge.notify_waiters();
    }
}

impl WallClock for Nudged {
    fn wall_us(&self) -> i64 {
        to_micros(SystemTime::now())
    }
}

impl Clock for Nudged {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn today(&self) -> String {
        jiff::Zoned::now().date().to_string()
    }

    async fn wait_ms(&self, milliseconds: u64) {
        tokio::select! {
            () = sleep(Duration::from_millis(milliseconds)) => {}
            () = self.nudge.notified() => {}
        }
    }
}
