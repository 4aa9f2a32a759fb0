//! What `verify` finds, and what `--repair` mends: nothing is deleted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::samples::hash_bytes;
use easel_tests::studio::{Options, Studio};
use serde_json::Value;

use crate::backups::result;

/// Where a content lies in a data folder, or in a backup.
pub fn place_of(data: &Path, content: &[u8]) -> PathBuf {
    let digits = hash_bytes(content);
    data.join("blobs/sha256").join(&digits[..2]).join(digits)
}

/// Turns one bit of a content where it lies, in a file of its own.
pub fn damage(data: &Path, content: &[u8]) {
    let place = place_of(data, content);
    let mut bytes = std::fs::read(&place).expect("the content");
    bytes[0] ^= 1;
    std::fs::remove_file(&place).expect("the other name");
    std::fs::write(&place, bytes).expect("the damage");
}

/// What was found, as kind, subject and whether it was mended.
pub fn findings(stdout: &[u8]) -> BTreeSet<(String, String, bool)> {
    let lines = String::from_utf8_lossy(stdout);
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines
        .filter(|line| line["event"] == "finding")
        .map(|line| {
            let text = |field: &str| line[field].as_str().expect("a text").to_owned();
            (text("kind"), text("subject"), line["mended"].as_bool().expect("whether it was mended"))
        })
        .collect()
}

fn all_bytes(folder: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => all_bytes(&entry.path(), found),
            false => found.push(std::fs::read(entry.path()).expect("a file")),
        }
    }
}

#[tokio::test]
async fn damaged_missing_and_unnamed_contents_are_found_mended_and_never_deleted() {
    let mut studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let contents: [&[u8]; 4] = [b"stays whole", b"gets damaged", b"goes missing", b"is lost for good"];
    let mut ids = Vec::new();
    for (number, content) in contents.iter().enumerate() {
        let result = upload(&http, &format!("{number}.txt"), content).await;
        ids.push(result["file_id"].as_str().expect("an id").to_owned());
    }
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    let backup = backup.to_str().unwrap();
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["contents"], 4, "beside the running service");
    result(&studio.command(&["backup", backup, "--json", "--copy"]), 0);
    let held = studio.command(&["verify", "--repair"]);
    assert_eq!(held.status.code(), Some(3), "a repair wants the service stopped");
    studio.stop();

    let data = studio.data_dir.clone();
    damage(&data, contents[1]);
    std::fs::remove_file(place_of(&data, contents[2])).unwrap();
    std::fs::remove_file(place_of(&data, contents[3])).unwrap();
    let in_backup = hash_bytes(contents[3]);
    std::fs::remove_file(Path::new(backup).join("blobs/sha256").join(&in_backup[..2]).join(in_backup)).unwrap();
    let stray = b"a content that no row names";
    std::fs::create_dir_all(place_of(&data, stray).parent().unwrap()).unwrap();
    std::fs::write(place_of(&data, stray), stray).unwrap();
    std::fs::write(data.join("blobs/pending/0190"), b"staged by nobody").unwrap();

    let hash = |content: &[u8]| format!("sha256:{}", hash_bytes(content));
    let expected = |mended: bool| {
        BTreeSet::from([
            ("damaged".to_owned(), hash(contents[1]), mended),
            ("missing".to_owned(), hash(contents[2]), mended),
            ("missing".to_owned(), hash(contents[3]), false),
            ("staged_unnamed".to_owned(), "pending/0190".to_owned(), mended),
        ])
    };
    let mut before = Vec::new();
    all_bytes(&data.join("blobs"), &mut before);
    let looked = studio.command(&["verify", "--json"]);
    assert_eq!(result(&looked, 4)["left"], 4);
    // What has just come without a row may be on its way, as far as a mere look can tell.
    assert_eq!(findings(&looked.stdout), expected(false));
    let told = String::from_utf8_lossy(&looked.stdout).into_owned();
    assert!(ids[1..].iter().all(|id| told.contains(id)), "whose they are: {told}");

    let mended = studio.command(&["verify", "--json", "--repair", "--from", backup]);
    assert_eq!(result(&mended, 4)["left"], 1);
    let mut all = expected(true);
    all.insert(("unnamed".to_owned(), hash(stray), true));
    assert_eq!(findings(&mended.stdout), all);
    let mut after = Vec::new();
    all_bytes(&data.join("blobs"), &mut after);
    for bytes in &before {
        assert!(after.contains(bytes), "{} is gone", String::from_utf8_lossy(bytes));
    }
    let again = studio.command(&["verify", "--json"]);
    assert_eq!(result(&again, 4)["findings"], 1, "the one that is lost");

    studio.restart();
    for (id, content) in ids.iter().zip(contents).take(3) {
        assert_eq!(http.get(&format!("/v1/drive/files/{id}/content")).await.body, content);
    }
    http.get(&format!("/v1/drive/files/{}", ids[3])).await.is(200);
    assert_eq!(upload(&http, "again", contents[3]).await["file_id"], ids[3].as_str(), "its bytes heal it");
    assert_eq!(http.get(&format!("/v1/drive/files/{}/content", ids[3])).await.body, contents[3]);
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["findings"], 0);
    let aside = studio.command(&["contents", "list"]);
    assert_eq!(String::from_utf8_lossy(&aside.stdout).lines().count(), 2, "set aside, as a start would");
}

#[tokio::test]
async fn a_key_file_that_does_not_belong_here_is_found() {
    let mut studio = Studio::start(Options::new());
    let _key = studio.create_key("k");
    studio.stop();
    std::fs::write(studio.data_dir.join("studio.key"), [7; 32]).unwrap();
    let looked = studio.command(&["verify", "--json"]);
    assert_eq!(result(&looked, 4)["left"], 1);
    assert_eq!(findings(&looked.stdout).first().unwrap().0, "key_file");
}
