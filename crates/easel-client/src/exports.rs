//! Exports of canvases: starting one, its progress, and downloading its result (specification, "Endpoints", behaviour
//! rule 6; contract, "Canvases and export").
//!
//! Always true: the result is fetched without a key, because its address is the capability; no file on this computer is
//! overwritten. Not here: the rate of 25 a minute, and when an export is looked at again.

use std::path::Path;
use std::time::Duration;

use easel_wire::canvases::{Export, ExportFormat};
use easel_wire::{CanvasId, Scope, TaskId};
use http::Method;

use crate::client::Client;
use crate::download::{Downloaded, Expected};
use crate::error::{Error, UnexpectedBody};
use crate::retry::Repeat;
use crate::source::Progress;

/// How long a service holds the start of an export at most.
const HELD: Duration = Duration::from_secs(20);

/// An export to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRequest {
    /// The format.
    pub format: ExportFormat,
    /// The page, from 1; all pages where absent.
    pub page_number: Option<u32>,
    /// Pixels for each pixel of the page, 1 to 4; 1 where absent.
    pub pixel_ratio: Option<u32>,
    /// Whether a PDF is made of pictures only; true where absent, and without effect for other formats.
    pub flatten: Option<bool>,
    /// Whether the service holds its answer for up to 20 seconds, until the export is done.
    pub wait: bool,
}

impl Client {
    /// Starts an export. If [`Export::progress`] of the answer is not an end, ask [`Client::get_export_status`] with
    /// its task.
    ///
    /// A repeat after a lost answer makes a second result that nobody fetches, which is harmless.
    ///
    /// # Errors
    /// `canvas_not_found`, `canvas_active_job`, `export_rate_limited`; else what the service answers, or why it did
    /// not.
    pub async fn start_export(&self, canvas: CanvasId, request: &ExportRequest) -> Result<Export, Error> {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let boolean = |is: bool| if is { "true" } else { "false" };
        let call = self
            .call(Method::POST, &["canvases", &canvas.text(), "export"])
            .needs(Scope::DesignsExport)
            .capped()
            .query("format", Some(request.format.as_str()))
            .query("page_number", number(request.page_number).as_deref())
            .query("pixel_ratio", number(request.pixel_ratio).as_deref())
            .query("flatten", request.flatten.map(boolean))
            .query("wait", Some(boolean(request.wait)))
            .repeat(Repeat::Harmless)
            .patience(self.shared.patience.answer + HELD);
        self.get_json(&call).await
    }

    /// The progress of an export. This takes nothing from the rate of exports (specification, "Limits").
    ///
    /// # Errors
    /// 404 for a task of another canvas; else what the service answers, or why it did not.
    pub async fn get_export_status(&self, canvas: CanvasId, task: TaskId) -> Result<Export, Error> {
        let call = self
            .call(Method::GET, &["canvases", &canvas.text(), "export-status"])
            .needs(Scope::DesignsExport)
            .query("task_id", Some(&task.text()));
        self.get_json(&call).await
    }

    /// Downloads the result of an export to `destination`, or to `name (2).ext` beside it where that is taken.
    ///
    /// # Errors
    /// [`Error::UrlExpired`]: ask for the status again, which signs a new address; [`Error::DestinationUnwritable`];
    /// [`Error::Storage`]; else why the download failed.
    pub async fn download_export(
        &self,
        export: &Export,
        destination: &Path,
        progress: &Progress<'_>,
    ) -> Result<Downloaded, Error> {
        let unusable = || Error::NotTheService { status: 200, found: UnexpectedBody::UnusableUrl };
        let url = export.url.as_deref().ok_or_else(unusable)?;
        self.download_signed(url, &Expected::default(), destination, progress).await
    }
}
