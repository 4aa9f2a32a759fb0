//! Commands about the drive's items, and about downloading them.

use easel_app::App;
use easel_app::drive::{
    DownloadPlace, DownloadView, DriveFound, DriveItem, DriveListing, DriveSort, FileLook, FileText, FileVersionList,
    FileVersionRestored, FolderTree, ItemCounts, ItemsMoved, ItemsRemoved, ItemsRestored, OpenedFile, PendingDeletion,
    TrashListing,
};
use easel_app::number::WholeNumber;
use tauri::State;

use super::answer::Answer;

/// A part of a folder, folders first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_drive(
    app: State<'_, App>,
    folder_id: Option<String>,
    offset: u32,
    limit: u32,
    sort: DriveSort,
) -> Answer<DriveListing> {
    app.drive().list_drive(folder_id, offset, limit, sort).await
}

/// The items of the whole drive whose names have every word of `query`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_drive(app: State<'_, App>, query: String, limit: u32) -> Answer<DriveFound> {
    app.drive().search_drive(query, limit).await
}

/// The files of the drive that changed last, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_recent_files(app: State<'_, App>, limit: u32) -> Answer<Vec<DriveItem>> {
    app.drive().list_recent_files(limit).await
}

/// Makes a folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_folder(app: State<'_, App>, parent_id: Option<String>, name: String) -> Answer<DriveItem> {
    app.drive().create_folder(parent_id, name).await
}

/// Gives an item another name.
#[tauri::command]
#[specta::specta]
pub(crate) async fn rename_item(app: State<'_, App>, item_id: String, name: String) -> Answer<DriveItem> {
    app.drive().rename_item(item_id, name).await
}

/// Moves items into a folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_items(
    app: State<'_, App>,
    item_ids: Vec<String>,
    folder_id: Option<String>,
) -> Answer<ItemsMoved> {
    app.drive().move_items(item_ids, folder_id).await
}

/// Counts what goes when items go.
#[tauri::command]
#[specta::specta]
pub(crate) async fn count_items(app: State<'_, App>, item_ids: Vec<String>) -> Answer<ItemCounts> {
    app.drive().count_items(item_ids).await
}

/// Deletes items ten seconds from now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_items(app: State<'_, App>, item_ids: Vec<String>) -> Answer<PendingDeletion> {
    app.deletions().delete_items(item_ids).await
}

/// Takes a deletion back that has not been sent.
#[tauri::command]
#[specta::specta]
pub(crate) async fn undo_deletion(app: State<'_, App>, deletion_id: String) -> Answer<()> {
    app.deletions().undo_deletion(deletion_id).await
}

/// Whether what is deleted can come back.
#[tauri::command]
#[specta::specta]
pub(crate) async fn has_trash(app: State<'_, App>) -> Answer<bool> {
    app.drive().has_trash().await
}

/// A part of what was deleted, the newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_trash(app: State<'_, App>, next: Option<String>) -> Answer<TrashListing> {
    app.drive().list_trash(next).await
}

/// Brings items back out of the trash.
#[tauri::command]
#[specta::specta]
pub(crate) async fn restore_items(app: State<'_, App>, item_ids: Vec<String>) -> Answer<ItemsRestored> {
    app.drive().restore_items(item_ids).await
}

/// Removes items of the trash for good.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_for_good(app: State<'_, App>, item_ids: Vec<String>) -> Answer<ItemsRemoved> {
    app.drive().remove_for_good(item_ids).await
}

/// Removes everything in the trash for good.
#[tauri::command]
#[specta::specta]
pub(crate) async fn empty_trash(app: State<'_, App>) -> Answer<WholeNumber> {
    app.drive().empty_trash().await
}

/// The folders of the drive, for choosing one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_folder_tree(app: State<'_, App>) -> Answer<FolderTree> {
    app.drive().list_folder_tree().await
}

/// Starts a download; nothing where the person chose no place.
#[tauri::command]
#[specta::specta]
pub(crate) async fn download_file(
    app: State<'_, App>,
    file_id: String,
    place: DownloadPlace,
) -> Answer<Option<DownloadView>> {
    app.downloads().download_file(file_id, place).await
}

/// Stops a download.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_download(app: State<'_, App>, download_id: String) -> Answer<()> {
    app.downloads().cancel_download(download_id).await
}

/// Opens a file of the drive with its program on this computer, unless it could run one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_file(app: State<'_, App>, file_id: String) -> Answer<OpenedFile> {
    app.downloads().open_file(file_id).await
}

/// Shows a downloaded file in its folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reveal_download(app: State<'_, App>, download_id: String) -> Answer<()> {
    app.downloads().reveal_download(download_id).await
}

/// Lets files of the drive that are on this computer be dragged out of the window.
#[tauri::command]
#[specta::specta]
pub(crate) async fn drag_files(app: State<'_, App>, file_ids: Vec<String>) -> Answer<()> {
    app.downloads().drag_files(file_ids).await
}

/// What a file looks like.
#[tauri::command]
#[specta::specta]
pub(crate) async fn look_at_file(app: State<'_, App>, file_id: String) -> Answer<FileLook> {
    app.drive().look_at_file(file_id).await
}

/// The pages of a file of which a picture is drawn, by the address of its first one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_document_pages(app: State<'_, App>, address: String) -> Answer<Vec<String>> {
    app.media().list_document_pages(&address).await
}

/// The earlier contents of a file, the newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_file_versions(app: State<'_, App>, file_id: String) -> Answer<FileVersionList> {
    app.drive().list_file_versions(file_id).await
}

/// What an earlier content of a file says, where it is a text.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_version_text(
    app: State<'_, App>,
    file_id: String,
    version_id: String,
) -> Answer<Option<FileText>> {
    app.drive().get_version_text(file_id, version_id).await
}

/// Makes a version the content of its file again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn restore_file_version(
    app: State<'_, App>,
    file_id: String,
    version_id: String,
) -> Answer<FileVersionRestored> {
    app.drive().restore_file_version(file_id, version_id).await
}

/// Saves a version of a file where the person says; nothing where the person chose no place.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_file_version(
    app: State<'_, App>,
    file_id: String,
    version_id: String,
) -> Answer<Option<DownloadView>> {
    app.drive().save_file_version(file_id, version_id).await
}
