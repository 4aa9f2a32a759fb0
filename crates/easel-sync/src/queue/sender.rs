//! Connects an upload job (`upload_job`) to the world: the row in the journal, the file on the disk, and the client of
//! the real service.
//!
//! Always true: a person's pause or cancel interrupts everything but the wait for an answer that may have changed the
//! drive; bytes on their way are on the board. Not here: the order of the steps (`upload_job`, `upload`), which
//! transfer comes next and what makes the queue wait (`dispatch.rs`).

use std::fs::File;
use std::future::Future;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use easel_client::{Client, Error as ClientError, Fingerprint, Lane, Route, Source};
use easel_wire::error::code;
use easel_wire::uploads::SignedUpload;
use easel_wire::{FileId, FolderId, ItemRef};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::queue::active_transfer::ActiveTransfer;
use crate::queue::journal::Row;
use crate::queue::settle::Identity;
use crate::queue::state::Shared;
use crate::queue::upload_job::{self, End, Item, Outcome, TransferCommand, UploadContext};
use crate::shared::causes::{self, Cause, Failure};
use crate::shared::drive_file::{ContentHash, RemoteFile};
use crate::shared::error::Error;
use crate::shared::mutex::lock;
use crate::shared::planted::Planted;
use crate::shared::ports::{Destination, DriveError, Uploaded, Uploads};
use crate::shared::upload::{Checkpoint, Checkpoints, UploadError, service};

/// So many bytes at the beginning and at the end of files are compared.
const COMPARED_BYTES: i64 = 64 * 1024;
/// How soon a stopped transfer notices that its bytes are being sent again.
const LOOK_FOR_A_REPEAT: Duration = Duration::from_millis(50);

/// An upload job of the real queue.
pub(crate) struct QueuedUpload {
    pub shared: Arc<Shared>,
    pub row: Row,
    pub active: Arc<ActiveTransfer>,
    /// Fires when a person pauses or cancels the transfer.
    pub stop: CancellationToken,
}

impl QueuedUpload {
    /// Carries the transfer as far as it goes.
    ///
    /// # Errors
    /// What the journal fails with. The transfer's state is then the journal's.
    pub(crate) async fn run(self) -> Result<Outcome, Error> {
        let Row { kind, size_bytes, modified_at, is_settled, is_cancel_asked, .. } = self.row;
        let at = self.row.checkpoint.clone();
        let clock = self.shared.settings.clock.clone();
        let settle = self.shared.settings.settle;
        let at_work = AtWork { job: self, signed: Mutex::default() };
        let identity = Identity { size_bytes, modified_at };
        let item = Item { kind, identity, is_settled, at, is_cancel_asked };
        let (context, drive) = (&at_work, &at_work);
        upload_job::UploadJob { context, drive, clock: &clock, settle, item, planted: Planted::default() }.run().await
    }
}

/// A dropped file, with its state when it was last looked at.
#[derive(Debug)]
pub(crate) struct Dropped {
    path: PathBuf,
    identity: Identity,
}

/// A transfer at work, as its upload job sees it.
struct AtWork {
    job: QueuedUpload,
    /// The last signed address, and its storage key. It is never written down.
    signed: Mutex<Option<SignedUpload>>,
}

impl std::ops::Deref for AtWork {
    type Target = QueuedUpload;

    fn deref(&self) -> &QueuedUpload {
        &self.job
    }
}

impl AtWork {
    fn client(&self) -> Client {
        self.shared.client().in_lane(Lane::Transfer)
    }

    /// Lets a person's command interrupt work that changes nothing in the drive, or only what is settled later.
    async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T, DriveError> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(DriveError::Stopped { may_be_done: false }),
            done = work => Ok(done),
        }
    }

    /// Opens a file, if it is still the one that was looked at.
    async fn open(&self, dropped: &Dropped) -> Result<Source, DriveError> {
        let source = self.unless_stopped(Source::open(&dropped.path)).await??;
        let modified_at = source.modified().map_or(0, crate::shared::clock::to_micros);
        if (Identity { size_bytes: source.size_bytes(), modified_at }) == dropped.identity {
            Ok(source)
        } else {
            Err(DriveError::SourceChanged)
        }
    }

    /// Waits for `sending` while bytes are on their way, unless a person stops it. Once every byte has gone, the
    /// service may be acting: then its answer is waited for.
    async fn on_the_way<T>(&self, sending: impl Future<Output = T>) -> Result<T, DriveError> {
        let mut sending = std::pin::pin!(sending);
        let finished = tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            sent = &mut sending => Some(sent),
        };
        let finished = match finished {
            None => answer_due(sending, &self.active).await,
            finished => finished,
        };
        finished.ok_or_else(|| DriveError::Stopped { may_be_done: self.active.may_have_handed_all() })
    }
}

impl Uploads for AtWork {
    type Source = Dropped;

    async fn route(&self, source: &Dropped, to: &Destination) -> Result<Route, DriveError> {
        self.shared.board.note_restart(&self.active);
        let source = self.open(source).await?;
        let (client, target) = (self.client(), service::target(to));
        Ok(self.unless_stopped(client.route_upload(source.size_bytes(), &target)).await??)
    }

    async fn send_direct(&self, source: &Dropped, to: &Destination) -> Result<Uploaded, DriveError> {
        let (source, client, target) = (self.open(source).await?, self.client(), service::target(to));
        let progress = |sent_bytes| self.shared.board.note_sent(&self.active, sent_bytes);
        let sent = self.on_the_way(client.send_direct(&source, &target, &progress)).await?;
        sent.map(service::sent).map_err(|error| service::refused(&error, &target))
    }

    async fn sign_upload(&self, to: &Destination) -> Result<String, DriveError> {
        let (client, target) = (self.client(), service::target(to));
        let signed = self.unless_stopped(service::sign(&client, &target)).await??;
        let key = signed.storage_key.clone();
        *lock(&self.signed) = Some(signed);
        Ok(key)
    }

    async fn put_signed(&self, key: &str, source: &Dropped) -> Result<ContentHash, DriveError> {
        let signed = lock(&self.signed).take().filter(|signed| signed.storage_key == key);
        let signed = signed.ok_or(DriveError::Expired)?;
        let (source, client) = (self.open(source).await?, self.client());
        let progress = |sent_bytes| self.shared.board.note_sent(&self.active, sent_bytes);
        let stopped = || DriveError::Stopped { may_be_done: self.active.may_have_handed_all() };
        let putting = client.put_signed(&signed, &source, &progress);
        let put = self.unless_stopped(putting).await.map_err(|_| stopped())?;
        let put = put.map_err(|error| service::put_failed(&error))?;
        if self.active.command().is_some() {
            return Err(DriveError::Stopped { may_be_done: true });
        }
        service::content_of(put, &source).await
    }

    async fn register(&self, key: &str, to: &Destination) -> Result<Uploaded, DriveError> {
        self.shared.board.note_registering(&self.active);
        let registered = service::register(&self.client(), key, &service::target(to)).await;
        if registered == Err(DriveError::NotStaged) {
            self.shared.board.note_restart(&self.active);
        }
        registered
    }

    async fn replace(&self, key: &str, file: FileId, expected: Option<ContentHash>) -> Result<RemoteFile, DriveError> {
        service::replace(&self.client(), key, file, expected).await
    }

    async fn hash(&self, source: &Dropped) -> Result<ContentHash, DriveError> {
        let source = self.open(source).await?;
        Ok(self.unless_stopped(source.hash()).await??)
    }

    async fn find(
        &self,
        sent: &Fingerprint,
        folder: Option<FolderId>,
    ) -> Result<Option<(FileId, RemoteFile)>, DriveError> {
        let client = self.client();
        self.unless_stopped(service::find(&client, sent, folder)).await?
    }

    async fn get_file(&self, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
        service::get_file(&self.client(), file).await
    }

    async fn move_item(&self, item: ItemRef, folder: Option<FolderId>) -> Result<(), DriveError> {
        service::move_item(&self.client(), item, folder).await
    }

    async fn rename_item(&self, item: ItemRef, name: &str) -> Result<(), DriveError> {
        service::rename_item(&self.client(), item, name).await
    }
}

impl Checkpoints for AtWork {
    type Error = Error;

    async fn save(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        self.shared.journal.record_checkpoint(self.row.id, checkpoint).await
    }

    async fn belongs_to_another(&self, file: FileId) -> Result<bool, Error> {
        self.shared.journal.belongs_to_another(self.row.id, file).await
    }
}

impl UploadContext for AtWork {
    type Source = Dropped;

    fn command(&self) -> Option<TransferCommand> {
        self.active.command()
    }

    async fn look(&self) -> Result<Identity, Cause> {
        let metadata = tokio::fs::symlink_metadata(&self.row.path).await.map_err(|io| causes::of_io(&io))?;
        if metadata.is_file() { Ok(Identity::of(&metadata)) } else { Err(Cause::NotAFile) }
    }

    fn source(&self, identity: Identity) -> Dropped {
        Dropped { path: self.row.path.clone(), identity }
    }

    async fn destination(&self) -> Result<Destination, UploadError<Error>> {
        let folder = self.make_folders().await?;
        Ok(Destination { folder, name: self.row.name.clone() })
    }

    async fn known_destination(&self) -> Result<Destination, UploadError<Error>> {
        let folder = self.known_folder().await.map_err(UploadError::Store)?;
        Ok(Destination { folder, name: self.row.name.clone() })
    }

    async fn forget_destination(&self) -> Result<(), Error> {
        match self.row.folder_row {
            Some(folder_row) => self.shared.journal.forget_folder_chain(folder_row).await,
            None => Ok(()),
        }
    }

    /// Lets an earlier transfer of what looks like the same content end first: so the earlier one is "sent" and this
    /// one "already there", and not by chance the other way round.
    async fn turn(&self) -> Result<(), DriveError> {
        let board = &self.shared.board;
        let mut different = Vec::new();
        while let Some(earlier) = board.find_earlier_of_its_size(&self.active, &different) {
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

    async fn save_identity(&self, identity: Identity) -> Result<(), Error> {
        let Identity { size_bytes, modified_at } = identity;
        self.shared.journal.record_identity(self.row.id, size_bytes, modified_at).await?;
        self.active.set_size(size_bytes);
        Ok(())
    }

    async fn save_settling(&self, identity: Identity, due_at: i64) -> Result<(), Error> {
        let Identity { size_bytes, modified_at } = identity;
        self.shared.journal.record_settling(self.row.id, size_bytes, modified_at, due_at).await
    }

    async fn save_attempt(&self) -> Result<u32, Error> {
        self.shared.journal.record_attempt(self.row.id).await
    }

    async fn save_cancel_in_doubt(&self) -> Result<(), Error> {
        self.shared.journal.record_cancel_in_doubt(self.row.id).await
    }

    async fn save_end(&self, end: &End) -> Result<(), Error> {
        self.shared.journal.record_end(self.row.id, end, self.shared.now()).await?;
        if !self.row.is_large && matches!(end, End::Sent(_) | End::AlreadyThere(_)) {
            self.shared.board.note_small_done();
        }
        Ok(())
    }
}

impl AtWork {
    /// The folder that the file goes to, as far as it is made.
    async fn known_folder(&self) -> Result<Option<FolderId>, Error> {
        let Some(folder_row) = self.row.folder_row else { return Ok(self.row.target_folder) };
        let chain = self.shared.journal.list_folder_chain(folder_row).await?;
        Ok(chain.last().and_then(|folder| folder.folder_id))
    }

    /// Makes the folders that are missing, each once, and returns the one that the file goes to.
    async fn make_folders(&self) -> Result<Option<FolderId>, UploadError<Error>> {
        let Some(folder_row) = self.row.folder_row else { return Ok(self.row.target_folder) };
        if let made @ Some(_) = self.known_folder().await.map_err(UploadError::Store)? {
            return Ok(made);
        }
        let _one_at_a_time = self.unless_stopped(self.shared.folder_gate.lock()).await?;
        let mut parent = self.row.target_folder;
        for folder in self.shared.journal.list_folder_chain(folder_row).await.map_err(UploadError::Store)? {
            if folder.folder_id.is_some() {
                parent = folder.folder_id;
                continue;
            }
            let client = self.client();
            let making = client.create_folder(&folder.name, parent, &folder.idempotency_key);
            let made = match self.unless_stopped(making).await? {
                Ok(made) => made.id,
                // A folder of that name is what is needed, whoever made it.
                Err(error) => match taken_by(&error) {
                    Some(existing) => existing,
                    None => return Err(refused_folder(&error, &folder.name).into()),
                },
            };
            self.shared.journal.record_folder_made(folder.id, made).await.map_err(UploadError::Store)?;
            parent = Some(made);
        }
        Ok(parent)
    }
}

/// The answer of a request whose every byte has gone. `None`: some have not, or are being sent again.
async fn answer_due<T>(mut sending: Pin<&mut impl Future<Output = T>>, active: &ActiveTransfer) -> Option<T> {
    while active.is_all_handed() {
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

fn refused_folder(error: &ClientError, name: &str) -> DriveError {
    let folder_refused = |error_code: String| Cause::FolderRefused { name: name.to_owned(), error_code };
    let request_id = error.request_id().map(str::to_owned);
    let failed = |cause| DriveError::Refused(Failure { cause, request_id });
    match DriveError::from(error) {
        DriveError::NotFound => failed(Cause::FolderGone),
        DriveError::Refused(_) | DriveError::NameTaken => {
            failed(folder_refused(error.code().unwrap_or_default().to_owned()))
        }
        other => other,
    }
}
