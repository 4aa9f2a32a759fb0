//! Tasks for the page: those that were asked for here and elsewhere, their progress, cancelling and retrying them.
//!
//! Always true: a request is on disk before it is sent, and is taken up again after a restart; a task keeps the id by
//! which the page first knew it; tasks that may still change are looked at with as few requests as possible, and the
//! page is told. Not here: describing a design (`designs`), exports, which have a list of their own, and the work
//! itself, which is in the files below.

mod carrying;
mod drafts;
mod finding;
mod followed;
mod following;
mod kept;
mod listing;
pub(crate) mod views;
mod watching;
pub(crate) mod work;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use easel_wire::tasks::{Task, TaskKind, TaskStatus};
use easel_wire::{CanvasId, TaskId};
use tokio_util::sync::CancellationToken;

use self::drafts::Watching;
use self::finding::FoundDesign;
use self::followed::Following;
pub use self::views::{TaskFilter, TaskList, TaskPage, TaskState, TaskView, TaskWait};
use self::work::{DesignRequest, Work, WorkFile};
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::deliveries::Deliveries;
use crate::designs::Designs;
use crate::designs::attachments::Attachments;
use crate::media::addresses;
use crate::messages;
use crate::problem::{ActionKind, Problem};
use crate::request_coalescer::RequestCoalescer;

/// How work is that the service does not have (yet).
#[derive(Debug, Clone, PartialEq)]
enum LocalTaskState {
    /// The request is on its way.
    Starting(Option<TaskWait>),
    /// The service refused the request.
    Failed(Problem),
}

/// Work that the service does not have, or not yet.
#[derive(Debug, Clone)]
struct Waiting {
    work: Work,
    here: LocalTaskState,
    cancel: CancellationToken,
}

/// What a task of the service was asked for with.
#[derive(Debug, Clone)]
struct TaskRequest {
    work: Work,
    /// The design that it has made, where that had to be looked for.
    made: Option<FoundDesign>,
}

/// The most copies that are remembered.
const MOST_COPIES: usize = 1_000;

/// Tasks, and what was begun here. Clones are the same tasks.
#[derive(Clone)]
pub struct Tasks {
    core: Core,
    connections: Connections,
    designs: Designs,
    attachments: Attachments,
    deliveries: Deliveries,
    inner: Arc<Inner>,
}

impl Tasks {
    pub(crate) fn new(
        core: Core,
        connections: Connections,
        designs: Designs,
        attachments: Attachments,
        deliveries: Deliveries,
    ) -> Self {
        let inner = Arc::new(Inner::new(WorkFile::unread(core.data_dir().work())));
        Self { core, connections, designs, attachments, deliveries, inner }
    }

    /// What was asked for and is not done, on disk.
    pub(crate) fn file(&self) -> &WorkFile {
        &self.inner.file
    }

    /// Copies that clicks of this run have made, without a task.
    pub(crate) fn copies(&self) -> Vec<CanvasId> {
        self.inner.copies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn note_copy(&self, canvas: CanvasId) {
        let mut copies = self.inner.copies.lock().unwrap_or_else(PoisonError::into_inner);
        if copies.len() >= MOST_COPIES {
            copies.drain(..MOST_COPIES / 2);
        }
        copies.push(canvas);
    }
}

/// The state of tasks.
#[derive(Debug)]
struct Inner {
    file: WorkFile,
    waiting: Mutex<HashMap<String, Waiting>>,
    /// What was asked for here, by the service's id of its task, as long as the program runs.
    asked: Mutex<HashMap<TaskId, TaskRequest>>,
    /// Tasks whose cancelling was asked for and has not come through.
    canceling: Mutex<Vec<TaskId>>,
    following: Mutex<HashMap<String, Following>>,
    retries: RequestCoalescer<TaskView>,
    watching: Watching,
    /// Copies that clicks of this run have made.
    copies: Mutex<Vec<CanvasId>>,
}

impl Inner {
    fn new(file: WorkFile) -> Self {
        Self {
            file,
            waiting: Mutex::default(),
            asked: Mutex::default(),
            canceling: Mutex::default(),
            following: Mutex::default(),
            retries: RequestCoalescer::default(),
            watching: Watching::default(),
            copies: Mutex::default(),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<TaskId, TaskRequest>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that the service does `work` as its task `task`.
    fn note_asked(&self, task: TaskId, work: Work) {
        self.asked().insert(task, TaskRequest { work, made: None });
    }

    fn following(&self) -> MutexGuard<'_, HashMap<String, Following>> {
        self.following.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn canceling(&self) -> MutexGuard<'_, Vec<TaskId>> {
        self.canceling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The service's id of a task, by what the page knows it by.
    fn task_of(&self, id: &str) -> Option<TaskId> {
        let named = self.asked().iter().find(|(_, asked)| asked.work.id == id).map(|(task, _)| *task);
        named.or_else(|| TaskId::new(id).ok())
    }
}

const fn state_of(status: &TaskStatus) -> TaskState {
    match status {
        TaskStatus::Queued => TaskState::Queued,
        TaskStatus::Running => TaskState::Running,
        TaskStatus::Succeeded => TaskState::Succeeded,
        TaskStatus::Failed => TaskState::Failed,
        TaskStatus::Canceled => TaskState::Canceled,
        TaskStatus::Expired => TaskState::Expired,
        _ => TaskState::Unknown,
    }
}

/// Why a task has no result, in words.
fn problem_of(task: &Task) -> Option<Problem> {
    let said = task.error.as_ref().map(|error| error.message.trim().trim_end_matches('.')).unwrap_or_default();
    let reason = ("reason", if said.is_empty() { "No reason was given" } else { said });
    match task.status {
        TaskStatus::Failed if is_retryable(task) => Some(messages::problem("task_failed", &[reason])),
        TaskStatus::Failed => Some(messages::problem("task_failed_for_good", &[reason])),
        TaskStatus::Expired => Some(messages::problem("task_expired", &[])),
        _ => None,
    }
}

/// Whether the same again can help: a transient failure (specification, "Task"), or a wait that was too long.
fn is_retryable(task: &Task) -> bool {
    match task.status {
        TaskStatus::Failed => task.error.as_ref().is_some_and(|error| error.retryable),
        TaskStatus::Expired => true,
        _ => false,
    }
}

impl Tasks {
    /// A task of the service for the page.
    fn view_task(&self, connection: &ActiveConnection, task: &Task) -> TaskView {
        let said = |name: &str| task.input.as_ref().and_then(|input| input.get(name)).and_then(|value| value.as_str());
        let design = |name: &str| said(name).and_then(|id| id.parse::<CanvasId>().ok());
        let is_remix = task.kind == Some(TaskKind::Remix);
        let tasks = &self.inner;
        // What a service does not tell of a task is known where it was asked for here.
        let asked = tasks.asked().get(&task.id).cloned();
        let request = asked.as_ref().map(|asked| &asked.work.request);
        let result = task.result.clone().unwrap_or_default();
        let (edited, copied) = match is_remix {
            true => (None, design("canvas_id")),
            false => (design("canvas_id"), design("template_canvas_id")),
        };
        let edited = edited.or_else(|| request.and_then(DesignRequest::edited));
        let copied = copied.or_else(|| request.and_then(DesignRequest::source));
        let made = FoundDesign::told_by(task).or_else(|| asked.as_ref().and_then(|asked| asked.made.clone()));
        let made_name = made.as_ref().and_then(|made| made.name.clone());
        let made = made.map(|made| made.canvas).or(edited);
        let asked_at = asked.as_ref().map(|asked| asked.work.asked_at);
        let has_failed = matches!(task.status, TaskStatus::Failed | TaskStatus::Expired);
        TaskView {
            id: asked.as_ref().map_or_else(|| task.id.to_string(), |asked| asked.work.id.clone()),
            task_id: Some(task.id.to_string()),
            kind: task
                .kind
                .as_ref()
                .map(ToString::to_string)
                .or_else(|| request.map(|request| request.kind().to_string())),
            edits: edited.is_some(),
            state: state_of(&task.status),
            said: match &task.status {
                TaskStatus::Other(said) => Some(said.clone()),
                _ => None,
            },
            title: said("prompt").or_else(|| request.map(DesignRequest::prompt)).unwrap_or_default().to_owned(),
            percent: task.progress.as_ref().map(|progress| progress.percent.min(100)),
            step: task.progress.as_ref().and_then(|progress| progress.step.clone()),
            message: task.progress.as_ref().and_then(|progress| progress.message.clone()),
            pages: if task.status.is_terminal() { Vec::new() } else { tasks.watching.pages(&connection.id, task.id) },
            attempt: task.attempt,
            max_attempts: task.max_attempts,
            created_at: task.created_at.or(asked_at).map(|moment| moment.to_string()),
            started_at: task.started_at.map(|moment| moment.to_string()),
            finished_at: task.completed_at.map(|moment| moment.to_string()),
            waits_for: None,
            canceling: !task.status.is_terminal() && tasks.canceling().contains(&task.id),
            design_id: made.map(|id| id.to_string()),
            design_name: made_name,
            source_id: result.source_canvas_id.or(copied).map(|id| id.to_string()),
            thumbnail: made
                .map(|id| addresses::of_design(&connection.id, id, task.completed_at.or(task.created_at).or(asked_at))),
            problem: problem_of(task),
            retryable: has_failed.then(|| is_retryable(task)),
        }
    }

    /// Work that the service does not have, for the page.
    fn view_waiting(waiting: &Waiting) -> TaskView {
        let Waiting { work, here, .. } = waiting;
        let (state, waits_for, problem) = match here {
            LocalTaskState::Starting(waits_for) => (TaskState::Queued, *waits_for, None),
            LocalTaskState::Failed(problem) => (TaskState::Failed, None, Some(problem.clone())),
        };
        let can_help = |problem: &Problem| matches!(problem.action.kind, ActionKind::TryAgain | ActionKind::Refresh);
        TaskView {
            id: work.id.clone(),
            task_id: None,
            kind: Some(work.request.kind().to_string()),
            edits: work.request.edited().is_some(),
            state,
            said: None,
            title: work.request.prompt().to_owned(),
            percent: None,
            step: None,
            message: None,
            pages: Vec::new(),
            attempt: None,
            max_attempts: None,
            created_at: Some(work.asked_at.to_string()),
            started_at: None,
            finished_at: None,
            waits_for,
            canceling: false,
            design_id: work.request.edited().map(|id| id.to_string()),
            design_name: None,
            source_id: work.request.source().map(|id| id.to_string()),
            thumbnail: None,
            retryable: problem.as_ref().map(can_help),
            problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_task_without_a_result_says_why_and_whether_trying_again_helps() {
        let check = |status: &str, error: Value, expected: Option<(&str, &str, bool)>| {
            let task = json!({"id": "task_00000000000000000000000000", "status": status, "error": error});
            let task: Task = serde_json::from_value(task).unwrap();
            let found = problem_of(&task);
            let found =
                found.as_ref().map(|problem| (problem.code.as_str(), problem.detail.as_str(), is_retryable(&task)));
            assert_eq!(found.map(|(code, _, retryable)| (code, retryable)), expected.map(|(code, _, can)| (code, can)));
            if let (Some((_, detail, _)), Some((_, says, _))) = (found, expected) {
                assert!(detail.contains(says), "{detail}");
            }
        };
        let error = |retryable: bool| json!({"message": "There is no ink.", "retryable": retryable});
        check("failed", error(true), Some(("task_failed", "There is no ink.", true)));
        check("failed", error(false), Some(("task_failed_for_good", "There is no ink.", false)));
        check("failed", json!(null), Some(("task_failed_for_good", "No reason was given.", false)));
        check("expired", json!(null), Some(("task_expired", "", true)));
        for status in ["queued", "running", "succeeded", "canceled", "resting"] {
            check(status, json!(null), None);
        }
    }
}
