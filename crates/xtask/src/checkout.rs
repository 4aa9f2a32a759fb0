//! Where the repository is, and the small notes kept in `target/` about what was already done.
//!
//! A note ("stamp") is a fingerprint of some inputs: the same fingerprint means that the work need not be done again.
//! Nothing outside `target/` and `ui/node_modules/` is ever written here.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use crate::command::Problem;

/// Folders that hold nothing a person wrote.
const GENERATED_FOLDERS: [&str; 5] = [".git", "target", "node_modules", "dist", "test-results"];

/// The repository on this disk.
pub struct Checkout {
    root: PathBuf,
}

impl Checkout {
    /// The repository that this program was built from, or the one Cargo says it is run in.
    pub fn here() -> Self {
        let package =
            std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = package.ancestors().nth(2).map_or_else(|| package.clone(), Path::to_path_buf);
        Self { root }
    }

    /// A path below the top of the repository.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The top of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where Cargo puts what it builds.
    pub fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.path("target"), |folder| self.root.join(folder))
    }

    /// Every file below `folder` that a person wrote, by its path relative to the top, in a fixed order.
    pub fn files_below(&self, folder: &str) -> Result<BTreeMap<String, PathBuf>, Problem> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path(folder)];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).map_err(|error| Problem::of(&folder, &error))?;
            for entry in entries {
                let path = entry.map_err(|error| Problem::of(&folder, &error))?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if path.is_symlink() {
                    continue;
                }
                // In a second work tree `.git` is a file.
                if GENERATED_FOLDERS.contains(&name.as_str()) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(relative) = path.strip_prefix(&self.root) {
                    found.insert(relative.to_string_lossy().replace('\\', "/"), path);
                }
            }
        }
        Ok(found)
    }

    /// One number for the names and the contents of these files; a missing one counts as missing.
    pub fn fingerprint<'a>(&self, files: impl IntoIterator<Item = &'a Path>, also: &str) -> String {
        let mut hasher = DefaultHasher::new();
        also.hash(&mut hasher);
        for file in files {
            file.strip_prefix(&self.root).unwrap_or(file).hash(&mut hasher);
            fs::read(file).ok().hash(&mut hasher);
        }
        format!("{:016x}", hasher.finish())
    }
}

/// A note that work with certain inputs was done.
pub struct Stamp {
    file: PathBuf,
    fingerprint: String,
}

impl Stamp {
    /// The note in `file`, for inputs with this fingerprint.
    pub fn new(file: PathBuf, fingerprint: String) -> Self {
        Self { file, fingerprint }
    }

    /// Whether the work was done with exactly these inputs.
    pub fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|noted| noted.trim() == self.fingerprint)
    }

    /// Notes that the work is done.
    pub fn write(&self) -> Result<(), Problem> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(|error| Problem::of(folder, &error))?;
        }
        fs::write(&self.file, &self.fingerprint).map_err(|error| Problem::of(&self.file, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_top_of_the_repository() {
        assert!(Checkout::here().path("crates/xtask/src/main.rs").is_file());
    }

    #[test]
    fn a_changed_input_makes_a_stamp_stale() {
        let folder = tempfile::tempdir().unwrap();
        let (input, note) = (folder.path().join("input"), folder.path().join("stamps/note"));
        let checkout = Checkout { root: folder.path().to_path_buf() };
        let stamp = || Stamp::new(note.clone(), checkout.fingerprint([input.as_path()], "tool 1"));

        fs::write(&input, "one").unwrap();
        assert!(!stamp().is_current());
        stamp().write().unwrap();
        assert!(stamp().is_current());
        fs::write(&input, "two").unwrap();
        assert!(!stamp().is_current());
    }

    #[test]
    fn generated_folders_are_not_what_a_person_wrote() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["src/a.rs", "target/b.rs", "ui/node_modules/c.ts", "ui/dist/d.js"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let files = Checkout { root: folder.path().to_path_buf() }.files_below("").unwrap();
        assert_eq!(files.into_keys().collect::<Vec<_>>(), ["src/a.rs"]);
    }
}
