//! Bringing a file of the drive to a place that only its caller knows of, for whoever keeps two sides in step.
//!
//! Always true: what is under the slot's own name is whole, of the right size and content, and durable; what is under way
//! lies beside it under a name of its own and is gone on with later, by this run or the next. Not here: where the file is
//! to be seen by people, and what is there already.

use std::io;
use std::path::Path;

use easel_wire::FileId;

use crate::client::Client;
use crate::download::{Part, blocking};
use crate::error::Error;
use crate::source::Progress;

/// What the drive says of a file that is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Described {
    /// Its size in bytes, where the drive tells it.
    pub size_bytes: Option<u64>,
    /// The SHA-256 of its content, where the drive tells it.
    pub sha256: Option<[u8; 32]>,
}

impl Client {
    /// Fetches a file to `slot`, replacing what is there, and returns the SHA-256 of its content. While the bytes come they
    /// are at `under_way`, in the same folder. Takes one request; the bytes take none.
    ///
    /// # Errors
    /// [`Error::DestinationUnwritable`]; [`Error::ContentMismatch`] where the bytes are not those that were described, and
    /// nothing of them is kept then; [`Error::Storage`]; else what the service answers, or why it did not.
    pub async fn fetch_file(
        &self,
        file: FileId,
        described: Described,
        under_way: &Path,
        slot: &Path,
        progress: &Progress<'_>,
    ) -> Result<[u8; 32], Error> {
        let mut part = Part::take_up(under_way.to_owned()).await?;
        // What is longer than the whole is not its beginning.
        if described.size_bytes.is_some_and(|size_bytes| part.written_bytes() > size_bytes) {
            part.start_over().await?;
        }
        let mut was_begun = part.written_bytes() > 0;
        loop {
            self.fetch_into(file, &mut part, described.size_bytes, progress).await?;
            if part.is(described) {
                return part.settle(slot).await;
            }
            if !was_begun {
                part.throw_away();
                return Err(Error::ContentMismatch);
            }
            // What an earlier run had left was of another content.
            was_begun = false;
            part.start_over().await?;
        }
    }

    async fn fetch_into(
        &self,
        file: FileId,
        part: &mut Part,
        size_bytes: Option<u64>,
        progress: &Progress<'_>,
    ) -> Result<(), Error> {
        let mut may_sign_anew = true;
        // Of an empty file, or one whose size is not known, only an answer tells that it has come.
        while size_bytes.is_none_or(|size_bytes| part.written_bytes() < size_bytes || size_bytes == 0) {
            let before = part.written_bytes();
            let (bytes_at, _) = self.locate_bytes(file).await?;
            match self.fetch_all(&bytes_at, part, progress).await {
                // Whatever came, it was all; it is judged by the caller.
                Ok(()) => return Ok(()),
                Err(Error::UrlExpired | Error::Storage { status: 403, .. })
                    if may_sign_anew || part.written_bytes() > before =>
                {
                    may_sign_anew = false;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Part {
    /// Whether what has come is what was described.
    fn is(&self, described: Described) -> bool {
        let sha256 = self.sha256();
        described.size_bytes.is_none_or(|expected| self.written_bytes() == expected)
            && described.sha256.is_none_or(|expected| sha256 == Some(expected))
    }

    /// Makes it durable, under its own name.
    async fn settle(mut self, slot: &Path) -> Result<[u8; 32], Error> {
        let gone = || Error::DestinationUnwritable { io: io::ErrorKind::NotFound.into() };
        let sha256 = self.sha256().ok_or_else(gone)?;
        let (file, _) = self.close().ok_or_else(gone)?;
        let (part, slot) = (self.path().to_owned(), slot.to_owned());
        blocking(move || {
            file.sync_all()?;
            drop(file);
            std::fs::rename(&part, &slot)?;
            #[cfg(unix)]
            if let Some(folder) = slot.parent() {
                std::fs::File::open(folder)?.sync_all()?;
            }
            Ok(())
        })
        .await?;
        Ok(sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_an_earlier_run_left_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let (slot, under_way) = (folder.path().join("slot"), folder.path().join("slot.part"));
        let content = b"the whole content";
        std::fs::write(&under_way, &content[..9]).unwrap();
        let mut part = Part::take_up(under_way.clone()).await.unwrap();
        assert_eq!(part.written_bytes(), 9);
        part.append(content[9..].to_vec().into()).await.unwrap();
        let sha256 = <sha2::Sha256 as sha2::Digest>::digest(content).into();
        let described = Described { size_bytes: Some(content.len() as u64), sha256: Some(sha256) };
        assert!(part.is(described));
        assert!(!part.is(Described { sha256: Some([0; 32]), ..described }));
        assert!(!part.is(Described { size_bytes: Some(9), sha256: None }));
        assert_eq!(part.settle(&slot).await.unwrap(), sha256);
        assert_eq!(std::fs::read(&slot).unwrap(), content);
        assert!(!under_way.exists());
    }

    #[tokio::test]
    async fn what_is_under_way_stays_when_its_fetch_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slot.part");
        let mut part = Part::take_up(path.clone()).await.unwrap();
        part.append(b"half"[..].into()).await.unwrap();
        drop(part);
        assert_eq!(std::fs::read(&path).unwrap(), b"half");
    }
}
