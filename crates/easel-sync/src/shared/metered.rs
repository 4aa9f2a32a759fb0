//! Whether the network is metered, that is, paid for by its traffic, where the system tells.
//!
//! On Linux NetworkManager knows (its property `Metered`, over D-Bus); on other systems nobody is asked. Always true:
//! no service is started only to be asked, and where nobody knows, that is told. Not here: what follows from it.

/// The system's word about the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metered {
    /// The network is metered, or the system guesses so.
    Yes,
    /// The network is not metered.
    No,
    /// Nobody knows.
    Unknown,
}

/// Tells whether the network is metered, and again whenever that changes. Never ends; drop it when nobody wants to know
/// any more.
#[cfg(not(target_os = "linux"))]
pub async fn follow(mut hear: impl FnMut(Metered) + Send) {
    hear(Metered::Unknown);
    std::future::pending::<()>().await;
}

#[cfg(target_os = "linux")]
pub use network_manager::follow;

#[cfg(target_os = "linux")]
mod network_manager {
    use std::time::Duration;

    use futures_util::StreamExt as _;
    use zbus::fdo::DBusProxy;
    use zbus::names::BusName;
    use zbus::{Connection, Proxy};

    use super::Metered;

    const NAME: &str = "org.freedesktop.NetworkManager";
    const PATH: &str = "/org/freedesktop/NetworkManager";
    /// Where nobody can be asked, it is tried again after this time, because the service may be started later.
    const TRY_AGAIN: Duration = Duration::from_secs(60);

    /// Tells whether the network is metered, and again whenever that changes. Never ends; drop it when nobody wants to
    /// know any more.
    pub async fn follow(mut hear: impl FnMut(Metered) + Send) {
        let mut last = None;
        let mut tell = |now: Metered| {
            if last != Some(now) {
                last = Some(now);
                hear(now);
            }
        };
        loop {
            if let Err(error) = listen(&mut tell).await {
                tracing::debug!(%error, "nobody tells whether the network is metered");
            }
            tell(Metered::Unknown);
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }

    async fn listen(tell: &mut (impl FnMut(Metered) + Send)) -> zbus::Result<()> {
        let bus = Connection::system().await?;
        let names = DBusProxy::new(&bus).await?;
        let name = BusName::try_from(NAME)?;
        // Asking a service that does not run would start it.
        if !names.name_has_owner(name).await? {
            return Ok(());
        }
        let mut owners = names.receive_name_owner_changed_with_args(&[(0, NAME)]).await?;
        let manager = Proxy::new(&bus, NAME, PATH, NAME).await?;
        let mut changes = manager.receive_property_changed::<u32>("Metered").await;
        tell(meaning(manager.get_property("Metered").await?));
        loop {
            tokio::select! {
                Some(change) = changes.next() => tell(meaning(change.get().await?)),
                // The service ended, or another took its place.
                _ = owners.next() => return Ok(()),
                else => return Ok(()),
            }
        }
    }

    /// NMMetered: <https://networkmanager.dev/docs/api/latest/nm-dbus-types.html#NMMetered>.
    const fn meaning(value: u32) -> Metered {
        match value {
            // Yes, and guessed.
            1 | 3 => Metered::Yes,
            // No, and guessed.
            2 | 4 => Metered::No,
            _ => Metered::Unknown,
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
