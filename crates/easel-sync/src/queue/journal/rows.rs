//! The rows of transfers in the journal, and lists and counts of them.

use std::path::PathBuf;

use easel_wire::{FolderId, Id, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row as _};

use super::steps::checkpoint_of;
use crate::queue::transfer::{Filter, Kind, State, Stored, Transfer};
use crate::shared::causes::Failure;
use crate::shared::error::Error;
use crate::shared::ids::TransferId;
use crate::shared::journal::{Journal, from_sql, path_from_bytes};
use crate::shared::upload::Checkpoint;

/// A transfer's row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub id: TransferId,
    pub kind: Kind,
    pub path: PathBuf,
    pub name: String,
    pub relative_dir: String,
    pub folder_row: Option<i64>,
    pub target_folder: Option<FolderId>,
    pub size_bytes: u64,
    /// The file's modification time as last seen, in microseconds since the epoch.
    pub modified_at: i64,
    pub is_large: bool,
    /// Whether the file was found to stand still in this state.
    pub is_settled: bool,
    pub state: State,
    /// How far the file's upload is.
    pub checkpoint: Checkpoint,
    pub is_cancel_asked: bool,
    pub attempts: u32,
    pub failure: Option<Failure>,
    pub result: Option<Stored>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// How many transfers of one round are in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Total {
    /// Whether it is the present round of the queue.
    pub is_this_round: bool,
    pub state: State,
    pub is_large: bool,
    pub files: u64,
    pub bytes: u64,
}

fn id_from_text<K: easel_wire::id::Kind>(text: Option<String>) -> Option<Id<K>> {
    text?.parse().ok()
}

impl FromRow<'_, SqliteRow> for Row {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let state: String = row.try_get("state")?;
        let kind: String = row.try_get("kind")?;
        let state = State::from_text(&state).ok_or_else(|| sqlx::Error::Decode(format!("state {state}").into()))?;
        let failure: Option<String> = row.try_get("failure")?;
        let command: String = row.try_get("wish")?;
        let finished_at: Option<i64> = row.try_get("finished_at")?;
        let has_result = matches!(state, State::Sent | State::AlreadyThere);
        Ok(Self {
            id: TransferId(row.try_get("id")?),
            kind: if kind == "folder" { Kind::Folder } else { Kind::File },
            path: path_from_bytes(row.try_get("path")?),
            name: row.try_get("name")?,
            relative_dir: row.try_get("relative_dir")?,
            folder_row: row.try_get("folder_row")?,
            target_folder: id_from_text(row.try_get("target")?),
            size_bytes: from_sql(row.try_get("size_bytes")?),
            modified_at: row.try_get("modified_at")?,
            is_large: row.try_get("is_large")?,
            is_settled: state == State::Queued && row.try_get::<Option<i64>, _>("due_at")?.is_some(),
            state,
            checkpoint: checkpoint_of(row)?,
            is_cancel_asked: command == "cancel",
            attempts: row.try_get("attempts")?,
            failure: failure.and_then(|text| serde_json::from_str(&text).ok()),
            result: if has_result {
                Some(Stored {
                    file_id: id_from_text(row.try_get("file_id")?),
                    folder_id: id_from_text(row.try_get("stored_in")?),
                    filename: row.try_get("stored_name")?,
                })
            } else {
                None
            },
            created_at: Timestamp::from_micros(row.try_get("created_at")?),
            finished_at: finished_at.map(Timestamp::from_micros),
        })
    }
}

impl Row {
    /// The transfer as the window sees it while it is not at work.
    pub(crate) fn into_transfer(self) -> Transfer {
        let is_over = matches!(self.state, State::Sent | State::AlreadyThere);
        Transfer {
            id: self.id,
            kind: self.kind,
            sent_bytes: if is_over { self.size_bytes } else { 0 },
            bytes_per_second: 0,
            time_left_ms: None,
            restarts_on_pause: false,
            path: self.path,
            name: self.name,
            relative_dir: self.relative_dir,
            size_bytes: self.size_bytes,
            state: self.state,
            failure: self.failure,
            target_folder: self.target_folder,
            result: self.result,
            created_at: self.created_at,
            finished_at: self.finished_at,
        }
    }
}

/// Every column of a row, with the drop's folder beside it.
macro_rules! select_rows {
    ($rest:literal) => {
        concat!("SELECT t.*, d.folder_id AS target FROM transfers t JOIN drops d ON d.id = t.drop_id ", $rest)
    };
}
pub(super) use select_rows;

impl Journal {
    /// One transfer of a connection.
    pub(crate) async fn get_row(&self, connection_id: &str, id: TransferId) -> Result<Option<Row>, Error> {
        Ok(sqlx::query_as(select_rows!("WHERE t.id = $1 AND t.connection_id = $2"))
            .bind(id.0)
            .bind(connection_id)
            .fetch_optional(self.read()?)
            .await?)
    }

    /// Some transfers of a connection, in the order of the filter.
    pub(crate) async fn list_rows(
        &self,
        connection_id: &str,
        filter: Filter,
        offset: u64,
        limit: u64,
    ) -> Result<Vec<Row>, Error> {
        let query = match filter {
            Filter::All => select_rows!("WHERE t.connection_id = $1 ORDER BY t.id DESC LIMIT $2 OFFSET $3"),
            Filter::Unfinished => select_rows!(
                "WHERE t.connection_id = $1 AND t.state IN ('queued', 'settling', 'paused')
                 ORDER BY t.priority DESC, t.id LIMIT $2 OFFSET $3"
            ),
            Filter::Failed => {
                select_rows!("WHERE t.connection_id = $1 AND t.state = 'failed' ORDER BY t.id DESC LIMIT $2 OFFSET $3")
            }
            Filter::Finished => select_rows!(
                "WHERE t.connection_id = $1 AND t.finished_at IS NOT NULL
                   AND t.state IN ('sent', 'already_there', 'canceled')
                 ORDER BY t.finished_at DESC, t.id DESC LIMIT $2 OFFSET $3"
            ),
        };
        Ok(sqlx::query_as(query)
            .bind(connection_id)
            .bind(crate::shared::journal::to_sql(limit))
            .bind(crate::shared::journal::to_sql(offset))
            .fetch_all(self.read()?)
            .await?)
    }

    /// The next transfers in their order, either large or small ones; those that a person touched come first, the last
    /// touched before others.
    pub(crate) async fn list_ready(
        &self,
        connection_id: &str,
        is_large: bool,
        limit: u64,
    ) -> Result<Vec<(i64, Row)>, Error> {
        let rows = sqlx::query(select_rows!(
            "WHERE t.connection_id = $1 AND t.state = 'queued' AND t.is_large = $2
             ORDER BY t.priority DESC, t.id LIMIT $3"
        ))
        .bind(connection_id)
        .bind(is_large)
        .bind(crate::shared::journal::to_sql(limit))
        .fetch_all(self.read()?)
        .await?;
        rows.iter().map(|row| Ok((row.try_get("priority")?, Row::from_row(row)?))).collect()
    }

    /// The counts of a connection, and how many drops are still being walked.
    pub(crate) async fn get_totals(&self, connection_id: &str) -> Result<(Vec<Total>, u64), Error> {
        let rows = sqlx::query(
            "SELECT totals.round = queues.round AS is_this_round, state, is_large, files, bytes
             FROM totals JOIN queues ON queues.connection_id = totals.connection_id
             WHERE totals.connection_id = $1 AND files > 0",
        )
        .bind(connection_id)
        .fetch_all(self.read()?)
        .await?;
        let mut totals = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(state) = State::from_text(row.try_get("state")?) else { continue };
            totals.push(Total {
                is_this_round: row.try_get("is_this_round")?,
                state,
                is_large: row.try_get("is_large")?,
                files: from_sql(row.try_get("files")?),
                bytes: from_sql(row.try_get("bytes")?),
            });
        }
        let walking: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM drops WHERE connection_id = $1 AND is_walked = 0")
            .bind(connection_id)
            .fetch_one(self.read()?)
            .await?;
        Ok((totals, from_sql(walking)))
    }

    /// Removes finished transfers of earlier rounds beyond the newest `keep_rows` or from before `before`; where
    /// `keep_rows` is zero, all finished transfers of any round. Returns how many.
    pub(crate) async fn trim_history(&self, connection_id: &str, keep_rows: u64, before: i64) -> Result<u64, Error> {
        let mut writing = self.write().await?;
        let trimmed = sqlx::query(
            "DELETE FROM transfers WHERE id IN (
               SELECT id FROM (
                 SELECT t.id, t.finished_at, t.round = q.round AS is_this_round,
                        ROW_NUMBER() OVER (ORDER BY t.finished_at DESC, t.id DESC) AS place
                 FROM transfers t JOIN queues q ON q.connection_id = t.connection_id
                 WHERE t.connection_id = $1 AND t.finished_at IS NOT NULL
                   AND t.state IN ('sent', 'already_there', 'canceled'))
               WHERE $2 = 0 OR (NOT is_this_round AND (place > $2 OR finished_at < $3)))",
        )
        .bind(connection_id)
        .bind(crate::shared::journal::to_sql(keep_rows))
        .bind(before)
        .execute(writing.on())
        .await?
        .rows_affected();
        sqlx::query(
            "DELETE FROM drops WHERE connection_id = $1 AND is_walked = 1
               AND NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.drop_id = drops.id)",
        )
        .bind(connection_id)
        .execute(writing.on())
        .await?;
        sqlx::query("DELETE FROM totals WHERE connection_id = $1 AND files <= 0")
            .bind(connection_id)
            .execute(writing.on())
            .await?;
        writing.commit().await?;
        Ok(trimmed)
    }
}
