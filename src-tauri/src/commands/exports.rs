//! Commands about exports.

use easel_app::App;
use easel_app::exports::{ExportChoice, ExportFolder, ExportList, ExportPlace, ExportPlan, ExportPreset, ExportView};
use tauri::State;

use super::answer::Answer;

/// Exports a design into a file on this computer; nothing where the person chose no place.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_design(
    app: State<'_, App>,
    design_id: String,
    choice: ExportChoice,
    place: ExportPlace,
) -> Answer<Option<ExportView>> {
    app.exports().export_design(design_id, choice, place).await
}

/// Exports several designs into one folder, by one plan.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_designs(
    app: State<'_, App>,
    design_ids: Vec<String>,
    plan: ExportPlan,
) -> Answer<Vec<ExportView>> {
    app.exports().export_designs(design_ids, plan).await
}

/// Asks for a folder that exports go to.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_export_folder(app: State<'_, App>) -> Answer<Option<ExportFolder>> {
    app.exports().choose_export_folder().await
}

/// The plans that the person keeps.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_export_presets(app: State<'_, App>) -> Answer<Vec<ExportPreset>> {
    app.exports().list_export_presets().await
}

/// Keeps a plan under a name.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_export_preset(
    app: State<'_, App>,
    name: String,
    plan: ExportPlan,
) -> Answer<Vec<ExportPreset>> {
    app.exports().save_export_preset(name, plan).await
}

/// Forgets a plan.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_export_preset(app: State<'_, App>, preset_id: String) -> Answer<Vec<ExportPreset>> {
    app.exports().delete_export_preset(preset_id).await
}

/// All exports, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_exports(app: State<'_, App>) -> Answer<ExportList> {
    app.exports().list_exports().await
}

/// Stops an export, or takes one that is over off the list.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_export(app: State<'_, App>, export_id: String) -> Answer<()> {
    app.exports().cancel_export(export_id).await
}

/// Tries a failed export again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retry_export(app: State<'_, App>, export_id: String) -> Answer<ExportView> {
    app.exports().retry_export(export_id).await
}

/// Takes everything that is over off the list.
#[tauri::command]
#[specta::specta]
pub(crate) async fn clear_exports(app: State<'_, App>) -> Answer<()> {
    app.exports().clear_exports().await
}

/// Shows the file of an export in its folder.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reveal_export(app: State<'_, App>, export_id: String) -> Answer<()> {
    app.exports().reveal_export(export_id).await
}

/// Opens the file of an export with its program.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_export(app: State<'_, App>, export_id: String) -> Answer<()> {
    app.exports().open_export(export_id).await
}

/// Lets the file of an export be dragged out of the window.
#[tauri::command]
#[specta::specta]
pub(crate) async fn drag_export(app: State<'_, App>, export_id: String) -> Answer<()> {
    app.exports().drag_export(export_id).await
}
