//! Contract, "Tasks and remix": what can be seen of a design while it is made, an addition to the specification's routes. Its pages
//! come first and then a picture of each, once, to whoever sees the task; a design that is stopped on the way leaves nothing.

use std::collections::BTreeSet;

use easel_tests::http::Http;
use serde_json::{Value, json};

use crate::service::{Service, text, unused_id};
use crate::tasks::{finish, idle, start};

/// How a PNG begins, as Base64.
const PNG: &str = "iVBORw0KGgo";

/// A deck that takes a while.
const LONG: u32 = 60;

fn deck() -> Value {
    let prompt =
        "Deck about bread. Sales: July 1.05M, August 1.1M, September 1.3M. Team: Ada, baker. Contact: rye@example.org";
    json!({"prompt": prompt, "number_of_slides": LONG})
}

/// What is new since the revision `after`, as soon as there is something.
async fn look(http: &Http, task: &str, after: u64) -> Value {
    http.with_header("prefer", "wait=20").get(&format!("/v1/tasks/{task}/preview?after={after}")).await.expect(200)
}

fn pages(preview: &Value) -> &Vec<Value> {
    preview["pages"].as_array().expect("pages")
}

#[tokio::test]
async fn the_pages_of_a_design_are_seen_first_and_then_each_as_it_is_drawn() {
    let service = Service::start();
    let http = &service.http;
    let task = start(http, &deck()).await;
    let id = text(&task["id"]);
    let (mut after, mut pictures, mut was_outlined, mut said) = (0, BTreeSet::new(), false, BTreeSet::new());
    loop {
        let preview = look(http, &id, after).await;
        if preview["status"] == "succeeded" {
            assert_eq!(pages(&preview), &Vec::<Value>::new());
            break;
        }
        let revision = preview["revision"].as_u64().expect("a revision");
        assert!(revision > after, "{after}: an answer without anything new");
        after = revision;
        let drawn = pages(&preview).iter().filter(|page| page["is_drawn"] == true).count();
        was_outlined |= drawn < pages(&preview).len();
        for (page, number) in pages(&preview).iter().zip(1..) {
            assert_eq!((&page["page_number"], page["name"] != ""), (&json!(number), true), "{page}");
            if let Some(picture) = page["picture"].as_str() {
                assert!(picture.starts_with(PNG) && page["is_drawn"] == true);
                assert!(pictures.insert(number), "page {number} came twice");
            }
        }
        // A task that waits for its turn says nothing yet.
        said.extend(preview["progress"]["message"].as_str().map(str::to_owned));
    }
    assert!(was_outlined && pictures.len() > 5, "{} pictures", pictures.len());
    assert!(said.iter().any(|said| said.contains("1 chart")), "what was read is named: {said:?}");
    assert_eq!(finish(http, &task).await["status"], "succeeded");
}

#[tokio::test]
async fn a_design_that_is_stopped_while_it_is_drawn_leaves_nothing() {
    let service = Service::start();
    let http = &service.http;
    let task = start(http, &deck()).await;
    let id = text(&task["id"]);
    let mut after = 0;
    loop {
        let preview = look(http, &id, after).await;
        assert!(preview["status"] == "queued" || preview["status"] == "running", "it was not done yet: {preview}");
        after = preview["revision"].as_u64().expect("a revision");
        if pages(&preview).iter().any(|page| page["is_drawn"] == true) {
            break;
        }
    }
    http.post(&format!("/v1/tasks/{id}/cancel"), &Value::Null).await.is(200);
    let ended = finish(http, &task).await;
    assert_eq!((&ended["status"], &ended["result"]), (&json!("canceled"), &Value::Null));
    let preview = look(http, &id, after).await;
    assert_eq!((&preview["status"], pages(&preview).len()), (&json!("canceled"), 0));
    assert_eq!(http.get("/v1/canvases").await.expect(200)["data"], json!([]));
}

#[tokio::test]
async fn a_preview_waits_no_longer_than_it_was_asked_to_and_names_what_it_does_not_take() {
    let service = Service::start_with(idle());
    let http = &service.http;
    let id = text(&start(http, &deck()).await["id"]);
    let path = format!("/v1/tasks/{id}/preview");
    // Without a revision the answer comes at once; nobody works here.
    let preview = http.with_header("prefer", "wait=20").get(&path).await.expect(200);
    assert_eq!((&preview["status"], &preview["revision"], pages(&preview).len()), (&json!("queued"), &json!(0), 0));
    let began = std::time::Instant::now();
    http.with_header("prefer", "wait=1").get(&format!("{path}?after=0")).await.is(200);
    assert!((1..10).contains(&began.elapsed().as_secs()));
    for after in ["-1", "9007199254740992"] {
        let refused = http.get(&format!("{path}?after={after}")).await;
        assert_eq!(refused.invalid_fields(), ["after"], "{after}");
    }
    http.get(&format!("/v1/tasks/{}/preview", unused_id("task"))).await.error(404, "not_found", "task_not_found");
}
