//! Specification, "Two-step signed-URL flow" and "Signed upload record"; contract, "Uploads".

use easel_tests::http::{Answer, exchange};
use easel_tests::port::HeldPort;
use easel_tests::studio::{Options, authority};
use http::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::service::{Service, all_files, download, put, register, sign, stage, text, upload};

/// The largest blob that storage takes.
const STORAGE_CEILING: u64 = 250_000_000;

#[tokio::test]
async fn step_1_answers_with_the_signed_upload_record() {
    let service = Service::start();
    let body = json!({"filename": "a.png", "mime_type": "image/png", "expires_in_seconds": 61});
    let signed = service.http.post("/v1/uploads/url", &body).await.success();
    assert!(text(&signed["upload_url"]).starts_with(&service.studio.upload_url), "an address of its own");
    assert_ne!(authority(&service.studio.upload_url), authority(&service.studio.base_url));
    assert_eq!((&signed["expires_in_seconds"], &signed["mime_type"]), (&61.into(), &"image/png".into()));
    assert!(!text(&signed["storage_key"]).is_empty());
    assert!(!text(&signed["instructions"]).is_empty());
    assert_eq!(sign(&service.http, "b").await["expires_in_seconds"], 600, "the default");
    assert_ne!(sign(&service.http, "b").await["storage_key"], sign(&service.http, "b").await["storage_key"]);
}

#[tokio::test]
async fn step_2_and_3_put_and_register_make_the_file() {
    let service = Service::start();
    let signed = sign(&service.http, "a.bin").await;
    put(&service.http, &signed, b"bytes").await.is(200);
    assert_eq!(all_files(&service.http).await.len(), 0, "there is no file before it is registered");
    let result = register(&service.http, &text(&signed["storage_key"])).await.expect(201);
    assert_eq!(download(&service.http, &text(&result["file_id"])).await, b"bytes".as_slice());
}

#[tokio::test]
async fn step_2_the_content_type_must_be_the_signed_one() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let url = text(&signed["upload_url"]);
    let answer = service.http.put_bytes(&url, "image/png", "bytes").await;
    assert_eq!((answer.status.as_u16(), answer.storage_code().as_str()), (403, "ContentTypeMismatch"));
    let request =
        format!("PUT {} HTTP/1.1\r\nHost: {}\r\nContent-Length: 5\r\n\r\nbytes", path_of(&url), authority(&url));
    let answer = exchange(authority(&url), request.as_bytes()).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.storage_code().as_str()), (403, "ContentTypeMismatch"), "without one");
    put(&service.http, &signed, b"bytes").await.is(200);
}

#[tokio::test]
async fn a_refusal_of_storage_is_a_small_xml_error() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let answer = service.http.put_bytes(&text(&signed["upload_url"]), "x/y", "").await;
    assert!(answer.header("content-type").is_some_and(|value| value.contains("xml")), "{answer:?}");
    assert!(answer.body.len() < 2_000);
    let secret = text(&signed["upload_url"]);
    let query = secret.split_once('?').map_or("", |(_, query)| query);
    assert!(query.is_empty() || !String::from_utf8_lossy(&answer.body).contains(query), "the signature in an answer");
}

#[tokio::test]
async fn a_url_that_was_changed_anywhere_is_403_signature_does_not_match() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let other = sign(&service.http, "b").await;
    let (url, other_url) = (text(&signed["upload_url"]), text(&other["upload_url"]));
    let start = url.find(path_of(&url)).unwrap();
    let mut changed = Vec::new();
    for at in start + 1..url.len() {
        let old = url.as_bytes()[at];
        if !old.is_ascii_alphanumeric() {
            continue;
        }
        let new = if old == b'a' || old == b'0' {
            'b'
        } else if old.is_ascii_digit() {
            '0'
        } else {
            'a'
        };
        changed.push(format!("{}{new}{}", &url[..at], &url[at + 1..]));
    }
    assert!(changed.len() > 60, "a signature is longer than that");
    let (path, query) = path_of(&url).split_once('?').unwrap_or((path_of(&url), ""));
    let (other_path, other_query) = path_of(&other_url).split_once('?').unwrap_or((path_of(&other_url), ""));
    let origin = &url[..start];
    changed.push(format!("{origin}{path}?{other_query}"));
    changed.push(format!("{origin}{other_path}?{query}"));
    changed.push(format!("{origin}{path}"));
    changed.push(format!("{origin}{path}?"));
    for url in changed {
        let answer = service.http.put_bytes(&url, "application/octet-stream", "bytes").await;
        let place = &path_of(&url)[..path_of(&url).len().min(40)];
        // A path that leads nowhere may be told apart; nothing may be stored.
        assert!([403, 404].contains(&answer.status.as_u16()), "{place}…: {answer:?}");
        if answer.status == 403 {
            assert_eq!(answer.storage_code(), "SignatureDoesNotMatch", "{place}…");
        }
    }
    for storage_key in [&signed["storage_key"], &other["storage_key"]] {
        register(&service.http, &text(storage_key)).await.error(404, "not_found", "upload_not_found");
    }
    put(&service.http, &signed, b"bytes").await.is(200);
}

#[tokio::test]
async fn a_second_put_after_a_successful_one_is_403_already_written() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    put(&service.http, &signed, b"first").await.is(200);
    let answer = put(&service.http, &signed, b"second").await;
    assert_eq!((answer.status.as_u16(), answer.storage_code().as_str()), (403, "AlreadyWritten"));
    let result = register(&service.http, &text(&signed["storage_key"])).await.expect(201);
    assert_eq!(download(&service.http, &text(&result["file_id"])).await, b"first".as_slice());
    let answer = put(&service.http, &signed, b"third").await;
    assert_eq!((answer.status.as_u16(), answer.storage_code().as_str()), (403, "AlreadyWritten"), "after register too");
}

#[tokio::test]
async fn two_puts_at_once_store_one_of_them_whole() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let contents = [vec![b'1'; 400_000], vec![b'2'; 400_000], vec![b'3'; 400_000]];
    let puts: Vec<_> = contents
        .iter()
        .map(|content| {
            let (http, signed, content) = (service.http.clone(), signed.clone(), content.clone());
            tokio::spawn(async move { put(&http, &signed, &content).await })
        })
        .collect();
    let mut written = 0;
    for answer in puts {
        let answer = answer.await.unwrap();
        match answer.status.as_u16() {
            200 => written += 1,
            _ => assert_eq!(answer.storage_code(), "AlreadyWritten"),
        }
    }
    assert_eq!(written, 1);
    let result = register(&service.http, &text(&signed["storage_key"])).await.expect(201);
    let stored = download(&service.http, &text(&result["file_id"])).await;
    assert!(contents.iter().any(|content| *content == stored), "a mixture of {} bytes", stored.len());
}

/// Bytes of what is being written.
fn incoming_bytes(service: &Service) -> u64 {
    let entries = std::fs::read_dir(service.studio.data_dir.join("blobs/incoming")).expect("a folder").flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// Begins a PUT of this framing and sends so much of it.
async fn begin_put(signed: &serde_json::Value, framing: &str, sent: usize) -> tokio::net::TcpStream {
    let url = text(&signed["upload_url"]);
    let mut stream = tokio::net::TcpStream::connect(authority(&url)).await.unwrap();
    let head = format!(
        "PUT {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/octet-stream\r\n{framing}\r\n\r\n",
        path_of(&url),
        authority(&url)
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // One that is refused meanwhile may be closed.
    let body = vec![b'x'; sent];
    let _ = tokio::time::timeout(std::time::Duration::from_secs(1), stream.write_all(&body)).await;
    stream
}

#[tokio::test]
async fn one_signed_url_writes_one_body_at_a_time() {
    const MIB: usize = 1 << 20;
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let length = format!("Content-Length: {STORAGE_CEILING}");
    let mut open = vec![begin_put(&signed, &length, 32 * MIB).await];
    for _ in 0..7 {
        open.push(begin_put(&signed, &length, 32 * MIB).await);
    }
    let written = incoming_bytes(&service);
    assert!(written <= 33 << 20, "{written} bytes by eight PUTs to one URL");
    // A further one is told so, in time.
    let further = put(&service.http, &signed, b"whole").await;
    assert_eq!((further.status.as_u16(), further.storage_code().as_str()), (503, "OperationAborted"));
    drop(open);
    put(&service.http, &signed, b"whole").await.is(200);
}

#[tokio::test]
async fn what_is_announced_is_asked_of_the_quota_before_it_is_written() {
    let service = Service::start();
    assert!(service.studio.command(&["quotas", "set", "--bytes", "50000000"]).status.success());
    let (first, second) = (sign(&service.http, "a").await, sign(&service.http, "b").await);
    // Not a byte of the body is sent.
    let refused = put_of_length(&service, &first, 50_000_001).await;
    assert_eq!((refused.status.as_u16(), refused.storage_code().as_str()), (403, "QuotaExceeded"));
    // Two that fit alone do not fit together, however they come.
    let one = begin_put(&first, "Content-Length: 40000000", 1_000).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let refused = put_of_length(&service, &second, 40_000_000).await;
    assert_eq!((refused.status.as_u16(), refused.storage_code().as_str()), (403, "QuotaExceeded"));
    let refused = put_chunked(&second, 40_000_000).await;
    assert_eq!((refused.status.as_u16(), refused.storage_code().as_str()), (403, "QuotaExceeded"));
    drop(one);
    put_chunked(&second, 40_000_000).await.is(200);
}

#[tokio::test]
async fn a_put_cut_off_half_way_stores_nothing_and_leaves_the_url_usable() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let storage_key = text(&signed["storage_key"]);
    for framing in ["Content-Length: 300000", "Transfer-Encoding: chunked"] {
        let mut stream = begin_put(&signed, framing, 0).await;
        if framing.contains("chunked") {
            stream.write_all(b"249f0\r\n").await.unwrap();
        }
        stream.write_all(&[b'x'; 150_000]).await.unwrap();
        stream.flush().await.unwrap();
        drop(stream);
        register(&service.http, &storage_key).await.error(404, "not_found", "upload_not_found");
    }
    put(&service.http, &signed, b"whole").await.is(200);
    let result = register(&service.http, &storage_key).await.expect(201);
    assert_eq!(download(&service.http, &text(&result["file_id"])).await, b"whole".as_slice());
}

#[tokio::test]
async fn storage_takes_250_000_000_bytes_and_no_more() {
    let service = Service::start();
    let signed = sign(&service.http, "large").await;
    let announced = put_of_length(&service, &signed, STORAGE_CEILING + 1).await;
    assert_eq!((announced.status.as_u16(), announced.storage_code().as_str()), (413, "EntityTooLarge"));

    // Chunked, so that nothing announces how much it is.
    let answer = put_chunked(&signed, STORAGE_CEILING + 1).await;
    assert_eq!((answer.status.as_u16(), answer.storage_code().as_str()), (413, "EntityTooLarge"));
    register(&service.http, &text(&signed["storage_key"])).await.error(404, "not_found", "upload_not_found");

    put_chunked(&signed, STORAGE_CEILING).await.is(200);
    let result = register(&service.http, &text(&signed["storage_key"])).await.expect(201);
    assert_eq!(result["size_bytes"], STORAGE_CEILING);
}

async fn put_of_length(service: &Service, signed: &serde_json::Value, length: u64) -> Answer {
    let url = text(&signed["upload_url"]);
    let head = format!(
        "PUT {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/octet-stream\r\nContent-Length: {length}\r\n\r\n",
        path_of(&url),
        authority(&service.studio.upload_url)
    );
    exchange(authority(&url), head.as_bytes()).await.unwrap()
}

async fn put_chunked(signed: &serde_json::Value, length: u64) -> Answer {
    let url = text(&signed["upload_url"]);
    let mut request = format!(
        "PUT {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
        path_of(&url),
        authority(&url)
    )
    .into_bytes();
    let mut left = length;
    let zeros = vec![0; 1 << 20];
    while left > 0 {
        let size = left.min(1 << 20);
        request.extend_from_slice(format!("{size:x}\r\n").as_bytes());
        request.extend_from_slice(&zeros[..usize::try_from(size).unwrap()]);
        request.extend_from_slice(b"\r\n");
        left -= size;
    }
    request.extend_from_slice(b"0\r\n\r\n");
    exchange(authority(&url), &request).await.unwrap()
}

#[tokio::test]
async fn the_signed_url_is_for_put_only() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let url = text(&signed["upload_url"]);
    for method in ["GET", "HEAD", "DELETE", "POST", "PATCH"] {
        let request = format!(
            "{method} {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/octet-stream\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            path_of(&url),
            authority(&url)
        );
        let status = status_of(authority(&url), &request).await;
        assert!((400..500).contains(&status), "{method}: {status}");
    }
    register(&service.http, &text(&signed["storage_key"])).await.error(404, "not_found", "upload_not_found");
}

/// The status alone, because the answer to HEAD has a length but no body.
async fn status_of(address: &str, request: &str) -> u16 {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    tokio::io::AsyncReadExt::read_exact(&mut stream, &mut start).await.unwrap();
    std::str::from_utf8(&start[9..]).unwrap().parse().unwrap()
}

#[tokio::test]
async fn storage_requests_take_nothing_from_the_request_rate() {
    let service = Service::start_with(Options::new().requests_per_minute(3));
    let signed = sign(&service.http, "a").await;
    for _ in 0..5 {
        service.http.put_bytes(&text(&signed["upload_url"]), "x/y", "").await.is(403);
    }
    put(&service.http, &signed, b"bytes").await.is(200);
    register(&service.http, &text(&signed["storage_key"])).await.is(201);
    service.http.get("/v1/whoami").await.is(200);
    service.http.get("/v1/whoami").await.is(429);
}

#[tokio::test]
async fn register_of_an_unknown_key_is_404_upload_not_found() {
    let service = Service::start();
    let unused = text(&sign(&service.http, "a").await["storage_key"]);
    let known = stage(&service.http, "a", b"a").await;
    let tricks = [
        unused,
        "nonsense".to_owned(),
        "../../easel.db".to_owned(),
        "..".to_owned(),
        "/etc/passwd".to_owned(),
        "sha256/ab".to_owned(),
        format!("{known}/../{known}"),
        format!("./{known}"),
        format!("{known}/"),
        format!(" {known}"),
        format!("{known}\0"),
        "%2e%2e%2f".to_owned(),
        "pending/*".to_owned(),
        "C:\\windows".to_owned(),
        "🎨".to_owned(),
        "x".repeat(5_000),
    ];
    for storage_key in tricks {
        let answer = register(&service.http, &storage_key).await;
        let start: String = storage_key.chars().take(20).collect();
        assert!([404, 422].contains(&answer.status.as_u16()), "{start}: {answer:?}");
        if answer.status == 404 {
            answer.error(404, "not_found", "upload_not_found");
        } else {
            assert_eq!(answer.invalid_fields(), ["storage_key"], "{start}");
        }
    }
    assert_eq!(all_files(&service.http).await.len(), 0);
    register(&service.http, &known).await.is(201);
}

#[tokio::test]
async fn register_repeats_the_result_of_a_consumed_key_with_the_original_was_duplicate() {
    let mut service = Service::start();
    let new = stage(&service.http, "new.txt", b"new").await;
    upload(&service.http, "there.txt", b"there").await;
    let duplicate = stage(&service.http, "also there.txt", b"there").await;
    let first = [register(&service.http, &new).await.success(), register(&service.http, &duplicate).await.success()];
    assert_eq!((&first[0]["was_duplicate"], &first[1]["was_duplicate"]), (&false.into(), &true.into()));
    for restarted in [false, true] {
        if restarted {
            service.studio.kill();
            service.studio.restart();
        }
        for (storage_key, first) in [&new, &duplicate].into_iter().zip(&first) {
            assert_eq!(register(&service.http, storage_key).await.success(), *first, "restarted: {restarted}");
        }
    }
    let body = json!({"storage_key": new, "filename": "other.txt"});
    assert_eq!(service.http.post("/v1/uploads/register", &body).await.success()["file_id"], first[0]["file_id"]);
    assert_eq!(all_files(&service.http).await.len(), 2);
}

#[tokio::test]
async fn register_asked_many_times_at_once_makes_one_file() {
    let service = Service::start();
    let storage_key = stage(&service.http, "a", &[9; 100_000]).await;
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let (http, storage_key) = (service.http.clone(), storage_key.clone());
        asking.spawn(async move { register(&http, &storage_key).await.success() });
    }
    let results = asking.join_all().await;
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
    assert_eq!(results[0]["was_duplicate"], false);
    assert_eq!(all_files(&service.http).await.len(), 1);
}

#[tokio::test]
async fn register_may_name_the_file_anew() {
    let service = Service::start();
    let storage_key = stage(&service.http, "a.bin", b"a").await;
    let body = json!({"storage_key": storage_key, "filename": "b.png", "mime_type": "image/png"});
    let result = service.http.post("/v1/uploads/register", &body).await.expect(201);
    assert_eq!((&result["filename"], &result["mime_type"]), (&"b.png".into(), &"image/png".into()));
}

#[tokio::test]
async fn a_refused_register_leaves_the_blob_to_be_registered() {
    let service = Service::start();
    let storage_key = stage(&service.http, "a", b"a").await;
    for folder in ["banana", "fld_01KAAAAAAA7AAAAAAAAAAAAAAA"] {
        let body = json!({"storage_key": storage_key, "folder_id": folder});
        assert!(service.http.post("/v1/uploads/register", &body).await.status.is_client_error());
    }
    register(&service.http, &storage_key).await.is(201);
}

#[tokio::test]
async fn the_public_address_of_storage_stands_in_the_signed_url() {
    let (api, storage) = (HeldPort::any(), HeldPort::any());
    let public = "http://files.example.test:8443";
    let options = Options::new().listen(&api.to_string(), &storage.to_string()).with("--public-upload-url", public);
    let service = Service::start_with(options);
    let signed = sign(&service.http, "a").await;
    let url = text(&signed["upload_url"]);
    assert!(url.starts_with(&format!("{public}/")), "another address in the signed URL");
    let request = format!(
        "PUT {} HTTP/1.1\r\nHost: files.example.test:8443\r\nContent-Type: application/octet-stream\r\nContent-Length: 5\r\n\r\nbytes",
        path_of(&url)
    );
    exchange(&storage.to_string(), request.as_bytes()).await.unwrap().is(200);
    register(&service.http, &text(&signed["storage_key"])).await.is(201);
}

#[tokio::test]
async fn no_signed_url_gives_the_api_away() {
    let service = Service::start();
    let signed = sign(&service.http, "a").await;
    let path = path_of(&text(&signed["upload_url"])).to_owned();
    let answer = service.anonymous().request(Method::PUT, &path, Some("application/octet-stream"), "x".into()).await;
    assert!(answer.status.is_client_error(), "the API's own address took a PUT for storage: {answer:?}");
    register(&service.http, &text(&signed["storage_key"])).await.error(404, "not_found", "upload_not_found");
}

/// Path and query of a URL.
fn path_of(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..].find('/').map_or("/", |at| &url[start + at..])
}
