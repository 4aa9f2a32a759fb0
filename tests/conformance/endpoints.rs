//! Specification, "Endpoints": a test for each row of the table and each step of the two-step flow, with what is sent and what
//! is returned.

use easel_tests::http::{Form, LEGACY};
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::studio::Options;
use http::Method;
use serde_json::json;

use crate::canvases::canvas;
use crate::records::unique;
use crate::service::{Service, create_folder, list, put, register, sign, text, unused_id, upload, upload_into};
use crate::tasks::{finish, start};

#[tokio::test]
async fn row_post_uploads_takes_a_form_with_the_file_and_returns_the_upload_result() {
    let service = Service::start();
    let form = Form::of_file("row.bin", unique("row").as_bytes());
    let result = service.http.post_form("/v1/uploads", &form).await.success();
    assert!(text(&result["file_id"]).starts_with("file_") && result["was_duplicate"].is_boolean(), "{result}");
}

#[tokio::test]
async fn row_get_uploads_limits_takes_nothing_and_returns_the_limits_record() {
    let service = Service::start();
    let limits = service.http.get("/v1/uploads/limits").await.expect(200);
    assert!(limits["max_direct_upload_bytes"].is_u64() && limits["max_file_bytes"].is_u64(), "{limits}");
    assert!(limits["max_file_bytes_is_plan_limit"].is_boolean(), "{limits}");
}

#[tokio::test]
async fn row_post_tasks_takes_json_with_a_callback_and_a_file_and_returns_the_task() {
    let service = Service::start();
    let file = upload(&service.http, "row.md", unique("# Row").as_bytes()).await;
    let body = json!({
        "prompt": "A card", "callback_url": "https://hooks.example.com/easel", "attachments": [{"file_id": file["file_id"]}],
    });
    let task = service.http.post("/v1/tasks", &body).await.success();
    assert!(text(&task["id"]).starts_with("task_"), "{task}");
    let flat = service.http.with_version(LEGACY).post("/v1/tasks", &json!({"prompt": "A card"})).await.success();
    assert!(flat["job_id"].is_string(), "{flat}");
}

#[tokio::test]
async fn row_get_task_returns_the_task() {
    let service = Service::start();
    let task = start(&service.http, &json!({"prompt": "A card"})).await;
    let read = service.http.get(&format!("/v1/tasks/{}", text(&task["id"]))).await.expect(200);
    assert_eq!((&read["id"], &read["created_at"]), (&task["id"], &task["created_at"]));
}

#[tokio::test]
async fn row_get_tasks_takes_a_list_query_and_returns_a_page_with_next_cursor() {
    let service = Service::start();
    for _ in 0..2 {
        finish(&service.http, &start(&service.http, &json!({"prompt": "A card"})).await).await;
    }
    let page = service.http.get("/v1/tasks?limit=1").await.expect(200);
    assert_eq!(page["data"].as_array().map(Vec::len), Some(1));
    let next = service.http.get(&format!("/v1/tasks?limit=1&cursor={}", text(&page["next_cursor"]))).await.expect(200);
    assert_ne!(next["data"][0]["id"], page["data"][0]["id"]);
}

#[tokio::test]
async fn row_post_remix_returns_a_task_or_a_synthetic_one_and_refuses_callback_url() {
    let service = Service::start();
    let source = canvas(&service.http, "Source").await;
    let asked = |further: serde_json::Value| {
        let mut body = json!({"canvas_id": source});
        body.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        body
    };
    let prompted = service.http.post("/v1/remix", &asked(json!({"prompt": "Darker"}))).await.success();
    service.http.get(&format!("/v1/tasks/{}", text(&prompted["id"]))).await.is(200);
    let synthetic = service.http.post("/v1/remix", &asked(json!({}))).await.success();
    assert_eq!(synthetic["status"], "succeeded");
    service.http.get(&format!("/v1/tasks/{}", text(&synthetic["id"]))).await.is(404);
    let told = service.http.post("/v1/remix", &asked(json!({"callback_url": "https://a.example/"}))).await;
    assert_eq!(told.invalid_fields(), ["callback_url"]);
}

#[tokio::test]
async fn row_post_export_returns_a_result_whose_status_may_be_in_progress() {
    let service = Service::start();
    let id = canvas(&service.http, "Export").await;
    let export = service.http.json(Method::POST, &format!("/v1/canvases/{id}/export"), "").await.expect(200);
    assert!(matches!(export["status"].as_str(), Some("completed" | "in_progress")), "{export}");
}

#[tokio::test]
async fn row_get_export_status_takes_task_id_and_returns_the_status() {
    let service = Service::start();
    let id = canvas(&service.http, "Status").await;
    let path = format!("/v1/canvases/{id}/export");
    let export = service.http.json(Method::POST, &format!("{path}?wait=false"), "").await.expect(200);
    let status = service.http.get(&format!("{path}-status?task_id={}", text(&export["task_id"]))).await.expect(200);
    assert!(status["status"].is_string() && status["is_terminal"].is_boolean(), "{status}");
    assert_eq!(service.http.get(&format!("{path}-status")).await.invalid_fields(), ["task_id"]);
}

#[tokio::test]
async fn row_get_brand_kits_takes_a_list_query_and_returns_a_page_with_next_cursor() {
    let service = Service::start();
    for title in ["One", "Two"] {
        service.http.post("/v1/brand-kits", &json!({"title": title})).await.is(201);
    }
    let page = service.http.get("/v1/brand-kits?limit=1").await.expect(200);
    assert_eq!(page["data"].as_array().map(Vec::len), Some(1));
    let next = format!("/v1/brand-kits?limit=1&cursor={}", text(&page["next_cursor"]));
    assert_ne!(service.http.get(&next).await.expect(200)["data"][0]["id"], page["data"][0]["id"]);
}

#[tokio::test]
async fn row_get_drive_folders_takes_a_fld_filter_and_returns_folders() {
    let service = Service::start();
    let parent = create_folder(&service.http, &unique("Parent"), None).await;
    let child = create_folder(&service.http, "Child", Some(&parent)).await;
    let found = list(&service.http.get(&format!("/v1/drive/folders?parent_id={parent}")).await);
    assert_eq!(found.iter().map(|folder| text(&folder["id"])).collect::<Vec<_>>(), [child]);
    assert!(!list(&service.http.get("/v1/drive/folders").await).is_empty());
}

#[tokio::test]
async fn row_get_drive_files_takes_a_fld_filter_and_returns_files() {
    let service = Service::start();
    let folder = create_folder(&service.http, &unique("Files"), None).await;
    let file = upload_into(&service.http, &folder, "in.txt", unique("in").as_bytes()).await;
    let found = list(&service.http.get(&format!("/v1/drive/files?folder_id={folder}")).await);
    assert_eq!(found.iter().map(|file| &file["id"]).collect::<Vec<_>>(), [&file["file_id"]]);
    assert!(!list(&service.http.get("/v1/drive/files").await).is_empty());
}

#[tokio::test]
async fn row_drive_items_has_the_verbs_move_rename_and_delete() {
    let service = Service::start();
    let folder = create_folder(&service.http, &unique("Verbs"), None).await;
    let item = text(&upload(&service.http, &unique("verbs"), unique("verbs").as_bytes()).await["file_id"]);
    let path = format!("/v1/drive/items/{item}");
    let moved = service.http.post(&format!("{path}/move"), &json!({"folder_id": folder})).await.expect(200);
    assert_eq!(moved["item"]["folder_id"], folder);
    let renamed = service.http.patch(&path, &json!({"name": "renamed.txt"})).await.expect(200);
    assert_eq!(renamed["item"]["name"], "renamed.txt");
    service.http.delete(&path).await.is(200);
    service.http.get(&format!("/v1/drive/files/{item}")).await.error(404, "not_found", "file_not_found");
}

#[tokio::test]
async fn row_post_redeliver_takes_a_whd_id_and_replays_the_recorded_delivery() {
    let service = Service::start_with(Options::new().flag("--allow-local-callbacks"));
    let receiver = Receiver::start(vec![Reply::Status(200, String::new())]).await;
    let body = json!({"prompt": "A card", "callback_url": receiver.url("/hook")});
    finish(&service.http, &start(&service.http, &body).await).await;
    let first = receiver.wait_for(1, std::time::Duration::from_secs(30)).await[0].event();
    let delivery = text(&list(&service.http.get("/v1/webhook_deliveries").await)[0]["id"]);
    let path = format!("/v1/webhook_deliveries/{delivery}/redeliver");
    service.http.json(Method::POST, &path, "").await.is(202);
    assert_eq!(receiver.wait_for(2, std::time::Duration::from_secs(30)).await[1].event(), first);
}

#[tokio::test]
async fn step_1_needs_the_mime_type_of_the_file() {
    let service = Service::start();
    let fields = service.http.post("/v1/uploads/url", &json!({"filename": "a.bin"})).await.invalid_fields();
    assert_eq!(fields, ["mime_type"]);
}

#[tokio::test]
async fn step_3_register_answers_in_the_shape_of_an_upload() {
    let service = Service::start();
    let signed = sign(&service.http, "shape.bin").await;
    put(&service.http, &signed, unique("shape").as_bytes()).await.is(200);
    let registered = register(&service.http, &text(&signed["storage_key"])).await.success();
    let uploaded = upload(&service.http, "shape2.bin", unique("shape").as_bytes()).await;
    let fields = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(fields(&registered), fields(&uploaded));
}

#[tokio::test]
async fn step_4_the_id_of_a_registered_file_is_the_reference_of_a_task() {
    let service = Service::start();
    let signed = sign(&service.http, "step4.md").await;
    put(&service.http, &signed, unique("# Step 4\n\nBread.").as_bytes()).await.is(200);
    let file = register(&service.http, &text(&signed["storage_key"])).await.success();
    let body = json!({"prompt": "A card", "attachments": [{"file_id": file["file_id"]}]});
    assert!(start(&service.http, &body).await["id"].is_string());
    let missing = json!({"prompt": "A card", "attachments": [{"file_id": unused_id("file")}]});
    service.http.post("/v1/tasks", &missing).await.error(404, "not_found", "file_not_found");
}

#[tokio::test]
async fn behaviour_rule_3_register_answers_for_a_file_of_over_100_mb_however_long_it_takes() {
    let service = Service::start();
    let signed = sign(&service.http, "large.bin").await;
    let head = unique("large");
    let mut content = vec![7_u8; 110_000_000];
    content[..head.len()].copy_from_slice(head.as_bytes());
    put(&service.http, &signed, &content).await.is(200);
    let file = register(&service.http, &text(&signed["storage_key"])).await.success();
    assert_eq!(file["size_bytes"], 110_000_000);
}

#[tokio::test]
async fn behaviour_rule_7_reading_a_task_is_not_limited_by_the_cap_on_tasks() {
    let service = Service::start_with(Options::new().with("--workers", "0").with("--concurrent-tasks", "1"));
    let task = start(&service.http, &json!({"prompt": "A card"})).await;
    service.http.post("/v1/tasks", &json!({"prompt": "A card"})).await.is(429);
    for _ in 0..5 {
        service.http.get(&format!("/v1/tasks/{}", text(&task["id"]))).await.is(200);
    }
}
