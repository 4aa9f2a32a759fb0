//! What comes from outside the window: links, the start at login, the language of the system.

use std::process::Command;

use easel_tests::desktop::{Desktop, Keychain};
use easel_tests::journey::Journey;
use easel_tests::patience::wait_for;
use easel_tests::window::{self, PATIENCE};
use tempfile::TempDir;

/// Opens a link as the system does: Easel is started a second time, with the link.
fn open_link(journey: &Journey, link: &str) {
    let command = journey.desktop.command(&window::binary().to_string_lossy());
    start_with(journey, link, command);
}

fn start_with(journey: &Journey, link: &str, mut command: Command) {
    command.arg(link).env("EASEL_DATA_DIR", journey.data_dir()).stderr(journey.desktop.log_file("second"));
    let ended = command.status().expect("a second start");
    assert!(
        ended.success(),
        "a second start hands its link over and ends ({ended}): {}",
        journey.desktop.read_log("second")
    );
}

#[tokio::test]
async fn a_link_is_shown_and_does_nothing_without_a_click() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    window.find("design-card").await;
    let service = journey.built_in_service().await;
    let list = service.get("/v1/canvases?limit=10").await.expect(200);
    let design = list["data"][0]["id"].as_str().expect("a design").to_owned();
    let name = list["data"][0]["name"].as_str().expect("a name").to_owned();
    let link = format!("easel://canvas/{design}?service=this-computer");

    // Shown over the screen that was open, which stays.
    open_link(&journey, &link);
    window.find("link-dialog").await;
    assert!(window.has("home-dropzone").await && !window.has("design").await);
    window.click("link-cancel").await;
    assert!(window.has("home-dropzone").await && !window.has("design").await);

    open_link(&journey, &link);
    window.click("link-open").await;
    let title = window.text_of("design-title").await;
    assert_eq!(title, name);

    // It is handed over before the libraries of a window are loaded, which were seen to break down where the program ends at once.
    let mut command = journey.desktop.command(&window::binary().to_string_lossy());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    start_with(&journey, &link, command);
    window.find("link-dialog").await;
    window.click("link-cancel").await;

    // An address is filled in; nothing is spoken to, and a key is never brought.
    open_link(&journey, "easel://connect?address=https%3A%2F%2Fstudio.example.com&key=svc_live_1");
    window.wait_for_words("link-dialog", "studio.example.com").await;
    window.click("link-connect-open").await;
    window.find("connect-address").await;
    let field = |name: &str| format!("return document.querySelector('[data-testid={name}]').value");
    assert_eq!(window.look(&field("connect-address")).await, "https://studio.example.com");
    assert_eq!(window.look(&field("connect-key")).await, "");
    window.press(window::key::ESCAPE).await;

    // A service that is not known leads to the form; what is no link leads nowhere and says so.
    open_link(&journey, &format!("easel://canvas/{design}?service=elsewhere.example.com"));
    window.wait_for_words("link-dialog", "elsewhere.example.com").await;
    window.press(window::key::ESCAPE).await;
    open_link(&journey, "easel://canvas/../../etc/passwd?service=this-computer");
    window.find("link-dialog").await;
    assert!(!window.has("link-open").await, "there is nothing to open");
}

#[tokio::test]
async fn it_starts_at_login_while_that_is_wanted() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    let entry = journey.desktop.home().join(".config/autostart");
    let read = || {
        let files = std::fs::read_dir(&entry).into_iter().flatten().flatten();
        files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect::<Vec<_>>()
    };
    window.click("rail-settings").await;
    window.click("settings-background").await;
    assert_eq!(read(), [""; 0]);
    window
        .click_by("label:has([data-testid=background-starts-at-login]), [data-testid=background-starts-at-login]")
        .await;
    let program = window::binary();
    let line = format!("Exec={} --without-window", program.display());
    wait_for("the entry", PATIENCE, async || match &read()[..] {
        [entry] if entry.lines().any(|each| each.trim_end() == line) => Ok(()),
        entries => Err(format!("{entries:?}")),
    })
    .await;

    window
        .click_by("label:has([data-testid=background-starts-at-login]), [data-testid=background-starts-at-login]")
        .await;
    wait_for("no entry", PATIENCE, async || {
        let entries = read();
        if entries.is_empty() { Ok(()) } else { Err(format!("{entries:?}")) }
    })
    .await;
}

#[tokio::test]
async fn it_speaks_german_where_the_system_does() {
    let desktop = Desktop::start(Keychain::Unlocked);
    let locales = desktop.home().join("locales");
    std::fs::create_dir(&locales).expect("a folder");
    let german = locales.join("de_DE.UTF-8").to_string_lossy().into_owned();
    desktop.run("localedef", &["-i", "de_DE", "-f", "UTF-8", &german]);
    let variables = [("LOCPATH", &*locales.to_string_lossy()), ("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de_DE")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let data = TempDir::with_prefix("easel-data-").expect("a data folder");
    let journey = Journey::begin_in(desktop, data, variables.to_vec()).await;
    let window = &journey.window;
    window.wait_for_page_words("Willkommen").await;
    assert_eq!(window.look("return document.documentElement.lang").await, "de");
    journey.start_on_this_computer().await;
    journey.show_developer().await;
    // No screen has a word of the other language, and none is cut off at the smallest size.
    window.resize(900, 600).await;
    for (screen, words) in [
        ("rail-designs", "Designs"),
        ("rail-drive", "Ablage"),
        ("rail-synced", "Ordner"),
        ("rail-activity", "Aktivität"),
        ("rail-developer", "Entwickl"),
        ("rail-settings", "Einstellungen"),
        ("rail-home", "Guten"),
    ] {
        window.click(screen).await;
        window.wait_for_page_words(words).await;
        let wide = window.look("return document.documentElement.scrollWidth - innerWidth").await;
        assert_eq!(wide, 0, "{screen} is wider than the window");
        let said = window.text().await;
        for english in ["Settings", "Drive", "Search", "Synced folders", "Activity", "Good morning", "Good afternoon"] {
            assert!(!said.contains(english), "{screen} says {english:?}: {said}");
        }
    }
}
