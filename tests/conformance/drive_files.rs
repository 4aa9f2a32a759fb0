//! Contract, "Drive": a file's record and its bytes.

use easel_tests::http::Form;
use serde_json::json;

use crate::service::{Service, content_hash, create_folder, list, text, upload};

#[tokio::test]
async fn the_record_of_a_file_is_the_same_alone_and_in_the_list() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let form = Form::new().text("folder_id", &folder).file("file", "a.png", "image/png", b"bytes");
    let uploaded = http.post_form("/v1/uploads", &form).await.expect(201);
    let id = text(&uploaded["file_id"]);
    let alone = http.get(&format!("/v1/drive/files/{id}")).await.expect(200);
    let me = http.get("/v1/whoami").await.expect(200);
    let file = &alone["file"];
    assert_eq!(list(&http.get("/v1/drive/files").await), std::slice::from_ref(file));
    let legacy = service.legacy().get("/v1/drive/files").await.expect(200);
    assert_eq!(legacy["files"][0], *file);
    assert_eq!(file["id"], id);
    assert_eq!((&file["name"], &file["folder_id"]), (&"a.png".into(), &folder.into()));
    assert_eq!((&file["visibility"], &file["visibility_inherited"]), (&"team".into(), &false.into()));
    assert_eq!((&file["mime_type"], &file["size_bytes"]), (&"image/png".into(), &5.into()));
    assert_eq!(file["content_hash"], content_hash(b"bytes"));
    assert_eq!(file["created_by"], me["user"]);
    assert_eq!(file["url"], uploaded["url"]);
}

#[tokio::test]
async fn the_url_of_a_file_is_for_key_holders() {
    let service = Service::start();
    let url = text(&upload(&service.http, "a", b"secret content").await["url"]);
    let answer = service.http.get_url(&url, &[]).await;
    answer.is(401);
    assert!(!String::from_utf8_lossy(&answer.body).contains("secret content"));
}

#[tokio::test]
async fn a_download_is_signed_and_served_without_a_key() {
    let service = Service::start();
    let form = Form::new().file("file", "Grüße \"1\".png", "image/png", b"0123456789");
    let id = text(&service.http.post_form("/v1/uploads", &form).await.expect(201)["file_id"]);
    let record = service.http.get(&format!("/v1/drive/files/{id}/download")).await.expect(200);
    assert_eq!((&record["filename"], &record["size_bytes"]), (&"Grüße \"1\".png".into(), &10.into()));
    assert_eq!(record["mime_type"], "image/png");
    let answer = service.http.get_url(&text(&record["download_url"]), &[]).await;
    answer.is(200);
    assert_eq!(answer.body, b"0123456789".as_slice());
    assert_eq!((answer.header("content-length"), answer.header("content-type")), (Some("10"), Some("image/png")));
    assert_eq!(answer.header("accept-ranges"), Some("bytes"));
}

#[tokio::test]
async fn a_download_serves_ranges() {
    let service = Service::start();
    let id = text(&upload(&service.http, "a", b"0123456789").await["file_id"]);
    let record = service.http.get(&format!("/v1/drive/files/{id}/download")).await.expect(200);
    let url = text(&record["download_url"]);
    let cases = [
        ("bytes=0-0", "0", "bytes 0-0/10"),
        ("bytes=0-3", "0123", "bytes 0-3/10"),
        ("bytes=4-", "456789", "bytes 4-9/10"),
        ("bytes=9-", "9", "bytes 9-9/10"),
        ("bytes=-3", "789", "bytes 7-9/10"),
        ("bytes=-100", "0123456789", "bytes 0-9/10"),
        ("bytes=5-1000", "56789", "bytes 5-9/10"),
        ("bytes=0-9", "0123456789", "bytes 0-9/10"),
    ];
    for (range, body, content_range) in cases {
        let answer = service.http.get_url(&url, &[("range", range)]).await;
        assert_eq!(answer.status, 206, "{range}: {answer:?}");
        assert_eq!(
            (&answer.body[..], answer.header("content-range")),
            (body.as_bytes(), Some(content_range)),
            "{range}"
        );
        assert_eq!(answer.header("content-length"), Some(body.len().to_string().as_str()), "{range}");
    }
    for range in ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-"] {
        let answer = service.http.get_url(&url, &[("range", range)]).await;
        assert_eq!(answer.status, 416, "{range}: {answer:?}");
        assert_eq!(answer.header("content-range"), Some("bytes */10"), "{range}");
    }
    // What is no range of bytes is ignored.
    for range in ["lines=1-2", "bytes=5-2", "bytes=", "nonsense", "bytes=a-b"] {
        let answer = service.http.get_url(&url, &[("range", range)]).await;
        assert!(answer.status == 200 && answer.body.len() == 10, "{range}: {answer:?}");
    }
    // Several at once: all of them, or the whole file.
    let answer = service.http.get_url(&url, &[("range", "bytes=0-1,4-5")]).await;
    assert!([200, 206].contains(&answer.status.as_u16()), "{answer:?}");
}

#[tokio::test]
async fn a_range_of_an_empty_file_is_416() {
    let service = Service::start();
    let id = text(&upload(&service.http, "empty", b"").await["file_id"]);
    let record = service.http.get(&format!("/v1/drive/files/{id}/download")).await.expect(200);
    let url = text(&record["download_url"]);
    service.http.get_url(&url, &[]).await.is(200);
    let answer = service.http.get_url(&url, &[("range", "bytes=0-")]).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-range")), (416, Some("bytes */0")));
}

#[tokio::test]
async fn a_download_url_that_was_changed_is_refused() {
    let service = Service::start();
    let first = text(&upload(&service.http, "a", b"first").await["file_id"]);
    let second = text(&upload(&service.http, "b", b"second").await["file_id"]);
    let url_of = |id: String| {
        let http = service.http.clone();
        async move { text(&http.get(&format!("/v1/drive/files/{id}/download")).await.expect(200)["download_url"]) }
    };
    let (url, other) = (url_of(first).await, url_of(second).await);
    let start = url.find("://").unwrap() + 3;
    let start = start + url[start..].find('/').unwrap();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    let (other_path, other_query) = other.split_once('?').unwrap_or((&other, ""));
    let mut changed = vec![format!("{path}?{other_query}"), format!("{other_path}?{query}"), path.to_owned()];
    for at in start + 1..url.len() {
        let old = url.as_bytes()[at];
        if old.is_ascii_alphanumeric() {
            let new = if old == b'0' { '1' } else { '0' };
            changed.push(format!("{}{new}{}", &url[..at], &url[at + 1..]));
        }
    }
    for changed in changed {
        if changed == url {
            continue;
        }
        let answer = service.http.get_url(&changed, &[]).await;
        let body = &answer.body[..];
        assert!(answer.status.is_client_error(), "at {}: {answer:?}", &changed[start..changed.len().min(start + 30)]);
        assert!(body != b"first" && body != b"second");
    }
}

#[tokio::test]
async fn a_download_ends_with_its_file() {
    let service = Service::start();
    let id = text(&upload(&service.http, "a", b"bytes").await["file_id"]);
    let record = service.http.get(&format!("/v1/drive/files/{id}/download")).await.expect(200);
    service.http.delete(&format!("/v1/drive/items/{id}")).await.is(200);
    let answer = service.http.get_url(&text(&record["download_url"]), &[]).await;
    assert!(answer.status.is_client_error(), "{answer:?}");
    service.http.get(&format!("/v1/drive/files/{id}/download")).await.error(404, "not_found", "file_not_found");
}

#[tokio::test]
async fn a_file_keeps_its_bytes_while_it_is_moved_and_renamed() {
    let service = Service::start();
    let folder = create_folder(&service.http, "Folder", None).await;
    let id = text(&upload(&service.http, "a", b"bytes").await["file_id"]);
    let item = format!("/v1/drive/items/{id}");
    service.http.post(&format!("{item}/move"), &json!({"folder_id": folder})).await.is(200);
    service.http.patch(&item, &json!({"name": "b"})).await.is(200);
    assert_eq!(crate::service::download(&service.http, &id).await, b"bytes".as_slice());
}
