//! What of the queue's behaviour is a choice, and the clock that it goes by.

use std::time::Duration;

use crate::shared::clock::Clock;

/// The choices of a queue.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many transfers are at work at once, at least one. Large files never take the last place of several. Watched
    /// folders take what these leave: [`crate::Queue::slots`].
    pub at_once: usize,
    /// How long a file must stand still before it is sent.
    pub settle: Duration,
    /// How many finished transfers are remembered, at least one.
    pub history_rows: u64,
    /// How long finished transfers are remembered.
    pub history_age: Duration,
    /// How soon a queue that waits looks again; every look that fails doubles it.
    pub first_probe: Duration,
    /// The longest time between two looks.
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
