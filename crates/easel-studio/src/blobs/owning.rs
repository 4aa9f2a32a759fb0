//! Which place a studio keeps its contents in, and which studio a bucket belongs to.
//!
//! A data folder whose contents lie in a bucket says so in a note, with an id; the bucket holds the same id. Always true: a studio is
//! opened with the place that it was used with and with no other, a bucket by the studio that it belongs to and by no other, because in
//! the wrong place every content is missing, and those that lie there are nobody's. Not here: the database, which whoever opens
//! asks whether it names contents.

use std::io::ErrorKind;
use std::path::Path as FilePath;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::aside::count_contents;
use super::bucket::{Bucket, BucketUrl};
use super::place::PENDING;
use super::store::Blobs;
use crate::core::error::Error;
use crate::core::private_files::{create_private_folder, remove_if_there, write_durably};

/// The note of a data folder, and of a backup of it.
const NOTE: &str = "contents.json";

/// The folder of the blobs in a data folder.
const FOLDER: &str = "blobs";

/// Where the contents of a data folder are said to lie.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum BlobsAt {
    /// In the data folder.
    #[default]
    Folder,
    /// In a bucket.
    Bucket(BucketUrl),
}

/// What they are opened for.
#[derive(Debug, Clone, Copy)]
pub enum Opening<'a> {
    /// To be looked at as they are, also beside a service.
    AsTheyAre,
    /// To be served by who holds the data folder; `is_new` where its database names no content.
    Served {
        /// Whether a bucket that nobody has may become the studio's.
        is_new: bool,
    },
    /// To be filled from this backup: into a bucket that nobody has, or the one that the backup is of.
    Restored(&'a FilePath),
    /// To be filled from the studio of this data folder, which is left as it is: into a bucket that nobody has, or the one that it has,
    /// which stays its own until [`Blobs::take_over`].
    MovedFrom(&'a FilePath),
}

/// What a data folder says of its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct BucketMarker {
    bucket: String,
    studio: Uuid,
}

impl BucketMarker {
    fn read(folder: &FilePath) -> Result<Option<Self>, Error> {
        match std::fs::read(folder.join(NOTE)) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text).map_err(|_| {
                Error::Usage(format!("{} cannot be read: it says where the contents lie", folder.join(NOTE).display()))
            })?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// On the disk before anything comes into the bucket.
    fn write(&self, folder: &FilePath) -> Result<(), Error> {
        let text = serde_json::to_vec(self).map_err(|_| Error::Corrupt("a note"))?;
        Ok(write_durably(&folder.join(NOTE), &text)?)
    }
}

/// The bucket that a data folder, or a backup of it, says its contents lie in.
///
/// # Errors
/// [`Error::Io`], [`Error::Usage`] where that cannot be read.
pub fn named_bucket(folder: &FilePath) -> Result<Option<String>, Error> {
    Ok(bucket_of(folder)?.map(|(bucket, _)| bucket))
}

/// The bucket that a data folder says its contents lie in, with the id by which the bucket knows its studio.
///
/// # Errors
/// [`Error::Io`], [`Error::Usage`] where that cannot be read.
pub fn bucket_of(folder: &FilePath) -> Result<Option<(String, Uuid)>, Error> {
    Ok(BucketMarker::read(folder)?.map(|note| (note.bucket, note.studio)))
}

/// Notes in a data folder that its contents lie in this bucket of this studio, where nothing is noted and nothing lies in it.
///
/// # Errors
/// [`Error::Io`], [`Error::StorageFull`].
pub fn note_bucket(folder: &FilePath, bucket: &str, studio: Uuid) -> Result<(), Error> {
    if BucketMarker::read(folder)?.is_some() || !has_nothing(&folder.join(FOLDER))? {
        return Ok(());
    }
    BucketMarker { bucket: bucket.to_owned(), studio }.write(folder)
}

/// Copies what a data folder says of its contents into a backup of it.
///
/// # Errors
/// [`Error::Io`], [`Error::StorageFull`].
pub fn copy_note(data: &FilePath, backup: &FilePath) -> Result<(), Error> {
    match BucketMarker::read(data)? {
        Some(note) => note.write(backup),
        None => Ok(remove_if_there(&backup.join(NOTE))?),
    }
}

impl Blobs {
    /// Opens the contents of the data folder `data`.
    ///
    /// # Errors
    /// [`Error::Usage`] where they lie elsewhere than is said, or the bucket belongs to another studio; [`Error::Io`],
    /// [`Error::ContentsUnavailable`].
    pub async fn open_at(data: &FilePath, at: &BlobsAt, opening: Opening<'_>) -> Result<Self, Error> {
        let (root, note) = (data.join(FOLDER), BucketMarker::read(data)?);
        let url = match (at, &note) {
            (BlobsAt::Folder, None) if matches!(opening, Opening::Served { .. }) => return Self::open(&root),
            (BlobsAt::Folder, None) => return Self::beside(&root),
            (BlobsAt::Folder, Some(note)) => return Err(elsewhere(&note.bucket)),
            (BlobsAt::Bucket(url), Some(note)) if url.to_string() != note.bucket => {
                return Err(elsewhere(&note.bucket));
            }
            (BlobsAt::Bucket(url), _) => url,
        };
        let bucket = Bucket::connect(url)?;
        match opening {
            Opening::AsTheyAre => check_owner(&bucket, url, note.as_ref()).await?,
            Opening::Served { is_new } => {
                let is_unused = is_new && has_nothing(&root)?;
                match note {
                    None if !is_unused => return Err(in_the_folder()),
                    None => claim(&bucket, url, data, None).await?,
                    // The note was written, and then the start was broken off.
                    Some(note) if is_unused && bucket.read_owner().await?.is_none() => {
                        claim(&bucket, url, data, Some(note.studio)).await?;
                    }
                    Some(note) => check_owner(&bucket, url, Some(&note)).await?,
                }
                Self::clear_incoming_of(&root)?;
            }
            Opening::Restored(backup) => {
                let owner = bucket.read_owner().await?;
                let of_the_backup =
                    BucketMarker::read(backup)?.filter(|of| of.bucket == url.to_string()).map(|of| of.studio);
                match owner {
                    Some(owner) if note.as_ref().is_some_and(|note| note.studio == owner) => {}
                    // Under a new id, so that the studio before it is refused from now on.
                    Some(owner) if of_the_backup == Some(owner) => own(&bucket, url, data, Uuid::now_v7()).await?,
                    Some(_) => return Err(of_another(url)),
                    None => claim(&bucket, url, data, note.map(|note| note.studio)).await?,
                }
            }
            Opening::MovedFrom(source) => {
                let owner = bucket.read_owner().await?;
                let of_the_source =
                    BucketMarker::read(source)?.filter(|of| of.bucket == url.to_string()).map(|of| of.studio);
                match (owner, note) {
                    (Some(owner), Some(note)) if note.studio == owner => {}
                    // The note was written, and then the move was broken off.
                    (Some(owner), Some(_)) if of_the_source == Some(owner) => {}
                    (Some(owner), None) if of_the_source == Some(owner) => {
                        BucketMarker { bucket: url.to_string(), studio: Uuid::now_v7() }.write(data)?;
                    }
                    (Some(_), _) => return Err(of_another(url)),
                    (None, note) => claim(&bucket, url, data, note.map(|note| note.studio)).await?,
                }
            }
        }
        Self::in_bucket(&root, bucket)
    }

    fn clear_incoming_of(root: &FilePath) -> Result<(), Error> {
        create_private_folder(root)?;
        Self::clear_incoming(root)
    }

    /// Makes the bucket that the data folder says the studio's own, so that the one that had it before is refused from now on.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::ContentsUnavailable`].
    pub async fn take_over(&self, data: &FilePath) -> Result<(), Error> {
        match (&self.bucket, BucketMarker::read(data)?) {
            (Some(bucket), Some(note)) => bucket.write_owner(note.studio).await,
            _ => Ok(()),
        }
    }

    /// Gives up the place of the contents, which are all set aside: the studio that starts anew there takes it as one that is new.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::ContentsUnavailable`].
    pub async fn give_up(&self, data: &FilePath) -> Result<(), Error> {
        if let Some(bucket) = &self.bucket {
            bucket.remove_owner().await?;
            remove_if_there(&data.join(NOTE))?;
        }
        Ok(())
    }
}

/// Whether neither contents nor staged uploads lie in a folder.
fn has_nothing(root: &FilePath) -> Result<bool, Error> {
    let pending = root.join(PENDING);
    Ok(count_contents(root)? == 0 && (!pending.is_dir() || std::fs::read_dir(pending)?.next().is_none()))
}

/// Makes a bucket that nobody has the studio's.
async fn claim(bucket: &Bucket, url: &BucketUrl, data: &FilePath, id: Option<Uuid>) -> Result<(), Error> {
    if bucket.read_owner().await?.is_some() {
        return Err(of_another(url));
    }
    if bucket.has_contents().await? {
        return Err(Error::Usage(format!("contents lie in {url} that belong to no studio; name an empty prefix")));
    }
    own(bucket, url, data, id.unwrap_or_else(Uuid::now_v7)).await
}

async fn own(bucket: &Bucket, url: &BucketUrl, data: &FilePath, studio: Uuid) -> Result<(), Error> {
    BucketMarker { bucket: url.to_string(), studio }.write(data)?;
    bucket.write_owner(studio).await
}

async fn check_owner(bucket: &Bucket, url: &BucketUrl, note: Option<&BucketMarker>) -> Result<(), Error> {
    let note = note.ok_or_else(in_the_folder)?;
    match bucket.read_owner().await? {
        Some(owner) if owner == note.studio => Ok(()),
        Some(_) => Err(of_another(url)),
        None => Err(Error::Usage(format!(
            "{url} is there and holds nothing of this studio: is it the same endpoint (AWS_ENDPOINT_URL) as before?"
        ))),
    }
}

fn elsewhere(bucket: &str) -> Error {
    Error::Usage(format!("this studio keeps its contents in a bucket and nowhere else: --blobs {bucket}"))
}

fn in_the_folder() -> Error {
    Error::Usage(
        "this studio keeps its contents in its data folder; into a bucket it is moved: easel-studio move --to-blobs s3://…"
            .to_owned(),
    )
}

fn of_another(url: &BucketUrl) -> Error {
    Error::Usage(format!("{url} belongs to another studio"))
}
