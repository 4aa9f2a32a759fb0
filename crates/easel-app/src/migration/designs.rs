//! Exports of the studio's designs for a copy, one at a time.

use std::time::Duration;

use easel_client::{Client, Error as ClientError, ExportRequest, UnexpectedBody};
use easel_wire::CanvasId;
use easel_wire::canvases::{Export, ExportFormat, ExportStatus};

use super::Side;

/// The pause between two looks, and before another start, where the studio names none.
const UNSAID_LOOK: Duration = Duration::from_secs(1);
/// How often a start is tried while a task works on the design, or a minute's exports are over.
const MOST_STARTS: u32 = 100;

/// Exports a design as a presentation, and waits for the result.
pub(super) async fn export(source: &Client, design: CanvasId) -> Result<Export, Side> {
    let mut export = start(source, design).await.map_err(Side::Here)?;
    loop {
        match (export.end(), export.task_id) {
            (Some(ExportStatus::Completed), _) => return Ok(export),
            (None, Some(task)) => {
                let pause = export.retry_after_seconds.map_or(UNSAID_LOOK, Duration::from_secs);
                tokio::time::sleep(pause).await;
                export = source.get_export_status(design, task).await.map_err(Side::Here)?;
            }
            _ => {
                let found = UnexpectedBody::UnusableUrl;
                return Err(Side::Here(ClientError::NotTheService { status: 200, found }));
            }
        }
    }
}

/// Starts an export as soon as the studio takes one.
async fn start(source: &Client, design: CanvasId) -> Result<Export, ClientError> {
    let request =
        ExportRequest { format: ExportFormat::Pptx, page_number: None, pixel_ratio: None, flatten: None, wait: true };
    let mut starts = 1;
    loop {
        match source.start_export(design, &request).await {
            Err(error) if error.is_for_later() && starts < MOST_STARTS => {
                starts += 1;
                tokio::time::sleep(error.retry_after().unwrap_or(UNSAID_LOOK)).await;
            }
            started => return started,
        }
    }
}
