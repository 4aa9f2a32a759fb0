//! The commands of the page, each one line: what they do is a method of the same name of [`App`].
//!
//! Always true: nothing is decided here, and nothing here can block the interface's thread (every command is async).

use easel_app::App;
use easel_app::connections::{ConnectionDraft, ConnectionTested, ConnectionView};
use easel_app::drive::{
    DownloadPlace, DownloadView, DriveItem, DriveListing, DriveSort, FolderTree, ItemCounts, ItemsMoved,
    PendingDeletion,
};
use easel_app::keys::{ApiKeyView, NewApiKey};
use easel_app::overview::Overview;
use easel_app::problem::Problem;
use easel_app::settings::Settings;
use easel_app::uploads::{DropTarget, FilesTaken, TransferFilter, TransferList};
use tauri::State;

type Answer<T> = Result<T, Problem>;

/// Every command, with the types that the page sees.
pub(crate) fn collect() -> tauri_specta::Commands<tauri::Wry> {
    tauri_specta::collect_commands![
        get_overview,
        start_local_studio,
        test_connection,
        connect_service,
        replace_key,
        list_connections,
        select_connection,
        remove_connection,
        retry_connection,
        list_drive,
        list_recent_files,
        create_folder,
        rename_item,
        move_items,
        count_items,
        delete_items,
        undo_deletion,
        list_folder_tree,
        download_file,
        cancel_download,
        open_file,
        reveal_download,
        choose_files,
        choose_folder,
        paste_files,
        set_drop_target,
        list_transfers,
        pause_transfer,
        resume_transfer,
        cancel_transfer,
        retry_transfer,
        pause_all_transfers,
        resume_all_transfers,
        retry_failed_transfers,
        clear_finished_transfers,
        promote_transfer,
        reveal_transfer,
        move_duplicate_here,
        list_api_keys,
        create_api_key,
        delete_api_key,
        get_settings,
        set_settings,
        copy_text,
        confirm_close,
    ]
}

/// What the first screen needs.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_overview(app: State<'_, App>) -> Answer<Overview> {
    app.get_overview().await
}

/// Sets the built-in studio up, or starts it again, and puts it in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_local_studio(app: State<'_, App>, keep_for_session: bool) -> Answer<ConnectionView> {
    app.start_local_studio(keep_for_session).await
}

/// Tries an address and a key without saving anything.
#[tauri::command]
#[specta::specta]
pub(crate) async fn test_connection(app: State<'_, App>, draft: ConnectionDraft) -> Answer<ConnectionTested> {
    app.test_connection(draft).await
}

/// Tries an address and a key, saves them and puts the connection in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connect_service(app: State<'_, App>, draft: ConnectionDraft) -> Answer<ConnectionView> {
    app.connect_service(draft).await
}

/// Gives a connection another key, after trying it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn replace_key(
    app: State<'_, App>,
    connection_id: String,
    key: String,
    keep_for_session: bool,
) -> Answer<ConnectionView> {
    app.replace_key(connection_id, key, keep_for_session).await
}

/// All connections.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_connections(app: State<'_, App>) -> Answer<Vec<ConnectionView>> {
    app.list_connections().await
}

/// Puts a connection in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn select_connection(app: State<'_, App>, connection_id: String) -> Answer<ConnectionView> {
    app.select_connection(connection_id).await
}

/// Forgets a connection, its key and its queue.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_connection(app: State<'_, App>, connection_id: String) -> Answer<()> {
    app.remove_connection(connection_id).await
}

/// Looks at once whether a service answers again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_connection(app: State<'_, App>, connection_id: String) -> Answer<ConnectionView> {
    app.retry_connection(connection_id).await
}

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
    app.list_drive(folder_id, offset, limit, sort).await
}

/// The files of the drive that changed last, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_recent_files(app: State<'_, App>, limit: u32) -> Answer<Vec<DriveItem>> {
    app.list_recent_files(limit).await
}

/// Makes a folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_folder(app: State<'_, App>, parent_id: Option<String>, name: String) -> Answer<DriveItem> {
    app.create_folder(parent_id, name).await
}

/// Gives an item another name.
#[tauri::command]
#[specta::specta]
pub(crate) async fn rename_item(app: State<'_, App>, item_id: String, name: String) -> Answer<DriveItem> {
    app.rename_item(item_id, name).await
}

/// Moves items into a folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_items(
    app: State<'_, App>,
    item_ids: Vec<String>,
    folder_id: Option<String>,
) -> Answer<ItemsMoved> {
    app.move_items(item_ids, folder_id).await
}

/// Counts what goes when items go.
#[tauri::command]
#[specta::specta]
pub(crate) async fn count_items(app: State<'_, App>, item_ids: Vec<String>) -> Answer<ItemCounts> {
    app.count_items(item_ids).await
}

/// Deletes items ten seconds from now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_items(app: State<'_, App>, item_ids: Vec<String>) -> Answer<PendingDeletion> {
    app.delete_items(item_ids).await
}

/// Takes a deletion back that has not been sent.
#[tauri::command]
#[specta::specta]
pub(crate) async fn undo_deletion(app: State<'_, App>, deletion_id: String) -> Answer<()> {
    app.undo_deletion(deletion_id).await
}

/// The folders of the drive, for choosing one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_folder_tree(app: State<'_, App>) -> Answer<FolderTree> {
    app.list_folder_tree().await
}

/// Starts a download; nothing where the person chose no place.
#[tauri::command]
#[specta::specta]
pub(crate) async fn download_file(
    app: State<'_, App>,
    file_id: String,
    place: DownloadPlace,
) -> Answer<Option<DownloadView>> {
    app.download_file(file_id, place).await
}

/// Stops a download.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_download(app: State<'_, App>, download_id: String) -> Answer<()> {
    app.cancel_download(download_id).await
}

/// Opens a file of the drive with its program on this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_file(app: State<'_, App>, file_id: String) -> Answer<()> {
    app.open_file(file_id).await
}

/// Shows a downloaded file in its folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reveal_download(app: State<'_, App>, download_id: String) -> Answer<()> {
    app.reveal_download(download_id).await
}

/// Asks for files and puts them in the drive.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_files(app: State<'_, App>, folder_id: Option<String>) -> Answer<Option<FilesTaken>> {
    app.choose_files(folder_id).await
}

/// Asks for a folder and puts it in the drive, whole.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_folder(app: State<'_, App>, folder_id: Option<String>) -> Answer<Option<FilesTaken>> {
    app.choose_folder(folder_id).await
}

/// Puts the files or the picture in the clipboard in the drive; nothing where it holds neither.
#[tauri::command]
#[specta::specta]
pub(crate) async fn paste_files(app: State<'_, App>, folder_id: Option<String>) -> Answer<Option<FilesTaken>> {
    app.paste_files(folder_id).await
}

/// Says where dropped files land; nowhere where there is no target.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_drop_target(app: State<'_, App>, target: Option<DropTarget>) -> Answer<()> {
    app.set_drop_target(target).await
}

/// A part of the transfers of the connection in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_transfers(
    app: State<'_, App>,
    filter: TransferFilter,
    offset: u32,
    limit: u32,
) -> Answer<TransferList> {
    app.list_transfers(filter, offset, limit).await
}

/// Pauses a transfer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pause_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.pause_transfer(transfer_id).await
}

/// Lets a transfer go on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.resume_transfer(transfer_id).await
}

/// Takes a transfer back, or a failed one off the list.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.cancel_transfer(transfer_id).await
}

/// Tries a failed transfer again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.retry_transfer(transfer_id).await
}

/// Pauses everything.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pause_all_transfers(app: State<'_, App>) -> Answer<()> {
    app.pause_all_transfers().await
}

/// Lets everything go on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_all_transfers(app: State<'_, App>) -> Answer<()> {
    app.resume_all_transfers().await
}

/// Tries all failed transfers again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_failed_transfers(app: State<'_, App>) -> Answer<()> {
    app.retry_failed_transfers().await
}

/// Takes what is in the drive off the list.
#[tauri::command]
#[specta::specta]
pub(crate) async fn clear_finished_transfers(app: State<'_, App>) -> Answer<()> {
    app.clear_finished_transfers().await
}

/// Lets a transfer go first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn promote_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.promote_transfer(transfer_id).await
}

/// Shows the file of a transfer in its folder on this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reveal_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.reveal_transfer(transfer_id).await
}

/// Moves a file that was in the drive already to the folder that it was dropped on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_duplicate_here(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.move_duplicate_here(transfer_id).await
}

/// The keys of the built-in studio.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_api_keys(app: State<'_, App>) -> Answer<Vec<ApiKeyView>> {
    app.list_api_keys().await
}

/// Makes a key of the built-in studio.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_api_key(app: State<'_, App>, name: String) -> Answer<NewApiKey> {
    app.create_api_key(name).await
}

/// Deletes a key of the built-in studio, with effect at once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_api_key(app: State<'_, App>, key_id: String) -> Answer<()> {
    app.delete_api_key(key_id).await
}

/// What the person has set.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_settings(app: State<'_, App>) -> Answer<Settings> {
    app.get_settings().await
}

/// Keeps what the person has set.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_settings(app: State<'_, App>, settings: Settings) -> Answer<Settings> {
    app.set_settings(settings).await
}

/// Puts a text into the clipboard.
#[tauri::command]
#[specta::specta]
pub(crate) async fn copy_text(app: State<'_, App>, text: String) -> Answer<()> {
    app.copy_text(text).await
}

/// Closes Easel although something is being sent.
#[tauri::command]
#[specta::specta]
pub(crate) async fn confirm_close(app: State<'_, App>) -> Answer<()> {
    app.confirm_close().await
}
