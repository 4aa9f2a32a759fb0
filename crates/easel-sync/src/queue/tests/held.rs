//! Nothing moves while the network is metered.

use super::*;

#[tokio::test]
async fn a_metered_network_stops_what_is_on_its_way_and_lets_it_begin_again_later() {
    let bench = Bench::new(TINY_CEILING).await;
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    bench.stub.meet(move |route| if route.starts_with("PUT") { Meet::Hold(Arc::clone(&held)) } else { Meet::Service });
    let path = bench.file("film.mov", &[7; 10_000]);
    let id = bench.enqueue(&[path]).await[0];
    bench.until_state(id, State::Sending).await;
    bench.queue.set_metered(true).await;
    bench.until_waiting(Some(Waiting::Metered)).await;
    bench.until_state(id, State::Queued).await;
    gate.add_permits(100);
    let other = bench.file("small.txt", b"small");
    let second = bench.enqueue(&[other]).await[0];
    bench.queue.look_again().await;
    // By the time that the queue has carried out another command, any transfer that would begin has begun.
    bench.queue.promote(second).await.unwrap();
    assert_eq!((bench.state(id).await, bench.state(second).await), (State::Queued, State::Queued));
    assert!(bench.stub.files().is_empty());
    bench.queue.set_metered(false).await;
    bench.until_waiting(None).await;
    bench.until_idle().await;
    assert_eq!((bench.state(id).await, bench.state(second).await), (State::Sent, State::Sent));
}

#[tokio::test]
async fn places_can_be_fewer_and_more_while_the_queue_is_at_work() {
    let bench = Bench::new(DIRECT_CEILING).await;
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    bench.stub.meet(
        move |route| {
            if route == "POST /v1/uploads" { Meet::Hold(Arc::clone(&held)) } else { Meet::Service }
        },
    );
    bench.queue.set_at_once(1);
    let paths: Vec<PathBuf> = (0..4).map(|number| bench.file(&format!("{number}.txt"), &[number; 10])).collect();
    bench.enqueue(&paths).await;
    until("one is on its way", async || bench.queue.summary().await.unwrap().active == 1).await;
    bench.queue.set_at_once(3);
    until("three are on their way", async || bench.queue.summary().await.unwrap().active == 3).await;
    gate.add_permits(100);
    bench.until_idle().await;
    assert_eq!(bench.stub.files().len(), 4);
}
