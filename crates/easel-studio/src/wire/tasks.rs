//! Design tasks and remixes, in both versions (specification, "Task", "States and transitions", "Differences between
//! versions"; contract, "Versions" and "Tasks and remix").
//!
//! A [`Task`] is the canonical envelope, a [`JobResponse`] the flat form of `2026-04-12`.
//! Not here: when a task changes its state.

use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::closed_enum::closed_enum;
use crate::wire::{BrandKitId, CanvasId, ConversationId, FileId, TaskId};

/// Attachments of one task.
pub const MAX_ATTACHMENTS: usize = 20;
/// Canvases whose look one task follows.
pub const MAX_REFERENCES: usize = 10;
/// The longest label, in characters.
pub const MAX_LABEL_CHARS: usize = 255;

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

closed_enum! {
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
    /// (specification, "Events", rule 4).
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Canceled | Self::Expired)
    }
}

closed_enum! {
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

closed_enum! {
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
        Other = "other",
    }
}

closed_enum! {
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
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
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Task {
    /// The task's id.
    pub id: TaskId,
    /// What it does.
    pub kind: Option<TaskKind>,
    /// Its state.
    pub status: TaskStatus,
    /// When it was started by a request.
    pub created_at: Option<Timestamp>,
    /// When work on it first began.
    pub started_at: Option<Timestamp>,
    /// When it reached its end.
    pub completed_at: Option<Timestamp>,
    /// How far it is.
    pub progress: Option<TaskProgress>,
    /// How often it has been tried, the try under way included.
    pub attempt: Option<u32>,
    /// How often it is tried at most: [`MAX_ATTEMPTS`].
    pub max_attempts: Option<u32>,
    /// What was asked for.
    pub input: Option<Value>,
    /// What came of it; `None` until it succeeded.
    pub result: Option<TaskResult>,
    /// Why it failed; `None` unless it did.
    pub error: Option<TaskError>,
    /// What it cost, where the service counts that.
    pub credits: Option<f64>,
    /// Where to go on from here.
    pub links: Option<TaskLinks>,
    /// When to look again; `None` at its end.
    pub retry_after_ms: Option<u64>,
}

/// How far a task is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TaskProgress {
    /// 0 to 100.
    pub percent: u8,
    /// The step under way, such as `laying_out`.
    pub step: Option<String>,
    /// The step in words.
    pub message: Option<String>,
}

/// The highest revision: what every reader of JSON takes for a whole number.
pub const MOST_REVISION: u64 = (1 << 53) - 1;

/// The answer of `GET /v1/tasks/{task_id}/preview`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TaskPreview {
    /// The task's state.
    pub status: TaskStatus,
    /// How far it is.
    pub progress: Option<TaskProgress>,
    /// What this answer is up to; `after` of the next request.
    pub revision: u64,
    /// The pages of the design, in order, as far as they are known; none once it is done.
    pub pages: Vec<TaskPreviewPage>,
}

/// A page of a design while it is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TaskPreviewPage {
    /// Its place, from 1.
    pub page_number: u32,
    /// What it is called.
    pub name: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Whether it is drawn.
    pub is_drawn: bool,
    /// A small PNG of it, as Base64, where it was drawn since the revision `after`; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// What came of a design or a remix.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TaskResult {
    /// The canvas that was made or changed.
    pub canvas_id: Option<CanvasId>,
    /// Opens it.
    pub canvas_url: Option<String>,
    /// What it is called.
    pub canvas_name: Option<String>,
    /// The conversation that it belongs to.
    pub conversation_id: Option<ConversationId>,
    /// The canvas that it was made from.
    pub source_canvas_id: Option<CanvasId>,
}

/// Why a task failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TaskError {
    /// For a person.
    pub message: String,
    /// True for a transient failure, false for a dead-lettered one (specification, "Task").
    pub retryable: bool,
}

/// Where to go on from a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct TaskLinks {
    /// The task itself; `None` for one that cannot be queried.
    #[serde(rename = "self")]
    pub itself: Option<String>,
    /// A stream of its events, where the service has one.
    pub events: Option<String>,
    /// Cancels it; `None` at its end.
    pub cancel: Option<String>,
    /// Opens its canvas; `None` as long as there is none.
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_refuse_what_they_do_not_know_and_take_null_for_absent() {
        let read = serde_json::from_value::<StartTask>;
        assert!(read(json!({"prompt": "x", "format": null, "attachments": null, "callback_url": null})).is_ok());
        for wrong in [
            json!({}),
            json!({"prompt": "x", "webhook": "y"}),
            json!({"prompt": "x", "format": {"kind": "ui"}}),
            json!({"prompt": "x", "format": {"category": "poster"}}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
        let remix = json!({"canvas_id": "cvs_00000000000000000000000000", "callback_url": "https://a.example"});
        assert!(serde_json::from_value::<Remix>(remix).unwrap_err().to_string().contains("callback_url"));
    }

    #[test]
    fn the_end_of_a_task_is_its_end() {
        let ends: Vec<&str> =
            TaskStatus::ALL.iter().filter(|status| status.is_terminal()).map(|status| status.as_str()).collect();
        assert_eq!(ends, ["succeeded", "failed", "canceled", "expired"]);
    }
}
