//! Why a try failed, and what becomes of the task (contract, "Tasks and remix", attempts).

use std::time::Duration;

use easel_wire::error::code;

use crate::core::error::Error;
use crate::db::leases::Work;
use crate::db::tasks::{self, End, TaskRow};
use crate::drawers::RenderError;
use crate::studio::SharedStudio;
use crate::tasks::end_task;
use crate::wire::tasks::{MAX_ATTEMPTS, TaskError, TaskStatus};

/// What a worker waits where the failure itself cannot be written down.
const UNTIL_WRITABLE: Duration = Duration::from_secs(1);

/// Why a try failed. The words are for the person who started the task.
#[derive(Debug)]
pub enum Failure {
    /// Passes by itself: the next try may come through.
    Passing(String),
    /// The request can never be carried out.
    Final(String),
    /// Someone must act first; then a new task may come through.
    NeedsSomeone(String),
    /// Someone asked for it to stop.
    Canceled,
    /// Another process has ended the lease, so that the task is nothing of this one's any more.
    LeaseLost,
}

impl Failure {
    /// The try took too long.
    pub fn timeout() -> Self {
        Self::Passing("Drawing took too long.".to_owned())
    }

    /// The try broke down.
    pub fn breakdown() -> Self {
        Self::Passing("Drawing broke down.".to_owned())
    }
}

impl From<RenderError> for Failure {
    fn from(undone: RenderError) -> Self {
        match undone {
            // An order that ended the process that drew it would end the next one too.
            RenderError::Undrawable(_) | RenderError::Deadly(_) => Self::Final(undone.to_string()),
            RenderError::TypefaceMissing(_) => Self::NeedsSomeone(undone.to_string()),
            RenderError::Interrupted => Self::breakdown(),
            RenderError::Here(error) => error.into(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::StorageFull => Self::NeedsSomeone("The storage of this service is full.".to_owned()),
            Error::ContentsUnavailable(cause) => {
                tracing::error!(%cause, "a try at a task failed: the bucket");
                Self::NeedsSomeone("The storage of this service cannot be reached.".to_owned())
            }
            Error::NotFound { code: code::CANVAS_NOT_FOUND, .. } => {
                Self::Final("A canvas that this works from is no longer there.".to_owned())
            }
            Error::NotFound { code: code::FILE_NOT_FOUND, .. } => {
                Self::Final("An attached file is no longer there.".to_owned())
            }
            error => {
                tracing::error!(%error, "a try at a task failed");
                Self::Passing("The service could not finish the work.".to_owned())
            }
        }
    }
}

/// Brings a task whose try has failed to its end, or back into the queue. Where not even that can be written, a full
/// disk above all, it is tried until it can. Of a try that has lost its lease nothing is written: another one is made
/// elsewhere.
pub async fn settle(studio: &SharedStudio, task: &TaskRow, failure: Failure) {
    tracing::info!(task = %task.id, attempt = task.attempt, ?failure, "a try ended without a result");
    loop {
        match write(studio, task, &failure).await {
            Ok(()) => return,
            Err(error) => tracing::error!(task = %task.id, %error, "a failure cannot be written down"),
        }
        tokio::select! {
            () = tokio::time::sleep(UNTIL_WRITABLE) => {}
            // The task is still running in the database: whoever ends its lease takes it back.
            () = studio.active_tasks.stopping.cancelled() => return,
        }
    }
}

async fn write(studio: &SharedStudio, task: &TaskRow, failure: &Failure) -> Result<(), Error> {
    let failed = |message: &str, retryable| {
        let error = TaskError { message: message.to_owned(), retryable };
        let progress = studio.active_tasks.progress(task.last_try()).unwrap_or_default();
        Some(End::without_result(TaskStatus::Failed, progress, Some(error)))
    };
    if matches!(failure, Failure::LeaseLost) {
        lose(studio, task);
        return Ok(());
    }
    let mut tx = studio.db.begin().await?;
    let asked_to_stop = tasks::find_task(&mut tx, task.id).await?.is_some_and(|task| task.cancel_requested);
    let end = match failure {
        _ if asked_to_stop => Some(canceled(studio, task)),
        Failure::Canceled | Failure::LeaseLost => Some(canceled(studio, task)),
        Failure::Passing(_) if task.attempt < MAX_ATTEMPTS => None,
        Failure::Passing(message) | Failure::Final(message) => failed(message, false),
        Failure::NeedsSomeone(message) => failed(message, true),
    };
    let is_held = match &end {
        Some(end) => end_task(studio, &mut tx, task, end).await?.is_some(),
        None => tasks::requeue_task(&mut tx, task, studio.clock.now()).await?,
    };
    tx.commit().await?;
    if !is_held {
        lose(studio, task);
    } else if end.is_some() {
        studio.active_tasks.finish(task.id);
    } else {
        studio.active_tasks.stop_following(task.last_try());
        studio.active_tasks.notify_queued();
    }
    Ok(())
}

/// Forgets a try whose task is another's now.
fn lose(studio: &SharedStudio, task: &TaskRow) {
    studio.metrics.count_lost_lease(Work::Task);
    tracing::warn!(task = %task.id, attempt = task.attempt, "another process has taken the task: what was done is thrown away");
    studio.active_tasks.stop_following(task.last_try());
}

fn canceled(studio: &SharedStudio, task: &TaskRow) -> End<'static> {
    End::without_result(TaskStatus::Canceled, studio.active_tasks.progress(task.last_try()).unwrap_or_default(), None)
}
