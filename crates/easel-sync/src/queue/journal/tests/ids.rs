//! A journal from when ids were 16 bytes: it has a synced folder with a link and two uploads that were cut off, a drop
//! that was cut off, and rows of the drive; beside it the ids that the service wrote for all of these.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use easel_wire::{FileId, FolderId};
use serde::Deserialize;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::sqlite::SqliteConnection;
use sqlx::{ConnectOptions as _, Connection as _, Row as _};
use tokio_util::task::TaskTracker;

use super::*;
use crate::shared::clock::Clock;
use crate::shared::journal::Journal;
use crate::sync::journal::SyncStateStore;
use crate::sync::tree::{Agreement, Role};

const JOURNAL: &str = include_str!("../fixtures/ids_as_bytes.sql");
const WIRE: &str = include_str!("../fixtures/ids_on_the_wire.json");
const CONNECTION: &str = "http://127.0.0.1:18471/";

/// What the service's lists showed.
#[derive(Deserialize)]
struct Wire {
    folders: Vec<WireFolder>,
    files: Vec<WireFile>,
}

#[derive(Deserialize)]
struct WireFolder {
    id: String,
    name: String,
    parent_folder_id: Option<String>,
}

#[derive(Deserialize)]
struct WireFile {
    id: String,
    name: String,
    folder_id: Option<String>,
}

impl Wire {
    fn folder(&self, id: FolderId) -> &WireFolder {
        self.folders
            .iter()
            .find(|folder| id.text() == folder.id.as_str())
            .unwrap_or_else(|| panic!("{id} is no folder's id"))
    }

    fn file(&self, id: FileId) -> &WireFile {
        self.files.iter().find(|file| id.text() == file.id.as_str()).unwrap_or_else(|| panic!("{id} is no file's id"))
    }
}

async fn connect(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.unwrap()
}

/// How many rows each table has.
async fn count(path: &Path) -> BTreeMap<String, i64> {
    let mut rows = connect(path).await;
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_master WHERE type = 'table'").fetch_all(&mut rows).await.unwrap();
    let mut counts = BTreeMap::new();
    for table in tables.into_iter().filter(|table| !table.starts_with('_')) {
        let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{table}\""));
        counts.insert(table, sqlx::query_scalar(sql).fetch_one(&mut rows).await.unwrap());
    }
    rows.close().await.unwrap();
    counts
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one look at all that an old journal has")]
async fn a_journal_with_ids_as_bytes_opens_with_the_ids_that_the_service_wrote_and_nothing_is_lost() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal.db");
    let mut rows = connect(&path).await;
    sqlx::raw_sql(JOURNAL).execute(&mut rows).await.unwrap();
    rows.close().await.unwrap();
    let mut before = count(&path).await;
    let wire: Wire = serde_json::from_str(WIRE).unwrap();

    let journal = Journal::open(&path).await.unwrap();
    let watches = journal.list_watches(CONNECTION).await.unwrap();
    let [watch] = watches.as_slice() else { panic!("one folder is kept in step") };
    assert_eq!(wire.folder(watch.drive_folder).name, "Brand");
    // A moment that this journal did not have yet is not known.
    let seen = journal.get_drive_seen(CONNECTION).await.unwrap();
    assert_eq!((watch.sums.links, seen.moment.is_some(), seen.ahead_ms), (0, true, None));

    let tasks = TaskTracker::new();
    let state_store =
        SyncStateStore::open(journal.clone(), watch.id, Clock::default(), &tasks, |_| panic!("nothing was done"));
    let (agreed, intents) = state_store.load_all().await.unwrap();
    let mut links = BTreeSet::new();
    for (path, record) in &agreed.records {
        assert_eq!(wire.folder(record.place.folder).id, *record.place.folder.text());
        match &record.agreement {
            Agreement::Folder { folder, .. } => {
                assert_eq!(wire.folder(*folder).name, crate::sync::tree::name(path));
                assert_eq!(wire.folder(*folder).parent_folder_id.as_deref(), Some(&*record.place.folder.text()));
            }
            Agreement::File(file) => {
                assert_eq!(wire.file(file.file).name, record.place.name);
                assert_eq!(wire.file(file.file).folder_id.as_deref(), Some(&*record.place.folder.text()));
                links.extend((file.role == Role::Link).then_some(path.as_str()));
            }
        }
    }
    assert_eq!((agreed.records.len(), links), (10, BTreeSet::from(["notes/deep/copy of b.txt"])));
    assert_eq!(intents.iter().map(|intent| intent.path()).collect::<Vec<_>>(), ["a2.txt", "large.bin"]);

    for (id, seen) in journal.load_drive_folders(CONNECTION).await.unwrap() {
        assert_eq!(wire.folder(id).name, seen.folder.name);
        assert_eq!(
            wire.folder(id).parent_folder_id.as_deref(),
            seen.folder.parent.map(|parent| parent.text()).as_deref()
        );
    }
    for (id, seen) in journal.load_drive_files(CONNECTION).await.unwrap() {
        assert_eq!(wire.file(id).name, seen.name);
        assert_eq!(wire.file(id).folder_id.as_deref(), seen.folder.map(|folder| folder.text()).as_deref());
    }

    let mut transfers = journal.list_rows("probe", Filter::All, 0, 100).await.unwrap();
    transfers.sort_by(|one, other| one.name.cmp(&other.name));
    let names: Vec<_> = transfers.iter().map(|row| (row.name.as_str(), row.state)).collect();
    let sent = [("d1.txt", State::Sent), ("d2.txt", State::Sent), ("d3.txt", State::AlreadyThere)];
    assert_eq!(names, [sent.as_slice(), &[("large.bin", State::Queued)]].concat());
    for row in &transfers {
        let Some(result) = &row.result else { continue };
        let file = wire.file(result.file_id.unwrap());
        assert_eq!(file.folder_id.as_deref(), result.folder_id.map(|folder| folder.text()).as_deref());
    }
    let chain = journal.list_folder_chain(transfers[1].folder_row.unwrap()).await.unwrap();
    for made in &chain {
        assert_eq!(wire.folder(made.folder_id.unwrap()).name, made.name);
    }
    assert_eq!(chain.len(), 2);

    drop(state_store);
    tasks.close();
    tasks.wait().await;
    journal.close().await;
    let mut after = count(&path).await;
    // The old journal had no tables of conflicts, of undoing and of moves, so the new one has nothing in them.
    for table in ["conflicts", "revert_acts", "moves", "forgotten"] {
        assert_eq!(after.remove(table), Some(0), "{table}");
    }
    for counts in [&mut before, &mut after] {
        counts.remove("sqlite_sequence");
    }
    assert_eq!(after, before);
    // The journal opens again and again, and has no more ids as bytes.
    open(&folder).await.close().await;
    let mut rows = connect(&path).await;
    for (table, column) in
        [("drive_files", "id"), ("drive_files", "folder"), ("drive_folders", "id"), ("agreed", "drive_id")]
    {
        let sql =
            sqlx::AssertSqlSafe(format!("SELECT DISTINCT typeof({column}) FROM {table} WHERE {column} IS NOT NULL"));
        let types: Vec<String> =
            sqlx::query(sql).fetch_all(&mut rows).await.unwrap().iter().map(|row| row.get(0)).collect();
        assert_eq!(types, ["text"], "{table}.{column}");
    }
}
