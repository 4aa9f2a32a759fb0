//! A person's commands about transfers in the journal: pause, resume, cancel, retry, promote; for one or for all.
//!
//! Always true: a command is durable when its function returns. Not here: stopping transfers that are at work, which the
//! queue does.

use super::drops::begin_round;
use crate::shared::error::Error;
use crate::shared::ids::TransferId;
use crate::shared::journal::{Journal, Writing};

/// The transfers that a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    One(TransferId),
    All,
}

impl Selection {
    /// The id, or a number that no transfer has.
    const fn id(self) -> i64 {
        match self {
            Self::One(id) => id.0,
            Self::All => -1,
        }
    }
}

impl Journal {
    /// Pauses the selected transfers. Returns how many.
    pub(crate) async fn pause(&self, connection_id: &str, which: Selection) -> Result<u64, Error> {
        let mut writing = self.write().await?;
        let count = sqlx::query(
            "UPDATE transfers SET state = 'paused', due_at = NULL
             WHERE connection_id = $1 AND ($2 = -1 OR id = $2) AND state IN ('queued', 'settling') AND wish = 'none'",
        )
        .bind(connection_id)
        .bind(which.id())
        .execute(writing.on())
        .await?
        .rows_affected();
        if which == Selection::All {
            enter_as(&mut writing, connection_id, "paused").await?;
        }
        writing.commit().await?;
        Ok(count)
    }

    /// Resumes the selected transfers; a single one goes first.
    pub(crate) async fn resume(&self, connection_id: &str, which: Selection) -> Result<u64, Error> {
        let mut writing = self.write().await?;
        begin_round(&mut writing, connection_id).await?;
        let count = sqlx::query(
            "UPDATE transfers SET state = 'queued', round = (SELECT round FROM queues WHERE connection_id = $1),
               priority = CASE WHEN $2 = -1 THEN priority ELSE
                 (SELECT MAX(priority) + 1 FROM transfers WHERE connection_id = $1) END
             WHERE connection_id = $1 AND ($2 = -1 OR id = $2) AND state = 'paused'",
        )
        .bind(connection_id)
        .bind(which.id())
        .execute(writing.on())
        .await?
        .rows_affected();
        if which == Selection::All {
            enter_as(&mut writing, connection_id, "queued").await?;
        }
        writing.commit().await?;
        Ok(count)
    }

    /// Cancels the selected transfers. If a step is in doubt, the command is kept until it is known whether the file is in
    /// the drive.
    pub(crate) async fn cancel(&self, connection_id: &str, which: Selection, now: i64) -> Result<u64, Error> {
        let mut writing = self.write().await?;
        let count = sqlx::query(
            "UPDATE transfers SET
               wish = CASE WHEN step IN ('direct', 'put', 'landed', 'duplicate') THEN 'cancel' ELSE 'none' END,
               state = CASE WHEN step IN ('direct', 'put', 'landed', 'duplicate') THEN 'queued' ELSE 'canceled' END,
               finished_at = CASE WHEN step IN ('direct', 'put', 'landed', 'duplicate') THEN NULL ELSE $3 END,
               priority = CASE WHEN $2 = -1 THEN priority ELSE
                 (SELECT MAX(priority) + 1 FROM transfers WHERE connection_id = $1) END,
               failure = NULL, due_at = NULL
             WHERE connection_id = $1 AND
               (($2 = -1 AND state IN ('queued', 'settling', 'paused')) OR
                (id = $2 AND state IN ('queued', 'settling', 'paused', 'failed')))",
        )
        .bind(connection_id)
        .bind(which.id())
        .bind(now)
        .execute(writing.on())
        .await?
        .rows_affected();
        if which == Selection::All {
            enter_as(&mut writing, connection_id, "canceled").await?;
        }
        writing.commit().await?;
        Ok(count)
    }

    /// Retries failed transfers, before all others; a single one also if it was canceled.
    pub(crate) async fn retry(&self, connection_id: &str, which: Selection) -> Result<u64, Error> {
        let mut writing = self.write().await?;
        begin_round(&mut writing, connection_id).await?;
        let count = sqlx::query(
            "UPDATE transfers SET state = 'queued', failure = NULL, finished_at = NULL, attempts = 0,
               round = (SELECT round FROM queues WHERE connection_id = $1),
               priority = (SELECT MAX(priority) + 1 FROM transfers WHERE connection_id = $1)
             WHERE connection_id = $1 AND
               (($2 = -1 AND state = 'failed') OR (id = $2 AND state IN ('failed', 'canceled')))",
        )
        .bind(connection_id)
        .bind(which.id())
        .execute(writing.on())
        .await?
        .rows_affected();
        writing.commit().await?;
        Ok(count)
    }

    /// Puts a transfer before all others.
    pub(crate) async fn promote(&self, connection_id: &str, id: TransferId) -> Result<u64, Error> {
        let mut writing = self.write().await?;
        let count = sqlx::query(
            "UPDATE transfers SET priority = (SELECT MAX(priority) + 1 FROM transfers WHERE connection_id = $1)
             WHERE connection_id = $1 AND id = $2",
        )
        .bind(connection_id)
        .bind(id.0)
        .execute(writing.on())
        .await?
        .rows_affected();
        writing.commit().await?;
        Ok(count)
    }
}

/// Sets the state in which the finds of walks under way enter from now on.
async fn enter_as(writing: &mut Writing<'_>, connection_id: &str, state: &str) -> Result<(), Error> {
    sqlx::query("UPDATE drops SET entry_state = $2 WHERE connection_id = $1 AND is_walked = 0")
        .bind(connection_id)
        .bind(state)
        .execute(writing.on())
        .await?;
    Ok(())
}
