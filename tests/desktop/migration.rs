//! The studio of this computer, copied to a team's in the real window.

use easel_tests::axe;
use easel_tests::desktop::Keychain;
use easel_tests::http::{CANONICAL, Http};
use easel_tests::journey::{Journey, pictures};
use easel_tests::samples;
use easel_tests::studio::{Options, Studio};
use easel_tests::trees::read_drive_below;
use easel_tests::window::key;

/// Leaves a picture of the window, light and dark, for whoever judges it.
async fn picture(journey: &Journey, name: &str) {
    for theme in ["light", "dark"] {
        let script = format!("document.documentElement.dataset.theme = '{theme}'; return true");
        journey.window.look(&script).await;
        journey.window.rest().await;
        journey.window.take_picture(&pictures().join(format!("migration-{name}-{theme}.png"))).await;
    }
}

#[tokio::test]
async fn who_began_on_this_computer_goes_on_with_a_team_in_two_clicks() {
    let team = Studio::start(Options::new());
    let key = team.create_key("the window");
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    let plan = journey.files().join("Plan.txt");
    std::fs::write(&plan, "what we do first").expect("a file");
    journey.drop_files("home-dropzone", std::slice::from_ref(&plan)).await;
    journey.wait_for_transfers(&["Plan.txt"]).await;

    // Without another connection the card says what is missing, and leads there.
    window.click("rail-settings").await;
    window.click("settings-backup").await;
    window.find("migration-connect").await;
    picture(&journey, "alone").await;
    window.click("migration-connect").await;
    window.click("connections-add").await;
    journey.submit_connection(&team.base_url, &key.key).await;
    window.find_by("[data-testid=\"connection\"][data-kind=\"service\"][data-state=\"ready\"]").await;

    window.click("settings-backup").await;
    window.click("migration-open").await;
    window.find("migration-preview").await;
    axe::check(window, "what a copy of the studio would do").await;
    picture(&journey, "preview").await;
    window.press(key::ESCAPE).await;
    window.click("migration-open").await;
    window.click("migration-confirm").await;
    window.find("migration-show").await;
    axe::check(window, "a copy of the studio that is done").await;
    picture(&journey, "done").await;

    let service = Http::new(&team.base_url).with_version(CANONICAL).with_key(&key.key);
    let folders = service.get("/v1/drive/folders").await.expect(200);
    let top = folders["data"]
        .as_array()
        .expect("folders")
        .iter()
        .find_map(|folder| folder["name"].as_str().filter(|name| name.starts_with("Easel")).map(str::to_owned));
    let top = top.expect("a folder of its own");
    let there = read_drive_below(&service, &top).await;
    let copied = there.get("Plan.txt").and_then(|item| item.content().map(str::to_owned));
    assert_eq!(copied, Some(samples::hash_file(&plan)), "{there:?}");
    assert!(there.keys().filter(|path| path.starts_with("Designs/")).count() == 3, "{there:?}");

    // The person is shown where it went: in the drive of the other connection.
    window.click("migration-show").await;
    journey.wait_for_rows(&[(&top, "folder")]).await;
    picture(&journey, "shown").await;
}
