//! A key that is deleted while the queue is at work, and the next one.

use easel_sync::{State, Waiting};
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};

use crate::sending::{PATIENCE, Sending, age, client, plain, read_disk, read_drive};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_revoked_in_mid_queue_is_replaced_and_everything_arrives_once() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("first");
    let sending = Sending::start(&studio, &key).await;
    let top = sending.path("files");
    std::fs::create_dir(&top).expect("a folder");
    for index in 0..200 {
        let path = top.join(format!("{index}.txt"));
        std::fs::write(&path, format!("content {index}")).expect("a file");
        age(&path);
    }
    sending.drop_paths(std::slice::from_ref(&top)).await;
    wait_for("the first files to arrive", PATIENCE, async || {
        let summary = sending.queue.summary().await.map_err(|error| error.to_string())?;
        if summary.finished >= 5 { Ok(()) } else { Err(format!("{summary:?}")) }
    })
    .await;
    // However fast this machine is, the rest is still to be sent when the key goes.
    sending.queue.pause_all().await.expect("a pause");
    studio.delete_key(&key.id);
    sending.queue.resume_all().await.expect("going on");
    sending.until_waiting(Some(Waiting::KeyRefused)).await;
    let summary = sending.queue.summary().await.expect("a summary");
    assert!(summary.finished < summary.total, "the key went in mid-queue: {summary:?}");
    assert_eq!(summary.failed, 0, "a refused key is no file's own failure");

    let next = studio.create_key("second");
    sending.queue.set_client(client(&studio, &next)).await;
    let transfers = sending.until_done().await;
    assert!(transfers.iter().all(|transfer| transfer.state == State::Sent), "{transfers:?}");
    assert_eq!(read_drive(&plain(&studio, &next)).await, read_disk(&top));
    sending.until_waiting(None).await;
    sending.stop().await;
}
