//! Locks a watched folder, so that one program at a time keeps it in step, be it the app or the headless engine.
//!
//! The folder itself is locked (`flock`): nothing is written anywhere, other programs are kept out, whoever runs them,
//! and the lock ends with the program, however that ends. While the lock is held, the folder's disk cannot be
//! unmounted, as with any open file; a paused folder is not locked. Some network file systems cannot lock a folder.
//! There a file in the system's folder for temporary files is locked instead, named by the folder's identity; then only
//! programs of the same computer keep each other out. Not here: which folders are watched, and by whom (the journal).

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program has locked it.
    #[error("{holder} holds the folder")]
    Held {
        /// What is known of that program, such as `easel-sync (process 4711)`.
        holder: String,
    },
    /// The folder cannot be opened.
    #[error("the folder cannot be locked: {0}")]
    Unavailable(#[source] io::Error),
}

/// A locked folder. Dropping this unlocks it.
#[derive(Debug)]
pub struct FolderLock {
    #[expect(dead_code, reason = "held, never read")]
    held: File,
}

impl FolderLock {
    /// Locks the folder at `path`, whose identity is [`crate::sync::disk::LocalDisk::identity`]. Does not wait.
    ///
    /// # Errors
    /// [`LockError::Held`] when another has it locked, also within this program.
    pub fn take(path: &Path, identity: u64) -> Result<Self, LockError> {
        match File::open(path).and_then(|folder| try_lock(folder, path)) {
            Ok(taken) => taken,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LockError::Unavailable(error)),
            Err(error) => {
                tracing::info!(%error, "the folder itself cannot be locked; a file stands in for it");
                let name = format!("easel-folder-{identity:016x}.lock");
                let expand_pointers = std::env::temp_dir().join(name);
                let file = OpenOptions::new().write(true).create(true).truncate(false).open(&expand_pointers);
                file.and_then(|file| try_lock(file, &expand_pointers)).map_err(LockError::Unavailable)?
            }
        }
    }
}

/// The outer error says that `file` cannot be locked at all.
fn try_lock(file: File, path: &Path) -> io::Result<Result<FolderLock, LockError>> {
    match file.try_lock() {
        Ok(()) => Ok(Ok(FolderLock { held: file })),
        Err(TryLockError::WouldBlock) => Ok(Err(LockError::Held { holder: find_holder(path) })),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The process that has locked the item at `path`, as far as the system tells.
#[cfg(target_os = "linux")]
fn find_holder(path: &Path) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let find = || -> Option<String> {
        let metadata = std::fs::metadata(path).ok()?;
        let device = metadata.dev();
        let key = format!("{:02x}:{:02x}:{}", rustix::fs::major(device), rustix::fs::minor(device), metadata.ino());
        // 7: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        let mut fields = locks.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
        let process = fields.find_map(|fields| {
            let is_it = fields.get(1) == Some(&"FLOCK") && fields.get(5) == Some(&key.as_str());
            is_it.then(|| fields[4].to_owned())
        })?;
        let name = std::fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
        Some(format!("{} (process {process})", name.trim()))
    };
    find().unwrap_or_else(|| "another program".to_owned())
}

/// The process that has locked the item at `path`, as far as the system tells.
#[cfg(not(target_os = "linux"))]
fn find_holder(_path: &Path) -> String {
    "another program".to_owned()
}

/// Whether one of two folders is the other or lies in it. Links in both paths are resolved; the path of a folder that
/// is not there is taken as it is written.
#[must_use]
pub fn overlap(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| PathBuf::from(path));
    let (one, other) = (real(one), real(other));
    one.starts_with(&other) || other.starts_with(&one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_by_one_and_free_again_when_that_one_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let held = FolderLock::take(folder.path(), 1).expect("free");
        let refused = FolderLock::take(folder.path(), 1).expect_err("held");
        let me = format!("(process {})", std::process::id());
        assert!(cfg!(not(target_os = "linux")) || refused.to_string().contains(&me), "{refused}");
        assert!(FolderLock::take(tempfile::tempdir().expect("another").path(), 1).is_ok());
        drop(held);
        assert!(FolderLock::take(folder.path(), 1).is_ok());
        assert!(matches!(FolderLock::take(&folder.path().join("none"), 1), Err(LockError::Unavailable(_))));
    }

    #[test]
    fn a_program_that_is_killed_holds_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut other = std::process::Command::new("flock")
            .arg("--no-fork")
            .arg(folder.path())
            .args(["sh", "-c", "echo held; exec sleep 600"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("flock");
        let mut told = [0; 5];
        let mut output = other.stdout.take().expect("its output");
        io::Read::read_exact(&mut output, &mut told).expect("held");
        assert!(matches!(FolderLock::take(folder.path(), 1), Err(LockError::Held { .. })));
        other.kill().expect("killed");
        other.wait().expect("ended");
        assert!(FolderLock::take(folder.path(), 1).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn folders_overlap_wherever_links_lead() {
        let base = tempfile::tempdir().expect("a folder");
        let at = |path: &str| base.path().join(path);
        std::fs::create_dir_all(at("a/b")).expect("folders");
        std::fs::create_dir_all(at("ab")).expect("folders");
        std::os::unix::fs::symlink(at("a/b"), at("link")).expect("a link");
        let check = |one: &str, other: &str, expected: bool| {
            assert_eq!(overlap(&at(one), &at(other)), expected, "{one} {other}");
            assert_eq!(overlap(&at(other), &at(one)), expected, "{other} {one}");
        };
        check("a", "a", true);
        check("a", "a/b", true);
        check("a", "ab", false);
        check("link", "a", true);
        check("link", "ab", false);
        check("a/../ab", "ab", true);
        check("a", "not-there", false);
    }
}
