//! The receiver on this computer, and what the doctor says of deliveries of a real studio.

use easel_app::doctor::{PastedWebhook, SignatureFault, SignatureVerdict};
use easel_app::events::Event;
use easel_app::receiver::{ReceivedState, ReceiverOffer};
use easel_tests::http::Http;
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};
use serde_json::json;

use crate::designs::{describe, wait_for_end};
use crate::stage::{SOON, Stage};

/// The port in an address of the receiver.
fn port_of(address: &str) -> u16 {
    address.split([':', '/']).find_map(|part| part.parse().ok()).expect("a port")
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_this_windows_tasks_come_verified_and_those_of_another_key_with_its_secret() {
    let stage = Stage::open();
    stage.app.connections().start_local_studio(false).await.unwrap();
    let idle = stage.app.receiver().get_receiver().await.unwrap();
    assert_eq!((idle.offer, idle.address), (ReceiverOffer::Offered, None));
    let address = stage.app.receiver().start_receiver().await.unwrap().address.unwrap();
    assert_eq!(stage.app.receiver().start_receiver().await.unwrap().address.as_ref(), Some(&address), "it goes on");

    let own = stage.app.generation().describe_design(describe("A lighthouse")).await.unwrap();
    wait_for_end(&stage, &own.id).await;
    let received = async |count: usize| {
        wait_for("what was sent", SOON, async || {
            let view = stage.app.receiver().get_receiver().await.unwrap();
            if view.received.len() == count { Ok(view.received) } else { Err(format!("{view:?}")) }
        })
        .await
    };
    let first = received(1).await.remove(0);
    assert_eq!((first.state, first.event_type.as_str()), (ReceivedState::Verified, "task.succeeded"));
    stage.page.wait_for("the page to be told", |event| matches!(event, Event::WebhooksReceived(_)).then_some(())).await;

    // A program with a key of its own.
    let key = stage.app.keys().create_api_key("A program".to_owned()).await.unwrap();
    let base_url = easel_app::ports::LocalService::start(&*stage.built_in).await.unwrap();
    let task = json!({"prompt": "A harbour", "callback_url": address});
    Http::new(&base_url).with_key(&key.key).post("/v1/tasks", &task).await.is(202);
    let foreign = received(2).await.remove(0);
    assert_eq!(foreign.state, ReceivedState::NotVerified);
    let view = stage.app.receiver().set_receiver_secret(format!(" {}\n", key.signing_secret)).await.unwrap();
    assert!(view.has_secret && view.received.iter().all(|each| each.state == ReceivedState::Verified), "{view:?}");

    // Sent again, it is known as a repeat; the doctor finds the log's own request good but for its age, if it has any.
    let delivery = stage
        .app
        .deliveries()
        .list_deliveries(easel_app::deliveries::DeliveryFilter::default(), None, 1)
        .await
        .unwrap();
    let id = delivery.deliveries[0].id.clone();
    stage.app.deliveries().redeliver(vec![id.clone()]).await.unwrap();
    assert!(received(3).await[0].is_repeat);
    let logged = stage.app.deliveries().get_delivery(id).await.unwrap();
    let headers = logged.request_headers.iter().map(|header| format!("{}: {}\n", header.name, header.value)).collect();
    let pasted = PastedWebhook {
        headers,
        body: logged.request_body.clone(),
        secret: key.signing_secret.clone(),
        is_from_log: true,
    };
    let diagnosis = stage.app.doctor().examine_signature(pasted.clone()).await.unwrap();
    assert_eq!(diagnosis.verdict, SignatureVerdict::Good, "{diagnosis:?}");
    let faults: Vec<SignatureFault> = diagnosis.findings.iter().map(|finding| finding.fault).collect();
    assert_eq!(faults, [SignatureFault::DeliveryRepeated]);
    let wrong = PastedWebhook { secret: format!("whsec_{}", "0".repeat(64)), ..pasted };
    let diagnosis = stage.app.doctor().examine_signature(wrong).await.unwrap();
    assert_eq!(diagnosis.verdict, SignatureVerdict::NoMatch);
    assert_eq!(diagnosis.findings[0].fault, SignatureFault::SecretWrong);

    // Without the window's own tasks, then not at all.
    stage.app.receiver().set_receiver_takes_own_tasks(false).await.unwrap();
    let own = stage.app.generation().describe_design(describe("A mill")).await.unwrap();
    wait_for_end(&stage, &own.id).await;
    assert_eq!(stage.app.receiver().get_receiver().await.unwrap().received.len(), 3);
    let stopped = stage.app.receiver().stop_receiver().await.unwrap();
    assert_eq!((stopped.address, stopped.received.len()), (None, 0));
    let socket = port_of(&address);
    wait_for("the port to be given up", SOON, async || {
        let connected = tokio::net::TcpStream::connect(("127.0.0.1", socket)).await;
        if connected.is_err() { Ok(()) } else { Err("somebody listens") }
    })
    .await;
    stage.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn listening_ends_with_the_app_and_is_for_the_studio_on_this_computer() {
    let studio = Studio::start(Options::new());
    let stage = Stage::connected_to(&studio).await;
    assert_eq!(stage.app.receiver().get_receiver().await.unwrap().offer, ReceiverOffer::OutOfReach);
    assert_eq!(stage.app.receiver().start_receiver().await.unwrap_err().code, "receiver_out_of_reach");
    stage.app.connections().start_local_studio(false).await.unwrap();
    let address = stage.app.receiver().start_receiver().await.unwrap().address.unwrap();
    stage.app.close().await;
    let socket = port_of(&address);
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", socket)).await.is_err());
}
