//! The attempts: due deliveries are signed and sent, and their results written down.
//!
//! Always true: many attempts go out side by side, but of one organization, one key and to one host never more than a
//! share, and the one with the fewest under way comes next, so that a slow receiver holds up nobody else; an attempt is
//! held by the process that makes it, and if that process is gone it is made again once its lease is over. The result
//! of an attempt that the process no longer holds is not written.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use easel_wire::Timestamp;
use easel_wire::webhooks::{SIGNATURE_HEADER, TIMESTAMP_HEADER, sign};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use tokio::task::JoinSet;

use super::shares::{AT_ONCE, Share, Shares};
use crate::core::error::Error;
use crate::db::DbConnection;
use crate::db::leases::{ExpiredLeases, Work};
use crate::db::webhooks::{self as rows, AttemptEnd, DeliveryRow, Next};
use crate::studio::{SharedStudio, Studio};
use crate::wire::webhooks::MAX_ATTEMPTS;

/// Waits after the first and after the second attempt (contract, "Webhooks").
const BACKOFF: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];
/// The pause before the database is asked again after it has failed.
const AFTER_AN_ERROR: Duration = Duration::from_secs(1);
/// Due deliveries are looked for this often at least, because the calendar may jump.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// What the log says of an attempt that the end of the process interrupted.
const INTERRUPTED: &str = "the service stopped during this attempt";

/// Takes back the attempts whose lease is over, and says how many. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn take_back(studio: &Studio, conn: &mut DbConnection, over: ExpiredLeases) -> Result<usize, Error> {
    rows::take_back_attempts(conn, over, studio.clock.now(), INTERRUPTED).await
}

/// Delivers what is due, until the studio stops.
pub async fn deliver(studio: SharedStudio) {
    let mut under_way = JoinSet::new();
    let shares = Arc::new(Shares::default());
    while !studio.active_tasks.stopping.is_cancelled() {
        let pause = if under_way.len() < AT_ONCE {
            match begin(&studio, &shares).await {
                Ok(Begun::Attempt(delivery, share)) => {
                    let studio = studio.clone();
                    under_way.spawn(async move {
                        attempt(&studio, *delivery).await;
                        drop(share);
                    });
                    continue;
                }
                Ok(Begun::Nothing(pause)) => pause,
                Err(error) => {
                    tracing::error!(%error, "webhooks cannot be looked at");
                    AFTER_AN_ERROR
                }
            }
        } else {
            LONGEST_PAUSE
        };
        tokio::select! {
            () = studio.active_tasks.delivering.notified() => {}
            Some(_) = under_way.join_next() => {}
            () = tokio::time::sleep(pause) => {}
            () = studio.active_tasks.stopping.cancelled() => {}
        }
    }
    // What has gone out is answered, as long as the process is there.
    while under_way.join_next().await.is_some() {}
}

/// The next step.
#[derive(Debug)]
pub(super) enum Begun {
    /// Send this delivery, as one of the shares of its organization, key and host.
    Attempt(Box<DeliveryRow>, Share),
    /// Nothing is due for so long.
    Nothing(Duration),
}

/// Begins the next attempt of those that have room in their shares, or tells for how long there is none; look again
/// also when an attempt ends.
pub(super) async fn begin(studio: &SharedStudio, shares: &Arc<Shares>) -> Result<Begun, Error> {
    let now = studio.clock.now();
    let (due, next) = {
        let mut conn = studio.db.read().acquire().await?;
        (rows::list_due(&mut conn, now).await?, rows::find_next_due(&mut conn, now).await?)
    };
    for due in shares.in_turn(due) {
        let Some(share) = shares.take(&due) else { continue };
        let mut tx = studio.db.begin().await?;
        let delivery = rows::begin_attempt(&mut tx, &due, studio.leases.lease_at(studio.clock.now()), now).await?;
        tx.commit().await?;
        if let Some(delivery) = delivery {
            return Ok(Begun::Attempt(Box::new(delivery), share));
        }
    }
    let left = next.map(|next| next.as_micros().saturating_sub(now.as_micros()));
    let left = left.map(|left| Duration::from_micros(left.unsigned_abs()));
    Ok(Begun::Nothing(left.map_or(LONGEST_PAUSE, |left| left.min(LONGEST_PAUSE))))
}

async fn attempt(studio: &SharedStudio, delivery: DeliveryRow) {
    let held = studio.leases.hold(delivery.claim());
    let end = tokio::select! {
        () = held.lost() => return lose(studio, &delivery),
        end = send(studio, &delivery) => end,
    };
    // An attempt that cannot be written down now came to no end: it is made again once it can be.
    loop {
        match settle(studio, &delivery, &end).await {
            Ok(true) => return,
            Ok(false) => return lose(studio, &delivery),
            Err(error) => tracing::error!(delivery = %delivery.id, %error, "an attempt cannot be written down"),
        }
        tokio::select! {
            () = tokio::time::sleep(AFTER_AN_ERROR) => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
    }
}

/// Forgets an attempt whose delivery is another's now.
fn lose(studio: &Studio, delivery: &DeliveryRow) {
    studio.metrics.count_lost_lease(Work::Delivery);
    let number = delivery.attempts;
    tracing::warn!(delivery = %delivery.id, number, "another process has taken the delivery: what came of it is not written");
}

async fn send(studio: &SharedStudio, delivery: &DeliveryRow) -> AttemptEnd {
    let began = studio.clock.elapsed();
    let headers = match write_headers(studio, delivery).await {
        Ok(headers) => headers,
        Err(error) => {
            tracing::error!(delivery = %delivery.id, %error, "a webhook cannot be signed");
            return AttemptEnd {
                duration_ms: 0,
                response_status_code: None,
                response_body_excerpt: None,
                error: Some("the signing secret cannot be read".to_owned()),
                request_headers: None,
            };
        }
    };
    let written: BTreeMap<&str, &str> =
        headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap_or_default())).collect();
    let request_headers = serde_json::to_string(&written).ok();
    let answered = studio.outbound.post(&delivery.target_url, headers, delivery.request_body.clone()).await;
    let duration = studio.clock.elapsed().saturating_sub(began);
    let mut end = AttemptEnd {
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        response_status_code: None,
        response_body_excerpt: None,
        error: None,
        request_headers,
    };
    match answered {
        Ok(answered) => {
            let status = answered.status;
            end.response_status_code = Some(status.as_u16());
            end.response_body_excerpt = Some(answered.excerpt);
            end.error = (!status.is_success()).then(|| format!("answered with status {}", status.as_u16()));
        }
        Err(unanswered) => end.error = Some(unanswered.to_string()),
    }
    end
}

async fn write_headers(studio: &SharedStudio, delivery: &DeliveryRow) -> Result<HeaderMap, Error> {
    let sealed = {
        let mut conn = studio.db.read().acquire().await?;
        rows::get_sealed_secret(&mut conn, delivery.api_key_id).await?
    };
    let secret = studio.master_key.open(delivery.api_key_id.uuid().as_bytes(), &sealed)?;
    let secret = String::from_utf8(secret).map_err(|_| Error::Unsealable)?;
    let seconds = studio.clock.now().as_micros().div_euclid(1_000_000);
    let signature = sign(&secret, seconds, delivery.request_body.as_bytes());
    let mut headers = HeaderMap::new();
    let unsendable = |_| Error::Corrupt("a header that cannot be sent");
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static(concat!("easel-studio/", env!("CARGO_PKG_VERSION"))));
    for (name, value) in [(TIMESTAMP_HEADER, seconds.to_string()), (SIGNATURE_HEADER, signature)] {
        let name = HeaderName::try_from(name).map_err(|_| Error::Corrupt("the name of a header"))?;
        headers.insert(name, HeaderValue::try_from(value).map_err(unsendable)?);
    }
    Ok(headers)
}

/// Writes down what came of an attempt; false where it is held no longer.
async fn settle(studio: &SharedStudio, delivery: &DeliveryRow, end: &AttemptEnd) -> Result<bool, Error> {
    let mut tx = studio.db.begin().await?;
    let counted = rows::count_attempts(&mut tx, delivery.id).await?;
    let next = match &end.error {
        None => Next::Done,
        Some(_) if counted >= MAX_ATTEMPTS => Next::Dropped,
        Some(_) => {
            let place = usize::try_from(counted.saturating_sub(1)).unwrap_or_default();
            let wait = BACKOFF.get(place).copied().unwrap_or_default();
            let wait = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
            Next::Again(Timestamp::from_micros(studio.clock.now().as_micros().saturating_add(wait)))
        }
    };
    if !rows::end_attempt(&mut tx, delivery, end, next).await? {
        return Ok(false);
    }
    tx.commit().await?;
    studio.metrics.count_attempt(end.error.is_none());
    let number = delivery.attempts;
    match next {
        Next::Done => tracing::info!(delivery = %delivery.id, number, "webhook delivered"),
        Next::Again(_) => tracing::info!(delivery = %delivery.id, number, error = end.error, "webhook attempt failed"),
        Next::Dropped => tracing::warn!(delivery = %delivery.id, number, error = end.error, "webhook dropped"),
    }
    Ok(true)
}
