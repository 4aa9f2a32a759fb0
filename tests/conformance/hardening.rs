//! What must not be had by a side way: by a key that is gone, by a name that is taken, by a clock that is wrong.

use std::process::Command;
use std::time::Duration;

use easel_tests::http::CANONICAL;
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio, binary, command};
use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use crate::canvases::canvas;
use crate::service::{Service, all_files, create_folder, list, names, put, sign, text, upload, upload_into};
use crate::tasks::{finish, start};

#[tokio::test]
async fn a_signed_upload_ends_with_its_key() {
    let service = Service::start();
    let key = service.studio.create_key("short-lived");
    let http = service.anonymous().with_key(&key.key).with_version(CANONICAL);
    let (one, other) = (sign(&http, "one").await, sign(&service.http, "other").await);
    service.studio.delete_key(&key.id);
    let refused = put(&http, &one, b"late").await;
    assert_eq!((refused.status.as_u16(), refused.storage_code().as_str()), (403, "ExpiredUrl"));
    put(&service.http, &other, b"in time").await.is(200);
}

#[tokio::test]
async fn a_task_is_not_read_by_others_once_its_canvas_is_private() {
    let service = Service::start();
    let (ada, ben) = (service.member("ada@example.test"), service.member("ben@example.test"));
    let task = finish(&ada, &start(&ada, &json!({"prompt": "A plan that nobody may know"})).await).await;
    let (id, canvas) = (text(&task["id"]), text(&task["result"]["canvas_id"]));
    ben.get(&format!("/v1/tasks/{id}")).await.is(200);
    assert_eq!(list(&ben.get("/v1/tasks").await).len(), 1);
    ada.patch(&format!("/v1/drive/items/{canvas}"), &json!({"visibility": "private"})).await.is(200);
    ben.get(&format!("/v1/tasks/{id}")).await.error(404, "not_found", "task_not_found");
    assert_eq!(list(&ben.get("/v1/tasks").await).len(), 0);
    assert_eq!(ben.with_version("2026-04-12").get("/v1/tasks").await.expect(200)["total"], 0);
    ben.post(&format!("/v1/tasks/{id}/cancel"), &json!({})).await.is(404);
    ada.get(&format!("/v1/tasks/{id}")).await.is(200);
    ada.patch(&format!("/v1/drive/items/{canvas}"), &json!({"visibility": "team"})).await.is(200);
    ben.get(&format!("/v1/tasks/{id}")).await.is(200);
}

#[tokio::test]
async fn no_name_conflict_tells_of_what_is_private() {
    let service = Service::start();
    let (ada, ben) = (service.member("ada@example.test"), service.member("ben@example.test"));
    let folder = create_folder(&ada, "Layoffs", None).await;
    let file = text(&upload(&ada, "offer.txt", b"ada's").await["file_id"]);
    let deck = canvas(&ada, "Secret deck").await;
    for item in [&folder, &file, &deck] {
        ada.patch(&format!("/v1/drive/items/{item}"), &json!({"visibility": "private"})).await.is(200);
    }
    let other = create_folder(&ben, "other", None).await;
    let renamed = ben.patch(&format!("/v1/drive/items/{other}"), &json!({"name": "layoffs"})).await.expect(200);
    assert_eq!(renamed["item"]["name"], "layoffs");
    assert_eq!(upload(&ben, "offer.txt", b"ben's").await["filename"], "offer.txt");
    let parent = create_folder(&ben, "parent", None).await;
    let within = text(&upload_into(&ben, &parent, "Offer (2).txt", b"within").await["file_id"]);
    ben.post(&format!("/v1/drive/items/{within}/move"), &json!({"folder_id": null})).await.is(200);
    let made = finish(&ben, &start(&ben, &json!({"prompt": "x", "canvas_name": "Secret deck"})).await).await;
    assert_eq!(made["result"]["canvas_name"], "Secret deck");
    // Nor do the numbers that names get: none is passed over.
    assert_eq!(upload(&ben, "offer.txt", b"ben's other").await["filename"], "offer (3).txt", "(2) is his own");
    let numbered = text(&upload(&ada, "report (2).txt", b"ada's report").await["file_id"]);
    ada.patch(&format!("/v1/drive/items/{numbered}"), &json!({"visibility": "private"})).await.is(200);
    for (content, name) in [(b"1", "report.txt"), (b"2", "report (2).txt"), (b"3", "report (3).txt")] {
        assert_eq!(upload(&ben, "report.txt", content).await["filename"], name);
    }
    // What was there is still there, and has a number.
    let seen = ada.get(&format!("/v1/drive/files/{file}")).await.expect(200);
    assert_eq!(seen["file"]["name"], "offer (2) (2).txt");
    assert!(names(&ada.get("/v1/drive/folders").await).contains(&"Layoffs (2)".to_owned()));
    // What both see is a conflict as ever.
    let taken = ada.post("/v1/drive/folders", &json!({"name": "LAYOFFS"})).await;
    assert_eq!(taken.error(409, "conflict", "folder_name_conflict")["details"]["existing_id"], other);
}

#[tokio::test]
async fn a_callback_address_has_no_password() {
    let service = Service::start_with(Options::new().flag("--allow-local-callbacks"));
    for url in ["https://user:secret@hook.example/", "https://user@hook.example/", "http://:secret@127.0.0.1:1/"] {
        let answer = service.http.post("/v1/tasks", &json!({"prompt": "x", "callback_url": url})).await;
        answer.error(422, "unprocessable", "callback_url_not_allowed");
    }
}

#[tokio::test]
async fn a_lost_key_file_is_refused_with_words_and_not_replaced() {
    let mut studio = Studio::start(Options::new());
    let key = studio.create_key("k");
    studio.stop();
    let (file, safe) = (studio.data_dir.join("studio.key"), studio.data_dir.join("safe"));
    std::fs::rename(&file, &safe).unwrap();
    let mut serve = Command::new("timeout");
    serve.arg("10").arg(binary()).args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&studio.data_dir);
    for refused in [serve.output().unwrap(), command(&studio.data_dir, &["keys", "create", "other"])] {
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("studio.key is missing") && said.contains("keys replace-file"), "{said}");
        assert!(!file.exists(), "it is not replaced");
    }
    std::fs::rename(&safe, &file).unwrap();
    assert_eq!(command(&studio.data_dir, &["keys", "replace-file"]).status.code(), Some(2), "one that is there stays");
    std::fs::remove_file(&file).unwrap();
    assert!(command(&studio.data_dir, &["keys", "replace-file"]).status.success());
    studio.restart();
    let http = easel_tests::http::Http::new(&studio.base_url).with_key(&key.key).with_version(CANONICAL);
    http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn a_clock_that_goes_back_hides_nothing_from_updated_since() {
    let mut service = Service::start();
    upload(&service.http, "before", b"before").await;
    service.studio.stop();
    set_ahead(&service).await;
    service.studio.restart();
    let seen = text(&all_files(&service.http).await[0]["updated_at"]).replace('+', "%2B");
    let since = async |resource: &str| {
        names(&service.http.get(&format!("/v1/drive/{resource}?updated_since={seen}&sort=name")).await)
    };
    let file = text(&upload(&service.http, "new", b"new").await["file_id"]);
    let folder = create_folder(&service.http, "folder", None).await;
    let deck = canvas(&service.http, "deck").await;
    assert_eq!(
        (since("files").await, since("folders").await),
        (vec!["before".into(), "new".into()], vec!["folder".into()])
    );
    let listed = list(&service.http.get("/v1/canvases").await);
    assert!(
        listed[0]["id"] == deck.as_str() && text(&listed[0]["updated_at"]) > seen.replace("%2B", "+"),
        "{listed:?}"
    );
    service.http.patch(&format!("/v1/drive/items/{file}"), &json!({"name": "renamed"})).await.is(200);
    service.http.patch(&format!("/v1/drive/items/{folder}"), &json!({"name": "moved"})).await.is(200);
    assert_eq!((since("files").await[1].clone(), since("folders").await), ("renamed".to_owned(), vec!["moved".into()]));
}

#[tokio::test]
async fn a_clock_that_goes_back_hides_nothing_after_the_newest_was_deleted() {
    let mut service = Service::start();
    let newest = text(&upload(&service.http, "newest", b"newest").await["file_id"]);
    service.studio.stop();
    set_ahead(&service).await;
    service.studio.restart();
    let seen = text(&all_files(&service.http).await[0]["updated_at"]).replace('+', "%2B");
    service.http.delete(&format!("/v1/drive/items/{newest}")).await.is(200);
    upload(&service.http, "next", b"next").await;
    assert_eq!(names(&service.http.get(&format!("/v1/drive/files?updated_since={seen}")).await), ["next"]);
}

/// Puts what the files say of their changes an hour ahead of what the clock says from now on.
async fn set_ahead(service: &Service) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(service.studio.data_dir.join("studio.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let ahead = "UPDATE files SET updated_at = updated_at + 3600000000";
    sqlx::query(ahead).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[test]
fn a_change_of_a_role_is_one_line_of_the_log_once_it_holds() {
    let studio = Studio::start(Options::new());
    studio.add_user("ben@example.test", "member");
    let lines = |arguments: &[&str], words: &[&str]| {
        let output = studio.command(arguments);
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        log.lines().filter(|line| words.iter().all(|word| line.contains(word))).count()
    };
    let changed = ["INFO", "role changed", "from=\"member\"", "to=\"admin\""];
    assert_eq!(lines(&["users", "role", "ben@example.test", "admin"], &changed), 1);
    assert_eq!(lines(&["users", "role", "owner@localhost", "member"], &["role changed"]), 0, "the only owner");
    assert_eq!(lines(&["users", "remove", "ben@example.test"], &["INFO", "user removed"]), 1);
}

#[tokio::test]
async fn deletions_and_refused_keys_are_one_line_of_the_log() {
    let service = Service::start();
    let file = text(&upload(&service.http, "a", b"a").await["file_id"]);
    service.http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    let strange = "svc_live_1111111111111111111111111111111111111111";
    service.anonymous().with_key(strange).get("/v1/whoami").await.is(401);
    service.anonymous().with_key(strange).get(&format!("/v1/drive/{}", "x".repeat(50_000))).await.is(401);
    service.anonymous().get("/v1/whoami").await.is(401);
    let log = wait_for("the last line of the log", Duration::from_secs(20), async || {
        let log = service.studio.log();
        if log.contains("/v1/drive/xxx") { Ok(log) } else { Err(log) }
    })
    .await;
    assert!(log.lines().all(|line| line.len() < 1_000), "a stranger's path makes no line long");
    let count = |words: &[&str]| log.lines().filter(|line| words.iter().all(|word| line.contains(word))).count();
    assert_eq!(count(&["INFO", "deleted", &file]), 1, "{log}");
    assert_eq!(count(&["INFO", "key refused", "127.0.0.1", "/v1/whoami"]), 1, "{log}");
    assert!(!log.contains(strange), "{log}");
}
