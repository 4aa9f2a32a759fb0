//! Webhooks: events, their signature, and the record of a delivery (specification, "Events"; contract, "Webhooks").
//!
//! [`sign`] and [`verify`] are both sides of one rule. [`read_event`] takes the canonical form and the retired
//! spellings. Not here: sending, and when a delivery is tried again.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;

use crate::lenient::{self, Lenient};
use crate::open_enum::open_enum;
use crate::tasks::{Task, read_task};
use crate::{ApiKeyId, DeliveryId, EventId, TaskId, Timestamp, Version};

/// The header with the moment of signing, in Unix seconds.
pub const TIMESTAMP_HEADER: &str = "X-Webhook-Timestamp";
/// The header with the signature.
pub const SIGNATURE_HEADER: &str = "X-Webhook-Signature";
/// How far off a timestamp may be, in seconds.
pub const TOLERANCE_SECONDS: i64 = 300;
/// How often a delivery is tried (specification, "Delivery and retry", rule 1).
pub const MAX_ATTEMPTS: u32 = 3;
/// The version that every event is in.
pub const API_VERSION: Version = Version::Canonical;

const SCHEME: &str = "v1=";

open_enum! {
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

/// The body of a webhook (specification, "Events", rule 5: the type and the data are named, nothing else).
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The event's id, the same over retries and replays, by which a receiver recognises an event that it has seen.
    pub id: Option<EventId>,
    /// What it tells.
    pub event_type: EventType,
    /// When it happened.
    pub created: Option<Timestamp>,
    /// The task at its end.
    pub data: Task,
}

/// Reads an event, the retired spellings included (contract, "Versions").
///
/// # Errors
/// Where it has no type or no task.
pub fn read_event(mut body: Value) -> Result<Event, serde_json::Error> {
    use serde::de::Error as _;
    let mut field = |name: &str| body.get_mut(name).map(Value::take).unwrap_or_default();
    let spelled = String::read(field("type")).ok_or_else(|| serde_json::Error::missing_field("type"))?;
    let event_type = match spelled.as_str() {
        "job.completed" => EventType::TaskSucceeded,
        "job.failed" | "job.dead_letter" => EventType::TaskFailed,
        "job.cancelled" | "job.canceled" | "task.cancelled" => EventType::TaskCanceled,
        other => EventType::from(other),
    };
    let mut data = read_task(field("data"))?;
    if spelled == "job.dead_letter" {
        data.error.get_or_insert_default().retryable = false;
    }
    Ok(Event { id: EventId::read(field("id")), event_type, created: Timestamp::read(field("created")), data })
}

/// The value of [`SIGNATURE_HEADER`] for a body that is sent at `timestamp`, Unix seconds. The key is the whole text of
/// the secret.
#[must_use]
pub fn sign(secret: &str, timestamp: i64, body: &[u8]) -> String {
    format!("{SCHEME}{}", HEXLOWER.encode(&mac(secret, &timestamp.to_string(), body).finalize().into_bytes()))
}

/// Why a webhook's signature is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The timestamp is no number of seconds.
    #[error("the timestamp is no number of seconds")]
    NoTimestamp,
    /// The timestamp is more than [`TOLERANCE_SECONDS`] off.
    #[error("the timestamp is more than {TOLERANCE_SECONDS} s off")]
    TooFarOff,
    /// No signature matches.
    #[error("no signature matches")]
    NoMatch,
}

/// Accepts a body if one of the comma-separated signatures is right for it under `secret`, and `timestamp` is near
/// `now`, both in Unix seconds. Compares in constant time.
///
/// # Errors
/// [`SignatureError`].
pub fn verify(secret: &str, timestamp: &str, signatures: &str, body: &[u8], now: i64) -> Result<(), SignatureError> {
    let sent: i64 = timestamp.parse().map_err(|_| SignatureError::NoTimestamp)?;
    if now.abs_diff(sent) > TOLERANCE_SECONDS.unsigned_abs() {
        return Err(SignatureError::TooFarOff);
    }
    let matches = |signature: &str| {
        let digits = signature.trim().strip_prefix(SCHEME)?;
        let claimed = HEXLOWER.decode(digits.as_bytes()).ok()?;
        mac(secret, timestamp, body).verify_slice(&claimed).ok()
    };
    // Every signature is compared, so that the time tells nothing about which one matched.
    let matching = signatures.split(',').filter_map(matches).count();
    if matching > 0 { Ok(()) } else { Err(SignatureError::NoMatch) }
}

/// The MAC over `{timestamp}.{raw_request_body}` (specification, "Signature", rule 2).
fn mac(secret: &str, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes a key of any length");
    mac.update(timestamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

open_enum! {
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
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Delivery {
    /// Its id.
    #[serde(deserialize_with = "lenient::needed")]
    pub id: DeliveryId,
    /// The event that it carries.
    #[serde(default, deserialize_with = "lenient::read")]
    pub event_id: Option<EventId>,
    /// What the event tells.
    #[serde(default, deserialize_with = "lenient::read")]
    pub event_type: Option<EventType>,
    /// Where it goes.
    #[serde(default, deserialize_with = "lenient::read")]
    pub target_url: Option<String>,
    /// What has become of it, where the service says; see [`Delivery::outcome`].
    #[serde(default, deserialize_with = "lenient::read")]
    pub status: Option<DeliveryStatus>,
    /// Attempts so far.
    #[serde(default, deserialize_with = "lenient::read")]
    pub attempts: u32,
    /// The status that the last answer had.
    #[serde(default, deserialize_with = "lenient::read")]
    pub response_status_code: Option<u16>,
    /// The first 2 KiB of the last answer.
    #[serde(default, deserialize_with = "lenient::read")]
    pub response_body_excerpt: Option<String>,
    /// The headers of the last attempt.
    #[serde(default, deserialize_with = "lenient::read")]
    pub request_headers: Option<BTreeMap<String, String>>,
    /// The body, as it is signed.
    #[serde(default, deserialize_with = "lenient::read")]
    pub request_body: Option<String>,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient::read")]
    pub created_at: Option<Timestamp>,
    /// When the last attempt began.
    #[serde(default, deserialize_with = "lenient::read")]
    pub last_attempted_at: Option<Timestamp>,
    /// The task that has ended.
    #[serde(default, deserialize_with = "lenient::read", alias = "agent_job_id")]
    pub task_id: Option<TaskId>,
    /// The key that started the task, and whose secret signs.
    #[serde(default, deserialize_with = "lenient::read")]
    pub api_key_id: Option<ApiKeyId>,
    /// The delivery that this one replays.
    #[serde(default, deserialize_with = "lenient::read")]
    pub replayed_from_id: Option<DeliveryId>,
    /// Every attempt.
    #[serde(default, deserialize_with = "lenient::read")]
    pub attempt_log: Vec<DeliveryAttempt>,
}

impl Delivery {
    /// The state of the delivery: as the service tells it, else by its last answer and the attempts that are left.
    #[must_use]
    pub fn outcome(&self) -> DeliveryStatus {
        match (&self.status, self.response_status_code) {
            (Some(status), _) => status.clone(),
            (None, Some(200..=299)) => DeliveryStatus::Succeeded,
            (None, _) if self.attempts < MAX_ATTEMPTS => DeliveryStatus::Pending,
            (None, _) => DeliveryStatus::Failed,
        }
    }
}

/// One attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DeliveryAttempt {
    /// 1 for the first; 0 where the service does not say.
    #[serde(default, deserialize_with = "lenient::read")]
    pub number: u32,
    /// When it began.
    #[serde(default, deserialize_with = "lenient::read")]
    pub started_at: Option<Timestamp>,
    /// How long it took; `None` while it is under way.
    #[serde(default, deserialize_with = "lenient::read")]
    pub duration_ms: Option<u64>,
    /// The status of the answer, where one came.
    #[serde(default, deserialize_with = "lenient::read")]
    pub response_status_code: Option<u16>,
    /// Why no answer came, or what was wrong with it.
    #[serde(default, deserialize_with = "lenient::read")]
    pub error: Option<String>,
}

lenient::records!(DeliveryAttempt);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const BODY: &[u8] = br#"{"id":"evt_1"}"#;
    const NOW: i64 = 1_777_636_800;

    #[test]
    fn a_signature_is_that_of_a_known_answer() {
        // Made with another implementation: printf '1777636800.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
        assert_eq!(sign("whsec_test", NOW, BODY), KNOWN);
    }

    const KNOWN: &str = "v1=09f07f881d5dfc986a6de6a3c60075e1eb11c1378be442c4372e33875bcfab56";

    #[test]
    fn only_the_signature_of_this_body_at_this_time_under_this_secret_passes() {
        let good = sign("whsec_test", NOW, BODY);
        let check = |secret: &str, timestamp: &str, signatures: &str, body: &[u8], now: i64, expected| {
            assert_eq!(verify(secret, timestamp, signatures, body, now), expected, "{timestamp} {signatures} {now}");
        };
        let time = NOW.to_string();
        let (no_match, far) = (Err(SignatureError::NoMatch), Err(SignatureError::TooFarOff));
        check("whsec_test", &time, &good, BODY, NOW, Ok(()));
        check("whsec_test", &time, &format!("v1=00, {good}"), BODY, NOW, Ok(()));
        check("whsec_test", &time, &format!("v2=00,{good},"), BODY, NOW, Ok(()));
        check("whsec_test", &time, &good, BODY, NOW + 300, Ok(()));
        check("whsec_test", &time, &good, BODY, NOW - 300, Ok(()));
        check("whsec_test", &time, &good, BODY, NOW + 301, far);
        check("whsec_test", &time, &good, BODY, NOW - 301, far);
        check("whsec_test", &time, &good, BODY, i64::MIN, far);
        check("whsec_other", &time, &good, BODY, NOW, no_match);
        check("whsec_test", &time, &good, b"{}", NOW, no_match);
        check("whsec_test", &(NOW + 1).to_string(), &good, BODY, NOW, no_match);
        check("whsec_test", &time, &good["v1=".len()..], BODY, NOW, no_match);
        check("whsec_test", &time, &good[..good.len() - 2], BODY, NOW, no_match);
        check("whsec_test", &time, &good.to_uppercase(), BODY, NOW, no_match);
        check("whsec_test", &time, "", BODY, NOW, no_match);
        check("whsec_test", "soon", &good, BODY, NOW, Err(SignatureError::NoTimestamp));
        for place in "v1=".len()..good.len() {
            let mut forged = good.clone().into_bytes();
            forged[place] = if forged[place] == b'0' { b'1' } else { b'0' };
            check("whsec_test", &time, &String::from_utf8(forged).unwrap(), BODY, NOW, no_match);
        }
    }

    #[test]
    fn the_retired_spellings_are_understood() {
        let check = |spelled: &str, expected: EventType, retryable: bool| {
            let body = json!({
                "id": "evt_00000000000000000000000000", "type": spelled, "created": "2026-05-01T12:00:00+00:00",
                "api_version": "2026-05-01", "data": {
                    "id": "task_00000000000000000000000000", "status": "failed",
                    "error": {"message": "x", "retryable": true}},
            });
            let event = read_event(body).unwrap();
            assert_eq!(event.event_type, expected, "{spelled}");
            assert_eq!(event.data.error.map(|error| error.retryable), Some(retryable), "{spelled}");
        };
        check("task.succeeded", EventType::TaskSucceeded, true);
        check("task.failed", EventType::TaskFailed, true);
        check("task.canceled", EventType::TaskCanceled, true);
        check("task.cancelled", EventType::TaskCanceled, true);
        check("job.completed", EventType::TaskSucceeded, true);
        check("job.failed", EventType::TaskFailed, true);
        check("job.cancelled", EventType::TaskCanceled, true);
        check("job.dead_letter", EventType::TaskFailed, false);
        check("moon.landed", EventType::Other("moon.landed".into()), true);
        assert!(read_event(json!({"type": "task.failed"})).is_err());
        assert!(read_event(json!("x")).is_err());
    }

    #[test]
    fn a_delivery_of_another_deployment_is_understood() {
        let id = "whd_00000000000000000000000000";
        let check = |fields: Value, expected: DeliveryStatus| {
            let mut body = json!({"id": id});
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            assert_eq!(serde_json::from_value::<Delivery>(body).unwrap().outcome(), expected, "{fields}");
        };
        check(json!({"status": "paused"}), DeliveryStatus::Other("paused".into()));
        check(json!({"response_status_code": 204}), DeliveryStatus::Succeeded);
        check(json!({"response_status_code": 500, "attempts": 2}), DeliveryStatus::Pending);
        check(json!({"response_status_code": 500, "attempts": 3}), DeliveryStatus::Failed);
        check(json!({"attempts": "3", "status": null}), DeliveryStatus::Failed);
        let task = "task_00000000000000000000000000";
        let named: Delivery =
            serde_json::from_value(json!({"id": id, "status": "failed", "agent_job_id": task, "x": 1})).unwrap();
        assert_eq!(named.task_id.unwrap().to_string(), task);
    }
}
