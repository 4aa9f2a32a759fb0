//! Carries one transfer through its steps: folders, route, bytes, register.
//!
//! Always true: a step stands in the journal before its request leaves, and its result before the next step; a step in
//! doubt (from a crash or a lost answer) is settled by asking the service before anything is sent again; bytes are only
//! sent of a file that stands still, and the client's source never lets the last byte of a changed file out. A person's
//! pause or cancel interrupts everything but the wait for an answer that may have changed the drive. Not here: whose turn
//! it is and what makes everything wait (`dispatch.rs`).

use std::fs::File;
use std::future::Future;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Fingerprint, Lane, Route, Source, Target};
use easel_wire::error::code;
use easel_wire::uploads::UploadResult;
use easel_wire::{FolderId, Timestamp};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::causes::{self, Remedy};
use crate::error::Error;
use crate::journal::{End, Row, Step};
use crate::live::{Live, Wish};
use crate::queue::Shared;
use crate::settle::{self, Identity, Verdict};
use crate::transfer::{Cause, Failure, Kind, Stored, Waiting};

/// After so many broken attempts of one file, others getting through, it is the file's own failure.
const MOST_ATTEMPTS: u32 = 5;
/// How often one errand signs anew or routes anew before it gives up for now.
const MOST_TRIES: u32 = 4;

/// How much of the beginnings and the ends of files is compared.
const COMPARED_BYTES: i64 = 64 * 1024;
/// How soon a stopped transfer notices that its bytes are being sent again.
const LOOK_FOR_A_REPEAT: Duration = Duration::from_millis(50);

/// What came of an errand.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It reached its end, which stands in the journal.
    Ended(End),
    /// The file is still being written; it was set aside.
    Settling,
    /// A person stopped it, or it goes back to its place.
    Stopped,
    /// Everything must wait.
    Blocked {
        waiting: Waiting,
        /// How long the service asked to wait.
        after: Option<Duration>,
    },
}

/// Why the steps broke off.
enum Halt {
    Journal(Error),
    Remedy(Remedy, Option<Duration>),
    Fail(Cause),
    Settle(Identity, i64),
    Stopped,
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Journal(error)
    }
}

impl From<ClientError> for Halt {
    fn from(error: ClientError) -> Self {
        Self::Remedy(causes::judge(&error), error.retry_after())
    }
}

/// One transfer at work.
pub(crate) struct Errand {
    pub shared: Arc<Shared>,
    pub row: Row,
    pub live: Arc<Live>,
    /// Fires when a person pauses or cancels it.
    pub stop: CancellationToken,
}

impl Errand {
    /// Carries the transfer as far as it goes.
    ///
    /// # Errors
    /// What the journal fails with. The transfer then stands where the journal has it.
    pub(crate) async fn run(mut self) -> Result<Outcome, Error> {
        let halt = match self.carry().await {
            Ok(end) => return self.end(end).await,
            Err(halt) => halt,
        };
        match halt {
            Halt::Journal(error) => Err(error),
            Halt::Stopped => match self.live.wish() {
                Some(Wish::Cancel) if !self.row.step.is_in_doubt() => self.end(End::Canceled).await,
                Some(Wish::Cancel) => {
                    self.shared.journal.record_cancel_in_doubt(self.row.id).await?;
                    Ok(Outcome::Stopped)
                }
                _ => Ok(Outcome::Stopped),
            },
            Halt::Settle(identity, due_at) => {
                let Identity { size_bytes, modified_at } = identity;
                self.shared.journal.record_settling(self.row.id, size_bytes, modified_at, due_at).await?;
                Ok(Outcome::Settling)
            }
            Halt::Fail(cause) => self.fail(Failure { cause, request_id: None }).await,
            Halt::Remedy(remedy, after) => self.remedy(remedy, after).await,
        }
    }

    async fn remedy(&mut self, remedy: Remedy, after: Option<Duration>) -> Result<Outcome, Error> {
        let journal = &self.shared.journal;
        match remedy {
            Remedy::Fail(failure) => self.fail(failure).await,
            Remedy::Changed => {
                journal.record_step(self.row.id, Step::None, None, self.shared.now()).await?;
                self.row.step = Step::None;
                if journal.record_attempt(self.row.id).await? >= 2 * MOST_ATTEMPTS {
                    return self.fail(Failure { cause: Cause::KeepsChanging, request_id: None }).await;
                }
                // The next look decides how long it must stand still.
                Ok(Outcome::Stopped)
            }
            Remedy::Wait { waiting, is_counted, failure } => {
                if self.live.wish() == Some(Wish::Cancel) {
                    if !self.row.step.is_in_doubt() {
                        return self.end(End::Canceled).await;
                    }
                    journal.record_cancel_in_doubt(self.row.id).await?;
                } else if is_counted && journal.record_attempt(self.row.id).await? >= MOST_ATTEMPTS {
                    return self.fail(failure).await;
                }
                Ok(Outcome::Blocked { waiting, after })
            }
            Remedy::SignAnew | Remedy::NotStaged | Remedy::RouteAgain => {
                self.fail(Failure { cause: Cause::ConnectionBroken, request_id: None }).await
            }
        }
    }

    async fn fail(&mut self, failure: Failure) -> Result<Outcome, Error> {
        if self.live.wish() == Some(Wish::Cancel) && !self.row.step.is_in_doubt() {
            return self.end(End::Canceled).await;
        }
        if failure.cause == Cause::FolderGone
            && let Some(folder_row) = self.row.folder_row
        {
            self.shared.journal.forget_folder_chain(folder_row).await?;
        }
        self.end(End::Failed(failure)).await
    }

    async fn end(&self, end: End) -> Result<Outcome, Error> {
        self.shared.journal.record_end(self.row.id, &end, self.shared.now()).await?;
        if !self.row.is_large && matches!(end, End::Sent(_) | End::AlreadyThere(_)) {
            self.shared.board.note_small_done();
        }
        Ok(Outcome::Ended(end))
    }

    fn client(&self) -> Client {
        self.shared.client().in_lane(Lane::Transfer)
    }

    /// Lets a person's wish interrupt what changes nothing in the drive, or nothing that is not settled later.
    async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T, Halt> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(Halt::Stopped),
            done = work => Ok(done),
        }
    }

    async fn step(&mut self, step: Step, storage_key: Option<&str>) -> Result<(), Halt> {
        let now = self.shared.now();
        self.shared.journal.record_step(self.row.id, step, storage_key, now).await?;
        self.row.step = step;
        self.row.storage_key = storage_key.map(str::to_owned);
        self.row.step_at = (step != Step::None).then_some(now);
        Ok(())
    }

    async fn carry(&mut self) -> Result<End, Halt> {
        if self.row.is_cancel_wished {
            return self.settle_cancel().await;
        }
        let folder = self.make_folders().await?;
        if self.row.kind == Kind::Folder {
            return Ok(End::Sent(Stored { file_id: None, folder_id: folder, filename: Some(self.row.name.clone()) }));
        }
        let target = Target::new(&self.row.name, folder);
        if self.row.step == Step::Put
            && let Some(end) = self.register_again(&target).await?
        {
            return Ok(end);
        }
        let is_changed = self.look().await?;
        match self.row.step {
            Step::None => {}
            // What was begun was of another content; it is not what is wanted now.
            _ if is_changed => self.step(Step::None, None).await?,
            Step::Direct => {
                if let Some(found) = self.find(folder).await? {
                    return Ok(End::Sent(found));
                }
            }
            Step::Signed => {
                let key = self.row.storage_key.clone();
                self.step(Step::Put, key.as_deref()).await?;
                if let Some(end) = self.register_again(&target).await? {
                    return Ok(end);
                }
            }
            Step::Put => {
                // The key is unknown: consumed long ago, or never written. The drive itself knows.
                if let Some(found) = self.find(folder).await? {
                    return Ok(End::Sent(found));
                }
                self.step(Step::None, None).await?;
            }
        }
        self.wait_for_twins().await?;
        self.send(&target).await
    }

    /// Lets an earlier transfer of what looks like the same content end first: then the earlier is "sent" and this one
    /// was "already there", and not by chance the other way round.
    async fn wait_for_twins(&self) -> Result<(), Halt> {
        let board = &self.shared.board;
        let mut different = Vec::new();
        while let Some(earlier) = board.find_earlier_of_its_size(&self.live, &different) {
            let (own, other) = (self.row.path.clone(), earlier.path().to_owned());
            let compared = tokio::task::spawn_blocking(move || is_alike(&own, &other).unwrap_or_default());
            // A comparison that could not be made holds nobody up.
            if self.unless_stopped(compared).await?.unwrap_or_default() {
                self.unless_stopped(board.until_ended(earlier.id())).await?;
            } else {
                different.push(earlier.id());
            }
        }
        Ok(())
    }

    /// Looks at the file: what it is, whether it stands still. Says whether it is another than the journal remembers.
    async fn look(&mut self) -> Result<bool, Halt> {
        let metadata =
            tokio::fs::symlink_metadata(&self.row.path).await.map_err(|io| Halt::Fail(causes::of_io(&io)))?;
        if !metadata.is_file() {
            return Err(Halt::Fail(Cause::NotAFile));
        }
        let seen = Identity::of(&metadata);
        let before = Identity { size_bytes: self.row.size_bytes, modified_at: self.row.modified_at };
        let settled_as = (self.row.is_settled || self.row.step != Step::None).then_some(before);
        match settle::judge(seen, settled_as, self.shared.settings.settle, self.shared.now()) {
            Verdict::Settled => {}
            Verdict::LookAgainAt(due_at) => {
                // The journal will remember the file as it is now, and what was begun was of another content.
                if self.row.step != Step::None {
                    self.step(Step::None, None).await?;
                }
                return Err(Halt::Settle(seen, due_at));
            }
        }
        if seen == before {
            return Ok(false);
        }
        self.shared.journal.record_identity(self.row.id, seen.size_bytes, seen.modified_at).await?;
        (self.row.size_bytes, self.row.modified_at) = (seen.size_bytes, seen.modified_at);
        self.live.set_size(seen.size_bytes);
        Ok(true)
    }

    /// Sends the bytes, whichever way they go, and says how it ended.
    async fn send(&mut self, target: &Target) -> Result<End, Halt> {
        let mut last = None;
        for _ in 0..MOST_TRIES {
            self.shared.board.note_restart(&self.live);
            let source = self.unless_stopped(Source::open(&self.row.path)).await??;
            if source.size_bytes() != self.row.size_bytes || modified_at(&source) != self.row.modified_at {
                return Err(ClientError::SourceChanged.into());
            }
            let client = self.client();
            let route = self.unless_stopped(client.route_upload(source.size_bytes(), target)).await??;
            let sent = match route {
                Route::Direct => self.send_direct(&client, &source, target).await,
                Route::Signed => self.send_signed(&client, &source, target).await,
            };
            match sent {
                // Another way, or the same anew, may get through.
                Err(Halt::Remedy(Remedy::SignAnew | Remedy::NotStaged | Remedy::RouteAgain, after)) => {
                    self.step(Step::None, None).await?;
                    last = after;
                }
                other => return other,
            }
        }
        let failure = Failure { cause: Cause::ConnectionBroken, request_id: None };
        let waiting = Waiting::ServiceFailing { status: 0 };
        Err(Halt::Remedy(Remedy::Wait { waiting, is_counted: true, failure }, last))
    }

    async fn send_direct(&mut self, client: &Client, source: &Source, target: &Target) -> Result<End, Halt> {
        let is_repeat = self.row.step == Step::Direct;
        if !is_repeat {
            self.step(Step::Direct, None).await?;
        }
        let sent = {
            let (board, live) = (&self.shared.board, &self.live);
            let progress = |sent_bytes| board.note_sent(live, sent_bytes);
            let sending = client.send_direct(source, target, &progress);
            tokio::pin!(sending);
            let finished = tokio::select! {
                biased;
                () = self.stop.cancelled() => None,
                sent = &mut sending => Some(sent),
            };
            match finished {
                Some(sent) => Some(sent),
                // Where every byte is over, the service may be acting, and its answer says which.
                None => answer_due(sending, live).await,
            }
        };
        let Some(sent) = sent else {
            if !is_repeat && !self.live.may_have_handed_all() {
                self.step(Step::None, None).await?;
            }
            return Err(Halt::Stopped);
        };
        let sent = match sent {
            Ok(sent) => sent,
            Err(error) => {
                // Only a lost answer leaves a doubt.
                if !is_repeat && !is_in_doubt(&error) {
                    self.step(Step::None, None).await?;
                }
                return Err(error.into());
            }
        };
        let is_own = sent.settled_after_lost_answer || is_repeat && is_at(&sent.result, target);
        Ok(ended(sent.result, is_own))
    }

    async fn send_signed(&mut self, client: &Client, source: &Source, target: &Target) -> Result<End, Halt> {
        let signed = self.unless_stopped(client.sign_upload(target)).await??;
        self.step(Step::Signed, Some(&signed.storage_key)).await?;
        let put = {
            let (board, live) = (&self.shared.board, &self.live);
            let progress = |sent_bytes| board.note_sent(live, sent_bytes);
            self.unless_stopped(client.put_signed(&signed, source, &progress)).await
        };
        match put {
            Err(stopped) => {
                // Nothing was registered, so nothing is in the drive. A blob that may be whole is worth asking for.
                if !self.live.may_have_handed_all() {
                    self.step(Step::None, None).await?;
                }
                return Err(stopped);
            }
            Ok(Ok(_) | Err(ClientError::AnswerLost { .. })) => {}
            Ok(Err(error)) => {
                self.step(Step::None, None).await?;
                return Err(error.into());
            }
        }
        if self.live.wish().is_some() {
            return Err(Halt::Stopped);
        }
        self.step(Step::Put, Some(&signed.storage_key)).await?;
        self.shared.board.note_registering(&self.live);
        let result = client.register_upload(&signed.storage_key, target).await?;
        Ok(ended_as_told(result))
    }

    /// Registers what an earlier run may have staged. `None`: the service knows nothing under the key.
    async fn register_again(&mut self, target: &Target) -> Result<Option<End>, Halt> {
        let Some(key) = self.row.storage_key.clone() else { return Ok(None) };
        self.shared.board.note_registering(&self.live);
        match self.client().register_upload(&key, target).await {
            Ok(result) => Ok(Some(ended_as_told(result))),
            Err(error) if causes::judge(&error) == Remedy::NotStaged => {
                self.shared.board.note_restart(&self.live);
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Looks in the drive for what an earlier run may have sent there.
    async fn find(&self, folder: Option<FolderId>) -> Result<Option<Stored>, Halt> {
        let source = self.unless_stopped(Source::open(&self.row.path)).await??;
        let sha256 = self.unless_stopped(source.hash()).await??;
        let fingerprint = Fingerprint {
            size_bytes: source.size_bytes(),
            sha256,
            filename: self.row.name.clone(),
            since: Timestamp::from_micros(self.row.step_at.unwrap_or_default()),
        };
        let found = self.unless_stopped(self.client().find_uploaded(&fingerprint, folder)).await??;
        Ok(found.map(|file| Stored { file_id: Some(file.id), folder_id: file.folder_id, filename: Some(file.name) }))
    }

    /// Finds out whether a canceled transfer whose last step was in doubt is in the drive.
    async fn settle_cancel(&mut self) -> Result<End, Halt> {
        let folder = self.known_folder().await?;
        match self.find(folder).await {
            Ok(Some(found)) => Ok(End::Sent(found)),
            // A file that is gone or another now cannot be looked for.
            Ok(None) | Err(Halt::Remedy(Remedy::Fail(_) | Remedy::Changed, _)) => {
                self.row.step = Step::None;
                Ok(End::Canceled)
            }
            Err(halt) => Err(halt),
        }
    }

    /// The folder that the file goes to, as far as it is made.
    async fn known_folder(&self) -> Result<Option<FolderId>, Halt> {
        let Some(folder_row) = self.row.folder_row else { return Ok(self.row.target_folder) };
        let chain = self.shared.journal.list_folder_chain(folder_row).await?;
        Ok(chain.last().and_then(|folder| folder.folder_id))
    }

    /// Makes the folders on the way that are not made yet, each once, and says where the file goes.
    async fn make_folders(&self) -> Result<Option<FolderId>, Halt> {
        let Some(folder_row) = self.row.folder_row else { return Ok(self.row.target_folder) };
        if let made @ Some(_) = self.known_folder().await? {
            return Ok(made);
        }
        let _one_at_a_time = self.unless_stopped(self.shared.folder_gate.lock()).await?;
        let mut parent = self.row.target_folder;
        for folder in self.shared.journal.list_folder_chain(folder_row).await? {
            if folder.folder_id.is_some() {
                parent = folder.folder_id;
                continue;
            }
            let client = self.client();
            let making = client.create_folder(&folder.name, parent, &folder.idempotency_key);
            let made = match self.unless_stopped(making).await? {
                Ok(made) => made.id,
                // A folder of that name is what is wanted, whoever made it.
                Err(error) => match taken_by(&error) {
                    Some(existing) => existing,
                    None => return Err(refused_folder(&error, &folder.name)),
                },
            };
            self.shared.journal.record_folder_made(folder.id, made).await?;
            parent = Some(made);
        }
        Ok(parent)
    }
}

/// The answer of a send whose every byte is over. `None`: they are not, or are being handed over again.
async fn answer_due<T>(mut sending: Pin<&mut impl Future<Output = T>>, live: &Live) -> Option<T> {
    while live.is_all_handed() {
        tokio::select! {
            biased;
            answer = &mut sending => return Some(answer),
            () = sleep(LOOK_FOR_A_REPEAT) => {}
        }
    }
    None
}

/// Whether two files of one size begin and end alike.
fn is_alike(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    for from in [SeekFrom::Start(0), SeekFrom::End(-COMPARED_BYTES)] {
        let read = |file: &mut File| {
            // A file that is shorter was compared whole.
            if file.seek(from).is_err() {
                return Ok(Vec::new());
            }
            let mut content = Vec::new();
            file.take(COMPARED_BYTES.unsigned_abs()).read_to_end(&mut content).map(|_| content)
        };
        if read(&mut one)? != read(&mut other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The folder that has the name already.
fn taken_by(error: &ClientError) -> Option<FolderId> {
    if error.code() != Some(code::FOLDER_NAME_CONFLICT) {
        return None;
    }
    error.existing_id()?.parse().ok()
}

fn refused_folder(error: &ClientError, name: &str) -> Halt {
    let after = error.retry_after();
    match causes::judge(error) {
        Remedy::Fail(Failure { cause: Cause::Refused { error_code, .. }, request_id }) => {
            let cause = Cause::FolderRefused { name: name.to_owned(), error_code };
            Halt::Remedy(Remedy::Fail(Failure { cause, request_id }), after)
        }
        remedy => Halt::Remedy(remedy, after),
    }
}

/// Whether the service may have made a file in spite of the error.
fn is_in_doubt(error: &ClientError) -> bool {
    matches!(error, ClientError::AnswerLost { .. } | ClientError::ConnectionBroken { .. } | ClientError::TimedOut)
}

/// The time of the last change, as the journal keeps it.
fn modified_at(source: &Source) -> i64 {
    source.modified().map_or(0, settle::to_micros)
}

/// Whether a file stands where, and under the name, that this transfer would have put it.
fn is_at(result: &UploadResult, target: &Target) -> bool {
    result.folder_id == target.folder_id && result.filename.as_deref() == Some(&target.filename)
}

fn stored(result: UploadResult) -> Stored {
    Stored { file_id: Some(result.file_id), folder_id: result.folder_id, filename: result.filename }
}

fn ended(result: UploadResult, is_own: bool) -> End {
    if result.was_duplicate && !is_own { End::AlreadyThere(stored(result)) } else { End::Sent(stored(result)) }
}

/// Register repeats the first answer to a key, so what it says of duplicates is always true.
fn ended_as_told(result: UploadResult) -> End {
    ended(result, false)
}
