//! A clock that goes faster than real time: tokio's clock, advanced whenever a runtime has nothing to do.
//!
//! Always true here: it never goes slower than real time, so that a real file is never newer than now; while work goes
//! on on the runtime it goes no faster either. Deliberately not here: the jumps of tokio's own paused clock, which do
//! not wait for a database or a disk to answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// For how long a runtime must be idle before its clock is advanced: longer than a database or a small file takes to
/// answer.
const IDLE: Duration = Duration::from_millis(2);
/// By how much the clock is then advanced.
const STEP: Duration = Duration::from_millis(150);

/// A clock that hurries until it is dropped. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Hurry {
    wall: Arc<AtomicI64>,
    is_held: Arc<AtomicBool>,
    _goes_on: Arc<Goes>,
}

/// Whether the hurrying goes on.
#[derive(Debug)]
struct Goes(Arc<AtomicBool>);

impl Drop for Goes {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Hurry {
    /// Hurries the runtime that this is called on, which has one thread.
    ///
    /// # Panics
    /// On a runtime of several threads, or one that hurries already.
    #[must_use]
    pub fn start() -> Self {
        tokio::time::pause();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros());
        let wall = Arc::new(AtomicI64::new(i64::try_from(now).unwrap_or(i64::MAX)));
        let goes_on = Arc::new(AtomicBool::new(true));
        let (ticks, heard) = mpsc::unbounded_channel();
        // As long as a blocking task runs, tokio does not jump by itself.
        tokio::task::spawn_blocking({
            let goes_on = Arc::clone(&goes_on);
            move || {
                while goes_on.load(Ordering::Acquire) && ticks.send(()).is_ok() {
                    std::thread::sleep(IDLE);
                }
            }
        });
        let is_held = Arc::<AtomicBool>::default();
        tokio::spawn(push_on(heard, Arc::clone(&wall), Arc::clone(&is_held)));
        Self { wall, is_held, _goes_on: Arc::new(Goes(goes_on)) }
    }

    /// Runs work in real time: for work with a limit of its own that may wait long for a busy disk.
    pub async fn hold<T>(&self, work: impl Future<Output = T>) -> T {
        self.is_held.store(true, Ordering::Release);
        let done = work.await;
        self.is_held.store(false, Ordering::Release);
        done
    }

    /// Lets a time pass at once, by both clocks.
    pub async fn pass(&self, time: Duration) {
        self.wall.fetch_add(i64::try_from(time.as_micros()).unwrap_or(i64::MAX), Ordering::AcqRel);
        tokio::time::advance(time).await;
    }

    /// What time it is by this clock, in microseconds since the epoch. It can be asked from any thread.
    #[must_use]
    pub fn wall_us(&self) -> i64 {
        self.wall.load(Ordering::Acquire)
    }
}

async fn push_on(mut ticks: mpsc::UnboundedReceiver<()>, wall: Arc<AtomicI64>, is_held: Arc<AtomicBool>) {
    let metrics = Handle::current().metrics();
    let (mut parked, mut looked_at) = (0, Instant::now());
    while ticks.recv().await.is_some() {
        // Ticks that came while other work went on count as one.
        while ticks.try_recv().is_ok() {}
        // If nothing but this task was woken between two ticks, the thread was parked once.
        let is_idle = metrics.worker_park_count(0) <= parked + 1 && !is_held.load(Ordering::Acquire);
        let passed = looked_at.elapsed();
        looked_at = Instant::now();
        let step = if is_idle { passed + STEP } else { passed };
        wall.fetch_add(i64::try_from(step.as_micros()).unwrap_or(0), Ordering::AcqRel);
        tokio::time::advance(step).await;
        parked = metrics.worker_park_count(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_hour_of_waiting_takes_no_hour() {
        let hurry = Hurry::start();
        let (real, before) = (Instant::now(), hurry.wall_us());
        tokio::time::sleep(Duration::from_secs(600)).await;
        assert!(real.elapsed() < Duration::from_secs(300), "{:?}", real.elapsed());
        assert!(hurry.wall_us() - before >= 600_000_000);
    }

    #[tokio::test]
    async fn both_clocks_go_alike() {
        let hurry = Hurry::start();
        let (wall, began) = (hurry.wall_us(), tokio::time::Instant::now());
        tokio::time::sleep(Duration::from_secs(30)).await;
        let passed = hurry.wall_us() - wall;
        assert_eq!(u128::try_from(passed).unwrap() / 1_000_000, began.elapsed().as_micros() / 1_000_000);
    }
}
