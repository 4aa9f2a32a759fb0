//! Downloads a file of the drive to this computer (contract, "Drive": the signed URL serves the bytes with Range).
//!
//! Always true: no file on this computer is overwritten; a file appears under its name only when it is whole, of the
//! right size and, where the drive tells a hash, of the right content; the part of a download that failed or was
//! cancelled is removed. A broken connection is resumed where it broke. Not here: choosing a folder.

use std::fs::{File as LocalFile, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use easel_wire::FileId;
use http::{StatusCode, header};
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use url::Url;

use crate::bandwidth;
use crate::client::{BytesAt, Client, read_body, redirect_refused};
use crate::error::{Error, UnexpectedBody};
use crate::retry::Tries;
use crate::settle::is_hash;
use crate::source::Progress;
use crate::storage::storage_error;

/// Names tried before giving up on finding a free one.
const MOST_NUMBERS: u32 = 10_000;

/// A downloaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downloaded {
    /// The file's path: the destination, or `name (2).ext` beside it where that was taken.
    pub path: PathBuf,
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// The file's SHA-256.
    pub sha256: [u8; 32],
}

/// What is known about bytes before they come; by default nothing.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    pub(crate) size_bytes: Option<u64>,
    /// `sha256:` and 64 hex digits.
    pub(crate) content_hash: Option<String>,
}

impl Client {
    /// Downloads a file to `destination`, or to `name (2).ext` beside it where that is taken.
    ///
    /// # Errors
    /// [`Error::DestinationUnwritable`]; [`Error::ContentMismatch`] where the bytes are not those that the drive
    /// describes; [`Error::Storage`]; else what the service answers, or why it did not.
    pub async fn download_file(
        &self,
        file: FileId,
        destination: &Path,
        progress: &Progress<'_>,
    ) -> Result<Downloaded, Error> {
        let described = self.get_file(file).await?;
        let expected = Expected { size_bytes: described.size_bytes, content_hash: described.content_hash };
        let mut part = PartialFile::create(destination).await?;
        let mut bytes_at = self.locate_bytes(file).await?.0;
        let mut may_sign_anew = true;
        loop {
            let before = part.written_bytes;
            match self.fetch_all(&bytes_at, &mut part, progress).await {
                Ok(()) => return part.publish(&expected, destination).await,
                Err(Error::UrlExpired | Error::Storage { status: 403, .. })
                    if may_sign_anew || part.written_bytes > before =>
                {
                    may_sign_anew = false;
                    bytes_at = self.locate_bytes(file).await?.0;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Downloads the bytes at a signed address to `destination`, or to `name (2).ext` beside it where that is taken.
    ///
    /// # Errors
    /// [`Error::UrlExpired`] or [`Error::Storage`] where the address is not valid any more; else as
    /// [`Client::download_file`].
    pub(crate) async fn download_signed(
        &self,
        signed_url: &str,
        expected: &Expected,
        destination: &Path,
        progress: &Progress<'_>,
    ) -> Result<Downloaded, Error> {
        self.download_from(&BytesAt::Signed(read_url(signed_url)?), expected, destination, progress).await
    }

    /// Downloads the bytes of one source, which is not looked up again.
    ///
    /// # Errors
    /// As [`Client::download_signed`].
    pub(crate) async fn download_from(
        &self,
        bytes_at: &BytesAt,
        expected: &Expected,
        destination: &Path,
        progress: &Progress<'_>,
    ) -> Result<Downloaded, Error> {
        let mut part = PartialFile::create(destination).await?;
        self.fetch_all(bytes_at, &mut part, progress).await?;
        part.publish(expected, destination).await
    }

    /// Fetches the missing bytes, and resumes where a connection broke.
    pub(crate) async fn fetch_all(
        &self,
        bytes_at: &BytesAt,
        part: &mut PartialFile,
        progress: &Progress<'_>,
    ) -> Result<(), Error> {
        let mut tries = Tries::new(self.shared.jitter.clone());
        loop {
            let before = part.written_bytes;
            let error = match self.fetch_rest(bytes_at, part, progress).await {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            // Bytes came since the last break, so it is no reason to give up.
            if part.written_bytes > before {
                tries = Tries::new(self.shared.jitter.clone());
            }
            if !(error.is_offline() || error.is_answer_lost()) {
                return Err(error);
            }
            self.pause(tries.back_off(), error).await?;
        }
    }

    /// Fetches the bytes after those in `part`, over one connection.
    async fn fetch_rest(
        &self,
        bytes_at: &BytesAt,
        part: &mut PartialFile,
        progress: &Progress<'_>,
    ) -> Result<(), Error> {
        let silence = self.shared.patience.silence;
        let mut request = self.ask_for_bytes(bytes_at)?;
        if part.written_bytes > 0 {
            request = request.header(header::RANGE, format!("bytes={}-", part.written_bytes));
        }
        // Bytes that the service itself serves count as its other requests do.
        let _permit = match bytes_at {
            BytesAt::Service(_) => Some(self.take_permit().await),
            BytesAt::Signed(_) => None,
        };
        let answered = timeout(silence, request.send()).await.map_err(|_| Error::TimedOut)?;
        let mut response = answered.map_err(Error::of_transport)?;
        let status = response.status();
        match status {
            StatusCode::PARTIAL_CONTENT if is_rest(&response, part.written_bytes) => {}
            // The source does not serve ranges, so the bytes come from the beginning.
            StatusCode::OK => part.start_over().await?,
            // No byte is missing: the connection broke after the last one.
            StatusCode::RANGE_NOT_SATISFIABLE if part.written_bytes > 0 => return Ok(()),
            _ if status.is_redirection() => return Err(redirect_refused(&response)),
            _ => {
                let body = read_body(response, status).await.unwrap_or_default();
                if matches!(bytes_at, BytesAt::Service(_)) {
                    return Err(Error::of_answer(status.as_u16(), &body, None, None));
                }
                return Err(storage_error(status.as_u16(), &String::from_utf8_lossy(&body)));
            }
        }
        loop {
            let chunk = timeout(silence, response.chunk()).await.map_err(|_| Error::TimedOut)?;
            let Some(chunk) = chunk.map_err(Error::of_transport)? else { return Ok(()) };
            bandwidth::take(chunk.len() as u64).await;
            part.append(chunk).await?;
            progress(part.written_bytes);
        }
    }
}

pub(crate) fn read_url(signed_url: &str) -> Result<Url, Error> {
    let unusable = || Error::NotTheService { status: 200, found: UnexpectedBody::UnusableUrl };
    let url = Url::parse(signed_url).map_err(|_| unusable())?;
    if matches!(url.scheme(), "https" | "http") { Ok(url) } else { Err(unusable()) }
}

/// Whether a partial answer begins at byte `from`.
fn is_rest(response: &reqwest::Response, from: u64) -> bool {
    let range = response.headers().get(header::CONTENT_RANGE).and_then(|value| value.to_str().ok());
    from > 0 && range.is_some_and(|range| range.starts_with(&format!("bytes {from}-")))
}

/// A file that is not whole yet, under a name of its own beside the destination; removed unless it is published or
/// kept.
pub(crate) struct PartialFile {
    path: PathBuf,
    /// `None` only while a write is under way.
    open: Option<(LocalFile, Sha256)>,
    written_bytes: u64,
    /// Whether the file stays when this is dropped, so that it can be resumed.
    is_kept: bool,
}

impl PartialFile {
    async fn create(destination: &Path) -> Result<Self, Error> {
        let folder = destination.parent().map(Path::to_owned).unwrap_or_default();
        let random = getrandom::u64().map_err(|error| unwritable(io::Error::other(error)))?;
        // Not derived from the destination's name, which may leave no room for more letters.
        let path = folder.join(format!(".easel-{random:016x}.part"));
        // Made on the blocking thread together with its file: if the caller is dropped meanwhile, the file goes with
        // it.
        blocking(move || {
            let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
            Ok(Self { path, open: Some((file, Sha256::new())), written_bytes: 0, is_kept: false })
        })
        .await
    }

    /// Resumes the part at `path`, or begins it there. It stays when this is dropped.
    pub(crate) async fn take_up(path: PathBuf) -> Result<Self, Error> {
        blocking(move || {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            // Private for now: whoever puts the file at its place sets its rights.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&path)?;
            let mut hasher = Sha256::new();
            let mut chunk = vec![0; 256 * 1024];
            let mut written_bytes = 0;
            loop {
                match file.read(&mut chunk)? {
                    0 => break,
                    count => {
                        hasher.update(&chunk[..count]);
                        written_bytes += count as u64;
                    }
                }
            }
            Ok(Self { path, open: Some((file, hasher)), written_bytes, is_kept: true })
        })
        .await
    }

    pub(crate) const fn written_bytes(&self) -> u64 {
        self.written_bytes
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The SHA-256 of the bytes so far.
    pub(crate) fn sha256(&self) -> Option<[u8; 32]> {
        self.open.as_ref().map(|(_, hasher)| hasher.clone().finalize().into())
    }

    /// Closes the file: no more bytes come.
    pub(crate) fn close(&mut self) -> Option<(LocalFile, Sha256)> {
        self.open.take()
    }

    /// Removes the part.
    pub(crate) fn throw_away(mut self) {
        self.is_kept = false;
    }

    pub(crate) async fn append(&mut self, chunk: Bytes) -> Result<(), Error> {
        let chunk_bytes = chunk.len() as u64;
        self.with_open(move |(mut file, mut hasher)| {
            file.write_all(&chunk)?;
            hasher.update(&chunk);
            Ok((file, hasher))
        })
        .await?;
        self.written_bytes += chunk_bytes;
        Ok(())
    }

    pub(crate) async fn start_over(&mut self) -> Result<(), Error> {
        self.written_bytes = 0;
        self.with_open(|(mut file, _)| {
            file.set_len(0)?;
            io::Seek::rewind(&mut file)?;
            Ok((file, Sha256::new()))
        })
        .await
    }

    async fn with_open(
        &mut self,
        work: impl FnOnce((LocalFile, Sha256)) -> io::Result<(LocalFile, Sha256)> + Send + 'static,
    ) -> Result<(), Error> {
        let Some(open) = self.open.take() else { return Err(unwritable(io::ErrorKind::NotFound.into())) };
        self.open = Some(blocking(move || work(open)).await?);
        Ok(())
    }

    /// Checks the content against what is known about it, and gives the file its name.
    async fn publish(mut self, expected: &Expected, destination: &Path) -> Result<Downloaded, Error> {
        let Some((file, hasher)) = self.open.take() else { return Err(unwritable(io::ErrorKind::NotFound.into())) };
        let sha256 = hasher.finalize().into();
        let is_right_size = expected.size_bytes.is_none_or(|size| size == self.written_bytes);
        let is_right_content = expected.content_hash.as_deref().is_none_or(|hash| is_hash(hash, &sha256));
        if !(is_right_size && is_right_content) {
            return Err(Error::ContentMismatch);
        }
        let (part, destination) = (self.path.clone(), destination.to_owned());
        let path = blocking(move || {
            file.sync_all()?;
            drop(file);
            let path = give_free_name(&part, &destination)?;
            sync_name_of(&path)?;
            Ok(path)
        })
        .await?;
        Ok(Downloaded { path, size_bytes: self.written_bytes, sha256 })
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // After publishing, no file has this name any more.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Renames `part` to the first free one of `destination`, `name (2).ext`, … without ever replacing a file.
fn give_free_name(part: &Path, destination: &Path) -> io::Result<PathBuf> {
    for number in 1..MOST_NUMBERS {
        let name = if number == 1 { destination.to_owned() } else { numbered(destination, number) };
        match std::fs::hard_link(part, &name) {
            Ok(()) => {
                std::fs::remove_file(part)?;
                return Ok(name);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(error),
            // This file system has no hard links: take the name with an empty file of our own, and then replace that.
            Err(_) => match OpenOptions::new().write(true).create_new(true).open(&name) {
                Ok(_) => {
                    return match std::fs::rename(part, &name) {
                        Ok(()) => Ok(name),
                        Err(error) => {
                            // The empty file is ours, and nobody is to find it under a name that was asked for.
                            let _ = std::fs::remove_file(&name);
                            Err(error)
                        }
                    };
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            },
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Brings the name of a file to the disk: without it a file whose bytes are there is lost with the power.
pub(crate) fn sync_name_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        std::fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(" ({number})"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Error> {
    match spawn_blocking(work).await {
        Ok(outcome) => outcome.map_err(unwritable),
        Err(error) => Err(unwritable(io::Error::other(error))),
    }
}

const fn unwritable(io: io::Error) -> Error {
    Error::DestinationUnwritable { io }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_free_name_is_taken_and_nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (content, expected) in [("one", "deck.tar.gz"), ("two", "deck.tar (2).gz"), ("three", "deck.tar (3).gz")] {
            std::fs::write(at("part"), content).unwrap();
            assert_eq!(give_free_name(&at("part"), &at("deck.tar.gz")).unwrap(), at(expected));
            assert!(!at("part").exists());
        }
        assert_eq!(std::fs::read_to_string(at("deck.tar.gz")).unwrap(), "one");
        assert_eq!(std::fs::read_to_string(at("deck.tar (2).gz")).unwrap(), "two");
    }

    #[test]
    fn a_folder_that_went_away_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let gone = give_free_name(&folder.path().join("part"), &folder.path().join("gone/deck"));
        assert!(gone.is_err());
    }
}
