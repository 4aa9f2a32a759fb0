//! The journal on a real disk.

mod ids;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::queue::transfer::{Filter, Kind, State, Stored};
use crate::queue::upload_job::End;
use crate::shared::causes::{Cause, Failure};
use crate::shared::error::Error;
use crate::shared::ids::TransferId;
use crate::shared::journal::Journal;
use crate::shared::upload::Checkpoint;
use crate::sync::journal::{DriveRows, SeenUntil};

async fn open(folder: &TempDir) -> Journal {
    Journal::open(&folder.path().join("journal.db")).await.unwrap()
}

/// Enters `count` files of ten bytes in one drop.
async fn enter(journal: &Journal, count: usize) -> Vec<TransferId> {
    let drop = journal.create_drop("here", None, vec![PathBuf::from("/drop")], Uuid::nil(), 1).await.unwrap();
    let entries: Vec<_> = (0..count)
        .map(|index| Entry::Item {
            kind: Kind::File,
            path: PathBuf::from(format!("/drop/{index}")),
            name: index.to_string(),
            dir: String::new(),
            size_bytes: 10,
            modified_at: 1,
        })
        .collect();
    let ids = journal.record_entries(drop.id, &entries, 1).await.unwrap();
    journal.finish_drop(drop.id).await.unwrap();
    ids
}

async fn row(journal: &Journal, id: TransferId) -> Row {
    journal.get_row("here", id).await.unwrap().unwrap()
}

#[tokio::test]
async fn only_its_owner_can_read_it() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("journal.db"), b"").unwrap();
    std::fs::set_permissions(folder.path().join("journal.db"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let journal = open(&folder).await;
    enter(&journal, 1).await;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
    }
}

#[tokio::test]
async fn one_holder_at_a_time() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let second = Journal::open(&folder.path().join("journal.db")).await;
    assert!(matches!(second, Err(Error::JournalInUse)), "{second:?}");
    journal.close().await;
    open(&folder).await;
}

#[tokio::test]
async fn what_is_no_journal_is_named_and_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal.db");
    std::fs::write(&path, b"this is a letter to somebody, and not a journal at all".repeat(50)).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(Journal::open(&path).await, Err(Error::JournalDamaged { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_journal_of_a_newer_version_is_refused() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let mut writing = journal.write().await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'later', 1, x'00', 0)",
    )
    .execute(writing.on())
    .await
    .unwrap();
    writing.commit().await.unwrap();
    journal.close().await;
    let opened = Journal::open(&folder.path().join("journal.db")).await;
    assert!(matches!(opened, Err(Error::JournalTooNew)), "{opened:?}");
}

#[tokio::test]
async fn how_far_the_drive_was_seen_and_by_which_clock_is_read_as_it_was_written() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let moment = Some(easel_wire::Timestamp::from_micros(5_000_000));
    for ahead_ms in [Some(-3_600_000), Some(0), None] {
        let until = SeenUntil { moment, is_telling: true, whole_at: moment, ahead_ms };
        journal.record_drive("here", &DriveRows::default(), Some(until)).await.unwrap();
        assert_eq!(journal.get_drive_seen("here").await.unwrap(), until);
    }
}

#[tokio::test]
async fn a_change_that_is_not_committed_never_happened() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let ids = enter(&journal, 1).await;
    let mut writing = journal.write().await.unwrap();
    sqlx::query("UPDATE transfers SET state = 'sent'").execute(writing.on()).await.unwrap();
    drop(writing);
    assert_eq!(row(&journal, ids[0]).await.state, State::Queued);
}

#[tokio::test]
async fn the_counts_are_those_of_the_rows_whatever_happens() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let ids = enter(&journal, 9).await;
    let stored = Stored { file_id: None, folder_id: None, filename: None };
    journal.record_end(ids[0], &End::Sent(stored.clone()), 5).await.unwrap();
    journal.record_end(ids[1], &End::AlreadyThere(stored), 5).await.unwrap();
    let failure = Failure { cause: Cause::Vanished, request_id: Some("r".to_owned()) };
    journal.record_end(ids[2], &End::Failed(failure.clone()), 5).await.unwrap();
    journal.pause("here", Selection::One(ids[3])).await.unwrap();
    journal.cancel("here", Selection::One(ids[4]), 5).await.unwrap();
    journal.record_settling(ids[5], 20_000_000, 2, 9).await.unwrap();
    journal.record_identity(ids[6], 11, 2).await.unwrap();
    assert_eq!(row(&journal, ids[2]).await.failure, Some(failure));
    let check = async |journal: &Journal| {
        let counted: Vec<(String, i64, i64, i64)> = sqlx::query_as(
            "SELECT state, is_large, COUNT(*), SUM(size_bytes) FROM transfers GROUP BY round, state, is_large
             ORDER BY 1, 2",
        )
        .fetch_all(journal.read().unwrap())
        .await
        .unwrap();
        let kept: Vec<(String, i64, i64, i64)> =
            sqlx::query_as("SELECT state, is_large, files, bytes FROM totals WHERE files <> 0 ORDER BY 1, 2")
                .fetch_all(journal.read().unwrap())
                .await
                .unwrap();
        assert_eq!(counted, kept);
    };
    check(&journal).await;
    journal.trim_history("here", 0, 0).await.unwrap();
    check(&journal).await;
    journal.cancel("here", Selection::All, 6).await.unwrap();
    journal.trim_history("here", 0, 0).await.unwrap();
    check(&journal).await;
    let left = journal.list_rows("here", Filter::All, 0, 100).await.unwrap();
    assert_eq!(left.iter().map(|row| row.state).collect::<Vec<_>>(), [State::Failed]);
}

#[tokio::test]
async fn a_cancel_in_doubt_is_kept_until_it_is_known_what_the_drive_has() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let ids = enter(&journal, 4).await;
    let (key, since_us, hash) = (|| "key".to_owned(), 7, Some([7; 32]));
    let checkpoints = [
        Checkpoint::NotBegun,
        Checkpoint::Sent { since_us, hash: None },
        Checkpoint::Signed { key: key(), since_us },
        Checkpoint::Staged { key: key(), since_us, hash },
    ];
    for (id, checkpoint) in ids.iter().zip(checkpoints) {
        journal.record_checkpoint(*id, &checkpoint).await.unwrap();
        assert_eq!(row(&journal, *id).await.checkpoint, checkpoint);
    }
    journal.cancel("here", Selection::All, 8).await.unwrap();
    let mut states = Vec::new();
    for id in ids {
        let row = row(&journal, id).await;
        states.push((row.state, row.is_cancel_asked));
    }
    let (gone, asked) = ((State::Canceled, false), (State::Queued, true));
    assert_eq!(states, [gone, asked, gone, asked]);
}

#[tokio::test]
async fn what_is_to_be_moved_to_its_folder_is_in_doubt_and_known_at_the_next_start() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let ids = enter(&journal, 1).await;
    let file = easel_wire::Id::imagined(1);
    let landed = |was_duplicate, doubted_since_us| Checkpoint::Landed {
        file,
        hash: Some([3; 32]),
        was_duplicate,
        doubted_since_us,
    };
    journal.record_checkpoint(ids[0], &landed(true, Some(9))).await.unwrap();
    assert_eq!(row(&journal, ids[0]).await.checkpoint, landed(true, Some(9)));
    let landed = landed(false, None);
    journal.record_checkpoint(ids[0], &landed).await.unwrap();
    journal.close().await;
    let journal = open(&folder).await;
    assert_eq!(row(&journal, ids[0]).await.checkpoint, landed);
    journal.cancel("here", Selection::One(ids[0]), 8).await.unwrap();
    assert!(row(&journal, ids[0]).await.is_cancel_asked);
}

#[tokio::test]
async fn a_failure_that_a_later_build_wrote_is_still_a_failure() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let ids = enter(&journal, 1).await;
    let mut writing = journal.write().await.unwrap();
    sqlx::query("UPDATE transfers SET state = 'failed', failure = $1")
        .bind(r#"{"cause":{"code":"moon_in_the_way","phase":3},"request_id":null}"#)
        .execute(writing.on())
        .await
        .unwrap();
    writing.commit().await.unwrap();
    assert_eq!(row(&journal, ids[0]).await.failure.unwrap().cause, Cause::Unknown);
}

#[tokio::test]
async fn a_clock_that_was_set_back_delays_no_settling_file() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let ids = enter(&journal, 2).await;
    journal.record_settling(ids[0], 10, 1, 1_000).await.unwrap();
    journal.record_settling(ids[1], 10, 1, 9_000_000).await.unwrap();
    let due = async |now| -> Vec<TransferId> {
        journal.list_due("here", now, now + 2_000, 9).await.unwrap().iter().map(|row| row.id).collect()
    };
    assert_eq!(due(999).await, [ids[1]]);
    assert_eq!(due(1_000).await, ids);
    assert_eq!(due(8_999_000).await, [ids[0]]);
}

#[tokio::test]
async fn where_a_finished_file_was_moved_is_there_at_the_next_start() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let ids = enter(&journal, 2).await;
    let (before, after) = (easel_wire::Id::imagined(0), easel_wire::Id::imagined(1));
    let stored = Stored { file_id: Some(easel_wire::Id::imagined(1)), folder_id: Some(before), filename: None };
    journal.record_end(ids[0], &End::AlreadyThere(stored.clone()), 2).await.unwrap();
    assert!(journal.record_moved("here", ids[0], Some(after)).await.unwrap());
    assert!(!journal.record_moved("there", ids[0], None).await.unwrap(), "another connection's");
    assert!(!journal.record_moved("here", ids[1], Some(after)).await.unwrap(), "not in the drive yet");
    journal.close().await;
    let journal = open(&folder).await;
    assert_eq!(row(&journal, ids[0]).await.result, Some(Stored { folder_id: Some(after), ..stored }));
    assert_eq!(row(&journal, ids[1]).await.result, None);
}

#[tokio::test]
async fn folders_that_are_gone_are_made_anew_under_new_keys() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    let drop = journal.create_drop("here", None, vec![PathBuf::from("/a")], Uuid::nil(), 1).await.unwrap();
    let empty = Entry::Item {
        kind: Kind::Folder,
        path: PathBuf::from("/a/b"),
        name: "b".to_owned(),
        dir: "a".to_owned(),
        size_bytes: 0,
        modified_at: 1,
    };
    let ids = journal.record_entries(drop.id, &[Entry::Folder { dir: "a".to_owned() }, empty], 1).await.unwrap();
    let last = row(&journal, ids[0]).await.folder_row.unwrap();
    let chain = journal.list_folder_chain(last).await.unwrap();
    assert_eq!(chain.iter().map(|folder| folder.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_ne!(chain[0].idempotency_key, chain[1].idempotency_key);
    journal.record_folder_made(chain[0].id, easel_wire::Id::imagined(1)).await.unwrap();
    journal.forget_folder_chain(last).await.unwrap();
    let again = journal.list_folder_chain(last).await.unwrap();
    assert_eq!(again[0].folder_id, None);
    assert_ne!(again[0].idempotency_key, chain[0].idempotency_key);
    assert_eq!(again[1].idempotency_key, chain[1].idempotency_key);
}

#[tokio::test]
async fn a_forgotten_connection_leaves_nothing_and_takes_nothing_else_along() {
    let folder = TempDir::new().unwrap();
    let journal = open(&folder).await;
    enter(&journal, 3).await;
    let drop = journal.create_drop("there", None, vec![PathBuf::from("/other")], Uuid::max(), 1).await.unwrap();
    journal.record_entries(drop.id, &[Entry::Folder { dir: "other".to_owned() }], 1).await.unwrap();
    journal.forget_connection("there").await.unwrap();
    assert_eq!(journal.list_unwalked_drops("there").await.unwrap(), []);
    let count = async |query: &'static str| -> i64 {
        sqlx::query_scalar(query).fetch_one(journal.read().unwrap()).await.unwrap()
    };
    assert_eq!(count("SELECT COUNT(*) FROM folders").await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM drop_paths").await, 0);
    assert_eq!(journal.list_rows("here", Filter::All, 0, 9).await.unwrap().len(), 3);
    journal.forget_connection("here").await.unwrap();
    assert_eq!(count("SELECT COUNT(*) FROM transfers").await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM totals").await, 0);
}
