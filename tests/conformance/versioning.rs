//! Specification, "Versioning"; contract, "Versions".

use easel_tests::http::{Answer, CANONICAL, LEGACY, exchange, version_header};
use easel_tests::studio::{Options, authority};
use http::Method;

use crate::service::{Service, create_folder, list, text, upload};

#[tokio::test]
async fn rule_1_and_2_both_versions_are_taken_from_the_header_and_named_in_the_answer() {
    let service = Service::start();
    for version in [LEGACY, CANONICAL] {
        let answer = service.http.with_version(version).get("/v1/whoami").await;
        answer.is(200);
        assert_eq!(answer.header(&version_header()), Some(version));
    }
}

#[tokio::test]
async fn rule_3_without_the_header_a_request_resolves_to_the_default() {
    let service = Service::start();
    let answer = service.http.without_header(&version_header()).get("/v1/drive/files").await;
    assert_eq!(answer.header(&version_header()), Some(LEGACY));
    assert!(answer.expect(200)["files"].is_array(), "the legacy shape: {answer:?}");
}

#[tokio::test]
async fn rule_4_an_unsupported_value_is_400_and_the_answer_carries_the_default() {
    let service = Service::start();
    for version in ["2026-04-13", "2026-05-02", "2027-01-01", "latest", "", "2026-5-1", "v1", "ü"] {
        let answer = service.http.with_version(version).get("/v1/whoami").await;
        let error = answer.error(400, "invalid_request", "unsupported_version");
        assert_eq!(answer.header(&version_header()), Some(LEGACY), "{version}");
        assert_eq!(error["details"]["supported"], serde_json::json!([LEGACY, CANONICAL]), "{version}");
        if version.is_ascii() {
            assert_eq!(error["details"]["requested"], version);
        }
    }
}

#[tokio::test]
async fn rule_4_two_values_are_not_one_that_is_supported() {
    let service = Service::start();
    let request = format!(
        "GET /v1/whoami HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nService-Version: {LEGACY}\r\nService-Version: moon\r\n\r\n",
        service.key.key,
        host = authority(&service.studio.base_url),
    );
    let answer = exchange(authority(&service.studio.base_url), request.as_bytes()).await.unwrap();
    assert!(answer.status.is_success() || answer.status == 400, "{answer:?}");
    assert_eq!(answer.headers.get_all(version_header()).iter().count(), 1, "{answer:?}");
}

#[tokio::test]
async fn rule_5_every_answer_carries_the_resolved_version() {
    let service = Service::start_with(Options::new().requests_per_minute(9));
    let http = &service.http;
    let anonymous = service.anonymous().with_version(CANONICAL);
    let body = bytes::Bytes::from_static;
    let answers: Vec<(&str, Answer)> = vec![
        ("health", anonymous.get("/v1/healthz").await),
        ("success", http.get("/v1/whoami").await),
        ("created", http.post("/v1/drive/folders", &serde_json::json!({"name": "x"})).await),
        ("no key", anonymous.get("/v1/whoami").await),
        ("malformed", http.json(Method::POST, "/v1/drive/folders", body(b"{")).await),
        ("validation", http.post("/v1/drive/folders", &serde_json::json!({})).await),
        ("conflict", http.post("/v1/drive/folders", &serde_json::json!({"name": "x"})).await),
        ("missing", http.get("/v1/drive/files/file_01KAAAAAAA7AAAAAAAAAAAAAAA").await),
        ("no route", http.get("/v1/no-such-thing").await),
        ("no method", http.request(Method::PUT, "/v1/whoami", None, bytes::Bytes::new()).await),
        ("no route, no key", anonymous.get("/nowhere").await),
        ("rate", {
            for _ in 0..9 {
                http.get("/v1/whoami").await;
            }
            http.get("/v1/whoami").await
        }),
        ("too large", too_large(&service).await),
    ];
    assert_eq!(answers.iter().find(|(name, _)| *name == "rate").map(|(_, answer)| answer.status.as_u16()), Some(429));
    for (name, answer) in &answers {
        let values: Vec<_> = answer.headers.get_all(version_header()).iter().collect();
        assert_eq!(values, [CANONICAL], "{name}: {answer:?}");
    }
}

async fn too_large(service: &Service) -> Answer {
    let host = authority(&service.studio.base_url);
    let request = format!(
        "POST /v1/uploads HTTP/1.1\r\nHost: {host}\r\nService-Version: {CANONICAL}\r\nContent-Length: 33554433\r\n\r\n"
    );
    let answer = exchange(host, request.as_bytes()).await.unwrap();
    answer.is(413);
    answer
}

#[tokio::test]
async fn change_policy_rule_4_a_retired_version_is_400_and_the_default_advances() {
    let service = Service::start_with(Options::new().with("--retire", LEGACY));
    let answer = service.http.with_version(LEGACY).get("/v1/whoami").await;
    let error = answer.error(400, "invalid_request", "unsupported_version");
    assert_eq!(answer.header(&version_header()), Some(CANONICAL));
    assert_eq!(error["details"], serde_json::json!({"requested": LEGACY, "supported": [CANONICAL]}));
    let answer = service.http.without_header(&version_header()).get("/v1/drive/files").await;
    assert_eq!(answer.header(&version_header()), Some(CANONICAL));
    assert!(answer.expect(200)["data"].is_array(), "the canonical shape: {answer:?}");
    service.http.get("/v1/whoami").await.is(200);
}

#[tokio::test]
async fn contract_the_name_of_the_header_is_a_setting() {
    let service = Service::start_with(Options::new().with("--version-header", "Acme-Version"));
    let plain = service.http.without_header(&version_header());
    let answer = plain.with_header("Acme-Version", CANONICAL).get("/v1/drive/files").await;
    assert_eq!(answer.header("Acme-Version"), Some(CANONICAL));
    assert_eq!(answer.header(&version_header()), None);
    assert!(answer.expect(200)["data"].is_array());

    // The other name is now a header like any other: unknown, and ignored.
    let answer = plain.with_header(&version_header(), "moon").get("/v1/drive/files").await;
    assert_eq!(answer.header("Acme-Version"), Some(LEGACY));
    assert!(answer.expect(200)["files"].is_array());

    plain.with_header("acme-version", "moon").get("/v1/whoami").await.error(
        400,
        "invalid_request",
        "unsupported_version",
    );
}

#[tokio::test]
async fn differences_lists_are_paged_by_cursor_in_the_canonical_version_and_by_offset_in_the_legacy_one() {
    let service = Service::start();
    for number in 0..3 {
        create_folder(&service.http, &format!("{number}"), None).await;
        upload(&service.http, &format!("{number}"), format!("{number}").as_bytes()).await;
    }
    for resource in ["folders", "files"] {
        let path = format!("/v1/drive/{resource}?limit=2");
        let page = service.http.get(&path).await.expect(200);
        assert_eq!(page["data"].as_array().map(Vec::len), Some(2), "{page}");
        assert_eq!((&page["has_more"], &page["total"]), (&true.into(), &3.into()), "{page}");
        let cursor = text(&page["next_cursor"]);
        let last = service.http.get(&format!("{path}&cursor={cursor}")).await.expect(200);
        assert_eq!(last["data"].as_array().map(Vec::len), Some(1), "{last}");
        assert_eq!((&last["has_more"], &last["next_cursor"]), (&false.into(), &serde_json::Value::Null), "{last}");

        let page = service.legacy().get(&format!("{path}&offset=2")).await.expect(200);
        assert_eq!(page[resource].as_array().map(Vec::len), Some(1), "{page}");
        assert_eq!((&page["total"], &page["limit"], &page["offset"]), (&3.into(), &2.into(), &2.into()), "{page}");
        assert_eq!(page["has_more"], false, "{page}");
        assert!(page.get("data").is_none(), "{page}");
    }
}

#[tokio::test]
async fn differences_drive_lists_come_newest_first_in_both_versions() {
    let service = Service::start();
    let mut expected = Vec::new();
    for number in [2, 0, 3, 1] {
        expected.insert(0, text(&upload(&service.http, &format!("{number}"), &[number]).await["file_id"]));
    }
    // A change moves updated_at, which must not move the file in the list.
    service.http.patch(&format!("/v1/drive/items/{}", expected[3]), &serde_json::json!({"name": "z"})).await.is(200);
    let ids = |items: Vec<serde_json::Value>| items.iter().map(|item| text(&item["id"])).collect::<Vec<_>>();
    assert_eq!(ids(list(&service.http.get("/v1/drive/files").await)), expected);
    let legacy = service.legacy().get("/v1/drive/files").await.expect(200);
    assert_eq!(ids(legacy["files"].as_array().unwrap().clone()), expected);
}

#[tokio::test]
async fn differences_the_error_envelope_is_the_same_in_both_versions() {
    let service = Service::start();
    for version in [LEGACY, CANONICAL] {
        let http = service.http.with_version(version);
        http.get("/v1/drive/files/file_01KAAAAAAA7AAAAAAAAAAAAAAA").await.error(404, "not_found", "file_not_found");
    }
}
