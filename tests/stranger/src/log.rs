//! Every request that came, in the order in which it came.
//!
//! Always true here: no key and no byte of a file is kept, only that a key was there and what the bytes' hash is.

use jiff::Timestamp;
use serde_json::Value;

use crate::call::{Blob, Content};
use crate::route::Route;

/// What a request carried.
#[derive(Debug, Clone, PartialEq)]
pub enum Carried {
    /// No body.
    Nothing,
    /// JSON.
    Json(Value),
    /// Something that should have been JSON or a form.
    Malformed,
    /// A multipart form.
    Form {
        /// What stands in the field `file`.
        file: Option<CarriedFile>,
        /// Every other field.
        texts: Vec<(String, String)>,
    },
    /// A file's bytes alone.
    File(CarriedFile),
    /// More than the gateway lets through: so many bytes.
    TooLarge(u64),
}

/// A file that a request carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedFile {
    /// The name, where the request says one.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// In bytes.
    pub size: u64,
    /// SHA-256 in lower-case hex.
    pub sha256: String,
}

/// A request and what came of it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// When it was answered, by the service's clock.
    pub at: Timestamp,
    /// The method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The endpoint, where it is one, be it switched off or not.
    pub route: Option<Route>,
    /// The query, decoded.
    pub query: Vec<(String, String)>,
    /// Names, in lower case, and values of the headers, without `Authorization`.
    pub headers: Vec<(String, String)>,
    /// Whether it bore `Authorization`.
    pub has_key: bool,
    /// The body.
    pub carried: Carried,
    /// What was answered, or would have been where the answer was lost.
    pub status: u16,
    /// The code of a refusal, before a switch changed it.
    pub refusal: Option<String>,
    /// Whether the connection was cut instead of the answer.
    pub is_lost: bool,
}

impl Entry {
    /// Whether it succeeded here, be the answer lost or not.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        (200..400).contains(&self.status)
    }

    /// The file that it carried.
    #[must_use]
    pub fn file(&self) -> Option<&CarriedFile> {
        match &self.carried {
            Carried::Form { file, .. } => file.as_ref(),
            Carried::File(file) => Some(file),
            _ => None,
        }
    }
}

/// The requests so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) entries: Vec<Entry>,
}

/// What the log keeps of a body.
pub(crate) fn carried(content: &Content, media_type: &str) -> Carried {
    let file = |name: &str, media_type: &str, blob: &Blob| CarriedFile {
        name: name.to_owned(),
        media_type: media_type.to_owned(),
        size: blob.size(),
        sha256: blob.sha256.clone(),
    };
    match content {
        Content::Nothing => Carried::Nothing,
        Content::Json(value) => Carried::Json(value.clone()),
        Content::Malformed => Carried::Malformed,
        Content::Form(form) => Carried::Form {
            file: form.file.as_ref().map(|(name, media_type, blob)| file(name, media_type, blob)),
            texts: form.texts.clone(),
        },
        Content::Blob(blob) => Carried::File(file("", media_type, blob)),
        Content::TooLarge(bytes) => Carried::TooLarge(*bytes),
    }
}
