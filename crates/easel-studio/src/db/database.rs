//! The open database: connections for reading and for writing, and what a write transaction is.
//!
//! Always true: a write transaction begins with its lock, so that what it decides on holds until it ends; with SQLite
//! that is the lock of the one write connection, with PostgreSQL an advisory lock of the database or of one team
//! ([`super::turns`]). Reads never wait for a write, and a transaction of reads sees one state of the database. Not
//! here: the schema ([`super::migrations`]) and every statement but one.

use std::path::Path;
use std::sync::Arc;

use easel_wire::Timestamp;
use sqlx::pool::{Pool, PoolConnection, PoolOptions};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection as _, Executor as _, Transaction};

use super::changes::{Changes, DatabaseState};
use super::engine::{ConnectOptions, Engine};
use super::options::options_of;
use super::presence::{Presence, Served, Way};
use super::readers::{Reader, Readers};
use super::{migrations, turns};
use crate::core::error::Error;
use crate::wire::TeamId;

/// A write transaction; rolled back when dropped without [`Transaction::commit`].
pub type Tx = Transaction<'static, Engine>;

/// Pages of the log after which it is brought into the database: 16 MiB. The same pages are written again and again by
/// many small writes, and the more of those lie between, the fewer pages have to be brought over.
const LOG_PAGES: &str = "4096";

/// Connections of SQLite's that only read.
const READERS: u32 = 4;

/// Connections to PostgreSQL that only read, and those that write: as many as a server of the usual settings gives to
/// each of four processes.
const POSTGRES_READERS: u32 = 12;
const POSTGRES_WRITERS: u32 = 8;

/// Connections to PostgreSQL that count what is bounded by the minute, so that no request waits for a write to be counted. They are
/// opened where several processes count together.
const POSTGRES_COUNTERS: u32 = 4;

/// Rows that a connection reads ahead: the longest page and the one row that tells whether more follow, so that no
/// connection waits in the middle of a page.
const ROWS_AHEAD: usize = 256;

/// What a connection to PostgreSQL that reads is told once.
const READS: &str = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

/// What a connection to PostgreSQL that writes is told once: how long it waits for its lock, that a commit is on the disk
/// when it is acknowledged, whatever the server's own setting is, and that the server ends the transaction of a process that
/// stands still in the middle of it, before a lease is over: others would wait for its locks.
const WRITES: &str = "SET lock_timeout = '30s'; SET synchronous_commit = on; \
                      SET idle_in_transaction_session_timeout = '20s'";

/// What a connection to PostgreSQL that counts is told once: nothing that it writes outlives a crash anyway.
const COUNTS: &str = "SET lock_timeout = '10s'; SET synchronous_commit = off; \
                      SET idle_in_transaction_session_timeout = '20s'";

/// The open database; a cheap clone.
#[derive(Debug, Clone)]
pub struct Db {
    write: Pool<Engine>,
    read: Pool<Engine>,
    own: Own,
}

/// What each engine has besides.
#[derive(Debug, Clone)]
enum Own {
    Sqlite { readers: Arc<Readers>, changes: Arc<Changes> },
    Postgres { options: ConnectOptions, counters: Pool<Engine> },
}

impl Db {
    /// Opens the SQLite database at `path`, makes it where there is none, and brings its schema up to date. The caller
    /// sees to it that no two processes do so at the same moment.
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
        // What a statement may have to take back stays in memory: with a dozen indexes it would become a file of its own
        // in most transactions.
        let writing = ConnectOptions::Sqlite(Box::new(options.clone().pragma("temp_store", "MEMORY")));
        let options = ConnectOptions::Sqlite(Box::new(options));
        // SQLite rolls back a commit that fails on a full disk, and the connection then believes that it is still
        // within a transaction: such a connection is closed, and the next write gets a fresh one. A connection is
        // checked when it comes back, and not once more before it is used.
        let write = PoolOptions::<Engine>::new()
            .max_connections(1)
            .test_before_acquire(false)
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
            .connect_with(writing)
            .await?;
        // These connections stay open: while one of them does, SQLite keeps its index of the log.
        let read = PoolOptions::<Engine>::new()
            .max_connections(READERS)
            .min_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_with(options.clone())
            .await?;
        let own = Own::Sqlite { readers: Arc::new(Readers::new(options)), changes: Arc::new(Changes::of(path)) };
        Ok(Self { write, read, own })
    }

    /// Opens a database of a PostgreSQL server, which is there, and brings its schema up to date; any number of
    /// processes may do so at the same moment.
    ///
    /// # Errors
    /// [`Error::Database`] or [`Error::Migration`] where it cannot be opened or is newer than this build.
    pub async fn connect(options: &PgConnectOptions) -> Result<Self, Error> {
        let options = options.clone().application_name("easel-studio");
        migrations::bring_server_up_to_date(&options).await?;
        let options = ConnectOptions::Postgres(Box::new(options));
        Ok(Self {
            write: pool_of(options.clone(), POSTGRES_WRITERS, WRITES).await?,
            read: pool_of(options.clone(), POSTGRES_READERS, READS).await?,
            own: Own::Postgres { counters: counters_of(options.clone()), options },
        })
    }

    /// The present state of the database, to know later whether rows that are read from here on still hold; `None`
    /// where it cannot be told, as with PostgreSQL.
    #[must_use]
    pub fn look(&self) -> Option<DatabaseState> {
        match &self.own {
            Own::Sqlite { changes, .. } => changes.look(),
            Own::Postgres { .. } => None,
        }
    }

    /// Begins a write that may touch anything: nobody else writes until it is committed or dropped. No waiting on a
    /// client in between.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`].
    pub async fn begin(&self) -> Result<Tx, Error> {
        match &self.own {
            Own::Sqlite { .. } => Ok(self.write.begin_with("BEGIN IMMEDIATE").await?),
            Own::Postgres { .. } => {
                let mut tx = self.write.begin().await?;
                turns::take_all(&mut tx).await?;
                Ok(tx)
            }
        }
    }

    /// Begins a write that decides on what one team has, and writes only that: whoever writes for another team may do
    /// so meanwhile, where the engine lets them. No waiting on a client in between. The moment of the write is asked
    /// for afterwards, so that moments come in the order of the commits.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`].
    pub async fn begin_for(&self, team: TeamId) -> Result<Tx, Error> {
        match &self.own {
            Own::Sqlite { .. } => self.begin().await,
            Own::Postgres { .. } => {
                let mut tx = self.write.begin().await?;
                turns::take_of_team(&mut tx, team).await?;
                Ok(tx)
            }
        }
    }

    /// Connections for reading; each statement sees the newest commit, of any process.
    #[must_use]
    pub fn read(&self) -> &Pool<Engine> {
        &self.read
    }

    /// A connection for one statement that is asked often. No transaction is begun on it.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn reader(&self) -> Result<Reader, Error> {
        Ok(match &self.own {
            Own::Sqlite { readers, .. } => readers.acquire().await?,
            Own::Postgres { .. } => Reader::from(self.read.acquire().await?),
        })
    }

    /// Begins a write of rows that nothing is decided on by what else is there: it waits for nobody's turn.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`].
    pub async fn begin_beside(&self) -> Result<Tx, Error> {
        match &self.own {
            Own::Sqlite { .. } => self.begin().await,
            Own::Postgres { .. } => Ok(self.write.begin().await?),
        }
    }

    /// A connection that counts what is bounded by the minute, for one statement.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn counter(&self) -> Result<PoolConnection<Engine>, Error> {
        Ok(match &self.own {
            Own::Sqlite { .. } => self.write.acquire().await?,
            Own::Postgres { counters, .. } => counters.acquire().await?,
        })
    }

    /// Whether it is on a server, which several processes can reach.
    #[must_use]
    pub fn is_on_a_server(&self) -> bool {
        matches!(self.own, Own::Postgres { .. })
    }

    /// Says that this process serves the database, alone or beside others who say so, until the answer is gone; `None`
    /// where another forbids it. With SQLite the caller has the lock of the data folder, which is as good.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn begin_to_serve(&self, way: Way) -> Result<Option<Served>, Error> {
        let Own::Postgres { options, .. } = &self.own else {
            return Ok(Some(Served { presence: Presence::of_one(), was_alone: way == Way::Alone }));
        };
        let begun = Presence::begin(options.clone(), way).await?;
        Ok(begun.map(|(presence, was_alone)| Served { presence, was_alone }))
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
        match &self.own {
            Own::Sqlite { readers, .. } => readers.close().await,
            Own::Postgres { counters, .. } => counters.close().await,
        }
        self.read.close().await;
        self.write.close().await;
    }
}

/// At most so many connections to a server, each of which is told this first.
async fn pool_of(options: ConnectOptions, most: u32, told: &'static str) -> Result<Pool<Engine>, Error> {
    Ok(telling(most, told).connect_with(options).await?)
}

fn counters_of(options: ConnectOptions) -> Pool<Engine> {
    telling(POSTGRES_COUNTERS, COUNTS).connect_lazy_with(options)
}

fn telling(most: u32, told: &'static str) -> PoolOptions<Engine> {
    PoolOptions::<Engine>::new().max_connections(most).after_connect(move |connection, _| {
        Box::pin(async move { connection.execute(sqlx::raw_sql(told)).await.map(drop) })
    })
}
