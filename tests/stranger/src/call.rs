//! One request, read: which endpoint, what it sent, who sent it, and in which version it is answered.

use bytes::Bytes;
use data_encoding::HEXLOWER;
use http::HeaderMap;
use jiff::Timestamp;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::reply::Refusal;
use crate::route::Route;

/// Bytes with their hash, computed once.
#[derive(Debug, Clone)]
pub(crate) struct Blob {
    pub(crate) bytes: Bytes,
    /// SHA-256 in lower-case hex.
    pub(crate) sha256: String,
}

impl Blob {
    pub(crate) fn new(bytes: Bytes) -> Self {
        let sha256 = HEXLOWER.encode(&Sha256::digest(&bytes));
        Self { bytes, sha256 }
    }

    pub(crate) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// A multipart form, read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    /// The name, the media type and the bytes of the field `file`.
    pub(crate) file: Option<(String, String, Blob)>,
    /// Every other field.
    pub(crate) texts: Vec<(String, String)>,
}

/// What a request carried.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Nothing,
    Json(Value),
    /// Bytes that should have been JSON or a form.
    Malformed,
    Form(Form),
    /// What is put into storage.
    Blob(Blob),
    /// More than the gateway lets through: so many bytes.
    TooLarge(u64),
}

/// The versions that are answered here (specification, Versioning).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    /// 2026-04-12.
    Older,
    /// 2026-05-01.
    Newer,
    /// 2026-08-01, which nobody's specification has: answered as the newer one.
    Further,
}

impl Version {
    pub(crate) const EVERY: [Self; 3] = [Self::Older, Self::Newer, Self::Further];

    pub(crate) fn date(self) -> &'static str {
        match self {
            Self::Older => "2026-04-12",
            Self::Newer => "2026-05-01",
            Self::Further => "2026-08-01",
        }
    }
}

/// A request that passed the gate.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) route: Route,
    /// What stands in the path's place, else nothing.
    pub(crate) place: String,
    pub(crate) query: &'a [(String, String)],
    pub(crate) headers: &'a HeaderMap,
    pub(crate) content: &'a Content,
    /// The text of the key; empty where none is needed.
    pub(crate) key: String,
    pub(crate) now: Timestamp,
    /// Whether the answer has the shape of 2026-04-12.
    pub(crate) is_older: bool,
}

impl Call<'_> {
    /// A query parameter that is there and not empty.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    /// A query parameter that is a whole number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Refusal> {
        self.query(name).map(|text| text.parse().map_err(|_| Refusal::fields(&[(name, "not_a_number")]))).transpose()
    }

    /// The object that was sent, all of whose fields are among `known`.
    pub(crate) fn fields(&self, known: &[&str]) -> Result<Fields<'_>, Refusal> {
        let object = match self.content {
            Content::Json(Value::Object(object)) => object,
            Content::Json(_) => return Err(Refusal::fields(&[("body", "not_an_object")])),
            _ => return Err(Refusal::new(400, "invalid_request", "The body is not JSON")),
        };
        let unknown = object
            .keys()
            .filter(|field| !known.contains(&field.as_str()))
            .map(|field| (field.as_str(), "unknown_field"))
            .collect::<Vec<_>>();
        if unknown.is_empty() { Ok(Fields(object)) } else { Err(Refusal::fields(&unknown)) }
    }
}

/// The fields of a JSON body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(crate) fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(self, name: &str) -> Result<Option<&'a str>, Refusal> {
        self.get(name).map(|value| value.as_str().ok_or_else(|| Refusal::fields(&[(name, "not_a_text")]))).transpose()
    }

    pub(crate) fn some_text(self, name: &str) -> Result<&'a str, Refusal> {
        self.text(name)?.filter(|text| !text.is_empty()).ok_or_else(|| Refusal::fields(&[(name, "required")]))
    }
}
