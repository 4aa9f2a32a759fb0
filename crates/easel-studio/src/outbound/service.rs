//! The way to one service of the operator's choice: the language model that writes, and nothing else.
//!
//! Always true: connections go only to the address that the operator (or, in Easel's window, the person) set; it alone
//! may be this computer or one in its network, and only there is plain http spoken, judged at every connect on the very
//! addresses that the connection goes to. No redirect is followed, no proxy is used, no connection is kept; an answer
//! is bounded while it comes, whatever its status. Not here: what is asked, and for how long.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use easel_wire::addresses::{Reach, is_global, names_this_machine};
use http::{HeaderMap, Method, StatusCode, header};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, redirect};
use url::{Host, Url};

use super::{Names, Unanswered, classify};
use crate::core::error::Error;

/// How long a connection may take to come about.
const CONNECT_LIMIT: std::time::Duration = std::time::Duration::from_secs(10);

/// The way to one service.
pub struct ServiceWay {
    client: Client,
    guard: ServiceGuard,
}

impl std::fmt::Debug for ServiceWay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServiceWay").field("address", &self.guard.address.as_str()).finish_non_exhaustive()
    }
}

/// What a service answered.
#[derive(Debug)]
pub struct ServiceAnswer {
    /// The status.
    pub status: StatusCode,
    /// The media type that the body declares.
    pub mime_type: String,
    /// After how many seconds to ask again, where the service tells.
    pub retry_after_seconds: Option<u64>,
    /// All of the body.
    pub body: Vec<u8>,
}

/// Why a service gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// No answer came.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// The answer is longer than the bound.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
}

impl ServiceWay {
    /// A way to what is at `address`: https, or http on this computer or in its network.
    ///
    /// # Errors
    /// [`Error::Usage`] for another address, [`Error::Io`] where the system's certificates cannot be read.
    pub fn to(address: &Url, names: Names) -> Result<Self, Error> {
        let guard = ServiceGuard { address: address.clone(), names: Arc::new(names) };
        guard.check_address()?;
        let client = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_LIMIT)
            .pool_max_idle_per_host(0)
            .dns_resolver(Arc::new(guard.clone()))
            .build()
            .map_err(|error| Error::Io(std::io::Error::other(error)))?;
        Ok(Self { client, guard })
    }

    /// Sends a request, and reads its answer up to `max_bytes`. Dropping the call closes the connection.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub async fn ask(
        &self,
        (method, url): (Method, &Url),
        headers: HeaderMap,
        body: Bytes,
        max_bytes: usize,
    ) -> Result<ServiceAnswer, NoAnswer> {
        self.guard.judge(url)?;
        let request = self.client.request(method, url.clone()).headers(headers);
        let sent = request.header(header::ACCEPT_ENCODING, "identity").body(body).send().await;
        let mut response = sent.map_err(|error| classify(&error))?;
        let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let mime_type = text(header::CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
        let retry_after_seconds = text(header::RETRY_AFTER).and_then(|value| value.trim().parse().ok());
        let status = response.status();
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| classify(&error))? {
            body.extend_from_slice(&piece);
            if body.len() > max_bytes {
                return Err(NoAnswer::TooLong(max_bytes));
            }
        }
        Ok(ServiceAnswer { status, mime_type, retry_after_seconds, body })
    }
}

/// Lets connections go to one service only.
#[derive(Debug, Clone)]
struct ServiceGuard {
    address: Url,
    names: Arc<Names>,
}

impl ServiceGuard {
    fn check_address(&self) -> Result<(), Error> {
        let is_plain = self.address.username().is_empty() && self.address.password().is_none();
        let is_bare = self.address.query().is_none() && self.address.fragment().is_none();
        let is_allowed = match (self.address.scheme(), self.address.host()) {
            ("https", Some(_)) => true,
            ("http", Some(Host::Domain(_))) => true,
            ("http", Some(Host::Ipv4(address))) => !is_global(address.into()),
            ("http", Some(Host::Ipv6(address))) => !is_global(address.into()),
            _ => false,
        };
        if is_allowed && is_plain && is_bare {
            return Ok(());
        }
        let words = "an https address is needed for a writer, or an http one on this computer or in its network; \
                     without a name, a password or a query";
        Err(Error::Usage(words.to_owned()))
    }

    /// Whether a request goes to the service.
    fn judge(&self, url: &Url) -> Result<(), Unanswered> {
        let is_there = url.scheme() == self.address.scheme()
            && url.host() == self.address.host()
            && url.port_or_known_default() == self.address.port_or_known_default()
            && url.username().is_empty()
            && url.password().is_none();
        if is_there { Ok(()) } else { Err(Unanswered::NotAllowed) }
    }

    /// The addresses of the service's name; of no other.
    async fn lookup(&self, name: &str) -> Result<Vec<SocketAddr>, Unanswered> {
        if self.address.host_str().is_none_or(|host| !host.eq_ignore_ascii_case(name)) {
            return Err(Unanswered::NotAllowed);
        }
        let found = self.names.resolve(name).await.map_err(|_| Unanswered::NotResolved)?;
        // An unencrypted request goes no further than the network of this computer.
        let is_near = |found: &SocketAddr| match Reach::of(found.ip()) {
            Reach::ThisComputer => true,
            Reach::LocalNetwork => !names_this_machine(name),
            Reach::Everyone => false,
        };
        match self.address.scheme() == "https" || found.iter().all(is_near) {
            _ if found.is_empty() => Err(Unanswered::NotResolved),
            true => Ok(found),
            false => Err(Unanswered::NotAllowed),
        }
    }
}

impl Resolve for ServiceGuard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found = guard.lookup(name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(address: &str) -> Result<ServiceWay, Error> {
        ServiceWay::to(&Url::parse(address).unwrap(), Names::of_the_system())
    }

    #[test]
    fn plain_http_stays_on_this_computer_or_in_its_network() {
        for good in [
            "https://api.example/v1",
            "https://10.0.0.7:8443",
            "http://127.0.0.1:11434",
            "http://[::1]:11434",
            "http://192.168.1.20:11434",
            "http://localhost:11434",
            "http://workstation.lan",
        ] {
            assert!(way(good).is_ok(), "{good}");
        }
        for bad in [
            "http://8.8.8.8/",
            "http://[2606:4700::1111]/",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
            "https://ada:secret@api.example/",
            "https://api.example/?key=secret",
        ] {
            let refused = way(bad).unwrap_err();
            assert!(matches!(refused, Error::Usage(_)) && !refused.to_string().contains("secret"), "{bad}: {refused}");
        }
    }

    #[tokio::test]
    async fn no_other_address_is_connected_to() {
        let way = way("http://127.0.0.1:9/v1").unwrap();
        for other in ["http://127.0.0.1:8/v1", "https://127.0.0.1:9/v1", "http://127.0.0.2:9/", "http://x@127.0.0.1:9/"]
        {
            let asked = (Method::GET, &Url::parse(other).unwrap());
            let refused = way.ask(asked, HeaderMap::new(), Bytes::new(), 10).await.unwrap_err();
            assert_eq!(refused, NoAnswer::Unanswered(Unanswered::NotAllowed), "{other}");
        }
        assert_eq!(way.guard.lookup("localhost").await, Err(Unanswered::NotAllowed));
    }

    #[tokio::test]
    async fn a_name_leads_where_the_operator_set_it_and_without_tls_no_further_than_the_network() {
        let check = async |address: &str, answers: &str, expected: Result<(), Unanswered>| {
            let url = Url::parse(address).unwrap();
            let script = format!("{}={answers}", url.host_str().unwrap()).parse().unwrap();
            let way = ServiceWay::to(&url, Names::scripted(vec![script])).unwrap();
            assert_eq!(way.guard.lookup(url.host_str().unwrap()).await.map(drop), expected, "{address} {answers}");
        };
        check("https://model.example", "8.8.8.8", Ok(())).await;
        check("https://model.example", "10.0.0.7", Ok(())).await;
        check("http://model.example", "10.0.0.7", Ok(())).await;
        check("http://model.example", "127.0.0.1", Ok(())).await;
        check("http://model.example", "8.8.8.8", Err(Unanswered::NotAllowed)).await;
        check("http://localhost", "10.0.0.7", Err(Unanswered::NotAllowed)).await;
    }
}
