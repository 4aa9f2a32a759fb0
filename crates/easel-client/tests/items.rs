//! Changes to items whose answers are lost: each happens once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use easel_client::Error;
use easel_wire::drive::Visibility;
use easel_wire::{FolderId, ItemRef};
use serde_json::{Value, json};
use stub::{FILE_ID, FOLDER_ID, OTHER_FOLDER_ID, Reaction, Request, Stub, refusal};

fn file() -> ItemRef {
    FILE_ID.parse().unwrap()
}

fn folder() -> FolderId {
    FOLDER_ID.parse().unwrap()
}

fn changed(operation: &str) -> Reaction {
    stub::json(
        200,
        &json!({"operation": operation, "committed": true, "item": {"id": FILE_ID, "kind": "file", "name": "b"}}),
    )
}

/// A service that acts on the first change and loses its answer, where `acts`; else it loses the change.
async fn losing_once(acts: bool, before: Value, after: Value) -> Stub {
    let mut changes = 0;
    let mut happened = false;
    Stub::start(move |request: &Request| {
        if request.method == "GET" {
            let item = if happened { &after } else { &before };
            let is_file = request.target.contains("/drive/files/");
            return stub::json(
                200,
                &if is_file { json!({"file": item}) } else { json!({"data": [item], "next_cursor": null}) },
            );
        }
        changes += 1;
        if changes == 1 {
            happened = acts;
            return Reaction::LoseAnswer;
        }
        happened = true;
        changed("again")
    })
    .await
}

fn changes_seen(stub: &Stub) -> usize {
    stub.seen().iter().filter(|request| request.method != "GET").count()
}

#[tokio::test]
async fn a_move_whose_answer_was_lost_is_looked_up_before_it_is_asked_for_again() {
    let (before, after) =
        (json!({"id": FILE_ID, "name": "a"}), json!({"id": FILE_ID, "name": "a", "folder_id": FOLDER_ID}));
    let stub = losing_once(true, before.clone(), after.clone()).await;
    let moved = stub.client().move_item(file(), Some(folder())).await.unwrap();
    assert_eq!(moved.folder_id, Some(Some(folder())));
    assert_eq!(changes_seen(&stub), 1);
    assert_eq!(stub.seen()[0].json(), json!({"folder_id": FOLDER_ID}));

    let stub = losing_once(false, before, after).await;
    stub.client().move_item(file(), Some(folder())).await.unwrap();
    assert_eq!(changes_seen(&stub), 2);
}

#[tokio::test]
async fn a_move_to_the_top_says_so() {
    let stub = Stub::start(|_| changed("move")).await;
    stub.client().move_item(file(), None).await.unwrap();
    assert_eq!(stub.seen()[0].json(), json!({"folder_id": null}));
    assert_eq!(stub.seen()[0].line(), format!("POST /v1/drive/items/{FILE_ID}/move"));
}

#[tokio::test]
async fn a_rename_and_a_visibility_whose_answers_were_lost_are_looked_up() {
    let before = json!({"id": FILE_ID, "name": "a", "visibility": "team"});
    let after = json!({"id": FILE_ID, "name": "b", "visibility": "private"});
    let stub = losing_once(true, before.clone(), after.clone()).await;
    let renamed = stub.client().rename_item(file(), "b").await.unwrap();
    assert_eq!(renamed.name.as_deref(), Some("b"));
    assert_eq!(changes_seen(&stub), 1);

    let stub = losing_once(true, before, after).await;
    stub.client().set_visibility(file(), &Visibility::Private).await.unwrap();
    assert_eq!(changes_seen(&stub), 1);
    assert_eq!(stub.seen()[0].json(), json!({"visibility": "private"}));
}

#[tokio::test]
async fn a_folder_is_looked_up_in_the_list() {
    let item = ItemRef::Folder(folder());
    let before = json!({"id": FOLDER_ID, "name": "a"});
    let after = json!({"id": FOLDER_ID, "name": "a", "parent_folder_id": OTHER_FOLDER_ID});
    let stub = losing_once(true, before, after).await;
    let moved = stub.client().move_item(item, Some(OTHER_FOLDER_ID.parse().unwrap())).await.unwrap();
    assert_eq!((changes_seen(&stub), moved.id.map(|id| id.kind_name())), (1, Some("folder")));
}

#[tokio::test]
async fn a_change_that_stays_unanswered_ends_as_a_lost_answer() {
    let stub = Stub::start(|request| match request.method.as_str() {
        "GET" => stub::json(200, &json!({"file": {"id": FILE_ID, "name": "a"}})),
        _ => Reaction::LoseAnswer,
    })
    .await;
    let error = stub.client().rename_item(file(), "b").await.unwrap_err();
    assert!(matches!(error, Error::AnswerLost { .. }), "{error:?}");
    assert_eq!(changes_seen(&stub), 4);
}

#[tokio::test]
async fn a_refused_change_is_not_asked_for_again() {
    let stub = Stub::start(|_| {
        stub::json(
            409,
            &json!({"error": {"type": "conflict", "code": "file_name_conflict", "details": {"existing_id": FILE_ID}}}),
        )
    })
    .await;
    let error = stub.client().rename_item(file(), "b").await.unwrap_err();
    assert_eq!((error.code(), error.existing_id()), (Some("file_name_conflict"), Some(FILE_ID)));
    assert_eq!(stub.seen().len(), 1);
}

#[tokio::test]
async fn a_delete_that_finds_nothing_on_its_repeat_has_happened() {
    let mut deletes = 0;
    let stub = Stub::start(move |_| {
        deletes += 1;
        if deletes == 1 { Reaction::LoseAnswer } else { refusal(404, "not_found", "file_not_found") }
    })
    .await;
    let deleted = stub.client().delete_item(file(), true).await.unwrap();
    assert_eq!(deleted.name, None);
    assert_eq!(stub.seen()[0].target, format!("/v1/drive/items/{FILE_ID}?recursive=true"));
}

#[tokio::test]
async fn a_delete_of_what_was_never_there_is_an_error() {
    let stub = Stub::start(|_| refusal(404, "not_found", "file_not_found")).await;
    assert_eq!(stub.client().delete_item(file(), false).await.unwrap_err().code(), Some("file_not_found"));
    // A service that cannot delete at all has not deleted either.
    let mut deletes = 0;
    let stub = Stub::start(move |_| {
        deletes += 1;
        if deletes == 1 { Reaction::LoseAnswer } else { Reaction::Answer(404, vec![], vec![]) }
    })
    .await;
    assert!(matches!(stub.client().delete_item(file(), false).await, Err(Error::RouteMissing)));
}

#[tokio::test]
async fn a_folder_whose_answer_was_lost_is_asked_for_again_under_the_same_key() {
    let mut creates = 0;
    let stub = Stub::start(move |_| {
        creates += 1;
        if creates == 1 {
            Reaction::LoseAnswer
        } else {
            stub::json(201, &json!({"folder": {"id": FOLDER_ID, "name": "a"}}))
        }
    })
    .await;
    let made = stub.client().create_folder("a", None, "key-1").await.unwrap();
    assert_eq!(made.id, folder());
    let keys: Vec<_> = stub.seen().iter().map(|request| request.json()["idempotency_key"].clone()).collect();
    assert_eq!(keys, ["key-1", "key-1"]);
}
