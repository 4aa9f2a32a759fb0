//! Watched folders in the journal, and their notes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use easel_wire::{FolderId, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::changes;
use super::columns::{damaged, from_json, id, to_json};
use crate::shared::error::Error;
use crate::shared::journal::{Journal, from_sql, path_from_bytes, path_to_bytes, to_sql};
use crate::sync::folders::{Choices, DeletionRule, Mode, Note, WatchId};

/// So many notes go in one statement.
const NOTES_AT_ONCE: usize = 256;

/// A watched folder's row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Watch {
    pub id: WatchId,
    pub path: PathBuf,
    pub drive_folder: FolderId,
    pub drive_path: String,
    pub choices: Choices,
    pub is_paused: bool,
    /// The watched folder's own identity.
    pub root_identity: Option<u64>,
    pub sums: Sums,
    /// How many conflicts wait for the person.
    pub conflicts: u64,
}

/// Figures of the last look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub files: u64,
    pub bytes: u64,
    pub skipped: u64,
    pub links: u64,
    pub looked_at: Option<Timestamp>,
}

impl Journal {
    /// The folders that are watched under a connection, the oldest first.
    pub(crate) async fn list_watches(&self, connection_id: &str) -> Result<Vec<Watch>, Error> {
        let rows = sqlx::query(
            "SELECT *, (SELECT COUNT(*) FROM conflicts WHERE watch_id = watches.id AND is_whole <> 0 AND is_settled = 0)
               AS conflicts
             FROM watches WHERE connection_id = $1 ORDER BY id",
        )
        .bind(connection_id)
        .fetch_all(self.read()?)
        .await?;
        rows.iter().map(read_watch).collect()
    }

    /// The path of every watched folder of every connection: two must not overlap, whatever they are synced with.
    pub(crate) async fn list_watched_paths(&self) -> Result<Vec<PathBuf>, Error> {
        let rows =
            sqlx::query_scalar::<_, Vec<u8>>("SELECT path FROM watches ORDER BY id").fetch_all(self.read()?).await?;
        Ok(rows.into_iter().map(path_from_bytes).collect())
    }

    pub(crate) async fn create_watch(
        &self,
        connection_id: &str,
        path: &Path,
        drive_folder: FolderId,
        drive_path: &str,
        choices: &Choices,
        now: i64,
    ) -> Result<WatchId, Error> {
        let mut writing = self.write().await?;
        let id = sqlx::query_scalar::<_, i64>(
            "INSERT INTO watches (connection_id, path, drive_folder, drive_path, mode, deletions, ignore, is_paused, files,
               bytes, skipped, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, 0, 0, $8) RETURNING id",
        )
        .bind(connection_id)
        .bind(path_to_bytes(path))
        .bind(drive_folder.to_string())
        .bind(drive_path)
        .bind(mode_to_sql(choices.mode))
        .bind(rule_to_sql(choices.deletions))
        .bind(&choices.ignore)
        .bind(now)
        .fetch_one(writing.on())
        .await?;
        writing.commit().await?;
        Ok(WatchId(id))
    }

    pub(crate) async fn record_choices(&self, watch: WatchId, choices: &Choices) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE watches SET mode = $2, deletions = $3, ignore = $4 WHERE id = $1")
            .bind(watch.0)
            .bind(mode_to_sql(choices.mode))
            .bind(rule_to_sql(choices.deletions))
            .bind(&choices.ignore)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    pub(crate) async fn record_paused(&self, watch: WatchId, is_paused: bool) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE watches SET is_paused = $2 WHERE id = $1")
            .bind(watch.0)
            .bind(is_paused)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// The drive folders whose person has yet to be asked about a drive that went back in time.
    pub(crate) async fn list_went_back(&self, connection_id: &str) -> Result<BTreeSet<FolderId>, Error> {
        let rows = sqlx::query("SELECT drive_folder FROM watches WHERE connection_id = $1 AND went_back <> 0")
            .bind(connection_id)
            .fetch_all(self.read()?)
            .await?;
        rows.iter().map(|row| id(row.try_get(0)?)).collect()
    }

    /// Notes that the drive of a connection went back in time.
    pub(crate) async fn record_went_back(&self, connection_id: &str) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE watches SET went_back = 1 WHERE connection_id = $1")
            .bind(connection_id)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Notes that the person has answered about that.
    pub(crate) async fn forget_went_back(&self, watch: WatchId) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE watches SET went_back = 0 WHERE id = $1").bind(watch.0).execute(writing.on()).await?;
        writing.commit().await
    }

    pub(crate) async fn record_root_identity(&self, watch: WatchId, identity: u64) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE watches SET root_identity = $2 WHERE id = $1")
            .bind(watch.0)
            .bind(identity.cast_signed())
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Writes a folder's new path, and its identity there.
    pub(crate) async fn record_place(&self, watch: WatchId, path: &Path, identity: u64) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE watches SET path = $2, root_identity = $3 WHERE id = $1")
            .bind(watch.0)
            .bind(path_to_bytes(path))
            .bind(identity.cast_signed())
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    pub(crate) async fn record_drive_path(&self, watch: WatchId, drive_path: &str) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE watches SET drive_path = $2 WHERE id = $1")
            .bind(watch.0)
            .bind(drive_path)
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Removes a watched folder with its records, its notes and its history.
    pub(crate) async fn forget_watch(&self, watch: WatchId) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("DELETE FROM watches WHERE id = $1").bind(watch.0).execute(writing.on()).await?;
        writing.commit().await
    }

    /// Writes the result of a look. `notes` is `None` where they are the same as before.
    pub(crate) async fn record_look(&self, watch: WatchId, sums: Sums, notes: Option<&[Note]>) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query(
            "UPDATE watches SET files = $2, bytes = $3, skipped = $4, last_looked_at = $5, links = $6 WHERE id = $1",
        )
        .bind(watch.0)
        .bind(to_sql(sums.files))
        .bind(to_sql(sums.bytes))
        .bind(to_sql(sums.skipped))
        .bind(sums.looked_at.map(Timestamp::as_micros))
        .bind(to_sql(sums.links))
        .execute(writing.on())
        .await?;
        changes::end_run(&mut writing, watch).await?;
        if let Some(notes) = notes {
            sqlx::query("DELETE FROM notes WHERE watch_id = $1").bind(watch.0).execute(writing.on()).await?;
            let mut number = 0_i64;
            for some in notes.chunks(NOTES_AT_ONCE) {
                let mut rows = Vec::with_capacity(some.len());
                for note in some {
                    rows.push((number, note, to_json(&note.why)?));
                    number += 1;
                }
                let mut sql = QueryBuilder::<Sqlite>::new("INSERT INTO notes (watch_id, number, path, why) ");
                sql.push_values(rows, |mut row, (number, note, why)| {
                    row.push_bind(watch.0).push_bind(number).push_bind(note.path.clone()).push_bind(why);
                });
                sql.build().execute(writing.on()).await?;
            }
        }
        writing.commit().await
    }

    /// The differences that stay, in the order of their paths.
    pub(crate) async fn list_notes(&self, watch: WatchId, offset: u64, limit: u64) -> Result<Vec<Note>, Error> {
        let rows =
            sqlx::query("SELECT path, why FROM notes WHERE watch_id = $1 AND number >= $2 ORDER BY number LIMIT $3")
                .bind(watch.0)
                .bind(to_sql(offset))
                .bind(to_sql(limit))
                .fetch_all(self.read()?)
                .await?;
        rows.iter()
            .map(|row| Ok(Note { path: row.try_get(0)?, why: from_json(&row.try_get::<String, _>(1)?)? }))
            .collect()
    }
}

fn read_watch(row: &SqliteRow) -> Result<Watch, Error> {
    let mode: String = row.try_get("mode")?;
    let deletions: String = row.try_get("deletions")?;
    let looked_at: Option<i64> = row.try_get("last_looked_at")?;
    Ok(Watch {
        id: WatchId(row.try_get("id")?),
        path: path_from_bytes(row.try_get("path")?),
        drive_folder: id(row.try_get("drive_folder")?)?,
        drive_path: row.try_get("drive_path")?,
        choices: Choices {
            mode: match mode.as_str() {
                "upload_only" => Mode::UploadOnly,
                "both_ways" => Mode::BothWays,
                _ => return Err(damaged("an unknown mode")),
            },
            deletions: match deletions.as_str() {
                "keep" => DeletionRule::Keep,
                "delete" => DeletionRule::Delete,
                _ => return Err(damaged("an unknown rule for deletions")),
            },
            ignore: row.try_get("ignore")?,
        },
        is_paused: row.try_get("is_paused")?,
        root_identity: row.try_get::<Option<i64>, _>("root_identity")?.map(i64::cast_unsigned),
        sums: Sums {
            files: from_sql(row.try_get("files")?),
            bytes: from_sql(row.try_get("bytes")?),
            skipped: from_sql(row.try_get("skipped")?),
            links: from_sql(row.try_get("links")?),
            looked_at: looked_at.map(Timestamp::from_micros),
        },
        conflicts: from_sql(row.try_get("conflicts")?),
    })
}

const fn mode_to_sql(mode: Mode) -> &'static str {
    match mode {
        Mode::UploadOnly => "upload_only",
        Mode::BothWays => "both_ways",
    }
}

const fn rule_to_sql(rule: DeletionRule) -> &'static str {
    match rule {
        DeletionRule::Keep => "keep",
        DeletionRule::Delete => "delete",
    }
}
