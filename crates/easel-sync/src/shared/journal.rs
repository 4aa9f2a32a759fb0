//! The journal's file, in SQLite: opened, locked, read and written.
//!
//! Always true: a change of the drive is written down here before it happens; a write that has returned survives a
//! power cut (WAL, `synchronous=FULL`); one process holds the journal at a time; only its owner can read it (mode
//! 0600). Never here: keys, signed URLs, bytes of files. All SQL of this crate is here and with the tables
//! (`queue::journal`, `sync::journal`).

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, SqlitePool};

use crate::shared::error::Error;

/// Files above this many bytes never take the last of the transfer slots, so that small ones do not starve.
pub(crate) const LARGE_BYTES: u64 = 8 * 1024 * 1024;

/// An access of the journal to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Before reading.
    Read,
    /// Before writing.
    Write,
    /// After writing, before the commit.
    Commit,
}

/// Is asked before every access. A test's gate fails the access that it wants to see fail.
pub trait Gate: Send + Sync {
    /// Lets the access through, or fails it as a disk would.
    ///
    /// # Errors
    /// Whatever the gate wants the access to fail with.
    fn pass(&self, access: Access) -> std::io::Result<()>;
}

/// The journal. Cheap to clone; one for the whole program with all of its connections.
#[derive(Clone)]
pub struct Journal {
    inner: Arc<Inner>,
}

struct Inner {
    writer: SqlitePool,
    readers: SqlitePool,
    gate: Option<Arc<dyn Gate>>,
    /// The lock file, locked while the journal is open; the system unlocks it when the process ends, however it ends.
    lock: File,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal").finish_non_exhaustive()
    }
}

impl Journal {
    /// Opens the journal at `path`, or makes it there, readable by its owner only. Its folder must exist.
    ///
    /// # Errors
    /// [`Error::JournalInUse`] where another process holds it, [`Error::JournalTooNew`], [`Error::JournalDamaged`],
    /// [`Error::DiskFull`], or [`Error::JournalUnavailable`] for what the system refuses.
    pub async fn open(path: &Path) -> Result<Self, Error> {
        Self::open_gated(path, None).await
    }

    /// As [`Journal::open`], with a gate before every access.
    ///
    /// # Errors
    /// As [`Journal::open`], and what the gate fails with.
    pub async fn open_gated(path: &Path, gate: Option<Arc<dyn Gate>>) -> Result<Self, Error> {
        let lock = hold(path)?;
        open_private(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10));
        // One connection writes: so writers queue here, in order, and not at SQLite's lock.
        let writer = pool(1).connect_with(options.clone()).await?;
        sqlx::migrate!("./migrations").run(&writer).await?;
        let readers = pool(2).connect_lazy_with(options.read_only(true));
        Ok(Self { inner: Arc::new(Inner { writer, readers, gate, lock }) })
    }

    /// Closes the journal for all clones, so that another process may open it.
    pub async fn close(&self) {
        self.inner.readers.close().await;
        self.inner.writer.close().await;
        if let Err(error) = self.inner.lock.unlock() {
            tracing::warn!(%error, "the journal's lock goes with the process");
        }
    }

    /// Removes a connection with all of its transfers and its watched folders. Its queue and its folders must have
    /// stopped.
    ///
    /// # Errors
    /// What the disk fails with; the connection is then still there.
    pub async fn forget_connection(&self, connection_id: &str) -> Result<(), Error> {
        let mut writing = self.write().await?;
        for statement in [
            "DELETE FROM transfers WHERE connection_id = $1",
            "DELETE FROM drops WHERE connection_id = $1",
            "DELETE FROM totals WHERE connection_id = $1",
            "DELETE FROM queues WHERE connection_id = $1",
            "DELETE FROM watches WHERE connection_id = $1",
            "DELETE FROM drives WHERE connection_id = $1",
            "DELETE FROM drive_folders WHERE connection_id = $1",
            "DELETE FROM drive_files WHERE connection_id = $1",
        ] {
            sqlx::query(statement).bind(connection_id).execute(writing.on()).await?;
        }
        writing.commit().await
    }

    /// Finds out whether the journal can be written again.
    pub(crate) async fn check(&self, connection_id: &str) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE queues SET round = round WHERE connection_id = $1")
            .bind(connection_id)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Has SQLite free the memory of what it has read, in all connections that nobody uses at the moment.
    pub(crate) async fn shrink(&self) {
        for pool in [&self.inner.writer, &self.inner.readers] {
            // All are taken before the first goes back, or the same one would come again.
            let idle: Vec<_> = std::iter::from_fn(|| pool.try_acquire()).collect();
            for mut connection in idle {
                if let Err(error) = sqlx::query("PRAGMA shrink_memory").execute(&mut *connection).await {
                    tracing::debug!(%error, "what SQLite has read stays in memory");
                }
            }
        }
    }

    fn pass(&self, access: Access) -> Result<(), Error> {
        match &self.inner.gate {
            Some(gate) => Ok(gate.pass(access)?),
            None => Ok(()),
        }
    }

    /// The connections for reading.
    pub(crate) fn read(&self) -> Result<&SqlitePool, Error> {
        self.pass(Access::Read)?;
        Ok(&self.inner.readers)
    }

    /// Begins a transaction.
    pub(crate) async fn write(&self) -> Result<Writing<'_>, Error> {
        self.pass(Access::Write)?;
        let mut writing =
            Writing { journal: self, connection: self.inner.writer.acquire().await?, is_committed: false };
        sqlx::query("BEGIN IMMEDIATE").execute(writing.on()).await?;
        Ok(writing)
    }
}

/// Connections that stay open, so that no timer runs while nothing is asked.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// A transaction; if it is dropped without [`Writing::commit`], nothing of it happened.
pub(crate) struct Writing<'a> {
    journal: &'a Journal,
    connection: PoolConnection<Sqlite>,
    is_committed: bool,
}

impl Writing<'_> {
    pub(crate) async fn commit(mut self) -> Result<(), Error> {
        self.journal.pass(Access::Commit)?;
        sqlx::query("COMMIT").execute(self.on()).await?;
        self.is_committed = true;
        Ok(())
    }

    pub(crate) fn on(&mut self) -> &mut sqlx::SqliteConnection {
        &mut self.connection
    }
}

impl Drop for Writing<'_> {
    /// After a full disk SQLite may or may not have ended the transaction; only a new connection is sure to be in none.
    fn drop(&mut self) {
        if !self.is_committed {
            self.connection.close_on_drop();
        }
    }
}

/// Locks the file beside the journal.
fn hold(path: &Path) -> Result<File, Error> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = open_private(&PathBuf::from(name))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::JournalInUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Makes the file with mode 0600 where it is missing, and removes others' rights where it is not. SQLite gives its side
/// files the mode of the main one.
fn open_private(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(0o600);
        let file = options.open(path)?;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        Ok(file)
    }
    #[cfg(not(unix))]
    Ok(options.open(path)?)
}

/// A path in the journal: the system's own bytes.
pub(crate) fn path_to_bytes(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        path.as_os_str().as_bytes().to_vec()
    }
    #[cfg(not(unix))]
    path.to_string_lossy().into_owned().into_bytes()
}

pub(crate) fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        PathBuf::from(std::ffi::OsString::from_vec(bytes))
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// A number for SQLite, whose integers are signed; one that does not fit becomes the largest.
pub(crate) fn to_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn from_sql(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
