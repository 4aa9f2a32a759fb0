//! When a call is made again (contract, "Errors", retry rules).
//!
//! 429, and 409 `canvas_active_job`: after `Retry-After`, without one after 1 s doubling to 30 s with jitter. 5xx and
//! broken connections: with backoff and jitter, at most three times, and only where a repeat is harmless. A connection
//! that never came about carried nothing, so that repeat is always harmless. Nothing else is repeated. Not here: waiting.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use easel_wire::ErrorType;
use easel_wire::error::code;

use crate::error::Error;

/// How often a failure is answered with another try.
pub(crate) const MAX_REPEATS: u32 = 3;
/// How often a refusal with a time to wait is waited out before the caller hears of it.
const MAX_WAITS: u32 = 6;
/// A service that asks for more than this is not waited for here; the caller decides.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
const FIRST_BACKOFF: Duration = Duration::from_millis(300);
const FIRST_UNSAID_WAIT: Duration = Duration::from_secs(1);
const LONGEST_UNSAID_WAIT: Duration = Duration::from_secs(30);

/// Whether the same request may simply be sent again after its answer was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It changes nothing, or changes the same thing again.
    Harmless,
    /// It could act twice: whoever made it settles a lost answer first.
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

    /// From half of `longest` to all of it.
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
    /// Nothing of this key may leave for this time; then try again.
    KeyAfter(Duration),
    /// Hand the error to the caller.
    GiveUp,
}

/// How often one call was made so far.
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

    /// What to do about `error` of a call whose repeat is `repeat`.
    pub(crate) fn next(&mut self, error: &Error, repeat: Repeat) -> Next {
        if let Some(next) = self.wait_as_told(error) {
            return next;
        }
        let nothing_was_sent = matches!(error, Error::Unreachable { .. });
        let may_repeat = nothing_was_sent || (repeat == Repeat::Harmless && error.is_answer_lost());
        if may_repeat { self.back_off() } else { Next::GiveUp }
    }

    /// The time before another try of what the caller knows to be harmless now.
    pub(crate) fn back_off(&mut self) -> Next {
        if self.repeats >= MAX_REPEATS {
            return Next::GiveUp;
        }
        let longest = FIRST_BACKOFF * 2_u32.pow(self.repeats);
        self.repeats += 1;
        Next::After(self.jitter.spread(longest))
    }

    /// `None` where the service did not ask to wait.
    fn wait_as_told(&mut self, error: &Error) -> Option<Next> {
        let Error::Api { status, error: body, retry_after } = error else { return None };
        let for_the_key = match (*status, body.code.as_str()) {
            (429, code::EXPORT_RATE_LIMITED | code::CONCURRENT_TASK_LIMIT) => false,
            (429, _) => true,
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

/// Reads `Retry-After`: whole seconds, or an HTTP date measured from `now`.
pub(crate) fn parse_retry_after(value: &str, now: jiff::Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}
