//! Canvases and their exports (specification, "Endpoints", behaviour rule 6; contract, "Canvases and export").
//!
//! The export record is the same for both calls: the start says `completed` or `in_progress`, the status call also
//! `queued`, `running` and `failed`. A service that answers an export at once without a status is understood. Not here:
//! when an export is looked at again.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drive::{CreatedBy, Visibility};
use crate::lenient;
use crate::open_enum::open_enum;
use crate::tasks::{Category, TaskError};
use crate::{CanvasId, FolderId, TaskId, Timestamp, VersionId};

/// Pixels of a picture for each pixel of the page.
pub const PIXEL_RATIOS: std::ops::RangeInclusive<u32> = 1..=4;

/// A canvas. Its thumbnail's URL is a capability.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Canvas {
    /// The canvas's id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: CanvasId,
    /// 1 to 255 characters; empty where the service does not say.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: String,
    /// A page that names the canvas and offers to open it in Easel.
    #[serde(default, deserialize_with = "lenient::read")]
    pub url: Option<String>,
    /// What kind of design it is.
    #[serde(default, deserialize_with = "lenient::read")]
    pub category: Option<Category>,
    /// Who may see it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub visibility: Option<Visibility>,
    /// The folder that it lies in; `None` at the top of the drive.
    #[serde(default, deserialize_with = "lenient::read")]
    pub folder_id: Option<FolderId>,
    /// The canvas that it was made from, which may be gone.
    #[serde(default, deserialize_with = "lenient::read")]
    pub source_canvas_id: Option<CanvasId>,
    /// How many pages it has.
    #[serde(default, deserialize_with = "lenient::read")]
    pub page_count: Option<u32>,
    /// The first page's width in pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub width: Option<u32>,
    /// The first page's height in pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub height: Option<u32>,
    /// A signed URL of a small picture of the first page; a service may leave it out.
    #[serde(default, deserialize_with = "lenient::read")]
    pub thumbnail_url: Option<String>,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// When it or its place last changed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub updated_at: Option<Timestamp>,
}

impl fmt::Debug for Canvas {
    /// Leaves the thumbnail's URL out: it is a capability and must not reach a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canvas")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("folder_id", &self.folder_id)
            .field("source_canvas_id", &self.source_canvas_id)
            .field("page_count", &self.page_count)
            .field("updated_at", &self.updated_at)
            .finish_non_exhaustive()
    }
}

/// An earlier drawing of a canvas. Its thumbnail's URL is a capability.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct CanvasVersion {
    /// The version's id.
    pub id: VersionId,
    /// How many pages it had.
    #[serde(default, deserialize_with = "lenient::read")]
    pub page_count: Option<u32>,
    /// A signed URL of a small picture of the first page; a service may leave it out.
    #[serde(default, deserialize_with = "lenient::read")]
    pub thumbnail_url: Option<String>,
    /// When it was put on the canvas.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// Who had it drawn.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_by: Option<CreatedBy>,
    /// When another drawing took its place.
    #[serde(default, deserialize_with = "lenient::read")]
    pub replaced_at: Option<Timestamp>,
}

impl fmt::Debug for CanvasVersion {
    /// Leaves the thumbnail's URL out: it is a capability and must not reach a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CanvasVersion")
            .field("id", &self.id)
            .field("page_count", &self.page_count)
            .field("replaced_at", &self.replaced_at)
            .finish_non_exhaustive()
    }
}

/// The answer of `GET /v1/canvases/{canvas_id}/versions`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CanvasVersions {
    /// All of them, the newest first.
    pub versions: Vec<CanvasVersion>,
}

/// `PATCH /v1/canvases/{canvas_id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RenameCanvas {
    /// The new name.
    pub name: String,
}

/// The answer of `GET /v1/canvases/{canvas_id}/pages`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CanvasPages {
    /// What the canvas is called.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_name: Option<String>,
    /// How many pages it has.
    #[serde(default, deserialize_with = "lenient::read")]
    pub total_pages: Option<u32>,
    /// The pages, in order.
    #[serde(default, deserialize_with = "lenient::read")]
    pub pages: Vec<CanvasPage>,
}

/// A page of a canvas.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CanvasPage {
    /// The page's number, from 1; 0 where the service does not tell, and then its position in the list counts.
    #[serde(default, deserialize_with = "lenient::read")]
    pub page_number: u32,
    /// The page's name.
    #[serde(default, deserialize_with = "lenient::read")]
    pub name: Option<String>,
    /// The page's width in pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub width: Option<u32>,
    /// The page's height in pixels.
    #[serde(default, deserialize_with = "lenient::read")]
    pub height: Option<u32>,
    /// How many nodes are on it, those in groups included.
    #[serde(default, deserialize_with = "lenient::read")]
    pub node_count: Option<u32>,
}

open_enum! {
    /// What a canvas is exported as.
    ExportFormat {
        /// A picture without loss.
        Png = "png",
        /// A picture for the web.
        Jpeg = "jpeg",
        /// For reading and printing.
        Pdf = "pdf",
        /// To be worked on in a presentation program.
        Pptx = "pptx",
        /// A drawing that scales.
        Svg = "svg",
        /// Several pages as pictures or drawings; only ever in an answer.
        Zip = "zip",
    }
}

open_enum! {
    /// How far an export is.
    ExportStatus {
        /// Waits for its turn. The status call says so.
        Queued = "queued",
        /// Is being drawn. The status call says so.
        Running = "running",
        /// Is not done yet. The start says so.
        InProgress = "in_progress",
        /// Has its result.
        Completed = "completed",
        /// Has failed for good.
        Failed = "failed",
    }
}

impl ExportStatus {
    /// Whether the export will never change again.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

/// An export, as its start and its status call answer. Its URL is a capability.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Export {
    /// What is exported.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_id: Option<CanvasId>,
    /// Opens it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub canvas_url: Option<String>,
    /// The format of the result: the one that was asked for, or [`ExportFormat::Zip`] for several pages.
    #[serde(default, deserialize_with = "lenient::read")]
    pub format: Option<ExportFormat>,
    /// The state of the export; `None` where a service answers at once.
    #[serde(default, deserialize_with = "lenient::read")]
    pub status: Option<ExportStatus>,
    /// The result, for seven days and without a key; `None` until it is there.
    #[serde(default, deserialize_with = "lenient::read")]
    pub url: Option<String>,
    /// What the status call asks for; `None` where a service answers at once.
    #[serde(default, deserialize_with = "lenient::read")]
    pub task_id: Option<TaskId>,
    /// When to look again, in seconds; `None` at its end.
    #[serde(default, deserialize_with = "lenient::read")]
    pub retry_after_seconds: Option<u64>,
    /// How many pages the canvas has.
    #[serde(default, deserialize_with = "lenient::read")]
    pub total_pages: Option<u32>,
    /// Parts of the result that differ from the request.
    #[serde(default, deserialize_with = "lenient::read")]
    pub warnings: Vec<ExportWarning>,
    /// Whether the export will never change again.
    #[serde(default, deserialize_with = "lenient::read")]
    pub is_terminal: Option<bool>,
    /// Why the export failed; only the status call tells.
    #[serde(default, deserialize_with = "lenient::read")]
    pub error: Option<TaskError>,
}

impl Export {
    /// How the export ended; `None` while it goes on. A service need not tell the state, and a state that this Easel
    /// does not know is an end if there is a result, or if the service says that it is terminal.
    #[must_use]
    pub fn end(&self) -> Option<ExportStatus> {
        let is_terminal = self.is_terminal == Some(true);
        match &self.status {
            Some(end @ (ExportStatus::Completed | ExportStatus::Failed)) => Some(end.clone()),
            Some(ExportStatus::Other(_)) | None if self.url.is_some() => Some(ExportStatus::Completed),
            _ if is_terminal && self.url.is_some() => Some(ExportStatus::Completed),
            _ if is_terminal || self.error.is_some() => Some(ExportStatus::Failed),
            _ => None,
        }
    }
}

impl fmt::Debug for Export {
    /// Leaves the result's URL out: it is a capability and must not reach a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Export")
            .field("canvas_id", &self.canvas_id)
            .field("format", &self.format)
            .field("status", &self.status)
            .field("task_id", &self.task_id)
            .field("warnings", &self.warnings)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

/// A part of an export that differs from the request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExportWarning {
    /// For programs.
    #[serde(default, deserialize_with = "lenient::read")]
    pub code: String,
    /// For people.
    #[serde(default, deserialize_with = "lenient::read")]
    pub message: String,
    /// How much it matters, such as `warning`.
    #[serde(default, deserialize_with = "lenient::read")]
    pub severity: Option<String>,
}

lenient::records!(Canvas, CanvasPage, ExportWarning);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_canvas_with_only_an_id_and_a_name_is_understood() {
        let text = r#"{"id":"cvs_00000000000000000000000000","name":"a","category":"hologram","page_count":null}"#;
        let canvas: Canvas = serde_json::from_str(text).unwrap();
        assert_eq!(canvas.category, Some(Category::Other("hologram".into())));
        assert_eq!((canvas.page_count, canvas.thumbnail_url), (None, None));
    }

    #[test]
    fn the_end_of_an_export_is_known_whatever_the_service_calls_it() {
        let check = |export: serde_json::Value, expected: Option<ExportStatus>| {
            assert_eq!(serde_json::from_value::<Export>(export.clone()).unwrap().end(), expected, "{export}");
        };
        let url = "https://a.example/b";
        check(json!({"url": url, "format": "pdf", "warnings": null}), Some(ExportStatus::Completed));
        check(json!({"status": "done", "url": url}), Some(ExportStatus::Completed));
        check(json!({"status": "in_progress", "is_terminal": true, "url": url}), Some(ExportStatus::Completed));
        check(json!({"status": "aborted", "is_terminal": true}), Some(ExportStatus::Failed));
        check(json!({"error": {"message": "no ink"}}), Some(ExportStatus::Failed));
        check(json!({"status": "failed", "url": url}), Some(ExportStatus::Failed));
        check(json!({"task_id": "task_1"}), None);
        check(json!({"status": "in_progress", "url": null}), None);
        check(json!({"status": "rendering", "task_id": "task_1"}), None);
        assert!(ExportStatus::Failed.is_terminal() && !ExportStatus::Running.is_terminal());
    }

    #[test]
    fn a_capability_is_never_printed() {
        let canvas: Canvas = serde_json::from_str(
            r#"{"id":"cvs_00000000000000000000000000","name":"a","thumbnail_url":"https://a.example/?signature=secret"}"#,
        )
        .unwrap();
        let export: Export = serde_json::from_str(r#"{"url":"https://a.example/?signature=secret"}"#).unwrap();
        assert!(!format!("{canvas:?} {export:?}").contains("secret"));
    }
}
