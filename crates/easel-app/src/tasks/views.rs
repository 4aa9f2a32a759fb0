//! Tasks as the page sees them.

use serde::{Deserialize, Serialize};

use crate::problem::Problem;

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
