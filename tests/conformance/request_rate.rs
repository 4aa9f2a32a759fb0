//! Specification, "Limits" (request rate) and "Errors" (429); contract, "Errors" (Retry-After).

use std::time::{Duration, Instant};

use easel_tests::http::{Answer, Http};
use easel_tests::studio::Options;
use serde_json::json;

use crate::service::{Service, text};

/// The seconds of a 429's Retry-After, which must be a whole envelope.
#[track_caller]
fn retry_after(answer: &Answer) -> u64 {
    let error = answer.error(429, "rate_limited", "rate_limited");
    let seconds = answer.header("retry-after").unwrap_or_else(|| panic!("no Retry-After: {answer:?}"));
    let seconds: u64 = seconds.parse().unwrap_or_else(|_| panic!("no whole seconds: {seconds}"));
    assert!((1..=60).contains(&seconds), "{seconds}");
    let ms = error["retry_after_ms"].as_u64().unwrap_or_else(|| panic!("no retry_after_ms: {answer:?}"));
    assert!(ms <= seconds * 1_000 && ms > (seconds - 1) * 1_000, "{ms} ms beside {seconds} s");
    seconds
}

#[tokio::test]
async fn of_121_requests_in_a_minute_120_pass() {
    let service = Service::start_with(Options::new().requests_per_minute(120));
    let mut sending = tokio::task::JoinSet::new();
    for _ in 0..121 {
        let http = service.http.clone();
        sending.spawn(async move { http.get("/v1/whoami").await });
    }
    let answers = sending.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 120);
    let refused = answers.iter().find(|answer| answer.status != 200).expect("one is refused");
    assert!(retry_after(refused) >= 50);
}

#[tokio::test]
async fn the_rate_of_a_service_that_is_told_nothing_is_120() {
    let service = Service::start_with(Options::new().own_rate());
    let me = service.http.get("/v1/whoami").await.expect(200);
    assert_eq!(me["entitlements"]["requests_per_minute"], 120);
    assert_eq!(me["entitlements"]["exports_per_minute"], 25);
}

#[tokio::test]
async fn zero_is_no_limit() {
    let service = Service::start();
    assert_eq!(service.http.get("/v1/whoami").await.expect(200)["entitlements"]["requests_per_minute"], 0);
    for _ in 0..300 {
        service.http.get("/v1/whoami").await.is(200);
    }
}

#[tokio::test]
async fn the_rate_is_per_key() {
    let service = Service::start_with(Options::new().requests_per_minute(3));
    let other = service.studio.create_key("another of the same person");
    let other = service.anonymous().with_key(&other.key);
    for http in [&service.http, &other] {
        for _ in 0..3 {
            http.get("/v1/whoami").await.is(200);
        }
        retry_after(&http.get("/v1/whoami").await);
    }
}

#[tokio::test]
async fn every_request_counts_whatever_its_answer_and_however_its_path_is_written() {
    let service = Service::start_with(Options::new().requests_per_minute(6));
    let http = &service.http;
    http.get("/v1/whoami").await.is(200);
    http.get("/whoami").await.is(200);
    http.get("/v1/drive/files/banana").await.is(404);
    http.post("/v1/drive/folders", &json!({})).await.is(422);
    http.json(http::Method::POST, "/v1/drive/folders", "{").await.is(400);
    http.post("/v1/drive/folders", &json!({"name": "x"})).await.is(201);
    retry_after(&http.get("/v1/uploads/limits").await);
}

#[tokio::test]
async fn what_needs_no_key_takes_nothing() {
    let service = Service::start_with(Options::new().requests_per_minute(2));
    for _ in 0..10 {
        service.http.get("/v1/healthz").await.is(200);
        service.anonymous().get("/v1/whoami").await.is(401);
    }
    service.http.get("/v1/whoami").await.is(200);
    service.http.get("/v1/whoami").await.is(200);
    service.http.get("/v1/whoami").await.is(429);
}

#[tokio::test]
async fn a_refused_request_does_nothing() {
    let service = Service::start_with(Options::new().requests_per_minute(1));
    service.http.get("/v1/whoami").await.is(200);
    retry_after(&service.http.post("/v1/drive/folders", &json!({"name": "x"})).await);
    let other = service.studio.create_key("another");
    let other = service.anonymous().with_key(&other.key);
    assert_eq!(other.get("/v1/drive/folders").await.expect(200)["total"], 0);
}

/// Waits until `moment`.
async fn until(moment: Instant) {
    tokio::time::sleep_until(moment.into()).await;
}

/// Asks once more, which must be refused for as long as it takes until a request that was sent after `sent` and answered
/// before `answered` is a minute old.
async fn refused_until_a_minute_after(http: &Http, sent: Instant, answered: Instant) {
    let asked = Instant::now();
    let answer = http.get("/v1/whoami").await;
    let told = Instant::now();
    let seconds = Duration::from_secs(retry_after(&answer));
    let minute = Duration::from_secs(60);
    let shortest = (sent + minute).saturating_duration_since(told);
    let longest = (answered + minute).saturating_duration_since(asked) + Duration::from_secs(1);
    assert!(shortest <= seconds && seconds <= longest, "{seconds:?} is not from {shortest:?} to {longest:?}");
}

/// Half the limit now and half five seconds later: a minute after the first half exactly that half is free again, for a
/// count over any 60 seconds, and neither more (as where the count starts anew) nor less (as where refusals count).
async fn half_and_half(http: Http) {
    let first_sent = Instant::now();
    http.get("/v1/whoami").await.is(200);
    let first_answered = Instant::now();
    for _ in 0..2 {
        http.get("/v1/whoami").await.is(200);
    }
    let first_half_done = Instant::now();
    until(first_sent + Duration::from_secs(5)).await;
    let fourth_sent = Instant::now();
    http.get("/v1/whoami").await.is(200);
    let fourth_answered = Instant::now();
    for _ in 0..2 {
        http.get("/v1/whoami").await.is(200);
    }
    for second in [5, 10, 30, 50, 57] {
        until(first_sent + Duration::from_secs(second)).await;
        refused_until_a_minute_after(&http, first_sent, first_answered).await;
    }
    until(first_half_done + Duration::from_millis(60_050)).await;
    for _ in 0..3 {
        http.get("/v1/whoami").await.is(200);
    }
    refused_until_a_minute_after(&http, fourth_sent, fourth_answered).await;
}

/// A client that is refused all the time is let through as soon as one that kept still.
async fn refusals_take_nothing(http: Http) {
    for _ in 0..2 {
        http.get("/v1/whoami").await.is(200);
    }
    let done = Instant::now();
    while done.elapsed() < Duration::from_secs(56) {
        retry_after(&http.get("/v1/whoami").await);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    until(done + Duration::from_millis(60_050)).await;
    http.get("/v1/whoami").await.is(200);
}

/// A client that waits as long as it was told is let through.
async fn retry_after_is_long_enough(http: Http) {
    for _ in 0..2 {
        http.get("/v1/whoami").await.is(200);
    }
    let seconds = retry_after(&http.get("/v1/whoami").await);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    http.get("/v1/whoami").await.is(200);
}

/// A URL that was signed for 60 seconds: judged when the request starts.
async fn a_signed_url_expires(service: &Service, http: Http) {
    let body = json!({"filename": "a", "mime_type": "text/plain", "expires_in_seconds": 60});
    let started_in_time = http.post("/v1/uploads/url", &body).await.success();
    let used_in_time = http.post("/v1/uploads/url", &body).await.success();
    let expired = http.post("/v1/uploads/url", &body).await.success();
    let signed_at = Instant::now();

    // This PUT begins before the URL expires, and ends after it.
    let url = text(&started_in_time["upload_url"]);
    let address = easel_tests::studio::authority(&service.studio.upload_url).to_owned();
    let path = &url[service.studio.upload_url.len()..];
    let head = format!(
        "PUT {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n12345"
    );
    until(signed_at + Duration::from_secs(50)).await;
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut stream, head.as_bytes()).await.unwrap();
    service.http.put_bytes(&text(&used_in_time["upload_url"]), "text/plain", "in time").await.is(200);

    until(signed_at + Duration::from_millis(61_100)).await;
    let answer = service.http.put_bytes(&text(&expired["upload_url"]), "text/plain", "late").await;
    assert_eq!((answer.status.as_u16(), answer.storage_code().as_str()), (403, "ExpiredUrl"));
    tokio::io::AsyncWriteExt::write_all(&mut stream, b"67890").await.unwrap();
    let mut start = [0; 12];
    tokio::io::AsyncReadExt::read_exact(&mut stream, &mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200", "it was in time when it started");
}

/// Everything that only a minute shows, in the same minute: the count over any 60 seconds, refusals that take nothing,
/// Retry-After, and the expiry of a signed URL (contract, "Uploads").
#[tokio::test]
async fn a_minute_shows_that_the_rate_is_exact_over_any_60_seconds_and_that_signed_urls_expire() {
    let service = Service::start_with(Options::new().requests_per_minute(6));
    let two_a_minute = Service::start_with(Options::new().requests_per_minute(2));
    let key = |service: &Service| {
        let key = service.studio.create_key("a minute");
        service.anonymous().with_key(&key.key)
    };
    tokio::join!(
        half_and_half(key(&service)),
        refusals_take_nothing(key(&two_a_minute)),
        retry_after_is_long_enough(key(&two_a_minute)),
        a_signed_url_expires(&service, key(&service)),
    );
}
