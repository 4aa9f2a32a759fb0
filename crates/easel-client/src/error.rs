//! The errors between Easel and a service, named by cause (contract, "Errors").
//!
//! Always true: no variant holds a key, a signed URL or a `reqwest` error, whose text could hold one. An answer is
//! judged by its envelope's `type`, then `code`, never by `message`; a body that is no envelope is judged by the
//! status. Not here: words for a person, and what to do next (see `retry`).

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use easel_wire::error::code;
use easel_wire::{Envelope, ErrorBody, ErrorType, IdError, Scope};
use serde_json::Value;

/// `Retry-After` at the cap of tasks (specification, "Errors").
const CAP_OF_TASKS: Duration = Duration::from_secs(30);
/// `Retry-After` at the cap of exports (specification, "Errors").
const CAP_OF_EXPORTS: Duration = Duration::from_secs(60);

/// Why an address names no service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressProblem {
    /// No URL, or one without a host.
    #[error("this is no web address")]
    NotAUrl,
    /// Another scheme than https or http.
    #[error("only https and http are spoken")]
    Scheme,
    /// A user name or password stands in it.
    #[error("an address must not hold a user name or a password")]
    Credentials,
    /// A query or a fragment stands in it.
    #[error("an address must not hold a query or a fragment")]
    Query,
}

/// A body that is no answer of a design-generation service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnexpectedBody {
    /// A web page.
    #[error("a web page")]
    Html,
    /// A body that is no JSON.
    #[error("something that is no JSON")]
    NotJson,
    /// JSON of another shape than this request's answers have.
    #[error("JSON of another shape")]
    OtherShape,
    /// More bytes than any answer has.
    #[error("an answer without an end")]
    Endless,
    /// An address for the file's bytes that cannot be used.
    #[error("an address that cannot be used")]
    UnusableUrl,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address of the connection names no service.
    #[error("not the address of a service: {problem}")]
    InvalidAddress {
        /// The reason.
        problem: AddressProblem,
    },
    /// The key is empty or has characters that are not allowed in a header.
    #[error("the key cannot be sent: it is empty or holds characters that no key has")]
    InvalidKey,
    /// The name of the version header is no header name, or has another meaning.
    #[error("{name:?} cannot be the name of the version header")]
    InvalidVersionHeader {
        /// The name that was refused.
        name: String,
    },
    /// The address is plain http to another host, and nobody allowed that.
    #[error("{host} would be spoken to without encryption")]
    PlainHttpRefused {
        /// The host that would get the key or the bytes unencrypted.
        host: String,
    },
    /// This computer could not be set up to speak HTTP, for example because its certificate store cannot be read.
    #[error("the connection could not be set up on this machine: {reason}")]
    Setup {
        /// What the system said.
        reason: String,
    },
    /// No connection could be made; nothing was sent.
    #[error("the service cannot be reached: {reason}")]
    Unreachable {
        /// What the system said.
        reason: String,
    },
    /// A connection was made, but is not trusted: wrong certificate, or no TLS at the other end. Nothing was sent.
    #[error("no trusted connection: {reason}")]
    Tls {
        /// What the system said.
        reason: String,
    },
    /// The connection broke while the request or its answer was on the way; the service may have acted.
    #[error("the connection broke: {reason}")]
    ConnectionBroken {
        /// What the system said.
        reason: String,
    },
    /// No answer came, or no bytes moved, for too long; the service may have acted.
    #[error("no answer in time")]
    TimedOut,
    /// The service answered with a redirect. Redirects are not followed: the key belongs to one origin.
    #[error("redirected to {to_host}, which was not followed")]
    RedirectRefused {
        /// The host name of its target.
        to_host: String,
    },
    /// The program that answered is not a design-generation service.
    #[error("this is not the service: status {status}, {found}")]
    NotTheService {
        /// The status of the answer.
        status: u16,
        /// What its body was instead.
        found: UnexpectedBody,
    },
    /// A 404 without an envelope: this service does not have this route (contract, last section).
    #[error("this service does not have this function")]
    RouteMissing,
    /// The gateway's bare 413: the body was above its ceiling (specification, "Errors"). The ceiling is remembered, so
    /// that the file is routed the signed way next time.
    #[error("the request was too large for the gateway")]
    TooLargeForGateway,
    /// The service refused, or failed, and told the reason. If the body was no envelope, `error` is made from the
    /// status.
    #[error("the service answered {status} {} {}: {}", error.error_type, error.code, error.message)]
    Api {
        /// The status of the answer.
        status: u16,
        /// Type, code, details; `request_id` is filled from the header where the envelope has none.
        error: Box<ErrorBody>,
        /// From `Retry-After`, else `retry_after_ms`.
        retry_after: Option<Duration>,
        /// The scope that the request needs, where it is known.
        scope: Option<Scope>,
    },
    /// The service refused the version that the request was pinned to. Another one is used from now on: send the
    /// request again.
    #[error("the service speaks another version")]
    OtherVersion,
    /// The service takes no files of this type (contract, "A service that others wrote").
    #[error("files of the type {mime_type} are not taken: {message}")]
    MediaTypeRefused {
        /// The type that was refused.
        mime_type: String,
        /// The service's own message; may be empty.
        message: String,
    },
    /// The id has no prefix, and this route takes none without (specification, Identifiers, rules 3 and 4).
    #[error(transparent)]
    Id(#[from] IdError),
    /// Two answers contradict each other, as in a list that never ends.
    #[error("the answers contradict each other: {what}")]
    Contradiction {
        /// The contradiction.
        what: &'static str,
    },
    /// Object storage refused.
    #[error("storage answered {status} {}", code.as_deref().unwrap_or("without a code"))]
    Storage {
        /// The status of the answer.
        status: u16,
        /// The `Code` of its XML, such as `SignatureDoesNotMatch`.
        code: Option<String>,
    },
    /// The signed URL has expired: sign again, once.
    #[error("the signed address has expired")]
    UrlExpired,
    /// The file is larger than the service takes. Nothing was sent.
    #[error("{size_bytes} bytes are more than the {max_file_bytes} that this workspace takes")]
    FileTooLarge {
        /// The file's size in bytes.
        size_bytes: u64,
        /// The ceiling in bytes.
        max_file_bytes: u64,
        /// Whether a larger plan raises the ceiling.
        is_plan_limit: bool,
    },
    /// The file changed, was replaced or cut off while it was read; nothing was committed.
    #[error("the file changed while it was sent")]
    SourceChanged,
    /// The file cannot be read.
    #[error("the file cannot be read: {io}")]
    SourceUnreadable {
        /// What the system said.
        io: io::Error,
    },
    /// The path is no regular file: a folder, a socket, a pipe, a device.
    #[error("this is not a file")]
    SourceNotAFile,
    /// The downloaded bytes cannot be written.
    #[error("the download cannot be written: {io}")]
    DestinationUnwritable {
        /// What the system said.
        io: io::Error,
    },
    /// The downloaded bytes differ from the drive's description; nothing was kept.
    #[error("the bytes that came are not those of the file")]
    ContentMismatch,
    /// The whole file was handed over, and it could not be found out whether it arrived. Look in the drive, or
    /// register, before sending again.
    #[error("whether the file arrived is not known: {cause}")]
    AnswerLost {
        /// Why no answer came.
        cause: Box<Error>,
    },
}

impl Error {
    /// The error for an unsuccessful answer.
    pub(crate) fn of_answer(status: u16, body: &[u8], request_id: Option<&str>, retry_after: Option<Duration>) -> Self {
        let mut error = match Envelope::from_json(body) {
            Some(Envelope { error }) if status == 404 && is_of_a_route(&error.code) => return Self::RouteMissing,
            // The path belongs to another route, so this service does not have this one.
            Some(_) if status == 405 => return Self::RouteMissing,
            Some(envelope) => Box::new(envelope.error),
            None if matches!(status, 404 | 405) => return Self::RouteMissing,
            None if status == 413 => return Self::TooLargeForGateway,
            None => match ErrorType::of_status(status) {
                Some(error_type) => Box::new(bare(error_type)),
                None => return Self::NotTheService { status, found: unexpected_body(body) },
            },
        };
        if error.request_id.is_none() {
            error.request_id = request_id.map(str::to_owned);
        }
        // A type that this build does not know is judged by the status.
        if matches!(error.error_type, ErrorType::Other(_))
            && let Some(known) = ErrorType::of_status(status)
        {
            error.error_type = known;
        }
        let retry_after = retry_after.or(error.retry_after_ms.map(Duration::from_millis));
        Self::Api { status, error, retry_after, scope: None }
    }

    /// The error that this service would have answered, had it the route: made here from another answer.
    pub(crate) fn bare(status: u16, error_type: ErrorType, code: &str) -> Self {
        let error = Box::new(ErrorBody { code: code.to_owned(), ..bare(error_type) });
        Self::Api { status, error, retry_after: None, scope: None }
    }

    /// The error for a failed send or read.
    pub(crate) fn of_transport(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let reason = innermost(&error);
        if error.is_builder() {
            Self::Setup { reason }
        } else if error.is_connect() {
            if error.is_timeout() {
                Self::Unreachable { reason: "no connection in time".to_owned() }
            } else if chain(&error).any(is_invalid_data) {
                Self::Tls { reason }
            } else {
                Self::Unreachable { reason }
            }
        } else if error.is_timeout() {
            Self::TimedOut
        } else {
            Self::ConnectionBroken { reason }
        }
    }

    /// The envelope's type, or the one that its status implies.
    #[must_use]
    pub fn error_type(&self) -> Option<&ErrorType> {
        match self {
            Self::Api { error, .. } => Some(&error.error_type),
            _ => None,
        }
    }

    /// The envelope's code; see [`easel_wire::error::code`].
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Api { error, .. } if !error.code.is_empty() => Some(&error.code),
            _ => None,
        }
    }

    /// The id of the refused request, for a report to the operators of the service.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Api { error, .. } => error.request_id.as_deref(),
            Self::AnswerLost { cause } => cause.request_id(),
            _ => None,
        }
    }

    /// The id of the item that already has the name, as it came, after a `*_name_conflict`.
    #[must_use]
    pub fn existing_id(&self) -> Option<&str> {
        const NAMES: [&str; 3] = ["existing_id", "existing_folder_id", "existing_file_id"];
        let details = self.details()?;
        NAMES.iter().find_map(|name| details.get(*name)).and_then(Value::as_str)
    }

    /// Whether another item has the name.
    #[must_use]
    pub fn is_name_conflict(&self) -> bool {
        let names_another = matches!(self, Self::Api { status: 409, .. }) && self.existing_id().is_some();
        names_another || self.code().is_some_and(|code| code.ends_with("name_conflict"))
    }

    /// The details that the service adds to its code, in a form that depends on the code.
    #[must_use]
    pub fn details(&self) -> Option<&Value> {
        match self {
            Self::Api { error, .. } => error.details.as_ref(),
            _ => None,
        }
    }

    /// The service's own words for a person; empty where it has none.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Api { error, .. } => &error.message,
            Self::MediaTypeRefused { message, .. } => message,
            Self::AnswerLost { cause } => cause.message(),
            _ => "",
        }
    }

    /// The scope that the key lacks: as the answer names it, else the one that the request needs. `None` where the
    /// refusal has another reason.
    #[must_use]
    pub fn missing_scope(&self) -> Option<Scope> {
        let Self::Api { status, error, scope, .. } = self else { return None };
        // Other refusals of the same type have codes of their own, which the contract names.
        let is_other = matches!(error.code.as_str(), code::REPLAY_NOT_PERMITTED | "visibility_change_denied");
        if *status != 403 || error.error_type != ErrorType::Permission || is_other {
            return None;
        }
        let required = self.details().and_then(|details| details.get("required"));
        let named = match required {
            Some(Value::Array(scopes)) => scopes.first().and_then(Value::as_str),
            Some(scope) => scope.as_str(),
            None => None,
        };
        named.map(Scope::from).or_else(|| scope.clone())
    }

    /// The fields of the request that the service refused, each with the reason, as far as it tells (`details.fields`:
    /// objects with a name, or names).
    #[must_use]
    pub fn refused_fields(&self) -> Vec<(&str, &str)> {
        let Some(fields) = self.details().and_then(|details| details.get("fields")) else { return Vec::new() };
        match fields {
            Value::Array(fields) => fields
                .iter()
                .filter_map(|field| match field {
                    Value::String(name) => Some((name.as_str(), "")),
                    field => {
                        let said = |names: [&str; 3]| names.iter().find_map(|name| field.get(*name)?.as_str());
                        Some((said(["field", "name", "path"])?, said(["code", "type", "message"]).unwrap_or_default()))
                    }
                })
                .collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, wrong)| (name.as_str(), wrong.as_str().unwrap_or_default())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Completes the error of a request that needs `scope`. With `is_capped` the request has a cap of its own besides
    /// the request rate, whose code the specification does not name.
    pub(crate) fn asked_for(mut self, asked: Option<&Scope>, is_capped: bool) -> Self {
        if let Self::Api { status, error, retry_after, scope } = &mut self {
            *scope = asked.cloned();
            // The caps ask to wait for 30 and 60 whole seconds (specification, "Errors"); the request rate hardly ever
            // does.
            let is_told = [CAP_OF_TASKS, CAP_OF_EXPORTS].contains(&retry_after.unwrap_or_default());
            let is_rate = error.code == code::RATE_LIMITED && !is_told;
            let is_named = matches!(error.code.as_str(), code::EXPORT_RATE_LIMITED | code::CONCURRENT_TASK_LIMIT);
            if is_capped && *status == 429 && !is_rate && !is_named {
                let is_of_exports = *retry_after == Some(CAP_OF_EXPORTS);
                let code = if is_of_exports { code::EXPORT_RATE_LIMITED } else { code::CONCURRENT_TASK_LIMIT };
                code.clone_into(&mut error.code);
            }
        }
        self
    }

    /// How long the service asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Api { retry_after, .. } => *retry_after,
            Self::AnswerLost { cause } => cause.retry_after(),
            _ => None,
        }
    }

    /// Whether the key is missing, wrong or deleted (401).
    #[must_use]
    pub fn is_key_refused(&self) -> bool {
        self.error_type() == Some(&ErrorType::Authentication)
    }

    /// Whether the service's storage is full.
    #[must_use]
    pub fn is_storage_full(&self) -> bool {
        match self {
            // 507 is HTTP's own status for it; the code is the one in object storage's XML.
            Self::Storage { status, code } => {
                *status == 507 || matches!(code.as_deref(), Some("StorageFull" | "QuotaExceeded"))
            }
            Self::AnswerLost { cause } => cause.is_storage_full(),
            _ => matches!(self.code(), Some(code::STORAGE_FULL | code::QUOTA_EXCEEDED)),
        }
    }

    /// Whether the request can succeed once something else is done: when one of the organization's tasks ends, a
    /// minute's exports are over, or the task that works on the canvas ends.
    #[must_use]
    pub fn is_for_later(&self) -> bool {
        let Self::Api { status, retry_after, .. } = self else { return false };
        if *status == 409 && retry_after.is_some() {
            return !self.is_name_conflict();
        }
        match self.code() {
            Some(code::EXPORT_RATE_LIMITED | code::CONCURRENT_TASK_LIMIT) => *status == 429,
            Some(code::CANVAS_ACTIVE_JOB) => *status == 409,
            _ => false,
        }
    }

    /// Whether the network or the service is away, so that waiting may help.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::ConnectionBroken { .. } | Self::TimedOut => true,
            Self::AnswerLost { cause } => cause.is_offline(),
            _ => false,
        }
    }

    /// A missing route, where no answer has shown a design-generation service so far, means that none is there.
    pub(crate) fn or_not_the_service(self) -> Self {
        match self {
            Self::RouteMissing => Self::NotTheService { status: 404, found: UnexpectedBody::OtherShape },
            other => other,
        }
    }

    /// The error of a request whose result is unknown because of `cause`.
    pub(crate) fn lost(cause: Self) -> Self {
        match cause {
            Self::AnswerLost { .. } => cause,
            cause => Self::AnswerLost { cause: Box::new(cause) },
        }
    }

    /// Whether the request left and its result is unknown.
    pub(crate) fn is_answer_lost(&self) -> bool {
        match self {
            Self::ConnectionBroken { .. } | Self::TimedOut | Self::AnswerLost { .. } => true,
            Self::Api { status, .. } | Self::Storage { status, .. } => *status >= 500 && !self.is_storage_full(),
            // A successful answer was cut off or garbled on the way.
            Self::NotTheService { status, .. } => (200..300).contains(status),
            _ => false,
        }
    }
}

/// The kind of a body that could not be read.
pub(crate) fn unexpected_body(body: &[u8]) -> UnexpectedBody {
    let start = String::from_utf8_lossy(&body[..body.len().min(512)]).trim_start().to_ascii_lowercase();
    if start.starts_with("<!doctype html") || start.starts_with("<html") {
        UnexpectedBody::Html
    } else if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() {
        UnexpectedBody::OtherShape
    } else {
        UnexpectedBody::NotJson
    }
}

/// Whether a code says that there is no such route, as some services do in an envelope.
fn is_of_a_route(code: &str) -> bool {
    code.split('_').any(|word| matches!(word, "route" | "endpoint"))
}

/// An envelope for an answer without one.
fn bare(error_type: ErrorType) -> ErrorBody {
    ErrorBody {
        error_type,
        code: String::new(),
        message: String::new(),
        doc_url: None,
        request_id: None,
        details: None,
        retry_after_ms: None,
        causes: None,
    }
}

fn chain<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The system's own message, without the layers above it, which may name addresses.
fn innermost(error: &(dyn StdError + 'static)) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default()
}

/// Whether rustls reported a peer that it cannot trust or understand.
fn is_invalid_data(error: &(dyn StdError + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| {
        // An I/O error that wraps another hides it from the chain of sources.
        error.kind() == io::ErrorKind::InvalidData || error.get_ref().is_some_and(|inner| is_invalid_data(inner))
    })
}

#[cfg(test)]
mod tests;
