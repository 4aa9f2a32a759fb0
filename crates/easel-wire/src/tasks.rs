//! Design tasks and remixes, in both versions (specification, "Task", "States and transitions", "Differences between
//! versions"; contract, "Versions" and "Tasks and remix").
//!
//! A [`Task`] is the canonical envelope. [`read_task`] takes it and the flat JobResponse of `2026-04-12`, whichever was
//! asked for, and needs an id and a status of either. Not here: when a task changes its state.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::lenient::{self, Lenient};
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
    /// Whether the task will never change again. Expired counts as such an end, although no webhook tells of it
    /// (specification, "Events", rule 4). An unknown status counts as one that may change.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Canceled | Self::Expired)
    }

    /// Reads a status, the retired spellings included.
    fn read_text(text: &str) -> Self {
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
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StartTask {
    /// What to make, in [`PROMPT_CHARS`].
    pub prompt: String,
    /// The form of what is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The canvas to change in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canvas_id: Option<CanvasId>,
    /// The canvas whose copy to work on; not together with `canvas_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_canvas_id: Option<CanvasId>,
    /// What the canvas is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canvas_name: Option<String>,
    /// The brand kit to follow; the default kit where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand_kit_id: Option<BrandKitId>,
    /// Whether to follow no brand kit at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_brand_kit: Option<bool>,
    /// How many pages, within [`PAGES`]; the same as `format.page_count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_of_slides: Option<u32>,
    /// Files to work from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<TaskAttachment>>,
    /// Canvases whose look to follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_canvas_ids: Option<Vec<CanvasId>>,
    /// The conversation that the task belongs to; a new one where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<ConversationId>,
    /// Where the end of the task is told; an absolute URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callback_url: Option<String>,
    /// Makes a repeat within 24 hours harmless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// The form of a design.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Format {
    /// What kind of design.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// In pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// In pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// What the format is called, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How many pages, within [`PAGES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_count: Option<u32>,
}

/// A file to work from: a file of the drive or an address, never both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskAttachment {
    /// A file of the drive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_id: Option<FileId>,
    /// An address that serves the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What it is for; a source where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<AttachmentRole>,
    /// What it is called, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// `POST /v1/remix`. It takes no `callback_url` (specification, "Remix rules", rule 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remix {
    /// The canvas to remix; it never changes.
    pub canvas_id: CanvasId,
    /// What to change; where absent, the remix is an exact copy, made at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What the copy is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_name: Option<String>,
    /// The brand kit to follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand_kit_id: Option<BrandKitId>,
    /// Whether to follow no brand kit at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_brand_kit: Option<bool>,
}

/// The canonical Task envelope, `2026-05-01`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Task {
    /// The task's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: TaskId,
    /// What it does.
    #[serde(default, deserialize_with = "lenient::read")]
    pub kind: Option<TaskKind>,
    /// Its state.
    #[serde(deserialize_with = "read_status")]
    pub status: TaskStatus,
    /// When it was started by a request.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// When work on it first began.
    #[serde(default, deserialize_with = "lenient::read")]
    pub started_at: Option<Timestamp>,
    /// When it reached its end.
    #[serde(default, deserialize_with = "lenient::read")]
    pub completed_at: Option<Timestamp>,
    /// How far it is.
    #[serde(default, deserialize_with = "lenient::read")]
    pub progress: Option<TaskProgress>,
    /// How often it has been tried, the try under way included.
    #[serde(default, deserialize_with = "lenient::read")]
    pub attempt: Option<u32>,
    /// How many tries there are at most: [`MAX_ATTEMPTS`].
    #[serde(default, deserialize_with = "lenient::read")]
    pub max_attempts: Option<u32>,
    /// What was asked for.
    #[serde(default, deserialize_with = "lenient::read")]
    pub input: Option<Value>,
    /// The result; `None` until the task succeeded.
    #[serde(default, deserialize_with = "lenient::read")]
    pub result: Option<TaskResult>,
    /// Why the task failed; `None` unless it did.
    #[serde(default, deserialize_with = "lenient::read")]
    pub error: Option<TaskError>,
    /// The cost, where the service counts it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub credits: Option<f64>,
    /// Links to continue from.
    #[serde(default, deserialize_with = "lenient::read")]
    pub links: Option<TaskLinks>,
    /// When to look again; `None` at the task's end.
    #[serde(default, deserialize_with = "lenient::read")]
    pub retry_after_ms: Option<u64>,
}

/// How far a task is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskProgress {
    /// 0 to 100.
    pub percent: u8,
    /// The step under way, such as `laying_out`.
    pub step: Option<String>,
    /// The step in words.
    pub message: Option<String>,
}

/// The answer of `GET /v1/tasks/{task_id}/preview`, which few services have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TaskPreview {
    /// The task's state.
    #[serde(deserialize_with = "read_status")]
    pub status: TaskStatus,
    /// How far it is.
    #[serde(default, deserialize_with = "lenient::read")]
    pub progress: Option<TaskProgress>,
    /// The revision of this answer: `after` of the next request.
    pub revision: u64,
    /// The pages of the design, as far as they are known.
    #[serde(default, deserialize_with = "lenient::read")]
    pub pages: Vec<TaskPreviewPage>,
}

/// A page of a design while it is made.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TaskPreviewPage {
    /// Its place, from 1.
    #[serde(deserialize_with = "lenient::needed")]
    pub page_number: u32,
    /// What it is called.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: String,
    /// In pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub width: Option<u32>,
    /// In pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub height: Option<u32>,
    /// Whether it is drawn.
    #[serde(default, deserialize_with = "lenient::read")]
    pub is_drawn: bool,
    /// A small PNG of it, as Base64, where it was drawn since the revision `after`.
    #[serde(default, deserialize_with = "lenient::read")]
    pub picture: Option<String>,
}

/// The result of a design or a remix.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct TaskResult {
    /// The canvas that was made or changed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_id: Option<CanvasId>,
    /// Opens it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_url: Option<String>,
    /// What it is called.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_name: Option<String>,
    /// The conversation that it belongs to.
    #[serde(default, deserialize_with = "lenient::read")]
    pub conversation_id: Option<ConversationId>,
    /// The canvas that it was made from.
    #[serde(default, deserialize_with = "lenient::read")]
    pub source_canvas_id: Option<CanvasId>,
}

/// Why a task failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskError {
    /// For a person.
    pub message: String,
    /// True for a transient failure, false for a dead-lettered one (specification, "Task").
    pub retryable: bool,
}

/// Links to continue from a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct TaskLinks {
    /// The task itself; `None` for one that cannot be queried.
    #[serde(default, rename = "self", deserialize_with = "lenient::read")]
    pub itself: Option<String>,
    /// A stream of its events, where the service has one.
    #[serde(default, deserialize_with = "lenient::read")]
    pub events: Option<String>,
    /// Cancels it; `None` at its end.
    #[serde(default, deserialize_with = "lenient::read")]
    pub cancel: Option<String>,
    /// Opens its canvas; `None` as long as there is none.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas: Option<String>,
}

/// Fields that only the flat form of `2026-04-12` has, the JobResponse.
#[derive(Debug, Default, Deserialize)]
struct Flat {
    #[serde(default, deserialize_with = "lenient::read")]
    canvas_id: Option<CanvasId>,
    #[serde(default, deserialize_with = "lenient::read")]
    canvas_url: Option<String>,
    #[serde(default, deserialize_with = "lenient::read")]
    canvas_name: Option<String>,
    #[serde(default, deserialize_with = "lenient::read")]
    conversation_id: Option<ConversationId>,
    #[serde(default, deserialize_with = "lenient::read")]
    source_canvas_id: Option<CanvasId>,
    #[serde(default, deserialize_with = "lenient::read")]
    task: Option<String>,
    #[serde(default, deserialize_with = "lenient::read")]
    progress_percent: Option<u8>,
    #[serde(default, deserialize_with = "lenient::read")]
    current_step: Option<String>,
    #[serde(default, deserialize_with = "lenient::read")]
    retry_after_seconds: Option<u64>,
}

/// Reads a task in either form, whichever version was asked for: where a canonical field is missing, the flat one
/// counts.
///
/// # Errors
/// Where it has neither `id` nor `job_id`, or no status.
pub fn read_task(body: Value) -> Result<Task, serde_json::Error> {
    let flat: Flat = serde_json::from_value(body.clone()).unwrap_or_default();
    let mut body = body;
    if let Some(fields) = body.as_object_mut()
        && TaskId::read(fields.get("id").cloned().unwrap_or_default()).is_none()
        && let Some(id) = fields.remove("job_id")
    {
        fields.insert("id".to_owned(), id);
    }
    let mut task: Task = serde_json::from_value(body)?;
    if task.result.as_ref().is_none_or(|result| result.canvas_id.is_none())
        && (flat.canvas_id.is_some() || flat.canvas_url.is_some())
        && task.status == TaskStatus::Succeeded
    {
        task.result = Some(TaskResult {
            canvas_id: flat.canvas_id,
            canvas_url: flat.canvas_url.clone(),
            canvas_name: flat.canvas_name,
            conversation_id: flat.conversation_id,
            source_canvas_id: flat.source_canvas_id,
        });
    }
    if task.progress.is_none() && (flat.progress_percent.is_some() || flat.current_step.is_some()) {
        task.progress = Some(TaskProgress {
            percent: flat.progress_percent.unwrap_or_default(),
            step: flat.current_step,
            message: None,
        });
    }
    if task.input.is_none() {
        task.input = flat.task.map(|prompt| serde_json::json!({ "prompt": prompt }));
    }
    if task.links.is_none() {
        task.links = flat.canvas_url.map(|canvas| TaskLinks { canvas: Some(canvas), ..TaskLinks::default() });
    }
    task.retry_after_ms = task.retry_after_ms.or(flat.retry_after_seconds.map(|seconds| seconds.saturating_mul(1_000)));
    Ok(task)
}

fn read_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TaskStatus, D::Error> {
    let text: String = lenient::needed(deserializer)?;
    Ok(TaskStatus::read_text(&text))
}

impl Lenient for TaskProgress {
    /// An object, or only the percentage.
    fn read(value: Value) -> Option<Self> {
        #[derive(Deserialize)]
        struct Whole {
            #[serde(default, deserialize_with = "lenient::read")]
            percent: u8,
            #[serde(default, deserialize_with = "lenient::read")]
            step: Option<String>,
            #[serde(default, deserialize_with = "lenient::read")]
            message: Option<String>,
        }
        if value.is_object() {
            let Whole { percent, step, message } = serde_json::from_value(value).ok()?;
            return Some(Self { percent, step, message });
        }
        Some(Self { percent: u8::read(value)?, ..Self::default() })
    }
}

impl Lenient for TaskError {
    /// An object, or only the message.
    fn read(value: Value) -> Option<Self> {
        #[derive(Deserialize)]
        struct Whole {
            #[serde(default, deserialize_with = "lenient::read")]
            message: String,
            #[serde(default, deserialize_with = "lenient::read")]
            retryable: bool,
        }
        if value.is_object() {
            let Whole { message, retryable } = serde_json::from_value(value).ok()?;
            return Some(Self { message, retryable });
        }
        Some(Self { message: String::read(value)?, retryable: false })
    }
}

lenient::records!(TaskResult, TaskLinks, TaskPreviewPage);

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
        check(json!({"id": null, "job_id": ID, "status": "failed", "error": []}), TaskStatus::Failed, None);
        assert!(read_task(json!({"status": "running"})).is_err());
        assert!(read_task(json!({"id": ID})).is_err());
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
    fn what_a_task_says_in_another_form_is_still_heard() {
        let task = read_task(json!({"id": ID, "status": "succeeded", "progress": 40, "result": null, "credits": "7",
            "canvas_id": "cvs_x", "created_at": 1_777_636_800, "attempt": "2"}))
        .unwrap();
        assert_eq!(task.progress.unwrap().percent, 40);
        assert_eq!(task.result.unwrap().canvas_id.unwrap().text(), "cvs_x");
        assert_eq!((task.credits, task.attempt), (Some(7.0), Some(2)));
        assert_eq!(task.created_at.unwrap().to_string(), "2026-05-01T12:00:00+00:00");
    }

    #[test]
    fn what_can_be_seen_of_a_task_is_read_and_a_page_that_says_nothing_is_left_out() {
        let answer = json!({"status": "running", "revision": 7, "progress": {"percent": 60}, "moon": 1, "pages": [
            {"page_number": 1, "name": "Cover", "width": 1920, "height": 1080, "is_drawn": true, "picture": "AA=="},
            {"name": "Nowhere"},
            {"page_number": 2},
        ]});
        let preview: TaskPreview = serde_json::from_value(answer).unwrap();
        assert_eq!((preview.status, preview.revision, preview.pages.len()), (TaskStatus::Running, 7, 2));
        assert_eq!((preview.pages[0].is_drawn, preview.pages[1].is_drawn), (true, false));
        assert!(serde_json::from_value::<TaskPreview>(json!({"status": "running"})).is_err());
    }

    #[test]
    fn the_end_of_a_task_is_its_end() {
        let ends: Vec<&str> =
            TaskStatus::KNOWN.iter().filter(|status| status.is_terminal()).map(TaskStatus::as_str).collect();
        assert_eq!(ends, ["succeeded", "failed", "canceled", "expired"]);
    }
}
