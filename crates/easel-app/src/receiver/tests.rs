//! The receiver on a real socket.

use std::time::Duration;

use easel_wire::webhooks::sign;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::inbox::MOST_KEPT;
use super::*;
use crate::doctor::SignatureVerdict;

const SECRET: &str = "whsec_one";
const BODY: &str = "{\"id\":\"evt_00000000000000000000000000\",\"type\":\"job.completed\",\"created\":\"2026-05-01T12:00:00+00:00\",\
                    \"api_version\":\"2026-05-01\",\"data\":{\"id\":\"task_00000000000000000000000000\",\"status\":\"succeeded\"}}";

fn incoming(secret: &str, body: &str, at: i64, now: i64) -> Incoming {
    let header = |name: &str, value: String| HeaderView { name: name.to_owned(), value };
    Incoming {
        headers: vec![
            header("x-webhook-timestamp", at.to_string()),
            header("x-webhook-signature", sign(secret, at, body.as_bytes())),
        ],
        body: body.to_owned().into(),
        at: jiff::Timestamp::UNIX_EPOCH,
        now,
    }
}

fn states(inbox: &Inbox) -> Vec<ReceivedState> {
    inbox.list().0.iter().map(|each| each.state).collect()
}

#[test]
fn what_came_is_judged_for_the_moment_at_which_it_came() {
    let inbox = Inbox::new(None);
    inbox.take(incoming(SECRET, BODY, 1_000, 1_200));
    inbox.take(incoming(SECRET, BODY, 1_000, 1_301));
    inbox.take(incoming("whsec_two", BODY, 1_000, 1_000));
    assert_eq!(states(&inbox), [ReceivedState::NotChecked; 3]);
    assert!(inbox.get(1).unwrap().diagnosis.is_none());
    inbox.set_secret(Some(SECRET.into()));
    assert_eq!(states(&inbox), [ReceivedState::NotVerified, ReceivedState::NotVerified, ReceivedState::Verified]);
    assert_eq!(inbox.get(2).unwrap().diagnosis.unwrap().verdict, SignatureVerdict::OutOfTime);
    inbox.set_secret(None);
    assert_eq!(states(&inbox), [ReceivedState::NotChecked; 3]);
}

#[test]
fn events_of_easels_own_tasks_are_verified_without_a_word() {
    let inbox = Inbox::new(Some("whsec_own".into()));
    inbox.take(incoming("whsec_own", BODY, 1_000, 1_000));
    inbox.take(incoming(SECRET, BODY, 1_000, 1_000));
    assert_eq!(states(&inbox), [ReceivedState::NotVerified, ReceivedState::Verified]);
    assert!(!inbox.has_secret());
    inbox.set_secret(Some(SECRET.into()));
    assert_eq!(states(&inbox), [ReceivedState::Verified; 2]);
}

#[test]
fn a_repeat_is_marked_and_the_list_is_bounded() {
    let inbox = Inbox::new(None);
    for _ in 0..MOST_KEPT + 5 {
        inbox.take(incoming(SECRET, BODY, 0, 0));
    }
    inbox.take(incoming(SECRET, "no event", 0, 0));
    let (list, dropped) = inbox.list();
    assert_eq!((list.len(), dropped, list[0].number), (MOST_KEPT, 6, 106));
    assert_eq!((list[0].event_type.as_str(), list[0].is_repeat), ("", false));
    assert_eq!((list[1].event_type.as_str(), list[1].is_repeat), ("task.succeeded", true));
    assert!(inbox.get(1).is_none());
    inbox.clear();
    assert_eq!(inbox.list(), (Vec::new(), 0));
    inbox.take(incoming(SECRET, BODY, 0, 0));
    assert!(inbox.list().0[0].is_repeat, "what was cleared came all the same");
}

/// Sends a request; returns the status of its answer.
async fn send(port: u16, head: &str, body: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!("{head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    // A request that is refused at its head is not read to its end.
    let _ = stream.write_all(body).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).split(' ').nth(1).unwrap_or("0").parse().unwrap_or(0)
}

#[tokio::test]
async fn only_what_names_loopback_and_the_path_is_taken() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let inbox = Arc::new(Inbox::new(None));
    let desk = Arc::new(Endpoint {
        path: "/secret".to_owned(),
        hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        inbox: Arc::clone(&inbox),
        places: tokio::sync::Semaphore::new(1),
        cancel: CancellationToken::new(),
    });
    let router = axum::Router::new().fallback(take).with_state(Arc::clone(&desk));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let here = format!("host: 127.0.0.1:{port}");
    assert_eq!(send(port, &format!("POST /secret HTTP/1.1\r\n{here}"), BODY.as_bytes()).await, 204);
    assert_eq!(send(port, &format!("POST /secret HTTP/1.1\r\nhost: LOCALHOST:{port}"), b"").await, 204);
    assert_eq!(send(port, "POST /secret HTTP/1.1\r\nhost: rebound.example", b"").await, 421);
    assert_eq!(send(port, "POST /secret HTTP/1.1\r\nhost: 127.0.0.1:1", b"").await, 421);
    assert_eq!(send(port, &format!("POST / HTTP/1.1\r\n{here}"), b"").await, 404);
    assert_eq!(send(port, &format!("GET /secret HTTP/1.1\r\n{here}"), b"").await, 405);
    let large = vec![b'x'; MOST_BODY_BYTES + 1];
    assert_eq!(send(port, &format!("POST /secret HTTP/1.1\r\n{here}"), &large).await, 413);
    let place = desk.places.acquire().await.unwrap();
    assert_eq!(send(port, &format!("POST /secret HTTP/1.1\r\n{here}"), b"").await, 503);
    drop(place);
    assert_eq!(inbox.list().0.len(), 2);
    tokio::time::timeout(Duration::from_secs(5), inbox.wait_for_news()).await.unwrap();
    assert_eq!(inbox.get(1).unwrap().body, BODY);
}
