//! Commands about the keys of the built-in studio.

use easel_app::App;
use easel_app::keys::{ApiKeyView, NewApiKey};
use tauri::State;

use super::answer::Answer;

/// The keys of the built-in studio.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_api_keys(app: State<'_, App>) -> Answer<Vec<ApiKeyView>> {
    app.keys().list_api_keys().await
}

/// Makes a key of the built-in studio.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_api_key(app: State<'_, App>, name: String) -> Answer<NewApiKey> {
    app.keys().create_api_key(name).await
}

/// Deletes a key of the built-in studio, with effect at once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_api_key(app: State<'_, App>, key_id: String) -> Answer<()> {
    app.keys().delete_api_key(key_id).await
}
