//! Files dragged over the window, from the operating system's own events: only those carry real paths.
//!
//! Always true: paths go to the app and never to the page. Not here: where files land (the screen says so through
//! `set_drop_target`).

use easel_app::App;
use tauri::DragDropEvent;

/// Passes one event of a drag on to the app.
pub(crate) fn pass_on(app: App, event: &DragDropEvent) {
    match event {
        DragDropEvent::Enter { paths, .. } => app.drag_entered(paths.len()),
        DragDropEvent::Leave => app.drag_left(),
        DragDropEvent::Drop { paths, .. } => {
            let paths = paths.clone();
            tauri::async_runtime::spawn(async move { app.take_drop(paths).await });
        }
        _ => {}
    }
}
