//! Follows tasks that may still change, wherever they were started.
//!
//! Always true: one task is read by itself, several by one list, never more often than the service asks for
//! (`retry_after_ms`); a connection with nothing under way costs no request; a person's click never waits for it. Not
//! here: starting and cancelling.

use std::sync::Arc;
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Lane, PageRequest, TaskFilter};
use easel_wire::tasks::{Task, TaskPreview, TaskStatus};
use easel_wire::{ErrorType, ItemRef, TaskId};
use tokio::time::Instant;

use super::Tasks;
use super::finding::{self, FoundDesign};
use super::followed::{Followed, TaskUpdate, pause_of};
use super::views::TaskView;
use super::work::Work;
use crate::connections::active_connection::ActiveConnection;
use crate::drive::news::tell_drive;
use crate::events::{Event, TasksChanged};
use crate::messages;
use crate::notices::{Notice, NoticeKind};

/// Tasks in one list.
const LISTED: u16 = 100;
/// Tasks that are read one by one in a round because the list did not reach them.
const ONE_BY_ONE: usize = 5;
/// How long changes are gathered before the page is told: at most ten events a second.
const GATHERED: Duration = Duration::from_millis(100);

/// What a look at several tasks brought.
#[derive(Debug, Default)]
struct TaskPoll {
    tasks: Vec<Task>,
    gone: Vec<TaskId>,
}

/// Looks at tasks: at one by itself, at several with one list read, and at a few that it did not reach.
async fn look(client: &Client, ids: &[TaskId]) -> Result<TaskPoll, ClientError> {
    let mut seen = TaskPoll::default();
    let mut left: Vec<TaskId> = ids.to_vec();
    if ids.len() > 1 {
        let newest = PageRequest { limit: Some(LISTED), ..PageRequest::default() };
        match client.list_tasks(&TaskFilter::default(), &newest).await {
            Ok(page) => {
                left.retain(|id| page.items.iter().all(|task| task.id != *id));
                seen.tasks = page.items.into_iter().filter(|task| ids.contains(&task.id)).collect();
            }
            // A service without the list, or a key that may not read it.
            Err(ClientError::RouteMissing) => {}
            Err(error) if error.error_type() == Some(&ErrorType::Permission) => {}
            Err(error) => return Err(error),
        }
    }
    for id in left.into_iter().take(ONE_BY_ONE) {
        match client.get_task(id).await {
            Ok(task) => seen.tasks.push(task),
            Err(error) if error.error_type() == Some(&ErrorType::NotFound) => seen.gone.push(id),
            // The specification names this route, so it is the task that is missing.
            Err(ClientError::RouteMissing) => seen.gone.push(id),
            Err(error) => return Err(error),
        }
    }
    Ok(seen)
}

impl Tasks {
    /// Follows a task from now on.
    pub(crate) fn follow_task(&self, connection: &Arc<ActiveConnection>, task: TaskId) {
        self.begin_following(connection, task, None);
    }

    pub(super) fn begin_following(&self, connection: &Arc<ActiveConnection>, task: TaskId, last: Option<&Task>) {
        let mut following = self.inner.following();
        let of_connection = following.entry(connection.id.clone()).or_default();
        let looked_at = Instant::now();
        let due = looked_at + pause_of(last);
        let is_new = !of_connection.tasks.contains_key(&task);
        let followed = of_connection.tasks.entry(task).or_insert(Followed { last: None, looked_at, due });
        if let Some(last) = last {
            followed.last = Some(last.clone());
            followed.due = due;
        }
        let is_running = std::mem::replace(&mut of_connection.is_running, true);
        drop(following);
        if is_new {
            self.watch_task(connection, task, last.and_then(|last| last.kind.as_ref()));
        }
        if is_running {
            return;
        }
        let (own, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            connection.cancel.run_until_cancelled(own.follow(&connection)).await;
        });
    }

    /// Takes note of tasks that were read for another reason: those under way are followed, those that ended are done
    /// with.
    pub(super) fn note_tasks(&self, connection: &Arc<ActiveConnection>, tasks: &[Task]) {
        for task in tasks {
            if !task.status.is_terminal() && !matches!(task.status, TaskStatus::Other(_)) {
                self.begin_following(connection, task.id, Some(task));
                continue;
            }
            let was_followed = self.stop_following(connection, task.id);
            if was_followed {
                let (own, connection, task) = (self.clone(), Arc::clone(connection), task.clone());
                self.core.supervisor().spawn(async move {
                    own.end_task(&connection, &task).await;
                    own.tell_task(&connection, task);
                });
            }
        }
    }

    /// Whether a task is still followed.
    pub(super) fn is_followed(&self, connection: &ActiveConnection, task: TaskId) -> bool {
        self.inner.following().get(&connection.id).is_some_and(|following| following.tasks.contains_key(&task))
    }

    /// Takes note of what is seen of a task between two looks, and tells the page.
    pub(super) fn note_seen(&self, connection: &Arc<ActiveConnection>, id: TaskId, seen: TaskPreview) {
        {
            let mut following = self.inner.following();
            let Some(of_connection) = following.get_mut(&connection.id) else { return };
            let followed = of_connection.tasks.get_mut(&id);
            let Some(last) = followed.and_then(|followed| followed.last.as_mut()) else { return };
            last.status = seen.status;
            last.progress = seen.progress.or(last.progress.take());
            let update = TaskUpdate::Task(Box::new(last.clone()));
            // Gathered first, before anybody else finds that the task has ended: that is a later one.
            of_connection.gather(update);
        }
        self.tell_soon(connection);
    }

    /// Has a task looked at now instead of when it is due.
    pub(super) fn look_now(&self, connection: &ActiveConnection, task: TaskId) {
        let mut following = self.inner.following();
        let Some(following) = following.get_mut(&connection.id) else { return };
        if let Some(followed) = following.tasks.get_mut(&task) {
            followed.due = Instant::now();
            following.hurried.notify_one();
        }
    }

    pub(super) fn stop_following(&self, connection: &ActiveConnection, task: TaskId) -> bool {
        let mut following = self.inner.following();
        following.get_mut(&connection.id).is_some_and(|following| following.tasks.remove(&task).is_some())
    }

    /// Looks until nothing is under way.
    async fn follow(&self, connection: &Arc<ActiveConnection>) {
        loop {
            let (due, hurried) = {
                let mut following = self.inner.following();
                let Some(following) = following.get_mut(&connection.id) else { return };
                let Some(due) = following.tasks.values().map(|followed| followed.due).min() else {
                    following.is_running = false;
                    return;
                };
                (due, Arc::clone(&following.hurried))
            };
            tokio::select! {
                () = tokio::time::sleep_until(due) => {}
                () = hurried.notified() => continue,
            }
            let Some(session) = connection.session() else {
                connection.wait_until_ready().await;
                continue;
            };
            let ids: Vec<TaskId> = match self.inner.following().get(&connection.id) {
                // Tasks that are due soon are read with the others: one list brings them all. Those that it does not
                // reach take turns.
                Some(following) => {
                    let mut all: Vec<_> = following.tasks.iter().map(|(id, task)| (task.looked_at, *id)).collect();
                    all.sort();
                    all.into_iter().map(|(_, id)| id).collect()
                }
                None => return,
            };
            match look(&session.client.in_lane(Lane::Poll), &ids).await {
                Ok(seen) => self.take_note(connection, seen).await,
                // The key may start tasks and not look at them.
                Err(error) if error.error_type() == Some(&ErrorType::Permission) => {
                    self.take_note(connection, TaskPoll { tasks: Vec::new(), gone: ids }).await;
                }
                Err(error) => {
                    self.connections.note_error(connection, &error, "");
                    self.postpone(connection);
                    if error.is_offline() || error.is_key_refused() {
                        connection.wait_until_ready().await;
                    }
                }
            }
        }
    }

    fn postpone(&self, connection: &ActiveConnection) {
        if let Some(following) = self.inner.following().get_mut(&connection.id) {
            for followed in following.tasks.values_mut() {
                followed.due = Instant::now() + pause_of(followed.last.as_ref());
            }
        }
    }

    async fn take_note(&self, connection: &Arc<ActiveConnection>, seen: TaskPoll) {
        let mut changed = Vec::new();
        let mut ended = Vec::new();
        let list_again = !seen.gone.is_empty();
        {
            let mut following = self.inner.following();
            let Some(of_connection) = following.get_mut(&connection.id) else { return };
            let now = Instant::now();
            for task in seen.tasks {
                let Some(followed) = of_connection.tasks.get_mut(&task.id) else { continue };
                if followed.last.as_ref() != Some(&task) {
                    changed.push(task.clone());
                }
                followed.looked_at = now;
                followed.last = Some(task.clone());
                if task.status.is_terminal() {
                    of_connection.tasks.remove(&task.id);
                    ended.push(task);
                }
            }
            for id in &seen.gone {
                of_connection.tasks.remove(id);
            }
            for followed in of_connection.tasks.values_mut() {
                followed.due = now + pause_of(followed.last.as_ref());
            }
        }
        for id in seen.gone {
            self.forget_task(id);
        }
        for task in &ended {
            self.inner.canceling().retain(|other| *other != task.id);
            self.end_task(connection, task).await;
        }
        if changed.is_empty() && !list_again {
            return;
        }
        {
            let mut following = self.inner.following();
            let of_connection = following.entry(connection.id.clone()).or_default();
            changed.into_iter().for_each(|task| of_connection.gather(TaskUpdate::Task(Box::new(task))));
            of_connection.list_again |= list_again;
        }
        self.tell_soon(connection);
    }

    /// Carries out the consequences of a task's end: its notes are forgotten, its design is put in its folder, and
    /// views of designs, folders or deliveries are told.
    pub(super) async fn end_task(&self, connection: &Arc<ActiveConnection>, task: &Task) {
        let work = self.inner.file.find(|work| work.task_id == Some(task.id));
        let made = match &work {
            Some(work) if task.status == TaskStatus::Succeeded => self.find_made(connection, work, task).await,
            _ => FoundDesign::told_by(task),
        };
        if let (TaskStatus::Succeeded, Some(FoundDesign { canvas, is_sure, .. })) = (&task.status, made) {
            let folder = work.as_ref().and_then(|work| work.folder_id).filter(|_| is_sure);
            if let (Some(folder), Some(session)) = (folder, connection.session())
                && let Err(error) = session.client.move_item(ItemRef::Canvas(canvas), Some(folder)).await
            {
                tracing::info!(%error, "a design stays at the top of the drive");
            }
            self.designs.tell_designs(connection, [canvas]);
            tell_drive(&self.core, connection, [folder]);
        }
        if let Some(work) = work {
            self.say_ended(connection, &work, task);
            if matches!(&work.request, super::work::DesignRequest::Task(request) if request.callback_url.is_some()) {
                self.deliveries.watch_deliveries(connection);
            }
            self.forget_work(&work.id);
        }
    }

    /// The design of `work`, as the task tells it, or else found among the newest designs.
    async fn find_made(&self, connection: &ActiveConnection, work: &Work, task: &Task) -> Option<FoundDesign> {
        if let Some(told) = FoundDesign::told_by(task) {
            return Some(told);
        }
        if let Some(canvas) = work.request.edited() {
            return Some(FoundDesign { canvas, name: None, is_sure: true });
        }
        let client = connection.session()?.client.in_lane(Lane::Poll);
        let mut not = self.copies();
        not.extend(self.inner.asked().values().filter_map(|asked| asked.made.as_ref()).map(|made| made.canvas));
        let found = finding::look(&client, work, &not).await;
        let found = found.inspect_err(|error| tracing::info!(%error, "which design a task has made is not known"));
        let made = found.ok()??;
        if let Some(asked) = self.inner.asked().get_mut(&task.id) {
            asked.made = Some(made.clone());
        }
        Some(made)
    }

    /// Says outside the window that a design is there, or is not.
    fn say_ended(&self, connection: &ActiveConnection, work: &Work, task: &Task) {
        if work.is_quiet {
            return;
        }
        let name = self.view_task(connection, task).design_name;
        if let Some((title, body)) = messages::task_ended(&task.status, name.as_deref(), work.request.prompt()) {
            let kind = NoticeKind::TaskEnded;
            self.core.tell_outside(&Notice { kind, title, body, connection_id: connection.id.clone() });
        }
    }

    fn forget_task(&self, task: TaskId) {
        if let Err(error) = self.inner.file.forget(|work| work.task_id == Some(task)) {
            tracing::warn!(%error, "that a task is gone could not be noted");
        }
    }

    /// Tells the page of a task of the service, soon.
    pub(super) fn tell_task(&self, connection: &Arc<ActiveConnection>, task: Task) {
        self.tell_update(connection, TaskUpdate::Task(Box::new(task)));
    }

    /// Tells the page of work that the service does not have (yet), soon.
    pub(super) fn tell_waiting(&self, connection: &Arc<ActiveConnection>, view: TaskView) {
        self.tell_update(connection, TaskUpdate::Waiting(Box::new(view)));
    }

    fn tell_update(&self, connection: &Arc<ActiveConnection>, update: TaskUpdate) {
        self.inner.following().entry(connection.id.clone()).or_default().gather(update);
        self.tell_soon(connection);
    }

    fn tell_soon(&self, connection: &Arc<ActiveConnection>) {
        {
            let mut following = self.inner.following();
            let Some(of_connection) = following.get_mut(&connection.id) else { return };
            if std::mem::replace(&mut of_connection.is_telling, true) {
                return;
            }
        }
        let (own, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            tokio::time::sleep(GATHERED).await;
            let (untold, list_again) = {
                let mut following = own.inner.following();
                let Some(of_connection) = following.get_mut(&connection.id) else { return };
                of_connection.is_telling = false;
                (std::mem::take(&mut of_connection.untold), std::mem::take(&mut of_connection.list_again))
            };
            let changed = own.view_updates(&connection, untold);
            own.core.emit(Event::TasksChanged(TasksChanged {
                connection_id: connection.id.clone(),
                changed,
                list_again,
            }));
        });
    }

    /// News for the page: each task once, in the service's state if it has the task.
    fn view_updates(&self, connection: &ActiveConnection, untold: Vec<TaskUpdate>) -> Vec<TaskView> {
        let mut views: Vec<TaskView> = Vec::new();
        let mut waiting = Vec::new();
        for update in untold {
            match update {
                TaskUpdate::Task(task) => views.push(self.view_task(connection, &task)),
                TaskUpdate::Waiting(view) => waiting.push(*view),
            }
        }
        waiting.retain(|view| views.iter().all(|other| other.id != view.id));
        views.extend(waiting);
        views
    }
}
