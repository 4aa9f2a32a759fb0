//! The window at a service that others wrote: the stranger, with every switch set against Easel.

use std::path::PathBuf;
use std::time::Duration;

use easel_stranger::{Config, Stranger, Switches};
use easel_tests::axe;
use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, pictures};
use easel_tests::patience::wait_for;
use easel_tests::samples::hash_file;
use easel_tests::window::key;

/// The folder that is open when files are dropped.
const OPEN: &str = "Drops";
/// A file that goes by storage, in bytes: more than a multipart body may have there.
const LARGE_BYTES: usize = 7_000_000;
/// The rate is small there, and waited for.
const PATIENCE: Duration = Duration::from_secs(240);

#[tokio::test]
async fn at_a_service_that_decides_everything_otherwise_files_land_and_every_screen_says_what_it_lacks() {
    let stranger = Stranger::with(Config::new(Switches::all_against())).await.expect("a port");
    stranger.make_folder(None, OPEN);
    stranger.put_file(None, "readme.png", vec![7; 500]);
    let journey = Journey::begin(Keychain::Unlocked).await;
    journey.submit_connection(stranger.base_url(), stranger.key()).await;
    journey.window.find("home-dropzone").await;

    // Three files dropped on a folder that is open.
    let dropped = write_files(&journey);
    journey.window.click("rail-drive").await;
    let row = format!("[data-testid=\"drive-row\"][data-name=\"{OPEN}\"]");
    journey.window.click_by(&format!("{row} .words")).await;
    journey.window.find_by(&format!("{row}[aria-selected=\"true\"]")).await;
    journey.window.press(key::ENTER).await;
    journey.wait_for_rows(&[]).await;
    journey.drop_files("drive", &dropped).await;
    wait_for("the three files in the open folder", PATIENCE, async || {
        let drive = stranger.drive();
        let at: Vec<_> = drive.files.values().map(|file| (file.path.clone(), file.sha256.clone())).collect();
        let is_there = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            at.contains(&(format!("{OPEN}/{name}"), hash_file(path)))
        };
        if dropped.iter().all(is_there) && at.len() == dropped.len() + 1 { Ok(()) } else { Err(format!("{at:?}")) }
    })
    .await;
    wait_for("the folder to show them", PATIENCE, async || {
        let mut rows: Vec<_> = journey.window.drive_rows().await.into_iter().map(|(name, _)| name).collect();
        rows.sort();
        if rows == ["brief.png", "film.png", "logo.png"] { Ok(()) } else { Err(format!("{rows:?}")) }
    })
    .await;
    picture(&journey, "drive").await;

    // Every screen stands, and none is of a fault.
    journey.show_developer().await;
    for (screen, shown) in [
        ("rail-home", "home-dropzone"),
        ("rail-designs", "designs"),
        ("rail-synced", "synced"),
        ("rail-activity", "activity"),
        ("rail-developer", "developer"),
        ("rail-settings", "settings-connections"),
    ] {
        journey.window.click(screen).await;
        journey.window.find(shown).await;
        journey.window.rest().await;
        picture(&journey, screen.trim_start_matches("rail-")).await;
        let words = journey.window.text().await;
        for bad in ["undefined", "NaN", "[object", "could not be drawn", "null"] {
            assert!(!words.contains(bad), "{screen} says {bad}: {words}");
        }
    }

    // What it lacks stands with its connection, and is forgotten with one button.
    journey.window.click("settings-connections").await;
    journey.window.click("service-open").await;
    journey.window.find_by("[data-testid=\"service-lacks\"] [data-feature=\"whoami\"]").await;
    axe::check(&journey.window, "what the stranger can do").await;
    picture(&journey, "service").await;
    journey.window.click("service-forget").await;
    journey.window.wait_for_page_words("is found out anew").await;
}

/// Three files, one of them large, that are as old as a minute.
fn write_files(journey: &Journey) -> Vec<PathBuf> {
    let sizes = [("logo.png", 900), ("brief.png", 40_000), ("film.png", LARGE_BYTES)];
    let write = |(name, size): (&str, usize)| {
        let path = journey.files().join(name);
        let byte = u8::try_from(size % 251).expect("a byte");
        std::fs::write(&path, vec![byte; size]).expect("a file");
        path
    };
    sizes.into_iter().map(write).collect()
}

/// Leaves a picture of the window for whoever judges it.
async fn picture(journey: &Journey, name: &str) {
    journey.window.take_picture(&pictures().join(format!("elsewhere-{name}.png"))).await;
}
