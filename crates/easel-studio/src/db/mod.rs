//! The database: the only place with SQL, one file a noun.
//!
//! SQLite with a write-ahead log and `synchronous=FULL`: a committed write survives a power cut. Writes go through one
//! connection and begin with `BEGIN IMMEDIATE`, so that a transaction never fails half-way for want of the lock; reads
//! have connections of their own and never wait for a write. Other processes (`easel-studio keys …`) may hold the same
//! file open. SQL is portable: `$1` placeholders, no dialect where there is a choice.

pub mod accounts;
pub mod audit;
pub mod brand_kits;
pub mod canvases;
pub mod changes;
pub mod copies;
pub mod drive;
pub mod exports;
pub mod idempotency;
pub mod leases;
pub mod limits;
pub mod members;
mod migrations;
pub mod quotas;
pub mod readers;
pub mod remembered;
pub mod served_days;
pub mod tasks;
pub mod uploads;
pub mod webhooks;

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use easel_wire::Timestamp;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{Connection, Row, Sqlite, Transaction};

use crate::error::Error;
use crate::wire::UnknownValue;
use changes::{Changes, Seen};
use readers::{Reader, Readers};

/// A write transaction; rolled back when dropped without [`Transaction::commit`].
pub type Tx = Transaction<'static, Sqlite>;

/// How long one process waits for another's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Pages of the log after which it is brought into the database: 16 MiB. The same pages are written again and again by many small
/// writes, and the more of those lie between, the fewer pages have to be brought over.
const LOG_PAGES: &str = "4096";
/// Connections that only read.
const READERS: u32 = 4;
/// Rows that a connection reads ahead of who asked for them: the longest page and the one row that tells whether more follow,
/// so that no connection waits in the midst of one.
const ROWS_AHEAD: usize = 256;

/// The value of a closed list that a column holds as text.
fn read_value<T: FromStr<Err = UnknownValue>>(row: &SqliteRow, column: &str) -> Result<T, sqlx::Error> {
    let text: String = row.try_get(column)?;
    text.parse()
        .map_err(|error: UnknownValue| sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(error) })
}

/// The open database; a cheap clone.
#[derive(Debug, Clone)]
pub struct Db {
    write: SqlitePool,
    read: SqlitePool,
    readers: Arc<Readers>,
    changes: Arc<Changes>,
}

impl Db {
    /// Opens the database at `path`, makes it where there is none, and brings its schema up to date. The caller sees
    /// to it that no two processes do so at the same moment.
    ///
    /// # Errors
    /// [`Error::Database`] or [`Error::Migration`] where it cannot be opened or is newer than this build.
    pub async fn open(path: &Path) -> Result<Self, Error> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .pragma("wal_autocheckpoint", LOG_PAGES)
            .row_buffer_size(ROWS_AHEAD)
            .busy_timeout(BUSY_TIMEOUT);
        migrations::bring_up_to_date(&options, path).await?;
        // A commit that fails on a full disk has been rolled back by SQLite itself, which leaves the connection believing
        // that it is still within a transaction: such a connection is closed, and the next write gets a fresh one.
        let write = SqlitePoolOptions::new()
            .max_connections(1)
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_with(options.clone())
            .await?;
        // They stay open: as long as the last one does, SQLite keeps its index of the log. Whether they are there is asked when
        // they come back, and not once more before they go.
        let read = SqlitePoolOptions::new()
            .max_connections(READERS)
            .min_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_with(options.clone())
            .await?;
        Ok(Self { write, read, readers: Arc::new(Readers::new(options)), changes: Arc::new(Changes::of(path)) })
    }

    /// The database as it is now, to know later whether what is read from here on still holds; `None` where that cannot be
    /// told.
    #[must_use]
    pub fn look(&self) -> Option<Seen> {
        self.changes.look()
    }

    /// Begins a write. It holds the one write connection until it is committed or dropped: no waiting on a client in
    /// between.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`].
    pub async fn begin(&self) -> Result<Tx, Error> {
        Ok(self.write.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// Connections for reading; each statement sees the newest commit, of any process.
    #[must_use]
    pub fn read(&self) -> &SqlitePool {
        &self.read
    }

    /// A connection for one statement that is asked often. No transaction is begun on it.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn reader(&self) -> Result<Reader, Error> {
        Ok(self.readers.acquire().await?)
    }

    /// Writes and commits one row that nobody reads: whether the database takes a write.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`].
    pub async fn try_write(&self, now: Timestamp) -> Result<(), Error> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "INSERT INTO readiness (id, checked_at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET checked_at = $1",
        )
        .bind(now.as_micros())
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    /// Closes every connection after the statements under way.
    pub async fn close(&self) {
        self.readers.close().await;
        self.read.close().await;
        self.write.close().await;
    }
}
