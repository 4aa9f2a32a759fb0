//! Doing what undoes changes: in the drive's trash, and in the folder.
//!
//! Always true: an act that is refused stops no other; how it ended is written down before the next of its kind begins, and one that
//! was done already does nothing; what is written under a file's name was read to its end before and held what is wanted. Not
//! here: which acts (`sync/revert`), and when (`running`).

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use easel_client::{Client, PageRequest, Place};
use easel_wire::drive::FileVersion;
use easel_wire::{FileId, ItemRef};
use futures_util::StreamExt as _;
use uuid::Uuid;

use super::sources::{hash_of, holds};
use super::{Refused, Reverted, of_disk};
use crate::shared::causes::{Waiting, wait_after};
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::Journal;
use crate::shared::names;
use crate::sync::disk::{self, LocalDisk};
use crate::sync::journal::ActState;
use crate::sync::ports::{Disk as _, DiskError};
use crate::sync::revert::{Act, Content, Source};
use crate::sync::tree::{self, LocalItem, Stamp};

/// So many items are brought out of the drive's trash at once.
const RESTORED_AT_ONCE: usize = 8;
/// Names that are tried for a file that comes beside another.
const MOST_NAMES: u64 = 100;

/// Does acts of one folder.
pub(super) struct Doing<'a> {
    pub disk: &'a LocalDisk,
    pub client: &'a Client,
    pub journal: &'a Journal,
    pub watch: WatchId,
}

/// How an act ended.
enum Ended {
    Done,
    Refused(Error),
    /// Neither, because the service or the folder is away.
    Waits,
}

impl Doing<'_> {
    /// Does acts in their order, those of the drive's trash a few at once, and writes down how each ended. `follow` is told how
    /// many were done and refused so far, and answers whether to go on. Returns whether nothing is open any more.
    ///
    /// # Errors
    /// What the journal fails with.
    pub async fn carry_out(
        &self,
        acts: Vec<(i64, Act)>,
        reverted: &mut Reverted,
        follow: impl Fn(u64, u64) -> bool,
    ) -> Result<bool, Error> {
        let before = (reverted.done, reverted.refused.len() as u64);
        let is_going_on = AtomicBool::new(true);
        let (files, others): (Vec<_>, Vec<_>) =
            acts.into_iter().partition(|(_, act)| matches!(act, Act::RestoreFile { .. }));
        let (folders, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(_, act)| matches!(act, Act::RestoreFolder { .. }));
        let attempt = |(number, act): (i64, Act)| {
            let is_going_on = &is_going_on;
            async move {
                let ended = if is_going_on.load(Ordering::Relaxed) { self.attempt(&act).await } else { Ended::Waits };
                (number, act, ended)
            }
        };
        // A folder before what lies in it.
        for (acts, at_once) in [(folders, 1), (files, RESTORED_AT_ONCE), (others, 1)] {
            let mut attempts = futures_util::stream::iter(acts.into_iter().map(attempt)).buffer_unordered(at_once);
            while let Some((number, act, ended)) = attempts.next().await {
                let state = match ended {
                    Ended::Waits => {
                        is_going_on.store(false, Ordering::Relaxed);
                        continue;
                    }
                    Ended::Done => {
                        reverted.done += 1;
                        ActState::Done
                    }
                    Ended::Refused(error) => {
                        tracing::warn!(%error, "a part of undoing changes was refused");
                        reverted.refused.push(Refused { path: act.path().to_owned(), error });
                        ActState::Refused
                    }
                };
                self.journal.record_act(self.watch, number, state).await?;
                if !follow(reverted.done - before.0, reverted.refused.len() as u64 - before.1) {
                    is_going_on.store(false, Ordering::Relaxed);
                }
            }
        }
        Ok(is_going_on.into_inner())
    }

    async fn attempt(&self, act: &Act) -> Ended {
        match do_one(self.disk, self.client, act).await {
            Ok(()) => Ended::Done,
            Err(Error::Disk { cause: DiskError::RootMissing, .. }) => Ended::Waits,
            Err(Error::Service(error)) if is_away(&error) && self.client.identify().await.is_err() => Ended::Waits,
            Err(error) => Ended::Refused(error),
        }
    }
}

/// Whether the service may be away; a content of its own that is damaged looks the same.
fn is_away(error: &easel_client::Error) -> bool {
    matches!(wait_after(error), Some(Waiting::Offline | Waiting::ServiceFailing { .. } | Waiting::RateLimited))
}

/// Does an act, or finds that it was done: the program may have ended before that was written down.
async fn do_one(disk: &LocalDisk, client: &Client, act: &Act) -> Result<(), Error> {
    let path = act.path();
    let of_path = |cause| of_disk(path, cause);
    let done = match act {
        Act::RestoreFolder { folder, .. } => return restore(client, ItemRef::Folder(*folder)).await,
        Act::RestoreFile { file, .. } => return restore(client, ItemRef::File(*file)).await,
        Act::Place { content, source, replacing, .. } => {
            return place(disk, client, path, content, source, *replacing).await;
        }
        Act::Trash { stamp, .. } => match disk.look(path).await.map_err(of_path)? {
            None => Ok(()),
            Some(_) => disk.trash(path, stamp).await,
        },
        Act::Move { from, to, identity } => match disk.look(to).await.map_err(of_path)? {
            Some(item) if identity_of(&item) == *identity => Ok(()),
            _ => match disk.rename(from, to, *identity).await {
                Err(cause) if names::is_aside(tree::name(from)) => {
                    // It does not wait for a place that it cannot have. Where its own is taken as well, it stays as it is called.
                    let _ = disk.rename(from, &names::without_aside(from), *identity).await;
                    Err(cause)
                }
                done => done,
            },
        },
        Act::RemoveFolder { .. } => match disk.look(path).await.map_err(of_path)? {
            None => Ok(()),
            Some(_) => match disk.remove_folder(path).await {
                // With something in it, be it hidden, it stays.
                Err(DiskError::NotEmpty) => Ok(()),
                done => done,
            },
        },
        Act::MakeFolder { .. } => match disk.look(path).await.map_err(of_path)? {
            Some(LocalItem::Folder(_)) => Ok(()),
            _ => disk.make_folder(path).await.map(drop),
        },
    };
    done.map_err(of_path)
}

const fn identity_of(item: &LocalItem) -> u64 {
    match item {
        LocalItem::Folder(identity) => *identity,
        LocalItem::File(file) => file.stamp.identity,
    }
}

/// Brings an item out of the drive's trash, where it is not out of it already.
async fn restore(client: &Client, item: ItemRef) -> Result<(), Error> {
    let refusal = match client.restore_item(item).await {
        Err(error @ easel_client::Error::Api { status: 404 | 409, .. }) => error,
        done => return Ok(done.map(drop)?),
    };
    let is_out = match item {
        ItemRef::File(file) => client.get_file(file).await.is_ok(),
        ItemRef::Folder(folder) => client.list_folders(&Place::In(folder), &PageRequest::default()).await.is_ok(),
        ItemRef::Canvas(_) => false,
    };
    if is_out { Ok(()) } else { Err(refusal.into()) }
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
    let there = disk.look(path).await.map_err(|cause| of_disk(path, cause))?;
    if is_there(disk, path, there, content).await {
        return Ok(());
    }
    // What was there may be in the trash already.
    let replacing = replacing.filter(|_| there.is_some());
    let waits_as = FileId::imagined(Uuid::new_v4().as_u128());
    let written = disk::partial(&disk.slot(waits_as));
    let placed = async {
        write(client, content, source, &written).await?;
        match disk.place_partial(waits_as, path, replacing).await {
            Err(DiskError::Exists | DiskError::Changed) => place_beside(disk, waits_as, path, content).await,
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

async fn place_beside(disk: &LocalDisk, waits_as: FileId, path: &str, content: &Content) -> Result<(), Error> {
    for number in 2..MOST_NAMES {
        let beside = tree::join(tree::parent(path), &names::with_number(tree::name(path), number));
        match disk.place_partial(waits_as, &beside, None).await {
            Err(DiskError::Exists) => {
                let there = disk.look(&beside).await.map_err(|cause| of_disk(&beside, cause))?;
                if is_there(disk, &beside, there, content).await {
                    // What stays of it is discarded with the next run.
                    let _ = disk.discard_fetched(&[waits_as]).await;
                    return Ok(());
                }
            }
            done => return done.map_err(|cause| of_disk(&beside, cause)),
        }
    }
    Err(of_disk(path, DiskError::Exists))
}

/// Whether what was seen at a path is a file with a content already.
async fn is_there(disk: &LocalDisk, path: &str, seen: Option<LocalItem>, content: &Content) -> bool {
    matches!(seen, Some(LocalItem::File(_))) && holds(&disk.path().join(path), content.bytes, content.hash).await
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
            restore(client, ItemRef::File(*file)).await?;
            let downloaded = client.download_file(*file, to, &|_| ()).await;
            client.delete_item(ItemRef::File(*file), false).await?;
            downloaded?.sha256
        }
    };
    if found == content.hash { Ok(()) } else { Err(of_disk("", DiskError::Changed)) }
}
