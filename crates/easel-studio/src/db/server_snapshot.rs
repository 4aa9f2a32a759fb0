//! A database on a server as it is at one moment, copied to a file of SQLite's beside everybody who writes to it.
//!
//! Always true: first every process is kept from removing contents, and then the moment is taken, so that each content that the copy
//! names stays where it is as long as the value lives and its session does; that it did is asked at the end. One session has both, because
//! a lock ends with the session that took it. A transaction that only reads waits for nobody, and nobody for it. Not here: what is
//! copied besides ([`crate::operators::backup`]), and what a process does that finds contents held ([`super::removals`]).

use std::path::Path;
use std::time::Duration;

use sqlx::Connection as _;

use super::DbConnection;
use super::copies::{connect_as_it_is, connect_lastingly};
use super::filling::{begin, begin_file, fill};
use super::migrations::find_schema;
use super::place::ServerUrl;
use super::presence::{BACKUP, BACKUP_WANTED, lock_of};
use super::transfer::TellTables;
use crate::core::error::Error;
use crate::core::private_files::sync_folder_of;

/// How often a session that has nothing else to do says that it is there, so that nothing on the way takes it for dead.
const EVERY: Duration = Duration::from_secs(30);

/// A session that holds every content of a studio where it is.
#[derive(Debug)]
pub struct ServerSnapshot {
    conn: DbConnection,
}

impl ServerSnapshot {
    /// Holds every content where it is, over all processes, once the removals under way have ended. Waits for another backup.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::Usage`] where the address cannot be read.
    pub async fn hold(url: &ServerUrl) -> Result<Self, Error> {
        let mut conn = connect_lastingly(url).await?;
        for lock in [BACKUP_WANTED, BACKUP] {
            let taken = sqlx::query("SELECT pg_advisory_lock($1)").bind(lock_of(lock, b""));
            taken.execute(&mut conn).await?;
        }
        Ok(Self { conn })
    }

    /// Copies all rows to a file of SQLite's, as they are at the moment at which this begins.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::StorageFull`], [`Error::Io`]; [`Error::Usage`] where there is no studio, or one of a newer program.
    pub async fn copy_to(&mut self, place: &Path, tell: TellTables<'_>) -> Result<(), Error> {
        let mut moment = self.conn.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await?;
        let schema = find_schema(&mut moment).await?;
        let schema = schema.ok_or_else(|| Error::Usage("there is no studio in the database".to_owned()))?;
        let mut file = begin_file(place, Some(schema)).await?;
        let filled = async {
            let mut filling = begin(&mut file).await?;
            fill(&mut filling, &mut moment, tell).await?;
            Ok::<_, Error>(filling.commit().await?)
        };
        let filled = filled.await;
        file.close().await?;
        filled?;
        moment.commit().await?;
        std::fs::File::open(place)?.sync_all()?;
        Ok(sync_folder_of(place)?)
    }

    /// Does something that may take long, while the session says now and then that it is there.
    ///
    /// # Errors
    /// What it ends with; [`Error::Usage`] where the session was lost, because contents may have been removed since.
    pub async fn keep_while<T>(&mut self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let mut work = std::pin::pin!(work);
        loop {
            match tokio::time::timeout(EVERY, &mut work).await {
                Ok(done) => {
                    let done = done?;
                    self.look().await?;
                    return Ok(done);
                }
                Err(_) => self.look().await?,
            }
        }
    }

    async fn look(&mut self) -> Result<(), Error> {
        self.conn.ping().await.map_err(|error| {
            Error::Usage(format!(
                "the database was away, and contents may have been removed meanwhile: run it again ({error})"
            ))
        })
    }
}

/// Leave to remove what is staged, until the answer is dropped, for a command that is no process of the studio's; `None` while a backup holds
/// everything.
///
/// # Errors
/// [`Error::Database`], [`Error::Usage`] where the address cannot be read.
pub async fn leave_to_remove(url: &ServerUrl) -> Result<Option<DbConnection>, Error> {
    let mut conn = connect_as_it_is(url).await?;
    let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock_shared($1)").bind(lock_of(BACKUP, b""));
    let is_given: bool = lock.fetch_one(&mut conn).await?;
    Ok(is_given.then_some(conn))
}
