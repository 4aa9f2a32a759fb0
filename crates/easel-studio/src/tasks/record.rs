//! The record of a task on the wire, in both versions (contract, "Versions").

use std::collections::HashSet;

use axum::Json;
use axum::response::{IntoResponse, Response};
use easel_wire::Version;
use http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use crate::canvases::canvas_url;
use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::tasks::{ProgressRow, TaskRow, list_existing_canvases};
use crate::studio::Studio;
use crate::wire::CanvasId;
use crate::wire::tasks::{
    JobResponse, MAX_ATTEMPTS, RETRY_AFTER_MS, Task, TaskKind, TaskLinks, TaskProgress, TaskResult, TaskStatus,
};

/// A task in the shape of a version.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum TaskRecord {
    /// `2026-05-01`.
    Canonical(Box<Task>),
    /// `2026-04-12`.
    Legacy(Box<JobResponse>),
}

impl TaskRecord {
    /// The response with this status.
    pub fn into_response(self, status: StatusCode) -> Response {
        (status, Json(self)).into_response()
    }
}

impl From<ProgressRow> for TaskProgress {
    fn from(row: ProgressRow) -> Self {
        Self { percent: row.percent, step: row.step, message: row.message }
    }
}

/// Tasks as `version` writes them.
///
/// # Errors
/// [`Error::Database`].
pub async fn describe_all(
    studio: &Studio,
    conn: &mut DbConnection,
    rows: Vec<TaskRow>,
    version: Version,
) -> Result<Vec<TaskRecord>, Error> {
    let canvases: Vec<CanvasId> = rows.iter().filter_map(|row| row.canvas_id).collect();
    let existing = find_existing(conn, &canvases, version).await?;
    rows.into_iter().map(|row| shape(studio, row, version, &existing)).collect()
}

/// A task as `version` writes it.
///
/// # Errors
/// [`Error::Database`].
pub async fn describe(
    studio: &Studio,
    conn: &mut DbConnection,
    row: TaskRow,
    version: Version,
) -> Result<TaskRecord, Error> {
    let existing = find_existing(conn, row.canvas_id.as_slice(), version).await?;
    shape(studio, row, version, &existing)
}

/// A single task as `version` writes it; its related rows are read here.
///
/// # Errors
/// [`Error::Database`].
pub async fn describe_alone(studio: &Studio, row: TaskRow, version: Version) -> Result<TaskRecord, Error> {
    let existing = match version {
        Version::Canonical => HashSet::new(),
        Version::Legacy => list_existing_canvases(&mut *studio.db.reader().await?, row.canvas_id.as_slice()).await?,
    };
    shape(studio, row, version, &existing)
}

/// Which of these canvases are there, where `version` says so of a task.
async fn find_existing(
    conn: &mut DbConnection,
    canvases: &[CanvasId],
    version: Version,
) -> Result<HashSet<CanvasId>, Error> {
    match version {
        Version::Canonical => Ok(HashSet::new()),
        Version::Legacy => list_existing_canvases(conn, canvases).await,
    }
}

fn shape(studio: &Studio, row: TaskRow, version: Version, existing: &HashSet<CanvasId>) -> Result<TaskRecord, Error> {
    let progress = studio.active_tasks.progress(row.last_try()).filter(|_| row.status == TaskStatus::Running);
    let exists = row.canvas_id.is_some_and(|canvas| existing.contains(&canvas));
    Ok(match version {
        Version::Canonical => TaskRecord::Canonical(Box::new(canonical(studio, row, progress)?)),
        Version::Legacy => TaskRecord::Legacy(Box::new(legacy(studio, row, progress, exists)?)),
    })
}

/// The canonical form, which webhooks carry too. `now` is how far it is at the moment, where it runs.
///
/// # Errors
/// [`Error::Corrupt`] for a row whose JSON is none.
pub fn canonical(studio: &Studio, row: TaskRow, now: Option<ProgressRow>) -> Result<Task, Error> {
    let terminal = row.status.is_terminal();
    let itself = format!("{}/v1/tasks/{}", studio.config.base_url, row.id);
    let progress = now.unwrap_or(row.progress);
    let mut result: Option<TaskResult> = row
        .result
        .map(|text| serde_json::from_str(&text).map_err(|_| Error::Corrupt("a task's result")))
        .transpose()?;
    if let Some(result) = &mut result {
        result.canvas_url = result.canvas_id.map(|canvas| canvas_url(&studio.config, canvas));
    }
    Ok(Task {
        id: row.id,
        kind: Some(row.kind),
        status: row.status,
        created_at: Some(row.created_at),
        started_at: row.started_at,
        completed_at: row.completed_at,
        progress: Some(progress.into()),
        attempt: Some(row.attempt),
        max_attempts: Some(MAX_ATTEMPTS),
        input: Some(read_input(&row.input)?),
        result,
        error: row.error,
        // This service does not count credits.
        credits: None,
        links: Some(TaskLinks {
            cancel: (!terminal).then(|| format!("{itself}/cancel")),
            itself: Some(itself),
            events: None,
            canvas: row.canvas_id.map(|canvas| canvas_url(&studio.config, canvas)),
        }),
        retry_after_ms: (!terminal).then_some(RETRY_AFTER_MS),
    })
}

fn legacy(studio: &Studio, row: TaskRow, now: Option<ProgressRow>, exists: bool) -> Result<JobResponse, Error> {
    let terminal = row.status.is_terminal();
    let progress = now.unwrap_or(row.progress);
    let prompt = read_input(&row.input)?.get("prompt").and_then(Value::as_str).map(str::to_owned);
    Ok(JobResponse {
        id: row.id,
        job_id: row.id,
        can_export: exists && row.status == TaskStatus::Succeeded,
        status: row.status,
        canvas_id: row.canvas_id,
        canvas_url: row.canvas_id.map(|canvas| canvas_url(&studio.config, canvas)),
        conversation_id: Some(row.conversation_id),
        task: prompt,
        progress_percent: progress.percent,
        current_step: progress.step,
        is_terminal: terminal,
        error: row.error,
        retry_after_seconds: (!terminal).then_some(RETRY_AFTER_MS / 1_000),
        created_at: Some(row.created_at),
        completed_at: row.completed_at,
    })
}

fn read_input(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|_| Error::Corrupt("a task's input"))
}

/// The record of a task that was done before it could be asked for: its id answers 404, so it has no link to itself
/// (specification, "Remix rules", rule 3).
///
/// # Errors
/// [`Error::Corrupt`] for a row with invalid JSON.
pub fn synthetic(studio: &Studio, row: TaskRow, version: Version) -> Result<TaskRecord, Error> {
    debug_assert!(row.status == TaskStatus::Succeeded && row.kind == TaskKind::Remix);
    Ok(match version {
        Version::Canonical => {
            let mut task = canonical(studio, row, None)?;
            if let Some(links) = &mut task.links {
                links.itself = None;
            }
            TaskRecord::Canonical(Box::new(task))
        }
        Version::Legacy => TaskRecord::Legacy(Box::new(legacy(studio, row, None, true)?)),
    })
}
