//! Written blobs that are needed no more, and are removed together.
//!
//! Always true: whoever adds the first blob to an empty list has to remove the list; those who add later are served by that.
//! Not here: contents, and what is staged, which a backup may hold ([`super::holding`]).

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Unneeded(Mutex<Vec<PathBuf>>);

impl Unneeded {
    /// Adds a file, and says whether the caller has to see to [`Self::remove`].
    #[must_use]
    pub(super) fn push(&self, path: PathBuf) -> bool {
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        paths.push(path);
        paths.len() == 1
    }

    /// Removes all files. Waits for the disk.
    pub(super) fn remove(&self) {
        let paths = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for path in paths {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    tracing::warn!(%error, "a written blob could not be removed");
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_removes_what_all_have_added() {
        let folder = tempfile::tempdir().unwrap();
        let unneeded = Unneeded::default();
        let add = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, name).unwrap();
            unneeded.push(path)
        };
        let count = || std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!([add("a"), add("b")], [true, false]);
        std::fs::remove_file(folder.path().join("a")).unwrap();
        unneeded.remove();
        assert_eq!(count(), 0, "one that is gone already is no error");
        assert!(add("c"));
        unneeded.remove();
        assert_eq!(count(), 0);
    }
}
