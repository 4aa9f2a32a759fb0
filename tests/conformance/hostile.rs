//! What an attacker would try, beyond what the modules of each resource ask: signed URLs put together anew, pictures that unpack
//! to more than there is, bodies that never end, names that lead elsewhere the second time, secrets in the log.

use std::time::{Duration, Instant};

use easel_tests::http::Http;
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, authority};
use http::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::canvases::canvas;
use crate::service::{Service, list, put, sign, text, upload};
use crate::tasks::{finish, start};

/// A signed URL of each kind: what it opens, by its path and its query.
async fn signed_urls(http: &Http) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut keep = |url: &Value| {
        let url = text(url);
        let (address, query) = url.split_once('?').expect("a signed URL has a query");
        let (origin, path) = address.split_at(address.find("//").unwrap() + 2 + authority(address).len());
        found.push((origin.to_owned(), path.to_owned(), query.to_owned()));
    };
    for content in ["one", "two"] {
        let file = text(&upload(http, content, content.as_bytes()).await["file_id"]);
        keep(&http.get(&format!("/v1/drive/files/{file}/download")).await.expect(200)["download_url"]);
    }
    let id = canvas(http, "Signed").await;
    keep(&http.get(&format!("/v1/canvases/{id}")).await.expect(200)["thumbnail_url"]);
    let export = http.json(Method::POST, &format!("/v1/canvases/{id}/export"), "").await.expect(200);
    keep(&export["url"]);
    keep(&sign(http, "staged").await["upload_url"]);
    found
}

#[tokio::test]
async fn a_signature_opens_what_it_was_made_for_and_nothing_else() {
    let service = Service::start();
    let urls = signed_urls(&service.http).await;
    for (at, (origin, path, query)) in urls.iter().enumerate() {
        for (other_at, (_, other_path, _)) in urls.iter().enumerate() {
            let url = format!("{origin}{other_path}?{query}");
            let read = service.http.get_url(&url, &[]).await;
            let is_own = at == other_at && !path.starts_with("/pending/");
            assert_eq!(read.status.is_success(), is_own, "{path} with the signature of {other_path}: {read:?}");
            if !is_own {
                let written = service.http.put_bytes(&url, "application/octet-stream", "x").await;
                assert!(written.status.is_client_error() || at == other_at, "{other_path}: {written:?}");
            }
        }
        // Later, earlier, another digit, a second value, none.
        let (expires, signature) = query.split_once("&signature=").expect("two parameters");
        for forged in [
            format!("expires=99999999999&signature={signature}"),
            format!("expires=0&signature={signature}"),
            format!("{expires}&signature={}", "0".repeat(64)),
            format!("{expires}&signature={signature}00"),
            format!("{expires}&{expires}1&signature={signature}"),
            format!("{expires}&signature="),
            expires.to_owned(),
            String::new(),
        ] {
            let answer = service.http.get_url(&format!("{origin}{path}?{forged}"), &[]).await;
            assert!(answer.status.is_client_error(), "{path}?{forged}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_path_within_a_signed_url_leads_nowhere_else() {
    let service = Service::start();
    for (origin, path, query) in signed_urls(&service.http).await {
        let (folder, name) = path.rsplit_once('/').expect("a path of two parts");
        for trick in [
            format!("{folder}/../studio.db"),
            format!("{folder}/..%2f..%2fstudio.key"),
            format!("{folder}/%2e%2e/{name}"),
            format!("{folder}//{name}"),
            format!("{path}/"),
            format!("{path}%00"),
            format!("/{}", path.trim_start_matches('/').to_uppercase()),
        ] {
            let request = format!("GET {trick}?{query} HTTP/1.1\r\nHost: {}\r\n\r\n", authority(&origin));
            let answer = easel_tests::http::exchange(authority(&origin), request.as_bytes()).await.unwrap();
            // An id may be written in either case; whatever is served is what was signed.
            let is_other_case = trick.eq_ignore_ascii_case(&path);
            assert!(answer.status.is_client_error() || is_other_case, "{trick}: {answer:?}");
        }
    }
}

/// A PNG that says that it has so many pixels, with next to nothing in it.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        let body = [kind, data].concat();
        png.extend(&body);
        png.extend(crc_of(&body).to_be_bytes());
    };
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    chunk(b"IHDR", &head);
    chunk(b"IDAT", &[0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]);
    chunk(b"IEND", &[]);
    png
}

pub fn crc_of(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

/// A GIF of this size without a frame.
fn gif_of(side: u16) -> Vec<u8> {
    [b"GIF89a".as_slice(), &side.to_le_bytes(), &side.to_le_bytes(), &[0, 0, 0, 0x3b]].concat()
}

fn resident_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the studio runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the most memory");
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().expect("a number") * 1024
}

#[tokio::test]
async fn a_picture_that_unpacks_to_more_than_there_is_takes_neither_memory_nor_time() {
    let service = Service::start();
    // One design first, so that what drawing itself takes is there already.
    finish(&service.http, &start(&service.http, &json!({"prompt": "A card"})).await).await;
    let before = resident_bytes(service.studio.pid());
    let laughs: String =
        (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
    let svg = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY l0 \"lol\">{laughs}]><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><text>&l9;</text></svg>"
    );
    let uses: String =
        (1..40).map(|n| format!("<g id=\"u{n}\"><use href=\"#u{m}\"/><use href=\"#u{m}\"/></g>", m = n - 1)).collect();
    let doubled = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><defs><rect id=\"u0\" width=\"1\" height=\"1\"/>{uses}</defs><use href=\"#u39\"/></svg>"
    );
    for (name, content) in [
        ("wide.png", png_of(u32::MAX / 2, 1)),
        ("large.png", png_of(60_000, 60_000)),
        ("bright.png", png_of(12_000, 12_000)),
        ("large.gif", gif_of(u16::MAX)),
        ("laughs.svg", svg.into_bytes()),
        ("doubled.svg", doubled.into_bytes()),
    ] {
        let file = upload(&service.http, name, &content).await;
        for role in ["source", "reference", "asset"] {
            let body = json!({"prompt": "A card", "attachments": [{"file_id": file["file_id"], "role": role}]});
            let began = Instant::now();
            let task = finish(&service.http, &start(&service.http, &body).await).await;
            assert!(began.elapsed() < Duration::from_secs(40), "{name} as {role} took {:?}", began.elapsed());
            if task["status"] != "succeeded" {
                assert_eq!(
                    (&task["status"], &task["error"]["retryable"]),
                    (&json!("failed"), &json!(false)),
                    "{name}: {task}"
                );
            }
        }
    }
    let grown = resident_bytes(service.studio.pid()).saturating_sub(before);
    assert!(grown < 700_000_000, "the studio took {grown} bytes more");
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn bodies_that_never_end_hold_nobody_else_up() {
    let service = Service::start();
    let api = authority(&service.studio.base_url).to_owned();
    let signed = sign(&service.http, "slow.bin").await;
    let url = text(&signed["upload_url"]);
    let storage = authority(&url).to_owned();
    let put_path = url.split_once(storage.as_str()).unwrap().1;
    let key = &service.key.key;
    let mut open = Vec::new();
    for _ in 0..60 {
        for (host, head) in [
            (
                &api,
                format!(
                    "POST /v1/drive/folders HTTP/1.1\r\nHost: {api}\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{{"
                ),
            ),
            (
                &api,
                format!(
                    "POST /v1/uploads HTTP/1.1\r\nHost: {api}\r\nAuthorization: Bearer {key}\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n--b\r\n"
                ),
            ),
            (
                &storage,
                format!(
                    "PUT {put_path} HTTP/1.1\r\nHost: {storage}\r\nContent-Type: application/octet-stream\r\nContent-Length: 900000\r\n\r\nx"
                ),
            ),
            (&api, "GET /v1/whoami HTTP/1.1\r\nHos".to_owned()),
        ] {
            let mut stream = TcpStream::connect(host).await.unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            open.push(stream);
        }
    }
    for stream in &mut open {
        // One more byte each, as a client that wants to be held open sends them.
        let _ = stream.write_all(b" ").await;
    }
    for round in 0..5 {
        let began = Instant::now();
        service.http.get("/v1/whoami").await.is(200);
        upload(&service.http, "quick", format!("quick {round}").as_bytes()).await;
        assert!(began.elapsed() < Duration::from_secs(5), "{:?} beside 240 slow requests", began.elapsed());
    }
    // Nothing came of them, and the URL that was written to half-way is good still.
    drop(open);
    assert_eq!(list(&service.http.get("/v1/drive/folders").await).len(), 0);
    wait_for("the URL to be free", Duration::from_secs(20), async || {
        let answer = put(&service.http, &signed, b"whole").await;
        if answer.status == 200 { Ok(()) } else { Err(format!("{answer:?}")) }
    })
    .await;
}

#[tokio::test]
async fn a_head_of_a_megabyte_is_refused_or_read_and_nothing_else() {
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    let head = |further: String| {
        format!("GET /v1/whoami HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\n{further}\r\n", service.key.key)
    };
    let many: String = (0..20_000).map(|n| format!("x-{n}: {}\r\n", "y".repeat(40))).collect();
    for (name, request) in [
        ("one long header", head(format!("x-long: {}\r\n", "y".repeat(1_000_000)))),
        ("many headers", head(many)),
        ("a long cookie", head(format!("cookie: {}\r\n", "a=b;".repeat(250_000)))),
        ("four megabytes", head(format!("x-long: {}\r\n", "y".repeat(4_000_000)))),
    ] {
        let mut stream = TcpStream::connect(host).await.unwrap();
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = vec![0; 12];
        if stream.read_exact(&mut answer).await.is_ok() {
            let status = String::from_utf8_lossy(&answer[9..]).into_owned();
            assert!(["200", "400", "431"].contains(&status.as_str()), "{name}: {status}");
        }
        service.http.get("/v1/whoami").await.is(200);
    }
}

/// DNS rebinding, with the studio's resolver scripted for the test: the name leads to an honest address when the request is
/// judged, and to another when it is connected to.
#[tokio::test]
async fn a_name_that_leads_elsewhere_the_second_time_is_not_connected_to() {
    for elsewhere in ["169.254.169.254", "127.0.0.1", "10.0.0.8", "::ffff:169.254.169.254", "fd00:ec2::254"] {
        let script = format!("hook.example=8.8.8.8,{elsewhere}");
        let service = Service::start_with(Options::new().with("--resolve", &script));
        let told = json!({"prompt": "A card", "callback_url": "https://hook.example/easel"});
        finish(&service.http, &start(&service.http, &told).await).await;
        let delivery = wait_for("the delivery to be dropped", Duration::from_secs(30), async || {
            match list(&service.http.get("/v1/webhook_deliveries").await).first() {
                Some(delivery) if delivery["status"] == "failed" => Ok(delivery.clone()),
                other => Err(format!("{other:?}")),
            }
        })
        .await;
        for attempt in delivery["attempt_log"].as_array().unwrap() {
            assert!(text(&attempt["error"]).contains("everyone can reach"), "{elsewhere}: {attempt}");
        }
        // The same for a file that a task shall work from.
        let script = format!("file.example=8.8.8.8,{elsewhere}");
        let service = Service::start_with(Options::new().with("--resolve", &script));
        let body = json!({"prompt": "A card", "attachments": [{"url": "https://file.example/notes.md"}]});
        let task = finish(&service.http, &start(&service.http, &body).await).await;
        assert_eq!(
            (&task["status"], &task["error"]["retryable"]),
            (&json!("failed"), &json!(false)),
            "{elsewhere}: {task}"
        );
        // A name that leads there from the start is refused at once.
        let service = Service::start_with(Options::new().with("--resolve", &format!("hook.example={elsewhere}")));
        service.http.post("/v1/tasks", &told).await.error(422, "unprocessable", "callback_url_not_allowed");
    }
}

#[tokio::test]
async fn the_log_is_one_json_object_a_line_and_holds_no_secret() {
    let service = Service::start_with(Options::new().with("--log-format", "json").with("--exports-per-minute", "0"));
    let http = &service.http;
    let mut secrets = vec![service.key.key.clone(), service.key.signing_secret.clone()];
    for (_, _, query) in signed_urls(http).await {
        secrets.push(query.split_once("signature=").unwrap().1.to_owned());
    }
    // Secrets where they do not belong: in a path, a query, a body, a header, a name, and in addresses that fail.
    let planted = "svc_live_0123456789abcdef0123456789abcdef01234567";
    http.get(&format!("/v1/drive/files/{planted}")).await.is(404);
    http.get(&format!("/v1/nowhere?key={planted}")).await.is(404);
    http.get_url(&format!("{}/exports/x?expires=1&signature={planted}", service.studio.upload_url), &[]).await;
    http.json(Method::POST, "/v1/drive/folders", format!("{{\"{planted}\":1}}")).await.is(422);
    http.with_header("x-api-key", planted).get("/v1/whoami").await.is(200);
    service.anonymous().with_key(planted).get("/v1/whoami").await.is(401);
    let told = format!("https://127.0.0.1.nip.invalid/hook?token={planted}");
    let body = json!({"prompt": "A card", "callback_url": told, "attachments": [{"url": format!("{told}&f=1")}]});
    finish(http, &start(http, &body).await).await;
    secrets.push(planted.to_owned());
    let log = service.studio.log();
    assert!(log.lines().count() > 1, "{log}");
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(event["level"].is_string() && event["fields"]["message"].is_string(), "{line}");
    }
    for secret in secrets {
        let shown = secret.chars().take(12).collect::<String>();
        // The log of a request that failed names its path alone, and no path of the service holds a secret.
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(&secret)).collect();
        assert!(lines.is_empty(), "{shown}…: {lines:#?}");
    }
}
