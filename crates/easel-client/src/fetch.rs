//! Fetches a file of the drive to a path that only the caller knows, for programs that keep two sides in step.
//!
//! Always true: a file under the slot's own name is whole, of the right size and content, and durable; a part lies
//! beside it under a name of its own and is resumed later, by this run or the next. Not here: the path at which people
//! see the file, and any file that is there already.

use std::io;
use std::path::Path;

use easel_wire::FileId;

use crate::client::Client;
use crate::download::{PartialFile, blocking, sync_name_of};
use crate::error::Error;
use crate::source::Progress;

/// The drive's description of a file to be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Described {
    /// Its size in bytes, where the drive tells it.
    pub size_bytes: Option<u64>,
    /// The SHA-256 of its content, where the drive tells it.
    pub sha256: Option<[u8; 32]>,
}

impl Client {
    /// Fetches a file to `slot`, replacing a file that is there, and returns the SHA-256 of its content. While the
    /// bytes come they are at `under_way`, in the same folder. Takes one request of the budget; the bytes take none.
    ///
    /// # Errors
    /// [`Error::DestinationUnwritable`]; [`Error::ContentMismatch`] where the bytes differ from the description, and
    /// none of them are kept then; [`Error::Storage`]; else what the service answers, or why it did not.
    pub async fn fetch_file(
        &self,
        file: FileId,
        described: Described,
        under_way: &Path,
        slot: &Path,
        progress: &Progress<'_>,
    ) -> Result<[u8; 32], Error> {
        let mut part = PartialFile::take_up(under_way.to_owned()).await?;
        // A part that is longer than the whole cannot be its beginning.
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
            // The part of an earlier run was of another content.
            was_begun = false;
            part.start_over().await?;
        }
    }

    async fn fetch_into(
        &self,
        file: FileId,
        part: &mut PartialFile,
        size_bytes: Option<u64>,
        progress: &Progress<'_>,
    ) -> Result<(), Error> {
        let mut may_sign_anew = true;
        // For an empty file, or one of unknown size, only an answer tells that it is complete.
        while size_bytes.is_none_or(|size_bytes| part.written_bytes() < size_bytes || size_bytes == 0) {
            let before = part.written_bytes();
            let (bytes_at, _) = self.locate_bytes(file).await?;
            match self.fetch_all(&bytes_at, part, progress).await {
                // No more bytes will come; the caller checks them.
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

impl PartialFile {
    /// Whether the bytes so far fit the description.
    fn is(&self, described: Described) -> bool {
        let sha256 = self.sha256();
        described.size_bytes.is_none_or(|expected| self.written_bytes() == expected)
            && described.sha256.is_none_or(|expected| sha256 == Some(expected))
    }

    /// Makes the file durable, under its own name.
    async fn settle(mut self, slot: &Path) -> Result<[u8; 32], Error> {
        let gone = || Error::DestinationUnwritable { io: io::ErrorKind::NotFound.into() };
        let sha256 = self.sha256().ok_or_else(gone)?;
        let (file, _) = self.close().ok_or_else(gone)?;
        let (part, slot) = (self.path().to_owned(), slot.to_owned());
        blocking(move || {
            file.sync_all()?;
            drop(file);
            std::fs::rename(&part, &slot)?;
            sync_name_of(&slot)
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
        let mut part = PartialFile::take_up(under_way.clone()).await.unwrap();
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
        let mut part = PartialFile::take_up(path.clone()).await.unwrap();
        part.append(b"half"[..].into()).await.unwrap();
        drop(part);
        assert_eq!(std::fs::read(&path).unwrap(), b"half");
    }
}
