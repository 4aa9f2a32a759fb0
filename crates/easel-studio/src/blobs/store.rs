//! The blob store: a content written, offered, kept, read and removed; what is staged meanwhile; in a folder or in a bucket.
//!
//! Always true: what [`super`] says of it; nobody above can tell which of the two it is, but by an error of the bucket. What a folder does
//! under the database's write lock is done for a bucket before it or after it, while [`super::gate`] keeps the content. Not here: parts
//! of contents ([`super::parts`]), contents out of the way ([`super::aside`]), what operators do to them ([`super::mending`]), and what comes
//! of a blob before it is offered ([`super::writing`]).

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, stream};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use sha2::{Digest, Sha256};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::bucket::Bucket;
use super::checked::Checked;
use super::gate::Claim;
use super::holding::{self, Held, Waiting};
use super::place::{
    CONTENTS, ContentHash, INCOMING, Location, PENDING, WRITE_BYTES, blocking, check, place_of, sync_with_name,
    write_new,
};
use super::unneeded::Unneeded;
use crate::core::error::Error;
use crate::core::private_files::{create_private_folder, sync_folder, sync_folder_of};

/// Bytes read from the disk at a time.
const READ_BYTES: u64 = 256 * 1024;

/// The blob store; a cheap clone.
#[derive(Debug, Clone)]
pub struct Blobs {
    /// The folder on this disk: of everything, or, with a bucket, of what is being written alone.
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) root: Arc<FilePath>,
    pub(super) bucket: Option<Bucket>,
    /// Contents removed so far: as long as it stands still, what was offered is there.
    pub(super) removals: Arc<AtomicU64>,
    /// The contents that a backup keeps from being removed.
    pub(super) waiting: Arc<Waiting>,
    /// What is being removed while nobody waits for it.
    pub(super) removing: TaskTracker,
    /// Written blobs that are needed no more.
    written: Arc<Unneeded>,
    /// What was read whole and found right lately.
    pub(super) checked: Arc<Checked>,
}

impl Blobs {
    /// Opens the store below `root`, and removes what the last run was still writing.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Blobs`].
    pub fn open(root: &FilePath) -> Result<Self, Error> {
        std::fs::create_dir_all(root)?;
        Self::clear_incoming(root)?;
        std::fs::create_dir_all(root.join(PENDING))?;
        for first in 0..=u8::MAX {
            std::fs::create_dir_all(root.join(CONTENTS).join(HEXLOWER.encode(&[first])))?;
        }
        sync_folder(&root.join(CONTENTS))?;
        sync_folder(root)?;
        Self::beside(root)
    }

    /// The store below `root`, opened without changing it, also while another process serves it: nothing is cleared,
    /// and where there is none, only its folders are made.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Blobs`].
    pub fn beside(root: &FilePath) -> Result<Self, Error> {
        std::fs::create_dir_all(root.join(CONTENTS))?;
        // Files and their names are brought to the disk here, once each; the store need not do it again.
        let store = Arc::new(LocalFileSystem::new_with_prefix(root)?);
        Ok(Self {
            store,
            root: root.into(),
            bucket: None,
            removals: Arc::default(),
            waiting: Arc::default(),
            removing: TaskTracker::new(),
            written: Arc::default(),
            checked: Arc::default(),
        })
    }

    /// The store in a bucket, with the folder `root` of this process for what is being written, also while another process serves it.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Blobs`].
    pub(super) fn in_bucket(root: &FilePath, bucket: Bucket) -> Result<Self, Error> {
        create_private_folder(root)?;
        let store = Arc::new(LocalFileSystem::new_with_prefix(root)?);
        Ok(Self {
            store,
            root: root.into(),
            bucket: Some(bucket),
            removals: Arc::default(),
            waiting: Arc::default(),
            removing: TaskTracker::new(),
            written: Arc::default(),
            checked: Arc::default(),
        })
    }

    /// Whether contents lie in a bucket, and not in a folder.
    #[must_use]
    pub fn are_in_bucket(&self) -> bool {
        self.bucket.is_some()
    }

    /// Removes what the last run below `root` was still writing.
    pub(super) fn clear_incoming(root: &FilePath) -> Result<(), Error> {
        let incoming = root.join(INCOMING);
        if incoming.exists() {
            std::fs::remove_dir_all(&incoming)?;
        }
        Ok(std::fs::create_dir_all(&incoming)?)
    }

    /// Brings a written or staged blob to the place of the content `hash`, and the place to the disk; its old place
    /// stays until [`Self::discard`]. Where no row comes to refer to it, it has to be removed as if one had gone.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Io`], [`Error::ContentsUnavailable`].
    pub async fn offer(&self, from: Location, hash: ContentHash) -> Result<Offered, Error> {
        let removals = self.count_removals();
        let claim = match &self.bucket {
            None => {
                self.link(&from, &hash).await?;
                None
            }
            Some(bucket) => {
                let claim = bucket.claim(hash).await?;
                if from.is_staged() {
                    bucket.copy(&from.0, &place_of(&hash)).await?;
                } else {
                    bucket.upload(&self.path_of(&from.0), &place_of(&hash)).await?;
                }
                Some(claim)
            }
        };
        Ok(Offered { location: from, hash, removals, claim })
    }

    /// Offers what is staged before the write lock is asked for, where that takes a while: `None` where it is done under the lock,
    /// because it takes none, or because nothing is staged there any more.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn offer_early(&self, from: Location, hash: ContentHash) -> Result<Option<Offered>, Error> {
        if self.bucket.is_none() {
            return Ok(None);
        }
        match self.offer(from, hash).await {
            Err(Error::Blobs(object_store::Error::NotFound { .. })) => Ok(None),
            offered => offered.map(Some),
        }
    }

    /// Makes sure that what was offered is still there, and stays. Under the database's write lock, which other processes at the
    /// same bucket are asked after by [`Offered::removals_before`].
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Io`].
    pub async fn keep(&self, offered: &Offered) -> Result<(), Error> {
        if offered.claim.is_some() {
            return Ok(());
        }
        let is_untouched = self.removals.load(Ordering::SeqCst) == offered.removals;
        // Another process counts its own removals. The content's path was just made, so the check reads no disk.
        if is_untouched && self.path_of(&place_of(&offered.hash)).exists() {
            return Ok(());
        }
        self.link(&offered.location, &offered.hash).await
    }

    /// As [`Self::offer`], of a blob whose bytes were held in memory so far: in a folder, they are written and brought to
    /// the content's place in one turn at the disk.
    pub(super) async fn offer_bytes(&self, to: Location, bytes: Bytes, hash: ContentHash) -> Result<Offered, Error> {
        let removals = self.count_removals();
        let link = self.link_of(&to, &hash);
        blocking(move || {
            let file = write_new(&link.source, &bytes)?;
            link.make(&file)
        })
        .await?;
        Ok(Offered { location: to, hash, removals, claim: None })
    }

    fn count_removals(&self) -> u64 {
        self.removals.load(Ordering::SeqCst)
    }

    async fn link(&self, from: &Location, hash: &ContentHash) -> Result<(), Error> {
        let link = self.link_of(from, hash);
        blocking(move || link.make(&std::fs::File::open(&link.source)?)).await
    }

    fn link_of(&self, from: &Location, hash: &ContentHash) -> Link {
        let name = format!("{}.again", from.0.filename().unwrap_or_default());
        Link {
            source: self.path_of(&from.0),
            place: self.path_of(&place_of(hash)),
            beside: self.root.join(INCOMING).join(name),
        }
    }

    /// Brings a written blob to `storage_key` before the write lock is asked for, where that takes a while. Only for a key that nothing
    /// was acknowledged under.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::ContentsUnavailable`].
    pub async fn stage_early(&self, from: &Location, storage_key: &str) -> Result<(), Error> {
        match &self.bucket {
            None => Ok(()),
            Some(bucket) => bucket.upload(&self.path_of(&from.0), &Path::from(storage_key)).await,
        }
    }

    /// Puts a written blob at `storage_key`, in the place of whatever is there, after [`Self::stage_early`]. Under the database's write
    /// lock.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Io`].
    pub async fn stage(&self, from: &Location, storage_key: &str) -> Result<(), Error> {
        if self.bucket.is_some() {
            self.delete(&from.0).await;
            return Ok(());
        }
        let (source, place) = (self.path_of(&from.0), self.path_of(&Path::from(storage_key)));
        blocking(move || {
            std::fs::rename(&source, &place)?;
            sync_with_name(&place)
        })
        .await
    }

    /// Removes a blob that was written or staged; one that is gone already is no error. A staged one waits for a
    /// backup.
    pub async fn discard(&self, location: &Location) {
        if location.is_staged() {
            let Some(_leave) = self.may_remove() else { return self.waiting.staged(location.clone()) };
            return match &self.bucket {
                None => self.delete(&location.0).await,
                Some(bucket) => self.discard_from(bucket, location).await,
            };
        }
        self.delete(&location.0).await;
    }

    async fn discard_from(&self, bucket: &Bucket, location: &Location) {
        let removed = match bucket.gate.leave_to_remove().await {
            Ok(None) => return self.waiting.staged(location.clone()),
            Ok(Some(_leave)) => bucket.delete(&location.0).await,
            Err(error) => Err(error),
        };
        if let Err(error) = removed {
            tracing::warn!(%error, "what was staged could not be removed from the bucket; it is tried again");
            self.waiting.staged(location.clone());
        }
    }

    /// As [`Self::discard`], but nobody waits for it: what is left at the end of this process, the next start removes. A
    /// staged blob of a folder is gone at once.
    pub async fn discard_soon(&self, location: Location) {
        if !location.is_staged() {
            // The first of many removes them all, in one turn at the disk.
            if self.written.push(self.path_of(&location.0)) {
                let written = Arc::clone(&self.written);
                self.removing.spawn_blocking(move || written.remove());
            }
        } else if self.bucket.is_some() {
            let blobs = self.clone();
            self.removing.spawn(async move { blobs.discard(&location).await });
        } else {
            self.discard(&location).await;
        }
    }

    /// Waits for everything that is being removed. What a bucket has not answered to when the process ends, the next start
    /// sets aside.
    pub async fn end_removals(&self) {
        self.removing.close();
        self.removing.wait().await;
    }

    /// Removes what was staged under these keys and is registered; what is gone already is no error.
    ///
    /// # Errors
    /// [`Error::ContentsUnavailable`].
    pub async fn discard_staged(&self, storage_keys: &[String]) -> Result<(), Error> {
        // A bucket is asked once what there is, and not for each.
        let there = match &self.bucket {
            Some(bucket) if !storage_keys.is_empty() => {
                Some(bucket.list_staged().await?.into_iter().map(|(key, _)| key).collect::<HashSet<_>>())
            }
            _ => None,
        };
        let is_there = |key: &String| there.as_ref().is_none_or(|there| there.contains(key));
        for storage_key in storage_keys.iter().filter(|key| is_there(key)) {
            self.discard(&Location::staged(storage_key)).await;
        }
        Ok(())
    }

    /// Holds every content where it is, once the removals under way have ended. Waits for another backup.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn hold(&self) -> Result<Held, Error> {
        Ok(holding::hold(&self.root)?)
    }

    /// Leave to remove something, until the answer is dropped; `None` while a backup holds everything.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn leave_to_remove(&self) -> Result<Option<std::fs::File>, Error> {
        Ok(holding::leave_to_remove(&self.root)?)
    }

    /// Takes the contents and places that were to be removed while a backup held them; they are then no longer
    /// remembered.
    #[must_use]
    pub fn take_waiting(&self) -> (Vec<ContentHash>, Vec<Location>) {
        self.waiting.take()
    }

    /// Leave to remove something; none where that cannot be told, because what is kept too long harms nobody.
    pub(super) fn may_remove(&self) -> Option<std::fs::File> {
        self.leave_to_remove().unwrap_or_else(|error| {
            tracing::warn!(%error, "whether a backup is under way cannot be told");
            None
        })
    }

    /// Writes a few bytes, reads them again and removes them.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Blobs`], [`Error::Io`], [`Error::ContentsUnavailable`].
    pub async fn try_write_and_read(&self, id: Uuid) -> Result<(), Error> {
        if let Some(bucket) = &self.bucket {
            bucket.try_write_and_read(id).await?;
        }
        let mut writing = self.begin(id);
        writing.write(id.as_bytes()).await?;
        let location = writing.finish().await?;
        let read = self.store.get(&location.0).await?.bytes().await;
        self.discard(&location).await;
        if read?.as_ref() == id.as_bytes() { Ok(()) } else { Err(Error::Corrupt("a content that was just written")) }
    }

    /// How many bytes are free in the folder of this process; `None` where that cannot be told.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn free_bytes(&self) -> Result<Option<u64>, Error> {
        #[cfg(unix)]
        {
            let room = rustix::fs::statvfs(&*self.root).map_err(std::io::Error::from)?;
            Ok(Some(room.f_bavail.saturating_mul(room.f_frsize)))
        }
        #[cfg(not(unix))]
        Ok(None)
    }

    /// The folder that everything lies in, or, with a bucket, what this process keeps for itself.
    #[must_use]
    pub fn root(&self) -> &FilePath {
        &self.root
    }

    pub(super) fn path_of(&self, path: &Path) -> PathBuf {
        self.root.join(path.as_ref())
    }

    /// What cannot be removed now is set aside at the next start.
    pub(super) async fn delete(&self, path: &Path) {
        match self.store.delete(path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => tracing::warn!(%error, "a blob could not be removed"),
        }
    }

    /// The SHA-256 and the size of the blob staged at `storage_key`; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Blobs`].
    pub async fn hash_staged(&self, storage_key: &str) -> Result<Option<(ContentHash, u64)>, Error> {
        let path = Path::from(storage_key);
        if let Some(bucket) = &self.bucket {
            return bucket.hash(&path).await;
        }
        let size = match self.store.head(&path).await {
            Ok(meta) => meta.size,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut hasher = Sha256::new();
        let mut pieces = std::pin::pin!(self.pieces(path, 0..size, WRITE_BYTES as u64));
        while let Some(piece) = pieces.next().await {
            match piece {
                Ok(piece) => hasher.update(&piece),
                Err(object_store::Error::NotFound { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Some((hasher.finalize().into(), size)))
    }

    /// How many bytes the content `hash` has; `None` where it is not there.
    ///
    /// # Errors
    /// [`Error::Blobs`].
    pub async fn size_of(&self, hash: &ContentHash) -> Result<Option<u64>, Error> {
        if let Some(bucket) = &self.bucket {
            return Ok(bucket.look_up(&place_of(hash)).await?.map(|found| found.size));
        }
        match self.store.head(&place_of(hash)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The bytes `range` of the content `hash`, piece by piece.
    pub fn read(
        &self,
        hash: &ContentHash,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<Bytes, object_store::Error>> + Send + 'static {
        match &self.bucket {
            Some(bucket) => bucket.pieces(place_of(hash), range).left_stream(),
            None => self.pieces(place_of(hash), range, READ_BYTES).right_stream(),
        }
    }

    /// A stream of this store about to be answered with: from a bucket its first piece is there, so that one that is away is said
    /// in words and not by an answer that breaks.
    ///
    /// # Errors
    /// [`Error::ContentsUnavailable`], [`Error::Blobs`].
    pub async fn begun<S>(&self, mut pieces: S) -> Result<Begun, Error>
    where
        S: Stream<Item = Result<Bytes, object_store::Error>> + Send + Unpin + 'static,
    {
        if self.bucket.is_none() {
            return Ok(pieces.boxed());
        }
        let first = pieces.next().await.transpose()?;
        Ok(stream::iter(first.map(Ok)).chain(pieces).boxed())
    }

    /// The `size_bytes` bytes of the content `hash`, piece by piece; the last one only where all of them are what they
    /// were when they came. A content that is damaged ends with an error, so that nobody takes it for whole.
    pub fn read_verified(
        &self,
        hash: &ContentHash,
        size_bytes: u64,
    ) -> impl Stream<Item = Result<Bytes, object_store::Error>> + Send + 'static {
        let (pieces, hash) = (Box::pin(self.read(hash, 0..size_bytes)), *hash);
        stream::try_unfold((pieces, Sha256::new(), 0), move |(mut pieces, mut hasher, read)| async move {
            let Some(piece) = pieces.next().await.transpose()? else { return Ok(None) };
            hasher.update(&piece);
            let read = read + piece.len() as u64;
            if read >= size_bytes {
                check(&hash, hasher.clone().finalize().into())?;
            }
            Ok(Some((piece, (pieces, hasher, read))))
        })
    }

    /// The whole of the content `hash`, in tests.
    #[cfg(test)]
    pub async fn read_whole(&self, hash: &ContentHash) -> Result<Vec<u8>, Error> {
        let bytes = self.store.get(&place_of(hash)).await?.bytes().await?.to_vec();
        check(hash, Sha256::digest(&bytes).into())?;
        Ok(bytes)
    }

    fn pieces(
        &self,
        path: Path,
        range: Range<u64>,
        piece_bytes: u64,
    ) -> impl Stream<Item = Result<Bytes, object_store::Error>> + Send + 'static {
        let store = Arc::clone(&self.store);
        stream::try_unfold(range, move |rest| {
            let (store, path) = (Arc::clone(&store), path.clone());
            async move {
                if rest.is_empty() {
                    return Ok(None);
                }
                let end = rest.end.min(rest.start + piece_bytes);
                let piece = store.get_range(&path, rest.start..end).await?;
                Ok(Some((piece, end..rest.end)))
            }
        })
    }
}

/// A second name that a written file gets: that of its content.
struct Link {
    source: PathBuf,
    place: PathBuf,
    /// A name that nobody else uses.
    beside: PathBuf,
}

impl Link {
    /// Gives the name, and brings it and the file to the disk.
    fn make(&self, file: &std::fs::File) -> std::io::Result<()> {
        let Self { source, place, beside } = self;
        match std::fs::hard_link(source, place) {
            // The file that lies there may have been damaged since; the one that has just come has the right hash. It
            // takes the place at once and is on the disk before, because whoever put the other there may have been told
            // that it is safe.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                file.sync_all()?;
                std::fs::hard_link(source, beside)?;
                std::fs::rename(beside, place)?;
                // If both names are of one file already, a rename leaves both.
                let _ = std::fs::remove_file(beside);
            }
            linked => {
                linked?;
                file.sync_all()?;
            }
        }
        // Under its own name and not at its place, where another may be removing it; then it is kept once more.
        sync_folder_of(place)
    }
}

/// What is answered with.
pub type Begun = BoxStream<'static, Result<Bytes, object_store::Error>>;

/// A blob that lies where its content has its place, on the disk or in the bucket, and that no row need refer to yet.
#[derive(Debug)]
pub struct Offered {
    location: Location,
    hash: ContentHash,
    removals: u64,
    /// Keeps it from being removed in a bucket.
    claim: Option<Claim>,
}

impl Offered {
    /// The place at which it was written, to be discarded.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// The content.
    #[must_use]
    pub fn hash(&self) -> &ContentHash {
        &self.hash
    }

    /// How often the content had been removed when it was brought; `None` where no other process removes any.
    #[must_use]
    pub fn removals_before(&self) -> Option<i64> {
        self.claim.as_ref().and_then(Claim::removals)
    }
}

#[cfg(test)]
mod tests;
