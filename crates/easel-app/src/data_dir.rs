//! The folder in which Easel keeps what it must not forget, and the one way small files in it are written.
//!
//! Always true: folders are private to the person (0700) and files too (0600) where the system can do that; a file is
//! replaced whole or not at all, also through a power cut. Never in here: keys, secrets and signed URLs. Not here: the
//! journals' own contents (easel-sync) and the built-in studio's (easel-studio).

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::{Handle, RuntimeFlavor};

/// Easel's folder on this computer.
#[derive(Debug, Clone)]
pub struct DataDir {
    root: PathBuf,
}

impl DataDir {
    /// Takes `root` as the folder. Nothing on disk is touched.
    #[must_use]
    pub const fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Makes the folder where it is missing.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn make(&self) -> io::Result<()> {
        for folder in [self.root.clone(), self.cache()] {
            make_private_folder(&folder)?;
        }
        Ok(())
    }

    /// Takes `root` as the folder and makes it where it is missing.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn open(root: PathBuf) -> io::Result<Self> {
        let dir = Self::at(root);
        dir.make()?;
        Ok(dir)
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The built-in studio's own folder.
    #[must_use]
    pub fn studio(&self) -> PathBuf {
        self.root.join("studio")
    }

    /// Where backups of the built-in studio go.
    pub(crate) fn backups(&self) -> PathBuf {
        self.root.join("backups.json")
    }

    /// The journal of all transfers.
    pub(crate) fn journal(&self) -> PathBuf {
        self.root.join("transfers.sqlite")
    }

    pub(crate) fn connections(&self) -> PathBuf {
        self.root.join("connections.json")
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.root.join("settings.json")
    }

    /// The settings of the writer of designs' words.
    pub(crate) fn writing(&self) -> PathBuf {
        self.root.join("writing.json")
    }

    /// Requests for designs that are not finished.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.join("work.json")
    }

    /// What the person thinks of designs.
    pub(crate) fn marks(&self) -> PathBuf {
        self.root.join("marks.json")
    }

    /// Exports, those to come and those that were.
    pub(crate) fn exports(&self) -> PathBuf {
        self.root.join("exports.json")
    }

    /// How exports are made, by name.
    pub(crate) fn export_presets(&self) -> PathBuf {
        self.root.join("export_presets.json")
    }

    /// Pictures for the page.
    pub(crate) fn media(&self) -> PathBuf {
        self.root.join("media")
    }

    /// Files that were opened from the drive.
    pub(crate) fn cache(&self) -> PathBuf {
        self.root.join("opened")
    }

    /// Pictures that were pasted, until they are in the drive.
    pub(crate) fn pasted(&self) -> PathBuf {
        self.root.join("pasted")
    }
}

/// Makes a folder, and those above it, that only this person can look into.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Reads what [`write_json`] wrote; `None` where there is no such file. A damaged file is set aside, not lost.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    match serde_json::from_slice(&text) {
        Ok(value) => Ok(Some(value)),
        Err(error) => {
            tracing::error!(path = %path.display(), %error, "damaged, so it is set aside");
            fs::rename(path, path.with_extension("damaged.json"))?;
            Ok(None)
        }
    }
}

/// Replaces a file whole: written beside it, synced, renamed over it, and the folder synced. A disk that is slow keeps
/// none of the runtime's other tasks waiting.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let text = serde_json::to_vec_pretty(value)?;
    // Only a runtime of several threads has others that its tasks can go to; the one of a single thread is the tests'.
    let is_on_runtime = Handle::try_current().is_ok_and(|on| on.runtime_flavor() == RuntimeFlavor::MultiThread);
    if is_on_runtime { tokio::task::block_in_place(|| replace(path, &text)) } else { replace(path, &text) }
}

fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new.json");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(&beside)?;
    file.write_all(text)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&beside, path)?;
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_slow_disk_keeps_no_other_task_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let (path, slow) = (folder.path().join("list.json"), folder.path().join("list.new.json"));
        // Writing to a named pipe waits until somebody reads.
        assert!(std::process::Command::new("mkfifo").arg(&slow).status().unwrap().success());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let (began, begun) = std::sync::mpsc::channel();
        let writing = runtime.spawn(async move {
            began.send(()).unwrap();
            write_json(&path, &1)
        });
        begun.recv().unwrap();
        let other = runtime.spawn(async {});
        let is_done = (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            other.is_finished()
        });
        drop(fs::File::open(&slow).unwrap());
        assert!(is_done, "a task waited for the disk");
        // A pipe takes what is written, and cannot be synced.
        assert!(runtime.block_on(writing).unwrap().is_err());
    }

    #[test]
    fn a_file_reads_back_and_a_damaged_one_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().join("easel")).unwrap();
        let path = dir.connections();
        assert_eq!(read_json::<Vec<u8>>(&path).unwrap(), None);
        write_json(&path, &vec![1_u8, 2]).unwrap();
        write_json(&path, &vec![3_u8]).unwrap();
        assert_eq!(read_json::<Vec<u8>>(&path).unwrap(), Some(vec![3]));
        fs::write(&path, "{").unwrap();
        assert_eq!(read_json::<Vec<u8>>(&path).unwrap(), None);
        assert!(path.with_extension("damaged.json").exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_this_person_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().join("easel")).unwrap();
        write_json(&dir.settings(), &1).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(dir.root()), 0o700);
        assert_eq!(mode(&dir.settings()), 0o600);
    }
}
