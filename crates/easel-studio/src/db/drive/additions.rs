//! Files that one transaction adds to drives: what all of them need is asked for once.
//!
//! Always true: what is remembered was read in the transaction that adds the files, and nobody else writes meanwhile; a
//! folder that got files is touched before the transaction ends ([`Additions::finish`]). Not here: when a transaction
//! begins and ends.

use std::collections::HashMap;

use easel_wire::Timestamp;

use super::files::NewFile;
use super::moments::{after, find_latest_change, touch_folder};
use super::naming::settle_name;
use super::nesting;
use super::table::Table;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::db::{DbConnection, Viewer};
use crate::wire::drive::Visibility;
use crate::wire::{FolderId, TeamId};

/// See the module.
#[derive(Default)]
pub struct Additions {
    /// The moment of each team's newest change.
    latest: HashMap<TeamId, Timestamp>,
    /// Whose files those in a folder are; nobody's own where it is empty.
    private_to: HashMap<(Viewer, FolderId), Vec<u8>>,
    /// The folders that got files, with the moment of the last one.
    filled: HashMap<FolderId, Timestamp>,
}

impl Additions {
    /// Checks that a folder is there for the viewer.
    ///
    /// # Errors
    /// 404 `folder_not_found`.
    pub async fn check_folder(
        &mut self,
        conn: &mut DbConnection,
        viewer: Viewer,
        folder: FolderId,
    ) -> Result<(), Error> {
        self.visibility_in(conn, viewer, Some(folder)).await.map(drop)
    }

    /// Adds a file under its own name or, where that is taken, as `name (2).ext`, then 3, … (contract, "Uploads").
    /// Returns its name.
    ///
    /// # Errors
    /// 404 `folder_not_found`.
    pub async fn insert(
        &mut self,
        conn: &mut DbConnection,
        viewer: Viewer,
        file: NewFile,
        now: Timestamp,
    ) -> Result<Name, Error> {
        let now = self.moment_of_change(conn, viewer.team, now).await?;
        let private_to = self.visibility_in(conn, viewer, file.folder_id).await?;
        let name = settle_name(conn, viewer, Table::Files, file.folder_id, file.name, None, now).await?;
        let size_bytes = i64::try_from(file.size_bytes).map_err(|_| Error::Corrupt("a file beyond all sizes"))?;
        sqlx::query(
            "INSERT INTO files
               (id, team_id, folder_id, name, name_key, visibility, private_to, mime_type, size_bytes, content_hash,
                created_by, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)",
        )
        .bind(file.id.uuid())
        .bind(viewer.team.uuid())
        .bind(file.folder_id.map(FolderId::uuid))
        .bind(name.as_str())
        .bind(name.key())
        .bind(Visibility::Team.as_str())
        .bind(private_to)
        .bind(file.mime_type)
        .bind(size_bytes)
        .bind(file.content_hash.as_slice())
        .bind(viewer.user.uuid())
        .bind(now.as_micros())
        .execute(&mut *conn)
        .await?;
        self.filled.extend(file.folder_id.map(|folder| (folder, now)));
        Ok(name)
    }

    /// Ends the additions: the folders that got files have changed.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn finish(self, conn: &mut DbConnection) -> Result<(), Error> {
        for (folder, now) in self.filled {
            touch_folder(conn, Some(folder), now).await?;
        }
        Ok(())
    }

    async fn moment_of_change(
        &mut self,
        conn: &mut DbConnection,
        team: TeamId,
        now: Timestamp,
    ) -> Result<Timestamp, Error> {
        let latest = match self.latest.get(&team) {
            Some(latest) => Some(*latest),
            None => find_latest_change(conn, team).await?,
        };
        let moment = after(latest, now);
        self.latest.insert(team, latest.map_or(moment, |latest| latest.max(moment)));
        Ok(moment)
    }

    async fn visibility_in(
        &mut self,
        conn: &mut DbConnection,
        viewer: Viewer,
        folder: Option<FolderId>,
    ) -> Result<Vec<u8>, Error> {
        let known = folder.and_then(|folder| self.private_to.get(&(viewer, folder)));
        if let Some(private_to) = known {
            return Ok(private_to.clone());
        }
        let private_to = nesting::visibility_in(conn, viewer, folder).await?;
        self.private_to.extend(folder.map(|folder| ((viewer, folder), private_to.clone())));
        Ok(private_to)
    }
}
