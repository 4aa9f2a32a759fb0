//! The table tested whole, on a real data folder: what each endpoint refuses without a key, without its scope, and how.

use axum::body::Body;

use super::*;
use crate::fixture::{Fixture, VERSION_HEADER, loopback, send};

const GET: Method = Method::GET;

fn filled(path: &str) -> String {
    path.replace("{file_id}", "file_00000000000000000000000000")
        .replace("{item_ref}", "file_00000000000000000000000000")
        .replace("{task_id}", "task_00000000000000000000000000")
        .replace("{canvas_id}", "cvs_00000000000000000000000000")
        .replace("{brand_kit_id}", "bk_00000000000000000000000000")
        .replace("{delivery_id}", "whd_00000000000000000000000000")
}

#[tokio::test]
async fn every_endpoint_asks_for_a_key_and_for_its_scope_under_both_paths() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    for Route { method, path, access, .. } in routes() {
        for prefix in ["", "/v1"] {
            let path = format!("{prefix}{}", filled(path));
            let anonymous = fixture.ask(&method, &path, &[], Body::empty()).await;
            if access == Access::Open {
                assert!(matches!(anonymous.status.as_u16(), 200 | 404), "{method} {path}");
                continue;
            }
            assert_eq!(anonymous.status, 401, "{method} {path}");
            assert_eq!(anonymous.headers["www-authenticate"], "Bearer");
            let Access::Scope(scope) = &access else { continue };
            let others: Vec<Scope> = Scope::KNOWN.iter().filter(|known| *known != scope).cloned().collect();
            let key = format!("svc_live_{method}{path}");
            fixture.add_key(&key, &others).await;
            let bearer = format!("Bearer {key}");
            let refused = fixture.ask(&method, &path, &[("authorization", &bearer)], Body::empty()).await;
            assert_eq!(refused.status, 403, "{method} {path}");
            assert_eq!(refused.json()["error"]["code"], "missing_scope");
            assert_eq!(refused.json()["error"]["details"]["required"], scope.as_str());
            fixture.add_key(&format!("{key}+"), std::slice::from_ref(scope)).await;
            let bearer = format!("Bearer {key}+");
            let let_in = fixture.ask(&method, &path, &[("authorization", &bearer)], Body::empty()).await;
            assert!(let_in.status != 401 && let_in.status != 403, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn every_response_bears_the_version_and_a_request_id() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 1).await;
    fixture.add_key("good", &[]).await;
    let check = async |method: Method, path: &str, headers: &[(&str, &str)], status: u16, version: &str| {
        let answer = fixture.ask(&method, path, headers, Body::empty()).await;
        assert_eq!(answer.status, status, "{method} {path}");
        assert_eq!(answer.headers[VERSION_HEADER], version, "{method} {path}");
        let request_id = answer.headers["x-request-id"].to_str().unwrap();
        if status >= 400 {
            assert_eq!(answer.json()["error"]["request_id"], request_id);
        }
    };
    let key = ("authorization", "Bearer good");
    let (newest, unknown) = ((VERSION_HEADER, "2026-05-01"), (VERSION_HEADER, "2020-01-01"));
    check(GET, "/v1/healthz", &[], 200, "2026-04-12").await;
    check(GET, "/v1/healthz", &[newest], 200, "2026-05-01").await;
    check(GET, "/v1/healthz", &[unknown], 400, "2026-04-12").await;
    check(GET, "/v1/healthz", &[("host", "evil.example")], 403, "2026-04-12").await;
    check(GET, "/v1/nowhere", &[newest], 401, "2026-05-01").await;
    check(GET, "/v1/nowhere", &[key], 404, "2026-04-12").await;
    check(Method::DELETE, "/v1/whoami", &[key, newest], 429, "2026-05-01").await;
    check(GET, "/v1/whoami", &[key, unknown], 429, "2026-04-12").await;
}

#[tokio::test]
async fn a_panic_answers_with_the_envelope() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    async fn break_down() -> StatusCode {
        panic!("on purpose")
    }
    let app = Router::new()
        .route("/", axum::routing::get(break_down))
        .layer(middleware::from_fn_with_state((App::clone(&fixture.studio), loopback()), gateway::pass))
        .with_state(App::clone(&fixture.studio));
    let answer = send(app, &GET, "/", &[], Body::empty()).await;
    assert_eq!(answer.status, 500);
    assert_eq!(answer.headers[VERSION_HEADER], "2026-04-12");
    assert_eq!(answer.json()["error"]["type"], "internal_error");
    assert!(!answer.text().contains("on purpose"));
}
