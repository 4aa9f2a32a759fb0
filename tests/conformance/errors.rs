//! Specification, "Errors"; contract, "Errors".

use bytes::Bytes;
use easel_tests::http::{Answer, Form, Http, exchange};
use easel_tests::studio::authority;
use http::Method;
use serde_json::{Value, json};

use crate::service::{Service, create_folder, stage, text, unused_id, upload};

/// Every endpoint that takes a JSON body, with a body that it accepts.
async fn json_endpoints(http: &Http) -> Vec<(Method, String, Value)> {
    let file = text(&upload(http, "file.txt", b"file").await["file_id"]);
    let folder = create_folder(http, "Folder", None).await;
    let storage_key = stage(http, "staged.txt", b"staged").await;
    vec![
        (
            Method::POST,
            "/v1/uploads/url".to_owned(),
            json!({"filename": "a", "mime_type": "b/c", "expires_in_seconds": 60}),
        ),
        (
            Method::POST,
            "/v1/uploads/register".to_owned(),
            json!({"storage_key": storage_key, "filename": "a", "mime_type": "b/c", "folder_id": folder}),
        ),
        (
            Method::POST,
            "/v1/drive/folders".to_owned(),
            json!({"name": "a", "parent_folder_id": folder, "idempotency_key": "k"}),
        ),
        (Method::POST, format!("/v1/drive/items/{file}/move"), json!({"folder_id": folder})),
        (Method::PATCH, format!("/v1/drive/items/{file}"), json!({"name": "a", "visibility": "team"})),
    ]
}

#[tokio::test]
async fn malformed_json_is_400_invalid_request() {
    let service = Service::start();
    let bodies: Vec<Bytes> = vec![
        Bytes::from_static(b" "),
        Bytes::from_static(b"{"),
        Bytes::from_static(b"{\"name\":"),
        Bytes::from_static(b"{\"name\":\"x\"} {}"),
        Bytes::from_static(b"{\"name\":\"x\",}"),
        Bytes::from_static(b"{'name':'x'}"),
        Bytes::from_static(b"{\"name\":NaN}"),
        Bytes::from_static(b"{\"name\":\"\xff\xfe\"}"),
        Bytes::from_static(b"{\"name\":\"a\x00b\"}"),
        Bytes::from_static(b"\x00"),
        Bytes::from_static(b"\xef\xbb\xbf{}"),
        Bytes::from_static(b"nonsense"),
        "[".repeat(200_000).into(),
        "{\"a\":".repeat(100_000).into(),
    ];
    for (method, path, _) in json_endpoints(&service.http).await {
        for body in &bodies {
            let answer = service.http.json(method.clone(), &path, body.clone()).await;
            let start = String::from_utf8_lossy(&body[..body.len().min(20)]).into_owned();
            assert_eq!(answer.status, 400, "{method} {path} {start}: {answer:?}");
            answer.error(400, "invalid_request", "invalid_request");
        }
        let empty = service.http.request(method.clone(), &path, Some("application/json"), Bytes::new()).await;
        empty.error(400, "invalid_request", "invalid_request");
    }
}

#[tokio::test]
async fn well_formed_json_that_is_no_object_is_422() {
    let service = Service::start();
    for (method, path, _) in json_endpoints(&service.http).await {
        for body in ["[]", "null", "1", "\"text\"", "true", "[{}]"] {
            let answer = service.http.json(method.clone(), &path, body).await;
            assert_eq!(answer.status, 422, "{method} {path} {body}: {answer:?}");
            answer.error(422, "unprocessable", "validation_failed");
        }
        // Deep, but whole.
        let deep = format!("{{\"name\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
        let answer = service.http.json(method.clone(), &path, deep).await;
        assert!([400, 422].contains(&answer.status.as_u16()), "{method} {path}: {answer:?}");
        let _ = answer.envelope();
    }
}

#[tokio::test]
async fn every_field_of_the_wrong_type_is_422_and_named() {
    let service = Service::start();
    let wrong = [json!(true), json!(1.5), json!(-7), json!([]), json!([1]), json!({}), json!({"a": 1}), json!(1e300)];
    for (method, path, valid) in json_endpoints(&service.http).await {
        for field in valid.as_object().unwrap().keys() {
            for value in &wrong {
                let mut body = valid.clone();
                body[field] = value.clone();
                let answer = service.http.json(method.clone(), &path, body.to_string()).await;
                assert_eq!(answer.status, 422, "{method} {path} {field}={value}: {answer:?}");
                assert_eq!(answer.invalid_fields(), [field.as_str()], "{method} {path} {field}={value}: {answer:?}");
            }
        }
    }
}

#[tokio::test]
async fn every_required_field_that_is_missing_is_422_and_named() {
    let service = Service::start();
    for (method, path, valid) in json_endpoints(&service.http).await {
        for field in ["filename", "mime_type", "storage_key", "name", "folder_id"] {
            let optional = (path.ends_with("register") && field != "storage_key") || method == Method::PATCH;
            if valid.get(field).is_none() || optional {
                continue;
            }
            let mut body = valid.clone();
            body.as_object_mut().unwrap().remove(field);
            let answer = service.http.json(method.clone(), &path, body.to_string()).await;
            assert_eq!(answer.invalid_fields(), [field], "{method} {path}: {answer:?}");
            if field != "folder_id" {
                body[field] = Value::Null;
                let answer = service.http.json(method.clone(), &path, body.to_string()).await;
                assert_eq!(answer.invalid_fields(), [field], "{method} {path}, null: {answer:?}");
            }
        }
    }
}

#[tokio::test]
async fn every_unknown_field_of_a_body_is_422_and_named() {
    let service = Service::start();
    for (method, path, valid) in json_endpoints(&service.http).await {
        for unknown in ["callback_url", "colour", "Name", "id", "ü"] {
            let mut body = valid.clone();
            body[unknown] = json!("x");
            let answer = service.http.json(method.clone(), &path, body.to_string()).await;
            assert_eq!(answer.invalid_fields(), [unknown], "{method} {path}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn every_text_that_is_out_of_bounds_is_422_and_named() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "a", b"a").await["file_id"]);
    let cases = [
        (Method::POST, "/v1/uploads/url".to_owned(), json!({"filename": "", "mime_type": "a/b"}), "filename"),
        (
            Method::POST,
            "/v1/uploads/url".to_owned(),
            json!({"filename": "x".repeat(513), "mime_type": "a/b"}),
            "filename",
        ),
        (Method::POST, "/v1/uploads/url".to_owned(), json!({"filename": "x", "mime_type": ""}), "mime_type"),
        (Method::POST, "/v1/uploads/url".to_owned(), json!({"filename": "x", "mime_type": "a/b\r\nX: y"}), "mime_type"),
        (Method::POST, "/v1/uploads/url".to_owned(), json!({"filename": "x", "mime_type": "nonsense"}), "mime_type"),
        (Method::POST, "/v1/drive/folders".to_owned(), json!({"name": ""}), "name"),
        (Method::POST, "/v1/drive/folders".to_owned(), json!({"name": "x".repeat(256)}), "name"),
        (Method::PATCH, format!("/v1/drive/items/{file}"), json!({"name": ""}), "name"),
        (Method::PATCH, format!("/v1/drive/items/{file}"), json!({"name": "ü".repeat(256)}), "name"),
        (Method::PATCH, format!("/v1/drive/items/{file}"), json!({"visibility": "everyone"}), "visibility"),
        (Method::PATCH, format!("/v1/drive/items/{file}"), json!({"visibility": ""}), "visibility"),
    ];
    for (method, path, body, field) in cases {
        let answer = http.json(method.clone(), &path, body.to_string()).await;
        assert_eq!(answer.invalid_fields(), [field], "{method} {path}: {answer:?}");
    }
}

#[tokio::test]
async fn absurd_requests_get_an_answer_that_is_no_server_error() {
    let service = Service::start();
    let http = &service.http;
    let long = "x".repeat(60_000);
    let mut answers: Vec<(String, Answer)> = Vec::new();
    for path in [
        format!("/v1/drive/files/{long}"),
        format!("/v1/drive/files?folder_id={long}"),
        format!("/v1/drive/files?cursor={long}"),
        "/v1/drive/files?limit=1&limit=2".to_owned(),
        "/v1/drive/files?%ff=%ff".to_owned(),
        "/v1/drive/files?cursor=%00".to_owned(),
        "/v1/drive/files?folder_id=%ff%fe".to_owned(),
        "/v1/drive/files/%00".to_owned(),
        "/v1/drive/files/%ff".to_owned(),
        "/v1/drive/files/..%2f..%2fwhoami".to_owned(),
        "/v1/%2e%2e/%2e%2e/etc/passwd".to_owned(),
        format!("/v1/drive/files?{}", "a=b&".repeat(5_000)),
    ] {
        answers.push((path.chars().take(60).collect(), http.get(&path).await));
    }
    let body = json!({"name": "x".repeat(1_000_000)}).to_string();
    answers.push(("a name of a megabyte".to_owned(), http.json(Method::POST, "/v1/drive/folders", body).await));
    let body = format!("{{{}\"name\":\"x\"}}", "\"name\":\"y\",".repeat(10_000));
    answers.push(("a field many times".to_owned(), http.json(Method::POST, "/v1/drive/folders", body).await));
    let http = http.with_header("x-long", &"y".repeat(50_000));
    answers.push(("a long header".to_owned(), http.get("/v1/whoami").await));
    for (name, answer) in answers {
        assert!(answer.status.as_u16() < 500, "{name}: {answer:?}");
    }
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn bytes_that_are_no_http_leave_the_service_standing() {
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    let key = &service.key.key;
    let megabyte = "z".repeat(1_000_000);
    let requests: Vec<Vec<u8>> = vec![
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"HELLO\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET /v1/whoami HTTP/1.1\r\n\r\n".to_vec(),
        format!("GET /v1/whoami HTTP/1.1\r\nHost: {host}\r\nX: {megabyte}\r\n\r\n").into_bytes(),
        format!("GET /v1/whoami?{megabyte} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes(),
        format!("POST /v1/uploads HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n").into_bytes(),
        format!("POST /v1/uploads HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab").into_bytes(),
        format!("POST /v1/uploads HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999999999999\r\n\r\n").into_bytes(),
        format!("POST /v1/drive/folders HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n").into_bytes(),
    ];
    for request in requests {
        // A refusal or a closed connection, both are right; silence or a server error is not.
        if let Ok(answer) = exchange(host, &request).await {
            assert!(answer.status.as_u16() < 500, "{answer:?}");
            assert!(!answer.status.is_success(), "{answer:?}");
        }
    }
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn an_upload_that_is_no_whole_form_is_refused_with_the_envelope() {
    let service = Service::start();
    let http = &service.http;
    let whole = Form::of_file("a.txt", b"content").body();
    let content_type = Form::new().content_type();
    let bodies: Vec<(&str, Bytes)> = vec![
        ("empty", Bytes::new()),
        ("cut in the content", whole.slice(..whole.len() - 50)),
        ("cut before the end", whole.slice(..whole.len() - 6)),
        ("cut in the head", whole.slice(..40)),
        ("no form", Bytes::from_static(b"hello")),
        (
            "another boundary",
            Bytes::from_static(b"--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n1\r\n--x--"),
        ),
        ("json", Bytes::from_static(b"{\"file\":\"a\"}")),
        ("a head without end", [b"--easel-conformance-2f8b1c\r\n".to_vec(), vec![b'a'; 2_000_000]].concat().into()),
    ];
    for (name, body) in bodies {
        let answer = http.request(Method::POST, "/v1/uploads", Some(&content_type), body).await;
        assert!([400, 422].contains(&answer.status.as_u16()), "{name}: {answer:?}");
        let _ = answer.envelope();
    }
    for form in [Form::new(), Form::new().text("folder_id", ""), Form::new().file("picture", "a", "text/plain", b"a")] {
        let answer = http.post_form("/v1/uploads", &form).await;
        assert_eq!(answer.status, 422, "{answer:?}");
        let _ = answer.envelope();
    }
    assert_eq!(crate::service::all_files(http).await.len(), 0, "nothing of it was stored");
}

#[tokio::test]
async fn what_is_not_there_is_404_with_the_code_of_its_kind() {
    let service = Service::start();
    let http = &service.http;
    let (file, folder, canvas) = (unused_id("file"), unused_id("fld"), unused_id("cvs"));
    http.get(&format!("/v1/drive/files/{file}")).await.error(404, "not_found", "file_not_found");
    http.get(&format!("/v1/drive/files/{file}/download")).await.error(404, "not_found", "file_not_found");
    for (id, code) in [(file, "file_not_found"), (folder.clone(), "folder_not_found"), (canvas, "canvas_not_found")] {
        let item = format!("/v1/drive/items/{id}");
        http.post(&format!("{item}/move"), &json!({"folder_id": null})).await.error(404, "not_found", code);
        http.patch(&item, &json!({"name": "x"})).await.error(404, "not_found", code);
        http.delete(&item).await.error(404, "not_found", code);
    }
    let code = "folder_not_found";
    http.get(&format!("/v1/drive/files?folder_id={folder}")).await.error(404, "not_found", code);
    http.get(&format!("/v1/drive/folders?parent_id={folder}")).await.error(404, "not_found", code);
    let body = json!({"name": "x", "parent_folder_id": folder});
    http.post("/v1/drive/folders", &body).await.error(404, "not_found", code);
    let form = Form::new().text("folder_id", &folder).file("file", "a", "text/plain", b"a");
    http.post_form("/v1/uploads", &form).await.error(404, "not_found", code);
    let storage_key = stage(http, "a", b"a").await;
    let body = json!({"storage_key": storage_key, "folder_id": folder});
    http.post("/v1/uploads/register", &body).await.error(404, "not_found", code);
    let existing = text(&upload(http, "b", b"b").await["file_id"]);
    http.post(&format!("/v1/drive/items/{existing}/move"), &body_with_folder(&folder)).await.error(
        404,
        "not_found",
        code,
    );
}

fn body_with_folder(folder: &str) -> Value {
    json!({"folder_id": folder})
}
