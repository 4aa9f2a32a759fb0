//! Files of this disk copied, and what lies in a bucket brought to it: whole and on the disk, or not at all.
//!
//! Always true: where a hash is given, only what has it comes under its name. Not here: what is copied, and why.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path as FilePath;

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
    let draft = place.with_extension("part");
    let mut to = private_file().write(true).create(true).truncate(true).open(&draft)?;
    let (mut hasher, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; WRITE_BYTES]);
    loop {
        let read = match from.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // One bad place of a disk keeps nothing else from being copied.
            Err(error) if hash.is_some() => {
                tracing::warn!(%error, file = %source.display(), "cannot be read");
                std::fs::remove_file(&draft)?;
                return Ok(Err(Fault::Damaged));
            }
            Err(error) => return Err(error.into()),
        };
        hasher.update(&piece[..read]);
        to.write_all(&piece[..read])?;
        bytes += read as u64;
    }
    if hash.is_some_and(|hash| *hash != <ContentHash>::from(hasher.finalize())) {
        std::fs::remove_file(&draft)?;
        return Ok(Err(Fault::Damaged));
    }
    to.sync_all()?;
    std::fs::rename(&draft, place)?;
    Ok(Ok(bytes))
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
    let draft = place.with_extension("part");
    let mut to = private_file().write(true).create(true).truncate(true).open(&draft)?;
    let (mut hasher, mut bytes) = (Sha256::new(), 0);
    while let Some(piece) = pieces.next().await {
        let piece = match piece {
            Ok(piece) => piece,
            Err(error) => {
                std::fs::remove_file(&draft)?;
                return match error {
                    object_store::Error::NotFound { .. } => Ok(Err(Fault::Missing)),
                    error => Err(error.into()),
                };
            }
        };
        hasher.update(&piece);
        to.write_all(&piece)?;
        bytes += piece.len() as u64;
    }
    if hash.is_some_and(|hash| *hash != <ContentHash>::from(hasher.finalize())) {
        std::fs::remove_file(&draft)?;
        return Ok(Err(Fault::Damaged));
    }
    to.sync_all()?;
    std::fs::rename(&draft, place)?;
    Ok(Ok(bytes))
}
