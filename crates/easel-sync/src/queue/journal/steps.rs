//! The steps of a transfer: what is about to happen in the drive, and its result.
//!
//! Always true: a step is written down before its request leaves, and the signed URL itself never is.

use easel_wire::{FileId, FolderId};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::queue::transfer::State;
use crate::queue::upload_job::End;
use crate::shared::drive_file::ContentHash;
use crate::shared::error::Error;
use crate::shared::ids::TransferId;
use crate::shared::journal::{Journal, LARGE_BYTES, to_sql};
use crate::shared::upload::Checkpoint;

/// A checkpoint as columns of a row.
#[derive(Debug, Default)]
struct Columns<'a> {
    step: &'static str,
    storage_key: Option<&'a str>,
    since_us: Option<i64>,
    hash: Option<Vec<u8>>,
    file: Option<String>,
}

impl<'a> From<&'a Checkpoint> for Columns<'a> {
    fn from(checkpoint: &'a Checkpoint) -> Self {
        let (step, file) = match checkpoint {
            Checkpoint::NotBegun => ("none", None),
            Checkpoint::Sent { .. } => ("direct", None),
            Checkpoint::Signed { .. } => ("signed", None),
            Checkpoint::Staged { .. } => ("put", None),
            Checkpoint::Landed { file, was_duplicate: false, .. } => ("landed", Some(file.to_string())),
            Checkpoint::Landed { file, was_duplicate: true, .. } => ("duplicate", Some(file.to_string())),
        };
        let hash = checkpoint.hash().map(|hash| hash.to_vec());
        Columns { step, storage_key: checkpoint.key(), since_us: checkpoint.since_us(), hash, file }
    }
}

/// The checkpoint of a row. If its key or file is missing, the nearest checkpoint that does without them, or none.
pub(super) fn checkpoint_of(row: &SqliteRow) -> Result<Checkpoint, sqlx::Error> {
    let step: String = row.try_get("step")?;
    let key: Option<String> = row.try_get("storage_key")?;
    let step_at: Option<i64> = row.try_get("step_at")?;
    let since_us = step_at.unwrap_or_default();
    let hash: Option<Vec<u8>> = row.try_get("step_hash")?;
    let hash: Option<ContentHash> = hash.and_then(|hash| hash.try_into().ok());
    let file: Option<String> = row.try_get("step_file")?;
    Ok(match (step.as_str(), key) {
        ("none", _) => Checkpoint::NotBegun,
        ("direct", _) => Checkpoint::Sent { since_us, hash },
        ("signed", Some(key)) => Checkpoint::Signed { key, since_us },
        ("signed", None) => Checkpoint::NotBegun,
        ("put", Some(key)) => Checkpoint::Staged { key, since_us, hash },
        ("put", None) => Checkpoint::Sent { since_us, hash },
        ("landed" | "duplicate", _) => match file.and_then(|file| file.parse().ok()) {
            Some(file) => {
                Checkpoint::Landed { file, hash, was_duplicate: step == "duplicate", doubted_since_us: step_at }
            }
            None => Checkpoint::Sent { since_us, hash },
        },
        (other, _) => return Err(sqlx::Error::Decode(format!("step {other}").into())),
    })
}

impl Journal {
    /// Writes down how far an upload is, before the request that the checkpoint is about leaves.
    pub(crate) async fn record_checkpoint(&self, id: TransferId, checkpoint: &Checkpoint) -> Result<(), Error> {
        let Columns { step, storage_key, since_us, hash, file } = checkpoint.into();
        let mut writing = self.write().await?;
        sqlx::query(
            "UPDATE transfers SET step = $2, storage_key = $3, step_at = $4, step_hash = $5, step_file = $6
             WHERE id = $1",
        )
        .bind(id.0)
        .bind(step)
        .bind(storage_key)
        .bind(since_us)
        .bind(hash)
        .bind(file)
        .execute(writing.on())
        .await?;
        writing.commit().await
    }

    /// Whether another transfer has sent this drive file, or may have: one of the same name and size that is in doubt.
    pub(crate) async fn belongs_to_another(&self, id: TransferId, file: FileId) -> Result<bool, Error> {
        let another: Option<i64> = sqlx::query_scalar(
            "SELECT other.id FROM transfers other JOIN transfers own ON own.id = $2
             WHERE other.id <> own.id AND other.connection_id = own.connection_id AND
               ((other.file_id = $1 AND other.state = 'sent') OR
                (other.step NOT IN ('none', 'signed') AND other.name = own.name AND other.size_bytes = own.size_bytes))
             LIMIT 1",
        )
        .bind(file.to_string())
        .bind(id.0)
        .fetch_optional(self.read()?)
        .await?;
        Ok(another.is_some())
    }

    /// Writes down the file's present state, if that has changed.
    pub(crate) async fn record_identity(&self, id: TransferId, size_bytes: u64, modified_at: i64) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE transfers SET size_bytes = $2, modified_at = $3, is_large = $4 WHERE id = $1")
            .bind(id.0)
            .bind(to_sql(size_bytes))
            .bind(modified_at)
            .bind(size_bytes > LARGE_BYTES)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Notes that an attempt broke off and will be made again. Returns how many attempts there were.
    pub(crate) async fn record_attempt(&self, id: TransferId) -> Result<u32, Error> {
        let mut writing = self.write().await?;
        let attempts =
            sqlx::query_scalar("UPDATE transfers SET attempts = attempts + 1 WHERE id = $1 RETURNING attempts")
                .bind(id.0)
                .fetch_one(writing.on())
                .await?;
        writing.commit().await?;
        Ok(attempts)
    }

    /// Writes down how a transfer ended. A failed one keeps its checkpoint, so that a retry goes on from there.
    pub(crate) async fn record_end(&self, id: TransferId, end: &End, now: i64) -> Result<(), Error> {
        let (state, stored, failure) = match end {
            End::Sent(stored) => (State::Sent, Some(stored), None),
            End::AlreadyThere(stored) => (State::AlreadyThere, Some(stored), None),
            End::Failed(failure) => (State::Failed, None, serde_json::to_string(failure).ok()),
            End::Canceled => (State::Canceled, None, None),
        };
        let mut writing = self.write().await?;
        sqlx::query(
            "UPDATE transfers SET state = $2, wish = 'none', due_at = NULL, failure = $3, finished_at = $4,
               file_id = $5, stored_in = $6, stored_name = $7,
               step = CASE WHEN $2 = 'failed' THEN step ELSE 'none' END,
               storage_key = CASE WHEN $2 = 'failed' THEN storage_key ELSE NULL END
             WHERE id = $1",
        )
        .bind(id.0)
        .bind(state.as_str())
        .bind(failure)
        .bind(now)
        .bind(stored.and_then(|stored| stored.file_id).map(|id| id.to_string()))
        .bind(stored.and_then(|stored| stored.folder_id).map(|id| id.to_string()))
        .bind(stored.and_then(|stored| stored.filename.clone()))
        .execute(writing.on())
        .await?;
        writing.commit().await
    }

    /// Writes down where the drive file of a finished transfer was moved. Returns whether there is such a transfer.
    pub(crate) async fn record_moved(
        &self,
        connection_id: &str,
        id: TransferId,
        folder: Option<FolderId>,
    ) -> Result<bool, Error> {
        let mut writing = self.write().await?;
        let changed = sqlx::query(
            "UPDATE transfers SET stored_in = $3
             WHERE id = $1 AND connection_id = $2 AND state IN ('sent', 'already_there')",
        )
        .bind(id.0)
        .bind(connection_id)
        .bind(folder.map(|id| id.to_string()))
        .execute(writing.on())
        .await?
        .rows_affected();
        writing.commit().await?;
        Ok(changed > 0)
    }

    /// Sets a file aside until `due_at`, because it is still being written.
    pub(crate) async fn record_settling(
        &self,
        id: TransferId,
        size_bytes: u64,
        modified_at: i64,
        due_at: i64,
    ) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query(
            "UPDATE transfers SET state = 'settling', size_bytes = $2, modified_at = $3, is_large = $4, due_at = $5
             WHERE id = $1 AND state IN ('queued', 'settling')",
        )
        .bind(id.0)
        .bind(to_sql(size_bytes))
        .bind(modified_at)
        .bind(size_bytes > LARGE_BYTES)
        .bind(due_at)
        .execute(writing.on())
        .await?;
        writing.commit().await
    }

    /// Writes down that a transfer is to be canceled once it is known whether its file is in the drive.
    pub(crate) async fn record_cancel_in_doubt(&self, id: TransferId) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE transfers SET wish = 'cancel', state = 'queued', finished_at = NULL WHERE id = $1")
            .bind(id.0)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Puts files back into the queue, in their old order, that stand still as last seen.
    pub(crate) async fn record_settled(&self, ids: &[TransferId]) -> Result<(), Error> {
        let mut writing = self.write().await?;
        for id in ids {
            sqlx::query("UPDATE transfers SET state = 'queued' WHERE id = $1 AND state = 'settling'")
                .bind(id.0)
                .execute(writing.on())
                .await?;
        }
        writing.commit().await
    }

    /// Settling files that are due now. A `due_at` after `horizon` comes from a clock that was set back since, and
    /// counts as due.
    pub(crate) async fn list_due(
        &self,
        connection_id: &str,
        now: i64,
        horizon: i64,
        limit: u64,
    ) -> Result<Vec<super::Row>, Error> {
        Ok(sqlx::query_as(super::rows::select_rows!(
            "WHERE t.connection_id = $1 AND t.state = 'settling' AND (t.due_at <= $2 OR t.due_at > $3)
             ORDER BY t.due_at LIMIT $4"
        ))
        .bind(connection_id)
        .bind(now)
        .bind(horizon)
        .bind(to_sql(limit))
        .fetch_all(self.read()?)
        .await?)
    }

    /// When the next settling file is due.
    pub(crate) async fn get_next_due(&self, connection_id: &str) -> Result<Option<i64>, Error> {
        Ok(sqlx::query_scalar("SELECT MIN(due_at) FROM transfers WHERE connection_id = $1 AND state = 'settling'")
            .bind(connection_id)
            .fetch_one(self.read()?)
            .await?)
    }
}
