//! Starting when the person signs in, without a window.
//!
//! Always true: what is written names this very executable, and is gone when it is not wanted any more. On Linux it is an entry of
//! the desktop's own (<https://specifications.freedesktop.org/autostart-spec/latest/>). Elsewhere the system does not take it yet,
//! and the person is told so.

use std::io;
use std::path::{Path, PathBuf};

/// What Easel is started with then.
pub(crate) const WITHOUT_WINDOW: &str = "--without-window";

/// Whether this start is one without a window.
pub(crate) fn is_without_window() -> bool {
    std::env::args_os().any(|argument| argument == WITHOUT_WINDOW)
}

/// Starts Easel when the person signs in, or no longer. `config_dir` is the person's folder of settings.
pub(crate) fn set(config_dir: &Path, is_wanted: bool) -> io::Result<()> {
    if !cfg!(target_os = "linux") {
        return Err(io::Error::from(io::ErrorKind::Unsupported));
    }
    let entry = entry_in(config_dir);
    if !is_wanted {
        return match std::fs::remove_file(&entry) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    if let Some(folder) = entry.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&entry, describe(&std::env::current_exe()?))
}

fn entry_in(config_dir: &Path) -> PathBuf {
    config_dir.join("autostart/dev.easel.desktop.desktop")
}

fn describe(program: &Path) -> String {
    // In quotes, in which these four have to be escaped, twice over for the value's own rules.
    let mut quoted = String::new();
    for sign in program.to_string_lossy().chars() {
        if matches!(sign, '"' | '`' | '$' | '\\') {
            quoted.push_str("\\\\");
        }
        quoted.push(sign);
    }
    let quoted = quoted.replace('%', "%%");
    format!(
        "[Desktop Entry]\nType=Application\nName=Easel\nExec=\"{quoted}\" {WITHOUT_WINDOW}\nIcon=easel\nX-GNOME-Autostart-enabled=true\n"
    )
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_there_while_it_is_wanted_and_gone_when_it_is_not() {
        let config = tempfile::tempdir().unwrap();
        set(config.path(), false).unwrap();
        set(config.path(), true).unwrap();
        let text = std::fs::read_to_string(entry_in(config.path())).unwrap();
        let program = std::env::current_exe().unwrap();
        assert!(text.contains(&format!("Exec=\"{}\" {WITHOUT_WINDOW}\n", program.display())), "{text}");
        set(config.path(), false).unwrap();
        assert!(!entry_in(config.path()).exists());
    }

    #[test]
    fn a_path_with_signs_of_its_own_stays_one_word() {
        let text = describe(Path::new("/opt/50% of $HOME/easel"));
        assert!(text.contains(r#"Exec="/opt/50%% of \\$HOME/easel" "#), "{text}");
    }
}
