//! A studio that is moved to other rows, other contents and another folder, and back: nothing of it changes, and what was left behind is not
//! served by accident.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use easel_tests::bucket::Bucket;
use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::postgres::Server;
use easel_tests::studio::{Options, Studio};
use serde_json::Value;

use crate::backups::result;
use crate::buckets::{StillWay, kill_midway, noise, slow_way_to};
use crate::load::list_files;
use crate::whole::{Keys, Seen, Size, assert_same, fill, look};

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of a move that was told `--json`, by what they tell.
fn events(output: &Output, event: &str) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["event"] == event).collect()
}

/// What a studio shows when it is started there.
async fn look_there(options: Options, data: &Path, keys: &Keys) -> Seen {
    let mut studio = Studio::start(options.flag("--allow-local-callbacks").data_dir(data));
    let seen = look(&studio, keys).await;
    assert!(studio.stop().success());
    seen
}

/// A studio with so many files, whose contents begin with this seed; the owner's key, and a client with it.
async fn start_with_files(count: u64, seed: u64) -> (Studio, String, Http) {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("k").key;
    let http = Http::new(&studio.base_url).with_key(&key).with_version(CANONICAL);
    for number in 0..count {
        upload(&http, &format!("{number}.bin"), &noise(20_000, seed + number)).await;
    }
    (studio, key, http)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_studio_is_moved_there_and_back_and_nothing_of_it_changes() {
    let (server, bucket, place) = (Server::start(), Bucket::start(), tempfile::tempdir().unwrap());
    let (first, second) = (server.make_database(), server.make_database());
    let mut studio = Studio::start(Options::new().flag("--allow-local-callbacks"));
    let keys = fill(&studio, Size::chosen()).await;
    let before = look(&studio, &keys).await;
    println!("{} things are compared", before.len());
    let held = studio.command(&["move", "--to-data", path(&place.path().join("held"))]);
    assert_eq!(held.status.code(), Some(3), "a studio that is served is not moved: {}", said(&held));
    assert!(studio.stop().success());

    let to = |name: &str| place.path().join(name);
    let in_a_folder = Options::new();
    let in_a_bucket = Options::new().bucket_at(&bucket, "s3://contents/first");
    let on_the_server = Options::new().database(&first).bucket_at(&bucket, "s3://contents/first");
    let elsewhere = Options::new().database(&second).bucket_at(&bucket, "s3://contents/second");
    let with_a_folder = Options::new().bucket(&bucket);
    let (first_url, second_url) = (first.url(), second.url());
    // Each with what it is moved to: other contents alone, other rows alone in the same bucket, both, and back.
    let mut steps: Vec<(Options, PathBuf, Vec<&str>)> = Vec::new();
    steps.push((in_a_bucket.clone(), to("bucket"), vec!["--to-blobs", "s3://contents/first"]));
    let server_and_bucket = vec!["--to-database", &first_url, "--to-blobs", "s3://contents/first"];
    steps.push((on_the_server.clone(), to("server"), server_and_bucket));
    let both = vec!["--to-database", &second_url, "--to-blobs", "s3://contents/second"];
    steps.push((elsewhere.clone(), to("elsewhere"), both));
    steps.push((in_a_folder.clone(), to("back"), Vec::new()));
    let (mut from, mut data) = (in_a_folder.clone(), studio.data_dir.clone());
    let mut sums = Vec::new();
    for (options, new, flags) in steps {
        // The bucket that it is moved to has to be reached, also from a folder.
        let mover = from.reaching(&with_a_folder);
        let moved = mover.command(&data, &[&["move", "--json", "--to-data", path(&new)], &flags[..]].concat());
        let done = result(&moved, 0);
        assert_eq!(done["findings"], 0, "{done}");
        let mut all = events(&moved, "table");
        all.extend(events(&moved, "contents"));
        all.extend(events(&moved, "staged_uploads"));
        assert!(all.len() > 25, "{all:?}");
        sums.push(all);
        if new == to("server") {
            assert_same(&before, &look_there(options.clone(), &new, &keys).await);
        }
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["keys", "list"]] {
            let left = mover.command(&data, command);
            assert!(left.status.code() == Some(2) && said(&left).contains("it was moved to"), "{}", said(&left));
        }
        (from, data) = (options, new);
    }
    assert_eq!(result(&in_a_folder.command(&data, &["verify", "--json"]), 0)["findings"], 0);
    // In between it was looked at, and keys remember when they were used last.
    assert!(sums[0] == sums[1] && sums[2] == sums[3], "the sums of one place are those of the next");
    let rows: u64 = sums[0].iter().filter_map(|line| line["rows"].as_u64()).sum();
    println!("{rows} rows of {} tables, {}", sums[0].len(), sums[0].last().unwrap());
    assert_same(&before, &look_there(in_a_folder, &data, &keys).await);
}

#[tokio::test]
async fn a_move_that_was_killed_is_not_served_and_goes_on_and_can_be_taken_back() {
    let (server, bucket, place) = (Server::start(), Bucket::start(), tempfile::tempdir().unwrap());
    let database = server.make_database();
    let (mut studio, key, http) = start_with_files(12, 9_000).await;
    let files = list_files(&http).await;
    assert!(studio.stop().success());
    let way = slow_way_to(&bucket);
    let (data, url, blobs) = (place.path().join("moved"), database.url(), bucket.url());
    let flags = ["move", "--json", "--to-data", path(&data), "--to-database", &url, "--to-blobs", &blobs];
    let slow = Options::new().reaching(&Options::new().bucket_behind(&bucket, &way.api.url()));
    let moving = slow.prepare(&studio.data_dir, &flags).stdout(Stdio::null()).spawn().unwrap();
    kill_midway(moving, &bucket, 12).await;
    let options = Options::new().database(&database).bucket(&bucket);
    let served = options.command(&data, &["serve", "--listen", "127.0.0.1:0", "--blobs", &blobs]);
    assert_eq!(served.status.code(), Some(1), "{}", said(&served));
    // Where it was, it is served as ever, and what comes meanwhile comes along.
    studio.restart();
    upload(&http, "meanwhile.txt", b"meanwhile").await;
    assert!(studio.stop().success());
    let mover = Options::new().reaching(&Options::new().bucket(&bucket));
    assert_eq!(result(&mover.command(&studio.data_dir, &flags), 0)["contents"], 13);
    let again = mover.command(&studio.data_dir, &["move", "--to-data", path(&place.path().join("second"))]);
    assert!(again.status.code() == Some(2) && said(&again).contains("it was moved to"), "{}", said(&again));

    let moved = Studio::start(options.data_dir(&data));
    let there = Http::new(&moved.base_url).with_key(&key).with_version(CANONICAL);
    let found = list_files(&there).await;
    assert!(found.len() == 13 && files.iter().all(|(id, hash)| found.get(id) == Some(hash)), "{found:?}");
    drop(moved);
    result(&mover.command(&studio.data_dir, &["move", "--undo", "--json"]), 0);
    studio.restart();
    assert_eq!(list_files(&http).await.len(), 13);
}

#[tokio::test]
async fn a_move_that_was_killed_when_the_old_place_had_been_closed_comes_to_its_end() {
    let (server, bucket, place) = (Server::start(), Bucket::start(), tempfile::tempdir().unwrap());
    let database = server.make_database();
    let (mut studio, key, http) = start_with_files(3, 9_100).await;
    let files = list_files(&http).await;
    assert!(studio.stop().success());
    // When contents have come and the old place is closed, a move writes into the bucket whose it is: there it stands still.
    let have_come = AtomicBool::new(false);
    let way = StillWay::start(&bucket, move |request| {
        have_come.fetch_or(request.method == "PUT" && request.path.contains("sha256"), Ordering::Relaxed);
        request.method == "PUT" && request.path.ends_with("studio.json") && have_come.load(Ordering::Relaxed)
    });
    let (data, url, blobs) = (place.path().join("moved"), database.url(), bucket.url());
    let flags = ["move", "--json", "--to-data", path(&data), "--to-database", &url, "--to-blobs", &blobs];
    let slow = Options::new().reaching(&Options::new().bucket_behind(&bucket, &way.url()));
    let mover = Options::new().reaching(&Options::new().bucket(&bucket));
    let options = Options::new().database(&database).bucket(&bucket);
    let kill_at_its_end = async || {
        let mut moving = slow.prepare(&studio.data_dir, &flags).stdout(Stdio::null()).spawn().unwrap();
        way.wait_until_asked().await;
        moving.kill().unwrap();
        moving.wait().unwrap();
        let left = mover.command(&studio.data_dir, &["serve", "--listen", "127.0.0.1:0"]);
        assert!(left.status.code() == Some(2) && said(&left).contains("it was moved to"), "{}", said(&left));
        let served = options.command(&data, &["serve", "--listen", "127.0.0.1:0", "--blobs", &blobs]);
        assert!(!served.status.success(), "{}", said(&served));
    };
    kill_at_its_end().await;
    // Taken back, it is served where it was; moved again, what was filled is filled anew.
    result(&mover.command(&studio.data_dir, &["move", "--undo", "--json"]), 0);
    kill_at_its_end().await;
    let done = result(&mover.command(&studio.data_dir, &flags), 0);
    assert!(done["contents"] == 3 && done["findings"] == 0, "{done}");
    let moved = Studio::start(options.data_dir(&data));
    let there = Http::new(&moved.base_url).with_key(&key).with_version(CANONICAL);
    assert_eq!(list_files(&there).await, files);
}

#[tokio::test]
async fn a_place_that_holds_something_is_refused_and_both_are_left_as_they_are() {
    let (server, place) = (Server::start(), tempfile::tempdir().unwrap());
    let (used, empty) = (server.make_database(), server.make_database());
    let mut other = Studio::start(Options::new().database(&used));
    let mut studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    upload(&http, "a.txt", b"some bytes").await;
    assert!(other.stop().success() && studio.stop().success());
    let (used_url, empty_url) = (used.url(), empty.url());
    let new = place.path().join("new");
    let inside = studio.data_dir.join("inside");
    for (to, database, words) in [
        (&new, &used_url, "an empty database"),
        (&other.data_dir, &empty_url, "is not empty"),
        (&inside, &empty_url, "its own data folder"),
    ] {
        let refused = studio.command(&["move", "--to-data", path(to), "--to-database", database]);
        assert!(refused.status.code() == Some(2) && said(&refused).contains(words), "{}", said(&refused));
    }
    assert!(!new.exists() && !inside.exists(), "nothing was begun");
    assert_eq!(empty.query("SELECT COUNT(*) FROM organizations").trim(), "0");
    studio.restart();
    assert_eq!(list_files(&http).await.len(), 1);
    assert!(studio.stop().success());
    let moved = studio.command(&["move", "--to-data", path(&new), "--to-database", &empty_url]);
    let told = String::from_utf8_lossy(&moved.stdout).into_owned();
    assert!(moved.status.success(), "{told}{}", said(&moved));
    assert!(told.contains("files: 1 rows, the same on both sides") && told.contains("is left as it was"), "{told}");
    other.restart();
}
