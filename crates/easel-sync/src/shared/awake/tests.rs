//! A message bus of the test's own, with a service on it that answers as logind does.

use std::os::fd::OwnedFd;
use std::process::Command;
use std::time::Instant;

use super::*;

const INSIDE: &str = "EASEL_TEST_ON_OWN_BUS";
const DEADLINE: Duration = Duration::from_secs(20);

/// Runs a test again on a system bus of its own. Returns whether it is on one already.
fn is_on_own_bus(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let status = Command::new("dbus-run-session")
        .args(["--", "sh", "-c", "DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().expect("this program"))
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .status();
    assert!(status.expect("dbus-run-session").success());
    false
}

#[derive(Default)]
struct Logind {
    /// The requests, and the pipe's end that tells when the inhibition ended.
    asked: Arc<Mutex<Vec<(String, std::io::PipeReader)>>>,
}

#[zbus::interface(name = "org.freedesktop.login1.Manager")]
impl Logind {
    fn inhibit(&self, what: &str, who: &str, why: &str, mode: &str) -> zbus::zvariant::OwnedFd {
        let (ours, theirs) = std::io::pipe().expect("a pipe");
        let asked = format!("{what} {mode}: {who}, {why}");
        self.asked.lock().expect("the list").push((asked, ours));
        OwnedFd::from(theirs).into()
    }
}

fn wait_for(what: &str, is_done: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_done() {
        assert!(began.elapsed() < DEADLINE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_computer_is_kept_awake_while_that_is_wanted_and_a_little_longer() {
    if !is_on_own_bus("awake::tests::the_computer_is_kept_awake_while_that_is_wanted_and_a_little_longer") {
        return;
    }
    let logind = Logind::default();
    let asked = Arc::clone(&logind.asked);
    let bus = zbus::blocking::connection::Builder::system()
        .and_then(|bus| bus.name("org.freedesktop.login1"))
        .and_then(|bus| bus.serve_at("/org/freedesktop/login1", logind))
        .and_then(zbus::blocking::connection::Builder::build)
        .expect("a bus");
    let awake = Awake::with("Easel", "Sending files", Duration::from_millis(200));
    assert_eq!(awake.kept(), Inhibition::No);
    awake.want(true);
    awake.want(true);
    wait_for("it is kept awake", || awake.kept() == Inhibition::Yes);
    let seen: Vec<_> = asked.lock().expect("the list").iter().map(|(asked, _)| asked.clone()).collect();
    assert_eq!(seen, ["idle:sleep block: Easel, Sending files"]);
    // Between two files the inhibition lasts.
    awake.want(false);
    awake.want(true);
    awake.want(false);
    wait_for("it may sleep", || awake.kept() == Inhibition::No);
    let mut asked = asked.lock().expect("the list");
    assert_eq!(asked.len(), 1, "it was asked for once");
    for (what, ours) in asked.iter_mut() {
        let ended = std::io::Read::read(ours, &mut [0]).expect("the other end");
        assert_eq!(ended, 0, "{what} was let go");
    }
    drop(bus);
}

#[test]
fn where_nobody_keeps_it_awake_that_is_said() {
    if !is_on_own_bus("awake::tests::where_nobody_keeps_it_awake_that_is_said") {
        return;
    }
    let awake = Awake::with("Easel", "Sending files", Duration::from_millis(1));
    awake.want(true);
    wait_for("it is said", || matches!(awake.kept(), Inhibition::Impossible { .. }));
    awake.want(false);
    wait_for("nothing is wanted", || awake.kept() == Inhibition::No);
}
