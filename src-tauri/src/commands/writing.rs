//! Commands about the writer of designs' words in the built-in studio.

use easel_app::App;
use easel_app::writing::{WriterPlace, WritingChoice, WritingView};
use tauri::State;

use super::answer::Answer;

/// Who writes what designs say.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_writing(app: State<'_, App>) -> Answer<WritingView> {
    app.writing().get_writing().await
}

/// Has somebody else write, from now on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_writing(app: State<'_, App>, choice: WritingChoice) -> Answer<WritingView> {
    app.writing().set_writing(choice).await
}

/// The models that are at an address.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_writing_models(
    app: State<'_, App>,
    place: WriterPlace,
    key: Option<String>,
) -> Answer<Vec<String>> {
    app.writing().list_writing_models(place, key).await
}
