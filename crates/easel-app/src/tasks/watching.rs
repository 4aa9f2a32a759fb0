//! Watches designs while they are made: their pages first, then a picture of each as it is drawn.
//!
//! Always true: a service that was seen not to show previews is not asked; a few tasks are watched at a time, the rest
//! are followed all the same; pictures are kept in memory, within a bound, and forgotten with the end of the task. The
//! answer that tells of the end has the task looked at at once. A failure here fails no task. Not here: a task's
//! progress (`following`).

use std::sync::Arc;
use std::time::Duration;

use easel_client::{Feature, Lane, Picture};
use easel_wire::TaskId;
use easel_wire::tasks::TaskKind;
use tokio::time::Instant;

use super::Tasks;
use crate::connections::active_connection::ActiveConnection;

/// How long the service may hold its answer until there is something to see.
const HELD: Duration = Duration::from_secs(20);
/// Between two answers: pages are drawn faster than anybody looks at them.
const BETWEEN: Duration = Duration::from_millis(400);
/// Requests of a task that do not wait for their turn among the polls: its pages, and the first that are drawn.
const HURRIED: u32 = 3;

impl Tasks {
    /// The picture of a page of a design that is being made.
    pub(crate) fn get_draft(&self, task: TaskId, revision: u64, page: u32) -> Option<Picture> {
        self.inner.watching.picture(task, revision, page)
    }

    /// Watches a task that is followed, until it is no longer.
    pub(super) fn watch_task(&self, connection: &Arc<ActiveConnection>, task: TaskId, kind: Option<&TaskKind>) {
        if !matches!(kind, None | Some(TaskKind::Design | TaskKind::Remix)) {
            return;
        }
        let (tasks, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            let places = Arc::clone(&tasks.inner.watching.places);
            connection
                .cancel
                .run_until_cancelled(async {
                    let Ok(_place) = places.acquire().await else { return };
                    tasks.watch(&connection, task).await;
                })
                .await;
            tasks.inner.watching.forget(task);
        });
    }

    async fn watch(&self, connection: &Arc<ActiveConnection>, task: TaskId) {
        let Some(session) = connection.session() else { return };
        let client = session.client.in_lane(Lane::Poll).hurrying(HURRIED);
        let mut after = None;
        while self.is_followed(connection, task) && client.offers(Feature::TaskPreview) != Some(false) {
            let asked_at = Instant::now();
            let seen = match client.get_task_preview(task, after, HELD).await {
                Ok(seen) => seen,
                // Following the task finds out what is wrong; watching only shows more of it.
                Err(error) => return tracing::debug!(%error, "a design cannot be watched"),
            };
            if seen.status.is_terminal() {
                return self.look_now(connection, task);
            }
            // Nothing new, and not held: a service that would be asked again and again. Following it costs less.
            if after == Some(seen.revision) && asked_at.elapsed() < HELD / 2 {
                return;
            }
            after = Some(seen.revision);
            self.inner.watching.take_in(task, &seen);
            self.note_seen(connection, task, seen);
            tokio::time::sleep(BETWEEN).await;
        }
    }
}
