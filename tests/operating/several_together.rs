//! What holds over all processes of a studio: keys and roles, rates, tickets, idempotency; and work that one is asked for and another does.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use easel_tests::drive::{create_folder, replace_content, upload};
use easel_tests::http::Http;
use easel_tests::patience::wait_for;
use easel_tests::several::{self, Rig, client_of};
use easel_tests::studio::Options;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::several::{PATIENCE, text};

/// A cancel is seen by another process within so long, and the rest is room for a full machine.
const UNTIL_CANCELED: Duration = Duration::from_secs(12);

#[tokio::test(flavor = "multi_thread")]
async fn a_key_deleted_or_a_role_changed_at_one_holds_at_every_other_at_the_next_request() {
    let rig = Rig::start(Options::new(), 3);
    rig.studios[0].add_user("ben@example.org", "member");
    for round in 0..6 {
        let key = rig.studios[round % 3].create_key_for("short-lived", "ben@example.org");
        let each = rig.each(&key.key);
        for role in ["admin", "member"] {
            for http in &each {
                http.get("/v1/whoami").await.is(200);
            }
            assert!(rig.studios[(round + 1) % 3].command(&["users", "role", "ben@example.org", role]).status.success());
            for http in &each {
                http.get("/v1/metrics").await.is(if role == "admin" { 200 } else { 403 });
            }
        }
        rig.studios[(round + 2) % 3].delete_key(&key.id);
        for http in &each {
            http.get("/v1/whoami").await.is(401);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_is_never_exceeded_by_asking_several_processes() {
    const ALLOWED: u32 = 40;
    let rig = Rig::start(Options::new().requests_per_minute(ALLOWED).with("--exports-per-minute", "3"), 3);
    let http = rig.client(&rig.studios[0].create_key("k").key);
    let began = Instant::now();
    let statuses = join_all((0..3 * ALLOWED).map(|_| async {
        let answer = http.get("/v1/whoami").await;
        if answer.status == 429 {
            let seconds: u64 = answer.header("retry-after").expect("Retry-After").parse().expect("a number");
            assert!((1..=60).contains(&seconds), "{seconds}");
        }
        answer.status.as_u16()
    }))
    .await;
    assert!(began.elapsed() < Duration::from_secs(60), "the minute was over: {:?}", began.elapsed());
    let passed = statuses.iter().filter(|status| **status == 200).count();
    assert_eq!(passed, ALLOWED as usize, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 200 | 429)), "{statuses:?}");

    // Another key has its own minute; exports are counted for the organization, and what is refused for them takes no request.
    let http = rig.client(&rig.studios[1].create_key("l").key);
    let canvas = draw(&http).await;
    let path = format!("/v1/canvases/{canvas}/export?format=png&wait=false");
    let mut started = 0;
    for _ in 0..9 {
        let answer = http.json(http::Method::POST, &path, "").await;
        if answer.status == 200 {
            started += 1;
        } else {
            answer.is(429);
            assert_eq!(answer.value()["error"]["code"], "export_rate_limited", "{answer:?}");
        }
    }
    assert_eq!(started, 3);
}

/// Has a card drawn; its canvas.
async fn draw(http: &Http) -> String {
    let task = text(&http.post("/v1/tasks", &json!({"prompt": "A card"})).await.expect(202)["id"]);
    let ended = wait_for("a card", PATIENCE, async || {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let task = http.get(&format!("/v1/tasks/{task}")).await.expect(200);
        if task["status"] == "succeeded" { Ok(task) } else { Err(task) }
    });
    text(&ended.await["result"]["canvas_id"])
}

#[tokio::test(flavor = "multi_thread")]
async fn of_requests_that_say_the_same_to_several_processes_one_is_carried_out() {
    let rig = Rig::start(Options::new(), 3);
    let each = rig.each(&rig.studios[0].create_key("k").key);
    for round in 0..8 {
        let body = json!({"prompt": "A card", "idempotency_key": format!("once {round}")});
        let tasks = join_all(each.iter().map(|http| http.post("/v1/tasks", &body))).await;
        let ids: BTreeSet<String> = tasks.iter().map(|task| text(&task.success()["id"])).collect();
        assert_eq!(ids.len(), 1, "{ids:?}");
    }
    for round in 0..8_u8 {
        // Two PUTs to one ticket: what is registered is what was acknowledged.
        let asked = json!({"filename": "a.bin", "mime_type": "application/octet-stream"});
        let signed = each[0].post("/v1/uploads/url", &asked).await.success();
        let url = text(&signed["upload_url"]);
        let path = url.split_once("/pending/").expect("a ticket").1;
        let contents = [vec![round; 200_000], vec![100 + round; 150_000]];
        let puts = join_all(contents.iter().enumerate().map(|(number, content)| {
            let url = format!("http://{}/pending/{path}", rig.studios[number].storage_authority());
            let http = each[number].clone();
            async move { http.put_bytes(&url, "application/octet-stream", content.clone()).await.status.as_u16() }
        }))
        .await;
        let acknowledged: Vec<usize> = (0..2).filter(|number| puts[*number] == 200).collect();
        assert_eq!(acknowledged.len(), 1, "{puts:?}");
        let body = json!({"storage_key": signed["storage_key"]});
        let registered = join_all(each.iter().map(|http| http.post("/v1/uploads/register", &body))).await;
        let files: BTreeSet<String> = registered.iter().map(|answer| text(&answer.success()["file_id"])).collect();
        assert_eq!(files.len(), 1, "{registered:?}");
        let file = files.first().expect("a file");
        for http in &each {
            let answer = http.get(&format!("/v1/drive/files/{file}/content")).await;
            assert_eq!(answer.body, contents[acknowledged[0]], "{answer:?}");
        }
    }
    let canvases = wait_for("eight designs", PATIENCE, async || {
        let found = each[2].get("/v1/canvases?limit=50").await.expect(200);
        let count = found["data"].as_array().map_or(0, Vec::len);
        if count == 8 { Ok(count) } else { Err(count) }
    });
    canvases.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_process_is_asked_for_another_does_and_the_first_tells_of_it() {
    let mut rig = Rig::start(Options::new().with("--role", "api"), 1);
    let options = Options::new().database(&rig.database).bucket(&rig.bucket).with("--inject", "pause=3000").worker();
    rig.studios.push(several::start_beside(&rig.front, &options, &rig.studios[0]));
    let http = client_of(&rig.studios[0], &rig.studios[0].create_key("k").key);
    let path =
        format!("/v1/tasks/{}", text(&http.post("/v1/tasks", &json!({"prompt": "A deck"})).await.expect(202)["id"]));
    let seen = wait_for("progress", PATIENCE, async || {
        let task = http.get(&path).await.expect(200);
        if task["status"] == "running" && task["progress"]["percent"].as_u64() > Some(0) { Ok(task) } else { Err(task) }
    });
    seen.await;
    let ended = wait_for("the end", PATIENCE, async || {
        let task = http.get(&path).await.expect(200);
        if task["status"] == "succeeded" { Ok(task) } else { Err(task) }
    });
    let canvas = text(&ended.await["result"]["canvas_id"]);
    // It waits for an export that another renders, and gets its bytes.
    let export =
        http.json(http::Method::POST, &format!("/v1/canvases/{canvas}/export?format=png"), "").await.expect(200);
    assert_eq!(export["status"], "completed", "{export}");
    let url = text(&export["url"]);
    http.get_url(&url, &[]).await.is(200);

    let path =
        format!("/v1/tasks/{}", text(&http.post("/v1/tasks", &json!({"prompt": "A deck"})).await.expect(202)["id"]));
    let running = wait_for("the next try", PATIENCE, async || {
        let task = http.get(&path).await.expect(200);
        if task["status"] == "running" { Ok(()) } else { Err(task) }
    });
    running.await;
    let asked = Instant::now();
    assert!(http.post(&format!("{path}/cancel"), &Value::Null).await.status.is_success());
    let canceled = wait_for("the cancel", PATIENCE, async || {
        let task = http.get(&path).await.expect(200);
        if task["status"] == "canceled" { Ok(()) } else { Err(task) }
    });
    canceled.await;
    println!("canceled after {:?}", asked.elapsed());
    assert!(asked.elapsed() < UNTIL_CANCELED, "{:?}", asked.elapsed());
    assert_eq!(Http::new(&rig.studios[1].operator_url).get("/healthz").await.status, 200);
}

/// What the lists of the drive show, in pages of this length.
async fn list_drive(http: &Http, limit: usize) -> Vec<Value> {
    let mut shown = Vec::new();
    for list in ["files?", "files?folder_id=root&", "folders?", "folders?parent_folder_id=root&"] {
        let page = http.get(&format!("/v1/drive/{list}limit={limit}")).await.expect(200);
        shown.push(json!([page["data"], page["total"]]));
    }
    shown
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_process_changes_the_lists_of_all_show_at_the_next_request() {
    let rig = Rig::start(Options::new().with("--concurrent-tasks", "0"), 3);
    let each = rig.each(&rig.studios[0].create_key("k").key);
    let folder = create_folder(&each[0], "Folder", None).await;
    let file = text(&upload(&each[1], "a.txt", b"some bytes").await["file_id"]);
    let (item, other) = (format!("/v1/drive/items/{file}"), format!("/v1/drive/items/{folder}"));
    let mut seen = Vec::new();
    for change in 0..11 {
        let http = &each[change % 3];
        match change {
            0 => drop(upload(http, "b.txt", b"other bytes").await),
            1 => http.patch(&item, &json!({"name": "renamed.txt"})).await.is(200),
            2 => http.post(&format!("{item}/move"), &json!({"folder_id": folder})).await.is(200),
            3 => http.patch(&other, &json!({"name": "Other"})).await.is(200),
            4 => replace_content(http, &file, "text/plain", b"a new content").await,
            5 => http.patch(&item, &json!({"visibility": "private"})).await.is(200),
            6 => http.delete(&item).await.is(200),
            7 => http.post(&format!("/v1/drive/trash/{file}/restore"), &json!({})).await.is(200),
            8 => drop(create_folder(http, "Inner", Some(&folder)).await),
            9 => http.delete(&format!("{other}?recursive=true")).await.is(200),
            _ => http.post(&format!("/v1/drive/trash/{folder}/restore"), &json!({})).await.is(200),
        }
        // Pages of 100 may be kept from before; those of another length were never asked for.
        let fresh = list_drive(http, 99 - change).await;
        for http in &each {
            assert_eq!(list_drive(http, 100).await, fresh, "change {change}");
        }
        assert!(!seen.contains(&fresh), "change {change} shows");
        seen.push(fresh);
    }
}
