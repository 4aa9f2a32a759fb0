//! Carries out a request for a design: from the file on disk to a task of the service.
//!
//! Always true: the request is on disk before it is sent; a design has an idempotency key, and a remix whose answer was
//! lost is looked for before it is asked for again, so that one request makes one task, whatever breaks on the way; a
//! request that the service has no room for waits and says so. Not here: the task's progress afterwards (`following`).

use std::sync::Arc;
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Feature, RemixClick, Remixed};
use easel_wire::tasks::{StartTask, Task};
use tokio_util::sync::CancellationToken;

use super::views::{TaskView, TaskWait};
use super::work::{Along, DesignRequest, Work};
use super::{LocalTaskState, Tasks, Waiting};
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::messages;
use crate::problem::Problem;

/// How long the service may hold the answer to a start: most designs of the built-in studio are done by then, which
/// saves looking at them. A service that shows a design while it makes it is not held up.
const HELD: Duration = Duration::from_secs(1);
/// The pause where a service that has no room did not say how long to wait (specification, "Limits": 30).
const UNSAID_PAUSE: Duration = Duration::from_secs(30);
/// The pause before trying again where the connection looks well and yet did not carry the request.
const SHORT_PAUSE: Duration = Duration::from_secs(2);

/// What came of a try.
enum Tried {
    /// The service has the task.
    Started(Box<Task>),
    /// Not now; again after this time.
    Later(TaskWait, Duration),
    /// Not now; again when the connection works.
    Offline,
    /// The service refused the request.
    Refused(Problem),
}

impl Tasks {
    /// Writes a request down and begins to carry it out.
    ///
    /// # Errors
    /// `too_much_begun`, `data_unwritable`.
    pub(crate) fn begin_work(
        &self,
        connection: &Arc<ActiveConnection>,
        request: DesignRequest,
        along: Along,
    ) -> Result<TaskView, Problem> {
        if self.inner.file.is_full() {
            return Err(messages::problem("too_much_begun", &[]));
        }
        let request = match request {
            DesignRequest::Task(request) => DesignRequest::Task(Box::new(StartTask {
                idempotency_key: Some(uuid::Uuid::new_v4().to_string()),
                ..*request
            })),
            remix @ DesignRequest::Remix(_) => remix,
        };
        let work = Work::new(&connection.id, request, along, Core::now());
        self.inner.file.put(work.clone()).map_err(|error| self.core.unwritable(&error))?;
        Ok(self.carry_on(connection, work))
    }

    /// Takes up what the last run left of a connection.
    pub(crate) fn resume_work(&self, connection: &Arc<ActiveConnection>) {
        for work in self.inner.file.of_connection(&connection.id) {
            match (&work.request, work.task_id) {
                (_, Some(task)) => {
                    self.inner.note_asked(task, work.clone());
                    self.follow_task(connection, task);
                }
                // A plain copy, which whoever asks for copies goes on with.
                (request, None) if request.is_copy() => {}
                (_, None) if !work.was_given_up => {
                    self.carry_on(connection, work);
                }
                _ => self.forget_work(&work.id),
            }
        }
    }

    /// Carries on in the background, and says how it is.
    fn carry_on(&self, connection: &Arc<ActiveConnection>, work: Work) -> TaskView {
        let cancel = connection.cancel.child_token();
        let waiting = Waiting { work: work.clone(), here: LocalTaskState::Starting(None), cancel: cancel.clone() };
        let view = Self::view_waiting(&waiting);
        self.inner.waiting().insert(work.id.clone(), waiting);
        self.tell_waiting(connection, view.clone());
        let (tasks, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move { tasks.carry_out(&connection, work, &cancel).await });
        view
    }

    /// Tries work again that the service did not take; nothing where there is no such work.
    pub(super) fn carry_on_failed(&self, id: &str) -> Result<Option<TaskView>, Problem> {
        let failed = self.inner.waiting().get(id).cloned();
        let Some(Waiting { work, here: LocalTaskState::Failed(_), .. }) = failed else { return Ok(None) };
        let Some(connection) = self.connections.find(&work.connection_id) else { return Ok(None) };
        self.inner.file.put(work.clone()).map_err(|error| self.core.unwritable(&error))?;
        Ok(Some(self.carry_on(&connection, work)))
    }

    /// Cancels a request that the service does not have yet; `None` where the service has it, or it was never made.
    pub(super) fn cancel_waiting(&self, id: &str) -> Result<Option<TaskView>, Problem> {
        let Some(waiting) = self.inner.waiting().get(id).cloned() else { return Ok(None) };
        waiting.cancel.cancel();
        let mut view = Self::view_waiting(&waiting);
        if waiting.work.was_sent && matches!(waiting.here, LocalTaskState::Starting(_)) {
            // The request may have reached the service already: whoever sent it cancels it there.
            view.canceling = true;
            return Ok(Some(view));
        }
        self.inner.waiting().remove(id);
        self.forget_work(id);
        view.state = super::TaskState::Canceled;
        view.waits_for = None;
        if let Some(connection) = self.connections.find(&waiting.work.connection_id) {
            self.tell_waiting(&connection, view.clone());
        }
        Ok(Some(view))
    }

    async fn carry_out(&self, connection: &Arc<ActiveConnection>, mut work: Work, cancel: &CancellationToken) {
        loop {
            let wait = match self.try_work(connection, &mut work, cancel).await {
                Tried::Started(task) => return self.adopt(connection, work, *task, cancel).await,
                Tried::Refused(problem) => return self.refuse_work(connection, &work, problem),
                Tried::Offline => {
                    self.say_waiting(connection, &work, TaskWait::Connection);
                    None
                }
                Tried::Later(why, wait) => {
                    self.say_waiting(connection, &work, why);
                    Some(wait)
                }
            };
            let over = async {
                match wait {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => {
                        connection.wait_until_ready().await;
                        tokio::time::sleep(SHORT_PAUSE).await;
                    }
                }
            };
            tokio::select! {
                () = over => {}
                () = cancel.cancelled() => return self.stop_work(connection, &work).await,
            }
        }
    }

    async fn try_work(&self, connection: &Arc<ActiveConnection>, work: &mut Work, cancel: &CancellationToken) -> Tried {
        if !work.transfers.is_empty() {
            self.say_waiting(connection, work, TaskWait::Files);
            let sent = tokio::select! {
                sent = self.attachments.wait_for_transfers(connection, work) => sent,
                () = cancel.cancelled() => return Tried::Later(TaskWait::Files, Duration::ZERO),
            };
            if let Err(problem) = sent {
                return Tried::Refused(problem);
            }
        }
        let Some(session) = connection.session() else { return Tried::Offline };
        let had_been_sent = work.was_sent;
        work.was_sent = true;
        if let Err(error) = self.inner.file.put(work.clone()) {
            return Tried::Refused(self.core.unwritable(&error));
        }
        if let Some(waiting) = self.inner.waiting().get_mut(&work.id) {
            waiting.work = work.clone();
        }
        let client = session.client.telling_waits();
        let started = match &work.request {
            DesignRequest::Task(request) => {
                let is_seen = client.offers(Feature::TaskPreview) == Some(true);
                client.start_task(request, if is_seen { Duration::ZERO } else { HELD }).await
            }
            DesignRequest::Remix(_) => self.start_remix(&client, work, had_been_sent).await,
        };
        match started {
            Ok(task) => Tried::Started(Box::new(task)),
            Err(error) if error.is_for_later() => {
                Tried::Later(TaskWait::Room, error.retry_after().unwrap_or(UNSAID_PAUSE))
            }
            Err(error) if error.is_offline() || error.is_key_refused() => {
                self.connections.note_error(connection, &error, "");
                Tried::Offline
            }
            Err(error) => {
                let feature = matches!(work.request, DesignRequest::Remix(_)).then_some(Feature::Remix);
                Tried::Refused(self.connections.note_error_of(connection, &error, feature))
            }
        }
    }

    async fn start_remix(&self, client: &Client, work: &Work, had_been_sent: bool) -> Result<Task, ClientError> {
        let DesignRequest::Remix(remix) = &work.request else { return Err(ClientError::RouteMissing) };
        let click = RemixClick {
            remix: remix.clone(),
            since: work.asked_at,
            not_canvases: Vec::new(),
            not_tasks: self.inner.asked().keys().copied().collect(),
        };
        let found = if had_been_sent { client.find_remixed(&click).await? } else { None };
        let remixed = match found {
            Some(found) => found,
            None => client.remix(&click).await?,
        };
        match remixed {
            Remixed::Started(task) => Ok(*task),
            // A remix with words is answered with a task, and only ever looked for as one.
            Remixed::Copied { .. } => Err(ClientError::RouteMissing),
        }
    }

    /// Takes over the service's task: from now on its id is known, and it is followed.
    async fn adopt(&self, connection: &Arc<ActiveConnection>, mut work: Work, task: Task, cancel: &CancellationToken) {
        work.task_id = Some(task.id);
        let tasks = &self.inner;
        if let Err(error) = tasks.file.put(work.clone()) {
            tracing::warn!(%error, "which task came of a request could not be noted; its key finds it again");
        }
        tasks.note_asked(task.id, work.clone());
        tasks.waiting().remove(&work.id);
        if task.status.is_terminal() {
            // The task may be followed already as one of the service's: its end must be told only once.
            self.stop_following(connection, task.id);
            self.end_task(connection, &task).await;
        } else {
            self.begin_following(connection, task.id, Some(&task));
        }
        self.tell_task(connection, task);
        if cancel.is_cancelled()
            && !connection.cancel.is_cancelled()
            && let Err(problem) = self.cancel_task(work.id).await
        {
            tracing::info!(code = problem.code, "a task could not be canceled");
        }
    }

    fn refuse_work(&self, connection: &Arc<ActiveConnection>, work: &Work, problem: Problem) {
        let mut waiting = self.inner.waiting();
        let Some(known) = waiting.get_mut(&work.id) else { return };
        known.here = LocalTaskState::Failed(problem);
        // A retry must be a new request, because the service may keep its refusal under the key.
        known.work.was_sent = false;
        let view = Self::view_waiting(known);
        drop(waiting);
        // Refused work is not taken up again by itself; the page has it as long as the program runs.
        self.forget_work(&work.id);
        self.tell_waiting(connection, view);
    }

    /// The person cancelled it while it waited.
    async fn stop_work(&self, connection: &Arc<ActiveConnection>, work: &Work) {
        if connection.cancel.is_cancelled() {
            // Easel closes, or the connection is gone: it goes on at the next start.
            return;
        }
        let waiting = self.inner.waiting().remove(&work.id);
        self.forget_work(&work.id);
        if let Some(waiting) = waiting {
            let mut view = Self::view_waiting(&waiting);
            view.state = super::TaskState::Canceled;
            view.waits_for = None;
            self.tell_waiting(connection, view);
        }
    }

    fn say_waiting(&self, connection: &Arc<ActiveConnection>, work: &Work, why: TaskWait) {
        let mut waiting = self.inner.waiting();
        let Some(known) = waiting.get_mut(&work.id) else { return };
        let here = LocalTaskState::Starting(Some(why));
        if known.here == here {
            return;
        }
        known.here = here;
        let view = Self::view_waiting(known);
        drop(waiting);
        self.tell_waiting(connection, view);
    }

    /// Forgets what is done, or will not be done.
    pub(crate) fn forget_work(&self, id: &str) {
        if let Err(error) = self.inner.file.forget(|work| work.id == id) {
            tracing::warn!(%error, "that something is done could not be noted");
        }
    }

    /// Forgets everything about a connection that was removed.
    pub(crate) fn forget_work_of(&self, connection_id: &str) {
        if let Err(error) = self.inner.file.forget(|work| work.connection_id == connection_id) {
            tracing::warn!(%error, "what was begun at a removed connection is still noted");
        }
        self.inner.waiting().retain(|_, waiting| waiting.work.connection_id != connection_id);
        self.inner.following().remove(connection_id);
    }
}
