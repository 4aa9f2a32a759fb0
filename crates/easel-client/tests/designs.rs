//! Tasks, remixes, canvases, exports, brand kits and deliveries, where a real service cannot be made to answer so:
//! older and looser shapes, refusals with a time to wait, answers that get lost.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use easel_client::{
    Client, Connection, DeliveryFilter, Error, ExportRequest, PageRequest, Place, RemixClick, Remixed, TaskFilter,
    UnexpectedBody,
};
use easel_wire::canvases::{ExportFormat, ExportStatus};
use easel_wire::tasks::{Category, Remix, StartTask, TaskStatus};
use easel_wire::webhooks::DeliveryStatus;
use easel_wire::{CanvasId, TaskId, Timestamp};
use secrecy::SecretString;
use serde_json::{Value, json};
use stub::{Reaction, Stub};

const TASK: &str = "task_00000000000000000000000001";
const CANVAS: &str = "cvs_00000000000000000000000002";
const COPY: &str = "cvs_00000000000000000000000003";
const DELIVERY: &str = "whd_00000000000000000000000004";

async fn answering(status: u16, body: Value) -> (Stub, Client) {
    let stub = Stub::start(move |_| stub::json(status, &body)).await;
    let client = stub.client();
    (stub, client)
}

fn canvas() -> CanvasId {
    CANVAS.parse().unwrap()
}

fn task() -> TaskId {
    TASK.parse().unwrap()
}

fn refused(status: u16, error_type: &str, code: &str, retry_after: &str) -> Reaction {
    let body = json!({"error": {"type": error_type, "code": code, "message": "m"}}).to_string();
    Reaction::Answer(status, vec![("retry-after", retry_after.to_owned())], body.into_bytes())
}

const PDF: ExportRequest =
    ExportRequest { format: ExportFormat::Pdf, page_number: None, pixel_ratio: None, flatten: None, wait: false };

#[tokio::test]
async fn a_task_is_read_in_either_of_its_shapes_and_lists_in_any() {
    let canonical = json!({"id": TASK, "kind": "design", "status": "succeeded", "result": {"canvas_id": CANVAS}});
    let flat = json!({"job_id": TASK, "status": "completed", "canvas_id": CANVAS, "is_terminal": true});
    for shape in [canonical, flat] {
        for body in [
            json!({"data": [shape], "next_cursor": null, "has_more": false}),
            json!({"tasks": [shape], "total": 1, "limit": 20, "offset": 0, "has_more": false}),
            json!([shape]),
        ] {
            let (_stub, client) = answering(200, body.clone()).await;
            let page = client.list_tasks(&TaskFilter::default(), &PageRequest::default()).await.unwrap();
            let read = &page.items[0];
            assert_eq!((read.id, &read.status), (task(), &TaskStatus::Succeeded), "{body}");
            assert_eq!(read.result.as_ref().unwrap().canvas_id, Some(canvas()), "{body}");
        }
        let (_stub, client) = answering(200, shape).await;
        assert_eq!(client.get_task(task()).await.unwrap().id, task());
    }
    let (_stub, client) = answering(200, json!({"tasks": [{"status": "running"}]})).await;
    let error = client.list_tasks(&TaskFilter::default(), &PageRequest::default()).await.unwrap_err();
    assert!(matches!(error, Error::NotTheService { .. }), "{error}");
}

#[tokio::test]
async fn what_nobody_knows_yet_is_kept_as_it_came() {
    let body =
        json!({"id": TASK, "kind": "dance", "status": "resting", "progress": null, "mood": {}, "error": "no ink"});
    let (_stub, client) = answering(200, body).await;
    let read = client.get_task(task()).await.unwrap();
    assert_eq!((read.status.as_str(), read.kind.unwrap().as_str()), ("resting", "dance"));
    assert_eq!(read.error.map(|error| (error.message, error.retryable)), Some(("no ink".to_owned(), false)));

    let (_stub, client) = answering(200, json!([{"id": CANVAS, "name": "a", "category": "hologram"}])).await;
    let page = client.list_canvases(&Place::Everywhere, &PageRequest::default()).await.unwrap();
    assert_eq!(page.items[0].category, Some(Category::Other("hologram".into())));

    // An export that is answered at once says no status; a replay may say little.
    let (_stub, client) = answering(200, json!({"url": "https://storage.example/x", "format": "pdf"})).await;
    assert_eq!(client.start_export(canvas(), &PDF).await.unwrap().end(), Some(ExportStatus::Completed));
    let body = json!({"id": DELIVERY, "replayed_from_id": DELIVERY, "status": "pending"});
    let (_stub, client) = answering(202, body).await;
    assert_eq!(client.redeliver(DELIVERY.parse().unwrap()).await.unwrap().outcome(), DeliveryStatus::Pending);
}

#[tokio::test]
async fn a_service_without_a_function_says_so_and_is_not_asked_twice() {
    let stub = Stub::start(|_| Reaction::Answer(404, vec![], b"nothing here".to_vec())).await;
    let client = stub.client();
    let page = PageRequest::default();
    let check = |name: &str, error: Error| assert!(matches!(error, Error::RouteMissing), "{name}: {error}");
    check("tasks", client.list_tasks(&TaskFilter::default(), &page).await.unwrap_err());
    check("canvases", client.list_canvases(&Place::Everywhere, &page).await.unwrap_err());
    check("brand kits", client.list_brand_kits(&page).await.unwrap_err());
    check("organizations", client.list_organizations(&page).await.unwrap_err());
    check("deliveries", client.list_deliveries(&DeliveryFilter::default(), &page).await.unwrap_err());
    check("export", client.start_export(canvas(), &PDF).await.unwrap_err());
    assert_eq!(stub.seen().len(), 6);
}

#[tokio::test]
async fn a_start_says_how_long_it_may_be_held_and_only_with_a_key_is_it_repeated() {
    let mut lost = 0;
    let stub = Stub::start(move |_| {
        lost += 1;
        if lost == 1 { Reaction::LoseAnswer } else { stub::json(202, &json!({"id": TASK, "status": "queued"})) }
    })
    .await;
    let client = stub.client();
    let keyed = StartTask {
        prompt: "A lighthouse".to_owned(),
        idempotency_key: Some("once".to_owned()),
        ..StartTask::default()
    };
    client.start_task(&keyed, Duration::from_secs(90)).await.unwrap();
    let seen = stub.seen();
    assert_eq!(seen.len(), 2, "the lost answer was settled by the key");
    assert_eq!(seen[0].body, seen[1].body);
    assert_eq!(seen[1].header("prefer"), Some("wait=30"), "never more than the service allows");

    let stub = Stub::start(|_| Reaction::LoseAnswer).await;
    let client = stub.client();
    let bare = StartTask { prompt: "A lighthouse".to_owned(), ..StartTask::default() };
    let error = client.start_task(&bare, Duration::ZERO).await.unwrap_err();
    assert!(error.is_offline(), "{error}");
    assert_eq!(stub.seen().len(), 1, "it could have acted twice");
    assert_eq!(stub.seen()[0].header("prefer"), None);
}

#[tokio::test]
async fn what_only_passes_later_is_waited_out_or_handed_back_as_the_caller_wishes() {
    let cases = [
        (429, "rate_limited", "concurrent_task_limit"),
        (429, "rate_limited", "export_rate_limited"),
        (409, "conflict", "canvas_active_job"),
    ];
    for (status, error_type, code) in cases {
        let mut first = true;
        let stub = Stub::start(move |_| {
            if std::mem::take(&mut first) {
                return refused(status, error_type, code, "0");
            }
            stub::json(200, &json!({"status": "completed", "url": "https://storage.example/x"}))
        })
        .await;
        let client = stub.client();
        client.start_export(canvas(), &PDF).await.unwrap();
        assert_eq!(stub.seen().len(), 2, "{code}");

        let stub = Stub::start(move |_| refused(status, error_type, code, "30")).await;
        let error = stub.client().telling_waits().start_export(canvas(), &PDF).await.unwrap_err();
        assert!(error.is_for_later(), "{code}: {error}");
        assert_eq!((error.retry_after(), stub.seen().len()), (Some(Duration::from_secs(30)), 1), "{code}");
    }
    let stub = Stub::start(|_| refused(409, "conflict", "canvas_name_conflict", "1")).await;
    assert!(!stub.client().telling_waits().start_export(canvas(), &PDF).await.unwrap_err().is_for_later());
}

fn click(since: Timestamp) -> RemixClick {
    let remix = Remix { canvas_id: canvas(), prompt: None, new_name: None, brand_kit_id: None, skip_brand_kit: None };
    RemixClick { remix, since, not_canvases: Vec::new(), not_tasks: Vec::new() }
}

/// A service that loses the answer to every remix and then lists `listed`.
async fn losing(listed: Value) -> Stub {
    let asked = AtomicU32::new(0);
    Stub::start(move |request| {
        if request.method == "GET" {
            return stub::json(200, &listed);
        }
        // The repeated request gets an answer of its own, so that the test can tell the two apart.
        if asked.fetch_add(1, Ordering::Relaxed) == 0 {
            return Reaction::LoseAnswer;
        }
        let result = json!({"canvas_id": COPY, "canvas_name": "asked for again"});
        stub::json(201, &json!({"id": TASK, "kind": "remix", "status": "succeeded", "result": result}))
    })
    .await
}

#[tokio::test]
async fn only_a_copy_of_this_canvas_made_since_the_click_is_taken_for_the_lost_one() {
    let now = jiff::Timestamp::now();
    let moment = |seconds: i64| Timestamp::from(now + jiff::SignedDuration::from_secs(seconds)).to_string();
    let listed = |source: &str, created_at: String| json!([{"id": COPY, "name": "found", "source_canvas_id": source, "created_at": created_at}]);
    let check = async |listed: Value, click: RemixClick, expected: &str| {
        let stub = losing(listed.clone()).await;
        let Remixed::Copied { name, .. } = stub.client().remix(&click).await.unwrap() else { panic!("{listed}") };
        assert_eq!(name.as_deref(), Some(expected), "{listed}");
    };
    let since = Timestamp::from(now);
    check(listed(CANVAS, moment(0)), click(since), "found").await;
    check(listed(CANVAS, moment(5)), click(since), "found").await;
    check(listed(CANVAS, moment(-60)), click(since), "asked for again").await;
    check(listed(COPY, moment(0)), click(since), "asked for again").await;
    check(json!([]), click(since), "asked for again").await;
    let other = RemixClick { not_canvases: vec![COPY.parse().unwrap()], ..click(since) };
    check(listed(CANVAS, moment(0)), other, "asked for again").await;
}

#[tokio::test]
async fn a_remix_that_cannot_be_looked_for_is_not_asked_for_again() {
    let stub = Stub::start(|_| Reaction::LoseAnswer).await;
    let error = stub.client().remix(&click(Timestamp::from(jiff::Timestamp::now()))).await.unwrap_err();
    assert!(matches!(error, Error::AnswerLost { .. }), "{error}");
    let asked = stub.seen().iter().filter(|request| request.method == "POST").count();
    assert_eq!(asked, 1);
}

#[tokio::test]
async fn a_result_is_fetched_without_the_key_and_never_over_a_file() {
    let storage = Stub::start(|_| Reaction::Answer(200, vec![], b"%PDF-1.7".to_vec())).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.pdf"), "mine").unwrap();
    let export = json!({"status": "completed", "url": format!("{}/x?signature=s", storage.url())});
    let (_stub, client) = answering(200, export).await;
    let export = client.get_export_status(canvas(), task()).await.unwrap();
    let fetched = client.download_export(&export, &folder.path().join("deck.pdf"), &|_| {}).await.unwrap();
    assert_eq!(fetched.path, folder.path().join("deck (2).pdf"));
    assert_eq!(std::fs::read(&fetched.path).unwrap(), b"%PDF-1.7");
    assert_eq!(std::fs::read(folder.path().join("deck.pdf")).unwrap(), b"mine");
    assert_eq!(storage.seen()[0].header("authorization"), None);
    assert!(!format!("{export:?}").contains("signature"));

    let storage = Stub::start(|_| stub::storage_refusal(403, "ExpiredUrl")).await;
    let (_stub, client) = answering(200, json!({"url": storage.url()})).await;
    let export = client.get_export_status(canvas(), task()).await.unwrap();
    let error = client.download_export(&export, &folder.path().join("x.pdf"), &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::UrlExpired), "{error}");
    assert!(!folder.path().join("x.pdf").exists());
}

#[tokio::test]
async fn a_picture_is_one_to_a_bound_and_comes_without_the_key() {
    let check = async |mime: &'static str, bytes: usize, expected: bool| {
        let storage =
            Stub::start(move |_| Reaction::Answer(200, vec![("content-type", mime.to_owned())], vec![7; bytes])).await;
        let (_stub, client) = answering(200, json!({})).await;
        let fetched = client.fetch_picture(&format!("{}/thumbnail?signature=s", storage.url()), 1_000).await;
        assert_eq!(fetched.is_ok(), expected, "{mime} {bytes}: {fetched:?}");
        assert_eq!(storage.seen()[0].header("authorization"), None);
    };
    check("image/png", 1_000, true).await;
    check("image/svg+xml; charset=utf-8", 10, true).await;
    check("image/png", 1_001, false).await;
    check("text/html", 10, false).await;
    let (_stub, client) = answering(200, json!({})).await;
    for address in ["", "file:///etc/passwd", "ftp://example.com/x"] {
        assert!(client.fetch_picture(address, 10).await.is_err(), "{address}");
    }
}

#[tokio::test]
async fn a_service_elsewhere_has_no_picture_fetched_from_this_computer_or_its_network() {
    let storage =
        Stub::start(|_| Reaction::Answer(200, vec![("content-type", "image/png".to_owned())], vec![7; 10])).await;
    // Nobody answers at this name; pictures do not come from it either.
    let connection = Connection::new("https://designs.example", SecretString::from(stub::KEY)).unwrap();
    let client = Client::new(connection).unwrap();
    let here = storage.url();
    let port = here.rsplit(':').next().unwrap();
    for address in [
        format!("{here}/thumbnail"),
        format!("http://localhost:{port}/thumbnail"),
        format!("http://[::ffff:127.0.0.1]:{port}/thumbnail"),
        format!("http://0x7f000001:{port}/thumbnail"),
        "https://192.168.1.1/thumbnail".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
    ] {
        for fetched in [
            client.fetch_picture(&address, 1_000).await.map(drop),
            client.fetch_archive(&address, 1_000).await.map(drop),
        ] {
            let is_refused = |error: &Error| {
                matches!(
                    error,
                    Error::NotTheService { found: UnexpectedBody::UnusableUrl, .. } | Error::PlainHttpRefused { .. }
                )
            };
            assert!(fetched.as_ref().is_err_and(is_refused), "{address}: {fetched:?}");
        }
    }
    assert_eq!(storage.seen().len(), 0, "nobody here was asked");
}
