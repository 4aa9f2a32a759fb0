//! The table tested whole, on a real data folder: what each endpoint refuses without a key, without its scope, and how.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use serde_json::Value;

use super::*;
use crate::fixture::{Fixture, VERSION_HEADER, loopback, send};
use crate::operators::keys;
use crate::wire::account::Role;

const GET: Method = Method::GET;

fn filled(path: &str) -> String {
    path.replace("{file_id}", "file_00000000000000000000000000")
        .replace("{version_id}", "ver_00000000000000000000000000")
        .replace("{item_ref}", "file_00000000000000000000000000")
        .replace("{task_id}", "task_00000000000000000000000000")
        .replace("{canvas_id}", "cvs_00000000000000000000000000")
        .replace("{brand_kit_id}", "bk_00000000000000000000000000")
        .replace("{delivery_id}", "whd_00000000000000000000000000")
        .replace("{user_id}", "user_00000000000000000000000000")
        .replace("{api_key_id}", "ak_00000000000000000000000000")
        .replace("{invitation_id}", "inv_00000000000000000000000000")
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
async fn additions_outside_ask_for_an_admins_key_of_the_scope_and_are_not_below_v1() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    let others: Vec<Scope> = Scope::of_new_key().collect();
    fixture.add_key("others", &others).await;
    fixture.add_key("admins", &[Scope::Admin]).await;
    for Route { method, path, access, .. } in outside_routes() {
        let path = filled(path);
        let ask = async |key: &str, path: &str| {
            fixture.ask(&method, path, &[("authorization", &format!("Bearer {key}"))], Body::empty()).await
        };
        assert_eq!(ask("admins", &format!("/v1{path}")).await.status, 404, "{method} /v1{path}");
        if access == Access::Open {
            assert_eq!(path, "/invitations/redeem");
            continue;
        }
        assert_eq!(fixture.ask(&method, &path, &[], Body::empty()).await.status, 401, "{method} {path}");
        let refused = ask("others", &path).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["error"]["code"]), (403, &Value::from("missing_scope")));
        let let_in = ask("admins", &path).await;
        assert!(!matches!(let_in.status.as_u16(), 401 | 403), "{method} {path}: {}", let_in.status);
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
    let studio = Router::new()
        .route("/", axum::routing::get(break_down))
        .layer(middleware::from_fn_with_state((SharedStudio::clone(&fixture.studio), loopback()), gateway::pass))
        .with_state(SharedStudio::clone(&fixture.studio));
    let answer = send(studio, &GET, "/", &[], Body::empty()).await;
    assert_eq!(answer.status, 500);
    assert_eq!(answer.headers[VERSION_HEADER], "2026-04-12");
    assert_eq!(answer.json()["error"]["type"], "internal_error");
    assert!(!answer.text().contains("on purpose"));
}

/// What the contract says that each route needs ("Keys", "Requests and responses"), written down apart from the table.
const NEEDED: &[(&str, &str, &str)] = &[
    ("GET", "/healthz", "nothing"),
    ("GET", "/readyz", "nothing"),
    ("GET", "/openapi.json", "nothing"),
    ("GET", "/docs", "nothing"),
    ("GET", "/open/{canvas_id}", "nothing"),
    ("GET", "/metrics", "operator"),
    ("GET", "/whoami", "any key"),
    ("GET", "/organizations", "organizations:read"),
    ("POST", "/uploads", "uploads:write"),
    ("GET", "/uploads/limits", "uploads:write"),
    ("POST", "/uploads/url", "uploads:write"),
    ("POST", "/uploads/register", "uploads:write"),
    ("GET", "/drive/folders", "canvases:read"),
    ("GET", "/drive/tree", "canvases:read"),
    ("GET", "/drive/files", "canvases:read"),
    ("GET", "/drive/files/{file_id}", "canvases:read"),
    ("GET", "/drive/files/{file_id}/download", "files:read"),
    ("GET", "/drive/files/{file_id}/content", "files:read"),
    ("POST", "/drive/files/{file_id}/content", "canvases:write"),
    ("GET", "/drive/files/{file_id}/versions", "canvases:read"),
    ("GET", "/drive/files/{file_id}/versions/{version_id}/content", "files:read"),
    ("POST", "/drive/files/{file_id}/versions/{version_id}/restore", "canvases:write"),
    ("POST", "/drive/folders", "canvases:write"),
    ("POST", "/drive/items/{item_ref}/move", "canvases:write"),
    ("PATCH", "/drive/items/{item_ref}", "canvases:write"),
    ("DELETE", "/drive/items/{item_ref}", "canvases:write"),
    ("GET", "/drive/trash", "canvases:read"),
    ("DELETE", "/drive/trash", "canvases:write"),
    ("POST", "/drive/trash/{item_ref}/restore", "canvases:write"),
    ("DELETE", "/drive/trash/{item_ref}", "canvases:write"),
    ("GET", "/canvases", "canvases:read"),
    ("GET", "/canvases/search", "canvases:read"),
    ("GET", "/canvases/{canvas_id}", "canvases:read"),
    ("PATCH", "/canvases/{canvas_id}", "canvases:write"),
    ("GET", "/canvases/{canvas_id}/versions", "canvases:read"),
    ("POST", "/canvases/{canvas_id}/versions/{version_id}/restore", "canvases:write"),
    ("GET", "/canvases/{canvas_id}/texts", "designs:read"),
    ("POST", "/canvases/{canvas_id}/texts", "canvases:write"),
    ("GET", "/canvases/{canvas_id}/colors", "designs:read"),
    ("POST", "/canvases/{canvas_id}/colors", "canvases:write"),
    ("POST", "/canvases/{canvas_id}/pictures", "canvases:write"),
    ("GET", "/canvases/{canvas_id}/pages", "designs:read"),
    ("POST", "/canvases/{canvas_id}/export", "designs:export"),
    ("GET", "/canvases/{canvas_id}/export-status", "designs:export"),
    ("POST", "/tasks", "tasks:write"),
    ("GET", "/tasks", "tasks:read"),
    ("GET", "/tasks/{task_id}", "tasks:read"),
    ("GET", "/tasks/{task_id}/preview", "tasks:read"),
    ("POST", "/tasks/{task_id}/cancel", "tasks:cancel"),
    ("POST", "/remix", "tasks:write"),
    ("GET", "/brand-kits", "brand_kits:read"),
    ("GET", "/brand-kits/{brand_kit_id}", "brand_kits:read"),
    ("POST", "/brand-kits", "brand_kits:write"),
    ("PATCH", "/brand-kits/{brand_kit_id}", "brand_kits:write"),
    ("DELETE", "/brand-kits/{brand_kit_id}", "brand_kits:write"),
    ("POST", "/brand-kits/{brand_kit_id}/images", "brand_kits:write"),
    ("GET", "/webhook_deliveries", "webhooks:read"),
    ("GET", "/webhook_deliveries/{delivery_id}", "webhooks:read"),
    ("POST", "/webhook_deliveries/{delivery_id}/redeliver", "webhooks:write"),
];

#[test]
fn every_route_needs_the_scope_that_the_contract_names() {
    let mut expected: Vec<_> = NEEDED.iter().map(|row| (row.0.to_owned(), row.1, row.2.to_owned())).collect();
    let needs = |access: &Access| match access {
        Access::Open => "nothing".to_owned(),
        Access::Key => "any key".to_owned(),
        Access::Operator => "operator".to_owned(),
        Access::Admin => "admin, of one".to_owned(),
        Access::Scope(scope) => scope.as_str().to_owned(),
    };
    let mut table: Vec<_> =
        routes().iter().map(|route| (route.method.as_str().to_owned(), route.path, needs(&route.access))).collect();
    expected.sort();
    table.sort();
    assert_eq!(table, expected);
}

#[tokio::test]
async fn a_path_that_names_no_such_thing_answers_404_with_the_code_of_its_kind() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    fixture.add_key("good", Scope::KNOWN).await;
    let codes = [
        ("{file_id}", "file_not_found"),
        ("{item_ref}", "not_found"),
        ("{canvas_id}", "canvas_not_found"),
        ("{task_id}", "task_not_found"),
        ("{brand_kit_id}", "brand_kit_not_found"),
        ("{delivery_id}", "delivery_not_found"),
    ];
    for Route { method, path, .. } in routes() {
        let Some((parameter, code)) = codes.iter().find(|(parameter, _)| path.contains(parameter)) else { continue };
        for wrong in ["nothing", "user_00000000000000000000000000"] {
            let path = path.replace(parameter, wrong);
            let answer = fixture.ask(&method, &path, &[("authorization", "Bearer good")], Body::empty()).await;
            let error = &answer.json()["error"];
            assert_eq!((answer.status.as_u16(), &error["code"]), (404, &Value::from(*code)), "{method} {path}");
            // A drive item is named by a typed form alone, so none other is offered.
            let message = error["message"].as_str().unwrap();
            assert!(*parameter != "{item_ref}" || !message.contains("UUID"), "{method} {path}: {message}");
        }
    }
}

#[tokio::test]
async fn counters_are_for_the_operators_listener_or_for_an_admin() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    fixture.add_key("owners", &[]).await;
    let here: SocketAddr = "127.0.0.1:5".parse().unwrap();
    let check = async |headers: &[(&str, &str)], status: u16| {
        let router = router(&fixture.studio, loopback()).layer(axum::Extension(ConnectInfo(here)));
        let answer = send(router, &GET, "/metrics", headers, Body::empty()).await;
        assert_eq!(answer.status, status, "{headers:?}");
    };
    // A proxy on this machine may hand on what others ask, and need not say so.
    check(&[], 401).await;
    check(&[("authorization", "Bearer owners")], 200).await;
    check(&[("authorization", "Bearer nobodys")], 401).await;
    for (email, role, status) in [("ann@example.com", Role::Member, 403), ("bob@example.com", Role::Admin, 200)] {
        crate::operators::users::add(folder.path(), email, role, None).await.unwrap();
        let key = keys::create(folder.path(), "Counters", Some(email)).await.unwrap().key;
        check(&[("authorization", &format!("Bearer {key}"))], status).await;
    }
    let ask =
        async |path: &str| send(operator_router(&fixture.studio, loopback()), &GET, path, &[], Body::empty()).await;
    let counted = ask("/metrics").await;
    assert_eq!(counted.status, 200);
    let text = counted.text();
    assert!(text.contains(r#"easel_requests_total{method="GET",route="/metrics",status="401"} 2"#), "{text}");
    assert_eq!(ask("/v1/healthz").await.status, 200);
    for path in ["/v1/whoami", "/docs", "/v1/drive/files"] {
        assert_eq!(ask(path).await.status, 401, "{path} is not for this listener");
    }
}
