//! Specification, "Authentication" and "Scopes"; contract, "Keys".

use easel_tests::http::{CANONICAL, Form, exchange};
use easel_tests::studio::authority;
use http::Method;
use serde_json::json;

use crate::service::{Service, all_files, put, sign, stage, text, unused_id, upload};

/// Every route that needs a key: method, path, and whether it takes JSON.
const ROUTES: &[(&str, &str)] = &[
    ("GET", "/v1/whoami"),
    ("GET", "/v1/uploads/limits"),
    ("POST", "/v1/uploads"),
    ("POST", "/v1/uploads/url"),
    ("POST", "/v1/uploads/register"),
    ("GET", "/v1/drive/folders"),
    ("POST", "/v1/drive/folders"),
    ("GET", "/v1/drive/tree"),
    ("GET", "/v1/drive/files"),
    ("GET", "/v1/drive/files/file_01KAAAAAAA7AAAAAAAAAAAAAAA"),
    ("GET", "/v1/drive/files/file_01KAAAAAAA7AAAAAAAAAAAAAAA/download"),
    ("GET", "/v1/drive/files/banana"),
    ("POST", "/v1/drive/items/file_01KAAAAAAA7AAAAAAAAAAAAAAA/move"),
    ("PATCH", "/v1/drive/items/file_01KAAAAAAA7AAAAAAAAAAAAAAA"),
    ("DELETE", "/v1/drive/items/file_01KAAAAAAA7AAAAAAAAAAAAAAA"),
    ("DELETE", "/v1/drive/items/banana"),
];

#[tokio::test]
async fn rule_1_and_2_every_route_needs_a_key_and_says_so_before_it_says_anything_else() {
    let service = Service::start();
    for (method, path) in ROUTES {
        let method: Method = method.parse().unwrap();
        for path in [path, path.trim_start_matches("/v1")] {
            let answer = service.anonymous().json(method.clone(), path, "{").await;
            assert_eq!(answer.status, 401, "{method} {path}: {answer:?}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{method} {path}");
            assert_eq!(answer.envelope()["type"], "authentication", "{method} {path}");
        }
    }
}

#[tokio::test]
async fn rule_2_what_is_not_a_valid_key_is_401_with_www_authenticate() {
    let service = Service::start();
    let key = &service.key.key;
    let (body, last) = key.split_at(key.len() - 1);
    let other_digit = if last == "0" { "1" } else { "0" };
    let values = [
        key.clone(),
        format!("Basic {key}"),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Bearer {body}{other_digit}"),
        format!("Bearer {body}"),
        format!("Bearer {key}0"),
        format!("Bearer {key} {key}"),
        format!("Bearer {}", key.to_uppercase()),
        format!("Bearer svc_live_{}", "0".repeat(40)),
        format!("Bearer {}", service.key.signing_secret),
        format!("Bearer {}", service.key.id),
        format!("Bearer {}", "x".repeat(6000)),
        "Bearer ü".to_owned(),
        "Bearer ' OR 1=1 --".to_owned(),
    ];
    for (number, value) in values.iter().enumerate() {
        let answer = service.anonymous().with_header("authorization", value).get("/v1/whoami").await;
        assert_eq!(answer.status, 401, "case {number}: {answer:?}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "case {number}");
        assert_eq!(answer.envelope()["type"], "authentication", "case {number}");
    }
    // Nowhere but in the header.
    let path = format!("/v1/whoami?key={key}&api_key={key}&access_token={key}&authorization=Bearer%20{key}");
    service.anonymous().get(&path).await.is(401);
    service.anonymous().with_header("x-api-key", key).get("/v1/whoami").await.is(401);
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn rule_3_a_key_has_its_form_and_is_displayed_once() {
    let service = Service::start();
    let digits = service.key.key.strip_prefix("svc_live_").expect("the form of a key");
    assert_eq!(digits.len(), 40);
    assert!(digits.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit)));
    let other = service.studio.create_key("another");
    assert_ne!(other.key, service.key.key);

    let list = service.studio.command(&["keys", "list"]);
    let list = String::from_utf8(list.stdout).unwrap();
    assert!(list.contains(&service.key.id) && list.contains(&other.id) && list.contains("another"));
    for hidden in [&service.key.key, &other.key, &service.key.signing_secret, &other.signing_secret] {
        assert!(!list.contains(hidden.as_str()), "keys list shows a key or a secret");
    }
}

#[tokio::test]
async fn rule_4_a_new_key_holds_every_scope_but_admin() {
    let service = Service::start();
    let mut expected = vec![
        "canvases:read",
        "canvases:write",
        "designs:read",
        "designs:export",
        "files:read",
        "tasks:read",
        "tasks:write",
        "tasks:cancel",
        "brand_kits:read",
        "brand_kits:write",
        "uploads:write",
        "organizations:read",
        "webhooks:read",
        "webhooks:write",
    ];
    expected.sort_unstable();
    let me = service.http.get("/v1/whoami").await.expect(200);
    let mut scopes: Vec<String> = me["scopes"].as_array().unwrap().iter().map(text).collect();
    scopes.sort_unstable();
    assert_eq!(scopes, expected);
}

#[tokio::test]
async fn rule_5_a_deleted_key_is_refused_at_once_and_no_other_with_it() {
    let service = Service::start();
    let doomed = service.studio.create_key("doomed");
    let http = service.anonymous().with_key(&doomed.key);
    for _ in 0..3 {
        http.get("/v1/whoami").await.is(200);
    }
    service.studio.delete_key(&doomed.id);
    let answer = http.get("/v1/whoami").await;
    answer.is(401);
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn rule_5_what_a_deleted_key_made_stays() {
    let service = Service::start();
    let doomed = service.studio.create_key("doomed");
    let http = service.anonymous().with_key(&doomed.key).with_version(CANONICAL);
    upload(&http, "a", b"a").await;
    let signed = sign(&http, "b").await;
    service.studio.delete_key(&doomed.id);
    assert_eq!(all_files(&service.http).await.len(), 1);
    // The URL is a capability of its own; what it stores can only be registered with a key.
    put(&http, &signed, b"b").await;
    let body = json!({"storage_key": signed["storage_key"]});
    http.post("/v1/uploads/register", &body).await.is(401);
}

#[tokio::test]
async fn rule_5_a_key_deleted_while_its_upload_travels_leaves_all_or_nothing() {
    let service = Service::start();
    let doomed = service.studio.create_key("doomed");
    let form = Form::of_file("slow.bin", &vec![7; 300_000]);
    let body = form.body();
    let address = authority(&service.studio.base_url).to_owned();
    let head = format!(
        "POST /v1/uploads HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
        doomed.key,
        form.content_type(),
        body.len()
    );
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body[..100_000]).await.unwrap();
    service.studio.delete_key(&doomed.id);
    // The service may have refused by now, and closed.
    let _ = stream.write_all(&body[100_000..]).await;
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.unwrap();
    let status: u16 = std::str::from_utf8(&start[9..12]).unwrap().parse().unwrap();
    let files = all_files(&service.http).await.len();
    match status {
        201 => assert_eq!(files, 1),
        401 => assert_eq!(files, 0),
        other => panic!("{other} for an upload whose key was deleted"),
    }
    service.anonymous().with_key(&doomed.key).get("/v1/whoami").await.is(401);
}

#[tokio::test]
async fn rule_6_every_key_has_a_signing_secret_of_its_own() {
    let service = Service::start();
    let other = service.studio.create_key("another");
    assert_ne!(service.key.signing_secret, other.signing_secret);
    for key in [&service.key, &other] {
        let digits = key.signing_secret.strip_prefix("whsec_").expect("the form of a signing secret");
        assert_eq!(digits.len(), 64);
        assert!(digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    }
}

#[tokio::test]
async fn rule_7_the_signed_url_takes_the_bytes_without_an_authorization_header() {
    let service = Service::start();
    let storage_key = stage(&service.http, "a", b"a").await;
    service.http.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await.is(201);
}

#[tokio::test]
async fn rule_7_storage_never_asks_for_a_key() {
    let service = Service::start();
    let address = authority(&service.studio.upload_url);
    for (method, path) in
        [("GET", "/"), ("PUT", "/"), ("PUT", "/pending/x"), ("POST", "/v1/uploads"), ("GET", "/v1/whoami")]
    {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Length: 0\r\n\r\n",
            service.key.key
        );
        let answer = exchange(address, request.as_bytes()).await.unwrap();
        assert!(answer.status.is_client_error() && answer.status != 401, "{method} {path}: {answer:?}");
        assert_eq!(answer.header("www-authenticate"), None);
    }
}

#[tokio::test]
async fn scopes_whoami_needs_none_and_a_new_key_may_use_every_route() {
    let service = Service::start();
    let id = unused_id("file");
    for (method, path) in ROUTES {
        let path = path.replace("file_01KAAAAAAA7AAAAAAAAAAAAAAA", &id);
        let answer = service.http.json(method.parse().unwrap(), &path, "{}").await;
        assert!(![401, 403].contains(&answer.status.as_u16()), "{method} {path}: {answer:?}");
    }
}
