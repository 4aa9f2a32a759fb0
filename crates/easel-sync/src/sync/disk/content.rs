//! Reads a file's content, to know its hash or to show its beginning: in pieces, and only while the file stays the
//! same.

use std::io::Read as _;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest as _, Sha256};

use super::failure::cause;
use super::folder::{Folder, look_at_file, split};
use super::item::{Item, Kind};
use crate::sync::ports::DiskError;
use crate::sync::tree::{ContentHash, Stamp};

const PIECE_BYTES: usize = 256 * 1024;
/// For a file that grows, or whose size the system does not tell.
const LEAST_PIECE_BYTES: usize = 8 * 1024;

/// The hash of the file at `path`, if its stamp is `stamp` before and after. Blocking.
pub(super) fn hash(root: &Folder, path: &str, stamp: Stamp, stop: &AtomicBool) -> Result<ContentHash, DiskError> {
    let mut hasher = Sha256::new();
    read(root, path, stamp, stop, |piece| {
        hasher.update(piece);
        true
    })?;
    Ok(hasher.finalize().into())
}

/// The first `most_bytes` of the file at `path`, if its stamp is `stamp` before and after. Blocking.
pub(super) fn beginning(
    root: &Folder,
    path: &str,
    stamp: Stamp,
    most_bytes: usize,
    stop: &AtomicBool,
) -> Result<Vec<u8>, DiskError> {
    let mut bytes = Vec::new();
    read(root, path, stamp, stop, |piece| {
        let room = most_bytes - bytes.len();
        bytes.extend_from_slice(&piece[..room.min(piece.len())]);
        bytes.len() < most_bytes
    })?;
    Ok(bytes)
}

/// Gives the content of the file at `path` to `take`, piece by piece, as long as `take` wants more. An error unless the
/// file's stamp is `stamp` before and after.
fn read(
    root: &Folder,
    path: &str,
    stamp: Stamp,
    stop: &AtomicBool,
    mut take: impl FnMut(&[u8]) -> bool,
) -> Result<(), DiskError> {
    let (folder, name) = split(root, path).map_err(|error| cause(&error))?;
    let is_same = |item: Option<Item>| match item {
        Some(item) if item.kind == Kind::File && item.stamp == stamp => Ok(()),
        _ => Err(DiskError::Changed),
    };
    // Looked at before it is opened: something that is no file any more must not be opened at all.
    is_same(folder.find(name).map_err(|error| cause(&error))?)?;
    let mut file = folder.open_file(name).map_err(|error| cause(&error))?;
    is_same(Some(look_at_file(&file, stamp).map_err(|error| cause(&error))?))?;
    // A large buffer would be filled with noughts first, which takes longer than reading a small file.
    let room = usize::try_from(stamp.size_bytes).unwrap_or(usize::MAX);
    let mut piece = vec![0; room.clamp(LEAST_PIECE_BYTES, PIECE_BYTES)];
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(DiskError::Changed);
        }
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(count) if take(&piece[..count]) => {}
            Ok(_) => break,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cause(&error)),
        }
    }
    is_same(Some(look_at_file(&file, stamp).map_err(|error| cause(&error))?))?;
    // The open file was still the same; the path has to lead to it still, too.
    is_same(folder.find(name).map_err(|error| cause(&error))?)
}
