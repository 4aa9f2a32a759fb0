//! A service of the tests' own on loopback that does exactly what a test says, down to closing a connection.
//!
//! Always true: every request is written down before it is answered. Not here: any rule of the real service.

// Each test binary uses another part of it.
#![expect(dead_code, reason = "each test binary uses another part")]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use easel_client::{Client, Connection, Patience};
use secrecy::SecretString;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub const KEY: &str = "svc_live_0123456789abcdef0123456789abcdef01234567";
pub const FILE_ID: &str = "file_00000000000000000000000001";
pub const FOLDER_ID: &str = "fld_00000000000000000000000002";
pub const OTHER_FOLDER_ID: &str = "fld_00000000000000000000000003";

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub method: String,
    /// Path and query.
    pub target: String,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// `POST /v1/uploads`, without the query.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.target.split('?').next().unwrap_or_default())
    }
}

/// What the service does about a request.
pub enum Reaction {
    /// Reads it whole and answers.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Reads it whole, acts, and closes the connection instead of answering.
    LoseAnswer,
    /// Reads so many bytes of the body and closes the connection.
    CutAfter(usize),
    /// Answers on seeing the head, without reading the body, and closes the connection.
    AnswerEarly(u16, Vec<u8>),
    /// Answers with a head that promises more bytes than come, and closes the connection.
    CutAnswer(u16, Vec<(&'static str, String)>, Vec<u8>, usize),
    /// Reads it whole and never answers.
    Silence,
}

pub fn json(status: u16, body: &Value) -> Reaction {
    Reaction::Answer(status, vec![("content-type", "application/json".into())], body.to_string().into_bytes())
}

pub fn refusal(status: u16, error_type: &str, code: &str) -> Reaction {
    json(status, &serde_json::json!({"error": {"type": error_type, "code": code, "message": "m"}}))
}

pub fn storage_refusal(status: u16, code: &str) -> Reaction {
    Reaction::Answer(status, vec![], format!("<Error><Code>{code}</Code><Message>m</Message></Error>").into_bytes())
}

type Script = Box<dyn FnMut(&Request) -> Reaction + Send>;

/// The running service; it ends when dropped.
pub struct Stub {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<Request>>>,
    given_up: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Stub {
    /// Starts a service. `script` sees the head of each request and says what happens to it.
    pub async fn start(script: impl FnMut(&Request) -> Reaction + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Box::new(script)));
        let noted = Arc::clone(&seen);
        let given_up = Arc::new(AtomicUsize::new(0));
        let ended = Arc::clone(&given_up);
        let accepting = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(serve(connection, Arc::clone(&script), Arc::clone(&noted), Arc::clone(&ended)));
            }
        });
        Self { address, seen, given_up, accepting }
    }

    /// Starts a service of the specification's first days: it answers `whoami`, and `refusal` to everything else.
    pub async fn that_knows_whoami_alone(refusal: impl Fn() -> Reaction + Send + 'static) -> Self {
        let headers = || vec![("service-version", "2026-05-01".into()), ("content-type", "application/json".into())];
        Self::start(move |request| match request.target.as_str() {
            "/v1/whoami" => Reaction::Answer(200, headers(), b"{}".to_vec()),
            _ => refusal(),
        })
        .await
    }

    /// A client that this service has answered as the service does: only such a service can lack something.
    pub async fn client_that_knows_it(&self) -> Client {
        let client = self.client();
        let _ = client.whoami().await;
        client
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A client of this service that does not wait long.
    pub fn client(&self) -> Client {
        Client::with_patience(self.connection(), SHORT).unwrap()
    }

    pub fn connection(&self) -> Connection {
        Connection::new(&self.url(), SecretString::from(KEY)).unwrap()
    }

    pub fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    /// How many requests that get no answer were given up by their client.
    pub fn given_up(&self) -> usize {
        self.given_up.load(Ordering::SeqCst)
    }

    /// The requests seen, as `POST /v1/uploads`.
    pub fn lines(&self) -> Vec<String> {
        self.seen().iter().map(Request::line).collect()
    }
}

pub const SHORT: Patience = Patience {
    connect: Duration::from_millis(500),
    answer: Duration::from_millis(800),
    register: Duration::from_millis(800),
    silence: Duration::from_millis(800),
    last_byte: Duration::from_millis(800),
};

async fn serve(
    connection: TcpStream,
    script: Arc<Mutex<Script>>,
    seen: Arc<Mutex<Vec<Request>>>,
    given_up: Arc<AtomicUsize>,
) {
    let mut connection = BufReader::new(connection);
    while let Some((mut request, length)) = read_head(&mut connection).await {
        let reaction = (script.lock().unwrap())(&request);
        let wanted = match &reaction {
            Reaction::CutAfter(bytes) => *bytes,
            Reaction::AnswerEarly(..) => 0,
            _ => length,
        };
        let mut body = vec![0; wanted];
        let whole = connection.read_exact(&mut body).await.is_ok();
        request.body = if whole { body } else { Vec::new() };
        seen.lock().unwrap().push(request);
        if !whole {
            return;
        }
        let head = |status: u16, headers: &[(&str, String)], length: usize| {
            let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            format!("HTTP/1.1 {status} X\r\nx-request-id: req-7\r\n{headers}content-length: {length}\r\n\r\n")
        };
        let (answer, goes_on) = match reaction {
            Reaction::Answer(status, headers, body) => {
                ([head(status, &headers, body.len()).into_bytes(), body].concat(), true)
            }
            Reaction::AnswerEarly(status, body) => ([head(status, &[], body.len()).into_bytes(), body].concat(), false),
            Reaction::CutAnswer(status, headers, body, promised) => {
                ([head(status, &headers, promised).into_bytes(), body].concat(), false)
            }
            Reaction::LoseAnswer | Reaction::CutAfter(_) => return,
            Reaction::Silence => {
                // Until the client gives up.
                let _ = connection.read_u8().await;
                given_up.fetch_add(1, Ordering::SeqCst);
                return;
            }
        };
        if connection.write_all(&answer).await.is_err() {
            return;
        }
        if !goes_on {
            let _ = connection.shutdown().await;
            // Whatever still comes is read, so that the answer is not lost to a reset.
            let _ = tokio::io::copy(&mut connection, &mut tokio::io::sink()).await;
            return;
        }
    }
}

async fn read_head(connection: &mut BufReader<TcpStream>) -> Option<(Request, usize)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(connection.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    Some((Request { method, target, headers, body: Vec::new() }, length))
}
