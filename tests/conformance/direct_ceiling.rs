//! Specification, "Errors" (413) and "Limits" (direct upload body): the gateway's ceiling of 33,554,432 bytes.

use std::time::Duration;

use easel_tests::http::{Answer, CANONICAL, Form, exchange};
use easel_tests::studio::{Options, authority};
use http::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::service::{Service, all_files, content_hash, text};

const CEILING: usize = 33_554_432;

/// A form of exactly so many bytes, and the file in it.
fn form_of(body_bytes: usize) -> (Form, Vec<u8>) {
    let framing = Form::of_file("at the ceiling.bin", b"").body().len();
    let content: Vec<u8> = (0..body_bytes - framing).map(|at| (at % 251) as u8).collect();
    let form = Form::of_file("at the ceiling.bin", &content);
    assert_eq!(form.body().len(), body_bytes);
    (form, content)
}

fn head(service: &Service, framing: &str) -> String {
    format!(
        "POST /v1/uploads HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nService-Version: {CANONICAL}\r\nContent-Type: {}\r\n{framing}\r\n\r\n",
        authority(&service.studio.base_url),
        service.key.key,
        Form::new().content_type(),
    )
}

/// A chunked body in chunks of 64 KiB.
fn chunked(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(body.len() + body.len() / 1000);
    for chunk in body.chunks(65_536) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

#[track_caller]
fn check_bare_413(answer: &Answer) {
    assert_eq!(answer.status, 413, "{answer:?}");
    let body = String::from_utf8_lossy(&answer.body);
    assert!(!body.contains("error\""), "an envelope: {answer:?}");
    assert!(!body.contains("33554432") && !body.contains("32 MiB"), "a limit: {answer:?}");
    assert!(serde_json::from_slice::<serde_json::Value>(&answer.body).is_err(), "JSON: {answer:?}");
}

#[tokio::test]
async fn a_body_of_exactly_the_ceiling_passes_and_one_byte_more_gets_the_bare_413() {
    let service = Service::start();
    let (form, content) = form_of(CEILING);
    let result = service.http.post_form("/v1/uploads", &form).await.expect(201);
    assert_eq!(result["size_bytes"], content.len());
    let file = service.http.get(&format!("/v1/drive/files/{}", text(&result["file_id"]))).await.expect(200);
    assert_eq!(file["file"]["content_hash"], content_hash(&content));

    let (form, _) = form_of(CEILING + 1);
    check_bare_413(&service.http.post_form("/v1/uploads", &form).await);
    assert_eq!(all_files(&service.http).await.len(), 1);
}

#[tokio::test]
async fn the_ceiling_holds_for_a_chunked_body_too() {
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    let head = head(&service, "Transfer-Encoding: chunked");
    let (form, content) = form_of(CEILING);
    let request = [head.as_bytes(), &chunked(&form.body())].concat();
    let result = exchange(host, &request).await.unwrap().expect(201);
    assert_eq!(result["size_bytes"], content.len());

    let (form, _) = form_of(CEILING + 1);
    let request = [head.as_bytes(), &chunked(&form.body())].concat();
    check_bare_413(&exchange(host, &request).await.unwrap());
    assert_eq!(all_files(&service.http).await.len(), 1, "nothing was stored of the body that is too large");
}

#[tokio::test]
async fn the_413_is_readable_to_a_client_that_is_still_sending() {
    let service = Service::start();
    let host = authority(&service.studio.base_url).to_owned();
    for (framing, chunks) in [("Content-Length: 90000000", false), ("Transfer-Encoding: chunked", true)] {
        // A client that sends everything before it reads anything.
        let mut stream = tokio::net::TcpStream::connect(&host).await.unwrap();
        stream.write_all(head(&service, framing).as_bytes()).await.unwrap();
        let piece = if chunks {
            [b"f4240\r\n".as_slice(), &vec![b'x'; 1_000_000], b"\r\n"].concat()
        } else {
            vec![b'x'; 1_000_000]
        };
        let sending = async {
            for _ in 0..90 {
                if stream.write_all(&piece).await.is_err() {
                    break;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(30), sending).await.expect("the service neither reads nor closes");
        let mut received = Vec::new();
        let reading = tokio::io::AsyncReadExt::take(&mut stream, 12);
        let mut reading = std::pin::pin!(reading);
        tokio::io::AsyncReadExt::read_to_end(&mut reading, &mut received)
            .await
            .unwrap_or_else(|error| panic!("{framing}: the answer was lost: {error}"));
        assert_eq!(String::from_utf8_lossy(&received), "HTTP/1.1 413", "{framing}");
    }
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn the_413_comes_before_authentication() {
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    for authorization in ["", "Authorization: Bearer nonsense\r\n"] {
        let request = format!(
            "POST /v1/uploads HTTP/1.1\r\nHost: {host}\r\n{authorization}Content-Length: {}\r\n\r\n",
            CEILING + 1
        );
        check_bare_413(&exchange(host, request.as_bytes()).await.unwrap());
    }
}

#[tokio::test]
async fn the_ceiling_is_the_gateways_and_holds_for_every_route() {
    let service = Service::start();
    let body = json!({"name": "x".repeat(CEILING)}).to_string();
    for path in ["/v1/drive/folders", "/drive/folders", "/v1/uploads/url", "/v1/nowhere", "/uploads"] {
        check_bare_413(&service.http.json(Method::POST, path, body.clone()).await);
    }
}

#[tokio::test]
async fn the_413_takes_nothing_from_the_request_rate() {
    let service = Service::start_with(Options::new().requests_per_minute(2));
    let host = authority(&service.studio.base_url);
    for _ in 0..5 {
        let request = head(&service, &format!("Content-Length: {}", CEILING + 1));
        check_bare_413(&exchange(host, request.as_bytes()).await.unwrap());
    }
    service.http.get("/v1/whoami").await.is(200);
    service.http.get("/v1/whoami").await.is(200);
    service.http.get("/v1/whoami").await.is(429);
}
