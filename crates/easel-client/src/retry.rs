//! When a request is repeated (contract, "Errors", retry rules).
//!
//! 429, and 409 `canvas_active_job`: after `Retry-After`, without one after 1 s doubling to 30 s with jitter. 5xx and
//! broken connections: with backoff and jitter, at most three times, and only where a repeat is harmless. If no
//! connection could be made, nothing was sent, so that repeat is always harmless. No other request is repeated. Not
//! here: waiting, and the budget of the key, which a 429 shrinks (`budget`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use easel_wire::ErrorType;
use easel_wire::error::code;

use crate::error::Error;

/// A request is repeated so often after failures.
pub(crate) const MAX_REPEATS: u32 = 3;
/// A refusal that tells a time to wait is waited out so often before the caller gets it.
const MAX_WAITS: u32 = 6;
/// A longer wait than this is not waited here; the caller decides.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
const FIRST_BACKOFF: Duration = Duration::from_millis(300);
const FIRST_UNSAID_WAIT: Duration = Duration::from_secs(1);
const LONGEST_UNSAID_WAIT: Duration = Duration::from_secs(30);

/// Whether the same request may simply be sent again after its answer was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// The request changes nothing, or changes the same again.
    Harmless,
    /// The request could act twice: its caller finds out first what became of it.
    Harmful,
}

/// A source of numbers from 0 to 1, so that clients that failed together do not come back together.
#[derive(Clone)]
pub(crate) struct Jitter(Arc<dyn Fn() -> f64 + Send + Sync>);

impl Jitter {
    /// From the system's randomness.
    pub(crate) fn random() -> Self {
        Self::from_fn(|| getrandom::u32().map_or(0.5, |number| f64::from(number) / f64::from(u32::MAX)))
    }

    pub(crate) fn from_fn(number: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(number))
    }

    /// A random time from half of `longest` to all of it.
    fn spread(&self, longest: Duration) -> Duration {
        longest.mul_f64((self.0)().clamp(0.0, 1.0).mul_add(0.5, 0.5))
    }
}

impl fmt::Debug for Jitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Jitter")
    }
}

/// What to do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Try again after this time.
    After(Duration),
    /// No request of this key may leave for this time; then try again.
    KeyAfter(Duration),
    /// Hand the error to the caller.
    GiveUp,
}

/// How often one request was repeated so far.
#[derive(Debug)]
pub(crate) struct Tries {
    jitter: Jitter,
    repeats: u32,
    waits: u32,
}

impl Tries {
    pub(crate) const fn new(jitter: Jitter) -> Self {
        Self { jitter, repeats: 0, waits: 0 }
    }

    /// What to do about `error` of a request whose repeat is `repeat`.
    pub(crate) fn next(&mut self, error: &Error, repeat: Repeat) -> Next {
        if let Some(next) = self.wait_as_told(error) {
            return next;
        }
        // The request was not carried out, and there are only so many versions to try.
        if matches!(error, Error::OtherVersion) {
            return Next::After(Duration::ZERO);
        }
        let nothing_was_sent = matches!(error, Error::Unreachable { .. });
        let may_repeat = nothing_was_sent || (repeat == Repeat::Harmless && error.is_answer_lost());
        if may_repeat { self.back_off() } else { Next::GiveUp }
    }

    /// The wait before another try that the caller knows to be harmless.
    pub(crate) fn back_off(&mut self) -> Next {
        if self.repeats >= MAX_REPEATS {
            return Next::GiveUp;
        }
        let longest = FIRST_BACKOFF * 2_u32.pow(self.repeats);
        self.repeats += 1;
        Next::After(self.jitter.spread(longest))
    }

    /// The wait that the service asked for; `None` where it asked for none.
    fn wait_as_told(&mut self, error: &Error) -> Option<Next> {
        let Error::Api { status, error: body, retry_after, .. } = error else { return None };
        let for_the_key = match (*status, body.code.as_str()) {
            (429, code::EXPORT_RATE_LIMITED | code::CONCURRENT_TASK_LIMIT) => false,
            (429, _) => true,
            // Any code: a conflict that tells when to come again will pass (contract, `canvas_active_job`).
            (409, _) if retry_after.is_some() && !error.is_name_conflict() => false,
            (_, code::CANVAS_ACTIVE_JOB) if body.error_type == ErrorType::Conflict => false,
            _ => return None,
        };
        let wait = retry_after.unwrap_or_else(|| {
            let longest = FIRST_UNSAID_WAIT.saturating_mul(2_u32.saturating_pow(self.waits)).min(LONGEST_UNSAID_WAIT);
            self.jitter.spread(longest)
        });
        if self.waits >= MAX_WAITS || wait > LONGEST_WAIT {
            return Some(Next::GiveUp);
        }
        self.waits += 1;
        Some(if for_the_key { Next::KeyAfter(wait) } else { Next::After(wait) })
    }
}

/// Reads `Retry-After`: whole seconds, or an HTTP date measured from `now` by the service's clock.
pub(crate) fn parse_retry_after(value: &str, now: jiff::Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tries() -> Tries {
        Tries::new(Jitter::from_fn(|| 1.0))
    }

    fn answered(status: u16, error_type: &str, code: &str, retry_after_s: Option<u64>) -> Error {
        let body = serde_json::json!({"error": {"type": error_type, "code": code}}).to_string();
        Error::of_answer(status, body.as_bytes(), None, retry_after_s.map(Duration::from_secs))
    }

    fn broken() -> Error {
        Error::ConnectionBroken { reason: String::new() }
    }

    #[test]
    fn each_failure_is_followed_by_what_the_contract_says() {
        let check = |error: Error, repeat: Repeat, expected: Next| {
            assert_eq!(tries().next(&error, repeat), expected, "{error} {repeat:?}");
        };
        let seconds = Duration::from_secs;
        for repeat in [Repeat::Harmless, Repeat::Harmful] {
            check(answered(429, "rate_limited", "rate_limited", Some(7)), repeat, Next::KeyAfter(seconds(7)));
            check(answered(429, "rate_limited", "rate_limited", None), repeat, Next::KeyAfter(seconds(1)));
            check(answered(429, "weather", "rain", Some(2)), repeat, Next::KeyAfter(seconds(2)));
            check(answered(429, "rate_limited", "export_rate_limited", Some(60)), repeat, Next::After(seconds(60)));
            check(answered(429, "rate_limited", "concurrent_task_limit", Some(30)), repeat, Next::After(seconds(30)));
            check(answered(409, "conflict", "canvas_active_job", Some(10)), repeat, Next::After(seconds(10)));
            check(answered(409, "conflict", "file_name_conflict", None), repeat, Next::GiveUp);
            check(answered(401, "authentication", "authentication", None), repeat, Next::GiveUp);
            check(answered(422, "unprocessable", "validation_failed", None), repeat, Next::GiveUp);
            check(answered(503, "upstream_error", "storage_full", Some(60)), repeat, Next::GiveUp);
            check(answered(429, "rate_limited", "rate_limited", Some(100_000)), repeat, Next::GiveUp);
            check(Error::Unreachable { reason: String::new() }, repeat, Next::After(FIRST_BACKOFF));
            check(Error::SourceChanged, repeat, Next::GiveUp);
            check(Error::RouteMissing, repeat, Next::GiveUp);
        }
        for lost in [broken, || Error::TimedOut, || answered(500, "internal_error", "", None)] {
            check(lost(), Repeat::Harmless, Next::After(FIRST_BACKOFF));
            check(lost(), Repeat::Harmful, Next::GiveUp);
        }
    }

    #[test]
    fn a_broken_connection_is_tried_again_three_times_with_growing_pauses() {
        let mut tries = tries();
        let pauses: Vec<_> = (0..4).map(|_| tries.next(&broken(), Repeat::Harmless)).collect();
        let after = |factor: u32| Next::After(FIRST_BACKOFF * factor);
        assert_eq!(pauses, [after(1), after(2), after(4), Next::GiveUp]);
    }

    #[test]
    fn without_a_retry_after_the_wait_doubles_from_one_second_to_thirty() {
        let mut tries = tries();
        let refused = answered(429, "rate_limited", "rate_limited", None);
        let waits: Vec<_> = (0..7).map(|_| tries.next(&refused, Repeat::Harmful)).collect();
        let after = |seconds: u64| Next::KeyAfter(Duration::from_secs(seconds));
        assert_eq!(waits, [after(1), after(2), after(4), after(8), after(16), after(30), Next::GiveUp]);
    }

    #[test]
    fn jitter_stays_between_half_and_the_whole() {
        for (number, expected_ms) in [(0.0, 500), (0.5, 750), (1.0, 1000), (7.0, 1000)] {
            let spread = Jitter::from_fn(move || number).spread(Duration::from_secs(1));
            assert_eq!(spread, Duration::from_millis(expected_ms));
        }
        let random = Jitter::random();
        assert!((0..100).all(|_| random.spread(Duration::from_secs(1)) >= Duration::from_millis(500)));
    }

    #[test]
    fn a_retry_after_is_seconds_or_a_date() {
        let now = jiff::Timestamp::from_second(1_777_636_800).unwrap();
        let check = |value: &str, expected_s: Option<u64>| {
            assert_eq!(parse_retry_after(value, now), expected_s.map(Duration::from_secs), "{value}");
        };
        check("30", Some(30));
        check(" 0 ", Some(0));
        check("Fri, 01 May 2026 12:00:20 GMT", Some(20));
        check("Fri, 01 May 2026 11:00:00 GMT", Some(0));
        check("-1", None);
        check("soon", None);
        check("99999999999999999999", None);
    }
}
