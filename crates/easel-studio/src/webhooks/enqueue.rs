//! The delivery that tells the end of a task, stored with that end.
//!
//! Always true: it is in the transaction that ends the task, so neither is without the other. Not here: who delivers it
//! ([`super::deliver`]).

use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::tasks::TaskRow;
use crate::db::webhooks::{self as rows, DeliveryRow};
use crate::studio::Studio;
use crate::wire::tasks::{Task, TaskStatus};
use crate::wire::webhooks::{API_VERSION, DeliveryStatus, Event, EventType};

/// Stores the delivery that tells the end of a task; nothing for an end that nobody is told of (specification,
/// "Events", rule 4), or without a callback address. In the transaction that ends it; `told` is the task as it is now.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn enqueue(studio: &Studio, conn: &mut DbConnection, task: &TaskRow, told: &Task) -> Result<(), Error> {
    let event_type = match task.status {
        TaskStatus::Succeeded => EventType::TaskSucceeded,
        TaskStatus::Failed => EventType::TaskFailed,
        TaskStatus::Canceled => EventType::TaskCanceled,
        _ => return Ok(()),
    };
    let Some(target_url) = task.callback_url.clone() else { return Ok(()) };
    let now = studio.clock.now();
    let event = Event {
        id: studio.new_id(),
        event_type,
        created: task.completed_at.unwrap_or(now),
        api_version: API_VERSION.as_str().to_owned(),
        data: told.clone(),
    };
    let delivery = DeliveryRow {
        id: studio.new_id(),
        team_id: task.team_id,
        api_key_id: task.api_key_id,
        task_id: task.id,
        event_id: event.id,
        request_body: serde_json::to_string(&event).map_err(|_| Error::Corrupt("an event that cannot be written"))?,
        event_type: event.event_type,
        target_url,
        status: DeliveryStatus::Pending,
        attempts: 0,
        claimed_by: None,
        request_headers: None,
        response_status_code: None,
        response_body_excerpt: None,
        replayed_from_id: None,
        created_at: now,
        last_attempted_at: None,
    };
    rows::insert_delivery(conn, &delivery).await
}
