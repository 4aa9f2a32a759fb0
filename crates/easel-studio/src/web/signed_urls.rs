//! Signed URLs of storage: a signed URL grants one thing until it expires, to anyone who has it, without a key
//! (specification, "Signed upload record"; contract, "Uploads", "Drive" and "Canvases and export").
//!
//! The signature covers the kind of request, its object, the end of its validity, and for an upload the content type.
//! It is checked before anything else is said about the URL. Never in a log. Not here: what storage answers.

use std::time::Duration;

use data_encoding::HEXLOWER;
use easel_wire::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::extract::Query;
use crate::blobs::ContentHash;
use crate::wire::{CanvasId, FileId, TaskId};

/// How long a download URL is good for.
pub const DOWNLOAD_VALIDITY: Duration = Duration::from_secs(3600);
/// How long a thumbnail URL is good for at least. It ends at a full hour, so that whoever asks again within one gets
/// the same URL and need not fetch the picture again.
const THUMBNAIL_VALIDITY_US: i64 = 3_600_000_000;

/// What a signed URL allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant<'a> {
    /// One PUT of the blob at this storage key, with this content type.
    Upload {
        /// The staged blob's key.
        storage_key: &'a str,
        /// The Content-Type that the PUT must carry.
        mime_type: &'a str,
    },
    /// Reading a file's bytes.
    Download(FileId),
    /// Reading the thumbnail of a canvas, as long as it is this one.
    Thumbnail(CanvasId, &'a ContentHash),
    /// Reading the result of an export.
    Export(TaskId),
}

/// Why a URL is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The signature is missing, or belongs to something else.
    SignatureDoesNotMatch,
    /// The signature was valid until this moment.
    Expired,
}

/// Makes and checks signed URLs.
pub struct SignedUrls {
    key: [u8; 32],
    /// Where storage is reached from outside; no slash at the end.
    upload_url: String,
}

impl SignedUrls {
    /// With a key that only this data folder has, for the storage at `upload_url`.
    #[must_use]
    pub fn new(key: [u8; 32], upload_url: &str) -> Self {
        Self { key, upload_url: upload_url.to_owned() }
    }

    /// The URL that grants `grant` until `expires_at`.
    #[must_use]
    pub fn sign(&self, grant: Grant<'_>, expires_at: Timestamp) -> String {
        let path = match grant {
            Grant::Upload { storage_key, .. } => storage_key.to_owned(),
            Grant::Download(file) => format!("files/{file}"),
            Grant::Thumbnail(canvas, hash) => format!("thumbnails/{canvas}/{}", HEXLOWER.encode(hash)),
            Grant::Export(export) => format!("exports/{export}"),
        };
        let expires = expires_at.as_micros() / 1_000_000;
        let signature = HEXLOWER.encode(&self.mac(grant, expires).finalize().into_bytes());
        format!("{}/{path}?expires={expires}&signature={signature}", self.upload_url)
    }

    /// A download URL that is good from `now` for [`DOWNLOAD_VALIDITY`].
    #[must_use]
    pub fn sign_download(&self, file: FileId, now: Timestamp) -> String {
        let validity_us = i64::try_from(DOWNLOAD_VALIDITY.as_micros()).unwrap_or(i64::MAX);
        self.sign(Grant::Download(file), Timestamp::from_micros(now.as_micros().saturating_add(validity_us)))
    }

    /// A URL of the picture that stands for a canvas, good for one to two hours from `now`.
    #[must_use]
    pub fn sign_thumbnail(&self, canvas: CanvasId, hash: &ContentHash, now: Timestamp) -> String {
        let hour = now.as_micros().div_euclid(THUMBNAIL_VALIDITY_US).saturating_add(2);
        let expires_at = Timestamp::from_micros(hour.saturating_mul(THUMBNAIL_VALIDITY_US));
        self.sign(Grant::Thumbnail(canvas, hash), expires_at)
    }

    /// Passes where `query` is what [`Self::sign`] wrote for the same grant and `now` is not past its end.
    ///
    /// # Errors
    /// A [`Refusal`]; expiry is only told to who holds a true signature.
    pub fn check(&self, grant: Grant<'_>, query: &Query, now: Timestamp) -> Result<(), Refusal> {
        let read = |name| query.text(name).ok().flatten().ok_or(Refusal::SignatureDoesNotMatch);
        let expires: i64 = read("expires")?.parse().map_err(|_| Refusal::SignatureDoesNotMatch)?;
        let signature = HEXLOWER.decode(read("signature")?.as_bytes()).map_err(|_| Refusal::SignatureDoesNotMatch)?;
        self.mac(grant, expires).verify_slice(&signature).map_err(|_| Refusal::SignatureDoesNotMatch)?;
        if now.as_micros() > expires.saturating_mul(1_000_000) { Err(Refusal::Expired) } else { Ok(()) }
    }

    fn mac(&self, grant: Grant<'_>, expires: i64) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("HMAC takes a key of any length");
        // The text of an id begins with the prefix of its kind, so that a grant for one kind never holds for another.
        let (id, hash);
        let parts = match grant {
            Grant::Upload { storage_key, mime_type } => ["PUT", storage_key, mime_type],
            Grant::Download(file) => {
                id = file.to_string();
                ["GET", &id, ""]
            }
            Grant::Export(export) => {
                id = export.to_string();
                ["GET", &id, ""]
            }
            Grant::Thumbnail(canvas, of) => {
                (id, hash) = (canvas.to_string(), HEXLOWER.encode(of));
                ["GET", &id, &hash]
            }
        };
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac.update(&expires.to_be_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const UPLOAD: Grant<'_> = Grant::Upload { storage_key: "pending/a", mime_type: "image/png" };

    fn urls() -> SignedUrls {
        SignedUrls::new([3; 32], "http://127.0.0.1:1")
    }

    fn query_of(url: &str) -> Query {
        Query::parse(url.split_once('?').unwrap().1)
    }

    fn seconds(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn a_url_grants_one_thing_until_it_expires() {
        let url = urls().sign(UPLOAD, seconds(1000));
        assert!(url.starts_with("http://127.0.0.1:1/pending/a?"));
        let check = |grant, now| urls().check(grant, &query_of(&url), now);
        assert_eq!(check(UPLOAD, seconds(0)), Ok(()));
        assert_eq!(check(UPLOAD, seconds(1000)), Ok(()));
        assert_eq!(check(UPLOAD, seconds(1001)), Err(Refusal::Expired));
        for other in [
            Grant::Upload { storage_key: "pending/b", mime_type: "image/png" },
            Grant::Upload { storage_key: "pending/a", mime_type: "image/jpeg" },
            Grant::Upload { storage_key: "pending/aimage", mime_type: "/png" },
            Grant::Download(FileId::from_uuid(Uuid::nil())),
            Grant::Thumbnail(CanvasId::from_uuid(Uuid::nil()), &[0; 32]),
            Grant::Export(TaskId::from_uuid(Uuid::nil())),
        ] {
            assert_eq!(check(other, seconds(0)), Err(Refusal::SignatureDoesNotMatch), "{other:?}");
        }
        let stranger = SignedUrls::new([4; 32], "http://127.0.0.1:1");
        assert_eq!(stranger.check(UPLOAD, &query_of(&url), seconds(0)), Err(Refusal::SignatureDoesNotMatch));
    }

    #[test]
    fn a_download_is_good_for_an_hour_and_for_one_file() {
        let file = |number: u128| FileId::from_uuid(Uuid::from_u128(number));
        let url = urls().sign_download(file(1), seconds(100));
        assert!(url.starts_with(&format!("http://127.0.0.1:1/files/{}?", file(1))));
        let check = |number, now| urls().check(Grant::Download(file(number)), &query_of(&url), seconds(now));
        assert_eq!((check(1, 100), check(1, 3_700)), (Ok(()), Ok(())));
        assert_eq!(check(1, 3_701), Err(Refusal::Expired));
        assert_eq!(check(2, 100), Err(Refusal::SignatureDoesNotMatch));
    }

    #[test]
    fn a_thumbnail_has_one_url_within_an_hour_and_another_for_another_picture() {
        let canvas = CanvasId::from_uuid(Uuid::nil());
        let at = |second: i64, byte: u8| urls().sign_thumbnail(canvas, &[byte; 32], seconds(second));
        assert_eq!(at(7_200, 1), at(10_799, 1));
        assert_ne!(at(7_200, 1), at(10_800, 1));
        assert_ne!(at(7_200, 1), at(7_200, 2));
        let url = at(10_799, 1);
        let check = |byte, now| urls().check(Grant::Thumbnail(canvas, &[byte; 32]), &query_of(&url), seconds(now));
        assert_eq!(check(1, 14_400), Ok(()), "an hour at least");
        assert_eq!(check(1, 14_401), Err(Refusal::Expired));
        assert_eq!(check(2, 10_799), Err(Refusal::SignatureDoesNotMatch));
    }

    #[test]
    fn a_url_with_a_later_end_or_without_a_signature_is_refused() {
        let url = urls().sign(UPLOAD, seconds(1000));
        let later = url.replace("expires=1000", "expires=9000");
        for text in [later.as_str(), "?expires=1000", "?signature=00", "?expires=x&signature=00", "?"] {
            let refused = urls().check(UPLOAD, &query_of(text), seconds(2000));
            assert_eq!(refused, Err(Refusal::SignatureDoesNotMatch), "{text}");
        }
    }
}
