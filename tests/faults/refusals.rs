//! A wrong key, a service that is away, nonsense, redirects, silence: each its own error, and no key where it should not be.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use easel_client::{Client, Connection, Error, PageRequest, Patience, Place, Source, Target, UnexpectedBody};
use easel_tests::proxy::{Fault, Proxy};
use easel_tests::studio::{Options, Studio};
use easel_wire::{FileId, ItemRef};
use http::HeaderMap;
use secrecy::SecretString;

use crate::rig::{Lane, Rig, name_of, open};

type Call<'a> = Pin<Box<dyn Future<Output = Result<(), Error>> + 'a>>;

/// Every call of the client that goes to the API, at once, by name, with what came of it. `file` is one that the drive
/// has.
async fn every_call(lane: &Lane, rig: &Rig, file: FileId) -> Vec<(&'static str, Result<(), Error>)> {
    let client = &lane.client;
    let (source, target) = &open(rig, 7, 500).await;
    let item = ItemRef::File(file);
    let page = &PageRequest::default();
    let destination = &rig.folder().join("downloaded");
    let calls: Vec<(&str, Call<'_>)> = vec![
        ("whoami", Box::pin(async move { client.whoami().await.map(drop) })),
        ("upload_limits", Box::pin(async move { client.refresh_upload_limits().await.map(drop) })),
        ("list_folders", Box::pin(async move { client.list_folders(&Place::Top, page).await.map(drop) })),
        ("list_files", Box::pin(async move { client.list_files(&Place::Everywhere, page).await.map(drop) })),
        ("get_tree", Box::pin(async move { client.get_tree(2).await.map(drop) })),
        ("get_file", Box::pin(async move { client.get_file(file).await.map(drop) })),
        ("fetch_picture_of", Box::pin(async move { client.fetch_picture_of(file, 1_000).await.map(drop) })),
        ("create_folder", Box::pin(async move { client.create_folder("new", None, "key").await.map(drop) })),
        ("move_item", Box::pin(async move { client.move_item(item, None).await.map(drop) })),
        ("rename_item", Box::pin(async move { client.rename_item(item, "renamed").await.map(drop) })),
        ("delete_item", Box::pin(async move { client.delete_item(item, false).await.map(drop) })),
        ("download_file", Box::pin(async move { client.download_file(file, destination, &|_| ()).await.map(drop) })),
        ("send_direct", Box::pin(async move { client.send_direct(source, target, &|_| ()).await.map(drop) })),
        ("sign_upload", Box::pin(async move { client.sign_upload(target).await.map(drop) })),
        ("register_upload", Box::pin(async move { client.register_upload("pending-key", target).await.map(drop) })),
    ];
    let (names, calls): (Vec<_>, Vec<_>) = calls.into_iter().unzip();
    names.into_iter().zip(futures_util::future::join_all(calls).await).collect()
}

/// A rig, a lane that gives up soon, and a file in the drive.
async fn start() -> (Arc<Rig>, Lane, FileId) {
    let rig = Rig::start().await;
    let short = Duration::from_millis(400);
    let patience = Patience { connect: short, answer: short, register: short, silence: short, last_byte: short };
    let calm = rig.lane().await;
    let (source, target) = open(&rig, 0, 100).await;
    let file = calm.client.send_direct(&source, &target, &|_| ()).await.unwrap().result.file_id;
    let lane = rig.lane_with(patience).await;
    (rig, lane, file)
}

/// No key and no signed URL in what a log would show.
#[track_caller]
fn assert_tells_nothing(rig: &Rig, name: &str, error: &Error) {
    let text = format!("{error} {error:?}");
    assert!(!text.contains(&rig.key.key), "{name}: the key stands in its error");
    assert!(!text.contains("signature="), "{name}: a signed URL stands in its error");
}

/// Breaks every answer so, and asks that every call gives the error that `is_right` recognises.
async fn check_every_call(fault: Fault, is_right: impl Fn(&Error) -> bool) {
    let (rig, lane, file) = start().await;
    lane.api.break_by(move |_| fault.clone());
    for (name, outcome) in every_call(&lane, &rig, file).await {
        let error = outcome.expect_err(name);
        let cause = if let Error::AnswerLost { cause } = &error { cause } else { &error };
        assert!(is_right(cause), "{name}: {error:?}");
        assert_tells_nothing(&rig, name, &error);
    }
    assert_eq!(rig.files().await.len(), 1, "the service heard nothing of it");
}

#[tokio::test]
async fn a_wrong_key_is_refused_by_every_call() {
    let (rig, lane, file) = start().await;
    let wrong = SecretString::from(format!("svc_live_{}", "0".repeat(40)));
    let client = Client::new(Connection::new(&lane.api.url(), wrong).unwrap()).unwrap();
    let lane = Lane { client, ..lane };
    for (name, outcome) in every_call(&lane, &rig, file).await {
        let error = outcome.expect_err(name);
        assert!(error.is_key_refused(), "{name}: {error:?}");
    }
    let asked = lane.api.take_seen();
    assert_eq!(asked.len(), 15, "a refused key is not tried again");
}

#[tokio::test]
async fn a_key_that_is_revoked_between_two_steps_stops_the_upload_and_leaves_nothing() {
    let (rig, lane, _) = start().await;
    let doomed = rig.studio.create_key("doomed");
    let connection = Connection::new(&lane.api.url(), SecretString::from(doomed.key.clone())).unwrap();
    let client = Client::new(connection).unwrap();
    let (source, target) = open(&rig, 1, 5_000).await;
    let signed = client.sign_upload(&target).await.unwrap();
    client.put_signed(&signed, &source, &|_| ()).await.unwrap();
    rig.studio.delete_key(&doomed.id);
    let error = client.register_upload(&signed.storage_key, &target).await.unwrap_err();
    assert!(error.is_key_refused(), "{error:?}");
    let error = client.send_direct(&source, &target, &|_| ()).await.unwrap_err();
    assert!(error.is_key_refused(), "{error:?}");
    assert_eq!(rig.files().await.len(), 1);
    // Another key of the same person goes on where that one stopped.
    let result = lane.client.register_upload(&signed.storage_key, &target).await.unwrap();
    assert_eq!(result.filename, Some(name_of(1)));
}

#[tokio::test]
async fn a_service_that_is_down_is_unreachable() {
    let (rig, lane, file) = start().await;
    let url = lane.api.url();
    let Lane { api, client } = lane;
    drop(api);
    // The port stays closed for as long as nobody else is given it.
    let lane = Lane { api: Proxy::start().await, client };
    assert_ne!(lane.api.url(), url);
    let started = std::time::Instant::now();
    for (name, outcome) in every_call(&lane, &rig, file).await {
        let error = outcome.expect_err(name);
        assert!(matches!(error, Error::Unreachable { .. }) && error.is_offline(), "{name}: {error:?}");
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn a_connection_that_is_cut_before_any_answer_is_broken() {
    check_every_call(Fault::Refuse, |error| matches!(error, Error::ConnectionBroken { .. })).await;
}

#[tokio::test]
async fn nonsense_is_not_the_service() {
    let fault = Fault::answer(200, &[("Content-Type", "text/plain")], "hello, I am a printer");
    check_every_call(fault, |error| {
        matches!(error, Error::NotTheService { status: 200, found: UnexpectedBody::NotJson })
    })
    .await;
}

#[tokio::test]
async fn a_web_page_is_not_the_service() {
    let page = "<!DOCTYPE html><html><title>Sign in to the guest network</title></html>";
    let fault = Fault::answer(200, &[("Content-Type", "text/html")], page);
    check_every_call(fault, |error| matches!(error, Error::NotTheService { status: 200, found: UnexpectedBody::Html }))
        .await;
}

#[tokio::test]
async fn json_of_another_shape_is_not_the_service() {
    let fault = Fault::answer(200, &[("Content-Type", "application/json")], "[1, 2, 3]");
    check_every_call(fault, |error| {
        matches!(error, Error::NotTheService { status: 200, found: UnexpectedBody::OtherShape })
    })
    .await;
}

#[tokio::test]
async fn what_is_no_http_is_a_broken_connection() {
    let fault = Fault::Answer(b"220 mail.example ESMTP ready\r\n".to_vec());
    check_every_call(fault, |error| matches!(error, Error::ConnectionBroken { .. })).await;
}

#[tokio::test]
async fn a_service_that_never_answers_times_out() {
    check_every_call(Fault::Silence, |error| matches!(error, Error::TimedOut)).await;
}

#[tokio::test]
async fn a_404_without_an_envelope_is_a_missing_route() {
    let fault = Fault::answer(404, &[("Content-Type", "text/html")], "<h1>Not Found</h1>");
    let (rig, lane, file) = start().await;
    lane.api.break_by(move |_| fault.clone());
    for (name, outcome) in every_call(&lane, &rig, file).await {
        match outcome {
            // The specification's ceilings hold where a service does not say its own.
            Ok(()) => assert_eq!(name, "upload_limits"),
            Err(error) => assert!(matches!(error, Error::RouteMissing), "{name}: {error:?}"),
        }
    }
}

#[tokio::test]
async fn a_bare_413_is_the_gateways() {
    // But not at register, whose few bytes no gateway refuses: there it is the file that is too large.
    let is_of_the_file = |error: &Error| error.code() == Some("file_too_large");
    check_every_call(Fault::answer(413, &[], ""), |error| {
        matches!(error, Error::TooLargeForGateway) || is_of_the_file(error)
    })
    .await;
}

#[tokio::test]
async fn a_gateway_that_fails_without_an_envelope_is_judged_by_its_status() {
    let fault = Fault::answer(502, &[("Content-Type", "text/html")], "<h1>Bad gateway</h1>");
    check_every_call(fault, |error| matches!(error, Error::Api { status: 502, .. })).await;
}

#[tokio::test]
async fn a_redirect_to_another_host_is_refused_and_the_key_does_not_arrive_there() {
    for status in [301, 302, 303, 307, 308] {
        let other = Proxy::start().await;
        // Another host by its name, though the same machine.
        let address = other.url().replace("127.0.0.1", "localhost");
        let fault = Fault::answer(status, &[("Location", &format!("{address}/v1/whoami"))], "");
        check_every_call(
            fault,
            |error| matches!(error, Error::RedirectRefused { to_host } if to_host.starts_with("localhost")),
        )
        .await;
        assert_eq!(other.seen().len(), 0, "{status}: the other host was asked");
    }
}

#[tokio::test]
async fn a_redirect_of_storage_is_refused_too() {
    let (rig, lane, file) = start().await;
    let other = Proxy::start().await;
    let location = format!("{}/elsewhere", other.url());
    let (source, target) = open(&rig, 1, 5_000).await;
    let signed = lane.client.sign_upload(&target).await.unwrap();
    rig.storage.break_by(move |_| Fault::answer(307, &[("Location", &location)], ""));
    let error = lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap_err();
    assert!(matches!(error, Error::RedirectRefused { .. }), "{error:?}");
    let error = lane.client.download_file(file, &rig.folder().join("x"), &|_| ()).await.unwrap_err();
    assert!(matches!(error, Error::RedirectRefused { .. }), "{error:?}");
    assert_eq!(other.seen().len(), 0, "bytes or a signature went elsewhere");
}

#[tokio::test]
async fn the_key_is_never_sent_to_storage() {
    let (rig, lane, file) = start().await;
    let (source, target) = open(&rig, 1, 5_000).await;
    let signed = lane.client.sign_upload(&target).await.unwrap();
    lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap();
    lane.client.download_file(file, &rig.folder().join("x"), &|_| ()).await.unwrap();
    let seen = rig.storage.take_seen();
    assert!(seen.len() >= 2, "{seen:?}");
    for request in seen {
        assert_no_key(&rig, &request.headers);
        for name in ["authorization", "cookie", "service-version", "proxy-authorization"] {
            assert!(!request.headers.contains_key(name), "{name} went to storage");
        }
    }
    let to_the_api = lane.api.take_seen();
    assert!(to_the_api.iter().all(|request| request.headers.contains_key("authorization")));
    assert!(to_the_api.iter().all(|request| request.headers["service-version"] == "2026-05-01"), "pinned on each");
}

fn assert_no_key(rig: &Rig, headers: &HeaderMap) {
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        assert!(!value.contains(&rig.key.key) && !value.contains("svc_live_"), "the key in {name}");
    }
}

#[tokio::test]
async fn a_certificate_that_nobody_trusts_is_an_error_of_its_own() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/certificate");
    let studio = Studio::start(
        Options::new()
            .with("--tls-cert", &format!("{folder}/certificate.pem"))
            .with("--tls-key", &format!("{folder}/key.pem")),
    );
    let key = studio.create_key("untrusted");
    let client = Client::new(Connection::new(&studio.base_url, SecretString::from(key.key)).unwrap()).unwrap();
    let error = client.whoami().await.unwrap_err();
    assert!(matches!(error, Error::Tls { .. }), "{error:?}");
}

#[tokio::test]
async fn plain_http_where_tls_is_spoken_is_no_trusted_connection() {
    let rig = Rig::start().await;
    let address = rig.studio.base_url.replace("http://", "https://");
    let client = Client::new(Connection::new(&address, SecretString::from(rig.key.key.clone())).unwrap()).unwrap();
    let error = client.whoami().await.unwrap_err();
    assert!(matches!(error, Error::Tls { .. }), "{error:?}");
}

#[tokio::test]
async fn each_refusal_of_storage_is_told_apart() {
    let (rig, lane, _) = start().await;
    let xml = |code: &str| format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>no</Message></Error>");
    let (source, target) = open(&rig, 1, 5_000).await;
    let signed = lane.client.sign_upload(&target).await.unwrap();
    for code in ["SignatureDoesNotMatch", "ContentTypeMismatch", "EntityTooLarge", "SomethingNew"] {
        let status = if code == "EntityTooLarge" { 413 } else { 403 };
        let answer = xml(code);
        rig.storage.break_by(move |_| Fault::answer(status, &[("Content-Type", "application/xml")], &answer));
        let error = lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap_err();
        let told = matches!(&error, Error::Storage { status: s, code: Some(c) } if *s == status && c == code);
        assert!(told, "{code}: {error:?}");
        assert_tells_nothing(&rig, code, &error);
    }
    rig.storage.break_by(move |_| Fault::answer(403, &[], &xml("ExpiredUrl")));
    let error = lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap_err();
    assert!(matches!(error, Error::UrlExpired), "{error:?}");
    rig.storage.break_by(|_| Fault::answer(403, &[], "<html>Blocked by your company</html>"));
    let error = lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap_err();
    assert!(matches!(error, Error::Storage { status: 403, code: None }), "{error:?}");
    rig.storage.pass_all();
    lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap();
    let again = lane.client.put_signed(&signed, &source, &|_| ()).await.unwrap();
    assert!(again.was_already_written);
}

#[tokio::test]
async fn a_request_rate_that_is_spent_is_waited_for_and_everything_arrives() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    let mut left = 3;
    lane.api.break_by(move |request| {
        if !request.is("POST", "/uploads") || left == 0 {
            return Fault::Pass;
        }
        left -= 1;
        let envelope = r#"{"error":{"type":"rate_limited","code":"rate_limited","message":"m","doc_url":"d","request_id":"r","details":null,"retry_after_ms":null,"causes":null}}"#;
        Fault::answer(429, &[("Content-Type", "application/json"), ("Retry-After", "1")], envelope)
    });
    let (source, target) = open(&rig, 1, 5_000).await;
    let started = std::time::Instant::now();
    lane.client.send_direct(&source, &target, &|_| ()).await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(3), "it came back too soon");
    assert_eq!(lane.take("POST", "/uploads").len(), 4);
    rig.assert_files([name_of(1)]).await;
}

#[tokio::test]
async fn a_file_above_the_limit_is_refused_before_a_byte_is_sent() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    let error = lane.client.route_upload(250_000_001, &Target::new("large.bin", None)).await.unwrap_err();
    let told = matches!(
        error,
        Error::FileTooLarge { size_bytes: 250_000_001, max_file_bytes: 250_000_000, is_plan_limit: false }
    );
    assert!(told, "{error:?}");
    assert!(lane.api.seen().iter().all(|request| request.body_bytes == 0));
}

#[tokio::test]
async fn a_file_that_changes_while_it_is_sent_is_not_committed() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    let target = Target::new("changing.bin", None);
    // A file that is read to its end before it changes is sent as it was, and rightly: it must still be under way.
    easel_client::limit_bandwidth(1_500_000);
    for signed_way in [false, true] {
        let path = rig.write("changing.bin", 1, 3_000_000);
        let source = Source::open(&path).await.unwrap();
        let change = |_: u64| std::fs::write(&path, vec![9; 2_000_000]).unwrap();
        let error = if signed_way {
            let signed = lane.client.sign_upload(&target).await.unwrap();
            let error = lane.client.put_signed(&signed, &source, &change).await.unwrap_err();
            let registered = lane.client.register_upload(&signed.storage_key, &target).await.unwrap_err();
            assert_eq!(registered.code(), Some("upload_not_found"), "a half file was stored");
            error
        } else {
            lane.client.send_direct(&source, &target, &change).await.unwrap_err()
        };
        assert!(matches!(error, Error::SourceChanged), "{error:?}");
    }
    easel_client::limit_bandwidth(0);
    rig.assert_files([]).await;
}
