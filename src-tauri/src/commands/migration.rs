//! Commands about copies of the built-in studio to other connections.

use easel_app::App;
use easel_app::migration::{MigrationPreview, MigrationView};
use tauri::State;

use super::answer::Answer;

/// The copy that is under way, or the last one of this run of Easel.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_migration(app: State<'_, App>) -> Answer<Option<MigrationView>> {
    app.migration().get_migration().await
}

/// What a copy to a connection would do, in numbers.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_migration(app: State<'_, App>, connection_id: String) -> Answer<MigrationPreview> {
    app.migration().preview_migration(connection_id).await
}

/// Begins a copy.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_migration(app: State<'_, App>, connection_id: String) -> Answer<()> {
    app.migration().start_migration(connection_id).await
}

/// Stops the copy that is under way.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_migration(app: State<'_, App>) -> Answer<()> {
    app.migration().stop_migration().await
}
