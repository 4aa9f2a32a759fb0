//! The one guarded way out: webhooks go through here, and every other request to an address that a request of a client
//! gave (contract, "Webhooks").
//!
//! Always true: connections go only to addresses that everyone can reach, or to this machine if the studio was told to
//! allow that. An address is judged when it is given and again at every connect, on the very addresses that the
//! connection then goes to, because a name may resolve differently the second time. No redirect is followed, no proxy
//! is used, no connection is kept. The one exception is the writer's service that the operator chose, which has a way
//! of its own (`service`). Not here: what is sent, and when it is sent again.

mod fetch;
mod names;
mod service;

use std::error::Error as StdError;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use easel_wire::addresses::{is_global, names_this_machine};
use http::{HeaderMap, StatusCode};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, redirect};
use tokio::sync::OnceCell;
use tokio::time::{Instant, timeout, timeout_at};
use url::{Host, Url};

use crate::core::error::Error;
pub use names::{Names, Script};
pub use service::{NoAnswer, ServiceAnswer, ServiceWay};

/// How long a receiver may take to answer (specification, "Delivery and retry", rule 2).
const ANSWER_LIMIT: Duration = Duration::from_secs(30);
/// How long the beginning of an answer's body is waited for, once it has answered.
const EXCERPT_LIMIT: Duration = Duration::from_secs(5);
/// How much of an answer's body is kept (contract, "Webhooks").
const EXCERPT_BYTES: usize = 2 * 1024;
/// How long a name is resolved while a request waits; the name is resolved again at every connect anyway.
const RESOLVE_LIMIT: Duration = Duration::from_secs(3);
/// The longest address, in bytes.
const MAX_URL_BYTES: usize = 2_048;

/// The way out.
pub struct Outbound {
    client: OnceCell<Client>,
    guard: Guard,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The status.
    pub status: StatusCode,
    /// The first [`EXCERPT_BYTES`] of the body, as text.
    pub excerpt: String,
}

/// Why no answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The address is none that may be connected to.
    #[error("the address is not one that everyone can reach")]
    NotAllowed,
    /// No answer in time.
    #[error("no answer within {} s", ANSWER_LIMIT.as_secs())]
    TimedOut,
    /// The name does not resolve.
    #[error("the name does not resolve")]
    NotResolved,
    /// No connection, or none that could be trusted.
    #[error("no connection could be made")]
    NotConnected,
    /// The connection broke before there was an answer.
    #[error("the connection broke")]
    Broken,
}

impl Outbound {
    /// A way out; `allow_local` lets it lead to this machine, by plain http too. `names` is how names are resolved.
    #[must_use]
    pub fn new(allow_local: bool, names: Names) -> Self {
        Self { client: OnceCell::new(), guard: Guard { allow_local, names: Arc::new(names) } }
    }

    /// The client, made when something first goes out: most studios send nothing, and it has all certificates of the
    /// system.
    async fn client(&self) -> Result<&Client, Unanswered> {
        let make = async || {
            let guard = self.guard.clone();
            let made = tokio::task::spawn_blocking(move || new_client(guard)).await;
            made.map_err(|_| Unanswered::NotConnected)?.map_err(|error| {
                tracing::error!(%error, "nothing can go out: the system's certificates cannot be read");
                Unanswered::NotConnected
            })
        };
        self.client.get_or_try_init(make).await
    }

    /// Judges an address that a request gives. A name that does not resolve yet is accepted.
    ///
    /// # Errors
    /// 422 for `field` where it is no absolute address, 422 `callback_url_not_allowed` where it leads to a forbidden
    /// address.
    pub async fn check(&self, field: &str, text: &str) -> Result<Url, Error> {
        if text.len() > MAX_URL_BYTES {
            return Err(Error::validation(field, "too_long"));
        }
        let url = Url::parse(text).ok().filter(Url::has_host).ok_or_else(|| Error::validation(field, "invalid"))?;
        self.guard.judge(&url).map_err(|_| Error::CallbackUrlNotAllowed)?;
        if let Some(Host::Domain(name)) = url.host() {
            let judged = timeout(RESOLVE_LIMIT, self.guard.lookup(name)).await;
            if let Ok(Err(Unanswered::NotAllowed)) = judged {
                return Err(Error::CallbackUrlNotAllowed);
            }
        }
        Ok(url)
    }

    /// Sends a POST and waits for its answer.
    ///
    /// # Errors
    /// [`Unanswered`].
    pub async fn post(&self, url: &str, headers: HeaderMap, body: String) -> Result<Answered, Unanswered> {
        let url = Url::parse(url).map_err(|_| Unanswered::NotAllowed)?;
        self.guard.judge(&url)?;
        let deadline = Instant::now() + ANSWER_LIMIT;
        let sending = self.client().await?.post(url).headers(headers).body(body).send();
        let mut response = match timeout_at(deadline, sending).await {
            Err(_) => return Err(Unanswered::TimedOut),
            Ok(Err(error)) => return Err(classify(&error)),
            Ok(Ok(response)) => response,
        };
        let mut kept = Vec::new();
        let reading = async {
            while let Ok(Some(piece)) = response.chunk().await {
                kept.extend_from_slice(&piece);
                if kept.len() >= EXCERPT_BYTES {
                    break;
                }
            }
        };
        // The receiver has answered: what is missing of the body changes nothing.
        let _ = timeout(EXCERPT_LIMIT, reading).await;
        kept.truncate(EXCERPT_BYTES);
        Ok(Answered { status: response.status(), excerpt: String::from_utf8_lossy(&kept).into_owned() })
    }
}

/// Judges where a connection may go.
#[derive(Debug, Clone)]
struct Guard {
    allow_local: bool,
    names: Arc<Names>,
}

impl Guard {
    /// Judges an address by its text: https, or http to this machine where that is allowed. A user name or a password
    /// in it is refused, because it would be stored and shown in the log of deliveries.
    fn judge(&self, url: &Url) -> Result<(), Unanswered> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Unanswered::NotAllowed);
        }
        let (local, global) = match url.host() {
            Some(Host::Domain(name)) => (names_this_machine(name), !names_this_machine(name)),
            Some(Host::Ipv4(address)) => (address.is_loopback(), is_global(address.into())),
            Some(Host::Ipv6(address)) => (address.is_loopback(), is_global(address.into())),
            None => (false, false),
        };
        let allowed = match url.scheme() {
            "https" => global || local && self.allow_local,
            "http" => local && self.allow_local,
            _ => false,
        };
        if allowed { Ok(()) } else { Err(Unanswered::NotAllowed) }
    }

    /// The addresses of a name. One that is not allowed among them spoils them all: whoever owns the name has no honest
    /// use for it.
    async fn lookup(&self, name: &str) -> Result<Vec<SocketAddr>, Unanswered> {
        let local = self.allow_local && names_this_machine(name);
        let found = self.names.resolve(name).await.map_err(|_| Unanswered::NotResolved)?;
        let is_allowed = |found: &SocketAddr| is_global(found.ip()) || local && found.ip().is_loopback();
        match found.iter().all(is_allowed) {
            true if found.is_empty() => Err(Unanswered::NotResolved),
            true => Ok(found),
            false => Err(Unanswered::NotAllowed),
        }
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found = guard.lookup(name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn new_client(guard: Guard) -> reqwest::Result<Client> {
    Client::builder()
        .no_proxy()
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        // Every attempt connects anew, and so is judged anew.
        .pool_max_idle_per_host(0)
        .dns_resolver(Arc::new(guard))
        .build()
}

/// The error in few words: the system's words about a connection may tell of the network that the studio is in.
fn classify(error: &reqwest::Error) -> Unanswered {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(found) = cause {
        if let Some(judged) = found.downcast_ref::<Unanswered>() {
            return *judged;
        }
        cause = found.source();
    }
    if error.is_connect() { Unanswered::NotConnected } else { Unanswered::Broken }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(allow_local: bool) -> Guard {
        Guard { allow_local, names: Arc::new(Names::of_the_system()) }
    }

    #[test]
    fn an_address_is_judged_by_what_it_says() {
        let check = |url: &str, open: bool, with_local: bool| {
            let url = Url::parse(url).unwrap();
            assert_eq!(guard(false).judge(&url).is_ok(), open, "{url}");
            assert_eq!(guard(true).judge(&url).is_ok(), with_local, "{url}, with local callbacks");
        };
        check("https://hooks.example/x", true, true);
        check("https://hooks.example:8443/x", true, true);
        check("https://8.8.8.8/", true, true);
        check("https://[2606:4700::1111]/", true, true);
        check("http://hooks.example/", false, false);
        check("http://8.8.8.8/", false, false);
        check("ftp://hooks.example/", false, false);
        for local in
            ["127.0.0.1:9", "localhost", "LOCALHOST.", "a.localhost", "[::1]:9", "127.9.9.9", "0x7f000001", "127.1"]
        {
            check(&format!("http://{local}/"), false, true);
            check(&format!("https://{local}/"), false, true);
        }
        for private in [
            "10.0.0.1",
            "192.168.1.1",
            "172.16.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "[::]",
            "[fe80::1]",
            "[fd00:ec2::254]",
            "[::ffff:169.254.169.254]",
            "[::ffff:127.0.0.1]",
            "[::127.0.0.1]",
            "2852039166",
        ] {
            check(&format!("https://{private}/"), false, false);
            check(&format!("http://{private}/"), false, false);
        }
    }

    #[tokio::test]
    async fn an_address_is_at_most_2048_bytes_long() {
        let outbound = Outbound::new(false, Names::of_the_system());
        let address = |bytes: usize| format!("{:a<bytes$}", "https://8.8.8.8/");
        assert_eq!(outbound.check("callback_url", &address(2_048)).await.unwrap().as_str(), address(2_048));
        let refused = outbound.check("callback_url", &address(2_049)).await.unwrap_err();
        assert!(matches!(&refused, Error::Validation { fields, .. } if fields[0].code == "too_long"), "{refused}");
    }

    #[tokio::test]
    async fn of_an_answer_that_never_ends_the_first_2_kib_are_kept() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let endless = async || {
            let pieces = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>("a".repeat(1_000)));
            axum::body::Body::from_stream(pieces)
        };
        let receiver = axum::Router::new().route("/", axum::routing::post(endless));
        let serving = tokio::spawn(async { axum::serve(listener, receiver).await });
        let outbound = Outbound::new(true, Names::of_the_system());
        let answered = outbound.post(&url, HeaderMap::new(), String::new()).await.unwrap();
        assert_eq!(answered, Answered { status: StatusCode::OK, excerpt: "a".repeat(2_048) });
        serving.abort();
    }

    #[tokio::test]
    async fn what_a_name_resolves_to_is_judged_at_every_connect() {
        // This name resolves to this machine everywhere, and is not one of the names that mean it by rule.
        let name = "localhost.localdomain";
        let local = guard(true);
        if let Err(found) = local.lookup(name).await {
            assert!(matches!(found, Unanswered::NotAllowed | Unanswered::NotResolved), "{found}");
        } else {
            panic!("{name} leads to this machine and is not called so");
        }
        assert_eq!(guard(false).lookup("localhost").await, Err(Unanswered::NotAllowed));
        assert!(local.lookup("localhost").await.is_ok());
        // The client asks the guard, and says what the guard said.
        let outbound = Outbound::new(false, Names::of_the_system());
        let refused = outbound.client().await.unwrap().post("https://localhost:1/").send().await.unwrap_err();
        assert_eq!(classify(&refused), Unanswered::NotAllowed);
    }
}
