//! What nobody needs a key for must not use the service up: connections, heads, bodies, answers that nobody reads.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use easel_tests::http::exchange;
use easel_tests::patience::wait_for;
use easel_tests::process::{read_computed, read_resident_bytes};
use easel_tests::studio::{Options, authority};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::service::{Service, text, upload};

const MIB: u64 = 1024 * 1024;

/// What a process has open that was deleted already: unnamed files.
fn unnamed_files(pid: u32) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("the process").flatten();
    let targets = entries.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    targets.filter(|path| path.to_string_lossy().ends_with("(deleted)")).collect()
}

/// Writes until the service has taken all of it or closes; whether it took all.
async fn send(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    matches!(tokio::time::timeout(Duration::from_secs(20), stream.write_all(bytes)).await, Ok(Ok(())))
}

/// Connects from an address of this machine that ends so: each counts as one of its own.
async fn connect_from(last: u8, host: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, last], 0))).unwrap();
    socket.connect(host.parse().unwrap()).await.unwrap()
}

/// The request for a signed address of a large file.
async fn ask_for_a_large_file(service: &Service) -> String {
    let file = text(&upload(&service.http, "large", &vec![7; 24 * 1024 * 1024]).await["file_id"]);
    let record = service.http.get(&format!("/v1/drive/files/{file}/download")).await.expect(200);
    let url = text(&record["download_url"]);
    let path = url.strip_prefix(&service.studio.upload_url).expect("a URL of storage");
    format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", authority(&service.studio.upload_url))
}

async fn is_healthy(service: &Service) -> bool {
    let host = authority(&service.studio.base_url);
    let request = format!("GET /v1/healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    exchange(host, request.as_bytes()).await.is_ok_and(|answer| answer.status == 200)
}

#[tokio::test]
async fn a_head_is_read_up_to_64_kib_and_unfinished_ones_hold_no_more() {
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    let before = read_resident_bytes(service.studio.pid());
    let head = format!("GET /v1/healthz HTTP/1.1\r\nHost: {host}\r\nX-Long: {}", "y".repeat(1_000_000));
    let mut streams = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(host).await.unwrap();
        let _ = send(&mut stream, head.as_bytes()).await;
        streams.push(stream);
    }
    let grown = read_resident_bytes(service.studio.pid()).saturating_sub(before);
    assert!(grown < 60 * MIB, "200 unfinished heads of a megabyte hold {} MiB", grown / MIB);
    drop(streams);
    let request = |letters: usize| {
        let long = "y".repeat(letters);
        format!("GET /v1/healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nX-Long: {long}\r\n\r\n")
    };
    let around = request(0).len();
    assert_eq!(exchange(host, request(65_536 - around).as_bytes()).await.unwrap().status, 200);
    for letters in [65_537 - around, 70_000, 140_000] {
        let refused = exchange(host, request(letters).as_bytes()).await;
        assert!(refused.as_ref().map_or(true, |answer| answer.status == 431), "{letters}: {refused:?}");
    }
    // Also one of many short fields, and at storage.
    let storage = authority(&service.studio.upload_url);
    let fields: String = (0..900).map(|number| format!("X-{number}: {}\r\n", "y".repeat(70))).collect();
    for (place, fields) in [(host, fields.as_str()), (storage, &fields)] {
        let head = format!("GET /files/x HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n{fields}\r\n");
        let refused = exchange(place, head.as_bytes()).await;
        assert!(refused.as_ref().map_or(true, |answer| answer.status == 431), "{refused:?}");
    }
}

#[tokio::test]
async fn connections_of_one_address_are_bounded_and_health_and_operators_are_answered_beyond() {
    let options = Options::new().with("--connections-per-address", "40").with("--connections", "60");
    let service = Service::start_with(options);
    let host = authority(&service.studio.base_url);
    let mut idle = Vec::new();
    // More than there are ways in of either kind.
    for _ in 0..160 {
        idle.push(TcpStream::connect(host).await.unwrap());
    }
    // Whoever has just come has a moment to ask, so the next may have to come again.
    wait_for("an answer beyond the bounds", Duration::from_secs(10), async || {
        if is_healthy(&service).await { Ok(()) } else { Err("none") }
    })
    .await;
    let request = |path: &str| {
        let key = &service.key.key;
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n")
    };
    let ask = async |path: &str| {
        wait_for("an answer beyond the bounds", Duration::from_secs(10), async || {
            exchange(host, request(path).as_bytes()).await.map_err(|error| error.to_string())
        })
        .await
    };
    assert_eq!(ask("/metrics").await.status, 200);
    let refused = ask("/v1/whoami").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("5")), "{refused:?}");
    refused.error(503, "upstream_error", "crowded");
    wait_for("a line of the log", Duration::from_secs(20), async || {
        let log = service.studio.log();
        if log.contains("too many connections") { Ok(()) } else { Err(log) }
    })
    .await;
    drop(idle);
    let mut again = 503;
    for _ in 0..200 {
        again = exchange(host, request("/v1/whoami").as_bytes()).await.map_or(503, |answer| answer.status.as_u16());
        if again == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(again, 200, "there is room again");
}

#[tokio::test]
async fn behind_a_trusted_proxy_an_address_is_the_clients() {
    let options = Options::new().with("--connections-per-address", "4").with("--trusted-proxy", "127.0.0.1");
    let service = Service::start_with(options.flag("--allow-local-callbacks"));
    let host = authority(&service.studio.base_url);
    let key = &service.key.key;
    // A body that does not come holds its request.
    let held = |client: &str| {
        format!(
            "POST /v1/drive/folders HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\
             X-Forwarded-For: 203.0.113.9, {client}\r\nContent-Length: 10\r\n\r\n{{"
        )
    };
    let ask = |client: &str| {
        format!(
            "GET /v1/whoami HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\
             X-Forwarded-For: {client}\r\nConnection: close\r\n\r\n"
        )
    };
    let mut under_way = Vec::new();
    // More than four, because the first questions below may come before them.
    for _ in 0..12 {
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(held("192.0.2.1").as_bytes()).await.unwrap();
        under_way.push(stream);
    }
    let mut status = 200;
    for _ in 0..200 {
        status = exchange(host, ask("192.0.2.1").as_bytes()).await.unwrap().status.as_u16();
        if status == 503 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(status, 503, "four at once of one client");
    assert_eq!(exchange(host, ask("192.0.2.2").as_bytes()).await.unwrap().status, 200, "another client of the proxy");
    drop(under_way);
}

#[tokio::test]
async fn a_proxy_that_nobody_trusts_is_named_in_the_log_once() {
    let service = Service::start();
    for client in ["192.0.2.1", "192.0.2.2"] {
        service.http.with_header("x-forwarded-for", client).get("/v1/whoami").await.is(200);
    }
    let log = wait_for("a line of the log", Duration::from_secs(20), async || {
        let log = service.studio.log();
        if log.contains("--trusted-proxy") { Ok(log) } else { Err(log) }
    })
    .await;
    assert_eq!(log.lines().filter(|line| line.contains("127.0.0.1") && line.contains("--trusted-proxy")).count(), 1);
}

/// Answers in a second to so many callers at once, in processor time of the service.
async fn compute_for(service: &Service, path: &str, callers: usize) -> Duration {
    let before = read_computed(service.studio.pid());
    let asking: Vec<_> = (0..callers)
        .map(|_| {
            let (http, path) = (service.anonymous(), path.to_owned());
            tokio::spawn(async move { http.get(&path).await.is(200) })
        })
        .collect();
    for asked in asking {
        asked.await.expect("an answer");
    }
    read_computed(service.studio.pid()).saturating_sub(before)
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_made_once_and_who_asks_for_them_slows_no_key_holder() {
    const CALLERS: usize = 200;
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    for path in ["/docs", "/v1/openapi.json"] {
        service.anonymous().get(path).await.is(200);
        // In processor time, because others work on the machine too. Made anew, one takes hundreds of milliseconds.
        let took = compute_for(&service, path, CALLERS).await;
        assert!(took < Duration::from_secs(2), "{path}: {CALLERS} answers took {took:?}");
    }
    // And they are there once, for however many who do not read them.
    let before = read_resident_bytes(service.studio.pid());
    let mut slow = Vec::new();
    for _ in 0..CALLERS {
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(format!("GET /docs HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).await.unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
        slow.push(stream);
    }
    let computed = read_computed(service.studio.pid());
    for _ in 0..20 {
        service.http.get("/v1/whoami").await.is(200);
    }
    let computed = read_computed(service.studio.pid()).saturating_sub(computed);
    assert!(computed < Duration::from_millis(500), "20 answers to a key holder beside them took {computed:?}");
    let grown = read_resident_bytes(service.studio.pid()).saturating_sub(before);
    assert!(grown < 60 * MIB, "{CALLERS} who do not read hold {} MiB", grown / MIB);
}

#[tokio::test]
async fn no_byte_of_a_body_is_kept_before_a_key_holds() {
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    let head = |key: &str| {
        format!(
            "POST /v1/uploads HTTP/1.1\r\nHost: {host}\r\n{key}Content-Type: multipart/form-data; boundary=b\r\n\
             Transfer-Encoding: chunked\r\n\r\n"
        )
    };
    let chunk = [b"100000\r\n".as_slice(), &vec![b'x'; 0x10_0000], b"\r\n"].concat();
    let pid = service.studio.pid();
    let mut open = Vec::new();
    for key in ["", "Authorization: Bearer svc_live_0000000000000000000000000000000000000000\r\n"] {
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(head(key).as_bytes()).await.unwrap();
        for _ in 0..8 {
            assert!(send(&mut stream, &chunk).await);
        }
        open.push(stream);
    }
    assert_eq!(unnamed_files(pid), Vec::<PathBuf>::new(), "bodies of nobody");
    // With a key it is written down while it comes: the very thing that is looked for above is found.
    let mut known = TcpStream::connect(host).await.unwrap();
    known.write_all(head(&format!("Authorization: Bearer {}\r\n", service.key.key)).as_bytes()).await.unwrap();
    for _ in 0..8 {
        assert!(send(&mut known, &chunk).await);
    }
    let mut found = unnamed_files(pid).len();
    for _ in 0..200 {
        if found > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        found = unnamed_files(pid).len();
    }
    assert_eq!(found, 1);

    // Whoever it is: the bare 413 comes first, and the 401 at the end of a body that is short enough.
    let long = [head("").as_bytes(), &chunk.repeat(33), b"0\r\n\r\n"].concat();
    let answer = exchange(host, &long).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.len()), (413, 0));
    let short = [head("").as_bytes(), &chunk, b"0\r\n\r\n"].concat();
    exchange(host, &short).await.unwrap().error(401, "authentication", "authentication");
    drop((open, known));
}

#[tokio::test]
async fn the_head_of_a_forms_part_is_bounded_and_what_stands_before_it() {
    let service = Service::start();
    let host = authority(&service.studio.base_url);
    let before = read_resident_bytes(service.studio.pid());
    let mut open = Vec::new();
    for start in ["--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"", "no part: "] {
        for _ in 0..6 {
            let head = format!(
                "POST /v1/uploads HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nContent-Length: 31000000\r\n\
                 Content-Type: multipart/form-data; boundary=b\r\n\r\n{start}",
                service.key.key
            );
            let mut stream = TcpStream::connect(host).await.unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            // All but the end, which keeps the request open for as long as somebody reads it.
            let _ = send(&mut stream, &vec![b'x'; 30_000_000]).await;
            open.push(stream);
        }
    }
    let mut most = 0;
    for _ in 0..20 {
        most = most.max(read_resident_bytes(service.studio.pid()).saturating_sub(before));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(most < 60 * MIB, "12 heads of parts of 30 MB hold {} MiB", most / MIB);
    // Each was refused while it came.
    for mut stream in open {
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(&start, b"HTTP/1.1 400");
    }
}

#[tokio::test]
async fn answers_that_nobody_reads_hold_little() {
    let service = Service::start();
    let host = authority(&service.studio.upload_url);
    let request = ask_for_a_large_file(&service).await;
    let before = read_resident_bytes(service.studio.pid());
    let mut readers = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        // The beginning of the answer is there; the rest waits.
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
        readers.push(stream);
    }
    let mut most = 0;
    for _ in 0..50 {
        most = most.max(read_resident_bytes(service.studio.pid()).saturating_sub(before));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(most < 150 * MIB, "200 readers that do not read hold {} MiB", most / MIB);
    assert!(is_healthy(&service).await);
}

#[tokio::test]
async fn those_who_wait_or_show_no_key_do_not_shut_out_who_has_one() {
    let options = Options::new().with("--connections", "40").with("--connections-per-address", "20");
    let service = Service::start_with(options);
    let (api, storage) = (authority(&service.studio.base_url), authority(&service.studio.upload_url));
    let request = ask_for_a_large_file(&service).await;
    let (key, mut held) = (&service.key.key, Vec::new());
    // From one address such as read a signed address and never take the answer, from another such as only wait.
    for _ in 0..30 {
        let mut reader = connect_from(2, storage).await;
        // Beyond its part an address is not let in.
        let _ = reader.write_all(request.as_bytes()).await;
        held.extend([reader, connect_from(3, api).await]);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let ask = format!("GET /v1/whoami HTTP/1.1\r\nHost: {api}\r\nAuthorization: Bearer {key}\r\n\r\n");
    // Each on a connection of its own, which it keeps.
    for number in 0..15 {
        let begin = Instant::now();
        let mut stream = connect_from(4, api).await;
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut start = [0; 12];
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_exact(&mut start)).await;
        assert!(read.is_ok_and(|read| read.is_ok()), "{number} was not answered after {:?}", begin.elapsed());
        assert_eq!(String::from_utf8_lossy(&start), "HTTP/1.1 200", "{number}");
        held.push(stream);
    }
    assert!(is_healthy(&service).await);
}

#[tokio::test]
async fn with_few_descriptors_and_many_readers_health_is_answered() {
    let service = Service::start_with(Options::new().descriptors(256));
    let storage = authority(&service.studio.upload_url);
    let request = ask_for_a_large_file(&service).await;
    let mut held = Vec::new();
    for number in 0..300_u16 {
        let from = u8::try_from(number % 20 + 2).unwrap();
        let mut reader = connect_from(from, storage).await;
        // Those that are not let in are closed.
        let _ = reader.write_all(request.as_bytes()).await;
        held.push(reader);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let descriptors = std::fs::read_dir(format!("/proc/{}/fd", service.studio.pid())).expect("the process").count();
    assert!(descriptors < 250, "{descriptors} of 256 descriptors are used");
    for _ in 0..20 {
        wait_for("an answer with few descriptors", Duration::from_secs(5), async || {
            if is_healthy(&service).await { Ok(()) } else { Err("none") }
        })
        .await;
    }
    service.http.get("/v1/whoami").await.is(200);
}
