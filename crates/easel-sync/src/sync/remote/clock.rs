//! Copes with a service whose clock was set: later changes may then have times that were asked about before.
//!
//! Always true: after a clock was set by more than the answers are late, back or on, the lists are read from end to end,
//! or the next question reaches back far enough. Not here: a drive that went back in time with its service (`back`).

use easel_client::{Client, Feature};
use easel_wire::Timestamp;

use super::DriveIndex;
use super::lists::Found;
use crate::shared::planted::Mutant;

/// If a service's clock was set back by more than this, the lists are read from end to end. Less looks the same as an
/// answer that was long on its way.
const SET_BACK_US: i64 = 60_000_000;
/// The same bound where this computer's clock shows that the service's was set back: how much more than answers differ
/// in their delay, in milliseconds.
const SET_BACK_MS: i64 = 10_000;
/// How much further ahead a clock that was set on is, in milliseconds. An answer that was late on its way when the moment
/// was taken looks the same up to here.
const SET_ON_MS: i64 = 30_000;
/// A difference of more than this shows for sure that the clock was set back, however late an answer was.
const SURELY_SET_BACK_MS: i64 = 30_000;

impl DriveIndex {
    /// By how many milliseconds the service's clock is ahead of this computer's, by its last answer, minus the time
    /// that the answer took.
    pub(super) fn ahead_ms(&self, client: &Client) -> Option<i64> {
        Some(client.service_time()?.as_micros().saturating_sub(self.clock.now()) / 1_000)
    }

    /// Whether the service's clock was set since the last complete moment: it is less far ahead of this computer's than
    /// it was then, or further. The moment alone would show only a setting back by more than the time that has passed
    /// since. A clock that was set on may have been set back before that, and then changes have earlier times.
    pub(super) fn was_clock_set(&self, ahead_ms: Option<i64>) -> bool {
        let before = self.picture().until.ahead_ms;
        let was_set = is_set_back(before, ahead_ms, SET_BACK_MS) || is_set_back(ahead_ms, before, SET_ON_MS);
        if was_set {
            tracing::info!(?before, ?ahead_ms, "the service's clock was set");
        }
        was_set && !self.planted.is(Mutant::TrustsTheClock)
    }

    /// Notes the service's clock after an answer: once for each list whose times are taken over, however the look ends.
    pub(super) fn hear(&self, client: &Client) {
        self.picture().heard_at = client.service_time();
    }

    /// The service's clock now or at its last reading, whichever is earlier. If a clock was set back and is right
    /// again, only its last reading shows that.
    pub(super) fn earliest_heard(&self, client: &Client) -> Option<Timestamp> {
        let (now, last) = (client.service_time(), self.picture().heard_at);
        now.map(|now| last.map_or(now, |last| last.min(now)))
    }

    /// Whether the service's clock was set back for sure: then an earlier time does not show that the drive went back.
    pub(super) fn is_clock_surely_set_back(&self, client: &Client) -> bool {
        is_set_back(self.picture().until.ahead_ms, self.ahead_ms(client), SURELY_SET_BACK_MS)
    }

    /// Prepares complete lists for a comparison with what is known. An item that differs and is older than the last
    /// complete moment shows that the drive went back, unless the service's clock was set back. Contents are compared
    /// where the service keeps versions, and names where the service was seen to tell of changes.
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

    /// The moment to ask from the next time, where the service's clock may be earlier than it was: changes since it was
    /// set back have times that were asked about before. `None` where that is further back than a question can reach.
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
        assert!(is_set_back(Some(3_600_000), Some(0), SET_ON_MS), "set on, asked the other way round");
        assert!(!is_set_back(None, Some(0), SET_BACK_MS) && !is_set_back(Some(0), None, SET_BACK_MS));
        assert!(!is_set_back(Some(0), Some(-25_000), SURELY_SET_BACK_MS));
    }
}
