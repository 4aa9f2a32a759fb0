//! The sign in the desktop's tray: the status summary, and a menu for what a person does without the window.
//!
//! Always true: Easel relies on the tray only where one really shows it. On Linux that is where a host answers on the
//! session bus, asked again whenever one comes or goes; without a tray that shows the sign, closing works as without
//! any. Not here: what is going on ([`easel_app::status_summary`]), and what closing the window does
//! ([`App::request_close`]).

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use easel_app::App;
use easel_app::status_summary::{self, StatusSign, StatusSummary};
use tauri::image::Image;
use tauri::menu::{Menu, MenuEvent, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager, Wry};

const OPEN: &str = "open";
const PAUSE: &str = "pause";
const QUIT: &str = "quit";

/// The tray, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Tray {
    is_shown: Arc<AtomicBool>,
    sign: Arc<Mutex<Option<Sign>>>,
}

/// The sign in the tray.
struct Sign {
    icon: TrayIcon,
    words: MenuItem<Wry>,
    pause: MenuItem<Wry>,
    open: MenuItem<Wry>,
    quit: MenuItem<Wry>,
}

impl Tray {
    /// Whether a tray shows Easel at the moment.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown.load(Ordering::Acquire)
    }

    /// Puts the sign into the tray, and keeps it up to date until the program ends.
    pub(crate) fn start(&self, handle: &AppHandle, app: &App) {
        let (tray, handle) = (self.clone(), handle.clone());
        let mut status_now = app.status_summaries().watch();
        crate::window::run_beside(app, async move {
            let mut host = Host::connect().await;
            if crate::login::is_without_window() && !host.is_there().await {
                // No tray shows that Easel runs, so the window does.
                crate::window::show(&handle);
            }
            loop {
                tray.set_shown(&handle, host.is_there().await);
                let now = status_now.borrow_and_update().clone();
                tray.show(&handle, now);
                tokio::select! {
                    changed = status_now.changed() => if changed.is_err() { return },
                    () = host.changed() => {}
                }
            }
        });
    }

    fn set_shown(&self, handle: &AppHandle, has_host: bool) {
        if !has_host {
            if self.is_shown.swap(false, Ordering::AcqRel) {
                tracing::info!("the tray is gone");
                // No tray shows any more that Easel runs, so the window does.
                crate::window::show(handle);
            }
            return;
        }
        if self.is_shown() {
            return;
        }
        let tray = self.clone();
        let built = handle.clone();
        let asked = handle.run_on_main_thread(move || {
            let mut sign = tray.lock();
            if sign.is_none() {
                // The library that draws the sign may be missing, and its loader then panics.
                match std::panic::catch_unwind(AssertUnwindSafe(|| build(&built))) {
                    Ok(Ok(made)) => *sign = Some(made),
                    Ok(Err(error)) => return tracing::warn!(%error, "the tray takes no sign"),
                    Err(_) => return tracing::warn!("the library of the tray is not installed"),
                }
            }
            drop(sign);
            tray.is_shown.store(true, Ordering::Release);
            if let Some(app) = built.try_state::<App>() {
                let now = app.status_summaries().watch().borrow().clone();
                tray.show(&built, now);
            }
        });
        if let Err(error) = asked {
            tracing::debug!(%error, "the program is ending");
        }
    }

    /// Shows the status summary.
    fn show(&self, handle: &AppHandle, now: StatusSummary) {
        let tray = self.clone();
        let asked = handle.run_on_main_thread(move || {
            let sign = tray.lock();
            let Some(sign) = sign.as_ref() else { return };
            let (open, quit) = status_summary::open_and_quit();
            let shown = picture_of(now.sign)
                .and_then(|picture| sign.icon.set_icon(Some(picture)))
                .and_then(|()| sign.icon.set_tooltip(Some(status_summary::tooltip(&now))))
                .and_then(|()| sign.words.set_text(&now.words))
                .and_then(|()| sign.pause.set_text(status_summary::pause_or_resume(&now)))
                .and_then(|()| sign.open.set_text(open))
                .and_then(|()| sign.quit.set_text(quit));
            if let Err(error) = shown {
                tracing::debug!(%error, "the tray does not take the news");
            }
        });
        if let Err(error) = asked {
            tracing::debug!(%error, "the program is ending");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Sign>> {
        self.sign.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn picture_of(sign: StatusSign) -> tauri::Result<Image<'static>> {
    Image::from_bytes(match sign {
        StatusSign::Idle => include_bytes!("../../icons/tray/idle.png"),
        StatusSign::Busy => include_bytes!("../../icons/tray/busy.png"),
        StatusSign::Paused => include_bytes!("../../icons/tray/paused.png"),
        StatusSign::NeedsYou => include_bytes!("../../icons/tray/needs-you.png"),
    })
}

fn build(handle: &AppHandle) -> tauri::Result<Sign> {
    let now = StatusSummary::default();
    let words = MenuItem::with_id(handle, "words", &now.words, false, None::<&str>)?;
    let open = MenuItem::with_id(handle, OPEN, status_summary::open_and_quit().0, true, None::<&str>)?;
    let pause = MenuItem::with_id(handle, PAUSE, status_summary::pause_or_resume(&now), true, None::<&str>)?;
    let quit = MenuItem::with_id(handle, QUIT, status_summary::open_and_quit().1, true, None::<&str>)?;
    let line = || PredefinedMenuItem::separator(handle);
    let menu = Menu::with_items(handle, &[&words, &line()?, &open, &pause, &line()?, &quit])?;
    let icon = TrayIconBuilder::with_id("easel")
        .icon(picture_of(StatusSign::Idle)?)
        .menu(&menu)
        .show_menu_on_left_click(cfg!(target_os = "linux"))
        .on_menu_event(|handle, event| on_menu(handle, &event))
        .on_tray_icon_event(|icon, event| {
            let (button, button_state) = (MouseButton::Left, MouseButtonState::Up);
            if matches!(event, TrayIconEvent::Click { button: pressed, button_state: state, .. }
                if pressed == button && state == button_state)
            {
                crate::window::show(icon.app_handle());
            }
        })
        .build(handle)?;
    Ok(Sign { icon, words, pause, open, quit })
}

fn on_menu(handle: &AppHandle, event: &MenuEvent) {
    let Some(app) = handle.try_state::<App>().map(|app| app.inner().clone()) else { return };
    match event.id().as_ref() {
        OPEN => crate::window::show(handle),
        PAUSE => {
            crate::window::run_beside(&app.clone(), async move {
                let can_pause = app.status_summaries().watch().borrow().can_pause;
                if can_pause {
                    app.status_summaries().pause_everything().await;
                } else {
                    app.status_summaries().resume_everything().await;
                }
            });
        }
        QUIT => crate::window::close(handle),
        _ => {}
    }
}

/// The host that shows the tray's signs.
#[cfg(target_os = "linux")]
struct Host {
    bus: Option<zbus::Connection>,
    owners: Option<zbus::fdo::NameOwnerChangedStream>,
}

#[cfg(target_os = "linux")]
impl Host {
    /// The bus name of the service that keeps the list of signs and tells whether a host shows them.
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";

    async fn connect() -> Self {
        let bus = zbus::Connection::session().await.ok();
        let owners = match &bus {
            Some(bus) => Self::follow(bus).await.ok(),
            None => None,
        };
        Self { bus, owners }
    }

    async fn follow(bus: &zbus::Connection) -> zbus::Result<zbus::fdo::NameOwnerChangedStream> {
        let names = zbus::fdo::DBusProxy::new(bus).await?;
        names.receive_name_owner_changed_with_args(&[(0, Self::WATCHER)]).await
    }

    async fn is_there(&self) -> bool {
        match &self.bus {
            Some(bus) => Self::ask(bus).await.unwrap_or_default(),
            None => false,
        }
    }

    async fn ask(bus: &zbus::Connection) -> zbus::Result<bool> {
        let names = zbus::fdo::DBusProxy::new(bus).await?;
        if !names.name_has_owner(Self::WATCHER.try_into()?).await? {
            return Ok(false);
        }
        let watcher = zbus::Proxy::new(bus, Self::WATCHER, "/StatusNotifierWatcher", Self::WATCHER).await?;
        watcher.get_property("IsStatusNotifierHostRegistered").await
    }

    /// Returns when a host may have come or gone.
    async fn changed(&mut self) {
        use futures_util::StreamExt as _;
        let told = match &mut self.owners {
            Some(owners) => owners.next().await,
            None => None,
        };
        if told.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

/// Where the tray is a part of the system, it is always there.
#[cfg(not(target_os = "linux"))]
struct Host;

#[cfg(not(target_os = "linux"))]
impl Host {
    async fn connect() -> Self {
        Self
    }

    async fn is_there(&self) -> bool {
        true
    }

    async fn changed(&mut self) {
        std::future::pending().await
    }
}
