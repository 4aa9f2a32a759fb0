//! The virtual desktop that the journeys stand on.

use std::path::Path;

use easel_tests::desktop::{Desktop, Keychain};
use easel_tests::process;

#[test]
fn everything_a_desktop_started_ends_with_it() {
    let desktop = Desktop::start(Keychain::Unlocked);
    let home = desktop.home().to_owned();
    let started = process::list_children(std::process::id());
    assert!(started.len() >= 5, "display, window manager, bus, keychain and the watcher, not {}", started.len());
    drop(desktop);
    let left =
        started.into_iter().filter(|&pid| process::is_running(pid)).map(process::read_arguments).collect::<Vec<_>>();
    assert!(
        left.iter().all(|words| words.first().is_some_and(|word| word == "bash")),
        "more than the watcher: {left:?}"
    );
    assert!(!Path::new(&home).exists());
}

#[test]
fn a_keychain_is_open_locked_or_missing_as_a_journey_needs_it() {
    for (keychain, expected) in [
        (Keychain::Unlocked, "boolean false"),
        (Keychain::Locked, "boolean true"),
        (Keychain::Missing, "was not provided by any .service files"),
    ] {
        let desktop = Desktop::start(keychain);
        let question = "dbus-send --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets/collection/login \
                        org.freedesktop.DBus.Properties.Get string:org.freedesktop.Secret.Collection string:Locked 2>&1";
        let answer = desktop.run("sh", &["-c", &format!("{question} || true")]);
        assert!(answer.contains(expected), "{keychain:?}: {answer}");
    }
}
