//! The upload of one file, be it a dropped one or one of a synced folder (specification, "Two-step signed-URL flow";
//! contract, "Uploads").
//!
//! A state machine over ports. Its state is a [`Checkpoint`], which is on disk before the request that it is about
//! leaves; [`Upload::send`] sends, and after a kill or a lost answer [`Upload::resume`] settles what was left open.
//! Always true: a file that may be in the drive is looked for before a byte is sent again; bytes that storage has taken
//! are not sent again because register refuses; a file ends where it was wanted, except that a file which the service
//! had already stays where it is, unless an earlier request of this very upload made it. Not here: when and what is
//! sent (`upload_job` for dropped files, `engine` for folders), and any HTTP.

mod checkpoint;
pub(crate) mod service;

use std::collections::BTreeSet;

use easel_wire::{FileId, ItemRef, Timestamp};

pub use checkpoint::Checkpoint;

use crate::shared::causes::{Cause, Waiting};
use crate::shared::drive_file::{ContentHash, RemoteFile, Replacing};
use crate::shared::names;
use crate::shared::planted::{Mutant, Planted};
use crate::shared::ports::{Destination, DriveError, Fingerprint, Hold, Route, Uploaded, Uploads, WallClock};

/// How often one upload signs anew or takes another way before it gives up.
const MOST_TRIES: u32 = 4;
/// How often it sends bytes again that storage has confirmed and register does not find.
const MOST_LOSSES: u32 = 2;
/// How many names are tried in a folder where the file's own is taken.
pub(crate) const MOST_NAMES: usize = 20;
/// So many names are tried where each costs the bytes of the file again.
const MOST_NAMES_SENT: usize = 4;

/// Where the checkpoints of an upload are written down.
pub trait Checkpoints: Send + Sync {
    /// Why a checkpoint could not be written.
    type Error: Send;

    /// Writes a checkpoint, durably, in place of the one before.
    fn save(&self, checkpoint: &Checkpoint) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Whether another upload from here is known to have made this drive file: then it is not this upload's own.
    fn belongs_to_another(&self, file: FileId) -> impl Future<Output = Result<bool, Self::Error>> + Send;
}

/// A local file, and its destination.
#[derive(Debug)]
pub struct Sending<'a, S> {
    /// The local file.
    pub source: &'a S,
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// The file's destination.
    pub to: &'a Destination,
    /// The drive file that is to get the content. If it cannot, the content becomes a new one at `to`.
    pub replacing: Option<Replacing>,
}

/// The drive file that an upload made or found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The drive file: a new one, or the one that had the content already.
    pub file: FileId,
    /// The file's place, name and content, as far as the service tells.
    pub seen: RemoteFile,
    /// The content that was sent; `None` where nobody has read it yet.
    pub hash: Option<ContentHash>,
    /// Whether the drive had the content before this upload began.
    pub was_duplicate: bool,
    /// Whether a file that the drive had may have been made by an earlier request of this upload whose answer was lost.
    pub may_be_own: bool,
}

/// Why an upload stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UploadError<E> {
    /// The drive failed.
    Drive(DriveError),
    /// The checkpoint cannot be written down.
    Store(E),
}

impl<E> From<DriveError> for UploadError<E> {
    fn from(error: DriveError) -> Self {
        Self::Drive(error)
    }
}

/// See the module.
#[derive(Debug)]
pub struct Upload<'a, U: Uploads, K, C> {
    drive: &'a U,
    checkpoints: &'a K,
    clock: &'a C,
    sending: Sending<'a, U::Source>,
    at: Checkpoint,
    /// Whether an earlier request of this upload may still be carried out, though its file was looked for.
    is_doubted: bool,
    planted: Planted,
}

impl<'a, U: Uploads, K: Checkpoints, C: WallClock> Upload<'a, U, K, C> {
    /// An upload with the checkpoint `at`, which is written down already.
    pub const fn new(
        drive: &'a U,
        checkpoints: &'a K,
        clock: &'a C,
        sending: Sending<'a, U::Source>,
        at: Checkpoint,
        planted: Planted,
    ) -> Self {
        Self { drive, checkpoints, clock, sending, at, is_doubted: false, planted }
    }

    /// The upload's checkpoint.
    #[must_use]
    pub const fn checkpoint(&self) -> &Checkpoint {
        &self.at
    }

    /// Settles what an earlier run left open, without sending a byte. `None`: nothing of the file is in the drive, and
    /// it has to be sent.
    ///
    /// # Errors
    /// Why it cannot be settled for now. The upload is then at [`Upload::checkpoint`].
    pub async fn resume(&mut self) -> Result<Option<Arrived>, UploadError<K::Error>> {
        match self.at.clone() {
            Checkpoint::NotBegun => Ok(None),
            Checkpoint::Sent { since_us, hash } => {
                let hash = self.content(hash).await?;
                let found = self.find(since_us, hash).await?;
                self.is_doubted = found.is_none();
                self.bring_found(found).await
            }
            Checkpoint::Staged { .. } if self.planted.is(Mutant::ForgetsStorageKey) => {
                self.save(Checkpoint::NotBegun).await?;
                Ok(None)
            }
            Checkpoint::Signed { key, since_us } => {
                // Whoever registers the bytes has to know their hash.
                let hash = self.drive.hash(self.sending.source).await?;
                self.save(Checkpoint::Staged { key: key.clone(), since_us, hash: Some(hash) }).await?;
                let registered = self.register(&key, Some(hash)).await?;
                if registered.is_none() {
                    self.save(Checkpoint::NotBegun).await?;
                }
                Ok(registered)
            }
            Checkpoint::Staged { key, since_us, hash } => self.settle_staged(&key, since_us, hash).await,
            Checkpoint::Landed { file, .. } => match self.drive.get_file(file).await? {
                Some(seen) => self.settle_landed(seen).await.map(Some),
                // Someone has deleted the file since.
                None => {
                    self.save(Checkpoint::NotBegun).await?;
                    Ok(None)
                }
            },
        }
    }

    /// Finds out whether the file of an upload that is no longer wanted is in the drive: nothing is sent, registered or
    /// moved.
    ///
    /// # Errors
    /// Why that cannot be found out for now.
    pub async fn look(&self) -> Result<Option<Arrived>, UploadError<K::Error>> {
        match self.at.clone() {
            Checkpoint::NotBegun | Checkpoint::Signed { .. } => Ok(None),
            Checkpoint::Sent { since_us, hash } | Checkpoint::Staged { since_us, hash, .. } => {
                let hash = self.content(hash).await?;
                self.find(since_us, hash).await
            }
            Checkpoint::Landed { file, hash, .. } => {
                let Some(seen) = self.drive.get_file(file).await? else { return Ok(None) };
                let was_duplicate = !self.has_made(file).await?;
                Ok(Some(Arrived { file, seen, hash, was_duplicate, may_be_own: false }))
            }
        }
    }

    /// Sends the file. What an earlier run left open has been settled before.
    ///
    /// # Errors
    /// Why the file is not sent for now. The upload is then at [`Upload::checkpoint`], from where [`Upload::resume`]
    /// goes on.
    pub async fn send(&mut self) -> Result<Arrived, UploadError<K::Error>> {
        let mut losses = 0;
        let mut last = DriveError::Expired;
        for _ in 0..MOST_TRIES {
            let tried = match self.drive.route(self.sending.source, self.sending.to).await? {
                Route::Direct if self.sending.replacing.is_none() => self.send_direct().await,
                Route::Direct | Route::Signed => self.send_signed().await,
            };
            match tried {
                // Another way, or the same once more, may get through.
                Err(UploadError::Drive(
                    again @ (DriveError::Expired | DriveError::RouteAgain | DriveError::NotStaged),
                )) => {
                    losses += u32::from(again == DriveError::NotStaged);
                    last = again;
                }
                other => return other,
            }
            if losses >= MOST_LOSSES {
                break;
            }
        }
        let last = if last == DriveError::NotStaged { DriveError::Refused(last.into()) } else { last };
        Err(last.into())
    }

    async fn save(&mut self, checkpoint: Checkpoint) -> Result<(), UploadError<K::Error>> {
        self.checkpoints.save(&checkpoint).await.map_err(UploadError::Store)?;
        self.at = checkpoint;
        Ok(())
    }

    async fn send_direct(&mut self) -> Result<Arrived, UploadError<K::Error>> {
        if !matches!(self.at, Checkpoint::Sent { .. }) {
            self.save(Checkpoint::Sent { since_us: self.clock.wall_us(), hash: None }).await?;
        }
        let mut taken = BTreeSet::new();
        let sent = loop {
            let to = self.named(&taken);
            match self.drive.send_direct(self.sending.source, &to).await {
                Err(DriveError::NameTaken) if taken.len() < MOST_NAMES_SENT => drop(taken.insert(to.name)),
                sent => break sent,
            }
        };
        match sent {
            Ok(uploaded) => self.arrive(uploaded, None).await,
            Err(error) => {
                let is_open = match &error {
                    DriveError::Unanswered(_) => !self.planted.is(Mutant::TakesLostForFailed),
                    DriveError::Stopped { may_be_done } => *may_be_done,
                    _ => false,
                };
                if !is_open && !self.is_doubted {
                    self.save(Checkpoint::NotBegun).await?;
                }
                Err(into_folder(error).into())
            }
        }
    }

    /// Signs, puts and registers.
    async fn send_signed(&mut self) -> Result<Arrived, UploadError<K::Error>> {
        let key = self.drive.sign_upload(self.sending.to).await?;
        let since_us = self.clock.wall_us();
        self.save(Checkpoint::Signed { key: key.clone(), since_us }).await?;
        let hash = match self.drive.put_signed(&key, self.sending.source).await {
            Ok(hash) => hash,
            // The last byte has left: register knows whether it arrived.
            Err(DriveError::Unanswered(_)) => self.drive.hash(self.sending.source).await?,
            // Nothing is registered, so the file is not in the drive. A blob that may be whole is worth asking for.
            Err(DriveError::Stopped { may_be_done: true }) => {
                return Err(DriveError::Stopped { may_be_done: true }.into());
            }
            Err(error) => {
                self.save(Checkpoint::NotBegun).await?;
                return Err(error.into());
            }
        };
        self.save(Checkpoint::Staged { key: key.clone(), since_us, hash: Some(hash) }).await?;
        match self.settle_staged(&key, since_us, Some(hash)).await {
            Ok(Some(arrived)) => Ok(arrived),
            Ok(None) => Err(DriveError::NotStaged.into()),
            Err(UploadError::Drive(DriveError::Refused(failure))) if self.planted.is(Mutant::ResendsRefused) => {
                self.save(Checkpoint::NotBegun).await?;
                Err(DriveError::Refused(failure).into())
            }
            Err(error) => Err(error),
        }
    }

    /// Registers staged bytes. If the service finds none under the key, the drive itself is asked: the key may have
    /// been used up long ago, or never written to. `None`: the file is not in the drive either.
    async fn settle_staged(
        &mut self,
        key: &str,
        since_us: i64,
        hash: Option<ContentHash>,
    ) -> Result<Option<Arrived>, UploadError<K::Error>> {
        if let Some(arrived) = self.register(key, hash).await? {
            return Ok(Some(arrived));
        }
        let hash = self.content(hash).await?;
        let found = self.find(since_us, hash).await?;
        if found.is_none() {
            self.save(Checkpoint::NotBegun).await?;
        }
        self.bring_found(found).await
    }

    /// Gives the bytes under the key to the drive file that is to get them, or to a new file. `None`: there are no
    /// bytes under the key.
    async fn register(
        &mut self,
        key: &str,
        hash: Option<ContentHash>,
    ) -> Result<Option<Arrived>, UploadError<K::Error>> {
        let mut gone = None;
        if let Some(Replacing { file, expected }) = self.sending.replacing {
            let expected = (!self.planted.is(Mutant::ReplacesUnseen)).then_some(expected);
            match self.drive.replace(key, file, expected).await {
                Ok(seen) => return Ok(Some(Arrived { file, seen, hash, was_duplicate: false, may_be_own: false })),
                Err(DriveError::NotStaged) => return Ok(None),
                // The file is gone or was changed by someone, or the service keeps no versions: storage has the bytes
                // all the same, and they become a new file.
                Err(error @ (DriveError::NotFound | DriveError::ContentChanged | DriveError::RouteMissing)) => {
                    self.sending.replacing = None;
                    gone = (error == DriveError::NotFound).then_some(file);
                }
                Err(error) => return Err(error.into()),
            }
        }
        let mut taken = BTreeSet::new();
        let registered = loop {
            let to = self.named(&taken);
            match self.drive.register(key, &to).await {
                Err(DriveError::NameTaken) if taken.len() < MOST_NAMES => drop(taken.insert(to.name)),
                registered => break registered,
            }
        };
        match registered {
            // The key was used up for a file that was deleted since: the service repeats its old answer, and has no
            // file.
            Ok(uploaded) if gone == Some(uploaded.file) => Ok(None),
            Ok(uploaded) => self.arrive(uploaded, hash).await.map(Some),
            Err(DriveError::NotStaged) => Ok(None),
            Err(error) => Err(into_folder(error).into()),
        }
    }

    /// The destination; if others have its name and the service does not number it, under a free name.
    fn named(&self, taken: &BTreeSet<String>) -> Destination {
        let Destination { folder, name } = self.sending.to;
        Destination { folder: *folder, name: names::numbered(name, |name| taken.contains(name)) }
    }

    /// The content of the file.
    async fn content(&self, known: Option<ContentHash>) -> Result<ContentHash, DriveError> {
        match known {
            Some(hash) => Ok(hash),
            None => self.drive.hash(self.sending.source).await,
        }
    }

    /// Looks in the drive for a file that an earlier request may have made: at its destination, and at the top, where
    /// services put a file that ignore the folder.
    async fn find(&self, since_us: i64, hash: ContentHash) -> Result<Option<Arrived>, UploadError<K::Error>> {
        let Destination { folder, name } = self.sending.to;
        if let Some(Replacing { file, .. }) = self.sending.replacing
            && let Some(seen) = self.drive.get_file(file).await?
            && seen.hash == Some(hash)
        {
            return Ok(Some(Arrived { file, seen, hash: Some(hash), was_duplicate: false, may_be_own: false }));
        }
        let since_us = if self.planted.is(Mutant::TakesOldFiles) { 0 } else { since_us };
        let sent = Fingerprint {
            size_bytes: self.sending.size_bytes,
            sha256: hash,
            filename: name.clone(),
            since: Timestamp::from_micros(since_us),
        };
        let top = folder.is_some().then_some(None);
        for place in [Some(*folder), top].into_iter().flatten() {
            match self.drive.find(&sent, place).await {
                Ok(Some((file, seen))) => {
                    let belongs_to_another =
                        self.checkpoints.belongs_to_another(file).await.map_err(UploadError::Store)?;
                    if !belongs_to_another || self.planted.is(Mutant::TakesOldFiles) {
                        return Ok(Some(Arrived {
                            file,
                            seen,
                            hash: Some(hash),
                            was_duplicate: false,
                            may_be_own: false,
                        }));
                    }
                }
                // A folder that is gone has no files, and a drive without lists cannot be asked.
                Ok(None) | Err(DriveError::NotFound | DriveError::RouteMissing) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    /// Deals with a file that an earlier request of this upload made.
    async fn bring_found(&mut self, found: Option<Arrived>) -> Result<Option<Arrived>, UploadError<K::Error>> {
        let Some(found) = found else { return Ok(None) };
        // A file that got new content stays where it is.
        let is_replaced = self.sending.replacing.is_some_and(|replacing| replacing.file == found.file);
        if is_replaced || found.seen.folder == self.sending.to.folder {
            return Ok(Some(found));
        }
        let Arrived { file, hash, .. } = found;
        self.save(Checkpoint::Landed { file, hash, was_duplicate: false, doubted_since_us: None }).await?;
        self.settle_landed(found.seen).await.map(Some)
    }

    /// Takes over the service's answer to an upload. Fields that it did not tell are asked for, once this is written
    /// down.
    async fn arrive(
        &mut self,
        uploaded: Uploaded,
        known: Option<ContentHash>,
    ) -> Result<Arrived, UploadError<K::Error>> {
        let Uploaded { file, was_duplicate, .. } = uploaded;
        // The sent content counts. A late answer may tell the content that others gave the file since.
        let hash = known.or(uploaded.hash);
        let told = self.look_again(&uploaded, known).await?.or_else(|| told(&uploaded));
        let is_where_it_is_wanted = told.as_ref().is_some_and(|seen| seen.folder == self.sending.to.folder);
        let doubted_since_us = self.at.since_us().filter(|_| self.is_doubted && was_duplicate);
        match told {
            Some(seen) if doubted_since_us.is_none() && (is_where_it_is_wanted || was_duplicate) => {
                if was_duplicate && self.planted.is(Mutant::MovesDuplicates) {
                    return self.bring(Arrived { file, seen, hash, was_duplicate, may_be_own: false }).await;
                }
                Ok(Arrived { file, seen, hash, was_duplicate, may_be_own: false })
            }
            told => {
                self.save(Checkpoint::Landed { file, hash, was_duplicate, doubted_since_us }).await?;
                let seen = match told {
                    Some(seen) => seen,
                    None => self.ask_for(&uploaded).await?,
                };
                self.settle_landed(seen).await
            }
        }
    }

    /// Asks the service once more about a file that had the content already, but is seen with another: the picture is
    /// old, and would have the content sent again and again.
    async fn look_again(
        &self,
        uploaded: &Uploaded,
        known: Option<ContentHash>,
    ) -> Result<Option<RemoteFile>, DriveError> {
        let is_old = uploaded.was_duplicate && known.zip(uploaded.hash).is_some_and(|(known, seen)| known != seen);
        if !is_old {
            return Ok(None);
        }
        match self.drive.get_file(uploaded.file).await {
            Err(error) if !is_passing(&error) => Ok(None),
            seen => seen,
        }
    }

    /// Asks for fields that the service did not tell. If it does not tell them either, they are taken to be as wanted;
    /// but a file that was there before lies wherever somebody put it, not here.
    async fn ask_for(&self, uploaded: &Uploaded) -> Result<RemoteFile, DriveError> {
        let Uploaded { file, name, folder, size_bytes, hash, was_duplicate } = uploaded.clone();
        let wanted = self.sending.to.folder.filter(|_| !was_duplicate);
        match self.drive.get_file(file).await {
            Ok(Some(seen)) => Ok(RemoteFile { hash: hash.or(seen.hash), ..seen }),
            Err(error) if is_passing(&error) => Err(error),
            Ok(None) | Err(_) => {
                let seen = RemoteFile {
                    folder: folder.unwrap_or(wanted),
                    name: name.unwrap_or_else(|| self.sending.to.name.clone()),
                    size_bytes: size_bytes.unwrap_or(self.sending.size_bytes),
                    hash,
                };
                self.drive.assume(file, &seen);
                Ok(seen)
            }
        }
    }

    /// Whether this upload made the drive file that it landed at. A file that the drive had may have been made by an
    /// earlier request whose answer was lost.
    async fn has_made(&self, file: FileId) -> Result<bool, UploadError<K::Error>> {
        let Checkpoint::Landed { hash, was_duplicate, doubted_since_us, .. } = self.at else { return Ok(false) };
        let Some(since_us) = doubted_since_us else { return Ok(!was_duplicate) };
        let hash = self.content(hash).await?;
        Ok(self.find(since_us, hash).await?.is_some_and(|found| found.file == file))
    }

    /// Brings a file that is in the drive as `seen` to its destination, if this upload made it.
    async fn settle_landed(&mut self, seen: RemoteFile) -> Result<Arrived, UploadError<K::Error>> {
        let Checkpoint::Landed { file, hash, .. } = self.at else {
            return Err(DriveError::NotStaged.into());
        };
        let is_own = self.has_made(file).await?;
        let arrived = Arrived { file, seen, hash, was_duplicate: !is_own, may_be_own: false };
        if is_own || self.planted.is(Mutant::MovesDuplicates) { self.bring(arrived).await } else { Ok(arrived) }
    }

    /// Moves a file that this upload made to its destination folder.
    async fn bring(&mut self, arrived: Arrived) -> Result<Arrived, UploadError<K::Error>> {
        let Destination { folder, name } = self.sending.to;
        if arrived.seen.folder == *folder || self.planted.is(Mutant::LeavesAtTop) {
            return Ok(arrived);
        }
        let item = ItemRef::File(arrived.file);
        let mut is_at = arrived.seen.name.clone();
        let mut taken = BTreeSet::new();
        for _ in 0..MOST_NAMES {
            if !taken.contains(&is_at) {
                match self.drive.move_item(item, *folder).await {
                    Ok(()) => {
                        let seen = RemoteFile { folder: *folder, name: is_at, ..arrived.seen };
                        return Ok(Arrived { seen, ..arrived });
                    }
                    Err(DriveError::NameTaken) => {}
                    Err(error) => return Err(into_folder(into_own(error)).into()),
                }
                taken.insert(is_at.clone());
            }
            // The same name that a service gives where one is taken.
            let free = names::numbered(name, |name| taken.contains(name));
            match self.drive.rename_item(item, &free).await {
                Ok(()) => is_at = free,
                Err(DriveError::NameTaken) => drop(taken.insert(free)),
                Err(error) => return Err(into_folder(into_own(error)).into()),
            }
        }
        Err(DriveError::NameTaken.into())
    }
}

/// The file, where the service told all of its fields.
fn told(uploaded: &Uploaded) -> Option<RemoteFile> {
    let Uploaded { name, folder, size_bytes, hash, .. } = uploaded.clone();
    Some(RemoteFile { folder: folder?, name: name?, size_bytes: size_bytes?, hash })
}

/// Whether asking again later may help.
fn is_passing(error: &DriveError) -> bool {
    match error {
        DriveError::Deferred(Hold { waiting, .. }) => *waiting != Waiting::NotPermitted,
        DriveError::Unanswered(_) | DriveError::Stopped { .. } => true,
        _ => false,
    }
}

/// If the destination of a file is not there, its folder is gone.
fn into_folder(error: DriveError) -> DriveError {
    match error {
        DriveError::NotFound => DriveError::Refused(Cause::FolderGone.into()),
        error => error,
    }
}

/// A key that may send and not move holds nothing up but this file, which is in the drive.
fn into_own(error: DriveError) -> DriveError {
    match error {
        DriveError::Deferred(Hold { waiting: waiting @ Waiting::NotPermitted, .. }) => {
            DriveError::Refused(Cause::Waits { waiting }.into())
        }
        error => error,
    }
}
