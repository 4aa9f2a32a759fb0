//! Walks a drop: its files, and its folders whole with their structure, empty ones included.
//!
//! Always true: links are not followed; nothing is opened that could block (pipes, sockets and devices are told by
//! their kind, never opened); an item that cannot be taken is named with its reason and the rest goes on; entries
//! stream into the journal in batches, so that memory does not grow with the drop. The walk blocks, and has a thread of
//! its own. Not here: whether a file is still being written (`settle.rs`), or too large (the service says that).

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::queue::journal::{Dropped, Entry};
use crate::queue::settle::Identity;
use crate::queue::transfer::{Enqueued, Kind, SkipReason, Skipped};
use crate::shared::error::Error;
use crate::shared::journal::Journal;
use crate::shared::paths;

/// How many entries go into the journal in one transaction.
const BATCH: usize = 256;
/// So many batches may wait for the journal before the walk waits.
const BATCHES_WAITING: usize = 4;
/// The longest name that the drive holds, in characters (contract, "Drive").
const NAME_CHARACTERS: usize = 255;

/// A find of the walk.
#[derive(Debug)]
enum Found {
    Entry(Entry),
    Skipped(Skipped),
}

/// Walks a drop into the journal, and returns what was accepted and what was skipped. If the walk is cut off, the drop
/// stays unwalked and a later call takes it up again.
///
/// # Errors
/// What the journal fails with; [`Error::Stopped`] when `cancel` fires.
pub(crate) async fn take_in(
    journal: &Journal,
    drop: &Dropped,
    cancel: &CancellationToken,
    now: impl Fn() -> i64,
    mut on_batch: impl FnMut(),
) -> Result<Enqueued, Error> {
    let (sender, mut receiver) = mpsc::channel::<Vec<Found>>(BATCHES_WAITING);
    let (paths, stop) = (drop.paths.clone(), cancel.clone());
    let walk = tokio::task::spawn_blocking(move || {
        let mut batch = Vec::with_capacity(BATCH);
        let mut hand_in = |found: Found| {
            batch.push(found);
            if batch.len() < BATCH {
                return !stop.is_cancelled();
            }
            !stop.is_cancelled() && sender.blocking_send(std::mem::take(&mut batch)).is_ok()
        };
        if walk(paths, &mut hand_in) && !batch.is_empty() {
            // A receiver that is gone has its own reason, which it reports.
            let _ = sender.blocking_send(batch);
        }
    });
    let mut enqueued = Enqueued::default();
    while let Some(batch) = receiver.recv().await {
        let mut entries = Vec::with_capacity(batch.len());
        for found in batch {
            match found {
                Found::Entry(entry) => entries.push(entry),
                Found::Skipped(skipped) => enqueued.skipped.push(skipped),
            }
        }
        if entries.is_empty() {
            continue;
        }
        enqueued.accepted.extend(journal.record_entries(drop.id, &entries, now()).await?);
        on_batch();
        if cancel.is_cancelled() || journal.is_drop_canceled(drop.id).await? {
            break;
        }
    }
    std::mem::drop(receiver);
    if walk.await.is_err() || cancel.is_cancelled() {
        return Err(Error::Stopped);
    }
    journal.finish_drop(drop.id).await?;
    Ok(enqueued)
}

/// The folders above the one that is being walked, by device and number, so that a loop is noticed.
struct Above {
    key: Option<(u64, u64)>,
    above: Option<Arc<Above>>,
}

/// A folder that is still to be opened.
struct Pending {
    path: PathBuf,
    name: String,
    /// The folders between the drop and this one.
    dir: String,
    above: Option<Arc<Above>>,
}

/// Walks `paths`, and calls `hand_in` with each find until it returns false. Returns whether the walk came to its end.
fn walk(paths: Vec<PathBuf>, hand_in: &mut dyn FnMut(Found) -> bool) -> bool {
    for path in paths {
        let mut pending = Vec::new();
        if !look_at(path, "", None, &mut pending, hand_in).1 {
            return false;
        }
        while let Some(folder) = pending.pop() {
            if !walk_folder(folder, &mut pending, hand_in) {
                return false;
            }
        }
    }
    true
}

/// Looks at one path: hands in a file, remembers a folder, and skips anything else by name. Returns whether the path
/// was taken, and whether to go on.
fn look_at(
    path: PathBuf,
    dir: &str,
    above: Option<&Arc<Above>>,
    pending: &mut Vec<Pending>,
    hand_in: &mut dyn FnMut(Found) -> bool,
) -> (bool, bool) {
    match judge(&path) {
        Err(reason) => (false, hand_in(Found::Skipped(Skipped { path, reason }))),
        Ok((name, metadata)) if metadata.is_dir() => {
            pending.push(Pending { path, name, dir: dir.to_owned(), above: above.map(Arc::clone) });
            (true, true)
        }
        Ok((name, metadata)) => {
            let identity = Identity::of(&metadata);
            let entry = Entry::Item {
                kind: Kind::File,
                path,
                name,
                dir: dir.to_owned(),
                size_bytes: identity.size_bytes,
                modified_at: identity.modified_at,
            };
            (true, hand_in(Found::Entry(entry)))
        }
    }
}

fn walk_folder(folder: Pending, pending: &mut Vec<Pending>, hand_in: &mut dyn FnMut(Found) -> bool) -> bool {
    let Pending { path, name, dir, above } = folder;
    let skip = |path: PathBuf, reason| Found::Skipped(Skipped { path, reason });
    let key = fs::symlink_metadata(&path).ok().as_ref().and_then(file_key);
    if key.is_some() && std::iter::successors(above.as_ref(), |above| above.above.as_ref()).any(|a| a.key == key) {
        return hand_in(skip(path, SkipReason::FolderLoop));
    }
    let children = match fs::read_dir(&path) {
        Ok(children) => children,
        Err(error) => return hand_in(skip(path, reason_of(&error))),
    };
    let place = paths::join(&dir, &name);
    let above = Arc::new(Above { key, above });
    let mut is_entered = false;
    for child in children {
        let child = match child {
            Ok(child) => child,
            Err(error) => {
                // The rest of this folder cannot be listed; the items seen so far go on.
                if !hand_in(skip(path.clone(), reason_of(&error))) {
                    return false;
                }
                break;
            }
        };
        if !is_entered && judge(&child.path()).is_ok() {
            is_entered = true;
            if !hand_in(Found::Entry(Entry::Folder { dir: place.clone() })) {
                return false;
            }
        }
        if !look_at(child.path(), &place, Some(&above), pending, hand_in).1 {
            return false;
        }
    }
    if is_entered {
        return true;
    }
    let modified_at = fs::symlink_metadata(&path).map_or(0, |metadata| Identity::of(&metadata).modified_at);
    hand_in(Found::Entry(Entry::Item { kind: Kind::Folder, path, name, dir, size_bytes: 0, modified_at }))
}

/// The name and kind of the item at `path`, or why it is skipped.
fn judge(path: &Path) -> Result<(String, Metadata), SkipReason> {
    let metadata = fs::symlink_metadata(path).map_err(|error| reason_of(&error))?;
    if let Some(reason) = strange_kind(&metadata) {
        return Err(reason);
    }
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(SkipReason::NameNotPossible)?;
    if name.chars().count() > NAME_CHARACTERS || name.chars().any(char::is_control) {
        return Err(SkipReason::NameNotPossible);
    }
    check_readable(path).map_err(|error| reason_of(&error))?;
    Ok((name.to_owned(), metadata))
}

fn strange_kind(metadata: &Metadata) -> Option<SkipReason> {
    let kind = metadata.file_type();
    if kind.is_symlink() {
        return Some(SkipReason::SymbolicLink);
    }
    if kind.is_file() || kind.is_dir() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_socket() {
            return Some(SkipReason::Socket);
        }
        if kind.is_fifo() {
            return Some(SkipReason::Fifo);
        }
    }
    Some(SkipReason::Device)
}

fn reason_of(error: &io::Error) -> SkipReason {
    #[cfg(unix)]
    if error.raw_os_error() == Some(nix::errno::Errno::ELOOP as i32) {
        return SkipReason::FolderLoop;
    }
    match error.kind() {
        io::ErrorKind::NotFound => SkipReason::Vanished,
        _ => SkipReason::Unreadable { detail: error.to_string() },
    }
}

/// Asks the system whether the file may be read, without opening it.
#[cfg(unix)]
fn check_readable(path: &Path) -> io::Result<()> {
    Ok(nix::unistd::access(path, nix::unistd::AccessFlags::R_OK)?)
}

/// This system cannot tell beforehand: the upload finds out.
#[cfg(not(unix))]
fn check_readable(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such key")]
fn file_key(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn file_key(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests;
