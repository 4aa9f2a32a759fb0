//! Tasks as the page shows them: what was asked for here and elsewhere, how far it is, cancelling it and trying it again.
//!
//! Always true: what a person asked for is on disk before it is sent, and is taken up again after a restart; a task keeps the
//! id that the page first knew it by; whatever may still change is looked at with as few requests as possible, and the page
//! is told. What happens is in the files below. Not here: describing a design (`designs`), and exports, which have a list
//! of their own.

mod carrying;
mod finding;
mod following;
mod kept;
mod listing;
mod watching;
pub(crate) mod work;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use easel_wire::tasks::{Task, TaskKind, TaskStatus};
use easel_wire::{CanvasId, TaskId};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use self::finding::Made;
use self::following::Following;
use self::watching::Watching;
use self::work::{Wish, Work, WorkFile};
use crate::app::App;
use crate::clicks::Clicks;
use crate::connections::live::Live;
use crate::media;
use crate::problem::{ActionKind, Problem};
use crate::words;

/// How a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// It waits for its turn; `waits_for` says for what, where that is not the service's worker.
    Queued,
    /// It is being worked on.
    Running,
    /// Its design is there.
    Succeeded,
    /// `problem` says why.
    Failed,
    /// Someone stopped it.
    Canceled,
    /// It waited too long.
    Expired,
    /// What this Easel does not know.
    Unknown,
}

/// What a task waits for before it is with the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TaskWait {
    /// Its files are not in the drive yet.
    Files,
    /// The organization makes as many designs as it may at once.
    Room,
    /// The service cannot be reached, or the key is not accepted.
    Connection,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TaskView {
    /// What the page knows it by, as long as the program runs.
    pub id: String,
    /// The service's own id, `task_…`; `null` until the service has it.
    pub task_id: Option<String>,
    /// `design`, `remix`, `export`, `brand_kit_extract`, or what else the service says.
    pub kind: Option<String>,
    /// It changes a design that is there, instead of making one.
    pub edits: bool,
    /// How it is.
    pub state: TaskState,
    /// The same in the service's word, where this Easel does not know it.
    pub said: Option<String>,
    /// The prompt.
    pub title: String,
    /// 0 to 100.
    pub percent: Option<u8>,
    /// The step under way, such as `laying_out`.
    pub step: Option<String>,
    /// The step in the service's words.
    pub message: Option<String>,
    /// The pages of its design, as far as they are known; none where the service does not show them.
    pub pages: Vec<TaskPage>,
    /// How often it has been tried.
    pub attempt: Option<u32>,
    /// How often it is tried at most.
    pub max_attempts: Option<u32>,
    /// When it was asked for, RFC 3339.
    pub created_at: Option<String>,
    /// When work on it began, RFC 3339.
    pub started_at: Option<String>,
    /// When it ended, RFC 3339.
    pub finished_at: Option<String>,
    /// What it waits for before the service has it.
    pub waits_for: Option<TaskWait>,
    /// Cancelling has been asked for.
    pub canceling: bool,
    /// The design that it made, or works on.
    pub design_id: Option<String>,
    /// What that is called.
    pub design_name: Option<String>,
    /// The design that it works from.
    pub source_id: Option<String>,
    /// An address of the app's own protocol.
    pub thumbnail: Option<String>,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// Whether trying again can help; `null` where it has not failed.
    pub retryable: Option<bool>,
}

/// A page of a design while it is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TaskPage {
    /// What it is called.
    pub name: String,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// An address of the app's own protocol; `null` until it is drawn.
    pub picture: Option<String>,
}

/// Which tasks to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TaskFilter {
    /// All of them.
    All,
    /// Those that are not at their end.
    Running,
    /// Those that failed, or waited too long.
    Failed,
    /// Those that succeeded.
    Finished,
}

/// A part of the list, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TaskList {
    /// The connection that was asked.
    pub connection_id: String,
    /// The tasks.
    pub tasks: Vec<TaskView>,
    /// Asks for the part after this one; `null` on the last.
    pub next: Option<String>,
}

/// How work is that the service does not have (yet).
#[derive(Debug, Clone, PartialEq)]
enum Here {
    /// On its way.
    Starting(Option<TaskWait>),
    /// The service does not take it.
    Failed(Problem),
}

/// Work that the service does not have (yet).
#[derive(Debug, Clone)]
struct Waiting {
    work: Work,
    here: Here,
    cancel: CancellationToken,
}

/// What a task of the service was asked for with.
#[derive(Debug, Clone)]
struct Asked {
    work: Work,
    /// What it has made, where that had to be looked for.
    made: Option<Made>,
}

/// What is known of tasks.
#[derive(Debug)]
pub(crate) struct Tasks {
    pub(crate) file: WorkFile,
    waiting: Mutex<HashMap<String, Waiting>>,
    /// What was asked for here, by the service's id of its task, as long as the program runs.
    asked: Mutex<HashMap<TaskId, Asked>>,
    /// Tasks whose cancelling was asked for and has not come through.
    canceling: Mutex<Vec<TaskId>>,
    following: Mutex<HashMap<String, Following>>,
    retries: Clicks<TaskView>,
    watching: Watching,
}

impl Tasks {
    pub(crate) fn new(file: WorkFile) -> Self {
        Self {
            file,
            waiting: Mutex::default(),
            asked: Mutex::default(),
            canceling: Mutex::default(),
            following: Mutex::default(),
            retries: Clicks::default(),
            watching: Watching::default(),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<TaskId, Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that the service does `work` as its task `task`.
    fn note_asked(&self, task: TaskId, work: Work) {
        self.asked().insert(task, Asked { work, made: None });
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
        TaskStatus::Failed if is_retryable(task) => Some(words::problem("task_failed", &[reason])),
        TaskStatus::Failed => Some(words::problem("task_failed_for_good", &[reason])),
        TaskStatus::Expired => Some(words::problem("task_expired", &[])),
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

impl App {
    /// A task of the service for the page.
    fn view_task(&self, live: &Live, task: &Task) -> TaskView {
        let said = |name: &str| task.input.as_ref().and_then(|input| input.get(name)).and_then(|value| value.as_str());
        let design = |name: &str| said(name).and_then(|id| id.parse::<CanvasId>().ok());
        let is_remix = task.kind == Some(TaskKind::Remix);
        let tasks = self.tasks();
        // What a service does not tell of a task is known where it was asked for here.
        let asked = tasks.asked().get(&task.id).cloned();
        let wish = asked.as_ref().map(|asked| &asked.work.wish);
        let result = task.result.clone().unwrap_or_default();
        let (edited, copied) = match is_remix {
            true => (None, design("canvas_id")),
            false => (design("canvas_id"), design("template_canvas_id")),
        };
        let edited = edited.or_else(|| wish.and_then(Wish::edited));
        let copied = copied.or_else(|| wish.and_then(Wish::source));
        let made = Made::told_by(task).or_else(|| asked.as_ref().and_then(|asked| asked.made.clone()));
        let made_name = made.as_ref().and_then(|made| made.name.clone());
        let made = made.map(|made| made.canvas).or(edited);
        let asked_at = asked.as_ref().map(|asked| asked.work.asked_at);
        let has_failed = matches!(task.status, TaskStatus::Failed | TaskStatus::Expired);
        TaskView {
            id: asked.as_ref().map_or_else(|| task.id.to_string(), |asked| asked.work.id.clone()),
            task_id: Some(task.id.to_string()),
            kind: task.kind.as_ref().map(ToString::to_string).or_else(|| wish.map(|wish| wish.kind().to_string())),
            edits: edited.is_some(),
            state: state_of(&task.status),
            said: match &task.status {
                TaskStatus::Other(said) => Some(said.clone()),
                _ => None,
            },
            title: said("prompt").or_else(|| wish.map(Wish::prompt)).unwrap_or_default().to_owned(),
            percent: task.progress.as_ref().map(|progress| progress.percent.min(100)),
            step: task.progress.as_ref().and_then(|progress| progress.step.clone()),
            message: task.progress.as_ref().and_then(|progress| progress.message.clone()),
            pages: if task.status.is_terminal() { Vec::new() } else { tasks.watching.pages(&live.id, task.id) },
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
                .map(|id| media::address_of_design(&live.id, id, task.completed_at.or(task.created_at).or(asked_at))),
            problem: problem_of(task),
            retryable: has_failed.then(|| is_retryable(task)),
        }
    }

    /// Work that the service does not have (yet), for the page.
    fn view_waiting(waiting: &Waiting) -> TaskView {
        let Waiting { work, here, .. } = waiting;
        let (state, waits_for, problem) = match here {
            Here::Starting(waits_for) => (TaskState::Queued, *waits_for, None),
            Here::Failed(problem) => (TaskState::Failed, None, Some(problem.clone())),
        };
        let can_help = |problem: &Problem| matches!(problem.action.kind, ActionKind::TryAgain | ActionKind::Refresh);
        TaskView {
            id: work.id.clone(),
            task_id: None,
            kind: Some(work.wish.kind().to_string()),
            edits: work.wish.edited().is_some(),
            state,
            said: None,
            title: work.wish.prompt().to_owned(),
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
            design_id: work.wish.edited().map(|id| id.to_string()),
            design_name: None,
            source_id: work.wish.source().map(|id| id.to_string()),
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
