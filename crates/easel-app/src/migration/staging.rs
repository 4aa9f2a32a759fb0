//! Files on their way from the studio to the other connection's upload queue.
//!
//! Always true: each lies in a folder of its own until the queue has sent it, which then removes it (`kept_files`); at
//! most [`MOST_FILES`] files or [`MOST_BYTES`] bytes lie there at once, or one larger file. Not here: sending, retries and
//! limits, which the queue sees to.

use std::collections::HashMap;
use std::path::PathBuf;

use easel_client::Client;
use easel_sync::{Queue, State, TransferId};
use easel_wire::canvases::Export;
use easel_wire::{FileId, FolderId};

use super::Side;
use crate::causes;
use crate::core::Core;
use crate::data_dir::make_private_folder;
use crate::drive::downloads::safe_name;
use crate::kept_files::remove_kept;

const MOST_FILES: usize = 32;
const MOST_BYTES: u64 = 512 * 1024 * 1024;

/// A file that the queue is about to send.
struct OnItsWay {
    transfer: TransferId,
    /// The studio's file, where it is one.
    file: Option<FileId>,
    path: PathBuf,
    bytes: u64,
}

/// Where a file comes to. The folder goes with it, unless the queue has the file by then: a copy may be stopped at any
/// time.
struct Place {
    folder: PathBuf,
    is_taken: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.is_taken
            && let Err(error) = std::fs::remove_dir_all(&self.folder)
        {
            tracing::debug!(%error, "a file whose way was broken off could not be removed");
        }
    }
}

/// A file that came from the studio.
pub(super) struct Fetched {
    place: Place,
    file: Option<FileId>,
    path: PathBuf,
    bytes: u64,
}

/// How much has come about.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Files that are there.
    pub(super) done: usize,
    /// Files that could not be sent.
    pub(super) failed: usize,
    /// Bytes that were sent.
    pub(super) bytes: u64,
}

/// See the module.
pub(super) struct Staging {
    core: Core,
    folder: PathBuf,
    queue: Queue,
    on_their_way: Vec<OnItsWay>,
    counts: Counts,
    /// By the studio's file, the file that has its content there, wherever the service has it.
    copies: HashMap<FileId, FileId>,
}

impl Staging {
    pub(super) fn new(core: Core, queue: Queue) -> Self {
        let folder = core.data_dir().pasted();
        Self { core, folder, queue, on_their_way: Vec::new(), counts: Counts::default(), copies: HashMap::new() }
    }

    pub(super) const fn counts(&self) -> Counts {
        self.counts
    }

    /// The other side had a design already.
    pub(super) const fn note_there(&mut self) {
        self.counts.done += 1;
    }

    /// The other side had a file already.
    pub(super) fn note_copy(&mut self, file: FileId, copy: FileId) {
        self.copies.insert(file, copy);
        self.counts.done += 1;
    }

    /// By the studio's file, the file that has its content there.
    pub(super) const fn copies(&self) -> &HashMap<FileId, FileId> {
        &self.copies
    }

    /// Whether one more file may come.
    pub(super) async fn has_room(&mut self) -> bool {
        self.look().await;
        let bytes: u64 = self.on_their_way.iter().map(|file| file.bytes).sum();
        self.on_their_way.len() < MOST_FILES && bytes < MOST_BYTES
    }

    /// Whether the queue has yet to send some.
    pub(super) async fn is_busy(&mut self) -> bool {
        self.look().await;
        !self.on_their_way.is_empty()
    }

    /// Brings a file of the studio to this disk.
    pub(super) async fn fetch(&self, source: &Client, file: FileId, name: &str) -> Result<Fetched, Side> {
        let place = self.make_place().await?;
        let downloaded = source.download_file(file, &place.folder.join(safe_name(name)), &|_| {}).await;
        came(place, Some(file), downloaded)
    }

    /// Brings the result of an export to this disk.
    pub(super) async fn fetch_export(&self, source: &Client, export: &Export, name: &str) -> Result<Fetched, Side> {
        let place = self.make_place().await?;
        let downloaded = source.download_export(export, &place.folder.join(safe_name(name)), &|_| {}).await;
        came(place, None, downloaded)
    }

    async fn make_place(&self) -> Result<Place, Side> {
        let place = Place { folder: self.folder.join(uuid::Uuid::now_v7().to_string()), is_taken: false };
        let folder = place.folder.clone();
        let made = tokio::task::spawn_blocking(move || make_private_folder(&folder)).await;
        match made.map_err(std::io::Error::other).and_then(|made| made) {
            Ok(()) => Ok(place),
            Err(error) => Err(Side::Known(self.core.unwritable(&error))),
        }
    }

    /// Hands a file to the queue.
    pub(super) async fn send(&mut self, fetched: Fetched, folder: FolderId) -> Result<(), Side> {
        let Fetched { mut place, file, path, bytes } = fetched;
        // The queue takes it in to the end, also where nobody waits for that any more.
        place.is_taken = true;
        let taken = self.queue.enqueue(vec![path.clone()], Some(folder)).await;
        match taken.map(|taken| taken.accepted.first().copied()) {
            Ok(Some(transfer)) => self.on_their_way.push(OnItsWay { transfer, file, path, bytes }),
            Ok(None) => {
                place.is_taken = false;
                self.counts.failed += 1;
            }
            Err(error) => {
                place.is_taken = false;
                return Err(Side::Known(causes::of_sync(&error)));
            }
        }
        Ok(())
    }

    /// Looks at what has become of the files that the queue has.
    async fn look(&mut self) {
        let mut left = Vec::with_capacity(self.on_their_way.len());
        for file in std::mem::take(&mut self.on_their_way) {
            let transfer = self.queue.get(file.transfer).await;
            let copy = transfer.as_ref().ok().and_then(|transfer| transfer.result.as_ref()?.file_id);
            match transfer.map(|transfer| transfer.state) {
                Ok(state @ (State::Sent | State::AlreadyThere)) => {
                    self.copies.extend(file.file.zip(copy));
                    self.counts.done += 1;
                    self.counts.bytes += if state == State::Sent { file.bytes } else { 0 };
                }
                // The queue keeps it for a retry.
                Ok(State::Failed) => self.counts.failed += 1,
                Ok(State::Canceled) => {
                    remove_kept(&self.folder, &file.path);
                    self.counts.failed += 1;
                }
                Ok(_) => left.push(file),
                Err(error) => {
                    tracing::debug!(%error, "what became of a file is not known");
                    self.counts.failed += 1;
                }
            }
        }
        self.on_their_way = left;
    }
}

fn came(
    place: Place,
    file: Option<FileId>,
    downloaded: Result<easel_client::Downloaded, easel_client::Error>,
) -> Result<Fetched, Side> {
    let downloaded = downloaded.map_err(Side::Here)?;
    Ok(Fetched { place, file, bytes: downloaded.size_bytes, path: downloaded.path })
}
