//! What the history keeps of a change beside its words, so that it can be undone: what it found and left, and in which run.
//!
//! Always true: it is written in the commit of the line that tells of the change, from what both sides agreed on right before
//! and right after. Of the first run of a folder it is not kept: what is sent and fetched then was there before. Not here: what
//! follows from it (`sync/revert`).

use std::collections::{BTreeMap, HashMap};

use easel_wire::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::columns::{damaged, from_json, id, to_json};
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, Writing, from_sql};
use crate::sync::engine;
use crate::sync::folders::{Author, HistoryEvent};
use crate::sync::ports::Settlement;
use crate::sync::revert::{Content, Held, Kind, PastChange};
use crate::sync::tree::Change;

/// What is kept of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RecordedChange {
    pub run: Option<i64>,
    pub moved_from: Option<String>,
    pub before: Option<Held>,
    pub after: Option<Held>,
}

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

/// Follows what a folder's engine writes down.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    /// The number of the run that is under way, and whether its changes record what was there before and after them,
    /// which undoing needs.
    run: Option<(i64, bool)>,
    /// Where items were that have moved here, by the paths that they have.
    came_from: BTreeMap<String, String>,
}

impl Recorder {
    /// The run is over: the next line begins another.
    pub fn end_run(&mut self) {
        *self = Self::default();
    }

    /// Notes what a settlement is about to change: for each change that was applied, what it finds.
    pub async fn find_before(
        &mut self,
        writing: &mut Writing<'_>,
        watch: WatchId,
        settlement: &Settlement,
    ) -> Result<Vec<RecordedChange>, Error> {
        self.follow_moves(writing, watch, &settlement.changes).await?;
        let mut found = Vec::with_capacity(settlement.applied.len());
        for applied in &settlement.applied {
            let (run, is_kept) = match self.run {
                Some(run) => run,
                None => *self.run.insert(begin_run(writing, watch).await?),
            };
            let mut kept = RecordedChange { run: Some(run), ..RecordedChange::default() };
            if is_kept {
                let path = match &applied.what {
                    engine::ChangeKind::MovedHere { from } | engine::ChangeKind::ConflictKept { from } => from,
                    _ => &applied.path,
                };
                kept.before = Some(find_held(writing, watch, path).await?);
                kept.moved_from = match &applied.what {
                    engine::ChangeKind::MovedHere { from } => Some(from.clone()),
                    engine::ChangeKind::MovedInDrive { .. } => self.came_from.remove(&applied.path),
                    _ => None,
                };
            }
            found.push(kept);
        }
        Ok(found)
    }

    /// Follows what moved here: as a folder with all in it, or file by file.
    async fn follow_moves(
        &mut self,
        writing: &mut Writing<'_>,
        watch: WatchId,
        changes: &[Change],
    ) -> Result<(), Error> {
        let mut left: HashMap<String, &str> = HashMap::new();
        let mut moved: Vec<(&str, &str)> = Vec::new();
        let has_puts = changes.iter().any(|change| matches!(change, Change::Put(..)));
        for change in changes {
            match change {
                Change::Rename { from, to } => {
                    self.note_moved(&std::mem::take(&mut moved));
                    self.follow_folder(from, to);
                }
                Change::Forget(path) if has_puts => {
                    let found: Option<String> =
                        sqlx::query_scalar("SELECT drive_id FROM agreed WHERE watch_id = $1 AND path = $2")
                            .bind(watch.0)
                            .bind(path)
                            .fetch_optional(writing.on())
                            .await?;
                    left.extend(found.map(|id| (id, path.as_str())));
                }
                Change::Put(to, record) if !left.is_empty() => {
                    let file = record.as_file().map(|file| file.file.to_string());
                    if let Some(from) = file.and_then(|file| left.remove(&file)).filter(|from| *from != to) {
                        moved.push((from, to));
                    }
                }
                Change::Forget(_) | Change::Put(..) => {}
            }
        }
        self.note_moved(&moved);
        Ok(())
    }

    /// Notes moves that were made at once: a path that one item left may be the one that another came to.
    fn note_moved(&mut self, moved: &[(&str, &str)]) {
        let first = |&(from, to): &(&str, &str)| {
            (to.to_owned(), self.came_from.remove(from).unwrap_or_else(|| from.to_owned()))
        };
        let moved: Vec<(String, String)> = moved.iter().map(first).collect();
        self.came_from.extend(moved);
    }

    /// What moved before lies elsewhere with the folder that it is in.
    fn follow_folder(&mut self, from: &str, to: &str) {
        let moved = |path: &str| match path.strip_prefix(from) {
            Some(below) if below.starts_with('/') => format!("{to}{below}"),
            _ => path.to_owned(),
        };
        self.came_from = self.came_from.iter().map(|(path, came)| (moved(path), moved(came))).collect();
        self.note_moved(&[(from, to)]);
    }
}

/// The number of the next run, and whether it is another than the first.
async fn begin_run(writing: &mut Writing<'_>, watch: WatchId) -> Result<(i64, bool), Error> {
    let row = sqlx::query(
        "SELECT COALESCE((SELECT run FROM history WHERE watch_id = $1 AND run IS NOT NULL ORDER BY run DESC LIMIT 1), 0) + 1,
           (SELECT last_looked_at IS NOT NULL FROM watches WHERE id = $1)",
    )
    .bind(watch.0)
    .fetch_one(writing.on())
    .await?;
    Ok((row.try_get(0)?, row.try_get::<Option<bool>, _>(1)?.unwrap_or_default()))
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
            "SELECT id, run, path, what, moved_from, held_before, held_after FROM history WHERE watch_id = ",
        );
        sql.push_bind(watch.0);
        push_scope(&mut sql, scope);
        let rows = sql.push(" ORDER BY id DESC").build().fetch_all(self.read()?).await?;
        rows.iter().map(read_change).collect()
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

fn read_change(row: &SqliteRow) -> Result<PastChange, Error> {
    let held = |column: &str| -> Result<Option<Held>, Error> {
        row.try_get::<Option<String>, _>(column)?.map(|text| from_json(&text)).transpose()
    };
    let what: HistoryEvent = from_json(&row.try_get::<String, _>("what")?)?;
    let (before, after) = (held("held_before")?, held("held_after")?);
    let mut path: String = row.try_get("path")?;
    let kind = match what {
        HistoryEvent::OldVersionDeleted => Kind::Nothing,
        HistoryEvent::MovedThere { .. } => match row.try_get("moved_from")? {
            // It was kept what was here, and nothing had moved: the drive's own name was put right.
            None if before.is_some() => Kind::Nothing,
            from => Kind::Moved { from, is_together: true },
        },
        HistoryEvent::MovedHere { .. } => Kind::Moved { from: row.try_get("moved_from")?, is_together: false },
        HistoryEvent::Conflict { kept_as } => {
            let from = std::mem::replace(&mut path, kept_as);
            Kind::Moved { from: before.is_some().then_some(from), is_together: false }
        }
        _ => Kind::Content { before, after },
    };
    Ok(PastChange { id: row.try_get("id")?, run: row.try_get("run")?, path, kind })
}

#[cfg(test)]
mod tests;
