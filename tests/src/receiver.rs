//! A receiver of webhooks on loopback: it writes down every request and answers by script.
//!
//! Always true here: requests are kept byte for byte, in the order in which they came. Not here: any judgement of them.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::patience::wait_for;

/// How a request is answered.
#[derive(Debug, Clone)]
pub enum Reply {
    /// With this status and this body.
    Status(u16, String),
    /// With a redirect to this address.
    Redirect(String),
    /// Not at all: the connection stays open.
    Silence,
    /// By closing the connection.
    Close,
}

impl Reply {
    /// With this status and no body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::Status(status, String::new())
    }
}

/// One request that came.
#[derive(Debug, Clone)]
pub struct Received {
    /// When it had come whole.
    pub at: Instant,
    /// Method and target.
    pub request_line: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
}

impl Received {
    /// A header as text.
    ///
    /// # Panics
    /// Where it is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_else(|| panic!("no {name}"))
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// Where it is none.
    #[must_use]
    pub fn event(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON in the body")
    }
}

/// A receiver; it stops when dropped.
pub struct Receiver {
    address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    serving: JoinHandle<()>,
}

impl Receiver {
    /// A receiver that answers the first requests with these replies, one each, and all later ones with the last reply.
    ///
    /// # Panics
    /// Where there is no reply, or no port.
    pub async fn start(replies: Vec<Reply>) -> Self {
        assert!(!replies.is_empty(), "a receiver needs a reply");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let kept = Arc::clone(&received);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (kept, replies) = (Arc::clone(&kept), replies.clone());
                tokio::spawn(answer(stream, kept, replies));
            }
        });
        Self { address, received, serving }
    }

    /// Its address with this path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What came so far.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until so many requests came, and returns them all.
    pub async fn wait_for(&self, count: usize, limit: Duration) -> Vec<Received> {
        wait_for("webhooks", limit, async || {
            let received = self.received();
            if received.len() >= count { Ok(received) } else { Err(format!("{} of {count}", received.len())) }
        })
        .await
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(mut stream: TcpStream, kept: Arc<Mutex<Vec<Received>>>, replies: Vec<Reply>) {
    let Some(request) = read(&mut stream).await else { return };
    let reply = {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(request);
        replies[kept.len().min(replies.len()) - 1].clone()
    };
    let text = match reply {
        Reply::Status(status, body) => {
            format!("HTTP/1.1 {status} -\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
        }
        Reply::Redirect(to) => {
            format!("HTTP/1.1 307 -\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        }
        Reply::Silence => return std::future::pending().await,
        Reply::Close => return,
    };
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// Reads one request whole; `None` where the other side went away before its end.
pub(crate) async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let mut lines = head.split("\r\n");
    let request_line = lines.next()?.to_owned();
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':')?;
        headers.append(name.parse::<HeaderName>().ok()?, HeaderValue::from_str(value.trim()).ok()?);
    }
    let length = headers.get("content-length").map_or(Some(0), |value| value.to_str().ok()?.parse().ok())?;
    let mut body = bytes.split_off(end + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(Received { at: Instant::now(), request_line, headers, body })
}
