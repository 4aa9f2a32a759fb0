//! Working on an export: its turn, its rendering, its end.
//!
//! Always true: the result and the end are one transaction, so a crash at any moment leaves an export either done or to be
//! tried again, with the try counted.

use std::time::Duration;

use easel_wire::Timestamp;
use sha2::{Digest, Sha256};
use tokio::sync::OwnedSemaphorePermit;

use crate::blobs::ContentHash;
use crate::content::remove_unused;
use crate::db::exports::{self as rows, Ended, ExportRow, ResultRow};
use crate::drawers::Undone;
use crate::drawing::{self, RenderedFile};
use crate::error::Error;
use crate::names::Name;
use crate::studio::{App, Studio};
use crate::wire::TaskId;
use crate::wire::canvases::ExportStatus;
use crate::wire::tasks::{MAX_ATTEMPTS, TaskError};

/// How long a result is kept, and a failure remembered (contract, "Canvases and export").
const KEPT_US: i64 = 7 * 24 * 3_600 * 1_000_000;
/// What is waited where the database cannot be written.
const UNTIL_WRITABLE: Duration = Duration::from_secs(1);

/// Why an export has no result. The words are for the person who asked for it.
#[derive(Debug)]
struct Failure {
    message: String,
    retryable: bool,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = if matches!(error, Error::StorageFull) {
            "The storage of this service is full."
        } else {
            tracing::error!(%error, "an export failed");
            "The service could not finish the export."
        };
        Self { message: message.to_owned(), retryable: true }
    }
}

/// Takes up what the last process left: what was running waits again, or has failed after its last try. Before the first
/// request.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn take_up(app: &App) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut waiting = Vec::new();
    for export in rows::list_under_way(&mut tx).await? {
        if export.status == ExportStatus::Running && export.attempt >= MAX_ATTEMPTS {
            let message = format!("The service stopped {MAX_ATTEMPTS} times while it worked on this.");
            let error = TaskError { message, retryable: false };
            rows::fail_export(&mut tx, export.id, &error, ended_now(app)).await?;
        } else {
            rows::requeue_export(&mut tx, export.id).await?;
            waiting.push(export.id);
        }
    }
    tx.commit().await?;
    for id in waiting {
        begin(app, id);
    }
    Ok(())
}

/// Begins to wait for the export's turn. It is queued, and committed.
pub fn begin(app: &App, id: TaskId) {
    let app = app.clone();
    tokio::spawn(async move {
        let turn = tokio::select! {
            turn = app.exports.turns.clone().acquire_owned() => turn,
            () = app.live.stopping.cancelled() => return,
        };
        // Whatever is not brought to its end here is taken up at the next start.
        if let Ok(turn) = turn
            && let Some(export) = claim(&app, id).await
        {
            work(&app, &export, turn).await;
        }
    });
}

/// Begins a try, as soon as that can be written down; `None` where there is nothing to do, or the studio is stopping.
async fn claim(app: &Studio, id: TaskId) -> Option<ExportRow> {
    loop {
        match write_claim(app, id).await {
            Ok(export) => return export,
            Err(error) if waits_after(app, &error).await => {}
            Err(_) => return None,
        }
    }
}

async fn write_claim(app: &Studio, id: TaskId) -> Result<Option<ExportRow>, Error> {
    let mut tx = app.db.begin().await?;
    let export = rows::claim_export(&mut tx, id).await?;
    tx.commit().await?;
    Ok(export)
}

/// One try, from its claim to its end.
async fn work(app: &App, export: &ExportRow, turn: OwnedSemaphorePermit) {
    tracing::info!(export = %export.id, format = export.format.as_str(), attempt = export.attempt, "exporting");
    let stored = match render(app, export, turn).await {
        Ok(file) => store(app, export, file).await,
        Err(failure) => Err(failure),
    };
    if let Err(Failure { message, retryable }) = stored {
        tracing::info!(export = %export.id, message, retryable, "an export has failed");
        if !fail(app, export.id, &TaskError { message, retryable }).await {
            return;
        }
    }
    app.live.ended(export.id);
    // The drawing itself may have been needed by this export alone.
    remove_unused(&app.db, &app.blobs, &[export.document_hash]).await;
}

/// Renders in a process of its own, and keeps the turn for as long as that works.
async fn render(app: &App, export: &ExportRow, turn: OwnedSemaphorePermit) -> Result<RenderedFile, Failure> {
    let document = app.blobs.read_whole(&export.document_hash).await?;
    let asked = drawing::Rendering {
        format: export.format,
        page_number: export.page_number,
        pixel_ratio: export.pixel_ratio,
        flatten: export.flatten,
    };
    let rendered = app.drawers.render(&document, &asked).await;
    drop(turn);
    rendered.map_err(|undone| Failure {
        message: words_for(&undone),
        retryable: matches!(undone, Undone::Interrupted | Undone::TypefaceMissing(_)),
    })
}

fn words_for(undone: &Undone) -> String {
    match undone {
        Undone::Interrupted => "The service was interrupted while it drew this.".to_owned(),
        undone => undone.to_string(),
    }
}

/// Brings the file to the disk and the export to its end, both or neither.
async fn store(app: &App, export: &ExportRow, file: RenderedFile) -> Result<(), Failure> {
    let mut writing = app.blobs.begin(app.ids.next()).await?;
    writing.write(&file.bytes).await?;
    let size_bytes = writing.size_bytes();
    let filename = Name::of_upload(&format!("{}.{}", export.basename, file.extension))
        .map_err(|_| Error::Corrupt("a stored name that is none"))?;
    let result = ResultRow {
        hash: ContentHash::from(Sha256::digest(&file.bytes)),
        size_bytes,
        mime_type: file.mime_type.to_owned(),
        filename: filename.as_str().to_owned(),
    };
    let stored = async {
        let offered = writing.offer(result.hash).await?;
        let committed = async {
            let mut tx = app.db.begin().await?;
            app.blobs.keep(&offered).await?;
            rows::complete_export(&mut tx, export.id, &result, &file.warnings, ended_now(app)).await?;
            Ok::<_, Error>(tx.commit().await?)
        };
        let committed = committed.await;
        app.blobs.discard(offered.location()).await;
        committed
    };
    if let Err(error) = stored.await {
        remove_unused(&app.db, &app.blobs, &[result.hash]).await;
        return Err(error.into());
    }
    Ok(())
}

/// Brings an export to its end without a result, as soon as that can be written down; false where the studio is stopping.
async fn fail(app: &Studio, id: TaskId, error: &TaskError) -> bool {
    while let Err(broken) = write_failure(app, id, error).await {
        if !waits_after(app, &broken).await {
            return false;
        }
    }
    true
}

async fn write_failure(app: &Studio, id: TaskId, error: &TaskError) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    rows::fail_export(&mut tx, id, error, ended_now(app)).await?;
    Ok(tx.commit().await?)
}

/// Waits a moment after an error, before what has failed is tried again; false where the studio is stopping.
async fn waits_after(app: &Studio, error: &Error) -> bool {
    if app.live.stopping.is_cancelled() {
        return false;
    }
    tracing::error!(%error, "an export cannot be written down");
    tokio::select! {
        () = tokio::time::sleep(UNTIL_WRITABLE) => true,
        () = app.live.stopping.cancelled() => false,
    }
}

fn ended_now(app: &Studio) -> Ended {
    let at = app.clock.now();
    Ended { at, expires_at: Timestamp::from_micros(at.as_micros().saturating_add(KEPT_US)) }
}
