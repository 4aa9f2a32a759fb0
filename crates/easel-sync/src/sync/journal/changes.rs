//! What the history keeps of a change beside its words, so that it can be undone.
//!
//! Always true: it is written in the commit of the line that tells of the change. Not here: what is recorded of a change
//! (`sync/revert/recorder`), and what follows from it (`sync/revert`).

use std::collections::{BTreeMap, HashMap};

use easel_wire::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::columns::{damaged, from_json, id, to_json};
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, Writing, from_sql};
use crate::sync::folders::{Author, HistoryEvent};
use crate::sync::ports::Settlement;
use crate::sync::revert::{Content, Held, Kind, Known, Lay, PastChange, RecordedChange, Recorder, Run, Unsaved};

/// Which changes are to be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The one of this line of the history.
    One(i64),
    /// All of the run with this number.
    Run(i64),
    /// All since a moment.
    Since(Timestamp),
}

/// A table with a text for some of a watched folder's paths.
struct TextsByPath {
    put: &'static str,
    remove: &'static str,
    list: &'static str,
}

/// Where items were that have moved here, as [`Known::came_from`].
const MOVES: TextsByPath = TextsByPath {
    put: "INSERT OR REPLACE INTO moves (watch_id, path, came_from) VALUES ($1, $2, $3)",
    remove: "DELETE FROM moves WHERE watch_id = $1 AND path = $2",
    list: "SELECT path, came_from FROM moves WHERE watch_id = $1",
};

/// What paths held, in JSON, as [`Known::forgotten`].
const FORGOTTEN: TextsByPath = TextsByPath {
    put: "INSERT OR REPLACE INTO forgotten (watch_id, path, held) VALUES ($1, $2, $3)",
    remove: "DELETE FROM forgotten WHERE watch_id = $1 AND path = $2",
    list: "SELECT path, held FROM forgotten WHERE watch_id = $1",
};

impl TextsByPath {
    /// Writes down the text of a path, or that it has none.
    async fn keep(
        &self,
        writing: &mut Writing<'_>,
        watch: WatchId,
        path: &str,
        text: Option<String>,
    ) -> Result<(), Error> {
        let sql = sqlx::query(if text.is_some() { self.put } else { self.remove }).bind(watch.0).bind(path);
        match text {
            Some(text) => sql.bind(text).execute(writing.on()).await?,
            None => sql.execute(writing.on()).await?,
        };
        Ok(())
    }

    async fn list(&self, writing: &mut Writing<'_>, watch: WatchId) -> Result<Vec<(String, String)>, Error> {
        Ok(sqlx::query_as(self.list).bind(watch.0).fetch_all(writing.on()).await?)
    }
}

/// Records a settlement that is about to be written: for each of its applied changes what it finds.
pub(super) async fn record(
    recorder: &mut Recorder,
    writing: &mut Writing<'_>,
    watch: WatchId,
    settlement: &Settlement,
) -> Result<Vec<RecordedChange>, Error> {
    if recorder.run().is_none() && !settlement.applied.is_empty() {
        recorder.begin_run(find_next_run(writing, watch).await?);
    }
    let mut found = HashMap::new();
    for path in recorder.paths(settlement) {
        found.insert(path, find_held(writing, watch, path).await?);
    }
    let recorded = recorder.record(settlement, |path| found.get(path).cloned().unwrap_or(Held::Nothing));
    let Unsaved { came_from, forgotten } = recorder.take_unsaved();
    for (path, came_from) in came_from {
        MOVES.keep(writing, watch, &path, came_from).await?;
    }
    for (path, held) in forgotten {
        FORGOTTEN.keep(writing, watch, &path, held.as_ref().map(to_json).transpose()?).await?;
    }
    Ok(recorded)
}

/// A recorder that knows what the last one wrote down.
pub(super) async fn load_recorder(writing: &mut Writing<'_>, watch: WatchId) -> Result<Recorder, Error> {
    let root: String = sqlx::query_scalar("SELECT drive_folder FROM watches WHERE id = $1")
        .bind(watch.0)
        .fetch_one(writing.on())
        .await?;
    let came_from = MOVES.list(writing, watch).await?.into_iter().collect();
    let mut forgotten = BTreeMap::new();
    for (path, held) in FORGOTTEN.list(writing, watch).await? {
        forgotten.insert(path, from_json(&held)?);
    }
    Ok(Recorder::new(id(&root)?, Known { came_from, forgotten }))
}

/// A run has come to its end: what paths held is told, or was of no use.
pub(super) async fn end_run(writing: &mut Writing<'_>, watch: WatchId) -> Result<(), Error> {
    sqlx::query("DELETE FROM forgotten WHERE watch_id = $1").bind(watch.0).execute(writing.on()).await?;
    Ok(())
}

/// The run that begins: all but the first are recorded.
async fn find_next_run(writing: &mut Writing<'_>, watch: WatchId) -> Result<Run, Error> {
    let row = sqlx::query(
        "SELECT COALESCE((SELECT run FROM history WHERE watch_id = $1 AND run IS NOT NULL ORDER BY run DESC LIMIT 1), 0) + 1,
           (SELECT last_looked_at IS NOT NULL FROM watches WHERE id = $1)",
    )
    .bind(watch.0)
    .fetch_one(writing.on())
    .await?;
    let is_recorded = row.try_get::<Option<bool>, _>(1)?.unwrap_or_default();
    Ok(Run { number: row.try_get(0)?, is_recorded })
}

/// What both sides agree that a path is.
pub(super) async fn find_held(writing: &mut Writing<'_>, watch: WatchId, path: &str) -> Result<Held, Error> {
    let row = sqlx::query("SELECT kind, drive_id, size_bytes, hash FROM agreed WHERE watch_id = $1 AND path = $2")
        .bind(watch.0)
        .bind(path)
        .fetch_optional(writing.on())
        .await?;
    let Some(row) = row else { return Ok(Held::Nothing) };
    let drive_id: &str = row.try_get(1)?;
    if row.try_get::<i64, _>(0)? == 0 {
        return Ok(Held::Folder { folder: id(drive_id)? });
    }
    let hash: &[u8] = row.try_get(3)?;
    let hash = hash.try_into().map_err(|_| damaged("a hash that is not 32 bytes long"))?;
    Ok(Held::File(Content { file: id(drive_id)?, hash, bytes: from_sql(row.try_get(2)?) }))
}

impl Journal {
    /// The changes of a folder that are to be undone, the last first.
    pub(crate) async fn list_changes(&self, watch: WatchId, scope: Scope) -> Result<Vec<PastChange>, Error> {
        let mut sql = QueryBuilder::<Sqlite>::new(
            "SELECT id, run, path, what, moved_from, lay_at, from_lay_at, held_before, held_after, held_over
             FROM history WHERE watch_id = ",
        );
        sql.push_bind(watch.0);
        push_scope(&mut sql, scope);
        let rows = sql.push(" ORDER BY id DESC").build().fetch_all(self.read()?).await?;
        let mut changes = Vec::with_capacity(rows.len());
        for row in &rows {
            changes.extend(read_changes(row)?);
        }
        Ok(changes)
    }

    /// The earliest moment that a folder can go back to: after the last change of which nobody wrote down what it found, and
    /// not before what the history still tells.
    pub(crate) async fn find_reach(&self, watch: WatchId) -> Result<Option<Timestamp>, Error> {
        let at: Option<i64> = sqlx::query_scalar(
            "SELECT COALESCE(
               (SELECT MAX(at) FROM history WHERE watch_id = $1 AND held_before IS NULL),
               (SELECT MIN(at) FROM history WHERE watch_id = $1))",
        )
        .bind(watch.0)
        .fetch_one(self.read()?)
        .await?;
        Ok(at.map(Timestamp::from_micros))
    }

    /// When the first of some changes was made.
    pub(crate) async fn find_beginning(&self, watch: WatchId, scope: Scope) -> Result<Option<Timestamp>, Error> {
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT MIN(at) FROM history WHERE watch_id = ");
        sql.push_bind(watch.0);
        push_scope(&mut sql, scope);
        let at: Option<i64> = sql.build_query_scalar().fetch_one(self.read()?).await?;
        Ok(at.map(Timestamp::from_micros))
    }

    /// Writes down who made the changes of these lines.
    pub(crate) async fn record_authors(&self, watch: WatchId, authors: &[(i64, Author)]) -> Result<(), Error> {
        let mut writing = self.write().await?;
        for (line, author) in authors {
            sqlx::query("UPDATE history SET who = $3 WHERE watch_id = $1 AND id = $2")
                .bind(watch.0)
                .bind(line)
                .bind(to_json(author)?)
                .execute(writing.on())
                .await?;
        }
        writing.commit().await
    }
}

fn push_scope(sql: &mut QueryBuilder<Sqlite>, scope: Scope) {
    match scope {
        Scope::One(line) => sql.push(" AND id = ").push_bind(line),
        Scope::Run(run) => sql.push(" AND run = ").push_bind(run),
        Scope::Since(moment) => sql.push(" AND at > ").push_bind(moment.as_micros()),
    };
}

fn read_changes(row: &SqliteRow) -> Result<Vec<PastChange>, Error> {
    let held = |column: &str| -> Result<Option<Held>, Error> {
        row.try_get::<Option<String>, _>(column)?.map(|text| from_json(&text)).transpose()
    };
    let what: HistoryEvent = from_json(&row.try_get::<String, _>("what")?)?;
    let recorded = RecordedChange {
        run: row.try_get("run")?,
        moved_from: row.try_get("moved_from")?,
        lay: Lay { path: row.try_get("lay_at")?, from: row.try_get("from_lay_at")? },
        before: held("held_before")?,
        after: held("held_after")?,
        over: row.try_get::<Option<String>, _>("held_over")?.map(|text| from_json(&text)).transpose()?,
    };
    Ok(past_changes(row.try_get("id")?, row.try_get("path")?, what, recorded))
}

/// A line of the history, with what was recorded of its change, as the changes that undoing takes, the last first.
pub(crate) fn past_changes(id: i64, path: String, what: HistoryEvent, recorded: RecordedChange) -> Vec<PastChange> {
    let RecordedChange { run, moved_from, lay, before, after, over } = recorded;
    let is_recorded = before.is_some();
    let item = before.clone();
    let change = |path: String, kind: Kind| PastChange { id, run, path, lay: lay.clone(), kind };
    match (what, moved_from) {
        (HistoryEvent::OldVersionDeleted, _) => vec![change(path, Kind::Nothing)],
        // It was kept what was here, and nothing had moved: the drive's own name was put right.
        (HistoryEvent::MovedThere { .. }, None) if is_recorded => vec![change(path, Kind::Nothing)],
        (HistoryEvent::MovedThere { .. }, from) => {
            vec![change(path, Kind::Moved { item, from, is_together: true, over })]
        }
        (HistoryEvent::MovedHere { .. }, from) => {
            vec![change(path, Kind::Moved { item, from, is_together: false, over })]
        }
        (HistoryEvent::Conflict { kept_as }, from) => {
            let from = is_recorded.then(|| from.unwrap_or(path));
            vec![change(kept_as, Kind::Moved { item, from, is_together: false, over })]
        }
        (_, None) => vec![change(path, Kind::Content { before, after })],
        // What was deleted before the drive had followed its move lay where it came from.
        (_, Some(from)) if after == Some(Held::Nothing) => {
            let lay = Lay { path: lay.from.clone(), from: None };
            vec![PastChange { id, run, path: from, lay, kind: Kind::Content { before, after } }]
        }
        (_, Some(from)) => vec![
            change(path.clone(), Kind::Content { before, after }),
            change(path, Kind::Moved { item, from: Some(from), is_together: true, over }),
        ],
    }
}

#[cfg(test)]
mod tests;
