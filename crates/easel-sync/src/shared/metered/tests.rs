//! A message bus of the test's own, with a service on it that answers as NetworkManager does.

use std::process::Command;
use std::time::Duration;

use tokio::sync::mpsc;

use super::*;

const INSIDE: &str = "EASEL_TEST_ON_OWN_BUS";
const DEADLINE: Duration = Duration::from_secs(20);

struct Manager(u32);

#[zbus::interface(name = "org.freedesktop.NetworkManager")]
impl Manager {
    #[zbus(property)]
    fn metered(&self) -> u32 {
        self.0
    }
}

#[tokio::test]
async fn what_the_system_says_of_the_network_is_heard_as_it_changes() {
    if std::env::var_os(INSIDE).is_none() {
        let test = "metered::tests::what_the_system_says_of_the_network_is_heard_as_it_changes";
        let status = Command::new("dbus-run-session")
            .args(["--", "sh", "-c", "DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().expect("this program"))
            .args(["--exact", test, "--nocapture"])
            .env(INSIDE, "1")
            .status();
        assert!(status.expect("dbus-run-session").success());
        return;
    }
    let (tell, mut heard) = mpsc::unbounded_channel();
    let begin = || {
        let tell = tell.clone();
        tokio::spawn(follow(move |metered| {
            let _ = tell.send(metered);
        }))
    };
    let mut next = async || tokio::time::timeout(DEADLINE, heard.recv()).await.expect("something is heard");

    let nobody = begin();
    assert_eq!(next().await, Some(Metered::Unknown), "nobody is there");
    nobody.abort();

    let path = "/org/freedesktop/NetworkManager";
    let bus = zbus::connection::Builder::system()
        .and_then(|bus| bus.name("org.freedesktop.NetworkManager"))
        .and_then(|bus| bus.serve_at(path, Manager(1)))
        .expect("a service")
        .build()
        .await
        .expect("a bus");
    let following = begin();
    assert_eq!(next().await, Some(Metered::Yes));
    let manager = bus.object_server().interface::<_, Manager>(path).await.expect("the service");
    for (value, expected) in
        [(4, Metered::No), (3, Metered::Yes), (2, Metered::No), (0, Metered::Unknown), (1, Metered::Yes)]
    {
        let mut held = manager.get_mut().await;
        held.0 = value;
        held.metered_changed(manager.signal_emitter()).await.expect("told");
        drop(held);
        assert_eq!(next().await, Some(expected), "{value}");
    }
    bus.release_name("org.freedesktop.NetworkManager").await.expect("ended");
    assert_eq!(next().await, Some(Metered::Unknown));
    following.abort();
}
