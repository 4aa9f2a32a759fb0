//! Specification, "Resources and their fields" and "States and transitions": a test for each row and bullet that no other
//! module names.

use std::collections::BTreeSet;

use easel_tests::http::{Form, Http, LEGACY};
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::studio::Options;
use serde_json::{Value, json};

use crate::canvases::canvas;
use crate::service::{Service, create_folder, list, put, register, sign, stage, text, upload};
use crate::tasks::{design, finish, idle, start};

/// Prefix, underscore, opaque suffix.
#[track_caller]
fn has_prefix(id: &Value, prefix: &str) {
    let id = text(id);
    let suffix = id.strip_prefix(prefix).unwrap_or_else(|| panic!("{id} does not begin with {prefix}"));
    assert!(!suffix.is_empty() && !suffix.contains('_'), "{id}");
}

async fn limits(http: &Http) -> Value {
    http.get("/v1/uploads/limits").await.expect(200)
}

#[tokio::test]
async fn identifiers_row_canvas_has_the_prefix_cvs() {
    let service = Service::start();
    has_prefix(&json!(canvas(&service.http, "Prefix").await), "cvs_");
}

#[tokio::test]
async fn identifiers_row_task_has_the_prefix_task() {
    let service = Service::start();
    has_prefix(&start(&service.http, &json!({"prompt": "A card"})).await["id"], "task_");
}

#[tokio::test]
async fn identifiers_row_brand_kit_has_the_prefix_bk() {
    let service = Service::start();
    let kit = service.http.post("/v1/brand-kits", &json!({"title": "Prefix"})).await.expect(201);
    has_prefix(&kit["id"], "bk_");
}

#[tokio::test]
async fn identifiers_row_drive_folder_has_the_prefix_fld() {
    let service = Service::start();
    has_prefix(&json!(create_folder(&service.http, &unique("Prefix"), None).await), "fld_");
}

#[tokio::test]
async fn identifiers_row_webhook_delivery_has_the_prefix_whd() {
    let service = Service::start_with(Options::new().flag("--allow-local-callbacks"));
    let receiver = Receiver::start(vec![Reply::Status(200, String::new())]).await;
    let body = json!({"prompt": "A card", "callback_url": receiver.url("/hook")});
    finish(&service.http, &start(&service.http, &body).await).await;
    has_prefix(&list(&service.http.get("/v1/webhook_deliveries").await)[0]["id"], "whd_");
}

#[tokio::test]
async fn upload_limits_row_max_direct_upload_bytes_is_the_gateway_cap_of_32_mib() {
    let service = Service::start();
    assert_eq!(limits(&service.http).await["max_direct_upload_bytes"], 33_554_432);
}

#[tokio::test]
async fn upload_limits_row_max_file_bytes_is_of_the_workspace_and_at_most_250_mb() {
    let service = Service::start();
    let max = limits(&service.http).await["max_file_bytes"].as_u64().expect("an integer");
    assert!((1..=250_000_000).contains(&max), "{max}");
}

#[tokio::test]
async fn upload_limits_row_max_file_bytes_is_plan_limit_says_what_would_raise_the_ceiling() {
    for (plan, is_plan_limit) in [("free", true), ("paid", false), ("ultra", false)] {
        let service = Service::start_with(Options::new().with("--plan", plan));
        assert_eq!(limits(&service.http).await["max_file_bytes_is_plan_limit"], is_plan_limit, "{plan}");
    }
}

#[tokio::test]
async fn signed_upload_row_upload_url_takes_one_put_of_the_type_of_step_1() {
    let service = Service::start();
    let signed = sign(&service.http, "once.bin").await;
    let wrong = service.http.put_bytes(&text(&signed["upload_url"]), "image/png", "once").await;
    wrong.is(403);
    put(&service.http, &signed, b"once").await.is(200);
    put(&service.http, &signed, b"once").await.is(403);
}

#[tokio::test]
async fn signed_upload_row_expires_in_seconds_is_600_by_default_and_3600_at_most() {
    let service = Service::start();
    let body = |seconds: Value| json!({"filename": "a", "mime_type": "text/plain", "expires_in_seconds": seconds});
    for (seconds, granted) in [(Value::Null, 600), (json!(60), 60), (json!(3600), 3600)] {
        let signed = service.http.post("/v1/uploads/url", &body(seconds.clone())).await.success();
        assert_eq!(signed["expires_in_seconds"], granted, "{seconds}");
    }
    let fields = service.http.post("/v1/uploads/url", &body(json!(3601))).await.invalid_fields();
    assert_eq!(fields, ["expires_in_seconds"]);
}

#[tokio::test]
async fn signed_upload_row_storage_key_is_passed_back_when_registering() {
    let service = Service::start();
    let key = stage(&service.http, "back.bin", unique("back").as_bytes()).await;
    let registered = register(&service.http, &key).await.success();
    has_prefix(&registered["file_id"], "file_");
}

#[tokio::test]
async fn upload_result_row_file_id_is_the_stable_id_of_the_team_file() {
    let service = Service::start();
    let content = unique("stable");
    let id = text(&upload(&service.http, "stable.txt", content.as_bytes()).await["file_id"]);
    let file = service.http.get(&format!("/v1/drive/files/{id}")).await.expect(200);
    assert_eq!(file["file"]["id"], id);
    let renamed = service.http.patch(&format!("/v1/drive/items/{id}"), &json!({"name": unique("other")})).await;
    assert_eq!(renamed.expect(200)["item"]["id"], id);
}

#[tokio::test]
async fn upload_result_row_was_duplicate_is_true_when_the_bytes_matched_an_existing_file() {
    let service = Service::start();
    let content = unique("twice");
    let first = upload(&service.http, "one.txt", content.as_bytes()).await;
    let second = upload(&service.http, "two.txt", content.as_bytes()).await;
    assert_eq!((&first["was_duplicate"], &second["was_duplicate"]), (&json!(false), &json!(true)));
    assert_eq!(first["file_id"], second["file_id"]);
}

#[tokio::test]
async fn upload_result_the_returned_id_is_the_file_reference_of_an_attachment() {
    let service = Service::start();
    let file = upload(&service.http, "notes.md", unique("# Notes\n\nBread and tea.\n").as_bytes()).await;
    let body = json!({"prompt": "A card", "attachments": [{"file_id": file["file_id"]}]});
    let task = finish(&service.http, &start(&service.http, &body).await).await;
    assert_eq!(task["status"], "succeeded", "{task}");
}

#[tokio::test]
async fn task_bullet_1_the_shape_of_a_task_is_that_of_the_version() {
    let service = Service::start();
    let task = design(&service.http, "A card about the version").await;
    let path = format!("/v1/tasks/{}", text(&task["id"]));
    let flat = service.http.with_version(LEGACY).get(&path).await.expect(200);
    assert!(task["kind"].is_string() && task.get("job_id").is_none(), "{task}");
    assert!(flat["job_id"] == flat["id"] && flat.get("kind").is_none(), "{flat}");
}

#[tokio::test]
async fn task_bullet_2_and_states_the_six_values_and_no_other_are_the_states_of_a_task() {
    let service = Service::start();
    for status in ["queued", "running", "succeeded", "failed", "canceled", "expired"] {
        for task in list(&service.http.get(&format!("/v1/tasks?status={status}")).await) {
            assert_eq!(task["status"], status);
        }
    }
    for none in ["completed", "cancelled", "dead", ""] {
        let fields = service.http.get(&format!("/v1/tasks?status={none}")).await.invalid_fields();
        assert_eq!(fields, ["status"], "{none}");
    }
    // Whatever state a task of this service is in is one of the six.
    design(&service.http, "A card about states").await;
    let known: BTreeSet<&str> = ["queued", "running", "succeeded", "failed", "canceled", "expired"].into();
    for task in list(&service.http.get("/v1/tasks?limit=100").await) {
        assert!(known.contains(text(&task["status"]).as_str()), "{task}");
    }
}

#[tokio::test]
async fn task_bullet_3_a_failed_task_carries_an_error_whose_retryable_is_a_boolean() {
    for (failures, retryable) in [("final", false), ("storage-full", true)] {
        let service = Service::start_with(Options::new().with("--inject", failures));
        let task = finish(&service.http, &start(&service.http, &json!({"prompt": "A card"})).await).await;
        assert_eq!((&task["status"], &task["error"]["retryable"]), (&json!("failed"), &json!(retryable)), "{task}");
    }
}

#[tokio::test]
async fn states_bullet_3_an_export_that_still_runs_is_in_progress() {
    let working = Service::start();
    let id = canvas(&working.http, "Still running").await;
    let started =
        working.http.json(http::Method::POST, &format!("/v1/canvases/{id}/export?wait=false"), "").await.expect(200);
    assert!(matches!(started["status"].as_str(), Some("in_progress" | "completed")), "{started}");
}

#[tokio::test]
async fn states_bullet_2_queued_tasks_fire_no_webhook() {
    let service = Service::start_with(idle().flag("--allow-local-callbacks"));
    let receiver = Receiver::start(vec![Reply::Status(200, String::new())]).await;
    start(&service.http, &json!({"prompt": "A card", "callback_url": receiver.url("/hook")})).await;
    assert!(list(&service.http.get("/v1/webhook_deliveries").await).is_empty());
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn a_form_without_a_file_makes_no_upload_result() {
    let service = Service::start();
    let fields = service.http.post_form("/v1/uploads", &Form::new().text("folder_id", "")).await.invalid_fields();
    assert_eq!(fields, ["file"]);
}

/// A text that nothing before had, also at a service that has been asked often.
pub fn unique(text: &str) -> String {
    format!("{text} {}", uuid::Uuid::now_v7())
}
