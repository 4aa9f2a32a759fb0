//! The three listeners: the API's, storage's and the operator's; how they are reached, and how many connections they
//! take.
//!
//! Always true: the operator's listener is reached however many connections the others have. Not here: what answers a
//! request ([`crate::routes`]).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::TokioTimer;
use url::Url;

use super::options::Options;
use crate::core::error::Error;
use crate::routes::{self, Hosts};
use crate::studio::SharedStudio;
use crate::web::acceptor::{Acceptor, HEAD_BYTES};
use crate::web::connection_limiter::{Bounds, ConnectionLimiter};

/// A connection that sends no whole request head for so long is closed.
const HEAD_LIMIT: Duration = Duration::from_secs(30);

/// The most header fields of a request.
const HEAD_FIELDS: usize = 1024;

/// Connections beyond the bounds, on which only health and operators are answered.
const NARROW_CONNECTIONS: usize = 64;

/// Of the connections beyond the bounds, how many one address may have.
const NARROW_CONNECTIONS_PER_ADDRESS: usize = 8;

/// Connections to the operator's own listener at once.
const OPERATOR_CONNECTIONS: usize = 16;

/// Descriptors that are kept for other things than connections: the database, processes that draw, what goes out.
const OTHER_DESCRIPTORS: usize = 256;

/// Descriptors of a connection: its own, and the file that is read or written over it.
const DESCRIPTORS_OF_ONE: usize = 2;

/// The least number of connections that one address may have, if there are so many.
const LEAST_OF_ONE_ADDRESS: usize = 16;

/// The listeners, bound and not served yet. Addresses are those by which they are reached from outside, without a slash
/// at the end.
pub(super) struct Listeners {
    /// The API's and storage's; a worker has neither.
    public: Option<(TcpListener, TcpListener)>,
    operator: TcpListener,
    /// The address of the API.
    pub base_url: String,
    /// The address of storage.
    pub upload_url: String,
    /// The address of the operator's listener.
    pub operator_url: String,
}

impl Listeners {
    /// Binds all three.
    ///
    /// # Errors
    /// [`Error::Io`] where an address is taken.
    pub(super) fn bind(options: &Options) -> Result<Self, Error> {
        let public = match options.listen.filter(|_| options.role.answers()) {
            Some(listen) => {
                let storage = options.upload_listen.unwrap_or(SocketAddr::new(listen.ip(), 0));
                Some((bind(listen)?, bind(storage)?))
            }
            None => None,
        };
        let operator = bind(options.operator_listen)?;
        let is_secure = options.tls.is_some();
        let address = |listener: Option<&TcpListener>, public: Option<&Url>| match (public, listener) {
            (None, None) => Ok(String::new()),
            (Some(url), _) => Ok(without_slash(url)),
            (None, Some(listener)) => listener.local_addr().map(|address| reached_at(address, is_secure)),
        };
        let (api, storage) = (public.as_ref().map(|both| &both.0), public.as_ref().map(|both| &both.1));
        Ok(Self {
            base_url: address(api, options.public_url.as_ref())?,
            upload_url: address(storage, options.public_upload_url.as_ref())?,
            operator_url: reached_at(operator.local_addr()?, false),
            public,
            operator,
        })
    }

    /// Serves all three until told to stop; to the API and storage `connections` at once.
    ///
    /// # Errors
    /// Where a listener breaks.
    pub(super) async fn serve(
        self,
        studio: &SharedStudio,
        options: &Options,
        connections: usize,
        tls: Option<RustlsConfig>,
        handle: Handle<SocketAddr>,
    ) -> std::io::Result<()> {
        let (door, operator_door) = open_doors(options, connections);
        let hosts = |listener: &TcpListener, url: &str| {
            listener.local_addr().map(|address| Hosts::of_listener(address.ip(), url))
        };
        let operator = routes::operator_router(studio, hosts(&self.operator, &self.operator_url)?);
        let for_operators = run(self.operator, (&operator_door, HEAD_LIMIT), None, operator, handle.clone());
        let Some((api, storage)) = self.public else { return for_operators.await };
        let api_router = routes::router(studio, hosts(&api, &self.base_url)?);
        let storage_router = routes::storage_router(studio, hosts(&storage, &self.upload_url)?);
        tokio::try_join!(
            run(api, (&door, HEAD_LIMIT), tls.clone(), api_router, handle.clone()),
            run(storage, (&door, HEAD_LIMIT), tls, storage_router, handle),
            for_operators,
        )?;
        Ok(())
    }
}

/// Raises the process's own bound on descriptors as far as it may, and says for how many connections that is room, at
/// most `wanted`.
pub(super) fn make_room(wanted: usize) -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        let descriptors = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
        let descriptors = descriptors.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let left = descriptors.saturating_sub(OTHER_DESCRIPTORS + NARROW_CONNECTIONS).max(descriptors / 4);
        let room = left / DESCRIPTORS_OF_ONE;
        if room < wanted {
            tracing::warn!(
                wanted,
                room,
                descriptors,
                "fewer connections are let in than asked for, for want of descriptors"
            );
        }
        wanted.min(room)
    }
    #[cfg(not(unix))]
    wanted
}

/// The doors for everybody, and the operator's, which is reached however many others are there.
fn open_doors(options: &Options, connections: usize) -> (Acceptor, Acceptor) {
    // Where there is room for fewer than were asked for, one address has as much less.
    let part = options.connections_per_address.saturating_mul(connections) / options.connections.max(1);
    let everybodys = Bounds {
        all: connections,
        one: part.max(LEAST_OF_ONE_ADDRESS.min(options.connections_per_address)),
        narrow: NARROW_CONNECTIONS,
        narrow_of_one: NARROW_CONNECTIONS_PER_ADDRESS,
        trusted_proxies: options.trusted_proxies.iter().map(IpAddr::to_canonical).collect(),
    };
    let operators = Bounds {
        all: OPERATOR_CONNECTIONS,
        one: OPERATOR_CONNECTIONS,
        narrow: 0,
        narrow_of_one: 0,
        trusted_proxies: Vec::new(),
    };
    (Acceptor::to(&ConnectionLimiter::new(everybodys)), Acceptor::to(&ConnectionLimiter::new(operators)))
}

fn bind(address: SocketAddr) -> Result<TcpListener, Error> {
    let listener = TcpListener::bind(address).map_err(|error| {
        Error::Io(std::io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))
    })?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn without_slash(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// Where a listener is reached that is reached where it listens, without a slash at the end.
fn reached_at(mut address: SocketAddr, tls: bool) -> String {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        });
    }
    format!("{}://{address}", if tls { "https" } else { "http" })
}

/// Serves until told to stop. A connection that sends no whole head for `head_limit` is closed.
async fn run(
    listener: TcpListener,
    (door, head_limit): (&Acceptor, Duration),
    tls: Option<RustlsConfig>,
    router: Router,
    handle: Handle<SocketAddr>,
) -> std::io::Result<()> {
    macro_rules! serve {
        ($server:expr) => {{
            let mut server = $server.handle(handle).http1_only();
            let mut http = server.http_builder().http1();
            http.timer(TokioTimer::new()).header_read_timeout(head_limit);
            // The same number of bytes is also written ahead of a client that reads slowly.
            http.max_buf_size(HEAD_BYTES).max_headers(HEAD_FIELDS);
            server.serve(router.into_make_service_with_connect_info::<SocketAddr>()).await
        }};
    }
    match tls {
        Some(tls) => {
            serve!(axum_server::from_tcp(listener)?.acceptor(RustlsAcceptor::new(tls).acceptor(door.clone())))
        }
        None => serve!(axum_server::from_tcp(listener)?.acceptor(door.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_head_that_does_not_come_is_waited_for_only_so_long() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let bounds = Bounds { all: 9, one: 9, narrow: 0, narrow_of_one: 0, trusted_proxies: Vec::new() };
        let door = Acceptor::to(&ConnectionLimiter::new(bounds));
        let limit = Duration::from_millis(300);
        let router = Router::new().route("/", axum::routing::get(async || "here"));
        let serving = tokio::spawn(async move { run(listener, (&door, limit), None, router, Handle::new()).await });
        // Nothing, a half one, one that comes byte by byte, and a half one after a whole.
        for head in ["", "GET / HTTP/1.1\r\nHost: x\r\n", "drips", "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET"] {
            let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
            let begin = std::time::Instant::now();
            if head == "drips" {
                for byte in b"GET / HTTP/1.1\r\nX-Long: ".iter().chain(&[b'x'; 500]) {
                    if stream.write_all(&[*byte]).await.is_err() {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            } else {
                stream.write_all(head.as_bytes()).await.unwrap();
            }
            let mut answered = Vec::new();
            let closed = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answered)).await;
            assert!(closed.is_ok() && begin.elapsed() >= limit, "{head:?}: {closed:?} after {:?}", begin.elapsed());
            let answered = String::from_utf8_lossy(&answered);
            assert_eq!(answered.contains("here"), head.ends_with("GET"), "{head:?}: {answered}");
        }
        serving.abort();
    }

    #[test]
    fn the_public_address_is_named_without_a_slash_at_the_end() {
        let check = |public: Option<&str>, address: &str, tls: bool, expected: &str| {
            let public = public.map(|url| without_slash(&Url::parse(url).unwrap()));
            assert_eq!(public.unwrap_or_else(|| reached_at(address.parse().unwrap(), tls)), expected);
        };
        check(None, "127.0.0.1:80", false, "http://127.0.0.1:80");
        check(None, "0.0.0.0:81", true, "https://127.0.0.1:81");
        check(None, "[::]:81", false, "http://[::1]:81");
        check(Some("https://easel.example"), "0.0.0.0:81", false, "https://easel.example");
        check(Some("https://easel.example/api/"), "0.0.0.0:81", false, "https://easel.example/api");
    }
}
