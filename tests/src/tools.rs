//! The tools that `cargo xtask` installs from PyPI, below the folder that Cargo builds in.

use std::path::{Path, PathBuf};

/// A tool of that name.
///
/// # Panics
/// When it is not installed.
#[must_use]
pub fn find(name: &str) -> PathBuf {
    let here = std::env::current_exe().expect("this program's own path");
    let tool = Path::new("tools").join(name).join("bin").join(name);
    let mut candidates = here.ancestors().map(|folder| folder.join(&tool));
    candidates.find(|tool| tool.is_file()).unwrap_or_else(|| panic!("{name} is missing: `cargo xtask` installs it"))
}
