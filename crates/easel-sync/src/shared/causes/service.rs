//! Translates errors of the client into causes (contract, "Errors").
//!
//! Pure, and the one place where this is decided, for dropped files and for synced folders. Always true: an error is
//! judged by its kind, its `type`, its `code` and the fields that it names, never by its message.

use std::time::Duration;

use easel_client::Error as ClientError;
use easel_wire::error::code;
use easel_wire::{ErrorBody, ErrorType};
use serde_json::Value;

use super::{Cause, Failure, Waiting, of_io};
use crate::shared::ports::{DiskError, DriveError, Hold};

/// Codes for a file whose type the service does not take. The last ones are of other services than ours.
const MEDIA_TYPE_CODES: [&str; 6] = [
    "unsupported_media_type",
    "media_type_not_allowed",
    "invalid_media_type",
    "unsupported_mime_type",
    "invalid_mime_type",
    "unsupported_file_type",
];
/// What services call the field of a file's type.
const MEDIA_TYPE_FIELDS: [&str; 5] = ["mime_type", "media_type", "content_type", "content-type", "file_type"];
/// What services call the field of a file's name.
const NAME_FIELDS: [&str; 3] = ["name", "filename", "file"];
/// Conflicts that are not about a name (contract, "Errors").
const OTHER_CONFLICTS: [&str; 3] = [code::IDEMPOTENCY_CONFLICT, code::CANVAS_ACTIVE_JOB, code::CONCURRENT_TASK_LIMIT];
/// Codes for a file that is too large; the first is the contract's.
const SIZE_CODES: [&str; 3] = [code::FILE_TOO_LARGE, "payload_too_large", "too_large"];

impl From<&ClientError> for DriveError {
    fn from(error: &ClientError) -> Self {
        let classifier = ErrorClassifier { error };
        match error {
            ClientError::Api { status, error: body, .. } => classifier.of_answer(*status, body),
            ClientError::Storage { status, code } => classifier.of_storage(*status, code.as_deref()),
            _ => classifier.of_the_rest(),
        }
    }
}

impl From<ClientError> for DriveError {
    fn from(error: ClientError) -> Self {
        Self::from(&error)
    }
}

/// The cause that has to pass before a request can succeed after this error; `None` where waiting will not help.
#[must_use]
pub fn wait_after(error: &ClientError) -> Option<Waiting> {
    match DriveError::from(error) {
        DriveError::Unanswered(hold) | DriveError::Deferred(hold) => Some(hold.waiting),
        DriveError::RouteMissing => Some(Waiting::NotTheService),
        _ => None,
    }
}

/// An error that is being judged.
struct ErrorClassifier<'a> {
    error: &'a ClientError,
}

impl ErrorClassifier<'_> {
    fn failure(&self, cause: Cause) -> Failure {
        Failure { cause, request_id: self.error.request_id().map(str::to_owned) }
    }

    fn refused(&self, cause: Cause) -> DriveError {
        DriveError::Refused(self.failure(cause))
    }

    /// A wait that no item can be the cause of.
    fn hold(&self, waiting: Waiting) -> Hold {
        let after = self.error.retry_after().map(|after: Duration| after.as_millis());
        Hold {
            waiting,
            after_ms: after.map(|after| u64::try_from(after).unwrap_or(u64::MAX)),
            failure_if_repeated: None,
        }
    }

    /// A wait that may be one item's fault: if that item meets it again and again while others get through, the item
    /// fails of `cause`. Else it could go on for ever, because a probe may get through where the item's own request
    /// does not.
    fn blaming(&self, waiting: Waiting, cause: Cause) -> Hold {
        Hold { failure_if_repeated: Some(Box::new(self.failure(cause))), ..self.hold(waiting) }
    }

    fn of_the_rest(&self) -> DriveError {
        let broken = || self.blaming(Waiting::Offline, Cause::ConnectionBroken);
        match self.error {
            ClientError::Unreachable { .. } => DriveError::Deferred(self.hold(Waiting::Offline)),
            ClientError::ConnectionBroken { .. } | ClientError::TimedOut => DriveError::Unanswered(broken()),
            ClientError::AnswerLost { cause } => match Self::from_cause(cause) {
                DriveError::Unanswered(hold) | DriveError::Deferred(hold) => DriveError::Unanswered(hold),
                _ => DriveError::Unanswered(broken()),
            },
            ClientError::Tls { .. } => DriveError::Deferred(self.hold(Waiting::NotTrusted)),
            ClientError::Setup { reason } => {
                DriveError::Deferred(self.hold(Waiting::SetupFailed { reason: reason.clone() }))
            }
            ClientError::RedirectRefused { to_host } => {
                let waiting = Waiting::RedirectRefused { to_host: to_host.clone() };
                DriveError::Deferred(self.blaming(waiting, Cause::ServiceFailed { status: 0 }))
            }
            ClientError::NotTheService { status, .. } => {
                DriveError::Unanswered(self.blaming(Waiting::NotTheService, Cause::ServiceFailed { status: *status }))
            }
            ClientError::RouteMissing => DriveError::RouteMissing,
            ClientError::InvalidAddress { .. } | ClientError::InvalidVersionHeader { .. } => {
                DriveError::Deferred(self.hold(Waiting::NotTheService))
            }
            // The connection's own host is judged when its client is made, so this host is storage's.
            ClientError::PlainHttpRefused { host } => self.refused(Cause::NotEncrypted { host: host.clone() }),
            ClientError::OtherVersion => DriveError::Deferred(broken()),
            ClientError::Contradiction { .. } => {
                DriveError::Unanswered(self.blaming(Waiting::AnswersContradict, Cause::ServiceFailed { status: 200 }))
            }
            ClientError::MediaTypeRefused { mime_type, message } => {
                self.refused(Cause::MediaTypeNotTaken { mime_type: mime_type.clone(), message: message.clone() })
            }
            ClientError::Id(error) => self.refused(Cause::Refused {
                status: 0,
                error_code: "id_without_prefix".to_owned(),
                message: error.to_string(),
            }),
            ClientError::InvalidKey => DriveError::Deferred(self.hold(Waiting::KeyRefused)),
            ClientError::TooLargeForGateway => DriveError::RouteAgain,
            ClientError::UrlExpired => DriveError::Expired,
            ClientError::FileTooLarge { size_bytes, max_file_bytes, is_plan_limit } => self.refused(Cause::TooLarge {
                size_bytes: *size_bytes,
                max_file_bytes: *max_file_bytes,
                is_plan_limit: *is_plan_limit,
            }),
            ClientError::SourceChanged => DriveError::SourceChanged,
            ClientError::SourceUnreadable { io } => self.refused(of_io(io)),
            ClientError::SourceNotAFile => self.refused(Cause::NotAFile),
            ClientError::DestinationUnwritable { io } => DriveError::Disk(of_disk(io)),
            ClientError::ContentMismatch => DriveError::Corrupt,
            ClientError::Api { .. } | ClientError::Storage { .. } => DriveError::Unanswered(broken()),
        }
    }

    fn from_cause(cause: &ClientError) -> DriveError {
        DriveError::from(cause)
    }

    /// The error for an answer of object storage.
    fn of_storage(&self, status: u16, code: Option<&str>) -> DriveError {
        let failing = || self.blaming(Waiting::ServiceFailing { status }, Cause::ServiceFailed { status });
        match status {
            _ if self.error.is_storage_full() => DriveError::Deferred(self.hold(Waiting::StorageFull)),
            413 => self.refused(Cause::SizeNotTaken { message: String::new() }),
            403 => DriveError::Expired,
            500.. => DriveError::Unanswered(failing()),
            _ => self.refused(Cause::Refused {
                status,
                error_code: code.unwrap_or_default().to_owned(),
                message: String::new(),
            }),
        }
    }

    /// The error for an answer of the service.
    fn of_answer(&self, status: u16, body: &ErrorBody) -> DriveError {
        let held = |waiting| DriveError::Deferred(self.hold(waiting));
        match (&body.error_type, body.code.as_str()) {
            (_, code::STORAGE_FULL | code::QUOTA_EXCEEDED) => held(Waiting::StorageFull),
            (_, code::UPLOAD_NOT_FOUND) => DriveError::NotStaged,
            (_, code::UNSUPPORTED_VERSION) => held(Waiting::NotTheService),
            (ErrorType::Authentication, _) => held(Waiting::KeyRefused),
            (_, code::MISSING_SCOPE) => held(Waiting::NotPermitted),
            _ if self.error.missing_scope().is_some() => held(Waiting::NotPermitted),
            (ErrorType::RateLimited, _) => held(Waiting::RateLimited),
            _ if status == 507 => held(Waiting::StorageFull),
            _ if status >= 500 => DriveError::Unanswered(
                self.blaming(Waiting::ServiceFailing { status }, Cause::ServiceFailed { status }),
            ),
            (_, code::CONTENT_CHANGED) => DriveError::ContentChanged,
            _ if self.error.is_name_conflict() => DriveError::NameTaken,
            (_, code::FOLDER_CIRCULAR_REFERENCE) => DriveError::Circular,
            (_, code::FOLDER_NOT_EMPTY) => DriveError::NotEmpty,
            // Services have codes of their own for other conflicts: of an item, it is another one with its name.
            (_, code) if status == 409 && !OTHER_CONFLICTS.contains(&code) => DriveError::NameTaken,
            (ErrorType::NotFound, _) => DriveError::NotFound,
            _ => self.refused(cause_of_refusal(status, body)),
        }
    }
}

/// The cause of a refusal of an item.
fn cause_of_refusal(status: u16, body: &ErrorBody) -> Cause {
    let (code, message) = (body.code.as_str(), body.message.clone());
    let details = body.details.as_ref();
    let text = |key: &str| details.and_then(|details| details.get(key)).and_then(Value::as_str);
    if status == 415 || MEDIA_TYPE_CODES.contains(&code) || names_a_field(details, &MEDIA_TYPE_FIELDS) {
        let mime_type = MEDIA_TYPE_FIELDS.into_iter().find_map(text).unwrap_or_default().to_owned();
        Cause::MediaTypeNotTaken { mime_type, message }
    } else if status == 413 || SIZE_CODES.contains(&code) {
        Cause::SizeNotTaken { message }
    } else if names_a_field(details, &NAME_FIELDS) {
        Cause::NameNotAllowed { message }
    } else {
        Cause::Refused { status, error_code: body.code.clone(), message }
    }
}

/// Whether a refusal names one of these fields as wrong: in `fields`, as the contract has it, or alone.
fn names_a_field(details: Option<&Value>, names: &[&str]) -> bool {
    let Some(details) = details else { return false };
    let is_named = |field: &Value| {
        let name = field.as_str().or_else(|| field.get("field")?.as_str());
        name.is_some_and(|name| names.contains(&name))
    };
    let fields = details.get("fields").and_then(Value::as_array);
    fields.is_some_and(|fields| fields.iter().any(is_named)) || details.get("field").is_some_and(is_named)
}

fn of_disk(error: &std::io::Error) -> DiskError {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => DiskError::Full,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => DiskError::Denied,
        ErrorKind::InvalidFilename => DiskError::NameNotAllowed,
        _ => DiskError::Refused,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(status: u16, error_type: &str, code: &str, details: &Value) -> ClientError {
        let body = json!({"type": error_type, "code": code, "message": "no", "details": details});
        let error = Box::new(serde_json::from_value(body).unwrap());
        ClientError::Api { status, error, retry_after: None, scope: None }
    }

    fn refused(cause: Cause) -> DriveError {
        DriveError::Refused(cause.into())
    }

    fn check(error: &ClientError, expected: &DriveError) {
        assert_eq!(&DriveError::from(error), expected, "{error}");
    }

    #[test]
    fn what_a_probe_cannot_see_fails_the_file_in_the_end_instead_of_being_tried_for_ever() {
        let storage = || "storage.example.com".to_owned();
        let host = storage();
        check(&ClientError::PlainHttpRefused { host: storage() }, &refused(Cause::NotEncrypted { host }));
        for error in [
            ClientError::RedirectRefused { to_host: storage() },
            ClientError::NotTheService { status: 200, found: easel_client::UnexpectedBody::UnusableUrl },
        ] {
            let is_counted = matches!(
                DriveError::from(&error),
                DriveError::Deferred(Hold { failure_if_repeated: Some(_), .. })
                    | DriveError::Unanswered(Hold { failure_if_repeated: Some(_), .. })
            );
            assert!(is_counted, "{error}");
        }
    }

    #[test]
    fn each_failure_of_the_service_has_its_cause() {
        let none = || json!(null);
        let held = |waiting: Waiting| DriveError::Deferred(waiting.into());
        check(&answer(401, "authentication", "", &none()), &held(Waiting::KeyRefused));
        check(&answer(403, "permission", "missing_scope", &none()), &held(Waiting::NotPermitted));
        check(&answer(404, "not_found", "file_not_found", &none()), &DriveError::NotFound);
        check(&answer(404, "not_found", "folder_not_found", &none()), &DriveError::NotFound);
        check(&answer(404, "not_found", "upload_not_found", &none()), &DriveError::NotStaged);
        check(&answer(409, "conflict", "content_changed", &none()), &DriveError::ContentChanged);
        check(&answer(409, "conflict", "folder_name_conflict", &none()), &DriveError::NameTaken);
        check(&answer(409, "conflict", "folder_not_empty", &none()), &DriveError::NotEmpty);
        check(&answer(409, "conflict", "folder_circular_reference", &none()), &DriveError::Circular);
        check(&answer(429, "rate_limited", "rate_limited", &none()), &held(Waiting::RateLimited));
        check(&answer(503, "upstream_error", "storage_full", &none()), &held(Waiting::StorageFull));
        check(&answer(422, "invalid_request", "quota_exceeded", &none()), &held(Waiting::StorageFull));
        check(&ClientError::Unreachable { reason: String::new() }, &held(Waiting::Offline));
        check(&ClientError::UrlExpired, &DriveError::Expired);
        check(&ClientError::Storage { status: 507, code: None }, &held(Waiting::StorageFull));
        check(&ClientError::SourceChanged, &DriveError::SourceChanged);
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        check(&ClientError::DestinationUnwritable { io: full }, &DriveError::Disk(DiskError::Full));
        for lost in [
            answer(502, "upstream_error", "", &none()),
            answer(500, "internal_error", "", &none()),
            ClientError::TimedOut,
            ClientError::AnswerLost { cause: Box::new(ClientError::SourceChanged) },
        ] {
            assert!(matches!(DriveError::from(&lost), DriveError::Unanswered(_)), "{lost}");
        }
    }

    #[test]
    fn a_refusal_is_sorted_by_what_it_names() {
        let message = || "no".to_owned();
        let fields = |name: &str| json!({"fields": [{"field": name, "code": "invalid"}]});
        let unprocessable = |code: &str, details: &Value| answer(422, "unprocessable", code, details);
        let name = refused(Cause::NameNotAllowed { message: message() });
        check(&unprocessable("validation_failed", &fields("name")), &name);
        check(&unprocessable("validation_failed", &json!({"fields": ["filename"]})), &name);
        let media_type =
            |mime_type: &str| refused(Cause::MediaTypeNotTaken { mime_type: mime_type.to_owned(), message: message() });
        check(&unprocessable("validation_failed", &fields("mime_type")), &media_type(""));
        check(&unprocessable("unsupported_media_type", &json!({"mime_type": "image/tiff"})), &media_type("image/tiff"));
        check(&answer(415, "invalid_request", "", &json!(null)), &media_type(""));
        let size = refused(Cause::SizeNotTaken { message: message() });
        check(&unprocessable("file_too_large", &json!(null)), &size);
        check(&answer(413, "unprocessable", "request_too_big", &json!(null)), &size);
        let other = Cause::Refused { status: 422, error_code: "moon".to_owned(), message: message() };
        check(&unprocessable("moon", &fields("phase")), &refused(other));
    }

    #[test]
    fn only_what_would_be_refused_again_is_lasting() {
        let words = String::new;
        assert!(Cause::MediaTypeNotTaken { mime_type: words(), message: words() }.is_lasting());
        assert!(Cause::Refused { status: 422, error_code: words(), message: words() }.is_lasting());
        for passing in [Cause::FolderGone, Cause::Changed, Cause::Vanished, Cause::ConnectionBroken, Cause::NameTaken] {
            assert!(!passing.is_lasting(), "{passing:?}");
        }
    }
}
