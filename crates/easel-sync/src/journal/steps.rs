//! The steps of a transfer: what is about to happen in the drive, and what came of it.
//!
//! Always true: a step is written down before its request leaves, and the signed URL itself never is.

use easel_wire::FolderId;

use super::{Journal, LARGE_BYTES, to_sql};
use crate::error::Error;
use crate::transfer::{Failure, State, Stored, TransferId};

/// What may have happened in the drive without this side knowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing.
    None,
    /// A multipart upload was begun.
    Direct,
    /// A PUT to the storage key was begun; nothing was registered.
    Signed,
    /// The PUT is done, and register may have been asked.
    Put,
}

impl Step {
    const ALL: [Self; 4] = [Self::None, Self::Direct, Self::Signed, Self::Put];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Direct => "direct",
            Self::Signed => "signed",
            Self::Put => "put",
        }
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.as_str() == text)
    }

    /// Whether a file may stand in the drive because of it.
    pub(crate) const fn is_in_doubt(self) -> bool {
        matches!(self, Self::Direct | Self::Put)
    }
}

/// How a transfer ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Sent(Stored),
    AlreadyThere(Stored),
    Failed(Failure),
    Canceled,
}

impl Journal {
    /// Writes down a step before it is taken, with the file's identity as it is now.
    pub(crate) async fn record_step(
        &self,
        id: TransferId,
        step: Step,
        storage_key: Option<&str>,
        now: i64,
    ) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query(
            "UPDATE transfers SET step = $2, storage_key = $3, step_at = CASE WHEN $2 = 'none' THEN NULL ELSE $4 END
             WHERE id = $1",
        )
        .bind(id.0)
        .bind(step.as_str())
        .bind(storage_key)
        .bind(now)
        .execute(writing.on())
        .await?;
        writing.commit().await
    }

    /// Writes down what the file is now, where it is not what it was.
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

    /// Notes that an attempt broke off and will be made again, and says how many there were.
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

    /// Writes down how a transfer ended. A failure keeps a step in doubt, so that a retry asks before it repeats.
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
        .bind(stored.and_then(|stored| stored.file_id).map(|id| id.uuid().into_bytes().to_vec()))
        .bind(stored.and_then(|stored| stored.folder_id).map(|id| id.uuid().into_bytes().to_vec()))
        .bind(stored.and_then(|stored| stored.filename.clone()))
        .execute(writing.on())
        .await?;
        writing.commit().await
    }

    /// Notes where what a finished transfer found in the drive has been moved. Says whether there is such a transfer.
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
        .bind(folder.map(|id| id.uuid().into_bytes().to_vec()))
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

    /// Notes a cancel whose transfer may be in the drive, to be found out before it is called canceled.
    pub(crate) async fn record_cancel_in_doubt(&self, id: TransferId) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE transfers SET wish = 'cancel', state = 'queued', finished_at = NULL WHERE id = $1")
            .bind(id.0)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Takes back into the queue, in their old places, the files that stand still as they were last seen.
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

    /// Settling files that are to be looked at now. A `due_at` further off than `horizon` comes from a clock that was
    /// set back since, and counts as now.
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

    /// When the next settling file is to be looked at.
    pub(crate) async fn get_next_due(&self, connection_id: &str) -> Result<Option<i64>, Error> {
        Ok(sqlx::query_scalar("SELECT MIN(due_at) FROM transfers WHERE connection_id = $1 AND state = 'settling'")
            .bind(connection_id)
            .fetch_one(self.read()?)
            .await?)
    }
}
