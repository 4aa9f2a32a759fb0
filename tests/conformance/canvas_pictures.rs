//! Contract, "Canvases and export": pictures of designs, an addition to the specification's routes. One is exchanged in its place, what the
//! design was before is kept as a version, and what is no picture, or is not meant for others, changes nothing.

use easel_tests::http::{Answer, Http};
use serde_json::{Value, json};

use crate::exports::{svg_of, versions};
use crate::service::{Service, text, unused_id, upload};
use crate::tasks::{finish, start};

const DECK: &str = "# Bread of the week\n\nA talk about baking\n\n## Why rye\n\nRye keeps longer than wheat.";

/// A drawing of one colour.
fn drawing(color: &str) -> Vec<u8> {
    let open = r#"<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60">"#;
    format!(r#"{open}<rect width="80" height="60" fill="{color}"/></svg>"#).into_bytes()
}

async fn put(http: &Http, name: &str, content: &[u8]) -> String {
    text(&upload(http, name, content).await["file_id"])
}

/// A design with a red picture.
async fn make(http: &Http) -> String {
    let picture = put(http, "oven.svg", &drawing("#c82828")).await;
    let body = json!({"prompt": DECK, "attachments": [{"file_id": picture, "role": "asset"}]});
    text(&finish(http, &start(http, &body).await).await["result"]["canvas_id"])
}

async fn texts(http: &Http, canvas: &str) -> Value {
    http.get(&format!("/v1/canvases/{canvas}/texts")).await.expect(200)
}

async fn change(http: &Http, canvas: &str, body: &Value) -> Answer {
    http.post(&format!("/v1/canvases/{canvas}/pictures"), body).await
}

/// The only picture.
fn picture(texts: &Value) -> Value {
    let pages = texts["pages"].as_array().expect("pages");
    let all: Vec<&Value> = pages.iter().flat_map(|page| page["pictures"].as_array().expect("pictures")).collect();
    assert_eq!(all.len(), 1, "{texts}");
    all[0].clone()
}

fn another(seen: &Value, file: &str) -> Value {
    json!({"revision": seen["revision"], "ref": picture(seen)["ref"], "file_id": file})
}

#[tokio::test]
async fn a_picture_is_exchanged_in_its_place_and_the_design_gets_a_version_and_a_remix_keeps_it() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let before = texts(http, &canvas).await;
    let (old, drawn) = (picture(&before), svg_of(http, &canvas, 1).await);
    assert_eq!(text(&old["description"]).to_lowercase(), "oven");
    assert!(old["frame"]["width"].as_f64().expect("a width") > 0.0, "{old}");

    let file = put(http, "harvest.svg", &drawing("#1840c0")).await;
    let after = change(http, &canvas, &another(&before, &file)).await.expect(200);
    let new = picture(&after);
    assert_eq!((&new["frame"], text(&new["description"]).to_lowercase()), (&old["frame"], "harvest".to_owned()));
    assert_ne!(after["revision"], before["revision"]);
    assert_eq!(texts(http, &canvas).await["pages"], after["pages"]);
    assert!(svg_of(http, &canvas, 1).await != drawn, "it is drawn otherwise");
    assert_eq!(versions(http, &canvas).await.len(), 1);
    // It is so already.
    let again = change(http, &canvas, &another(&after, &file)).await.expect(200);
    assert_eq!((&again["revision"], versions(http, &canvas).await.len()), (&after["revision"], 1));

    // The design is its own: what becomes of the file is nothing to it.
    http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    finish(http, &start(http, &json!({"prompt": "Make it dark", "canvas_id": canvas})).await).await;
    assert_eq!(picture(&texts(http, &canvas).await)["ref"], new["ref"]);
}

#[tokio::test]
async fn what_is_no_picture_or_meant_for_another_drawing_changes_nothing() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let seen = texts(http, &canvas).await;
    let deep = format!("{}{}", r#"<svg xmlns="http://www.w3.org/2000/svg">"#, "<g>".repeat(200_000));
    for (name, content) in [
        ("letter.png", b"Dear all".as_slice()),
        ("cut.png", b"\x89PNG\r\n\x1a\nand no more"),
        ("deep.svg", deep.as_bytes()),
    ] {
        let file = put(http, name, content).await;
        change(http, &canvas, &another(&seen, &file)).await.error(422, "unprocessable", "picture_unreadable");
    }
    let file = put(http, "harvest.svg", &drawing("#1840c0")).await;
    let good = another(&seen, &file);
    let with = |field: &str, value: Value| {
        let mut body = good.clone();
        body[field] = value;
        body
    };
    assert_eq!(change(http, &canvas, &with("ref", json!("00ff"))).await.invalid_fields(), ["ref"]);
    assert_eq!(change(http, &canvas, &with("revision", json!("today"))).await.invalid_fields(), ["revision"]);
    assert_eq!(change(http, &canvas, &with("crop", json!(true))).await.invalid_fields(), ["crop"]);
    let unused = with("file_id", json!(unused_id("file")));
    change(http, &canvas, &unused).await.error(404, "not_found", "file_not_found");
    assert_eq!(texts(http, &canvas).await["revision"], seen["revision"]);

    change(http, &canvas, &good).await.is(200);
    change(http, &canvas, &good).await.error(409, "conflict", "canvas_changed");
    let path = format!("/v1/canvases/{}/pictures", unused_id("cvs"));
    http.post(&path, &good).await.error(404, "not_found", "canvas_not_found");
    let stranger = service.stranger("eve@example.test");
    change(&stranger, &canvas, &good).await.error(404, "not_found", "canvas_not_found");
}

#[tokio::test]
async fn what_its_maker_alone_sees_comes_into_nobodys_sight_in_a_design() {
    let service = Service::start();
    let http = &service.http;
    let member = service.member("ada@example.test");
    let canvas = make(http).await;
    let seen = texts(http, &canvas).await;
    let file = put(http, "plans.svg", &drawing("#102030")).await;
    http.patch(&format!("/v1/drive/items/{file}"), &json!({"visibility": "private"})).await.is(200);
    change(&member, &canvas, &another(&seen, &file)).await.error(404, "not_found", "file_not_found");
    assert_eq!(change(http, &canvas, &another(&seen, &file)).await.invalid_fields(), ["file_id"]);
    http.patch(&format!("/v1/drive/items/{canvas}"), &json!({"visibility": "private"})).await.is(200);
    change(http, &canvas, &another(&texts(http, &canvas).await, &file)).await.is(200);
}
