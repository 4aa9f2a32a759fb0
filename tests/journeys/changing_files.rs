//! Files that change while they wait or while they are sent.

use std::io::Write;
use std::time::Duration;

use easel_sync::{Cause, State};
use easel_tests::process::{hold_still, let_go};
use easel_tests::samples::{hash_file, write_noise};
use easel_tests::studio::{Options, Studio};

use crate::sending::{Item, Sending, age, plain, read_drive};

const DECK_BYTES: u64 = 90_000_000;

/// Sends a deck, does something to it while its bytes are on the way, and lets the studio go on.
async fn disturb(
    change: impl FnOnce(&std::path::Path),
) -> (Studio, Sending, easel_sync::TransferId, easel_tests::studio::Key) {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let deck = sending.path("deck.pptx");
    write_noise(&deck, DECK_BYTES, 1);
    age(&deck);
    let id = sending.drop_paths(std::slice::from_ref(&deck)).await[0];
    sending.until_on_its_way(id, 1_000_000).await;
    // With the studio standing still, the connection holds a few MB at most, so the deck is still being read.
    hold_still(studio.pid());
    change(&deck);
    let_go(studio.pid());
    (studio, sending, id, key)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_still_growing_is_sent_when_it_is_whole() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let path = sending.path("recording.mp4");
    let mut file = std::fs::File::create(&path).expect("a file");
    let mut id = None;
    for second in 0..20 {
        file.write_all(&vec![second; 100_000]).expect("more of it");
        if id.is_none() {
            id = Some(sending.drop_paths(std::slice::from_ref(&path)).await[0]);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(read_drive(&plain(&studio, &key)).await.len(), 0, "nothing is sent while it grows");
    }
    drop(file);
    sending.until(id.expect("a transfer"), State::Sent).await;
    let drive = read_drive(&plain(&studio, &key)).await;
    assert_eq!(drive["recording.mp4"], Item::File(hash_file(&path)));
    assert_eq!(drive.len(), 1);
    sending.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changes_while_it_is_sent_is_sent_again_whole() {
    let change = |deck: &std::path::Path| {
        let mut file = std::fs::File::options().append(true).open(deck).expect("the deck");
        file.write_all(b"one more slide").expect("more of it");
    };
    let (studio, sending, id, key) = disturb(change).await;
    let transfer = sending.until(id, State::Sent).await;
    assert_eq!(transfer.size_bytes, DECK_BYTES + 14);
    let drive = read_drive(&plain(&studio, &key)).await;
    assert_eq!(
        drive.into_iter().collect::<Vec<_>>(),
        [("deck.pptx".to_owned(), Item::File(hash_file(&sending.path("deck.pptx"))))]
    );
    sending.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_cut_while_it_is_sent_is_sent_as_it_is_then() {
    let change = |deck: &std::path::Path| {
        std::fs::File::options().write(true).open(deck).expect("the deck").set_len(2_000_000).expect("a cut");
    };
    let (studio, sending, id, key) = disturb(change).await;
    sending.until(id, State::Sent).await;
    let drive = read_drive(&plain(&studio, &key)).await;
    assert_eq!(drive.into_values().collect::<Vec<_>>(), [Item::File(hash_file(&sending.path("deck.pptx")))]);
    sending.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_replaced_while_it_is_sent_is_sent_as_the_new_one() {
    let change = |deck: &std::path::Path| {
        let new = deck.with_extension("new");
        write_noise(&new, DECK_BYTES, 2);
        age(&new);
        std::fs::rename(new, deck).expect("a rename over it");
    };
    let (studio, sending, id, key) = disturb(change).await;
    sending.until(id, State::Sent).await;
    let drive = read_drive(&plain(&studio, &key)).await;
    assert_eq!(drive.into_values().collect::<Vec<_>>(), [Item::File(hash_file(&sending.path("deck.pptx")))]);
    sending.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_deleted_while_it_is_sent_fails_by_name_and_leaves_nothing() {
    let (studio, sending, id, key) = disturb(|deck| std::fs::remove_file(deck).expect("a deletion")).await;
    let transfer = sending.until(id, State::Failed).await;
    assert_eq!(transfer.failure.expect("a failure").cause, Cause::Vanished);
    assert_eq!(read_drive(&plain(&studio, &key)).await.len(), 0);
    sending.stop().await;
}
