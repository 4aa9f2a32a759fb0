//! Commands about files on their way into the drive.

use easel_app::App;
use easel_app::uploads::{DropArea, DropOver, DropTarget, FilesTaken, TransferFilter, TransferList};
use tauri::State;

use super::answer::Answer;

/// Asks for files and puts them in the drive.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_files(app: State<'_, App>, folder_id: Option<String>) -> Answer<Option<FilesTaken>> {
    app.uploads().choose_files(folder_id).await
}

/// Asks for a folder and puts it in the drive, whole.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_folder(app: State<'_, App>, folder_id: Option<String>) -> Answer<Option<FilesTaken>> {
    app.uploads().choose_folder(folder_id).await
}

/// Puts the files or the picture in the clipboard in the drive; nothing where it holds neither.
#[tauri::command]
#[specta::specta]
pub(crate) async fn paste_files(app: State<'_, App>, folder_id: Option<String>) -> Answer<Option<FilesTaken>> {
    app.uploads().paste_files(folder_id).await
}

/// Says where dropped files land; nowhere where there is no target.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_drop_target(app: State<'_, App>, target: Option<DropTarget>) -> Answer<()> {
    app.uploads().set_drop_target(target).await
}

/// Takes what was dropped before the studio of this computer was started; nothing where nothing was.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_awaiting_drop(app: State<'_, App>) -> Answer<Option<FilesTaken>> {
    app.uploads().take_awaiting_drop().await
}

/// Says where on the screen a place for dropped files is, beside the drive; nowhere where there is no such place.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_drop_area(app: State<'_, App>, of: DropOver, area: Option<DropArea>) -> Answer<()> {
    app.uploads().set_drop_area(of, area);
    Ok(())
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
    app.uploads().list_transfers(filter, offset, limit).await
}

/// Pauses a transfer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pause_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.uploads().pause_transfer(transfer_id).await
}

/// Lets a transfer go on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.uploads().resume_transfer(transfer_id).await
}

/// Takes a transfer back, or a failed one off the list.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.uploads().cancel_transfer(transfer_id).await
}

/// Tries a failed transfer again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.uploads().retry_transfer(transfer_id).await
}

/// Pauses everything.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pause_all_transfers(app: State<'_, App>) -> Answer<()> {
    app.uploads().pause_all_transfers().await
}

/// Lets everything go on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_all_transfers(app: State<'_, App>) -> Answer<()> {
    app.uploads().resume_all_transfers().await
}

/// Tries all failed transfers again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_failed_transfers(app: State<'_, App>) -> Answer<()> {
    app.uploads().retry_failed_transfers().await
}

/// Takes what is in the drive off the list.
#[tauri::command]
#[specta::specta]
pub(crate) async fn clear_finished_transfers(app: State<'_, App>) -> Answer<()> {
    app.uploads().clear_finished_transfers().await
}

/// Lets a transfer go first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn promote_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.uploads().promote_transfer(transfer_id).await
}

/// Shows the file of a transfer in its folder on this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reveal_transfer(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.uploads().reveal_transfer(transfer_id).await
}

/// Moves a file that was in the drive already to the folder that it was dropped on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_duplicate_here(app: State<'_, App>, transfer_id: String) -> Answer<()> {
    app.uploads().move_duplicate_here(transfer_id).await
}
