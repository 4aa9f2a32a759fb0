//! Uploads both ways, and what becomes of them when answers are lost, files change and addresses expire.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use easel_client::{Client, Error, Fingerprint, Lane, Patience, Route, Source, Target, direct_body_bytes};
use easel_wire::uploads::SignedUpload;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stub::{FILE_ID, FOLDER_ID, Reaction, Request, SHORT, Stub, refusal, storage_refusal};

const NAME: &str = "deck.pdf";

/// A file of `count` bytes, in a folder that goes away with it.
struct Local {
    _folder: tempfile::TempDir,
    path: PathBuf,
    content: Vec<u8>,
}

impl Local {
    fn of(count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let content: Vec<u8> = (0..count).map(|at| u8::try_from(at % 253).unwrap()).collect();
        std::fs::write(&path, &content).unwrap();
        Self { _folder: folder, path, content }
    }

    async fn source(&self) -> Source {
        Source::open(&self.path).await.unwrap()
    }

    fn sha256(&self) -> [u8; 32] {
        Sha256::digest(&self.content).into()
    }

    fn hash(&self) -> String {
        let hex: String = self.sha256().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("sha256:{hex}")
    }
}

fn target() -> Target {
    Target::new(NAME, Some(FOLDER_ID.parse().unwrap()))
}

fn result(filename: &str, was_duplicate: bool) -> Value {
    json!({"file_id": FILE_ID, "was_duplicate": was_duplicate, "filename": filename, "folder_id": FOLDER_ID})
}

/// The only file of the drive, as its list shows it.
fn listed(local: &Local, created_at: &str) -> Value {
    json!({"data": [{"id": FILE_ID, "name": NAME, "folder_id": FOLDER_ID, "size_bytes": local.content.len(),
        "content_hash": local.hash(), "created_at": created_at}], "next_cursor": null, "has_more": false})
}

fn nothing_listed() -> Value {
    json!({"data": [], "next_cursor": null, "has_more": false})
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}

fn signed(url: &str) -> SignedUpload {
    SignedUpload {
        upload_url: format!("{url}/blobs/k1?signature=secret"),
        expires_in_seconds: 600,
        storage_key: "k1".to_owned(),
        mime_type: Some("application/pdf; v=\"1\"".to_owned()),
    }
}

/// What happens to each POST or PUT in turn, the last for all that follow; every GET is answered with `list`.
async fn scripted(mut turns: Vec<Reaction>, list: Value) -> Stub {
    turns.reverse();
    Stub::start(move |request: &Request| {
        if request.method == "GET" {
            return stub::json(200, &list);
        }
        turns.pop().unwrap_or_else(|| refusal(500, "internal_error", "the_script_ended"))
    })
    .await
}

fn sends_seen(stub: &Stub) -> usize {
    stub.seen().iter().filter(|request| request.method != "GET").count()
}

#[tokio::test]
async fn a_direct_upload_is_one_request_of_known_length() {
    let stub = scripted(vec![stub::json(201, &result(NAME, false))], Value::Null).await;
    let local = Local::of(700_000);
    let progress = Mutex::new(Vec::new());
    let sent = stub
        .client()
        .send_direct(&local.source().await, &target(), &|bytes| progress.lock().unwrap().push(bytes))
        .await
        .unwrap();
    assert_eq!(sent.sha256, local.sha256());
    assert_eq!(sent.bytes_on_the_wire, 700_000);
    assert!(!sent.settled_after_lost_answer && !sent.was_already_there());
    let progress = progress.into_inner().unwrap();
    assert!(progress.is_sorted() && progress.last() == Some(&700_000), "{progress:?}");

    let request = &stub.seen()[0];
    assert_eq!(request.line(), "POST /v1/uploads");
    assert_eq!(request.header("transfer-encoding"), None);
    let expected = direct_body_bytes(700_000, &target());
    assert_eq!(request.header("content-length"), Some(expected.to_string().as_str()));
    let boundary = request.header("content-type").unwrap().split_once("boundary=").unwrap().1;
    let parts: Vec<&[u8]> = split(&request.body, format!("--{boundary}").as_bytes());
    assert_eq!(parts.len(), 4);
    assert_eq!(
        parts[1],
        format!("\r\nContent-Disposition: form-data; name=\"folder_id\"\r\n\r\n{FOLDER_ID}\r\n").as_bytes()
    );
    let head: &[u8] =
        b"\r\nContent-Disposition: form-data; name=\"file\"; filename=\"deck.pdf\"\r\nContent-Type: application/pdf\r\n\r\n";
    assert_eq!(&parts[2][..head.len()], head);
    assert_eq!(&parts[2][head.len()..parts[2].len() - 2], local.content);
    assert_eq!(parts[3], b"--\r\n");
}

fn split<'a>(body: &'a [u8], line: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.windows(line.len()).position(|window| window == line) {
        parts.push(&rest[..at]);
        rest = &rest[at + line.len()..];
    }
    parts.push(rest);
    parts
}

#[tokio::test]
async fn an_empty_file_is_a_file() {
    let stub =
        scripted(vec![stub::json(201, &result(NAME, false)), Reaction::Answer(200, vec![], vec![])], Value::Null).await;
    let local = Local::of(0);
    let sent = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap();
    assert_eq!((sent.sha256, sent.bytes_on_the_wire), (local.sha256(), 0));
    let put = stub.client().put_signed(&signed(&stub.url()), &local.source().await, &|_| {}).await.unwrap();
    assert_eq!(put.sha256, Some(local.sha256()));
    assert_eq!(stub.seen()[1].header("content-length"), Some("0"));
}

#[tokio::test]
async fn a_file_goes_direct_to_the_last_byte_that_fits_with_its_framing() {
    let size = 1_000_000;
    let ceiling = direct_body_bytes(size, &target());
    let limits =
        json!({"max_direct_upload_bytes": ceiling, "max_file_bytes": 2_000_000, "max_file_bytes_is_plan_limit": true});
    let stub = Stub::start(move |_| stub::json(200, &limits)).await;
    let client = stub.client();
    assert_eq!(client.route_upload(size, &target()).await.unwrap(), Route::Direct);
    assert_eq!(client.route_upload(size + 1, &target()).await.unwrap(), Route::Signed);
    assert_eq!(client.route_upload(2_000_000, &target()).await.unwrap(), Route::Signed);
    let refused = client.route_upload(2_000_001, &target()).await.unwrap_err();
    assert!(matches!(
        refused,
        Error::FileTooLarge { size_bytes: 2_000_001, max_file_bytes: 2_000_000, is_plan_limit: true }
    ));
    // A name that multipart readers disagree about goes where JSON carries it.
    let quoted = Target::new("a \"b\".pdf", None);
    assert_eq!(client.route_upload(10, &quoted).await.unwrap(), Route::Signed);
    assert_eq!(stub.lines(), ["GET /v1/uploads/limits"]);
    client.refresh_upload_limits().await.unwrap();
    assert_eq!(stub.seen().len(), 2);
}

#[tokio::test]
async fn a_service_without_a_limits_route_keeps_to_the_specified_ceilings() {
    let stub = Stub::start(|_| Reaction::Answer(404, vec![], vec![])).await;
    let limits = stub.client().upload_limits().await.unwrap();
    assert_eq!((limits.max_direct_upload_bytes, limits.max_file_bytes), (33_554_432, 250_000_000));
}

#[tokio::test]
async fn an_upload_whose_answer_was_lost_is_found_in_the_drive_and_not_sent_again() {
    let local = Local::of(300_000);
    let stub = scripted(vec![Reaction::LoseAnswer], listed(&local, &now())).await;
    let sent = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap();
    assert!(sent.settled_after_lost_answer && !sent.was_already_there());
    assert_eq!(sent.result.file_id.to_string(), FILE_ID);
    assert_eq!((sends_seen(&stub), sent.bytes_on_the_wire), (1, 300_000));
    assert!(stub.seen()[1].target.starts_with(&format!("/v1/drive/files?folder_id={FOLDER_ID}")));
}

#[tokio::test]
async fn an_upload_that_failed_after_its_last_byte_is_looked_for_too() {
    let local = Local::of(300_000);
    let stub = scripted(vec![refusal(502, "upstream_error", "upstream_error")], listed(&local, &now())).await;
    let sent = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap();
    assert!(sent.settled_after_lost_answer);
    assert_eq!(sends_seen(&stub), 1);
}

#[tokio::test]
async fn an_upload_that_is_not_found_is_sent_again_and_its_duplicate_means_sent() {
    let local = Local::of(10);
    let repeat = |filename: &str| vec![Reaction::LoseAnswer, stub::json(200, &result(filename, true))];
    for (filename, is_own) in [(NAME, true), ("deck (2).pdf", true), ("other.pdf", false)] {
        // An old file of the drive cannot be the one that was just sent.
        let stub = scripted(repeat(filename), listed(&local, "2020-01-01T00:00:00+00:00")).await;
        let sent = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap();
        assert_eq!((sent.settled_after_lost_answer, sent.was_already_there()), (is_own, !is_own), "{filename}");
        assert_eq!((sends_seen(&stub), sent.bytes_on_the_wire), (2, 20));
    }
}

#[tokio::test]
async fn an_upload_that_was_cut_before_its_last_byte_is_simply_sent_again() {
    let local = Local::of(30_000_000);
    let stub = scripted(vec![Reaction::CutAfter(100_000), stub::json(201, &result(NAME, true))], Value::Null).await;
    let sent = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap();
    assert_eq!(stub.lines(), ["POST /v1/uploads", "POST /v1/uploads"]);
    assert!(sent.was_already_there(), "nothing was stored by the first attempt");
}

#[tokio::test]
async fn an_upload_that_cannot_be_settled_says_so() {
    let local = Local::of(10);
    let stub = Stub::start(|request| match request.method.as_str() {
        "GET" => refusal(401, "authentication", "authentication"),
        _ => Reaction::LoseAnswer,
    })
    .await;
    let error = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::AnswerLost { .. }), "{error:?}");
    assert_eq!(sends_seen(&stub), 1);
    // Nothing in the drive and never an answer: four attempts, each looked for, in its folder and at the top.
    let stub = scripted(
        vec![Reaction::LoseAnswer, Reaction::LoseAnswer, Reaction::LoseAnswer, Reaction::LoseAnswer],
        nothing_listed(),
    )
    .await;
    let error = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::AnswerLost { .. }), "{error:?}");
    assert_eq!((sends_seen(&stub), stub.seen().len()), (4, 12));
}

#[tokio::test]
async fn a_refusal_of_an_upload_is_waited_out_or_handed_on() {
    let local = Local::of(10);
    let waited = Reaction::Answer(429, vec![("retry-after", "1".into())], b"{}".to_vec());
    let stub = scripted(vec![waited, stub::json(201, &result(NAME, false))], Value::Null).await;
    stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap();
    assert_eq!(stub.lines(), ["POST /v1/uploads", "POST /v1/uploads"]);
    for (status, error_type, code) in [
        (401, "authentication", "authentication"),
        (404, "not_found", "folder_not_found"),
        (503, "upstream_error", "storage_full"),
    ] {
        let stub = scripted(vec![refusal(status, error_type, code)], Value::Null).await;
        let error = stub.client().send_direct(&local.source().await, &target(), &|_| {}).await.unwrap_err();
        assert_eq!(error.code(), Some(code));
        assert_eq!(stub.seen().len(), 1, "{code}");
    }
}

#[tokio::test]
async fn a_file_too_large_for_the_service_teaches_the_ceiling() {
    let local = Local::of(10);
    let details = json!({"error": {"type": "unprocessable", "code": "file_too_large",
        "details": {"max_file_bytes": 5, "is_plan_limit": true}}});
    let stub = Stub::start(move |request| match request.method.as_str() {
        "GET" => stub::json(200, &json!({"max_file_bytes": 100})),
        _ => stub::json(422, &details),
    })
    .await;
    let client = stub.client();
    assert_eq!(client.route_upload(10, &target()).await.unwrap(), Route::Direct);
    let error = client.send_direct(&local.source().await, &target(), &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::FileTooLarge { size_bytes: 10, max_file_bytes: 5, is_plan_limit: true }));
    assert!(matches!(client.route_upload(10, &target()).await, Err(Error::FileTooLarge { .. })));
}

#[tokio::test]
async fn a_bare_413_sends_files_of_that_size_the_signed_way() {
    let local = Local::of(5_000_000);
    let stub = Stub::start(|request| match request.method.as_str() {
        "GET" => stub::json(200, &json!({"max_file_bytes": 250_000_000})),
        _ => Reaction::AnswerEarly(413, vec![]),
    })
    .await;
    let client = stub.client();
    assert_eq!(client.route_upload(5_000_000, &target()).await.unwrap(), Route::Direct);
    let error = client.send_direct(&local.source().await, &target(), &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::TooLargeForGateway), "{error:?}");
    assert_eq!(client.route_upload(5_000_000, &target()).await.unwrap(), Route::Signed);
    assert_eq!(client.route_upload(4_999_999, &target()).await.unwrap(), Route::Direct);
}

#[tokio::test]
async fn a_file_that_changes_while_it_is_sent_is_never_sent_whole() {
    for by_put in [false, true] {
        let local = Local::of(20_000_000);
        let stub = scripted(vec![stub::json(200, &result(NAME, false))], nothing_listed()).await;
        let (client, source, path) = (stub.client(), local.source().await, local.path.clone());
        let change = move |bytes: u64| {
            if bytes > 0 {
                std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(19_000_000).unwrap();
            }
        };
        let error = if by_put {
            client.put_signed(&signed(&stub.url()), &source, &change).await.unwrap_err()
        } else {
            client.send_direct(&source, &target(), &change).await.unwrap_err()
        };
        assert!(matches!(error, Error::SourceChanged), "{error:?}");
        assert!(stub.seen().iter().all(|request| request.body.is_empty()), "a whole body arrived");
    }
}

#[tokio::test]
async fn a_put_carries_the_signed_type_and_nothing_of_the_service() {
    let stub = scripted(vec![Reaction::Answer(200, vec![], vec![])], Value::Null).await;
    let local = Local::of(600_000);
    let put = stub.client().put_signed(&signed(&stub.url()), &local.source().await, &|_| {}).await.unwrap();
    assert_eq!((put.sha256, put.bytes_on_the_wire, put.was_already_written), (Some(local.sha256()), 600_000, false));
    let request = &stub.seen()[0];
    assert_eq!(request.target, "/blobs/k1?signature=secret");
    assert_eq!(request.body, local.content);
    assert_eq!(request.header("content-type"), Some("application/pdf; v=\"1\""));
    assert_eq!(request.header("content-length"), Some("600000"));
    let names: Vec<_> = request.headers.keys().map(String::as_str).collect();
    for name in ["authorization", "service-version", "transfer-encoding", "cookie", "referer"] {
        assert!(!names.contains(&name), "{names:?}");
    }
}

#[tokio::test]
async fn each_refusal_of_storage_has_its_cause() {
    let local = Local::of(10);
    let put = async |reaction: Reaction| {
        let stub = scripted(vec![reaction], Value::Null).await;
        let outcome = stub.client().put_signed(&signed(&stub.url()), &local.source().await, &|_| {}).await;
        assert_eq!(stub.seen().len(), 1);
        outcome
    };
    assert!(matches!(put(storage_refusal(403, "ExpiredUrl")).await, Err(Error::UrlExpired)));
    for full in [storage_refusal(503, "StorageFull"), storage_refusal(507, "InsufficientStorage")] {
        assert!(put(full).await.unwrap_err().is_storage_full());
    }
    assert!(put(storage_refusal(403, "AlreadyWritten")).await.unwrap().was_already_written);
    for (status, code) in [(403, "SignatureDoesNotMatch"), (403, "ContentTypeMismatch"), (413, "EntityTooLarge")] {
        match put(storage_refusal(status, code)).await {
            Err(Error::Storage { status: found, code: Some(said) }) => {
                assert_eq!((found, said.as_str()), (status, code));
            }
            other => panic!("{other:?}"),
        }
    }
    let redirected =
        put(Reaction::Answer(307, vec![("location", "https://elsewhere.example/?s=1".into())], vec![])).await;
    assert!(matches!(redirected, Err(Error::RedirectRefused { to_host }) if to_host == "elsewhere.example"));
}

#[tokio::test]
async fn a_put_that_was_cut_is_repeated_and_one_whose_answer_was_lost_is_not() {
    let local = Local::of(30_000_000);
    let stub = scripted(vec![Reaction::CutAfter(100_000), Reaction::Answer(200, vec![], vec![])], Value::Null).await;
    let put = stub.client().put_signed(&signed(&stub.url()), &local.source().await, &|_| {}).await.unwrap();
    assert!(put.bytes_on_the_wire > 30_000_000 && put.bytes_on_the_wire < 60_000_000);
    assert_eq!(sends_seen(&stub), 2);

    let local = Local::of(10);
    let stub = scripted(vec![Reaction::LoseAnswer], Value::Null).await;
    let error = stub.client().put_signed(&signed(&stub.url()), &local.source().await, &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::AnswerLost { .. }), "{error:?}");
    assert_eq!(sends_seen(&stub), 1);
    assert!(!format!("{error} {error:?}").contains("secret"));
}

#[tokio::test]
async fn a_put_that_stands_still_is_given_up() {
    let local = Local::of(10);
    let stub = scripted(vec![Reaction::Silence], Value::Null).await;
    let error = stub.client().put_signed(&signed(&stub.url()), &local.source().await, &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::AnswerLost { cause } if matches!(*cause, Error::TimedOut)));
}

#[test]
fn an_answer_is_waited_for_as_long_as_the_file_may_be_on_its_way() {
    let patience = Patience::default();
    for (size_bytes, seconds) in [(0, 30), (4_096, 30), (1_000_000, 91), (4_500_000, 300), (u64::MAX, 300)] {
        assert_eq!(patience.after_last_byte(size_bytes).as_secs(), seconds, "{size_bytes}");
    }
}

/// A connection that died without a word: what is small is settled soon, whatever a large file would be waited for.
#[tokio::test]
async fn a_small_file_whose_answer_never_comes_is_looked_for_before_long() {
    let patience = Patience { last_byte: Duration::from_secs(600), ..SHORT };
    let local = Local::of(1_000);
    let stub = scripted(vec![Reaction::Silence], listed(&local, &now())).await;
    let client = Client::with_patience(stub.connection(), patience).unwrap();
    let source = local.source().await;
    let sending = async { client.send_direct(&source, &target(), &|_| {}).await };
    let sent = tokio::time::timeout(Duration::from_secs(20), sending).await.unwrap().unwrap();
    assert!(sent.settled_after_lost_answer);
    let stub = scripted(vec![Reaction::Silence], Value::Null).await;
    let client = Client::with_patience(stub.connection(), patience).unwrap();
    let putting = async { client.put_signed(&signed(&stub.url()), &source, &|_| {}).await };
    let error = tokio::time::timeout(Duration::from_secs(20), putting).await.unwrap().unwrap_err();
    assert!(matches!(error, Error::AnswerLost { cause } if matches!(*cause, Error::TimedOut)));
}

#[tokio::test]
async fn bytes_are_put_only_where_they_may_go() {
    let stub = scripted(vec![], Value::Null).await;
    let local = Local::of(10);
    let put = async |url: &str| {
        let signed = SignedUpload { upload_url: url.to_owned(), ..signed("") };
        stub.client().put_signed(&signed, &local.source().await, &|_| {}).await.unwrap_err()
    };
    assert!(
        matches!(put("http://storage.example/k").await, Error::PlainHttpRefused { host } if host == "storage.example")
    );
    for url in ["file:///etc/passwd", "ftp://storage.example/k", "nonsense", ""] {
        assert!(matches!(put(url).await, Error::NotTheService { .. }), "{url}");
    }
}

#[tokio::test]
async fn signing_and_registering_are_repeated_after_a_lost_answer() {
    let answer = json!({"upload_url": "http://s/k", "expires_in_seconds": 600, "storage_key": "k1"});
    let stub = scripted(vec![Reaction::LoseAnswer, stub::json(200, &answer)], Value::Null).await;
    let signed = stub.client().sign_upload(&target()).await.unwrap();
    assert_eq!(signed.mime_type.as_deref(), Some("application/pdf"));
    assert_eq!(stub.seen()[1].json(), json!({"filename": NAME, "mime_type": "application/pdf"}));

    let stub = scripted(vec![Reaction::LoseAnswer, stub::json(200, &result(NAME, false))], Value::Null).await;
    let registered = stub.client().register_upload("k1", &target()).await.unwrap();
    assert!(!registered.was_duplicate);
    let asked: Vec<_> = stub.seen().iter().map(Request::json).collect();
    let expected =
        json!({"storage_key": "k1", "filename": NAME, "mime_type": "application/pdf", "folder_id": FOLDER_ID});
    assert_eq!(asked, [expected.clone(), expected]);
}

#[tokio::test]
async fn what_was_sent_is_found_on_a_later_page_by_name_size_and_time_where_there_is_no_hash() {
    let since: jiff::Timestamp = jiff::Timestamp::now();
    let file = |name: &str, at: jiff::Timestamp| json!({"id": FILE_ID, "name": name, "size_bytes": 10, "created_at": at.to_string()});
    let pages = [
        json!({"data": [file("other.pdf", since)], "next_cursor": "more"}),
        json!({"data": [file(NAME, since)], "next_cursor": null}),
    ];
    let stub =
        Stub::start(move |request| stub::json(200, &pages[usize::from(request.target.contains("cursor=more"))])).await;
    let fingerprint = Fingerprint { size_bytes: 10, sha256: [0; 32], filename: NAME.to_owned(), since: since.into() };
    let found = stub.client().find_uploaded(&fingerprint, None).await.unwrap();
    assert_eq!(found.unwrap().name, NAME);
    assert!(stub.seen()[0].target.contains("folder_id=root"));
}

#[tokio::test]
async fn new_is_judged_by_the_services_clock() {
    let ahead = jiff::SignedDuration::from_hours(3);
    // The service's clock runs three hours ahead: a file that was made now has the service's time, and one with this
    // computer's time is three hours old.
    for (created_ahead, expected) in [(ahead, true), (jiff::SignedDuration::ZERO, false)] {
        let stub = Stub::start(move |_| {
            let now = jiff::Timestamp::now();
            let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&(now + ahead)).unwrap();
            let file =
                json!({"id": FILE_ID, "name": NAME, "size_bytes": 10, "created_at": (now + created_ahead).to_string()});
            let list = json!({"data": [file], "next_cursor": null}).to_string();
            Reaction::Answer(200, vec![("date", date)], list.into_bytes())
        })
        .await;
        let client = stub.client();
        let fingerprint = Fingerprint {
            size_bytes: 10,
            sha256: [0; 32],
            filename: NAME.to_owned(),
            since: jiff::Timestamp::now().into(),
        };
        let found = client.find_uploaded(&fingerprint, None).await.unwrap();
        assert_eq!(found.is_some(), expected);
    }
}

#[tokio::test]
async fn looking_stops_where_the_list_gets_old() {
    let old =
        json!({"data": [{"id": FILE_ID, "name": "old", "created_at": "2020-01-01T00:00:00Z"}], "next_cursor": "more"});
    let stub = Stub::start(move |_| stub::json(200, &old)).await;
    let fingerprint = Fingerprint {
        size_bytes: 10,
        sha256: [0; 32],
        filename: NAME.to_owned(),
        since: jiff::Timestamp::now().into(),
    };
    assert!(stub.client().find_uploaded(&fingerprint, None).await.unwrap().is_none());
    assert_eq!(stub.seen().len(), 1);
}

#[tokio::test]
async fn dropping_an_upload_ends_it() {
    let local = Local::of(10);
    let stub = scripted(vec![Reaction::Silence], Value::Null).await;
    let client = Client::new(stub.connection()).unwrap().in_lane(Lane::Transfer);
    let source = local.source().await;
    let sending = tokio::spawn(async move { client.send_direct(&source, &target(), &|_| {}).await });
    wait_until(|| stub.seen().len() == 1).await;
    assert_eq!(stub.given_up(), 0);
    sending.abort();
    wait_until(|| stub.given_up() == 1).await;
}

async fn wait_until(is_so: impl Fn() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(tokio::time::Instant::now() < deadline, "it did not come to that");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
