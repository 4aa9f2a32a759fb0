//! When each key was last used (contract, "Keys"), without a write for each request.
//!
//! Uses are noted in memory and written together: the first one at once, those that follow at most once a minute, and
//! what is left when the studio stops. Always true: what is written never goes back. A process that is killed forgets
//! at most the last minute. Not here: whether a key is valid ([`crate::studio::callers`]).

use std::time::Duration;

use crate::core::error::Error;
use crate::db::accounts;
use crate::studio::{SharedStudio, Studio};

/// The least time between two writes.
const BETWEEN_WRITES: Duration = Duration::from_secs(60);

/// Writes what is noted, until the studio stops. What is left then is [`write`]'s, once the last request has ended.
pub async fn keep(studio: SharedStudio) {
    while !studio.active_tasks.stopping.is_cancelled() {
        tokio::select! {
            () = studio.last_uses.any.notified() => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
        if let Err(error) = write(&studio).await {
            tracing::error!(%error, "the last use of keys cannot be written");
        }
        tokio::select! {
            () = tokio::time::sleep(BETWEEN_WRITES) => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
    }
}

/// Writes every noted use, in one transaction; without any, nothing is written. A use that cannot be written stays
/// noted.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn write(studio: &Studio) -> Result<(), Error> {
    let noted = studio.last_uses.take();
    if noted.is_empty() {
        return Ok(());
    }
    let written = async {
        let mut tx = studio.db.begin().await?;
        for (key, moment) in &noted {
            accounts::note_use(&mut tx, *key, *moment).await?;
        }
        tx.commit().await?;
        Ok(())
    };
    let outcome: Result<(), Error> = written.await;
    if outcome.is_err() {
        for (key, moment) in noted {
            studio.last_uses.note(key, moment);
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use axum::body::Body;
    use easel_wire::Timestamp;
    use http::Method;

    /// When the only key was last used, in seconds after `start`.
    async fn last_use(fixture: &Fixture, start: Timestamp) -> Option<i64> {
        let keys = accounts::list_keys(&fixture.studio.db, None).await.unwrap();
        keys[0].last_used_at.map(|at| (at.as_micros() - start.as_micros()) / 1_000_000)
    }

    async fn ask(fixture: &Fixture) {
        let bearer = ("authorization", "Bearer svc_live_used");
        let answer = fixture.ask(&Method::GET, "/v1/whoami", &[bearer], Body::empty()).await;
        assert_eq!(answer.status, 200);
    }

    #[tokio::test]
    async fn the_last_use_is_written_at_once_and_then_once_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        fixture.add_key("svc_live_used", &[]).await;
        let start = fixture.studio.clock.now();
        assert_eq!(last_use(&fixture, start).await, None);

        let keeping = tokio::spawn(keep(SharedStudio::clone(&fixture.studio)));
        ask(&fixture).await;
        while last_use(&fixture, start).await.is_none() {
            tokio::task::yield_now().await;
        }
        assert_eq!(last_use(&fixture, start).await, Some(0));
        // Uses within the minute wait for its end.
        for _ in 0..3 {
            fixture.clock.advance(Duration::from_secs(5));
            ask(&fixture).await;
        }
        assert_eq!((last_use(&fixture, start).await, fixture.studio.last_uses.count()), (Some(0), 1));
        tokio::time::pause();
        tokio::time::advance(BETWEEN_WRITES).await;
        tokio::time::resume();
        while last_use(&fixture, start).await == Some(0) {
            tokio::task::yield_now().await;
        }
        assert_eq!(last_use(&fixture, start).await, Some(15));
        fixture.studio.active_tasks.stopping.cancel();
        keeping.await.unwrap();
    }

    #[tokio::test]
    async fn a_last_use_never_goes_back_and_nothing_is_written_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        fixture.add_key("svc_live_used", &[]).await;
        let start = fixture.studio.clock.now();
        let key = accounts::list_keys(&fixture.studio.db, None).await.unwrap()[0].id;
        let at = |seconds: i64| Timestamp::from_micros(start.as_micros() + seconds * 1_000_000);
        for (noted, expected) in [(Some(9), 9), (Some(3), 9), (None, 9), (Some(11), 11)] {
            if let Some(seconds) = noted {
                fixture.studio.last_uses.note(key, at(seconds));
            }
            write(&fixture.studio).await.unwrap();
            assert_eq!(last_use(&fixture, start).await, Some(expected));
        }
        fixture.studio.last_uses.note(key, at(20));
        fixture.studio.last_uses.note(key, at(19));
        write(&fixture.studio).await.unwrap();
        assert_eq!(last_use(&fixture, start).await, Some(20));
    }
}
