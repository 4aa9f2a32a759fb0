//! `GET /metrics`: what the service counts, for whoever runs it.
//!
//! Not here: who may read it ([`crate::routes`]).

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;

use crate::core::error::Error;
use crate::db::{tasks, webhooks};
use crate::studio::SharedStudio;
use crate::wire::tasks::TaskStatus;

/// `GET /metrics`.
pub async fn get_metrics(State(studio): State<SharedStudio>) -> Result<Response, Error> {
    let mut conn = studio.db.read().acquire().await?;
    for status in [TaskStatus::Queued, TaskStatus::Running] {
        let count = tasks::count_in_state(&mut conn, status).await?;
        studio.metrics.set_tasks(status, count);
    }
    studio.metrics.set_deliveries_pending(webhooks::count_pending(&mut conn).await?);
    drop(conn);
    if let Some(free) = studio.blobs.free_bytes()? {
        studio.metrics.set_free_bytes(free);
    }
    let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, media_type)], studio.metrics.write()?).into_response())
}
