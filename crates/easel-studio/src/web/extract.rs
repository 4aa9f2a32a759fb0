//! Reading requests: bodies, queries and paths, with every bad input turned into the contract's answer.
//!
//! Malformed JSON is 400; well-formed but wrong is 422 with each field named; a path that names nothing is 404
//! (contract, "Ids" and "Requests and responses"). Nothing is clamped or guessed. Unknown query parameters are ignored.

use std::borrow::Cow;
use std::str::FromStr;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use easel_wire::Version;
use easel_wire::error::{FieldError, code};
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::core::error::Error;
use crate::core::names::Name;
use crate::wire::id::Kind;
use crate::wire::{Id, IdError, ItemRef, UnknownValue, VersionId};

/// The largest JSON body that is read; no request of the contract comes near it.
const JSON_CEILING_BYTES: usize = 1024 * 1024;

/// A JSON object in the body, read as a `T` that refuses unknown fields.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        parse_json(&read_body(request.into_body()).await?).map(Self)
    }
}

async fn read_body(body: Body) -> Result<bytes::Bytes, Error> {
    match Limited::new(body, JSON_CEILING_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(Error::invalid_request(format!("a JSON body is at most {JSON_CEILING_BYTES} bytes long")))
        }
        Err(_) => Err(Error::invalid_request("the body ended early")),
    }
}

/// Reads a JSON object.
///
/// # Errors
/// [`Error::InvalidRequest`] where it is not JSON, [`Error::Validation`] where it is not a `T`.
pub fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let malformed = |error: &serde_json::Error| Error::invalid_request(format!("the body is not valid JSON: {error}"));
    if let Err(error) = std::str::from_utf8(bytes) {
        // A refused field is skipped without being parsed, so the deserializer alone would not notice the error there.
        return Err(Error::invalid_request(format!("the body is not valid JSON: {error}")));
    }
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        // A struct could be read from an array by position; only an object names its fields.
        return match serde_json::from_slice::<Value>(bytes) {
            Ok(_) => Err(Error::validation("body", "wrong_type")),
            Err(error) => Err(malformed(&error)),
        };
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    match serde_path_to_error::deserialize(&mut reader) {
        Ok(value) => match reader.end() {
            Ok(()) => Ok(value),
            Err(error) => Err(malformed(&error)),
        },
        // The text after the first wrong field may still not be JSON at all.
        Err(error) => match serde_json::from_slice::<Value>(bytes) {
            Err(malformed_later) => Err(malformed(&malformed_later)),
            Ok(_) => Err(describe(&error.path().to_string(), &error.inner().to_string())),
        },
    }
}

/// The field error in what serde says about a field.
fn describe(path: &str, complaint: &str) -> Error {
    let quoted = || complaint.split('`').nth(1).unwrap_or_default();
    let within = |name: &str| match path {
        "." => name.to_owned(),
        path if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        path => format!("{path}.{name}"),
    };
    let here = || if path == "." { "body".to_owned() } else { path.to_owned() };
    let (field, code) = if complaint.starts_with("missing field") {
        (within(quoted()), "required")
    } else if complaint.starts_with("unknown field") {
        (within(quoted()), "unknown_field")
    } else if complaint.starts_with("duplicate field") {
        (within(quoted()), "duplicate")
    } else if complaint.starts_with("invalid type") {
        (here(), "wrong_type")
    } else if complaint.starts_with("invalid value") {
        (here(), "out_of_range")
    } else if complaint.starts_with("unknown variant") {
        (here(), "unknown_value")
    } else {
        (here(), "invalid")
    };
    let mut error = Error::validation(field, code);
    if let Error::Validation { fields, message } = &mut error {
        let field = fields.first().map_or("body", |first| first.field.as_str());
        *message = format!("{field}: {}", complaint.split(" at line ").next().unwrap_or(complaint));
    }
    error
}

/// The query of a request.
#[derive(Debug, Clone, Default)]
pub struct Query(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default()))
    }
}

impl Query {
    /// The parameters of a query string.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self(url::form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The parameter `name`, also where it is empty.
    ///
    /// # Errors
    /// [`Error::Validation`] where it stands there twice with different values.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Error> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let first = values.next();
        if values.any(|value| Some(value) != first) {
            return Err(Error::validation(name, "duplicate"));
        }
        Ok(first)
    }

    /// One of the values that `name` may have.
    ///
    /// # Errors
    /// [`Error::Validation`] with `unknown_value`.
    pub fn choice<T: FromStr<Err = UnknownValue>>(&self, name: &str) -> Result<Option<T>, Error> {
        let read = self.text(name)?.map(str::parse).transpose();
        read.map_err(|UnknownValue| Error::validation(name, "unknown_value"))
    }

    /// The whole number `name`, within `range`.
    ///
    /// # Errors
    /// [`Error::Validation`] with `wrong_type` or `out_of_range`; never clamped.
    pub fn number(&self, name: &str, range: std::ops::RangeInclusive<u64>) -> Result<Option<u64>, Error> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(Error::validation(name, "wrong_type"));
        }
        match text.parse::<u64>() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(Error::validation(name, "out_of_range")),
        }
    }

    /// The truth value `name`: `true` or `false`.
    ///
    /// # Errors
    /// [`Error::Validation`].
    pub fn boolean(&self, name: &str) -> Result<Option<bool>, Error> {
        match self.text(name)? {
            None => Ok(None),
            Some("true" | "1") => Ok(Some(true)),
            Some("false" | "0") => Ok(Some(false)),
            Some(_) => Err(Error::validation(name, "wrong_type")),
        }
    }
}

/// The first parameter of the path, as an id; anything else is 404 with the resource's own code.
#[derive(Debug)]
pub struct PathId<K: Kind>(pub Id<K>);

impl<K: Kind + 'static, S: Send + Sync> FromRequestParts<S> for PathId<K> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let text = path_parameter(parts, state).await?;
        text.parse()
            .map(Self)
            .map_err(|error: IdError| Error::NotFound { code: not_found_code(K::PREFIX), message: error.to_string() })
    }
}

/// The only parameter of the path, as an id in its prefixed form alone; anything else is 404 (specification,
/// "Identifiers", rule 4).
#[derive(Debug)]
pub struct PathPrefixedId<K: Kind>(pub Id<K>);

impl<K: Kind + 'static, S: Send + Sync> FromRequestParts<S> for PathPrefixedId<K> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let is_bare = !path_parameter(parts, state).await?.contains('_');
        match PathId::from_request_parts(parts, state).await? {
            PathId(_) if is_bare => Err(Error::not_found(not_found_code(K::PREFIX))),
            PathId(id) => Ok(Self(id)),
        }
    }
}

/// The two parameters of the path of a version: its file or canvas, and itself. Anything else is 404.
#[derive(Debug)]
pub struct PathVersion<K: Kind>(pub Id<K>, pub VersionId);

impl<K: Kind + 'static, S: Send + Sync> FromRequestParts<S> for PathVersion<K> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let PathId(owner) = PathId::<K>::from_request_parts(parts, state).await?;
        let parameters = RawPathParams::from_request_parts(parts, state).await;
        let version = parameters.ok().and_then(|all| all.iter().nth(1).and_then(|(_, text)| text.parse().ok()));
        Ok(Self(owner, version.ok_or_else(|| Error::not_found(code::VERSION_NOT_FOUND))?))
    }
}

/// The only parameter of the path, as a reference to a drive item: a bare UUID is 422, what is no item is 404
/// (contract, "Ids").
#[derive(Debug, Clone, Copy)]
pub struct PathItem(pub ItemRef);

impl<S: Send + Sync> FromRequestParts<S> for PathItem {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let text = path_parameter(parts, state).await?;
        text.parse().map(Self).map_err(|error: IdError| match error {
            IdError::BareUuid { .. } => Error::invalid_id("item_ref", &error),
            IdError::NotAnId { expected } => {
                Error::NotFound { code: code::NOT_FOUND, message: format!("not an id: expected {expected}") }
            }
            _ => Error::NotFound { code: code::NOT_FOUND, message: error.to_string() },
        })
    }
}

async fn path_parameter<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<Cow<'static, str>, Error> {
    let parameters = RawPathParams::from_request_parts(parts, state).await;
    let value = parameters.ok().and_then(|all| all.iter().next().map(|(_, value)| value.to_owned()));
    value.map(Cow::Owned).ok_or_else(|| Error::not_found(code::NOT_FOUND))
}

/// The code of "there is no such …" for a kind of id that stands in paths; a folder stands there as a drive item alone.
#[must_use]
pub fn not_found_code(prefix: &str) -> &'static str {
    match prefix {
        "file" => code::FILE_NOT_FOUND,
        "ver" => code::VERSION_NOT_FOUND,
        "cvs" => code::CANVAS_NOT_FOUND,
        "task" => code::TASK_NOT_FOUND,
        "bk" => code::BRAND_KIT_NOT_FOUND,
        "whd" => code::DELIVERY_NOT_FOUND,
        "user" => code::USER_NOT_FOUND,
        "ak" => code::API_KEY_NOT_FOUND,
        "inv" => code::INVITATION_NOT_FOUND,
        _ => code::NOT_FOUND,
    }
}

/// The version that the response is shaped by; [`crate::routes::gateway`] sets it.
#[derive(Debug, Clone, Copy)]
pub struct Shape(pub Version);

impl<S: Send + Sync> FromRequestParts<S> for Shape {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or(Self(Version::Legacy)))
    }
}

/// Reads the name in the field `field` of a body.
///
/// # Errors
/// 422 for the field, in the words of the [`crate::core::names::NameError`].
pub fn read_name(field: &str, text: &str) -> Result<Name, Error> {
    Name::parse(text).map_err(|error| Error::Validation {
        fields: vec![FieldError { field: field.to_owned(), code: error.code().to_owned() }],
        message: format!("{field}: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::brand_kits::WriteBrandKit;
    use crate::wire::uploads::SignUpload;

    fn field_error(error: Error) -> (u16, String, String) {
        let status = error.status().as_u16();
        match error {
            Error::Validation { fields, .. } => (status, fields[0].field.clone(), fields[0].code.clone()),
            _ => (status, String::new(), String::new()),
        }
    }

    #[test]
    fn what_is_wrong_with_a_body_is_named() {
        let check = |body: &str, status: u16, field: &str, code: &str| {
            let error = parse_json::<SignUpload>(body.as_bytes()).unwrap_err();
            assert_eq!(field_error(error), (status, field.to_owned(), code.to_owned()), "{body}");
        };
        check("", 400, "", "");
        check("{", 400, "", "");
        check("{\"filename\": 1, ", 400, "", "");
        check("\u{feff}{}", 400, "", "");
        check(r#"{"x":"\ud800"}"#, 400, "", "");
        check(r#"{"filename":"a","mime_type":"b"} x"#, 400, "", "");
        check(r#"["a", "b", 60]"#, 422, "body", "wrong_type");
        check("null", 422, "body", "wrong_type");
        check("{}", 422, "filename", "required");
        check(r#"{"filename":"a","mime_type":"b","x":1}"#, 422, "x", "unknown_field");
        check(r#"{"filename":7,"mime_type":"b"}"#, 422, "filename", "wrong_type");
        check(r#"{"filename":"a","mime_type":"b","expires_in_seconds":-1}"#, 422, "expires_in_seconds", "out_of_range");
        check(r#"{"filename":"a","mime_type":"b","expires_in_seconds":1.5}"#, 422, "expires_in_seconds", "wrong_type");
        check(r#"{"filename":"a","filename":"a","mime_type":"b"}"#, 422, "filename", "duplicate");
    }

    #[test]
    fn a_field_within_another_is_named_by_its_whole_path() {
        let check = |body: &str, field: &str, code: &str| {
            let error = parse_json::<WriteBrandKit>(body.as_bytes()).unwrap_err();
            assert_eq!(field_error(error), (422, field.to_owned(), code.to_owned()), "{body}");
        };
        check(r##"{"title":"a","colors":[{"color":"#ff0000"},{"label":"b"}]}"##, "colors[1].color", "required");
        check(r##"{"title":"a","colors":[{"color":"#ff0000","x":1}]}"##, "colors[0].x", "unknown_field");
        check(r#"{"title":"a","colors":[{"color":7}]}"#, "colors[0].color", "wrong_type");
        check(r#"{"title":"a","colors":[7]}"#, "colors[0]", "wrong_type");
        check(r#"{"title":"a","colors":7}"#, "colors", "wrong_type");
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_a_mebibyte_and_to_its_end() {
        let whole = read_body(Body::from(vec![b' '; 1_048_576])).await.unwrap();
        assert_eq!(whole.len(), 1_048_576);
        let check = async |body: Body, words: &str| {
            let error = read_body(body).await.unwrap_err();
            assert_eq!(error.status(), 400);
            assert!(error.to_string().contains(words), "{error}");
        };
        check(Body::from(vec![b' '; 1_048_577]), "at most 1048576 bytes").await;
        let broken = futures_util::stream::iter([Ok("{"), Err(std::io::Error::other("the connection broke"))]);
        check(Body::from_stream(broken), "ended early").await;
    }

    #[test]
    fn a_truth_value_is_written_out() {
        let check = |text: &str, expected: Result<Option<bool>, &str>| {
            let found = Query::parse(text).boolean("wait").map_err(|error| field_error(error).2);
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        };
        check("", Ok(None));
        check("wait=true", Ok(Some(true)));
        check("wait=1", Ok(Some(true)));
        check("wait=false", Ok(Some(false)));
        check("wait=0", Ok(Some(false)));
        check("wait=yes", Err("wrong_type"));
        check("wait=", Err("wrong_type"));
        check("wait=true&wait=false", Err("duplicate"));
    }

    #[test]
    fn a_query_is_never_clamped() {
        let check = |text: &str, expected: Result<Option<u64>, &str>| {
            let found = Query::parse(text).number("limit", 1..=100).map_err(|error| field_error(error).2);
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        };
        check("", Ok(None));
        check("other=1", Ok(None));
        check("limit=1", Ok(Some(1)));
        check("limit=100", Ok(Some(100)));
        check("limit=0", Err("out_of_range"));
        check("limit=101", Err("out_of_range"));
        check("limit=-1", Err("out_of_range"));
        check("limit=99999999999999999999999999", Err("out_of_range"));
        check("limit=1e2", Err("wrong_type"));
        check("limit=ten", Err("wrong_type"));
        check("limit=", Err("wrong_type"));
        check("limit=1&limit=2", Err("duplicate"));
    }
}
