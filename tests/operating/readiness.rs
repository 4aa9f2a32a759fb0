//! `/readyz` beside `/healthz`.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use easel_tests::http::Http;
use easel_tests::patience::wait_for;
use easel_tests::small_disk::SmallDisk;
use easel_tests::studio::{Options, Studio};
use serde_json::json;

#[tokio::test]
async fn a_studio_that_can_work_is_ready_at_both_listeners_without_a_key() {
    let studio = Studio::start(Options::new());
    for (url, path) in
        [(&studio.base_url, "/v1/readyz"), (&studio.base_url, "/readyz"), (&studio.operator_url, "/readyz")]
    {
        let answer = Http::new(url).get(path).await.expect(200);
        assert_eq!(answer, json!({"status": "ready", "checks": {"database": "ok", "contents": "ok", "room": "ok"}}));
    }
    let counters = Http::new(&studio.operator_url).get("/metrics").await;
    assert!(String::from_utf8_lossy(&counters.body).contains("easel_free_bytes"), "{counters:?}");
}

#[tokio::test]
async fn a_disk_without_room_is_healthy_and_not_ready() {
    let disk = SmallDisk::mount(64 * 1024 * 1024);
    let studio = Studio::start(Options::new().data_dir(&disk.path().join("data")));
    let http = Http::new(&studio.base_url);
    let answer = http.get("/readyz").await.expect(503);
    assert_eq!((&answer["status"], &answer["checks"]["room"]), (&json!("not_ready"), &json!("failed")));
    http.get("/healthz").await.is(200);
}

#[tokio::test]
async fn contents_that_cannot_be_written_are_not_ready_until_they_can() {
    // Root writes wherever it likes; then a folder that is gone says the same.
    let studio = Studio::start(Options::new());
    let incoming = studio.data_dir.join("blobs/incoming");
    std::fs::remove_dir_all(&incoming).unwrap();
    std::fs::write(&incoming, b"in the way").unwrap();
    let http = Http::new(&studio.base_url);
    assert_eq!(http.get("/readyz").await.expect(503)["checks"]["contents"], "failed");
    std::fs::remove_file(&incoming).unwrap();
    std::fs::create_dir(&incoming).unwrap();
    std::fs::set_permissions(&incoming, std::fs::Permissions::from_mode(0o700)).unwrap();
    wait_for("readiness", Duration::from_secs(20), async || {
        let answer = http.get("/readyz").await;
        if answer.status == 200 { Ok(()) } else { Err(format!("{answer:?}")) }
    })
    .await;
}
