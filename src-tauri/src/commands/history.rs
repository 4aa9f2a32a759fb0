//! Commands about the history of synced folders.

use easel_app::App;
use easel_app::history::{HistoryPreview, HistoryReverted, HistoryScope, SyncedEvent};
use tauri::State;

use super::answer::Answer;

/// A part of what happened, the last first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_synced_history(
    app: State<'_, App>,
    folder_id: Option<String>,
    search: String,
    offset: u32,
    limit: u32,
) -> Answer<Vec<SyncedEvent>> {
    app.history().list_synced_history(folder_id, search, offset, limit).await
}

/// The earliest moment that a folder can go back to.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_history_reach(app: State<'_, App>, folder_id: String) -> Answer<Option<String>> {
    app.history().get_history_reach(folder_id).await
}

/// Says what undoing changes would do.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_history_revert(
    app: State<'_, App>,
    folder_id: String,
    scope: HistoryScope,
) -> Answer<HistoryPreview> {
    app.history().preview_history_revert(folder_id, scope).await
}

/// Undoes changes, as long as that does what was shown.
#[tauri::command]
#[specta::specta]
pub(crate) async fn revert_history(
    app: State<'_, App>,
    folder_id: String,
    scope: HistoryScope,
    seen: String,
) -> Answer<HistoryReverted> {
    app.history().revert_history(folder_id, scope, seen).await
}

/// Gives up what is being undone in a folder, or takes note of how it ended.
#[tauri::command]
#[specta::specta]
pub(crate) async fn give_up_undoing(app: State<'_, App>, folder_id: String) -> Answer<()> {
    app.history().give_up_undoing(folder_id).await
}
