//! What has to be the same for every process on a database of a server: the key file, and where the contents lie.
//!
//! Always true: it is written once, and whoever opens the database has to have the same; else signatures and secrets of one would be
//! nothing to another, and each would take the other's contents for left over. Of the key file only a value is kept that tells it and
//! gives nothing away. With SQLite the folder says all of this; but that a database is not to be served any more, because its studio was moved,
//! stands here for both. Not here: what a studio has.

use sqlx::Row as _;
use uuid::Uuid;

use super::DbConnection;
use crate::core::error::Error;

/// Where the contents lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentsAt {
    /// The bucket, as `s3://BUCKET/PREFIX`.
    pub bucket: String,
    /// The id by which the bucket knows its studio.
    pub studio: Uuid,
}

/// Whether the key file that this tells is the database's own; it becomes so where there was none. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn settle_key(conn: &mut DbConnection, key_check: &[u8; 32]) -> Result<bool, Error> {
    sqlx::query(
        "INSERT INTO shared_settings (id, key_check) VALUES (1, $1)
                 ON CONFLICT (id) DO UPDATE SET key_check = $1 WHERE length(shared_settings.key_check) = 0",
    )
    .bind(key_check.as_slice())
    .execute(&mut *conn)
    .await?;
    let known: Vec<u8> =
        sqlx::query_scalar("SELECT key_check FROM shared_settings WHERE id = 1").fetch_one(conn).await?;
    Ok(known == key_check)
}

/// Forgets which key file the database has: it is lost.
///
/// # Errors
/// [`Error::Database`].
pub async fn forget_key(conn: &mut DbConnection) -> Result<(), Error> {
    sqlx::query("UPDATE shared_settings SET key_check = $1 WHERE id = 1").bind(&b""[..]).execute(conn).await?;
    Ok(())
}

/// The bucket of the contents; `None` where they lie in a data folder, or nobody has said yet.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_bucket(conn: &mut DbConnection) -> Result<Option<ContentsAt>, Error> {
    let found = sqlx::query("SELECT bucket, studio FROM shared_settings WHERE id = 1").fetch_optional(conn).await?;
    let Some(row) = found else { return Ok(None) };
    let (bucket, studio): (Option<String>, Option<Uuid>) = (row.try_get("bucket")?, row.try_get("studio")?);
    Ok(bucket.zip(studio).map(|(bucket, studio)| ContentsAt { bucket, studio }))
}

/// Says in which bucket the contents lie. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn set_bucket(conn: &mut DbConnection, at: &ContentsAt) -> Result<(), Error> {
    sqlx::query("UPDATE shared_settings SET bucket = $1, studio = $2 WHERE id = 1")
        .bind(&at.bucket)
        .bind(at.studio)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether the database is used with the key file that this tells, or with none yet.
///
/// # Errors
/// [`Error::Database`].
pub async fn is_key(conn: &mut DbConnection, key_check: &[u8; 32]) -> Result<bool, Error> {
    let known: Option<Vec<u8>> =
        sqlx::query_scalar("SELECT key_check FROM shared_settings WHERE id = 1").fetch_optional(conn).await?;
    Ok(known.is_none_or(|known| known.is_empty() || known == key_check))
}

/// Says all of it for a database that has just been filled. In its transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn write_new(
    conn: &mut DbConnection,
    key_check: Option<&[u8; 32]>,
    at: Option<&ContentsAt>,
    closed: Option<&str>,
) -> Result<(), Error> {
    sqlx::query("DELETE FROM shared_settings").execute(&mut *conn).await?;
    sqlx::query("INSERT INTO shared_settings (id, key_check, bucket, studio, closed) VALUES (1, $1, $2, $3, $4)")
        .bind(key_check.map_or(&b""[..], <[u8; 32]>::as_slice))
        .bind(at.map(|at| at.bucket.as_str()))
        .bind(at.map(|at| at.studio))
        .bind(closed)
        .execute(conn)
        .await?;
    Ok(())
}

/// Why nobody may serve this database; `None` where it may be served.
///
/// # Errors
/// [`Error::Database`].
pub async fn find_closed(conn: &mut DbConnection) -> Result<Option<String>, Error> {
    let found: Option<Option<String>> =
        sqlx::query_scalar("SELECT closed FROM shared_settings WHERE id = 1").fetch_optional(conn).await?;
    Ok(found.flatten())
}

/// Closes the database to whoever would serve it, with the reason, or opens it again. In a write transaction.
///
/// # Errors
/// [`Error::Database`].
pub async fn set_closed(conn: &mut DbConnection, closed: Option<&str>) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO shared_settings (id, key_check, closed) VALUES (1, $1, $2)
         ON CONFLICT (id) DO UPDATE SET closed = $2",
    )
    .bind(&b""[..])
    .bind(closed)
    .execute(conn)
    .await?;
    Ok(())
}
