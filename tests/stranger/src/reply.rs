//! What is answered: a record or bytes, or a refusal in one of the forms that refusals have.
//!
//! Always true here: a refusal says what was wrong once; how its body looks is decided in one place, by the switches.

use bytes::Bytes;
use serde_json::{Value, json};

use crate::switch::Switch;
use crate::switches::Switches;

/// What a handler answers.
pub(crate) type Outcome = Result<Reply, Refusal>;

/// The body of an answer.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Empty,
    Json(Value),
    /// Bytes and their media type.
    Bytes(Bytes, String),
}

/// An answer, before headers that every answer has.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Body,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Reply {
    pub(crate) fn new(status: u16, body: Body) -> Self {
        Self { status, body, headers: Vec::new() }
    }

    pub(crate) fn json(status: u16, value: Value) -> Self {
        Self::new(status, Body::Json(value))
    }

    pub(crate) fn ok(value: Value) -> Self {
        Self::json(200, value)
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The same, with the time at which it leaves.
    pub(crate) fn dated(mut self, now: jiff::Timestamp) -> Self {
        self.headers.retain(|(name, _)| *name != "Date");
        self.with("Date", http_date(now))
    }
}

/// A moment as HTTP writes it.
fn http_date(at: jiff::Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Who refuses, which is what the body looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// The service: an envelope, or what a switch makes of it.
    Service,
    /// The gateway before it: nothing, or HTML.
    Gateway,
    /// The router: this endpoint is not there.
    Router,
    /// The object storage: a small XML error, or nothing.
    Storage,
}

/// Why something is not done.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    voice: Voice,
    pub(crate) status: u16,
    pub(crate) code: String,
    message: String,
    /// In a box, so that a result stays small.
    details: Box<Value>,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
    headers: Vec<(&'static str, String)>,
}

impl Refusal {
    fn of(voice: Voice, status: u16, code: &str, message: impl Into<String>) -> Self {
        let (code, message) = (code.to_owned(), message.into());
        Self { voice, status, code, message, details: Box::default(), retry_after: None, headers: Vec::new() }
    }

    pub(crate) fn new(status: u16, code: &str, message: impl Into<String>) -> Self {
        Self::of(Voice::Service, status, code, message)
    }

    /// The gateway's 413, before anything was looked at.
    pub(crate) fn gateway() -> Self {
        Self::of(Voice::Gateway, 413, "too_large", "Request Entity Too Large")
    }

    /// An endpoint that this service does not have.
    pub(crate) fn no_route() -> Self {
        Self::of(Voice::Router, 404, "route_not_found", "There is no such endpoint")
    }

    /// A method that an endpoint does not have.
    pub(crate) fn no_method() -> Self {
        Self::of(Voice::Gateway, 405, "method_not_allowed", "Method Not Allowed")
    }

    /// What a gateway says in place of the service, out of turn.
    pub(crate) fn out_of_turn(status: u16, retry_after: Option<u64>) -> Self {
        Self { retry_after, ..Self::of(Voice::Gateway, status, "out_of_turn", "Service Temporarily Unavailable") }
    }

    pub(crate) fn storage(status: u16, code: &str, message: &str) -> Self {
        Self::of(Voice::Storage, status, code, message)
    }

    /// 422 that names the fields.
    pub(crate) fn fields(fields: &[(&str, &str)]) -> Self {
        let named = fields.iter().map(|(field, _)| *field).collect::<Vec<_>>().join(", ");
        let details = fields.iter().map(|(field, code)| json!({"field": field, "code": code})).collect::<Vec<_>>();
        Self::new(422, "validation_failed", format!("Not valid: {named}")).detailing(json!({"fields": details}))
    }

    /// 404 of a thing.
    pub(crate) fn missing(noun: &str) -> Self {
        Self::new(404, &format!("{noun}_not_found"), format!("This {noun} does not exist").replace('_', " "))
    }

    pub(crate) fn detailing(mut self, details: Value) -> Self {
        *self.details = details;
        self
    }

    pub(crate) fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The answer that says so.
    pub(crate) fn into_reply(self, switches: &Switches, request_id: &str, now: jiff::Timestamp) -> Reply {
        let body = match self.voice {
            Voice::Service => self.service_body(switches, request_id),
            Voice::Gateway if self.status != 413 || switches.has(Switch::GatewayRefusesInHtml) => page(&self.message),
            Voice::Gateway => Body::Empty,
            Voice::Router if switches.has(Switch::MissingRoutesInEnvelopes) => self.service_body(switches, request_id),
            Voice::Router if switches.has(Switch::MissingRoutesInJson) => Body::Json(json!({"detail": "Not Found"})),
            Voice::Router => Body::Bytes(Bytes::from_static(b"404 page not found\n"), "text/plain".to_owned()),
            Voice::Storage if switches.has(Switch::StorageErrorsBare) => Body::Empty,
            Voice::Storage => {
                let (code, message) = (&self.code, &self.message);
                let xml = format!("<Error><Code>{code}</Code><Message>{message}</Message></Error>");
                Body::Bytes(xml.into(), "application/xml".to_owned())
            }
        };
        let mut reply = Reply::new(self.status, body);
        reply.headers = self.headers;
        let is_told = self.status != 429 || !switches.has(Switch::RetryAfterMissing);
        if let Some(seconds) = self.retry_after.filter(|_| is_told) {
            let text = if switches.has(Switch::RetryAfterDate) {
                let at = now + jiff::SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(0));
                http_date(at)
            } else {
                seconds.to_string()
            };
            reply = reply.with("Retry-After", text);
        }
        reply
    }

    fn service_body(&self, switches: &Switches, request_id: &str) -> Body {
        // What the specification says of these codes holds whatever the form.
        let is_specified = matches!(self.code.as_str(), "unsupported_version" | "rate_limited" | "export_rate_limited");
        if switches.has(Switch::ErrorsNoEnvelope) && self.status != 404 && !is_specified {
            return page(&self.message);
        }
        let code = if switches.has(Switch::ErrorCodesUnknown) { unknown_code(&self.code) } else { &self.code };
        let details = match () {
            () if self.code == "validation_failed" && switches.has(Switch::FieldRefusalsWithoutDetails) => Value::Null,
            () if self.code == "unsupported_version" && switches.has(Switch::UnsupportedWithoutDetails) => Value::Null,
            () if self.code == "missing_scope" && switches.has(Switch::KeyLacksScopesSilently) => Value::Null,
            () => Value::clone(&self.details),
        };
        let is_silent = details.is_null() && !self.details.is_null();
        let message = if is_silent { "The request cannot be carried out as it is" } else { &self.message };
        let kind = if switches.has(Switch::ErrorTypesUnknown) { "request_declined" } else { self.kind() };
        let retry_after_ms = self.retry_after.filter(|_| !switches.has(Switch::RetryAfterMissing)).map(|s| s * 1000);
        let mut fields = json!({
            "type": kind, "code": code, "message": message, "doc_url": format!("https://docs.example/errors/{code}"),
            "request_id": request_id, "details": details, "retry_after_ms": retry_after_ms, "causes": null,
        });
        if let (Some(fields), true) = (fields.as_object_mut(), switches.has(Switch::RequestIdsMissing)) {
            fields.remove("request_id");
        }
        Body::Json(if switches.has(Switch::ErrorsFlat) {
            fields
        } else if switches.has(Switch::ErrorsText) {
            json!({"error": code, "error_description": message, "details": fields["details"]})
        } else {
            json!({"error": fields})
        })
    }

    /// The type that goes with a status (contract, Errors).
    fn kind(&self) -> &'static str {
        match self.status {
            401 => "authentication",
            403 => "permission",
            404 => "not_found",
            409 if self.code == "idempotency_conflict" => "idempotency_conflict",
            409 => "conflict",
            413 | 422 => "unprocessable",
            429 => "rate_limited",
            500 => "internal_error",
            502..=504 => "upstream_error",
            _ => "invalid_request",
        }
    }
}

/// Codes that nobody has seen, for those that the specification leaves open; `rate_limit_exceeded` stands in the
/// contract's list.
fn unknown_code(code: &str) -> &str {
    match code {
        "rate_limited" | "export_rate_limited" => "rate_limit_exceeded",
        "concurrent_task_limit" => "insufficient_credits",
        "canvas_active_job" => "canvas_busy",
        "folder_name_conflict" | "file_name_conflict" | "canvas_name_conflict" | "folder_not_empty" => "stale_revision",
        // What is promised, and what tells a missing endpoint from a missing thing.
        "unsupported_version" | "missing_scope" | "route_not_found" => code,
        "file_too_large" => "asset_limit_reached",
        "validation_failed" => "request_schema_mismatch",
        code if code.ends_with("_not_found") => "resource_gone_or_hidden",
        _ => "declined_by_policy",
    }
}

/// What a proxy shows a browser.
fn page(message: &str) -> Body {
    let html = format!("<html><head><title>{message}</title></head><body><h1>{message}</h1></body></html>\n");
    Body::Bytes(html.into(), "text/html; charset=utf-8".to_owned())
}
