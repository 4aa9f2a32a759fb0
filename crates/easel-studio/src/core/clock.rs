//! Where decisions get the time and new ids from, so that a test can hold both still.
//!
//! Always true: ids of one process sort by the moment they were made. Not here: timers.

use std::time::{Duration, Instant};

use easel_wire::Timestamp;
use uuid::Uuid;

/// Microseconds of a day.
pub const DAY_US: i64 = 24 * 60 * 60 * 1_000_000;

/// The time, in two ways: the calendar's, which may jump, and the time that has passed, which never goes back.
pub trait Clock: Send + Sync + 'static {
    /// The calendar's moment, which goes into rows and signatures.
    fn now(&self) -> Timestamp;
    /// What has passed since some fixed point; for rates.
    fn elapsed(&self) -> Duration;
}

/// The system's clock.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose [`Clock::elapsed`] counts from now.
    #[must_use]
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        jiff::Timestamp::now().into()
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Where new ids come from.
pub trait IdSource: Send + Sync + 'static {
    /// A UUID that was never given out before.
    fn next(&self) -> Uuid;
}

/// UUIDv7: sorted by time, also within one millisecond.
#[derive(Debug)]
pub struct TimeOrderedIds;

impl IdSource for TimeOrderedIds {
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}
