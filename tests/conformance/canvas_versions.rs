//! Contract, "Canvases and export": versions of designs, an addition to the specification's routes. What a task draws on a canvas that is
//! there takes the place of what was drawn, which is kept, listed with its picture, and put back.

use easel_tests::http::{Answer, Http};
use serde_json::{Value, json};

use crate::service::{Service, text, unused_id};
use crate::tasks::{design, finish, start};

async fn versions(http: &Http, canvas: &str) -> Vec<Value> {
    let answer = http.get(&format!("/v1/canvases/{canvas}/versions")).await.expect(200);
    assert_eq!(answer["most_versions"], 20);
    answer["versions"].as_array().expect("versions").clone()
}

async fn restore(http: &Http, canvas: &str, version: &Value) -> Answer {
    http.post(&format!("/v1/canvases/{canvas}/versions/{}/restore", text(&version["id"])), &Value::Null).await
}

/// Makes a design, and says which canvas it is on.
async fn make(http: &Http, prompt: &str) -> String {
    text(&design(http, prompt).await["result"]["canvas_id"])
}

/// Changes a design in place.
async fn change(http: &Http, canvas: &str, prompt: &str) {
    let task = start(http, &json!({"prompt": prompt, "canvas_id": canvas})).await;
    let ended = finish(http, &task).await;
    assert_eq!((&ended["status"], &ended["result"]["canvas_id"]), (&json!("succeeded"), &json!(canvas)), "{ended}");
}

/// The bytes of the picture that a record names.
async fn picture(http: &Http, record: &Value) -> Vec<u8> {
    let answer = http.get_url(&text(&record["thumbnail_url"]), &[]).await;
    answer.is(200);
    assert!(answer.body.starts_with(b"\x89PNG"), "{answer:?}");
    answer.body.to_vec()
}

async fn canvas_record(http: &Http, canvas: &str) -> Value {
    http.get(&format!("/v1/canvases/{canvas}")).await.expect(200)
}

/// What is drawn, as an export shows it.
async fn drawing(http: &Http, canvas: &str) -> String {
    let export =
        http.post(&format!("/v1/canvases/{canvas}/export?format=svg&page_number=1"), &Value::Null).await.expect(200);
    let answer = http.get_url(&text(&export["url"]), &[]).await;
    String::from_utf8(answer.body.to_vec()).expect("a drawing")
}

#[tokio::test]
async fn a_design_that_is_changed_in_place_keeps_what_it_was_and_gets_it_back() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http, "A card about bread").await;
    let before = canvas_record(http, &canvas).await;
    let first_picture = picture(http, &before).await;
    assert!(versions(http, &canvas).await.is_empty());
    let first_drawing = drawing(http, &canvas).await;

    change(http, &canvas, "A card about cheese").await;
    let after = canvas_record(http, &canvas).await;
    assert!(drawing(http, &canvas).await != first_drawing);
    assert_ne!(picture(http, &after).await, first_picture);
    let kept = versions(http, &canvas).await;
    let [version] = kept.as_slice() else { panic!("{kept:?}") };
    for field in ["category", "page_count", "width", "height", "created_at"] {
        assert_eq!(version[field], before[field], "{field}");
    }
    assert!(text(&version["replaced_at"]) >= text(&version["created_at"]));
    assert!(text(&version["created_by"]["email"]).contains('@'), "{version}");
    assert_eq!(picture(http, version).await, first_picture);

    let restored = restore(http, &canvas, version).await.expect(200);
    assert_eq!((&restored["id"], &restored["name"]), (&after["id"], &after["name"]));
    assert!(text(&restored["updated_at"]) > text(&after["updated_at"]));
    assert_eq!(picture(http, &restored).await, first_picture);
    assert!(drawing(http, &canvas).await == first_drawing);
    let kept = versions(http, &canvas).await;
    assert_eq!((kept.len(), picture(http, &kept[0]).await), (1, picture(http, &after).await));
    restore(http, &canvas, version).await.error(404, "not_found", "version_not_found");
}

#[tokio::test]
async fn what_is_no_version_of_a_canvas_or_out_of_sight_is_not_found() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http, "A card about bread").await;
    change(http, &canvas, "A card about cheese").await;
    let version = versions(http, &canvas).await[0].clone();
    let other = make(http, "A poster").await;
    restore(http, &other, &version).await.error(404, "not_found", "version_not_found");
    for id in [unused_id("ver"), "ver_".to_owned(), "..".to_owned()] {
        restore(http, &canvas, &json!({"id": id})).await.is(404);
    }
    let unknown = unused_id("cvs");
    restore(http, &unknown, &version).await.error(404, "not_found", "canvas_not_found");

    let member = service.member("ada@example.test");
    http.patch(&format!("/v1/drive/items/{canvas}"), &json!({"visibility": "private"})).await.is(200);
    let path = format!("/v1/canvases/{canvas}/versions");
    member.get(&path).await.error(404, "not_found", "canvas_not_found");
    restore(&member, &canvas, &version).await.error(404, "not_found", "canvas_not_found");
    assert_eq!(versions(http, &canvas).await.len(), 1, "nothing changed");
}

#[tokio::test]
async fn versions_of_a_design_go_into_the_trash_and_come_back_and_go_for_good_with_it() {
    let mut service = Service::start();
    let (ada, ben) = (service.member("ada@example.test"), service.member("ben@example.test"));
    let canvas = make(&ada, "A card about bread").await;
    let first_drawing = drawing(&ada, &canvas).await;
    change(&ben, &canvas, "A card about cheese").await;
    change(&ada, &canvas, "A card about milk").await;
    let entry = format!("/v1/drive/trash/{canvas}");
    ada.delete(&format!("/v1/drive/items/{canvas}")).await.is(200);
    ada.get(&format!("/v1/canvases/{canvas}/versions")).await.error(404, "not_found", "canvas_not_found");
    // What was drawn on it once is Ben's: she made the canvas, and not all of it.
    ada.delete(&entry).await.is(403);
    assert_eq!(ada.delete("/v1/drive/trash").await.expect(200)["removed"], 0);
    ada.post(&format!("{entry}/restore"), &Value::Null).await.is(200);
    let kept = versions(&ada, &canvas).await;
    let makers: Vec<String> = kept.iter().map(|version| text(&version["created_by"]["email"])).collect();
    assert_eq!(makers, ["ben@example.test", "ada@example.test"]);
    // A verification and a start know of them: their documents and their pictures are needed.
    let verify = |service: &Service| {
        let output = service.studio.command(&["verify", "--json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    };
    verify(&service);
    service.studio.stop();
    service.studio.restart();
    verify(&service);
    for version in versions(&ada, &canvas).await {
        picture(&ada, &version).await;
    }
    restore(&ada, &canvas, &kept[1]).await.is(200);
    assert!(drawing(&ada, &canvas).await == first_drawing);

    ada.delete(&format!("/v1/drive/items/{canvas}")).await.is(200);
    service.http.delete(&entry).await.is(200);
    service.studio.stop();
    // What nothing needs any more is gone, or this would find contents without a row.
    let output = service.studio.command(&["verify", "--repair", "--json"]);
    let told = String::from_utf8_lossy(&output.stdout);
    let found: Value = serde_json::from_str(told.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&found["findings"], output.status.code()), (&json!(0), Some(0)), "{told}");
}
