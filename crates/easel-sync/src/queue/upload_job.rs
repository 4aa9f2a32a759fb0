//! The way of one dropped file: looked at until it stands still, settled, sent, ended; or paused, canceled, failed.
//!
//! It decides when the upload begins, goes on and stops, and what becomes of a failure; the upload itself is the machine
//! of `upload`. Always true: a file is sent only while it stands still; a cancel ends only once it is known that nothing of the
//! file is in the drive; a retry goes on from the last checkpoint. Not here: whose turn it is (`dispatch`), and where
//! all this is written down (`journal`).

use std::time::Duration;

use easel_wire::{FileId, FolderId};

pub use super::settle::Identity;
use super::settle::{self, Verdict};
use crate::queue::transfer::{Kind, Stored};
use crate::shared::causes::{Cause, Failure, Waiting};
use crate::shared::planted::Planted;
use crate::shared::ports::{Destination, DriveError, Hold, Uploads, WallClock};
use crate::shared::upload::{Arrived, Checkpoint, Checkpoints, Sending, Upload, UploadError};

/// After so many broken attempts of one file, others getting through, it is the file's own failure.
const MOST_ATTEMPTS: u32 = 5;

/// What a person asked of a transfer at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To stop for now.
    Pause,
    /// To end for good.
    Cancel,
}

/// How a transfer ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It is in the drive.
    Sent(Stored),
    /// The drive had it before.
    AlreadyThere(Stored),
    /// It failed, and keeps its checkpoint for a retry.
    Failed(Failure),
    /// Nothing of it is in the drive.
    Canceled,
}

/// What came of an errand.
#[derive(Debug)]
pub enum Outcome {
    /// It reached its end, which is written down.
    Ended(End),
    /// The file is still being written; it was set aside.
    Settling,
    /// A person stopped it, or it goes back to its place.
    Stopped,
    /// Everything must wait.
    Blocked {
        /// What for.
        waiting: Waiting,
        /// How long the service asked to wait, in milliseconds.
        after_ms: Option<u64>,
    },
}

/// What an errand needs beside the drive: the transfer's row, its file, and the person.
pub trait Slip: Checkpoints {
    /// The file as the drive's port wants it.
    type Source: Send + Sync;

    /// What a person asks of it meanwhile.
    fn wish(&self) -> Option<Wish>;
    /// What the file is now.
    fn look(&self) -> impl Future<Output = Result<Identity, Cause>> + Send;
    /// The file, as it is `identity`.
    fn source(&self, identity: Identity) -> Self::Source;
    /// Where it is to go; folders on the way that are not made yet are made.
    fn destination(&self) -> impl Future<Output = Result<Destination, UploadError<Self::Error>>> + Send;
    /// Where it is to go, as far as that is made.
    fn known_destination(&self) -> impl Future<Output = Result<Destination, UploadError<Self::Error>>> + Send;
    /// Its folder is gone: the next attempt makes it anew.
    fn forget_destination(&self) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Lets what goes before it end first.
    fn turn(&self) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Writes down what the file is now.
    fn save_identity(&self, identity: Identity) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Sets it aside until `due_at`, in microseconds since the epoch, because it is still being written.
    fn save_settling(&self, identity: Identity, due_at: i64) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Notes that an attempt broke off and will be made again, and says how many there were.
    fn save_attempt(&self) -> impl Future<Output = Result<u32, Self::Error>> + Send;
    /// Writes down a cancel that has to wait until it is known what the drive has.
    fn save_cancel_in_doubt(&self) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Writes down how it ended.
    fn save_end(&self, end: &End) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// A transfer as it is written down.
#[derive(Debug, Clone)]
pub struct Item {
    /// A file, or an empty folder.
    pub kind: Kind,
    /// What the file was when it was last looked at.
    pub identity: Identity,
    /// Whether it was found to stand still as it was then.
    pub is_settled: bool,
    /// How far its upload is.
    pub at: Checkpoint,
    /// Whether it was canceled while it may have been in the drive.
    pub is_cancel_wished: bool,
}

/// Why the steps broke off.
enum Broken<E> {
    UploadError(UploadError<E>),
    /// It is still being written.
    Settle(Identity, i64),
}

impl<E> From<UploadError<E>> for Broken<E> {
    fn from(halt: UploadError<E>) -> Self {
        Self::UploadError(halt)
    }
}

impl<E> From<DriveError> for Broken<E> {
    fn from(error: DriveError) -> Self {
        Self::UploadError(error.into())
    }
}

/// One transfer at work.
#[derive(Debug)]
pub struct UploadJob<'a, S, U, C> {
    /// The transfer's row, its file, and the person.
    pub slip: &'a S,
    /// The drive.
    pub drive: &'a U,
    /// The clock.
    pub clock: &'a C,
    /// How long a file must stand still before it is sent.
    pub settle: Duration,
    /// The transfer as it is written down.
    pub item: Item,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

impl<S: Slip, U: Uploads<Source = S::Source>, C: WallClock> UploadJob<'_, S, U, C> {
    /// Carries the transfer as far as it goes.
    ///
    /// # Errors
    /// What cannot be written down. The transfer then stands where it was written down last.
    pub async fn run(mut self) -> Result<Outcome, S::Error> {
        match self.carry().await {
            Ok(end) => self.end(end).await,
            Err(Broken::UploadError(UploadError::Store(error))) => Err(error),
            Err(Broken::UploadError(UploadError::Drive(error))) => self.give_in(error).await,
            Err(Broken::Settle(identity, due_at)) => {
                self.slip.save_settling(identity, due_at).await?;
                Ok(Outcome::Settling)
            }
        }
    }

    async fn carry(&mut self) -> Result<End, Broken<S::Error>> {
        if self.item.is_cancel_wished {
            return self.settle_cancel().await;
        }
        let to = self.slip.destination().await?;
        if self.item.kind == Kind::Folder {
            return Ok(End::Sent(Stored { file_id: None, folder_id: to.folder, filename: Some(to.name) }));
        }
        // What the service has all bytes of is no longer about the file: it may be gone by now.
        if self.item.at.has_all_bytes()
            && !self.is_overtaken(&to).await?
            && let Some(arrived) = self.go_on(&to, Part::Settle).await?
        {
            return Ok(ended(arrived));
        }
        let is_changed = self.look().await?;
        if is_changed && self.item.at != Checkpoint::NotBegun {
            // What was begun was of another content; it is not what is wanted now.
            self.save(Checkpoint::NotBegun).await?;
        }
        let arrived = self.go_on(&to, Part::All).await?;
        arrived.map(ended).ok_or_else(|| DriveError::NotStaged.into())
    }

    /// Goes on with the upload, and remembers how far it came.
    async fn go_on(&mut self, to: &Destination, part: Part) -> Result<Option<Arrived>, Broken<S::Error>> {
        let source = self.slip.source(self.item.identity);
        let sending = Sending { source: &source, size_bytes: self.item.identity.size_bytes, to, replacing: None };
        let at = self.item.at.clone();
        let mut upload = Upload::new(self.drive, self.slip, self.clock, sending, at, self.planted);
        let came = match part {
            Part::Look => upload.look().await,
            Part::Settle => upload.resume().await,
            Part::All => match upload.resume().await {
                Ok(None) => match self.slip.turn().await {
                    Ok(()) => upload.send().await.map(Some),
                    Err(error) => Err(error.into()),
                },
                settled => settled,
            },
        };
        self.item.at = upload.checkpoint().clone();
        Ok(came?)
    }

    /// Whether the file was edited after storage took its bytes and before the drive had them: nobody wants those any more.
    async fn is_overtaken(&mut self, to: &Destination) -> Result<bool, Broken<S::Error>> {
        let is_staged = matches!(self.item.at, Checkpoint::Staged { .. });
        let is_edited = is_staged && self.slip.look().await.is_ok_and(|seen| seen != self.item.identity);
        Ok(is_edited && self.go_on(to, Part::Look).await?.is_none())
    }

    /// Looks at the file: what it is, whether it stands still. Says whether it is another than the one remembered.
    async fn look(&mut self) -> Result<bool, Broken<S::Error>> {
        let seen = self.slip.look().await.map_err(|cause| DriveError::Refused(cause.into()))?;
        let before = self.item.identity;
        let is_known = self.item.is_settled || self.item.at != Checkpoint::NotBegun;
        match settle::judge(seen, is_known.then_some(before), self.settle, self.clock.wall_us()) {
            Verdict::Settled => {}
            Verdict::LookAgainAt(due_at) => {
                // The file will be remembered as it is now, and what was begun was of another content.
                if self.item.at != Checkpoint::NotBegun {
                    self.save(Checkpoint::NotBegun).await?;
                }
                return Err(Broken::Settle(seen, due_at));
            }
        }
        if seen == before {
            return Ok(false);
        }
        self.slip.save_identity(seen).await.map_err(UploadError::Store)?;
        self.item.identity = seen;
        Ok(true)
    }

    /// Finds out whether a canceled transfer whose last step was in doubt is in the drive.
    async fn settle_cancel(&mut self) -> Result<End, Broken<S::Error>> {
        let to = self.slip.known_destination().await?;
        match self.go_on(&to, Part::Look).await {
            Ok(Some(arrived)) => Ok(ended(arrived)),
            // A file that is gone or another now cannot be looked for.
            Ok(None)
            | Err(Broken::UploadError(UploadError::Drive(DriveError::Refused(_) | DriveError::SourceChanged))) => {
                Ok(End::Canceled)
            }
            Err(broken) => Err(broken),
        }
    }

    async fn save(&mut self, checkpoint: Checkpoint) -> Result<(), UploadError<S::Error>> {
        self.slip.save(&checkpoint).await.map_err(UploadError::Store)?;
        self.item.at = checkpoint;
        Ok(())
    }

    fn is_canceled(&self) -> bool {
        self.slip.wish() == Some(Wish::Cancel)
    }

    /// What becomes of a transfer that the drive did not take.
    async fn give_in(&mut self, error: DriveError) -> Result<Outcome, S::Error> {
        match error {
            DriveError::Stopped { .. } => self.stop().await,
            DriveError::SourceChanged => {
                // The next look decides how long it must stand still.
                self.slip.save(&Checkpoint::NotBegun).await?;
                self.item.at = Checkpoint::NotBegun;
                if self.slip.save_attempt().await? >= 2 * MOST_ATTEMPTS {
                    return self.fail(Cause::KeepsChanging.into()).await;
                }
                Ok(Outcome::Stopped)
            }
            DriveError::Lost(hold) | DriveError::Held(hold) => self.wait(hold).await,
            DriveError::RouteMissing => {
                let blame = Some(Box::new(Cause::ServiceFailed { status: 404 }.into()));
                self.wait(Hold { blame, ..Waiting::NotTheService.into() }).await
            }
            error => self.fail(error.into()).await,
        }
    }

    async fn stop(&self) -> Result<Outcome, S::Error> {
        match self.is_canceled() {
            true if self.item.at.is_in_doubt() => self.slip.save_cancel_in_doubt().await?,
            true => return self.end(End::Canceled).await,
            false => {}
        }
        Ok(Outcome::Stopped)
    }

    async fn wait(&self, hold: Hold) -> Result<Outcome, S::Error> {
        let Hold { waiting, after_ms, blame } = hold;
        if self.is_canceled() {
            if !self.item.at.is_in_doubt() {
                return self.end(End::Canceled).await;
            }
            self.slip.save_cancel_in_doubt().await?;
        } else if let Some(blame) = blame
            && self.slip.save_attempt().await? >= MOST_ATTEMPTS
        {
            return self.fail(*blame).await;
        }
        Ok(Outcome::Blocked { waiting, after_ms })
    }

    async fn fail(&self, failure: Failure) -> Result<Outcome, S::Error> {
        if self.is_canceled() && !self.item.at.is_in_doubt() {
            return self.end(End::Canceled).await;
        }
        if failure.cause == Cause::FolderGone {
            self.slip.forget_destination().await?;
        }
        self.end(End::Failed(failure)).await
    }

    async fn end(&self, end: End) -> Result<Outcome, S::Error> {
        self.slip.save_end(&end).await?;
        Ok(Outcome::Ended(end))
    }
}

/// Which part of an upload is wanted.
enum Part {
    /// To know whether it is in the drive.
    Look,
    /// To settle what is open.
    Settle,
    /// To settle what is open, and to send what is left.
    All,
}

fn ended(arrived: Arrived) -> End {
    let stored = stored(arrived.file, arrived.seen.folder, arrived.seen.name);
    if arrived.was_duplicate { End::AlreadyThere(stored) } else { End::Sent(stored) }
}

const fn stored(file: FileId, folder: Option<FolderId>, name: String) -> Stored {
    Stored { file_id: Some(file), folder_id: folder, filename: Some(name) }
}
