//! Contract, "Requests and responses"; specification, "Endpoints".

use std::collections::HashSet;

use bytes::Bytes;
use easel_tests::http::{Answer, Form, Http, LEGACY};
use easel_tests::studio::Options;
use http::Method;
use serde_json::{Value, json};

use crate::service::{Service, all_files, create_folder, list, sign, text, upload, uuid_of};

#[tokio::test]
async fn every_answer_bears_a_request_id_of_its_own() {
    let service = Service::start();
    let http = &service.http;
    let mut seen = HashSet::new();
    let answers = [
        service.anonymous().get("/v1/healthz").await,
        service.anonymous().get("/v1/whoami").await,
        http.get("/v1/whoami").await,
        http.get("/v1/whoami").await,
        http.get("/v1/nowhere").await,
        http.get("/v1/drive/files?limit=0").await,
        http.json(Method::POST, "/v1/drive/folders", "{").await,
        http.with_version("moon").get("/v1/whoami").await,
        http.post("/v1/uploads", &json!({})).await,
    ];
    for answer in answers {
        let id = answer.header("x-request-id").unwrap_or_else(|| panic!("no X-Request-ID: {answer:?}")).to_owned();
        assert!(!id.is_empty() && seen.insert(id), "{answer:?}");
    }
}

#[tokio::test]
async fn healthz_needs_no_key() {
    let service = Service::start();
    for path in ["/v1/healthz", "/healthz"] {
        service.anonymous().get(path).await.is(200);
    }
}

#[tokio::test]
async fn every_endpoint_answers_with_and_without_the_prefix() {
    let service = Service::start();
    for prefix in ["/v1", ""] {
        let http = &service.http;
        let path = |rest: &str| format!("{prefix}{rest}");
        let mark = prefix.len().to_string();
        http.get(&path("/whoami")).await.is(200);
        http.get(&path("/uploads/limits")).await.is(200);
        let file = http.post_form(&path("/uploads"), &Form::of_file("a", mark.as_bytes())).await.expect(201);
        let file = text(&file["file_id"]);
        let body = json!({"filename": "b", "mime_type": "text/plain"});
        let signed = http.post(&path("/uploads/url"), &body).await.success();
        let staged = format!("staged {mark}");
        http.put_bytes(&text(&signed["upload_url"]), "text/plain", staged.into_bytes()).await.is(200);
        let body = json!({"storage_key": signed["storage_key"]});
        http.post(&path("/uploads/register"), &body).await.is(201);
        let body = json!({"name": format!("folder {mark}")});
        let folder = text(&http.post(&path("/drive/folders"), &body).await.expect(201)["folder"]["id"]);
        for read in ["/drive/folders", "/drive/files", "/drive/tree"] {
            http.get(&path(read)).await.is(200);
        }
        http.get(&path(&format!("/drive/files/{file}"))).await.is(200);
        http.get(&path(&format!("/drive/files/{file}/download"))).await.is(200);
        let item = path(&format!("/drive/items/{file}"));
        http.post(&format!("{item}/move"), &json!({"folder_id": folder})).await.is(200);
        http.patch(&item, &json!({"name": "c"})).await.is(200);
        http.delete(&item).await.is(200);
    }
}

#[tokio::test]
async fn unknown_query_parameters_and_headers_are_ignored() {
    let service = Service::start();
    let http = service.http.with_header("x-unheard-of", "yes").with_header("prefer", "moonlight");
    for path in ["/v1/whoami?x=1", "/v1/drive/files?colour=blue", "/v1/drive/tree?depth=1&x", "/v1/uploads/limits?&&="]
    {
        http.get(path).await.is(200);
    }
    http.post("/v1/drive/folders?really=yes", &json!({"name": "x"})).await.is(201);
}

#[tokio::test]
async fn null_for_an_optional_field_means_absent() {
    let service = Service::start();
    let http = &service.http;
    let body = json!({"name": "x", "parent_folder_id": null, "idempotency_key": null});
    assert_eq!(http.post("/v1/drive/folders", &body).await.expect(201)["folder"]["parent_folder_id"], Value::Null);
    let body = json!({"filename": "a.txt", "mime_type": "text/plain", "expires_in_seconds": null});
    let signed = http.post("/v1/uploads/url", &body).await.success();
    assert_eq!(signed["expires_in_seconds"], 600);
    http.put_bytes(&text(&signed["upload_url"]), "text/plain", "a").await.is(200);
    let body = json!({"storage_key": signed["storage_key"], "filename": null, "mime_type": null, "folder_id": null});
    let result = http.post("/v1/uploads/register", &body).await.expect(201);
    assert_eq!((&result["filename"], &result["mime_type"]), (&"a.txt".into(), &"text/plain".into()));
    let item = format!("/v1/drive/items/{}", text(&result["file_id"]));
    let changed = http.patch(&item, &json!({"name": "b.txt", "visibility": null})).await.expect(200);
    assert_eq!(changed["item"]["name"], "b.txt");
}

#[tokio::test]
async fn what_is_out_of_range_is_422_and_never_silently_clamped() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "x", None).await;
    let queries = [
        ("/v1/drive/files?limit=0", "limit"),
        ("/v1/drive/files?limit=-1", "limit"),
        ("/v1/drive/files?limit=201", "limit"),
        ("/v1/drive/files?limit=99999999999999999999999999", "limit"),
        ("/v1/drive/files?limit=many", "limit"),
        ("/v1/drive/files?limit=1.5", "limit"),
        ("/v1/drive/files?offset=-1", "offset"),
        ("/v1/drive/files?offset=x", "offset"),
        ("/v1/drive/files?offset=99999999999999999999999999", "offset"),
        ("/v1/drive/files?sort=colour", "sort"),
        ("/v1/drive/files?updated_since=yesterday", "updated_since"),
        ("/v1/drive/folders?limit=0", "limit"),
        ("/v1/drive/folders?limit=201", "limit"),
        ("/v1/drive/folders?offset=-1", "offset"),
        ("/v1/drive/folders?sort=-colour", "sort"),
        ("/v1/drive/folders?updated_since=2026-13-41", "updated_since"),
        ("/v1/drive/tree?depth=0", "depth"),
        ("/v1/drive/tree?depth=11", "depth"),
        ("/v1/drive/tree?depth=deep", "depth"),
    ];
    for (path, field) in queries {
        assert_eq!(http.get(path).await.invalid_fields(), [field], "{path}");
        assert_eq!(service.legacy().get(path).await.invalid_fields(), [field], "{path}, legacy");
    }
    let answer = http.delete(&format!("/v1/drive/items/{folder}?recursive=perhaps")).await;
    assert_eq!(answer.invalid_fields(), ["recursive"]);
    for seconds in [json!(59), json!(3601), json!(0), json!(-1), json!(600.5), json!("600"), json!(1e30)] {
        let body = json!({"filename": "a", "mime_type": "text/plain", "expires_in_seconds": seconds});
        assert_eq!(http.post("/v1/uploads/url", &body).await.invalid_fields(), ["expires_in_seconds"], "{seconds}");
    }
    for seconds in [60, 3600] {
        let body = json!({"filename": "a", "mime_type": "text/plain", "expires_in_seconds": seconds});
        assert_eq!(http.post("/v1/uploads/url", &body).await.success()["expires_in_seconds"], seconds);
    }
    for path in
        ["/v1/drive/files?limit=1", "/v1/drive/files?limit=200", "/v1/drive/tree?depth=1", "/v1/drive/tree?depth=10"]
    {
        http.get(path).await.is(200);
    }
}

#[tokio::test]
async fn whoami_says_who_the_key_belongs_to_and_what_it_may_do() {
    let service = Service::start_with(Options::new().requests_per_minute(77).with("--plan", "ultra"));
    let me = service.http.get("/v1/whoami").await.expect(200);
    for field in ["id", "name", "email"] {
        assert!(me["user"][field].is_string(), "user.{field}: {me}");
    }
    for group in ["team", "organization"] {
        let id = text(&me[group]["id"]);
        assert_eq!(text(&me[group]["uuid"]), uuid_of(&id).to_string(), "{group}");
        assert!(me[group]["name"].is_string(), "{group}.name: {me}");
    }
    assert_eq!((&me["role"], &me["plan"]), (&"owner".into(), &"ultra".into()), "the first user is the owner");
    assert_eq!(me["api_key_id"], service.key.id);
    assert_eq!(me["entitlements"]["requests_per_minute"], 77);
    for cap in ["concurrency_cap", "exports_per_minute"] {
        assert!(me["entitlements"][cap].is_u64(), "{cap}: {me}");
    }
}

#[tokio::test]
async fn whoami_knows_the_plans_and_roles() {
    let service = Service::start();
    assert_eq!(service.http.get("/v1/whoami").await.expect(200)["plan"], "paid", "the built-in studio's plan");
    for role in ["owner", "admin", "member"] {
        let email = format!("{role}@example.test");
        service.studio.add_user(&email, role);
        let key = service.studio.create_key_for("a key", &email);
        let me = service.anonymous().with_key(&key.key).get("/v1/whoami").await.expect(200);
        assert_eq!((&me["role"], &me["user"]["email"]), (&role.into(), &email.into()));
    }
    let free = Service::start_with(Options::new().with("--plan", "free"));
    assert_eq!(free.http.get("/v1/whoami").await.expect(200)["plan"], "free");
}

#[tokio::test]
async fn timestamps_are_rfc_3339_in_utc_with_an_offset() {
    let service = Service::start();
    upload(&service.http, "a", b"a").await;
    create_folder(&service.http, "x", None).await;
    for path in ["/v1/drive/files", "/v1/drive/folders"] {
        let item = list(&service.http.get(path).await).remove(0);
        for field in ["created_at", "updated_at"] {
            let time = text(&item[field]);
            assert!(time.ends_with("+00:00") && time.as_bytes()[10] == b'T', "{field}: {time}");
            let time: jiff::Timestamp = time.parse().unwrap();
            let age = jiff::Timestamp::now().duration_since(time);
            assert!(age.as_secs().abs() < 60, "{field} is {age} ago");
        }
    }
}

#[tokio::test]
async fn json_is_utf_8() {
    let service = Service::start();
    let name = "Grüße 🎨 \u{1F469}\u{200D}\u{1F3A8} 日本語";
    let folder = service.http.post("/v1/drive/folders", &json!({"name": name})).await.expect(201);
    assert_eq!(folder["folder"]["name"], name);
    let answer = service.http.get("/v1/drive/folders").await;
    assert!(String::from_utf8(answer.body.to_vec()).is_ok_and(|body| body.contains("🎨") || body.contains("\\u")));
}

#[tokio::test]
async fn a_route_that_is_not_there_is_404_whatever_the_method() {
    let service = Service::start();
    for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
        for path in
            ["/v1/nowhere", "/nowhere", "/", "/v2/whoami", "/v1/v1/whoami", "/v1/drive/files/a/b/c", "/v1//whoami"]
        {
            let answer = service.http.request(method.clone(), path, None, Bytes::new()).await;
            assert_eq!(answer.status, 404, "{method} {path}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_method_that_a_route_does_not_have_is_refused() {
    let service = Service::start();
    for (method, path) in [
        (Method::POST, "/v1/whoami"),
        (Method::PUT, "/v1/uploads"),
        (Method::DELETE, "/v1/drive/files"),
        (Method::GET, "/v1/uploads/register"),
        (Method::PATCH, "/v1/drive/tree"),
    ] {
        let answer = service.http.request(method.clone(), path, None, Bytes::new()).await;
        assert!([404, 405].contains(&answer.status.as_u16()), "{method} {path}: {answer:?}");
    }
}

#[tokio::test]
async fn a_page_of_another_origin_gets_no_permission_to_read() {
    let service = Service::start();
    let http = service.http.with_header("origin", "https://evil.example");
    let answer = http.get("/v1/whoami").await;
    assert_eq!(answer.header("access-control-allow-origin"), None, "{answer:?}");
}

#[tokio::test]
async fn a_body_without_a_content_type_is_no_server_error() {
    let service = Service::start();
    let posts = ["/v1/drive/folders", "/v1/uploads/url", "/v1/uploads/register", "/v1/uploads"];
    for path in posts {
        for content_type in [None, Some("text/plain"), Some("application/xml"), Some("multipart/form-data"), Some("ü")]
        {
            let body = Bytes::from_static(br#"{"name":1}"#);
            let answer = service.http.request(Method::POST, path, content_type, body).await;
            assert!(answer.status.is_client_error(), "{path} {content_type:?}: {answer:?}");
            let _ = answer.envelope();
        }
    }
}

#[tokio::test]
async fn nothing_is_written_by_a_request_that_is_refused() {
    let service = Service::start();
    let http = &service.http;
    let refused: Vec<Answer> = vec![
        http.post("/v1/drive/folders", &json!({"name": "x", "colour": "blue"})).await,
        http.post_form("/v1/uploads", &Form::of_file("a", b"a").text("folder_id", "banana")).await,
        http.post_form("/v1/uploads", &Form::new().text("folder_id", "banana").file("file", "a", "text/plain", b"a"))
            .await,
        anonymous(&service).post_form("/v1/uploads", &Form::of_file("a", b"a")).await,
        http.with_version("moon").post_form("/v1/uploads", &Form::of_file("a", b"a")).await,
    ];
    for answer in refused {
        assert!(answer.status.is_client_error(), "{answer:?}");
    }
    assert_eq!(all_files(http).await.len(), 0);
    assert_eq!(list(&http.get("/v1/drive/folders").await).len(), 0);
    sign(http, "a").await;
    assert_eq!(all_files(http).await.len(), 0);
}

fn anonymous(service: &Service) -> Http {
    service.anonymous().with_version(LEGACY)
}
