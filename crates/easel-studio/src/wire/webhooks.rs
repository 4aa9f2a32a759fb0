//! Webhooks: the event that is sent and the record of a delivery (specification, "Events"; contract, "Webhooks").
//!
//! Not here: the signature, which is easel-wire's because both sides of it are one rule; sending, and when a delivery is
//! tried again.

use std::collections::BTreeMap;

use easel_wire::{Timestamp, Version};
use serde::Serialize;

use super::closed_enum::closed_enum;
use crate::wire::tasks::Task;
use crate::wire::{ApiKeyId, DeliveryId, EventId, TaskId};

/// The `limit` of the list of deliveries where none is named, and the largest one.
pub const DELIVERY_LIMITS: (u64, u64) = (50, 200);

/// How often a delivery is tried (specification, "Delivery and retry", rule 1).
pub const MAX_ATTEMPTS: u32 = 3;
/// The version that every event is in.
pub const API_VERSION: Version = Version::Canonical;

closed_enum! {
    /// What an event tells.
    EventType {
        /// A task has its result.
        TaskSucceeded = "task.succeeded",
        /// A task has failed for good.
        TaskFailed = "task.failed",
        /// A task was stopped.
        TaskCanceled = "task.canceled",
        /// Reserved.
        ExportSucceeded = "export.succeeded",
        /// Reserved.
        ExportFailed = "export.failed",
    }
}

/// The body of a webhook.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Event {
    /// The same over retries and replays: a receiver knows by it what it has seen.
    pub id: EventId,
    /// What it tells.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// When it happened.
    pub created: Timestamp,
    /// The version that `data` is in.
    pub api_version: String,
    /// The task at its end.
    pub data: Task,
}

closed_enum! {
    /// What has become of a delivery.
    DeliveryStatus {
        /// It is or will be tried.
        Pending = "pending",
        /// The receiver took it.
        Succeeded = "succeeded",
        /// Every attempt failed: it is dropped.
        Failed = "failed",
    }
}

/// One line of the delivery log.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// The event that it carries.
    pub event_id: Option<EventId>,
    /// What the event tells.
    pub event_type: Option<EventType>,
    /// Where it goes.
    pub target_url: Option<String>,
    /// What has become of it.
    pub status: DeliveryStatus,
    /// Attempts so far.
    pub attempts: u32,
    /// The status that the last answer had.
    pub response_status_code: Option<u16>,
    /// The first 2 KiB of the last answer.
    pub response_body_excerpt: Option<String>,
    /// The headers of the last attempt.
    pub request_headers: Option<BTreeMap<String, String>>,
    /// The body, as it is signed; nothing where the reader may not see the task that it tells of.
    pub request_body: Option<String>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When the last attempt began.
    pub last_attempted_at: Option<Timestamp>,
    /// The task that has ended.
    pub task_id: Option<TaskId>,
    /// The key that started the task, and whose secret signs.
    pub api_key_id: Option<ApiKeyId>,
    /// The delivery that this one replays.
    pub replayed_from_id: Option<DeliveryId>,
    /// Every attempt.
    pub attempt_log: Vec<DeliveryAttempt>,
}

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct DeliveryAttempt {
    /// 1 for the first.
    pub number: u32,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// How long it took; `None` while it is under way.
    pub duration_ms: Option<u64>,
    /// The status of the answer, where one came.
    pub response_status_code: Option<u16>,
    /// Why no answer came, or what was wrong with it.
    pub error: Option<String>,
}
