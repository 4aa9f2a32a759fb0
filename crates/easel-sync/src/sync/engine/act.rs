//! Carries out a prepared step: the calls that change one of the sides, and nothing else. Only this part of a step runs
//! beside other steps, so it knows neither the agreed records nor the pictures of the two sides.

use easel_wire::{FileId, ItemRef};

use super::intent::OpenUpload;
use super::pointing::{self, unless_gone};
use super::removal::Renaming;
use super::sending;
use super::state::Ports;
use super::step_error::Broken;
use super::step_error::StepError;
use super::task::{Fetching, Outcome, Task};
use crate::shared::causes::{Cause, Waiting};
use crate::shared::planted::{Mutant, Planted};
use crate::sync::ports::{Clock, Disk, DiskError, Drive, Store};
use crate::sync::tree::{ContentHash, LocalItem, Place, Stamp};

/// Carries out one step.
pub(super) async fn act<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: &Ports<D, R, S, C>,
    task: Task,
    planted: Planted,
) -> Result<Outcome, Broken> {
    let announced = task.announced().map(Box::new);
    let done = match task {
        Task::Send { path, stamp, changed_us, place, at, announcement, replacing } => {
            let under_way = OpenUpload { path, stamp, changed_us, at, replacing, refused: None };
            send(ports, under_way, place, announcement, planted).await
        }
        task => act_alone(ports, task, planted).await.map_err(Broken::from),
    };
    done.map_err(|broken| Broken { announced, ..broken })
}

async fn send<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: &Ports<D, R, S, C>,
    under_way: OpenUpload,
    place: Place,
    announcement: Option<Renaming>,
    planted: Planted,
) -> Result<Outcome, Broken> {
    if let Some(renaming) = &announcement {
        pointing::rename(ports, renaming).await?;
    }
    sending::send(ports, under_way, place, (announcement, planted)).await
}

/// Carries out a step that can leave nothing open.
async fn act_alone<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: &Ports<D, R, S, C>,
    task: Task,
    planted: Planted,
) -> Result<Outcome, StepError> {
    match task {
        Task::Hash { path, stamp } => {
            let hash = ports.disk.hash(&path, &stamp).await?;
            Ok(Outcome::Hashed { path, stamp, hash })
        }
        Task::MakeFolder { path, identity, place } => {
            let folder = ports.drive.create_folder(&place).await?;
            Ok(Outcome::FolderMade { path, identity, folder, place })
        }
        Task::MakeLocalFolder { path, folder, place } => {
            let identity = ports.disk.make_folder(&path).await?;
            Ok(Outcome::LocalFolderMade { path, identity, folder, place })
        }
        Task::Place { path, item, from, to, file_name } => {
            if from.folder == to.folder {
                ports.drive.rename_item(item, file_name.as_ref().unwrap_or(&to.name)).await?;
            } else {
                ports.drive.move_item(item, Some(to.folder)).await?;
            }
            Ok(Outcome::Placed { path, item, from, to })
        }
        Task::MoveLocal { from, to, identity, is_conflict, changes } => {
            ports.disk.rename(&from, &to, identity).await?;
            Ok(Outcome::LocalMoved { from, to, is_conflict, changes })
        }
        Task::Point { path, stamp, place, hash, announcement } => {
            pointing::point(ports, path, stamp, place, hash, announcement).await
        }
        Task::Retire { renaming, .. } => {
            pointing::rename(ports, &renaming).await?;
            Ok(Outcome::Retired { renamed: renaming })
        }
        Task::DiscardPointer { pointer, .. } => {
            unless_gone(ports.drive.delete_item(ItemRef::File(pointer), false).await)?;
            Ok(Outcome::PointerDiscarded { pointer })
        }
        Task::Fetch(Fetching { path, file, from, place, hash: expected, replacing, is_pointer, .. }) => {
            let (stamp, hash) = ports.drive.fetch(from, file, &ports.disk.slot(file)).await?;
            if expected.is_some_and(|expected| expected != hash) {
                ports.disk.discard_fetched(&[file]).await?;
                return Err(StepError::Path(Cause::Corrupt.into()));
            }
            Ok(Outcome::Fetched { path, file, place, stamp, hash, replacing, is_pointer })
        }
        Task::Delete { path, file, was_replaced, removal } => {
            let removal = pointing::remove(ports, &path, file, removal).await?;
            Ok(Outcome::Deleted { path, file, was_replaced, removal })
        }
        Task::DeleteFolder { path, folder, is_recursive, left } => {
            for pointer in left {
                unless_gone(ports.drive.delete_item(ItemRef::File(pointer), false).await)?;
            }
            unless_gone(ports.drive.delete_item(ItemRef::Folder(folder), is_recursive).await)?;
            Ok(Outcome::FolderDeleted { path, folder })
        }
        Task::Trash { path, file, stamp, hash } => trash(ports, path, file, &stamp, hash, planted).await,
        Task::RemoveLocalFolder { path, .. } => match ports.disk.remove_folder(&path).await {
            Ok(()) => Ok(Outcome::LocalFolderRemoved { path }),
            Err(DiskError::NotEmpty) => Ok(Outcome::LocalFolderKept { path }),
            Err(error) => Err(error.into()),
        },
        // A file that is sent can leave something open, so it is not sent from here.
        Task::Send { .. } => Err(StepError::Path(Cause::Changed.into())),
    }
}

/// Puts a local file in the trash: only while it is byte for byte the agreed one, and only when the drive itself says
/// that its file is gone. A list is no proof: it is read in pages, and an item that moves between two of them is in
/// none.
async fn trash<D: Disk, R: Drive, S, C>(
    ports: &Ports<D, R, S, C>,
    path: String,
    file: FileId,
    stamp: &Stamp,
    agreed: ContentHash,
    planted: Planted,
) -> Result<Outcome, StepError> {
    if !planted.is(Mutant::BelievesLists) && pointing::is_there(ports, file).await? {
        return Err(StepError::Look { cause: Waiting::Moving, wait_ms: None, is_open: false });
    }
    if planted.is(Mutant::TrashesUnseen) {
        if let Some(LocalItem::File(found)) = ports.disk.look(&path).await? {
            ports.disk.trash(&path, &found.stamp).await?;
        }
    } else {
        if ports.disk.hash(&path, stamp).await? != agreed {
            return Err(StepError::Path(Cause::Changed.into()));
        }
        ports.disk.trash(&path, stamp).await?;
    }
    Ok(Outcome::Trashed { path })
}
