//! The workers: they take queued tasks, draw them, and bring them to their end (specification, "States and
//! transitions"; contract, "Tasks and remix").
//!
//! Always true: a task is held by one process at a time, and worked on there by one worker; its result and its end are
//! one transaction, which asks whether it is still held. So a crash at any moment leaves it either done or to be tried
//! again, with the try counted, and a late write leaves nothing. A failure that passes by itself is tried up to
//! [`MAX_ATTEMPTS`] times. A start takes nothing from others: tasks of a process that is gone are taken back when its
//! lease is ended ([`take_back`]). A task that has waited too long expires, also where nobody works. Not here: what is
//! drawn ([`crate::drawing`]), when leases are renewed ([`crate::background::keeper`]) and ended
//! ([`crate::background::reaper`]), and the transitions
//! themselves ([`crate::db::tasks`]).

mod attempt;
mod failure;
mod injection;
#[cfg(test)]
mod tests;
mod words;

use std::time::Duration;

use tokio::task::JoinSet;

pub use injection::Injection;

use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::leases::ExpiredLeases;
use crate::db::tasks::{self, End, ProgressRow, TaskRow};
use crate::studio::SharedStudio;
use crate::tasks::end_task;
use crate::wire::TaskId;
use crate::wire::tasks::{MAX_ATTEMPTS, TaskError, TaskStatus};
use failure::Failure;

/// What a worker waits before it asks the database again that has failed it.
const AFTER_AN_ERROR: Duration = Duration::from_secs(1);
/// Waiting tasks are looked at this often at least, because calendars may jump.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Takes back the tasks whose lease is over: one waits again, is dead-lettered after its last try, or is canceled where
/// someone had asked for that. Says how many there were, and which of them have ended. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn take_back(
    studio: &SharedStudio,
    conn: &mut DbConnection,
    over: ExpiredLeases,
) -> Result<(usize, Vec<TaskId>), Error> {
    let left = tasks::list_over(conn, over).await?;
    let mut ended = Vec::new();
    for task in &left {
        let end = if task.cancel_requested {
            End::without_result(TaskStatus::Canceled, ProgressRow::default(), None)
        } else if task.attempt >= MAX_ATTEMPTS && over.counts_tries() {
            let message = format!("The service stopped {MAX_ATTEMPTS} times while it worked on this.");
            let error = TaskError { message, retryable: false };
            End::without_result(TaskStatus::Failed, ProgressRow::default(), Some(error))
        } else {
            tasks::requeue_task(conn, task, studio.clock.now()).await?;
            continue;
        };
        end_task(studio, conn, task, &end).await?;
        ended.push(task.id);
    }
    Ok((left.len(), ended))
}

/// Starts so many workers, and the task that lets tasks expire. They begin no work once the studio is stopping.
#[must_use]
pub fn start(studio: &SharedStudio, workers: u32, injection: &Injection) -> JoinSet<()> {
    let mut working = JoinSet::new();
    for _ in 0..workers {
        working.spawn(work(studio.clone(), injection.clone()));
    }
    working.spawn(expire(studio.clone()));
    working
}

async fn work(studio: SharedStudio, injection: Injection) {
    while !studio.active_tasks.stopping.is_cancelled() {
        match claim(&studio).await {
            Ok(Some(task)) => {
                // Another worker may find one more task, whose own wake-up came too early.
                studio.active_tasks.work.notify_one();
                let working = tokio::spawn(try_once(studio.clone(), injection.clone(), task.clone()));
                if let Err(broken) = working.await {
                    tracing::error!(task = %task.id, %broken, "a worker broke down");
                    failure::settle(&studio, &task, Failure::breakdown()).await;
                }
            }
            Ok(None) => {
                tokio::select! {
                    () = studio.active_tasks.work.notified() => {}
                    () = studio.active_tasks.stopping.cancelled() => {}
                }
            }
            Err(error) => {
                tracing::error!(%error, "no task can be taken");
                sleep_unless_stopped(&studio, AFTER_AN_ERROR).await;
            }
        }
    }
}

async fn claim(studio: &SharedStudio) -> Result<Option<TaskRow>, Error> {
    let mut tx = studio.db.begin().await?;
    let now = studio.clock.now();
    let task = tasks::claim_task(&mut tx, studio.leases.lease_at(now), now).await?;
    tx.commit().await?;
    Ok(task)
}

/// One try at a task, from its claim to its end or back into the queue.
async fn try_once(studio: SharedStudio, injection: Injection, task: TaskRow) {
    let held = studio.leases.hold(task.claim());
    let cancel = studio.active_tasks.begin(task.last_try());
    tracing::info!(task = %task.id, attempt = task.attempt, "working");
    let drawn = tokio::select! {
        () = held.lost() => Err(Failure::LeaseLost),
        () = cancel.cancelled() => Err(Failure::Canceled),
        drawn = tokio::time::timeout(attempt::LIMIT, attempt::draw(&studio, &injection, &task)) => {
            drawn.unwrap_or_else(|_| Err(Failure::timeout()))
        }
    };
    let stored = match drawn {
        Ok(drawn) => attempt::store(&studio, &task, drawn).await,
        Err(failure) => Err(failure),
    };
    if let Err(failure) = stored {
        failure::settle(&studio, &task, failure).await;
    }
}

/// Lets tasks expire that have waited for longer than the setting says.
async fn expire(studio: SharedStudio) {
    while !studio.active_tasks.stopping.is_cancelled() {
        match expire_overdue(&studio).await {
            Ok(next) => {
                tokio::select! {
                    () = studio.active_tasks.waiting.notified() => {}
                    () = sleep_unless_stopped(&studio, next.min(LONGEST_PAUSE)) => {}
                }
            }
            Err(error) => {
                tracing::error!(%error, "waiting tasks cannot be looked at");
                sleep_unless_stopped(&studio, AFTER_AN_ERROR).await;
            }
        }
    }
}

/// Expires what is overdue, and says after how long the next task may be.
async fn expire_overdue(studio: &SharedStudio) -> Result<Duration, Error> {
    let limit = i64::try_from(studio.config.expire_tasks_after.as_micros()).unwrap_or(i64::MAX);
    let oldest = {
        let mut conn = studio.db.read().acquire().await?;
        tasks::find_oldest_queued(&mut conn).await?
    };
    let now = studio.clock.now();
    let left = |since: easel_wire::Timestamp| since.as_micros().saturating_add(limit).saturating_sub(now.as_micros());
    match oldest.map(left) {
        None => return Ok(LONGEST_PAUSE),
        Some(left) if left > 0 => return Ok(Duration::from_micros(left.unsigned_abs())),
        Some(_) => {}
    }
    let mut tx = studio.db.begin().await?;
    let since = easel_wire::Timestamp::from_micros(now.as_micros().saturating_sub(limit));
    let overdue = tasks::list_queued_since(&mut tx, since).await?;
    for task in &overdue {
        let end = End::without_result(TaskStatus::Expired, ProgressRow::default(), None);
        end_task(studio, &mut tx, task, &end).await?;
    }
    tx.commit().await?;
    for task in overdue {
        tracing::info!(task = %task.id, "expired");
        studio.active_tasks.finish(task.id);
    }
    Ok(Duration::ZERO)
}

async fn sleep_unless_stopped(studio: &SharedStudio, duration: Duration) {
    tokio::select! {
        () = tokio::time::sleep(duration) => {}
        () = studio.active_tasks.stopping.cancelled() => {}
    }
}
