//! The desktop's services: dialogs, opening and showing files, and notices outside the window.
//!
//! Always true: nothing here blocks the interface's thread. Not here: what becomes of the files.

use std::io;
use std::path::{Path, PathBuf};

use easel_app::ports::{Desktop, Later, Notice, Notifier, Pasted};
use secrecy::SecretString;
use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tauri_plugin_opener::OpenerExt;
use tokio::sync::oneshot;

use crate::notifications::Notifications;
use crate::tray::Tray;
use crate::{WINDOW, clipboard};

/// The desktop around the window.
pub(crate) struct Shell {
    handle: AppHandle,
    tray: Tray,
    notifications: Notifications,
}

impl Shell {
    pub(crate) fn new(handle: AppHandle, tray: Tray) -> Self {
        Self { notifications: Notifications::new(handle.clone()), handle, tray }
    }

    fn dialog(&self) -> FileDialogBuilder<tauri::Wry> {
        let dialog = self.handle.dialog().file();
        match self.handle.get_webview_window(WINDOW) {
            Some(window) => dialog.set_parent(&window),
            None => dialog,
        }
    }

    async fn ask_for_folder(&self) -> Option<PathBuf> {
        let (chosen, choice) = oneshot::channel();
        self.dialog().pick_folder(move |folder| {
            // If Easel is closing, nobody waits for the answer any more.
            let _ = chosen.send(folder);
        });
        choice.await.ok().flatten().and_then(to_path)
    }
}

fn to_path(chosen: FilePath) -> Option<PathBuf> {
    chosen.into_path().ok()
}

async fn on_blocking_thread<T, F>(work: F) -> io::Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> io::Result<T> + Send + 'static,
{
    tauri::async_runtime::spawn_blocking(work).await.map_err(io::Error::other)?
}

impl Desktop for Shell {
    fn choose_files(&self) -> Later<'_, Option<Vec<PathBuf>>> {
        Box::pin(async {
            let (chosen, choice) = oneshot::channel();
            self.dialog().pick_files(move |files| {
                let _ = chosen.send(files);
            });
            let files = choice.await.ok().flatten()?;
            Some(files.into_iter().filter_map(to_path).collect())
        })
    }

    fn choose_folder(&self) -> Later<'_, Option<PathBuf>> {
        Box::pin(self.ask_for_folder())
    }

    fn choose_place(&self) -> Later<'_, Option<PathBuf>> {
        Box::pin(self.ask_for_folder())
    }

    fn choose_file_to_save(&self, suggested: &str) -> Later<'_, Option<PathBuf>> {
        let suggested = suggested.to_owned();
        Box::pin(async move {
            let (chosen, choice) = oneshot::channel();
            self.dialog().set_file_name(suggested).save_file(move |file| {
                let _ = chosen.send(file);
            });
            choice.await.ok().flatten().and_then(to_path)
        })
    }

    fn downloads_dir(&self) -> Option<PathBuf> {
        let folder = self.handle.path().download_dir().ok()?;
        // A new user's system names the folder before it makes it.
        std::fs::create_dir_all(&folder).ok().map(|()| folder)
    }

    fn paste(&self) -> Later<'_, io::Result<Pasted>> {
        Box::pin(on_blocking_thread(clipboard::paste))
    }

    fn copy_text(&self, text: String) -> Later<'_, io::Result<()>> {
        Box::pin(on_blocking_thread(move || clipboard::copy(text)))
    }

    fn take_back_text(&self, text: SecretString) -> Later<'_, io::Result<()>> {
        Box::pin(on_blocking_thread(move || clipboard::take_back(&text)))
    }

    fn open(&self, path: &Path) -> io::Result<()> {
        let path = path.to_string_lossy().into_owned();
        self.handle.opener().open_path(path, None::<&str>).map_err(io::Error::other)
    }

    fn reveal(&self, path: &Path) -> io::Result<()> {
        self.handle.opener().reveal_item_in_dir(path).map_err(io::Error::other)
    }

    fn drag_out(&self, paths: Vec<PathBuf>) -> Later<'_, io::Result<()>> {
        Box::pin(crate::drag_out::start(self.handle.clone(), paths))
    }

    fn is_in_front(&self) -> bool {
        self.handle.get_webview_window(WINDOW).is_some_and(|window| window.is_focused().unwrap_or(true))
    }

    fn has_tray(&self) -> bool {
        self.tray.is_shown()
    }

    fn computer_name(&self) -> Option<String> {
        computer_name().filter(|name| !name.trim().is_empty())
    }

    fn set_starts_at_login(&self, is_wanted: bool) -> io::Result<()> {
        crate::login::set(&self.handle, is_wanted)
    }

    fn close(&self) {
        crate::window::close(&self.handle);
    }
}

impl Notifier for Shell {
    fn notify(&self, notice: &Notice) {
        self.notifications.show(notice);
    }
}

#[cfg(unix)]
fn computer_name() -> Option<String> {
    nix::unistd::gethostname().ok()?.into_string().ok()
}

#[cfg(windows)]
fn computer_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
