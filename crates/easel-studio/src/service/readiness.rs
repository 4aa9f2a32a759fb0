//! `GET /readyz`: whether the studio can do its work now, and if not, what is wrong.
//!
//! Checked are a write to the database, a content written, read and removed, and the space that is left on the disk.
//! Anyone may ask, as a load balancer does, so an answer holds for some seconds and one check serves all who ask
//! meanwhile. A process that was told to stop is not ready, so that a proxy sends its clients elsewhere. The answer tells only which part is well. Not here: whether the process is up at all (`/healthz`).

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use crate::core::error::Error;
use crate::studio::readiness::Checks;
use crate::studio::{SharedStudio, Studio};

/// How long an answer holds.
const HOLDS: Duration = Duration::from_secs(5);
/// How long a look may take before a part counts as not well.
const PATIENCE: Duration = Duration::from_secs(5);
/// The least space on the disk, in bytes: for one of the largest files, and for the log of the database.
const LEAST_ROOM_BYTES: u64 = 300_000_000;

/// The answer: 200 where every part is well, else 503, with the parts either way.
pub async fn get_readiness(State(studio): State<SharedStudio>) -> Response {
    let checks = checks_of(&studio).await;
    let is_stopping = studio.active_tasks.stopping.is_cancelled();
    let ready = checks.database && checks.contents && checks.room && !is_stopping;
    let word = |ok: bool| json!(if ok { "ok" } else { "failed" });
    let body: Value = json!({
        "status": if is_stopping { "stopping" } else if ready { "ready" } else { "not_ready" },
        "checks": { "database": word(checks.database), "contents": word(checks.contents), "room": word(checks.room) },
    });
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(body)).into_response()
}

async fn checks_of(studio: &SharedStudio) -> Arc<Checks> {
    // A request that comes during a look waits for that look.
    let mut last = studio.readiness.0.lock().await;
    let now = studio.clock.elapsed();
    if let Some((at, checks)) = &*last
        && now.saturating_sub(*at) < HOLDS
    {
        return Arc::clone(checks);
    }
    let checks = Arc::new(look(studio).await);
    *last = Some((now, Arc::clone(&checks)));
    checks
}

async fn look(studio: &Studio) -> Checks {
    async fn is_well(part: &str, check: impl Future<Output = Result<(), Error>>) -> bool {
        let error = match tokio::time::timeout(PATIENCE, check).await {
            Ok(Ok(())) => return true,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it takes too long".to_owned(),
        };
        tracing::warn!(part, error, "not ready");
        false
    }
    Checks {
        database: is_well("database", studio.db.try_write(studio.clock.now())).await,
        contents: is_well("contents", studio.blobs.try_write_and_read(studio.ids.next())).await,
        room: is_well("room", async {
            match studio.blobs.free_bytes()? {
                Some(free) if free < LEAST_ROOM_BYTES => Err(Error::StorageFull),
                _ => Ok(()),
            }
        })
        .await,
    }
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;
    use crate::db::copies::open_as_it_is;
    use crate::fixture::Fixture;

    #[tokio::test]
    async fn a_database_that_somebody_else_writes_to_for_too_long_is_not_ready() {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        let ask = async || fixture.ask(&Method::GET, "/readyz", &[], "").await;
        assert_eq!(ask().await.status, 200);
        let mut other = open_as_it_is(&folder.path().join("studio.db")).await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
        assert_eq!(ask().await.status, 200, "an answer holds for five seconds");
        fixture.clock.advance(HOLDS);
        let answer = ask().await;
        let parts = json!({"database": "failed", "contents": "ok", "room": answer.json()["checks"]["room"]});
        assert_eq!((answer.status.as_u16(), &answer.json()["checks"]), (503, &parts), "{}", answer.text());
        sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
        fixture.clock.advance(HOLDS);
        assert_eq!(ask().await.json()["checks"]["database"], "ok");
    }
}
