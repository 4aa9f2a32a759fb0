//! The drive against a real database.

use std::collections::HashSet;

use easel_wire::drive::Visibility;
use easel_wire::{FileId, FolderId, ItemRef, OrganizationId, TeamId, Timestamp, UserId};
use proptest::prelude::*;
use sqlx::{Row, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

use super::items::{change_item, delete_item, move_item};
use super::*;
use crate::db::{Db, Tx};
use crate::list::Start;

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
        let db = Db::open(&folder.path().join("studio.db")).await.unwrap();
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
            members.push(Viewer { team, user });
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
        change_item(&mut self.tx, viewer, item, None, Some(&visibility), now).await.map(drop)
    }

    async fn rename(&mut self, viewer: Viewer, item: ItemRef, name: &str) -> Result<ItemName, Error> {
        let (name, now) = (Name::parse(name).unwrap(), self.tick());
        change_item(&mut self.tx, viewer, item, Some(&name), None, now).await.map(|item| item.name.unwrap())
    }

    async fn go(&mut self, viewer: Viewer, item: ItemRef, to: Option<FolderId>) -> Result<(), Error> {
        let now = self.tick();
        move_item(&mut self.tx, viewer, item, to, now).await.map(drop)
    }

    async fn delete(&mut self, viewer: Viewer, item: ItemRef, recursive: bool) -> Result<Vec<[u8; 32]>, Error> {
        let now = self.tick();
        delete_item(&mut self.tx, viewer, item, recursive, now).await.map(|deleted| deleted.content_hashes)
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
            SELECT place, private_to, SUM(folders) AS folders, SUM(files) AS files FROM (
              SELECT COALESCE(parent_id, x'') AS place, private_to, 1 AS folders, 0 AS files FROM folders
              UNION ALL SELECT x'2a', private_to, 1, 0 FROM folders
              UNION ALL SELECT COALESCE(folder_id, x''), private_to, 0, 1 FROM files
              UNION ALL SELECT x'2a', private_to, 0, 1 FROM files)
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
    ListQuery { place, sort: Sort { key, descending }, updated_since: None, start: Start::Offset(0), limit: 200 }
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

#[tokio::test]
async fn a_taken_name_is_numbered_for_files_and_refused_for_folders() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let first = drive.file(ada, "Photo.png", None, 1).await;
    assert_eq!(first.name, "Photo.png");
    assert_eq!(drive.file(ada, "photo.PNG", None, 2).await.name, "photo (2).PNG");
    assert_eq!(drive.file(ada, "photo.png", None, 3).await.name, "photo (3).png");
    let folder = drive.folder(ada, "photo.png", None).await;
    assert_eq!(drive.file(ada, "photo.png", Some(folder), 4).await.name, "photo.png");
    drive.delete(ada, ItemRef::File(first.id), false).await.unwrap();
    assert_eq!(drive.file(ada, "photo.png", None, 5).await.name, "photo.png");

    let conflict = code_of(drive.try_folder(ada, "PHOTO.png", None).await);
    assert_eq!(conflict, ("folder_name_conflict".to_owned(), Some(folder.to_string())));
    let missing = Some(FolderId::from_uuid(Uuid::now_v7()));
    assert_eq!(code_of(drive.try_folder(ada, "x", missing).await), failing("folder_not_found"));
    drive.check_counts().await;
}

#[tokio::test]
async fn the_number_of_a_name_is_found_among_ten_thousand() {
    let mut drive = Drive::new().await;
    let (ada, name) = (drive.ada, Name::parse("scan.pdf").unwrap());
    let long = Name::parse(&"x".repeat(255)).unwrap();
    for base in [&name, &long] {
        for number in 1..=10_000 {
            let numbered = if number == 1 { base.clone() } else { base.numbered(number) };
            sqlx::query(
                "INSERT INTO files (id, team_id, name, name_key, visibility, private_to, mime_type, size_bytes,
                   content_hash, created_by, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, 'team', x'', '', 0, x'', $5, 0, 0)",
            )
            .bind(Uuid::now_v7())
            .bind(ada.team.uuid())
            .bind(numbered.as_str())
            .bind(numbered.key())
            .bind(ada.user.uuid())
            .execute(&mut *drive.tx)
            .await
            .unwrap();
        }
    }
    assert_eq!(drive.file(ada, "scan.pdf", None, 1).await.name, "scan (10001).pdf");
    assert_eq!(drive.file(ada, "scan.pdf", None, 1).await.name, "scan (10002).pdf");
    let longest = drive.file(ada, long.as_str(), None, 1).await.name;
    assert_eq!((longest.chars().count(), longest.ends_with("x (10001)")), (255, true));
}

#[tokio::test]
async fn a_gap_among_the_first_numbers_is_filled() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    for name in ["a.txt", "a (2).txt", "a (4).txt"] {
        drive.file(ada, name, None, 1).await;
    }
    assert_eq!(drive.file(ada, "a.txt", None, 1).await.name, "a (3).txt");
    assert_eq!(drive.file(ada, "a.txt", None, 1).await.name, "a (5).txt");
}

#[tokio::test]
async fn a_folder_counts_its_direct_children_and_knows_its_path() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let brand = drive.folder(ada, "Brand", None).await;
    let photos = drive.folder(ada, "Photos", Some(brand)).await;
    drive.file(ada, "a", Some(photos), 1).await;
    drive.file(ada, "b", Some(brand), 2).await;
    let row = drive.folder_as_seen(ada, brand).await;
    assert_eq!((row.path.as_str(), row.subfolder_count, row.file_count), ("/Brand", 1, 1));
    let row = drive.folder_as_seen(ada, photos).await;
    assert_eq!((row.path.as_str(), row.subfolder_count, row.file_count), ("/Brand/Photos", 0, 1));
    let listed = folders::list_folders(&mut drive.tx, ada, &query(Place::Everywhere, "name")).await.unwrap();
    let paths: Vec<_> = listed.items.iter().map(|folder| folder.path.as_str()).collect();
    assert_eq!(paths, ["/Brand", "/Brand/Photos"]);
    assert_eq!(drive.names(ada, Place::Top).await, ["Brand"]);
    assert_eq!(drive.names(ada, Place::In(brand)).await, ["Photos", "b"]);
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["Brand", "Photos", "a", "b"]);
}

#[tokio::test]
async fn a_folder_is_updated_by_every_change_to_a_direct_child() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let top = drive.folder(ada, "top", None).await;
    let from = drive.folder(ada, "from", Some(top)).await;
    let to = drive.folder(ada, "to", Some(top)).await;
    let mut last = Vec::new();
    for id in [top, from, to] {
        last.push(drive.folder_as_seen(ada, id).await.updated_at);
    }
    let mut moved = async |drive: &mut Drive| {
        let mut changed = Vec::new();
        for (id, last) in [top, from, to].into_iter().zip(&mut last) {
            let now = drive.folder_as_seen(ada, id).await.updated_at;
            changed.push(now > *last);
            *last = now;
        }
        changed
    };
    let file = drive.file(ada, "f", Some(from), 1).await.id;
    assert_eq!(moved(&mut drive).await, [false, true, false], "a new file");
    drive.rename(ada, ItemRef::File(file), "g").await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, true, false], "a rename");
    drive.rename(ada, ItemRef::File(file), "g").await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, false, false], "a rename to the same name");
    drive.go(ada, ItemRef::File(file), Some(to)).await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, true, true], "a move");
    drive.now -= 3;
    drive.set_visibility(ada, ItemRef::File(file), Visibility::Private).await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, false, true], "a visibility, while the clock stands");
    drive.delete(ada, ItemRef::File(file), false).await.unwrap();
    assert_eq!(moved(&mut drive).await, [false, false, true], "a deletion");
    drive.go(ada, ItemRef::Folder(to), None).await.unwrap();
    assert_eq!(moved(&mut drive).await, [true, false, true], "a folder's move");
    drive.check_counts().await;
}

#[tokio::test]
async fn a_folder_never_comes_to_lie_in_itself() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let a = drive.folder(ada, "a", None).await;
    let b = drive.folder(ada, "b", Some(a)).await;
    let c = drive.folder(ada, "c", Some(b)).await;
    for to in [a, b, c] {
        let refused = code_of(drive.go(ada, ItemRef::Folder(a), Some(to)).await);
        assert_eq!(refused, failing("folder_circular_reference"));
    }
    drive.go(ada, ItemRef::Folder(c), Some(a)).await.unwrap();
    drive.go(ada, ItemRef::Folder(b), Some(c)).await.unwrap();
    assert_eq!(drive.folder_as_seen(ada, b).await.path, "/a/c/b");
}

#[tokio::test]
async fn a_move_or_rename_onto_a_taken_name_names_what_is_in_the_way() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let folder = drive.folder(ada, "folder", None).await;
    let here = drive.file(ada, "A.txt", None, 1).await.id;
    let there = drive.file(ada, "a.TXT", Some(folder), 2).await.id;
    let other = drive.file(ada, "b", None, 3).await.id;
    let in_the_way = |id: FileId| ("file_name_conflict".to_owned(), Some(id.to_string()));
    assert_eq!(code_of(drive.go(ada, ItemRef::File(here), Some(folder)).await), in_the_way(there));
    assert_eq!(code_of(drive.rename(ada, ItemRef::File(other), "a.txt").await), in_the_way(here));
    assert_eq!(drive.rename(ada, ItemRef::File(here), "a.txt").await.unwrap(), "a.txt", "only the case changes");
    assert_eq!(drive.names(ada, Place::Top).await, ["folder", "a.txt", "b"]);
    let canvas = ItemRef::Canvas(easel_wire::CanvasId::from_uuid(Uuid::now_v7()));
    assert_eq!(code_of(drive.go(ada, canvas, None).await), failing("canvas_not_found"));
}

#[tokio::test]
async fn a_private_item_is_not_there_for_anyone_else() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let folder = drive.folder(ada, "folder", None).await;
    let inner = drive.folder(ada, "inner", Some(folder)).await;
    let file = drive.file(ada, "file", Some(inner), 7).await.id;
    drive.set_visibility(ada, ItemRef::Folder(folder), Visibility::Private).await.unwrap();
    drive.check_counts().await;

    let seen = get_visible_file(&mut drive.tx, ada, file).await.unwrap();
    assert_eq!((seen.visibility, seen.visibility_inherited), (Visibility::Private, true));
    assert_eq!(drive.names(ben, Place::Everywhere).await, [""; 0]);
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["folder", "inner", "file"]);
    assert_eq!(code_of(get_visible_file(&mut drive.tx, ben, file).await), failing("file_not_found"));
    assert_eq!(code_of(get_visible_folder(&mut drive.tx, ben, inner).await), failing("folder_not_found"));
    let inside = query(Place::In(folder), "name");
    assert_eq!(code_of(files::list_files(&mut drive.tx, ben, &inside).await), failing("folder_not_found"));
    assert_eq!(find_visible_file_by_hash(&mut drive.tx, ben, &[7; 32]).await.unwrap(), None);
    assert_eq!(find_visible_file_by_hash(&mut drive.tx, ada, &[7; 32]).await.unwrap().unwrap().id, file);
    assert!(is_content_used(&mut drive.tx, &[7; 32]).await.unwrap());
    for item in [ItemRef::File(file), ItemRef::Folder(inner)] {
        assert!(code_of(drive.delete(ben, item, true).await).0.ends_with("not_found"));
        assert!(code_of(drive.go(ben, item, None).await).0.ends_with("not_found"));
        assert!(code_of(drive.rename(ben, item, "x").await).0.ends_with("not_found"));
    }
    assert_eq!(code_of(drive.try_folder(ben, "Folder", None).await), failing("folder_name_conflict"));

    drive.go(ada, ItemRef::Folder(inner), None).await.unwrap();
    assert_eq!(drive.names(ben, Place::Everywhere).await, ["inner", "file"], "moved out of the private folder");
    drive.go(ada, ItemRef::Folder(inner), Some(folder)).await.unwrap();
    assert_eq!(drive.names(ben, Place::Everywhere).await, [""; 0], "moved into it again");
    let new = drive.file(ada, "new", Some(inner), 8).await;
    assert_eq!((new.visibility, new.visibility_inherited), (Visibility::Private, true));
    drive.set_visibility(ada, ItemRef::Folder(folder), Visibility::Team).await.unwrap();
    assert_eq!(drive.names(ben, Place::Everywhere).await, ["folder", "inner", "file", "new"]);
    drive.check_counts().await;
}

#[tokio::test]
async fn only_its_maker_sets_who_may_see_an_item() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let file = ItemRef::File(drive.file(ada, "a", None, 1).await.id);
    assert_eq!(code_of(drive.set_visibility(ben, file, Visibility::Private).await), failing("permission"));
    drive.set_visibility(ben, file, Visibility::Team).await.unwrap();
    drive.set_visibility(ada, file, Visibility::Private).await.unwrap();
    assert_eq!(drive.names(ben, Place::Top).await, [""; 0]);
}

#[tokio::test]
async fn what_another_member_keeps_private_outlives_the_folder_around_it() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let outer = drive.folder(ada, "outer", None).await;
    let inner = drive.folder(ada, "inner", Some(outer)).await;
    drive.file(ada, "notes", Some(inner), 1).await;
    drive.file(ben, "notes", None, 9).await;
    let secret = drive.file(ben, "secret.txt", Some(inner), 2).await.id;
    let cellar = drive.folder(ben, "cellar", Some(inner)).await;
    let bottle = drive.file(ben, "bottle", Some(cellar), 3).await.id;
    drive.set_visibility(ben, ItemRef::File(secret), Visibility::Private).await.unwrap();
    drive.set_visibility(ben, ItemRef::Folder(cellar), Visibility::Private).await.unwrap();

    drive.set_visibility(ada, ItemRef::Folder(outer), Visibility::Private).await.unwrap();
    let bens = drive.names(ben, Place::Everywhere).await;
    assert_eq!(bens, ["cellar", "bottle", "notes", "secret.txt"], "the nearest private folder decides");
    assert_eq!(drive.folder_as_seen(ben, cellar).await.path, "/cellar", "without the names that he may not see");

    assert_eq!(code_of(drive.delete(ada, ItemRef::Folder(outer), false).await), failing("folder_not_empty"));
    let hashes = drive.delete(ada, ItemRef::Folder(outer), true).await.unwrap();
    assert_eq!(hashes, [[1; 32]]);
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["notes"]);
    assert_eq!(drive.names(ben, Place::Top).await, ["cellar", "notes", "secret.txt"]);
    assert_eq!(get_visible_file(&mut drive.tx, ben, bottle).await.unwrap().folder_id, Some(cellar));
    drive.check_counts().await;
}

#[tokio::test]
async fn a_folder_that_looks_empty_is_deleted_without_recursive() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let folder = drive.folder(ada, "folder", None).await;
    let file = drive.file(ben, "file", Some(folder), 1).await.id;
    assert_eq!(code_of(drive.delete(ada, ItemRef::Folder(folder), false).await), failing("folder_not_empty"));
    drive.set_visibility(ben, ItemRef::File(file), Visibility::Private).await.unwrap();
    assert_eq!(drive.delete(ada, ItemRef::Folder(folder), false).await.unwrap(), [[0; 32]; 0]);
    assert_eq!(drive.names(ben, Place::Top).await, ["file"]);
}

#[tokio::test]
async fn a_deletion_says_which_contents_went() {
    let mut drive = Drive::new().await;
    let ada = drive.ada;
    let folder = drive.folder(ada, "folder", None).await;
    let inner = drive.folder(ada, "inner", Some(folder)).await;
    drive.file(ada, "a", Some(folder), 1).await;
    drive.file(ada, "b", Some(inner), 2).await;
    drive.file(ada, "c", Some(inner), 2).await;
    let kept = drive.file(ada, "d", None, 2).await.id;
    let hashes = drive.delete(ada, ItemRef::Folder(folder), true).await.unwrap();
    assert_eq!(hashes.into_iter().collect::<HashSet<_>>(), HashSet::from([[1; 32], [2; 32]]));
    assert!(!is_content_used(&mut drive.tx, &[1; 32]).await.unwrap());
    assert!(is_content_used(&mut drive.tx, &[2; 32]).await.unwrap());
    assert_eq!(drive.names(ada, Place::Everywhere).await, ["d"]);
    assert_eq!(drive.delete(ada, ItemRef::File(kept), false).await.unwrap(), [[2; 32]]);
    drive.check_counts().await;
}

#[tokio::test]
async fn every_order_is_walked_whole_by_cursor_and_by_offset() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let folder = drive.folder(ada, "in", None).await;
    for number in 0..25_u8 {
        let place = (number % 2 == 0).then_some(folder);
        drive.file(ada, &format!("{}-{number}", number % 3), place, number % 4).await;
        drive.folder(ada, &format!("{}-{number}", number % 3), place).await;
        let hidden = drive.file(ben, &format!("hidden {number}"), place, 1).await.id;
        drive.set_visibility(ben, ItemRef::File(hidden), Visibility::Private).await.unwrap();
    }
    for sort in ["-created_at", "name", "-name", "updated_at", "-updated_at", "size", "-size"] {
        for place in [Place::Everywhere, Place::Top, Place::In(folder)] {
            for since in [None, Some(Timestamp::from_micros(1_000_040))] {
                let mut whole = query(place, sort);
                whole.updated_since = since;
                let all = files::list_files(&mut drive.tx, ada, &whole).await.unwrap();
                assert_eq!((all.items.len() as u64, &all.next), (all.total, &None));
                let keys: Vec<_> = all
                    .items
                    .iter()
                    .map(|file| match sort.trim_start_matches('-') {
                        "name" => (file.name_key.clone(), 0, file.id),
                        "size" => (String::new(), file.size_bytes, file.id),
                        "updated_at" => (String::new(), file.updated_at.as_micros() as u64, file.id),
                        _ => (String::new(), file.created_at.as_micros() as u64, file.id),
                    })
                    .collect();
                let mut sorted = keys.clone();
                sorted.sort();
                if sort.starts_with('-') {
                    sorted.reverse();
                }
                assert_eq!(keys, sorted, "{sort} {place:?}");

                let (mut by_cursor, mut by_offset) = (Vec::new(), Vec::new());
                let mut page = ListQuery { limit: 3, ..whole.clone() };
                loop {
                    let listed = files::list_files(&mut drive.tx, ada, &page).await.unwrap();
                    by_cursor.extend(listed.items);
                    match listed.next {
                        Some(position) => page.start = Start::After(position),
                        None => break,
                    }
                }
                for offset in (0..all.total).step_by(3) {
                    page.start = Start::Offset(offset);
                    by_offset.extend(files::list_files(&mut drive.tx, ada, &page).await.unwrap().items);
                }
                assert_eq!(by_cursor, all.items, "{sort} {place:?}");
                assert_eq!(by_offset, all.items, "{sort} {place:?}");

                let (mut folders, mut page) = (Vec::new(), ListQuery { limit: 3, ..whole.clone() });
                let total = loop {
                    let listed = folders::list_folders(&mut drive.tx, ada, &page).await.unwrap();
                    folders.extend(listed.items);
                    match listed.next {
                        Some(position) => page.start = Start::After(position),
                        None => break listed.total,
                    }
                };
                assert_eq!(folders.len() as u64, total);
                assert_eq!(folders, folders::list_folders(&mut drive.tx, ada, &whole).await.unwrap().items);
            }
        }
    }
}

/// How SQLite would answer a page: its plan, one step a line.
async fn plan_of(conn: &mut SqliteConnection, viewer: Viewer, table: Table, query: &ListQuery) -> String {
    let mut sql = sqlx::QueryBuilder::new("EXPLAIN QUERY PLAN SELECT item.* FROM ");
    sql.push(table.name()).push(" AS item");
    listing::push_page(&mut sql, viewer, table, query, u64::MAX);
    let steps = sql.build().fetch_all(conn).await.unwrap();
    steps.iter().map(|step| step.get::<String, _>("detail")).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_page_is_found_through_an_index_that_has_its_order() {
    let mut drive = Drive::new().await;
    let (ada, folder) = (drive.ada, FolderId::from_uuid(Uuid::now_v7()));
    let number = Start::After((listing::SortValue::Number(5), Uuid::nil()));
    let text = Start::After((listing::SortValue::Text("x".to_owned()), Uuid::nil()));
    for table in [Table::Folders, Table::Files] {
        for place in [Place::Everywhere, Place::Top, Place::In(folder)] {
            for sort in ["-created_at", "updated_at", "-updated_at", "name", "-name", "size"] {
                let after = if sort.ends_with("name") { &text } else { &number };
                for start in [&Start::Offset(1000), after] {
                    let page = ListQuery { start: start.clone(), ..query(place, sort) };
                    let plan = plan_of(&mut drive.tx, ada, table, &page).await;
                    let inner: Vec<_> = plan.lines().filter(|step| step.contains("COVERING INDEX")).collect();
                    assert_eq!(inner.len(), 1, "{table:?} {place:?} {sort}: {plan}");
                    let sorts = plan.matches("USE TEMP B-TREE FOR ORDER BY").count();
                    assert_eq!(sorts, 1, "only the page itself is sorted: {table:?} {place:?} {sort}: {plan}");
                    let bound = matches!(start, Start::After(_));
                    assert_eq!(inner[0].contains('<') || inner[0].contains('>'), bound, "{sort}: {plan}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_tree_is_filled_from_the_top_and_says_what_it_leaves_out() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let a = drive.folder(ada, "a", None).await;
    let b = drive.folder(ada, "b", Some(a)).await;
    drive.folder(ada, "c", Some(b)).await;
    drive.folder(ada, "z", None).await;
    let hidden = drive.folder(ben, "hidden", Some(a)).await;
    drive.set_visibility(ben, ItemRef::Folder(hidden), Visibility::Private).await.unwrap();

    fn outline(branches: &[tree::Branch]) -> String {
        let one = |branch: &tree::Branch| {
            let cut = if branch.children_truncated { "…" } else { "" };
            format!("{}({}{cut})", branch.folder.path, outline(&branch.children))
        };
        branches.iter().map(one).collect()
    }
    let mut check = async |viewer, depth, max, expected: &str, truncated| {
        let (tree, cut) = tree::get_tree(&mut drive.tx, viewer, depth, max).await.unwrap();
        assert_eq!((outline(&tree).as_str(), cut), (expected, truncated));
    };
    check(ada, 1, 100, "/a(…)/z()", true).await;
    check(ada, 2, 100, "/a(/a/b(…))/z()", true).await;
    check(ada, 3, 100, "/a(/a/b(/a/b/c()))/z()", false).await;
    check(ada, 10, 3, "/a(/a/b(…))/z()", true).await;
    check(ada, 10, 1, "/a(…)", true).await;
    check(ben, 3, 100, "/a(/a/b(/a/b/c())/a/hidden())/z()", false).await;
}

#[derive(Debug, Clone)]
enum Step {
    Folder(usize, u8),
    File(usize, u8),
    Move(usize, usize, bool),
    Show(usize, bool),
    Delete(usize, bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (any::<usize>(), 0..4_u8).prop_map(|(place, name)| Step::Folder(place, name)),
        3 => (any::<usize>(), 0..4_u8).prop_map(|(place, name)| Step::File(place, name)),
        3 => (any::<usize>(), any::<usize>(), any::<bool>()).prop_map(|(item, to, top)| Step::Move(item, to, top)),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(item, private)| Step::Show(item, private)),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(item, recursive)| Step::Delete(item, recursive)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_two_members_do_the_drive_stays_whole(steps in prop::collection::vec((any::<bool>(), step()), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut drive = Drive::new().await;
            let mut items: Vec<ItemRef> = Vec::new();
            for (bens, step) in steps {
                let viewer = if bens { drive.ben } else { drive.ada };
                let folders: Vec<FolderId> = items
                    .iter()
                    .filter_map(|item| if let ItemRef::Folder(id) = item { Some(*id) } else { None })
                    .collect();
                let pick = |n: usize| (!folders.is_empty()).then(|| folders[n % folders.len()]);
                let item = |n: usize| (!items.is_empty()).then(|| items[n % items.len()]);
                let theirs = private_of(&mut drive.tx, if bens { drive.ada } else { drive.ben }).await;
                match step {
                    Step::Folder(place, name) => {
                        if let Ok(folder) = drive.try_folder(viewer, &format!("n{name}"), pick(place)).await {
                            items.push(ItemRef::Folder(folder.id));
                        }
                    }
                    Step::File(place, name) => {
                        let (now, file) = (drive.tick(), new_file(&format!("n{name}"), pick(place), name));
                        if let Ok(file) = insert_file(&mut drive.tx, viewer, file, now).await {
                            items.push(ItemRef::File(file.id));
                        }
                    }
                    Step::Move(n, to, top) => {
                        if let Some(item) = item(n) {
                            let _ = drive.go(viewer, item, if top { None } else { pick(to) }).await;
                        }
                    }
                    Step::Show(n, private) => {
                        let visibility = if private { Visibility::Private } else { Visibility::Team };
                        if let Some(item) = item(n) {
                            let _ = drive.set_visibility(viewer, item, visibility).await;
                        }
                    }
                    Step::Delete(n, recursive) => {
                        if let Some(item) = item(n) {
                            let _ = drive.delete(viewer, item, recursive).await;
                        }
                    }
                }
                drive.check_counts().await;
                check_visibility(&mut drive.tx).await;
                let still = private_of(&mut drive.tx, if bens { drive.ada } else { drive.ben }).await;
                assert!(theirs.is_subset(&still), "another member's private things were touched");
            }
        });
    }
}

/// What this member alone sees.
async fn private_of(conn: &mut SqliteConnection, viewer: Viewer) -> HashSet<Uuid> {
    let rows: Vec<(Uuid,)> = sqlx::query_as(
        "SELECT id FROM folders WHERE private_to = $1 UNION ALL SELECT id FROM files WHERE private_to = $1",
    )
    .bind(viewer.user.uuid())
    .fetch_all(conn)
    .await
    .unwrap();
    rows.into_iter().map(|(id,)| id).collect()
}

/// That every `private_to` is what the item's own visibility and its folder's `private_to` come to.
async fn check_visibility(conn: &mut SqliteConnection) {
    let wrong: (i64,) = sqlx::query_as(
        "SELECT COUNT(*) FROM (
           SELECT parent_id AS above, visibility, private_to, created_by FROM folders
           UNION ALL SELECT folder_id, visibility, private_to, created_by FROM files) AS item
         LEFT JOIN folders ON folders.id = item.above
         WHERE item.private_to <>
           CASE item.visibility WHEN 'private' THEN item.created_by ELSE COALESCE(folders.private_to, x'') END",
    )
    .fetch_one(conn)
    .await
    .unwrap();
    assert_eq!(wrong.0, 0);
}
