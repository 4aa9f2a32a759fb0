//! Files and folders that only their user can read.
//!
//! Always true on Unix: a file has the mode 0600, and a folder 0700, from its first moment on. Here too: how a file and its
//! name come to the disk. Not here: what lies in them.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// Options that open a file, and make it readable by its user alone if it is new.
pub fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Puts a note in the place of the one that is there, whole or not at all. It need not be on the disk at once: whoever
/// reads it does without one that is lost.
///
/// # Errors
/// Where it cannot be written.
pub fn write_note(place: &Path, note: &impl Serialize) -> std::io::Result<()> {
    let (_, draft) = write_draft(place, &serde_json::to_vec(note)?)?;
    std::fs::rename(&draft, place)
}

/// Puts a file in the place of the one that is there, whole or not at all: when this returns, it and its name are on the disk.
///
/// # Errors
/// Where it cannot be written.
pub fn write_durably(place: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let (file, draft) = write_draft(place, bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, place)?;
    sync_folder_of(place)
}

fn write_draft(place: &Path, bytes: &[u8]) -> std::io::Result<(File, PathBuf)> {
    let draft = place.with_extension("part");
    let mut file = private_file().write(true).create(true).truncate(true).open(&draft)?;
    file.write_all(bytes)?;
    Ok((file, draft))
}

/// Brings the name of a file to the disk.
///
/// # Errors
/// Where its folder cannot be opened.
pub fn sync_folder_of(place: &Path) -> std::io::Result<()> {
    place.parent().map_or(Ok(()), sync_folder)
}

/// Brings the names in a folder to the disk. Elsewhere than on Unix they reach it with the files themselves.
///
/// # Errors
/// Where it cannot be opened.
pub fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Takes from everything in the folder, itself included, what others may do with it: files become 0600, folders 0700.
/// Links are not followed.
///
/// # Errors
/// Where a folder cannot be read, or a mode not be set.
#[cfg(unix)]
pub fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = match std::fs::symlink_metadata(path) {
        // Gone since it was listed, as a file of the database may be.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    let mode = match (found.is_dir(), found.is_file()) {
        (true, _) => 0o700,
        (_, true) => 0o600,
        _ => return Ok(()),
    };
    if found.permissions().mode() & 0o7777 != mode {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    }
    if found.is_dir() {
        for entry in std::fs::read_dir(path)? {
            make_private(&entry?.path())?;
        }
    }
    Ok(())
}

/// Makes a folder that only its user can read, and those above it.
///
/// # Errors
/// Where it cannot be made.
pub fn create_private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Removes a file, where there is one.
///
/// # Errors
/// Where it is there and cannot be removed.
pub fn remove_if_there(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
