//! Commands about backups of the built-in studio.

use easel_app::App;
use easel_app::backups::{BackupsView, StudioRestored};
use tauri::State;

use super::answer::Answer;

/// Everything about backups of the built-in studio.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_backups(app: State<'_, App>) -> Answer<BackupsView> {
    app.backups().get_backups().await
}

/// Asks for the folder that backups go to; `false` where the person thought better of it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_backup_folder(app: State<'_, App>) -> Answer<bool> {
    app.backups().choose_backup_folder().await
}

/// Takes a backup. Answers when it is taken.
#[tauri::command]
#[specta::specta]
pub(crate) async fn back_up_studio(app: State<'_, App>) -> Answer<()> {
    app.backups().back_up_studio().await
}

/// Brings the studio back to a backup. Answers when that is done.
#[tauri::command]
#[specta::specta]
pub(crate) async fn restore_studio(app: State<'_, App>, backup_id: String, with_gaps: bool) -> Answer<StudioRestored> {
    app.backups().restore_studio(backup_id, with_gaps).await
}
