//! The rate of exports: when the next one may be started, of so many in any minute (specification, "Limits", "Export
//! rate").
//!
//! Always true: within a minute no more are started than the cap; a refusal of the service (429) holds all of them
//! back. This only decides; the caller waits.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// What the cap counts in.
const WINDOW: Duration = Duration::from_secs(60);

/// The exports of the last minute.
#[derive(Debug, Default)]
pub(super) struct ExportRate {
    started: VecDeque<Instant>,
    not_before: Option<Instant>,
}

impl ExportRate {
    /// Takes a place at `now`, or says from when on there may be one. `cap`: `None` is no limit.
    pub(super) fn take(&mut self, cap: Option<u32>, now: Instant) -> Result<(), Instant> {
        self.forget_old(now);
        match self.next_at(0, cap, now) {
            at if at > now => Err(at),
            _ => {
                self.started.push_back(now);
                Ok(())
            }
        }
    }

    /// Takes a place at `now` that leaves `kept` of a minute's places free, or says from when on there may be one.
    pub(super) fn take_spare(&mut self, cap: Option<u32>, kept: u32, now: Instant) -> Result<(), Instant> {
        // Where there are hardly any, one is still spared now and then.
        self.take(cap.map(|cap| cap.saturating_sub(kept).max(1)), now)
    }

    /// The service takes no more for `wait`.
    pub(super) fn refuse(&mut self, wait: Duration, now: Instant) {
        self.not_before = Some(self.not_before.map_or(now + wait, |before| before.max(now + wait)));
    }

    /// How long it takes until `waiting` more have started; `None` where none wait.
    pub(super) fn time_left(&self, waiting: usize, cap: Option<u32>, now: Instant) -> Option<Duration> {
        let last = waiting.checked_sub(1)?;
        Some(self.next_at(last, cap, now).saturating_duration_since(now))
    }

    fn forget_old(&mut self, now: Instant) {
        while self.started.front().is_some_and(|at| now.duration_since(*at) >= WINDOW) {
            self.started.pop_front();
        }
    }

    /// When the one may start that has `before` others before it.
    fn next_at(&self, before: usize, cap: Option<u32>, now: Instant) -> Instant {
        let earliest = self.not_before.map_or(now, |at| at.max(now));
        let Some(cap) = cap.and_then(|cap| usize::try_from(cap).ok()).filter(|cap| *cap > 0) else { return earliest };
        // First the exports of the last minute, then those before this one, each as early as it may be.
        let mut starts: VecDeque<Instant> = self.started.iter().copied().collect();
        let mut at = earliest;
        for _ in 0..=before {
            if starts.len() >= cap {
                at = at.max(starts[starts.len() - cap] + WINDOW);
            }
            starts.push_back(at);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_more_than_the_cap_start_within_any_minute() {
        let mut rate = ExportRate::default();
        let begun = Instant::now();
        let mut starts = Vec::new();
        let mut now = begun;
        while starts.len() < 60 {
            match rate.take(Some(25), now) {
                Ok(()) => starts.push(now),
                Err(at) => now = at,
            }
        }
        for (place, start) in starts.iter().enumerate().skip(25) {
            assert!(start.duration_since(starts[place - 25]) >= WINDOW);
        }
        assert_eq!(now.duration_since(begun), WINDOW * 2, "and no later than that");
        assert_eq!(ExportRate::default().take(None, begun), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_holds_all_of_them_back_and_the_time_left_says_so() {
        let now = Instant::now();
        let mut rate = ExportRate::default();
        let check = |rate: &ExportRate, waiting: usize, expected_s: Option<u64>| {
            assert_eq!(rate.time_left(waiting, Some(25), now), expected_s.map(Duration::from_secs), "{waiting}");
        };
        check(&rate, 0, None);
        check(&rate, 25, Some(0));
        check(&rate, 26, Some(60));
        check(&rate, 76, Some(180));
        rate.refuse(Duration::from_secs(60), now);
        assert_eq!(rate.take(Some(25), now), Err(now + WINDOW));
        check(&rate, 1, Some(60));
        check(&rate, 26, Some(120));
        assert_eq!(rate.take(Some(25), now + WINDOW), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_spared_leaves_places_to_the_person() {
        let now = Instant::now();
        let mut rate = ExportRate::default();
        for _ in 0..20 {
            assert_eq!(rate.take_spare(Some(25), 5, now), Ok(()));
        }
        assert_eq!(rate.take_spare(Some(25), 5, now), Err(now + WINDOW));
        for _ in 0..5 {
            assert_eq!(rate.take(Some(25), now), Ok(()));
        }
        assert!(rate.take(Some(25), now).is_err());
        let mut narrow = ExportRate::default();
        assert_eq!(
            (narrow.take_spare(Some(2), 5, now), narrow.take_spare(Some(2), 5, now)),
            (Ok(()), Err(now + WINDOW))
        );
    }
}
