//! The main job, without the window: a picture, a deck, and the same picture under another name.

use std::time::{Duration, Instant};

use easel_sync::{LimitedBy, State};
use easel_tests::journey;
use easel_tests::samples::{self, hash_file};
use easel_tests::studio::{Options, Studio};

use crate::sending::{Item, Sending, age, plain, read_disk, read_drive};

#[tokio::test(flavor = "multi_thread")]
async fn three_files_are_in_the_drive_and_the_third_was_there_already() {
    let studio = Studio::start(Options::new().own_rate());
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let files = samples::write_samples(sending.files.path());
    let dropped = [files.picture.clone(), files.deck.clone(), files.same_picture];
    sending.drop_paths(&dropped).await;
    let transfers = sending.until_done().await;
    let states: Vec<_> = transfers.iter().map(|transfer| transfer.state).collect();
    assert_eq!(states, [State::Sent, State::Sent, State::AlreadyThere]);
    assert_eq!(transfers[2].result, transfers[0].result, "it says where the drive has it");

    let stored = journey::read_drive(&plain(&studio, &key)).await;
    let names: Vec<_> = stored.keys().map(String::as_str).collect();
    assert_eq!(names, ["Autumn launch.pptx", "Harbour at dawn.png"]);
    assert_eq!(stored["Autumn launch.pptx"].sha256, hash_file(&files.deck));
    assert_eq!(stored["Harbour at dawn.png"].sha256, hash_file(&files.picture));
    sending.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_arrives_with_its_structure() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let top = sending.path("Präsentationen 2026 🎨");
    let names = [
        "plan.txt",
        "日本語/資料 (最終).pptx",
        "日本語/.hidden",
        "a/b/c/d/e/deep.bin",
        "a/b/CON.txt",
        "a/spaces  and 'quotes' & % #?.txt",
        "café.txt",
        "cafe\u{301} in pieces.txt",
    ];
    for (index, name) in names.into_iter().enumerate() {
        let path = top.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, format!("content {index}")).expect("a file");
        age(&path);
    }
    let long = top.join(format!("{}.txt", "x".repeat(251)));
    std::fs::write(&long, b"a name of 255 bytes").expect("a file");
    age(&long);
    std::fs::write(top.join("a/empty.txt"), b"").expect("an empty file");
    age(&top.join("a/empty.txt"));
    std::fs::create_dir_all(top.join("nothing/within")).expect("empty folders");
    sending.drop_paths(std::slice::from_ref(&top)).await;
    let transfers = sending.until_done().await;
    let unsent: Vec<_> = transfers.iter().filter(|transfer| transfer.state != State::Sent).collect();
    assert!(unsent.is_empty(), "{unsent:?}");
    let drive = read_drive(&plain(&studio, &key)).await;
    assert_eq!(drive, read_disk(&top));
    assert_eq!(drive["Präsentationen 2026 🎨/nothing/within"], Item::Folder);
    sending.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_small_files_keep_to_the_rate_and_the_estimate_says_so() {
    const FILES: usize = 44;
    let studio = Studio::start(Options::new().requests_per_minute(120));
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let top = sending.path("many");
    std::fs::create_dir(&top).expect("a folder");
    for index in 0..FILES {
        let path = top.join(format!("{index}.txt"));
        std::fs::write(&path, format!("content {index}")).expect("a file");
        age(&path);
    }
    let began = Instant::now();
    sending.drop_paths(std::slice::from_ref(&top)).await;
    let mut changes = sending.queue.changes();
    let estimate = loop {
        let batch = changes.recv().await.expect("a batch");
        if began.elapsed() >= Duration::from_secs(10) {
            break batch.summary.clone();
        }
    };
    let estimated_at = Instant::now();
    let transfers = sending.until_done().await;
    let took = estimated_at.elapsed();
    assert!(transfers.iter().all(|transfer| transfer.state == State::Sent), "{transfers:?}");
    assert_eq!(transfers.len(), FILES);
    assert_eq!(estimate.limited_by, LimitedBy::Requests, "{estimate:?}");
    let estimated = Duration::from_millis(estimate.time_left_ms.expect("an estimate"));
    println!("after ten seconds: {estimated:?} estimated, {took:?} taken");
    assert!(estimated > took * 3 / 4 && estimated < took * 4 / 3, "{estimated:?} estimated, {took:?} taken");
    sending.stop().await;
}
