//! What lies in the trashes of this computer that was in a watched folder: in the person's own and the one of the disk, as
//! freedesktop.org lays them down, and in the hidden folder of the watched one.
//!
//! Always true: nothing is changed there; a file is named by the path that it had, and what it holds is for others to check.
//! The hidden folder keeps names alone, so that there a file may have had any path that ends so. Not here: putting files there
//! (`trash`, `kept`); the trashes of systems whose rules are not open. Blocking.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::folder::Folder;
use crate::sync::ignored::TRASH;
use crate::sync::tree;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Trashed {
    /// By the path that it had below the watched folder.
    by_path: HashMap<String, Vec<PathBuf>>,
    /// By name.
    by_name: HashMap<String, Vec<PathBuf>>,
}

impl Trashed {
    /// Files that may be the one that was at this path, the likeliest first.
    pub(crate) fn of(&self, path: &str) -> impl Iterator<Item = &PathBuf> {
        let named = self.by_name.get(tree::name(path));
        self.by_path.get(path).into_iter().chain(named).flatten()
    }
}

/// Looks through the trashes. `path` is the watched folder's, `home` the person's own trash.
pub(super) fn list(path: &Path, root: &Folder, home: Option<&Path>) -> Trashed {
    let mut found = Trashed::default();
    list_own(path, root, &mut found);
    #[cfg(not(any(windows, target_os = "macos")))]
    for (trash, top) in super::trash::trashes_of(path, home) {
        list_noted(path, &trash, top.as_deref(), &mut found);
    }
    #[cfg(any(windows, target_os = "macos"))]
    let _ = home;
    found
}

/// The hidden folder of the watched one: a folder a day.
fn list_own(path: &Path, root: &Folder, found: &mut Trashed) {
    let Ok(trash) = root.open_below(TRASH) else { return };
    for day in names(&trash) {
        let Ok(files) = trash.open_below(&day.to_string_lossy()) else { continue };
        for name in names(&files) {
            let file = path.join(TRASH).join(&day).join(&name);
            let Some(name) = name.to_str() else { continue };
            // Where a name was taken there, a number stands behind it.
            let numbered = name.rsplit_once('.').filter(|(_, number)| number.parse::<u32>().is_ok());
            for name in [Some(name), numbered.map(|(name, _)| name)].into_iter().flatten() {
                found.by_name.entry(name.to_owned()).or_default().push(file.clone());
            }
        }
    }
}

/// A trash with a note beside each file, whose paths are relative to `top`, where that is one.
#[cfg(not(any(windows, target_os = "macos")))]
fn list_noted(path: &Path, trash: &Path, top: Option<&Path>, found: &mut Trashed) {
    use std::os::unix::ffi::OsStringExt as _;

    let Ok(notes) = std::fs::read_dir(trash.join("info")) else { return };
    for note in notes.flatten() {
        let name = note.file_name();
        let Some(name) = Path::new(&name).file_stem().filter(|_| name.to_string_lossy().ends_with(".trashinfo")) else {
            continue;
        };
        let Ok(text) = std::fs::read_to_string(note.path()) else { continue };
        let Some(was_at) = text.lines().find_map(|line| line.strip_prefix("Path=")) else { continue };
        let was_at = PathBuf::from(OsString::from_vec(percent_encoding::percent_decode_str(was_at).collect()));
        let was_at = top.map_or_else(|| was_at.clone(), |top| top.join(&was_at));
        let Some(below) = was_at.strip_prefix(path).ok().and_then(Path::to_str) else { continue };
        found.by_path.entry(below.to_owned()).or_default().push(trash.join("files").join(name));
    }
}

fn names(folder: &Folder) -> Vec<OsString> {
    let mut found = Vec::new();
    // What cannot be listed is not found.
    let _ = folder.for_each_name(&mut Vec::with_capacity(16 * 1024), |name: &OsStr| found.push(name.to_owned()));
    found
}
