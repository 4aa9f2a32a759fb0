//! One file edited on two computers at once, and what a person does about it in the real window; the other computer runs the engine
//! without a window.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, pictures};
use easel_tests::patience::wait_for;
use easel_tests::samples::hash_bytes;
use easel_tests::studio::command;
use easel_tests::synced::{Engine, Home, Setting};
use easel_tests::trees::{Item, read_drive_below};
use serde_json::Value;

/// How long the other computer may take to see a change: it asks a busy drive every so often.
const LIMIT: Duration = Duration::from_secs(90);
const NAME: &str = "brief.md";
const FIRST: &str = "A deck of eight slides.\n";
const HERE: &str = "A deck of six slides, warm and quiet.\n";
const THERE: &str = "A deck of eight slides, with prices.\n";

/// Every file in a folder by its name, Easel's own left out.
fn read(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let files = entries.filter(|path| path.is_file() && !name(path).starts_with('.'));
    files.map(|path| (name(&path), std::fs::read_to_string(&path).expect("text"))).collect()
}

/// Starts the other computer, on an address and with a key that a person would find in the settings.
async fn start_other(journey: &Journey, home: &Home, folder: &Path) -> Engine {
    journey.window.click("rail-settings").await;
    journey.window.click("settings-developer").await;
    let address = journey.window.text_of("rest-address").await;
    let made = command(&journey.data_dir().join("studio"), &["keys", "create", "the other computer"]);
    let made: Value = serde_json::from_slice(&made.stdout).expect("the new key as JSON");
    let setting = Setting::new(&address, made["key"].as_str().expect("a key"), folder, "Campaign");
    Engine::start(home, &setting.flag("--both-ways").with("--deletions", "delete"))
}

async fn until_other_has(folder: &Path, engine: &Engine, expected: &BTreeMap<String, String>) {
    wait_for("the other computer to have it", LIMIT, async || {
        let found = read(folder);
        if found == *expected { Ok(()) } else { Err(format!("{found:?}\n{}", engine.describe())) }
    })
    .await;
}

#[tokio::test]
async fn a_conflict_is_solved_by_keeping_both_in_two_clicks_and_the_other_computer_has_both() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let here = journey.files().join("Campaign");
    std::fs::create_dir_all(&here).expect("a folder");
    std::fs::write(here.join(NAME), FIRST).expect("a file");
    journey.start_on_this_computer().await;
    window.click("rail-synced").await;
    window.click("synced-add").await;
    window.choose_in_dialog(&journey.desktop, &here).await;
    window.find("synced-sheet").await;
    window.click("synced-mode-both_ways").await;
    window.click("synced-look").await;
    window.click("synced-begin").await;
    window.find_by("[data-testid=\"synced-folder\"][data-state=\"up_to_date\"]").await;

    let home = Home::new();
    let there = home.path().join("Campaign");
    std::fs::create_dir_all(&there).expect("a folder");
    let other = start_other(&journey, &home, &there).await;
    until_other_has(&there, &other, &read(&here)).await;

    // Both edit it while this computer is not looking.
    window.click("rail-synced").await;
    window.click("synced-pause").await;
    window.find_by("[data-testid=\"synced-folder\"][data-state=\"paused\"]").await;
    std::fs::write(there.join(NAME), THERE).expect("their edit");
    std::fs::write(here.join(NAME), HERE).expect("our edit");
    let service = journey.built_in_service().await;
    wait_for("their edit in the drive", LIMIT, async || {
        let drive = read_drive_below(&service, "Campaign").await;
        let is_there = drive.get(NAME).and_then(Item::content) == Some(hash_bytes(THERE.as_bytes()).as_str());
        if is_there { Ok(()) } else { Err(format!("{drive:?}\n{}", other.describe())) }
    })
    .await;
    window.click("synced-resume").await;
    // The other computer's edit is told with the next look at the drive.
    wait_for("the conflict to be told", LIMIT, async || {
        if window.has("synced-compare").await { Ok(()) } else { Err("there is nothing to compare") }
    })
    .await;
    let both = read(&here);
    let contents: Vec<&str> = both.values().map(String::as_str).collect();
    assert_eq!((both.len(), both.get(NAME).map(String::as_str)), (2, Some(THERE)), "{both:?}");
    assert!(contents.contains(&HERE), "{both:?}");

    window.click("rail-home").await;
    window.wait_for_words("need", "1 file has two versions").await;
    window.take_picture(&pictures().join("conflict-home.png")).await;
    window.click_by("[data-testid=\"need\"] button").await;
    window.find("conflict-keep-both").await;
    window.wait_for_page_words("A deck of six slides, warm and quiet.").await;
    window.take_picture(&pictures().join("conflict-compare.png")).await;
    window.click("conflict-keep-both").await;
    window.find("toast-undo-both").await;
    window.take_picture(&pictures().join("conflict-kept-both.png")).await;

    window.click("rail-synced").await;
    window.find_by("[data-testid=\"synced-folder\"][data-state=\"up_to_date\"]").await;
    wait_for("the conflict to be over", LIMIT, async || {
        if window.has("synced-compare").await { Err("it is still to be compared") } else { Ok(()) }
    })
    .await;
    assert_eq!(read(&here), both, "nothing moved");
    until_other_has(&there, &other, &both).await;
    assert_eq!(read_drive_below(&service, "Campaign").await.len(), 2);
}
