//! The log of deliveries, and sending one again.

use easel_app::deliveries::{DeliveryFilter, DeliveryState, DeliveryView};
use easel_app::designs::DesignDraft;
use easel_app::events::Event;
use easel_tests::patience::wait_for;
use easel_tests::receiver::{Receiver, Reply};
use easel_tests::studio::{Options, Studio};

use crate::designs::{describe, wait_for_end};
use crate::stage::{SOON, Stage};

async fn list(stage: &Stage, filter: DeliveryFilter) -> Vec<DeliveryView> {
    stage.app.deliveries().list_deliveries(filter, None, 50).await.unwrap().deliveries
}

async fn wait_for_state(stage: &Stage, id: &str, state: DeliveryState) -> DeliveryView {
    wait_for("the delivery", SOON, async || {
        let found = list(stage, DeliveryFilter::default()).await.into_iter().find(|delivery| delivery.id == id);
        let delivery = found.ok_or("it is not in the log".to_owned())?;
        if delivery.state == state { Ok(delivery) } else { Err(format!("{delivery:?}")) }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_is_read_filtered_and_sent_again_once() {
    let receiver =
        Receiver::start(vec![Reply::status(500), Reply::status(500), Reply::status(500), Reply::status(204)]).await;
    let studio = Studio::start(Options::new().flag("--allow-local-callbacks"));
    let stage = Stage::connected_to(&studio).await;
    let request = DesignDraft { callback_url: Some(receiver.url("/hook")), ..describe("A lighthouse at dusk") };
    let begun = stage.app.generation().describe_design(request).await.unwrap();
    let task = wait_for_end(&stage, &begun.id).await;
    let first = wait_for("the delivery in the log", SOON, async || {
        list(&stage, DeliveryFilter::default()).await.into_iter().next().ok_or("the log is empty")
    })
    .await;
    assert_eq!((first.event_type.as_str(), first.task_id.clone()), ("task.succeeded", task.task_id));
    let failed = wait_for_state(&stage, &first.id, DeliveryState::Failed).await;
    assert_eq!((failed.attempts, failed.response_status), (3, Some(500)));

    let details = stage.app.deliveries().get_delivery(first.id.clone()).await.unwrap();
    assert_eq!(details.attempts.len(), 3);
    assert!(details.request_body.contains("A lighthouse at dusk"));
    assert!(details.request_headers.iter().any(|header| header.name.eq_ignore_ascii_case("x-webhook-signature")));

    let again = || stage.app.deliveries().redeliver(vec![first.id.clone()]);
    let (one, other) = tokio::join!(again(), again());
    let replay = one.unwrap().pop().unwrap();
    assert_eq!(replay.id, other.unwrap().pop().unwrap().id, "a double click is one replay");
    assert_eq!(replay.replayed_from_id.as_deref(), Some(first.id.as_str()));
    let done = wait_for_state(&stage, &replay.id, DeliveryState::Succeeded).await;
    assert_eq!((done.event_id, done.attempts), (failed.event_id, 1));
    assert_eq!(
        stage.app.deliveries().get_delivery(first.id.clone()).await.unwrap().replays,
        std::slice::from_ref(&replay.id)
    );
    stage
        .page
        .wait_for("the page to be told", |event| matches!(event, Event::DeliveriesChanged(_)).then_some(()))
        .await;

    let check = async |filter: DeliveryFilter, expected: &[&str]| {
        let found: Vec<String> = list(&stage, filter.clone()).await.into_iter().map(|delivery| delivery.id).collect();
        assert_eq!(found, expected, "{filter:?}");
    };
    let of = |state| DeliveryFilter { state: Some(state), ..DeliveryFilter::default() };
    check(of(DeliveryState::Failed), &[&first.id]).await;
    check(of(DeliveryState::Succeeded), &[&replay.id]).await;
    let text = |text: &str| DeliveryFilter { text: text.to_owned(), ..DeliveryFilter::default() };
    check(text("LIGHTHOUSE"), &[&replay.id, &first.id]).await;
    check(text(&replay.id), &[&replay.id]).await;
    check(text("harbour"), &[]).await;
    let typed = |name: &str| DeliveryFilter { event_type: Some(name.to_owned()), ..DeliveryFilter::default() };
    check(typed("task.failed"), &[]).await;
    let since = DeliveryFilter { from: Some("2999-01-01T00:00:00Z".to_owned()), ..DeliveryFilter::default() };
    check(since, &[]).await;
    assert_eq!(
        stage.app.deliveries().get_delivery("whd_00000000000000000000000000".to_owned()).await.unwrap_err().code,
        "delivery_not_found"
    );
    let unprefixed = stage.app.deliveries().redeliver(vec!["x".to_owned()]).await.unwrap_err();
    assert_eq!(unprefixed.code, "id_without_prefix", "no other form is taken (specification, Identifiers, rule 4)");
}
