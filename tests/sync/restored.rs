//! A service that is restored from a backup, with computers that have newer files.

use std::fs;
use std::path::Path;
use std::process::Command;

use easel_tests::patience::wait_for;
use easel_tests::synced::Engine;

use crate::computers::{Computer, LIMIT, Site, last_state, until};

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
}

/// Two computers whose files are newer than the drive, which was restored from a backup: one file was edited since, one is
/// new, one was renamed.
async fn restore() -> (Site, Computer, Computer) {
    let mut site = Site::open().await;
    let (ada, ben) = (site.computer(), site.computer());
    ada.write_files(&["brief", "press"], 4);
    for computer in [&ada, &ben] {
        Engine::run_once(&computer.home, &computer.both_ways()).expect(0);
    }
    let backup = site.studio.data_dir.with_file_name("backup");
    site.studio.stop();
    copy(&site.studio.data_dir, &backup);
    site.studio.restart();
    ada.write("brief/file 0.txt", "edited since the backup");
    ada.write("brief/new.txt", "written since the backup");
    fs::rename(ada.path("press/file 1.txt"), ada.path("press/renamed.txt")).unwrap();
    let engines = [&ada, &ben].map(|computer| (computer, computer.start(&computer.both_ways())));
    for (computer, engine) in &engines {
        site.until_equal(computer, engine).await;
        wait_for("the newer files", LIMIT, async || if is_newer(computer) { Ok(()) } else { Err(engine.describe()) })
            .await;
    }
    // Each has looked at the drive since.
    site.proxy.forget_seen();
    wait_for("more looks at the drive", LIMIT, async || {
        let looks = site.proxy.seen().iter().filter(|seen| seen.path.contains("/drive/files")).count();
        if looks >= 6 { Ok(()) } else { Err(looks) }
    })
    .await;
    for (_, engine) in engines {
        engine.stop().expect(0);
    }
    site.studio.stop();
    fs::remove_dir_all(&site.studio.data_dir).unwrap();
    copy(&backup, &site.studio.data_dir);
    site.studio.restart();
    (site, ada, ben)
}

fn is_newer(computer: &Computer) -> bool {
    computer.read("brief/file 0.txt").as_deref() == Some("edited since the backup")
        && computer.read("brief/new.txt").as_deref() == Some("written since the backup")
        && computer.path("press/renamed.txt").exists()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drive_that_went_back_in_time_is_asked_about_and_what_is_here_is_sent_again() {
    let (site, ada, ben) = restore().await;
    let asked = ada.start(&ada.both_ways());
    until("the question", &asked, |engine| last_state(&engine.lines())["need"]["code"] == "drive_went_back").await;
    assert_eq!(last_state(&asked.lines())["need"]["count"], 3, "{}", asked.describe());
    asked.stop().expect(0);
    // A start later it is asked still, and nothing has changed.
    Engine::run_once(&ada.home, &ada.both_ways()).expect(3);
    assert!(is_newer(&ada));
    Engine::run_once(&ada.home, &ada.both_ways().with("--after-restore", "keep")).expect(0);
    assert!(is_newer(&ada));
    assert_eq!(easel_tests::trees::read_disk_below(&ada.root), site.drive().await);
    // The other computer has what was sent again, and loses nothing either.
    let other = ben.start(&ben.both_ways().with("--after-restore", "keep"));
    wait_for("the other computer", LIMIT, async || {
        let is_equal = easel_tests::trees::read_disk_below(&ben.root) == site.drive().await;
        if is_equal && is_newer(&ben) { Ok(()) } else { Err(other.describe()) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_may_take_over_what_a_restored_drive_has() {
    let (site, ada, _ben) = restore().await;
    Engine::run_once(&ada.home, &ada.both_ways()).expect(3);
    Engine::run_once(&ada.home, &ada.both_ways().with("--after-restore", "take")).expect(0);
    assert_eq!(easel_tests::trees::read_disk_below(&ada.root), site.drive().await);
    assert_eq!(ada.read("brief/file 0.txt").as_deref(), Some("brief holds 0"));
    let hash = easel_tests::samples::hash_bytes(b"edited since the backup");
    assert!(ada.home.read_trash().contains(&hash), "what was newer is in the trash");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_drive_is_noticed_though_someone_has_written_into_its_newest_folder_since() {
    let (site, ada, _ben) = restore().await;
    let http = site.service();
    let folders = http.get("/v1/drive/folders?limit=200").await.expect(200);
    let id = |name: &str| {
        let folder = folders["data"].as_array().unwrap().iter().find(|folder| folder["name"] == name).unwrap();
        folder["id"].as_str().unwrap().to_owned()
    };
    for (name, file) in [("brief", "written by another.txt"), ("press", "and another.txt")] {
        easel_tests::drive::upload_into(&http, &id(name), file, format!("in {name}").as_bytes()).await;
    }
    let asked = ada.start(&ada.both_ways());
    until("the question", &asked, |engine| last_state(&engine.lines())["need"]["code"] == "drive_went_back").await;
    assert!(is_newer(&ada), "{}", asked.describe());
    asked.stop().expect(0);
    Engine::run_once(&ada.home, &ada.both_ways().with("--after-restore", "keep")).expect(0);
    assert!(is_newer(&ada));
}
