//! Synced folders: chosen, previewed, kept in step with a real drive, and what the page, the tray and the desktop are told.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use easel_app::app::Closing;
use easel_app::events::Event;
use easel_app::ports::NoticeKind;
use easel_app::status_summary::StatusSign;
use easel_app::synced::{
    SyncDeletions, SyncMode, SyncedChoices, SyncedDraft, SyncedFolderView, SyncedSource, SyncedState,
};
use easel_app::uploads::{DropArea, DropOver, DropTarget};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};

use crate::stage::{SOON, Stage};

const UPLOAD_ONLY: SyncedChoices = SyncedChoices {
    mode: SyncMode::UploadOnly,
    deletions: SyncDeletions::Keep,
    ignore: String::new(),
    left_out: Vec::new(),
};

fn draft(source: &SyncedSource, choices: SyncedChoices) -> SyncedDraft {
    SyncedDraft {
        source_id: source.source_id.clone(),
        drive_folder_id: None,
        new_in: None,
        new_name: source.name.clone(),
        choices,
    }
}

/// A folder with a file and one in a subfolder, and a link that is left out.
fn write_folder(stage: &Stage, name: &str) -> PathBuf {
    stage.write(&format!("{name}/logo.svg"), b"<svg/>");
    stage.write(&format!("{name}/Photos/one.png"), b"one");
    let folder = stage.folder.path().join("given").join(name);
    std::os::unix::fs::symlink(&folder, folder.join("loop")).unwrap();
    folder
}

async fn choose(stage: &Stage, folder: &Path) -> SyncedSource {
    *stage.person.chooses.lock().unwrap() = vec![folder.to_owned()];
    stage.app.synced().choose_synced_source().await.unwrap().unwrap()
}

async fn until(stage: &Stage, what: &str, is_so: impl Fn(&SyncedFolderView) -> bool) -> SyncedFolderView {
    wait_for(what, SOON * 3, async || {
        let folders = stage.app.synced().list_synced_folders().await.map_err(|problem| problem.code)?;
        let folder = folders.into_iter().next().ok_or("no folder")?;
        if is_so(&folder) { Ok(folder) } else { Err(format!("{folder:?}")) }
    })
    .await
}

fn is_up_to_date(folder: &SyncedFolderView) -> bool {
    folder.state == SyncedState::UpToDate && folder.last_looked_at.is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_previewed_then_kept_in_step_and_comes_back_at_the_next_start() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = write_folder(&stage, "Brand");
    let source = choose(&stage, &folder).await;
    assert_eq!(source.name, "Brand");

    let preview = stage.app.synced().preview_synced_folder(draft(&source, UPLOAD_ONLY)).await.unwrap();
    assert_eq!((preview.up_files.get(), preview.up_bytes.get()), (2, 9), "{preview:?}");
    assert_eq!((preview.down_files.get(), preview.deletions.get()), (0, 0));
    let skipped: Vec<_> = preview.skipped.iter().map(|skip| skip.path.as_str()).collect();
    assert_eq!(skipped, ["loop"], "{preview:?}");
    assert!(preview.skipped[0].reason.contains("link"));
    assert!(stage.list(None).await.items.is_empty(), "a preview makes nothing");

    let added = stage.app.synced().add_synced_folder(draft(&source, UPLOAD_ONLY)).await.unwrap();
    assert_eq!((added.name.as_str(), added.choices.clone()), ("Brand", UPLOAD_ONLY));
    let there = until(&stage, "both sides to be the same", is_up_to_date).await;
    assert_eq!((there.files.get(), there.bytes.get(), there.skipped_count.get()), (2, 9, 1));
    assert_eq!(there.drive_place, "Brand");
    let names = |items: Vec<easel_app::drive::DriveItem>| items.into_iter().map(|item| item.name).collect::<Vec<_>>();
    assert_eq!(names(stage.list(Some(&there.drive_folder_id)).await.items), ["Photos", "logo.svg"]);
    stage
        .page
        .wait_for("the folder's events", |event| match event {
            Event::SyncedFoldersChanged(changed) => changed.changed.iter().any(is_up_to_date).then_some(()),
            _ => None,
        })
        .await;

    // What happens on disk happens in the drive, without a byte sent again.
    std::fs::rename(folder.join("Photos"), folder.join("Pictures")).unwrap();
    wait_for("the renamed folder", SOON * 2, async || {
        let found = names(stage.list(Some(&there.drive_folder_id)).await.items);
        if found == ["Pictures", "logo.svg"] { Ok(()) } else { Err(format!("{found:?}")) }
    })
    .await;
    let history = wait_for("the history", SOON, async || {
        let history = stage.app.history().list_synced_history(None, String::new(), 0, 50).await.unwrap();
        if history.iter().any(|event| event.path == "Pictures") { Ok(history) } else { Err(format!("{history:?}")) }
    })
    .await;
    assert!(history.iter().all(|event| event.folder_name == "Brand"));
    let found =
        stage.app.history().list_synced_history(Some(added.id.clone()), "logo".to_owned(), 0, 50).await.unwrap();
    assert_eq!(found.iter().map(|event| event.path.as_str()).collect::<Vec<_>>(), ["logo.svg"]);

    stage.app.synced().pause_synced_folder(added.id.clone()).await.unwrap();
    until(&stage, "the pause", |folder| folder.state == SyncedState::Paused).await;
    let stage = stage.start_again().await;
    until(&stage, "the pause to be remembered", |folder| folder.state == SyncedState::Paused).await;
    stage.app.synced().resume_synced_folder(added.id.clone()).await.unwrap();
    until(&stage, "it to go on", is_up_to_date).await;

    stage.app.synced().open_synced_folder(added.id.clone()).await.unwrap();
    assert_eq!(*stage.person.opened.lock().unwrap(), std::slice::from_ref(&folder));
    stage.app.synced().remove_synced_folder(added.id.clone()).await.unwrap();
    wait_for("the folder to be gone from the list", SOON, async || {
        let left = stage.app.synced().list_synced_folders().await.unwrap();
        if left.is_empty() { Ok(()) } else { Err(format!("{left:?}")) }
    })
    .await;
    assert!(folder.join("logo.svg").exists(), "no file is touched");
    assert_eq!(stage.list(Some(&there.drive_folder_id)).await.items.len(), 2);
    assert_eq!(stage.app.synced().pause_synced_folder(added.id).await.unwrap_err().code, "synced_folder_unknown");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_in_step_is_said_in_words_and_nothing_is_begun() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = write_folder(&stage, "Brand");
    let source = choose(&stage, &folder).await;
    stage.app.synced().add_synced_folder(draft(&source, UPLOAD_ONLY)).await.unwrap();
    until(&stage, "both sides to be the same", is_up_to_date).await;

    let inside = choose(&stage, &folder.join("Photos")).await;
    let refused = stage.app.synced().preview_synced_folder(draft(&inside, UPLOAD_ONLY)).await.unwrap_err();
    assert_eq!((refused.code.as_str(), refused.title.as_str()), ("sync_inside_another", "Brand is synced already"));
    let other = write_folder(&stage, "Other");
    let other = choose(&stage, &other).await;
    let broken = SyncedChoices { ignore: "ok\n[a-".to_owned(), ..UPLOAD_ONLY };
    let refused = stage.app.synced().preview_synced_folder(draft(&other, broken)).await;
    if let Err(problem) = refused {
        assert_eq!(problem.code, "sync_pattern_refused", "{problem:?}");
        assert!(problem.title.contains('2'), "{problem:?}");
    }
    let gone = choose(&stage, &PathBuf::from("/nowhere/at all")).await;
    assert_eq!(
        stage.app.synced().add_synced_folder(draft(&gone, UPLOAD_ONLY)).await.unwrap_err().code,
        "sync_not_a_folder"
    );
    let unknown = SyncedSource { source_id: "x".to_owned(), ..source.clone() };
    assert_eq!(
        stage.app.synced().add_synced_folder(draft(&unknown, UPLOAD_ONLY)).await.unwrap_err().code,
        "sync_source_unknown"
    );
    let nameless = SyncedDraft { new_name: " ".to_owned(), ..draft(&other, UPLOAD_ONLY) };
    assert_eq!(stage.app.synced().add_synced_folder(nameless).await.unwrap_err().code, "name_not_usable");
    assert_eq!(stage.app.synced().list_synced_folders().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_deletions_ask_first_and_a_no_keeps_them_all() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    for index in 0..20 {
        stage.write(&format!("Brand/{index:02}.txt"), format!("text {index}").as_bytes());
    }
    let folder = stage.folder.path().join("given/Brand");
    let source = choose(&stage, &folder).await;
    let deletes = SyncedChoices { deletions: SyncDeletions::Delete, ..UPLOAD_ONLY };
    let added = stage.app.synced().add_synced_folder(draft(&source, deletes)).await.unwrap();
    let there = until(&stage, "twenty files there", |folder| is_up_to_date(folder) && folder.files.get() == 20).await;

    for index in 0..12 {
        std::fs::remove_file(folder.join(format!("{index:02}.txt"))).unwrap();
    }
    let asking = until(&stage, "the question", |folder| matches!(folder.state, SyncedState::NeedsYou { .. })).await;
    let SyncedState::NeedsYou { need } = asking.state else { unreachable!("it was just looked at") };
    assert_eq!(need.problem.code, "need_many_deletions_there");
    assert_eq!(need.problem.title, "12 items would be deleted in the drive");
    let question = need.question.unwrap();
    assert_eq!(question.go_on, "Delete 12 items in the drive");
    assert_eq!(question.keep.as_deref(), Some("Keep them in the drive"));
    assert_eq!(stage.list(Some(&there.drive_folder_id)).await.items.len(), 20, "nothing goes before the answer");
    let notice = wait_for("the message outside the window", SOON, async || {
        let notices = stage.person.notices.lock().unwrap().clone();
        notices.into_iter().find(|notice| notice.kind == NoticeKind::FolderNeedsYou).ok_or("none yet")
    })
    .await;
    assert_eq!(notice.title, need.problem.title);
    stage.app.follow_notice(&notice);
    assert!(stage.page.events().iter().any(|event| matches!(event, Event::PlaceRequested(_))));
    assert_eq!(stage.app.status_summaries().watch().borrow().sign, StatusSign::NeedsYou);

    stage.app.synced().answer_synced_folder(added.id.clone(), false).await.unwrap();
    let kept = until(&stage, "the rest", is_up_to_date).await;
    assert_eq!(stage.list(Some(&there.drive_folder_id)).await.items.len(), 20);
    assert_eq!(kept.skipped_count.get(), 12, "what is only in the drive is shown");
    let skips = stage.app.synced().list_synced_skips(added.id, 0, 100).await.unwrap();
    assert!(skips.iter().all(|skip| skip.reason.contains("kept in the drive")), "{skips:?}");
    wait_for("the tray at rest", SOON, async || {
        let status_now = stage.app.status_summaries().watch().borrow().clone();
        if status_now.sign == StatusSign::Idle { Ok(()) } else { Err(format!("{status_now:?}")) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_folder_needs_the_person_and_goes_on_by_itself_when_it_is_back() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = write_folder(&stage, "Brand");
    let source = choose(&stage, &folder).await;
    stage.app.synced().add_synced_folder(draft(&source, UPLOAD_ONLY)).await.unwrap();
    let there = until(&stage, "both sides to be the same", is_up_to_date).await;
    let away = stage.folder.path().join("away");
    std::fs::rename(&folder, &away).unwrap();
    stage.app.synced().look_again_at_synced_folder(there.id.clone()).await.unwrap();
    let missing = until(&stage, "it to be missed", |folder| matches!(folder.state, SyncedState::NeedsYou { .. })).await;
    let SyncedState::NeedsYou { need } = missing.state else { unreachable!("it was just looked at") };
    assert_eq!((need.problem.title.as_str(), need.question), ("Brand cannot be found", None));
    assert_eq!(stage.list(Some(&there.drive_folder_id)).await.items.len(), 2);
    std::fs::rename(&away, &folder).unwrap();
    stage.app.synced().look_again_at_synced_folder(there.id).await.unwrap();
    until(&stage, "it to go on", is_up_to_date).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_folder_joins_where_the_screen_says_and_anything_else_is_put_in_the_drive() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = write_folder(&stage, "Brand");
    let file = stage.write("alone.txt", b"alone");
    let target = DropTarget { folder_id: None, label: "the drive".to_owned() };
    stage.app.uploads().set_drop_target(Some(target)).await.unwrap();
    let area = DropArea { left: 0.0, top: 0.0, right: 400.0, bottom: 900.0 };
    stage.app.uploads().set_drop_area(DropOver::Step, Some(area));

    stage.app.uploads().take_drop(vec![folder.clone()], (100.0, 100.0)).await;
    let dropped = stage.page.wait_for("the folder", |event| match event {
        Event::SyncedSourceDropped(dropped) => dropped.source.clone(),
        _ => None,
    });
    assert_eq!(dropped.await.name, "Brand");
    for (paths, code) in [(vec![file.clone()], "sync_not_a_folder"), (vec![file.clone(), folder], "sync_one_folder")] {
        stage.app.uploads().take_drop(paths, (100.0, 100.0)).await;
        let told = stage.page.events().into_iter().rev().find_map(|event| match event {
            Event::SyncedSourceDropped(dropped) => dropped.problem,
            _ => None,
        });
        assert_eq!(told.unwrap().code, code);
    }
    assert!(stage.list(None).await.items.is_empty());
    stage.app.uploads().take_drop(vec![file], (500.0, 100.0)).await;
    wait_for("the file in the drive", SOON, async || {
        let items = stage.list(None).await.items;
        if items.len() == 1 { Ok(()) } else { Err(format!("{items:?}")) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_window_keeps_a_folder_going_only_where_a_tray_shows_it_and_says_so_once() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    stage.person.has_tray.store(true, Ordering::SeqCst);
    assert_eq!(stage.app.request_close().await, Closing::Program, "nothing goes on that could be kept going");
    let folder = write_folder(&stage, "Brand");
    let source = choose(&stage, &folder).await;
    stage.app.synced().add_synced_folder(draft(&source, UPLOAD_ONLY)).await.unwrap();
    until(&stage, "both sides to be the same", is_up_to_date).await;

    for _ in 0..2 {
        assert_eq!(stage.app.request_close().await, Closing::WindowOnly);
    }
    let said = || {
        let notices = stage.person.notices.lock().unwrap();
        notices.iter().filter(|notice| notice.kind == NoticeKind::GoesOn).count()
    };
    assert_eq!(said(), 1);
    assert!(stage.app.preferences().get_settings().await.unwrap().told_keeps_running);

    stage.person.has_tray.store(false, Ordering::SeqCst);
    assert_eq!(stage.app.request_close().await, Closing::Program, "nothing would show that it goes on");
    stage.person.has_tray.store(true, Ordering::SeqCst);
    let settings = stage.app.preferences().get_settings().await.unwrap();
    stage
        .app
        .preferences()
        .set_settings(easel_app::settings::Settings { keeps_running: false, ..settings })
        .await
        .unwrap();
    assert_eq!(stage.app.request_close().await, Closing::Program, "the person said so");

    stage.app.status_summaries().pause_everything().await;
    wait_for("the pause", SOON, async || {
        let status_now = stage.app.status_summaries().watch().borrow().clone();
        if status_now.sign == StatusSign::Paused && !status_now.can_pause {
            Ok(())
        } else {
            Err(format!("{status_now:?}"))
        }
    })
    .await;
    stage.app.status_summaries().resume_everything().await;
    until(&stage, "it to go on", is_up_to_date).await;
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (kind, to) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() {
            copy_folder(&entry.path(), &to);
        } else if kind.is_file() {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_somewhere_else_is_found_there_and_another_one_is_refused() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = write_folder(&stage, "Brand");
    for number in 0..10 {
        stage.write(&format!("Brand/note {number}.txt"), format!("note {number}").as_bytes());
    }
    let source = choose(&stage, &folder).await;
    let choices = SyncedChoices { mode: SyncMode::BothWays, deletions: SyncDeletions::Delete, ..UPLOAD_ONLY };
    let added = stage.app.synced().add_synced_folder(draft(&source, choices)).await.unwrap();
    let is_settled = |folder: &SyncedFolderView| is_up_to_date(folder) && folder.files.get() == 12;
    let there = until(&stage, "both sides to be the same", is_settled).await;
    let needs = |folder: &SyncedFolderView| matches!(folder.state, SyncedState::NeedsYou { .. });
    let names = async |folder_id: &str| -> Vec<String> {
        stage.list(Some(folder_id)).await.items.into_iter().map(|item| item.name).collect()
    };
    let before = names(&there.drive_folder_id).await;
    let relocate = async |to: &Path| {
        *stage.person.chooses.lock().unwrap() = vec![to.to_owned()];
        stage.app.synced().relocate_synced_folder(added.id.clone()).await
    };

    // Moved, it is the same folder: what was deleted meanwhile is deleted, and nothing else is touched.
    let moved = folder.with_file_name("Brand moved");
    std::fs::rename(&folder, &moved).unwrap();
    std::fs::remove_file(moved.join("note 0.txt")).unwrap();
    let missing = until(&stage, "it to be missed", needs).await;
    let SyncedState::NeedsYou { need } = missing.state else { unreachable!("it needs the person") };
    assert_eq!(need.problem.code, "need_folder_missing");
    assert_eq!(need.problem.action.kind, easel_app::problem::ActionKind::FindFolder);
    let stranger = stage.write("Other/logo.svg", b"<svg/>").parent().unwrap().to_owned();
    assert_eq!(relocate(&stranger).await.unwrap_err().code, "sync_another_folder");
    assert_eq!(relocate(&stranger.join("nowhere")).await.unwrap_err().code, "sync_not_a_folder");
    assert_eq!(names(&there.drive_folder_id).await, before, "nothing was changed");
    assert!(relocate(&moved).await.unwrap());
    let now = until(&stage, "it to go on there", |folder| is_up_to_date(folder) && folder.files.get() == 11).await;
    assert_eq!(now.name, "Brand moved");
    assert!(!names(&there.drive_folder_id).await.contains(&"note 0.txt".to_owned()));

    // A copy, as from a backup: what it lacks is deleted nowhere, but comes back.
    let copy = folder.with_file_name("Brand copied");
    copy_folder(&moved, &copy);
    std::fs::remove_dir_all(&moved).unwrap();
    std::fs::remove_file(copy.join("note 1.txt")).unwrap();
    until(&stage, "it to be missed again", needs).await;
    assert!(relocate(&copy).await.unwrap());
    until(&stage, "it to go on in the copy", |folder| is_up_to_date(folder) && folder.files.get() == 11).await;
    assert_eq!(std::fs::read(copy.join("note 1.txt")).unwrap(), b"note 1");
    assert!(names(&there.drive_folder_id).await.contains(&"note 1.txt".to_owned()));

    // It is known there at the next start too.
    let stage = stage.start_again().await;
    let known = until(&stage, "it after a restart", is_up_to_date).await;
    assert_eq!(known.name, "Brand copied");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_turn_letters_round_are_shown_letter_by_letter_and_can_be_acted_on() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let folder = stage.write("a\u{202E}b/photo\u{202E}gpj.exe", b"a program").parent().unwrap().to_owned();
    stage.write("a\u{202E}b/plain.txt", b"plain");
    let source = choose(&stage, &folder).await;
    assert_eq!(source.name, "a\u{FFFD}b");
    assert!(source.path.ends_with("/a\u{FFFD}b"), "{source:?}");
    let added = stage.app.synced().add_synced_folder(draft(&source, UPLOAD_ONLY)).await.unwrap();
    let there = until(&stage, "both sides to be the same", is_up_to_date).await;
    assert_eq!(there.name, "a\u{FFFD}b");
    let history = stage.app.history().list_synced_history(Some(added.id.clone()), String::new(), 0, 50).await.unwrap();
    assert!(history.iter().any(|event| event.path == "photo\u{FFFD}gpj.exe"), "{history:?}");

    // What the page names as it is shown is found as it is.
    let items = stage.list(Some(&there.drive_folder_id)).await.items;
    let program = items.iter().find(|item| item.name.ends_with(".exe")).unwrap();
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    http.delete(&format!("/v1/drive/items/{}", program.id)).await.is(200);
    stage.app.synced().look_again_at_synced_folder(added.id.clone()).await.unwrap();
    let skipped = |folder: &SyncedFolderView| is_up_to_date(folder) && folder.skipped_count.get() == 1;
    until(&stage, "the difference to be seen", skipped).await;
    let skips = stage.app.synced().list_synced_skips(added.id.clone(), 0, 10).await.unwrap();
    assert_eq!((skips[0].path.as_str(), skips[0].can_send_again), ("photo\u{FFFD}gpj.exe", true));
    stage.app.synced().send_synced_file_again(added.id.clone(), skips[0].path.clone()).await.unwrap();
    until(&stage, "it to be sent", |folder| is_up_to_date(folder) && folder.skipped_count.get() == 0).await;
    assert_eq!(stage.list(Some(&there.drive_folder_id)).await.items.len(), 2);
}

/// What the tray says of a studio that is down, and since when the card says that nothing was checked.
#[tokio::test(flavor = "multi_thread")]
async fn while_the_studio_is_down_nothing_says_that_all_is_up_to_date_and_the_last_good_look_is_the_moment_that_is_named()
 {
    let mut studio = Studio::start(Options::new().requests_per_minute(6_000));
    let stage = Stage::connected_to(&studio).await;
    let folder = write_folder(&stage, "Brand");
    let source = choose(&stage, &folder).await;
    stage.app.synced().add_synced_folder(draft(&source, UPLOAD_ONLY)).await.unwrap();
    let there = until(&stage, "both sides to be the same", is_up_to_date).await;
    let at =
        |folder: &SyncedFolderView| -> jiff::Timestamp { folder.last_looked_at.as_ref().unwrap().parse().unwrap() };
    // The drive is asked every five seconds, and that is a look.
    tokio::time::sleep(std::time::Duration::from_secs(12)).await;
    studio.stop();
    let is_waiting = |folder: &SyncedFolderView| matches!(folder.state, SyncedState::Waiting { .. });
    let waiting = until(&stage, "it to be noticed", is_waiting).await;
    let status_now = wait_for("the tray", SOON, async || {
        let status_now = stage.app.status_summaries().watch().borrow().clone();
        if status_now.words == "Waiting to resume" { Ok(status_now) } else { Err(format!("{status_now:?}")) }
    })
    .await;
    assert_eq!((status_now.sign, status_now.is_moving), (StatusSign::Busy, false));
    // Something happens here of which the studio need not hear, a moment after the last look that went well.
    stage.write("Brand/half.download", b"half");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(6);
    while std::time::Instant::now() < deadline {
        let now = stage.app.synced().list_synced_folders().await.unwrap().remove(0);
        assert_ne!(now.state, SyncedState::UpToDate, "{now:?}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    until(&stage, "it to wait still", is_waiting).await;
    let later = at(&waiting).duration_since(at(&there));
    assert!(later.as_secs() >= 4, "not checked since {waiting:?}, and first at {there:?}");
    studio.restart();
    until(&stage, "it to go on", is_up_to_date).await;
}
