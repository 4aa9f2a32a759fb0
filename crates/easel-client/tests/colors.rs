//! The colors of a canvas and choosing others, where a service has them and where it has not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use easel_client::{Error, Feature};
use easel_wire::CanvasId;
use easel_wire::colors::{ChangeColors, ColorChange, ColorRole};
use serde_json::{Value, json};
use stub::{Reaction, Stub};

fn canvas() -> CanvasId {
    "cvs_00000000000000000000000004".parse().unwrap()
}

fn colors(revision: &str, chosen: Option<&str>) -> Value {
    let accent = json!({"role": "accent", "color": "#112233", "chosen": chosen, "moon": 1});
    let other = json!({"role": "of a kind to come", "color": "#445566"});
    json!({"canvas": {"id": canvas(), "name": "Deck"}, "revision": revision, "colors": [accent, other]})
}

fn change(color: Option<&str>) -> ChangeColors {
    let change = ColorChange { role: ColorRole::Accent, color: color.map(str::to_owned) };
    ChangeColors { revision: "one".to_owned(), changes: vec![change] }
}

#[tokio::test]
async fn colors_are_listed_and_chosen_for_the_revision_that_was_seen() {
    let stub = Stub::start(|request| match request.line().starts_with("GET") {
        true => stub::json(200, &colors("one", None)),
        false => stub::json(200, &colors("two", Some("#AABBCC"))),
    })
    .await;
    let client = stub.client();
    let listed = client.list_colors(canvas()).await.unwrap();
    assert_eq!((listed.revision.as_str(), listed.chosen(&ColorRole::Accent), listed.colors.len()), ("one", None, 2));
    let changed = client.change_colors(canvas(), &change(Some("#aabbcc"))).await.unwrap();
    assert_eq!(changed.chosen(&ColorRole::Accent), Some("#AABBCC"));
    let seen = stub.seen();
    assert_eq!(seen[1].line(), format!("POST /v1/canvases/{}/colors", canvas()));
    let changes = json!([{"role": "accent", "color": "#aabbcc"}]);
    assert_eq!(seen[1].json(), json!({"revision": "one", "changes": changes}));
    assert_eq!(client.offers(Feature::CanvasColors), Some(true));
}

#[tokio::test]
async fn a_choice_whose_answer_was_lost_is_made_where_the_canvas_says_so_and_is_never_sent_twice() {
    for (revision, chosen, is_made) in
        [("two", Some("#AABBCC"), true), ("one", None, false), ("two", Some("#000000"), false)]
    {
        let stub = Stub::start(move |request| match request.line().starts_with("GET") {
            true => stub::json(200, &colors(revision, chosen)),
            false => Reaction::LoseAnswer,
        })
        .await;
        let changed = stub.client().change_colors(canvas(), &change(Some("#aabbcc"))).await;
        assert_eq!(changed.is_ok(), is_made, "{changed:?}");
        assert_eq!(stub.seen().iter().filter(|request| request.line().starts_with("POST")).count(), 1);
    }
}

#[tokio::test]
async fn a_service_without_colors_is_not_asked_again() {
    let stub = Stub::that_knows_whoami_alone(|| Reaction::Answer(404, vec![], b"not here".to_vec())).await;
    let client = stub.client_that_knows_it().await;
    for _ in 0..2 {
        let refused = client.list_colors(canvas()).await;
        assert!(matches!(refused, Err(Error::RouteMissing)), "{refused:?}");
    }
    assert_eq!((client.offers(Feature::CanvasColors), stub.seen().len()), (Some(false), 2), "it was asked once");
}
