//! Notices outside the window, and what a click on one does.
//!
//! Always true: a notice replaces the last one of its kind, so that a busy hour is not a column of notices; a click
//! brings the window forward at its subject, where the desktop tells of clicks (Linux). Not here: when a notice is
//! shown, and its words (easel-app).

use easel_app::ports::Notice;
use tauri::AppHandle;
#[cfg(target_os = "linux")]
use {easel_app::App, tauri::Manager as _};

/// The messages of this desktop.
pub(crate) struct Notifications {
    handle: AppHandle,
    #[cfg(target_os = "linux")]
    bus: std::sync::Arc<bus::Bus>,
}

impl Notifications {
    pub(crate) fn new(handle: AppHandle) -> Self {
        Self {
            handle,
            #[cfg(target_os = "linux")]
            bus: std::sync::Arc::default(),
        }
    }

    /// Shows a notice; a desktop without them is no error.
    #[cfg(target_os = "linux")]
    pub(crate) fn show(&self, notice: &Notice) {
        let (bus, handle, notice) = (std::sync::Arc::clone(&self.bus), self.handle.clone(), notice.clone());
        let Some(app) = handle.try_state::<App>().map(|app| app.inner().clone()) else { return };
        crate::window::run_beside(&app.clone(), async move {
            if let Err(error) = bus.show(&app, &handle, notice).await {
                tracing::debug!(%error, "this desktop shows no messages");
            }
        });
    }

    /// Shows a notice; a system without them is no error.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn show(&self, notice: &Notice) {
        use tauri_plugin_notification::NotificationExt as _;
        let message = self.handle.notification().builder().title(&notice.title).body(&notice.body);
        if let Err(error) = message.show() {
            tracing::debug!(%error, "this system shows no messages");
        }
    }
}

/// The desktop's notifications by its own protocol: <https://specifications.freedesktop.org/notification/latest/>.
#[cfg(target_os = "linux")]
mod bus {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex, PoisonError};

    use easel_app::App;
    use easel_app::ports::{Notice, NoticeKind};
    use futures_util::StreamExt as _;
    use tauri::AppHandle;
    use tokio::sync::OnceCell;
    use zbus::zvariant::Value;

    const SERVICE: &str = "org.freedesktop.Notifications";
    const PATH: &str = "/org/freedesktop/Notifications";
    /// The name of the action of a click on the notice itself.
    const CLICK: &str = "default";

    /// The notices that were shown, by the number that the desktop gave them.
    #[derive(Default)]
    pub(super) struct Bus {
        service: OnceCell<zbus::Proxy<'static>>,
        shown: Mutex<HashMap<u32, Notice>>,
    }

    impl Bus {
        pub(super) async fn show(self: &Arc<Self>, app: &App, handle: &AppHandle, notice: Notice) -> zbus::Result<()> {
            let service = self.service.get_or_try_init(|| self.connect(app, handle)).await?;
            let replaced = self.number_of(notice.kind);
            let hints = HashMap::from([("desktop-entry", Value::from(crate::window::IDENTIFIER))]);
            let actions = [CLICK, easel_app::status_summary::open_and_quit().0];
            let (title, body) = (notice.title.as_str(), escape(&notice.body));
            let message = ("Easel", replaced, "", title, body.as_str(), actions.as_slice(), hints, -1_i32);
            let number: u32 = service.call("Notify", &message).await?;
            let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            shown.retain(|_, before| before.kind != notice.kind);
            shown.insert(number, notice);
            Ok(())
        }

        /// The number of the notice that the next one of this kind replaces; zero where there is none.
        fn number_of(&self, kind: NoticeKind) -> u32 {
            let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            shown.iter().find(|(_, notice)| notice.kind == kind).map_or(0, |(number, _)| *number)
        }

        async fn connect(self: &Arc<Self>, app: &App, handle: &AppHandle) -> zbus::Result<zbus::Proxy<'static>> {
            let bus = zbus::Connection::session().await?;
            let service = zbus::Proxy::new(&bus, SERVICE, PATH, SERVICE).await?;
            let mut clicks = service.receive_signal("ActionInvoked").await?;
            let (own, told, handle) = (Arc::clone(self), app.clone(), handle.clone());
            crate::window::run_beside(app, async move {
                while let Some(click) = clicks.next().await {
                    let Ok((number, _action)) = click.body().deserialize::<(u32, String)>() else { continue };
                    let notice = own.shown.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
                    if let Some(notice) = notice {
                        crate::window::show(&handle);
                        told.follow_notice(&notice);
                    }
                }
            });
            Ok(service)
        }
    }

    /// Escapes the body, because it may have markup, and a file's name could look like some.
    fn escape(text: &str) -> String {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_name_is_no_markup() {
            assert_eq!(escape("<b>R&D</b>.png"), "&lt;b&gt;R&amp;D&lt;/b&gt;.png");
        }
    }
}
