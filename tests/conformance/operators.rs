//! What is the operator's alone: counters, and the files of the data folder.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use easel_tests::http::Http;
use easel_tests::studio::{Options, Studio};

use crate::canvases::canvas;
use crate::service::{Service, stage, upload};

#[tokio::test]
async fn counters_are_read_at_the_operators_listener_and_elsewhere_by_admins_alone() {
    let service = Service::start();
    // Also from this machine: a proxy that runs on it hands on what strangers ask.
    for path in ["/metrics", "/v1/metrics"] {
        service.anonymous().get(path).await.error(401, "authentication", "authentication");
        service.http.get(path).await.is(200);
        service.member(&format!("{}@example.test", path.len())).get(path).await.error(403, "permission", "permission");
    }
    let operator = Http::new(&service.studio.operator_url);
    let counters = operator.get("/metrics").await;
    assert!(String::from_utf8_lossy(&counters.body).contains("easel_requests_total"), "{counters:?}");
    operator.get("/v1/healthz").await.is(200);
    for path in ["/v1/whoami", "/v1/drive/files", "/docs"] {
        assert_eq!(operator.get(path).await.status, 401, "{path}");
    }
    // No web page reaches it under another name.
    operator.with_header("host", "evil.example").get("/metrics").await.is(403);
}

/// What lies below a folder, itself included, and may be used by others than its owner.
fn shared(path: &Path, found: &mut Vec<PathBuf>) {
    let metadata = std::fs::symlink_metadata(path).expect("what is there");
    let mode = metadata.permissions().mode() & 0o777;
    if mode != if metadata.is_dir() { 0o700 } else { 0o600 } {
        found.push(path.to_owned());
    }
    if metadata.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder") {
            shared(&entry.expect("an entry").path(), found);
        }
    }
}

fn open_to_all(path: &Path) {
    let is_dir = path.is_dir();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(if is_dir { 0o755 } else { 0o644 })).unwrap();
    if is_dir {
        for entry in std::fs::read_dir(path).unwrap() {
            open_to_all(&entry.unwrap().path());
        }
    }
}

#[tokio::test]
async fn files_and_folders_of_the_data_are_their_users_alone_whatever_was_there() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    std::fs::create_dir_all(data.join("blobs/sha256/ab")).unwrap();
    open_to_all(&data);
    let mut studio = Studio::start(Options::new().data_dir(&data));
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key);
    let http = http.with_version(easel_tests::http::CANONICAL);
    upload(&http, "a.txt", b"a").await;
    upload(&http, "large", &vec![1; 3_000_000]).await;
    stage(&http, "staged", b"staged").await;
    canvas(&http, "A deck").await;
    let check = |when: &str| {
        let mut found = Vec::new();
        shared(&data, &mut found);
        assert_eq!(found, Vec::<PathBuf>::new(), "{when}");
    };
    check("while it runs");
    studio.stop();
    open_to_all(&data);
    studio.restart();
    upload(&http, "b.txt", b"b").await;
    check("after a start on what was open to all");
}
