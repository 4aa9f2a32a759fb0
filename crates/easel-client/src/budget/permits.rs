//! When the next request may leave: the decision, without a clock, a lock or a wait.
//!
//! The service counts a key's requests exactly, over any 60 seconds, when they arrive. A request arrives somewhere
//! between its departure and its answer, so its place is taken from its departure until 60 seconds after its answer:
//! then no window at the service can hold more than the size, whatever the network does in between. Always true:
//!
//! - places taken never exceed the size, for any lane;
//! - polls and transfers leave a reserve alone, which is there for a click;
//! - transfers leave evenly, so that a place falls free evenly too, and a click after the reserve is used waits for one
//!   interval and not for the end of a minute.
//!
//! Not here: who waits, and waking them.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The time over which the service counts.
pub(super) const WINDOW: Duration = Duration::from_secs(60);
/// For so much longer a permit stays taken, in case the two clocks do not run alike.
const MARGIN: Duration = Duration::from_millis(100);
/// The size until the service tells its own (specification, "Limits": 120 a minute).
const USUAL_SIZE: u32 = 120;
/// So many requests can leave at once when a person clicks, where the size allows it.
const LARGEST_RESERVE: u32 = 5;
/// One permit of so many is kept back, so that transfers use 95 % and more.
const RESERVED_ONE_IN: u32 = 24;
/// A refusal leaves this much of the size in use, and refusals never leave less than the smallest share.
const SHRINK: f64 = 0.8;
const SMALLEST_SHARE: f64 = 0.2;
/// How fast the share recovers, as a part of the whole size a second: from the smallest share to the whole in some
/// thirteen minutes.
const RECOVERY_PER_SECOND: f64 = 0.001;
/// Refusals this close together count once: their requests were on the way together.
const SAME_EVENT: Duration = Duration::from_secs(5);

/// For whom a request is made. A person's overtakes polls and transfers, always.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Someone clicked and waits.
    Person,
    /// A look whether something has happened.
    Poll,
    /// A transfer of a file.
    Transfer,
}

/// Whether a request may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// Now.
    Go,
    /// Not before this time; ask again then.
    NotBefore(Instant),
    /// Not before an answer comes; ask again then.
    AfterAnAnswer,
}

/// The permits of one key.
#[derive(Debug)]
pub(super) struct Permits {
    /// Permits in any window; `None` means no limit.
    size: Option<u32>,
    /// The share of the size that is in use, after refusals.
    share: f64,
    /// When `share` was last brought up to date.
    share_at: Instant,
    last_refusal: Option<Instant>,
    blocked_until: Option<Instant>,
    /// Requests that left and have no answer yet.
    on_the_way: u32,
    /// When the permits of answered requests fall free, soonest first.
    free_at: VecDeque<Instant>,
    next_transfer: Instant,
    next_poll: Instant,
}

impl Permits {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            size: Some(USUAL_SIZE),
            share: 1.0,
            share_at: now,
            last_refusal: None,
            blocked_until: None,
            on_the_way: 0,
            free_at: VecDeque::new(),
            next_transfer: now,
            next_poll: now,
        }
    }

    /// Sets the size to the rate that the service tells: `Some(0)` is no limit, `None` that it does not tell.
    pub(super) fn resize(&mut self, requests_per_minute: Option<u32>) {
        self.size = match requests_per_minute {
            None => Some(USUAL_SIZE),
            Some(0) => None,
            Some(size) => Some(size),
        };
    }

    /// Whether a request in `lane` may leave now, while `people_waiting` requests of people wait too.
    pub(super) fn judge(&mut self, now: Instant, lane: Lane, people_waiting: u32) -> Admission {
        if let Some(until) = self.blocked_until {
            if now < until {
                return Admission::NotBefore(until);
            }
            self.blocked_until = None;
        }
        let Some(size) = self.size else { return Admission::Go };
        self.forget_what_is_over(now);
        let background = self.background_size(now, size);
        let (places, paced) = match lane {
            Lane::Person => (size, None),
            Lane::Poll => (background.saturating_sub(people_waiting), Some(self.next_poll)),
            Lane::Transfer => (background.saturating_sub(people_waiting), Some(self.next_transfer)),
        };
        let taken = self.on_the_way.saturating_add(u32::try_from(self.free_at.len()).unwrap_or(u32::MAX));
        if taken >= places.max(1) {
            // The permit that must fall free first so that `taken` drops below `places`.
            let surplus = usize::try_from(taken - places.max(1)).unwrap_or(usize::MAX);
            return self.free_at.get(surplus).map_or(Admission::AfterAnAnswer, |at| Admission::NotBefore(*at));
        }
        match paced {
            Some(at) if now < at => Admission::NotBefore(at),
            _ => Admission::Go,
        }
    }

    /// Notes that a request left.
    pub(super) fn take_permit(&mut self, now: Instant, lane: Lane) {
        self.on_the_way = self.on_the_way.saturating_add(1);
        let Some(size) = self.size else { return };
        let interval = WINDOW / self.background_size(now, size).max(1);
        // Any request pushes the next transfer back, so that permits keep falling free evenly.
        self.next_transfer = step(self.next_transfer, now, interval);
        if lane == Lane::Poll {
            // Polls alone may use half of the permits, so that they never starve the transfers.
            self.next_poll = step(self.next_poll, now, 2 * interval);
        }
    }

    /// Notes that an answer came, or will never come.
    pub(super) fn settle(&mut self, now: Instant) {
        self.on_the_way = self.on_the_way.saturating_sub(1);
        if self.size.is_some() {
            self.free_at.push_back(now + WINDOW + MARGIN);
        }
    }

    /// Notes that the service refused a request for its rate, because others use the key too. No request leaves for
    /// `wait`.
    pub(super) fn refuse(&mut self, now: Instant, wait: Duration) {
        let until = now + wait;
        self.blocked_until = Some(self.blocked_until.map_or(until, |known| known.max(until)));
        if self.last_refusal.is_none_or(|last| now.duration_since(last) >= SAME_EVENT) {
            self.recover(now);
            self.share = (self.share * SHRINK).max(SMALLEST_SHARE);
        }
        self.last_refusal = Some(now);
    }

    fn forget_what_is_over(&mut self, now: Instant) {
        while self.free_at.front().is_some_and(|at| *at <= now) {
            self.free_at.pop_front();
        }
    }

    fn recover(&mut self, now: Instant) {
        let passed = now.duration_since(self.share_at).as_secs_f64();
        self.share = passed.mul_add(RECOVERY_PER_SECOND, self.share).min(1.0);
        self.share_at = now;
    }

    /// How many permits polls and transfers may take: the size, minus the part lost to refusals, minus the reserve.
    fn background_size(&mut self, now: Instant, size: u32) -> u32 {
        self.recover(now);
        let reserve = match size {
            0 | 1 => 0,
            _ => (size / RESERVED_ONE_IN).clamp(1, LARGEST_RESERVE),
        };
        let shrunk = f64::from(size - reserve) * self.share;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a u32")]
        let places = shrunk as u32;
        places.max(1)
    }
}

/// The next even step: a timer that woke a little late does not slow the pace, a pause does not become a burst, and a
/// crowd of clicks does not push the transfers out of sight.
fn step(planned: Instant, now: Instant, interval: Duration) -> Instant {
    let late = now.saturating_duration_since(planned);
    if late < interval { (planned + interval).min(now + 10 * interval) } else { now + interval }
}
