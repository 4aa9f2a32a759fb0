//! Work in the drive, by keyboard and pointer: new folder, rename, move, delete with undo, download.

use std::time::Duration;

use easel_tests::axe;
use easel_tests::desktop::Keychain;
use easel_tests::drive::replace_content;
use easel_tests::journey::{Journey, read_drive, wait_for_files};
use easel_tests::patience::wait_for;
use easel_tests::samples;
use easel_tests::window::{PATIENCE, key};

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a journey is told in one piece")]
async fn a_folder_is_made_a_file_renamed_moved_deleted_brought_back_and_downloaded() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let picture = journey.files().join("Logo.png");
    samples::write_picture(&picture);
    journey.start_on_this_computer().await;

    // Dropped into the drive as it is open.
    window.click("rail-drive").await;
    window.find("drive").await;
    journey.drop_files("drive", std::slice::from_ref(&picture)).await;
    journey.wait_for_transfers(&["Logo.png"]).await;
    journey.wait_for_rows(&[("Logo.png", "file")]).await;
    let service = journey.built_in_service().await;
    let original = read_drive(&service).await["Logo.png"].clone();

    // A new folder.
    window.click("drive-new-folder").await;
    window.fill("folder-name", "Brand").await;
    window.press(key::ENTER).await;
    journey.wait_for_rows(&[("Brand", "folder"), ("Logo.png", "file")]).await;
    window.find_by("[data-testid=\"drive-row\"][data-name=\"Brand\"][aria-selected=\"true\"]").await;

    // Renamed with F2: the name without its ending is selected, so typing replaces it.
    select(&journey, "Logo.png").await;
    window.press(key::F2).await;
    window.find("drive-rename").await;
    window.press("Mark").await;
    window.press(key::ENTER).await;
    journey.wait_for_rows(&[("Brand", "folder"), ("Mark.png", "file")]).await;
    wait_for_files(&service, &["Mark.png"]).await;

    // Moved by the dialog.
    open_menu(&journey, "Mark.png", "menu-move").await;
    window.click_by("[data-testid=\"tree-folder\"][data-name=\"Brand\"]").await;
    window.click("move-confirm").await;
    journey.wait_for_rows(&[("Brand", "folder")]).await;
    select(&journey, "Brand").await;
    window.press(key::ENTER).await;
    journey.wait_for_rows(&[("Mark.png", "file")]).await;
    let moved = read_drive(&service).await["Mark.png"].clone();
    assert_eq!((&moved.id, &moved.sha256), (&original.id, &original.sha256), "the same file");
    assert_ne!(moved.folder_id, original.folder_id);

    // Found in the whole drive by its name, and shown where it lies.
    window.click("rail-drive").await;
    journey.wait_for_rows(&[("Brand", "folder")]).await;
    window.fill("drive-search", "mark").await;
    window.find_by("[data-testid=\"drive-found-item\"][data-name=\"Mark.png\"]").await;
    axe::check(window, "what was found in the drive").await;
    window.press(key::ENTER).await;
    window.press(key::ENTER).await;
    window.find_by("[data-testid=\"drive-row\"][data-name=\"Mark.png\"][aria-selected=\"true\"]").await;

    // Deleted, and brought back before anything was sent.
    select(&journey, "Mark.png").await;
    window.press(key::DELETE).await;
    journey.wait_for_rows(&[]).await;
    window.click("toast-undo").await;
    journey.wait_for_rows(&[("Mark.png", "file")]).await;
    assert_eq!(read_drive(&service).await["Mark.png"], moved);

    // Downloaded into the Downloads folder.
    open_menu(&journey, "Mark.png", "menu-download").await;
    let downloaded = journey.desktop.downloads().join("Mark.png");
    wait_for("the download", PATIENCE, async || {
        if downloaded.is_file() { Ok(()) } else { Err(format!("no {}", downloaded.display())) }
    })
    .await;
    assert_eq!(samples::hash_file(&downloaded), moved.sha256);

    // Given other content by another program, and restored by its version, which is seen before.
    replace_content(&service, &moved.id, "text/plain", b"no picture any more").await;
    open_menu(&journey, "Mark.png", "menu-versions").await;
    window.find_by("[data-testid=\"version-preview\"] img.here").await;
    axe::check(window, "the versions of a file").await;
    window.click("version-restore").await;
    window.find("toast-undo-restore").await;
    let restored = read_drive(&service).await["Mark.png"].clone();
    assert_eq!((&restored.id, &restored.sha256), (&moved.id, &moved.sha256));

    // Sent when the time to undo is over; then it lies in the trash, and comes back from there.
    select(&journey, "Mark.png").await;
    window.press(key::DELETE).await;
    journey.wait_for_rows(&[]).await;
    wait_for_files(&service, &[]).await;
    window.click("drive-trash").await;
    window.find_by("[data-testid=\"trash-row\"][data-name=\"Mark.png\"]").await;
    axe::check(window, "the trash").await;
    window.click("trash-restore-one").await;
    window.click("toast-show").await;
    journey.wait_for_rows(&[("Mark.png", "file")]).await;
    let back = read_drive(&service).await["Mark.png"].clone();
    assert_eq!((&back.id, &back.sha256, &back.folder_id), (&moved.id, &moved.sha256, &moved.folder_id));

    // Deleted for good, after a question.
    select(&journey, "Mark.png").await;
    window.press(key::DELETE).await;
    journey.wait_for_rows(&[]).await;
    wait_for_files(&service, &[]).await;
    window.click("drive-trash").await;
    // The window has asked for much by now: where the rate of its key is used up, the list comes within the next minute.
    window.find_by_within("[data-testid=\"trash-empty\"]", Duration::from_secs(75)).await;
    window.click("trash-empty").await;
    window.click("trash-confirm").await;
    window.find("empty").await;
}

#[tokio::test]
async fn a_file_that_could_run_a_program_is_asked_about_downloaded_and_never_opened() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let program = journey.files().join("setup.sh");
    let trace = journey.files().join("it ran");
    std::fs::write(&program, format!("#!/bin/sh\ntouch '{}'\n", trace.display())).expect("a program");
    journey.start_on_this_computer().await;
    window.click("rail-drive").await;
    window.find("drive").await;
    journey.drop_files("drive", std::slice::from_ref(&program)).await;
    journey.wait_for_transfers(&["setup.sh"]).await;
    journey.wait_for_rows(&[("setup.sh", "file")]).await;

    select(&journey, "setup.sh").await;
    window.press(key::ENTER).await;
    window.find("program-dialog").await;
    axe::check(window, "the question about a program").await;
    window.click("program-leave").await;
    wait_for("the end of the question", PATIENCE, async || {
        if window.has("program-dialog").await { Err("it is still asked") } else { Ok(()) }
    })
    .await;
    select(&journey, "setup.sh").await;
    window.press(key::ENTER).await;
    window.click("program-download").await;
    let downloaded = journey.desktop.downloads().join("setup.sh");
    wait_for("the download", PATIENCE, async || {
        if downloaded.is_file() { Ok(()) } else { Err(format!("no {}", downloaded.display())) }
    })
    .await;
    assert!(!trace.exists(), "it ran");
}

/// Selects a row of the drive with a click on its name.
async fn select(journey: &Journey, name: &str) {
    let row = format!("[data-testid=\"drive-row\"][data-name=\"{name}\"]");
    journey.window.click_by(&format!("{row} .words")).await;
    journey.window.find_by(&format!("{row}[aria-selected=\"true\"]")).await;
}

/// Opens the menu of a row and takes one of its entries.
async fn open_menu(journey: &Journey, name: &str, entry: &str) {
    let row = format!("[data-testid=\"drive-row\"][data-name=\"{name}\"]");
    journey.window.click_by(&format!("{row} [data-testid=\"drive-row-menu\"]")).await;
    journey.window.click(entry).await;
}
