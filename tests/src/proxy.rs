//! A proxy of the tests' own between a client and a service, which breaks what it is told to break.
//!
//! It understands as much of HTTP/1.1 as it needs to know where a message ends, forwards every byte as it came (the
//! Host header too, so a service behind it must accept the proxy's address as its public one), and records every
//! request. Always true here: a request whose answer is dropped was forwarded whole, and the service's whole answer was
//! read before the client's connection is cut. Deliberately not here: TLS, HTTP/2, and any knowledge of the service.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

mod framing;

use framing::{Framing, Head};

/// What happens to one request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// Nothing: request and answer pass.
    Pass,
    /// The service acts and answers; the client's connection is cut instead.
    DropAnswer,
    /// The service acts and answers; the client's connection stays open, and nothing comes.
    HoldAnswer,
    /// This many bytes of the request's body pass, then both connections are cut.
    CutRequestAfter(u64),
    /// This many bytes of the answer pass, head included, then the client's connection is cut.
    CutAnswerAfter(usize),
    /// The service acts and answers; the client gets these bytes instead, and its connection is closed.
    ReplaceAnswer(Vec<u8>),
    /// The answer waits this long.
    Delay(Duration),
    /// The service hears nothing until this is cancelled; then request and answer pass.
    StandUntil(CancellationToken),
    /// The service hears nothing; the client gets these bytes, and its connection is closed.
    Answer(Vec<u8>),
    /// The service hears nothing, and the client's connection stays open without an answer.
    Silence,
    /// The service hears nothing, and the client's connection is cut before its request is read to the end.
    Refuse,
}

impl Fault {
    /// An answer that the service did not give, without asking it.
    #[must_use]
    pub fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        Self::Answer(Self::answer_bytes(status, headers, body))
    }

    /// An answer that the service did not give, after it acted.
    #[must_use]
    pub fn replace_answer(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        Self::ReplaceAnswer(Self::answer_bytes(status, headers, body))
    }

    fn answer_bytes(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
        let mut text = format!("HTTP/1.1 {status} Said-By-The-Proxy\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("Connection: close\r\n\r\n");
        text.push_str(body);
        text.into_bytes()
    }
}

/// A request as it came to the proxy.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The method.
    pub method: String,
    /// The path without the query, which may be a signature.
    pub path: String,
    /// How the keys begin that a bucket is asked to list.
    pub prefix: Option<String>,
    /// The headers.
    pub headers: HeaderMap,
    /// Bytes of body that came from the client, framing of chunks left out.
    pub body_bytes: u64,
    /// The fault that it met.
    pub fault: Fault,
    /// The status of the service's answer, where one was read.
    pub status: Option<u16>,
}

impl Seen {
    /// Whether it is this method on a path that ends so.
    #[must_use]
    pub fn is(&self, method: &str, path_end: &str) -> bool {
        self.method == method && self.path.ends_with(path_end)
    }
}

type Rule = Box<dyn FnMut(&Seen) -> Fault + Send>;

struct Shared {
    /// The services behind it, which take turns; nobody where there is none.
    targets: Vec<String>,
    /// Whose turn is next.
    turn: usize,
    rule: Rule,
    seen: Vec<Seen>,
    /// How many records were forgotten, so that a request under way still finds its own record or none.
    forgotten: usize,
}

impl Shared {
    fn take_seen(&mut self) -> Vec<Seen> {
        self.forgotten += self.seen.len();
        std::mem::take(&mut self.seen)
    }

    fn record(&mut self, number: usize) -> Option<&mut Seen> {
        self.seen.get_mut(number.checked_sub(self.forgotten)?)
    }
}

/// A running proxy. Dropping it cuts every connection.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    listening: JoinHandle<()>,
}

impl Proxy {
    /// Listens on a loopback port. Until [`Self::forward_to`] names a service, every connection is cut.
    ///
    /// # Panics
    /// Where no port is free.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port for the proxy");
        let address = listener.local_addr().expect("the proxy's address");
        let shared = Arc::new(Mutex::new(Shared {
            targets: Vec::new(),
            turn: 0,
            rule: Box::new(|_| Fault::Pass),
            seen: Vec::new(),
            forgotten: 0,
        }));
        let for_connections = Arc::clone(&shared);
        let listening = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let shared = Arc::clone(&for_connections);
                connections.spawn(async move {
                    // Broken connections are what this proxy is for.
                    let _ = serve(client, &shared).await;
                });
            }
        });
        Self { address, shared, listening }
    }

    /// Where it listens: `127.0.0.1:port`.
    #[must_use]
    pub fn authority(&self) -> String {
        self.address.to_string()
    }

    /// Where it listens, as a base address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Names the service behind it: `127.0.0.1:port`.
    pub fn forward_to(&self, authority: &str) {
        self.forward_in_turn(&[authority.to_owned()]);
    }

    /// Names the services behind it, of which each gets the next request in its turn. Requests under way go on where they are.
    pub fn forward_in_turn(&self, authorities: &[String]) {
        self.shared().targets = authorities.to_vec();
    }

    /// From now on this decides about every request, as soon as its head was read.
    pub fn break_by(&self, rule: impl FnMut(&Seen) -> Fault + Send + 'static) {
        self.shared().rule = Box::new(rule);
    }

    /// From now on everything passes.
    pub fn pass_all(&self) {
        self.break_by(|_| Fault::Pass);
    }

    /// Breaks the next request of this kind and no other; [`Self::seen`] tells whether it came.
    pub fn break_next(&self, method: &str, path_end: &str, fault: Fault) {
        let (method, path_end) = (method.to_owned(), path_end.to_owned());
        let mut fault = Some(fault);
        self.break_by(
            move |request| {
                if request.is(&method, &path_end) { fault.take().unwrap_or(Fault::Pass) } else { Fault::Pass }
            },
        );
    }

    /// Every request so far, in the order in which their heads came.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.shared().seen.clone()
    }

    /// Forgets the requests so far and returns them.
    #[must_use]
    pub fn take_seen(&self) -> Vec<Seen> {
        self.shared().take_seen()
    }

    /// Forgets the requests so far.
    pub fn forget_seen(&self) {
        drop(self.shared().take_seen());
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One connection of a client, request after request.
async fn serve(mut client: TcpStream, shared: &Mutex<Shared>) -> Result<()> {
    let mut unread = Vec::new();
    while let Some(head) = Head::read(&mut client, &mut unread).await? {
        let (number, fault, target) = begin(&head, shared)?;
        let keep = exchange(&mut client, &mut unread, &head, number, &fault, target.as_deref(), shared).await?;
        if !keep {
            return Ok(());
        }
    }
    Ok(())
}

/// Records the request and asks the rule for its fault.
fn begin(head: &Head, shared: &Mutex<Shared>) -> Result<(usize, Fault, Option<String>)> {
    let (method, target) = head.request_line()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let prefix = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "prefix");
    let (path, prefix) = (path.to_owned(), prefix.map(|(_, prefix)| prefix.into_owned()));
    let mut headers = HeaderMap::new();
    for (name, value) in head.fields() {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_bytes(value.as_bytes())) {
            headers.append(name, value);
        }
    }
    let mut request = Seen { method, path, prefix, headers, body_bytes: 0, fault: Fault::Pass, status: None };
    let mut shared = lock(shared);
    request.fault = (shared.rule)(&request);
    let fault = request.fault.clone();
    shared.seen.push(request);
    shared.turn += 1;
    let target = shared.targets.get(shared.turn.checked_rem(shared.targets.len()).unwrap_or_default()).cloned();
    Ok((shared.forgotten + shared.seen.len() - 1, fault, target))
}

/// Carries one request and its answer; returns whether the client's connection may carry another.
async fn exchange(
    client: &mut TcpStream,
    unread: &mut Vec<u8>,
    head: &Head,
    number: usize,
    fault: &Fault,
    target: Option<&str>,
    shared: &Mutex<Shared>,
) -> Result<bool> {
    if matches!(fault, Fault::Refuse) {
        return Ok(false);
    }
    let count = |bytes: u64| {
        if let Some(request) = lock(shared).record(number) {
            request.body_bytes += bytes;
        }
    };
    let mut framing = Framing::of_request(head);
    if let Fault::Answer(_) | Fault::Silence = fault {
        let mut nowhere = tokio::io::sink();
        forward(client, unread, &mut framing, &mut nowhere, None, &count).await?;
        if let Fault::Answer(answer) = fault {
            client.write_all(answer).await?;
            client.shutdown().await?;
            return Ok(false);
        }
        return hold(client).await;
    }

    if let Fault::StandUntil(let_go) = fault {
        let_go.cancelled().await;
    }
    let Some(target) = target else { return Ok(false) };
    let service = TcpStream::connect(target).await?;
    let (mut from_service, mut to_service) = service.into_split();
    to_service.write_all(head.bytes()).await?;
    let limit = if let Fault::CutRequestAfter(bytes) = fault { Some(*bytes) } else { None };

    let note_status = |status: u16| {
        if let Some(request) = lock(shared).record(number) {
            request.status = Some(status);
        }
    };
    let mut answer = Answer::default();
    let request_was_whole = {
        let (mut from_client, mut to_client) = client.split();
        let requesting = forward(&mut from_client, unread, &mut framing, &mut to_service, limit, &count);
        let answering = answer.carry(&mut from_service, &mut to_client, fault, head.is_head_request(), &note_status);
        tokio::pin!(requesting, answering);
        tokio::select! {
            sent = &mut requesting => {
                // The limit was reached: both connections end here.
                if matches!(sent, Ok(false)) {
                    return Ok(false);
                }
                // If sending failed, the service may have answered before it stopped reading.
                answering.await?;
                sent.is_ok()
            }
            answered = &mut answering => {
                answered?;
                // The service answered before it had the whole request: the client may finish, but not for ever.
                tokio::time::timeout(Duration::from_secs(10), requesting).await.is_ok_and(|sent| sent.is_ok())
            }
        }
    };
    match fault {
        Fault::DropAnswer | Fault::CutAnswerAfter(_) => Ok(false),
        Fault::HoldAnswer => hold(client).await,
        Fault::ReplaceAnswer(answer) => {
            client.write_all(answer).await?;
            client.shutdown().await?;
            Ok(false)
        }
        _ => Ok(request_was_whole && !answer.ends_with_connection),
    }
}

/// Keeps a connection open without a word until the client gives up.
async fn hold(client: &mut TcpStream) -> Result<bool> {
    let mut nothing = [0; 1024];
    while client.read(&mut nothing).await? > 0 {}
    Ok(false)
}

/// Carries a body; returns false where the limit of body bytes was reached before its end.
async fn forward(
    from: &mut (impl AsyncReadExt + Unpin),
    unread: &mut Vec<u8>,
    framing: &mut Framing,
    to: &mut (impl AsyncWriteExt + Unpin),
    limit: Option<u64>,
    count: &impl Fn(u64),
) -> Result<bool> {
    let mut passed: u64 = 0;
    let mut buffer = vec![0; 65_536];
    loop {
        let step = framing.take(unread)?;
        count(step.body_bytes);
        passed += step.body_bytes;
        let mut bytes: Vec<u8> = unread.drain(..step.consumed).collect();
        if let Some(limit) = limit.filter(|limit| passed >= *limit) {
            let surplus = usize::try_from(passed - limit).unwrap_or(usize::MAX);
            bytes.truncate(bytes.len().saturating_sub(surplus));
            to.write_all(&bytes).await?;
            to.flush().await?;
            return Ok(false);
        }
        to.write_all(&bytes).await?;
        if step.finished {
            to.flush().await?;
            return Ok(true);
        }
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return Err(Error::new(ErrorKind::UnexpectedEof, "the body was cut"));
        }
        unread.extend_from_slice(&buffer[..count]);
    }
}

/// The service's answer, as far as it is known.
#[derive(Default)]
struct Answer {
    ends_with_connection: bool,
}

impl Answer {
    /// Reads the whole answer of the service, and lets as much of it through as the fault says.
    async fn carry(
        &mut self,
        from: &mut (impl AsyncReadExt + Unpin),
        to: &mut (impl AsyncWriteExt + Unpin),
        fault: &Fault,
        to_head_request: bool,
        note_status: &impl Fn(u16),
    ) -> Result<()> {
        let mut left = match fault {
            Fault::DropAnswer | Fault::HoldAnswer | Fault::ReplaceAnswer(_) => 0,
            Fault::CutAnswerAfter(bytes) => *bytes,
            _ => usize::MAX,
        };
        let mut unread = Vec::new();
        let head = loop {
            let head = Head::read(from, &mut unread)
                .await?
                .ok_or_else(|| Error::new(ErrorKind::UnexpectedEof, "the service did not answer"))?;
            let status = head.status()?;
            if !(100..200).contains(&status) {
                note_status(status);
                break head;
            }
            pass(to, head.bytes(), &mut left).await?;
        };
        if let Fault::Delay(delay) = fault {
            tokio::time::sleep(*delay).await;
        }
        pass(to, head.bytes(), &mut left).await?;
        let mut framing = Framing::of_answer(&head, to_head_request);
        self.ends_with_connection = framing.ends_with_connection() || head.closes();
        let mut buffer = vec![0; 65_536];
        loop {
            let step = framing.take(&unread)?;
            let bytes: Vec<u8> = unread.drain(..step.consumed).collect();
            pass(to, &bytes, &mut left).await?;
            if step.finished {
                return Ok(());
            }
            let count = from.read(&mut buffer).await?;
            if count == 0 && framing.ends_with_connection() {
                return Ok(());
            }
            if count == 0 {
                return Err(Error::new(ErrorKind::UnexpectedEof, "the service's answer was cut"));
            }
            unread.extend_from_slice(&buffer[..count]);
        }
    }
}

/// Passes on as many bytes as are left to pass. If the client has gone, the answer is still read.
async fn pass(to: &mut (impl AsyncWriteExt + Unpin), bytes: &[u8], left: &mut usize) -> Result<()> {
    let count = bytes.len().min(*left);
    *left -= count;
    if count > 0 && (to.write_all(&bytes[..count]).await.is_err() || to.flush().await.is_err()) {
        *left = 0;
    }
    Ok(())
}
