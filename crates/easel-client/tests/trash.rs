//! The trash: deleted items of a service that keeps them, and of one that does not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use easel_client::{Error, Feature, PageRequest};
use easel_wire::{FileId, ItemRef};
use serde_json::json;
use stub::{FILE_ID, Reaction, Stub};

fn file() -> ItemRef {
    ItemRef::File(FILE_ID.parse::<FileId>().unwrap())
}

#[tokio::test]
async fn what_was_deleted_is_listed_though_little_is_said_of_it() {
    let stub = Stub::start(|_| {
        let items = json!([
            {"id": FILE_ID, "kind": "file", "name": "a.txt", "folder_id": null, "deleted_by": {"name": "Ada"}, "size_bytes": "3", "moon": 1},
            {"id": "fld_00000000000000000000000002", "file_count": 2},
        ]);
        stub::json(200, &json!({"data": items, "has_more": true, "next_cursor": "further", "total": 9}))
    })
    .await;
    let client = stub.client();
    let request = PageRequest { limit: Some(2), cursor: Some("here".to_owned()), ..PageRequest::default() };
    let page = client.list_trash(&request).await.unwrap();
    assert_eq!((page.items.len(), page.unreadable, page.next_cursor.as_deref()), (2, 0, Some("further")));
    let [one, other] = page.items.as_slice() else { panic!("two") };
    assert_eq!((one.id, one.name.as_str(), one.folder_id, one.size_bytes), (file(), "a.txt", Some(None), Some(3)));
    assert_eq!((other.name.as_str(), other.folder_id, other.deleted_at, other.file_count), ("", None, None, 2));
    assert_eq!(stub.seen()[0].target, "/v1/drive/trash?limit=2&cursor=here");
    assert_eq!(client.offers(Feature::Trash), Some(true));
}

#[tokio::test]
async fn what_left_the_trash_by_a_request_without_an_answer_has_left_it() {
    for restores in [true, false] {
        let mut asked = 0;
        let stub = Stub::start(move |_| {
            asked += 1;
            if asked == 1 { Reaction::LoseAnswer } else { stub::refusal(404, "not_found", "file_not_found") }
        })
        .await;
        let client = stub.client();
        let line = if restores {
            assert_eq!(client.restore_item(file()).await.unwrap().id, Some(file()));
            format!("POST /v1/drive/trash/{FILE_ID}/restore")
        } else {
            client.remove_for_good(file()).await.unwrap();
            format!("DELETE /v1/drive/trash/{FILE_ID}")
        };
        assert_eq!(stub.seen().iter().map(stub::Request::line).collect::<Vec<_>>(), [line.clone(), line]);
    }
}

#[tokio::test]
async fn what_is_not_in_the_trash_does_not_come_back() {
    let stub = Stub::start(|_| stub::refusal(404, "not_found", "file_not_found")).await;
    let refused = stub.client().restore_item(file()).await.unwrap_err();
    assert_eq!((refused.code(), stub.seen().len()), (Some("file_not_found"), 1));
}

#[tokio::test]
async fn all_of_it_goes_and_is_counted() {
    let stub = Stub::start(|_| stub::json(200, &json!({"operation": "empty", "committed": true, "removed": 7}))).await;
    assert_eq!(stub.client().empty_trash().await.unwrap(), 7);
    assert_eq!(stub.seen()[0].line(), "DELETE /v1/drive/trash");
}

#[tokio::test]
async fn a_service_without_a_trash_is_not_asked_again() {
    let stub = Stub::that_knows_whoami_alone(|| stub::refusal(404, "not_found", "route_not_found")).await;
    let client = stub.client_that_knows_it().await;
    for _ in 0..2 {
        let refused = client.list_trash(&PageRequest::default()).await;
        assert!(matches!(refused, Err(Error::RouteMissing)), "{refused:?}");
    }
    assert!(matches!(client.restore_item(file()).await, Err(Error::RouteMissing)));
    assert_eq!((client.offers(Feature::Trash), stub.seen().len()), (Some(false), 2), "it was asked once");
}
