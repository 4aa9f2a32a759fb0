//! Contract, "Drive": versions, an addition to the specification's routes. A file gets new content under its id, and what it held
//! is kept, listed, downloaded and restored.

use easel_tests::http::{Answer, Http};
use serde_json::{Value, json};

use crate::service::{
    Service, all_files, content_hash, create_folder, download, list, put, register, sign, stage, text, upload,
    upload_into,
};

fn content_of(file: &str) -> String {
    format!("/v1/drive/files/{file}/content")
}

async fn replace(http: &Http, file: &str, content: &[u8]) -> Answer {
    let key = stage(http, "new", content).await;
    http.post(&content_of(file), &json!({"storage_key": key})).await
}

async fn versions(http: &Http, file: &str) -> Vec<Value> {
    let answer = http.get(&format!("/v1/drive/files/{file}/versions")).await.expect(200);
    assert_eq!(answer["most_versions"], 20);
    answer["versions"].as_array().expect("versions").clone()
}

/// The contents of the versions, the newest first, as they are downloaded.
async fn contents(http: &Http, file: &str) -> Vec<String> {
    let mut contents = Vec::new();
    for version in versions(http, file).await {
        let path = format!("/v1/drive/files/{file}/versions/{}/content", text(&version["id"]));
        let answer = http.get(&path).await;
        answer.is(200);
        let content = String::from_utf8(answer.body.to_vec()).expect("text");
        assert_eq!(version["content_hash"], content_hash(content.as_bytes()));
        assert_eq!(version["size_bytes"], content.len());
        contents.push(content);
    }
    contents
}

async fn restore(http: &Http, file: &str, version: &Value) -> Answer {
    http.post(&format!("/v1/drive/files/{file}/versions/{}/restore", text(&version["id"])), &Value::Null).await
}

#[tokio::test]
async fn a_file_gets_new_content_under_its_id_and_what_it_held_comes_back() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let file = text(&upload_into(http, &folder, "plan.txt", b"one").await["file_id"]);
    let before = http.get(&format!("/v1/drive/files/{file}")).await.expect(200)["file"].clone();
    assert!(versions(http, &file).await.is_empty());

    let key = stage(http, "other name.bin", b"two").await;
    let body = json!({"storage_key": key, "mime_type": "text/plain", "expected_content_hash": content_hash(b"one")});
    let after = http.post(&content_of(&file), &body).await.expect(200)["file"].clone();
    for field in ["id", "name", "folder_id", "created_at", "created_by", "visibility", "url"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!((&after["content_hash"], &after["size_bytes"]), (&json!(content_hash(b"two")), &json!(3)));
    assert_eq!(after["mime_type"], "text/plain");
    assert!(text(&after["updated_at"]) > text(&before["updated_at"]));
    assert_eq!(download(http, &file).await, b"two".as_slice());
    assert_eq!(contents(http, &file).await, ["one"]);
    // An answer that was lost is asked for again, and nothing happens twice.
    assert_eq!(http.post(&content_of(&file), &body).await.expect(200)["file"], after);
    assert_eq!(contents(http, &file).await, ["one"]);
    // The same content is no change.
    replace(http, &file, b"two").await.is(200);
    assert_eq!(contents(http, &file).await, ["one"]);

    replace(http, &file, b"three").await.is(200);
    assert_eq!(contents(http, &file).await, ["two", "one"]);
    let oldest = versions(http, &file).await[1].clone();
    assert_eq!(oldest["created_at"], before["created_at"]);
    let restored = restore(http, &file, &oldest).await.expect(200)["file"].clone();
    assert_eq!(restored["content_hash"], content_hash(b"one"));
    assert_eq!(download(http, &file).await, b"one".as_slice());
    assert_eq!(contents(http, &file).await, ["three", "two"]);
    restore(http, &file, &oldest).await.error(404, "not_found", "version_not_found");
    assert_eq!(all_files(http).await.len(), 1, "it is one file");
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "plan.txt", b"one").await["file_id"]);
    let other = text(&upload(http, "other.txt", b"other").await["file_id"]);
    let key = stage(http, "new", b"two").await;
    let ask = async |file: &str, body: Value| http.post(&content_of(file), &body).await;
    let changed = ask(&file, json!({"storage_key": key, "expected_content_hash": content_hash(b"zero")})).await;
    changed.error(409, "conflict", "content_changed");
    for hash in ["", "one", "sha256:00", "md5:0"] {
        let answer = ask(&file, json!({"storage_key": key, "expected_content_hash": hash})).await;
        answer.error(422, "unprocessable", "validation_failed");
    }
    ask(&file, json!({"storage_key": key, "name": "x"})).await.error(422, "unprocessable", "validation_failed");
    ask(&file, json!({"storage_key": "pending/none"})).await.error(404, "not_found", "upload_not_found");
    let unsent = text(&sign(http, "unsent").await["storage_key"]);
    ask(&file, json!({"storage_key": unsent})).await.error(404, "not_found", "upload_not_found");
    let unknown = crate::service::unused_id("file");
    ask(&unknown, json!({"storage_key": key})).await.error(404, "not_found", "file_not_found");
    let member = service.member("ada@example.test");
    let foreign = stage(&member, "foreign", b"foreign").await;
    ask(&file, json!({"storage_key": foreign})).await.error(404, "not_found", "upload_not_found");
    assert_eq!((download(http, &file).await, versions(http, &file).await.len()), ("one".into(), 0));

    // After all that the bytes are still there.
    ask(&file, json!({"storage_key": key})).await.is(200);
    ask(&other, json!({"storage_key": key})).await.error(404, "not_found", "upload_not_found");
    let version = versions(http, &file).await[0].clone();
    restore(http, &other, &version).await.error(404, "not_found", "version_not_found");
    assert_eq!(register(http, &key).await.success()["file_id"], file.as_str());

    // What a member does not see has no versions either.
    http.patch(&format!("/v1/drive/items/{file}"), &json!({"visibility": "private"})).await.is(200);
    member.get(&format!("/v1/drive/files/{file}/versions")).await.error(404, "not_found", "file_not_found");
    restore(&member, &file, &version).await.error(404, "not_found", "file_not_found");
    replace(&member, &file, b"theirs").await.error(404, "not_found", "file_not_found");
}

#[tokio::test]
async fn versions_are_kept_to_a_bound_and_nobody_pushes_out_anothers() {
    let service = Service::start();
    let (ada, ben) = (service.member("ada@example.test"), service.member("ben@example.test"));
    let file = text(&upload(&ada, "plan.txt", b"ada's first").await["file_id"]);
    replace(&ada, &file, b"ada's second").await.is(200);
    for number in 0..23 {
        replace(&ben, &file, format!("ben's {number}").as_bytes()).await.is(200);
    }
    let kept = contents(&ada, &file).await;
    assert_eq!(kept.len(), 20);
    assert_eq!((kept[0].as_str(), kept[17].as_str()), ("ben's 21", "ben's 4"));
    assert_eq!(kept[18..], ["ada's second", "ada's first"]);
    let first = versions(&ada, &file).await[19].clone();
    assert_eq!(first["created_by"]["email"], "ada@example.test");
    restore(&ada, &file, &first).await.is(200);
    assert_eq!(download(&ben, &file).await, b"ada's first".as_slice());
}

#[tokio::test]
async fn versions_go_into_the_trash_and_come_back_and_go_for_good_with_their_file() {
    let mut service = Service::start();
    let (ada, ben) = (service.member("ada@example.test"), service.member("ben@example.test"));
    let file = text(&upload(&ada, "plan.txt", b"one").await["file_id"]);
    replace(&ben, &file, b"two by ben").await.is(200);
    replace(&ada, &file, b"three").await.is(200);
    let entry = format!("/v1/drive/trash/{file}");
    ada.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    ada.get(&format!("/v1/drive/files/{file}/versions")).await.error(404, "not_found", "file_not_found");
    // What it held once is Ben's: she made the file, and not all of it.
    ada.delete(&entry).await.is(403);
    assert_eq!(ada.delete("/v1/drive/trash").await.expect(200)["removed"], 0);
    ada.post(&format!("{entry}/restore"), &Value::Null).await.is(200);
    assert_eq!(contents(&ada, &file).await, ["two by ben", "one"]);
    // A backup, a verification and a start know of versions.
    let verified = |service: &Service| {
        let output = service.studio.command(&["verify", "--json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    };
    verified(&service);
    service.studio.stop();
    service.studio.restart();
    assert_eq!(contents(&ada, &file).await, ["two by ben", "one"]);

    ada.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    service.http.delete(&entry).await.is(200);
    assert!(list(&service.http.get("/v1/drive/trash").await).is_empty());
    service.studio.stop();
    verified(&service);
    for content in [b"one".as_slice(), b"two by ben", b"three"] {
        let digits = content_hash(content).replace("sha256:", "");
        let left = walk(&service.studio.data_dir.join("blobs"));
        assert!(!left.iter().any(|name| name.contains(&digits[4..])), "{left:?}");
    }
}

/// The paths of all files below a folder.
fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else {
            found.push(path.display().to_string());
        }
    }
    found
}

#[tokio::test]
async fn versions_count_for_the_quota() {
    let service = Service::start();
    let http = &service.http;
    let usage = || -> Value {
        let output = service.studio.command(&["quotas", "set"]);
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let file = text(&upload(http, "plan.txt", &[1; 100]).await["file_id"]);
    replace(http, &file, &[2; 250]).await.is(200);
    let used = usage();
    assert_eq!((&used["used_bytes"], &used["used_files"]), (&json!(350), &json!(1)));
    assert!(service.studio.command(&["quotas", "set", "--bytes", "400"]).status.success());
    let signed = sign(http, "large").await;
    let refused = put(http, &signed, &[3; 51]).await;
    assert_eq!((refused.status.as_u16(), refused.storage_code().as_str()), (403, "QuotaExceeded"));
    replace(http, &file, &[3; 50]).await.is(200);
    assert_eq!(usage()["used_bytes"], 400);
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    assert_eq!(usage()["used_bytes"], 400, "in the trash it counts");
    http.delete("/v1/drive/trash").await.is(200);
    assert_eq!((&usage()["used_bytes"], &usage()["used_files"]), (&json!(0), &json!(0)));
}

#[tokio::test]
async fn a_deletion_that_names_what_the_file_holds_spares_what_someone_has_changed() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "plan.txt", b"one").await["file_id"]);
    let delete = async |hash: &str| http.delete(&format!("/v1/drive/items/{file}?expected_content_hash={hash}")).await;
    assert!(replace(http, &file, b"two").await.status == 200);
    delete(&content_hash(b"one")).await.error(409, "conflict", "content_changed");
    delete("one").await.error(422, "unprocessable", "validation_failed");
    assert_eq!(download(http, &file).await, "two");
    delete(&content_hash(b"two")).await.is(200);
    http.get(&format!("/v1/drive/files/{file}")).await.error(404, "not_found", "file_not_found");
    // A folder holds nothing by itself: the condition is a file's.
    let folder = create_folder(http, "plans", None).await;
    let query = format!("?expected_content_hash={}", content_hash(b"one"));
    http.delete(&format!("/v1/drive/items/{folder}{query}")).await.is(200);
}
