//! Commands about the window itself: its first screen, settings, the clipboard, closing.

use easel_app::App;
use easel_app::diagnostics::Diagnostics;
use easel_app::links::LinkView;
use easel_app::overview::Overview;
use easel_app::settings::Settings;
use tauri::State;

use super::answer::Answer;

/// What the first screen needs.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_overview(app: State<'_, App>) -> Answer<Overview> {
    app.get_overview().await
}

/// What the person has set.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_settings(app: State<'_, App>) -> Answer<Settings> {
    app.preferences().get_settings().await
}

/// Keeps what the person has set.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_settings(app: State<'_, App>, settings: Settings) -> Answer<Settings> {
    app.preferences().set_settings(settings).await
}

/// Puts a text into the clipboard.
#[tauri::command]
#[specta::specta]
pub(crate) async fn copy_text(app: State<'_, App>, text: String) -> Answer<()> {
    app.copy_text(text).await
}

/// Puts a key or a secret into the clipboard, for a minute.
#[tauri::command]
#[specta::specta]
pub(crate) async fn copy_secret(app: State<'_, App>, text: String) -> Answer<()> {
    app.copy_secret(text).await
}

/// What helps to find a fault, redacted.
#[tauri::command]
#[specta::specta]
pub(crate) async fn get_diagnostics(app: State<'_, App>) -> Answer<Diagnostics> {
    app.get_diagnostics().await
}

/// Logs a fault of the page's own code.
#[tauri::command]
#[specta::specta]
pub(crate) async fn report_page_fault(app: State<'_, App>, words: String) -> Answer<()> {
    app.report_page_fault(words).await
}

/// Closes Easel although something is being sent.
#[tauri::command]
#[specta::specta]
pub(crate) async fn confirm_close(app: State<'_, App>) -> Answer<()> {
    app.confirm_close().await
}

/// The link that was opened last, once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_link(app: State<'_, App>) -> Answer<Option<LinkView>> {
    app.links().take_link().await
}
