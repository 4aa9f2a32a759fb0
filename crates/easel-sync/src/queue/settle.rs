//! Judges whether a file is still being written.
//!
//! A file counts as written when its size and its modification time have stood still for the settle time. Pure: the
//! file's state and the time are handed in. Deliberately not here: asking the system who has the file open. On Linux
//! that would be a read lease, and holding one, for however short, ends the program by a signal when another opens the
//! file to write; going through `/proc` is slow and sees only this user's processes.

use std::fs::Metadata;
use std::time::Duration;

use crate::shared::clock::{micros, to_micros};

/// Tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// The time of the last change, in microseconds since the epoch.
    pub modified_at: i64,
}

impl Identity {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self { size_bytes: metadata.len(), modified_at: metadata.modified().map_or(0, to_micros) }
    }
}

/// Whether the file can be sent, or when to look again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// The file has stood still for long enough.
    Settled,
    /// Look again at this moment, in microseconds since the epoch.
    LookAgainAt(i64),
}

/// Judges the state of a file at `now` (microseconds since the epoch). `settled_as` is the state in which it was last
/// found to stand still, if ever: with that, a wrong modification time does not matter.
pub(crate) fn judge(seen: Identity, settled_as: Option<Identity>, settle: Duration, now: i64) -> Readiness {
    if settled_as == Some(seen) {
        return Readiness::Settled;
    }
    let settle = micros(settle);
    let age = now.saturating_sub(seen.modified_at);
    if age >= settle {
        Readiness::Settled
    } else if age < 0 {
        // A modification time in the future tells nothing, so the file is watched for the whole time.
        Readiness::LookAgainAt(now.saturating_add(settle))
    } else {
        Readiness::LookAgainAt(seen.modified_at.saturating_add(settle))
    }
}

/// Judges a file that is due, after it was set aside in the state `before`.
pub(crate) fn judge_again(seen: Identity, before: Identity, settle: Duration, now: i64) -> Readiness {
    if seen == before { Readiness::Settled } else { judge(seen, None, settle, now) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTLE: Duration = Duration::from_secs(2);
    const SECOND: i64 = 1_000_000;

    fn at(size_bytes: u64, modified_at: i64) -> Identity {
        Identity { size_bytes, modified_at }
    }

    #[test]
    fn a_file_waits_until_it_has_stood_still_for_the_settle_time() {
        let check = |modified_at: i64, now: i64, expected: Readiness| {
            assert_eq!(judge(at(1, modified_at), None, SETTLE, now), expected, "{modified_at} {now}");
        };
        check(0, 100 * SECOND, Readiness::Settled);
        check(98 * SECOND, 100 * SECOND, Readiness::Settled);
        check(98 * SECOND + 1, 100 * SECOND, Readiness::LookAgainAt(100 * SECOND + 1));
        check(100 * SECOND, 100 * SECOND, Readiness::LookAgainAt(102 * SECOND));
        check(5_000 * SECOND, 100 * SECOND, Readiness::LookAgainAt(102 * SECOND));
    }

    #[test]
    fn a_file_whose_clock_is_ahead_is_sent_after_standing_still() {
        let ahead = at(1, 5_000 * SECOND);
        assert_eq!(judge_again(ahead, ahead, SETTLE, 102 * SECOND), Readiness::Settled);
        assert_eq!(judge(ahead, Some(ahead), SETTLE, 103 * SECOND), Readiness::Settled);
    }

    #[test]
    fn a_file_that_grew_meanwhile_waits_on() {
        let readiness = judge_again(at(2, 101 * SECOND), at(1, 100 * SECOND), SETTLE, 102 * SECOND);
        assert_eq!(readiness, Readiness::LookAgainAt(103 * SECOND));
        let same_time = judge_again(at(2, 101 * SECOND), at(1, 101 * SECOND), SETTLE, 102 * SECOND);
        assert_eq!(same_time, Readiness::LookAgainAt(103 * SECOND));
    }
}
