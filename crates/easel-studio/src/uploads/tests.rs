//! What depends on time and on who comes first: expiry, the memory of consumed keys, and many of the same at once.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::Method;
use serde_json::{Value, json};

use super::fields::{read_filename, read_mime_type};
use crate::core::error::Error;
use crate::fixture::{Answer, Fixture, count_files};

const KEY: (&str, &str) = ("authorization", "Bearer good");
const TYPE: (&str, &str) = ("content-type", "text/plain");

async fn start(path: &std::path::Path) -> Fixture {
    let fixture = Fixture::start(path, 0).await;
    let scopes: Vec<_> = easel_wire::Scope::of_new_key().collect();
    fixture.add_key("good", &scopes).await;
    fixture
}

async fn post(fixture: &Fixture, path: &str, body: &Value) -> Answer {
    fixture.ask(&Method::POST, path, &[KEY], body.to_string()).await
}

async fn sign_for(fixture: &Fixture, seconds: u64) -> (String, Value) {
    let body = json!({ "filename": "a.txt", "mime_type": "text/plain", "expires_in_seconds": seconds });
    let signed = post(fixture, "/v1/uploads/url", &body).await.json();
    (signed["upload_url"].as_str().unwrap().to_owned(), json!({ "storage_key": signed["storage_key"] }))
}

async fn put(fixture: &Fixture, url: &str, body: &'static str) -> Answer {
    fixture.ask_storage(&Method::PUT, url, &[TYPE], body).await
}

async fn upload(fixture: &Fixture, content: &str) -> Answer {
    let body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n{content}\r\n--b--\r\n"
    );
    let headers = [KEY, ("content-type", "multipart/form-data; boundary=b")];
    fixture.ask(&Method::POST, "/v1/uploads", &headers, body).await
}

#[tokio::test]
async fn a_url_is_good_until_its_end_and_only_for_its_type() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = start(folder.path()).await;
    let (url, _) = sign_for(&fixture, 60).await;
    let other = fixture.ask_storage(&Method::PUT, &url, &[("content-type", "text/html")], "x").await;
    assert!(other.status == 403 && other.text().contains("<Code>ContentTypeMismatch</Code>"));
    fixture.clock.advance(Duration::from_secs(60));
    assert_eq!(put(&fixture, &url, "x").await.status, 200);
    let again = put(&fixture, &url, "x").await;
    assert!(again.status == 403 && again.text().contains("<Code>AlreadyWritten</Code>"));
    let (url, _) = sign_for(&fixture, 60).await;
    fixture.clock.advance(Duration::from_secs(62));
    let expired = put(&fixture, &url, "x").await;
    assert!(expired.status == 403 && expired.text().contains("<Code>ExpiredUrl</Code>"));
}

#[tokio::test]
async fn a_registered_key_is_remembered_for_a_day_with_its_first_answer() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = start(folder.path()).await;
    let (url, register) = sign_for(&fixture, 600).await;
    let early = post(&fixture, "/v1/uploads/register", &register).await;
    assert_eq!((early.status.as_u16(), early.json()["error"]["code"].as_str()), (404, Some("upload_not_found")));
    put(&fixture, &url, "x").await;
    let first = post(&fixture, "/v1/uploads/register", &register).await;
    assert_eq!((first.status.as_u16(), &first.json()["was_duplicate"]), (201, &json!(false)));
    fixture.clock.advance(Duration::from_secs(24 * 60 * 60));
    let second = post(&fixture, "/v1/uploads/register", &register).await;
    assert_eq!((second.status, second.json()), (first.status, first.json()));
    fixture.clock.advance(Duration::from_micros(1));
    assert_eq!(post(&fixture, "/v1/uploads/register", &register).await.status, 404);
}

#[tokio::test]
async fn one_file_comes_of_many_registrations_of_one_key_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = start(folder.path()).await;
    let (url, register) = sign_for(&fixture, 600).await;
    put(&fixture, &url, "x").await;
    let all = (0..16).map(|_| post(&fixture, "/v1/uploads/register", &register));
    let answers: Vec<Value> = futures_util::future::join_all(all).await.iter().map(Answer::json).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer["was_duplicate"] == false), "{answers:?}");
    assert!(!folder.path().join("blobs").join(register["storage_key"].as_str().unwrap()).exists());
}

#[tokio::test]
async fn of_many_puts_at_once_one_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = start(folder.path()).await;
    let (url, _) = sign_for(&fixture, 600).await;
    let answers = futures_util::future::join_all((0..8).map(|_| put(&fixture, &url, "x"))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.text().contains("AlreadyWritten")).count(), 7);
    assert_eq!(std::fs::read_dir(folder.path().join("blobs/incoming")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_content_is_never_lost_to_a_deletion_of_the_same_content() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = start(folder.path()).await;
    let churn = async || {
        for _ in 0..12 {
            let uploaded = upload(&fixture, "shared").await.json();
            let file = uploaded["file_id"].as_str().unwrap();
            fixture.ask(&Method::DELETE, &format!("/v1/drive/items/{file}"), &[KEY], Body::empty()).await;
        }
    };
    tokio::join!(churn(), churn(), churn());
    let last = upload(&fixture, "shared").await.json();
    let path = format!("/v1/drive/files/{}/content", last["file_id"].as_str().unwrap());
    let content = fixture.ask(&Method::GET, &path, &[KEY], Body::empty()).await;
    assert_eq!((content.status.as_u16(), content.text().as_str()), (200, "shared"));
    assert_eq!(std::fs::read_dir(folder.path().join("blobs/incoming")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_form_that_is_not_in_order_stores_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = start(folder.path()).await;
    let part = |name: &str, more: &str, content: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n{content}\r\n")
    };
    let file = part("file", "; filename=\"a\"", "x");
    let missing_folder = part("folder_id", "", "fld_00000000000000000000000000");
    let check = async |body: String, status: u16, code: &str| {
        let headers = [KEY, ("content-type", "multipart/form-data; boundary=b")];
        let answer = fixture.ask(&Method::POST, "/v1/uploads", &headers, body.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.json()["error"]["code"].as_str()), (status, Some(code)), "{body}");
    };
    check(format!("{file}{file}--b--\r\n"), 422, "validation_failed").await;
    check(format!("{file}{}--b--\r\n", part("colour", "", "red")), 422, "validation_failed").await;
    check(format!("{file}{}--b--\r\n", part("folder_id", "", "nonsense")), 422, "validation_failed").await;
    check(format!("{file}{missing_folder}--b--\r\n"), 404, "folder_not_found").await;
    check(format!("{}--b--\r\n", part("file", "", "x")), 422, "validation_failed").await;
    check(format!("{}--b--\r\n", part("file", "; filename=\"..\"", "x")), 422, "validation_failed").await;
    check(file.clone(), 400, "invalid_request").await;
    check("--b--\r\n".to_owned(), 422, "validation_failed").await;
    let listed = fixture.ask(&Method::GET, "/v1/drive/files", &[KEY], Body::empty()).await.json();
    assert_eq!(listed["total"], 0);
    for place in ["sha256", "incoming", "pending"] {
        assert_eq!(count_files(&folder.path().join("blobs").join(place)), 0, "contents without files: {place}");
    }
}

#[tokio::test]
async fn uploads_that_share_a_commit_fail_each_for_its_own_reason() {
    const UPLOADS: usize = 200;
    let folder = tempfile::tempdir().unwrap();
    let fixture = Arc::new(start(folder.path()).await);
    // While someone else writes, they gather.
    let elsewhere = fixture.studio.db.begin().await.unwrap();
    let sent = (0..UPLOADS).map(|number| {
        let fixture = Arc::clone(&fixture);
        tokio::spawn(async move {
            let folder = if number % 10 == 0 { "fld_00000000000000000000000000" } else { "" };
            let body = format!(
                "--b\r\nContent-Disposition: form-data; name=\"folder_id\"\r\n\r\n{folder}\r\n\
                 --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n{}\r\n--b--\r\n",
                number / 2,
            );
            let headers = [KEY, ("content-type", "multipart/form-data; boundary=b")];
            let answer = fixture.ask(&Method::POST, "/v1/uploads", &headers, body).await;
            (number, answer.status.as_u16(), answer.json())
        })
    });
    let sent: Vec<_> = sent.collect();
    while fixture.studio.commits.count_waiting() < UPLOADS - 1 {
        tokio::task::yield_now().await;
    }
    elsewhere.rollback().await.unwrap();
    let mut duplicates = 0;
    for upload in sent {
        let (number, status, body) = upload.await.unwrap();
        let expected = if number % 10 == 0 { 404 } else { 201 };
        assert_eq!(status, expected, "{number}: {body}");
        duplicates += usize::from(body["was_duplicate"] == true);
    }
    // Two and two have the same content; of every fifth pair one goes to a folder that is not there.
    let listed = fixture.ask(&Method::GET, "/v1/drive/files?limit=1", &[KEY], Body::empty()).await.json();
    assert_eq!((listed["total"].as_u64(), duplicates), (Some(100), 80));
    assert_eq!(count_files(&folder.path().join("blobs/sha256")), 100);
    // What was written and is needed by nobody goes a moment after the answer.
    let incoming = folder.path().join("blobs/incoming");
    let gone = async {
        while count_files(&incoming) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), gone).await.expect("nothing stays that nobody needs");
}

#[test]
fn only_the_base_name_counts_and_the_extension_is_kept() {
    let check = |given: &str, kept: &str| assert_eq!(read_filename("filename", given).unwrap().as_str(), kept);
    check("a.png", "a.png");
    check("../../etc/passwd", "passwd");
    check("C:\\Users\\me\\deck.pptx", "deck.pptx");
    check(&format!("{}.jpeg", "ä".repeat(400)), &format!("{}.jpeg", "ä".repeat(250)));
    let refused = |given: &str, code: &str| match read_filename("filename", given) {
        Err(Error::Validation { fields, .. }) => assert_eq!(fields[0].code, code, "{given}"),
        other => panic!("{other:?}"),
    };
    refused("", "required");
    refused("..", "reserved_name");
    refused("a/", "required");
    refused("a\0b", "invalid_character");
    refused(&"x".repeat(513), "too_long");
}

#[test]
fn a_mime_type_is_a_type() {
    for good in ["image/png", "text/plain; charset=utf-8", "application/vnd.x+json"] {
        assert_eq!(read_mime_type("mime_type", good).unwrap(), good);
    }
    for bad in [
        "",
        "image",
        "image/",
        "*/*",
        "image/*",
        "a b/c",
        "image/png\r\nX: y",
        "ä/b",
        &format!("a/{}", "b".repeat(255)),
    ] {
        assert!(read_mime_type("mime_type", bad).is_err(), "{bad:?}");
    }
}
