//! What time it is here: the system's, or what a test says.
//!
//! Always true here: the service asks no other clock and never sleeps, so that a test can have hours pass in no time.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

/// A clock that can be given away and asked from any thread.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::of(Timestamp::now)
    }

    /// Whatever a test calls the time.
    pub fn of(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Tokio's clock, from the system's time now: it stands where a test has paused it, and is asked within its runtime.
    #[must_use]
    pub fn tokio() -> Self {
        let (start, began) = (Timestamp::now(), tokio::time::Instant::now());
        Self::of(move || start + began.elapsed())
    }

    /// A clock that stands at the system's time now until its hand is moved.
    #[must_use]
    pub fn standing() -> (Self, Hand) {
        let now = Arc::new(Mutex::new(Timestamp::now()));
        let hand = Hand(Arc::clone(&now));
        (Self::of(move || *now.lock().unwrap_or_else(PoisonError::into_inner)), hand)
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Clock({})", self.now())
    }
}

/// What moves a standing clock.
#[derive(Debug, Clone)]
pub struct Hand(Arc<Mutex<Timestamp>>);

impl Hand {
    /// Lets this time pass.
    pub fn advance(&self, time: Duration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now += time;
    }
}
