//! The weekly round through all contents: reads them slowly, while nobody asks for anything.
//!
//! A round reads every content that a row names, one after the other in the order of their hashes. Its position is kept
//! beside the contents, so that a restart goes on with it. Always true: nothing is changed or removed; a faulty content
//! is logged, counted by a metric, and read again every hour until it is healed or no row needs it. Not here: mending,
//! which is an upload of the same bytes or `easel-studio verify --repair`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

use crate::blobs::{ContentHash, Fault};
use crate::core::clock::DAY_US;
use crate::core::error::Error;
use crate::core::private_files::write_note;
use crate::db::presence::{Hold, Way};
use crate::db::{copies, drive};
use crate::studio::{SharedStudio, Studio};

/// From the beginning of a round to that of the next, in microseconds: a week.
const ROUND_US: i64 = 7 * DAY_US;
/// How often it is seen whether a round is due and whether what was at fault still is.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// After a start, others go first for so long.
const AFTER_A_START: Duration = Duration::from_secs(5);
/// The service is idle when nobody asked for anything for so long.
const IDLE: Duration = Duration::from_millis(500);
/// A service that is never idle has its contents read all the same, one each time that this has passed.
const PATIENCE: Duration = Duration::from_secs(10);
/// After reading, so many times the time that it took is rested: so a round uses a fifth of one core, and of the disk,
/// at most.
const REST: u32 = 4;
/// Where a round stands is written down this often.
const BETWEEN_NOTES: Duration = Duration::from_secs(60);
/// The name of the note, beside the contents.
const NOTE: &str = "round.json";

/// Where a round stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Round {
    /// When the round began, in microseconds since 1970.
    began_us: Option<i64>,
    /// When the last one that came to its end did, in microseconds since 1970.
    ended_us: Option<i64>,
    /// The hash of the last content that was read, in hex; `None` before the first, and between two rounds.
    after: Option<String>,
    /// Whether a round is under way.
    is_under_way: bool,
    /// The contents that were at fault at the last look, in hex.
    at_fault: BTreeSet<String>,
}

/// Looks at all contents once a week, until the studio stops.
pub async fn go_round(studio: SharedStudio) {
    let (mut wait, mut turn) = (AFTER_A_START, None);
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
        wait = EVERY;
        if !has_turn(&studio, &mut turn).await {
            continue;
        }
        tokio::select! {
            outcome = go_on(&studio) => if let Err(error) = outcome {
                tracing::error!(%error, "the contents could not be looked at");
            },
            () = studio.active_tasks.stopping.cancelled() => return,
        }
    }
}

/// Whether this process looks at the contents, of several one: the first that asks, until it ends, because where a round stands is noted
/// in its own folder.
async fn has_turn(studio: &Studio, turn: &mut Option<Hold>) -> bool {
    if let Some(held) = turn
        && held.is_there().await
    {
        return true;
    }
    *turn = studio.presence.try_hold("round", b"", Way::Alone).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "whether another process looks at the contents cannot be told");
        None
    });
    turn.is_some()
}

/// Looks again at what was at fault, and then goes on with the round or begins one where it is due.
async fn go_on(studio: &Studio) -> Result<(), Error> {
    let mut looking = Looking { studio, round: read_note(studio), faults: BTreeMap::new() };
    for hash in looking.round.at_fault.iter().filter_map(|hex| read_hash(hex)).collect::<Vec<_>>() {
        looking.look(hash).await?;
    }
    looking.tell();
    let now = studio.clock.now().as_micros();
    if !looking.round.is_under_way {
        // A clock that was put back must not put a round off for good.
        let is_due = looking.round.began_us.is_none_or(|began| !(began..began.saturating_add(ROUND_US)).contains(&now));
        if !is_due {
            return looking.write_note().await;
        }
        looking.round.began_us = Some(now);
        looking.round.after = None;
        looking.round.is_under_way = true;
    }
    looking.rest_of_round().await
}

struct Looking<'a> {
    studio: &'a Studio,
    round: Round,
    faults: BTreeMap<ContentHash, Fault>,
}

impl Looking<'_> {
    async fn rest_of_round(&mut self) -> Result<(), Error> {
        let mut conn = self.studio.db.read().acquire().await?;
        let named: BTreeSet<ContentHash> = drive::files::list_content_hashes(&mut conn).await?.into_iter().collect();
        drop(conn);
        let after = self.round.after.as_deref().and_then(read_hash);
        let mut noted = Instant::now();
        for hash in named.into_iter().filter(|hash| after.is_none_or(|after| *hash > after)) {
            wait_for_idleness(self.studio).await;
            let began = Instant::now();
            self.look(hash).await?;
            self.tell();
            let took = began.elapsed();
            self.round.after = Some(HEXLOWER.encode(&hash));
            if noted.elapsed() >= BETWEEN_NOTES {
                self.write_note().await?;
                noted = Instant::now();
            }
            tokio::time::sleep(took * REST).await;
        }
        self.round.ended_us = Some(self.studio.clock.now().as_micros());
        self.round.after = None;
        self.round.is_under_way = false;
        self.tell();
        tracing::info!(at_fault = self.faults.len(), "looked at every content");
        self.write_note().await
    }

    /// Reads a content, and says in the log what is the matter with it.
    async fn look(&mut self, hash: ContentHash) -> Result<(), Error> {
        let found = self.studio.blobs.look_at(&hash).await?;
        self.studio.metrics.count_verified();
        let Err(fault) = found else {
            self.faults.remove(&hash);
            return Ok(());
        };
        let mut conn = self.studio.db.read().acquire().await?;
        if copies::list_naming_rows(&mut conn, &hash, 1).await?.is_empty() {
            // The last row of this content was deleted meanwhile.
            self.faults.remove(&hash);
            return Ok(());
        }
        tracing::error!(content = HEXLOWER.encode(&hash), fault = fault.as_str(), "a content is at fault");
        self.faults.insert(hash, fault);
        Ok(())
    }

    fn tell(&self) {
        let count = |fault| self.faults.values().filter(|found| **found == fault).count() as u64;
        for fault in [Fault::Damaged, Fault::Missing] {
            self.studio.metrics.set_at_fault(fault.as_str(), count(fault));
        }
        if let Some(ended) = self.round.ended_us {
            self.studio.metrics.set_round_ended(u64::try_from(ended / 1_000_000).unwrap_or_default());
        }
    }

    async fn write_note(&mut self) -> Result<(), Error> {
        self.round.at_fault = self.faults.keys().map(|hash| HEXLOWER.encode(hash)).collect();
        let (place, round) = (place_of_note(self.studio), self.round.clone());
        // A note that is lost costs a round that begins anew.
        let written = tokio::task::spawn_blocking(move || write_note(&place, &round)).await;
        Ok(written.map_err(std::io::Error::from)??)
    }
}

/// Waits until nobody has asked for anything for a while, with bounded patience.
async fn wait_for_idleness(studio: &Studio) {
    let began = Instant::now();
    loop {
        let before = studio.metrics.requests_so_far();
        tokio::time::sleep(IDLE).await;
        if studio.metrics.requests_so_far() == before || began.elapsed() >= PATIENCE {
            return;
        }
    }
}

/// Where the last round stands; what cannot be read is as if there had been none.
fn read_note(studio: &Studio) -> Round {
    match std::fs::read(place_of_note(studio)) {
        Ok(text) => serde_json::from_slice(&text).unwrap_or_default(),
        Err(error) => {
            if error.kind() != ErrorKind::NotFound {
                tracing::warn!(%error, "where the look at contents stands cannot be read");
            }
            Round::default()
        }
    }
}

fn place_of_note(studio: &Studio) -> PathBuf {
    studio.blobs.root().join(NOTE)
}

fn read_hash(hex: &str) -> Option<ContentHash> {
    HEXLOWER.decode(hex.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[tokio::test]
    async fn a_round_begins_a_week_after_the_one_before_and_where_the_clock_went_back() {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        let studio = &fixture.studio;
        let began = async || {
            go_on(studio).await.unwrap();
            let note = read_note(studio);
            assert!(!note.is_under_way && note.ended_us >= note.began_us, "{note:?}");
            note.began_us.unwrap()
        };
        let (first, now) = (began().await, || studio.clock.now().as_micros());
        assert_eq!(first, now());
        fixture.clock.advance(Duration::from_secs(7 * 24 * 60 * 60 - 1));
        assert_eq!(began().await, first);
        fixture.clock.advance(Duration::from_secs(1));
        assert_eq!(began().await, now());
        fixture.clock.jump(-1_000_000);
        assert_eq!(began().await, now());
    }
}
