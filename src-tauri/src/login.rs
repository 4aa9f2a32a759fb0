//! Starts Easel when the person signs in, without a window.
//!
//! Always true: the entry names this program and is removed when it is not wanted any more; if the desktop would start
//! something else from it, nothing is written and the person is told so. The entry itself is
//! `tauri-plugin-autostart`'s, on every system.

use std::io;
use std::path::Path;

use tauri::{AppHandle, Manager as _};
use tauri_plugin_autostart::ManagerExt as _;

/// The argument of such a start.
const WITHOUT_WINDOW: &str = "--without-window";

/// Whether this start is one without a window.
pub(crate) fn is_without_window() -> bool {
    std::env::args_os().any(|argument| argument == WITHOUT_WINDOW)
}

/// What keeps the entry.
pub(crate) fn plugin() -> tauri::plugin::TauriPlugin<tauri::Wry> {
    tauri_plugin_autostart::Builder::new().arg(WITHOUT_WINDOW).build()
}

/// Sets whether Easel starts when the person signs in.
pub(crate) fn set(handle: &AppHandle, is_wanted: bool) -> io::Result<()> {
    let entry = handle.autolaunch();
    if !is_wanted {
        return entry.disable().map_err(io::Error::other);
    }
    if cfg!(target_os = "linux") {
        let program = match handle.env().appimage {
            Some(image) => image.into(),
            None => std::env::current_exe()?,
        };
        let settings = handle.path().config_dir().map_err(io::Error::other)?;
        let home = handle.path().home_dir().map_err(io::Error::other)?;
        if !is_one_plain_word(&program) || settings != home.join(".config") {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        }
    }
    entry.enable().map_err(io::Error::other)
}

/// Whether a desktop entry can name the program without quotes, which the plugin does not write
/// (<https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html>).
fn is_one_plain_word(program: &Path) -> bool {
    program.to_str().is_some_and(|words| {
        !words.contains(|sign: char| sign.is_whitespace() || sign.is_control() || "\"'\\><~|&;$*?#()`%".contains(sign))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_would_be_read_otherwise_is_not_written() {
        let cases = [
            ("/usr/bin/easel", true),
            ("/opt/zoë/Apps/Easel-0.1.0_amd64.AppImage", true),
            ("/opt/zoë/My Apps/easel", false),
            ("/opt/50%/easel", false),
            ("/opt/$HOME/easel", false),
            ("/opt/a'b/easel", false),
        ];
        for (program, expected) in cases {
            assert_eq!(is_one_plain_word(Path::new(program)), expected, "{program}");
        }
    }
}
