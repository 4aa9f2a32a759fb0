//! Files dragged over the window, from the operating system's own events: only those carry real paths.
//!
//! Always true: paths go to the app and never to the page; a point is in the page's own pixels. Not here: where files
//! land (the screen says so through `set_drop_target` and `set_drop_area`).

use easel_app::App;
use tauri::{DragDropEvent, PhysicalPosition, Window};

/// Passes one event of a drag on to the app.
pub(crate) fn pass_on(window: &Window, app: App, event: &DragDropEvent) {
    match event {
        DragDropEvent::Enter { paths, position } => app.uploads().drag_entered(paths.len(), in_page(window, *position)),
        DragDropEvent::Over { position } => app.uploads().drag_moved(in_page(window, *position)),
        DragDropEvent::Leave => app.uploads().drag_left(),
        DragDropEvent::Drop { paths, position } => {
            let (paths, at) = (paths.clone(), in_page(window, *position));
            crate::window::run_beside(&app.clone(), async move { app.uploads().take_drop(paths, at).await });
        }
        _ => {}
    }
}

/// A position in the page's pixels. Only Windows gives screen pixels; elsewhere they are the page's already, in spite
/// of the type's name.
fn in_page(window: &Window, position: PhysicalPosition<f64>) -> (f64, f64) {
    let scale = if cfg!(windows) { window.scale_factor().unwrap_or(1.0) } else { 1.0 };
    (position.x / scale, position.y / scale)
}
