//! Stops the text cursor's blinking when nobody has typed or pressed for a while.
//!
//! GTK's own fields stop after `gtk-cursor-blink-timeout` seconds, the web view's never do: each blink draws the window
//! anew, so that an Easel nobody touches would keep a processor awake. Always true: a system whose cursor does not
//! blink is left alone. Not here: other systems, whose web views stop by themselves.

use std::cell::RefCell;
use std::rc::Rc;

use gtk::gdk::EventType;
use gtk::glib::{self, SourceId};
use gtk::prelude::*;
use tauri::WebviewWindow;

/// Lets the cursor of `window` stop blinking from now on, whenever nothing is entered. Without a web view, nothing
/// happens.
pub(crate) fn rest_when_idle(window: &WebviewWindow) {
    let started = window.with_webview(|webview| watch(&webview.inner()));
    if let Err(error) = started {
        tracing::warn!(%error, "the text cursor cannot be followed");
    }
}

fn watch(view: &impl IsA<gtk::Widget>) {
    let Some(settings) = gtk::Settings::default().filter(gtk::Settings::is_gtk_cursor_blink) else { return };
    let Ok(after_seconds) = u32::try_from(settings.gtk_cursor_blink_timeout()) else { return };
    let pending: Rc<RefCell<Option<SourceId>>> = Rc::default();
    let blink_for_a_while = move || {
        if !settings.is_gtk_cursor_blink() {
            settings.set_gtk_cursor_blink(true);
        }
        let (settings, ended) = (settings.clone(), Rc::clone(&pending));
        let rest = glib::timeout_add_seconds_local_once(after_seconds, move || {
            ended.take();
            settings.set_gtk_cursor_blink(false);
        });
        if let Some(before) = pending.replace(Some(rest)) {
            before.remove();
        }
    };
    blink_for_a_while();
    view.connect_event(move |_, event| {
        if is_entry(event.event_type()) {
            blink_for_a_while();
        }
        glib::Propagation::Proceed
    });
}

/// Whether the event is a person's input, after which a cursor blinks.
fn is_entry(event: EventType) -> bool {
    matches!(event, EventType::KeyPress | EventType::ButtonPress | EventType::TouchBegin | EventType::FocusChange)
}
