//! What goes on beside something that waits: a question, a file that keeps growing, a trash that cannot be had.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use easel_tests::patience::wait_for;
use easel_tests::synced::Engine;
use easel_tests::trees::read_disk_below;

use crate::computers::{Computer, LIMIT, Site, last_state, until};

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

/// Makes the computer one whose user is nobody and has no trash anywhere.
fn take_the_trash_away(computer: &Computer) {
    let share = computer.home.path().join("share");
    fs::create_dir_all(&share).unwrap();
    fs::write(share.join("Trash"), "this is no folder").unwrap();
    for place in [computer.root.as_path(), computer.root.parent().unwrap(), computer.home.path()] {
        assert!(Command::new("chown").args(["-R", "nobody"]).arg(place).status().unwrap().success());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_trash_edits_and_deletions_of_others_come_down_and_what_goes_is_kept_in_the_folder() {
    let site = Site::open().await;
    let (ada, ben) = (site.computer(), site.computer());
    ada.write_files(&["one", "two"], 3);
    take_the_trash_away(&ben);
    let one = ada.start(&ada.both_ways());
    site.until_equal(&ada, &one).await;
    let other = Engine::start_as_nobody(&ben.home, &ben.both_ways());
    site.until_equal(&ben, &other).await;
    ada.write("one/file 0.txt", "edited elsewhere");
    fs::remove_file(ada.path("two/file 1.txt")).unwrap();
    site.until_equal(&ada, &one).await;
    wait_for("the edit and the deletion", LIMIT, async || {
        let is_edited = ben.read("one/file 0.txt").as_deref() == Some("edited elsewhere");
        if is_edited && !ben.path("two/file 1.txt").exists() { Ok(()) } else { Err(other.describe()) }
    })
    .await;
    site.until_equal(&ben, &other).await;
    let kept = read_disk_below(&ben.path(".easel-trash"));
    let contents: Vec<_> = kept.values().filter_map(|item| item.content()).collect();
    for content in ["one holds 0", "two holds 1"] {
        let hash = easel_tests::samples::hash_bytes(content.as_bytes());
        assert!(contents.contains(&hash.as_str()), "{content}: {kept:#?}");
    }
    // Nothing of it is ever sent, and the person is told where it is.
    assert!(!site.drive().await.keys().any(|path| path.contains("easel-trash")));
    until("the person to be told", &other, |engine| {
        engine.lines().iter().any(|line| line["event"] == "skipped" && line["why"]["code"] == "trash_here")
    })
    .await;
}
