//! Tasks and remixes over HTTP, on a real data folder, with a clock that moves only when told to.

use std::time::Duration;

use easel_wire::Scope;
use http::Method;
use serde_json::{Value, json};

use crate::db::accounts::{self, UserRow};
use crate::db::canvases::get_visible_canvas;
use crate::db::{Viewer, tasks};
use crate::fixture::{Answer, Fixture, VERSION_HEADER};
use crate::wire::tasks::TaskStatus;
use crate::worker::{self, Injection};

const CANONICAL: (&str, &str) = (VERSION_HEADER, "2026-05-01");

/// A studio whose one key holds every scope.
struct Service {
    fixture: Fixture,
    _folder: tempfile::TempDir,
}

impl Service {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        fixture.add_key("owner", Scope::KNOWN).await;
        Self { fixture, _folder: folder }
    }

    async fn ask_as(&self, key: &str, method: Method, path: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {key}");
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.fixture.ask(&method, path, &[("authorization", &bearer), CANONICAL], body).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask_as("owner", Method::POST, path, body).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask_as("owner", Method::GET, path, Value::Null).await
    }

    /// Starts a task that must be accepted; returns its id.
    async fn start(&self, body: Value) -> String {
        let answer = self.post("/v1/tasks", body).await;
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Lets workers work until the task has ended.
    async fn finish(&self, id: &str, injection: &str) -> Value {
        self.finish_all(&[id.to_owned()], injection).await.remove(0)
    }

    /// Lets workers work until the tasks have ended. What a worker has begun when it is dropped stays begun.
    async fn finish_all(&self, ids: &[String], injection: &str) -> Vec<Value> {
        let workers = worker::start(&self.fixture.studio, 1, &injection.parse::<Injection>().unwrap());
        let mut ends = self.fixture.studio.active_tasks.ends();
        let ended = async {
            let mut ended = Vec::new();
            for id in ids {
                loop {
                    let task = self.get(&format!("/v1/tasks/{id}")).await.json();
                    if !matches!(task["status"].as_str().unwrap(), "queued" | "running") {
                        ended.push(task);
                        break;
                    }
                    ends.recv().await.unwrap();
                }
            }
            ended
        };
        let tasks = tokio::time::timeout(Duration::from_secs(120), ended).await.unwrap();
        drop(workers);
        tasks
    }
}

#[tokio::test]
async fn a_task_goes_from_queued_to_succeeded_and_its_canvas_is_there() {
    let service = Service::new().await;
    let id = service.start(json!({"prompt": "A deck about bread", "number_of_slides": 3})).await;
    let queued = service.get(&format!("/v1/tasks/{id}")).await.json();
    assert_eq!(
        (&queued["status"], &queued["attempt"], &queued["max_attempts"]),
        (&json!("queued"), &json!(0), &json!(3))
    );
    assert_eq!((&queued["result"], &queued["retry_after_ms"]), (&Value::Null, &json!(3000)));
    let done = service.finish(&id, "pause=0").await;
    assert_eq!((&done["status"], &done["attempt"]), (&json!("succeeded"), &json!(1)), "{done}");
    assert_eq!((&done["progress"]["percent"], &done["retry_after_ms"]), (&json!(100), &Value::Null));
    assert_eq!(done["links"]["cancel"], Value::Null);
    let canvas = &done["result"]["canvas_id"];
    assert!(done["result"]["canvas_url"].as_str().unwrap().ends_with(canvas.as_str().unwrap()));
    let found = service.get(&format!("/v1/tasks?canvas_id={}", canvas.as_str().unwrap())).await.json();
    assert_eq!(found["data"][0]["id"], id.as_str());
}

#[tokio::test]
async fn what_passes_by_itself_is_tried_three_times_and_then_dead_lettered() {
    let check = async |injection: &str, status: &str, attempt: u32, retryable: Option<bool>| {
        let service = Service::new().await;
        let id = service.start(json!({"prompt": "A deck"})).await;
        let done = service.finish(&id, injection).await;
        assert_eq!((&done["status"], &done["attempt"]), (&json!(status), &json!(attempt)), "{injection}: {done}");
        assert_eq!(done["error"]["retryable"].as_bool(), retryable, "{injection}");
        assert!(!done["completed_at"].is_null());
    };
    check("passing=2", "succeeded", 3, None).await;
    check("passing=3", "failed", 3, Some(false)).await;
    check("breakdowns=1", "succeeded", 2, None).await;
    check("breakdowns=9", "failed", 3, Some(false)).await;
    check("final", "failed", 1, Some(false)).await;
    check("passing=1,final", "failed", 2, Some(false)).await;
    check("storage-full", "failed", 1, Some(true)).await;
}

#[tokio::test]
async fn variations_that_are_asked_for_at_once_differ_and_say_in_their_names_in_what() {
    let service = Service::new().await;
    let made = service.start(json!({"prompt": "A deck about bread: flour, water, time", "canvas_name": "Bread"})).await;
    let canvas = service.finish(&made, "pause=0").await["result"]["canvas_id"].clone();
    let mut asked = Vec::new();
    for _ in 0..8 {
        let body = json!({"canvas_id": canvas, "prompt": "A variation, the same content"});
        asked.push(service.post("/v1/remix", body).await.json()["id"].as_str().unwrap().to_owned());
    }
    let mut names = std::collections::BTreeSet::new();
    for done in service.finish_all(&asked, "pause=0").await {
        assert_eq!(done["status"], "succeeded", "{done}");
        let name = done["result"]["canvas_name"].as_str().unwrap().to_owned();
        assert!(name.starts_with("Bread – "), "{name}");
        names.insert(name);
    }
    assert_eq!(names.len(), 8, "{names:?}");
}

/// Runs in a process of its own (nextest), because the first lender of typefaces stays for the life of a process.
#[tokio::test]
async fn where_no_typeface_has_the_letters_someone_can_install_one_and_try_again() {
    easel_canvas::fonts::borrow_from(|_| None);
    let service = Service::new().await;
    let id = service.start(json!({"prompt": "夏祭りのポスター", "number_of_slides": 1})).await;
    let done = service.finish(&id, "pause=0").await;
    assert_eq!((&done["status"], &done["attempt"]), (&json!("failed"), &json!(1)), "{done}");
    assert_eq!(done["error"]["retryable"], true, "{done}");
    assert!(done["error"]["message"].as_str().unwrap().contains("fonts-noto-cjk"), "{done}");
    assert_eq!(done["result"], Value::Null);
    // The shipped typefaces have all of these letters.
    let id = service.start(json!({"prompt": "สวัสดีชาวโลก योग शिविर שלום مرحبا 🎉", "number_of_slides": 1})).await;
    let done = service.finish(&id, "pause=0").await;
    assert_eq!(done["status"], "succeeded", "{done}");
}

#[tokio::test]
async fn a_task_that_was_running_when_the_process_ended_is_taken_up_with_its_try_counted() {
    let service = Service::new().await;
    let studio = &service.fixture.studio;
    let id = service.start(json!({"prompt": "A deck"})).await;
    for attempt in 1..=3 {
        let mut tx = studio.db.begin().await.unwrap();
        let lease = service.fixture.lease_of_another();
        let claimed = tasks::claim_task(&mut tx, lease, studio.clock.now()).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        assert_eq!((claimed.id.to_string(), claimed.attempt), (id.clone(), attempt));
        service.fixture.end_leases_before().await;
    }
    let task = service.get(&format!("/v1/tasks/{id}")).await.json();
    assert_eq!((&task["status"], &task["attempt"]), (&json!("failed"), &json!(3)));
    assert_eq!(task["error"]["retryable"], false);
}

#[tokio::test]
async fn who_asked_a_running_task_to_stop_is_heard_also_after_a_restart() {
    let service = Service::new().await;
    let studio = &service.fixture.studio;
    let id = service.start(json!({"prompt": "A deck"})).await;
    let mut tx = studio.db.begin().await.unwrap();
    tasks::claim_task(&mut tx, service.fixture.lease_of_another(), studio.clock.now()).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let answer = service.post(&format!("/v1/tasks/{id}/cancel"), Value::Null).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (202, &json!("running")));
    service.fixture.end_leases_before().await;
    assert_eq!(service.get(&format!("/v1/tasks/{id}")).await.json()["status"], "canceled");
}

#[tokio::test]
async fn a_task_queued_for_over_an_hour_expires() {
    let service = Service::new().await;
    let (studio, clock) = (&service.fixture.studio, &service.fixture.clock);
    let first = service.start(json!({"prompt": "A deck"})).await;
    clock.advance(Duration::from_secs(1));
    let second = service.start(json!({"prompt": "A deck"})).await;
    clock.advance(Duration::from_secs(3_599));
    let mut ends = studio.active_tasks.ends();
    let workers = worker::start(studio, 0, &Injection::default());
    let ended = tokio::time::timeout(Duration::from_secs(10), ends.recv()).await.unwrap().unwrap();
    assert_eq!(ended.to_string(), first);
    let status = async |id: &str| service.get(&format!("/v1/tasks/{id}")).await.json()["status"].clone();
    assert_eq!((status(&first).await, status(&second).await), (json!("expired"), json!("queued")));
    drop(workers);
}

#[tokio::test]
async fn of_two_tasks_on_one_canvas_one_runs_at_a_time() {
    let service = Service::new().await;
    let studio = &service.fixture.studio;
    let made = service.start(json!({"prompt": "A deck"})).await;
    let canvas = service.finish(&made, "pause=0").await["result"]["canvas_id"].clone();
    let darker = service.start(json!({"prompt": "darker", "canvas_id": canvas})).await;
    let lighter = service.start(json!({"prompt": "lighter", "canvas_id": canvas})).await;
    let other = service.start(json!({"prompt": "another"})).await;
    let mut tx = studio.db.begin().await.unwrap();
    let (lease, mut claimed) = (studio.leases.lease_at(studio.clock.now()), Vec::new());
    while let Some(task) = tasks::claim_task(&mut tx, lease, studio.clock.now()).await.unwrap() {
        claimed.push(task);
    }
    let ids: Vec<_> = claimed.iter().map(|task| task.id.to_string()).collect();
    assert_eq!(ids, [darker.clone(), other]);
    assert!(tasks::requeue_task(&mut tx, &claimed[0], studio.clock.now()).await.unwrap());
    let next = tasks::claim_task(&mut tx, lease, studio.clock.now()).await.unwrap().unwrap();
    assert!([darker, lighter].contains(&next.id.to_string()));
}

/// Claims so many tasks, and ends each at once if `one_by_one`; returns for each whether its organization is the
/// owner's.
async fn claim_some(service: &Service, count: usize, one_by_one: bool) -> Vec<bool> {
    let studio = &service.fixture.studio;
    let mut tx = studio.db.begin().await.unwrap();
    let own = accounts::find_organization(&mut tx, None).await.unwrap().unwrap();
    let mut claimed = Vec::new();
    for _ in 0..count {
        let lease = studio.leases.lease_at(studio.clock.now());
        let task = tasks::claim_task(&mut tx, lease, studio.clock.now()).await.unwrap().unwrap();
        claimed.push(task.organization_id == own);
        if one_by_one {
            let end = tasks::End::without_result(TaskStatus::Canceled, tasks::ProgressRow::default(), None);
            tasks::end_task(&mut tx, &task, &end, studio.clock.now()).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    claimed
}

#[tokio::test]
async fn organizations_take_turns_and_a_long_line_of_one_holds_up_no_other() {
    let service = Service::new().await;
    service.fixture.add_stranger("stranger", Scope::KNOWN).await;
    let queue = async |key: &str, count: usize| {
        for _ in 0..count {
            let answer = service.ask_as(key, Method::POST, "/v1/tasks", json!({"prompt": "A deck"})).await;
            assert_eq!(answer.status, 202, "{}", answer.text());
        }
    };
    queue("owner", 10).await;
    queue("stranger", 3).await;
    // First by one worker, and then by as many as there are tasks: the organization with the fewest running is next.
    assert_eq!(claim_some(&service, 4, true).await, [true, false, true, false]);
    assert_eq!(claim_some(&service, 3, false).await, [true, false, true]);
    queue("stranger", 2).await;
    assert_eq!(claim_some(&service, 3, false).await, [false, true, false]);
}

#[tokio::test]
async fn a_task_from_private_things_is_seen_by_its_maker_alone_and_so_is_what_it_makes() {
    let service = Service::new().await;
    let fixture = &service.fixture;
    let made = service.start(json!({"prompt": "A deck"})).await;
    let canvas = service.finish(&made, "pause=0").await["result"]["canvas_id"].as_str().unwrap().to_owned();
    let path = format!("/v1/drive/items/{canvas}");
    let hidden = service.ask_as("owner", Method::PATCH, &path, json!({"visibility": "private"})).await;
    assert_eq!(hidden.status, 200, "{}", hidden.text());
    let remix = service.post("/v1/remix", json!({"canvas_id": canvas, "prompt": "dark"})).await.json();
    let remix = remix["id"].as_str().unwrap().to_owned();

    let mut tx = fixture.studio.db.begin().await.unwrap();
    let team = accounts::find_team(&mut tx).await.unwrap().unwrap();
    let member = UserRow {
        id: fixture.studio.new_id(),
        email: "ben@example.org".to_owned(),
        name: "Ben".to_owned(),
        role: crate::wire::account::Role::Member,
    };
    accounts::insert_user(&mut tx, team, &member, fixture.studio.clock.now()).await.unwrap();
    let key = accounts::NewKey {
        id: fixture.studio.new_id(),
        user_id: member.id,
        name: "ben",
        key_hash: crate::core::secrets::hash_key("ben"),
        sealed_secret: b"",
        scopes: Scope::KNOWN,
        expires_at: None,
        created_at: fixture.studio.clock.now(),
    };
    accounts::insert_key(&mut tx, &key).await.unwrap();
    tx.commit().await.unwrap();

    let done = service.finish(&remix, "pause=0").await;
    assert_eq!(done["status"], "succeeded", "{done}");
    let copy = done["result"]["canvas_id"].as_str().unwrap();
    let seen = service.ask_as("ben", Method::GET, &format!("/v1/tasks/{remix}"), Value::Null).await;
    assert_eq!(seen.status, 404);
    let open = service.start(json!({"prompt": "For everybody"})).await;
    let list = service.ask_as("ben", Method::GET, "/v1/tasks", Value::Null).await.json();
    let ids: Vec<_> = list["data"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [open], "only what the team may see, and not the task that made what is private now: {list}");
    for hidden in [canvas.as_str(), copy] {
        let remixed = service.ask_as("ben", Method::POST, "/v1/remix", json!({"canvas_id": hidden})).await;
        assert_eq!(
            (remixed.status.as_u16(), remixed.json()["error"]["code"].as_str()),
            (404, Some("canvas_not_found"))
        );
    }
    // What the team sees a member does not cancel for another.
    let open = service.start(json!({"prompt": "A deck"})).await;
    let refused = service.ask_as("ben", Method::POST, &format!("/v1/tasks/{open}/cancel"), Value::Null).await;
    assert_eq!(refused.status, 403);
}

#[tokio::test]
async fn a_task_follows_the_kit_that_it_names_else_the_default_else_none() {
    let service = Service::new().await;
    let mut kits = Vec::new();
    for (name, color) in [("Bakery", "#b5651d"), ("Cellar", "#1d2bb5")] {
        let body = json!({"title": name, "company_name": name, "colors": [{"color": color, "label": "primary"}]});
        let kit = service.post("/v1/brand-kits", body).await;
        assert_eq!(kit.status, 201, "{}", kit.text());
        kits.push(kit.json()["id"].clone());
    }
    // The brand that a design was made with stands in its document.
    let check = async |body: Value, expected: Option<&str>| {
        let id = service.start(body.clone()).await;
        let done = service.finish(&id, "pause=0").await;
        let canvas = done["result"]["canvas_id"].as_str().unwrap_or_else(|| panic!("{done}"));
        let studio = &service.fixture.studio;
        let document = {
            let mut tx = studio.db.begin().await.unwrap();
            let owner = accounts::find_user(&mut tx, None).await.unwrap().unwrap();
            let team = accounts::find_team(&mut tx).await.unwrap().unwrap();
            let viewer = Viewer { team, user: owner.id, oversees: false };
            get_visible_canvas(&mut tx, viewer, canvas.parse().unwrap()).await.unwrap().drawn.document_hash
        };
        let document = easel_canvas::Document::from_json(&studio.blobs.read_whole(&document).await.unwrap()).unwrap();
        assert_eq!(document.origin.look.brand.map(|brand| brand.name).as_deref(), expected, "{body}");
    };
    check(json!({"prompt": "A deck"}), Some("Bakery")).await;
    check(json!({"prompt": "A deck", "brand_kit_id": kits[1]}), Some("Cellar")).await;
    check(json!({"prompt": "A deck", "skip_brand_kit": true}), None).await;
    let gone = service.start(json!({"prompt": "A deck", "brand_kit_id": kits[1]})).await;
    let path = format!("/v1/brand-kits/{}", kits[1].as_str().unwrap());
    assert_eq!(service.ask_as("owner", Method::DELETE, &path, Value::Null).await.status, 200);
    assert_eq!(service.finish(&gone, "pause=0").await["status"], "succeeded");
    let refused = service.post("/v1/tasks", json!({"prompt": "A deck", "brand_kit_id": kits[1]})).await;
    assert_eq!(refused.json()["error"]["code"], "brand_kit_not_found");
}
