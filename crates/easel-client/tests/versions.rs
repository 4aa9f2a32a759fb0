//! New content for a file, its earlier contents and those of a canvas, where a service has them and where it has not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use easel_client::{Error, Feature};
use easel_wire::{CanvasId, FileId};
use serde_json::json;
use stub::{FILE_ID, Reaction, Stub};

const VERSION: &str = "ver_00000000000000000000000009";

fn file() -> FileId {
    FILE_ID.parse().unwrap()
}

#[tokio::test]
async fn new_content_is_asked_for_again_after_a_lost_answer_and_says_what_it_replaces() {
    let mut asked = 0;
    let stub = Stub::start(move |_| {
        asked += 1;
        let record = json!({"file": {"id": FILE_ID, "name": "a.txt", "size_bytes": 3}});
        if asked == 1 { Reaction::LoseAnswer } else { stub::json(200, &record) }
    })
    .await;
    let client = stub.client();
    let replaced = client.replace_content(file(), "pending/k", Some(&[0xab; 32])).await.unwrap();
    assert_eq!((replaced.id, replaced.size_bytes), (file(), Some(3)));
    let seen = stub.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[1].line(), format!("POST /v1/drive/files/{FILE_ID}/content"));
    let hash = format!("sha256:{}", "ab".repeat(32));
    assert_eq!(seen[1].json(), json!({"storage_key": "pending/k", "expected_content_hash": hash}));
    assert_eq!(client.offers(Feature::FileVersions), Some(true));
}

#[tokio::test]
async fn versions_are_listed_downloaded_and_restored() {
    let stub = Stub::start(|request| match request.line().rsplit('/').next().unwrap() {
        "versions" => stub::json(200, &json!({"versions": [{"id": VERSION, "size_bytes": 3, "moon": 1}]})),
        "content" => Reaction::Answer(200, vec![("service-version", "2026-05-01".into())], b"one".to_vec()),
        _ => stub::json(200, &json!({"file": {"id": FILE_ID, "name": "a.txt"}})),
    })
    .await;
    let client = stub.client();
    let versions = client.list_versions(file()).await.unwrap();
    assert_eq!((versions.len(), versions[0].size_bytes), (1, Some(3)));
    let folder = tempfile::tempdir().unwrap();
    let fetched = client.download_version(file(), &versions[0], &folder.path().join("a.txt"), &|_| {}).await.unwrap();
    assert_eq!(std::fs::read(fetched.path).unwrap(), b"one");
    assert_eq!(client.restore_version(file(), &versions[0]).await.unwrap().id, file());
    let lines: Vec<String> = stub.seen().iter().map(stub::Request::line).collect();
    assert_eq!(lines[1], format!("GET /v1/drive/files/{FILE_ID}/versions/{VERSION}/content"));
    assert_eq!(lines[2], format!("POST /v1/drive/files/{FILE_ID}/versions/{VERSION}/restore"));
}

#[tokio::test]
async fn a_version_whose_restoring_had_no_answer_is_restored_where_the_file_has_its_content() {
    for (has, is_restored) in [("sha256:aa", true), ("sha256:bb", false)] {
        let stub = Stub::start(move |request| match request.line().split(' ').next().unwrap() {
            "POST" => Reaction::LoseAnswer,
            _ => stub::json(200, &json!({"file": {"id": FILE_ID, "name": "a.txt", "content_hash": has}})),
        })
        .await;
        let version = json!({"id": VERSION, "content_hash": "sha256:aa"});
        let restored = stub.client().restore_version(file(), &serde_json::from_value(version).unwrap()).await;
        assert_eq!(restored.is_ok(), is_restored, "{restored:?}");
        assert_eq!(stub.seen().iter().filter(|request| request.line().starts_with("POST")).count(), 1);
    }
}

#[tokio::test]
async fn a_version_is_looked_at_to_a_bound() {
    let stub = Stub::start(|request| match request.line().split('/').nth(4).unwrap() {
        FILE_ID => Reaction::Answer(200, vec![("content-type", "image/png".into())], b"picture".to_vec()),
        _ => stub::refusal(404, "not_found", "version_not_found"),
    })
    .await;
    let client = stub.client();
    let version = VERSION.parse().unwrap();
    let picture = client.fetch_picture_of_version(file(), version, 7).await.unwrap().unwrap();
    assert_eq!((picture.mime_type.as_str(), picture.bytes.as_ref()), ("image/png", b"picture".as_slice()));
    assert!(matches!(client.fetch_picture_of_version(file(), version, 6).await, Err(Error::NotTheService { .. })));
    for (most_bytes, expected, is_whole) in [(7, b"picture".as_slice(), true), (3, b"pic", false)] {
        let (bytes, whole) = client.fetch_beginning_of_version(file(), version, most_bytes).await.unwrap();
        assert_eq!((bytes.as_ref(), whole), (expected, is_whole));
    }
    let other = "file_00000000000000000000000007".parse().unwrap();
    let refused = client.fetch_picture_of_version(other, version, 7).await.unwrap_err();
    assert_eq!(refused.code(), Some("version_not_found"));
}

#[tokio::test]
async fn earlier_drawings_of_a_canvas_are_listed_and_put_back_where_a_service_has_them() {
    let canvas: CanvasId = "cvs_00000000000000000000000004".parse().unwrap();
    let stub = Stub::start(move |request| match request.line().rsplit('/').next().unwrap() {
        "versions" => stub::json(200, &json!({"versions": [{"id": VERSION, "page_count": 2, "moon": 1}]})),
        _ => stub::json(200, &json!({"id": canvas, "name": "Deck"})),
    })
    .await;
    let client = stub.client();
    let versions = client.list_canvas_versions(canvas).await.unwrap();
    assert_eq!((versions.len(), versions[0].page_count), (1, Some(2)));
    assert_eq!(client.restore_canvas_version(canvas, versions[0].id).await.unwrap().name, "Deck");
    let lines: Vec<String> = stub.seen().iter().map(stub::Request::line).collect();
    let path = format!("/v1/canvases/{canvas}/versions");
    assert_eq!(lines, [format!("GET {path}"), format!("POST {path}/{VERSION}/restore")]);
    assert_eq!(client.offers(Feature::CanvasVersions), Some(true));

    let stub = Stub::that_knows_whoami_alone(|| stub::refusal(404, "not_found", "route_not_found")).await;
    let client = stub.client_that_knows_it().await;
    for _ in 0..2 {
        let refused = client.list_canvas_versions(canvas).await;
        assert!(matches!(refused, Err(Error::RouteMissing)), "{refused:?}");
    }
    assert_eq!((client.offers(Feature::CanvasVersions), stub.seen().len()), (Some(false), 2), "it was asked once");
}

#[tokio::test]
async fn a_service_without_versions_is_not_asked_again() {
    // A path that has a GET alone is answered 405, with or without an envelope.
    for refusal in [
        || stub::refusal(405, "invalid_request", "method_not_allowed"),
        || Reaction::Answer(405, vec![], vec![]),
        || Reaction::Answer(404, vec![], b"not here".to_vec()),
        || stub::refusal(404, "not_found", "route_not_found"),
    ] {
        let stub = Stub::that_knows_whoami_alone(refusal).await;
        let client = stub.client_that_knows_it().await;
        for _ in 0..2 {
            let refused = client.replace_content(file(), "pending/k", None).await;
            assert!(matches!(refused, Err(Error::RouteMissing)), "{refused:?}");
        }
        assert_eq!(client.offers(Feature::FileVersions), Some(false));
        assert_eq!(stub.seen().len(), 2, "it was asked once");
    }
}
