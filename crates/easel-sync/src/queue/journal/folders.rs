//! The drive folders that a drop needs, each with the idempotency key that it will be made with.

use easel_wire::FolderId;
use sqlx::Row as _;

use super::drops::folder_from_text;
use crate::shared::error::Error;
use crate::shared::journal::Journal;

/// A drive folder that transfers need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderRow {
    pub id: i64,
    pub name: String,
    pub idempotency_key: String,
    /// The folder's id, once it is made.
    pub folder_id: Option<FolderId>,
}

impl Journal {
    /// The folders from the drop down to `row`, outermost first.
    pub(crate) async fn list_folder_chain(&self, row: i64) -> Result<Vec<FolderRow>, Error> {
        let rows = sqlx::query(
            "WITH RECURSIVE chain (id, parent_id, name, idempotency_key, folder_id, depth) AS (
               SELECT id, parent_id, name, idempotency_key, folder_id, 0 FROM folders WHERE id = $1
               UNION ALL
               SELECT f.id, f.parent_id, f.name, f.idempotency_key, f.folder_id, depth + 1
               FROM folders f JOIN chain ON f.id = chain.parent_id)
             SELECT * FROM chain ORDER BY depth DESC",
        )
        .bind(row)
        .fetch_all(self.read()?)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(FolderRow {
                    id: row.try_get("id")?,
                    name: row.try_get("name")?,
                    idempotency_key: row.try_get("idempotency_key")?,
                    folder_id: folder_from_text(row.try_get("folder_id")?),
                })
            })
            .collect()
    }

    /// Writes down a folder that was made.
    pub(crate) async fn record_folder_made(&self, row: i64, folder: FolderId) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE folders SET folder_id = $2 WHERE id = $1")
            .bind(row)
            .bind(folder.to_string())
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Forgets that a chain of folders was made, because they are gone from the drive. They get new keys, since the old
    /// keys stand for the old folders.
    pub(crate) async fn forget_folder_chain(&self, row: i64) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query(
            "WITH RECURSIVE chain (id, parent_id) AS (
               SELECT id, parent_id FROM folders WHERE id = $1
               UNION ALL SELECT f.id, f.parent_id FROM folders f JOIN chain ON f.id = chain.parent_id)
             UPDATE folders SET folder_id = NULL, idempotency_key = idempotency_key || '+'
             WHERE folder_id IS NOT NULL AND id IN (SELECT id FROM chain)",
        )
        .bind(row)
        .execute(writing.on())
        .await?;
        writing.commit().await
    }
}
