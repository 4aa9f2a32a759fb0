//! Specification, "Limits": overrides of an organization's request rate, export rate and concurrent-task cap.

use easel_tests::http::Http;
use easel_tests::studio::Options;
use serde_json::{Value, json};

use crate::service::{Service, text, unused_id};

/// Sets limits beside the running service, and returns what the command printed.
fn set(service: &Service, arguments: &[&str]) -> Value {
    let output = service.studio.command(&[&["limits", "set"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one line of JSON")
}

async fn entitlements(http: &Http) -> Value {
    http.get("/v1/whoami").await.expect(200)["entitlements"].clone()
}

#[tokio::test]
async fn an_override_holds_from_the_next_request_on_and_over_a_restart() {
    let mut service = Service::start_with(Options::new().own_rate());
    let usual = json!({"requests_per_minute": 120, "exports_per_minute": 25, "concurrency_cap": 10});
    assert_eq!(entitlements(&service.http).await, usual);
    let arguments = ["--requests-per-minute", "600", "--exports-per-minute", "50", "--concurrent-tasks", "20"];
    let printed = set(&service, &arguments);
    let organization = service.http.get("/v1/whoami").await.expect(200)["organization"]["id"].clone();
    let own = json!({"requests_per_minute": 600, "exports_per_minute": 50, "concurrent_tasks": 20});
    assert_eq!(printed["organization_id"], organization);
    assert_eq!(own.as_object().unwrap().iter().find(|(name, limit)| printed[*name] != **limit), None, "{printed}");
    let raised = json!({"requests_per_minute": 600, "exports_per_minute": 50, "concurrency_cap": 20});
    assert_eq!(entitlements(&service.http).await, raised);
    service.studio.stop();
    service.studio.restart();
    assert_eq!(entitlements(&service.http).await, raised);
    let defaults =
        ["--requests-per-minute", "default", "--exports-per-minute", "default", "--concurrent-tasks", "default"];
    set(&service, &[&["--organization", &text(&organization)], &defaults[..]].concat());
    assert_eq!(entitlements(&service.http).await, usual);
}

#[tokio::test]
async fn the_request_rate_of_an_organization_is_enforced() {
    let service = Service::start_with(Options::new().requests_per_minute(2));
    for _ in 0..2 {
        service.http.get("/v1/whoami").await.is(200);
    }
    service.http.get("/v1/whoami").await.error(429, "rate_limited", "rate_limited");
    set(&service, &["--requests-per-minute", "4"]);
    for _ in 0..2 {
        service.http.get("/v1/whoami").await.is(200);
    }
    service.http.get("/v1/whoami").await.error(429, "rate_limited", "rate_limited");
    set(&service, &["--requests-per-minute", "0"]);
    for _ in 0..10 {
        service.http.get("/v1/whoami").await.is(200);
    }
}

#[tokio::test]
async fn the_cap_on_tasks_of_an_organization_is_enforced() {
    let service = Service::start_with(Options::new().with("--workers", "0").with("--concurrent-tasks", "1"));
    let start = || async { service.http.post("/v1/tasks", &json!({"prompt": "A deck"})).await };
    start().await.is(202);
    start().await.error(429, "rate_limited", "concurrent_task_limit");
    set(&service, &["--concurrent-tasks", "2"]);
    start().await.is(202);
    let refused = start().await;
    refused.error(429, "rate_limited", "concurrent_task_limit");
    assert_eq!(refused.header("retry-after"), Some("30"));
}

#[tokio::test]
async fn the_export_rate_of_an_organization_is_enforced_and_named() {
    let service = Service::start_with(Options::new().with("--exports-per-minute", "1"));
    let body = json!({"prompt": "A deck about tea"});
    let task = service.http.with_header("prefer", "wait=30").post("/v1/tasks", &body).await.expect(202);
    let path = format!("/v1/canvases/{}/export?format=svg", text(&task["result"]["canvas_id"]));
    let export = || async { service.http.json(http::Method::POST, &path, "").await };
    export().await.is(200);
    let error = export().await.error(429, "rate_limited", "export_rate_limited");
    assert!(text(&error["message"]).contains('1'), "{error}");
    set(&service, &["--exports-per-minute", "3"]);
    export().await.is(200);
    export().await.is(200);
    let refused = export().await;
    let error = refused.error(429, "rate_limited", "export_rate_limited");
    assert!(text(&error["message"]).contains('3'), "{error}");
    assert_eq!(refused.header("retry-after"), Some("60"));
}

#[test]
fn what_cannot_be_set_is_said_and_changes_nothing() {
    let service = Service::start();
    let nobody = unused_id("org");
    let wrong: &[&[&str]] = &[
        &["--requests-per-minute", "many"],
        &["--requests-per-minute", "-1"],
        &["--organization", &nobody, "--requests-per-minute", "5"],
        &["--organization", "team_01KAAAAAAA7AAAAAAAAAAAAAAA", "--requests-per-minute", "5"],
    ];
    for arguments in wrong {
        let output = service.studio.command(&[&["limits", "set"], *arguments].concat());
        assert!(!output.status.success() && output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(set(&service, &[])["requests_per_minute"], Value::Null);
}
