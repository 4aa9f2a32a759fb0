//! A synced folder in the real window: dropped, previewed, kept in step, paused, and asked about before many deletions.

use std::path::Path;

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, pictures, read_drive};

/// Twelve files at the top, enough to be asked about, and one in a subfolder.
fn write_folder(folder: &Path) {
    std::fs::create_dir_all(folder.join("Photos")).expect("a folder");
    std::fs::write(folder.join("Photos/harbour.txt"), "a harbour at dawn").expect("a file");
    for index in 0..12 {
        std::fs::write(folder.join(format!("note {index:02}.txt")), format!("note {index}")).expect("a file");
    }
}

#[tokio::test]
async fn a_dropped_folder_is_previewed_kept_in_step_paused_and_asked_about_before_many_deletions() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let folder = journey.files().join("Campaign");
    write_folder(&folder);
    journey.start_on_this_computer().await;
    window.click("rail-synced").await;
    window.find("empty").await;
    window.take_picture(&pictures().join("synced-empty.png")).await;

    journey.drop_to_keep_in_step(&folder).await;
    window.find("synced-sheet").await;
    window.click("synced-more").await;
    window.click_by("[data-testid=\"synced-deletions-delete\"]").await;
    window.click("synced-look").await;
    assert!(window.text_of("synced-preview-up").await.starts_with("13 files"));
    assert_eq!(window.text_of("synced-preview-deleted").await, "Nothing is deleted");
    window.take_picture(&pictures().join("synced-preview.png")).await;
    let service = journey.built_in_service().await;
    assert!(!read_drive(&service).await.contains_key("harbour.txt"), "nothing is sent before the person says so");
    window.click("synced-begin").await;
    journey.wait_for_synced_folder("up_to_date").await;
    assert_eq!(read_drive(&service).await.len(), 13);
    window.wait_for_words("synced-folder", "Up to date").await;
    window.take_picture(&pictures().join("synced-up-to-date.png")).await;

    // What is renamed on disk is renamed in the drive.
    std::fs::rename(folder.join("Photos"), folder.join("Pictures")).unwrap();
    window.click("synced-tab-history").await;
    window.find_by("[data-testid=\"synced-event\"][data-path=\"Pictures\"][data-change=\"moved_there\"]").await;
    let tree = service.get("/v1/drive/tree?depth=3").await.expect(200);
    assert_eq!(tree["tree"][0]["children"][0]["name"], "Pictures", "{tree}");
    window.click("synced-tab-folders").await;

    window.click("synced-pause").await;
    journey.wait_for_synced_folder("paused").await;
    for index in 0..12 {
        std::fs::remove_file(folder.join(format!("note {index:02}.txt"))).unwrap();
    }
    window.click("synced-resume").await;
    journey.wait_for_synced_folder("needs_you").await;
    let asked = window.text_of("synced-question").await;
    assert!(asked.contains("Keep them in the drive") && asked.contains("Delete 12 items in the drive"), "{asked}");
    assert_eq!(read_drive(&service).await.len(), 13, "nothing goes before the answer");
    window.find_by("[data-testid=\"rail-synced\"][aria-label=\"Synced folders, 1 needs you\"]").await;
    window.take_picture(&pictures().join("synced-question.png")).await;
    window.click("synced-go-on").await;
    journey.wait_for_synced_folder("up_to_date").await;
    assert_eq!(read_drive(&service).await.into_keys().collect::<Vec<_>>(), ["harbour.txt"]);

    window.click("synced-tab-history").await;
    window.find_by("[data-testid=\"synced-event\"][data-change=\"deleted_there\"]").await;
    window.find_by("[data-testid=\"synced-event\"][data-change=\"moved_there\"]").await;
    window.take_picture(&pictures().join("synced-history.png")).await;
}

#[tokio::test]
async fn a_folder_is_added_by_the_dialog_and_found_again_where_it_was_moved() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let folder = journey.files().join("Campaign");
    write_folder(&folder);
    journey.start_on_this_computer().await;
    window.click("rail-synced").await;
    window.click("synced-add").await;
    window.choose_in_dialog(&journey.desktop, &folder).await;
    window.find("synced-sheet").await;
    window.click("synced-look").await;
    assert!(window.text_of("synced-preview-up").await.starts_with("13 files"));
    window.click("synced-begin").await;
    journey.wait_for_synced_folder("up_to_date").await;

    let moved = journey.files().join("Campaign, the second");
    std::fs::rename(&folder, &moved).unwrap();
    journey.wait_for_synced_folder("needs_you").await;
    window.wait_for_words("synced-need-action", "Find the folder").await;
    window.take_picture(&pictures().join("synced-missing.png")).await;
    window.click("synced-need-action").await;
    window.choose_in_dialog(&journey.desktop, &moved).await;
    journey.wait_for_synced_folder("up_to_date").await;
    window.find_by("[data-testid=\"synced-folder\"][data-name=\"Campaign, the second\"]").await;
    assert_eq!(
        read_drive(&journey.built_in_service().await).await.len(),
        13,
        "nothing was deleted, nothing sent twice"
    );
}
