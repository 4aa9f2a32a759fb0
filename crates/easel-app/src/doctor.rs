//! The signature doctor: looks at the headers, the body and the secret of a webhook as a developer pasted them, and
//! says which of them is wrong and how (specification, "Signature"; contract, "Webhooks").
//!
//! Always true: the rule itself is [`easel_wire::webhooks::verify`], which alone decides what is valid; pasted text is
//! held only while it is looked at, never logged, and never shown by `Debug`. Where the signature does not match, the
//! changes that frameworks, shells and editors make to a body or a secret are undone one by one until it does. Not
//! here: the sentences (the page has them), and receiving webhooks (`receiver`).

mod headers;
mod order;
mod variants;

use std::time::{SystemTime, UNIX_EPOCH};

use easel_client::{DeliveryFilter, PageRequest};
use easel_wire::webhooks::{SIGNATURE_HEADER, TIMESTAMP_HEADER, TOLERANCE_SECONDS, verify};
use serde::{Deserialize, Serialize};

use crate::connections::Connections;
use crate::number::WholeNumber;
use crate::problem::Problem;

/// Longer bodies are not looked at, in bytes; an event has some kilobytes.
const MOST_BODY_BYTES: usize = 1024 * 1024;
/// The most bytes of the headers that are read.
const MOST_HEADER_BYTES: usize = 64 * 1024;
/// Above this a number of seconds would be in the year 5138: it is one of milliseconds.
const FIRST_MILLISECONDS: i64 = 100_000_000_000;
/// Hex digits of a signature.
const DIGITS: usize = 64;
/// Characters of what was pasted that a finding quotes at most.
const QUOTED_CHARS: usize = 40;

/// What a developer pasted.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PastedWebhook {
    /// Headers in any usual form: lines, JSON, the arguments of curl.
    pub headers: String,
    /// The body, as it arrived.
    pub body: String,
    /// The signing secret.
    pub secret: String,
    /// Headers and body are those of a delivery in the log, untouched: then they are not to blame.
    pub is_from_log: bool,
}

impl std::fmt::Debug for PastedWebhook {
    /// Leaves everything out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PastedWebhook").finish_non_exhaustive()
    }
}

/// How it stands with a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum SignatureVerdict {
    /// A receiver takes it.
    Good,
    /// The signature is right, and only the time is not.
    OutOfTime,
    /// It would be good but for what the findings name.
    Mendable,
    /// Nothing that was tried makes it match.
    NoMatch,
    /// Something is missing, so that nothing can be compared.
    Incomplete,
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum WebhookPart {
    /// The header with the time.
    Timestamp,
    /// The header with the signature.
    Signature,
    /// The body.
    Body,
    /// The secret.
    Secret,
    /// The delivery as a whole.
    Delivery,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is named by what it says; the page has the sentence")]
pub enum SignatureFault {
    TimestampMissing,
    TimestampUnreadable,
    TimestampInMilliseconds,
    /// `amount`: by how many seconds.
    TimestampTooOld,
    /// `amount`: by how many seconds.
    TimestampInFuture,
    SignatureMissing,
    /// `quoted`: the header that stands there instead.
    SignatureOfAnotherSender,
    /// `quoted`: the scheme.
    SignatureOfAnotherScheme,
    SignatureWithoutScheme,
    SignatureInCapitals,
    SignatureNotHex,
    /// `amount`: the digits that it has.
    SignatureCut,
    SecretMissing,
    SecretIsApiKey,
    SecretWithSpaces,
    SecretInQuotes,
    SecretWithoutPrefix,
    SecretWithForeignPrefix,
    SecretMisshapen,
    SecretWrong,
    BodyMissing,
    BodyTooLarge,
    BodyWithMoreLines,
    BodyWithoutLastLine,
    BodyWithUnixLines,
    BodyWithWindowsLines,
    BodyLaidOut,
    BodyEscaped,
    BodyUnescaped,
    BodyReordered,
    BodyInQuotes,
    BodyInBase64,
    BodyWithMark,
    BodyCut,
    BodyOrSecretWrong,
    /// `amount`: how many deliveries carry this event; `quoted`: its id.
    DeliveryRepeated,
}

impl SignatureFault {
    /// What it is about.
    #[must_use]
    pub const fn part(self) -> WebhookPart {
        match self {
            Self::TimestampMissing
            | Self::TimestampUnreadable
            | Self::TimestampInMilliseconds
            | Self::TimestampTooOld
            | Self::TimestampInFuture => WebhookPart::Timestamp,
            Self::SignatureMissing
            | Self::SignatureOfAnotherSender
            | Self::SignatureOfAnotherScheme
            | Self::SignatureWithoutScheme
            | Self::SignatureInCapitals
            | Self::SignatureNotHex
            | Self::SignatureCut => WebhookPart::Signature,
            Self::SecretMissing
            | Self::SecretIsApiKey
            | Self::SecretWithSpaces
            | Self::SecretInQuotes
            | Self::SecretWithoutPrefix
            | Self::SecretWithForeignPrefix
            | Self::SecretMisshapen
            | Self::SecretWrong => WebhookPart::Secret,
            Self::BodyMissing
            | Self::BodyTooLarge
            | Self::BodyWithMoreLines
            | Self::BodyWithoutLastLine
            | Self::BodyWithUnixLines
            | Self::BodyWithWindowsLines
            | Self::BodyLaidOut
            | Self::BodyEscaped
            | Self::BodyUnescaped
            | Self::BodyReordered
            | Self::BodyInQuotes
            | Self::BodyInBase64
            | Self::BodyWithMark
            | Self::BodyCut
            | Self::BodyOrSecretWrong => WebhookPart::Body,
            Self::DeliveryRepeated => WebhookPart::Delivery,
        }
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SignatureFinding {
    /// What it is about.
    pub part: WebhookPart,
    /// What it is.
    pub fault: SignatureFault,
    /// Seconds or a count, as the fault says.
    pub amount: Option<WholeNumber>,
    /// A few characters of a header, as the fault says; never of a body or a secret.
    pub quoted: Option<String>,
}

impl SignatureFinding {
    const fn of(fault: SignatureFault) -> Self {
        Self { part: fault.part(), fault, amount: None, quoted: None }
    }

    fn counted(fault: SignatureFault, amount: u64) -> Self {
        Self { amount: Some(amount.into()), ..Self::of(fault) }
    }

    fn quoting(fault: SignatureFault, text: &str) -> Self {
        Self { quoted: Some(text.chars().take(QUOTED_CHARS).collect()), ..Self::of(fault) }
    }
}

/// What the doctor says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct SignatureDiagnosis {
    /// How it stands.
    pub verdict: SignatureVerdict,
    /// Why, what is surest first.
    pub findings: Vec<SignatureFinding>,
    /// The event that the body carries, where it carries one.
    pub event_id: Option<String>,
}

/// Looks at a webhook. `now` is in Unix seconds.
#[must_use]
pub fn examine(pasted: &PastedWebhook, now: i64) -> SignatureDiagnosis {
    use SignatureFault as Fault;
    let mut findings = Vec::new();
    let head = clip(&pasted.headers, MOST_HEADER_BYTES);
    let timestamp = headers::find(head, TIMESTAMP_HEADER);
    let body = if pasted.body.is_empty() { headers::body_of_command(head) } else { Some(pasted.body.clone()) };
    let sent = look_at_timestamp(timestamp.as_deref(), now, &mut findings);
    let signatures = look_at_signature(head, &mut findings);
    let secret = pasted.secret.as_str();
    if secret.trim().is_empty() {
        findings.push(SignatureFinding::of(Fault::SecretMissing));
    } else if secret.trim().starts_with("svc_") {
        findings.push(SignatureFinding::of(Fault::SecretIsApiKey));
    }
    match &body {
        None => findings.push(SignatureFinding::of(Fault::BodyMissing)),
        Some(body) if body.len() > MOST_BODY_BYTES => findings.push(SignatureFinding::of(Fault::BodyTooLarge)),
        Some(_) => {}
    }
    let event_id = body.as_deref().and_then(variants::event_id);
    let missing = |finding: &SignatureFinding| {
        matches!(
            finding.fault,
            Fault::TimestampMissing
                | Fault::SignatureMissing
                | Fault::SignatureOfAnotherSender
                | Fault::SecretMissing
                | Fault::BodyMissing
                | Fault::BodyTooLarge
        )
    };
    let incomplete = findings.iter().any(missing);
    let (Some(body), Some(timestamp), false) = (body, timestamp, incomplete) else {
        return SignatureDiagnosis { verdict: SignatureVerdict::Incomplete, findings, event_id };
    };
    if verify(secret, &timestamp, &signatures.as_sent, body.as_bytes(), now).is_ok() {
        return SignatureDiagnosis { verdict: SignatureVerdict::Good, findings, event_id };
    }
    let changes = sent.and_then(|sent| find_changes(secret, &timestamp, &signatures, &body, sent));
    let verdict = match changes {
        Some(changes) if changes.is_empty() => SignatureVerdict::OutOfTime,
        Some(changes) => {
            findings.extend(changes.into_iter().map(SignatureFinding::of));
            SignatureVerdict::Mendable
        }
        None => {
            findings.extend(who_is_to_blame(pasted, secret, &body, &findings));
            SignatureVerdict::NoMatch
        }
    };
    // The signature matches, and only its form is wrong, for which there is a finding already.
    let is_only_form =
        verdict == SignatureVerdict::OutOfTime && findings.iter().any(|finding| finding.part == WebhookPart::Signature);
    let verdict = if is_only_form { SignatureVerdict::Mendable } else { verdict };
    SignatureDiagnosis { verdict, findings, event_id }
}

/// The time that the header names, in Unix seconds; adds a finding if it is wrong.
fn look_at_timestamp(timestamp: Option<&str>, now: i64, findings: &mut Vec<SignatureFinding>) -> Option<i64> {
    use SignatureFault as Fault;
    let Some(text) = timestamp else {
        findings.push(SignatureFinding::of(Fault::TimestampMissing));
        return None;
    };
    let Ok(sent) = text.parse::<i64>() else {
        findings.push(SignatureFinding::quoting(Fault::TimestampUnreadable, text));
        return None;
    };
    if sent >= FIRST_MILLISECONDS {
        findings.push(SignatureFinding::of(Fault::TimestampInMilliseconds));
    } else if now.abs_diff(sent) > TOLERANCE_SECONDS.unsigned_abs() {
        let fault = if sent < now { Fault::TimestampTooOld } else { Fault::TimestampInFuture };
        findings.push(SignatureFinding::counted(fault, now.abs_diff(sent)));
    }
    Some(sent)
}

/// The signatures of a header, as they are written there and in their proper form.
struct Signatures {
    as_sent: String,
    mended: String,
}

fn look_at_signature(head: &str, findings: &mut Vec<SignatureFinding>) -> Signatures {
    use SignatureFault as Fault;
    let nothing = || Signatures { as_sent: String::new(), mended: String::new() };
    let Some(as_sent) = headers::find(head, SIGNATURE_HEADER).filter(|value| !value.is_empty()) else {
        findings.push(match headers::find_foreign(head) {
            Some(name) => SignatureFinding::quoting(Fault::SignatureOfAnotherSender, name),
            None => SignatureFinding::of(Fault::SignatureMissing),
        });
        return nothing();
    };
    let looks: Vec<(Option<SignatureFinding>, String)> = as_sent.split(',').map(look_at_one).collect();
    // One signature in proper form is enough; others beside it are for other receivers.
    if looks.iter().all(|(finding, _)| finding.is_some()) {
        findings.extend(looks.iter().filter_map(|(finding, _)| finding.clone()).take(1));
    }
    let mended = looks.into_iter().map(|(_, mended)| mended).collect::<Vec<_>>().join(",");
    Signatures { as_sent, mended }
}

/// The finding about one signature, and the signature in its proper form.
fn look_at_one(signature: &str) -> (Option<SignatureFinding>, String) {
    use SignatureFault as Fault;
    let signature = signature.trim();
    let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (scheme, digits) = match signature.split_once('=') {
        Some((scheme, digits)) if !scheme.is_empty() && !digits.trim_matches('=').is_empty() => {
            (Some(scheme.trim()), digits.trim())
        }
        _ => (None, signature),
    };
    let mended = format!("v1={}", digits.to_ascii_lowercase());
    let finding = match scheme {
        Some("v1") if !is_hex(digits) => Some(SignatureFinding::of(Fault::SignatureNotHex)),
        Some("v1") if digits.len() != DIGITS => {
            Some(SignatureFinding::counted(Fault::SignatureCut, digits.len() as u64))
        }
        Some("v1") if digits.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            Some(SignatureFinding::of(Fault::SignatureInCapitals))
        }
        Some("v1") => None,
        Some(other) => Some(SignatureFinding::quoting(Fault::SignatureOfAnotherScheme, other)),
        None if is_hex(digits) && digits.len() == DIGITS => Some(SignatureFinding::of(Fault::SignatureWithoutScheme)),
        None if is_hex(digits) => Some(SignatureFinding::counted(Fault::SignatureCut, digits.len() as u64)),
        None => Some(SignatureFinding::of(Fault::SignatureNotHex)),
    };
    (finding, mended)
}

/// The fewest changes to body and secret under which a signature matches; none needed is an empty list.
fn find_changes(
    secret: &str,
    timestamp: &str,
    signatures: &Signatures,
    body: &str,
    sent: i64,
) -> Option<Vec<SignatureFault>> {
    let bodies = variants::bodies(body);
    let secrets = variants::secrets(secret);
    let mut tries: Vec<(Vec<SignatureFault>, &[u8], &str)> = Vec::new();
    for (body_faults, body) in &bodies {
        for (secret_faults, secret) in &secrets {
            tries.push(([body_faults.as_slice(), secret_faults.as_slice()].concat(), body, secret));
        }
    }
    tries.sort_by_key(|(faults, _, _)| faults.len());
    tries
        .into_iter()
        .find(|(_, body, secret)| verify(secret, timestamp, &signatures.mended, body, sent).is_ok())
        .map(|(faults, _, _)| faults)
}

/// The most likely reason where nothing matches.
fn who_is_to_blame(
    pasted: &PastedWebhook,
    secret: &str,
    body: &str,
    so_far: &[SignatureFinding],
) -> Option<SignatureFinding> {
    use SignatureFault as Fault;
    let is_said = so_far.iter().any(|finding| {
        matches!(finding.part, WebhookPart::Signature)
            || matches!(finding.fault, Fault::SecretIsApiKey | Fault::TimestampUnreadable)
    });
    let fault = if is_said {
        return None;
    } else if !variants::is_secret(secret.trim()) {
        Fault::SecretMisshapen
    } else if pasted.is_from_log || variants::is_as_sent(body) {
        Fault::SecretWrong
    } else if variants::is_cut(body) {
        Fault::BodyCut
    } else {
        Fault::BodyOrSecretWrong
    };
    Some(SignatureFinding::of(fault))
}

/// The beginning of a text, at most so many bytes, in whole characters.
fn clip(text: &str, most_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(most_bytes)]
}

/// The clock of this computer, which is the receiver's.
pub(crate) fn now_in_seconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Says what is the matter with a signature.
#[derive(Clone)]
pub struct Doctor {
    connections: Connections,
}

impl Doctor {
    pub(crate) const fn new(connections: Connections) -> Self {
        Self { connections }
    }
}

impl Doctor {
    /// Looks at a webhook that a developer pasted, and says what is wrong with it. Nothing of it is kept or sent; the log
    /// of the connection in view is asked how often the event was delivered, where it can be.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn examine_signature(&self, pasted: PastedWebhook) -> Result<SignatureDiagnosis, Problem> {
        let mut diagnosis = examine(&pasted, now_in_seconds());
        drop(pasted);
        if let Some(event_id) = diagnosis.event_id.clone() {
            let times = self.count_deliveries(&event_id).await;
            if times > 1 {
                let finding = SignatureFinding::quoting(SignatureFault::DeliveryRepeated, &event_id);
                diagnosis.findings.push(SignatureFinding { amount: Some(times.into()), ..finding });
            }
        }
        Ok(diagnosis)
    }

    /// How many of the newest deliveries carry an event; 0 where the log cannot be asked.
    async fn count_deliveries(&self, event_id: &str) -> u64 {
        let Some(session) = self.connections.selected().ok().and_then(|connection| connection.session()) else {
            return 0;
        };
        let newest = PageRequest { limit: Some(200), ..PageRequest::default() };
        let page = session.client.list_deliveries(&DeliveryFilter::default(), &newest).await;
        let page = page.inspect_err(|error| tracing::debug!(%error, "the log of deliveries could not be asked"));
        let carries = |id: Option<easel_wire::EventId>| id.is_some_and(|id| id.to_string() == event_id);
        page.map_or(0, |page| page.items.iter().filter(|delivery| carries(delivery.event_id)).count() as u64)
    }
}

#[cfg(test)]
mod tests;
