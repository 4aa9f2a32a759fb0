//! What the fields of an upload may say.
//!
//! Always true: a field that is out of its bounds is named in the error, and nothing is clamped but the length of a
//! name. Not here: the bounds, which the OpenAPI document tells too ([`crate::wire::uploads`]).

use std::str::FromStr;

use crate::core::error::Error;
use crate::core::names::Name;
use crate::wire::id::kind;
use crate::wire::uploads::{FILENAME_CHARS, MAX_MIME_BYTES};
use crate::wire::{FolderId, Id};

/// What a file is when nothing says more.
pub(super) const UNKNOWN_MIME: &str = "application/octet-stream";

/// The name of an upload: its base name, shortened with its extension kept.
pub(super) fn read_filename(field: &str, filename: &str) -> Result<Name, Error> {
    match filename.chars().count() {
        0 => Err(Error::validation(field, "required")),
        length if !FILENAME_CHARS.contains(&length) => Err(Error::validation(field, "too_long")),
        _ => Name::of_upload(filename).map_err(|error| Error::validation(field, error.code())),
    }
}

/// The type of an upload, with or without parameters.
pub(super) fn read_mime_type(field: &str, text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::validation(field, "required"));
    }
    if text.len() > MAX_MIME_BYTES {
        return Err(Error::validation(field, "too_long"));
    }
    let parsed = mime_guess::Mime::from_str(text).is_ok_and(|mime| !mime.subtype().as_str().is_empty());
    // The parser takes `*/*`, which is a wish and no type.
    if parsed && http::HeaderValue::from_str(text).is_ok() && !text.contains('*') {
        Ok(text.to_owned())
    } else {
        Err(Error::validation(field, "invalid"))
    }
}

/// The id in a form field.
pub(super) fn read_folder_id(text: &str) -> Result<Option<FolderId>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse::<Id<kind::Folder>>().map(Some).map_err(|error| Error::invalid_id("folder_id", &error))
}
