//! Where pictures may be fetched from: no host that is nearer than the service itself.
//!
//! Pictures are fetched without a click, from addresses that the service chose. A service elsewhere that names an
//! address on this computer or its network could make this computer send requests to hosts that only it reaches, such
//! as a router.
//!
//! Always true: an address on this computer is asked only where the service is on this computer, and one on its network
//! only where the service is there too. A name is judged by the very addresses that the connection then goes to, at
//! every connect, because it may resolve differently the second time. Deliberately not here: requests that a person
//! makes with a click, such as downloads, whose storage may be nearer than its service; and the addresses that the
//! system's proxy connects to, which the proxy has to judge.

use std::collections::HashSet;
use std::error::Error as StdError;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use easel_wire::addresses::{Reach, names_this_machine};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::client::{Client, builder};
use crate::error::{Error, UnexpectedBody};

/// So many hosts of pictures are allowed for one service, because each is remembered so that its connects are judged.
const MOST_HOSTS: usize = 256;

/// Judges the addresses of one service's pictures.
#[derive(Debug)]
pub(crate) struct Guard {
    service: Url,
    /// The client for pictures at host names; each of its connects is judged.
    client: OnceLock<reqwest::Client>,
    /// Hosts that pictures were asked for. Other names that a connect resolves, such as the proxy's, are not judged.
    hosts: Mutex<HashSet<String>>,
}

/// A name resolves to an address that is nearer than the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TooNear;

impl fmt::Display for TooNear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address that is nearer than the service")
    }
}

impl StdError for TooNear {}

impl Guard {
    pub(crate) fn new(service: &Url) -> Arc<Self> {
        Arc::new(Self { service: service.clone(), client: OnceLock::new(), hosts: Mutex::default() })
    }

    /// Whether an address of this reach may be asked. The service's own reach is looked up only if the address is not a
    /// public one.
    async fn allows(&self, reach: Reach) -> bool {
        reach == Reach::Everyone || reach >= reach_of_service(&self.service).await
    }

    /// Judges the addresses that a name resolved to. If one of them is too near, all are refused: the owner of such a
    /// name has no honest use for it.
    async fn judge(&self, found: &[SocketAddr]) -> Result<(), TooNear> {
        let nearest = found.iter().map(|found| Reach::of(found.ip())).min().unwrap_or(Reach::Everyone);
        if self.allows(nearest).await { Ok(()) } else { Err(TooNear) }
    }

    fn is_asked_for_pictures(&self, host: &str) -> bool {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner).contains(host)
    }

    /// Notes a host that a picture is asked for. Returns whether there was room.
    fn note(&self, host: &str) -> bool {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.contains(host) || hosts.len() < MOST_HOSTS && hosts.insert(host.to_owned())
    }
}

/// Resolves names for the client of pictures.
#[derive(Debug, Clone)]
struct Resolver(Arc<Guard>);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = Arc::clone(&self.0);
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if guard.is_asked_for_pictures(name.as_str()) {
                guard.judge(&found).await?;
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The reach of an address in numbers; `None` for a name, which has to be looked up.
fn said_reach(url: &Url) -> Option<Reach> {
    match url.host()? {
        Host::Domain(name) => names_this_machine(name).then_some(Reach::ThisComputer),
        Host::Ipv4(address) => Some(Reach::of(IpAddr::V4(address))),
        Host::Ipv6(address) => Some(Reach::of(IpAddr::V6(address))),
    }
}

/// The reach of the service, by its nearest address; a service that cannot be resolved now counts as far.
async fn reach_of_service(service: &Url) -> Reach {
    if let Some(reach) = said_reach(service) {
        return reach;
    }
    let Some(host) = service.host_str() else { return Reach::Everyone };
    let found = tokio::net::lookup_host((host, 0)).await;
    found.ok().and_then(|found| found.map(|found| Reach::of(found.ip())).min()).unwrap_or(Reach::Everyone)
}

fn refused() -> Error {
    Error::NotTheService { status: 200, found: UnexpectedBody::UnusableUrl }
}

/// The error for a picture that could not be fetched.
pub(crate) fn of_transport(error: reqwest::Error) -> Error {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
    while let Some(found) = cause {
        if found.is::<TooNear>() {
            return refused();
        }
        cause = found.source();
    }
    Error::of_transport(error)
}

impl Client {
    /// A request for the picture at a signed address.
    ///
    /// # Errors
    /// [`Error::NotTheService`] for an address that is nearer than the service is; [`Error::PlainHttpRefused`];
    /// [`Error::Setup`].
    pub(crate) async fn ask_for_picture(&self, url: &Url) -> Result<reqwest::RequestBuilder, Error> {
        let guard = &self.shared.picture_guard;
        let client = match said_reach(url) {
            Some(reach) if guard.allows(reach).await => self.storage(url)?,
            None if url.host_str().is_some_and(|host| guard.note(host)) => self.pictures(url)?,
            _ => return Err(refused()),
        };
        Ok(client.get(url.clone()))
    }

    fn pictures(&self, url: &Url) -> Result<&reqwest::Client, Error> {
        self.shared.connection.check_encryption(url)?;
        let guard = &self.shared.picture_guard;
        if let Some(client) = guard.client.get() {
            return Ok(client);
        }
        let resolver = Arc::new(Resolver(Arc::clone(guard)));
        let client = builder(self.shared.patience).dns_resolver(resolver).build().map_err(Error::of_transport)?;
        Ok(guard.client.get_or_init(|| client))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_nearer_than_the_service_is_asked() {
        let check = async |service: &str, address: &str, expected: bool| {
            let guard = Guard::new(&Url::parse(service).unwrap());
            let found: [SocketAddr; 1] = [SocketAddr::new(address.parse().unwrap(), 443)];
            assert_eq!(guard.judge(&found).await.is_ok(), expected, "{address} for a service at {service}");
        };
        for address in ["127.0.0.1", "::1", "0.0.0.0"] {
            check("http://127.0.0.1:8080", address, true).await;
            check("http://localhost:8080", address, true).await;
            check("https://192.168.1.5", address, false).await;
            check("https://8.8.8.8", address, false).await;
        }
        for address in ["192.168.1.1", "169.254.169.254", "fd00::1", "::ffff:10.0.0.1"] {
            check("http://127.0.0.1:8080", address, true).await;
            check("https://192.168.1.5", address, true).await;
            check("https://8.8.8.8", address, false).await;
            // A service that cannot be resolved now.
            check("https://studio.invalid", address, false).await;
        }
        for service in ["http://127.0.0.1:8080", "https://192.168.1.5", "https://8.8.8.8"] {
            check(service, "1.1.1.1", true).await;
        }
        let guard = Guard::new(&Url::parse("https://8.8.8.8").unwrap());
        let both = ["1.1.1.1:443".parse().unwrap(), "10.0.0.1:443".parse().unwrap()];
        assert_eq!(guard.judge(&both).await, Err(TooNear), "one that is too near spoils them all");
    }

    #[tokio::test]
    async fn the_names_of_pictures_are_judged_and_no_others() {
        let guard = Guard::new(&Url::parse("https://8.8.8.8").unwrap());
        let resolver = Resolver(Arc::clone(&guard));
        let resolve = async || resolver.resolve("localhost".parse().unwrap()).await.map(drop);
        resolve().await.unwrap();
        assert!(guard.note("localhost"));
        assert!(resolve().await.unwrap_err().is::<TooNear>());
        for number in 1..MOST_HOSTS {
            assert!(guard.note(&format!("{number}.example")));
        }
        assert!(!guard.note("one.too.many.example") && guard.note("localhost"));
    }
}
