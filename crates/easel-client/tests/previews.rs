//! What can be seen of a design while it is made, where a service shows it and where it does not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use std::time::Duration;

use easel_client::{Error, Feature};
use easel_wire::TaskId;
use serde_json::json;
use stub::Stub;

fn task() -> TaskId {
    "task_00000000000000000000000009".parse().unwrap()
}

#[tokio::test]
async fn pages_of_a_design_that_is_made_are_asked_for_from_where_the_last_answer_ended() {
    let stub = Stub::start(|_| {
        let page = json!({"page_number": 1, "name": "Cover", "is_drawn": true, "picture": "AA==", "moon": 1});
        stub::json(200, &json!({"status": "running", "revision": 8, "pages": [page]}))
    })
    .await;
    let client = stub.client();
    let first = client.get_task_preview(task(), None, Duration::ZERO).await.unwrap();
    client.get_task_preview(task(), Some(first.revision), Duration::from_secs(20)).await.unwrap();
    assert_eq!((first.pages[0].name.as_str(), first.pages[0].picture.as_deref()), ("Cover", Some("AA==")));
    let lines: Vec<String> = stub.seen().iter().map(|request| request.target.clone()).collect();
    let path = format!("/v1/tasks/{}/preview", task());
    assert_eq!(lines, [path.clone(), format!("{path}?after=8")]);
    assert_eq!(client.offers(Feature::TaskPreview), Some(true));
}

#[tokio::test]
async fn a_service_that_shows_no_design_while_it_makes_it_is_asked_once_and_a_task_that_is_gone_is_not_taken_for_that()
{
    let stub = Stub::that_knows_whoami_alone(|| stub::refusal(404, "not_found", "route_not_found")).await;
    let client = stub.client_that_knows_it().await;
    for _ in 0..2 {
        let refused = client.get_task_preview(task(), None, Duration::ZERO).await;
        assert!(matches!(refused, Err(Error::RouteMissing)), "{refused:?}");
    }
    assert_eq!((client.offers(Feature::TaskPreview), stub.seen().len()), (Some(false), 2), "it was asked once");

    let stub = Stub::start(|_| stub::refusal(404, "not_found", "task_not_found")).await;
    let client = stub.client();
    let refused = client.get_task_preview(task(), None, Duration::ZERO).await.unwrap_err();
    assert!(!matches!(refused, Error::RouteMissing), "{refused:?}");
    assert_eq!(client.offers(Feature::TaskPreview), None);
}
