//! Working on an export: its turn, its rendering, its end.
//!
//! Always true: the result and the end are one transaction, so a crash at any moment leaves an export either done or to be
//! tried again, with the try counted.

use std::time::Duration;

use easel_wire::Timestamp;

use crate::clock::DAY_US;
use crate::content::remove_unused;
use crate::db::exports::{self as rows, Ended, ExportRow, ResultRow};
use crate::drawers::{Rendered, Source, Undone};
use crate::drawing;
use crate::drawn::{Arriving, Written};
use crate::error::Error;
use crate::names::Name;
use crate::studio::{App, Studio};
use crate::turns::Turn;
use crate::wire::canvases::ExportStatus;
use crate::wire::tasks::{MAX_ATTEMPTS, TaskError};
use crate::wire::{TaskId, TeamId};

/// How long a result is kept, and a failure remembered (contract, "Canvases and export").
const KEPT_US: i64 = 7 * DAY_US;
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
            waiting.push((export.team_id, export.id));
        }
    }
    tx.commit().await?;
    for (team, id) in waiting {
        begin(app, team, id);
    }
    Ok(())
}

/// Begins to wait for the turn of this team's export. It is queued, and committed.
pub fn begin(app: &App, team: TeamId, id: TaskId) {
    let app = app.clone();
    tokio::spawn(async move {
        let turn = tokio::select! {
            turn = app.exports.turns.take(team) => turn,
            () = app.live.stopping.cancelled() => return,
        };
        // Whatever is not brought to its end here is taken up at the next start.
        if let Some(export) = claim(&app, id).await {
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
async fn work(app: &App, export: &ExportRow, turn: Turn<TeamId>) {
    tracing::info!(export = %export.id, format = export.format.as_str(), attempt = export.attempt, "exporting");
    let stored = match render(app, export, turn).await {
        Ok((rendered, arrived)) => store(app, export, rendered, arrived).await,
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
async fn render(app: &App, export: &ExportRow, turn: Turn<TeamId>) -> Result<(Rendered, Arriving), Failure> {
    let document = Source::of_content(&app.blobs, export.document_hash).await?;
    let asked = drawing::Rendering {
        format: export.format,
        page_number: export.page_number,
        pixel_ratio: export.pixel_ratio,
        flatten: export.flatten,
    };
    let mut arriving = Arriving::new(app);
    let rendered = app.drawers.render(&document, &asked, &mut arriving).await;
    drop(turn);
    Ok((rendered?, arriving))
}

impl From<Undone> for Failure {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::Here(error) => error.into(),
            Undone::Interrupted => {
                Self { message: "The service was interrupted while it drew this.".to_owned(), retryable: true }
            }
            // A typeface can be installed.
            undone => Self { message: undone.to_string(), retryable: matches!(undone, Undone::TypefaceMissing(_)) },
        }
    }
}

/// Brings the file to the disk and the export to its end, both or neither.
async fn store(app: &App, export: &ExportRow, rendered: Rendered, arrived: Arriving) -> Result<(), Failure> {
    let mut written = Written::default();
    let stored = complete(app, export, rendered, arrived, &mut written).await;
    written.settle(app, stored.is_ok()).await;
    Ok(stored?)
}

async fn complete(
    app: &App,
    export: &ExportRow,
    rendered: Rendered,
    arrived: Arriving,
    written: &mut Written,
) -> Result<(), Error> {
    let filename = Name::of_upload(&format!("{}.{}", export.basename, rendered.extension))
        .map_err(|_| Error::Corrupt("a stored name that is none"))?;
    let (hash, size_bytes) = written.write_one(arrived).await?;
    let result = ResultRow {
        hash,
        size_bytes,
        mime_type: rendered.mime_type.to_owned(),
        filename: filename.as_str().to_owned(),
    };
    let mut tx = app.db.begin().await?;
    written.keep(app).await?;
    rows::complete_export(&mut tx, export.id, &result, &rendered.warnings, ended_now(app)).await?;
    Ok(tx.commit().await?)
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
