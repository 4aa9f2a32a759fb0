//! Shows, hides and closes the window, and runs what its callbacks begin.
//!
//! Not here: whether it may close (easel-app's `request_close`).

use easel_app::App;
use tauri::Manager;

/// The window's label in `tauri.conf.json`.
pub(crate) const WINDOW: &str = "main";

/// The program's name among all programs, as in `tauri.conf.json`.
pub(crate) const IDENTIFIER: &str = "dev.easel.desktop";

/// Runs a task of a shell's callback until it ends or the program closes.
pub(crate) fn run_beside(app: &App, task: impl Future<Output = ()> + Send + 'static) {
    app.run_on(tauri::async_runtime::handle().inner(), task);
}

pub(crate) fn hide(handle: &tauri::AppHandle) {
    if let Some(window) = handle.get_webview_window(WINDOW)
        && let Err(error) = window.hide()
    {
        tracing::debug!(%error, "the window was gone already");
    }
}

/// Brings the window forward, wherever it is.
pub(crate) fn show(handle: &tauri::AppHandle) {
    if let Some(window) = handle.get_webview_window(WINDOW) {
        // Either call may have nothing to do.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// Hides the window at once, ends the background tasks, and then the program.
pub(crate) fn close(handle: &tauri::AppHandle) {
    hide(handle);
    let handle = handle.clone();
    // Spawned on the runtime itself, so that it is not one of the tasks that it ends.
    tauri::async_runtime::spawn(async move {
        if let Some(app) = handle.try_state::<App>() {
            app.inner().close().await;
        }
        handle.exit(0);
    });
}
