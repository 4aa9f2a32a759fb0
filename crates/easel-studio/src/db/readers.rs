//! Connections for the most frequent reads: one statement each.
//!
//! A pool for any database asks a connection whether it is still there, before each use or after it. Here that is a
//! message to the connection's thread and back, as dear as the statement itself, and the database is this very process;
//! so here a connection is asked only after it was left alone for a while. Always true: no connection is handed back
//! with anything open, because no transaction is ever begun on one. Not here: transactions ([`super::Db::read`]).

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::ConnectOptions as _;
use sqlx::Connection as _;
use sqlx::pool::PoolConnection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::engine::{ConnectOptions, DbConnection, Engine};

/// How many statements run at once: SQLite's threads are in the way of those that answer, where they are more than
/// processors.
const AT_ONCE: u32 = 2;
/// A connection that nobody has used for so long is asked whether it is there.
const TRUSTED: Duration = Duration::from_secs(5);

/// The connections.
#[derive(Debug)]
pub struct Readers {
    options: ConnectOptions,
    turns: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Idle>>>,
}

#[derive(Debug)]
struct Idle {
    connection: DbConnection,
    since: Instant,
}

impl Readers {
    /// None yet: each is opened when it is first needed.
    #[must_use]
    pub fn new(options: ConnectOptions) -> Self {
        Self { options, turns: Arc::new(Semaphore::new(AT_ONCE as usize)), idle: Arc::default() }
    }

    /// A connection, once one is free.
    ///
    /// # Errors
    /// Where none can be opened, or they have been closed.
    pub async fn acquire(&self) -> Result<Reader, sqlx::Error> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let trusted = match idle {
            Some(Idle { connection, since }) if since.elapsed() < TRUSTED => Some(connection),
            Some(Idle { mut connection, .. }) => connection.ping().await.is_ok().then_some(connection),
            None => None,
        };
        let connection = match trusted {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        Ok(Reader::Own(Own { connection: Some(connection), idle: Arc::clone(&self.idle), _turn: turn }))
    }

    /// Closes every connection, after the statements under way.
    pub async fn close(&self) {
        if let Ok(_all) = self.turns.acquire_many(AT_ONCE).await {
            self.turns.close();
            let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
            for Idle { connection, .. } in idle {
                if let Err(error) = connection.close().await {
                    tracing::debug!(%error, "a connection could not be closed");
                }
            }
        }
    }
}

/// A connection for reading, given back when it is dropped.
#[derive(Debug)]
pub enum Reader {
    /// One of these.
    Own(Own),
    /// One of a pool's, which asks each connection whether it is still there.
    Pooled(PoolConnection<Engine>),
}

/// A connection of [`Readers`].
#[derive(Debug)]
pub struct Own {
    /// `Some` until it is dropped.
    connection: Option<DbConnection>,
    idle: Arc<Mutex<Vec<Idle>>>,
    _turn: OwnedSemaphorePermit,
}

impl From<PoolConnection<Engine>> for Reader {
    fn from(connection: PoolConnection<Engine>) -> Self {
        Self::Pooled(connection)
    }
}

impl Deref for Reader {
    type Target = DbConnection;

    #[expect(clippy::expect_used, reason = "it is taken out by the drop alone")]
    fn deref(&self) -> &DbConnection {
        match self {
            Self::Own(own) => own.connection.as_ref().expect("there until it is dropped"),
            Self::Pooled(connection) => connection,
        }
    }
}

impl DerefMut for Reader {
    #[expect(clippy::expect_used, reason = "it is taken out by the drop alone")]
    fn deref_mut(&mut self) -> &mut DbConnection {
        match self {
            Self::Own(own) => own.connection.as_mut().expect("there until it is dropped"),
            Self::Pooled(connection) => connection,
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let idle = Idle { connection, since: Instant::now() };
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(idle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Db;
    use crate::db::options::options_of;

    async fn one(readers: &Readers) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar("SELECT 1").fetch_one(&mut *readers.acquire().await?).await
    }

    #[tokio::test]
    async fn a_connection_is_given_back_and_none_is_given_out_after_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.db");
        let db = Db::open(&path).await.unwrap();
        let readers = Arc::new(Readers::new(ConnectOptions::Sqlite(Box::new(options_of(&path)))));
        let held = readers.acquire().await.unwrap();
        for _ in 0..3 {
            assert_eq!(one(&readers).await.unwrap(), 1);
        }
        assert_eq!(readers.idle.lock().unwrap().len(), 1);
        // A question that nobody waits for any more leaves a connection that answers the next one.
        let asking = tokio::spawn({
            let readers = Arc::clone(&readers);
            async move {
                let slow =
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n";
                let _ = sqlx::query(slow).fetch_all(&mut *readers.acquire().await.unwrap()).await;
            }
        });
        tokio::task::yield_now().await;
        asking.abort();
        let _ = asking.await;
        assert_eq!(one(&readers).await.unwrap(), 1);
        let closing = tokio::spawn({
            let readers = Arc::clone(&readers);
            async move { readers.close().await }
        });
        tokio::task::yield_now().await;
        assert!(!closing.is_finished(), "one is still in use");
        drop(held);
        closing.await.unwrap();
        assert!(matches!(one(&readers).await, Err(sqlx::Error::PoolClosed)));
        db.close().await;
    }
}
