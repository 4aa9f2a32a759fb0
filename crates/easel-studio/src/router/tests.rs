//! The table tested whole, on a real data folder: what each endpoint refuses without a key, without its scope, and how.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use easel_wire::account::Plan;
use easel_wire::{ApiKeyId, Timestamp};
use http::StatusCode;
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use super::*;
use crate::auth::hash_key;
use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::data_folder::DataFolder;
use crate::db::accounts::{self, NewKey};
use crate::list::Cursors;
use crate::rate::RequestRate;
use crate::signed_urls::SignedUrls;
use crate::studio::{Config, Studio};

/// A clock that never moves.
struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(1_800_000_000_000_000)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

async fn start(path: &Path, requests_per_minute: u32) -> App {
    let folder = DataFolder::open(path).await.unwrap();
    Arc::new(Studio {
        config: Config {
            base_url: "http://127.0.0.1:1".to_owned(),
            upload_url: "http://127.0.0.1:2".to_owned(),
            version_header: "acme-version".parse().unwrap(),
            plan: Plan::Paid,
            max_file_bytes: None,
            requests_per_minute,
            exports_per_minute: 0,
            concurrent_tasks: None,
        },
        blobs: Blobs::open(&path.join("blobs")).unwrap(),
        rate: RequestRate::new(requests_per_minute),
        signed_urls: SignedUrls::new([1; 32], "http://127.0.0.1:2"),
        cursors: Cursors::new([2; 32]),
        db: folder.db,
        clock: Arc::new(Stopped),
        ids: folder.ids,
    })
}

/// A key of the owner with exactly these scopes.
async fn key_with(studio: &App, key: &str, scopes: &[Scope]) {
    let mut tx = studio.db.begin().await.unwrap();
    let user = accounts::find_user(&mut tx, None).await.unwrap().unwrap();
    let row = NewKey {
        id: ApiKeyId::from_uuid(studio.ids.next()),
        user_id: user.id,
        name: key,
        key_hash: hash_key(key),
        sealed_secret: b"",
        scopes,
        created_at: studio.clock.now(),
    };
    accounts::insert_key(&mut tx, &row).await.unwrap();
    tx.commit().await.unwrap();
}

struct Answer {
    status: StatusCode,
    headers: http::HeaderMap,
    body: Value,
}

async fn ask(studio: &App, method: &Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let hosts = Hosts::of_listener([127, 0, 0, 1].into(), "http://127.0.0.1:1");
    let mut request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:1");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = router(studio, hosts).oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    Answer { status: parts.status, headers: parts.headers, body: serde_json::from_slice(&bytes).unwrap_or_default() }
}

fn filled(path: &str) -> String {
    path.replace("{file_id}", "file_00000000000000000000000000")
        .replace("{item_ref}", "file_00000000000000000000000000")
}

#[tokio::test]
async fn every_endpoint_asks_for_a_key_and_for_its_scope_under_both_paths() {
    let folder = tempfile::tempdir().unwrap();
    let studio = start(folder.path(), 0).await;
    for Route { method, path, access, .. } in routes() {
        for prefix in ["", "/v1"] {
            let path = format!("{prefix}{}", filled(path));
            let anonymous = ask(&studio, &method, &path, &[]).await;
            if access == Access::Open {
                assert_eq!(anonymous.status, 200, "{method} {path}");
                continue;
            }
            assert_eq!(anonymous.status, 401, "{method} {path}");
            assert_eq!(anonymous.headers["www-authenticate"], "Bearer");
            let Access::Scope(scope) = &access else { continue };
            let others: Vec<Scope> = Scope::KNOWN.iter().filter(|known| *known != scope).cloned().collect();
            let key = format!("svc_live_{method}{path}");
            key_with(&studio, &key, &others).await;
            let refused = ask(&studio, &method, &path, &[("authorization", &format!("Bearer {key}"))]).await;
            assert_eq!(refused.status, 403, "{method} {path}");
            assert_eq!(refused.body["error"]["code"], "missing_scope");
            assert_eq!(refused.body["error"]["details"]["required"], scope.as_str());
            let key = format!("{key} with");
            key_with(&studio, &key, std::slice::from_ref(scope)).await;
            let let_in = ask(&studio, &method, &path, &[("authorization", &format!("Bearer {key}"))]).await;
            assert!(let_in.status != 401 && let_in.status != 403, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn every_response_bears_the_version_and_a_request_id() {
    let folder = tempfile::tempdir().unwrap();
    let studio = start(folder.path(), 1).await;
    key_with(&studio, "good", &[]).await;
    type Case = (Method, &'static str, &'static [(&'static str, &'static str)], u16, &'static str);
    const KEY: (&str, &str) = ("authorization", "Bearer good");
    let cases: [Case; 8] = [
        (Method::GET, "/v1/healthz", &[], 200, "2026-04-12"),
        (Method::GET, "/v1/healthz", &[("acme-version", "2026-05-01")], 200, "2026-05-01"),
        (Method::GET, "/v1/healthz", &[("acme-version", "2020-01-01")], 400, "2026-04-12"),
        (Method::GET, "/v1/nowhere", &[("acme-version", "2026-05-01")], 401, "2026-05-01"),
        (Method::GET, "/v1/healthz", &[("host", "evil.example")], 403, "2026-04-12"),
        (Method::GET, "/v1/nowhere", &[KEY], 404, "2026-04-12"),
        (Method::DELETE, "/v1/whoami", &[KEY], 429, "2026-04-12"),
        (Method::GET, "/v1/whoami", &[KEY, ("acme-version", "2020-01-01")], 429, "2026-04-12"),
    ];
    for (method, path, headers, status, version) in cases {
        let answer = ask(&studio, &method, path, headers).await;
        assert_eq!(answer.status, status, "{method} {path}");
        assert_eq!(answer.headers["acme-version"], version, "{method} {path}");
        let request_id = answer.headers["x-request-id"].to_str().unwrap();
        if status >= 400 {
            assert_eq!(answer.body["error"]["request_id"], request_id);
        }
    }
}

#[tokio::test]
async fn a_panic_answers_with_the_envelope() {
    let folder = tempfile::tempdir().unwrap();
    let studio = start(folder.path(), 0).await;
    let hosts = Hosts::of_listener([127, 0, 0, 1].into(), "http://127.0.0.1:1");
    async fn break_down() -> StatusCode {
        panic!("on purpose")
    }
    let app = Router::new()
        .route("/", axum::routing::get(break_down))
        .layer(middleware::from_fn_with_state((App::clone(&studio), hosts), gateway::pass))
        .with_state(App::clone(&studio));
    let request = Request::builder().uri("/").header("host", "localhost").body(Body::empty()).unwrap();
    let response = app.oneshot(request).await.unwrap();
    assert_eq!(response.status(), 500);
    assert_eq!(response.headers()["acme-version"], "2026-04-12");
    let body: Value = serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap();
    assert_eq!(body["error"]["type"], "internal_error");
    assert!(!body.to_string().contains("on purpose"));
}
