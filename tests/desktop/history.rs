//! The history of a synced folder as a way back: a deletion of 300 files that a person agreed to is undone from it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, pictures, read_drive};
use easel_tests::patience::wait_for;
use easel_tests::trees::{Tree, read_disk_below};

/// How many files the folder that is deleted has.
const FILES: usize = 300;
/// How long they may take to be sent: the studio takes 120 requests a minute.
const SENDING_ALL: Duration = Duration::from_secs(300);
/// How long they may take to be back.
const LIMIT: Duration = Duration::from_secs(120);

fn write_folder(folder: &Path) {
    std::fs::create_dir_all(folder.join("Photos")).expect("a folder");
    std::fs::write(folder.join("brief.txt"), "a harbour at dawn").expect("a file");
    for index in 0..FILES {
        std::fs::write(folder.join(format!("Photos/{index:03}.txt")), format!("photo {index}")).expect("a file");
    }
}

/// What the drive has, by name.
async fn read_service(journey: &Journey) -> BTreeMap<String, String> {
    let drive = read_drive(&journey.built_in_service().await).await;
    drive.into_iter().map(|(name, stored)| (name, stored.sha256)).collect()
}

async fn wait_for_sent(journey: &Journey) {
    wait_for("all files to be sent", SENDING_ALL, async || {
        let state = "return document.querySelector('[data-testid=synced-folder]')?.dataset.state ?? ''";
        let state = journey.window.look(state).await;
        if state == "up_to_date" { Ok(()) } else { Err(state.to_string()) }
    })
    .await;
}

async fn wait_for_state(journey: &Journey, state: &str) {
    journey.window.find_by(&format!("[data-testid=\"synced-folder\"][data-state=\"{state}\"]")).await;
}

async fn wait_for_disk(folder: &Path, expected: &Tree) {
    wait_for("everything to be back on the disk", LIMIT, async || {
        let found = read_disk_below(folder);
        if found == *expected { Ok(()) } else { Err(format!("{} of {}", found.len(), expected.len())) }
    })
    .await;
}

#[tokio::test]
async fn a_deletion_of_300_files_is_undone_from_the_history() {
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
    wait_for_sent(&journey).await;
    let (disk, drive) = (read_disk_below(&folder), read_service(&journey).await);
    assert_eq!(drive.len(), FILES + 1);

    std::fs::remove_dir_all(folder.join("Photos")).expect("the folder deleted");
    wait_for_state(&journey, "needs_you").await;
    window.click("synced-go-on").await;
    wait_for_state(&journey, "up_to_date").await;
    assert_eq!(read_service(&journey).await.into_keys().collect::<Vec<_>>(), ["brief.txt"]);

    // Two clicks, with the numbers between them.
    window.click("synced-tab-history").await;
    window.click("synced-undo-run").await;
    let told = window.wait_for_words("revert-back", "300").await;
    assert!(!window.has("revert-lost").await, "{told}");
    window.take_picture(&pictures().join("history-undo.png")).await;
    window.click("revert-confirm").await;
    wait_for_disk(&folder, &disk).await;

    window.click("synced-tab-folders").await;
    wait_for_state(&journey, "up_to_date").await;
    wait_for("everything to be back in the drive", LIMIT, async || {
        let found = read_service(&journey).await;
        if found == drive { Ok(()) } else { Err(format!("{} of {}", found.len(), drive.len())) }
    })
    .await;
    window.click("synced-tab-history").await;
    window.take_picture(&pictures().join("history-undone.png")).await;
}
