//! The drive against a real database.

mod additions;
mod items;
mod lists;
mod naming;
mod steps;
mod visibility;

use easel_wire::Timestamp;
use tempfile::TempDir;
use uuid::Uuid;

use super::items::{change_item, delete_item, move_item};
use super::nesting::MAX_NESTING;
use super::table::{Table, table_of};
use super::*;
use crate::core::error::Error;
use crate::core::names::Name;
use crate::core::page::Start;
use crate::db::{Tx, Viewer, for_tests};
use crate::wire::drive::Visibility;
use crate::wire::{CanvasId, FileId, FolderId, ItemRef, OrganizationId, TeamId, UserId};

/// A database with a team of two, and a clock that only the test moves.
struct Drive {
    tx: Tx,
    ada: Viewer,
    ben: Viewer,
    now: i64,
    _folder: TempDir,
}

impl Drive {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let db = for_tests::open(folder.path()).await;
        let mut tx = db.begin().await.unwrap();
        let (organization, team) = (OrganizationId::from_uuid(Uuid::now_v7()), TeamId::from_uuid(Uuid::now_v7()));
        sqlx::query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'o', 'paid', 0)")
            .bind(organization.uuid())
            .execute(&mut *tx)
            .await
            .unwrap();
        sqlx::query("INSERT INTO teams (id, organization_id, name, created_at) VALUES ($1, $2, 't', 0)")
            .bind(team.uuid())
            .bind(organization.uuid())
            .execute(&mut *tx)
            .await
            .unwrap();
        let mut members = Vec::new();
        for name in ["ada", "ben"] {
            let user = UserId::from_uuid(Uuid::now_v7());
            sqlx::query(
                "INSERT INTO users (id, team_id, email, name, role, created_at) VALUES ($1, $2, $3, $4, 'member', 0)",
            )
            .bind(user.uuid())
            .bind(team.uuid())
            .bind(format!("{name}@example.org"))
            .bind(name)
            .execute(&mut *tx)
            .await
            .unwrap();
            members.push(Viewer { team, user, oversees: false });
        }
        Self { tx, ada: members[0], ben: members[1], now: 1_000_000, _folder: folder }
    }

    fn tick(&mut self) -> Timestamp {
        self.now += 1;
        Timestamp::from_micros(self.now)
    }

    async fn folder(&mut self, viewer: Viewer, name: &str, parent: Option<FolderId>) -> FolderId {
        self.try_folder(viewer, name, parent).await.unwrap().id
    }

    async fn try_folder(&mut self, viewer: Viewer, name: &str, parent: Option<FolderId>) -> Result<FolderRow, Error> {
        let (id, now) = (FolderId::from_uuid(Uuid::now_v7()), self.tick());
        insert_folder(&mut self.tx, viewer, id, &Name::parse(name).unwrap(), parent, now).await
    }

    async fn file(&mut self, viewer: Viewer, name: &str, folder: Option<FolderId>, content: u8) -> FileRow {
        let now = self.tick();
        insert_file(&mut self.tx, viewer, new_file(name, folder, content), now).await.unwrap()
    }

    async fn folder_as_seen(&mut self, viewer: Viewer, id: FolderId) -> FolderRow {
        get_visible_folder(&mut self.tx, viewer, id).await.unwrap()
    }

    async fn set_visibility(&mut self, viewer: Viewer, item: ItemRef, visibility: Visibility) -> Result<(), Error> {
        let now = self.tick();
        change_item(&mut self.tx, viewer, item, None, Some(visibility), now).await.map(drop)
    }

    async fn rename(&mut self, viewer: Viewer, item: ItemRef, name: &str) -> Result<ItemName, Error> {
        let (name, now) = (Name::parse(name).unwrap(), self.tick());
        change_item(&mut self.tx, viewer, item, Some(&name), None, now).await.map(|item| item.name.unwrap())
    }

    async fn go(&mut self, viewer: Viewer, item: ItemRef, to: Option<FolderId>) -> Result<(), Error> {
        let now = self.tick();
        move_item(&mut self.tx, viewer, item, to, now).await.map(drop)
    }

    /// Deletes, and says which contents the trash has of it.
    async fn delete(&mut self, viewer: Viewer, item: ItemRef, recursive: bool) -> Result<Vec<[u8; 32]>, Error> {
        let now = self.tick();
        delete_item(&mut self.tx, viewer, item, recursive, now).await?;
        let hashes: Vec<Vec<u8>> = sqlx::query_scalar(
            "SELECT DISTINCT content_hash FROM trashed_files WHERE trash_id = $1 ORDER BY content_hash",
        )
        .bind(table_of(item).1)
        .fetch_all(&mut *self.tx)
        .await?;
        Ok(hashes.into_iter().map(|hash| hash.try_into().unwrap()).collect())
    }

    /// Names of the files and folders in a place, by the list.
    async fn names(&mut self, viewer: Viewer, place: Place) -> Vec<String> {
        let query = query(place, "name");
        let folders = folders::list_folders(&mut self.tx, viewer, &query).await.unwrap();
        let files = files::list_files(&mut self.tx, viewer, &query).await.unwrap();
        assert_eq!(folders.total, folders.items.len() as u64);
        assert_eq!(files.total, files.items.len() as u64);
        let folders = folders.items.into_iter().map(|folder| folder.name);
        folders.chain(files.items.into_iter().map(|file| file.name)).collect()
    }

    /// The counts of the triggers beside those of the rows.
    async fn check_counts(&mut self) {
        const EXPECTED: &str = "
            SELECT place, private_to, CAST(SUM(folders) AS BIGINT), CAST(SUM(files) AS BIGINT) FROM (
              SELECT COALESCE(parent_id, x'') AS place, private_to, 1 AS folders, 0 AS files FROM folders
              UNION ALL SELECT x'2a', private_to, 1, 0 FROM folders
              UNION ALL SELECT COALESCE(folder_id, x''), private_to, 0, 1 FROM files
              UNION ALL SELECT x'2a', private_to, 0, 1 FROM files) AS items
            GROUP BY place, private_to ORDER BY place, private_to";
        const KEPT: &str = "SELECT place, private_to, folders, files FROM drive_counts
            WHERE folders <> 0 OR files <> 0 ORDER BY place, private_to";
        type Counts = Vec<(Vec<u8>, Vec<u8>, i64, i64)>;
        let expected: Counts = sqlx::query_as(EXPECTED).fetch_all(&mut *self.tx).await.unwrap();
        let kept: Counts = sqlx::query_as(KEPT).fetch_all(&mut *self.tx).await.unwrap();
        assert_eq!(kept, expected);
    }
}

type ItemName = String;

fn new_file(name: &str, folder: Option<FolderId>, content: u8) -> NewFile {
    NewFile {
        id: FileId::from_uuid(Uuid::now_v7()),
        name: Name::parse(name).unwrap(),
        folder_id: folder,
        mime_type: "text/plain".to_owned(),
        size_bytes: u64::from(content),
        content_hash: [content; 32],
    }
}

fn query(place: Place, sort: &str) -> ListQuery {
    let (descending, key) = sort.strip_prefix('-').map_or((false, sort), |key| (true, key));
    let key = match key {
        "name" => SortKey::Name,
        "size" => SortKey::Size,
        "updated_at" => SortKey::UpdatedAt,
        _ => SortKey::CreatedAt,
    };
    ListQuery {
        place,
        sort: Sort { key, descending },
        updated_since: None,
        start: Start::Offset(0),
        limit: 200,
        hidden: false,
    }
}

/// The code of an error, with the item in the way.
fn code_of<T: std::fmt::Debug>(result: Result<T, Error>) -> (String, Option<String>) {
    let body = result.unwrap_err().body("r");
    let existing = body.details.and_then(|details| details["existing_id"].as_str().map(str::to_owned));
    (body.code, existing)
}

fn failing(code: &str) -> (String, Option<String>) {
    (code.to_owned(), None)
}
