//! The object storage: one PUT an address, and bytes to whoever has one.
//!
//! Always true here: an address is the capability, so a request with `Authorization` is refused, as object stores do;
//! nothing here has an envelope, a version or a rate.

use http::HeaderMap;

use crate::call::{Call, Content};
use crate::reply::{Body, Outcome, Refusal, Reply};
use crate::state::State;
use crate::switch::Switch;

/// What storage takes at most, in bytes (specification, Limits: the deployment's maximum).
pub(crate) const STORAGE_BYTES: u64 = 250_000_000;

impl State {
    pub(crate) fn store_put(&mut self, call: &Call<'_>) -> Outcome {
        refuse_keys(call.headers)?;
        let blob = match call.content {
            Content::Blob(blob) => blob.clone(),
            Content::TooLarge(_) => return Err(Refusal::storage(413, "EntityTooLarge", "The object is too large")),
            _ => return Err(Refusal::storage(400, "IncompleteBody", "There are no bytes")),
        };
        let media_type = call.headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let staged = self.staged.get_mut(&call.place);
        let Some(staged) = staged.filter(|staged| call.query("signature") == Some(&staged.signature)) else {
            return Err(Refusal::storage(403, "SignatureDoesNotMatch", "The signature is not that of this request"));
        };
        if call.now >= staged.expires_at {
            return Err(Refusal::storage(403, "ExpiredUrl", "The address has expired"));
        }
        if media_type != staged.media_type {
            return Err(Refusal::storage(
                403,
                "ContentTypeMismatch",
                "The Content-Type is not the one that was signed",
            ));
        }
        if staged.is_written {
            return Err(Refusal::storage(403, "AlreadyWritten", "The address was used"));
        }
        *self.taken.entry(blob.sha256.clone()).or_default() += 1;
        staged.is_written = true;
        let tag = format!("\"{}\"", &blob.sha256[..32]);
        staged.blob = Some(blob);
        Ok(Reply::new(200, Body::Empty).with("ETag", tag))
    }

    pub(crate) fn store_get(&mut self, call: &Call<'_>) -> Outcome {
        refuse_keys(call.headers)?;
        let object = self.objects.get(&call.place);
        let is_signed = call.query("signature") == Some(&Self::signature(&call.place));
        let Some(object) = object.filter(|_| is_signed) else {
            return Err(Refusal::storage(403, "SignatureDoesNotMatch", "The signature is not that of this request"));
        };
        if call.now >= object.expires_at {
            return Err(Refusal::storage(403, "ExpiredUrl", "The address has expired"));
        }
        let length = object.bytes.len();
        let body = |bytes| Body::Bytes(bytes, object.media_type.clone());
        let range = call.headers.get("range").and_then(|value| value.to_str().ok());
        match range.filter(|_| !self.has(Switch::RangesIgnored)).and_then(|range| read_range(range, length)) {
            None if self.has(Switch::RangesIgnored) => Ok(Reply::new(200, body(object.bytes.clone()))),
            None => Ok(Reply::new(200, body(object.bytes.clone())).with("Accept-Ranges", "bytes")),
            Some(Err(())) => Err(Refusal::storage(416, "InvalidRange", "There are fewer bytes")
                .with("Content-Range", format!("bytes */{length}"))),
            Some(Ok((first, last))) => Ok(Reply::new(206, body(object.bytes.slice(first..=last)))
                .with("Accept-Ranges", "bytes")
                .with("Content-Range", format!("bytes {first}-{last}/{length}"))),
        }
    }
}

/// A key has no business here (specification, Authentication 7).
fn refuse_keys(headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.contains_key("authorization") {
        return Err(Refusal::storage(400, "InvalidArgument", "Only one way of authentication is allowed"));
    }
    Ok(())
}

/// The first and the last byte of one range; none where the header is to be ignored, an error where nothing is left.
fn read_range(range: &str, length: usize) -> Option<Result<(usize, usize), ()>> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let (first, last) = match (first.parse::<usize>().ok(), last.parse::<usize>().ok()) {
        (None, Some(count)) => (length.saturating_sub(count), length.checked_sub(1)?),
        (Some(first), last) => (first, last.unwrap_or(usize::MAX).min(length.checked_sub(1)?)),
        (None, None) => return None,
    };
    Some(if first < length && first <= last { Ok((first, last)) } else { Err(()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_to_what_is_there() {
        for (range, found) in [
            ("bytes=0-3", Some(Ok((0, 3)))),
            ("bytes=4-", Some(Ok((4, 9)))),
            ("bytes=-3", Some(Ok((7, 9)))),
            ("bytes=8-99", Some(Ok((8, 9)))),
            ("bytes=10-", Some(Err(()))),
            ("lines=1-2", None),
        ] {
            assert_eq!(read_range(range, 10), found, "{range}");
        }
    }
}
