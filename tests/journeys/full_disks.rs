//! A disk that is full, on either side.

use easel_sync::{State, Waiting};
use easel_tests::samples::write_noise;
use easel_tests::small_disk::SmallDisk;
use easel_tests::studio::{Options, Studio};
use tempfile::TempDir;

use crate::sending::{Sending, age, client, plain, read_disk, read_drive};

#[tokio::test(flavor = "multi_thread")]
async fn a_full_drive_is_waited_for_and_the_queue_goes_on_when_there_is_room() {
    let disk = SmallDisk::mount(40_000_000);
    let studio = Studio::start(Options::new().data_dir(&disk.path().join("data")));
    let key = studio.create_key("journey");
    let sending = Sending::start(&studio, &key).await;
    let top = sending.path("files");
    std::fs::create_dir(&top).expect("a folder");
    for index in 0..3 {
        let path = top.join(format!("{index}.bin"));
        write_noise(&path, 5_000_000, index + 1);
        age(&path);
    }
    let ballast = disk.fill();
    sending.drop_paths(std::slice::from_ref(&top)).await;
    sending.until_waiting(Some(Waiting::StorageFull)).await;
    assert_eq!(sending.queue.summary().await.expect("a summary").failed, 0);
    std::fs::remove_file(ballast).expect("room again");
    let transfers = sending.until_done().await;
    assert!(transfers.iter().all(|transfer| transfer.state == State::Sent), "{transfers:?}");
    assert_eq!(read_drive(&plain(&studio, &key)).await, read_disk(&top));
    sending.until_waiting(None).await;
    sending.stop().await;
    drop(studio);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_under_the_journal_is_waited_for_and_nothing_is_sent_twice() {
    let disk = SmallDisk::mount(6_000_000);
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let files = TempDir::with_prefix("easel-files-").expect("a folder");
    let sending = Sending::start_on(&disk.path().join("journal.db"), files, client(&studio, &key)).await;
    let top = sending.path("files");
    std::fs::create_dir(&top).expect("a folder");
    for index in 0..400 {
        let path = top.join(format!("{index}.txt"));
        std::fs::write(&path, format!("content {index}")).expect("a file");
        age(&path);
    }
    sending.drop_paths(std::slice::from_ref(&top)).await;
    let ballast = disk.fill();
    sending.until_waiting(Some(Waiting::DiskFull)).await;
    let late = sending.queue.enqueue(vec![top.join("0.txt")], None).await;
    assert!(matches!(late, Err(easel_sync::Error::DiskFull)), "{late:?}");
    std::fs::remove_file(ballast).expect("room again");
    let transfers = sending.until_done().await;
    assert!(transfers.iter().all(|transfer| transfer.state == State::Sent), "{transfers:?}");
    assert_eq!(transfers.len(), 400);
    assert_eq!(read_drive(&plain(&studio, &key)).await, read_disk(&top));
    sending.until_waiting(None).await;
    sending.stop().await;
}
