//! What a process worked on when it was killed, or stood still for too long: it is done, soon and once.

use std::time::{Duration, Instant};

use easel_tests::http::{CANONICAL, Http};
use easel_tests::patience::wait_for;
use easel_tests::process::{hold_still, let_go, list_children, read_arguments};
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::studio::{Options, Studio};
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::backups::result;

const PATIENCE: Duration = Duration::from_secs(120);
/// A lease that nobody ends is over after so long: whoever waits for it would be late.
const LEASE: Duration = Duration::from_secs(30);

fn client(studio: &Studio, key: &str) -> Http {
    Http::new(&studio.base_url).with_key(key).with_version(CANONICAL)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// Waits until what is asked for at `path` is so.
async fn until(http: &Http, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    wait_for(path, PATIENCE, async || {
        let found = http.get(path).await.expect(200);
        if is_so(&found) { Ok(found) } else { Err(found.to_string()) }
    })
    .await
}

async fn start_task(http: &Http, body: Value) -> String {
    format!("/v1/tasks/{}", text(&http.post("/v1/tasks", &body).await.expect(202)["id"]))
}

fn has_ended(task: &Value) -> bool {
    !matches!(task["status"].as_str(), Some("queued" | "running"))
}

/// Holds the two processes still that wait to draw: whatever they are given goes on until they end.
async fn hold_drawers(studio: &Studio) {
    let found = wait_for("processes that draw", PATIENCE, async || {
        let children = list_children(studio.pid()).into_iter();
        let found: Vec<u32> =
            children.filter(|child| read_arguments(*child).get(1).is_some_and(|word| word == "draw")).collect();
        if found.len() == 2 { Ok(found) } else { Err(format!("{found:?}")) }
    })
    .await;
    found.into_iter().for_each(hold_still);
}

/// What a counter of the operator's says; 0 where it was never counted.
async fn count(studio: &Studio, name: &str) -> u64 {
    let counters = Http::new(&studio.operator_url).get("/metrics").await;
    let counters = String::from_utf8_lossy(&counters.body).into_owned();
    let line = counters.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(0, |value| value.trim().parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_process_worked_on_when_it_was_killed_goes_on_at_once_in_the_next() {
    let receiver = Receiver::start(vec![Reply::status(200), Reply::Silence, Reply::status(200)]).await;
    let mut studio = Studio::start(Options::new().flag("--allow-local-callbacks"));
    let http = client(&studio, &studio.create_key("kill").key);
    let told = json!({"prompt": "A card", "callback_url": receiver.url("/")});
    let made = start_task(&http, told.clone()).await;
    let canvas = text(&until(&http, &made, has_ended).await["result"]["canvas_id"]);
    receiver.wait_for(1, PATIENCE).await;
    // A delivery that nobody answers, and then a task and an export whose processes stand still.
    let unanswered = start_task(&http, told).await;
    until(&http, &unanswered, has_ended).await;
    receiver.wait_for(2, PATIENCE).await;
    hold_drawers(&studio).await;
    let task = start_task(&http, json!({"prompt": "A deck"})).await;
    until(&http, &task, |task| task["status"] == "running").await;
    let export = format!("/v1/canvases/{canvas}/export?format=pdf&wait=false");
    let export = http.json(http::Method::POST, &export, "").await.expect(200);
    let export = format!("/v1/canvases/{canvas}/export-status?task_id={}", text(&export["task_id"]));
    until(&http, &export, |export| export["status"] == "running").await;

    studio.kill();
    let killed = Instant::now();
    studio.restart();
    let begun = until(&http, &task, |task| task["attempt"] == 2).await;
    receiver.wait_for(3, PATIENCE).await;
    let exported = until(&http, &export, |export| export["is_terminal"] == true).await;
    let took = killed.elapsed();
    assert!(took < LEASE, "{took:?}: nobody waits for a lease of a process that is gone");
    assert_eq!(exported["status"], "completed", "{exported}");
    let done = until(&http, &task, has_ended).await;
    assert_eq!((&done["status"], &done["attempt"]), (&json!("succeeded"), &begun["attempt"]), "{done}");
    let canvases = http.get("/v1/canvases").await.expect(200);
    assert_eq!(canvases["data"].as_array().map(Vec::len), Some(3), "{canvases}");
    println!("all three went on within {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_stood_still_for_longer_than_its_lease_does_nothing_twice() {
    let receiver = Receiver::start(vec![Reply::status(200)]).await;
    let shared = |pause: &str| {
        Options::new().flag("--allow-local-callbacks").with("--beside-others", "4").with("--inject", pause)
    };
    let mut one = Studio::start(shared("pause=3000"));
    let key = one.create_key("still").key;
    let http = client(&one, &key);
    let task = start_task(&http, json!({"prompt": "A deck", "callback_url": receiver.url("/")})).await;
    until(&http, &task, |task| task["status"] == "running").await;
    one.signal(Signal::SIGSTOP);
    let mut other = Studio::start(shared("pause=0").data_dir(&one.data_dir));
    let done = until(&client(&other, &key), &task, has_ended).await;
    assert_eq!((&done["status"], &done["attempt"]), (&json!("succeeded"), &json!(2)), "{done}");
    receiver.wait_for(1, PATIENCE).await;
    let_go(one.pid());
    wait_for("the lease to be found lost", PATIENCE, async || {
        let lost = count(&one, "easel_leases_lost_total{work=\"task\"}").await;
        if lost == 1 { Ok(()) } else { Err(lost) }
    })
    .await;
    for studio in [&one, &other] {
        let http = client(studio, &key);
        let now = http.get(&task).await.expect(200);
        assert_eq!((&now["attempt"], &now["result"]["canvas_id"]), (&done["attempt"], &done["result"]["canvas_id"]));
        for path in ["/v1/canvases", "/v1/webhook_deliveries"] {
            let found = http.get(path).await.expect(200);
            assert_eq!(found["data"].as_array().map(Vec::len), Some(1), "{path}: {found}");
        }
    }
    assert_eq!(count(&other, "easel_leases_lost_total{work=\"task\"}").await, 0);
    // Both go on with what comes next.
    let next = start_task(&http, json!({"prompt": "A card"})).await;
    assert_eq!(until(&http, &next, has_ended).await["status"], "succeeded");
    assert_eq!(receiver.received().len(), 1);
    assert!(one.stop().success() && other.stop().success());
    let found = result(&one.command(&["verify", "--json"]), 0);
    assert_eq!(found["findings"], 0, "{found}");
}
