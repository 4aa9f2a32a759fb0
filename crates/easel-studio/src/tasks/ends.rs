//! The end of a task: the one function that ends it, the one place where others learn of it, and waiting for it.
//!
//! Always true: the consequences of an end are in its own transaction, so that neither is ever without the other.

use std::time::Duration;

use http::HeaderMap;
use tokio::sync::broadcast;

use super::record::canonical;
use crate::core::error::Error;
use crate::db::tasks::{self, End, TaskRow};
use crate::db::{DbConnection, Viewer};
use crate::studio::{SharedStudio, Studio};
use crate::webhooks;
use crate::wire::TaskId;
use crate::wire::tasks::MAX_WAIT_SECONDS;

/// Brings a queued or running task to its end. `None` if it is no longer as `task` has it: it has ended, is in another
/// try, or held by another process. After the commit, the caller calls [`crate::studio::active_tasks::ActiveTasks::ended`].
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn end_task(
    studio: &Studio,
    conn: &mut DbConnection,
    task: &TaskRow,
    end: &End<'_>,
) -> Result<Option<TaskRow>, Error> {
    let ended = tasks::end_task(conn, task, end, studio.clock.now()).await?;
    if let Some(task) = &ended {
        studio.metrics.count_end(task.status);
    }
    if let Some(task) = ended.as_ref().filter(|task| task.callback_url.is_some()) {
        let told = canonical(studio, task.clone(), None)?;
        webhooks::enqueue(studio, conn, task, &told).await?;
    }
    Ok(ended)
}

/// How long a request wants to wait for the end of its task: `Prefer: wait=N` (RFC 7240; contract, "Tasks and remix").
/// Other preferences are not ours to know.
///
/// # Errors
/// 422 where N is no number up to [`MAX_WAIT_SECONDS`].
pub fn read_wait(headers: &HeaderMap) -> Result<Duration, Error> {
    let wrong = |code| Error::validation("Prefer", code);
    let mut wait = None;
    for value in headers.get_all("prefer") {
        let text = value.to_str().map_err(|_| wrong("invalid"))?;
        for preference in text.split([',', ';']) {
            let (name, value) = preference.split_once('=').unwrap_or((preference, ""));
            // Of several, the first counts (RFC 7240, section 2).
            if name.trim().eq_ignore_ascii_case("wait") && wait.is_none() {
                let digits = value.trim().trim_matches('"');
                if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                    return Err(wrong("wrong_type"));
                }
                wait = Some(digits.parse().map_err(|_| wrong("out_of_range"))?);
            }
        }
    }
    match wait.unwrap_or(0) {
        seconds if seconds <= MAX_WAIT_SECONDS => Ok(Duration::from_secs(seconds)),
        _ => Err(wrong("out_of_range")),
    }
}

/// Waits for the end of the task, or until the time is up; returns its state. `ends` was subscribed before the task
/// could end.
///
/// # Errors
/// 404 `task_not_found`, [`Error::Database`].
pub async fn wait_for_end(
    studio: &SharedStudio,
    viewer: Viewer,
    id: TaskId,
    limit: Duration,
    mut ends: broadcast::Receiver<TaskId>,
) -> Result<TaskRow, Error> {
    let deadline = tokio::time::Instant::now() + limit;
    let mut is_time_up = limit.is_zero();
    // Another process may bring the task to its end, of which nobody tells.
    let mut news = studio.active_tasks.news();
    loop {
        let task = {
            let mut conn = studio.db.read().acquire().await?;
            tasks::get_visible_task(&mut conn, viewer, id).await?
        };
        if is_time_up || task.status.is_terminal() {
            return Ok(task);
        }
        let ended = async {
            // A receiver that has fallen behind looks at its task again, as it does at its end.
            while ends.recv().await.is_ok_and(|other| other != id) {}
        };
        tokio::select! {
            () = ended => {}
            _ = news.changed() => {}
            () = tokio::time::sleep_until(deadline) => is_time_up = true,
            () = studio.active_tasks.stopping.cancelled() => is_time_up = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn a_wait_is_at_most_thirty_seconds_and_never_clamped() {
        let check = |values: &[&'static str], expected: Result<u64, u16>| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("prefer", HeaderValue::from_static(value));
            }
            let found = read_wait(&headers).map(|wait| wait.as_secs()).map_err(|error| error.status().as_u16());
            assert_eq!(found, expected, "{values:?}");
        };
        check(&[], Ok(0));
        check(&["wait=10"], Ok(10));
        check(&["respond-async, WAIT = \"30\""], Ok(30));
        check(&["respond-async", "wait=5"], Ok(5));
        check(&["wait=1, wait=2"], Ok(1));
        check(&["handling=strict"], Ok(0));
        check(&["wait=31"], Err(422));
        check(&["wait=99999999999999999999"], Err(422));
        check(&["wait=-1"], Err(422));
        check(&["wait=soon"], Err(422));
        check(&["wait"], Err(422));
    }
}
