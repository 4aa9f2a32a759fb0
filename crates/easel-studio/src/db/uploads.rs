//! Signed uploads: from the signature to the memory of what became of it (contract, "Uploads").
//!
//! A row is made when a URL is signed, is written once a PUT has come whole, and consumed when it was registered; then
//! it keeps the result for a day. What was PUT but never registered stays (specification, "Endpoints", behaviour rule
//! 5).

use easel_wire::Timestamp;
use sqlx::{QueryBuilder, Row};
use uuid::Uuid;

use crate::core::clock::DAY_US;
use crate::core::error::Error;
use crate::db::lists::push_list;
use crate::db::{Db, DbConnection, DbRow, Engine, Tx};
use crate::wire::{ApiKeyId, UserId};

/// How long a consumed storage key is remembered.
pub const MEMORY_US: i64 = DAY_US;

/// A signed upload.
#[derive(Debug, Clone)]
pub struct SignedUploadRow {
    /// Where the blob is staged.
    pub storage_key: String,
    /// Who asked for the URL.
    pub user_id: UserId,
    /// With which key; `None` for one of an older version.
    pub api_key_id: Option<ApiKeyId>,
    /// Whether that key is still valid, as far as is known.
    pub key_holds: bool,
    /// The name given when signing.
    pub filename: String,
    /// The type that the PUT must carry.
    pub mime_type: String,
    /// Whether a PUT has come whole.
    pub written: bool,
    /// When it was registered, and with which result, as JSON.
    pub consumed: Option<(Timestamp, String)>,
}

/// Stores a signed upload.
pub async fn insert_signed_upload(
    tx: &mut Tx,
    row: &SignedUploadRow,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO signed_uploads (storage_key, user_id, filename, mime_type, created_at, expires_at, api_key_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&row.storage_key)
    .bind(row.user_id.uuid())
    .bind(&row.filename)
    .bind(&row.mime_type)
    .bind(now.as_micros())
    .bind(expires_at.as_micros())
    .bind(row.api_key_id.map(ApiKeyId::uuid))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The signed upload with this storage key, and whether the API key that asked for it is valid now.
pub async fn find_signed_upload(
    conn: &mut DbConnection,
    storage_key: &str,
    now: Timestamp,
) -> Result<Option<SignedUploadRow>, Error> {
    Ok(find_signed_uploads(conn, vec![storage_key.to_owned()], now).await?.pop())
}

/// The signed uploads with these storage keys, as [`find_signed_upload`] has them, in no order.
pub async fn find_signed_uploads(
    conn: &mut DbConnection,
    storage_keys: Vec<String>,
    now: Timestamp,
) -> Result<Vec<SignedUploadRow>, Error> {
    if storage_keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = QueryBuilder::<Engine>::new(
        "SELECT storage_key, user_id, api_key_id, filename, mime_type, written_at, consumed_at, result,
           (api_key_id IS NULL OR EXISTS (SELECT 1 FROM api_keys
             WHERE api_keys.id = signed_uploads.api_key_id AND deleted_at IS NULL
               AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ",
    );
    sql.push_bind(now.as_micros()).push("))) AS key_holds FROM signed_uploads WHERE storage_key IN (");
    push_list(&mut sql, storage_keys.into_iter());
    let rows = sql.build().fetch_all(conn).await?;
    rows.iter().map(read_row).collect()
}

fn read_row(row: &DbRow) -> Result<SignedUploadRow, Error> {
    let consumed_at: Option<i64> = row.try_get("consumed_at")?;
    let result: Option<String> = row.try_get("result")?;
    Ok(SignedUploadRow {
        storage_key: row.try_get("storage_key")?,
        user_id: UserId::from_uuid(row.try_get("user_id")?),
        api_key_id: row.try_get::<Option<Uuid>, _>("api_key_id")?.map(ApiKeyId::from_uuid),
        key_holds: row.try_get("key_holds")?,
        filename: row.try_get("filename")?,
        mime_type: row.try_get("mime_type")?,
        written: row.try_get::<Option<i64>, _>("written_at")?.is_some(),
        consumed: consumed_at.map(Timestamp::from_micros).zip(result),
    })
}

/// Notes that a PUT has come whole; false where an earlier one had.
pub async fn mark_written(tx: &mut Tx, storage_key: &str, size_bytes: u64, now: Timestamp) -> Result<bool, Error> {
    let marked = sqlx::query(
        "UPDATE signed_uploads SET written_at = $1, size_bytes = $2 WHERE storage_key = $3 AND written_at IS NULL",
    )
    .bind(now.as_micros())
    .bind(i64::try_from(size_bytes).unwrap_or(i64::MAX))
    .bind(storage_key)
    .execute(&mut **tx)
    .await?;
    Ok(marked.rows_affected() == 1)
}

/// Notes that uploads were registered, each with its answer, by their storage keys.
pub async fn mark_consumed(tx: &mut Tx, results: &[(&str, &str)], now: Timestamp) -> Result<(), Error> {
    // There are few different lengths, so that few statements are prepared.
    let mut left = results;
    while let Some(most) = left.len().checked_ilog2() {
        let (some, rest) = left.split_at(1 << most);
        let mut sql = QueryBuilder::<Engine>::new("UPDATE signed_uploads SET consumed_at = ");
        sql.push_bind(now.as_micros())
            .push(", result = given.answer FROM (SELECT column1 AS registered, column2 AS answer FROM (");
        sql.push_values(some, |mut row, (storage_key, result)| {
            row.push_bind((*storage_key).to_owned()).push_bind((*result).to_owned());
        });
        sql.push(") AS rows_given) AS given WHERE signed_uploads.storage_key = given.registered");
        sql.build().execute(&mut **tx).await?;
        left = rest;
    }
    Ok(())
}

/// Every storage key that was registered: the bytes under it are of no more use.
pub async fn list_consumed(db: &Db) -> Result<Vec<String>, Error> {
    Ok(sqlx::query_scalar("SELECT storage_key FROM signed_uploads WHERE consumed_at IS NOT NULL")
        .fetch_all(db.read())
        .await?)
}

/// Forgets uploads that were registered more than a day ago, and those that expired so long ago without a PUT.
pub async fn forget_old(tx: &mut Tx, now: Timestamp) -> Result<(), Error> {
    sqlx::query("DELETE FROM signed_uploads WHERE consumed_at < $1 OR (written_at IS NULL AND expires_at < $1)")
        .bind(now.as_micros().saturating_sub(MEMORY_US))
        .execute(&mut **tx)
        .await?;
    Ok(())
}
