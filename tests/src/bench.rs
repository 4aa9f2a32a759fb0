//! The beginning of every bench: which of its parts are asked for, and a folder on one disk for both sides and every
//! peer.
//!
//! Not here: its figures ([`crate::figures`]).

use tempfile::TempDir;

/// The named ones of `parts`, in their own order, or all where none is named; `None`, with a message on standard error,
/// for an unknown name.
#[must_use]
pub fn choose_parts(parts: &[&'static str], named: &[&str]) -> Option<Vec<&'static str>> {
    let unknown: Vec<_> = named.iter().filter(|name| !parts.contains(name)).collect();
    if !unknown.is_empty() {
        eprintln!("no such part: {unknown:?}; there are {parts:?}");
        return None;
    }
    Some(parts.iter().filter(|part| named.is_empty() || named.contains(part)).copied().collect())
}

/// A fresh folder beside this program, so that everything is on one disk.
///
/// # Panics
/// Where it cannot be made.
#[must_use]
pub fn fresh_folder(name: &str) -> TempDir {
    let program = std::env::current_exe().expect("this program's path");
    let folder = program.parent().expect("a folder").join("bench");
    std::fs::create_dir_all(&folder).expect("a folder");
    TempDir::with_prefix_in(format!("{name}-"), folder).expect("a folder")
}
