//! Conflicts in the journal: two files that wanted one name and were both kept, until a person has chosen.
//!
//! Always true: a conflict is written in the same commit as the line of the history that tells of it; it is removed
//! only by its id. Not here: when a conflict is over, and settling one (`sync/conflicts`).

use easel_wire::Timestamp;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::shared::error::Error;
use crate::shared::ids::{ConflictId, WatchId};
use crate::shared::journal::{Journal, Writing, from_sql, to_sql};
use crate::shared::names;
use crate::sync::conflicts::Conflicting;
use crate::sync::tree::{ContentHash, Stamp};

/// Writes a conflict. An older conflict of the same copy was about another file, and is replaced.
pub(super) async fn put(
    writing: &mut Writing<'_>,
    watch: WatchId,
    now: i64,
    path: &str,
    kept_as: &str,
) -> Result<(), Error> {
    sqlx::query("INSERT OR REPLACE INTO conflicts (watch_id, at, path, kept_as) VALUES ($1, $2, $3, $4)")
        .bind(watch.0)
        .bind(now)
        .bind(path)
        .bind(kept_as)
        .execute(writing.on())
        .await?;
    Ok(())
}

/// Updates the paths of conflicts below a folder that was moved. A file that was moved is not followed: after its
/// renaming it no longer wants its old name.
pub(super) async fn follow(writing: &mut Writing<'_>, watch: WatchId, from: &str, to: &str) -> Result<(), Error> {
    // An item that is kept in the drive alone did not move on this computer.
    if names::is_kept(to) {
        return Ok(());
    }
    sqlx::query(
        "UPDATE OR REPLACE conflicts SET path = $3 || substr(path, length($2) + 1),
           kept_as = $3 || substr(kept_as, length($2) + 1)
         WHERE watch_id = $1 AND path > $4 AND path < $5 AND kept_as > $4 AND kept_as < $5",
    )
    .bind(watch.0)
    .bind(from)
    .bind(to)
    .bind(format!("{from}/"))
    .bind(format!("{from}0"))
    .execute(writing.on())
    .await?;
    Ok(())
}

impl Journal {
    /// The conflicts of a watched folder, the newest first, settled ones included.
    pub(crate) async fn list_conflicts(&self, watch: WatchId) -> Result<Vec<Conflicting>, Error> {
        let rows = sqlx::query("SELECT * FROM conflicts WHERE watch_id = $1 ORDER BY id DESC")
            .bind(watch.0)
            .fetch_all(self.read()?)
            .await?;
        rows.iter().map(read_conflict).collect()
    }

    /// Writes a conflict without a line of the history.
    #[cfg(test)]
    pub(crate) async fn create_conflict(&self, watch: WatchId, path: &str, kept_as: &str) -> Result<(), Error> {
        let mut writing = self.write().await?;
        put(&mut writing, watch, 5, path, kept_as).await?;
        writing.commit().await
    }

    pub(crate) async fn find_conflict(&self, watch: WatchId, id: ConflictId) -> Result<Option<Conflicting>, Error> {
        let row = sqlx::query("SELECT * FROM conflicts WHERE watch_id = $1 AND id = $2")
            .bind(watch.0)
            .bind(id.0)
            .fetch_optional(self.read()?)
            .await?;
        row.as_ref().map(read_conflict).transpose()
    }

    /// How many conflicts are open and have had both files seen.
    pub(crate) async fn count_conflicts(&self, watch: WatchId) -> Result<u64, Error> {
        let count: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM conflicts WHERE watch_id = $1 AND is_whole <> 0 AND is_settled = 0",
        )
        .bind(watch.0)
        .fetch_one(self.read()?)
        .await?;
        Ok(from_sql(count))
    }

    /// Writes the result of a look: the conflicts of which both files are there, and those that are over.
    pub(crate) async fn record_conflicts(
        &self,
        watch: WatchId,
        whole: &[ConflictId],
        over: &[ConflictId],
    ) -> Result<(), Error> {
        let mut writing = self.write().await?;
        for (statement, ids) in [
            ("UPDATE conflicts SET is_whole = 1 WHERE watch_id = $1 AND id = $2", whole),
            ("DELETE FROM conflicts WHERE watch_id = $1 AND id = $2", over),
        ] {
            for id in ids {
                sqlx::query(statement).bind(watch.0).bind(id.0).execute(writing.on()).await?;
            }
        }
        writing.commit().await
    }

    /// Writes whether the person wants to keep both. Returns whether there is such a conflict.
    pub(crate) async fn record_conflict_settled(
        &self,
        watch: WatchId,
        id: ConflictId,
        is_so: bool,
    ) -> Result<bool, Error> {
        let mut writing = self.write().await?;
        let changed = sqlx::query("UPDATE conflicts SET is_settled = $3 WHERE watch_id = $1 AND id = $2")
            .bind(watch.0)
            .bind(id.0)
            .bind(is_so)
            .execute(writing.on())
            .await?;
        writing.commit().await?;
        Ok(changed.rows_affected() > 0)
    }

    /// Writes that a conflict is being settled in favour of its copy, which has this identity; `None`: no longer.
    /// Returns whether there is such a conflict.
    pub(crate) async fn record_conflict_copy(
        &self,
        watch: WatchId,
        id: ConflictId,
        identity: Option<u64>,
    ) -> Result<bool, Error> {
        let mut writing = self.write().await?;
        let changed = sqlx::query("UPDATE conflicts SET copy_identity = $3 WHERE watch_id = $1 AND id = $2")
            .bind(watch.0)
            .bind(id.0)
            .bind(identity.map(u64::cast_signed))
            .execute(writing.on())
            .await?;
        writing.commit().await?;
        Ok(changed.rows_affected() > 0)
    }

    /// The agreed content of the file at a path, if the file is still as agreed.
    pub(crate) async fn find_agreed_hash(
        &self,
        watch: WatchId,
        path: &str,
        stamp: Stamp,
    ) -> Result<Option<ContentHash>, Error> {
        let found: Option<Vec<u8>> = sqlx::query_scalar(
            "SELECT hash FROM agreed WHERE watch_id = $1 AND path = $2 AND size_bytes = $3 AND modified_us = $4",
        )
        .bind(watch.0)
        .bind(path)
        .bind(to_sql(stamp.size_bytes))
        .bind(stamp.modified_us)
        .fetch_optional(self.read()?)
        .await?;
        Ok(found.and_then(|hash| hash.try_into().ok()))
    }

    /// Removes conflicts from before a moment that are shown to nobody any more: settled ones, and those of which one
    /// file never came.
    pub(crate) async fn trim_conflicts(&self, watch: WatchId, before: i64) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query(
            "DELETE FROM conflicts
             WHERE watch_id = $1 AND at < $2 AND (is_whole = 0 OR is_settled <> 0) AND copy_identity IS NULL",
        )
        .bind(watch.0)
        .bind(before)
        .execute(writing.on())
        .await?;
        writing.commit().await
    }
}

fn read_conflict(row: &SqliteRow) -> Result<Conflicting, Error> {
    Ok(Conflicting {
        id: ConflictId(row.try_get("id")?),
        at: Timestamp::from_micros(row.try_get("at")?),
        path: row.try_get("path")?,
        kept_as: row.try_get("kept_as")?,
        is_whole: row.try_get("is_whole")?,
        is_settled: row.try_get("is_settled")?,
        copy_identity: row.try_get::<Option<i64>, _>("copy_identity")?.map(i64::cast_unsigned),
    })
}

#[cfg(test)]
mod tests;
