//! Doing a prepared step: the calls that change one of the sides, and nothing else. Only this part of a step runs beside
//! others, so it knows neither what is agreed nor the pictures of the two sides.

use easel_wire::{FileId, FolderId, ItemRef};

use super::intent::UnderWay;
use super::pointing::{self, Removal, Renaming, unless_gone};
use super::sending::{self, Broken};
use super::{Intent, Ports, Trouble};
use crate::causes::{Cause, Waiting};
use crate::planted::{Mutant, Planted};
use crate::ports::{Clock, Disk, DiskError, Drive, Store};
use crate::tree::{Change, ContentHash, LocalItem, Place, Replacing, Stamp};
use crate::upload::{Arrived, Checkpoint};

/// A step that has been checked.
#[derive(Debug)]
pub(super) enum Task {
    Hash {
        path: String,
        stamp: Stamp,
    },
    MakeFolder {
        path: String,
        identity: u64,
        place: Place,
    },
    MakeLocalFolder {
        path: String,
        folder: FolderId,
        place: Place,
    },
    /// `file_name` is the one that a pointer gets for it.
    Place {
        path: String,
        item: ItemRef,
        from: Place,
        to: Place,
        file_name: Option<String>,
    },
    MoveLocal {
        from: String,
        to: String,
        identity: u64,
        is_conflict: bool,
        changes: Vec<Change>,
    },
    Send {
        path: String,
        stamp: Stamp,
        place: Place,
        at: Checkpoint,
        announcement: Option<Renaming>,
        replacing: Option<Replacing>,
    },
    Point {
        path: String,
        stamp: Stamp,
        place: Place,
        hash: ContentHash,
        announcement: Option<Renaming>,
    },
    Retire {
        path: String,
        renaming: Renaming,
    },
    DiscardPointer {
        path: String,
        pointer: FileId,
    },
    Fetch(Fetching),
    Delete {
        path: String,
        file: FileId,
        was_replaced: bool,
        removal: Removal,
    },
    /// `left` are pointers in it that stand for nothing.
    DeleteFolder {
        path: String,
        folder: FolderId,
        is_recursive: bool,
        left: Vec<FileId>,
    },
    Trash {
        path: String,
        file: FileId,
        stamp: Stamp,
        hash: ContentHash,
    },
    RemoveLocalFolder {
        path: String,
    },
}

/// A file that is to be fetched.
#[derive(Debug)]
pub(super) struct Fetching {
    pub path: String,
    pub file: FileId,
    /// The drive file that has its content: another one where `file` is a pointer.
    pub from: FileId,
    pub place: Place,
    pub hash: Option<ContentHash>,
    pub replacing: Option<Stamp>,
    pub bytes: u64,
    pub is_pointer: bool,
}

impl Task {
    pub(super) fn path(&self) -> &str {
        match self {
            Self::Hash { path, .. }
            | Self::MakeFolder { path, .. }
            | Self::MakeLocalFolder { path, .. }
            | Self::Place { path, .. }
            | Self::MoveLocal { from: path, .. }
            | Self::Send { path, .. }
            | Self::Point { path, .. }
            | Self::Retire { path, .. }
            | Self::DiscardPointer { path, .. }
            | Self::Fetch(Fetching { path, .. })
            | Self::Delete { path, .. }
            | Self::DeleteFolder { path, .. }
            | Self::Trash { path, .. }
            | Self::RemoveLocalFolder { path } => path,
        }
    }

    /// The size of the file that it reads, sends or fetches.
    pub(super) const fn bytes(&self) -> u64 {
        match self {
            Self::Hash { stamp, .. } | Self::Send { stamp, .. } => stamp.size_bytes,
            Self::Fetch(fetching) => fetching.bytes,
            _ => 0,
        }
    }

    /// What has to be written down before it begins.
    pub(super) fn intents(&self) -> impl Iterator<Item = Intent> {
        self.intent().into_iter().chain(self.announced())
    }

    /// What a pointer says before it is known whether another content comes to its place.
    fn announced(&self) -> Option<Intent> {
        let (Self::Send { path, announcement, .. } | Self::Point { path, announcement, .. }) = self else {
            return None;
        };
        announcement.as_ref().map(|renaming| renaming.intent(path))
    }

    /// What is written down before it begins of the path itself.
    fn intent(&self) -> Option<Intent> {
        match self {
            Self::MakeFolder { path, identity, place } => {
                Some(Intent::MakeFolder { path: path.clone(), identity: *identity, place: place.clone() })
            }
            Self::MakeLocalFolder { path, folder, place } => {
                Some(Intent::MakeLocalFolder { path: path.clone(), folder: *folder, place: place.clone() })
            }
            Self::Place { path, to, .. } => Some(Intent::Place { path: path.clone(), to: to.clone() }),
            Self::MoveLocal { from, to, identity, is_conflict, changes } => Some(Intent::MoveLocal {
                from: from.clone(),
                to: to.clone(),
                identity: *identity,
                changes: changes.clone(),
                is_conflict: *is_conflict,
            }),
            Self::Send { path, stamp, at, replacing, .. } if *at != Checkpoint::NotBegun => {
                let (path, at, replacing) = (path.clone(), at.clone(), *replacing);
                Some(Intent::Upload(UnderWay { path, stamp: *stamp, at, replacing, refused: None }))
            }
            Self::Point { path, stamp, place, hash, .. } => {
                Some(Intent::Point { path: path.clone(), stamp: *stamp, place: place.clone(), hash: *hash })
            }
            Self::Delete { path, file, removal, .. } => {
                let (path, heir) = (path.clone(), removal.heir().cloned());
                Some(Intent::Delete { path, file: *file, heir })
            }
            Self::DeleteFolder { path, folder, .. } => {
                Some(Intent::DeleteFolder { path: path.clone(), folder: *folder })
            }
            // Either nothing is left half known, or the intent is made on the way.
            Self::Send { .. }
            | Self::Hash { .. }
            | Self::Retire { .. }
            | Self::DiscardPointer { .. }
            | Self::Fetch(_)
            | Self::Trash { .. }
            | Self::RemoveLocalFolder { .. } => None,
        }
    }
}

/// What a step came to.
#[derive(Debug)]
pub(super) enum Outcome {
    Hashed {
        path: String,
        stamp: Stamp,
        hash: ContentHash,
    },
    FolderMade {
        path: String,
        identity: u64,
        folder: FolderId,
        place: Place,
    },
    LocalFolderMade {
        path: String,
        identity: u64,
        folder: FolderId,
        place: Place,
    },
    Placed {
        path: String,
        item: ItemRef,
        from: Place,
        to: Place,
    },
    LocalMoved {
        from: String,
        to: String,
        is_conflict: bool,
        changes: Vec<Change>,
    },
    Sent {
        path: String,
        stamp: Stamp,
        hash: ContentHash,
        arrived: Arrived,
        announced: Option<Renaming>,
    },
    Pointed {
        path: String,
        stamp: Stamp,
        place: Place,
        hash: ContentHash,
        pointer: FileId,
        announced: Option<Renaming>,
    },
    /// The service takes no pointers.
    NotPointed {
        path: String,
        announced: Option<Renaming>,
    },
    Retired {
        renamed: Renaming,
    },
    PointerDiscarded {
        pointer: FileId,
    },
    Fetched {
        path: String,
        file: FileId,
        place: Place,
        stamp: Stamp,
        hash: ContentHash,
        replacing: Option<Stamp>,
        is_pointer: bool,
    },
    Deleted {
        path: String,
        file: FileId,
        was_replaced: bool,
        removal: Removal,
    },
    FolderDeleted {
        path: String,
        folder: FolderId,
    },
    Trashed {
        path: String,
    },
    LocalFolderRemoved {
        path: String,
    },
    /// Something is in it that is left out, or new.
    LocalFolderKept {
        path: String,
    },
}

impl Outcome {
    /// What has to be written down before a fetched file gets its place.
    pub(super) fn intent(&self) -> Option<Intent> {
        match self {
            Self::Fetched { path, file, place, stamp, hash, is_pointer, .. } => Some(Intent::Fetched {
                path: path.clone(),
                file: *file,
                place: place.clone(),
                stamp: *stamp,
                hash: *hash,
                is_pointer: *is_pointer,
            }),
            _ => None,
        }
    }
}

/// Does it.
pub(super) async fn act<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: &Ports<D, R, S, C>,
    task: Task,
    planted: Planted,
) -> Result<Outcome, Broken> {
    let announced = task.announced().map(Box::new);
    let done = match task {
        Task::Send { path, stamp, place, at, announcement, replacing } => {
            let under_way = UnderWay { path, stamp, at, replacing, refused: None };
            send(ports, under_way, place, announcement, planted).await
        }
        task => act_alone(ports, task, planted).await.map_err(Broken::from),
    };
    done.map_err(|broken| Broken { announced, ..broken })
}

async fn send<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: &Ports<D, R, S, C>,
    under_way: UnderWay,
    place: Place,
    announcement: Option<Renaming>,
    planted: Planted,
) -> Result<Outcome, Broken> {
    if let Some(renaming) = &announcement {
        pointing::rename(ports, renaming).await?;
    }
    sending::send(ports, under_way, place, (announcement, planted)).await
}

/// Does what nothing is left open of.
async fn act_alone<D: Disk, R: Drive, S: Store, C: Clock>(
    ports: &Ports<D, R, S, C>,
    task: Task,
    planted: Planted,
) -> Result<Outcome, Trouble> {
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
                return Err(Trouble::Path(Cause::Corrupt.into()));
            }
            Ok(Outcome::Fetched { path, file, place, stamp, hash, replacing, is_pointer })
        }
        Task::Delete { path, file, was_replaced, removal } => {
            let removal = pointing::remove(ports, file, removal).await?;
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
        Task::RemoveLocalFolder { path } => match ports.disk.remove_folder(&path).await {
            Ok(()) => Ok(Outcome::LocalFolderRemoved { path }),
            Err(DiskError::NotEmpty) => Ok(Outcome::LocalFolderKept { path }),
            Err(error) => Err(error.into()),
        },
        // It leaves something open.
        Task::Send { .. } => Err(Trouble::Path(Cause::Changed.into())),
    }
}

/// To the trash goes only what is byte for byte what was agreed on, and only when the drive itself says that the file
/// is gone: a list is read in pages, and what moves between two of them is in none.
async fn trash<D: Disk, R: Drive, S, C>(
    ports: &Ports<D, R, S, C>,
    path: String,
    file: FileId,
    stamp: &Stamp,
    agreed: ContentHash,
    planted: Planted,
) -> Result<Outcome, Trouble> {
    if !planted.is(Mutant::BelievesLists) && pointing::is_there(ports, file).await? {
        return Err(Trouble::Look { cause: Waiting::Moving, wait_ms: None, is_open: false });
    }
    if planted.is(Mutant::TrashesUnseen) {
        if let Some(LocalItem::File(found)) = ports.disk.look(&path).await? {
            ports.disk.trash(&path, &found.stamp).await?;
        }
    } else {
        if ports.disk.hash(&path, stamp).await? != agreed {
            return Err(Trouble::Path(Cause::Changed.into()));
        }
        ports.disk.trash(&path, stamp).await?;
    }
    Ok(Outcome::Trashed { path })
}
