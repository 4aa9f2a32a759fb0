//! The error envelope (contract, "Errors").
//!
//! A client branches on `type`, then `code`, never on `message`. Not here: what a client does about an error.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::lenient;
use crate::open_enum::open_enum;

open_enum! {
    /// The `type` of an error, which fixes its status.
    ErrorType {
        /// 400.
        InvalidRequest = "invalid_request",
        /// 401, with `WWW-Authenticate: Bearer`.
        Authentication = "authentication",
        /// 403.
        Permission = "permission",
        /// 404.
        NotFound = "not_found",
        /// 409.
        Conflict = "conflict",
        /// 409: an idempotency key used again with another body.
        IdempotencyConflict = "idempotency_conflict",
        /// 422.
        Unprocessable = "unprocessable",
        /// 429, with `Retry-After`.
        RateLimited = "rate_limited",
        /// 502, 503 or 504.
        UpstreamError = "upstream_error",
        /// 500.
        InternalError = "internal_error",
    }
}

impl ErrorType {
    /// The type that a status stands for where the body says nothing usable; `None` for a status that is no error.
    #[must_use]
    pub fn of_status(status: u16) -> Option<Self> {
        Some(match status {
            401 => Self::Authentication,
            403 => Self::Permission,
            404 => Self::NotFound,
            409 => Self::Conflict,
            413 | 422 => Self::Unprocessable,
            429 => Self::RateLimited,
            502..=504 => Self::UpstreamError,
            400..=499 => Self::InvalidRequest,
            500..=599 => Self::InternalError,
            _ => return None,
        })
    }
}

/// The error codes of the contract. A code is text on the wire, and an unknown one is handled by its `type`.
pub mod code {
    macro_rules! codes {
        ($($name:ident = $text:literal;)+) => {
            $(#[doc = concat!("`", $text, "`")] pub const $name: &str = $text;)+
            /// Every code of the contract.
            pub const ALL: &[&str] = &[$($text),+];
        };
    }
    codes! {
        INVALID_REQUEST = "invalid_request";
        UNSUPPORTED_VERSION = "unsupported_version";
        AUTHENTICATION = "authentication";
        VALIDATION_FAILED = "validation_failed";
        MISSING_SCOPE = "missing_scope";
        RATE_LIMITED = "rate_limited";
        EXPORT_RATE_LIMITED = "export_rate_limited";
        CONCURRENT_TASK_LIMIT = "concurrent_task_limit";
        CANVAS_ACTIVE_JOB = "canvas_active_job";
        IDEMPOTENCY_CONFLICT = "idempotency_conflict";
        FILE_TOO_LARGE = "file_too_large";
        QUOTA_EXCEEDED = "quota_exceeded";
        FILE_NOT_FOUND = "file_not_found";
        CANVAS_NOT_FOUND = "canvas_not_found";
        TASK_NOT_FOUND = "task_not_found";
        FOLDER_NOT_FOUND = "folder_not_found";
        BRAND_KIT_NOT_FOUND = "brand_kit_not_found";
        DELIVERY_NOT_FOUND = "delivery_not_found";
        UPLOAD_NOT_FOUND = "upload_not_found";
        FOLDER_NAME_CONFLICT = "folder_name_conflict";
        FILE_NAME_CONFLICT = "file_name_conflict";
        CANVAS_NAME_CONFLICT = "canvas_name_conflict";
        VERSION_NOT_FOUND = "version_not_found";
        CONTENT_CHANGED = "content_changed";
        CANVAS_CHANGED = "canvas_changed";
        TEXT_TOO_LONG = "text_too_long";
        PICTURE_UNREADABLE = "picture_unreadable";
        TYPEFACE_MISSING = "typeface_missing";
        INVITATION_REFUSED = "invitation_refused";
        INVITATION_NOT_FOUND = "invitation_not_found";
        USER_NOT_FOUND = "user_not_found";
        API_KEY_NOT_FOUND = "api_key_not_found";
        USER_EXISTS = "user_exists";
        ONLY_OWNER = "only_owner";
        FOLDER_CIRCULAR_REFERENCE = "folder_circular_reference";
        FOLDER_NOT_EMPTY = "folder_not_empty";
        REPLAY_NOT_PERMITTED = "replay_not_permitted";
        VISIBILITY_CHANGE_DENIED = "visibility_change_denied";
        CALLBACK_URL_NOT_ALLOWED = "callback_url_not_allowed";
        STORAGE_FULL = "storage_full";
        NOT_FOUND = "not_found";
        PERMISSION = "permission";
        INTERNAL_ERROR = "internal_error";
    }
}

/// The body of every error but the gateway's bare 413 and storage's XML.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Envelope {
    /// What went wrong.
    pub error: ErrorBody,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ErrorBody {
    /// Fixes the status; branch on it first.
    #[serde(rename = "type", default = "untold", deserialize_with = "read_type")]
    #[schema(required = true)]
    pub error_type: ErrorType,
    /// Branch on it second; see [`code`].
    #[serde(default, deserialize_with = "lenient::read")]
    pub code: String,
    /// For a person who reads logs; never to branch on.
    #[serde(default, deserialize_with = "lenient::read")]
    pub message: String,
    /// Where the error is described.
    #[serde(default, deserialize_with = "lenient::read")]
    pub doc_url: Option<String>,
    /// The same value as the `X-Request-ID` header.
    #[serde(default, deserialize_with = "lenient::read")]
    pub request_id: Option<String>,
    /// Depends on `code`: `fields`, `required`, `existing_id`, `max_file_bytes`, `requested`, `supported`.
    #[serde(default, deserialize_with = "lenient::read")]
    pub details: Option<Value>,
    /// Milliseconds to wait before trying again.
    #[serde(default, deserialize_with = "lenient::read")]
    pub retry_after_ms: Option<u64>,
    /// What led to it, outermost first.
    #[serde(default, deserialize_with = "lenient::read")]
    pub causes: Option<Value>,
}

/// The type of an error that tells none: it follows from the status.
fn untold() -> ErrorType {
    ErrorType::Other(String::new())
}

fn read_type<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<ErrorType, D::Error> {
    Ok(lenient::read::<D, Option<ErrorType>>(deserializer)?.unwrap_or_else(untold))
}

impl Envelope {
    /// Reads a body as an envelope. The specification does not show its fields, so three forms are understood: an
    /// object under `error` that says a type, a code or a message; the same fields without `error` around them, where
    /// they tell a code or a type; and an `error` that is the code as text, with a description or of several words
    /// joined.
    #[must_use]
    pub fn from_json(body: &[u8]) -> Option<Self> {
        let mut fields: Map<String, Value> = serde_json::from_slice(body).ok()?;
        match fields.get("error") {
            Some(Value::Object(_)) => {
                let envelope: Self = serde_json::from_value(Value::Object(fields)).ok()?;
                envelope.says_anything().then_some(envelope)
            }
            Some(Value::String(text)) => {
                let described = ["error_description", "message", "detail"].into_iter().find_map(|it| fields.get(it));
                let described = described.and_then(Value::as_str).map(str::to_owned);
                if !is_code(text) || (described.is_none() && !text.contains('_')) {
                    return None;
                }
                let code = fields.remove("error")?;
                fields.insert("code".to_owned(), code);
                fields.extend(described.map(|described| ("message".to_owned(), Value::String(described))));
                Self::of_fields(fields)
            }
            Some(_) => None,
            None => {
                let is_told = |name: &str| fields.get(name).and_then(Value::as_str).is_some_and(is_code);
                (is_told("code") || is_told("type")).then(|| Self::of_fields(fields)).flatten()
            }
        }
    }

    fn of_fields(fields: Map<String, Value>) -> Option<Self> {
        Some(Self { error: serde_json::from_value(Value::Object(fields)).ok()? })
    }

    fn says_anything(&self) -> bool {
        let Self { error } = self;
        error.error_type != untold() || !error.code.is_empty() || !error.message.is_empty()
    }
}

/// Whether a text is an identifier for programs, and not a message for people.
fn is_code(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte))
}

/// One entry of `details.fields` with `validation_failed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FieldError {
    /// The field's path, such as `folder_id` or `attachments[0].url`.
    pub field: String,
    /// What is wrong with it, such as `required`, `unknown_field`, `wrong_type`, `out_of_range`, `too_long`.
    pub code: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_with_only_a_type_is_understood() {
        let envelope: Envelope = serde_json::from_str(r#"{"error":{"type":"weather","extra":1}}"#).unwrap();
        assert_eq!(envelope.error.error_type, ErrorType::Other("weather".into()));
        assert_eq!(envelope.error.code, "");
    }

    #[test]
    fn an_envelope_says_at_least_one_thing() {
        for body in
            [r#"{"error":{"type":"x"}}"#, r#"{"error":{"code":7}}"#, r#"{"error":{"type":null,"message":"no"}}"#]
        {
            assert!(Envelope::from_json(body.as_bytes()).is_some(), "{body}");
        }
        let strangers = ["Not Found", "not found", "gone"].map(|text| format!(r#"{{"error":"{text}"}}"#));
        for body in strangers {
            assert_eq!(Envelope::from_json(body.as_bytes()), None, "{body}");
        }
        for body in ["", "<html>", "{}", r#"{"error":{}}"#, r#"{"error":"no"}"#, r#"{"detail":"Not Found"}"#, "[]"] {
            assert_eq!(Envelope::from_json(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn an_envelope_is_understood_in_the_forms_that_services_give_it() {
        for body in [
            r#"{"error":{"type":"invalid_request","code":"unsupported_version","message":"no","details":{"a":1}}}"#,
            r#"{"type":"invalid_request","code":"unsupported_version","message":"no","details":{"a":1}}"#,
            r#"{"type":"invalid_request","error":"unsupported_version","error_description":"no","details":{"a":1}}"#,
        ] {
            let error = Envelope::from_json(body.as_bytes()).unwrap().error;
            assert_eq!(
                (error.error_type, error.code.as_str()),
                (ErrorType::InvalidRequest, "unsupported_version"),
                "{body}"
            );
            assert_eq!((error.message.as_str(), error.details), ("no", Some(serde_json::json!({"a": 1}))), "{body}");
        }
        // Errors of JSON services of other kinds.
        for body in [r#"{"message":"Not Found"}"#, r#"{"code":404,"message":"Not Found"}"#, r#"{"type":"about:blank"}"#]
        {
            assert_eq!(Envelope::from_json(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn a_status_stands_for_its_type() {
        assert_eq!(ErrorType::of_status(413), Some(ErrorType::Unprocessable));
        assert_eq!(ErrorType::of_status(418), Some(ErrorType::InvalidRequest));
        assert_eq!(ErrorType::of_status(503), Some(ErrorType::UpstreamError));
        assert_eq!(ErrorType::of_status(204), None);
    }
}
