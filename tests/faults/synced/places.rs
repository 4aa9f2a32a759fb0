//! The disks and folders themselves: full, gone, moved, unreadable, or more of them than the system watches.

use std::fs;
use std::process::Command;

use easel_tests::http::Form;
use easel_tests::samples::write_noise;
use easel_tests::small_disk::SmallDisk;
use easel_tests::synced::Engine;
use serde_json::json;

use super::rig::{DRIVE, Watched};

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_room_is_told_and_waited_for() {
    let watched = Watched::prepare().await;
    watched.write_files(8, 10_000);
    let body = crate::queue::envelope("upstream_error", "storage_full");
    watched.api.break_by(move |request| {
        let headers = [("Content-Type", "application/json"), ("Retry-After", "1")];
        let is_upload = request.is("POST", "/uploads");
        if is_upload {
            easel_tests::proxy::Fault::answer(503, &headers, &body)
        } else {
            easel_tests::proxy::Fault::Pass
        }
    });
    let engine = Engine::start(&watched.home, &watched.setting());
    watched.until_told(&engine, "storage_full").await;
    watched.api.pass_all();
    watched.until_equal(&engine).await;
    println!("the person is told, then both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_without_room_for_what_comes_down_is_told_and_waited_for() {
    let disk = SmallDisk::mount(8_000_000);
    let mut watched = Watched::prepare().await;
    watched.root = disk.path().join("folder");
    fs::create_dir(&watched.root).unwrap();
    let engine = Engine::start(&watched.home, &watched.both_ways());
    watched.until_equal(&engine).await;
    let ballast = disk.fill();
    let service = watched.rig.service();
    let folders = watched.rig.folders().await;
    let folder = folders.iter().find(|folder| folder["name"] == DRIVE).unwrap()["id"].clone();
    let form = Form::new().text("folder_id", folder.as_str().unwrap());
    let form = form.file("file", "from afar.bin", "application/octet-stream", &vec![7; 2_000_000]);
    let _ = service.post_form("/v1/uploads", &form).await.success();
    watched.until_told(&engine, "disk_full").await;
    fs::remove_file(ballast).unwrap();
    watched.until_equal(&engine).await;
    println!("the person is told, then both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_renamed_is_told_and_taken_up_when_it_is_back() {
    let watched = Watched::prepare().await;
    watched.write_files(12, 10_000);
    let engine = Engine::start(&watched.home, &watched.both_ways());
    watched.until_equal(&engine).await;
    let elsewhere = watched.root.with_file_name("elsewhere");
    fs::rename(&watched.root, &elsewhere).unwrap();
    watched.until_told(&engine, "folder_missing").await;
    assert_eq!(watched.rig.files().await.len(), 12, "nothing was deleted in the drive");
    fs::rename(&elsewhere, &watched.root).unwrap();
    fs::write(watched.root.join("new.txt"), "written after it was back").unwrap();
    watched.until_equal(&engine).await;
    println!("the person is told, then both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_pulled_out_deletes_nothing_in_the_drive() {
    let disk = SmallDisk::mount(8_000_000);
    let mut watched = Watched::prepare().await;
    watched.root = disk.path().to_owned();
    watched.write_files(12, 10_000);
    let engine = Engine::start(&watched.home, &watched.both_ways());
    watched.until_equal(&engine).await;
    // What is left is the empty folder on which it was mounted.
    disk.pull_out();
    watched.until_told(&engine, "folder_missing").await;
    assert_eq!(watched.rig.files().await.len(), 12, "nothing was deleted in the drive");
    println!("the person is told");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_suddenly_empty_is_asked_about() {
    let watched = Watched::prepare().await;
    watched.write_files(12, 10_000);
    let engine = Engine::start(&watched.home, &watched.both_ways());
    watched.until_equal(&engine).await;
    for entry in fs::read_dir(&watched.root).unwrap().flatten() {
        let path = entry.path();
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.unwrap();
    }
    watched.until_told(&engine, "folder_empty").await;
    assert_eq!(watched.rig.files().await.len(), 12, "nothing was deleted in the drive");
    println!("the person is asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_whose_inside_may_not_be_read_any_more_deletes_nothing() {
    let watched = Watched::prepare().await;
    watched.write_files(12, 10_000);
    // The engine runs as nobody, because nothing is forbidden to root.
    for place in [&watched.root, &watched.home.path().to_owned()] {
        own(place);
    }
    let engine = Engine::start_as_nobody(&watched.home, &watched.both_ways());
    watched.until_equal(&engine).await;
    let inner = watched.root.join("one");
    let mode = |mode: &str| assert!(Command::new("chmod").arg(mode).arg(&inner).status().unwrap().success());
    mode("000");
    fs::write(watched.root.join("beside.txt"), "what may be read goes on").unwrap();
    easel_tests::patience::wait_for("the file beside it", super::rig::LIMIT, async || {
        let files = watched.rig.files().await;
        let is_there = files.iter().any(|file| file["name"] == "beside.txt");
        if is_there { Ok(files.len()) } else { Err(engine.describe()) }
    })
    .await;
    easel_tests::patience::wait_for("the person to be told", super::rig::LIMIT, async || {
        let lines = engine.lines();
        let is_named = lines.iter().any(|line| line["event"] == "skipped" && line["why"]["code"] == "unreadable");
        if is_named { Ok(()) } else { Err(engine.describe()) }
    })
    .await;
    assert_eq!(watched.rig.files().await.len(), 13, "nothing was deleted in the drive");
    // What was not read is not up to date.
    easel_tests::patience::wait_for("the state to say why", super::rig::LIMIT, async || {
        let last = engine.lines().into_iter().rev().find(|line| line["event"] == "state").unwrap_or_default();
        let (code, cause) = (&last["state"]["code"], &last["state"]["cause"]["code"]);
        if code == "waiting" && cause == "part_unreadable" { Ok(()) } else { Err(engine.describe()) }
    })
    .await;
    mode("755");
    watched.until_equal(&engine).await;
    println!("the person is told, then both sides are equal");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_folders_than_the_system_watches_are_looked_at_every_so_often() {
    let watched = Watched::prepare().await;
    for number in 0..40 {
        let folder = watched.root.join(format!("folder {number}"));
        fs::create_dir(&folder).unwrap();
        write_noise(&folder.join("file.bin"), 1_000, number + 1);
    }
    let engine = Engine::start_with_few_watches(&watched.home, &watched.setting(), 10);
    watched.until_equal(&engine).await;
    let lines = engine.lines();
    let is_told = lines.iter().any(|line| line["seen_by"]["code"] == json!("polling"));
    assert!(is_told, "the person is told:\n{}", engine.describe());
    fs::write(watched.root.join("folder 39/late.txt"), "nobody was told of this file").unwrap();
    watched.until_equal(&engine).await;
    println!("the person is told, and both sides are equal");
}

/// Gives a folder and all in it to nobody.
fn own(place: &std::path::Path) {
    assert!(Command::new("chown").args(["-R", "nobody"]).arg(place).status().unwrap().success());
}
