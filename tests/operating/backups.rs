//! Backups and the way back.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::soak;
use easel_tests::studio::{Options, Studio, command};
use serde_json::{Value, json};

use crate::load::{Load, list_files, see_acknowledged, see_tasks_end};

/// Backups under load here; more where `EASEL_SOAK_BACKUPS` says so.
const BACKUPS: u64 = 3;

/// The last line of a command that was told `--json`, which has to end with this code.
#[track_caller]
pub fn result(output: &Output, code: i32) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let last = text.lines().last().unwrap_or_else(|| panic!("no line"));
    serde_json::from_str(last).unwrap_or_else(|error| panic!("no JSON ({error}): {last}"))
}

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_under_load_miss_nothing_that_was_acknowledged_before_they_began() {
    let seed = soak::seed();
    let backups = soak::number("EASEL_SOAK_BACKUPS").unwrap_or(BACKUPS);
    let studio = Studio::start(Options::new());
    let key = studio.create_key("load").key;
    let http = Http::new(&studio.base_url).with_key(&key).with_version(CANONICAL);
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    let mut load = Load::start(&http, 4, seed);
    let (mut seen, mut drawn) = (0, 0);
    for round in 0..backups {
        tokio::time::sleep(Duration::from_millis(600)).await;
        let before = load.acknowledged();
        let taken = {
            let (data, to) = (studio.data_dir.clone(), backup.clone());
            tokio::task::spawn_blocking(move || command(&data, &["backup", path(&to), "--json"])).await.unwrap()
        };
        let taken = result(&taken, 0);
        if round > 0 {
            assert!(taken["new_contents"].as_u64() < taken["contents"].as_u64(), "not all of it again: {taken}");
        }
        let restored = place.path().join(format!("restored {round}"));
        assert_eq!(result(&command(&restored, &["restore", path(&backup), "--json"]), 0)["findings"], 0);
        assert_eq!(result(&command(&restored, &["verify", "--json"]), 0)["findings"], 0);
        let again = Studio::start(Options::new().data_dir(&restored));
        let http = Http::new(&again.base_url).with_key(&key).with_version(CANONICAL);
        let there = list_files(&http).await;
        println!("round {round}");
        seen += see_acknowledged(&before, &load.acknowledged(), &there);
        drawn += see_tasks_end(&http, &before.tasks).await;
        drop(again);
        std::fs::remove_dir_all(&restored).unwrap();
    }
    load.stop().await;
    println!("{backups} backups, {seen} acknowledged files and {drawn} designs found in them");
    assert!(seen > 0 && drawn > 0, "nothing was acknowledged, so nothing was shown");
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["findings"], 0, "the original is whole too");
}

#[tokio::test]
async fn a_second_backup_copies_only_what_is_new_and_each_can_be_restored() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("k").key;
    let http = Http::new(&studio.base_url).with_key(&key).with_version(CANONICAL);
    for number in 0..5 {
        upload(&http, &format!("{number}.txt"), format!("content {number}").as_bytes()).await;
    }
    for way in [&["--json"][..], &["--json", "--copy"]] {
        let place = tempfile::tempdir().unwrap();
        let backup = place.path().join("backup");
        let take = |more: &[&str]| {
            let arguments = [&["backup", path(&backup)], way, more].concat();
            result(&studio.command(&arguments), 0)
        };
        let had = list_files(&http).await.len() as u64;
        let first = take(&[]);
        assert_eq!((&first["contents"], &first["new_contents"]), (&Value::from(had), &Value::from(had)), "{first}");
        let names = format!("three{way:?}");
        for number in 0..3 {
            upload(&http, &names, format!("{names} {number}").as_bytes()).await;
        }
        let second = take(&[]);
        assert_eq!(
            (&second["contents"], &second["new_contents"]),
            (&Value::from(had + 3), &Value::from(3)),
            "{second}"
        );
        assert_eq!(take(&[])["new_contents"], 0);

        let older = place.path().join("older");
        let at = first["database"].as_str().unwrap();
        result(&command(&older, &["restore", path(&backup), "--json", "--at", at]), 0);
        let again = Studio::start(Options::new().data_dir(&older));
        let restored = Http::new(&again.base_url).with_key(&key).with_version(CANONICAL);
        assert_eq!(list_files(&restored).await.len() as u64, had);
        drop(again);
        let refused = command(&older, &["restore", path(&backup)]);
        assert_eq!(refused.status.code(), Some(2), "nothing that is there is replaced");
        let nested = studio.data_dir.join("inside");
        assert_eq!(studio.command(&["backup", path(&nested)]).status.code(), Some(2));

        // The newest alone stays where that is asked for, with what it names.
        take(&["--keep", "1"]);
        assert_eq!(std::fs::read_dir(backup.join("databases")).unwrap().count(), 1);
        let newest = place.path().join("newest");
        assert_eq!(result(&command(&newest, &["restore", path(&backup), "--json"]), 0)["contents"], had + 3);
    }
}

#[tokio::test]
async fn how_far_a_backup_a_restore_and_a_look_have_come_is_told() {
    let studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    for content in [b"one", b"two"] {
        upload(&http, "a", content).await;
    }
    let place = tempfile::tempdir().unwrap();
    let (backup, restored) = (place.path().join("backup"), place.path().join("restored"));
    for output in [
        studio.command(&["backup", path(&backup), "--json"]),
        command(&restored, &["restore", path(&backup), "--json"]),
        command(&restored, &["verify", "--json"]),
    ] {
        assert_eq!(result(&output, 0)["event"], "done");
        let first = String::from_utf8_lossy(&output.stdout).lines().next().unwrap().to_owned();
        let first: Value = serde_json::from_str(&first).unwrap();
        let expected = json!({"event": "progress", "stage": "contents", "done": 0, "total": 2, "bytes": 0});
        assert_eq!(first, expected, "{output:?}");
    }
}

#[tokio::test]
async fn a_backup_without_the_key_file_wants_it_put_back() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("k").key;
    let place = tempfile::tempdir().unwrap();
    let (backup, data) = (place.path().join("backup"), place.path().join("data"));
    let taken = studio.command(&["backup", path(&backup), "--json", "--without-key-file"]);
    assert_eq!(result(&taken, 0)["key_file"], false);
    assert!(!backup.join("studio.key").exists());
    result(&command(&data, &["restore", path(&backup), "--json"]), 0);
    let refused = command(&data, &["keys", "list"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("studio.key"));
    std::fs::copy(studio.data_dir.join("studio.key"), data.join("studio.key")).unwrap();
    let again = Studio::start(Options::new().data_dir(&data));
    Http::new(&again.base_url).with_key(&key).get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn what_is_damaged_is_not_taken_into_a_backup_and_is_told() {
    let studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    upload(&http, "whole", b"whole").await;
    let id = upload(&http, "damaged", b"to be damaged").await["file_id"].as_str().unwrap().to_owned();
    crate::verify::damage(&studio.data_dir, b"to be damaged");
    let place = tempfile::tempdir().unwrap();
    let backups =
        [(place.path().join("linked"), &["--json"][..]), (place.path().join("copied"), &["--json", "--copy"])];
    let take = |(backup, how): &(PathBuf, &[&str])| studio.command(&[&["backup", path(backup)], *how].concat());
    for backup in &backups {
        let done = result(&take(backup), 4);
        assert_eq!((&done["new_contents"], &done["findings"]), (&Value::from(1), &Value::from(1)), "{done}");
    }
    // The right bytes heal it, and the next backup has them.
    assert_eq!(upload(&http, "damaged", b"to be damaged").await["file_id"], id.as_str());
    for backup in &backups {
        assert_eq!(result(&take(backup), 0)["new_contents"], 1);
    }
}

#[tokio::test]
async fn a_backup_that_copies_shares_nothing_with_what_it_is_of_and_takes_what_was_healed() {
    let studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    let contents: [&[u8]; 2] = [b"goes bad where it lies", b"goes bad after it was copied"];
    for content in contents {
        upload(&http, "a", content).await;
    }
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    let take =
        |how: &[&str], code| result(&studio.command(&[&["backup", path(&backup), "--json"], how].concat()), code);
    let turn_a_bit = |content: &[u8]| {
        // In the very file, as a disk does it: whatever other names it has have it too, and no moment tells of it.
        let path = crate::verify::place_of(&studio.data_dir, content);
        let mut bytes = std::fs::read(&path).unwrap();
        let written = std::fs::metadata(&path).unwrap().modified().unwrap();
        bytes[0] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        std::fs::File::options().write(true).open(path).unwrap().set_modified(written).unwrap();
    };
    let kept = |content: &[u8]| std::fs::read(crate::verify::place_of(&backup, content)).unwrap();
    assert_eq!(take(&[], 0)["new_contents"], 2);
    turn_a_bit(contents[0]);
    assert_ne!(kept(contents[0]), contents[0], "it is a link");
    upload(&http, "a", contents[0]).await;
    assert_eq!(take(&[], 0)["new_contents"], 1, "what was healed is taken again");
    assert_eq!(kept(contents[0]), contents[0]);

    assert_eq!(take(&["--copy"], 0)["new_contents"], 2, "what was linked is copied");
    assert_eq!(take(&["--copy"], 0)["new_contents"], 0, "once");
    turn_a_bit(contents[1]);
    assert_eq!(kept(contents[1]), contents[1], "damage to one is not damage to the other");
    assert_eq!(take(&[], 0)["new_contents"], 0, "and does not come into it");
    let restored = place.path().join("restored");
    assert_eq!(result(&command(&restored, &["restore", path(&backup), "--json"]), 0)["findings"], 0);
}
