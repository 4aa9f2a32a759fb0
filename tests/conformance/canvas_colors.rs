//! Contract, "Canvases and export": colors of designs, an addition to the specification's routes. Others are chosen in their place, what
//! the design was before is kept as a version, and whoever saw another drawing changes nothing.

use easel_tests::http::{Answer, Http};
use serde_json::{Value, json};

use crate::exports::{idle_with_a_canvas, svg_of, versions};
use crate::service::{Service, text, unused_id};
use crate::tasks::{design, finish, start};

const DECK: &str = "# Bread of the week\n\nA talk about baking\n\n## Why rye\n\n- **Keeps longer**: a week in the box";

async fn make(http: &Http) -> String {
    text(&design(http, DECK).await["result"]["canvas_id"])
}

async fn colors(http: &Http, canvas: &str) -> Value {
    http.get(&format!("/v1/canvases/{canvas}/colors")).await.expect(200)
}

async fn change(http: &Http, canvas: &str, body: &Value) -> Answer {
    http.post(&format!("/v1/canvases/{canvas}/colors"), body).await
}

/// The color of a role.
fn color(colors: &Value, role: &str) -> Value {
    let found = colors["colors"].as_array().expect("colors").iter().find(|color| color["role"] == role);
    found.unwrap_or_else(|| panic!("no {role}: {colors}")).clone()
}

fn another(seen: &Value, role: &str, color: &Value) -> Value {
    json!({"revision": seen["revision"], "changes": [{"role": role, "color": color}]})
}

/// Both pages, one of which stands on the color of the ground in any look.
async fn svg(http: &Http, canvas: &str) -> String {
    format!("{}{}", svg_of(http, canvas, 1).await, svg_of(http, canvas, 2).await)
}

#[tokio::test]
async fn a_chosen_color_is_drawn_and_the_design_gets_a_version_and_its_own_color_comes_back() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let before = colors(http, &canvas).await;
    assert_eq!(before["canvas"]["id"], canvas);
    let roles: Vec<&Value> = before["colors"].as_array().expect("colors").iter().map(|color| &color["role"]).collect();
    assert_eq!(roles, ["ground", "accent", "second"]);
    assert!(roles.iter().all(|role| color(&before, role.as_str().expect("a role"))["chosen"].is_null()), "{before}");
    let old_picture = svg(http, &canvas).await;
    let texts = http.get(&format!("/v1/canvases/{canvas}/texts")).await.expect(200);

    let after = change(http, &canvas, &another(&before, "ground", &json!("#0A2233"))).await.expect(200);
    assert_eq!(color(&after, "ground"), json!({"role": "ground", "color": "#0a2233", "chosen": "#0a2233"}));
    assert_ne!(after["revision"], before["revision"]);
    assert!(text(&after["canvas"]["updated_at"]) > text(&before["canvas"]["updated_at"]));
    assert_eq!(colors(http, &canvas).await["colors"], after["colors"]);
    assert!(svg(http, &canvas).await != old_picture, "it is drawn otherwise");
    let frames = |texts: &Value| {
        texts["pages"]
            .as_array()
            .expect("pages")
            .iter()
            .map(|page| page["texts"][0]["frame"].clone())
            .collect::<Vec<_>>()
    };
    let moved = http.get(&format!("/v1/canvases/{canvas}/texts")).await.expect(200);
    assert_eq!(frames(&moved), frames(&texts), "nothing moves");
    assert_eq!(versions(http, &canvas).await.len(), 1);

    // What was chosen stays in a remix that asks for something else.
    let started = start(http, &json!({"prompt": "Make it shorter", "canvas_id": canvas})).await;
    finish(http, &started).await;
    let remixed = colors(http, &canvas).await;
    assert_eq!(color(&remixed, "ground")["chosen"], "#0a2233");

    // The design's own comes back, and no version holds less than it did.
    let back = change(http, &canvas, &another(&remixed, "ground", &Value::Null)).await.expect(200);
    assert_eq!(color(&back, "ground"), color(&before, "ground"));
    let none = change(http, &canvas, &another(&back, "ground", &Value::Null)).await.expect(200);
    assert_eq!((&none["revision"], versions(http, &canvas).await.len()), (&back["revision"], 3));
}

#[tokio::test]
async fn a_color_that_would_not_be_seen_gives_way_and_the_answer_says_so() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let before = colors(http, &canvas).await;
    let changes = json!([{"role": "ground", "color": "#ffffff"}, {"role": "accent", "color": "#fffffe"}]);
    let after = change(http, &canvas, &json!({"revision": before["revision"], "changes": changes})).await.expect(200);
    let accent = color(&after, "accent");
    assert_eq!(accent["chosen"], "#fffffe");
    assert_ne!(accent["color"], "#fffffe");
    assert_eq!(color(&after, "ground")["color"], "#ffffff");
}

#[tokio::test]
async fn whoever_saw_another_drawing_changes_no_color_and_is_told() {
    let (service, canvas, _folder) = idle_with_a_canvas(easel_tests::studio::Options::new()).await;
    let http = &service.http;
    let seen = colors(http, &canvas).await;
    change(http, &canvas, &another(&seen, "accent", &json!("#2d6cc8"))).await.is(200);
    let late = another(&seen, "accent", &json!("#008000"));
    change(http, &canvas, &late).await.error(409, "conflict", "canvas_changed");
    let now = colors(http, &canvas).await;
    assert_eq!(color(&now, "accent")["chosen"], "#2d6cc8");
    start(http, &json!({"prompt": "Make it dark", "canvas_id": canvas})).await;
    change(http, &canvas, &another(&now, "accent", &json!("#008000"))).await.error(
        409,
        "conflict",
        "canvas_active_job",
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_choice_is_refused_by_name() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let good = another(&colors(http, &canvas).await, "accent", &json!("#2d6cc8"));
    let check = async |pointer: &str, value: Value, field: &str| {
        let mut body = good.clone();
        *body.pointer_mut(pointer).expect("a field") = value.clone();
        assert_eq!(change(http, &canvas, &body).await.invalid_fields(), [field], "{pointer} {value}");
    };
    check("/changes", json!([]), "changes").await;
    check("/changes", json!(vec![good["changes"][0].clone(); 4]), "changes").await;
    check("/revision", json!("today"), "revision").await;
    for color in ["", "red", "#fff", "#2d6cc", "2d6cc8", "#2d6cc88", "#gggggg", "#2d6c\u{e9}"] {
        check("/changes/0/color", json!(color), "changes[0].color").await;
    }
    check("/changes/0/role", json!("ink"), "changes[0].role").await;
    check("/changes/0", json!({"role": "accent", "color": null, "hue": 7}), "changes[0].hue").await;

    let stranger = service.stranger("eve@example.test");
    let path = format!("/v1/canvases/{canvas}/colors");
    for (http, path) in [(&stranger, path.clone()), (http, format!("/v1/canvases/{}/colors", unused_id("cvs")))] {
        http.get(&path).await.error(404, "not_found", "canvas_not_found");
        http.post(&path, &good).await.error(404, "not_found", "canvas_not_found");
    }
}
