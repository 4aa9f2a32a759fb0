//! Design tasks: starting, reading, listing, cancelling (specification, "Task"; contract, "Tasks and remix").
//!
//! Always true: a task is read in either of its two forms; a start is repeated after a lost answer only if it has an
//! idempotency key; a cancel that is repeated finds its task canceled. Not here: when a task is looked at again, and
//! remixes (`remix`), which have no key.

mod remix;

use std::time::Duration;

use easel_wire::list::Page;
use easel_wire::tasks::{StartTask, Task, TaskKind, TaskPreview, TaskStatus, read_task};
use easel_wire::{CanvasId, Scope, TaskId};
use http::Method;

pub use self::remix::{RemixClick, Remixed};
use crate::capabilities::Feature;
use crate::client::{Answer, Client};
use crate::error::Error;
use crate::paging::PageRequest;
use crate::retry::Repeat;

const RESOURCE: &str = "tasks";

/// The tasks of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Only those in this state.
    pub status: Option<TaskStatus>,
    /// Only those that work on this canvas or have made it.
    pub canvas: Option<CanvasId>,
    /// Only those of this kind.
    pub kind: Option<TaskKind>,
}

/// Reads a task in either form.
pub(super) fn read_answer(answer: &Answer) -> Result<Task, Error> {
    read_task(answer.json()?).map_err(|_| answer.other_shape())
}

impl Client {
    /// Starts a task. `wait` is how long the service may hold its answer until the task has ended (whole seconds, 30 at
    /// most); zero answers at once.
    ///
    /// # Errors
    /// `concurrent_task_limit`, `idempotency_conflict`, `callback_url_not_allowed`, `*_not_found`; else what the
    /// service answers, or why it did not. Without an idempotency key nothing is repeated after a lost answer.
    pub async fn start_task(&self, request: &StartTask, wait: Duration) -> Result<Task, Error> {
        let repeat = if request.idempotency_key.is_some() { Repeat::Harmless } else { Repeat::Harmful };
        let call = self
            .call(Method::POST, &["tasks"])
            .needs(Scope::TasksWrite)
            .capped()
            .json(request)?
            .repeat(repeat)
            .prefer_wait(wait);
        read_answer(&self.send(&call).await?)
    }

    /// One task as it is now. It takes nothing from the cap on tasks (specification, "Endpoints", behaviour rule 7).
    ///
    /// # Errors
    /// `task_not_found`, also for the id of a promptless remix; else what the service answers, or why it did not.
    pub async fn get_task(&self, task: TaskId) -> Result<Task, Error> {
        let call = self.call(Method::GET, &["tasks", &task.text()]).needs(Scope::TasksRead);
        read_answer(&self.send(&call).await?)
    }

    /// The parts of a design that can be seen while it is made: its pages, and pictures of those that were drawn since
    /// the revision `after`. `wait` is how long the service may hold its answer until there is news (whole seconds, 30
    /// at most).
    ///
    /// # Errors
    /// `task_not_found`; [`Error::RouteMissing`] where the service does not have it; else what the service answers, or
    /// why it did not.
    pub async fn get_task_preview(
        &self,
        task: TaskId,
        after: Option<u64>,
        wait: Duration,
    ) -> Result<TaskPreview, Error> {
        let call = self
            .call(Method::GET, &["tasks", &task.text(), "preview"])
            .of(Feature::TaskPreview)
            .needs(Scope::TasksRead)
            .query("after", after.map(|after| after.to_string()).as_deref())
            .prefer_wait(wait);
        self.get_json(&call).await
    }

    /// One page of tasks, 1 to 100 of them, newest first.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn list_tasks(&self, filter: &TaskFilter, page: &PageRequest) -> Result<Page<Task>, Error> {
        let call = self
            .call(Method::GET, &[RESOURCE])
            .needs(Scope::TasksRead)
            .query("status", filter.status.as_ref().map(TaskStatus::as_str))
            .query("canvas_id", filter.canvas.map(|canvas| canvas.to_string()).as_deref())
            .query("kind", filter.kind.as_ref().map(TaskKind::as_str));
        self.get_page_with(call, page, RESOURCE, |task| read_task(task).ok()).await
    }

    /// Cancels a task and returns its state: canceled, or still stopping.
    ///
    /// # Errors
    /// 409 for a task that has ended in another way, `task_not_found`; else what the service answers, or why it did
    /// not.
    pub async fn cancel_task(&self, task: TaskId) -> Result<Task, Error> {
        let call = self
            .call(Method::POST, &["tasks", &task.text(), "cancel"])
            .needs(Scope::TasksCancel)
            .repeat(Repeat::Harmless);
        read_answer(&self.send(&call).await?)
    }
}
