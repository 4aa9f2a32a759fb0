//! The settings of a queue, and its clock.

use std::time::Duration;

use crate::shared::clock::Clock;

/// The settings of a queue.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many transfers are at work at once, at least one. Large files never take the last of several slots. Synced
    /// folders share the slots and come second: [`crate::Queue::slots`].
    pub at_once: usize,
    /// How long a file must stand still before it is sent.
    pub settle: Duration,
    /// How many finished transfers are kept, at least one.
    pub history_rows: u64,
    /// For how long finished transfers are kept.
    pub history_age: Duration,
    /// How soon a waiting queue probes; every failed probe doubles the time.
    pub first_probe: Duration,
    /// The longest time between two probes.
    pub last_probe: Duration,
    /// The wall clock.
    pub clock: Clock,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            at_once: 3,
            settle: Duration::from_secs(2),
            history_rows: 5_000,
            history_age: Duration::from_secs(90 * 24 * 3_600),
            first_probe: Duration::from_secs(1),
            last_probe: Duration::from_secs(60),
            clock: Clock::default(),
        }
    }
}
