//! The work on an export: its turn, its rendering, its end.
//!
//! Always true: the result and the end are one transaction, which asks whether the export is still held. So a crash at
//! any moment leaves an export either done or to be tried again, with the try counted, and a late write leaves nothing.

use std::time::Duration;

use easel_wire::Timestamp;

use crate::core::clock::DAY_US;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::core::turns::Turn;
use crate::db::DbConnection;
use crate::db::exports::{self as rows, Ended, ExportRow, ResultRow};
use crate::db::leases::{ExpiredLeases, Work};
use crate::drawers::{RenderError, Rendered, Source};
use crate::drawing;
use crate::drawn::{Arriving, Written};
use crate::studio::unused::remove_unused;
use crate::studio::{SharedStudio, Studio};
use crate::wire::tasks::{MAX_ATTEMPTS, TaskError};
use crate::wire::{TaskId, TeamId};

/// How long a result is kept, and a failure remembered (contract, "Canvases and export").
const KEPT_US: i64 = 7 * DAY_US;
/// The pause while the database cannot be written.
const UNTIL_WRITABLE: Duration = Duration::from_secs(1);

/// An export whose turn is waited for, until it is dropped.
struct Expected {
    studio: SharedStudio,
    id: TaskId,
}

impl Expected {
    /// Notes that the turn of this export is waited for; `None` where it is already.
    fn new(studio: &SharedStudio, id: TaskId) -> Option<Self> {
        studio.exports.expect(id).then(|| Self { studio: SharedStudio::clone(studio), id })
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.studio.exports.expect_no_longer(self.id);
    }
}

/// Why an export has no result. The words are for the person who asked for it.
#[derive(Debug)]
struct Failure {
    message: String,
    retryable: bool,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = match error {
            Error::StorageFull => "The storage of this service is full.",
            Error::ContentsUnavailable(cause) => {
                tracing::error!(%cause, "an export failed: the bucket");
                "The storage of this service cannot be reached."
            }
            error => {
                tracing::error!(%error, "an export failed");
                "The service could not finish the export."
            }
        };
        Self { message: message.to_owned(), retryable: true }
    }
}

/// Takes back the exports whose lease is over: one waits again, or has failed after its last try. Says how many there
/// were, and which of them have ended. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn take_back(
    studio: &SharedStudio,
    conn: &mut DbConnection,
    over: ExpiredLeases,
) -> Result<(usize, Vec<ExportRow>), Error> {
    let left = rows::list_over(conn, over).await?;
    let (count, mut ended) = (left.len(), Vec::new());
    for export in left {
        if export.attempt >= MAX_ATTEMPTS && over.counts_tries() {
            let message = format!("The service stopped {MAX_ATTEMPTS} times while it worked on this.");
            let error = TaskError { message, retryable: false };
            rows::fail_export(conn, &export, &error, ended_now(studio)).await?;
            ended.push(export);
        } else {
            rows::requeue_export(conn, &export).await?;
        }
    }
    Ok((count, ended))
}

/// Begins to wait for the turn of every export that is queued, whichever process was asked for it.
///
/// # Errors
/// [`Error::Database`].
pub async fn begin_waiting(studio: &SharedStudio) -> Result<(), Error> {
    let waiting = rows::list_waiting(&mut *studio.db.reader().await?).await?;
    for (team, id) in waiting {
        begin(studio, team, id);
    }
    Ok(())
}

/// Begins to wait for the turn of this team's export, unless it is waited for already. It is queued, and committed.
pub fn begin(studio: &SharedStudio, team: TeamId, id: TaskId) {
    let Some(expected) = Expected::new(studio, id) else { return };
    let studio = studio.clone();
    tokio::spawn(async move {
        let turn = tokio::select! {
            turn = studio.exports.turns.take(team) => turn,
            () = studio.active_tasks.stopping.cancelled() => return,
        };
        // Before the claim: an export that is put back after this look is waited for anew.
        drop(expected);
        // An export that is not brought to its end here is taken back once its lease is over.
        if let Some(export) = claim(&studio, id).await {
            work(&studio, &export, turn).await;
        }
    });
}

/// Begins a try, as soon as that can be written down; `None` where there is nothing to do, or the studio is stopping.
async fn claim(studio: &Studio, id: TaskId) -> Option<ExportRow> {
    loop {
        match write_claim(studio, id).await {
            Ok(export) => return export,
            Err(error) if waits_after(studio, &error).await => {}
            Err(_) => return None,
        }
    }
}

async fn write_claim(studio: &Studio, id: TaskId) -> Result<Option<ExportRow>, Error> {
    let mut tx = studio.db.begin().await?;
    let export = rows::claim_export(&mut tx, id, studio.leases.lease_at(studio.clock.now())).await?;
    tx.commit().await?;
    Ok(export)
}

/// One try, from its claim to its end. A try that has lost its lease writes nothing: another is made elsewhere.
pub(super) async fn work(studio: &SharedStudio, export: &ExportRow, turn: Turn<TeamId>) {
    tracing::info!(export = %export.id, format = export.format.as_str(), attempt = export.attempt, "exporting");
    let held = studio.leases.hold(export.claim());
    let rendered = tokio::select! {
        () = held.lost() => return lose(studio, export),
        rendered = render(studio, export, turn) => rendered,
    };
    let stored = match rendered {
        Ok((rendered, arrived)) => store(studio, export, rendered, arrived).await,
        Err(failure) => Err(failure),
    };
    let was_held = match stored {
        Ok(was_held) => was_held,
        Err(Failure { message, retryable }) => {
            tracing::info!(export = %export.id, message, retryable, "an export has failed");
            let Some(was_held) = fail(studio, export, &TaskError { message, retryable }).await else { return };
            was_held
        }
    };
    if !was_held {
        return lose(studio, export);
    }
    studio.active_tasks.finish(export.id);
    // The drawing itself may have been needed by this export alone.
    remove_unused(&studio.db, &studio.blobs, &[export.document_hash]).await;
}

/// Forgets a try whose export is another's now.
fn lose(studio: &Studio, export: &ExportRow) {
    studio.metrics.count_lost_lease(Work::Export);
    let attempt = export.attempt;
    tracing::warn!(export = %export.id, attempt, "another process has taken the export: what was done is thrown away");
}

/// Renders in a process of its own, and keeps the turn while that works.
async fn render(
    studio: &SharedStudio,
    export: &ExportRow,
    turn: Turn<TeamId>,
) -> Result<(Rendered, Arriving), Failure> {
    let document = Source::of_content(&studio.blobs, export.document_hash).await?;
    let asked = drawing::Rendering {
        format: export.format,
        page_number: export.page_number,
        pixel_ratio: export.pixel_ratio,
        flatten: export.flatten,
    };
    let mut arriving = Arriving::new(studio);
    let rendered = studio.drawers.render(&document, &asked, &mut arriving).await;
    drop(turn);
    Ok((rendered?, arriving))
}

impl From<RenderError> for Failure {
    fn from(undone: RenderError) -> Self {
        match undone {
            RenderError::Here(error) => error.into(),
            RenderError::Interrupted => {
                Self { message: "The service was interrupted while it drew this.".to_owned(), retryable: true }
            }
            // A typeface can be installed.
            undone => {
                Self { message: undone.to_string(), retryable: matches!(undone, RenderError::TypefaceMissing(_)) }
            }
        }
    }
}

/// Brings the file to the disk and the export to its end, both or neither; false where it is held no longer.
async fn store(
    studio: &SharedStudio,
    export: &ExportRow,
    rendered: Rendered,
    arrived: Arriving,
) -> Result<bool, Failure> {
    let mut written = Written::default();
    let stored = complete(studio, export, rendered, arrived, &mut written).await;
    written.settle(studio, matches!(stored, Ok(true))).await;
    Ok(stored?)
}

async fn complete(
    studio: &SharedStudio,
    export: &ExportRow,
    rendered: Rendered,
    arrived: Arriving,
    written: &mut Written,
) -> Result<bool, Error> {
    let filename = Name::of_upload(&format!("{}.{}", export.basename, rendered.extension))
        .map_err(|_| Error::Corrupt("a stored name that is none"))?;
    let (hash, size_bytes) = written.write_one(arrived).await?;
    let result = ResultRow {
        hash,
        size_bytes,
        mime_type: rendered.mime_type.to_owned(),
        filename: filename.as_str().to_owned(),
    };
    let mut tx = studio.db.begin().await?;
    written.keep(&mut tx, studio).await?;
    let was_held = rows::complete_export(&mut tx, export, &result, &rendered.warnings, ended_now(studio)).await?;
    tx.commit().await?;
    Ok(was_held)
}

/// Brings an export to its end without a result, as soon as that can be written down; false where it is held no longer,
/// and `None` where the studio is stopping.
async fn fail(studio: &Studio, export: &ExportRow, error: &TaskError) -> Option<bool> {
    loop {
        match write_failure(studio, export, error).await {
            Ok(was_held) => return Some(was_held),
            Err(broken) if waits_after(studio, &broken).await => {}
            Err(_) => return None,
        }
    }
}

async fn write_failure(studio: &Studio, export: &ExportRow, error: &TaskError) -> Result<bool, Error> {
    let mut tx = studio.db.begin().await?;
    let was_held = rows::fail_export(&mut tx, export, error, ended_now(studio)).await?;
    tx.commit().await?;
    Ok(was_held)
}

/// Waits a moment after an error, before what has failed is tried again; false where the studio is stopping.
async fn waits_after(studio: &Studio, error: &Error) -> bool {
    if studio.active_tasks.stopping.is_cancelled() {
        return false;
    }
    tracing::error!(%error, "an export cannot be written down");
    tokio::select! {
        () = tokio::time::sleep(UNTIL_WRITABLE) => true,
        () = studio.active_tasks.stopping.cancelled() => false,
    }
}

fn ended_now(studio: &Studio) -> Ended {
    let at = studio.clock.now();
    Ended { at, expires_at: Timestamp::from_micros(at.as_micros().saturating_add(KEPT_US)) }
}
