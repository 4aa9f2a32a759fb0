//! Specification, "Endpoints" (drive items); contract, "Drive": move, rename, delete.

use serde_json::{Value, json};

use crate::service::{
    Service, all_files, all_folders, create_folder, download, names, text, unused_id, upload, upload_into,
};

#[tokio::test]
async fn every_change_answers_with_the_operation_and_the_item() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let file = text(&upload(http, "a", b"a").await["file_id"]);
    let other = create_folder(http, "Other", None).await;
    for (id, kind) in [(&file, "file"), (&other, "folder")] {
        let item = format!("/v1/drive/items/{id}");
        let changes = [
            ("move", http.post(&format!("{item}/move"), &json!({"folder_id": folder})).await, "a"),
            ("rename", http.patch(&item, &json!({"name": "b"})).await, "b"),
            ("delete", http.delete(&item).await, "b"),
        ];
        for (operation, answer, name) in changes {
            let answer = answer.expect(200);
            assert_eq!((&answer["operation"], &answer["committed"]), (&operation.into(), &true.into()), "{kind}");
            assert_eq!((&answer["item"]["id"], &answer["item"]["kind"]), (&id.as_str().into(), &kind.into()));
            assert_eq!(answer["item"]["folder_id"], folder, "{kind} {operation}");
            if kind == "file" || operation != "move" {
                assert_eq!(answer["item"]["name"], name, "{kind} {operation}");
            }
        }
    }
    assert_eq!(all_files(http).await.len(), 0);
    assert_eq!(all_folders(http).await.len(), 1);
}

#[tokio::test]
async fn a_move_to_null_goes_to_the_top() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let inner = create_folder(http, "Inner", Some(&folder)).await;
    let file = text(&upload_into(http, &folder, "a", b"a").await["file_id"]);
    for id in [&file, &inner] {
        let answer = http.post(&format!("/v1/drive/items/{id}/move"), &json!({"folder_id": null})).await.expect(200);
        assert_eq!(answer["item"]["folder_id"], Value::Null);
    }
    assert_eq!(names(&http.get("/v1/drive/files?folder_id=root").await), ["a"]);
    assert_eq!(names(&http.get("/v1/drive/folders?parent_id=root").await).len(), 2);
}

#[tokio::test]
async fn a_move_to_where_it_already_is_succeeds() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let file = text(&upload_into(http, &folder, "a", b"a").await["file_id"]);
    for _ in 0..2 {
        http.post(&format!("/v1/drive/items/{file}/move"), &json!({"folder_id": folder})).await.is(200);
    }
    http.patch(&format!("/v1/drive/items/{file}"), &json!({"name": "a"})).await.is(200);
    assert_eq!(all_files(http).await.len(), 1);
}

#[tokio::test]
async fn a_folder_cannot_be_moved_into_itself_or_below_itself() {
    let service = Service::start();
    let http = &service.http;
    let outer = create_folder(http, "outer", None).await;
    let middle = create_folder(http, "middle", Some(&outer)).await;
    let inner = create_folder(http, "inner", Some(&middle)).await;
    for target in [&outer, &middle, &inner] {
        let answer = http.post(&format!("/v1/drive/items/{outer}/move"), &json!({"folder_id": target})).await;
        answer.error(409, "conflict", "folder_circular_reference");
    }
    http.post(&format!("/v1/drive/items/{inner}/move"), &json!({"folder_id": outer})).await.is(200);
}

#[tokio::test]
async fn folders_moved_into_each_other_at_once_never_make_a_circle() {
    let service = Service::start();
    let http = &service.http;
    for round in 0..10 {
        let one = create_folder(http, &format!("one {round}"), None).await;
        let other = create_folder(http, &format!("other {round}"), None).await;
        let into = |from: String, to: String| {
            let http = http.clone();
            async move { http.post(&format!("/v1/drive/items/{from}/move"), &json!({"folder_id": to})).await }
        };
        let (first, second) = tokio::join!(into(one.clone(), other.clone()), into(other.clone(), one.clone()));
        let mut statuses = [first.status.as_u16(), second.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{first:?} {second:?}");
    }
    assert_eq!(http.get("/v1/drive/tree").await.expect(200)["tree"].as_array().map(Vec::len), Some(10));
}

#[tokio::test]
async fn a_name_taken_at_the_target_is_409_and_names_what_has_it() {
    let service = Service::start();
    let http = &service.http;
    let folder = create_folder(http, "Folder", None).await;
    let there = text(&upload_into(http, &folder, "Same.txt", b"there").await["file_id"]);
    let sub = create_folder(http, "Sub", Some(&folder)).await;
    let file = text(&upload(http, "same.TXT", b"other").await["file_id"]);
    let other = create_folder(http, "sub", None).await;
    let cases = [(&file, "file_name_conflict", &there), (&other, "folder_name_conflict", &sub)];
    for (id, code, existing) in cases {
        let item = format!("/v1/drive/items/{id}");
        let moved = http.post(&format!("{item}/move"), &json!({"folder_id": folder})).await;
        assert_eq!(moved.error(409, "conflict", code)["details"]["existing_id"], existing.as_str());
    }
    let second = text(&upload(http, "second.txt", b"second").await["file_id"]);
    let renamed = http.patch(&format!("/v1/drive/items/{second}"), &json!({"name": "SAME.txt"})).await;
    assert_eq!(renamed.error(409, "conflict", "file_name_conflict")["details"]["existing_id"], file);
    let renamed = http.patch(&format!("/v1/drive/items/{other}"), &json!({"name": "FOLDER"})).await;
    assert_eq!(renamed.error(409, "conflict", "folder_name_conflict")["details"]["existing_id"], folder);
}

#[tokio::test]
async fn a_rename_may_change_only_the_case() {
    let service = Service::start();
    let file = text(&upload(&service.http, "photo.jpg", b"a").await["file_id"]);
    let answer =
        service.http.patch(&format!("/v1/drive/items/{file}"), &json!({"name": "Photo.JPG"})).await.expect(200);
    assert_eq!(answer["item"]["name"], "Photo.JPG");
}

#[tokio::test]
async fn a_file_and_a_folder_may_have_one_name() {
    let service = Service::start();
    let folder = create_folder(&service.http, "same", None).await;
    let file = text(&upload(&service.http, "same", b"a").await["file_id"]);
    for id in [folder, file] {
        service.http.patch(&format!("/v1/drive/items/{id}"), &json!({"name": "Same"})).await.is(200);
    }
}

#[tokio::test]
async fn paths_follow_a_folder_that_moves_or_is_renamed() {
    let service = Service::start();
    let http = &service.http;
    let outer = create_folder(http, "outer", None).await;
    let inner = create_folder(http, "inner", Some(&outer)).await;
    create_folder(http, "leaf", Some(&inner)).await;
    let other = create_folder(http, "other", None).await;
    http.post(&format!("/v1/drive/items/{inner}/move"), &json!({"folder_id": other})).await.is(200);
    http.patch(&format!("/v1/drive/items/{other}"), &json!({"name": "renamed"})).await.is(200);
    let leaf = all_folders(http).await.into_iter().find(|folder| folder["name"] == "leaf").unwrap();
    assert_eq!(leaf["path"], "/renamed/inner/leaf");
}

#[tokio::test]
async fn a_folder_with_something_in_it_is_deleted_only_when_asked_to() {
    let service = Service::start();
    let http = &service.http;
    let empty = create_folder(http, "empty", None).await;
    let with_file = create_folder(http, "with file", None).await;
    let file = text(&upload_into(http, &with_file, "a", b"a").await["file_id"]);
    let with_folder = create_folder(http, "with folder", None).await;
    let inner = create_folder(http, "inner", Some(&with_folder)).await;
    let deep = text(&upload_into(http, &inner, "deep", b"deep").await["file_id"]);
    for folder in [&with_file, &with_folder] {
        for query in ["", "?recursive=false"] {
            let answer = http.delete(&format!("/v1/drive/items/{folder}{query}")).await;
            answer.error(409, "conflict", "folder_not_empty");
        }
    }
    http.delete(&format!("/v1/drive/items/{empty}")).await.is(200);
    http.delete(&format!("/v1/drive/items/{with_file}?recursive=true")).await.is(200);
    http.delete(&format!("/v1/drive/items/{with_folder}?recursive=true")).await.is(200);
    for id in [&file, &deep] {
        http.get(&format!("/v1/drive/files/{id}")).await.error(404, "not_found", "file_not_found");
    }
    assert_eq!(all_files(http).await.len() + all_folders(http).await.len(), 0);
    http.delete(&format!("/v1/drive/items/{inner}")).await.error(404, "not_found", "folder_not_found");
}

#[tokio::test]
async fn a_deleted_item_is_gone_and_a_second_deletion_says_so() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "a", b"a").await["file_id"]);
    let item = format!("/v1/drive/items/{file}");
    http.delete(&item).await.is(200);
    http.delete(&item).await.error(404, "not_found", "file_not_found");
    http.patch(&item, &json!({"name": "b"})).await.error(404, "not_found", "file_not_found");
    http.post(&format!("{item}/move"), &json!({"folder_id": null})).await.error(404, "not_found", "file_not_found");
}

#[tokio::test]
async fn a_deleted_name_is_free_again() {
    let service = Service::start();
    let http = &service.http;
    let file = text(&upload(http, "a.txt", b"1").await["file_id"]);
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    assert_eq!(upload(http, "a.txt", b"2").await["filename"], "a.txt");
    let folder = create_folder(http, "x", None).await;
    http.delete(&format!("/v1/drive/items/{folder}")).await.is(200);
    create_folder(http, "x", None).await;
}

#[tokio::test]
async fn deleting_one_of_two_files_of_the_same_bytes_leaves_the_other() {
    let service = Service::start();
    let member = service.member("member@example.test");
    let own = text(&upload(&service.http, "a", b"the same").await["file_id"]);
    service.http.patch(&format!("/v1/drive/items/{own}"), &json!({"visibility": "private"})).await.is(200);
    let other = upload(&member, "b", b"the same").await;
    assert_eq!(other["was_duplicate"], false);
    service.http.delete(&format!("/v1/drive/items/{own}")).await.is(200);
    assert_eq!(download(&member, &text(&other["file_id"])).await, b"the same".as_slice());
}

#[tokio::test]
async fn a_change_that_cannot_be_made_changes_nothing() {
    let service = Service::start();
    let http = &service.http;
    upload(http, "taken", b"taken").await;
    let file = text(&upload(http, "a", b"a").await["file_id"]);
    let item = format!("/v1/drive/items/{file}");
    let before = http.get(&format!("/v1/drive/files/{file}")).await.expect(200);
    // The name is free for nobody, so the visibility must not change either.
    http.patch(&item, &json!({"name": "taken", "visibility": "private"})).await.is(409);
    http.post(&format!("{item}/move"), &json!({"folder_id": unused_id("fld")})).await.is(404);
    http.post(&format!("{item}/move"), &json!({"folder_id": "root"})).await.is(422);
    http.patch(&item, &json!({"name": "b", "visibility": "galactic"})).await.is(422);
    assert_eq!(http.get(&format!("/v1/drive/files/{file}")).await.expect(200), before);
}
