//! A server of the tests' own in the place of a language model: it answers by script, in the form of each protocol, and
//! can stream, stall, break, lie and refuse.
//!
//! Always true here: requests are kept byte for byte; the server understands nothing, so whatever is right about an
//! answer was written by the test. Not here: any model.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::patience::wait_for;
use crate::receiver::{Received, read};

/// The models that it lists.
pub const MODELS: [&str; 2] = ["small-writer:7b", "large-writer:70b"];

/// The manner in which a request is answered.
#[derive(Debug, Clone)]
pub enum Manner {
    /// With this text, as its protocol has it.
    Say(String),
    /// The same in pieces, slowly, but as one whole answer.
    SayInPieces(String),
    /// The same as a stream of events, which nobody asked for.
    Stream(String),
    /// Not at all: the connection stays open.
    Stall,
    /// With half of an answer, and then nothing more.
    StallMidway,
    /// With half of an answer, and then the connection closes.
    Break,
    /// With this status, and a message that repeats the request.
    Refuse(u16),
    /// With so many bytes, as fast as the other side takes them.
    Flood(usize),
    /// With this body, whatever the protocol.
    Raw(String),
}

impl Manner {
    /// An outline, or anything else as JSON.
    #[must_use]
    pub fn say(answer: &Value) -> Self {
        Self::Say(answer.to_string())
    }
}

/// The server; it stops when dropped.
pub struct ModelServer {
    address: SocketAddr,
    seen: Arc<Seen>,
    serving: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    asked: Mutex<Vec<Received>>,
    /// Connections that the other side closed while they waited.
    given_up: Mutex<usize>,
}

impl ModelServer {
    /// A server that answers the first questions in these manners, one each, and all that follow in the last of them.
    ///
    /// # Panics
    /// Where there is no manner, or no port.
    pub async fn start(manners: Vec<Manner>) -> Self {
        assert!(!manners.is_empty(), "a server needs a manner");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let seen: Arc<Seen> = Arc::default();
        let kept = Arc::clone(&seen);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&kept), manners.clone()));
            }
        });
        Self { address, seen, serving }
    }

    /// Its address, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The questions so far; requests for the list of models do not count.
    #[must_use]
    pub fn asked(&self) -> Vec<Received> {
        self.seen.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many clients gave up waiting.
    #[must_use]
    pub fn given_up(&self) -> usize {
        *self.seen.given_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until so many questions came, and returns them all.
    pub async fn wait_for(&self, count: usize, limit: Duration) -> Vec<Received> {
        wait_for("questions to the model server", limit, async || {
            let asked = self.asked();
            if asked.len() >= count { Ok(asked) } else { Err(format!("{} of {count}", asked.len())) }
        })
        .await
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The material of a question: the one JSON object within its last message.
///
/// # Panics
/// Where there is none.
#[must_use]
pub fn material(question: &Received) -> Value {
    let body = question.event();
    let places = ["/messages/1/content", "/messages/0/content/0/text", "/contents/0/parts/0/text"];
    let text = places.iter().find_map(|place| {
        let found = body.pointer(place)?;
        found.as_str().or_else(|| found.pointer("/0/text")?.as_str())
    });
    serde_json::from_str(text.expect("material")).expect("an object")
}

async fn answer(mut stream: TcpStream, seen: Arc<Seen>, manners: Vec<Manner>) {
    let Some(request) = read(&mut stream).await else { return };
    let line = request.request_line.clone();
    if let Some(list) = list_of_models(&line) {
        send(&mut stream, 200, "application/json", &list.to_string()).await;
        return;
    }
    let body = String::from_utf8_lossy(&request.body).into_owned();
    let manner = {
        let mut asked = seen.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(request);
        manners[asked.len().min(manners.len()) - 1].clone()
    };
    let whole = |text: &str| within_protocol(&line, text).to_string();
    match manner {
        Manner::Say(text) => send(&mut stream, 200, "application/json", &whole(&text)).await,
        Manner::SayInPieces(text) => send_in_pieces(&mut stream, &whole(&text)).await,
        Manner::Stream(text) => {
            let event = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
            send(&mut stream, 200, "text/event-stream", &format!("data: {event}\n\ndata: [DONE]\n\n")).await;
        }
        Manner::Stall => wait_for_the_end(&mut stream, &seen).await,
        Manner::StallMidway => {
            let _ = stream.write_all(HALF.as_bytes()).await;
            wait_for_the_end(&mut stream, &seen).await;
        }
        Manner::Break => {
            let _ = stream.write_all(HALF.as_bytes()).await;
        }
        Manner::Refuse(status) => {
            let words = json!({"error": {"message": format!("refused: {body}")}});
            send(&mut stream, status, "application/json", &words.to_string()).await;
        }
        Manner::Flood(bytes) => flood(&mut stream, bytes).await,
        Manner::Raw(body) => send(&mut stream, 200, "application/json", &body).await,
    }
}

/// Half of an answer that announces a greater length.
const HALF: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{\"choices\": [";

async fn send(stream: &mut TcpStream, status: u16, mime_type: &str, body: &str) {
    let head = format!("HTTP/1.1 {status} -\r\ncontent-type: {mime_type}\r\ncontent-length: {}\r\n", body.len());
    let _ = stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// Sends in chunks, as servers do that do not know the length beforehand.
async fn send_in_pieces(stream: &mut TcpStream, body: &str) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    let _ = stream.write_all(head.as_bytes()).await;
    for piece in body.as_bytes().chunks(body.len() / 8 + 1) {
        let _ = stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await;
        let _ = stream.write_all(piece).await;
        let _ = stream.write_all(b"\r\n").await;
        let _ = stream.flush().await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let _ = stream.write_all(b"0\r\n\r\n").await;
    let _ = stream.shutdown().await;
}

async fn flood(stream: &mut TcpStream, bytes: usize) {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
    let _ = stream.write_all(head.as_bytes()).await;
    let piece = vec![b' '; 64 * 1024];
    for _ in 0..bytes / piece.len() {
        if stream.write_all(&piece).await.is_err() {
            return;
        }
    }
}

async fn wait_for_the_end(stream: &mut TcpStream, seen: &Seen) {
    let mut byte = [0];
    while stream.read(&mut byte).await.is_ok_and(|read| read > 0) {}
    *seen.given_up.lock().unwrap_or_else(PoisonError::into_inner) += 1;
}

fn list_of_models(line: &str) -> Option<Value> {
    let path = line.strip_prefix("GET ")?.split(' ').next()?;
    let named = |name: &str| json!(MODELS.map(|model| json!({name: model})));
    match path {
        "/api/tags" => Some(json!({"models": named("name")})),
        "/v1/models" => Some(json!({"data": named("id")})),
        _ => None,
    }
}

/// A text as the answer of the protocol that this request speaks.
fn within_protocol(line: &str, text: &str) -> Value {
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
    if line.contains("/chat/completions") {
        let message = json!({"role": "assistant", "content": text});
        let choice = json!({"index": 0, "message": message, "finish_reason": "stop", "logprobs": null});
        json!({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage})
    } else if line.contains("/v1/messages") {
        json!({
            "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn", "stop_sequence": null,
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 1, "output_tokens": 1},
        })
    } else if line.contains(":generateContent") {
        let content = json!({"role": "model", "parts": [{"text": text}]});
        let usage = json!({"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2});
        json!({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage, "modelVersion": "m", "responseId": "1"})
    } else {
        json!({
            "model": "m", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": text},
            "done": true, "done_reason": "stop", "total_duration": 1, "load_duration": 1, "prompt_eval_count": 1,
            "prompt_eval_duration": 1, "eval_count": 1, "eval_duration": 1,
        })
    }
}
