//! Canvases and what is exported of them (specification, "Endpoints", behaviour rule 6; contract, "Canvases and export").
//!
//! The export record is one for both calls: the start says `completed` or `in_progress`, the status call also `queued`,
//! `running` and `failed`. Not here: when an export is looked at again.

use std::fmt;

use easel_wire::Timestamp;
use serde::{Deserialize, Serialize};

use crate::wire::closed_enum::closed_enum;
use crate::wire::drive::{CreatedBy, Visibility};
use crate::wire::tasks::{Category, TaskError};
use crate::wire::{CanvasId, FolderId, TaskId, VersionId};

/// Pixels of a picture for each pixel of the page.
pub const PIXEL_RATIOS: std::ops::RangeInclusive<u32> = 1..=4;

/// A canvas. Its thumbnail's URL is a capability.
#[derive(Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Canvas {
    /// The canvas's id.
    pub id: CanvasId,
    /// 1 to 255 characters, unique among the canvases of its folder.
    pub name: String,
    /// Opens a page that names the canvas and offers to open it in Easel.
    pub url: Option<String>,
    /// What kind of design it is.
    pub category: Option<Category>,
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// The folder that it lies in; `None` at the top of the drive.
    pub folder_id: Option<FolderId>,
    /// The canvas that it was made from, which may be gone.
    pub source_canvas_id: Option<CanvasId>,
    /// How many pages it has.
    pub page_count: Option<u32>,
    /// Of the first page, in pixels.
    pub width: Option<u32>,
    /// Of the first page, in pixels.
    pub height: Option<u32>,
    /// A signed URL of a small picture of the first page; a service may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When it or its place last changed.
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
#[derive(Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct CanvasVersion {
    /// The version's id.
    pub id: VersionId,
    /// What kind of design it was.
    pub category: Category,
    /// How many pages it had.
    pub page_count: u32,
    /// Of the first page, in pixels.
    pub width: u32,
    /// Of the first page, in pixels.
    pub height: u32,
    /// A signed URL of a small picture of the first page; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// When it came onto the canvas.
    pub created_at: Timestamp,
    /// Who had it drawn.
    pub created_by: CreatedBy,
    /// When another drawing took its place.
    pub replaced_at: Timestamp,
}

impl fmt::Debug for CanvasVersion {
    /// Leaves the thumbnail's URL out: it is a capability and must not reach a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CanvasVersion")
            .field("id", &self.id)
            .field("page_count", &self.page_count)
            .field("created_at", &self.created_at)
            .field("replaced_at", &self.replaced_at)
            .finish_non_exhaustive()
    }
}

/// The answer of `GET /v1/canvases/{canvas_id}/versions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct CanvasVersions {
    /// All of them, the newest first.
    pub versions: Vec<CanvasVersion>,
    /// How many a canvas keeps; beyond them the oldest go.
    pub most_versions: u32,
}

/// `PATCH /v1/canvases/{canvas_id}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameCanvas {
    /// The new name.
    pub name: String,
}

/// The answer of `GET /v1/canvases/{canvas_id}/pages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct CanvasPages {
    /// What the canvas is called.
    pub canvas_name: Option<String>,
    /// How many pages it has.
    pub total_pages: Option<u32>,
    /// The pages, in order.
    pub pages: Vec<CanvasPage>,
}

/// A page of a canvas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct CanvasPage {
    /// Its place, from 1.
    pub page_number: u32,
    /// What it is called.
    pub name: Option<String>,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
    /// How many nodes are on it, those in groups included.
    pub node_count: Option<u32>,
}

closed_enum! {
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

closed_enum! {
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
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

/// An export, as its start and its status call answer. Its URL is a capability.
#[derive(Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Export {
    /// What is exported.
    pub canvas_id: Option<CanvasId>,
    /// Opens it.
    pub canvas_url: Option<String>,
    /// What came of it: the format that was asked for, or [`ExportFormat::Zip`] for several pages.
    pub format: Option<ExportFormat>,
    /// How far it is; `None` where a service answers at once.
    pub status: Option<ExportStatus>,
    /// The result, for seven days and without a key; `None` until it is there.
    pub url: Option<String>,
    /// What the status call asks for; `None` where a service answers at once.
    pub task_id: Option<TaskId>,
    /// When to look again, in seconds; `None` at its end.
    pub retry_after_seconds: Option<u64>,
    /// How many pages the canvas has.
    pub total_pages: Option<u32>,
    /// What came out otherwise than asked.
    pub warnings: Vec<ExportWarning>,
    /// Whether it will never change again.
    pub is_terminal: Option<bool>,
    /// Why it failed; only the status call says so.
    pub error: Option<TaskError>,
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

/// Something that came out otherwise than asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ExportWarning {
    /// For programs.
    pub code: String,
    /// For people.
    pub message: String,
    /// How much it matters, such as `warning`.
    pub severity: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Id;
    use uuid::Uuid;

    #[test]
    fn an_export_ends_done_or_failed() {
        let ends: Vec<&str> =
            ExportStatus::ALL.iter().filter(|status| status.is_terminal()).map(|status| status.as_str()).collect();
        assert_eq!(ends, ["completed", "failed"]);
    }

    #[test]
    fn a_capability_is_never_printed() {
        let address = || Some("https://a.example/?signature=secret".to_owned());
        let canvas = Canvas {
            id: Id::from_uuid(Uuid::nil()),
            name: "a".to_owned(),
            url: None,
            category: None,
            visibility: None,
            folder_id: None,
            source_canvas_id: None,
            page_count: None,
            width: None,
            height: None,
            thumbnail_url: address(),
            created_at: None,
            updated_at: None,
        };
        let export = Export {
            canvas_id: None,
            canvas_url: None,
            format: None,
            status: None,
            url: address(),
            task_id: None,
            retry_after_seconds: None,
            total_pages: None,
            warnings: Vec::new(),
            is_terminal: None,
            error: None,
        };
        assert!(!format!("{canvas:?} {export:?}").contains("secret"));
        assert!(serde_json::to_string(&(canvas, export)).unwrap().matches("secret").count() == 2);
    }
}
