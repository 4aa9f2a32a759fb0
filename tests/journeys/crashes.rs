//! The sending program and the studio, ended by SIGKILL in the middle.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use easel_sync::{State, Waiting};
use easel_tests::samples::{hash_file, write_noise};
use easel_tests::studio::{Options, Studio};
use tempfile::TempDir;

use crate::probe::Probe;
use crate::sending::{Item, Sending, age, plain, read_disk, read_drive};

/// How often the sending program is killed.
const KILLS: u32 = 10;

/// A folder with small files in folders, one that goes up in one piece, and one that goes up signed.
fn write_folder(top: &Path) {
    for index in 0..120_u64 {
        let path = top.join(format!("{}/{index}.txt", index % 9));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        write_noise(&path, 200 + index, index + 10);
        age(&path);
    }
    std::fs::create_dir(top.join("empty")).expect("a folder");
    for (name, size_bytes, seed) in [("one piece.bin", 25_000_000, 1), ("signed.bin", 60_000_000, 2)] {
        write_noise(&top.join(name), size_bytes, seed);
        age(&top.join(name));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_when_the_program_is_killed_at_any_moment() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let place = TempDir::with_prefix("easel-files-").expect("a folder");
    let (top, journal) = (place.path().join("everything"), place.path().join("journal.db"));
    write_folder(&top);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_nanos();
    let mut random = u64::try_from(seed & u128::from(u64::MAX)).expect("a seed") | 1;

    let mut probe = Probe::start(&journal, &studio, &key, std::slice::from_ref(&top));
    probe.wait_for("enqueued");
    let mut moments = Vec::new();
    let mut kills = 0;
    loop {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let moment = Duration::from_millis(random % 250);
        std::thread::sleep(moment);
        moments.push(moment);
        kills += 1;
        let was_done = probe.kill();
        probe = Probe::start(&journal, &studio, &key, &[]);
        if was_done || kills == KILLS {
            break;
        }
        probe.wait_for("started");
    }
    assert!(kills >= KILLS / 2, "it was done after {kills} kills; there was too little to send");
    let transfers = probe.finish();
    println!("killed after {moments:?}");
    let unsent: Vec<_> = transfers.iter().filter(|transfer| transfer["state"] != "sent").collect();
    assert!(
        unsent.is_empty(),
        "what this program sent is sent, not already there (killed after {moments:?}): {unsent:?}"
    );
    assert_eq!(transfers.len(), 123, "killed after {moments:?}");
    assert_eq!(read_drive(&plain(&studio, &key)).await, read_disk(&top), "killed after {moments:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_that_was_killed_is_taken_up_again() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let place = TempDir::with_prefix("easel-files-").expect("a folder");
    let (top, journal) = (place.path().join("many"), place.path().join("journal.db"));
    for index in 0..1_000 {
        let path = top.join(format!("{}/{index}", index % 30));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, format!("content {index}")).expect("a file");
    }
    let mut probe = Probe::start(&journal, &studio, &key, std::slice::from_ref(&top));
    // The first files are on their way while the walk goes on.
    probe.wait_for("sending");
    assert!(!probe.kill());
    let transfers = Probe::start(&journal, &studio, &key, &[]).finish();
    assert_eq!(transfers.len(), 1_000);
    assert_eq!(read_drive(&plain(&studio, &key)).await, read_disk(&top));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_studio_that_dies_in_the_middle_of_a_deck_is_waited_for() {
    let mut studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let deck = sending.path("deck.pptx");
    write_noise(&deck, 90_000_000, 3);
    age(&deck);
    let id = sending.drop_paths(std::slice::from_ref(&deck)).await[0];
    sending.until_on_its_way(id, 5_000_000).await;
    studio.kill();
    sending.until_waiting(Some(Waiting::Offline)).await;
    studio.restart();
    let began = Instant::now();
    sending.until(id, State::Sent).await;
    println!("in the drive {:?} after the studio was back", began.elapsed());
    let drive = read_drive(&plain(&studio, &key)).await;
    assert_eq!(drive.into_iter().collect::<Vec<_>>(), [("deck.pptx".to_owned(), Item::File(hash_file(&deck)))]);
    sending.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_ends_within_two_seconds_in_the_middle_of_a_deck() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let deck = sending.path("deck.pptx");
    write_noise(&deck, 90_000_000, 4);
    age(&deck);
    let id = sending.drop_paths(std::slice::from_ref(&deck)).await[0];
    sending.until_on_its_way(id, 1_000_000).await;
    sending.stop().await;
    assert_eq!(read_drive(&plain(&studio, &key)).await.len(), 0);
}
