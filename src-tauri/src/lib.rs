//! Easel in a window: adapters between the desktop and easel-app, and nothing else.
//!
//! Always true: a command is one line; what is decided is decided in easel-app. Only this crate knows `tauri`, and only
//! it knows both the app and the studio.

use std::path::Path;

mod commands;
mod events;

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
        .disable_serde_phases()
        .function_casing(tauri_specta::Casing::SnakeCase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `EASEL_WRITE_BINDINGS=1` it writes them instead.
    #[test]
    fn the_bindings_of_the_page_are_up_to_date() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/backend/bindings.ts");
        if std::env::var_os("EASEL_WRITE_BINDINGS").is_some() {
            std::fs::create_dir_all(committed.parent().unwrap()).unwrap();
            export_bindings(&committed).unwrap();
        }
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
