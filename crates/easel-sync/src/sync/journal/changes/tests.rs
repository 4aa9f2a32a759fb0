//! What the history keeps of changes, in a journal on a real disk.

use std::path::Path;

use easel_wire::{FileId, FolderId, Id};
use tempfile::TempDir;
use tokio_util::task::TaskTracker;

use super::*;
use crate::shared::clock::Clock;
use crate::sync::engine::{self, AppliedChange};
use crate::sync::folders::Choices;
use crate::sync::journal::{Line, Sums, SyncStateStore};
use crate::sync::plan::agreeing;
use crate::sync::ports::Store as _;
use crate::sync::tree::{Agreement, Change, FileRecord, Place, Record, Role, Sides, Stamp};

fn file_id(number: u8) -> FileId {
    Id::imagined(number.into())
}

fn place(name: &str) -> Place {
    Place { folder: Id::imagined(1), name: name.to_owned() }
}

/// A file that holds the content of this number.
fn file(number: u8, name: &str) -> Record {
    let stamp = Stamp { size_bytes: number.into(), modified_us: 1, identity: number.into() };
    agreeing::home(file_id(number), place(name), stamp, [number; 32])
}

fn folder(name: &str) -> Record {
    let agreement = Agreement::Folder { folder: Id::imagined(9), identity: 9 };
    Record { agreement, place: place(name), sides: Sides::Both }
}

fn held(number: u8) -> Option<Held> {
    Some(Held::File(Content { file: file_id(number), hash: [number; 32], bytes: number.into() }))
}

fn line_of(applied: &AppliedChange) -> Line {
    let what = match &applied.what {
        engine::ChangeKind::MovedInDrive { .. } => HistoryEvent::MovedThere { from: "somewhere".to_owned() },
        engine::ChangeKind::MovedHere { from } => HistoryEvent::MovedHere { from: from.clone() },
        engine::ChangeKind::DeletedInDrive => HistoryEvent::DeletedThere,
        _ => HistoryEvent::Sent,
    };
    Line { path: applied.path.clone(), what, bytes: None }
}

fn settled(changes: Vec<Change>, path: &str, what: engine::ChangeKind) -> Settlement {
    let applied = vec![AppliedChange { path: path.to_owned(), what }];
    Settlement { changes, applied, ..Settlement::default() }
}

fn put(path: &str, record: Record) -> Change {
    Change::Put(path.to_owned(), record)
}

const SENT: engine::ChangeKind = engine::ChangeKind::Sent { bytes: 1, was_edit: false };

/// A watched folder whose first run is over, or not.
async fn open(at: &TempDir, is_first_run: bool) -> (Journal, WatchId, SyncStateStore) {
    let journal = Journal::open(&at.path().join("journal.db")).await.unwrap();
    let root: FolderId = Id::imagined(1);
    let watch =
        journal.create_watch("here", Path::new("/watched"), root, "/Brand", &Choices::default(), 1).await.unwrap();
    if !is_first_run {
        let sums = Sums { looked_at: Some(Timestamp::from_micros(5)), ..Sums::default() };
        journal.record_look(watch, sums, None).await.unwrap();
    }
    let store = SyncStateStore::open(journal.clone(), watch, Clock::new(|| 7), &TaskTracker::new(), line_of);
    (journal, watch, store)
}

/// Changes of what is agreed on that the history does not tell of.
fn quiet(changes: Vec<Change>) -> Settlement {
    Settlement { changes, ..Settlement::default() }
}

/// A file of this number that holds what all of these hold.
fn same(number: u8, name: &str) -> Record {
    let stamp = Stamp { size_bytes: 3, modified_us: 1, identity: number.into() };
    agreeing::home(file_id(number), place(name), stamp, [3; 32])
}

async fn kinds(journal: &Journal, watch: WatchId) -> Vec<(Option<i64>, String, Kind)> {
    let changes = journal.list_changes(watch, Scope::Since(Timestamp::from_micros(0))).await.unwrap();
    changes.into_iter().rev().map(|change| (change.run, change.path, without_item(change.kind))).collect()
}

/// What was done, whatever a moved item held.
fn without_item(kind: Kind) -> Kind {
    match kind {
        Kind::Moved { from, is_together, .. } => Kind::Moved { item: None, from, is_together, over: None },
        kind => kind,
    }
}

#[tokio::test]
async fn a_change_is_kept_with_what_it_found_and_left_and_with_its_run() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&settled(vec![put("a", file(1, "a"))], "a", SENT)).await.unwrap();
    store.settle(&settled(vec![put("a", file(2, "a"))], "a", SENT)).await.unwrap();
    store.end_run();
    let deleted = settled(vec![Change::Forget("a".to_owned())], "a", engine::ChangeKind::DeletedInDrive);
    store.settle(&deleted).await.unwrap();
    let content = |run, before, after| (Some(run), "a".to_owned(), Kind::Content { before, after });
    let expected = [
        content(1, Some(Held::Nothing), held(1)),
        content(1, held(1), held(2)),
        content(2, held(2), Some(Held::Nothing)),
    ];
    assert_eq!(kinds(&journal, watch).await, expected);
    assert_eq!(journal.list_changes(watch, Scope::Run(1)).await.unwrap().len(), 2);
    let last = journal.list_changes(watch, Scope::Since(Timestamp::from_micros(6))).await.unwrap().remove(0);
    assert_eq!(journal.list_changes(watch, Scope::One(last.id)).await.unwrap(), [last]);
    let listed = journal.list_folder_history("here", Some(watch), "", 0, 9).await.unwrap();
    let told: Vec<_> = listed.iter().map(|entry| (entry.can_be_undone, entry.is_new, entry.file)).collect();
    let expected = [(true, false, Some(file_id(2))), (true, false, Some(file_id(2))), (true, true, Some(file_id(1)))];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn of_the_first_run_nothing_is_kept_and_no_moment_lies_before_its_end() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, true).await;
    assert_eq!(journal.find_reach(watch).await.unwrap(), None);
    store.settle(&settled(vec![put("a", file(1, "a"))], "a", SENT)).await.unwrap();
    let expected = [(Some(1), "a".to_owned(), Kind::Content { before: None, after: None })];
    assert_eq!(kinds(&journal, watch).await, expected);
    assert!(!journal.list_folder_history("here", None, "", 0, 9).await.unwrap()[0].can_be_undone);
    assert_eq!(journal.find_reach(watch).await.unwrap(), Some(Timestamp::from_micros(7)));
}

#[tokio::test]
async fn a_move_in_the_drive_is_kept_with_the_path_that_the_item_had_here() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    let moved = || engine::ChangeKind::MovedInDrive { from: place("x"), to: place("y") };
    let records = vec![put("f", folder("f")), put("f/a", file(1, "a")), put("b", file(2, "b"))];
    store.settle(&quiet(records)).await.unwrap();
    // A folder, then a file in it, then one that goes back and forth; the drive follows afterwards.
    let rename = |from: &str, to: &str| Change::Rename { from: from.to_owned(), to: to.to_owned() };
    store.settle(&quiet(vec![rename("f", "g")])).await.unwrap();
    store.settle(&quiet(vec![Change::Forget("g/a".to_owned()), put("g/z", file(1, "z"))])).await.unwrap();
    store.settle(&quiet(vec![rename("b", "c")])).await.unwrap();
    store.settle(&quiet(vec![rename("c", "d")])).await.unwrap();
    for path in ["g", "g/z", "d", "g"] {
        store.settle(&settled(Vec::new(), path, moved())).await.unwrap();
    }
    let here = settled(vec![rename("d", "e")], "e", engine::ChangeKind::MovedHere { from: "d".to_owned() });
    store.settle(&here).await.unwrap();
    let found = kinds(&journal, watch).await;
    let from: Vec<_> = found
        .iter()
        .map(|(_, path, kind)| match kind {
            Kind::Moved { from, is_together, .. } => (path.as_str(), from.as_deref(), *is_together),
            Kind::Nothing => (path.as_str(), None, true),
            kind => panic!("{kind:?} is no move"),
        })
        .collect();
    let expected = [
        ("g", Some("f"), true),
        ("g/z", Some("g/a"), true),
        ("d", Some("b"), true),
        // The drive's own name of it was put right: nothing moved here.
        ("g", None, true),
        ("e", Some("d"), false),
    ];
    assert_eq!(from, expected);
}

#[tokio::test]
async fn of_files_that_changed_places_at_once_each_is_kept_with_the_path_that_it_had() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&quiet(vec![put("a", file(1, "a")), put("b", file(2, "b"))])).await.unwrap();
    let forget = |path: &str| Change::Forget(path.to_owned());
    let swapped = vec![forget("a"), forget("b"), put("b", file(1, "a")), put("a", file(2, "b"))];
    store.settle(&quiet(swapped)).await.unwrap();
    // In the drive one of the two goes out of the way first.
    for path in ["a", "b", "a"] {
        let moved = engine::ChangeKind::MovedInDrive { from: place("x"), to: place("y") };
        store.settle(&settled(Vec::new(), path, moved)).await.unwrap();
    }
    let moved = |path: &str, from: &str| {
        (
            Some(1),
            path.to_owned(),
            Kind::Moved { item: None, from: Some(from.to_owned()), is_together: true, over: None },
        )
    };
    let expected = [moved("a", "b"), moved("b", "a"), (Some(1), "a".to_owned(), Kind::Nothing)];
    assert_eq!(kinds(&journal, watch).await, expected);
}

#[tokio::test]
async fn lines_of_an_older_easel_are_listed_and_cannot_be_undone() {
    let at = TempDir::new().unwrap();
    let (journal, watch, _store) = open(&at, false).await;
    let mut writing = journal.write().await.unwrap();
    for (at, what) in
        [(3, r#"{"code":"sent"}"#), (4, r#"{"code":"moved_there","from":"x"}"#), (5, r#"{"code":"later"}"#)]
    {
        let line = "INSERT INTO history (watch_id, at, path, what) VALUES ($1, $2, 'a', $3)";
        sqlx::query(line).bind(watch.0).bind(at).bind(what).execute(writing.on()).await.unwrap();
    }
    writing.commit().await.unwrap();
    let listed = journal.list_folder_history("here", None, "", 0, 9).await.unwrap();
    assert_eq!(listed.len(), 3);
    assert!(listed.iter().all(|entry| !entry.can_be_undone && entry.run.is_none() && entry.author.is_none()));
    let unknown = Kind::Content { before: None, after: None };
    let expected = [unknown.clone(), Kind::Moved { item: None, from: None, is_together: true, over: None }, unknown];
    let found: Vec<Kind> = kinds(&journal, watch).await.into_iter().map(|(_, _, kind)| kind).collect();
    assert_eq!(found, expected);
    assert_eq!(journal.find_reach(watch).await.unwrap(), Some(Timestamp::from_micros(5)));
    let author = Author { name: "Ada Rye".to_owned(), is_you: false };
    journal.record_authors(watch, &[(listed[0].id, author.clone())]).await.unwrap();
    assert_eq!(journal.list_folder_history("here", None, "", 0, 1).await.unwrap()[0].author, Some(author));
}

#[tokio::test]
async fn a_move_that_the_drive_follows_after_a_restart_is_told_with_where_the_item_was() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&settled(vec![put("a", file(1, "a"))], "a", SENT)).await.unwrap();
    let moved = Change::Rename { from: "a".to_owned(), to: "b".to_owned() };
    store.settle(&Settlement { changes: vec![moved], ..Settlement::default() }).await.unwrap();
    drop(store);

    let store = SyncStateStore::open(journal.clone(), watch, Clock::new(|| 7), &TaskTracker::new(), line_of);
    let followed = engine::ChangeKind::MovedInDrive { from: place("a"), to: place("b") };
    store.settle(&settled(vec![put("b", file(1, "b"))], "b", followed.clone())).await.unwrap();
    let last = kinds(&journal, watch).await.pop().unwrap();
    assert_eq!(
        (last.1.as_str(), last.2),
        ("b", Kind::Moved { item: None, from: Some("a".to_owned()), is_together: true, over: None })
    );
    // It is told once.
    store.settle(&settled(vec![put("b", file(1, "b"))], "b", followed)).await.unwrap();
    assert_eq!(kinds(&journal, watch).await.pop().unwrap().2, Kind::Nothing);
}

#[tokio::test]
async fn what_was_moved_and_edited_or_deleted_before_the_drive_followed_goes_back_to_where_it_was() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    for (number, from, to) in [(1, "a", "b"), (2, "c", "d")] {
        store.settle(&settled(vec![put(from, file(number, from))], from, SENT)).await.unwrap();
        let moved = vec![Change::Forget(from.to_owned()), put(to, file(number, from))];
        store.settle(&Settlement { changes: moved, ..Settlement::default() }).await.unwrap();
    }
    store.settle(&settled(vec![put("b", file(3, "b"))], "b", SENT)).await.unwrap();
    let deleted = settled(vec![Change::Forget("d".to_owned())], "d", engine::ChangeKind::DeletedInDrive);
    store.settle(&deleted).await.unwrap();
    let told: Vec<_> = kinds(&journal, watch).await.into_iter().skip(2).map(|(_, path, kind)| (path, kind)).collect();
    let expected = [
        ("b".to_owned(), Kind::Moved { item: None, from: Some("a".to_owned()), is_together: true, over: None }),
        ("b".to_owned(), Kind::Content { before: held(1), after: held(3) }),
        ("c".to_owned(), Kind::Content { before: held(2), after: Some(Held::Nothing) }),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn what_was_moved_and_deleted_goes_back_to_where_it_was_also_where_its_drive_file_goes_on() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&settled(vec![put("a", file(1, "a"))], "a", SENT)).await.unwrap();
    let moved = vec![Change::Forget("a".to_owned()), put("b", file(1, "a"))];
    store.settle(&Settlement { changes: moved, ..Settlement::default() }).await.unwrap();
    // A copy of it inherits the drive file.
    let inherited = vec![Change::Forget("b".to_owned()), put("c", file(1, "c"))];
    store.settle(&settled(inherited, "b", engine::ChangeKind::DeletedInDrive)).await.unwrap();
    let last = kinds(&journal, watch).await.pop().unwrap();
    let expected = Kind::Content { before: held(1), after: Some(Held::Nothing) };
    assert_eq!((last.1.as_str(), last.2), ("a", expected));
}

#[tokio::test]
async fn a_change_in_a_folder_whose_move_is_yet_to_be_told_is_kept_with_where_its_paths_lay() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    let rename = |from: &str, to: &str| Change::Rename { from: from.to_owned(), to: to.to_owned() };
    let records = vec![put("f", folder("f")), put("f/in", folder("in")), put("f/in/a", file(1, "a"))];
    store.settle(&quiet(records)).await.unwrap();
    store.settle(&quiet(vec![rename("f", "g")])).await.unwrap();
    store.settle(&quiet(vec![rename("g/in", "g/out")])).await.unwrap();
    store.settle(&settled(vec![put("g/out/b", file(2, "b"))], "g/out/b", SENT)).await.unwrap();
    store.settle(&quiet(vec![Change::Forget("g/out/a".to_owned()), put("a", file(1, "x"))])).await.unwrap();
    let moved = || engine::ChangeKind::MovedInDrive { from: place("x"), to: place("y") };
    store.settle(&settled(Vec::new(), "a", moved())).await.unwrap();
    store.settle(&settled(Vec::new(), "g", moved())).await.unwrap();
    let changes = journal.list_changes(watch, Scope::Since(Timestamp::from_micros(0))).await.unwrap();
    let lay: Vec<_> = changes.into_iter().rev().map(|change| (change.path, change.lay)).collect();
    let lay_at =
        |path: Option<&str>, from: Option<&str>| Lay { path: path.map(str::to_owned), from: from.map(str::to_owned) };
    let expected = [
        ("g/out/b".to_owned(), lay_at(Some("f/in/b"), None)),
        ("a".to_owned(), lay_at(None, Some("f/in/a"))),
        ("g".to_owned(), lay_at(None, None)),
    ];
    assert_eq!(lay, expected);
}

#[tokio::test]
async fn a_copy_whose_drive_file_goes_on_as_another_path_s_is_no_new_file() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&quiet(vec![put("b", same(1, "b")), put("c", same(2, "c"))])).await.unwrap();
    // "c" gets the drive file of "b", and "b" another one.
    store.settle(&quiet(vec![put("c", same(1, "c")), Change::Forget("b".to_owned())])).await.unwrap();
    store.settle(&settled(vec![put("b", same(4, "b"))], "b", SENT)).await.unwrap();
    let moved = engine::ChangeKind::MovedInDrive { from: place("b"), to: place("c") };
    store.settle(&settled(Vec::new(), "c", moved)).await.unwrap();
    let found: Vec<_> = kinds(&journal, watch).await.into_iter().map(|(_, path, kind)| (path, kind)).collect();
    let content = |number: u8| Content { file: file_id(number), hash: [3; 32], bytes: 3 };
    let expected = [
        ("b".to_owned(), Kind::Content { before: Some(Held::File(content(1))), after: Some(Held::File(content(4))) }),
        ("c".to_owned(), Kind::Nothing),
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_file_that_moves_over_another_of_its_content_has_moved() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&quiet(vec![put("b", same(1, "b")), put("c", same(2, "c"))])).await.unwrap();
    // "b" went to "a", and "c" to "b".
    let forget = |path: &str| Change::Forget(path.to_owned());
    store.settle(&quiet(vec![forget("b"), forget("c"), put("a", same(1, "b")), put("b", same(2, "c"))])).await.unwrap();
    let moved = || engine::ChangeKind::MovedInDrive { from: place("x"), to: place("y") };
    for path in ["a", "b"] {
        store.settle(&settled(Vec::new(), path, moved())).await.unwrap();
    }
    let kind = |from: &str| Kind::Moved { item: None, from: Some(from.to_owned()), is_together: true, over: None };
    let found: Vec<_> = kinds(&journal, watch).await.into_iter().map(|(_, path, kind)| (path, kind)).collect();
    assert_eq!(found, [("a".to_owned(), kind("b")), ("b".to_owned(), kind("c"))]);
}

/// A file that shares its drive file with the path that this one is of.
fn link(number: u8, name: &str) -> Record {
    let record = file(number, name);
    let Agreement::File(agreed) = record.agreement else { panic!("no file") };
    Record { agreement: Agreement::File(FileRecord { role: Role::Link, ..agreed }), ..record }
}

#[tokio::test]
async fn files_that_changed_places_are_told_with_their_moves_also_where_no_path_was_ever_without_one() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&settled(vec![put("a", file(1, "a"))], "a", SENT)).await.unwrap();
    store.settle(&settled(vec![put("b", file(2, "b"))], "b", SENT)).await.unwrap();
    store.settle(&quiet(vec![put("a", link(2, "b")), put("b", link(1, "a"))])).await.unwrap();
    store.settle(&quiet(vec![put("b", file(1, "a")), put("a", file(2, "b"))])).await.unwrap();
    let from_to = |from: &str, to: &str| engine::ChangeKind::MovedInDrive { from: place(from), to: place(to) };
    store.settle(&settled(vec![put("a", file(2, "aside"))], "a", from_to("b", "aside"))).await.unwrap();
    store.settle(&settled(vec![put("b", file(1, "b"))], "b", from_to("a", "b"))).await.unwrap();
    store.settle(&settled(vec![put("a", file(2, "a"))], "a", from_to("aside", "a"))).await.unwrap();
    let moved = |to: &str, from: Option<&str>| {
        (
            Some(1),
            to.to_owned(),
            from.map_or(Kind::Nothing, |from| Kind::Moved {
                item: None,
                from: Some(from.to_owned()),
                is_together: true,
                over: None,
            }),
        )
    };
    let told = kinds(&journal, watch).await.split_off(2);
    assert_eq!(told, [moved("a", Some("b")), moved("b", Some("a")), moved("a", None)]);
}

#[tokio::test]
async fn what_an_item_moved_over_is_told_with_its_move() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    store.settle(&settled(vec![put("a", file(1, "a"))], "a", SENT)).await.unwrap();
    store.settle(&settled(vec![put("b", file(2, "b"))], "b", SENT)).await.unwrap();
    let forget = |path: &str| Change::Forget(path.to_owned());
    store.settle(&quiet(vec![forget("a"), forget("b"), put("a", file(2, "b"))])).await.unwrap();
    let followed = engine::ChangeKind::MovedInDrive { from: place("b"), to: place("a") };
    store.settle(&settled(vec![put("a", file(2, "a"))], "a", followed)).await.unwrap();
    let last = journal.list_changes(watch, Scope::Since(Timestamp::from_micros(0))).await.unwrap().remove(0);
    let Some(Held::File(over)) = held(1) else { panic!("no file") };
    let expected = Kind::Moved { item: held(2), from: Some("b".to_owned()), is_together: true, over: Some(over) };
    assert_eq!(last.kind, expected);
}

#[tokio::test]
async fn what_a_path_held_is_told_although_the_program_was_killed_in_between_and_not_after_the_run() {
    let at = TempDir::new().unwrap();
    let (journal, watch, store) = open(&at, false).await;
    let restarted = || SyncStateStore::open(journal.clone(), watch, Clock::new(|| 7), &TaskTracker::new(), line_of);
    let told = async |has_rested: bool| {
        store.settle(&settled(vec![put("a", file(1, "a"))], "a", SENT)).await.unwrap();
        store.settle(&quiet(vec![Change::Forget("a".to_owned())])).await.unwrap();
        if has_rested {
            let sums = Sums { looked_at: Some(Timestamp::from_micros(6)), ..Sums::default() };
            journal.record_look(watch, sums, None).await.unwrap();
        }
        restarted().settle(&settled(vec![put("a", file(2, "a"))], "a", SENT)).await.unwrap();
        kinds(&journal, watch).await.pop().unwrap().2
    };
    assert_eq!(told(false).await, Kind::Content { before: held(1), after: held(2) });
    assert_eq!(told(true).await, Kind::Content { before: Some(Held::Nothing), after: held(2) });
}
