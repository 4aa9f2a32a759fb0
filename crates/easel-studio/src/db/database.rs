//! The open database: connections for reading and the one for writing, and what a write transaction is.
//!
//! Always true: writes go through one connection and begin with the lock; reads never wait for a write. Not here: the
//! schema ([`super::migrations`]) and every statement but one.

use std::path::Path;
use std::sync::Arc;

use easel_wire::Timestamp;
use sqlx::sqlite::{SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, Sqlite, Transaction};

use super::changes::{Changes, DatabaseState};
use super::migrations;
use super::options::options_of;
use super::readers::{Reader, Readers};
use crate::core::error::Error;

/// A write transaction; rolled back when dropped without [`Transaction::commit`].
pub type Tx = Transaction<'static, Sqlite>;

/// Pages of the log after which it is brought into the database: 16 MiB. The same pages are written again and again by
/// many small writes, and the more of those lie between, the fewer pages have to be brought over.
const LOG_PAGES: &str = "4096";

/// Connections that only read.
const READERS: u32 = 4;

/// Rows that a connection reads ahead: the longest page and the one row that tells whether more follow, so that no
/// connection waits in the middle of a page.
const ROWS_AHEAD: usize = 256;

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
        let options = options_of(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .pragma("wal_autocheckpoint", LOG_PAGES)
            .row_buffer_size(ROWS_AHEAD);
        migrations::bring_up_to_date(&options, path).await?;
        // SQLite rolls back a commit that fails on a full disk, and the connection then believes that it is still
        // within a transaction: such a connection is closed, and the next write gets a fresh one.
        let write = SqlitePoolOptions::new()
            .max_connections(1)
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_with(options.clone())
            .await?;
        // These connections stay open: while one of them does, SQLite keeps its index of the log. A connection is
        // checked when it comes back, and not once more before it is used.
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

    /// The present state of the database, to know later whether rows that are read from here on still hold; `None`
    /// where it cannot be told.
    #[must_use]
    pub fn look(&self) -> Option<DatabaseState> {
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

    /// Writes and commits one row that nobody reads, to see whether the database takes a write.
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
