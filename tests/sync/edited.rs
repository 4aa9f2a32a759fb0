//! What becomes of a file on one computer when it is edited on another, and of edits that hardly show.

use std::fs::{self, FileTimes, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Command;

use easel_tests::samples::hash_bytes;
use easel_tests::synced::Engine;
use easel_tests::trees::Item;

use crate::computers::{Computer, Site, asked, until, until_it_reads};

/// A service that keeps versions, and one on which each edit is a drive file of its own.
async fn both_services() -> [Site; 2] {
    let sites = [Site::open().await, Site::open().await];
    sites[1].keep_no_versions();
    sites
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drive_folder_with_one_file_that_is_edited_is_not_called_empty() {
    for site in both_services().await {
        edit_the_only_file(&site).await;
    }
}

async fn edit_the_only_file(site: &Site) {
    let (ada, ben) = (site.computer(), site.computer());
    ada.write("Budget.xlsx", "first");
    let one = ada.start(&ada.both_ways());
    site.until_equal(&ada, &one).await;
    let other = ben.start(&ben.both_ways());
    site.until_equal(&ben, &other).await;
    for content in ["second", "third"] {
        ada.write("Budget.xlsx", content);
        until_it_reads(&ben, &other, "Budget.xlsx", content).await;
        site.until_equal(&ben, &other).await;
    }
    assert_eq!(asked(&other), Vec::<String>::new(), "{}", other.describe());
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_files_that_were_all_edited_while_a_computer_was_off_come_down_and_nobody_is_asked() {
    for site in both_services().await {
        edit_them_all(&site).await;
    }
}

async fn edit_them_all(site: &Site) {
    let (ada, ben) = (site.computer(), site.computer());
    ada.write_files(&["plans"], 30);
    Engine::run_once(&ada.home, &ada.both_ways()).expect(0);
    Engine::run_once(&ben.home, &ben.both_ways()).expect(0);
    for number in 0..30 {
        ada.write(&format!("plans/file {number}.txt"), format!("edited {number}"));
    }
    Engine::run_once(&ada.home, &ada.both_ways()).expect(0);
    Engine::run_once(&ben.home, &ben.both_ways()).expect(0);
    assert_eq!(ben.read("plans/file 29.txt").as_deref(), Some("edited 29"));
    assert_eq!(ben.home.read_trash().len(), 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_replaced_by_an_edit_from_elsewhere_keeps_its_rights_its_attributes_and_its_owner() {
    let site = Site::open().await;
    let (ada, ben) = (site.computer(), site.computer());
    ada.write_files(&["bin"], 2);
    let one = ada.start(&ada.both_ways());
    site.until_equal(&ada, &one).await;
    let other = ben.start(&ben.both_ways());
    site.until_equal(&ben, &other).await;
    let (script, secret) = (ben.path("bin/file 0.txt"), ben.path("bin/file 1.txt"));
    fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&secret, Permissions::from_mode(0o600)).unwrap();
    rustix::fs::setxattr(&secret, "user.label", b"for the board", rustix::fs::XattrFlags::empty()).unwrap();
    assert!(Command::new("chown").arg("nobody").arg(&secret).status().unwrap().success());
    for number in 0..2 {
        let path = format!("bin/file {number}.txt");
        let content = format!("edited elsewhere, {number}");
        ada.write(&path, &content);
        until_it_reads(&ben, &other, &path, &content).await;
    }
    let mode = |path| fs::metadata(path).unwrap().mode() & 0o7777;
    assert_eq!((mode(&script), mode(&secret)), (0o755, 0o600));
    let mut label = [0; 64];
    let length = rustix::fs::getxattr(&secret, "user.label", &mut label[..]).unwrap();
    assert_eq!(&label[..length], b"for the board");
    assert_ne!(fs::metadata(&secret).unwrap().uid(), fs::metadata(&script).unwrap().uid());
    // Its rights being as they were is no edit that would have to be sent.
    site.until_equal(&ben, &other).await;
}

/// Writes other bytes of the same length into a file and sets its time back to what it was.
fn edit_and_set_the_time_back(computer: &Computer, path: &str, content: &str) {
    let path = computer.path(path);
    let before = fs::metadata(&path).unwrap();
    assert_eq!(before.len(), content.len() as u64);
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file.set_times(FileTimes::new().set_modified(before.modified().unwrap())).unwrap();
    drop(file);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before.modified().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_of_the_same_size_whose_time_was_set_back_is_sent() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write("volume.hc", "0123456789");
    ada.write("beside.txt", "beside");
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    edit_and_set_the_time_back(&ada, "volume.hc", "9876543210");
    site.until_equal(&ada, &engine).await;
    engine.stop().expect(0);
    // And while nobody looks on.
    edit_and_set_the_time_back(&ada, "volume.hc", "0000011111");
    Engine::run_once(&ada.home, &ada.both_ways()).expect(0);
    let there = site.drive().await;
    assert_eq!(there["volume.hc"].content(), Some(hash_bytes(b"0000011111").as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_rights_alone_send_nothing() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&["bin"], 3);
    Engine::run_once(&ada.home, &ada.both_ways()).expect(0);
    fs::set_permissions(ada.path("bin/file 0.txt"), Permissions::from_mode(0o755)).unwrap();
    site.proxy.forget_seen();
    Engine::run_once(&ada.home, &ada.both_ways()).expect(0);
    assert_eq!(site.proxy.take_seen().iter().filter(|seen| seen.method != "GET").count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_with_a_backslash_is_named_and_never_sent_under_another() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write("q1.txt", "the first quarter");
    ada.write("reports\\q1.txt", "another first quarter");
    ada.write("old\\ones/q0.txt", "in a folder of such a name");
    let finished = Engine::run_once(&ada.home, &ada.both_ways());
    finished.expect(1);
    for (path, code) in [("reports\\q1.txt", "name_not_allowed"), ("old\\ones", "name_not_allowed")] {
        let note = finished.lines.iter().find(|line| line["event"] == "skipped" && line["path"] == path);
        assert_eq!(note.map(|line| &line["why"]["code"]), Some(&code.into()), "{path}: {:#?}", finished.lines);
    }
    let there = site.drive().await;
    assert_eq!(there.keys().collect::<Vec<_>>(), ["q1.txt"]);
    assert_eq!(there["q1.txt"], Item::File(hash_bytes(b"the first quarter")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_deleted_and_written_anew_a_moment_later_is_one_edit() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&["texts"], 3);
    ada.write("alone/only.txt", "first");
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    for path in ["texts/file 1.txt", "alone/only.txt"] {
        fs::remove_file(ada.path(path)).unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
        ada.write(path, format!("{path} was saved slowly"));
        site.until_equal(&ada, &engine).await;
    }
    until("the edits to be told", &engine, |engine| {
        codes(engine).iter().filter(|code| *code == "replaced").count() == 2
    })
    .await;
    assert!(!codes(&engine).contains(&"deleted_there".to_owned()), "{}", engine.describe());
    // What stays away is deleted all the same.
    fs::remove_file(ada.path("texts/file 1.txt")).unwrap();
    site.until_equal(&ada, &engine).await;
}

/// Codes of what was done.
fn codes(engine: &Engine) -> Vec<String> {
    let changes = engine.lines().into_iter().filter(|line| line["event"] == "deed");
    changes.filter_map(|line| line["what"]["code"].as_str().map(str::to_owned)).collect()
}
