//! Why a try failed, and what becomes of the task (contract, "Tasks and remix", attempts).

use std::time::Duration;

use easel_wire::error::code;

use crate::db::tasks::{self, End, TaskRow};
use crate::drawers::Undone;
use crate::error::Error;
use crate::studio::App;
use crate::tasks::end_task;
use crate::wire::tasks::{MAX_ATTEMPTS, TaskError, TaskStatus};

/// What a worker waits where the failure itself cannot be written down.
const UNTIL_WRITABLE: Duration = Duration::from_secs(1);

/// Why a try failed. The words are for the person who started the task.
#[derive(Debug)]
pub enum Failure {
    /// Passes by itself: the next try may come through.
    Passing(String),
    /// What was asked for can never be done.
    Final(String),
    /// Someone must act first; then a new task may come through.
    NeedsSomeone(String),
    /// Someone asked for it to stop.
    Canceled,
    /// The task has ended in another way meanwhile.
    Over,
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

impl From<Undone> for Failure {
    fn from(undone: Undone) -> Self {
        match undone {
            // What ended the process that drew it would end the next one too.
            Undone::Undrawable(_) | Undone::Deadly(_) => Self::Final(undone.to_string()),
            Undone::TypefaceMissing(_) => Self::NeedsSomeone(undone.to_string()),
            Undone::Interrupted => Self::breakdown(),
            Undone::Here(error) => error.into(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::StorageFull => Self::NeedsSomeone("The storage of this service is full.".to_owned()),
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

/// Brings a task whose try has failed to its end, or back into the queue. Where not even that can be written, a full disk
/// above all, it is tried until it can.
pub async fn settle(app: &App, task: &TaskRow, failure: Failure) {
    tracing::info!(task = %task.id, attempt = task.attempt, ?failure, "a try ended without a result");
    loop {
        match write(app, task, &failure).await {
            Ok(()) => return,
            Err(error) => tracing::error!(task = %task.id, %error, "a failure cannot be written down"),
        }
        tokio::select! {
            () = tokio::time::sleep(UNTIL_WRITABLE) => {}
            // It is still running in the database: the next start takes it up.
            () = app.live.stopping.cancelled() => return,
        }
    }
}

async fn write(app: &App, task: &TaskRow, failure: &Failure) -> Result<(), Error> {
    let failed = |message: &str, retryable| {
        let error = TaskError { message: message.to_owned(), retryable };
        let progress = app.live.progress(task.id).unwrap_or_default();
        Some(End::without_result(TaskStatus::Failed, progress, Some(error)))
    };
    let mut tx = app.db.begin().await?;
    let asked_to_stop = tasks::find_task(&mut tx, task.id).await?.is_some_and(|task| task.cancel_requested);
    let end = match failure {
        Failure::Over => None,
        _ if asked_to_stop => Some(canceled(app, task)),
        Failure::Canceled => Some(canceled(app, task)),
        Failure::Passing(_) if task.attempt < MAX_ATTEMPTS => {
            tasks::requeue_task(&mut tx, task.id, app.clock.now()).await?;
            None
        }
        Failure::Passing(message) | Failure::Final(message) => failed(message, false),
        Failure::NeedsSomeone(message) => failed(message, true),
    };
    let ended = match &end {
        Some(end) => end_task(app, &mut tx, task.id, end).await?.is_some(),
        None => false,
    };
    tx.commit().await?;
    if ended {
        app.live.ended(task.id);
    } else {
        app.live.leave(task.id);
        app.live.queued();
    }
    Ok(())
}

fn canceled(app: &App, task: &TaskRow) -> End<'static> {
    End::without_result(TaskStatus::Canceled, app.live.progress(task.id).unwrap_or_default(), None)
}
