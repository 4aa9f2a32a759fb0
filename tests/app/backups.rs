//! Backups of the built-in studio, taken and restored by the studio's own command line.

use std::path::{Path, PathBuf};

use easel_app::backups::{BackupStage, BackupView, BackupsView};
use easel_app::connections::ConnectionState;
use easel_app::drive::DriveItemKind;
use easel_app::events::Event;
use easel_tests::studio::command;

use crate::stage::Stage;

/// A studio that has one file, and a folder chosen for its backups.
async fn stage_with(name: &str, content: &[u8]) -> Stage {
    let stage = Stage::open();
    stage.app.connections().start_local_studio(false).await.unwrap();
    stage.put(name, content, None).await;
    choose(&stage, &stage.folder.path().join("disk")).await;
    stage
}

async fn choose(stage: &Stage, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    *stage.person.chooses.lock().unwrap() = vec![folder.to_owned()];
    assert!(stage.app.backups().choose_backup_folder().await.unwrap());
}

async fn see(stage: &Stage) -> BackupsView {
    stage.app.backups().get_backups().await.unwrap()
}

async fn newest(stage: &Stage) -> BackupView {
    see(stage).await.place.unwrap().backups.remove(0)
}

/// The names of the files at the top of the drive.
async fn files(stage: &Stage) -> Vec<String> {
    let items = stage.list(None).await.items.into_iter();
    // A first start makes designs by itself, one after another.
    items.filter(|item| item.kind == DriveItemKind::File).map(|item| item.name).collect()
}

/// Folders of the app whose names begin so.
fn folders(stage: &Stage, start: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(stage.data_dir()).unwrap().map(|entry| entry.unwrap());
    entries.filter(|entry| entry.file_name().to_str().unwrap().starts_with(start)).map(|entry| entry.path()).collect()
}

/// The only content of this size that a backup has.
fn content_of(stage: &Stage, bytes: u64) -> PathBuf {
    fn find(folder: &Path, bytes: u64) -> Option<PathBuf> {
        std::fs::read_dir(folder).unwrap().find_map(|entry| {
            let entry = entry.unwrap();
            let is_it = entry.metadata().unwrap().len() == bytes;
            if entry.path().is_dir() { find(&entry.path(), bytes) } else { is_it.then(|| entry.path()) }
        })
    }
    find(&stage.folder.path().join("disk/Easel backup/blobs"), bytes).expect("the content")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_studio_goes_back_to_a_backup_and_what_it_had_is_kept() {
    let stage = stage_with("logo.svg", b"<svg>first</svg>").await;
    assert_eq!(see(&stage).await.place.unwrap().backups, []);
    stage.app.backups().back_up_studio().await.unwrap();
    let backup = newest(&stage).await;
    let now = see(&stage).await.now.unwrap();
    let noted = backup.figures.unwrap();
    assert_eq!((noted.files.get(), noted.files, noted.bytes), (1, now.files, now.bytes));

    stage.put("later.txt", b"made after the backup", None).await;
    assert_eq!(see(&stage).await.now.unwrap().files.get(), 2);
    let restored = stage.app.backups().restore_studio(backup.id, false).await.unwrap();
    stage.wait_for_state(ConnectionState::Ready).await;
    assert_eq!(files(&stage).await, ["logo.svg"]);
    stage.put("goes on.txt", b"the restored studio takes files", None).await;

    let aside = folders(&stage, "studio.before-").remove(0);
    assert!(restored.kept_at.ends_with(aside.file_name().unwrap().to_str().unwrap()), "{restored:?}");
    assert!(command(&aside, &["verify"]).status.success(), "what it had is whole");
    assert_eq!(folders(&stage, "studio.restoring-"), Vec::<PathBuf>::new());
    let stages = stage.page.events().into_iter().filter_map(|event| match event {
        Event::BackupMoved(moved) => Some(moved.under_way.map(|progress| progress.stage)),
        _ => None,
    });
    let mut stages: Vec<_> = stages.collect();
    stages.dedup();
    assert_eq!(
        stages,
        [Some(BackupStage::BackingUp), None, Some(BackupStage::Restoring), Some(BackupStage::Verifying), None]
    );
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_lacks_something_is_restored_only_by_who_wants_the_rest() {
    let stage = stage_with("kept.txt", b"this one stays whole").await;
    stage.put("lost.txt", b"this one is lost in the backup", None).await;
    stage.app.backups().back_up_studio().await.unwrap();
    std::fs::remove_file(content_of(&stage, 30)).unwrap();
    stage.put("later.txt", b"later", None).await;
    let backup = newest(&stage).await;

    let refused = stage.app.backups().restore_studio(backup.id.clone(), false).await.unwrap_err();
    assert_eq!(refused.code, "backup_has_gaps");
    assert!(refused.detail.contains("1 item"), "{}", refused.detail);
    assert_eq!(files(&stage).await, ["kept.txt", "later.txt", "lost.txt"]);
    assert_eq!((folders(&stage, "studio.restoring-").len(), folders(&stage, "studio.before-").len()), (0, 0));

    stage.app.backups().restore_studio(backup.id, true).await.unwrap();
    stage.wait_for_state(ConnectionState::Ready).await;
    assert_eq!(files(&stage).await, ["kept.txt", "lost.txt"]);
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_the_matter_with_a_backup_leaves_the_studio_as_it_was() {
    let stage = stage_with("logo.svg", b"<svg/>").await;
    stage.app.backups().back_up_studio().await.unwrap();
    let backup = newest(&stage).await;
    let place = stage.folder.path().join("disk/Easel backup");
    let database = place.join("databases").join(&backup.id);
    let whole = std::fs::read(&database).unwrap();
    let check = async |code: &str| {
        let problem = stage.app.backups().restore_studio(backup.id.clone(), true).await.unwrap_err();
        assert_eq!(problem.code, code, "{problem:?}");
        assert_eq!(files(&stage).await, ["logo.svg"]);
        assert_eq!((folders(&stage, "studio.restoring-").len(), folders(&stage, "studio.before-").len()), (0, 0));
    };
    std::fs::write(&database, b"this is no database at all").unwrap();
    check("restore_failed").await;
    std::fs::write(&database, &whole).unwrap();
    std::fs::remove_file(place.join("studio.key")).unwrap();
    check("backup_not_usable").await;
    std::fs::remove_file(&database).unwrap();
    check("restore_failed").await;
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_that_a_crash_broke_off_between_its_two_steps_is_undone_at_the_next_start() {
    let stage = stage_with("logo.svg", b"<svg/>").await;
    stage.app.close().await;
    let data = stage.data_dir();
    std::fs::rename(data.join("studio"), data.join("studio.before-m")).unwrap();
    std::fs::create_dir(data.join("studio.restoring-m")).unwrap();
    let stage = stage.start_again().await;
    stage.wait_for_state(ConnectionState::Ready).await;
    assert_eq!(files(&stage).await, ["logo.svg"]);
    assert_eq!((folders(&stage, "studio.restoring-").len(), folders(&stage, "studio.before-").len()), (0, 0));
    assert!(see(&stage).await.place.is_some(), "where backups go is remembered");
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_for_backups_is_asked_for_first_and_lies_outside_of_easels_own() {
    let stage = Stage::open();
    assert_eq!(stage.app.backups().get_backups().await.unwrap_err().code, "local_studio_missing");
    stage.app.connections().start_local_studio(false).await.unwrap();
    assert_eq!(stage.app.backups().back_up_studio().await.unwrap_err().code, "backup_folder_missing");
    assert!(!stage.app.backups().choose_backup_folder().await.unwrap(), "thought better of it");
    for inside in [stage.data_dir(), stage.data_dir().join("studio")] {
        *stage.person.chooses.lock().unwrap() = vec![inside];
        assert_eq!(stage.app.backups().choose_backup_folder().await.unwrap_err().code, "backup_folder_inside");
    }
    // Around Easel's own it has a folder of its own, as in a home folder.
    choose(&stage, stage.folder.path()).await;
    assert!(see(&stage).await.place.unwrap().path.ends_with("Easel backup"));
    choose(&stage, &stage.folder.path().join("disk")).await;
    std::fs::remove_dir_all(stage.folder.path().join("disk")).unwrap();
    let place = see(&stage).await.place.unwrap();
    assert!(!place.is_reachable && place.backups.is_empty(), "{place:?}");
    stage.app.close().await;
}
