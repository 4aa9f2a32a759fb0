//! Files in: dropped, chosen and pasted, and what the page is told of them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use easel_app::app::Closing;
use easel_app::connections::ConnectionState;
use easel_app::events::Event;
use easel_app::ports::Pasted;
use easel_app::problem::ActionKind;
use easel_app::uploads::{DropArea, DropOver, DropTarget, TransferFilter, TransferState, TransferView};
use easel_tests::patience::wait_for;
use easel_tests::proxy::{Fault, Proxy};
use easel_tests::studio::{Options, Studio};

use crate::stage::{SOON, Stage, draft};

/// A point of the page, where the screen has only one place for files.
const ANYWHERE: (f64, f64) = (10.0, 10.0);

async fn wait_for_end(stage: &Stage, count: usize) -> Vec<TransferView> {
    wait_for("the transfers' end", SOON, async || {
        let list = stage.app.uploads().list_transfers(TransferFilter::Finished, 0, 100).await.unwrap();
        if list.transfers.len() >= count { Ok(list.transfers) } else { Err(format!("{list:?}")) }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dropped_first_of_all_begins_the_studio_of_this_computer_and_goes_to_no_other_service() {
    let drop_first = async |stage: &Stage| {
        let target = DropTarget { folder_id: None, label: "the drive".to_owned() };
        stage.app.uploads().set_drop_target(Some(target)).await.unwrap();
        stage
            .app
            .uploads()
            .take_drop(vec![stage.write("first.txt", b"first"), stage.write("second.txt", b"second")], ANYWHERE)
            .await;
        let waits = |event: &Event| match event {
            Event::DropAwaitsStudio(waits) => Some(waits.count.get()),
            _ => None,
        };
        assert_eq!(stage.page.wait_for("that it waits", waits).await, 2);
    };
    let stage = Stage::open();
    drop_first(&stage).await;
    // Dropped once more, as after a start that failed.
    drop_first(&stage).await;
    stage.app.connections().start_local_studio(false).await.unwrap();
    assert_eq!(stage.app.uploads().take_awaiting_drop().await.unwrap().unwrap().accepted.get(), 2);
    let ended = wait_for_end(&stage, 2).await;
    assert!(ended.iter().all(|transfer| transfer.state == TransferState::Sent), "{ended:?}");
    assert!(stage.app.uploads().take_awaiting_drop().await.unwrap().is_none(), "nothing is taken a second time");

    let (studio, stage) = (Studio::start(Options::new()), Stage::open());
    drop_first(&stage).await;
    stage.app.connections().connect_service(draft(&studio.base_url, &studio.create_key("Easel").key)).await.unwrap();
    assert!(stage.app.uploads().take_awaiting_drop().await.unwrap().is_none());
    stage.app.connections().start_local_studio(false).await.unwrap();
    assert!(stage.app.uploads().take_awaiting_drop().await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_files_land_where_the_screen_said_and_a_duplicate_says_where_it_is() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    let brand = stage.app.drive().create_folder(None, "Brand".to_owned()).await.unwrap();
    let logos = stage.app.drive().create_folder(Some(brand.id.clone()), "Logos".to_owned()).await.unwrap();
    stage.put("logo.svg", b"<svg/>", Some(&logos.id)).await;

    // No screen takes files yet: nothing is taken.
    stage.app.uploads().drag_entered(1, ANYWHERE);
    stage.app.uploads().take_drop(vec![stage.write("early.txt", b"early")], ANYWHERE).await;
    assert!(!stage.page.events().iter().any(|event| matches!(event, Event::FilesDropped(_))));

    let target = DropTarget { folder_id: Some(brand.id.clone()), label: "Brand".to_owned() };
    stage.app.uploads().set_drop_target(Some(target)).await.unwrap();
    stage.app.uploads().drag_entered(3, ANYWHERE);
    let entered = stage.page.wait_for("the overlay", |event| match event {
        Event::DropEntered(entered) if entered.target_label.is_some() => Some(entered.clone()),
        _ => None,
    });
    let entered = entered.await;
    assert_eq!((entered.count.get(), entered.target_label.as_deref()), (3, Some("Brand")));

    let folder = stage.write("Shoot/raw/one.png", b"one").parent().unwrap().parent().unwrap().to_owned();
    let paths = vec![folder, stage.write("copy of logo.svg", b"<svg/>"), PathBuf::from("/nowhere/gone.png")];
    stage.app.uploads().take_drop(paths, ANYWHERE).await;
    let dropped = stage.page.wait_for("the drop's answer", |event| match event {
        Event::FilesDropped(dropped) => Some(dropped.clone()),
        _ => None,
    });
    let taken = dropped.await.taken.unwrap();
    assert_eq!(taken.accepted.get(), 2);
    assert_eq!(taken.skipped.len(), 1);
    assert_eq!(taken.skipped[0].name, "gone.png");

    let ended = wait_for_end(&stage, 3).await;
    let copy = ended.iter().find(|transfer| transfer.name == "copy of logo.svg").unwrap();
    assert_eq!(copy.state, TransferState::AlreadyThere);
    assert_eq!(copy.result.as_ref().unwrap().place.as_deref(), Some("Brand / Logos"));
    let one = ended.iter().find(|transfer| transfer.name == "one.png").unwrap();
    assert_eq!((one.state, one.relative_dir.as_str()), (TransferState::Sent, "Shoot/raw"));
    stage
        .page
        .wait_for("the drive's event", |event| match event {
            Event::DriveChanged(changed) => changed.folder_ids.contains(&Some(brand.id.clone())).then_some(()),
            _ => None,
        })
        .await;

    stage.app.uploads().move_duplicate_here(copy.id.clone()).await.unwrap();
    let here = stage.list(Some(&brand.id)).await;
    assert!(here.items.iter().any(|item| item.name == "logo.svg"), "{here:?}");
    let moved = stage.app.uploads().list_transfers(TransferFilter::Finished, 0, 100).await.unwrap();
    let moved = moved.transfers.into_iter().find(|transfer| transfer.id == copy.id).unwrap();
    assert_eq!(moved.result.unwrap().place.as_deref(), Some("Brand"));

    stage.app.uploads().reveal_transfer(copy.id.clone()).await.unwrap();
    assert!(stage.person.revealed.lock().unwrap()[0].ends_with("copy of logo.svg"));
    wait_for("the message outside the window", SOON, async || {
        let messages = stage.person.messages.lock().unwrap().clone();
        if messages.iter().any(|message| message.contains("in the drive")) {
            Ok(())
        } else {
            Err(format!("{messages:?} {:#?}", stage.page.events()))
        }
    })
    .await;
    let page = format!("{:?}", stage.page.events());
    assert!(!page.contains(stage.folder.path().to_str().unwrap()), "a path reached the page");

    let stage = stage.start_again().await;
    stage.wait_for_state(ConnectionState::Ready).await;
    let kept = stage.app.uploads().list_transfers(TransferFilter::Finished, 0, 100).await.unwrap();
    let kept = kept.transfers.into_iter().find(|transfer| transfer.id == copy.id).unwrap();
    assert_eq!(kept.result.unwrap().folder_id.as_ref(), Some(&brand.id), "where it was moved is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dropped_on_the_description_of_a_design_becomes_an_attachment_of_it() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    stage
        .app
        .uploads()
        .set_drop_target(Some(DropTarget { folder_id: None, label: "the drive".to_owned() }))
        .await
        .unwrap();
    let area = DropArea { left: 600.0, top: 80.0, right: 1_100.0, bottom: 320.0 };
    stage.app.uploads().set_drop_area(DropOver::Design, Some(area));

    stage.app.uploads().drag_entered(1, ANYWHERE);
    for at in [(620.0, 90.0), (700.0, 90.0), ANYWHERE, (700.0, 100.0)] {
        stage.app.uploads().drag_moved(at);
    }
    let paths = vec![stage.write("brief.md", b"# Brief"), PathBuf::from("/nowhere/gone.png")];
    stage.app.uploads().take_drop(paths, (700.0, 100.0)).await;

    let overs = stage.page.events().into_iter().filter_map(|event| match event {
        Event::DropMoved(moved) => Some(moved.over),
        _ => None,
    });
    assert_eq!(overs.collect::<Vec<_>>(), [DropOver::Design, DropOver::Drive, DropOver::Design]);
    let attached = stage.page.wait_for("the attachment", |event| match event {
        Event::AttachmentsChanged(changed) => changed.attachments.first().cloned(),
        _ => None,
    });
    assert_eq!(attached.await.name, "brief.md");
    let dropped = stage.page.wait_for("the drop's answer", |event| match event {
        Event::FilesDropped(dropped) => dropped.taken.clone(),
        _ => None,
    });
    let taken = dropped.await;
    assert_eq!((taken.accepted.get(), taken.skipped[0].name.as_str()), (1, "gone.png"));
    wait_for_end(&stage, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pasted_files_and_pictures_are_taken_and_the_picture_goes_when_it_is_sent() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    assert_eq!(stage.app.uploads().paste_files(None).await.unwrap(), None);
    assert_eq!(stage.app.uploads().choose_files(None).await.unwrap(), None);
    *stage.person.pasted.lock().unwrap() = Some(Pasted::Files(vec![stage.write("list.txt", b"list")]));
    assert_eq!(stage.app.uploads().paste_files(None).await.unwrap().unwrap().accepted.get(), 1);
    *stage.person.pasted.lock().unwrap() = Some(Pasted::Picture(vec![1, 2, 3]));
    assert_eq!(stage.app.uploads().paste_files(None).await.unwrap().unwrap().accepted.get(), 1);
    let ended = wait_for_end(&stage, 2).await;
    assert!(ended.iter().any(|transfer| transfer.name.starts_with("Pasted picture ")));
    wait_for("the picture's end on this computer", SOON, async || {
        let left = std::fs::read_dir(stage.data_dir().join("pasted")).unwrap().count();
        if left == 0 { Ok(()) } else { Err(left) }
    })
    .await;
    assert!(stage.folder.path().join("given/list.txt").exists(), "a person's own file stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_does_what_a_person_asks_of_it() {
    let mut studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    studio.kill();
    *stage.person.chooses.lock().unwrap() = vec![stage.write("a.txt", b"a"), stage.write("b.txt", b"bb")];
    let taken = stage.app.uploads().choose_files(None).await.unwrap().unwrap();
    assert_eq!(taken.accepted.get(), 2, "what is taken is noted although the service is away");
    let waiting = stage.page.wait_for("what the queue waits for", |event| match event {
        Event::TransfersChanged(changed) => changed.summary.waiting.clone(),
        _ => None,
    });
    assert_eq!(waiting.await.code, "waiting_offline");
    assert_eq!(stage.app.uploads().count_unfinished().await, 2);
    assert_eq!(stage.app.request_close().await, Closing::Asked);
    assert!(
        stage
            .page
            .events()
            .iter()
            .any(|event| matches!(event, Event::CloseRequested(asked) if asked.unfinished.get() == 2))
    );

    assert_eq!(stage.app.request_close().await, Closing::Program, "who asks twice means it");

    stage.app.uploads().pause_all_transfers().await.unwrap();
    let list = wait_for("everything to stand still", SOON, async || {
        let list = stage.app.uploads().list_transfers(TransferFilter::All, 0, 10).await.unwrap();
        let stands = list.transfers.iter().all(|transfer| transfer.state == TransferState::Paused);
        if stands { Ok(list) } else { Err(format!("{list:?}")) }
    })
    .await;
    assert_eq!(stage.app.request_close().await, Closing::Program, "what is paused is not being sent");
    let id = |name: &str| list.transfers.iter().find(|transfer| transfer.name == name).unwrap().id.clone();
    stage.app.uploads().cancel_transfer(id("a.txt")).await.unwrap();
    studio.restart();
    stage.app.uploads().resume_transfer(id("b.txt")).await.unwrap();
    wait_for("b.txt in the drive", SOON, async || {
        let items = stage
            .app
            .drive()
            .list_drive(None, 0, 10, crate::stage::BY_NAME)
            .await
            .map_err(|problem| problem.code)?
            .items;
        if items.len() == 1 && items[0].name == "b.txt" { Ok(()) } else { Err(format!("{items:?}")) }
    })
    .await;
    wait_for_end(&stage, 2).await;
    stage.app.uploads().clear_finished_transfers().await.unwrap();
    assert!(stage.app.uploads().list_transfers(TransferFilter::All, 0, 10).await.unwrap().transfers.is_empty());
    for unknown in ["9999", "", "x"] {
        assert_eq!(stage.app.uploads().pause_transfer(unknown.to_owned()).await.unwrap_err().code, "transfer_unknown");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_over_the_limit_is_refused_in_the_persons_words() {
    let studio = Studio::start(Options::new().with("--max-file-bytes", "1000"));
    let stage = Stage::connected_to(&studio).await;
    *stage.person.chooses.lock().unwrap() = vec![stage.write("big.bin", &[0; 1500])];
    stage.app.uploads().choose_files(None).await.unwrap();
    let failed = wait_for("the failure", SOON, async || {
        let list = stage.app.uploads().list_transfers(TransferFilter::Failed, 0, 10).await.unwrap();
        list.transfers.into_iter().next().ok_or("none yet")
    });
    let failed = failed.await;
    let problem = failed.problem.unwrap();
    assert_eq!(problem.title, "big.bin is too large");
    assert_eq!(
        problem.detail,
        "This file is 1.5 KB. Your workspace takes files up to 1 KB. A larger plan raises this."
    );
    assert!(stage.list(None).await.items.is_empty());
    stage.app.uploads().cancel_transfer(failed.id).await.unwrap();
    let left = stage.app.uploads().list_transfers(TransferFilter::Failed, 0, 10).await.unwrap();
    assert_eq!((left.transfers.len(), left.summary.failed.get()), (0, 0), "it can be taken off the list");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_that_waits_looks_at_once_when_the_person_asks_though_the_connection_is_well() {
    let studio = Studio::start(Options::new());
    let proxy = Proxy::start().await;
    proxy.forward_to(studio.base_url.trim_start_matches("http://"));
    let stage = Stage::open();
    let key = studio.create_key("Easel");
    let view = stage.app.connections().connect_service(draft(&proxy.url(), &key.key)).await.unwrap();
    let body = r#"{"error": {"type": "upstream_error", "code": "storage_full", "message": "full"}}"#;
    // By itself it would look again in a minute.
    let full = Fault::answer(503, &[("Content-Type", "application/json"), ("Retry-After", "60")], body);
    proxy.break_by(move |seen| if seen.is("POST", "/v1/uploads") { full.clone() } else { Fault::Pass });
    *stage.person.chooses.lock().unwrap() = vec![stage.write("late.txt", b"late")];
    stage.app.uploads().choose_files(None).await.unwrap();
    wait_for("the wait", SOON, async || {
        let list = stage.app.uploads().list_transfers(TransferFilter::All, 0, 10).await.unwrap();
        let waiting = list.summary.waiting.clone().map(|problem| (problem.code, problem.action.kind));
        if waiting == Some(("storage_full".to_owned(), ActionKind::TryAgain)) {
            Ok(())
        } else {
            Err(format!("{list:?}"))
        }
    })
    .await;
    proxy.pass_all();
    stage.app.connections().retry_connection(view.id).await.unwrap();
    assert_eq!(wait_for_end(&stage, 1).await[0].state, TransferState::Sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_list_of_transfers_is_said_and_put_aside_when_the_person_says_so() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    stage.app.close().await;
    let journal = stage.data_dir().join("transfers.sqlite");
    for side in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(stage.data_dir().join(format!("transfers.sqlite{side}")));
    }
    std::fs::write(&journal, [7_u8; 8192]).unwrap();
    let stage = stage.start_again().await;
    let view = stage.wait_for_state(ConnectionState::NeedsAttention).await;
    let problem = view.problem.unwrap();
    assert_eq!((problem.code.as_str(), problem.action.kind), ("journal_damaged", ActionKind::Refresh));
    let cured = stage.app.connections().retry_connection(view.id).await.unwrap();
    assert_eq!(cured.state, ConnectionState::Ready);
    stage.put("again.txt", b"again", None).await;
    let kept = std::fs::read_dir(stage.data_dir()).unwrap();
    let kept = kept.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("damaged")).count();
    assert_eq!(kept, 1, "its bytes are kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_ends_everything_within_two_seconds_and_the_rest_is_sent_at_the_next_start() {
    let studio = Studio::start(Options::new().requests_per_minute(120));
    let stage = Stage::connected_to(&studio).await;
    let paths: Vec<PathBuf> = (0..40).map(|n| stage.write(&format!("{n}.txt"), n.to_string().as_bytes())).collect();
    *stage.person.chooses.lock().unwrap() = paths;
    stage.app.uploads().choose_files(None).await.unwrap();
    stage
        .page
        .wait_for("the first file's end", |event| match event {
            Event::TransfersChanged(changed) => (changed.summary.finished.get() > 0).then_some(()),
            _ => None,
        })
        .await;
    let begun = Instant::now();
    stage.app.close().await;
    assert!(begun.elapsed() < Duration::from_millis(2_500), "{:?}", begun.elapsed());
    let stage = stage.start_again().await;
    wait_for("the rest", Duration::from_secs(60), async || {
        let list = stage
            .app
            .uploads()
            .list_transfers(TransferFilter::Unfinished, 0, 100)
            .await
            .map_err(|problem| problem.code)?;
        if list.transfers.is_empty() { Ok(()) } else { Err(list.transfers.len().to_string()) }
    })
    .await;
    assert_eq!(stage.list(None).await.total.get(), 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_turn_letters_round_are_shown_letter_by_letter_in_transfers_too() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    stage.write("a\u{202E}b/photo\u{202E}gpj.exe", b"a program");
    *stage.person.chooses.lock().unwrap() = vec![stage.folder.path().join("given/a\u{202E}b")];
    stage.app.uploads().choose_files(None).await.unwrap();
    let ended = wait_for_end(&stage, 1).await;
    assert_eq!((ended[0].name.as_str(), ended[0].relative_dir.as_str()), ("photo\u{FFFD}gpj.exe", "a\u{FFFD}b"));
    assert_eq!(ended[0].result.as_ref().unwrap().filename.as_deref(), Some("photo\u{FFFD}gpj.exe"));
}
