//! Backups of studios whose rows lie on a PostgreSQL server, taken beside all their processes, and restores to wherever they may go.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use easel_tests::bucket::Bucket;
use easel_tests::drive::upload;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::postgres::{Database, Server};
use easel_tests::proxy::Seen;
use easel_tests::several::Rig;
use easel_tests::soak;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

use crate::backups::result;
use crate::buckets::{StillWay, key_of, kill_midway, noise, slow_way_to};
use crate::load::{Load, list_files, see_tasks_end};
use crate::several::{PATIENCE, text};

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn delete_for_good(http: &Http, file: &str) {
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    http.delete(&format!("/v1/drive/trash/{file}")).await.is(200);
}

/// Whether a request fetches a content.
fn is_fetched(request: &Seen) -> bool {
    request.method == "GET" && request.path.contains("sha256")
}

/// Runs something that waits where a test's own tasks go on.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("work that ends")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_from_three_processes_misses_nothing_and_goes_anywhere() {
    let rig = Rig::start(Options::new(), 3);
    let key = rig.studios[0].create_key("load").key;
    let mut load = Load::start(&rig.client(&key), 4, soak::seed());
    load.wait_for_work(12).await;
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    // From a folder that nothing was ever served from, with what every process is given.
    let operator = place.path().join("operator");
    let key_file = rig.studios[0].data_dir.join("studio.key");
    let before = load.acknowledged();
    let taken = {
        let (options, backup, key_file) = (rig.options.clone(), backup.clone(), key_file.clone());
        beside(move || options.command(&operator, &["backup", path(&backup), "--json", "--key-file", path(&key_file)]))
    };
    let taken = result(&taken.await, 0);
    assert!(taken["findings"] == 0 && taken["key_file"] == true, "{taken}");
    let after = load.acknowledged();
    load.stop().await;

    let (bucket, database) = (Bucket::start(), rig.server.make_database());
    let elsewhere = Options::new().database(&database).bucket(&bucket);
    let (mut seen, mut drawn) = (0, 0);
    for (number, options) in [elsewhere, Options::new()].into_iter().enumerate() {
        let data = place.path().join(format!("restored {number}"));
        let restored = result(&options.command(&data, &["restore", path(&backup), "--json"]), 0);
        assert!(restored["findings"] == 0 && restored["contents"] == taken["contents"], "{restored}");
        assert_eq!(result(&options.command(&data, &["verify", "--json"]), 0)["findings"], 0);
        let again = Studio::start(options.data_dir(&data));
        let http = Http::new(&again.base_url).with_key(&key).with_version(CANONICAL);
        let there = list_files(&http).await;
        for (id, known, now) in before.living_until(&after) {
            let found = there.get(id).unwrap_or_else(|| panic!("{id}"));
            assert!(known.may_be(now, found), "{id} is {found}: {known:?}, {now:?}");
            let content = http.get(&format!("/v1/drive/files/{id}/content")).await;
            assert_eq!(format!("sha256:{}", easel_tests::samples::hash_bytes(&content.body)), *found);
            seen += 1;
        }
        drawn += see_tasks_end(&http, &before.tasks).await;
    }
    println!("{seen} acknowledged files and {drawn} designs found");
    assert!(seen > 0 && drawn > 0, "nothing was acknowledged, so nothing was shown");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_a_backup_copies_no_process_removes_what_it_copies() {
    let rig = Rig::start(Options::new(), 2);
    let key = rig.studios[0].create_key("k").key;
    let each = rig.each(&key);
    let mut files = Vec::new();
    for number in 0..12_u64 {
        let content = noise(3_000, 4_000 + number);
        files.push((text(&upload(&each[0], &format!("{number}.bin"), &content).await["file_id"]), content));
    }
    let signed = each[0].post("/v1/uploads/url", &json!({"filename": "s", "mime_type": "text/plain"})).await.success();
    each[0].put_bytes(&text(&signed["upload_url"]), "text/plain", "staged").await.is(200);
    // Contents stand still on the backup's way to the bucket until everything has gone.
    let way = StillWay::start(&rig.bucket, is_fetched);
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    let taking = {
        let options = Options::new().database(&rig.database).bucket_behind(&rig.bucket, &way.url());
        let (data, backup) = (rig.studios[1].data_dir.clone(), backup.clone());
        beside(move || options.command(&data, &["backup", path(&backup), "--json"]))
    };
    let taking = tokio::spawn(taking);
    way.wait_until_asked().await;
    // Every file goes for good, at the process that does not share a disk with the backup, and what was staged is registered.
    for (file, _) in &files {
        delete_for_good(&each[0], file).await;
    }
    let registered = each[0].post("/v1/uploads/register", &json!({"storage_key": signed["storage_key"]})).await;
    let registered = text(&registered.success()["file_id"]);
    assert!(!taking.is_finished(), "the backup was over before everything went");
    // Longer than a removal that waits for nobody takes.
    tokio::time::sleep(Duration::from_secs(2)).await;
    way.let_go();
    let taken = result(&taking.await.unwrap(), 0);
    assert_eq!((&taken["contents"], &taken["staged_uploads"], &taken["findings"]), (&json!(12), &json!(1), &json!(0)));
    for (_, content) in &files {
        assert!(backup.join("blobs").join(key_of(content)).is_file());
    }
    // Afterwards what waited goes.
    wait_for("the removals that waited", PATIENCE, async || {
        let left = [rig.bucket.keys("sha256/"), rig.bucket.keys("pending/")].concat();
        if left == [key_of(b"staged")] { Ok(()) } else { Err(left.join(" ")) }
    })
    .await;
    each[1].get(&format!("/v1/drive/files/{registered}/content")).await.is(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_loses_its_database_is_refused_and_leaves_the_earlier_ones() {
    let mut rig = Rig::start(Options::new(), 2);
    let key = rig.studios[0].create_key("k").key;
    let http = rig.client(&key);
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    let take = |options: Options| {
        let (data, backup) = (rig.studios[1].data_dir.clone(), backup.clone());
        beside(move || options.command(&data, &["backup", path(&backup), "--json"]))
    };
    upload(&http, "first.txt", b"the first").await;
    let direct = Options::new().database(&rig.database).bucket(&rig.bucket);
    assert_eq!(result(&take(direct.clone()).await, 0)["new_contents"], 1);
    upload(&http, "second.txt", b"the second").await;
    let way = StillWay::start(&rig.bucket, is_fetched);
    let losing = tokio::spawn(take(Options::new().database(&rig.database).bucket_behind(&rig.bucket, &way.url())));
    way.wait_until_asked().await;
    tokio::task::block_in_place(|| rig.server.restart());
    way.let_go();
    let lost = losing.await.unwrap();
    // Contents may have been removed since the session ended that held them, so nothing is said to be whole.
    assert!(lost.status.code() == Some(2) && said(&lost).contains("run it again"), "{}", said(&lost));
    let databases = || {
        let names = std::fs::read_dir(backup.join("databases")).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| *name != "unfinished.db").count()
    };
    assert_eq!(databases(), 1, "the earlier one alone");
    let again = result(&take(direct).await, 0);
    assert_eq!((&again["contents"], &again["findings"], databases()), (&json!(2), &json!(0), 2));
    let restored = place.path().join("restored");
    assert_eq!(result(&Options::new().command(&restored, &["restore", path(&backup), "--json"]), 0)["contents"], 2);
}

/// A studio on a server with a bucket, stopped, and a backup of it.
struct Kept {
    place: tempfile::TempDir,
    key: String,
    contents: Vec<Vec<u8>>,
    server: Server,
}

impl Kept {
    async fn take(count: u64) -> Self {
        let rig = Rig::start(Options::new(), 1);
        let key = rig.studios[0].create_key("k").key;
        let http = rig.client(&key);
        let contents: Vec<_> = (0..count).map(|number| noise(20_000, 8_000 + number)).collect();
        for (number, content) in contents.iter().enumerate() {
            upload(&http, &format!("{number}.bin"), content).await;
        }
        let place = tempfile::tempdir().unwrap();
        let backup = place.path().join("backup");
        assert_eq!(result(&rig.studios[0].command(&["backup", path(&backup), "--json"]), 0)["findings"], 0);
        Self { place, key, contents, server: rig.end() }
    }

    fn backup(&self) -> std::path::PathBuf {
        self.place.path().join("backup")
    }

    fn count_users(database: &Database) -> String {
        database.query("SELECT COUNT(*) FROM users").trim().to_owned()
    }

    async fn check(&self, options: Options) {
        let again = Studio::start(options);
        let http = Http::new(&again.base_url).with_key(&self.key).with_version(CANONICAL);
        let there = list_files(&http).await;
        assert_eq!(there.len(), self.contents.len());
        let mut found = Vec::new();
        for id in there.keys() {
            found.push(http.get(&format!("/v1/drive/files/{id}/content")).await.body.to_vec());
        }
        found.sort();
        let mut expected = self.contents.clone();
        expected.sort();
        assert!(found == expected, "every byte");
        // Counts and numbers go on from where they were.
        upload(&http, "after.txt", b"afterwards").await;
        let page = http.get("/v1/drive/files").await.expect(200);
        assert_eq!(page["total"], json!(there.len() + 1), "{page}");
        assert!(again.command(&["users", "add", "new@example.test", "--role", "member"]).status.success());
        assert_eq!(result(&again.command(&["verify", "--json"]), 0)["findings"], 0);
    }
}

#[tokio::test]
async fn a_database_that_holds_something_is_refused_and_left_as_it_is() {
    let kept = Kept::take(2).await;
    let used = kept.server.make_database();
    let mut other = Studio::start(Options::new().database(&used));
    other.add_user("ann@example.test", "member");
    let refuse = |code: i32, words: &str| {
        let data = kept.place.path().join("refused");
        let refused = Options::new().database(&used).command(&data, &["restore", path(&kept.backup())]);
        assert!(refused.status.code() == Some(code) && said(&refused).contains(words), "{}", said(&refused));
        assert!(!data.join("restore.unfinished").exists() && !data.join("blobs").exists(), "nothing was begun");
    };
    refuse(2, "an empty database");
    assert!(other.stop().success());
    refuse(2, "an empty database");
    assert_eq!(Kept::count_users(&used), "2");
    other.restart();
    Http::new(&other.base_url).with_key(&other.create_key("k").key).get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn a_restore_that_was_killed_is_not_served_and_goes_on() {
    let kept = Kept::take(12).await;
    let (bucket, database) = (Bucket::start(), kept.server.make_database());
    let way = slow_way_to(&bucket);
    let data = kept.place.path().join("restored");
    let slow = Options::new().database(&database).bucket_behind(&bucket, &way.api.url());
    let backup = kept.backup();
    let restore = ["restore", path(&backup), "--json"];
    let restoring = slow.prepare(&data, &restore).stdout(std::process::Stdio::null()).spawn().unwrap();
    kill_midway(restoring, &bucket, 12).await;
    let options = Options::new().database(&database).bucket(&bucket);
    let served = options.command(&data, &["serve", "--listen", "127.0.0.1:0", "--blobs", &bucket.url()]);
    assert_eq!(served.status.code(), Some(1), "{}", said(&served));
    assert!(said(&served).contains("contents"), "{}", said(&served));
    let restored = result(&options.command(&data, &restore), 0);
    assert!(restored["new_contents"].as_u64() < Some(11), "not all of it again: {restored}");
    assert_eq!(result(&options.command(&data, &["verify", "--json"]), 0)["findings"], 0);
    kept.check(options.data_dir(&data)).await;
    assert_eq!(options_refuse_again(&kept, &database, &bucket), Some(2));
}

/// What a restore into the database and bucket that were just restored to ends with.
fn options_refuse_again(kept: &Kept, database: &Database, bucket: &Bucket) -> Option<i32> {
    let data = kept.place.path().join("again");
    let options = Options::new().database(database).bucket(bucket);
    options.command(&data, &["restore", path(&kept.backup())]).status.code()
}

#[tokio::test]
async fn a_database_that_was_filled_and_not_finished_is_closed_and_filled_anew() {
    let kept = Kept::take(3).await;
    let database = kept.server.make_database();
    let options = Options::new().database(&database);
    let data = kept.place.path().join("restored");
    result(&options.command(&data, &["restore", path(&kept.backup()), "--json"]), 0);
    // As it is when it is killed between its rows and its end.
    let _ = database.query(
        "UPDATE shared_settings SET closed = 'what is brought here has not all come yet; run the restore or the move again'",
    );
    let _ = database.query("UPDATE users SET name = 'half'");
    std::fs::write(data.join("restore.unfinished"), b"").unwrap();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["users", "list"]] {
        let refused = options.command(&data, command);
        assert!(refused.status.code() == Some(2) && said(&refused).contains("run the restore"), "{}", said(&refused));
    }
    result(&options.command(&data, &["restore", path(&kept.backup()), "--json"]), 0);
    assert_eq!(database.query("SELECT COUNT(*) FROM users WHERE name = 'half'").trim(), "0");
    kept.check(options.data_dir(&data)).await;
}

#[tokio::test]
async fn commands_work_for_every_combination_and_from_any_data_folder() {
    let (server, place) = (Server::start(), tempfile::tempdir().unwrap());
    for number in 0..4 {
        let (bucket, database) = (Bucket::start(), server.make_database());
        let mut options = Options::new();
        if number % 2 == 1 {
            options = options.bucket(&bucket);
        }
        if number >= 2 {
            options = options.database(&database);
        }
        let studio = Studio::start(options.clone());
        let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
        upload(&http, "a.txt", b"some bytes").await;
        let mut places = vec![(studio.data_dir.clone(), Vec::new())];
        if number == 3 {
            // A machine that has nothing but what it is told.
            let key_file = studio.data_dir.join("studio.key").display().to_string();
            places.push((place.path().join("another machine"), vec!["--key-file".to_owned(), key_file]));
        }
        for (data, more) in &places {
            let run = |command: &[&str]| {
                let more: Vec<&str> = more.iter().map(String::as_str).collect();
                let output = options.command(data, &[command, &more].concat());
                assert!(output.status.success(), "{number} {command:?}: {}", said(&output));
                String::from_utf8_lossy(&output.stdout).into_owned()
            };
            let began = Instant::now();
            assert!(run(&["verify"]).contains("0 findings"), "{number}");
            assert!(run(&["users", "list"]).contains("owner@localhost"));
            assert!(run(&["organizations", "list"]).contains("My organization"));
            assert!(run(&["keys", "list"]).contains("\"k\""));
            assert!(run(&["audit"]).contains("key_created"));
            assert!(run(&["uploads", "list"]).is_empty());
            assert!(run(&["uploads", "clear", "--older-than-days", "1"]).is_empty());
            assert!(run(&["contents", "list"]).is_empty());
            run(&["quotas", "set", "--files", "default"]);
            let backup = place.path().join(format!("backup {number}"));
            assert!(run(&["backup", path(&backup)]).contains("1 contents"));
            println!("{number}: {:?}", began.elapsed());
        }
        let found: Value = http.get("/v1/drive/files").await.expect(200);
        assert_eq!(found["data"][0]["name"], "a.txt");
    }
}
