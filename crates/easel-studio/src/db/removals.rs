//! Contents of a bucket that several processes share: which were removed, and which are being.
//!
//! Always true: a removal is marked in the transaction that found no row for the content, under the turn of the whole database,
//! before the bucket is asked; it is open until the bucket has answered, whatever becomes of the process. Who brings a content
//! notes the number of its removals first, and looks at it once more in the transaction of its row: where it is another, or one is
//! open, the content may be gone, and the row does not come. So no row comes for a content that a request may yet remove, also where
//! every lock was lost meanwhile. The locks ([`Presence`]) see to it that this hardly ever happens. Not here: who removes what
//! ([`crate::studio::unused`]).

use std::collections::HashMap;

use easel_wire::Timestamp;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::{QueryBuilder, Row as _};

use super::engine::Engine;
use super::lists::push_list;
use super::presence::{BACKUP, BACKUP_WANTED, Hold, Presence, Way};
use super::{Db, DbConnection, DbRow};
use crate::blobs::{ContentHash, Fate, Leave, Others, SharedClaim, SharedRemoval};
use crate::core::clock::{Clock as _, SystemClock};
use crate::core::error::Error;

/// What the locks of contents are called.
const KIND: &str = "content";

/// Marks that this content is about to go, in the way of its fate; false where it is being set aside, which nothing turns into a
/// removal. In a write transaction of the whole database.
///
/// # Errors
/// [`Error::Database`].
pub async fn mark(conn: &mut DbConnection, hash: &ContentHash, fate: Fate, now: Timestamp) -> Result<bool, Error> {
    let aside_at = match fate {
        Fate::Removed => None,
        Fate::SetAside(at) => Some(at.as_micros()),
    };
    let marked = sqlx::query(
        "INSERT INTO content_removals (hash, number, began_at, aside_at) VALUES ($1, 1, $2, $3)
         ON CONFLICT (hash) DO UPDATE
           SET number = content_removals.number + 1, began_at = $2, aside_at = $3, done_at = NULL
           WHERE content_removals.done_at IS NOT NULL OR content_removals.aside_at IS NULL OR $3 IS NOT NULL",
    )
    .bind(hash.as_slice())
    .bind(now.as_micros())
    .bind(aside_at)
    .execute(conn)
    .await?;
    Ok(marked.rows_affected() == 1)
}

/// Notes that the bucket has answered to the removal of this content.
///
/// # Errors
/// [`Error::Database`].
async fn end(conn: &mut DbConnection, hash: &ContentHash, now: Timestamp) -> Result<(), Error> {
    sqlx::query("UPDATE content_removals SET done_at = $2 WHERE hash = $1")
        .bind(hash.as_slice())
        .bind(now.as_micros())
        .execute(conn)
        .await?;
    Ok(())
}

/// How often each of these contents was removed, as far as that is remembered; `None` while a removal is open.
async fn count(conn: &mut DbConnection, hashes: &[ContentHash]) -> Result<HashMap<ContentHash, Option<i64>>, Error> {
    let mut sql = QueryBuilder::<Engine>::new("SELECT hash, number, done_at FROM content_removals WHERE hash IN (");
    push_list(&mut sql, hashes.iter().map(|hash| hash.to_vec()));
    let mut counts: HashMap<_, _> = hashes.iter().map(|hash| (*hash, Some(0))).collect();
    for row in sql.build().fetch_all(conn).await? {
        let is_done = row.try_get::<Option<i64>, _>("done_at")?.is_some();
        counts.insert(hash_of(&row)?, if is_done { Some(row.try_get("number")?) } else { None });
    }
    Ok(counts)
}

fn hash_of(row: &DbRow) -> Result<ContentHash, Error> {
    let bytes: Vec<u8> = row.try_get("hash")?;
    bytes.try_into().map_err(|_| Error::Corrupt("a hash of another length"))
}

/// Refuses contents of which one may have been removed since it was claimed, each with the number of its removals then. In the write
/// transaction of their rows.
///
/// # Errors
/// [`Error::ContentsUnavailable`], [`Error::Database`].
pub async fn refuse_removed(conn: &mut DbConnection, noted: &[(ContentHash, i64)]) -> Result<(), Error> {
    if noted.is_empty() {
        return Ok(());
    }
    let hashes: Vec<ContentHash> = noted.iter().map(|(hash, _)| *hash).collect();
    let counts = count(conn, &hashes).await?;
    if noted.iter().all(|(hash, noted)| counts[hash] == Some(*noted)) {
        return Ok(());
    }
    Err(Error::contents_unavailable("it was removed while it came, because the database was away"))
}

/// Contents whose removal has been open since before this moment: the process that began it is gone, unless it holds them still.
///
/// # Errors
/// [`Error::Database`].
pub async fn list_left(conn: &mut DbConnection, before: Timestamp) -> Result<Vec<(ContentHash, Fate)>, Error> {
    let rows = sqlx::query(
        "SELECT hash, aside_at FROM content_removals WHERE done_at IS NULL AND began_at < $1 ORDER BY began_at LIMIT 64",
    )
    .bind(before.as_micros())
    .fetch_all(conn)
    .await?;
    let left = |row: &DbRow| -> Result<_, Error> {
        let hash = hash_of(row)?;
        let aside_at: Option<i64> = row.try_get("aside_at")?;
        Ok((hash, aside_at.map_or(Fate::Removed, |at| Fate::SetAside(Timestamp::from_micros(at)))))
    };
    rows.iter().map(left).collect()
}

/// Forgets removals that were over before this moment: nothing is on its way for so long.
///
/// # Errors
/// [`Error::Database`].
pub async fn forget_old(conn: &mut DbConnection, before: Timestamp) -> Result<u64, Error> {
    let gone =
        sqlx::query("DELETE FROM content_removals WHERE done_at < $1").bind(before.as_micros()).execute(conn).await?;
    Ok(gone.rows_affected())
}

/// The other processes at the same bucket, as this database lets them agree.
#[derive(Debug)]
pub struct ByDatabase {
    db: Db,
    presence: Presence,
}

impl ByDatabase {
    /// Agreed on in this database by a process that serves it.
    #[must_use]
    pub fn new(db: &Db, presence: &Presence) -> Self {
        Self { db: db.clone(), presence: presence.clone() }
    }

    /// Leave to remove something, which keeps a backup waiting; `None` while one is taken or wanted.
    async fn leave(&self) -> Result<Option<Hold>, Error> {
        match self.presence.try_hold(BACKUP_WANTED, b"", Way::Shared).await? {
            Some(_for_a_moment) => self.presence.try_hold(BACKUP, b"", Way::Shared).await,
            None => Ok(None),
        }
    }
}

impl Others for ByDatabase {
    fn claim(&self, hash: ContentHash) -> BoxFuture<'_, Result<Option<SharedClaim>, Error>> {
        async move {
            let Some(hold) = self.presence.try_hold(KIND, &hash, Way::Shared).await? else { return Ok(None) };
            // After the lock: what began before it shows, and nothing begins as long as it holds.
            let counts = count(&mut *self.db.reader().await?, &[hash]).await?;
            Ok(counts[&hash].map(|removals| SharedClaim { removals, hold: Box::new(hold) }))
        }
        .boxed()
    }

    fn begin_removal(&self, hash: ContentHash) -> BoxFuture<'_, Result<Option<Box<dyn SharedRemoval>>, Error>> {
        async move {
            let Some(leave) = self.leave().await? else { return Ok(None) };
            let hold = self.presence.try_hold(KIND, &hash, Way::Alone).await?;
            let db = self.db.clone();
            Ok(hold.map(|hold| Box::new(Removing { db, hash, hold, _leave: leave }) as Box<dyn SharedRemoval>))
        }
        .boxed()
    }

    fn leave_to_remove(&self) -> BoxFuture<'_, Result<Option<Leave>, Error>> {
        async move {
            let leave = self.leave().await?;
            Ok(leave.map(|leave| Box::new(leave) as Leave))
        }
        .boxed()
    }
}

#[derive(Debug)]
struct Removing {
    db: Db,
    hash: ContentHash,
    hold: Hold,
    /// Keeps a backup waiting, whichever process takes it.
    _leave: Hold,
}

impl SharedRemoval for Removing {
    fn is_held(&self) -> BoxFuture<'_, bool> {
        self.hold.is_there().boxed()
    }

    fn end(self: Box<Self>) -> BoxFuture<'static, ()> {
        async move {
            let ended = async {
                let mut tx = self.db.begin_beside().await?;
                end(&mut tx, &self.hash, SystemClock::new().now()).await?;
                Ok::<_, Error>(tx.commit().await?)
            };
            // What stays open is removed once more, which changes nothing.
            if let Err(error) = ended.await {
                tracing::warn!(%error, "that a content was removed cannot be written down");
            }
        }
        .boxed()
    }
}
