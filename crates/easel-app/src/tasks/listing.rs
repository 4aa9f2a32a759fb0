//! Lists tasks, cancels one, retries one.
//!
//! Always true: work that the service does not have yet stands first; a filter for several states of the service reads
//! them one after the other; a retry makes a new task from the old one's input, once for a double click. Not here:
//! following tasks that may still change.

use std::collections::HashSet;

use easel_client::{Client, Error as ClientError, TaskFilter as TaskRequest};
use easel_wire::ErrorType;
use easel_wire::tasks::{Task, TaskKind, TaskStatus};
use serde_json::Value;

use super::views::{TaskFilter, TaskList, TaskView};
use super::work::{Along, DesignRequest};
use super::{LocalTaskState, Tasks, kept};
use crate::continuation::Continuation;
use crate::messages;
use crate::problem::Problem;

/// The most tasks of one command.
const MOST: u32 = 200;
/// Tasks a request.
const PAGE: usize = 100;

impl TaskFilter {
    /// The service's states of this filter, in the order in which they are read; `None` for all at once.
    const fn stages(self) -> &'static [Option<TaskStatus>] {
        match self {
            Self::All => &[None],
            Self::Running => &[Some(TaskStatus::Running), Some(TaskStatus::Queued)],
            Self::Failed => &[Some(TaskStatus::Failed), Some(TaskStatus::Expired)],
            Self::Finished => &[Some(TaskStatus::Succeeded)],
        }
    }

    const fn shows(self, here: &LocalTaskState) -> bool {
        match self {
            Self::All => true,
            Self::Running => matches!(here, LocalTaskState::Starting(_)),
            Self::Failed => matches!(here, LocalTaskState::Failed(_)),
            Self::Finished => false,
        }
    }
}

/// Where a list goes on: in which stage, and where in it.
fn read_cursor(cursor: Option<&str>) -> (usize, Continuation) {
    let read = cursor.and_then(|cursor| cursor.split_once(':')).and_then(|(stage, rest)| {
        let stage = stage.parse().ok()?;
        Some((stage, Continuation::read(Some(rest))))
    });
    read.unwrap_or_default()
}

/// A part of the tasks in several states, and where to go on.
async fn read_stages(
    client: &Client,
    stages: &[Option<TaskStatus>],
    cursor: Option<&str>,
    limit: usize,
) -> Result<(Vec<Task>, Option<String>), ClientError> {
    let (mut stage, mut here) = read_cursor(cursor);
    let mut tasks: Vec<Task> = Vec::new();
    while let Some(status) = stages.get(stage).filter(|_| tasks.len() < limit) {
        let filter = TaskRequest { status: status.clone(), ..TaskRequest::default() };
        let request = here.request((limit - tasks.len()).min(PAGE));
        let mut page = client.list_tasks(&filter, &request).await?;
        let first = page.items.first().map(|task| task.id.text());
        let next = here.after(&request, &mut page, first.as_deref());
        // A service that does not keep to the filter answers with all of them, for every stage.
        page.items.retain(|task| status.as_ref().is_none_or(|status| task.status == *status));
        tasks.extend(page.items);
        if next.is_none() {
            stage += 1;
        }
        here = next.unwrap_or_default();
    }
    let next = (stage < stages.len()).then(|| format!("{stage}:{}", here.text()));
    Ok((tasks, next))
}

/// Joins the work that was about to start before the service was asked with the tasks that it then had. Work that began
/// in between is in both, and the service knows more of it.
fn join(mut starting: Vec<TaskView>, listed: Vec<TaskView>) -> Vec<TaskView> {
    let begun: HashSet<&str> = listed.iter().map(|view| view.id.as_str()).collect();
    starting.retain(|view| !begun.contains(view.id.as_str()));
    starting.extend(listed);
    starting
}

impl Tasks {
    /// A part of the tasks, newest first; what the service does not have yet stands before them.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_tasks(
        &self,
        filter: TaskFilter,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<TaskList, Problem> {
        let connection = self.connections.selected()?;
        let mut starting: Vec<TaskView> = Vec::new();
        if cursor.is_none() {
            let waiting = self.inner.waiting();
            let mut here: Vec<_> = waiting
                .values()
                .filter(|waiting| waiting.work.connection_id == connection.id && filter.shows(&waiting.here))
                .collect();
            here.sort_by_key(|waiting| std::cmp::Reverse(waiting.work.asked_at));
            starting.extend(here.into_iter().map(Self::view_waiting));
        }
        let client = connection.ready().await?.client;
        let limit = limit.clamp(1, MOST) as usize;
        let listed = read_stages(&client, filter.stages(), cursor.as_deref(), limit).await;
        let (tasks, next) = listed.map_err(|error| self.connections.note_error(&connection, &error, ""))?;
        self.connections.note_answer(&connection);
        self.note_tasks(&connection, &tasks);
        let listed = tasks.iter().map(|task| self.view_task(&connection, task)).collect();
        Ok(TaskList { connection_id: connection.id.clone(), tasks: join(starting, listed), next })
    }

    /// Cancels a task and says how it is now: canceled, or still stopping.
    ///
    /// # Errors
    /// `task_not_found`, what the connection's state says, or what the service answers.
    pub async fn cancel_task(&self, task_id: String) -> Result<TaskView, Problem> {
        if let Some(view) = self.cancel_waiting(&task_id)? {
            return Ok(view);
        }
        let id = self.inner.task_of(&task_id).ok_or_else(unknown)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        self.inner.canceling().push(id);
        let canceled = match client.cancel_task(id).await {
            // The task ended before the cancel arrived.
            Err(error) if error.error_type() == Some(&ErrorType::Conflict) => client.get_task(id).await,
            outcome => outcome,
        };
        if canceled.as_ref().is_ok_and(|task| task.status.is_terminal()) || canceled.is_err() {
            self.inner.canceling().retain(|other| *other != id);
        }
        let task = canceled.map_err(|error| self.connections.note_error(&connection, &error, ""))?;
        self.note_tasks(&connection, std::slice::from_ref(&task));
        let view = self.view_task(&connection, &task);
        self.tell_task(&connection, task);
        Ok(view)
    }

    /// Tries again what failed: a new task from what the old one was given.
    ///
    /// # Errors
    /// `task_not_found`, `task_not_repeatable`, what the connection's state says, or what the service answers.
    pub async fn retry_task(&self, task_id: String) -> Result<TaskView, Problem> {
        let tasks = &self.inner;
        tasks
            .retries
            .once(task_id.clone(), async {
                if let Some(view) = self.carry_on_failed(&task_id)? {
                    return Ok(view);
                }
                let id = tasks.task_of(&task_id).ok_or_else(unknown)?;
                let connection = self.connections.selected()?;
                // What was asked for here is known whole, whatever the service says of it.
                let asked = tasks.asked().get(&id).map(|asked| asked.work.clone());
                if let Some(work) = asked {
                    let along = Along { folder_id: work.folder_id, ..Along::default() };
                    return self.begin_work(&connection, work.request, along);
                }
                let client = connection.ready().await?.client;
                let task =
                    client.get_task(id).await.map_err(|error| self.connections.note_error(&connection, &error, ""))?;
                let request = request_of(&task).ok_or_else(|| messages::problem("task_not_repeatable", &[]))?;
                self.begin_work(&connection, request, Along::default())
            })
            .await
    }
}

/// What a task was given, as a new request.
fn request_of(task: &Task) -> Option<DesignRequest> {
    let mut input = task.input.clone()?;
    // Fields of another version of the service are left out: a request refuses what it does not know.
    let known: &[&str] = match task.kind {
        Some(TaskKind::Remix) => &["canvas_id", "prompt", "new_name", "brand_kit_id", "skip_brand_kit"],
        Some(TaskKind::Design) | None => &[
            "prompt",
            "format",
            "canvas_id",
            "template_canvas_id",
            "canvas_name",
            "brand_kit_id",
            "skip_brand_kit",
            "number_of_slides",
            "attachments",
            "reference_canvas_ids",
            "conversation_id",
            "callback_url",
        ],
        _ => return None,
    };
    input.as_object_mut()?.retain(|name, value| known.contains(&name.as_str()) && *value != Value::Null);
    if task.kind == Some(TaskKind::Remix) {
        return kept::read_remix(&input).ok().map(DesignRequest::Remix);
    }
    kept::read_start_task(&input).ok().map(|request| DesignRequest::Task(Box::new(request)))
}

pub(super) fn unknown() -> Problem {
    messages::problem("task_not_found", &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_cursor_names_its_stage() {
        let check = |cursor: Option<&str>, stage: usize, expected: Continuation| {
            assert_eq!(read_cursor(cursor), (stage, expected), "{cursor:?}");
        };
        let there = Continuation::read(Some(r#"{"cursor":"abc:d"}"#));
        check(None, 0, Continuation::default());
        check(Some(&format!("0:{}", there.text())), 0, there.clone());
        check(Some("1:"), 1, Continuation::default());
        check(Some("nonsense"), 0, Continuation::default());
        check(Some(&format!("x:{}", there.text())), 0, Continuation::default());
    }

    #[test]
    fn what_began_while_the_service_was_asked_is_listed_once_as_the_service_has_it() {
        let view = |id: &str, task_id: Option<&str>| -> TaskView {
            let fields = json!({
                "id": id, "task_id": task_id, "state": "queued", "title": "", "edits": false, "canceling": false, "pages": [],
            });
            serde_json::from_value(fields).unwrap()
        };
        let listed = vec![view("own-1", Some("task_1")), view("task_0", Some("task_0"))];
        let joined = join(vec![view("own-2", None), view("own-1", None)], listed.clone());
        assert_eq!(joined, [vec![view("own-2", None)], listed].concat());
    }

    #[test]
    fn what_a_task_was_given_can_be_given_again() {
        let task = |kind: &str, input: Value| -> Task {
            serde_json::from_value(
                json!({"id": "task_00000000000000000000000000", "kind": kind, "status": "failed", "input": input}),
            )
            .unwrap()
        };
        let input =
            json!({"prompt": "A lighthouse", "format": {"category": "slides"}, "mood": 1, "callback_url": null});
        let Some(DesignRequest::Task(request)) = request_of(&task("design", input)) else {
            panic!("a design can be repeated")
        };
        assert_eq!(request.prompt, "A lighthouse");
        assert_eq!(request.format.map(|format| format.category), Some(Some(easel_wire::tasks::Category::Slides)));
        let remix = json!({"canvas_id": "cvs_00000000000000000000000000", "prompt": "bluer"});
        assert!(
            matches!(request_of(&task("remix", remix)), Some(DesignRequest::Remix(remix)) if remix.prompt.is_some())
        );
        assert_eq!(request_of(&task("brand_kit_extract", json!({"prompt": "x"}))), None);
        assert_eq!(request_of(&task("design", json!(null))), None);
    }
}
