//! The drive as the page shows it.
//!
//! Not here: the views of the trash, of versions and of quick looks, which stand beside what is done with them.

use serde::{Deserialize, Serialize};

use crate::number::WholeNumber;
use crate::problem::Problem;

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
    /// The picture of a design, or of a file that is one: an address of the app's own protocol.
    pub thumbnail: Option<String>,
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
