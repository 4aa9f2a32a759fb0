//! Specification, "Task", "States and transitions", "Endpoints" and "Limits" (concurrent design tasks); contract,
//! "Versions" and "Tasks and remix".

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use easel_tests::http::{Answer, Http};
use easel_tests::patience::wait_for;
use easel_tests::studio::Options;
use serde_json::{Value, json};

use crate::service::{Service, list, text, unused_id, uuid_of};

const PATIENCE: Duration = Duration::from_secs(60);

/// Nobody works on tasks, so that they stay queued.
pub fn idle() -> Options {
    Options::new().with("--workers", "0")
}

/// Starts a task that must be accepted.
pub async fn start(http: &Http, body: &Value) -> Value {
    http.post("/v1/tasks", body).await.expect(202)
}

/// Starts a design and waits until it is done; the task.
pub async fn design(http: &Http, prompt: &str) -> Value {
    finish(http, &start(http, &json!({"prompt": prompt})).await).await
}

/// Waits until a task has ended.
pub async fn finish(http: &Http, task: &Value) -> Value {
    let path = format!("/v1/tasks/{}", text(&task["id"]));
    wait_for("the end of the task", PATIENCE, async || {
        let task = http.get(&path).await.expect(200);
        if matches!(task["status"].as_str(), Some("queued" | "running")) { Err(task.to_string()) } else { Ok(task) }
    })
    .await
}

async fn get(http: &Http, task: &Value) -> Value {
    http.get(&format!("/v1/tasks/{}", text(&task["id"]))).await.expect(200)
}

async fn cancel(http: &Http, task: &Value) -> Answer {
    http.json(http::Method::POST, &format!("/v1/tasks/{}/cancel", text(&task["id"])), "").await
}

fn fields(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The 429 of the cap.
#[track_caller]
fn refused_by_the_cap(answer: &Answer) {
    let error = answer.error(429, "rate_limited", "concurrent_task_limit");
    assert_eq!((answer.header("retry-after"), &error["retry_after_ms"]), (Some("30"), &json!(30_000)), "{answer:?}");
}

#[tokio::test]
async fn under_2026_05_01_a_task_is_the_canonical_envelope() {
    let service = Service::start_with(idle());
    let body = json!({"prompt": "A deck about bread", "number_of_slides": 2});
    let task = start(&service.http, &body).await;
    let expected = "id kind status created_at started_at completed_at progress attempt max_attempts input result error \
                    credits links retry_after_ms";
    assert_eq!(fields(&task), expected.split_whitespace().collect());
    assert!(text(&task["id"]).starts_with("task_"));
    assert_eq!((&task["kind"], &task["status"]), (&json!("design"), &json!("queued")));
    assert_eq!(
        (&task["attempt"], &task["max_attempts"], &task["retry_after_ms"]),
        (&json!(0), &json!(3), &json!(3000))
    );
    assert_eq!(fields(&task["progress"]), ["percent", "step", "message"].into());
    assert_eq!(fields(&task["links"]), ["self", "events", "cancel", "canvas"].into());
    assert_eq!(task["input"]["prompt"], "A deck about bread");
    for nothing in ["result", "error", "started_at", "completed_at"] {
        assert_eq!(task[nothing], Value::Null, "{nothing}");
    }
    let itself = text(&task["links"]["self"]);
    let path = itself.strip_prefix(&service.studio.base_url).expect("an address of the service");
    assert_eq!(service.http.get(path).await.expect(200), task);
    assert_eq!(list(&service.http.get("/v1/tasks").await), [task]);
}

#[tokio::test]
async fn under_2026_04_12_a_task_is_the_flat_job_response() {
    let service = Service::start_with(idle());
    let legacy = service.legacy();
    let job = start(&legacy, &json!({"prompt": "A deck about bread"})).await;
    let expected = "id job_id status canvas_id canvas_url conversation_id task progress_percent current_step \
                    is_terminal can_export error retry_after_seconds created_at completed_at";
    assert_eq!(fields(&job), expected.split_whitespace().collect());
    assert_eq!((&job["job_id"], &job["task"]), (&job["id"], &json!("A deck about bread")));
    assert_eq!(
        (&job["status"], &job["is_terminal"], &job["can_export"]),
        (&json!("queued"), &json!(false), &json!(false))
    );
    assert_eq!(job["retry_after_seconds"], 3);
    assert_eq!(get(&legacy, &job).await, job);
    let page = legacy.get("/v1/tasks").await.expect(200);
    assert_eq!(fields(&page), ["tasks", "total", "limit", "offset", "has_more"].into());
    assert_eq!(page["tasks"], json!([job]));

    let service = Service::start();
    let done = finish(&service.legacy(), &start(&service.http, &json!({"prompt": "A deck"})).await).await;
    assert_eq!(
        (&done["status"], &done["is_terminal"], &done["can_export"]),
        (&json!("succeeded"), &json!(true), &json!(true))
    );
    assert_eq!((&done["progress_percent"], &done["retry_after_seconds"]), (&json!(100), &Value::Null));
    assert!(text(&done["canvas_id"]).starts_with("cvs_") && text(&done["canvas_url"]).starts_with("http"));

    // It can be exported once it has succeeded and as long as its canvas is there, alone and in a list.
    let legacy = service.legacy();
    let first_of_list = async || legacy.get("/v1/tasks").await.expect(200)["tasks"][0]["can_export"].clone();
    assert_eq!(first_of_list().await, true);
    let change = start(&legacy, &json!({"prompt": "A deck about tea", "canvas_id": done["canvas_id"]})).await;
    assert_eq!(change["can_export"], change["status"] == "succeeded", "{change}");
    finish(&legacy, &change).await;
    legacy.delete(&format!("/v1/drive/items/{}", text(&done["canvas_id"]))).await.is(200);
    assert_eq!((first_of_list().await, &get(&legacy, &done).await["can_export"]), (json!(false), &json!(false)));
}

#[tokio::test]
async fn a_task_that_succeeds_names_its_canvas() {
    let service = Service::start();
    let body = json!({"prompt": "Bread for the street", "canvas_name": "Bread", "format": {"category": "slides"}});
    let done = finish(&service.http, &start(&service.http, &body).await).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    let expected = ["canvas_id", "canvas_url", "canvas_name", "conversation_id", "source_canvas_id"];
    assert_eq!(fields(&done["result"]), expected.into());
    assert_eq!(done["result"]["canvas_name"], "Bread");
    assert!(text(&done["result"]["conversation_id"]).starts_with("conv_"));
    assert_eq!((&done["attempt"], &done["progress"]["percent"]), (&json!(1), &json!(100)));
    assert_eq!(done["retry_after_ms"], Value::Null);
    for moment in ["created_at", "started_at", "completed_at"] {
        assert!(text(&done[moment]).ends_with("+00:00"), "{moment}");
    }
    let again = finish(&service.http, &start(&service.http, &body).await).await;
    assert_eq!(again["result"]["canvas_name"], "Bread (2)", "a taken name gets a number");
}

#[tokio::test]
async fn limits_the_cap_on_tasks_queued_or_running_scales_with_the_plan() {
    for (plan, cap) in [("free", 3), ("paid", 10), ("ultra", 15)] {
        let service = Service::start_with(idle().with("--plan", plan));
        let http = &service.http;
        assert_eq!(http.get("/v1/whoami").await.expect(200)["entitlements"]["concurrency_cap"], cap);
        let mut last = Value::Null;
        for _ in 0..cap {
            last = start(http, &json!({"prompt": "A deck"})).await;
        }
        refused_by_the_cap(&http.post("/v1/tasks", &json!({"prompt": "A deck"})).await);
        // Per organization, not per key.
        let other = service.member("other@example.test");
        refused_by_the_cap(&other.post("/v1/tasks", &json!({"prompt": "A deck"})).await);
        // Reading is not limited by it (behaviour rule 7).
        get(http, &last).await;
        assert_eq!(list(&http.get("/v1/tasks?limit=100").await).len(), cap);
        cancel(http, &last).await.is(200);
        start(http, &json!({"prompt": "A deck"})).await;
        refused_by_the_cap(&http.post("/v1/tasks", &json!({"prompt": "A deck"})).await);
    }
}

#[tokio::test]
async fn limits_the_cap_is_exact_when_many_ask_at_once_and_zero_is_none() {
    let service = Service::start_with(idle().with("--concurrent-tasks", "4"));
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let http = service.http.clone();
        asking.spawn(async move { http.post("/v1/tasks", &json!({"prompt": "A deck"})).await.status.as_u16() });
    }
    let statuses = asking.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 202).count(), 4, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 202 | 429)), "{statuses:?}");
    let unlimited = Service::start_with(idle().with("--concurrent-tasks", "0"));
    for _ in 0..20 {
        start(&unlimited.http, &json!({"prompt": "A deck"})).await;
    }
}

#[tokio::test]
async fn what_the_cap_refuses_takes_nothing_from_the_request_rate() {
    let service = Service::start_with(idle().with("--concurrent-tasks", "1").requests_per_minute(3));
    start(&service.http, &json!({"prompt": "A deck"})).await;
    for _ in 0..10 {
        refused_by_the_cap(&service.http.post("/v1/tasks", &json!({"prompt": "A deck"})).await);
    }
    service.http.get("/v1/tasks").await.is(200);
    service.http.get("/v1/tasks").await.is(200);
    service.http.get("/v1/tasks").await.error(429, "rate_limited", "rate_limited");
}

#[tokio::test]
async fn an_idempotency_key_makes_a_repeat_the_same_task() {
    let service = Service::start_with(idle().with("--concurrent-tasks", "2"));
    let (http, mut body) = (&service.http, json!({"prompt": "A deck", "idempotency_key": "once"}));
    let first = start(http, &body).await;
    let text_body = r#"{"idempotency_key" : "once", "prompt":"A deck", "format": null}"#;
    let again = http.json(http::Method::POST, "/tasks", text_body).await.expect(202);
    assert_eq!(again["id"], first["id"]);
    // The same task as it is now, also where the cap would refuse a new one.
    start(http, &json!({"prompt": "A deck"})).await;
    cancel(http, &first).await.is(200);
    start(http, &json!({"prompt": "A deck"})).await;
    let again = start(http, &body).await;
    assert_eq!((&again["id"], &again["status"]), (&first["id"], &json!("canceled")));
    body["prompt"] = "Another deck".into();
    http.post("/v1/tasks", &body).await.error(409, "idempotency_conflict", "idempotency_conflict");
    // Keys hold per API key.
    let other = service.member("other@example.test");
    refused_by_the_cap(&other.post("/v1/tasks", &body).await);
}

#[tokio::test]
async fn an_idempotency_key_holds_over_a_crash_and_against_many_at_once() {
    let mut service = Service::start_with(idle());
    let body = json!({"prompt": "A deck", "idempotency_key": "once"});
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let (http, body) = (service.http.clone(), body.clone());
        asking.spawn(async move { text(&start(&http, &body).await["id"]) });
    }
    let ids: BTreeSet<String> = asking.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
    service.studio.kill();
    service.studio.restart();
    assert_eq!(start(&service.http, &body).await["id"], ids.first().expect("one").as_str());
    assert_eq!(list(&service.http.get("/v1/tasks").await).len(), 1);
}

#[tokio::test]
async fn a_start_that_is_wrong_is_422_and_names_the_field() {
    let service = Service::start_with(idle());
    let canvas = unused_id("cvs");
    let check = async |body: Value, field: &str| {
        let answer = service.http.post("/v1/tasks", &body).await;
        assert_eq!(answer.invalid_fields(), [field], "{body}");
    };
    check(json!({}), "prompt").await;
    check(json!({"prompt": ""}), "prompt").await;
    check(json!({"prompt": 7}), "prompt").await;
    check(json!({"prompt": "x".repeat(20_001)}), "prompt").await;
    check(json!({"prompt": "x", "surprise": 1}), "surprise").await;
    check(json!({"prompt": "x", "number_of_slides": 0}), "number_of_slides").await;
    check(json!({"prompt": "x", "number_of_slides": 61}), "number_of_slides").await;
    check(json!({"prompt": "x", "number_of_slides": -1}), "number_of_slides").await;
    check(json!({"prompt": "x", "format": {"category": "poster"}}), "format.category").await;
    check(json!({"prompt": "x", "format": {"page_count": 61}}), "format.page_count").await;
    check(json!({"prompt": "x", "format": {"depth": 1}}), "format.depth").await;
    check(json!({"prompt": "x", "format": {"width": 0}}), "format.width").await;
    check(json!({"prompt": "x", "canvas_id": canvas, "template_canvas_id": canvas}), "template_canvas_id").await;
    check(json!({"prompt": "x", "canvas_id": unused_id("task")}), "canvas_id").await;
    check(json!({"prompt": "x", "canvas_id": "banana"}), "canvas_id").await;
    check(json!({"prompt": "x", "canvas_name": ""}), "canvas_name").await;
    check(json!({"prompt": "x", "attachments": [{}]}), "attachments[0].file_id").await;
    check(json!({"prompt": "x", "attachments": [{"file_id": unused_id("fld")}]}), "attachments[0].file_id").await;
    let both = json!({"file_id": unused_id("file"), "url": "https://example.com/a"});
    check(json!({"prompt": "x", "attachments": [both]}), "attachments[0].url").await;
    check(
        json!({"prompt": "x", "attachments": [{"file_id": unused_id("file"), "role": "muse"}]}),
        "attachments[0].role",
    )
    .await;
    check(json!({"prompt": "x", "idempotency_key": ""}), "idempotency_key").await;
    check(json!({"prompt": "x", "callback_url": "/relative"}), "callback_url").await;
    service.http.json(http::Method::POST, "/v1/tasks", "{").await.error(400, "invalid_request", "invalid_request");
    assert!(list(&service.http.get("/v1/tasks").await).is_empty(), "nothing was started");
    start(&service.http, &json!({"prompt": "ä".repeat(20_000), "number_of_slides": 60})).await;
    start(&service.http, &json!({"prompt": "x", "format": null, "attachments": null, "canvas_id": null})).await;
}

#[tokio::test]
async fn what_a_start_refers_to_must_be_there() {
    let service = Service::start_with(idle());
    let check = async |body: Value, code: &str| {
        service.http.post("/v1/tasks", &body).await.error(404, "not_found", code);
    };
    check(json!({"prompt": "x", "canvas_id": unused_id("cvs")}), "canvas_not_found").await;
    check(json!({"prompt": "x", "template_canvas_id": unused_id("cvs")}), "canvas_not_found").await;
    check(json!({"prompt": "x", "reference_canvas_ids": [unused_id("cvs")]}), "canvas_not_found").await;
    check(json!({"prompt": "x", "attachments": [{"file_id": unused_id("file")}]}), "file_not_found").await;
    check(json!({"prompt": "x", "brand_kit_id": unused_id("bk")}), "brand_kit_not_found").await;
}

#[tokio::test]
async fn a_path_that_names_no_task_is_404() {
    let service = Service::start_with(idle());
    for id in [unused_id("task"), unused_id("cvs"), "banana".to_owned(), uuid_of(&unused_id("task")).to_string()] {
        service.http.get(&format!("/v1/tasks/{id}")).await.error(404, "not_found", "task_not_found");
        let cancel = format!("/v1/tasks/{id}/cancel");
        service.http.json(http::Method::POST, &cancel, "").await.error(404, "not_found", "task_not_found");
    }
    let task = start(&service.http, &json!({"prompt": "x"})).await;
    let bare = service.http.get(&format!("/v1/tasks/{}", uuid_of(&text(&task["id"])))).await.expect(200);
    assert_eq!(bare["id"], task["id"]);
}

#[tokio::test]
async fn a_task_edits_a_canvas_in_place_or_works_on_a_copy_of_it() {
    let service = Service::start();
    let http = &service.http;
    let made = design(http, "A deck about bread").await;
    let canvas = text(&made["result"]["canvas_id"]);
    let edited = finish(http, &start(http, &json!({"prompt": "darker", "canvas_id": canvas})).await).await;
    assert_eq!((&edited["status"], &edited["result"]["canvas_id"]), (&json!("succeeded"), &json!(canvas)), "{edited}");
    assert_eq!(edited["result"]["canvas_name"], made["result"]["canvas_name"]);
    let copied = finish(http, &start(http, &json!({"prompt": "darker", "template_canvas_id": canvas})).await).await;
    assert_ne!(copied["result"]["canvas_id"], json!(canvas), "{copied}");
    assert_eq!(copied["result"]["source_canvas_id"], json!(canvas));
    let of_canvas = list(&http.get(&format!("/v1/tasks?canvas_id={canvas}")).await);
    let ids: Vec<&Value> = of_canvas.iter().map(|task| &task["id"]).collect();
    assert_eq!(ids, [&edited["id"], &made["id"]]);
}

#[tokio::test]
async fn the_list_of_tasks_is_newest_first_and_walked_by_cursor_while_others_start() {
    let service = Service::start_with(idle().with("--concurrent-tasks", "0"));
    let http = &service.http;
    let mut started = Vec::new();
    for number in 0..25 {
        started.insert(0, text(&start(http, &json!({"prompt": format!("{number}")})).await["id"]));
    }
    let (mut walked, mut path) = (Vec::new(), "/v1/tasks?limit=10".to_owned());
    loop {
        let page = http.get(&path).await.expect(200);
        assert_eq!(fields(&page), ["data", "next_cursor", "has_more"].into());
        walked.extend(page["data"].as_array().expect("tasks").iter().map(|task| text(&task["id"])));
        assert_eq!(page["has_more"], page["next_cursor"].is_string());
        start(http, &json!({"prompt": "one more meanwhile"})).await;
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/v1/tasks?limit=10&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(walked, started);
    assert_eq!(list(&http.get("/v1/tasks").await).len(), 20, "the default limit");

    let legacy = service.legacy().get("/v1/tasks?limit=5&offset=3").await.expect(200);
    assert_eq!((&legacy["total"], &legacy["limit"], &legacy["offset"]), (&json!(28), &json!(5), &json!(3)));
    assert_eq!((legacy["tasks"][0]["id"].as_str(), &legacy["has_more"]), (Some(started[0].as_str()), &json!(true)));
}

#[tokio::test]
async fn a_cursor_of_tasks_is_bound_to_its_filters_and_cannot_be_changed() {
    let service = Service::start_with(idle());
    let http = &service.http;
    for _ in 0..3 {
        start(http, &json!({"prompt": "x"})).await;
    }
    let cursor = text(&http.get("/v1/tasks?limit=1").await.expect(200)["next_cursor"]);
    http.get(&format!("/v1/tasks?cursor={cursor}")).await.is(200);
    for path in [
        format!("/v1/tasks?status=queued&cursor={cursor}"),
        format!("/v1/tasks?cursor={}", &cursor[1..]),
        format!("/v1/drive/files?cursor={cursor}"),
        "/v1/tasks?cursor=banana".to_owned(),
    ] {
        http.get(&path).await.error(400, "invalid_request", "invalid_request");
    }
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("status=done", "status"),
        ("kind=dance", "kind"),
        ("canvas_id=banana", "canvas_id"),
    ] {
        assert_eq!(http.get(&format!("/v1/tasks?{query}")).await.invalid_fields(), [field], "{query}");
    }
    assert_eq!(service.legacy().get("/v1/tasks?offset=-1").await.invalid_fields(), ["offset"]);
}

#[tokio::test]
async fn the_list_of_tasks_is_filtered_by_status_and_kind() {
    let service = Service::start_with(idle());
    let http = &service.http;
    let (one, two) = (start(http, &json!({"prompt": "x"})).await, start(http, &json!({"prompt": "y"})).await);
    cancel(http, &one).await.is(200);
    let ids = async |query: &str| -> Vec<String> {
        list(&http.get(&format!("/v1/tasks?{query}")).await).iter().map(|task| text(&task["id"])).collect()
    };
    assert_eq!(ids("status=queued").await, [text(&two["id"])]);
    assert_eq!(ids("status=canceled").await, [text(&one["id"])]);
    assert_eq!(ids("status=running").await, [""; 0]);
    assert_eq!(ids("kind=design&status=queued").await, [text(&two["id"])]);
    assert_eq!(ids("kind=remix").await, [""; 0]);
    assert_eq!(ids(&format!("canvas_id={}", unused_id("cvs"))).await, [""; 0]);
}

#[tokio::test]
async fn cancelling_a_queued_task_answers_200_with_the_canceled_task() {
    let service = Service::start_with(idle());
    let task = start(&service.http, &json!({"prompt": "x"})).await;
    for _ in 0..2 {
        let canceled = cancel(&service.http, &task).await.expect(200);
        assert_eq!((&canceled["id"], &canceled["status"]), (&task["id"], &json!("canceled")));
        assert_eq!((&canceled["error"], &canceled["retry_after_ms"]), (&Value::Null, &Value::Null));
        assert!(canceled["completed_at"].is_string());
    }
    assert_eq!(cancel(&service.legacy(), &task).await.expect(200)["status"], "canceled");
    let other = service.member("other@example.test");
    let another = start(&service.http, &json!({"prompt": "x"})).await;
    cancel(&other, &another).await.error(403, "permission", "permission");
    assert_eq!(get(&service.http, &another).await["status"], "queued");
}

#[tokio::test]
async fn cancelling_a_running_task_stops_it_and_one_that_is_done_is_409() {
    let service = Service::start_with(Options::new().with("--inject", "pause=60000").with("--workers", "1"));
    let http = &service.http;
    let task = start(http, &json!({"prompt": "x"})).await;
    wait_for("a worker", PATIENCE, async || {
        let task = get(http, &task).await;
        if task["status"] == "running" { Ok(()) } else { Err(task.to_string()) }
    })
    .await;
    let running = get(http, &task).await;
    assert_eq!((&running["attempt"], &running["retry_after_ms"]), (&json!(1), &json!(3000)));
    assert!(running["started_at"].is_string() && running["progress"]["step"].is_string(), "{running}");
    let answer = cancel(http, &task).await;
    assert!(matches!(answer.status.as_u16(), 200 | 202), "{answer:?}");
    assert_eq!(finish(http, &task).await["status"], "canceled");
    assert!(list(&http.get("/v1/tasks?status=running").await).is_empty());

    let service = Service::start();
    let done = design(&service.http, "x").await;
    let error = cancel(&service.http, &done).await.envelope();
    assert_eq!(error["type"], "conflict");
    assert_eq!(get(&service.http, &done).await["status"], "succeeded");
}

#[tokio::test]
async fn a_task_queued_for_too_long_expires() {
    let service = Service::start_with(idle().with("--expire-tasks-after", "1").with("--concurrent-tasks", "1"));
    let http = &service.http;
    let task = start(http, &json!({"prompt": "x"})).await;
    let expired = finish(http, &task).await;
    assert_eq!((&expired["status"], &expired["attempt"]), (&json!("expired"), &json!(0)));
    assert_eq!((&expired["error"], &expired["result"]), (&Value::Null, &Value::Null));
    // It counts toward the cap no longer, and cannot be canceled any more.
    start(http, &json!({"prompt": "x"})).await;
    assert_eq!(cancel(http, &task).await.envelope()["type"], "conflict");
}

#[tokio::test]
async fn attempts_what_passes_by_itself_is_tried_three_times_and_retryable_says_who_must_act() {
    let check = async |failures: &str, status: &str, attempt: u32, retryable: Option<bool>| {
        let service = Service::start_with(Options::new().with("--inject", failures));
        let done = finish(&service.http, &start(&service.http, &json!({"prompt": "x"})).await).await;
        assert_eq!((&done["status"], &done["attempt"]), (&json!(status), &json!(attempt)), "{failures}: {done}");
        assert_eq!(done["error"]["retryable"].as_bool(), retryable, "{failures}");
        assert_eq!(done["error"]["message"].is_string(), retryable.is_some(), "{failures}");
        let job = get(&service.legacy(), &done).await;
        assert_eq!(job["error"], done["error"], "{failures}");
    };
    check("passing=2", "succeeded", 3, None).await;
    check("passing=3", "failed", 3, Some(false)).await;
    check("final", "failed", 1, Some(false)).await;
    check("storage-full", "failed", 1, Some(true)).await;
}

#[tokio::test]
async fn a_task_survives_a_sigkill_in_the_middle_of_it_with_its_attempts_counted() {
    let mut service = Service::start_with(Options::new().with("--inject", "pause=2500").with("--workers", "1"));
    let running = start(&service.http, &json!({"prompt": "x"})).await;
    let waiting = start(&service.http, &json!({"prompt": "y"})).await;
    let attempt = async |service: &Service, attempt: u64| {
        wait_for("a worker", PATIENCE, async || {
            let task = get(&service.http, &running).await;
            let begun = task["status"] == "running" && task["attempt"] == attempt;
            if begun { Ok(()) } else { Err(task.to_string()) }
        })
        .await;
    };
    attempt(&service, 1).await;
    service.studio.kill();
    service.studio.restart();
    // The queue is in its order again: what was running waits behind what waited before, or begins at once.
    let other = finish(&service.http, &waiting).await;
    assert_eq!((&other["status"], &other["attempt"]), (&json!("succeeded"), &json!(1)), "{other}");
    let done = finish(&service.http, &running).await;
    assert_eq!((&done["status"], &done["attempt"]), (&json!("succeeded"), &json!(2)), "{done}");
    let canvases: BTreeSet<String> = [&other, &done].map(|task| text(&task["result"]["canvas_id"])).into();
    assert_eq!(canvases.len(), 2);
    // What was done stays done.
    service.studio.kill();
    service.studio.restart();
    assert_eq!(get(&service.http, &done).await, done);
}

#[tokio::test]
async fn a_task_that_takes_the_process_down_three_times_is_dead_lettered() {
    let mut service = Service::start_with(Options::new().with("--inject", "pause=60000"));
    let task = start(&service.http, &json!({"prompt": "x"})).await;
    for attempt in 1..=3 {
        wait_for("a worker", PATIENCE, async || {
            let task = get(&service.http, &task).await;
            if task["status"] == "running" && task["attempt"] == attempt { Ok(()) } else { Err(task.to_string()) }
        })
        .await;
        service.studio.kill();
        service.studio.restart();
    }
    let failed = get(&service.http, &task).await;
    assert_eq!((&failed["status"], &failed["attempt"]), (&json!("failed"), &json!(3)), "{failed}");
    assert_eq!(failed["error"]["retryable"], false);
}

#[tokio::test]
async fn prefer_wait_answers_as_soon_as_the_task_has_ended() {
    let service = Service::start_with(Options::new().with("--inject", "pause=300"));
    let patient = service.http.with_header("Prefer", "wait=30");
    let before = Instant::now();
    let done = start(&patient, &json!({"prompt": "x"})).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    assert!(before.elapsed() < Duration::from_secs(25));

    let service = Service::start_with(idle());
    let hurried = service.http.with_header("Prefer", "respond-async, wait=1");
    assert_eq!(start(&hurried, &json!({"prompt": "x"})).await["status"], "queued");
    // One request waits, another ends what it waits for.
    let patient = service.http.with_header("Prefer", "wait=30");
    let waiting = tokio::spawn(async move { start(&patient, &json!({"prompt": "waited for"})).await });
    let queued = wait_for("the task", PATIENCE, async || {
        let tasks = list(&service.http.get("/v1/tasks").await);
        let found = tasks.into_iter().find(|task| task["input"]["prompt"] == "waited for");
        found.ok_or("not there yet")
    })
    .await;
    let before = Instant::now();
    cancel(&service.http, &queued).await.is(200);
    assert_eq!(waiting.await.expect("an answer")["status"], "canceled");
    assert!(before.elapsed() < Duration::from_secs(10));
    for wrong in ["wait=31", "wait=soon", "wait=-1"] {
        let answer = service.http.with_header("Prefer", wrong).post("/v1/tasks", &json!({"prompt": "x"})).await;
        assert_eq!(answer.invalid_fields(), ["Prefer"], "{wrong}");
    }
}

#[tokio::test]
async fn a_start_is_done_whole_also_where_the_client_goes_away() {
    let service = Service::start();
    let body = json!({"prompt": "left alone", "idempotency_key": "left"});
    let patient = service.http.with_header("Prefer", "wait=30");
    let asking = tokio::spawn({
        let body = body.clone();
        async move { patient.post("/v1/tasks", &body).await }
    });
    asking.abort();
    let task = start(&service.http, &body).await;
    assert_eq!(finish(&service.http, &task).await["status"], "succeeded");
    assert_eq!(list(&service.http.get("/v1/tasks").await).len(), 1);
}
