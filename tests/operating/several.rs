//! Several processes that serve one studio: what each of them needs, and who is refused.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use easel_tests::bucket::Bucket;
use easel_tests::postgres::Server;
use easel_tests::several::{Front, Rig, client_of};
use easel_tests::studio::{Options, Studio};
use serde_json::Value;
use tempfile::TempDir;

/// How long anything may take on a full machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The text of a field.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// What a start says that is refused.
fn refused(options: &Options, data: &Path, more: &[&str]) -> (i32, String) {
    let arguments: Vec<&str> = ["serve", "--listen", "127.0.0.1:0"].iter().chain(more).copied().collect();
    let Output { status, stderr, .. } = options.command(data, &arguments);
    (status.code().unwrap_or(-1), String::from_utf8_lossy(&stderr).into_owned())
}

#[tokio::test]
async fn only_who_shares_database_bucket_and_key_serves_beside_others() {
    let rig = Rig::start(Options::new(), 2);
    let http = rig.client(&rig.studios[0].create_key("k").key);
    easel_tests::drive::upload(&http, "a.txt", b"some bytes").await;
    let place = TempDir::new().unwrap();
    let key_file = rig.studios[0].data_dir.join("studio.key").display().to_string();
    let with_key = ["--key-file", key_file.as_str()];
    let blobs = rig.bucket.url();

    let (code, said) = refused(&rig.options, &place.path().join("1"), &["--blobs", &blobs]);
    assert!(code == 1 && said.contains("studio.key"), "without the key: {code} {said}");
    let other_key = place.path().join("other.key");
    std::fs::write(&other_key, [7; 32]).unwrap();
    let other = ["--blobs", &blobs, "--key-file", other_key.to_str().unwrap()];
    let (code, said) = refused(&rig.options, &place.path().join("2"), &other);
    assert!(code == 1 && said.contains("--key-file"), "with another key: {code} {said}");
    // Its contents in a folder: it would be alone, and they would be missing there.
    let (code, said) = refused(&Options::new().database(&rig.database), &place.path().join("3"), &with_key);
    assert!(code == 3 && said.contains("--blobs"), "with a folder of contents: {code} {said}");
    let elsewhere = Bucket::start();
    let options = Options::new().database(&rig.database).bucket(&elsewhere);
    let more = [&with_key[..], &["--blobs", "s3://contents/another"]].concat();
    let (code, said) = refused(&options, &place.path().join("4"), &more);
    assert!(code == 2 && said.contains(&blobs), "with another bucket: {code} {said}");
    // A data folder that another process serves, on the same machine.
    let (code, said) = refused(&rig.options, &rig.studios[0].data_dir, &["--blobs", &blobs]);
    assert!(code == 3 && said.contains("in use"), "in the same folder: {code} {said}");
    // What has to be alone waits for none.
    let repair = rig.studios[1].command(&["verify", "--repair"]);
    assert_eq!(repair.status.code(), Some(3), "{}", String::from_utf8_lossy(&repair.stderr));
    // A part of the work alone, where nobody else can do the rest.
    for role in ["api", "worker"] {
        let more = ["--role", role, "--public-url", "http://127.0.0.1:1", "--public-upload-url", "http://127.0.0.1:2"];
        let (code, said) = refused(&Options::new(), &place.path().join("5"), &more);
        assert!(code == 2 && said.contains("--database"), "{role} with SQLite: {code} {said}");
    }
    for http in rig.each(&rig.studios[0].create_key("k").key) {
        assert_eq!(http.get("/v1/drive/files").await.expect(200)["data"][0]["name"], "a.txt");
    }
}

#[tokio::test]
async fn with_a_folder_of_contents_a_second_process_is_refused_in_words() {
    let server = Server::start();
    let database = server.make_database();
    let studio = Studio::start(Options::new().database(&database));
    let place = TempDir::new().unwrap();
    let key = studio.data_dir.join("studio.key").display().to_string();
    let options = Options::new().database(&database);
    let (code, said) = refused(&options, &place.path().join("data"), &["--key-file", &key]);
    assert!(code == 3 && said.contains("--blobs s3://"), "{code} {said}");
    let bucket = Bucket::start();
    let more = ["--key-file", key.as_str(), "--blobs", &bucket.url()];
    let (code, said) = refused(&options.bucket(&bucket), &place.path().join("data"), &more);
    assert!(code == 3 && said.contains("another process serves this database"), "{code} {said}");
}

#[tokio::test]
async fn processes_that_begin_at_the_same_moment_with_nothing_make_one_studio() {
    let (server, bucket, front) = (Server::start(), Bucket::start(), Front::start());
    let database = server.make_empty_database();
    let options = Options::new().database(&database).bucket(&bucket).environment("EASEL_STUDIO_KEY", &"5a".repeat(32));
    let starting: Vec<_> = (0..3)
        .map(|_| {
            let options = front.before(options.clone());
            std::thread::spawn(move || Studio::start(options))
        })
        .collect();
    let studios: Vec<Studio> = starting.into_iter().map(|starting| starting.join().expect("a start")).collect();
    front.take_turns(&studios.iter().collect::<Vec<_>>());
    let key = studios[2].create_key("k").key;
    let whose: Vec<Value> = {
        let mut said = Vec::new();
        for studio in &studios {
            said.push(client_of(studio, &key).get("/v1/whoami").await.expect(200));
        }
        said
    };
    assert!(whose.iter().all(|said| *said == whose[0]), "{whose:?}");
    assert_eq!(
        database.query("SELECT (SELECT COUNT(*) FROM organizations), (SELECT COUNT(*) FROM users)").trim(),
        "1|1"
    );
    drop(studios);
}
