//! Waiting for a condition with a deadline, in place of sleeping and hoping.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// How often a condition is checked.
const INTERVAL: Duration = Duration::from_millis(50);

/// Looks again and again until `probe` finds what it looks for.
///
/// # Panics
/// When the time is over; the message says what was waited for and what was seen last.
pub async fn wait_for<T, S: Display>(what: &str, limit: Duration, mut probe: impl AsyncFnMut() -> Result<T, S>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        match probe().await {
            Ok(found) => return found,
            Err(seen) if Instant::now() > deadline => panic!("waited {limit:?} for {what}; last seen: {seen}"),
            Err(_) => tokio::time::sleep(INTERVAL).await,
        }
    }
}
