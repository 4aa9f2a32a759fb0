//! The demonstration of the main job: `cargo xtask run` where there is no display.
//!
//! The real app on a virtual desktop: a first start on this computer, three files dragged onto the window from another
//! program, and the drive afterwards. It prints what happened and leaves pictures of the window in the folder that
//! `EASEL_DEMO_PICTURES` names (else `target/demo`).
#![expect(clippy::print_stdout, reason = "telling a person what happened is what this program does")]

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, read_drive};
use easel_tests::process;
use easel_tests::samples::{self, DECK_BYTES};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let pictures = std::env::var_os("EASEL_DEMO_PICTURES").unwrap_or_else(|| "target/demo".into());
    let pictures = std::path::absolute(pictures).expect("a folder for pictures");
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let files = samples::write_samples(&journey.files());
    let dropped = [files.picture, files.deck, files.same_picture];
    let names = dropped.each_ref().map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned());

    println!("Easel starts for the first time.");
    window.resize(1440, 900).await;
    window.take_picture(&pictures.join("1-welcome.png")).await;

    println!("A click on “Start”: the studio on this computer.");
    journey.start_on_this_computer().await;
    window.take_picture(&pictures.join("2-home.png")).await;

    println!("Three files are dragged onto the window from another program:");
    for (path, name) in dropped.iter().zip(&names) {
        println!("  {name} ({} bytes)", std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
    }
    let source = journey.take_files(&dropped);
    let (x, y) = window.place_of(&journey.desktop, "home-dropzone").await;
    journey.drag_over(&source, x, y).await;
    window.rest().await;
    journey.desktop.take_picture(&pictures.join("3-drag.png"));
    // The studio is held still for the picture, because it would be too fast to be seen.
    let studio = journey.wait_for_studio().await;
    let held = journey.hold_studio_once(studio, DECK_BYTES / 3);
    source.let_go();
    journey.open_shelf().await;
    let arrived = held.join().unwrap_or_default();
    window.take_picture(&pictures.join("4-sending.png")).await;
    process::let_go(studio);
    println!("After {arrived} of {DECK_BYTES} bytes of the large one, a picture.");

    let rows = journey.wait_for_transfers(&names.each_ref().map(String::as_str)).await;
    println!("What the window says of them:");
    for name in &names {
        println!("  {name}: {}", rows[name].text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    window.find_by("[data-testid=\"home-recent\"] > :nth-child(2)").await;
    window.take_picture(&pictures.join("5-sent.png")).await;

    journey.wait_for_drive(&[(&names[0], "file"), (&names[1], "file")]).await;
    window.click_by(&format!("[data-testid=\"drive-row\"][data-name=\"{}\"] .words", names[1])).await;
    window.take_picture(&pictures.join("6-drive.png")).await;
    window.click("rail-settings").await;
    window.click("settings-appearance").await;
    window.click_by("label:has([data-testid=\"theme-dark\"])").await;
    window.click("rail-drive").await;
    window.find("drive-row").await;
    window.take_picture(&pictures.join("7-drive-dark.png")).await;
    println!("What the service has, downloaded again and compared with the files by SHA-256:");
    for (name, file) in read_drive(&journey.built_in_service().await).await {
        let local = dropped.iter().find(|path| path.ends_with(&name)).map(|path| samples::hash_file(path));
        assert_eq!(local.as_ref(), Some(&file.sha256), "the bytes of {name}");
        println!("  {name}: {} bytes, sha256 {}", file.size_bytes, file.sha256);
    }
}
