//! The drive as the page shows it.
//!
//! Always true: ids go to the page as text and are read back with their kind, so that a wrong one is refused here; what
//! a person has deleted is gone from the screen at once, though it is sent ten seconds later. What happens is in the
//! files below; here are the words that the page and the program share.

mod changes;
pub(crate) mod copies;
mod counts;
pub(crate) mod deletions;
pub(crate) mod downloads;
pub(crate) mod listing;
mod looks;
pub(crate) mod names;
mod programs;
mod search;
pub(crate) mod shelved;
mod trash;
pub(crate) mod versions;

pub(crate) use self::changes::read_name;
pub(crate) use self::downloads::safe_name;
pub use self::looks::{FileLook, FileText};
pub(crate) use self::programs::{begins_as_program, could_run};
pub use self::trash::{ItemsRemoved, ItemsRestored, TrashListing, TrashedView};
pub use self::versions::{FileVersionList, FileVersionRestored, FileVersionView};

use easel_wire::drive::{CreatedBy, File, Folder};
use easel_wire::{FileId, FolderId, ItemRef};
use serde::{Deserialize, Serialize};

use crate::causes;
use crate::connections::live::Live;
use crate::designs::DesignView;
use crate::media;
use crate::number::WholeNumber;
use crate::problem::Problem;
use crate::words::{self, Nameless};

/// How a listing is sorted; folders always come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DriveSort {
    /// The column.
    pub by: DriveSortColumn,
    /// From large to small, from Z to A, from new to old.
    pub descending: bool,
}

/// A column that a listing can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DriveSortColumn {
    /// The name.
    Name,
    /// When it last changed.
    UpdatedAt,
    /// The size; folders by name.
    Size,
}

/// A part of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DriveListing {
    /// The connection that was asked.
    pub connection_id: String,
    /// The folder; `null` for the top of the drive.
    pub folder_id: Option<String>,
    /// The way from below the top down to the folder itself; empty at the top.
    pub breadcrumbs: Vec<Breadcrumb>,
    /// The items from `offset` on, folders first.
    pub items: Vec<DriveItem>,
    /// Where `items` begins.
    pub offset: WholeNumber,
    /// How many items the folder holds.
    pub total: WholeNumber,
}

/// A folder on the way down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Breadcrumb {
    /// The folder.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// What an item of the drive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DriveItemKind {
    /// A folder.
    Folder,
    /// A design.
    Design,
    /// A file.
    File,
}

/// An item of the drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DriveItem {
    /// What it is.
    pub kind: DriveItemKind,
    /// Its id, prefixed.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The folder that it lies in; `null` at the top.
    pub folder_id: Option<String>,
    /// A file's size, where the service says.
    pub size_bytes: Option<WholeNumber>,
    /// How many items a folder holds directly.
    pub item_count: Option<WholeNumber>,
    /// When it was made, RFC 3339.
    pub created_at: Option<String>,
    /// When it last changed, RFC 3339.
    pub updated_at: Option<String>,
    /// Who put it there, by name.
    pub created_by: Option<String>,
    /// Whether that is the person at this computer.
    pub created_by_you: bool,
    /// A file's type.
    pub mime_type: Option<String>,
    /// `sha256:` and 64 hex digits, where the service says.
    pub content_hash: Option<String>,
    /// How many pages a design has.
    pub page_count: Option<u32>,
    /// The picture of a design, or of a file that is one: an address of the app's own protocol.
    pub thumbnail: Option<String>,
    /// `team`, `private`, or what else the service says.
    pub visibility: Option<String>,
    /// It is a copy of another file: the drive keeps their content once, and computers that keep the folder in step have both.
    pub is_copy: bool,
}

/// What a search of the whole drive found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DriveFound {
    /// The connection that was asked.
    pub connection_id: String,
    /// The first of what was found: folders, then designs, then files.
    pub items: Vec<DriveFoundItem>,
    /// How many there are in all.
    pub total: WholeNumber,
    /// Not so while the drive is still being read for the first time: there may be more.
    pub is_complete: bool,
}

/// An item that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DriveFoundItem {
    /// What it is.
    pub kind: DriveItemKind,
    /// Its id, prefixed.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The folder that it lies in; `null` at the top.
    pub folder_id: Option<String>,
    /// Where that is, such as `Brand / Logos`; empty at the top.
    pub place: String,
    /// A file's size.
    pub size_bytes: Option<WholeNumber>,
}

/// What happened to several items at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ItemsMoved {
    /// How many have moved.
    pub moved: WholeNumber,
    /// The ones that have not, and why.
    pub failed: Vec<ItemProblem>,
}

/// Why one of several items stayed as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ItemProblem {
    /// The item.
    pub id: String,
    /// What went wrong.
    pub problem: Problem,
}

/// What goes when the counted items go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ItemCounts {
    /// Folders, those below included.
    pub folders: WholeNumber,
    /// Files, those below included.
    pub files: WholeNumber,
    /// Their bytes, as far as the service says.
    pub bytes: WholeNumber,
    /// There are more than could be counted in reasonable time.
    pub at_least: bool,
}

/// A deletion that has not been sent yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct PendingDeletion {
    /// For `undo_deletion`.
    pub deletion_id: String,
    /// When it is sent, RFC 3339.
    pub undo_until: String,
    /// How long from now, in milliseconds.
    pub undo_for_ms: WholeNumber,
}

/// The folders of the drive, for choosing one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FolderTree {
    /// The folders at the top, by name.
    pub folders: Vec<FolderNode>,
    /// There are more folders than these.
    pub truncated: bool,
}

/// A folder with the folders below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FolderNode {
    /// The folder.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The folders directly below, by name.
    pub children: Vec<FolderNode>,
}

/// Where a download goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DownloadPlace {
    /// The person's Downloads folder.
    Downloads,
    /// A folder that the person is asked for.
    Ask,
}

/// How far a download is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DownloadState {
    /// Bytes are coming.
    Running,
    /// The file is there, whole and checked.
    Finished,
    /// It is not; `problem` says why.
    Failed,
    /// The person stopped it.
    Canceled,
}

/// A download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DownloadView {
    /// For `reveal_download` and `cancel_download`.
    pub download_id: String,
    /// The file in the drive.
    pub file_id: String,
    /// The version of it that is fetched; `null` for what it holds now.
    pub version_id: Option<String>,
    /// The name that it has on this computer.
    pub name: String,
    /// The name of the folder that it goes to.
    pub place: String,
    /// How far it is.
    pub state: DownloadState,
    /// Bytes so far.
    pub received_bytes: WholeNumber,
    /// Bytes in all, where the service says.
    pub size_bytes: Option<WholeNumber>,
    /// Why it failed.
    pub problem: Option<Problem>,
}

/// What came of opening a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum OpenedFile {
    /// It was handed to its program.
    Opened,
    /// The person stopped it.
    Stopped,
    /// It could run a program, and was not opened: the person is asked whether to download it instead.
    CouldRun {
        /// Its name, as it is shown.
        name: String,
    },
}

impl DriveItem {
    /// A folder as an item; `within` is where it was found, for a service that does not say where it lies.
    pub(crate) fn of_folder(folder: &Folder, within: Option<FolderId>) -> Self {
        let items = folder.canvas_count + folder.file_count + folder.subfolder_count;
        Self {
            kind: DriveItemKind::Folder,
            id: folder.id.to_string(),
            name: words::named(&folder.name, Nameless::Folder),
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
    pub(crate) fn of_file(live: &Live, file: &File, within: Option<FolderId>) -> Self {
        let copy = copies::as_seen(file);
        let is_copy = copy.is_some();
        let file = copy.as_ref().unwrap_or(file);
        let (created_by, created_by_you) = view_person(live, file.created_by.as_ref());
        Self {
            kind: DriveItemKind::File,
            id: file.id.to_string(),
            name: words::named(&file.name, Nameless::File),
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
            thumbnail: media::preview_of_file(&live.id, file),
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

/// The name of a person as it is shown, and whether it is the one at this computer.
pub(crate) fn view_person(live: &Live, by: Option<&CreatedBy>) -> (Option<String>, bool) {
    let you = live.status().account.and_then(|account| account.user_id);
    let name = by.and_then(|by| by.name.clone().or_else(|| by.email.clone()));
    (name, by.and_then(|by| by.id).is_some_and(|by| you.as_deref() == Some(&*by.text())))
}

/// An item's id as the page has it.
fn read_item(id: &str) -> Result<ItemRef, Problem> {
    id.parse().map_err(|error| causes::of_id(&error))
}

/// A file's id as the page has it.
pub(crate) fn read_file(id: &str) -> Result<FileId, Problem> {
    let is_other = matches!(id.parse(), Ok(ItemRef::Folder(_) | ItemRef::Canvas(_)));
    let file = if is_other { None } else { FileId::new(id).ok() };
    file.ok_or_else(|| words::problem("item_id_not_usable", &[]))
}

/// A folder's id as the page has it; none for the top of the drive.
pub(crate) fn read_folder(id: Option<&str>) -> Result<Option<FolderId>, Problem> {
    let read = |text| FolderId::of_its_prefix(text).ok_or_else(|| words::problem("folder_not_found", &[]));
    id.map(read).transpose()
}
