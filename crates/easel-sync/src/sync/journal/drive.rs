//! The index of a connection's drive in the journal: rows that can be thrown away at any time, kept so that a start
//! need not read the whole drive again.
//!
//! Always true: rows and the moment up to which they are complete are written in one transaction. Not here: what
//! follows from the rows (`remote.rs`).

use std::collections::BTreeMap;

use easel_wire::id::Kind;
use easel_wire::{FileId, FolderId, Id, Timestamp};
use futures_util::TryStreamExt as _;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::columns::{damaged, id};
use crate::shared::error::Error;
use crate::shared::gathered::Gathered;
use crate::shared::journal::{Journal, Writing, from_sql, to_sql};
use crate::sync::journal::columns::in_few_lengths;
use crate::sync::tree::{RemoteFile, RemoteFolder};

/// How far the rows are complete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SeenUntil {
    /// By the service's clock: every change before this moment is in the rows.
    pub moment: Option<Timestamp>,
    /// Whether the service tells what changed since a moment.
    pub is_telling: bool,
    /// When the lists were last read from end to end, by this computer's clock.
    pub whole_at: Option<Timestamp>,
    /// By how many milliseconds the service's clock was ahead of this computer's then.
    pub ahead_ms: Option<i64>,
}

/// A folder as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderSeen {
    pub folder: RemoteFolder,
    pub updated_at: Option<Timestamp>,
}

/// Changes of rows; `None` for an item that is gone.
#[derive(Debug, Clone, Default)]
pub(crate) struct DriveRows {
    pub folders: BTreeMap<FolderId, Option<FolderSeen>>,
    pub files: BTreeMap<FileId, Option<RemoteFile>>,
}

impl DriveRows {
    pub(crate) fn is_empty(&self) -> bool {
        self.folders.is_empty() && self.files.is_empty()
    }
}

impl Journal {
    /// How far a drive's rows are complete.
    pub(crate) async fn get_drive_seen(&self, connection_id: &str) -> Result<SeenUntil, Error> {
        let row = sqlx::query("SELECT seen_until, is_telling, whole_at, ahead_ms FROM drives WHERE connection_id = $1")
            .bind(connection_id)
            .fetch_optional(self.read()?)
            .await?;
        let Some(row) = row else { return Ok(SeenUntil::default()) };
        Ok(SeenUntil {
            moment: row.try_get::<Option<i64>, _>(0)?.map(Timestamp::from_micros),
            is_telling: row.try_get(1)?,
            whole_at: row.try_get::<Option<i64>, _>(2)?.map(Timestamp::from_micros),
            ahead_ms: row.try_get(3)?,
        })
    }

    /// Writes changed rows, and how far the rows are complete, where that changed too.
    pub(crate) async fn record_drive(
        &self,
        connection_id: &str,
        rows: &DriveRows,
        until: Option<SeenUntil>,
    ) -> Result<(), Error> {
        let mut writing = self.write().await?;
        write_folders(&mut writing, connection_id, &rows.folders).await?;
        write_files(&mut writing, connection_id, &rows.files).await?;
        if let Some(until) = until {
            sqlx::query(
                "INSERT OR REPLACE INTO drives (connection_id, seen_until, is_telling, whole_at, ahead_ms)
                 VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(connection_id)
            .bind(until.moment.map(Timestamp::as_micros))
            .bind(until.is_telling)
            .bind(until.whole_at.map(Timestamp::as_micros))
            .bind(until.ahead_ms)
            .execute(writing.on())
            .await?;
        }
        writing.commit().await
    }

    /// The rows of every folder of a drive.
    pub(crate) async fn load_drive_folders(
        &self,
        connection_id: &str,
    ) -> Result<BTreeMap<FolderId, FolderSeen>, Error> {
        let mut rows =
            sqlx::query("SELECT id, parent, name, updated_at FROM drive_folders WHERE connection_id = $1 ORDER BY id")
                .bind(connection_id)
                .fetch(self.read()?);
        let mut folders = Gathered::new();
        while let Some(row) = rows.try_next().await? {
            let parent: Option<&str> = row.try_get(1)?;
            let folder = RemoteFolder { parent: parent.map(id).transpose()?, name: row.try_get(2)? };
            let updated_at = row.try_get::<Option<i64>, _>(3)?.map(Timestamp::from_micros);
            folders.push(id(row.try_get(0)?)?, FolderSeen { folder, updated_at });
        }
        Ok(folders.into_map())
    }

    /// The rows of every file of a drive.
    pub(crate) async fn load_drive_files(&self, connection_id: &str) -> Result<BTreeMap<FileId, RemoteFile>, Error> {
        let mut rows = sqlx::query(
            "SELECT id, folder, name, size_bytes, hash FROM drive_files WHERE connection_id = $1 ORDER BY id",
        )
        .bind(connection_id)
        .fetch(self.read()?);
        // Read one by one: a row as SQLite returns it is five times as large as the file in memory.
        let mut files = Gathered::new();
        while let Some(row) = rows.try_next().await? {
            let (id, file) = read_file(&row)?;
            files.push(id, file);
        }
        Ok(files.into_map())
    }

    /// Calls `look` with the row of every file of a drive, one by one.
    pub(crate) async fn look_through_drive_files(
        &self,
        connection_id: &str,
        mut look: impl FnMut(FileId, &RemoteFile),
    ) -> Result<(), Error> {
        let mut rows =
            sqlx::query("SELECT id, folder, name, size_bytes, hash FROM drive_files WHERE connection_id = $1")
                .bind(connection_id)
                .fetch(self.read()?);
        while let Some(row) = rows.try_next().await? {
            let (id, file) = read_file(&row)?;
            look(id, &file);
        }
        Ok(())
    }

    /// The files in a drive's rows that are not among `present`, which is sorted.
    pub(crate) async fn list_drive_files_but(
        &self,
        connection_id: &str,
        present: &[FileId],
    ) -> Result<Vec<FileId>, Error> {
        let mut rows =
            sqlx::query("SELECT id FROM drive_files WHERE connection_id = $1").bind(connection_id).fetch(self.read()?);
        let mut others = Vec::new();
        while let Some(row) = rows.try_next().await? {
            let file = id(row.try_get(0)?)?;
            if present.binary_search(&file).is_err() {
                others.push(file);
            }
        }
        Ok(others)
    }

    /// The rows of these files, where there are any.
    pub(crate) async fn get_drive_files(
        &self,
        connection_id: &str,
        ids: &[FileId],
    ) -> Result<BTreeMap<FileId, RemoteFile>, Error> {
        let mut files = BTreeMap::new();
        for some in in_few_lengths(ids) {
            let mut sql = QueryBuilder::<Sqlite>::new(
                "SELECT id, folder, name, size_bytes, hash FROM drive_files WHERE connection_id = ",
            );
            sql.push_bind(connection_id.to_owned()).push(" AND id IN (");
            let mut ids = sql.separated(", ");
            for id in some {
                ids.push_bind(id.to_string());
            }
            sql.push(")");
            for row in sql.build().fetch_all(self.read()?).await? {
                files.extend([read_file(&row)?]);
            }
        }
        Ok(files)
    }

    /// The files in a folder's rows; `None` is the top of the drive.
    pub(crate) async fn list_drive_files_in(
        &self,
        connection_id: &str,
        folder: Option<FolderId>,
    ) -> Result<Vec<FileId>, Error> {
        let ids = sqlx::query_scalar::<_, String>(
            "SELECT id FROM drive_files WHERE connection_id = $1 AND folder IS $2 ORDER BY id",
        )
        .bind(connection_id)
        .bind(folder.map(|folder| folder.to_string()))
        .fetch_all(self.read()?)
        .await?;
        ids.iter().map(|text| id(text)).collect()
    }

    /// How many files the rows have in each of these folders; folders without any are left out.
    pub(crate) async fn count_drive_files_in(
        &self,
        connection_id: &str,
        folders: impl Iterator<Item = FolderId>,
    ) -> Result<BTreeMap<FolderId, u64>, Error> {
        let folders = serde_json::Value::from_iter(folders.map(|folder| folder.to_string())).to_string();
        let counts = sqlx::query_as::<_, (String, i64)>(
            "SELECT folder, COUNT(*) FROM drive_files
             WHERE connection_id = $1 AND folder IN (SELECT value FROM json_each($2)) GROUP BY folder",
        )
        .bind(connection_id)
        .bind(folders)
        .fetch_all(self.read()?)
        .await?;
        counts.into_iter().map(|(folder, count)| Ok((id(&folder)?, from_sql(count)))).collect()
    }

    /// How many files the rows have.
    pub(crate) async fn count_drive_files(&self, connection_id: &str) -> Result<u64, Error> {
        let count = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM drive_files WHERE connection_id = $1")
            .bind(connection_id)
            .fetch_one(self.read()?)
            .await?;
        Ok(from_sql(count))
    }
}

pub(super) fn read_file(row: &SqliteRow) -> Result<(FileId, RemoteFile), Error> {
    let folder: Option<&str> = row.try_get(1)?;
    let hash: Option<&[u8]> = row.try_get(4)?;
    let hash = hash.map(|hash| hash.try_into().map_err(|_| damaged("a hash that is not 32 bytes long")));
    let file = RemoteFile {
        folder: folder.map(id).transpose()?,
        name: row.try_get(2)?,
        size_bytes: from_sql(row.try_get(3)?),
        hash: hash.transpose()?,
    };
    Ok((id(row.try_get(0)?)?, file))
}

/// Deletes the rows of items that are gone, each by `statement`, and returns the items that are there.
async fn forget_gone<'a, K: Kind, Row>(
    writing: &mut Writing<'_>,
    statement: &'static str,
    connection_id: &str,
    rows: &'a BTreeMap<Id<K>, Option<Row>>,
) -> Result<Vec<(&'a Id<K>, &'a Row)>, Error> {
    let mut present = Vec::with_capacity(rows.len());
    for (id, row) in rows {
        let Some(row) = row else {
            let gone = sqlx::query(statement).bind(connection_id).bind(id.to_string());
            gone.execute(writing.on()).await?;
            continue;
        };
        present.push((id, row));
    }
    Ok(present)
}

async fn write_folders(
    writing: &mut Writing<'_>,
    connection_id: &str,
    rows: &BTreeMap<FolderId, Option<FolderSeen>>,
) -> Result<(), Error> {
    let present =
        forget_gone(writing, "DELETE FROM drive_folders WHERE connection_id = $1 AND id = $2", connection_id, rows)
            .await?;
    for some in in_few_lengths(&present) {
        let mut sql = QueryBuilder::<Sqlite>::new(
            "INSERT OR REPLACE INTO drive_folders (connection_id, id, parent, name, updated_at) ",
        );
        sql.push_values(some, |mut row, (id, seen)| {
            row.push_bind(connection_id.to_owned())
                .push_bind(id.to_string())
                .push_bind(seen.folder.parent.map(|parent| parent.to_string()))
                .push_bind(seen.folder.name.clone())
                .push_bind(seen.updated_at.map(Timestamp::as_micros));
        });
        sql.build().execute(writing.on()).await?;
    }
    Ok(())
}

async fn write_files(
    writing: &mut Writing<'_>,
    connection_id: &str,
    rows: &BTreeMap<FileId, Option<RemoteFile>>,
) -> Result<(), Error> {
    let present =
        forget_gone(writing, "DELETE FROM drive_files WHERE connection_id = $1 AND id = $2", connection_id, rows)
            .await?;
    for some in in_few_lengths(&present) {
        let mut sql = QueryBuilder::<Sqlite>::new(
            "INSERT OR REPLACE INTO drive_files (connection_id, id, folder, name, size_bytes, hash) ",
        );
        sql.push_values(some, |mut row, (id, seen)| {
            row.push_bind(connection_id.to_owned())
                .push_bind(id.to_string())
                .push_bind(seen.folder.map(|folder| folder.to_string()))
                .push_bind(seen.name.clone())
                .push_bind(to_sql(seen.size_bytes))
                .push_bind(seen.hash.map(|hash| hash.to_vec()));
        });
        sql.build().execute(writing.on()).await?;
    }
    Ok(())
}
