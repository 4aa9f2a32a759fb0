//! The store of an engine, in a journal on a real disk.

use std::path::Path;
use std::sync::Mutex;

use proptest::prelude::*;
use tempfile::TempDir;

use std::num::NonZeroI64;

use easel_wire::Id;

use super::*;
use crate::shared::journal::{Access, Gate};
use crate::sync::engine::ChangeKind;
use crate::sync::folders::{Choices, Note, Why};
use crate::sync::journal::Sums;
use crate::sync::ports::Store;

fn folder_id(number: u128) -> FolderId {
    Id::imagined(number)
}

fn file_id(number: u128) -> FileId {
    Id::imagined(number)
}

/// A new journal in a folder of its own.
async fn fresh() -> (TempDir, Journal) {
    let at = TempDir::new().unwrap();
    let journal = Journal::open(&at.path().join("journal.db")).await.unwrap();
    (at, journal)
}

async fn open_watch(journal: &Journal) -> WatchId {
    let path = Path::new("/watched/Brand");
    journal.create_watch("here", path, folder_id(1), "/Brand", &Choices::default(), 1).await.unwrap()
}

fn state_store(journal: &Journal, watch: WatchId, tasks: &TaskTracker) -> SyncStateStore {
    let line_of = |applied: &AppliedChange| Line {
        path: applied.path.clone(),
        what: crate::sync::folders::HistoryEvent::Sent,
        bytes: None,
    };
    SyncStateStore::open(journal.clone(), watch, Clock::new(|| 7), tasks, line_of)
}

fn folder(name: &str) -> Record {
    let agreement = Agreement::Folder { folder: folder_id(2), identity: u64::MAX };
    Record { agreement, place: Place { folder: folder_id(1), name: name.to_owned() }, sides: Sides::Both }
}

fn file(number: u128, role: Role, sides: Sides, name: &str) -> Record {
    let hash = [u8::try_from(number % 251).unwrap(); 32];
    let old = Replaced {
        file: file_id(900),
        place: Place { folder: folder_id(1), name: "old".to_owned() },
        hash,
        is_pointer: false,
    };
    let agreement = Agreement::File(FileRecord {
        file: file_id(number),
        role,
        stamp: Stamp { size_bytes: 12, modified_us: -3, identity: 1 << 63 },
        changed_us: NonZeroI64::new(i64::try_from(number % 3).unwrap()),
        hash,
        replaces: if number.is_multiple_of(2) { vec![old] } else { Vec::new() },
        is_pointer: role == Role::Home && number.is_multiple_of(5),
    });
    Record { agreement, place: Place { folder: folder_id(2), name: name.to_owned() }, sides }
}

fn settled(changes: Vec<Change>) -> Settlement {
    Settlement { changes, ..Settlement::default() }
}

#[tokio::test]
async fn what_was_agreed_is_there_after_a_restart() {
    let at = TempDir::new().unwrap();
    let path = at.path().join("journal.db");
    let changes = vec![
        Change::Put("a".to_owned(), folder("a")),
        Change::Put("a/one".to_owned(), file(1, Role::Home, Sides::Both, "one")),
        Change::Put("a/two".to_owned(), file(2, Role::Link, Sides::OnlyHere, "two (2)")),
        Change::Put("b".to_owned(), file(3, Role::Home, Sides::OnlyInDrive, "b")),
    ];
    let intent = Intent::Delete { path: "b".to_owned(), file: file_id(3), heir: None };
    let watch = {
        let journal = Journal::open(&path).await.unwrap();
        let (watch, tasks) = (open_watch(&journal).await, TaskTracker::new());
        let state_store = state_store(&journal, watch, &tasks);
        state_store.settle(&settled(changes.clone())).await.unwrap();
        state_store.intend(std::slice::from_ref(&intent)).await.unwrap();
        drop(state_store);
        tasks.close();
        tasks.wait().await;
        journal.close().await;
        watch
    };
    let journal = Journal::open(&path).await.unwrap();
    let state_store = state_store(&journal, watch, &TaskTracker::new());
    let (agreed, intents) = state_store.load_all().await.unwrap();
    let mut expected = Agreed::default();
    changes.iter().for_each(|change| expected.apply(change));
    assert_eq!((&agreed, &intents), (&expected, &vec![intent]));
    // Another folder has none of these records.
    let other =
        journal.create_watch("here", Path::new("/o"), folder_id(5), "/o", &Choices::default(), 1).await.unwrap();
    let (agreed, intents) = self::state_store(&journal, other, &TaskTracker::new()).load_all().await.unwrap();
    assert!(agreed.records.is_empty() && intents.is_empty());
    journal.forget_watch(watch).await.unwrap();
    let (agreed, intents) = state_store.load_all().await.unwrap();
    assert!(agreed.records.is_empty() && intents.is_empty(), "forgotten");
}

#[tokio::test]
async fn the_files_of_a_folder_are_found_without_those_below_it() {
    let (_at, journal) = fresh().await;
    let watch = open_watch(&journal).await;
    let state_store = state_store(&journal, watch, &TaskTracker::new());
    let files = [
        "a",
        "a b",
        "a!",
        "a.txt",
        "a/x",
        "a/x.y",
        "a/x/1",
        "a/x/2/3",
        "a/y/1",
        "a0",
        "a\u{1}",
        "b/c/d/e",
        "b/c/d/f",
        "z/ü/ß",
        "z/ü/ß/ö",
        "z/ü0",
        "\u{10ffff}",
        "\u{10ffff}/1",
        "lost/1/2",
    ];
    let folders = ["a", "a/x", "b", "b/c", "b/c/d", "z", "z/ü"];
    let changes = files.iter().map(|path| Change::Put((*path).to_owned(), file(1, Role::Home, Sides::Both, "n")));
    let folder = |path: &str| Change::Put(path.to_owned(), folder("n"));
    let changes = folders.iter().filter(|path| !files.contains(path)).map(|path| folder(path)).chain(changes);
    state_store.settle(&settled(changes.collect())).await.unwrap();
    for folder in folders.into_iter().chain(["", "lost/1", "nowhere", "\u{10ffff}"]) {
        let lookup = Lookup { folders: [folder.to_owned()].into(), ..Lookup::default() };
        let found = state_store.find_records(&lookup).await.unwrap();
        let mut expected: Vec<&str> =
            files.into_iter().filter(|path| crate::sync::tree::parent(path) == folder).collect();
        expected.sort_unstable();
        assert_eq!(found.keys().collect::<Vec<_>>(), expected, "in {folder:?}");
    }
}

#[tokio::test]
async fn a_drive_file_is_found_by_those_who_have_it_and_by_those_who_have_replaced_it() {
    let (_at, journal) = fresh().await;
    let watch = open_watch(&journal).await;
    let state_store = state_store(&journal, watch, &TaskTracker::new());
    let files = [("own", 1), ("has replaced", 2), ("is it", 900), ("other", 3)];
    let changes = files.map(|(path, id)| Change::Put(path.to_owned(), file(id, Role::Home, Sides::Both, "n")));
    state_store.settle(&settled(changes.into())).await.unwrap();
    let check = async |ids: &[u128], expected: &[&str]| {
        let lookup = Lookup { files: ids.iter().map(|id| file_id(*id)).collect(), ..Lookup::default() };
        let found = state_store.find_records(&lookup).await.unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), expected, "by {ids:?}");
    };
    check(&[1], &["own"]).await;
    // `file(900, …)` has replaced itself, as an even number.
    check(&[900], &["has replaced", "is it"]).await;
    check(&[3, 4], &["other"]).await;
}

#[tokio::test]
async fn an_intent_lasts_until_its_path_is_done() {
    let (_at, journal) = fresh().await;
    let state_store = state_store(&journal, open_watch(&journal).await, &TaskTracker::new());
    let intent = |path: &str, number| Intent::Delete { path: path.to_owned(), file: file_id(number), heir: None };
    state_store.intend(&[intent("a", 1), intent("b", 2)]).await.unwrap();
    state_store.intend(&[intent("a", 3)]).await.unwrap();
    assert_eq!(state_store.load_all().await.unwrap().1, [intent("a", 3), intent("b", 2)]);
    let applied = AppliedChange { path: "a".to_owned(), what: ChangeKind::DeletedInDrive };
    state_store
        .settle(&Settlement { done: vec!["a".to_owned()], applied: vec![applied], ..Settlement::default() })
        .await
        .unwrap();
    assert_eq!(state_store.load_all().await.unwrap().1, [intent("b", 2)]);
    let history = journal.list_folder_history("here", None, "", 0, 10).await.unwrap();
    assert_eq!((history.len(), history[0].path.as_str()), (1, "a"));
    assert!(journal.list_folder_history("there", None, "", 0, 10).await.unwrap().is_empty());
    assert!(journal.list_folder_history("here", None, "%", 0, 10).await.unwrap().is_empty());
}

/// Fails one commit, when it is told to.
struct FullDisk(Mutex<bool>);

impl Gate for FullDisk {
    fn pass(&self, access: Access) -> std::io::Result<()> {
        let is_full = *self.0.lock().unwrap() && access == Access::Commit;
        if is_full { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

#[tokio::test]
async fn a_settlement_is_there_whole_or_not_at_all() {
    let at = TempDir::new().unwrap();
    let gate = Arc::new(FullDisk(Mutex::new(false)));
    let journal = Journal::open_gated(&at.path().join("journal.db"), Some(gate.clone())).await.unwrap();
    let state_store = state_store(&journal, open_watch(&journal).await, &TaskTracker::new());
    state_store.settle(&settled(vec![Change::Put("a".to_owned(), folder("a"))])).await.unwrap();
    let before = state_store.load_all().await.unwrap();
    *gate.0.lock().unwrap() = true;
    let change = vec![Change::Forget("a".to_owned()), Change::Put("b".to_owned(), folder("b"))];
    assert_eq!(state_store.settle(&settled(change.clone())).await, Err(StoreError::DiskFull));
    assert_eq!(state_store.load_all().await.unwrap(), before);
    *gate.0.lock().unwrap() = false;
    state_store.settle(&settled(change)).await.unwrap();
    assert_eq!(state_store.load_all().await.unwrap().0.records.into_keys().collect::<Vec<_>>(), ["b"]);
}

#[tokio::test]
async fn a_hundred_thousand_records_are_loaded_at_once() {
    let (_at, journal) = fresh().await;
    let state_store = state_store(&journal, open_watch(&journal).await, &TaskTracker::new());
    let put = |number: u128| {
        Change::Put(format!("folder {}/file {number}", number / 100), file(number, Role::Home, Sides::Both, "f"))
    };
    state_store.settle(&settled((0..100_000).map(put).collect())).await.unwrap();
    let began = std::time::Instant::now();
    let (agreed, _) = state_store.load_all().await.unwrap();
    assert_eq!(agreed.records.len(), 100_000);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[tokio::test]
async fn what_a_look_came_to_is_kept_with_its_notes() {
    let (_at, journal) = fresh().await;
    let watch = open_watch(&journal).await;
    let note = |number: u32| Note { path: format!("n{number:04}"), why: Why::Clash { with: "x".to_owned() } };
    let notes: Vec<Note> = (0..700).map(note).collect();
    let sums =
        Sums { files: 3, bytes: 30, skipped: 700, links: 2, looked_at: Some(easel_wire::Timestamp::from_micros(5)) };
    journal.record_look(watch, sums, Some(&notes)).await.unwrap();
    assert_eq!(journal.list_notes(watch, 300, 2).await.unwrap(), [note(300), note(301)]);
    journal.record_look(watch, Sums { files: 4, ..sums }, None).await.unwrap();
    assert_eq!(journal.list_notes(watch, 0, 1_000).await.unwrap().len(), 700);
    journal.record_look(watch, sums, Some(&notes[..1])).await.unwrap();
    assert_eq!(journal.list_notes(watch, 0, 1_000).await.unwrap(), [note(0)]);
    let watches = journal.list_watches("here").await.unwrap();
    assert_eq!((watches.len(), watches[0].sums), (1, sums));
    assert!(journal.list_watches("there").await.unwrap().is_empty());
}

#[tokio::test]
async fn the_history_keeps_its_newest_lines() {
    let (_at, journal) = fresh().await;
    let watch = open_watch(&journal).await;
    let state_store = state_store(&journal, watch, &TaskTracker::new());
    let applied = |number: u32| AppliedChange { path: format!("file_{number}"), what: ChangeKind::FolderMade };
    state_store.settle(&Settlement { applied: (0..10).map(applied).collect(), ..Settlement::default() }).await.unwrap();
    journal.trim_folder_history(watch, 4, 0).await.unwrap();
    let paths =
        |lines: Vec<crate::sync::folders::HistoryEntry>| lines.into_iter().map(|line| line.path).collect::<Vec<_>>();
    let kept = journal.list_folder_history("here", Some(watch), "", 0, 100).await.unwrap();
    assert_eq!(paths(kept), ["file_9", "file_8", "file_7", "file_6"]);
    let found = journal.list_folder_history("here", Some(watch), "_7", 0, 100).await.unwrap();
    assert_eq!(paths(found), ["file_7"]);
    journal.trim_folder_history(watch, 4, 8).await.unwrap();
    assert!(journal.list_folder_history("here", None, "", 0, 100).await.unwrap().is_empty(), "too old");
}

/// A few paths that lie in each other, so that renames meet.
fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof!["a", "b", "a0", "a-"], 1..4).prop_map(|parts| parts.join("/"))
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (path(), 0_u128..50).prop_map(|(path, number)| {
            Change::Put(path, file(number, Role::Home, Sides::Both, "x"))
        }),
        1 => path().prop_map(Change::Forget),
        2 => (path(), path()).prop_map(|(from, to)| Change::Rename { from, to }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_rows_are_what_the_engine_has_in_memory(steps in proptest::collection::vec(proptest::collection::vec(change(), 0..6), 0..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (_at, journal) = fresh().await;
            let state_store = state_store(&journal, open_watch(&journal).await, &TaskTracker::new());
            let mut expected = Agreed::default();
            for changes in steps {
                changes.iter().for_each(|change| expected.apply(change));
                state_store.settle(&settled(changes)).await.unwrap();
            }
            assert_eq!(state_store.load_all().await.unwrap().0, expected);
        });
    }
}
