//! Webhook deliveries and their attempts (specification, "Delivery and retry" and "Delivery log and replay"; contract,
//! "Webhooks").
//!
//! Always true: an attempt is a row before it is made; a delivery is pending until an attempt succeeds or the last one
//! fails. While an attempt is under way one process holds the delivery ([`super::leases`]), and only that one ends it.
//! An attempt whose lease is over is made again and does not count, so a delivery arrives at least once. Not here:
//! sending, backoff, and who may see or replay what.

use std::collections::{BTreeMap, HashMap};

use easel_wire::Timestamp;
use easel_wire::error::code;
use sqlx::{FromRow, QueryBuilder, Row};
use uuid::Uuid;

use super::columns::{moment, read_value};
use super::leases::{Claim, ExpiredLeases, Holder, Lease, Work};
use crate::core::error::Error;
use crate::core::page::Start;
use crate::db::selected::columns;
use crate::db::{DbConnection, DbRow, Engine};
use crate::wire::webhooks::{Delivery, DeliveryAttempt, DeliveryStatus, EventType};
use crate::wire::{ApiKeyId, DeliveryId, EventId, OrganizationId, TaskId, TeamId, UserId};

/// Old deliveries removed while the write lock is held once.
const REMOVED_A_TURN: i64 = 500;

/// A delivery.
#[derive(Debug, Clone, PartialEq)]
pub struct DeliveryRow {
    /// Its id.
    pub id: DeliveryId,
    /// The team of the task.
    pub team_id: TeamId,
    /// The key that started the task.
    pub api_key_id: ApiKeyId,
    /// The task that has ended.
    pub task_id: TaskId,
    /// The event that it carries.
    pub event_id: EventId,
    /// What the event tells.
    pub event_type: EventType,
    /// Where it goes.
    pub target_url: String,
    /// What has become of it.
    pub status: DeliveryStatus,
    /// Attempts begun.
    pub attempts: u32,
    /// The process that makes the last one, while it is under way.
    pub claimed_by: Option<Holder>,
    /// The headers of the last attempt that came to its end, as JSON.
    pub request_headers: Option<String>,
    /// The body as it is signed.
    pub request_body: String,
    /// The status of the last answer.
    pub response_status_code: Option<u16>,
    /// The beginning of the last answer.
    pub response_body_excerpt: Option<String>,
    /// The delivery that this one replays.
    pub replayed_from_id: Option<DeliveryId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When the last attempt began.
    pub last_attempted_at: Option<Timestamp>,
}

impl FromRow<'_, DbRow> for DeliveryRow {
    fn from_row(row: &DbRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: DeliveryId::from_uuid(row.try_get("id")?),
            team_id: TeamId::from_uuid(row.try_get("team_id")?),
            api_key_id: ApiKeyId::from_uuid(row.try_get("api_key_id")?),
            task_id: TaskId::from_uuid(row.try_get("task_id")?),
            event_id: EventId::from_uuid(row.try_get("event_id")?),
            event_type: read_value(row, "event_type")?,
            target_url: row.try_get("target_url")?,
            status: read_value(row, "status")?,
            attempts: row.try_get("attempts")?,
            claimed_by: Holder::of_row(row)?,
            request_headers: row.try_get("request_headers")?,
            request_body: row.try_get("request_body")?,
            response_status_code: row.try_get("response_status_code")?,
            response_body_excerpt: row.try_get("response_body_excerpt")?,
            replayed_from_id: row.try_get::<Option<Uuid>, _>("replayed_from_id")?.map(DeliveryId::from_uuid),
            created_at: moment(row.try_get("created_at")?),
            last_attempted_at: row.try_get::<Option<i64>, _>("last_attempted_at")?.map(moment),
        })
    }
}

impl DeliveryRow {
    /// The claim of the last attempt.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { work: Work::Delivery, id: self.id.uuid(), attempt: self.attempts }
    }

    /// The delivery's record; the body, which has the whole task, only if the reader sees the task.
    #[must_use]
    pub fn into_record(self, attempt_log: Vec<DeliveryAttempt>, sees_task: bool) -> Delivery {
        let headers = self.request_headers.and_then(|text| serde_json::from_str::<BTreeMap<_, _>>(&text).ok());
        Delivery {
            id: self.id,
            event_id: Some(self.event_id),
            event_type: Some(self.event_type),
            target_url: Some(self.target_url),
            status: self.status,
            attempts: self.attempts,
            response_status_code: self.response_status_code,
            response_body_excerpt: self.response_body_excerpt,
            request_headers: headers,
            request_body: sees_task.then_some(self.request_body),
            created_at: Some(self.created_at),
            last_attempted_at: self.last_attempted_at,
            task_id: Some(self.task_id),
            api_key_id: Some(self.api_key_id),
            replayed_from_id: self.replayed_from_id,
            attempt_log,
        }
    }
}

/// Stores a new delivery, due at once. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn insert_delivery(conn: &mut DbConnection, delivery: &DeliveryRow) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO webhook_deliveries
           (id, team_id, api_key_id, task_id, event_id, event_type, target_url, status, request_body, replayed_from_id,
            created_at, next_attempt_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $10, $10)",
    )
    .bind(delivery.id.uuid())
    .bind(delivery.team_id.uuid())
    .bind(delivery.api_key_id.uuid())
    .bind(delivery.task_id.uuid())
    .bind(delivery.event_id.uuid())
    .bind(delivery.event_type.as_str())
    .bind(&delivery.target_url)
    .bind(&delivery.request_body)
    .bind(delivery.replayed_from_id.map(DeliveryId::uuid))
    .bind(delivery.created_at.as_micros())
    .execute(conn)
    .await?;
    Ok(())
}

/// Deliveries that are due: whose, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The organization whose tasks they tell of.
    pub organization: OrganizationId,
    /// The key that started those tasks.
    pub key: ApiKeyId,
    /// The callback address.
    pub url: String,
    /// Since when the first of them is due.
    pub since: Timestamp,
}

/// The due deliveries: each key and address once, the longest due first.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_due(conn: &mut DbConnection, now: Timestamp) -> Result<Vec<Due>, Error> {
    let due: Vec<(Uuid, Uuid, String, i64)> = sqlx::query_as(
        "SELECT teams.organization_id, due.api_key_id, due.target_url, due.since
         FROM (SELECT team_id, api_key_id, target_url, MIN(next_attempt_at) AS since FROM webhook_deliveries
               WHERE status = 'pending' AND next_attempt_at <= $1 GROUP BY team_id, api_key_id, target_url) AS due
         JOIN teams ON teams.id = due.team_id ORDER BY due.since",
    )
    .bind(now.as_micros())
    .fetch_all(conn)
    .await?;
    let read = |(organization, key, url, since): (Uuid, Uuid, String, i64)| Due {
        organization: OrganizationId::from_uuid(organization),
        key: ApiKeyId::from_uuid(key),
        url,
        since: moment(since),
    };
    Ok(due.into_iter().map(read).collect())
}

/// Begins the next attempt at the delivery that is longest due of these, for as long as `lease` says; `None` where none
/// is. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn begin_attempt(
    conn: &mut DbConnection,
    due: &Due,
    lease: Lease,
    now: Timestamp,
) -> Result<Option<DeliveryRow>, Error> {
    let claimed: Option<DeliveryRow> = sqlx::query_as(concat!(
        "UPDATE webhook_deliveries SET next_attempt_at = NULL, last_attempted_at = $1, attempts = attempts + 1,
           claimed_by = $4, lease_until = $5
         WHERE id = (SELECT id FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= $1
                       AND api_key_id = $2 AND target_url = $3 ORDER BY next_attempt_at, id LIMIT 1)
         RETURNING ",
        columns!("webhook_deliveries", webhook_deliveries)
    ))
    .bind(now.as_micros())
    .bind(due.key.uuid())
    .bind(&due.url)
    .bind(lease.holder.uuid())
    .bind(lease.until.as_micros())
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(delivery) = &claimed {
        sqlx::query("INSERT INTO webhook_attempts (delivery_id, number, started_at) VALUES ($1, $2, $3)")
            .bind(delivery.id.uuid())
            .bind(delivery.attempts)
            .bind(now.as_micros())
            .execute(conn)
            .await?;
    }
    Ok(claimed)
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptEnd {
    /// How long it took.
    pub duration_ms: u64,
    /// The status of the answer, where one came.
    pub response_status_code: Option<u16>,
    /// The beginning of the answer.
    pub response_body_excerpt: Option<String>,
    /// The fault of the attempt; `None` where the receiver took the delivery.
    pub error: Option<String>,
    /// The headers that were sent, as JSON.
    pub request_headers: Option<String>,
}

/// What comes after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The receiver took it.
    Done,
    /// The delivery is tried again then.
    Again(Timestamp),
    /// The delivery is dropped.
    Dropped,
}

/// Attempts of a delivery that count, the one under way included.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_attempts(conn: &mut DbConnection, id: DeliveryId) -> Result<u32, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM webhook_attempts WHERE delivery_id = $1 AND interrupted = 0")
        .bind(id.uuid())
        .fetch_one(conn)
        .await?)
}

/// Ends the attempt under way of a delivery; false where it is held by the holder that `delivery` names no longer, and
/// nothing is written then. In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn end_attempt(
    conn: &mut DbConnection,
    delivery: &DeliveryRow,
    end: &AttemptEnd,
    next: Next,
) -> Result<bool, Error> {
    let (status, due) = match next {
        Next::Done => (DeliveryStatus::Succeeded, None),
        Next::Again(due) => (DeliveryStatus::Pending, Some(due.as_micros())),
        Next::Dropped => (DeliveryStatus::Failed, None),
    };
    let changed = sqlx::query(
        "UPDATE webhook_deliveries SET status = $2, next_attempt_at = $3, response_status_code = $4,
           response_body_excerpt = $5, request_headers = $6, claimed_by = NULL, lease_until = NULL
         WHERE id = $1 AND attempts = $7 AND claimed_by = $8",
    )
    .bind(delivery.id.uuid())
    .bind(status.as_str())
    .bind(due)
    .bind(end.response_status_code)
    .bind(&end.response_body_excerpt)
    .bind(&end.request_headers)
    .bind(delivery.attempts)
    .bind(delivery.claimed_by.map(Holder::uuid))
    .execute(&mut *conn)
    .await?;
    if changed.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "UPDATE webhook_attempts SET duration_ms = $3, response_status_code = $4, error = $5
         WHERE delivery_id = $1 AND number = $2",
    )
    .bind(delivery.id.uuid())
    .bind(delivery.attempts)
    .bind(i64::try_from(end.duration_ms).unwrap_or(i64::MAX))
    .bind(end.response_status_code)
    .bind(&end.error)
    .execute(conn)
    .await?;
    Ok(true)
}

/// Makes every delivery due again whose attempt is under way under a lease that is over, and says how many there are.
/// In a write transaction.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn take_back_attempts(
    conn: &mut DbConnection,
    over: ExpiredLeases,
    now: Timestamp,
    error: &str,
) -> Result<usize, Error> {
    let left: Vec<(Uuid, u32)> = sqlx::query_as(
        "UPDATE webhook_deliveries SET next_attempt_at = $4, claimed_by = NULL, lease_until = NULL
         WHERE claimed_by <> $1 AND (lease_until <= $2 OR lease_until > $3) RETURNING id, attempts",
    )
    .bind(over.asking.uuid())
    .bind(over.ended_by)
    .bind(over.too_far_ahead)
    .bind(now.as_micros())
    .fetch_all(&mut *conn)
    .await?;
    for (delivery, number) in &left {
        sqlx::query("UPDATE webhook_attempts SET interrupted = 1, error = $3 WHERE delivery_id = $1 AND number = $2")
            .bind(*delivery)
            .bind(*number)
            .bind(error)
            .execute(&mut *conn)
            .await?;
    }
    Ok(left.len())
}

/// When the next attempt is due that is not yet; `None` where none is.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_next_due(conn: &mut DbConnection, now: Timestamp) -> Result<Option<Timestamp>, Error> {
    let due: Option<i64> = sqlx::query_scalar(
        "SELECT MIN(next_attempt_at) FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at > $1",
    )
    .bind(now.as_micros())
    .fetch_one(conn)
    .await?;
    Ok(due.map(moment))
}

/// How many deliveries are still to be tried.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_pending(conn: &mut DbConnection) -> Result<u64, Error> {
    let count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'pending'").fetch_one(conn).await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// What signs a delivery: the sealed secret of its key, which may be deleted.
///
/// # Errors
/// [`Error::Database`].
pub async fn get_sealed_secret(conn: &mut DbConnection, key: ApiKeyId) -> Result<Vec<u8>, Error> {
    Ok(sqlx::query_scalar("SELECT sealed_secret FROM api_keys WHERE id = $1").bind(key.uuid()).fetch_one(conn).await?)
}

/// The user who made a key, and whether the key is still there.
///
/// # Errors
/// [`Error::Database`].
pub async fn get_key_maker(conn: &mut DbConnection, key: ApiKeyId) -> Result<(UserId, bool), Error> {
    let row = sqlx::query("SELECT user_id, deleted_at IS NULL AS is_there FROM api_keys WHERE id = $1")
        .bind(key.uuid())
        .fetch_one(conn)
        .await?;
    Ok((UserId::from_uuid(row.try_get("user_id")?), row.try_get("is_there")?))
}

/// The deliveries that a reader sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogReader {
    /// The team.
    pub team: TeamId,
    /// The user whose keys' deliveries are seen; the whole team's where absent.
    pub only_of: Option<UserId>,
}

/// Which deliveries a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Deliveries of this key.
    pub api_key_id: Option<ApiKeyId>,
    /// Deliveries that tell this event.
    pub event_type: Option<EventType>,
    /// Deliveries in this state.
    pub status: Option<DeliveryStatus>,
    /// Deliveries made then or later.
    pub from: Option<Timestamp>,
    /// Deliveries made before.
    pub to: Option<Timestamp>,
}

/// A delivery's position in its list: when it was made, and its id.
pub type DeliveryPosition = (i64, Uuid);

/// A page of deliveries, `created_at` descending, then id descending; and one more where more follow.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_deliveries(
    conn: &mut DbConnection,
    reader: LogReader,
    filter: &DeliveryFilter,
    start: &Start<DeliveryPosition>,
    limit: u64,
) -> Result<Vec<DeliveryRow>, Error> {
    let mut sql = QueryBuilder::<Engine>::new(concat!(
        "SELECT ",
        columns!("webhook_deliveries", webhook_deliveries),
        " FROM webhook_deliveries"
    ));
    push_filter(&mut sql, reader, filter);
    if let Start::After((created_at, id)) = start {
        sql.push(" AND (created_at, id) < (").push_bind(*created_at).push(", ").push_bind(*id).push(")");
    }
    sql.push(" ORDER BY created_at DESC, id DESC LIMIT ").push_bind(i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1);
    if let Start::Offset(offset) = start {
        sql.push(" OFFSET ").push_bind(i64::try_from(*offset).unwrap_or(i64::MAX));
    }
    Ok(sql.build_query_as().fetch_all(conn).await?)
}

/// How many deliveries a list has in all.
///
/// # Errors
/// [`Error::Database`].
pub async fn count_deliveries(
    conn: &mut DbConnection,
    reader: LogReader,
    filter: &DeliveryFilter,
) -> Result<u64, Error> {
    let mut sql = QueryBuilder::<Engine>::new("SELECT COUNT(*) FROM webhook_deliveries");
    push_filter(&mut sql, reader, filter);
    let count: i64 = sql.build_query_scalar().fetch_one(conn).await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

fn push_filter(sql: &mut QueryBuilder<Engine>, reader: LogReader, filter: &DeliveryFilter) {
    sql.push(" WHERE team_id = ").push_bind(reader.team.uuid());
    if let Some(user) = reader.only_of {
        sql.push(" AND api_key_id IN (SELECT id FROM api_keys WHERE user_id = ").push_bind(user.uuid()).push(")");
    }
    if let Some(key) = filter.api_key_id {
        sql.push(" AND api_key_id = ").push_bind(key.uuid());
    }
    if let Some(event_type) = &filter.event_type {
        sql.push(" AND event_type = ").push_bind(event_type.as_str());
    }
    if let Some(status) = &filter.status {
        sql.push(" AND status = ").push_bind(status.as_str());
    }
    if let Some(from) = filter.from {
        sql.push(" AND created_at >= ").push_bind(from.as_micros());
    }
    if let Some(to) = filter.to {
        sql.push(" AND created_at < ").push_bind(to.as_micros());
    }
}

/// The delivery, where this reader sees it.
///
/// # Errors
/// 404 `delivery_not_found`.
pub async fn get_delivery(conn: &mut DbConnection, reader: LogReader, id: DeliveryId) -> Result<DeliveryRow, Error> {
    let mut sql = QueryBuilder::<Engine>::new(concat!(
        "SELECT ",
        columns!("webhook_deliveries", webhook_deliveries),
        " FROM webhook_deliveries"
    ));
    push_filter(&mut sql, reader, &DeliveryFilter::default());
    sql.push(" AND id = ").push_bind(id.uuid());
    let found: Option<DeliveryRow> = sql.build_query_as().fetch_optional(conn).await?;
    found.ok_or_else(|| Error::not_found(code::DELIVERY_NOT_FOUND))
}

/// Every attempt at these deliveries, in order.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_attempts(
    conn: &mut DbConnection,
    deliveries: &[DeliveryId],
) -> Result<HashMap<DeliveryId, Vec<DeliveryAttempt>>, Error> {
    let mut found: HashMap<DeliveryId, Vec<DeliveryAttempt>> = HashMap::new();
    if deliveries.is_empty() {
        return Ok(found);
    }
    let mut sql = QueryBuilder::<Engine>::new(concat!(
        "SELECT ",
        columns!("webhook_attempts", webhook_attempts),
        " FROM webhook_attempts WHERE delivery_id IN ("
    ));
    let mut list = sql.separated(", ");
    for id in deliveries {
        list.push_bind(id.uuid());
    }
    sql.push(") ORDER BY delivery_id, number");
    for row in sql.build().fetch_all(conn).await? {
        let duration: Option<i64> = row.try_get("duration_ms")?;
        found.entry(DeliveryId::from_uuid(row.try_get("delivery_id")?)).or_default().push(DeliveryAttempt {
            number: row.try_get("number")?,
            started_at: Some(moment(row.try_get("started_at")?)),
            duration_ms: duration.and_then(|duration| u64::try_from(duration).ok()),
            response_status_code: row.try_get("response_status_code")?,
            error: row.try_get("error")?,
        });
    }
    Ok(found)
}

/// Deletes some of the deliveries made before this moment with their attempts, and says how many: none once all are
/// gone. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn delete_old(conn: &mut DbConnection, before: Timestamp) -> Result<u64, Error> {
    let deleted = sqlx::query(
        "DELETE FROM webhook_deliveries WHERE id IN
           (SELECT id FROM webhook_deliveries WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
    )
    .bind(before.as_micros())
    .bind(REMOVED_A_TURN)
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
