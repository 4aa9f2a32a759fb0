//! Specification, "Events", "Signature", "Delivery and retry", "Delivery log and replay" and the webhook replay permission under
//! "Authentication"; contract, "Webhooks".

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use easel_tests::http::{Answer, Http};
use easel_tests::patience::wait_for;
use easel_tests::receiver::{Received, Receiver, Reply};
use easel_tests::studio::Options;
use easel_wire::Timestamp;
use easel_wire::webhooks::verify;
use serde_json::{Value, json};

use crate::service::{Service, list, text, unused_id, uuid_of};
use crate::tasks::{finish, start};

const PATIENCE: Duration = Duration::from_secs(60);

/// Callbacks may go to this machine, and nobody works on tasks: a task ends when it is canceled.
fn idle() -> Options {
    Options::new().flag("--allow-local-callbacks").with("--workers", "0")
}

/// Callbacks may go to this machine, and tasks are worked on.
fn working() -> Options {
    Options::new().flag("--allow-local-callbacks")
}

fn told_at(url: &str) -> Value {
    json!({"prompt": "A deck about tea", "callback_url": url})
}

/// Starts a task that tells its end there, and cancels it.
async fn cancel_one(http: &Http, url: &str) -> Value {
    let task = start(http, &told_at(url)).await;
    post(http, &format!("/v1/tasks/{}/cancel", text(&task["id"]))).await.expect(200)
}

async fn post(http: &Http, path: &str) -> Answer {
    http.json(http::Method::POST, path, "").await
}

/// Waits until the newest delivery has come to its end.
async fn settled(http: &Http) -> Value {
    wait_for("the end of a delivery", PATIENCE, async || {
        let deliveries = list(&http.get("/v1/webhook_deliveries").await);
        match deliveries.first() {
            Some(newest) if newest["status"] != "pending" => Ok(newest.clone()),
            other => Err(format!("{other:?}")),
        }
    })
    .await
}

async fn redeliver(http: &Http, delivery: &str) -> Answer {
    post(http, &format!("/v1/webhook_deliveries/{delivery}/redeliver")).await
}

#[track_caller]
fn assert_signed(received: &Received, secret: &str) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let (timestamp, signature) = (received.header("x-webhook-timestamp"), received.header("x-webhook-signature"));
    let verified = verify(secret, timestamp, signature, &received.body, i64::try_from(now).unwrap());
    assert_eq!(verified, Ok(()), "{timestamp} {signature}");
    let digits = signature.strip_prefix("v1=").expect("v1=");
    assert!(
        digits.len() == 64 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')),
        "{signature}"
    );
}

#[tokio::test]
async fn events_rule_1_and_5_the_end_of_a_task_is_told_signed_with_its_whole_record() {
    let receiver = Receiver::start(vec![Reply::status(204)]).await;
    let service = Service::start_with(working());
    // Webhooks stay canonical, whichever version started the task.
    let task = service.legacy().post("/v1/tasks", &told_at(&receiver.url("/hook?a=b"))).await.expect(202);
    let task = finish(&service.http, &task).await;
    assert_eq!(task["status"], "succeeded", "{task}");
    let received = receiver.wait_for(1, PATIENCE).await.remove(0);
    assert_eq!(received.request_line, "POST /hook?a=b HTTP/1.1");
    assert_eq!(received.header("content-type"), "application/json");
    assert!(received.headers.get("authorization").is_none());
    assert_signed(&received, &service.key.signing_secret);
    let event = received.event();
    let fields: BTreeSet<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["api_version", "created", "data", "id", "type"].into());
    assert!(text(&event["id"]).starts_with("evt_"));
    assert_eq!((&event["type"], &event["api_version"]), (&json!("task.succeeded"), &json!("2026-05-01")));
    assert_eq!(event["data"], task);
    let delivery = settled(&service.http).await;
    assert_eq!((&delivery["status"], &delivery["attempts"]), (&json!("succeeded"), &json!(1)));
    assert_eq!((&delivery["event_id"], &delivery["task_id"]), (&event["id"], &task["id"]));
}

#[tokio::test]
async fn events_rule_3_and_5_a_failure_says_whether_it_is_worth_another_try() {
    for (injected, retryable) in [("final", false), ("storage-full", true)] {
        let receiver = Receiver::start(vec![Reply::status(200)]).await;
        let service = Service::start_with(working().with("--inject", injected));
        start(&service.http, &told_at(&receiver.url("/"))).await;
        let event = receiver.wait_for(1, PATIENCE).await[0].event();
        assert_eq!(event["type"], "task.failed", "{injected}");
        assert_eq!(event["data"]["error"]["retryable"], retryable, "{injected}");
    }
}

#[tokio::test]
async fn events_rule_2_a_canceled_task_is_told_in_the_canonical_spelling() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let service = Service::start_with(idle());
    let task = cancel_one(&service.http, &receiver.url("/")).await;
    let event = receiver.wait_for(1, PATIENCE).await[0].event();
    assert_eq!((&event["type"], &event["data"]["status"]), (&json!("task.canceled"), &json!("canceled")));
    assert_eq!(event["data"]["id"], task["id"]);
}

#[tokio::test]
async fn events_rule_4_an_expired_task_is_told_to_nobody() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let service = Service::start_with(idle().with("--expire-tasks-after", "1"));
    let task = start(&service.http, &told_at(&receiver.url("/expires"))).await;
    assert_eq!(finish(&service.http, &task).await["status"], "expired");
    // What comes later arrives alone.
    cancel_one(&service.http, &receiver.url("/canceled")).await;
    let received = receiver.wait_for(1, PATIENCE).await;
    assert!(received[0].request_line.contains("/canceled"), "{received:?}");
    assert_eq!(list(&service.http.get("/v1/webhook_deliveries").await).len(), 1);
}

#[tokio::test]
async fn delivery_rules_1_and_2_a_failed_attempt_is_made_again_after_1_and_after_5_seconds() {
    let long = "x".repeat(3_000);
    let receiver =
        Receiver::start(vec![Reply::Status(500, long), Reply::Close, Reply::Status(201, "thanks".to_owned())]).await;
    let service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/")).await;
    let first = wait_for("the first attempt", PATIENCE, async || {
        let delivery = list(&service.http.get("/v1/webhook_deliveries").await).remove(0);
        if delivery["response_status_code"].is_null() { Err(delivery.to_string()) } else { Ok(delivery) }
    })
    .await;
    assert_eq!((&first["status"], &first["response_status_code"]), (&json!("pending"), &json!(500)));
    assert_eq!(text(&first["response_body_excerpt"]).len(), 2_048);

    let received = receiver.wait_for(3, PATIENCE).await;
    let gap = |from: usize| received[from + 1].at.duration_since(received[from].at);
    assert!(gap(0) >= Duration::from_millis(950) && gap(0) < Duration::from_secs(4), "{:?}", gap(0));
    assert!(gap(1) >= Duration::from_millis(4_950) && gap(1) < Duration::from_secs(9), "{:?}", gap(1));
    for again in &received {
        assert_eq!(again.body, received[0].body, "the same event, word for word");
        assert_signed(again, &service.key.signing_secret);
    }
    assert_ne!(received[0].header("x-webhook-timestamp"), received[2].header("x-webhook-timestamp"));

    let delivery = settled(&service.http).await;
    assert_eq!((&delivery["status"], &delivery["attempts"]), (&json!("succeeded"), &json!(3)));
    assert_eq!(delivery["response_body_excerpt"], "thanks");
    assert_eq!(delivery["request_body"], String::from_utf8(received[2].body.clone()).unwrap());
    assert_eq!(delivery["request_headers"]["x-webhook-signature"], received[2].header("x-webhook-signature"));
    let log = delivery["attempt_log"].as_array().unwrap();
    let seen: Vec<_> = log.iter().map(|one| (one["number"].clone(), one["response_status_code"].clone())).collect();
    assert_eq!(seen, [(json!(1), json!(500)), (json!(2), json!(null)), (json!(3), json!(201))]);
    assert!(log[0]["error"].is_string() && log[1]["error"].is_string() && log[2]["error"].is_null(), "{log:?}");
    assert!(log.iter().all(|one| one["started_at"].is_string() && one["duration_ms"].is_u64()), "{log:?}");
}

#[tokio::test]
async fn delivery_rule_3_after_the_third_failure_a_delivery_is_dropped_and_its_task_stays_as_it_is() {
    let receiver = Receiver::start(vec![Reply::status(503)]).await;
    let service = Service::start_with(idle());
    let task = cancel_one(&service.http, &receiver.url("/")).await;
    let delivery = settled(&service.http).await;
    assert_eq!((&delivery["status"], &delivery["attempts"]), (&json!("failed"), &json!(3)));
    assert_eq!(receiver.received().len(), 3);
    let path = format!("/v1/tasks/{}", text(&task["id"]));
    assert_eq!(service.http.get(&path).await.expect(200)["status"], "canceled");
}

#[tokio::test]
async fn delivery_rule_2_a_receiver_that_does_not_respond_within_30_seconds_has_failed() {
    let receiver = Receiver::start(vec![Reply::Silence, Reply::status(200)]).await;
    let service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/")).await;
    let received = receiver.wait_for(2, PATIENCE).await;
    let gap = received[1].at.duration_since(received[0].at);
    // Its own clock may notice a request late; the service's, below, tells how long it waited.
    assert!(gap >= Duration::from_secs(30), "{gap:?}");
    let delivery = settled(&service.http).await;
    let log = &delivery["attempt_log"];
    assert!(text(&log[0]["error"]).contains("30 s"), "{log}");
    assert!(log[0]["duration_ms"].as_u64().unwrap() >= 30_000, "{log}");
    assert_eq!(delivery["status"], "succeeded");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Receiver::start(vec![Reply::status(200)]).await;
    let receiver = Receiver::start(vec![Reply::Redirect(elsewhere.url("/stolen")), Reply::status(200)]).await;
    let service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/")).await;
    let delivery = settled(&service.http).await;
    assert_eq!(delivery["attempt_log"][0]["response_status_code"], 307);
    assert_eq!((&delivery["attempts"], elsewhere.received().len()), (&json!(2), 0));
}

#[tokio::test]
async fn a_callback_goes_to_an_address_that_everyone_can_reach_and_to_no_other() {
    let check = async |http: &Http, url: &str, allowed: bool| {
        let answer = http.post("/v1/tasks", &told_at(url)).await;
        if allowed {
            assert_eq!(answer.status, 202, "{url}: {answer:?}");
        } else {
            let error = answer.error(422, "unprocessable", "callback_url_not_allowed");
            assert!(error["message"].is_string(), "{url}");
        }
    };
    let open = Service::start_with(Options::new().with("--workers", "0").with("--concurrent-tasks", "0"));
    let local = Service::start_with(idle().with("--concurrent-tasks", "0"));
    // A name that does not resolve yet is accepted.
    check(&open.http, "https://hooks.example.invalid/x", true).await;
    check(&open.http, "https://8.8.8.8/x", true).await;
    for url in
        ["http://127.0.0.1:9/", "http://localhost:9/", "https://localhost/", "http://[::1]:9/", "http://127.1:9/"]
    {
        check(&open.http, url, false).await;
        check(&local.http, url, true).await;
    }
    for url in [
        "http://hooks.example.invalid/",
        "ftp://8.8.8.8/",
        "http://8.8.8.8/",
        "https://10.0.0.1/",
        "https://172.16.0.1/",
        "https://192.168.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://2852039166/",
        "https://0xa9fea9fe/",
        "https://0.0.0.0/",
        "https://100.64.0.1/",
        "https://[fe80::1]/",
        "https://[fd00:ec2::254]/",
        "https://[::ffff:169.254.169.254]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[::]/",
    ] {
        check(&open.http, url, false).await;
        check(&local.http, url, false).await;
    }
    for wrong in ["/relative", "hooks.example", "https://", ""] {
        let answer = open.http.post("/v1/tasks", &told_at(wrong)).await;
        assert_eq!(answer.invalid_fields(), ["callback_url"], "{wrong}");
    }
}

#[tokio::test]
async fn an_address_is_judged_again_at_every_connect() {
    // The studio that stored it allowed callbacks to this machine; the one that delivers does not.
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::start(vec![Reply::Silence]).await;
    let mut first = Service::start_with(idle().data_dir(folder.path()));
    cancel_one(&first.http, &receiver.url("/")).await;
    receiver.wait_for(1, PATIENCE).await;
    first.studio.kill();
    let second = Service::start_with(Options::new().data_dir(folder.path()));
    let delivery = settled(&second.http).await;
    assert_eq!((&delivery["status"], receiver.received().len()), (&json!("failed"), 1));
    assert!(text(&delivery["attempt_log"][1]["error"]).contains("everyone can reach"), "{delivery}");
}

#[tokio::test]
async fn a_delivery_survives_a_kill_with_the_same_event() {
    let receiver = Receiver::start(vec![Reply::Silence, Reply::status(200)]).await;
    let mut service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/")).await;
    receiver.wait_for(1, PATIENCE).await;
    service.studio.kill();
    service.studio.restart();
    let received = receiver.wait_for(2, PATIENCE).await;
    assert_eq!(received[0].body, received[1].body);
    let delivery = settled(&service.http).await;
    assert_eq!((&delivery["status"], &delivery["attempts"]), (&json!("succeeded"), &json!(2)));
    assert!(delivery["attempt_log"][0]["error"].is_string(), "{delivery}");
}

#[tokio::test]
async fn log_rule_3_a_replay_sends_the_same_event_again_as_a_delivery_of_its_own() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/")).await;
    let original = settled(&service.http).await;
    let id = text(&original["id"]);
    let replay = redeliver(&service.http, &id).await.expect(202);
    assert_eq!((&replay["status"], &replay["replayed_from_id"]), (&json!("pending"), &original["id"]));
    assert_ne!(replay["id"], original["id"]);
    // It begins anew: what came of the original is not its own.
    assert_eq!((&replay["attempts"], &replay["attempt_log"]), (&json!(0), &json!([])));
    for field in ["request_headers", "response_status_code", "response_body_excerpt", "last_attempted_at"] {
        assert!(replay[field].is_null() && !original[field].is_null(), "{field}: {}", replay[field]);
    }
    let made_at = |delivery: &Value| text(&delivery["created_at"]).parse::<Timestamp>().unwrap();
    assert!(made_at(&replay) > made_at(&original));
    let received = receiver.wait_for(2, PATIENCE).await;
    assert_eq!(received[0].body, received[1].body);
    assert_signed(&received[1], &service.key.signing_secret);
    let replay = settled(&service.http).await;
    assert_eq!((&replay["status"], &replay["event_id"]), (&json!("succeeded"), &original["event_id"]));
    assert_eq!(
        service.http.get(&format!("/v1/webhook_deliveries/{id}")).await.expect(200),
        original,
        "it stays as it was"
    );
}

#[tokio::test]
async fn identifiers_rule_4_a_replay_takes_the_whd_id_and_no_other_form() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/")).await;
    let id = text(&settled(&service.http).await["id"]);
    let uuid = uuid_of(&id).to_string();
    for wrong in [uuid.clone(), uuid.replace('-', ""), id.replace("whd_", "task_"), unused_id("whd"), "x".to_owned()] {
        redeliver(&service.http, &wrong).await.error(404, "not_found", "delivery_not_found");
    }
    redeliver(&service.http, &id.to_lowercase()).await.is(202);
    // The log itself takes either form.
    service.http.get(&format!("/v1/webhook_deliveries/{uuid}")).await.is(200);
}

#[tokio::test]
async fn replay_permission_is_the_key_makers_an_admins_and_the_owners() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let service = Service::start_with(idle());
    let studio = &service.studio;
    let key_of = |email: &str| studio.create_key_for("key", email);
    for (email, role) in [("ada@example.test", "member"), ("ben@example.test", "member"), ("cat@example.test", "admin")]
    {
        studio.add_user(email, role);
    }
    let (sent_by, adas) = (key_of("ada@example.test"), key_of("ada@example.test"));
    let http = |key: &str| service.http.with_key(key);
    let (ada, ben, cat) =
        (http(&adas.key), http(&key_of("ben@example.test").key), http(&key_of("cat@example.test").key));
    cancel_one(&http(&sent_by.key), &receiver.url("/")).await;
    let id = text(&settled(&service.http).await["id"]);

    // Who sees it: a member what their own keys sent, an admin and an owner what the team's did.
    let path = format!("/v1/webhook_deliveries/{id}");
    for (reader, sees) in [(&ada, true), (&ben, false), (&cat, true), (&service.http, true)] {
        assert_eq!(list(&reader.get("/v1/webhook_deliveries").await).len(), usize::from(sees));
        assert_eq!(reader.get(&path).await.status, if sees { 200 } else { 404 });
    }
    for allowed in [&ada, &cat, &service.http] {
        redeliver(allowed, &id).await.is(202);
    }
    redeliver(&ben, &id).await.error(403, "permission", "replay_not_permitted");

    // With its key deleted, only admins may; its secret still signs.
    studio.delete_key(&sent_by.id);
    redeliver(&ada, &id).await.error(403, "permission", "replay_not_permitted");
    let before = receiver.wait_for(4, PATIENCE).await.len();
    redeliver(&cat, &id).await.is(202);
    redeliver(&service.http, &id).await.is(202);
    for received in receiver.wait_for(before + 2, PATIENCE).await {
        assert_signed(&received, &sent_by.signing_secret);
    }
}

#[tokio::test]
async fn the_log_is_filtered_and_paged() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let service = Service::start_with(idle());
    let other = service.studio.create_key("other");
    let other_http = service.http.with_key(&other.key);
    for path in ["/1", "/2"] {
        cancel_one(&service.http, &receiver.url(path)).await;
    }
    cancel_one(&other_http, &receiver.url("/3")).await;
    receiver.wait_for(3, PATIENCE).await;
    wait_for("all deliveries", PATIENCE, async || {
        match list(&service.http.get("/v1/webhook_deliveries?status=succeeded").await).len() {
            3 => Ok(()),
            count => Err(count),
        }
    })
    .await;
    let all = list(&service.http.get("/v1/webhook_deliveries").await);
    let targets: Vec<String> =
        all.iter().map(|one| text(&one["target_url"]).rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(targets, ["3", "2", "1"], "the newest first");
    let count = async |query: &str| list(&service.http.get(&format!("/v1/webhook_deliveries?{query}")).await).len();
    assert_eq!(count(&format!("api_key_id={}", other.id)).await, 1);
    assert_eq!(count(&format!("api_key_id={}", uuid_of(&service.key.id))).await, 2);
    assert_eq!(count("event_type=task.canceled").await, 3);
    assert_eq!(count("event_type=export.failed").await, 0);
    assert_eq!(count("status=failed").await, 0);
    let second = text(&all[1]["created_at"]).replace('+', "%2B");
    assert_eq!(count(&format!("from={second}")).await, 2);
    assert_eq!(count(&format!("to={second}")).await, 1);
    for (query, field) in [
        ("status=lost", "status"),
        ("event_type=task.cancelled", "event_type"),
        ("api_key_id=cvs_01KAAAAAAA7AAAAAAAAAAAAAAA", "api_key_id"),
        ("from=yesterday", "from"),
        ("limit=201", "limit"),
    ] {
        let answer = service.http.get(&format!("/v1/webhook_deliveries?{query}")).await;
        assert_eq!(answer.invalid_fields(), [field], "{query}");
    }
    let first = service.http.get("/v1/webhook_deliveries?limit=2").await.expect(200);
    let cursor = text(&first["next_cursor"]);
    let rest = service.http.get(&format!("/v1/webhook_deliveries?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["next_cursor"]), (1, &json!(null)));
    let whole = service.http.get("/v1/webhook_deliveries?limit=3").await.expect(200);
    assert_eq!((&whole["has_more"], &whole["next_cursor"]), (&json!(false), &json!(null)), "nothing follows the last");
    let other_list = service.http.get(&format!("/v1/webhook_deliveries?status=succeeded&cursor={cursor}")).await;
    other_list.error(400, "invalid_request", "invalid_request");
    let page = service.legacy().get("/v1/webhook_deliveries?offset=2").await.expect(200);
    assert_eq!(
        (page["deliveries"].as_array().unwrap().len(), &page["total"], &page["limit"]),
        (1, &json!(3), &json!(50))
    );
}

#[tokio::test]
async fn a_delivery_record_has_every_field_of_the_contract() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/")).await;
    let delivery = settled(&service.http).await;
    let expected: BTreeSet<&str> = [
        "id",
        "event_id",
        "event_type",
        "target_url",
        "status",
        "attempts",
        "response_status_code",
        "response_body_excerpt",
        "request_headers",
        "request_body",
        "created_at",
        "last_attempted_at",
        "task_id",
        "api_key_id",
        "replayed_from_id",
        "attempt_log",
    ]
    .into();
    let found: BTreeSet<&str> = delivery.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(found, expected);
    assert!(text(&delivery["id"]).starts_with("whd_"));
    assert_eq!(delivery["api_key_id"], service.key.id);
    let attempt: BTreeSet<&str> = delivery["attempt_log"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(attempt, ["number", "started_at", "duration_ms", "response_status_code", "error"].into());
}

#[tokio::test]
async fn neither_the_secret_nor_the_address_is_in_the_log_of_the_process() {
    let receiver = Receiver::start(vec![Reply::status(500), Reply::status(200)]).await;
    let service = Service::start_with(idle());
    cancel_one(&service.http, &receiver.url("/?token=hush-hush")).await;
    settled(&service.http).await;
    let log = service.studio.log();
    assert!(log.contains("webhook"), "{log}");
    for secret in [&service.key.signing_secret["whsec_".len()..], "hush-hush", &service.key.key] {
        assert!(!log.contains(secret));
    }
}

#[tokio::test]
async fn a_receiver_that_does_not_answer_holds_up_no_other() {
    let slow = Receiver::start(vec![Reply::Silence]).await;
    let quick = Receiver::start(vec![Reply::status(204)]).await;
    let service = Service::start_with(idle());
    for _ in 0..150 {
        cancel_one(&service.http, &slow.url("/hook")).await;
    }
    // With the same key, and with another's.
    cancel_one(&service.http, &quick.url("/own")).await;
    cancel_one(&service.member("other@example.test"), &quick.url("/other")).await;
    quick.wait_for(2, PATIENCE).await;
    let waiting = slow.received().len();
    assert!((1..=16).contains(&waiting), "{waiting} were sent to the slow one before the others got theirs");
}

#[tokio::test]
async fn the_body_of_a_delivery_is_read_by_whoever_may_read_its_task() {
    let receiver = Receiver::start(vec![Reply::status(204)]).await;
    let service = Service::start_with(working());
    let ada = service.member("ada@example.test");
    let task = start(&ada, &told_at(&receiver.url("/hook"))).await;
    let done = finish(&ada, &task).await;
    let delivery = settled(&ada).await;
    let path = format!("/v1/webhook_deliveries/{}", text(&delivery["id"]));
    assert!(text(&service.http.get(&path).await.expect(200)["request_body"]).contains("A deck about tea"));
    let canvas = format!("/v1/drive/items/{}", text(&done["result"]["canvas_id"]));
    ada.patch(&canvas, &json!({"visibility": "private"})).await.is(200);
    // The owner reads the log of the team, and not what is private in it.
    service.http.get(&format!("/v1/tasks/{}", text(&task["id"]))).await.is(404);
    for hidden in [
        service.http.get(&path).await.expect(200),
        list(&service.http.get("/v1/webhook_deliveries").await)[0].clone(),
        redeliver(&service.http, &text(&delivery["id"])).await.expect(202),
    ] {
        assert_eq!((&hidden["request_body"], &hidden["task_id"]), (&Value::Null, &task["id"]), "{hidden}");
    }
    assert!(text(&ada.get(&path).await.expect(200)["request_body"]).contains("A deck about tea"));
}

#[tokio::test]
async fn a_strangers_slow_callbacks_to_the_same_host_hold_up_nobody() {
    let shared = Receiver::start(vec![Reply::Silence]).await;
    let service = Service::start_with(idle());
    let stranger = service.stranger("stranger@example.test");
    for _ in 0..150 {
        cancel_one(&stranger, &shared.url("/strangers")).await;
    }
    cancel_one(&service.http, &shared.url("/own")).await;
    // The stranger's are given up after 30 seconds, before which this would not come.
    let received = wait_for("the own one", Duration::from_secs(20), async || {
        let received = shared.received();
        let own = received.iter().any(|received| received.request_line.contains("/own"));
        if own { Ok(received) } else { Err(format!("{} of the stranger's", received.len())) }
    })
    .await;
    assert!(received.len() <= 17, "{} came before the own one", received.len());
}

#[tokio::test]
async fn callbacks_of_many_keys_to_many_ports_leave_room_for_another_organization() {
    let mut slow = Vec::new();
    for _ in 0..16 {
        slow.push(Receiver::start(vec![Reply::Silence]).await);
    }
    let quick = Receiver::start(vec![Reply::status(204)]).await;
    let service = Service::start_with(idle());
    service.studio.add_organization("strangers", "stranger@example.test");
    for ports in slow.chunks(4) {
        let key = service.studio.create_key_for("a stranger's", "stranger@example.test");
        let stranger = service.anonymous().with_key(&key.key).with_version("2026-05-01");
        for receiver in ports {
            for _ in 0..8 {
                cancel_one(&stranger, &receiver.url("/slow")).await;
            }
        }
    }
    wait_for("slow ones under way", PATIENCE, async || {
        let under_way: usize = slow.iter().map(|receiver| receiver.received().len()).sum();
        if under_way >= 40 { Ok(()) } else { Err(under_way) }
    })
    .await;
    cancel_one(&service.http, &quick.url("/own")).await;
    quick.wait_for(1, Duration::from_secs(15)).await;
}
