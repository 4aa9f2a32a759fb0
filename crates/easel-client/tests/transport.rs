//! What every request has in common: headers, redirects, refusals, repeats, time limits, and what never shows.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use std::time::{Duration, Instant};

use easel_client::{Client, Connection, Error, Lane, PageRequest, Place, UnexpectedBody};
use easel_wire::FileId;
use secrecy::SecretString;
use serde_json::json;
use stub::{FILE_ID, KEY, Reaction, SHORT, Stub, refusal};
use tokio::net::TcpListener;

fn file() -> serde_json::Value {
    json!({"file": {"id": FILE_ID, "name": "a"}})
}

fn file_id() -> FileId {
    FILE_ID.parse().unwrap()
}

fn whoami(requests_per_minute: u32) -> serde_json::Value {
    let id = "00000000000000000000000001";
    json!({"user": {"id": format!("user_{id}")}, "team": {"id": format!("team_{id}")},
        "organization": {"id": format!("org_{id}")}, "role": "owner", "plan": "paid",
        "entitlements": {"requests_per_minute": requests_per_minute}})
}

#[tokio::test]
async fn every_request_carries_the_key_and_the_pinned_version() {
    let stub = Stub::start(|_| stub::json(200, &file())).await;
    let connection = stub.connection().with_version_header("Acme-Version").unwrap();
    let client = Client::new(connection).unwrap();
    client.get_file(file_id()).await.unwrap();
    let request = &stub.seen()[0];
    assert_eq!(request.target, format!("/v1/drive/files/{FILE_ID}"));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(request.header("acme-version"), Some("2026-05-01"));
    assert_eq!(request.header("service-version"), None);
}

#[tokio::test]
async fn a_base_address_with_a_path_keeps_it() {
    let stub = Stub::start(|_| stub::json(200, &file())).await;
    let connection = Connection::new(&format!("{}/designs/v1/", stub.url()), SecretString::from(KEY)).unwrap();
    Client::new(connection).unwrap().get_file(file_id()).await.unwrap();
    assert_eq!(stub.seen()[0].target, format!("/designs/v1/drive/files/{FILE_ID}"));
}

/// Runs another test of this binary in a process whose proxy settings lead nowhere.
#[test]
fn a_service_on_loopback_is_spoken_to_past_any_proxy() {
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "every_request_carries_the_key_and_the_pinned_version"])
        .envs(["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY"].map(|name| (name, "http://127.0.0.1:9")))
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .status()
        .unwrap();
    assert!(status.success());
}

#[tokio::test]
async fn a_redirect_is_refused_and_the_key_does_not_follow_it() {
    let other = Stub::start(|_| stub::json(200, &file())).await;
    let location = format!("http://localhost:{}/v1/secret?token=1", other.address.port());
    let stub = Stub::start(move |_| Reaction::Answer(307, vec![("location", location.clone())], vec![])).await;
    let error = stub.client().get_file(file_id()).await.unwrap_err();
    assert!(matches!(&error, Error::RedirectRefused { to_host } if to_host == "localhost"), "{error:?}");
    assert!(!format!("{error:?}").contains("token"));
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn what_is_not_the_service_is_named_by_what_it_answers() {
    for (body, expected) in [
        ("<!DOCTYPE html><title>Welcome</title>", UnexpectedBody::Html),
        ("{\"hello\":1}", UnexpectedBody::OtherShape),
        ("hello", UnexpectedBody::NotJson),
        ("", UnexpectedBody::NotJson),
    ] {
        let stub = Stub::start(|_| Reaction::Answer(200, vec![], body.into())).await;
        match stub.client().whoami().await {
            Err(Error::NotTheService { status: 200, found }) => assert_eq!(found, expected, "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_route_that_the_service_does_not_have_is_told_from_a_thing_that_is_not_there() {
    let stub = Stub::start(|_| Reaction::Answer(404, vec![], b"not found".to_vec())).await;
    assert!(matches!(stub.client().whoami().await, Err(Error::RouteMissing)));
    let stub = Stub::start(|_| refusal(404, "not_found", "file_not_found")).await;
    let error = stub.client().get_file(file_id()).await.unwrap_err();
    assert_eq!((error.code(), error.request_id()), (Some("file_not_found"), Some("req-7")));
}

#[tokio::test]
async fn an_answer_without_an_end_is_not_read_to_its_end() {
    let stub = Stub::start(|_| Reaction::Answer(200, vec![], vec![b' '; 33 * 1024 * 1024])).await;
    let mut patience = SHORT;
    patience.answer = Duration::from_secs(20);
    let client = Client::with_patience(stub.connection(), patience).unwrap();
    let error = client.whoami().await.unwrap_err();
    assert!(matches!(error, Error::NotTheService { found: UnexpectedBody::Endless, .. }), "{error:?}");
}

#[tokio::test]
async fn a_refusal_for_the_rate_is_waited_out_as_told() {
    let mut refused = false;
    let stub = Stub::start(move |_| {
        if std::mem::replace(&mut refused, true) {
            return stub::json(200, &file());
        }
        let body = json!({"error": {"type": "rate_limited", "code": "rate_limited"}}).to_string();
        Reaction::Answer(429, vec![("retry-after", "1".into())], body.into())
    })
    .await;
    let start = Instant::now();
    stub.client().get_file(file_id()).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(stub.seen().len(), 2);
}

#[tokio::test]
async fn reads_are_repeated_after_failures_three_times_at_most() {
    for fails in [|| refusal(500, "internal_error", "internal_error"), || Reaction::LoseAnswer] {
        let stub = Stub::start(move |_| fails()).await;
        let error = stub.client().get_file(file_id()).await.unwrap_err();
        assert!(matches!(error, Error::Api { status: 500, .. } | Error::ConnectionBroken { .. }), "{error:?}");
        assert_eq!(stub.seen().len(), 4);
    }
    let mut left = 3;
    let stub = Stub::start(move |_| {
        left -= 1;
        if left >= 0 { Reaction::LoseAnswer } else { stub::json(200, &file()) }
    })
    .await;
    stub.client().get_file(file_id()).await.unwrap();
}

#[tokio::test]
async fn an_answer_that_is_cut_is_a_broken_connection() {
    let stub = Stub::start(|_| Reaction::CutAnswer(200, vec![], b"{\"file\":".to_vec(), 500)).await;
    let error = stub.client().get_file(file_id()).await.unwrap_err();
    assert!(matches!(error, Error::ConnectionBroken { .. }), "{error:?}");
}

#[tokio::test]
async fn a_refused_key_is_not_tried_again() {
    let stub = Stub::start(|_| refusal(401, "authentication", "authentication")).await;
    assert!(stub.client().whoami().await.unwrap_err().is_key_refused());
    assert_eq!(stub.seen().len(), 1);
}

#[tokio::test]
async fn a_service_that_never_answers_is_given_up() {
    let stub = Stub::start(|_| Reaction::Silence).await;
    let start = Instant::now();
    assert!(matches!(stub.client().get_file(file_id()).await, Err(Error::TimedOut)));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let connection = Connection::new(&format!("http://{address}"), SecretString::from(KEY)).unwrap();
    let error = Client::with_patience(connection, SHORT).unwrap().whoami().await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    assert!(error.is_offline());
}

#[tokio::test]
async fn a_service_without_encryption_where_encryption_is_asked_for_is_not_trusted() {
    let stub = Stub::start(|_| stub::json(200, &file())).await;
    let connection = Connection::new(&format!("https://{}", stub.address), SecretString::from(KEY)).unwrap();
    let not_tls = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let answering = Connection::new(&format!("https://{}", not_tls.local_addr().unwrap()), SecretString::from(KEY));
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = not_tls.accept().await {
            use tokio::io::AsyncWriteExt;
            let _ = connection.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let error = Client::with_patience(answering.unwrap(), SHORT).unwrap().whoami().await.unwrap_err();
    assert!(matches!(error, Error::Tls { .. }), "{error:?}");
    let error = Client::with_patience(connection, SHORT).unwrap().whoami().await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. } | Error::Tls { .. }), "{error:?}");
    assert!(stub.seen().is_empty());
}

#[tokio::test]
async fn plain_http_to_another_machine_is_refused_unless_confirmed() {
    let connection = || Connection::new("http://designs.example", SecretString::from(KEY)).unwrap();
    let refused = Client::new(connection());
    assert!(matches!(refused, Err(Error::PlainHttpRefused { host }) if host == "designs.example"));
    assert!(Client::new(connection().confirm_plain_http()).is_ok());
}

#[tokio::test]
async fn the_budget_takes_its_size_from_whoami_for_every_client_of_the_key() {
    let stub = Stub::start(|request| match request.line().as_str() {
        "GET /v1/whoami" => stub::json(200, &whoami(0)),
        _ => stub::json(200, &file()),
    })
    .await;
    stub.client().whoami().await.unwrap();
    let another = stub.client().in_lane(Lane::Transfer);
    let start = Instant::now();
    for _ in 0..150 {
        another.get_file(file_id()).await.unwrap();
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_waiting_transfer_does_not_hold_a_person_up() {
    let stub = Stub::start(|request| match request.line().as_str() {
        "GET /v1/whoami" => stub::json(200, &whoami(3)),
        _ => stub::json(200, &file()),
    })
    .await;
    let client = stub.client();
    client.whoami().await.unwrap();
    let transfers = client.in_lane(Lane::Transfer);
    transfers.get_file(file_id()).await.unwrap();
    let waiting = tokio::spawn(async move { transfers.get_file(file_id()).await });
    tokio::time::timeout(Duration::from_secs(1), client.get_file(file_id())).await.unwrap().unwrap();
    assert!(!waiting.is_finished());
    waiting.abort();
}

#[tokio::test]
async fn lists_ask_for_what_is_meant_and_read_what_comes() {
    let stub = Stub::start(|_| {
        stub::json(
            200,
            &json!({"data": [{"id": FILE_ID, "name": "a"}], "next_cursor": "c/d", "has_more": true, "total": 9}),
        )
    })
    .await;
    let client = stub.client();
    let first = PageRequest { limit: Some(1), ..PageRequest::default() };
    let page = client.list_files(&Place::Top, &first).await.unwrap();
    assert_eq!((page.items.len(), page.total), (1, Some(9)));
    client.list_files(&Place::Everywhere, &first.after(&page).unwrap()).await.unwrap();
    let targets: Vec<_> = stub.seen().into_iter().map(|request| request.target).collect();
    assert_eq!(targets, ["/v1/drive/files?folder_id=root&limit=1", "/v1/drive/files?limit=1&cursor=c%2Fd"]);
}

#[tokio::test]
async fn no_error_shows_the_key() {
    let reactions: Vec<fn() -> Reaction> = vec![
        || Reaction::Answer(200, vec![], b"x".to_vec()),
        || Reaction::Answer(404, vec![], vec![]),
        || refusal(401, "authentication", "authentication"),
        || Reaction::LoseAnswer,
        || Reaction::Silence,
    ];
    for reaction in reactions {
        let stub = Stub::start(move |_| reaction()).await;
        let client = stub.client();
        let error = client.whoami().await.unwrap_err();
        assert!(!format!("{error} {error:?} {client:?}").contains(&KEY[..20]), "{error}");
    }
}
