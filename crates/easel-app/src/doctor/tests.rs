//! The doctor before patients whose illness is known.

use easel_wire::webhooks::sign;

use super::SignatureFault as Fault;
use super::*;

const NOW: i64 = 1_777_636_800;
const BODY: &str = "{\"id\":\"evt_00000000000000000000000000\",\"type\":\"task.succeeded\",\"created\":\"2026-05-01T12:00:00+00:00\",\
                    \"api_version\":\"2026-05-01\",\"data\":{\"id\":\"task_00000000000000000000000000\",\"status\":\"succeeded\",\
                    \"name\":\"Bäckerei / Rye\"}}";

fn secret() -> String {
    format!("whsec_{}", "0a".repeat(32))
}

fn headers(signature: &str) -> String {
    format!("X-Webhook-Timestamp: {NOW}\nX-Webhook-Signature: {signature}")
}

/// A webhook without a fault.
fn healthy() -> PastedWebhook {
    let headers = headers(&sign(&secret(), NOW, BODY.as_bytes()));
    PastedWebhook { headers, body: BODY.to_owned(), secret: secret(), is_from_log: false }
}

fn check(pasted: &PastedWebhook, now: i64, verdict: SignatureVerdict, faults: &[Fault]) -> SignatureDiagnosis {
    let diagnosis = examine(pasted, now);
    let found: Vec<Fault> = diagnosis.findings.iter().map(|finding| finding.fault).collect();
    assert_eq!((diagnosis.verdict, found.as_slice()), (verdict, faults), "{}\n{}", pasted.headers, pasted.body);
    diagnosis
}

#[test]
fn a_healthy_webhook_is_called_good_and_named() {
    let diagnosis = check(&healthy(), NOW, SignatureVerdict::Good, &[]);
    assert_eq!(diagnosis.event_id.as_deref(), Some("evt_00000000000000000000000000"));
    check(&healthy(), NOW + TOLERANCE_SECONDS, SignatureVerdict::Good, &[]);
    let two = sign(&secret(), NOW, BODY.as_bytes());
    let rotated = PastedWebhook { headers: headers(&format!("v1={}, {two}", "0".repeat(64))), ..healthy() };
    check(&rotated, NOW, SignatureVerdict::Good, &[]);
}

#[test]
fn what_is_missing_is_named() {
    let without = |what: &str| {
        let headers = healthy().headers.lines().filter(|line| !line.contains(what)).collect::<Vec<_>>().join("\n");
        PastedWebhook { headers, ..healthy() }
    };
    check(&without("Timestamp"), NOW, SignatureVerdict::Incomplete, &[Fault::TimestampMissing]);
    check(&without("Signature"), NOW, SignatureVerdict::Incomplete, &[Fault::SignatureMissing]);
    check(
        &PastedWebhook { body: String::new(), secret: " ".to_owned(), ..healthy() },
        NOW,
        SignatureVerdict::Incomplete,
        &[Fault::SecretMissing, Fault::BodyMissing],
    );
    let foreign =
        PastedWebhook { headers: format!("X-Webhook-Timestamp: {NOW}\nX-Hub-Signature-256: sha256=ab"), ..healthy() };
    let diagnosis = check(&foreign, NOW, SignatureVerdict::Incomplete, &[Fault::SignatureOfAnotherSender]);
    assert_eq!(diagnosis.findings[0].quoted.as_deref(), Some("X-Hub-Signature-256"));
    let large = PastedWebhook { body: "x".repeat(MOST_BODY_BYTES + 1), ..healthy() };
    check(&large, NOW, SignatureVerdict::Incomplete, &[Fault::BodyTooLarge]);
    let command = PastedWebhook {
        headers: format!("curl -H '{}' --data-raw '{BODY}'", healthy().headers.replace('\n', "' -H '")),
        body: String::new(),
        ..healthy()
    };
    check(&command, NOW, SignatureVerdict::Good, &[]);
}

#[test]
fn a_time_that_is_off_is_told_with_by_how_much() {
    let off = |now: i64, fault: Fault, by: u64| {
        let diagnosis = check(&healthy(), now, SignatureVerdict::OutOfTime, &[fault]);
        assert_eq!(diagnosis.findings[0].amount, Some(by.into()));
    };
    off(NOW + 301, Fault::TimestampTooOld, 301);
    off(NOW - 4000, Fault::TimestampInFuture, 4000);
    let at = |timestamp: &str| PastedWebhook {
        headers: healthy().headers.replace(&NOW.to_string(), timestamp),
        ..healthy()
    };
    check(&at("2026-05-01T12:00:00Z"), NOW, SignatureVerdict::NoMatch, &[Fault::TimestampUnreadable]);
    let signature = sign(&secret(), NOW * 1000, BODY.as_bytes());
    let headers = format!("X-Webhook-Timestamp: {}\nX-Webhook-Signature: {signature}", NOW * 1000);
    let milliseconds = PastedWebhook { headers, ..healthy() };
    check(&milliseconds, NOW, SignatureVerdict::OutOfTime, &[Fault::TimestampInMilliseconds]);
}

#[test]
fn a_signature_in_the_wrong_form_is_told_apart_from_a_wrong_one() {
    let good = sign(&secret(), NOW, BODY.as_bytes());
    let digits = good.trim_start_matches("v1=").to_owned();
    let with = |signature: &str| PastedWebhook { headers: headers(signature), ..healthy() };
    check(&with(&digits), NOW, SignatureVerdict::Mendable, &[Fault::SignatureWithoutScheme]);
    check(
        &with(&format!("v1={}", digits.to_uppercase())),
        NOW,
        SignatureVerdict::Mendable,
        &[Fault::SignatureInCapitals],
    );
    check(&with(&good[..good.len() - 2]), NOW, SignatureVerdict::NoMatch, &[Fault::SignatureCut]);
    check(&with("v1=zz"), NOW, SignatureVerdict::NoMatch, &[Fault::SignatureNotHex]);
    check(&with("q1ZS/Y8="), NOW, SignatureVerdict::NoMatch, &[Fault::SignatureNotHex]);
    let other = check(
        &with(&format!("sha256={}", "0".repeat(64))),
        NOW,
        SignatureVerdict::NoMatch,
        &[Fault::SignatureOfAnotherScheme],
    );
    assert_eq!(other.findings[0].quoted.as_deref(), Some("sha256"));
}

#[test]
fn what_was_done_to_a_body_is_found() {
    let with = |body: String| PastedWebhook { body, ..healthy() };
    let altered = |body: String, faults: &[Fault]| check(&with(body), NOW, SignatureVerdict::Mendable, faults);
    altered(format!("{BODY}\n"), &[Fault::BodyWithMoreLines]);
    altered(format!("  {BODY}\r\n"), &[Fault::BodyWithMoreLines]);
    altered(
        BODY.replace(':', ": ").replace("12: 00: 00+00: 00", "12:00:00+00:00").replace(",\"", ", \""),
        &[Fault::BodyLaidOut],
    );
    altered(BODY.replace('/', "\\/"), &[Fault::BodyEscaped]);
    altered(BODY.replace('ä', "\\u00e4"), &[Fault::BodyEscaped]);
    altered(format!("\u{feff}{BODY}"), &[Fault::BodyWithMark]);
    altered(serde_json::to_string(BODY).unwrap(), &[Fault::BodyInQuotes]);
    altered(data_encoding::BASE64.encode(BODY.as_bytes()), &[Fault::BodyInBase64]);
    let signed_as = |sent: &str, pasted: &str, faults: &[Fault]| {
        let headers = headers(&sign(&secret(), NOW, sent.as_bytes()));
        check(&PastedWebhook { headers, ..with(pasted.to_owned()) }, NOW, SignatureVerdict::Mendable, faults);
    };
    signed_as(&format!("{BODY}\n"), BODY, &[Fault::BodyWithoutLastLine]);
    signed_as("{\r\n\"a\": 1\r\n}", "{\n\"a\": 1\n}", &[Fault::BodyWithUnixLines]);
    signed_as("{\n\"a\": 1\n}", "{\r\n\"a\": 1\r\n}", &[Fault::BodyWithWindowsLines]);
    signed_as("{\"a\":\"\\u00fc\"}", "{\"a\": \"ü\"}", &[Fault::BodyLaidOut, Fault::BodyUnescaped]);
    // What a service sends, read and written by something that sorts keys.
    let event: serde_json::Value = serde_json::from_str(BODY).unwrap();
    let (sent, sorted) = (order::in_order(&event), event.to_string());
    assert_ne!(sent, sorted);
    signed_as(&sent, &sorted, &[Fault::BodyReordered]);
}

#[test]
fn what_was_done_to_a_secret_is_found() {
    let altered = |secret: String, faults: &[Fault]| {
        check(&PastedWebhook { secret, ..healthy() }, NOW, SignatureVerdict::Mendable, faults);
    };
    altered(format!(" {}\n", secret()), &[Fault::SecretWithSpaces]);
    altered(format!("{} {}", &secret()[..20], &secret()[20..]), &[Fault::SecretWithSpaces]);
    altered(format!("\"{}\"", secret()), &[Fault::SecretInQuotes]);
    altered(secret()["whsec_".len()..].to_owned(), &[Fault::SecretWithoutPrefix]);
    altered(format!("SECRET={}", secret()), &[Fault::SecretWithForeignPrefix]);
    altered(format!("whsec_{}", secret()), &[Fault::SecretWithForeignPrefix]);
    altered(secret().to_uppercase(), &[Fault::SecretMisshapen]);
    let both = PastedWebhook { body: format!("{BODY}\n"), secret: format!("{} ", secret()), ..healthy() };
    check(&both, NOW, SignatureVerdict::Mendable, &[Fault::BodyWithMoreLines, Fault::SecretWithSpaces]);
}

#[test]
fn where_nothing_matches_the_likeliest_is_blamed() {
    let other = format!("whsec_{}", "0b".repeat(32));
    let blamed = |pasted: PastedWebhook, fault: Fault| check(&pasted, NOW, SignatureVerdict::NoMatch, &[fault]);
    blamed(PastedWebhook { secret: other.clone(), ..healthy() }, Fault::SecretWrong);
    blamed(PastedWebhook { secret: "hunter2".to_owned(), ..healthy() }, Fault::SecretMisshapen);
    blamed(PastedWebhook { secret: format!("svc_live_{}", "0".repeat(40)), ..healthy() }, Fault::SecretIsApiKey);
    blamed(PastedWebhook { body: BODY[..BODY.len() - 9].to_owned(), ..healthy() }, Fault::BodyCut);
    blamed(PastedWebhook { body: "{\"id\": 7}".to_owned(), ..healthy() }, Fault::BodyOrSecretWrong);
    blamed(PastedWebhook { body: "{ }".to_owned(), secret: other, is_from_log: true, ..healthy() }, Fault::SecretWrong);
}

#[test]
fn what_was_pasted_is_not_shown() {
    assert_eq!(format!("{:?}", healthy()), "PastedWebhook { .. }");
    let diagnosis = format!("{:?}", examine(&PastedWebhook { secret: format!("x{}", secret()), ..healthy() }, NOW));
    assert!(!diagnosis.contains(&secret()[6..]), "{diagnosis}");
}

proptest::proptest! {
    /// Whatever is pasted, it is looked at without a panic.
    #[test]
    fn anything_can_be_pasted(headers in ".{0,200}", body in ".{0,200}", secret in ".{0,80}", now in proptest::num::i64::ANY) {
        let named = format!("{headers}X-Webhook-Signature{headers}\nx_webhook_timestamp{body}");
        for headers in [headers, named] {
            let pasted = PastedWebhook { headers, body: body.clone(), secret: secret.clone(), is_from_log: false };
            let diagnosis = examine(&pasted, now);
            proptest::prop_assert_ne!(diagnosis.verdict, SignatureVerdict::Good);
        }
    }
}
