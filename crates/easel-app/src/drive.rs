//! The drive for the page.
//!
//! Always true: ids go to the page as text and are read back with their kind, so that a wrong one is refused here; a
//! deleted item is gone from the screen at once, though the deletion is sent ten seconds later. Here are the types that
//! the page and the program share. Not here: what can be done with items, which is in the files below.

mod changes;
pub(crate) mod copies;
mod counts;
pub(crate) mod deletions;
pub(crate) mod downloads;
pub(crate) mod heads;
mod listing;
pub(crate) mod looks;
pub(crate) mod names;
pub(crate) mod news;
pub(crate) mod programs;
pub(crate) mod reading;
mod search;
pub(crate) mod shelved;
mod trash;
mod versions;
pub(crate) mod views;

pub use self::deletions::Deletions;
pub use self::downloads::Downloads;
pub use self::looks::{FileLook, FileText};
pub use self::trash::{ItemsRemoved, ItemsRestored, TrashListing, TrashedView};
pub use self::versions::{FileVersionList, FileVersionRestored, FileVersionView};
pub use self::views::{
    Breadcrumb, DownloadPlace, DownloadState, DownloadView, DriveFound, DriveFoundItem, DriveItem, DriveItemKind,
    DriveListing, DriveSort, DriveSortColumn, FolderNode, FolderTree, ItemCounts, ItemProblem, ItemsMoved, OpenedFile,
    PendingDeletion,
};

use easel_wire::FolderId;
use easel_wire::drive::{File, Folder};

use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::designs::Designs;
use crate::designs::views::DesignView;
use crate::media::addresses;
use crate::messages::{self, Nameless};
use crate::problem::Problem;

/// The drive of the connection in view. Clones are the same drive.
#[derive(Clone)]
pub struct Drive {
    core: Core,
    connections: Connections,
    designs: Designs,
    deletions: Deletions,
    downloads: Downloads,
}

impl Drive {
    pub(crate) const fn new(
        core: Core,
        connections: Connections,
        designs: Designs,
        deletions: Deletions,
        downloads: Downloads,
    ) -> Self {
        Self { core, connections, designs, deletions, downloads }
    }
}

impl DriveItem {
    /// A folder as an item; `within` is where it was found, for a service that does not say where it lies.
    pub(crate) fn of_folder(folder: &Folder, within: Option<FolderId>) -> Self {
        let items = folder.canvas_count + folder.file_count + folder.subfolder_count;
        Self {
            kind: DriveItemKind::Folder,
            id: folder.id.to_string(),
            name: messages::named(&folder.name, Nameless::Folder),
            folder_id: folder.parent_folder_id.unwrap_or(within).map(|id| id.to_string()),
            size_bytes: None,
            item_count: Some(items.into()),
            created_at: folder.created_at.map(|moment| moment.to_string()),
            updated_at: folder.updated_at.map(|moment| moment.to_string()),
            created_by: None,
            created_by_you: false,
            mime_type: None,
            content_hash: None,
            page_count: None,
            thumbnail: None,
            visibility: folder.visibility.as_ref().map(ToString::to_string),
            is_copy: false,
        }
    }

    /// A file of a connection as an item; `within` is as with a folder.
    pub(crate) fn of_file(connection: &ActiveConnection, file: &File, within: Option<FolderId>) -> Self {
        let copy = copies::as_seen(file);
        let is_copy = copy.is_some();
        let file = copy.as_ref().unwrap_or(file);
        let (created_by, created_by_you) = connection.view_person(file.created_by.as_ref());
        Self {
            kind: DriveItemKind::File,
            id: file.id.to_string(),
            name: messages::named(&file.name, Nameless::File),
            folder_id: file.folder_id.unwrap_or(within).map(|id| id.to_string()),
            size_bytes: file.size_bytes.map(Into::into),
            item_count: None,
            created_at: file.created_at.map(|moment| moment.to_string()),
            updated_at: file.updated_at.map(|moment| moment.to_string()),
            created_by,
            created_by_you,
            mime_type: file.mime_type.clone(),
            content_hash: file.content_hash.clone(),
            page_count: None,
            thumbnail: addresses::preview_of_file(&connection.id, file),
            visibility: file.visibility.as_ref().map(ToString::to_string),
            is_copy,
        }
    }

    /// A design as an item.
    pub(crate) fn of_design(design: DesignView) -> Self {
        Self {
            kind: DriveItemKind::Design,
            id: design.id,
            name: design.name,
            folder_id: design.folder_id,
            size_bytes: None,
            item_count: None,
            created_at: design.created_at,
            updated_at: design.updated_at,
            created_by: None,
            created_by_you: false,
            mime_type: None,
            content_hash: None,
            page_count: design.page_count,
            thumbnail: design.thumbnail,
            visibility: design.visibility,
            is_copy: false,
        }
    }
}

/// How each of several items fared, of which one that fails does not keep the others.
#[derive(Debug, Default)]
struct Fared {
    done: u64,
    failed: Vec<ItemProblem>,
}

impl Fared {
    fn note(&mut self, id: String, outcome: Result<(), Problem>) {
        match outcome {
            Ok(()) => self.done += 1,
            Err(problem) => self.failed.push(ItemProblem { id, problem }),
        }
    }
}
