//! The wall clock, with times as microseconds since the Unix epoch.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::ports::WallClock;

/// The wall clock, handed in so that tests can set it.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> i64 + Send + Sync>);

impl Clock {
    /// A clock from a function that returns microseconds since the Unix epoch.
    pub fn new(now_micros: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(now_micros))
    }

    /// Microseconds since the Unix epoch.
    pub(crate) fn now(&self) -> i64 {
        (self.0)()
    }
}

impl WallClock for Clock {
    fn wall_us(&self) -> i64 {
        self.now()
    }
}

impl Default for Clock {
    /// The system's clock.
    fn default() -> Self {
        Self::new(|| to_micros(SystemTime::now()))
    }
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

/// A time as microseconds since the epoch.
pub(crate) fn to_micros(moment: SystemTime) -> i64 {
    match moment.duration_since(UNIX_EPOCH) {
        Ok(since) => micros(since),
        Err(before) => -micros(before.duration()),
    }
}

/// A duration in microseconds.
pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
