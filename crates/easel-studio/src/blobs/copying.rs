//! Files of this disk copied, and what lies in a bucket brought to it: whole and on the disk, or not at all.
//!
//! Always true: where a hash is given, only what has it comes under its name. Not here: what is copied, and why.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path as FilePath, PathBuf};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use sha2::{Digest, Sha256};

use super::fault::Fault;
use super::place::{ContentHash, WRITE_BYTES};
use crate::core::error::Error;
use crate::core::private_files::private_file;

/// Copies a file to `place`, on the disk and whole or not at all, and says how many bytes it has. Where a hash is given, only what
/// has it.
///
/// # Errors
/// [`Error::Io`], [`Error::StorageFull`].
pub fn copy_file(source: &FilePath, place: &FilePath, hash: Option<&ContentHash>) -> Result<Result<u64, Fault>, Error> {
    let mut from = match File::open(source) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Err(Fault::Missing)),
        opened => opened?,
    };
    let (mut draft, mut piece) = (Draft::begin(place)?, vec![0; WRITE_BYTES]);
    loop {
        let read = match from.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // One bad place of a disk keeps nothing else from being copied.
            Err(error) if hash.is_some() => {
                tracing::warn!(%error, file = %source.display(), "cannot be read");
                draft.discard()?;
                return Ok(Err(Fault::Damaged));
            }
            Err(error) => return Err(error.into()),
        };
        draft.append(&piece[..read])?;
    }
    draft.publish(place, hash)
}

/// Brings what comes to `place`, on the disk and whole or not at all, and says how many bytes it has. Where a hash is given, only what has
/// it.
///
/// # Errors
/// [`Error::Io`], [`Error::StorageFull`]; where it does not come to its end, [`Error::ContentsUnavailable`].
pub(super) async fn save(
    mut pieces: impl Stream<Item = Result<Bytes, object_store::Error>> + Unpin,
    place: &FilePath,
    hash: Option<&ContentHash>,
) -> Result<Result<u64, Fault>, Error> {
    let mut draft = Draft::begin(place)?;
    while let Some(piece) = pieces.next().await {
        let piece = match piece {
            Ok(piece) => piece,
            Err(error) => {
                draft.discard()?;
                return match error {
                    object_store::Error::NotFound { .. } => Ok(Err(Fault::Missing)),
                    error => Err(error.into()),
                };
            }
        };
        draft.append(&piece)?;
    }
    draft.publish(place, hash)
}

/// A file that is being written beside its place.
struct Draft {
    path: PathBuf,
    file: File,
    hasher: Sha256,
    bytes: u64,
}

impl Draft {
    fn begin(place: &FilePath) -> Result<Self, Error> {
        let path = place.with_extension("part");
        let file = private_file().write(true).create(true).truncate(true).open(&path)?;
        Ok(Self { path, file, hasher: Sha256::new(), bytes: 0 })
    }

    fn append(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.hasher.update(piece);
        self.file.write_all(piece)?;
        self.bytes += piece.len() as u64;
        Ok(())
    }

    fn discard(self) -> Result<(), Error> {
        Ok(std::fs::remove_file(&self.path)?)
    }

    /// Brings it to its place, where it has the hash that is given, and says how many bytes it has.
    fn publish(self, place: &FilePath, hash: Option<&ContentHash>) -> Result<Result<u64, Fault>, Error> {
        let Self { path, file, hasher, bytes } = self;
        if hash.is_some_and(|hash| *hash != <ContentHash>::from(hasher.finalize())) {
            std::fs::remove_file(&path)?;
            return Ok(Err(Fault::Damaged));
        }
        file.sync_all()?;
        std::fs::rename(&path, place)?;
        Ok(Ok(bytes))
    }
}
