//! Contract, "Tasks and remix": files that a task works from, of the drive and by address.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use easel_tests::http::{CANONICAL, Http};
use easel_tests::studio::{Options, Studio};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::service::{Service, list, text, upload, uuid_of};
use crate::tasks::{finish, idle, start};

#[tokio::test]
async fn an_attached_file_is_worked_from() {
    let service = Service::start();
    let http = &service.http;
    let notes = upload(http, "notes.md", b"# Bread\n\nWe bake at four in the morning.\n").await;
    let notes = uuid_of(&text(&notes["file_id"])).to_string();
    let body = json!({"prompt": "A deck", "attachments": [{"file_id": notes, "role": "source", "label": "Notes"}]});
    assert_eq!(finish(http, &start(http, &body).await).await["status"], "succeeded");
}

#[tokio::test]
async fn an_unreadable_attachment_dead_letters_the_task_at_its_first_try() {
    let service = Service::start();
    let http = &service.http;
    let broken =
        text(&upload(http, "broken.png", b"\x89PNG\r\n\x1a\nand then nothing that is a picture").await["file_id"]);
    let body = json!({"prompt": "A deck", "attachments": [{"file_id": broken, "role": "asset"}]});
    let failed = finish(http, &start(http, &body).await).await;
    assert_eq!((&failed["status"], &failed["attempt"]), (&json!("failed"), &json!(1)), "{failed}");
    assert_eq!(failed["error"]["retryable"], false);
    assert!(text(&failed["error"]["message"]).contains("broken.png"), "{failed}");
}

#[tokio::test]
async fn an_attachment_that_is_gone_when_work_begins_dead_letters_the_task() {
    let mut service = Service::start_with(idle());
    let file = text(&upload(&service.http, "gone.md", b"# Gone").await["file_id"]);
    let task = start(&service.http, &json!({"prompt": "A deck", "attachments": [{"file_id": file}]})).await;
    service.http.delete(&format!("/v1/drive/items/{file}")).await.is(200);
    service.studio.stop();
    let working = Studio::start(Options::new().data_dir(&service.studio.data_dir));
    let http = Http::new(&working.base_url).with_key(&service.key.key).with_version(CANONICAL);
    let failed = finish(&http, &task).await;
    assert_eq!((&failed["status"], &failed["error"]["retryable"]), (&json!("failed"), &json!(false)), "{failed}");
    assert_eq!(failed["attempt"], 1, "what can never work is tried once");
}

/// A server on this machine that gives the same answer to everyone, and counts who asked.
async fn serve(answer: Vec<u8>) -> (String, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let answer = answer.clone();
            tokio::spawn(async move {
                let mut head = [0; 4096];
                let _ = stream.read(&mut head).await;
                // Who asked may go away before all of it has come.
                let _ = stream.write_all(&answer).await;
            });
        }
    });
    (format!("http://{address}/notes/brief.md?token=hidden"), asked)
}

#[tokio::test]
async fn an_attachment_by_url_is_fetched_once_and_worked_from() {
    let service = Service::start_with(Options::new().flag("--allow-local-callbacks"));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nConnection: close\r\n\r\n";
    let (url, asked) = serve([head.as_bytes(), b"# Bread\n\nWe bake at four in the morning."].concat()).await;
    let body = json!({"prompt": "A deck", "attachments": [{"url": url, "role": "source"}]});
    let done = finish(&service.http, &start(&service.http, &body).await).await;
    assert_eq!((&done["status"], asked.load(Ordering::SeqCst)), (&json!("succeeded"), 1), "{done}");
    assert!(!service.studio.log().contains("hidden"), "an address may be a capability");
}

#[tokio::test]
async fn an_attachment_that_does_not_come_fails_the_task_by_its_cause() {
    let service = Service::start_with(Options::new().flag("--allow-local-callbacks"));
    let head = |status: &str| format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
    let empty = |status: &str| format!("{}Content-Length: 0\r\n\r\n", head(status)).into_bytes();
    let redirect = format!("{}Location: https://example.com/\r\nContent-Length: 0\r\n\r\n", head("302 Found"));
    let endless = [format!("{}\r\n", head("200 OK")).into_bytes(), vec![b'x'; 100_000_001]].concat();
    for (answer, tries) in [
        (empty("404 Not Found"), 1),
        (redirect.into_bytes(), 1),
        (endless, 1),
        (empty("503 Service Unavailable"), 3),
        (b"nonsense".to_vec(), 3),
    ] {
        let first = String::from_utf8_lossy(&answer[..answer.len().min(30)]).into_owned();
        let (url, asked) = serve(answer).await;
        let body = json!({"prompt": "A deck", "attachments": [{"url": url}]});
        let failed = finish(&service.http, &start(&service.http, &body).await).await;
        assert_eq!((&failed["status"], &failed["attempt"]), (&json!("failed"), &json!(tries)), "{first}: {failed}");
        assert_eq!(failed["error"]["retryable"], false, "{first}: {failed}");
        assert_eq!(asked.load(Ordering::SeqCst), tries, "{first}");
        let message = text(&failed["error"]["message"]);
        assert!(message.contains("brief.md") && !message.contains("hidden"), "{first}: {message}");
    }
}

#[tokio::test]
async fn an_attachment_by_url_leads_to_no_address_that_is_not_everyones() {
    let service = Service::start_with(idle());
    for url in [
        "https://169.254.169.254/latest/meta-data/",
        "https://[::ffff:169.254.169.254]/",
        "https://10.0.0.1/",
        "https://localhost/",
        "http://127.0.0.1:9/",
        "http://example.com/plain",
        "file:///etc/passwd",
        "not an address",
    ] {
        let body = json!({"prompt": "A deck", "attachments": [{"url": url}]});
        assert_eq!(service.http.post("/v1/tasks", &body).await.invalid_fields(), ["attachments[0].url"], "{url}");
    }
    assert!(list(&service.http.get("/v1/tasks").await).is_empty());
}
