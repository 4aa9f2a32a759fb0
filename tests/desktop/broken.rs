//! What breaks under a window that is open: every screen says what is the matter, and comes back by itself.

use std::path::Path;
use std::time::Duration;

use easel_tests::desktop::{Desktop, Keychain};
use easel_tests::journey::{Journey, SENDING, read_drive};
use easel_tests::patience::wait_for;
use easel_tests::process;
use easel_tests::proxy::{Fault, Proxy};
use easel_tests::samples;
use easel_tests::small_disk::SmallDisk;
use easel_tests::studio::{self, Options, Studio};
use easel_tests::window::key;
use serde_json::Value;
use tempfile::TempDir;

/// Every screen that shows something of the service, by its button in the rail.
const SCREENS: [&str; 6] =
    ["rail-home", "rail-designs", "rail-drive", "rail-synced", "rail-activity", "rail-developer"];

/// How a full disk is said, by whichever side notices it first.
const FULL: [&str; 3] =
    ["Waiting for room on this computer", "The disk of this computer is full", "The service has no room left"];

/// How long coming back may take: the longest pause between two tries, and a start.
const BACK: Duration = Duration::from_secs(60);

/// Goes through every screen; each says one of these words while the connection is in trouble.
async fn check_every_screen_says(journey: &Journey, words: &[&str]) {
    for screen in SCREENS {
        journey.window.click(screen).await;
        wait_for_words(journey, words).await;
    }
}

async fn connection_state(journey: &Journey) -> Value {
    journey.window.look("return document.querySelector('[data-testid=rail-connection]')?.dataset.state").await
}

async fn wait_for_connection(journey: &Journey, is_ready: bool) {
    wait_for(if is_ready { "the connection to be back" } else { "the connection to break" }, BACK, async || {
        let state = connection_state(journey).await;
        if (state == "ready") == is_ready { Ok(()) } else { Err(state.to_string()) }
    })
    .await;
}

/// Goes through every screen; none shows trouble any more, and nothing was pressed for that but the screens' own buttons.
async fn check_every_screen_is_well(journey: &Journey) {
    for screen in SCREENS {
        journey.window.click(screen).await;
        wait_for(&format!("{screen} without trouble"), BACK, async || {
            let script = "return Array.from(document.querySelectorAll('[data-testid=problem], [data-testid=need]'), \
                          each => each.innerText).join('; ')";
            let said = journey.window.look(script).await;
            if said == "" { Ok(()) } else { Err(said.to_string()) }
        })
        .await;
    }
}

fn write_note(journey: &Journey, name: &str) -> std::path::PathBuf {
    let path = journey.files().join(name);
    std::fs::write(&path, format!("{name} is a note of some length, ").repeat(400)).expect("a file");
    path
}

async fn wait_for_words(journey: &Journey, words: &[&str]) {
    wait_for(&format!("one of {words:?}"), easel_tests::window::PATIENCE, async || {
        let said = journey.window.text().await;
        if words.iter().any(|words| said.contains(words)) { Ok(()) } else { Err(said) }
    })
    .await;
}

async fn wait_for_state(journey: &Journey, name: &str, state: &str) {
    let script = format!(
        "return document.querySelector('[data-testid=\"transfer-row\"][data-name=\"{name}\"]')?.dataset.state ?? 'no row'"
    );
    wait_for(&format!("{name} to be {state}"), SENDING, async || {
        journey.open_shelf().await;
        let now = journey.window.look(&script).await;
        if now == state { Ok(()) } else { Err(now.to_string()) }
    })
    .await;
}

#[tokio::test]
async fn the_studio_under_the_window_is_killed_and_its_disk_fills_up() {
    let disk = SmallDisk::mount(160_000_000);
    let data = TempDir::with_prefix_in("easel-data-", disk.path()).expect("a data folder");
    let journey = Journey::begin_in(Desktop::start(Keychain::Unlocked), data, Vec::new()).await;
    journey.start_on_this_computer().await;
    journey.window.find("design-card").await;
    journey.show_developer().await;

    // Killed, and back before anybody could read a word.
    let first = journey.wait_for_studio().await;
    process::kill_at_once(first);
    wait_for("another studio", BACK, async || match journey.window.studio_pid() {
        Some(pid) if pid != first => Ok(()),
        other => Err(format!("{other:?}")),
    })
    .await;
    wait_for_connection(&journey, true).await;
    check_every_screen_is_well(&journey).await;

    // Killed, and kept from coming back: something else lies where its data was.
    let (data, away) = (journey.data_dir().join("studio"), journey.data_dir().join("studio away"));
    let second = journey.wait_for_studio().await;
    std::fs::rename(&data, &away).expect("its data out of the way");
    std::fs::write(&data, "no folder").expect("a file in the way");
    process::kill_at_once(second);
    wait_for_connection(&journey, false).await;
    check_every_screen_says(&journey, &["The studio on this computer", "Offline, trying again"]).await;
    journey.window.click("rail-home").await;
    journey.window.wait_for_words("needs-you", "The studio on this computer").await;
    std::fs::remove_file(&data).expect("the way free");
    std::fs::rename(&away, &data).expect("its data back");
    wait_for_connection(&journey, true).await;
    check_every_screen_is_well(&journey).await;

    // Full while a file is on its way: it waits for room, says so, and goes by itself when there is some.
    let note = write_note(&journey, "Note.txt");
    journey.window.click("rail-home").await;
    let third = journey.wait_for_studio().await;
    process::hold_still(third);
    journey.drop_files("home-dropzone", std::slice::from_ref(&note)).await;
    journey.open_shelf().await;
    let ballast = disk.fill();
    process::let_go(third);
    for screen in SCREENS {
        journey.window.click(screen).await;
        wait_for_words(&journey, &FULL).await;
    }
    // What is dropped now cannot even be noted, and that is said too.
    let second = write_note(&journey, "Second note.txt");
    journey.window.click("rail-home").await;
    journey.drop_files("home-dropzone", std::slice::from_ref(&second)).await;
    wait_for_words(&journey, &["The disk of this computer is full"]).await;
    std::fs::remove_file(&ballast).expect("room again");
    wait_for_state(&journey, "Note.txt", "sent").await;
    journey.drop_files("home-dropzone", &[second]).await;
    wait_for_state(&journey, "Second note.txt", "sent").await;
    check_every_screen_is_well(&journey).await;
    let files = read_drive(&journey.built_in_service().await).await;
    assert_eq!(files["Note.txt"].sha256, samples::hash_file(&note));
}

#[tokio::test]
async fn the_network_goes_the_key_is_revoked_and_the_keychain_is_locked() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("the window");
    let proxy = Proxy::start().await;
    proxy.forward_to(studio::authority(&studio.base_url));
    let mut journey = Journey::begin(Keychain::Unlocked).await;
    journey.submit_connection(&proxy.url(), &key.key).await;
    journey.window.find("home-dropzone").await;
    journey.show_developer().await;
    journey.window.click("rail-home").await;

    // The network goes while a file is to be sent.
    proxy.break_by(|_| Fault::Refuse);
    let note = write_note(&journey, "Note.txt");
    journey.drop_files("home-dropzone", std::slice::from_ref(&note)).await;
    wait_for_connection(&journey, false).await;
    check_every_screen_says(&journey, &["Offline, trying again"]).await;
    journey.window.click("rail-home").await;
    journey.window.wait_for_words("needs-you", "127.0.0.1").await;
    journey.open_shelf().await;
    journey.window.wait_for_words("shelf", "Waiting for the connection").await;
    proxy.pass_all();
    wait_for_connection(&journey, true).await;
    wait_for_state(&journey, "Note.txt", "sent").await;
    check_every_screen_is_well(&journey).await;

    // The key is revoked: another one cures it, and what waited goes.
    studio.delete_key(&key.id);
    let second = write_note(&journey, "Second note.txt");
    journey.window.click("rail-home").await;
    journey.drop_files("home-dropzone", &[second]).await;
    wait_for_connection(&journey, false).await;
    check_every_screen_says(&journey, &["The key is not accepted"]).await;
    journey.window.click("rail-home").await;
    let another = studio.create_key("the window, again");
    journey.window.click_by("[data-testid=need][data-need=connection] button").await;
    journey.window.fill("replace-key", &another.key).await;
    journey.window.press(key::ENTER).await;
    wait_for_connection(&journey, true).await;
    wait_for_state(&journey, "Second note.txt", "sent").await;
    check_every_screen_is_well(&journey).await;

    // The keychain is locked when Easel starts, and opened later.
    journey.window.kill();
    journey.desktop.restart_keychain(true);
    journey.start_again().await;
    wait_for_connection(&journey, false).await;
    check_every_screen_says(&journey, &["The keychain"]).await;
    journey.desktop.restart_keychain(false);
    wait_for_connection(&journey, true).await;
    check_every_screen_is_well(&journey).await;
    journey.wait_for_drive(&[("Note.txt", "file"), ("Second note.txt", "file")]).await;
}

/// Where the library is that shows a program another time.
fn find_faketime() -> String {
    let found = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
        .map(|machine| format!("/usr/lib/{machine}/faketime/libfaketimeMT.so.1"))
        .into_iter()
        .find(|path| Path::new(path).is_file());
    found.expect("libfaketime, of the package faketime")
}

#[tokio::test]
async fn the_clock_of_the_computer_is_set_forward_and_back() {
    let desktop = Desktop::start(Keychain::Unlocked);
    let clock = desktop.home().join("clock");
    let set_clock = |offset: &str| std::fs::write(&clock, offset).expect("another time");
    set_clock("+0");
    let variables = [
        ("LD_PRELOAD", find_faketime()),
        ("FAKETIME_TIMESTAMP_FILE", clock.to_string_lossy().into_owned()),
        ("FAKETIME_NO_CACHE", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ("FAKETIME_ONLY_CMDS", "easel,WebKitWebProcess".to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value));
    let data = TempDir::with_prefix("easel-data-").expect("a data folder");
    let journey = Journey::begin_in(desktop, data, variables.to_vec()).await;
    journey.start_on_this_computer().await;
    journey.show_developer().await;
    let folder = journey.files().join("Campaign");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("brief.txt"), "a brief").expect("a file");
    journey.window.click("rail-synced").await;
    journey.window.find("synced").await;
    journey.drop_to_keep_in_step(&folder).await;
    journey.window.click("synced-look").await;
    journey.window.click("synced-begin").await;
    journey.window.find_by("[data-testid=synced-folder][data-state=up_to_date]").await;

    for (offset, name) in [("+3d", "Forward.txt"), ("-400d", "Back.txt"), ("+0", "Again.txt")] {
        set_clock(offset);
        journey.window.click("rail-home").await;
        let note = write_note(&journey, name);
        journey.drop_files("home-dropzone", &[note]).await;
        wait_for_state(&journey, name, "sent").await;
        let inner = format!("in {name}");
        std::fs::write(folder.join(&inner), format!("{name} was here")).expect("a file");
        journey.window.click("rail-synced").await;
        journey.window.wait_for_words("synced-latest", &inner).await;
        wait_for_connection(&journey, true).await;
        check_every_screen_is_well(&journey).await;
        // What is said of a time is one: nothing came before it was sent, and nothing is years away.
        let said = journey.window.text().await;
        assert!(!said.contains("NaN") && !said.contains("Invalid"), "{said}");
    }
    let files = read_drive(&journey.built_in_service().await).await;
    for name in ["Forward.txt", "Back.txt", "Again.txt", "in Forward.txt", "in Back.txt", "in Again.txt"] {
        assert!(files.contains_key(name), "{name} is missing: {:?}", files.keys());
    }
}
