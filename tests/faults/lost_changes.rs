//! Changes that have no idempotency key, and whose answers are lost: a hundred times each, and each has happened once.

use easel_client::{PageRequest, RemixClick, Remixed, TaskFilter};
use easel_tests::proxy::Fault;
use easel_wire::brand_kits::WriteBrandKit;
use easel_wire::tasks::{Remix, StartTask, TaskKind};
use easel_wire::{CanvasId, Timestamp};
use serde_json::json;

use crate::rig::{Rig, TIMES, in_lanes};

/// A design of its own, by its id.
async fn design(rig: &Rig, name: &str) -> CanvasId {
    let body = json!({"prompt": "A poster about tea", "canvas_name": name});
    let http = rig.service().with_header("Prefer", "wait=30");
    let task = http.post("/v1/tasks", &body).await.expect(202);
    task["result"]["canvas_id"].as_str().expect("it is done").parse().unwrap()
}

fn click(canvas_id: CanvasId, prompt: Option<&str>) -> RemixClick {
    let prompt = prompt.map(str::to_owned);
    RemixClick {
        remix: Remix { canvas_id, prompt, new_name: None, brand_kit_id: None, skip_brand_kit: None },
        since: Timestamp::from(jiff::Timestamp::now()),
        not_canvases: Vec::new(),
        not_tasks: Vec::new(),
    }
}

async fn canvases(rig: &Rig) -> usize {
    let mut found = 0;
    let mut cursor = String::new();
    loop {
        let page = rig.service().get(&format!("/v1/canvases?limit=100{cursor}")).await.expect(200);
        found += page["data"].as_array().unwrap().len();
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

#[tokio::test]
async fn a_copy_a_hundred_times() {
    let rig = Rig::start().await;
    in_lanes(&rig, |rig, lane, number| async move {
        // Each has a source of its own, because the lanes run side by side.
        let source = design(&rig, &format!("Source {number}")).await;
        lane.api.break_next("POST", "/remix", Fault::DropAnswer);
        let made = lane.client.remix(&click(source, None)).await.unwrap();
        let Remixed::Copied { canvas_id: Some(canvas_id), .. } = made else { panic!("{number}: {made:?}") };
        let canvas = lane.client.get_canvas(canvas_id).await.unwrap();
        assert_eq!(canvas.source_canvas_id, Some(source), "{number}");
        assert_eq!(lane.take("POST", "/remix").len(), 1, "{number}: it was asked for again");
    })
    .await;
    assert_eq!(canvases(&rig).await, 2 * TIMES);
}

#[tokio::test]
async fn a_remix_in_words_a_hundred_times_and_what_others_asked_for_is_not_taken_for_it() {
    let rig = Rig::start().await;
    let source = design(&rig, "Source").await;
    in_lanes(&rig, move |_, lane, number| async move {
        let prompt = format!("Version {number}");
        lane.api.break_next("POST", "/remix", Fault::DropAnswer);
        let started = lane.client.remix(&click(source, Some(&prompt))).await.unwrap();
        let Remixed::Started(task) = started else { panic!("{number}") };
        assert_eq!(task.input.unwrap()["prompt"], prompt);
    })
    .await;
    let filter = TaskFilter { kind: Some(TaskKind::Remix), ..TaskFilter::default() };
    let newest = PageRequest { limit: Some(100), ..PageRequest::default() };
    let lane = rig.lane().await;
    let page = lane.client.list_tasks(&filter, &newest).await.unwrap();
    assert_eq!((page.items.len(), page.next_cursor), (TIMES, None));
}

#[tokio::test]
async fn a_copy_that_was_not_made_is_asked_for_again() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    let source = design(&rig, "Source").await;
    // An earlier click has made one; it is not taken for what this one asks for.
    let first = lane.client.remix(&click(source, None)).await.unwrap();
    let Remixed::Copied { canvas_id: Some(canvas_id), .. } = first else { panic!("{first:?}") };
    lane.api.break_next("POST", "/remix", Fault::Refuse);
    let second = RemixClick { not_canvases: vec![canvas_id], ..click(source, None) };
    let made = lane.client.remix(&second).await.unwrap();
    assert!(matches!(made, Remixed::Copied { canvas_id: Some(other), .. } if other != canvas_id));
    assert_eq!(lane.take("POST", "/remix").len(), 3);
    assert_eq!(canvases(&rig).await, 3);
}

#[tokio::test]
async fn a_task_with_a_key_a_hundred_times() {
    let rig = Rig::start().await;
    in_lanes(&rig, |_, lane, number| async move {
        lane.api.break_next("POST", "/tasks", Fault::DropAnswer);
        let request = StartTask {
            prompt: format!("Poster {number}"),
            idempotency_key: Some(format!("key-{number}")),
            ..StartTask::default()
        };
        let task = lane.client.start_task(&request, std::time::Duration::ZERO).await.unwrap();
        assert_eq!(task.input.unwrap()["prompt"], request.prompt);
        assert_eq!(lane.take("POST", "/tasks").len(), 2, "{number}");
    })
    .await;
    let page = rig.service().get("/v1/tasks?limit=100").await.expect(200);
    assert_eq!((page["data"].as_array().unwrap().len(), page["has_more"].as_bool()), (TIMES, Some(false)));
}

#[tokio::test]
async fn a_new_brand_kit_another_name_and_a_deletion_happen_once() {
    let rig = Rig::start().await;
    let lane = rig.lane().await;
    for number in 0..20 {
        let title = format!("Kit {number}");
        lane.api.break_next("POST", "/brand-kits", Fault::DropAnswer);
        let kit = WriteBrandKit { title: Some(title.clone()), ..WriteBrandKit::default() };
        let made = lane.client.create_brand_kit(&kit).await.unwrap();
        assert_eq!(made.title, title);
    }
    let newest = PageRequest { limit: Some(100), ..PageRequest::default() };
    let kits = lane.client.list_brand_kits(&newest).await.unwrap().items;
    assert_eq!(kits.len(), 20);
    lane.api.break_next("DELETE", &format!("/brand-kits/{}", kits[0].id), Fault::DropAnswer);
    lane.client.delete_brand_kit(kits[0].id).await.unwrap();
    assert_eq!(lane.client.list_brand_kits(&newest).await.unwrap().items.len(), 19);

    let canvas = design(&rig, "Before").await;
    lane.api.break_next("PATCH", &format!("/canvases/{canvas}"), Fault::DropAnswer);
    assert_eq!(lane.client.rename_canvas(canvas, "After").await.unwrap().name, "After");
    assert_eq!(lane.take("PATCH", &format!("/canvases/{canvas}")).len(), 1, "it was looked for, not asked for again");
}
