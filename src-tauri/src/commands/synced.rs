//! Commands about folders of this computer that are kept in step with the drive.

use easel_app::App;
use easel_app::problem::Problem;
use easel_app::synced::{
    ConflictChoice, ConflictComparison, Subfolders, SubfoldersOf, SyncedChoices, SyncedConflict, SyncedDraft,
    SyncedFolderView, SyncedPreview, SyncedSkip, SyncedSource,
};
use tauri::State;

use super::answer::Answer;

/// The synced folders of the connection in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_synced_folders(app: State<'_, App>) -> Answer<Vec<SyncedFolderView>> {
    app.synced().list_synced_folders().await
}

/// Asks for a folder to be kept in step; nothing where the person thought better of it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_synced_source(app: State<'_, App>) -> Answer<Option<SyncedSource>> {
    app.synced().choose_synced_source().await
}

/// The subfolders of a folder, with how much is in each, for choosing among them.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_synced_subfolders(app: State<'_, App>, of: SubfoldersOf) -> Answer<Subfolders> {
    app.synced().list_synced_subfolders(of).await
}

/// Says what the first run of a folder would do.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_synced_folder(app: State<'_, App>, draft: SyncedDraft) -> Answer<SyncedPreview> {
    app.synced().preview_synced_folder(draft).await
}

/// Begins to keep a folder in step.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_synced_folder(app: State<'_, App>, draft: SyncedDraft) -> Answer<SyncedFolderView> {
    app.synced().add_synced_folder(draft).await
}

/// Stops a folder for now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pause_synced_folder(app: State<'_, App>, folder_id: String) -> Answer<()> {
    app.synced().pause_synced_folder(folder_id).await
}

/// Lets a folder go on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_synced_folder(app: State<'_, App>, folder_id: String) -> Answer<()> {
    app.synced().resume_synced_folder(folder_id).await
}

/// Looks at both sides of a folder now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn look_again_at_synced_folder(app: State<'_, App>, folder_id: String) -> Answer<()> {
    app.synced().look_again_at_synced_folder(folder_id).await
}

/// Answers what a folder asks before many deletions.
#[tauri::command]
#[specta::specta]
pub(crate) async fn answer_synced_folder(app: State<'_, App>, folder_id: String, goes_on: bool) -> Answer<()> {
    app.synced().answer_synced_folder(folder_id, goes_on).await
}

/// Changes what was chosen for a folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn change_synced_folder(app: State<'_, App>, folder_id: String, choices: SyncedChoices) -> Answer<()> {
    app.synced().change_synced_folder(folder_id, choices).await
}

/// Stops keeping a folder in step. No file is touched.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_synced_folder(app: State<'_, App>, folder_id: String) -> Answer<()> {
    app.synced().remove_synced_folder(folder_id).await
}

/// Asks where a folder is that cannot be found, and goes on with it there.
#[tauri::command]
#[specta::specta]
pub(crate) async fn relocate_synced_folder(app: State<'_, App>, folder_id: String) -> Answer<bool> {
    app.synced().relocate_synced_folder(folder_id).await
}

/// Opens a synced folder on this computer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_synced_folder(app: State<'_, App>, folder_id: String) -> Answer<()> {
    app.synced().open_synced_folder(folder_id).await
}

/// Sends a file again that was deleted in the drive and kept here.
#[tauri::command]
#[specta::specta]
pub(crate) async fn send_synced_file_again(app: State<'_, App>, folder_id: String, path: String) -> Answer<()> {
    app.synced().send_synced_file_again(folder_id, path).await
}

/// Stops every folder for now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pause_all_synced_folders(app: State<'_, App>) -> Answer<()> {
    app.synced().pause_all_synced_folders().await
}

/// Lets every folder go on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resume_all_synced_folders(app: State<'_, App>) -> Answer<()> {
    app.synced().resume_all_synced_folders().await
}

/// A part of what is not the same on both sides.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_synced_skips(
    app: State<'_, App>,
    folder_id: String,
    offset: u32,
    limit: u32,
) -> Answer<Vec<SyncedSkip>> {
    app.synced().list_synced_skips(folder_id, offset, limit).await
}

/// The open conflicts of a folder, or of all in view.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_synced_conflicts(
    app: State<'_, App>,
    folder_id: Option<String>,
) -> Answer<Vec<SyncedConflict>> {
    app.synced().list_synced_conflicts(folder_id).await
}

/// Looks into the two versions of a conflict.
#[tauri::command]
#[specta::specta]
pub(crate) async fn compare_synced_conflict(
    app: State<'_, App>,
    folder_id: String,
    conflict_id: String,
) -> Answer<ConflictComparison> {
    app.synced().compare_synced_conflict(folder_id, conflict_id).await
}

/// Settles conflicts as the person chose; says of each what could not be done.
#[tauri::command]
#[specta::specta]
pub(crate) async fn settle_synced_conflicts(
    app: State<'_, App>,
    choices: Vec<ConflictChoice>,
) -> Answer<Vec<Option<Problem>>> {
    app.synced().settle_synced_conflicts(choices).await
}

/// Takes back that the person wanted both versions.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reopen_synced_conflict(app: State<'_, App>, folder_id: String, conflict_id: String) -> Answer<()> {
    app.synced().reopen_synced_conflict(folder_id, conflict_id).await
}
