//! An upload job: the way of one dropped file, which is looked at until it stands still, settled, sent, ended; or
//! paused, canceled, failed.
//!
//! It decides when the upload begins, is retried and stops, and how a failure ends; the upload itself is the state
//! machine of `shared::upload`. Always true: a file is sent only while it stands still; a cancel ends only once it is
//! known that nothing of the file is in the drive; a retry goes on from the last checkpoint. Not here: which transfer
//! comes next (`dispatch`), and where all this is written down (`journal`).

use std::time::Duration;

use easel_wire::{FileId, FolderId};

pub use super::settle::Identity;
use super::settle::{self, Readiness};
use crate::queue::transfer::{Kind, Stored};
use crate::shared::causes::{Cause, Failure, Waiting};
use crate::shared::planted::Planted;
use crate::shared::ports::{Destination, DriveError, Hold, Uploads, WallClock};
use crate::shared::upload::{Arrived, Checkpoint, Checkpoints, Sending, Upload, UploadError};

/// After so many broken attempts of one file, while others get through, the file itself has failed.
const MOST_ATTEMPTS: u32 = 5;

/// A person's command about a transfer at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransferCommand {
    /// To pause it.
    Pause,
    /// To cancel it.
    Cancel,
}

/// How a transfer ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The file is in the drive.
    Sent(Stored),
    /// The drive had the content before.
    AlreadyThere(Stored),
    /// The transfer failed, and keeps its checkpoint for a retry.
    Failed(Failure),
    /// The transfer is canceled: nothing of the file is in the drive.
    Canceled,
}

/// The outcome of an upload job.
#[derive(Debug)]
pub enum Outcome {
    /// The transfer ended, which is written down.
    Ended(End),
    /// The file is still being written; it was set aside.
    Settling,
    /// A person stopped the transfer, or it goes back into the queue.
    Stopped,
    /// The whole queue must wait.
    Blocked {
        /// The cause.
        waiting: Waiting,
        /// How long the service asked to wait, in milliseconds.
        after_ms: Option<u64>,
    },
}

/// What an upload job needs besides the drive: the transfer's row, its file, and the person's commands.
pub trait UploadContext: Checkpoints {
    /// The file as the drive's port wants it.
    type Source: Send + Sync;

    /// The person's command about the transfer meanwhile.
    fn command(&self) -> Option<TransferCommand>;
    /// The file's present state.
    fn look(&self) -> impl Future<Output = Result<Identity, Cause>> + Send;
    /// The file in the state `identity`, for the drive's port.
    fn source(&self, identity: Identity) -> Self::Source;
    /// The destination; folders that are missing are made.
    fn destination(&self) -> impl Future<Output = Result<Destination, UploadError<Self::Error>>> + Send;
    /// The destination, as far as its folders are made.
    fn known_destination(&self) -> impl Future<Output = Result<Destination, UploadError<Self::Error>>> + Send;
    /// Notes that the destination's folder is gone: the next attempt makes it anew.
    fn forget_destination(&self) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Waits for the transfers that have to end before this one.
    fn turn(&self) -> impl Future<Output = Result<(), DriveError>> + Send;
    /// Writes down the file's present state.
    fn save_identity(&self, identity: Identity) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Sets the transfer aside until `due_at`, in microseconds since the epoch, because its file is still being
    /// written.
    fn save_settling(&self, identity: Identity, due_at: i64) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Notes that an attempt broke off and will be made again. Returns how many attempts there were.
    fn save_attempt(&self) -> impl Future<Output = Result<u32, Self::Error>> + Send;
    /// Writes down a cancel that has to wait until it is known whether the file is in the drive.
    fn save_cancel_in_doubt(&self) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Writes down how the transfer ended.
    fn save_end(&self, end: &End) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// A transfer's row, as far as an upload job needs it.
#[derive(Debug, Clone)]
pub struct Item {
    /// A file, or an empty folder.
    pub kind: Kind,
    /// The file's state when it was last looked at.
    pub identity: Identity,
    /// Whether the file was found to stand still in that state.
    pub is_settled: bool,
    /// How far the file's upload is.
    pub at: Checkpoint,
    /// Whether the transfer was canceled while its file may have been in the drive.
    pub is_cancel_asked: bool,
}

/// Why the steps broke off.
enum Broken<E> {
    UploadError(UploadError<E>),
    /// The file is still being written.
    Settle(Identity, i64),
}

impl<E> From<UploadError<E>> for Broken<E> {
    fn from(error: UploadError<E>) -> Self {
        Self::UploadError(error)
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
    /// The transfer's row, its file, and the person's commands.
    pub context: &'a S,
    /// The drive.
    pub drive: &'a U,
    /// The clock.
    pub clock: &'a C,
    /// How long a file must stand still before it is sent.
    pub settle: Duration,
    /// The transfer's row.
    pub item: Item,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

impl<S: UploadContext, U: Uploads<Source = S::Source>, C: WallClock> UploadJob<'_, S, U, C> {
    /// Carries the transfer as far as it goes.
    ///
    /// # Errors
    /// A state that cannot be written down. The transfer then has the state that was written down last.
    pub async fn run(mut self) -> Result<Outcome, S::Error> {
        match self.carry().await {
            Ok(end) => self.end(end).await,
            Err(Broken::UploadError(UploadError::Store(error))) => Err(error),
            Err(Broken::UploadError(UploadError::Drive(error))) => self.handle_failure(error).await,
            Err(Broken::Settle(identity, due_at)) => {
                self.context.save_settling(identity, due_at).await?;
                Ok(Outcome::Settling)
            }
        }
    }

    async fn carry(&mut self) -> Result<End, Broken<S::Error>> {
        if self.item.is_cancel_asked {
            return self.settle_cancel().await;
        }
        let to = self.context.destination().await?;
        if self.item.kind == Kind::Folder {
            return Ok(End::Sent(Stored { file_id: None, folder_id: to.folder, filename: Some(to.name) }));
        }
        // Once the service has all bytes, the local file does not matter any more: it may be gone by now.
        if self.item.at.has_all_bytes()
            && !self.is_overtaken(&to).await?
            && let Some(arrived) = self.continue_upload(&to, UploadScope::Settle).await?
        {
            return Ok(ended(arrived));
        }
        let is_changed = self.check_source().await?;
        if is_changed && self.item.at != Checkpoint::NotBegun {
            // The upload was begun with another content, which is no longer wanted.
            self.save(Checkpoint::NotBegun).await?;
        }
        let arrived = self.continue_upload(&to, UploadScope::All).await?;
        arrived.map(ended).ok_or_else(|| DriveError::NotStaged.into())
    }

    /// Goes on with the upload, and remembers its checkpoint.
    async fn continue_upload(
        &mut self,
        to: &Destination,
        part: UploadScope,
    ) -> Result<Option<Arrived>, Broken<S::Error>> {
        let source = self.context.source(self.item.identity);
        let sending = Sending { source: &source, size_bytes: self.item.identity.size_bytes, to, replacing: None };
        let at = self.item.at.clone();
        let mut upload = Upload::new(self.drive, self.context, self.clock, sending, at, self.planted);
        let came = match part {
            UploadScope::Look => upload.look().await,
            UploadScope::Settle => upload.resume().await,
            UploadScope::All => match upload.resume().await {
                Ok(None) => match self.context.turn().await {
                    Ok(()) => upload.send().await.map(Some),
                    Err(error) => Err(error.into()),
                },
                settled => settled,
            },
        };
        self.item.at = upload.checkpoint().clone();
        Ok(came?)
    }

    /// Whether the file was edited after storage took its bytes and before the drive had them: nobody wants those any
    /// more.
    async fn is_overtaken(&mut self, to: &Destination) -> Result<bool, Broken<S::Error>> {
        let is_staged = matches!(self.item.at, Checkpoint::Staged { .. });
        let is_edited = is_staged && self.context.look().await.is_ok_and(|seen| seen != self.item.identity);
        Ok(is_edited && self.continue_upload(to, UploadScope::Look).await?.is_none())
    }

    /// Looks at the file's state, and whether it stands still. Returns whether the state has changed.
    async fn check_source(&mut self) -> Result<bool, Broken<S::Error>> {
        let seen = self.context.look().await.map_err(|cause| DriveError::Refused(cause.into()))?;
        let before = self.item.identity;
        let is_known = self.item.is_settled || self.item.at != Checkpoint::NotBegun;
        match settle::judge(seen, is_known.then_some(before), self.settle, self.clock.wall_us()) {
            Readiness::Settled => {}
            Readiness::LookAgainAt(due_at) => {
                // The file will be remembered in its new state, and the upload was begun with another content.
                if self.item.at != Checkpoint::NotBegun {
                    self.save(Checkpoint::NotBegun).await?;
                }
                return Err(Broken::Settle(seen, due_at));
            }
        }
        if seen == before {
            return Ok(false);
        }
        self.context.save_identity(seen).await.map_err(UploadError::Store)?;
        self.item.identity = seen;
        Ok(true)
    }

    /// Finds out whether the file of a canceled transfer is in the drive, where its last step was in doubt.
    async fn settle_cancel(&mut self) -> Result<End, Broken<S::Error>> {
        let to = self.context.known_destination().await?;
        match self.continue_upload(&to, UploadScope::Look).await {
            Ok(Some(arrived)) => Ok(ended(arrived)),
            // A file that is gone or has changed cannot be compared.
            Ok(None)
            | Err(Broken::UploadError(UploadError::Drive(DriveError::Refused(_) | DriveError::SourceChanged))) => {
                Ok(End::Canceled)
            }
            Err(broken) => Err(broken),
        }
    }

    async fn save(&mut self, checkpoint: Checkpoint) -> Result<(), UploadError<S::Error>> {
        self.context.save(&checkpoint).await.map_err(UploadError::Store)?;
        self.item.at = checkpoint;
        Ok(())
    }

    fn is_canceled(&self) -> bool {
        self.context.command() == Some(TransferCommand::Cancel)
    }

    /// Decides what follows when the drive did not take the file: a stop, a retry, a wait, or the end.
    async fn handle_failure(&mut self, error: DriveError) -> Result<Outcome, S::Error> {
        match error {
            DriveError::Stopped { .. } => self.stop().await,
            DriveError::SourceChanged => {
                // The next look decides for how long the file must stand still.
                self.context.save(&Checkpoint::NotBegun).await?;
                self.item.at = Checkpoint::NotBegun;
                if self.context.save_attempt().await? >= 2 * MOST_ATTEMPTS {
                    return self.fail(Cause::KeepsChanging.into()).await;
                }
                Ok(Outcome::Stopped)
            }
            DriveError::Unanswered(hold) | DriveError::Deferred(hold) => self.wait(hold).await,
            DriveError::RouteMissing => {
                let failure_if_repeated = Some(Box::new(Cause::ServiceFailed { status: 404 }.into()));
                self.wait(Hold { failure_if_repeated, ..Waiting::NotTheService.into() }).await
            }
            error => self.fail(error.into()).await,
        }
    }

    async fn stop(&self) -> Result<Outcome, S::Error> {
        match self.is_canceled() {
            true if self.item.at.is_in_doubt() => self.context.save_cancel_in_doubt().await?,
            true => return self.end(End::Canceled).await,
            false => {}
        }
        Ok(Outcome::Stopped)
    }

    async fn wait(&self, hold: Hold) -> Result<Outcome, S::Error> {
        let Hold { waiting, after_ms, failure_if_repeated } = hold;
        if self.is_canceled() {
            if !self.item.at.is_in_doubt() {
                return self.end(End::Canceled).await;
            }
            self.context.save_cancel_in_doubt().await?;
        } else if let Some(failure) = failure_if_repeated
            && self.context.save_attempt().await? >= MOST_ATTEMPTS
        {
            return self.fail(*failure).await;
        }
        Ok(Outcome::Blocked { waiting, after_ms })
    }

    async fn fail(&self, failure: Failure) -> Result<Outcome, S::Error> {
        if self.is_canceled() && !self.item.at.is_in_doubt() {
            return self.end(End::Canceled).await;
        }
        if failure.cause == Cause::FolderGone {
            self.context.forget_destination().await?;
        }
        self.end(End::Failed(failure)).await
    }

    async fn end(&self, end: End) -> Result<Outcome, S::Error> {
        self.context.save_end(&end).await?;
        Ok(Outcome::Ended(end))
    }
}

/// Which part of an upload is asked for.
enum UploadScope {
    /// To find out whether the file is in the drive.
    Look,
    /// To settle an open step.
    Settle,
    /// To settle an open step, and to send the rest.
    All,
}

fn ended(arrived: Arrived) -> End {
    let stored = stored(arrived.file, arrived.seen.folder, arrived.seen.name);
    if arrived.was_duplicate { End::AlreadyThere(stored) } else { End::Sent(stored) }
}

const fn stored(file: FileId, folder: Option<FolderId>, name: String) -> Stored {
    Stored { file_id: Some(file), folder_id: folder, filename: Some(name) }
}
