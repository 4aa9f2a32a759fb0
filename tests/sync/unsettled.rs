//! What goes on beside something that waits: a question, a file that keeps growing, a trash that cannot be had.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use easel_tests::patience::wait_for;
use easel_tests::synced::Engine;

use crate::computers::{LIMIT, Site, last_state, until};

#[tokio::test(flavor = "multi_thread")]
async fn what_settles_while_a_question_is_open_is_sent() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&["one", "two", "three"], 12);
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    for number in 0..12 {
        fs::remove_file(ada.path(&format!("one/file {number}.txt"))).unwrap();
    }
    ada.write("two/written just now.txt", "while the question was made");
    until("the question", &engine, |engine| last_state(&engine.lines())["need"]["code"] == "many_deletions_there")
        .await;
    wait_for("the file that settled meanwhile", LIMIT, async || {
        if site.drive().await.contains_key("two/written just now.txt") { Ok(()) } else { Err(engine.describe()) }
    })
    .await;
    until("the question to be open still", &engine, |engine| {
        last_state(&engine.lines())["need"]["code"] == "many_deletions_there"
    })
    .await;
    assert_eq!(site.drive().await.keys().filter(|path| path.starts_with("one/")).count(), 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn once_ends_beside_a_file_that_keeps_growing_and_names_it() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write("finished.txt", "stands still");
    ada.write("recording.wav", "begins");
    let is_over = Arc::new(AtomicBool::new(false));
    let recorder = {
        let (path, is_over) = (ada.path("recording.wav"), Arc::clone(&is_over));
        std::thread::spawn(move || {
            let mut file = OpenOptions::new().append(true).open(path).unwrap();
            while !is_over.load(Ordering::Relaxed) {
                file.write_all(b"more").unwrap();
                std::thread::sleep(Duration::from_millis(200));
            }
        })
    };
    let finished = Engine::run_once(&ada.home, &ada.both_ways().with("--give-up-after", "5"));
    is_over.store(true, Ordering::Relaxed);
    recorder.join().unwrap();
    finished.expect(1);
    let note = finished.lines.iter().find(|line| line["event"] == "skipped" && line["path"] == "recording.wav");
    assert_eq!(note.map(|line| &line["why"]["code"]), Some(&"settling".into()), "{:#?}", finished.lines);
    assert_eq!(site.drive().await.keys().collect::<Vec<_>>(), ["finished.txt"]);
}
