//! Files that one transaction adds to drives: what all of them need is asked for once, and their rows are written in few
//! statements.
//!
//! Always true: what is remembered was read in the transaction that adds the files, and nobody else writes meanwhile; a
//! content or name that is remembered as new is in no row, and in none that waits; rows that wait are written before
//! anything here asks for contents or names, and before the transaction ends, when each folder that got files is touched
//! ([`Additions::finish`]); a team's newest change is remembered with them. Not here: when a transaction begins and ends.

use std::collections::{HashMap, HashSet};

use easel_wire::Timestamp;
use sqlx::QueryBuilder;

use super::files::{FileRow, NewFile, find_visible_file_by_hash};
use super::moments::{after, find_latest_change, touch_folder};
use super::naming::{place_in_rows, settle_name};
use super::nesting;
use super::table::Table;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::db::engine::Engine;
use crate::db::lists::push_list;
use crate::db::{DbConnection, Viewer};
use crate::wire::drive::Visibility;
use crate::wire::{FolderId, TeamId};

/// A place in a team's drive; `None` is its top.
type Place = (TeamId, Option<FolderId>);

/// See the module.
#[derive(Default)]
pub struct Additions {
    /// Contents that no file has.
    new_contents: HashSet<[u8; 32]>,
    /// Names, as they are compared, that no file has in its place.
    new_names: HashSet<(Place, String)>,
    /// The moment of each team's newest change.
    latest: HashMap<TeamId, Timestamp>,
    /// Whose files those in a folder are; nobody's own where it is empty.
    private_to: HashMap<(Viewer, FolderId), Vec<u8>>,
    /// The folders that got files, with the moment of the last one.
    filled: HashMap<FolderId, Timestamp>,
    /// Rows that are not written yet.
    waiting: Vec<Waiting>,
}

/// The row of a file that waits to be written, with the name that it got.
struct Waiting {
    viewer: Viewer,
    file: NewFile,
    size_bytes: i64,
    private_to: Vec<u8>,
    now: Timestamp,
}

impl Additions {
    /// Finds out which of these files have a content and a name that no file has: one statement for all contents and one
    /// for the names of a place, in place of two for each file.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn look_up<'a>(
        &mut self,
        conn: &mut DbConnection,
        files: impl Iterator<Item = (Place, &'a Name, [u8; 32])>,
    ) -> Result<(), Error> {
        self.write(conn).await?;
        let mut names: HashMap<Place, Vec<&str>> = HashMap::new();
        for (place, name, content_hash) in files {
            names.entry(place).or_default().push(name.key());
            self.new_contents.insert(content_hash);
        }
        let mut sql = QueryBuilder::<Engine>::new("SELECT content_hash FROM files WHERE content_hash IN (");
        push_list(&mut sql, self.new_contents.iter().map(|hash| hash.to_vec()));
        let known: Vec<Vec<u8>> = sql.build_query_scalar().fetch_all(&mut *conn).await?;
        for hash in known {
            self.new_contents.remove(hash.as_slice());
        }
        for ((team, folder), keys) in names {
            let mut sql = QueryBuilder::<Engine>::new("SELECT name_key FROM files WHERE team_id = ");
            sql.push_bind(team.uuid()).push(" AND COALESCE(folder_id, x'') = ").push_bind(place_in_rows(folder));
            sql.push(" AND name_key IN (");
            push_list(&mut sql, keys.iter().map(|key| (*key).to_owned()));
            let taken: Vec<String> = sql.build_query_scalar().fetch_all(&mut *conn).await?;
            self.new_names.extend(keys.into_iter().map(|key| ((team, folder), key.to_owned())));
            for key in taken {
                self.new_names.remove(&((team, folder), key));
            }
        }
        Ok(())
    }

    /// Whether no file has this content, as far as [`Self::look_up`] has found.
    #[must_use]
    pub fn is_new(&self, content_hash: &[u8; 32]) -> bool {
        self.new_contents.contains(content_hash)
    }

    /// The file with this content that the viewer sees.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn find_by_content(
        &mut self,
        conn: &mut DbConnection,
        viewer: Viewer,
        content_hash: &[u8; 32],
    ) -> Result<Option<FileRow>, Error> {
        if self.new_contents.contains(content_hash) {
            return Ok(None);
        }
        self.write(conn).await?;
        find_visible_file_by_hash(conn, viewer, content_hash).await
    }

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
    /// Returns its name. Its row waits for others: see [`Additions::write`].
    ///
    /// # Errors
    /// 404 `folder_not_found`.
    pub async fn add(
        &mut self,
        conn: &mut DbConnection,
        viewer: Viewer,
        file: NewFile,
        now: Timestamp,
    ) -> Result<Name, Error> {
        let now = self.moment_of_change(conn, viewer.team, now).await?;
        let private_to = self.visibility_in(conn, viewer, file.folder_id).await?;
        let size_bytes = i64::try_from(file.size_bytes).map_err(|_| Error::Corrupt("a file beyond all sizes"))?;
        let name = self.settle_name(conn, viewer, (file.folder_id, file.name.clone()), now).await?;
        self.new_contents.remove(&file.content_hash);
        self.filled.extend(file.folder_id.map(|folder| (folder, now)));
        let file = NewFile { name: name.clone(), ..file };
        self.waiting.push(Waiting { viewer, file, size_bytes, private_to, now });
        Ok(name)
    }

    /// Writes the rows that wait, before something reads files in this transaction.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn write(&mut self, conn: &mut DbConnection) -> Result<(), Error> {
        while let Some(most) = self.waiting.len().checked_ilog2() {
            // There are few different lengths, so that few statements are prepared.
            let rows = self.waiting.drain(..1 << most);
            let mut sql = QueryBuilder::<Engine>::new(
                "INSERT INTO files
                   (id, team_id, folder_id, name, name_key, visibility, private_to, mime_type, size_bytes,
                    content_hash, created_by, created_at, updated_at) ",
            );
            sql.push_values(rows, |mut row, Waiting { viewer, file, size_bytes, private_to, now }| {
                row.push_bind(file.id.uuid())
                    .push_bind(viewer.team.uuid())
                    .push_bind(file.folder_id.map(FolderId::uuid))
                    .push_bind(file.name.as_str().to_owned())
                    .push_bind(file.name.key().to_owned())
                    .push_bind(Visibility::Team.as_str())
                    .push_bind(private_to)
                    .push_bind(file.mime_type)
                    .push_bind(size_bytes)
                    .push_bind(file.content_hash.to_vec())
                    .push_bind(viewer.user.uuid())
                    .push_bind(now.as_micros())
                    .push_bind(now.as_micros());
            });
            sql.build().execute(&mut *conn).await?;
        }
        Ok(())
    }

    /// Ends the additions: all rows are written, and the folders that got files have changed.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn finish(mut self, conn: &mut DbConnection) -> Result<(), Error> {
        self.write(conn).await?;
        for (folder, now) in self.filled {
            touch_folder(conn, Some(folder), now).await?;
        }
        Ok(())
    }

    /// The name that a file gets in a folder.
    async fn settle_name(
        &mut self,
        conn: &mut DbConnection,
        viewer: Viewer,
        (folder, name): (Option<FolderId>, Name),
        now: Timestamp,
    ) -> Result<Name, Error> {
        if self.new_names.remove(&((viewer.team, folder), name.key().to_owned())) {
            return Ok(name);
        }
        self.write(conn).await?;
        // A hidden file may give way to this one, and take a name that was new.
        self.new_names.clear();
        settle_name(conn, viewer, Table::Files, folder, name, None, now).await
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
