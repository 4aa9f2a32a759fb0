//! Copies of a whole database, made by SQLite's own means beside whoever writes to it, and what a copy says of itself.
//!
//! `VACUUM INTO` reads in one transaction, so a copy holds every commit before it began and none by halves. Always
//! true: a copy comes under its name when it is whole and on the disk. Nothing here brings a schema up to date: a
//! backup of an older database stays one. Not here: where copies are kept, and for how long.

use std::collections::BTreeMap;
use std::path::Path;

use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _};

use super::DbConnection;
use super::migrations::{bring_in_schema, find_schema, newest_schema};
use super::options::options_of;
use super::place::ServerUrl;
use crate::blobs::ContentHash;
use crate::core::error::Error;
use crate::core::private_files::{remove_if_there, sync_folder_of};

/// Every column that names a content, with the condition under which its row needs the content. A table that is
/// missing, because the database is older, names none.
const CONTENT_COLUMNS: &[(&str, &str, &str, &str)] = &[
    ("files", "content_hash", "size_bytes", "TRUE"),
    ("file_versions", "content_hash", "size_bytes", "TRUE"),
    ("canvas_versions", "document_hash", "NULL", "TRUE"),
    ("canvas_versions", "thumbnail_hash", "NULL", "thumbnail_hash IS NOT NULL"),
    ("canvases", "document_hash", "NULL", "TRUE"),
    ("canvases", "thumbnail_hash", "NULL", "thumbnail_hash IS NOT NULL"),
    ("trashed_files", "content_hash", "size_bytes", "TRUE"),
    ("trashed_canvases", "document_hash", "NULL", "TRUE"),
    ("trashed_canvases", "thumbnail_hash", "NULL", "thumbnail_hash IS NOT NULL"),
    ("exports", "document_hash", "NULL", "completed_at IS NULL"),
    ("exports", "result_hash", "size_bytes", "result_hash IS NOT NULL"),
];

/// Opens a database without changing it.
///
/// # Errors
/// [`Error::Database`].
pub async fn open_as_it_is(path: &Path) -> Result<DbConnection, Error> {
    Ok(options_of(path).connect().await?.into())
}

/// Connects to a database on a server without changing it.
///
/// # Errors
/// [`Error::Database`], [`Error::Usage`].
pub async fn connect_as_it_is(url: &ServerUrl) -> Result<DbConnection, Error> {
    Ok(url.options()?.connect().await?.into())
}

/// What a connection is told that stands still in a transaction for as long as contents are copied, whatever the server's own settings are; a
/// machine that is lost is noticed within a minute.
const LASTING: &str = "SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0; SET statement_timeout = 0; \
     SET lock_timeout = 0; SET synchronous_commit = on; \
     SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3";

/// As [`connect_as_it_is`], for as long as it takes.
///
/// # Errors
/// [`Error::Database`], [`Error::Usage`].
pub async fn connect_lastingly(url: &ServerUrl) -> Result<DbConnection, Error> {
    let mut conn = connect_as_it_is(url).await?;
    conn.execute(sqlx::raw_sql(LASTING)).await?;
    Ok(conn)
}

/// Opens a copy of a database that is nobody's, and brings its schema up to date.
///
/// # Errors
/// [`Error::Usage`] for one of a newer program; [`Error::Database`], [`Error::Migration`], [`Error::StorageFull`].
pub async fn open_up_to_date(copy: &Path) -> Result<DbConnection, Error> {
    let mut conn: DbConnection = options_of(copy).connect().await?.into();
    let known = find_schema(&mut conn).await;
    conn.close().await?;
    known?;
    let mut conn = options_of(copy).connect().await?;
    bring_in_schema(&mut conn, newest_schema()).await?;
    Ok(conn.into())
}

/// Copies the database at `from` to `to`, where nothing may be.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`], [`Error::Io`].
pub async fn copy_database(from: &Path, to: &Path) -> Result<(), Error> {
    let mut conn = options_of(from).connect().await?;
    let copied = copy_into(&mut conn, to).await;
    conn.close().await?;
    copied
}

/// Copies the database of this connection to `to`, where no file may be.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`], [`Error::Io`].
pub async fn copy_into(conn: &mut SqliteConnection, to: &Path) -> Result<(), Error> {
    let draft = to.with_extension("part");
    remove_if_there(&draft)?;
    let name = draft.to_str().ok_or_else(|| Error::Usage("a path that is not UTF-8 cannot be used".to_owned()))?;
    sqlx::query("VACUUM INTO $1").bind(name).execute(conn).await?;
    std::fs::File::open(&draft)?.sync_all()?;
    std::fs::rename(&draft, to)?;
    sync_folder_of(to)?;
    Ok(())
}

/// Opens a copy to whoever serves it, where what it is of is closed: that says something of the place, and nothing of what was there.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn open_again(copy: &Path) -> Result<(), Error> {
    let mut conn = options_of(copy).connect().await?;
    let columns = "SELECT EXISTS (SELECT 1 FROM pragma_table_info('shared_settings') WHERE name = 'closed')";
    let opened = async {
        // In a database of an older program nothing of the kind is known.
        if sqlx::query_scalar(columns).fetch_one(&mut conn).await? {
            sqlx::query("UPDATE shared_settings SET closed = NULL WHERE closed IS NOT NULL").execute(&mut conn).await?;
        }
        Ok(())
    };
    let opened = opened.await;
    conn.close().await?;
    opened
}

/// Every content that some row needs, with its size where a row tells it.
///
/// # Errors
/// [`Error::Database`], [`Error::Corrupt`].
pub async fn list_named_contents(conn: &mut DbConnection) -> Result<BTreeMap<ContentHash, Option<u64>>, Error> {
    let mut named = BTreeMap::new();
    for (table, column, size, condition) in present(conn).await? {
        let sql = format!("SELECT {column}, MAX({size}) FROM {table} WHERE {condition} GROUP BY {column}");
        let rows: Vec<(Vec<u8>, Option<i64>)> = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut *conn).await?;
        for (hash, size) in rows {
            let hash = hash.try_into().map_err(|_| Error::Corrupt("a content hash that is not 32 bytes long"))?;
            let size = size.and_then(|size| u64::try_from(size).ok());
            let known = named.entry(hash).or_insert(size);
            *known = known.or(size);
        }
    }
    Ok(named)
}

/// The rows that need this content: their tables and ids in hex, at most `limit`.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_naming_rows(
    conn: &mut DbConnection,
    hash: &ContentHash,
    limit: u32,
) -> Result<Vec<(String, uuid::Uuid)>, Error> {
    let mut found = Vec::new();
    for (table, column, _, condition) in present(conn).await? {
        let sql = format!("SELECT '{table}', id FROM {table} WHERE {column} = $1 AND {condition} LIMIT $2");
        let rows: Vec<(String, uuid::Uuid)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(hash.as_slice()).bind(limit).fetch_all(&mut *conn).await?;
        found.extend(rows);
    }
    Ok(found)
}

/// The names of all tables.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_tables(conn: &mut DbConnection) -> Result<Vec<String>, Error> {
    let tables = if conn.is_postgres() {
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
    } else {
        "SELECT name FROM sqlite_master WHERE type = 'table'"
    };
    Ok(sqlx::query_scalar(tables).fetch_all(conn).await?)
}

async fn present(
    conn: &mut DbConnection,
) -> Result<Vec<(&'static str, &'static str, &'static str, &'static str)>, Error> {
    let tables = list_tables(conn).await?;
    Ok(CONTENT_COLUMNS.iter().filter(|(table, ..)| tables.iter().any(|there| there == table)).copied().collect())
}

/// A staged upload, by its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedRow {
    /// The path of its bytes below the blobs.
    pub storage_key: String,
    /// Whether its bytes came whole and wait to be registered; nothing may lie there yet, or any more, else.
    pub waits: bool,
    /// How many bytes came.
    pub size_bytes: Option<u64>,
}

/// Every signed upload.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_staged(conn: &mut DbConnection) -> Result<Vec<StagedRow>, Error> {
    let rows: Vec<(String, bool, Option<i64>)> = sqlx::query_as(
        "SELECT storage_key, written_at IS NOT NULL AND consumed_at IS NULL, size_bytes FROM signed_uploads",
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(storage_key, waits, size)| StagedRow {
            storage_key,
            waits,
            size_bytes: size.and_then(|size| u64::try_from(size).ok()),
        })
        .collect())
}

/// The sealed signing secrets, each with the id of its key.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_sealed_secrets(conn: &mut DbConnection) -> Result<Vec<(uuid::Uuid, Vec<u8>)>, Error> {
    Ok(sqlx::query_as("SELECT id, sealed_secret FROM api_keys").fetch_all(conn).await?)
}

/// What SQLite finds wrong with the database; nothing where it is whole. A PostgreSQL server is not asked: it holds to
/// its references by itself, and its own programs look at its files.
///
/// # Errors
/// [`Error::Database`].
pub async fn check_integrity(conn: &mut DbConnection) -> Result<Vec<String>, Error> {
    if conn.is_postgres() {
        return Ok(Vec::new());
    }
    let mut found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut *conn).await?;
    found.retain(|line| line != "ok");
    let astray: Vec<(String,)> =
        sqlx::query_as("SELECT \"table\" FROM pragma_foreign_key_check").fetch_all(conn).await?;
    found.extend(astray.into_iter().map(|(table,)| format!("a row of {table} refers to one that is not there")));
    Ok(found)
}
