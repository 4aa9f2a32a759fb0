//! The service as a process: its ready line, its data folder, its addresses, and what survives its end.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use easel_tests::http::{CANONICAL, Http, exchange};
use easel_tests::studio::{Options, Studio, authority, binary};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::service::{
    Service, all_files, all_folders, create_folder, download, register, stage, text, upload, upload_into,
};

#[tokio::test]
async fn standard_output_has_the_ready_line_and_nothing_else_ever() {
    let mut service = Service::start();
    upload(&service.http, "a", b"a").await;
    service.http.get("/v1/nowhere").await.is(404);
    service.anonymous().get("/v1/whoami").await.is(401);
    let _ = exchange(authority(&service.studio.base_url), b"nonsense\r\n\r\n").await;
    let _ = service.studio.create_key("another");
    service.studio.stop();
    let output = service.studio.output();
    assert_eq!(output.lines().count(), 1, "{output}");
    let line: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert!(text(&line["base_url"]).starts_with("http://127.0.0.1:"));
    assert!(text(&line["upload_url"]).starts_with("http://127.0.0.1:"));
}

#[tokio::test]
async fn storage_gets_an_address_of_its_own_when_none_is_named() {
    let service = Service::start_with(Options::new().without_upload_listener());
    assert_ne!(service.studio.base_url, service.studio.upload_url);
    let storage_key = stage(&service.http, "a", b"a").await;
    register(&service.http, &storage_key).await.is(201);
}

#[tokio::test]
async fn the_public_address_is_named_in_answers_and_accepted_as_host() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let options = Options::new().listen(&address, "127.0.0.1:0").with("--public-url", "https://studio.example.test/");
    let service = Service::start_with(options);
    assert_eq!(service.studio.base_url, "https://studio.example.test");
    let http = Http::new(&format!("http://{address}")).with_key(&service.key.key).with_version(CANONICAL);
    let http = http.with_header("host", "studio.example.test");
    let file = upload(&http, "a", b"a").await;
    assert!(text(&file["url"]).starts_with("https://studio.example.test/"), "{file}");
    http.with_header("host", "other.example.test").get("/v1/whoami").await.is(403);
}

#[tokio::test]
async fn a_service_starts_empty() {
    let service = Service::start();
    assert_eq!(all_files(&service.http).await.len() + all_folders(&service.http).await.len(), 0);
}

#[test]
fn a_data_folder_that_another_serve_holds_is_refused() {
    let studio = Studio::start(Options::new());
    let started = Instant::now();
    let second = Command::new(binary())
        .args(["serve", "--listen", "127.0.0.1:0", "--upload-listen", "127.0.0.1:0", "--data"])
        .arg(&studio.data_dir)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!second.status.success());
    assert!(second.stdout.is_empty(), "a ready line of a service that is none");
    let said = String::from_utf8_lossy(&second.stderr).to_lowercase();
    assert!(!said.contains("panicked") && !said.is_empty(), "{said}");
    assert!(started.elapsed() < Duration::from_secs(10));
    drop(studio);
}

#[test]
fn a_data_folder_is_free_again_once_its_serve_was_killed() {
    let mut studio = Studio::start(Options::new());
    for _ in 0..3 {
        studio.kill();
        studio.restart();
    }
}

#[test]
fn a_data_folder_that_cannot_be_made_is_refused_with_its_name() {
    let output = Command::new(binary())
        .args(["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null/nowhere"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("/dev/null") && !said.contains("panicked"), "{said}");
}

#[test]
fn an_address_in_use_and_arguments_that_make_no_sense_are_refused() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let cases: &[&[&str]] = &[
        &["--listen", &taken],
        &["--listen", "nonsense"],
        &["--listen", "127.0.0.1:0", "--plan", "gold"],
        &["--listen", "127.0.0.1:0", "--max-file-bytes", "-1"],
        &["--listen", "127.0.0.1:0", "--requests-per-minute", "many"],
        &["--listen", "127.0.0.1:0", "--version-header", "no header\n"],
        &["--listen", "127.0.0.1:0", "--no-such-option"],
    ];
    for arguments in cases {
        let output = Command::new(binary())
            .args(["serve", "--data"])
            .arg(folder.path())
            .args(*arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.is_empty() && !said.contains("panicked"), "{arguments:?}: {said}");
    }
}

#[tokio::test]
async fn on_loopback_a_request_for_another_host_is_refused() {
    let service = Service::start();
    let signed = crate::service::sign(&service.http, "a").await;
    let port = authority(&service.studio.base_url).rsplit_once(':').unwrap().1.to_owned();
    let ask = |address: String, host: String, target: String| {
        let key = service.key.key.clone();
        async move {
            let request = format!(
                "GET {target} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
            );
            exchange(&address, request.as_bytes()).await.unwrap()
        }
    };
    let api = authority(&service.studio.base_url).to_owned();
    for host in
        [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("LOCALHOST:{port}"), format!("[::1]:{port}")]
    {
        ask(api.clone(), host, "/v1/whoami".to_owned()).await.is(200);
    }
    for host in [
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1@evil.example",
        "",
    ] {
        let answer = ask(api.clone(), host.to_owned(), "/v1/whoami".to_owned()).await;
        assert!(answer.status.is_client_error(), "{host}: {answer:?}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("organization"), "{host}: {answer:?}");
    }
    // RFC 9112: where the target is a whole address, it and not the header says which host is meant.
    let answer = ask(api, format!("127.0.0.1:{port}"), "http://evil.example/v1/whoami".to_owned()).await;
    assert!(answer.status.is_client_error(), "a target at another host: {answer:?}");

    let url = text(&signed["upload_url"]);
    let path = &url[service.studio.upload_url.len()..];
    let request = format!(
        "PUT {path} HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\nx"
    );
    let answer = exchange(authority(&service.studio.upload_url), request.as_bytes()).await.unwrap();
    assert!(answer.status.is_client_error(), "storage took it: {answer:?}");
    register(&service.http, &text(&signed["storage_key"])).await.error(404, "not_found", "upload_not_found");
}

#[tokio::test]
async fn with_a_certificate_both_addresses_speak_tls_and_nothing_else() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/certificate");
    let (certificate, key) = (format!("{folder}/certificate.pem"), format!("{folder}/key.pem"));
    let service = Service::start_with(Options::new().with("--tls-cert", &certificate).with("--tls-key", &key));
    assert!(service.studio.base_url.starts_with("https://127.0.0.1:"), "{}", service.studio.base_url);
    assert!(service.studio.upload_url.starts_with("https://127.0.0.1:"), "{}", service.studio.upload_url);
    let trusting = Http::trusting(&service.studio.base_url, &std::fs::read(certificate).unwrap());
    let http = trusting.with_key(&service.key.key).with_version(CANONICAL);
    let storage_key = stage(&http, "a", b"by TLS").await;
    let result = register(&http, &storage_key).await.expect(201);
    assert_eq!(download(&http, &text(&result["file_id"])).await, b"by TLS".as_slice());
    for address in [&service.studio.base_url, &service.studio.upload_url] {
        let plain = Http::new(&address.replace("https://", "http://"));
        let answer = plain.try_request(http::Method::GET, "/v1/healthz", None, bytes::Bytes::new()).await;
        assert!(answer.is_err() || answer.is_ok_and(|answer| !answer.status.is_success()), "{address} without TLS");
    }
}

#[test]
fn half_a_certificate_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, data) = (folder.path().join("missing.pem"), folder.path().join("data"));
    for (option, file) in [("--tls-cert", &missing), ("--tls-key", &missing)] {
        let output = Command::new(binary())
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&data)
            .arg(option)
            .arg(file)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{option}");
    }
}

#[tokio::test]
async fn sigterm_ends_it_cleanly_and_no_idle_connection_keeps_it() {
    let mut service = Service::start();
    let address = authority(&service.studio.base_url).to_owned();
    let _silent = tokio::net::TcpStream::connect(&address).await.unwrap();
    let mut kept = tokio::net::TcpStream::connect(&address).await.unwrap();
    kept.write_all(format!("GET /v1/healthz HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).await.unwrap();
    kept.read_exact(&mut [0; 12]).await.unwrap();
    let started = Instant::now();
    let status = service.studio.stop();
    assert!(status.success(), "{status}");
    assert!(started.elapsed() < Duration::from_secs(2), "it took {:?}", started.elapsed());
    service.studio.restart();
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn sigterm_ends_it_cleanly_though_a_request_never_ends() {
    let mut service = Service::start();
    let address = authority(&service.studio.base_url).to_owned();
    let mut half = tokio::net::TcpStream::connect(&address).await.unwrap();
    half.write_all(b"POST /v1/uploads HTTP/1.1\r\nContent-Le").await.unwrap();
    service.http.get("/v1/whoami").await.is(200);
    let started = Instant::now();
    let status = service.studio.stop();
    assert!(status.success(), "{status}");
    assert!(started.elapsed() < Duration::from_secs(15), "it took {:?}", started.elapsed());
}

#[tokio::test]
async fn sigterm_lets_a_request_that_is_being_answered_end() {
    let mut service = Service::start();
    let address = authority(&service.studio.base_url).to_owned();
    let form = easel_tests::http::Form::of_file("slow", &[1; 50_000]);
    let body = form.body();
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /v1/uploads HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
        service.key.key,
        form.content_type(),
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body[..10_000]).await.unwrap();
    // Another request shows that the first was taken up by now.
    service.http.get("/v1/whoami").await.is(200);
    service.studio.signal(nix::sys::signal::Signal::SIGTERM);
    let _ = stream.write_all(&body[10_000..]).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let acknowledged = answer.starts_with(b"HTTP/1.1 201");
    assert!(service.studio.wait().success());
    service.studio.restart();
    assert_eq!(all_files(&service.http).await.len(), usize::from(acknowledged), "what was acknowledged is there");
    assert!(acknowledged, "the request was cut off: {}", String::from_utf8_lossy(&answer[..answer.len().min(100)]));
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_sigkill() {
    let mut service = Service::start();
    let mut contents = std::collections::HashMap::new();
    for round in 0..4_u8 {
        let http = service.http.clone();
        let mut sending = tokio::task::JoinSet::new();
        let folder = create_folder(&http, &format!("folder {round}"), None).await;
        let staged = stage(&http, "staged", &[round; 5_000]).await;
        for number in 0..12_u8 {
            let (http, folder) = (http.clone(), folder.clone());
            sending.spawn(async move {
                let content = [round, number, 7].repeat(1_000);
                let result = upload_into(&http, &folder, &format!("{number}.bin"), &content).await;
                (text(&result["file_id"]), content)
            });
        }
        let renamed = format!("renamed {round}");
        http.patch(&format!("/v1/drive/items/{folder}"), &json!({"name": renamed})).await.is(200);
        let key = service.studio.create_key("made just before the end");
        contents.extend(sending.join_all().await);
        service.studio.kill();
        service.studio.restart();
        assert!(all_folders(&http).await.iter().any(|folder| folder["name"] == renamed.as_str()));
        service.anonymous().with_key(&key.key).get("/v1/whoami").await.is(200);
        let result = register(&http, &staged).await.expect(201);
        contents.insert(text(&result["file_id"]), vec![round; 5_000]);
        assert_eq!(all_files(&http).await.len(), contents.len());
        for (id, content) in &contents {
            assert_eq!(download(&http, id).await, content.as_slice());
        }
    }
}

#[tokio::test]
async fn killed_while_it_takes_uploads_it_has_all_of_a_file_or_nothing_of_it() {
    let mut service = Service::start();
    for round in 0..3_u8 {
        let mut sending = tokio::task::JoinSet::new();
        for number in 0..20_u8 {
            let http = service.http.clone();
            sending.spawn(async move {
                let content = vec![round * 20 + number; 100_000];
                let form = easel_tests::http::Form::of_file(&format!("{number}"), &content);
                let sent =
                    http.try_request(http::Method::POST, "/v1/uploads", Some(&form.content_type()), form.body()).await;
                sent.is_ok_and(|answer| answer.status == 201)
            });
        }
        // In the middle: after some, before all.
        let (mut acknowledged, mut killed) = (0, false);
        while let Some(sent) = sending.join_next().await {
            acknowledged += usize::from(sent.unwrap());
            if acknowledged == 5 && !killed {
                service.studio.kill();
                killed = true;
            }
        }
        service.studio.restart();
        let files = all_files(&service.http).await;
        assert!(files.len() >= acknowledged, "{} of {acknowledged} acknowledged files", files.len());
        for file in &files {
            let content = download(&service.http, &text(&file["id"])).await;
            assert_eq!(text(&file["content_hash"]), crate::service::content_hash(&content));
            service.http.delete(&format!("/v1/drive/items/{}", text(&file["id"]))).await.is(200);
        }
    }
}
