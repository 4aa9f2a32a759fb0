//! Requests as fast as they are answered, over connections that stay open, with as little work on this side as can be: the
//! machine is shared with what is measured.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Connections at once.
pub const LANES: usize = 16;

/// How long it goes on.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    /// So many requests.
    Count(usize),
    /// So long.
    Time(Duration),
}

/// One connection that stays open.
pub struct Lane {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What was answered.
pub struct Answer<'a> {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: &'a [u8],
}

impl Lane {
    /// Connects to `host:port`.
    pub async fn open(authority: &str) -> Self {
        let stream = TcpStream::connect(authority).await.expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, buffer: vec![0; 512 * 1024] }
    }

    /// Sends a whole request and reads its whole answer, which announces its length.
    pub async fn ask(&mut self, request: &[u8]) -> Answer<'_> {
        self.stream.write_all(request).await.expect("a service that reads");
        let mut filled = 0;
        let mut head: Option<(u16, usize, usize)> = None;
        loop {
            let read = self.stream.read(&mut self.buffer[filled..]).await.expect("a service that answers");
            assert!(read > 0, "the service hung up, or an answer is longer than expected");
            filled += read;
            if head.is_none() {
                head = read_head(&self.buffer[..filled]);
            }
            if let Some((status, body, length)) = head
                && filled >= body + length
            {
                return Answer { status, body: &self.buffer[body..body + length] };
            }
        }
    }
}

/// The status, where the body begins, and its length; `None` where the head is not whole yet.
fn read_head(bytes: &[u8]) -> Option<(u16, usize, usize)> {
    const NAME: &[u8] = b"content-length: ";
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = &bytes[..end];
    let status = std::str::from_utf8(&head[9..12]).ok()?.parse().ok()?;
    let place = head.windows(NAME.len()).position(|window| window == NAME).expect("a length") + NAME.len();
    let digits: Vec<u8> = head[place..].iter().copied().take_while(u8::is_ascii_digit).collect();
    Some((status, end + 4, std::str::from_utf8(&digits).ok()?.parse().ok()?))
}

/// A GET with this key.
pub fn get(path: &str, key: &str) -> Bytes {
    let head = format!(
        "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {key}\r\nservice-version: 2026-05-01\r\n\r\n"
    );
    Bytes::from(head)
}

/// A PUT of these bytes to a signed address.
pub fn put(path: &str, content_type: &str, body: &[u8]) -> Bytes {
    let head = format!(
        "PUT {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    Bytes::from([head.as_bytes(), body].concat())
}

/// A POST with this key and body.
pub fn post(path: &str, key: &str, content_type: &str, body: &[u8]) -> Bytes {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {key}\r\nservice-version: 2026-05-01\r\n\
         content-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    Bytes::from([head.as_bytes(), body].concat())
}

/// As [`ask_each`], of one service.
pub async fn ask_all(
    authority: &str,
    until: Until,
    request: impl Fn(usize) -> Bytes + Send + Sync + 'static,
    answered: impl Fn(usize, &[u8]) + Send + Sync + 'static,
) -> f64 {
    ask_each(&[authority.to_owned()], until, request, answered).await
}

/// Asks the request of each number in turn, which must succeed, and hands each answer's body on; returns the number of
/// answers in a second. The connections are shared out among these services.
pub async fn ask_each(
    authorities: &[String],
    until: Until,
    request: impl Fn(usize) -> Bytes + Send + Sync + 'static,
    answered: impl Fn(usize, &[u8]) + Send + Sync + 'static,
) -> f64 {
    let (next, request, answered) = (Arc::new(AtomicUsize::new(0)), Arc::new(request), Arc::new(answered));
    let mut lanes = Vec::new();
    for authority in authorities.iter().cycle().take(LANES) {
        lanes.push(Lane::open(authority).await);
    }
    let began = Instant::now();
    let mut under_way = tokio::task::JoinSet::new();
    for mut lane in lanes {
        let (next, request, answered) = (Arc::clone(&next), Arc::clone(&request), Arc::clone(&answered));
        under_way.spawn(async move {
            let mut count = 0_u64;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let is_over = match until {
                    Until::Count(count) => number >= count,
                    Until::Time(time) => began.elapsed() >= time,
                };
                if is_over {
                    return count;
                }
                let answer = lane.ask(&request(number)).await;
                assert!(matches!(answer.status, 200..300), "{}", String::from_utf8_lossy(answer.body));
                answered(number, answer.body);
                count += 1;
            }
        });
    }
    let mut count = 0;
    while let Some(lane) = under_way.join_next().await {
        count += lane.expect("a lane that ends");
    }
    count as f64 / began.elapsed().as_secs_f64()
}

/// The answers to so many requests, in the order of their numbers.
pub async fn collect(
    authorities: &[String],
    count: usize,
    request: impl Fn(usize) -> Bytes + Send + Sync + 'static,
) -> Vec<Value> {
    let answers = Arc::new(Mutex::new(vec![Value::Null; count]));
    let noted = Arc::clone(&answers);
    let note = move |number: usize, answer: &[u8]| {
        noted.lock().expect("no panic")[number] = serde_json::from_slice(answer).expect("JSON");
    };
    ask_each(authorities, Until::Count(count), request, note).await;
    Arc::into_inner(answers).expect("nobody else has it").into_inner().expect("no panic")
}
