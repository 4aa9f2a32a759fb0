//! Quotas of an organization, and what waits to be registered.

use easel_tests::drive::upload;
use easel_tests::http::{Answer, CANONICAL, Form, Http};
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

fn service() -> (Studio, Http) {
    let studio = Studio::start(Options::new());
    let http = Http::new(&studio.base_url).with_key(&studio.create_key("k").key).with_version(CANONICAL);
    (studio, http)
}

async fn try_upload(http: &Http, content: &[u8]) -> Answer {
    http.post_form("/v1/uploads", &Form::of_file("a.bin", content)).await
}

async fn sign(http: &Http) -> Answer {
    http.post("/v1/uploads/url", &json!({"filename": "a", "mime_type": "a/b"})).await
}

fn set(studio: &Studio, arguments: &[&str]) -> Value {
    let output = studio.command(&[&["quotas", "set"], arguments].concat());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[tokio::test]
async fn what_does_not_fit_is_refused_by_every_way_and_what_is_there_stays() {
    let (studio, http) = service();
    let file = upload(&http, "first", &[1; 600]).await;
    let now = set(&studio, &["--bytes", "1000", "--files", "3"]);
    assert_eq!((&now["used_bytes"], &now["used_files"]), (&json!(600), &json!(1)));
    let refused = try_upload(&http, &[2; 500]).await.error(422, "unprocessable", "quota_exceeded");
    let details = json!({"max_bytes": 1000, "used_bytes": 600, "max_files": 3, "used_files": 1});
    assert_eq!(refused["details"], details);
    try_upload(&http, &[1; 600]).await.is(201);
    try_upload(&http, &[3; 300]).await.is(201);

    // By signed URL, the PUT says it.
    let signed = sign(&http).await.expect(200);
    let url = signed["upload_url"].as_str().unwrap();
    let put = http.put_bytes(url, "a/b", vec![4; 101]).await;
    assert_eq!((put.status.as_u16(), put.storage_code().as_str()), (403, "QuotaExceeded"));
    http.put_bytes(url, "a/b", vec![4; 100]).await.is(200);
    assert_eq!(set(&studio, &[])["staged_bytes"], 100, "it counts while it waits");
    sign(&http).await.error(422, "unprocessable", "quota_exceeded");
    let register = json!({"storage_key": signed["storage_key"]});
    http.post("/v1/uploads/register", &register).await.is(201);
    assert_eq!((&set(&studio, &[])["used_bytes"], &set(&studio, &[])["staged_bytes"]), (&json!(1000), &json!(0)));

    let id = file["file_id"].as_str().unwrap();
    http.get(&format!("/v1/drive/files/{id}/content")).await.is(200);
    set(&studio, &["--bytes", "10"]);
    http.get(&format!("/v1/drive/files/{id}/content")).await.is(200);
    set(&studio, &["--bytes", "default", "--files", "default"]);
    try_upload(&http, &[5; 5000]).await.is(201);
}

#[tokio::test]
async fn a_quota_of_files_alone_counts_what_waits_and_what_is_in_the_trash() {
    let (studio, http) = service();
    let file = upload(&http, "first", b"first").await["file_id"].as_str().unwrap().to_owned();
    let now = set(&studio, &["--files", "2"]);
    assert_eq!((&now["max_files"], &now["max_bytes"]), (&json!(2), &Value::Null));
    let signed = sign(&http).await.expect(200);
    http.put_bytes(signed["upload_url"].as_str().unwrap(), "a/b", b"staged".to_vec()).await.is(200);
    let refused = try_upload(&http, b"third").await.error(422, "unprocessable", "quota_exceeded");
    assert_eq!(refused["details"], json!({"max_bytes": null, "used_bytes": 11, "max_files": 2, "used_files": 2}));
    sign(&http).await.error(422, "unprocessable", "quota_exceeded");
    try_upload(&http, b"first").await.is(201);
    http.post("/v1/uploads/register", &json!({"storage_key": signed["storage_key"]})).await.is(201);
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    try_upload(&http, b"third").await.error(422, "unprocessable", "quota_exceeded");
    http.delete("/v1/drive/trash").await.is(200);
    try_upload(&http, &[3; 10_000]).await.is(201);
    set(&studio, &["--files", "1"]);
    try_upload(&http, b"fourth").await.error(422, "unprocessable", "quota_exceeded");
}

#[tokio::test]
async fn staged_uploads_are_listed_with_their_age_and_cleared_by_the_operator_alone() {
    let (mut studio, http) = service();
    let mut keys = Vec::new();
    for size in [10, 20] {
        let signed = sign(&http).await.expect(200);
        http.put_bytes(signed["upload_url"].as_str().unwrap(), "a/b", vec![1; size]).await.is(200);
        keys.push(signed["storage_key"].as_str().unwrap().to_owned());
    }
    studio.stop();
    studio.restart();
    let list = || -> Vec<Value> {
        let output = studio.command(&["uploads", "list"]);
        String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let listed = list();
    assert_eq!(listed.iter().map(|one| one["size_bytes"].as_u64().unwrap()).collect::<Vec<_>>(), [10, 20]);
    assert!(listed.iter().all(|one| one["age_seconds"].is_u64() && one["user"] == "owner@localhost"), "{listed:?}");
    assert_eq!(studio.command(&["uploads", "clear"]).status.code(), Some(2), "which ones has to be said");
    assert_eq!(studio.command(&["uploads", "clear", "pending/none"]).status.code(), Some(2));
    assert!(studio.command(&["uploads", "clear", "--older-than-days", "1"]).stdout.is_empty(), "they are young");
    assert!(studio.command(&["uploads", "clear", &keys[0]]).status.success());
    assert_eq!(list().len(), 1);
    let gone = http.post("/v1/uploads/register", &json!({"storage_key": keys[0]})).await;
    gone.error(404, "not_found", "upload_not_found");
    http.post("/v1/uploads/register", &json!({"storage_key": keys[1]})).await.is(201);
}
