//! The texts of a canvas and other words for them, where a service has them and where it has not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use easel_client::{Error, Feature};
use easel_wire::CanvasId;
use easel_wire::texts::{ChangePicture, ChangeTexts, TextChange};
use serde_json::{Value, json};
use stub::{Reaction, Stub};

fn canvas() -> CanvasId {
    "cvs_00000000000000000000000004".parse().unwrap()
}

fn texts(revision: &str, words: &str) -> Value {
    let frame = json!({"x": 1, "y": 2.5, "width": 300, "height": 40});
    let text =
        json!({"ref": "0.1", "text": words, "frame": frame, "size": 24, "align": "middle of nowhere", "moon": 1});
    let pages = json!([{"page_number": 1, "width": 800, "height": 600, "texts": [text]}]);
    json!({"canvas": {"id": canvas(), "name": "Deck"}, "revision": revision, "pages": pages})
}

fn change(words: &str, check_only: bool) -> ChangeTexts {
    let change = TextChange { page_number: 1, reference: "0.1".to_owned(), text: words.to_owned() };
    ChangeTexts { revision: "one".to_owned(), changes: vec![change], check_only }
}

#[tokio::test]
async fn texts_are_listed_and_changed_for_the_revision_that_was_seen() {
    let stub = Stub::start(|request| match request.line().starts_with("GET") {
        true => stub::json(200, &texts("one", "Why rye")),
        false => stub::json(200, &texts("two", "Why spelt")),
    })
    .await;
    let client = stub.client();
    let listed = client.list_texts(canvas()).await.unwrap();
    assert_eq!((listed.revision.as_str(), listed.words(1, "0.1")), ("one", Some("Why rye")));
    assert_eq!(listed.pages[0].texts[0].size, Some(24.0));
    let changed = client.change_texts(canvas(), &change("Why spelt", false)).await.unwrap();
    assert_eq!(changed.words(1, "0.1"), Some("Why spelt"));
    client.change_texts(canvas(), &change("Why spelt", true)).await.unwrap();
    let seen = stub.seen();
    assert_eq!(seen[1].line(), format!("POST /v1/canvases/{}/texts", canvas()));
    let changes = json!([{"page_number": 1, "ref": "0.1", "text": "Why spelt"}]);
    assert_eq!(seen[1].json(), json!({"revision": "one", "changes": changes}));
    assert_eq!(seen[2].json(), json!({"revision": "one", "changes": changes, "check_only": true}));
    assert_eq!(client.offers(Feature::CanvasTexts), Some(true));
}

#[tokio::test]
async fn a_change_whose_answer_was_lost_is_made_where_the_canvas_says_so_and_is_never_sent_twice() {
    for (revision, words, is_made) in [("two", "Why spelt", true), ("one", "Why rye", false), ("two", "Other", false)] {
        let stub = Stub::start(move |request| match request.line().starts_with("GET") {
            true => stub::json(200, &texts(revision, words)),
            false => Reaction::LoseAnswer,
        })
        .await;
        let changed = stub.client().change_texts(canvas(), &change(" Why spelt ", false)).await;
        assert_eq!(changed.is_ok(), is_made, "{changed:?}");
        assert_eq!(stub.seen().iter().filter(|request| request.line().starts_with("POST")).count(), 1);
    }
}

/// A page that shows a picture of this reference, beside one that nobody can use.
fn pictures(revision: &str, reference: &str) -> Value {
    let mut texts = texts(revision, "Why rye");
    let frame = json!({"x": 0, "y": 0, "width": 800, "height": 600});
    texts["pages"][0]["pictures"] = json!([{"ref": reference, "frame": frame, "moon": 1}, {"frame": frame}]);
    texts
}

fn exchange() -> ChangePicture {
    let file_id = "file_00000000000000000000000009".parse().unwrap();
    ChangePicture { revision: "one".to_owned(), reference: "oven".to_owned(), file_id }
}

#[tokio::test]
async fn a_picture_is_exchanged_for_the_revision_that_was_seen() {
    let stub = Stub::start(|request| match request.line().starts_with("GET") {
        true => stub::json(200, &pictures("one", "oven")),
        false => stub::json(200, &pictures("two", "harvest")),
    })
    .await;
    let client = stub.client();
    let listed = client.list_texts(canvas()).await.unwrap();
    assert_eq!((listed.has_picture("oven"), listed.pages[0].pictures.len()), (true, 1));
    let changed = client.change_picture(canvas(), &exchange()).await.unwrap();
    assert!(changed.has_picture("harvest") && !changed.has_picture("oven"), "{changed:?}");
    let seen = stub.seen();
    assert_eq!(seen[1].line(), format!("POST /v1/canvases/{}/pictures", canvas()));
    assert_eq!(seen[1].json(), json!({"revision": "one", "ref": "oven", "file_id": "file_00000000000000000000000009"}));
}

#[tokio::test]
async fn an_exchange_whose_answer_was_lost_is_made_where_the_picture_of_before_is_gone() {
    for (revision, reference, is_made) in [("two", "harvest", true), ("one", "oven", false), ("two", "oven", false)] {
        let stub = Stub::start(move |request| match request.line().starts_with("GET") {
            true => stub::json(200, &pictures(revision, reference)),
            false => Reaction::LoseAnswer,
        })
        .await;
        let changed = stub.client().change_picture(canvas(), &exchange()).await;
        assert_eq!(changed.is_ok(), is_made, "{changed:?}");
        assert_eq!(stub.seen().iter().filter(|request| request.line().starts_with("POST")).count(), 1);
    }
}

#[tokio::test]
async fn a_service_without_texts_is_not_asked_again() {
    for refusal in [
        || stub::refusal(405, "invalid_request", "method_not_allowed"),
        || Reaction::Answer(404, vec![], b"not here".to_vec()),
        || Reaction::Answer(405, vec![], vec![]),
        || stub::refusal(404, "not_found", "route_not_found"),
    ] {
        let stub = Stub::that_knows_whoami_alone(refusal).await;
        let client = stub.client_that_knows_it().await;
        for _ in 0..2 {
            let refused = client.list_texts(canvas()).await;
            assert!(matches!(refused, Err(Error::RouteMissing)), "{refused:?}");
        }
        assert_eq!((client.offers(Feature::CanvasTexts), stub.seen().len()), (Some(false), 2), "it was asked once");
    }
}
