//! The history of watched folders, line by line, for people.

use easel_wire::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::columns::{from_json, to_json};
use super::conflicts;
use crate::shared::error::Error;
use crate::shared::journal::{Journal, Writing, from_sql, to_sql};
use crate::sync::folders::{HistoryEntry, HistoryEvent, WatchId};
use crate::sync::revert::{Held, RecordedChange};

/// A line to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub path: String,
    pub what: HistoryEvent,
    pub bytes: Option<u64>,
}

impl Line {
    /// Writes the line, with what is kept of the change for whoever undoes it.
    pub(super) async fn write(
        &self,
        writing: &mut Writing<'_>,
        watch: WatchId,
        now: i64,
        kept: &RecordedChange,
    ) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO history
               (watch_id, at, path, what, bytes, run, moved_from, held_before, held_after, lay_at, from_lay_at,
                held_over)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(watch.0)
        .bind(now)
        .bind(&self.path)
        .bind(to_json(&self.what)?)
        .bind(self.bytes.map(to_sql))
        .bind(kept.run)
        .bind(&kept.moved_from)
        .bind(kept.before.as_ref().map(to_json).transpose()?)
        .bind(kept.after.as_ref().map(to_json).transpose()?)
        .bind(&kept.lay.path)
        .bind(&kept.lay.from)
        .bind(kept.over.as_ref().map(to_json).transpose()?)
        .execute(writing.on())
        .await?;
        match &self.what {
            HistoryEvent::Conflict { kept_as } => conflicts::put(writing, watch, now, &self.path, kept_as).await,
            _ => Ok(()),
        }
    }
}

impl Journal {
    /// The history of a connection's folders, or of one of them, the last line first.
    pub(crate) async fn list_folder_history(
        &self,
        connection_id: &str,
        watch: Option<WatchId>,
        search: &str,
        offset: u64,
        limit: u64,
    ) -> Result<Vec<HistoryEntry>, Error> {
        let mut sql = QueryBuilder::<Sqlite>::new(
            "SELECT id, watch_id, at, path, what, bytes, run, who, moved_from, held_before, held_after
             FROM history WHERE ",
        );
        match watch {
            Some(watch) => sql.push("watch_id = ").push_bind(watch.0),
            None => sql
                .push("watch_id IN (SELECT id FROM watches WHERE connection_id = ")
                .push_bind(connection_id.to_owned())
                .push(")"),
        };
        if !search.is_empty() {
            let pattern = search.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            sql.push(" AND path LIKE ").push_bind(format!("%{pattern}%")).push(" ESCAPE '\\'");
        }
        sql.push(" ORDER BY id DESC LIMIT ").push_bind(to_sql(limit)).push(" OFFSET ").push_bind(to_sql(offset));
        let rows = sql.build().fetch_all(self.read()?).await?;
        rows.iter().map(read_entry).collect()
    }

    /// Removes a folder's oldest lines: those before a moment, and all but the last `keep`.
    pub(crate) async fn trim_folder_history(&self, watch: WatchId, keep: u64, before: i64) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query(
            "DELETE FROM history WHERE watch_id = $1 AND (at < $2 OR id <=
               (SELECT id FROM history WHERE watch_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $3))",
        )
        .bind(watch.0)
        .bind(before)
        .bind(to_sql(keep))
        .execute(writing.on())
        .await?;
        writing.commit().await
    }
}

fn read_entry(row: &SqliteRow) -> Result<HistoryEntry, Error> {
    let held = |column: &str| -> Result<Option<Held>, Error> {
        row.try_get::<Option<String>, _>(column)?.map(|text| from_json(&text)).transpose()
    };
    let what = from_json(&row.try_get::<String, _>("what")?)?;
    let (before, after) = (held("held_before")?, held("held_after")?);
    let is_whole = match &what {
        HistoryEvent::MovedThere { .. } => row.try_get::<Option<String>, _>("moved_from")?.is_some(),
        HistoryEvent::OldVersionDeleted | HistoryEvent::Unknown => false,
        _ => before.is_some() && after.is_some(),
    };
    let file = |held: &Option<Held>| match held {
        Some(Held::File(content)) => Some(content.file),
        _ => None,
    };
    Ok(HistoryEntry {
        id: row.try_get("id")?,
        at: Timestamp::from_micros(row.try_get("at")?),
        folder: WatchId(row.try_get("watch_id")?),
        path: row.try_get("path")?,
        what,
        bytes: row.try_get::<Option<i64>, _>("bytes")?.map(from_sql),
        run: row.try_get("run")?,
        can_be_undone: is_whole,
        is_new: before == Some(Held::Nothing),
        file: file(&after).or_else(|| file(&before)),
        author: row.try_get::<Option<String>, _>("who")?.map(|text| from_json(&text)).transpose()?,
    })
}
