//! What was answered under an idempotency key (contract, "Tasks and remix" and "Drive").
//!
//! Always true: a key belongs to one API key and one endpoint, and is remembered for [`REMEMBERED`]. It is looked up
//! and kept in the write transaction of what it stands for. Not here: what an answer says.

use std::time::Duration;

use easel_wire::Timestamp;

use crate::core::error::Error;
use crate::db::DbConnection;
use crate::wire::ApiKeyId;

/// How long a key is remembered.
pub const REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest key, in characters.
pub const MAX_KEY_CHARS: usize = 255;

/// One use of an idempotency key.
#[derive(Debug, Clone, Copy)]
pub struct Use<'a> {
    /// Method and path.
    pub endpoint: &'static str,
    /// The key.
    pub key: &'a str,
    /// Of what the body means, the key left out.
    pub body_hash: [u8; 32],
}

/// Refuses an empty key, and one longer than [`MAX_KEY_CHARS`].
///
/// # Errors
/// 422 for `field`.
pub fn check_key(field: &str, key: &str) -> Result<(), Error> {
    match key.chars().count() {
        0 => Err(Error::validation(field, "required")),
        1..=MAX_KEY_CHARS => Ok(()),
        _ => Err(Error::validation(field, "too_long")),
    }
}

/// The answer that this use was given before; `None` where it is the first.
///
/// # Errors
/// [`Error::IdempotencyConflict`] where the key was used with another body.
pub async fn recall(
    conn: &mut DbConnection,
    api_key: ApiKeyId,
    used: &Use<'_>,
    now: Timestamp,
) -> Result<Option<String>, Error> {
    let found: Option<(Vec<u8>, String)> = sqlx::query_as(
        "SELECT body_hash, response FROM idempotency_keys
         WHERE api_key_id = $1 AND endpoint = $2 AND key = $3 AND created_at > $4",
    )
    .bind(api_key.uuid())
    .bind(used.endpoint)
    .bind(used.key)
    .bind(forgotten_before(now))
    .fetch_optional(conn)
    .await?;
    match found {
        None => Ok(None),
        Some((body_hash, response)) if body_hash == used.body_hash => Ok(Some(response)),
        Some(_) => Err(Error::IdempotencyConflict),
    }
}

/// Keeps the answer to this use, and forgets answers that are too old.
///
/// # Errors
/// [`Error::Database`].
pub async fn remember(
    conn: &mut DbConnection,
    api_key: ApiKeyId,
    used: &Use<'_>,
    response: &str,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query("DELETE FROM idempotency_keys WHERE created_at <= $1")
        .bind(forgotten_before(now))
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "INSERT INTO idempotency_keys (api_key_id, endpoint, key, body_hash, response, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(api_key.uuid())
    .bind(used.endpoint)
    .bind(used.key)
    .bind(used.body_hash.as_slice())
    .bind(response)
    .bind(now.as_micros())
    .execute(conn)
    .await?;
    Ok(())
}

fn forgotten_before(now: Timestamp) -> i64 {
    now.as_micros().saturating_sub(i64::try_from(REMEMBERED.as_micros()).unwrap_or(i64::MAX))
}
