//! Edits as versions of one file of the drive: by two computers, by others over the API, and at once.

use easel_tests::drive::{replace_content, upload};
use easel_tests::http::Http;
use easel_tests::samples::hash_bytes;
use easel_tests::synced::Engine;
use serde_json::Value;

use crate::computers::{Site, asked, until_it_reads};

/// The drive file of this name.
async fn file_named(http: &Http, name: &str) -> Value {
    let files = http.get("/v1/drive/files?limit=200").await.expect(200);
    let found = files["data"].as_array().unwrap().iter().find(|file| file["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {files:#?}")).clone()
}

async fn versions(http: &Http, file: &Value) -> Vec<Value> {
    let id = file["id"].as_str().unwrap();
    let answer = http.get(&format!("/v1/drive/files/{id}/versions")).await.expect(200);
    answer["versions"].as_array().unwrap().clone()
}

/// Gives a drive file new content, as another program would.
async fn give(http: &Http, file: &Value, content: &[u8]) {
    replace_content(http, file["id"].as_str().unwrap(), "text/plain", content).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_keeps_the_id_of_its_file_and_what_it_held_is_a_version() {
    let site = Site::open().await;
    let (ada, ben) = (site.computer(), site.computer());
    ada.write("brief/logo.svg", "first");
    let one = ada.start(&ada.both_ways());
    site.until_equal(&ada, &one).await;
    let other = ben.start(&ben.both_ways());
    site.until_equal(&ben, &other).await;
    let http = site.service();
    let before = file_named(&http, "logo.svg").await;
    ada.write("brief/logo.svg", "second");
    until_it_reads(&ben, &other, "brief/logo.svg", "second").await;
    ben.write("brief/logo.svg", "third");
    until_it_reads(&ada, &one, "brief/logo.svg", "third").await;
    site.until_equal(&ada, &one).await;
    site.until_equal(&ben, &other).await;
    let after = file_named(&http, "logo.svg").await;
    assert_eq!(after["id"], before["id"]);
    let hashes: Vec<String> = versions(&http, &after)
        .await
        .iter()
        .map(|version| version["content_hash"].as_str().unwrap().trim_start_matches("sha256:").to_owned())
        .collect();
    assert_eq!(hashes, [hash_bytes(b"second"), hash_bytes(b"first")]);
    assert_eq!(asked(&other), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_program_gives_a_file_comes_down_and_what_was_here_is_in_the_trash() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&["press"], 3);
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    let http = site.service();
    let file = file_named(&http, "file 1.txt").await;
    give(&http, &file, b"given by another program").await;
    until_it_reads(&ada, &engine, "press/file 1.txt", "given by another program").await;
    site.until_equal(&ada, &engine).await;
    assert!(ada.home.read_trash().contains(&hash_bytes(b"press holds 1")));
    // A version that someone brings back comes down as well.
    let version = versions(&http, &file).await[0]["id"].as_str().unwrap().to_owned();
    let restore = format!("/v1/drive/files/{}/versions/{version}/restore", file["id"].as_str().unwrap());
    let restored = http.post(&restore, &Value::Null).await;
    assert_eq!(restored.status, 200, "{restored:?}");
    until_it_reads(&ada, &engine, "press/file 1.txt", "press holds 1").await;
    site.until_equal(&ada, &engine).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_on_two_sides_at_once_both_are_kept() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write("plan.txt", "as it was");
    Engine::run_once(&ada.home, &ada.both_ways()).expect(0);
    let http = site.service();
    let file = file_named(&http, "plan.txt").await;
    give(&http, &file, b"edited there").await;
    ada.write("plan.txt", "edited here");
    Engine::run_once(&ada.home, &ada.both_ways()).expect(0);
    let there = site.drive().await;
    let contents: Vec<&str> = there.values().filter_map(easel_tests::trees::Item::content).collect();
    for content in ["edited there", "edited here"] {
        assert!(contents.contains(&hash_bytes(content.as_bytes()).as_str()), "{content} is lost: {there:#?}");
    }
    assert_eq!(there["plan.txt"].content(), Some(hash_bytes(b"edited there").as_str()));
    assert_eq!(easel_tests::trees::read_disk_below(&ada.root), there);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_only_uploads_says_what_is_newer_in_the_drive() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write("plan.txt", "as it was");
    Engine::run_once(&ada.home, &ada.setting()).expect(0);
    let http = site.service();
    give(&http, &file_named(&http, "plan.txt").await, b"edited there").await;
    let finished = Engine::run_once(&ada.home, &ada.setting());
    finished.expect(1);
    let note = finished.lines.iter().find(|line| line["event"] == "skipped" && line["path"] == "plan.txt");
    assert_eq!(note.map(|line| &line["why"]["code"]), Some(&"newer_in_drive".into()), "{:#?}", finished.lines);
    assert_eq!(ada.read("plan.txt").as_deref(), Some("as it was"));
    assert_eq!(site.drive().await["plan.txt"].content(), Some(hash_bytes(b"edited there").as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_stays_when_the_file_that_it_is_a_copy_of_is_edited() {
    let site = Site::open().await;
    let (ada, ben) = (site.computer(), site.computer());
    ada.write("x.txt", "shared by both");
    ada.write("y.txt", "shared by both");
    let one = ada.start(&ada.both_ways());
    let other = ben.start(&ben.both_ways());
    until_it_reads(&ben, &other, "y.txt", "shared by both").await;
    ada.write("x.txt", "edited");
    until_it_reads(&ben, &other, "x.txt", "edited").await;
    site.until_equal(&ada, &one).await;
    assert_eq!(ben.read("y.txt").as_deref(), Some("shared by both"));
    let http = site.service();
    assert!(upload(&http, "again.txt", b"shared by both").await["was_duplicate"].as_bool().unwrap());
}
