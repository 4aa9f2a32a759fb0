//! Conflicts in a journal on a real disk.

use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::sync::folders::{Choices, HistoryEvent};
use crate::sync::journal::Line;
use crate::sync::revert::RecordedChange;

async fn open(folder: &TempDir) -> Journal {
    Journal::open(&folder.path().join("journal.db")).await.unwrap()
}

async fn watch(journal: &Journal) -> WatchId {
    let drive = easel_wire::Id::imagined(1);
    journal.create_watch("here", Path::new("/watched"), drive, "/Brand", &Choices::default(), 1).await.unwrap()
}

async fn tell(journal: &Journal, watch: WatchId, path: &str, kept_as: &str, at: i64) {
    let what = HistoryEvent::Conflict { kept_as: kept_as.to_owned() };
    let mut writing = journal.write().await.unwrap();
    let line = Line { path: path.to_owned(), what, bytes: None };
    line.write(&mut writing, watch, at, &RecordedChange::default()).await.unwrap();
    writing.commit().await.unwrap();
}

async fn paths(journal: &Journal, watch: WatchId) -> Vec<(String, String)> {
    let found = journal.list_conflicts(watch).await.unwrap();
    found.into_iter().map(|conflict| (conflict.path, conflict.kept_as)).collect()
}

fn pair(path: &str, kept_as: &str) -> (String, String) {
    (path.to_owned(), kept_as.to_owned())
}

#[tokio::test]
async fn a_conflict_is_there_at_the_next_start_until_someone_says_otherwise() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let watch = watch(&journal).await;
    tell(&journal, watch, "a.txt", "a (conflict).txt", 5).await;
    tell(&journal, watch, "b.txt", "b (conflict).txt", 6).await;
    assert_eq!(journal.count_conflicts(watch).await.unwrap(), 0, "nobody has seen both files of any");
    let ids: Vec<ConflictId> = journal.list_conflicts(watch).await.unwrap().iter().map(|found| found.id).collect();
    journal.record_conflicts(watch, &ids, &[]).await.unwrap();
    journal.close().await;
    let journal = open(&folder).await;
    assert_eq!(journal.count_conflicts(watch).await.unwrap(), 2);
    assert_eq!(journal.list_watches("here").await.unwrap()[0].conflicts, 2);
    let first = journal.find_conflict(watch, ids[1]).await.unwrap().unwrap();
    assert_eq!((first.path.as_str(), first.at), ("a.txt", Timestamp::from_micros(5)));
    assert!(journal.record_conflict_settled(watch, ids[1], true).await.unwrap());
    assert_eq!(journal.count_conflicts(watch).await.unwrap(), 1);
    assert!(journal.record_conflict_settled(watch, ids[1], false).await.unwrap());
    assert_eq!(journal.count_conflicts(watch).await.unwrap(), 2);
    journal.record_conflicts(watch, &[], &[ids[0]]).await.unwrap();
    assert_eq!(paths(&journal, watch).await, [pair("a.txt", "a (conflict).txt")]);
    assert!(!journal.record_conflict_settled(watch, ids[0], true).await.unwrap(), "it is over");
    assert!(!journal.record_conflict_settled(WatchId(99), ids[1], true).await.unwrap(), "another folder's");
    journal.forget_watch(watch).await.unwrap();
    assert_eq!(paths(&journal, watch).await, []);
}

#[tokio::test]
async fn the_same_name_given_again_is_a_conflict_of_its_own() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let watch = watch(&journal).await;
    tell(&journal, watch, "a.txt", "a (conflict).txt", 5).await;
    let old = journal.list_conflicts(watch).await.unwrap()[0].id;
    journal.record_conflicts(watch, &[old], &[]).await.unwrap();
    tell(&journal, watch, "a.txt", "a (conflict).txt", 6).await;
    let found = journal.list_conflicts(watch).await.unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].id != old && !found[0].is_whole, "{found:?}");
}

#[tokio::test]
async fn only_what_nobody_is_shown_is_forgotten_with_time() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let watch = watch(&journal).await;
    for name in ["open", "settled", "half"] {
        tell(&journal, watch, name, &format!("{name} (conflict)"), 5).await;
    }
    tell(&journal, watch, "young", "young (conflict)", 50).await;
    for conflict in journal.list_conflicts(watch).await.unwrap() {
        if conflict.path == "open" || conflict.path == "settled" {
            journal.record_conflicts(watch, &[conflict.id], &[]).await.unwrap();
            journal.record_conflict_settled(watch, conflict.id, conflict.path == "settled").await.unwrap();
        }
    }
    journal.trim_folder_history(watch, 1, 50).await.unwrap();
    journal.trim_conflicts(watch, 50).await.unwrap();
    let left = [pair("young", "young (conflict)"), pair("open", "open (conflict)")];
    assert_eq!(paths(&journal, watch).await, left);
}

#[tokio::test]
async fn one_that_is_being_settled_is_so_at_the_next_start_and_is_not_forgotten() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let watch = watch(&journal).await;
    tell(&journal, watch, "a.txt", "a (conflict).txt", 5).await;
    let found = journal.list_conflicts(watch).await.unwrap().remove(0);
    assert_eq!(found.copy_identity, None);
    assert!(journal.record_conflict_copy(watch, found.id, Some(u64::MAX - 1)).await.unwrap());
    assert!(!journal.record_conflict_copy(WatchId(99), found.id, None).await.unwrap(), "another folder's");
    journal.trim_conflicts(watch, 50).await.unwrap();
    journal.close().await;
    let journal = open(&folder).await;
    let begun = journal.find_conflict(watch, found.id).await.unwrap().unwrap();
    assert_eq!(begun.copy_identity, Some(u64::MAX - 1));
    assert!(journal.record_conflict_copy(watch, found.id, None).await.unwrap());
    assert_eq!(journal.find_conflict(watch, found.id).await.unwrap(), Some(found));
}

#[tokio::test]
async fn a_conflict_goes_with_the_folder_that_it_lies_in() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let watch = watch(&journal).await;
    tell(&journal, watch, "Größe/in/a.txt", "Größe/in/a (conflict).txt", 5).await;
    tell(&journal, watch, "Größer.txt", "Größer (conflict).txt", 6).await;
    let mut writing = journal.write().await.unwrap();
    follow(&mut writing, watch, "Größe", "Maße/neu").await.unwrap();
    follow(&mut writing, watch, "Größer.txt", "anders.txt").await.unwrap();
    follow(&mut writing, watch, "Maße", &names::drive_only_path("Maße", "fld_1")).await.unwrap();
    writing.commit().await.unwrap();
    let expected =
        [pair("Größer.txt", "Größer (conflict).txt"), pair("Maße/neu/in/a.txt", "Maße/neu/in/a (conflict).txt")];
    assert_eq!(paths(&journal, watch).await, expected);
}

#[tokio::test]
async fn what_an_older_journal_tells_of_conflicts_is_taken_over() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let watch = watch(&journal).await;
    tell(&journal, watch, "a.txt", "a (conflict).txt", 5).await;
    tell(&journal, watch, "a.txt", "a (conflict).txt", 7).await;
    let mut writing = journal.write().await.unwrap();
    for what in [r#"{"code":"sent"}"#, "no JSON", r#"{"code":"conflict"}"#, r#"{"code":"conflict", broken"#] {
        let line = "INSERT INTO history (watch_id, at, path, what) VALUES ($1, 9, 'x', $2)";
        sqlx::query(line).bind(watch.0).bind(what).execute(writing.on()).await.unwrap();
    }
    // A journal from before conflicts were written down.
    sqlx::query("DROP TABLE conflicts").execute(writing.on()).await.unwrap();
    for statement in [
        "DROP TABLE moves",
        "DROP TABLE forgotten",
        "DROP INDEX agreed_drive_id",
        "DROP INDEX agreed_hash",
        "DROP INDEX agreed_replacing",
        "DROP INDEX drive_files_hash",
        "DROP TABLE revert_acts",
        "DROP INDEX history_runs",
        "ALTER TABLE history DROP COLUMN run",
        "ALTER TABLE history DROP COLUMN moved_from",
        "ALTER TABLE history DROP COLUMN lay_at",
        "ALTER TABLE history DROP COLUMN from_lay_at",
        "ALTER TABLE history DROP COLUMN held_over",
        "ALTER TABLE history DROP COLUMN held_before",
        "ALTER TABLE history DROP COLUMN held_after",
        "ALTER TABLE history DROP COLUMN who",
    ] {
        sqlx::query(statement).execute(writing.on()).await.unwrap();
    }
    sqlx::query("DELETE FROM _sqlx_migrations WHERE version >= 9").execute(writing.on()).await.unwrap();
    writing.commit().await.unwrap();
    journal.close().await;
    let journal = open(&folder).await;
    let found = journal.list_conflicts(watch).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].path.as_str(), found[0].kept_as.as_str()), ("a.txt", "a (conflict).txt"));
    assert!(!found[0].is_whole && !found[0].is_settled);
}
