//! Drops and the walk through them: their transfers, and the drive folders that these need.
//!
//! Always true: a drop's paths are written down before its walk begins, and the walk can be taken up again from any
//! point, because a file enters a drop once.

use std::path::PathBuf;

use easel_wire::FolderId;
use sqlx::Row as _;
use uuid::Uuid;

use crate::queue::transfer::Kind;
use crate::shared::error::Error;
use crate::shared::ids::TransferId;
use crate::shared::journal::{Journal, LARGE_BYTES, Writing, path_from_bytes, path_to_bytes, to_sql};
use crate::shared::paths;

/// The drop's id within the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DropId(pub i64);

/// A drop that is to be walked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub id: DropId,
    pub paths: Vec<PathBuf>,
}

/// An item that a walk found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A folder that is not empty. `dir` is its path below the drop, with its own name last; the folder above it
    /// entered before.
    Folder { dir: String },
    /// A file or an empty folder; `dir` is the path of its folder below the drop.
    Item { kind: Kind, path: PathBuf, name: String, dir: String, size_bytes: u64, modified_at: i64 },
}

impl Journal {
    /// Writes down the paths of a drop, before any of them is looked at.
    pub(crate) async fn create_drop(
        &self,
        connection_id: &str,
        folder: Option<FolderId>,
        paths: Vec<PathBuf>,
        seed: Uuid,
        now: i64,
    ) -> Result<Dropped, Error> {
        let mut writing = self.write().await?;
        begin_round(&mut writing, connection_id).await?;
        let id: i64 = sqlx::query_scalar(
            "INSERT INTO drops (connection_id, folder_id, seed, entry_state, is_walked, created_at)
             VALUES ($1, $2, $3, 'queued', 0, $4) RETURNING id",
        )
        .bind(connection_id)
        .bind(folder.map(|id| id.to_string()))
        .bind(seed.simple().to_string())
        .bind(now)
        .fetch_one(writing.on())
        .await?;
        for path in &paths {
            sqlx::query("INSERT INTO drop_paths (drop_id, path) VALUES ($1, $2)")
                .bind(id)
                .bind(path_to_bytes(path))
                .execute(writing.on())
                .await?;
        }
        writing.commit().await?;
        Ok(Dropped { id: DropId(id), paths })
    }

    /// Writes down the finds of a walk. Returns the transfers that are new; those that entered before stay as they are.
    pub(crate) async fn record_entries(
        &self,
        drop: DropId,
        entries: &[Entry],
        now: i64,
    ) -> Result<Vec<TransferId>, Error> {
        let mut writing = self.write().await?;
        let row = sqlx::query(
            "SELECT d.connection_id, d.entry_state, q.round FROM drops d
             JOIN queues q ON q.connection_id = d.connection_id WHERE d.id = $1",
        )
        .bind(drop.0)
        .fetch_one(writing.on())
        .await?;
        let (connection_id, state): (String, String) = (row.try_get("connection_id")?, row.try_get("entry_state")?);
        let round: i64 = row.try_get("round")?;
        let finished_at = (state == "canceled").then_some(now);
        let mut accepted = Vec::new();
        let mut last_dir: Option<(String, Option<i64>)> = None;
        for entry in entries {
            match entry {
                Entry::Folder { dir } => record_folder(&mut writing, drop, dir).await?,
                Entry::Item { kind, path, name, dir, size_bytes, modified_at } => {
                    // An empty folder is itself the last folder that has to be made.
                    let place = match kind {
                        Kind::File => dir.clone(),
                        Kind::Folder => paths::join(dir, name),
                    };
                    if *kind == Kind::Folder {
                        record_folder(&mut writing, drop, &place).await?;
                    }
                    let folder_row = match &last_dir {
                        Some((known, id)) if *known == place => *id,
                        _ => find_folder(&mut writing, drop, &place).await?,
                    };
                    last_dir = Some((place, folder_row));
                    let id: Option<i64> = sqlx::query_scalar(
                        "INSERT INTO transfers (connection_id, drop_id, folder_row, kind, path, name, relative_dir,
                           size_bytes, modified_at, is_large, state, step, wish, attempts, priority, round, created_at,
                           finished_at)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'none', 'none', 0, 0, $12, $13, $14)
                         ON CONFLICT (drop_id, path) DO NOTHING RETURNING id",
                    )
                    .bind(&connection_id)
                    .bind(drop.0)
                    .bind(folder_row)
                    .bind(if *kind == Kind::Folder { "folder" } else { "file" })
                    .bind(path_to_bytes(path))
                    .bind(name)
                    .bind(dir)
                    .bind(to_sql(*size_bytes))
                    .bind(modified_at)
                    .bind(*size_bytes > LARGE_BYTES)
                    .bind(&state)
                    .bind(round)
                    .bind(now)
                    .bind(finished_at)
                    .fetch_optional(writing.on())
                    .await?;
                    accepted.extend(id.map(TransferId));
                }
            }
        }
        writing.commit().await?;
        Ok(accepted)
    }

    /// Notes that a drop was walked to its end.
    pub(crate) async fn finish_drop(&self, drop: DropId) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE drops SET is_walked = 1 WHERE id = $1").bind(drop.0).execute(writing.on()).await?;
        sqlx::query("DELETE FROM drop_paths WHERE drop_id = $1").bind(drop.0).execute(writing.on()).await?;
        sqlx::query(
            "DELETE FROM drops WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.drop_id = $1)",
        )
        .bind(drop.0)
        .execute(writing.on())
        .await?;
        writing.commit().await
    }

    /// Drops whose walk was cut off.
    pub(crate) async fn list_unwalked_drops(&self, connection_id: &str) -> Result<Vec<Dropped>, Error> {
        let rows = sqlx::query(
            "SELECT d.id, p.path FROM drops d JOIN drop_paths p ON p.drop_id = d.id
             WHERE d.connection_id = $1 AND d.is_walked = 0 AND d.entry_state <> 'canceled' ORDER BY d.id, p.rowid",
        )
        .bind(connection_id)
        .fetch_all(self.read()?)
        .await?;
        let mut drops: Vec<Dropped> = Vec::new();
        for row in rows {
            let (id, path) = (DropId(row.try_get("id")?), path_from_bytes(row.try_get("path")?));
            match drops.last_mut() {
                Some(drop) if drop.id == id => drop.paths.push(path),
                _ => drops.push(Dropped { id, paths: vec![path] }),
            }
        }
        Ok(drops)
    }

    /// Whether a person canceled a drop while it was being walked.
    pub(crate) async fn is_drop_canceled(&self, drop: DropId) -> Result<bool, Error> {
        let state: Option<String> = sqlx::query_scalar("SELECT entry_state FROM drops WHERE id = $1")
            .bind(drop.0)
            .fetch_optional(self.read()?)
            .await?;
        Ok(state.is_none_or(|state| state == "canceled"))
    }
}

/// Begins a new round if the queue is at rest, so that transfers of earlier rounds no longer count.
pub(super) async fn begin_round(writing: &mut Writing<'_>, connection_id: &str) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO queues (connection_id, round) VALUES ($1, 1)
         ON CONFLICT (connection_id) DO UPDATE SET round = round + 1 WHERE NOT EXISTS (
           SELECT 1 FROM totals WHERE connection_id = $1 AND state IN ('queued', 'settling') AND files > 0)
         AND NOT EXISTS (SELECT 1 FROM drops WHERE connection_id = $1 AND is_walked = 0)",
    )
    .bind(connection_id)
    .execute(writing.on())
    .await?;
    Ok(())
}

async fn record_folder(writing: &mut Writing<'_>, drop: DropId, dir: &str) -> Result<(), Error> {
    let (parent, name) = dir.rsplit_once('/').unwrap_or(("", dir));
    let parent_id = find_folder(writing, drop, parent).await?;
    sqlx::query(
        "INSERT INTO folders (drop_id, parent_id, relative_dir, name, idempotency_key) VALUES ($1, $2, $3, $4, '')
         ON CONFLICT (drop_id, relative_dir) DO NOTHING",
    )
    .bind(drop.0)
    .bind(parent_id)
    .bind(dir)
    .bind(name)
    .execute(writing.on())
    .await?;
    sqlx::query(
        "UPDATE folders SET idempotency_key = (SELECT seed FROM drops WHERE id = $1) || '-' || id
         WHERE drop_id = $1 AND relative_dir = $2 AND idempotency_key = ''",
    )
    .bind(drop.0)
    .bind(dir)
    .execute(writing.on())
    .await?;
    Ok(())
}

async fn find_folder(writing: &mut Writing<'_>, drop: DropId, dir: &str) -> Result<Option<i64>, Error> {
    if dir.is_empty() {
        return Ok(None);
    }
    Ok(sqlx::query_scalar("SELECT id FROM folders WHERE drop_id = $1 AND relative_dir = $2")
        .bind(drop.0)
        .bind(dir)
        .fetch_optional(writing.on())
        .await?)
}

/// A folder's id as the service wrote it.
pub(super) fn folder_from_text(text: Option<String>) -> Option<FolderId> {
    text?.parse().ok()
}
