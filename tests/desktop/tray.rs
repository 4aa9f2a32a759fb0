//! The tray and the messages of a real desktop: shown where there is a tray, and closing as before where there is none.

use easel_tests::desktop::Keychain;
use easel_tests::journey::Journey;
use easel_tests::panel::Panel;
use easel_tests::patience::wait_for;
use easel_tests::process;
use easel_tests::samples::{DECK_BYTES, write_samples};
use easel_tests::window::PATIENCE;

async fn wait_until_seen(journey: &Journey, is_wanted: bool) {
    let what = if is_wanted { "the window to come" } else { "the window to go" };
    wait_for(what, PATIENCE, async || {
        let is_seen = journey.window.number_on(&journey.desktop).is_some();
        if is_seen == is_wanted { Ok(()) } else { Err(format!("seen: {is_seen}")) }
    })
    .await;
}

async fn wait_for_the_end(journey: &Journey) {
    wait_for("the end of the program", PATIENCE, async || {
        if process::is_running(journey.window.pid()) { Err("running") } else { Ok(()) }
    })
    .await;
}

async fn wait_for_entry(panel: &mut Panel, entry: &str) -> Vec<String> {
    wait_for(&format!("{entry:?} in the tray"), PATIENCE, async || {
        let menu = panel.menu().ok_or_else(|| "no sign".to_owned())?;
        if menu.iter().any(|label| label == entry) { Ok(menu) } else { Err(format!("{menu:?}")) }
    })
    .await
}

#[tokio::test]
async fn the_tray_says_how_it_is_and_the_window_comes_back_from_there() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let mut panel = Panel::show(&journey.desktop);
    journey.start_on_this_computer().await;
    let menu = wait_for_entry(&mut panel, "Everything is up to date").await;
    for entry in ["Open Easel", "Quit Easel"] {
        assert!(menu.iter().any(|label| label == entry), "{menu:?}");
    }

    // A folder that is kept in step is what closing keeps going.
    let folder = journey.files().join("Campaign");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("brief.txt"), "a brief").unwrap();
    window.click("rail-synced").await;
    window.find("synced").await;
    journey.drop_to_keep_in_step(&folder).await;
    window.click("synced-look").await;
    window.click("synced-begin").await;
    window.find_by("[data-testid=\"synced-folder\"][data-state=\"up_to_date\"]").await;

    window.close_on(&journey.desktop);
    wait_until_seen(&journey, false).await;
    assert!(process::is_running(window.pid()), "the program goes on");
    let said = wait_for("that it says so", PATIENCE, async || {
        let messages = panel.messages();
        let said = messages.iter().find(|(_, title, _)| title == "Easel keeps running in the background").cloned();
        said.ok_or_else(|| format!("{messages:?}"))
    })
    .await;

    panel.press("Pause everything");
    wait_for_entry(&mut panel, "Paused").await;
    panel.press("Resume everything");
    wait_for_entry(&mut panel, "Everything is up to date").await;

    // Out of sight, a folder that needs the person says so, and a click leads there.
    let away = journey.files().join("Away");
    std::fs::rename(&folder, &away).unwrap();
    let needs = wait_for("that the folder is missed", PATIENCE * 3, async || {
        let messages = panel.messages();
        let needs = messages.iter().find(|(_, title, _)| title == "Campaign cannot be found").cloned();
        needs.ok_or_else(|| format!("{messages:?}"))
    })
    .await;
    assert_ne!(needs.0, said.0);
    wait_for_entry(&mut panel, "1 folder needs you").await;
    panel.open(needs.0);
    wait_until_seen(&journey, true).await;
    window.find_by("[data-testid=\"synced-folder\"][data-state=\"needs_you\"]").await;

    // What was missed goes on where it is now, and everything is well again.
    std::fs::rename(&away, &folder).unwrap();
    wait_for_entry(&mut panel, "Everything is up to date").await;

    window.close_on(&journey.desktop);
    wait_until_seen(&journey, false).await;
    panel.press("Open Easel");
    wait_until_seen(&journey, true).await;
    panel.press("Quit Easel");
    wait_for_the_end(&journey).await;
}

#[tokio::test]
async fn where_no_tray_shows_it_closing_asks_while_something_is_sent() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let samples = write_samples(&journey.files());
    journey.start_on_this_computer().await;
    let studio = journey.wait_for_studio().await;
    let held = journey.hold_studio_once(studio, DECK_BYTES / 20);
    journey.drop_files("home-dropzone", std::slice::from_ref(&samples.deck)).await;
    held.join().unwrap();

    window.close_on(&journey.desktop);
    window.wait_for_words("close-dialog", "1 file is still being sent").await;
    window.click("close-stay").await;
    assert!(process::is_running(window.pid()) && window.number_on(&journey.desktop).is_some());
    process::let_go(studio);
    let rows = journey.wait_for_transfers(&["Autumn launch.pptx"]).await;
    assert_eq!(rows["Autumn launch.pptx"].state, "sent", "{rows:?}");

    // Nothing is on its way any more: nothing to ask about.
    window.close_on(&journey.desktop);
    wait_for_the_end(&journey).await;
}
