//! A local file that is being sent.
//!
//! Always true: the file is read once, in chunks, and hashed on the way; at most two chunks are in memory at a time;
//! after the last byte is read and before it is handed over, the file is looked at again, and if it is no longer the
//! one that was opened the body fails instead of ending, so that the service can never commit it. Not here: waiting
//! until a file has stopped growing.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::bandwidth;
use crate::error::Error;

/// Called with the number of the file's bytes that were handed to the connection in this attempt, or came from it.
pub type Progress<'a> = dyn Fn(u64) + Send + Sync + 'a;

const CHUNK_BYTES: usize = 256 * 1024;

/// Tells one state of a file from another: size, modification time and, on Unix, device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// When the content last changed, where the system says.
    pub modified: Option<SystemTime>,
    /// Device and inode; `None` where the system has none.
    pub inode: Option<(u64, u64)>,
}

impl Identity {
    /// The identity that `metadata` describes.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let inode = None;
        Self { size_bytes: metadata.len(), modified: metadata.modified().ok(), inode }
    }
}

/// A file to send, with its identity when it was opened.
#[derive(Debug, Clone)]
pub struct Source {
    path: PathBuf,
    identity: Identity,
    /// The only chunk of a small file, where it was read when the file was opened.
    read_ahead: Arc<Mutex<Option<Chunk>>>,
}

impl Source {
    /// Takes the identity of the file at `path`; symbolic links are followed.
    ///
    /// # Errors
    /// [`Error::SourceUnreadable`] where it cannot be looked at, [`Error::SourceNotAFile`] for anything but a file.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let opened = spawn_blocking(move || Self::open_blocking(path));
        opened.await.unwrap_or_else(|error| Err(Error::SourceUnreadable { io: io::Error::other(error.to_string()) }))
    }

    /// The same, on a thread that may wait for the disk.
    ///
    /// # Errors
    /// As of [`Source::open`].
    pub fn open_blocking(path: PathBuf) -> Result<Self, Error> {
        let metadata = std::fs::metadata(&path).map_err(|io| Error::SourceUnreadable { io })?;
        if !metadata.is_file() {
            return Err(Error::SourceNotAFile);
        }
        Ok(Self { path, identity: Identity::of(&metadata), read_ahead: Arc::default() })
    }

    /// The same for a file that is sent at once: if it is one chunk, that is read in the same turn at the disk.
    ///
    /// # Errors
    /// As of [`Source::open`]. A file that changes meanwhile fails when it is sent.
    pub fn open_and_read_blocking(path: PathBuf) -> Result<Self, Error> {
        let source = Self::open_blocking(path)?;
        if source.is_one_chunk() {
            let chunk = read_first(&source);
            *source.read_ahead.lock().unwrap_or_else(PoisonError::into_inner) = Some(chunk);
        }
        Ok(source)
    }

    fn is_one_chunk(&self) -> bool {
        (1..=bandwidth::chunk_bytes(CHUNK_BYTES) as u64).contains(&self.identity.size_bytes)
    }

    /// The file's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's size in bytes when it was opened.
    #[must_use]
    pub const fn size_bytes(&self) -> u64 {
        self.identity.size_bytes
    }

    /// When the content last changed before the file was opened, where the system tells.
    #[must_use]
    pub const fn modified(&self) -> Option<SystemTime> {
        self.identity.modified
    }

    /// The file's identity when it was opened; compare it with the journal's.
    #[must_use]
    pub const fn identity(&self) -> Identity {
        self.identity
    }

    /// Checks that the file is still the one that was opened.
    ///
    /// # Errors
    /// [`Error::SourceChanged`] where it is not, [`Error::SourceUnreadable`] where it cannot be looked at.
    pub async fn check_unchanged(&self) -> Result<(), Error> {
        let metadata = tokio::fs::metadata(&self.path).await.map_err(|io| Error::SourceUnreadable { io })?;
        if Identity::of(&metadata) == self.identity { Ok(()) } else { Err(Error::SourceChanged) }
    }

    /// The SHA-256 of the content, read for this alone. Sending returns it for free; this is for after a crash.
    ///
    /// # Errors
    /// [`Error::SourceChanged`] and [`Error::SourceUnreadable`].
    pub async fn hash(&self) -> Result<[u8; 32], Error> {
        let source = self.clone();
        let hashing = spawn_blocking(move || {
            let mut reading = Reading::start(&source, CHUNK_BYTES)?;
            while let (_, false) = reading.read_chunk()? {}
            Ok::<_, Stopped>(<[u8; 32]>::from(reading.hasher.finalize()))
        });
        join(hashing.await).map_err(Error::from)
    }

    /// The content as a stream, and the attempt that it reports to. A file of one chunk is read at once, so that it goes
    /// to the connection together with what stands before and behind it.
    ///
    /// # Errors
    /// Those of [`Source::hash`], for an empty file only: nobody asks an empty body for its bytes, so it is read here.
    pub(crate) async fn stream(
        &self,
    ) -> Result<(impl Stream<Item = io::Result<Bytes>> + Send + use<>, Attempt), Error> {
        let (handed, handed_seen) = watch::channel(0);
        let report = Arc::new(Report { outcome: Mutex::new(None), handed });
        let read_ahead = self.read_ahead.lock().unwrap_or_else(PoisonError::into_inner).take();
        let first = if self.identity.size_bytes == 0 {
            report.settle(Ok(self.hash().await?));
            Step::End
        } else if let Some(chunk) = read_ahead {
            Step::Read(Box::new(chunk))
        } else if self.is_one_chunk() {
            Step::Read(Box::new(start(self.clone()).await))
        } else {
            Step::Start(self.clone())
        };
        let reporting = Arc::clone(&report);
        let content = stream::try_unfold(first, move |step| advance(step, Arc::clone(&reporting)));
        Ok((content, Attempt { report, handed_seen }))
    }
}

/// The progress of one attempt to send a file.
pub(crate) struct Attempt {
    report: Arc<Report>,
    pub(crate) handed_seen: watch::Receiver<u64>,
}

struct Report {
    outcome: Mutex<Option<Result<[u8; 32], Stopped>>>,
    handed: watch::Sender<u64>,
}

impl Attempt {
    /// Bytes of the file handed to the connection so far.
    pub(crate) fn handed_bytes(&self) -> u64 {
        *self.report.handed.borrow()
    }

    /// The content's SHA-256, once the last byte was handed over.
    pub(crate) fn sha256(&self) -> Option<[u8; 32]> {
        match &*self.report.outcome.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(sha256)) => Some(*sha256),
            _ => None,
        }
    }

    /// Why the content could not be handed over completely, if it could not.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        let mut outcome = self.report.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome.take() {
            Some(Err(stopped)) => Some(stopped.into()),
            other => {
                *outcome = other;
                None
            }
        }
    }
}

/// Why reading stopped before the end.
#[derive(Debug)]
enum Stopped {
    Changed,
    Unreadable(io::Error),
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Changed => Self::SourceChanged,
            Stopped::Unreadable(io) => Self::SourceUnreadable { io },
        }
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

#[derive(Debug)]
struct Reading {
    file: File,
    path: PathBuf,
    identity: Identity,
    read_bytes: u64,
    chunk_bytes: usize,
    hasher: Sha256,
}

impl Reading {
    fn start(source: &Source, chunk_bytes: usize) -> Result<Self, Stopped> {
        // Looked at first, because opening a pipe would wait for its other end.
        if Identity::of(&std::fs::metadata(&source.path)?) != source.identity {
            return Err(Stopped::Changed);
        }
        let file = File::open(&source.path)?;
        let (path, identity) = (source.path.clone(), source.identity);
        Ok(Self { file, path, identity, read_bytes: 0, chunk_bytes, hasher: Sha256::new() })
    }

    /// The next chunk, and whether it is the last; the last is returned only if the file is still the same.
    fn read_chunk(&mut self) -> Result<(Bytes, bool), Stopped> {
        let left = self.identity.size_bytes - self.read_bytes;
        let wanted = usize::try_from(left).map_or(self.chunk_bytes, |left| left.min(self.chunk_bytes));
        let mut chunk = vec![0; wanted];
        self.file.read_exact(&mut chunk).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Stopped::Changed,
            _ => Stopped::Unreadable(error),
        })?;
        self.hasher.update(&chunk);
        self.read_bytes += wanted as u64;
        let last = self.read_bytes == self.identity.size_bytes;
        if last {
            let same_content = Identity::of(&self.file.metadata()?) == self.identity;
            let same_place = std::fs::metadata(&self.path).is_ok_and(|found| Identity::of(&found) == self.identity);
            if !(same_content && same_place) {
                return Err(Stopped::Changed);
            }
        }
        Ok((chunk.into(), last))
    }
}

/// A chunk, whether it is the last, and how to read on.
type Chunk = Result<(Reading, Bytes, bool), Stopped>;

/// The stream's action when it is asked for the next chunk.
enum Step {
    Start(Source),
    Read(Box<Chunk>),
    Next(JoinHandle<Chunk>),
    End,
}

async fn start(source: Source) -> Chunk {
    join(spawn_blocking(move || read_first(&source)).await)
}

fn read_first(source: &Source) -> Chunk {
    read_next(Reading::start(source, bandwidth::chunk_bytes(CHUNK_BYTES))?)
}

fn read_next(mut reading: Reading) -> Chunk {
    let (chunk, last) = reading.read_chunk()?;
    Ok((reading, chunk, last))
}

/// Waits for the next chunk, and lets the one after it be read while this one is on its way.
async fn advance(step: Step, report: Arc<Report>) -> io::Result<Option<(Bytes, Step)>> {
    let chunk = match step {
        Step::End => return Ok(None),
        Step::Start(source) => start(source).await,
        Step::Read(chunk) => *chunk,
        Step::Next(chunk) => join(chunk.await),
    };
    match chunk {
        Ok((reading, chunk, last)) => {
            let chunk_bytes = chunk.len() as u64;
            bandwidth::take(chunk_bytes).await;
            let next = if last {
                report.settle(Ok(reading.hasher.finalize().into()));
                Step::End
            } else {
                Step::Next(spawn_blocking(move || read_next(reading)))
            };
            report.handed.send_modify(|handed| *handed += chunk_bytes);
            Ok(Some((chunk, next)))
        }
        Err(stopped) => {
            report.settle(Err(stopped));
            Err(io::Error::other("the file could not be read to its end"))
        }
    }
}

impl Report {
    fn settle(&self, outcome: Result<[u8; 32], Stopped>) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
    }
}

/// A reader that was cancelled with its runtime counts as one that could not read.
fn join<T>(outcome: Result<Result<T, Stopped>, tokio::task::JoinError>) -> Result<T, Stopped> {
    outcome.unwrap_or_else(|error| Err(Stopped::Unreadable(io::Error::other(error.to_string()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::TryStreamExt;

    fn file_of(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source.bin");
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|at| u8::try_from(at % 251).unwrap()).collect()
    }

    fn sha256(content: &[u8]) -> [u8; 32] {
        Sha256::digest(content).into()
    }

    #[tokio::test]
    async fn every_size_arrives_whole_and_hashed() {
        for count in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES + 17] {
            let content = bytes(count);
            let (_folder, path) = file_of(&content);
            let source = Source::open(&path).await.unwrap();
            let (stream, attempt) = source.stream().await.unwrap();
            let sent: Vec<Bytes> = stream.try_collect().await.unwrap();
            assert!(sent.iter().all(|chunk| chunk.len() <= CHUNK_BYTES));
            assert_eq!(sent.concat(), content);
            assert_eq!(attempt.sha256(), Some(sha256(&content)));
            assert_eq!(attempt.handed_bytes(), count as u64);
            assert_eq!(source.hash().await.unwrap(), sha256(&content));
        }
    }

    /// Changes the file after its first chunk has left, and expects the body to fail before its end.
    async fn check_change(change: impl FnOnce(&Path)) {
        let content = bytes(4 * CHUNK_BYTES);
        let (_folder, path) = file_of(&content);
        let source = Source::open(&path).await.unwrap();
        let (stream, attempt) = source.stream().await.unwrap();
        let mut stream = std::pin::pin!(stream);
        let first = stream.try_next().await.unwrap().unwrap();
        change(&path);
        let mut sent_bytes = first.len();
        let ended = loop {
            match stream.try_next().await {
                Ok(Some(chunk)) => sent_bytes += chunk.len(),
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        assert!(!ended, "the body came to its end");
        assert!(sent_bytes < content.len());
        assert!(attempt.sha256().is_none());
        assert!(matches!(attempt.take_failure(), Some(Error::SourceChanged)));
    }

    #[tokio::test]
    async fn a_file_that_grows_while_it_is_sent_never_ends() {
        check_change(|path| {
            use std::io::Write;
            File::options().append(true).open(path).unwrap().write_all(b"more").unwrap();
        })
        .await;
    }

    #[tokio::test]
    async fn a_file_that_is_cut_while_it_is_sent_never_ends() {
        check_change(|path| File::options().write(true).open(path).unwrap().set_len(100).unwrap()).await;
    }

    #[tokio::test]
    async fn a_file_that_is_replaced_while_it_is_sent_never_ends() {
        check_change(|path| {
            let other = path.with_extension("new");
            std::fs::write(&other, bytes(4 * CHUNK_BYTES)).unwrap();
            std::fs::rename(other, path).unwrap();
        })
        .await;
    }

    #[tokio::test]
    async fn a_file_that_is_deleted_while_it_is_sent_never_ends() {
        check_change(|path| std::fs::remove_file(path).unwrap()).await;
    }

    #[tokio::test]
    async fn a_file_that_is_rewritten_in_place_while_it_is_sent_never_ends() {
        check_change(|path| {
            use std::io::Write;
            let mut file = File::options().write(true).open(path).unwrap();
            file.write_all(b"x").unwrap();
            let modified = file.metadata().unwrap().modified().unwrap() + std::time::Duration::from_millis(5);
            file.set_modified(modified).unwrap();
        })
        .await;
    }

    #[tokio::test]
    async fn a_file_that_changed_before_it_is_sent_is_not_begun() {
        let (_folder, path) = file_of(b"one");
        let source = Source::open(&path).await.unwrap();
        std::fs::write(&path, b"another").unwrap();
        assert!(matches!(source.check_unchanged().await, Err(Error::SourceChanged)));
        let (stream, attempt) = source.stream().await.unwrap();
        assert!(stream.try_collect::<Vec<_>>().await.is_err());
        assert_eq!(attempt.handed_bytes(), 0);
        assert!(matches!(source.hash().await, Err(Error::SourceChanged)));
    }

    #[tokio::test]
    async fn a_small_file_that_is_read_when_it_is_opened_is_read_again_for_another_body() {
        let (_folder, path) = file_of(b"one");
        let source = Source::open_and_read_blocking(path.clone()).unwrap();
        std::fs::write(&path, b"another").unwrap();
        let (stream, attempt) = source.stream().await.unwrap();
        assert_eq!(stream.try_collect::<Vec<_>>().await.unwrap().concat(), b"one");
        assert_eq!(attempt.sha256(), Some(sha256(b"one")));
        let (stream, attempt) = source.stream().await.unwrap();
        assert!(stream.try_collect::<Vec<_>>().await.is_err());
        assert!(matches!(attempt.take_failure(), Some(Error::SourceChanged)));
    }

    #[tokio::test]
    async fn an_empty_file_that_grew_is_not_sent_as_empty() {
        let (_folder, path) = file_of(b"");
        let source = Source::open(&path).await.unwrap();
        std::fs::write(&path, b"x").unwrap();
        assert!(matches!(source.stream().await.map(|_| ()), Err(Error::SourceChanged)));
    }

    #[tokio::test]
    async fn what_is_no_file_is_refused_by_its_cause() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Source::open(folder.path()).await, Err(Error::SourceNotAFile)));
        let missing = Source::open(folder.path().join("missing")).await;
        assert!(matches!(missing, Err(Error::SourceUnreadable { .. })));
        #[cfg(unix)]
        {
            let socket = folder.path().join("socket");
            let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            assert!(matches!(Source::open(&socket).await, Err(Error::SourceNotAFile)));
        }
    }
}
