//! Exports over HTTP, on a real data folder, with a clock that moves only when told to.

use std::time::Duration;

use easel_wire::{Scope, Timestamp};
use http::Method;
use serde_json::{Value, json};

use super::expiry::expire_overdue;
use crate::background::keeper::Keeper;
use crate::db::canvases::{Drawn, find_canvas, update_canvas};
use crate::db::drive::files::list_content_hashes;
use crate::db::leases::Work;
use crate::db::{Viewer, exports as rows};
use crate::fixture::{Answer, Fixture, VERSION_HEADER, pass};
use crate::studio::leases::LEASE;
use crate::wire::{CanvasId, TaskId};
use crate::worker::{self, Injection};

const CANONICAL: (&str, &str) = (VERSION_HEADER, "2026-05-01");
const WEEK: Duration = Duration::from_secs(7 * 24 * 3_600);

/// A studio whose one key holds every scope, and a canvas of two pages.
struct Service {
    fixture: Fixture,
    canvas: CanvasId,
    _folder: tempfile::TempDir,
}

impl Service {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        fixture.add_key("owner", Scope::KNOWN).await;
        let mut service = Self { fixture, canvas: "cvs_00000000000000000000000000".parse().unwrap(), _folder: folder };
        service.canvas = service.design("Old bread").await;
        service
    }

    async fn ask(&self, method: Method, path: &str, body: Value) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.fixture.ask(&method, path, &[("authorization", "Bearer owner"), CANONICAL], body).await
    }

    async fn design(&self, name: &str) -> CanvasId {
        let body = json!({"prompt": name, "canvas_name": name, "number_of_slides": 2});
        let task = self.ask(Method::POST, "/v1/tasks", body).await.json();
        let id: TaskId = task["id"].as_str().unwrap().parse().unwrap();
        let mut ends = self.fixture.studio.active_tasks.ends();
        let workers = worker::start(&self.fixture.studio, 1, &Injection::default());
        let ended = async { while ends.recv().await.unwrap() != id {} };
        tokio::time::timeout(Duration::from_secs(60), ended).await.unwrap();
        drop(workers);
        let task = self.ask(Method::GET, &format!("/v1/tasks/{id}"), Value::Null).await.json();
        task["result"]["canvas_id"].as_str().unwrap().parse().unwrap()
    }

    async fn export(&self, query: &str) -> Answer {
        self.ask(Method::POST, &format!("/v1/canvases/{}/export?{query}", self.canvas), Value::Null).await
    }

    async fn status(&self, id: &str) -> Answer {
        let path = format!("/v1/canvases/{}/export-status?task_id={id}", self.canvas);
        self.ask(Method::GET, &path, Value::Null).await
    }

    /// The export as it is once it has ended.
    async fn ended(&self, id: &str) -> Value {
        let mut ends = self.fixture.studio.active_tasks.ends();
        let ended = async {
            loop {
                let export = self.status(id).await.json();
                if export["is_terminal"] == true {
                    return export;
                }
                ends.recv().await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(60), ended).await.unwrap()
    }

    async fn fetch(&self, export: &Value) -> Answer {
        self.fixture.ask_storage(&Method::GET, export["url"].as_str().unwrap(), &[], String::new()).await
    }

    /// How many contents some row needs.
    async fn contents(&self) -> usize {
        let mut conn = self.fixture.studio.db.read().acquire().await.unwrap();
        list_content_hashes(&mut conn).await.unwrap().len()
    }
}

#[tokio::test]
async fn a_result_is_there_for_seven_days_and_then_gone_with_its_bytes() {
    let service = Service::new().await;
    let before = service.contents().await;
    let export = service.export("format=pdf").await.json();
    assert_eq!((&export["status"], &export["is_terminal"]), (&json!("completed"), &json!(true)), "{export}");
    assert_eq!(service.contents().await, before + 1);
    let id = export["task_id"].as_str().unwrap();
    let expire = async || expire_overdue(&service.fixture.studio).await.unwrap();

    service.fixture.clock.advance(WEEK - Duration::from_secs(1));
    assert_eq!(expire().await, Duration::from_secs(1));
    let again = service.status(id).await.json();
    assert_eq!(again["url"], export["url"], "one URL for the whole week");
    assert!(service.fetch(&export).await.text().starts_with("%PDF"));

    service.fixture.clock.advance(Duration::from_secs(1));
    expire().await;
    assert_eq!((service.status(id).await.status.as_u16(), service.contents().await), (404, before));
    assert!(service.fetch(&export).await.text().contains("NoSuchKey"));
    service.fixture.clock.advance(Duration::from_secs(1));
    assert!(service.fetch(&export).await.text().contains("ExpiredUrl"));
}

#[tokio::test]
async fn the_rate_is_one_of_the_organization_and_names_its_cap() {
    let service = Service::new().await;
    let start = async || service.export("format=svg&page_number=1&wait=false").await;
    for _ in 0..3 {
        assert_eq!(start().await.status, 200);
    }
    for refused in ["page_number=3", "format=gif"] {
        assert_eq!(service.export(refused).await.status, 422, "what is wrong is said first");
    }
    let refused = start().await;
    assert_eq!((refused.status.as_u16(), refused.headers["retry-after"].to_str().unwrap()), (429, "60"));
    let error = &refused.json()["error"];
    assert_eq!((&error["type"], &error["code"]), (&json!("rate_limited"), &json!("export_rate_limited")));
    assert!(error["message"].as_str().unwrap().contains("3 exports a minute"), "{error}");
    assert_eq!(error["retry_after_ms"], 60_000);
    service.fixture.clock.advance(Duration::from_secs(59));
    assert_eq!(start().await.status, 429);
    service.fixture.clock.advance(Duration::from_secs(1));
    assert_eq!(start().await.status, 200, "what was refused has taken nothing");
}

#[tokio::test]
async fn an_export_shows_the_canvas_as_it_was_when_it_was_asked_for() {
    let service = Service::new().await;
    let studio = &service.fixture.studio;
    let other = service.design("New cheese").await;
    let turn = studio.exports.turns.take(crate::wire::TeamId::from_uuid(uuid::Uuid::nil())).await;
    let export = service.export("format=svg&page_number=1&wait=false").await.json();
    assert_eq!((&export["status"], &export["url"]), (&json!("in_progress"), &Value::Null));
    assert_eq!(export["retry_after_seconds"], 2);
    let id = export["task_id"].as_str().unwrap();
    let queued = service.status(id).await.json();
    assert_eq!((&queued["status"], &queued["is_terminal"]), (&json!("queued"), &json!(false)));

    // The other canvas's drawing takes the place of this one's, which nothing else needs once there are too many
    // versions after it.
    let mut tx = studio.db.begin().await.unwrap();
    let source = find_canvas(&mut tx, other).await.unwrap().unwrap();
    let canvas = find_canvas(&mut tx, service.canvas).await.unwrap().unwrap();
    let team = rows::find_export(&mut tx, id.parse().unwrap()).await.unwrap().unwrap().team_id;
    let viewer = Viewer { team, user: canvas.created_by, oversees: false };
    let others = (0..20).map(|byte| Drawn { document_hash: [byte; 32], thumbnail_hash: None, ..canvas.drawn.clone() });
    let mut dropped = Vec::new();
    for (hours, drawn) in (0_i64..).zip(others.chain([source.drawn])) {
        // Each stands for an hour, and the first one went at once: of too many versions that one goes.
        let now = Timestamp::from_micros(studio.clock.now().as_micros() + hours * 3_600_000_000);
        let drawing = (&drawn, studio.new_id());
        dropped.extend(update_canvas(&mut tx, viewer, canvas.id, drawing, None, now).await.unwrap().1);
    }
    tx.commit().await.unwrap();
    assert!(dropped.contains(&canvas.drawn.document_hash));
    crate::studio::unused::remove_unused(&studio.db, &studio.blobs, &dropped).await;

    drop(turn);
    let done = service.ended(id).await;
    let drawing = service.fetch(&done).await.text();
    assert!(drawing.contains("<svg") && drawing.contains("bread") && !drawing.contains("cheese"), "{drawing}");
    // Nobody needs the drawing any more; it is removed just after the end of its export is told.
    let gone = async {
        while studio.blobs.size_of(&canvas.drawn.document_hash).await.unwrap().is_some() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), gone).await.expect("nobody needs it any more");
}

#[tokio::test]
async fn a_result_outlives_its_canvas() {
    let service = Service::new().await;
    let export = service.export("format=pdf").await.json();
    let item = format!("/v1/drive/items/{}", service.canvas);
    assert_eq!(service.ask(Method::DELETE, &item, Value::Null).await.status, 200);
    assert_eq!(service.status(export["task_id"].as_str().unwrap()).await.status, 404);
    let file = service.fetch(&export).await;
    assert!(file.text().starts_with("%PDF"));
    assert!(file.headers["content-disposition"].to_str().unwrap().contains("Old bread.pdf"));
}

#[tokio::test]
async fn what_was_under_way_when_the_process_stopped_is_tried_again_up_to_three_times() {
    let service = Service::new().await;
    let studio = &service.fixture.studio;
    let turn = studio.exports.turns.take(crate::wire::TeamId::from_uuid(uuid::Uuid::nil())).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let export = service.export("format=svg&page_number=2&wait=false").await.json();
        ids.push(export["task_id"].as_str().unwrap().to_owned());
    }
    // Rows as the last process left them: one in its first try, one in its third, one waiting.
    let mut tx = studio.db.begin().await.unwrap();
    for (id, tries) in ids.iter().zip([1, 3, 0]) {
        let id: TaskId = id.parse().unwrap();
        for left in (0..tries).rev() {
            let claimed = rows::claim_export(&mut tx, id, service.fixture.lease_of_another()).await.unwrap().unwrap();
            if left > 0 {
                assert!(rows::requeue_export(&mut tx, &claimed).await.unwrap());
            }
        }
    }
    tx.commit().await.unwrap();
    service.fixture.end_leases_before().await;
    drop(turn);
    for (id, expected) in ids.iter().zip(["completed", "failed", "completed"]) {
        let export = service.ended(id).await;
        assert_eq!(export["status"], expected, "{export}");
        if expected == "failed" {
            assert_eq!((&export["error"]["retryable"], &export["url"]), (&json!(false), &Value::Null));
            assert!(export["error"]["message"].as_str().unwrap().contains("stopped 3 times"));
        }
    }
}

#[tokio::test]
async fn a_drawing_that_cannot_be_read_fails_for_good_and_the_start_says_in_progress() {
    let service = Service::new().await;
    let studio = &service.fixture.studio;
    let export = service.export("format=svg").await.json();
    let mut tx = studio.db.begin().await.unwrap();
    let canvas = find_canvas(&mut tx, service.canvas).await.unwrap().unwrap();
    let id = export["task_id"].as_str().unwrap().parse().unwrap();
    let team = rows::find_export(&mut tx, id).await.unwrap().unwrap().team_id;
    let viewer = Viewer { team, user: canvas.created_by, oversees: false };
    // A picture in the place of the document is no document at all.
    let drawn = Drawn { document_hash: canvas.drawn.thumbnail_hash.unwrap(), ..canvas.drawn };
    let drawing = (&drawn, studio.new_id());
    update_canvas(&mut tx, viewer, canvas.id, drawing, None, studio.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    let started = service.export("format=svg").await.json();
    assert_eq!((&started["status"], &started["error"]), (&json!("in_progress"), &Value::Null));
    let failed = service.ended(started["task_id"].as_str().unwrap()).await;
    assert_eq!((&failed["status"], &failed["error"]["retryable"]), (&json!("failed"), &json!(false)), "{failed}");
    assert_eq!((&failed["url"], &failed["retry_after_seconds"]), (&Value::Null, &Value::Null));
}

/// A queued export, as its row.
async fn wait_in_line(service: &Service) -> rows::ExportRow {
    let export = service.export("format=svg&page_number=1&wait=false").await.json();
    let id = export["task_id"].as_str().unwrap().parse().unwrap();
    rows::find_export(&mut service.fixture.studio.db.begin().await.unwrap(), id).await.unwrap().unwrap()
}

#[tokio::test]
async fn an_export_is_made_by_whoever_holds_it_and_a_late_result_leaves_nothing() {
    let service = Service::new().await;
    let one = &service.fixture;
    let other = one.beside().await;
    let mut keeper = Keeper::new(&other.studio);
    pass(&one.clock, LEASE, &mut [&mut keeper]).await;
    let turn = one.studio.exports.turns.take(crate::wire::TeamId::from_uuid(uuid::Uuid::nil())).await;
    let export = wait_in_line(&service).await;
    let mut tx = one.studio.db.begin().await.unwrap();
    let lease = one.studio.leases.lease_at(one.studio.clock.now());
    let claimed = rows::claim_export(&mut tx, export.id, lease).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    // The first stands still: another makes it, which nobody was asked for there.
    let mut ends = other.studio.active_tasks.ends();
    pass(&one.clock, LEASE * 2, &mut [&mut keeper]).await;
    let ended = tokio::time::timeout(Duration::from_secs(60), ends.recv()).await.unwrap().unwrap();
    assert_eq!(ended, export.id);
    let find = async || rows::find_export(&mut one.studio.db.begin().await.unwrap(), export.id).await.unwrap().unwrap();
    let done = find().await;
    assert_eq!((done.status.as_str(), done.attempt, done.claimed_by), ("completed", 2, None));
    let before = service.contents().await;
    super::work::work(&one.studio, &claimed, turn).await;
    assert_eq!((find().await, service.contents().await), (done, before));
    let lost = |fixture: &Fixture| fixture.studio.metrics.lost_leases(Work::Export);
    assert_eq!((lost(one), lost(&other)), (1, 0));
    let blobs = one.studio.blobs.root();
    assert_eq!(crate::fixture::count_files(&blobs.join("sha256")), before);
    assert_eq!(crate::fixture::count_files(&blobs.join("incoming")), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn holders_that_race_for_exports_make_each_of_them_once() {
    let service = Service::new().await;
    let studio = &service.fixture.studio;
    let turn = studio.exports.turns.take(crate::wire::TeamId::from_uuid(uuid::Uuid::nil())).await;
    let first = wait_in_line(&service).await;
    let mut ids = vec![first.id];
    let mut tx = studio.db.begin().await.unwrap();
    for _ in 1..30 {
        ids.push(studio.new_id());
        let export = rows::ExportRow { id: *ids.last().unwrap(), ..first.clone() };
        rows::insert_export(&mut tx, &export).await.unwrap();
    }
    tx.commit().await.unwrap();
    let others = [service.fixture.beside().await, service.fixture.beside().await];
    for studio in [studio, &others[0].studio, &others[1].studio] {
        super::begin_waiting(studio).await.unwrap();
    }
    drop(turn);
    let all_ended = async {
        let mut tries = Vec::new();
        for id in &ids {
            loop {
                let mut conn = studio.db.read().acquire().await.unwrap();
                let export = rows::find_export(&mut conn, *id).await.unwrap().unwrap();
                if export.status.is_terminal() {
                    tries.push((export.status.as_str(), export.attempt));
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        tries
    };
    let tries = tokio::time::timeout(Duration::from_secs(120), all_ended).await.unwrap();
    assert_eq!(tries, vec![("completed", 1); 30]);
}
