//! Every background task of the program belongs to one supervisor (architecture, invariant 7).
//!
//! Always true: a task that was spawned here ends when the supervisor closes, within [`CLOSING_LIMIT`]; nothing is
//! spawned anywhere else in this crate. Not here: what the tasks do, and saving anything at the end: intent is on disk
//! before its effect, so there is nothing to save.

use std::future::Future;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long closing waits for the tasks.
pub const CLOSING_LIMIT: Duration = Duration::from_secs(2);

/// Owns the background tasks. Clones are the same supervisor.
#[derive(Debug, Clone, Default)]
pub struct Supervisor {
    tasks: TaskTracker,
    cancel: CancellationToken,
}

impl Supervisor {
    /// Runs a task until it ends or the supervisor closes; then the task is dropped where it waits. To be called on a
    /// runtime.
    pub fn spawn<F>(&self, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.spawn_on(&Handle::current(), task);
    }

    /// As [`Self::spawn`], for code that runs outside of every runtime.
    pub fn spawn_on<F>(&self, runtime: &Handle, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let cancel = self.cancel.clone();
        let until_cancelled = async move {
            cancel.run_until_cancelled(task).await;
        };
        self.tasks.spawn_on(until_cancelled, runtime);
    }

    /// Where tasks of other crates are counted.
    #[must_use]
    pub const fn tasks(&self) -> &TaskTracker {
        &self.tasks
    }

    /// Is cancelled when the supervisor closes; children may be cancelled before.
    #[must_use]
    pub const fn cancellation(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Whether closing has begun.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Ends every task and says whether all of them ended within [`CLOSING_LIMIT`].
    pub async fn close(&self) -> bool {
        self.cancel.cancel();
        self.tasks.close();
        let ended = tokio::time::timeout(CLOSING_LIMIT, self.tasks.wait()).await.is_ok();
        if !ended {
            tracing::warn!(tasks = self.tasks.len(), "some tasks did not end in time");
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[tokio::test(start_paused = true)]
    async fn closing_ends_a_task_that_would_never_end() {
        let supervisor = Supervisor::default();
        let held = Arc::new(());
        let inside = Arc::clone(&held);
        supervisor.spawn(async move {
            let _inside = inside;
            std::future::pending::<()>().await;
        });
        assert!(supervisor.close().await);
        assert_eq!(Arc::strong_count(&held), 1, "what the task held is dropped");
    }

    #[tokio::test(start_paused = true)]
    async fn closing_does_not_wait_longer_than_its_limit() {
        let supervisor = Supervisor::default();
        supervisor.tasks().spawn(std::future::pending::<()>());
        let begun = tokio::time::Instant::now();
        assert!(!supervisor.close().await);
        assert_eq!(begun.elapsed().as_secs(), CLOSING_LIMIT.as_secs());
    }
}
