//! Which error an answer becomes.

use super::*;
use serde_json::json;

fn answered(status: u16, body: &str) -> Error {
    Error::of_answer(status, body.as_bytes(), Some("req-1"), None)
}

#[test]
fn an_answer_is_judged_by_type_then_code() {
    let body = json!({"error": {"type": "conflict", "code": "file_name_conflict", "message": "m", "doc_url": "d",
        "request_id": "req-2", "details": {"existing_id": "file_x"}, "retry_after_ms": 1500, "causes": null}});
    let error = answered(409, &body.to_string());
    assert_eq!(error.error_type(), Some(&ErrorType::Conflict));
    assert_eq!(error.code(), Some("file_name_conflict"));
    assert_eq!(error.request_id(), Some("req-2"));
    assert_eq!(error.existing_id(), Some("file_x"));
    assert_eq!(error.retry_after(), Some(Duration::from_millis(1500)));
}

#[test]
fn an_unknown_code_is_handled_by_its_type_and_an_unknown_type_by_the_status() {
    let error = answered(401, r#"{"error":{"type":"authentication","code":"key_on_holiday"}}"#);
    assert!(error.is_key_refused());
    assert_eq!(error.code(), Some("key_on_holiday"));
    let error = answered(429, r#"{"error":{"type":"weather","code":"rain"}}"#);
    assert_eq!(error.error_type(), Some(&ErrorType::RateLimited));
}

#[test]
fn an_answer_without_an_envelope_is_judged_by_the_status() {
    assert!(matches!(answered(404, ""), Error::RouteMissing));
    assert!(matches!(answered(404, "<html>nginx</html>"), Error::RouteMissing));
    assert!(matches!(answered(404, r#"{"detail":"Not Found"}"#), Error::RouteMissing));
    assert!(matches!(answered(413, ""), Error::TooLargeForGateway));
    let check = |status: u16, expected: ErrorType| {
        let error = answered(status, "<html>gateway</html>");
        assert_eq!(error.error_type(), Some(&expected), "{status}");
        assert_eq!(error.request_id(), Some("req-1"));
    };
    check(401, ErrorType::Authentication);
    check(403, ErrorType::Permission);
    check(429, ErrorType::RateLimited);
    check(500, ErrorType::InternalError);
    check(502, ErrorType::UpstreamError);
    assert!(matches!(answered(100, "x"), Error::NotTheService { found: UnexpectedBody::NotJson, .. }));
}

#[test]
fn a_413_with_an_envelope_is_not_the_gateways() {
    let error = answered(413, r#"{"error":{"type":"unprocessable","code":"file_too_large"}}"#);
    assert_eq!(error.code(), Some("file_too_large"));
}

#[test]
fn only_what_may_have_acted_is_a_lost_answer() {
    let broken = || Error::ConnectionBroken { reason: String::new() };
    for lost in [broken(), Error::TimedOut, answered(500, ""), answered(503, "")] {
        assert!(lost.is_answer_lost(), "{lost}");
    }
    let full = answered(503, r#"{"error":{"type":"upstream_error","code":"storage_full"}}"#);
    assert!(full.is_storage_full());
    let unreachable = Error::Unreachable { reason: String::new() };
    for certain in [full, unreachable, answered(401, ""), answered(409, ""), answered(404, ""), Error::SourceChanged] {
        assert!(!certain.is_answer_lost(), "{certain}");
    }
}

#[test]
fn what_stands_in_a_body_is_recognised() {
    let check = |body: &str, expected: UnexpectedBody| assert_eq!(unexpected_body(body.as_bytes()), expected, "{body}");
    check("  <!DOCTYPE html><html>", UnexpectedBody::Html);
    check("<HTML>", UnexpectedBody::Html);
    check("{}", UnexpectedBody::OtherShape);
    check("", UnexpectedBody::NotJson);
    check("{\"a\":", UnexpectedBody::NotJson);
}
