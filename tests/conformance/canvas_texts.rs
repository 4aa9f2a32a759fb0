//! Contract, "Canvases and export": texts of designs, an addition to the specification's routes. They are listed where they stand, get
//! other words in their place, and what the design was before is kept as a version; whoever saw another drawing changes nothing.

use easel_tests::http::{Answer, Http};
use serde_json::{Value, json};

use crate::exports::{exported, idle_with_a_canvas, svg_of, versions};
use crate::service::{Service, text, unused_id};
use crate::tasks::{design, start};

const DECK: &str = "# Bread of the week\n\nA talk about baking\n\n## Why rye\n\n- **Keeps longer**: a week in the box\n\
                    - **Tastes of more**: caraway and malt";

async fn make(http: &Http) -> String {
    text(&design(http, DECK).await["result"]["canvas_id"])
}

async fn texts(http: &Http, canvas: &str) -> Value {
    http.get(&format!("/v1/canvases/{canvas}/texts")).await.expect(200)
}

async fn change(http: &Http, canvas: &str, body: &Value) -> Answer {
    http.post(&format!("/v1/canvases/{canvas}/texts"), body).await
}

/// The text that says this: the number of its page, and its record.
fn find(texts: &Value, words: &str) -> (Value, Value) {
    let pages = texts["pages"].as_array().expect("pages");
    let all = |page: &Value| page["texts"].as_array().expect("texts").clone();
    let found = pages.iter().find_map(|page| {
        let text = all(page).into_iter().find(|text| text["text"] == words)?;
        Some((page["page_number"].clone(), text))
    });
    found.unwrap_or_else(|| panic!("nothing says {words:?}: {texts}"))
}

/// Other words for the text that says this.
fn other_words(texts: &Value, words: &str, other: &str) -> Value {
    let (page_number, found) = find(texts, words);
    let change = json!({"page_number": page_number, "ref": found["ref"], "text": other});
    json!({"revision": texts["revision"], "changes": [change]})
}

#[tokio::test]
async fn a_text_gets_other_words_in_its_place_and_the_design_a_version() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let before = texts(http, &canvas).await;
    let (page_number, rye) = find(&before, "Why rye");
    for side in ["x", "y", "width", "height"] {
        assert!(rye["frame"][side].as_f64().expect("a number") >= 0.0 && rye["ink"][side].is_number(), "{rye}");
    }
    assert!(rye["size"].as_f64() >= rye["least_size"].as_f64() && text(&rye["color"]).starts_with('#'), "{rye}");
    assert_eq!(before["canvas"]["id"], canvas);
    assert!(versions(http, &canvas).await.is_empty());
    let old_picture = svg_of(http, &canvas, &page_number).await;

    let after = change(http, &canvas, &other_words(&before, "Why rye", "Why spelt")).await.expect(200);
    assert_ne!(after["revision"], before["revision"]);
    assert!(text(&after["canvas"]["updated_at"]) > text(&before["canvas"]["updated_at"]));
    assert_eq!(after["canvas"]["name"], before["canvas"]["name"]);
    assert_eq!(texts(http, &canvas).await["pages"], after["pages"]);
    let (_, spelt) = find(&after, "Why spelt");
    assert_eq!((&spelt["ref"], &spelt["frame"], &spelt["size"]), (&rye["ref"], &rye["frame"], &rye["size"]));
    let picture = svg_of(http, &canvas, &page_number).await;
    assert!(picture.contains("Why spelt") && !picture.contains("Why rye"), "{picture}");
    let pages = http.get(&format!("/v1/canvases/{canvas}/pages")).await.expect(200);
    assert!(pages["pages"].as_array().expect("pages").iter().any(|page| page["name"] == "Why spelt"), "{pages}");

    // What it was is a version, and the words of before bring back the very picture.
    let kept = versions(http, &canvas).await;
    assert_eq!(kept.len(), 1, "{kept:?}");
    let back = change(http, &canvas, &other_words(&after, "Why spelt", "Why rye")).await.expect(200);
    assert_eq!(back["revision"], before["revision"]);
    assert!(svg_of(http, &canvas, &page_number).await == old_picture);
    let restore = format!("/v1/canvases/{canvas}/versions/{}/restore", text(&versions(http, &canvas).await[0]["id"]));
    http.post(&restore, &Value::Null).await.is(200);
    assert_eq!(texts(http, &canvas).await["revision"], after["revision"]);
}

#[tokio::test]
async fn several_texts_are_changed_at_once_or_none_and_the_thumbnail_shows_the_first_page() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let before = texts(http, &canvas).await;
    let mut body = other_words(&before, "Bread of the week", "Cheese of the week");
    let second = other_words(&before, "Why rye", "Why spelt")["changes"][0].clone();
    body["changes"].as_array_mut().expect("changes").push(second);
    let mut wrong = body.clone();
    wrong["changes"][1]["ref"] = json!("999");
    assert_eq!(change(http, &canvas, &wrong).await.invalid_fields(), ["changes[1].ref"]);
    assert_eq!(texts(http, &canvas).await["revision"], before["revision"], "nothing changed");
    let picture = async |record: &Value| http.get_url(&text(&record["canvas"]["thumbnail_url"]), &[]).await.body;
    let old = picture(&before).await;
    let after = change(http, &canvas, &body).await.expect(200);
    find(&after, "Cheese of the week");
    find(&after, "Why spelt");
    assert!(picture(&after).await != old);
    assert_eq!(versions(http, &canvas).await.len(), 1);
    for format in ["pdf", "pptx", "png"] {
        assert!(!exported(http, &canvas, &format!("format={format}")).await.is_empty(), "{format}");
    }
    // The words that stand there change nothing.
    let same = change(http, &canvas, &other_words(&after, "Why spelt", " Why spelt ")).await.expect(200);
    assert_eq!(
        (&same["revision"], &same["canvas"]["updated_at"]),
        (&after["revision"], &after["canvas"]["updated_at"])
    );
    assert_eq!(versions(http, &canvas).await.len(), 1);
}

#[tokio::test]
async fn whoever_saw_another_drawing_changes_nothing_and_is_told() {
    let service = Service::start();
    let (http, ben) = (&service.http, service.member("ben@example.test"));
    let canvas = make(http).await;
    let seen = texts(http, &canvas).await;
    change(&ben, &canvas, &other_words(&seen, "Why rye", "Why spelt")).await.is(200);
    let late = other_words(&seen, "Why rye", "Why wheat");
    change(http, &canvas, &late).await.error(409, "conflict", "canvas_changed");
    let now = texts(http, &canvas).await;
    find(&now, "Why spelt");
    let kept = versions(http, &canvas).await;
    assert_eq!(kept.len(), 1);
    // Of two at once one is told.
    let words = ["Why oats", "Why barley"].map(|words| other_words(&now, "Why spelt", words));
    let (one, other) = tokio::join!(change(http, &canvas, &words[0]), change(&ben, &canvas, &words[1]));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{one:?} {other:?}");
}

#[tokio::test]
async fn words_that_do_not_fit_are_refused_with_what_would_and_a_question_changes_nothing() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let before = texts(http, &canvas).await;
    let long = "Rye and spelt and wheat ".repeat(60);
    for check_only in [true, false] {
        let mut body = other_words(&before, "Why rye", &long);
        body["check_only"] = json!(check_only);
        let error = change(http, &canvas, &body).await.error(422, "unprocessable", "text_too_long");
        let details = &error["details"];
        assert_eq!(details["letters"], long.trim().chars().count());
        let fitting = text(&details["fitting"]);
        assert!(long.starts_with(&fitting) && fitting.len() > 12, "{details}");
        assert_eq!(details["fitting_letters"], fitting.chars().count());
    }
    let mut body =
        other_words(&before, "Why rye", "Why rye keeps for longer than any other bread of the whole week does");
    body["check_only"] = json!(true);
    let tried = change(http, &canvas, &body).await.expect(200);
    assert_eq!(
        (&tried["revision"], &tried["canvas"]["updated_at"]),
        (&before["revision"], &before["canvas"]["updated_at"])
    );
    let (_, smaller) = find(&tried, &text(&body["changes"][0]["text"]));
    assert!(smaller["size"].as_f64() <= find(&before, "Why rye").1["size"].as_f64());
    assert_eq!(texts(http, &canvas).await, before);
    assert!(versions(http, &canvas).await.is_empty());
}

#[tokio::test]
async fn what_is_wrong_with_a_change_is_refused_by_name() {
    let service = Service::start();
    let http = &service.http;
    let canvas = make(http).await;
    let texts = texts(http, &canvas).await;
    let good = other_words(&texts, "Why rye", "Why spelt");
    let check = async |pointer: &str, value: Value, field: &str| {
        let mut body = good.clone();
        *body.pointer_mut(pointer).expect("a field") = value.clone();
        assert_eq!(change(http, &canvas, &body).await.invalid_fields(), [field], "{pointer} {value}");
    };
    check("/changes", json!([]), "changes").await;
    check("/changes", json!(vec![good["changes"][0].clone(); 101]), "changes").await;
    check("/revision", json!("today"), "revision").await;
    check("/changes/0/page_number", json!(0), "changes[0].page_number").await;
    check("/changes/0/page_number", json!(4_000_000_000_u32), "changes[0].ref").await;
    for path in ["", "-1", "a", "0.0.0", "99999999999999999999999"] {
        check("/changes/0/ref", json!(path), "changes[0].ref").await;
    }
    for words in ["", " \n ", "\u{7}"] {
        check("/changes/0/text", json!(words), "changes[0].text").await;
    }
    check("/changes/0/text", json!("a".repeat(6_001)), "changes[0].text").await;
    check("/changes/0", json!({"page_number": 1, "ref": "0", "text": "a", "color": "#fff"}), "changes[0].color").await;

    let stranger = service.stranger("eve@example.test");
    let path = format!("/v1/canvases/{canvas}/texts");
    for (http, path) in [(&stranger, path.clone()), (http, format!("/v1/canvases/{}/texts", unused_id("cvs")))] {
        http.get(&path).await.error(404, "not_found", "canvas_not_found");
        http.post(&path, &good).await.error(404, "not_found", "canvas_not_found");
    }
    let member = service.member("ada@example.test");
    http.patch(&format!("/v1/drive/items/{canvas}"), &json!({"visibility": "private"})).await.is(200);
    member.get(&path).await.error(404, "not_found", "canvas_not_found");
    change(&member, &canvas, &good).await.error(404, "not_found", "canvas_not_found");
}

#[tokio::test]
async fn a_design_that_a_task_works_on_keeps_its_words_until_then() {
    let (service, canvas, _folder) = idle_with_a_canvas(easel_tests::studio::Options::new()).await;
    let http = &service.http;
    let texts = texts(http, &canvas).await;
    let first = texts["pages"][0]["texts"][0].clone();
    let body = other_words(&texts, &text(&first["text"]), "Other");
    start(http, &json!({"prompt": "Make it dark", "canvas_id": canvas})).await;
    let error = change(http, &canvas, &body).await.error(409, "conflict", "canvas_active_job");
    assert_eq!(error["retry_after_ms"], 10_000);
}
