//! Easel in a window: adapters between the desktop and easel-app, and nothing else.
//!
//! Always true: a command is one line; decisions are made in easel-app. Only this crate knows `tauri`, and only it
//! knows both the app and the studio. `EASEL_DATA_DIR` names a data folder other than the platform's (tests use it;
//! such an Easel is an instance of its own).

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use easel_app::App;
use easel_app::app::Closing;
use easel_app::ports::Ports;
use tauri::{Manager, RunEvent, WebviewWindowBuilder, WindowEvent};
use tauri_plugin_window_state::StateFlags;

mod clipboard;
mod commands;
#[cfg(target_os = "linux")]
mod cursor_blink;
mod desktop;
mod drag_out;
mod drop;
mod events;
mod file_reader;
#[cfg(target_os = "linux")]
mod handover;
mod keystore;
mod local_studio;
mod log;
mod login;
mod media;
mod notifications;
mod tray;
mod window;

use desktop::Shell;
use keystore::SystemKeyStore;
use local_studio::LocalStudio;
use tray::Tray;
use window::{IDENTIFIER, WINDOW};

/// The variable that names a data folder other than the platform's.
pub const DATA_DIR_VARIABLE: &str = "EASEL_DATA_DIR";

type SetupError = Box<dyn std::error::Error>;

/// Opens the window and stays until it is closed.
#[must_use]
pub fn run() -> ExitCode {
    easel_app::memory::keep_little();
    log::start();
    let instance = instance_id();
    #[cfg(target_os = "linux")]
    if handover::hand_over(&instance) {
        return ExitCode::SUCCESS;
    }
    let bindings = bindings();
    let built = tauri::Builder::default()
        // The first plugin, so that a second start ends before it has opened anything.
        .plugin(single_instance(instance))
        .plugin(login::plugin())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        // Without the visibility: closing hides the window before it ends the program.
        .plugin(window_state())
        .register_asynchronous_uri_scheme_protocol(easel_app::media::SCHEME, |context, request, responder| {
            media::answer(&context, &request, responder);
        })
        .invoke_handler(bindings.invoke_handler())
        .on_window_event(on_window_event)
        .setup(move |shell| {
            bindings.mount_events(shell);
            open(shell)
        })
        .build(tauri::generate_context!());
    match built {
        Ok(shell) => {
            shell.run(|handle, event| {
                if let RunEvent::ExitRequested { code: None, api, .. } = event {
                    // The last window went without a request to close, for example because the session ends.
                    api.prevent_exit();
                    window::close(handle);
                }
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!(%error, "Easel cannot start");
            ExitCode::FAILURE
        }
    }
}

/// Starts the program, then opens the window: the page may ask at once.
fn open(shell: &mut tauri::App) -> Result<(), SetupError> {
    let handle = shell.handle();
    let data_dir = match chosen_data_dir() {
        Some(folder) => folder,
        None => handle.path().app_data_dir()?,
    };
    let tray = Tray::default();
    let desktop = Arc::new(Shell::new(handle.clone(), tray.clone()));
    let ports = Ports {
        events: Arc::new(events::Page::new(handle.clone())),
        keys: Arc::new(SystemKeyStore),
        studio: Arc::new(LocalStudio::new(data_dir.join("studio"))),
        reader: Arc::new(file_reader::FileReaders),
        desktop: Arc::clone(&desktop) as Arc<_>,
        notifier: desktop,
    };
    let app = tauri::async_runtime::block_on(async { App::start(ports, data_dir) });
    tray.start(handle, &app);
    handle.manage(app);
    let window = shell.config().app.windows.iter().find(|window| window.label == WINDOW).cloned();
    let window = window.ok_or("the window is not described")?;
    let window =
        WebviewWindowBuilder::from_config(shell.handle(), &window)?.visible(!login::is_without_window()).build()?;
    #[cfg(target_os = "linux")]
    cursor_blink::rest_when_idle(&window);
    #[cfg(not(target_os = "linux"))]
    drop(window);
    open_links(shell.handle(), std::env::args());
    Ok(())
}

/// Shows the links among the arguments of a start.
fn open_links(handle: &tauri::AppHandle, arguments: impl IntoIterator<Item = String>) {
    let Some(app) = handle.try_state::<App>() else { return };
    let is_link =
        |argument: &String| argument.strip_prefix(easel_app::links::SCHEME).is_some_and(|rest| rest.starts_with(':'));
    if let Some(link) = arguments.into_iter().skip(1).find(is_link) {
        app.links().open_link(&link);
    }
}

fn on_window_event(window: &tauri::Window, event: &WindowEvent) {
    let Some(app) = window.try_state::<App>().map(|app| app.inner().clone()) else { return };
    match event {
        WindowEvent::DragDrop(event) => drop::pass_on(window, app, event),
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            let handle = window.app_handle().clone();
            window::run_beside(&app.clone(), async move {
                match app.request_close().await {
                    Closing::Program => window::close(&handle),
                    Closing::WindowOnly => window::hide(&handle),
                    Closing::Asked => {}
                }
            });
        }
        _ => {}
    }
}

fn window_state() -> tauri::plugin::TauriPlugin<tauri::Wry> {
    let remembered = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN;
    tauri_plugin_window_state::Builder::new().with_state_flags(remembered).build()
}

/// Brings the first instance's window forward at a second start.
fn single_instance(id: String) -> tauri::plugin::TauriPlugin<tauri::Wry> {
    let builder = tauri_plugin_single_instance::Builder::new().callback(|handle, arguments, _| {
        window::show(handle);
        open_links(handle, arguments);
    });
    builder.dbus_id(id).build()
}

/// The name of an Easel with this data folder on the session bus.
fn instance_id() -> String {
    match chosen_data_dir() {
        Some(folder) => format!("{IDENTIFIER}.at{:016x}", hash(&folder)),
        None => IDENTIFIER.to_owned(),
    }
}

fn chosen_data_dir() -> Option<PathBuf> {
    std::env::var_os(DATA_DIR_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

fn hash(folder: &Path) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = std::hash::DefaultHasher::new();
    folder.hash(&mut hasher);
    hasher.finish()
}

/// Writes the page's bindings, `ui/src/backend/bindings.ts`, to `path`.
///
/// # Errors
/// Where a type has no counterpart in TypeScript, or the file cannot be written.
pub fn export_bindings(path: &Path) -> Result<(), specta_typescript::Error> {
    bindings().export(specta_typescript::Typescript::default(), path)
}

fn bindings() -> tauri_specta::Builder<tauri::Wry> {
    tauri_specta::Builder::new()
        .commands(commands::collect())
        .events(events::collect())
        .constant("default_settings", easel_app::settings::Settings::default())
        .disable_serde_phases()
        .function_casing(tauri_specta::Casing::SnakeCase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bindings_of_the_page_are_up_to_date() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/backend/bindings.ts");
        let folder = tempfile::tempdir().unwrap();
        let fresh = folder.path().join("bindings.ts");
        export_bindings(&fresh).unwrap();
        assert!(
            std::fs::read_to_string(&committed).unwrap_or_default() == std::fs::read_to_string(&fresh).unwrap(),
            "{} is out of date: cargo xtask bindings",
            committed.display(),
        );
    }
}
