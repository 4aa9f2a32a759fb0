//! Drags files out of the window, into a file manager or another program: a drag source of GTK with `text/uri-list`.
//!
//! Always true: a drag is begun on the interface's thread while a button is held, copies and never moves, and forgets
//! the paths when it ends. Addresses are escaped, which the crate `drag` leaves out: a name with a space or a `%` would
//! arrive as another. Not here: which files.

use std::io;
use std::path::PathBuf;

use tauri::{AppHandle, Manager};

use crate::window::WINDOW;

/// Lets files be dragged out of the window.
#[cfg(target_os = "linux")]
pub(crate) async fn start(handle: AppHandle, paths: Vec<PathBuf>) -> io::Result<()> {
    let (told, begun) = tokio::sync::oneshot::channel();
    let window = handle.get_webview_window(WINDOW).ok_or(io::ErrorKind::NotFound)?;
    let begin = move || {
        let outcome = window.gtk_window().map_err(io::Error::other).and_then(|window| begin(&window, &paths));
        // If Easel is closing, nobody waits for the answer any more.
        let _ = told.send(outcome);
    };
    handle.run_on_main_thread(begin).map_err(io::Error::other)?;
    begun.await.map_err(io::Error::other)?
}

#[cfg(target_os = "linux")]
fn begin(window: &gtk::ApplicationWindow, paths: &[PathBuf]) -> io::Result<()> {
    use std::cell::RefCell;
    use std::rc::Rc;

    use gtk::prelude::*;

    let as_address = |path: &PathBuf| gtk::glib::filename_to_uri(path, None).map_err(io::Error::other);
    let addresses = paths.iter().map(as_address).collect::<io::Result<Vec<_>>>()?;
    let targets = gtk::TargetList::new(&[]);
    targets.add_uri_targets(0);
    let given = window.connect_drag_data_get(move |_, _, data, _, _| {
        data.set_uris(&addresses.iter().map(|address| address.as_str()).collect::<Vec<_>>());
    });
    let ended = Rc::new(RefCell::new(Vec::new()));
    let handlers = Rc::clone(&ended);
    let end = window.connect_drag_end(move |window, _| {
        for handler in handlers.borrow_mut().drain(..) {
            window.disconnect(handler);
        }
    });
    ended.borrow_mut().extend([given, end]);
    // The button that began the drag, at the pointer's position.
    let drag = window.drag_begin_with_coordinates(&targets, gtk::gdk::DragAction::COPY, 1, None, -1, -1);
    match drag {
        Some(drag) => {
            drag.drag_set_icon_name("text-x-generic", 0, 0);
            Ok(())
        }
        None => {
            for handler in ended.borrow_mut().drain(..) {
                window.disconnect(handler);
            }
            Err(io::Error::other("no button is held"))
        }
    }
}

/// On other systems this is not implemented.
#[cfg(not(target_os = "linux"))]
pub(crate) async fn start(_: AppHandle, _: Vec<PathBuf>) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
