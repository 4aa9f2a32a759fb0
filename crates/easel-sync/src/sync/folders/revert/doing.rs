//! Doing what undoes changes: in the drive's trash, and in the folder.
//!
//! Always true: an act that is refused stops no other; what is written under a file's name was read to its end before and held
//! what is wanted. Not here: which acts (`sync/revert`).

use std::path::Path;

use easel_client::Client;
use easel_wire::drive::FileVersion;
use easel_wire::{FileId, ItemRef};
use futures_util::StreamExt as _;
use uuid::Uuid;

use super::sources::hash_of;
use super::{Refused, Reverted, of_disk};
use crate::shared::error::Error;
use crate::shared::names;
use crate::sync::disk::{self, LocalDisk};
use crate::sync::ports::{Disk as _, DiskError};
use crate::sync::revert::{Act, Content, Source};
use crate::sync::tree::{self, LocalItem, Stamp};

/// So many items are brought out of the drive's trash at once.
const RESTORED_AT_ONCE: usize = 8;
/// Names that are tried for a file that comes beside another.
const MOST_NAMES: u64 = 100;

/// Does them in their order, those of the drive's trash a few at once.
pub(super) async fn carry_out(disk: &LocalDisk, client: &Client, acts: Vec<Act>) -> Reverted {
    let mut reverted = Reverted { done: 0, refused: Vec::new() };
    let (files, others): (Vec<Act>, Vec<Act>) =
        acts.into_iter().partition(|act| matches!(act, Act::RestoreFile { .. }));
    let (folders, others): (Vec<Act>, Vec<Act>) =
        others.into_iter().partition(|act| matches!(act, Act::RestoreFolder { .. }));
    // A folder before what lies in it.
    for act in folders {
        reverted.note(&act, do_one(disk, client, &act).await);
    }
    let restoring = files.into_iter().map(|act| async move {
        let done = do_one(disk, client, &act).await;
        (act, done)
    });
    let mut restoring = futures_util::stream::iter(restoring).buffer_unordered(RESTORED_AT_ONCE);
    while let Some((act, done)) = restoring.next().await {
        reverted.note(&act, done);
    }
    for act in others {
        reverted.note(&act, do_one(disk, client, &act).await);
    }
    reverted
}

impl Reverted {
    fn note(&mut self, act: &Act, done: Result<(), Error>) {
        match done {
            Ok(()) => self.done += 1,
            Err(error) => {
                tracing::warn!(%error, "a part of undoing changes was refused");
                self.refused.push(Refused { path: path_of(act).to_owned(), error });
            }
        }
    }
}

fn path_of(act: &Act) -> &str {
    match act {
        Act::Move { to: path, .. }
        | Act::RestoreFolder { path, .. }
        | Act::RestoreFile { path, .. }
        | Act::Trash { path, .. }
        | Act::RemoveFolder { path }
        | Act::MakeFolder { path }
        | Act::Place { path, .. } => path,
    }
}

async fn do_one(disk: &LocalDisk, client: &Client, act: &Act) -> Result<(), Error> {
    let path = path_of(act);
    let done = match act {
        Act::RestoreFolder { folder, .. } => {
            return Ok(client.restore_item(ItemRef::Folder(*folder)).await.map(drop)?);
        }
        Act::RestoreFile { file, .. } => return Ok(client.restore_item(ItemRef::File(*file)).await.map(drop)?),
        Act::Place { content, source, replacing, .. } => {
            return place(disk, client, path, content, source, *replacing).await;
        }
        Act::Trash { stamp, .. } => disk.trash(path, stamp).await,
        Act::Move { from, to, identity } => disk.rename(from, to, *identity).await,
        Act::RemoveFolder { .. } => match disk.remove_folder(path).await {
            // With something in it, be it hidden, it stays.
            Err(DiskError::NotEmpty) => Ok(()),
            done => done,
        },
        Act::MakeFolder { .. } => match disk.look(path).await {
            Ok(Some(LocalItem::Folder(_))) => Ok(()),
            Ok(_) => disk.make_folder(path).await.map(drop),
            Err(cause) => Err(cause),
        },
    };
    done.map_err(|cause| of_disk(path, cause))
}

/// Gives a file a content. What is there and is not what was meant keeps its place, and the content comes beside it.
async fn place(
    disk: &LocalDisk,
    client: &Client,
    path: &str,
    content: &Content,
    source: &Source,
    replacing: Option<Stamp>,
) -> Result<(), Error> {
    let waits_as = FileId::imagined(Uuid::new_v4().as_u128());
    let written = disk::partial(&disk.slot(waits_as));
    let placed = async {
        write(client, content, source, &written).await?;
        match disk.place_partial(waits_as, path, replacing).await {
            Err(DiskError::Exists | DiskError::Changed) => place_beside(disk, waits_as, path).await,
            done => done.map_err(|cause| of_disk(path, cause)),
        }
    };
    let placed = placed.await;
    if placed.is_err() {
        // Nothing of it is left behind; what cannot be removed now goes with what else was cut off.
        let _ = disk.discard_fetched(&[waits_as]).await;
    }
    placed
}

async fn place_beside(disk: &LocalDisk, waits_as: FileId, path: &str) -> Result<(), Error> {
    for number in 2..MOST_NAMES {
        let beside = tree::join(tree::parent(path), &names::with_number(tree::name(path), number));
        match disk.place_partial(waits_as, &beside, None).await {
            Err(DiskError::Exists) => {}
            done => return done.map_err(|cause| of_disk(&beside, cause)),
        }
    }
    Err(of_disk(path, DiskError::Exists))
}

/// Writes a content to a file that nobody looks at.
async fn write(client: &Client, content: &Content, source: &Source, to: &Path) -> Result<(), Error> {
    let found = match source {
        Source::Here(from) => {
            let (from, to) = (from.clone(), to.to_owned());
            let copied = tokio::task::spawn_blocking(move || {
                std::fs::copy(&from, &to)?;
                let copy = std::fs::File::options().write(true).open(&to)?;
                copy.set_modified(std::time::SystemTime::now())?;
                copy.sync_all()?;
                hash_of(&to)
            });
            copied.await.map_err(|_| Error::Stopped)?.map_err(|error| of_disk("", disk::cause(&error)))?
        }
        Source::Version(file, version) => {
            let version = FileVersion {
                id: *version,
                mime_type: None,
                size_bytes: Some(content.bytes),
                content_hash: None,
                created_at: None,
                created_by: None,
                replaced_at: None,
            };
            client.download_version(*file, &version, to, &|_| ()).await?.sha256
        }
        Source::DriveTrash(file) => {
            // It cannot be read in the trash: it comes out for a moment.
            client.restore_item(ItemRef::File(*file)).await?;
            let downloaded = client.download_file(*file, to, &|_| ()).await;
            client.delete_item(ItemRef::File(*file), false).await?;
            downloaded?.sha256
        }
    };
    if found == content.hash { Ok(()) } else { Err(of_disk("", DiskError::Changed)) }
}
