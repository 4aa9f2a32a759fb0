//! What deployments do differently, and the client takes (contract, "What the client tolerates").

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use easel_client::{Client, Error, PageRequest, Place, Source, Target};
use easel_wire::FileId;
use easel_wire::drive::Visibility;
use serde_json::{Value, json};
use stub::{FILE_ID, FOLDER_ID, Reaction, Stub};

async fn answering(status: u16, body: Value) -> (Stub, Client) {
    let stub = Stub::start(move |_| stub::json(status, &body)).await;
    let client = stub.client();
    (stub, client)
}

fn file_id() -> FileId {
    FILE_ID.parse().unwrap()
}

#[tokio::test]
async fn an_upload_result_has_a_file_id_or_only_an_id() {
    let target = Target::new("a.png", None);
    for body in
        [json!({"file_id": FILE_ID}), json!({"id": FILE_ID, "was_duplicate": null}), json!({"id": FILE_ID, "x": [1]})]
    {
        let (_stub, client) = answering(200, body).await;
        assert_eq!(client.register_upload("k", &target).await.unwrap().file_id, file_id());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    std::fs::write(&path, "x").unwrap();
    let (_stub, client) = answering(200, json!({"id": FILE_ID})).await;
    let sent = client.send_direct(&Source::open(&path).await.unwrap(), &target, &|_| {}).await.unwrap();
    assert_eq!(sent.result.file_id, file_id());
}

#[tokio::test]
async fn a_list_stands_under_data_or_its_own_name_or_bare() {
    let item = json!({"id": FOLDER_ID, "name": "a"});
    for body in [
        json!({"data": [item], "next_cursor": null, "has_more": false}),
        json!({"folders": [item], "total": 1, "limit": 20, "offset": 0, "has_more": false}),
        json!([item]),
    ] {
        let (_stub, client) = answering(200, body.clone()).await;
        let page = client.list_folders(&Place::Top, &PageRequest::default()).await.unwrap();
        assert_eq!(page.items[0].name, "a", "{body}");
    }
}

#[tokio::test]
async fn a_file_may_lack_everything_but_its_id_and_name() {
    let (_stub, client) = answering(200, json!({"file": {"id": FILE_ID, "name": "a"}})).await;
    let file = client.get_file(file_id()).await.unwrap();
    assert_eq!((file.content_hash, file.size_bytes, file.created_by), (None, None, None));
}

#[tokio::test]
async fn an_optional_field_may_be_null_or_of_a_value_that_nobody_knows_yet() {
    let body = json!({"file": {"id": FILE_ID, "name": "a", "visibility": "galactic", "size_bytes": null, "new": {}}});
    let (_stub, client) = answering(200, body).await;
    assert_eq!(client.get_file(file_id()).await.unwrap().visibility, Some(Visibility::Other("galactic".into())));
}

#[tokio::test]
async fn an_unknown_code_is_kept_and_handled_by_its_type() {
    let (_stub, client) = answering(403, json!({"error": {"type": "permission", "code": "not_on_sundays"}})).await;
    let error = client.get_file(file_id()).await.unwrap_err();
    assert_eq!(error.code(), Some("not_on_sundays"));
    assert!(matches!(error, Error::Api { status: 403, .. }));
}

#[tokio::test]
async fn a_429_without_a_retry_after_is_waited_out_for_a_second_or_less() {
    let mut refused = false;
    let stub = Stub::start(move |_| {
        if std::mem::replace(&mut refused, true) {
            return stub::json(200, &json!({"file": {"id": FILE_ID, "name": "a"}}));
        }
        Reaction::Answer(429, vec![], vec![])
    })
    .await;
    let start = std::time::Instant::now();
    stub.client().get_file(file_id()).await.unwrap();
    assert!((500..3_000).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_date_to_wait_until_is_measured_by_the_clock_of_the_service_that_said_it() {
    const HOUR_S: i64 = 3_600;
    for ahead_s in [-2 * HOUR_S, 2 * HOUR_S] {
        let mut refused = false;
        let stub = Stub::start(move |_| {
            if std::mem::replace(&mut refused, true) {
                return stub::json(200, &json!({"file": {"id": FILE_ID, "name": "a"}}));
            }
            let at = |seconds: i64| {
                let at = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(ahead_s + seconds);
                at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
            };
            Reaction::Answer(429, vec![("date", at(0)), ("retry-after", at(2))], vec![])
        })
        .await;
        let start = std::time::Instant::now();
        stub.client().get_file(file_id()).await.unwrap();
        assert!((1_000..10_000).contains(&start.elapsed().as_millis()), "{ahead_s} s: {:?}", start.elapsed());
    }
}

#[tokio::test]
async fn any_success_will_do() {
    let (_stub, client) = answering(202, json!({"folder": {"id": FOLDER_ID, "name": "a"}})).await;
    assert_eq!(client.create_folder("a", None, "k").await.unwrap().name, "a");
}

#[tokio::test]
async fn a_change_may_answer_with_the_item_alone() {
    let (_stub, client) = answering(200, json!({"item": {"id": FILE_ID}})).await;
    let changed = client.rename_item(FILE_ID.parse().unwrap(), "b").await.unwrap();
    assert_eq!((changed.folder_id, changed.name), (None, None));
}

#[tokio::test]
async fn a_route_without_an_envelope_is_a_missing_part_of_the_service() {
    let stub = Stub::start(|_| Reaction::Answer(404, vec![], b"<html>404</html>".to_vec())).await;
    assert!(matches!(stub.client().get_tree(3).await, Err(Error::RouteMissing)));
}

/// What a service answers that serves these versions alone.
fn serving(request: &stub::Request, versions: &[&str]) -> Reaction {
    let pinned = request.header("service-version").unwrap_or_default();
    let headers = vec![("content-type", "application/json".to_owned()), ("service-version", pinned.to_owned())];
    let (status, body) = if versions.contains(&pinned) {
        (200, json!({"file": {"id": FILE_ID, "name": "a"}}))
    } else {
        let details = json!({"requested": pinned, "supported": ["2026-04-12", "2026-05-01"]});
        (400, json!({"error": {"type": "invalid_request", "code": "unsupported_version", "details": details}}))
    };
    Reaction::Answer(status, headers, body.to_string().into_bytes())
}

#[tokio::test]
async fn a_version_that_was_retired_while_it_was_in_use_is_left_for_a_newer_one() {
    let mut answered = 0;
    let stub = Stub::start(move |request| {
        answered += 1;
        serving(request, if answered <= 2 { &["2026-04-12"] } else { &["2026-05-01"] })
    })
    .await;
    let client = stub.client();
    for _ in 0..2 {
        assert_eq!(client.get_file(file_id()).await.unwrap().name, "a");
    }
    assert_eq!(stub.seen().len(), 4);
}

#[tokio::test]
async fn a_service_that_refuses_every_version_that_it_names_is_not_asked_for_ever() {
    let stub = Stub::start(|request| serving(request, &[])).await;
    let error = stub.client().get_file(file_id()).await.unwrap_err();
    assert_eq!(error.code(), Some("unsupported_version"));
    assert_eq!(stub.seen().len(), 2);
}
