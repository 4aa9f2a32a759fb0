//! The record of an export on the wire (contract, "Canvases and export").

use crate::canvases::canvas_url;
use crate::db::exports::ExportRow;
use crate::studio::Studio;
use crate::web::signed_urls::Grant;
use crate::wire::canvases::{Export, ExportFormat, ExportStatus};

/// When a client looks again at an export that is under way.
const RETRY_AFTER_SECONDS: u64 = 2;

/// The record of an export for the status call.
pub fn describe(studio: &Studio, export: ExportRow) -> Export {
    let ended = export.status.is_terminal();
    let url = export.result.as_ref().zip(export.expires_at);
    Export {
        canvas_id: Some(export.canvas_id),
        canvas_url: Some(canvas_url(&studio.config, export.canvas_id)),
        format: Some(format_of_result(&export)),
        url: url.map(|(_, expires_at)| studio.signed_urls.sign(Grant::Export(export.id), expires_at)),
        task_id: Some(export.id),
        retry_after_seconds: (!ended).then_some(RETRY_AFTER_SECONDS),
        total_pages: Some(export.total_pages),
        is_terminal: Some(ended),
        warnings: export.warnings,
        error: export.error,
        status: Some(export.status),
    }
}

/// The record for the start's answer: completed, or in progress. A failure is told by the status call.
pub fn describe_started(studio: &Studio, export: ExportRow) -> Export {
    let record = describe(studio, export);
    if record.status == Some(ExportStatus::Completed) {
        return record;
    }
    Export {
        status: Some(ExportStatus::InProgress),
        is_terminal: Some(false),
        retry_after_seconds: Some(RETRY_AFTER_SECONDS),
        error: None,
        ..record
    }
}

/// Several pages as pictures or drawings come as one zip.
fn format_of_result(export: &ExportRow) -> ExportFormat {
    let several = export.page_number.is_none() && export.total_pages > 1;
    match export.format {
        ExportFormat::Png | ExportFormat::Jpeg | ExportFormat::Svg if several => ExportFormat::Zip,
        format => format,
    }
}
