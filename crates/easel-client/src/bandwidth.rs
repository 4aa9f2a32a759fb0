//! The bandwidth limit for bytes of files, one for the whole program, because all connections share the person's line.
//!
//! Always true: a limit of zero is none; under a limit, the bytes of any period are no more than the limit times that
//! period plus one second's worth; whoever asked first goes first. Not here: the request budget, which counts requests
//! and not bytes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Under a limit, a chunk is this fraction of a second's bytes, so that bytes move evenly.
const PARTS_OF_A_SECOND: u64 = 8;
const SMALLEST_CHUNK_BYTES: usize = 1_024;

static LINE: Bandwidth = Bandwidth::new();

/// Limits the bytes of files that move in a second, in both directions together; zero is no limit. Holds for the whole
/// program, from the next chunk on.
pub fn limit_bandwidth(bytes_per_second: u64) {
    LINE.limit.store(bytes_per_second, Ordering::Relaxed);
}

/// Waits until so many bytes may move.
pub(crate) async fn take(bytes: u64) {
    if let Some(at) = LINE.reserve(bytes, Instant::now()) {
        sleep_until(at).await;
    }
}

/// The size of a chunk that would be `usual_bytes` without a limit.
pub(crate) fn chunk_bytes(usual_bytes: usize) -> usize {
    match LINE.limit.load(Ordering::Relaxed) {
        0 => usual_bytes,
        limit => {
            usize::try_from(limit / PARTS_OF_A_SECOND).unwrap_or(usual_bytes).clamp(SMALLEST_CHUNK_BYTES, usual_bytes)
        }
    }
}

struct Bandwidth {
    /// Bytes a second; zero is no limit.
    limit: AtomicU64,
    /// When the line is free again.
    free_at: Mutex<Option<Instant>>,
}

impl Bandwidth {
    const fn new() -> Self {
        Self { limit: AtomicU64::new(0), free_at: Mutex::new(None) }
    }

    /// When bytes that are ready at `now` may move; `None` is at once.
    fn reserve(&self, bytes: u64, now: Instant) -> Option<Instant> {
        let limit = self.limit.load(Ordering::Relaxed);
        if limit == 0 {
            return None;
        }
        let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
        let from = free_at.map_or(now, |at| at.max(now));
        let nanoseconds = u128::from(bytes) * 1_000_000_000 / u128::from(limit);
        let takes = Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX));
        *free_at = from.checked_add(takes);
        (from > now).then_some(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn bytes_move_as_fast_as_they_may_and_no_faster() {
        let line = Bandwidth::new();
        let now = Instant::now();
        assert_eq!(line.reserve(u64::MAX, now), None);
        line.limit.store(1_000, Ordering::Relaxed);
        assert_eq!(line.reserve(500, now), None);
        assert_eq!(line.reserve(500, now), Some(now + Duration::from_millis(500)));
        assert_eq!(line.reserve(2_000, now), Some(now + Duration::from_secs(1)));
        // Bytes that were not used are not saved up.
        let later = now + Duration::from_secs(60);
        assert_eq!(line.reserve(500, later), None);
        assert_eq!(line.reserve(500, later), Some(later + Duration::from_millis(500)));
        line.limit.store(0, Ordering::Relaxed);
        assert_eq!(line.reserve(u64::MAX, later), None);
    }
}
