//! The processes that draw, as the system sees them: in a cage, ended with the service, and what becomes of a task whose process
//! ends.

use std::fs;
use std::time::Duration;

use easel_tests::http::Form;
use easel_tests::patience::wait_for;
use easel_tests::process::{hold_still, is_running, let_go, list_children, read_arguments, wait_for_end};
use easel_tests::studio::Options;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::service::{Service, text};
use crate::tasks::{design, finish, start};

const PATIENCE: Duration = Duration::from_secs(60);

/// The processes that wait ready, or draw.
fn drawers(service: &Service) -> Vec<u32> {
    let children = list_children(service.studio.pid()).into_iter();
    children.filter(|child| read_arguments(*child).get(1).is_some_and(|word| word == "draw")).collect()
}

/// Waits until some wait ready, and holds them still, so that whatever they draw goes on until they are ended.
async fn hold_drawers(service: &Service) -> Vec<u32> {
    let held = wait_for("processes that draw", PATIENCE, async || {
        let mut found = drawers(service);
        found.sort_unstable();
        if found.len() >= 2 { Ok(found) } else { Err(format!("{found:?}")) }
    })
    .await;
    held.iter().for_each(|pid| hold_still(*pid));
    held
}

async fn wait_until_running(service: &Service, task: &Value) {
    let path = format!("/v1/tasks/{}", text(&task["id"]));
    wait_for("a task that runs", PATIENCE, async || {
        let task = service.http.get(&path).await.expect(200);
        if task["status"] == "running" { Ok(()) } else { Err(task.to_string()) }
    })
    .await;
}

fn signal(pids: &[u32], signal: Signal) {
    for pid in pids {
        kill(Pid::from_raw(i32::try_from(*pid).expect("a process id")), signal).expect("it is there");
    }
}

#[tokio::test]
async fn a_process_that_draws_is_in_a_cage_before_it_hears_anything() {
    let service = Service::start_with(Options::new());
    let pid = wait_for("a process that draws", PATIENCE, async || {
        let caged = drawers(&service).into_iter().find(|pid| {
            fs::read_to_string(format!("/proc/{pid}/status")).is_ok_and(|status| status.contains("Seccomp:\t2"))
        });
        caged.ok_or("none yet")
    })
    .await;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap();
    let limit = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {limits}"));
        line[name.len()..].split_whitespace().next().unwrap_or_default().to_owned()
    };
    assert_eq!(limit("Max data size"), (1_u64 << 30).to_string());
    assert_eq!(
        (limit("Max open files"), limit("Max file size"), limit("Max core file size")),
        ("3".into(), "0".into(), "0".into())
    );
    assert_ne!(limit("Max address space"), "unlimited");
    assert_eq!(fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count(), 3);
    let environment = fs::read_to_string(format!("/proc/{pid}/environ")).unwrap();
    // Where its libraries are, it has to know.
    let mut told = environment.split('\0').filter(|entry| !entry.is_empty() && !entry.starts_with("LD_LIBRARY_PATH="));
    assert_eq!(told.next(), None, "it knows nothing of its surroundings");
}

#[tokio::test]
async fn a_task_whose_process_was_killed_fails_for_good_with_words_and_takes_no_other_with_it() {
    let mut service = Service::start_with(Options::new());
    let held = hold_drawers(&service).await;
    let task = start(&service.http, &json!({"prompt": "A card"})).await;
    wait_until_running(&service, &task).await;
    let other = start(&service.http, &json!({"prompt": "A poster"})).await;
    wait_until_running(&service, &other).await;
    // Both have one of them by now, or will find it gone.
    tokio::time::sleep(Duration::from_secs(1)).await;
    signal(&held, Signal::SIGKILL);
    for task in [task, other] {
        let ended = finish(&service.http, &task).await;
        assert_eq!((&ended["status"], &ended["attempt"]), (&json!("failed"), &json!(1)), "{ended}");
        assert_eq!(ended["error"]["retryable"], json!(false));
        assert!(text(&ended["error"]["message"]).contains("broke down"), "{ended}");
    }
    // It is not tried again at a restart either, and the next one is none the worse.
    service.studio.kill();
    service.studio.restart();
    assert_eq!(design(&service.http, "A deck").await["status"], "succeeded");
}

#[tokio::test]
async fn a_task_whose_process_was_stopped_from_outside_is_tried_again() {
    let service = Service::start_with(Options::new());
    let held = hold_drawers(&service).await;
    let task = start(&service.http, &json!({"prompt": "A card"})).await;
    wait_until_running(&service, &task).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    signal(&held, Signal::SIGTERM);
    held.iter().for_each(|pid| let_go(*pid));
    let ended = finish(&service.http, &task).await;
    assert_eq!((&ended["status"], &ended["attempt"]), (&json!("succeeded"), &json!(2)), "{ended}");
}

#[tokio::test]
async fn processes_that_draw_end_with_the_service_however_it_ends() {
    let mut service = Service::start_with(Options::new());
    for is_killed in [false, true] {
        let ready = wait_for("processes that draw", PATIENCE, async || {
            let found = drawers(&service);
            if found.len() >= 2 { Ok(found) } else { Err(format!("{found:?}")) }
        })
        .await;
        if is_killed {
            service.studio.kill();
        } else {
            service.studio.stop();
        }
        for pid in &ready {
            wait_for_end(*pid, Duration::from_secs(10));
            assert!(!is_running(*pid));
        }
        service.studio.restart();
    }
}

#[tokio::test]
async fn a_task_that_is_canceled_ends_the_process_that_draws_it() {
    let service = Service::start_with(Options::new());
    let held = hold_drawers(&service).await;
    let task = start(&service.http, &json!({"prompt": "A card"})).await;
    wait_until_running(&service, &task).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let path = format!("/v1/tasks/{}/cancel", text(&task["id"]));
    service.http.json(http::Method::POST, &path, "").await.is(200);
    assert_eq!(finish(&service.http, &task).await["status"], "canceled");
    wait_for("one of them to end", PATIENCE, async || {
        let left = held.iter().filter(|pid| is_running(**pid)).count();
        if left < held.len() { Ok(()) } else { Err(left) }
    })
    .await;
}

#[tokio::test]
async fn a_logo_is_left_out_of_nobody_elses_design_because_a_process_was_killed() {
    let service = Service::start_with(Options::new().with("--workers", "1"));
    let http = &service.http;
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="50" height="50"/></svg>"#;
    let form = Form::new().file("file", "logo.svg", "image/svg+xml", svg);
    let file = http.post_form("/v1/uploads", &form).await.success();
    let kit = http.post("/v1/brand-kits", &json!({"title": "Tea"})).await.expect(201);
    let path = format!("/v1/brand-kits/{}", text(&kit["id"]));
    http.post(&format!("{path}/images"), &json!({"file_id": file["file_id"], "role": "logo"})).await.is(201);
    http.patch(&path, &json!({"is_default": true})).await.is(200);
    let held = hold_drawers(&service).await;
    let task = start(http, &json!({"prompt": "A card"})).await;
    wait_until_running(&service, &task).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    // As the system does where it runs out of memory: one after the other, the one that draws first, which is the youngest.
    let (drawing, waiting) = held.split_last().expect("some of them");
    signal(&[*drawing], Signal::SIGKILL);
    tokio::time::sleep(Duration::from_millis(500)).await;
    signal(waiting, Signal::SIGKILL);
    let ended = finish(http, &task).await;
    assert_eq!(ended["status"], "succeeded", "{ended}");
    assert!(ended.to_string().contains("left out"), "{ended}");
    let next = design(http, "A poster").await;
    assert_eq!(next["status"], "succeeded", "{next}");
    assert!(!next.to_string().contains("left out"), "{next}");
}

#[tokio::test]
async fn a_copy_that_nobody_waits_for_any_more_ends_the_process_that_draws_it() {
    let service = Service::start_with(Options::new());
    let http = &service.http;
    let made = design(http, "A deck about tea").await;
    let kit = http.post("/v1/brand-kits", &json!({"title": "Tea"})).await.expect(201);
    let held = hold_drawers(&service).await;
    let body = json!({"canvas_id": made["result"]["canvas_id"], "brand_kit_id": kit["id"]});
    let asking = {
        let http = http.clone();
        tokio::spawn(async move { http.post("/v1/remix", &body).await })
    };
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(held.iter().all(|pid| is_running(*pid)) && !asking.is_finished());
    asking.abort();
    wait_for("one of them to end", Duration::from_secs(20), async || {
        let left = held.iter().filter(|pid| is_running(**pid)).count();
        if left < held.len() { Ok(()) } else { Err(left) }
    })
    .await;
    // It holds nobody's turn either.
    held.iter().filter(|pid| is_running(**pid)).for_each(|pid| let_go(*pid));
    let body = json!({"canvas_id": made["result"]["canvas_id"], "brand_kit_id": kit["id"]});
    http.post("/v1/remix", &body).await.is(201);
}
