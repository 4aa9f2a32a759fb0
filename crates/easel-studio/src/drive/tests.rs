//! The drive behind its router, on a real data folder.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::body::Body;
use easel_wire::Timestamp;
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::blobs::Blobs;
use crate::core::clock::Clock;
use crate::data_folder::DataFolder;
use crate::fixture::count_files;
use crate::operators::keys;
use crate::routes::{self, Hosts, router};
use crate::studio::commits::Commits;
use crate::studio::config::Config;
use crate::studio::{SharedStudio, Studio};
use crate::web::list::Cursors;
use crate::web::signed_urls::SignedUrls;

const START_US: i64 = 1_800_000_000_000_000;

/// A clock that only the test sets.
struct Held(AtomicI64);

impl Clock for Held {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A studio with one key, and its clock.
struct Bench {
    studio: SharedStudio,
    key: String,
    clock: Arc<Held>,
    folder: TempDir,
}

impl Bench {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let key = keys::create(folder.path(), "test", None).await.unwrap().key;
        let opened = DataFolder::open(folder.path()).await.unwrap();
        let clock = Arc::new(Held(AtomicI64::new(START_US)));
        let blobs = Blobs::open(&folder.path().join("blobs")).unwrap();
        let studio = Arc::new(Studio {
            config: Config {
                base_url: "http://127.0.0.1:1".to_owned(),
                upload_url: "http://127.0.0.1:2".to_owned(),
                version_header: "service-version".parse().unwrap(),
                oldest_version: easel_wire::Version::Legacy,
                max_file_bytes: None,
                requests_per_minute: 0,
                exports_per_minute: 0,
                concurrent_tasks: None,
                expire_tasks_after: Duration::from_secs(3_600),
            },
            drawers: crate::drawers::Drawers::new(crate::drawers::Start::OnThread, blobs.clone()),
            blobs,
            room: crate::core::room::Room::of(folder.path()),
            rate: crate::studio::rates::SharedRate::new("request", None),
            last_uses: crate::studio::last_uses::LastUses::default(),
            refusals: crate::studio::refusals::Refusals::default(),
            redemptions: crate::studio::redemptions::Redemptions::new(None),
            readiness: crate::studio::readiness::Readiness::default(),
            metrics: crate::studio::metrics::Metrics::new(),
            documents: crate::studio::documents::Documents::made_by(routes::describe),
            signed_urls: SignedUrls::new([1; 32], "http://127.0.0.1:2"),
            is_shared: false,
            presence: crate::db::presence::Presence::of_one(),
            puts: crate::studio::puts::Puts::new(crate::db::presence::Presence::of_one()),
            commits: Commits::default(),
            cursors: Cursors::new([2; 32]),
            callers: crate::studio::callers::Callers::of(&opened.db),
            pages: crate::studio::answers::new_pages(),
            counted_pages: crate::studio::answers::CountedPages::default(),
            tasks_asked_for: crate::studio::answers::new_tasks_asked_for(),
            db: opened.db,
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            ids: opened.ids,
            active_tasks: crate::studio::active_tasks::ActiveTasks::new(),
            leases: crate::studio::leases::Leases::new(uuid::Uuid::now_v7(), crate::studio::leases::LEASE),
            master_key: opened.master_key,
            writer_slot: Arc::default(),
            outbound: crate::outbound::Outbound::new(false, crate::outbound::Names::of_the_system()),
            exports: crate::studio::exports::Exports::new(1, None),
            in_place_turns: crate::core::turns::Turns::new(1, 1),
        });
        Self { studio, key, clock, folder }
    }

    fn asker(&self) -> Asker {
        Asker { studio: SharedStudio::clone(&self.studio), key: self.key.clone() }
    }
}

/// The holder of a key.
#[derive(Clone)]
struct Asker {
    studio: SharedStudio,
    key: String,
}

impl Asker {
    async fn ask(&self, method: &str, path: &str, content_type: &str, body: String) -> (StatusCode, Value, Vec<u8>) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1:1")
            .header("authorization", format!("Bearer {}", self.key))
            .header("service-version", "2026-05-01")
            .header("content-type", content_type)
            .header("content-length", body.len())
            .body(Body::from(body))
            .unwrap();
        let hosts = Hosts::of_listener([127, 0, 0, 1].into(), "http://127.0.0.1:1");
        let response = router(&self.studio, hosts).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        // A content that goes while it is read ends its answer early.
        let Ok(body) = body.collect().await else { return (StatusCode::GONE, Value::Null, Vec::new()) };
        let bytes = body.to_bytes().to_vec();
        (parts.status, serde_json::from_slice(&bytes).unwrap_or_default(), bytes)
    }

    async fn get(&self, path: &str) -> (StatusCode, Value, Vec<u8>) {
        self.ask("GET", path, "", String::new()).await
    }

    async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let (status, answer, _) = self.ask("POST", path, "application/json", body.to_string()).await;
        (status, answer)
    }

    async fn upload(&self, name: &str, content: &str) -> String {
        let body = format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: text/plain\r\n\r\n{content}\r\n--x--\r\n"
        );
        let (status, answer, _) = self.ask("POST", "/v1/uploads", "multipart/form-data; boundary=x", body).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        answer["file_id"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn an_idempotency_key_is_remembered_for_a_day() {
    let bench = Bench::new().await;
    let asker = bench.asker();
    let body = json!({ "name": "Brand", "idempotency_key": "k" });
    let (status, first) = asker.post("/v1/drive/folders", &body).await;
    assert_eq!(status, StatusCode::CREATED);
    let same = json!({ "idempotency_key": "k", "parent_folder_id": null, "name": "Brand" });
    assert_eq!(asker.post("/v1/drive/folders", &same).await, (StatusCode::CREATED, first.clone()));
    let other = json!({ "name": "Other", "idempotency_key": "k" });
    let (status, answer) = asker.post("/v1/drive/folders", &other).await;
    assert_eq!((status, &answer["error"]["type"]), (StatusCode::CONFLICT, &json!("idempotency_conflict")));
    for key in ["".to_owned(), "k".repeat(256)] {
        let (status, _) = asker.post("/v1/drive/folders", &json!({ "name": "x", "idempotency_key": key })).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }

    let day_us = 24 * 60 * 60 * 1_000_000;
    bench.clock.0.store(START_US + day_us - 1, Ordering::SeqCst);
    assert_eq!(asker.post("/v1/drive/folders", &body).await, (StatusCode::CREATED, first.clone()));
    bench.clock.0.store(START_US + day_us, Ordering::SeqCst);
    assert_eq!(asker.post("/v1/drive/folders", &body).await.0, StatusCode::CONFLICT, "the name is taken by now");
    let (status, second) = asker.post("/v1/drive/folders", &other).await;
    assert_eq!((status, &second["folder"]["name"]), (StatusCode::CREATED, &json!("Other")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_and_deletions_of_the_same_bytes_leave_every_file_with_its_content() {
    const CONTENTS: [&str; 2] = ["one", "two"];
    let bench = Bench::new().await;
    let mut tasks = tokio::task::JoinSet::new();
    for worker in 0..8_usize {
        let asker = bench.asker();
        tasks.spawn(async move {
            for round in 0..25_usize {
                let content = CONTENTS[(worker + round / 3) % CONTENTS.len()];
                let file = asker.upload("same.txt", content).await;
                let (status, _, bytes) = asker.get(&format!("/v1/drive/files/{file}/content")).await;
                // Another may have deleted the item since; an item that is there is whole.
                let gone = status == StatusCode::NOT_FOUND || status == StatusCode::GONE;
                assert!(gone || bytes == content.as_bytes(), "{status}");
                if (worker + round) % 4 != 0 {
                    let path = format!("/v1/drive/items/{file}");
                    let (status, _, _) = asker.ask("DELETE", &path, "", String::new()).await;
                    assert!(status == StatusCode::OK || status == StatusCode::NOT_FOUND, "{status}");
                }
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let asker = bench.asker();
    let empty = async || asker.ask("DELETE", "/v1/drive/trash", "", String::new()).await.0;
    assert_eq!(empty().await, StatusCode::OK);
    let (_, list, _) = asker.get("/v1/drive/files?limit=200").await;
    let files = list["data"].as_array().unwrap();
    for file in files {
        let (status, _, bytes) = asker.get(&format!("/v1/drive/files/{}/content", file["id"].as_str().unwrap())).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(bytes.len() as u64, file["size_bytes"].as_u64().unwrap());
    }
    assert_eq!(count_files(&bench.folder.path().join("blobs/sha256")), files.len(), "one content a file, and no other");
    for file in files {
        let path = format!("/v1/drive/items/{}", file["id"].as_str().unwrap());
        assert_eq!(asker.ask("DELETE", &path, "", String::new()).await.0, StatusCode::OK);
    }
    assert_eq!(count_files(&bench.folder.path().join("blobs/sha256")), files.len(), "what was deleted is kept");
    assert_eq!(empty().await, StatusCode::OK);
    assert_eq!(count_files(&bench.folder.path().join("blobs/sha256")), 0);
    assert_eq!(count_files(&bench.folder.path().join("blobs/incoming")), 0);
}
