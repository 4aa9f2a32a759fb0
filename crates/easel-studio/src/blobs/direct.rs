//! Downloads that the bucket serves itself, at addresses that are signed for a while, so that no byte of them passes through a process of
//! the studio.
//!
//! Always true: an address opens one content, as an attachment with the name and the type that were signed with it. It is good until its
//! end, whatever becomes of the file meanwhile: a content that no row refers to is set aside at once, and then it opens nothing. Not here:
//! who may have one, and the addresses of the studio's own storage ([`crate::web::signed_urls`]).

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer as _};

use super::place::{ContentHash, place_of};
use super::store::Blobs;
use crate::core::error::Error;

/// The longest validity that a signature of S3 can have.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3_600);

/// What signs addresses of a bucket.
#[derive(Debug, Clone)]
pub(super) struct Addresses {
    bucket: Arc<AmazonS3>,
    prefix: Path,
}

impl Addresses {
    /// Addresses of objects below this prefix.
    pub(super) fn below(bucket: AmazonS3, prefix: &str) -> Self {
        Self { bucket: Arc::new(bucket), prefix: Path::from(prefix) }
    }

    async fn sign(&self, key: &Path, query: [(&str, &str); 2], valid_for: Duration) -> Result<String, Error> {
        let key: Path = self.prefix.parts().chain(key.parts()).collect();
        let options = SignedUrlOptions::default().with_query(query);
        let signed = self.bucket.signed_url_opts(Method::GET, &key, valid_for.min(LONGEST), &options).await?;
        Ok(signed.into())
    }
}

impl Blobs {
    /// This store, whose bucket serves downloads itself.
    ///
    /// # Errors
    /// [`Error::Usage`] where contents lie in a folder.
    pub fn with_direct_downloads(mut self) -> Result<Self, Error> {
        match &mut self.bucket {
            Some(bucket) => bucket.serves_downloads = true,
            None => {
                return Err(Error::Usage(
                    "--direct-downloads: only a bucket serves downloads itself (--blobs s3://…)".to_owned(),
                ));
            }
        }
        Ok(self)
    }

    /// Where the bucket itself serves a content for so long, a week at most, with this media type and Content-Disposition; `None` where
    /// the studio's storage does.
    ///
    /// # Errors
    /// [`Error::ContentsUnavailable`] where what the bucket is asked with cannot be had.
    pub async fn sign_download(
        &self,
        hash: &ContentHash,
        mime_type: &str,
        disposition: &str,
        valid_for: Duration,
    ) -> Result<Option<String>, Error> {
        let Some(bucket) = self.bucket.as_ref().filter(|bucket| bucket.serves_downloads) else { return Ok(None) };
        let query = [("response-content-type", mime_type), ("response-content-disposition", disposition)];
        Ok(Some(bucket.addresses.sign(&place_of(hash), query, valid_for).await?))
    }
}
