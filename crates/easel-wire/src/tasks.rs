//! Design tasks and remixes, in both versions (specification, "Task", "States and transitions", "Differences between
//! versions"; contract, "Versions" and "Tasks and remix").
//!
//! A [`Task`] is the canonical envelope, a [`JobResponse`] the flat form of `2026-04-12`. [`read_task`] takes either, and
//! what deployments really send (contract, "What the client tolerates"). Not here: when a task changes its state.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::open_enum::open_enum;
use crate::{BrandKitId, CanvasId, ConversationId, FileId, TaskId, Timestamp};

/// How often a task is tried (contract, "Tasks and remix").
pub const MAX_ATTEMPTS: u32 = 3;
/// Bounds of `prompt`, in characters.
pub const PROMPT_CHARS: std::ops::RangeInclusive<usize> = 1..=20_000;
/// Bounds of `number_of_slides` and `page_count`.
pub const PAGES: std::ops::RangeInclusive<u32> = 1..=60;
/// The longest `Prefer: wait=N`, in seconds.
pub const MAX_WAIT_SECONDS: u64 = 30;
/// `retry_after_ms` of a task that is not at its end.
pub const RETRY_AFTER_MS: u64 = 3_000;

open_enum! {
    /// The state of a task.
    TaskStatus {
        /// Waits for a worker.
        Queued = "queued",
        /// Is being worked on.
        Running = "running",
        /// Has its result.
        Succeeded = "succeeded",
        /// Has failed for good; see [`TaskError::retryable`].
        Failed = "failed",
        /// Was stopped by someone.
        Canceled = "canceled",
        /// Waited too long; no webhook says so.
        Expired = "expired",
    }
}

impl TaskStatus {
    /// Whether the task will never change again. Expired is such an end too, although no webhook tells of it
    /// (specification, "Events", rule 4). An unknown status counts as one that may change.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Canceled | Self::Expired)
    }

    /// Reads a status, the retired spellings included (contract, "What the client tolerates").
    fn read(text: &str) -> Self {
        match text {
            "completed" => Self::Succeeded,
            "cancelled" => Self::Canceled,
            other => Self::from(other),
        }
    }
}

open_enum! {
    /// What a task does.
    TaskKind {
        /// Makes or changes a design from a prompt.
        Design = "design",
        /// Makes a changed copy of a canvas.
        Remix = "remix",
        /// Exports a canvas.
        Export = "export",
        /// Reads a brand kit from what is given.
        BrandKitExtract = "brand_kit_extract",
    }
}

open_enum! {
    /// What kind of design.
    Category {
        /// A deck.
        Slides = "slides",
        /// One picture for a social network.
        Social = "social",
        /// A row of pictures for a social network.
        Carousel = "carousel",
        /// A document to read or print.
        Pdf = "pdf",
        /// A diagram.
        Diagram = "diagram",
        /// Screens of an interface.
        Ui = "ui",
        /// None of these.
        Free = "other",
    }
}

open_enum! {
    /// What an attachment is for.
    AttachmentRole {
        /// Its content becomes the design's content.
        Source = "source",
        /// Its look is followed.
        Reference = "reference",
        /// It is used as it is.
        Asset = "asset",
    }
}

/// `POST /v1/tasks`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartTask {
    /// What to make, in [`PROMPT_CHARS`].
    pub prompt: String,
    /// The form of what is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The canvas to change in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canvas_id: Option<CanvasId>,
    /// The canvas whose copy to work on; not together with `canvas_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_canvas_id: Option<CanvasId>,
    /// What the canvas is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canvas_name: Option<String>,
    /// The brand kit to follow; the default kit where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_kit_id: Option<BrandKitId>,
    /// Whether to follow no brand kit at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_brand_kit: Option<bool>,
    /// How many pages, within [`PAGES`]; the same as `format.page_count`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_of_slides: Option<u32>,
    /// Files to work from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<TaskAttachment>>,
    /// Canvases whose look to follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_canvas_ids: Option<Vec<CanvasId>>,
    /// The conversation that the task belongs to; a new one where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<ConversationId>,
    /// Where the end of the task is told; an absolute URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback_url: Option<String>,
    /// Makes a repeat within 24 hours harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// The form of a design.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// What kind of design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// In pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// In pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// What the format is called, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How many pages, within [`PAGES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_count: Option<u32>,
}

/// A file to work from: a file of the drive or an address, never both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskAttachment {
    /// A file of the drive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_id: Option<FileId>,
    /// An address that serves the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What it is for; a source where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<AttachmentRole>,
    /// What it is called, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// `POST /v1/remix`. It takes no `callback_url` (specification, "Remix rules", rule 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Remix {
    /// The canvas to remix; it never changes.
    pub canvas_id: CanvasId,
    /// What to change; where absent, the remix is an exact copy, made at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What the copy is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_name: Option<String>,
    /// The brand kit to follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_kit_id: Option<BrandKitId>,
    /// Whether to follow no brand kit at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_brand_kit: Option<bool>,
}

/// The canonical Task envelope, `2026-05-01`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Task {
    /// The task's id.
    pub id: TaskId,
    /// What it does.
    #[serde(default)]
    pub kind: Option<TaskKind>,
    /// Its state.
    #[serde(deserialize_with = "read_status")]
    pub status: TaskStatus,
    /// When it was started by a request.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// When work on it first began.
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    /// When it reached its end.
    #[serde(default)]
    pub completed_at: Option<Timestamp>,
    /// How far it is.
    #[serde(default)]
    pub progress: Option<TaskProgress>,
    /// How often it has been tried, the try under way included.
    #[serde(default)]
    pub attempt: Option<u32>,
    /// How often it is tried at most: [`MAX_ATTEMPTS`].
    #[serde(default)]
    pub max_attempts: Option<u32>,
    /// What was asked for.
    #[serde(default)]
    pub input: Option<Value>,
    /// What came of it; `None` until it succeeded.
    #[serde(default)]
    pub result: Option<TaskResult>,
    /// Why it failed; `None` unless it did.
    #[serde(default, deserialize_with = "read_error")]
    pub error: Option<TaskError>,
    /// What it cost, where the service counts that.
    #[serde(default)]
    pub credits: Option<f64>,
    /// Where to go on from here.
    #[serde(default)]
    pub links: Option<TaskLinks>,
    /// When to look again; `None` at its end.
    #[serde(default)]
    pub retry_after_ms: Option<u64>,
}

/// How far a task is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TaskProgress {
    /// 0 to 100.
    #[serde(default)]
    pub percent: u8,
    /// The step under way, such as `laying_out`.
    #[serde(default)]
    pub step: Option<String>,
    /// The step in words.
    #[serde(default)]
    pub message: Option<String>,
}

/// What came of a design or a remix.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TaskResult {
    /// The canvas that was made or changed.
    #[serde(default)]
    pub canvas_id: Option<CanvasId>,
    /// Opens it.
    #[serde(default)]
    pub canvas_url: Option<String>,
    /// What it is called.
    #[serde(default)]
    pub canvas_name: Option<String>,
    /// The conversation that it belongs to.
    #[serde(default)]
    pub conversation_id: Option<ConversationId>,
    /// The canvas that it was made from.
    #[serde(default)]
    pub source_canvas_id: Option<CanvasId>,
}

/// Why a task failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TaskError {
    /// For a person.
    #[serde(default)]
    pub message: String,
    /// True for a transient failure, false for a dead-lettered one (specification, "Task").
    #[serde(default)]
    pub retryable: bool,
}

/// Where to go on from a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TaskLinks {
    /// The task itself; `None` for one that cannot be queried.
    #[serde(default, rename = "self")]
    pub itself: Option<String>,
    /// A stream of its events, where the service has one.
    #[serde(default)]
    pub events: Option<String>,
    /// Cancels it; `None` at its end.
    #[serde(default)]
    pub cancel: Option<String>,
    /// Opens its canvas; `None` as long as there is none.
    #[serde(default)]
    pub canvas: Option<String>,
}

/// The flat form of a task, `2026-04-12`.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct JobResponse {
    /// The task's id.
    pub id: TaskId,
    /// The same value.
    pub job_id: TaskId,
    /// Its state.
    pub status: TaskStatus,
    /// The canvas that it changes or has made.
    pub canvas_id: Option<CanvasId>,
    /// Opens the canvas.
    pub canvas_url: Option<String>,
    /// The conversation that it belongs to.
    pub conversation_id: Option<ConversationId>,
    /// The prompt.
    pub task: Option<String>,
    /// 0 to 100.
    pub progress_percent: u8,
    /// The step under way.
    pub current_step: Option<String>,
    /// Whether it will never change again.
    pub is_terminal: bool,
    /// Whether its canvas can be exported now.
    pub can_export: bool,
    /// Why it failed; `None` unless it did.
    pub error: Option<TaskError>,
    /// When to look again; `None` at its end.
    pub retry_after_seconds: Option<u64>,
    /// When it was started by a request.
    pub created_at: Option<Timestamp>,
    /// When it reached its end.
    pub completed_at: Option<Timestamp>,
}

impl<'de> Deserialize<'de> for JobResponse {
    /// Reads `id` or only `job_id` (contract, "What the client tolerates").
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Loose {
            id: Option<TaskId>,
            job_id: Option<TaskId>,
            #[serde(deserialize_with = "read_status")]
            status: TaskStatus,
            canvas_id: Option<CanvasId>,
            canvas_url: Option<String>,
            conversation_id: Option<ConversationId>,
            task: Option<String>,
            progress_percent: Option<u8>,
            current_step: Option<String>,
            is_terminal: Option<bool>,
            can_export: Option<bool>,
            #[serde(default, deserialize_with = "read_error")]
            error: Option<TaskError>,
            retry_after_seconds: Option<u64>,
            created_at: Option<Timestamp>,
            completed_at: Option<Timestamp>,
        }
        let loose = Loose::deserialize(deserializer)?;
        let id = loose.id.or(loose.job_id).ok_or_else(|| serde::de::Error::missing_field("id"))?;
        Ok(Self {
            id,
            job_id: id,
            is_terminal: loose.is_terminal.unwrap_or(loose.status.is_terminal()),
            can_export: loose.can_export.unwrap_or_default(),
            status: loose.status,
            canvas_id: loose.canvas_id,
            canvas_url: loose.canvas_url,
            conversation_id: loose.conversation_id,
            task: loose.task,
            progress_percent: loose.progress_percent.unwrap_or_default(),
            current_step: loose.current_step,
            error: loose.error,
            retry_after_seconds: loose.retry_after_seconds,
            created_at: loose.created_at,
            completed_at: loose.completed_at,
        })
    }
}

impl From<JobResponse> for Task {
    /// What the flat form knows of a task, in the canonical one.
    fn from(job: JobResponse) -> Self {
        let result = TaskResult {
            canvas_id: job.canvas_id,
            canvas_url: job.canvas_url.clone(),
            canvas_name: None,
            conversation_id: job.conversation_id,
            source_canvas_id: None,
        };
        Self {
            id: job.id,
            kind: None,
            result: (job.status == TaskStatus::Succeeded).then_some(result),
            status: job.status,
            created_at: job.created_at,
            started_at: None,
            completed_at: job.completed_at,
            progress: Some(TaskProgress { percent: job.progress_percent, step: job.current_step, message: None }),
            attempt: None,
            max_attempts: None,
            input: job.task.map(|prompt| serde_json::json!({ "prompt": prompt })),
            error: job.error,
            credits: None,
            links: job.canvas_url.map(|canvas| TaskLinks { canvas: Some(canvas), ..TaskLinks::default() }),
            retry_after_ms: job.retry_after_seconds.map(|seconds| seconds.saturating_mul(1_000)),
        }
    }
}

/// Reads a task in either form: the flat one is told by the fields that only it has.
///
/// # Errors
/// Where it is neither.
pub fn read_task(body: Value) -> Result<Task, serde_json::Error> {
    let is_flat =
        ["job_id", "is_terminal", "progress_percent", "can_export"].iter().any(|field| !body[*field].is_null());
    if is_flat { serde_json::from_value::<JobResponse>(body).map(Task::from) } else { serde_json::from_value(body) }
}

fn read_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TaskStatus, D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    Ok(TaskStatus::read(&text))
}

/// Reads an error that is an object, a plain string, or null.
fn read_error<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<TaskError>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Text(String),
        Whole(TaskError),
    }
    Ok(Option::<Loose>::deserialize(deserializer)?.map(|error| match error {
        Loose::Text(message) => TaskError { message, retryable: false },
        Loose::Whole(error) => error,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "task_00000000000000000000000000";

    #[test]
    fn a_task_in_either_form_is_understood() {
        let check = |body: Value, status: TaskStatus, error: Option<(&str, bool)>| {
            let task = read_task(body.clone()).unwrap_or_else(|error| panic!("{body}: {error}"));
            assert_eq!((task.id.to_string().as_str(), task.status), (ID, status), "{body}");
            let error = error.map(|(message, retryable)| TaskError { message: message.to_owned(), retryable });
            assert_eq!(task.error, error, "{body}");
        };
        check(json!({"id": ID, "status": "running"}), TaskStatus::Running, None);
        check(
            json!({"id": ID, "status": "paused", "kind": "dance", "links": {}}),
            TaskStatus::Other("paused".into()),
            None,
        );
        check(json!({"job_id": ID, "status": "completed"}), TaskStatus::Succeeded, None);
        check(json!({"job_id": ID, "status": "cancelled", "error": null}), TaskStatus::Canceled, None);
        let failed = json!({"id": ID, "job_id": ID, "status": "failed", "error": "no ink"});
        check(failed, TaskStatus::Failed, Some(("no ink", false)));
        let failed = json!({"id": ID, "status": "failed", "error": {"message": "no ink", "retryable": true}});
        check(failed, TaskStatus::Failed, Some(("no ink", true)));
        assert!(read_task(json!({"status": "running"})).is_err());
    }

    #[test]
    fn a_flat_task_keeps_what_it_says() {
        let job = json!({"job_id": ID, "status": "completed", "task": "Draw", "progress_percent": 100,
            "canvas_id": "cvs_00000000000000000000000000", "canvas_url": "http://s/c", "retry_after_seconds": 3});
        let task = read_task(job).unwrap();
        assert_eq!(task.result.unwrap().canvas_url.as_deref(), Some("http://s/c"));
        assert_eq!((task.progress.unwrap().percent, task.retry_after_ms), (100, Some(3_000)));
        assert_eq!(task.input.unwrap()["prompt"], "Draw");
    }

    #[test]
    fn requests_refuse_what_they_do_not_know_and_take_null_for_absent() {
        let read = serde_json::from_value::<StartTask>;
        assert!(read(json!({"prompt": "x", "format": null, "attachments": null, "callback_url": null})).is_ok());
        for wrong in
            [json!({}), json!({"prompt": "x", "webhook": "y"}), json!({"prompt": "x", "format": {"kind": "ui"}})]
        {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
        let remix = json!({"canvas_id": "cvs_00000000000000000000000000", "callback_url": "https://a.example"});
        assert!(serde_json::from_value::<Remix>(remix).unwrap_err().to_string().contains("callback_url"));
    }

    #[test]
    fn the_end_of_a_task_is_its_end() {
        let ends: Vec<&str> =
            TaskStatus::KNOWN.iter().filter(|status| status.is_terminal()).map(TaskStatus::as_str).collect();
        assert_eq!(ends, ["succeeded", "failed", "canceled", "expired"]);
    }
}
