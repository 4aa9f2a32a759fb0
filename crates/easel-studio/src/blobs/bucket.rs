//! A bucket that speaks S3, in the place of the folder of the blobs.
//!
//! Below the prefix that it is named with lie contents (`sha256/ab/<hex>`), what was PUT and waits to be registered (`pending/…`), what is set
//! aside (`aside/<moment>/<hex>`) or damaged (`damaged/…`), and whose all of it is (`studio.json`): as in a data folder, but that nothing is
//! renamed there. What is still being written is staged on this process's disk, below `incoming`: its key is its hash, which is known
//! with its last byte only, and a process that is killed leaves nothing half in the bucket. What was PUT and acknowledged is in the
//! bucket under its own key, because any other process may be asked to register it.
//! Always true: an object comes whole or not at all; what the bucket did not answer is an error and never taken for missing; a
//! request ends within [`READ_TIMEOUT`] of silence and a few tries. The key to the bucket is in the environment and in memory, and
//! nowhere else. Not here: who may remove what, and when ([`super::gate`], [`super::store`]).

use std::fmt;
use std::ops::Range;
use std::path::Path as FilePath;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    BackoffConfig, ClientConfigKey, GetOptions, GetRange, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt,
    PutPayload, RetryConfig,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::direct::Addresses;
use super::gate::{Claim, Gate};
use super::place::{CONTENTS, ContentHash, PENDING};
use crate::core::error::Error;

/// What is larger goes up in parts of so many bytes, of which so many are in memory and on their way at once.
const PART_BYTES: usize = 8 * 1024 * 1024;
const PARTS_AT_ONCE: usize = 3;
/// So long a connection may take to come about, and so long a bucket may say nothing in the middle of a request.
const CONNECT_TIMEOUT: &str = "5s";
const READ_TIMEOUT: &str = "20s";
/// A whole request takes no longer: what is read slowly is read on with another one.
const REQUEST_TIMEOUT: &str = "3600s";
/// So often a request is tried again, and after so long no more.
const MOST_RETRIES: usize = 3;
const RETRIED_FOR: Duration = Duration::from_secs(20);
/// Says whose the bucket is.
const OWNER: &str = "studio.json";
/// Written and read to see whether the bucket works.
const READINESS: &str = "readiness";
/// The most bytes of a note.
const NOTE_BYTES: u64 = 1 << 20;

/// Which bucket, and the prefix of everything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketUrl {
    bucket: String,
    prefix: String,
}

impl fmt::Display for BucketUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.bucket)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

impl FromStr for BucketUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "s3://bucket or s3://bucket/prefix is needed; the keys to it come from the environment".to_owned();
        let (bucket, prefix) = match text.strip_prefix("s3://").ok_or_else(wrong)?.split_once('/') {
            Some((bucket, prefix)) => (bucket, prefix.trim_end_matches('/')),
            None => (text.trim_start_matches("s3://"), ""),
        };
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_');
        let is_path = prefix.is_empty() || prefix.split('/').all(|part| !matches!(part, "" | "." | ".."));
        let is_good = !bucket.is_empty()
            && bucket.chars().all(is_plain)
            && is_path
            && prefix.chars().all(|letter| is_plain(letter) || letter == '/');
        if is_good { Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() }) } else { Err(wrong()) }
    }
}

/// What lies in a bucket under [`OWNER`].
#[derive(Debug, Serialize, Deserialize)]
struct Owner {
    id: Uuid,
}

/// A bucket; a cheap clone.
#[derive(Debug, Clone)]
pub(super) struct Bucket {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) gate: Arc<Gate>,
    pub(super) addresses: Addresses,
    /// Whether clients are sent there for what they download.
    pub(super) serves_downloads: bool,
}

impl Bucket {
    /// The bucket at this address, with what the environment says of it: `AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and the others that are usual. Nothing is asked yet.
    ///
    /// # Errors
    /// [`Error::Usage`] where these make no sense.
    pub(super) fn connect(at: &BucketUrl) -> Result<Self, Error> {
        let mut builder = AmazonS3Builder::from_env().with_bucket_name(&at.bucket).with_retry(RetryConfig {
            backoff: BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() },
            max_retries: MOST_RETRIES,
            retry_timeout: RETRIED_FOR,
        });
        for (key, value) in [
            (ClientConfigKey::ConnectTimeout, CONNECT_TIMEOUT),
            (ClientConfigKey::ReadTimeout, READ_TIMEOUT),
            (ClientConfigKey::Timeout, REQUEST_TIMEOUT),
        ] {
            builder = builder.with_config(AmazonS3ConfigKey::Client(key), value);
        }
        let store = builder.build().map_err(|error| Error::Usage(format!("{at} cannot be used: {error}")))?;
        let addresses = Addresses::below(store.clone(), &at.prefix);
        let store: Arc<dyn ObjectStore> = if at.prefix.is_empty() {
            Arc::new(store)
        } else {
            Arc::new(PrefixStore::new(store, Path::from(at.prefix.as_str())))
        };
        Ok(Self { store, gate: Arc::default(), addresses, serves_downloads: false })
    }

    /// Whose the bucket is; `None` where nobody has it.
    pub(super) async fn read_owner(&self) -> Result<Option<Uuid>, Error> {
        let Some(text) = self.read_note(OWNER).await? else { return Ok(None) };
        let owner: Owner = serde_json::from_slice(&text).map_err(|_| Error::Corrupt("whose the bucket is"))?;
        Ok(Some(owner.id))
    }

    pub(super) async fn write_owner(&self, id: Uuid) -> Result<(), Error> {
        let text = serde_json::to_vec(&Owner { id }).map_err(|_| Error::Corrupt("an id"))?;
        self.write_note(OWNER, text).await
    }

    pub(super) async fn remove_owner(&self) -> Result<(), Error> {
        self.delete(&Path::from(OWNER)).await
    }

    /// A small object; `None` where it is not there.
    pub(super) async fn read_note(&self, key: &str) -> Result<Option<Bytes>, Error> {
        match self.store.get(&Path::from(key)).await {
            Ok(found) if found.meta.size > NOTE_BYTES => Err(Error::Corrupt("a note in the bucket")),
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn write_note(&self, key: &str, text: Vec<u8>) -> Result<(), Error> {
        self.store.put(&Path::from(key), text.into()).await?;
        Ok(())
    }

    /// Writes a few bytes and reads them again.
    pub(super) async fn try_write_and_read(&self, id: Uuid) -> Result<(), Error> {
        self.write_note(READINESS, id.as_bytes().to_vec()).await?;
        // Somebody else may have looked at the same moment: that what comes back was written so is enough.
        match self.read_note(READINESS).await? {
            Some(read) if read.len() == id.as_bytes().len() => Ok(()),
            _ => Err(Error::Corrupt("an object that was just written")),
        }
    }

    /// Takes the content for somebody who brings it, until the answer is dropped.
    pub(super) async fn claim(&self, hash: ContentHash) -> Result<Claim, Error> {
        self.gate.claim(hash).await?.ok_or_else(|| Error::contents_unavailable("a removal has not been answered yet"))
    }

    /// Brings a file of this disk to `key`, in the place of what is there: at once, or in parts where it is large.
    pub(super) async fn upload(&self, from: &FilePath, key: &Path) -> Result<(), Error> {
        let mut file = tokio::fs::File::open(from).await?;
        let size_bytes = file.metadata().await?.len();
        if size_bytes <= PART_BYTES as u64 {
            let bytes = read_part(&mut file).await?;
            self.store.put(key, PutPayload::from(bytes)).await?;
            return Ok(());
        }
        let mut upload = self.store.put_multipart(key).await?;
        let sent = send_parts(&mut file, upload.as_mut()).await;
        let sent = match sent {
            Ok(()) => upload.complete().await.map(|_| ()).map_err(Error::from),
            failed => failed,
        };
        if sent.is_err() {
            // What cannot be taken back either is left to the bucket's own rules for parts that nobody completes.
            if let Err(error) = upload.abort().await {
                tracing::warn!(%error, "the parts of an upload could not be taken back");
            }
        }
        sent
    }

    /// Copies an object within the bucket, in the place of what is there.
    pub(super) async fn copy(&self, from: &Path, to: &Path) -> Result<(), Error> {
        Ok(self.store.copy(from, to).await?)
    }

    /// Moves an object; where that is broken off it lies in both places.
    pub(super) async fn move_to(&self, from: &Path, to: &Path) -> Result<(), Error> {
        self.copy(from, to).await?;
        self.delete(from).await
    }

    /// Removes an object; one that is gone already is no error.
    pub(super) async fn delete(&self, key: &Path) -> Result<(), Error> {
        match self.store.delete(key).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// What is known of an object; `None` where it is not there.
    pub(super) async fn look_up(&self, key: &Path) -> Result<Option<ObjectMeta>, Error> {
        match self.store.head(key).await {
            Ok(found) => Ok(Some(found)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The bytes `range` of an object, as they come; fewer of them end with an error.
    pub(super) fn pieces(
        &self,
        key: Path,
        range: Range<u64>,
    ) -> BoxStream<'static, Result<Bytes, object_store::Error>> {
        if range.is_empty() {
            return stream::empty().boxed();
        }
        let (store, wanted) = (Arc::clone(&self.store), range.end - range.start);
        stream::once(async move {
            let options = GetOptions::new().with_range(Some(GetRange::Bounded(range)));
            let found = store.get_opts(&key, options).await?;
            Ok::<_, object_store::Error>(stream::try_unfold(
                (found.into_stream(), wanted),
                move |(mut pieces, left)| {
                    let key = key.clone();
                    async move {
                        match pieces.next().await.transpose()? {
                            Some(piece) => {
                                let left = left.saturating_sub(piece.len() as u64);
                                Ok(Some((piece, (pieces, left))))
                            }
                            None if left == 0 => Ok(None),
                            None => Err(object_store::Error::Generic {
                                store: CONTENTS,
                                source: format!("{key} ends {left} bytes early").into(),
                            }),
                        }
                    }
                },
            ))
        })
        .try_flatten()
        .boxed()
    }

    /// The SHA-256 of an object, and its size in bytes; `None` where it is not there.
    pub(super) async fn hash(&self, key: &Path) -> Result<Option<(ContentHash, u64)>, Error> {
        let found = match self.store.get(key).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let size_bytes = found.meta.size;
        let (mut hasher, mut read) = (Sha256::new(), 0);
        let mut pieces = found.into_stream();
        while let Some(piece) = pieces.next().await.transpose()? {
            hasher.update(&piece);
            read += piece.len() as u64;
        }
        if read != size_bytes {
            return Err(Error::contents_unavailable("an answer of the bucket ended early"));
        }
        Ok(Some((hasher.finalize().into(), size_bytes)))
    }

    /// Every content; what has another name is none and is left alone.
    pub(super) async fn list_contents(&self) -> Result<Vec<ContentHash>, Error> {
        let found = self.list(CONTENTS).try_filter_map(|found| std::future::ready(Ok(hash_in(&found.location))));
        Ok(found.try_collect().await?)
    }

    /// Whether any content is there.
    pub(super) async fn has_contents(&self) -> Result<bool, Error> {
        Ok(self.list(CONTENTS).next().await.transpose()?.is_some())
    }

    /// Every staged upload by its storage key, with its size in bytes.
    pub(super) async fn list_staged(&self) -> Result<Vec<(String, u64)>, Error> {
        Ok(self.list(PENDING).map_ok(|found| (found.location.to_string(), found.size)).try_collect().await?)
    }

    pub(super) fn list(&self, folder: &str) -> BoxStream<'static, Result<ObjectMeta, object_store::Error>> {
        self.store.list(Some(&Path::from(folder)))
    }
}

/// The content that has its place here.
pub(super) fn hash_in(place: &Path) -> Option<ContentHash> {
    HEXLOWER.decode(place.filename()?.as_bytes()).ok()?.try_into().ok()
}

/// The next bytes of a file, a whole part where there are as many.
async fn read_part(file: &mut tokio::fs::File) -> Result<Bytes, Error> {
    let mut part = Vec::new();
    file.take(PART_BYTES as u64).read_to_end(&mut part).await?;
    Ok(part.into())
}

async fn send_parts(file: &mut tokio::fs::File, upload: &mut dyn MultipartUpload) -> Result<(), Error> {
    let mut under_way = JoinSet::new();
    loop {
        let part = read_part(file).await?;
        let is_last = part.is_empty();
        if !is_last {
            under_way.spawn(upload.put_part(PutPayload::from(part)));
        }
        while under_way.len() >= PARTS_AT_ONCE || (is_last && !under_way.is_empty()) {
            if let Some(sent) = under_way.join_next().await {
                sent.map_err(|_| Error::Panicked)??;
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_named_without_a_secret() {
        for (text, shown) in [
            ("s3://studio", "s3://studio"),
            ("s3://studio/", "s3://studio"),
            ("s3://studio/teams/one/", "s3://studio/teams/one"),
        ] {
            assert_eq!(text.parse::<BucketUrl>().map(|url| url.to_string()).as_deref(), Ok(shown));
        }
        for wrong in [
            "",
            "s3://",
            "studio",
            "/srv/blobs",
            "https://x/y",
            "s3://key:secret@studio",
            "s3://b/a//c",
            "s3://b/../c",
            "s3://b?x=y",
        ] {
            assert!(wrong.parse::<BucketUrl>().is_err(), "{wrong}");
        }
    }
}
