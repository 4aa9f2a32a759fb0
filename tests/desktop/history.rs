//! The history of a synced folder as a way back: the deletion of a folder that a person agreed to is undone from it. Not here:
//! 300 files, for which the built-in studio takes minutes each way (`tests/app/history.rs` has them).

use std::path::Path;
use std::time::Duration;

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, pictures};
use easel_tests::patience::wait_for;
use easel_tests::trees::{Tree, read_disk_below, read_drive_below};

/// How many files the folder that is deleted has.
const FILES: usize = 30;
/// How long they may take to be sent, deleted or back.
const LIMIT: Duration = Duration::from_secs(120);

fn write_folder(folder: &Path) {
    std::fs::create_dir_all(folder.join("Photos")).expect("a folder");
    std::fs::write(folder.join("brief.txt"), "a harbour at dawn").expect("a file");
    for index in 0..FILES {
        std::fs::write(folder.join(format!("Photos/{index:02}.txt")), format!("photo {index}")).expect("a file");
    }
}

async fn wait_for_equal(journey: &Journey) {
    wait_for("both sides to be equal", LIMIT, async || {
        let state = "return document.querySelector('[data-testid=synced-folder]')?.dataset.state ?? ''";
        let state = journey.window.look(state).await;
        if state == "up_to_date" { Ok(()) } else { Err(state.to_string()) }
    })
    .await;
}

async fn wait_for_disk(folder: &Path, expected: &Tree) {
    wait_for("everything to be back on the disk", LIMIT, async || {
        let found = read_disk_below(folder);
        if found == *expected { Ok(()) } else { Err(format!("{} of {}", found.len(), expected.len())) }
    })
    .await;
}

#[tokio::test]
async fn a_deletion_that_was_agreed_to_is_undone_from_the_history() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let folder = journey.files().join("Campaign");
    write_folder(&folder);
    journey.start_on_this_computer().await;
    window.click("rail-synced").await;
    journey.drop_to_keep_in_step(&folder).await;
    window.find("synced-sheet").await;
    window.click("synced-more").await;
    window.click("synced-deletions-delete").await;
    window.click("synced-look").await;
    window.click("synced-begin").await;
    wait_for_equal(&journey).await;
    let service = journey.built_in_service().await;
    let before = read_disk_below(&folder);
    assert_eq!(before.len(), FILES + 2);
    assert_eq!(read_drive_below(&service, "Campaign").await, before);

    std::fs::remove_dir_all(folder.join("Photos")).expect("the folder deleted");
    journey.wait_for_synced_folder("needs_you").await;
    window.click("synced-go-on").await;
    wait_for_equal(&journey).await;
    let left = read_drive_below(&service, "Campaign").await;
    assert_eq!(left.into_keys().collect::<Vec<_>>(), ["brief.txt"]);

    // Two clicks, with the numbers between them.
    window.click("synced-tab-history").await;
    window.click("synced-undo-run").await;
    let told = window.wait_for_words("revert-back", "30").await;
    assert!(!window.has("revert-lost").await, "{told}");
    window.take_picture(&pictures().join("history-undo.png")).await;
    window.click("revert-confirm").await;
    wait_for_disk(&folder, &before).await;

    window.click("synced-tab-folders").await;
    wait_for_equal(&journey).await;
    wait_for("everything to be back in the drive", LIMIT, async || {
        let found = read_drive_below(&service, "Campaign").await;
        if found == before { Ok(()) } else { Err(format!("{} of {}", found.len(), before.len())) }
    })
    .await;
    window.click("synced-tab-history").await;
    window.take_picture(&pictures().join("history-undone.png")).await;
}
