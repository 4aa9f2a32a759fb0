//! The history of watched folders, line by line, for people.

use easel_wire::Timestamp;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::columns::{from_json, to_json};
use super::conflicts;
use crate::shared::error::Error;
use crate::shared::journal::{Journal, Writing, from_sql, to_sql};
use crate::sync::folders::{HistoryEntry, WatchId, What};

/// A line to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub path: String,
    pub what: What,
    pub bytes: Option<u64>,
}

impl Line {
    pub(super) async fn write(&self, writing: &mut Writing<'_>, watch: WatchId, now: i64) -> Result<(), Error> {
        sqlx::query("INSERT INTO history (watch_id, at, path, what, bytes) VALUES ($1, $2, $3, $4, $5)")
            .bind(watch.0)
            .bind(now)
            .bind(&self.path)
            .bind(to_json(&self.what)?)
            .bind(self.bytes.map(to_sql))
            .execute(writing.on())
            .await?;
        match &self.what {
            What::Conflict { kept_as } => conflicts::put(writing, watch, now, &self.path, kept_as).await,
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
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT id, watch_id, at, path, what, bytes FROM history WHERE ");
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
        rows.iter()
            .map(|row| {
                Ok(HistoryEntry {
                    id: row.try_get(0)?,
                    folder: WatchId(row.try_get(1)?),
                    at: Timestamp::from_micros(row.try_get(2)?),
                    path: row.try_get(3)?,
                    what: from_json(&row.try_get::<String, _>(4)?)?,
                    bytes: row.try_get::<Option<i64>, _>(5)?.map(from_sql),
                })
            })
            .collect()
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
