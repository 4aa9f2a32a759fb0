//! Downloads: whole, resumed, refused, and never over something else.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod stub;

use std::path::Path;

use easel_client::Error;
use easel_wire::FileId;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stub::{FILE_ID, Reaction, Request, Stub};

fn content() -> Vec<u8> {
    (0..900_000_u32).map(|at| u8::try_from(at % 241).unwrap()).collect()
}

fn hash(content: &[u8]) -> String {
    let hex: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

fn file_id() -> FileId {
    FILE_ID.parse().unwrap()
}

/// A service with one file that `described` describes, whose bytes come as `serve` says.
async fn serving(described: Value, mut serve: impl FnMut(&Request) -> Reaction + Send + 'static) -> Stub {
    let address = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let known = std::sync::Arc::clone(&address);
    let mut signatures = 0;
    let stub = Stub::start(move |request: &Request| {
        if request.target.starts_with("/bytes") {
            return serve(request);
        }
        if request.target.ends_with("/download") {
            signatures += 1;
            let url = format!("{}/bytes?signature=secret{signatures}", known.get().unwrap());
            return stub::json(200, &json!({"download_url": url}));
        }
        stub::json(200, &json!({"file": described}))
    })
    .await;
    address.set(stub.url()).unwrap();
    stub
}

fn described(content: &[u8]) -> Value {
    json!({"id": FILE_ID, "name": "a.bin", "size_bytes": content.len(), "content_hash": hash(content)})
}

fn range_start(request: &Request) -> usize {
    request.header("range").map_or(0, |range| range.trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap())
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_download_is_whole_and_overwrites_nothing() {
    let stub = serving(described(&content()), |_| Reaction::Answer(200, vec![], content())).await;
    let folder = tempfile::tempdir().unwrap();
    let destination = folder.path().join("a.bin");
    std::fs::write(&destination, "mine").unwrap();
    let got = stub.client().download_file(file_id(), &destination, &|_| {}).await.unwrap();
    assert_eq!(got.path, folder.path().join("a (2).bin"));
    assert_eq!(std::fs::read(&got.path).unwrap(), content());
    assert_eq!(std::fs::read(&destination).unwrap(), b"mine");
    assert_eq!(names_in(folder.path()), ["a (2).bin", "a.bin"]);
    let request = stub.seen().into_iter().find(|request| request.target.starts_with("/bytes")).unwrap();
    assert_eq!((request.header("authorization"), request.header("service-version")), (None, None));
}

#[tokio::test]
async fn a_broken_download_goes_on_where_it_broke() {
    let stub = serving(described(&content()), |request| {
        let from = range_start(request);
        let rest = content()[from..].to_vec();
        let headers = vec![("content-range", format!("bytes {from}-899999/900000"))];
        let status = if from == 0 { 200 } else { 206 };
        if from < 600_000 {
            let promised = rest.len();
            return Reaction::CutAnswer(status, headers, rest[..300_000].to_vec(), promised);
        }
        Reaction::Answer(status, headers, rest)
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let got = stub.client().download_file(file_id(), &folder.path().join("a.bin"), &|_| {}).await.unwrap();
    assert_eq!(std::fs::read(&got.path).unwrap(), content());
    let starts: Vec<_> =
        stub.seen().iter().filter(|request| request.target.starts_with("/bytes")).map(range_start).collect();
    assert_eq!(starts.first(), Some(&0));
    assert!(starts.is_sorted() && starts.last().unwrap() > &0, "{starts:?}");
}

#[tokio::test]
async fn a_service_that_serves_no_parts_starts_over() {
    let mut served = 0;
    let stub = serving(described(&content()), move |_| {
        served += 1;
        if served == 1 {
            return Reaction::CutAnswer(200, vec![], content()[..500_000].to_vec(), 900_000);
        }
        Reaction::Answer(200, vec![], content())
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let got = stub.client().download_file(file_id(), &folder.path().join("a.bin"), &|_| {}).await.unwrap();
    assert_eq!(std::fs::read(&got.path).unwrap(), content());
}

#[tokio::test]
async fn an_expired_address_is_signed_anew() {
    let stub = serving(described(&content()), |request| {
        if request.target.ends_with("secret1") {
            return stub::storage_refusal(403, "ExpiredUrl");
        }
        Reaction::Answer(200, vec![], content())
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    stub.client().download_file(file_id(), &folder.path().join("a.bin"), &|_| {}).await.unwrap();
    // Once: an address that is never good is an error.
    let stub = serving(described(&content()), |_| stub::storage_refusal(403, "ExpiredUrl")).await;
    let error = stub.client().download_file(file_id(), &folder.path().join("b.bin"), &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::UrlExpired), "{error:?}");
    assert_eq!(names_in(folder.path()), ["a.bin"]);
}

#[tokio::test]
async fn bytes_that_are_not_the_files_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = content();
    other[7] ^= 1;
    let short = content()[1..].to_vec();
    for wrong in [other, short] {
        let stub = serving(described(&content()), move |_| Reaction::Answer(200, vec![], wrong.clone())).await;
        let error = stub.client().download_file(file_id(), &folder.path().join("a.bin"), &|_| {}).await.unwrap_err();
        assert!(matches!(error, Error::ContentMismatch), "{error:?}");
        assert!(names_in(folder.path()).is_empty());
    }
}

#[tokio::test]
async fn a_file_without_a_hash_is_checked_by_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let stub = serving(json!({"id": FILE_ID, "name": "a"}), |_| Reaction::Answer(200, vec![], vec![])).await;
    let got = stub.client().download_file(file_id(), &folder.path().join("a"), &|_| {}).await.unwrap();
    assert_eq!(got.size_bytes, 0);
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named_before_a_byte_is_fetched() {
    let stub = serving(described(&content()), |_| Reaction::Answer(200, vec![], content())).await;
    let folder = tempfile::tempdir().unwrap();
    let error = stub.client().download_file(file_id(), &folder.path().join("no/a"), &|_| {}).await.unwrap_err();
    assert!(matches!(error, Error::DestinationUnwritable { .. }), "{error:?}");
    assert!(stub.seen().iter().all(|request| !request.target.starts_with("/bytes")));
}

#[tokio::test]
async fn a_download_that_is_dropped_leaves_nothing_behind() {
    let stub = serving(described(&content()), |_| Reaction::Silence).await;
    let folder = tempfile::tempdir().unwrap();
    let (client, destination) = (stub.client(), folder.path().join("a.bin"));
    let getting = tokio::spawn(async move { client.download_file(file_id(), &destination, &|_| {}).await });
    while names_in(folder.path()).is_empty() {
        tokio::task::yield_now().await;
        assert!(!getting.is_finished());
    }
    getting.abort();
    // A step that was under way on another thread ends first.
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
    while !names_in(folder.path()).is_empty() {
        assert!(tokio::time::Instant::now() < deadline, "{:?}", names_in(folder.path()));
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
