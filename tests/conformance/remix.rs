//! Specification, "Remix rules"; contract, "Tasks and remix".

use easel_tests::http::Http;
use easel_tests::studio::{Options, Studio};
use serde_json::{Value, json};

use crate::service::{Service, create_folder, list, text, unused_id, uuid_of};
use crate::tasks::{design, finish, start};

/// A canvas to remix, by its id.
async fn canvas(http: &Http, name: &str) -> String {
    let task = start(http, &json!({"prompt": "A deck about bread", "canvas_name": name})).await;
    text(&finish(http, &task).await["result"]["canvas_id"])
}

async fn copy(http: &Http, body: &Value) -> Value {
    http.post("/v1/remix", body).await.expect(201)
}

#[tokio::test]
async fn rule_1_a_remix_does_not_accept_callback_url() {
    let service = Service::start();
    let canvas = canvas(&service.http, "Bread").await;
    for prompt in [json!(null), json!("darker")] {
        let body = json!({"canvas_id": canvas, "prompt": prompt, "callback_url": "https://example.com/hook"});
        let answer = service.http.post("/v1/remix", &body).await;
        assert_eq!(answer.invalid_fields(), ["callback_url"]);
    }
    assert_eq!(list(&service.http.get("/v1/tasks?kind=remix").await).len(), 0);
}

#[tokio::test]
async fn rule_2_a_prompted_remix_returns_a_task_that_can_be_polled() {
    let service = Service::start();
    let canvas = canvas(&service.http, "Bread").await;
    let body = json!({"canvas_id": canvas, "prompt": "darker", "new_name": "Night bread"});
    let task = service.http.post("/v1/remix", &body).await.expect(202);
    assert_eq!((&task["kind"], &task["input"]["prompt"]), (&json!("remix"), &json!("darker")));
    let done = finish(&service.http, &task).await;
    assert_eq!((&done["id"], &done["status"]), (&task["id"], &json!("succeeded")), "{done}");
    let result = &done["result"];
    assert_eq!((&result["canvas_name"], &result["source_canvas_id"]), (&json!("Night bread"), &json!(canvas)));
    assert_ne!(result["canvas_id"], json!(canvas));
    let listed = list(&service.http.get("/v1/tasks?kind=remix").await);
    assert_eq!(listed, [done]);
    let job = service.legacy().post("/v1/remix", &body).await.expect(202);
    assert_eq!((&job["id"], &job["task"]), (&job["job_id"], &json!("darker")));
}

#[tokio::test]
async fn rule_3_a_promptless_remix_completes_at_once_and_its_task_cannot_be_queried() {
    let service = Service::start();
    let canvas = canvas(&service.http, "Bread").await;
    let task = copy(&service.http, &json!({"canvas_id": canvas})).await;
    assert_eq!((&task["kind"], &task["status"]), (&json!("remix"), &json!("succeeded")));
    assert!(text(&task["id"]).starts_with("task_"));
    assert_eq!((&task["progress"]["percent"], &task["retry_after_ms"]), (&json!(100), &Value::Null));
    let result = &task["result"];
    assert_eq!((&result["source_canvas_id"], &result["canvas_name"]), (&json!(canvas), &json!("Bread (2)")));
    assert_ne!(result["canvas_id"], json!(canvas));
    let path = format!("/v1/tasks/{}", text(&task["id"]));
    service.http.get(&path).await.error(404, "not_found", "task_not_found");
    assert_eq!(list(&service.http.get("/v1/tasks?kind=remix").await).len(), 0);
    // The copy can be remixed in its turn.
    let again = copy(&service.http, &json!({"canvas_id": result["canvas_id"], "prompt": null})).await;
    assert_eq!(again["result"]["source_canvas_id"], result["canvas_id"]);

    let job = copy(&service.legacy(), &json!({"canvas_id": canvas})).await;
    assert_eq!(
        (&job["status"], &job["is_terminal"], &job["can_export"]),
        (&json!("succeeded"), &json!(true), &json!(true))
    );
    assert_eq!(job["id"], job["job_id"]);
}

#[tokio::test]
async fn a_promptless_remix_follows_the_brand_kit_that_is_named_and_no_other() {
    let service = Service::start();
    let http = &service.http;
    let body = json!({"prompt": "A poster about bread", "format": {"category": "social"}, "skip_brand_kit": true});
    let source = text(&finish(http, &start(http, &body).await).await["result"]["canvas_id"]);
    let picture = async |canvas: &str| {
        let done = http.post(&format!("/v1/canvases/{canvas}/export?format=svg"), &json!({})).await.expect(200);
        let answer = http.get_url(&text(&done["url"]), &[]).await;
        String::from_utf8(answer.body.to_vec()).expect("SVG").to_lowercase()
    };
    let before = picture(&source).await;
    // The first kit of a team is its default, and yet a copy that names none is exact.
    let kit = json!({"title": "Pink", "colors": [{"color": "#ff00aa", "label": "primary"}]});
    let kit = http.post("/v1/brand-kits", &kit).await.expect(201);
    let remix = async |more: Value| {
        let mut body = json!({"canvas_id": source});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        text(&copy(http, &body).await["result"]["canvas_id"])
    };
    for exact in [json!({}), json!({"skip_brand_kit": true})] {
        assert_eq!(picture(&remix(exact).await).await, before);
    }
    let pink = remix(json!({"brand_kit_id": kit["id"], "new_name": "Pink bread"})).await;
    let pages =
        async |canvas: &str| http.get(&format!("/v1/canvases/{canvas}/pages")).await.expect(200)["total_pages"].clone();
    assert_eq!(pages(&pink).await, pages(&source).await);
    assert!(!before.contains("#ff00aa") && picture(&pink).await.contains("#ff00aa"), "the kit's colour");
    let record = http.get(&format!("/v1/canvases/{pink}")).await.expect(200);
    assert_eq!((&record["name"], &record["source_canvas_id"]), (&json!("Pink bread"), &json!(source)));
    assert_eq!(picture(&source).await, before, "the source never changes");
    let both = json!({"canvas_id": source, "brand_kit_id": kit["id"], "skip_brand_kit": true});
    assert_eq!(http.post("/v1/remix", &both).await.invalid_fields(), ["brand_kit_id"]);
}

#[tokio::test]
async fn a_name_that_is_taken_gets_a_number() {
    let service = Service::start();
    let canvas = canvas(&service.http, "Bread").await;
    let named = async |body: Value| copy(&service.http, &body).await["result"]["canvas_name"].clone();
    assert_eq!(named(json!({"canvas_id": canvas, "new_name": "Rolls"})).await, "Rolls");
    assert_eq!(named(json!({"canvas_id": canvas, "new_name": "ROLLS"})).await, "ROLLS (2)");
    assert_eq!(named(json!({"canvas_id": canvas, "new_name": "rolls"})).await, "rolls (3)");
    assert_eq!(named(json!({"canvas_id": canvas})).await, "Bread (2)");
    assert_eq!(named(json!({"canvas_id": canvas})).await, "Bread (3)");
    assert_eq!(named(json!({"canvas_id": canvas, "new_name": "  two  blanks "})).await, "  two  blanks ");
    let body = json!({"canvas_id": canvas, "prompt": "darker", "new_name": "two  blanks"});
    let task = service.http.post("/v1/remix", &body).await.expect(202);
    assert_eq!(finish(&service.http, &task).await["result"]["canvas_name"], "two  blanks");
}

#[tokio::test]
async fn many_remixes_at_once_are_all_there_under_names_of_their_own() {
    let service = Service::start();
    let canvas = canvas(&service.http, "Bread").await;
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let (http, body) = (service.http.clone(), json!({"canvas_id": canvas}));
        asking.spawn(async move { text(&copy(&http, &body).await["result"]["canvas_name"]) });
    }
    let mut names = asking.join_all().await;
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 12, "{names:?}");
}

#[tokio::test]
async fn a_copy_lies_beside_its_source() {
    let service = Service::start();
    let http = &service.http;
    let (canvas, folder) = (canvas(http, "Bread").await, create_folder(http, "Bakery", None).await);
    http.post(&format!("/v1/drive/items/{canvas}/move"), &json!({"folder_id": folder})).await.is(200);
    let copied = copy(http, &json!({"canvas_id": canvas})).await["result"]["canvas_id"].clone();
    let prompted = http.post("/v1/remix", &json!({"canvas_id": canvas, "prompt": "darker"})).await.expect(202);
    let prompted = finish(http, &prompted).await["result"]["canvas_id"].clone();
    for id in [copied, prompted] {
        let item = http.patch(&format!("/v1/drive/items/{}", text(&id)), &json!({"name": text(&id)})).await.expect(200);
        assert_eq!(item["item"]["folder_id"], json!(folder));
    }
}

#[tokio::test]
async fn prompted_remixes_count_toward_the_cap_and_promptless_ones_do_not() {
    let service = Service::start();
    let canvas = canvas(&service.http, "Bread").await;
    let (folder, key) = (service.studio.data_dir.clone(), service.key.key.clone());
    let mut working = service;
    working.studio.stop();
    let idle = Studio::start(Options::new().data_dir(&folder).with("--workers", "0").with("--concurrent-tasks", "2"));
    let http = Http::new(&idle.base_url).with_key(&key).with_version(easel_tests::http::CANONICAL);
    let prompted = json!({"canvas_id": canvas, "prompt": "darker"});
    http.post("/v1/remix", &prompted).await.is(202);
    start(&http, &json!({"prompt": "A deck"})).await;
    let refused = http.post("/v1/remix", &prompted).await;
    refused.error(429, "rate_limited", "concurrent_task_limit");
    assert_eq!(refused.header("retry-after"), Some("30"));
    http.post("/v1/tasks", &json!({"prompt": "A deck"})).await.error(429, "rate_limited", "concurrent_task_limit");
    for _ in 0..3 {
        copy(&http, &json!({"canvas_id": canvas})).await;
    }
}

#[tokio::test]
async fn a_remix_that_is_wrong_is_refused_by_its_cause() {
    let service = Service::start();
    let http = &service.http;
    let canvas = canvas(http, "Bread").await;
    let check = async |body: Value, field: &str| {
        assert_eq!(http.post("/v1/remix", &body).await.invalid_fields(), [field], "{body}");
    };
    check(json!({}), "canvas_id").await;
    check(json!({"canvas_id": unused_id("task")}), "canvas_id").await;
    check(json!({"canvas_id": canvas, "prompt": ""}), "prompt").await;
    check(json!({"canvas_id": canvas, "prompt": "x".repeat(20_001)}), "prompt").await;
    check(json!({"canvas_id": canvas, "new_name": "a/b"}), "new_name").await;
    check(json!({"canvas_id": canvas, "new_name": "x".repeat(256)}), "new_name").await;
    check(json!({"canvas_id": canvas, "idempotency_key": "x"}), "idempotency_key").await;
    for prompt in [json!(null), json!("darker")] {
        let missing = json!({"canvas_id": unused_id("cvs"), "prompt": prompt});
        http.post("/v1/remix", &missing).await.error(404, "not_found", "canvas_not_found");
        let kit = json!({"canvas_id": canvas, "prompt": prompt, "brand_kit_id": unused_id("bk")});
        http.post("/v1/remix", &kit).await.error(404, "not_found", "brand_kit_not_found");
    }
    copy(http, &json!({"canvas_id": uuid_of(&canvas), "skip_brand_kit": true})).await;
}

#[tokio::test]
async fn a_copy_outlives_its_source() {
    let service = Service::start();
    let http = &service.http;
    let source = text(&design(http, "A deck about bread").await["result"]["canvas_id"]);
    let copied = text(&copy(http, &json!({"canvas_id": source})).await["result"]["canvas_id"]);
    http.delete(&format!("/v1/drive/items/{source}")).await.is(200);
    http.post("/v1/remix", &json!({"canvas_id": source})).await.error(404, "not_found", "canvas_not_found");
    let task = http.post("/v1/remix", &json!({"canvas_id": copied, "prompt": "darker"})).await.expect(202);
    assert_eq!(finish(http, &task).await["status"], "succeeded");
}

#[tokio::test]
async fn the_source_never_changes_and_a_promptless_copy_is_exact() {
    let service = Service::start();
    let http = &service.http;
    let source = canvas(http, "Bread").await;
    let look = async |id: &str| {
        let record = http.get(&format!("/v1/canvases/{id}")).await.expect(200);
        let pages = http.get(&format!("/v1/canvases/{id}/pages")).await.expect(200);
        (record, pages)
    };
    let without_signature = |record: &Value| {
        let mut record = record.clone();
        record.as_object_mut().expect("a record").remove("thumbnail_url");
        record
    };
    let before = look(&source).await;
    let copied = text(&copy(http, &json!({"canvas_id": source})).await["result"]["canvas_id"]);
    let prompted = http.post("/v1/remix", &json!({"canvas_id": source, "prompt": "darker"})).await.expect(202);
    let prompted = text(&finish(http, &prompted).await["result"]["canvas_id"]);
    let after = look(&source).await;
    assert_eq!((without_signature(&after.0), &after.1), (without_signature(&before.0), &before.1));
    for id in [&copied, &prompted] {
        assert_eq!(look(id).await.0["source_canvas_id"], json!(source), "lineage");
    }
    let copy = look(&copied).await;
    assert_eq!((&copy.1["pages"], &copy.0["category"]), (&before.1["pages"], &before.0["category"]));
    for size in ["width", "height", "page_count"] {
        assert_eq!(copy.0[size], before.0[size], "{size}");
    }
}
