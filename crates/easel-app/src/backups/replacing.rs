//! Puts a restored folder in the place of the studio's, and undoes that.
//!
//! Always true: folders are renamed within Easel's own, never copied or merged; each step changes one of three names,
//! so that the next start can tell what a crash left, and put it right; the studio's folder of before is never deleted.
//! Nobody works on the folders meanwhile, for which the caller provides.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a folder is called that a restore is still making.
const COMING: &str = "studio.restoring-";
/// What a folder is called that a restore has put aside.
const ASIDE: &str = "studio.before-";

/// The paths of one restore.
#[derive(Debug, Clone)]
pub(super) struct Ways {
    /// The studio's.
    studio: PathBuf,
    /// The restored folder, until it is the studio's.
    pub(super) coming: PathBuf,
    /// Where the studio's goes.
    pub(super) aside: PathBuf,
}

impl Ways {
    /// New names in `root`, by the moment.
    pub(super) fn new(root: &Path, studio: PathBuf) -> Self {
        let moment = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%S%.3fZ").to_string();
        Self::named(root, studio, &moment)
    }

    fn named(root: &Path, studio: PathBuf, moment: &str) -> Self {
        Self { studio, coming: root.join(format!("{COMING}{moment}")), aside: root.join(format!("{ASIDE}{moment}")) }
    }

    /// Puts the restored folder in the place of the studio's; where that fails, everything is as it was.
    pub(super) fn bring_in(&self) -> io::Result<()> {
        self.exchange(&self.coming, &self.aside)
    }

    /// Undoes [`Self::bring_in`]; where that fails, the studio has the restored folder still, and never none.
    pub(super) fn bring_back(&self) -> io::Result<()> {
        self.exchange(&self.aside, &self.coming)
    }

    /// Moves the studio's folder out of the way and another one to its place; it is put back where the second move
    /// fails.
    fn exchange(&self, with: &Path, out_of_the_way: &Path) -> io::Result<()> {
        fs::rename(&self.studio, out_of_the_way)?;
        if let Err(error) = fs::rename(with, &self.studio) {
            fs::rename(out_of_the_way, &self.studio)?;
            return Err(error);
        }
        self.bring_to_the_disk()
    }

    fn bring_to_the_disk(&self) -> io::Result<()> {
        #[cfg(unix)]
        if let Some(root) = self.studio.parent() {
            fs::File::open(root)?.sync_all()?;
        }
        Ok(())
    }
}

/// Removes a folder that a restore made and that is not needed. It is a copy of what the backup has.
pub(super) async fn discard(coming: &Path) {
    let coming = coming.to_owned();
    let removed = tokio::task::spawn_blocking(move || fs::remove_dir_all(coming)).await;
    match removed {
        Ok(Err(error)) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, "what a failed restore copied is still there");
        }
        _ => {}
    }
}

/// Puts right what a restore left that a crash broke off: the studio has its folder again, and a folder that was only
/// half restored is removed.
///
/// # Errors
/// Where the studio has no folder and the one of before cannot be put back: a start would make an empty one.
pub(super) fn settle_interrupted(root: &Path, studio: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let Ok(name) = entry?.file_name().into_string() else { continue };
        let Some(moment) = name.strip_prefix(COMING) else { continue };
        let ways = Ways::named(root, studio.to_owned(), moment);
        if !studio.exists() && ways.aside.exists() {
            fs::rename(&ways.aside, studio)?;
            ways.bring_to_the_disk()?;
        }
        if let Err(error) = fs::remove_dir_all(&ways.coming) {
            tracing::warn!(%error, "what a broken restore copied is still there");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with folders of these names, each with a file that has the text.
    fn root_with(folders: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in folders {
            fs::create_dir(root.path().join(name)).unwrap();
            fs::write(root.path().join(name).join("studio.db"), text).unwrap();
        }
        root
    }

    fn inside(root: &tempfile::TempDir) -> Vec<(String, String)> {
        let mut found: Vec<_> = fs::read_dir(root.path())
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let text = fs::read_to_string(entry.path().join("studio.db")).unwrap();
                (entry.file_name().into_string().unwrap(), text)
            })
            .collect();
        found.sort();
        found
    }

    fn check(root: &tempfile::TempDir, expected: &[(&str, &str)]) {
        let expected: Vec<_> = expected.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
        assert_eq!(inside(root), expected);
    }

    fn ways(root: &tempfile::TempDir) -> Ways {
        Ways::named(root.path(), root.path().join("studio"), "m")
    }

    #[test]
    fn a_restored_folder_comes_in_and_goes_out_again_and_nothing_is_lost() {
        let root = root_with(&[("studio", "old"), ("studio.restoring-m", "new")]);
        ways(&root).bring_in().unwrap();
        check(&root, &[("studio", "new"), ("studio.before-m", "old")]);
        ways(&root).bring_back().unwrap();
        check(&root, &[("studio", "old"), ("studio.restoring-m", "new")]);
    }

    #[test]
    fn where_there_is_nothing_to_bring_in_the_studio_keeps_its_folder() {
        let root = root_with(&[("studio", "old")]);
        ways(&root).bring_in().unwrap_err();
        check(&root, &[("studio", "old")]);
    }

    #[test]
    fn where_there_is_nothing_to_bring_back_the_studio_keeps_the_restored_folder() {
        let root = root_with(&[("studio", "new")]);
        ways(&root).bring_back().unwrap_err();
        check(&root, &[("studio", "new")]);
    }

    #[test]
    fn what_a_crash_left_is_put_right_at_the_next_start() {
        let settle = |before: &[(&str, &str)], after: &[(&str, &str)]| {
            let root = root_with(before);
            settle_interrupted(root.path(), &root.path().join("studio")).unwrap();
            check(&root, after);
        };
        // A crash during the copying.
        settle(&[("studio", "old"), ("studio.restoring-m", "half")], &[("studio", "old")]);
        // Between the two names.
        settle(&[("studio.before-m", "old"), ("studio.restoring-m", "new")], &[("studio", "old")]);
        // After both: the restored one is the studio's, and an older one of another restore is not touched.
        let done = [("studio", "new"), ("studio.before-a", "older"), ("studio.before-m", "old")];
        settle(&done, &done);
        // A studio without a folder and no restore: it was never started, or somebody moved it.
        settle(&[("studio.before-a", "older")], &[("studio.before-a", "older")]);
    }
}
