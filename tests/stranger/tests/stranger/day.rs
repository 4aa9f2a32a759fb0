//! A whole day at a stranger, by plain HTTP: with no switch, with every switch against the client, and by lot.
//!
//! The client here knows what each switch means, so that it can go on where the real one has to learn; what holds
//! whatever the switches is what the specification promises.

use crate::plain::{self, Plain};
use easel_stranger::{Config, Delivered, Route, Stranger, Switch, Switches};
use reqwest::Method;
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG, or nearly";

async fn start(switches: Switches) -> (Stranger, Plain) {
    let mut config = Config::new(switches);
    config.requests_per_minute = None;
    let stranger = Stranger::with(config).await.unwrap();
    let plain = Plain::new(&stranger);
    (stranger, plain)
}

/// More than one request takes, and so much that days by the hundred take seconds.
const LARGE: usize = 33 * 1024 * 1024;
const SIGNED: usize = 64 * 1024;

/// Everything that a day does, and what the specification says of each answer.
async fn day(switches: &Switches, large: usize) {
    let (stranger, plain) = start(switches.clone()).await;
    connect(&plain).await;
    let folder = make_folder(&plain).await;
    let file = send_small(&stranger, &plain, &folder).await;
    let large = send_large(&stranger, &plain, &folder, large).await;
    keep_in_step(&stranger, &plain, &folder, &file).await;
    let canvas = make(&stranger, &plain, &file).await;
    export(&plain, &canvas).await;
    look_at_kits(&stranger, &plain).await;
    look_at_deliveries(&stranger, &plain).await;
    assert!(stranger.drive().files.contains_key(&large), "{switches}");
    let taken = stranger.taken();
    assert!(taken.values().all(|times| *times == 1), "{switches}: {taken:?}");
}

async fn connect(plain: &Plain) {
    for path in ["/v1/whoami", "/whoami", "/v1/organizations", "/v1/uploads/limits", "/v1/healthz"] {
        let answer = plain.get(path).await;
        assert!([200, 403, 404].contains(&answer.status), "{path}: {answer:?}");
        assert!(answer.version().is_some(), "{path}: {answer:?}");
    }
}

async fn make_folder(plain: &Plain) -> String {
    let answer = plain.post("/v1/drive/folders", json!({"name": "Kept", "parent_folder_id": null})).await;
    assert!(answer.is_ok(), "{answer:?}");
    let record = answer.json.get("folder").unwrap_or(&answer.json);
    let id = plain::id_of(record);
    assert!(id.starts_with("fld_"), "{answer:?}");
    id
}

async fn send_small(stranger: &Stranger, plain: &Plain, folder: &str) -> String {
    let mut answer = plain.multipart("one.png", "image/png", PNG.to_vec(), Some(folder)).await;
    if answer.status == 422 {
        answer = plain.multipart("one.png", "image/png", PNG.to_vec(), None).await;
    }
    assert!(answer.is_ok(), "{answer:?}");
    let id = plain::id_of(&answer.json);
    let file = stranger.drive().files[&id].clone();
    if file.folder.as_deref() != Some(folder) {
        let moved = plain.post(&format!("/v1/drive/items/{id}/move"), json!({"folder_id": folder})).await;
        assert!(moved.is_ok(), "{moved:?}");
    }
    id
}

async fn send_large(stranger: &Stranger, plain: &Plain, folder: &str, large: usize) -> String {
    let bytes = vec![7_u8; large];
    if large == LARGE {
        let refused = plain.multipart("large.pdf", "application/pdf", bytes.clone(), None).await;
        assert_eq!((refused.status, refused.json), (413, Value::Null), "the gateway");
    }
    let signed = plain.post("/v1/uploads/url", json!({"filename": "large.pdf", "mime_type": "application/pdf"})).await;
    assert!(signed.is_ok(), "{signed:?}");
    assert_eq!(signed.json["expires_in_seconds"], json!(600), "{signed:?}");
    let url = signed.json["upload_url"].as_str().unwrap();
    assert_eq!(plain.put(url, "image/png", b"other".to_vec()).await, 403, "another media type than was signed");
    assert_eq!(plain.put(url, "application/pdf", bytes).await, 200);
    assert_eq!(plain.put(url, "application/pdf", b"again".to_vec()).await, 403, "a second PUT");
    let key = signed.json["storage_key"].clone();
    let mut answer = plain.post("/v1/uploads/register", json!({"storage_key": key, "folder_id": folder})).await;
    if answer.status == 422 {
        answer = plain.post("/v1/uploads/register", json!({"storage_key": key})).await;
    }
    assert!(answer.is_ok(), "{answer:?}");
    let id = plain::id_of(&answer.json);
    let place = stranger.drive().files[&id].folder.clone();
    if place.is_none() {
        let moved = plain.post(&format!("/v1/drive/items/{id}/move"), json!({"folder_id": folder})).await;
        assert!(moved.is_ok(), "{moved:?}");
    }
    id
}

async fn keep_in_step(stranger: &Stranger, plain: &Plain, folder: &str, file: &str) {
    let other = stranger.put_file(Some(folder), "from another.txt", "words");
    let listed = plain.list(&format!("/v1/drive/files?folder_id={folder}"), "files").await;
    let mut ids = listed.iter().map(plain::id_of).collect::<Vec<_>>();
    ids.sort();
    assert_eq!(ids, stranger.drive().files.keys().cloned().collect::<Vec<_>>());
    let renamed = plain.send(Method::PATCH, &format!("/v1/drive/items/{file}"), json!({"name": "renamed.png"})).await;
    assert!(renamed.is_ok(), "{renamed:?}");
    assert_eq!(stranger.drive().files[file].path, "Kept/renamed.png");
    let deleted = plain.send(Method::DELETE, &format!("/v1/drive/items/{other}"), Value::Null).await;
    assert!(deleted.is_ok(), "{deleted:?}");
    assert!(!stranger.drive().files.contains_key(&other));
    assert_eq!(plain.download(file).await, PNG);
}

async fn make(stranger: &Stranger, plain: &Plain, file: &str) -> String {
    let body = json!({"prompt": "A talk about bees", "attachments": [{"file_id": file, "role": "source"}]});
    let task = plain.post("/v1/tasks", body).await;
    assert!(task.is_ok(), "{task:?}");
    let id = plain::id_of(&task.json);
    assert!(id.starts_with("task_"), "{task:?}");
    plain.follow(&id).await;
    let canvas = stranger.canvases().into_keys().next().unwrap();
    let remix = plain.post("/v1/remix", json!({"canvas_id": canvas})).await;
    assert!(remix.is_ok(), "{remix:?}");
    let synthetic = plain::id_of(&remix.json);
    let asked = plain.get(&format!("/v1/tasks/{synthetic}")).await;
    assert!([404, 422].contains(&asked.status), "{asked:?}");
    let prompted = plain.post("/v1/remix", json!({"canvas_id": canvas, "prompt": "in green"})).await;
    plain.follow(&plain::id_of(&prompted.json)).await;
    let refused = plain.post("/v1/remix", json!({"canvas_id": canvas, "callback_url": "https://a.example"})).await;
    assert_eq!(refused.status, 422, "{refused:?}");
    assert_eq!(stranger.canvases().len(), 3);
    let tasks = plain.list("/v1/tasks", "tasks").await;
    assert_eq!(tasks.len(), 2, "{tasks:?}");
    canvas
}

async fn export(plain: &Plain, canvas: &str) {
    let path = format!("/v1/canvases/{canvas}/export?format=png");
    let mut answer = plain.post(&path, Value::Null).await;
    if answer.status == 409 {
        assert_eq!(answer.header("retry-after").map(|after| after.len() > 1), Some(true), "{answer:?}");
        answer = plain.post(&path, Value::Null).await;
    }
    assert!(answer.is_ok(), "{answer:?}");
    let task = answer.json["task_id"].as_str().unwrap_or_default().to_owned();
    for _ in 0..3 {
        if answer.json["url"].is_string() {
            break;
        }
        answer = plain.get(&format!("/v1/canvases/{canvas}/export-status?task_id={task}")).await;
    }
    let bytes = plain.fetch(answer.json["url"].as_str().unwrap(), None).await;
    assert!(bytes.1.starts_with(b"\x89PNG"), "{answer:?}");
}

async fn look_at_kits(stranger: &Stranger, plain: &Plain) {
    let kit = stranger.make_kit("Northwind");
    let kits = plain.list("/v1/brand-kits", "brand_kits").await;
    assert_eq!(kits.iter().map(plain::id_of).collect::<Vec<_>>(), [kit.as_str()]);
    let path = format!("/v1/brand-kits/{kit}");
    let changed = plain.send(Method::PATCH, &path, json!({"title": "Southwind"})).await;
    assert!([200, 403, 404, 405].contains(&changed.status), "{changed:?}");
}

async fn look_at_deliveries(stranger: &Stranger, plain: &Plain) {
    let delivery = stranger.add_delivery(Delivered::Never);
    let log = plain.get("/v1/webhook_deliveries").await;
    assert!([200, 403, 404].contains(&log.status), "{log:?}");
    let again = plain.post(&format!("/v1/webhook_deliveries/{delivery}/redeliver"), Value::Null).await;
    assert!([200, 202, 403, 426].contains(&again.status), "{again:?}");
    let wrong = plain.post("/v1/webhook_deliveries/3b2f0d6c-9f0e-7d3a-8a51-0123456789ab/redeliver", Value::Null).await;
    assert!([403, 404, 426].contains(&wrong.status), "{wrong:?}");
}

#[tokio::test]
async fn a_day_without_any_switch() {
    day(&Switches::none(), LARGE).await;
}

#[tokio::test]
async fn a_day_with_every_switch_against_the_client() {
    day(&Switches::all_against(), LARGE).await;
}

#[tokio::test]
async fn a_day_with_every_switch_alone() {
    for switch in Switch::ALL {
        day(&Switches::of(&[*switch]), SIGNED).await;
    }
}

#[tokio::test]
async fn days_in_which_every_two_switches_meet() {
    for switches in Switches::covering(7) {
        day(&switches, SIGNED).await;
    }
}

#[tokio::test]
async fn the_log_has_every_request_and_no_key() {
    let (stranger, plain) = start(Switches::none()).await;
    plain.get("/v1/whoami?a=b").await;
    plain.multipart("one.png", "image/png", PNG.to_vec(), None).await;
    let log = stranger.log();
    assert_eq!((log.len(), log[0].route, log[1].route), (2, Some(Route::Whoami), Some(Route::Upload)));
    assert_eq!(log[0].query, [("a".to_owned(), "b".to_owned())]);
    assert!(log.iter().all(|entry| entry.has_key && entry.succeeded()));
    assert!(!format!("{log:?}").contains(stranger.key()));
    let file = log[1].file().unwrap();
    assert_eq!((file.name.as_str(), file.size), ("one.png", PNG.len() as u64));
    assert_eq!(stranger.taken().get(&file.sha256), Some(&1));
}
