//! Speeds and times left: smoothed rates, and an estimate that says what limits it.
//!
//! Pure: times and counts are handed in. Always true: an estimate looks at what is left in bytes, in requests and in
//! files, and the slowest of the three is the answer, because they go on beside each other. Requests, not bytes, are
//! the usual limit (specification, "Limits"). Not here: pausing and waiting; while the queue waits nothing is
//! estimated.

use serde::{Deserialize, Serialize};

/// The memory of a rate that is shown, in milliseconds.
const MEMORY_MS: f64 = 3_000.0;
/// The memory of a rate that an estimate is made from, in milliseconds. A shorter one would let the time left jump; a
/// longer one would not notice a service or a disk that grows slower.
const LONG_MEMORY_MS: f64 = 8_000.0;
/// The share of the service's rate that the budget uses.
const USED_SHARE: f64 = 0.95;
/// Work that takes more than this share of a limit is limited by it.
const MOST_OF_IT: f64 = 0.7;
/// Longer times are not estimated.
const LONGEST_SECONDS: f64 = 7.0 * 24.0 * 3_600.0;
/// Requests for a file that goes up signed: sign and register.
const REQUESTS_A_LARGE_FILE: u64 = 2;

/// What limits the speed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitedBy {
    /// Nothing is under way, or too little is known.
    #[default]
    Nothing,
    /// The connection's bytes a second.
    Bytes,
    /// The service's requests a minute.
    Requests,
    /// The cost of each file by itself: a disk or a round trip.
    Files,
}

/// A rate per second, smoothed exponentially over a few seconds; before it has observed so long, the plain average.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    memory_ms: f64,
    per_second: Option<f64>,
    last: Option<(u64, u64)>,
    /// For how long it has observed, in milliseconds.
    observed_ms: f64,
}

impl Default for Rate {
    fn default() -> Self {
        Self { memory_ms: MEMORY_MS, per_second: None, last: None, observed_ms: 0.0 }
    }
}

impl Rate {
    /// A rate that changes slowly.
    pub(crate) fn steady() -> Self {
        Self { memory_ms: LONG_MEMORY_MS, ..Self::default() }
    }

    /// Takes in a count at a time in milliseconds. A count that fell begins anew.
    pub(crate) fn observe(&mut self, now_ms: u64, count: u64) {
        let Some((then_ms, before)) = self.last else {
            self.last = Some((now_ms, count));
            return;
        };
        let elapsed_ms = now_ms.saturating_sub(then_ms);
        if elapsed_ms == 0 {
            return;
        }
        self.last = Some((now_ms, count));
        if count < before {
            return;
        }
        let elapsed = to_f64(elapsed_ms);
        let now = to_f64(count - before) * 1_000.0 / elapsed;
        self.observed_ms += elapsed;
        let weight = (1.0 - (-elapsed / self.memory_ms).exp()).max(elapsed / self.observed_ms);
        self.per_second = Some(self.per_second.map_or(now, |smoothed| smoothed + weight * (now - smoothed)));
    }

    /// Moves the point of comparison without counting the time in between.
    pub(crate) fn skip(&mut self, now_ms: u64, count: u64) {
        self.last = Some((now_ms, count));
    }

    /// The rate per second, where there is one.
    pub(crate) fn per_second(&self) -> Option<f64> {
        self.per_second
    }

    /// The rate as a whole number per second.
    pub(crate) fn whole(&self) -> u64 {
        to_u64(self.per_second.unwrap_or_default())
    }
}

/// The work that is left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RemainingWork {
    pub bytes: u64,
    pub small_files: u64,
    pub large_files: u64,
}

/// Measured speeds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Speeds {
    /// The connection's speed, while bytes of a large file move.
    pub bytes_per_second: Option<f64>,
    /// Small files that end a second.
    pub small_files_per_second: Option<f64>,
    /// The service's rate; `None` where it is unknown or without limit.
    pub requests_per_minute: Option<u32>,
}

/// The milliseconds until the work is done, where enough is known, and what limits it.
pub(crate) fn estimate(work: RemainingWork, speeds: Speeds) -> (Option<u64>, LimitedBy) {
    let seconds = |amount: u64, per_second: Option<f64>| {
        if amount == 0 { Some(0.0) } else { per_second.filter(|rate| *rate > 0.0).map(|rate| to_f64(amount) / rate) }
    };
    let requests = work.small_files + REQUESTS_A_LARGE_FILE * work.large_files;
    if requests == 0 {
        return (None, LimitedBy::Nothing);
    }
    let request_rate =
        speeds.requests_per_minute.filter(|rate| *rate > 0).map(|rate| f64::from(rate) * USED_SHARE / 60.0);
    if is_stuck(work.bytes, speeds.bytes_per_second) || is_stuck(work.small_files, speeds.small_files_per_second) {
        return (None, LimitedBy::Nothing);
    }
    let candidates = [
        (seconds(work.bytes, speeds.bytes_per_second), LimitedBy::Bytes),
        (seconds(work.small_files, speeds.small_files_per_second), LimitedBy::Files),
        (seconds(requests, request_rate), LimitedBy::Requests),
    ];
    let slowest = candidates.into_iter().filter_map(|(time, by)| time.map(|time| (time, by))).fold(None, slower);
    match slowest {
        // Nothing was measured yet, and the service's rate alone says too little if the bytes may take longest.
        None | Some((_, LimitedBy::Requests)) if speeds.bytes_per_second.is_none() && work.large_files > 0 => {
            (None, LimitedBy::Nothing)
        }
        None => (None, LimitedBy::Nothing),
        // If small files end at about the service's rate, it is that rate which limits them.
        Some((time, LimitedBy::Files)) if at_the_rate(speeds.small_files_per_second, request_rate) => {
            (Some(to_u64(time * 1_000.0)), LimitedBy::Requests)
        }
        // If their bytes alone take most of that time, it is the bytes that limit them.
        Some((time, LimitedBy::Files))
            if seconds(work.bytes, speeds.bytes_per_second).is_some_and(|bytes| bytes > MOST_OF_IT * time) =>
        {
            (Some(to_u64(time * 1_000.0)), LimitedBy::Bytes)
        }
        Some((time, by)) => (Some(to_u64(time * 1_000.0)), by),
    }
}

/// Whether the measurement shows only that nothing moves any longer.
fn is_stuck(amount: u64, per_second: Option<f64>) -> bool {
    per_second.is_some_and(|rate| to_f64(amount) > rate * LONGEST_SECONDS)
}

fn slower(slowest: Option<(f64, LimitedBy)>, next: (f64, LimitedBy)) -> Option<(f64, LimitedBy)> {
    match slowest {
        Some(slowest) if slowest.0 >= next.0 => Some(slowest),
        _ => Some(next),
    }
}

fn at_the_rate(files: Option<f64>, requests: Option<f64>) -> bool {
    matches!((files, requests), (Some(files), Some(requests)) if files > MOST_OF_IT * requests)
}

#[expect(clippy::cast_precision_loss, reason = "a rate needs no more than 53 bits")]
fn to_f64(number: u64) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rates and times are not negative, and saturate"
)]
fn to_u64(number: f64) -> u64 {
    number.max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_rate_is_shown_as_it_is_and_decays_when_nothing_moves() {
        let mut rate = Rate::default();
        for step in 0..50_u64 {
            rate.observe(step * 100, step * 1_000);
        }
        assert_eq!(rate.whole(), 10_000);
        for step in 50..200_u64 {
            rate.observe(step * 100, 49_000);
        }
        assert!(rate.whole() < 100, "{rate:?}");
    }

    #[test]
    fn a_count_that_begins_anew_is_no_negative_speed() {
        let mut rate = Rate::default();
        rate.observe(0, 0);
        rate.observe(100, 1_000);
        rate.observe(200, 0);
        rate.observe(300, 1_000);
        assert_eq!(rate.whole(), 10_000);
    }

    #[test]
    fn the_slowest_limit_is_the_estimate_and_is_named() {
        let check = |work: RemainingWork, speeds: Speeds, expected: (Option<u64>, LimitedBy)| {
            assert_eq!(estimate(work, speeds), expected, "{work:?} {speeds:?}");
        };
        let small = RemainingWork { bytes: 400 * 4_000, small_files: 400, large_files: 0 };
        let large = RemainingWork { bytes: 90_000_000, small_files: 0, large_files: 1 };
        let both = RemainingWork { bytes: 91_600_000, small_files: 400, large_files: 1 };
        let limited = Speeds { requests_per_minute: Some(120), ..Speeds::default() };
        let wire = Speeds { bytes_per_second: Some(10_000_000.0), ..limited };
        check(RemainingWork::default(), wire, (None, LimitedBy::Nothing));
        check(small, limited, (Some(210_526), LimitedBy::Requests));
        check(small, Speeds { small_files_per_second: Some(1.9), ..limited }, (Some(210_526), LimitedBy::Requests));
        check(small, Speeds { small_files_per_second: Some(0.5), ..limited }, (Some(800_000), LimitedBy::Files));
        check(large, limited, (None, LimitedBy::Nothing));
        check(large, wire, (Some(9_000), LimitedBy::Bytes));
        check(both, wire, (Some(211_578), LimitedBy::Requests));
        check(
            small,
            Speeds { small_files_per_second: Some(100.0), ..Speeds::default() },
            (Some(4_000), LimitedBy::Files),
        );
        let middling = RemainingWork { bytes: 40_000_000, small_files: 40, large_files: 0 };
        let slow_wire = Speeds { bytes_per_second: Some(2_000_000.0), ..Speeds::default() };
        check(middling, Speeds { small_files_per_second: Some(1.8), ..slow_wire }, (Some(22_222), LimitedBy::Bytes));
        check(middling, Speeds { small_files_per_second: Some(1.0), ..slow_wire }, (Some(40_000), LimitedBy::Files));
        check(small, Speeds::default(), (None, LimitedBy::Nothing));
        check(small, Speeds { small_files_per_second: Some(1e-9), ..limited }, (None, LimitedBy::Nothing));
    }
}
