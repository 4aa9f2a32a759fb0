//! Serving the bytes of a content, whole or in part.
//!
//! One range is served (206, or 416 where nothing lies in it), several or a malformed one as if none were asked for.
//! What is served whole is verified on its way, and beside a part the whole is: of a damaged content the connection
//! breaks before its end. What is served can never act as a page of this origin: always an attachment, never sniffed.

use std::ops::Range;
use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::blobs::{Blobs, ContentHash};
use crate::core::error::Error;
use crate::db::drive::FileRow;
use crate::db::exports::ResultRow;

/// What RFC 8187 leaves as it is in `filename*`.
const KEPT_IN_NAMES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Reads the content that a caller expects a file to have (`expected_content_hash`): `sha256:` and 64 hex digits.
///
/// # Errors
/// 422 `validation_failed` for anything else.
pub fn read_expected(text: &str) -> Result<ContentHash, Error> {
    let digits = text.strip_prefix("sha256:").and_then(|digits| HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok());
    digits.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| Error::validation("expected_content_hash", "invalid"))
}

/// Bytes to be served.
#[derive(Debug)]
pub struct Content<'a> {
    /// The content that they are.
    pub hash: &'a ContentHash,
    /// Their number.
    pub size_bytes: u64,
    /// Their type.
    pub mime_type: &'a str,
    /// The name under which a browser saves them.
    pub filename: &'a str,
}

impl<'a> Content<'a> {
    /// The bytes of a file.
    #[must_use]
    pub fn of_file(file: &'a FileRow) -> Self {
        Self { hash: &file.content_hash, size_bytes: file.size_bytes, mime_type: &file.mime_type, filename: &file.name }
    }

    /// The bytes of an export's result.
    #[must_use]
    pub fn of_result(result: &'a ResultRow) -> Self {
        Self {
            hash: &result.hash,
            size_bytes: result.size_bytes,
            mime_type: &result.mime_type,
            filename: &result.filename,
        }
    }

    /// Where the bucket itself serves these bytes for so long; `None` where the studio's storage does.
    ///
    /// # Errors
    /// [`Error::ContentsUnavailable`].
    pub async fn sign_direct(&self, blobs: &Blobs, valid_for: Duration) -> Result<Option<String>, Error> {
        blobs.sign_download(self.hash, self.mime_type, &disposition(self.filename), valid_for).await
    }

    /// The response to a GET or HEAD with these headers.
    ///
    /// # Errors
    /// [`Error::ContentsUnavailable`] where a bucket does not give its first bytes.
    pub async fn serve(&self, blobs: &Blobs, method: &Method, headers: &HeaderMap) -> Result<Response, Error> {
        let etag = format!("\"{}\"", HEXLOWER.encode(self.hash));
        let (status, range) = match self.requested(headers, &etag) {
            Requested::Whole => (StatusCode::OK, 0..self.size_bytes),
            Requested::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
            Requested::Nothing => {
                let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
                insert(&mut response, header::CONTENT_RANGE, &format!("bytes */{}", self.size_bytes));
                insert(&mut response, header::ACCEPT_RANGES, "bytes");
                return Ok(response);
            }
        };
        let length = range.end - range.start;
        let content_range = format!("bytes {}-{}/{}", range.start, range.end.saturating_sub(1), self.size_bytes);
        let body = match status {
            _ if *method == Method::HEAD => Body::empty(),
            StatusCode::OK => {
                Body::from_stream(blobs.begun(Box::pin(blobs.read_verified(self.hash, self.size_bytes))).await?)
            }
            _ => Body::from_stream(blobs.begun(Box::pin(blobs.read_part(self.hash, self.size_bytes, range))).await?),
        };
        let mut response = (status, body).into_response();
        if status == StatusCode::PARTIAL_CONTENT {
            insert(&mut response, header::CONTENT_RANGE, &content_range);
        }
        insert(&mut response, header::CONTENT_TYPE, self.mime_type);
        insert(&mut response, header::CONTENT_DISPOSITION, &disposition(self.filename));
        insert(&mut response, header::ETAG, &etag);
        insert(&mut response, header::ACCEPT_RANGES, "bytes");
        insert(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        insert(&mut response, header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'");
        insert(&mut response, header::CACHE_CONTROL, "private, no-transform");
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        Ok(response)
    }

    fn requested(&self, headers: &HeaderMap, etag: &str) -> Requested {
        // If-Range with anything but this very content asks for the whole of what is here now.
        let unchanged = headers.get(header::IF_RANGE).is_none_or(|value| value.as_bytes() == etag.as_bytes());
        match headers.get(header::RANGE).and_then(|value| value.to_str().ok()) {
            Some(text) if unchanged => parse_range(text, self.size_bytes),
            _ => Requested::Whole,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Requested {
    Whole,
    Part(Range<u64>),
    Nothing,
}

fn parse_range(text: &str, size: u64) -> Requested {
    let Some((unit, spec)) = text.split_once('=') else { return Requested::Whole };
    let Some((first, last)) = spec.trim().split_once('-') else { return Requested::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") || spec.contains(',') {
        return Requested::Whole;
    }
    // Digits beyond all sizes are a position beyond the end.
    let number = |digits: &str| {
        let digits = digits.trim();
        (!digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
            .then(|| digits.parse::<u64>().unwrap_or(u64::MAX))
    };
    match (number(first), number(last)) {
        (None, Some(suffix)) if first.trim().is_empty() => {
            if suffix == 0 || size == 0 {
                Requested::Nothing
            } else {
                Requested::Part(size.saturating_sub(suffix)..size)
            }
        }
        (Some(first), Some(last)) if first > last => Requested::Whole,
        (Some(first), _) if first >= size => Requested::Nothing,
        (Some(first), Some(last)) => Requested::Part(first..last.saturating_add(1).min(size)),
        (Some(first), None) if last.trim().is_empty() => Requested::Part(first..size),
        _ => Requested::Whole,
    }
}

/// A Content-Disposition for any name: an ASCII stand-in for old readers, and the name itself (RFC 6266, RFC 8187).
fn disposition(filename: &str) -> String {
    let stand_in: String = filename
        .chars()
        .map(|letter| {
            let plain = letter.is_ascii_graphic() || letter == ' ';
            if plain && !matches!(letter, '"' | '\\' | '%' | '/') { letter } else { '_' }
        })
        .collect();
    format!("attachment; filename=\"{stand_in}\"; filename*=UTF-8''{}", utf8_percent_encode(filename, KEPT_IN_NAMES))
}

fn insert(response: &mut Response, name: header::HeaderName, value: &str) {
    let value = HeaderValue::from_str(value).unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream"));
    response.headers_mut().insert(name, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_understood() {
        let check =
            |text: &str, size: u64, expected: Requested| assert_eq!(parse_range(text, size), expected, "{text}");
        check("bytes=0-0", 10, Requested::Part(0..1));
        check("bytes=2-5", 10, Requested::Part(2..6));
        check("bytes=2-", 10, Requested::Part(2..10));
        check("bytes=-3", 10, Requested::Part(7..10));
        check("bytes=-30", 10, Requested::Part(0..10));
        check("bytes=9-99", 10, Requested::Part(9..10));
        check("bytes=0-99999999999999999999999999", 10, Requested::Part(0..10));
        check("Bytes = 1-2", 10, Requested::Part(1..3));
        check("bytes=10-", 10, Requested::Nothing);
        check("bytes=99999999999999999999999999-", 10, Requested::Nothing);
        check("bytes=-0", 10, Requested::Nothing);
        check("bytes=0-", 0, Requested::Nothing);
        check("bytes=-1", 0, Requested::Nothing);
        for whole in
            ["bytes=5-2", "bytes=a-b", "bytes=1-x", "bytes=--1", "bytes=0-1,3-4", "lines=0-1", "bytes", "bytes=-"]
        {
            check(whole, 10, Requested::Whole);
        }
    }

    #[test]
    fn any_name_is_safe_in_a_header() {
        let check = |name: &str, expected: &str| {
            let value = disposition(name);
            assert_eq!(value, expected);
            assert!(HeaderValue::from_str(&value).is_ok());
        };
        check("a b.png", "attachment; filename=\"a b.png\"; filename*=UTF-8''a%20b.png");
        check("\"\\\r\n.txt", "attachment; filename=\"____.txt\"; filename*=UTF-8''%22%5C%0D%0A.txt");
        check("ä👩.txt", "attachment; filename=\"__.txt\"; filename*=UTF-8''%C3%A4%F0%9F%91%A9.txt");
        check("100%;x=y", "attachment; filename=\"100_;x=y\"; filename*=UTF-8''100%25%3Bx%3Dy");
    }
}
