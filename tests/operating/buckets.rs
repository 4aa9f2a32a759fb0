//! A studio whose contents lie in a bucket: what comes in, goes out and goes away, backups of it, and which bucket is whose.

use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use easel_tests::bucket::{Bucket, SECRET};
use easel_tests::drive::{replace_content, upload};
use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::postgres::Server;
use easel_tests::proxy::{Fault, Seen};
use easel_tests::samples::{Noise, hash_bytes};
use easel_tests::several::Front;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::backups::result;
use crate::load::{Load, list_files, see_tasks_end};
use crate::several::PATIENCE;
use crate::verify::findings;

/// More than goes to a bucket at once: several parts.
const LARGE_BYTES: usize = 20_000_000;

/// The key of a content in a bucket.
pub fn key_of(content: &[u8]) -> String {
    let digits = hash_bytes(content);
    format!("sha256/{}/{digits}", &digits[..2])
}

/// A client with a new key of the owner.
pub fn client_of(studio: &Studio) -> Http {
    Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL)
}

/// Bytes that no other seed has.
pub fn noise(size_bytes: usize, seed: u64) -> Vec<u8> {
    let mut random = Noise::new(seed);
    std::iter::repeat_with(|| random.draw().to_le_bytes()).flatten().take(size_bytes).collect()
}

/// Signs, PUTs and registers; returns the storage key and the answer to the registration.
async fn upload_signed(http: &Http, content: &[u8]) -> Value {
    let asked = json!({"filename": "signed.bin", "mime_type": "application/octet-stream"});
    let signed = http.post("/v1/uploads/url", &asked).await.success();
    let url = signed["upload_url"].as_str().expect("an address");
    http.put_bytes(url, "application/octet-stream", content.to_vec()).await.is(200);
    http.post("/v1/uploads/register", &json!({"storage_key": signed["storage_key"]})).await.success()
}

/// Waits until these and no other objects are in the bucket, beside the note whose it is.
pub async fn wait_for_keys(bucket: &Bucket, expected: &[String]) {
    let mut expected = expected.to_vec();
    expected.push("studio.json".to_owned());
    expected.sort();
    wait_for("the objects of the bucket", Duration::from_secs(20), async || {
        let found = bucket.keys("");
        if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}")) }
    })
    .await;
}

/// A way to a bucket that takes its time for each content.
pub fn slow_way_to(bucket: &Bucket) -> Front {
    let way = Front::start();
    way.api.forward_to(&bucket.authority());
    way.api.break_by(|request| {
        if request.method == "PUT" && request.path.contains("sha256") {
            std::thread::sleep(Duration::from_millis(200));
        }
        Fault::Pass
    });
    way
}

/// A way to a bucket on which the requests that a test chooses stand still until it lets them go.
pub struct StillWay {
    way: Front,
    is_asked: Arc<AtomicBool>,
    let_go: CancellationToken,
}

impl StillWay {
    pub fn start(bucket: &Bucket, stands: impl Fn(&Seen) -> bool + Send + Sync + 'static) -> Self {
        let still = Self { way: Front::start(), is_asked: Arc::default(), let_go: CancellationToken::new() };
        still.way.api.forward_to(&bucket.authority());
        let (is_asked, let_go) = (Arc::clone(&still.is_asked), still.let_go.clone());
        still.way.api.break_by(move |request| {
            if !stands(request) {
                return Fault::Pass;
            }
            is_asked.store(true, Ordering::Relaxed);
            Fault::StandUntil(let_go.clone())
        });
        still
    }

    pub fn url(&self) -> String {
        self.way.api.url()
    }

    /// Waits for the first of these requests since the last one was waited for.
    pub async fn wait_until_asked(&self) {
        wait_for("a request that stands still", PATIENCE, async || {
            if self.is_asked.swap(false, Ordering::Relaxed) { Ok(()) } else { Err("nothing") }
        })
        .await;
    }

    pub fn let_go(&self) {
        self.let_go.cancel();
    }
}

/// Kills a command that fills a bucket with so many contents, as soon as the first have come.
pub async fn kill_midway(mut command: Child, bucket: &Bucket, contents: usize) {
    wait_for("the first contents", PATIENCE, async || {
        let there = bucket.keys("sha256/").len();
        if there > 2 { Ok(()) } else { Err(there) }
    })
    .await;
    command.kill().unwrap();
    command.wait().unwrap();
    assert!(bucket.keys("sha256/").len() < contents, "it was over");
}

/// The text of every file of a folder.
fn everything_in(folder: &Path, found: &mut Vec<u8>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            everything_in(&entry.path(), found);
        } else {
            found.extend(std::fs::read(entry.path()).expect("a file"));
        }
    }
}

#[tokio::test]
async fn everything_that_comes_lies_in_the_bucket_and_goes_from_there() {
    let bucket = Bucket::start();
    let mut studio = Studio::start(Options::new().bucket(&bucket));
    let http = client_of(&studio);
    let (small, large) = (b"a few bytes".to_vec(), noise(LARGE_BYTES, 1));
    let mut ids = Vec::new();
    for (number, content) in [&small, &large].into_iter().enumerate() {
        let direct = upload(&http, &format!("{number}.bin"), content).await;
        assert_eq!(direct["was_duplicate"], false);
        assert_eq!(upload_signed(&http, content).await["was_duplicate"], true, "the same content, signed");
        ids.push(direct["file_id"].as_str().expect("an id").to_owned());
    }
    let signed = noise(LARGE_BYTES, 2);
    ids.push(upload_signed(&http, &signed).await["file_id"].as_str().expect("an id").to_owned());
    replace_content(&http, &ids[0], "text/plain", b"other bytes").await;
    let keys: Vec<String> = [&small[..], &large, &signed, b"other bytes"].into_iter().map(key_of).collect();
    wait_for_keys(&bucket, &keys).await;

    for (id, content) in [(&ids[1], &large), (&ids[2], &signed)] {
        let path = format!("/v1/drive/files/{id}/content");
        assert_eq!(http.get(&path).await.body, *content);
        for (range, part) in [
            ("bytes=0-0", 0..1),
            ("bytes=9000000-9000009", 9_000_000..9_000_010),
            ("bytes=-7", LARGE_BYTES - 7..LARGE_BYTES),
        ] {
            let answer = http.with_header("range", range).get(&path).await;
            answer.is(206);
            assert_eq!(answer.body, content[part], "{range}");
        }
        http.with_header("range", "bytes=20000000-").get(&path).await.is(416);
    }
    let left = studio.data_dir.join("blobs");
    assert!(!left.join("sha256").exists() && !left.join("pending").exists(), "nothing lies in the folder");
    assert_eq!(std::fs::read_dir(left.join("incoming")).unwrap().count(), 0, "nothing is left of what came");
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["contents"], 4);

    for id in &ids {
        http.delete(&format!("/v1/drive/items/{id}")).await.is(200);
    }
    http.delete("/v1/drive/trash").await.is(200);
    wait_for_keys(&bucket, &[]).await;
    // What has just gone may come again at once.
    upload(&http, "again.bin", &large).await;
    assert!(studio.stop().success());
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["findings"], 0);
    let mut everything = studio.log().into_bytes();
    everything_in(&studio.data_dir, &mut everything);
    assert!(!everything.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()), "the secret of the bucket");
}

#[tokio::test]
async fn designs_and_exports_are_drawn_into_the_bucket() {
    let bucket = Bucket::start();
    let studio = Studio::start(Options::new().bucket(&bucket));
    let http = client_of(&studio);
    let mut load = Load::start(&http, 2, 7);
    load.wait_for_work(4).await;
    load.stop().await;
    let tasks = load.acknowledged().tasks;
    assert!(see_tasks_end(&http, &tasks).await > 0, "nothing was drawn");
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["findings"], 0);
}

#[tokio::test]
async fn a_studio_is_opened_with_the_place_that_it_was_used_with_and_with_no_other() {
    let (bucket, other) = (Bucket::start(), Bucket::start());
    let refused = |options: &Options, data: &Path, arguments: &[&str], words: &str| {
        let output = options.command(data, arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(words) && !told.contains(SECRET), "{arguments:?}: {told}");
    };
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let url = bucket.url();
    let with_bucket = [&serve[..], &["--blobs", &url]].concat();
    let in_bucket = Options::new().bucket(&bucket);
    let mut studio = Studio::start(in_bucket.clone());
    let http = client_of(&studio);
    upload(&http, "a.txt", b"in the bucket").await;
    studio.stop();
    let data = studio.data_dir.clone();
    refused(&Options::new(), &data, &serve, &format!("--blobs {url}"));
    refused(
        &in_bucket,
        &data,
        &[&serve[..], &["--blobs", "s3://contents/elsewhere"]].concat(),
        &format!("--blobs {url}"),
    );
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    for command in
        [&["verify"][..], &["contents", "list"], &["backup", backup.to_str().unwrap()], &["contents", "set-aside"]]
    {
        refused(&Options::new(), &data, command, &format!("--blobs {url}"));
    }
    // The same name at another endpoint is another bucket.
    let elsewhere = Options::new().bucket(&other);
    refused(&elsewhere, &data, &with_bucket, "holds nothing of this studio");
    refused(&elsewhere, &data, &["verify"], "holds nothing of this studio");
    let second = Studio::start(elsewhere.clone());
    refused(&elsewhere, &data, &with_bucket, "belongs to another studio");
    drop(second);

    let mut in_folder = Studio::start(Options::new());
    upload(&client_of(&in_folder), "a.txt", b"in the folder").await;
    in_folder.stop();
    let empty = Bucket::start();
    let to_empty = Options::new().bucket(&empty);
    refused(&to_empty, &in_folder.data_dir, &with_bucket, "in its data folder");
    refused(&to_empty, &in_folder.data_dir, &["verify"], "in its data folder");
    assert_eq!(empty.keys(""), Vec::<String>::new(), "nothing was written where nothing was opened");
    studio.restart();
    assert_eq!(list_files(&http).await.len(), 1);
}

#[tokio::test]
async fn a_backup_of_a_bucket_is_restored_into_a_folder_another_bucket_or_the_same() {
    let bucket = Bucket::start();
    let in_bucket = Options::new().bucket(&bucket);
    let mut studio = Studio::start(in_bucket.clone());
    let key = studio.create_key("k").key;
    let http = Http::new(&studio.base_url).with_key(&key).with_version(CANONICAL);
    let contents = [b"small".to_vec(), noise(LARGE_BYTES, 3)];
    for (number, content) in contents.iter().enumerate() {
        upload(&http, &format!("{number}.bin"), content).await;
    }
    let signed = http.post("/v1/uploads/url", &json!({"filename": "s", "mime_type": "text/plain"})).await.success();
    http.put_bytes(signed["upload_url"].as_str().unwrap(), "text/plain", "staged").await.is(200);
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    let backup = backup.to_str().unwrap();
    let taken = result(&studio.command(&["backup", backup, "--json"]), 0);
    assert_eq!(
        (&taken["contents"], &taken["new_contents"], &taken["staged_uploads"]),
        (&json!(2), &json!(2), &json!(1))
    );
    assert_eq!(result(&studio.command(&["backup", backup, "--json"]), 0)["new_contents"], 0, "not all of it again");
    studio.stop();

    let other = Bucket::start();
    for (number, options) in [Options::new(), Options::new().bucket(&other), in_bucket.clone()].into_iter().enumerate()
    {
        let data = place.path().join(format!("restored {number}"));
        let restored = result(&options.command(&data, &["restore", backup, "--json"]), 0);
        let new = if number == 2 { 0 } else { 2 };
        assert_eq!((&restored["findings"], &restored["new_contents"]), (&json!(0), &json!(new)), "{restored}");
        assert_eq!(result(&options.command(&data, &["verify", "--json"]), 0)["findings"], 0);
        let again = Studio::start(options.data_dir(&data));
        let http = Http::new(&again.base_url).with_key(&key).with_version(CANONICAL);
        let mut found = Vec::new();
        for id in list_files(&http).await.keys() {
            found.push(http.get(&format!("/v1/drive/files/{id}/content")).await.body.to_vec());
        }
        found.sort_by_key(Vec::len);
        assert_eq!(found, contents);
        let _ = http.post("/v1/uploads/register", &json!({"storage_key": signed["storage_key"]})).await.success();
    }
    let refused = studio.command(&["verify"]);
    assert_eq!(refused.status.code(), Some(2), "its bucket is the restored one's now");
    let third = place.path().join("third");
    let taken = Options::new().bucket(&other).command(&third, &["restore", backup]);
    assert_eq!(taken.status.code(), Some(2), "a bucket that another studio has");
}

#[tokio::test]
async fn what_is_damaged_missing_or_nobodys_in_a_bucket_is_found_and_mended() {
    let bucket = Bucket::start();
    let mut studio = Studio::start(Options::new().bucket(&bucket));
    let http = client_of(&studio);
    let contents: [&[u8]; 3] = [b"stays whole", b"gets damaged", b"goes missing"];
    let mut ids = Vec::new();
    for (number, content) in contents.iter().enumerate() {
        ids.push(upload(&http, &format!("{number}.txt"), content).await["file_id"].clone());
    }
    let place = tempfile::tempdir().unwrap();
    let backup = place.path().join("backup");
    let backup = backup.to_str().unwrap();
    result(&studio.command(&["backup", backup, "--json"]), 0);
    let held = studio.command(&["verify", "--repair"]);
    assert_eq!(held.status.code(), Some(3), "a repair wants the service stopped");
    std::fs::write(bucket.place_of(&key_of(contents[1])), b"gets damagee").unwrap();
    let broken = http.get(&format!("/v1/drive/files/{}/content", ids[1].as_str().unwrap())).await;
    assert!(broken.status.is_server_error(), "damage is never served: {broken:?}");
    studio.stop();
    std::fs::remove_file(bucket.place_of(&key_of(contents[2]))).unwrap();
    std::fs::create_dir_all(bucket.place_of("pending")).unwrap();
    std::fs::write(bucket.place_of("pending/0190"), b"staged by nobody").unwrap();
    let looked = studio.command(&["verify", "--json"]);
    assert_eq!(result(&looked, 4)["left"], 3);
    let kinds: Vec<String> = findings(&looked.stdout).into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, ["damaged", "missing", "staged_unnamed"]);
    assert_eq!(result(&studio.command(&["verify", "--json", "--repair", "--from", backup]), 0)["left"], 0);
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["findings"], 0);
    let kept = bucket.keys("damaged/");
    assert_eq!(kept.len(), 1, "nothing is deleted: {kept:?}");
    studio.restart();
    for (id, content) in ids.iter().zip(contents) {
        assert_eq!(http.get(&format!("/v1/drive/files/{}/content", id.as_str().unwrap())).await.body, content);
    }
}

#[tokio::test]
async fn the_contents_of_a_lost_database_are_set_aside_in_the_bucket_and_brought_back() {
    let bucket = Bucket::start();
    let mut studio = Studio::start(Options::new().bucket(&bucket));
    let http = client_of(&studio);
    for content in [b"one".as_slice(), b"two"] {
        upload(&http, "a.txt", content).await;
    }
    studio.stop();
    for name in ["studio.db", "studio.db-wal", "studio.db-shm"] {
        let _ = std::fs::remove_file(studio.data_dir.join(name));
    }
    let url = bucket.url();
    let lost = Options::new()
        .bucket(&bucket)
        .command(&studio.data_dir, &["serve", "--listen", "127.0.0.1:0", "--blobs", &url]);
    let told = String::from_utf8_lossy(&lost.stderr).into_owned();
    assert!(lost.status.code() == Some(1) && told.contains("contents set-aside"), "{told}");
    assert_eq!(bucket.keys("sha256/").len(), 2, "nothing is touched by a start that is refused");
    let aside = studio.command(&["contents", "set-aside"]);
    assert_eq!(String::from_utf8_lossy(&aside.stdout).trim(), r#"{"set_aside":2}"#);
    assert_eq!((bucket.keys("sha256/").len(), bucket.keys("aside/").len()), (0, 2));

    studio.restart();
    let http = client_of(&studio);
    assert_eq!(list_files(&http).await.len(), 0);
    assert_eq!(studio.command(&["contents", "bring-back"]).status.code(), Some(3), "not beside a running service");
    studio.stop();
    assert_eq!(String::from_utf8_lossy(&studio.command(&["contents", "bring-back"]).stdout).lines().count(), 2);
    studio.restart();
    assert_eq!(list_files(&http).await.len(), 2);
    assert_eq!((bucket.keys("sha256/").len(), bucket.keys("aside/").len()), (2, 0));
    assert_eq!(result(&studio.command(&["verify", "--json"]), 0)["findings"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_start_is_ready_before_it_has_looked_through_its_bucket_and_what_nobody_names_is_set_aside() {
    let server = Server::start();
    let database = server.make_database();
    for options in [Options::new(), Options::new().database(&database)] {
        let bucket = Bucket::start();
        let mut studio = Studio::start(options.clone().bucket(&bucket));
        let http = client_of(&studio);
        upload(&http, "a.txt", b"named").await;
        assert!(studio.stop().success());
        let left = bucket.place_of(&key_of(b"left by a crash"));
        std::fs::create_dir_all(left.parent().unwrap()).unwrap();
        std::fs::write(&left, b"left by a crash").unwrap();

        let way =
            StillWay::start(&bucket, |request| request.prefix.as_ref().is_some_and(|prefix| prefix.contains("sha256")));
        // While this request stands, nothing is known of what lies there.
        let again = Studio::start(options.bucket_behind(&bucket, &way.url()).data_dir(&studio.data_dir));
        let http = client_of(&again);
        assert_eq!(list_files(&http).await.len(), 1);
        let brought = upload(&http, "b.txt", b"comes meanwhile").await;
        way.wait_until_asked().await;
        assert!(left.exists());
        way.let_go();
        wait_for("what nobody names to be set aside", PATIENCE, async || {
            if left.exists() { Err("it is there") } else { Ok(()) }
        })
        .await;
        let path = format!("/v1/drive/files/{}/content", brought["file_id"].as_str().unwrap());
        assert_eq!(http.get(&path).await.body, &b"comes meanwhile"[..]);
        assert_eq!(list_files(&http).await.len(), 2);
    }
}
