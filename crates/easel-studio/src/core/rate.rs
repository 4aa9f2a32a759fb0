//! The request rate of a key and the export rate of an organization: exact over any sixty seconds (specification,
//! "Limits"; contract, "Errors").
//!
//! A request that is refused takes nothing, and one that another limit refuses gives back what it took. Kept in memory:
//! a restart forgets it, a key's own minute at most. Not here: which requests are exempt; that stands in
//! [`crate::routes::router`]; and several processes, which count together in their database ([`crate::db::rates`]).

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::error::Error;

/// The window.
const WINDOW: Duration = Duration::from_secs(60);

/// Counts requests, each for its own `K`.
#[derive(Debug)]
pub struct Rate<K> {
    /// When the requests of the last window came, oldest first.
    taken: Mutex<HashMap<K, VecDeque<Duration>>>,
}

impl<K: Copy + Eq + Hash> Rate<K> {
    /// Nothing taken yet.
    #[must_use]
    pub fn new() -> Self {
        Self { taken: Mutex::new(HashMap::new()) }
    }

    /// Counts a request of `key` at the moment `now`, which never goes back, where it makes at most `per_minute` in any
    /// sixty seconds; zero for no limit.
    ///
    /// # Errors
    /// [`Error::RateLimited`] with whole seconds, at least one, until the next request would pass.
    pub fn take(&self, key: K, per_minute: u32, now: Duration) -> Result<(), Error> {
        if per_minute == 0 {
            return Ok(());
        }
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if !taken.contains_key(&key) {
            // Keys come and go; those without a request in the window need not be remembered.
            taken.retain(|_, times| times.back().is_some_and(|last| *last + WINDOW > now));
        }
        let times = taken.entry(key).or_default();
        while times.front().is_some_and(|first| *first + WINDOW <= now) {
            times.pop_front();
        }
        // The request that has to leave the window first; after a lower limit was set, more than one has.
        let in_the_way = times.len().checked_sub(per_minute as usize).and_then(|place| times.get(place));
        match in_the_way {
            Some(last) => {
                let wait = (*last + WINDOW).saturating_sub(now);
                let whole = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                Err(Error::RateLimited { retry_after: Duration::from_secs(whole.max(1)) })
            }
            None => {
                times.push_back(now);
                Ok(())
            }
        }
    }

    /// Takes back a request of `key` that came at `moment`: it was answered 429 by another limit.
    pub fn give_back(&self, key: K, moment: Duration) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(times) = taken.get_mut(&key)
            && let Some(place) = times.iter().rposition(|time| *time == moment)
        {
            times.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ApiKeyId;
    use proptest::prelude::*;
    use uuid::Uuid;

    type RequestRate = Rate<ApiKeyId>;

    fn key(number: u128) -> ApiKeyId {
        ApiKeyId::from_uuid(Uuid::from_u128(number))
    }

    fn wait(result: Result<(), Error>) -> Option<u64> {
        match result {
            Ok(()) => None,
            Err(Error::RateLimited { retry_after }) => Some(retry_after.as_secs()),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn the_window_slides_exactly() {
        let rate = RequestRate::new();
        let at = |millis| wait(rate.take(key(1), 2, Duration::from_millis(millis)));
        assert_eq!(at(0), None);
        assert_eq!(at(30_000), None);
        assert_eq!(at(30_001), Some(30));
        assert_eq!(at(59_000), Some(1));
        assert_eq!(at(59_999), Some(1));
        assert_eq!(at(60_000), None);
        assert_eq!(at(60_000), Some(30));
        assert_eq!(at(90_000), None);
    }

    #[test]
    fn a_limit_that_changes_holds_from_the_next_request_on() {
        let rate = RequestRate::new();
        let at = |limit, second| wait(rate.take(key(1), limit, Duration::from_secs(second)));
        assert_eq!((at(3, 0), at(3, 10), at(3, 20), at(3, 30)), (None, None, None, Some(30)));
        assert_eq!((at(4, 30), at(4, 31)), (None, Some(29)));
        // Of four, three have to go before another passes within one.
        assert_eq!((at(1, 31), at(2, 31)), (Some(59), Some(49)));
        assert_eq!(at(1, 90), None);
    }

    #[test]
    fn a_refused_request_takes_nothing() {
        let rate = RequestRate::new();
        assert_eq!(wait(rate.take(key(1), 1, Duration::ZERO)), None);
        for second in 1..60 {
            assert_eq!(wait(rate.take(key(1), 1, Duration::from_secs(second))), Some(60 - second));
        }
        assert_eq!(wait(rate.take(key(1), 1, Duration::from_secs(60))), None);
    }

    #[test]
    fn what_is_given_back_is_free_at_once() {
        let rate = RequestRate::new();
        let at = |millis| wait(rate.take(key(1), 2, Duration::from_millis(millis)));
        assert_eq!((at(0), at(10), at(20)), (None, None, Some(60)));
        rate.give_back(key(1), Duration::from_millis(10));
        rate.give_back(key(1), Duration::from_millis(11));
        rate.give_back(key(2), Duration::ZERO);
        assert_eq!((at(30), at(40)), (None, Some(60)));
    }

    #[test]
    fn keys_do_not_share_and_zero_means_no_limit() {
        let rate = RequestRate::new();
        assert_eq!(wait(rate.take(key(1), 1, Duration::ZERO)), None);
        assert_eq!(wait(rate.take(key(2), 1, Duration::ZERO)), None);
        assert!((0..1000).all(|_| rate.take(key(1), 0, Duration::ZERO).is_ok()));
    }

    #[test]
    fn idle_keys_are_forgotten() {
        let rate = RequestRate::new();
        for number in 0..100 {
            rate.take(key(number), 5, Duration::ZERO).unwrap();
        }
        rate.take(key(1000), 5, Duration::from_secs(60)).unwrap();
        assert_eq!(rate.taken.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_key_that_comes_in_between_makes_nobody_forget_another() {
        let rate = RequestRate::new();
        let at = |number, second| wait(rate.take(key(number), 1, Duration::from_secs(second)));
        assert_eq!((at(1, 0), at(2, 10), at(1, 20)), (None, None, Some(40)));
        assert_eq!((at(3, 59), at(1, 59), at(2, 59)), (None, Some(1), Some(11)));
    }

    proptest! {
        #[test]
        fn no_window_ever_holds_more_and_what_is_promised_passes(steps in prop::collection::vec(0_u64..20_000, 1..200)) {
            let rate = RequestRate::new();
            let (mut now, mut passed) = (Duration::ZERO, Vec::new());
            for step in steps {
                now += Duration::from_millis(step);
                match wait(rate.take(key(1), 7, now)) {
                    None => passed.push(now),
                    Some(seconds) => {
                        prop_assert!(passed.iter().filter(|moment| **moment + WINDOW > now).count() == 7);
                        now += Duration::from_secs(seconds);
                        prop_assert!(rate.take(key(1), 7, now).is_ok());
                        passed.push(now);
                    }
                }
            }
            for window in passed.windows(8) {
                prop_assert!(window[7] - window[0] >= WINDOW);
            }
        }
    }
}
