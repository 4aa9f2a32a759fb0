//! Webhooks: the end of a task is told to its callback address (specification, "Events"; contract, "Webhooks").
//!
//! Always true: a delivery is stored in the transaction that ends its task, so neither is without the other; it is tried until
//! a receiver took it or three attempts failed, over restarts too, and carries the same event and the same body each time.
//! The log keeps every attempt for 90 days. Not here: SQL, and the way out ([`crate::outbound`]).

mod deliver;
mod log;
mod redeliver;
mod shares;
mod upkeep;

pub use deliver::{deliver, take_back};
pub use log::{LIMITS, get_delivery, list_deliveries};
pub use redeliver::redeliver;
pub use upkeep::forget_old;

use sqlx::SqliteConnection;

use crate::db::tasks::TaskRow;
use crate::db::webhooks::{self as rows, DeliveryRow};
use crate::error::Error;
use crate::studio::Studio;
use crate::wire::tasks::{Task, TaskStatus};
use crate::wire::webhooks::{API_VERSION, DeliveryStatus, Event, EventType};

/// Stores the delivery that tells the end of a task; nothing for an end that nobody is told of (specification, "Events",
/// rule 4), or without a callback address. In the transaction that ends it; `told` is the task as it is now.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn enqueue(studio: &Studio, conn: &mut SqliteConnection, task: &TaskRow, told: &Task) -> Result<(), Error> {
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

#[cfg(test)]
mod tests;
