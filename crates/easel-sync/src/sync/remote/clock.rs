//! A service whose clock was set back: what changed since then bears moments that were asked about before.
//!
//! Always true: a clock that was set back by more than the answers are late has the lists read from end to end, or the next
//! question reach back that far. Not here: a drive that went back in time with its service (`back`).

use easel_client::{Client, Feature};
use easel_wire::Timestamp;

use super::DriveIndex;
use super::lists::Found;
use crate::shared::planted::Mutant;

/// A service's clock that was set back by more than this has the lists read from end to end. Less is also what an answer that
/// was long on its way looks like.
const SET_BACK_US: i64 = 60_000_000;
/// The same, where this machine's clock tells that the service's was set back: by how many milliseconds more than answers
/// differ in how long they take.
const SET_BACK_MS: i64 = 10_000;
/// By so many a clock is set back for sure, however late an answer was.
const SURELY_SET_BACK_MS: i64 = 30_000;

impl DriveIndex {
    /// By how many milliseconds the service's clock is ahead of this machine's, as of its last answer, less the time for which
    /// that was on its way.
    pub(super) fn ahead_ms(&self, client: &Client) -> Option<i64> {
        Some(client.service_time()?.as_micros().saturating_sub(self.clock.now()) / 1_000)
    }

    /// Whether the service's clock was set back, by this machine's, since the moment until which all is known: it is less far
    /// ahead than it was then. That moment alone tells only of more than the time that has passed since.
    pub(super) fn was_clock_set_back(&self, ahead_ms: Option<i64>) -> bool {
        let before = self.picture().until.ahead_ms;
        let has_shrunk = is_set_back(before, ahead_ms, SET_BACK_MS) && !self.planted.is(Mutant::TrustsTheClock);
        if has_shrunk {
            tracing::info!(?before, ?ahead_ms, "the service's clock was set back");
        }
        has_shrunk
    }

    /// Notes what the service's clock says, now that it has answered: once for each list whose times are taken over, however the
    /// look ends.
    pub(super) fn hear(&self, client: &Client) {
        self.picture().heard_at = client.service_time();
    }

    /// What the service's clock says, or said when it was last heard, where that is earlier. A clock that was set back and is on
    /// time again shows that in the latter alone.
    pub(super) fn earliest_heard(&self, client: &Client) -> Option<Timestamp> {
        let (now, last) = (client.service_time(), self.picture().heard_at);
        now.map(|now| last.map_or(now, |last| last.min(now)))
    }

    /// Whether the service's clock was set back for sure: then an earlier moment tells of nothing that went back with it.
    pub(super) fn is_clock_surely_set_back(&self, client: &Client) -> bool {
        is_set_back(self.picture().until.ahead_ms, self.ahead_ms(client), SURELY_SET_BACK_MS)
    }

    /// Says of lists that they show all there is, and are to be held against what is known. What they show as older than the
    /// moment until which all is known, and other than it is known, tells of a drive that went back, where the service's clock was
    /// not set back: its content where the service keeps versions, its name where it was seen to tell of changes.
    pub(super) fn hold_against_known(&self, client: &Client, found: &mut Found) {
        let until = self.picture().until;
        let is_lacking = |feature: Feature| client.offers(feature) == Some(false);
        let is_believed = !self.is_clock_surely_set_back(client)
            && !is_lacking(Feature::UpdatedSince)
            && !is_lacking(Feature::FolderTimes);
        let earliest = self.earliest_heard(client);
        let has_come = |moment: &Timestamp| earliest.is_none_or(|heard| *moment <= heard);
        found.known_until = until.moment.filter(has_come).filter(|_| is_believed);
        found.are_contents_held = client.offers(Feature::FileVersions) == Some(true);
        found.are_names_held = until.is_telling && Self::is_proven(client);
    }

    /// The moment to ask from the next time, where the service's clock may stand at an earlier one than it did: what changed
    /// since it was set back bears moments that were asked about before. `None` where that is more than the next question can
    /// reach back for.
    pub(super) fn allow_for_clock_set_back(&self, since: Timestamp, until: Timestamp) -> Option<Timestamp> {
        let back_us = since.as_micros().saturating_sub(until.as_micros());
        if back_us <= 0 {
            return Some(until);
        }
        if self.planted.is(Mutant::TrustsTheClock) {
            return Some(since);
        }
        tracing::info!(back_us, "the service's clock is behind what it was");
        let unseen = self.picture().refreshed_at.map(|at| at.elapsed()).filter(|_| back_us <= SET_BACK_US)?;
        let unseen_us = i64::try_from(unseen.as_micros()).unwrap_or(i64::MAX);
        Some(Timestamp::from_micros(until.as_micros().saturating_sub(unseen_us)))
    }
}

fn is_set_back(before_ms: Option<i64>, now_ms: Option<i64>, by_ms: i64) -> bool {
    before_ms.zip(now_ms).is_some_and(|(before, now)| now < before.saturating_sub(by_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_less_far_ahead_than_it_was_has_been_set_back() {
        assert!(is_set_back(Some(0), Some(-3_600_000), SET_BACK_MS));
        assert!(is_set_back(Some(7_200_000), Some(3_600_000), SET_BACK_MS));
        assert!(!is_set_back(Some(0), Some(-9_000), SET_BACK_MS), "as of an answer that took long");
        assert!(!is_set_back(Some(0), Some(3_600_000), SET_BACK_MS));
        assert!(!is_set_back(None, Some(0), SET_BACK_MS) && !is_set_back(Some(0), None, SET_BACK_MS));
        assert!(!is_set_back(Some(0), Some(-25_000), SURELY_SET_BACK_MS));
    }
}
