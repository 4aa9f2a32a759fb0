//! The record of an export on the wire (contract, "Canvases and export").

use std::time::Duration;

use easel_wire::Timestamp;

use crate::canvases::canvas_url;
use crate::core::error::Error;
use crate::db::exports::{ExportRow, ResultRow};
use crate::studio::Studio;
use crate::web::content::Content;
use crate::web::signed_urls::Grant;
use crate::wire::TaskId;
use crate::wire::canvases::{Export, ExportFormat, ExportStatus};

/// When a client looks again at an export that is under way.
const RETRY_AFTER_SECONDS: u64 = 2;

/// The record of an export for the status call.
///
/// # Errors
/// [`Error::ContentsUnavailable`].
pub async fn describe(studio: &Studio, export: ExportRow) -> Result<Export, Error> {
    let ended = export.status.is_terminal();
    let url = match export.result.as_ref().zip(export.expires_at) {
        Some((result, expires_at)) => Some(sign(studio, export.id, result, expires_at).await?),
        None => None,
    };
    Ok(Export {
        canvas_id: Some(export.canvas_id),
        canvas_url: Some(canvas_url(&studio.config, export.canvas_id)),
        format: Some(format_of_result(&export)),
        url,
        task_id: Some(export.id),
        retry_after_seconds: (!ended).then_some(RETRY_AFTER_SECONDS),
        total_pages: Some(export.total_pages),
        is_terminal: Some(ended),
        warnings: export.warnings,
        error: export.error,
        status: Some(export.status),
    })
}

/// Where the result is fetched without a key, until this moment.
async fn sign(studio: &Studio, id: TaskId, result: &ResultRow, expires_at: Timestamp) -> Result<String, Error> {
    let left_us = expires_at.as_micros().saturating_sub(studio.clock.now().as_micros());
    let left = Duration::from_micros(u64::try_from(left_us).unwrap_or_default());
    let direct = Content::of_result(result).sign_direct(&studio.blobs, left).await?;
    Ok(direct.unwrap_or_else(|| studio.signed_urls.sign(Grant::Export(id), expires_at)))
}

/// The record for the start's answer: completed, or in progress. A failure is told by the status call.
///
/// # Errors
/// As [`describe`].
pub async fn describe_started(studio: &Studio, export: ExportRow) -> Result<Export, Error> {
    let record = describe(studio, export).await?;
    if record.status == Some(ExportStatus::Completed) {
        return Ok(record);
    }
    Ok(Export {
        status: Some(ExportStatus::InProgress),
        is_terminal: Some(false),
        retry_after_seconds: Some(RETRY_AFTER_SECONDS),
        error: None,
        ..record
    })
}

/// Several pages as pictures or drawings come as one zip.
fn format_of_result(export: &ExportRow) -> ExportFormat {
    let several = export.page_number.is_none() && export.total_pages > 1;
    match export.format {
        ExportFormat::Png | ExportFormat::Jpeg | ExportFormat::Svg if several => ExportFormat::Zip,
        format => format,
    }
}
