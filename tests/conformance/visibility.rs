//! Contract, "Drive" (visibility) and "Uploads" (deduplication looks only among what the caller may see).

use easel_tests::http::Http;
use serde_json::json;

use crate::service::{Service, all_files, all_folders, create_folder, stage, text, upload, upload_into};

async fn make_private(http: &Http, id: &str) {
    let answer = http.patch(&format!("/v1/drive/items/{id}"), &json!({"visibility": "private"})).await.expect(200);
    assert_eq!(answer["item"]["visibility"], "private");
}

#[tokio::test]
async fn a_private_file_is_not_there_for_another_member() {
    let service = Service::start();
    let (one, other) = (service.member("one@example.test"), service.member("other@example.test"));
    let id = text(&upload(&one, "mine", b"mine").await["file_id"]);
    assert_eq!(all_files(&other).await.len(), 1, "what is the team's is everyone's");
    make_private(&one, &id).await;
    assert_eq!(all_files(&one).await.len(), 1);
    assert_eq!(all_files(&other).await.len(), 0);
    assert_eq!(other.get("/v1/drive/files").await.expect(200)["total"], 0);
    let item = format!("/v1/drive/items/{id}");
    for answer in [
        other.get(&format!("/v1/drive/files/{id}")).await,
        other.get(&format!("/v1/drive/files/{id}/download")).await,
        other.post(&format!("{item}/move"), &json!({"folder_id": null})).await,
        other.patch(&item, &json!({"name": "stolen"})).await,
        other.patch(&item, &json!({"visibility": "team"})).await,
        other.delete(&item).await,
    ] {
        answer.error(404, "not_found", "file_not_found");
    }
    one.patch(&item, &json!({"visibility": "team"})).await.is(200);
    assert_eq!(all_files(&other).await.len(), 1);
}

#[tokio::test]
async fn what_is_in_a_private_folder_is_private_too() {
    let service = Service::start();
    let (one, other) = (service.member("one@example.test"), service.member("other@example.test"));
    let folder = create_folder(&one, "mine", None).await;
    let inner = create_folder(&one, "inner", Some(&folder)).await;
    let file = text(&upload_into(&one, &inner, "deep", b"deep").await["file_id"]);
    make_private(&one, &folder).await;
    let record = one.get(&format!("/v1/drive/files/{file}")).await.expect(200);
    assert_eq!(
        (&record["file"]["visibility"], &record["file"]["visibility_inherited"]),
        (&"private".into(), &true.into())
    );
    assert_eq!(all_files(&other).await.len() + all_folders(&other).await.len(), 0);
    assert_eq!(other.get("/v1/drive/tree").await.expect(200)["tree"], json!([]));
    other.get(&format!("/v1/drive/files/{file}")).await.error(404, "not_found", "file_not_found");
    other.get(&format!("/v1/drive/files/{file}/download")).await.error(404, "not_found", "file_not_found");
    for id in [&folder, &inner] {
        let code = "folder_not_found";
        other.get(&format!("/v1/drive/files?folder_id={id}")).await.error(404, "not_found", code);
        other.delete(&format!("/v1/drive/items/{id}?recursive=true")).await.error(404, "not_found", code);
        let body = json!({"name": "x", "parent_folder_id": id});
        other.post("/v1/drive/folders", &body).await.error(404, "not_found", code);
        let own = text(&upload(&other, "own", id.as_bytes()).await["file_id"]);
        other.post(&format!("/v1/drive/items/{own}/move"), &json!({"folder_id": id})).await.error(
            404,
            "not_found",
            code,
        );
    }
}

#[tokio::test]
async fn deduplication_does_not_find_another_members_private_file() {
    let service = Service::start();
    let (one, other) = (service.member("one@example.test"), service.member("other@example.test"));
    let mine = text(&upload(&one, "secret name.txt", b"the same bytes").await["file_id"]);
    make_private(&one, &mine).await;
    let direct = upload(&other, "a.txt", b"the same bytes").await;
    assert_eq!(direct["was_duplicate"], false);
    assert_ne!(direct["file_id"], mine);
    assert!(!direct.to_string().contains("secret name"));

    // By a signed URL too.
    let mine = text(&upload(&one, "another secret.txt", b"other bytes").await["file_id"]);
    make_private(&one, &mine).await;
    let storage_key = stage(&other, "b.txt", b"other bytes").await;
    let staged = other.post("/v1/uploads/register", &json!({"storage_key": storage_key})).await.expect(201);
    assert_eq!(staged["was_duplicate"], false);
    assert_ne!(staged["file_id"], mine);

    // The member's own private file is found.
    let again = upload(&one, "c.txt", b"other bytes").await;
    assert_eq!(again["was_duplicate"], true);
}

#[tokio::test]
async fn deduplication_does_not_find_what_lies_in_another_members_private_folder() {
    let service = Service::start();
    let (one, other) = (service.member("one@example.test"), service.member("other@example.test"));
    let folder = create_folder(&one, "mine", None).await;
    upload_into(&one, &folder, "a", b"bytes").await;
    make_private(&one, &folder).await;
    assert_eq!(upload(&other, "b", b"bytes").await["was_duplicate"], false);
}

#[tokio::test]
async fn a_storage_key_is_registered_by_who_signed_it() {
    let service = Service::start();
    let (one, other) = (service.member("one@example.test"), service.member("other@example.test"));
    let storage_key = stage(&one, "mine", b"mine").await;
    let body = json!({"storage_key": storage_key});
    other.post("/v1/uploads/register", &body).await.error(404, "not_found", "upload_not_found");
    one.post("/v1/uploads/register", &body).await.is(201);
    other.post("/v1/uploads/register", &body).await.error(404, "not_found", "upload_not_found");
}

#[tokio::test]
async fn counts_and_name_conflicts_do_not_tell_of_what_is_private() {
    let service = Service::start();
    let (one, other) = (service.member("one@example.test"), service.member("other@example.test"));
    let shared = create_folder(&one, "shared", None).await;
    let file = text(&upload_into(&one, &shared, "hidden.txt", b"hidden").await["file_id"]);
    make_private(&one, &file).await;
    let answer = upload_into(&other, &shared, "hidden.txt", b"other").await;
    assert_ne!(answer["file_id"], file);
    let own = text(&answer["file_id"]);
    let answer = other.patch(&format!("/v1/drive/items/{own}"), &json!({"name": "HIDDEN.TXT"})).await;
    assert!(!answer.value().to_string().contains(&file), "the id of a private file: {answer:?}");
}
