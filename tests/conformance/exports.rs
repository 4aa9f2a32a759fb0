//! Specification, "Endpoints" (behaviour rule 6), "Errors" and "Limits" (export rate); contract, "Canvases and export".

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use easel_tests::http::{Answer, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::Options;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::canvases::{canvas, copy};
use crate::service::{Service, list, text, unused_id, upload, uuid_of};
use crate::tasks::{finish, start};

const PATIENCE: Duration = Duration::from_secs(60);

async fn export(http: &Http, canvas: &str, query: &str) -> Answer {
    http.json(http::Method::POST, &format!("/v1/canvases/{canvas}/export?{query}"), "").await
}

async fn status(http: &Http, canvas: &str, task: &Value) -> Answer {
    http.get(&format!("/v1/canvases/{canvas}/export-status?task_id={}", text(task))).await
}

/// Polls until the export has ended, as a client does.
async fn ended(http: &Http, canvas: &str, task: &Value) -> Value {
    wait_for("the end of the export", PATIENCE, async || {
        let export = status(http, canvas, task).await.expect(200);
        if export["is_terminal"] == true { Ok(export) } else { Err(export.to_string()) }
    })
    .await
}

/// The file that was exported.
async fn fetch(http: &Http, export: &Value) -> Answer {
    let answer = http.get_url(&text(&export["url"]), &[]).await;
    answer.is(200);
    answer
}

fn fields(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// How many files a zip holds, by its directory.
fn files_in(zip: &[u8]) -> usize {
    zip.windows(4).filter(|four| four == b"PK\x01\x02").count()
}

/// The earlier drawings of a canvas.
pub async fn versions(http: &Http, canvas: &str) -> Vec<Value> {
    let answer = http.get(&format!("/v1/canvases/{canvas}/versions")).await.expect(200);
    answer["versions"].as_array().expect("versions").clone()
}

/// What an export gives.
pub async fn exported(http: &Http, canvas: &str, query: &str) -> Vec<u8> {
    let export = export(http, canvas, query).await.expect(200);
    http.get_url(&text(&export["url"]), &[]).await.body.to_vec()
}

/// A page of a canvas as a drawing.
pub async fn svg_of(http: &Http, canvas: &str, page_number: impl std::fmt::Display) -> String {
    let drawn = exported(http, canvas, &format!("format=svg&page_number={page_number}")).await;
    String::from_utf8(drawn).expect("a drawing")
}

/// A studio where nobody works, on the data of one that has a canvas.
pub async fn idle_with_a_canvas(options: Options) -> (Service, String, TempDir) {
    let folder = TempDir::new().unwrap();
    let mut working = Service::start_with(Options::new().data_dir(folder.path()));
    let canvas = canvas(&working.http, "Bread").await;
    working.studio.stop();
    drop(working);
    (Service::start_with(options.with("--workers", "0").data_dir(folder.path())), canvas, folder)
}

#[tokio::test]
async fn an_export_answers_with_its_result_when_it_is_done_in_time() {
    let service = Service::start();
    let http = &service.http;
    let canvas = canvas(http, "Bread").await;
    let export = export(http, &canvas, "page_number=1").await.expect(200);
    let expected =
        "canvas_id canvas_url format status url task_id retry_after_seconds total_pages warnings is_terminal error";
    assert_eq!(fields(&export), expected.split_whitespace().collect());
    assert_eq!((&export["canvas_id"], &export["status"]), (&json!(canvas), &json!("completed")));
    assert_eq!((&export["format"], &export["total_pages"]), (&json!("png"), &json!(2)));
    assert_eq!(export["retry_after_seconds"], Value::Null);
    assert!(text(&export["task_id"]).starts_with("task_"));
    let record = http.get(&format!("/v1/canvases/{canvas}")).await.expect(200);
    assert_eq!(export["canvas_url"], record["url"]);
    assert_eq!(status(http, &canvas, &export["task_id"]).await.expect(200), export);
    let legacy = service.legacy();
    assert_eq!(status(&legacy, &canvas, &export["task_id"]).await.expect(200), export);
    http.get(&format!("/v1/tasks/{}", text(&export["task_id"]))).await.error(404, "not_found", "task_not_found");
    assert!(list(&http.get("/v1/tasks?kind=export").await).is_empty(), "an export is no task of the list");
}

#[tokio::test]
async fn every_format_comes_as_itself_and_several_pictures_as_one_zip() {
    let service = Service::start();
    let http = &service.http;
    let canvas = canvas(http, "Bread").await;
    let check = async |query: &str, format: &str, mime_type: &str, name: &str, begins: &[u8]| {
        let export = export(http, &canvas, query).await.expect(200);
        assert_eq!((&export["status"], &export["format"]), (&json!("completed"), &json!(format)), "{query}: {export}");
        let file = fetch(http, &export).await;
        assert_eq!(file.header("content-type"), Some(mime_type), "{query}");
        assert!(file.header("content-disposition").unwrap().contains(&format!("\"{name}\"")), "{query}: {file:?}");
        assert!(file.body.starts_with(begins), "{query}: {file:?}");
        file.body
    };
    let (png, zip) = (b"\x89PNG\r\n\x1a\n".as_slice(), b"PK\x03\x04".as_slice());
    check("page_number=2", "png", "image/png", "Bread - page 2.png", png).await;
    check("format=jpeg&page_number=1", "jpeg", "image/jpeg", "Bread - page 1.jpg", b"\xff\xd8\xff").await;
    check("format=svg&page_number=1", "svg", "image/svg+xml", "Bread - page 1.svg", b"<").await;
    check("format=pdf", "pdf", "application/pdf", "Bread.pdf", b"%PDF-").await;
    check("format=pdf&page_number=1&flatten=false", "pdf", "application/pdf", "Bread - page 1.pdf", b"%PDF-").await;
    let slides = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
    check("format=pptx", "pptx", slides, "Bread.pptx", zip).await;
    for format in ["png", "jpeg", "svg"] {
        let bytes = check(&format!("format={format}"), "zip", "application/zip", "Bread.zip", zip).await;
        assert_eq!(files_in(&bytes), 2, "{format}");
    }
}

#[tokio::test]
async fn pixel_ratio_enlarges_a_picture_and_flatten_means_nothing_to_it() {
    let service = Service::start();
    let http = &service.http;
    let canvas = canvas(http, "Bread").await;
    let page = http.get(&format!("/v1/canvases/{canvas}/pages")).await.expect(200)["pages"][0].clone();
    let side = |name: &str| u32::try_from(page[name].as_u64().unwrap()).unwrap();
    let mut pictures = Vec::new();
    for (query, ratio) in [("", 1), ("pixel_ratio=2", 2), ("flatten=false", 1)] {
        let export = export(http, &canvas, &format!("page_number=1&{query}")).await.expect(200);
        let picture = fetch(http, &export).await.body;
        let size = (number_at(&picture, 16), number_at(&picture, 20));
        assert_eq!(size, (side("width") * ratio, side("height") * ratio), "{query}");
        pictures.push(picture);
    }
    assert_eq!(pictures[0], pictures[2]);
}

#[tokio::test]
async fn what_is_wrong_with_an_export_is_refused_by_name_and_never_clamped() {
    let service = Service::start();
    let http = &service.http;
    let id = canvas(http, "Bread").await;
    for (query, field) in [
        ("format=gif", "format"),
        ("format=zip", "format"),
        ("format=", "format"),
        ("page_number=0", "page_number"),
        ("page_number=3", "page_number"),
        ("page_number=-1", "page_number"),
        ("page_number=one", "page_number"),
        ("pixel_ratio=0", "pixel_ratio"),
        ("pixel_ratio=5", "pixel_ratio"),
        ("pixel_ratio=1.5", "pixel_ratio"),
        ("flatten=yes", "flatten"),
        ("wait=20", "wait"),
    ] {
        assert_eq!(export(http, &id, query).await.invalid_fields(), [field], "{query}");
    }
    let file = text(&upload(http, "a", b"a").await["file_id"]);
    for other in [unused_id("cvs"), file, "nonsense".to_owned()] {
        export(http, &other, "").await.error(404, "not_found", "canvas_not_found");
    }
    let bare = uuid_of(&id).to_string();
    assert_eq!(export(http, &bare, "format=svg&unknown=1").await.expect(200)["canvas_id"], json!(id));
    let huge = json!({"prompt": "A poster", "format": {"category": "other", "width": 4000, "height": 4000}});
    let huge = finish(http, &start(http, &huge).await).await;
    let huge = text(&huge["result"]["canvas_id"]);
    let answer = export(http, &huge, "pixel_ratio=4&page_number=1").await;
    assert_eq!(answer.invalid_fields(), ["pixel_ratio"], "more pixels than can be drawn are said at once");
}

#[tokio::test]
async fn rule_6_an_export_under_way_is_in_progress_and_its_status_is_polled() {
    let (mut service, canvas, _folder) = idle_with_a_canvas(Options::new()).await;
    let http = service.http.clone();
    let began = Instant::now();
    let started = export(&http, &canvas, "format=pdf&wait=false").await.expect(200);
    assert!(began.elapsed() < Duration::from_secs(10), "it was not to wait");
    assert_eq!((&started["status"], &started["url"]), (&json!("in_progress"), &Value::Null));
    assert!(started["retry_after_seconds"].as_u64() >= Some(1), "{started}");
    let queued = status(&http, &canvas, &started["task_id"]).await.expect(200);
    assert_eq!((&queued["status"], &queued["is_terminal"]), (&json!("queued"), &json!(false)));
    assert_eq!(queued["error"], Value::Null);
    // Where work goes on again, it is done, although the process has stopped meanwhile.
    service.studio.kill();
    let data = service.studio.data_dir.clone();
    drop(service);
    let service = Service::start_with(Options::new().data_dir(&data));
    let done = ended(&service.http, &canvas, &started["task_id"]).await;
    assert_eq!((&done["status"], &done["format"]), (&json!("completed"), &json!("pdf")), "{done}");
    assert!(fetch(&service.http, &done).await.body.starts_with(b"%PDF-"));
}

#[tokio::test]
async fn an_export_is_held_for_up_to_20_seconds() {
    let (service, canvas, _folder) = idle_with_a_canvas(Options::new()).await;
    let began = Instant::now();
    let export = export(&service.http, &canvas, "").await.expect(200);
    let held = began.elapsed();
    assert!(held >= Duration::from_secs(20) && held < Duration::from_secs(28), "{held:?}");
    assert_eq!((&export["status"], &export["format"]), (&json!("in_progress"), &json!("zip")));
}

#[tokio::test]
async fn the_status_is_one_of_an_export_of_this_canvas() {
    let service = Service::start();
    let http = &service.http;
    let one = canvas(http, "Bread").await;
    let other = copy(http, &one, "Other").await;
    let id = export(http, &one, "format=svg").await.expect(200)["task_id"].clone();
    status(http, &one, &id).await.is(200);
    let bare = json!(uuid_of(&text(&id)).to_string());
    assert_eq!(status(http, &one, &bare).await.expect(200)["task_id"], id);
    status(http, &other, &id).await.error(404, "not_found", "task_not_found");
    status(http, &one, &json!(unused_id("task"))).await.error(404, "not_found", "task_not_found");
    status(http, &unused_id("cvs"), &id).await.error(404, "not_found", "canvas_not_found");
    let design = text(&list(&http.get("/v1/tasks").await)[0]["id"]);
    status(http, &one, &json!(design)).await.error(404, "not_found", "task_not_found");
    for wrong in [one.as_str(), "nonsense", ""] {
        assert_eq!(status(http, &one, &json!(wrong)).await.invalid_fields(), ["task_id"], "{wrong}");
    }
    let path = format!("/v1/canvases/{one}/export-status");
    assert_eq!(http.get(&path).await.invalid_fields(), ["task_id"]);
}

#[tokio::test]
async fn a_canvas_that_a_task_works_on_is_not_exported() {
    let (service, canvas, _folder) = idle_with_a_canvas(Options::new()).await;
    let http = &service.http;
    let busy = async || {
        let answer = export(http, &canvas, "wait=false").await;
        let error = answer.error(409, "conflict", "canvas_active_job");
        assert_eq!((answer.header("retry-after"), &error["retry_after_ms"]), (Some("10"), &json!(10_000)));
    };
    // A copy is worked on elsewhere; the canvas itself does not change.
    start(http, &json!({"prompt": "darker", "template_canvas_id": canvas})).await;
    http.post("/v1/remix", &json!({"canvas_id": canvas, "prompt": "darker"})).await.is(202);
    export(http, &canvas, "wait=false").await.is(200);
    let task = start(http, &json!({"prompt": "darker", "canvas_id": canvas})).await;
    busy().await;
    http.json(http::Method::POST, &format!("/v1/tasks/{}/cancel", text(&task["id"])), "").await.is(200);
    export(http, &canvas, "wait=false").await.is(200);
}

#[tokio::test]
async fn limits_25_exports_a_minute_for_the_organization_and_status_polling_excluded() {
    let (service, canvas, _folder) = idle_with_a_canvas(Options::new()).await;
    let (http, member) = (&service.http, service.member("one@example.test"));
    let again = service.studio.create_key("another");
    let again = service.anonymous().with_key(&again.key);
    let mut last = Value::Null;
    for number in 0..25 {
        let http = [http, &member, &again][number % 3];
        last = export(http, &canvas, "wait=false").await.expect(200)["task_id"].clone();
        status(http, &canvas, &last).await.is(200);
    }
    for http in [http, &member, &again] {
        let refused = export(http, &canvas, "wait=false").await;
        let error = refused.error(429, "rate_limited", "export_rate_limited");
        assert_eq!((refused.header("retry-after"), &error["retry_after_ms"]), (Some("60"), &json!(60_000)));
        assert!(text(&error["message"]).contains("25 exports"), "it names the cap: {error}");
    }
    status(http, &canvas, &last).await.is(200);
    assert_eq!(export(http, &canvas, "format=gif").await.invalid_fields(), ["format"]);
    export(http, &unused_id("cvs"), "").await.error(404, "not_found", "canvas_not_found");
}

#[tokio::test]
async fn limits_a_refused_export_takes_nothing_from_the_request_rate_and_the_cap_is_a_setting() {
    let options = Options::new().with("--exports-per-minute", "2").requests_per_minute(4);
    let (service, canvas, _folder) = idle_with_a_canvas(options).await;
    let http = &service.http;
    for _ in 0..2 {
        export(http, &canvas, "wait=false").await.is(200);
    }
    for _ in 0..6 {
        let refused = export(http, &canvas, "wait=false").await;
        let error = refused.error(429, "rate_limited", "export_rate_limited");
        assert!(text(&error["message"]).contains("2 exports"), "{error}");
    }
    let me = http.get("/v1/whoami").await.expect(200);
    assert_eq!(me["entitlements"]["exports_per_minute"], 2);
    http.get("/v1/whoami").await.is(200);
    export(http, &canvas, "wait=false").await.error(429, "rate_limited", "rate_limited");
}

#[tokio::test]
async fn limits_exports_do_not_count_toward_the_cap_on_tasks() {
    let (service, canvas, _folder) = idle_with_a_canvas(Options::new().with("--plan", "free")).await;
    let http = &service.http;
    for _ in 0..4 {
        export(http, &canvas, "wait=false").await.is(200);
    }
    for _ in 0..3 {
        start(http, &json!({"prompt": "A deck"})).await;
    }
    let full = http.post("/v1/tasks", &json!({"prompt": "A deck"})).await;
    full.error(429, "rate_limited", "concurrent_task_limit");
    export(http, &canvas, "wait=false").await.is(200);
}

#[tokio::test]
async fn a_result_is_a_signed_url_with_range_that_needs_no_key_for_seven_days() {
    let service = Service::start();
    let http = &service.http;
    let canvas = canvas(http, "Bread").await;
    let export = export(http, &canvas, "format=pdf").await.expect(200);
    let url = text(&export["url"]);
    assert!(url.starts_with(&service.studio.upload_url));
    let whole = fetch(http, &export).await.body;
    let part = http.get_url(&url, &[("range", "bytes=0-4")]).await;
    part.is(206);
    assert_eq!(part.body, b"%PDF-".as_slice());
    let expires: i64 = url.split("expires=").nth(1).unwrap().split('&').next().unwrap().parse().unwrap();
    let week = 7 * 24 * 3_600;
    let left = expires - jiff::Timestamp::now().as_second();
    assert!((week - 120..=week).contains(&left), "{left} s");
    let later = url.replace(&format!("expires={expires}"), &format!("expires={}", expires + 1));
    let other = url.replace(&text(&export["task_id"]), &unused_id("task"));
    for forged in [later, other, url.split('?').next().unwrap().to_owned()] {
        let refused = http.get_url(&forged, &[]).await;
        assert_eq!((refused.status.as_u16(), refused.storage_code().as_str()), (403, "SignatureDoesNotMatch"));
    }
    // The result stays although its canvas goes.
    http.delete(&format!("/v1/drive/items/{canvas}")).await.is(200);
    assert_eq!(http.get_url(&url, &[]).await.body, whole);
    assert!(!service.studio.log().contains("signature="), "a signed URL is in no log");
}

#[tokio::test]
async fn a_private_canvas_is_exported_by_who_sees_it() {
    let service = Service::start();
    let (http, member) = (&service.http, service.member("one@example.test"));
    let canvas = canvas(http, "Bread").await;
    let shared = export(&member, &canvas, "format=svg").await.expect(200);
    http.patch(&format!("/v1/drive/items/{canvas}"), &json!({"visibility": "private"})).await.is(200);
    let own = export(http, &canvas, "format=svg").await.expect(200);
    assert_eq!(own["status"], "completed");
    export(&member, &canvas, "format=svg").await.error(404, "not_found", "canvas_not_found");
    for task in [&shared["task_id"], &own["task_id"]] {
        status(&member, &canvas, task).await.error(404, "not_found", "canvas_not_found");
    }
}

#[tokio::test]
async fn many_exports_at_once_all_end_and_are_the_same_bytes() {
    let service = Service::start();
    let http = &service.http;
    let canvas = canvas(http, "Bread").await;
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (http, canvas) = (http.clone(), canvas.clone());
        asking.spawn(async move {
            let done = export(&http, &canvas, "format=pdf").await.expect(200);
            fetch(&http, &done).await.body
        });
    }
    let mut files = asking.join_all().await;
    assert_eq!(files.len(), 8);
    files.dedup();
    assert_eq!(files.len(), 1);
}

#[tokio::test]
async fn a_size_that_is_accepted_can_be_exported_and_none_is_accepted_beyond() {
    let service = Service::start();
    let http = &service.http;
    let body = |width: u32, height: u32| {
        json!({"prompt": "A card", "canvas_name": format!("{width} by {height}"),
            "format": {"category": "other", "width": width, "height": height, "page_count": 1}})
    };
    // At the bounds of a side, and of a page.
    for (width, height) in [(8_192, 7_812), (8_192, 64), (64, 8_192), (64, 64)] {
        let made = finish(http, &start(http, &body(width, height)).await).await;
        assert_eq!(made["status"], "succeeded", "{width} by {height}: {made}");
        let canvas = text(&made["result"]["canvas_id"]);
        // The largest as the one that takes the most; without optimisation that alone is a minute.
        let is_largest = u64::from(width) * u64::from(height) > 60_000_000;
        let formats = if is_largest { &["png"][..] } else { &["png", "jpeg", "pdf", "pptx", "svg"][..] };
        for format in formats {
            let begun = export(http, &canvas, &format!("format={format}&wait=false")).await.expect(200);
            let export = wait_for("the end of the export", 5 * PATIENCE, async || {
                let export = status(http, &canvas, &begun["task_id"]).await.expect(200);
                if export["is_terminal"] == true { Ok(export) } else { Err(export.to_string()) }
            })
            .await;
            assert_eq!(export["status"], "completed", "{width} by {height} as {format}: {export}");
            let file = fetch(http, &export).await.body;
            if *format == "png" {
                assert_eq!((number_at(&file, 16), number_at(&file, 20)), (width, height));
            }
        }
    }
    for (width, height) in [(8_192, 7_813), (8_193, 64), (63, 64), (64, 63), (0, 0), (4_000_000_000, 4_000_000_000)] {
        let refused = http.post("/v1/tasks", &body(width, height)).await;
        refused.error(422, "unprocessable", "validation_failed");
    }
}
