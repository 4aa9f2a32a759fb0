//! Contract, "Drive": folders, the tree, and keys that make a repeat harmless.

use easel_tests::http::CANONICAL;
use serde_json::{Value, json};

use crate::service::{Service, all_folders, create_folder, text, upload_into};

#[tokio::test]
async fn a_new_folder_answers_201_with_its_record() {
    let service = Service::start();
    let http = &service.http;
    let outer = create_folder(http, "Outer", None).await;
    let answer = http.post("/v1/drive/folders", &json!({"name": "Inner", "parent_folder_id": outer})).await.expect(201);
    let folder = &answer["folder"];
    assert_eq!((&folder["name"], &folder["path"]), (&"Inner".into(), &"/Outer/Inner".into()));
    assert_eq!((&folder["parent_folder_id"], &folder["visibility"]), (&outer.clone().into(), &"team".into()));
    for count in ["canvas_count", "file_count", "subfolder_count"] {
        assert_eq!(folder[count], 0, "{count}");
    }
    let listed = all_folders(http).await;
    assert_eq!(listed[0], *folder, "the list shows the same record");
    upload_into(http, &outer, "a", b"a").await;
    let outer_record = all_folders(http).await.into_iter().find(|folder| folder["id"] == outer.as_str()).unwrap();
    assert_eq!((&outer_record["file_count"], &outer_record["subfolder_count"]), (&1.into(), &1.into()));
    assert_eq!((&outer_record["path"], &outer_record["parent_folder_id"]), (&"/Outer".into(), &Value::Null));
}

#[tokio::test]
async fn a_taken_name_is_409_and_names_the_folder_that_has_it() {
    let service = Service::start();
    let http = &service.http;
    let first = create_folder(http, "Gr\u{00fc}n", None).await;
    for name in ["Gr\u{00fc}n", "GR\u{00dc}N", "gru\u{0308}n"] {
        let answer = http.post("/v1/drive/folders", &json!({"name": name})).await;
        let error = answer.error(409, "conflict", "folder_name_conflict");
        assert_eq!(error["details"]["existing_id"], first, "{name}");
    }
    create_folder(http, "Gr\u{00fc}n", Some(&first)).await;
    // Among items of one kind: a file may have the same name.
    crate::service::upload(http, "Gr\u{00fc}n", b"file").await;
}

#[tokio::test]
async fn a_folder_asked_for_many_times_at_once_is_made_once() {
    let service = Service::start();
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let http = service.http.clone();
        asking.spawn(async move { http.post("/v1/drive/folders", &json!({"name": "same"})).await.status.as_u16() });
    }
    let mut statuses = asking.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[0], 201);
    assert!(statuses[1..].iter().all(|status| *status == 409), "{statuses:?}");
    assert_eq!(all_folders(&service.http).await.len(), 1);
}

#[tokio::test]
async fn the_same_idempotency_key_and_body_is_the_same_folder_again() {
    let mut service = Service::start();
    let body = json!({"name": "Once", "idempotency_key": "key-1"});
    let first = service.http.post("/v1/drive/folders", &body).await.expect(201);
    for restarted in [false, true] {
        if restarted {
            service.studio.kill();
            service.studio.restart();
        }
        let again = service.http.post("/v1/drive/folders", &body).await.success();
        assert_eq!(again["folder"]["id"], first["folder"]["id"], "restarted: {restarted}");
    }
    // The same body with its fields in another order, and through the other form of the path.
    let text_body = r#"{ "idempotency_key": "key-1",  "name": "Once" }"#;
    let again = service.http.json(http::Method::POST, "/drive/folders", text_body).await.success();
    assert_eq!(again["folder"]["id"], first["folder"]["id"]);
    assert_eq!(all_folders(&service.http).await.len(), 1);
}

#[tokio::test]
async fn the_same_idempotency_key_with_another_body_is_409() {
    let service = Service::start();
    let http = &service.http;
    let parent = create_folder(http, "Parent", None).await;
    http.post("/v1/drive/folders", &json!({"name": "a", "idempotency_key": "k"})).await.is(201);
    for body in [
        json!({"name": "b", "idempotency_key": "k"}),
        json!({"name": "a", "parent_folder_id": parent, "idempotency_key": "k"}),
    ] {
        let answer = http.post("/v1/drive/folders", &body).await;
        answer.error(409, "idempotency_conflict", "idempotency_conflict");
    }
    assert_eq!(all_folders(http).await.len(), 2);
}

#[tokio::test]
async fn an_idempotency_key_holds_for_its_api_key_only() {
    let service = Service::start();
    let other = service.studio.create_key("other");
    let other = service.anonymous().with_key(&other.key).with_version(CANONICAL);
    service.http.post("/v1/drive/folders", &json!({"name": "a", "idempotency_key": "k"})).await.is(201);
    let answer = other.post("/v1/drive/folders", &json!({"name": "b", "idempotency_key": "k"})).await.expect(201);
    assert_eq!(answer["folder"]["name"], "b");
}

#[tokio::test]
async fn a_refused_request_leaves_its_idempotency_key_free() {
    let service = Service::start();
    let http = &service.http;
    let taken = create_folder(http, "taken", None).await;
    http.post("/v1/drive/folders", &json!({"name": "taken", "idempotency_key": "k"})).await.is(409);
    http.delete(&format!("/v1/drive/items/{taken}")).await.is(200);
    http.post("/v1/drive/folders", &json!({"name": "taken", "idempotency_key": "k"})).await.is(201);
}

#[tokio::test]
async fn one_idempotency_key_many_times_at_once_makes_one_folder() {
    let service = Service::start();
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let http = service.http.clone();
        asking.spawn(async move {
            let body = json!({"name": "same", "idempotency_key": "k"});
            text(&http.post("/v1/drive/folders", &body).await.success()["folder"]["id"])
        });
    }
    let mut ids = asking.join_all().await;
    ids.dedup();
    assert_eq!(ids.len(), 1);
}

#[tokio::test]
async fn the_tree_shows_so_many_levels_and_says_what_it_left_out() {
    let service = Service::start();
    let http = &service.http;
    let mut parent: Option<String> = None;
    for level in 1..=12 {
        parent = Some(create_folder(http, &format!("level {level}"), parent.as_deref()).await);
    }
    create_folder(http, "beside", None).await;
    for (query, depth) in [("", 3), ("?depth=1", 1), ("?depth=10", 10)] {
        let tree = http.get(&format!("/v1/drive/tree{query}")).await.expect(200);
        assert_eq!((&tree["depth"], &tree["truncated"]), (&depth.into(), &true.into()), "{query}");
        assert_eq!(tree["tree"].as_array().map(Vec::len), Some(2), "{query}");
        let mut node = tree["tree"].as_array().unwrap().iter().find(|node| node["name"] == "level 1").unwrap();
        for level in 1..depth {
            assert_eq!((&node["name"], &node["children_truncated"]), (&format!("level {level}").into(), &false.into()));
            node = &node["children"][0];
        }
        assert_eq!((&node["children"], &node["children_truncated"]), (&json!([]), &true.into()), "{query}");
        assert_eq!(node["subfolder_count"], 1);
    }
    let beside = http.get("/v1/drive/tree").await.expect(200);
    let beside = beside["tree"].as_array().unwrap().iter().find(|node| node["name"] == "beside").unwrap().clone();
    assert_eq!((&beside["children"], &beside["children_truncated"]), (&json!([]), &false.into()));
    assert_eq!(service.legacy().get("/v1/drive/tree").await.expect(200)["depth"], 3);
}

#[tokio::test]
async fn a_tree_that_is_whole_says_so() {
    let service = Service::start();
    let folder = create_folder(&service.http, "a", None).await;
    create_folder(&service.http, "b", Some(&folder)).await;
    let tree = service.http.get("/v1/drive/tree?depth=2").await.expect(200);
    assert_eq!(tree["truncated"], false, "{tree}");
    assert_eq!(tree["tree"][0]["children"][0]["path"], "/a/b");
}

#[tokio::test]
async fn updated_at_moves_with_every_change_to_a_direct_child() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let other = create_folder(http, "Other", None).await;
    let inner = create_folder(http, "Inner", Some(&folder)).await;
    let mut last = updated_at(&service, &folder).await;
    let file = text(&upload_into(http, &folder, "a", b"a").await["file_id"]);
    let item = format!("/v1/drive/items/{file}");
    let sub = format!("/v1/drive/items/{inner}");
    assert_moved(&service, &folder, &mut last, "a file was uploaded into it").await;
    http.patch(&item, &json!({"name": "b"})).await.is(200);
    assert_moved(&service, &folder, &mut last, "a file in it was renamed").await;
    http.patch(&item, &json!({"visibility": "private"})).await.is(200);
    assert_moved(&service, &folder, &mut last, "a file in it became private").await;
    http.post(&format!("{item}/move"), &json!({"folder_id": other})).await.is(200);
    assert_moved(&service, &folder, &mut last, "a file was moved out of it").await;
    http.post(&format!("{item}/move"), &json!({"folder_id": folder})).await.is(200);
    assert_moved(&service, &folder, &mut last, "a file was moved into it").await;
    http.delete(&item).await.is(200);
    assert_moved(&service, &folder, &mut last, "a file in it was deleted").await;
    http.patch(&sub, &json!({"name": "Renamed"})).await.is(200);
    assert_moved(&service, &folder, &mut last, "a folder in it was renamed").await;
    create_folder(http, "Another", Some(&folder)).await;
    assert_moved(&service, &folder, &mut last, "a folder was made in it").await;
    let before = updated_at(&service, &folder).await;
    upload_into(http, &inner, "deeper", b"deeper").await;
    assert_eq!(updated_at(&service, &folder).await, before, "a grandchild is no direct child");
    http.delete(&format!("{sub}?recursive=true")).await.is(200);
    assert_moved(&service, &folder, &mut last, "a folder in it was deleted").await;
}

async fn updated_at(service: &Service, folder: &str) -> jiff::Timestamp {
    let folders = all_folders(&service.http).await;
    let folder = folders.iter().find(|record| record["id"] == folder).expect("the folder");
    text(&folder["updated_at"]).parse().unwrap()
}

async fn assert_moved(service: &Service, folder: &str, last: &mut jiff::Timestamp, why: &str) {
    let now = updated_at(service, folder).await;
    assert!(now > *last, "updated_at stood still though {why}");
    *last = now;
}
