//! Lets connections in, and bounds how long they may take to read answers.
//!
//! Always true: every connection has its place in the [`ConnectionLimiter`] until it is closed; if another needs its place, it is
//! closed, whatever it does; a connection that reads next to nothing of what is written to it is closed, so that nobody
//! holds an answer in memory by not reading it; a head has [`HEAD_BYTES`] at most. Not here: how long a request may
//! take to come (its head: [`crate::serve`]; its body: [`crate::web::spool`]).

use std::future::{Ready, ready};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::AddExtension;
use axum::response::{IntoResponse, Response};
use axum_server::accept::Accept;
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;
use tokio_util::sync::WaitForCancellationFutureOwned;
use tower::Layer;

use super::connection_limiter::{ConnectionLimiter, Place, Presence, RequestUnderWay, Way};
use super::origin::Origin;

/// The longest request head, in bytes.
pub const HEAD_BYTES: usize = 64 * 1024;
/// A client may take this long to read [`LEAST_BYTES`].
const WRITE_LIMIT: Duration = Duration::from_secs(60);
/// At least so many bytes have to leave in [`WRITE_LIMIT`] while more are waiting.
const LEAST_BYTES: u64 = 16 * 1024;

/// The header in which a proxy names its client.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// How a request came in; an extension of every request over a connection.
#[derive(Debug, Clone)]
pub struct Entrance {
    limiter: Arc<ConnectionLimiter>,
    way: Way,
    presence: Arc<Presence>,
}

/// What a request that was let in holds until its answer has been read ([`hold`]).
#[derive(Debug, Default)]
pub struct Admitted {
    _under_way: Option<RequestUnderWay>,
    _place: Option<Place>,
}

/// Too many connections or requests: this one is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crowded;

impl Entrance {
    /// Lets a request in: by the narrow way only if it `is_essential`, and of one client behind a trusted proxy only so
    /// many. Hold the answer's value until the response has been read ([`hold`]).
    ///
    /// # Errors
    /// [`Crowded`].
    pub fn admit(request: &Request, is_essential: bool) -> Result<Admitted, Crowded> {
        let Some(entrance) = request.extensions().get::<Self>() else { return Ok(Admitted::default()) };
        if is_essential {
            return Ok(Admitted::default());
        }
        if entrance.way == Way::Narrow {
            return Err(Crowded);
        }
        let under_way = Some(entrance.presence.begin());
        let admitted = |place| Admitted { _under_way: under_way, _place: place };
        let Some(peer) = peer_of(request) else { return Ok(admitted(None)) };
        if !entrance.limiter.trusts(peer) {
            if request.headers().contains_key(FORWARDED_FOR) {
                entrance.limiter.note_untrusted(peer);
            }
            return Ok(admitted(None));
        }
        match Self::origin_of(request) {
            Origin(Some(client)) => entrance.limiter.ask(client).map(|place| admitted(Some(place))).ok_or(Crowded),
            Origin(None) => Ok(admitted(None)),
        }
    }

    /// Notes that a request came with a valid key: its connection does not make room for one that has shown none.
    pub fn note_key(extensions: &http::Extensions) {
        if let Some(entrance) = extensions.get::<Self>() {
            entrance.presence.show_key();
        }
    }

    /// Where a request came from: the other end of its connection, or the client that a trusted proxy there speaks for.
    #[must_use]
    pub fn origin_of(request: &Request) -> Origin {
        let peer = peer_of(request);
        let entrance = request.extensions().get::<Self>();
        let client = entrance
            .filter(|entrance| peer.is_some_and(|peer| entrance.limiter.trusts(peer)))
            .and_then(|entrance| client_of(request.headers(), |address| entrance.limiter.trusts(address)));
        Origin(client.or(peer))
    }
}

/// Whether a request's head is too long. The reader of heads bounds its memory and not the head, so that a somewhat
/// longer one may come through, depending on how it arrives.
#[must_use]
pub fn has_long_head(request: &Request) -> bool {
    let uri = request.uri();
    let scheme = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
    let host = uri.authority().map_or(0, |authority| authority.as_str().len());
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let line = request.method().as_str().len() + scheme + host + path + "  HTTP/1.1\r\n\r\n".len();
    let fields = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    line + fields.sum::<usize>() > HEAD_BYTES
}

/// The answer to a head that is longer than may be, as bare as where it is too long to be read at all.
#[must_use]
pub fn refuse_long_head() -> Response {
    (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, [(header::CONNECTION, "close")]).into_response()
}

fn peer_of(request: &Request) -> Option<IpAddr> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip())
}

/// Keeps what a request holds until the response has been read or given up.
#[must_use]
pub fn hold(admitted: Admitted, response: Response) -> Response {
    response.map(|body| Body::new(HeldBody { body, _admitted: admitted }))
}

/// The body of an answer, with what is held until it is dropped.
struct HeldBody {
    body: Body,
    _admitted: Admitted,
}

impl http_body::Body for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The client for whom the nearest proxies speak: in `X-Forwarded-For`, the last address that is no trusted proxy's.
fn client_of(headers: &HeaderMap, is_proxy: impl Fn(IpAddr) -> bool) -> Option<IpAddr> {
    let lines = headers.get_all(FORWARDED_FOR).iter().filter_map(|line| line.to_str().ok());
    let named: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    for name in named.into_iter().rev() {
        // A text that is no address was not written by a proxy that can be trusted.
        let address =
            name.parse::<IpAddr>().or_else(|_| name.parse::<SocketAddr>().map(|address| address.ip())).ok()?;
        if !is_proxy(address) {
            return Some(address);
        }
    }
    None
}

/// Lets connections in.
#[derive(Debug, Clone)]
pub struct Acceptor {
    limiter: Arc<ConnectionLimiter>,
}

impl Acceptor {
    /// Lets in whom this limiter admits.
    #[must_use]
    pub fn to(limiter: &Arc<ConnectionLimiter>) -> Self {
        Self { limiter: Arc::clone(limiter) }
    }

    fn let_in<S>(&self, stream: TcpStream, service: S) -> io::Result<(Connection, AddExtension<S, Entrance>)> {
        let place = self.limiter.connect(stream.peer_addr()?.ip(), Instant::now());
        let place = place.ok_or_else(|| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        stream.set_nodelay(true)?;
        let entrance = Entrance { limiter: Arc::clone(&self.limiter), way: place.way(), presence: place.presence() };
        let connection = Connection::of(stream, place);
        Ok((connection, Extension(entrance).layer(service)))
    }
}

impl<S> Accept<TcpStream, S> for Acceptor {
    type Stream = Connection;
    type Service = AddExtension<S, Entrance>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        ready(self.let_in(stream, service))
    }
}

/// A connection that is closed if the client does not read what is written to it.
#[derive(Debug)]
pub struct Connection<T = TcpStream> {
    stream: T,
    /// Bytes that left since `limit` began.
    written: u64,
    /// Runs while something waits to leave.
    limit: Option<Pin<Box<Sleep>>>,
    /// Over once another needs the place; then nothing.
    stays: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    _place: Place,
}

impl<T> Connection<T> {
    fn of(stream: T, place: Place) -> Self {
        let stays = Some(Box::pin(place.makes_room().cancelled_owned()));
        Self { stream, written: 0, limit: None, stays, _place: place }
    }

    /// Refuses everything once another needs the place; and has this connection looked at when that is so.
    fn stay(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if let Some(stays) = &mut self.stays {
            if stays.as_mut().poll(cx).is_pending() {
                return Ok(());
            }
            self.stays = None;
        }
        Err(io::ErrorKind::ConnectionAborted.into())
    }

    fn watch(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match poll {
            Poll::Ready(Ok(count)) => {
                self.written = self.written.saturating_add(count as u64);
                if self.written >= LEAST_BYTES {
                    self.rest();
                }
                Poll::Ready(Ok(count))
            }
            Poll::Ready(failed) => Poll::Ready(failed),
            Poll::Pending => {
                let limit = self.limit.get_or_insert_with(|| Box::pin(tokio::time::sleep(WRITE_LIMIT)));
                match limit.as_mut().poll(cx) {
                    Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                    Poll::Pending => Poll::Pending,
                }
            }
        }
    }

    fn rest(&mut self) {
        self.written = 0;
        self.limit = None;
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Connection<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.stay(cx)?;
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Connection<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.stay(cx)?;
        let poll = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stay(cx)?;
        let poll = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.watch(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Asked once nothing waits any more.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stay(cx)?;
        let poll = Pin::new(&mut self.stream).poll_flush(cx);
        if poll.is_ready() {
            self.rest();
        }
        poll
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::connection_limiter::Bounds;
    use http::HeaderValue;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    fn connection(stream: tokio::io::DuplexStream) -> Connection<tokio::io::DuplexStream> {
        let limiter =
            ConnectionLimiter::new(Bounds { all: 9, one: 9, narrow: 0, narrow_of_one: 0, trusted_proxies: Vec::new() });
        let place = limiter.connect([127, 0, 0, 1].into(), Instant::now()).unwrap();
        Connection::of(stream, place)
    }

    #[tokio::test(start_paused = true)]
    async fn who_reads_next_to_nothing_is_given_up_and_who_reads_slowly_is_not() {
        for (bytes_a_second, ends_well) in [(0, false), (1, false), (200, false), (400, true), (100_000, true)] {
            let (ours, mut theirs) = tokio::io::duplex(1_024);
            let mut ours = connection(ours);
            let writing = tokio::spawn(async move {
                ours.write_all(&vec![7; 200_000]).await?;
                ours.flush().await
            });
            let reading = tokio::spawn(async move {
                let mut buffer = vec![0; bytes_a_second.max(1)];
                loop {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    if bytes_a_second > 0 && theirs.read(&mut buffer).await.is_ok_and(|count| count == 0) {
                        break;
                    }
                }
            });
            let written = writing.await.unwrap();
            assert_eq!(written.is_ok(), ends_well, "{bytes_a_second} bytes a second");
            reading.abort();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_has_nothing_to_say_may_be_silent() {
        let (ours, mut theirs) = tokio::io::duplex(16);
        let mut ours = connection(ours);
        for _ in 0..5 {
            let (written, _) = tokio::join!(
                async {
                    ours.write_all(&[1; 64]).await?;
                    ours.flush().await
                },
                async {
                    tokio::time::sleep(Duration::from_secs(30)).await;
                    theirs.read_exact(&mut [0; 64]).await
                }
            );
            written.unwrap();
            tokio::time::sleep(Duration::from_secs(600)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_reads_slowly_is_closed_once_another_needs_the_place() {
        let bounds = Bounds { all: 1, one: 1, narrow: 0, narrow_of_one: 0, trusted_proxies: Vec::new() };
        let limiter = ConnectionLimiter::new(bounds);
        let begin = Instant::now();
        let place = limiter.connect([127, 0, 0, 1].into(), begin).unwrap();
        let (ours, _theirs) = tokio::io::duplex(1_024);
        let mut ours = Connection::of(ours, place);
        let writing = tokio::spawn(async move { ours.write_all(&vec![7; 200_000]).await });
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert!(limiter.connect([127, 0, 0, 2].into(), begin + Duration::from_secs(5)).is_some());
        let ended = tokio::time::timeout(Duration::from_secs(1), writing).await.unwrap().unwrap();
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
    }

    #[test]
    fn the_client_is_the_last_address_that_is_no_proxy() {
        let is_proxy = |address: IpAddr| address == IpAddr::from([10, 0, 0, 1]);
        let check = |lines: &[&'static str], expected: Option<&str>| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-for", HeaderValue::from_static(line));
            }
            assert_eq!(client_of(&headers, is_proxy), expected.map(|text| text.parse().unwrap()), "{lines:?}");
        };
        check(&[], None);
        check(&["192.0.2.1"], Some("192.0.2.1"));
        check(&["203.0.113.7, 192.0.2.1, 10.0.0.1"], Some("192.0.2.1"));
        check(&["203.0.113.7", "192.0.2.1:4711"], Some("192.0.2.1"));
        check(&["2001:db8::1"], Some("2001:db8::1"));
        check(&["10.0.0.1"], None);
        check(&["192.0.2.1, unknown"], None);
    }
}
